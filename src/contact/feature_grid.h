/* SPDX-License-Identifier: MIT */
/* Which features of a shape are near a point: a grid of lists over its bounding box. */
#pragma once

#include "contact/features.h"

/* A feature of the grid: an edge, or a point that is numbered after all edges. */
struct ts_feature_grid {
    double low[2], inv_cell;
    int32_t size[2];
    int32_t *begin; /* first entry of each cell (cells + 1) */
    int32_t *item;
    int32_t (*first)[2]; /* the lowest cell that a feature is in, of edges and then points */
    size_t bytes;
};

/* For shapes with more than a few features; otherwise f->grid stays NULL. */
ts_status ts_feature_grid_create(ts_features *f, ts_error *error);
void ts_feature_grid_free(ts_feature_grid *grid); /* NULL is fine */
size_t ts_feature_grid_bytes(const ts_feature_grid *grid);

/* Visits each feature whose box comes within `reach` of the box around (x, y) once. Start with cell = -1. Returns the
 * feature, or -1 at the end. */
typedef struct ts_feature_visit {
    int32_t from[2], to[2], at[2], entry;
    bool empty;
} ts_feature_visit;
ts_feature_visit ts_feature_visit_begin(const ts_features *f, double x, double y, double reach);
int32_t ts_feature_visit_next(const ts_features *f, ts_feature_visit *visit);
