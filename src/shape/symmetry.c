/* SPDX-License-Identifier: MIT */
/* Which rigid motions map an outline onto itself.
 *
 * Candidates are cheap and may be wrong; a test decides. It moves samples of the boundary and asks the outline how far
 * away they come to lie, so that it does not matter how an edge is cut into pieces, or where a contour begins.
 *
 *     any angle     every contour winds around the centre at one radius, within the tolerance
 *     rotations     n = number of edges, …, 3, 2: an edge that is no arc about the centre has n different images, all edges.
 *                   The first n that passes is the answer
 *     mirror axes   in a shape of D_n the harmonic  Z_k = ∫ ρ² e^{ikφ} dA,  k a multiple of n, has the phase of its axes:
 *                   k θ = arg Z_k (mod π). A few steps of least squares take what rounding, or a shape that is symmetric only
 *                   within the tolerance, puts into the phase
 *
 * Samples are all vertices and some points on every edge, moved forth and back. A motion under which both pass leaves
 * little room: between two vertices whose images lie on the boundary, the boundary could only leave the image of the
 * edge by a vertex of its own, which the motion back would carry off the edge.
 *
 * The cost of a wrong candidate is a few queries: samples come in an order that spreads any first few of them over the
 * whole boundary, and one that has unmasked a candidate goes to the front of the line. */
#include <stdlib.h>
#include <string.h>

#include "base/given.h"
#include "base/memory.h"
#include "shape/outline.h"

/* Points inside every edge: many when edges are few, so that a sample is never far. */
#define SAMPLES_WANTED  4096
#define SAMPLES_ON_EDGE 31
#define COARSE_SAMPLES  1024 /* enough to find and to refine; the last word have all samples */
#define MANY_EDGES      32768
#define FRONT           8  /* samples that unmasked a candidate of late */
#define ALL_POWERS      32 /* groups up to this order have all of their rotations tested */

/* A rotation about the centre, after a mirroring at the x axis when `flip` is -1. */
typedef struct motion {
    double c, s, flip;
} motion;

typedef struct boundary {
    const ts_outline *outline;
    ts_vec2 centre;
    double radius;
    double limit;    /* how far a sample may miss the boundary [m] */
    size_t count;    /* samples */
    ts_vec2 *sample; /* relative to the centre (count) */
} boundary;

static motion turn(double angle)
{
    return (motion){cos(angle), sin(angle), 1};
}

/* The mirror whose axis has this angle. */
static motion mirror_at(double axis)
{
    return (motion){cos(2 * axis), sin(2 * axis), -1};
}

/* ---- Samples ---- */

static size_t points_on_edge(size_t edges)
{
    size_t few = edges > MANY_EDGES ? 1 : 3, wanted = SAMPLES_WANTED / edges;
    return wanted > SAMPLES_ON_EDGE ? SAMPLES_ON_EDGE : wanted > few ? wanted : few;
}

static ts_vec2 about_centre(const boundary *b, ts_vec2 p)
{
    return (ts_vec2){p.x - b->centre.x, p.y - b->centre.y};
}

static size_t greatest_divisor(size_t a, size_t b)
{
    while (b) {
        size_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/* Deals samples out by the golden ratio: any first few of them are spread over the whole boundary. */
static void spread(ts_vec2 *to, const ts_vec2 *from, size_t count)
{
    size_t step = (size_t)(0.6180339887498949 * (double)count);
    step = step > 0 ? step : 1;
    while (greatest_divisor(step, count) != 1)
        step++;
    for (size_t i = 0, at = 0; i < count; i++, at = (at + step) % count)
        to[i] = from[at];
}

/* Samples in the order of the boundary; `begin` gets where those of each contour begin. */
static void sample_edges(const boundary *b, size_t on_edge, ts_vec2 *sample, size_t *begin)
{
    size_t at = 0;
    for (size_t i = 0; i < b->outline->contour_count; i++) {
        ts_contour c = ts_outline_get_contour(b->outline, i);
        begin[i] = at;
        for (size_t k = 0; k < c.vertex_count; k++) {
            ts_segment s = ts_contour_segment(&c, k);
            for (size_t j = 0; j <= on_edge; j++)
                sample[at++] = about_centre(b, ts_segment_point(&s, (double)j / (double)(on_edge + 1)));
        }
    }
    begin[b->outline->contour_count] = at;
}

/* ---- The test ---- */

static ts_vec2 moved(const motion *m, ts_vec2 p)
{
    double y = m->flip * p.y;
    return (ts_vec2){m->c * p.x - m->s * y, m->s * p.x + m->c * y};
}

static void to_front(ts_vec2 *sample, size_t i)
{
    ts_vec2 first = sample[i];
    size_t last = i < FRONT ? i : FRONT - 1;
    sample[i] = sample[last];
    memmove(sample + 1, sample, last * sizeof *sample);
    sample[0] = first;
}

/* How far the first `count` samples miss the boundary after the motion [m]; gives up at the first that misses it by
 * more than the limit. */
static double deviation(boundary *b, motion m, size_t count)
{
    double x[64], y[64], d[64], worst = 0;
    for (size_t i = 0, step = 2; i < count; i += step, step = 64) {
        step = count - i < step ? count - i : step;
        for (size_t k = 0; k < step; k++) {
            ts_vec2 p = moved(&m, b->sample[i + k]);
            x[k] = p.x + b->centre.x;
            y[k] = p.y + b->centre.y;
        }
        ts_distance_query(b->outline->distance, step, x, y, d, NULL, NULL, NULL);
        for (size_t k = 0; k < step; k++) {
            worst = fmax(worst, fabs(d[k]));
            if (!(fabs(d[k]) <= b->limit)) {
                to_front(b->sample, i + k);
                return worst;
            }
        }
    }
    return worst;
}

static size_t coarse(const boundary *b)
{
    return b->count < COARSE_SAMPLES ? b->count : COARSE_SAMPLES;
}

static size_t glance(const boundary *b)
{
    return b->count < 2 * FRONT ? b->count : 2 * FRONT;
}

/* ---- Rotations ---- */

/* True when every contour is a circle about the centre, up to the limit. Turning moves a point along its radius, so the
 * spread of radii bounds what any turn can do. */
static bool is_round(const boundary *b, const ts_vec2 *sample, const size_t *begin, double *error)
{
    *error = 0;
    for (size_t i = 0; i < b->outline->contour_count; i++) {
        double low = HUGE_VAL, high = 0, angle = 0;
        for (size_t k = begin[i]; k < begin[i + 1]; k++) {
            ts_vec2 p = sample[k], q = sample[k + 1 < begin[i + 1] ? k + 1 : begin[i]];
            double r = ts_vec2_length(p);
            low = fmin(low, r);
            high = fmax(high, r);
            angle += atan2(ts_vec2_cross(p, q), ts_vec2_dot(p, q));
        }
        bool winds = fabs(angle) > TS_PI || high <= b->limit;
        if (!winds || !(high - low <= b->limit))
            return false;
        *error = fmax(*error, high - low);
    }
    return true;
}

/* Largest deviation under the group of n rotations, or something above the limit as soon as one fails. Turns by about a
 * half, a quarter, … come first: on a shape that is nearly round a small turn proves nothing, and a slow drift adds
 * up. */
static double rotation_error(boundary *b, size_t n)
{
    double worst = 0, angle = 2 * TS_PI / (double)n;
    for (int look = 0; look < 2; look++) /* a glance first: nearly all candidates fall here */
        for (size_t part = 2; part / 2 < n && worst <= b->limit; part *= 2) {
            size_t k = (n + part / 2) / part;
            worst = fmax(worst, deviation(b, turn(angle * (double)(k > 0 ? k : 1)), look == 0 ? glance(b) : coarse(b)));
        }
    for (size_t k = 1; n <= ALL_POWERS && k < n && worst <= b->limit; k++)
        worst = fmax(worst, deviation(b, turn(angle * (double)k), coarse(b)));
    if (worst <= b->limit)
        worst = fmax(worst, deviation(b, turn(angle), b->count));
    if (worst <= b->limit)
        worst = fmax(worst, deviation(b, turn(-angle), b->count));
    return worst;
}

/* ---- Mirror axes ---- */

#define HARMONICS 4 /* n, 2n, 3n, 4n */
#define WEIGHTS   2 /* ρ², ρ⁴ */

/* Nodes and weights of Gauss and Legendre on [0, 1]. */
static const double gauss_at[8] = {0.019855071751231884, 0.10166676129318664, 0.2372337950418355, 0.4082826787521751,
                                   0.5917173212478249,   0.7627662049581645,  0.8983332387068134, 0.9801449282487681};
static const double gauss_weight[8] = {0.05061426814518813, 0.11119051722668724, 0.15685332293894363,
                                       0.18134189168918098, 0.18134189168918098, 0.15685332293894363,
                                       0.11119051722668724, 0.05061426814518813};

typedef struct axis {
    double strength, angle;
} axis;

/* z[w][m - 1] = ∫ ρᵖ e^{i m n φ} dA, p = 2, 4; as integrals over the boundary, ∮ ρᵖ e^{i m n φ} (r × dr) / (p + 2). */
static void add_harmonics(const ts_segment *s, double n, ts_vec2 z[WEIGHTS][HARMONICS])
{
    /* pieces on which the highest harmonic turns by a radian or two */
    ts_vec2 middle = ts_segment_point(s, 0.5), step = {s->x1 - s->x0, s->y1 - s->y0};
    double length = ts_vec2_length(step) * (1 + fabs(s->bulge));
    double turns = HARMONICS * n * length / (2 * fmax(ts_vec2_length(middle), 0.1));
    int pieces = turns < 64 ? 1 + (int)turns : 64;
    double half = 2 * atan(s->bulge);
    double speed = ts_vec2_length(step) * (fabs(half) < 1e-8 ? 1 : half * 0.5 * (1 / s->bulge + s->bulge));
    for (int i = 0; i < 8 * pieces; i++) {
        int piece = i / 8;
        double t = (piece + gauss_at[i % 8]) / pieces;
        ts_vec2 p = ts_segment_point(s, t), along = ts_segment_tangent(s, t);
        double r2 = ts_vec2_length_squared(p), phase = n * atan2(p.y, p.x), c = cos(phase), q = sin(phase);
        double area = ts_vec2_cross(p, along) * speed * gauss_weight[i % 8] / pieces;
        ts_vec2 e = {c * area, q * area}; /* e^{i m n φ}, times the area */
        for (int m = 0; m < HARMONICS; m++) {
            z[0][m] = ts_vec2_add_scaled(z[0][m], e, r2);
            z[1][m] = ts_vec2_add_scaled(z[1][m], e, r2 * r2);
            e = (ts_vec2){c * e.x - q * e.y, q * e.x + c * e.y};
        }
    }
}

static int by_strength(const void *a, const void *b)
{
    const axis *u = a, *v = b;
    int order = (u->strength < v->strength) - (u->strength > v->strength);
    return order ? order : (u->angle > v->angle) - (u->angle < v->angle);
}

#define AXES (WEIGHTS * HARMONICS * (HARMONICS + 1) / 2)

/* Angles at which an axis may lie, the likeliest first. Harmonic m n tells the axis up to π / (m n), which leaves m of
 * them. */
static void find_axes(const boundary *b, size_t n, axis out[AXES])
{
    ts_vec2 z[WEIGHTS][HARMONICS] = {0};
    double r = b->radius;
    for (size_t i = 0; i < b->outline->contour_count; i++) {
        ts_contour c = ts_outline_get_contour(b->outline, i);
        for (size_t k = 0; k < c.vertex_count; k++) {
            ts_segment s = ts_contour_segment(&c, k); /* in units of the radius */
            s = (ts_segment){(s.x0 - b->centre.x) / r, (s.y0 - b->centre.y) / r, (s.x1 - b->centre.x) / r,
                             (s.y1 - b->centre.y) / r, s.bulge};
            add_harmonics(&s, (double)n, z);
        }
    }
    size_t count = 0;
    for (int w = 0; w < WEIGHTS; w++)
        for (int m = 0; m < HARMONICS; m++)
            for (int j = 0; j <= m; j++)
                out[count++] = (axis){ts_vec2_length(z[w][m]) / (m + 1),
                                      (atan2(z[w][m].y, z[w][m].x) + j * TS_PI) / ((m + 1) * (double)n)};
    qsort(out, count, sizeof *out, by_strength);
}

/* One step of least squares: how much farther to turn so that moved samples come nearer to the boundary, which near
 * each of them is straight. Returns the largest deviation before the step. */
static double step_angle(const boundary *b, motion m, double *step)
{
    double x[64], y[64], d[64], u[64], v[64], worst = 0, top = 0, bottom = 0;
    size_t count = coarse(b);
    for (size_t i = 0, n; i < count; i += n) {
        n = count - i < 64 ? count - i : 64;
        for (size_t k = 0; k < n; k++) {
            ts_vec2 p = moved(&m, b->sample[i + k]);
            x[k] = p.x + b->centre.x;
            y[k] = p.y + b->centre.y;
        }
        ts_distance_query(b->outline->distance, n, x, y, d, u, v, NULL);
        for (size_t k = 0; k < n; k++) {
            double e = fabs(d[k]);
            worst = fmax(worst, e);
            if (!(e > 0))
                continue;
            ts_vec2 normal = {(x[k] - u[k]) / e, (y[k] - v[k]) / e};
            double lever = ts_vec2_cross((ts_vec2){x[k] - b->centre.x, y[k] - b->centre.y}, normal);
            top += lever * e;
            bottom += lever * lever;
        }
    }
    *step = bottom > 0 ? -top / bottom : 0;
    return worst;
}

#define REFINEMENTS 8

/* The best axis near the given one. */
static double refine_axis(const boundary *b, double angle)
{
    double best = angle, least = HUGE_VAL;
    for (int i = 0; i < REFINEMENTS; i++) {
        double step, worst = step_angle(b, mirror_at(angle), &step);
        if (!(worst < least))
            break;
        least = worst;
        best = angle;
        angle += 0.5 * step; /* an image turns twice as far as its mirror */
    }
    return best;
}

/* `angle` in [0, period); what rounding leaves just below the period is 0. */
static double wrap(double angle, double period)
{
    angle = fmod(angle, period);
    angle = angle < 0 ? angle + period : angle;
    return angle < period * (1 - 1e-12) && angle > period * 1e-12 ? angle : 0;
}

static void find_mirror(boundary *b, size_t n, ts_symmetry *out)
{
    axis candidate[AXES];
    find_axes(b, n, candidate);
    for (size_t i = 0; i < AXES; i++) {
        double angle = refine_axis(b, candidate[i].angle);
        double worst = deviation(b, mirror_at(angle), b->count);
        if (worst <= b->limit) {
            out->mirror = true;
            out->mirror_axis = wrap(angle, TS_PI / (double)n);
            out->error = fmax(out->error, worst / b->radius);
            return;
        }
    }
}

/* ---- All together ---- */

static void find_group(boundary *b, ts_symmetry *out)
{
    size_t n = ts_outline_vertex_count(b->outline);
    for (; n > 1; n--) {
        double worst = rotation_error(b, n);
        if (worst <= b->limit) {
            out->error = worst / b->radius;
            break;
        }
    }
    out->rotations = (int32_t)n;
    find_mirror(b, n, out);
}

ts_status ts_outline_symmetry(const ts_outline *outline, double tolerance, ts_symmetry *symmetry, ts_error *error)
{
    TS_GIVEN(symmetry, "symmetry", error);
    TS_GIVEN(outline, "symmetry", error);
    *symmetry = (ts_symmetry){.rotations = 1};
    if (!(tolerance >= 0) || !(tolerance < 1))
        return ts_fail(error, TS_BAD_INPUT, "the tolerance of a symmetry is %g, but must lie between 0 and 1",
                       tolerance);
    const ts_outline_mass *mass = &outline->mass;
    boundary b = {.outline = outline,
                  .centre = {mass->centre[0], mass->centre[1]},
                  .radius = mass->radius,
                  .limit = (tolerance > 0 ? tolerance : 1e-6) * mass->radius};
    size_t edges = ts_outline_vertex_count(outline), on_edge = points_on_edge(edges);
    b.count = edges * (on_edge + 1);
    TS_AUTO_FREE ts_vec2 *sample = NULL;
    TS_AUTO_FREE ts_vec2 *ordered = NULL;
    TS_AUTO_FREE size_t *begin = NULL;
    TS_TRY(ts_new_raw(&sample, b.count, error));
    TS_TRY(ts_new_raw(&ordered, b.count, error));
    TS_TRY(ts_new(&begin, outline->contour_count + 1, error));
    b.sample = sample;
    sample_edges(&b, on_edge, ordered, begin);
    spread(sample, ordered, b.count);
    double error_round;
    if (is_round(&b, ordered, begin, &error_round))
        *symmetry = (ts_symmetry){.rotations = 0, .mirror = true, .error = error_round / b.radius};
    else
        find_group(&b, symmetry);
    return TS_OK;
}
