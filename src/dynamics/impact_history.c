/* SPDX-License-Identifier: MIT */
/* A pair's history is one number, the impulse along its normals. Its last bits, which nobody misses, keep two shares that the next step's sweeps
 * begin with: how much of the friction that it bears was used, −1 … 1, and how it was spread over the pair's places, 0 … 1: all at the
 * first of them to all at the last. Places come in any order, so they are told apart by how their gaps grow. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "dynamics/impact_plane.h"
#include "model.h"

#define SHARE_BITS 12
#define SHARE_MASK ((uint64_t)(1 << SHARE_BITS) - 1)
#define SHARE_MOST ((double)SHARE_MASK - 1) /* even: so that 0, ½ and 1 are kept exactly */

static uint64_t share_bits(double share)
{
    return (uint64_t)(fmax(0, fmin(1, share)) * SHARE_MOST + 0.5);
}

static double keep_shares(double normal, double rubbed, double spread)
{
    uint64_t bits;
    memcpy(&bits, &normal, sizeof bits);
    bits = (bits >> (2 * SHARE_BITS)) << (2 * SHARE_BITS);
    bits |= share_bits(0.5 * (1 + rubbed)) << SHARE_BITS | share_bits(spread);
    memcpy(&normal, &bits, sizeof bits);
    return normal;
}

static void kept_shares(double normal, double *rubbed, double *spread)
{
    uint64_t bits;
    memcpy(&bits, &normal, sizeof bits);
    *rubbed = 2 * (double)(bits >> SHARE_BITS & SHARE_MASK) / SHARE_MOST - 1;
    *spread = (double)(bits & SHARE_MASK) / SHARE_MOST;
}

/* Two different places hardly ever have the same. */
static double mark_of(const ts_impact_memory *m, const ts_model *model, size_t k)
{
    const ts_strike *s = &m->strike.item[k];
    const double *row =
        m->hand.b.item[k] >= 0 ? m->hand.gb.item + TS_PLANE_DOF * k : m->hand.ga.item + TS_PLANE_DOF * k;
    const int32_t body = m->hand.b.item[k] >= 0 ? s->b : s->a;
    return 0.37 * s->nx + 0.61 * s->ny + row[2] / (sqrt(model->inv_inertia[body]) * model->body[body].radius + DBL_MIN);
}

/* Where each of these places stands between the first and the last of them, 0 … 1; a single one stands at 0. */
static double place_share(double mark, double low, double high)
{
    return high > low ? (mark - low) / (high - low) : 0;
}

static void mark_range(const ts_impact_memory *m, const ts_model *model, size_t begin, size_t end, double range[2])
{
    range[0] = HUGE_VAL;
    range[1] = -HUGE_VAL;
    for (size_t k = begin; k < end; k++) {
        double mark = mark_of(m, model, k);
        range[0] = fmin(range[0], mark);
        range[1] = fmax(range[1], mark);
    }
}

/* Contacts of one pair stand together: the end of those that begin with k. */
static size_t pair_end(const ts_impact_memory *m, size_t k)
{
    const ts_strike *s = &m->strike.item[k];
    size_t end = k + 1;
    while (end < m->strike.count && m->strike.item[end].which == s->which && (m->strike.item[end].a < 0) == (s->a < 0))
        end++;
    return end;
}

void ts_impact_note_histories(const ts_impact_memory *m, const ts_model *model, ts_state *state)
{
    for (size_t k = 0; k < state->pair_count; k++)
        state->spring[k] = 0;
    for (size_t k = 0; k < state->wall_count; k++)
        state->wall_spring[k] = 0;
    for (size_t k = 0, end; k < m->strike.count; k = end) {
        const ts_strike *s = &m->strike.item[k];
        double normal = 0, along = 0, most = 0, moment = 0, range[2];
        end = pair_end(m, k);
        mark_range(m, model, k, end, range);
        for (size_t i = k; i < end; i++) {
            normal += m->hand.lambda.item[i];
            along += m->hand.rub.item[i];
            most += m->hand.mu.item[i] * m->hand.lambda.item[i];
            moment += m->hand.lambda.item[i] * place_share(mark_of(m, model, i), range[0], range[1]);
        }
        if (model->sweeps > 0 && normal > 0)
            normal = keep_shares(normal, most > 0 ? along / most : 0, moment / normal);
        (s->a >= 0 ? state->spring : state->wall_spring)[s->which] = normal;
    }
}

/* The last step's impulses: of a pair with two places as they were, of one with more at the first and at the last. */
void ts_impact_guess(ts_impact_memory *m, const ts_model *model, const ts_state *state)
{
    for (size_t k = 0, end; k < m->strike.count; k = end) {
        const ts_strike *s = &m->strike.item[k];
        const double kept = (s->a < 0 ? state->wall_spring : state->spring)[s->which];
        double rubbed, spread, range[2];
        end = pair_end(m, k);
        kept_shares(kept, &rubbed, &spread);
        mark_range(m, model, k, end, range);
        double first = range[1] > range[0] ? 1 - spread : 1, last = spread;
        for (size_t i = k; i < end; i++) {
            double at = place_share(mark_of(m, model, i), range[0], range[1]);
            double *part = at == 0 ? &first : &last;
            m->hand.lambda.item[i] = kept > 0 && (at == 0 || at == 1) ? kept * *part : 0;
            if (at == 0 || at == 1) /* another that stands there gets nothing */
                *part = 0;
            m->hand.rub.item[i] = rubbed * m->hand.mu.item[i] * m->hand.lambda.item[i];
        }
    }
}
