/* SPDX-License-Identifier: MIT */
#include "cspace/map_file.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/given.h"
#include "base/hash.h"
#include "base/memory.h"
#include "cspace/map.h"
#include "cspace/network_file.h"
#include "shape/outline.h"
#include "touchstone/version.h"

/* A first byte above 127 and two kinds of line end show up a file that went through a text conversion, as in PNG. */
#define MAGIC TS_MAP_FILE_MAGIC

enum {
    MAGIC_BYTES = 8,
    ORDER_MARK = 0x0a0b0c0d, /* on disk 0d 0c 0b 0a */
    FOREIGN_MARK = 0x0d0c0b0a,
    PREFIX_BYTES = 32, /* magic, version, byte order, size of what follows, checksum */
    CHECKSUM_BYTES = 8,
    VERSION_TEXT_BYTES = 32, /* as struct ts_map has room for */
    OPTIONS_BYTES = 4 + 8 + 8 + 4 + 8 + 4 + 4 + 4 + 4 + 4 + 8 + 8 + 8,
    ERRORS_BYTES = 11 * 8,
    FIXED_BYTES = 4 + VERSION_TEXT_BYTES + 8 + 8 + 4 + 4 + OPTIONS_BYTES + ERRORS_BYTES + 3 * 8, /* at most */
    CURVE_BYTES = 12, /* of each contour, besides its vertices */
    VERTEX_BYTES = 24
};

static const double unit_max = 1e150;   /* as of all numbers: products of two stay finite */
static const double bulge_max = 1e9;    /* a circle that is closed to within 1e-9 of its radius */
static const double frame_slack = 1e-6; /* by how much radius and centre may miss 1 and 0 for rounding */

/* ---- Writing ---- */

/* What FIXED_BYTES counts on: the version that a map was made by fits, and so does this program's own. */
static_assert(sizeof((ts_map *)0)->made_by == VERSION_TEXT_BYTES, "a file's room for the version is not the map's");
static_assert(TS_VERSION_MAJOR < 1000000, "the version may be longer than its room");
static_assert(TS_VERSION_MINOR < 1000000, "the version may be longer than its room");
static_assert(TS_VERSION_PATCH < 1000000, "the version may be longer than its room");
static_assert(3 * 6 + 2 < VERSION_TEXT_BYTES, "the version may be longer than its room");

static unsigned char *put_text(unsigned char *to, const char *text)
{
    size_t length = strlen(text);
    to = ts_put_u32(to, (uint32_t)length);
    for (size_t i = 0; i < length; i++)
        to = ts_put_u8(to, (uint8_t)text[i]);
    return to;
}

static unsigned char *put_options(unsigned char *to, const ts_map_options *o)
{
    to = ts_put_u32(to, (uint32_t)o->kind);
    to = ts_put_f64(to, o->error);
    to = ts_put_u64(to, o->bytes);
    to = ts_put_u32(to, o->no_folding);
    to = ts_put_f64(to, o->smoothing);
    to = ts_put_u32(to, (uint32_t)o->grid);
    to = ts_put_u32(to, o->refine);
    to = ts_put_u32(to, (uint32_t)o->depth);
    to = ts_put_u32(to, (uint32_t)o->width);
    to = ts_put_u32(to, (uint32_t)o->encoding);
    to = ts_put_f64(to, o->seconds);
    to = ts_put_u64(to, o->samples);
    return ts_put_u64(to, o->seed);
}

static unsigned char *put_errors(unsigned char *to, const ts_map_errors *e)
{
    const double value[] = {e->mean,     e->high,      e->worst, e->normal_mean, e->normal_high,
                            e->arm_mean, e->turn_mean, e->sign,  e->surface,     e->surface_limit};
    to = ts_put_u64(to, e->samples);
    for (size_t i = 0; i < sizeof value / sizeof *value; i++)
        to = ts_put_f64(to, value[i]);
    return to;
}

static size_t outline_bytes(const ts_outline *outline)
{
    return 8 + CURVE_BYTES * ts_outline_contour_count(outline) + VERTEX_BYTES * ts_outline_vertex_count(outline);
}

static unsigned char *put_outline(unsigned char *to, const ts_outline *outline)
{
    to = ts_put_u64(to, ts_outline_contour_count(outline));
    for (size_t i = 0; i < ts_outline_contour_count(outline); i++) {
        ts_contour contour = ts_outline_get_contour(outline, i);
        to = ts_put_u64(to, contour.vertex_count);
        to = ts_put_u32(to, 0); /* closed */
        for (size_t k = 0; k < contour.vertex_count; k++) {
            to = ts_put_f64(to, contour.vertex[k].x);
            to = ts_put_f64(to, contour.vertex[k].y);
            to = ts_put_f64(to, contour.vertex[k].bulge);
        }
    }
    return to;
}

/* All but the kind's own part. */
static unsigned char *put_about(unsigned char *to, const ts_map *map)
{
    const ts_pair *pair = map->pair;
    to = put_text(to, map->made_by[0] ? map->made_by : ts_version());
    to = ts_put_u64(to, (uint64_t)(map->made_at != 0 ? map->made_at : (int64_t)time(NULL)));
    to = ts_put_f64(to, map->info.build_seconds);
    to = ts_put_u32(to, (uint32_t)map->info.kind);
    to = ts_put_u32(to, map->turned);
    to = put_options(to, &map->info.options);
    to = put_errors(to, &map->info.errors);
    to = ts_put_f64(to, pair->unit);
    to = ts_put_u64(to, pair->hash_a);
    to = ts_put_u64(to, pair->hash_b);
    to = put_outline(to, pair->a);
    return put_outline(to, pair->b);
}

static void sign(unsigned char *bytes, size_t size)
{
    unsigned char *end = bytes + MAGIC_BYTES;
    memcpy(bytes, MAGIC, MAGIC_BYTES);
    end = ts_put_u32(end, TS_MAP_FILE_VERSION);
    end = ts_put_u32(end, ORDER_MARK);
    end = ts_put_u64(end, size - PREFIX_BYTES - CHECKSUM_BYTES);
    ts_put_u64(end, ts_hash(bytes, PREFIX_BYTES - CHECKSUM_BYTES, 0));
    ts_put_u64(bytes + size - CHECKSUM_BYTES, ts_hash(bytes, size - CHECKSUM_BYTES, 0));
}

ts_status ts_map_encode(const ts_map *map, unsigned char **bytes, size_t *size, ts_error *error)
{
    unsigned char *table = NULL, *made = NULL;
    size_t table_size = 0, own = 0;
    if (map->info.kind == TS_MAP_TABLE) {
        TS_TRY(ts_table_save(map->table, &table, &table_size, error));
        own = 8 + table_size;
    } else if (map->info.kind == TS_MAP_NETWORK) {
        own = ts_network_file_bytes(map->network);
    }
    size_t most =
        PREFIX_BYTES + FIXED_BYTES + outline_bytes(map->pair->a) + outline_bytes(map->pair->b) + own + CHECKSUM_BYTES;
    ts_status status = TS_OK;
    if (most > TS_MAP_FILE_BYTES_MAX)
        status = ts_fail(error, TS_BAD_INPUT,
                         "the map takes %zu bytes, but a map file has %zu at most; ask for a smaller one with the "
                         "option bytes",
                         most, TS_MAP_FILE_BYTES_MAX);
    else if (!(made = ts_alloc_raw(most, 1)))
        status = ts_fail_memory(error, most);
    if (status == TS_OK) {
        unsigned char *end = put_about(made + PREFIX_BYTES, map);
        if (map->info.kind == TS_MAP_TABLE) {
            end = ts_put_u64(end, table_size);
            memcpy(end, table, table_size);
            end += table_size;
        } else if (map->info.kind == TS_MAP_NETWORK) {
            end = ts_network_put(end, map->network);
        }
        *bytes = made;
        *size = (size_t)(end - made) + CHECKSUM_BYTES;
        sign(made, *size);
    }
    ts_free(table);
    return status;
}

ts_status ts_map_write(const ts_map *map, const char *path, ts_error *error)
{
    TS_GIVEN(map, "writing a map", error);
    TS_GIVEN(path, "writing a map", error);
    if (map->info.kind != TS_MAP_NETWORK && map->info.kind != TS_MAP_TABLE)
        return ts_fail(error, TS_BAD_INPUT,
                       "cannot write %s: a map of kind %s is worked out from the outlines and has nothing to store; "
                       "build one of kind table or network",
                       path, ts_map_kind_name(map->info.kind));
    unsigned char *bytes;
    size_t size;
    TS_TRY(ts_map_encode(map, &bytes, &size, error));
    ts_status status = ts_file_write(path, bytes, size, error);
    ts_free(bytes);
    return status;
}

/* ---- Reading ---- */

#define REMEDY "build it again with touchstone map build"

static ts_status damaged(const char *name, const char *what, ts_error *error)
{
    return ts_fail(error, TS_CORRUPT, "the map %s is damaged: %s; " REMEDY, name, what);
}

/* Checks all that can be said without looking into it; `payload` is what lies between prefix and checksum. */
static ts_status open_envelope(const unsigned char *bytes, size_t size, const char *name, ts_bytes *payload,
                               ts_error *error)
{
    if (size == 0)
        return damaged(name, "it is empty", error);
    if (memcmp(bytes, MAGIC, size < MAGIC_BYTES ? size : MAGIC_BYTES) != 0)
        return ts_fail(error, TS_CORRUPT,
                       "%s is not a map; give a file that touchstone map build or ts_map_write wrote", name);
    if (size < PREFIX_BYTES + CHECKSUM_BYTES)
        return damaged(name, "it ends early", error);
    ts_bytes from = ts_bytes_of(bytes + MAGIC_BYTES, PREFIX_BYTES - MAGIC_BYTES);
    uint32_t version = ts_take_u32(&from), order = ts_take_u32(&from);
    uint64_t length = ts_take_u64(&from), there = size - PREFIX_BYTES - CHECKSUM_BYTES;
    if (order == FOREIGN_MARK)
        return ts_fail(
            error, TS_UNSUPPORTED,
            "the map %s has its bytes in the other order (big-endian), which this program does not read; " REMEDY,
            name);
    if (ts_take_u64(&from) != ts_hash(bytes, PREFIX_BYTES - CHECKSUM_BYTES, 0))
        return damaged(name, "its first bytes have a wrong checksum", error);
    if (order != ORDER_MARK)
        return damaged(name, "the mark of its byte order is none", error);
    if (version != TS_MAP_FILE_VERSION)
        return ts_fail(
            error, TS_UNSUPPORTED,
            "the map %s has version %" PRIu32 " of the format, but this program reads version %d; " REMEDY "%s", name,
            version, TS_MAP_FILE_VERSION, version > TS_MAP_FILE_VERSION ? ", or read it with a newer program" : "");
    if (length > TS_MAP_FILE_BYTES_MAX)
        return damaged(name, "its size is beyond all measure", error);
    if (there != length)
        return damaged(name, there < length ? "it ends early" : "there are bytes after its end", error);
    ts_bytes tail = ts_bytes_of(bytes + size - CHECKSUM_BYTES, CHECKSUM_BYTES);
    if (ts_take_u64(&tail) != ts_hash(bytes, size - CHECKSUM_BYTES, 0))
        return damaged(name, "it has a wrong checksum", error);
    *payload = ts_bytes_of(bytes + PREFIX_BYTES, (size_t)length);
    return TS_OK;
}

/* What stands before the outlines. */
typedef struct about {
    char made_by[VERSION_TEXT_BYTES];
    int64_t made_at;
    double build_seconds;
    uint32_t kind;
    bool turned;
    ts_map_options options;
    ts_map_errors errors;
    double unit;
    uint64_t hash_a, hash_b;
} about;

static bool take_flag(ts_bytes *from)
{
    uint32_t value = ts_take_u32(from);
    if (value > 1)
        from->bad = true;
    return value == 1;
}

static int32_t take_small(ts_bytes *from)
{
    uint32_t value = ts_take_u32(from);
    if (value > INT32_MAX)
        from->bad = true;
    return value > INT32_MAX ? 0 : (int32_t)value;
}

/* A number ≥ 0. */
static double take_size(ts_bytes *from)
{
    double value = ts_take_f64(from);
    if (!(value >= 0 && value <= unit_max))
        from->bad = true;
    return value;
}

static void take_options(ts_bytes *from, ts_map_options *o)
{
    uint32_t kind = ts_take_u32(from);
    o->kind = kind <= TS_MAP_TABLE ? (ts_map_kind)kind : TS_MAP_AUTO;
    o->error = take_size(from);
    uint64_t bytes = ts_take_u64(from);
    o->bytes = (size_t)bytes;
    o->no_folding = take_flag(from);
    o->smoothing = take_size(from);
    o->grid = take_small(from);
    o->refine = take_flag(from);
    o->depth = take_small(from);
    o->width = take_small(from);
    uint32_t encoding = ts_take_u32(from);
    o->encoding = encoding == TS_ENCODING_RAW ? TS_ENCODING_RAW : TS_ENCODING_CIRCLE;
    o->seconds = take_size(from);
    o->samples = ts_take_u64(from);
    o->seed = ts_take_u64(from);
    if (kind > TS_MAP_TABLE || bytes > SIZE_MAX || encoding > TS_ENCODING_RAW)
        from->bad = true;
}

static void take_errors(ts_bytes *from, ts_map_errors *e)
{
    double *value[] = {&e->mean,     &e->high,      &e->worst, &e->normal_mean, &e->normal_high,
                       &e->arm_mean, &e->turn_mean, &e->sign,  &e->surface,     &e->surface_limit};
    e->samples = ts_take_u64(from);
    for (size_t i = 0; i < sizeof value / sizeof *value; i++)
        *value[i] = take_size(from);
    if (!(e->sign <= 1))
        from->bad = true;
}

static bool is_printable(const unsigned char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] < ' ' || text[i] > '~')
            return false;
    return true;
}

static ts_status take_about(ts_bytes *from, const char *name, about *a, ts_error *error)
{
    uint32_t length = ts_take_u32(from);
    const unsigned char *text = length < VERSION_TEXT_BYTES ? ts_take(from, length) : NULL;
    if (!text || !is_printable(text, length))
        return damaged(name, "the version of the program that made it is no text", error);
    memcpy(a->made_by, text, length);
    a->made_at = (int64_t)ts_take_u64(from);
    a->build_seconds = take_size(from);
    a->kind = ts_take_u32(from);
    a->turned = take_flag(from);
    take_options(from, &a->options);
    take_errors(from, &a->errors);
    a->unit = ts_take_f64(from);
    a->hash_a = ts_take_u64(from);
    a->hash_b = ts_take_u64(from);
    ts_map_options complete;
    if (from->bad || ts_map_options_complete(&a->options, &complete, NULL) != TS_OK)
        return damaged(name, "its options or errors make no sense", error);
    if (!(a->unit >= 1 / unit_max && a->unit <= unit_max))
        return damaged(name, "its unit of length makes no sense", error);
    if (a->kind != TS_MAP_NETWORK && a->kind != TS_MAP_TABLE && a->kind != TS_MAP_EXACT)
        return damaged(name, "its kind is not known", error);
    if (a->options.kind != TS_MAP_AUTO && (uint32_t)a->options.kind != a->kind)
        return damaged(name, "it is of another kind than was asked for", error);
    return TS_OK;
}

/* The contours of one outline, in an arena; NULL with from->bad when they make no sense, without when memory is
 * short. */
static ts_contour *take_contours(ts_arena *arena, ts_bytes *from, size_t *count)
{
    uint64_t contours = ts_take_u64(from), edges = 0;
    if (contours < 1 || contours > from->left / CURVE_BYTES || contours > TS_OUTLINE_EDGES_MAX) {
        from->bad = true;
        return NULL;
    }
    ts_contour *contour = ts_arena_alloc(arena, (size_t)contours, sizeof *contour);
    for (size_t i = 0; contour && i < contours; i++) {
        uint64_t vertices = ts_take_u64(from);
        uint32_t open = ts_take_u32(from);
        if (open != 0 || vertices < 1 || vertices > from->left / VERTEX_BYTES ||
            (edges += vertices) > TS_OUTLINE_EDGES_MAX) {
            from->bad = true;
            return NULL;
        }
        ts_vertex *vertex = ts_arena_alloc(arena, (size_t)vertices, sizeof *vertex);
        for (size_t k = 0; vertex && k < vertices; k++) {
            vertex[k].x = ts_take_f64(from);
            vertex[k].y = ts_take_f64(from);
            vertex[k].bulge = ts_take_f64(from);
            /* nothing of a pair is farther from its centre than the unit */
            if (!(fabs(vertex[k].x) <= 2 && fabs(vertex[k].y) <= 2 && fabs(vertex[k].bulge) <= bulge_max))
                from->bad = true;
        }
        if (!vertex || from->bad)
            return NULL;
        contour[i] = (ts_contour){.vertex = vertex, .vertex_count = (size_t)vertices};
    }
    *count = (size_t)contours;
    return contour;
}

static ts_status take_outline(ts_bytes *from, const char *name, ts_outline **outline, ts_error *error)
{
    ts_arena arena = {0};
    size_t count = 0;
    ts_contour *contour = take_contours(&arena, from, &count);
    ts_status status;
    if (!contour)
        status = from->bad ? damaged(name, "an outline is not all there, or holds a number that makes no sense", error)
                           : ts_fail_memory(error, 0);
    else
        status = ts_outline_adopt(contour, count, NULL, 0, outline, error);
    if (status == TS_BAD_INPUT)
        status = damaged(name, "an outline encloses no area", error);
    ts_arena_free(&arena);
    return status;
}

static bool is_centred(const ts_outline *outline)
{
    ts_outline_mass mass = ts_outline_get_mass(outline);
    return hypot(mass.centre[0], mass.centre[1]) <= frame_slack && mass.radius <= 1 + frame_slack;
}

static ts_status take_pair(ts_bytes *from, const char *name, const about *a, ts_pair **pair, ts_error *error)
{
    ts_outline *first = NULL, *second = NULL;
    ts_status status = take_outline(from, name, &first, error);
    if (status == TS_OK)
        status = take_outline(from, name, &second, error);
    if (status == TS_OK &&
        !(is_centred(first) && is_centred(second) &&
          fmax(ts_outline_get_mass(first).radius, ts_outline_get_mass(second).radius) >= 1 - frame_slack))
        status = damaged(name, "its outlines are not in the frame and the unit of a pair", error);
    if (status != TS_OK) {
        ts_outline_free(first);
        ts_outline_free(second);
        return status;
    }
    status = ts_pair_adopt(first, second, a->unit, pair, error);
    if (status == TS_OUT_OF_MEMORY)
        return status;
    if (status != TS_OK)
        return damaged(name, "its outlines make no pair", error);
    if ((*pair)->hash_a == a->hash_a && (*pair)->hash_b == a->hash_b)
        return TS_OK;
    ts_pair_free(*pair);
    *pair = NULL;
    return damaged(name, "the hash of its outlines is not that of the outlines it was made for", error);
}

/* The kind's own part, which is the last. */
static ts_status take_own(ts_bytes *from, const char *name, uint32_t kind, ts_network **network, ts_table **table,
                          ts_error *error)
{
    ts_status status = TS_OK;
    const char *problem = NULL;
    if (kind == TS_MAP_NETWORK)
        status = ts_network_take(from, network, &problem, error);
    if (kind == TS_MAP_TABLE) {
        uint64_t size = ts_take_u64(from);
        const unsigned char *bytes = size <= from->left ? ts_take(from, (size_t)size) : NULL;
        if (!bytes)
            problem = "its table is not all there";
        else
            status = ts_table_load(bytes, (size_t)size, table, error);
        if (bytes && status != TS_OK && status != TS_OUT_OF_MEMORY)
            problem = "its table makes no sense";
    }
    if (problem)
        return damaged(name, problem, error);
    if (status == TS_OK && (from->bad || from->left > 0))
        return damaged(name, "there are bytes after its end", error);
    return status;
}

ts_status ts_map_decode(const unsigned char *bytes, size_t size, const char *name, ts_map **map, ts_error *error)
{
    *map = NULL;
    ts_bytes from;
    about a = {0};
    ts_pair *pair = NULL;
    ts_network *network = NULL;
    ts_table *table = NULL;
    TS_TRY(open_envelope(bytes, size, name, &from, error));
    TS_TRY(take_about(&from, name, &a, error));
    TS_TRY(take_pair(&from, name, &a, &pair, error));
    ts_status status = take_own(&from, name, a.kind, &network, &table, error);
    if (status != TS_OK) {
        ts_pair_free(pair);
        ts_network_free(network);
        ts_free(network);
        ts_table_free(table);
        return status;
    }
    ts_map_options options = a.options;
    options.kind = (ts_map_kind)a.kind; /* auto has become one of them */
    status = ts_map_assemble(pair, &options, network, table, map, error);
    if (status == TS_OUT_OF_MEMORY)
        return status;
    if (status != TS_OK)
        return damaged(name, "its options are none that a map can have", error);
    ts_map *made = *map;
    if (a.turned)
        ts_map_turn(made);
    made->info.build_seconds = a.build_seconds;
    made->info.errors = a.errors;
    made->info.options = a.options;
    memcpy(made->made_by, a.made_by, sizeof made->made_by);
    made->made_at = a.made_at;
    return TS_OK;
}

ts_status ts_map_read(const char *path, ts_map **map, ts_error *error)
{
    TS_GIVEN(path, "reading a map", error);
    TS_GIVEN(map, "reading a map", error);
    *map = NULL;
    TS_AUTO_FREE char *bytes = NULL;
    size_t size;
    TS_TRY(ts_file_read(path, TS_MAP_FILE_BYTES_MAX, &bytes, &size, error));
    return ts_map_decode((const unsigned char *)bytes, size, path, map, error);
}
