/* SPDX-License-Identifier: MIT */
#include "dynamics/derive.h"

#include <math.h>

#include "world.h"

/* ---- Looking ahead ---- */

/* Axes with gravity along -up. */
typedef struct upright {
    double strength; /* [m/s²], positive */
    ts_vec3 up, along, across;
} upright;

static upright upright_of(const ts_model *model)
{
    const ts_vec3 g = model->gravity, z = {0, 0, 1};
    upright u = {.strength = ts_vec3_length(g)};
    u.up = (ts_vec3){-g.x / u.strength, -g.y / u.strength, -g.z / u.strength};
    u.along = ts_vec3_cross(u.up, z);
    u.across = z;
    if (u.up.z != 0)
        ts_vec3_tangents(u.up, &u.along, &u.across);
    return u;
}

/* An upright column of the scene, as wide as the largest body. */
typedef struct column {
    double weight;     /* of the bodies whose centre lies in it [N] */
    double volume;     /* of those bodies, in the plane their area [m³, m²] */
    double height;     /* of the highest one's lowest point above the floor [m] */
    double top_volume; /* of that body */
} column;

typedef struct columns {
    column *column;
    size_t along, across; /* how many */
    double low[2], width; /* [m] */
    double base;          /* of a column [m²]; in the plane its width [m] */
} columns;

static size_t cell_of(double at, double low, double width, double shift, size_t count)
{
    return (size_t)fmin(fmax((at - low) / width + shift, 0), (double)(count - 1));
}

static void fill_columns(const ts_model *model, const upright *u, double lowest, double shift, columns *c)
{
    for (size_t k = 0; k < c->along * c->across; k++)
        c->column[k] = (column){0};
    for (size_t i = 0; i < model->body_count; i++) {
        if (!ts_model_moves(model, i))
            continue;
        const ts_start at = model->world->start(model, i);
        double height = model->world->fall(model, i, u->up);
        if (!isfinite(height))
            height = ts_vec3_dot(at.position, u->up) - ts_model_radius(model, i) - lowest;
        column *own =
            &c->column[cell_of(ts_vec3_dot(at.position, u->along), c->low[0], c->width, shift, c->along) * c->across +
                       cell_of(ts_vec3_dot(at.position, u->across), c->low[1], c->width, shift, c->across)];
        own->weight += model->mass[i] * u->strength;
        own->volume += at.volume;
        if (height >= own->height) {
            own->height = height;
            own->top_volume = at.volume;
        }
    }
}

/* Where bodies and walls that end reach down to, or a point below that; how far centres of bodies that move spread. */
static double spread_of(const ts_model *model, const upright *u, columns *c, double high[2], double *free_count)
{
    double lowest = model->world->lowest_wall(model, u->up);
    for (int d = 0; d < 2; d++) {
        c->low[d] = HUGE_VAL;
        high[d] = -HUGE_VAL;
    }
    *free_count = 0;
    for (size_t i = 0; i < model->body_count; i++) {
        const ts_vec3 x = model->world->start(model, i).position;
        lowest = fmin(lowest, ts_vec3_dot(x, u->up) - ts_model_radius(model, i));
        if (!ts_model_moves(model, i))
            continue;
        const double at[2] = {ts_vec3_dot(x, u->along), ts_vec3_dot(x, u->across)};
        for (int d = 0; d < 2; d++) {
            c->low[d] = fmin(c->low[d], at[d]);
            high[d] = fmax(high[d], at[d]);
        }
        ++*free_count;
    }
    return lowest;
}

/* The heaviest column and the deepest fall. A body on top of others falls only as far as they settle under it. */
static ts_status look_down(const ts_model *model, const upright *u, ts_outlook *look, double *fall, ts_error *error)
{
    columns c = {.base = 1};
    double high[2], free_count;
    const double lowest = spread_of(model, u, &c, high, &free_count);
    /* no more columns than bodies can fill */
    c.width = fmax(2 * look->largest, fmax(high[0] - c.low[0], high[1] - c.low[1]) / (2 * free_count));
    c.width = fmax(c.width, sqrt((high[0] - c.low[0]) * (high[1] - c.low[1]) / (4 * free_count)));
    for (int d = 1; d < model->dimension; d++)
        c.base *= c.width;
    c.along = (size_t)((high[0] - c.low[0]) / c.width) + 2;
    c.across = (size_t)((high[1] - c.low[1]) / c.width) + 2;
    c.column = ts_alloc(c.along * c.across, sizeof *c.column);
    if (!c.column)
        return ts_fail_memory(error, c.along * c.across * sizeof *c.column);
    /* twice, half a column apart, so that a tower on the border of two is seen whole */
    for (int half = 0; half < 2; half++) {
        fill_columns(model, u, lowest, 0.5 * half, &c);
        for (size_t k = 0; k < c.along * c.across; k++) {
            const column *own = &c.column[k];
            const double settled = (own->volume - own->top_volume) / (model->world->settled_fraction * c.base);
            look->load = fmax(look->load, own->weight);
            *fall = fmax(*fall, own->height - settled);
        }
    }
    ts_free(c.column);
    return TS_OK;
}

ts_status ts_look_ahead(const ts_model *model, double script_speed, ts_outlook *look, ts_error *error)
{
    double start = 0, fall = 0, strength = ts_vec3_length(model->gravity);
    *look = (ts_outlook){0};
    for (size_t i = 0; i < model->body_count; i++) {
        if (!ts_model_moves(model, i))
            continue;
        look->largest = fmax(look->largest, ts_model_radius(model, i));
        start = fmax(start, model->world->start(model, i).speed);
    }
    if (look->largest == 0)
        return TS_OK;
    if (strength > 0) {
        const upright u = upright_of(model);
        TS_TRY(look_down(model, &u, look, &fall, error));
        fall = fmax(fall, look->largest); /* bodies drop into gaps of their own size in the densest heap */
    }
    start += script_speed;
    look->speed = sqrt(start * start + 2 * strength * fall);
    return TS_OK;
}

double ts_share_of_load(const ts_model *model, const ts_outlook *look, double radius)
{
    double share = look->largest > 0 ? 1 : 0;
    for (int d = 1; d < model->dimension && share > 0; d++)
        share *= radius / look->largest;
    return share;
}

double ts_smallest_free(const ts_model *model)
{
    double smallest = HUGE_VAL;
    for (size_t i = 0; i < model->body_count; i++)
        if (ts_model_moves(model, i))
            smallest = fmin(smallest, model->world->start(model, i).inner);
    return smallest;
}

/* ---- Laws and steps ---- */

void ts_fill_laws(const ts_compiling *c, double stiffness, bool may_pull)
{
    const size_t n = c->model->material_count;
    ts_contact_law *law = c->model->law;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            law[a * n + b] = ts_law_of(&c->material[a], &c->material[b], NULL, stiffness, may_pull);
    for (size_t i = 0; i < c->pair_count; i++) {
        const size_t a = (size_t)c->pair[i].a, b = (size_t)c->pair[i].b;
        law[a * n + b] = law[b * n + a] =
            ts_law_of(&c->material[a], &c->material[b], &c->pair[i].def, stiffness, may_pull);
    }
}

double ts_step_limit(double k, double c)
{
    double denominator = c + sqrt(c * c + 4 * k);
    return denominator > 0 ? 4 / denominator : HUGE_VAL;
}
