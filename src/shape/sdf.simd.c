/* SPDX-License-Identifier: MIT */
/* Values, gradients and normals of the signed distance, LANES points at a time. */
#include "base/kernel.h"
#include "shape/sdf_blend_lanes.h"

TS_SIMD void tell(const block *b, const ts_sdf_answers *to, size_t at, size_t count)
{
    const mask nowhere = lost(b->packs, b->x);
    const wide nan = all((double)NAN);
    if (to->value)
        store_some(to->value + at, count, either(nowhere, nan, b->total.value));
    for (int i = 0; i < 3; i++) {
        if (b->wanted.gradient && to->gradient[i])
            store_some(to->gradient[i] + at, count, either(nowhere, nan, b->total.gradient.v[i]));
        if (b->wanted.normal && to->normal[i])
            store_some(to->normal[i] + at, count, either(nowhere, nan, b->normal.v[i]));
    }
}

TS_SIMD_LARGE void ask_for(wanted w, const ts_sdf_packs *packs, const ts_sdf_rule *rule, const ts_sdf_points *at,
                           const ts_sdf_answers *to)
{
    block b;
    b.packs = packs;
    b.rule = rule;
    b.wanted = w;
    open_block(&b);
    for (size_t i = 0; i < at->count; i += LANES) {
        const size_t left = at->count - i;
        b.x = (wide3){{load_some(at->x + i, left), load_some(at->y + i, left), load_some(at->z + i, left)}};
        solve_block(&b, NULL);
        tell(&b, to, i, left);
    }
}

/* One function each, so that nothing is decided in the loops. */
static void ask_values(const ts_sdf_packs *packs, const ts_sdf_rule *rule, const ts_sdf_points *at,
                       const ts_sdf_answers *to)
{
    ask_for((wanted){false, false}, packs, rule, at, to);
}
static void ask_normals(const ts_sdf_packs *packs, const ts_sdf_rule *rule, const ts_sdf_points *at,
                        const ts_sdf_answers *to)
{
    ask_for((wanted){false, true}, packs, rule, at, to);
}
static void ask_all(const ts_sdf_packs *packs, const ts_sdf_rule *rule, const ts_sdf_points *at,
                    const ts_sdf_answers *to)
{
    ask_for((wanted){true, true}, packs, rule, at, to);
}

static void ask(const ts_sdf_packs *packs, const ts_sdf_rule *rule, const ts_sdf_points *at, const ts_sdf_answers *to)
{
    wanted w = {false, false};
    for (int i = 0; i < 3; i++) {
        w.gradient |= to->gradient[i] != NULL;
        w.normal |= to->normal[i] != NULL;
    }
    if (w.gradient)
        ask_all(packs, rule, at, to);
    else if (w.normal)
        ask_normals(packs, rule, at, to);
    else
        ask_values(packs, rule, at, to);
}

const ts_sdf_kernels TS_KERNEL(ts_sdf) = {.ask = ask};
