/* SPDX-License-Identifier: MIT */
/* Small scenes through the public API, and what becomes of them.
 *
 *     ts_test_world w = {0};
 *     ts_test_open(&w, 0);                          no gravity
 *     ts_test_body(w.scene, ts_test_disc(w.scene, 0.1), 0, 0);
 *     ts_test_start(&w, 1);                         compiled, with a state and a workspace of one thread
 *     ts_test_step(&w, 100);
 *     ts_test_close(&w);
 *
 * Every call fails the test when the library fails. */
#pragma once

#include "touchstone/touchstone.h"

typedef struct ts_test_world {
    ts_scene *scene;
    ts_model *model;
    ts_state *state;
    ts_workspace *work;
} ts_test_world;

/* An empty scene with this gravity along y [m/s²]. */
void ts_test_open(ts_test_world *w, double gravity);
/* Where outlines touch (ts_dynamics_def.places), with the penalty law. */
void ts_test_places(ts_scene *scene, const char *places);
/* The scene's model, ready to be stepped: without state and workspace. */
void ts_test_compile(ts_test_world *w);
void ts_test_start(ts_test_world *w, int threads);
void ts_test_step(ts_test_world *w, uint64_t count);
void ts_test_close(ts_test_world *w);

/* Hash of all of the state: what ts_state_hash hashes, and the energy budget. */
uint64_t ts_test_hash(const ts_state *state);

/* Each returns the index of what it added. */
int32_t ts_test_disc(ts_scene *scene, double radius);
/* Three discs of this radius in a corner-sharing triangle, overlapping a little: not symmetric about any line of the
 * body. */
int32_t ts_test_triad(ts_scene *scene, double radius);
/* A row of discs of this radius, a rod `count` discs long. */
int32_t ts_test_rod(ts_scene *scene, double radius, int count);
/* An outline with sharp corners. */
int32_t ts_test_box_shape(ts_scene *scene, double width, double height);
int32_t ts_test_body(ts_scene *scene, int32_t shape, double x, double y);
int32_t ts_test_body_moving(ts_scene *scene, int32_t shape, double x, double y, double vx, double vy, double spin);
int32_t ts_test_fixed(ts_scene *scene, const char *name, int32_t shape, double x, double y);
int32_t ts_test_plane(ts_scene *scene, const char *name, double x, double y, double nx, double ny);
int32_t ts_test_circle(ts_scene *scene, const char *name, double x, double y, double radius);
int32_t ts_test_polyline(ts_scene *scene, const char *name, const ts_vertex *vertex, size_t count, bool open);
/* An outline as a wall about (x, y), with bodies outside or inside. Frees the outline. */
int32_t ts_test_outline(ts_scene *scene, const char *name, ts_outline *outline, double x, double y, bool inside);
/* A floor at y = 0 and walls at x = 0 and x = width. */
void ts_test_box(ts_scene *scene, double width);
/* Fills a box at random with `count` grains of one shape at scales low … high, with random velocities of this
 * spread. */
void ts_test_fill(ts_scene *scene, const double a[2], const double b[2], size_t count, int32_t shape, double low,
                  double high, double spread);
/* The same with any mix. */
void ts_test_fill_mix(ts_scene *scene, const double a[2], const double b[2], size_t count, const ts_mix_entry *mix,
                      size_t mix_count, double spread);
