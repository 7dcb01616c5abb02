/* SPDX-License-Identifier: MIT */
#include "study/smooth_bodies.h"

#include "base/memory.h"
#include "record/draw.h"
#include "record/trace.h"
#include "shape/primitive_mesh.h"
#include "shape/solid_mass.h"
#include "study/figure.h"

/* Takes the mesh over in any case. */
static ts_status body_of(const ts_primitive *primitive, size_t count, ts_mesh **mesh, ts_sdf_body **body,
                         ts_error *error)
{
    TS_AUTO(ts_sdf_free_at) ts_sdf *sdf = NULL;
    TS_TRY(ts_sdf_create(primitive, count, &sdf, error));
    TS_TRY(ts_sdf_body_create(sdf, *mesh, body, error));
    sdf = NULL;
    *mesh = NULL;
    return TS_OK;
}

ts_status ts_smooth_superquadric(ts_vec3 half, double exponent, int cells, ts_sdf_body **body, ts_error *error)
{
    TS_AUTO(ts_mesh_free_at) ts_mesh *mesh = NULL;
    const ts_primitive one = {
        .kind = TS_PRIMITIVE_SUPERQUADRIC, .pose = ts_pose3_identity(), .size = half, .exponent = {exponent, exponent}};
    TS_TRY(ts_primitive_mesh(&one, cells, &mesh, error));
    return body_of(&one, 1, &mesh, body, error);
}

ts_status ts_smooth_jack(double length, size_t vertices, ts_sdf_body **body, ts_error *error)
{
    ts_primitive bar[3];
    for (int i = 0; i < 3; i++) {
        double half[3] = {0.125 * length, 0.125 * length, 0.125 * length};
        half[i] = 0.5 * length;
        bar[i] = (ts_primitive){.kind = TS_PRIMITIVE_SUPERQUADRIC,
                                .pose = ts_pose3_identity(),
                                .size = ts_vec3_of(half),
                                .exponent = {0.6, 0.6}};
    }
    TS_AUTO(ts_sdf_free_at) ts_sdf *sdf = NULL;
    TS_AUTO(ts_mesh_free_at) ts_mesh *mesh = NULL;
    TS_TRY(ts_sdf_create(bar, 3, &sdf, error));
    const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    TS_TRY(ts_sdf_mesh(sdf, &rule, &(ts_sdf_mesh_wish){.vertices = vertices}, &mesh, error));
    return body_of(bar, 3, &mesh, body, error);
}

ts_status ts_smooth_add_shape(ts_scene *scene, const char *name, const ts_sdf_body *body, int32_t *shape,
                              ts_error *error)
{
    const ts_smooth_info info = ts_smooth_get_info(body);
    TS_AUTO_FREE ts_smooth_piece *piece = NULL;
    TS_TRY(ts_new(&piece, info.pieces, error));
    for (size_t i = 0; i < info.pieces; i++)
        piece[i] = ts_smooth_get_piece(body, i);
    ts_smooth_def def = ts_default_smooth();
    def.piece = piece;
    def.piece_count = info.pieces;
    def.smoothing = info.smoothing;
    def.point = (const double(*)[3])body->mesh->vertex;
    def.point_count = body->mesh->vertex_count;
    def.triangle = (const int32_t(*)[3])body->mesh->triangle;
    def.triangle_count = body->mesh->triangle_count;
    const ts_piece_def smooth = {.kind = TS_PIECE_SMOOTH, .smooth = &def};
    ts_shape_def made = ts_default_shape();
    made.name = name;
    made.piece = &smooth;
    made.piece_count = 1;
    return ts_scene_add_shape(scene, &made, shape, error);
}

ts_status ts_smooth_add_floor(ts_scene *scene, ts_error *error)
{
    ts_wall_def floor = ts_default_wall();
    floor.kind = TS_WALL_FLAT;
    return ts_scene_add_wall(scene, &floor, NULL, error);
}

/* ---- Measures ---- */

ts_status ts_smooth_heights(const ts_sdf_body *body, ts_quat turn, double to[2], ts_error *error)
{
    ts_solid_mass mass;
    TS_TRY(ts_solid_mass_of_mesh(body->mesh, &mass, error));
    to[0] = HUGE_VAL;
    to[1] = -HUGE_VAL;
    for (size_t i = 0; i < body->mesh->vertex_count; i++) {
        const double z = ts_quat_apply(turn, ts_vec3_sub(body->mesh->vertex[i], mass.centre)).z;
        to[0] = fmin(to[0], z);
        to[1] = fmax(to[1], z);
    }
    return TS_OK;
}

double ts_smooth_shared_volume(const ts_sdf_body *a, const ts_sdf_body *b, ts_pose3 pose_a, ts_pose3 pose_b, int cells)
{
    const ts_box3 box = ts_sdf_bounds(a->sdf);
    const ts_vec3 cell = ts_vec3_scale(ts_vec3_sub(box.high, box.low), 1.0 / cells);
    const ts_sdf_rule rule_a = ts_sdf_default_rule(a->sdf), rule_b = ts_sdf_default_rule(b->sdf);
    size_t inside = 0;
    for (int i = 0; i < cells; i++)
        for (int j = 0; j < cells; j++)
            for (int k = 0; k < cells; k++) {
                const ts_vec3 p = ts_vec3_add(box.low, ts_vec3_times(cell, (ts_vec3){i + 0.5, j + 0.5, k + 0.5}));
                if (ts_sdf_at(a->sdf, &rule_a, p) < 0 &&
                    ts_sdf_at(b->sdf, &rule_b, ts_pose3_apply_inverse(pose_b, ts_pose3_apply(pose_a, p))) < 0)
                    inside++;
            }
    return (double)inside * cell.x * cell.y * cell.z;
}

ts_pose3 ts_smooth_pose(const ts_manifold_pose *pose)
{
    const double *q = pose->attitude;
    return (ts_pose3){ts_vec3_of(pose->position), {q[0], q[1], q[2], q[3]}};
}

/* ---- Pictures ---- */

/* Around the bodies of all panels of a row, so that they are seen with one camera. */
static ts_box3 stage_of(const ts_smooth_panel *row, int columns)
{
    ts_box3 all = ts_box3_none();
    for (int k = 0; k < 2 * columns; k++) {
        const ts_smooth_panel *panel = &row[k / 2];
        const ts_solid solid = {.kind = TS_SOLID_MESH, .mesh = panel->body[k % 2]->mesh};
        all = ts_box3_join(all, ts_solid_bounds(&solid, panel->pose[k % 2]));
    }
    return all;
}

static ts_status draw_panel(ts_trace *trace, const ts_smooth_panel *panel, ts_box3 stage, const ts_image *part,
                            ts_error *error)
{
    ts_solid solid[2];
    ts_thing thing[2];
    for (int i = 0; i < 2; i++) {
        solid[i] = (ts_solid){.kind = TS_SOLID_MESH, .mesh = panel->body[i]->mesh};
        thing[i] =
            (ts_thing){.solid = &solid[i], .pose = panel->pose[i], .scale = 1, .colour = ts_colour_kind((size_t)i)};
    }
    ts_view view = ts_default_view();
    view.thing = thing;
    view.thing_count = 2;
    view.stage = stage;
    view.ground = (ts_ground){true, view.stage.low.z};
    view.camera = ts_camera_framing(view.stage, (ts_vec3){0.5, -1, 0.25}, (ts_vec3){0, 0, 1}, 0.5,
                                    (double)part->width / part->height, TS_WHOLE_IMAGE);
    return ts_trace_draw(trace, &view, part, error);
}

static ts_status draw(ts_study *study, const void *user, const char *path, ts_error *error)
{
    (void)study;
    const ts_smooth_figure *f = user;
    const ts_picture_key key = {.kind = TS_KEY_NONE};
    ts_draw_options options = ts_default_draw_options();
    options.width = f->width;
    options.height = f->height;
    options.title = f->title;
    options.scale_bar = false;
    TS_AUTO(ts_canvas_free_at) ts_canvas *canvas = NULL;
    TS_AUTO(ts_trace_free_at) ts_trace *trace = NULL;
    TS_TRY(ts_canvas_create(&options, &canvas, error));
    TS_TRY(ts_trace_create(NULL, &trace, error));
    TS_TRY(ts_canvas_sheet_begin(canvas, f->columns, f->rows, &key, (ts_box){0, 0, 1, 1}, error));
    for (int i = 0; i < f->columns * f->rows; i++) {
        ts_image part;
        TS_TRY(ts_canvas_sheet_part(canvas, i, &key, &part, error));
        TS_TRY(draw_panel(trace, &f->panel[i], stage_of(&f->panel[i / f->columns * f->columns], f->columns), &part,
                          error));
        TS_TRY(ts_canvas_sheet_frame(canvas, &part, f->panel[i].label, error));
    }
    return ts_canvas_write_png(canvas, path, error);
}

ts_status ts_smooth_draw(ts_study *study, const ts_smooth_figure *figure, ts_error *error)
{
    return ts_figure_write(study, figure->file, "png", draw, figure, error);
}
