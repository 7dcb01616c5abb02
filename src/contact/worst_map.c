/* SPDX-License-Identifier: MIT */
#include "contact/worst_map.h"

#include <stdio.h>

#include "contact/forms.h"
#include "model.h"

/* An error of this share of an overlap explains a good part of it: springs press grains into each other by the rest. */
static const double explaining_share = 0.5;

void ts_worst_map_take(ts_worst_map *worst, const ts_map_info *info, const char *a, const char *b)
{
    if (info->errors.samples == 0 || (worst->info.errors.samples > 0 && info->errors.mean <= worst->info.errors.mean))
        return;
    worst->info = *info;
    snprintf(worst->a, sizeof worst->a, "%s", a);
    snprintf(worst->b, sizeof worst->b, "%s", b);
}

ts_worst_map ts_worst_map_of(const ts_model *model)
{
    const ts_forms *f = model->forms;
    ts_worst_map worst = {0};
    for (size_t i = TS_MAP_FIRST; f && i < f->map_count; i++) {
        char a[80], b[80];
        if (!f->map[i].map)
            continue;
        ts_map_info info = ts_map_get_info(f->map[i].map);
        ts_forms_name_form(f, model, (size_t)f->map[i].a, a);
        ts_forms_name_form(f, model, (size_t)f->map[i].b, b);
        ts_worst_map_take(&worst, &info, a, b);
    }
    return worst;
}

bool ts_worst_map_explains(const ts_worst_map *worst, double overlap_ratio)
{
    return worst->info.errors.samples > 0 && worst->info.errors.worst > explaining_share * overlap_ratio;
}

const char *ts_worst_map_remedy(const ts_worst_map *worst)
{
    return worst->info.kind == TS_MAP_NETWORK ? "train it longer (map.samples), or set map.kind to \"table\""
                                              : "lower map.error and raise map.bytes";
}
