/* SPDX-License-Identifier: MIT */
/* How far, how fast, how much longer.
 *
 * On a terminal one line that rewrites itself, at most ten times a second:
 *
 *     ━━━━━━━━╸───────  45.2%  t = 450 ms  12.3 k steps/s  9,120 contacts  ETA 1 min 20 s
 *
 * Elsewhere (a file, a pipe, a job's log) a plain line, the first after a second and then about every ten, without any
 * control character. Quiet prints neither.
 *
 * The ETA divides what is left by a rate that forgets: the average over the whole run at first, later mostly the last
 * quarter minute, so that it follows a run whose steps grow dearer, without jumping. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

typedef struct ts_progress {
    FILE *stream;
    bool quiet;
    bool live; /* a terminal: one line that rewrites itself */
    bool colour;
    int bar;          /* columns of the bar */
    bool shown;       /* a live line stands on the terminal */
    double total;     /* work in all, in any unit */
    double begin;     /* wall time of the beginning [s] */
    double last;      /* wall time of the last sample of the rate [s] */
    double last_done; /* work done then */
    double next;      /* wall time from which the next line is due [s] */
    double rate_sum;  /* forgetting sums of work and of time: rate = rate_sum / time_sum */
    double time_sum;
} ts_progress;

/* `done` of `total` is behind us already (a resumed run); `now` from ts_clock_seconds(). */
void ts_progress_begin(ts_progress *progress, FILE *stream, bool quiet, double done, double total, double now);
/* Whether a line is due. Cheap. */
static inline bool ts_progress_due(const ts_progress *progress, double now)
{
    return !progress->quiet && now >= progress->next;
}
/* Shows `done` and the middle of the line, `detail` (may be empty), at time `now`. */
void ts_progress_show(ts_progress *progress, double done, const char *detail, double now);
/* Shows `what` and `done` of a total of 1, when a line is due; for harnesses that report (`user` is the ts_progress).
 * At the end, done = 1, the line is removed. */
void ts_progress_report(void *user, double done, const char *what);
/* Removes the live line, so that other text may be printed; the next show brings it back. */
void ts_progress_clear(ts_progress *progress);

/* Work a second as the ETA sees it; 0 when unknown. */
double ts_progress_rate(const ts_progress *progress);
/* Seconds until `total` at that rate; negative when unknown. */
double ts_progress_left(const ts_progress *progress, double done);
