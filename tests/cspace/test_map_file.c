/* SPDX-License-Identifier: MIT */
/* Map files: what is read is what was written, to the bit; and whatever else is in a file is refused with a sentence of
 * its own. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "cspace/map_file.h"
#include "cspace/random_map.h"
#include "touchstone/version.h"

static const ts_map_options small = {.kind = TS_MAP_NETWORK, .depth = 1, .width = 2, .seed = 7};

/* The bytes of a map. */
typedef struct file {
    unsigned char *bytes;
    size_t size;
} file;

static file encode(const ts_map *map)
{
    file f;
    OK(ts_map_encode(map, &f.bytes, &f.size, ERROR));
    return f;
}

static file small_file(void)
{
    ts_map *map = random_map(random_pair(1), &small, true);
    file f = encode(map);
    ts_map_free(map);
    return f;
}

/* Both checksums as they must be, so that what lies behind them is reached. */
static void sign(file f)
{
    ts_put_u64(f.bytes + 24, ts_hash(f.bytes, 24, 0));
    ts_put_u64(f.bytes + f.size - 8, ts_hash(f.bytes, f.size - 8, 0));
}

/* It must be refused, with the name of the file, these words, and a way out. */
static void refused(file f, ts_status expected, const char *words)
{
    ts_error error = {0};
    ts_map *map = (ts_map *)&error;
    ts_status status = ts_map_decode(f.bytes, f.size, "some.tsmap", &map, &error);
    if (status != expected)
        fail_msg("\"%s\" expected, but: %s: %s", words, ts_status_name(status), error.message);
    assert_null(map);
    if (!strstr(error.message, "some.tsmap") || !strstr(error.message, words) ||
        !strstr(error.message, "touchstone map build"))
        fail_msg("\"%s\" expected, but: %s", words, error.message);
}

/* ---- There and back ---- */

static void random_poses(ts_map_pose *pose, size_t count, double reach)
{
    ts_random random = ts_random_make(3, 0);
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 2; k++) {
            pose[i].a[k] = ts_random_next_range(&random, -reach, reach);
            pose[i].b[k] = pose[i].a[k] + ts_random_next_range(&random, -reach, reach);
        }
        pose[i].a[2] = ts_random_next_range(&random, -7, 7);
        pose[i].b[2] = ts_random_next_range(&random, -7, 7);
        pose[i].scale = ts_random_next_range(&random, 0.5, 2);
    }
}

enum { POSES = 600 };

static void same_answers(const ts_map *x, const ts_map *y)
{
    static ts_map_pose pose[POSES];
    static ts_map_contact a[POSES], b[POSES];
    random_poses(pose, POSES, 2);
    ts_map_query(x, POSES, pose, a);
    ts_map_query(y, POSES, pose, b);
    for (size_t i = 0; i < POSES; i++) {
        assert_true(isfinite(a[i].gap));
        assert_memory_equal(&a[i], &b[i], sizeof a[i]);
    }
}

static void there_and_back(const ts_map_options *options, bool rounded)
{
    ts_map *map = random_map(random_pair(0.3), options, rounded), *back;
    file first = encode(map);
    OK(ts_map_decode(first.bytes, first.size, "it", &back, ERROR));
    same_answers(map, back);
    ts_map_info x = ts_map_get_info(map), y = ts_map_get_info(back);
    assert_int_equal(x.kind, y.kind);
    assert_int_equal(x.bytes, y.bytes);
    assert_int_equal(x.hash_a, y.hash_a);
    assert_int_equal(x.hash_b, y.hash_b);
    assert_true(x.radius_a == y.radius_a && x.radius_b == y.radius_b && x.build_seconds == y.build_seconds);
    assert_int_equal(x.errors.samples, y.errors.samples);
    assert_true(x.errors.mean == y.errors.mean && x.errors.high == y.errors.high && x.errors.worst == y.errors.worst);
    assert_true(x.errors.normal_mean == y.errors.normal_mean && x.errors.normal_high == y.errors.normal_high);
    assert_true(x.errors.arm_mean == y.errors.arm_mean && x.errors.sign == y.errors.sign &&
                x.errors.surface == y.errors.surface && x.errors.turn_mean == y.errors.turn_mean &&
                x.errors.surface_limit == y.errors.surface_limit);
    assert_int_equal(x.options.kind, y.options.kind);
    assert_int_equal(x.options.depth, y.options.depth);
    assert_int_equal(x.options.width, y.options.width);
    assert_int_equal(x.options.encoding, y.options.encoding);
    assert_int_equal(x.options.seed, y.options.seed);
    assert_int_equal(x.options.samples, y.options.samples);
    assert_true(x.options.no_folding == y.options.no_folding && x.options.error == y.options.error);
    assert_false(x.from_cache);
    assert_false(y.from_cache);
    /* provenance stays when a map is read and written again, and so does every byte */
    file second = encode(back);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.bytes, second.bytes, first.size);
    assert_string_equal(back->made_by, ts_version());
    ts_free(first.bytes);
    ts_free(second.bytes);
    ts_map_free(map);
    ts_map_free(back);
}

static void to_the_bit(void **state)
{
    (void)state;
    there_and_back(&small, true);
    there_and_back(&small, false);
    there_and_back(&(ts_map_options){.kind = TS_MAP_NETWORK, .depth = 3, .width = 32, .no_folding = true}, true);
    there_and_back(&(ts_map_options){.kind = TS_MAP_NETWORK, .encoding = TS_ENCODING_RAW, .seed = UINT64_MAX}, true);
}

/* A coarse table of a disc and a triangle. */
static ts_map *table_map(void)
{
    ts_outline *disc, *triangle;
    ts_pair *pair;
    ts_exact *exact;
    ts_table *table;
    ts_map *map;
    OK(ts_outline_disc(1, &disc, ERROR));
    OK(ts_outline_regular(3, 2, &triangle, ERROR));
    OK(ts_pair_create(disc, triangle, &pair, ERROR));
    OK(ts_exact_create(pair, &exact, ERROR));
    ts_fold fold = ts_fold_for_table(pair, true);
    OK(ts_table_create(exact, pair, &fold, &(ts_table_form){.spacing = 0.1, .turn = 0.2, .bits = 8}, NULL, NULL, NULL,
                       &table, ERROR));
    OK(ts_map_assemble(pair, &(ts_map_options){.kind = TS_MAP_TABLE}, NULL, table, &map, ERROR));
    map->made_at = 1;
    ts_exact_free(exact);
    ts_outline_free(disc);
    ts_outline_free(triangle);
    return map;
}

static void tables_to_the_bit(void **state)
{
    (void)state;
    ts_map *map = table_map(), *back;
    file first = encode(map);
    OK(ts_map_decode(first.bytes, first.size, "it", &back, ERROR));
    assert_int_equal(ts_map_get_info(back).kind, TS_MAP_TABLE);
    same_answers(map, back);
    file second = encode(back);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.bytes, second.bytes, first.size);
    ts_free(second.bytes);
    ts_map_free(back);
    ts_map_free(map);
    /* the outlines are right, the table is not: cut, and its size said accordingly */
    unsigned char *copy = malloc(first.size);
    memcpy(copy, first.bytes, first.size);
    file cut = {copy, first.size - 20};
    ts_put_u64(copy + 16, cut.size - 40);
    sign(cut);
    refused(cut, TS_CORRUPT, "its table");
    free(copy);
    ts_free(first.bytes);
}

static void by_a_file(void **state)
{
    (void)state;
    ts_map *map = random_map(random_pair(1), &small, true), *back;
    OK(ts_map_write(map, "a.tsmap", ERROR));
    OK(ts_map_read("a.tsmap", &back, ERROR));
    same_answers(map, back);
    ts_map_free(back);
    ts_error error;
    assert_int_equal(ts_map_write(map, "no/such/folder/a.tsmap", &error), TS_IO);
    assert_non_null(strstr(error.message, "no/such/folder"));
    assert_int_equal(ts_map_read("none.tsmap", &back, &error), TS_IO);
    assert_non_null(strstr(error.message, "none.tsmap"));
    assert_int_equal(ts_map_read(".", &back, &error), TS_IO);
    assert_int_equal(ts_map_read(NULL, &back, &error), TS_BAD_INPUT);
    assert_int_equal(ts_map_write(NULL, "a.tsmap", &error), TS_BAD_INPUT);
    assert_int_equal(ts_map_write(map, NULL, &error), TS_BAD_INPUT);
    ts_map_free(map);

    /* a file above the cap is refused before it is read: this one takes no room on the disk */
    FILE *large = fopen("large.tsmap", "wb");
    assert_non_null(large);
    assert_int_equal(fseeko(large, (off_t)TS_MAP_FILE_BYTES_MAX, SEEK_SET), 0);
    fputc(0, large);
    fclose(large);
    assert_int_equal(ts_map_read("large.tsmap", &back, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "large.tsmap"));
    remove("large.tsmap");
}

static void exact_has_nothing_to_write(void **state)
{
    (void)state;
    ts_map *map;
    ts_error error;
    OK(ts_map_assemble(random_pair(1), &(ts_map_options){.kind = TS_MAP_EXACT}, NULL, NULL, &map, ERROR));
    assert_int_equal(ts_map_write(map, "exact.tsmap", &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "exact"));
    assert_false(ts_file_exists("exact.tsmap"));
    ts_map_free(map);
}

/* ---- Rounding ---- */

static void check_rounding(ts_perceptron *p, const float *before)
{
    for (int layer = 0; layer <= p->depth; layer++) {
        size_t columns = (size_t)ts_perceptron_columns(p, layer);
        for (int32_t i = 0; i < ts_perceptron_rows(p, layer); i++) {
            size_t at = p->weight_at[layer] + (size_t)i * columns;
            double largest = 0;
            for (size_t k = 0; k < columns; k++)
                largest = fmax(largest, fabs((double)before[at + k]));
            for (size_t k = 0; k < columns; k++) /* half a step of 1/16384 at most */
                NEAR((double)p->parameter[at + k], (double)before[at + k], largest / 32766);
        }
    }
}

/* Two bytes a parameter: near what was there, the same when done again, and no matter to what the network says. */
static void rounding_changes_little(void **state)
{
    (void)state;
    const ts_map_options options = {.depth = 5, .width = 64, .seed = 5};
    ts_network *fine = random_network(&options), *coarse = random_network(&options);
    coarse->gap.parameter[0] = fine->gap.parameter[0] = -1e-30F;
    coarse->gap.parameter[5] = fine->gap.parameter[5] = 0;
    OK(ts_network_round(coarse, ERROR));
    check_rounding(&coarse->gap, fine->gap.parameter);
    check_rounding(&coarse->arm, fine->arm.parameter);
    size_t bytes = coarse->gap.count * sizeof(float);
    float *once = ts_alloc_raw(bytes, 1);
    memcpy(once, coarse->gap.parameter, bytes);
    OK(ts_network_round(coarse, ERROR));
    assert_memory_equal(once, coarse->gap.parameter, bytes);
    ts_free(once);

    static ts_fields x, y;
    double worst = 0, size = 0;
    for (size_t i = 0; i < TS_FIELD_BATCH; i++) {
        x.x[i] = y.x[i] = ts_random_range(1, 1, i, -1, 1);
        x.y[i] = y.y[i] = ts_random_range(1, 2, i, -1, 1);
        x.angle[i] = y.angle[i] = ts_random_range(1, 3, i, -3, 3);
    }
    OK(ts_perceptron_pack(&fine->gap, ERROR));
    ts_network_query(fine, TS_FIELD_BATCH, &x);
    ts_network_query(coarse, TS_FIELD_BATCH, &y);
    for (size_t i = 0; i < TS_FIELD_BATCH; i++) {
        worst = fmax(worst, fabs(x.gap[i] - y.gap[i]));
        size = fmax(size, fabs(x.gap[i]));
    }
    print_message("a 5 x 64 network of outputs up to %.3g changes by %.2g at most when rounded\n", size, worst);
    assert_true(worst < 1e-3 * size);
    ts_network_free(fine);
    ts_network_free(coarse);
    ts_free(fine);
    ts_free(coarse);
}

/* The published sizes: below 20 kB for 3 × 32, tens of kB for 5 × 64. */
static void files_are_small(void **state)
{
    (void)state;
    const int32_t depth[] = {3, 5}, width[] = {32, 64};
    const size_t most[] = {20000, 80000};
    for (int i = 0; i < 2; i++) {
        ts_map *map = random_map(random_pair(1),
                                 &(ts_map_options){.kind = TS_MAP_NETWORK, .depth = depth[i], .width = width[i]}, true);
        file f = encode(map);
        print_message("%d x %d: %zu bytes\n", (int)depth[i], (int)width[i], f.size);
        assert_true(f.size < most[i]);
        ts_free(f.bytes);
        ts_map_free(map);
    }
}

/* ---- Damage ---- */

static void every_truncation_is_refused(void **state)
{
    (void)state;
    file f = small_file();
    for (size_t size = 0; size < f.size; size++) {
        unsigned char *copy = malloc(size + (size == 0)); /* of this size, so that a sanitizer sees a read past it */
        memcpy(copy, f.bytes, size);
        refused((file){copy, size}, TS_CORRUPT, size == 0 ? "empty" : "ends early");
        free(copy);
    }
    unsigned char *longer = malloc(f.size + 1);
    memcpy(longer, f.bytes, f.size);
    longer[f.size] = 0;
    refused((file){longer, f.size + 1}, TS_CORRUPT, "bytes after its end");
    free(longer);
    ts_free(f.bytes);
}

static void every_flip_is_refused(void **state)
{
    (void)state;
    file f = small_file();
    for (size_t i = 0; i < f.size; i++)
        for (int bit = 0; bit < 8; bit++) {
            ts_error error = {0};
            ts_map *map;
            f.bytes[i] ^= (unsigned char)(1 << bit);
            ts_status status = ts_map_decode(f.bytes, f.size, "it", &map, &error);
            f.bytes[i] ^= (unsigned char)(1 << bit);
            assert_int_equal(status, TS_CORRUPT);
            assert_true(strlen(error.message) > 20);
        }
    ts_free(f.bytes);
}

/* Behind right checksums a change may give another map, but never one that answers with anything but numbers. */
static void what_is_accepted_answers(void **state)
{
    (void)state;
    file f = small_file();
    static ts_map_pose pose[40];
    static ts_map_contact contact[40];
    size_t accepted = 0;
    const unsigned char flip[] = {0x01, 0x10, 0x80, 0xff};
    for (size_t i = 32; i < f.size - 8; i++)
        for (size_t k = 0; k < sizeof flip; k++) {
            ts_error error = {0};
            ts_map *map;
            f.bytes[i] ^= flip[k];
            sign(f);
            ts_status status = ts_map_decode(f.bytes, f.size, "it", &map, &error);
            f.bytes[i] ^= flip[k];
            if (status != TS_OK) {
                assert_null(map);
                assert_int_equal(status, TS_CORRUPT);
                assert_true(strlen(error.message) > 20);
                continue;
            }
            accepted++;
            random_poses(pose, 40, 2 * map->pair->unit);
            ts_map_query(map, 40, pose, contact);
            for (int j = 0; j < 40; j++)
                assert_true(isfinite(contact[j].gap) && isfinite(contact[j].slope) && isfinite(contact[j].turn_b) &&
                            isfinite(contact[j].arm_a) && isfinite(contact[j].point_b[1]));
            ts_map_free(map);
        }
    assert_true(accepted > 100); /* weights, options, errors */
    ts_free(f.bytes);
}

/* ---- Each lie with its own sentence ---- */

/* Places in a small file, from the format's description. */
static size_t at_time(void)
{
    return 32 + 4 + strlen(ts_version());
}
#define AT_KIND    (at_time() + 16)
#define AT_OPTIONS (AT_KIND + 8)
#define AT_ERRORS  (AT_OPTIONS + 76)
#define AT_UNIT    (AT_ERRORS + 88)
#define AT_HASH    (AT_UNIT + 8)
#define AT_OUTLINE (AT_HASH + 16)

typedef struct lie {
    size_t at;
    uint64_t value;
    int bytes; /* of it: 4 or 8 */
    ts_status status;
    const char *words;
} lie;

static uint64_t bits(double value)
{
    uint64_t b;
    memcpy(&b, &value, sizeof b);
    return b;
}

static void tell(const lie *l)
{
    file f = small_file();
    if (l->bytes == 4)
        ts_put_u32(f.bytes + l->at, (uint32_t)l->value);
    else
        ts_put_u64(f.bytes + l->at, l->value);
    sign(f);
    refused(f, l->status, l->words);
    ts_free(f.bytes);
}

static void lies_about_the_format(void **state)
{
    (void)state;
    const lie all[] = {
        {8, 3, 4, TS_UNSUPPORTED, "version 3"},
        {8, 3, 4, TS_UNSUPPORTED, "newer program"},
        {8, 0, 4, TS_UNSUPPORTED, "version 0"},
        {12, 0x0d0c0b0a, 4, TS_UNSUPPORTED, "big-endian"},
        {12, 0, 4, TS_CORRUPT, "byte order"},
        {16, UINT64_MAX, 8, TS_CORRUPT, "beyond all measure"},
        {16, 100, 8, TS_CORRUPT, "bytes after its end"},
        {16, 1 << 20, 8, TS_CORRUPT, "ends early"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tell(&all[i]);
    file f = small_file();
    f.bytes[0] = 'x';
    ts_error error;
    ts_map *map;
    assert_int_equal(ts_map_decode(f.bytes, f.size, "picture.png", &map, &error), TS_CORRUPT);
    assert_non_null(strstr(error.message, "picture.png is not a map"));
    ts_free(f.bytes);
}

static void lies_about_the_map(void **state)
{
    (void)state;
    double nan = (double)NAN;
    const lie all[] = {
        {32, UINT32_MAX, 4, TS_CORRUPT, "version of the program"},
        {32, 40, 4, TS_CORRUPT, "version of the program"},
        {at_time() + 8, bits(nan), 8, TS_CORRUPT, "options or errors"},
        {at_time() + 8, bits(-1), 8, TS_CORRUPT, "options or errors"},
        {AT_KIND, TS_MAP_SAMPLED, 4, TS_CORRUPT, "kind is not known"},
        {AT_KIND, 99, 4, TS_CORRUPT, "kind is not known"},
        {AT_KIND, TS_MAP_EXACT, 4, TS_CORRUPT, "another kind"},
        {AT_KIND + 4, 2, 4, TS_CORRUPT, "options or errors"}, /* A and B neither exchanged nor not */
        {AT_OPTIONS, 99, 4, TS_CORRUPT, "options or errors"},
        {AT_OPTIONS + 20, 2, 4, TS_CORRUPT, "options or errors"}, /* folding: neither yes nor no */
        {AT_ERRORS + 8, bits((double)INFINITY), 8, TS_CORRUPT, "options or errors"},
        {AT_ERRORS + 64, bits(1.5), 8, TS_CORRUPT, "options or errors"}, /* more than all signs right */
        {AT_UNIT, bits(0), 8, TS_CORRUPT, "unit of length"},
        {AT_UNIT, bits(nan), 8, TS_CORRUPT, "unit of length"},
        {AT_UNIT, bits(1e200), 8, TS_CORRUPT, "unit of length"},
        {AT_HASH, 12345, 8, TS_CORRUPT, "hash of its outlines"},
        {AT_HASH + 8, 12345, 8, TS_CORRUPT, "hash of its outlines"},
        {AT_OUTLINE, 0, 8, TS_CORRUPT, "an outline"},
        {AT_OUTLINE, UINT64_MAX, 8, TS_CORRUPT, "an outline"},
        {AT_OUTLINE + 8, UINT64_MAX / 24 + 1, 8, TS_CORRUPT, "an outline"},
        {AT_OUTLINE + 8, 1, 8, TS_CORRUPT, "an outline"},
        {AT_OUTLINE + 16, 1, 4, TS_CORRUPT, "an outline"}, /* open */
        {AT_OUTLINE + 20, bits(nan), 8, TS_CORRUPT, "an outline"},
        {AT_OUTLINE + 20, bits(5), 8, TS_CORRUPT, "an outline"},
        {AT_OUTLINE + 20, bits(1.9), 8, TS_CORRUPT, "frame and the unit"},
        {AT_OUTLINE + 36, bits(1e300), 8, TS_CORRUPT, "an outline"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tell(&all[i]);
}

/* A vertex that is moved by less than anyone sees: the hash tells. */
static void a_moved_vertex_is_noticed(void **state)
{
    (void)state;
    file f = small_file();
    ts_bytes from = ts_bytes_of(f.bytes + AT_OUTLINE + 20, 8);
    ts_put_f64(f.bytes + AT_OUTLINE + 20, ts_take_f64(&from) + 2e-8);
    sign(f);
    refused(f, TS_CORRUPT, "hash of its outlines");
    ts_free(f.bytes);
}

static void lies_about_the_network(void **state)
{
    (void)state;
    ts_pair *pair = random_pair(1);
    size_t at = AT_OUTLINE + 2 * 8;
    const ts_outline *both[] = {pair->a, pair->b};
    for (int i = 0; i < 2; i++)
        for (size_t c = 0; c < ts_outline_contour_count(both[i]); c++)
            at += 12 + 24 * ts_outline_get_contour(both[i], c).vertex_count;
    ts_pair_free(pair);
    const lie all[] = {
        {at, 2, 4, TS_CORRUPT, "encoding"},
        {at + 4, 0, 4, TS_CORRUPT, "encoding"},
        {at + 4, UINT32_MAX, 4, TS_CORRUPT, "encoding"},
        {at + 8, 3, 4, TS_CORRUPT, "size of a network"},
        {at + 12, 2, 4, TS_CORRUPT, "size of a network"},
        {at + 16, 0, 4, TS_CORRUPT, "size of a network"},
        {at + 16, 9, 4, TS_CORRUPT, "size of a network"},
        {at + 20, UINT32_MAX, 4, TS_CORRUPT, "size of a network"},
        {at + 20, 128, 4, TS_CORRUPT, "network is not all there"},
        {at + 20, 1, 4, TS_CORRUPT, "network"},
        {at + 24, 8, 4, TS_CORRUPT, "size of a network"},
        {at + 28, 0, 4, TS_CORRUPT, "a number that is none"},          /* exponent below all */
        {at + 28, 0xffffff80, 4, TS_CORRUPT, "a number that is none"}, /* 32768 steps */
        {at + 28, 0xfffefee4, 4, TS_CORRUPT, "beyond all measure"},    /* 2^100 */
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tell(&all[i]);

    /* something behind the last parameter */
    file f = small_file();
    unsigned char *longer = malloc(f.size + 4);
    memcpy(longer, f.bytes, f.size);
    ts_put_u64(longer + 16, f.size + 4 - 40);
    file g = {longer, f.size + 4};
    sign(g);
    refused(g, TS_CORRUPT, "bytes after its end");
    free(longer);
    ts_free(f.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(to_the_bit),
        cmocka_unit_test(tables_to_the_bit),
        cmocka_unit_test(by_a_file),
        cmocka_unit_test(exact_has_nothing_to_write),
        cmocka_unit_test(rounding_changes_little),
        cmocka_unit_test(files_are_small),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(every_flip_is_refused),
        cmocka_unit_test(what_is_accepted_answers),
        cmocka_unit_test(lies_about_the_format),
        cmocka_unit_test(lies_about_the_map),
        cmocka_unit_test(a_moved_vertex_is_noticed),
        cmocka_unit_test(lies_about_the_network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
