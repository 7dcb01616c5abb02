/* SPDX-License-Identifier: MIT */
/* Fits of superquadrics to meshes: known bodies come back, flaws of meshes do no harm, errors agree with closed forms. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "shape/closed_meshes.h"
#include "shape/fit_parts.h"
#include "shape/mesh_iso.h"
#include "shape/superquadric_fit.h"

/* ---- Bodies ---- */

static ts_primitive piece(ts_vec3 size, double e1, double e2, ts_vec3 at, ts_vec3 turn)
{
    return (ts_primitive){
        .kind = TS_PRIMITIVE_SUPERQUADRIC, .pose = {at, ts_quat_exp(turn)}, .size = size, .exponent = {e1, e2}};
}

typedef struct body {
    ts_sdf *sdf;
    ts_sdf_rule rule;
} body;

static double value_of(void *user, ts_vec3 p)
{
    const body *b = user;
    return ts_sdf_at(b->sdf, &b->rule, p);
}

/* A fine mesh of the union of some superquadrics. */
static ts_mesh *mesh_of_pieces(const ts_primitive *primitive, size_t count, int cells)
{
    body b;
    ts_mesh *mesh;
    OK(ts_sdf_create(primitive, count, &b.sdf, ERROR));
    b.rule = ts_sdf_default_rule(b.sdf);
    ts_box3 box = ts_sdf_bounds(b.sdf);
    const double more = 0.05 * ts_sdf_length(b.sdf);
    box.low = ts_vec3_sub(box.low, (ts_vec3){more, more, more});
    box.high = ts_vec3_add(box.high, (ts_vec3){more, more, more});
    OK(ts_mesh_iso(value_of, &b, box, cells, &mesh, ERROR));
    ts_sdf_free(b.sdf);
    return mesh;
}

static ts_mesh *three_pieces(void)
{
    const ts_primitive p[] = {piece((ts_vec3){0.5, 0.3, 0.25}, 0.9, 0.6, (ts_vec3){0, 0, 0}, (ts_vec3){0, 0, 0}),
                              piece((ts_vec3){0.12, 0.1, 0.4}, 0.3, 1, (ts_vec3){0.35, 0, 0.45}, (ts_vec3){0, 0.3, 0}),
                              piece((ts_vec3){0.3, 0.1, 0.1}, 1, 0.4, (ts_vec3){-0.6, 0.1, 0.1}, (ts_vec3){0, 0, 0.4})};
    return mesh_of_pieces(p, COUNT(p), 50);
}

static ts_fit_errors errors_of(const ts_mesh *mesh, const ts_sdf *sdf)
{
    ts_fit_errors e;
    const ts_fit_measure how = {.cells = 64, .points = 4000, .thrown = 20000};
    OK(ts_fit_measure_errors(mesh, sdf, &how, &e, ERROR));
    return e;
}

/* ---- The kernel ---- */

/* Slopes by all eleven parameters against central differences, for every instruction set that runs here. */
static void slopes_are_differences(void **state)
{
    (void)state;
    enum { POINTS = 13, CASES = 40 };
    const ts_fit_bounds wide = {{1e-3, 10}, {0.01, 3}};
    ts_random r = ts_random_make(5, 0);
    for (int k = 0; k < CASES; k++) {
        double e[2], x[3][POINTS], to[TS_FIT_PARAMETERS][POINTS], *slope[TS_FIT_PARAMETERS];
        for (int i = 0; i < 2; i++)
            e[i] = ts_random_next_range(&r, 0.2, 1.8);
        const ts_vec3 size = {ts_random_next_range(&r, 0.2, 1), ts_random_next_range(&r, 0.2, 1),
                              ts_random_next_range(&r, 0.2, 1)};
        const ts_primitive p = piece(size, e[0], e[1], (ts_vec3){0.1, -0.2, 0.3}, (ts_vec3){0.5, 1, -0.7});
        for (int i = 0; i < POINTS; i++) {
            /* not near its middle, nor its planes of symmetry, where second derivatives are large */
            double y[3];
            for (int n = 0; n < 3; n++)
                y[n] = ts_random_next_range(&r, 0.3, 1.2) * (ts_random_next_uniform(&r) < 0.5 ? -1 : 1);
            const ts_vec3 at = ts_pose3_apply(p.pose, ts_vec3_times(ts_vec3_of(y), size));
            x[0][i] = at.x;
            x[1][i] = at.y;
            x[2][i] = at.z;
        }
        for (int n = 0; n < TS_FIT_PARAMETERS; n++)
            slope[n] = to[n];
        const ts_sdf_points at = {POINTS, x[0], x[1], x[2]};
        ts_sdf_pack pack;
        ts_sdf_pack_superquadric(&p, &pack);
        ts_fit_choose()->slopes(&pack, &at, slope);
        for (int n = 0; n < TS_FIT_PARAMETERS; n++) {
            const double h = 1e-6;
            double value[2][POINTS];
            for (int s = 0; s < 2; s++) {
                double step[TS_FIT_PARAMETERS] = {0};
                ts_primitive moved = p;
                step[n] = s == 0 ? h : -h;
                ts_fit_move(&moved, step, &wide);
                ts_sdf_pack_superquadric(&moved, &pack);
                ts_fit_choose()->values((const ts_sdf_pack *const[2]){&pack, &pack}, &at,
                                        (double *const[2]){value[s], value[s]});
            }
            for (int i = 0; i < POINTS; i++)
                NEAR(to[n][i], (value[0][i] - value[1][i]) / (2 * h), 1e-6);
        }
    }
}

/* ---- Known bodies ---- */

/* One alone comes back, whatever its axes are called. */
static void one_comes_back(void **state)
{
    (void)state;
    const ts_primitive p = piece((ts_vec3){0.2, 0.35, 0.6}, 0.4, 0.8, (ts_vec3){3, -2, 1}, (ts_vec3){0.4, -0.3, 0.9});
    ts_mesh *mesh = mesh_of_pieces(&p, 1, 60);
    ts_sdf *sdf;
    OK(ts_superquadric_fit(mesh, &(ts_fit_wish){.count = 1}, &sdf, ERROR));
    assert_int_equal(ts_sdf_count(sdf), 1);
    const ts_primitive *found = ts_sdf_primitive(sdf, 0);
    NEAR(ts_vec3_distance(found->pose.position, p.pose.position), 0, 2e-3);
    const double product = p.size.x * p.size.y * p.size.z;
    NEAR(found->size.x * found->size.y * found->size.z, product, 0.02 * product);
    NEAR(fmax(found->size.x, fmax(found->size.y, found->size.z)), 0.6, 0.006);
    NEAR(fmin(found->size.x, fmin(found->size.y, found->size.z)), 0.2, 0.004);
    const ts_fit_errors e = errors_of(mesh, sdf);
    assert_true(e.mean < 0.001 && e.worst < 0.006 && e.overlap > 0.98);
    ts_sdf_free(sdf);
    ts_mesh_free(mesh);
}

static void three_come_back(void **state)
{
    (void)state;
    ts_mesh *mesh = three_pieces();
    ts_sdf *sdf;
    OK(ts_superquadric_fit(mesh, &(ts_fit_wish){.count = 3}, &sdf, ERROR));
    assert_int_equal(ts_sdf_count(sdf), 3);
    const ts_fit_errors e = errors_of(mesh, sdf);
    assert_true(e.mean < 0.002);
    assert_true(e.worst < 0.02);
    assert_true(e.overlap > 0.96);
    ts_sdf_free(sdf);
    ts_mesh_free(mesh);
}

/* Where nobody says how many: no more than needed for the errors that are wished for. */
static void count_follows_errors(void **state)
{
    (void)state;
    ts_mesh *mesh = three_pieces();
    size_t count[2];
    for (int k = 0; k < 2; k++) {
        ts_sdf *sdf;
        OK(ts_superquadric_fit(mesh, &(ts_fit_wish){.mean = k == 0 ? 0.005 : 0.05, .worst = k == 0 ? 0.03 : 0.5}, &sdf,
                               ERROR));
        count[k] = ts_sdf_count(sdf);
        if (k == 0)
            assert_true(errors_of(mesh, sdf).mean < 0.005);
        ts_sdf_free(sdf);
    }
    assert_true(count[0] <= 6 && count[1] < count[0]);
    ts_mesh_free(mesh);
}

/* ---- Flaws ---- */

/* A hole, and every twentieth triangle turned over; then the whole of it inside out. */
static void flaws_do_no_harm(void **state)
{
    (void)state;
    ts_mesh *sound = three_pieces();
    for (int inside_out = 0; inside_out < 2; inside_out++) {
        ts_mesh *flawed;
        OK(ts_mesh_copy(sound, &flawed, ERROR));
        size_t kept = 0;
        for (size_t i = 0; i < flawed->triangle_count; i++) {
            int32_t c[3];
            memcpy(c, flawed->triangle[i], sizeof c);
            const ts_vec3 p = flawed->vertex[c[0]];
            if (hypot(p.x + 0.1, p.y) < 0.08 && p.z > 0)
                continue; /* a hole on top */
            const bool turn = (i % 20 == 0) != (inside_out == 1);
            flawed->triangle[kept][0] = c[0];
            flawed->triangle[kept][1] = c[turn ? 2 : 1];
            flawed->triangle[kept++][2] = c[turn ? 1 : 2];
        }
        assert_true(kept < flawed->triangle_count);
        flawed->triangle_count = kept;
        ts_sdf *sdf;
        OK(ts_superquadric_fit(flawed, &(ts_fit_wish){.count = 4}, &sdf, ERROR));
        const ts_fit_errors e = errors_of(sound, sdf);
        assert_true(e.mean < 0.006 && e.worst < 0.05 && e.overlap > 0.93);
        ts_sdf_free(sdf);
        ts_mesh_free(flawed);
    }
    ts_mesh_free(sound);
}

/* ---- Bits ---- */

static void threads_change_nothing(void **state)
{
    (void)state;
    ts_mesh *mesh = three_pieces();
    ts_sdf *sdf[2];
    for (int k = 0; k < 2; k++) {
        ts_pool *pool;
        OK(ts_pool_create(k == 0 ? 1 : 3, &pool, ERROR));
        OK(ts_superquadric_fit(mesh, &(ts_fit_wish){.count = 3, .pool = pool}, &sdf[k], ERROR));
        ts_pool_free(pool);
    }
    assert_int_equal(ts_sdf_count(sdf[0]), ts_sdf_count(sdf[1]));
    for (size_t i = 0; i < ts_sdf_count(sdf[0]); i++) {
        const ts_primitive *a = ts_sdf_primitive(sdf[0], i), *b = ts_sdf_primitive(sdf[1], i);
        assert_memory_equal(&a->pose, &b->pose, sizeof a->pose);
        assert_memory_equal(&a->size, &b->size, sizeof a->size);
        assert_memory_equal(a->exponent, b->exponent, sizeof a->exponent);
    }
    ts_sdf_free(sdf[0]);
    ts_sdf_free(sdf[1]);
    ts_mesh_free(mesh);
}

/* ---- Errors ---- */

/* Concentric spheres of radius 1 and 1.1: the overlap is (1 / 1.1)³, all distances 0.1. */
static void errors_of_spheres(void **state)
{
    (void)state;
    const ts_primitive small = piece((ts_vec3){1, 1, 1}, 1, 1, (ts_vec3){5, 0, 0}, (ts_vec3){0, 0, 0}),
                       large = piece((ts_vec3){1.1, 1.1, 1.1}, 1, 1, (ts_vec3){5, 0, 0}, (ts_vec3){0, 0, 0});
    ts_mesh *mesh = mesh_of_pieces(&small, 1, 80);
    ts_sdf *sdf;
    OK(ts_sdf_create(&large, 1, &sdf, ERROR));
    const ts_fit_errors e = errors_of(mesh, sdf);
    NEAR(e.length, 2, 0.002);
    NEAR(e.mean_to_body, 0.05, 5e-4);
    NEAR(e.mean_to_mesh, 0.05, 5e-4);
    NEAR(e.worst_to_body, 0.05, 1e-3);
    NEAR(e.worst_to_mesh, 0.05, 1e-3);
    NEAR(e.overlap, 1 / 1.331, 0.01);
    NEAR(e.volume, 4.0 / 3 * TS_PI * 1.331, 0.08);
    NEAR(e.mesh_volume, 4.0 / 3 * TS_PI, 0.08);
    ts_sdf_free(sdf);
    ts_mesh_free(mesh);
}

/* ---- What is refused ---- */

static void refuse(const ts_mesh *mesh, const ts_fit_wish *wish, const char *part)
{
    ts_sdf *sdf = NULL;
    assert_int_equal(ts_superquadric_fit(mesh, wish, &sdf, ERROR), TS_BAD_INPUT);
    assert_null(sdf);
    if (!strstr(ts_test_error.message, part))
        fail_msg("\"%s\" does not say \"%s\"", ts_test_error.message, part);
}

static void bad_input(void **state)
{
    (void)state;
    ts_mesh *box = box_mesh((ts_vec3){0, 0, 0}, (ts_vec3){1, 2, 3});
    refuse(box, &(ts_fit_wish){.count = -1}, "1 to 128 are possible");
    refuse(box, &(ts_fit_wish){.count = 1000000}, "1 to 128 are possible");
    refuse(box, &(ts_fit_wish){.cells = 3}, "16 to 256 are possible");
    refuse(box, &(ts_fit_wish){.cells = 100000}, "16 to 256 are possible");
    refuse(box, &(ts_fit_wish){.mean = (double)NAN}, "give shares below 1");
    box->vertex[3].y = (double)NAN;
    refuse(box, NULL, "coordinates must be finite");
    box->vertex[3].y = HUGE_VAL;
    refuse(box, NULL, "coordinates must be finite");
    box->vertex[3].y = 2;
    box->triangle[2][1] = 8;
    refuse(box, NULL, "refers to vertex 8, but there are 8");
    box->triangle[2][1] = 5;
    const size_t count = box->triangle_count;
    box->triangle_count = 0;
    refuse(box, NULL, "no triangles");
    box->triangle_count = 1;
    refuse(box, NULL, "the mesh is flat");
    box->triangle_count = 2; /* a sheet with a slight fold */
    box->vertex[0].z = 0.01;
    refuse(box, NULL, "encloses no volume");
    box->triangle_count = count;
    for (size_t i = 0; i < 8; i++)
        box->vertex[i].z = 1;
    refuse(box, NULL, "the mesh is flat");
    ts_mesh_free(box);
}

typedef struct watch {
    double last;
    int calls, until;
} watch;

static bool look(void *user, double done, const char *what)
{
    watch *w = user;
    assert_non_null(what);
    assert_true(done >= w->last && done <= 1);
    w->last = done;
    return ++w->calls < w->until;
}

static void it_can_be_stopped(void **state)
{
    (void)state;
    ts_mesh *mesh = box_mesh((ts_vec3){0, 0, 0}, (ts_vec3){1, 2, 3});
    ts_sdf *sdf;
    for (int until = 1; until < 5; until++) {
        watch w = {.until = until};
        assert_int_equal(
            ts_superquadric_fit(mesh, &(ts_fit_wish){.count = 2, .progress = look, .progress_user = &w}, &sdf, ERROR),
            TS_INTERRUPTED);
        assert_null(sdf);
        assert_int_equal(w.calls, until);
    }
    watch w = {.until = 1000};
    OK(ts_superquadric_fit(mesh, &(ts_fit_wish){.count = 2, .progress = look, .progress_user = &w}, &sdf, ERROR));
    NEAR(w.last, 1, 0);
    ts_sdf_free(sdf);
    ts_mesh_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_are_differences), cmocka_unit_test(one_comes_back),
        cmocka_unit_test(three_come_back),        cmocka_unit_test(count_follows_errors),
        cmocka_unit_test(flaws_do_no_harm),       cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(errors_of_spheres),      cmocka_unit_test(bad_input),
        cmocka_unit_test(it_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
