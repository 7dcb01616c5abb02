/* SPDX-License-Identifier: MIT */
/* Training the two networks of a map: data from the exact gap, Adam on minibatches.
 *
 * Deterministic: the same seed, options and instruction set give the same bits on any number of threads. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/threads.h"
#include "cspace/exact.h"
#include "cspace/fold.h"
#include "cspace/network.h"

/* Told now and then: share done, loss, held-out mean error near contact (share of the unit). False stops. */
typedef bool ts_train_progress(void *user, double done, const char *what);

typedef struct ts_training {
    ts_pool *pool;               /* NULL: one thread */
    ts_train_progress *progress; /* may be NULL */
    void *user;
} ts_training;

/* Poses with their true gap, gradient and point: 90 % near contact (poses.h), 10 % anywhere in the disc of radius
 * `reach`, as published; poses are folded. Sample i is a pure function of (seed, i). */
typedef struct ts_samples {
    size_t count;
    float *x, *y, *angle, *gap; /* (count) each, owned; folded poses */
    float *point_x, *point_y;   /* the contact point m in the folded frame of A */
    float *normal_x, *normal_y; /* unit vector along the gradient in (x, y); 0 where that vanishes */
} ts_samples;

ts_status ts_samples_create(const ts_exact *exact, const ts_pair *pair, const ts_fold *fold, size_t count,
                            uint64_t seed, const ts_training *training, ts_samples *samples, ts_error *error);
void ts_samples_free(ts_samples *samples);
/* Whether sample i is one of the 90 % near contact. */
static inline bool ts_samples_near(size_t i)
{
    return i % 10 != 9;
}

/* Trains both networks: the gap's first, then the arms', whose targets use the learned normal. `options` has depth,
 * width, encoding, seed, error (stop early at that held-out mean error, a share of the smaller radius; 0: don't),
 * seconds, samples (visits of the gap's network; the arms' gets half as many). With seconds and no samples all of that
 * time is used. TS_INTERRUPTED when progress says so. */
ts_status ts_network_train(const ts_exact *exact, const ts_pair *pair, const ts_fold *fold,
                           const ts_map_options *options, const ts_training *training, ts_network *network,
                           ts_error *error);

/* ---- One network on any samples: what the above is made of ---- */

/* Samples as a network sees them, TS_TRAIN_ROW floats each: inputs at 0 … 3 (0 where the network has fewer), then
 * targets. */
#define TS_TRAIN_ROW    8
#define TS_TRAIN_TARGET 4 /* targets stand here and at the next place */
#define TS_TRAIN_JUDGE  6 /* 1: a held-out sample whose error counts; else 0 */
typedef struct ts_train_rows {
    size_t count; /* learned from */
    size_t held;  /* held out: these follow, and only judge */
    float *row;   /* (TS_TRAIN_ROW · (count + held)) */
} ts_train_rows;

#define TS_TRAIN_BATCH 768

/* Zero is a good default for every field but visits and seconds, of which one must be given. */
typedef struct ts_train_plan {
    uint64_t visits;  /* samples looked at, each as often as it comes up; 0: until `seconds` are over */
    double seconds;   /* a limit by the clock, which ends determinism; 0: none */
    double error;     /* stop when the held-out mean |error of output 0| is at most this; 0: don't */
    size_t batch;     /* samples of a step; 0: TS_TRAIN_BATCH, fewer in a short training */
    double rate;      /* of learning, at its height; falls to a thousandth along a cosine; 0: by the network's size */
    uint64_t seed;    /* of the order of samples */
    double from, to;  /* which part of the whole this is, for `progress`; both 0: all of it */
    const char *name; /* of the network, for `progress`; may be NULL */
} ts_train_plan;

typedef struct ts_train_report {
    uint64_t visits;
    double seconds;
    double loss;  /* mean squared error of late */
    double error; /* held-out mean |error of output 0|; 0 when nothing is held out */
} ts_train_report;

/* First weights (He et al. 2015), a pure function of the seed. */
void ts_perceptron_start(ts_perceptron *p, uint64_t seed);
/* Adam from the parameters that are there. `report` may be NULL. Packing is left to the caller. */
ts_status ts_perceptron_fit(ts_perceptron *p, const ts_train_rows *rows, const ts_train_plan *given,
                            const ts_training *training, ts_train_report *report, ts_error *error);
