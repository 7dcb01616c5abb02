/* SPDX-License-Identifier: MIT */
/* Smooth bodies that were made before: <16 hexadecimal digits>.tssmooth, a hash of all that they are made from.
 *
 *     volume, centre, inertia │ vertices, triangles │ points │ corners │ checksum of all before it
 *
 * A file that is damaged counts as not there. */
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/store.h"
#include "scene/smooth.h"
#include "shape/sdf_mass.h"

/* To be raised when meshes or masses would come out otherwise; a change of the distance itself is seen by the key. */
#define GENERATION 2
enum { MASS_NUMBERS = 13, ABOUT_BYTES = 8 * MASS_NUMBERS + 8, CHECKSUM_BYTES = 8 };
#define BYTES_MOST ((size_t)ABOUT_BYTES + CHECKSUM_BYTES + (24 + 48) * (size_t)TS_SDF_BODY_VERTICES_MAX)

/* φ at some points of the body's box: where its bits change, so do meshes. */
static uint64_t probe(const ts_sdf *sdf)
{
    const ts_box3 box = ts_sdf_bounds(sdf);
    const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    double value[64];
    for (int i = 0; i < 64; i++) {
        const int at[3] = {i % 4, i / 4 % 4, i / 16};
        const ts_vec3 share = {(0.5 + at[0]) / 4, (0.5 + at[1]) / 4, (0.5 + at[2]) / 4};
        value[i] = ts_sdf_at(sdf, &rule, ts_vec3_add(box.low, ts_vec3_times(share, ts_vec3_sub(box.high, box.low))));
    }
    return ts_hash(value, sizeof value, GENERATION);
}

static uint64_t key_of(const ts_smooth_def *def, const ts_sdf *sdf)
{
    uint64_t key = probe(sdf);
    const double about[2] = {def->smoothing, (double)def->vertices};
    key = ts_hash(about, sizeof about, key);
    for (size_t i = 0; i < def->piece_count; i++) {
        const ts_smooth_piece *p = &def->piece[i];
        const double kind[3] = {p->kind, p->subtract, p->width};
        key = ts_hash(kind, sizeof kind, key);
        key = ts_hash(p->size, sizeof p->size, key);
        key = ts_hash(p->exponents, sizeof p->exponents, key);
        key = ts_hash(p->position, sizeof p->position, key);
        key = ts_hash(p->attitude, sizeof p->attitude, key);
        if (p->point)
            key = ts_hash(p->point, p->count * sizeof *p->point, key);
        if (p->normal)
            key = ts_hash(p->normal, p->count * sizeof *p->normal, key);
    }
    if (def->point)
        key = ts_hash(def->point, def->point_count * sizeof *def->point, key);
    return def->triangle ? ts_hash(def->triangle, def->triangle_count * sizeof *def->triangle, key) : key;
}

static size_t bytes_of(size_t vertices, size_t triangles)
{
    return ABOUT_BYTES + 24 * vertices + 12 * triangles + CHECKSUM_BYTES;
}

/* ---- Reading ---- */

static void take_mass(ts_bytes *from, ts_solid_mass *mass)
{
    double *const number[4] = {&mass->volume, &mass->centre.x, &mass->centre.y, &mass->centre.z};
    for (int i = 0; i < 4; i++)
        *number[i] = ts_take_f64(from);
    for (int i = 0; i < 9; i++)
        mass->inertia.m[i / 3][i % 3] = ts_take_f64(from);
}

/* Whether the bytes hold a mesh; its indices and whether it is closed are looked at by whoever makes a body of it. */
static ts_status decode(const char *data, size_t size, ts_mesh **mesh, ts_solid_mass *mass, ts_error *error)
{
    if (size < bytes_of(0, 0))
        return TS_OK;
    ts_bytes last = ts_bytes_of(data + size - CHECKSUM_BYTES, CHECKSUM_BYTES), from = ts_bytes_of(data, size);
    if (ts_take_u64(&last) != ts_hash(data, size - CHECKSUM_BYTES, 0))
        return TS_OK;
    take_mass(&from, mass);
    const size_t vertices = ts_take_u32(&from), triangles = ts_take_u32(&from);
    if (!(mass->volume > 0) || vertices > TS_SDF_BODY_VERTICES_MAX || triangles > 4 * TS_SDF_BODY_VERTICES_MAX ||
        size != bytes_of(vertices, triangles))
        return TS_OK;
    TS_AUTO(ts_mesh_free_at) ts_mesh *made = NULL;
    TS_TRY(ts_mesh_create(vertices, triangles, &made, error));
    for (size_t i = 0; i < vertices; i++) {
        const double x = ts_take_f64(&from), y = ts_take_f64(&from), z = ts_take_f64(&from);
        made->vertex[i] = (ts_vec3){x, y, z};
    }
    bool good = true;
    for (size_t i = 0; i < 3 * triangles; i++) {
        const uint32_t corner = ts_take_u32(&from);
        good = good && corner < vertices;
        made->triangle[i / 3][i % 3] = good ? (int32_t)corner : 0;
    }
    if (good)
        *mesh = ts_give(&made);
    return TS_OK;
}

/* Leaves *mesh NULL when there is none. */
static ts_status find(ts_stored stored, ts_mesh **mesh, ts_solid_mass *mass, ts_error *error)
{
    TS_AUTO_FREE char *data = NULL;
    size_t size;
    TS_TRY(ts_store_find(stored, BYTES_MOST, &data, &size, error));
    return data ? decode(data, size, mesh, mass, error) : TS_OK;
}

/* ---- Writing ---- */

/* Next time it is made again if that fails. */
static void keep(ts_stored stored, const ts_mesh *mesh, const ts_solid_mass *mass)
{
    const size_t size = bytes_of(mesh->vertex_count, mesh->triangle_count);
    TS_AUTO_FREE unsigned char *bytes = ts_alloc_raw(size, 1);
    if (!bytes)
        return;
    unsigned char *to = ts_put_f64(bytes, mass->volume);
    to = ts_put_f64(ts_put_f64(ts_put_f64(to, mass->centre.x), mass->centre.y), mass->centre.z);
    for (int i = 0; i < 9; i++)
        to = ts_put_f64(to, mass->inertia.m[i / 3][i % 3]);
    to = ts_put_u32(ts_put_u32(to, (uint32_t)mesh->vertex_count), (uint32_t)mesh->triangle_count);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const ts_vec3 v = mesh->vertex[i];
        to = ts_put_f64(ts_put_f64(ts_put_f64(to, v.x), v.y), v.z);
    }
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++)
        to = ts_put_u32(to, (uint32_t)mesh->triangle[i / 3][i % 3]);
    ts_put_u64(to, ts_hash(bytes, size - CHECKSUM_BYTES, 0));
    (void)ts_store_keep(stored, bytes, size, NULL);
}

/* ---- Bodies ---- */

ts_status ts_smooth_obtain(const ts_smooth_def *def, const char *folder, ts_sdf_body **body, ts_solid_mass *mass,
                           ts_error *error)
{
    const bool quick = def->piece_count == 1 && def->piece[0].kind == TS_SMOOTH_SUPERQUADRIC;
    TS_AUTO(ts_sdf_free_at) ts_sdf *sdf = NULL;
    TS_AUTO(ts_mesh_free_at) ts_mesh *mesh = NULL;
    TS_TRY(ts_smooth_distance(def, &sdf, error));
    const ts_stored stored = {quick ? NULL : folder, key_of(def, sdf), "tssmooth"};
    TS_TRY(find(stored, &mesh, mass, error));
    if (mesh) {
        const ts_status status = ts_sdf_body_create(sdf, mesh, body, NULL);
        if (status == TS_OK) {
            sdf = NULL, mesh = NULL; /* the body has them */
            return TS_OK;
        }
    }
    TS_AUTO(ts_sdf_body_free_at) ts_sdf_body *made = NULL;
    TS_TRY(ts_smooth_create(def, &made, error));
    TS_TRY(ts_sdf_mass(made->sdf, mass, NULL, error));
    keep(stored, made->mesh, mass);
    *body = ts_give(&made);
    return TS_OK;
}

static void scale_primitive(ts_primitive *p, double scale)
{
    p->size = ts_vec3_scale(p->size, scale);
    p->pose.position = ts_vec3_scale(p->pose.position, scale);
    p->width *= scale;
    for (size_t i = 0; i < p->count; i++)
        p->point[i] = ts_vec3_scale(p->point[i], scale);
}

ts_status ts_smooth_scaled(const ts_sdf_body *from, double scale, ts_sdf_body **body, ts_error *error)
{
    const size_t count = ts_sdf_count(from->sdf);
    TS_AUTO_FREE ts_primitive *primitive = NULL;
    TS_AUTO(ts_sdf_free_at) ts_sdf *sdf = NULL;
    TS_AUTO(ts_mesh_free_at) ts_mesh *mesh = NULL;
    TS_TRY(ts_new(&primitive, count, error));
    ts_status status = TS_OK;
    for (size_t i = 0; i < count && status == TS_OK; i++) {
        status = ts_primitive_copy(ts_sdf_primitive(from->sdf, i), &primitive[i], error);
        if (status == TS_OK)
            scale_primitive(&primitive[i], scale);
    }
    if (status == TS_OK)
        status = ts_sdf_create(primitive, count, &sdf, error);
    for (size_t i = 0; i < count; i++)
        ts_primitive_release(&primitive[i]);
    TS_TRY(status);
    TS_TRY(ts_sdf_set_smoothing(sdf, ts_sdf_smoothing(from->sdf), error));
    TS_TRY(ts_mesh_copy(from->mesh, &mesh, error));
    ts_mesh_move(mesh, scale, ts_pose3_identity());
    TS_TRY(ts_sdf_body_create(sdf, mesh, body, error));
    sdf = NULL, mesh = NULL; /* the body has them */
    return TS_OK;
}
