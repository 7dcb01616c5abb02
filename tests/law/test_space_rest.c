/* SPDX-License-Identifier: MIT */
/* Impact in space: slopes, stacks and heaps, which have to come to rest and stay there. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "base/random.h"
#include "dynamics/impact_dynamics.h"
#include "model.h"
#include "shape/closed_meshes.h"
#include "support/world3.h"
#include "workspace.h"

#define G 9.81

static const ts_body3 *body_of(const ts_test_world *w, size_t i)
{
    return &ts_state_bodies3(w->state)[i];
}

/* Exact programs, or sweeps. */
static void start_with(ts_test_world *w, double friction, uint64_t sweeps)
{
    ts_test_space(w, -G);
    ts_test_impact3(w->scene, "gr", 0, friction, 1.0 / 400);
    if (sweeps > 0)
        ts_test_sweeps3(w->scene, sweeps);
}

/* `count` boxes on one another on a slope of this angle. */
static void open_slope(ts_test_world *w, double slope, int count)
{
    const double size[3] = {0.4, 0.3, 0.1};
    const double normal[3] = {sin(slope), 0, cos(slope)}, zero[3] = {0, 0, 0};
    ts_test_plane3(w->scene, NULL, zero, normal);
    int32_t box = ts_test_block(w->scene, size[0], size[1], size[2]);
    for (int i = 0; i < count; i++) {
        const double up = (0.5 + i) * size[2];
        ts_test_tilted3(w->scene, box, (double[3]){up * normal[0], 0, up * normal[2]}, slope);
    }
    ts_test_start(w, 1);
}

/* On a slope a box holds when μ > tan α, and slides with g (sin α − μ cos α) when it does not. */
static void boxes_slide_as_coulomb_says(void **state)
{
    (void)state;
    const double slope = 0.3, mu[] = {0.1, 0.2, 0.28, 0.34, 0.5};
    for (int k = 0; k < 10; k++) {
        ts_test_world w = {0};
        start_with(&w, mu[k % 5], k < 5 ? 0 : 60);
        open_slope(&w, slope, 1);
        ts_test_step(&w, 400);
        const double *v = body_of(&w, 0)->velocity;
        double speed = v[0] * cos(slope) - v[2] * sin(slope);
        double expected = fmax(0, G * (sin(slope) - mu[k % 5] * cos(slope)));
        NEAR(speed, expected, 0.02 * G * sin(slope));
        if (mu[k % 5] > tan(slope)) { /* it is where it was */
            NEAR(hypot(body_of(&w, 0)->position[0] - 0.05 * sin(slope), body_of(&w, 0)->position[1]), 0, 1e-3);
            NEAR(speed, 0, 0.7 * G * sin(slope) / 400);
        }
        ts_test_close(&w);
    }
}

/* The same for what lies on something that lies on the slope: here both boxes fall alike before anything holds them, so
 * that nothing slips until friction below has answered. (Exact programs have friction once, after the normals, and what
 * that closes is left to the next step: a few millimetres a second.) */
static void a_stack_on_a_slope_holds(void **state)
{
    (void)state;
    const double slope = 0.2;
    for (int k = 0; k < 3; k++) {
        ts_test_world w = {0};
        start_with(&w, 0.5, k == 0 ? 0 : 60);
        if (k == 2) {
            ts_dynamics_def d = ts_default_dynamics();
            d.kind = "impact";
            ts_dynamics_set(&d, "staggered", 100);
            OK(ts_scene_set_dynamics(w.scene, &d, ERROR));
        }
        open_slope(&w, slope, 3);
        ts_test_step(&w, k == 2 ? 200 : 800);
        for (int i = 0; i < 3; i++) {
            const double *x = body_of(&w, (size_t)i)->position;
            double along = x[0] * cos(slope) - x[2] * sin(slope), up = x[0] * sin(slope) + x[2] * cos(slope);
            NEAR(along, 0, k == 0 ? 0.03 : 5e-4);
            NEAR(x[1], 0, 1e-3);
            NEAR(up, 0.05 + 0.1 * i, 1e-3);
        }
        ts_test_close(&w);
    }
}

/* Five boxes on one another stay there. */
static void a_stack_stays(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        ts_test_world w = {0};
        start_with(&w, 0.5, k == 0 ? 0 : 100);
        open_slope(&w, 0, 5);
        ts_test_step(&w, 600);
        for (int i = 0; i < 5; i++) {
            const ts_body3 *b = body_of(&w, (size_t)i);
            NEAR(hypot(b->position[0], b->position[1]), 0, 1e-3);
            NEAR(b->position[2], 0.05 + 0.1 * i, 5e-4);
            NEAR(fabs(b->attitude[0]), 1, 1e-5);
        }
        ts_test_close(&w);
    }
}

/* A heap of several kinds comes to rest within a room, without sinking into each other. */
/* Returns the deepest overlap on the way. */
static double one_heap_comes_to_rest(uint64_t seed)
{
    ts_test_world w = {0};
    ts_wall_def room = ts_default_wall();
    start_with(&w, 0.5, 60);
    room.kind = TS_WALL_ROOM;
    room.size[0] = room.size[1] = 0.5;
    room.size[2] = 2;
    OK(ts_scene_add_wall(w.scene, &room, NULL, ERROR));
    const int32_t solid[] = {ts_test_block(w.scene, 0.12, 0.1, 0.08), ts_test_hammer(w.scene, 0.1),
                             ts_test_wedge(w.scene, 0.12)};
    ts_test_fill3(w.scene, (double[3]){0, 0, 0}, (double[3]){0.5, 0.5, 2}, 24, solid, 3, 0);
    ts_settings settings = ts_scene_settings(w.scene);
    settings.seed = seed;
    OK(ts_scene_set(w.scene, &settings, ERROR));
    ts_test_start(&w, 1);
    ts_test_step(&w, 600);
    ts_measures m;
    double moved = 0, from[24][3];
    for (int i = 0; i < 24; i++)
        for (int d = 0; d < 3; d++)
            from[i][d] = body_of(&w, (size_t)i)->position[d];
    const uint64_t unsettled = ts_impact_counts_of(w.work).unsettled;
    ts_test_step(&w, 100); /* a quarter of a second */
    for (int i = 0; i < 24; i++)
        for (int d = 0; d < 3; d++)
            moved = fmax(moved, fabs(body_of(&w, (size_t)i)->position[d] - from[i][d]));
    OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
    assert_true(moved < 5e-4);
    assert_true(m.overlap_ratio < 0.01);
    assert_true(ts_impact_counts_of(w.work).unsettled - unsettled < 50); /* sweeps agree when nothing moves any more */
    const double deepest = w.work->max_overlap;
    ts_test_close(&w);
    return deepest;
}

static void heaps_come_to_rest(void **state)
{
    (void)state;
    const uint64_t seeds = 3;
    double deepest = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++)
        deepest += one_heap_comes_to_rest(seed) / (double)seeds;
    /* of handles of 0.02 m, which is as thin as the way of a step is long */
    assert_true(deepest < 0.004);
}

static int32_t add_beam(ts_scene *scene, double x, double y, double z)
{
    ts_mesh *mesh = box_mesh((ts_vec3){-0.5 * x, -0.5 * y, -0.5 * z}, (ts_vec3){0.5 * x, 0.5 * y, 0.5 * z});
    ts_piece_def piece = {.kind = TS_PIECE_MESH,
                          .point = (const double(*)[3])mesh->vertex,
                          .point_count = mesh->vertex_count,
                          .triangle = (const int32_t(*)[3])mesh->triangle,
                          .triangle_count = mesh->triangle_count,
                          .cells = 32};
    ts_shape_def def = ts_default_shape();
    int32_t solid;
    def.piece = &piece;
    def.piece_count = 1;
    OK(ts_scene_add_shape(scene, &def, &solid, ERROR));
    ts_mesh_free(mesh);
    return solid;
}

/* A beam of twelve triangles falls across another, or across a box: far from all vertices, it stays on it. */
static void beams_lie_across(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        ts_test_world w = {0};
        start_with(&w, 0.5, k % 2 ? 60 : 0);
        int32_t low = k < 2 ? add_beam(w.scene, 1, 0.1, 0.1) : ts_test_block(w.scene, 1, 0.1, 0.1);
        int32_t high = add_beam(w.scene, 0.1, 1, 0.1);
        ts_test_fixed3(w.scene, "low", low, 0, 0, 0);
        ts_test_body3(w.scene, high, 0.1, 0.02, 0.12);
        ts_test_start(&w, 1);
        ts_test_step(&w, 400);
        NEAR(body_of(&w, 1)->position[2], 0.1, 1e-4);
        NEAR(body_of(&w, 1)->attitude[0], 1, 1e-5);
        ts_test_close(&w);
    }
}

/* A plate that is far thinner than a cell of its distance field, as a mesh, stays on posts that are nowhere near its
 * edges, and a ball stays on the plate. */
static void thin_plates_are_solid(void **state)
{
    (void)state;
    static const double thick[] = {2e-3, 5e-4, 1e-4};
    for (int k = 0; k < 3; k++) {
        ts_test_world w = {0};
        start_with(&w, 0.5, 60);
        const int32_t plate = add_beam(w.scene, 0.4, 0.4, thick[k]), post = ts_test_block(w.scene, 0.04, 0.04, 0.1);
        for (int i = 0; i < 4; i++)
            ts_test_fixed3(w.scene, (char[]){'p', (char)('0' + i), 0}, post, i % 2 ? 0.1 : -0.1, i / 2 ? 0.1 : -0.1,
                           -0.05);
        ts_test_body3(w.scene, plate, 0, 0, 0.5 * thick[k] + 1e-6);
        ts_test_body3(w.scene, ts_test_ball(w.scene, 0.03), 0.01, 0, thick[k] + 0.03 + 1e-6);
        ts_test_start(&w, 1);
        ts_test_step(&w, 200);
        NEAR(body_of(&w, 4)->position[2], 0.5 * thick[k], 0.3 * thick[k]);
        NEAR(body_of(&w, 5)->position[2], thick[k] + 0.03, 0.5 * thick[k]);
        ts_test_close(&w);
    }
}

/* Crossed layers of beams of twelve triangles come to rest as boxes do: then sweeps begin with what they will end
 * with, and have nothing to do. */
static void crossed_beams_come_to_rest(void **state)
{
    (void)state;
    enum { LAYERS = 5, ACROSS = 3, COUNT = LAYERS * ACROSS };
    ts_test_world w = {0};
    ts_random random = ts_random_make(74, 1);
    start_with(&w, 0.5, 60);
    ts_test_floor(w.scene);
    const int32_t beam[2] = {add_beam(w.scene, 1, 0.1, 0.1), add_beam(w.scene, 0.1, 1, 0.1)};
    for (int i = 0; i < COUNT; i++) {
        const int layer = i / ACROSS, odd = layer % 2;
        const double across = 0.3 * (i % ACROSS - 1) + 0.06 * (ts_random_next_uniform(&random) - 0.5),
                     along = 0.1 * (ts_random_next_uniform(&random) - 0.5);
        ts_test_tilted3(w.scene, beam[odd],
                        (double[3]){odd ? across : along, odd ? along : across, 0.06 + 0.12 * layer},
                        0.01 * (ts_random_next_uniform(&random) - 0.5));
    }
    ts_test_start(&w, 1);
    ts_test_step(&w, 400);
    const uint64_t unsettled = ts_impact_counts_of(w.work).unsettled;
    double moved = 0, from[COUNT][3];
    for (int i = 0; i < COUNT; i++)
        memcpy(from[i], body_of(&w, (size_t)i)->position, sizeof from[i]);
    ts_test_step(&w, 200);
    for (int i = 0; i < COUNT; i++)
        for (int d = 0; d < 3; d++)
            moved = fmax(moved, fabs(body_of(&w, (size_t)i)->position[d] - from[i][d]));
    assert_true(ts_impact_counts_of(w.work).unsettled - unsettled <= 2);
    assert_true(moved < 1e-7);
    ts_test_close(&w);
}

/* What walls feel is what bodies lose: in every step the momentum that it begins with changes by gravity less the forces on all walls; and
 * at rest the floor feels the weight, at the place where it stands. */
static void walls_feel_what_bodies_lose(void **state)
{
    (void)state;
    ts_test_world w = {0};
    const double zero[3] = {0, 0, 0};
    start_with(&w, 0.5, 60);
    ts_test_plane3(w.scene, NULL, zero, (const double[3]){0, 0, 1});
    ts_test_plane3(w.scene, NULL, (const double[3]){-0.6, 0, 0}, (const double[3]){1, 0, 0});
    int32_t box = ts_test_block(w.scene, 0.2, 0.2, 0.1);
    ts_test_tilted3(w.scene, box, (const double[3]){0.3, 0.2, 0.2}, 0.4);
    ts_test_tilted3(w.scene, box, (const double[3]){-0.45, 0, 0.2}, -1.1);
    ts_test_start(&w, 1);
    OK(ts_state_set_velocity(w.state, 1, (const double[6]){-1.5, 0, 0, 0, 0, 0}, ERROR));
    const double h = ts_model_time_step(w.model), mass = ts_model_mass(w.model, 0);
    double most = 0, force[2][3], torque[3], mean[3] = {0}; /* floor: force along z, torque about x and y, at the end */
    const int steps = 600, last = 200;
    for (int step = 0; step < steps; step++) {
        double before[3] = {0}, after[3] = {0};
        for (int k = 0; k < 3; k++)
            before[k] = mass * (w.state->onward[k] + w.state->onward[6 + k]);
        ts_test_step(&w, 1);
        for (int k = 0; k < 3; k++)
            after[k] = mass * (w.state->onward[k] + w.state->onward[6 + k]);
        OK(ts_wall_force(w.work, 0, force[0], torque, ERROR));
        OK(ts_wall_force(w.work, 1, force[1], NULL, ERROR));
        for (int k = 0; k < 3; k++)
            NEAR(after[k] - before[k], h * ((k == 2 ? -2 * mass * G : 0) - force[0][k] - force[1][k]), 1e-12 * mass);
        most = fmax(most, -force[1][0]);
        if (step == steps - last) { /* away from the wall that it leans on */
            OK(ts_state_set_pose(w.state, 1, (const double[7]){-0.2, -0.7, 0.05, 1, 0, 0, 0}, ERROR));
            OK(ts_state_set_velocity(w.state, 1, (const double[6]){0}, ERROR));
        }
        for (int k = 0; k < 3 && step > steps - last / 2; k++)
            mean[k] += (k == 2 ? force[0][2] : torque[k]) / (last / 2 - 1);
    }
    assert_true(most > 0); /* the second one met its wall */
    double where[2] = {0};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            where[k] += body_of(&w, (size_t)i)->position[k];
    NEAR(mean[2], -2 * mass * G, 1e-3 * mass * G);
    NEAR(mean[0], -where[1] * mass * G, 1e-3 * mass * G);
    NEAR(mean[1], where[0] * mass * G, 1e-3 * mass * G);
    assert_int_equal(ts_wall_force(w.work, 2, force[0], NULL, ERROR), TS_BAD_INPUT);
    ts_test_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_feel_what_bodies_lose), cmocka_unit_test(boxes_slide_as_coulomb_says),
        cmocka_unit_test(a_stack_on_a_slope_holds),    cmocka_unit_test(a_stack_stays),
        cmocka_unit_test(heaps_come_to_rest),          cmocka_unit_test(beams_lie_across),
        cmocka_unit_test(thin_plates_are_solid),       cmocka_unit_test(crossed_beams_come_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
