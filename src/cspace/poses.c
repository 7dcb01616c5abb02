/* SPDX-License-Identifier: MIT */
#include "cspace/poses.h"

#include <math.h>

#include "base/random.h"
#include "base/vec.h"

/* About one in ten is taken for outlines of one size, one in a thousand where one is a hundred times as large. */
#define TRIES 30000

/* 32 bits each: steps of 1e-9. */
static ts_relative_pose draw(uint64_t seed, ts_pose_stream stream, uint64_t index, uint32_t attempt, double radius)
{
    const double unit = 0x1p-32;
    const uint32_t counter[4] = {attempt, (uint32_t)stream, (uint32_t)index, (uint32_t)(index >> 32)};
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    ts_random_block r = ts_random_philox(counter, key);
    double away = radius * sqrt((r.word[0] + 0.5) * unit), direction = 2 * TS_PI * (r.word[1] * unit);
    return (ts_relative_pose){away * cos(direction), away * sin(direction), 2 * TS_PI * (r.word[2] * unit) - TS_PI};
}

ts_relative_pose ts_pose_draw(uint64_t seed, ts_pose_stream stream, uint64_t index, double radius)
{
    return draw(seed, stream, index, 0, radius);
}

bool ts_pose_draw_near(const ts_exact *exact, const ts_pair *pair, uint64_t seed, ts_pose_stream stream, uint64_t index,
                       ts_relative_pose *pose)
{
    const double band = ts_near_band(pair), radius = pair->reach + band;
    for (uint32_t attempt = 0; attempt < TRIES; attempt++) {
        *pose = draw(seed, stream, index, attempt, radius);
        if (fabs(ts_exact_at(exact, pose->x, pose->y, pose->angle, band).gap) <= band)
            return true;
    }
    return false;
}
