/* SPDX-License-Identifier: MIT */
/* The study `patterns`: waves on a shaken layer of spheres (Smith et al. 2012, section 11.4, Fig. 12, Table 3; Bizon
 * et al. 1998).
 *
 *     o   o   o      floor and side walls go up and down, z = A sin(2π f t), and throw the layer up; where it comes down a little
 *    ooo ooo ooo     earlier it is pushed aside, and the next time crests are where troughs were: waves of f / 2
 *     ===================
 *
 * Hexagons at f* = 0.38 and Γ = 4, squares at 0.27 and 3, stripes at 0.44 and 3 (shaken_layer.h).
 *
 * Steps. The paper's are 1e-3 s to 1e-4 s, its units it does not say. If its spheres are those of the experiment, 165
 * µm, √(H/g) is 9.5 ms and a cycle of hexagons 25 ms: 25 to 250 steps. So steps a cycle are what is compared. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/threads.h"
#include "record/kind.h"
#include "record/runfolder.h"
#include "record/trajectory.h"
#include "study/figure.h"
#include "study/layer_draw.h"
#include "study/shaken_layer.h"
#include "study/space_draw.h"
#include "study/studies.h"
#include "touchstone/sim.h"
#include "workspace.h"

#define CHECKPOINT_SECONDS 60.0
#define PATH               4200

/* One run. */
typedef struct layer {
    const char *name; /* of its folder */
    ts_shaken_layer as;
    int window;     /* cycles at the end that are looked at */
    uint64_t start; /* which of several starts: added to the study's seed */

    /* written */
    char folder[PATH];
    ts_layer_field even, odd, wave; /* mean surfaces; half their difference [diameters] */
    ts_layer_field half[2];         /* the same of the window's first half, and of its second */
    ts_layer_spectrum spectrum, half_spectrum[2];
    ts_summary summary;
} layer;

/* ---- Running ---- */

/* A run on its way. */
typedef struct session {
    ts_study *study;
    layer *l;
    double from, part; /* of the study's work */
    ts_scene *scene;
    ts_model *model;
    ts_state *state;
    ts_workspace *work;
    ts_recorder *recorder;
} session;

static ts_status open_session(session *s, ts_error *error)
{
    const bool keep = ts_study_full(s->study);
    TS_TRY(ts_scene_create(&s->scene, error));
    TS_TRY(ts_shaken_layer_fill(s->scene, &s->l->as, ts_study_seed(s->study) + s->l->start, error));
    TS_TRY(ts_model_compile(s->scene, &s->model, error));
    TS_TRY(ts_state_create(s->model, &s->state, error));
    TS_TRY(ts_workspace_create(s->model, ts_study_threads(s->study), &s->work, error));
    ts_workspace_time_phases(s->work, true);
    if (keep && ts_run_exists(s->l->folder))
        return ts_recorder_resume(s->l->folder, s->model, s->state, &(ts_recorder_options){0}, &s->recorder, error);
    return ts_recorder_create(s->l->folder, s->model, &(ts_recorder_options){.title = s->l->name, .force = true},
                              &s->recorder, error);
}

static ts_status run_session(session *s, ts_error *error)
{
    const uint64_t last = ts_run_last_step(s->model);
    double saved = ts_clock_seconds();
    for (;;) {
        const uint64_t now = ts_state_steps(s->state);
        TS_TRY(ts_recorder_write(s->recorder, s->state, s->work, error));
        const bool due = now == 0 || now >= last || ts_clock_seconds() - saved > CHECKPOINT_SECONDS;
        if (ts_study_full(s->study) && due) {
            TS_TRY(ts_recorder_checkpoint(s->recorder, s->state, error));
            saved = ts_clock_seconds();
        }
        ts_study_report(s->study, s->from + s->part * (double)now / (double)last, s->l->name);
        if (now >= last)
            return ts_recorder_finish(s->recorder, s->state, s->work, &(ts_run_end){.outcome = "finished"},
                                      &s->l->summary, error);
        const uint64_t next = ts_recorder_next(s->recorder, now), some = now + 10;
        TS_TRY(ts_step(s->model, s->state, s->work, (next < some ? next : some) - now, error));
    }
}

static ts_status run_layer(ts_study *study, layer *l, double from, double part, ts_error *error)
{
    session s = {.study = study, .l = l, .from = from, .part = part};
    const char *folder;
    TS_TRY(ts_study_out_dir(study, &folder, error));
    snprintf(l->folder, sizeof l->folder, "%.4000s/%s", folder, l->name);
    TS_TRY(ts_folder_make(l->folder, error));
    ts_status status = open_session(&s, error);
    if (status == TS_OK)
        status = run_session(&s, error);
    ts_recorder_free(s.recorder);
    ts_workspace_free(s.work);
    ts_state_free(s.state);
    ts_model_free(s.model);
    ts_scene_free(s.scene);
    return status;
}

/* ---- Looking at it from above ---- */

/* Adds a frame's surface, the highest sphere of every cell, to a mean. `top` is scratch (columns · rows). */
static void add_surface(const ts_frame *frame, size_t bodies, ts_layer_field *mean, double weight, double *top)
{
    const size_t cells = mean->columns * mean->rows;
    double low = HUGE_VAL;
    for (size_t i = 0; i < bodies; i++)
        low = fmin(low, frame->body[i].pose.position.z / TS_LAYER_DIAMETER);
    for (size_t i = 0; i < cells; i++)
        top[i] = low;
    for (size_t i = 0; i < bodies; i++) {
        const ts_vec3 p = ts_vec3_scale(frame->body[i].pose.position, 1 / (TS_LAYER_DIAMETER * mean->cell));
        if (p.x < 0 || p.y < 0 || p.x >= (double)mean->columns || p.y >= (double)mean->rows)
            continue;
        double *at = &top[(size_t)p.y * mean->columns + (size_t)p.x];
        *at = fmax(*at, p.z * mean->cell);
    }
    for (size_t i = 0; i < cells; i++)
        mean->height[i] += weight * top[i];
}

/* Frames from `begin` to `end` that are even, or odd, as frame k is. */
static double alike(uint64_t k, uint64_t begin, uint64_t end)
{
    const uint64_t up_to_end = (end + 1 - k % 2) / 2, before = (begin + 1 - k % 2) / 2;
    return (double)(up_to_end - before);
}

static ts_status add_surfaces(layer *l, ts_trajectory *reader, double *top, ts_error *error)
{
    const ts_trajectory_header *header = ts_trajectory_get_header(reader);
    const uint64_t frames = ts_trajectory_frame_count(reader), window = (uint64_t)l->window;
    if (header->kind != &ts_record_space || frames < window)
        return ts_fail(error, TS_CORRUPT, "the run in %.200s has too few frames; remove its folder and begin anew",
                       l->folder);
    const uint64_t first = frames - window, middle = first + (window + 1) / 2;
    for (uint64_t k = first; k < frames; k++) {
        const size_t bodies = header->body_count, part = k >= middle;
        const double sign = k % 2 == 0 ? 0.5 : -0.5,
                     in_part = part ? alike(k, middle, frames) : alike(k, first, middle);
        ts_frame frame;
        TS_TRY(ts_trajectory_read(reader, k, &frame, error));
        add_surface(&frame, bodies, k % 2 == 0 ? &l->even : &l->odd, 1 / alike(k, first, frames), top);
        add_surface(&frame, bodies, &l->half[part], sign / in_part, top);
    }
    return TS_OK;
}

static ts_status look_at(layer *l, ts_error *error)
{
    const size_t columns = (size_t)l->as.size[0], rows = (size_t)l->as.size[1], cells = columns * rows;
    char path[PATH + 32];
    ts_trajectory *reader = NULL;
    TS_TRY(ts_layer_field_create(&l->even, columns, rows, 1, error));
    TS_TRY(ts_layer_field_create(&l->odd, columns, rows, 1, error));
    TS_TRY(ts_layer_field_create(&l->wave, columns, rows, 1, error));
    for (int i = 0; i < 2; i++)
        TS_TRY(ts_layer_field_create(&l->half[i], columns, rows, 1, error));
    TS_TRY(ts_run_path(l->folder, TS_RUN_TRAJECTORY, path, sizeof path, error));
    TS_TRY(ts_trajectory_open(path, &reader, error));
    double *top = ts_alloc(cells, sizeof *top);
    ts_status status = top ? add_surfaces(l, reader, top, error) : ts_fail_memory(error, cells * sizeof *top);
    ts_free(top);
    ts_trajectory_close(reader);
    TS_TRY(status);
    for (size_t i = 0; i < cells; i++)
        l->wave.height[i] = 0.5 * (l->even.height[i] - l->odd.height[i]);
    for (int i = 0; i < 2; i++)
        TS_TRY(ts_layer_look(&l->half[i], 2 * TS_LAYER_DEPTH, 12 * TS_LAYER_DEPTH, &l->half_spectrum[i], error));
    return ts_layer_look(&l->wave, 2 * TS_LAYER_DEPTH, 12 * TS_LAYER_DEPTH, &l->spectrum, error);
}

static void forget(layer *l)
{
    ts_layer_field_free(&l->even);
    ts_layer_field_free(&l->odd);
    ts_layer_field_free(&l->wave);
    for (int i = 0; i < 2; i++)
        ts_layer_field_free(&l->half[i]);
}

/* ---- Figures ---- */

/* Mean surfaces after even and after odd cycles, and the wave. */
static ts_status draw_heights(ts_study *study, const layer *l, ts_error *error)
{
    char name[64];
    snprintf(name, sizeof name, "%s-heights", l->name);
    const ts_layer_picture picture[3] = {{&l->even, "mean surface after even cycles"},
                                         {&l->odd, "after odd cycles"},
                                         {&l->wave, "half the difference: waves of f/2"}};
    return ts_layer_draw(study, name, picture, 3, error);
}

static ts_status plot(ts_study *study, const ts_plot *plot, const char *name, const char *what, ts_error *error)
{
    char file[128];
    snprintf(file, sizeof file, "%s-%s", name, what);
    return ts_figure_plot(study, plot, file, error);
}

static ts_status draw(ts_study *study, const layer *l, ts_error *error)
{
    const ts_layer_spectrum *s = &l->spectrum;
    const ts_plot_line ring = {NULL, s->wave, s->power, TS_LAYER_RADII, false},
                       along = {NULL, s->turn, s->along, TS_LAYER_DIRECTIONS, false};
    TS_TRY(draw_heights(study, l, error));
    TS_TRY(plot(study,
                &(ts_plot){"Waves on a shaken layer", "waves to a diameter", "power [diameters^4]", true, &ring, 1},
                l->name, "spectrum", error));
    TS_TRY(plot(study,
                &(ts_plot){"Their directions", "direction [degrees]", "power on the ring / mean", false, &along, 1},
                l->name, "directions", error));
    const ts_space_panel panel[2] = {{l->folder, ts_shaken_layer_period(&l->as) * (l->as.cycles - 1), l->name, NULL},
                                     {l->folder, TS_NONE, l->name, NULL}};
    return ts_space_draw(study, &(ts_space_figure){l->name, "Waves on a shaken layer", panel, 2, 1, 0}, error);
}

/* ---- Quick: a slab, below and above the threshold ---- */

/* Waves on a slab this small stand now here, now there, and one start says little: the mean of several. */
enum { STARTS = 3 };
static void forget_start(layer *l)
{
    forget(l);
}
TS_RELEASE_EACH(layer, STARTS, forget_start)

static double mean_amplitude(const layer *l)
{
    double sum = 0;
    for (int i = 0; i < STARTS; i++)
        sum += l[i].spectrum.amplitude;
    return sum / STARTS;
}

/* The slab at one strength, from start number `start`; which part of the study's runs it is. */
static ts_status run_slab(ts_study *study, layer *l, const char *name, double strength, int start, int number,
                          ts_error *error)
{
    const double part = 1.0 / (1 + STARTS);
    l->name = name;
    l->as = (ts_shaken_layer){.size = {45, 5}, .pitch = 0.3, .strength = strength, .steps = 200, .cycles = 10};
    l->window = 4;
    l->start = (uint64_t)start;
    TS_TRY(run_layer(study, l, part * number, part, error));
    return look_at(l, error);
}

static ts_status quick(ts_study *study, ts_error *error)
{
    static const char *const name[STARTS] = {"waves", "waves-2", "waves-3"};
    TS_AUTO(forget) layer flat = {0};
    TS_AUTO(forget_start_each) layer waves[STARTS] = {0};
    bool ran[2];
    TS_TRY(ts_study_choose(study, (const char *const[]){"flat", "waves"}, 2, ran, error));
    if (ran[0]) {
        TS_TRY(run_slab(study, &flat, "flat", 2, 0, 0, error));
        TS_TRY(ts_claim_at_most(study, flat.spectrum.amplitude, 0.35, "diameters", error,
                                "%zu spheres, f* = 0.3, Γ = 2: amplitude of waves of f/2",
                                ts_shaken_layer_count(&flat.as)));
    }
    if (!ran[1])
        return TS_OK;
    for (int i = 0; i < STARTS; i++)
        TS_TRY(run_slab(study, &waves[i], name[i], 3, i, 1 + i, error));
    TS_TRY(ts_claim_at_least(study, mean_amplitude(waves), 1, "diameters", error,
                             "%zu spheres, f* = 0.3, Γ = 3: amplitude of waves of f/2, mean of %d starts",
                             ts_shaken_layer_count(&waves[0].as), STARTS));
    return draw(study, &waves[0], error);
}

/* ---- Full: the three patterns, and hexagons by other steps ---- */

/* Table 3's steps of 1e-3, 5e-4 and 2e-4 s; the patterns have those of its last row, 1e-4 s; and half of these, to
 * see what shorter ones would change. */
static const struct {
    const char *name, *pattern;
    double pitch, strength;
    int steps;
} published[] = {
    {"hexagons", "hexagons", 0.38, 4, 250},     {"squares", "squares", 0.27, 3, 250},
    {"stripes", "stripes", 0.44, 3, 250},       {"hexagons-25", "hexagons", 0.38, 4, 25},
    {"hexagons-50", "hexagons", 0.38, 4, 50},   {"hexagons-125", "hexagons", 0.38, 4, 125},
    {"hexagons-500", "hexagons", 0.38, 4, 500},
};
enum { RUNS = sizeof published / sizeof *published, PATTERNS = 3, PUBLISHED = 0 };
TS_RELEASE_EACH(layer, RUNS, forget)
/* Steps a cycle from which on the published waves are as long as they will be: 3e-4 s. */
#define CONVERGED 83

/* By a fit of experiments, as remembered and not looked up (Umbanhowar and Swinney 2000), over the depth. */
static double expected_length(const layer *l)
{
    return 1.0 + 1.1 * pow(l->as.pitch, -1.32);
}

static ts_status claim_pattern(ts_study *study, const layer *l, const char *pattern, ts_error *error)
{
    const ts_layer_spectrum *s = &l->spectrum;
    const char *const name[2] = {ts_layer_pattern(&l->half_spectrum[0]), ts_layer_pattern(&l->half_spectrum[1])};
    const bool same = strcmp(name[0], pattern) == 0 && strcmp(name[1], pattern) == 0;
    const double order = strcmp(pattern, "hexagons") == 0  ? fmax(s->order[2], s->triad)
                         : strcmp(pattern, "squares") == 0 ? s->order[1]
                                                           : s->order[0];
    TS_TRY(ts_claim(study, same && strcmp(ts_layer_pattern(s), pattern) == 0, order, "1", pattern, error,
                    "%zu spheres, f* = %g, Γ = %g, %d steps a cycle: the pattern, its order at least 0.5 (orders 2, 4, "
                    "6: %.2f, %.2f, %.2f; triad: %.2f; of the window's halves: %s, %s)",
                    ts_shaken_layer_count(&l->as), l->as.pitch, l->as.strength, l->as.steps, s->order[0], s->order[1],
                    s->order[2], s->triad, name[0], name[1]));
    TS_TRY(ts_claim_at_least(study, s->amplitude, 1, "diameters", error, "%s: amplitude of waves of f/2", l->name));
    return ts_claim_near(
        study, s->length / TS_LAYER_DEPTH, expected_length(l), 0.25, "1", error,
        "%s: wavelength over depth, by a fit of experiments, as remembered (Umbanhowar and Swinney 2000)", l->name);
}

/* Table 3's rows, as far as they were run. */
static ts_status write_table(ts_study *study, const layer *l, const bool *ran, ts_error *error)
{
    ts_draft draft;
    TS_TRY(ts_study_sheet_open(study, "patterns.csv", &draft, error));
    fprintf(draft.stream,
            "run,steps_a_cycle,wavelength_diameters,amplitude_diameters,order_2,order_4,order_6,triad,pattern,"
            "steps,contacts_per_step,overlap_of_radius,find_seconds,resolve_seconds,seconds\n");
    for (int i = 0; i < RUNS; i++) {
        const ts_summary *m = &l[i].summary;
        const ts_layer_spectrum *s = &l[i].spectrum;
        if (ran[i])
            fprintf(draft.stream, "%s,%d,%.4g,%.4g,%.3f,%.3f,%.3f,%.3f,%s,%llu,%.6g,%.4g,%.2f,%.2f,%.2f\n", l[i].name,
                    l[i].as.steps, s->length, s->amplitude, s->order[0], s->order[1], s->order[2], s->triad,
                    ts_layer_pattern(s), (unsigned long long)m->steps, m->contacts_per_step, m->largest_overlap_ratio,
                    m->phase_seconds[TS_PHASE_PAIRS] + m->phase_seconds[TS_PHASE_CONTACTS],
                    m->phase_seconds[TS_PHASE_RESOLVE], m->wall_time);
    }
    return ts_study_sheet_close(study, &draft, error);
}

/* As published: long steps make short waves. */
static ts_status claim_steps(ts_study *study, const layer *l, const bool *ran, ts_error *error)
{
    for (int i = PATTERNS; i < RUNS; i++) {
        static const char what[] = "hexagons: wavelength with %d steps a cycle, over that with %d";
        if (!ran[i] || !ran[PUBLISHED])
            continue;
        const double ratio = l[i].spectrum.length / l[PUBLISHED].spectrum.length;
        if (l[i].as.steps < CONVERGED)
            TS_TRY(ts_claim_at_most(study, ratio, 1, "1", error, what, l[i].as.steps, l[PUBLISHED].as.steps));
        else
            TS_TRY(ts_claim_near(study, ratio, 1, 0.15, "1", error, what, l[i].as.steps, l[PUBLISHED].as.steps));
    }
    return TS_OK;
}

/* The waves of hexagons by ever shorter steps. */
static ts_status draw_steps(ts_study *study, const layer *l, const bool *ran, ts_error *error)
{
    const layer *by_steps[RUNS];
    ts_layer_picture picture[RUNS];
    char caption[RUNS][64];
    size_t count = 0;
    for (int i = 0; i < RUNS; i++) {
        if (!ran[i] || strcmp(published[i].pattern, "hexagons") != 0)
            continue;
        size_t at = count++;
        for (; at > 0 && by_steps[at - 1]->as.steps > l[i].as.steps; at--)
            by_steps[at] = by_steps[at - 1];
        by_steps[at] = &l[i];
    }
    if (count < 2)
        return TS_OK;
    for (size_t i = 0; i < count; i++) {
        snprintf(caption[i], sizeof caption[i], "%d steps a cycle", by_steps[i]->as.steps);
        picture[i] = (ts_layer_picture){&by_steps[i]->wave, caption[i]};
    }
    return ts_layer_draw(study, "hexagons-by-steps", picture, count, error);
}

static ts_status tell(ts_study *study, const layer *l, const bool *ran, ts_error *error)
{
    for (int i = 0; i < RUNS; i++) {
        if (ran[i] && i < PATTERNS)
            TS_TRY(claim_pattern(study, &l[i], published[i].pattern, error));
        if (ran[i])
            TS_TRY(draw(study, &l[i], error));
    }
    TS_TRY(claim_steps(study, l, ran, error));
    TS_TRY(draw_steps(study, l, ran, error));
    return write_table(study, l, ran, error);
}

static ts_status run_full(ts_study *study, layer *l, const bool *ran, ts_error *error)
{
    int wanted = 0, done = 0;
    for (int i = 0; i < RUNS; i++)
        wanted += ran[i];
    for (int i = 0; i < RUNS; i++)
        if (ran[i]) {
            TS_TRY(run_layer(study, &l[i], (double)done / wanted, 1.0 / wanted, error));
            TS_TRY(look_at(&l[i], error));
            done++;
        }
    return tell(study, l, ran, error);
}

static ts_status full(ts_study *study, ts_error *error)
{
    TS_AUTO(forget_each) layer l[RUNS] = {0};
    const char *name[RUNS];
    bool ran[RUNS];
    for (int i = 0; i < RUNS; i++) {
        name[i] = published[i].name;
        l[i] = (layer){.name = published[i].name,
                       .as = {.size = {100, 100},
                              .pitch = published[i].pitch,
                              .strength = published[i].strength,
                              .steps = published[i].steps,
                              .cycles = 60},
                       .window = 10};
    }
    TS_TRY(ts_study_choose(study, name, RUNS, ran, error));
    return run_full(study, l, ran, error);
}

ts_status ts_study_patterns(ts_study *study, ts_error *error)
{
    return ts_study_full(study) ? full(study, error) : quick(study, error);
}
