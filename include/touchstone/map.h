/* SPDX-License-Identifier: MIT */
/**
 * @file map.h
 * Contact maps: the geometry of two outlines as a function of their relative pose.
 *
 * Two outlines A and B stand at poses (x, y, angle). A map answers for them: how far apart are they, in which direction
 * does that distance grow, and where do they touch. It is worked out from the outlines (exact, sampled) or beforehand,
 * over all relative poses, and looked up (network, table).
 *
 *     gap     > 0: the distance between the outlines;  < 0: minus the depth, the width of the largest disc that fits in their
 *             overlap; continuous in the poses
 *     normal  unit vector from A to B, the direction in which the gap grows when B moves
 *     slope   by how much: |∂gap/∂x_B|; 1 where one point touches one edge, less where a corner is pressed in or where several
 *             places touch at once
 *     turn    ∂gap/∂angle of each body: the lever of the normal force
 *     arm     (contact point - centre) · normal of each body: the lever of friction
 *
 * Both bodies feel a contact at one common point, so whatever a contact law does with a record, momentum and angular
 * momentum are kept:
 *
 *     turn_a + turn_b + slope · (x_B - x_A) × normal = 0         arm_a - arm_b = (x_B - x_A) · normal
 *
 * Poses are of the centres of mass. A map never changes once it is made; any number of threads may ask it at once.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "touchstone/shape.h"
#include "touchstone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How a map knows. */
typedef enum ts_map_kind {
    TS_MAP_AUTO =
        0, /**< the smallest table that reaches `error` within `bytes`, or, with `bytes` alone, the best within
                             them; exact when none will do */
    TS_MAP_EXACT = 1,   /**< from the outlines, at every query */
    TS_MAP_SAMPLED = 2, /**< from both distance fields on a grid of points, at every query: as published, and slow */
    TS_MAP_NETWORK = 3, /**< two small ReLU networks, trained when the map is made: as published */
    TS_MAP_TABLE = 4    /**< smooth interpolation between values in a narrow band about contact */
} ts_map_kind;

/** What a network is told of the angle. */
typedef enum ts_map_encoding {
    TS_ENCODING_CIRCLE = 0, /**< (cos, sin): no jump at a full turn */
    TS_ENCODING_RAW = 1     /**< the angle itself, in [-π, π]: as published */
} ts_map_encoding;

/** What a map shall be. Zero is a good default for every field. */
typedef struct ts_map_options {
    ts_map_kind kind; /**< 0: auto */
    double error;     /**< auto, table, network: mean error near contact that will do, as a share of the smaller
                                   radius; 0: 0.002, or with `bytes` given the least that they allow (network: as good
                                   as it gets in its time) */
    size_t bytes;     /**< auto, table: at most this many; 0: 524288 */
    bool no_folding;  /**< network, table: make no use of symmetry (as published) */
    double smoothing; /**< exact, sampled alone: width over which corners are rounded in pose space, as a share of the
                                   larger radius; 0: none. Other kinds take no notice of it */
    int32_t grid;     /**< sampled: points a side; 0: 201 */
    bool refine;      /**< sampled: from the best point of the grid down to the minimum */
    int32_t depth;    /**< network: hidden layers; 0: 5 */
    int32_t width;    /**< network: neurons a layer; 0: 64 */
    ts_map_encoding encoding; /**< network */
    double seconds;           /**< network: stop after about this long, which ends determinism; 0: no limit */
    uint64_t samples;         /**< network: how many samples training looks at; 0: chosen by the network's size */
    uint64_t seed;            /**< network: of data and weights */
} ts_map_options;

/** Two poses. */
typedef struct ts_map_pose {
    double a[3];  /**< x [m], y [m], angle [rad] of A */
    double b[3];  /**< of B */
    double scale; /**< both outlines are this many times as large as the ones that the map was made for; 0 counts as
                       1. A pose with a scale below 0, or with a number that is not finite, is none: its record is all
                       NaN */
} ts_map_pose;

/** What a map answers. */
typedef struct ts_map_contact {
    double gap;        /**< [m] */
    double normal[2];  /**< from A to B, in the world */
    double slope;      /**< |∂gap/∂x_B| [1] */
    double turn_a;     /**< ∂gap/∂angle of A [m] */
    double turn_b;     /**< ∂gap/∂angle of B [m] */
    double arm_a;      /**< (contact point - centre of A) · normal [m] */
    double arm_b;      /**< (contact point - centre of B) · normal [m] */
    double point_a[2]; /**< point on A, in the world [m] */
    double point_b[2]; /**< point on B: point_a + gap · normal [m] */
} ts_map_contact;

/** A map of one pair of outlines. */
typedef struct ts_map ts_map;

/** Told how far making a map has come, `done` from 0 to 1; `what` is a few words. Returning false stops it. */
typedef bool ts_map_progress(void *user, double done, const char *what);

/** How to make a map. Zero is a good default for every field. */
typedef struct ts_map_making {
    int threads;               /**< 0: one a core */
    const char *cache;         /**< folder to look in and to keep it in; NULL: ts_map_cache_folder(); "": none */
    bool rebuild;              /**< make it anew even if the cache has it */
    ts_map_progress *progress; /**< may be NULL */
    void *progress_user;       /**< handed to it */
} ts_map_making;

/** How far a map is from the truth, measured on poses that it was not made from. All lengths, also the gaps that are
 * meant by
 *  "near" and "clearly", are shares of the smaller of the two radii: a small grain at a large one must not be off by its own size. */
typedef struct ts_map_errors {
    uint64_t samples;   /**< poses near contact: |true gap| at most 0.1 */
    double mean;        /**< of |gap - true gap| */
    double high;        /**< 99 % are below */
    double worst;       /**< largest */
    double normal_mean; /**< angle between normal and true normal [rad] */
    double normal_high; /**< 99 % are below [rad] */
    double arm_mean;    /**< of |arm - true arm| */
    double turn_mean;   /**< of |turn - true turn|, over both bodies [1/rad] */
    double
        sign; /**< share of right signs among poses that are clearly apart or clearly not, |true gap| > 0.01: those of
                      the poses near contact, and of a tenth as many anywhere in the disc in which the centres are no
                      farther apart than both radii together */
    double surface; /**< Hausdorff distance between the surfaces gap = 0, sampled; equal to surface_limit: or more */
    double surface_limit; /**< how far from a point of one surface the other was looked for */
} ts_map_errors;

/** What there is to know about a map. */
typedef struct ts_map_info {
    ts_map_kind kind;       /**< never auto */
    size_t bytes;           /**< what has to be kept, besides the outlines: the parameters or the table, as in a file */
    double radius_a;        /**< of A about its centre of mass [m] */
    double radius_b;        /**< of B [m] */
    uint64_t hash_a;        /**< of A's form */
    uint64_t hash_b;        /**< of B's form */
    double build_seconds;   /**< how long making took, whenever that was; without waiting for others who made it */
    bool from_cache;        /**< it was found in the cache, not made; false for what ts_map_read reads */
    ts_map_errors errors;   /**< measured when it was made; samples 0: not measured (exact) */
    ts_map_options options; /**< as it was made, defaults filled in */
} ts_map_info;

/** Makes a map, or takes it from the cache. Outlines may lie anywhere and have any size; only their forms and the ratio
 * of
 *  their sizes matter for what is stored. A with B and B with A share one map, and have the same records to the bit, but for
 *  signs and for what is A's and what is B's. */
TS_API ts_status ts_map_create(const ts_outline *a, const ts_outline *b, const ts_map_options *options,
                               const ts_map_making *making, ts_map **map, ts_error *error);
/** Frees a map; NULL is allowed. */
TS_API void ts_map_free(ts_map *map);
/** Answers `count` poses. */
TS_API void ts_map_query(const ts_map *map, size_t count, const ts_map_pose *pose, ts_map_contact *contact);
/** What there is to know about it. */
TS_API ts_map_info ts_map_get_info(const ts_map *map);
/** Measures how far it is from the truth, on `samples` poses near contact and a tenth as many anywhere in reach. */
TS_API ts_status ts_map_measure(const ts_map *map, uint64_t samples, uint64_t seed, int threads, ts_map_errors *errors,
                                ts_error *error);
/** Writes a map to a file. Exact and sampled maps have nothing to write and are refused. */
TS_API ts_status ts_map_write(const ts_map *map, const char *path, ts_error *error);
/** Reads one. The outlines are in the file. */
TS_API ts_status ts_map_read(const char *path, ts_map **map, ts_error *error);
/** Where maps are kept: $TOUCHSTONE_CACHE, else $XDG_CACHE_HOME/touchstone, else ~/.cache/touchstone; empty when there
 * is no such
 *  place. Writes at most `capacity` bytes with the terminating zero, and returns `text`. */
TS_API char *ts_map_cache_folder(char *text, size_t capacity);
/** "auto", "exact", "sampled", "network" or "table". */
TS_API const char *ts_map_kind_name(ts_map_kind kind);

#ifdef __cplusplus
}
#endif
