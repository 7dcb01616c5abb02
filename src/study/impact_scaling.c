/* SPDX-License-Identifier: MIT */
/* The study `impact-scaling`: many balls in a drum (Smith et al. 2012, section 11.2, Table 2, Fig. 10).
 *
 * A square grid of balls of radius 1 that touch, elastic and without friction, h = 0.01 s, in a drum.
 *
 *     drop    at rest, under a gravity of 10: after a fall of 5 the lower corners hit, and the blow goes through the whole grid, whose
 *             balls touch by a millionth, so that neighbours count
 *     gas     no gravity, every ball with a speed of 1 in a direction of its own
 *
 * That the balls touch is not said in the paper but follows from its table: its drop has two contacts a ball in one
 * step, and its first step of gas 0.48 to every two neighbours; of balls that just touch half close. How large its drum
 * is, and for how long it ran, it does not say.
 *
 * Measured are the columns of that table, step by step, and what must not happen in elastic impacts: energy that comes
 * or goes. Times depend on the machine and on what else it does: `touchstone bench impact` sets them beside the
 * paper's. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "dynamics/impact.h"
#include "study/impact_drum.h"
#include "study/studies.h"
#include "workspace.h"

#define SCENES  TS_DRUM_SCENES
#define SIZES   TS_DRUM_SIZES
#define STEP    0.01
#define STEPS   TS_DRUM_STEPS
#define SHOTS   4
#define GRAVITY 10.0
#define FALL    5.0   /* of the lower corners */
#define HEADING 0x9a5 /* stream of random numbers */
#define COLUMNS 5

typedef enum column { INTEGRATION, DETECTION, IMPACT, PASSES, CONTACTS } column;
static const char *const column_name[COLUMNS] = {"integration_s", "detection_s", "impact_s", "passes", "contacts"};

const char *const ts_drum_name[SCENES] = {"drop", "gas"};
static const double radius_of[SCENES] = {1.000001, 1};
const int ts_drum_side[SIZES] = {101, 317, 1001};
const ts_drum_paper ts_drum_published[SCENES][SIZES] = {{{0.01, 3.08}, {1.30, 279.90}, {137.62, 7434.73}},
                                                        {{0.00, 0.09}, {0.05, 2.04}, {1.67, 22.76}}};

typedef struct outcome {
    int side;
    double sum[COLUMNS], most[COLUMNS], least[COLUMNS];
    double energy;    /* largest |E − E₀| over the largest kinetic energy */
    double asymmetry; /* of drop: largest distance from the image in the mirror [radii] */
    double overlap;   /* deepest at the beginning of a step [radii] */
    uint64_t steps;
    char why[256]; /* it stopped early; empty: it did not */
} outcome;

typedef struct scaling {
    ts_study *study;
    ts_balls balls[SCENES]; /* of the size at work */
    outcome outcome[SCENES][SIZES];
    int sizes, which; /* of them, and how many are done */
} scaling;

/* ---- Scenes ---- */

double ts_drum_radius(int side)
{
    return hypot(side - 1, side - 1 + FALL) + 1;
}

ts_status ts_drum_start(ts_balls *balls, int scene, int side, int threads, uint64_t seed, ts_error *error)
{
    TS_TRY(ts_balls_open(balls,
                         &(ts_balls_wish){.by = "gr",
                                          .restitution = 1,
                                          .gravity = scene == 0 ? -GRAVITY : 0,
                                          .step = STEP,
                                          .radius = radius_of[scene],
                                          .threads = threads},
                         error));
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            uint64_t ball = (uint64_t)j * (uint64_t)side + (uint64_t)i;
            double angle = 2 * M_PI * ts_random_uniform(seed, HEADING, ball);
            double speed = scene == 0 ? 0 : 1;
            TS_TRY(ts_balls_add(balls, 2.0 * i - (side - 1), 2.0 * j - (side - 1), speed * cos(angle),
                                speed * sin(angle), error));
            balls->kind.item[balls->count - 1] = 7 * j / side;
        }
    TS_TRY(ts_balls_drum(balls, ts_drum_radius(side), error));
    TS_TRY(ts_balls_start(balls, error));
    ts_workspace_time_phases(balls->rig.work, true);
    return TS_OK;
}

/* Kinetic, and of the whole. */
static void energies(const ts_balls *balls, double *kinetic, double *total)
{
    *kinetic = *total = 0;
    for (size_t i = 0; i < balls->count; i++) {
        const ts_body *b = ts_rig_body(&balls->rig, i);
        double mass = ts_model_mass(balls->rig.model, i);
        *kinetic += 0.5 * mass * (b->vx * b->vx + b->vy * b->vy);
        *total -= mass * balls->wish.gravity * b->y;
    }
    *total += *kinetic;
}

/* The grid is its own image: ball (i, j) and ball (side - 1 - i, j). */
static double asymmetry_of(const ts_balls *balls, int side)
{
    double most = 0;
    for (size_t k = 0; k < balls->count; k++) {
        size_t i = k % (size_t)side, twin = k - i + (size_t)side - 1 - i;
        const ts_body *a = ts_rig_body(&balls->rig, k), *b = ts_rig_body(&balls->rig, twin);
        most = fmax(most, hypot(a->x + b->x, a->y - b->y));
    }
    return most;
}

/* ---- Running ---- */

static void take_step(outcome *out, const double row[COLUMNS])
{
    for (int c = 0; c < COLUMNS; c++) {
        out->sum[c] += row[c];
        out->most[c] = out->steps == 0 ? row[c] : fmax(out->most[c], row[c]);
        out->least[c] = out->steps == 0 ? row[c] : fmin(out->least[c], row[c]);
    }
    out->steps++;
}

static ts_status step(ts_balls *balls, outcome *out, FILE *table, ts_error *error)
{
    ts_workspace *work = balls->rig.work;
    ts_timers before = *ts_workspace_timers(work);
    uint64_t contacts = work->contact_sum;
    work->max_overlap = 0;
    TS_TRY(ts_balls_step(balls, 1, error));
    if (balls->stopped != TS_OK) {
        memcpy(out->why, balls->why, sizeof out->why);
        return TS_OK;
    }
    const ts_timers *after = ts_workspace_timers(work);
    double spent[TS_PHASE_COUNT];
    for (int p = 0; p < TS_PHASE_COUNT; p++)
        spent[p] = after->seconds[p] - before.seconds[p];
    const double row[COLUMNS] = {
        [INTEGRATION] = spent[TS_PHASE_ADVANCE] + spent[TS_PHASE_DRIVE],
        [DETECTION] = spent[TS_PHASE_PAIRS] + spent[TS_PHASE_CONTACTS],
        [IMPACT] = spent[TS_PHASE_RESOLVE],
        [PASSES] = (double)ts_impact_last(work)->passes,
        [CONTACTS] = (double)(work->contact_sum - contacts),
    };
    take_step(out, row);
    out->overlap = fmax(out->overlap, work->max_overlap);
    fprintf(table, "%.2f", ts_state_time(balls->rig.state));
    for (int c = 0; c < COLUMNS; c++)
        fprintf(table, ",%.6g", row[c]);
    fputc('\n', table);
    return TS_OK;
}

static ts_status steps(scaling *all, int scene, int size, FILE *table, ts_error *error)
{
    ts_balls *balls = &all->balls[scene];
    outcome *out = &all->outcome[scene][size];
    double kinetic, total, first, most = 0, off = 0;
    char what[64];
    energies(balls, &kinetic, &first);
    TS_TRY(ts_balls_shoot(balls, error));
    for (int k = 1; k <= STEPS && balls->stopped == TS_OK; k++) {
        snprintf(what, sizeof what, "%s, %zu balls: t = %.2f s", ts_drum_name[scene], balls->count, k * STEP);
        ts_study_report(all->study, (all->which + (double)k / STEPS) / (SCENES * all->sizes), what);
        TS_TRY(step(balls, out, table, error));
        if (k % 10 == 0) {
            energies(balls, &kinetic, &total);
            most = fmax(most, kinetic);
            off = fmax(off, fabs(total - first));
        }
        if (k % (STEPS / (SHOTS - 1)) == 0)
            TS_TRY(ts_balls_shoot(balls, error));
    }
    out->energy = off / most;
    out->asymmetry = scene == 0 ? asymmetry_of(balls, out->side) : TS_NONE;
    return TS_OK;
}

static ts_status run(scaling *all, int scene, int size, ts_error *error)
{
    char name[64];
    ts_draft draft;
    outcome *out = &all->outcome[scene][size];
    out->side = ts_drum_side[size];
    ts_balls_close(&all->balls[scene]);
    TS_TRY(ts_drum_start(&all->balls[scene], scene, out->side, ts_study_threads(all->study), ts_study_seed(all->study),
                         error));
    snprintf(name, sizeof name, "%s-%d.csv", ts_drum_name[scene], out->side * out->side);
    TS_TRY(ts_study_sheet_open(all->study, name, &draft, error));
    fputs("time_s", draft.stream);
    for (int c = 0; c < COLUMNS; c++)
        fprintf(draft.stream, ",%s", column_name[c]);
    fputc('\n', draft.stream);
    ts_status status = steps(all, scene, size, draft.stream, error);
    if (status != TS_OK) {
        ts_draft_discard(&draft);
        return status;
    }
    all->which++;
    return ts_study_sheet_close(all->study, &draft, error);
}

/* ---- What came of it ---- */

static ts_status tell(scaling *all, int scene, int size, ts_error *error)
{
    ts_study *study = all->study;
    const outcome *out = &all->outcome[scene][size];
    const char *name = ts_drum_name[scene];
    size_t balls = (size_t)out->side * (size_t)out->side;
    TS_TRY(ts_claim(study, out->steps == STEPS, STEP * (double)out->steps, "s", "3 s", error,
                    "%s, %zu balls: simulated time%s%s", name, balls, out->why[0] ? "; " : "", out->why));
    if (out->steps == 0)
        return TS_OK;
    return ts_claim_at_most(study, out->energy, 1e-10, "1", error, "%s, %zu balls: change of energy, as a share", name,
                            balls);
}

static ts_status write_table(const scaling *all, ts_error *error)
{
    ts_draft draft;
    TS_TRY(ts_study_sheet_open(all->study, "impact-scaling.csv", &draft, error));
    FILE *file = draft.stream;
    fputs("scene,balls,steps", file);
    for (int c = 0; c < COLUMNS; c++)
        fprintf(file, ",%s_mean,%s_max,%s_min", column_name[c], column_name[c], column_name[c]);
    fputs(",energy,asymmetry_radii,overlap_radii,paper_impact_mean,paper_impact_max\n", file);
    for (int scene = 0; scene < SCENES; scene++)
        for (int size = 0; size < all->sizes; size++) {
            const outcome *out = &all->outcome[scene][size];
            fprintf(file, "%s,%d,%llu", ts_drum_name[scene], out->side * out->side, (unsigned long long)out->steps);
            for (int c = 0; c < COLUMNS; c++)
                fprintf(file, ",%.6g,%.6g,%.6g", out->sum[c] / (double)out->steps, out->most[c], out->least[c]);
            fprintf(file, ",%.3g,%.3g,%.3g,%g,%g\n", out->energy, out->asymmetry, out->overlap,
                    ts_drum_published[scene][size].mean, ts_drum_published[scene][size].most);
        }
    return ts_study_sheet_close(all->study, &draft, error);
}

static ts_status draw(const scaling *all, ts_error *error)
{
    double drum = ts_drum_radius(ts_drum_side[all->sizes - 1]);
    const ts_picture_wall wall = {.kind = TS_WALL_CIRCLE, .radius = drum};
    ts_balls_panel panel[SCENES * SHOTS];
    for (size_t i = 0; i < SCENES * SHOTS; i++) {
        const ts_balls *balls = &all->balls[i / SHOTS];
        size_t last = balls->shot_time.count - 1;
        panel[i] =
            (ts_balls_panel){balls, i % SHOTS < last ? i % SHOTS : last, ts_drum_name[i / SHOTS], TS_BALLS_STRUCK};
    }
    return ts_balls_draw(all->study,
                         &(ts_balls_figure){.file = "impact-scaling",
                                            .title = "Balls in a drum",
                                            .panel = panel,
                                            .columns = SHOTS,
                                            .rows = SCENES,
                                            .view = {-drum, -drum, drum, drum},
                                            .wall = &wall,
                                            .wall_count = 1},
                         error);
}

static ts_status scale(scaling *all, ts_error *error)
{
    for (int size = 0; size < all->sizes; size++)
        for (int scene = 0; scene < SCENES; scene++) {
            TS_TRY(run(all, scene, size, error));
            TS_TRY(tell(all, scene, size, error));
        }
    TS_TRY(write_table(all, error));
    return draw(all, error);
}

static void close_all(scaling *all)
{
    for (int scene = 0; scene < SCENES; scene++)
        ts_balls_close(&all->balls[scene]);
}

ts_status ts_study_impact_scaling(ts_study *study, ts_error *error)
{
    TS_AUTO(close_all) scaling all = {0};
    all.study = study;
    all.sizes = ts_study_full(study) ? SIZES : 1;
    return scale(&all, error);
}
