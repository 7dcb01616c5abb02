/* SPDX-License-Identifier: MIT */
/* Wall time, and where in a step it goes.
 *
 *     double since = ts_timer_begin(timers);
 *     find_pairs(...);
 *     ts_timer_end(timers, TS_PHASE_PAIRS, since);
 *
 * With `on` false the two calls are one predicted branch each and no clock is read. Times never enter the state, so
 * measuring cannot change a result. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Seconds on a clock that never goes back, from an arbitrary origin. */
double ts_clock_seconds(void);
/* Seconds that this thread had a processor for: one thread without input or output takes the same with and without
 * neighbours. */
double ts_clock_processor_seconds(void);

/* The phases of a step, in the order of the step. */
typedef enum ts_phase {
    TS_PHASE_DRIVE,
    TS_PHASE_PAIRS,
    TS_PHASE_CONTACTS,
    TS_PHASE_RESOLVE,
    TS_PHASE_ADVANCE,
    TS_PHASE_RECORD,
    TS_PHASE_OTHER,
    TS_PHASE_COUNT
} ts_phase;

typedef struct ts_timers {
    bool on;                        /* false: measure nothing */
    double seconds[TS_PHASE_COUNT]; /* wall time spent [s] */
    uint64_t count[TS_PHASE_COUNT]; /* times the phase was entered */
} ts_timers;

/* "drive", "pairs", … for summary.json. Never NULL. */
const char *ts_phase_name(ts_phase phase);

/* `timers` may be NULL, which means off. */
static inline double ts_timer_begin(const ts_timers *timers)
{
    return timers && timers->on ? ts_clock_seconds() : 0;
}
static inline void ts_timer_end(ts_timers *timers, ts_phase phase, double since)
{
    if (timers && timers->on) {
        timers->seconds[phase] += ts_clock_seconds() - since;
        timers->count[phase]++;
    }
}
