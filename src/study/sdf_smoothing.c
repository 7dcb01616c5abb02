/* SPDX-License-Identifier: MIT */
/* The study `sdf-smoothing`: what smoothing does to signed distances (shape/sdf.h), family by family.
 *
 *     superquadric    its exponents, 0.1 (a box) to 1 (an ellipsoid)
 *     polyhedron      τ of the softened maximum over its planes
 *     cloud           the width of the kernel that blends tangent planes
 *     union           τ of the softened minimum over primitives
 *
 * Bounds and radii are closed forms. Of L values with the least at m, the published sum of exponentials is below m by at
 * most τ log L; the corrected mean is above it by at most τ W((L − 1) / e), W: Lambert's function, 0.2785 for L = 2. Where
 * two planes meet at a right angle, with n along the bisector and s across,
 *
 *     published    n = −√2 τ log(2 cosh(s / √2τ))     curvature radius √2 τ
 *     corrected    n = −s tanh(s / √2τ)               curvature radius τ / √2, through the sharp corner itself
 *
 * and tangent planes of a sphere of radius R, blended over a width w, put the surface w² / R outside: the mean of
 * 1 − cos over the kernel is w² / R². */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/vec.h"
#include "record/draw_levels.h"
#include "study/figure.h"
#include "study/studies.h"

enum { FAMILIES = 4, STEPS = 4, POINTS = 20000, CLOUD = 2500 };
enum { SUPERQUADRIC, POLYHEDRON, CLOUDS, UNION };

static const double tau_of[STEPS] = {0.003, 0.03, 0.1, 0.3}; /* over the length */
static const double exponent_of[STEPS] = {0.1, 0.4, 0.7, 1}; /* of the superquadric */
static const double width_of[STEPS] = {0.05, 0.1, 0.2, 0.3}; /* of the cloud, over its radius */
static const ts_vec3 box_half = {0.8, 0.5, 0.5};             /* of polyhedron and superquadric */
static const double cloud_radius = 0.7, right_angle_half = 0.5;

typedef struct smoothing {
    ts_study *study;
    ts_sdf *sdf[FAMILIES][STEPS];
    ts_random random;
} smoothing;

/* ---- Bodies ---- */

static ts_primitive superquadric(ts_vec3 size, double exponent, ts_vec3 at)
{
    return (ts_primitive){.kind = TS_PRIMITIVE_SUPERQUADRIC,
                          .pose = {at, ts_quat_identity()},
                          .size = size,
                          .exponent = {exponent, exponent}};
}

static ts_status make_polyhedron(ts_sdf **sdf, ts_error *error)
{
    ts_vec3 normal[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}, point[6];
    for (int i = 0; i < 6; i++)
        point[i] = ts_vec3_times(normal[i], box_half);
    const ts_primitive one = {
        .kind = TS_PRIMITIVE_POLYHEDRON, .pose = ts_pose3_identity(), .point = point, .normal = normal, .count = 6};
    return ts_sdf_create(&one, 1, sdf, error);
}

/* Points of a sphere on a spiral from pole to pole, nearly even. */
static ts_status make_cloud(double width, ts_sdf **sdf, ts_error *error)
{
    TS_AUTO_FREE ts_vec3 *point = NULL, *normal = NULL;
    TS_TRY(ts_new(&point, CLOUD, error));
    TS_TRY(ts_new(&normal, CLOUD, error));
    for (int i = 0; i < CLOUD; i++) {
        const double z = 1 - (2 * i + 1.0) / CLOUD, turn = i * TS_PI * (3 - sqrt(5)), r = sqrt(1 - z * z);
        normal[i] = (ts_vec3){r * cos(turn), r * sin(turn), z};
        point[i] = ts_vec3_scale(normal[i], cloud_radius);
    }
    const ts_primitive one = {.kind = TS_PRIMITIVE_CLOUD,
                              .pose = ts_pose3_identity(),
                              .point = point,
                              .normal = normal,
                              .count = CLOUD,
                              .width = width * cloud_radius};
    return ts_sdf_create(&one, 1, sdf, error);
}

/* A box and a ball that share a part. */
static ts_status make_union(ts_sdf **sdf, ts_error *error)
{
    const ts_primitive both[2] = {superquadric((ts_vec3){0.55, 0.4, 0.4}, 0.1, (ts_vec3){-0.25, -0.1, 0}),
                                  superquadric((ts_vec3){0.45, 0.45, 0.45}, 1, (ts_vec3){0.35, 0.2, 0})};
    return ts_sdf_create(both, 2, sdf, error);
}

static ts_status make_all(smoothing *s, ts_error *error)
{
    for (int i = 0; i < STEPS; i++) {
        const ts_primitive one = superquadric(box_half, exponent_of[i], (ts_vec3){0, 0, 0});
        TS_TRY(ts_sdf_create(&one, 1, &s->sdf[SUPERQUADRIC][i], error));
        TS_TRY(make_polyhedron(&s->sdf[POLYHEDRON][i], error));
        TS_TRY(make_cloud(width_of[i], &s->sdf[CLOUDS][i], error));
        TS_TRY(make_union(&s->sdf[UNION][i], error));
    }
    return TS_OK;
}

static void free_all(smoothing *s)
{
    for (int f = 0; f < FAMILIES; f++)
        for (int i = 0; i < STEPS; i++)
            ts_sdf_free(s->sdf[f][i]);
}

/* τ of polyhedra and unions; the others do not heed it. */
static ts_sdf_rule rule_of(const ts_sdf *sdf, double tau, bool published)
{
    ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    rule.tau = tau * ts_sdf_length(sdf);
    rule.published = published;
    return rule;
}

/* ---- Bounds ---- */

/* Lambert's W of x ≥ 0. */
static double lambert(double x)
{
    double w = log1p(x);
    for (int i = 0; i < 50; i++)
        w -= (w * exp(w) - x) / (exp(w) * (1 + w));
    return w;
}

static ts_vec3 random_point(ts_random *random, ts_box3 box)
{
    const ts_vec3 span = ts_vec3_sub(box.high, box.low);
    const double x = ts_random_next_uniform(random), y = ts_random_next_uniform(random),
                 z = ts_random_next_uniform(random);
    return ts_vec3_add(ts_vec3_sub(box.low, ts_vec3_scale(span, 0.1)),
                       ts_vec3_scale(ts_vec3_times(span, (ts_vec3){x, y, z}), 1.2));
}

/* The sharp distance: the largest over planes of a box, or the least over primitives that are asked one by one. */
static double sharp_box(ts_vec3 p)
{
    return fmax(fmax(fabs(p.x) - box_half.x, fabs(p.y) - box_half.y), fabs(p.z) - box_half.z);
}

static ts_status split(const ts_sdf *sdf, ts_sdf *part[2], ts_error *error)
{
    for (size_t i = 0; i < 2; i++)
        TS_TRY(ts_sdf_create(ts_sdf_primitive(sdf, i), 1, &part[i], error));
    return TS_OK;
}

/* How far φ is from the sharp one, towards either side, over τ. */
typedef struct span {
    double low, high;
} span;

static span find_shift(smoothing *s, int family, double tau, bool published, ts_sdf *const part[2])
{
    const ts_sdf *sdf = s->sdf[family][0];
    const ts_sdf_rule rule = rule_of(sdf, tau, published);
    const double unit = rule.tau;
    span most = {0, 0};
    for (int i = 0; i < POINTS; i++) {
        const ts_vec3 p = random_point(&s->random, ts_sdf_bounds(sdf));
        const double sharp =
            family == POLYHEDRON ? sharp_box(p) : fmin(ts_sdf_at(part[0], &rule, p), ts_sdf_at(part[1], &rule, p));
        const double shift = (ts_sdf_at(sdf, &rule, p) - sharp) / unit;
        most.low = fmin(most.low, shift);
        most.high = fmax(most.high, shift);
    }
    return most;
}

static void free_parts(ts_sdf *(*part)[2])
{
    ts_sdf_free((*part)[0]);
    ts_sdf_free((*part)[1]);
}

static ts_status claim_bounds(smoothing *s, int family, ts_error *error)
{
    const char *name = family == UNION ? "union of 2" : "polyhedron of 6 planes";
    const double count = family == UNION ? 2 : 6;
    TS_AUTO(free_parts) ts_sdf *part[2] = {NULL, NULL};
    if (family == UNION)
        TS_TRY(split(s->sdf[UNION][0], part, error));
    for (int i = 0; i < STEPS; i++)
        for (int published = 0; published < 2; published++) {
            const span shift = find_shift(s, family, tau_of[i], published, part);
            const bool down = (family == UNION) == (published == 1);
            const double bound = published ? log(count) : lambert((count - 1) * exp(-1)),
                         far = down ? -shift.low : shift.high, back = fmax(down ? shift.high : -shift.low, 0);
            TS_TRY(ts_claim_at_most(s->study, far, bound * (1 + 1e-9), "τ", error, "%s, τ = %g: %s φ moves %s by", name,
                                    tau_of[i], published ? "published" : "corrected", down ? "down" : "up"));
            TS_TRY(ts_claim_at_most(s->study, back, 1e-9, "τ", error, "%s, τ = %g: and the other way by", name,
                                    tau_of[i]));
        }
    return TS_OK;
}

/* ---- Surfaces ---- */

/* The zero of φ along a ray. */
static double zero_along(const ts_sdf *sdf, const ts_sdf_rule *rule, ts_vec3 from, ts_vec3 way, double low, double high)
{
    for (int i = 0; i < 200; i++) {
        const double middle = 0.5 * (low + high);
        if (ts_sdf_at(sdf, rule, ts_vec3_add_scaled(from, way, middle)) < 0)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* Of the zero set where two planes of the box meet, from three of its points. */
static double corner_radius(const ts_sdf *sdf, const ts_sdf_rule *rule)
{
    const ts_vec3 corner = {0, right_angle_half, right_angle_half}, out = {0, sqrt(0.5), sqrt(0.5)},
                  across = {0, -sqrt(0.5), sqrt(0.5)};
    const double step = 0.02 * rule->tau, reach = 2 * rule->tau;
    const double at = zero_along(sdf, rule, corner, out, -reach, reach),
                 beside = zero_along(sdf, rule, ts_vec3_add_scaled(corner, across, step), out, -reach, reach);
    return step * step / (2 * (at - beside));
}

static ts_status claim_corners(smoothing *s, ts_error *error)
{
    const ts_sdf *sdf = s->sdf[POLYHEDRON][0];
    for (int i = 0; i < 2; i++) /* with more the opposite planes count, too */
        for (int published = 0; published < 2; published++) {
            const ts_sdf_rule rule = rule_of(sdf, tau_of[i], published);
            TS_TRY(ts_claim_near(s->study, corner_radius(sdf, &rule) / rule.tau, published ? sqrt(2) : sqrt(0.5), 1e-3,
                                 "τ", error, "box of planes, τ = %g: radius of a right-angled edge, %s", tau_of[i],
                                 published ? "published" : "corrected"));
        }
    const ts_sdf_rule rule = rule_of(sdf, tau_of[0], false);
    const ts_vec3 edge = {0, right_angle_half, right_angle_half};
    return ts_claim_at_most(s->study, fabs(ts_sdf_at(sdf, &rule, edge)) / rule.tau, 1e-9, "τ", error,
                            "corrected: the surface goes through the sharp edge, off by");
}

static ts_status claim_cloud(smoothing *s, ts_error *error)
{
    for (int i = 0; i < STEPS; i++) {
        const ts_sdf *sdf = s->sdf[CLOUDS][i];
        const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
        double sum = 0;
        for (int k = 0; k < 200; k++) {
            const double z = 1 - (2 * k + 1.0) / 200, turn = k * 2.1, r = sqrt(1 - z * z);
            const ts_vec3 way = {r * cos(turn), r * sin(turn), z};
            sum += ts_sdf_at(sdf, &rule, ts_vec3_scale(way, cloud_radius)) / 200;
        }
        const double width = width_of[i] * cloud_radius;
        TS_TRY(ts_claim_near(s->study, -sum, width * width / cloud_radius, 0.01, "m", error,
                             "cloud of %d points of a sphere, width %g of its radius: the surface moves out by w² / R",
                             CLOUD, width_of[i]));
    }
    return TS_OK;
}

/* |∇φ| of a superquadric on its surface is 1 / cos of the angle between the ray from its centre and the normal. */
static ts_status claim_gradients(smoothing *s, ts_error *error)
{
    for (int i = 0; i < STEPS; i++) {
        const ts_sdf *sdf = s->sdf[SUPERQUADRIC][i];
        const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
        double off = 0, most = 0, least = HUGE_VAL;
        for (int k = 0; k < POINTS / 10; k++) {
            const double z = 2 * ts_random_next_uniform(&s->random) - 1,
                         turn = 2 * TS_PI * ts_random_next_uniform(&s->random);
            const ts_vec3 way = {sqrt(1 - z * z) * cos(turn), sqrt(1 - z * z) * sin(turn), z};
            const double at = zero_along(sdf, &rule, (ts_vec3){0, 0, 0}, way, 0.3, 2);
            const ts_vec3 p = ts_vec3_scale(way, at);
            double gradient[3], normal[3];
            ts_sdf_ask(sdf, &rule, &(ts_sdf_points){1, &p.x, &p.y, &p.z},
                       &(ts_sdf_answers){.gradient = {&gradient[0], &gradient[1], &gradient[2]},
                                         .normal = {&normal[0], &normal[1], &normal[2]}});
            const double length = ts_vec3_length(ts_vec3_of(gradient));
            off = fmax(off, fabs(length * ts_vec3_dot(ts_vec3_of(normal), way) - 1));
            most = fmax(most, length);
            least = fmin(least, length);
        }
        TS_TRY(
            ts_claim_at_most(s->study, off, 1e-6, "1", error,
                             "superquadric, ε = %g: |∇φ| on the surface (%.3f to %.3f) times cos(ray, normal), less 1",
                             exponent_of[i], least, most));
    }
    const ts_sdf *box = s->sdf[POLYHEDRON][0];
    const ts_sdf_rule rule = rule_of(box, tau_of[0], false);
    const ts_vec3 face = {0.3, -0.2, right_angle_half};
    double g[3];
    ts_sdf_ask(box, &rule, &(ts_sdf_points){1, &face.x, &face.y, &face.z},
               &(ts_sdf_answers){.gradient = {&g[0], &g[1], &g[2]}});
    return ts_claim_near(s->study, ts_vec3_length(ts_vec3_of(g)), 1, 1e-12, "1", error,
                         "box of planes: |∇φ| on a face");
}

/* ---- Figure ---- */

enum { CAPTION = 64 };

static void caption(char text[CAPTION], int family, int i)
{
    if (family == SUPERQUADRIC)
        snprintf(text, CAPTION, "superquadric, ε = %g", exponent_of[i]);
    else if (family == CLOUDS)
        snprintf(text, CAPTION, "cloud, width %g of the radius", width_of[i]);
    else
        snprintf(text, CAPTION, "%s, τ = %g", family == UNION ? "union" : "polyhedron", tau_of[i]);
}

static ts_status write_figure(ts_study *study, const void *figure, const char *path, ts_error *error)
{
    const smoothing *s = figure;
    ts_levels_panel panel[FAMILIES * STEPS];
    char text[FAMILIES * STEPS][CAPTION];
    for (int f = 0; f < FAMILIES; f++)
        for (int i = 0; i < STEPS; i++) {
            const int at = f * STEPS + i;
            const double tau = f == POLYHEDRON || f == UNION ? tau_of[i] : tau_of[0];
            panel[at] = (ts_levels_panel){.sdf = s->sdf[f][i],
                                          .rule = rule_of(s->sdf[f][i], tau, false),
                                          .beside = s->sdf[f][0],
                                          .beside_rule = rule_of(s->sdf[f][0], 1e-4, false),
                                          .text = text[at]};
            caption(text[at], f, i);
        }
    const ts_levels_picture picture = {.panel = panel,
                                       .columns = STEPS,
                                       .rows = FAMILIES,
                                       .across = {1, 0, 0},
                                       .up = {0, 1, 0},
                                       .half = 1.1,
                                       .step = 0.1,
                                       .beside = "least smoothing"};
    TS_AUTO(ts_pool_free_at) ts_pool *pool = NULL;
    TS_TRY(ts_pool_create(ts_study_threads(study), &pool, error));
    return ts_draw_levels(path, &picture,
                          &(ts_smooth_look){.title = "Level sets of φ; τ over the length", .pool = pool}, error);
}

ts_status ts_study_sdf_smoothing(ts_study *study, ts_error *error)
{
    TS_AUTO(free_all) smoothing s = {.study = study};
    s.random = ts_random_make(ts_study_seed(study), 0);
    TS_TRY(make_all(&s, error));
    TS_TRY(claim_bounds(&s, UNION, error));
    TS_TRY(claim_bounds(&s, POLYHEDRON, error));
    TS_TRY(claim_corners(&s, error));
    TS_TRY(claim_cloud(&s, error));
    TS_TRY(claim_gradients(&s, error));
    return ts_figure_write(study, "sdf-smoothing", "png", write_figure, &s, error);
}
