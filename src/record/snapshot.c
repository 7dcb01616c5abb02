/* SPDX-License-Identifier: MIT */
#include "record/snapshot.h"

#include <string.h>

#include "measure/snapshot.h"
#include "record/kind.h"

static ts_vec3 vec3_of(const float v[3])
{
    return (ts_vec3){(double)v[0], (double)v[1], (double)v[2]};
}

void ts_snapshot_weigh_plane(const ts_trajectory_header *header, const ts_trajectory_body *made, ts_snapshot_body *body)
{
    const ts_trajectory_shape *shape = &header->shape[made->shape];
    double square = made->scale * made->scale;
    body->volume = shape->area * square;
    body->inertia[2][2] = made->mass * (shape->inertia / shape->area) * square;
}

void ts_snapshot_weigh_space(const ts_trajectory_header *header, const ts_trajectory_body *made, ts_snapshot_body *body)
{
    const ts_form3 *form = &header->form[made->form];
    ts_mat3 own = ts_mat3_scale(form->inertia, made->mass / form->volume); /* that of the form is for unit density */
    ts_snapshot_turn_inertia(&own, body);
    body->volume = form->volume;
}

static ts_snapshot_body body_of(const ts_trajectory_header *header, const ts_frame *frame, size_t i)
{
    const ts_trajectory_body *made = &header->body[i];
    const ts_frame_body *now = &frame->body[i];
    const ts_placed at = {now->pose, now->angle, vec3_of(now->velocity), vec3_of(now->spin), now->present};
    ts_snapshot_body body;
    ts_snapshot_place(&at, &body);
    header->kind->weigh(header, made, &body);
    body.shape = made->shape;
    body.scale = made->scale;
    body.radius = made->radius;
    body.mass = made->mass;
    body.material = made->material;
    body.fixed = made->fixed;
    return body;
}

static ts_contact contact_of(const ts_frame_contact *from)
{
    ts_contact contact = {.a = from->a,
                          .b = from->b,
                          .key = from->key,
                          .gap = (double)from->gap,
                          .weight = (double)from->weight,
                          .history = {(double)from->spring}};
    for (int k = 0; k < 3; k++) {
        contact.normal[k] = (double)from->normal[k];
        contact.point_a[k] = from->point[k];
        contact.point_b[k] = from->point[k] + contact.gap * contact.normal[k];
        contact.force[k] = (double)from->force[k];
    }
    return contact;
}

ts_status ts_snapshot_of_frame(const ts_trajectory_header *header, const ts_frame *frame, ts_snapshot *snapshot,
                               ts_error *error)
{
    TS_TRY(ts_snapshot_reserve(snapshot, header->body_count, header->shape_count, frame->contact_count, error));
    snapshot->time = frame->time;
    snapshot->dimension = header->dimension;
    memcpy(snapshot->gravity, header->gravity, sizeof snapshot->gravity);
    snapshot->elastic = frame->energy.elastic;
    snapshot->work = frame->energy.work;
    snapshot->lost_normal = frame->energy.lost_normal;
    snapshot->lost_tangential = frame->energy.lost_tangential;
    snapshot->lost_friction = frame->energy.lost_friction;
    snapshot->has_contacts = header->has_contacts;
    for (size_t i = 0; i < header->shape_count; i++)
        snapshot->shape[i] = (ts_snapshot_shape){.disc = header->shape[i].disc,
                                                 .disc_count = header->shape[i].disc_count,
                                                 .outline = header->shape[i].outline};
    ts_snapshot_set_forms(snapshot, header->form, header->form_count, header->piece);
    for (size_t i = 0; i < header->body_count; i++)
        snapshot->body[i] = body_of(header, frame, i);
    for (size_t k = 0; k < frame->contact_count; k++)
        snapshot->contact[k] = contact_of(&frame->contact[k]);
    return TS_OK;
}
