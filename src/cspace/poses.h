/* SPDX-License-Identifier: MIT */
/* Random poses of B in A's frame: anywhere, and near contact.
 *
 * Whatever asks how good a map is, or learns from the truth, draws its poses here. Each is a pure function of (seed,
 * stream, index), so any thread may draw any pose. Contact at a gap up to `band` is possible while the centres are no
 * farther apart than both radii and that band: a smaller disc would never show the positive gaps of discs, and few of
 * other convex outlines. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cspace/exact.h"
#include "cspace/pair.h"

#define TS_NEAR_SHARE 0.1 /* near contact means: |gap| at most this share of the smaller radius */

/* Poses drawn for different ends. */
typedef enum ts_pose_stream {
    TS_POSES_TRAIN = 0x73616d70, /* what a network learns from */
    TS_POSES_NEAR = 0x61737301,  /* what a map is measured on: must be none of those */
    TS_POSES_ANYWHERE = 0x61737302,
    TS_POSES_TIME = 0x74696d65 /* what it is asked when it is timed */
} ts_pose_stream;

typedef struct ts_relative_pose {
    double x, y, angle;
} ts_relative_pose;

/* How far from zero a gap may be to count as near, in the pair's unit. */
static inline double ts_near_band(const ts_pair *pair)
{
    return TS_NEAR_SHARE * pair->small;
}

/* Uniform over the disc of this radius and over all angles. */
ts_relative_pose ts_pose_draw(uint64_t seed, ts_pose_stream stream, uint64_t index, double radius);
/* Uniform over all poses near contact, by rejection. False, with whatever came last, when none was found in a few ten
 * thousand: outlines that have next to no boundary within reach, or of which one is thousands of times as large as the
 * other. */
bool ts_pose_draw_near(const ts_exact *exact, const ts_pair *pair, uint64_t seed, ts_pose_stream stream, uint64_t index,
                       ts_relative_pose *pose);
