/* SPDX-License-Identifier: MIT */
/* Breakfast: U, D, O and N are poured from a tipped box into a bowl (CEM, section 8.6, Fig. 8).
 *
 *        box, open at the top ┌    │        A grain is *in the box* or *in the bowl* by where its centre is: inside the line
 *     ╲        ╱              │UDON│        that the blocks stand on, which no centre can cross but by the mouth. A centre that did so
 *      ╲_bowl_╱               └────┘        elsewhere between two frames went *through* the wall. */
#include "base/memory.h"
#include "study/cem_walk.h"
#include "study/studies.h"

/* As in scenes/cem-cereal.json. */
#define BOWL_BLOCKS 48 /* the first bodies; then comes the box */
#define BOWL_Y      20.0
#define BOWL_RADIUS 18.6
#define BOWL_RIM    18.3789 /* height */
#define BOX_LEFT    22.0
#define BOX_RIGHT   42.4
#define BOX_BOTTOM  1.2
#define BOX_TOP     25.2

typedef enum place { IN_BOX, IN_BOWL, ELSEWHERE, PLACES } place;

typedef struct pour {
    ts_snapshot_body box; /* a block of it, in the first frame */
    size_t through;       /* passages through a wall */
    size_t below;         /* grains below the table, in any frame */
    size_t now[PLACES];   /* grains, in the last frame */
    double speed;         /* fastest of them in it [m/s] */
} pour;

/* A point in the frame of the box, as it stood at the beginning. */
static void to_box(const pour *p, const ts_snapshot *s, const ts_snapshot_body *grain, double at[2])
{
    const ts_snapshot_body *box = &s->body[BOWL_BLOCKS];
    double turn = p->box.angle - box->angle, dx = grain->position[0] - box->position[0],
           dy = grain->position[1] - box->position[1];
    at[0] = p->box.position[0] + cos(turn) * dx - sin(turn) * dy;
    at[1] = p->box.position[1] + sin(turn) * dx + cos(turn) * dy;
}

static bool within_box(const double at[2])
{
    return at[0] > BOX_LEFT && at[0] < BOX_RIGHT && at[1] > BOX_BOTTOM && at[1] < BOX_TOP;
}

static bool within_bowl(const ts_snapshot_body *grain)
{
    return grain->position[1] < BOWL_RIM && hypot(grain->position[0], grain->position[1] - BOWL_Y) < BOWL_RADIUS;
}

/* Heaped above the rim counts as in the bowl, once it rests there. */
static place place_of(const pour *p, const ts_snapshot *s, const ts_snapshot_body *grain)
{
    double at[2];
    to_box(p, s, grain, at);
    if (within_box(at))
        return IN_BOX;
    bool above = grain->position[1] >= BOWL_RIM && fabs(grain->position[0]) < BOWL_RADIUS;
    return above || within_bowl(grain) ? IN_BOWL : ELSEWHERE;
}

/* Whether a centre went through a wall from one frame to the next: in or out, and not by the mouth. */
static bool went_through(const pour *p, const ts_snapshot *before, const ts_snapshot *now, size_t i)
{
    const ts_snapshot_body *was = &before->body[i], *is = &now->body[i];
    double a[2], b[2];
    to_box(p, before, was, a);
    to_box(p, now, is, b);
    if (within_box(a) != within_box(b) && a[1] < BOX_TOP && b[1] < BOX_TOP)
        return true;
    return within_bowl(was) != within_bowl(is) && was->position[1] < BOWL_RIM && is->position[1] < BOWL_RIM;
}

static ts_status visit(void *user, const ts_snapshot *before, const ts_snapshot *now, ts_error *error)
{
    pour *p = user;
    (void)error;
    if (!before)
        p->box = now->body[BOWL_BLOCKS];
    for (int k = 0; k < PLACES; k++)
        p->now[k] = 0;
    p->speed = 0;
    for (size_t i = 0; i < now->body_count; i++) {
        const ts_snapshot_body *grain = &now->body[i];
        if (grain->fixed)
            continue;
        p->through += before && went_through(p, before, now, i);
        p->below += grain->position[1] < 0;
        p->now[place_of(p, now, grain)]++;
        p->speed = fmax(p->speed, hypot(grain->velocity[0], grain->velocity[1]));
    }
    return TS_OK;
}

static ts_status claim_pour(ts_study *study, const ts_cem_run *run, ts_error *error)
{
    pour p = {0};
    TS_TRY(ts_cem_walk(run, visit, &p, error));
    double all = (double)(p.now[IN_BOX] + p.now[IN_BOWL] + p.now[ELSEWHERE]), left = all - (double)p.now[IN_BOX];
    TS_TRY(ts_claim_at_most(study, (double)p.through, 0, "", error, "grains that went through a wall of box or bowl"));
    TS_TRY(ts_claim_at_most(study, (double)p.below, 0, "", error, "grains below the table, in any frame"));
    TS_TRY(ts_claim_at_least(study, left / all, 0.8, "", error, "share of %.0f grains that left the box", all));
    return ts_claim_at_least(study, (double)p.now[IN_BOWL] / left, 0.8, "", error,
                             "share of those in the bowl at the end (%zu beside it; fastest %.2g m/s)",
                             p.now[ELSEWHERE], p.speed);
}

static ts_status draw(ts_study *study, const ts_cem_run *run, ts_error *error)
{
    ts_cem_panel panel[6] = {{run, 5, "breakfast"},    {run, 9, "breakfast"},  {run, 12, "breakfast"},
                             {run, 15.5, "breakfast"}, {run, 20, "breakfast"}, {run, TS_NONE, "breakfast"}};
    ts_cem_figure figure = {.file = "cereal",
                            .title = "Breakfast cereal",
                            .panel = panel,
                            .columns = 3,
                            .rows = 2,
                            .view = {-24, -3, 52, 54}};
    TS_TRY(ts_cem_draw(study, &figure, error));
    if (!ts_study_full(study))
        return TS_OK;
    figure.columns = figure.rows = 1;
    return ts_cem_film(study, &figure, error);
}

ts_status ts_study_cereal(ts_study *study, ts_error *error)
{
    ts_cem_run run = {.name = "pour", .wish = {.scene = "cereal", .quick = !ts_study_full(study)}};
    TS_TRY(ts_cem_runs(study, &run, 1, (double[2]){0, 0.9}, error));
    TS_TRY(claim_pour(study, &run, error));
    TS_TRY(ts_cem_claim_never_through(study, &run, ts_study_full(study) ? 1 : 10, error));
    return draw(study, &run, error);
}
