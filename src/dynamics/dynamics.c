/* SPDX-License-Identifier: MIT */
#include "dynamics/dynamics.h"

#include <stdio.h>
#include <string.h>

#include "contact/faces.h"
#include "dynamics/impact_dynamics.h"
#include "dynamics/penalty.h"
#include "dynamics/soft.h"

/* The table. */
static const ts_dynamics *const table[] = {&ts_penalty_dynamics, &ts_impact_dynamics, &ts_soft_dynamics, NULL};

/* Rows that a test has added. */
enum { ADDED_MOST = 4 };
static const ts_dynamics *added[ADDED_MOST];
static size_t added_count;

bool ts_dynamics_add(const ts_dynamics *dynamics)
{
    if (added_count == ADDED_MOST)
        return false;
    added[added_count++] = dynamics;
    return true;
}

const ts_dynamics *ts_dynamics_at(size_t index)
{
    size_t own = 0;
    while (table[own] && own < index)
        own++;
    if (table[own])
        return table[own];
    return index - own < added_count ? added[index - own] : NULL;
}

const ts_dynamics *ts_dynamics_find(const char *name)
{
    const ts_dynamics *d = NULL;
    for (size_t i = 0; (d = ts_dynamics_at(i)) && strcmp(d->name, name) != 0; i++)
        continue;
    return d;
}

/* Plane and space: what is chosen where a scene says nothing, and where a dynamics has its resolver. */
static const struct {
    const ts_dynamics *by_default;
    size_t resolver;
} in[] = {[2] = {&ts_penalty_dynamics, offsetof(ts_dynamics, plane)},
          [3] = {&ts_impact_dynamics, offsetof(ts_dynamics, space)}};

const ts_dynamics *ts_dynamics_default(int dimension)
{
    return in[dimension].by_default;
}

const ts_resolver *ts_dynamics_resolver(const ts_dynamics *dynamics, int dimension)
{
    return *(const ts_resolver *const *)(const void *)((const char *)dynamics + in[dimension].resolver);
}

const ts_dynamics *ts_dynamics_of_key(const char *key)
{
    const ts_dynamics *d = NULL;
    for (size_t i = 0; (d = ts_dynamics_at(i)) && !ts_field_find(d->field, d->field_count, key); i++)
        continue;
    return d;
}

static bool has_problem(const ts_dynamics *d, int dimension)
{
    const ts_resolver *resolver = ts_dynamics_resolver(d, dimension);
    return resolver && resolver->problem;
}

/* Dimension 0: all. */
static const char *list_names(int dimension, char *text, size_t capacity)
{
    size_t used = 0;
    const ts_dynamics *d;
    text[0] = 0;
    for (size_t i = 0; (d = ts_dynamics_at(i)) && used < capacity; i++)
        if (dimension == 0 || has_problem(d, dimension))
            used += (size_t)snprintf(text + used, capacity - used, "%s%s", used > 0 ? ", " : "", d->name);
    return text;
}

const char *ts_dynamics_names(char *text, size_t capacity)
{
    return list_names(0, text, capacity);
}

const char *ts_dynamics_with_problems(int dimension, char *text, size_t capacity)
{
    return list_names(dimension, text, capacity);
}

/* ---- Contacts for looking at ---- */

/* The body that a slot belongs to, and which of its parts it is. */
static int64_t body_of_slot(const ts_model *model, const ts_workspace *work, int32_t slot, uint32_t *part)
{
    int32_t index = work->pairs.part_of_slot[slot];
    if (model->parts_are_bodies) {
        *part = 0;
        return index;
    }
    int32_t body = model->part_body[index];
    *part = (uint32_t)((size_t)index - model->part_begin[body]);
    return body;
}

void ts_fill_contacts(const ts_model *model, const ts_workspace *work, const ts_contact_batch *batch,
                      const ts_batch_source *source, const double *force, ts_contact *contact)
{
    for (int k = 0; k < batch->count; k++) {
        const ts_frame2 *b = &work->part[batch->b[k]];
        const ts_frame2 *a = source->wall ? &work->wall_frame[batch->a[k]] : &work->part[batch->a[k]];
        uint32_t part_a = 0, part_b;
        int64_t id_b = body_of_slot(model, work, batch->b[k], &part_b);
        int64_t id_a = source->wall ? -1 - (int64_t)batch->a[k] : body_of_slot(model, work, batch->a[k], &part_a);
        if (source->wall && model->faces)
            part_a = (uint32_t)(source->pair[batch->history[k]].a - model->faces->begin[batch->a[k]]);
        contact[k] = (ts_contact){
            .a = id_a,
            .b = id_b,
            .key = source->record ? source->record[batch->history[k]].key : (uint64_t)part_a << 32 | part_b,
            .gap = batch->gap[k],
            .normal = {batch->nx[k], batch->ny[k]},
            .point_a = {a->x + batch->ax[k], a->y + batch->ay[k]},
            .point_b = {b->x + batch->bx[k], b->y + batch->by[k]},
            .weight = batch->weighted ? batch->weight[k]
                      : batch->shared ? batch->share[k]
                                      : 1,
            .force = {force[2 * k], force[2 * k + 1]},
            .history = {source->spring[batch->history[k]]},
        };
    }
}
