/* SPDX-License-Identifier: MIT */
#include "contact/find.h"

#include <string.h>

#include "contact/faces.h"
#include "contact/featured.h"
#include "contact/forms.h"
#include "contact/mapped.h"

static inline int batch_size(size_t left)
{
    return left < TS_BATCH ? (int)left : TS_BATCH;
}

static inline bool is_outline(const ts_workspace *work, int32_t slot)
{
    return work->form && !ts_form_is_disc(work->model->forms, work->form[slot]);
}

/* Springs are handed from face to face within a batch, so the faces of one part are kept together, unless there are
 * more than a batch holds. */
static inline int wall_batch_size(const ts_workspace *work, const ts_candidate *pair, size_t left)
{
    int size = batch_size(left);
    /* outlines and discs do not mix: other kernels work on them */
    for (int k = 1; work->form && k < size; k++)
        if (is_outline(work, pair[k].b) != is_outline(work, pair[0].b))
            return k;
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
    batch.shared = false;
    if (source->wall && work->model->faces)
        ts_find_faces(work->model, work->wall, work->part, source->pair, count, work->reach.most, source->spring,
                      &batch);
    else if (source->wall)
        work->analytic->walls(work->wall, work->part, source->pair, count, work->reach.most, source->spring, &batch);
    else
        work->analytic->discs(work->part, source->pair, count, work->reach.most, source->spring, &batch);
    if (batch.count > 0)
        sink(context, &batch, source);
}

/* ---- Resolving ---- */

static void find_discs(const ts_workspace *work, size_t begin, size_t end, double *spring, ts_batch_sink *sink,
                       void *context)
{
    for (size_t k = begin; k < end; k += TS_BATCH) {
        ts_batch_source source = {.pair = work->pairs.pair + k, .spring = spring + k, .first = k};
        find(work, &source, batch_size(end - k), sink, context);
    }
}

size_t ts_pairs_run_end(const ts_pairs *pairs, size_t begin, size_t end)
{
    size_t k = begin + 1;
    while (k < end && pairs->map[k] == pairs->map[begin])
        k++;
    return k;
}

size_t ts_block_contacts(const ts_workspace *work, int32_t block, double *spring, double *wall_spring,
                         ts_batch_sink *sink, void *context)
{
    const ts_pairs *pairs = &work->pairs;
    size_t begin = pairs->block_pair[block], end = pairs->block_pair[block + 1], asked = 0;
    if (!work->form) {
        find_discs(work, begin, end, spring, sink, context);
        asked = end - begin;
    }
    for (size_t k = begin, next; work->form && k < end; k = next) {
        next = ts_pairs_run_end(pairs, k, end);
        if (pairs->map[k] == TS_MAP_OF_DISCS) {
            find_discs(work, k, next, spring, sink, context);
            asked += next - k;
        } else if (pairs->map[k] == TS_MAP_OF_FEATURES) {
            asked += ts_featured_pairs(work, block, k, next, spring, spring, sink, context);
        } else {
            asked += ts_mapped_pairs(work, k, next, spring, spring, sink, context);
        }
    }
    asked += ts_block_walls(work, block, wall_spring, sink, context);
    for (size_t k = pairs->block_wall[block], last = pairs->block_wall[block + 1]; work->featured && k < last;) {
        size_t next = ts_featured_walls_end(work, k, last);
        if (next > k)
            asked += ts_featured_walls(work, block, k, next - k, wall_spring, wall_spring, sink, context);
        k = next > k ? next : k + 1;
    }
    return asked;
}

size_t ts_block_walls(const ts_workspace *work, int32_t block, double *wall_spring, ts_batch_sink *sink, void *context)
{
    const ts_pairs *pairs = &work->pairs;
    size_t end = pairs->block_wall[block + 1], asked = 0;
    for (size_t k = pairs->block_wall[block]; k < end;) {
        ts_batch_source source = {.wall = true, .pair = pairs->wall + k, .spring = wall_spring + k, .first = k};
        if (work->featured && is_outline(work, source.pair[0].b)) {
            k = ts_featured_walls_end(work, k, end);
            continue;
        }
        int size = wall_batch_size(work, source.pair, end - k);
        if (is_outline(work, source.pair[0].b))
            ts_mapped_walls(work, k, size, source.spring, source.spring, sink, context);
        else
            find(work, &source, size, sink, context);
        asked += (size_t)size;
        k += (size_t)size;
    }
    return asked;
}

/* ---- Looking ---- */

/* `spring` is that of the whole list. */
static void look(const ts_workspace *work, int32_t block, bool wall, const double *spring, const size_t range[2],
                 ts_batch_sink *sink, void *context)
{
    const ts_candidate *pair = wall ? work->pairs.wall : work->pairs.pair;
    double copy[TS_BATCH];
    int size;
    for (size_t k = range[0]; k < range[1]; k += (size_t)size) {
        if (wall && work->featured && is_outline(work, pair[k].b)) {
            size = (int)(ts_featured_walls_end(work, k, range[1]) - k);
            ts_featured_walls(work, block, k, (size_t)size, spring, NULL, sink, context);
            continue;
        }
        size = wall ? wall_batch_size(work, pair + k, range[1] - k) : batch_size(range[1] - k);
        memcpy(copy, spring + k, (size_t)size * sizeof *copy);
        ts_batch_source source = {.wall = wall, .pair = pair + k, .spring = copy, .first = k};
        if (wall && is_outline(work, pair[k].b))
            ts_mapped_walls(work, k, size, copy, NULL, sink, context);
        else
            find(work, &source, size, sink, context);
    }
}

void ts_block_look(const ts_workspace *work, int32_t block, const double *spring, const double *wall_spring,
                   ts_batch_sink *sink, void *context)
{
    const ts_pairs *pairs = &work->pairs;
    size_t begin = pairs->block_pair[block], end = pairs->block_pair[block + 1], wall = pairs->block_wall[block];
    for (size_t k = begin, next; k < end; k = next) {
        next = work->form ? ts_pairs_run_end(pairs, k, end) : end;
        if (!work->form || pairs->map[k] == TS_MAP_OF_DISCS)
            look(work, block, false, spring, (size_t[2]){k, next}, sink, context);
        else if (pairs->map[k] == TS_MAP_OF_FEATURES)
            ts_featured_pairs(work, block, k, next, spring, NULL, sink, context);
        else
            ts_mapped_pairs(work, k, next, spring, NULL, sink, context);
    }
    look(work, block, true, wall_spring, (size_t[2]){wall, pairs->block_wall[block + 1]}, sink, context);
}
