/* SPDX-License-Identifier: MIT */
#include "cli/prepare.h"

#include <math.h>

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

/* Why the cache could not keep what was made; NULL: it could. One reason is enough: the next map meets with the same. */
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
