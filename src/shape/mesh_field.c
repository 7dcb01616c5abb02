/* SPDX-License-Identifier: MIT */
#include "shape/mesh_field.h"

#include <math.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/kernel.h"
#include "base/memory.h"
#include "shape/mesh_field_parts.h"
#include "shape/mesh_tree.h"

static const double margin_max = 10;    /* over the longest side */
static const double inside_out = -1e-9; /* a volume below, over that of the box's longest side, is no rounding */

TS_KERNEL_CHOOSER(ts_mesh_field_kernels, ts_mesh_field)

/* ---- What is wished ---- */

static ts_field_wish complete(const ts_field_wish *wish)
{
    ts_field_wish w = wish ? *wish : (ts_field_wish){0};
    if (w.cells == 0)
        w.cells = 64;
    if (w.margin == 0)
        w.margin = 0.1;
    return w;
}

static ts_status check_wish(const ts_field_wish *w, ts_error *error)
{
    if (w->cells < TS_FIELD_CELLS_MIN || w->cells > TS_FIELD_CELLS_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a distance field of %d cells is not possible; choose %d to %d", w->cells,
                       TS_FIELD_CELLS_MIN, TS_FIELD_CELLS_MAX);
    if (!(w->margin > 0 && w->margin <= margin_max))
        return ts_fail(error, TS_BAD_INPUT,
                       "a distance field with a margin of %g is not possible; choose a share of the longest side, "
                       "above 0 and at most %g",
                       w->margin, margin_max);
    return TS_OK;
}

uint64_t ts_mesh_field_key(const ts_mesh *mesh, const ts_field_wish *wish)
{
    ts_field_wish w = complete(wish);
    unsigned char bytes[32], *end = bytes;
    end = ts_put_u32(end, TS_FIELD_FILE_VERSION);
    end = ts_put_u32(end, TS_FIELD_GENERATION);
    end = ts_put_u64(end, ts_mesh_hash(mesh));
    end = ts_put_u32(end, (uint32_t)w.cells);
    end = ts_put_f64(end, w.margin);
    return ts_hash(bytes, (size_t)(end - bytes), 0);
}

/* ---- Room ---- */

size_t ts_mesh_field_value_count(const int32_t cells[3])
{
    size_t count = 1;
    for (int k = 0; k < 3; k++) {
        if (cells[k] < 1 || (size_t)cells[k] + 3 > TS_FIELD_VALUES_MAX / count)
            return 0;
        count *= (size_t)cells[k] + 3;
    }
    return count;
}

ts_status ts_mesh_field_alloc(const int32_t cells[3], ts_mesh_field **field, ts_error *error)
{
    *field = NULL;
    size_t count = ts_mesh_field_value_count(cells);
    if (count == 0)
        return ts_fail(error, TS_BAD_INPUT,
                       "a distance field of %d × %d × %d cells has too many; choose fewer cells or a smaller margin",
                       (int)cells[0], (int)cells[1], (int)cells[2]);
    ts_mesh_field *made = ts_alloc(1, sizeof *made);
    float *value = ts_alloc_raw(count, sizeof *value);
    if (!made || !value) {
        ts_free(made);
        ts_free(value);
        return ts_fail_memory(error, count * sizeof *value);
    }
    for (int k = 0; k < 3; k++)
        made->cells[k] = cells[k];
    made->value = value;
    made->kernel = ts_mesh_field_choose();
    *field = made;
    return TS_OK;
}

void ts_mesh_field_free(ts_mesh_field *field)
{
    if (!field)
        return;
    ts_free(field->value);
    ts_free(field);
}

size_t ts_mesh_field_bytes(const ts_mesh_field *field)
{
    return sizeof *field + ts_mesh_field_value_count(field->cells) * sizeof *field->value;
}

/* ---- Making ---- */

/* Cells of equal sides about the middle of the box. */
static ts_status lay_out(ts_box3 box, const ts_field_wish *w, ts_mesh_field **field, ts_error *error)
{
    ts_vec3 side = ts_vec3_sub(box.high, box.low);
    double longest = fmax(side.x, fmax(side.y, side.z)), h = longest / w->cells;
    if (!(longest > 1e-9 * ts_vec3_length(ts_vec3_max(box.high, ts_vec3_neg(box.low)))))
        return ts_fail(error, TS_BAD_INPUT,
                       "a mesh of size %g m is too far from its origin, or has no size at all; move it there", longest);
    const double span[3] = {side.x, side.y, side.z},
                 middle[3] = {box.low.x + 0.5 * side.x, box.low.y + 0.5 * side.y, box.low.z + 0.5 * side.z};
    double margin = fmax(w->margin * longest, h), low[3];
    int32_t cells[3];
    for (int k = 0; k < 3; k++) {
        /* at most 512 · 21; a part of a cell that is owed to rounding alone is left out */
        cells[k] = (int32_t)ceil((span[k] + 2 * margin) / h - 1e-9);
        low[k] = middle[k] - 0.5 * cells[k] * h;
    }
    TS_TRY(ts_mesh_field_alloc(cells, field, error));
    (*field)->low = (ts_vec3){low[0], low[1], low[2]};
    (*field)->cell = h;
    (*field)->per_metre = 1 / h;
    (*field)->box = box;
    return TS_OK;
}

typedef struct filling {
    const ts_mesh_tree *tree;
    ts_mesh_field *field;
} filling;

/* One layer of values, z the same. Each search starts from the triangle that was nearest to a neighbour, within the
 * layer: what a layer becomes depends on nothing else. */
static void fill_layer(void *context, int layer, int thread)
{
    (void)thread;
    const filling *f = context;
    ts_mesh_field *field = f->field;
    int32_t nx = field->cells[0] + 3, ny = field->cells[1] + 3, row = -1;
    float *value = field->value + (size_t)layer * (size_t)ny * (size_t)nx;
    for (int32_t j = 0; j < ny; j++) {
        int32_t triangle = row;
        for (int32_t i = 0; i < nx; i++) {
            ts_vec3 p = {field->low.x + (i - 1) * field->cell, field->low.y + (j - 1) * field->cell,
                         field->low.z + (layer - 1) * field->cell};
            ts_mesh_nearest n = ts_mesh_tree_nearest_from(f->tree, p, triangle);
            *value++ = (float)(n.distance * field->per_metre);
            triangle = n.triangle;
            if (i == 0)
                row = triangle;
        }
    }
}

ts_status ts_mesh_field_create(const ts_mesh *mesh, const ts_field_wish *wish, ts_pool *pool, ts_mesh_field **field,
                               ts_error *error)
{
    *field = NULL;
    ts_field_wish w = complete(wish);
    ts_mesh_tree *tree;
    TS_TRY(check_wish(&w, error));
    TS_TRY(ts_mesh_tree_create(mesh, &tree, error));
    ts_mesh_field *made = NULL;
    ts_box3 box = ts_mesh_bounds(mesh);
    ts_vec3 side = ts_vec3_sub(box.high, box.low);
    double longest = fmax(side.x, fmax(side.y, side.z));
    ts_status status;
    if (ts_mesh_tree_volume(tree) < inside_out * longest * longest * longest)
        status = ts_fail(error, TS_BAD_INPUT,
                         "a mesh is inside out: its triangles are clockwise seen from outside; turn them round");
    else
        status = lay_out(box, &w, &made, error);
    if (status == TS_OK) {
        made->key = ts_mesh_field_key(mesh, &w);
        ts_pool_run(pool, made->cells[2] + 3, fill_layer, &(filling){tree, made});
        *field = made;
    }
    ts_mesh_tree_free(tree);
    return status;
}

/* ---- Asking ---- */

ts_field_info ts_mesh_field_get_info(const ts_mesh_field *field)
{
    ts_field_info info = {.box = field->box, .cell = field->cell, .from_cache = field->from_cache};
    for (int k = 0; k < 3; k++)
        info.cells[k] = field->cells[k];
    ts_vec3 n = {field->cells[0], field->cells[1], field->cells[2]};
    info.grid = (ts_box3){field->low, ts_vec3_add_scaled(field->low, n, field->cell)};
    return info;
}

uint64_t ts_mesh_field_hash(const ts_mesh_field *field)
{
    ts_hash_stream stream;
    ts_hash_begin(&stream, 0);
    ts_hash_add(&stream, &field->low, sizeof field->low);
    ts_hash_add(&stream, &field->cell, sizeof field->cell);
    ts_hash_add(&stream, field->cells, sizeof field->cells);
    ts_hash_add(&stream, &field->box, sizeof field->box);
    ts_hash_add(&stream, field->value, ts_mesh_field_value_count(field->cells) * sizeof *field->value);
    return ts_hash_end(&stream);
}

static double beyond(double x, double low, double high)
{
    return x < low ? x - low : x > high ? x - high : 0;
}

/* From the mesh's box. */
static ts_field_answer bound_at(const ts_mesh_field *field, ts_vec3 p)
{
    const ts_box3 *box = &field->box;
    ts_vec3 r = {beyond(p.x, box->low.x, box->high.x), beyond(p.y, box->low.y, box->high.y),
                 beyond(p.z, box->low.z, box->high.z)};
    if (!ts_vec3_is_finite(p))
        return (ts_field_answer){isnan(p.x + p.y + p.z) ? (double)NAN : HUGE_VAL, {0, 0, 0}, false};
    double unit = fmax(fabs(r.x), fmax(fabs(r.y), fabs(r.z))); /* however far, squares must not overflow */
    ts_vec3 s = ts_vec3_scale(r, 1 / unit);
    double length = ts_vec3_length(s);
    return (ts_field_answer){length * unit, ts_vec3_scale(s, 1 / length), false};
}

ts_field_answer ts_mesh_field_at(const ts_mesh_field *field, ts_vec3 point)
{
    double x = (point.x - field->low.x) * field->per_metre, y = (point.y - field->low.y) * field->per_metre,
           z = (point.z - field->low.z) * field->per_metre;
    const int32_t *cells = field->cells;
    if (!(x >= 0 && y >= 0 && z >= 0 && x <= cells[0] && y <= cells[1] && z <= cells[2]))
        return bound_at(field, point);
    return field->kernel->at(field, x, y, z);
}
