/* SPDX-License-Identifier: MIT */
#include "record/snapshot.h"

#include <math.h>
#include <string.h>

#include "measure/snapshot.h"

static ts_snapshot_body body_of(const ts_trajectory_header *header, const ts_frame *frame, size_t i)
{
    const ts_trajectory_body *made = &header->body[i];
    const ts_frame_body *body = &frame->body[i];
    const ts_trajectory_shape *shape = &header->shape[made->shape];
    double square = made->scale * made->scale;
    return (ts_snapshot_body){
        .x = body->pose.position.x,
        .y = body->pose.position.y,
        .angle = body->angle,
        .vx = (double)body->velocity[0],
        .vy = (double)body->velocity[1],
        .spin = (double)body->spin[2],
        .scale = made->scale,
        .radius = made->radius,
        .area = shape->area * square,
        .mass = made->mass,
        .inertia = made->mass * (shape->inertia / shape->area) * square,
        .shape = made->shape,
        .material = made->material,
        .fixed = made->fixed,
        .present = body->present,
    };
}

static ts_contact contact_of(const ts_frame_contact *contact)
{
    double gap = (double)contact->gap, nx = (double)contact->normal[0], ny = (double)contact->normal[1];
    return (ts_contact){
        .a = contact->a,
        .b = contact->b,
        .key = contact->key,
        .gap = gap,
        .normal = {nx, ny},
        .point_a = {contact->point[0], contact->point[1]},
        .point_b = {contact->point[0] + gap * nx, contact->point[1] + gap * ny},
        .weight = (double)contact->weight,
        .force = {(double)contact->force[0], (double)contact->force[1]},
        .history = {(double)contact->spring},
    };
}

ts_status ts_snapshot_of_frame(const ts_trajectory_header *header, const ts_frame *frame, ts_snapshot *snapshot,
                               ts_error *error)
{
    if (header->dimension == 3)
        return ts_fail(error, TS_UNSUPPORTED,
                       "measures of grains are of the plane, but this is a run of bodies in space");
    TS_TRY(ts_snapshot_reserve(snapshot, header->body_count, header->shape_count, frame->contact_count, error));
    snapshot->time = frame->time;
    memcpy(snapshot->gravity, header->gravity, sizeof snapshot->gravity);
    snapshot->elastic = frame->energy.elastic;
    snapshot->work = frame->energy.work;
    snapshot->lost_normal = frame->energy.lost_normal;
    snapshot->lost_tangential = frame->energy.lost_tangential;
    snapshot->lost_friction = frame->energy.lost_friction;
    snapshot->has_contacts = header->has_contacts;
    for (size_t i = 0; i < header->shape_count; i++)
        snapshot->shape[i] =
            (ts_snapshot_shape){header->shape[i].disc, header->shape[i].disc_count, header->shape[i].outline};
    for (size_t i = 0; i < header->body_count; i++)
        snapshot->body[i] = body_of(header, frame, i);
    for (size_t k = 0; k < frame->contact_count; k++)
        snapshot->contact[k] = contact_of(&frame->contact[k]);
    return TS_OK;
}
