/* SPDX-License-Identifier: MIT */
#include "measure/snapshot.h"

#include <inttypes.h>
#include <string.h>

#include "base/given.h"
#include "base/memory.h"
#include "contact/pairs.h"
#include "dynamics/dynamics.h"
#include "measure/kind.h"

ts_status ts_snapshot_reserve(ts_snapshot *s, size_t bodies, size_t shapes, size_t contacts, ts_error *error)
{
    s->body_count = s->shape_count = s->contact_count = 0;
    TS_TRY(ts_array_reserve_bytes((void **)&s->body, &s->body_capacity, bodies, sizeof *s->body, error));
    TS_TRY(ts_array_reserve_bytes((void **)&s->shape, &s->shape_capacity, shapes, sizeof *s->shape, error));
    TS_TRY(ts_array_reserve_bytes((void **)&s->contact, &s->contact_capacity, contacts, sizeof *s->contact, error));
    s->body_count = bodies;
    s->shape_count = shapes;
    s->contact_count = contacts;
    return TS_OK;
}

void ts_snapshot_place(const ts_placed *at, ts_snapshot_body *body)
{
    const ts_vec3 p = at->pose.position, v = at->velocity, w = at->spin;
    const ts_quat q = at->pose.quat;
    *body = (ts_snapshot_body){.position = {p.x, p.y, p.z},
                               .attitude = {q.w, q.x, q.y, q.z},
                               .angle = at->angle,
                               .velocity = {v.x, v.y, v.z},
                               .spin = {w.x, w.y, w.z},
                               .present = at->present};
}

void ts_snapshot_turn_inertia(const ts_mat3 *own, ts_snapshot_body *body)
{
    const double *q = body->attitude;
    const ts_mat3 turn = ts_quat_to_matrix((ts_quat){q[0], q[1], q[2], q[3]}),
                  world = ts_mat3_mul(ts_mat3_mul(turn, *own), ts_mat3_transpose(turn));
    memcpy(body->inertia, world.m, sizeof body->inertia);
}

static ts_snapshot_body body_of(const ts_model *model, const ts_state *state, size_t i)
{
    const ts_placed at = ts_placed_body(state, i);
    ts_snapshot_body body;
    ts_mat3 inertia;
    double own[9];
    ts_snapshot_place(&at, &body);
    ts_model_inertia(model, i, own);
    memcpy(inertia.m, own, sizeof inertia.m);
    ts_snapshot_turn_inertia(&inertia, &body);
    ts_measure_kind_of(model->dimension)->describe(model, i, own, &body);
    body.radius = ts_model_radius(model, i);
    body.mass = ts_model_mass(model, i);
    body.material = model->body_material[i];
    body.fixed = !ts_model_moves(model, i);
    return body;
}

void ts_snapshot_set_forms(ts_snapshot *snapshot, const ts_form3 *form, size_t count, const ts_piece *piece)
{
    for (size_t i = count; i-- > 0;) /* of forms of one shape the first one counts */
        snapshot->shape[form[i].shape] = (ts_snapshot_shape){
            .piece = piece + form[i].piece_begin, .piece_count = form[i].piece_count, .piece_scale = form[i].scale};
}

ts_status ts_snapshot_take(const ts_model *model, const ts_state *state, ts_workspace *work, ts_snapshot *snapshot,
                           ts_error *error)
{
    TS_GIVEN(model, "snapshot", error);
    TS_GIVEN(state, "snapshot", error);
    TS_GIVEN(work, "snapshot", error);
    TS_GIVEN(snapshot, "snapshot", error);
    const ts_contact *contact;
    size_t contact_count;
    TS_TRY(ts_find_contacts(model, state, work, &contact, &contact_count, error));
    TS_TRY(ts_snapshot_reserve(snapshot, model->body_count, model->shape_count, contact_count, error));
    snapshot->time = ts_state_time(state);
    snapshot->dimension = model->dimension;
    snapshot->gravity[0] = model->gravity.x;
    snapshot->gravity[1] = model->gravity.y;
    snapshot->gravity[2] = model->gravity.z;
    snapshot->has_contacts = ts_model_can_run(model, NULL) == TS_OK; /* without maps none are known */
    for (size_t i = 0; i < model->shape_count; i++)
        snapshot->shape[i] = (ts_snapshot_shape){
            .disc = model->shape[i].disc, .disc_count = model->shape[i].disc_count, .outline = model->shape[i].outline};
    ts_snapshot_set_forms(snapshot, model->form, model->form_count, model->piece);
    for (size_t i = 0; i < model->body_count; i++)
        snapshot->body[i] = body_of(model, state, i);
    snapshot->work = state->budget.work;
    snapshot->lost_normal = state->budget.lost_normal;
    snapshot->lost_tangential = state->budget.lost_tangential;
    snapshot->lost_friction = state->budget.lost_friction;
    snapshot->elastic = ts_placed_spring_energy(state);
    for (size_t k = 0; k < contact_count; k++) {
        snapshot->contact[k] = contact[k];
        snapshot->elastic += model->resolver->energy ? model->resolver->energy(model, &contact[k]) : 0;
    }
    return TS_OK;
}

ts_status ts_snapshot_check(const ts_snapshot *snapshot, ts_error *error)
{
    TS_GIVEN(snapshot, "snapshot", error);
    if ((!snapshot->body && snapshot->body_count > 0) || (!snapshot->shape && snapshot->shape_count > 0) ||
        (!snapshot->contact && snapshot->contact_count > 0))
        return ts_fail(error, TS_BAD_INPUT,
                       "snapshot: its body, shape or contact is NULL, but the count beside it is not 0; give both");
    for (size_t i = 0; i < snapshot->shape_count; i++) {
        const ts_snapshot_shape *shape = &snapshot->shape[i];
        if (ts_kind_of(snapshot)->outlines && !shape->outline && (!shape->disc || shape->disc_count < 1))
            return ts_fail(error, TS_BAD_INPUT, "snapshot: shape %zu has neither discs nor an outline; give it one", i);
    }
    for (size_t i = 0; i < snapshot->body_count; i++) {
        const ts_snapshot_body *body = &snapshot->body[i];
        if (body->shape < 0 || (size_t)body->shape >= snapshot->shape_count)
            return ts_fail(error, TS_BAD_INPUT,
                           "snapshot: body %zu has shape %" PRId32 ", but there are %zu, counted from 0", i,
                           body->shape, snapshot->shape_count);
    }
    for (size_t k = 0; k < snapshot->contact_count; k++) {
        int64_t a = snapshot->contact[k].a, b = snapshot->contact[k].b, count = (int64_t)snapshot->body_count;
        if (a >= count || b < 0 || b >= count || a == b)
            return ts_fail(error, TS_BAD_INPUT,
                           "snapshot: contact %zu joins %" PRId64 " and %" PRId64
                           ", but must join two of the %zu bodies, or a wall (a = -1 - its number) and one of them",
                           k, a, b, snapshot->body_count);
    }
    return TS_OK;
}

void ts_snapshot_free(ts_snapshot *snapshot)
{
    if (!snapshot)
        return;
    ts_free(snapshot->body);
    ts_free(snapshot->shape);
    ts_free(snapshot->contact);
    *snapshot = (ts_snapshot){0};
}
