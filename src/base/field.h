/* SPDX-License-Identifier: MIT */
/* Keys of a scene file as tables: for each key its type, its quantity, its range, and where its value goes.
 *
 *     typedef struct param { double force; } param;
 *     static const ts_field field[] = {TS_KEY(param, "force", force, NUMBER, FORCE, POSITIVE, 0)};
 *
 * Reading, messages for unknown keys and a test that compares the tables with docs/scene.schema.json follow from them
 * (scene/read_form.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "base/hash.h"

/* What a number measures, in SI units; scene/units.h has the units that a text may name. */
typedef enum ts_quantity {
    TS_QUANTITY_NONE,            /* a plain number */
    TS_QUANTITY_LENGTH,          /* [m] */
    TS_QUANTITY_TIME,            /* [s] */
    TS_QUANTITY_ANGLE,           /* [rad] */
    TS_QUANTITY_SPEED,           /* [m/s] */
    TS_QUANTITY_SPIN,            /* [rad/s] */
    TS_QUANTITY_ACCELERATION,    /* [m/s²] */
    TS_QUANTITY_FREQUENCY,       /* [Hz] */
    TS_QUANTITY_DENSITY,         /* mass per area [kg/m²] */
    TS_QUANTITY_STIFFNESS,       /* [N/m] */
    TS_QUANTITY_DAMPING,         /* [N·s/m] */
    TS_QUANTITY_VOLUME_DENSITY,  /* mass per volume [kg/m³] */
    TS_QUANTITY_CUBIC_STIFFNESS, /* [N/m³] */
    TS_QUANTITY_FORCE,           /* [N] */
    TS_QUANTITY_COUNT
} ts_quantity;

typedef enum ts_field_type {
    TS_FIELD_CUSTOM,   /* read by the form's own function; here only its name is known */
    TS_FIELD_NUMBER,   /* double */
    TS_FIELD_VECTOR,   /* double[3], from a list of two in the plane (z stays as it is) and of three in space */
    TS_FIELD_FLAG,     /* bool */
    TS_FIELD_INTEGER,  /* uint64_t, up to 2^53 - 1 as in any JSON */
    TS_FIELD_TEXT,     /* const char *, in the reader's arena */
    TS_FIELD_SHAPE,    /* int32_t, from the name of a shape */
    TS_FIELD_GRAIN,    /* the same; -1 for the name of a group of shapes, which the form's own function looks up */
    TS_FIELD_MATERIAL, /* int32_t, from the name of a material */
    TS_FIELD_BODY,     /* const char *, the name of a body */
    TS_FIELD_TARGET    /* const char *, the name of a body, a wall or a generator */
} ts_field_type;

typedef enum ts_field_range {
    TS_RANGE_ANY,
    TS_RANGE_POSITIVE,
    TS_RANGE_NOT_NEGATIVE,
    TS_RANGE_SHARE,   /* 0 to 1 */
    TS_RANGE_THOUSAND /* 1 to 1000, of whole numbers */
} ts_field_range;

enum {
    TS_FIELD_REQUIRED = 1,
    TS_FIELD_AUTO = 2,    /* the word "auto" stands for 0: derive it */
    TS_FIELD_PLANE = 4,   /* in scenes of the plane alone */
    TS_FIELD_SPACE = 8,   /* in scenes of space alone */
    TS_FIELD_DERIVES = 16 /* serves to derive other values: results depend on those alone */
};

typedef struct ts_field {
    const char *key;
    ts_field_type type;
    ts_quantity quantity; /* of numbers and vectors */
    ts_field_range range; /* of numbers, and of each component of vectors */
    unsigned flags;
    size_t offset; /* of the value in the struct that is read into */
} ts_field;

/* One row: the key, and the member of a struct that its value goes to. */
/* clang-format off */
#define TS_KEY(type, key, member, kind, quantity, range, flags) \
    {key, TS_FIELD_##kind, TS_QUANTITY_##quantity, TS_RANGE_##range, flags, offsetof(type, member)}
/* clang-format on */

/* Whether a number is in the range of a field; the message names its key. */
ts_status ts_field_check(const ts_check *check, const ts_field *field, double number);
/* The same for a whole number of that range. */
ts_status ts_field_check_integer(const ts_check *check, const char *key, ts_field_range range, double number);
/* The row of that key, or NULL. */
const ts_field *ts_field_find(const ts_field *field, size_t count, const char *key);
/* A hash of the numbers, flags and texts that a table describes, and of their keys. */
uint64_t ts_fields_hash(const ts_field *field, size_t count, const void *values, uint64_t before);
/* ", key value unit" of all that are neither 0 nor missing, for people. Returns `text`. */
const char *ts_fields_show(const ts_field *field, size_t count, const void *values, char *text, size_t capacity);
