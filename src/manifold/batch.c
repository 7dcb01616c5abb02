/* SPDX-License-Identifier: MIT */
/* Batches of poses: each thread has scratch memory of its own, each item writes to its own place. */
#include <stdatomic.h>
#include <string.h>

#include "base/threads.h"
#include "manifold/parts.h"

struct ts_manifold_team {
    const ts_manifold *manifold;
    ts_pool *pool;
    ts_manifold_work **work; /* of each thread */
    int thread_count;
};

ts_status ts_manifold_team_create(const ts_manifold *manifold, int threads, ts_manifold_team **team, ts_error *error)
{
    *team = NULL;
    if (threads < 0 || threads > TS_POOL_THREADS_MAX)
        return ts_fail(error, TS_BAD_INPUT, "manifold: %d threads; choose 0 (all) to %d", threads, TS_POOL_THREADS_MAX);
    TS_AUTO(ts_manifold_team_free_at) ts_manifold_team *t = NULL;
    TS_TRY(ts_new(&t, 1, error));
    t->manifold = manifold;
    TS_TRY(ts_pool_create(threads, &t->pool, error));
    t->thread_count = ts_pool_thread_count(t->pool);
    TS_TRY(ts_new(&t->work, (size_t)t->thread_count, error)); // NOLINT(bugprone-sizeof-expression): of pointers
    for (int i = 0; i < t->thread_count; i++)
        TS_TRY(ts_manifold_work_create(manifold, &t->work[i], error));
    *team = ts_give(&t);
    return TS_OK;
}

void ts_manifold_team_free(ts_manifold_team *team)
{
    if (!team)
        return;
    for (int i = 0; team->work && i < team->thread_count; i++)
        ts_manifold_work_free(team->work[i]);
    ts_free(team->work);
    ts_pool_free(team->pool);
    ts_free(team);
}

/* ---- One item ---- */

static ts_manifold_contacts contacts_from(const ts_manifold_contacts *all, size_t begin)
{
    return (ts_manifold_contacts){all->point ? all->point + begin : NULL, all->gap ? all->gap + begin : NULL,
                                  all->normal ? all->normal + begin : NULL, all->weight ? all->weight + begin : NULL,
                                  all->indicator ? all->indicator + begin : NULL};
}

/* An item's pieces, of so many. */
static const ts_manifold_piece *pieces_from(const ts_manifold_piece *all, size_t item, size_t pieces)
{
    return all ? all + item * pieces : NULL;
}
static ts_manifold_piece_bar *bars_from(ts_manifold_piece_bar *all, size_t item, size_t pieces)
{
    if (!all)
        return NULL;
    memset(all + item * pieces, 0, pieces * sizeof *all);
    return all + item * pieces;
}

static ts_status do_item(const ts_manifold *m, ts_manifold_work *work, const ts_manifold_batch *batch, size_t i,
                         ts_error *error)
{
    const size_t of_a = ts_sdf_count(m->body[0]->sdf), of_b = ts_sdf_count(m->body[1]->sdf);
    const ts_manifold_contacts to = contacts_from(&batch->to, i * m->counts.all);
    TS_TRY(ts_manifold_set_pieces(m, work, 0, pieces_from(batch->piece_a, i, of_a), error));
    TS_TRY(ts_manifold_set_pieces(m, work, 1, pieces_from(batch->piece_b, i, of_b), error));
    TS_TRY(ts_manifold_find(m, work, &batch->a[i], &batch->b[i], &to, error));
    if (!batch->bar)
        return TS_OK;
    const ts_manifold_contacts bar = contacts_from(batch->bar, batch->same_bar ? 0 : i * m->counts.all);
    batch->bar_a[i] = batch->bar_b[i] = (ts_manifold_pose_bar){{0}, {0}};
    return ts_manifold_find_vjp_pieces(m, work, batch->smoothing, &bar, &batch->bar_a[i], &batch->bar_b[i],
                                       bars_from(batch->bar_piece_a, i, of_a), bars_from(batch->bar_piece_b, i, of_b),
                                       error);
}

/* ---- All of them ---- */

/* Items a task, so that handing out tasks costs nothing beside them. */
#define ITEMS 4

typedef struct job {
    const ts_manifold_team *team;
    const ts_manifold_batch *batch;
    atomic_size_t failed; /* the first item that was refused; SIZE_MAX: none */
} job;

static void do_items(void *context, int task, int thread)
{
    job *j = context;
    ts_error ignored;
    for (size_t i = (size_t)task * ITEMS; i < j->batch->count && i < ((size_t)task + 1) * ITEMS; i++) {
        if (do_item(j->team->manifold, j->team->work[thread], j->batch, i, &ignored) == TS_OK)
            continue;
        size_t first = atomic_load(&j->failed);
        while (i < first && !atomic_compare_exchange_weak(&j->failed, &first, i))
            ;
    }
}

ts_status ts_manifold_find_batch(const ts_manifold_team *team, const ts_manifold_batch *batch, ts_error *error)
{
    if (batch->bar && (!batch->bar_a || !batch->bar_b))
        return ts_fail(error, TS_BAD_INPUT, "manifold: a batch with adjoints needs room for those of the poses");
    if ((batch->bar_piece_a || batch->bar_piece_b) && !batch->bar)
        return ts_fail(error, TS_BAD_INPUT,
                       "manifold: adjoints of pieces are wanted without adjoints of contacts; give `bar`");
    job j = {.team = team, .batch = batch};
    atomic_init(&j.failed, SIZE_MAX);
    /* a pool counts tasks as int */
    const size_t most = (size_t)INT32_MAX / 2 * ITEMS;
    if (batch->count > most)
        return ts_fail(error, TS_BAD_INPUT, "manifold: a batch of %zu items; split it into batches of %zu at most",
                       batch->count, most);
    ts_pool_run(team->pool, (int)((batch->count + ITEMS - 1) / ITEMS), do_items, &j);
    const size_t failed = atomic_load(&j.failed);
    if (failed == SIZE_MAX)
        return TS_OK;
    ts_error why;
    const ts_status status = do_item(team->manifold, team->work[0], batch, failed, &why);
    return ts_fail(error, status, "item %zu of the batch: %s", failed, why.message);
}
