/* SPDX-License-Identifier: MIT */
#include "measure/columns.h"

#include <math.h>

#include "base/vec.h"
#include "measure/edges.h"
#include "measure/motion.h"
#include "measure/profile.h"

/* Sums over the grains and contacts of a moment in space. */
typedef struct sums {
    double momentum[3], angular[3]; /* about the origin [N·s], [N·m·s] */
    double mean_speed, max_speed;   /* [m/s] */
    double contacts, max_overlap, mean_overlap;
} sums;

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
    ts_overlaps overlaps; /* plane */
    sums sums;            /* space */
} values;

static const char *const group_name[] = {"packing", "coordination", "stress",   "fabric", "forces",
                                         "chains",  "temperature",  "velocity", "flow",   "repose",
                                         "front",   "segregation",  "energy",   "height", "overlap"};
enum { GROUP_COUNT = sizeof group_name / sizeof *group_name };

const char *ts_measure_name(size_t index)
{
    return index < GROUP_COUNT ? group_name[index] : NULL;
}

/* What a column is of: bits, of the rows in kind.h. */
enum { PLANE = 1, SPACE = 2, BOTH = 3 };

typedef struct column {
    const char *name[2]; /* in the plane and in space */
    size_t offset;       /* in values */
    ts_measure_group group;
    bool count; /* a size_t stands there, not a double */
    unsigned in;
} column;

/* clang-format off */
#define NAMED(in, group, plane, space, member) {{plane, space}, offsetof(values, member), TS_MEASURE_##group, false, in}
#define NUMBER(in, group, name, member) NAMED(in, group, name, name, member)
#define COUNT(in, group, name, member) {{name, name}, offsetof(values, member), TS_MEASURE_##group, true, in}
/* A force per length, in space per area. */
#define STRESS(in, name, member) NAMED(in, STRESS, name "_N_per_m", name "_N_per_m2", stress.member)
static const column columns[] = {
    NUMBER(BOTH, PACKING, "packing_fraction", packing.fraction),
    NUMBER(SPACE, PACKING, "packing_fraction_error", packing.error),
    NAMED(BOTH, PACKING, "grain_area_m2", "grain_volume_m3", packing.grain_volume),
    NAMED(BOTH, PACKING, "region_area_m2", "region_volume_m3", packing.region_volume),
    NUMBER(BOTH, COORDINATION, "coordination", coordination.contacts),
    NUMBER(BOTH, COORDINATION, "neighbours", coordination.neighbours),
    NUMBER(BOTH, COORDINATION, "coordination_backbone", coordination.backbone),
    NUMBER(BOTH, COORDINATION, "rattler_share", coordination.rattlers),
    STRESS(BOTH, "stress_xx", contact[0][0]),
    STRESS(BOTH, "stress_xy", contact[0][1]),
    STRESS(SPACE, "stress_xz", contact[0][2]),
    STRESS(BOTH, "stress_yx", contact[1][0]),
    STRESS(BOTH, "stress_yy", contact[1][1]),
    STRESS(SPACE, "stress_yz", contact[1][2]),
    STRESS(SPACE, "stress_zx", contact[2][0]),
    STRESS(SPACE, "stress_zy", contact[2][1]),
    STRESS(SPACE, "stress_zz", contact[2][2]),
    STRESS(BOTH, "pressure", pressure),
    STRESS(BOTH, "deviator", deviator),
    NUMBER(PLANE, STRESS, "stress_axis_rad", stress.principal_axis),
    NUMBER(SPACE, STRESS, "stress_axis_x", stress.direction[0]),
    NUMBER(SPACE, STRESS, "stress_axis_y", stress.direction[1]),
    NUMBER(SPACE, STRESS, "stress_axis_z", stress.direction[2]),
    STRESS(BOTH, "kinetic_stress_xx", kinetic[0][0]),
    STRESS(BOTH, "kinetic_stress_xy", kinetic[0][1]),
    STRESS(SPACE, "kinetic_stress_xz", kinetic[0][2]),
    STRESS(BOTH, "kinetic_stress_yy", kinetic[1][1]),
    STRESS(SPACE, "kinetic_stress_yz", kinetic[1][2]),
    STRESS(SPACE, "kinetic_stress_zz", kinetic[2][2]),
    NUMBER(BOTH, FABRIC, "fabric_xx", fabric.tensor[0][0]),
    NUMBER(BOTH, FABRIC, "fabric_xy", fabric.tensor[0][1]),
    NUMBER(SPACE, FABRIC, "fabric_xz", fabric.tensor[0][2]),
    NUMBER(BOTH, FABRIC, "fabric_yy", fabric.tensor[1][1]),
    NUMBER(SPACE, FABRIC, "fabric_yz", fabric.tensor[1][2]),
    NUMBER(SPACE, FABRIC, "fabric_zz", fabric.tensor[2][2]),
    NUMBER(BOTH, FABRIC, "fabric_anisotropy", fabric.anisotropy),
    NUMBER(PLANE, FABRIC, "fabric_axis_rad", fabric.axis),
    NUMBER(SPACE, FABRIC, "fabric_axis_x", fabric.direction[0]),
    NUMBER(SPACE, FABRIC, "fabric_axis_y", fabric.direction[1]),
    NUMBER(SPACE, FABRIC, "fabric_axis_z", fabric.direction[2]),
    NUMBER(BOTH, FORCES, "mean_force_N", forces.mean),
    NUMBER(BOTH, FORCES, "max_force_N", forces.largest),
    NUMBER(BOTH, FORCES, "force_spread", forces.spread),
    NUMBER(BOTH, FORCES, "strong_share", forces.strong_share),
    NUMBER(BOTH, FORCES, "force_tail", forces.tail),
    NUMBER(BOTH, FORCES, "force_tail_error", forces.tail_error),
    COUNT(BOTH, CHAINS, "strong_clusters", chains.clusters),
    COUNT(BOTH, CHAINS, "largest_cluster_grains", chains.largest),
    COUNT(BOTH, CHAINS, "chains", chains.count),
    NUMBER(BOTH, CHAINS, "chain_length_grains", chains.mean_length),
    COUNT(BOTH, CHAINS, "longest_chain_grains", chains.longest),
    NUMBER(BOTH, CHAINS, "chain_member_share", chains.member_share),
    NUMBER(BOTH, TEMPERATURE, "temperature_m2_per_s2", motion.temperature),
    NUMBER(BOTH, TEMPERATURE, "temperature_about_mean_m2_per_s2", motion.about_mean),
    NUMBER(BOTH, TEMPERATURE, "rotational_temperature_m2_per_s2", motion.rotational),
    NUMBER(BOTH, TEMPERATURE, "rotational_temperature_about_mean_m2_per_s2", motion.rotational_about_mean),
    NUMBER(BOTH, VELOCITY, "mean_vx_m_per_s", motion.velocity[0]),
    NUMBER(BOTH, VELOCITY, "mean_vy_m_per_s", motion.velocity[1]),
    NUMBER(SPACE, VELOCITY, "mean_vz_m_per_s", motion.velocity[2]),
    NUMBER(PLANE, VELOCITY, "mean_spin_rad_per_s", motion.spin[2]),
    NUMBER(SPACE, VELOCITY, "mean_spin_x_rad_per_s", motion.spin[0]),
    NUMBER(SPACE, VELOCITY, "mean_spin_y_rad_per_s", motion.spin[1]),
    NUMBER(SPACE, VELOCITY, "mean_spin_z_rad_per_s", motion.spin[2]),
    NUMBER(BOTH, VELOCITY, "shear_rate_per_s", motion.shear_rate),
    NUMBER(SPACE, VELOCITY, "momentum_x_Ns", sums.momentum[0]),
    NUMBER(SPACE, VELOCITY, "momentum_y_Ns", sums.momentum[1]),
    NUMBER(SPACE, VELOCITY, "momentum_z_Ns", sums.momentum[2]),
    NUMBER(SPACE, VELOCITY, "angular_momentum_x_Nms", sums.angular[0]),
    NUMBER(SPACE, VELOCITY, "angular_momentum_y_Nms", sums.angular[1]),
    NUMBER(SPACE, VELOCITY, "angular_momentum_z_Nms", sums.angular[2]),
    NUMBER(SPACE, VELOCITY, "mean_speed_m_per_s", sums.mean_speed),
    NUMBER(SPACE, VELOCITY, "max_speed_m_per_s", sums.max_speed),
    NUMBER(BOTH, FLOW, "flow_kg_per_s", flow.mass),
    NUMBER(BOTH, FLOW, "flow_grains_per_s", flow.number),
    NUMBER(PLANE, REPOSE, "repose_left_rad", repose.left),
    NUMBER(PLANE, REPOSE, "repose_left_error_rad", repose.left_error),
    NUMBER(PLANE, REPOSE, "repose_right_rad", repose.right),
    NUMBER(PLANE, REPOSE, "repose_right_error_rad", repose.right_error),
    NUMBER(PLANE, REPOSE, "pile_height_m", repose.height),
    NUMBER(BOTH, FRONT, "front_left_m", front.left),
    NUMBER(BOTH, FRONT, "front_right_m", front.right),
    NUMBER(BOTH, FRONT, "front_left_connected_m", front.left_connected),
    NUMBER(BOTH, FRONT, "front_right_connected_m", front.right_connected),
    COUNT(BOTH, SEGREGATION, "kinds", segregation.kinds),
    NUMBER(BOTH, SEGREGATION, "segregation_intensity", segregation.intensity),
    NUMBER(BOTH, SEGREGATION, "lacey_index", segregation.lacey),
    NUMBER(BOTH, SEGREGATION, "segregation_height_m", segregation.height),
    NUMBER(BOTH, ENERGY, "kinetic_J", energies.kinetic),
    NUMBER(BOTH, ENERGY, "rotational_J", energies.rotational),
    NUMBER(BOTH, ENERGY, "gravitational_J", energies.gravitational),
    NUMBER(BOTH, ENERGY, "elastic_J", energies.elastic),
    NUMBER(BOTH, ENERGY, "work_J", energies.work),
    NUMBER(BOTH, ENERGY, "lost_normal_J", energies.lost_normal),
    NUMBER(BOTH, ENERGY, "lost_tangential_J", energies.lost_tangential),
    NUMBER(BOTH, ENERGY, "lost_friction_J", energies.lost_friction),
    NUMBER(BOTH, ENERGY, "energy_balance_J", energies.balance),
    NUMBER(BOTH, HEIGHT, "column_height_m", height.top),
    NUMBER(PLANE, HEIGHT, "surface_height_m", height.surface),
    NUMBER(BOTH, HEIGHT, "centre_height_m", height.centre),
    COUNT(PLANE, OVERLAP, "overlap_pairs", overlaps.pairs),
    COUNT(PLANE, OVERLAP, "overlap_through_pairs", overlaps.through),
    NUMBER(PLANE, OVERLAP, "overlap_mean_depth_m", overlaps.mean_depth),
    NUMBER(PLANE, OVERLAP, "overlap_max_depth_m", overlaps.most_depth),
    NUMBER(PLANE, OVERLAP, "overlap_mean_share", overlaps.mean_share),
    NUMBER(PLANE, OVERLAP, "overlap_max_share", overlaps.most_share),
    NUMBER(SPACE, OVERLAP, "contacts", sums.contacts),
    NUMBER(SPACE, OVERLAP, "max_overlap_m", sums.max_overlap),
    NUMBER(SPACE, OVERLAP, "mean_overlap_m", sums.mean_overlap),
};
/* clang-format on */
enum { COLUMN_COUNT = sizeof columns / sizeof *columns };
_Static_assert((int)COLUMN_COUNT <= (int)TS_MEASURE_COLUMNS_MAX, "raise TS_MEASURE_COLUMNS_MAX");

static bool is_of(const column *c, uint32_t groups, int dimension)
{
    return (groups & c->group) && (c->in >> ts_measure_kind_of(dimension)->row & 1);
}

uint32_t ts_measure_groups(int dimension)
{
    return ts_measure_kind_of(dimension)->groups;
}

static const column *column_at(uint32_t groups, int dimension, size_t index)
{
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        if (is_of(&columns[i], groups, dimension) && index-- == 0)
            return &columns[i];
    return NULL;
}

size_t ts_measure_column_count(uint32_t groups, int dimension)
{
    size_t count = 0;
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        count += is_of(&columns[i], groups, dimension);
    return count;
}

const char *ts_measure_column_name(uint32_t groups, int dimension, size_t index)
{
    const column *c = column_at(groups, dimension, index);
    return c ? c->name[ts_measure_kind_of(dimension)->row] : NULL;
}

size_t ts_measure_column_group(uint32_t groups, int dimension, size_t index)
{
    const column *c = column_at(groups, dimension, index);
    size_t group = 0;
    while (c && c->group >> group > 1)
        group++;
    return group;
}

/* ---- Rows ---- */

/* What has no value yet is NaN: the flow of a first frame. */
static const values unknown = {.flow = {(double)NAN, (double)NAN}};

static ts_vec3 vec3_of(const double v[3])
{
    return (ts_vec3){v[0], v[1], v[2]};
}

/* Of all grains and contacts. */
static sums sums_of(const ts_snapshot *s)
{
    sums sum = {0};
    double grains = 0;
    for (size_t i = 0; i < s->body_count; i++) {
        const ts_snapshot_body *body = &s->body[i];
        if (!ts_is_grain(body))
            continue;
        ts_vec3 v = vec3_of(body->velocity), p = ts_vec3_scale(v, body->mass),
                l = ts_vec3_cross(vec3_of(body->position), p);
        const double momentum[3] = {p.x, p.y, p.z}, orbit[3] = {l.x, l.y, l.z};
        for (int k = 0; k < 3; k++) {
            sum.momentum[k] += momentum[k];
            sum.angular[k] += orbit[k] + ts_vec3_dot(vec3_of(body->inertia[k]), vec3_of(body->spin));
        }
        sum.mean_speed += ts_vec3_length(v);
        sum.max_speed = fmax(sum.max_speed, ts_vec3_length(v));
        grains++;
    }
    sum.mean_speed = grains > 0 ? sum.mean_speed / grains : 0;
    for (size_t k = 0; k < s->contact_count; k++) {
        sum.max_overlap = fmax(sum.max_overlap, -s->contact[k].gap);
        sum.mean_overlap -= s->contact[k].gap / (double)s->contact_count;
    }
    sum.contacts = (double)s->contact_count;
    if (!s->has_contacts)
        sum.contacts = sum.max_overlap = sum.mean_overlap = (double)NAN;
    return sum;
}

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
        TS_TRY(ts_measure_flow(before, s, o->line, o->line + ts_dimension_of(s), &v->flow, error));
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
    v->sums = sums_of(s);
    if ((groups & TS_MEASURE_OVERLAP) && ts_kind_of(s)->outlines)
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
        if (is_of(&columns[i], groups, ts_dimension_of(now)))
            *value++ = value_of(&columns[i], &v, now->has_contacts);
    return TS_OK;
}

/* All zero: there is none. Two points that are one are refused where the line is read. */
static bool has_line(const double line[6])
{
    for (int k = 0; k < 6; k++)
        if (line[k] != 0)
            return true;
    return false;
}

ts_measure_options ts_measure_options_of(const ts_settings *settings)
{
    const ts_measuring *m = &settings->measuring;
    return (ts_measure_options){
        .region = m->region.x0 < m->region.x1 ? &m->region : NULL,
        .bins = m->bins,
        .along_x = m->along_x,
        .least = m->rattlers,
        .line = has_line(m->line) ? m->line : NULL,
        .share = m->share,
        .kind_by = m->kinds,
        .no_walls = m->no_walls,
    };
}
