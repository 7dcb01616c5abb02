/* SPDX-License-Identifier: MIT */
/* The loops over bodies of advance.c: a body is two vectors, (x, y, angle, radius) and (vx, vy, spin, inv_mass). */
#include "advance.h"

#include <math.h>

#include "base/kernel.h"
#include "base/simd.h"

/* Moves a body by h and returns the square of its fastest point's speed. */
TS_SIMD double drift_body(ts_body *body, double h, bool turning)
{
    const ts_f64x4 by = {h, h, h, 0};
    ts_f64x4_store(&body->x, ts_f64x4_load(&body->x) + by * ts_f64x4_load(&body->vx));
    double speed2 = body->vx * body->vx + body->vy * body->vy;
    if (turning) {
        double speed = sqrt(speed2) + fabs(body->spin) * body->radius;
        speed2 = speed * speed;
    }
    return speed2;
}

static double drift(ts_body *body, size_t begin, size_t end, double h, bool turning)
{
    double most = 0;
    for (size_t i = begin; i < end; i++) {
        double speed2 = drift_body(&body[i], h, turning);
        most = speed2 > most ? speed2 : most;
    }
    return sqrt(most);
}

/* Frames of the parts of bodies in a range. */
static void place(const ts_model *model, const ts_state *state, ts_workspace *work, size_t begin, size_t end)
{
    const int32_t *slot = work->pairs.slot_of_part;
    if (model->parts_are_bodies) {
        for (size_t i = begin; i < end; i++) {
            double *part = &work->part[slot[i]].x;
            ts_f64x4_store(part, ts_f64x4_load(&state->body[i].x));
            ts_f64x4_store(part + 4, ts_f64x4_load(&state->body[i].vx));
            ts_f64x4_store(&work->wrench[slot[i]].fx, ts_f64x4_broadcast(0));
        }
        return;
    }
    for (size_t i = begin; i < end; i++) {
        const ts_body *body = &state->body[i];
        double c = cos(body->angle), s = sin(body->angle);
        for (size_t p = model->part_begin[i]; p < model->part_begin[i + 1]; p++) {
            double ox = c * model->part_x[p] - s * model->part_y[p], oy = s * model->part_x[p] + c * model->part_y[p];
            work->part[slot[p]] = (ts_frame2){.x = body->x + ox,
                                              .y = body->y + oy,
                                              .angle = body->angle,
                                              .radius = model->part_radius[p],
                                              .vx = body->vx - body->spin * oy,
                                              .vy = body->vy + body->spin * ox,
                                              .spin = body->spin,
                                              .inv_mass = body->inv_mass};
            work->wrench[slot[p]] = (ts_wrench){0};
        }
    }
}

/* The force and torque (fx, fy, torque, 0) on a body from its parts, in the order of the parts. */
TS_SIMD ts_f64x4 body_wrench(const ts_model *model, const ts_body *body, const ts_workspace *work, size_t i)
{
    const int32_t *slot = work->pairs.slot_of_part;
    if (model->parts_are_bodies)
        return ts_f64x4_load(&work->wrench[slot[i]].fx);
    ts_f64x4 sum = {0};
    for (size_t p = model->part_begin[i]; p < model->part_begin[i + 1]; p++) {
        const ts_wrench *w = &work->wrench[slot[p]];
        const ts_frame2 *part = &work->part[slot[p]];
        double moment = (part->x - body->x) * w->fy - (part->y - body->y) * w->fx;
        sum += ts_f64x4_make(w->fx, w->fy, w->torque + moment, 0);
    }
    return sum;
}

/* v ← v + Δt (f/m + g), for bodies that can move. */
TS_SIMD void kick_body(ts_body *body, ts_f64x4 wrench, double inv_inertia, const ts_settings *settings)
{
    const ts_f64x4 gravity = {settings->gravity[0], settings->gravity[1], 0, 0};
    ts_f64x4 inverse = {body->inv_mass, body->inv_mass, inv_inertia, 0};
    ts_f64x4 change = settings->time_step * (wrench * inverse + gravity);
    ts_f64x4 velocity = ts_f64x4_load(&body->vx);
    ts_i64x4 movable = (ts_i64x4)(ts_f64x4_broadcast(body->inv_mass) > 0.0);
    ts_f64x4_store(&body->vx, ts_f64x4_select(movable, velocity + change, velocity));
}

static ts_chunk_report kick_and_drift(const ts_model *model, ts_state *state, ts_workspace *work, size_t begin,
                                      size_t end)
{
    double dt = model->settings.time_step, most = 0;
    bool turning = !model->parts_are_bodies;
    int64_t runaway = -1;
    for (size_t i = begin; i < end; i++) {
        ts_body *body = &state->body[i];
        kick_body(body, body_wrench(model, body, work, i), model->inv_inertia[i], &model->settings);
        double speed2 = drift_body(body, 0.5 * dt, turning);
        most = speed2 > most ? speed2 : most;
        /* a body that moves by its own radius in a step jumps through others; 0 · spin is NaN unless the spin is finite, and a NaN
         * fails the comparison */
        if (!(speed2 * dt * dt + 0 * body->spin <= body->radius * body->radius))
            runaway = runaway < 0 && body->inv_mass > 0 ? (int64_t)i : runaway;
    }
    return (ts_chunk_report){.max_speed = sqrt(most), .runaway = runaway};
}

extern const ts_advance_kernels TS_KERNEL(ts_advance);
const ts_advance_kernels TS_KERNEL(ts_advance) = {drift, place, kick_and_drift};
