/* SPDX-License-Identifier: MIT */
#include "record/measure_space.h"

#include <math.h>

#include "measure/columns.h"

/* ---- Sums over a frame ---- */

typedef struct sums {
    double kinetic, rotational, gravitational;
    ts_vec3 momentum, angular;
    double mean_speed, max_speed;
    double contacts, max_overlap, mean_overlap;
    const ts_frame_energy *energy;
} sums;

static ts_vec3 vec3_of(const float value[3])
{
    return (ts_vec3){(double)value[0], (double)value[1], (double)value[2]};
}

static void add_body(const ts_trajectory_header *space, const ts_frame *frame, size_t i, sums *sum)
{
    const ts_trajectory_body *made = &space->body[i];
    const ts_form3 *form = &space->form[made->form];
    const ts_frame_body *now = &frame->body[i];
    const double *g = space->gravity;
    ts_vec3 x = now->pose.position, v = vec3_of(now->velocity), p = ts_vec3_scale(v, made->mass);
    /* its own spin, in its own frame: the inertia of the form is for unit density */
    ts_vec3 spin = ts_pose3_apply_inverse_vector(now->pose, vec3_of(now->spin));
    ts_vec3 own = ts_vec3_scale(ts_mat3_apply(form->inertia, spin), made->mass / form->volume);
    sum->kinetic += 0.5 * ts_vec3_dot(p, v);
    sum->rotational += 0.5 * ts_vec3_dot(own, spin);
    sum->gravitational -= made->mass * (g[0] * x.x + g[1] * x.y + g[2] * x.z);
    sum->momentum = ts_vec3_add(sum->momentum, p);
    sum->angular = ts_vec3_add(sum->angular, ts_vec3_add(ts_vec3_cross(x, p), ts_pose3_apply_vector(now->pose, own)));
    double speed = ts_vec3_length(v);
    sum->mean_speed += speed;
    sum->max_speed = fmax(sum->max_speed, speed);
}

static sums sums_of(const ts_trajectory_header *header, const ts_frame *frame)
{
    const ts_trajectory_header *space = header;
    sums sum = {.energy = &frame->energy};
    double moving = 0;
    for (size_t i = 0; i < space->body_count; i++)
        if (!space->body[i].fixed && frame->body[i].present) {
            add_body(space, frame, i, &sum);
            moving++;
        }
    sum.mean_speed = moving > 0 ? sum.mean_speed / moving : 0;
    for (size_t k = 0; k < frame->contact_count; k++) {
        double overlap = -(double)frame->contact[k].gap;
        sum.max_overlap = fmax(sum.max_overlap, overlap);
        sum.mean_overlap += overlap / (double)frame->contact_count;
    }
    sum.contacts = (double)frame->contact_count;
    if (!header->has_contacts)
        sum.contacts = sum.max_overlap = sum.mean_overlap = (double)NAN;
    return sum;
}

/* ---- Columns ---- */

#define COLUMN(function, expression)        \
    static double function(const sums *sum) \
    {                                       \
        return expression;                  \
    }
COLUMN(kinetic, sum->kinetic)
COLUMN(rotational, sum->rotational)
COLUMN(gravitational, sum->gravitational)
COLUMN(elastic, sum->energy->elastic)
COLUMN(work, sum->energy->work)
COLUMN(lost_normal, sum->energy->lost_normal)
COLUMN(lost_tangential, sum->energy->lost_tangential)
COLUMN(lost_friction, sum->energy->lost_friction)
COLUMN(momentum_x, sum->momentum.x)
COLUMN(momentum_y, sum->momentum.y)
COLUMN(momentum_z, sum->momentum.z)
COLUMN(angular_x, sum->angular.x)
COLUMN(angular_y, sum->angular.y)
COLUMN(angular_z, sum->angular.z)
COLUMN(mean_speed, sum->mean_speed)
COLUMN(max_speed, sum->max_speed)
COLUMN(contacts, sum->contacts)
COLUMN(max_overlap, sum->max_overlap)
COLUMN(mean_overlap, sum->mean_overlap)

static const struct {
    uint32_t group;
    const char *name;
    double (*get)(const sums *sum);
} columns[TS_SPACE_COLUMNS_MAX] = {
    {TS_MEASURE_ENERGY, "kinetic_J", kinetic},
    {TS_MEASURE_ENERGY, "rotational_J", rotational},
    {TS_MEASURE_ENERGY, "gravitational_J", gravitational},
    {TS_MEASURE_ENERGY, "elastic_J", elastic},
    {TS_MEASURE_ENERGY, "work_J", work},
    {TS_MEASURE_ENERGY, "lost_normal_J", lost_normal},
    {TS_MEASURE_ENERGY, "lost_tangential_J", lost_tangential},
    {TS_MEASURE_ENERGY, "lost_friction_J", lost_friction},
    {TS_MEASURE_VELOCITY, "momentum_x_Ns", momentum_x},
    {TS_MEASURE_VELOCITY, "momentum_y_Ns", momentum_y},
    {TS_MEASURE_VELOCITY, "momentum_z_Ns", momentum_z},
    {TS_MEASURE_VELOCITY, "angular_momentum_x_Nms", angular_x},
    {TS_MEASURE_VELOCITY, "angular_momentum_y_Nms", angular_y},
    {TS_MEASURE_VELOCITY, "angular_momentum_z_Nms", angular_z},
    {TS_MEASURE_VELOCITY, "mean_speed_m_per_s", mean_speed},
    {TS_MEASURE_VELOCITY, "max_speed_m_per_s", max_speed},
    {TS_MEASURE_OVERLAP, "contacts", contacts},
    {TS_MEASURE_OVERLAP, "max_overlap_m", max_overlap},
    {TS_MEASURE_OVERLAP, "mean_overlap_m", mean_overlap},
};

/* Index into columns[] of a group's n-th; or their number, when there are fewer. */
static size_t find_column(uint32_t groups, size_t n)
{
    size_t i = 0;
    for (; i < TS_SPACE_COLUMNS_MAX; i++)
        if ((columns[i].group & groups) && n-- == 0)
            break;
    return i;
}

size_t ts_space_column_count(uint32_t groups)
{
    size_t count = 0;
    for (size_t i = 0; i < TS_SPACE_COLUMNS_MAX; i++)
        count += (columns[i].group & groups) != 0;
    return count;
}

const char *ts_space_column_name(uint32_t groups, size_t column)
{
    return columns[find_column(groups, column)].name;
}

uint32_t ts_space_column_group(uint32_t groups, size_t column)
{
    return columns[find_column(groups, column)].group;
}

void ts_space_measure_row(const ts_trajectory_header *header, const ts_frame *frame, uint32_t groups, double *value)
{
    sums sum = sums_of(header, frame);
    for (size_t i = 0, k = 0; i < TS_SPACE_COLUMNS_MAX; i++)
        if (columns[i].group & groups)
            value[k++] = columns[i].get(&sum);
}
