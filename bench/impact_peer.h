/* SPDX-License-Identifier: MIT */
/* Part of the bench `impact`: contact programs given to Ipopt, which runs as a process of its own
 * (bench/peers/ipopt.c), built when its library is there. What it calls solved is its own affair: the caller gets y,
 * and works out its residual. */
#pragma once

#include "solve/qp.h"

/* How it is asked. */
typedef struct ts_ipopt_way {
    const char *form;     /* "impulses" or "velocities" */
    const char *strategy; /* "monotone", "adaptive" or "mehrotra" */
} ts_ipopt_way;

typedef struct ts_ipopt_result {
    char version[64];
    bool solved; /* as it says itself, to an acceptable level at least */
    int iterations;
    double wall;      /* without reading and without making the matrices [s] */
    double processor; /* [s] */
} ts_ipopt_result;

bool ts_ipopt_installed(void);
/* Writes a program where it can read it. */
ts_status ts_ipopt_write(const ts_qp *qp, const char *path, ts_error *error);
/* Solves the program in that file and waits; files of its own stand beside it. `y` gets its answer (count). */
ts_status ts_ipopt_run(const char *path, const ts_ipopt_way *way, double tolerance, size_t count, double *y,
                       ts_ipopt_result *result, ts_error *error);
