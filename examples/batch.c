/* SPDX-License-Identifier: MIT */
/* A batch: one model, many states, two threads. How far does a disc get in half a second, for a dozen speeds? */
#include <pthread.h>
#include <stdio.h>

#include <touchstone/touchstone.h>

enum { ROLLOUTS = 12, THREADS = 2 };

/* What a thread does: every second rollout. The model is shared, for it never changes. */
typedef struct worker {
    const ts_model *model;
    int first;
    double *distance; /* of all rollouts; each worker writes its own */
    ts_status status;
    ts_error error;
} worker;

/* One rollout: a fresh state, its own start speed. */
static ts_status roll(worker *me, ts_workspace *work, double speed, double *distance)
{
    ts_state *state;
    ts_status status = ts_state_create(me->model, &state, &me->error);
    if (status != TS_OK)
        return status;
    status = ts_state_set_velocity(state, 0, (double[]){speed, 0, 0}, &me->error);
    if (status == TS_OK)
        status = ts_step(me->model, state, work, (uint64_t)(0.5 / ts_model_time_step(me->model)), &me->error);
    *distance = ts_state_bodies(state)[0].x;
    ts_state_free(state);
    return status;
}

static void *run(void *context)
{
    worker *me = context;
    ts_workspace *work; /* one for each thread that steps */
    me->status = ts_workspace_create(me->model, 1, &work, &me->error);
    if (me->status != TS_OK)
        return NULL;
    for (int i = me->first; i < ROLLOUTS && me->status == TS_OK; i += THREADS)
        me->status = roll(me, work, 0.1 * (i + 1), &me->distance[i]);
    ts_workspace_free(work);
    return NULL;
}

int main(void)
{
    ts_error error;
    ts_scene *scene = NULL;
    ts_model *model = NULL;
    ts_body_def disc = ts_default_body();
    ts_wall_def ground = ts_default_wall();
    disc.position[1] = 0.05;
    if (ts_scene_create(&scene, &error) || ts_scene_add_disc(scene, 0.05, &disc.shape, &error) ||
        ts_scene_add_body(scene, &disc, NULL, &error) || ts_scene_add_wall(scene, &ground, NULL, &error) ||
        ts_model_compile(scene, &model, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    double distance[ROLLOUTS] = {0};
    worker each[THREADS] = {{.model = model, .first = 0, .distance = distance},
                            {.model = model, .first = 1, .distance = distance}};
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, &each[1]) != 0)
        return 1;
    run(&each[0]);
    pthread_join(thread, NULL);

    int wrong = each[0].status || each[1].status;
    for (int i = 0; i < ROLLOUTS; i++) { /* friction sets it rolling at two thirds of its speed, soon and for good */
        printf("%.1f m/s: %.3f m\n", 0.1 * (i + 1), distance[i]);
        wrong |= !(distance[i] > 0.5 * 0.1 * (i + 1) * 2 / 3 * 0.99 && distance[i] < 0.5 * 0.1 * (i + 1));
    }
    ts_model_free(model);
    ts_scene_free(scene);
    return wrong;
}
