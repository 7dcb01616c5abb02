/* SPDX-License-Identifier: MIT */
/* The dynamics of a scene and its parameters, by name. */
#include <string.h>

#include "base/text.h"
#include "dynamics/dynamics.h"
#include "scene/build.h"
#include "scene/json.h"
#include "scene/units.h"

ts_dynamics_def ts_default_dynamics(void)
{
    return (ts_dynamics_def){.kind = ts_dynamics_default(2)->name, .cookie = TS_COOKIE_DYNAMICS};
}

static void set_parameter(ts_dynamics_def *def, ts_parameter parameter)
{
    size_t i = 0;
    while (i < def->parameter_count && i < TS_PARAMETERS_MAX &&
           !(parameter.name && def->parameter[i].name && strcmp(def->parameter[i].name, parameter.name) == 0))
        i++;
    if (i < TS_PARAMETERS_MAX)
        def->parameter[i] = parameter;
    if (i >= def->parameter_count)
        def->parameter_count = i + 1; /* too many are refused when the scene gets them */
}

void ts_dynamics_set(ts_dynamics_def *def, const char *name, double number)
{
    set_parameter(def, (ts_parameter){.name = name, .number = number});
}

void ts_dynamics_set_text(ts_dynamics_def *def, const char *name, const char *text)
{
    set_parameter(def, (ts_parameter){.name = name, .text = text ? text : ""});
}

/* ---- Checks ---- */

ts_status ts_dynamics_fail_key(const ts_check *c, const ts_dynamics *dynamics, const char *key)
{
    char quote[TS_QUOTE_SIZE];
    const char *candidate[TS_PARAMETERS_MAX] = {NULL};
    size_t count = 0;
    ts_quote(key, quote, sizeof quote);
    for (size_t i = 0; ts_dynamics_at(i); i++)
        if (ts_field_find(ts_dynamics_at(i)->field, ts_dynamics_at(i)->field_count, key))
            return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                              "%s: \"%s\" is for the kind \"%s\", but this one is \"%s\"; leave it out, or choose that "
                              "kind",
                              c->what, quote, ts_dynamics_at(i)->name, dynamics->name);
    for (size_t i = 0; i < dynamics->field_count && count < TS_PARAMETERS_MAX; i++)
        candidate[count++] = dynamics->field[i].key;
    const char *nearest = ts_nearest_name(key, candidate, count);
    return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "%s: \"%s\" has no parameter \"%s\"%s%s%s", c->what,
                      dynamics->name, quote, nearest ? "; did you mean \"" : "", nearest ? nearest : "; leave it out",
                      nearest ? "\"?" : "");
}

/* Puts a parameter where the table of its dynamics says, with the checks of the reader. */
static ts_status take_parameter(const ts_check *c, const ts_dynamics *dynamics, const ts_parameter *parameter,
                                void *param)
{
    if (!parameter->name)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "%s: a parameter has no name; give it one", c->what);
    const ts_field *field = ts_field_find(dynamics->field, dynamics->field_count, parameter->name);
    if (!field)
        return ts_dynamics_fail_key(c, dynamics, parameter->name);
    void *to = (char *)param + field->offset;
    double number = parameter->number;
    if (field->type == TS_FIELD_TEXT) {
        if (!parameter->text || !parameter->text[0])
            return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "%s: %s is empty; write something, or leave it out",
                              c->what, field->key);
        *(const char **)to = parameter->text;
        return TS_OK;
    }
    const bool automatic = field->flags & TS_FIELD_AUTO;
    if (parameter->text && automatic && strcmp(parameter->text, "auto") == 0)
        number = 0;
    else if (parameter->text)
        TS_TRY(ts_quantity_parse(parameter->text, field->quantity, c->place, &number, c->error));
    if (field->type == TS_FIELD_NUMBER) {
        if (!(automatic && number == 0))
            TS_TRY(ts_field_check(c, field, number));
        *(double *)to = number;
        return TS_OK;
    }
    if (field->type != TS_FIELD_FLAG && field->type != TS_FIELD_INTEGER)
        return ts_fail_at(c->error, TS_UNSUPPORTED, c->place,
                          "%s: %s is neither a number nor a text; set it in a scene file", c->what, field->key);
    if (!(automatic && number == 0))
        TS_TRY(ts_field_check_integer(c, field->key, field->range, number));
    if (field->type == TS_FIELD_FLAG && number > 1)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "%s: %s is %g; give 0 for false or 1 for true", c->what,
                          field->key, number);
    if (field->type == TS_FIELD_FLAG)
        *(bool *)to = number > 0;
    else
        *(uint64_t *)to = (uint64_t)number;
    return TS_OK;
}

/* ---- In the scene ---- */

ts_status ts_scene_put_dynamics(ts_scene *scene, const ts_dynamics *dynamics, const void *param, const char *places,
                                const ts_check *c)
{
    if (dynamics->check)
        TS_TRY(dynamics->check(c, param));
    void *copy = NULL;
    if (dynamics->param_bytes > 0)
        TS_TRY(ts_build_keep(scene, param, dynamics->param_bytes, 1, &copy, c->error));
    for (size_t i = 0; i < dynamics->field_count; i++)
        if (dynamics->field[i].type == TS_FIELD_TEXT)
            TS_TRY(ts_build_text(scene, (const char **)((char *)copy + dynamics->field[i].offset), c->error));
    TS_TRY(ts_build_text(scene, &places, c->error));
    scene->dynamics = dynamics;
    scene->param = copy;
    scene->places = places;
    scene->dynamics_place = c->place;
    return TS_OK;
}

ts_status ts_scene_set_dynamics(ts_scene *scene, const ts_dynamics_def *def, ts_error *error)
{
    if (!scene || !def)
        return ts_fail(error, TS_BAD_INPUT, "dynamics: scene or def is NULL; pass both");
    ts_check c = ts_build_check(scene, "dynamics", error);
    TS_TRY(ts_check_cookie(&c, def->cookie, TS_COOKIE_DYNAMICS, "ts_default_dynamics"));
    if (!def->kind || !def->kind[0])
        return ts_fail_at(error, TS_BAD_INPUT, c.place, "dynamics: kind is empty; name one, such as \"%s\"",
                          ts_dynamics_default(2)->name);
    const ts_dynamics *dynamics = ts_dynamics_find(def->kind);
    if (!dynamics)
        return ts_fail_at(error, TS_BAD_INPUT, c.place, "dynamics: \"%.100s\" is unknown; choose one of: %s", def->kind,
                          ts_dynamics_names((char[256]){0}, 256));
    if (def->parameter_count > TS_PARAMETERS_MAX)
        return ts_fail_at(error, TS_BAD_INPUT, c.place, "dynamics: there are %zu parameters; give at most %d",
                          def->parameter_count, TS_PARAMETERS_MAX);
    void *param = ts_alloc(dynamics->param_bytes + 1, 1); /* some have none */
    if (!param)
        return ts_fail_memory(error, dynamics->param_bytes + 1);
    ts_status status = TS_OK;
    if (dynamics->param_bytes > 0)
        memcpy(param, dynamics->defaults, dynamics->param_bytes);
    for (size_t i = 0; i < def->parameter_count && status == TS_OK; i++)
        status = take_parameter(&c, dynamics, &def->parameter[i], param);
    if (status == TS_OK)
        status = ts_scene_put_dynamics(scene, dynamics, param, def->places, &c);
    ts_free(param);
    return status;
}
