/* SPDX-License-Identifier: MIT */
/* What impact takes from a scene: one restitution for all, an operator, rounds or sweeps, and a time step in which
 * bodies go a share of their size. */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "dynamics/impact_dynamics.h"
#include "world.h"

/* Sweeps where a scene of more bodies than this says nothing: heaps come to rest by them, at a fraction of what programs
 * cost. Islands that they leave closing are resolved exactly (impact_left.c). Few bodies can have exact programs. */
#define SWEEPS    100
#define MANY_MOVE 40
/* Rounds of normals and friction where a scene wants programs. In space a program is costly, and sweeps that go on from
 * one round come as near to Coulomb's law as those that go on from three. */
static const uint64_t rounds_of[][2] = {{3, 3}, {1, 0}}; /* in the plane and in space; of what bounces for ever */
/* Plane: share of the smallest radius that the fastest body goes in a derived time step. */
#define WAY_SHARE 0.2
/* Space: steps of a fall through the smallest body, and of the fastest body's way through it. */
#define STEPS_A_FALL 20
#define STEPS_A_BODY 10

static bool is_rough(const ts_compiling *c)
{
    bool rough = false;
    for (size_t a = 0; a < c->model->material_count; a++)
        rough |= c->material[a].friction > 0;
    for (size_t i = 0; i < c->pair_count; i++)
        rough |= c->pair[i].def.friction > 0;
    return rough;
}

/* Friction has to settle with the normals: applied once, after them, it turns a box on a slope, which then creeps. What
 * bounces for ever in space does not come to rest either way, and friction once can keep locked bodies bouncing. */
static uint64_t rounds_by_default(const ts_compiling *c, const ts_impact_param *p)
{
    return is_rough(c) && p->sweeps == 0 ? rounds_of[c->model->dimension - 2][!(p->restitution < 1)] : 0;
}

/* Where there is friction and many can come to rest; whoever asks for rounds or for another operator means those. */
static uint64_t sweeps_by_default(const ts_compiling *c, const ts_impact_param *p)
{
    size_t moving = 0;
    for (size_t i = 0; i < c->model->body_count; i++)
        moving += ts_model_moves(c->model, i);
    return moving > MANY_MOVE && is_rough(c) && p->restitution < 1 && p->staggered == TS_ROUNDS_AUTO &&
                   strcmp(p->operator_name, "gr") == 0
               ? SWEEPS
               : 0;
}

/* There is one restitution: what it interpolates between is of the whole system. */
ts_status ts_impact_compile(ts_compiling *c, ts_error *error)
{
    ts_impact_param *p = c->param;
    if (!ts_impact_find(p->operator_name))
        return ts_fail_at(error, TS_BAD_INPUT, c->place, "dynamics: there is no operator \"%.60s\"; choose one of: %s",
                          p->operator_name, ts_impact_names((char[256]){0}, 256));
    const double e = p->restitution = c->material[0].restitution;
    bool same = !isnan(e);
    for (size_t a = 1; a < c->model->material_count; a++)
        same &= c->material[a].restitution == e;
    for (size_t i = 0; i < c->pair_count; i++)
        same &= isnan(c->pair[i].def.restitution) || c->pair[i].def.restitution == e;
    if (!same)
        return ts_fail_at(
            error, TS_BAD_INPUT, c->place,
            "dynamics: impact has one restitution for all materials; give \"restitution\" in \"dynamics\" "
            "and no other, nor a damping");
    if (isnan(p->correction))
        p->correction = e < 1 ? 0.2 : 0;
    return TS_OK;
}

uint64_t ts_impact_hash(const ts_model *model, uint64_t before)
{
    const double restitution = ts_impact_param_of(model)->restitution;
    const double weight_least = ts_impact_param_of(model)->weight_least;
    if (weight_least != 0.5)
        before = ts_hash(&weight_least, sizeof weight_least, before);
    return ts_hash(&restitution, sizeof restitution, before);
}

ts_status ts_impact_derive(ts_compiling *c, ts_error *error)
{
    ts_impact_param *p = c->param;
    if (p->sweeps == TS_SWEEPS_AUTO)
        p->sweeps = sweeps_by_default(c, p);
    if (p->staggered == TS_ROUNDS_AUTO)
        p->staggered = rounds_by_default(c, p);
    (void)error;
    c->model->search.weight_least = p->weight_least;
    if (p->expected_speed > 0)
        c->look.speed = p->expected_speed;
    ts_fill_laws(c, 1, false); /* friction alone counts, whatever the stiffness */
    return TS_OK;
}

double ts_impact_time_step_plane(const ts_compiling *c, const char **reason)
{
    *reason = "the fastest body's way through the smallest sets";
    return c->look.speed > 0 ? WAY_SHARE * ts_smallest_free(c->model) / c->look.speed : HUGE_VAL;
}

double ts_impact_time_step_space(const ts_compiling *c, const char **reason)
{
    const ts_model *m = c->model;
    const double smallest = ts_smallest_free(m), gravity = ts_vec3_length(m->gravity);
    double fastest = 0, step = HUGE_VAL;
    for (size_t i = 0; i < m->body_count; i++)
        if (ts_model_moves(m, i)) /* ends of long bodies that spin as well */
            fastest = fmax(fastest, m->world->start(m, i).speed);
    if (!isfinite(smallest))
        return HUGE_VAL;
    if (gravity > 0) {
        step = sqrt(2 * smallest / gravity) / STEPS_A_FALL;
        *reason = "a fall through the smallest body sets";
    }
    if (fastest > 0 && smallest / fastest / STEPS_A_BODY < step) {
        step = smallest / fastest / STEPS_A_BODY;
        *reason = "the fastest body's way through the smallest sets";
    }
    return step;
}
