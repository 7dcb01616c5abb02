/* SPDX-License-Identifier: MIT */
/* Outlines of every origin against what is known about them: closed forms where there are some, ten million thrown
 * points where there are none; distances against a look at every edge; symmetry groups against those that everyone
 * sees. */
#include <stdio.h>
#include <string.h>

#include "base/release.h"
#include "base/vec.h"
#include "shape/font.h"
#include "study/outline_truth.h"
#include "study/studies.h"
#include "study/study_font.h"

/* Ten million points, one in each cell of a grid. A crossing of a row with the boundary is right within a cell, 0.4 of
 * one as standard deviation: 4e4 of them leave 8e-6 of the box, and an outline fills a fifth of its box or more: 4e-5.
 * An edge that happens to lie along the rows may add 5e-5. Thrown without a grid, ten million points would leave
 * 6e-4. */
#define THROWN_ROWS      10000
#define THROWN_COLUMNS   1000
#define THROWN_TOLERANCE 3e-4
#define EXACT_TOLERANCE  1e-12
/* Where curves were replaced by arcs: how near those were asked to stay, as a share of the extent. */
#define CURVE_TOLERANCE 1e-7
#define DISTANCE_POINTS 100000

typedef struct exhibit {
    const char *name;
    ts_status (*make)(ts_outline **outline, ts_error *error);
    bool known;            /* `truth` holds a closed form, within `tolerance`; else points are thrown */
    ts_outline_mass truth; /* the radius is not looked at */
    double tolerance;
} exhibit;

/* ---- Makers ---- */

static ts_status from_points(const ts_vertex *vertex, size_t count, ts_outline **outline, ts_error *error)
{
    ts_contour contour = {vertex, count, false};
    return ts_outline_create(&contour, 1, TS_RULE_NONZERO, outline, error);
}

static ts_status from_svg(const char *text, double tolerance, ts_outline **outline, ts_error *error)
{
    ts_outline_options options = {.tolerance = tolerance};
    return ts_outline_parse_svg(text, strlen(text), "drawing.svg", &options, outline, NULL, error);
}

static ts_status from_font(uint32_t character, ts_outline **outline, ts_error *error)
{
    ts_font_bytes font = {ts_study_font, ts_study_font_size, "DejaVu Sans Bold"};
    return ts_outline_parse_glyph(&font, character, NULL, outline, NULL, error);
}

static ts_status make_disc(ts_outline **o, ts_error *e)
{
    return ts_outline_disc(1.5, o, e);
}
static ts_status make_annulus(ts_outline **o, ts_error *e)
{
    return ts_outline_ring(2, 1.25, o, e);
}
static ts_status make_box(ts_outline **o, ts_error *e)
{
    return ts_outline_box(3, 0.5, 0, o, e);
}
static ts_status make_rounded(ts_outline **o, ts_error *e)
{
    return ts_outline_box(3, 2, 0.5, o, e);
}
static ts_status make_octagon(ts_outline **o, ts_error *e)
{
    return ts_outline_regular(8, 1, o, e);
}
static ts_status make_heptagon(ts_outline **o, ts_error *e)
{
    return ts_outline_regular(7, 0.001, o, e);
}
static ts_status make_arc(ts_outline **o, ts_error *e)
{
    return ts_outline_arc(2, 0.5, 1.5 * TS_PI, false, o, e);
}
static ts_status make_round_arc(ts_outline **o, ts_error *e)
{
    return ts_outline_arc(2, 0.5, TS_PI / 2, true, o, e);
}
static ts_status make_half_disc(ts_outline **o, ts_error *e)
{
    const ts_vertex v[] = {{1, 0, 1}, {-1, 0, 0}};
    return from_points(v, 2, o, e);
}
/* A circular segment of 0.02 rad: nearly a straight line on top of another. */
static ts_status make_sliver(ts_outline **o, ts_error *e)
{
    const double a = 0.01;
    const ts_vertex v[] = {{cos(a), -sin(a), tan(a / 2)}, {cos(a), sin(a), 0}};
    return from_points(v, 2, o, e);
}
static ts_status make_z(ts_outline **o, ts_error *e)
{
    const ts_vertex v[] = {{-2, 1, 0}, {-2, 2, 0}, {0.5, 2, 0},   {0.5, -1, 0},
                           {2, -1, 0}, {2, -2, 0}, {-0.5, -2, 0}, {-0.5, 1, 0}};
    return from_points(v, 8, o, e);
}
/* A star of ten corners with five round holes and one in the middle. */
static ts_status make_star(ts_outline **o, ts_error *e)
{
    ts_vertex star[10], hole[6][2];
    ts_contour contour[7] = {{star, 10, false}};
    for (int i = 0; i < 10; i++) {
        double r = i % 2 ? 1.2 : 3, a = i * TS_PI / 5;
        star[i] = (ts_vertex){r * cos(a), r * sin(a), 0};
    }
    for (int i = 0; i < 6; i++) { /* counter-clockwise as well: which is a hole the rule decides */
        double a = 2 * i * TS_PI / 5, x = i < 5 ? 1.5 * cos(a) : 0, y = i < 5 ? 1.5 * sin(a) : 0, r = i < 5 ? 0.3 : 0.5;
        hole[i][0] = (ts_vertex){x + r, y, 1};
        hole[i][1] = (ts_vertex){x - r, y, 1};
        contour[1 + i] = (ts_contour){hole[i], 2, false};
    }
    return ts_outline_create(contour, 7, TS_RULE_EVEN_ODD, o, e);
}
/* Five lines that cross each other: by the even-odd rule five triangles that touch at their corners. */
static ts_status make_pentagram(ts_outline **o, ts_error *e)
{
    ts_vertex v[5];
    for (int i = 0; i < 5; i++)
        v[i] = (ts_vertex){cos(i * 0.8 * TS_PI), sin(i * 0.8 * TS_PI), 0};
    ts_contour contour = {v, 5, false};
    return ts_outline_create(&contour, 1, TS_RULE_EVEN_ODD, o, e);
}
/* Bars 6 × 1 at ±1.25, as four overlapping rectangles. */
static ts_status make_hash(ts_outline **o, ts_error *e)
{
    return from_svg("<svg xmlns='http://www.w3.org/2000/svg'><rect x='-1.75' y='-3' width='1' height='6'/>"
                    "<rect x='.75' y='-3' width='1' height='6'/><rect x='-3' y='-1.75' width='6' height='1'/>"
                    "<rect x='-3' y='.75' width='6' height='1'/></svg>",
                    0, o, e);
}
static ts_status make_rotor(ts_outline **o, ts_error *e)
{
    return from_svg("<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'>"
                    "<defs><path id='blade' d='M0-.5 H4 A 1 1 0 0 1 4 1.5 L0 .5 Z'/></defs><circle r='1.2'/>"
                    "<use xlink:href='#blade'/><use xlink:href='#blade' transform='rotate(120)'/>"
                    "<use xlink:href='#blade' transform='rotate(240)'/></svg>",
                    0, o, e);
}
/* An ellipse with half-axes 3 · 2 · 0.5 = 3 and 1 · 2 · 0.5 = 1, whatever the turns and shifts. */
static ts_status make_ellipse(ts_outline **o, ts_error *e)
{
    return from_svg("<svg xmlns='http://www.w3.org/2000/svg'><g transform='translate(5 -3) rotate(30)'>"
                    "<g transform='scale(2)'><g transform='matrix(0 .5 -.5 0 1 1)'>"
                    "<ellipse cx='4' cy='1' rx='3' ry='1' transform='rotate(15 2 2)'/></g></g></g></svg>",
                    CURVE_TOLERANCE, o, e);
}
/* Curves of every kind, a hole by direction, a mirrored copy, nested transforms. */
static ts_status make_drawing(ts_outline **o, ts_error *e)
{
    return from_svg("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'>"
                    "<g transform='translate(10,20) rotate(-20) scale(1.5,1)'><g transform='skewX(15)'>"
                    "<path d='M10 10 C 20 0 40 0 50 10 S 70 40 50 50 Q 30 60 20 50 T 5 30 a10 5 20 0 1 5-20z "
                    "M25 20 v15 h15 v-15 z'/></g>"
                    "<path transform='scale(-1 1) translate(-80 30)' d='m0 0 l10 20 20-5-5-20z'/></g></svg>",
                    0, o, e);
}
static ts_status make_big_g(ts_outline **o, ts_error *e)
{
    return from_font('G', o, e);
}
static ts_status make_small_i(ts_outline **o, ts_error *e)
{
    return from_font('i', o, e);
}
static ts_status make_percent(ts_outline **o, ts_error *e)
{
    return from_font('%', o, e);
}
static ts_status make_ampersand(ts_outline **o, ts_error *e)
{
    return from_font('&', o, e);
}

/* ---- Closed forms ---- */

static ts_outline_mass mass_of(double area, double x, double y, double inertia)
{
    return (ts_outline_mass){.area = area, .centre = {x, y}, .inertia = inertia};
}

static ts_outline_mass box_mass(double w, double h)
{
    return mass_of(w * h, 0, 0, w * h * (w * w + h * h) / 12);
}

/* A box, and on each corner a square less than a quarter of a disc: three boxes and four quarters. A quarter of radius
 * c about (a, b) has area π c²/4, first moments c³/3, polar moment about (a, b) π c⁴/8. */
static ts_outline_mass rounded_mass(double w, double h, double c)
{
    double a = w / 2 - c, b = h / 2 - c, quarter = TS_PI * c * c / 4;
    double inner = box_mass(w, 2 * b).inertia,
           strip = 2 * a * c * ((4 * a * a + c * c) / 12 + (b + c / 2) * (b + c / 2));
    double corner = TS_PI * c * c * c * c / 8 + quarter * (a * a + b * b) + 2 * (a + b) * c * c * c / 3;
    return mass_of(2 * w * b + 4 * a * c + 4 * quarter, 0, 0, inner + 2 * strip + 4 * corner);
}

static ts_outline_mass regular_mass(int n, double r)
{
    double turn = 2 * TS_PI / n, r2 = r * r;
    return mass_of(0.5 * n * r2 * sin(turn), 0, 0, n * r2 * r2 / 12 * sin(turn) * (2 + cos(turn)));
}

/* A ring sector, with half discs of radius t/2 at its ends or without. */
static ts_outline_mass arc_mass(double r, double t, double angle, bool round_ends)
{
    double p = r - t / 2, q = r + t / 2, c = t / 2, half = angle / 2;
    double area = half * (q * q - p * p), x = 2 * sin(half) * (q * q * q - p * p * p) / 3;
    double polar = angle / 4 * (q * q * q * q - p * p * p * p);
    if (round_ends) {
        double cap = TS_PI * c * c / 2;
        area += 2 * cap;
        x += 2 * (cap * r * cos(half) - 2 * c * c * c / 3 * sin(half));
        polar += 2 * (TS_PI * c * c * c * c / 4 + cap * r * r);
    }
    x /= area;
    return mass_of(area, x, 0, polar - area * x * x);
}

/* The part of a disc of radius 1 beyond a chord that is seen under `angle`: a sector less a triangle, in long double
 * because they are nearly equal. */
static ts_outline_mass segment_mass(double angle)
{
    long double h = (long double)angle / 2, s = sinl(h), c = cosl(h);
    long double area = h - s * c, x = 2 * s * s * s / 3 / area;
    long double polar = h / 2 - c * s * s * s / 6 - s * c * c * c / 2;
    return mass_of((double)area, (double)x, 0, (double)(polar - area * x * x));
}

/* A post 1 × 4 and two arms 1.5 × 1. */
static ts_outline_mass z_mass(void)
{
    ts_outline_mass post = box_mass(1, 4), arm = box_mass(1.5, 1);
    double away2 = 1.25 * 1.25 + 1.5 * 1.5;
    return mass_of(post.area + 2 * arm.area, 0, 0, post.inertia + 2 * (arm.inertia + arm.area * away2));
}

static ts_outline_mass hash_mass(double length, double width, double at)
{
    double bar = box_mass(length, width).inertia + length * width * at * at;
    double crossing = width * width * (width * width / 6 + 2 * at * at);
    return mass_of(4 * length * width - 4 * width * width, 0, 0, 4 * bar - 4 * crossing);
}

/* Five tips of a pentagram of radius 1: the pentagram's ten triangles less the pentagon's five. */
static ts_outline_mass pentagram_mass(void)
{
    double inner = cos(0.4 * TS_PI) / cos(0.2 * TS_PI); /* radius of the inner pentagon's corners */
    /* a triangle from the centre to corners at radii 1 and `inner`, 36° apart, ten times; its polar moment about the
     * centre is sin(36°)/12 · (1 · inner) · (1 + inner cos 36° + inner²) */
    double turn = 0.2 * TS_PI, area = 5 * inner * sin(turn);
    double polar = 10 * inner * sin(turn) / 12 * (1 + inner * cos(turn) + inner * inner);
    ts_outline_mass hole = regular_mass(5, inner);
    return mass_of(area - hole.area, 0, 0, polar - hole.inertia);
}

/* ---- The study ---- */

static size_t set_exhibits(exhibit *to)
{
    double half_y = 4 / (3 * TS_PI);
    ts_outline_mass half = mass_of(TS_PI / 2, 0, half_y, TS_PI / 4 - TS_PI / 2 * half_y * half_y);
    ts_outline_mass disc = mass_of(TS_PI * 2.25, 0, 0, TS_PI / 2 * 5.0625);
    ts_outline_mass ring = mass_of(TS_PI * (4 - 1.5625), 0, 0, TS_PI / 2 * (16 - 1.5625 * 1.5625));
    /* where the drawing puts the ellipse's centre, y up: see make_ellipse */
    ts_vec2 c = {4 - 2, 1 - 2};
    c = ts_vec2_add(ts_vec2_rotate(c, TS_PI / 12), (ts_vec2){2, 2});
    c = (ts_vec2){-0.5 * c.y + 1, 0.5 * c.x + 1};
    c = ts_vec2_add(ts_vec2_rotate((ts_vec2){2 * c.x, 2 * c.y}, TS_PI / 6), (ts_vec2){5, -3});
    ts_outline_mass ellipse = mass_of(TS_PI * 3, c.x, -c.y, TS_PI * 3 * 10 / 4);
    const exhibit all[] = {
        {"disc", make_disc, true, disc, EXACT_TOLERANCE},
        {"annulus", make_annulus, true, ring, EXACT_TOLERANCE},
        {"box", make_box, true, box_mass(3, 0.5), EXACT_TOLERANCE},
        {"rounded box", make_rounded, true, rounded_mass(3, 2, 0.5), EXACT_TOLERANCE},
        {"octagon", make_octagon, true, regular_mass(8, 1), EXACT_TOLERANCE},
        {"heptagon of 1 mm", make_heptagon, true, regular_mass(7, 0.001), EXACT_TOLERANCE},
        {"arc of 270°", make_arc, true, arc_mass(2, 0.5, 1.5 * TS_PI, false), EXACT_TOLERANCE},
        {"arc with round ends", make_round_arc, true, arc_mass(2, 0.5, TS_PI / 2, true), EXACT_TOLERANCE},
        {"half disc", make_half_disc, true, half, EXACT_TOLERANCE},
        {"segment of 0.02 rad", make_sliver, true, segment_mass(0.02), 1e-9},
        {"Z", make_z, true, z_mass(), EXACT_TOLERANCE},
        {"star with six holes", make_star, false, mass_of(0, 0, 0, 0), 0},
        {"pentagram, even-odd", make_pentagram, true, pentagram_mass(), EXACT_TOLERANCE},
        {"# of four bars", make_hash, true, hash_mass(6, 1, 1.25), EXACT_TOLERANCE},
        {"rotor of three blades", make_rotor, false, mass_of(0, 0, 0, 0), 0},
        {"ellipse, nested transforms", make_ellipse, true, ellipse, 10 * CURVE_TOLERANCE},
        {"drawing of curves", make_drawing, false, mass_of(0, 0, 0, 0), 0},
        {"glyph G", make_big_g, false, mass_of(0, 0, 0, 0), 0},
        {"glyph i", make_small_i, false, mass_of(0, 0, 0, 0), 0},
        {"glyph %", make_percent, false, mass_of(0, 0, 0, 0), 0},
        {"glyph &", make_ampersand, false, mass_of(0, 0, 0, 0), 0},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        to[i] = all[i];
    return sizeof all / sizeof *all;
}

static ts_status claim_mass(ts_study *study, const exhibit *e, const ts_outline *outline, ts_pool *pool,
                            ts_error *error)
{
    ts_outline_mass ours = ts_outline_get_mass(outline), truth = e->truth;
    double tolerance = e->tolerance;
    const char *how = "closed form";
    if (!e->known) {
        TS_TRY(ts_truth_mass(outline, THROWN_ROWS, THROWN_COLUMNS, ts_study_seed(study), pool, &truth, error));
        tolerance = THROWN_TOLERANCE;
        how = "10⁷ points";
    }
    double off = hypot(ours.centre[0] - truth.centre[0], ours.centre[1] - truth.centre[1]);
    TS_TRY(ts_claim_near(study, ours.area, truth.area, tolerance, "m²", error, "%s: area (%s)", e->name, how));
    TS_TRY(
        ts_claim_at_most(study, off / ours.radius, tolerance, "R", error, "%s: centre is off by (%s)", e->name, how));
    double radius;
    TS_TRY(ts_truth_radius(outline, ours.centre[0], ours.centre[1], &radius, error));
    TS_TRY(ts_claim_near(study, ours.radius, radius, EXACT_TOLERANCE, "m", error, "%s: radius (every edge)", e->name));
    return ts_claim_near(study, ours.inertia, truth.inertia, 2 * tolerance, "m⁴", error, "%s: inertia (%s)", e->name,
                         how);
}

static ts_status claim_distance(ts_study *study, const exhibit *e, const ts_outline *outline, ts_pool *pool,
                                ts_error *error)
{
    ts_truth_distance found;
    size_t points = DISTANCE_POINTS * (ts_study_full(study) ? 10 : 1);
    TS_TRY(ts_truth_compare(outline, points, ts_study_seed(study), pool, &found, error));
    if (found.lines > 0)
        TS_TRY(
            ts_claim_at_most(study, found.line_error, 1e-12, "R", error, "%s: distance, nearest to a line", e->name));
    if (found.arcs > 0)
        TS_TRY(ts_claim_at_most(study, found.arc_error, 1e-9, "R", error, "%s: distance, nearest to an arc", e->name));
    TS_TRY(ts_claim_at_most(study, found.point_error, found.arcs > 0 ? 1e-9 : 1e-12, "R", error,
                            "%s: nearest points are as far as the distance says", e->name));
    return ts_claim_at_most(study, (double)found.wrong_sides, 0, "1", error, "%s: points on the wrong side, of %zu",
                            e->name, points);
}

static ts_status claim_symmetry(ts_study *study, const char *name, ts_status (*make)(ts_outline **, ts_error *),
                                int rotations, bool mirror, ts_error *error)
{
    TS_AUTO(ts_outline_free_at) ts_outline *outline = NULL;
    ts_symmetry found = {0};
    TS_TRY(make(&outline, error));
    TS_TRY(ts_outline_symmetry(outline, 0, &found, error));
    TS_TRY(ts_claim_near(study, found.rotations, rotations, 0, "1", error, "%s: order of its rotations", name));
    return ts_claim_near(study, found.mirror, mirror, 0, "1", error, "%s: it has mirror axes (1: yes)", name);
}

static ts_status claim_all(ts_study *study, ts_pool *pool, ts_error *error)
{
    exhibit list[32];
    size_t count = set_exhibits(list);
    for (size_t i = 0; i < count; i++) {
        TS_AUTO(ts_outline_free_at) ts_outline *outline = NULL;
        ts_study_report(study, (double)i / (double)count, list[i].name);
        TS_TRY(list[i].make(&outline, error));
        TS_TRY(claim_mass(study, &list[i], outline, pool, error));
        TS_TRY(claim_distance(study, &list[i], outline, pool, error));
    }
    TS_TRY(claim_symmetry(study, "#", make_hash, 4, true, error));
    TS_TRY(claim_symmetry(study, "octagon", make_octagon, 8, true, error));
    TS_TRY(claim_symmetry(study, "Z", make_z, 2, false, error));
    TS_TRY(claim_symmetry(study, "rotor of three blades", make_rotor, 3, false, error));
    TS_TRY(claim_symmetry(study, "glyph G", make_big_g, 1, false, error));
    return claim_symmetry(study, "star with six holes", make_star, 5, true, error);
}

ts_status ts_study_outlines(ts_study *study, ts_error *error)
{
    TS_AUTO(ts_pool_free_at) ts_pool *pool = NULL;
    TS_TRY(ts_pool_create(ts_study_threads(study), &pool, error));
    return claim_all(study, pool, error);
}
