/* SPDX-License-Identifier: MIT */
/* How the tables of keys are written: read_keys.c, read_keys_space.c. */
#pragma once

#include "scene/read_form.h"

/* The usual case: the key is the name of the struct's member. */
/* clang-format off */
#define FIELD(type, key, kind, quantity, range, flags) \
    {#key, TS_FIELD_##kind, TS_QUANTITY_##quantity, TS_RANGE_##range, flags, offsetof(type, key)}
#define RENAMED(type, key, member, kind, quantity, range, flags) \
    {key, TS_FIELD_##kind, TS_QUANTITY_##quantity, TS_RANGE_##range, flags, offsetof(type, member)}
#define CUSTOM(key, flags) {key, TS_FIELD_CUSTOM, TS_QUANTITY_NONE, TS_RANGE_ANY, flags, 0}
#define FORM(name, what, kind, field) {name, what, kind, field, sizeof(field) / sizeof((field)[0])}
/* clang-format on */
#define REQUIRED TS_FIELD_REQUIRED
#define AUTO     TS_FIELD_AUTO

/* ---- Contact laws, of the plane and of space ---- */

/* `prefix` is where a material lies in the struct that is read into. */
#define CONTACT_FIELDS(type, prefix)                                                              \
    RENAMED(type, "friction", prefix friction, NUMBER, NONE, NOT_NEGATIVE, 0),                    \
        RENAMED(type, "restitution", prefix restitution, NUMBER, NONE, SHARE, 0),                 \
        RENAMED(type, "stiffness", prefix stiffness, NUMBER, STIFFNESS, POSITIVE, AUTO),          \
        RENAMED(type, "stiffness_ratio", prefix stiffness_ratio, NUMBER, NONE, NOT_NEGATIVE, 0),  \
        RENAMED(type, "normal_damping", prefix normal_damping, NUMBER, DAMPING, NOT_NEGATIVE, 0), \
        RENAMED(type, "tangential_damping", prefix tangential_damping, NUMBER, DAMPING, NOT_NEGATIVE, 0)
