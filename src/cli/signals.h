/* SPDX-License-Identifier: MIT */
/* Ctrl-C and its kin, as a question that a loop can ask.
 *
 * Between catch and release, SIGINT, SIGTERM and SIGHUP only leave a note, so that a run can finish its step and a
 * picture its file. A second signal of the same kind ends the program at once. */
#pragma once

#include <signal.h>
#include <stdbool.h>

typedef struct ts_signals {
    struct sigaction interrupt, terminate, hangup; /* as they were before */
} ts_signals;

void ts_signals_catch(ts_signals *old);
void ts_signals_release(const ts_signals *old);
/* Whether one came since catch. */
bool ts_stop_requested(void);
