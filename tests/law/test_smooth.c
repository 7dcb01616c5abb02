/* SPDX-License-Identifier: MIT */
/* Smooth bodies under every dynamics of space: rest, sliding, rolling, impacts, and a stiffness that depends neither on
 * the mesh nor on ties. */
#include <math.h>
#include <string.h>

#include "dynamics/weight.h"
#include "model.h"
#include "support/smooth.h"
#include "support/smooth_world.h"
#include "workspace.h"

#define G 9.81

typedef enum law { PENALTY, IMPACT, SOFT, LAWS } law;

static const ts_vec3 half = {0.2, 0.15, 0.1};

static const ts_body3 *body_of(const ts_test_world *w, size_t i)
{
    return &ts_state_bodies3(w->state)[i];
}

static void resolve_by(ts_scene *scene, law by, double restitution, double friction)
{
    if (by == PENALTY) {
        ts_test_penalty3(scene, 4e5, fmax(restitution, 0.01), friction, 0);
        return;
    }
    ts_test_impact3(scene, "gr", restitution, friction, by == SOFT ? 1.0 / 200 : 1.0 / 400);
    if (by == SOFT) {
        ts_dynamics_def d = ts_default_dynamics();
        d.kind = "soft-step";
        OK(ts_scene_set_dynamics(scene, &d, ERROR));
    }
}

static void run_for(ts_test_world *w, double seconds)
{
    ts_test_step(w, (uint64_t)(seconds / ts_model_time_step(w->model) + 0.5));
}

static ts_measures measures_of(const ts_test_world *w)
{
    ts_measures m;
    OK(ts_measure(w->model, w->state, w->work, &m, ERROR));
    return m;
}

static double energy_of(const ts_measures *m)
{
    return m->kinetic + m->rotational + m->gravitational + m->elastic;
}

/* How fast points of a body about as large as these move. */
static double motion_of(const ts_test_world *w, size_t i)
{
    const double *v = body_of(w, i)->velocity;
    double spin[3];
    ts_test_spin3(w->state, i, spin);
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
           0.2 * sqrt(spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]);
}

/* ---- Rest ---- */

typedef enum support { PLANE, HULL_BOX, SMOOTH_BOX, SUPPORTS } support;

static int32_t open_support(ts_test_world *w, support on)
{
    const int32_t board = ts_test_block(w->scene, 1, 1, 0.2);
    if (on == PLANE)
        ts_test_floor(w->scene);
    else
        ts_test_fixed3(w->scene, "table", board, 0, 0, -0.1);
    return board;
}

/* A box that falls a centimetre, tilted, and a ball and an ellipsoid that fall level, lie still after two seconds, as high
 * as they are thick but for what contacts press in: on a plane, a box of planes and a smooth box, by every dynamics. */
static void things_come_to_rest(void **state)
{
    (void)state;
    ts_sdf_body *body[] = {ts_test_superquadric(half, 0.1, 0.1, 3),
                           ts_test_superquadric((ts_vec3){0.1, 0.1, 0.1}, 1, 1, 4),
                           ts_test_superquadric(half, 1, 1, 4)};
    ts_sdf_body *table = ts_test_superquadric((ts_vec3){0.5, 0.5, 0.1}, 0.1, 0.1, 5);
    for (int k = 0; k < 3 * SUPPORTS * LAWS; k++) {
        const int b = k % 3;
        const support on = (support)(k / 3 % SUPPORTS);
        const law by = (law)(k / 3 / SUPPORTS);
        ts_test_world w = {0};
        ts_test_space(&w, -G);
        resolve_by(w.scene, by, 0, 0.9);
        const int32_t board = open_support(&w, on), block = ts_test_block(w.scene, 0.4, 0.3, 0.2);
        ts_test_tilted3(w.scene, block, (double[3]){0, 0, 0.11}, b == 0 ? 0.03 : 0);
        ts_test_compile(&w);
        ts_test_become_smooth(&w, block, body[b]);
        if (on == SMOOTH_BOX)
            ts_test_become_smooth(&w, board, table);
        ts_test_begin(&w, 1);
        const size_t i = w.model->body_count - 1;
        run_for(&w, 1.2);
        const ts_body3 was = *body_of(&w, i);
        double most = 0;
        for (int n = 0; n < 10; n++) {
            run_for(&w, 0.02);
            most = fmax(most, motion_of(&w, i));
        }
        const ts_body3 now = *body_of(&w, i);
        assert_true(most < 5e-4);
        NEAR(hypot(now.position[0] - was.position[0], now.position[1] - was.position[1]), 0, 1e-7);
        NEAR(now.position[2], 0.1, by == PENALTY ? 5e-4 : 1e-4); /* m g / k = 3e-4 */
        NEAR(hypot(now.position[0], now.position[1]), 0, 5e-3);
        ts_test_close(&w);
    }
    for (int i = 0; i < 3; i++)
        ts_sdf_body_free(body[i]);
    ts_sdf_body_free(table);
}

/* Two boxes side by side, with dozens of places each, and not as many: rows of soft-step stand side by side. */
static void many_places_side_by_side(void **state)
{
    (void)state;
    ts_sdf_body *body[2] = {ts_test_superquadric(half, 0.1, 0.1, 7), ts_test_superquadric(half, 0.1, 0.1, 11)};
    ts_test_world w = {0};
    ts_test_space(&w, -G);
    resolve_by(w.scene, SOFT, 0, 0.5);
    ts_test_floor(w.scene);
    int32_t block[2];
    for (int i = 0; i < 2; i++) {
        block[i] = ts_test_block(w.scene, 0.4, 0.3, 0.2);
        ts_test_body3(w.scene, block[i], i, 0, 0.1);
    }
    ts_test_compile(&w);
    for (int i = 0; i < 2; i++)
        ts_test_become_smooth(&w, block[i], body[i]);
    ts_test_begin(&w, 1);
    run_for(&w, 0.5);
    const ts_contact *contact;
    size_t count, of[2] = {0, 0};
    OK(ts_find_contacts(w.model, w.state, w.work, &contact, &count, ERROR));
    for (size_t i = 0; i < count; i++)
        of[contact[i].b]++;
    for (size_t i = 0; i < 2; i++) {
        assert_true(of[i] > 0);
        assert_true(motion_of(&w, i) < 1e-4);
        NEAR(body_of(&w, i)->position[2], 0.1, 1e-4);
        NEAR(body_of(&w, i)->position[0], (double)i, 1e-4);
        ts_sdf_body_free(body[i]);
    }
    ts_test_close(&w);
}

/* A body of three primitives, which is not convex, rocks from foot to foot and is still in the end. Its energy never
 * grows by more than rounding, but for the little that rolling in steps has under soft-step. */
static void a_blob_comes_to_rest(void **state)
{
    (void)state;
    ts_sdf_body *blob = ts_test_blob(0.3);
    for (int by = 0; by < LAWS; by++) {
        ts_test_world w = {0};
        ts_test_space(&w, -G);
        resolve_by(w.scene, (law)by, 0, 0.9);
        ts_test_floor(w.scene);
        const int32_t block = ts_test_block(w.scene, 0.4, 0.3, 0.2);
        ts_test_body3(w.scene, block, 0, 0, 0.1);
        ts_test_compile(&w);
        ts_test_become_smooth(&w, block, blob);
        ts_test_begin(&w, 1);
        ts_measures m = measures_of(&w);
        double before = energy_of(&m), swing = 0;
        for (int n = 0; n < 120; n++) {
            run_for(&w, 0.025);
            m = measures_of(&w);
            const double now = energy_of(&m);
            assert_true(now <= before + (by == SOFT ? 2e-3 : 1e-5));
            before = now;
            if (n >= 110)
                swing = fmax(swing, m.kinetic + m.rotational);
        }
        assert_true(swing < 1e-3); /* it fell with 0.5 J */
        ts_test_close(&w);
    }
    ts_sdf_body_free(blob);
}

/* ---- Sliding and rolling ---- */

/* On a slope of θ a box slides with g (sin θ − μ cos θ), and holds where μ > tan θ. */
static void boxes_slide_as_coulomb_says(void **state)
{
    (void)state;
    ts_sdf_body *body = ts_test_superquadric(half, 0.1, 0.1, 3);
    const double slope = 0.3, mu[] = {0.15, 0.6}, zero[3] = {0, 0, 0}, normal[3] = {sin(slope), 0, cos(slope)};
    for (int k = 0; k < 2 * LAWS; k++) {
        ts_test_world w = {0};
        ts_test_space(&w, -G);
        resolve_by(w.scene, (law)(k / 2), 0, mu[k % 2]);
        ts_test_plane3(w.scene, NULL, zero, normal);
        const int32_t block = ts_test_block(w.scene, 0.4, 0.3, 0.2);
        ts_test_tilted3(w.scene, block, (double[3]){0.1 * normal[0], 0, 0.1 * normal[2]}, slope);
        ts_test_compile(&w);
        ts_test_become_smooth(&w, block, body);
        ts_test_begin(&w, 1);
        run_for(&w, 0.25);
        const ts_body3 a = *body_of(&w, 0);
        run_for(&w, 0.5);
        const ts_body3 b = *body_of(&w, 0);
        const double along =
            (b.velocity[0] - a.velocity[0]) * cos(slope) - (b.velocity[2] - a.velocity[2]) * sin(slope);
        NEAR(along / 0.5, fmax(G * (sin(slope) - mu[k % 2] * cos(slope)), 0), 0.02 * G * sin(slope));
        ts_test_close(&w);
    }
    ts_sdf_body_free(body);
}

/* A ball of a few dozen vertices rolls down a slope as a round one: (5/7) g sin θ, without a bump; and one of hundreds, with
 * a restitution, without a hop. */
static void balls_roll(void **state)
{
    (void)state;
    ts_sdf_body *body[2] = {ts_test_superquadric((ts_vec3){0.1, 0.1, 0.1}, 1, 1, 3),
                            ts_test_superquadric((ts_vec3){0.1, 0.1, 0.1}, 1, 1, 8)};
    for (int k = 0; k < 2 * LAWS; k++) {
        const law by = (law)(k / 2);
        const double slope = k % 2 ? 0.35 : 0.2, zero[3] = {0, 0, 0}, normal[3] = {sin(slope), 0, cos(slope)};
        ts_test_world w = {0};
        ts_test_space(&w, -G);
        resolve_by(w.scene, by, k % 2 ? 0.5 : 0, k % 2 ? 0.5 : 0.8);
        ts_test_plane3(w.scene, NULL, zero, normal);
        const int32_t block = ts_test_block(w.scene, 0.1, 0.1, 0.1);
        ts_test_body3(w.scene, block, 0.1 * normal[0], 0, 0.1 * normal[2]);
        ts_test_compile(&w);
        ts_test_become_smooth(&w, block, body[k % 2]);
        ts_test_begin(&w, 1);
        const ts_inertia *inertia = &w.model->inertia[0];
        const double moment = 1 / inertia->inv_moment.x, mass = w.model->mass[0];
        run_for(&w, 0.2);
        double least = HUGE_VAL, most = -HUGE_VAL;
        ts_body3 a = *body_of(&w, 0);
        for (int n = 0; n < 20; n++) { /* in all, some two thirds of a turn */
            run_for(&w, 0.05);
            const ts_body3 b = *body_of(&w, 0);
            const double along =
                (b.velocity[0] - a.velocity[0]) * cos(slope) - (b.velocity[2] - a.velocity[2]) * sin(slope);
            const double up = (b.velocity[0] * sin(slope) + b.velocity[2] * cos(slope));
            NEAR(up, 0, 0.01);
            least = fmin(least, along / 0.05);
            most = fmax(most, along / 0.05);
            a = b;
        }
        const double exact = G * sin(slope) / (1 + moment / (mass * 0.01));
        NEAR(least, exact, 0.03 * exact);
        NEAR(most, exact, 0.03 * exact);
        ts_test_close(&w);
    }
    for (int i = 0; i < 2; i++)
        ts_sdf_body_free(body[i]);
}

/* What is lost of an ellipsoid's energy while it rocks on a plane for three seconds, over what moves at first. */
static double rocking_loses(const ts_sdf_body *body, double time_step)
{
    const double spin = 3;
    ts_test_world w = {0};
    ts_test_space(&w, -G);
    ts_test_impact3(w.scene, "gr", 0, 1, time_step);
    ts_test_floor(w.scene);
    const int32_t block = ts_test_block(w.scene, 0.24, 0.2, 0.2);
    ts_test_body3_moving(w.scene, block, (double[3]){0, 0, 0.1}, (double[3]){spin * 0.1, 0, 0},
                         (double[3]){0, spin, 0});
    ts_test_compile(&w);
    ts_test_become_smooth(&w, block, body);
    const ts_vec3 momentum = ts_inertia_momentum(&w.model->inertia[0], ts_quat_identity(), (ts_vec3){0, spin, 0});
    w.model->body3[0].angular_momentum[1] = momentum.y;
    ts_test_begin(&w, 1);
    ts_measures m = measures_of(&w);
    const double first = energy_of(&m), moving = m.kinetic + m.rotational;
    run_for(&w, 3);
    m = measures_of(&w);
    const double lost = (first - energy_of(&m)) / moving;
    ts_test_close(&w);
    return lost;
}

/* Nothing hinders an ellipsoid that rolls to and fro on a plane: what it loses is little, and less with a shorter step.
 * Bumps of a mesh would take far more, and the same at any step. */
static void ellipsoids_roll(void **state)
{
    (void)state;
    ts_sdf_body *body = ts_test_superquadric((ts_vec3){0.12, 0.1, 0.1}, 1, 1, 4);
    const double coarse = rocking_loses(body, 1.0 / 400), fine = rocking_loses(body, 1.0 / 1600);
    assert_true(coarse > 0 && coarse < 0.02);
    assert_true(fabs(fine) < 0.01 && fine < coarse);
    ts_sdf_body_free(body);
}

/* ---- Impacts ---- */

/* Two blobs that meet askew without friction keep momentum, angular momentum and, elastic, their energy. */
static void impacts_keep_what_they_must(void **state)
{
    (void)state;
    ts_sdf_body *blob = ts_test_blob(0.3);
    for (int elastic = 0; elastic < 2; elastic++) {
        ts_test_world w = {0};
        ts_test_space(&w, 0);
        ts_test_impact3(w.scene, "gr", elastic, 0, 1.0 / 1000);
        ts_test_uncorrected3(w.scene);
        const int32_t block = ts_test_block(w.scene, 0.3, 0.3, 0.3);
        ts_test_body3_moving(w.scene, block, (double[3]){-0.4, 0, 0}, (double[3]){1, 0, 0}, (double[3]){0, 0, 0});
        ts_test_body3_moving(w.scene, block, (double[3]){0.4, 0.06, 0.03}, (double[3]){-1, 0, 0}, (double[3]){0, 0, 0});
        ts_test_compile(&w);
        ts_test_become_smooth(&w, block, blob);
        ts_test_begin(&w, 1);
        const ts_test_sums before = ts_test_sum3(&w);
        ts_test_step(&w, 700);
        const ts_test_sums after = ts_test_sum3(&w);
        for (int d = 0; d < 3; d++) {
            NEAR(after.momentum[d], before.momentum[d], 1e-9 * before.size);
            NEAR(after.angular[d], before.angular[d], 1e-9 * before.size);
        }
        if (elastic)
            NEAR(after.energy, before.energy, 1e-6 * before.energy);
        else
            assert_true(after.energy < 0.99 * before.energy);
        assert_true(fabs(body_of(&w, 0)->velocity[0] - 1) > 0.1); /* they met */
        ts_test_close(&w);
    }
    ts_sdf_body_free(blob);
}

/* A ball that falls bounces with its restitution. */
static void balls_bounce(void **state)
{
    (void)state;
    ts_sdf_body *body = ts_test_superquadric((ts_vec3){0.1, 0.1, 0.1}, 1, 1, 3);
    for (int by = 0; by < LAWS; by++) {
        ts_test_world w = {0};
        ts_test_space(&w, 0);
        resolve_by(w.scene, (law)by, 0.5, 0);
        ts_test_floor(w.scene);
        const int32_t block = ts_test_block(w.scene, 0.2, 0.2, 0.2);
        ts_test_body3_moving(w.scene, block, (double[3]){0, 0, 0.12}, (double[3]){0, 0, -1}, (double[3]){0, 0, 0});
        ts_test_compile(&w);
        ts_test_become_smooth(&w, block, body);
        ts_test_begin(&w, 1);
        run_for(&w, 0.1);
        NEAR(body_of(&w, 0)->velocity[2], 0.5, 0.02);
        ts_test_close(&w);
    }
    ts_sdf_body_free(body);
}

/* Two balls that meet head-on have nothing for friction to hold on to: they part at e times their speed, and do not turn.
 * Each is turned as it happens to be, so that their meshes are no mirror images. */
static void balls_meet_head_on(void **state)
{
    (void)state;
    ts_sdf_body *body = ts_test_superquadric((ts_vec3){0.1, 0.1, 0.1}, 1, 1, 4);
    for (int k = 0; k < 12; k++) {
        const double e = k % 2 ? 1 : 0.5, turn = 0.37 * (k / 4);
        const law by = k / 2 % 2 ? SOFT : IMPACT;
        ts_test_world w = {0};
        ts_test_space(&w, 0);
        resolve_by(w.scene, by, e, 0.5);
        const int32_t block = ts_test_block(w.scene, 0.2, 0.2, 0.2);
        ts_test_body3_moving(w.scene, block, (double[3]){-0.15, 0.1 * sin(turn), 0}, (double[3]){1, 0, 0},
                             (double[3]){0, 0, 0});
        ts_test_body3_moving(w.scene, block, (double[3]){0.15, 0.1 * sin(turn), 0}, (double[3]){-1, 0, 0},
                             (double[3]){0, 0, 0});
        ts_test_compile(&w);
        ts_test_become_smooth(&w, block, body);
        const ts_quat q = ts_quat_exp((ts_vec3){turn, 2 * turn, -turn});
        memcpy(w.model->body3[1].attitude, (double[4]){q.w, q.x, q.y, q.z}, 4 * sizeof(double));
        ts_test_begin(&w, 1);
        run_for(&w, 0.15);
        const double *a = body_of(&w, 0)->velocity, *b = body_of(&w, 1)->velocity;
        NEAR(a[0], -e, 1e-3);
        NEAR(a[0] + b[0], 0, 1e-9);
        for (int d = 1; d < 3; d++) {
            NEAR(a[d], 0, 1e-3);
            NEAR(a[d] + b[d], 0, 1e-9);
        }
        NEAR(motion_of(&w, 0), e, 1e-3);
        ts_test_close(&w);
    }
    ts_sdf_body_free(body);
}

/* ---- Stiffness ---- */

/* What a pair pushes with, of a box that is pressed by this much into a plane, under penalty, over the law's stiffness. */
static double pushes_with(const ts_sdf_body *body, double z, double turn)
{
    ts_test_world w = {0};
    ts_test_space(&w, 0);
    const double stiffness = 1e6, deep = 1e-4;
    ts_test_penalty3(w.scene, stiffness, 1, 0, 1e-6);
    ts_test_floor(w.scene);
    const int32_t block = ts_test_block(w.scene, 0.05, 0.05, 0.05);
    ts_test_tilted3(w.scene, block, (double[3]){0, 0, z - deep}, turn);
    ts_test_compile(&w);
    ts_test_become_smooth(&w, block, body);
    ts_test_begin(&w, 1);
    const ts_contact *contact;
    size_t count;
    double force = 0;
    OK(ts_find_contacts(w.model, w.state, w.work, &contact, &count, ERROR));
    for (size_t i = 0; i < count; i++)
        force += contact[i].force[2];
    const double stiff = w.model->law[0].kn;
    ts_test_close(&w);
    return force / (stiff * deep);
}

/* A box on its face and a ball push about as hard whether their meshes are coarse or fine; a ball as hard as a sphere. */
static void stiffness_is_no_matter_of_the_mesh(void **state)
{
    (void)state;
    double box[3], ball[3];
    const int cells[] = {3, 5, 9};
    for (int k = 0; k < 3; k++) {
        ts_sdf_body *flat = ts_test_superquadric(half, 0.1, 0.1, cells[k]),
                    *round = ts_test_superquadric((ts_vec3){0.1, 0.1, 0.1}, 1, 1, cells[k]);
        box[k] = pushes_with(flat, 0.1, 0);
        ball[k] = pushes_with(round, 0.1, 0.3);
        ts_sdf_body_free(flat);
        ts_sdf_body_free(round);
    }
    for (int k = 0; k < 3; k++) {
        NEAR(ball[k], 1, 0.05);
        NEAR(box[k], box[2], 0.12 * box[2]);
        assert_true(box[k] > 0.99 && box[k] < 1.7); /* a box of planes with four corners: 2^½ = 1.41 */
    }
}

/* A weight of 1 is a hard row to the bit, and less of it less, down to none. */
static void weights_are_compliances(void **state)
{
    (void)state;
    assert_true(ts_weight_compliance(1) == 0 && ts_weight_share(1) == 1);
    double before = 1;
    for (double w = 1; w > 1e-4; w *= 0.7) {
        NEAR(ts_weight_share(w), w, 1e-15);
        assert_true(ts_weight_share(w) <= before);
        before = ts_weight_share(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_compliances),
        cmocka_unit_test(stiffness_is_no_matter_of_the_mesh),
        cmocka_unit_test(balls_bounce),
        cmocka_unit_test(balls_meet_head_on),
        cmocka_unit_test(impacts_keep_what_they_must),
        cmocka_unit_test(boxes_slide_as_coulomb_says),
        cmocka_unit_test(balls_roll),
        cmocka_unit_test(ellipsoids_roll),
        cmocka_unit_test(many_places_side_by_side),
        cmocka_unit_test(things_come_to_rest),
        cmocka_unit_test(a_blob_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
