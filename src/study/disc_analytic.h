/* SPDX-License-Identifier: MIT */
/* The parts of the study `disc-analytic`; docs/studies.md derives the closed forms.
 *
 * All discs have the density below and the radii that a case names, so that masses here come from a formula and not
 * from the engine: m = ρ π r², I = ½ m r². */
#pragma once

#include "study/rig.h"
#include "study/study.h"

#define DISC_PI        3.14159265358979323846
#define DISC_DENSITY   1000.0 /* [kg/m²] */
#define DISC_GRAVITY   9.81   /* [m/s²] */
#define DISC_TOLERANCE 0.01   /* every claim is held to its closed form within this */

ts_status ts_disc_impacts(ts_study *study, ts_error *error); /* disc_impact.c: restitution and contact time */
ts_status ts_disc_motions(ts_study *study, ts_error *error); /* disc_motion.c: rolling, sliding, sticking, flying */
ts_status ts_disc_rests(ts_study *study, ts_error *error);   /* disc_rest.c: a stack and a pile at rest */
ts_status ts_disc_clouds(ts_study *study, ts_error *error);  /* disc_cloud.c: momentum and energy of a free cloud */

static inline double disc_mass(double radius)
{
    return DISC_DENSITY * DISC_PI * radius * radius;
}
