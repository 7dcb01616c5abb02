/* SPDX-License-Identifier: MIT */
/* The statics of leaning blocks, found again by another way: is there any set of forces inside the friction cones that
 * balances the weight? And their motion: what gravity gives, the block has. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "study/validation.h"
#include "study/validation_statics.h"

/* ---- Feasibility: a combination of cone edges with no negative share ---- */

typedef struct wrench {
    double fx, fy, m; /* force, and moment about the origin */
} wrench;

static wrench force_at(double x, double y, double fx, double fy)
{
    return (wrench){fx, fy, x * fy - y * fx};
}

static double determinant(wrench a, wrench b, wrench c)
{
    return a.fx * (b.fy * c.m - b.m * c.fy) - a.fy * (b.fx * c.m - b.m * c.fx) + a.m * (b.fx * c.fy - b.fy * c.fx);
}

/* Whatever is in the cone of the edges is in that of three of them. */
static bool balances(const wrench *edge, int count, wrench load)
{
    wrench up = {-load.fx, -load.fy, -load.m};
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            for (int k = j + 1; k < count; k++) {
                double all = determinant(edge[i], edge[j], edge[k]);
                double a = determinant(up, edge[j], edge[k]) / all, b = determinant(edge[i], up, edge[k]) / all;
                double c = determinant(edge[i], edge[j], up) / all;
                if (a >= -1e-12 && b >= -1e-12 && c >= -1e-12)
                    return true;
            }
    return false;
}

/* Corner i of a box that stands with its lowest point at y = 0 and its leftmost at x = 0; its centre. */
typedef struct box {
    double corner[4][2], centre[2];
} box;

static box box_in_corner(const ts_leaning *block)
{
    box b = {0};
    double s = sin(block->angle), c = cos(block->angle), left = HUGE_VAL, low = HUGE_VAL;
    for (int i = 0; i < 4; i++) {
        double x = (i % 2 ? 0.5 : -0.5) * block->thickness, y = (i / 2 ? 0.5 : -0.5) * block->length;
        b.corner[i][0] = c * x - s * y;
        b.corner[i][1] = s * x + c * y;
        left = fmin(left, b.corner[i][0]);
        low = fmin(low, b.corner[i][1]);
    }
    for (int i = 0; i < 4; i++) {
        b.corner[i][0] -= left;
        b.corner[i][1] -= low;
    }
    b.centre[0] = -left;
    b.centre[1] = -low;
    return b;
}

static bool leaning_can_hold(const ts_leaning *block, double mu)
{
    box b = box_in_corner(block);
    wrench edge[16];
    int count = 0;
    for (int i = 0; i < 4; i++) {
        const double *p = b.corner[i];
        for (int side = -1; side <= 1; side += 2) {
            if (p[1] < 1e-12)
                edge[count++] = force_at(p[0], p[1], side * mu, 1);
            if (p[0] < 1e-12)
                edge[count++] = force_at(p[0], p[1], 1, side * mu);
        }
    }
    return balances(edge, count, force_at(b.centre[0], b.centre[1], 0, -1));
}

/* The right one of two that lean against each other at x = 0: there the other pushes, along x by symmetry. */
static bool tent_can_hold(const ts_leaning *block, double mu)
{
    box b = box_in_corner(block);
    wrench edge[16];
    int count = 0;
    for (int i = 0; i < 4; i++) {
        const double *p = b.corner[i];
        for (int side = -1; side <= 1; side += 2)
            if (p[1] < 1e-12)
                edge[count++] = force_at(p[0], p[1], side * mu, 1);
        if (p[0] < 1e-12)
            edge[count++] = force_at(p[0], p[1], 1, 0);
    }
    return balances(edge, count, force_at(b.centre[0], b.centre[1], 0, -1));
}

static double least_friction(bool (*holds)(const ts_leaning *block, double mu), const ts_leaning *block)
{
    double low = 0, high = 4;
    for (int i = 0; i < 50; i++) {
        double middle = 0.5 * (low + high);
        *(holds(block, middle) ? &high : &low) = middle;
    }
    return high;
}

static const double angles[] = {0.2, 0.26179938779914946, 0.6, 0.97079632679489656, 1.3};
static const double thicknesses[] = {0, 0.025, 0.05, 0.2, 0.4, 0.6};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void critical_friction_is_where_forces_exist(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(angles); i++)
        for (size_t j = 0; j < COUNT(thicknesses); j++) {
            ts_leaning block = {1.7, 1.7 * thicknesses[j], angles[i]};
            if (tan(angles[i]) <= thicknesses[j]) {
                /* its weight turns it to the wall: it is not leaning at all */
                assert_true(ts_leaning_critical(&block) == 0);
                continue;
            }
            assert_true(fabs(ts_leaning_critical(&block) - least_friction(leaning_can_hold, &block)) < 1e-9);
            assert_true(fabs(ts_tent_critical(&block) - least_friction(tent_can_hold, &block)) < 1e-9);
        }
}

static void thin_ladders_slip_at_twice_the_angle_of_friction(void **state)
{
    (void)state;
    ts_leaning ladder = {1, 0, 0};
    assert_true(fabs(ts_leaning_limit(&ladder, 0.3) * 180 / VALIDATION_PI - 33.398) < 1e-3);
    assert_true(fabs(ts_leaning_limit(&ladder, 0.5) * 180 / VALIDATION_PI - 53.130) < 1e-3);
    /* limit and critical friction are each other's inverse */
    for (size_t j = 0; j < COUNT(thicknesses); j++) {
        ts_leaning block = {2, 2 * thicknesses[j], 0};
        block.angle = ts_leaning_limit(&block, 0.23);
        assert_true(fabs(ts_leaning_critical(&block) - 0.23) < 1e-12);
    }
}

static void at_the_limit_nothing_moves(void **state)
{
    (void)state;
    ts_leaning block = {2, 0.4, 0.6};
    double critical = ts_leaning_critical(&block);
    assert_true(fabs(ts_leaning_acceleration(&block, critical, 9.81, 0)) < 1e-12);
    assert_true(ts_leaning_acceleration(&block, 0.99 * critical, 9.81, 0) > 0);
    assert_true(ts_leaning_acceleration(&block, 1.01 * critical, 9.81, 0) < 0);
    assert_true(ts_leaning_spin(&block, 1.01 * critical, 9.81, 0.1) == 0);
}

/* Without friction the corner does no work: ½ m v² + ½ I ω² = m g × what the centre has sunk. */
static void without_friction_energy_is_kept(void **state)
{
    (void)state;
    for (size_t j = 0; j < COUNT(thicknesses); j++) {
        ts_leaning block = {2, 2 * thicknesses[j], 0.7};
        double l = block.length, w = block.thickness, turn = 0.15, end = block.angle + turn;
        double high = 0.5 * (l * cos(block.angle) + w * sin(block.angle));
        double low = 0.5 * (l * cos(end) + w * sin(end)), spin = ts_leaning_spin(&block, 0, 9.81, turn);
        if (tan(block.angle) <= thicknesses[j])
            continue;
        double vx = 0.5 * (l * cos(end) - w * sin(end)) * spin, vy = 0.5 * (w * cos(end) - l * sin(end)) * spin;
        double energy = 0.5 * (vx * vx + vy * vy + (l * l + w * w) / 12 * spin * spin);
        assert_true(fabs(energy / (9.81 * (high - low)) - 1) < 1e-6);
    }
}

/* Free fall is all of it; a block that slips and stops holds, unless it went far. */
static void drift_is_a_share_of_free_fall(void **state)
{
    (void)state;
    enum { records = 801 };
    ts_body body[records] = {0};
    ts_trial trial = {
        .block = {{1, 2, 0, 0, 0}}, .block_count = 1, .duration = 2, .step = 0.0025, .count = records, .body = body};
    for (int k = 0; k < records; k++)
        body[k].y = -0.5 * VALIDATION_GRAVITY * (0.0025 * k) * (0.0025 * k);
    assert_true(fabs(ts_trial_drift(&trial) - 1) < 1e-12);
    for (int k = 0; k < records; k++)
        body[k].y = k < 100 ? -0.0019 * k : -0.19;
    assert_true(ts_trial_drift(&trial) == 0);
    for (int k = 0; k < records; k++)
        body[k].y *= 1.1;
    assert_true(fabs(ts_trial_drift(&trial) - 0.209 / (2 * VALIDATION_GRAVITY)) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(critical_friction_is_where_forces_exist),
        cmocka_unit_test(thin_ladders_slip_at_twice_the_angle_of_friction),
        cmocka_unit_test(at_the_limit_nothing_moves),
        cmocka_unit_test(without_friction_energy_is_kept),
        cmocka_unit_test(drift_is_a_share_of_free_fall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
