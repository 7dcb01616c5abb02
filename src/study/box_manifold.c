/* SPDX-License-Identifier: MIT */
/* The study `box-manifold`: contacts of two boxes, one on the other, turned about the vertical.
 *
 *          ╭──────╮                   from above, turned by 45°: the borders cross at eight places
 *          │  B   │  turned by θ           ╱╲
 *        ╭─┴──────┴─╮                    ┌╱──╲┐      A's edges: |x| = c or |y| = c, c = ½ · 3^(−ε/2), from corner to corner
 *        │    A     │                   ╱│    │╲     B's: the same, turned
 *        ╰──────────╯                   ╲│    │╱
 *                                        └╲──╱┘
 *                                          ╲╱
 *
 * Boxes are superquadrics of half size ½ m with ε₁ = ε₂ = 0.1. Edges are those of a mesh of 8 vertices on the zero set:
 * 12 × 12 pairs with two points each. Vertices are those of a mesh of 98. B stands so that the edges overlap by 4 mm.
 *
 * The weights as published halve where two edges are equally near, and vanish where the mesh is off its distance: both
 * are shown on three bodies with everything as smooth as one τ (ts_manifold_smoothing_of). */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "manifold/parts.h"
#include "record/draw_smooth.h"
#include "shape/mesh_make.h"
#include "study/figure.h"
#include "study/smooth_bodies.h"
#include "study/studies.h"

#define HALF     0.5 /* [m] */
#define EXPONENT 0.1
#define OVERLAP  0.004 /* of edges [m] */
#define CELLS    4     /* 6 · 4² + 2 vertices */
#define INNER    0.7   /* of a face: there 1 − n·z is below 1e-3 by its closed form */
#define COUNTS   0.01  /* a contact with less weight is none */

enum { ANGLES = 3, CROSSINGS = 8, TAUS = 3 };
static const double angle_of[ANGLES] = {0, 30, 45};
static const double tau_of[TAUS] = {0.1, 0.01, 0.001};

enum { ON_ZERO_SET, PLANES, SHARP, BODIES };
static const char *const body_name[BODIES] = {"superquadric, mesh on its zero set", "polyhedron, sharp mesh",
                                              "superquadric, sharp mesh"};

/* Contacts of a pair at one pose. */
typedef struct found {
    ts_manifold_counts counts;
    double (*point)[3], (*normal)[3], (*indicator)[4], *gap, *weight;
} found;

typedef struct boxes {
    ts_study *study;
    ts_sdf_body *body[BODIES], *dense;
    found edge[ANGLES], vertex[ANGLES];
} boxes;

/* ---- Bodies and poses ---- */

enum kind { ROUND, FLAT };

/* The box of half size ½ m as a distance of that kind; its mesh has cells × cells squares a side, blown up to the zero
 * set of the superquadric or left sharp. */
static ts_status make(enum kind kind, bool sharp, int cells, ts_sdf_body **body, ts_error *error)
{
    TS_AUTO(ts_mesh_free_at) ts_mesh *mesh = NULL;
    TS_AUTO(ts_sdf_free_at) ts_sdf *sdf = NULL;
    ts_vec3 normal[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}, point[6];
    for (int i = 0; i < 6; i++)
        point[i] = ts_vec3_scale(normal[i], HALF);
    const ts_primitive of_planes = {
        .kind = TS_PRIMITIVE_POLYHEDRON, .pose = ts_pose3_identity(), .point = point, .normal = normal, .count = 6};
    const ts_primitive round = {.kind = TS_PRIMITIVE_SUPERQUADRIC,
                                .pose = ts_pose3_identity(),
                                .size = {HALF, HALF, HALF},
                                .exponent = {EXPONENT, EXPONENT}};
    TS_TRY(ts_mesh_make_box((ts_vec3){HALF, HALF, HALF}, cells, &mesh, error));
    for (size_t i = 0; i < mesh->vertex_count && !sharp; i++) {
        const ts_vec3 v = mesh->vertex[i];
        const double power = 2 / EXPONENT;
        const double sum = pow(fabs(v.x) / HALF, power) + pow(fabs(v.y) / HALF, power) + pow(fabs(v.z) / HALF, power);
        mesh->vertex[i] = ts_vec3_scale(v, pow(sum, -1 / power));
    }
    TS_TRY(ts_sdf_create(kind == FLAT ? &of_planes : &round, 1, &sdf, error));
    TS_TRY(ts_sdf_body_create(sdf, mesh, body, error));
    sdf = NULL, mesh = NULL; /* the body has them */
    return TS_OK;
}

/* Half of the square that the corners of the mesh on the zero set make: 3 (c / half)^(2/ε) = 1. */
static double corner_of(int body)
{
    return body == ON_ZERO_SET ? HALF * pow(3, -0.5 * EXPONENT) : HALF;
}

static ts_manifold_pose pose_of_b(double degrees, double height)
{
    const double half = 0.5 * degrees * TS_PI / 180;
    return (ts_manifold_pose){{0, 0, height}, {cos(half), 0, 0, sin(half)}};
}
static const ts_manifold_pose pose_of_a = {{0, 0, 0}, {1, 0, 0, 0}};

/* ---- Contacts ---- */

static void found_free(found *f)
{
    ts_free(f->point);
    ts_free(f->normal);
    ts_free(f->indicator);
    ts_free(f->gap);
    ts_free(f->weight);
}

static ts_manifold_contacts contacts_of(const found *f)
{
    return (ts_manifold_contacts){f->point, f->gap, f->normal, f->weight, f->indicator};
}

static ts_status find(const ts_sdf_body *body, const ts_manifold_options *options, const ts_manifold_pose *b, found *to,
                      ts_error *error)
{
    TS_AUTO(ts_manifold_free_at) ts_manifold *manifold = NULL;
    TS_AUTO(ts_manifold_work_free_at) ts_manifold_work *work = NULL;
    TS_TRY(ts_manifold_create(body, body, options, &manifold, error));
    TS_TRY(ts_manifold_work_create(manifold, &work, error));
    to->counts = ts_manifold_get_counts(manifold);
    TS_TRY(ts_new(&to->point, to->counts.all, error));
    TS_TRY(ts_new(&to->normal, to->counts.all, error));
    TS_TRY(ts_new(&to->indicator, to->counts.all, error));
    TS_TRY(ts_new(&to->gap, to->counts.all, error));
    TS_TRY(ts_new(&to->weight, to->counts.all, error));
    const ts_manifold_contacts contacts = contacts_of(to);
    return ts_manifold_find(manifold, work, &pose_of_a, b, &contacts, error);
}

static size_t first_edge(const found *f)
{
    return f->counts.vertices[0] + f->counts.vertices[1];
}

/* All edges, which are chosen by nothing. */
static ts_manifold_options all_edges(void)
{
    ts_manifold_options options = ts_manifold_default_options();
    options.keep_edges[0] = options.keep_edges[1] = SIZE_MAX;
    return options;
}

static ts_status find_all(boxes *s, ts_error *error)
{
    const double height = 2 * corner_of(ON_ZERO_SET) - OVERLAP;
    const ts_manifold_options edges = all_edges();
    ts_manifold_options vertices = ts_manifold_default_options();
    vertices.edges = false;
    for (int k = 0; k < ANGLES; k++) {
        const ts_manifold_pose b = pose_of_b(angle_of[k], height);
        TS_TRY(find(s->body[ON_ZERO_SET], &edges, &b, &s->edge[k], error));
        TS_TRY(find(s->dense, &vertices, &b, &s->vertex[k], error));
    }
    return TS_OK;
}

/* ---- Where borders cross ---- */

/* The square |x|, |y| ≤ c and itself turned by θ, 0 < θ < 90°: on A's side x = c B's border passes at y = c tan θ/2 and at
 * y = −c tan (π/4 − θ/2); the others by quarter turns. */
static void crossings(double c, double degrees, ts_vec2 to[CROSSINGS])
{
    const double theta = degrees * TS_PI / 180, up = c * tan(0.5 * theta), down = -c * tan(0.25 * TS_PI - 0.5 * theta);
    for (int q = 0; q < 4; q++) {
        to[2 * q] = ts_vec2_rotate((ts_vec2){c, up}, 0.5 * TS_PI * q);
        to[2 * q + 1] = ts_vec2_rotate((ts_vec2){c, down}, 0.5 * TS_PI * q);
    }
}

/* The middles of the sides: where edges lie on edges, and λ draws the nearest points to. */
static void middles(double c, ts_vec2 to[4])
{
    for (int q = 0; q < 4; q++)
        to[q] = ts_vec2_rotate((ts_vec2){c, 0}, 0.5 * TS_PI * q);
}

static double nearest(const ts_vec2 *place, int count, const double point[3])
{
    double least = HUGE_VAL;
    for (int i = 0; i < count; i++)
        least = fmin(least, ts_vec2_distance(place[i], (ts_vec2){point[0], point[1]}));
    return least;
}

/* What all contacts of edges are like. */
typedef struct summary {
    double sum, at_places;         /* weights of all, and of those within a millimetre of a place */
    double farthest, tilted, deep; /* of those that count: from their place [m], 1 − n_z, |gap + overlap| [m] */
    size_t counted;
} summary;

static summary look(const found *f, const ts_vec2 *place, int count)
{
    summary p = {0};
    for (size_t i = first_edge(f); i < f->counts.all; i++) {
        const double off = nearest(place, count, f->point[i]);
        p.sum += f->weight[i];
        p.at_places += off < 1e-3 ? f->weight[i] : 0;
        if (f->weight[i] < COUNTS)
            continue;
        p.counted++;
        p.farthest = fmax(p.farthest, off);
        p.tilted = fmax(p.tilted, 1 - f->normal[i][2]);
        p.deep = fmax(p.deep, fabs(f->gap[i] + OVERLAP));
    }
    return p;
}

/* ---- Claims ---- */

static ts_status claim_turned(boxes *s, int k, ts_error *error)
{
    ts_vec2 place[CROSSINGS];
    crossings(corner_of(ON_ZERO_SET), angle_of[k], place);
    const summary p = look(&s->edge[k], place, CROSSINGS);
    const double degrees = angle_of[k];
    TS_TRY(ts_claim_at_least(s->study, p.at_places / p.sum, 0.99, "1", error,
                             "%g°: share of the weight of 144 pairs of edges within 1 mm of the 8 crossings", degrees));
    TS_TRY(ts_claim_near(s->study, p.sum, 2 * CROSSINGS, 0.01, "1", error,
                         "%g°: weights of all pairs together, two points a crossing", degrees));
    TS_TRY(ts_claim_at_most(s->study, p.farthest, 1e-4, "m", error,
                            "%g°: farthest of a contact that counts from its exact crossing", degrees));
    TS_TRY(ts_claim_at_most(s->study, p.tilted, 1e-9, "1", error, "%g°: normals there, 1 − n·z", degrees));
    return ts_claim_at_most(s->study, p.deep, 1e-9, "m", error, "%g°: gaps there, off from −4 mm", degrees);
}

/* Edges on edges: each pair counts once on each side, in its middle. Their weight is less than one, since the normals of
 * two rims that look the same way, one up and one down, are square to each other. */
static ts_status claim_straight(boxes *s, ts_error *error)
{
    ts_vec2 place[4];
    middles(corner_of(ON_ZERO_SET), place);
    const summary p = look(&s->edge[0], place, 4);
    TS_TRY(ts_claim_at_least(s->study, p.at_places / p.sum, 0.99, "1", error,
                             "0°: share of the weight at the middles of the 4 edges that lie on edges"));
    TS_TRY(ts_claim_at_most(s->study, p.farthest, 1e-9, "m", error,
                            "0°: farthest of a contact that counts from that middle"));
    TS_TRY(ts_claim_at_most(s->study, p.tilted, 1e-9, "1", error, "0°: normals there, 1 − n·z"));
    return ts_claim_at_most(s->study, p.deep, 1e-9, "m", error, "0°: gaps there, off from −4 mm");
}

/* Vertices of one box over the flat part of the other's face, INNER of its half wide, or below it. */
static ts_status claim_vertices(boxes *s, int k, ts_error *error)
{
    const found *f = &s->vertex[k];
    const ts_rot2 back = ts_rot2_from_angle(-angle_of[k] * TS_PI / 180);
    double tilted = 0;
    size_t count = 0;
    for (size_t i = 0; i < f->counts.all; i++) {
        const ts_vec2 at = {f->point[i][0], f->point[i][1]};
        const ts_vec2 p = i < f->counts.vertices[0] ? ts_rot2_apply(back, at) : at; /* in the other's axes */
        if (f->gap[i] >= 0 || fmax(fabs(p.x), fabs(p.y)) > INNER * HALF)
            continue;
        count++;
        tilted = fmax(tilted, 1 - f->normal[i][2]);
    }
    TS_TRY(ts_claim_at_least(s->study, (double)count, 18, "1", error,
                             "%g°: of 196 vertices, those inside of the other box below its flat face", angle_of[k]));
    return ts_claim_at_most(s->study, tilted, 1e-3, "1", error, "%g°: their normals, 1 − n·z", angle_of[k]);
}

/* ---- Weights as published ---- */

/* At the 8 crossings, both points of each: [least, largest]. Edges touch; everything is as smooth as τ. */
static ts_status weigh(const boxes *s, int body, double tau, bool published, double range[2], ts_error *error)
{
    TS_AUTO(found_free) found f = {0};
    ts_vec2 place[CROSSINGS];
    ts_manifold_options options = all_edges();
    options.smoothing = ts_manifold_smoothing_of(tau);
    options.published = published;
    const ts_manifold_pose b = pose_of_b(45, 2 * corner_of(body));
    TS_TRY(find(s->body[body], &options, &b, &f, error));
    crossings(corner_of(body), 45, place);
    range[0] = HUGE_VAL;
    range[1] = 0;
    for (int c = 0; c < CROSSINGS; c++)
        for (int side = 0; side < 2; side++) { /* the heaviest of those near the crossing is the pair that crosses */
            double most = 0;
            for (size_t i = first_edge(&f) + (size_t)side; i < f.counts.all; i += 2)
                if (nearest(&place[c], 1, f.point[i]) < 0.1 * HALF)
                    most = fmax(most, f.weight[i]);
            range[0] = fmin(range[0], most);
            range[1] = fmax(range[1], most);
        }
    return TS_OK;
}

/* ½ σ(−φ/τ) for φ of the point in the other body, where two edges are equally near: at (c, c tan π/8, c) of the
 * superquadric |p| (1 − f^(−ε/2)), and τ log 2 where two planes of a polyhedron meet. */
static double weight_of(int body, double tau)
{
    const double c = corner_of(body), power = 2 / EXPONENT, y = c * tan(TS_PI / 8);
    const double gauge = pow(2 * pow(c / HALF, power) + pow(y / HALF, power), 1 / power);
    const double phi = body == PLANES ? tau * log(2) : sqrt(2 * c * c + y * y) * (1 - 1 / gauge);
    return 0.5 / (1 + exp(phi / tau));
}

static ts_status claim_weights(boxes *s, ts_error *error)
{
    ts_draft sheet;
    TS_TRY(ts_study_sheet_open(s->study, "box-manifold-weights.csv", &sheet, error));
    fprintf(sheet.stream, "body,tau,published_least,published_most,normalised_least,normalised_most\n");
    ts_status status = TS_OK;
    for (int b = 0; b < BODIES; b++)
        for (int t = 0; t < TAUS && status == TS_OK; t++) {
            double old[2] = {0}, new[2] = {0};
            status = weigh(s, b, tau_of[t], true, old, error);
            if (status == TS_OK)
                status = weigh(s, b, tau_of[t], false, new, error);
            fprintf(sheet.stream, "\"%s\",%g,%.6g,%.6g,%.6g,%.6g\n", body_name[b], tau_of[t], old[0], old[1], new[0],
                    new[1]);
            if (status == TS_OK && t > 0) /* at 0.1 all else is smeared as well */
                status = ts_claim_near(s->study, old[0], weight_of(b, tau_of[t]), 0.01, "1", error,
                                       "%s, τ = %g: published weight of a crossing, against ½ σ(−φ/τ)", body_name[b],
                                       tau_of[t]);
            if (status == TS_OK && t == TAUS - 1 && b == ON_ZERO_SET)
                status = ts_claim_near(s->study, new[0], 1, 1e-3, "1", error, "the same, normalised");
        }
    const ts_status closed = ts_study_sheet_close(s->study, &sheet, status == TS_OK ? error : NULL);
    return status != TS_OK ? status : closed;
}

/* ---- Pictures ---- */

typedef struct scenery {
    const boxes *boxes;
    int angle;
    bool unscaled;
} scenery;

/* Contacts of vertices, then of edges. */
static void join(const found *v, const found *e, const found *to)
{
    const size_t n = v->counts.all, m = e->counts.all - first_edge(e), from = first_edge(e);
    for (size_t i = 0; i < n + m; i++) {
        const found *of = i < n ? v : e;
        const size_t k = i < n ? i : i - n + from;
        for (int x = 0; x < 3; x++) {
            to->point[i][x] = of->point[k][x];
            to->normal[i][x] = of->normal[k][x];
        }
        to->gap[i] = of->gap[k];
        to->weight[i] = of->weight[k];
    }
}

static ts_status write_contacts(ts_study *study, const void *figure, const char *path, ts_error *error)
{
    const scenery *s = figure;
    const found *v = &s->boxes->vertex[s->angle], *e = &s->boxes->edge[s->angle];
    const size_t count = v->counts.all + e->counts.all - first_edge(e);
    TS_AUTO(found_free) found all = {0};
    char title[96];
    (void)study;
    TS_TRY(ts_new(&all.point, count, error));
    TS_TRY(ts_new(&all.normal, count, error));
    TS_TRY(ts_new(&all.gap, count, error));
    TS_TRY(ts_new(&all.weight, count, error));
    join(v, e, &all);
    snprintf(title, sizeof title, "Two boxes turned by %g°, normals %s", angle_of[s->angle],
             s->unscaled ? "unscaled" : "as long as the weight");
    const ts_contacts_picture picture = {
        .body = {s->boxes->dense, s->boxes->dense},
        .pose = {pose_of_a, pose_of_b(angle_of[s->angle], 2 * corner_of(ON_ZERO_SET) - OVERLAP)},
        .contact = contacts_of(&all),
        .count = count,
        .vertex_count = v->counts.all,
        .unscaled = s->unscaled,
        .reach = s->unscaled ? 0.1 * HALF : 0.001 * HALF};
    return ts_draw_contacts(path, &picture, &(ts_smooth_look){.title = title, .width = 1000}, error);
}

static ts_status draw(boxes *s, ts_error *error)
{
    static const struct {
        const char *file;
        int angle;
        bool unscaled;
    } all[] = {{"box-manifold-0", 0, false},
               {"box-manifold-30", 1, false},
               {"box-manifold-45", 2, false},
               {"box-manifold-45-unscaled", 2, true}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const scenery one = {s, all[i].angle, all[i].unscaled};
        TS_TRY(ts_figure_write(s->study, all[i].file, "png", write_contacts, &one, error));
    }
    return TS_OK;
}

/* ---- The study ---- */

static void close_boxes(boxes *s)
{
    for (int i = 0; i < BODIES; i++)
        ts_sdf_body_free(s->body[i]);
    ts_sdf_body_free(s->dense);
    for (int k = 0; k < ANGLES; k++) {
        found_free(&s->edge[k]);
        found_free(&s->vertex[k]);
    }
}

ts_status ts_study_box_manifold(ts_study *study, ts_error *error)
{
    TS_AUTO(close_boxes) boxes s = {.study = study};
    TS_TRY(make(ROUND, false, 1, &s.body[ON_ZERO_SET], error));
    TS_TRY(make(FLAT, true, 1, &s.body[PLANES], error));
    TS_TRY(make(ROUND, true, 1, &s.body[SHARP], error));
    TS_TRY(make(ROUND, false, CELLS, &s.dense, error));
    TS_TRY(find_all(&s, error));
    const ts_manifold_counts n = s.edge[0].counts, v = s.vertex[0].counts;
    TS_TRY(ts_claim(study, n.edges[0] * n.edges[1] == 144 && v.vertices[0] == 98, (double)(n.edges[0] * n.edges[1]),
                    "1", "144 and 98", error, "pairs of edges; %zu vertices of each box", v.vertices[0]));
    TS_TRY(claim_straight(&s, error));
    for (int k = 1; k < ANGLES; k++)
        TS_TRY(claim_turned(&s, k, error));
    for (int k = 0; k < ANGLES; k++)
        TS_TRY(claim_vertices(&s, k, error));
    TS_TRY(claim_weights(&s, error));
    return draw(&s, error);
}
