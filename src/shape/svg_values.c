/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "shape/svg.h"

/* Numbers beyond this are a mistake: squares of them have to stay finite. */
#define NUMBER_MAX 1e150
/* A transform whose determinant is smaller, against the squares of its entries, squeezes all to a line. */
#define SINGULAR 1e-12
/* User units of an inch (CSS). */
#define PER_INCH 96.0

/* ---- Scanning ---- */

bool ts_svg_scan_open(ts_svg_scan *scan, const ts_svg_tree *tree, const ts_svg_node *node, const char *attribute)
{
    const char *text = ts_svg_attribute_of(node, attribute);
    *scan = (ts_svg_scan){tree, node, attribute, text ? text : "", text ? strlen(text) : 0, 0};
    return text != NULL;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

void ts_svg_skip(ts_svg_scan *scan, bool comma)
{
    while (scan->at < scan->length && (is_space(scan->text[scan->at]) || (comma && scan->text[scan->at] == ','))) {
        if (scan->text[scan->at] == ',')
            comma = false;
        scan->at++;
    }
}

bool ts_svg_at_end(const ts_svg_scan *scan)
{
    return scan->at >= scan->length;
}

ts_svg_found ts_svg_what_is(const ts_svg_scan *scan)
{
    ts_svg_found found = {"the end"};
    if (ts_svg_at_end(scan))
        return found;
    const char *from = scan->text + scan->at;
    size_t n = 1, rest = scan->length - scan->at; /* bytes of one whole character of UTF-8 */
    while (n < 4 && n < rest && (from[n] & 0xc0) == 0x80)
        n++;
    snprintf(found.text, sizeof found.text, "'%.*s'", (int)n, from);
    return found;
}

/* Where the value of `attribute` begins in the tag at `at`: just after its quote; 0 when it is not found. */
static size_t value_begin(const char *s, size_t length, size_t at, const char *attribute)
{
    size_t name_length = strlen(attribute);
    while (at < length && !is_space(s[at]) && s[at] != '>')
        at++;
    while (at < length && s[at] != '>') {
        while (at < length && is_space(s[at]))
            at++;
        size_t name = at;
        while (at < length && !is_space(s[at]) && s[at] != '=' && s[at] != '>')
            at++;
        bool wanted = at - name == name_length && memcmp(s + name, attribute, name_length) == 0;
        while (at < length && (is_space(s[at]) || s[at] == '='))
            at++;
        if (at >= length || (s[at] != '"' && s[at] != '\''))
            return 0;
        char quote = s[at++];
        if (wanted)
            return at;
        while (at < length && s[at] != quote)
            at++;
        at++;
    }
    return 0;
}

ts_place ts_svg_scan_place(const ts_svg_scan *scan)
{
    ts_place place = ts_svg_node_place(scan->tree, scan->node);
    const char *s = scan->tree->source;
    size_t length = scan->tree->source_length, at = scan->node->offset;
    /* only where bytes are characters: not in UTF-16 */
    if (at >= length || s[at] != '<' || (length > 1 && (s[0] == 0 || s[1] == 0 || (unsigned char)s[0] >= 0xfe)))
        return place;
    size_t end = value_begin(s, length, at, scan->attribute);
    if (end == 0)
        return place;
    /* a line end of two bytes counts as one, and nobody writes references in numbers: then it is near enough */
    for (size_t index = 0; end < length && index < scan->at && s[end] != '&'; index++)
        end += s[end] == '\r' && end + 1 < length && s[end + 1] == '\n' ? 2 : 1;
    if (end > length)
        return place;
    for (; at < end; at++) {
        bool line_end = s[at] == '\n' || (s[at] == '\r' && !(at + 1 < length && s[at + 1] == '\n'));
        place.line += line_end;
        place.column = line_end ? 1 : place.column + 1;
    }
    return place;
}

ts_status ts_svg_number(ts_svg_scan *scan, double *value, ts_error *error)
{
    double read = 0;
    size_t used = ts_parse_number(scan->text + scan->at, scan->length - scan->at, &read);
    bool absurd = used > 0 && !(fabs(read) <= NUMBER_MAX);
    if (used == 0) {
        /* digits that make no number overflow */
        size_t sign = scan->at < scan->length && strchr("+-", scan->text[scan->at]) != NULL;
        char next = scan->at + sign < scan->length ? scan->text[scan->at + sign] : 0;
        absurd = next >= '0' && next <= '9';
    }
    if (absurd)
        return ts_fail_at(error, TS_BAD_INPUT, ts_svg_scan_place(scan),
                          "a number in \"%s\" is too large; give magnitudes of at most %g", scan->attribute,
                          NUMBER_MAX);
    if (used == 0)
        return ts_fail_at(error, TS_BAD_INPUT, ts_svg_scan_place(scan), "expected a number in \"%s\", found %s",
                          scan->attribute, ts_svg_what_is(scan).text);
    scan->at += used;
    *value = read;
    return TS_OK;
}

/* ---- Lengths ---- */

static const struct {
    const char *name;
    double inches;
    bool absolute; /* of a size that does not depend on a screen */
} units[] = {
    {"px", 1 / PER_INCH, false}, {"mm", 1 / 25.4, true}, {"cm", 1 / 2.54, true}, {"in", 1, true},
    {"pt", 1.0 / 72, true},      {"pc", 1.0 / 6, true},
};

/* Index of the unit that is all the rest of the text; -1 for none of them. */
static int unit_of(const char *text)
{
    size_t length = strlen(text);
    while (length > 0 && is_space(text[length - 1]))
        length--;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (length == 2 && strncmp(text, units[i].name, 2) == 0)
            return (int)i;
    return -1;
}

ts_status ts_svg_length(const ts_svg_tree *tree, const ts_svg_node *node, const char *attribute, double whole,
                        double *value, ts_error *error)
{
    ts_svg_scan scan;
    double number;
    if (!ts_svg_scan_open(&scan, tree, node, attribute) || strcmp(scan.text, "auto") == 0)
        return TS_OK;
    ts_svg_skip(&scan, false);
    TS_TRY(ts_svg_number(&scan, &number, error));
    size_t after = scan.at;
    ts_svg_skip(&scan, false);
    if (ts_svg_at_end(&scan)) {
        *value = number;
        return TS_OK;
    }
    scan.at = after;
    int unit = unit_of(scan.text + scan.at);
    if (unit >= 0) {
        *value = strcmp(units[unit].name, "px") == 0 ? number : number * (units[unit].inches * PER_INCH);
        return TS_OK;
    }
    if (strcmp(scan.text + scan.at, "%") != 0)
        return ts_fail_at(error, TS_BAD_INPUT, ts_svg_scan_place(&scan),
                          "\"%.20s\" in \"%s\" is not a unit that is known here; use px, mm, cm, in, pt, pc or %%",
                          scan.text + scan.at, attribute);
    if (isnan(whole))
        return ts_fail_at(error, TS_BAD_INPUT, ts_svg_node_place(tree, node),
                          "\"%s\" is in per cent of a drawing without a size; give <svg> a viewBox", attribute);
    *value = number / 100 * whole;
    return TS_OK;
}

double ts_svg_absolute(const ts_svg_node *node, const char *attribute)
{
    const char *text = ts_svg_attribute_of(node, attribute);
    double number;
    if (!text)
        return 0;
    while (is_space(*text))
        text++;
    size_t used = ts_parse_number(text, strlen(text), &number);
    int unit = used > 0 ? unit_of(text + used) : -1;
    return unit >= 0 && units[unit].absolute && number > 0 && number <= NUMBER_MAX
               ? number * units[unit].inches * 0.0254
               : 0;
}

/* ---- Transforms ---- */

ts_svg_matrix ts_svg_compose(ts_svg_matrix o, ts_svg_matrix i)
{
    return (ts_svg_matrix){o.a * i.a + o.c * i.b, o.b * i.a + o.d * i.b,       o.a * i.c + o.c * i.d,
                           o.b * i.c + o.d * i.d, o.a * i.e + o.c * i.f + o.e, o.b * i.e + o.d * i.f + o.f};
}

/* cos and sin of an angle in degrees; exact for quarter turns, which drawings are full of. */
static ts_rot2 rotation_by(double degrees)
{
    static const ts_rot2 quarter[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    double rest = remainder(degrees, 360);
    if (fmod(rest, 90) == 0)
        return quarter[((int)(rest / 90) + 4) % 4];
    double angle = rest * (TS_PI / 180);
    return (ts_rot2){cos(angle), sin(angle)};
}

typedef struct function {
    const char *name;
    int least, most; /* arguments */
    ts_svg_matrix (*make)(const double v[6], int count);
} function;

static ts_svg_matrix make_matrix(const double v[6], int count)
{
    (void)count;
    return (ts_svg_matrix){v[0], v[1], v[2], v[3], v[4], v[5]};
}

static ts_svg_matrix make_translate(const double v[6], int count)
{
    return (ts_svg_matrix){1, 0, 0, 1, v[0], count > 1 ? v[1] : 0};
}

static ts_svg_matrix make_scale(const double v[6], int count)
{
    return (ts_svg_matrix){v[0], 0, 0, count > 1 ? v[1] : v[0], 0, 0};
}

static ts_svg_matrix make_rotate(const double v[6], int count)
{
    ts_rot2 r = rotation_by(v[0]);
    ts_svg_matrix turn = {r.c, r.s, -r.s, r.c, 0, 0};
    if (count < 3)
        return turn;
    return ts_svg_compose(ts_svg_compose((ts_svg_matrix){1, 0, 0, 1, v[1], v[2]}, turn),
                          (ts_svg_matrix){1, 0, 0, 1, -v[1], -v[2]});
}

static ts_svg_matrix make_skew_x(const double v[6], int count)
{
    (void)count;
    return (ts_svg_matrix){1, 0, tan(v[0] * (TS_PI / 180)), 1, 0, 0};
}

static ts_svg_matrix make_skew_y(const double v[6], int count)
{
    (void)count;
    return (ts_svg_matrix){1, tan(v[0] * (TS_PI / 180)), 0, 1, 0, 0};
}

static const function functions[] = {
    {"matrix", 6, 6, make_matrix}, {"translate", 1, 2, make_translate}, {"scale", 1, 2, make_scale},
    {"rotate", 1, 3, make_rotate}, {"skewX", 1, 1, make_skew_x},        {"skewY", 1, 1, make_skew_y},
};

/* One function of the list, name and arguments. */
static ts_status read_function(ts_svg_scan *scan, ts_svg_matrix *matrix, ts_error *error)
{
    const function *f = NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        size_t length = strlen(functions[i].name);
        if (scan->length - scan->at >= length && memcmp(scan->text + scan->at, functions[i].name, length) == 0)
            f = &functions[i];
    }
    if (!f)
        return ts_fail_at(
            error, TS_BAD_INPUT, ts_svg_scan_place(scan),
            "\"%.20s\" begins no transform that is known; use matrix, translate, scale, rotate, skewX, skewY",
            scan->text + scan->at);
    scan->at += strlen(f->name);
    ts_svg_skip(scan, false);
    double v[6];
    int count = 0;
    if (!ts_svg_at_end(scan) && scan->text[scan->at] == '(') {
        scan->at++;
        for (ts_svg_skip(scan, false); count < f->most && !ts_svg_at_end(scan) && scan->text[scan->at] != ')';
             ts_svg_skip(scan, true))
            TS_TRY(ts_svg_number(scan, &v[count++], error));
    }
    bool right = count == f->least || count == f->most;
    if (!right || ts_svg_at_end(scan) || scan->text[scan->at] != ')')
        return ts_fail_at(error, TS_BAD_INPUT, ts_svg_scan_place(scan),
                          "%s takes %d or %d numbers in parentheses; found %s after %d of them", f->name, f->least,
                          f->most, ts_svg_what_is(scan).text, count);
    scan->at++;
    *matrix = f->make(v, count);
    return TS_OK;
}

ts_status ts_svg_transform(const ts_svg_tree *tree, const ts_svg_node *node, ts_svg_matrix *matrix, ts_error *error)
{
    ts_svg_scan scan;
    *matrix = (ts_svg_matrix){1, 0, 0, 1, 0, 0};
    if (!ts_svg_scan_open(&scan, tree, node, "transform") || strcmp(scan.text, "none") == 0)
        return TS_OK;
    ts_svg_matrix m = *matrix, one;
    for (ts_svg_skip(&scan, false); !ts_svg_at_end(&scan); ts_svg_skip(&scan, true)) {
        TS_TRY(read_function(&scan, &one, error));
        m = ts_svg_compose(m, one);
    }
    /* scaled first, so that squares neither overflow nor vanish */
    double size = fmax(fmax(fabs(m.a), fabs(m.b)), fmax(fabs(m.c), fabs(m.d)));
    bool sane = size <= NUMBER_MAX && fabs(m.e) <= NUMBER_MAX && fabs(m.f) <= NUMBER_MAX;
    if (!sane)
        return ts_fail_at(error, TS_BAD_INPUT, ts_svg_node_place(tree, node),
                          "the transform leads beyond numbers of %g; give a smaller one", NUMBER_MAX);
    double det = size > 0 ? m.a / size * (m.d / size) - m.b / size * (m.c / size) : 0;
    if (!(fabs(det) > SINGULAR))
        return ts_fail_at(error, TS_BAD_INPUT, ts_svg_node_place(tree, node),
                          "the transform squeezes the drawing to a line or a point; give one that can be undone");
    *matrix = m;
    return TS_OK;
}

/* ---- Viewports ---- */

ts_status ts_svg_view_box(const ts_svg_tree *tree, const ts_svg_node *node, double box[4], bool *present,
                          ts_error *error)
{
    ts_svg_scan scan;
    *present = ts_svg_scan_open(&scan, tree, node, "viewBox") && strcmp(scan.text, "none") != 0;
    if (!*present)
        return TS_OK;
    ts_svg_skip(&scan, false);
    for (int i = 0; i < 4; i++) {
        TS_TRY(ts_svg_number(&scan, &box[i], error));
        ts_svg_skip(&scan, true);
    }
    if (!(box[2] > 0) || !(box[3] > 0) || !ts_svg_at_end(&scan))
        return ts_fail_at(error, TS_BAD_INPUT, ts_svg_node_place(tree, node),
                          "\"viewBox\" must be four numbers, x y width height, with a positive width and height");
    return TS_OK;
}

/* 0, ½ or 1 for Min, Mid and Max in "xMidYMid". */
static double alignment(const char *text)
{
    return strncmp(text, "Min", 3) == 0 ? 0 : strncmp(text, "Max", 3) == 0 ? 1 : 0.5;
}

ts_svg_matrix ts_svg_fit_view(const ts_svg_node *node, const double box[4], double width, double height)
{
    const char *how = ts_svg_attribute_of(node, "preserveAspectRatio");
    how = how ? how : "";
    while (is_space(*how))
        how++;
    double sx = width / box[2], sy = height / box[3], x = 0.5, y = 0.5;
    if (strncmp(how, "none", 4) != 0) {
        sx = sy = strstr(how, "slice") ? fmax(sx, sy) : fmin(sx, sy);
        if (how[0] == 'x' && strlen(how) >= 8) {
            x = alignment(how + 1);
            y = alignment(how + 5);
        }
    }
    return (ts_svg_matrix){
        sx, 0, 0, sy, x * (width - sx * box[2]) - sx * box[0], y * (height - sy * box[3]) - sy * box[1]};
}

/* ---- Properties ---- */

/* The property's value within a style attribute: its first byte, and its length; NULL when it is not set there. The
 * last of several counts. */
static const char *in_style(const char *style, const char *name, size_t *length)
{
    const char *found = NULL;
    size_t name_length = strlen(name);
    while (*style) {
        size_t end = strcspn(style, ";");
        const char *at = style + strspn(style, " \t\n\r\f");
        if (at < style + end && strncmp(at, name, name_length) == 0) {
            at += name_length;
            at += strspn(at, " \t\n\r\f");
            if (*at == ':') {
                at++;
                at += strspn(at, " \t\n\r\f");
                if (at <= style + end) {
                    found = at;
                    *length = (size_t)(style + end - at);
                }
            }
        }
        style += end + (style[end] == ';');
    }
    return found;
}

bool ts_svg_property_is(const ts_svg_node *node, const char *name, const char *value, bool *present)
{
    const char *style = ts_svg_attribute_of(node, "style"), *found = NULL;
    size_t length = 0;
    if (style)
        found = in_style(style, name, &length);
    if (!found) {
        found = ts_svg_attribute_of(node, name);
        length = found ? strlen(found) : 0;
    }
    if (present)
        *present = found != NULL;
    if (!found)
        return false;
    while (length > 0 && is_space(*found)) {
        found++;
        length--;
    }
    const char *mark = memchr(found, '!', length); /* !important */
    if (mark)
        length = (size_t)(mark - found);
    while (length > 0 && is_space(found[length - 1]))
        length--;
    return length == strlen(value) && memcmp(found, value, length) == 0;
}
