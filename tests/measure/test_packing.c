/* SPDX-License-Identifier: MIT */
/* Areas within boxes, against closed forms and against throwing darts. */
#include "measure/grains.h"

#include "shape/discs.h"
#include "shape/outline.h"

static grains g;

/* The densest packing of equal discs covers π / (2√3) of a box of whole periods, wherever the box is put. */
static void triangular_lattice(void **unused)
{
    (void)unused;
    const double r = 0.37, dx = 2 * r, dy = sqrt(3) * r;
    grains_begin(&g);
    for (int i = -8; i < 9; i++)
        for (int j = -8; j < 9; j++)
            grains_disc(&g, (i + 0.5 * (j & 1)) * dx, j * dy, r);
    for (int k = 0; k < 7; k++) {
        double x = 0.111 * k, y = -0.083 * k;
        ts_region box = {x - 2 * dx, y - 2 * dy, x + 3 * dx, y + 2 * dy, 0, 0};
        ts_packing packing;
        OK(ts_measure_packing(&g.snapshot, &box, &packing, ERROR));
        NEAR(packing.fraction, TS_PI / (2 * sqrt(3)), 1e-13);
        NEAR(packing.region_volume, 5 * dx * 4 * dy, 1e-13);
    }
}

/* One disc cut by a line at distance h from its centre: r² acos(h/r) − h √(r² − h²) lies beyond. */
static void segment_of_a_disc(void **unused)
{
    (void)unused;
    const double r = 0.8;
    grains_begin(&g);
    grains_disc(&g, 3, -2, r);
    for (double h = -0.79; h < 0.8; h += 0.0917) {
        double beyond = r * r * acos(h / r) - h * sqrt(r * r - h * h);
        const ts_region box[4] = {
            {3 + h, -9, 9, 9, 0, 0}, {-9, -9, 3 - h, 9, 0, 0}, {-9, -2 + h, 9, 9, 0, 0}, {-9, -9, 9, -2 - h, 0, 0}};
        for (int k = 0; k < 4; k++) {
            ts_packing packing;
            OK(ts_measure_packing(&g.snapshot, &box[k], &packing, ERROR));
            NEAR(packing.grain_volume, beyond, 1e-13);
        }
    }
    ts_packing quarter;
    OK(ts_measure_packing(&g.snapshot, &(ts_region){3, -2, 5, 0, 0, 0}, &quarter, ERROR));
    NEAR(quarter.grain_volume, TS_PI * r * r / 4, 1e-13);
    /* a box within the disc is covered wholly */
    OK(ts_measure_packing(&g.snapshot, &(ts_region){2.9, -2.1, 3.2, -1.9, 0, 0}, &quarter, ERROR));
    NEAR(quarter.fraction, 1, 1e-12);
}

static void fail_when_empty(void **unused)
{
    (void)unused;
    ts_packing packing;
    grains_begin(&g);
    OK(ts_measure_packing(&g.snapshot, NULL, &packing, ERROR));
    assert_true(isnan(packing.fraction));
    assert_int_equal(ts_measure_packing(&g.snapshot, &(ts_region){1, 0, 0, 1, 0, 0}, &packing, ERROR), TS_BAD_INPUT);
    assert_non_null(strstr(ts_test_error.message, "region"));
}

/* Whether a point of the world lies in a body that is a cluster of discs. */
static bool covers(const ts_snapshot_body *body, const ts_disc *disc, size_t count, double x, double y)
{
    double c = cos(body->angle), s = sin(body->angle), dx = (x - body->position[0]) / body->scale,
           dy = (y - body->position[1]) / body->scale;
    double u = c * dx + s * dy, v = -s * dx + c * dy;
    for (size_t k = 0; k < count; k++)
        if (hypot(u - disc[k].x, v - disc[k].y) < disc[k].radius)
            return true;
    return false;
}

static double dart_area(const ts_snapshot_body *body, const ts_disc *disc, size_t count, const ts_region *box,
                        int darts)
{
    int hits = 0;
    for (int k = 0; k < darts; k++) {
        /* a regular comb of places: its error falls faster than that of chance */
        double u = fmod(0.5 + k * 0.7548776662466927, 1), v = fmod(0.5 + k * 0.5698402909980532, 1);
        hits += covers(body, disc, count, box->x0 + u * (box->x1 - box->x0), box->y0 + v * (box->y1 - box->y0));
    }
    return (double)hits / darts * (box->x1 - box->x0) * (box->y1 - box->y0);
}

static void cluster_in_a_box(void **unused)
{
    (void)unused;
    static const ts_disc disc[] = {{-0.5, -0.3, 0.6}, {0.5, -0.3, 0.7}, {0.1, 0.5, 0.5}, {0.1, 0.1, 0.2}};
    ts_disc_union mass;
    OK(ts_discs_measure(disc, 4, &mass, ERROR));
    grains_begin(&g);
    g.shape[0] = (ts_snapshot_shape){.disc = disc, .disc_count = 4};
    ts_snapshot_body *body = grains_disc(&g, 1, 2, 1);
    *body = (ts_snapshot_body){.position = {1, 2},
                               .angle = 0.7,
                               .scale = 1.3,
                               .radius = 1.3 * 1.5,
                               .volume = mass.area * 1.69,
                               .present = true};
    const ts_region box[] = {
        {0, 1, 1.2, 2.5, 0, 0}, {0.9, 1.9, 4, 4, 0, 0}, {-9, 2, 9, 2.4, 0, 0}, {1, -9, 1.3, 9, 0, 0}};
    for (int k = 0; k < 4; k++) {
        ts_packing packing;
        ts_region cut = {fmax(box[k].x0, -2), fmax(box[k].y0, -1), fmin(box[k].x1, 4), fmin(box[k].y1, 5), 0, 0};
        OK(ts_measure_packing(&g.snapshot, &cut, &packing, ERROR));
        NEAR(packing.grain_volume, dart_area(body, disc, 4, &cut, 200000), 2e-3);
    }
    /* halves make a whole */
    double fraction[5], sum = 0;
    ts_region around = {-2, -1, 4, 5, 0, 0};
    OK(ts_measure_packing_profile(&g.snapshot, &(ts_bins){&around, 5, false}, fraction, ERROR));
    for (int k = 0; k < 5; k++)
        sum += fraction[k] * 36 / 5;
    NEAR(sum, mass.area * 1.69, 1e-12);
}

/* A square with a round hole, half of it in the box, turned: by symmetry half of its area. */
static void outline_with_a_hole(void **unused)
{
    (void)unused;
    static ts_vertex vertex[] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0.5, 0, -1}, {-0.5, 0, -1}};
    static size_t begin[] = {0, 4, 6};
    static ts_outline outline = {.contour_count = 2, .begin = begin, .vertex = vertex};
    double area = 4 - TS_PI * 0.25;
    grains_begin(&g);
    g.shape[0] = (ts_snapshot_shape){.disc = &unit_disc, .disc_count = 1, .outline = &outline};
    for (double angle = 0; angle < 3; angle += 0.37) {
        g.snapshot.body_count = 0;
        *grains_disc(&g, 0, 0, 1) = (ts_snapshot_body){
            .position = {5, 7}, .angle = angle, .scale = 2, .radius = 2 * sqrt(2), .volume = 4 * area, .present = true};
        ts_packing half, middle;
        OK(ts_measure_packing(&g.snapshot, &(ts_region){5, 0, 20, 20, 0, 0}, &half, ERROR));
        NEAR(half.grain_volume, 2 * area, 1e-12);
        /* a box that holds the hole and lies within the square */
        OK(ts_measure_packing(&g.snapshot, &(ts_region){4, 6, 6, 8, 0, 0}, &middle, ERROR));
        NEAR(middle.grain_volume, 4 - TS_PI, 1e-12);
        ts_region box = ts_snapshot_region(&g.snapshot);
        double reach = 2 * (fabs(cos(angle)) + fabs(sin(angle)));
        NEAR(box.x0, 5 - reach, 1e-12);
        NEAR(box.y1, 7 + reach, 1e-12);
    }
}

/* An arc beyond its vertices counts for the box around the grains: a half disc, turned. */
static void box_of_a_half_disc(void **unused)
{
    (void)unused;
    static ts_vertex vertex[] = {{-1, 0, 0}, {1, 0, 1}};
    static size_t begin[] = {0, 2};
    static ts_outline outline = {.contour_count = 1, .begin = begin, .vertex = vertex};
    grains_begin(&g);
    g.shape[0] = (ts_snapshot_shape){.disc = &unit_disc, .disc_count = 1, .outline = &outline};
    ts_snapshot_body *body = grains_disc(&g, 0, 0, 1);
    body->volume = TS_PI / 2;
    ts_region box = ts_snapshot_region(&g.snapshot);
    NEAR(box.x0, -1, 1e-15);
    NEAR(box.x1, 1, 1e-15);
    NEAR(box.y0, 0, 1e-15);
    NEAR(box.y1, 1, 1e-15);
    body->angle = TS_PI / 2; /* the bow now points to the left */
    box = ts_snapshot_region(&g.snapshot);
    NEAR(box.x0, -1, 1e-15);
    NEAR(box.x1, 0, 1e-15);
}

/* Slices of any number and direction share out the whole area; walls and absent grains have none. */
static void slices_share_out_the_area(void **unused)
{
    (void)unused;
    grains_begin(&g);
    double area = 0;
    for (int i = 0; i < 200; i++) {
        double u = fmod(0.5 + i * 0.7548776662466927, 1), v = fmod(0.5 + i * 0.5698402909980532, 1);
        ts_snapshot_body *body = grains_disc(&g, 10 * u, 6 * v, 0.1 + 0.4 * u * v);
        body->fixed = i % 7 == 0;
        body->present = i % 11 != 0;
        area += body->fixed || !body->present ? 0 : body->volume;
    }
    for (size_t n = 1; n < 100; n = 2 * n + 1)
        for (int along_x = 0; along_x < 2; along_x++) {
            double fraction[128], sum = 0;
            ts_region box = ts_snapshot_region(&g.snapshot);
            OK(ts_measure_packing_profile(&g.snapshot, &(ts_bins){NULL, n, along_x}, fraction, ERROR));
            for (size_t k = 0; k < n; k++)
                sum += fraction[k] * (box.x1 - box.x0) * (box.y1 - box.y0) / (double)n;
            NEAR(sum, area, 1e-11);
        }
}

/* A square whose sides are bulged by b, cut in half through its centre: each side adds c² (b/3 + b³/15 + …) to the
 * area. However flat, arcs are as exact as lines. */
static void flat_arcs(void **unused)
{
    (void)unused;
    static ts_vertex vertex[4];
    static size_t begin[] = {0, 4};
    static ts_outline outline = {.contour_count = 1, .begin = begin, .vertex = vertex};
    const double s = 0.01;
    grains_begin(&g);
    g.shape[0] = (ts_snapshot_shape){.disc = &unit_disc, .disc_count = 1, .outline = &outline};
    for (double power = 3; power <= 300; power += power < 20 ? 1 : 40)
        for (int sign = -1; sign <= 1; sign += 2) {
            double b = sign * pow(10, -power), area = s * s * (1 + 4 * (b / 3 + b * b * b / 15));
            const double x[4] = {-s / 2, s / 2, s / 2, -s / 2}, y[4] = {-s / 2, -s / 2, s / 2, s / 2};
            for (int k = 0; k < 4; k++)
                vertex[k] = (ts_vertex){x[k], y[k], b};
            g.snapshot.body_count = 0;
            ts_snapshot_body *body = grains_disc(&g, 0.3, -0.2, s);
            *body = (ts_snapshot_body){
                .position = {0.3, -0.2}, .scale = 1, .radius = s * 0.71, .volume = area, .present = true};
            for (body->angle = 0; body->angle < 1.6; body->angle += 0.39) {
                const ts_region box[2] = {{0.3, -1, 1, 1, 0, 0}, {-1, -0.2, 1, 1, 0, 0}};
                for (int k = 0; k < 2; k++) {
                    ts_packing half;
                    OK(ts_measure_packing(&g.snapshot, &box[k], &half, ERROR));
                    NEAR(half.grain_volume, area / 2, 1e-14 * s * s + 1e-16);
                }
                ts_region around = ts_snapshot_region(&g.snapshot);
                double reach = s / 2 * (fabs(cos(body->angle)) + fabs(sin(body->angle)));
                NEAR(around.x1, 0.3 + reach, 1e-16 + fmax(b, 0) * s);
                NEAR(around.y0, -0.2 - reach, 1e-16 + fmax(b, 0) * s);
            }
        }
}

/* ---- Outlines of any kind, beside polygons of many short chords ---- */

enum { CHORDS = 1 << 9, POINTS_MAX = 8 * CHORDS * 2 };
static double polygon[2][POINTS_MAX][2];

/* An arc halves into two whose bulge is that of half the sweep. */
static size_t add_arc(size_t count, const double p[2], const double q[2], double b, int parts)
{
    if (parts == 1) {
        polygon[0][count][0] = p[0];
        polygon[0][count][1] = p[1];
        return count + 1;
    }
    double top[2] = {(p[0] + q[0]) / 2 + b * (q[1] - p[1]) / 2, (p[1] + q[1]) / 2 - b * (q[0] - p[0]) / 2};
    double half = b / (1 + sqrt(1 + b * b));
    count = add_arc(count, p, top, half, parts / 2);
    return add_arc(count, top, q, half, parts / 2);
}

static double polygon_area(int which, size_t count)
{
    double area = 0;
    for (size_t i = 0; i < count; i++) {
        const double *p = polygon[which][i], *q = polygon[which][(i + 1) % count];
        area += 0.5 * (p[0] * q[1] - p[1] * q[0]);
    }
    return area;
}

/* Sutherland and Hodgman: what lies beyond one line of the box. */
static size_t clip_polygon(int from, size_t count, int axis, double at, double side)
{
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        const double *p = polygon[from][i], *q = polygon[from][(i + 1) % count];
        double u = side * (p[axis] - at), v = side * (q[axis] - at);
        double(*to)[2] = polygon[1 - from];
        if (u >= 0) {
            to[made][0] = p[0];
            to[made++][1] = p[1];
        }
        if ((u >= 0) != (v >= 0)) {
            double t = u / (u - v);
            to[made][0] = p[0] + t * (q[0] - p[0]);
            to[made++][1] = p[1] + t * (q[1] - p[1]);
        }
    }
    return made;
}

static double random_number(uint64_t *seed)
{
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return (double)(*seed >> 11) * 0x1p-53;
}

static void random_outlines(void **unused)
{
    (void)unused;
    static ts_vertex vertex[8];
    static size_t begin[2];
    static ts_outline outline = {.contour_count = 1, .begin = begin, .vertex = vertex};
    uint64_t seed = 88172645463325252u;
    grains_begin(&g);
    g.shape[0] = (ts_snapshot_shape){.disc = &unit_disc, .disc_count = 1, .outline = &outline};
    for (int trial = 0; trial < 120; trial++) {
        size_t n = begin[1] = 3 + (size_t)(random_number(&seed) * 5.99), count = 0;
        double angle = 6 * random_number(&seed), c = cos(angle), s = sin(angle), x = 3, y = -4, scale = 0.5;
        for (size_t k = 0; k < n; k++) {
            double turn = 2 * TS_PI * ((double)k + 0.3 * random_number(&seed)) / (double)n,
                   r = 0.4 + random_number(&seed);
            double size = trial % 3 ? pow(10, -16 * random_number(&seed)) : 2 * random_number(&seed);
            vertex[k] = (ts_vertex){r * cos(turn), r * sin(turn), random_number(&seed) < 0.7 ? size : -size};
        }
        for (size_t k = 0; k < n; k++) {
            const ts_vertex *v = &vertex[k], *w = &vertex[(k + 1) % n];
            const double p[2] = {x + scale * (c * v->x - s * v->y), y + scale * (s * v->x + c * v->y)},
                         q[2] = {x + scale * (c * w->x - s * w->y), y + scale * (s * w->x + c * w->y)};
            count = add_arc(count, p, q, v->bulge, CHORDS);
        }
        ts_snapshot_body body = {
            .position = {x, y}, .angle = angle, .scale = scale, .radius = 4, .volume = 100, .present = true};
        g.snapshot.body_count = 0;
        *grains_disc(&g, 0, 0, 1) = body;
        ts_region box = {x - random_number(&seed),
                         y - random_number(&seed),
                         x + random_number(&seed) - 0.1,
                         y + random_number(&seed) - 0.1,
                         0,
                         0};
        if (!(box.x0 < box.x1 && box.y0 < box.y1))
            continue;
        count = clip_polygon(0, count, 0, box.x0, 1);
        count = clip_polygon(1, count, 0, box.x1, -1);
        count = clip_polygon(0, count, 1, box.y0, 1);
        count = clip_polygon(1, count, 1, box.y1, -1);
        ts_packing packing;
        OK(ts_measure_packing(&g.snapshot, &box, &packing, ERROR));
        NEAR(packing.grain_volume, polygon_area(0, count), 2e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangular_lattice),        cmocka_unit_test(segment_of_a_disc),
        cmocka_unit_test(fail_when_empty),           cmocka_unit_test(cluster_in_a_box),
        cmocka_unit_test(outline_with_a_hole),       cmocka_unit_test(box_of_a_half_disc),
        cmocka_unit_test(slices_share_out_the_area), cmocka_unit_test(flat_arcs),
        cmocka_unit_test(random_outlines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
