/* SPDX-License-Identifier: MIT */
/* Discs at rest: forces and overlaps from statics.
 *
 *    ( 3 )            A column: each contact carries what is above it, N = g Σ m, and is N/k deep.
 *    ( 2 )
 *    ( 1 )                 ( t )       A pile: with θ the slant of the line of centres, N and T the normal and tangential
 *   ▔▔▔▔▔▔▔             ( b )   ( b )  force between t and b, F the friction on the floor. Torques on b: F = T; sideways:
 *                      ▔▔▔▔▔▔▔▔▔▔▔▔▔▔  N sin θ - T cos θ = F; upright for t: N cos θ + T sin θ = ½ m_t g. So
 *                                      T = N tan(θ/2) and N = ½ m_t g, whatever the angle. */
#include "study/disc_analytic.h"

#include "base/memory.h"

#define STIFFNESS 1e7 /* [N/m] */

static ts_status open_floor(double smallest, double friction, ts_rig *rig, ts_error *error)
{
    double time_step = DISC_PI * sqrt(disc_mass(smallest) / STIFFNESS) / 50;
    TS_TRY(ts_rig_open(rig, -DISC_GRAVITY, time_step, error));
    ts_material_def material = ts_default_material();
    material.density = DISC_DENSITY;
    material.stiffness = STIFFNESS;
    material.friction = friction;
    material.restitution = 0.2;
    TS_TRY(ts_scene_set_default_material(rig->scene, &material, error));
    return ts_rig_plane(rig, 0, 0, 0, 1, error);
}

/* The fastest body. */
static ts_status largest_speed(ts_rig *rig, double *speed, ts_error *error)
{
    ts_measures measures;
    TS_TRY(ts_measure(rig->model, rig->state, rig->work, &measures, error));
    *speed = measures.max_speed;
    return TS_OK;
}

/* The contact of a and b, which must touch. */
static ts_status contact_of(ts_rig *rig, int64_t a, int64_t b, ts_contact *contact, ts_error *error)
{
    bool found;
    TS_TRY(ts_rig_contact(rig, a, b, contact, &found, error));
    if (!found)
        return ts_fail(error, TS_DIVERGED, "bodies %lld and %lld were expected to rest on each other, but do not touch",
                       (long long)a, (long long)b);
    return TS_OK;
}

static double normal_force(const ts_contact *c)
{
    return c->force[0] * c->normal[0] + c->force[1] * c->normal[1];
}

/* along the normal turned by +90° */
static double tangential_force(const ts_contact *c)
{
    return c->force[1] * c->normal[0] - c->force[0] * c->normal[1];
}

/* ---- A column ---- */

static ts_status claim_column(ts_study *study, ts_rig *rig, const double *radius, ts_error *error)
{
    double speed, load = 0, height = 0, scale = sqrt(DISC_GRAVITY * radius[2]);
    for (int i = 2; i >= 0; i--) {
        ts_contact c;
        load += disc_mass(radius[i]) * DISC_GRAVITY;
        TS_TRY(contact_of(rig, i - 1, i, &c, error));
        TS_TRY(ts_claim_near(study, normal_force(&c), load, DISC_TOLERANCE, "N", error, "column: force below disc %d",
                             i + 1));
        TS_TRY(ts_claim_near(study, -c.gap, load / STIFFNESS, DISC_TOLERANCE, "m", error,
                             "column: overlap below disc %d", i + 1));
        height += 2 * radius[i] - load / STIFFNESS;
    }
    TS_TRY(
        ts_claim_near(study, ts_rig_body(rig, 2)->y + radius[2], height, DISC_TOLERANCE, "m", error, "column: height"));
    TS_TRY(largest_speed(rig, &speed, error));
    return ts_claim_at_most(study, speed / scale, 1e-6, "1", error, "column: largest speed left / √(g r)");
}

static ts_status run_column(ts_study *study, ts_error *error)
{
    const double radius[] = {0.10, 0.14, 0.06};
    double y = 0;
    TS_AUTO(ts_rig_close) ts_rig rig = {0};
    TS_TRY(open_floor(radius[2], 0.5, &rig, error));
    for (int i = 0; i < 3; i++) {
        TS_TRY(ts_rig_disc(&rig, radius[i], 0, y + radius[i], error));
        y += 2 * radius[i];
    }
    TS_TRY(ts_rig_start(&rig, 1, error));
    TS_TRY(ts_rig_step(&rig, ts_study_full(study) ? 200000 : 20000, error));
    return claim_column(study, &rig, radius, error);
}

/* ---- A pile ---- */

static ts_status claim_pile(ts_study *study, ts_rig *rig, double slant, double top, double bottom, ts_error *error)
{
    double half = 0.5 * disc_mass(top) * DISC_GRAVITY, speed, degrees = slant * 180 / DISC_PI;
    ts_contact on_left, on_right, left_floor;
    TS_TRY(contact_of(rig, 0, 2, &on_left, error));
    TS_TRY(contact_of(rig, 1, 2, &on_right, error));
    TS_TRY(contact_of(rig, -1, 0, &left_floor, error));
    TS_TRY(ts_claim_near(study, normal_force(&on_left), half, DISC_TOLERANCE, "N", error,
                         "pile, slant %.0f°: force on left disc", degrees));
    TS_TRY(ts_claim_near(study, normal_force(&on_right), half, DISC_TOLERANCE, "N", error,
                         "pile, slant %.0f°: force on right disc", degrees));
    TS_TRY(ts_claim_near(study, fabs(tangential_force(&on_left)), half * tan(0.5 * slant), DISC_TOLERANCE, "N", error,
                         "pile, slant %.0f°: friction between discs", degrees));
    TS_TRY(ts_claim_near(study, fabs(tangential_force(&left_floor)), half * tan(0.5 * slant), DISC_TOLERANCE, "N",
                         error, "pile, slant %.0f°: friction on the floor", degrees));
    TS_TRY(ts_claim_near(study, normal_force(&left_floor), half + disc_mass(bottom) * DISC_GRAVITY, DISC_TOLERANCE, "N",
                         error, "pile, slant %.0f°: force on the floor", degrees));
    TS_TRY(largest_speed(rig, &speed, error));
    return ts_claim_at_most(study, speed / sqrt(DISC_GRAVITY * top), 1e-6, "1", error,
                            "pile, slant %.0f°: speed left / √(g r)", degrees);
}

static ts_status run_pile(ts_study *study, double slant, ts_error *error)
{
    double top = 0.08, bottom = 0.1, reach = (top + bottom) * sin(slant);
    TS_AUTO(ts_rig_close) ts_rig rig = {0};
    TS_TRY(open_floor(top, 0.6, &rig, error));
    TS_TRY(ts_rig_disc(&rig, bottom, -reach, bottom, error));
    TS_TRY(ts_rig_disc(&rig, bottom, reach, bottom, error));
    TS_TRY(ts_rig_disc(&rig, top, 0, bottom + (top + bottom) * cos(slant), error));
    TS_TRY(ts_rig_start(&rig, 1, error));
    TS_TRY(ts_rig_step(&rig, ts_study_full(study) ? 200000 : 20000, error));
    return claim_pile(study, &rig, slant, top, bottom, error);
}

ts_status ts_disc_rests(ts_study *study, ts_error *error)
{
    TS_TRY(run_column(study, error));
    TS_TRY(run_pile(study, 40 * DISC_PI / 180, error));
    return run_pile(study, 55 * DISC_PI / 180, error);
}
