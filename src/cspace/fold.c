/* SPDX-License-Identifier: MIT */
#include "cspace/fold.h"

#include "base/kernel.h"
#include "base/vec.h"

TS_KERNEL_CHOOSER(ts_fold_kernels, ts_fold)

/* ---- Public functions ---- */

ts_fold ts_fold_make(const ts_pair *pair, bool active)
{
    const ts_symmetry *a = &pair->symmetry_a, *b = &pair->symmetry_b;
    if (!active)
        return (ts_fold){.turns_a = 1, .turns_b = 1, .sector = 2 * TS_PI, .period = 2 * TS_PI, .order = 1};
    ts_fold fold = {.active = true, .turns_a = a->rotations, .turns_b = b->rotations, .order = 1};
    bool disc_a = fold.turns_a == 0, disc_b = fold.turns_b == 0;
    fold.mirror = a->mirror && b->mirror && !disc_a; /* with a disc A, a turn alone takes any direction to 0 */
    fold.exchange = pair->same && !disc_a && !disc_b;
    fold.sector = disc_a ? 0 : (fold.mirror ? 1 : 2) * TS_PI / fold.turns_a;
    fold.period = disc_b ? 0 : 2 * TS_PI / fold.turns_b;
    if (fold.mirror) {
        fold.axis_a = a->mirror_axis;
        /* equal outlines have equal axes; rounding may have found another of B's */
        fold.axis_b = disc_b ? 0 : fold.exchange ? a->mirror_axis : b->mirror_axis;
    }
    fold.order *= disc_a ? 1 : fold.turns_a;
    fold.order *= disc_b ? 1 : fold.turns_b;
    fold.order *= (fold.mirror ? 2 : 1) * (fold.exchange ? 2 : 1);
    return fold;
}

ts_fold ts_fold_for_table(const ts_pair *pair, bool active)
{
    ts_fold fold = ts_fold_make(pair, active);
    if (fold.exchange)
        fold.exchange = false, fold.order /= 2;
    if (fold.turns_a > 0) {
        int32_t kept = fold.turns_a % 4 == 0 ? 4 : fold.turns_a % 2 == 0 ? 2 : 1;
        fold.order *= (double)kept / fold.turns_a;
        fold.turns_a = kept;
        fold.sector = (fold.mirror ? 1 : 2) * TS_PI / kept;
    }
    return fold;
}

void ts_fold_apply(const ts_fold *fold, size_t count, ts_fields *fields, ts_folding *folding)
{
    ts_fold_choose()->apply(fold, count, fields, folding);
}

void ts_fold_undo(const ts_fold *fold, size_t count, ts_fields *fields, const ts_folding *folding)
{
    ts_fold_choose()->undo(fold, count, fields, folding);
}
