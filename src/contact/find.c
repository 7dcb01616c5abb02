/* SPDX-License-Identifier: MIT */
#include "contact/find.h"

#include <string.h>

#include "contact/faces.h"

static inline int batch_size(size_t left)
{
    return left < TS_BATCH ? (int)left : TS_BATCH;
}

/* Springs are handed from face to face within a batch, so the faces of one part are kept together, unless there are more than a
 * batch holds. */
static inline int wall_batch_size(const ts_workspace *work, const ts_pair *pair, size_t left)
{
    int size = batch_size(left);
    if (!work->model->faces || (size_t)size == left)
        return size;
    int cut = size;
    while (cut > 0 && pair[cut - 1].b == pair[cut].b)
        cut--;
    return cut > 0 ? cut : size;
}

/* One batch of candidates: what touches, to the sink. */
static inline void find(const ts_workspace *work, const ts_batch_source *source, int count, ts_batch_sink *sink,
                        void *context)
{
    ts_contact_batch batch;
    if (source->wall && work->model->faces)
        ts_find_faces(work->model, work->wall, work->part, source->pair, count, source->spring, &batch);
    else if (source->wall)
        work->analytic->walls(work->wall, work->part, source->pair, count, source->spring, &batch);
    else
        work->analytic->discs(work->part, source->pair, count, source->spring, &batch);
    if (batch.count > 0)
        sink(context, &batch, source);
}

void ts_block_contacts(const ts_workspace *work, int32_t block, double *spring, double *wall_spring,
                       ts_batch_sink *sink, void *context)
{
    const ts_pairs *pairs = &work->pairs;
    size_t end = pairs->block_pair[block + 1];
    for (size_t k = pairs->block_pair[block]; k < end; k += TS_BATCH) {
        ts_batch_source source = {false, pairs->pair + k, spring + k};
        find(work, &source, batch_size(end - k), sink, context);
    }
    end = pairs->block_wall[block + 1];
    for (size_t k = pairs->block_wall[block]; k < end;) {
        ts_batch_source source = {true, pairs->wall + k, wall_spring + k};
        int size = wall_batch_size(work, source.pair, end - k);
        find(work, &source, size, sink, context);
        k += (size_t)size;
    }
}

static void look(const ts_workspace *work, bool wall, const ts_pair *pair, const double *spring, size_t count,
                 ts_batch_sink *sink, void *context)
{
    double copy[TS_BATCH];
    int size;
    for (size_t k = 0; k < count; k += (size_t)size) {
        size = wall ? wall_batch_size(work, pair + k, count - k) : batch_size(count - k);
        memcpy(copy, spring + k, (size_t)size * sizeof *copy);
        ts_batch_source source = {wall, pair + k, copy};
        find(work, &source, size, sink, context);
    }
}

void ts_block_look(const ts_workspace *work, int32_t block, const double *spring, const double *wall_spring,
                   ts_batch_sink *sink, void *context)
{
    const ts_pairs *pairs = &work->pairs;
    size_t pair = pairs->block_pair[block], wall = pairs->block_wall[block];
    look(work, false, pairs->pair + pair, spring + pair, pairs->block_pair[block + 1] - pair, sink, context);
    look(work, true, pairs->wall + wall, wall_spring + wall, pairs->block_wall[block + 1] - wall, sink, context);
}
