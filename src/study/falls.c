/* SPDX-License-Identifier: MIT */
#include "study/falls.h"

#include <stdio.h>

#include "model.h"
#include "record/energy_guard.h"
#include "record/runfolder.h"
#include "study/space_rig.h"
#include "warning.h"

/* Points looked at along an edge, besides its ends. */
#define ALONG 3

/* ---- Beginning ---- */

static ts_status open_fall(ts_fall *f, ts_study *study, ts_error *error)
{
    const ts_fall_wish *w = &f->wish;
    const char *folder;
    TS_TRY(ts_study_out_dir(study, &folder, error));
    snprintf(f->folder, sizeof f->folder, "%.4000s/%.150s", folder, w->name);
    TS_TRY(ts_scene_create(&f->rig.scene, error));
    ts_settings settings = ts_default_settings();
    settings.duration = w->duration;
    settings.frame_interval = settings.energy_interval = w->frame;
    settings.record_contacts = false;
    TS_TRY(ts_scene_set(f->rig.scene, &settings, error));
    const ts_space_def space = ts_default_space();
    TS_TRY(ts_scene_set_space(f->rig.scene, &space, error));
    ts_dynamics_def dynamics = ts_default_dynamics();
    dynamics.kind = w->dynamics;
    TS_TRY(ts_scene_set_dynamics(f->rig.scene, &dynamics, error));
    ts_material_def material = ts_default_material();
    material.friction = w->friction;
    material.restitution = w->restitution;
    TS_TRY(ts_scene_set_default_material(f->rig.scene, &material, error));
    TS_TRY(w->build(w->user, f->rig.scene, error));
    TS_TRY(ts_rig_start(&f->rig, 1, error));
    f->step = ts_model_time_step(f->rig.model);
    return TS_OK;
}

void ts_fall_close(ts_fall *f)
{
    ts_rig_close(&f->rig);
    ts_array_free(&f->time);
    ts_array_free(&f->energy);
}

ts_pose3 ts_fall_pose(const ts_fall *f, size_t body)
{
    return ts_space_rig_pose(&f->rig, body);
}

/* ---- How deep ---- */

/* A piece of a body, where it stands. */
typedef struct standing {
    const ts_solid *solid;
    ts_pose3 pose;
} standing;

static standing standing_of(const ts_fall *f, size_t part)
{
    const ts_model *m = f->rig.model;
    const ts_piece *piece = &m->piece[m->part_piece[part]];
    return (standing){&piece->solid, ts_pose3_compose(ts_fall_pose(f, (size_t)m->part_owner[part]), piece->pose)};
}

/* How far inside a field a point is, at most: φ changes by no less than its slope says. */
static double depth_in(const ts_sdf_body *body, ts_vec3 p)
{
    const ts_sdf_rule rule = ts_sdf_default_rule(body->sdf);
    double value, gradient[3];
    ts_sdf_ask(body->sdf, &rule, &(ts_sdf_points){1, &p.x, &p.y, &p.z},
               &(ts_sdf_answers){&value, {&gradient[0], &gradient[1], &gradient[2]}, {NULL, NULL, NULL}});
    return -value / fmax(1, ts_vec3_length(ts_vec3_of(gradient)));
}

/* The deepest point of the edges of one in the other. */
static double deepest_of(const standing *a, const standing *b)
{
    const ts_sdf_body *body = a->solid->smooth;
    const ts_box3 box = ts_sdf_bounds(b->solid->smooth->sdf);
    double most = 0;
    for (size_t i = 0; i < body->edge_count; i++) {
        const ts_vec3 from = body->mesh->vertex[body->edge[i][0]], to = body->mesh->vertex[body->edge[i][1]];
        for (int k = 0; k <= ALONG; k++) {
            const ts_vec3 at = ts_vec3_lerp(from, to, (double)k / (ALONG + 1));
            const ts_vec3 p = ts_pose3_apply_inverse(b->pose, ts_pose3_apply(a->pose, at));
            if (p.x > box.low.x && p.y > box.low.y && p.z > box.low.z && p.x < box.high.x && p.y < box.high.y &&
                p.z < box.high.z)
                most = fmax(most, depth_in(b->solid->smooth, p));
        }
    }
    return most;
}

static void look_deep(ts_fall *f)
{
    const ts_model *m = f->rig.model;
    f->deepest_end = 0;
    for (size_t i = 0; i < m->part_count && m->part_owner[i] >= 0; i++) {
        const standing a = standing_of(f, i);
        const ts_mesh *mesh = ts_solid_surface(a.solid);
        for (size_t k = 0; mesh && k < mesh->vertex_count; k++)
            f->sunk = fmax(f->sunk, -ts_pose3_apply(a.pose, mesh->vertex[k]).z);
        for (size_t j = 0; j < m->part_count && m->part_owner[j] >= 0; j++) {
            const standing b = standing_of(f, j);
            if (m->part_owner[i] != m->part_owner[j] && a.solid->kind == TS_SOLID_SMOOTH &&
                b.solid->kind == TS_SOLID_SMOOTH)
                f->deepest_end = fmax(f->deepest_end, deepest_of(&a, &b));
        }
    }
    f->deepest = fmax(f->deepest, f->deepest_end);
}

/* ---- Running ---- */

/* What is measured during a run. */
typedef struct watch {
    ts_recorder *recorder;
    ts_energy_guard guard;
    double least, excess; /* energy so far [J]; as energy_guard.h has it */
    double rise;          /* [J] */
    ts_pose3 *late;       /* poses one second before the end; before that those of the start (body_count) */
} watch;

static ts_status look(ts_fall *f, watch *w, ts_error *error)
{
    ts_measures m;
    TS_TRY(ts_measure(f->rig.model, f->rig.state, f->rig.work, &m, error));
    const double energy = m.kinetic + m.rotational + m.gravitational + m.elastic;
    if (f->energy.count > 0)
        w->rise = fmax(w->rise, energy - w->least);
    w->least = f->energy.count > 0 ? fmin(w->least, energy) : energy;
    TS_TRY(ts_array_push(&f->time, ts_state_time(f->rig.state), error));
    TS_TRY(ts_array_push(&f->energy, energy, error));
    TS_TRY(ts_energy_guard_check(&w->guard, &m, error));
    w->excess = fmax(w->excess, w->guard.excess);
    f->kinetic = m.kinetic + m.rotational;
    f->contacts = (double)m.contact_count;
    look_deep(f);
    return ts_recorder_write(w->recorder, f->rig.state, f->rig.work, error);
}

/* The farthest that a point of a body has gone since `late`. */
static void look_back(ts_fall *f, const watch *w)
{
    for (size_t i = 0; i < ts_model_body_count(f->rig.model); i++) {
        const ts_pose3 now = ts_fall_pose(f, i), then = w->late[i];
        const double turn = ts_vec3_length(ts_quat_log(ts_quat_mul(now.quat, ts_quat_conjugate(then.quat))));
        f->creep = fmax(f->creep, ts_vec3_distance(now.position, then.position) +
                                      ts_model_radius(f->rig.model, i) * fmin(turn, 2 * TS_PI - turn));
    }
}

static ts_status step_all(ts_fall *f, watch *w, ts_study *study, const double span[2], ts_error *error)
{
    const uint64_t last = ts_run_last_step(f->rig.model);
    const uint64_t late = (uint64_t)fmax(0, (double)last - 1 / f->step);
    const size_t bodies = ts_model_body_count(f->rig.model);
    for (uint64_t now = 0;; now = ts_state_steps(f->rig.state)) {
        const bool due = now == 0 || now >= last || ts_recorder_next(w->recorder, now - 1) == now;
        if (due)
            TS_TRY(look(f, w, error));
        if (now <= late)
            for (size_t i = 0; i < bodies; i++)
                w->late[i] = ts_fall_pose(f, i);
        else
            look_back(f, w);
        ts_study_report(study, span[0] + span[1] * (double)now / (double)last, f->wish.name);
        if (now >= last)
            return TS_OK;
        uint64_t next = ts_recorder_next(w->recorder, now);
        next = now < late && next > late ? late : next;
        TS_TRY(ts_rig_step(&f->rig, (next < last ? next : last) - now, error));
    }
}

static ts_status finish(ts_fall *f, watch *w, ts_error *error)
{
    ts_warning list[TS_STEP_WARNINGS];
    const size_t count = ts_workspace_warnings(f->rig.work, list, TS_STEP_WARNINGS);
    for (size_t i = 0; i < count && !f->doubt[0]; i++)
        if (list[i].doubtful)
            snprintf(f->doubt, sizeof f->doubt, "%s: %s", list[i].kind, list[i].text);
    for (size_t i = 0; i < ts_model_body_count(f->rig.model); i++) {
        double v[6];
        TS_TRY(ts_state_velocity(f->rig.state, i, v, error));
        f->speed = fmax(f->speed, ts_vec3_length(ts_vec3_of(v)));
        f->spin = fmax(f->spin, ts_vec3_length(ts_vec3_of(v + 3)));
    }
    f->lost = f->energy.item[0] - f->energy.item[f->energy.count - 1];
    f->rise = w->rise / f->lost;
    return ts_recorder_finish(w->recorder, f->rig.state, f->rig.work, &(ts_run_end){.outcome = "finished"}, NULL,
                              error);
}

static void close_watch(watch *w)
{
    ts_recorder_free(w->recorder);
    ts_free(w->late);
}

ts_status ts_fall_run(ts_fall *f, ts_study *study, const ts_fall_wish *wish, const double span[2], ts_error *error)
{
    TS_AUTO(close_watch) watch w = {0};
    f->wish = *wish;
    TS_TRY(open_fall(f, study, error));
    w.guard = ts_energy_guard_of(f->rig.model);
    TS_TRY(ts_new(&w.late, ts_model_body_count(f->rig.model), error));
    TS_TRY(ts_recorder_create(f->folder, f->rig.model, &(ts_recorder_options){.force = true}, &w.recorder, error));
    const ts_status status = step_all(f, &w, study, span, error);
    if (status == TS_OUT_OF_MEMORY || f->energy.count == 0)
        return status;
    if (status != TS_OK) { /* an outcome */
        f->stopped = status;
        snprintf(f->doubt, sizeof f->doubt, "%.500s", error->message);
    }
    return finish(f, &w, error);
}
