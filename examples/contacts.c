/* SPDX-License-Identifier: MIT */
/* Reading poses and contacts in place: how many others does each settled grain touch, and what does the floor carry? */
#include <math.h>
#include <stdio.h>

#include <touchstone/touchstone.h>

#define TRY(call)                                   \
    do {                                            \
        if ((call) != TS_OK) {                      \
            fprintf(stderr, "%s\n", error.message); \
            return 1;                               \
        }                                           \
    } while (0)

/* 150 soft grains above the floor of a box 30 cm wide. The floor is wall 0. */
static ts_status build(ts_scene *scene, ts_error *error)
{
    static const double wall[3][4] = {{0, 0, 0, 1}, {0, 0, 1, 0}, {0.3, 0, -1, 0}}; /* point, normal */
    ts_dynamics_def dynamics = ts_default_dynamics();
    ts_dynamics_set(&dynamics, "tolerated_overlap", 0.05); /* softer means larger time steps */
    ts_status status = ts_scene_set_dynamics(scene, &dynamics, error);
    for (int i = 0; i < 3 && status == TS_OK; i++) {
        ts_wall_def def = ts_default_wall();
        for (int k = 0; k < 2; k++) {
            def.position[k] = wall[i][k];
            def.normal[k] = wall[i][2 + k];
        }
        status = ts_scene_add_wall(scene, &def, NULL, error);
    }
    ts_mix_entry mix = {.weight = 1, .scale_min = 0.6, .scale_max = 1}; /* shape 0, material 0 */
    ts_generator_def fill = ts_default_generator();
    fill.high[0] = fill.high[1] = 0.3;
    fill.count = 150;
    fill.mix = &mix;
    fill.mix_count = 1;
    if (status == TS_OK)
        status = ts_scene_add_disc(scene, 0.01, NULL, error);
    return status == TS_OK ? ts_scene_add_generator(scene, &fill, NULL, error) : status;
}

int main(void)
{
    ts_error error;
    ts_scene *scene;
    ts_model *model;
    ts_state *state;
    ts_workspace *work;
    TRY(ts_scene_create(&scene, &error));
    TRY(build(scene, &error));
    TRY(ts_model_compile(scene, &model, &error));
    TRY(ts_state_create(model, &state, &error));
    TRY(ts_workspace_create(model, 1, &work, &error));
    TRY(ts_step(model, state, work, (uint64_t)(1 / ts_model_time_step(model)), &error));

    const ts_body *body = ts_state_bodies(state); /* body[i], in place */
    const ts_contact *contact;                    /* contact[k], in place until the workspace is used again */
    size_t body_count = ts_model_body_count(model), count, between = 0;
    double weight = 0, height = 0, floor_force = 0;
    TRY(ts_find_contacts(model, state, work, &contact, &count, &error));
    for (size_t i = 0; i < body_count; i++) {
        weight += 9.81 * ts_model_mass(model, i);
        height = fmax(height, body[i].y + body[i].radius);
    }
    for (size_t k = 0; k < count; k++) {
        between += contact[k].a >= 0; /* wall i is -1 - i */
        if (contact[k].a == -1)       /* the force is that on B, the grain; the floor feels the opposite */
            floor_force += contact[k].force[1];
    }
    printf("%zu grains, %.3f m high, touch %.2f others each; they weigh %.1f N and the floor carries %.1f N\n",
           body_count, height, 2 * (double)between / (double)body_count, weight, floor_force);

    ts_workspace_free(work);
    ts_state_free(state);
    ts_model_free(model);
    ts_scene_free(scene);
    /* friction hands some of the weight to the walls */
    return floor_force > 0.5 * weight && floor_force < 1.02 * weight ? 0 : 1;
}
