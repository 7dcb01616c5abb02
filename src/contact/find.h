/* SPDX-License-Identifier: MIT */
/* Finding contacts: walks the candidates of one block and hands the touching ones on, batch by batch.
 *
 * This is where a geometry is chosen for a pair. A dynamics passes a sink and never learns where a batch came from. */
#pragma once

#include "workspace.h"

typedef struct ts_batch_source {
    bool wall;                /* batch->a are walls, not part slots; pair->a are their faces */
    const ts_candidate *pair; /* candidates of the batch: batch->history indexes them */
    double *spring;           /* their springs */
    const size_t *which;      /* their numbers in the list; NULL: first, first + 1, … */
    size_t first;
    const ts_history
        *record; /* of contacts by features: what they had from the step before, and their keys; otherwise NULL */
} ts_batch_source;

/* The number that contact k of a batch has in the list of pairs, or of walls. */
static inline size_t ts_batch_which(const ts_contact_batch *batch, const ts_batch_source *source, int k)
{
    return source->which ? source->which[batch->history[k]] : source->first + (size_t)batch->history[k];
}

typedef void ts_batch_sink(void *context, const ts_contact_batch *batch, const ts_batch_source *source);

/* `spring` and `wall_spring` are those of the whole list. Springs of candidates that do not touch are cleared.
 * Returns how many candidates were asked about. */
size_t ts_block_contacts(const ts_workspace *work, int32_t block, double *spring, double *wall_spring,
                         ts_batch_sink *sink, void *context);
/* The walls of the block alone, without contacts by features. */
size_t ts_block_walls(const ts_workspace *work, int32_t block, double *wall_spring, ts_batch_sink *sink, void *context);
/* The end of the run of pairs from `begin` on, at most `end`, that one map answers for; for models with forms. */
size_t ts_pairs_run_end(const ts_pairs *pairs, size_t begin, size_t end);
/* The same for looking: the sink gets copies of the springs. */
void ts_block_look(const ts_workspace *work, int32_t block, const double *spring, const double *wall_spring,
                   ts_batch_sink *sink, void *context);
