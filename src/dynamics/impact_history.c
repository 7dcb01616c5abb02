/* SPDX-License-Identifier: MIT */
/* What a contact of the plane remembers of the last step: state->history has a record for every place that pressed, and
 * the pair list's number of a candidate (state->spring, state->wall_spring), which the machinery carries from list to
 * list, is 1 + the index of its first record; 0: none. Records of one pair stand together and share a key.
 *
 *     normal        λ, the impulse along the row [N·s]
 *     tangent[0,1]  the whole impulse on B, normal and friction, world frame [N·s]
 *     tangent[2]    mark: tells the places of a pair apart (below)
 *
 * The next step's sweeps begin with these impulses, and the contact forces that users see are their sums over the
 * step. */
#include <float.h>
#include <math.h>

#include "contact/featured.h"

#include "dynamics/impact_plane.h"
#include "model.h"

/* Two different places hardly ever have the same. */
static double mark_of(const ts_impact_memory *m, const ts_model *model, size_t k)
{
    const ts_hit *s = &m->hit.item[k];
    const double *row =
        m->scratch.b.item[k] >= 0 ? m->scratch.gb.item + TS_PLANE_DOF * k : m->scratch.ga.item + TS_PLANE_DOF * k;
    const int32_t body = m->scratch.b.item[k] >= 0 ? s->b : s->a;
    return 0.37 * s->nx + 0.61 * s->ny + row[2] / (sqrt(model->inv_inertia[body]) * model->body[body].radius + DBL_MIN);
}

/* Contacts of one pair stand together: the end of those that begin with k. */
static size_t pair_end(const ts_impact_memory *m, size_t k)
{
    const ts_hit *s = &m->hit.item[k];
    size_t end = k + 1;
    while (end < m->hit.count && m->hit.item[end].which == s->which && (m->hit.item[end].a < 0) == (s->a < 0))
        end++;
    return end;
}

void ts_impact_contact_impulse(const ts_impact_memory *m, size_t k, double impulse[2])
{
    const ts_hit *s = &m->hit.item[k];
    const double normal = m->scratch.lambda.item[k] * s->weight, along = m->scratch.rub.item[k];
    impulse[0] = normal * s->nx - along * s->ny;
    impulse[1] = normal * s->ny + along * s->nx;
}

void ts_impact_note_histories(const ts_impact_memory *m, const ts_model *model, ts_state *state)
{
    state->history.count = 0;
    for (size_t k = 0; k < state->pair_count; k++)
        state->spring[k] = 0;
    for (size_t k = 0; k < state->wall_count; k++)
        state->wall_spring[k] = 0;
    for (size_t k = 0, end; k < m->hit.count; k = end) {
        const ts_hit *s = &m->hit.item[k];
        const size_t first = state->history.count;
        end = pair_end(m, k);
        for (size_t i = k; i < end; i++) {
            if (!(m->scratch.lambda.item[i] > 0))
                continue;
            ts_history *to = &state->history.item[state->history.count++];
            *to = (ts_history){.a = s->a, .b = s->b, .key = first, .value = {m->scratch.lambda.item[i]}};
            if (s->featured)
                to->a = s->part_a, to->b = s->part_b, to->key = m->hit.item[i].key;
            ts_impact_contact_impulse(m, i, to->value + TS_HELD_TANGENT);
            to->value[TS_HELD_TANGENT + 2] = mark_of(m, model, i);
        }
        if (state->history.count > first)
            (s->a >= 0 ? state->spring : state->wall_spring)[s->which] = (double)(first + 1);
        for (int64_t face = s->which + 1; state->history.count > first && s->featured && face < s->which_end; face++)
            state->wall_spring[face] = (double)(first + 1);
    }
}

size_t ts_impact_records(const ts_state *state, double held, const ts_history **first)
{
    const ts_history_array *past = &state->history;
    if (!(held >= 1 && held <= (double)past->count)) /* nothing, or a number that a damaged file made up */
        return 0;
    const size_t begin = (size_t)held - 1;
    if (past->item[begin].key & TS_FEATURE_RECORD)
        return ts_featured_history(past, held, first);
    size_t end = begin + 1;
    while (end < past->count && past->item[end].key == past->item[begin].key)
        end++;
    *first = &past->item[begin];
    return end - begin;
}

/* The place of k … end-1 that stands nearest to a mark. */
static size_t nearest(const ts_impact_memory *m, const ts_model *model, size_t k, size_t end, double mark)
{
    size_t best = k;
    double least = HUGE_VAL;
    for (size_t i = k; i < end && end - k > 1; i++) {
        const double way = fabs(mark_of(m, model, i) - mark);
        if (way < least) {
            least = way;
            best = i;
        }
    }
    return best;
}

/* Contacts by features know their records. */
static void guess_featured(ts_impact_memory *m, const ts_state *state, size_t begin, size_t end)
{
    for (size_t k = begin; k < end; k++) {
        const ts_hit *s = &m->hit.item[k];
        if (s->past < 0)
            continue;
        const ts_history *p = &state->history.item[s->past];
        const double most = m->scratch.mu.item[k] * p->value[TS_HELD_NORMAL],
                     along = s->nx * p->value[TS_HELD_TANGENT + 1] - s->ny * p->value[TS_HELD_TANGENT];
        m->scratch.lambda.item[k] = p->value[TS_HELD_NORMAL];
        m->scratch.rub.item[k] = fmax(-most, fmin(most, along));
    }
}

/* Each record goes to the place that is nearest to it by now. */
void ts_impact_guess(ts_impact_memory *m, const ts_model *model, const ts_state *state)
{
    double *lambda = m->scratch.lambda.item, *rub = m->scratch.rub.item;
    for (size_t k = 0, end; k < m->hit.count; k = end) {
        const ts_hit *s = &m->hit.item[k];
        const ts_history *record = NULL;
        const size_t count =
            ts_impact_records(state, (s->a < 0 ? state->wall_spring : state->spring)[s->which], &record);
        end = pair_end(m, k);
        for (size_t i = k; i < end; i++)
            lambda[i] = rub[i] = 0;
        if (s->featured) {
            guess_featured(m, state, k, end);
            continue;
        }
        for (size_t r = 0; r < count; r++) {
            const size_t i = nearest(m, model, k, end, record[r].value[TS_HELD_TANGENT + 2]);
            /* the list may have turned the pair around since */
            const double sign = record[r].b == s->b ? 1 : -1, *impulse = record[r].value + TS_HELD_TANGENT;
            lambda[i] += record[r].value[TS_HELD_NORMAL];
            rub[i] += sign * (m->hit.item[i].nx * impulse[1] - m->hit.item[i].ny * impulse[0]);
        }
        for (size_t i = k; i < end; i++) {
            const double most = m->scratch.mu.item[i] * lambda[i];
            rub[i] = fmax(-most, fmin(most, rub[i]));
        }
    }
}
