/* SPDX-License-Identifier: MIT */
#include "cli/signals.h"

/* The one piece of global state that a signal handler cannot do without. */
static volatile sig_atomic_t stop_signal;

static void on_signal(int number)
{
    stop_signal = number;
}

void ts_signals_catch(ts_signals *old)
{
    /* SA_RESETHAND: the second signal of a kind is not caught any more */
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    stop_signal = 0;
    sigaction(SIGINT, &action, &old->interrupt);
    sigaction(SIGTERM, &action, &old->terminate);
    sigaction(SIGHUP, &action, &old->hangup);
    /* under nohup a hang-up is to be ignored; SIGINT is caught even where a script's background job ignores it, since
     * whoever sends it means it */
    if (old->hangup.sa_handler == SIG_IGN)
        sigaction(SIGHUP, &old->hangup, NULL);
}

void ts_signals_release(const ts_signals *old)
{
    sigaction(SIGINT, &old->interrupt, NULL);
    sigaction(SIGTERM, &old->terminate, NULL);
    sigaction(SIGHUP, &old->hangup, NULL);
}

bool ts_stop_requested(void)
{
    return stop_signal != 0;
}
