/* SPDX-License-Identifier: MIT */
/* What the penalty law's stiffness and time step follow from, in the plane and in space. docs/penalty.md has the
 * reasons. */
#pragma once

#include "model.h"

/* The stiffness by which a body overlaps others by no more than `overlap` [m]: in an impact at `speed` (½ m v² = ½ k
 * d²) and, where there is a load [N], under
 * what force chains make of it. */
double ts_stiffness_for(double mass, double speed, double load, double overlap);
/* The hardest that each material meets: for each field of a law, the largest over the materials in the scene. */
ts_contact_law ts_hardest_law(const ts_model *model, size_t material);
/* Largest Δt for a mode of stiffness k and damping c per mass: k Δt² + 2 c Δt < 4. */
double ts_step_limit(double k, double c);
/* The step that contacts ask for, with the lightest free body's 1/m; infinite when there is none. */
double ts_contact_step(const ts_model *model, double inv_mass);
/* Shortens a step so that it divides the duration, and leaves it alone where it does already. */
double ts_whole_step(double duration, double step);
