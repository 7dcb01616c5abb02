/* SPDX-License-Identifier: MIT */
#include "study/cem_walk.h"

#include "record/snapshot.h"

typedef struct walk {
    ts_cem_look look;
    ts_snapshot now[2]; /* taken in turn */
} walk;

static ts_status go(walk *w, const ts_cem_run *run, ts_cem_visit *visit, void *user, ts_error *error)
{
    TS_TRY(ts_cem_look_at(run, TS_NONE, &w->look, error));
    const ts_trajectory_header *header = ts_trajectory_get_header(w->look.reader);
    uint64_t count = ts_trajectory_frame_count(w->look.reader);
    for (uint64_t i = 0; i < count; i++) {
        ts_frame frame;
        TS_TRY(ts_trajectory_read(w->look.reader, i, &frame, error));
        TS_TRY(ts_snapshot_of_frame(header, &frame, &w->now[i % 2], error));
        TS_TRY(visit(user, i > 0 ? &w->now[1 - i % 2] : NULL, &w->now[i % 2], error));
    }
    return TS_OK;
}

ts_status ts_cem_walk(const ts_cem_run *run, ts_cem_visit *visit, void *user, ts_error *error)
{
    walk w = {0};
    ts_status status = go(&w, run, visit, user, error);
    ts_snapshot_free(&w.now[0]);
    ts_snapshot_free(&w.now[1]);
    ts_cem_look_end(&w.look);
    return status;
}

/* ---- Overlaps ---- */

typedef struct through {
    size_t stride, frame;
    ts_cem_overlaps worst;
} through;

static ts_status look_through(void *user, const ts_snapshot *before, const ts_snapshot *now, ts_error *error)
{
    through *t = user;
    ts_overlaps overlaps;
    (void)before;
    if (t->frame++ % t->stride != 0)
        return TS_OK;
    TS_TRY(ts_measure_overlaps(now, NULL, &overlaps, error));
    t->worst.through = overlaps.through > t->worst.through ? overlaps.through : t->worst.through;
    t->worst.depth = fmax(t->worst.depth, overlaps.most_depth);
    t->worst.share = fmax(t->worst.share, overlaps.most_share);
    return TS_OK;
}

ts_status ts_cem_worst_overlaps(const ts_cem_run *run, size_t stride, ts_cem_overlaps *worst, ts_error *error)
{
    through t = {.stride = stride};
    TS_TRY(ts_cem_walk(run, look_through, &t, error));
    *worst = t.worst;
    return TS_OK;
}

ts_status ts_cem_claim_never_through(ts_study *study, const ts_cem_run *run, size_t stride, ts_error *error)
{
    ts_cem_overlaps worst;
    TS_TRY(ts_cem_worst_overlaps(run, stride, &worst, error));
    return ts_claim_at_most(study, (double)worst.through, 0, "", error,
                            "%s: pairs pushed half-way through each other, in any frame (%.2g of an area at most)",
                            run->name, worst.share);
}

ts_status ts_cem_claim_shallow(ts_study *study, const ts_cem_run *run, size_t stride, double stroke, ts_error *error)
{
    ts_cem_overlaps worst;
    TS_TRY(ts_cem_worst_overlaps(run, stride, &worst, error));
    return ts_claim_at_most(study, worst.depth / stroke, 0.5, "", error,
                            "%s: deepest overlap, in any frame, over the thinnest stroke", run->name);
}
