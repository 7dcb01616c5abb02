/* SPDX-License-Identifier: MIT */
/* Meshes in all formats: written here, read there; files as others write them; and each way in which a file can be
 * wrong. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file.h"
#include "shape/mesh_read.h"
#include "support/check.h"

/* ---- A file in memory ---- */

enum { ROOM = 1 << 16 };
static char file[ROOM];
static size_t size;

static void begin(void)
{
    size = 0;
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int written = vsnprintf(file + size, ROOM - size, format, list);
    va_end(list);
    assert_true(written >= 0 && size + (size_t)written < ROOM);
    size += (size_t)written;
}

static void add(const void *bytes, size_t count)
{
    assert_true(size + count < ROOM);
    memcpy(file + size, bytes, count);
    size += count;
}

/* Of so many bytes, in either order. */
static void add_number(uint64_t bits, int count, bool big)
{
    for (int i = 0; i < count; i++) {
        unsigned char byte = (unsigned char)(bits >> (8 * (big ? count - 1 - i : i)));
        add(&byte, 1);
    }
}

static void add_float(double value, bool big)
{
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    add_number(bits, 4, big);
}

static void add_double(double value, bool big)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    add_number(bits, 8, big);
}

/* ---- What comes of it ---- */

static ts_mesh *mesh;
static ts_mesh_report report;

static ts_status read_as(ts_mesh_format format, const char *name, bool whole)
{
    /* a block that ends where the file does: a sanitizer sees the first byte read beyond */
    char *copy = malloc(size + (size == 0));
    assert_non_null(copy);
    memcpy(copy, file, size);
    ts_mesh_free(mesh);
    mesh = NULL;
    ts_status status = whole ? ts_mesh_read(copy, size, format, name, &report, &mesh, ERROR)
                             : ts_mesh_parse(copy, size, format, name, &mesh, ERROR);
    assert_true((status == TS_OK) == (mesh != NULL));
    free(copy);
    return status;
}

static void read_mesh(const char *name)
{
    OK(read_as(TS_MESH_AUTO, name, true));
}

static void parse(const char *name)
{
    OK(read_as(TS_MESH_AUTO, name, false));
}

/* The error is at this line (0: none) and says this. */
static void refuse(const char *name, int line, const char *part)
{
    ts_status status = read_as(TS_MESH_AUTO, name, false);
    assert_true(status == TS_BAD_INPUT || status == TS_UNSUPPORTED);
    assert_string_equal(ERROR->file, name);
    if (!strstr(ERROR->message, part))
        fail_msg("\"%s\" is not in \"%s\"", part, ERROR->message);
    assert_int_equal(ERROR->line, line);
}

static void refuse_text(const char *name, int line, const char *text, const char *part)
{
    begin();
    say("%s", text);
    refuse(name, line, part);
}

static double area_of(const ts_mesh *m)
{
    double sum = 0;
    for (size_t i = 0; i < m->triangle_count; i++) {
        const int32_t *c = m->triangle[i];
        ts_vec3 a = m->vertex[c[0]];
        sum += ts_vec3_length(ts_vec3_cross(ts_vec3_sub(m->vertex[c[1]], a), ts_vec3_sub(m->vertex[c[2]], a))) / 2;
    }
    return sum;
}

/* ---- A body to write: an octahedron stretched by numbers that need all of their digits ---- */

static const double vertex[6][3] = {{1.0 / 3, 0, 0},  {-0.7, 0, 0},     {0, 1.1, 0},
                                    {0, -2.0 / 7, 0}, {0, 0, 1e-3 / 3}, {0, 0, -TS_PI}};
static const int face[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};

static double coordinate(int v, int axis, bool narrow)
{
    return narrow ? (double)(float)vertex[v][axis] : vertex[v][axis];
}

/* The mesh is the octahedron, its vertices in whatever order: the same triangles, bit for bit. */
static void expect_octahedron(bool narrow)
{
    assert_int_equal(mesh->vertex_count, 6);
    assert_int_equal(mesh->triangle_count, 8);
    for (int f = 0; f < 8; f++)
        for (int k = 0; k < 3; k++) {
            ts_vec3 p = mesh->vertex[mesh->triangle[f][k]];
            assert_true(p.x == coordinate(face[f][k], 0, narrow) && p.y == coordinate(face[f][k], 1, narrow) &&
                        p.z == coordinate(face[f][k], 2, narrow));
        }
}

static void write_obj(const char *newline)
{
    begin();
    say("# an octahedron%smtllib none.mtl%so thing%s", newline, newline, newline);
    for (int v = 0; v < 6; v++)
        say("v %.17g %.17g %.17g%s", vertex[v][0], vertex[v][1], vertex[v][2], newline);
    say("vt 0 0%svn 0 0 1%sg a b%susemtl x%ss off%s", newline, newline, newline, newline, newline);
    for (int f = 0; f < 8; f++)
        say(f % 4 == 0   ? "f %d %d %d%s"
            : f % 4 == 1 ? "f %d/1 %d/1 %d/1%s"
            : f % 4 == 2 ? "f %d//1 %d//1 %d//1%s"
                         : "f\t%d/1/1  %d/1/1 %d/1/1 %s",
            face[f][0] + 1, face[f][1] + 1, face[f][2] + 1, newline);
}

static void write_text_stl(void)
{
    begin();
    say("solid thing of mine\n");
    for (int f = 0; f < 8; f++) {
        say("  facet normal nan nan nan\n    outer loop\n");
        for (int k = 0; k < 3; k++)
            say("      vertex %.17e %.17E %.17g\n", vertex[face[f][k]][0], vertex[face[f][k]][1],
                vertex[face[f][k]][2]);
        say("    endloop\n  endfacet\n");
    }
    say("endsolid thing of mine\n");
}

static void write_binary_stl(const char *title)
{
    char header[80] = {0};
    begin();
    snprintf(header, sizeof header, "%s", title);
    add(header, sizeof header);
    add_number(8, 4, false);
    for (int f = 0; f < 8; f++) {
        for (int k = 0; k < 3; k++)
            add_float((double)NAN, false);
        for (int k = 0; k < 9; k++)
            add_float(vertex[face[f][k / 3]][k % 3], false);
        add_number(0, 2, false);
    }
}

typedef enum encoding { TEXT, LITTLE, BIG } encoding;
static const char *const encoding_name[] = {"ascii", "binary_little_endian", "binary_big_endian"};

/* A number of a PLY file: i, u or f, and bits. */
static void put(encoding e, const char *type, double value)
{
    if (e == TEXT)
        say("%.17g ", value);
    else if (strcmp(type, "float") == 0)
        add_float(value, e == BIG);
    else if (strcmp(type, "double") == 0)
        add_double(value, e == BIG);
    else
        add_number((uint64_t)(int64_t)value, strstr(type, "char") ? 1 : strstr(type, "short") ? 2 : 4, e == BIG);
}

/* With elements and properties that nobody knows, before, between and after; `order` says whether faces come first. */
static void write_ply(encoding e, const char *count_type, const char *index_type, bool faces_first)
{
    begin();
    say("ply\nformat %s 1.0\ncomment # element vertex 7 \\\nobj_info none\n", encoding_name[e]);
    say("element range 2\nproperty list ushort short stuff\nproperty char more\n");
    for (int pass = 0; pass < 2; pass++)
        if ((pass == 0) == faces_first)
            say("element face 8\nproperty uchar red\nproperty list %s %s vertex_indices\nproperty list uchar float "
                "texcoord\n",
                count_type, index_type);
        else
            say("element vertex 6\nproperty float nx\nproperty double z\nproperty double x\nproperty list uchar int "
                "extra\nproperty "
                "double y\n");
    say("element empty 1000000000000\nelement tail 1\nproperty double end\nend_header\n");
    for (int i = 0; i < 2; i++) {
        put(e, "ushort", 2 + i);
        for (int k = 0; k < 2 + i; k++)
            put(e, "short", -k);
        put(e, "char", -1);
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int f = 0; f < 8 && (pass == 0) == faces_first; f++) {
            put(e, "uchar", 255);
            put(e, count_type, 3);
            for (int k = 0; k < 3; k++)
                put(e, index_type, face[f][k]);
            put(e, "uchar", 2);
            put(e, "float", 0.5);
            put(e, "float", 0.25);
        }
        for (int v = 0; v < 6 && (pass == 1) == faces_first; v++) {
            put(e, "float", 1e30);
            put(e, "double", vertex[v][2]);
            put(e, "double", vertex[v][0]);
            put(e, "uchar", v % 3);
            for (int k = 0; k < v % 3; k++)
                put(e, "int", -70000);
            put(e, "double", vertex[v][1]);
            if (e == TEXT)
                say("\r\n");
        }
    }
    put(e, "double", 0);
}

static void written_reads_the_same(void **state)
{
    (void)state;
    const char *const newline[] = {"\n", "\r\n", "\r"};
    for (int k = 0; k < 3; k++) {
        write_obj(newline[k]);
        read_mesh("a");
        expect_octahedron(false);
    }
    write_text_stl();
    read_mesh("a");
    expect_octahedron(false);
    assert_int_equal(report.welded, 24 - 6);
    const char *const title[] = {"made by hand", "solid thing", ""};
    for (int k = 0; k < 3; k++) {
        write_binary_stl(title[k]);
        read_mesh("a");
        expect_octahedron(true);
    }
    const char *const type[] = {"uchar", "char", "ushort", "short", "uint", "int"};
    for (int e = 0; e < 3; e++)
        for (int k = 0; k < 6; k++) {
            write_ply((encoding)e, type[k], type[5 - k], k % 2);
            read_mesh("a");
            expect_octahedron(false);
        }
    write_ply(BIG, "float", "double", false); /* odd, but no less clear */
    read_mesh("a");
    expect_octahedron(false);
}

/* Each start of a file is refused, or is a file of its own; never a closed mesh of something else. */
static void cut_short(void **state)
{
    (void)state;
    for (int kind = 0; kind < 6; kind++) {
        const char *name = kind == 0 ? "a.obj" : kind < 3 ? "a.stl" : "a.ply";
        if (kind == 0)
            write_obj("\n");
        else if (kind == 1)
            write_text_stl();
        else if (kind == 2)
            write_binary_stl("solid");
        else
            write_ply((encoding)(kind - 3), "uchar", "int", false);
        size_t all = size;
        for (size = 0; size < all; size++) {
            ts_status status = read_as(TS_MESH_AUTO, name, true);
            if (status == TS_OK) { /* a newline or the tail is missing; the last number of an OBJ counts for less */
                expect_octahedron(kind == 2);
                assert_true(size + 24 > all);
            } else {
                assert_true(status == TS_BAD_INPUT || status == TS_UNSUPPORTED);
                assert_true(ERROR->message[0] != 0);
            }
        }
    }
}

/* ---- OBJ as others write it ---- */

static void relative_and_continued(void **state)
{
    (void)state;
    begin();
    say("\xef\xbb\xbf# C:\\models\\\n");
    say("f 1 2 3 # vertices may come later\n");
    say("v 0 0 0 1 0.5 0.5 0.5\nv 1 0 \\\n  0\nv\t0 1 0 1.0\n");
    say("f -3 -2 \\\r\n -1\n");
    say("v 0 0 1e0\nv +.5 5. 5.e-1\nf -2 -1 -5\n");
    say("f 4/-1/2 5// 1/3");
    parse("a.obj");
    assert_int_equal(mesh->vertex_count, 5);
    assert_int_equal(mesh->triangle_count, 4);
    const int32_t expected[4][3] = {{0, 1, 2}, {0, 1, 2}, {3, 4, 0}, {3, 4, 0}};
    assert_memory_equal(mesh->triangle, expected, sizeof expected);
    assert_true(mesh->vertex[4].x == 0.5 && mesh->vertex[4].y == 5 && mesh->vertex[4].z == 0.5);
    begin(); /* the number of vertices before it, not in all, is what a relative index counts from */
    say("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -1 -2 -3\nv 9 9 9\n");
    parse("a.obj");
    assert_int_equal(mesh->triangle[0][0], 2);
}

/* The area of a polygon is that of its triangles: they neither overlap nor leave out anything. In each plane, either
 * way round. */
static void polygons(void **state)
{
    (void)state;
    /* an arrow, which a fan from its first corner would get wrong; a comb; a square with a hole joined to it by a
     * bridge */
    static const double arrow[][2] = {{0, 0}, {4, -3}, {1, 0}, {4, 3}};
    static const double comb[][2] = {{0, 0}, {7, 0}, {7, 5}, {6, 5}, {6, 1}, {5, 1}, {5, 5}, {4, 5},
                                     {4, 1}, {3, 1}, {3, 5}, {2, 5}, {2, 1}, {1, 1}, {1, 5}, {0, 5}};
    static const double ring[][2] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}};
    static const double row[][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 2}, {0, 2}}; /* corners on a straight side */
    static const struct {
        const double (*point)[2];
        int count;
        double area;
    } shape[] = {{arrow, 4, 3}, {comb, 16, 7 + 4 * 4}, {ring, 10, 12}, {row, 6, 6}};
    const ts_vec3 axes[][2] = {
        {{1, 0, 0}, {0, 1, 0}}, {{0, 1, 0}, {0, 0, 1}}, {{0, 0, 1}, {1, 0, 0}}, {{0.6, 0.8, 0}, {-0.48, 0.36, 0.8}}};
    for (int s = 0; s < 4; s++)
        for (int a = 0; a < 8; a++)
            for (int start = 0; start < shape[s].count; start++) {
                int n = shape[s].count;
                begin();
                for (int i = 0; i < n; i++) {
                    const double *p = shape[s].point[(a % 2 ? n - 1 - i : i)];
                    ts_vec3 q = ts_vec3_add_scaled(ts_vec3_scale(axes[a / 2][0], p[0]), axes[a / 2][1], p[1]);
                    say("v %.17g %.17g %.17g\n", q.x, q.y, q.z);
                }
                say("f");
                for (int i = 0; i < n; i++)
                    say(" %d", (start + i) % n + 1);
                parse("a.obj");
                NEAR(area_of(mesh), shape[s].area, 1e-12);
                ts_vec3 normal = ts_vec3_scale(ts_vec3_cross(axes[a / 2][0], axes[a / 2][1]), a % 2 ? -1 : 1);
                for (size_t t = 0; t < mesh->triangle_count; t++) {
                    const int32_t *c = mesh->triangle[t];
                    ts_vec3 o = mesh->vertex[c[0]];
                    assert_true(ts_vec3_dot(normal, ts_vec3_cross(ts_vec3_sub(mesh->vertex[c[1]], o),
                                                                  ts_vec3_sub(mesh->vertex[c[2]], o))) > 0);
                }
            }
    begin(); /* a prism over the comb, of polygons alone */
    for (int i = 0; i < 32; i++)
        say("v %g %g %d\n", comb[i % 16][0], comb[i % 16][1], i / 16);
    say("f");
    for (int i = 15; i >= 0; i--)
        say(" %d", i + 1);
    say("\nf");
    for (int i = 0; i < 16; i++)
        say(" %d", i + 17);
    for (int i = 0; i < 16; i++)
        say("\nf %d %d %d %d", i + 1, (i + 1) % 16 + 1, (i + 1) % 16 + 17, i + 17);
    read_mesh("prism");
    NEAR(report.volume, 7 + 4 * 4, 1e-12);
    assert_int_equal(report.turned, 0);
}

/* Corners said twice, and polygons that are but a line. */
static void poor_polygons(void **state)
{
    (void)state;
    begin();
    say("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.5 0 0\n");
    say("f 1 3 3 2 2\nf 1 2 4 1\nf 2 3 4\nf 3 1 4\nf 1 1 1 1\nf 2 2 3 3\n");
    read_mesh("a");
    assert_int_equal(report.degenerate, 2);
    assert_int_equal(report.unused, 1);
    NEAR(report.volume, 1.0 / 6, 1e-15);
    begin();
    say("v 0 0 0\nv 1 1 1\nv 2 2 2\nv 3 3 3\nf 1 2 3 4\n");
    parse("a");
    assert_int_equal(mesh->triangle_count, 2);
    static const char *const far[] = {"1e308", "1e200", "1e70", "1e-200", "1e-320"};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) { /* no number is made of such corners; repair refuses them */
        begin();
        for (int k = 0; k < 2; k++)
            say("v 0 0 %d\nv %s -%s %d\nv 1 0 %d\nv %s %s %d\n", k, far[i], far[i], k, k, far[i], far[i], k);
        say("f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
        assert_int_equal(read_as(TS_MESH_OBJ, "far", true), TS_BAD_INPUT);
    }
    refuse_text("a.obj", 6, "v 0 0 0\nv 4 0 0\nv 0 3 0\nv 4 5 0\n\nf 1 2 3 4\n", "crosses itself");
}

static void numbers_are_nearest(void **state)
{
    (void)state;
    static const char *const text[] = {"0.1",
                                       "123456789012345678",
                                       "9007199254740993",
                                       "1e22",
                                       "1e23",
                                       "-0",
                                       "1e-22",
                                       "3.5e-310",
                                       "0.30000000000000004",
                                       "17976931348623157000e289",
                                       "1.7976931348623157e308",
                                       "2.2250738585072011e-308",
                                       "00000000000000000000.5",
                                       "5e-324",
                                       "+7",
                                       "1E+2"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        begin();
        say("v %s 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", text[i]);
        parse("a.obj");
        double expected = strtod(text[i], NULL);
        assert_memory_equal(&mesh->vertex[0].x, &expected, sizeof expected);
    }
}

/* ---- Errors ---- */

#define THREE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"

static void obj_errors(void **state)
{
    (void)state;
    const char *n = "a.obj";
    refuse_text(n, 4, THREE "f 1 2 0\n", "vertex 0 ('0'); the first vertex is 1");
    assert_int_equal(ERROR->column, 7);
    refuse_text(n, 4, THREE "f 1 2 4\n", "vertex 4 ('4'), but the file has 3 vertices");
    refuse_text(n, 4, THREE "f 1 2 -4\n", "4 vertices back ('-4'), but only 3");
    refuse_text(n, 1, "f 1 2 -1\n" THREE, "1 vertices back ('-1'), but only 0");
    refuse_text(n, 4, THREE "f 1 2 99999999999999999999999999\n", "but the file has 3");
    refuse_text(n, 5, THREE "\nf 1 2\n", "a face has 2 corners");
    refuse_text(n, 4, THREE "f\n", "a face has 0 corners");
    refuse_text(n, 5, THREE "f 1 2 \\\n x\n", "'x' is no corner");
    static const char *const corner[] = {"1.5", "1/x", "1/2/3/4", "1 /", "--1", "-", "/1", "1e0", "+1", "1//x"};
    for (size_t i = 0; i < sizeof corner / sizeof *corner; i++) {
        begin();
        say(THREE "f 1 2 3 %s\n", corner[i]);
        refuse(n, 4, "is no corner of a face");
    }
    refuse_text(n, 2, "\nv 1 2\n", "a vertex has 2 numbers");
    refuse_text(n, 1, "v 1\n", "a vertex has 1 number;");
    refuse_text(n, 1, "v 1 2 3 4 5 6 7 8 9\n", "more than 8 numbers");
    static const char *const number[] = {"nan",   "NaN", "inf", "-inf", "1e999", "0x10", "1,5",
                                         "1.2.3", "e5",  ".",   "1e",   "--1",   "1_0"};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        begin();
        say("v 0 0 0\nv 0 %s 0\n", number[i]);
        refuse(n, 2, "the y of a vertex is '");
        assert_int_equal(ERROR->column, 5);
    }
    refuse_text(n, 1, "hello world\n", "'hello' begins no statement");
    refuse_text(n, 2, "v 0 0 0\nsurf 0 1 0 1 1 2 3\n", "curved surface");
    refuse_text(n, 0, "v 0 0 0\n", "no faces, only 1 vertex");
    refuse_text(n, 0, "# nothing\n", "no faces");
    refuse_text("a.xyz", 1, "\x01\x02 abc", "' begins no statement");
    begin();
    say(THREE "f");
    for (int i = 0; i < 10001; i++)
        say(" %d", i % 3 + 1);
    refuse(n, 4, "more than 10000 corners");
}

static void stl_errors(void **state)
{
    (void)state;
    const char *n = "a.stl";
    refuse_text(n, 2, "solid\nfacit\n", "'facit' stands where 'facet' or 'endsolid' should");
    refuse_text(n, 1, "solid", "ends without 'endsolid'");
    refuse_text(n, 0, "solid x\nendsolid", "no faces");
    refuse_text(n, 3, "solid x\nfacet normal 0 0 1\nouter lop", "'lop' stands where 'loop'");
    refuse_text(n, 4, "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 nan 0\n", "a coordinate is 'nan'");
    refuse_text(n, 2, "solid x\nfacet normal 0", "ends within a normal");
    refuse_text(n, 4, "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0", "ends within a vertex");
    refuse_text(n, 3, "solid x\nendsolid\njunk", "where 'solid' should");
    refuse_text(n, 0, "0123456789", "begins with 84 bytes, but there are 10");
    write_binary_stl("thing");
    size--;
    refuse(n, 0, "a binary STL of 8 triangles has 484 bytes, but there are 483");
    size += 2;
    refuse(n, 0, "but there are 485");
    size--;
    file[80 + 3] = (char)0xff;
    refuse(n, 0, "a binary STL of 4278190088 triangles");
    write_binary_stl("solid thing");
    size -= 10;
    refuse(n, 0, "has 484 bytes, but there are 474");
    write_binary_stl("thing");
    ts_put_f32((unsigned char *)file + 84 + 50 + 12 + 12 + 4, INFINITY);
    refuse(n, 0, "vertex 2 of triangle 2 is (");
    write_binary_stl("");
    size = 84;
    memset(file + 80, 0, 4);
    refuse(n, 0, "no faces");
}

#define PLY   "ply\nformat ascii 1.0\n"
#define SPACE "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
#define FACES "element face 1\nproperty list uchar int vertex_index\n"
#define PLACE "0 0 0\n1 0 0\n0 1 0\n"

static void ply_errors(void **state)
{
    (void)state;
    const char *n = "a.ply";
    begin();
    say("%s", PLY SPACE FACES "end_header\n" PLACE "3 0 1 2\n");
    parse(n);
    refuse_text(n, 1, "plywood\n", "begins with a line 'ply'");
    refuse_text(n, 2, "ply\nformat ternary 1.0\nend_header\n", "'ternary' stands where ascii,");
    refuse_text(n, 2, "ply\nelement vertex 3\nend_header\n", "where 'format' should");
    refuse_text(n, 3, PLY "format ascii 1.0\nend_header\n", "'format' stands where");
    refuse_text(n, 3, PLY "elephant\n\n", "'elephant' stands where 'element'");
    refuse_text(n, 3, PLY "property float x\n\n", "where an element should");
    refuse_text(n, 4, PLY "element vertex 3\nproperty flat x\n\n", "'flat' stands where a number type");
    refuse_text(n, 4, PLY "element vertex 3\nproperty list uchar int\n\n", "the name of a property should");
    refuse_text(n, 3, PLY "element vertex -3\n\n", "'-3' stands where a whole number");
    refuse_text(n, 3, PLY "element vertex 1e99\n\n", "a whole number");
    refuse_text(n, 3, PLY "element vertex\n\n", "line ends where the number of elements");
    refuse_text(n, 4, PLY "element vertex 3\nelement vertex 3\n\n", "vertex stands here again");
    refuse_text(n, 5, PLY "element vertex 3\nproperty int x\nproperty float x\n\n",
                "property x of vertex stands here again");
    refuse_text(n, 7, PLY SPACE, "without 'end_header'");
    refuse_text(n, 0, PLY FACES "end_header\n", "no element 'vertex' with properties x, y and z");
    refuse_text(n, 0, PLY SPACE "end_header\n" PLACE, "no element 'face'");
    refuse_text(n, 13, PLY SPACE FACES "end_header\n" PLACE "3 0 1 3\n", "face 0 refers to vertex 3, but there are 3");
    refuse_text(n, 13, PLY SPACE FACES "end_header\n" PLACE "3 0 1 -1\n", "face 0 refers to vertex -1");
    refuse_text(n, 13, PLY SPACE FACES "end_header\n" PLACE "3 0 1 0.5\n", "face 0 refers to vertex 0.5");
    refuse_text(n, 13, PLY SPACE FACES "end_header\n" PLACE "2 0 1 22222\n", "face 0 has 2 corners");
    refuse_text(n, 13, PLY SPACE FACES "end_header\n" PLACE "-3 0 1 2\n", "has -3 items");
    refuse_text(n, 13, PLY SPACE FACES "end_header\n" PLACE "300 0 1 2\n", "has 300 items");
    refuse_text(n, 14, PLY SPACE FACES "end_header\n" PLACE "3 0 1\n", "ends within face 0 of 1");
    refuse_text(n, 10, PLY SPACE FACES "end_header\n0 nan 0\n0 0 0 0 0 0 3 0 1 2\n",
                "'nan', which is not a finite number");
    /* promises that no file could keep cost no memory */
    refuse_text(n, 0,
                PLY "element vertex 900000000000000\nproperty float x\nproperty float y\nproperty float z\n" FACES
                    "end_header\n" PLACE,
                "promises 900000000000000 of element 'vertex', but the 18 bytes left hold at most 3");
    refuse_text(n, 0, PLY "element pad 4000000000\nproperty list uchar int p\n" SPACE FACES "end_header\n" PLACE,
                "of element 'pad'");
    begin();
    say("ply\nformat binary_little_endian 1.0\n" SPACE
        "element face 4294967295\nproperty list uint int vertex_indices\nend_header\n");
    for (int k = 0; k < 9; k++)
        add_float(k, false);
    refuse(n, 0, "promises 4294967295 of element 'face', but the 0 bytes left hold at most 0");
    begin();
    say("ply\nformat binary_big_endian 1.0\n" SPACE
        "element face 1\nproperty list uint int vertex_indices\nend_header\n");
    for (int k = 0; k < 9; k++)
        add_float(k == 4 ? (double)NAN : k, true);
    add_number(0xffffffff, 4, true);
    refuse(n, 0, "a number of vertex 1 is nan");
    size -= 40;
    for (int k = 0; k < 9; k++)
        add_float(k, true);
    add_number(0xffffffff, 4, true);
    refuse(n, 0, "a list of face 0 has 4.29497e+09 items, and 0 bytes are left");
}

static void formats_are_told(void **state)
{
    (void)state;
    begin();
    refuse("a.obj", 0, "the file is empty");
    refuse_text("a.obj", 0, "\x1f\x8b\x08 packed", "compressed");
    refuse_text("a.obj", 0, "\xff\xfev", "UTF-16");
    begin();
    add("\0\1\2\3", 4);
    refuse("a", 0, "neither an OBJ, an STL nor a PLY");
    refuse("a.STL", 0, "a binary STL begins with 84 bytes");
    write_ply(TEXT, "uchar", "int", false); /* the bytes tell, whatever the name says */
    parse("wrong.stl");
    write_text_stl();
    parse("wrong.obj");
    write_binary_stl("solid");
    parse("wrong.ply");
    assert_int_equal(read_as(TS_MESH_OBJ, "wrong", false), TS_BAD_INPUT); /* unless the caller does */
    write_obj("\n");
    assert_int_equal(read_as(TS_MESH_PLY, "wrong", false), TS_BAD_INPUT);
    assert_int_equal(read_as(TS_MESH_STL, NULL, false), TS_BAD_INPUT);
    OK(read_as(TS_MESH_OBJ, NULL, false));
}

static void errors_name_the_file(void **state)
{
    (void)state;
    ts_mesh_free(mesh);
    write_obj("\n");
    OK(ts_mesh_read(file, size, TS_MESH_AUTO, "thing.obj", &report, &mesh, ERROR));
    expect_octahedron(false);
    ts_mesh_free(mesh);
    begin();
    say(THREE "f 1 2 3\n");
    assert_int_equal(ts_mesh_read(file, size, TS_MESH_AUTO, "open.obj", NULL, &mesh, ERROR), TS_BAD_INPUT);
    assert_string_equal(ERROR->file, "open.obj");
    assert_non_null(strstr(ERROR->message, "open: 3 edges"));
}

/* Millions of lines that mean nothing are refused at the first; millions that are fine, but say nothing, are read at
 * once. */
static void junk_is_quick(void **state)
{
    (void)state;
    enum { LINES = 1000000 };
    static const char line[2][6] = {{'#', ' ', 'n', 'o', 't', '\n'}, {'j', 'u', 'n', 'k', ' ', '\n'}};
    char *junk = malloc(6 * LINES);
    assert_non_null(junk);
    for (int i = 0; i < LINES; i++)
        memcpy(junk + (size_t)6 * (size_t)i, line[i % 2], sizeof line[0]);
    ts_mesh_free(mesh);
    assert_int_equal(ts_mesh_read(junk, (size_t)6 * LINES, TS_MESH_AUTO, "junk.obj", NULL, &mesh, ERROR), TS_BAD_INPUT);
    assert_int_equal(ERROR->line, 2);
    assert_int_equal(ts_mesh_read(junk, (size_t)6 * LINES, TS_MESH_PLY, NULL, NULL, &mesh, ERROR), TS_BAD_INPUT);
    assert_int_equal(ERROR->line, 1);
    free(junk);
}

static int finish(void **state)
{
    (void)state;
    ts_mesh_free(mesh);
    mesh = NULL;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_reads_the_same),
        cmocka_unit_test(cut_short),
        cmocka_unit_test(relative_and_continued),
        cmocka_unit_test(polygons),
        cmocka_unit_test(poor_polygons),
        cmocka_unit_test(numbers_are_nearest),
        cmocka_unit_test(obj_errors),
        cmocka_unit_test(stl_errors),
        cmocka_unit_test(ply_errors),
        cmocka_unit_test(formats_are_told),
        cmocka_unit_test(errors_name_the_file),
        cmocka_unit_test(junk_is_quick),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
