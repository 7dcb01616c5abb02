/* SPDX-License-Identifier: MIT */
/* The study `dissipation`: bunnies fall into a room, with restitutions from 0 to 1 (Smith et al. 2012, section 10.4,
 * Fig. 9). What differs from run to run is c alone: the same bunnies in the same places at the same velocities, without
 * friction. The less c, the sooner energy goes.
 *
 * For c < 1 overlaps are corrected as scenes do by default, since heaps form; what that lifts is in the energy budget
 * as work, and energy less work is what impacts may only lower. With c = 1 nothing is corrected, and total energy
 * stays. What rests leaves each step with ½ g h upwards, to be back at its end (docs/impact.md, "Rest"), so that a body
 * that comes to rest may have up to ½ m (½ g h)² more than before when a step ends.
 *
 * Energies are of motion and of height above the floor, as a share of those at the start. At full size impacts with
 * c < 1 are resolved by sweeps. */
#include <stdatomic.h>
#include <stdio.h>

#include "base/memory.h"
#include "shape/mesh_make.h"
#include "study/balls.h"
#include "study/figure.h"
#include "study/space_rig.h"
#include "study/studies.h"
#include "workspace.h"

#define LEVELS  5
#define COPIES  4 /* at most: runs from different places, whose energies are averaged */
#define SAMPLES 200
#define HEIGHT  1.0 /* of a bunny [m] */
#define STEP    0.00125
#define GRAVITY 9.81

static const double restitution[LEVELS] = {0, 0.25, 0.5, 0.75, 1};

/* Half of an ear's thickness [m]: what a step drives that far into one is past its middle, and pushed on, out of the
 * other side. */
static const double ear = 0.045 * HEIGHT;

/* When energies are compared, over how long it takes to fall from the ceiling: when the last ones land, and soon after.
 * Earlier, few have; later, what is left with small c is how high heaps happen to be. */
static const double compared[] = {1, 1.25};

typedef struct fill_size {
    size_t bunnies;
    double room[3]; /* [m] */
    double seconds;
    int copies;
    uint64_t sweeps; /* where c < 1; 0: exactly */
} fill_size;

typedef struct fall {
    ts_rig rig;
    ts_space_stop stop;
    double energy[SAMPLES + 1]; /* over the first */
    size_t samples;
    double rise;    /* the most that energy less work ever was above an earlier one, over what rest may make of it */
    double off;     /* the farthest that energy was from the first */
    double lifted;  /* by corrections, over the first energy */
    double overlap; /* deepest [m] */
    double contacts;
    double locked;                  /* steps with bunnies that were, over all */
    bool inside;                    /* all centres are within the room at every sample */
    double seconds[TS_PHASE_COUNT]; /* that steps took, by phase: pairs, contacts, resolve, … */
} fall;

typedef struct falls {
    ts_study *study;
    fill_size size;
    ts_mesh *bunny;
    _Atomic(int) steps; /* of all runs, so far */
    double time[SAMPLES + 1];
    fall run[LEVELS * COPIES];
    double energy[LEVELS][SAMPLES + 1]; /* means over copies; NaN where one did not get so far */
} falls;

static ts_status build(const falls *all, fall *f, double c, uint64_t seed, ts_error *error)
{
    const fill_size *size = &all->size;
    TS_TRY(ts_space_rig_open(&f->rig,
                             &(ts_space_rig_wish){.by = "gr",
                                                  .restitution = c,
                                                  .density = 1,
                                                  .gravity = GRAVITY,
                                                  .step = STEP,
                                                  .sweeps = c < 1 ? size->sweeps : 0,
                                                  .seed = seed},
                             error));
    int32_t solid;
    TS_TRY(ts_space_rig_mesh(&f->rig, NULL, all->bunny, 32, &solid, error));
    ts_wall_def room = ts_default_wall();
    ts_generator_def fill = ts_default_generator();
    fill.fill = TS_FILL_LATTICE;
    room.kind = TS_WALL_ROOM;
    for (int d = 0; d < 3; d++) {
        room.position[d] = d < 2 ? -0.5 * size->room[d] : 0;
        room.size[d] = size->room[d];
        fill.low[d] = room.position[d];
        fill.high[d] = room.position[d] + size->room[d];
    }
    TS_TRY(ts_scene_add_wall(f->rig.scene, &room, NULL, error));
    ts_mix_entry entry = {.shape = solid, .weight = 1, .scale_min = 1, .scale_max = 1};
    fill.mix = &entry;
    fill.mix_count = 1;
    fill.count = size->bunnies;
    fill.velocity_spread = 1;
    TS_TRY(ts_scene_add_generator(f->rig.scene, &fill, NULL, error));
    return ts_rig_start(&f->rig, 1, error);
}

static bool all_inside(const falls *all, const ts_rig *rig)
{
    const double *room = all->size.room;
    for (size_t i = 0; i < all->size.bunnies; i++) {
        ts_vec3 x = ts_space_rig_position(rig, i);
        if (!(fabs(x.x) < 0.5 * room[0] && fabs(x.y) < 0.5 * room[1] && x.z > 0 && x.z < room[2]))
            return false;
    }
    return true;
}

static double energy_of(const ts_rig *rig)
{
    const ts_space_sums sums = ts_space_rig_sums(rig, GRAVITY);
    return sums.kinetic + sums.height;
}

static double total_mass(const ts_rig *rig)
{
    double sum = 0;
    for (size_t i = 0; i < ts_model_body_count(rig->model); i++)
        sum += ts_model_mass(rig->model, i);
    return sum;
}

static ts_status run(void *context, int task, ts_error *error)
{
    falls *all = context;
    fall *f = &all->run[task];
    const int copies = all->size.copies;
    const int steps = (int)lround(all->size.seconds / STEP), a_sample = steps / SAMPLES;
    TS_TRY(build(all, f, restitution[task / copies], ts_study_seed(all->study) + (uint64_t)(task % copies), error));
    const double first = energy_of(&f->rig);
    double lowest = first;
    const double rest = total_mass(&f->rig) * GRAVITY * STEP * GRAVITY * STEP / 8;
    f->inside = true;
    f->rig.work->timers.on = true;
    f->energy[f->samples++] = 1;
    for (int k = 1; k <= steps && f->stop.status == TS_OK; k++) {
        const double done = 1 + atomic_fetch_add(&all->steps, 1);
        ts_study_report(all->study, done / ((double)steps * LEVELS * copies), "bunnies fall");
        TS_TRY(ts_space_rig_step(&f->rig, 1, &f->stop, error));
        double energy = energy_of(&f->rig), less = energy - f->rig.state->budget.work;
        f->rise = fmax(f->rise, (less - lowest) / rest);
        f->off = fmax(f->off, fabs(energy / first - 1));
        lowest = fmin(lowest, less);
        if (k % a_sample == 0) {
            f->energy[f->samples++] = energy / first;
            f->inside = f->inside && all_inside(all, &f->rig);
        }
    }
    f->lifted = f->rig.state->budget.work / first;
    f->overlap = f->rig.work->max_overlap;
    f->contacts = (double)f->rig.work->contact_sum / steps;
    f->locked = (double)f->rig.work->locked_count / steps;
    for (int k = 0; k < TS_PHASE_COUNT; k++)
        f->seconds[k] = f->rig.work->timers.seconds[k];
    return TS_OK;
}

static void average(falls *all)
{
    const int copies = all->size.copies;
    for (int l = 0; l < LEVELS; l++)
        for (size_t k = 0; k <= SAMPLES; k++) {
            double sum = 0;
            for (int i = l * copies; i < (l + 1) * copies; i++)
                sum += k < all->run[i].samples ? all->run[i].energy[k] : TS_NONE;
            all->energy[l][k] = sum / copies;
        }
}

/* ---- Telling ---- */

/* The least that a level has more than the one below; what was not measured counts as the least. */
static double least_apart(const double level[LEVELS], int *where)
{
    double least = HUGE_VAL;
    *where = 1;
    for (int l = 1; l < LEVELS; l++) {
        double apart = level[l] - level[l - 1];
        if (!(apart >= least)) {
            least = apart;
            *where = l;
        }
    }
    return least;
}

static ts_status claim_order(ts_study *study, const falls *all, ts_error *error)
{
    const double from_ceiling = sqrt(2 * all->size.room[2] / GRAVITY);
    double level[LEVELS];
    int at;
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++) {
        const size_t k = (size_t)lround(compared[i] * from_ceiling / all->size.seconds * SAMPLES);
        for (int l = 0; l < LEVELS; l++)
            level[l] = all->energy[l][k];
        const double least = least_apart(level, &at);
        TS_TRY(
            ts_claim_at_least(study, least, 0, "1", error,
                              "after %.3g s energies are ordered by c: least difference of neighbours (c = %g and %g), "
                              "over the first energy",
                              all->time[k], restitution[at - 1], restitution[at]));
    }
    for (int l = 0; l < LEVELS; l++) {
        level[l] = 0;
        for (size_t k = 1; k <= SAMPLES; k++)
            level[l] += 0.5 * (all->energy[l][k - 1] + all->energy[l][k]) / SAMPLES;
    }
    const double least = least_apart(level, &at);
    return ts_claim_at_least(study, least, 0, "1", error,
                             "means over all %.3g s are ordered by c: least difference of neighbours (c = %g and %g), "
                             "over the first energy",
                             all->size.seconds, restitution[at - 1], restitution[at]);
}

static ts_status claim(ts_study *study, const falls *all, ts_error *error)
{
    double rise = 0, lifted = 0, overlap = 0, off = 0;
    bool inside = true;
    for (int i = 0; i < LEVELS * all->size.copies; i++) {
        const fall *f = &all->run[i];
        if (f->stop.status != TS_OK)
            TS_TRY(ts_claim(study, false, ts_state_time(f->rig.state), "s", "all of it", error,
                            "c = %g: simulated, then: %.300s", restitution[i / all->size.copies], f->stop.why));
        if (i / all->size.copies == LEVELS - 1)
            off = fmax(off, f->off);
        rise = fmax(rise, f->rise);
        lifted = fmax(lifted, f->lifted);
        overlap = fmax(overlap, f->overlap);
        inside = inside && f->inside;
    }
    TS_TRY(claim_order(study, all, error));
    TS_TRY(
        ts_claim_at_most(study, rise, 1, "1", error,
                         "c = 0 … 1: the most that energy, less what corrections lift, was above an earlier one, over "
                         "all bodies' m (g h)² / 8"));
    TS_TRY(
        ts_claim_at_most(study, lifted, 0.01, "1", error, "what corrections lifted, over the first energy: at most"));
    TS_TRY(ts_claim_at_most(study, off, 1e-10, "1", error, "c = 1: farthest of energy from the first, as a share"));
    TS_TRY(ts_claim_at_most(study, overlap / ear, 1, "1", error, "deepest overlap, over half of an ear's thickness"));
    return ts_claim_at_most(study, inside ? 0 : 1, 0, "1", error, "%zu bunnies: any outside of the room",
                            all->size.bunnies);
}

/* The curves: a row a sample. */
static ts_status tell_energies(ts_study *study, const falls *all, ts_error *error)
{
    ts_draft sheet;
    TS_TRY(ts_study_sheet_open(study, "energies.csv", &sheet, error));
    fprintf(sheet.stream, "time_s");
    for (int l = 0; l < LEVELS; l++)
        fprintf(sheet.stream, ",c_%g", restitution[l]);
    for (size_t k = 0; k <= SAMPLES; k++) {
        fprintf(sheet.stream, "\n%.6g", all->time[k]);
        for (int l = 0; l < LEVELS; l++)
            fprintf(sheet.stream, ",%.6g", all->energy[l][k]);
    }
    fprintf(sheet.stream, "\n");
    return ts_study_sheet_close(study, &sheet, error);
}

static ts_status tell(ts_study *study, const falls *all, ts_error *error)
{
    ts_draft sheet;
    TS_TRY(ts_study_sheet_open(study, "dissipation.csv", &sheet, error));
    fprintf(sheet.stream, "restitution,energy_end,rise,lifted,overlap_m,locked,contacts_per_step,pairs_s,contacts_s,"
                          "resolve_s,advance_s\n");
    for (int i = 0; i < LEVELS * all->size.copies; i++) {
        const fall *f = &all->run[i];
        fprintf(sheet.stream, "%g,%.9g,%.3g,%.6g,%.4g,%.4g,%.1f,%.3f,%.3f,%.3f,%.3f\n",
                restitution[i / all->size.copies], f->energy[f->samples - 1], f->rise, f->lifted, f->overlap, f->locked,
                f->contacts, f->seconds[TS_PHASE_PAIRS], f->seconds[TS_PHASE_CONTACTS], f->seconds[TS_PHASE_RESOLVE],
                f->seconds[TS_PHASE_ADVANCE]);
    }
    TS_TRY(ts_study_sheet_close(study, &sheet, error));
    TS_TRY(tell_energies(study, all, error));
    ts_plot_line line[LEVELS];
    char name[LEVELS][24];
    for (int i = 0; i < LEVELS; i++) {
        snprintf(name[i], sizeof name[i], "c = %g", restitution[i]);
        line[i] = (ts_plot_line){name[i], all->time, all->energy[i], SAMPLES + 1, false};
    }
    return ts_figure_plot(study,
                          &(ts_plot){"Bunnies fall into a room", "time [s]", "energy / at first", false, line, LEVELS},
                          "dissipation", error);
}

static void close_all(falls *all)
{
    for (int i = 0; i < LEVELS * COPIES; i++)
        ts_rig_close(&all->run[i].rig);
    ts_mesh_free(all->bunny);
}

ts_status ts_study_dissipation(ts_study *study, ts_error *error)
{
    const fill_size quick = {36, {5, 5, 8}, 2, COPIES, 0}, full = {1000, {16.6, 16.6, 16.6}, 4, 1, 100};
    TS_AUTO(close_all) falls all = {0};
    all.study = study;
    all.size = ts_study_full(study) ? full : quick;
    for (int k = 0; k <= SAMPLES; k++)
        all.time[k] = all.size.seconds * k / SAMPLES;
    TS_TRY(ts_mesh_make_bunny(HEIGHT, 24, &all.bunny, error));
    TS_TRY(ts_balls_side_by_side(study, LEVELS * all.size.copies, run, &all, error));
    average(&all);
    TS_TRY(claim(study, &all, error));
    return tell(study, &all, error);
}
