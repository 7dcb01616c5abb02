/* SPDX-License-Identifier: MIT */
/* Convex hulls: polyhedra whose faces are known, and laws that hold for every one: all points lie below all faces,
 * faces are convex and counter-clockwise, each edge has two faces, Euler's formula. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/random.h"
#include "shape/hull.h"
#include "shape/hull_loops.h"
#include "support/check.h"

enum { POINTS = 400 };

static ts_vec3 random_in_ball(ts_random *r)
{
    for (;;) {
        ts_vec3 p;
        p.x = ts_random_next_range(r, -1, 1);
        p.y = ts_random_next_range(r, -1, 1);
        p.z = ts_random_next_range(r, -1, 1);
        if (ts_vec3_length_squared(p) < 1)
            return p;
    }
}

static ts_hull *hull_of(const ts_vec3 *point, size_t count)
{
    ts_hull *hull = NULL;
    OK(ts_hull_create(point, count, &hull, ERROR));
    return hull;
}

static int32_t corners_of(const ts_hull *hull, size_t face)
{
    return hull->face_begin[face + 1] - hull->face_begin[face];
}

static ts_vec3 corner_of(const ts_hull *hull, size_t face, int32_t i)
{
    return hull->vertex[hull->corner[hull->face_begin[face] + i % corners_of(hull, face)]];
}

/* Whether i → j is a side of the face. */
static bool has_side(const ts_hull *hull, int32_t face, int32_t i, int32_t j)
{
    const int32_t *corner = hull->corner + hull->face_begin[face];
    int32_t count = corners_of(hull, (size_t)face);
    for (int32_t k = 0; k < count; k++)
        if (corner[k] == i && corner[(k + 1) % count] == j)
            return true;
    return false;
}

/* What holds for every hull of these points. `slack` is a length. */
static void check_laws(const ts_hull *hull, const ts_vec3 *point, size_t count, double slack)
{
    assert_int_equal(hull->vertex_count + hull->face_count, hull->edge_count + 2);
    for (size_t f = 0; f < hull->face_count; f++) {
        assert_true(corners_of(hull, f) >= 3);
        NEAR(ts_vec3_length(hull->normal[f]), 1, 1e-14);
        double highest = -HUGE_VAL;
        for (size_t i = 0; i < count; i++)
            highest = fmax(highest, ts_vec3_dot(hull->normal[f], point[i]) - hull->offset[f]);
        NEAR(highest, 0, slack);
        assert_true(ts_vec3_dot(hull->normal[f], hull->centre) < hull->offset[f]);
        for (int32_t i = 0; i < corners_of(hull, f); i++) {
            ts_vec3 a = corner_of(hull, f, i), b = corner_of(hull, f, i + 1), c = corner_of(hull, f, i + 2);
            NEAR(ts_vec3_dot(hull->normal[f], a), hull->offset[f], slack);
            ts_vec3 turn = ts_vec3_cross(ts_vec3_sub(b, a), ts_vec3_sub(c, b));
            assert_true(ts_vec3_dot(turn, hull->normal[f]) > 0);
        }
    }
    size_t ends = 0;
    for (size_t e = 0; e < hull->edge_count; e++) {
        const int32_t *edge = hull->edge[e];
        assert_true(edge[0] < edge[1]);
        assert_true(has_side(hull, edge[2], edge[0], edge[1]) && has_side(hull, edge[3], edge[1], edge[0]));
        for (int k = 0; k < 2; k++) {
            bool found = false;
            for (int32_t i = hull->neighbour_begin[edge[k]]; i < hull->neighbour_begin[edge[k] + 1]; i++)
                found = found || hull->neighbour[i] == edge[1 - k];
            assert_true(found);
        }
    }
    for (size_t v = 0; v < hull->vertex_count; v++) {
        assert_true(hull->neighbour_begin[v + 1] - hull->neighbour_begin[v] >= 3);
        ends += (size_t)(hull->neighbour_begin[v + 1] - hull->neighbour_begin[v]);
    }
    assert_int_equal(ends, 2 * hull->edge_count);
}

/* In any place and size, with points inside, on faces, on edges and twice: 8 corners, 12 edges, 6 squares. */
static void boxes(void **state)
{
    (void)state;
    static const double scale[] = {1, 1e-6, 1e6, 1e-30};
    ts_random r = ts_random_make(1, 0);
    for (size_t s = 0; s < 4; s++)
        for (int far = 0; far < 2; far++) {
            ts_vec3 point[POINTS];
            ts_pose3 pose = {{0, 0, 0}, ts_quat_from_axis_angle(random_in_ball(&r), ts_random_next_range(&r, 0, 3))};
            if (far)
                pose.position = (ts_vec3){100, -30, 7};
            for (size_t i = 0; i < POINTS; i++) {
                double c[3];
                for (int k = 0; k < 3; k++) {
                    uint64_t kind = i < 8 ? i >> k & 1 : ts_random_next_below(&r, 4);
                    c[k] = kind == 0 ? -1 : kind == 1 ? 1 : ts_random_next_range(&r, -1, 1);
                }
                point[i] = ts_vec3_scale(ts_pose3_apply(pose, (ts_vec3){c[0], 2 * c[1], 0.5 * c[2]}), scale[s]);
            }
            ts_hull *hull = hull_of(point, POINTS);
            assert_int_equal(hull->vertex_count, 8);
            assert_int_equal(hull->face_count, 6);
            check_laws(hull, point, POINTS, (far ? 1e-12 : 1e-14) * scale[s]);
            ts_vec3 centre = ts_vec3_scale(pose.position, scale[s]);
            NEAR(ts_vec3_length(ts_vec3_sub(hull->centre, centre)), 0, 1e-12 * scale[s]);
            ts_hull_free(hull);
        }
}

static void box_made_directly(void **state)
{
    (void)state;
    const ts_vec3 half = {1, 2, 0.5};
    ts_hull *box = NULL, *found;
    OK(ts_hull_box(half, &box, ERROR));
    check_laws(box, box->vertex, 8, 0);
    found = hull_of(box->vertex, 8);
    assert_int_equal(found->face_count, 6);
    assert_memory_equal(found->vertex, box->vertex, 8 * sizeof *box->vertex);
    assert_memory_equal(found->corner, box->corner, 24 * sizeof *box->corner);
    assert_memory_equal(found->edge, box->edge, 12 * sizeof *box->edge);
    assert_memory_equal(found->neighbour, box->neighbour, 24 * sizeof *box->neighbour);
    for (size_t f = 0; f < 6; f++) {
        ts_vec3 n = box->normal[f];
        NEAR(box->offset[f], fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z, 1e-15);
    }
    ts_hull_free(found);
    ts_hull_free(box);
    found = NULL;
    assert_int_equal(ts_hull_box((ts_vec3){1, 0, 1}, &found, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_hull_box((ts_vec3){1, nan(""), 1}, &found, ERROR), TS_BAD_INPUT);
    assert_null(found);
    ts_hull_free(NULL);
}

/* Icosahedron and dodecahedron, by their coordinates: cyclic permutations of (0, ±1, ±φ), and of (0, ±1/φ, ±φ) with
 * (±1, ±1, ±1). */
static void platonic(void **state)
{
    (void)state;
    const double phi = 0.5 * (1 + sqrt(5));
    ts_vec3 ico[12], dode[20];
    size_t n = 0, m = 0;
    for (int i = 0; i < 8; i++)
        dode[m++] = (ts_vec3){i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1};
    for (int i = 0; i < 4; i++) {
        double a = i & 1 ? 1 : -1, b = i & 2 ? phi : -phi, c = a / phi;
        ico[n++] = (ts_vec3){0, a, b};
        ico[n++] = (ts_vec3){b, 0, a};
        ico[n++] = (ts_vec3){a, b, 0};
        dode[m++] = (ts_vec3){0, c, b};
        dode[m++] = (ts_vec3){b, 0, c};
        dode[m++] = (ts_vec3){c, b, 0};
    }
    ts_hull *hull = hull_of(ico, n);
    assert_int_equal(hull->face_count, 20);
    check_laws(hull, ico, n, 1e-14);
    ts_hull_free(hull);
    hull = hull_of(dode, m);
    assert_int_equal(hull->vertex_count, 20);
    assert_int_equal(hull->face_count, 12);
    for (size_t f = 0; f < 12; f++)
        assert_int_equal(corners_of(hull, f), 5);
    check_laws(hull, dode, m, 1e-14);
    ts_hull_free(hull);
}

/* A prism over a polygon of many corners: two lids and the sides; also when the points are off by a millionth of a
 * hundredth. */
static void prism(void **state)
{
    (void)state;
    enum { CORNERS = 200 };
    ts_vec3 point[2 * CORNERS];
    ts_random r = ts_random_make(5, 0);
    for (int noisy = 0; noisy < 2; noisy++) {
        for (int i = 0; i < CORNERS; i++)
            for (int k = 0; k < 2; k++) {
                double angle = 2 * TS_PI * i / CORNERS;
                ts_vec3 p = {cos(angle), sin(angle), k ? 0.25 : -0.25};
                point[2 * i + k] = ts_vec3_add_scaled(p, random_in_ball(&r), noisy ? 1e-10 : 0);
            }
        ts_hull *hull = hull_of(point, 2 * CORNERS);
        assert_int_equal(hull->vertex_count, 2 * CORNERS);
        assert_int_equal(hull->face_count, CORNERS + 2);
        check_laws(hull, point, 2 * CORNERS, noisy ? 2e-8 : 1e-14);
        ts_hull_free(hull);
    }
}

/* Three of a few random points make a face if and only if all others lie on one side of them. */
static void against_all_triples(void **state)
{
    (void)state;
    enum { N = 16 };
    ts_random r = ts_random_make(2, 0);
    for (int trial = 0; trial < 50; trial++) {
        ts_vec3 p[N];
        for (int i = 0; i < N; i++)
            p[i] = random_in_ball(&r);
        ts_hull *hull = hull_of(p, N);
        check_laws(hull, p, N, 1e-15);
        size_t faces = 0;
        for (int i = 0; i < N; i++)
            for (int j = i + 1; j < N; j++)
                for (int k = j + 1; k < N; k++) {
                    ts_vec3 n = ts_vec3_cross(ts_vec3_sub(p[j], p[i]), ts_vec3_sub(p[k], p[i]));
                    int above = 0, below = 0;
                    for (int l = 0; l < N; l++)
                        if (l != i && l != j && l != k)
                            *(ts_vec3_dot(n, ts_vec3_sub(p[l], p[i])) > 0 ? &above : &below) += 1;
                    faces += above == 0 || below == 0;
                }
        assert_int_equal(hull->face_count, faces);
        ts_hull_free(hull);
    }
}

/* Climbing ends at the vertex that a look at all of them finds. */
static void support(void **state)
{
    (void)state;
    ts_vec3 p[POINTS];
    ts_random r = ts_random_make(3, 0);
    for (int i = 0; i < POINTS; i++)
        p[i] = ts_vec3_times(ts_vec3_unit(random_in_ball(&r)), (ts_vec3){1, 3, 0.2});
    ts_hull *hull = hull_of(p, POINTS);
    check_laws(hull, p, POINTS, 1e-14);
    assert_int_equal(hull->vertex_count, POINTS);
    for (int trial = 0; trial < 500; trial++) {
        ts_vec3 d = random_in_ball(&r);
        int32_t start = (int32_t)ts_random_next_below(&r, POINTS), found = ts_hull_support(hull, d, start), best = 0;
        for (int32_t i = 1; i < POINTS; i++)
            if (ts_vec3_dot(d, p[i]) > ts_vec3_dot(d, p[best]))
                best = i;
        assert_int_equal(found, best);
    }
    ts_hull_free(hull);
}

/* Points that are hard on Qhull: a fine grid on a ball's cap, nearly equal points, long needles. */
static void hard_points(void **state)
{
    (void)state;
    enum { MANY = 2000 };
    ts_vec3 *p = ts_alloc(MANY, sizeof *p);
    assert_non_null(p);
    ts_random r = ts_random_make(4, 0);
    for (int kind = 0; kind < 5; kind++) {
        for (int i = 0; i < MANY; i++) {
            ts_vec3 q = random_in_ball(&r), u = ts_vec3_unit(q);
            p[i] = kind == 0   ? ts_vec3_add_scaled(u, q, 1e-9)
                   : kind == 1 ? (ts_vec3){q.x, 1e-4 * q.y, 1e-4 * q.z}
                   : kind == 2 ? (ts_vec3){u.x, u.y, 1e-5 * u.z}
                   : kind == 3 ? ts_vec3_add_scaled(i ? p[i / 2] : u, q, i % 2 ? 1e-8 : 0.3)
                               : (ts_vec3){round(8 * u.x) / 8 + 1e-8 * q.x, round(8 * u.y) / 8, round(8 * u.z) / 8};
        }
        ts_hull *hull = hull_of(p, MANY);
        assert_int_equal(hull->vertex_count + hull->face_count, hull->edge_count + 2);
        for (size_t f = 0; f < hull->face_count; f++)
            for (int i = 0; i < MANY; i++)
                assert_true(ts_vec3_dot(hull->normal[f], p[i]) <= hull->offset[f] + 2e-7);
        ts_hull_free(hull);
    }
    ts_free(p);
}

static void refuse(const ts_vec3 *point, size_t count, const char *because)
{
    ts_hull *hull = NULL;
    assert_int_equal(ts_hull_create(point, count, &hull, ERROR), TS_BAD_INPUT);
    assert_null(hull);
    if (!strstr(ERROR->message, because))
        fail_msg("'%s' is not in '%s'", because, ERROR->message);
}

static void refusals(void **state)
{
    (void)state;
    ts_vec3 p[POINTS];
    ts_random r = ts_random_make(6, 0);
    for (int i = 0; i < POINTS; i++)
        p[i] = random_in_ball(&r);
    refuse(p, 0, "needs 4");
    refuse(p, 3, "needs 4");
    p[17].y = nan("");
    refuse(p, POINTS, "point 17");
    p[17].y = -HUGE_VAL;
    refuse(p, POINTS, "point 17");
    p[17].y = 1e300;
    refuse(p, POINTS, "metres");
    p[17].y = 0;
    static const double thickness[] = {0, 1e-12, 4e-7};
    for (size_t k = 0; k < 3; k++) {
        ts_vec3 q[POINTS];
        ts_quat turn = ts_quat_from_axis_angle(random_in_ball(&r), 1);
        for (int i = 0; i < POINTS; i++)
            q[i] = ts_quat_apply(turn, (ts_vec3){p[i].x, p[i].y, thickness[k] * p[i].z});
        refuse(q, POINTS, "plane");
        for (int i = 0; i < POINTS; i++)
            q[i] = ts_quat_apply(turn, (ts_vec3){p[i].x, 0.5 * thickness[k] * p[i].y, 0});
        refuse(q, POINTS, "line");
        for (int i = 0; i < POINTS; i++)
            q[i] = p[7];
        refuse(q, POINTS, "the same");
    }
}

/* Flat points do not come to Qhull; were they to, its own words would come back, and its memory. */
static void qhull_fails(void **state)
{
    (void)state;
    double point[POINTS][3] = {0};
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < 2; k++)
            point[i][k] = ts_random_range(7, (uint64_t)k, (uint64_t)i, -0.5, 0.5);
    ts_hull_loops loops = {0};
    assert_int_equal(ts_hull_find_loops(point, POINTS, &loops, ERROR), TS_BAD_INPUT);
    assert_non_null(strstr(ERROR->message, "simplex"));
    ts_hull_loops_free(&loops);
}

/* Qhull says much by itself; none of it may reach the terminal. */
static void silence(void **state)
{
    (void)state;
    FILE *file = fopen("spoken", "w+");
    assert_non_null(file);
    fflush(stdout), fflush(stderr);
    int out = dup(1), err = dup(2);
    assert_true(dup2(fileno(file), 1) >= 0 && dup2(fileno(file), 2) >= 0);
    refusals(state);
    qhull_fails(state);
    hard_points(state);
    fflush(stdout), fflush(stderr);
    dup2(out, 1), dup2(err, 2);
    close(out), close(err);
    fseek(file, 0, SEEK_END);
    assert_int_equal(ftell(file), 0);
    fclose(file);
}

static void without_qhull(void **state)
{
    (void)state;
    static const ts_vec3 p[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    ts_hull *hull = NULL;
    assert_int_equal(ts_hull_create(p, 4, &hull, ERROR), TS_UNSUPPORTED);
    assert_non_null(strstr(ERROR->message, "libqhull-dev"));
}

int main(void)
{
    const struct CMUnitTest with[] = {
        cmocka_unit_test(boxes),
        cmocka_unit_test(box_made_directly),
        cmocka_unit_test(platonic),
        cmocka_unit_test(prism),
        cmocka_unit_test(against_all_triples),
        cmocka_unit_test(support),
        cmocka_unit_test(hard_points),
        cmocka_unit_test(refusals),
        cmocka_unit_test(silence),
        cmocka_unit_test(qhull_fails),
    };
    const struct CMUnitTest without[] = {cmocka_unit_test(without_qhull), cmocka_unit_test(refusals)};
    return TS_WITH_QHULL ? cmocka_run_group_tests(with, NULL, NULL) : cmocka_run_group_tests(without, NULL, NULL);
}
