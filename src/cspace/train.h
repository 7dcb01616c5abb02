/* SPDX-License-Identifier: MIT */
/* Training the two networks of a map: data from the exact gap, Adam on minibatches.
 *
 * Deterministic: the same seed, options and instruction set give the same bits on any number of threads. */
#pragma once

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

/* Poses with their true gap, gradient and point: 90 % with |gap| ≤ 0.1 by rejection, 10 % anywhere in the disc of radius `reach`;
 * poses are folded. Sample i is a pure function of (seed, i). */
typedef struct ts_samples {
    size_t count;
    float *x, *y, *angle, *gap; /* (count) each, owned; folded poses */
    float *point_x, *point_y;   /* the contact point m in the folded frame of A */
} ts_samples;

ts_status ts_samples_create(const ts_exact *exact, const ts_pair *pair, const ts_fold *fold, size_t count,
                            uint64_t seed, const ts_training *training, ts_samples *samples, ts_error *error);
void ts_samples_free(ts_samples *samples);

/* Trains both networks: the gap's first, then the arms', whose targets use the learned normal. `options` has depth, width, encoding,
 * seed, error (stop early at that held-out mean error; 0: don't), seconds, samples. */
ts_status ts_network_train(const ts_exact *exact, const ts_pair *pair, const ts_fold *fold,
                           const ts_map_options *options, const ts_training *training, ts_network *network,
                           ts_error *error);
