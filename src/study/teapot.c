/* SPDX-License-Identifier: MIT */
/* The study `teapot`: two bunnies in a closed hollow teapot that itself floats freely (Smith et al. 2012, section
 * 10.3). No gravity, nothing fixed: whatever they do to each other, momentum and angular momentum of all three together
 * stay.
 *
 * Overlaps are not corrected ("correction": 0), as published: to move two bodies apart, at unchanged velocities,
 * changes x × mv.
 *
 * Masses are about 1 kg, lengths about 1 m, speeds about 1 m/s, so that "absolute" figures of momentum, which the paper
 * gives without a unit, are of numbers of order one. A component of angular momentum is measured against |L|, which is
 * the largest that a component can be. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model.h"
#include "shape/mesh_make.h"
#include "shape/mesh_tree.h"
#include "study/balls.h"
#include "study/figure.h"
#include "study/space_rig.h"
#include "study/studies.h"
#include "workspace.h"

#define BODIES   3 /* two bunnies, then the pot */
#define POT      2
#define WIDTH    3.2 /* of the pot, from spout to handle [m]; its cavity is about 1.7 × 1.7 × 1.15 */
#define HEIGHT   0.6 /* of a bunny [m] */
#define STEP     0.01
#define SAMPLES  500
#define THINNEST 0.1 /* about the thinnest place of the pot's wall, its floor, by the numbers of mesh_model.c [m] */

typedef struct closed_system {
    ts_rig rig;
    ts_space_stop stop;
    ts_mesh_tree *pot; /* its exact distance */
    ts_pose3 pot_pose; /* of the mesh in the body's frame */
    uint64_t steps, struck_steps, contacts;
    double lost_friction; /* [J] */
    double momentum, angular[3],
        energy_up;    /* farthest from the start: [kg m/s]; over |L|; rise in a step over the first */
    double clearance; /* the least distance of a bunny's centre from the pot's wall [m] */
    double farthest;  /* the most that a centre moved in the pot's frame in one step [m] */
    double time[SAMPLES + 1], p_off[SAMPLES + 1], l_off[SAMPLES + 1], kinetic[SAMPLES + 1];
    size_t samples;
    ts_space_sums first;
    double bunny; /* momentum of the first one at the start [kg m/s] */
} closed_system;

/* ---- The scene ---- */

static ts_status add_bunnies(ts_rig *rig, int cells, ts_error *error)
{
    static const double where[2][3] = {{0.42, 0.05, -0.1}, {-0.38, -0.08, 0.05}},
                        speed[2][3] = {{0.6, 2.2, 0.4}, {-1, -1.8, 0.6}},
                        spin[2][3] = {{0.4, 0.9, 1.3}, {1, -0.4, 0.7}};
    TS_AUTO(ts_mesh_free_at) ts_mesh *mesh = NULL;
    TS_TRY(ts_mesh_make_bunny(HEIGHT, cells, &mesh, error));
    ts_body_def body = ts_default_body();
    TS_TRY(ts_space_rig_mesh(rig, NULL, mesh, 48, &body.shape, error));
    ts_material_def heavy = ts_default_material();
    heavy.density = 40;
    heavy.friction = heavy.restitution = (double)NAN;
    TS_TRY(ts_scene_add_material(rig->scene, "bunny", &heavy, &body.material, error));
    for (int i = 0; i < 2; i++) {
        memcpy(body.position, where[i], sizeof where[i]);
        memcpy(body.velocity, speed[i], sizeof speed[i]);
        memcpy(body.spin, spin[i], sizeof spin[i]);
        body.attitude[0] = i == 0 ? 1 : 0.3;
        body.attitude[3] = i == 0 ? 0 : 0.95;
        TS_TRY(ts_scene_add_body(rig->scene, &body, NULL, error));
    }
    return TS_OK;
}

static ts_status add_pot(ts_rig *rig, int cells, ts_error *error)
{
    TS_AUTO(ts_mesh_free_at) ts_mesh *mesh = NULL;
    TS_TRY(ts_mesh_make_teapot(WIDTH, cells, &mesh, error));
    ts_body_def body = ts_default_body();
    TS_TRY(ts_space_rig_mesh(rig, NULL, mesh, 128, &body.shape, error));
    return ts_scene_add_body(rig->scene, &body, NULL, error);
}

/* What turns in the end, when friction has made pot and bunnies one, is the net angular momentum. It is small: bunnies
 * that go round in the pot leave the straight line of their flight by ½ ω² r h² in a step, and without a correction all
 * of that adds up to an overlap. */
static const ts_vec3 net_angular = {0.03, -0.02, 0.1}; /* [kg m²/s] */

/* The pot gets what makes the whole rest, but for the net angular momentum, and the whole is put about the origin. */
static ts_status settle(closed_system *all, ts_error *error)
{
    ts_rig *rig = &all->rig;
    const ts_body3 *body = ts_state_bodies3(rig->state);
    double total = 0, at[3] = {0}, velocity[3] = {0};
    for (size_t i = 0; i < BODIES; i++) {
        double mass = ts_model_mass(rig->model, i);
        total += mass;
        for (int d = 0; d < 3; d++) {
            at[d] += mass * body[i].position[d];
            velocity[d] -= i == POT ? 0 : mass * body[i].velocity[d] / ts_model_mass(rig->model, POT);
        }
    }
    for (size_t i = 0; i < BODIES; i++) {
        double x[3];
        for (int d = 0; d < 3; d++)
            x[d] = body[i].position[d] - at[d] / total;
        TS_TRY(ts_state_set_pose(rig->state, i, TS_POSE3(x, body[i].attitude), error));
    }
    TS_TRY(ts_state_set_velocity(rig->state, POT, TS_VELOCITY3(velocity, ((double[3]){0, 0, 0})), error));
    const ts_vec3 lacks = ts_vec3_sub(net_angular, ts_space_rig_sums(rig, 0).angular);
    const ts_quat q = {body[POT].attitude[0], body[POT].attitude[1], body[POT].attitude[2], body[POT].attitude[3]};
    const ts_vec3 spin = ts_inertia_spin(&rig->model->inertia[POT], q, lacks);
    return ts_state_set_velocity(rig->state, POT, TS_VELOCITY3(velocity, ((double[3]){spin.x, spin.y, spin.z})), error);
}

static ts_status start(ts_study *study, closed_system *all, ts_error *error)
{
    const bool full = ts_study_full(study);
    TS_TRY(ts_space_rig_open(&all->rig,
                             &(ts_space_rig_wish){.by = "gr",
                                                  .restitution = 0.8,
                                                  .friction = 0.5,
                                                  .density = 1,
                                                  .uncorrected = true,
                                                  .step = STEP,
                                                  .seed = ts_study_seed(study)},
                             error));
    TS_TRY(add_bunnies(&all->rig, full ? 48 : 24, error));
    TS_TRY(add_pot(&all->rig, full ? 128 : 96, error));
    TS_TRY(ts_rig_start(&all->rig, 1, error));
    TS_TRY(settle(all, error));
    const ts_model *model = all->rig.model;
    const ts_piece *pot = &model->piece[model->form[model->body_form[POT]].piece_begin];
    all->pot_pose = pot->pose;
    return ts_mesh_tree_create(pot->solid.mesh, &all->pot, error);
}

/* ---- Measuring ---- */

/* A bunny's centre in the coordinates of the pot's mesh. */
static ts_vec3 in_pot(const closed_system *all, size_t bunny)
{
    ts_vec3 p = ts_pose3_apply_inverse(ts_space_rig_pose(&all->rig, POT), ts_space_rig_position(&all->rig, bunny));
    return ts_pose3_apply_inverse(all->pot_pose, p);
}

static double largest(ts_vec3 v)
{
    return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
}

static void look(closed_system *all, const ts_vec3 before[2], double *kinetic)
{
    const ts_space_sums now = ts_space_rig_sums(&all->rig, 0);
    const ts_vec3 p = ts_vec3_sub(now.momentum, all->first.momentum), l = ts_vec3_sub(now.angular, all->first.angular);
    const double whole = ts_vec3_length(all->first.angular);
    all->momentum = fmax(all->momentum, largest(p));
    all->angular[0] = fmax(all->angular[0], fabs(l.x) / whole);
    all->angular[1] = fmax(all->angular[1], fabs(l.y) / whole);
    all->angular[2] = fmax(all->angular[2], fabs(l.z) / whole);
    all->energy_up = fmax(all->energy_up, (now.kinetic - *kinetic) / all->first.kinetic);
    for (size_t i = 0; i < 2; i++) {
        ts_vec3 at = in_pot(all, i);
        all->clearance = fmin(all->clearance, ts_mesh_tree_nearest(all->pot, at).distance);
        all->farthest = fmax(all->farthest, ts_vec3_distance(at, before[i]));
    }
    *kinetic = now.kinetic;
    if (ts_state_steps(all->rig.state) * SAMPLES % all->steps == 0) {
        const size_t k = all->samples++;
        all->time[k] = ts_state_time(all->rig.state);
        all->p_off[k] = largest(p);
        all->l_off[k] = 100 * largest(l) / whole;
        all->kinetic[k] = now.kinetic / all->first.kinetic;
    }
}

static ts_status run(ts_study *study, closed_system *all, ts_error *error)
{
    const ts_workspace *work = all->rig.work;
    all->first = ts_space_rig_sums(&all->rig, 0);
    const double *v = ts_state_bodies3(all->rig.state)[0].velocity;
    all->bunny = ts_model_mass(all->rig.model, 0) * hypot(hypot(v[0], v[1]), v[2]);
    double kinetic = all->first.kinetic;
    all->clearance = HUGE_VAL;
    for (uint64_t k = 0; k < all->steps && all->stop.status == TS_OK; k++) {
        const ts_vec3 before[2] = {in_pot(all, 0), in_pot(all, 1)};
        const uint64_t contacts = work->contact_sum;
        if (k % 100 == 0)
            ts_study_report(study, (double)k / (double)all->steps, "bunnies in a teapot");
        TS_TRY(ts_space_rig_step(&all->rig, 1, &all->stop, error));
        all->struck_steps += work->contact_sum > contacts;
        look(all, before, &kinetic);
    }
    all->contacts = work->contact_sum;
    all->lost_friction = all->rig.state->budget.lost_friction;
    return TS_OK;
}

/* ---- Telling ---- */

static ts_status claim(ts_study *study, const closed_system *all, ts_error *error)
{
    const double seconds = ts_state_time(all->rig.state);
    const ts_vec3 l = all->first.angular;
    TS_TRY(ts_claim_at_least(study, seconds, (double)all->steps * STEP, "s", error,
                             "steps of %g s, c = 0.8, μ = 0.5: simulated time%s%.300s", STEP,
                             all->stop.status == TS_OK ? "" : "; ended by: ", all->stop.why));
    for (int d = 0; d < 3; d++)
        TS_TRY(ts_claim_at_most(study, 100 * all->angular[d], 4.37e-11, "%", error,
                                "angular momentum along %c, farthest from the start, of |L| = %.3g kg m²/s", "xyz"[d],
                                ts_vec3_length(l)));
    TS_TRY(ts_claim_at_most(study, all->momentum, 1.36e-11, "kg m/s", error,
                            "momentum (a component of), farthest from zero; a bunny's is %.2g at first", all->bunny));
    TS_TRY(
        ts_claim_at_most(study, all->energy_up, 1e-12, "1", error, "energy: largest rise in a step, over the first"));
    TS_TRY(ts_claim_at_least(study, (double)all->struck_steps, 0.01 * (double)all->steps, "1", error,
                             "steps in which something struck, of %llu", (unsigned long long)all->steps));
    TS_TRY(ts_claim_at_least(study, (double)all->contacts, 100, "1", error, "contacts that were struck"));
    TS_TRY(ts_claim_at_least(study, all->lost_friction / all->first.kinetic, 0.01, "1", error,
                             "energy lost to friction, over the first"));
    TS_TRY(ts_claim_at_least(study, all->clearance, 0, "m", error,
                             "bunnies stay inside: their centres' least distance from the pot's wall"));
    return ts_claim_at_most(
        study, all->farthest, THINNEST, "m", error,
        "and so none jumped across it: the farthest a centre went in a step, beside the wall's width");
}

static ts_status plot(ts_study *study, const closed_system *all, ts_error *error)
{
    double bound[2] = {4.37e-11, 4.37e-11}, ends[2] = {0, all->time[all->samples > 0 ? all->samples - 1 : 0]};
    ts_plot_line line[] = {
        {"angular momentum, largest component [% of |L|]", all->time, all->l_off, all->samples, false},
        {"momentum, largest component [kg m/s]", all->time, all->p_off, all->samples, false},
        {"the paper's, angular [%]", ends, bound, 2, true}};
    TS_TRY(ts_figure_plot(study,
                          &(ts_plot){"Two bunnies in a teapot", "time [s]", "farthest from the start", true, line, 3},
                          "teapot-momenta", error));
    ts_plot_line energy = {"kinetic energy / at first", all->time, all->kinetic, all->samples, false};
    return ts_figure_plot(study,
                          &(ts_plot){"Two bunnies in a teapot", "time [s]", "energy / at first", false, &energy, 1},
                          "teapot-energy", error);
}

static void close_all(closed_system *all)
{
    ts_mesh_tree_free(all->pot);
    ts_rig_close(&all->rig);
}

ts_status ts_study_teapot(ts_study *study, ts_error *error)
{
    TS_AUTO(close_all) closed_system all = {0};
    all.steps = ts_study_full(study) ? 100000 : 4000;
    TS_TRY(start(study, &all, error));
    TS_TRY(run(study, &all, error));
    TS_TRY(claim(study, &all, error));
    return plot(study, &all, error);
}
