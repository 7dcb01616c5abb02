/* SPDX-License-Identifier: MIT */
/* Peers run as processes of their own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/status.h"

/* Runs a program, found on PATH unless its name has a slash, with its output (and what it says of errors) in a file. An
 * exit code other than 0 is an error. `argument` ends with NULL. */
ts_status ts_process_run(const char *const *argument, const char *output, ts_error *error);
/* Whether PATH has an executable of this name. */
bool ts_process_on_path(const char *program);
/* The path of a peer that this build made, by its name: in the folder `peers` beside this program, or beside a folder
 * that it is in (tests are). False when it was not built. */
bool ts_process_find_peer(const char *name, char path[4096]);

/* Files of a run of such a peer. */
typedef struct ts_peer_files {
    char program[4096];
    char scene[4096];  /* WORK.scene */
    char output[4096]; /* WORK.out: what it says */
} ts_peer_files;
/* `name` is what a person calls it, `work` the path of its files without extension. A peer that was not built is
 * TS_UNSUPPORTED. */
ts_status ts_process_peer_files(const char *name, const char *program, const char *work, ts_peer_files *files,
                                ts_error *error);

/* A peer that runs beside this program and does what it is told, line by line (bench/peers/common.h). */
typedef struct ts_process {
    pid_t id;    /* 0: it does not run */
    int channel; /* its standard input and output */
} ts_process;

/* Starts a program; what it says of errors goes to the file `errors`. `argument` as above. */
ts_status ts_process_open(const char *const *argument, const char *errors, ts_process *process, ts_error *error);
/* The same for a peer whose scene is written; `version` becomes its name and what it says of its version. */
ts_status ts_process_open_peer(const char *name, const ts_peer_files *files, ts_process *process, char version[64],
                               ts_error *error);
/* Sends a line ("": none) and waits for one that begins with `key`: `answer` is what follows it. Lines before it are
 * skipped, since libraries print, too. TS_IO when the program has ended. */
ts_status ts_process_ask(const ts_process *process, const char *line, const char *key, char answer[256],
                         ts_error *error);
/* Ends it, and waits until it has; does nothing when it does not run. */
void ts_process_close(ts_process *process);

/* Of what a peer printed: the rest of the line that begins with `key`, "" when there is none; and the number there, or
 * NaN. */
const char *ts_process_line(const char *text, const char *key);
double ts_process_number(const char *text, const char *key);
/* The first `count` numbers of a file that a peer wrote, between spaces and ends of lines; TS_IO when there are
 * fewer. */
ts_status ts_process_read_numbers(const char *path, size_t count, double *value, ts_error *error);
