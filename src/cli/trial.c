/* SPDX-License-Identifier: MIT */
#include "cli/trial.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "contact/forms.h"
#include "record/runfolder.h"
#include "workspace.h"

/* Wall time that a trial takes [s]. */
static const double trial_seconds = 0.5;

ts_trial ts_try_steps(const ts_model *model, ts_state *state, ts_workspace *work)
{
    const uint64_t last = ts_run_last_step(model);
    const double begin = ts_clock_seconds();
    ts_trial t = {.seconds = (double)NAN, .threads = ts_workspace_threads(work)};
    if (model->forms && !model->forms->ready) {
        snprintf(t.trouble, sizeof t.trouble, "known once contact maps are made");
        return t;
    }
    /* the first step also finds pairs and fills caches: it counts only where it is a good part of the run */
    double first = 0, spent = 0;
    for (uint64_t count = 1; t.steps < last && spent < trial_seconds;) {
        ts_error error;
        if (ts_step(model, state, work, count, &error) != TS_OK) {
            t.failed = true;
            snprintf(t.trouble, sizeof t.trouble, "a trial of some steps failed: %.400s", error.message);
            return t;
        }
        t.steps += count;
        spent = ts_clock_seconds() - begin;
        first = t.steps == 1 ? spent : first;
        /* twice as many, but no more than are left, of the run and of the time */
        const double fit = fmin((double)(last - t.steps), (trial_seconds - spent) / (spent / (double)t.steps));
        count = (uint64_t)fmax(1, fmin(2 * (double)count, fit));
    }
    t.whole = t.steps == last;
    t.contacts = t.steps > 0 ? (double)work->contact_sum / (double)t.steps : 0;
    t.seconds = t.whole || t.steps == 1 ? spent / fmax((double)t.steps, 1) * (double)last
                                        : first + (spent - first) / (double)(t.steps - 1) * (double)(last - 1);
    return t;
}
