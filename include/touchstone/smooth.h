/* SPDX-License-Identifier: MIT */
/**
 * @file smooth.h
 * Smooth bodies: a signed distance φ that is blended from pieces, and a mesh whose vertices stand on φ = 0. How two of
 * them touch is in manifold.h.
 *
 *     ts_smooth_piece piece = {.kind = TS_SMOOTH_SUPERQUADRIC, .size = {0.1, 0.1, 0.2}, .exponents = {0.5, 1}};
 *     ts_smooth_def def = ts_default_smooth();
 *     def.piece = &piece, def.piece_count = 1;
 *     ts_smooth_create(&def, &body, &error);
 *
 * φ < 0 inside, > 0 outside; it is a distance near the surface only. Everything is in the body's own frame. Bodies never
 * change once they are made, so any number of threads may ask one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "touchstone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A smooth body. */
typedef struct ts_sdf_body ts_smooth;

/** What a piece is. */
typedef enum ts_smooth_kind {
    TS_SMOOTH_SUPERQUADRIC = 1, /**< size and exponents */
    TS_SMOOTH_POLYHEDRON = 2,   /**< planes: points and normals; or the convex hull of points alone */
    TS_SMOOTH_CLOUD = 3         /**< points of a closed surface of any form, and their normals */
} ts_smooth_kind;

/** One piece of a smooth body. A superquadric is (|x/a|^(2/ε₂) + |y/b|^(2/ε₂))^(ε₂/ε₁) + |z/c|^(2/ε₁) ≤ 1. */
typedef struct ts_smooth_piece {
    ts_smooth_kind kind; /**< what it is */
    bool subtract;       /**< it is taken away from the body instead of added to it */
    double size[3];      /**< superquadric: half axes a, b, c [m] */
    double exponents[2]; /**< superquadric: ε₁ (along z), ε₂ (across), each 0.1 (a box) to 1.9 (nearly an octahedron) */
    double position[3];        /**< of the piece's own origin in the body's frame [m] */
    double attitude[4];        /**< of the piece, a quaternion (w, x, y, z) of any length; all zero: not turned */
    const double (*point)[3];  /**< polyhedron: a point of each plane, or corners; cloud: of the surface [m]; copied */
    const double (*normal)[3]; /**< outwards, of unit length, one for each point; polyhedron: NULL: the points' hull */
    size_t count;              /**< of points */
    double width;              /**< cloud: of the kernel that blends its tangent planes [m]; 0: from the points */
} ts_smooth_piece;

/** A smooth body to be made. */
typedef struct ts_smooth_def {
    const ts_smooth_piece *piece; /**< pieces, of which at least one is added; copied */
    size_t piece_count;           /**< number of them */
    double smoothing;             /**< how smooth pieces go over into each other, over the body's length; 0: 0.003 */
    size_t vertices;              /**< about how many the mesh shall have; 0: 300 */
    const double (*point)[3];     /**< vertices of a mesh of your own [m], or NULL: it is made; copied */
    size_t point_count;           /**< number of them */
    const int32_t (*triangle)[3]; /**< its corners, counter-clockwise from outside: a closed surface; copied */
    size_t triangle_count;        /**< number of them */
    int cookie;                   /**< set by ts_default_smooth */
} ts_smooth_def;

/** No pieces yet. */
TS_API ts_smooth_def ts_default_smooth(void);
/** Makes a body; `body` is to be freed with ts_smooth_free. */
TS_API ts_status ts_smooth_create(const ts_smooth_def *def, ts_smooth **body, ts_error *error);
/** Reads a file of a fitted body (docs/formats.md). */
TS_API ts_status ts_smooth_load(const char *path, ts_smooth **body, ts_error *error);
/** Writes one, atomically. Reading it gives the same body, bit for bit. `note` (may be NULL): where it came from. */
TS_API ts_status ts_smooth_save(const ts_smooth *body, const char *path, const char *const *note, size_t note_count,
                                ts_error *error);
/** Frees it; NULL is allowed. */
TS_API void ts_smooth_free(ts_smooth *body);

/** What a body consists of. */
typedef struct ts_smooth_info {
    size_t pieces;    /**< superquadrics, polyhedra and clouds */
    size_t vertices;  /**< of the mesh */
    size_t triangles; /**< of the mesh */
    size_t edges;     /**< of the mesh, but not those that cut a flat face in two */
    double length;    /**< longest side of the box around all pieces that are added: the unit of smoothing [m] */
    double smoothing; /**< of its blended distance, over that length */
    double off;       /**< farthest that a vertex, or the middle of an edge, lies from φ = 0 [m] */
} ts_smooth_info;
/** What it consists of. */
TS_API ts_smooth_info ts_smooth_get_info(const ts_smooth *body);
/** The piece of that number, below info.pieces; its points are borrowed from the body. */
TS_API ts_smooth_piece ts_smooth_get_piece(const ts_smooth *body, size_t index);
/** Writes the mesh: info.vertices points [m], info.triangles triples, info.edges pairs of vertices. NULL: not wanted. */
TS_API void ts_smooth_get_mesh(const ts_smooth *body, double (*vertex)[3], int32_t (*triangle)[3], int32_t (*edge)[2]);

/** φ [m], ∇φ and the outward unit normal at `count` points of the body's frame. NULL: not wanted. Points that are not
 * finite give NaN. */
TS_API void ts_smooth_ask(const ts_smooth *body, size_t count, const double (*point)[3], double *value,
                          double (*gradient)[3], double (*normal)[3]);

#ifdef __cplusplus
}
#endif
