/* SPDX-License-Identifier: MIT */
#include "cli/session.h"

#include <math.h>

#include "base/clock.h"
#include "cli/cli.h"
#include "cli/format.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "workspace.h"

/* How long the loop may step without looking up [s]: what a user waits after Ctrl-C, and half a frame of the progress
 * bar. */
static const double slice = 0.2;

/* ---- Progress ---- */

typedef struct watch {
    ts_progress progress;
    uint64_t last;                      /* step to reach */
    double begin;                       /* wall time [s] */
    double next_checkpoint;             /* wall time [s] */
    double steps_a_second;              /* measured; 0: unknown */
    uint64_t seen_steps, seen_contacts; /* sums of the workspace when the last line was shown */
} watch;

static void show(ts_session *session, watch *w, double now)
{
    const ts_workspace *work = session->work;
    uint64_t step = ts_state_steps(session->state), steps = work->step_count - w->seen_steps;

    char contacts[64] = "", asleep[64] = "", detail[256];
    const size_t sleepers = ts_state_asleep_count(session->state);
    if (sleepers > 0)
        snprintf(asleep, sizeof asleep, "  %s asleep", ts_show_count(sleepers).text);
    if (steps > 0) {
        double mean = (double)(work->contact_sum - w->seen_contacts) / (double)steps;
        snprintf(contacts, sizeof contacts, "  %s contacts", ts_show_count((uint64_t)llround(mean)).text);
        w->seen_steps = work->step_count;
        w->seen_contacts = work->contact_sum;
    }
    snprintf(detail, sizeof detail, "t = %s  %s%s%s", ts_show_si(ts_state_time(session->state), "s").text,
             ts_show_rate(w->steps_a_second, "steps").text, contacts, asleep);
    ts_progress_show(&w->progress, (double)step, detail, now);
}

/* ---- The loop ---- */

static ts_status checkpoint(ts_session *session, ts_error *error)
{
    if (!session->recorder)
        return TS_OK;
    TS_TRY(ts_recorder_checkpoint(session->recorder, session->state, error));
    session->has_checkpoint = true;
    session->checkpoint_step = ts_state_steps(session->state);
    return TS_OK;
}

/* Steps until something is due, or until it is time to look up again. */
static ts_status step(ts_session *session, watch *w, ts_error *error)
{
    uint64_t at = ts_state_steps(session->state), next = w->last;
    if (session->recorder) {
        uint64_t due = ts_recorder_next(session->recorder, at);
        next = due < next ? due : next;
    }
    uint64_t count = next - at;
    double most = fmax(w->steps_a_second * slice, 1);
    if ((double)count > most)
        count = (uint64_t)most;

    double begin = ts_clock_seconds();
    TS_TRY(ts_step(session->model, session->state, session->work, count, error));
    double seconds = ts_clock_seconds() - begin;
    /* slices before a frame may be short, and a clock that did not move tells nothing */
    if (seconds > 0) {
        double measured = (double)count / seconds, weight = fmin(seconds / slice, 1);
        weight = w->steps_a_second > 0 ? 0.5 * weight : 1;
        w->steps_a_second += weight * (measured - w->steps_a_second);
    }
    return TS_OK;
}

static ts_status loop(ts_session *session, watch *w, ts_error *error)
{
    for (;;) {
        if (session->recorder)
            TS_TRY(ts_recorder_write(session->recorder, session->state, session->work, error));

        double now = ts_clock_seconds();
        if (ts_state_steps(session->state) >= w->last)
            session->outcome = "finished";
        else if (ts_stop_requested())
            session->outcome = "interrupted";
        else if (now - w->begin >= session->wall_limit)
            session->outcome = "wall_limit";
        if (session->outcome)
            return checkpoint(session, error);

        /* the first at once: from then on a kill leaves nothing that cannot go on */
        if (session->recorder && (now >= w->next_checkpoint || !session->has_checkpoint)) {
            double since = now;
            TS_TRY(checkpoint(session, error));
            now = ts_clock_seconds();
            w->next_checkpoint = now + fmax(session->checkpoint_interval, session->checkpoint_rest * (now - since));
        }
        if (ts_progress_due(&w->progress, now))
            show(session, w, now);
        TS_TRY(step(session, w, error));
    }
}

ts_status ts_session_run(ts_session *session, ts_error *error)
{
    double now = ts_clock_seconds();
    watch w = {
        .last = ts_run_last_step(session->model),
        .begin = now,
        .next_checkpoint = now + session->checkpoint_interval,
        .seen_steps = session->work->step_count,
        .seen_contacts = session->work->contact_sum,
    };
    session->outcome = NULL;
    session->first_step = ts_state_steps(session->state);
    ts_progress_begin(&w.progress, stderr, session->quiet, (double)session->first_step, (double)w.last, now);

    ts_signals old;
    ts_signals_catch(&old);
    ts_status status = loop(session, &w, error);
    ts_signals_release(&old);

    ts_progress_clear(&w.progress);
    session->wall = ts_clock_seconds() - w.begin;
    if (status != TS_OK)
        session->outcome = status == TS_DIVERGED ? "diverged" : "failed";
    return status;
}
