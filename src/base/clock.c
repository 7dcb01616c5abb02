/* SPDX-License-Identifier: MIT */
#include "base/clock.h"

#include <time.h>

double ts_clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double ts_clock_processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

const char *ts_phase_name(ts_phase phase)
{
    static const char *const name[TS_PHASE_COUNT] = {
        [TS_PHASE_DRIVE] = "drive",     [TS_PHASE_PAIRS] = "pairs",     [TS_PHASE_CONTACTS] = "contacts",
        [TS_PHASE_RESOLVE] = "resolve", [TS_PHASE_ADVANCE] = "advance", [TS_PHASE_RECORD] = "record",
        [TS_PHASE_OTHER] = "other",
    };
    return (unsigned)phase < TS_PHASE_COUNT ? name[phase] : "unknown";
}
