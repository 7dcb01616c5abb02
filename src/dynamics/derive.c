/* SPDX-License-Identifier: MIT */
#include "dynamics/derive.h"

#include <math.h>
#include <stdlib.h>

#include "world.h"

/* ---- Looking ahead ---- */

/* Axes with gravity along -up, and all that ends and does not fall. */
typedef struct upright {
    double strength; /* [m/s²], positive */
    ts_vec3 up, along, across;
    ts_ledges ledge;
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

static size_t column_of(const columns *c, const upright *u, ts_vec3 at, double shift)
{
    return cell_of(ts_vec3_dot(at, u->along), c->low[0], c->width, shift, c->along) * c->across +
           cell_of(ts_vec3_dot(at, u->across), c->low[1], c->width, shift, c->across);
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
        column *own = &c->column[column_of(c, u, at.position, shift)];
        own->weight += model->mass[i] * u->strength;
        own->volume += at.volume;
        if (height >= own->height) {
            own->height = height;
            own->top_volume = at.volume;
        }
    }
}

/* Where bodies and ledges reach down to, or a point below that; how far centres of bodies that move spread. */
static double spread_of(const ts_model *model, const upright *u, columns *c, double high[2], double *free_count)
{
    double lowest = HUGE_VAL;
    for (size_t k = 0; k < u->ledge.count; k++)
        lowest = fmin(lowest, u->ledge.item[k].bottom);
    for (int d = 0; d < 2; d++) {
        c->low[d] = HUGE_VAL;
        high[d] = -HUGE_VAL;
    }
    *free_count = 0;
    for (size_t i = 0; i < model->body_count; i++) {
        const ts_vec3 x = model->world->start(model, i).position;
        if (!ts_model_moves(model, i))
            continue;
        lowest = fmin(lowest, ts_vec3_dot(x, u->up) - ts_model_radius(model, i));
        const double at[2] = {ts_vec3_dot(x, u->along), ts_vec3_dot(x, u->across)};
        for (int d = 0; d < 2; d++) {
            c->low[d] = fmin(c->low[d], at[d]);
            high[d] = fmax(high[d], at[d]);
        }
        ++*free_count;
    }
    return lowest;
}

/* ---- Usual falls ----
 *
 * What most bodies land on is the first thing below them: a ledge, an endless wall, or other bodies. Some may go on to
 * fall much farther, through the outlet of a silo or off the end of a chute. */

/* At most this share of the bodies, and of their mass, may fall much farther than others without being usual. */
static const double rare_share = 0.25;
/* What is usual: so many times as far as bodies fall that are not rare, and at least this share of the deepest fall. */
static const double usual_factor = 2, far_share = 1.0 / 6;
/* Bodies times ledges that are looked at. More bodies than that allows are counted by samples. */
static const double looks_most = 1e8;

typedef struct landing {
    size_t column;
    double level;  /* of its lowest point [m] */
    double fall;   /* to what is below it [m] */
    double volume; /* [m³, m²] */
    double mass;   /* [kg] */
} landing;

/* The highest ledge under a body, or -infinity. */
static double ledge_under(const ts_ledges *ledge, int dimension, ts_vec3 at, double radius)
{
    double top = -HUGE_VAL;
    for (size_t k = 0; k < ledge->count; k++) {
        const ts_ledge *l = &ledge->item[k];
        if (at.x < l->low[0] - radius || at.x > l->high[0] + radius)
            continue;
        if (dimension == 3 && (at.y < l->low[1] - radius || at.y > l->high[1] + radius))
            continue;
        const double width = l->high[0] - l->low[0],
                     share = width > 0 ? fmin(fmax((at.x - l->low[0]) / width, 0), 1) : 0;
        double height =
            l->height[0] == l->height[1] ? l->height[0] : l->height[0] + share * (l->height[1] - l->height[0]);
        if (height > at.z && dimension == 3) /* it may be hollow */
            height = l->bottom;
        if (height <= at.z)
            top = fmax(top, height);
    }
    return top;
}

static int by_column(const void *a, const void *b)
{
    const landing *p = a, *q = b;
    if (p->column != q->column)
        return p->column < q->column ? -1 : 1;
    return (p->level > q->level) - (p->level < q->level);
}

static int by_fall(const void *a, const void *b)
{
    const landing *p = a, *q = b;
    return (p->fall < q->fall) - (p->fall > q->fall);
}

/* Bodies that lie lower in a column settle under the others, as long as no ledge is between them. */
static void settle(landing *l, size_t count, double area)
{
    double below = 0;
    qsort(l, count, sizeof *l, by_column);
    for (size_t i = 0; i < count; i++) {
        const double floor = l[i].level - l[i].fall;
        if (i == 0 || l[i].column != l[i - 1].column || floor > l[i - 1].level)
            below = 0;
        l[i].fall = isfinite(l[i].fall) ? fmax(l[i].fall - below / area, 0) : 0;
        below += l[i].volume;
    }
}

/* How far bodies fall at most that are not rare. */
static double not_rare(landing *l, size_t count)
{
    double mass = 0, above = 0;
    qsort(l, count, sizeof *l, by_fall);
    for (size_t i = 0; i < count; i++)
        mass += l[i].mass;
    for (size_t i = 0; i < count; i++) {
        above += l[i].mass;
        if ((double)(i + 1) > rare_share * (double)count || above > rare_share * mass)
            return l[i].fall;
    }
    return 0;
}

static ts_status usual_fall(const ts_model *model, const upright *u, const columns *c, double *fall, ts_error *error)
{
    const size_t every = 1 + (size_t)((double)model->body_count * (double)u->ledge.count / looks_most);
    landing *l;
    size_t count = 0, seen = 0;
    TS_TRY(ts_new_raw(&l, model->body_count / every + 1, error));
    for (size_t i = 0; i < model->body_count; i++) {
        if (!ts_model_moves(model, i) || seen++ % every != 0)
            continue;
        const ts_start start = model->world->start(model, i);
        const double radius = ts_model_radius(model, i);
        const ts_vec3 x = start.position,
                      at = {ts_vec3_dot(x, u->along), ts_vec3_dot(x, u->across), ts_vec3_dot(x, u->up)};
        const double ledge = fmax(at.z - radius - ledge_under(&u->ledge, model->dimension, at, radius), 0);
        l[count++] = (landing){.column = column_of(c, u, x, 0),
                               .level = at.z - radius,
                               .fall = fmin(model->world->fall(model, i, u->up), ledge),
                               .volume = (double)every * start.volume,
                               .mass = model->mass[i]};
    }
    settle(l, count, model->world->settled_fraction * c->base);
    *fall = not_rare(l, count);
    ts_free(l);
    return TS_OK;
}

/* ---- All falls ---- */

/* The heaviest column and the deepest fall. A body on top of others falls only as far as they settle under it. */
static ts_status look_down(const ts_model *model, const upright *u, ts_outlook *look, double *fall, double *usual,
                           ts_error *error)
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
    TS_TRY(usual_fall(model, u, &c, usual, error));
    *usual = fmax(fmin(*fall, usual_factor * *usual), far_share * *fall);
    return TS_OK;
}

static ts_status look_from(const ts_model *model, ts_outlook *look, double *fall, double *usual, ts_error *error)
{
    upright u = upright_of(model);
    const ts_vec3 axis[3] = {u.along, u.across, u.up};
    ts_status status = model->world->ledges(model, axis, &u.ledge, error);
    if (status == TS_OK)
        status = look_down(model, &u, look, fall, usual, error);
    ts_array_free(&u.ledge);
    return status;
}

ts_status ts_look_ahead(const ts_model *model, double script_speed, ts_outlook *look, ts_error *error)
{
    double start = 0, fall = 0, usual = 0, strength = ts_vec3_length(model->gravity);
    *look = (ts_outlook){.driven = script_speed};
    for (size_t i = 0; i < model->body_count; i++) {
        if (!ts_model_moves(model, i))
            continue;
        look->largest = fmax(look->largest, ts_model_radius(model, i));
        start = fmax(start, model->world->start(model, i).speed);
    }
    if (look->largest == 0)
        return TS_OK;
    if (strength > 0) {
        TS_TRY(look_from(model, look, &fall, &usual, error));
        fall = fmax(fall, look->largest); /* bodies drop into gaps of their own size in the densest heap */
        usual = fmax(usual, look->largest);
    }
    start += script_speed;
    look->speed = sqrt(start * start + 2 * strength * fall);
    look->usual = sqrt(start * start + 2 * strength * usual);
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
