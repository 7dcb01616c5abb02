/* SPDX-License-Identifier: MIT */
/* A chain that holds together by its form alone is lowered onto the floor, and dropped (CEM, sections 8.7 and 9,
 * Fig. 9).
 *
 *     ⊂O──────●                    the socket of the next link holds the ball of this one: a joint is *intact* while the ball's
 *             ⊂O──────●            centre lies no farther from the socket's than the lips of the socket do, 0.135 m
 *
 * What is counted is what every recorded frame shows: joints that are intact, and contacts between neighbours in the
 * chain. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "study/cem_walk.h"
#include "study/studies.h"

/* The form of a link, about the centre of its socket: scenes/shapes/chain.json. */
#define BALL_AT 0.8        /* [m] */
#define NECK_AT 0.61265006 /* where the neck meets the ball: the vertices that are farthest along the link */
#define LIPS_AT 0.134985398
#define BEND    38.0 /* beyond that a joint has been forced [°] */

typedef struct chain {
    size_t floor;    /* fixed links that it falls onto: bodies 1 … floor; the chain is body 0 and what follows them */
    size_t count;    /* of joints */
    ts_joint *joint; /* from the top (count) */
    size_t *contact; /* of each joint, in the frame at hand (count) */

    size_t least;   /* joints that were intact, in the worst frame */
    double broke;   /* when the first broke [s]; NaN: none did */
    double stretch; /* farthest that a ball was from its socket, over the limit [1] */
    double bend;    /* most that a link was turned against the one before [rad] */
    size_t most;    /* contacts between two neighbours, at most */
    size_t folded;  /* contacts of the chain with itself, of links that are no neighbours, in all frames */
    double touched; /* frames and joints with a contact */
    double seen;    /* frames and joints */
} chain;

static void chain_free(chain *c)
{
    ts_free(c->joint);
    ts_free(c->contact);
}

static size_t body_of(const chain *c, size_t place)
{
    return place == 0 ? 0 : c->floor + place;
}

/* Where the ball's centre is, along a link, from the link's centre of mass. */
static double ball_of(const ts_snapshot *s, size_t body)
{
    ts_contour contour = ts_outline_get_contour(s->shape[s->body[body].shape].outline, 0);
    double neck = contour.vertex[0].x;
    for (size_t i = 1; i < contour.vertex_count; i++)
        neck = fmax(neck, contour.vertex[i].x);
    return neck + BALL_AT - NECK_AT;
}

static ts_status find_joints(chain *c, const ts_snapshot *s, ts_error *error)
{
    while (1 + c->floor < s->body_count && s->body[1 + c->floor].fixed)
        c->floor++;
    c->count = c->least = s->body_count - 1 - c->floor;
    TS_TRY(ts_new(&c->joint, c->count, error));
    TS_TRY(ts_new(&c->contact, c->count, error));
    double ball = ball_of(s, 0);
    for (size_t i = 0; i < c->count; i++)
        c->joint[i] = (ts_joint){.a = body_of(c, i),
                                 .b = body_of(c, i + 1),
                                 .limit = LIPS_AT,
                                 .at_a = {ball, 0},
                                 .at_b = {ball - BALL_AT, 0}};
    return TS_OK;
}

static void count_contacts(chain *c, const ts_snapshot *s)
{
    memset(c->contact, 0, c->count * sizeof *c->contact);
    for (size_t k = 0; k < s->contact_count; k++) {
        int64_t a = s->contact[k].a, b = s->contact[k].b;
        int64_t low = a < b ? a : b, high = a < b ? b : a;
        int64_t first = (int64_t)c->floor + 1; /* the body after body 0 in the chain */
        if (low == 0 && high == first)
            c->contact[0]++;
        else if (low >= first && high == low + 1)
            c->contact[low - first + 1]++;
        else if (low >= first)
            c->folded++;
    }
    for (size_t i = 0; i < c->count; i++) {
        c->most = c->contact[i] > c->most ? c->contact[i] : c->most;
        c->touched += c->contact[i] > 0;
        c->seen += 1;
    }
}

static ts_status visit(void *user, const ts_snapshot *before, const ts_snapshot *now, ts_error *error)
{
    chain *c = user;
    ts_joints joints;
    if (!before)
        TS_TRY(find_joints(c, now, error));
    TS_TRY(ts_measure_joints(now, c->joint, c->count, &joints, error));
    c->stretch = fmax(c->stretch, joints.stretch);
    c->least = joints.intact < c->least ? joints.intact : c->least;
    if (joints.intact < c->count && isnan(c->broke))
        c->broke = now->time;
    for (size_t i = 0; i < c->count; i++)
        c->bend =
            fmax(c->bend, fabs(remainder(now->body[c->joint[i].b].angle - now->body[c->joint[i].a].angle, 2 * TS_PI)));
    count_contacts(c, now);
    return TS_OK;
}

/* ---- Claims ---- */

/* What was seen of another chain is added to what was seen before: the worst, and sums. */
static void add_chain(chain *all, const chain *c)
{
    all->count = c->count;
    all->least = c->least < all->least ? c->least : all->least;
    all->broke = isnan(all->broke) ? c->broke : all->broke;
    all->stretch = fmax(all->stretch, c->stretch);
    all->bend = fmax(all->bend, c->bend);
    all->most = c->most > all->most ? c->most : all->most;
    all->folded += c->folded;
    all->touched += c->touched;
    all->seen += c->seen;
}

/* From several starts: whether links of a coil touch that are no neighbours is a matter of chance. */
static ts_status claim_lowered(ts_study *study, const ts_cem_run *run, size_t starts, ts_error *error)
{
    chain c = {.broke = TS_NONE, .least = SIZE_MAX};
    char when[32] = "";
    for (size_t i = 0; i < starts; i++) {
        if (run[i].skipped)
            continue;
        TS_AUTO(chain_free) chain own = {.broke = TS_NONE};
        TS_TRY(ts_cem_walk(&run[i], visit, &own, error));
        add_chain(&c, &own);
    }
    if (!isnan(c.broke))
        snprintf(when, sizeof when, "%.4g s", c.broke);
    TS_TRY(ts_claim(study, c.least == c.count, (double)(c.count - c.least), "", "no joint breaks", error,
                    "lowered: joints broken, of %zu, in any frame (%s%s; farthest that a ball is from its socket: "
                    "%.3f of the lips' distance)",
                    c.count, isnan(c.broke) ? "none" : "the first after ", when, c.stretch));
    TS_TRY(
        ts_claim_at_most(study, c.bend * (180 / TS_PI), BEND, "°", error,
                         "lowered: most that a link is turned against the one before (lips meet the neck at 30.5°)"));
    /* a pair has one contact by construction: what can fail is that joints touch */
    TS_TRY(ts_claim(study, c.most == 1, (double)c.most, "", "a single force per joint", error,
                    "lowered: most contacts between neighbours, in any frame (%.0f%% of them touch)",
                    100 * c.touched / c.seen));
    return ts_claim_at_least(study, (double)c.folded, 1, "", error,
                             "lowered: contacts of the coil with itself, in all frames and starts");
}

/* Drops from rising heights: the highest one snaps the chain; what became of the others that were run is told beside
 * it. */
static ts_status claim_dropped(ts_study *study, const ts_cem_run *run, size_t drops, ts_error *error)
{
    char others[128] = "";
    for (size_t i = 0; i < drops; i++) {
        if (run[i].skipped)
            continue;
        chain c = {.broke = TS_NONE};
        ts_status status = ts_cem_walk(&run[i], visit, &c, error);
        size_t broken = c.count - c.least, length = strlen(others);
        if (status == TS_OK && i + 1 < drops)
            snprintf(others + length, sizeof others - length, "; %s: %zu", run[i].name, broken);
        else if (status == TS_OK)
            status = ts_claim(study, broken > 0, (double)broken, "", "the chain snaps", error,
                              "%s: joints broken, of %zu%s", run[i].name, c.count, others);
        chain_free(&c);
        TS_TRY(status);
    }
    return TS_OK;
}

static ts_status draw(ts_study *study, const ts_cem_run *run, const ts_cem_run *dropped, ts_error *error)
{
    TS_AUTO(ts_cem_look_end) ts_cem_look look = {0};
    double height = 0, width = 0;
    TS_TRY(ts_cem_look_at(run, 0, &look, error));
    for (size_t i = 0; i < look.snapshot.body_count; i++) {
        height = fmax(height, look.snapshot.body[i].position[1]);
        width = fmax(width, look.snapshot.body[i].position[0]);
    }

    double time[2] = {ts_study_full(study) ? 66 : 5.3, ts_study_full(study) ? 9 : 0.6};
    ts_cem_panel panel[4] = {
        {run, 0, "lowered"}, {run, 0.4 * time[0], "lowered"}, {run, time[0], "lowered"}, {dropped, time[1], "dropped"}};
    ts_cem_figure figure = {.file = "chain",
                            .title = "A chain coils",
                            .panel = panel,
                            .columns = 4,
                            .rows = 1,
                            .view = {-width, -1, width, fmin(0.5 * height, 1.6 * width)}};
    TS_TRY(ts_cem_draw(study, &figure, error));
    if (!ts_study_full(study))
        return TS_OK;
    figure.file = "chain-lowered";
    figure.columns = 1;
    figure.panel = panel + 2;
    figure.width = 720;
    return ts_cem_film(study, &figure, error);
}

/* Quick: 28 links as stiff as the full chain's; lowered at 4 m a second, or let go so low that they land at once, but
 * with the speed of a fall from higher up. */
#define LINKS "generators[1].count=27", "dynamics.stiffness=3.5e9", "time_step=2.5e-5", "output.frame_rate=100 Hz"
static const char *const lowered[] = {LINKS,
                                      "bodies[0].position=[0, 23.63]",
                                      "generators[1].points=[[0, 23.222], [0, 1.19]]",
                                      "drives[0].velocity=[0, -4]",
                                      "drives[0].end=5.3",
                                      "duration=6.5"};
#define FALL(speed)                                                                         \
    LINKS, "bodies[0].position=[0, 23.94]", "generators[1].points=[[0, 23.532], [0, 1.5]]", \
        "bodies[0].velocity=[0, -" speed "]", "generators[1].velocity=[0, -" speed "]", "duration=1.5"
#define FALL_COUNT 9
static const char *const falls[][FALL_COUNT] = {{FALL("88.6")}, {FALL("177")}, {FALL("354")}};

ts_status ts_study_chain(ts_study *study, ts_error *error)
{
    enum { STARTS = 3, DROPS = 3 };
    const uint64_t seed = ts_study_seed(study);
    const ts_cem_wish coil = {"chain", .quick = true, .override = lowered,
                              .override_count = sizeof lowered / sizeof *lowered};
    const ts_cem_run quick[STARTS + DROPS] = {
        {.name = "lowered", .wish = coil},
        {.name = "lowered-2", .wish = coil},
        {.name = "lowered-3", .wish = coil},
        {.name = "dropped-400",
         .wish = {"chain-drop", .quick = true, .override = falls[0], .override_count = FALL_COUNT}},
        {.name = "dropped-1600",
         .wish = {"chain-drop", .quick = true, .override = falls[1], .override_count = FALL_COUNT}},
        {.name = "dropped-6400",
         .wish = {"chain-drop", .quick = true, .override = falls[2], .override_count = FALL_COUNT}},
    };
    static const ts_cem_run full[] = {{.name = "lowered", .wish = {.scene = "chain"}},
                                      {.name = "dropped-25", .wish = {.scene = "chain-drop"}}};
    ts_cem_run run[STARTS + DROPS] = {0};
    const size_t starts = ts_study_full(study) ? 1 : STARTS, count = ts_study_full(study) ? 2 : STARTS + DROPS;
    for (size_t i = 0; i < count; i++) {
        run[i] = ts_study_full(study) ? full[i] : quick[i];
        run[i].wish.seed = i < starts ? seed + i : 0;
    }
    TS_TRY(ts_cem_runs(study, run, count, (double[2]){0, 0.9}, error));
    if (ts_cem_ran(run, 1))
        TS_TRY(claim_lowered(study, run, starts, error));
    if (ts_cem_ran(&run[count - 1], 1))
        TS_TRY(claim_dropped(study, &run[starts], count - starts, error));
    return ts_cem_ran(run, 1) ? draw(study, run, &run[count - 1], error) : TS_OK;
}
