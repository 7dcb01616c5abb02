/* SPDX-License-Identifier: MIT */
#include "measure/links.h"

#include <stdlib.h>

#include "base/memory.h"

/* The index breaks ties, so that sums have one order. */
typedef struct entry {
    int64_t a, b;
    size_t index;
} entry;

static int by_pair(const void *p, const void *q)
{
    const entry *u = p, *v = q;
    if (u->a != v->a)
        return u->a < v->a ? -1 : 1;
    if (u->b != v->b)
        return u->b < v->b ? -1 : 1;
    return (u->index > v->index) - (u->index < v->index);
}

ts_status ts_links_make(const ts_snapshot *snapshot, ts_link **link, size_t *count, ts_error *error)
{
    size_t n = snapshot->contact_count, made = 0;
    entry *order = ts_alloc_raw(n + 1, sizeof *order);
    ts_link *links = ts_alloc_raw(n + 1, sizeof *links);
    if (!order || !links) {
        ts_free(order);
        ts_free(links);
        return ts_fail_memory(error, (n + 1) * (sizeof *order + sizeof *links));
    }
    for (size_t k = 0; k < n; k++) {
        int64_t a = snapshot->contact[k].a, b = snapshot->contact[k].b;
        order[k] = (entry){a < b ? a : b, a < b ? b : a, k};
    }
    qsort(order, n, sizeof *order, by_pair);
    for (size_t k = 0; k < n; k++) {
        if (k == 0 || order[k].a != order[k - 1].a || order[k].b != order[k - 1].b)
            links[made++] = (ts_link){order[k].a, order[k].b, 0};
        links[made - 1].normal += ts_normal_force(&snapshot->contact[order[k].index]);
    }
    ts_free(order);
    *link = links;
    *count = made;
    return TS_OK;
}
