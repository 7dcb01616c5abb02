/* SPDX-License-Identifier: MIT */
/* Smoothing: linear fields stay as they are, gradients are those of the values and do not jump, and a block on a floor
 * gets a torque that grows with its tilt. */
#include "cspace/smooth.h"

#include <math.h>

#include "base/random.h"
#include "base/threads.h"
#include "support/check.h"
#include "touchstone/map.h"

static void linear_field(const void *field, size_t count, ts_fields *f)
{
    (void)field;
    for (size_t i = 0; i < count; i++) {
        f->gap[i] = 0.3 + 0.6 * f->x[i] - 0.8 * f->y[i] + 0.4 * f->angle[i];
        f->gx[i] = 0.6;
        f->gy[i] = -0.8;
        f->gangle[i] = 0.4;
        f->arm[i] = 0.25;
    }
}

static void linear_is_kept(void **state)
{
    (void)state;
    ts_pair pair = {.radius_a = 1, .radius_b = 0.7};
    ts_smoothed smooth;
    OK(ts_smoothed_create(&pair, NULL, linear_field, 0.05, &smooth, ERROR));
    ts_fields f;
    const size_t count = 100;
    for (size_t i = 0; i < count; i++) {
        f.x[i] = ts_random_range(1, 0, i, -2, 2);
        f.y[i] = ts_random_range(1, 1, i, -2, 2);
        f.angle[i] = ts_random_range(1, 2, i, -4, 4);
    }
    ts_smoothed_query(&smooth, count, &f);
    for (size_t i = 0; i < count; i++) {
        NEAR(f.gap[i], 0.3 + 0.6 * f.x[i] - 0.8 * f.y[i] + 0.4 * f.angle[i], 1e-13);
        NEAR(f.gx[i], 0.6, 1e-11);
        NEAR(f.gy[i], -0.8, 1e-11);
        NEAR(f.gangle[i], 0.4, 1e-11);
        NEAR(f.arm[i], 0.25, 1e-13);
    }
    ts_smoothed_free(&smooth);
}

/* Counts what it is asked; its answers tell poses apart. */
static void counted_field(const void *field, size_t count, ts_fields *f)
{
    *(size_t *)(uintptr_t)field += count;
    for (size_t i = 0; i < count; i++) {
        f->gap[i] = f->x[i] + 10 * f->y[i] + 100 * f->angle[i];
        f->gx[i] = f->x[i];
        f->gy[i] = f->y[i];
        f->gangle[i] = f->angle[i];
        f->arm[i] = -f->gap[i];
    }
}

/* Whatever came between, a pose is answered as before; and one that was asked a moment ago is not worked out again. */
static void answers_are_remembered(void **state)
{
    (void)state;
    size_t asked = 0;
    ts_recall *recall;
    OK(ts_recall_create(&asked, counted_field, &recall, ERROR));
    for (size_t round = 0; round < 2000; round++) {
        ts_fields f, truth;
        size_t poses = round % 3 == 0 ? 27 : 200, unused = 0;
        for (size_t i = 0; i < poses; i++) { /* every third round the same ones, else others */
            uint64_t which = round % 3 == 0 ? i : 1000 * round + i;
            f.x[i] = truth.x[i] = ts_random_range(1, 0, which, -2, 2);
            f.y[i] = truth.y[i] = ts_random_range(1, 1, which, -2, 2);
            f.angle[i] = truth.angle[i] = ts_random_range(1, 2, which, -4, 4);
        }
        ts_recall_query(recall, poses, &f);
        counted_field(&unused, poses, &truth);
        for (size_t i = 0; i < poses; i++) {
            assert_true(f.gap[i] == truth.gap[i] && f.gx[i] == truth.gx[i] && f.gy[i] == truth.gy[i]);
            assert_true(f.gangle[i] == truth.gangle[i] && f.arm[i] == truth.arm[i]);
        }
        size_t before = asked;
        ts_recall_query(recall, poses, &f);
        assert_true(asked - before <= poses / 50);
    }
    ts_recall_free(recall);
}

typedef struct askers {
    ts_recall *recall;
    double worst[64];
} askers;

/* Many poses, of which other tasks ask the same. */
static void ask_some(void *context, int task, int thread)
{
    (void)thread;
    askers *a = context;
    for (uint64_t round = 0; round < 50; round++) {
        ts_fields f;
        const size_t poses = 100;
        for (size_t i = 0; i < poses; i++) {
            uint64_t which = (round + (uint64_t)task) % 7 * 100 + i;
            f.x[i] = ts_random_range(2, 0, which, -2, 2);
            f.y[i] = ts_random_range(2, 1, which, -2, 2);
            f.angle[i] = ts_random_range(2, 2, which, -4, 4);
        }
        ts_recall_query(a->recall, poses, &f);
        for (size_t i = 0; i < poses; i++)
            a->worst[task] =
                fmax(a->worst[task], fabs(f.gap[i] - (0.3 + 0.6 * f.x[i] - 0.8 * f.y[i] + 0.4 * f.angle[i])));
    }
}

static void many_may_ask(void **state)
{
    (void)state;
    ts_pool *pool;
    askers a = {0};
    OK(ts_pool_create(4, &pool, ERROR));
    OK(ts_recall_create(NULL, linear_field, &a.recall, ERROR));
    ts_pool_run(pool, 64, ask_some, &a);
    for (int i = 0; i < 64; i++)
        assert_true(a.worst[i] == 0);
    ts_recall_free(a.recall);
    ts_pool_free(pool);
}

static ts_map *block_on_floor(double smoothing)
{
    ts_outline *block, *floor;
    OK(ts_outline_box(1, 0.5, 0, &block, ERROR));
    OK(ts_outline_box(20, 2, 0, &floor, ERROR));
    ts_map *map;
    OK(ts_map_create(floor, block, &(ts_map_options){.kind = TS_MAP_EXACT, .smoothing = smoothing},
                     &(ts_map_making){.cache = "", .threads = 1}, &map, ERROR));
    ts_outline_free(block);
    ts_outline_free(floor);
    return map;
}

static ts_map_contact tilted(const ts_map *map, double height, double tilt)
{
    ts_map_contact c;
    ts_map_query(map, 1, &(ts_map_pose){{0, -1, 0}, {0.03, 0.25 + height, tilt}, 1}, &c);
    return c;
}

/* Exactly, the lever of the block jumps from corner to corner as it tilts; smoothed, it passes through all values
 * between. */
static void faces_come_to_rest(void **state)
{
    (void)state;
    ts_map *sharp = block_on_floor(0), *smooth = block_on_floor(0.005); /* of 10.05 m, the floor's radius: 5 cm */
    for (int side = -1; side <= 1; side += 2) {
        NEAR(tilted(sharp, 0.01, side * 1e-9).turn_b, -0.5 * side, 1e-6);
        NEAR(tilted(smooth, 0.01, side * 1e-6).turn_b, 0, 1e-3);
        NEAR(tilted(smooth, 0.2, side * 0.3).turn_b, tilted(sharp, 0.2, side * 0.3).turn_b, 0.02);
    }
    /* continuous: small steps of the tilt change the lever a little; sharp, one of them changes it by the block's width
     * */
    double largest = 0;
    for (int i = -400; i < 400; i++)
        largest =
            fmax(largest, fabs(tilted(smooth, 0.02, (i + 1) * 5e-4).turn_b - tilted(smooth, 0.02, i * 5e-4).turn_b));
    assert_true(largest < 0.02);
    /* and it is the derivative of the gap */
    for (int i = -20; i < 20; i++) {
        double tilt = 0.011 * i + 0.0037, h = 1e-6;
        double slope = (tilted(smooth, 0.02, tilt + h).gap - tilted(smooth, 0.02, tilt - h).gap) / (2 * h);
        NEAR(tilted(smooth, 0.02, tilt).turn_b, slope, 1e-5);
    }
    ts_map_free(sharp);
    ts_map_free(smooth);
}

/* Squares and triangles face to face, at every angle at which they fit: by symmetry no torque, and none is felt. */
static void fitting_faces_feel_no_torque(void **state)
{
    (void)state;
    for (size_t sides = 3; sides <= 6; sides++) {
        ts_outline *o;
        OK(ts_outline_regular(sides, 1, &o, ERROR));
        ts_map *map;
        OK(ts_map_create(o, o, &(ts_map_options){.kind = TS_MAP_EXACT, .smoothing = 0.013},
                         &(ts_map_making){.cache = "", .threads = 1}, &map, ERROR));
        ts_outline_free(o);
        const double turn = 6.283185307179586 / (double)sides, apart = 2 * cos(0.5 * turn) - 0.01;
        /* faces look along turn / 2, and B turned by half a turn looks back */
        for (size_t k = 0; k < sides; k++) {
            double angle = (double)k * turn + (sides % 2 ? 3.141592653589793 : 0), to = 0.5 * turn;
            ts_map_contact c;
            ts_map_query(map, 1, &(ts_map_pose){{0, 0, 0}, {apart * cos(to), apart * sin(to), angle}, 1}, &c);
            /* along x and y nodes do not lie evenly about such a place; what that leaves is small beside a lever of 0.5
             * */
            NEAR(c.turn_b, 0, 0.02);
            NEAR(c.gap, -0.01, 0.005);
        }
        ts_map_free(map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_is_kept),
        cmocka_unit_test(answers_are_remembered),
        cmocka_unit_test(many_may_ask),
        cmocka_unit_test(faces_come_to_rest),
        cmocka_unit_test(fitting_faces_feel_no_torque),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
