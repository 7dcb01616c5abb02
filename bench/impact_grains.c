/* SPDX-License-Identifier: MIT */
/* Part of the bench `impact`: `#` grains under Generalized Reflections at 240 Hz, beside Box2D at its usual 60.
 *
 *     springs, as in the bench `grains` ─▶ a bed at rest ─┬▶ impact: some steps, then timed ─▶ gravity tilts, and turns: timed
 *                                                         ╰▶ Box2D: until at rest, then timed ─▶ the same
 *
 * Both get the same bed. One that springs hold slumps a little under impact: it is slowed down until it has settled, or
 * the time for that is over; the row has its speed. Gravity then leans over by 45° at once, so that grains flow from
 * the first step on, and goes on turning. A model's gravity never changes, so ours turns every tenth of a second, by a
 * new model; Box2D's every step. Ours is timed by the clock on the wall, on all threads; Box2D has one, and its
 * processor's time. Overlaps are measured by the intersections of outlines, in which neither has a part.
 *
 * The time that ours may take is bounded: fewer steps are then timed, the same simulated time by Box2D, and the row
 * says so. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/release.h"
#include "grains_measure.h"
#include "impact_parts.h"
#include "study/grains.h"
#include "walls.h"

#define RATE         240   /* steps a second */
#define SWEEPS       30    /* of a step, at most */
#define MAP_ERROR    0.001 /* of the radius: contacts keep what is left of it */
#define COLUMNS      40    /* of the grid of 1,000 */
#define TILT         (TS_PI / 4)
#define TURN         (TS_PI / 6) /* [rad/s] */
#define PIECE        24          /* steps with one gravity: a tenth of a second */
#define STEPS        RATE        /* that are timed at most */
#define SETTLING     RATE        /* before, with impact: at most */
#define CUT_EVERY    5
#define CUT          0.5
#define GOAL_TIME    1.0
#define GOAL_OVERLAP 0.25

typedef struct phase {
    const char *name;
    double seconds;   /* a simulated second */
    double simulated; /* that were timed [s] */
    double speed;     /* root mean square at the end [m/s] */
    bool stopped;     /* it could not go on */
    char why[256];    /* in words */
    ts_overlaps overlaps;
} phase;

typedef struct arena {
    ts_bench *bench;
    ts_bed_plan plan; /* of the bed with springs */
    ts_grain_bin bin; /* grains of both, where they are now */
    ts_body *motion;  /* of ours (bin.count) */
    char version[64]; /* of Box2D; "": not installed, or broke down */
    double budget;    /* what a phase of ours may take [s] */
    char cache[4096];
} arena;

/* ---- Ours ---- */

static ts_status fill_scene(ts_scene *scene, const arena *a, double tilt, ts_error *error)
{
    const ts_grain_bin *grid = a->plan.loose;
    ts_settings settings = ts_default_settings();
    settings.gravity[0] = grid->gravity * sin(tilt);
    settings.gravity[1] = -grid->gravity * cos(tilt);
    settings.time_step = 1.0 / RATE;
    TS_TRY(ts_scene_set(scene, &settings, error));
    TS_TRY(ts_scene_set_map(scene, &a->plan.map, error));
    ts_dynamics_def dynamics = ts_default_dynamics();
    dynamics.kind = "impact";
    dynamics.impact_operator = "gr";
    dynamics.sweeps = SWEEPS;
    dynamics.places = "map";
    TS_TRY(ts_scene_set_dynamics(scene, &dynamics, error));
    ts_material_def material = ts_default_material();
    material.density = grid->density;
    material.friction = grid->friction;
    material.restitution = grid->restitution;
    TS_TRY(ts_scene_set_default_material(scene, &material, error));
    TS_TRY(ts_bench_walls(scene, grid->width, error));
    ts_body_def body = ts_default_body();
    TS_TRY(ts_scene_add_outline(scene, "grain", grid->outline, &body.shape, error));
    body.scale = grid->scale;
    for (size_t i = 0; i < grid->count; i++) {
        body.position[0] = grid->pose[i].x;
        body.position[1] = grid->pose[i].y;
        body.angle = grid->pose[i].angle;
        TS_TRY(ts_scene_add_body(scene, &body, NULL, error));
    }
    return TS_OK;
}

static void close_bed(ts_bed *bed, ts_workspace *work)
{
    ts_workspace_free(work);
    ts_bed_close(bed);
}

/* The grains as they are, under gravity at this angle. */
static ts_status open_bed(arena *a, double tilt, ts_bed *bed, ts_workspace **work, ts_error *error)
{
    TS_AUTO(ts_scene_free_at) ts_scene *scene = NULL;
    *bed = (ts_bed){0};
    *work = NULL;
    TS_TRY(ts_scene_create(&scene, error));
    TS_TRY(fill_scene(scene, a, tilt, error));
    TS_TRY(ts_model_compile(scene, &bed->model, error));
    TS_TRY(ts_model_prepare(bed->model, &a->plan.making, error));
    TS_TRY(ts_state_create(bed->model, &bed->state, error));
    for (size_t i = 0; i < a->bin.count; i++) {
        const ts_body *b = &a->motion[i];
        TS_TRY(ts_state_set_pose(bed->state, i, (double[]){b->x, b->y, b->angle}, error));
        TS_TRY(ts_state_set_velocity(bed->state, i, (double[]){b->vx, b->vy, b->spin}, error));
    }
    return ts_workspace_create(bed->model, ts_bench_threads(a->bench), work, error);
}

/* Up to so many steps, within the budget; times are added up. An impact that does not end is an outcome. */
static ts_status walk(arena *a, ts_bed *bed, ts_workspace *work, uint64_t steps, phase *p, ts_error *error)
{
    for (uint64_t k = 0; k < steps && p->seconds < a->budget && !p->stopped; k++) {
        char what[96];
        snprintf(what, sizeof what, "%zu grains %s, %.2f s", a->bin.count, p->name, p->simulated);
        if (k % 8 == 0)
            ts_bench_report(a->bench, TS_NONE, what);
        double begin = ts_clock_seconds();
        ts_status status = ts_step(bed->model, bed->state, work, 1, error);
        p->seconds += ts_clock_seconds() - begin;
        if (status == TS_DIVERGED) {
            p->stopped = true;
            snprintf(p->why, sizeof p->why, "%.250s", error ? error->message : "");
            break;
        }
        TS_TRY(status);
        p->simulated += 1.0 / RATE;
    }
    const ts_body *body = ts_state_bodies(bed->state);
    for (size_t i = 0; i < a->bin.count; i++)
        a->motion[i] = body[i];
    return TS_OK;
}

static ts_status look(arena *a, phase *p, ts_error *error)
{
    double sum = 0;
    for (size_t i = 0; i < a->bin.count; i++) {
        const ts_body *b = &a->motion[i];
        a->bin.pose[i] = (ts_pose2){b->x, b->y, b->angle};
        sum += b->vx * b->vx + b->vy * b->vy;
    }
    p->speed = sqrt(sum / (double)a->bin.count);
    p->seconds /= p->simulated;
    return ts_bed_overlaps(&a->bin, a->bin.pose, &p->overlaps, error);
}

/* Steps until the bed has found its rest anew, velocities cut down as the bench `grains` does. What is settled to
 * the end is kept on disk. */
static ts_status settle_anew(arena *a, ts_bed *bed, ts_workspace *work, phase *p, ts_error *error)
{
    const char *folder;
    char path[4200];
    ts_error ignored;
    TS_TRY(ts_bench_out_dir(a->bench, &folder, error));
    snprintf(path, sizeof path, "%s/impact-grains-%zu-%d-%016" PRIx64 ".state", folder, a->bin.count, SETTLING,
             ts_model_hash(bed->model));
    if (ts_file_exists(path) && ts_state_load(bed->model, bed->state, path, &ignored) == TS_OK)
        return TS_OK;
    uint64_t done = 0;
    for (; done < SETTLING && p->seconds < a->budget && !p->stopped; done += CUT_EVERY) {
        TS_TRY(walk(a, bed, work, CUT_EVERY, p, error));
        for (size_t i = 0; i < a->bin.count; i++) {
            const ts_body *b = &a->motion[i];
            TS_TRY(ts_state_set_velocity(bed->state, i, (double[]){CUT * b->vx, CUT * b->vy, CUT * b->spin}, error));
        }
    }
    return p->stopped || done < SETTLING ? TS_OK : ts_state_save(bed->model, bed->state, path, error);
}

/* Then the steps that count. */
static ts_status rest(arena *a, phase *p, ts_error *error)
{
    ts_bed bed;
    ts_workspace *work;
    phase before = {.name = p->name};
    ts_status status = open_bed(a, 0, &bed, &work, error);
    if (status == TS_OK)
        status = settle_anew(a, &bed, work, &before, error);
    if (status == TS_OK && before.stopped)
        *p = before;
    else if (status == TS_OK)
        status = walk(a, &bed, work, STEPS, p, error);
    close_bed(&bed, work);
    TS_TRY(status);
    return look(a, p, error);
}

static ts_status flow(arena *a, phase *p, ts_error *error)
{
    for (uint64_t k = 0; k < STEPS && p->seconds < a->budget && !p->stopped; k += PIECE) {
        ts_bed bed;
        ts_workspace *work;
        ts_status status = open_bed(a, TILT + TURN * (p->simulated + 0.5 * PIECE / RATE), &bed, &work, error);
        if (status == TS_OK)
            status = walk(a, &bed, work, PIECE, p, error);
        close_bed(&bed, work);
        TS_TRY(status);
    }
    return look(a, p, error);
}

/* ---- Box2D ---- */

/* Goes on from `bin`, whose poses it replaces by those at the end. */
static ts_status run_peer(arena *a, ts_grain_bin *bin, bool flows, const phase *ours, phase *p, ts_error *error)
{
    const char *folder;
    char work[4200];
    ts_grain_result result;
    TS_TRY(ts_bench_out_dir(a->bench, &folder, error));
    snprintf(work, sizeof work, "%s/impact-grains-%zu", folder, bin->count);
    ts_grain_job job = ts_grain_job_usual(TS_GRAIN_BOX2D, bin);
    if (flows) {
        job.tilt = TILT;
        job.turn = TURN;
        job.most = 0;
        job.windows = 1;
        job.window_steps = (int)fmax(1, round(ours->simulated / job.time_step));
    } else {
        job.most = 5; /* it begins at rest, but for the difference in skins */
    }
    ts_bench_report(a->bench, TS_NONE, "Box2D");
    if (ts_grain_peer_run(TS_GRAIN_BOX2D, bin, &job, work, &result, NULL) != TS_OK) {
        p->stopped = true;
        snprintf(p->why, sizeof p->why, "Box2D broke down; its last words are in impact-grains-%zu.out", bin->count);
        return TS_OK;
    }
    snprintf(a->version, sizeof a->version, "%s", result.version);
    p->seconds = result.seconds / job.time_step;
    p->simulated = job.windows * job.window_steps * job.time_step;
    for (size_t i = 0; i < bin->count; i++)
        bin->pose[i] = result.pose[i];
    ts_status status = ts_bed_overlaps(bin, bin->pose, &p->overlaps, error);
    ts_grain_result_free(&result);
    return status;
}

/* ---- Rows ---- */

static ts_bench_row row_of(const arena *a, const phase *ours, const char *what, const char *unit, char name[160])
{
    snprintf(name, 160, "%zu hash %s, gr: %s", a->bin.count, ours->name, what);
    ts_bench_row row = ts_bench_row_empty();
    row.name = name;
    row.unit = unit;
    row.goal_is_most = true;
    return row;
}

/* A goal for ours over theirs; where there is nothing to compare with, none. */
static void compare(const arena *a, const phase *theirs, ts_bench_row *row, double value, double goal)
{
    if (!theirs || theirs->stopped)
        return;
    row->peer = a->version;
    row->goal = goal;
    if (value > 0) {
        row->peer_value = value;
        row->ratio = row->judged = row->ours / value;
    } else {
        row->judged = row->ours > 0 ? HUGE_VAL : 0;
    }
}

static ts_status add_rows(const arena *a, const phase *ours, const phase *theirs, ts_error *error)
{
    char name[160], note[480];
    double size = ts_grain_size(&a->bin);
    const ts_overlaps *o = &ours->overlaps, none = {0}, *t = theirs && !theirs->stopped ? &theirs->overlaps : &none;
    if (ours->stopped) {
        ts_bench_row row = row_of(a, ours, "simulated until it stopped", "s", name);
        row.ours = ours->simulated;
        row.note = ours->why;
        TS_TRY(ts_bench_add(a->bench, &row, error));
        if (!(ours->simulated > 0))
            return TS_OK;
    }
    ts_bench_row row = row_of(a, ours, "a simulated second", "s", name);
    row.ours = ours->seconds;
    snprintf(note, sizeof note, "%d threads, 1/%d s a step; %.2g s timed, at %.2g m/s%s%s", ts_bench_threads(a->bench),
             RATE, ours->simulated, ours->speed, theirs && theirs->stopped ? "; " : "", theirs ? theirs->why : "");
    row.note = note;
    compare(a, theirs, &row, theirs ? theirs->seconds : 0, GOAL_TIME);
    TS_TRY(ts_bench_add(a->bench, &row, error));

    row = row_of(a, ours, "mean overlap over size", "1", name);
    row.ours = o->pairs > 0 ? o->mean_depth / size : 0;
    snprintf(note, sizeof note, "of %zu and %zu pairs by intersection; deepest %.2g%%, %.2g%%", o->pairs, t->pairs,
             100 * o->most_depth / size, 100 * t->most_depth / size);
    row.note = note;
    compare(a, theirs, &row, t->pairs > 0 ? t->mean_depth / size : 0, GOAL_OVERLAP);
    TS_TRY(ts_bench_add(a->bench, &row, error));

    row = row_of(a, ours, "pairs passed through", "1", name);
    row.ours = row.judged = (double)o->through;
    row.goal = 0;
    snprintf(note, sizeof note, "Box2D: %zu", t->through);
    if (theirs && !theirs->stopped)
        row.note = note;
    return ts_bench_add(a->bench, &row, error);
}

/* ---- All of it ---- */

/* Grains at rest by springs: where both begin. Beds and times are those of the bench `grains`, which shares them on
 * disk. */
static ts_status settle(arena *a, const ts_grain_bin *loose, const ts_grain_bin *from, const ts_bed_times *times,
                        ts_grain_bin *rested, ts_error *error)
{
    ts_bed bed;
    ts_bed_plan plan = a->plan;
    plan.loose = loose;
    TS_TRY(ts_bed_settled(a->bench, &plan, from ? from->pose : NULL, times, &bed, error));
    ts_status status = ts_bed_bin(&bed, loose, rested, error);
    ts_bed_close(&bed);
    return status;
}

static ts_status begin(arena *a, const ts_grain_bin *loose, ts_grain_bin *wide, ts_error *error)
{
    static const ts_bed_times few = {5, 20000}, many = {0.3, 3000};
    if (ts_bench_quick(a->bench))
        return settle(a, loose, NULL, &few, &a->bin, error);
    ts_grain_bin one = {0}, beside = {0};
    ts_status status = settle(a, loose, NULL, &few, &one, error);
    if (status == TS_OK)
        status = ts_grain_bin_side_by_side(&one, 10, &beside, error);
    if (status == TS_OK)
        status = ts_grain_bin_side_by_side(loose, 10, wide, error);
    if (status == TS_OK)
        status = settle(a, wide, &beside, &many, &a->bin, error);
    ts_grain_bin_free(&one);
    ts_grain_bin_free(&beside);
    a->plan.loose = wide;
    return status;
}

static ts_status contest(arena *a, ts_error *error)
{
    phase ours = {.name = "at rest"}, theirs = {.name = "at rest"};
    ts_grain_bin other = {0}; /* Box2D's grains */
    bool peer = ts_grain_peer_installed(TS_GRAIN_BOX2D);
    TS_TRY(ts_grain_bin_side_by_side(&a->bin, 1, &other, error));
    a->motion = ts_alloc(a->bin.count, sizeof *a->motion);
    ts_status status = a->motion ? TS_OK : ts_fail_memory(error, a->bin.count * sizeof *a->motion);
    for (size_t i = 0; status == TS_OK && i < a->bin.count; i++)
        a->motion[i] = (ts_body){.x = a->bin.pose[i].x, .y = a->bin.pose[i].y, .angle = a->bin.pose[i].angle};
    for (int flows = 0; flows < 2 && status == TS_OK; flows++) {
        if (flows) {
            ours = (phase){.name = "flowing"};
            theirs = (phase){.name = "flowing"};
        }
        status = (flows ? flow : rest)(a, &ours, error);
        if (status == TS_OK && peer)
            status = run_peer(a, &other, flows, &ours, &theirs, error);
        if (status == TS_OK)
            status = add_rows(a, &ours, peer ? &theirs : NULL, error);
        if (ours.stopped)
            break;
    }
    ts_grain_bin_free(&other);
    ts_free(a->motion);
    return status;
}

ts_status ts_impact_rows_grains(ts_bench *bench, ts_error *error)
{
    bool quick = ts_bench_quick(bench);
    arena a = {.bench = bench, .budget = quick ? 5 : ts_bench_full(bench) ? 600 : 90};
    ts_grain_bin loose = {0}, wide = {0};
    ts_grains *grains;
    const ts_outline *outline;
    const char *folder;
    TS_TRY(ts_bench_out_dir(bench, &folder, error));
    snprintf(a.cache, sizeof a.cache, "%s/maps", folder);
    a.plan = (ts_bed_plan){.loose = &loose,
                           .map = {.kind = TS_MAP_TABLE, .error = MAP_ERROR},
                           .making = {.threads = ts_bench_threads(bench), .cache = a.cache}};
    ts_bench_report(bench, 0.7, "grains");
    TS_TRY(ts_grains_create(&grains, error));
    ts_status status = ts_grains_find(grains, "hash", &outline, error);
    if (status == TS_OK) {
        double scale = 1 / ts_grain_size(&(ts_grain_bin){.outline = outline, .scale = 1});
        status = ts_grain_bin_loose(outline, 1000, COLUMNS, scale, ts_bench_seed(bench), &loose, error);
    }
    if (status == TS_OK)
        status = begin(&a, &loose, &wide, error);
    if (status == TS_OK)
        status = contest(&a, error);
    ts_grain_bin_free(&a.bin);
    ts_grain_bin_free(&loose);
    ts_grain_bin_free(&wide);
    ts_grains_free(grains);
    return status;
}
