/* SPDX-License-Identifier: MIT */
/* Files of smooth bodies: what is written is read back bit for bit, and damaged ones are told where and why. */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"
#include "scene/smooth_file.h"
#include "support/check.h"
#include "support/smooth.h"

static bool same(const void *a, const void *b, size_t bytes)
{
    return bytes == 0 || memcmp(a, b, bytes) == 0;
}

static void check_same(const ts_sdf_body *a, const ts_sdf_body *b)
{
    assert_true(ts_sdf_smoothing(a->sdf) == ts_sdf_smoothing(b->sdf));
    assert_int_equal(ts_sdf_count(a->sdf), ts_sdf_count(b->sdf));
    for (size_t i = 0; i < ts_sdf_count(a->sdf); i++) {
        const ts_primitive *p = ts_sdf_primitive(a->sdf, i), *q = ts_sdf_primitive(b->sdf, i);
        assert_true(p->kind == q->kind && p->subtract == q->subtract && p->count == q->count && p->width == q->width);
        assert_true(same(&p->pose, &q->pose, sizeof p->pose) && same(p->point, q->point, p->count * sizeof *p->point) &&
                    same(p->normal, q->normal, p->count * sizeof *p->normal));
        if (p->kind == TS_PRIMITIVE_SUPERQUADRIC)
            assert_true(same(&p->size, &q->size, sizeof p->size) && same(p->exponent, q->exponent, sizeof p->exponent));
    }
    assert_int_equal(a->mesh->vertex_count, b->mesh->vertex_count);
    assert_int_equal(a->mesh->triangle_count, b->mesh->triangle_count);
    assert_true(same(a->mesh->vertex, b->mesh->vertex, a->mesh->vertex_count * sizeof *a->mesh->vertex));
    assert_true(same(a->mesh->triangle, b->mesh->triangle, a->mesh->triangle_count * sizeof *a->mesh->triangle));
    assert_true(a->off == b->off && a->edge_count == b->edge_count);
    const ts_sdf_rule of_a = ts_sdf_default_rule(a->sdf), of_b = ts_sdf_default_rule(b->sdf);
    ts_random random = ts_random_make(3, 1);
    for (int i = 0; i < 200; i++) {
        const ts_vec3 at = {ts_random_next_range(&random, -1, 1), ts_random_next_range(&random, -1, 1),
                            ts_random_next_range(&random, -1, 1)};
        assert_true(ts_sdf_at(a->sdf, &of_a, at) == ts_sdf_at(b->sdf, &of_b, at));
    }
}

static void check_round_trip(ts_sdf_body *body)
{
    const char *note[] = {"fitted to \"a\\b\".obj\n\x01", "bad \xff byte"};
    ts_sdf_body *again = NULL;
    OK(ts_smooth_file_write("body.json", body, note, 2, ERROR));
    OK(ts_smooth_file_read("body.json", &again, ERROR));

    check_same(body, again);
    ts_sdf_body_free(again);
    ts_sdf_body_free(body);
}

/* A random attitude and position, so that no number is round. */
static ts_primitive any(ts_random *random, ts_primitive p)
{
    double q[4], at[3];
    for (int i = 0; i < 4; i++)
        q[i] = ts_random_next_range(random, -1, 1);
    for (int i = 0; i < 3; i++)
        at[i] = ts_random_next_range(random, -0.2, 0.2);
    p.pose = (ts_pose3){{at[0], at[1], at[2]}, ts_quat_unit((ts_quat){q[0], q[1], q[2], q[3]})};
    return p;
}

static ts_mesh *mesh_of(const ts_sdf_body *body)
{
    ts_mesh *mesh = NULL;
    OK(ts_mesh_copy(body->mesh, &mesh, ERROR));
    return mesh;
}

static void test_round_trip(void **state)
{
    (void)state;
    check_round_trip(ts_test_superquadric((ts_vec3){0.1, 0.2, 1.0 / 3}, 0.3, 1.7, 4));
    check_round_trip(ts_test_polyhedron_box(0.3, 2));
    check_round_trip(ts_test_blob(0.7));
    /* all kinds at once, turned by rounding: a unit quaternion must not be made one again */
    ts_random random = ts_random_make(11, 2);
    ts_sdf_body *ball = ts_test_superquadric((ts_vec3){0.4, 0.4, 0.4}, 1, 1, 4);
    for (int i = 0; i < 20; i++) {
        ts_sdf_body *box = ts_test_polyhedron_box(ts_random_next_range(&random, 0.2, 0.4), 1);
        const size_t count = ball->mesh->vertex_count;
        ts_vec3 *normal = NULL;
        OK(ts_new_raw(&normal, count, ERROR));
        for (size_t k = 0; k < count; k++)
            normal[k] = ts_vec3_unit(ball->mesh->vertex[k]);
        const ts_primitive cloud = {
            .kind = TS_PRIMITIVE_CLOUD, .point = ball->mesh->vertex, .normal = normal, .count = count};
        const ts_primitive sq = {.kind = TS_PRIMITIVE_SUPERQUADRIC,
                                 .size = {ts_random_next_range(&random, 0.1, 0.3), 0.2, 1.0 / 7},
                                 .exponent = {ts_random_next_range(&random, 0.1, 1.9), 0.7}};
        ts_primitive part[3] = {any(&random, sq), any(&random, *ts_sdf_primitive(box->sdf, 0)), any(&random, cloud)};
        part[0].subtract = i % 2;
        ts_sdf *sdf = NULL;
        ts_sdf_body *made = NULL;
        OK(ts_sdf_create(part, 3, &sdf, ERROR));
        OK(ts_sdf_set_smoothing(sdf, 0.003 + 0.001 * i, ERROR));
        OK(ts_sdf_body_create(sdf, mesh_of(ball), &made, ERROR));
        ts_free(normal);
        ts_sdf_body_free(box);
        check_round_trip(made);
    }
    ts_sdf_body_free(ball);
}

/* ---- Errors ---- */

#define OCTAHEDRON                                                        \
    "\"points\": [[1,0,0],[-1,0,0],[0,1,0],[0,-1,0],[0,0,1],[0,0,-1]],\n" \
    "\"triangles\": [[0,2,4],[2,1,4],[1,3,4],[3,0,4],[2,0,5],[1,2,5],[3,1,5],[0,3,5]]"
#define BALL                  "{\"kind\": \"superquadric\", \"size\": [1, 1, 1], \"exponents\": [1, 1]}"
#define FILE_OF(pieces, mesh) "{\"touchstone_smooth\": 1,\n\"pieces\": [" pieces "],\n" mesh "}"

static void expect(const char *text, ts_status status, int line, const char *part)
{
    ts_sdf_body *body = NULL;
    ts_error error = {0};
    assert_int_equal(ts_smooth_file_parse(text, strlen(text), "it.json", &body, &error), status);
    assert_null(body);
    if (!strstr(error.message, part) || error.line != line || error.column < 1)
        fail_msg("%s:%d:%d: %s\nwanted line %d: %s", error.file, error.line, error.column, error.message, line, part);
}

static void test_errors(void **state)
{
    (void)state;
    ts_sdf_body *body = NULL;
    const char *good = FILE_OF(BALL, OCTAHEDRON);
    OK(ts_smooth_file_parse(good, strlen(good), "it.json", &body, ERROR));
    assert_int_equal(body->mesh->vertex_count, 6);
    ts_sdf_body_free(body);
    const struct {
        const char *text, *part;
        int line;
    } bad[] = {
        {"{}", "no file of a smooth body", 1},
        {"[1]", "no file of a smooth body", 1},
        {"{\"touchstone_smooth\": \"1\"}", "wants the version", 1},
        {"{\"touchstone_smooth\": 1, \"pieces\": [" BALL "]}", "has no \"points\"", 1},
        {FILE_OF(BALL, OCTAHEDRON ", \"smooting\": 1"), "did you mean \"smoothing\"", 4},
        {FILE_OF(BALL, OCTAHEDRON ", \"smoothing\": 0"), "must be positive", 4},
        {FILE_OF(BALL, OCTAHEDRON ", \"smoothing\": 2"), "at most 1", 4},
        {FILE_OF(BALL, OCTAHEDRON ", \"notes\": \"a\""), "notes wants a list", 4},
        {FILE_OF("", OCTAHEDRON), "pieces is empty", 2},
        {FILE_OF("{\"kind\": \"superquadrik\"}", OCTAHEDRON), "did you mean \"superquadric\"", 2},
        {FILE_OF("{\"kind\": \"superquadric\", \"exponents\": [1, 1]}", OCTAHEDRON), "has no \"size\"", 2},
        {FILE_OF("{\"kind\": \"superquadric\", \"size\": [1, 1, 0], \"exponents\": [1, 1]}", OCTAHEDRON),
         "must be positive", 2},
        {FILE_OF("{\"kind\": \"superquadric\", \"size\": [1, 1, 1], \"exponents\": [1, 0.05]}", OCTAHEDRON),
         "choose one from 0.1", 2},
        {FILE_OF("{\"kind\": \"superquadric\", \"subtract\": true, \"size\": [1, 1, 1], \"exponents\": [1, 1]}",
                 OCTAHEDRON),
         "all of its pieces are subtracted", 2},
        {FILE_OF("{\"kind\": \"cloud\", \"points\": []}", OCTAHEDRON), "give at least 4", 2},
        {FILE_OF("{\"kind\": \"cloud\", \"points\": [[1,0,0],[0,1,0],[0,0,1],[-1,-1,-1]]}", OCTAHEDRON),
         "no \"normals\"", 2},
        {FILE_OF("{\"kind\": \"cloud\", \"file\": \"a.obj\"}", OCTAHEDRON), "give points and normals here", 2},
        {FILE_OF("{\"kind\": \"polyhedron\", \"points\": [[1,0,0],[0,1,0],[0,0,1],[1,1,0]], \"normals\": "
                 "[[1,0,0],[0,1,0],[0,0,1],[1,0,0]]}",
                 OCTAHEDRON),
         "unbounded", 2},
        {FILE_OF("{\"kind\": \"polyhedron\", \"points\": [[1,0,0],[0,1,0],[0,0,1],[1,1,0]], \"normals\": "
                 "[[2,0,0],[0,1,0],[0,0,1],[1,0,0]]}",
                 OCTAHEDRON),
         "has length 2", 2},
        {FILE_OF("{\"kind\": \"polyhedron\", \"points\": [[1,0,0],[0,1,0],[0,0,0],[1,1,0]]}", OCTAHEDRON), "plane", 2},
        {FILE_OF(BALL,
                 "\"points\": [[1,0,0],[-1,0,0],[0,1,0],[0,0,1]], \"triangles\": [[0,1,2],[0,1,3],[0,2,3],[1,2,4]]"),
         "corner 4", 3},
        {FILE_OF(BALL,
                 "\"points\": [[1,0,0],[-1,0,0],[0,1,0],[0,0,1]], \"triangles\": [[0,1,2],[0,1,3],[0,2,3],[1,2]]"),
         "a triangle is", 3},
        {FILE_OF(BALL,
                 "\"points\": [[1,0,0],[-1,0,0],[0,1,0],[0,0,1]], \"triangles\": [[0,1,2],[0,1,3],[0,2,3],[1,2,2]]"),
         "one corner twice", 3},
        {FILE_OF(BALL, "\"points\": [[1,0,0],[-1,0,0],[0,1,0],[0,-1,0],[0,0,1],[0,0,-1]], "
                       "\"triangles\": [[0,2,4],[2,1,4],[1,3,4],[3,0,4],[2,0,5],[1,2,5],[3,1,5]]"),
         "not closed", 3},
        {FILE_OF(BALL,
                 "\"points\": [[1,0,0],[-1,0,0],[0,1,0],[0,0,1]], \"triangles\": [[0,1,2],[0,1,3],[0,2,3],[1,2,3]]"),
         "turns over", 3},
        {FILE_OF(BALL,
                 "\"points\": [[1,0,0],[-1,0,0],[0,1,0],[0,0,1]], \"triangles\": [[0,2,1],[1,3,0],[0,3,2],[1,2,3]]"),
         "inside out", 3},
        {FILE_OF(BALL,
                 "\"points\": [[1e60,0,0],[-1,0,0],[0,1,0],[0,0,1]], \"triangles\": [[0,1,2],[1,0,3],[0,2,3],[2,1,3]]"),
         "very far", 3},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect(bad[i].text, TS_BAD_INPUT, bad[i].line, bad[i].part);
    expect("{\"touchstone_smooth\": 2}", TS_UNSUPPORTED, 1, "version 2");
}

/* Cut anywhere, and with any byte changed: an error with a message, or a body; never a crash. */
static void test_damage(void **state)
{
    (void)state;
    const char *good = FILE_OF(BALL, OCTAHEDRON);
    const size_t length = strlen(good);
    ts_sdf_body *body = NULL;
    ts_error error;
    for (size_t cut = 0; cut < length; cut++) {
        assert_int_equal(ts_smooth_file_parse(good, cut, "cut", &body, &error), TS_BAD_INPUT);
        assert_true(error.message[0] && error.line > 0);
    }
    char text[1024];
    for (size_t at = 0; at < length; at++) {
        memcpy(text, good, length);
        text[at] = (char)(text[at] ^ (1 << (at % 7)));
        if (ts_smooth_file_parse(text, length, "flipped", &body, &error) != TS_OK)
            assert_true(error.message[0] && error.line > 0);
        ts_sdf_body_free(body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
