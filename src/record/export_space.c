/* SPDX-License-Identifier: MIT */
#include "record/export_space.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* Corners that a square can have after five planes have cut it. */
enum { POLYGON_MOST = 16 };

/* ---- Shapes ---- */

int ts_export_segments(const ts_export_job *job)
{
    return ts_solid_segments(job->tolerance > 0 ? job->tolerance : TS_EXPORT_TOLERANCE);
}

static size_t form_triangles(const ts_trajectory_header *header, const ts_form3 *form, int segments)
{
    size_t sum = 0;
    for (size_t i = 0; i < form->piece_count; i++)
        sum += ts_solid_mesh_triangles(&header->piece[form->piece_begin + i].solid, segments);
    return sum;
}

double ts_export_triangles(const ts_trajectory_header *header, int segments)
{
    double sum = 0;
    for (size_t i = 0; header->form_count > 0 && i < header->body_count; i++)
        sum += (double)form_triangles(header, &header->form[header->body[i].form], segments);
    return sum;
}

/* Adds the second mesh to the first, and frees it in any case. */
static ts_status join(ts_mesh **sum, ts_mesh *more, ts_error *error)
{
    if (!*sum) {
        *sum = more;
        return TS_OK;
    }
    ts_mesh *a = *sum, *both;
    ts_status status =
        ts_mesh_create(a->vertex_count + more->vertex_count, a->triangle_count + more->triangle_count, &both, error);
    if (status == TS_OK) {
        memcpy(both->vertex, a->vertex, a->vertex_count * sizeof *a->vertex);
        memcpy(both->vertex + a->vertex_count, more->vertex, more->vertex_count * sizeof *a->vertex);
        memcpy(both->triangle, a->triangle, a->triangle_count * sizeof *a->triangle);
        for (size_t i = 0; i < 3 * more->triangle_count; i++)
            both->triangle[a->triangle_count + i / 3][i % 3] = more->triangle[i / 3][i % 3] + (int32_t)a->vertex_count;
        ts_mesh_free(a);
        *sum = both;
    }
    ts_mesh_free(more);
    return status;
}

static ts_status add_piece(const ts_piece *piece, int segments, ts_mesh **sum, ts_error *error)
{
    ts_mesh *mesh;
    TS_TRY(ts_solid_mesh(&piece->solid, segments, &mesh, error));
    ts_mesh_move(mesh, 1, piece->pose);
    return join(sum, mesh, error);
}

static ts_status make_shapes(const ts_trajectory_header *header, int segments, ts_export_solids *solids,
                             ts_error *error)
{
    for (size_t i = 0; i < header->form_count; i++) {
        const ts_form3 *form = &header->form[i];
        ts_mesh **mesh = &solids->shape[form->shape];
        if (*mesh)
            continue; /* another scale of the same */
        for (size_t k = 0; k < form->piece_count; k++)
            TS_TRY(add_piece(&header->piece[form->piece_begin + k], segments, mesh, error));
        ts_mesh_move(*mesh, 1 / form->scale, ts_pose3_identity());
    }
    return TS_OK;
}

/* ---- Planes ---- */

typedef struct polygon {
    ts_vec3 corner[POLYGON_MOST];
    int count;
} polygon;

/* What lies on the side of a plane that its normal points to. */
static void cut(polygon *p, ts_pose3 plane)
{
    ts_vec3 normal = ts_pose3_apply_vector(plane, (ts_vec3){0, 0, 1});
    polygon kept = {.count = 0};
    for (int i = 0; i < p->count && kept.count + 2 <= POLYGON_MOST; i++) {
        ts_vec3 a = p->corner[i], b = p->corner[(i + 1) % p->count];
        double da = ts_vec3_dot(normal, ts_vec3_sub(a, plane.position)),
               db = ts_vec3_dot(normal, ts_vec3_sub(b, plane.position));
        if (da >= 0)
            kept.corner[kept.count++] = a;
        if ((da < 0) != (db < 0))
            kept.corner[kept.count++] = ts_vec3_lerp(a, b, da / (da - db));
    }
    *p = kept;
}

static const ts_piece *plane_of(const ts_trajectory_header *header, size_t wall)
{
    const ts_piece *piece = &header->piece[header->wall[wall].piece_begin];
    return header->wall[wall].piece_count == 1 && piece->solid.kind == TS_SOLID_PLANE ? piece : NULL;
}

static ts_pose3 plane_pose(const ts_trajectory_header *header, size_t wall)
{
    return ts_pose3_compose(header->wall[wall].pose, plane_of(header, wall)->pose);
}

/* A square of the plane about the foot of the box's middle, cut by the planes that are the same wall; in the world,
 * at rest. */
static polygon plane_polygon(const ts_trajectory_header *header, size_t wall, const ts_box3 *box)
{
    static const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    ts_pose3 pose = plane_pose(header, wall);
    ts_vec3 middle = ts_vec3_lerp(box->low, box->high, 0.5), foot = ts_pose3_apply_inverse(pose, middle);
    double half = ts_vec3_distance(box->low, box->high);
    bool whole = true;
    for (size_t j = 0; j < header->wall_count; j++)
        if (j != wall && header->wall[j].source == header->wall[wall].source && plane_of(header, j)) {
            /* a room's corners are at most √3 as far away as the farthest of its sides' points */
            half = fmax(half, 4 * ts_vec3_distance(plane_pose(header, j).position, middle));
            whole = false;
        }
    polygon p = {.count = 4};
    for (int k = 0; k < 4; k++)
        p.corner[k] = ts_pose3_apply(pose, (ts_vec3){foot.x + half * corner[k][0], foot.y + half * corner[k][1], 0});
    for (size_t j = 0; !whole && j < header->wall_count; j++)
        if (j != wall && header->wall[j].source == header->wall[wall].source && plane_of(header, j))
            cut(&p, plane_pose(header, j));
    return p;
}

static ts_status make_plane(const ts_trajectory_header *header, size_t wall, const ts_box3 *box, ts_mesh **mesh,
                            ts_error *error)
{
    polygon p = plane_polygon(header, wall, box);
    if (p.count < 3)
        return TS_OK;
    TS_TRY(ts_mesh_create((size_t)p.count, (size_t)p.count - 2, mesh, error));
    for (int k = 0; k < p.count; k++)
        (*mesh)->vertex[k] = ts_pose3_apply_inverse(header->wall[wall].pose, p.corner[k]);
    for (int k = 0; k + 2 < p.count; k++) {
        (*mesh)->triangle[k][0] = 0;
        (*mesh)->triangle[k][1] = k + 1;
        (*mesh)->triangle[k][2] = k + 2;
    }
    return TS_OK;
}

static ts_status make_walls(const ts_trajectory_header *header, const ts_box3 *box, int segments,
                            ts_export_solids *solids, ts_error *error)
{
    for (size_t i = 0; i < header->wall_count; i++) {
        const ts_trajectory_wall *wall = &header->wall[i];
        if (plane_of(header, i)) {
            TS_TRY(make_plane(header, i, box, &solids->wall[i], error));
            continue;
        }
        for (size_t k = 0; k < wall->piece_count; k++) {
            const ts_piece *piece = &header->piece[wall->piece_begin + k];
            if (piece->solid.kind != TS_SOLID_PLANE) /* beside other pieces it would hide them */
                TS_TRY(add_piece(piece, segments, &solids->wall[i], error));
        }
    }
    return TS_OK;
}

/* ---- All of it ---- */

static ts_status mesh_of(const ts_trajectory_shape *shape, double share, ts_mesh2 *mesh, ts_error *error)
{
    if (shape->outline)
        return ts_mesh2_of_outline(shape->outline, share * ts_outline_get_mass(shape->outline).radius, mesh, error);
    /* of the largest disc, so that small ones do not look rounder than it */
    double radius = 0;
    for (size_t i = 0; i < shape->disc_count; i++)
        radius = fmax(radius, shape->disc[i].radius);
    return ts_mesh2_of_discs(shape->disc, shape->disc_count, share * radius, mesh, error);
}

ts_status ts_export_surfaces_plane(const ts_export_job *job, const ts_export_range *range, int segments,
                                   ts_export_solids *solids, ts_error *error)
{
    const ts_trajectory_header *header = ts_trajectory_get_header(job->reader);
    const double share = job->tolerance > 0 ? job->tolerance : TS_EXPORT_TOLERANCE;
    (void)range, (void)segments;
    *solids = (ts_export_solids){.shape_count = header->shape_count};
    TS_TRY(ts_new(&solids->flat, header->shape_count, error));
    for (size_t i = 0; i < header->shape_count; i++)
        TS_TRY(mesh_of(&header->shape[i], share, &solids->flat[i], error));
    return TS_OK;
}

ts_status ts_export_surfaces(const ts_export_job *job, const ts_export_range *range, int segments,
                             ts_export_solids *solids, ts_error *error)
{
    return ts_trajectory_get_header(job->reader)->kind->surfaces(job, range, segments, solids, error);
}

ts_status ts_export_surfaces_space(const ts_export_job *job, const ts_export_range *range, int segments,
                                   ts_export_solids *solids, ts_error *error)
{
    const ts_trajectory_header *header = ts_trajectory_get_header(job->reader);
    ts_box3 box;
    TS_TRY(ts_export_survey(job, range, &box, error));
    *solids = (ts_export_solids){.shape_count = header->shape_count, .wall_count = header->wall_count};
    TS_TRY(ts_new(&solids->shape, header->shape_count + 1, error)); // NOLINT(bugprone-sizeof-expression): of pointers
    TS_TRY(ts_new(&solids->wall, header->wall_count + 1, error));   // NOLINT(bugprone-sizeof-expression): of pointers
    TS_TRY(make_shapes(header, segments, solids, error));
    return make_walls(header, &box, segments, solids, error);
}

void ts_export_solids_free(ts_export_solids *solids)
{
    for (size_t i = 0; solids->shape && i < solids->shape_count; i++)
        ts_mesh_free(solids->shape[i]);
    for (size_t i = 0; solids->wall && i < solids->wall_count; i++)
        ts_mesh_free(solids->wall[i]);
    for (size_t i = 0; solids->flat && i < solids->shape_count; i++)
        ts_mesh2_free(&solids->flat[i]);
    ts_free(solids->flat);
    ts_free(solids->shape);
    ts_free(solids->wall);
    *solids = (ts_export_solids){0};
}

/* ---- For renderers ---- */

ts_status ts_export_shapes(const ts_export_job *job, const ts_export_solids *solids, ts_mesh3 **mesh, ts_error *error)
{
    const double depth = ts_export_depth(job);
    ts_status status = ts_new(mesh, solids->shape_count + 1, error);
    for (size_t i = 0; i < solids->shape_count && status == TS_OK; i++)
        if (solids->flat)
            status = ts_mesh2_extrude(&solids->flat[i], depth, &(*mesh)[i], error);
        else if (solids->shape[i])
            status = ts_mesh_shade(solids->shape[i], &(*mesh)[i], error);
    if (status != TS_OK) {
        ts_export_shapes_free(job, *mesh);
        *mesh = NULL;
    }
    return status;
}

void ts_export_shapes_free(const ts_export_job *job, ts_mesh3 *mesh)
{
    for (size_t i = 0; mesh && i < ts_trajectory_get_header(job->reader)->shape_count; i++)
        ts_mesh3_free(&mesh[i]);
    ts_free(mesh);
}
