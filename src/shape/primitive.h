/* SPDX-License-Identifier: MIT */
/* Primitives of smooth bodies: closed surfaces that have a smooth signed distance in closed form.
 *
 *     superquadric   (|x/a|^(2/ε₂) + |y/b|^(2/ε₂))^(ε₂/ε₁) + |z/c|^(2/ε₁) = 1        half axes a, b, c; exponents ε₁ (along z), ε₂ (across)
 *
 *                    ε = 0.1  ┌──┐      ε = 1  ╭──╮      ε = 1.9  ╱╲      a box, an ellipsoid, nearly an octahedron
 *                             └──┘             ╰──╯               ╲╱
 *
 *     polyhedron     the points below all of its planes: convex, and bounded
 *     cloud          points of a closed surface of any form, with their outward normals
 *
 * Each stands in a pose of its body's frame, and may be taken away from the body instead of added to it. How they are
 * blended into one signed distance is sdf.h. */
#pragma once

#include <stdbool.h>

#include "base/memory.h"
#include "shape/mesh.h"

#define TS_EXPONENT_MIN 0.1
#define TS_EXPONENT_MAX 1.9

typedef enum ts_primitive_kind {
    TS_PRIMITIVE_SUPERQUADRIC = 0,
    TS_PRIMITIVE_POLYHEDRON,
    TS_PRIMITIVE_CLOUD,
    TS_PRIMITIVE_KINDS
} ts_primitive_kind;

typedef struct ts_primitive {
    ts_primitive_kind kind;
    bool subtract;      /* its inside is taken away */
    ts_pose3 pose;      /* of its frame, in the body's */
    ts_vec3 size;       /* superquadric: half axes a, b, c [m] */
    double exponent[2]; /* superquadric: ε₁, ε₂ [1] */
    ts_vec3 *point;     /* polyhedron: a point of each plane; cloud: points of the surface; its frame [m] (count) */
    ts_vec3 *normal;    /* of each of them: unit, outwards (count) */
    size_t count;
    double width; /* cloud: of the kernel that blends the tangent planes of its points [m] */
} ts_primitive;

/* Copies points and normals; `to` is to be released with ts_primitive_release. */
ts_status ts_primitive_copy(const ts_primitive *from, ts_primitive *to, ts_error *error);
void ts_primitive_release(ts_primitive *primitive); /* points and normals */

/* Refuses, with a sentence that says how to mend it: a size or exponent out of range, a pose that is not finite,
 * normals that are not of unit length, an unbounded or empty polyhedron, an empty or inside-out cloud. Sets what may be
 * left out: the width of a cloud (0: from the mean distance of neighbours). */
ts_status ts_primitive_check(ts_primitive *primitive, ts_error *error);

/* What of a primitive may vary from question to question: its pose, and a superquadric's size and exponents. */
typedef struct ts_primitive_numbers {
    ts_vec3 size;
    double exponent[2];
    ts_pose3 pose;
} ts_primitive_numbers;

/* Gives it these numbers if they are in range, and refuses them like ts_primitive_check if not. */
ts_status ts_primitive_set_numbers(ts_primitive *primitive, const ts_primitive_numbers *numbers, ts_error *error);

/* The box around it in its body's frame; finite for all that ts_primitive_check accepts. */
ts_box3 ts_primitive_bounds(const ts_primitive *primitive);
