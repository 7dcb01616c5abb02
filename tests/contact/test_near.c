/* SPDX-License-Identifier: MIT */
/* The broad phase in space finds exactly the pairs that looking at all pairs finds, in order, on any number of threads.
 * */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

#include "base/random.h"
#include "contact/near.h"

#define CROWD_MAX 1500

/* ---- Crowds ---- */

typedef struct crowd {
    size_t count;
    ts_box3 box[CROWD_MAX];
    uint8_t passive[CROWD_MAX];
    int32_t group[CROWD_MAX];
} crowd;

static crowd it; /* too large for a stack */

static void add_box(ts_vec3 low, ts_vec3 size)
{
    assert_true(it.count < CROWD_MAX);
    it.box[it.count++] = (ts_box3){low, {low.x + size.x, low.y + size.y, low.z + size.z}};
}

static ts_vec3 random_vec(ts_random *r, double low, double high)
{
    double x = ts_random_next_range(r, low, high), y = ts_random_next_range(r, low, high);
    return (ts_vec3){x, y, ts_random_next_range(r, low, high)};
}

/* Boxes about a place, with sides between `small` and `large`, evenly by order of magnitude. */
static void add_random(uint64_t seed, size_t count, ts_vec3 middle, double spread, double small, double large)
{
    ts_random r = ts_random_make(seed, 0);
    for (size_t i = 0; i < count; i++) {
        ts_vec3 low = random_vec(&r, -spread, spread);
        double scale = small * pow(large / small, ts_random_next_uniform(&r));
        ts_vec3 size = random_vec(&r, 0.5 * scale, scale);
        add_box((ts_vec3){middle.x + low.x, middle.y + low.y, middle.z + low.z}, size);
    }
}

static void mark_random(uint64_t seed)
{
    for (size_t i = 0; i < it.count; i++) {
        it.passive[i] = ts_random_uniform(seed, 1, i) < 0.3;
        it.group[i] = (int32_t)ts_random_below(seed, 2, i, 8) - 4; /* half of them in none */
    }
}

/* ---- The reference ---- */

static bool share_a_point(const ts_box3 *p, const ts_box3 *q)
{
    return fmax(p->low.x, q->low.x) <= fmin(p->high.x, q->high.x) &&
           fmax(p->low.y, q->low.y) <= fmin(p->high.y, q->high.y) &&
           fmax(p->low.z, q->low.z) <= fmin(p->high.z, q->high.z);
}

/* All pairs, which come in order; returns how many. */
static size_t check_answer(const ts_near *near, bool marked)
{
    size_t k = 0;
    for (size_t i = 0; i < it.count; i++)
        for (size_t j = i + 1; j < it.count; j++) {
            if (!share_a_point(&it.box[i], &it.box[j]))
                continue;
            if (marked && ((it.passive[i] && it.passive[j]) || (it.group[i] >= 0 && it.group[i] == it.group[j])))
                continue;
            if (k >= near->pair_count || near->pair[k].a != (int32_t)i || near->pair[k].b != (int32_t)j)
                fail_msg("pair %zu should be (%zu, %zu), but is (%d, %d) of %zu", k, i, j,
                         k < near->pair_count ? near->pair[k].a : -1, k < near->pair_count ? near->pair[k].b : -1,
                         near->pair_count);
            k++;
        }
    assert_int_equal(near->pair_count, k);
    return k;
}

static ts_near near; /* kept from test to test: what one left must not matter to the next */

/* Looks at the crowd on one, two and three threads, with marks and without; returns the pairs without. */
static size_t check_crowd(void)
{
    size_t count = 0;
    for (int threads = 1; threads <= 3; threads++) {
        ts_pool *pool;
        OK(ts_pool_create(threads, &pool, ERROR));
        ts_near_query query = {.box = it.box, .count = it.count, .pool = pool};
        OK(ts_near_find(&near, &query, ERROR));
        count = check_answer(&near, false);
        query.passive = it.passive;
        query.group = it.group;
        OK(ts_near_find(&near, &query, ERROR));
        check_answer(&near, true);
        ts_pool_free(pool);
    }
    return count;
}

/* The same boxes in another order are the same pairs. */
static void turn_round(void)
{
    for (size_t i = 0; i < it.count / 2; i++) {
        ts_box3 box = it.box[i];
        it.box[i] = it.box[it.count - 1 - i];
        it.box[it.count - 1 - i] = box;
    }
}

static int begin_crowd(void **state)
{
    (void)state;
    memset(&it, 0, sizeof it);
    return 0;
}

/* ---- Tests ---- */

static void test_equal_sizes(void **state)
{
    (void)state;
    add_random(1, 1200, (ts_vec3){0, 0, 0}, 3, 0.6, 0.6);
    mark_random(1);
    size_t count = check_crowd();
    assert_true(count > 500);
    turn_round();
    assert_int_equal(check_crowd(), count);
}

static void test_sizes_of_all_magnitudes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        it.count = 0;
        add_random(seed, 1000, (ts_vec3){1, -2, 0.5}, 1, 1e-3, 1);
        mark_random(seed);
        assert_true(check_crowd() > 500);
    }
    /* and far more than there are levels */
    it.count = 0;
    add_random(4, 600, (ts_vec3){0, 0, 0}, 1, 1e-200, 1);
    add_random(5, 100, (ts_vec3){0, 0, 0}, 1e-150, 1e-200, 1e-140);
    assert_true(check_crowd() > 100);
}

/* A few large ones among many small ones, and many large ones with a few small ones: either may look into the other. */
static void test_either_level_looks(void **state)
{
    (void)state;
    add_random(1, 1000, (ts_vec3){0, 0, 0}, 1, 0.08, 0.1);
    add_random(2, 4, (ts_vec3){-0.5, -0.5, -0.5}, 0.5, 1, 1.2);
    mark_random(1);
    assert_true(check_crowd() > 200);
    it.count = 0;
    add_random(1, 20, (ts_vec3){0, 0, 0}, 1, 1e-4, 1e-3);
    add_random(2, 500, (ts_vec3){0, 0, 0}, 0.7, 0.1, 0.2);
    assert_true(check_crowd() > 200);
}

/* Cubes of a lattice touch in faces, edges and corners: (3n-2)³ ordered contacts, each cube with itself among them. */
static void test_touching_boxes_count(void **state)
{
    (void)state;
    const size_t n = 9;
    const double origin[] = {0, -4.5, 1048576};
    for (size_t o = 0; o < 3; o++) {
        it.count = 0;
        for (size_t i = 0; i < n * n * n; i++)
            add_box((ts_vec3){origin[o] + (double)(i % n), origin[o] + (double)(i / n % n),
                              (double)(i / n / n)}, // NOLINT(bugprone-integer-division): a place in the lattice
                    (ts_vec3){1, 1, 1});
        mark_random(o);
        size_t ordered = (3 * n - 2) * (3 * n - 2) * (3 * n - 2);
        assert_int_equal(check_crowd(), (ordered - n * n * n) / 2);
        turn_round();
        assert_int_equal(check_crowd(), (ordered - n * n * n) / 2);
    }
    /* one step of the last digit apart they do not */
    it.count = 0;
    add_box((ts_vec3){0, 0, 0}, (ts_vec3){1, 1, 1});
    add_box((ts_vec3){nextafter(1, 2), 0, 0}, (ts_vec3){1, 1, 1});
    assert_int_equal(check_crowd(), 0);
}

/* Tight clusters far apart: cells cannot be an array. */
static void test_clusters_far_apart(void **state)
{
    (void)state;
    ts_random r = ts_random_make(7, 7);
    for (uint64_t c = 0; c < 20; c++)
        add_random(c, 50, random_vec(&r, -1e6, 1e6), 1, 0.3, 0.9);
    mark_random(2);
    assert_true(check_crowd() > 500);
    /* with one box that spans many, another that is everywhere, and a runaway */
    add_box((ts_vec3){-1e6, -1e6, -1e6}, (ts_vec3){1e6, 2e6, 2e6});
    add_box((ts_vec3){-1e7, -1e7, -1e7}, (ts_vec3){2e7, 2e7, 2e7});
    add_box((ts_vec3){-1e300, 1e300, 0}, (ts_vec3){1, 1, 1});
    assert_true(check_crowd() > 1500);
}

/* Chains far apart, each box of which overlaps the next two: longer than what a table of rows keeps together. */
static void test_chains_far_apart(void **state)
{
    (void)state;
    ts_random r = ts_random_make(3, 1);
    const int chains = 7, length = 200;
    for (int c = 0; c < chains; c++) {
        ts_vec3 at = random_vec(&r, -1e6, 1e6);
        for (int i = 0; i < length; i++)
            add_box((ts_vec3){at.x + 0.4 * i, at.y, at.z}, (ts_vec3){1, 1, 1});
    }
    mark_random(6);
    assert_int_equal(check_crowd(), chains * (2 * length - 3));
    turn_round();
    assert_int_equal(check_crowd(), chains * (2 * length - 3));
}

/* A box from -1e-16 to 1 is longer than 1, but 1 is what its length is rounded to. It touches one that begins at 1,
 * which stands before it along z and so has to look for it. */
static void test_rounded_lengths(void **state)
{
    (void)state;
    it.box[it.count++] = (ts_box3){{0, -1e-16, 0}, {1, 1, 1}};
    add_box((ts_vec3){0, 1, -1}, (ts_vec3){1, 1, 1});
    add_box((ts_vec3){0, -1, -1}, (ts_vec3){1, 1, 0.5});
    assert_int_equal(check_crowd(), 1);
}

/* A sparse lattice whose pitch is a multiple of everything. */
static void test_sparse_lattice(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; i++) {
        double x = i % 10, y = i / 10 % 10, z = i / 100; // NOLINT(bugprone-integer-division): a place in the lattice
        add_box((ts_vec3){64 * x, 1024 * y, 4096 * z}, (ts_vec3){1, 1, 1});
    }
    assert_int_equal(check_crowd(), 0);
    add_box((ts_vec3){0, 0, 0}, (ts_vec3){64 * 9, 1024, 0});
    assert_int_equal(check_crowd(), 20);
}

static void test_all_at_one_place(void **state)
{
    (void)state;
    for (int i = 0; i < 300; i++)
        add_box((ts_vec3){-3, 4, 5}, (ts_vec3){1, 2, 3});
    mark_random(3);
    assert_int_equal(check_crowd(), 300 * 299 / 2);
    /* points, many of them the same */
    it.count = 0;
    for (int i = 0; i < 600; i++)
        add_box((ts_vec3){i % 10, -(i % 7), i % 3}, (ts_vec3){0, 0, 0});
    assert_true(check_crowd() >= 300);
    it.count = 0;
    for (int i = 0; i < 100; i++)
        add_box((ts_vec3){0, -0.0, 0}, (ts_vec3){0, 0, 0});
    assert_int_equal(check_crowd(), 100 * 99 / 2);
}

static void test_infinite_boxes(void **state)
{
    (void)state;
    const double inf = (double)INFINITY;
    add_random(1, 300, (ts_vec3){0, 0, 0}, 1, 0.1, 0.5);
    it.box[it.count++] = (ts_box3){{-inf, -inf, -inf}, {inf, inf, -0.5}}; /* a floor */
    it.box[it.count++] = (ts_box3){{-inf, -inf, -inf}, {inf, inf, inf}};  /* everything */
    add_random(2, 300, (ts_vec3){0.2, 0, 0}, 1, 0.1, 0.5);
    it.box[it.count++] = (ts_box3){{0.1, 0.1, -inf}, {0.2, 0.2, inf}}; /* a post */
    it.box[it.count++] = (ts_box3){{-DBL_MAX, 0, 0}, {DBL_MAX, 0, 0}}; /* finite, but its length is not */
    it.box[it.count++] = (ts_box3){{inf, 0, 0}, {inf, 0, 0}};          /* nowhere, yet with everything */
    mark_random(4);
    assert_true(check_crowd() > 600);
    /* alone among themselves */
    it.box[0] = it.box[300];
    it.box[1] = it.box[301];
    it.count = 2;
    assert_int_equal(check_crowd(), 1);
}

/* Where numbers are coarser than boxes, and where they are about to overflow or to vanish. */
static void test_huge_and_tiny_coordinates(void **state)
{
    (void)state;
    const double far[] = {1e9, -1e15, 4e15, 1e16, 1e300};
    for (size_t k = 0; k < sizeof far / sizeof *far; k++) {
        it.count = 0;
        add_random(k, 300, (ts_vec3){far[k], -far[k], 0.3 * far[k]}, 4, 0.5, 3);
        check_crowd();
    }
    it.count = 0;
    add_random(9, 300, (ts_vec3){0, 0, 0}, 1e308, 1e307, 5e307);
    assert_true(check_crowd() > 100);
    it.count = 0;
    add_random(9, 300, (ts_vec3){0, 0, 0}, 1e-310, 1e-311, 5e-311);
    assert_true(check_crowd() > 100);
}

/* Plates and rods: thin in one direction, long in another. */
static void test_flat_and_long_boxes(void **state)
{
    (void)state;
    ts_random r = ts_random_make(11, 0);
    for (int i = 0; i < 900; i++) {
        double side[3] = {0.02, 0.3, 1};
        int turn = i % 3;
        add_box(random_vec(&r, -2, 2), (ts_vec3){side[turn], side[(turn + 1) % 3], side[(turn + 2) % 3]});
    }
    mark_random(5);
    assert_true(check_crowd() > 100);
}

static void test_none_and_one(void **state)
{
    (void)state;
    assert_int_equal(check_crowd(), 0);
    add_box((ts_vec3){1, 2, 3}, (ts_vec3){1, 1, 1});
    assert_int_equal(check_crowd(), 0);
}

static void test_bad_boxes_are_refused(void **state)
{
    (void)state;
    const double nan_value = (double)NAN;
    add_random(1, 50, (ts_vec3){0, 0, 0}, 1, 0.5, 1);
    const ts_box3 good = it.box[17], bad[] = {
                                         {{nan_value, 0, 0}, {1, 1, 1}},
                                         {{0, 0, 0}, {1, nan_value, 1}},
                                         {{nan_value, nan_value, nan_value}, {nan_value, nan_value, nan_value}},
                                         {{0, 0, 2}, {1, 1, 1}},
                                     };
    ts_near_query query = {.box = it.box, .count = it.count};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        it.box[17] = bad[k];
        assert_int_equal(ts_near_find(&near, &query, ERROR), TS_BAD_INPUT);
        assert_non_null(strstr(ts_test_error.message, "box 17"));
        assert_int_equal(near.pair_count, 0);
    }
    it.box[17] = good;
    check_crowd();
    query.count = SIZE_MAX;
    assert_int_equal(ts_near_find(&near, &query, ERROR), TS_UNSUPPORTED);
}

static int free_near(void **state)
{
    (void)state;
    ts_near_free(&near);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_equal_sizes, begin_crowd),
        cmocka_unit_test_setup(test_sizes_of_all_magnitudes, begin_crowd),
        cmocka_unit_test_setup(test_either_level_looks, begin_crowd),
        cmocka_unit_test_setup(test_touching_boxes_count, begin_crowd),
        cmocka_unit_test_setup(test_clusters_far_apart, begin_crowd),
        cmocka_unit_test_setup(test_chains_far_apart, begin_crowd),
        cmocka_unit_test_setup(test_rounded_lengths, begin_crowd),
        cmocka_unit_test_setup(test_sparse_lattice, begin_crowd),
        cmocka_unit_test_setup(test_all_at_one_place, begin_crowd),
        cmocka_unit_test_setup(test_infinite_boxes, begin_crowd),
        cmocka_unit_test_setup(test_huge_and_tiny_coordinates, begin_crowd),
        cmocka_unit_test_setup(test_flat_and_long_boxes, begin_crowd),
        cmocka_unit_test_setup(test_none_and_one, begin_crowd),
        cmocka_unit_test_setup(test_bad_boxes_are_refused, begin_crowd),
    };
    return cmocka_run_group_tests(tests, NULL, free_near);
}
