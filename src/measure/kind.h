/* SPDX-License-Identifier: MIT */
/* Plane and space, as measures know them: two rows with all that depends on the dimension of a snapshot. */
#pragma once

#include "touchstone/measure.h"

struct ts_amount; /* (amount.h) */

typedef struct ts_measure_kind {
    int axes;            /* components of a vector: 2, or 3 */
    int turns;           /* components of an angular velocity that may differ from 0, from z down: 1, or 3 */
    int row;             /* of what comes in pairs, such as names: 0, or 1 */
    bool outlines;       /* shapes are areas with outlines: a pile has a surface, and overlaps have an area */
    uint32_t groups;     /* of columns */
    const char *corners; /* how to give those of a region */

    /* Shape, scale and volume of a body of a model, and what of its inertia is known to the last bit. */
    void (*describe)(const ts_model *model, size_t i, const double inertia[9], ts_snapshot_body *body);
    ts_region (*region)(const ts_snapshot *snapshot, size_t i);     /* the smallest upright box around a body */
    double (*rotational)(const ts_snapshot_body *body, double sum); /* the sum with its energy added [J] */
    void (*principal)(ts_stress *stress);                           /* what follows from its tensor */
    void (*anisotropy)(ts_fabric *fabric);                          /* likewise */
    /* Where p lies: positive on the side that is left through a → b (flow.c), and how far along it, in shares. */
    double (*side)(const double *a, const double *b, const double *p);
    double (*along)(const double *a, const double *b, const double *p);
    /* What of a body lies in a box: area, or volume (amount.h). */
    ts_status (*amounts)(struct ts_amount *amount, ts_error *error);
    double (*inside)(const struct ts_amount *amount, size_t i, const ts_region *box, double *off);
} ts_measure_kind;

extern const ts_measure_kind ts_measure_plane, ts_measure_space;

/* For the rows: what follows from a tensor (contacts.c). */
void ts_stress_in_plane(ts_stress *stress);
void ts_stress_in_space(ts_stress *stress);
void ts_fabric_in_plane(ts_fabric *fabric);
void ts_fabric_in_space(ts_fabric *fabric);

/* 3: space; 0 or 2: the plane. */
static inline const ts_measure_kind *ts_measure_kind_of(int dimension)
{
    return dimension == ts_measure_space.axes ? &ts_measure_space : &ts_measure_plane;
}
static inline const ts_measure_kind *ts_kind_of(const ts_snapshot *snapshot)
{
    return ts_measure_kind_of(snapshot->dimension);
}
