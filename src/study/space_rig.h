/* SPDX-License-Identifier: MIT */
/* Scenes of bodies in space under impact, for studies: set up as in rig.h, and measured from bodies alone.
 *
 *     ts_rig rig = {0};
 *     ts_space_rig_open(&rig, &(ts_space_rig_wish){.by = "gr", .restitution = 1, .step = 0.01}, error);
 *     ts_space_rig_mesh(&rig, "pot", mesh, 48, &solid, error);  ts_scene_add_body(rig.scene, …);
 *     ts_rig_start(&rig, 1, error);
 *     ts_space_rig_step(&rig, 100, &stop, error);             an impact that does not end is an outcome
 *     ts_space_sums sums = ts_space_rig_sums(&rig, 9.81);
 *     ts_rig_close(&rig);                                     whatever happened */
#pragma once

#include "base/vec.h"
#include "shape/mesh.h"
#include "study/rig.h"
#include "touchstone/sim.h"

typedef struct ts_space_rig_wish {
    const char *by; /* operator */
    double restitution, friction;
    double density;   /* of the default material [kg/m³]; 0: that of any scene */
    double gravity;   /* downwards, along −z [m/s²] */
    double step;      /* [s] */
    bool uncorrected; /* overlaps are left as they are, also for a restitution below 1 */
    uint64_t sweeps;  /* 0: exactly */
    uint64_t seed;    /* 0: 1 */
} ts_space_rig_wish;

ts_status ts_space_rig_open(ts_rig *rig, const ts_space_rig_wish *wish, ts_error *error);
/* A solid of one mesh, whose distance field has so many cells along it, 0: 64. `name` may be NULL. */
ts_status ts_space_rig_mesh(ts_rig *rig, const char *name, const ts_mesh *mesh, int cells, int32_t *solid,
                            ts_error *error);

/* Sums over all bodies that move, from ts_state_bodies3 and ts_state_velocity: no contacts are looked for. */
typedef struct ts_space_sums {
    ts_vec3 momentum; /* [kg m/s] */
    ts_vec3 angular;  /* about the origin [kg m²/s] */
    double kinetic;   /* of both kinds [J] */
    double height;    /* potential energy in the given gravity [J] */
} ts_space_sums;

ts_space_sums ts_space_rig_sums(const ts_rig *rig, double gravity);

/* Why stepping ended for good. */
typedef struct ts_space_stop {
    ts_status status; /* TS_OK: it has not */
    char why[512];
} ts_space_stop;

/* TS_OK also when an impact does not end, or a body flies off; `stop` then says so, and further calls do nothing. */
ts_status ts_space_rig_step(ts_rig *rig, uint64_t count, ts_space_stop *stop, ts_error *error);

ts_vec3 ts_space_rig_position(const ts_rig *rig, size_t body);
ts_pose3 ts_space_rig_pose(const ts_rig *rig, size_t body);
