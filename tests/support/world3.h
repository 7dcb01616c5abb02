/* SPDX-License-Identifier: MIT */
/* Small scenes of space through the public API, on top of world.h: ts_test_space instead of ts_test_open, the rest
 * is the same. */
#pragma once

#include "support/check.h"
#include "support/world.h"

/* An empty scene of space with this gravity along z [m/s²]. */
void ts_test_space(ts_test_world *w, double gravity);
/* Impact with this operator, restitution, friction and time step. Positions are corrected where c < 1, … */
void ts_test_impact3(ts_scene *scene, const char *by, double restitution, double friction, double time_step);
/* … by sweeps, likewise; or not at all, which keeps angular momentum. */
void ts_test_sweeps3(ts_scene *scene, uint64_t sweeps);
void ts_test_uncorrected3(ts_scene *scene);

/* The penalty law with this stiffness (0: derived), restitution, friction and time step (0: derived). */
void ts_test_penalty3(ts_scene *scene, double stiffness, double restitution, double friction, double time_step);

/* Each returns the index of what it added. */
int32_t ts_test_ball(ts_scene *scene, double radius);
int32_t ts_test_block(ts_scene *scene, double x, double y, double z);
/* A rod with a head: no symmetry but a plane, and its centre of mass is in neither middle. */
int32_t ts_test_hammer(ts_scene *scene, double length);
/* A convex hull of five points, three different moments. */
int32_t ts_test_wedge(ts_scene *scene, double size);
/* An L of two boxes' outline as one closed surface: not convex. */
int32_t ts_test_angle(ts_scene *scene, double size);

int32_t ts_test_body3(ts_scene *scene, int32_t solid, double x, double y, double z);
int32_t ts_test_body3_moving(ts_scene *scene, int32_t solid, const double position[3], const double velocity[3],
                             const double spin[3]);
int32_t ts_test_fixed3(ts_scene *scene, const char *name, int32_t solid, double x, double y, double z);
/* Turned by this angle about y. */
int32_t ts_test_tilted3(ts_scene *scene, int32_t solid, const double position[3], double angle);
int32_t ts_test_plane3(ts_scene *scene, const char *name, const double point[3], const double normal[3]);
int32_t ts_test_floor(ts_scene *scene);
/* A lattice of bodies in the box low … high, about as many of each solid, with random velocities of this spread; and
 * in the box 0 … side. */
void ts_test_fill3(ts_scene *scene, const double low[3], const double high[3], size_t count, const int32_t *solid,
                   size_t solids, double spread);
void ts_test_cloud3(ts_scene *scene, double side, size_t count, const int32_t *solid, size_t solids, double spread);

/* Of all bodies that can move, worked out from positions, momenta and inertias. */
typedef struct ts_test_sums {
    double momentum[3]; /* [kg·m/s] */
    double angular[3];  /* about the origin [kg·m²/s] */
    double energy;      /* kinetic, of turning and of height [J] */
    double size;        /* sum of the |m v|, to compare with */
} ts_test_sums;

ts_test_sums ts_test_sum3(const ts_test_world *w);

/* Angular velocity of a body, world frame. */
static inline void ts_test_spin3(const ts_state *state, size_t body, double spin[3])
{
    double v[6];
    OK(ts_state_velocity(state, body, v, ERROR));
    for (int d = 0; d < 3; d++)
        spin[d] = v[3 + d];
}
