/* SPDX-License-Identifier: MIT */
#include "cli/prepare.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "contact/forms.h"
#include "cspace/map.h"
#include "model.h"

static bool tell(void *user, double done, const char *what)
{
    /* the line is removed by the end, not by the last map's */
    ts_progress_report(user, fmin(done, 0.9999), what);
    return !ts_stop_requested();
}

/* Why the cache could not keep what was made; NULL: it could. One reason is enough: the next map meets with the same.
 * */
static const char *first_unkept(const ts_model *model)
{
    const ts_forms *f = model->forms;
    for (size_t i = TS_MAP_FIRST; f && i < f->map_count; i++)
        if (f->map[i].map && f->map[i].map->unkept[0])
            return f->map[i].map->unkept;
    return NULL;
}

ts_status ts_cli_prepare(ts_model *model, int threads, bool quiet, ts_error *error)
{
    ts_progress progress;
    ts_signals before;
    ts_map_making making = {.threads = threads, .progress = tell, .progress_user = &progress};
    ts_progress_begin(&progress, stderr, quiet, 0, 1, ts_clock_seconds());
    ts_signals_catch(&before);
    ts_status status = ts_model_prepare(model, &making, error);
    ts_signals_release(&before);
    ts_progress_clear(&progress);
    const char *unkept = status == TS_OK ? first_unkept(model) : NULL;
    if (unkept)
        ts_cli_note("maps were made, but the cache cannot keep them, so the next run makes them anew: %s", unkept);
    return status;
}

const char *ts_cli_unused_map_key(const ts_map_options *o, char *text, size_t capacity)
{
    const bool sampled = o->kind == TS_MAP_SAMPLED, network = o->kind == TS_MAP_NETWORK;
    const struct {
        const char *key, *kinds;
        bool given, used;
    } key[] = {
        {"grid", "sampled", o->grid != 0, sampled},
        {"refine", "sampled", o->refine, sampled},
        {"smoothing", "exact and sampled", o->smoothing != 0, sampled || o->kind == TS_MAP_EXACT},
        {"depth", "network", o->depth != 0, network},
        {"width", "network", o->width != 0, network},
        {"encoding", "network", o->encoding != TS_ENCODING_CIRCLE, network},
        {"samples", "network", o->samples != 0, network},
        {"seed", "network", o->seed != 0, network},
    };
    for (size_t i = 0; i < sizeof key / sizeof *key; i++)
        if (key[i].given && !key[i].used) {
            snprintf(text, capacity, "map.%s is for %s maps and changes nothing here", key[i].key, key[i].kinds);
            return text;
        }
    return NULL;
}
