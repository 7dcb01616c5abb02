/* SPDX-License-Identifier: MIT */
/* Filling a region with grains.
 *
 * Grains lie in the region with their bounding circles or balls, clear of walls. On a lattice, between shapes of discs
 * and in space it is those circles that keep apart; random insertion in the plane looks at outlines themselves, so that
 * letters stand in each other's bays, and a lattice does so with what stands there already. The result is a function of
 * the scene's seed and of the generator's place in the scene.
 *
 *     lattice   rows from the bottom, at the pitch of the largest grain       ◯ ◯ ◯ ◯
 *               that there may be; sites that are blocked stay empty           ◯ ◯ ◯
 *                                                                             ◯ ◯ ◯ ◯
 *     random    each tried at random places until one is free, in the plane large grains first
 *     line      plane: one beside the other along lines and arcs: a rough wall. Fixed ones may overlap each other.
 *
 * generate.c decides what the grains are and drives the filling; generate_plane.c and generate_space.c know where there
 * is room. */
#pragma once

#include "base/random.h"
#include "contact/touch.h"
#include "scene/compile.h"

/* What random numbers are for. */
typedef enum ts_stream {
    TS_STREAM_SHUFFLE,
    TS_STREAM_SCALE,
    TS_STREAM_POSITION,
    TS_STREAM_TURN,
    TS_STREAM_VELOCITY,
    TS_STREAM_COUNT
} ts_stream;

/* A generator at work. */
typedef struct ts_generating {
    ts_compiler *c; /* NULL while grains are counted only */
    const ts_scene *scene;
    const ts_scene_generator *generator;
    const ts_generator_def *def;
    const struct ts_filling *by;
    uint64_t stream;      /* first of this generator */
    size_t first_body;    /* id of grain 0 */
    ts_body_def *grain;   /* (count) */
    size_t count;         /* the definition's own, or what a packing fraction or a line makes of it */
    ts_touch_array touch; /* space: scratch */
    ts_error *error;
} ts_generating;

/* What depends on the dimension. */
typedef struct ts_filling {
    uint64_t stream_first, stream_step;      /* streams of generator g begin at stream_first + g · stream_step */
    uint64_t stream_number[TS_STREAM_COUNT]; /* and have these numbers from there */
    int tries_max;                           /* random insertion gives up on a grain after so many */
    bool large_first;                        /* random insertion begins with large grains */

    /* Sets a stream to the numbers of grain i; `many`: it may take any number of them. NULL: they follow each other. */
    void (*seek)(const ts_generating *j, ts_stream purpose, bool many, size_t i, ts_random *random);
    /* A random orientation. */
    void (*turn)(ts_random *random, ts_body_def *grain);
    /* Fills a lattice. */
    ts_status (*lattice)(ts_generating *j);
    /* Sets grain i at a random place of the region where it fits; false when there is none. */
    bool (*random_place)(const ts_generating *j, size_t i, ts_random *random);
    /* Whether grain i has room where it is. */
    ts_status (*has_room)(ts_generating *j, size_t i, bool *room);
    /* Fills a line; NULL: it has none. */
    ts_status (*line)(ts_generating *j);
} ts_filling;

extern const ts_filling ts_filling_plane, ts_filling_space;

/* The functions that both have, by the names that they have in their files. */
#define TS_FILLING_FUNCTIONS .turn = turn, .lattice = fill_lattice, .random_place = random_place, .has_room = has_room

/* A share of a length that counts as touching: a region given in decimals must hold what fits it exactly. */
#define TS_TOUCHING               1e-9

#define TS_GENERATOR_FAIL(j, ...) ts_fail_at((j)->error, TS_BAD_INPUT, (j)->generator->place, __VA_ARGS__)

/* How many grains generator g will make: its count, or what covers its packing fraction, or what its line holds. */
ts_status ts_generate_count(const ts_scene *scene, size_t g, size_t *count, ts_error *error);
/* Fills grain[] for generator g, bodies c->generator_begin[g] …, and chooses what they look like. */
ts_status ts_generate(ts_compiler *c, size_t g, ts_body_def *grain);

/* For the two: numbers of a stream from its beginning; radius of grain i; puts it among the occupied places; what
 * messages say should be lowered; the message of a region that is full. */
ts_random ts_generator_stream(const ts_generating *j, ts_stream purpose);
double ts_grain_radius(const ts_generating *j, size_t i);
ts_vec3 ts_grain_position(const ts_generating *j, size_t i);
ts_status ts_grain_occupy(ts_generating *j, size_t i);
ts_status ts_lattice_is_full(const ts_generating *j, size_t placed, double pitch);
/* Length of a line, and mean diameter of the mix's grains by number [m]. */
double ts_generator_line_length(const ts_contour *line);
double ts_generator_mean_diameter(const ts_generating *j);

/* Signed distance of a disc from a wall of the plane at displacement zero, negative beyond it [m]. */
double ts_wall_distance(const ts_wall *wall, double x, double y, double radius);
