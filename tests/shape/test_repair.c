/* SPDX-License-Identifier: MIT */
/* Mending outlines against closed-form areas, and against winding numbers counted over finely flattened curves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

#include "base/random.h"
#include "shape/outline.h"
#include "shape/repair.h"

/* ---- A drawing, and the truth about it ---- */

enum { CONTOURS = 512, VERTICES = 4096 };

typedef struct drawing {
    ts_vertex vertex[VERTICES];
    size_t vertex_count;
    ts_contour contour[CONTOURS];
    size_t count;
} drawing;

static void begin(drawing *d, bool open)
{
    assert_true(d->count < CONTOURS);
    d->contour[d->count++] = (ts_contour){&d->vertex[d->vertex_count], 0, open};
}

static void put(drawing *d, double x, double y, double bulge)
{
    assert_true(d->vertex_count < VERTICES);
    d->vertex[d->vertex_count++] = (ts_vertex){x, y, bulge};
    d->contour[d->count - 1].vertex_count++;
}

static void box(drawing *d, double x0, double y0, double x1, double y1, bool clockwise)
{
    begin(d, false);
    put(d, x0, y0, 0);
    put(d, clockwise ? x0 : x1, clockwise ? y1 : y0, 0);
    put(d, x1, y1, 0);
    put(d, clockwise ? x1 : x0, clockwise ? y0 : y1, 0);
}

static void circle(drawing *d, double x, double y, double r, bool clockwise)
{
    begin(d, false);
    put(d, x - r, y, clockwise ? -1 : 1);
    put(d, x + r, y, clockwise ? -1 : 1);
}

typedef struct flat {
    ts_vec2 *p;
    size_t count; /* pairs: begin, end */
} flat;

static flat flatten(const ts_contour *contour, size_t count, size_t parts)
{
    size_t edges = 0;
    for (size_t i = 0; i < count; i++)
        edges += contour[i].vertex_count;
    flat f = {malloc((edges * parts + 1) * 2 * sizeof *f.p), 0};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < contour[i].vertex_count; k++) {
            ts_segment s = ts_contour_segment(&contour[i], k);
            if (contour[i].open && k + 1 == contour[i].vertex_count)
                s.bulge = 0;
            size_t n = s.bulge == 0 || (s.x0 == s.x1 && s.y0 == s.y1) ? 1 : parts;
            ts_vec2 p = {s.x0, s.y0};
            for (size_t j = 1; j <= n; j++) {
                f.p[f.count++] = p;
                p = ts_segment_point(&s, (double)j / (double)n);
                f.p[f.count++] = p;
            }
        }
    return f;
}

/* Winding number of the flattened curves about (x, y), by a ray to the right, and how near the next of them is. */
static int wind(const flat *f, double x, double y, double *nearest)
{
    int w = 0;
    double least = HUGE_VAL;
    for (size_t i = 0; i < f->count; i += 2) {
        ts_vec2 a = f->p[i], b = f->p[i + 1];
        if ((a.y > y) != (b.y > y) && x < a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x))
            w += b.y > a.y ? 1 : -1;
        double dx = b.x - a.x, dy = b.y - a.y, l2 = dx * dx + dy * dy;
        double t = l2 > 0 ? ((x - a.x) * dx + (y - a.y) * dy) / l2 : 0;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        double ex = a.x + t * dx - x, ey = a.y + t * dy - y, e2 = ex * ex + ey * ey;
        least = e2 < least ? e2 : least;
    }
    *nearest = sqrt(least);
    return w;
}

static void get_contours(const ts_repaired *r, ts_contour *out)
{
    for (size_t i = 0; i + 1 < r->begin.count; i++)
        out[i] = (ts_contour){&r->vertex.item[r->begin.item[i]], r->begin.item[i + 1] - r->begin.item[i], false};
}

/* Area to the left of the edges: shoelace and segments. */
static double area_of(const ts_repaired *r)
{
    double area = 0;
    for (size_t i = 0; i + 1 < r->begin.count; i++)
        for (size_t k = r->begin.item[i]; k < r->begin.item[i + 1]; k++) {
            size_t next = k + 1 < r->begin.item[i + 1] ? k + 1 : r->begin.item[i];
            ts_vertex p = r->vertex.item[k], q = r->vertex.item[next], o = r->vertex.item[0];
            area += 0.5 * ((p.x - o.x) * (q.y - o.y) - (q.x - o.x) * (p.y - o.y));
            if (p.bulge != 0) {
                double sweep = 4 * atan(p.bulge), c = hypot(q.x - p.x, q.y - p.y), s = 2 * fabs(sin(sweep / 2));
                area += copysign(0.5 * (c / s) * (c / s) * (fabs(sweep) - sin(fabs(sweep))), p.bulge);
            }
        }
    return area;
}

static ts_repaired repair(const drawing *d, ts_fill_rule rule)
{
    ts_repaired r = {0};
    OK(ts_repair(d->contour, d->count, rule, &r, ERROR));
    return r;
}

static bool has_note(const ts_repaired *r, const char *text)
{
    for (size_t i = 0; i < r->note.count; i++)
        if (strstr(r->note.item[i], text))
            return true;
    for (size_t i = 0; i < r->note.count; i++)
        print_message("note: %s\n", r->note.item[i]);
    return false;
}

/* Mends and expects a number of contours and an area. */
static void expect(const drawing *d, ts_fill_rule rule, size_t contours, double area)
{
    ts_repaired r = repair(d, rule);
    NEAR(area_of(&r), area, 1e-9 * fabs(area));
    assert_int_equal(r.begin.count - 1, contours);
    ts_repaired_free(&r);
}

static void refused(const drawing *d, ts_fill_rule rule, const char *text)
{
    ts_repaired r = {0};
    assert_int_equal(ts_repair(d->contour, d->count, rule, &r, ERROR), TS_BAD_INPUT);
    if (!strstr(ERROR->message, text))
        fail_msg("\"%s\" does not say \"%s\"", ERROR->message, text);
    assert_null(r.vertex.item);
    assert_null(r.note.item);
}

/* ---- Clean ones ---- */

static void assert_same(const ts_repaired *r, const drawing *d)
{
    assert_int_equal(r->begin.count, d->count + 1);
    assert_int_equal(r->vertex.count, d->vertex_count);
    for (size_t i = 0; i < d->vertex_count; i++)
        assert_memory_equal(&r->vertex.item[i], &d->vertex[i], sizeof *d->vertex);
    assert_int_equal(r->note.count, 0);
}

static void clean_is_unchanged(void **state)
{
    (void)state;
    static drawing d;
    d = (drawing){0};
    box(&d, 0.1, 0.2, 10.3, 9.7, false);
    box(&d, 1.1, 1.3, 3.7, 4.9, true);
    circle(&d, 7.3, 6.1, 1.7, true);
    circle(&d, 7.3, 6.1, 0.3, false);
    begin(&d, false); /* a pie of three quarters, drawn as one arc */
    put(&d, 20.1, 0, tan(1.5 * TS_PI / 4));
    put(&d, 19.1, -1, 0);
    put(&d, 19.1, 0, 0);
    for (int rule = 1; rule <= 2; rule++) {
        ts_repaired r = repair(&d, (ts_fill_rule)rule);
        assert_same(&r, &d);
        ts_repaired_free(&r);
    }
    /* a touch is no flaw of either */
    d = (drawing){0};
    box(&d, 0, 0, 1, 1, false);
    circle(&d, 1.5, 0.5, 0.5, false);
    ts_repaired r = repair(&d, TS_RULE_NONZERO);
    assert_int_equal(r.begin.count, 3);
    NEAR(area_of(&r), 1 + TS_PI / 4, 1e-9);
    assert_true(has_note(&r, "contours 1 and 2 touch at (1, 0.5)"));
    ts_repaired_free(&r);
}

static void direction(void **state)
{
    (void)state;
    static drawing d;
    d = (drawing){0};
    box(&d, 0, 0, 4, 4, true);
    ts_repaired r = repair(&d, TS_RULE_NONZERO);
    NEAR(area_of(&r), 16, 0);
    assert_true(has_note(&r, "contour 1 ran clockwise: reversed"));
    assert_true(r.vertex.item[0].x == 0 && r.vertex.item[0].y == 0 && r.vertex.item[1].x == 4);
    ts_repaired_free(&r);

    d = (drawing){0};
    box(&d, 0, 0, 4, 4, false);
    box(&d, 1, 1, 2, 2, false);
    r = repair(&d, TS_RULE_EVEN_ODD);
    NEAR(area_of(&r), 15, 0);
    assert_true(has_note(&r, "contour 2 is a hole but ran counter-clockwise: reversed"));
    ts_repaired_free(&r);
    r = repair(&d, TS_RULE_NONZERO); /* by this rule it is no hole */
    NEAR(area_of(&r), 16, 0);
    assert_int_equal(r.begin.count, 2);
    assert_true(has_note(&r, "contour 2"));
    ts_repaired_free(&r);

    /* five rings, each within the other, all the same way */
    d = (drawing){0};
    double area = 0;
    for (int k = 5; k > 0; k--) {
        circle(&d, 0.1, 0.2, k, k & 1);
        area += (k & 1 ? 1 : -1) * TS_PI * k * k;
    }
    expect(&d, TS_RULE_EVEN_ODD, 5, area);
}

/* ---- What is wrong with numbers, ends and sizes ---- */

static void numbers(void **state)
{
    (void)state;
    static drawing d;
    d = (drawing){0};
    refused(&d, TS_RULE_NONZERO, "empty");
    box(&d, 0, 0, 1, 1, false);
    box(&d, 2, 0, 3, 1, false);
    d.vertex[6].y = nan("");
    refused(&d, TS_RULE_NONZERO, "contour 2, vertex 3");
    d.vertex[6].y = 1;
    d.vertex[5].bulge = -HUGE_VAL;
    refused(&d, TS_RULE_NONZERO, "contour 2, vertex 2");
    d = (drawing){0};
    begin(&d, false);
    put(&d, 3, 4, 0);
    put(&d, 3, 4, 0);
    refused(&d, TS_RULE_NONZERO, "no area: contour 1 near (3, 4)");
    d = (drawing){0};
    begin(&d, true);
    put(&d, 0, 0, 0);
    put(&d, 3, 4, 0);
    refused(&d, TS_RULE_NONZERO, "no area: contour 1 near (0, 0)");
    d = (drawing){0};
    begin(&d, false); /* there and back over three points */
    put(&d, 0, 0, 0);
    put(&d, 1, 0, 0);
    put(&d, 2, 0, 0);
    refused(&d, TS_RULE_NONZERO, "no area");
    d = (drawing){0};
    box(&d, 0, 0, 1, 1, false);
    d.vertex[2].x = 1e200;
    refused(&d, TS_RULE_NONZERO, "scale the drawing");
    d = (drawing){0};
    box(&d, 1e15, 0, 1e15 + 1, 1, false);
    refused(&d, TS_RULE_NONZERO, "nearer to the origin");

    size_t many = TS_OUTLINE_EDGES_MAX + 1;
    ts_vertex *v = calloc(many, sizeof *v);
    ts_contour c = {v, many, false};
    ts_repaired r = {0};
    assert_int_equal(ts_repair(&c, 1, TS_RULE_NONZERO, &r, ERROR), TS_BAD_INPUT);
    assert_non_null(strstr(ERROR->message, "100001 edges"));
    free(v);
}

static void ends_and_specks(void **state)
{
    (void)state;
    static drawing d;
    d = (drawing){0};
    begin(&d, true); /* open by 0.3 */
    put(&d, 0, 0.3, 0);
    put(&d, 0, 1, 0);
    put(&d, 1, 1, 0);
    put(&d, 1, 0, 0);
    put(&d, 0, 0, 7); /* the bulge of an end means nothing */
    ts_repaired r = repair(&d, TS_RULE_NONZERO);
    NEAR(area_of(&r), 1, 1e-15);
    assert_true(has_note(&r, "contour 1 was open by 0.3 at (0, 0): closed"));
    ts_repaired_free(&r);
    d.vertex[0].y = 1e-8;
    r = repair(&d, TS_RULE_NONZERO);
    assert_int_equal(r.vertex.count, 4);
    assert_true(has_note(&r, "snapped"));
    ts_repaired_free(&r);
    d.vertex[0].y = 0; /* ends where it began: nothing to say but that it ran clockwise */
    r = repair(&d, TS_RULE_NONZERO);
    assert_int_equal(r.vertex.count, 4);
    assert_int_equal(r.note.count, 1);
    ts_repaired_free(&r);

    /* an open half circle is a half disc; a closing line that crosses makes two pieces */
    d = (drawing){0};
    begin(&d, true);
    put(&d, 1, 0, 1);
    put(&d, -1, 0, 0);
    expect(&d, TS_RULE_NONZERO, 1, TS_PI / 2);
    d = (drawing){0};
    begin(&d, true);
    put(&d, 2, 2, 0);
    put(&d, 2, 0, 0);
    put(&d, 0, 2, 0);
    put(&d, 0, 0, 0);
    r = repair(&d, TS_RULE_NONZERO);
    assert_true(has_note(&r, "with the line that closes it"));
    ts_repaired_free(&r);

    /* doubled points, tiny edges, a speck, a spike */
    d = (drawing){0};
    begin(&d, false);
    put(&d, 0, 0, 0);
    put(&d, 0, 0, 0);
    put(&d, 2, 0, 0);
    put(&d, 2 + 1e-10, 0, 0);
    put(&d, 2, 1e-10, 0);
    put(&d, 2, 1, 0);
    put(&d, 1, 1, 0);
    put(&d, 1, 2, 0); /* spike */
    put(&d, 1, 1, 0);
    put(&d, 0, 1, 0);
    box(&d, 1, 0.5, 1 + 1e-7, 0.5 + 1e-7, true);
    r = repair(&d, TS_RULE_NONZERO);
    NEAR(area_of(&r), 2, 1e-9);
    assert_int_equal(r.begin.count, 2);
    assert_true(has_note(&r, "contour 1: 2 edges shorter than"));
    assert_true(has_note(&r, "contour 2 near (1, 0.5) is a speck"));
    assert_true(has_note(&r, "contour 1 runs back over itself at (1, 1): spike removed"));
    ts_repaired_free(&r);
}

/* ---- Crossings with closed forms ---- */

static void figure_eight(void **state)
{
    (void)state;
    static drawing d;
    d = (drawing){0};
    begin(&d, false); /* crosses at (3, 4) */
    put(&d, 1, 2, 0);
    put(&d, 5, 6, 0);
    put(&d, 5, 2, 0);
    put(&d, 1, 6, 0);
    ts_repaired r = repair(&d, TS_RULE_NONZERO);
    assert_true(has_note(&r, "contour 1 crosses itself at (3, 4): split by the nonzero rule into 2 contours"));
    NEAR(area_of(&r), 8, 1e-14);
    assert_int_equal(r.begin.count, 3);
    ts_repaired_free(&r);
    expect(&d, TS_RULE_EVEN_ODD, 2, 8);
    /* a pentagram: five tips and, by nonzero, the pentagon in the middle */
    d = (drawing){0};
    begin(&d, false);
    for (int k = 0; k < 5; k++)
        put(&d, cos(0.3 + 4 * TS_PI * k / 5), sin(0.3 + 4 * TS_PI * k / 5), 0);
    double inner = cos(2 * TS_PI / 5) / cos(TS_PI / 5), pentagon = 2.5 * inner * inner * sin(2 * TS_PI / 5);
    double star = 5 * inner * sin(TS_PI / 5);
    expect(&d, TS_RULE_NONZERO, 1, star);
    expect(&d, TS_RULE_EVEN_ODD, 5, star - pentagon);
}

static void boxes(void **state)
{
    (void)state;
    static drawing d;
    d = (drawing){0}; /* # */
    box(&d, 1, 0, 2, 7, false);
    box(&d, 5, 0, 6, 7, false);
    box(&d, 0, 1, 7, 2, false);
    box(&d, 0, 5, 7, 6, true);
    expect(&d, TS_RULE_EVEN_ODD, 12, 28 - 8); /* each bar in three, touching at corners */
    d = (drawing){0};
    box(&d, 1, 0, 2, 7, false);
    box(&d, 5, 0, 6, 7, false);
    box(&d, 0, 1, 7, 2, false);
    box(&d, 0, 5, 7, 6, false);
    expect(&d, TS_RULE_NONZERO, 2, 28 - 4);
    /* side by side: one box of four corners */
    d = (drawing){0};
    box(&d, 0, 0, 1, 1, false);
    box(&d, 1, 0, 3, 1, false);
    for (int rule = 1; rule <= 2; rule++) {
        ts_repaired r = repair(&d, (ts_fill_rule)rule);
        NEAR(area_of(&r), 3, 1e-15);
        assert_int_equal(r.vertex.count, 4);
        ts_repaired_free(&r);
    }
    /* a notch flush with an edge */
    d = (drawing){0};
    box(&d, 0, 0, 4, 4, false);
    box(&d, 1, 0, 2, 3, false);
    expect(&d, TS_RULE_EVEN_ODD, 1, 13);
    expect(&d, TS_RULE_NONZERO, 1, 16);
    /* corners that touch */
    d = (drawing){0};
    box(&d, 0, 0, 1, 1, false);
    box(&d, 1, 1, 2, 2, true);
    expect(&d, TS_RULE_NONZERO, 2, 2);
    /* the same twice */
    d = (drawing){0};
    box(&d, 0, 0, 1, 2, false);
    box(&d, 0, 0, 1, 2, false);
    expect(&d, TS_RULE_NONZERO, 1, 2);
    refused(&d, TS_RULE_EVEN_ODD, "no area");
    /* a hole that touches the outer contour at a corner: still two contours */
    d = (drawing){0};
    box(&d, 0, 0, 4, 4, false);
    begin(&d, false);
    put(&d, 0, 0, 0);
    put(&d, 1, 2, 0);
    put(&d, 2, 1, 0);
    expect(&d, TS_RULE_NONZERO, 2, 16 - 1.5);
}

static double lens(double r, double s, double d)
{
    double a = acos((d * d + r * r - s * s) / (2 * d * r)), b = acos((d * d + s * s - r * r) / (2 * d * s));
    return r * r * (a - sin(2 * a) / 2) + s * s * (b - sin(2 * b) / 2);
}

static void circles(void **state)
{
    (void)state;
    static drawing d;
    const double scale[] = {1, 1e-6, 1e6}, shift[] = {0, 3000};
    for (size_t i = 0; i < 6; i++) {
        double k = scale[i % 3], s = shift[i / 3];
        for (double gap = 0.07; gap < 1.5; gap += 0.13) {
            d = (drawing){0};
            circle(&d, k * s, k * 0.3, k, false);
            circle(&d, k * (s + gap), k * 0.3, k * 0.75, false);
            double one = TS_PI * k * k, two = TS_PI * k * k * 0.5625,
                   both = gap <= 0.25 ? two : k * k * lens(1, 0.75, gap);
            ts_repaired r = repair(&d, TS_RULE_NONZERO);
            NEAR(area_of(&r) / (one + two - both), 1, 1e-9);
            ts_repaired_free(&r);
            r = repair(&d, TS_RULE_EVEN_ODD);
            NEAR(area_of(&r) / (one + two - 2 * both), 1, 1e-9);
            assert_true(gap <= 0.25 ? r.note.count == 1 : has_note(&r, "contours 1 and 2 overlap"));
            ts_repaired_free(&r);
        }
        /* touching from outside, touching from inside, the same twice, turned */
        d = (drawing){0};
        circle(&d, k * s, 0, k, false);
        circle(&d, k * (s + 1.5), 0, k * 0.5, false);
        expect(&d, TS_RULE_NONZERO, 2, 1.25 * TS_PI * k * k);
        d = (drawing){0};
        circle(&d, k * s, 0, k, false);
        circle(&d, k * (s + 0.5), 0, k * 0.5, true);
        expect(&d, TS_RULE_NONZERO, 2, 0.75 * TS_PI * k * k);
        d = (drawing){0};
        circle(&d, k * s, 0, k, false);
        begin(&d, false);
        put(&d, k * s, k, 1);
        put(&d, k * s, -k, 1);
        expect(&d, TS_RULE_NONZERO, 1, TS_PI * k * k);
    }
    /* through a box's corner, centred on it: a quarter is shared */
    d = (drawing){0};
    box(&d, 0, 0, 4, 4, false);
    circle(&d, 4, 4, 1, false);
    expect(&d, TS_RULE_NONZERO, 1, 16 + 0.75 * TS_PI);
    d = (drawing){0};
    box(&d, 0, 0, 4, 4, false);
    circle(&d, 5, 4, 1, false); /* the corner lies on the circle: a half disc is added above y = 4 and below, outside */
    expect(&d, TS_RULE_NONZERO, 2, 16 + TS_PI);
    /* nearly a full circle in one arc, and a circle of 20° arcs over a circle of two */
    d = (drawing){0};
    begin(&d, true);
    put(&d, 1, 0, tan((TS_PI - 1e-5) / 2));
    put(&d, cos(-2e-5), sin(-2e-5), 0);
    expect(&d, TS_RULE_NONZERO, 1, TS_PI);
    d = (drawing){0};
    circle(&d, 0, 0, 1, false);
    begin(&d, false);
    for (int k = 0; k < 18; k++)
        put(&d, cos(TS_PI * (k + 0.3) / 9), sin(TS_PI * (k + 0.3) / 9), tan(TS_PI / 36));
    expect(&d, TS_RULE_NONZERO, 1, TS_PI);
    refused(&d, TS_RULE_EVEN_ODD, "no area");
}

/* A circle of two half arcs, the first of which begins at this angle. */
static void turned_circle(drawing *d, double x, double y, double r, double angle)
{
    begin(d, false);
    put(d, x + r * cos(angle), y + r * sin(angle), 1);
    put(d, x - r * cos(angle), y - r * sin(angle), 1);
}

/* A ray from the middle of a half circle, along an axis, ends in the arc's own end when its chord lies at 45°: to the
 * last bit or nearly. Clean drawings come out as they were. */
static void half_circles_across(void **state)
{
    (void)state;
    static drawing d;
    for (int i = 0; i < 400; i++) {
        ts_random g = ts_random_make(4, (uint64_t)i);
        d = (drawing){0};
        for (int k = 0; k < 6; k++) {
            double x = ts_random_next_range(&g, 0, 3) + 10 * k, y = ts_random_next_range(&g, 0, 30) + 40 * (k & 1);
            double nudge = i % 4 == 0 ? 0 : ts_random_next_range(&g, -1, 1) * pow(10, -(double)(8 + i % 9));
            turned_circle(&d, x, y, ts_random_next_range(&g, 1, 4), (1 + 2 * (double)(k % 4)) * TS_PI / 4 + nudge);
        }
        double x = ts_random_next_range(&g, -20, -15), y = ts_random_next_range(&g, 0, 9); /* a stadium with a hole */
        double l = ts_random_next_range(&g, 1, 4), r = ts_random_next_range(&g, 1, 3), q = sqrt(0.5);
        begin(&d, false);
        put(&d, x + q * (l + r), y + q * (l - r), 1);
        put(&d, x + q * (l - r), y + q * (l + r), 0);
        put(&d, x - q * (l + r), y - q * (l - r), 1);
        put(&d, x - q * (l - r), y - q * (l + r), 0);
        begin(&d, false);
        put(&d, x + 0.5 * r * q, y + 0.5 * r * q, -1);
        put(&d, x - 0.5 * r * q, y - 0.5 * r * q, -1);
        for (int rule = 1; rule <= 2; rule++) {
            ts_repaired m = repair(&d, (ts_fill_rule)rule);
            assert_same(&m, &d);
            ts_repaired_free(&m);
        }
    }
}

/* ---- Random ones ---- */

static double grid(ts_random *g, uint64_t n)
{
    return (double)ts_random_next_below(g, n);
}

/* A contour of one of many kinds. */
static void draw_random(drawing *d, ts_random *g, uint64_t kind)
{
    static const double round[] = {0, 1, -1, 0.41421356237309503, -0.41421356237309503, 0, 0};
    double x = ts_random_next_range(g, -1, 1), y = ts_random_next_range(g, -1, 1);
    size_t n = 3 + ts_random_next_below(g, 12);
    switch (kind) {
    case 0: /* random corners */
    case 1: /* and arcs */
        begin(d, ts_random_next_below(g, 4) == 0);
        for (size_t k = 0; k < n; k++)
            put(d, ts_random_next_range(g, -1, 1), ts_random_next_range(g, -1, 1),
                kind == 0 ? 0 : ts_random_next_range(g, -1.5, 1.5));
        break;
    case 2:
        circle(d, x, y, ts_random_next_range(g, 0.1, 1), ts_random_next_below(g, 2));
        break;
    case 3: /* on a grid: shared edges, touching corners */
        x = grid(g, 5);
        y = grid(g, 5);
        box(d, x / 4, y / 4, (x + 1 + grid(g, 3)) / 4, (y + 1 + grid(g, 3)) / 4, ts_random_next_below(g, 2));
        break;
    case 4: /* tangent, concentric and equal circles */
        circle(d, grid(g, 5) / 4, grid(g, 5) / 4, (1 + grid(g, 3)) / 4, ts_random_next_below(g, 2));
        break;
    case 5: /* corners of a small grid: doubled points, spikes, edges along edges */
    case 6: /* with half and quarter circles */
        begin(d, ts_random_next_below(g, 4) == 0);
        for (size_t k = 0; k < n; k++) {
            double px = grid(g, 4) / 3, py = grid(g, 4) / 3;
            put(d, px, py, kind == 5 ? 0 : round[ts_random_next_below(g, 7)]);
        }
        break;
    default: /* a star polygon */
        begin(d, false);
        for (size_t k = 0; k < 2 * n + 1; k++) {
            double a = 2 * TS_PI * (double)(k * n) / (double)(2 * n + 1);
            put(d, 0.3 * x + cos(a), 0.3 * y + sin(a), 0);
        }
    }
}

static void random_drawing(drawing *d, ts_random *g)
{
    *d = (drawing){0};
    size_t n = 1 + ts_random_next_below(g, 5);
    uint64_t one = ts_random_next_below(g, 9);
    for (size_t i = 0; i < n; i++)
        draw_random(d, g, one < 8 ? one : ts_random_next_below(g, 8));
    /* at times turned, scaled and far away */
    if (ts_random_next_below(g, 3) == 0) {
        double a = ts_random_next_range(g, 0, 7), c = cos(a), s = sin(a), k = pow(10, ts_random_next_range(g, -6, 6));
        double fx = ts_random_next_range(g, -1000, 1000), fy = ts_random_next_range(g, -1000, 1000);
        for (size_t i = 0; i < d->vertex_count; i++) {
            ts_vertex v = d->vertex[i];
            d->vertex[i] = (ts_vertex){k * (c * v.x - s * v.y + fx), k * (s * v.x + c * v.y + fy), v.bulge};
        }
    }
}

static void get_box(const flat *f, double b[4])
{
    b[0] = b[1] = HUGE_VAL;
    b[2] = b[3] = -HUGE_VAL;
    for (size_t i = 0; i < f->count; i++) {
        b[0] = fmin(b[0], f->p[i].x);
        b[1] = fmin(b[1], f->p[i].y);
        b[2] = fmax(b[2], f->p[i].x);
        b[3] = fmax(b[3], f->p[i].y);
    }
}

/* The mended outline winds once around points that the rule calls inside and not at all around others. */
static void check_points(const drawing *d, ts_fill_rule rule, const ts_repaired *r, ts_random *g, int trial)
{
    ts_contour *contour = calloc(r->begin.count, sizeof *contour);
    get_contours(r, contour);
    flat before = flatten(d->contour, d->count, 48), after = flatten(contour, r->begin.count - 1, 48);
    double b[4], near_before, near_after;
    get_box(&before, b);
    double extent = fmax(b[2] - b[0], b[3] - b[1]);
    for (int k = 0; k < 40; k++) {
        double x = ts_random_next_range(g, b[0], b[2]), y = ts_random_next_range(g, b[1], b[3]);
        int w = wind(&before, x, y, &near_before), v = wind(&after, x, y, &near_after);
        if (fmin(near_before, near_after) < 1e-3 * extent)
            continue;
        int inside = rule == TS_RULE_EVEN_ODD ? w & 1 : w != 0;
        if (v != inside)
            fail_msg("trial %d, rule %d: (%.17g, %.17g) has winding %d, mended %d", trial, (int)rule, x, y, w, v);
    }
    free(before.p);
    free(after.p);
    free(contour);
}

/* Boxes and circles, each within the last: every second one is a hole. As many as need more than a handful of rays. */
static void nested(void **state)
{
    (void)state;
    enum { COUNT = 400 };
    static drawing d;
    for (int kind = 0; kind < 3; kind++) {
        d = (drawing){0};
        double area = 0;
        for (int k = COUNT; k > 0; k--) {
            bool round = kind == 1 || (kind == 2 && k % 4 < 2);
            double r = round && kind == 2 ? k + 0.3 : k, x = 0.01 * k, y = -0.02 * k;
            if (round)
                turned_circle(&d, x, y, r, 0.7 * k);
            else
                box(&d, x - r, y - r, x + r, y + r, kind == 0 && (k & 1));
            area += (k & 1 ? -1 : 1) * r * r * (round ? TS_PI : 4);
        }
        if (kind < 2) {
            expect(&d, TS_RULE_EVEN_ODD, COUNT, area);
            continue;
        }
        ts_repaired r = repair(&d, TS_RULE_EVEN_ODD); /* circles cross the boxes around them */
        ts_random g = ts_random_make(5, 0);
        check_points(&d, TS_RULE_EVEN_ODD, &r, &g, kind);
        ts_repaired_free(&r);
    }
}

static void random_ones(void **state)
{
    (void)state;
    static drawing d;
    const char *text = getenv("REPAIR_TRIALS");
    int trials = text ? atoi(text) : 300, refusals = 0, empty = 0;
    for (int i = 0; i < trials; i++) {
        ts_random g = ts_random_make(1, (uint64_t)i);
        random_drawing(&d, &g);
        for (int rule = 1; rule <= 2; rule++) {
            ts_repaired r = {0};
            ts_status status = ts_repair(d.contour, d.count, (ts_fill_rule)rule, &r, ERROR);
            if (status != TS_OK) {
                assert_int_equal(status, TS_BAD_INPUT);
                assert_true(ERROR->message[0] != 0);
                if (strstr(ERROR->message, "no area")) {
                    empty++;
                } else {
                    refusals++;
                    print_message("trial %d, rule %d: %s\n", i, rule, ERROR->message);
                }
                continue;
            }
            check_points(&d, (ts_fill_rule)rule, &r, &g, i);
            ts_repaired_free(&r);
        }
    }
    print_message("%d of %d refused, %d more without area\n", refusals, 2 * trials, empty);
    assert_true(refusals * 100 <= 2 * trials);
}

/* Hundreds of contours at once, many of them touching: large drawings take another way through the work. */
static void many_at_once(void **state)
{
    (void)state;
    static drawing d;
    for (int i = 0; i < 4; i++) {
        ts_random g = ts_random_make(3, (uint64_t)i);
        d = (drawing){0};
        double n = i < 2 ? 24 : 4000;
        for (int k = 0; k < 320; k++) {
            double x = grid(&g, (uint64_t)n) / n, y = grid(&g, (uint64_t)n) / n, r = (1 + grid(&g, 2)) / 24;
            if (k % 3 == 0)
                box(&d, x, y, x + r, y + r, ts_random_next_below(&g, 3) == 0);
            else
                circle(&d, x, y, r, ts_random_next_below(&g, 3) == 0);
        }
        for (int rule = 1; rule <= 2; rule++) {
            ts_repaired r = repair(&d, (ts_fill_rule)rule);
            check_points(&d, (ts_fill_rule)rule, &r, &g, i);
            ts_repaired_free(&r);
        }
    }
}

/* The result of a result is itself: no crossing was left, and the bits stay. */
static void mending_twice(void **state)
{
    (void)state;
    static drawing d;
    for (int i = 0; i < 150; i++) {
        ts_random g = ts_random_make(2, (uint64_t)i);
        random_drawing(&d, &g);
        ts_repaired r = {0}, again = {0};
        if (ts_repair(d.contour, d.count, TS_RULE_NONZERO, &r, ERROR) != TS_OK)
            continue;
        ts_contour *contour = calloc(r.begin.count, sizeof *contour);
        get_contours(&r, contour);
        OK(ts_repair(contour, r.begin.count - 1, TS_RULE_EVEN_ODD, &again, ERROR));
        NEAR(area_of(&again) / area_of(&r), 1, 1e-8);
        free(contour);
        ts_repaired_free(&r);
        ts_repaired_free(&again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clean_is_unchanged),
        cmocka_unit_test(direction),
        cmocka_unit_test(numbers),
        cmocka_unit_test(ends_and_specks),
        cmocka_unit_test(figure_eight),
        cmocka_unit_test(boxes),
        cmocka_unit_test(circles),
        cmocka_unit_test(half_circles_across),
        cmocka_unit_test(nested),
        cmocka_unit_test(random_ones),
        cmocka_unit_test(many_at_once),
        cmocka_unit_test(mending_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
