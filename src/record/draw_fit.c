/* SPDX-License-Identifier: MIT */
#include "record/draw_fit.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "record/draw_arrows.h"
#include "record/draw_paint.h"
#include "shape/primitive_mesh.h"

/* Squares along a side of a piece's cube. */
#define CELLS 24
/* Lines of the contact mesh, over the longest side. */
#define WIRE_WIDTH     0.0022
#define ROW_HEIGHT     0.34 /* over the width */
#define ROW_OF_SEVERAL 0.27

enum { COLUMNS = 3 };

/* What one panel shows. */
typedef struct stage {
    ts_thing_array things;
    ts_solid *solid;
    TS_ARRAY(ts_mesh *) mesh; /* own ones */
    ts_arrows wires;
} stage;

static void clear(stage *s)
{
    for (size_t i = 0; i < s->mesh.count; i++)
        ts_mesh_free(s->mesh.item[i]);
    ts_array_free(&s->mesh);
    ts_array_free(&s->things);
    ts_free(s->solid);
    ts_arrows_release(&s->wires);
    *s = (stage){0};
}

static ts_status add(stage *s, const ts_solid *solid, ts_colour colour, uint32_t flags, ts_error *error)
{
    const ts_thing thing = {.solid = solid, .pose = ts_pose3_identity(), .scale = 1, .colour = colour, .flags = flags};
    return ts_array_push(&s->things, thing, error);
}

static ts_status set_mesh(stage *s, const ts_mesh *mesh, ts_error *error)
{
    TS_TRY(ts_new(&s->solid, 1, error));
    s->solid[0] = (ts_solid){.kind = TS_SOLID_MESH, .mesh = mesh};
    return add(s, &s->solid[0], ts_colour_of(0xb9b4aa), 0, error);
}

static ts_status set_pieces(stage *s, const ts_sdf *sdf, ts_error *error)
{
    const size_t count = ts_sdf_count(sdf);
    TS_TRY(ts_new(&s->solid, count, error));
    TS_TRY(ts_array_reserve(&s->mesh, count, error)); /* NOLINT(bugprone-sizeof-expression): of pointers */
    for (size_t i = 0; i < count; i++) {
        const ts_primitive *piece = ts_sdf_primitive(sdf, i);
        TS_TRY(ts_primitive_mesh(piece, CELLS, &s->mesh.item[s->mesh.count], error));
        s->solid[i] = (ts_solid){.kind = TS_SOLID_MESH, .mesh = s->mesh.item[s->mesh.count++]};
        TS_TRY(add(s, &s->solid[i], ts_colour_kind(i), piece->subtract ? TS_THING_GHOST | TS_THING_TINTED : 0, error));
    }
    return TS_OK;
}

static ts_status set_body(stage *s, const ts_sdf_body *body, double length, ts_error *error)
{
    TS_TRY(ts_new(&s->solid, 1, error));
    s->solid[0] = (ts_solid){.kind = TS_SOLID_MESH, .mesh = body->mesh};
    TS_TRY(add(s, &s->solid[0], ts_colour_mix(ts_colour_kind(0), ts_colour_of(0xffffff), 0.35), 0, error));
    TS_TRY(ts_arrows_reserve(&s->wires, body->edge_count, error));
    for (size_t k = 0; k < body->edge_count; k++)
        TS_TRY(ts_arrows_line(&s->wires, body->mesh->vertex[body->edge[k][0]], body->mesh->vertex[body->edge[k][1]],
                              WIRE_WIDTH * length, ts_colour_of(0x24405e), &s->things, error));
    return TS_OK;
}

/* ---- The eye ---- */

static ts_box3 box_of(const ts_fit_picture *fit)
{
    return ts_box3_join(ts_mesh_bounds(fit->mesh ? fit->mesh : fit->body->mesh), ts_mesh_bounds(fit->body->mesh));
}

/* Up is y where that is the longest side, as of figures that stand in files of the graphics world; else z. The eye looks along the
 * shorter of the two others. */
static void place_eye(ts_box3 box, bool behind, double aspect, ts_view *view)
{
    const ts_vec3 span = ts_vec3_sub(box.high, box.low);
    const bool stands = span.y > 1.05 * span.x && span.y > 1.05 * span.z;
    const double side = behind ? -1 : 1;
    ts_vec3 from;
    if (stands)
        from = span.z <= 1.2 * span.x ? (ts_vec3){0.55 * side, 0.3, -side} : (ts_vec3){side, 0.3, 0.55 * side};
    else
        from = span.y <= span.x ? (ts_vec3){0.5 * side, -side, 0.55} : (ts_vec3){side, 0.5 * side, 0.55};
    if (!stands && span.z < 0.5 * fmin(span.x, span.y)) /* it lies flat */
        from.z = behind ? -1.1 : 1.3;
    view->up = stands ? (ts_vec3){0, 1, 0} : (ts_vec3){0, 0, 1};
    view->camera = ts_camera_framing(box, from, view->up, 0.35, aspect, TS_WHOLE_IMAGE);
    const ts_vec3 back = ts_vec3_unit(ts_vec3_sub(view->camera.position, view->camera.target)),
                  right = ts_vec3_unit(ts_vec3_cross(view->up, back)), above = ts_vec3_cross(back, right);
    view->light.sun = ts_vec3_add_scaled(ts_vec3_add_scaled(ts_vec3_scale(above, 0.8), right, -0.55), back, 0.7);
}

static ts_status draw_row(ts_canvas *canvas, ts_trace *trace, const ts_fit_picture *fit, int row, bool behind,
                          const ts_smooth_look *look, ts_error *error)
{
    const ts_picture_key key = {.kind = TS_KEY_NONE};
    const ts_box3 box = box_of(fit);
    const ts_vec3 span = ts_vec3_sub(box.high, box.low);
    char text[COLUMNS][160];
    snprintf(text[0], sizeof text[0], "%s", fit->mesh_label ? fit->mesh_label : "");
    snprintf(text[1], sizeof text[1], "%zu superquadric%s", ts_sdf_count(fit->body->sdf),
             ts_sdf_count(fit->body->sdf) == 1 ? "" : "s");
    snprintf(text[2], sizeof text[2], "%zu vertices, %zu edges on their surface", fit->body->mesh->vertex_count,
             fit->body->edge_count);
    for (int k = 0; k < COLUMNS; k++) {
        TS_AUTO(clear) stage s = {0};
        if (k == 0 && fit->mesh)
            TS_TRY(set_mesh(&s, fit->mesh, error));
        else if (k == 1)
            TS_TRY(set_pieces(&s, fit->body->sdf, error));
        else if (k == 2)
            TS_TRY(set_body(&s, fit->body, fmax(span.x, fmax(span.y, span.z)), error));
        ts_image part;
        TS_TRY(ts_canvas_sheet_part(canvas, row * COLUMNS + k, &key, &part, error));
        ts_view view = ts_default_view();
        view.thing = s.things.item;
        view.thing_count = s.things.count;
        view.stage = box;
        view.theme = look->theme;
        view.grid = 0;
        place_eye(box, behind, (double)part.width / part.height, &view);
        TS_TRY(ts_trace_draw(trace, &view, &part, error));
        TS_TRY(ts_canvas_sheet_frame(canvas, &part, text[k], error));
    }
    return TS_OK;
}

ts_status ts_draw_fits(const char *path, const ts_fit_picture *fit, size_t count, const ts_smooth_look *look,
                       ts_error *error)
{
    const ts_picture_key key = {.kind = TS_KEY_NONE};
    const int rows = count == 1 ? 2 : (int)count;
    ts_draw_options options = ts_default_draw_options();
    options.width = look->width ? look->width : 1400;
    options.height = (int)((count == 1 ? ROW_HEIGHT : ROW_OF_SEVERAL) * options.width * rows) + 60;
    options.theme = look->theme;
    options.title = look->title;
    options.scale_bar = false;
    options.pool = look->pool;
    TS_AUTO(ts_canvas_free_at) ts_canvas *canvas = NULL;
    TS_AUTO(ts_trace_free_at) ts_trace *trace = NULL;
    TS_TRY(ts_canvas_create(&options, &canvas, error));
    TS_TRY(ts_trace_create(look->pool, &trace, error));
    TS_TRY(ts_canvas_sheet_begin(canvas, COLUMNS, rows, &key, (ts_box){0, 0, 1, 1}, error));
    for (int row = 0; row < rows; row++)
        TS_TRY(draw_row(canvas, trace, &fit[count == 1 ? 0 : row], row, count == 1 && row == 1, look, error));
    return ts_canvas_write_png(canvas, path, error);
}
