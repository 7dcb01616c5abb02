/* SPDX-License-Identifier: MIT */
/* Joints of a chain: which of them still hold. */
#include <math.h>

#include "base/given.h"
#include "measure/edges.h"

/* A row whose centres have come this many times as far apart as at first has parted. */
static const double usual_factor = 1.5;

ts_status ts_joints_of_row(const ts_snapshot *snapshot, size_t first, size_t count, double factor, ts_joint *joint,
                           ts_error *error)
{
    TS_GIVEN(joint, "joints", error);
    TS_TRY(ts_need_plane(snapshot, "a joint", error));
    if (factor == 0)
        factor = usual_factor;
    if (!(factor >= 1) || !isfinite(factor))
        return ts_fail(error, TS_BAD_INPUT, "joints: the factor is %g; give 1 or more, or 0 for 1.5", factor);
    if (first >= snapshot->body_count || count >= snapshot->body_count - first)
        return ts_fail(error, TS_BAD_INPUT,
                       "joints: %zu joints from body %zu on need one body more, but there are %zu bodies", count, first,
                       snapshot->body_count);
    for (size_t k = 0; k < count; k++) {
        const ts_snapshot_body *a = &snapshot->body[first + k], *b = a + 1;
        joint[k] =
            (ts_joint){.a = first + k,
                       .b = first + k + 1,
                       .reach = factor * hypot(b->position[0] - a->position[0], b->position[1] - a->position[1])};
        if (!(joint[k].reach > 0))
            return ts_fail(error, TS_BAD_INPUT,
                           "joints: bodies %zu and %zu have one centre, so that no distance of "
                           "theirs can be a limit; give the joint points and a limit",
                           first + k, first + k + 1);
    }
    return TS_OK;
}

/* How far the joint is stretched, over its limits: 1 just holds. */
static double stretch_of(const ts_snapshot *snapshot, const ts_joint *joint)
{
    const ts_snapshot_body *a = &snapshot->body[joint->a], *b = &snapshot->body[joint->b];
    double dx = b->position[0] - a->position[0], dy = b->position[1] - a->position[1], stretch = 0;
    if (joint->reach > 0)
        stretch = hypot(dx, dy) / joint->reach;
    if (joint->limit > 0) {
        double ca = a->scale * cos(a->angle), sa = a->scale * sin(a->angle);
        double cb = b->scale * cos(b->angle), sb = b->scale * sin(b->angle);
        dx += (cb * joint->at_b[0] - sb * joint->at_b[1]) - (ca * joint->at_a[0] - sa * joint->at_a[1]);
        dy += (sb * joint->at_b[0] + cb * joint->at_b[1]) - (sa * joint->at_a[0] + ca * joint->at_a[1]);
        stretch = fmax(stretch, hypot(dx, dy) / joint->limit);
    }
    return stretch;
}

static ts_status check(const ts_snapshot *snapshot, const ts_joint *joint, size_t k, ts_error *error)
{
    const ts_joint *j = &joint[k];
    if (j->a >= snapshot->body_count || j->b >= snapshot->body_count || j->a == j->b)
        return ts_fail(error, TS_BAD_INPUT, "joints: joint %zu links %zu and %zu, but must link two of the %zu bodies",
                       k, j->a, j->b, snapshot->body_count);
    bool finite = isfinite(j->reach) && isfinite(j->limit) && isfinite(j->at_a[0]) && isfinite(j->at_a[1]) &&
                  isfinite(j->at_b[0]) && isfinite(j->at_b[1]);
    if (!finite || j->reach < 0 || j->limit < 0 || !(j->reach > 0 || j->limit > 0))
        return ts_fail(error, TS_BAD_INPUT,
                       "joints: joint %zu has reach %g and limit %g; give one of them at least, and nothing negative",
                       k, j->reach, j->limit);
    return TS_OK;
}

ts_status ts_measure_joints(const ts_snapshot *snapshot, const ts_joint *joint, size_t count, ts_joints *out,
                            ts_error *error)
{
    TS_GIVEN(out, "joints", error);
    if (count > 0)
        TS_GIVEN(joint, "joints", error);
    TS_TRY(ts_need_plane(snapshot, "a joint", error));
    ts_joints joints = {.count = count, .first = count};
    size_t run = 0;
    for (size_t k = 0; k < count; k++) {
        TS_TRY(check(snapshot, joint, k, error));
        double stretch = stretch_of(snapshot, &joint[k]);
        bool there = snapshot->body[joint[k].a].present && snapshot->body[joint[k].b].present;
        if (there)
            joints.stretch = fmax(joints.stretch, stretch);
        bool holds = there && stretch <= 1; /* a NaN does not hold */
        run = holds ? run + 1 : 0;
        joints.run = run > joints.run ? run : joints.run;
        joints.intact += holds;
        if (!holds && joints.first == count)
            joints.first = k;
    }
    *out = joints;
    return TS_OK;
}
