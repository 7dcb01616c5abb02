/* SPDX-License-Identifier: MIT */
#include "cli/prepare.h"

#include <math.h>

#include "base/clock.h"
#include "cli/progress.h"
#include "cli/signals.h"

static bool tell(void *user, double done, const char *what)
{
    /* the line is removed by the end, not by the last map's */
    ts_progress_report(user, fmin(done, 0.9999), what);
    return !ts_stop_requested();
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
    return status;
}
