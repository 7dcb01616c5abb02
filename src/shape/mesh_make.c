/* SPDX-License-Identifier: MIT */
#include "shape/mesh_make.h"

#include <stdlib.h>

#include "base/memory.h"

static ts_status check_count(const char *what, int count, int least, ts_error *error)
{
    if (count < least || count > TS_MESH_MAKE_CELLS_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a mesh has %d %s; give %d to %d", count, what, least,
                       TS_MESH_MAKE_CELLS_MAX);
    return TS_OK;
}

static ts_status check_length(const char *what, double length, ts_error *error)
{
    if (!(length > 0) || !isfinite(length))
        return ts_fail(error, TS_BAD_INPUT, "the %s of a mesh is %g m, but must be positive", what, length);
    return TS_OK;
}

/* Appends to a mesh that has room. */
typedef struct pen {
    ts_mesh *mesh;
    size_t triangles;
} pen;

static void put_triangle(pen *p, size_t a, size_t b, size_t c)
{
    int32_t *t = p->mesh->triangle[p->triangles++];
    t[0] = (int32_t)a;
    t[1] = (int32_t)b;
    t[2] = (int32_t)c;
}

/* a, b, c, d counter-clockwise from outside. */
static void put_quad(pen *p, size_t a, size_t b, size_t c, size_t d)
{
    put_triangle(p, a, b, c);
    put_triangle(p, a, c, d);
}

/* ---- Box ---- */

/* The number of a lattice point on the surface of a cube of n cells: layer by layer, of which the first and last are
 * full. */
static size_t surface_number(size_t n, size_t i, size_t j, size_t k)
{
    size_t full = (n + 1) * (n + 1), rim = 4 * n;
    if (k == 0 || k == n)
        return (k == 0 ? 0 : full + (n - 1) * rim) + i + (n + 1) * j;
    size_t around = j == 0 ? i : i == n ? n + j : j == n ? 3 * n - i : 4 * n - j;
    return full + (k - 1) * rim + around;
}

ts_status ts_mesh_make_box(ts_vec3 half, int cells, ts_mesh **mesh, ts_error *error)
{
    TS_TRY(check_length("half extent", fmin(half.x, fmin(half.y, half.z)), error));
    TS_TRY(check_length("half extent", fmax(half.x, fmax(half.y, half.z)), error));
    TS_TRY(check_count("cells", cells, 1, error));
    size_t n = (size_t)cells;
    TS_TRY(ts_mesh_create(6 * n * n + 2, 12 * n * n, mesh, error));
    pen p = {*mesh, 0};
    for (size_t k = 0; k <= n; k++)
        for (size_t j = 0; j <= n; j++)
            for (size_t i = 0; i <= n; i++)
                if (i == 0 || j == 0 || k == 0 || i == n || j == n || k == n) {
                    double x = (double)(2 * (int64_t)i - cells) / cells, y = (double)(2 * (int64_t)j - cells) / cells;
                    double z = (double)(2 * (int64_t)k - cells) / cells;
                    (*mesh)->vertex[surface_number(n, i, j, k)] = (ts_vec3){x * half.x, y * half.y, z * half.z};
                }
    for (int axis = 0; axis < 3; axis++)
        for (int end = 0; end < 2; end++)
            for (size_t u = 0; u < n; u++)
                for (size_t v = 0; v < n; v++) {
                    size_t corner[4];
                    for (int c = 0; c < 4; c++) { /* counter-clockwise in (u, v), which with the axis is right-handed */
                        size_t at[3];
                        at[axis] = end ? n : 0;
                        at[(axis + 1) % 3] = u + (c == 1 || c == 2);
                        at[(axis + 2) % 3] = v + (c == 2 || c == 3);
                        corner[end ? c : 3 - c] = surface_number(n, at[0], at[1], at[2]);
                    }
                    put_quad(&p, corner[0], corner[1], corner[2], corner[3]);
                }
    return TS_OK;
}

/* ---- Spheres ---- */

/* The icosahedron: corners are the poles and two rings of five; faces counter-clockwise from outside. */
static const int ico_face[20][3] = {{0, 1, 2},  {0, 2, 3},  {0, 3, 4},  {0, 4, 5},  {0, 5, 1},   {1, 6, 2},  {2, 7, 3},
                                    {3, 8, 4},  {4, 9, 5},  {5, 10, 1}, {6, 7, 2},  {7, 8, 3},   {8, 9, 4},  {9, 10, 5},
                                    {10, 6, 1}, {11, 7, 6}, {11, 8, 7}, {11, 9, 8}, {11, 10, 9}, {11, 6, 10}};

static ts_vec3 ico_corner(int i)
{
    if (i == 0 || i == 11)
        return (ts_vec3){0, 0, i == 0 ? 1 : -1};
    double angle = 2 * TS_PI / 5 * ((i - 1) % 5) + (i > 5 ? TS_PI / 5 : 0), z = i > 5 ? -sqrt(0.2) : sqrt(0.2);
    return (ts_vec3){sqrt(0.8) * cos(angle), sqrt(0.8) * sin(angle), z};
}

/* Which of the 30 edges joins two corners: found by going through all pairs of neighbours in order. */
static int ico_edge(int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a, number = 0;
    for (int i = 0; i < 12; i++)
        for (int j = i + 1; j < 12; j++) {
            /* neighbours have a scalar product of 1/√5, others −1/√5 or −1 */
            if (ts_vec3_dot(ico_corner(i), ico_corner(j)) < 0)
                continue;
            if (i == low && j == high)
                return number;
            number++;
        }
    return -1; /* not between corners of a face */
}

/* Numbers of the points of one face; its point (i, j) is at ((n − i − j) A + i B + j C) / n. */
typedef struct ico_patch {
    size_t n, face;
    int corner[3], edge[3]; /* edge k: from corner k to k + 1 */
} ico_patch;

static size_t ico_number(const ico_patch *patch, size_t i, size_t j)
{
    size_t n = patch->n, weight[3] = {n - i - j, i, j};
    for (int k = 0; k < 3; k++) {
        if (weight[k] == n)
            return (size_t)patch->corner[k];
        int next = (k + 1) % 3;
        if (weight[(k + 2) % 3] == 0 && weight[k] < n && weight[next] < n && weight[next] > 0) {
            size_t step = patch->corner[k] < patch->corner[next] ? weight[next] : weight[k];
            return 12 + (size_t)patch->edge[k] * (n - 1) + step - 1;
        }
    }
    /* inside: rows of i = 1, …, n − 2 with n − 1 − i points each */
    size_t before = (i - 1) * (n - 1) - (i - 1) * i / 2;
    return 12 + 30 * (n - 1) + patch->face * ((n - 1) * (n - 2) / 2) + before + j - 1;
}

ts_status ts_mesh_make_icosphere(double radius, int cells, ts_mesh **mesh, ts_error *error)
{
    TS_TRY(check_length("radius", radius, error));
    TS_TRY(check_count("cells", cells, 1, error));
    size_t n = (size_t)cells;
    TS_TRY(ts_mesh_create(10 * n * n + 2, 20 * n * n, mesh, error));
    pen p = {*mesh, 0};
    for (size_t f = 0; f < 20; f++) {
        ico_patch patch = {.n = n, .face = f};
        ts_vec3 at[3];
        for (int k = 0; k < 3; k++) {
            patch.corner[k] = ico_face[f][k];
            patch.edge[k] = ico_edge(ico_face[f][k], ico_face[f][(k + 1) % 3]);
            at[k] = ico_corner(ico_face[f][k]);
        }
        for (size_t i = 0; i <= n; i++)
            for (size_t j = 0; i + j <= n; j++) {
                ts_vec3 v = ts_vec3_scale(at[0], (double)(n - i - j));
                v = ts_vec3_add_scaled(ts_vec3_add_scaled(v, at[1], (double)i), at[2], (double)j);
                (*mesh)->vertex[ico_number(&patch, i, j)] = ts_vec3_scale(ts_vec3_unit(v), radius);
                if (i + j < n)
                    put_triangle(&p, ico_number(&patch, i, j), ico_number(&patch, i + 1, j),
                                 ico_number(&patch, i, j + 1));
                if (i + j + 1 < n)
                    put_triangle(&p, ico_number(&patch, i + 1, j), ico_number(&patch, i + 1, j + 1),
                                 ico_number(&patch, i, j + 1));
            }
    }
    return TS_OK;
}

ts_status ts_mesh_make_uv_sphere(double radius, int rings, int sectors, ts_mesh **mesh, ts_error *error)
{
    TS_TRY(check_length("radius", radius, error));
    TS_TRY(check_count("rings", rings, 2, error));
    size_t count = (size_t)rings + 1;
    TS_AUTO_FREE ts_vec2 *profile = NULL;
    TS_TRY(ts_new(&profile, count, error));
    for (size_t i = 0; i < count; i++) { /* from the south pole to the north pole, both on the axis exactly */
        double angle = TS_PI * ((double)i / rings - 0.5);
        bool pole = i == 0 || i + 1 == count;
        profile[i] = (ts_vec2){pole ? 0 : radius * cos(angle), radius * sin(angle)};
    }
    return ts_mesh_make_lathe(profile, count, sectors, mesh, error);
}

/* ---- Tubes ---- */

ts_status ts_mesh_make_tube(const ts_vec3 *centre, const ts_vec3 *across, size_t count, double radius, int around,
                            ts_mesh **mesh, ts_error *error)
{
    TS_TRY(check_length("radius", radius, error));
    TS_TRY(check_count("sides around", around, 3, error));
    if (count < 3 || count > 1000 * (size_t)TS_MESH_MAKE_CELLS_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a closed tube has %zu points along it; give 3 or more", count);
    size_t n = (size_t)around;
    ts_mesh *made;
    TS_TRY(ts_mesh_create(count * n, 2 * count * n, &made, error));
    pen p = {made, 0};
    for (size_t i = 0; i < count; i++) {
        size_t next = (i + 1) % count, last = (i + count - 1) % count;
        ts_vec3 along = ts_vec3_unit(ts_vec3_sub(centre[next], centre[last]));
        ts_vec3 u = ts_vec3_unit(ts_vec3_add_scaled(across[i], along, -ts_vec3_dot(across[i], along)));
        ts_vec3 v = ts_vec3_cross(along, u);
        if (!ts_vec3_is_finite(centre[i]) || !(ts_vec3_length(v) > 0.5)) {
            ts_mesh_free(made);
            return ts_fail(
                error, TS_BAD_INPUT,
                "a tube has no direction across itself at point %zu; give points apart, and one not along it", i);
        }
        for (size_t k = 0; k < n; k++) {
            double angle = 2 * TS_PI * (double)k / around;
            made->vertex[i * n + k] =
                ts_vec3_add_scaled(ts_vec3_add_scaled(centre[i], u, radius * cos(angle)), v, radius * sin(angle));
            size_t side = (k + 1) % n;
            put_quad(&p, i * n + k, i * n + side, next * n + side, next * n + k);
        }
    }
    *mesh = made;
    return TS_OK;
}

/* Room for a curve and its directions across, one after the other. */
static ts_status curve_create(size_t count, ts_vec3 **centre, ts_error *error)
{
    *centre = ts_alloc(2 * count, sizeof **centre);
    return *centre ? TS_OK : ts_fail_memory(error, 2 * count * sizeof **centre);
}

ts_status ts_mesh_make_torus(double ring, double tube, int along, int around, ts_mesh **mesh, ts_error *error)
{
    TS_TRY(check_length("ring's radius", ring, error));
    TS_TRY(check_length("tube's radius", tube, error));
    TS_TRY(check_count("cells along", along, 3, error));
    if (!(tube < ring))
        return ts_fail(error, TS_BAD_INPUT, "a torus has a tube of radius %g m around a ring of %g m; it must be less",
                       tube, ring);
    TS_AUTO_FREE ts_vec3 *centre = NULL;
    size_t count = (size_t)along;
    TS_TRY(curve_create(count, &centre, error));
    for (size_t i = 0; i < count; i++) {
        double angle = 2 * TS_PI * (double)i / along;
        centre[count + i] = (ts_vec3){cos(angle), sin(angle), 0};
        centre[i] = ts_vec3_scale(centre[count + i], ring);
    }
    return ts_mesh_make_tube(centre, centre + count, count, tube, around, mesh, error);
}

ts_status ts_mesh_make_trefoil(double size, double tube, int along, int around, ts_mesh **mesh, ts_error *error)
{
    TS_TRY(check_length("size", size, error));
    TS_TRY(check_length("tube's radius", tube, error));
    TS_TRY(check_count("cells along", along, 24, error));
    if (along % 3 != 0)
        return ts_fail(error, TS_BAD_INPUT, "a trefoil has %d cells along it; give a multiple of 3", along);
    if (!(tube < size / 4))
        return ts_fail(error, TS_BAD_INPUT, "a trefoil of size %g m has a tube of %g m; give less than a quarter", size,
                       tube);
    TS_AUTO_FREE ts_vec3 *centre = NULL;
    size_t count = (size_t)along, third = count / 3;
    TS_TRY(curve_create(count, &centre, error));
    /* On a torus; its normal there is across the curve. A third of the way along is two thirds of a turn about z:
     * +240°. */
    const double c = -0.5, s = -sqrt(0.75);
    for (size_t i = 0; i < count; i++) {
        if (i < third) {
            double t = 2 * TS_PI * (double)i / along, ring = 2 + cos(3 * t);
            centre[i] = ts_vec3_scale((ts_vec3){ring * cos(2 * t), ring * sin(2 * t), sin(3 * t)}, size / 3);
            centre[count + i] = (ts_vec3){cos(3 * t) * cos(2 * t), cos(3 * t) * sin(2 * t), sin(3 * t)};
            continue;
        }
        for (size_t k = 0; k <= count; k += count) {
            ts_vec3 p = centre[i - third + k];
            centre[i + k] = (ts_vec3){c * p.x - s * p.y, s * p.x + c * p.y, p.z};
        }
    }
    return ts_mesh_make_tube(centre, centre + count, count, tube, around, mesh, error);
}

/* ---- Lathe ---- */

/* Where the vertices of each point begin; a point on the axis has one, another `sectors`. A point on the axis between
 * two such has none that a triangle would use. */
static ts_status number_profile(const ts_vec2 *profile, size_t count, size_t sectors, size_t *begin, ts_error *error)
{
    double area = 0;
    begin[0] = 0;
    for (size_t i = 0; i < count; i++) {
        ts_vec2 p = profile[i], next = profile[(i + 1) % count], last = profile[(i + count - 1) % count];
        if (!ts_vec2_is_finite(p) || p.x < 0)
            return ts_fail(
                error, TS_BAD_INPUT,
                "point %zu of a lathe's profile is (%g, %g); its distance from the axis must not be negative", i, p.x,
                p.y);
        if (p.x == next.x && p.y == next.y)
            return ts_fail(error, TS_BAD_INPUT, "points %zu and %zu of a lathe's profile are the same", i,
                           (i + 1) % count);
        if (p.x == 0 && next.x > 0 && last.x > 0)
            return ts_fail(error, TS_BAD_INPUT,
                           "point %zu of a lathe's profile touches the axis alone; give a side on the axis, or none",
                           i);
        area += ts_vec2_cross(ts_vec2_sub(p, profile[0]), ts_vec2_sub(next, profile[0]));
        begin[i + 1] = begin[i] + (p.x > 0 ? sectors : next.x > 0 || last.x > 0 ? 1 : 0);
    }
    if (!(area > 0))
        return ts_fail(error, TS_BAD_INPUT,
                       "a lathe's profile is clockwise, or empty; give its points the other way around");
    return TS_OK;
}

ts_status ts_mesh_make_lathe(const ts_vec2 *profile, size_t count, int sectors, ts_mesh **mesh, ts_error *error)
{
    TS_TRY(check_count("sectors", sectors, 3, error));
    if (count < 3 || count > 1000 * (size_t)TS_MESH_MAKE_CELLS_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a lathe's profile has %zu points; give 3 or more", count);
    size_t n = (size_t)sectors, *begin = ts_alloc(count + 1, sizeof *begin), triangles = 0;
    if (!begin)
        return ts_fail_memory(error, (count + 1) * sizeof *begin);
    ts_status status = number_profile(profile, count, n, begin, error);
    for (size_t i = 0; i < count; i++)
        triangles += (profile[i].x > 0 ? n : 0) + (profile[(i + 1) % count].x > 0 ? n : 0);
    ts_mesh *made = NULL;
    if (status == TS_OK)
        status = ts_mesh_create(begin[count], triangles, &made, error);
    if (status != TS_OK) {
        ts_free(begin);
        return status;
    }
    pen p = {made, 0};
    for (size_t i = 0; i < count; i++) {
        size_t here = begin[i], there = begin[(i + 1) % count];
        bool ring = profile[i].x > 0, next_ring = profile[(i + 1) % count].x > 0;
        for (size_t k = 0; k < begin[i + 1] - here; k++) {
            double angle = 2 * TS_PI * (double)k / sectors;
            made->vertex[here + k] = (ts_vec3){profile[i].x * cos(angle), profile[i].x * sin(angle), profile[i].y};
        }
        for (size_t k = 0; k < n; k++) {
            size_t side = (k + 1) % n;
            if (ring && next_ring)
                put_quad(&p, here + k, here + side, there + side, there + k);
            else if (ring)
                put_triangle(&p, here + k, here + side, there);
            else if (next_ring)
                put_triangle(&p, here, there + side, there + k);
        }
    }
    ts_free(begin);
    *mesh = made;
    return TS_OK;
}
