/* SPDX-License-Identifier: MIT */
/* Files of distance fields:
 *
 *     magic, version, byte order, size of the payload, checksum of these │ payload │ checksum of all before it
 *     payload: key, mesh's box, low corner, side of a cell, cells, values */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/store.h"
#include "shape/mesh_field.h"
#include "shape/mesh_field_parts.h"

/* As of maps: shows up a file that went through a text conversion. */
#define MAGIC  "\x89TSD\r\n\x1a\n"
#define REMEDY "make the field again"

enum {
    MAGIC_BYTES = 8,
    ORDER_MARK = 0x0a0b0c0d,
    PREFIX_BYTES = 32,
    CHECKSUM_BYTES = 8,
    ABOUT_BYTES = 8 + 6 * 8 + 3 * 8 + 8 + 3 * 4,
    VALUE_BYTES = 4
};

static const double length_max = 1e60; /* more than a tree takes, with a margin: products of two stay finite */

static size_t bytes_of(size_t values)
{
    return PREFIX_BYTES + ABOUT_BYTES + VALUE_BYTES * values + CHECKSUM_BYTES;
}

/* ---- Writing ---- */

static unsigned char *put_vec3(unsigned char *to, ts_vec3 v)
{
    return ts_put_f64(ts_put_f64(ts_put_f64(to, v.x), v.y), v.z);
}

ts_status ts_mesh_field_encode(const ts_mesh_field *field, unsigned char **bytes, size_t *size, ts_error *error)
{
    size_t values = ts_mesh_field_value_count(field->cells);
    *size = bytes_of(values);
    *bytes = ts_alloc_raw(*size, 1);
    if (!*bytes)
        return ts_fail_memory(error, *size);
    memcpy(*bytes, MAGIC, MAGIC_BYTES);
    unsigned char *to = ts_put_u32(*bytes + MAGIC_BYTES, TS_FIELD_FILE_VERSION);
    to = ts_put_u32(to, ORDER_MARK);
    to = ts_put_u64(to, *size - PREFIX_BYTES - CHECKSUM_BYTES);
    to = ts_put_u64(to, ts_hash(*bytes, (size_t)(to - *bytes), 0));
    to = ts_put_u64(to, field->key);
    to = put_vec3(to, field->box.low);
    to = put_vec3(to, field->box.high);
    to = put_vec3(to, field->low);
    to = ts_put_f64(to, field->cell);
    for (int k = 0; k < 3; k++)
        to = ts_put_u32(to, (uint32_t)field->cells[k]);
    for (size_t i = 0; i < values; i++)
        to = ts_put_f32(to, field->value[i]);
    ts_put_u64(to, ts_hash(*bytes, *size - CHECKSUM_BYTES, 0));
    return TS_OK;
}

/* ---- Reading ---- */

static ts_status damaged(const char *name, const char *what, ts_error *error)
{
    return ts_fail(error, TS_CORRUPT, "the distance field %s is damaged: %s; " REMEDY, name, what);
}

/* What can be said without looking into the payload. */
static ts_status check_envelope(const unsigned char *bytes, size_t size, const char *name, ts_error *error)
{
    if (size < MAGIC_BYTES || memcmp(bytes, MAGIC, MAGIC_BYTES) != 0)
        return ts_fail(error, TS_CORRUPT, "%s is not a distance field; give a file that ts_mesh_field_write wrote",
                       name);
    if (size < bytes_of(0))
        return damaged(name, "it ends early", error);
    ts_bytes prefix = ts_bytes_of(bytes + MAGIC_BYTES, PREFIX_BYTES - MAGIC_BYTES);
    uint32_t version = ts_take_u32(&prefix), order = ts_take_u32(&prefix);
    uint64_t length = ts_take_u64(&prefix);
    if (ts_take_u64(&prefix) != ts_hash(bytes, PREFIX_BYTES - CHECKSUM_BYTES, 0) || order != ORDER_MARK)
        return damaged(name, "its first bytes are not what was written", error);
    if (version != TS_FIELD_FILE_VERSION)
        return ts_fail(error, TS_UNSUPPORTED,
                       "the distance field %s has version %" PRIu32 ", but this program reads version %d; " REMEDY,
                       name, version, TS_FIELD_FILE_VERSION);
    if (length != size - PREFIX_BYTES - CHECKSUM_BYTES)
        return damaged(name, "it is not as long as it should be", error);
    ts_bytes last = ts_bytes_of(bytes + size - CHECKSUM_BYTES, CHECKSUM_BYTES);
    if (ts_take_u64(&last) != ts_hash(bytes, size - CHECKSUM_BYTES, 0))
        return damaged(name, "it has a wrong checksum", error);
    return TS_OK;
}

static ts_vec3 take_vec3(ts_bytes *from)
{
    double x = ts_take_f64(from), y = ts_take_f64(from), z = ts_take_f64(from);
    if (!(fabs(x) <= length_max && fabs(y) <= length_max && fabs(z) <= length_max))
        from->bad = true;
    return (ts_vec3){x, y, z};
}

/* Whether a box lies in the grid, as that of a mesh does: then a point outside of the grid is outside of the box. */
static bool holds(const ts_mesh_field *field)
{
    ts_box3 grid = ts_mesh_field_get_info(field).grid, box = field->box;
    return box.low.x <= box.high.x && box.low.y <= box.high.y && box.low.z <= box.high.z && grid.low.x < box.low.x &&
           grid.low.y < box.low.y && grid.low.z < box.low.z && grid.high.x > box.high.x && grid.high.y > box.high.y &&
           grid.high.z > box.high.z;
}

ts_status ts_mesh_field_decode(const unsigned char *bytes, size_t size, const char *name, ts_mesh_field **field,
                               ts_error *error)
{
    *field = NULL;
    TS_TRY(check_envelope(bytes, size, name, error));
    ts_bytes from = ts_bytes_of(bytes + PREFIX_BYTES, size - PREFIX_BYTES - CHECKSUM_BYTES);
    ts_mesh_field about = {.key = ts_take_u64(&from)};
    about.box.low = take_vec3(&from);
    about.box.high = take_vec3(&from);
    about.low = take_vec3(&from);
    about.cell = ts_take_f64(&from);
    for (int k = 0; k < 3; k++) {
        uint32_t cells = ts_take_u32(&from);
        about.cells[k] = cells <= INT32_MAX ? (int32_t)cells : 0;
    }
    about.per_metre = 1 / about.cell;
    size_t values = ts_mesh_field_value_count(about.cells);
    if (from.bad || values == 0 || from.left != VALUE_BYTES * values)
        return damaged(name, "its numbers of cells and values do not belong together", error);
    if (!(about.cell >= 1 / length_max && about.cell <= length_max && holds(&about)))
        return damaged(name, "its boxes make no sense", error);
    ts_mesh_field *made;
    TS_TRY(ts_mesh_field_alloc(about.cells, &made, error));
    about.value = made->value;
    about.kernel = made->kernel;
    *made = about;
    bool finite = true;
    for (size_t i = 0; i < values; i++) {
        made->value[i] = ts_take_f32(&from);
        finite = finite && isfinite(made->value[i]);
    }
    if (!finite) {
        ts_mesh_field_free(made);
        return damaged(name, "a value is not finite", error);
    }
    *field = made;
    return TS_OK;
}

/* ---- Kept ones ---- */

/* NULL when there is none, or one that is of no use. */
static ts_status find(ts_stored stored, ts_mesh_field **field, ts_error *error)
{
    *field = NULL;
    char *bytes;
    size_t size;
    ts_error own;
    TS_TRY(ts_store_find(stored, bytes_of(TS_FIELD_VALUES_MAX), &bytes, &size, error));
    if (!bytes)
        return TS_OK;
    ts_status status = ts_mesh_field_decode((const unsigned char *)bytes, size, "of the cache", field, &own);
    ts_free(bytes);
    if (status == TS_OUT_OF_MEMORY)
        return ts_fail_memory(error, size);
    if (*field && (*field)->key != stored.key) {
        ts_mesh_field_free(*field);
        *field = NULL;
    }
    if (*field)
        (*field)->from_cache = true;
    return TS_OK;
}

ts_status ts_mesh_field_obtain(const ts_mesh *mesh, const ts_field_wish *wish, ts_pool *pool, const char *folder,
                               ts_mesh_field **field, ts_error *error)
{
    ts_stored stored = {folder, ts_mesh_field_key(mesh, wish), "tsfield"};
    TS_TRY(find(stored, field, error));
    if (*field)
        return TS_OK;
    TS_TRY(ts_mesh_field_create(mesh, wish, pool, field, error));
    unsigned char *bytes;
    size_t size;
    if (!folder || folder[0] == 0 || ts_mesh_field_encode(*field, &bytes, &size, NULL) != TS_OK)
        return TS_OK;
    (void)ts_store_keep(stored, bytes, size, NULL); /* next time it is made again */
    ts_free(bytes);
    return TS_OK;
}
