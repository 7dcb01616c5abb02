/* SPDX-License-Identifier: MIT */
/* The study `nonlinear-potential`: the energy walk of Smith et al. 2012, section 12. A bunny hangs on springs in a room
 * and strikes its walls elastically. The springs are a potential that is not linear in its pose, so that the flight
 * between impacts keeps energy only up to an oscillation that is bounded, ∝ h². Each impact keeps energy at its rows,
 * whatever the phase of that oscillation is: their composition walks.
 *
 *     no walls            |E − E₀| stays below a bound ∝ h²
 *     walls, gr           a walk that grows slowly
 *     walls, jacobi       each corner by itself, all added up: energy is made by every impact
 *
 * Energy is measured here, from poses and velocities; springs as in space.h, ½ k x² each. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "shape/mesh_make.h"
#include "study/balls.h"
#include "study/figure.h"
#include "study/space_rig.h"
#include "study/studies.h"
#include "workspace.h"

#define SPRINGS 4
#define SAMPLES 400
#define HEIGHT  1.0  /* of the bunny [m] */
#define ROOM    1.5  /* side [m] */
#define STEP    0.01 /* of the runs with walls, and the longest of those without [s] */
#define STIFF   2.0  /* [N/m] */
#define REST    0.3  /* [m] */

/* With walls the path is chaos, and so is how far a single one walks: there are several, which begin a little faster
 * each. */
#define STARTS 6
#define FASTER 0.001 /* [m/s] */
#define EARLY  300.0 /* [s]: what the band of all the time is compared with */

enum { FREE, HALF, QUARTER, JACOBI, WALLS, RUNS = WALLS + STARTS };
static const struct kind {
    const char *name, *by;
    double step; /* in STEPs */
    bool walls;
} kind[WALLS + 1] = {{"no walls, h = 0.01 s", "gr", 1, false},
                     {"no walls, h/2", "gr", 0.5, false},
                     {"no walls, h/4", "gr", 0.25, false},
                     {"walls, jacobi", "jacobi", 1, true},
                     {"walls, gr", "gr", 1, true}};

static const struct kind *kind_of(int which)
{
    return &kind[which < WALLS ? which : WALLS];
}

/* On the bunny and in the world [m]. */
static const double on_body[SPRINGS][3] = {{0.3, 0.1, -0.2}, {-0.3, 0.05, 0.1}, {0.1, -0.2, 0.3}, {-0.1, 0.15, -0.3}},
                    in_world[SPRINGS][3] = {{1.5, 0.8, -0.9}, {-1.4, 0.7, 0.6}, {0.3, -1.6, 1}, {-0.4, 0.2, -1.7}};

typedef struct swing {
    ts_rig rig;
    ts_space_stop stop;
    double time[SAMPLES + 1], energy[SAMPLES + 1]; /* of samples: E / E₀ − 1 */
    double shown[SAMPLES + 1];                     /* its magnitude */
    size_t samples;
    double first;     /* E₀ [J] */
    double low, high; /* of E / E₀ − 1, every step */
    double early;     /* their difference after a tenth of the time */
    double doubled;   /* when energy had doubled, or was off the scale [s]; infinite: never */
    uint64_t struck;  /* steps with impulses */
} swing;

typedef struct swings {
    ts_study *study;
    double seconds;
    ts_mesh *bunny;
    swing run[RUNS];
} swings;

/* ---- The scene ---- */

static ts_status build(const swings *all, swing *s, int which, ts_error *error)
{
    const struct kind *k = kind_of(which);
    TS_TRY(ts_space_rig_open(
        &s->rig, &(ts_space_rig_wish){.by = k->by, .restitution = 1, .density = 1, .step = STEP * k->step}, error));
    ts_body_def body = ts_default_body();
    TS_TRY(ts_space_rig_mesh(&s->rig, NULL, all->bunny, 32, &body.shape, error));
    body.name = "bunny";
    body.velocity[0] = 3 + (which > WALLS ? FASTER * (which - WALLS) : 0);
    body.velocity[2] = 1.8;
    body.spin[0] = 3;
    body.spin[1] = -1.3;
    TS_TRY(ts_scene_add_body(s->rig.scene, &body, NULL, error));
    for (int i = 0; i < SPRINGS; i++) {
        ts_spring_def spring = ts_default_spring();
        spring.b = "bunny";
        memcpy(spring.anchor_a, in_world[i], sizeof in_world[i]);
        memcpy(spring.anchor_b, on_body[i], sizeof on_body[i]);
        spring.stiffness = STIFF;
        spring.rest = REST;
        TS_TRY(ts_scene_add_spring(s->rig.scene, &spring, NULL, error));
    }
    if (k->walls) {
        ts_wall_def room = ts_default_wall();
        room.kind = TS_WALL_ROOM;
        for (int d = 0; d < 3; d++) {
            room.position[d] = -0.5 * ROOM;
            room.size[d] = ROOM;
        }
        TS_TRY(ts_scene_add_wall(s->rig.scene, &room, NULL, error));
    }
    return ts_rig_start(&s->rig, 1, error);
}

static double energy_of(const ts_rig *rig)
{
    const ts_pose3 pose = ts_space_rig_pose(rig, 0);
    double sum = ts_space_rig_sums(rig, 0).kinetic;
    for (int i = 0; i < SPRINGS; i++) {
        ts_vec3 at = ts_pose3_apply(pose, (ts_vec3){on_body[i][0], on_body[i][1], on_body[i][2]});
        double x = ts_vec3_distance(at, (ts_vec3){in_world[i][0], in_world[i][1], in_world[i][2]}) - REST;
        sum += 0.5 * STIFF * x * x;
    }
    return sum;
}

static ts_status run(void *context, int which, ts_error *error)
{
    swings *all = context;
    swing *s = &all->run[which];
    const uint64_t steps = (uint64_t)llround(all->seconds / (STEP * kind_of(which)->step));
    TS_TRY(build(all, s, which, error));
    s->first = energy_of(&s->rig);
    s->doubled = HUGE_VAL;
    s->time[s->samples++] = 0;
    for (uint64_t k = 1; k <= steps && s->stop.status == TS_OK; k++) {
        const uint64_t contacts = s->rig.work->contact_sum;
        if (which == HALF && k % 100 == 0)
            ts_study_report(all->study, (double)k / (double)steps, "a bunny on springs");
        TS_TRY(ts_space_rig_step(&s->rig, 1, &s->stop, error));
        s->struck += s->rig.work->contact_sum > contacts;
        double off = energy_of(&s->rig) / s->first - 1;
        s->low = fmin(s->low, off);
        s->high = fmax(s->high, off);
        if (k == (uint64_t)llround(EARLY / (STEP * kind_of(which)->step)))
            s->early = s->high - s->low;
        if (!(off < 1) || s->stop.status != TS_OK)
            s->doubled = fmin(s->doubled, ts_state_time(s->rig.state));
        if (k * SAMPLES / steps != (k - 1) * SAMPLES / steps && s->samples <= SAMPLES) {
            s->time[s->samples] = ts_state_time(s->rig.state);
            s->energy[s->samples] = off;
            s->shown[s->samples++] = fabs(off);
        }
        if (!(off < 1e12)) /* seen enough */
            break;
    }
    return TS_OK;
}

/* ---- Telling ---- */

static double spread(const swing *s)
{
    return s->high - s->low;
}

/* Of all starts with walls. */
typedef struct walks {
    uint64_t least_struck;
    double mean_spread;
    double mean_growth; /* of the band, over that of EARLY */
    double farthest;    /* of any */
    double seconds;     /* of the one that got least far */
    const char *why;    /* it did not get farther; "" if it did */
} walks;

static walks look_at(const swings *all)
{
    walks w = {.least_struck = UINT64_MAX, .seconds = HUGE_VAL, .why = ""};
    for (int i = WALLS; i < RUNS; i++) {
        const swing *s = &all->run[i];
        const double seconds = ts_state_time(s->rig.state);
        w.least_struck = s->struck < w.least_struck ? s->struck : w.least_struck;
        w.mean_spread += spread(s) / STARTS;
        w.mean_growth += spread(s) / s->early / STARTS;
        w.farthest = fmax(w.farthest, fmax(s->high, -s->low));
        if (seconds < w.seconds) {
            w.seconds = seconds;
            w.why = s->stop.status == TS_OK ? "" : s->stop.why;
        }
    }
    return w;
}

static ts_status claim(ts_study *study, const swings *all, ts_error *error)
{
    const swing *jacobi = &all->run[JACOBI];
    const double calm = spread(&all->run[FREE]);
    const walks gr = look_at(all);
    for (int i = FREE; i < QUARTER; i++)
        TS_TRY(
            ts_claim_near(study, spread(&all->run[i]) / spread(&all->run[i + 1]), 4, 0.25, "1", error,
                          "without walls energy oscillates within a bound ∝ h²: bound (%.3g of it) over that at h/2, "
                          "from h = %g s",
                          spread(&all->run[i]), STEP * kind[i].step));
    TS_TRY(ts_claim_at_most(study, calm / all->run[FREE].early, 1.1, "1", error,
                            "without walls it stays there: band of all the time over that of the first %g s", EARLY));
    TS_TRY(ts_claim(study, gr.why[0] == 0, gr.seconds, "s", "all of it", error,
                    "walls, gr: simulated time, the least of %d starts%s%.200s", STARTS, gr.why[0] ? ": " : "",
                    gr.why));
    TS_TRY(ts_claim_at_least(study, (double)gr.least_struck, 100, "1", error,
                             "walls, gr: steps with impulses, the fewest of %d starts", STARTS));
    TS_TRY(
        ts_claim_at_least(study, gr.mean_spread / calm, 2, "1", error,
                          "walls, gr: energy walks: its band (%.3g of it, mean of %d starts) over that without walls",
                          gr.mean_spread, STARTS));
    TS_TRY(ts_claim_at_least(
        study, gr.mean_growth, 1.2, "1", error,
        "walls, gr: and walks on: band of all the time over that of the first %g s, mean of %d starts", EARLY, STARTS));
    TS_TRY(ts_claim_at_most(study, gr.farthest, 1, "1", error,
                            "walls, gr: a mild walk: energy's farthest from the start, as a share of it"));
    TS_TRY(ts_claim_at_most(study, jacobi->doubled / all->seconds, 0.5, "1", error,
                            "walls, jacobi: blows up: when energy has doubled, as a share of the time"));
    return ts_claim_at_least(study, jacobi->high / gr.farthest, 100, "1", error,
                             "walls: farthest of jacobi's energy from the start (after %.3g s), over gr's",
                             ts_state_time(jacobi->rig.state));
}

static ts_status plot(ts_study *study, const swings *all, ts_error *error)
{
    ts_plot_line line[WALLS + 1], few[STARTS + 1];
    for (int i = 0; i <= WALLS; i++)
        line[i] = (ts_plot_line){kind[i].name, all->run[i].time, all->run[i].shown, all->run[i].samples, i == FREE};
    TS_TRY(ts_figure_plot(
        study, &(ts_plot){"A bunny on springs", "time [s]", "energy: |E / at first − 1|", true, line, WALLS + 1},
        "nonlinear-potential", error));
    for (int i = 0; i < STARTS; i++) {
        const swing *s = &all->run[WALLS + i];
        few[i] = (ts_plot_line){i == 0 ? kind[WALLS].name : NULL, s->time, s->energy, s->samples, false};
    }
    const swing *calm = &all->run[FREE];
    few[STARTS] = (ts_plot_line){kind[FREE].name, calm->time, calm->energy, calm->samples, true};
    return ts_figure_plot(study,
                          &(ts_plot){"A bunny on springs", "time [s]", "E / at first − 1", false, few, STARTS + 1},
                          "nonlinear-potential-walk", error);
}

static void close_all(swings *all)
{
    for (int i = 0; i < RUNS; i++)
        ts_rig_close(&all->run[i].rig);
    ts_mesh_free(all->bunny);
}

ts_status ts_study_nonlinear_potential(ts_study *study, ts_error *error)
{
    TS_AUTO(close_all) swings all = {0};
    all.study = study;
    all.seconds = ts_study_full(study) ? 50000 : 3000;
    TS_TRY(ts_mesh_make_bunny(HEIGHT, 24, &all.bunny, error));
    TS_TRY(ts_balls_side_by_side(study, RUNS, run, &all, error));
    TS_TRY(claim(study, &all, error));
    return plot(study, &all, error);
}
