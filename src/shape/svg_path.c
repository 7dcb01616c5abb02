/* SPDX-License-Identifier: MIT */
/* Path data: the little language of the attribute d.
 *
 *     M 0 0 l10-5.5.5 a5 5 0 01 3,4 z      separators may be left out wherever a number cannot go on
 *
 * SVG draws up to the first mistake; a shape of which half is missing is worth nothing, so that here a mistake is
 * refused. */
#include <string.h>

#include "shape/svg.h"

typedef struct data {
    ts_svg_scan *scan;
    ts_svg_pen *pen;
    char command;
    bool relative;
    char before;     /* command before, in upper case: S and T mirror only what C, S and Q, T left */
    ts_vec2 control; /* last control point of that one */
} data;

static ts_status read_number(data *d, double *value, ts_error *error)
{
    ts_svg_scan *scan = d->scan;
    ts_svg_found found = ts_svg_what_is(scan);
    ts_error inner = {0};
    ts_status status = ts_svg_number(scan, value, &inner);
    if (status != TS_OK && strstr(inner.message, "expected a number"))
        return ts_fail_at(error, status, ts_svg_scan_place(scan), "path command %c: expected a number, found %s",
                          d->command, found.text);
    if (status != TS_OK)
        return ts_fail_at(error, status, ts_svg_scan_place(scan), "path command %c: %.900s", d->command, inner.message);
    ts_svg_skip(scan, true);
    return TS_OK;
}

static ts_status read_point(data *d, ts_vec2 *p, ts_error *error)
{
    TS_TRY(read_number(d, &p->x, error));
    TS_TRY(read_number(d, &p->y, error));
    if (d->relative)
        *p = ts_vec2_add(*p, d->pen->at);
    return TS_OK;
}

/* A flag is one digit, and needs no separator after it. */
static ts_status read_flag(data *d, bool *flag, ts_error *error)
{
    ts_svg_scan *scan = d->scan;
    char c = ts_svg_at_end(scan) ? 0 : scan->text[scan->at];
    if (c != '0' && c != '1')
        return ts_fail_at(error, TS_BAD_INPUT, ts_svg_scan_place(scan),
                          "path command %c: a flag of an arc must be 0 or 1, found %s", d->command,
                          ts_svg_what_is(scan).text);
    *flag = c == '1';
    scan->at++;
    ts_svg_skip(scan, true);
    return TS_OK;
}

static ts_status draw_arc(data *d, ts_error *error)
{
    ts_svg_arc arc = {0};
    ts_vec2 to;
    TS_TRY(read_number(d, &arc.rx, error));
    TS_TRY(read_number(d, &arc.ry, error));
    TS_TRY(read_number(d, &arc.turn, error));
    TS_TRY(read_flag(d, &arc.large, error));
    TS_TRY(read_flag(d, &arc.positive, error));
    TS_TRY(read_point(d, &to, error));
    return ts_svg_arc_to(d->pen, arc, to, error);
}

/* The control point that S and T imply: the last one, mirrored at the pen. */
static ts_vec2 mirrored(const data *d, const char *after)
{
    ts_vec2 at = d->pen->at;
    return d->before && strchr(after, d->before) ? (ts_vec2){2 * at.x - d->control.x, 2 * at.y - d->control.y} : at;
}

static ts_status draw_curve(data *d, char upper, ts_error *error)
{
    ts_vec2 control0, control1, to;
    if (upper == 'C')
        TS_TRY(read_point(d, &control0, error));
    else if (upper == 'S')
        control0 = mirrored(d, "CS");
    if (upper == 'C' || upper == 'S' || upper == 'Q')
        TS_TRY(read_point(d, &control1, error));
    else
        control1 = mirrored(d, "QT");
    TS_TRY(read_point(d, &to, error));
    d->control = control1;
    if (upper == 'C' || upper == 'S')
        return ts_svg_cubic(d->pen, control0, control1, to, error);
    return ts_svg_quadratic(d->pen, control1, to, error);
}

static ts_status draw_straight(data *d, char upper, ts_error *error)
{
    ts_vec2 to = d->pen->at;
    double value;
    if (upper == 'M' || upper == 'L') {
        TS_TRY(read_point(d, &to, error));
    } else {
        double *which = upper == 'H' ? &to.x : &to.y;
        TS_TRY(read_number(d, &value, error));
        *which = value + (d->relative ? *which : 0);
    }
    return upper == 'M' ? ts_svg_move(d->pen, to, error) : ts_svg_line(d->pen, to, error);
}

/* One set of arguments of the current command. */
static ts_status draw_segment(data *d, ts_error *error)
{
    char upper = (char)(d->command & ~0x20);
    ts_status status;
    if (strchr("MLHV", upper))
        status = draw_straight(d, upper, error);
    else if (strchr("CSQT", upper))
        status = draw_curve(d, upper, error);
    else if (upper == 'A')
        status = draw_arc(d, error);
    else
        status = ts_svg_close(d->pen, error);
    d->before = upper;
    return status;
}

ts_status ts_svg_path_data(ts_svg_scan *scan, ts_svg_pen *pen, ts_error *error)
{
    data d = {.scan = scan, .pen = pen};
    if (strcmp(scan->text, "none") == 0)
        return TS_OK;
    for (ts_svg_skip(scan, false); !ts_svg_at_end(scan);) {
        char c = scan->text[scan->at];
        if (strchr("MmLlHhVvCcSsQqTtAaZz", c)) {
            if (!d.command && c != 'M' && c != 'm')
                return ts_fail_at(error, TS_BAD_INPUT, ts_svg_scan_place(scan),
                                  "path data begins with %s; begin it with M", ts_svg_what_is(scan).text);
            d.command = c;
            d.relative = c >= 'a';
            scan->at++;
            ts_svg_skip(scan, false);
        } else if (!d.command || (d.command & ~0x20) == 'Z' || !strchr("0123456789+-.", c)) {
            return ts_fail_at(error, TS_BAD_INPUT, ts_svg_scan_place(scan),
                              "%s is no path command; use M, L, H, V, C, S, Q, T, A or Z", ts_svg_what_is(scan).text);
        } else if ((d.command & ~0x20) == 'M') {
            d.command = d.relative ? 'l' : 'L'; /* more points after a move are lines */
        }
        TS_TRY(draw_segment(&d, error));
    }
    return TS_OK;
}
