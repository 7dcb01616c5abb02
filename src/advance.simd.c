/* SPDX-License-Identifier: MIT */
/* The loops over bodies of advance.c: a body is two vectors, (x, y, angle, radius) and (vx, vy, spin, inv_mass). */
#include "advance.h"

#include <float.h>
#include <math.h>

#include "base/kernel.h"
#include "base/simd.h"

/* (h, h, h, 0): what (vx, vy, spin, inv_mass) is multiplied by to move (x, y, angle, radius). */
TS_SIMD ts_f64x4 time_of(double h)
{
    return ts_f64x4_make(h, h, h, 0);
}

/* The square of the speed of a body's fastest point. */
TS_SIMD double fastest2(const ts_body *body, bool turning)
{
    double speed2 = body->vx * body->vx + body->vy * body->vy;
    if (turning) {
        double speed = sqrt(speed2) + fabs(body->spin) * body->radius;
        speed2 = speed * speed;
    }
    return speed2;
}

/* Adds to a part's path how far it goes from where it was placed last, turning included. Below 0: it was not placed
 * yet. */
TS_SIMD void lengthen(double *path, const double *was, ts_f64x4 at)
{
    if (*path < 0) {
        *path = 0;
        return;
    }
    ts_f64x4 d = at - ts_f64x4_load(was);
    *path += sqrt(d[0] * d[0] + d[1] * d[1]) + fabs(d[2]) * at[3];
}

/* Frames of the parts of a body that is where `at` says. */
TS_SIMD void place_cluster(const ts_model *model, const ts_body *body, ts_f64x4 at, ts_workspace *work, size_t i)
{
    const int32_t *slot = work->pairs.slot_of_part;
    double c = cos(at[2]), s = sin(at[2]);
    for (size_t p = model->part_begin[i]; p < model->part_begin[i + 1]; p++) {
        double ox = c * model->part_x[p] - s * model->part_y[p], oy = s * model->part_x[p] + c * model->part_y[p];
        if (work->path)
            lengthen(&work->path[slot[p]], &work->part[slot[p]].x,
                     ts_f64x4_make(at[0] + ox, at[1] + oy, at[2], model->part_radius[p]));
        work->part[slot[p]] = (ts_frame2){.x = at[0] + ox,
                                          .y = at[1] + oy,
                                          .angle = at[2],
                                          .radius = model->part_radius[p],
                                          .vx = body->vx - body->spin * oy,
                                          .vy = body->vy + body->spin * ox,
                                          .spin = body->spin,
                                          .inv_mass = body->inv_mass};
        work->wrench[slot[p]] = (ts_wrench){0};
    }
}

static double place(const ts_model *model, const ts_state *state, ts_workspace *work, ts_body_range range, double h,
                    double fall)
{
    const ts_f64x4 fallen = {fall * model->settings.gravity[0], fall * model->settings.gravity[1], 0, 0};
    const int32_t *slot = work->pairs.slot_of_part;
    const bool turning = !model->parts_are_bodies;
    double most = 0;
    for (size_t i = range.begin; i < range.end; i++) {
        const ts_body *body = &state->body[i];
        ts_f64x4 velocity = ts_f64x4_load(&body->vx);
        ts_f64x4 at = ts_f64x4_load(&body->x) + time_of(h) * velocity;
        if (fall > 0 && body->inv_mass > 0)
            at += fallen;
        double speed2 = fastest2(body, turning);
        most = speed2 > most ? speed2 : most;
        if (turning) {
            place_cluster(model, body, at, work, i);
        } else {
            double *part = &work->part[slot[i]].x;
            if (work->path)
                lengthen(&work->path[slot[i]], part, at);
            ts_f64x4_store(part, at);
            ts_f64x4_store(part + 4, velocity);
            ts_f64x4_store(&work->wrench[slot[i]].fx, ts_f64x4_broadcast(0));
        }
    }
    return sqrt(most);
}

/* The force and torque (fx, fy, torque, 0) on a body at `at` from its parts, in the order of the parts. */
TS_SIMD ts_f64x4 body_wrench(const ts_model *model, ts_f64x4 at, const ts_workspace *work, size_t i)
{
    const int32_t *slot = work->pairs.slot_of_part;
    if (model->parts_are_bodies)
        return ts_f64x4_load(&work->wrench[slot[i]].fx);
    ts_f64x4 sum = {0};
    for (size_t p = model->part_begin[i]; p < model->part_begin[i + 1]; p++) {
        const ts_wrench *w = &work->wrench[slot[p]];
        const ts_frame2 *part = &work->part[slot[p]];
        double moment = (part->x - at[0]) * w->fy - (part->y - at[1]) * w->fx;
        sum += ts_f64x4_make(w->fx, w->fy, w->torque + moment, 0);
    }
    return sum;
}

static ts_chunk_report advance(const ts_model *model, ts_state *state, ts_workspace *work, ts_body_range range)
{
    const double dt = model->settings.time_step;
    const ts_f64x4 gravity = {model->settings.gravity[0], model->settings.gravity[1], 0, 0};
    const ts_f64x4 half = time_of(0.5 * dt);
    const bool turning = !model->parts_are_bodies, swept = ts_model_sweeps(model);
    double most = 0;
    int64_t runaway = -1;
    for (size_t i = range.begin; i < range.end; i++) {
        ts_body *body = &state->body[i];
        ts_f64x4 velocity = ts_f64x4_load(&body->vx);
        ts_f64x4 middle = ts_f64x4_load(&body->x) + half * velocity;

        /* v ← v + Δt (f/m + g), for bodies that can move */
        ts_f64x4 inverse = {body->inv_mass, body->inv_mass, model->inv_inertia[i], 0};
        ts_f64x4 change = dt * (body_wrench(model, middle, work, i) * inverse + gravity);
        ts_i64x4 movable = (ts_i64x4)(ts_f64x4_broadcast(body->inv_mass) > 0.0);
        velocity = ts_f64x4_select(movable, velocity + change, velocity);
        ts_f64x4_store(&body->vx, velocity);
        ts_f64x4_store(&body->x, middle + half * velocity);

        double speed2 = fastest2(body, turning);
        most = speed2 > most ? speed2 : most;
        /* a body that moves by its own radius in a step jumps through others, unless contacts are swept; 0 · spin is
         * NaN unless the spin is finite, and a NaN fails the comparison */
        if (!(speed2 * dt * dt + 0 * body->spin <= (swept ? DBL_MAX : body->radius * body->radius)))
            runaway = runaway < 0 && body->inv_mass > 0 ? (int64_t)i : runaway;
    }
    return (ts_chunk_report){.max_speed = sqrt(most), .runaway = runaway};
}

extern const ts_advance_kernels TS_KERNEL(ts_advance);
const ts_advance_kernels TS_KERNEL(ts_advance) = {place, advance};
