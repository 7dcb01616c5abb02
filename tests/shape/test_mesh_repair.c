/* SPDX-License-Identifier: MIT */
/* Mending meshes, against closed forms: volumes of polyhedra, which edges are open, which pieces bound cavities, and
 * whether triangles meet by a slow way of its own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shape/mesh_repair.h"
#include "shape/orientation3.h"
#include "support/check.h"

/* ---- Soups ---- */

enum { ROOM = 4000 };

typedef struct soup {
    ts_vec3 vertex[ROOM];
    int32_t triangle[ROOM][3];
    ts_mesh mesh;
} soup;

static soup made;

static void begin(void)
{
    made.mesh = (ts_mesh){.vertex = made.vertex, .triangle = made.triangle};
}

static int32_t put(double x, double y, double z)
{
    assert_true(made.mesh.vertex_count < ROOM);
    made.vertex[made.mesh.vertex_count] = (ts_vec3){x, y, z};
    return (int32_t)made.mesh.vertex_count++;
}

static void face(int32_t a, int32_t b, int32_t c)
{
    assert_true(made.mesh.triangle_count < ROOM);
    int32_t *t = made.triangle[made.mesh.triangle_count++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

/* Faces outwards: corner k has the bits of k as its coordinates. */
static const int box_face[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

static void put_box(double x, double y, double z, double size)
{
    int32_t first = (int32_t)made.mesh.vertex_count;
    for (int k = 0; k < 8; k++)
        put(x + size * (k & 1), y + size * (k >> 1 & 1), z + size * (k >> 2));
    for (int f = 0; f < 12; f++)
        face(first + box_face[f][0], first + box_face[f][1], first + box_face[f][2]);
}

/* Rows of latitude between two poles. */
static void put_sphere(ts_vec3 centre, double radius, int rows, int columns)
{
    int32_t first = (int32_t)made.mesh.vertex_count;
    put(centre.x, centre.y, centre.z + radius);
    for (int i = 1; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            double u = TS_PI * i / rows, v = 2 * TS_PI * j / columns;
            put(centre.x + radius * sin(u) * cos(v), centre.y + radius * sin(u) * sin(v), centre.z + radius * cos(u));
        }
    int32_t last = put(centre.x, centre.y, centre.z - radius);
    for (int j = 0; j < columns; j++) {
        int32_t a = first + 1 + j, b = first + 1 + (j + 1) % columns, bottom = columns * (rows - 2);
        face(first, a, b);
        face(last, b + bottom, a + bottom);
        for (int i = 0; i < rows - 2; i++) {
            int32_t d = columns * i;
            face(a + d, a + d + columns, b + d + columns);
            face(a + d, b + d + columns, b + d);
        }
    }
}

/* ---- What is asked of the results ---- */

static ts_mesh *mesh;
static ts_mesh_report report;

static void forget(void)
{
    ts_mesh_free(mesh);
    mesh = NULL;
}

static double volume_of(const ts_mesh *m)
{
    double sum = 0;
    for (size_t i = 0; i < m->triangle_count; i++) {
        const int32_t *c = m->triangle[i];
        sum += ts_vec3_dot(m->vertex[c[0]], ts_vec3_cross(m->vertex[c[1]], m->vertex[c[2]])) / 6;
    }
    return sum;
}

/* Each edge (i, j) of a triangle is an edge (j, i) of exactly one other. The slow way. */
static void expect_closed(const ts_mesh *m)
{
    for (size_t i = 0; i < m->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            int32_t a = m->triangle[i][k], b = m->triangle[i][(k + 1) % 3];
            int there = 0, back = 0;
            for (size_t j = 0; j < m->triangle_count; j++)
                for (int l = 0; l < 3; l++) {
                    there += m->triangle[j][l] == a && m->triangle[j][(l + 1) % 3] == b;
                    back += m->triangle[j][l] == b && m->triangle[j][(l + 1) % 3] == a;
                }
            assert_int_equal(there, 1);
            assert_int_equal(back, 1);
        }
}

static void repair(void)
{
    forget();
    OK(ts_mesh_repair(&made.mesh, "test", &report, &mesh, ERROR));
    if (mesh->triangle_count < 600)
        expect_closed(mesh);
    NEAR(volume_of(mesh), report.volume, 1e-12 * fabs(report.volume));
}

static void refuse(const char *part)
{
    forget();
    assert_int_equal(ts_mesh_repair(&made.mesh, "test", &report, &mesh, ERROR), TS_BAD_INPUT);
    assert_null(mesh);
    assert_string_equal(ERROR->file, "test");
    if (!strstr(ERROR->message, part))
        fail_msg("\"%s\" is not in \"%s\"", part, ERROR->message);
}

static void tells(const char *part)
{
    char text[512];
    assert_true(ts_mesh_report_repairs(&report, text, sizeof text) == strlen(text));
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in \"%s\"", part, text);
}

/* ---- Whole ones ---- */

static void clean_stays(void **state)
{
    (void)state;
    begin();
    put_box(1, 2, 3, 2);
    repair();
    assert_memory_equal(mesh->vertex, made.vertex, 8 * sizeof(ts_vec3));
    assert_memory_equal(mesh->triangle, made.triangle, sizeof(int32_t[12][3]));
    NEAR(report.volume, 8, 1e-14);
    assert_int_equal(report.pieces, 1);
    assert_int_equal(ts_mesh_report_repairs(&report, NULL, 0), 0);
    forget();
}

static void triangles_turn(void **state)
{
    (void)state;
    begin();
    put_box(0, 0, 0, 1);
    for (int f = 0; f < 12; f++) /* all of them inside out */
        face(made.triangle[f][0], made.triangle[f][2], made.triangle[f][1]);
    memmove(made.triangle, made.triangle + 12, sizeof(int32_t[12][3]));
    made.mesh.triangle_count = 12;
    repair();
    NEAR(report.volume, 1, 1e-14);
    assert_int_equal(report.turned, 12);
    tells("12 triangles turned over");
    /* each on its own, the first as well */
    for (int f = 0; f < 12; f++) {
        begin();
        put_box(-1, -1, -1, 1);
        int32_t *t = made.triangle[f], second = t[1];
        t[1] = t[2];
        t[2] = second;
        repair();
        NEAR(report.volume, 1, 1e-14);
        assert_int_equal(report.turned, 1);
    }
    forget();
}

/* A soup as of an STL file: three vertices of its own for each triangle, moved by less than the tolerance. */
static void vertices_weld(void **state)
{
    (void)state;
    soup *box = malloc(sizeof *box);
    assert_non_null(box);
    for (int round = 0; round < 3; round++) {
        begin();
        put_box(-1, 0, 5, 1);
        *box = made;
        begin();
        for (int f = 0; f < 12; f++)
            for (int k = 0; k < 3; k++) {
                ts_vec3 p = box->vertex[box->triangle[f][k]];
                double move = (round == 0 ? 0 : round == 1 ? 4e-10 : 1e-6) * (f % 3 - 1);
                int32_t i = put(p.x + move, p.y - move, p.z);
                if (k == 2)
                    face(i - 2, i - 1, i);
            }
        put(1e308, 0, 0); /* nobody uses it: the tolerance is a share of the rest */
        if (round == 2) {
            refuse("open");
            break;
        }
        repair();
        assert_int_equal(report.welded, 28);
        assert_int_equal(report.unused, 1);
        assert_int_equal(mesh->vertex_count, 8);
        NEAR(report.volume, 1, 3e-9);
        tells("28 vertices welded to others, 1 unused vertex dropped");
    }
    free(box);
    forget();
}

/* An edge without length, and beside it a vertex in its triangle: one vertex in the place of the edge leaves two triangles back
 * to back, as a scan of a drill has them. The surface is closed by its indices, and has to stay so. */
static void folds_drop(void **state)
{
    (void)state;
    begin();
    put_box(0, 0, 0, 1);
    made.mesh.triangle_count = 0;
    for (int f = 0; f < 12; f++)
        if (f != 2 && f != 3) /* the face z = 1, with corners 4, 5, 7, 6 */
            face(box_face[f][0], box_face[f][1], box_face[f][2]);
    const int32_t c = put(0.5, 0.5, 1), other = put(0.5, 0.5, 1), beside = put(0.6, 0.45, 1);
    face(other, 4, 5);
    face(other, 6, 4);
    face(c, 5, 7);
    face(c, 7, 6);
    face(c, 6, other);
    face(other, 5, beside);
    face(5, c, beside);
    face(c, other, beside);
    repair();
    NEAR(report.volume, 1, 1e-14);
    assert_int_equal(report.welded, 1);
    assert_int_equal(report.degenerate, 2);
    assert_int_equal(report.duplicate, 2);
    assert_int_equal(mesh->vertex_count, 9);
    assert_int_equal(mesh->triangle_count, 14);
    forget();
}

static void triangles_drop(void **state)
{
    (void)state;
    begin();
    put_box(0, 0, 0, 1);
    face(0, 0, 1); /* on two vertices */
    face(3, 3, 3);
    face(1, 2, 0); /* again, and again the other way round */
    face(2, 0, 1);
    face(6, 7, 3);
    int32_t same = put(1, 1, 1); /* vertex 7 under another name */
    face(7, same, 0);
    repair();
    assert_int_equal(report.degenerate, 3);
    assert_int_equal(report.duplicate, 3);
    assert_int_equal(report.welded, 1);
    assert_int_equal(mesh->triangle_count, 12);
    NEAR(report.volume, 1, 1e-14);
    /* the whole of it twice */
    begin();
    put_box(0, 0, 0, 1);
    put_box(0, 0, 0, 1);
    repair();
    assert_int_equal(report.duplicate, 12);
    assert_int_equal(mesh->vertex_count, 8);
    forget();
}

/* An edge of one face has a vertex in its middle that the other face knows by a triangle without area only. */
static void flat_triangles_flip(void **state)
{
    (void)state;
    begin();
    put_box(0, 0, 0, 1);
    int32_t middle = put(0.5, 0, 0); /* on the edge 0–1 of faces 0 (0, 2, 1) and 4 (0, 1, 4) */
    made.triangle[0][2] = middle;    /* (0, 2, middle) */
    face(middle, 2, 1);
    face(0, middle, 1);
    repair();
    assert_int_equal(report.flat, 1);
    assert_int_equal(mesh->triangle_count, 14);
    NEAR(report.volume, 1, 1e-14);
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *c = mesh->triangle[i];
        ts_vec3 a = mesh->vertex[c[0]];
        assert_true(ts_vec3_length(
                        ts_vec3_cross(ts_vec3_sub(mesh->vertex[c[1]], a), ts_vec3_sub(mesh->vertex[c[2]], a))) > 0.1);
    }
    /* two of them on each other: one side has a vertex at a third, the other one at two thirds */
    begin();
    put_box(0, 0, 0, 3);
    int32_t u = put(1, 0, 0), v = put(2, 0, 0);
    made.triangle[0][2] = u; /* (0, 2, u), (u, 2, 1) below; (0, v, 4), (v, 1, 4) in front */
    face(u, 2, 1);
    made.triangle[4][1] = v;
    face(v, 1, 4);
    face(0, u, 1);
    face(0, 1, v);
    repair();
    NEAR(report.volume, 27, 1e-13);
    assert_int_equal(mesh->triangle_count, 16);
    forget();
}

/* ---- Pieces in pieces ---- */

static void cavities(void **state)
{
    (void)state;
    const double radius[] = {4, 3, 2, 1};
    ts_vec3 o = {0.1, 0.2, 0.3};
    double unit;
    begin();
    put_sphere(o, 1, 8, 12);
    repair();
    unit = report.volume; /* of a polyhedron: what matters is how it scales */
    assert_true(unit > 3.5 && unit < 4 * TS_PI / 3);
    for (int order = 0; order < 2; order++) {
        begin();
        for (int k = 0; k < 4; k++)
            put_sphere(o, radius[order ? 3 - k : k], 8, 12);
        repair();
        assert_int_equal(report.pieces, 4);
        assert_int_equal(report.cavities, 2);
        NEAR(report.volume, unit * (64 - 27 + 8 - 1), 1e-11);
        assert_true(report.pieces == 4 && report.cavities == 2);
    }
    /* side by side nothing is a cavity, in however many rows */
    begin();
    for (int k = 0; k < 64; k++)
        put_box(k & 3, 1.5 * (k >> 2 & 3), 1.5 * (k >> 4), 0.5 + k / 1000.0);
    repair();
    assert_int_equal(report.pieces, 64);
    assert_int_equal(report.cavities, 0);
    /* two hollows in one box: faces, edges and vertices of them lie in line along x */
    begin();
    put_box(0, 0, 0, 8);
    put_box(1, 1, 1, 2);
    put_box(5, 1, 1, 2);
    repair();
    assert_int_equal(report.cavities, 2);
    NEAR(report.volume, 512 - 16, 1e-12);
    assert_int_equal(report.turned, 24);
    forget();
}

/* ---- Refusals ---- */

static void open_is_refused(void **state)
{
    (void)state;
    begin();
    put_box(0, 0, 0, 1);
    made.mesh.triangle_count = 11; /* without (3, 7, 5) */
    refuse("the surface is open: 3 edges belong to one triangle only: ");
    assert_non_null(strstr(ERROR->message, "(1, 1, 1)"));
    begin();
    face(put(0, 0, 0), put(1, 0, 0), put(0, 1, 0));
    refuse("open: 3 edges");
}

static void crowded_is_refused(void **state)
{
    (void)state;
    begin();
    put_box(0, 0, 0, 1);
    face(1, 3, put(3, 0, 0.5)); /* a fin */
    refuse("1 edge of the surface belongs to more than two triangles: (1, 1, 0)–(1, 0, 0)");
    for (int own = 0; own < 2;
         own++) { /* two boxes with a wall in common, by the same vertices or by others at the same places */
        begin();
        put_box(0, 0, 0, 1);
        put_box(1, 0, 0, 1);
        for (int f = 12; f < 24 && !own; f++)
            for (int k = 0; k < 3; k++) /* corners 8, 10, 12, 14 are 1, 3, 5, 7 */
                made.triangle[f][k] -= made.triangle[f][k] % 2 == 0 ? 7 : 0;
        refuse(own ? "crosses or touches itself: 2 pairs"
                   : "4 edges of the surface belong to more than two triangles: ");
    }
}

static void one_sided_is_refused(void **state)
{
    (void)state;
    enum { N = 16 };
    begin(); /* a Möbius strip: after one turn its rims have changed places */
    for (int i = 0; i < N; i++) {
        double u = 2 * TS_PI * i / N, r = 0.3 * cos(u / 2), h = 0.3 * sin(u / 2);
        put((2 + r) * cos(u), (2 + r) * sin(u), h);
        put((2 - r) * cos(u), (2 - r) * sin(u), -h);
    }
    for (int i = 0; i < N; i++) {
        int last = i == N - 1, a = 2 * i, b = a + 1, c = last ? 1 : a + 2, d = last ? 0 : a + 3;
        face(a, c, b);
        face(b, c, d);
    }
    refuse("one side only");
    begin(); /* the projective plane of six vertices: closed, yet one-sided */
    for (int k = 0; k < 6; k++)
        put(cos(k), sin(2 * k), k * k);
    static const int plane[10][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}, {0, 5, 1},
                                     {1, 2, 4}, {2, 3, 5}, {3, 4, 1}, {4, 5, 2}, {5, 1, 3}};
    for (int k = 0; k < 10; k++)
        face(plane[k][0], plane[k][1], plane[k][2]);
    refuse("one side only");
}

static void crossing_is_refused(void **state)
{
    (void)state;
    begin(); /* two boxes that overlap at a corner */
    put_box(0, 0, 0, 1);
    put_box(0.7, 0.6, 0.8, 1);
    refuse("crosses or touches itself");
    begin(); /* that touch: face to face, by an edge on a face, by a corner on a face */
    put_box(0, 0, 0, 1);
    put_box(1, 0.125, 0.125, 0.25); /* on one triangle: two in its plane, eight by an edge or a corner */
    refuse("crosses or touches itself: 10 pairs");
    begin();
    put_box(0, 0, 0, 2);
    put_sphere((ts_vec3){1, 1, 3}, 1, 4, 4);
    refuse("crosses or touches itself: ");
    begin(); /* a whisker of room is enough */
    put_box(0, 0, 0, 2);
    put_sphere((ts_vec3){1, 1, 3 + 1e-8}, 1, 4, 4);
    repair();
    begin(); /* a corner of a box pushed through the far side: one piece */
    put_box(0, 0, 0, 1);
    made.vertex[7] = (ts_vec3){-0.5, -0.4, -0.3};
    refuse("crosses or touches itself");
    begin(); /* a sheet folded back on itself has no volume where it lies on itself, but the rest has */
    int32_t a = put(0, 0, 0), b = put(1, 0, 0), c = put(0, 1, 0), d = put(0.2, 0.2, 0), e = put(0.3, 0.3, 1);
    face(a, c, b); /* a tetrahedron abce whose face abe is dented until it lies on abc */
    face(b, c, e);
    face(c, a, e);
    face(a, b, d);
    face(b, e, d);
    face(e, a, d);
    refuse("crosses or touches itself: 3 pairs"); /* abd on abc, and the two beside it, which end there */
    memmove(made.triangle + 1, made.triangle, sizeof(int32_t[5][3])); /* whichever comes first */
    made.triangle[0][0] = e;
    made.triangle[0][1] = a;
    made.triangle[0][2] = d;
    refuse("crosses or touches itself: 3 pairs");
    begin(); /* two roofs, edge on edge: each of two triangles here touches two there */
    a = put(-1, 0, 0), b = put(1, 0, 0), c = put(0, 1, -1), d = put(0, -1, -1);
    face(a, b, c), face(b, a, d), face(c, d, a), face(d, c, b);
    a = put(0, -1, 0), b = put(0, 1, 0), c = put(1, 0, 1), d = put(-1, 0, 1);
    face(a, b, c), face(b, a, d), face(c, d, a), face(d, c, b);
    refuse("crosses or touches itself: 4 pairs of triangles, near (");
}

/* A pyramid, and a second one on the other side of its base, whose tip was pulled through a wall of the first:
 * triangles cross that share a vertex. Mirrored, so that triangles come in another order, as many pairs meet. */
static void fans_through_themselves(void **state)
{
    (void)state;
    int count[8];
    for (int turn = 0; turn < 8; turn++) {
        double x = turn & 1 ? -1 : 1, y = turn & 2 ? -1 : 1, z = turn & 4 ? -1 : 1;
        begin();
        int32_t base[4] = {put(-x, -y, 0), put(x, -y, 0), put(x, y, 0), put(-x, y, 0)};
        int32_t top = put(0, 0, z), tip = put(3 * x, 0.125 * y, 0.5 * z);
        for (int k = 0; k < 4; k++) {
            face(base[k], base[(k + 1) % 4], top);
            face(base[(k + 1) % 4], base[k], tip);
        }
        refuse("crosses or touches itself: ");
        count[turn] =
            atoi(strstr(ERROR->message, ": ") + 2); /* NOLINT(cert-err34-c): refuse has seen that it is there */
        assert_true(count[turn] > 1);
        assert_int_equal(count[turn], count[0]);
    }
}

/* Two spheres through each other that have the circle of meeting as edges of both: no triangle crosses another but
 * there. */
static void sheets_through_an_edge(void **state)
{
    (void)state;
    enum { N = 12 };
    for (int cross = 0; cross < 2; cross++) {
        begin();
        for (int sheet = 0; sheet < 2; sheet++) {
            /* double cones around z with a rim of radius 1 at z = 0: blunt and sharp ends; either each sheet has a
             * blunt and a sharp one */
            double up = (sheet == 0) == (cross == 0) ? 1 : 2, down = sheet == 0 ? 1 : 2;
            int32_t first = put(0, 0, up), last = put(0, 0, -down);
            for (int i = 0; i < N; i++)
                put(cos(2 * TS_PI * i / N), sin(2 * TS_PI * i / N), 0);
            for (int i = 0; i < N; i++) {
                face(first, first + 2 + i, first + 2 + (i + 1) % N);
                face(last, first + 2 + (i + 1) % N, first + 2 + i);
            }
        }
        if (cross) {
            refuse("crosses or touches itself");
        } else { /* one inside of the other, touching it along the rim */
            repair();
            assert_int_equal(report.cavities, 1);
            assert_int_equal(report.welded, 0);
            double base = 0.5 * N * sin(2 * TS_PI / N);
            NEAR(report.volume, base * (4 - 2) / 3, 1e-13);
        }
    }
    forget();
}

static void nothing_is_refused(void **state)
{
    (void)state;
    begin();
    refuse("no triangles");
    int32_t a = put(0, 0, 0);
    face(a, a, a);
    refuse("all vertices are at one point, (0, 0, 0)");
    face(a, a, put(1, 0, 0));
    refuse("each of the 2 triangles has two corners at one point");
    begin(); /* a flat one of four triangles */
    int32_t p[4] = {put(0, 0, 1), put(1, 0, 1), put(1, 1, 1), put(0, 1, 1)};
    face(p[0], p[1], p[2]);
    face(p[0], p[2], p[3]);
    face(p[0], p[3], p[1]);
    face(p[1], p[3], p[2]);
    refuse("1 of 1 pieces encloses no volume");
}

static void numbers_are_refused(void **state)
{
    (void)state;
    const double huge[] = {(double)NAN, (double)INFINITY, 1e31, 1e308};
    for (int k = 0; k < 4; k++) {
        begin();
        put_box(0, 0, 0, 1);
        made.vertex[7].z = huge[k];
        refuse(k < 2 ? "vertex 8 is (1, 1, " : "the largest coordinate is 1e+3");
    }
    begin();
    put_box(0, 0, 0, 1e-32);
    refuse("the largest coordinate is 1e-32");
    begin();
    put_box(1e9, 0, 0, 1);
    refuse("too few digits");
    begin();
    put_box(0, 0, 0, 1);
    made.triangle[3][1] = 8;
    refuse("triangle 4 refers to vertex 8, but there are 8");
    made.triangle[3][1] = -1;
    refuse("triangle 4 refers to vertex -1");
    /* far within the limits all is well */
    const double sizes[] = {1e-29, 1e-10, 1e10, 1e29};
    for (int k = 0; k < 4; k++) {
        begin();
        put_box(0, -0.5 * sizes[k], 0, sizes[k]);
        repair();
        NEAR(report.volume / pow(sizes[k], 3), 1, 1e-13);
    }
    forget();
}

/* ---- Whether triangles meet ---- */

static double random_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

/* Small whole numbers: determinants of them are exact in plain arithmetic, and many are 0. */
static ts_vec3 random_place(uint64_t *seed)
{
    double x = floor(7 * random_number(seed)), y = floor(7 * random_number(seed)), z = floor(7 * random_number(seed));
    return (ts_vec3){x, y, z};
}

static double determinant(ts_vec3 a, ts_vec3 b, ts_vec3 c, ts_vec3 d)
{
    return ts_vec3_dot(ts_vec3_cross(ts_vec3_sub(b, a), ts_vec3_sub(c, a)), ts_vec3_sub(d, a));
}

/* Scaling by 1 + 2^-20 makes coordinates that no longer fit, but signs stay; so does moving by numbers that fit. */
static void orientation_is_exact(void **state)
{
    (void)state;
    uint64_t seed = 1;
    int zeros = 0;
    for (int i = 0; i < 20000; i++) {
        ts_vec3 p[4];
        for (int k = 0; k < 4; k++)
            p[k] = random_place(&seed);
        double truth = determinant(p[0], p[1], p[2], p[3]);
        int sign = (truth > 0) - (truth < 0);
        zeros += sign == 0;
        assert_int_equal(ts_orientation3(p[0], p[1], p[2], p[3]), sign);
        for (int k = 0; k < 4; k++) {
            p[k] = ts_vec3_add(p[k], (ts_vec3){1e9, -3e8, 12345678});
            p[k] = ts_vec3_scale(p[k], 1 + ldexp(1, -20));
        }
        assert_int_equal(ts_orientation3(p[0], p[1], p[2], p[3]), sign);
    }
    assert_true(zeros > 500);
    /* the smallest step of a coordinate off a plane that no axis is along */
    ts_vec3 a = {0, 0, 0}, b = {0.1, 0.3, 0.7}, c = {0.5, 0.2, 0.9}, d = {0.6, 0.5, 1.6};
    d = ts_vec3_add(b, c); /* rounded: near the plane, on it only where sums were exact */
    int here = ts_orientation3(a, b, c, d), up, down;
    d.z = nextafter(d.z, 10);
    up = ts_orientation3(a, b, c, d);
    d.z = nextafter(nextafter(d.z, 0), 0);
    down = ts_orientation3(a, b, c, d);
    assert_true(up <= here && here <= down && up < down); /* the normal, b × c, points down */
}

/* Six times a volume, of whole coordinates: nothing is rounded. */
static int64_t whole_det(const int64_t *a, const int64_t *b, const int64_t *c, const int64_t *d)
{
    int64_t u[3], v[3], w[3];
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
        w[k] = d[k] - a[k];
    }
    return (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] + (u[0] * v[1] - u[1] * v[0]) * w[2];
}

/* Whether point x (homogeneous, over weight > 0) lies in the triangle, given that it is in its plane: by areas that add
 * up. */
static bool covers(const int64_t t[3][3], const int64_t *x, int64_t weight)
{
    int64_t n[3], sign = 0;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] = (t[1][i] - t[0][i]) * (t[2][j] - t[0][j]) - (t[1][j] - t[0][j]) * (t[2][i] - t[0][i]);
    }
    for (int e = 0; e < 3; e++) {
        const int64_t *a = t[e], *b = t[(e + 1) % 3];
        sign = 0;
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            sign += n[k] * ((b[i] - a[i]) * (x[j] - weight * a[j]) - (b[j] - a[j]) * (x[i] - weight * a[i]));
        }
        if (sign < 0)
            return false;
    }
    return true;
}

/* An edge of one goes through the inside of the plane of the other within it. Pairs with points in each other's planes
 * are left out. */
static int edges_meet(const int64_t s[3][3], const int64_t t[3][3])
{
    for (int k = 0; k < 3; k++) {
        const int64_t *p = s[k], *q = s[(k + 1) % 3];
        int64_t above = whole_det(t[0], t[1], t[2], p), below = whole_det(t[0], t[1], t[2], q), x[3], weight;
        if (above == 0 || below == 0)
            return -1;
        if ((above > 0) == (below > 0))
            continue;
        weight = above > below ? above - below : below - above;
        for (int l = 0; l < 3; l++)
            x[l] = (above > below ? 1 : -1) * (above * q[l] - below * p[l]);
        if (covers(t, x, weight))
            return 1;
    }
    return 0;
}

/* Two random tetrahedra: pairs of triangles that meet are what repair counts. */
static void crossings_by_fractions(void **state)
{
    (void)state;
    uint64_t seed = 7;
    int met = 0, apart = 0;
    static const int side[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    for (int round = 0; round < 3000; round++) {
        int64_t p[2][4][3];
        begin();
        for (int b = 0; b < 2; b++)
            for (int k = 0; k < 4; k++) {
                for (int l = 0; l < 3; l++)
                    p[b][k][l] = (int64_t)(200 * random_number(&seed)) + (b == 1 && l == 0 ? 90 : 0);
                put((double)p[b][k][0], (double)p[b][k][1], (double)p[b][k][2]);
            }
        int meets = 0;
        for (int i = 0; i < 4 && meets >= 0; i++) {
            face(side[i][0], side[i][1], side[i][2]);
            face(4 + side[i][0], 4 + side[i][1], 4 + side[i][2]);
            for (int j = 0; j < 4 && meets >= 0; j++) {
                int64_t s[3][3], t[3][3];
                for (int k = 0; k < 3; k++) {
                    memcpy(s[k], p[0][side[i][k]], sizeof s[k]);
                    memcpy(t[k], p[1][side[j][k]], sizeof t[k]);
                }
                int one = edges_meet(s, t), other = edges_meet(t, s);
                meets = one < 0 || other < 0 ? -1 : meets + (one || other);
            }
        }
        if (meets < 0)
            continue;
        if (meets) {
            char part[64];
            snprintf(part, sizeof part, "crosses or touches itself: %d pair%s of", meets, meets == 1 ? "" : "s");
            met++;
            refuse(part);
        } else {
            apart++;
            repair();
        }
    }
    assert_true(met > 300 && apart > 300);
    forget();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clean_stays),
        cmocka_unit_test(triangles_turn),
        cmocka_unit_test(vertices_weld),
        cmocka_unit_test(folds_drop),
        cmocka_unit_test(triangles_drop),
        cmocka_unit_test(flat_triangles_flip),
        cmocka_unit_test(cavities),
        cmocka_unit_test(open_is_refused),
        cmocka_unit_test(crowded_is_refused),
        cmocka_unit_test(one_sided_is_refused),
        cmocka_unit_test(crossing_is_refused),
        cmocka_unit_test(fans_through_themselves),
        cmocka_unit_test(sheets_through_an_edge),
        cmocka_unit_test(nothing_is_refused),
        cmocka_unit_test(numbers_are_refused),
        cmocka_unit_test(orientation_is_exact),
        cmocka_unit_test(crossings_by_fractions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
