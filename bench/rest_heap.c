/* SPDX-License-Identifier: MIT */
#include "rest_heap.h"

#include <math.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/release.h"
#include "shape/solid_mass.h"
#include "study/study.h"

#define BARS       4
#define BAR_AT     0.2 /* of their middle lines, from the centre [m] */
#define BAR_HALF   0.05
#define BAR_LENGTH 1.0
#define RADIUS     0.5  /* of all other bodies but boxes [m] */
#define JITTER     0.07 /* of discs [m] */

static const struct {
    const char *name;
    int dimension;
    double pitch;
} kind_table[] = {
    [TS_HEAP_HASH] = {"hash", 2, 1.15},   [TS_HEAP_OCTAGONS] = {"octagons", 2, 1.15},
    [TS_HEAP_DISCS] = {"discs", 2, 1.15}, [TS_HEAP_BOXES] = {"boxes", 3, 1.75},
    [TS_HEAP_HULLS] = {"hulls", 3, 1.05},
};

const char *ts_heap_name(ts_heap_kind kind)
{
    return kind_table[kind].name;
}

void ts_heap_free(ts_heap *heap)
{
    ts_outline_free(heap->outline);
    ts_hull_free(heap->hull);
    ts_free(heap->piece);
    ts_free(heap->pose);
    *heap = (ts_heap){0};
}

/* ---- Shapes ---- */

/* A polygon as a convex piece. */
static ts_convex polygon_piece(const ts_vertex *vertex, size_t count)
{
    ts_convex piece = {.point_count = count, .normal_count = count};
    for (size_t i = 0; i < count; i++) {
        const ts_vertex *p = &vertex[i], *q = &vertex[(i + 1) % count];
        piece.point[i] = (ts_vec3){p->x, p->y, 0};
        piece.normal[i] = ts_vec3_unit((ts_vec3){q->y - p->y, p->x - q->x, 0});
    }
    return piece;
}

static ts_status make_hash(ts_heap *heap, ts_error *error)
{
    ts_vertex vertex[BARS][4];
    ts_contour contour[BARS];
    for (int k = 0; k < BARS; k++) {
        const double at = k % 2 ? BAR_AT : -BAR_AT, half = BAR_LENGTH / 2;
        for (int i = 0; i < 4; i++) {
            const double along = i == 0 || i == 3 ? -half : half, across = at + (i < 2 ? -BAR_HALF : BAR_HALF);
            vertex[k][i] = k < 2 ? (ts_vertex){along, across, 0} : (ts_vertex){-across, along, 0};
        }
        contour[k] = (ts_contour){vertex[k], 4, false};
        heap->piece[k] = polygon_piece(vertex[k], 4);
    }
    heap->crowd.piece_count = BARS;
    heap->crowd.thin = BAR_HALF;
    return ts_outline_create(contour, BARS, TS_RULE_NONZERO, &heap->outline, error);
}

static ts_status make_octagon(ts_heap *heap, ts_error *error)
{
    TS_TRY(ts_outline_regular(8, RADIUS, &heap->outline, error));
    const ts_contour c = ts_outline_get_contour(heap->outline, 0);
    heap->piece[0] = polygon_piece(c.vertex, c.vertex_count);
    heap->crowd.thin = RADIUS * cos(TS_PI / 8);
    return TS_OK;
}

static ts_status make_disc(ts_heap *heap, ts_error *error)
{
    heap->piece[0] = (ts_convex){.point_count = 1, .radius = RADIUS};
    heap->crowd.thin = RADIUS;
    return ts_outline_disc(RADIUS, &heap->outline, error);
}

/* Normals and directions of edges that differ by more than their sign. */
static void add_axis(ts_vec3 v, ts_vec3 axis[TS_CONVEX_POINTS_MAX], size_t *count)
{
    for (size_t i = 0; i < *count; i++)
        if (fabs(ts_vec3_dot(v, axis[i])) > 1 - 1e-9)
            return;
    if (*count < TS_CONVEX_POINTS_MAX)
        axis[(*count)++] = v;
}

static ts_status make_polyhedron(ts_heap *heap, ts_error *error)
{
    const ts_hull *hull = heap->hull;
    ts_convex *piece = &heap->piece[0];
    piece->point_count = hull->vertex_count;
    heap->crowd.thin = HUGE_VAL;
    for (size_t i = 0; i < hull->vertex_count; i++)
        piece->point[i] = hull->vertex[i];
    for (size_t i = 0; i < hull->face_count; i++) {
        add_axis(hull->normal[i], piece->normal, &piece->normal_count);
        heap->crowd.thin = fmin(heap->crowd.thin, hull->offset[i]);
    }
    for (size_t i = 0; i < hull->edge_count; i++) {
        const ts_vec3 along = ts_vec3_sub(hull->vertex[hull->edge[i][1]], hull->vertex[hull->edge[i][0]]);
        add_axis(ts_vec3_unit(along), piece->edge, &piece->edge_count);
    }
    ts_solid_mass m;
    TS_TRY(ts_solid_mass_of(&(ts_solid){.kind = TS_SOLID_HULL, .hull = hull}, &m, error));
    heap->mass = TS_HEAP_DENSITY * m.volume;
    heap->inertia = ts_vec3_scale((ts_vec3){m.inertia.m[0][0], m.inertia.m[1][1], m.inertia.m[2][2]}, TS_HEAP_DENSITY);
    return TS_OK;
}

/* (±1, ±1, ±1), (0, ±1/φ, ±φ) and so on around, over √3. */
static ts_status make_dodecahedron(ts_hull **hull, ts_error *error)
{
    const double golden = (1 + sqrt(5)) / 2, r = RADIUS / sqrt(3);
    ts_vec3 point[20];
    for (int i = 0; i < 20; i++) {
        const int sign = i < 8 ? i : (i - 8) % 4, around = i < 8 ? 0 : (i - 8) / 4;
        const double a = sign & 1 ? r : -r, b = sign & 2 ? r : -r, c = sign & 4 ? r : -r;
        const double v[3] = {i < 8 ? c : 0, i < 8 ? a : a / golden, i < 8 ? b : b * golden};
        point[i] = (ts_vec3){v[(3 - around) % 3], v[(4 - around) % 3], v[(5 - around) % 3]};
    }
    return ts_hull_create(point, 20, hull, error);
}

static ts_status make_shape(ts_heap *heap, ts_error *error)
{
    TS_TRY(ts_new(&heap->piece, BARS, error));
    heap->crowd.piece = heap->piece;
    heap->crowd.piece_count = 1;
    if (heap->dimension == 3) {
        if (heap->kind == TS_HEAP_HULLS)
            TS_TRY(make_dodecahedron(&heap->hull, error));
        else
            TS_TRY(ts_hull_box((ts_vec3){0.5, 0.5, 0.5}, &heap->hull, error));
        return make_polyhedron(heap, error);
    }
    TS_TRY((heap->kind == TS_HEAP_HASH       ? make_hash
            : heap->kind == TS_HEAP_OCTAGONS ? make_octagon
                                             : make_disc)(heap, error));
    const ts_outline_mass m = ts_outline_get_mass(heap->outline);
    heap->mass = TS_HEAP_DENSITY * m.area;
    heap->inertia = (ts_vec3){0, 0, TS_HEAP_DENSITY * m.inertia};
    return TS_OK;
}

/* ---- Bodies and walls ---- */

static ts_pose3 start(const ts_heap *heap, size_t columns, size_t i, uint64_t seed)
{
    const double pitch = kind_table[heap->kind].pitch;
    const bool plane = heap->dimension == 2;
    const size_t at[3] = {i % columns, plane ? i / columns : i / columns % columns, i / (columns * columns)};
    ts_random random = ts_random_make(seed, i);
    double place[3], turn[4];
    for (int d = 0; d < 3; d++) {
        place[d] = ((double)at[d] + 0.5) * pitch;
        if (heap->kind == TS_HEAP_DISCS)
            place[d] += ts_random_next_range(&random, -JITTER, JITTER);
    }
    if (plane) {
        const double angle = ts_random_next_range(&random, -TS_PI, TS_PI);
        return (ts_pose3){{place[0], place[1], 0}, {cos(angle / 2), 0, 0, sin(angle / 2)}};
    }
    for (int d = 0; d < 4; d++)
        turn[d] = ts_random_next_normal(&random);
    return (ts_pose3){{place[0], place[1], place[2]}, ts_quat_unit((ts_quat){turn[0], turn[1], turn[2], turn[3]})};
}

static void place_walls(ts_heap *heap)
{
    const bool plane = heap->dimension == 2;
    heap->wall[0] = (ts_bound){{0, plane, !plane}, 0};
    heap->wall[1] = (ts_bound){{1, 0, 0}, 0};
    heap->wall[2] = (ts_bound){{-1, 0, 0}, -heap->width};
    heap->wall[3] = (ts_bound){{0, 1, 0}, 0};
    heap->wall[4] = (ts_bound){{0, -1, 0}, -heap->width};
    heap->crowd.wall = heap->wall;
    heap->crowd.wall_count = plane ? 3 : 5;
}

ts_status ts_heap_make(ts_heap_kind kind, size_t count, uint64_t seed, ts_heap *heap, ts_error *error)
{
    *heap = (ts_heap){.kind = kind, .dimension = kind_table[kind].dimension, .crowd = {.count = count}};
    const double wide = heap->dimension == 2 ? sqrt((double)count) : cbrt((double)count);
    const size_t columns = (size_t)ceil(wide - 1e-9), layer = heap->dimension == 2 ? columns : columns * columns,
                 layers = (count + layer - 1) / layer;
    heap->width = (double)columns * kind_table[kind].pitch;
    heap->height = (double)layers * kind_table[kind].pitch;
    place_walls(heap);
    TS_TRY(make_shape(heap, error));
    TS_TRY(ts_new(&heap->pose, count, error));
    for (size_t i = 0; i < count; i++)
        heap->pose[i] = start(heap, columns, i, seed);
    return TS_OK;
}

/* ---- Scenes ---- */

static ts_status set_rules(ts_scene *scene, const ts_heap *heap, const char *kind, ts_error *error)
{
    if (heap->dimension == 3) {
        ts_space_def space = ts_default_space();
        space.gravity[2] = -TS_HEAP_GRAVITY;
        TS_TRY(ts_scene_set_space(scene, &space, error));
    }
    ts_settings settings = ts_default_settings();
    if (heap->dimension == 2)
        settings.gravity[1] = -TS_HEAP_GRAVITY;
    TS_TRY(ts_scene_set(scene, &settings, error));
    ts_dynamics_def dynamics = ts_default_dynamics();
    dynamics.kind = kind;
    TS_TRY(ts_scene_set_dynamics(scene, &dynamics, error));
    ts_material_def material = ts_default_material();
    material.density = TS_HEAP_DENSITY;
    material.friction = TS_HEAP_FRICTION;
    material.restitution = 0;
    return ts_scene_set_default_material(scene, &material, error);
}

static ts_status add_shape(ts_scene *scene, const ts_heap *heap, ts_error *error)
{
    if (heap->kind == TS_HEAP_DISCS)
        return ts_scene_add_disc(scene, RADIUS, NULL, error);
    if (heap->dimension == 2)
        return ts_scene_add_outline(scene, "grain", heap->outline, NULL, error);
    _Static_assert(sizeof(ts_vec3) == sizeof(double[3]), "points are handed over as numbers");
    const ts_piece_def box = {.kind = TS_PIECE_BOX, .size = {1, 1, 1}},
                       hull = {.kind = TS_PIECE_HULL,
                               .point = (const double(*)[3])heap->hull->vertex,
                               .point_count = heap->hull->vertex_count};
    ts_shape_def solid = ts_default_shape();
    solid.piece = heap->kind == TS_HEAP_HULLS ? &hull : &box;
    solid.piece_count = 1;
    return ts_scene_add_shape(scene, &solid, NULL, error);
}

static void put(double to[3], ts_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static ts_status fill_scene(ts_scene *scene, const ts_heap *heap, const char *dynamics, ts_error *error)
{
    TS_TRY(set_rules(scene, heap, dynamics, error));
    for (size_t i = 0; i < heap->crowd.wall_count; i++) {
        ts_wall_def wall = ts_default_wall();
        put(wall.normal, heap->wall[i].normal);
        put(wall.position, ts_vec3_scale(heap->wall[i].normal, heap->wall[i].offset));
        TS_TRY(ts_scene_add_wall(scene, &wall, NULL, error));
    }
    TS_TRY(add_shape(scene, heap, error));
    for (size_t i = 0; i < heap->crowd.count; i++) {
        const ts_quat q = heap->pose[i].quat;
        ts_body_def body = ts_default_body();
        put(body.position, heap->pose[i].position);
        if (heap->dimension == 2)
            body.angle = 2 * atan2(q.z, q.w);
        else
            for (int k = 0; k < 4; k++)
                body.attitude[k] = (const double[]){q.w, q.x, q.y, q.z}[k];
        TS_TRY(ts_scene_add_body(scene, &body, NULL, error));
    }
    return TS_OK;
}

ts_status ts_heap_scene(const ts_heap *heap, const char *dynamics, ts_scene **scene, ts_error *error)
{
    TS_AUTO(ts_scene_free_at) ts_scene *made = NULL;
    TS_TRY(ts_scene_create(&made, error));
    TS_TRY(fill_scene(made, heap, dynamics, error));
    *scene = ts_give(&made);
    return TS_OK;
}

/* ---- Energy ---- */

double ts_heap_energy(const ts_heap *heap, const ts_pose3 *pose, const ts_twist3 *rate)
{
    double sum = 0;
    for (size_t i = 0; i < heap->crowd.count; i++) {
        const ts_vec3 spin = ts_quat_apply_inverse(pose[i].quat, rate[i].angular);
        sum += 0.5 * ts_vec3_length_squared(rate[i].linear) +
               0.5 * ts_vec3_dot(ts_vec3_times(heap->inertia, spin), spin) / heap->mass;
    }
    return sum / (double)heap->crowd.count;
}
