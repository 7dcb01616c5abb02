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

/* Sorts `value`; the median, and the distance of the quartiles over it. */
double peer_median(double *value, int count, double *spread);

#ifdef __cplusplus
}
#endif
