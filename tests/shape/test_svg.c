/* SPDX-License-Identifier: MIT */
/* Drawings against closed forms: shapes, path commands, transforms, viewports, <use>, units, and what is told of the
 * rest. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "support/check.h"
#include "touchstone/shape.h"

#define HEAD \
    "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox=\"0 0 200 100\">"

static ts_outline *outline;
static double unit;
static ts_outline_mass mass;

static void parse_with(const char *body, const ts_outline_options *options)
{
    ts_outline_free(outline);
    outline = NULL;
    OK(ts_outline_parse_svg(body, strlen(body), "test.svg", options, &outline, &unit, ERROR));
    mass = ts_outline_get_mass(outline);
}

/* The drawing of these elements. */
static void parse(const char *elements)
{
    char text[4096];
    assert_true(snprintf(text, sizeof text, HEAD "%s</svg>", elements) < (int)sizeof text);
    parse_with(text, NULL);
}

static void path(const char *data)
{
    char text[2048];
    assert_true(snprintf(text, sizeof text, "<path d=\"%s\"/>", data) < (int)sizeof text);
    parse(text);
}

static bool has_note(const char *part)
{
    for (size_t i = 0; i < ts_outline_note_count(outline); i++)
        if (strstr(ts_outline_get_note(outline, i), part))
            return true;
    return false;
}

static size_t vertex_count(void)
{
    size_t count = 0;
    for (size_t i = 0; i < ts_outline_contour_count(outline); i++)
        count += ts_outline_get_contour(outline, i).vertex_count;
    return count;
}

static void expect(double area, double x, double y, double tolerance)
{
    NEAR(mass.area, area, tolerance * area);
    NEAR(mass.centre[0], x, tolerance * 100);
    NEAR(mass.centre[1], y, tolerance * 100);
}

/* ---- Shapes ---- */

static void rectangles(void **state)
{
    (void)state;
    parse("<rect x='10' y='20' width='30' height='40'/>");
    expect(1200, 25, -40, 1e-14); /* y up */
    assert_int_equal(vertex_count(), 4);
    assert_int_equal(ts_outline_note_count(outline), 0);
    parse("<rect x='10' y='20' width='30' height='40' rx='5'/>"); /* exact arcs */
    expect(1200 - (4 - TS_PI) * 25, 25, -40, 1e-13);
    assert_int_equal(vertex_count(), 8);
    parse("<rect width='30' height='40' ry='100'/>"); /* clamped to half of each side: an ellipse */
    expect(TS_PI * 15 * 20, 15, -20, 1e-4);
    parse("<rect width='30' height='40' rx='6' ry='3'/>");
    expect(1200 - (4 - TS_PI) * 18, 15, -20, 1e-4);
    parse("<rect width='50%' height='50%' rx='0' ry='7'/>"); /* of the viewBox; one radius of 0 means none */
    expect(100 * 50, 50, -25, 1e-14);
}

static void circles(void **state)
{
    (void)state;
    parse("<circle cx='3' cy='4' r='7'/>");
    expect(TS_PI * 49, 3, -4, 1e-13);
    assert_int_equal(vertex_count(), 2);
    NEAR(mass.radius, 7, 1e-12);
    /* similarities keep it a circle to the bit of its bulges: 2 (nested) · 0.5 · 3 = 3 times as large */
    parse("<g transform='rotate(33) scale(2)'><g transform='translate(5,1) scale(-.5,.5)'>"
          "<circle r='7' transform='rotate(-71 4 5)scale(3)'/></g></g>");
    NEAR(mass.area, TS_PI * 21 * 21, 1e-10);
    assert_int_equal(vertex_count(), 2);
    parse("<ellipse cx='50' cy='30' rx='40' ry='20'/>");
    expect(TS_PI * 800, 50, -30, 1e-4);
    NEAR(mass.inertia, TS_PI * 800 * (1600 + 400) / 4, 1e-3 * TS_PI * 800 * 500);
    parse("<circle cx='50' cy='60' r='20' transform='scale(2 1)'/>");
    expect(TS_PI * 800, 100, -60, 1e-4);
    parse("<ellipse cx='5' cy='6' rx='10' ry='20' transform='scale(2 1)'/>"); /* becomes a circle */
    expect(TS_PI * 400, 10, -6, 1e-13);
    assert_int_equal(vertex_count(), 2);
    parse("<circle r='10%'/>"); /* of √((200² + 100²) / 2) */
    NEAR(mass.area, TS_PI * 250, 1e-10);
    parse("<circle cx='1in' cy='2.54cm' r='3pc' transform='skewX(20)'/>"); /* a shear keeps areas: 48 px */
    NEAR(mass.area, TS_PI * 48 * 48, 1e-4 * TS_PI * 48 * 48);
    NEAR(mass.centre[0], 96 + 96 * tan(TS_PI / 9), 1e-3);
}

/* How the tolerance of an ellipse is kept: area within tolerance · extent · perimeter. */
static void tolerance(void **state)
{
    (void)state;
    const char *text = HEAD "<ellipse rx='40' ry='20' transform='rotate(15)'/></svg>";
    for (double share = 1e-2; share > 1e-8; share /= 10) {
        ts_outline_options options = {.tolerance = share};
        parse_with(text, &options);
        double extent = hypot(40, 20) * 1.3; /* at most: of the turned box */
        NEAR(mass.area, TS_PI * 800, share * extent * 200);
    }
    assert_true(vertex_count() < 4000);
}

static void polygons(void **state)
{
    (void)state;
    parse("<polygon points='0,0 10,0 10,10 0,10'/>");
    expect(100, 5, -5, 1e-14);
    parse("<polyline points='0 0 10 0 10-10 0-10'/>"); /* filled, so closed */
    expect(100, 5, 5, 1e-14);
    assert_true(has_note("open"));
    /* a pentagram: its core counts by one rule only. Areas of a star of circumradius 50. */
    const char *star = "<polygon fill-rule='%s' points='50,0 -40.45084971874737,29.38926261462366 "
                       "15.45084971874737,-47.55282581475768 15.45084971874737,47.55282581475768 "
                       "-40.45084971874737,-29.38926261462366'/>";
    char text[512];
    double s18 = sin(TS_PI / 10), c36 = cos(TS_PI / 5), inner = 50 * s18 / c36;
    double core = 2.5 * inner * inner * sin(TS_PI * 2 / 5), whole = 5 * 50 * inner * sin(TS_PI / 5);
    snprintf(text, sizeof text, star, "nonzero");
    parse(text);
    NEAR(mass.area, whole, 1e-9 * whole);
    snprintf(text, sizeof text, star, "evenodd");
    parse(text);
    NEAR(mass.area, whole - core, 1e-9 * whole);
}

static void fill_rules(void **state)
{
    (void)state;
    const char *rings = "M0 0H10V10H0z M2 2H8V8H2z"; /* both the same way round */
    char text[512];
    path(rings);
    NEAR(mass.area, 100, 1e-12);
    assert_true(has_note("adds nothing"));
    /* in a style, inherited, and a style that overrides an attribute */
    const char *const how[] = {"<path style='fill:red; fill-rule : evenodd ;x:y' d='%s'/>",
                               "<g fill-rule='evenodd'><path d='%s'/></g>",
                               "<path fill-rule='nonzero' style='fill-rule:evenodd' d='%s'/>"};
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, how[i], rings);
        parse(text);
        NEAR(mass.area, 64, 1e-12);
    }
    /* a hole the other way round needs no rule; elements are united, each by its own */
    path("M0 0H10V10H0z M2 2V8H8V2z");
    NEAR(mass.area, 64, 1e-12);
    assert_int_equal(ts_outline_note_count(outline), 0);
    parse("<path d='M0 0H10V10H0z M2 2V8H8V2z'/><rect x='1' y='1' width='4' height='8'/>");
    NEAR(mass.area, 100 - 3 * 6, 1e-9);
}

/* ---- Path data ---- */

static void syntax(void **state)
{
    (void)state;
    path("M 0 0 L 10 0 L 10 10 L 0 10 Z");
    expect(100, 5, -5, 1e-14);
    path("m0,0 10,0 0,10-10,0z"); /* more points after a move are lines */
    expect(100, 5, -5, 1e-14);
    path("M0 0 10 0 10 10 0 10");
    expect(100, 5, -5, 1e-14);
    path("M0 0h1.e1v+10H0z");
    expect(100, 5, -5, 1e-14);
    path("M.5.5 1.5.5-3e-2-.5z"); /* 0.5 0.5, 1.5 0.5, -0.03 -0.5 */
    NEAR(mass.area, 0.5, 1e-12);
    /* after z the pen is where the subpath began, and a relative command goes on from there */
    path("M10 10h10v10h-10z h-5v-5h5z");
    NEAR(mass.area, 125, 1e-12);
    path("m10 10h10v10h-10z m-10-10h5v5h-5z");
    NEAR(mass.area, 125, 1e-12);
    path("\n M\t0,0\r\nL10,0 , 10,10 0 10 z");
    expect(100, 5, -5, 1e-14);
}

/* A circle as two arcs from end to end of a diameter, with so many decimals; which of them is called the larger one, if
 * any, makes no difference. */
static void two_arcs(const double at[2], double r, double angle, int digits, int flags)
{
    double x = at[0], y = at[1], c = r * cos(angle), s = r * sin(angle);
    char begin[64], end[64], radii[64], text[512];
    snprintf(begin, sizeof begin, "%.*f,%.*f", digits, x + c, digits, y + s);
    snprintf(end, sizeof end, "%.*f,%.*f", digits, x - c, digits, y - s);
    snprintf(radii, sizeof radii, "%.*f,%.*f", digits, r, digits, r);
    snprintf(text, sizeof text, "M%s A%s 0 %d 1 %s A%s 0 %d 1 %sz", begin, radii, flags & 1, end, radii, flags >> 1,
             begin);
    path(text);
}

/* Nearly a diameter apart: the arc's centre is as far from the chord as the root of what is missing, unless the digits
 * say that nothing is. */
static void half_circles(void **state)
{
    (void)state;
    for (int i = 0; i < 200; i++) {
        double r = 1 + 0.0437 * i, at[2] = {fmod(1.37 * i, 7), fmod(2.11 * i, 5)}, angle = 0.0313 * i;
        double far[2] = {1000 * at[0], 1000 * at[1]};
        two_arcs(at, r, angle, 16, i & 3);
        NEAR(mass.area / (TS_PI * r * r), 1, 1e-12);
        NEAR(mass.centre[0], at[0], 1e-11);
        NEAR(mass.centre[1], -at[1], 1e-11);
        two_arcs(at, r, angle, 8, i & 3);
        NEAR(mass.area / (TS_PI * r * r), 1, 2e-8);
        two_arcs(at, r, angle, 5, i & 3); /* 6 digits: the radius may be off by 5e-6, each end by as much either way */
        NEAR(mass.area / (TS_PI * r * r), 1, 2e-5 / r);
        two_arcs(far, 100 * r, angle, 3, i & 3);
        NEAR(mass.area / (TS_PI * 1e4 * r * r), 1, 2e-5 / r);
    }
    /* what is no half circle stays none: a cap of 179° */
    double a = 179 * TS_PI / 180, chord = 2 * sin(a / 2);
    char text[128];
    snprintf(text, sizeof text, "M0 0A1 1 0 0 1 %.17g 0z", chord);
    path(text);
    NEAR(mass.area, (a - sin(a)) / 2, 1e-12);
    a = TS_PI - 1e-4; /* 1.2e-9 less than a diameter, and the digits to say it */
    snprintf(text, sizeof text, "M0 0A1 1 0 0 1 %.17g 0z", 2 * sin(a / 2));
    path(text);
    NEAR(mass.area, (a - sin(a)) / 2, 1e-7);
    assert_true(fabs(mass.area - TS_PI / 2) > 5e-5);
    path("M0 0A5 5 0 0 1 9.99 0z");
    a = 2 * asin(0.999);
    NEAR(mass.area, 12.5 * (a - sin(a)), 1e-9);
}

/* Four arcs join two points: areas of circular segments. */
static void arcs(void **state)
{
    (void)state;
    double r = 10, chord = 12, half = asin(chord / 2 / r), minor = r * r * (half - sin(half) * cos(half));
    double major = TS_PI * r * r - minor;
    const char *const flags[] = {"0 0", "0 1", "1 0", "1 1"};
    for (int i = 0; i < 4; i++) {
        char data[128];
        snprintf(data, sizeof data, "M0 0A10 10 0 %s 12 0z", flags[i]);
        path(data);
        NEAR(mass.area, i < 2 ? minor : major, 1e-11);
        /* sweep 1: clockwise as seen, over the top when going right */
        assert_true((mass.centre[1] > 0) == (i % 2 == 1));
    }
    path("M0 0a10,10 0 0112,0z"); /* flags and numbers without separators */
    NEAR(mass.area, minor, 1e-11);
    path("M0 0a10 10 0 1112 0 10 10 0 11-12 0"); /* two large ones: they overlap in a lens */
    NEAR(mass.area, 2 * major, 1e-9);
    path("M0 0A1 1 0 0 1 12 0z"); /* too small a radius grows to a half circle */
    NEAR(mass.area, TS_PI * 18, 1e-11);
    path("M0 0A0 5 0 0 1 12 0L6 6z"); /* a radius of 0 is a line */
    NEAR(mass.area, 36, 1e-12);
    path("M10 0A10 10 0 1 0 10 0.001z"); /* the usual way to a circle that is nearly full */
    NEAR(mass.area, TS_PI * 100, 1e-3);
    /* an ellipse turned by 30°, from one end of an axis to the other: half of it */
    path("M-17.32050807568877 -10 A20 10 30 0 1 17.32050807568877 10z");
    NEAR(mass.area, TS_PI * 100, 0.1);               /* tolerance 1e-4, of an extent of about 20, along 49 */
    path("M0 0A20 10 30 0 1 7 5 20 10 30 1 1 0 0z"); /* small and large arc of one chord make the two ellipses' union */
    assert_true(mass.area > TS_PI * 200 * 0.999);
}

/* S and T imply what C and Q spell out. */
static void smooth(void **state)
{
    (void)state;
    const char *const pair[][2] = {
        {"M0 0C0 10 10 10 10 0S20-15 25 0z", "M0 0C0 10 10 10 10 0C10-10 20-15 25 0z"},
        {"M0 0S20-15 25 0z", "M0 0C0 0 20-15 25 0z"},
        {"M0 0Q5 10 10 0T20 0 30 0V-20z", "M0 0Q5 10 10 0Q15-10 20 0Q25 10 30 0V-20z"},
        {"M0 0L10 0T20 5 30 0V-20z", "M0 0L10 0Q10 0 20 5Q30 10 30 0V-20z"},
        {"m5 5c0 10 10 10 10 0s10-15 15 0z", "M5 5C5 15 15 15 15 5C15-5 25-10 30 5z"},
        {"m5 5q5 10 10 0t10 0v-20z", "M5 5Q10 15 15 5Q20-5 25 5V-15z"},
    };
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        path(pair[i][0]);
        ts_outline_mass first = mass;
        path(pair[i][1]);
        NEAR(mass.area, first.area, 1e-10);
        NEAR(mass.inertia, first.inertia, 1e-8 * first.inertia);
        NEAR(mass.centre[0], first.centre[0], 1e-10);
    }
    /* by Green: a quadratic has two thirds of its control triangle, a cubic with its controls above its ends three
     * fifths of the box they span */
    path("M0 0Q5 10 10 0z");
    NEAR(mass.area, 2.0 / 3 * 50, 0.01);
    path("M0 0C0 10 10 10 10 0z");
    NEAR(mass.area, 60, 0.01);
}

/* ---- Structure ---- */

static void transforms(void **state)
{
    (void)state;
    const char *const list[] = {"matrix(0 1 -1 0 10 20)", "translate(10 20)rotate(90)", "translate(10,20) , rotate(90)",
                                "rotate(90 -5 15)", "translate(10)translate(0 20) skewX(0) scale(1) rotate(450)"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char text[512];
        snprintf(text, sizeof text, "<g transform='%s'><rect width='4' height='2'/></g>", list[i]);
        parse(text); /* (2, 1) → (-1, 2) → (9, 22) */
        expect(8, 9, -22, 1e-13);
    }
    parse("<rect width='4' height='2' transform='skewY(45)'/>"); /* (2, 1) → (2, 3) */
    expect(8, 2, -3, 1e-13);
    parse("<rect width='4' height='2' transform='scale(-3,2)'/>"); /* a mirror keeps the inside inside */
    expect(48, -6, -2, 1e-13);
}

static void viewports(void **state)
{
    (void)state;
    /* 10 × 10 fitted into 100 × 50 at (20, 30): scale 5, centred, so 25 to the right */
    const char *text = "<svg x='20' y='30' width='100' height='50' viewBox='-5 -5 10 10' %s>"
                       "<circle r='2'/></svg>";
    const struct {
        const char *how;
        double sx, sy, x, y;
    } fit[] = {{"", 5, 5, 70, 55},
               {"preserveAspectRatio='xMinYMid meet'", 5, 5, 45, 55},
               {"preserveAspectRatio='xMaxYMax'", 5, 5, 95, 55},
               {"preserveAspectRatio='xMidYMin slice'", 10, 10, 70, 80},
               {"preserveAspectRatio='none'", 10, 5, 70, 55}};
    for (size_t i = 0; i < sizeof fit / sizeof *fit; i++) {
        char body[512];
        snprintf(body, sizeof body, text, fit[i].how);
        parse(body);
        expect(TS_PI * 4 * fit[i].sx * fit[i].sy, fit[i].x, -fit[i].y, 1e-4);
    }
    parse("<svg width='50%' height='50%'><rect width='50%' height='50%'/></svg>");
    NEAR(mass.area, 50 * 25, 1e-10);
}

static void uses(void **state)
{
    (void)state;
    parse("<defs><rect id='r' width='4' height='2'/></defs>"
          "<use href='#r' x='10'/><use xlink:href='#r' y='10' transform='scale(2)'/>");
    NEAR(mass.area, 8 + 32, 1e-10);
    assert_int_equal(ts_outline_contour_count(outline), 2);
    /* a symbol has a viewport of its own, whose size the use gives */
    parse("<symbol id='s' viewBox='0 0 10 10'><circle cx='5' cy='5' r='5'/></symbol>"
          "<use href='#s' x='100' y='20' width='40' height='40'/>");
    expect(TS_PI * 400, 120, -40, 1e-12);
    /* what only stands in stores is not drawn; what is used from there is, with what it inherits from the use */
    parse("<clipPath id='c'><rect id='q' width='9' height='9'/></clipPath><mask><circle r='50'/></mask>"
          "<marker><circle r='50'/></marker><pattern><circle r='50'/></pattern><defs><circle r='40'/></defs>"
          "<g fill-rule='evenodd'><use href='#p'/></g><defs><path id='p' d='M0 0H10V10H0z M2 2H8V8H2z'/></defs>");
    NEAR(mass.area, 64, 1e-10);
    /* the first child of a switch */
    parse("<switch><g><rect width='1' height='1'/></g><g><rect width='5' height='5'/></g></switch>");
    NEAR(mass.area, 1, 1e-12);
}

static void visibility(void **state)
{
    (void)state;
    parse("<g style='display:none'><rect width='9' height='9'/></g><g display='none'><text>no</text></g>"
          "<g visibility='hidden'><rect width='5' height='5'/><rect visibility='visible' width='2' height='1'/></g>"
          "<a><rect x='50' width='1' height='1'/></a>");
    NEAR(mass.area, 3, 1e-12);
    assert_int_equal(ts_outline_note_count(outline), 0);
}

static void notes(void **state)
{
    (void)state;
    parse("<style>rect { display: none }</style><rect width='2' height='1'/>"
          "<text x='5'>Hello <tspan>w\303\266rld</tspan></text><image id='cat' href='cat.png'/><line x2='5'/>"
          "<rect id='flat' width='5' height='0'/><path id='stroke' d='M0 0L9 9'/>"
          "<rect clip-path='url(#c)' id='cut' x='1' width='1' height='1'/>");
    NEAR(mass.area, 2, 1e-12);
    assert_true(has_note("style sheet"));
    assert_true(
        has_note("text 'Hello w\303\266rld' is not read: convert it to paths (Inkscape: Path > Object to Path)"));
    assert_true(has_note("image 'cat' is not read"));
    assert_true(has_note("line at line 1: it has no area: ignored"));
    assert_true(has_note("rect 'flat': it has no area: ignored"));
    assert_true(has_note("path 'stroke': it has no area: ignored"));
    assert_true(has_note("rect 'cut': its clip-path is ignored"));
}

static void ids(void **state)
{
    (void)state;
    const char *text = HEAD "<g transform='scale(2)'><g id='both' transform='translate(10 0)'><rect id='one' width='4' "
                            "height='2'/><rect id='two' x='10' width='1' height='1' transform='translate(1)'/></g></g>"
                            "<symbol id='sym'><circle r='3'/></symbol></svg>";
    parse_with(text, &(ts_outline_options){.id = "one"});
    expect(32, 24, -2, 1e-13);
    parse_with(text, &(ts_outline_options){.id = "two"});
    expect(4, 43, -1, 1e-13);
    parse_with(text, &(ts_outline_options){.id = "both"});
    NEAR(mass.area, 36, 1e-12);
    parse_with(text, &(ts_outline_options){.id = "sym"});
    NEAR(mass.area, TS_PI * 9, 1e-12);
    ts_outline *none = NULL;
    assert_int_equal(
        ts_outline_parse_svg(text, strlen(text), "t", &(ts_outline_options){.id = "twoo"}, &none, NULL, ERROR),
        TS_BAD_INPUT);
    assert_non_null(strstr(ERROR->message, "did you mean 'two'?"));
    assert_null(none);
}

static void units(void **state)
{
    (void)state;
    const struct {
        const char *size;
        double unit;
    } list[] = {{"width='210mm' height='297mm' viewBox='0 0 210 297'", 1e-3},
                {"width='1in' viewBox='0 0 100 100'", 0.000254},
                {"height='2cm' viewBox='0 0 100 100'", 0.0002},
                {"width='72pt' height='12pc' viewBox='0 0 1 1'", 0.0254},
                {"width='5mm'", 0.0254 / 96},
                {"width='100px' height='100px' viewBox='0 0 50 50'", 0},
                {"width='100' height='100%'", 0},
                {"", 0}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char text[512];
        snprintf(text, sizeof text, "<svg %s><rect width='2' height='1'/></svg>", list[i].size);
        parse_with(text, NULL);
        NEAR(unit, list[i].unit, 1e-12 * list[i].unit);
        NEAR(mass.area, 2, 1e-14); /* one user unit is 1 */
    }
}

/* As Inkscape writes it: a document type, foreign namespaces, layers, metadata. */
static void inkscape(void **state)
{
    (void)state;
    parse_with(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
        "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">\n"
        "<!-- Created with Inkscape -->\n"
        "<svg width=\"100mm\" height=\"100mm\" viewBox=\"0 0 100 100\" version=\"1.1\" id=\"svg5\"\n"
        "  xmlns:inkscape=\"http://www.inkscape.org/namespaces/inkscape\"\n"
        "  xmlns:sodipodi=\"http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd\"\n"
        "  xmlns=\"http://www.w3.org/2000/svg\" xmlns:svg=\"http://www.w3.org/2000/svg\">\n"
        "<sodipodi:namedview id=\"v\" pagecolor=\"#fff\"><inkscape:grid/></sodipodi:namedview>\n"
        "<defs id=\"defs2\"><linearGradient id=\"a\"><stop offset=\"0\"/></linearGradient></defs>\n"
        "<metadata><rdf xmlns=\"http://creativecommons.org/ns#\"><path d=\"M0\"/></rdf></metadata>\n"
        "<g inkscape:label=\"Hidden\" inkscape:groupmode=\"layer\" style=\"display:none\"><rect width=\"90\" "
        "height=\"90\"/></g>\n"
        "<svg:g inkscape:label=\"Layer 1\" id=\"layer1\" transform=\"translate(1,2)\">\n"
        "<path style=\"fill:none;stroke:#000000;stroke-width:0.26\" sodipodi:nodetypes=\"cccc\"\n"
        "d=\"m 0,0 10,0 v 10 h -10 z\" /></svg:g></svg>\n",
        NULL);
    expect(100, 6, -7, 1e-13);
    NEAR(unit, 1e-3, 1e-16);
    assert_int_equal(ts_outline_note_count(outline), 0);
}

static void options_checked(void **state)
{
    (void)state;
    const char *text = "<svg><circle r='2'/></svg>";
    ts_outline *none = NULL;
    const double bad[] = {-1, (double)NAN, 1e-30, 0.5, HUGE_VAL};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ts_outline_options options = {.tolerance = bad[i]};
        assert_int_equal(ts_outline_parse_svg(text, strlen(text), "t", &options, &none, NULL, ERROR), TS_BAD_INPUT);
        assert_non_null(strstr(ERROR->message, "tolerance"));
    }
    assert_int_equal(ts_outline_read_svg("no-such.svg", NULL, &none, NULL, ERROR), TS_IO);
}

static int finish(void **state)
{
    (void)state;
    ts_outline_free(outline);
    return 0;
}

int main(void)
{
    if (!TS_WITH_EXPAT)
        return 77; /* this build reads none */
    const struct CMUnitTest test[] = {
        cmocka_unit_test(rectangles),   cmocka_unit_test(circles),    cmocka_unit_test(tolerance),
        cmocka_unit_test(polygons),     cmocka_unit_test(fill_rules), cmocka_unit_test(syntax),
        cmocka_unit_test(half_circles), cmocka_unit_test(arcs),       cmocka_unit_test(smooth),
        cmocka_unit_test(transforms),   cmocka_unit_test(viewports),  cmocka_unit_test(uses),
        cmocka_unit_test(visibility),   cmocka_unit_test(notes),      cmocka_unit_test(ids),
        cmocka_unit_test(units),        cmocka_unit_test(inkscape),   cmocka_unit_test(options_checked),
    };
    return cmocka_run_group_tests(test, NULL, finish);
}
