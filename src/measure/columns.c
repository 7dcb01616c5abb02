/* SPDX-License-Identifier: MIT */
#include "measure/columns.h"

#include <math.h>

#include "measure/motion.h"
#include "measure/profile.h"

/* All scalars of one moment. */
typedef struct values {
    ts_packing packing;
    ts_coordination coordination;
    ts_stress stress;
    ts_fabric fabric;
    ts_forces forces;
    ts_chains chains;
    ts_motion_measures motion;
    ts_flow flow;
    ts_repose repose;
    ts_front front;
    ts_segregation segregation;
    ts_energies energies;
    ts_height height;
    ts_overlaps overlaps;
} values;

static const char *const group_name[] = {"packing", "coordination", "stress",   "fabric", "forces",
                                         "chains",  "temperature",  "velocity", "flow",   "repose",
                                         "front",   "segregation",  "energy",   "height", "overlap"};
enum { GROUP_COUNT = sizeof group_name / sizeof *group_name };

const char *ts_measure_name(size_t index)
{
    return index < GROUP_COUNT ? group_name[index] : NULL;
}

typedef struct column {
    const char *name;
    size_t offset; /* in values */
    ts_measure_group group;
    bool count; /* a size_t stands there, not a double */
} column;

/* clang-format off */
#define NUMBER(group, name, member) {name, offsetof(values, member), TS_MEASURE_##group, false}
#define COUNT(group, name, member) {name, offsetof(values, member), TS_MEASURE_##group, true}
static const column columns[] = {
    NUMBER(PACKING, "packing_fraction", packing.fraction),
    NUMBER(PACKING, "grain_area_m2", packing.grain_area),
    NUMBER(PACKING, "region_area_m2", packing.region_area),
    NUMBER(COORDINATION, "coordination", coordination.contacts),
    NUMBER(COORDINATION, "neighbours", coordination.neighbours),
    NUMBER(COORDINATION, "coordination_backbone", coordination.backbone),
    NUMBER(COORDINATION, "rattler_share", coordination.rattlers),
    NUMBER(STRESS, "stress_xx_N_per_m", stress.contact[0][0]),
    NUMBER(STRESS, "stress_xy_N_per_m", stress.contact[0][1]),
    NUMBER(STRESS, "stress_yx_N_per_m", stress.contact[1][0]),
    NUMBER(STRESS, "stress_yy_N_per_m", stress.contact[1][1]),
    NUMBER(STRESS, "pressure_N_per_m", stress.pressure),
    NUMBER(STRESS, "deviator_N_per_m", stress.deviator),
    NUMBER(STRESS, "stress_axis_rad", stress.principal_axis),
    NUMBER(STRESS, "kinetic_stress_xx_N_per_m", stress.kinetic[0][0]),
    NUMBER(STRESS, "kinetic_stress_xy_N_per_m", stress.kinetic[0][1]),
    NUMBER(STRESS, "kinetic_stress_yy_N_per_m", stress.kinetic[1][1]),
    NUMBER(FABRIC, "fabric_xx", fabric.tensor[0][0]),
    NUMBER(FABRIC, "fabric_xy", fabric.tensor[0][1]),
    NUMBER(FABRIC, "fabric_yy", fabric.tensor[1][1]),
    NUMBER(FABRIC, "fabric_anisotropy", fabric.anisotropy),
    NUMBER(FABRIC, "fabric_axis_rad", fabric.axis),
    NUMBER(FORCES, "mean_force_N", forces.mean),
    NUMBER(FORCES, "max_force_N", forces.largest),
    NUMBER(FORCES, "force_spread", forces.spread),
    NUMBER(FORCES, "strong_share", forces.strong_share),
    NUMBER(FORCES, "force_tail", forces.tail),
    NUMBER(FORCES, "force_tail_error", forces.tail_error),
    COUNT(CHAINS, "strong_clusters", chains.clusters),
    COUNT(CHAINS, "largest_cluster_grains", chains.largest),
    COUNT(CHAINS, "chains", chains.count),
    NUMBER(CHAINS, "chain_length_grains", chains.mean_length),
    COUNT(CHAINS, "longest_chain_grains", chains.longest),
    NUMBER(CHAINS, "chain_member_share", chains.member_share),
    NUMBER(TEMPERATURE, "temperature_m2_per_s2", motion.temperature),
    NUMBER(TEMPERATURE, "temperature_about_mean_m2_per_s2", motion.about_mean),
    NUMBER(TEMPERATURE, "rotational_temperature_m2_per_s2", motion.rotational),
    NUMBER(TEMPERATURE, "rotational_temperature_about_mean_m2_per_s2", motion.rotational_about_mean),
    NUMBER(VELOCITY, "mean_vx_m_per_s", motion.velocity[0]),
    NUMBER(VELOCITY, "mean_vy_m_per_s", motion.velocity[1]),
    NUMBER(VELOCITY, "mean_spin_rad_per_s", motion.spin),
    NUMBER(VELOCITY, "shear_rate_per_s", motion.shear_rate),
    NUMBER(FLOW, "flow_kg_per_s", flow.mass),
    NUMBER(FLOW, "flow_grains_per_s", flow.number),
    NUMBER(REPOSE, "repose_left_rad", repose.left),
    NUMBER(REPOSE, "repose_left_error_rad", repose.left_error),
    NUMBER(REPOSE, "repose_right_rad", repose.right),
    NUMBER(REPOSE, "repose_right_error_rad", repose.right_error),
    NUMBER(REPOSE, "pile_height_m", repose.height),
    NUMBER(FRONT, "front_left_m", front.left),
    NUMBER(FRONT, "front_right_m", front.right),
    NUMBER(FRONT, "front_left_connected_m", front.left_connected),
    NUMBER(FRONT, "front_right_connected_m", front.right_connected),
    COUNT(SEGREGATION, "kinds", segregation.kinds),
    NUMBER(SEGREGATION, "segregation_intensity", segregation.intensity),
    NUMBER(SEGREGATION, "lacey_index", segregation.lacey),
    NUMBER(SEGREGATION, "segregation_height_m", segregation.height),
    NUMBER(ENERGY, "kinetic_J", energies.kinetic),
    NUMBER(ENERGY, "rotational_J", energies.rotational),
    NUMBER(ENERGY, "gravitational_J", energies.gravitational),
    NUMBER(ENERGY, "elastic_J", energies.elastic),
    NUMBER(ENERGY, "work_J", energies.work),
    NUMBER(ENERGY, "lost_normal_J", energies.lost_normal),
    NUMBER(ENERGY, "lost_tangential_J", energies.lost_tangential),
    NUMBER(ENERGY, "lost_friction_J", energies.lost_friction),
    NUMBER(ENERGY, "energy_balance_J", energies.balance),
    NUMBER(HEIGHT, "column_height_m", height.top),
    NUMBER(HEIGHT, "surface_height_m", height.surface),
    NUMBER(HEIGHT, "centre_height_m", height.centre),
    COUNT(OVERLAP, "overlap_pairs", overlaps.pairs),
    COUNT(OVERLAP, "overlap_through_pairs", overlaps.through),
    NUMBER(OVERLAP, "overlap_mean_depth_m", overlaps.mean_depth),
    NUMBER(OVERLAP, "overlap_max_depth_m", overlaps.most_depth),
    NUMBER(OVERLAP, "overlap_mean_share", overlaps.mean_share),
    NUMBER(OVERLAP, "overlap_max_share", overlaps.most_share),
};
/* clang-format on */
enum { COLUMN_COUNT = sizeof columns / sizeof *columns };
_Static_assert((int)COLUMN_COUNT <= (int)TS_MEASURE_COLUMNS_MAX, "raise TS_MEASURE_COLUMNS_MAX");

static const column *column_at(uint32_t groups, size_t index)
{
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        if ((groups & columns[i].group) && index-- == 0)
            return &columns[i];
    return NULL;
}

size_t ts_measure_column_count(uint32_t groups)
{
    size_t count = 0;
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        count += (groups & columns[i].group) != 0;
    return count;
}

const char *ts_measure_column_name(uint32_t groups, size_t index)
{
    const column *c = column_at(groups, index);
    return c ? c->name : NULL;
}

size_t ts_measure_column_group(uint32_t groups, size_t index)
{
    const column *c = column_at(groups, index);
    size_t group = 0;
    while (c && c->group >> group > 1)
        group++;
    return group;
}

/* ---- Rows ---- */

/* What has no value yet is NaN: the flow of a first frame. */
static const values unknown = {.flow = {(double)NAN, (double)NAN}};

static ts_status measure(const ts_snapshot *s, const ts_snapshot *before, const ts_measure_options *o, uint32_t groups,
                         values *v, ts_error *error)
{
    ts_bins slices = ts_bins_of(s, o, o->along_x), columns_of_pile = ts_bins_of(s, o, true);
    if (groups & TS_MEASURE_PACKING)
        TS_TRY(ts_measure_packing(s, o->region, &v->packing, error));
    if (groups & TS_MEASURE_COORDINATION)
        TS_TRY(ts_measure_coordination(s, o->region, o->least, &v->coordination, error));
    if (groups & TS_MEASURE_STRESS)
        TS_TRY(ts_stress_about(s, &slices, &v->stress, error));
    if (groups & TS_MEASURE_FABRIC)
        TS_TRY(ts_measure_fabric(s, o->region, !o->no_walls, &v->fabric, error));
    if (groups & TS_MEASURE_FORCES)
        TS_TRY(ts_measure_forces(s, o->region, &v->forces, error));
    if (groups & TS_MEASURE_CHAINS)
        TS_TRY(ts_measure_chains(s, o->region, 0, &v->chains, error));
    if (groups & (TS_MEASURE_TEMPERATURE | TS_MEASURE_VELOCITY))
        TS_TRY(ts_measure_motion(s, &slices, &v->motion, error));
    if ((groups & TS_MEASURE_FLOW) && before && o->line)
        TS_TRY(ts_measure_flow(before, s, o->line, o->line + 2, &v->flow, error));
    if (groups & TS_MEASURE_REPOSE)
        TS_TRY(ts_measure_repose(s, &columns_of_pile, &v->repose, error));
    if (groups & TS_MEASURE_FRONT)
        TS_TRY(ts_measure_front(s, o->region, o->share, &v->front, error));
    if (groups & TS_MEASURE_SEGREGATION)
        TS_TRY(ts_measure_segregation(s, o->region, o->kind_by, 0, &v->segregation, error));
    if (groups & TS_MEASURE_ENERGY)
        ts_measure_energies(s, &v->energies);
    if (groups & TS_MEASURE_HEIGHT)
        TS_TRY(ts_measure_height(s, &columns_of_pile, o->share, &v->height, error));
    if (groups & TS_MEASURE_OVERLAP)
        TS_TRY(ts_measure_overlaps(s, o->region, &v->overlaps, error));
    return TS_OK;
}

/* A count cannot say by itself that it is not known. */
static double value_of(const column *c, const values *v, bool has_contacts)
{
    const char *at = (const char *)v + c->offset;
    if (!c->count)
        return *(const double *)(const void *)at;
    if (c->group == TS_MEASURE_CHAINS && !has_contacts)
        return (double)NAN;
    return (double)*(const size_t *)(const void *)at;
}

ts_status ts_measure_row(const ts_snapshot *now, const ts_snapshot *before, const ts_measure_options *options,
                         uint32_t groups, double *value, ts_error *error)
{
    values v = unknown;
    TS_TRY(measure(now, before, options, groups, &v, error));
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        if (groups & columns[i].group)
            *value++ = value_of(&columns[i], &v, now->has_contacts);
    return TS_OK;
}

ts_measure_options ts_measure_options_of(const ts_settings *settings)
{
    const ts_measuring *m = &settings->measuring;
    return (ts_measure_options){
        .region = m->region.x0 < m->region.x1 ? &m->region : NULL,
        .bins = m->bins,
        .along_x = m->along_x,
        .least = m->rattlers,
        .line = m->line[0] != m->line[2] || m->line[1] != m->line[3] ? m->line : NULL,
        .share = m->share,
        .kind_by = m->kinds,
        .no_walls = m->no_walls,
    };
}
