/* SPDX-License-Identifier: MIT */
#include "support/brute.h"

#include <math.h>
#include <stdlib.h>

#include "support/check.h"

ts_test_part *ts_test_parts(const ts_model *model, const ts_body *body, double time, size_t *count)
{
    size_t n = 0;
    for (size_t i = 0; i < model->body_count; i++)
        n += model->shape[model->body_shape[i]].disc_count;
    ts_test_part *part = malloc((n + 1) * sizeof *part);
    assert_non_null(part);
    *count = 0;
    for (size_t i = 0; i < model->body_count; i++) {
        const ts_shape *shape = &model->shape[model->body_shape[i]];
        double c = cos(body[i].angle), s = sin(body[i].angle), scale = model->body_scale[i];
        const ts_gate *gate = model->body_gate && model->body_gate[i] >= 0 ? &model->gate[model->body_gate[i]] : NULL;
        for (size_t k = 0; k < shape->disc_count; k++) {
            const ts_disc *disc = &shape->disc[k];
            part[(*count)++] = (ts_test_part){.x = body[i].x + scale * (c * disc->x - s * disc->y),
                                              .y = body[i].y + scale * (s * disc->x + c * disc->y),
                                              .radius = scale * disc->radius,
                                              .body = (int32_t)i,
                                              .number = (uint32_t)k,
                                              .movable = model->body[i].inv_mass > 0,
                                              .absent = gate && gate->open <= time && time < gate->close};
        }
    }
    return part;
}

bool ts_test_may_meet(const ts_test_part *a, const ts_test_part *b)
{
    return a->body != b->body && (a->movable || b->movable) && !a->absent && !b->absent;
}

double ts_test_gap(const ts_test_part *a, const ts_test_part *b)
{
    return hypot(b->x - a->x, b->y - a->y) - a->radius - b->radius;
}

double ts_test_wall_gap(const ts_model *model, size_t which, double time, const ts_test_part *part, bool *absent)
{
    const ts_wall *wall = &model->wall[which];
    ts_pose2 pose = {wall->pose.position.x, wall->pose.position.y, 0};
    if (wall->motion >= 0)
        pose = ts_motion_pose(&model->motion[wall->motion], pose, time);
    *absent = wall->open <= time && time < wall->close;
    double dx = part->x - pose.x, dy = part->y - pose.y;
    if (wall->kind == TS_WALL_CIRCLE)
        return wall->radius - hypot(dx, dy) - part->radius;
    double c = cos(pose.angle), s = sin(pose.angle);
    return dx * (c * wall->nx - s * wall->ny) + dy * (s * wall->nx + c * wall->ny) - part->radius;
}
