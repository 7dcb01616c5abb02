/* SPDX-License-Identifier: MIT */
/* What peers of all kinds need: words and numbers of a scene, and the processor's time. */
#pragma once

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Time that this thread had a processor for, as in the bench [s]. */
double peer_seconds(void);

/* So many finite numbers, or whole ones up to 1e9; 0 when something else stands there. */
int peer_read_numbers(FILE *file, double *value, int count);
int peer_read_whole(FILE *file, int *value, int count);

/* A word that is followed by a number. */
typedef struct peer_number {
    const char *name;
    double *value;
} peer_number;
/* 1: read; 0: what follows is no number; -1: none of these words. */
int peer_read_named(FILE *file, const char *word, const peer_number *number, size_t count);

/* A file, or standard input for "-"; NULL, and a message, when it cannot be opened. peer_close leaves standard input
 * open. */
FILE *peer_open(const char *path);
void peer_close(FILE *file);

/* ---- Peers that are told what to do ----
 *
 * A peer whose second argument is - takes orders from standard input, one a line, and answers each with a line:
 *
 *     step N TILT TURN     takes N steps; gravity is at the angle TILT from straight down towards +x, which grows by TURN a
 *                          second [rad], [rad/s]. Answer: "took SECONDS", of processor time
 *     motions PATH         writes poses and velocities to a file. Answer: "done"
 *
 * Its first line is "version …". It ends with its input. So a bench takes windows of several programs by turns. */
typedef struct peer_world {
    double step; /* [s] */
    void *user;
    void (*pull)(void *user, double angle); /* turns gravity to an angle from straight down towards +x [rad] */
    void (*advance)(void *user);            /* a step */
    int (*write)(void *user, FILE *file);   /* poses and velocities; 0: it cannot */
} peer_world;
/* Serves until input ends; the exit code. */
int peer_serve(const peer_world *world, const char *version);

/* Sorts `value`; the median, and the distance of the quartiles over it. */
double peer_median(double *value, int count, double *spread);

#ifdef __cplusplus
}
#endif
