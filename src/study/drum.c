/* SPDX-License-Identifier: MIT */
/* "I ♥ GRAPHICS" in a drum: nine shapes tumble until every one has met every other (CEM, section 8.5, Fig. 1).
 *
 * Ten types, with the blocks of the drum, make 55 pairs and 55 contact maps; two blocks never meet, which leaves 54.
 * Two types have *met* when a frame shows bodies of them in contact. */
#include <stdio.h>

#include "study/cem_walk.h"
#include "study/studies.h"

#define TYPES_MAX 32
#define STROKE    0.16 /* no letter has a thinner one, of the font's or of straight strokes [m] */

typedef struct tumble {
    size_t of[TYPES_MAX];           /* bodies of each type */
    bool met[TYPES_MAX][TYPES_MAX]; /* in any frame */
    double radius;                  /* of the drum's blocks, about the origin: farthest of their centres [m] */
    size_t outside;                 /* grains farther out than that, in any frame */
    size_t all_by;                  /* pairs that had met … */
    double when;                    /* … and when the last of them did [s] */
    double turned;                  /* of the drum [rad] */
    double angle;                   /* of its first block, at the beginning */
} tumble;

static void survey(tumble *t, const ts_snapshot *s)
{
    for (size_t i = 0; i < s->body_count; i++) {
        const ts_snapshot_body *b = &s->body[i];
        if (b->shape < TYPES_MAX)
            t->of[b->shape]++;
        if (b->fixed)
            t->radius = fmax(t->radius, hypot(b->position[0], b->position[1]));
    }
    t->angle = s->body[0].angle;
}

static void meet(tumble *t, const ts_snapshot *s, const ts_contact *contact)
{
    if (contact->a < 0)
        return;
    int32_t a = s->body[contact->a].shape, b = s->body[contact->b].shape;
    if (a >= TYPES_MAX || b >= TYPES_MAX || t->met[a][b])
        return;
    t->met[a][b] = t->met[b][a] = true;
    t->all_by++;
    t->when = s->time;
}

static ts_status visit(void *user, const ts_snapshot *before, const ts_snapshot *now, ts_error *error)
{
    tumble *t = user;
    (void)error;
    if (!before)
        survey(t, now);
    for (size_t k = 0; k < now->contact_count; k++)
        meet(t, now, &now->contact[k]);
    for (size_t i = 0; i < now->body_count; i++)
        t->outside += !now->body[i].fixed && hypot(now->body[i].position[0], now->body[i].position[1]) > t->radius;
    t->turned = now->body[0].angle - t->angle;
    return TS_OK;
}

static ts_status claim_met(ts_study *study, const ts_cem_run *run, ts_error *error)
{
    tumble t = {0};
    TS_TRY(ts_cem_walk(run, visit, &t, error));
    size_t types = 0;
    for (int i = 0; i < TYPES_MAX; i++)
        types += t.of[i] > 0;
    TS_TRY(ts_claim_near(study, (double)types, 10, 0, "", error, "types of bodies, the blocks of the drum among them"));
    TS_TRY(ts_claim(study, t.all_by == 54, (double)t.all_by, "", "every pair of types", error,
                    "pairs of types that met, of 54 (the last at t = %.1f s)", t.when));
    TS_TRY(
        ts_claim_at_least(study, fabs(t.turned) / (2 * 3.14159265358979323846), 0.99, "", error, "turns of the drum"));
    return ts_claim_at_most(study, (double)t.outside, 0, "", error, "grains outside the drum, in any frame");
}

static ts_status draw(ts_study *study, const ts_cem_run *run, ts_error *error)
{
    bool full = ts_study_full(study);
    double radius = full ? 33 : 16.5, start = full ? 8 : 3, end = full ? 88 : 30;
    ts_cem_panel panel[3] = {{run, start, "at rest"}, {run, 0.5 * (start + end), "turning"}, {run, TS_NONE, "turning"}};
    ts_cem_figure figure = {.file = "drum",
                            .title = "I ♥ GRAPHICS",
                            .panel = panel,
                            .columns = 3,
                            .rows = 1,
                            .view = {-radius, -radius, radius, radius}};
    TS_TRY(ts_cem_draw(study, &figure, error));
    if (!full)
        return TS_OK;
    figure.columns = 1;
    figure.width = 960;
    return ts_cem_film(study, &figure, error);
}

/* Quick: letters of straight strokes, whose maps take a second each rather than a quarter of a minute; and fewer of
 * them. Full: the paper's networks. */
#define LETTER(name, points) "shapes." name "={\"kind\": \"polygon\", \"contours\": [" points "]}"
static const char *const quick_overrides[] = {
    LETTER("G",
           "[[0,0],[1,0],[1,0.6],[0.5,0.6],[0.5,0.4],[0.76,0.4],[0.76,0.22],[0.24,0.22],[0.24,0.78],[1,0.78],[1,1],"
           "[0,1]]"),
    LETTER("R", "[[0,0],[0.24,0],[0.24,0.36],[0.42,0.36],[0.66,0],[0.95,0],[0.68,0.4],[0.85,0.52],[0.85,0.86],[0.7,1],"
                "[0,1]], [[0.24,0.56],[0.24,0.8],[0.6,0.8],[0.6,0.56]]"),
    LETTER("A", "[[0,0],[0.26,0],[0.33,0.2],[0.67,0.2],[0.74,0],[1,0],[0.64,1],[0.36,1]],"
                " [[0.4,0.4],[0.5,0.72],[0.6,0.4]]"),
    LETTER("P", "[[0,0],[0.24,0],[0.24,0.36],[0.66,0.36],[0.82,0.5],[0.82,0.86],[0.66,1],[0,1]],"
                " [[0.24,0.56],[0.24,0.8],[0.58,0.8],[0.58,0.56]]"),
    LETTER("H",
           "[[0,0],[0.24,0],[0.24,0.4],[0.66,0.4],[0.66,0],[0.9,0],[0.9,1],[0.66,1],[0.66,0.6],[0.24,0.6],[0.24,1],"
           "[0,1]]"),
    LETTER("C", "[[0,0],[0.9,0],[0.9,0.24],[0.24,0.24],[0.24,0.76],[0.9,0.76],[0.9,1],[0,1]]"),
    LETTER("S", "[[0,0],[0.85,0],[0.85,0.6],[0.24,0.6],[0.24,0.8],[0.85,0.8],[0.85,1],[0,1],[0,0.4],[0.61,0.4],"
                "[0.61,0.2],[0,0.2]]"),
    "map={\"kind\": \"table\", \"bytes\": 60000}",
    "drives[0].start=3",
    "duration=30",
    "generators[1].count=120",
};
static const char *const full_overrides[] = {"map={\"kind\": \"network\", \"depth\": 3, \"width\": 32}"};

ts_status ts_study_drum(ts_study *study, ts_error *error)
{
    bool full = ts_study_full(study);
    ts_cem_run run = {.name = "drum", .wish = {.scene = "drum", .quick = !full}};
    run.wish.override = full ? full_overrides : quick_overrides;
    run.wish.override_count = full ? 1 : sizeof quick_overrides / sizeof *quick_overrides;
    TS_TRY(ts_cem_runs(study, &run, 1, (double[2]){0, 0.9}, error));
    TS_TRY(claim_met(study, &run, error));
    TS_TRY(ts_cem_claim_shallow(study, &run, full ? 10 : 1, STROKE, error));
    return draw(study, &run, error);
}
