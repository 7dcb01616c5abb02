/* SPDX-License-Identifier: MIT */
/* Measures of bodies in space, beside closed forms: lattices, columns, rigid rotation, cut solids. */
#include <math.h>
#include <string.h>

#include "measure/columns.h"
#include "measure/solids.h"
#include "model.h"
#include "support/check.h"

enum { BALLS_MAX = 4096, TOUCHES_MAX = 3 * BALLS_MAX };

static struct {
    ts_snapshot snapshot;
    ts_snapshot_body body[BALLS_MAX];
    ts_contact contact[TOUCHES_MAX];
    ts_snapshot_shape shape[2];
} g;

static void begin(void)
{
    memset(&g.snapshot, 0, sizeof g.snapshot);
    memset(g.shape, 0, sizeof g.shape);
    g.snapshot.dimension = 3;
    g.snapshot.body = g.body;
    g.snapshot.contact = g.contact;
    g.snapshot.shape = g.shape;
    g.snapshot.shape_count = 1;
    g.snapshot.has_contacts = true;
}

/* A ball of unit density. */
static ts_snapshot_body *ball(double x, double y, double z, double radius)
{
    ts_snapshot_body *body = &g.body[g.snapshot.body_count++];
    double mass = 4 / 3.0 * TS_PI * radius * radius * radius, moment = 0.4 * mass * radius * radius;
    *body = (ts_snapshot_body){.position = {x, y, z},
                               .attitude = {1, 0, 0, 0},
                               .scale = 1,
                               .radius = radius,
                               .volume = mass,
                               .mass = mass,
                               .inertia = {{moment, 0, 0}, {0, moment, 0}, {0, 0, moment}},
                               .present = true};
    return body;
}

static void touch(int64_t a, int64_t b, const double point[3], const double normal[3], double push)
{
    ts_contact *c = &g.contact[g.snapshot.contact_count++];
    *c = (ts_contact){.a = a, .b = b, .weight = 1};
    for (int k = 0; k < 3; k++) {
        c->point_a[k] = c->point_b[k] = point[k];
        c->normal[k] = normal[k];
        c->force[k] = push * normal[k];
    }
}

/* n³ balls of radius r that touch their neighbours along the axes, from the origin on; walls touch none. */
static void lattice(int n, double r, double push)
{
    begin();
    for (int i = 0; i < n * n * n; i++)
        ball(r * (1 + 2 * (i % n)), r * (1 + 2 * (i / n % n)), r * (1 + 2 * (i / n / n)), r);
    for (int i = 0; i < n * n * n; i++)
        for (int axis = 0, step = 1; axis < 3; axis++, step *= n)
            if (i / step % n + 1 < n) {
                double normal[3] = {0}, point[3];
                normal[axis] = 1;
                for (int k = 0; k < 3; k++)
                    point[k] = g.body[i].position[k] + r * normal[k];
                touch(i, i + step, point, normal, push);
            }
}

/* π/6 of space, six neighbours inside, no direction above others. */
static void a_cubic_lattice_has_its_packing_and_fabric(void **unused)
{
    (void)unused;
    const int n = 8;
    const double r = 0.01, side = 2 * r * n;
    lattice(n, r, 3);
    ts_packing packing;
    OK(ts_measure_packing(&g.snapshot, NULL, &packing, ERROR));
    NEAR(packing.fraction, TS_PI / 6, 1e-12);
    NEAR(packing.region_volume, side * side * side, 1e-15);
    /* cells that a box cuts anywhere along z hold as much */
    for (double z = 0.003; z < 0.02; z += 0.0041) {
        const ts_region box = {0, 0, side, side, z, z + 4 * r};
        OK(ts_measure_packing(&g.snapshot, &box, &packing, ERROR));
        NEAR(packing.fraction, TS_PI / 6, 1e-12);
        assert_true(packing.error == 0);
    }
    ts_coordination coordination;
    const ts_region inside = {2 * r, 2 * r, side - 2 * r, side - 2 * r, 2 * r, side - 2 * r};
    OK(ts_measure_coordination(&g.snapshot, &inside, 0, &coordination, ERROR));
    assert_true(coordination.contacts == 6 && coordination.neighbours == 6 && coordination.rattlers == 0);
    ts_fabric fabric;
    OK(ts_measure_fabric(&g.snapshot, NULL, true, &fabric, ERROR));
    NEAR(fabric.tensor[0][0] + fabric.tensor[1][1] + fabric.tensor[2][2], 1, 1e-12);
    for (int k = 0; k < 9; k++)
        NEAR(fabric.tensor[k / 3][k % 3], k % 4 ? 0 : 1 / 3.0, 1e-12);
    NEAR(fabric.anisotropy, 0, 1e-12);
    /* every cell inside carries push over (2r)² along each axis */
    ts_stress stress;
    OK(ts_measure_stress(&g.snapshot, &inside, &stress, ERROR));
    for (int k = 0; k < 9; k++)
        NEAR(stress.contact[k / 3][k % 3], k % 4 ? 0 : 3 / (4 * r * r), 1e-6);
    NEAR(stress.pressure, 3 / (4 * r * r), 1e-6);
    NEAR(stress.deviator, 0, 1e-6);
    ts_chains chains;
    OK(ts_measure_chains(&g.snapshot, NULL, 0, &chains, ERROR));
    assert_int_equal(chains.count, 0); /* no force is above the mean */
}

/* Straight chains of the length of the lattice where the vertical forces are the strong ones. */
static void chains_are_straight_columns(void **unused)
{
    (void)unused;
    const int n = 6;
    lattice(n, 0.5, 1);
    for (size_t k = 0; k < g.snapshot.contact_count; k++)
        if (g.contact[k].normal[2] != 0)
            g.contact[k].force[2] = 10;
    ts_chains chains;
    OK(ts_measure_chains(&g.snapshot, NULL, 0, &chains, ERROR));
    assert_int_equal(chains.count, n * n);
    assert_int_equal(chains.longest, n);
    NEAR(chains.mean_length, n, 0);
    NEAR(chains.member_share, 1, 0);
    ts_stress stress;
    OK(ts_measure_stress(&g.snapshot, NULL, &stress, ERROR));
    NEAR(stress.direction[2], 1, 1e-9);
    NEAR(stress.deviator, 0.5 * (stress.contact[2][2] - stress.contact[0][0]), 1e-9);
    ts_forces forces;
    OK(ts_measure_forces(&g.snapshot, NULL, &forces, ERROR));
    NEAR(forces.mean, 4, 1e-12);
    NEAR(forces.strong_share, 1 / 3.0, 1e-12);
}

/* A column on a floor: the stress at a height is the weight above it over the area. */
static void a_column_carries_its_weight(void **unused)
{
    (void)unused;
    const int n = 20;
    const double r = 0.05, gravity = 9.81, up[3] = {0, 0, 1};
    begin();
    g.snapshot.gravity[2] = -gravity;
    for (int i = 0; i < n; i++)
        ball(r, r, r * (1 + 2 * i), r);
    double mass = g.body[0].mass;
    for (int i = 0; i < n; i++) {
        const double point[3] = {r, r, 2 * r * i};
        touch(i == 0 ? -1 : i - 1, i, point, up, (n - i) * mass * gravity);
    }
    /* slices between centres: each holds one contact, and nothing else */
    ts_stress slice[20];
    const ts_region box = {0, 0, 2 * r, 2 * r, -r, 2 * r * n - r};
    const ts_bins bins = {&box, 20, false};
    OK(ts_measure_stress_profile(&g.snapshot, &bins, slice, ERROR));
    for (int i = 1; i < n; i++) {
        NEAR(slice[i].contact[2][2], (n - i) * mass * gravity / (4 * r * r), 1e-9);
        assert_true(slice[i].contact[0][0] == 0 && slice[i].contact[0][2] == 0);
        NEAR(slice[i].direction[2], 1, 1e-12);
    }
    /* the floor's contact has half a branch */
    NEAR(slice[0].contact[2][2], 0.5 * n * mass * gravity / (4 * r * r), 1e-9);
    ts_height height;
    const ts_region all = {0, 0, 2 * r, 2 * r, -r, 2 * r * n};
    OK(ts_measure_height(&g.snapshot, &(ts_bins){&all, 1, false}, 0.5, &height, ERROR));
    NEAR(height.top, r * n + r, 1e-6); /* where balls touch the volume grows with the square of the height */
    NEAR(height.centre, r * n + r, 1e-12);
    OK(ts_measure_height(&g.snapshot, &(ts_bins){&all, 1, false}, 0.25 / n, &height, ERROR));
    double cap = 2 * r * n + r - height.top; /* of the last ball: a quarter of its volume lies above */
    NEAR(TS_PI * cap * cap * (3 * r - cap) / 3, 0.25 * g.body[0].volume, 1e-12);
    ts_fabric fabric; /* all normals along z: E(n) is as far from even as it can be */
    OK(ts_measure_fabric(&g.snapshot, NULL, true, &fabric, ERROR));
    NEAR(fabric.tensor[2][2], 1, 0);
    NEAR(fabric.anisotropy, 7.5, 1e-12); /* √(3/2 · (15/2)² · (4/9 + 1/9 + 1/9)) */
}

/* A rigid rotation: ω everywhere, no rotational temperature; in slices of one layer the velocity fluctuates by what
 * it varies there. */
static void rigid_rotation_has_its_spin(void **unused)
{
    (void)unused;
    const int n = 5;
    const double w[3] = {0.3, -0.2, 1.5};
    lattice(n, 0.1, 1);
    double energy = 0, angular = 0, mean[3] = {0}, square = 0;
    for (size_t i = 0; i < g.snapshot.body_count; i++) {
        ts_snapshot_body *b = &g.body[i];
        const double *p = b->position;
        const double v[3] = {w[1] * p[2] - w[2] * p[1], w[2] * p[0] - w[0] * p[2], w[0] * p[1] - w[1] * p[0]};
        memcpy(b->velocity, v, sizeof v);
        memcpy(b->spin, w, sizeof w);
        energy += 0.5 * b->inertia[0][0] * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        angular += b->mass * (p[0] * v[1] - p[1] * v[0]) + b->inertia[2][2] * w[2];
        for (int k = 0; k < 3; k++)
            mean[k] += v[k] / (double)g.snapshot.body_count;
    }
    for (size_t i = 0; i < g.snapshot.body_count; i++)
        for (int k = 0; k < 3; k++)
            square += (g.body[i].velocity[k] - mean[k]) * (g.body[i].velocity[k] - mean[k]);
    ts_motion_measures motion;
    const ts_bins one = {NULL, 1, false}, five = {NULL, 5, false};
    OK(ts_measure_motion(&g.snapshot, &one, &motion, ERROR));
    for (int k = 0; k < 3; k++) {
        NEAR(motion.spin[k], w[k], 1e-12);
        NEAR(motion.velocity[k], mean[k], 1e-12);
    }
    NEAR(motion.rotational, 0, 1e-20);
    NEAR(motion.about_mean, square / 3 / (double)(g.snapshot.body_count - 1), 1e-12);
    OK(ts_measure_motion(&g.snapshot, &five, &motion, ERROR));
    NEAR(motion.shear_rate, w[1], 1e-12); /* ∂v_x/∂z */
    ts_energies energies;
    ts_measure_energies(&g.snapshot, &energies);
    NEAR(energies.rotational, energy, 1e-12);
    double value[TS_MEASURE_COLUMNS_MAX];
    OK(ts_measure_row(&g.snapshot, NULL, &(ts_measure_options){0}, TS_MEASURE_VELOCITY, value, ERROR));
    for (size_t k = 0; k < ts_measure_column_count(TS_MEASURE_VELOCITY, 3); k++)
        if (strcmp(ts_measure_column_name(TS_MEASURE_VELOCITY, 3, k), "angular_momentum_z_Nms") == 0)
            NEAR(value[k], angular, 1e-12);
}

/* Velocities that are dealt out evenly have the temperature of their variance, D = 3. */
static void temperature_is_that_of_each_axis(void **unused)
{
    (void)unused;
    lattice(10, 0.1, 1);
    for (size_t i = 0; i < g.snapshot.body_count; i++)
        for (int k = 0; k < 3; k++)
            g.body[i].velocity[k] = 7 * (k == 1) + ((i * 2654435761u >> (10 + k)) & 1 ? 0.5 : -0.5);
    ts_motion_measures motion;
    const ts_bins bins = {NULL, 5, false};
    OK(ts_measure_motion(&g.snapshot, &bins, &motion, ERROR));
    NEAR(motion.temperature, 0.25, 0.004);
    NEAR(motion.about_mean, 0.25, 0.004);
    NEAR(motion.velocity[1], 7, 0.05);
}

/* What falls through a plane is counted once, with its sign; sideways nothing is. */
static void flow_crosses_a_plane(void **unused)
{
    (void)unused;
    lattice(4, 0.5, 1);
    static ts_snapshot_body later[BALLS_MAX];
    ts_snapshot after = g.snapshot;
    after.body = later;
    after.time = 2;
    for (size_t i = 0; i < g.snapshot.body_count; i++) {
        later[i] = g.body[i];
        later[i].position[2] -= 1; /* one layer */
    }
    ts_flow flow;
    const double from[3] = {0, 0, 2}, down[3] = {0, 0, 1.3}, side[3] = {1, 0, 2};
    OK(ts_measure_flow(&g.snapshot, &after, from, down, &flow, ERROR));
    NEAR(flow.number, 16 / 2.0, 0);
    NEAR(flow.mass, 16 * g.body[0].mass / 2, 1e-12);
    OK(ts_measure_flow(&g.snapshot, &after, from, side, &flow, ERROR));
    NEAR(flow.number, 0, 0);
    ts_passages passages = {0};
    OK(ts_passages_add(&passages, &g.snapshot, &after, from, down, ERROR));
    assert_true(passages.count == 16 && passages.waiting == 16 && passages.passage[0].forward);
    NEAR(passages.passage[0].time, 2 * 0.5, 1e-12); /* from 2.5 to 1.5 through 2 */
    ts_passages_free(&passages);
}

/* Two kinds apart have intensity near 1, a chessboard near 0. */
static void kinds_are_apart_or_mixed(void **unused)
{
    (void)unused;
    ts_segregation apart, mixed;
    const int n = 12;
    lattice(n, 0.5, 1);
    g.snapshot.gravity[2] = -1;
    for (int i = 0; i < n * n * n; i++)
        g.body[i].material = i >= n * n * n / 2;
    OK(ts_measure_segregation(&g.snapshot, NULL, TS_KIND_MATERIAL, 1.2, &apart, ERROR));
    NEAR(fabs(apart.height), n / 2.0, 1e-9);
    for (int i = 0; i < n * n * n; i++)
        g.body[i].material = (i + i / n + i / n / n) % 2;
    OK(ts_measure_segregation(&g.snapshot, NULL, TS_KIND_MATERIAL, 1.2, &mixed, ERROR));
    /* one grain in seven is of the own kind inside: (6/7 - 1/2)² · 2 / (1/2); at faces one in six, … */
    assert_true(apart.intensity > 0.9 && apart.lacey < 0.12);
    double sum = 0;
    for (int i = 0; i < n * n * n; i++) {
        int around = 1;
        for (int axis = 0, step = 1; axis < 3; axis++, step *= n)
            around += (i / step % n > 0) + (i / step % n + 1 < n);
        double own = 1.0 / around - 0.5;
        sum += 2 * own * own / 0.5 / (n * n * n);
    }
    NEAR(mixed.intensity, sum, 1e-12);
}

/* A turned box, a ball and a capsule in corners of a region, beside sums over small cubes. */
static void cut_solids_have_their_volume(void **unused)
{
    (void)unused;
    static const ts_solid solid[] = {{.kind = TS_SOLID_BOX, .half = {0.5, 0.3, 0.2}},
                                     {.kind = TS_SOLID_SPHERE, .radius = 0.5},
                                     {.kind = TS_SOLID_CAPSULE, .radius = 0.25, .half_length = 0.4}};
    const double volume[] = {8 * 0.5 * 0.3 * 0.2, 4 / 3.0 * TS_PI * 0.125,
                             TS_PI * 0.0625 * 0.8 + 4 / 3.0 * TS_PI * 0.015625};
    const double reach[] = {sqrt(0.38), 0.5, 0.65};
    const ts_region box = {0.05, -0.1, 9, 9, -9, 0.12};
    const ts_quat turn = ts_quat_from_axis_angle((ts_vec3){0.2, 0.9, -0.4}, 0.8);
    for (int k = 0; k < 3; k++) {
        begin();
        ts_piece piece = {solid[k], ts_pose3_identity()};
        g.shape[0] = (ts_snapshot_shape){.piece = &piece, .piece_count = 1, .piece_scale = 1};
        ts_snapshot_body *body = ball(0.02, 0.03, -0.01, reach[k]);
        memcpy(body->attitude, &turn, sizeof body->attitude);
        body->volume = volume[k];
        /* cubes that fill the part of the ball's box that is in the region, about the body's centre */
        const int n = 160;
        const double low[3] = {box.x0 - 0.02, box.y0 - 0.03, -reach[k]}, high[3] = {reach[k], reach[k], box.z1 + 0.01};
        const ts_vec3 h = {(high[0] - low[0]) / n, (high[1] - low[1]) / n, (high[2] - low[2]) / n};
        double expected = 0;
        for (int i = 0; i < n * n * n; i++) {
            ts_vec3 p = {low[0] + h.x * (i % n + 0.5), low[1] + h.y * (i / n % n + 0.5),
                         low[2] + h.z * (i / n / n + 0.5)},
                    q = ts_quat_apply(ts_quat_conjugate(turn), p);
            bool in = k == 0   ? fabs(q.x) < 0.5 && fabs(q.y) < 0.3 && fabs(q.z) < 0.2
                      : k == 1 ? ts_vec3_length(q) < 0.5
                               : hypot(hypot(q.x, q.y), fmax(fabs(q.z) - 0.4, 0)) < 0.25;
            expected += in ? h.x * h.y * h.z : 0;
        }
        ts_packing packing;
        OK(ts_measure_packing(&g.snapshot, &box, &packing, ERROR));
        NEAR(packing.grain_volume, expected, 2e-4 * volume[k]);
        assert_true((packing.error > 0) == (k > 0));
        /* a box around all of it holds all of it, and its own box is tight */
        ts_region own = ts_snapshot_region(&g.snapshot);
        OK(ts_measure_packing(&g.snapshot, &own, &packing, ERROR));
        NEAR(packing.grain_volume, volume[k], 1e-12);
    }
}

/* A box cut by the plane through its middle, whichever way it is turned, is halved exactly. */
static void polyhedra_are_cut_exactly(void **unused)
{
    (void)unused;
    const ts_piece piece = {{.kind = TS_SOLID_BOX, .half = {0.5, 0.3, 0.2}}, ts_pose3_identity()};
    for (int k = 0; k < 40; k++) {
        begin();
        g.shape[0] = (ts_snapshot_shape){.piece = &piece, .piece_count = 1, .piece_scale = 0.5};
        ts_snapshot_body *body = ball(3, -2, 1e3, 2 * sqrt(0.38));
        const ts_quat turn = ts_quat_from_axis_angle((ts_vec3){sin(k), cos(3 * k), sin(5 * k + 1)}, 0.4 * k);
        memcpy(body->attitude, &turn, sizeof body->attitude);
        body->scale = 1; /* twice the pieces, which are those of scale ½ */
        body->volume = 8 * 8 * 0.5 * 0.3 * 0.2;
        const ts_region half = {-99, -99, 99, 99, 1e3, 2e3};
        ts_packing packing;
        OK(ts_measure_packing(&g.snapshot, &half, &packing, ERROR));
        NEAR(packing.grain_volume, 0.5 * body->volume, 1e-12);
        assert_true(packing.error == 0);
    }
}

/* What is of the plane says so, and makes no number. */
static void others_refuse(void **unused)
{
    (void)unused;
    lattice(3, 0.5, 1);
    ts_error error;
    ts_repose repose;
    ts_rose_bin rose[4];
    ts_overlaps overlaps;
    ts_pile_column column[4];
    const ts_bins bins = {NULL, 4, false};
    assert_int_equal(ts_measure_repose(&g.snapshot, &bins, &repose, &error), TS_UNSUPPORTED);
    assert_non_null(strstr(error.message, "plane"));
    assert_int_equal(ts_measure_rose(&g.snapshot, NULL, true, 4, rose, &error), TS_UNSUPPORTED);
    assert_int_equal(ts_measure_overlaps(&g.snapshot, NULL, &overlaps, &error), TS_UNSUPPORTED);
    assert_int_equal(ts_measure_pile(&g.snapshot, &bins, column, &error), TS_UNSUPPORTED);
    const ts_region flat = {0, 0, 1, 1, 0, 0};
    ts_packing packing;
    assert_int_equal(ts_measure_packing(&g.snapshot, &flat, &packing, &error), TS_BAD_INPUT);
    assert_true((ts_measure_groups(3) & TS_MEASURE_REPOSE) == 0 && ts_measure_groups(2) == TS_MEASURE_ALL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cubic_lattice_has_its_packing_and_fabric),
        cmocka_unit_test(chains_are_straight_columns),
        cmocka_unit_test(a_column_carries_its_weight),
        cmocka_unit_test(rigid_rotation_has_its_spin),
        cmocka_unit_test(temperature_is_that_of_each_axis),
        cmocka_unit_test(flow_crosses_a_plane),
        cmocka_unit_test(kinds_are_apart_or_mixed),
        cmocka_unit_test(cut_solids_have_their_volume),
        cmocka_unit_test(polyhedra_are_cut_exactly),
        cmocka_unit_test(others_refuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
