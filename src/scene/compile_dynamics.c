/* SPDX-License-Identifier: MIT */
#include "scene/compile_dynamics.h"

#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "scene/body_ids.h"
#include "scene/compile.h"
#include "scene/script.h"
#include "scene/springs.h"
#include "world.h"

/* A run of more steps than a double counts exactly. */
#define STEPS_MAX 9007199254740992.0
/* Steps of a run at least, and of one in which nothing moves but by scripts. */
#define STEPS_MIN             100
#define STEPS_WITHOUT_CONTACT 1000
/* The skin as a share of the smallest radius that moves: about what makes rebuilding and looking farther cost the same.
 * */
#define SKIN_SHARE 0.2

ts_material_def ts_scene_material_of(const ts_scene *scene, size_t index)
{
    return ts_material_inherit(&scene->material.item[index].def, &scene->material.item[0].def);
}

/* The materials of the scene as a dynamics gets to see them; freed by the caller. */
static ts_status open_materials(const ts_scene *scene, ts_material_def **materials, ts_error *error)
{
    const size_t n = scene->material.count;
    TS_TRY(ts_new(materials, n, error));
    for (size_t i = 0; i < n; i++)
        (*materials)[i] = ts_scene_material_of(scene, i);
    return TS_OK;
}

static ts_compiling compiling(const ts_scene *scene, ts_model *model, const ts_material_def *materials)
{
    return (ts_compiling){.model = model,
                          .param = model->param,
                          .material = materials,
                          .pair = scene->pair.item,
                          .pair_count = scene->pair.count,
                          .place = scene->dynamics_place,
                          .step_place = scene->settings_place};
}

/* ---- The dynamics ---- */

/* Whether the scene says what its contact maps shall be, or has some. */
static bool wants_maps(const ts_scene *scene)
{
    const ts_map_options *m = &scene->map;
    return scene->given_map.count > 0 || m->kind != TS_MAP_AUTO || m->error > 0 || m->bytes > 0 || m->no_folding ||
           m->smoothing > 0 || m->grid > 0 || m->refine || m->depth > 0 || m->width > 0 ||
           m->encoding != TS_ENCODING_CIRCLE || m->samples > 0;
}

static ts_status compile_places(const ts_scene *scene, ts_model *model, ts_error *error)
{
    const char *name = scene->places;
    if (!name || strcmp(name, "auto") == 0)
        model->places = wants_maps(scene) ? TS_PLACES_MAP : TS_PLACES_FEATURES;
    else if (strcmp(name, "one") == 0)
        model->places = TS_PLACES_ONE;
    else if (strcmp(name, "map") == 0)
        model->places = TS_PLACES_MAP;
    else if (strcmp(name, "features") == 0)
        model->places = TS_PLACES_FEATURES;
    else
        return ts_fail_at(error, TS_BAD_INPUT, scene->dynamics_place,
                          "dynamics: places is \"%.60s\"; choose \"auto\", \"features\", \"map\" or \"one\"", name);
    if (model->places == TS_PLACES_FEATURES && scene->given_map.count > 0)
        return ts_fail_at(
            error, TS_BAD_INPUT, scene->dynamics_place,
            "dynamics: places \"features\" uses no contact maps, but the scene brings some along; leave out "
            "\"places\", or the map files");
    return TS_OK;
}

/* The model's own parameters: one block, with texts behind them. */
static ts_status take_param(const ts_scene *scene, ts_model *model, ts_error *error)
{
    const ts_dynamics *dynamics = model->dynamics;
    const char *from = scene->param ? scene->param : dynamics->defaults;
    size_t bytes = dynamics->param_bytes;
    if (bytes == 0)
        return TS_OK;
    for (size_t i = 0; i < dynamics->field_count; i++)
        if (dynamics->field[i].type == TS_FIELD_TEXT)
            bytes += strlen(*(const char *const *)(from + dynamics->field[i].offset)) + 1;
    TS_TRY(ts_model_take_bytes(model, &model->param, bytes, 1, error));
    memcpy(model->param, from, dynamics->param_bytes);
    char *end = (char *)model->param + dynamics->param_bytes;
    for (size_t i = 0; i < dynamics->field_count; i++) {
        const size_t offset = dynamics->field[i].offset;
        if (dynamics->field[i].type != TS_FIELD_TEXT)
            continue;
        const char *text = *(const char *const *)(from + offset);
        const size_t size = strlen(text) + 1;
        *(const char **)((char *)model->param + offset) = end;
        memcpy(end, text, size);
        end += size;
    }
    return TS_OK;
}

ts_status ts_compile_dynamics(const ts_scene *scene, ts_model *model, ts_error *error)
{
    const ts_dynamics *dynamics = scene->dynamics ? scene->dynamics : ts_dynamics_default(model->dimension);
    model->dynamics = dynamics;
    model->resolver = ts_dynamics_resolver(dynamics, model->dimension);
    if (!model->resolver)
        return ts_fail_at(error, TS_UNSUPPORTED, scene->dynamics_place,
                          "dynamics: \"%s\" does not take bodies in %s; choose another kind, such as \"%s\"",
                          dynamics->name, model->world->plot, ts_dynamics_default(model->dimension)->name);
    model->search = model->resolver->search;
    model->exact_walls = model->resolver->exact_walls;
    model->map_error = model->resolver->map_error;
    TS_TRY(take_param(scene, model, error));
    TS_TRY(compile_places(scene, model, error));
    if (!dynamics->compile)
        return TS_OK;
    TS_AUTO_FREE ts_material_def *materials = NULL;
    TS_TRY(open_materials(scene, &materials, error));
    ts_compiling c = compiling(scene, model, materials);
    return dynamics->compile(&c, error);
}

/* ---- Time step ---- */

/* Shortens a step so that it divides the duration, and leaves it alone where it does already. */
static double whole_step(double duration, double step)
{
    const double rounding = 1e-14; /* of the quotient: a step that divides the duration is left as it is */
    return duration / ceil(duration / step * (1 - rounding));
}

static void shorten(double limit, const char *why, double *step, const char **reason)
{
    if (limit < *step) {
        *step = limit;
        *reason = why;
    }
}

/* The time step of a scene that asks for none; `springs` is their largest stable one. */
static double derive_time_step(const ts_compiling *c, double springs, const char **reason)
{
    const ts_settings *s = &c->model->settings;
    const ts_resolver *resolver = c->model->resolver;
    const char *why = "the stable step sets";
    double step = HUGE_VAL, own = resolver->time_step ? resolver->time_step(c, &why) : 0.5 * c->model->stable_step;
    shorten(own, why, &step, reason);
    shorten(TS_SPRING_STEP_SHARE * springs, "the springs' fastest oscillation sets", &step, reason);
    if (isinf(step))
        step = s->duration / STEPS_WITHOUT_CONTACT;
    shorten(s->duration / STEPS_MIN, NULL, &step, reason);
    /* At least STEPS_MIN steps, so that this shortens by less than 1 %. It commutes with scaling by powers of two. */
    return whole_step(s->duration, step);
}

/* `body` sets the stable step; -1: none does, or springs do, which have their own check. */
static ts_status check_time_step(const ts_scene *scene, const size_t *generator_begin, const ts_model *m, int64_t body,
                                 ts_error *error)
{
    const ts_settings *s = &m->settings;
    const ts_place place = scene->settings_place;
    if (s->time_step > m->stable_step && body >= 0)
        return ts_fail_at(
            error, TS_BAD_INPUT, place,
            "scene: time_step %g s is too long for %s of %g kg; take at most %g s, lower the stiffness or "
            "damping, or leave time_step out",
            s->time_step, ts_body_label_of(scene, generator_begin, (size_t)body).text, m->mass[body], m->stable_step);
    if (!isnormal(s->time_step) || !(s->duration / s->time_step <= STEPS_MAX))
        return ts_fail_at(error, TS_BAD_INPUT, place,
                          "scene: a time step of %g s is too short for a duration of %g s; shorten the duration, or %s",
                          s->time_step, s->duration,
                          m->dynamics->springs ? "lower the stiffness"
                                               : "lower the speed or frequency that sets the step");
    if (s->time_step > s->duration)
        return ts_fail_at(error, TS_BAD_INPUT, place,
                          "scene: time_step %g s is longer than the duration of %g s; shorten it, or leave it out",
                          s->time_step, s->duration);
    return TS_OK;
}

/* An interval that was given; one that is derived is 0 here. */
static ts_status check_interval(const ts_scene *scene, const ts_model *m, const char *key, double interval,
                                ts_error *error)
{
    const double rounding = 1e-9; /* of values that are meant to be equal */
    double step = m->settings.time_step;
    if (interval > 0 && interval < step * (1 - rounding))
        return ts_fail_at(error, TS_BAD_INPUT, scene->settings_place,
                          "output: %s %g s is below the time step of %g s; take at least one step, or give a shorter "
                          "time_step",
                          key, interval, step);
    return TS_OK;
}

/* Intervals of output that the scene gives are checked against the time step, those that it leaves open are set. How often
 * one looks changes no result: frames that are asked for more often than there are derived steps come at each step. */
static ts_status set_intervals(const ts_scene *scene, bool derived, ts_model *model, ts_error *error)
{
    ts_settings *s = &model->settings;
    if (derived && s->frame_interval > 0)
        s->frame_interval = fmax(s->frame_interval, s->time_step);
    TS_TRY(check_interval(scene, model, "frame_interval", s->frame_interval, error));
    TS_TRY(check_interval(scene, model, "energy_interval", s->energy_interval, error));
    if (!(s->frame_interval > 0))
        s->frame_interval = fmax(s->duration / 100, s->time_step);
    if (!(s->energy_interval > 0))
        s->energy_interval = s->frame_interval;
    return TS_OK;
}

/* ---- Skin ---- */

/* Looking farther costs outlines little: pairs that are apart are left alone (contact/mapped.h). */
static double smallest_part(const ts_model *m, bool free_only)
{
    double smallest = HUGE_VAL;
    for (size_t i = 0; i < m->body_count; i++) {
        const ts_shape *shape = &m->shape[m->body_shape[i]];
        if (!free_only || ts_model_moves(m, i))
            smallest = fmin(smallest, (shape->outline ? 0.5 * shape->radius : shape->inner) * m->body_scale[i]);
    }
    return smallest;
}

/* How much farther than touching the plane's broad phase looks [m]; that of space sees to it by itself. */
static double derive_skin(const ts_compiling *c)
{
    const ts_model *m = c->model;
    double smallest_free = smallest_part(m, true);
    if (!isfinite(smallest_free))
        smallest_free = smallest_part(m, false);
    const double skin = SKIN_SHARE * smallest_free + m->reach;
    if (!m->search.throughout || ts_model_sweeps(m))
        return skin;
    /* A list has to hold for a whole step: half of it covers half a step's way, here four times that of the fastest
     * that is expected. More than its radius in a step nothing may go anyway. */
    return fmax(skin, fmin(4 * m->settings.time_step * c->look.speed, 1.25 * c->look.largest));
}

/* ---- All of it ---- */

static ts_status derive(const ts_scene *scene, const size_t *generator_begin, ts_compiling *c, ts_error *error)
{
    ts_model *m = c->model;
    const ts_resolver *resolver = m->resolver;
    ts_settings *s = &m->settings;
    int64_t body = -1, spring;
    double springs;
    TS_TRY(ts_look_ahead(m, ts_script_speed(m), &c->look, error));
    if (m->dynamics->derive)
        TS_TRY(m->dynamics->derive(c, error));
    else
        ts_fill_laws(c, 1, false);
    m->stable_step = resolver->stable_step ? resolver->stable_step(m, &body) : HUGE_VAL;
    TS_TRY(ts_springs_stable_step(m, &springs, &spring, error));
    if (spring >= 0) /* what contacts and springs do to one body adds up: ω² = ω_c² + ω_s² */
        m->stable_step = 1 / hypot(1 / m->stable_step, 1 / springs);
    const bool derived = !(s->time_step > 0);
    if (derived)
        s->time_step = derive_time_step(c, springs, &m->step_reason);
    TS_TRY(ts_springs_check_step(scene, m, springs, spring, error));
    TS_TRY(check_time_step(scene, generator_begin, m, body, error));
    TS_TRY(set_intervals(scene, derived, m, error));
    if (!scene->in->outlines)
        return TS_OK;
    TS_TRY(ts_script_check_speeds(scene, generator_begin, m, error));
    /* what is given counts beyond the places that are wanted while they are open */
    s->skin = s->skin > 0 ? s->skin + m->reach : derive_skin(c);
    return TS_OK;
}

ts_status ts_compile_times(const ts_scene *scene, const size_t *generator_begin, ts_model *model, ts_error *error)
{
    TS_AUTO_FREE ts_material_def *materials = NULL;
    TS_TRY(open_materials(scene, &materials, error));
    ts_compiling c = compiling(scene, model, materials);
    return derive(scene, generator_begin, &c, error);
}
