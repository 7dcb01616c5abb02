/* SPDX-License-Identifier: MIT */
/* Making maps: what is refused, what a map says of itself, and the cache. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cspace/forms.h"
#include "cspace/map.h"
#include "cspace/sampled.h"

/* The status of options with one field wrong; the message must name it. */
static void refuse(ts_map_options options, ts_status status, const char *field)
{
    ts_map_options complete;
    assert_int_equal(ts_map_options_complete(&options, &complete, ERROR), status);
    assert_non_null(strstr(ts_test_error.message, field));
    ts_outline *o = form_make(DISC, 1);
    ts_map *map = NULL;
    assert_int_equal(ts_map_create(o, o, &options, NULL, &map, ERROR), status);
    assert_null(map);
    ts_outline_free(o);
}

static void wrong_options_are_refused(void **state)
{
    (void)state;
    refuse((ts_map_options){.kind = (ts_map_kind)5}, TS_BAD_INPUT, "\"kind\"");
    refuse((ts_map_options){.kind = (ts_map_kind)-1}, TS_BAD_INPUT, "\"kind\"");
    refuse((ts_map_options){.encoding = (ts_map_encoding)2}, TS_BAD_INPUT, "\"encoding\"");
    const double wrong[] = {-1e-9, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 3; i++) {
        refuse((ts_map_options){.error = wrong[i]}, TS_BAD_INPUT, "\"error\"");
        refuse((ts_map_options){.smoothing = wrong[i]}, TS_BAD_INPUT, "\"smoothing\"");
        refuse((ts_map_options){.seconds = wrong[i]}, TS_BAD_INPUT, "\"seconds\"");
    }
    refuse((ts_map_options){.smoothing = 0.6}, TS_BAD_INPUT, "\"smoothing\"");
    refuse((ts_map_options){.smoothing = 1e-310}, TS_BAD_INPUT, "\"smoothing\"");
    refuse((ts_map_options){.grid = -1}, TS_BAD_INPUT, "\"grid\"");
    refuse((ts_map_options){.grid = 2}, TS_BAD_INPUT, "\"grid\"");
    refuse((ts_map_options){.grid = 2002}, TS_BAD_INPUT, "\"grid\"");
    refuse((ts_map_options){.depth = -3}, TS_BAD_INPUT, "\"depth\"");
    refuse((ts_map_options){.depth = TS_NETWORK_DEPTH_MAX + 1}, TS_BAD_INPUT, "\"depth\"");
    refuse((ts_map_options){.width = -64}, TS_BAD_INPUT, "\"width\"");
    refuse((ts_map_options){.width = TS_NETWORK_WIDTH_MAX + 1}, TS_BAD_INPUT, "\"width\"");
}

static void defaults_are_those_of_the_header(void **state)
{
    (void)state;
    ts_map_options o;
    OK(ts_map_options_complete(NULL, &o, ERROR));
    assert_int_equal(o.kind, TS_MAP_AUTO);
    NEAR(o.error, 0.002, 0);
    assert_int_equal(o.bytes, 524288);
    assert_int_equal(o.grid, 201);
    assert_int_equal(o.depth, 5);
    assert_int_equal(o.width, 64);
    OK(ts_map_options_complete(&(ts_map_options){.kind = TS_MAP_NETWORK}, &o, ERROR));
    NEAR(o.error, 0, 0);
    OK(ts_map_options_complete(&(ts_map_options){.grid = 3, .depth = 1, .width = 1, .bytes = 7}, &o, ERROR));
    assert_true(o.grid == 3 && o.depth == 1 && o.width == 1 && o.bytes == 7);
    NEAR(o.error, 0, 0); /* bytes alone: the best within them */
    ts_map_options twice;
    OK(ts_map_options_complete(&o, &twice, ERROR));
    assert_memory_equal(&o, &twice, sizeof o);
    OK(ts_map_options_complete(&(ts_map_options){.error = 0.01, .bytes = 7}, &o, ERROR));
    assert_true(o.error == 0.01 && o.bytes == 7);
}

static void arguments_must_be_given(void **state)
{
    (void)state;
    ts_outline *o = form_make(DISC, 1);
    ts_map *map = (ts_map *)&map;
    assert_int_equal(ts_map_create(NULL, o, NULL, NULL, &map, ERROR), TS_BAD_INPUT);
    assert_null(map);
    assert_int_equal(ts_map_create(o, NULL, NULL, NULL, &map, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_map_create(o, o, NULL, NULL, NULL, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_map_measure(NULL, 10, 0, 1, &(ts_map_errors){0}, ERROR), TS_BAD_INPUT);
    ts_map_free(NULL);
    ts_outline_free(o);
}

static void kinds_have_names(void **state)
{
    (void)state;
    assert_string_equal(ts_map_kind_name(TS_MAP_AUTO), "auto");
    assert_string_equal(ts_map_kind_name(TS_MAP_EXACT), "exact");
    assert_string_equal(ts_map_kind_name(TS_MAP_SAMPLED), "sampled");
    assert_string_equal(ts_map_kind_name(TS_MAP_NETWORK), "network");
    assert_string_equal(ts_map_kind_name(TS_MAP_TABLE), "table");
    assert_string_equal(ts_map_kind_name((ts_map_kind)99), "unknown");
}

static ts_map *make(form a, form b, ts_map_options options, ts_map_making making)
{
    ts_outline *oa = form_make(a, 0.5), *ob = form_make(b, 0.25);
    ts_map *map;
    OK(ts_map_create(oa, ob, &options, &making, &map, ERROR));
    ts_outline_free(oa);
    ts_outline_free(ob);
    return map;
}

/* Every kind on one pair, tables by auto: what it says of itself, and that it answers. */
static void every_kind_answers(void **state)
{
    (void)state;
    const ts_map_options kind[] = {{.kind = TS_MAP_EXACT},
                                   {.kind = TS_MAP_SAMPLED, .grid = 41, .refine = true},
                                   {.kind = TS_MAP_NETWORK, .depth = 2, .width = 8, .samples = 20000},
                                   {.kind = TS_MAP_AUTO, .error = 0.05}};
    for (int k = 0; k < 4; k++) {
        ts_map *map = make(BOX, DISC, kind[k], (ts_map_making){.threads = 2, .cache = ""});
        ts_map_info info = ts_map_get_info(map);
        assert_int_equal(info.kind, k < 3 ? (int)kind[k].kind : TS_MAP_TABLE);
        assert_int_equal(info.options.kind, kind[k].kind);
        NEAR(info.radius_b, 0.25 * 0.8, 1e-9);
        assert_false(info.from_cache);
        assert_true(info.build_seconds >= 0);
        bool stored = info.kind == TS_MAP_TABLE || info.kind == TS_MAP_NETWORK;
        assert_int_equal(info.bytes > 0, stored);
        assert_int_equal(info.errors.samples > 0, stored);
        if (info.kind == TS_MAP_TABLE)
            assert_true(info.errors.mean <= 0.05 && info.bytes <= 524288);
        /* a disc beside a box: over its longer side, in the frame in which it was made */
        double away = 0.5 * 0.45 + 0.2 + 0.01, axis = form_symmetry(BOX).axis;
        ts_map_pose p = {{0, 0, 0}, {-away * sin(axis), away * cos(axis), 1}, 1};
        ts_map_contact c;
        ts_map_query(map, 1, &p, &c);
        NEAR(c.gap, 0.01, info.kind == TS_MAP_EXACT ? 1e-12 : info.kind == TS_MAP_NETWORK ? 0.5 : 0.03);
        if (info.kind != TS_MAP_NETWORK) /* which has hardly been trained */
            NEAR(c.normal[1], cos(axis), info.kind == TS_MAP_EXACT ? 1e-9 : 0.3);
        ts_map_errors errors;
        if (info.kind == TS_MAP_TABLE) {
            OK(ts_map_measure(map, 1000, 7, 1, &errors, ERROR));
            NEAR(errors.mean, info.errors.mean, 0.5 * info.errors.mean);
        }
        ts_map_free(map);
    }
}

static void auto_without_room_is_exact(void **state)
{
    (void)state;
    ts_map *map = make(DISC, BOX, (ts_map_options){.error = 1e-9, .bytes = 600}, (ts_map_making){.cache = ""});
    ts_map_info info = ts_map_get_info(map);
    assert_int_equal(info.kind, TS_MAP_EXACT);
    assert_int_equal(info.options.kind, TS_MAP_AUTO);
    assert_int_equal(info.bytes, 0);
    assert_int_equal(info.errors.samples, 0);
    ts_map_pose p = {{0, 0, 0}, {10, 0, 0}, 1};
    ts_map_contact c;
    ts_map_query(map, 1, &p, &c);
    assert_true(c.gap > 9);
    ts_map_free(map);
}

/* Smoothing is for exact and sampled maps; where auto falls back on an exact one, that is not smoothed either. */
static void smoothing_is_for_some_kinds(void **state)
{
    (void)state;
    for (int kind = TS_MAP_AUTO; kind <= TS_MAP_TABLE; kind++) {
        ts_map_options o;
        OK(ts_map_options_complete(&(ts_map_options){.kind = (ts_map_kind)kind, .smoothing = 0.1}, &o, ERROR));
        NEAR(o.smoothing, kind == TS_MAP_EXACT || kind == TS_MAP_SAMPLED ? 0.1 : 0, 0);
    }
    const ts_map_making making = {.threads = 1, .cache = ""};
    ts_map *map[3] = {make(BOX, DISC, (ts_map_options){.error = 1e-9, .bytes = 600, .smoothing = 0.1}, making),
                      make(BOX, DISC, (ts_map_options){.kind = TS_MAP_EXACT}, making),
                      make(BOX, DISC, (ts_map_options){.kind = TS_MAP_EXACT, .smoothing = 0.1}, making)};
    assert_int_equal(map[0]->info.kind, TS_MAP_EXACT);
    int differ = 0;
    for (int i = 0; i < 40; i++) {
        ts_map_pose p = {{0, 0, 0.2 * i}, {0.6 * cos(i), 0.6 * sin(i), 1.0 * i}, 1};
        ts_map_contact c[3];
        for (int k = 0; k < 3; k++)
            ts_map_query(map[k], 1, &p, &c[k]);
        assert_memory_equal(&c[0], &c[1], sizeof *c);
        differ += memcmp(&c[0], &c[2], sizeof *c) != 0;
    }
    assert_true(differ > 20);
    for (int k = 0; k < 3; k++)
        ts_map_free(map[k]);
}

static int count_files(const char *folder)
{
    int count = 0;
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    for (struct dirent *entry; (entry = readdir(listing));)
        count += entry->d_name[0] != '.';
    closedir(listing);
    return count;
}

/* A with B and B with A: one file, and the same records to the bit, with sides and signs exchanged. */
static void both_orders_share_a_map(void **state)
{
    (void)state;
    const ts_map_options kind[] = {{.kind = TS_MAP_NETWORK, .depth = 2, .width = 8, .samples = 4000},
                                   {.kind = TS_MAP_TABLE, .error = 0.1}};
    const char *const folder[] = {"orders-network", "orders-table"};
    const ts_map_making making = {.threads = 1, .rebuild = true};
    for (int k = 0; k < 2; k++) {
        ts_outline *a = form_make(BOX, 0.5), *b = form_make(DISC, 0.25);
        ts_map_making first = making, again = {.threads = 1, .cache = folder[k]};
        ts_map *ab, *ba, *read;
        first.cache = folder[k];
        OK(ts_map_create(a, b, &kind[k], &first, &ab, ERROR));
        OK(ts_map_create(b, a, &kind[k], &again, &ba, ERROR));
        assert_true(ba->info.from_cache);
        assert_int_equal(count_files(folder[k]), 1);
        assert_true(ab->turned != ba->turned);
        NEAR(ab->info.radius_a, ts_outline_get_mass(a).radius, 1e-12);
        NEAR(ba->info.radius_a, ts_outline_get_mass(b).radius, 1e-12);
        NEAR(ba->info.radius_b, ab->info.radius_a, 1e-15);
        assert_true(ab->info.hash_a == ba->info.hash_b && ab->info.hash_b == ba->info.hash_a);
        /* a file knows which is A */
        ts_map *turned = ab->turned ? ab : ba;
        OK(ts_map_write(turned, "turned.tsmap", ERROR));
        OK(ts_map_read("turned.tsmap", &read, ERROR));
        NEAR(read->info.radius_a, turned->info.radius_a, 0);
        for (int i = 0; i < 100; i++) {
            ts_map_pose p = {{0.3, 0.1, 0.2 * i}, {0.3 + 0.45 * cos(i), 0.1 + 0.45 * sin(i), 0.7 * i}, 1},
                        q = {.scale = 1};
            memcpy(q.a, p.b, sizeof q.a);
            memcpy(q.b, p.a, sizeof q.b);
            ts_map_contact c, d, e;
            ts_map_query(ab, 1, &p, &c);
            ts_map_query(ba, 1, &q, &d);
            ts_map_query(read, 1, turned == ab ? &p : &q, &e);
            assert_memory_equal(turned == ab ? &c : &d, &e, sizeof e);
            assert_true(c.gap == d.gap && c.slope == d.slope);
            assert_true(c.turn_a == d.turn_b && c.turn_b == d.turn_a && c.arm_a == -d.arm_b && c.arm_b == -d.arm_a);
            for (int x = 0; x < 2; x++)
                assert_true(c.normal[x] == -d.normal[x] && c.point_a[x] == d.point_b[x] &&
                            c.point_b[x] == d.point_a[x]);
        }
        ts_map_free(ab);
        ts_map_free(ba);
        ts_map_free(read);
        ts_outline_free(a);
        ts_outline_free(b);
    }
}

static bool count_calls(void *user, double done, const char *what)
{
    int *calls = user;
    assert_true(done >= 0 && done <= 1 && what != NULL);
    return ++*calls < 2;
}

static void progress_can_stop(void **state)
{
    (void)state;
    const ts_map_options options[] = {{.kind = TS_MAP_TABLE, .error = 1e-4},
                                      {.kind = TS_MAP_NETWORK, .depth = 2, .width = 16},
                                      {.kind = TS_MAP_AUTO, .error = 1e-4}};
    ts_outline *a = form_make(BOX, 1), *b = form_make(DISC, 0.8);
    for (int k = 0; k < 3; k++) {
        ts_map *map = NULL;
        int calls = 0;
        ts_map_making making = {.threads = 1, .cache = "", .progress = count_calls, .progress_user = &calls};
        assert_int_equal(ts_map_create(a, b, &options[k], &making, &map, ERROR), TS_INTERRUPTED);
        assert_null(map);
        assert_int_equal(calls, 2);
    }
    ts_outline_free(a);
    ts_outline_free(b);
}

/* Where a map cannot be kept it is made all the same, and knows why it was not; one that is read from a file is from no
 * cache. */
static void a_cache_may_be_useless(void **state)
{
    (void)state;
    FILE *file = fopen("no-folder", "w");
    assert_non_null(file);
    fclose(file);
    ts_map_options options = {.kind = TS_MAP_TABLE, .error = 0.05};
    ts_map *lost = make(DISC, DISC, options, (ts_map_making){.threads = 1, .cache = "no-folder/cache"});
    ts_map *none = make(DISC, DISC, options, (ts_map_making){.threads = 1, .cache = ""}), *back = NULL;
    assert_non_null(strstr(lost->unkept, "no-folder"));
    assert_string_equal(none->unkept, "");
    OK(ts_map_write(lost, "lost.tsmap", ERROR));
    OK(ts_map_read("lost.tsmap", &back, ERROR));
    assert_false(ts_map_get_info(back).from_cache);
    ts_map_free(lost);
    ts_map_free(none);
    ts_map_free(back);
    remove("no-folder");
    remove("lost.tsmap");
}

/* Made once, then read with the same bits; made anew when asked to. */
static void the_cache_is_used(void **state)
{
    (void)state;
    ts_map_options options = {.kind = TS_MAP_TABLE, .error = 0.05};
    ts_map_making making = {.threads = 1, .cache = "kept", .rebuild = true};
    ts_map *first = make(DISC, DISC, options, making);
    making.rebuild = false;
    ts_map *second = make(DISC, DISC, options, making);
    making.rebuild = true;
    ts_map *third = make(DISC, DISC, options, making);
    assert_false(first->info.from_cache);
    assert_true(second->info.from_cache);
    assert_false(third->info.from_cache);
    NEAR(second->info.errors.mean, first->info.errors.mean, 0);
    NEAR(second->info.radius_a, first->info.radius_a, 1e-12);
    for (int i = 0; i < 50; i++) {
        ts_map_pose p = {{0.1, 0.2, 0.3 * i}, {0.1 + 0.01 * i, 0.6, 1.0 * i}, 1};
        ts_map_contact c, d, e;
        ts_map_query(first, 1, &p, &c);
        ts_map_query(second, 1, &p, &d);
        ts_map_query(third, 1, &p, &e);
        assert_memory_equal(&c, &d, sizeof c);
        assert_memory_equal(&c, &e, sizeof c);
    }
    ts_map_free(first);
    ts_map_free(second);
    ts_map_free(third);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_options_are_refused), cmocka_unit_test(defaults_are_those_of_the_header),
        cmocka_unit_test(arguments_must_be_given),   cmocka_unit_test(kinds_have_names),
        cmocka_unit_test(every_kind_answers),        cmocka_unit_test(auto_without_room_is_exact),
        cmocka_unit_test(progress_can_stop),         cmocka_unit_test(smoothing_is_for_some_kinds),
        cmocka_unit_test(both_orders_share_a_map),   cmocka_unit_test(the_cache_is_used),
        cmocka_unit_test(a_cache_may_be_useless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
