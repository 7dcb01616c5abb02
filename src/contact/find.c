/* SPDX-License-Identifier: MIT */
#include "contact/find.h"

static inline int batch_size(size_t left)
{
    return left < TS_BATCH ? (int)left : TS_BATCH;
}

void ts_block_contacts(const ts_workspace *work, int32_t block, double *spring, double *wall_spring,
                       ts_batch_sink *sink, void *context)
{
    const ts_pairs *pairs = &work->pairs;
    ts_contact_batch batch;

    size_t end = pairs->block_pair[block + 1];
    for (size_t k = pairs->block_pair[block]; k < end; k += TS_BATCH) {
        ts_batch_source source = {false, pairs->pair + k, spring + k};
        work->analytic->discs(work->part, source.pair, batch_size(end - k), source.spring, &batch);
        if (batch.count > 0)
            sink(context, &batch, &source);
    }
    end = pairs->block_wall[block + 1];
    for (size_t k = pairs->block_wall[block]; k < end; k += TS_BATCH) {
        ts_batch_source source = {true, pairs->wall + k, wall_spring + k};
        work->analytic->walls(work->wall, work->part, source.pair, batch_size(end - k), source.spring, &batch);
        if (batch.count > 0)
            sink(context, &batch, &source);
    }
}
