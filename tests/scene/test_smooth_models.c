/* SPDX-License-Identifier: MIT */
/* The smooth bodies of scenes/smooth: files say what their pieces say, their meshes are closed, of genus 0, of the right
 * size, on the zero set, and the ones that ts_sdf_mesh makes. With TOUCHSTONE_MAKE_MODELS set the files are made anew. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "scene/read.h"
#include "scene/smooth.h"
#include "scene/smooth_file.h"
#include "support/check.h"
#include "support/surface.h"

static const struct model {
    const char *name;
    size_t pieces, vertices, edges;
    double low, high; /* length [m] */
} models[] = {
    {"animal", 18, 305, 909, 0.15, 0.25},
    {"plane", 32, 584, 1746, 0.3, 0.4},
    {"drill", 17, 276, 822, 0.2, 0.3},
    {"screwdriver", 5, 165, 489, 0.2, 0.25},
};
enum { MODELS = sizeof models / sizeof *models };

static void path_of(const char *folder, const struct model *m, char path[2048])
{
    const char *root = getenv("SOURCE_DIR");
    snprintf(path, 2048, "%s/scenes/smooth/%s%s.json", root ? root : ".", folder, m->name);
}

/* The file with the pieces alone; notes and texts live in the arena. */
static ts_smooth_def read_pieces(const struct model *m, ts_arena *arena, const char **note)
{
    char path[2048], *text;
    size_t length;
    ts_json_value *root = NULL;
    ts_smooth_def def = ts_default_smooth();
    path_of("pieces/", m, path);
    OK(ts_file_read(path, 1 << 20, &text, &length, ERROR));
    OK(ts_json_parse(arena, text, length, path, &root, ERROR));
    ts_free(text);
    const ts_reader reader = {.in = &ts_in_space, .arena = arena, .error = ERROR};
    OK(ts_read_smooth(&reader, root, "smooth body", &def));
    def.smoothing = ts_json_get(root, "smoothing")->number;
    *note = ts_json_get(root, "notes")->first->text;
    return def;
}

static void make(const struct model *m)
{
    TS_AUTO(ts_arena_free) ts_arena arena = {0};
    const char *note;
    char path[2048];
    const ts_smooth_def def = read_pieces(m, &arena, &note);
    ts_sdf *sdf = NULL;
    ts_mesh *mesh = NULL;
    ts_sdf_body *body = NULL;
    OK(ts_smooth_distance(&def, &sdf, ERROR));
    const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    OK(ts_sdf_mesh(sdf, &rule, &(ts_sdf_mesh_wish){.vertices = m->vertices}, &mesh, ERROR));
    OK(ts_sdf_body_create(sdf, mesh, &body, ERROR));
    path_of("", m, path);
    OK(ts_smooth_file_write(path, body, &note, 1, ERROR));
    ts_sdf_body_free(body);
}

static ts_sdf_body *load(const struct model *m)
{
    char path[2048];
    ts_sdf_body *body = NULL;
    path_of("", m, path);
    OK(ts_smooth_file_read(path, &body, ERROR));
    return body;
}

static void meshes(void **state)
{
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        const struct model *m = &models[i];
        ts_sdf_body *body = load(m);
        assert_int_equal(ts_sdf_count(body->sdf), m->pieces);
        assert_int_equal(body->mesh->vertex_count, m->vertices);
        assert_int_equal(body->edge_count, m->edges);
        const ts_test_surface surface = ts_test_surface_of(body->mesh);
        assert_true(surface.closed && surface.manifold && surface.parts == 1 && surface.euler == 2);
        const double length = ts_sdf_length(body->sdf);
        assert_true(length > m->low && length < m->high);
        const ts_sdf_rule rule = ts_sdf_default_rule(body->sdf);
        for (size_t v = 0; v < m->vertices; v++)
            assert_true(fabs(ts_sdf_at(body->sdf, &rule, body->mesh->vertex[v])) < 1e-9 * length);
        assert_true(body->off < 0.06 * length && body->off_mean < 0.006 * length);
        ts_sdf_body_free(body);
    }
}

/* Bits of the pieces come from the file, so that no library's sine matters. */
static void made_by_ts_sdf_mesh(void **state)
{
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        ts_sdf_body *body = load(&models[i]);
        ts_mesh *again = NULL;
        const ts_sdf_rule rule = ts_sdf_default_rule(body->sdf);
        OK(ts_sdf_mesh(body->sdf, &rule, &(ts_sdf_mesh_wish){.vertices = models[i].vertices}, &again, ERROR));
        if (ts_mesh_hash(again) != ts_mesh_hash(body->mesh))
            fail_msg("%s: ts_sdf_mesh makes another mesh now; set TOUCHSTONE_MAKE_MODELS=1 to write it",
                     models[i].name);
        ts_mesh_free(again);
        ts_sdf_body_free(body);
    }
}

static void pieces(void **state)
{
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        TS_AUTO(ts_arena_free) ts_arena arena = {0};
        const char *note;
        const ts_smooth_def def = read_pieces(&models[i], &arena, &note);
        ts_sdf_body *body = load(&models[i]);
        assert_int_equal(def.piece_count, models[i].pieces);
        for (size_t k = 0; k < def.piece_count; k++) {
            const ts_primitive *p = ts_sdf_primitive(body->sdf, k);
            const double *q = def.piece[k].attitude, *e = def.piece[k].exponents;
            const ts_quat turn = ts_quat_unit((ts_quat){q[0], q[1], q[2], q[3]});
            assert_true(ts_vec3_distance(p->size, ts_vec3_of(def.piece[k].size)) == 0);
            assert_true(ts_vec3_distance(p->pose.position, ts_vec3_of(def.piece[k].position)) == 0);
            assert_true(p->exponent[0] == e[0] && p->exponent[1] == e[1]);
            assert_true(fabs(ts_quat_dot(turn, p->pose.quat)) > 1 - 1e-14);
        }
        ts_sdf_body_free(body);
    }
}

int main(void)
{
    if (getenv("TOUCHSTONE_MAKE_MODELS"))
        for (int i = 0; i < MODELS; i++)
            make(&models[i]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes),
        cmocka_unit_test(made_by_ts_sdf_mesh),
        cmocka_unit_test(pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
