/* SPDX-License-Identifier: MIT */
#include "scene/compile.h"

#include <math.h>
#include <string.h>

#include "base/release.h"
#include "contact/faces.h"
#include "contact/forms.h"
#include "scene/compile_dynamics.h"
#include "scene/fingerprint.h"
#include "scene/generate.h"
#include "scene/script.h"
#include "scene/springs.h"
#include "scene/wall.h"
#include "shape/hull.h"
#include "world.h"

ts_status ts_model_take_bytes(ts_model *model, void **block, size_t count, size_t size, ts_error *error)
{
    TS_TRY(ts_new_bytes(block, count, size, true, error));
    model->bytes += count * size;
    return TS_OK;
}

ts_status ts_model_take_text(ts_model *model, const char *text, char **copy, ts_error *error)
{
    if (!text)
        return TS_OK;
    TS_TRY(ts_model_take(model, copy, strlen(text) + 1, error));
    memcpy(*copy, text, strlen(text));
    return TS_OK;
}

ts_body_label ts_compile_label(const ts_compiler *c, size_t body)
{
    return ts_body_label_of(c->scene, c->generator_begin, body);
}

/* ---- Shapes, materials, walls ---- */

static ts_status compile_shapes(ts_compiler *c)
{
    const size_t n = c->scene->shape.count, notes = c->scene->note.count;
    TS_TAKE(c, shape, n);
    c->model->shape_count = n;
    for (size_t i = 0; i < n; i++) {
        const ts_scene_shape *from = &c->scene->shape.item[i];
        TS_TRY(ts_model_take_text(c->model, from->name, &c->model->shape[i].name, c->error));
        TS_TRY(c->row->shape(c, from, &c->model->shape[i]));
    }
    TS_TAKE(c, note, notes);
    c->model->note_count = notes;
    for (size_t i = 0; i < notes; i++) {
        const ts_scene_note *from = &c->scene->note.item[i];
        c->model->note[i].shape = from->shape;
        TS_TRY(ts_model_take_text(c->model, from->text, &c->model->note[i].text, c->error));
    }
    return TS_OK;
}

static ts_status compile_materials(ts_compiler *c)
{
    size_t n = c->scene->material.count;
    TS_TAKE(c, material_name, n);
    TS_TAKE(c, density, n);
    TS_TAKE(c, law, n * n);
    c->model->material_count = n;
    for (size_t i = 0; i < n; i++) {
        c->model->density[i] = ts_scene_material_of(c->scene, i).density;
        TS_TRY(ts_model_take_text(c->model, c->scene->material.item[i].name, &c->model->material_name[i], c->error));
    }
    return TS_OK;
}

ts_status ts_compile_add_wall(ts_compiler *c, size_t source, ts_pose3 pose, ts_wall **wall)
{
    const ts_wall_def *def = &c->scene->wall.item[source].def;
    ts_wall *own = &c->model->wall[c->model->wall_count++];
    *own = (ts_wall){.kind = def->kind == TS_WALL_ROOM ? TS_WALL_FLAT : def->kind,
                     .source = (int32_t)source,
                     .material = def->material,
                     .motion = -1,
                     .open = HUGE_VAL,
                     .close = HUGE_VAL,
                     .pose = pose};
    if (wall)
        *wall = own;
    return ts_model_take_text(c->model, def->name, &own->name, c->error);
}

static ts_status compile_walls(ts_compiler *c)
{
    size_t count = 0;
    for (size_t i = 0; i < c->scene->wall.count; i++)
        count += c->scene->wall.item[i].def.kind == TS_WALL_ROOM ? 6 : 1;
    TS_TAKE(c, wall, count);
    for (size_t i = 0; i < c->scene->wall.count; i++)
        TS_TRY(c->row->wall(c, i));
    TS_TRY(ts_faces_create(c->model, &c->model->faces, c->error));
    c->model->bytes += c->model->faces ? c->model->faces->bytes : 0;
    return TS_OK;
}

/* ---- Bodies ---- */

/* Fills body i of the model, which looks as it was chosen. */
static ts_status set_body(ts_compiler *c, size_t i, const ts_body_def *def)
{
    const double *p = def->position, far = fmax(fmax(fabs(p[0]), fabs(p[1])), fabs(p[2]));
    ts_error why;
    c->model->body_material[i] = (uint8_t)def->material;
    ts_status status = c->row->set_body(c, i, def, c->model->density[def->material], &why);
    if (status == TS_OK && far > c->row->far * c->row->radius(c, i))
        return ts_fail_at(c->error, TS_BAD_INPUT, ts_compile_label(c, i).place,
                          "%s is %g m from the origin, more than %g of its radii: positions are too coarse there; move "
                          "the scene nearer",
                          ts_compile_label(c, i).text, far, c->row->far);
    if (status == TS_OK)
        return TS_OK;
    return ts_fail_at(c->error, TS_BAD_INPUT, ts_compile_label(c, i).place, "%s: %s; change its size or density",
                      ts_compile_label(c, i).text, why.message);
}

/* Bodies of the scene: all of them first, then one by one among the occupied places. */
static ts_status compile_bodies(ts_compiler *c)
{
    const size_t n = c->scene->body.count;
    TS_TAKE(c, mass, c->model->body_count);
    TS_TAKE(c, body_material, c->model->body_count);
    TS_TRY(c->row->take_bodies(c));
    for (size_t i = 0; i < n; i++) {
        const ts_scene_body *from = &c->scene->body.item[i];
        TS_TRY(c->row->choose(c, i, from->def.shape, from->def.scale, from->place));
        TS_TRY(set_body(c, i, &from->def));
    }
    /* large ones first, by octaves of size: that keeps searches short (scene/occupancy.h) */
    int high = INT32_MIN, next;
    for (size_t i = 0; i < n; i++) {
        int level = ts_occupancy_level_of(c->row->radius(c, i));
        high = level > high ? level : high;
    }
    for (int level = high; n > 0 && level != INT32_MIN; level = next) {
        next = INT32_MIN;
        for (size_t i = 0; i < n; i++) {
            int own = ts_occupancy_level_of(c->row->radius(c, i));
            if (own == level)
                TS_TRY(c->row->place_body(c, i));
            else if (own < level && own > next)
                next = own;
        }
    }
    return TS_OK;
}

static ts_status compile_generators(ts_compiler *c)
{
    const size_t *begin = c->generator_begin, n = c->scene->generator.count;
    size_t most = 0;
    for (size_t g = 0; g < n; g++)
        most = begin[g + 1] - begin[g] > most ? begin[g + 1] - begin[g] : most;
    if (most == 0)
        return TS_OK;
    TS_AUTO_FREE ts_body_def *grain = NULL;
    TS_TRY(ts_new(&grain, most, c->error));
    for (size_t g = 0; g < n; g++) {
        TS_TRY(ts_generate(c, g, grain));
        for (size_t i = begin[g]; i < begin[g + 1]; i++)
            TS_TRY(set_body(c, i, &grain[i - begin[g]]));
    }
    return TS_OK;
}

/* ---- All of it ---- */

static ts_status compile_things(ts_compiler *c)
{
    TS_TRY(ts_body_ids(c->scene, &c->generator_begin, &c->model->body_count, c->error));
    TS_TRY(compile_shapes(c));
    TS_TRY(compile_materials(c));
    TS_TRY(compile_walls(c));
    TS_TRY(ts_compile_dynamics(c->scene, c->model, c->error));
    TS_TRY(ts_script_compile(c->scene, c->generator_begin, c->model, c->error));
    TS_TRY(compile_bodies(c));
    return compile_generators(c);
}

static ts_status compile(ts_compiler *c)
{
    ts_status status = compile_things(c);
    ts_compile_hand_over(c); /* whatever happened: the model frees it */
    TS_TRY(status);
    ts_script_pivots(c->scene, c->generator_begin, c->model);
    TS_TRY(ts_springs_compile(c->scene, c->model, c->error));
    TS_TRY(c->row->parts(c));
    TS_TRY(ts_compile_times(c->scene, c->generator_begin, c->model, c->error));
    TS_TRY(c->row->check(c));
    ts_fingerprint fingerprint = ts_fingerprint_of(c->model);
    c->model->hash = ts_fingerprint_hash(&fingerprint);
    return TS_OK;
}

ts_status ts_model_compile(const ts_scene *scene, ts_model **model, ts_error *error)
{
    if (!scene || !model)
        return ts_fail(error, TS_BAD_INPUT, "model: scene or the address for the model is NULL; pass both");
    TS_AUTO(ts_model_free_at) ts_model *m = NULL;
    TS_TRY(ts_new(&m, 1, error));
    const ts_compile_row *row = scene->in->compile;
    m->bytes = sizeof *m;
    m->settings = scene->settings;
    m->world = row->world;
    m->dimension = m->world->dimension;
    m->gravity = row->gravity(scene);
    m->camera = scene->space.camera;
    ts_compiler c = {.scene = scene, .model = m, .error = error, .row = row, .occupied.axes = scene->in->axes};
    ts_status status = compile(&c);
    ts_free(c.generator_begin);
    ts_free(c.wall);
    ts_occupancy_free(&c.occupied);
    for (size_t i = 0; i < c.unit.count; i++)
        ts_sdf_body_free(c.unit.item[i].body);
    ts_array_free(&c.unit);
    TS_TRY(status);
    *model = ts_give(&m);
    return TS_OK;
}

void ts_model_free(ts_model *model)
{
    if (!model)
        return;
    for (size_t i = 0; model->shape && i < model->shape_count; i++) {
        ts_free(model->shape[i].name);
        ts_free(model->shape[i].disc);
        ts_outline_free(model->shape[i].outline);
    }
    for (size_t i = 0; model->material_name && i < model->material_count; i++)
        ts_free(model->material_name[i]);
    for (size_t i = 0; model->wall && i < model->wall_count; i++) {
        ts_free(model->wall[i].name);
        ts_wall_free(&model->wall[i]);
    }
    ts_faces_free(model->faces);
    ts_forms_free(model->forms);
    for (size_t i = 0; i < model->note_count; i++)
        ts_free(model->note[i].text);
    for (size_t i = 0; i < model->hull_count; i++)
        ts_hull_free(model->hull[i]);
    for (size_t i = 0; i < model->mesh_count; i++)
        ts_body_mesh_free(&model->mesh[i]);
    for (size_t i = 0; i < model->smooth_count; i++)
        ts_sdf_body_free(model->smooth[i]);
    for (size_t i = 0; model->motion && i < model->motion_count; i++)
        ts_free(model->motion[i].key);
    void *block[] = {
        model->body3,         model->mass,       model->inertia,       model->body_form,   model->part_owner,
        model->part_piece,    model->note,       model->form,          model->piece,       model->hull,
        model->mesh,          model->wall,       model->spring,        model->body,        model->inv_inertia,
        model->body_scale,    model->body_shape, model->body_material, model->body_motion, model->body_gate,
        model->part_begin,    model->part_body,  model->part_x,        model->part_y,      model->part_radius,
        model->shape,         model->motion,     model->gate,          model->law,         model->density,
        model->material_name, model->param,      model->smooth,        model->manifold};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++)
        ts_free(block[i]);
    ts_free(model);
}
