/* SPDX-License-Identifier: MIT */
#include "common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double peer_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int peer_read_numbers(FILE *file, double *value, int count)
{
    for (int i = 0; i < count; i++) {
        char word[64], *end;
        if (fscanf(file, "%63s", word) != 1)
            return 0;
        value[i] = strtod(word, &end);
        if (*end || !isfinite(value[i]))
            return 0;
    }
    return 1;
}

int peer_read_whole(FILE *file, int *value, int count)
{
    for (int i = 0; i < count; i++) {
        double number;
        if (!peer_read_numbers(file, &number, 1) || !(fabs(number) <= 1e9) || number != floor(number))
            return 0;
        value[i] = (int)number;
    }
    return 1;
}

int peer_read_named(FILE *file, const char *word, const peer_number *number, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, number[i].name) == 0)
            return peer_read_numbers(file, number[i].value, 1);
    return -1;
}

FILE *peer_open(const char *path)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (!file)
        fprintf(stderr, "cannot open %s\n", path);
    return file;
}

void peer_close(FILE *file)
{
    if (file != stdin)
        fclose(file);
}

static int write_motions(const peer_world *world, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return 0;
    int fine = world->write(world->user, file) && !ferror(file);
    return fclose(file) == 0 && fine;
}

/* So many steps; -1: the order cannot be read. */
static double serve_steps(const peer_world *world)
{
    int steps;
    double tilt, turn, since = peer_seconds();
    if (!peer_read_whole(stdin, &steps, 1) || !peer_read_numbers(stdin, &tilt, 1) ||
        !peer_read_numbers(stdin, &turn, 1))
        return -1;
    for (int k = 0; k < steps; k++) {
        if (k == 0 || turn != 0)
            world->pull(world->user, tilt + turn * ((double)k + 0.5) * world->step);
        world->advance(world->user);
    }
    return peer_seconds() - since;
}

int peer_serve(const peer_world *world, const char *version)
{
    char word[32] = "", path[4096];
    int fine = 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("version %s\n", version);
    while (fine && fscanf(stdin, "%31s", word) == 1) {
        if (strcmp(word, "step") == 0) {
            double took = serve_steps(world);
            fine = took >= 0 && printf("took %.9g\n", took) > 0;
        } else {
            fine = strcmp(word, "motions") == 0 && fscanf(stdin, " %4095[^\n]", path) == 1 &&
                   write_motions(world, path) && printf("done\n") > 0;
        }
    }
    if (!fine)
        fprintf(stderr, "cannot do: %s\n", word);
    return !fine;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double peer_median(double *value, int count, double *spread)
{
    qsort(value, (size_t)count, sizeof *value, ascending);
    double median = 0.5 * (value[(count - 1) / 2] + value[count / 2]);
    *spread = (value[(3 * (count - 1) + 3) / 4] - value[(count - 1) / 4]) / median;
    return median;
}
