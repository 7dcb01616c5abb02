/* SPDX-License-Identifier: MIT */
/* Contact laws that are one function: the force of a contact, in plane and space.
 *
 *     static ts_vec3 push(const ts_model *model, const ts_touching *t)
 *     {
 *         return ts_vec3_scale(t->normal, ((const param *)model->param)->force);
 *     }
 *
 * A dynamics with such a function (`force` in its row) takes its two resolvers from here. They find all contacts of the
 * step, hand them to the law one by one, and let the force act on both bodies at one point, equal and opposite: linear
 * and angular momentum are kept to rounding. docs/design.md, "Add a contact law", has a worked example.
 *
 * Contacts are found and forces act in the middle of the step; velocities are those of its beginning. All on one
 * thread: a law that must be fast has a resolver of its own, as penalty.c does. It keeps no history.
 *
 * A law that stores energy may say how much (`energy` in its row). Then it counts as elastic, and a run is watched for
 * energy from nowhere (record/energy_guard.h); a law that does not say is not watched. */
#pragma once

#include "dynamics/dynamics.h"

/* Two that touch at a place. z = 0 in the plane. */
typedef struct ts_touching {
    int64_t a, b;              /* bodies; -1 - i: wall i, always A */
    uint64_t key;              /* which place of the two: the same from step to step */
    double gap;                /* 0 or below: overlap [m] */
    ts_vec3 normal;            /* unit, from A to B */
    ts_vec3 point;             /* half-way between the surfaces, world frame [m] */
    ts_vec3 velocity;          /* of B there, seen from A; along the normal above 0: they part [m/s] */
    ts_vec3 velocity_a;        /* of A there [m/s] */
    ts_vec3 origin_a;          /* of A's frame [m] */
    double share;              /* of the pair's force that this place has: below 1 where they touch at several. What the
                                  law returns is multiplied by it afterwards [1] */
    double mass;               /* m_a m_b / (m_a + m_b); what cannot move counts as infinite [kg] */
    const ts_contact_law *law; /* of the two materials: friction and, if derived, stiffness and damping */
} ts_touching;

extern const ts_resolver ts_force_in_plane, ts_force_in_space;
