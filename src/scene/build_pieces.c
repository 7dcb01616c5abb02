/* SPDX-License-Identifier: MIT */
/* Pieces of shapes of space. Whether points span a volume, and whether a surface is closed, is found out when the scene
 * is compiled: it takes the work of making hulls and meshes. */
#include <math.h>

#include "base/vec.h"
#include "scene/build.h"
#include "scene/smooth.h"
#include "shape/mesh_field.h"

/* Lengths and pieces smaller than this share of their shape are lost in the rounding of positions. */
#define PIECE_SHARE_MIN 1e-9

/* The box of a list of points. Every number is checked. */
static ts_status check_points(const ts_check *c, const ts_piece_def *p, size_t least, ts_box3 *box)
{
    if (p->point_count < least || !p->point)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "shape: a %s has %zu points; give at least %zu",
                          p->kind == TS_PIECE_HULL ? "hull" : "mesh", p->point ? p->point_count : 0, least);
    if (p->point_count > (size_t)INT32_MAX)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "shape: %zu points are too many for one piece; thin them",
                          p->point_count);
    *box = (ts_box3){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (size_t i = 0; i < p->point_count; i++) {
        TS_TRY(ts_check_vector3(c, "a point", p->point[i]));
        ts_vec3 at = {p->point[i][0], p->point[i][1], p->point[i][2]};
        box->low = ts_vec3_min(box->low, at);
        box->high = ts_vec3_max(box->high, at);
    }
    return TS_OK;
}

static ts_status check_triangles(const ts_check *c, const ts_piece_def *p)
{
    if (p->triangle_count < 4 || !p->triangle)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "shape: a mesh has %zu triangles; give a closed surface, of at least 4",
                          p->triangle ? p->triangle_count : 0);
    if (p->triangle_count > TS_MESH_TRIANGLES_MAX)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "shape: a mesh has %zu triangles; give at most %zu",
                          p->triangle_count, TS_MESH_TRIANGLES_MAX);
    for (size_t i = 0; i < p->triangle_count; i++) {
        const int32_t *t = p->triangle[i];
        for (int k = 0; k < 3; k++)
            if (t[k] < 0 || (size_t)t[k] >= p->point_count)
                return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                                  "shape: triangle %zu of a mesh has corner %d, but its points are 0 to %zu", i,
                                  (int)t[k], p->point_count - 1);
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0])
            return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                              "shape: triangle %zu of a mesh has one corner twice, (%d, %d, %d); leave it out", i,
                              (int)t[0], (int)t[1], (int)t[2]);
    }
    if (p->cells != 0 && (p->cells < TS_FIELD_CELLS_MIN || p->cells > TS_FIELD_CELLS_MAX))
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "shape: cells is %d; give %d to %d, or 0 for 64", p->cells,
                          TS_FIELD_CELLS_MIN, TS_FIELD_CELLS_MAX);
    return TS_OK;
}

/* All but its mesh, which compiling makes or looks through. */
static ts_status check_smooth(const ts_check *c, const ts_piece_def *p, ts_box3 *box)
{
    TS_AUTO(ts_sdf_free_at) ts_sdf *sdf = NULL;
    ts_error why;
    if (!p->smooth)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "shape: a smooth body has no pieces; set its def `smooth`");
    const ts_status status = ts_smooth_distance(p->smooth, &sdf, &why);
    if (status != TS_OK)
        return ts_fail_at(c->error, status, c->place, "shape: %s", why.message);
    *box = ts_sdf_bounds(sdf);
    return TS_OK;
}

/* Checks a piece's own numbers; `box` is around it in its own frame, `thin` its smallest length, 0 when that is not
 * known yet. */
static ts_status check_form(const ts_check *c, const ts_piece_def *p, ts_box3 *box, double *thin)
{
    ts_vec3 half = {p->radius, p->radius, p->radius};
    *thin = p->radius;
    if (p->kind == TS_PIECE_SPHERE || p->kind == TS_PIECE_CAPSULE || p->kind == TS_PIECE_CYLINDER)
        TS_TRY(ts_check_positive(c, "radius", p->radius));
    if (p->kind == TS_PIECE_CAPSULE || p->kind == TS_PIECE_CYLINDER)
        TS_TRY(ts_check_positive(c, "length", p->length));
    switch (p->kind) {
    case TS_PIECE_SPHERE:
        break;
    case TS_PIECE_BOX:
        for (int i = 0; i < 3; i++)
            TS_TRY(ts_check_positive(c, "size", p->size[i]));
        half = (ts_vec3){0.5 * p->size[0], 0.5 * p->size[1], 0.5 * p->size[2]};
        *thin = fmin(half.x, fmin(half.y, half.z));
        break;
    case TS_PIECE_CAPSULE:
        half.z += 0.5 * p->length;
        break;
    case TS_PIECE_CYLINDER:
        half.z = 0.5 * p->length;
        *thin = fmin(p->radius, half.z);
        break;
    case TS_PIECE_HULL:
        *thin = 0;
        return check_points(c, p, 4, box);
    case TS_PIECE_MESH:
        *thin = 0;
        TS_TRY(check_points(c, p, 4, box));
        return check_triangles(c, p);
    case TS_PIECE_SUPERQUADRIC:
        for (int i = 0; i < 3; i++)
            TS_TRY(ts_check_positive(c, "size", p->size[i]));
        for (int i = 0; i < 2; i++)
            TS_TRY(ts_check_range(c, "an exponent", p->exponents[i], TS_EXPONENT_MIN, TS_EXPONENT_MAX));
        half = (ts_vec3){p->size[0], p->size[1], p->size[2]};
        *thin = fmin(half.x, fmin(half.y, half.z));
        break;
    case TS_PIECE_SMOOTH:
        *thin = 0;
        return check_smooth(c, p, box);
    default:
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "shape: kind %d of a piece is unknown; choose a sphere, box, capsule, cylinder, hull, mesh, "
                          "superquadric or smooth body",
                          (int)p->kind);
    }
    *box = (ts_box3){ts_vec3_neg(half), half};
    return TS_OK;
}

/* Its own attitude, of unit length: all zero means not turned. */
static ts_status check_attitude(const ts_check *c, ts_piece_def *p)
{
    double *q = p->attitude;
    if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0)
        q[0] = 1;
    return ts_build_attitude(c, "attitude", q);
}

ts_status ts_build_pieces(const ts_check *c, ts_scene_shape *item)
{
    ts_box3 all = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    double thinnest = HUGE_VAL;
    for (size_t i = 0; i < item->piece_count; i++) {
        ts_piece_def *p = &item->piece[i];
        ts_box3 box;
        double thin;
        TS_TRY(check_form(c, p, &box, &thin));
        TS_TRY(ts_check_vector3(c, "position", p->position));
        TS_TRY(check_attitude(c, p));
        double half = p->kind == TS_PIECE_SPHERE || p->kind == TS_PIECE_CAPSULE
                          ? box.high.z
                          : 0.5 * ts_vec3_distance(box.low, box.high);
        thinnest = fmin(thinnest, thin > 0 ? thin : half);
        /* whichever way it is turned, a ball about its middle holds it */
        ts_quat q = {p->attitude[0], p->attitude[1], p->attitude[2], p->attitude[3]};
        ts_vec3 at = ts_vec3_add((ts_vec3){p->position[0], p->position[1], p->position[2]},
                                 ts_quat_apply(q, ts_vec3_lerp(box.low, box.high, 0.5)));
        ts_vec3 around = {half, half, half};
        all.low = ts_vec3_min(all.low, ts_vec3_sub(at, around));
        all.high = ts_vec3_max(all.high, ts_vec3_add(at, around));
    }
    ts_vec3 sides = ts_vec3_sub(all.high, all.low);
    item->size = 0.5 * fmax(sides.x, fmax(sides.y, sides.z));
    if (!(item->size >= TS_SOLID_SIZE_MIN && item->size <= TS_SOLID_SIZE_MAX))
        return ts_fail_at(
            c->error, TS_BAD_INPUT, c->place,
            "shape: its size, %g m, is too small or too large to compute with; give one from %g m to %g m", item->size,
            TS_SOLID_SIZE_MIN, TS_SOLID_SIZE_MAX);
    if (thinnest < PIECE_SHARE_MIN * item->size)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "shape: a length of %g m is too small for a shape of about %g m; give at least %g of it, or "
                          "a body of its own",
                          thinnest, item->size, PIECE_SHARE_MIN);
    double off = ts_vec3_length(ts_vec3_lerp(all.low, all.high, 0.5));
    if (off > item->size / PIECE_SHARE_MIN)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "shape: it lies %g m from its origin, more than %g times its size, where numbers are too "
                          "coarse; move it nearer",
                          off, 1 / PIECE_SHARE_MIN);
    return TS_OK;
}

/* Of a superquadric, too, which is a smooth body of one piece. */
static ts_status keep_smooth(ts_scene *scene, ts_piece_def *p, ts_error *error)
{
    const ts_smooth_piece one = {.kind = TS_SMOOTH_SUPERQUADRIC,
                                 .size = {p->size[0], p->size[1], p->size[2]},
                                 .exponents = {p->exponents[0], p->exponents[1]}};
    ts_smooth_def def = ts_default_smooth(), *kept;
    def.piece = &one;
    def.piece_count = 1;
    def.vertices = p->vertices;
    if (p->kind == TS_PIECE_SMOOTH)
        def = *p->smooth;
    ts_smooth_piece *piece;
    TS_TRY(ts_build_keep(scene, def.piece, def.piece_count, sizeof *piece, &piece, error));
    for (size_t i = 0; i < def.piece_count; i++) {
        ts_smooth_piece *own = &piece[i];
        if (own->point && own->count > 0)
            TS_TRY(ts_build_keep(scene, own->point, own->count, sizeof *own->point, &own->point, error));
        if (own->normal && own->count > 0)
            TS_TRY(ts_build_keep(scene, own->normal, own->count, sizeof *own->normal, &own->normal, error));
    }
    def.piece = piece;
    if (def.point)
        TS_TRY(ts_build_keep(scene, def.point, def.point_count, sizeof *def.point, &def.point, error));
    if (def.triangle)
        TS_TRY(ts_build_keep(scene, def.triangle, def.triangle_count, sizeof *def.triangle, &def.triangle, error));
    TS_TRY(ts_build_keep(scene, &def, 1, sizeof def, &kept, error));
    p->smooth = kept;
    return TS_OK;
}

/* Clears what the kind of each piece has no use for, too. */
ts_status ts_build_keep_pieces(ts_scene *scene, ts_scene_shape *item, ts_error *error)
{
    for (size_t i = 0; i < item->piece_count; i++) {
        ts_piece_def *p = &item->piece[i];
        bool hull = p->kind == TS_PIECE_HULL, mesh = p->kind == TS_PIECE_MESH;
        if (hull || mesh)
            TS_TRY(ts_build_keep(scene, p->point, p->point_count, sizeof *p->point, &p->point, error));
        else
            p->point = NULL, p->point_count = 0;
        if (mesh)
            TS_TRY(ts_build_keep(scene, p->triangle, p->triangle_count, sizeof *p->triangle, &p->triangle, error));
        else
            p->triangle = NULL, p->triangle_count = 0;
        if (p->kind == TS_PIECE_SUPERQUADRIC || p->kind == TS_PIECE_SMOOTH)
            TS_TRY(keep_smooth(scene, p, error));
        else
            p->smooth = NULL;
    }
    return TS_OK;
}
