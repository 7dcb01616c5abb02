/* SPDX-License-Identifier: MIT */
#include "record/energy_guard.h"

#include <math.h>

#include "base/status.h"
#include "dynamics/dynamics.h"
#include "model.h"
#include "state.h"

static const double resolved_most = 0.9; /* cap of p: at 1 the swing has no bound, and nothing would ever be noticed */
static const double tolerance = 0.25;    /* of the largest T, the lift and the noise: essay in the header */
static const double rounding = 1e-9;     /* of places, over radii: far more than theirs, far less than any motion */

/* Whether energy can only fall: all of it is known, nothing is driven, nothing comes or goes. */
static bool only_falls(const ts_model *model)
{
    if (model->motion_count > 0 || model->gate_count > 0 || !ts_dynamics_knows_energy(model->dynamics))
        return false;
    for (size_t i = 0; i < model->wall_count; i++) {
        const ts_wall *wall = &model->wall[i];
        if (wall->motion >= 0 || isfinite(wall->open) || isfinite(wall->close))
            return false;
    }
    return true;
}

ts_energy_guard ts_energy_guard_of(const ts_model *model)
{
    ts_energy_guard guard = {.model = model, .on = only_falls(model), .bound = (double)INFINITY};
    double p = fmin(model->settings.time_step / model->stable_step, resolved_most);
    guard.swing = 2 * p / (1 - p);
    for (size_t i = 0; i < model->body_count; i++) {
        if (!ts_model_moves(model, i))
            continue;
        const double radius = ts_model_radius(model, i), speed = rounding * radius / model->settings.time_step;
        guard.lift += ts_vec3_length(model->gravity) * radius * model->mass[i];
        guard.noise += 0.5 * model->mass[i] * speed * speed;
    }
    return guard;
}

ts_status ts_energy_guard_check(ts_energy_guard *guard, const ts_measures *row, ts_error *error)
{
    const ts_model *model = guard->model;
    double active = row->kinetic + row->rotational + row->elastic, total = active + row->gravitational;
    if (!isfinite(total))
        return ts_fail(error, TS_DIVERGED, "the energy is not finite any more at t = %.9g s; %s", row->time,
                       ts_step_advice(model).text);
    if (!guard->on)
        return TS_OK;
    guard->peak = fmax(guard->peak, active);
    guard->excess = (total - guard->bound) / (guard->peak + guard->lift + guard->noise);
    if (guard->excess > tolerance)
        return ts_fail(error, TS_DIVERGED,
                       "the energy has grown from %.6g J at t = %.9g s to %.6g J at t = %.9g s, although nothing is "
                       "driven; %s",
                       guard->lowest, guard->since, total, row->time, ts_step_advice(model).text);
    double bound = total + guard->swing * active;
    if (bound < guard->bound) {
        guard->bound = bound;
        guard->lowest = total;
        guard->since = row->time;
    }
    return TS_OK;
}
