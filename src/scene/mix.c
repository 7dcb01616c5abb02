/* SPDX-License-Identifier: MIT */
#include "scene/mix.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

typedef struct share {
    double rest; /* of the exact share, after rounding down */
    size_t entry;
    size_t count;
} share;

static int by_rest(const void *a, const void *b)
{
    const share *p = a, *q = b;
    if (p->rest != q->rest)
        return p->rest < q->rest ? 1 : -1;
    return p->entry < q->entry ? -1 : 1;
}

/* How many bodies each entry gets. */
static void share_out(const ts_mix_entry *mix, size_t n, size_t count, share *s)
{
    double total = 0;
    size_t given = 0;
    for (size_t i = 0; i < n; i++)
        total += mix[i].weight;
    for (size_t i = 0; i < n; i++) {
        double exact = (double)count * (mix[i].weight / total);
        s[i] = (share){exact - floor(exact), i, (size_t)exact};
        given += s[i].count;
    }
    qsort(s, n, sizeof *s, by_rest);
    for (size_t i = 0; given < count; i = i + 1 < n ? i + 1 : 0)
        if (mix[s[i].entry].weight > 0) {
            s[i].count++;
            given++;
        }
    for (size_t i = n; given > count; i = i > 1 ? i - 1 : n) /* round-off of a share that is all but whole */
        if (s[i - 1].count > 0) {
            s[i - 1].count--;
            given--;
        }
}

ts_status ts_mix_deal(const ts_mix_entry *mix, size_t mix_count, size_t count, ts_random order, int32_t *entry,
                      ts_error *error)
{
    share *s;
    TS_TRY(ts_new_raw(&s, mix_count, error));
    share_out(mix, mix_count, count, s);
    size_t at = 0;
    for (size_t i = 0; i < mix_count; i++)
        for (size_t k = 0; k < s[i].count; k++)
            entry[at++] = (int32_t)s[i].entry;
    ts_free(s);

    for (size_t i = count; i > 1; i--) {
        size_t other = (size_t)ts_random_next_below(&order, i);
        int32_t own = entry[i - 1];
        entry[i - 1] = entry[other];
        entry[other] = own;
    }
    return TS_OK;
}
