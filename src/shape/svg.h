/* SPDX-License-Identifier: MIT */
/* Reading SVG, from the inside.
 *
 *     text ──svg_tree.c──▶ tree of elements ──svg.c──▶ shapes, with <use> followed ──svg_pen.c──▶ drawing ──▶ outline
 *                                 values of attributes: svg_values.c     path data: svg_path.c
 *
 * All that comes from a file is bounded: bytes, elements, nesting, elements drawn through <use>, edges. Entities and
 * anything outside the file are refused or left alone. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "base/status.h"
#include "shape/drawing.h"

/* ---- Tree (svg_tree.c) ---- */

typedef enum ts_svg_kind {
    TS_SVG_NONE = 0, /* not of interest: left out with all that is in it */
    TS_SVG_SVG,
    TS_SVG_GROUP,  /* <g>, <a> */
    TS_SVG_SWITCH, /* the first child that can be drawn */
    TS_SVG_STORE,  /* <defs>, <clipPath> and the like: drawn only through <use> */
    TS_SVG_SYMBOL,
    TS_SVG_USE,
    TS_SVG_PATH,
    TS_SVG_RECT,
    TS_SVG_CIRCLE,
    TS_SVG_ELLIPSE,
    TS_SVG_POLYGON,
    TS_SVG_POLYLINE,
    TS_SVG_LINE,
    TS_SVG_TEXT,
    TS_SVG_IMAGE,
    TS_SVG_STYLE
} ts_svg_kind;

typedef struct ts_svg_attribute {
    const char *name; /* "href" for xlink:href too */
    const char *value;
} ts_svg_attribute;

typedef struct ts_svg_node {
    ts_svg_kind kind;
    const char *tag;
    const char *id;   /* NULL when it has none */
    const char *text; /* the beginning of a <text>'s content; NULL elsewhere */
    ts_svg_attribute *attribute;
    size_t attribute_count;
    struct ts_svg_node *parent, *child, *last, *next;
    int line, column; /* of its '<' */
    size_t offset;    /* the same in bytes */
    bool busy;        /* being drawn: a <use> of it would never end */
} ts_svg_node;

typedef struct ts_svg_tree {
    ts_arena arena;
    ts_svg_node *root;
    size_t node_count;
    bool has_style_sheet;
    const char *source; /* borrowed */
    size_t source_length;
    const char *file;
} ts_svg_tree;

/* `tree` comes zeroed and is the caller's to free, also after a failure. */
ts_status ts_svg_tree_read(const char *text, size_t length, const char *name, ts_svg_tree *tree, ts_error *error);
void ts_svg_tree_free(ts_svg_tree *tree);
ts_place ts_svg_node_place(const ts_svg_tree *tree, const ts_svg_node *node);
/* The value of an attribute; NULL when it is not there. */
const char *ts_svg_attribute_of(const ts_svg_node *node, const char *name);

/* ---- Values (svg_values.c) ---- */

/* x' = a x + c y + e, y' = b x + d y + f */
typedef struct ts_svg_matrix {
    double a, b, c, d, e, f;
} ts_svg_matrix;

/* An attribute's value and how far it has been read. */
typedef struct ts_svg_scan {
    const ts_svg_tree *tree;
    const ts_svg_node *node;
    const char *attribute;
    const char *text;
    size_t length, at;
} ts_svg_scan;

/* False when the attribute is not there. */
bool ts_svg_scan_open(ts_svg_scan *scan, const ts_svg_tree *tree, const ts_svg_node *node, const char *attribute);
/* Skips spaces; with comma: spaces around at most one comma. */
void ts_svg_skip(ts_svg_scan *scan, bool comma);
bool ts_svg_at_end(const ts_svg_scan *scan);
/* A number of sane size; skips nothing. */
ts_status ts_svg_number(ts_svg_scan *scan, double *value, ts_error *error);
/* What stands there, for messages: "'x'" or "the end". */
typedef struct ts_svg_found {
    char text[16];
} ts_svg_found;
ts_svg_found ts_svg_what_is(const ts_svg_scan *scan);
/* The place in the file of what is to be read next, where that can be told; else the element's. */
ts_place ts_svg_scan_place(const ts_svg_scan *scan);

/* A length in user units; `value` stays when the attribute is not there. Per cent are of `whole`, which may be NAN:
 * unknown. */
ts_status ts_svg_length(const ts_svg_tree *tree, const ts_svg_node *node, const char *attribute, double whole,
                        double *value, ts_error *error);
/* The metres of an absolute length (mm, cm, in, pt, pc; not px); 0 for any other, or none. */
double ts_svg_absolute(const ts_svg_node *node, const char *attribute);
/* The attribute `transform`; the identity when there is none. One that cannot be undone is refused. */
ts_status ts_svg_transform(const ts_svg_tree *tree, const ts_svg_node *node, ts_svg_matrix *matrix, ts_error *error);
ts_svg_matrix ts_svg_compose(ts_svg_matrix outer, ts_svg_matrix inner);
/* [x, y, width, height]; *present says whether there is a viewBox. */
ts_status ts_svg_view_box(const ts_svg_tree *tree, const ts_svg_node *node, double box[4], bool *present,
                          ts_error *error);
/* Maps the viewBox to a viewport of this size by preserveAspectRatio. */
ts_svg_matrix ts_svg_fit_view(const ts_svg_node *node, const double box[4], double width, double height);
/* A property, from style="…" or else the attribute of its name, compared with `value`. *present: it is set at all. */
bool ts_svg_property_is(const ts_svg_node *node, const char *name, const char *value, bool *present);

/* ---- Pen (svg_pen.c): from an element's coordinates to the drawing's ---- */

typedef struct ts_svg_pen {
    ts_path *path;
    ts_svg_matrix matrix;
    ts_vec2 at, start; /* pen and start of the subpath, in the element's coordinates */
} ts_svg_pen;

ts_status ts_svg_move(ts_svg_pen *pen, ts_vec2 to, ts_error *error);
ts_status ts_svg_line(ts_svg_pen *pen, ts_vec2 to, ts_error *error);
ts_status ts_svg_cubic(ts_svg_pen *pen, ts_vec2 control0, ts_vec2 control1, ts_vec2 to, ts_error *error);
ts_status ts_svg_quadratic(ts_svg_pen *pen, ts_vec2 control, ts_vec2 to, ts_error *error);
/* An elliptic arc about `centre` by `sweep` [rad] from u towards v, conjugate radii; the pen is at centre + u. */
ts_status ts_svg_conic(ts_svg_pen *pen, ts_vec2 centre, ts_vec2 v, double sweep, ts_vec2 to, ts_error *error);
/* As the command A has it; `turn` [degrees]. */
typedef struct ts_svg_arc {
    double rx, ry, turn;
    bool large, positive;
} ts_svg_arc;
ts_status ts_svg_arc_to(ts_svg_pen *pen, ts_svg_arc arc, ts_vec2 to, ts_error *error);
ts_status ts_svg_close(ts_svg_pen *pen, ts_error *error);

/* ---- Shapes ---- */

/* Draws the path data of an element, attribute d (svg_path.c). */
ts_status ts_svg_path_data(ts_svg_scan *scan, ts_svg_pen *pen, ts_error *error);
/* Draws any of the basic shapes; *empty: it has no extent (svg_pen.c). `view` is the viewport's size. */
ts_status ts_svg_basic_shape(const ts_svg_tree *tree, const ts_svg_node *node, const double view[2], ts_svg_pen *pen,
                             bool *empty, ts_error *error);
