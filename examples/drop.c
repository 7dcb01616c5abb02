/* SPDX-License-Identifier: MIT */
/* The smallest simulation: a disc falls onto a floor, bounces, and comes to rest.
 *
 *     cc drop.c $(pkg-config --cflags --libs touchstone) -o drop && ./drop
 *
 * A scene is built in code, compiled into a model, and a state of it is stepped. */
#include <math.h>
#include <stdio.h>

#include <touchstone/touchstone.h>

/* Every call that can fail says why. */
#define TRY(call)                                                     \
    do {                                                              \
        if ((call) != TS_OK) {                                        \
            fprintf(stderr, "%s\n  (in %s)\n", error.message, #call); \
            return 1;                                                 \
        }                                                             \
    } while (0)

int main(void)
{
    ts_error error;
    ts_scene *scene;
    TRY(ts_scene_create(&scene, &error));

    /* a disc of 5 cm radius, one metre up, and the half-plane y >= 0 */
    ts_body_def ball = ts_default_body();
    TRY(ts_scene_add_disc(scene, 0.05, &ball.shape, &error));
    ball.position[1] = 1;
    TRY(ts_scene_add_body(scene, &ball, NULL, &error));
    ts_wall_def floor_def = ts_default_wall();
    TRY(ts_scene_add_wall(scene, &floor_def, NULL, &error));

    /* the model copies what it needs, so the scene may go */
    ts_model *model;
    ts_state *state;
    ts_workspace *work;
    TRY(ts_model_compile(scene, &model, &error));
    ts_scene_free(scene);
    TRY(ts_state_create(model, &state, &error));
    TRY(ts_workspace_create(model, 1, &work, &error));
    printf("a body of %.3g kg, steps of %.3g s\n", ts_model_mass(model, 0), ts_model_time_step(model));

    /* two seconds, a line every tenth */
    const ts_body *body = ts_state_bodies(state); /* stays valid, follows the state */
    uint64_t steps = (uint64_t)(0.1 / ts_model_time_step(model));
    for (int line = 0; line < 20; line++) {
        TRY(ts_step(model, state, work, steps, &error));
        printf("t = %.2f s   height %.4f m   velocity %+.3f m/s\n", ts_state_time(state), body[0].y, body[0].vy);
    }

    /* it lies on the floor now: its centre one radius up, all but the overlap that carries its weight */
    int rests = fabs(body[0].y - 0.05) < 0.01 * 0.05 && fabs(body[0].vy) < 1e-3;
    printf(rests ? "it came to rest\n" : "it should have come to rest\n");
    ts_workspace_free(work);
    ts_state_free(state);
    ts_model_free(model);
    return rests ? 0 : 1;
}
