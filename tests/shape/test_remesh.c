/* SPDX-License-Identifier: MIT */
/* Meshes of zero sets: closed, of exactly the wished number of vertices, on the surface, of good triangles, and of the
 * right kind, for balls, boxes, plates, rods, holes, shells, several parts, polyhedra and clouds. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "shape/mesh_make.h"
#include "shape/remesh_work.h"
#include "support/check.h"
#include "support/surface.h"

static ts_primitive superquadric(double a, double b, double c, double e1, double e2)
{
    return (ts_primitive){
        .kind = TS_PRIMITIVE_SUPERQUADRIC, .pose = ts_pose3_identity(), .size = {a, b, c}, .exponent = {e1, e2}};
}

static ts_primitive at(ts_primitive p, double x, double y, double z)
{
    p.pose.position = (ts_vec3){x, y, z};
    return p;
}

static ts_primitive taken(ts_primitive p)
{
    p.subtract = true;
    return p;
}

static double factorial(double x) /* Γ(x + 1) */
{
    return tgamma(x + 1);
}

/* 2 a b c ε₁ ε₂ B(ε₁/2 + 1, ε₁) B(ε₂/2, ε₂/2) */
static double volume_of(const ts_primitive *p)
{
    const double e = p->exponent[0], f = p->exponent[1];
    const double first = factorial(e / 2) * factorial(e - 1) / factorial(1.5 * e);
    const double second = factorial(f / 2 - 1) * factorial(f / 2 - 1) / factorial(f - 1);
    return 2 * p->size.x * p->size.y * p->size.z * e * f * first * second;
}

typedef struct meshed {
    ts_sdf *sdf;
    ts_mesh *mesh;
    ts_test_surface surface;
    double length;
} meshed;

static meshed mesh_of(const ts_primitive *primitive, size_t count, size_t vertices)
{
    meshed m = {0};
    OK(ts_sdf_create(primitive, count, &m.sdf, ERROR));
    const ts_sdf_rule rule = ts_sdf_default_rule(m.sdf);
    OK(ts_sdf_mesh(m.sdf, &rule, &(ts_sdf_mesh_wish){.vertices = vertices}, &m.mesh, ERROR));
    m.surface = ts_test_surface_of(m.mesh);
    m.length = ts_sdf_length(m.sdf);
    return m;
}

static void release(meshed *m)
{
    ts_mesh_free(m->mesh);
    ts_sdf_free(m->sdf);
}

static double off_of(const meshed *m, ts_vec3 p)
{
    const ts_sdf_rule rule = ts_sdf_default_rule(m->sdf);
    return ts_sdf_at(m->sdf, &rule, p);
}

/* What holds of every one of them. */
static void sound(const meshed *m, size_t vertices, int parts, int euler)
{
    assert_true(m->surface.closed && m->surface.manifold);
    assert_int_equal(m->surface.parts, parts);
    assert_int_equal(m->surface.euler, euler);
    assert_int_equal(m->mesh->vertex_count, vertices);
    assert_int_equal(m->mesh->triangle_count, 2 * (vertices - (size_t)(long)euler));
    for (size_t i = 0; i < vertices; i++)
        assert_true(fabs(off_of(m, m->mesh->vertex[i])) <= 1e-9 * m->length);
}

static double smallest_angle(const ts_mesh *mesh)
{
    double least = TS_PI;
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            const int32_t *t = mesh->triangle[i];
            const ts_vec3 a = mesh->vertex[t[k]], b = mesh->vertex[t[(k + 1) % 3]], c = mesh->vertex[t[(k + 2) % 3]];
            const ts_vec3 u = ts_vec3_sub(b, a), v = ts_vec3_sub(c, a);
            least = fmin(least, atan2(ts_vec3_length(ts_vec3_cross(u, v)), ts_vec3_dot(u, v)));
        }
    return least * 180 / TS_PI;
}

/* Of edges: longest over shortest. */
static double spread(const ts_mesh *mesh)
{
    double low = HUGE_VAL, high = 0;
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            const int32_t *t = mesh->triangle[i];
            const double length = ts_vec3_distance(mesh->vertex[t[k]], mesh->vertex[t[(k + 1) % 3]]);
            low = fmin(low, length);
            high = fmax(high, length);
        }
    return high / low;
}

/* Triangles that do not face away from the middle of a body that is star-shaped about it. */
static size_t turned(const ts_mesh *mesh)
{
    size_t count = 0;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *t = mesh->triangle[i];
        const ts_vec3 a = mesh->vertex[t[0]], b = mesh->vertex[t[1]], c = mesh->vertex[t[2]];
        count += ts_vec3_dot(a, ts_vec3_cross(ts_vec3_sub(b, a), ts_vec3_sub(c, a))) <= 0;
    }
    return count;
}

/* From a tetrahedron on: the inscribed mesh of a ball, whose volume comes from below as (1 − c / V). */
static void ball(void **state)
{
    (void)state;
    static const size_t vertices[] = {4, 6, 12, 50, 305, 584, 2000};
    const ts_primitive one = superquadric(1, 1, 1, 1, 1);
    for (size_t i = 0; i < sizeof vertices / sizeof *vertices; i++) {
        meshed m = mesh_of(&one, 1, vertices[i]);
        sound(&m, vertices[i], 1, 2);
        assert_int_equal(turned(m.mesh), 0);
        const double missing = 1 - m.surface.volume / (4 * TS_PI / 3);
        assert_true(missing > 0 && missing < 9 / (double)vertices[i]);
        assert_true(smallest_angle(m.mesh) > 28);
        assert_true(spread(m.mesh) < 3);
        release(&m);
    }
}

/* 305 vertices of genus 0 have 909 edges and 606 triangles. */
static void counts(void **state)
{
    (void)state;
    const ts_primitive one = superquadric(0.3, 0.2, 0.1, 0.5, 1.2);
    meshed m = mesh_of(&one, 1, 305);
    sound(&m, 305, 1, 2);
    assert_int_equal(m.mesh->triangle_count, 606);
    ts_sdf_body *body = NULL;
    OK(ts_sdf_body_create(m.sdf, m.mesh, &body, ERROR));
    assert_int_equal(body->edge_count, 909);
    ts_sdf_body_free(body);
}

/* Rims and corners of boxes are sampled: an even mesh without them would cut off 3 % and more. */
static void rims(void **state)
{
    (void)state;
    const ts_primitive box[3] = {superquadric(1, 1, 1, 0.1, 0.1), superquadric(0.05, 0.04, 0.03, 0.1, 0.1),
                                 superquadric(1, 1, 0.7, 0.1, 1)};
    for (int i = 0; i < 3; i++) {
        meshed m = mesh_of(&box[i], 1, 305);
        sound(&m, 305, 1, 2);
        const double share = m.surface.volume / volume_of(&box[i]);
        assert_true(share > 0.97 && share < 1);
        assert_int_equal(turned(m.mesh), 0);
        assert_true(smallest_angle(m.mesh) > 15);
        release(&m);
    }
}

/* Few vertices: a box by about its corners, and nothing that lies flat or is turned over. */
static void coarse(void **state)
{
    (void)state;
    const ts_primitive one[2] = {superquadric(1, 1, 1, 0.1, 0.1), superquadric(1, 0.5, 0.4, 0.3, 1)};
    static const size_t vertices[] = {8, 12, 20, 40};
    for (int i = 0; i < 8; i++) {
        meshed m = mesh_of(&one[i / 4], 1, vertices[i % 4]);
        sound(&m, vertices[i % 4], 1, 2);
        assert_int_equal(turned(m.mesh), 0);
        const double share = m.surface.volume / volume_of(&one[i / 4]);
        assert_true(share > (i % 4 == 0 ? 0.5 : 0.6) && share < 1);
        release(&m);
    }
}

/* Plates and rods far thinner than the edges keep their two sides; a lens with a rim as sharp as a razor loses a part. */
static void thin(void **state)
{
    (void)state;
    const ts_primitive one[3] = {superquadric(1, 0.6, 0.02, 0.1, 0.1), superquadric(1, 0.02, 0.02, 0.1, 0.1),
                                 superquadric(1, 0.8, 0.01, 1, 1)};
    for (int i = 0; i < 3; i++) {
        meshed m = mesh_of(&one[i], 1, 305);
        sound(&m, 305, 1, 2);
        const double share = m.surface.volume / volume_of(&one[i]);
        assert_true(share > (i < 2 ? 0.9 : 0.7) && share < 1.001);
        release(&m);
    }
}

/* Exponents at the ends of what is allowed, each with each. */
static void exponents(void **state)
{
    (void)state;
    const double e[3] = {0.1, 1, 1.9};
    for (int i = 0; i < 9; i++) {
        const ts_primitive one = superquadric(0.5, 0.3, 0.4, e[i / 3], e[i % 3]);
        meshed m = mesh_of(&one, 1, 276);
        sound(&m, 276, 1, 2);
        assert_int_equal(turned(m.mesh), 0);
        assert_true(m.surface.smallest > 0.05);
        const double share = m.surface.volume / volume_of(&one);
        assert_true(share > 0.95 && share < 1.0001);
        release(&m);
    }
}

static void holes_and_shells(void **state)
{
    (void)state;
    const ts_primitive ring[2] = {superquadric(1, 1, 1, 0.1, 0.1), taken(superquadric(0.5, 0.5, 2, 0.1, 1))};
    meshed m = mesh_of(ring, 2, 300);
    sound(&m, 300, 1, 0);
    NEAR(m.surface.volume, volume_of(&ring[0]) - TS_PI * 0.25 * 2, 0.2);
    release(&m);
    const ts_primitive shell[2] = {superquadric(1, 1, 1, 1, 1), taken(superquadric(0.5, 0.5, 0.5, 1, 1))};
    m = mesh_of(shell, 2, 400);
    sound(&m, 400, 2, 4);
    NEAR(m.surface.volume, 4 * TS_PI / 3 * 0.875, 0.07);
    release(&m);
}

/* A part smaller than a cell is found on a finer lattice, or the error names it. */
static void parts(void **state)
{
    (void)state;
    ts_primitive two[2] = {superquadric(1, 1, 0.2, 0.1, 1), at(superquadric(0.05, 0.05, 0.05, 1, 1), 0, 0, 0.5)};
    meshed m = mesh_of(two, 2, 200);
    sound(&m, 200, 2, 4);
    release(&m);
    two[1] = at(superquadric(0.012, 0.012, 0.012, 1, 1), 0.013, 0.017, 0.5);
    m = mesh_of(two, 2, 200);
    sound(&m, 200, 2, 4);
    release(&m);
    two[1].size = (ts_vec3){0.002, 0.002, 0.002};
    ts_sdf *sdf = NULL;
    ts_mesh *mesh = NULL;
    OK(ts_sdf_create(two, 2, &sdf, ERROR));
    const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    assert_int_equal(ts_sdf_mesh(sdf, &rule, NULL, &mesh, ERROR), TS_BAD_INPUT);
    assert_null(mesh);
    assert_non_null(strstr(ts_test_error.message, "primitive 2"));
    ts_sdf_free(sdf);
}

/* An octahedron of planes: vertices come to its corners and edges to its edges, so that its volume 4/3 is met. */
static void polyhedron(void **state)
{
    (void)state;
    ts_vec3 normal[8], point[8];
    for (int i = 0; i < 8; i++) {
        normal[i] = ts_vec3_scale((ts_vec3){i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1}, 1 / sqrt(3));
        point[i] = ts_vec3_scale(normal[i], 1 / sqrt(3));
    }
    const ts_primitive one = {
        .kind = TS_PRIMITIVE_POLYHEDRON, .pose = ts_pose3_identity(), .point = point, .normal = normal, .count = 8};
    meshed m = mesh_of(&one, 1, 150);
    sound(&m, 150, 1, 2);
    assert_int_equal(turned(m.mesh), 0);
    NEAR(m.surface.volume, 4.0 / 3, 0.03);
    release(&m);
}

static void cloud(void **state)
{
    (void)state;
    ts_mesh *sphere = NULL;
    OK(ts_mesh_make_icosphere(1, 6, &sphere, ERROR));
    const ts_primitive one = {.kind = TS_PRIMITIVE_CLOUD,
                              .pose = ts_pose3_identity(),
                              .point = sphere->vertex,
                              .normal = sphere->vertex,
                              .count = sphere->vertex_count};
    meshed m = mesh_of(&one, 1, 165);
    sound(&m, 165, 1, 2);
    assert_int_equal(turned(m.mesh), 0);
    const double share = m.surface.volume / (4 * TS_PI / 3); /* blended tangent planes lie outside of the ball */
    assert_true(share > 0.96 && share < 1.1);
    release(&m);
    ts_mesh_free(sphere);
}

/* Metres, millimetres or kilometres: the same mesh. */
static void scales(void **state)
{
    (void)state;
    ts_mesh *first = NULL;
    for (int i = 0; i < 3; i++) {
        const double s = i == 0 ? 1 : i == 1 ? 1e-3 : 1e3;
        const ts_primitive two[2] = {superquadric(0.5 * s, 0.3 * s, 0.25 * s, 0.8, 0.5),
                                     at(superquadric(0.2 * s, 0.2 * s, 0.4 * s, 1, 1), 0.4 * s, 0.1 * s, 0.2 * s)};
        meshed m = mesh_of(two, 2, 200);
        sound(&m, 200, 1, 2);
        if (!first)
            OK(ts_mesh_copy(m.mesh, &first, ERROR));
        const ts_test_surface s0 = ts_test_surface_of(first);
        NEAR(m.surface.volume / (s * s * s), s0.volume, 1e-2 * s0.volume);
        release(&m);
    }
    ts_mesh_free(first);
}

static uint64_t hash_now(void)
{
    const ts_primitive two[2] = {superquadric(0.5, 0.3, 0.25, 0.8, 0.5),
                                 at(superquadric(0.2, 0.2, 0.4, 1, 1), 0.4, 0.1, 0.2)};
    meshed m = mesh_of(two, 2, 120);
    const uint64_t hash = ts_mesh_hash(m.mesh);
    release(&m);
    return hash;
}

static void refuse(const ts_primitive *p, size_t count, ts_sdf_mesh_wish wish, const char *because)
{
    ts_sdf *sdf = NULL;
    ts_mesh *mesh = NULL;
    OK(ts_sdf_create(p, count, &sdf, ERROR));
    const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    assert_int_equal(ts_sdf_mesh(sdf, &rule, &wish, &mesh, ERROR), TS_BAD_INPUT);
    assert_null(mesh);
    if (!strstr(ts_test_error.message, because))
        fail_msg("'%s' lacks '%s'", ts_test_error.message, because);
    ts_sdf_free(sdf);
}

static void refusals(void **state)
{
    (void)state;
    const ts_primitive one = superquadric(1, 1, 1, 1, 1);
    refuse(&one, 1, (ts_sdf_mesh_wish){.vertices = 3}, "wish for 4");
    refuse(&one, 1, (ts_sdf_mesh_wish){.vertices = 100000}, "wish for 4");
    refuse(&one, 1, (ts_sdf_mesh_wish){.cells = 1}, "cells");
    refuse(&one, 1, (ts_sdf_mesh_wish){.cells = -5}, "cells");
    refuse(&one, 1, (ts_sdf_mesh_wish){.cells = 100000}, "cells");
    const ts_primitive none[2] = {one, taken(superquadric(1.2, 1.2, 1.2, 1, 1))};
    refuse(none, 2, (ts_sdf_mesh_wish){0}, "nothing");
    const ts_primitive three[3] = {one, at(one, 3, 0, 0), at(one, 0, 3, 0)};
    refuse(three, 3, (ts_sdf_mesh_wish){.vertices = 11}, "12");
    meshed m = mesh_of(three, 3, 12);
    sound(&m, 12, 3, 6);
    release(&m);
    ts_sdf *sdf = NULL;
    ts_mesh *mesh = NULL;
    OK(ts_sdf_create(&one, 1, &sdf, ERROR));
    ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    for (int i = 0; i < 3; i++) {
        rule.tau = i == 0 ? 0 : i == 1 ? -1 : (double)NAN;
        assert_int_equal(ts_sdf_mesh(sdf, &rule, NULL, &mesh, ERROR), TS_BAD_INPUT);
    }
    ts_sdf_free(sdf);
}

static ts_test_surface surface_now(ts_remesh_work *w)
{
    ts_mesh *mesh = NULL;
    ts_remesh_compact(w);
    OK(ts_remesh_give(w, &mesh, ERROR));
    const ts_test_surface surface = ts_test_surface_of(mesh);
    assert_int_equal(w->vertices, mesh->vertex_count);
    ts_mesh_free(mesh);
    return surface;
}

/* Splits, flips and collapses at random edges, wherever topology allows them: what is a torus stays one, down to the
 * few vertices that it can have. No triangle around its tube can be collapsed. */
static void topology(void **state)
{
    (void)state;
    ts_mesh *torus = NULL;
    ts_random random = ts_random_make(5, 0);
    OK(ts_mesh_make_torus(1, 0.3, 8, 3, &torus, ERROR));
    TS_AUTO(ts_remesh_end) ts_remesh_work w = {0};
    OK(ts_remesh_begin(&w, torus, ERROR));
    int around = 0;
    for (int32_t h = 0; h < (int32_t)w.from.count; h++) { /* edges of one ring of three: not within the faces */
        const ts_vec3 a = w.spot.item[ts_side_from(&w, h)].at, b = w.spot.item[ts_side_to(&w, h)].at;
        if (fabs(atan2(a.y, a.x) - atan2(b.y, b.x)) > 1e-9)
            continue;
        assert_false(ts_remesh_may_collapse(&w, h));
        around++;
    }
    assert_int_equal(around, 2 * 8 * 3);
    size_t done[3] = {0};
    for (int i = 0; i < 6000; i++) {
        const int32_t h = (int32_t)ts_random_next_below(&random, w.from.count);
        const uint64_t what = ts_random_next_below(&random, i < 1500 ? 3 : 8); /* later mostly collapses */
        if (ts_side_from(&w, h) < 0)
            continue;
        const ts_spot a = w.spot.item[ts_side_from(&w, h)];
        if (what == 0) {
            OK(ts_remesh_split(&w, h, a, ERROR));
            done[0]++;
        } else if (what == 1 && ts_remesh_may_flip(&w, h)) {
            ts_remesh_flip(&w, h);
            done[1]++;
        } else if (what > 1 && ts_remesh_may_collapse(&w, h)) {
            ts_remesh_collapse(&w, h, a);
            done[2]++;
        }
        if (i % 100 == 99) {
            const ts_test_surface surface = surface_now(&w);
            assert_true(surface.closed && surface.manifold && surface.parts == 1 && surface.euler == 0);
        }
    }
    assert_true(done[0] > 200 && done[1] > 200 && done[2] > 200);
    ts_mesh_free(torus);
}

/* Meshes that are open, touch themselves, or have corners without triangles are no start. */
static void starts(void **state)
{
    (void)state;
    const ts_primitive one = superquadric(1, 1, 1, 1, 1);
    ts_sdf *sdf = NULL;
    ts_mesh *good = NULL, *bad = NULL, *made = NULL;
    OK(ts_sdf_create(&one, 1, &sdf, ERROR));
    const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    OK(ts_mesh_make_icosphere(1, 3, &good, ERROR));
    OK(ts_remesh(good, sdf, &rule, 60, &made, ERROR));
    assert_int_equal(made->vertex_count, 60);
    ts_mesh_free(made);
    made = NULL;
    for (int i = 0; i < 3; i++) {
        OK(ts_mesh_copy(good, &bad, ERROR));
        if (i == 0)
            bad->triangle_count--;
        else if (i == 1)
            bad->triangle[5][0] = bad->triangle[5][1];
        else
            for (size_t t = 0; t < bad->triangle_count; t++) /* opposite corners become one */
                for (int k = 0; k < 3; k++)
                    if (bad->triangle[t][k] == (int32_t)bad->vertex_count - 1)
                        bad->triangle[t][k] = 0;
        assert_int_equal(ts_remesh(bad, sdf, &rule, 60, &made, ERROR), TS_BAD_INPUT);
        assert_null(made);
        ts_mesh_free(bad);
    }
    ts_mesh_free(good);
    ts_sdf_free(sdf);
}

static void same_bits(void **state)
{
    (void)state;
    const uint64_t hash = hash_now();
    assert_true(hash_now() == hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball),
        cmocka_unit_test(counts),
        cmocka_unit_test(rims),
        cmocka_unit_test(coarse),
        cmocka_unit_test(thin),
        cmocka_unit_test(exponents),
        cmocka_unit_test(holes_and_shells),
        cmocka_unit_test(parts),
        cmocka_unit_test(polyhedron),
        cmocka_unit_test(cloud),
        cmocka_unit_test(scales),
        cmocka_unit_test(refusals),
        cmocka_unit_test(starts),
        cmocka_unit_test(topology),
        cmocka_unit_test(same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
