/* SPDX-License-Identifier: MIT */
/* How the tables of keys are written: read_keys.c, read_keys_shape.c. */
#pragma once

#include "scene/read_form.h"

/* The usual case: the key is the name of the struct's member. */
/* clang-format off */
#define FIELD(type, key, kind, quantity, range, flags) \
    {#key, TS_FIELD_##kind, TS_QUANTITY_##quantity, TS_RANGE_##range, flags, offsetof(type, key)}
#define RENAMED(type, key, member, kind, quantity, range, flags) \
    TS_KEY(type, key, member, kind, quantity, range, flags)
#define CUSTOM(key, flags) {key, TS_FIELD_CUSTOM, TS_QUANTITY_NONE, TS_RANGE_ANY, flags, 0}
#define FORM(name, what, kind, field, where, value) \
    {name, what, kind, field, sizeof(field) / sizeof((field)[0]), where, value}
/* clang-format on */
#define REQUIRED TS_FIELD_REQUIRED
#define AUTO     TS_FIELD_AUTO
#define PLANE    TS_FIELD_PLANE
#define SPACE    TS_FIELD_SPACE
