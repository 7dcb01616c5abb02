/* SPDX-License-Identifier: MIT */
#include "shape/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/given.h"
#include "base/memory.h"
#include "base/text.h"

#define FILE_MAX ((size_t)64 << 20)
/* Elements drawn, counting each time that a <use> draws them, and how deep uses of uses go: a file of a kilobyte could
 * otherwise ask for 10^100 circles. */
#define DRAWN_MAX 200000
#define DEPTH_MAX 512

/* What an element inherits. */
typedef struct scope {
    ts_svg_matrix matrix; /* to the drawing's frame */
    ts_fill_rule rule;
    bool hidden;    /* visibility */
    double view[2]; /* size of the viewport; NAN: unknown */
} scope;

typedef struct named_node {
    const char *id;
    ts_svg_node *node;
} named_node;

typedef struct walk {
    ts_svg_tree *tree;
    ts_drawing *drawing;
    TS_ARRAY(named_node) named; /* elements with an id, sorted by it */
    size_t drawn;
    int depth;
} walk;

static void walk_free(walk *w)
{
    ts_array_free(&w->named);
}

static ts_status draw(walk *w, ts_svg_node *node, const scope *outer, const ts_svg_node *use, ts_error *error);

/* ---- Names and ids ---- */

/* "path 'star'", or "path at line 12" for one without an id. */
static void name_node(const ts_svg_node *node, char *name, size_t capacity)
{
    if (node->id && strlen(node->id) <= 40)
        snprintf(name, capacity, "%s '%s'", node->tag, node->id);
    else
        snprintf(name, capacity, "%s at line %d", node->tag, node->line);
}

/* The next element of the tree in the order of the file; NULL after the last. */
static ts_svg_node *next_node(ts_svg_node *node)
{
    if (node->child)
        return node->child;
    while (node && !node->next)
        node = node->parent;
    return node ? node->next : NULL;
}

/* By id, then by place in the file. */
static int compare_ids(const void *a, const void *b)
{
    const named_node *p = a, *q = b;
    int order = strcmp(p->id, q->id);
    return order != 0 ? order : (p->node->offset > q->node->offset) - (p->node->offset < q->node->offset);
}

static ts_status index_ids(walk *w, ts_error *error)
{
    for (ts_svg_node *node = w->tree->root; node; node = next_node(node))
        if (node->id)
            TS_TRY(ts_array_push(&w->named, ((named_node){node->id, node}), error));
    if (w->named.count > 0)
        qsort(w->named.item, w->named.count, sizeof *w->named.item, compare_ids);
    return TS_OK;
}

/* The first element of the file that has this id; NULL when none has. */
static ts_svg_node *find_id(const walk *w, const char *id)
{
    size_t low = 0, high = w->named.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(w->named.item[middle].id, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->named.count && strcmp(w->named.item[low].id, id) == 0 ? w->named.item[low].node : NULL;
}

static ts_status fail_missing_id(const walk *w, const char *id, const ts_svg_node *by, ts_error *error)
{
    ts_place place = ts_svg_node_place(w->tree, by);
    size_t count = w->named.count;
    if (count == 0)
        return ts_fail_at(error, TS_BAD_INPUT, place, "no element has the id '%.60s', or any id; give it one", id);
    const char **ids = ts_alloc(count, sizeof *ids);
    if (!ids)
        return ts_fail_memory(error, count * sizeof *ids);
    for (size_t i = 0; i < count; i++)
        ids[i] = w->named.item[i].id;
    const char *near = ts_nearest_name(id, ids, count);
    ts_free(ids);
    if (near)
        return ts_fail_at(error, TS_BAD_INPUT, place, "no element has the id '%.60s'; did you mean '%.60s'?", id, near);
    return ts_fail_at(error, TS_BAD_INPUT, place,
                      "no element has the id '%.60s'; look it up (Inkscape: Edit > XML Editor)", id);
}

/* ---- Scopes ---- */

/* The element's own properties and transform, on top of what it inherits. */
static ts_status enter(walk *w, const ts_svg_node *node, scope *s, ts_error *error)
{
    bool present = false;
    if (ts_svg_property_is(node, "fill-rule", "evenodd", &present))
        s->rule = TS_RULE_EVEN_ODD;
    else if (present && ts_svg_property_is(node, "fill-rule", "nonzero", NULL))
        s->rule = TS_RULE_NONZERO;
    if (ts_svg_property_is(node, "visibility", "visible", &present))
        s->hidden = false;
    else if (present && !ts_svg_property_is(node, "visibility", "inherit", NULL))
        s->hidden = true;
    const char *const ignored[] = {"clip-path", "mask", "transform"};
    for (int i = 0; i < 3; i++) {
        bool none = ts_svg_property_is(node, ignored[i], "none", &present);
        /* as an attribute a transform is read; in a style its syntax is another */
        bool counts = i < 2 || !ts_svg_attribute_of(node, "transform");
        if (present && !none && counts) {
            char name[64];
            name_node(node, name, sizeof name);
            TS_TRY(ts_drawing_note(w->drawing, error, "%s: its %s is ignored", name, ignored[i]));
        }
    }
    ts_svg_matrix own;
    TS_TRY(ts_svg_transform(w->tree, node, &own, error));
    s->matrix = ts_svg_compose(s->matrix, own);
    return TS_OK;
}

/* A nested <svg> or a <symbol>: its place, size and viewBox. A <use> may set its size. */
static ts_status enter_viewport(walk *w, const ts_svg_node *node, const ts_svg_node *use, scope *s, ts_error *error)
{
    double x = 0, y = 0, size[2] = {s->view[0], s->view[1]}, box[4];
    const char *const attribute[2] = {"width", "height"};
    bool has_box;
    TS_TRY(ts_svg_view_box(w->tree, node, box, &has_box, error));
    if (node->kind == TS_SVG_SVG) {
        TS_TRY(ts_svg_length(w->tree, node, "x", s->view[0], &x, error));
        TS_TRY(ts_svg_length(w->tree, node, "y", s->view[1], &y, error));
    }
    for (int i = 0; i < 2; i++) {
        const ts_svg_node *from = use && ts_svg_attribute_of(use, attribute[i]) ? use : node;
        TS_TRY(ts_svg_length(w->tree, from, attribute[i], s->view[i], &size[i], error));
        if (size[i] <= 0)
            return ts_fail_at(error, TS_BAD_INPUT, ts_svg_node_place(w->tree, from),
                              "\"%s\" of <%s> is %g; give a positive length", attribute[i], from->tag, size[i]);
    }
    s->matrix = ts_svg_compose(s->matrix, (ts_svg_matrix){1, 0, 0, 1, x, y});
    if (!has_box) {
        memcpy(s->view, size, sizeof size);
        return TS_OK;
    }
    if (isnan(size[0]) || isnan(size[1]))
        return ts_fail_at(error, TS_BAD_INPUT, ts_svg_node_place(w->tree, node),
                          "<%s> has a viewBox, but no size to fit it to; give it a width and a height", node->tag);
    s->matrix = ts_svg_compose(s->matrix, ts_svg_fit_view(node, box, size[0], size[1]));
    s->view[0] = box[2];
    s->view[1] = box[3];
    return TS_OK;
}

/* ---- Drawing ---- */

static ts_status draw_children(walk *w, ts_svg_node *node, const scope *s, ts_error *error)
{
    for (ts_svg_node *child = node->child; child; child = child->next) {
        TS_TRY(draw(w, child, s, NULL, error));
        if (node->kind == TS_SVG_SWITCH)
            break;
    }
    return TS_OK;
}

static ts_status draw_use(walk *w, ts_svg_node *node, scope *s, ts_error *error)
{
    ts_place place = ts_svg_node_place(w->tree, node);
    const char *target = ts_svg_attribute_of(node, "href");
    double x = 0, y = 0;
    if (!target || target[0] != '#')
        return ts_fail_at(error, TS_BAD_INPUT, place,
                          "<use> refers to '%.60s'; only elements of the same file, as in href=\"#id\", are read",
                          target ? target : "");
    ts_svg_node *used = find_id(w, target + 1);
    if (!used)
        return fail_missing_id(w, target + 1, node, error);
    if (used->busy)
        return ts_fail_at(error, TS_BAD_INPUT, place,
                          "<use> of '%.60s' stands within '%.60s' and would never end; remove it", target + 1,
                          target + 1);
    TS_TRY(ts_svg_length(w->tree, node, "x", s->view[0], &x, error));
    TS_TRY(ts_svg_length(w->tree, node, "y", s->view[1], &y, error));
    s->matrix = ts_svg_compose(s->matrix, (ts_svg_matrix){1, 0, 0, 1, x, y});
    return draw(w, used, s, node, error);
}

/* Adds the place to a failure that has none. */
static ts_status placed(ts_status status, ts_place place, const ts_error *inner, ts_error *error)
{
    if (status == TS_OK)
        return TS_OK;
    if (inner->line > 0)
        place = (ts_place){inner->file, inner->line, inner->column};
    if (status == TS_OUT_OF_MEMORY)
        return ts_fail_memory(error, 0);
    return ts_fail_at(error, status, place, "%s", inner->message);
}

static ts_status draw_shape(walk *w, ts_svg_node *node, const scope *s, ts_error *error)
{
    ts_path *path = &w->drawing->path;
    ts_svg_pen pen = {.path = path, .matrix = s->matrix};
    ts_drawing_part part = {
        .subpath_begin = path->subpath.count, .rule = s->rule, .place = ts_svg_node_place(w->tree, node)};
    name_node(node, part.name, sizeof part.name);
    ts_error inner = {0};
    ts_status status;
    bool empty = false;
    ts_svg_scan scan;
    if (node->kind != TS_SVG_PATH) {
        status = ts_svg_basic_shape(w->tree, node, s->view, &pen, &empty, &inner);
        TS_TRY(placed(status, part.place, &inner, error));
    } else if (ts_svg_scan_open(&scan, w->tree, node, "d")) {
        status = ts_svg_path_data(&scan, &pen, &inner);
        TS_TRY(placed(status, ts_svg_scan_place(&scan), &inner, error));
    }
    part.subpath_end = path->subpath.count;
    if (empty) {
        path->subpath.count = part.subpath_begin; /* what it drew, two points at most, is of no use */
        return ts_drawing_note(w->drawing, error, "%s: it has no area: ignored", part.name);
    }
    if (part.subpath_end == part.subpath_begin)
        return TS_OK; /* no data */
    return ts_array_push(&w->drawing->part, part, error);
}

static ts_status note_unread(walk *w, const ts_svg_node *node, ts_error *error)
{
    char name[64];
    name_node(node, name, sizeof name);
    if (node->kind == TS_SVG_TEXT)
        return ts_drawing_note(w->drawing, error,
                               "text '%s' is not read: convert it to paths (Inkscape: Path > Object to Path)",
                               node->text ? node->text : "");
    if (node->kind == TS_SVG_IMAGE)
        return ts_drawing_note(w->drawing, error, "%s is not read: trace it (Inkscape: Path > Trace Bitmap)", name);
    return ts_drawing_note(w->drawing, error, "%s: it has no area: ignored", name);
}

static ts_status draw_kind(walk *w, ts_svg_node *node, scope *s, const ts_svg_node *use, ts_error *error)
{
    switch (node->kind) {
    case TS_SVG_SYMBOL: /* only through <use> */
        if (!use)
            return TS_OK;
        TS_TRY(enter_viewport(w, node, use, s, error));
        return draw_children(w, node, s, error);
    case TS_SVG_SVG:
        TS_TRY(enter_viewport(w, node, use, s, error));
        return draw_children(w, node, s, error);
    case TS_SVG_GROUP:
    case TS_SVG_SWITCH:
        return draw_children(w, node, s, error);
    case TS_SVG_USE:
        return draw_use(w, node, s, error);
    case TS_SVG_TEXT:
    case TS_SVG_IMAGE:
    case TS_SVG_LINE:
        return s->hidden ? TS_OK : note_unread(w, node, error);
    case TS_SVG_STORE:
    case TS_SVG_STYLE:
    case TS_SVG_NONE:
        return TS_OK;
    default:
        return s->hidden ? TS_OK : draw_shape(w, node, s, error);
    }
}

/* Draws an element; `use` is the <use> that wants it, or NULL. */
static ts_status draw(walk *w, ts_svg_node *node, const scope *outer, const ts_svg_node *use, ts_error *error)
{
    if (ts_svg_property_is(node, "display", "none", NULL))
        return TS_OK;
    if (++w->drawn > DRAWN_MAX || w->depth >= DEPTH_MAX)
        return ts_fail_at(
            error, TS_BAD_INPUT, ts_svg_node_place(w->tree, use ? use : node),
            "the drawing's <use> elements unfold to more than %d elements, or deeper than %d; simplify it", DRAWN_MAX,
            DEPTH_MAX);
    scope s = *outer;
    node->busy = true;
    w->depth++;
    bool drawable = node->kind != TS_SVG_STORE && (node->kind != TS_SVG_SYMBOL || use);
    ts_status status = drawable ? enter(w, node, &s, error) : TS_OK;
    if (status == TS_OK)
        status = draw_kind(w, node, &s, use, error);
    w->depth--;
    node->busy = false;
    return status;
}

/* ---- The outermost <svg> ---- */

/* Its viewport, in user units: the viewBox, or else width and height where they are given. */
static ts_status root_view(walk *w, double view[2], double *unit, ts_error *error)
{
    ts_svg_node *root = w->tree->root;
    double box[4];
    bool has_box;
    TS_TRY(ts_svg_view_box(w->tree, root, box, &has_box, error));
    double width = ts_svg_absolute(root, "width"), height = ts_svg_absolute(root, "height");
    *unit = 0;
    view[0] = view[1] = (double)NAN;
    if (has_box) {
        /* fitted as a whole: the smaller scale holds, of those that are known */
        double scale = fmin(width > 0 ? width / box[2] : HUGE_VAL, height > 0 ? height / box[3] : HUGE_VAL);
        *unit = isfinite(scale) ? scale : 0;
        view[0] = box[2];
        view[1] = box[3];
        return TS_OK;
    }
    if (width > 0 || height > 0)
        *unit = 0.0254 / 96; /* a user unit is then a pixel, of which an inch has 96 */
    ts_error ignored;
    const char *const attribute[2] = {"width", "height"};
    for (int i = 0; i < 2; i++)
        if (ts_svg_length(w->tree, root, attribute[i], (double)NAN, &view[i], &ignored) != TS_OK)
            view[i] = (double)NAN; /* nobody may ever ask */
    return TS_OK;
}

/* All of the drawing, or the element that was asked for with the transforms of those around it. */
static ts_status draw_wanted(walk *w, const char *id, double *unit, ts_error *error)
{
    scope s = {.matrix = {1, 0, 0, 1, 0, 0}, .rule = TS_RULE_NONZERO};
    TS_TRY(root_view(w, s.view, unit, error));
    ts_svg_node *root = w->tree->root;
    if (w->tree->has_style_sheet)
        TS_TRY(ts_drawing_note(w->drawing, error,
                               "the style sheet <style> is ignored: only attributes of elements are read"));
    ts_svg_node *wanted = id ? find_id(w, id) : root;
    if (!wanted)
        return fail_missing_id(w, id, root, error);

    /* from the root down; the tree is at most 256 deep */
    ts_svg_node *chain[256 + 1];
    size_t count = 0;
    for (ts_svg_node *node = wanted; node && count < 257; node = node->parent)
        chain[count++] = node;
    bool shown = false;
    for (size_t i = count; i-- > 0;) {
        ts_svg_node *node = chain[i];
        shown = node == wanted && node != root && node->kind != TS_SVG_STORE && node->kind != TS_SVG_SYMBOL;
        if (shown)
            break;
        node->busy = true;
        TS_TRY(enter(w, node, &s, error));
        if (node != root && node->kind == TS_SVG_SVG)
            TS_TRY(enter_viewport(w, node, NULL, &s, error));
    }
    if (shown && ts_svg_property_is(wanted, "display", "none", NULL))
        return ts_fail_at(error, TS_BAD_INPUT, ts_svg_node_place(w->tree, wanted),
                          "the element '%.60s' is hidden (display: none); show it, or choose another", id);
    return shown ? draw(w, wanted, &s, NULL, error) : draw_children(w, wanted, &s, error);
}

ts_status ts_outline_parse_svg(const char *text, size_t length, const char *name, const ts_outline_options *options,
                               ts_outline **outline, double *unit, ts_error *error)
{
    TS_GIVEN(text, "drawing", error);
    TS_GIVEN(outline, "drawing", error);
    TS_AUTO(ts_svg_tree_free) ts_svg_tree tree = {0};
    TS_AUTO(ts_drawing_free) ts_drawing drawing = {.y_down = true};
    TS_AUTO(walk_free) walk w = {.tree = &tree, .drawing = &drawing};
    double metres = 0;
    name = name ? name : "the drawing";
    TS_TRY(ts_svg_tree_read(text, length, name, &tree, error));
    TS_TRY(index_ids(&w, error));
    TS_TRY(draw_wanted(&w, options ? options->id : NULL, &metres, error));
    TS_TRY(ts_drawing_outline(&drawing, options, name, outline, error));
    if (unit)
        *unit = metres;
    return TS_OK;
}

ts_status ts_outline_read_svg(const char *path, const ts_outline_options *options, ts_outline **outline, double *unit,
                              ts_error *error)
{
    TS_GIVEN(path, "drawing", error);
    TS_GIVEN(outline, "drawing", error);
    TS_AUTO_FREE char *text = NULL;
    size_t length = 0;
    TS_TRY(ts_file_read(path, FILE_MAX, &text, &length, error));
    return ts_outline_parse_svg(text, length, path, options, outline, unit, error);
}
