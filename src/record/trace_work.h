/* SPDX-License-Identifier: MIT */
/* Inside the tracer: trees of boxes, things as rays meet them, packets of eight rays.
 *
 *     item        a thing where it stands, with scaled sizes: all that spheres need, in 64 bytes
 *     item_frame  the rest: how it is turned, faces, triangles
 *     tree        boxes over items, or over the triangles of one mesh, in its own coordinates
 *     packet      eight rays that go about the same way, walked through the tree together (trace.simd.c)
 *
 * Rays meet a thing where they enter it. One that begins inside does not see it: an eye inside a body looks out, and a
 * shadow ray never meets the convex body that it starts from. All convex shapes are intervals [near, far] of a ray,
 * intersections of simpler ones. */
#pragma once

#include <stdint.h>

#include "base/memory.h"
#include "record/trace.h"

#define TS_LANES 8

typedef struct ts_trace_node {
    double low[3], high[3];
    int32_t first; /* of a leaf: its first item; else its second child (the first child is the next node) */
    int16_t count; /* of items; 0: not a leaf */
    int16_t axis;  /* that divides the children */
    int64_t unused;
} ts_trace_node;
_Static_assert(sizeof(ts_trace_node) == 64, "a node is a cache line");

/* Deepest tree: from this depth on nodes are halved, which ends after 31 more. */
#define TS_TRACE_HALVING_DEPTH 40
#define TS_TRACE_STACK         (TS_TRACE_HALVING_DEPTH + 34)

typedef struct ts_trace_tree {
    TS_ARRAY(ts_trace_node) node;
    TS_ARRAY(int32_t) order; /* of what was given, in the order of the leaves */
} ts_trace_tree;

/* Over so many boxes; leaves have at most leaf_max of them. No box: no node. */
ts_status ts_trace_tree_build(ts_trace_tree *tree, const ts_box3 *box, size_t count, int leaf_max, ts_error *error);
void ts_trace_tree_free(ts_trace_tree *tree);

/* ---- Meshes ---- */

/* Corner and edges of a triangle: all that a ray needs. */
typedef struct ts_trace_triangle {
    ts_vec3 corner, edge1, edge2;
} ts_trace_triangle;

typedef struct ts_trace_mesh {
    const ts_mesh *mesh;
    uint64_t hash;
    bool used; /* by this picture */
    ts_box3 box;
    ts_trace_tree tree;
    ts_trace_triangle *triangle; /* in the order of the tree's leaves */
    float (*normal)[3][3];       /* of their corners: smooth where faces meet at less than 40° */
} ts_trace_mesh;

ts_status ts_trace_mesh_create(const ts_mesh *mesh, uint64_t hash, ts_trace_mesh **made, ts_error *error);
void ts_trace_mesh_free(ts_trace_mesh *mesh);
TS_RELEASE_AT(ts_trace_mesh, ts_trace_mesh_free)

/* ---- Things ---- */

typedef struct ts_trace_item {
    ts_vec3 centre;
    double radius, half_length; /* scaled */
    int32_t kind;               /* ts_solid_kind */
    int32_t thing;              /* index in the view */
    float colour[3];            /* linear */
    uint32_t flags;             /* TS_THING_… */
} ts_trace_item;
_Static_assert(sizeof(ts_trace_item) == 64, "an item is a cache line");

typedef struct ts_trace_frame {
    ts_mat3 turn; /* body to world */
    ts_vec3 half; /* box, scaled */
    double scale;
    const ts_hull *hull;
    const ts_trace_mesh *mesh;
} ts_trace_frame;

/* Around a thing where it stands; with the tree of its mesh a somewhat larger box, but at once. */
ts_box3 ts_trace_thing_box(const ts_thing *thing, const ts_trace_mesh *mesh);

/* What rays are walked through: the tree and the items in the order of its leaves. */
typedef struct ts_trace_world {
    const ts_trace_node *node; /* NULL: empty */
    const ts_trace_item *item;
    const ts_trace_frame *frame;
} ts_trace_world;

/* ---- Rays ---- */

typedef struct ts_trace_packet {
    _Alignas(64) double ox[TS_LANES];
    double oy[TS_LANES], oz[TS_LANES];
    double dx[TS_LANES], dy[TS_LANES], dz[TS_LANES]; /* unit */
    double far[TS_LANES];                            /* a hit must be nearer; below 0: no ray. Then where it was hit */
    int64_t item[TS_LANES];                          /* hit, or -1 */
    int64_t part[TS_LANES];                          /* face or triangle of it */
} ts_trace_packet;

typedef struct ts_trace_kernels {
    /* The nearest hits: fills far, item and part. */
    void (*closest)(const ts_trace_world *world, ts_trace_packet *packet);
    /* Whether there is any hit: bit i for ray i. */
    unsigned (*blocked)(const ts_trace_world *world, ts_trace_packet *packet);
} ts_trace_kernels;

const ts_trace_kernels *ts_trace_choose(void);

static inline ts_vec3 ts_trace_along(const ts_trace_packet *packet, int lane, double t)
{
    return (ts_vec3){packet->ox[lane] + t * packet->dx[lane], packet->oy[lane] + t * packet->dy[lane],
                     packet->oz[lane] + t * packet->dz[lane]};
}

/* ---- Surfaces and light ---- */

/* Where a ray met something. */
typedef struct ts_trace_hit {
    int32_t thing; /* or TS_SEEN_… */
    int32_t item;  /* -1: not a thing of the tree */
    double depth;
    ts_vec3 point;
    ts_vec3 start;     /* of rays that leave it: on the smooth surface that its normals stand for */
    ts_vec3 normal;    /* for light */
    ts_vec3 geometric; /* of the true surface */
} ts_trace_hit;

/* A floor: a plane seen from its outside. */
typedef struct ts_trace_floor {
    ts_vec3 point, normal, along, across; /* across, along: unit, of the grid */
    int32_t thing;                        /* or TS_SEEN_GROUND */
    float colour[3];                      /* linear */
} ts_trace_floor;

/* Something of glass. */
typedef struct ts_trace_ghost {
    ts_trace_item item;
    ts_trace_frame frame;
} ts_trace_ghost;

/* Samples of a pixel that needs them: nine, on nine columns and nine rows of it, one in its middle. */
#define TS_TRACE_SAMPLES 9
#define TS_SKY_COUNT     64

/* All that shading needs of a view. */
typedef struct ts_trace_scene {
    ts_trace_world world; /* what is solid */
    ts_trace_world veil;  /* ghosts that are not convex or round */
    const ts_trace_kernels *kernel;
    const ts_trace_floor *floor;
    size_t floor_count;
    const ts_trace_ghost *ghost;
    size_t ghost_count;
    /* camera: direction of a pixel's ray ∝ forward + (x · step - …) right - … */
    ts_vec3 eye, forward, right, down; /* right, down: per pixel */
    double pixel;                      /* size of a pixel at distance 1 */
    int width, height;
    /* light */
    ts_vec3 up, sun, sun_at[TS_TRACE_SAMPLES]; /* sun_at: of its disc, the middle last */
    ts_vec3 sky[TS_SKY_COUNT];
    double sun_light, sky_light;
    bool occlusion;
    float paper[3], line[3]; /* linear: background, lines of the grid */
    /* stage */
    ts_box3 stage;
    ts_vec3 middle;
    double size;  /* half of the stage's diagonal */
    double grid;  /* 0: none */
    double nudge; /* by which a ray starts above a surface, for each unit of distance from the eye */
} ts_trace_scene;

/* What lane `lane` of a packet met after `closest`; the floors are tried here. */
ts_trace_hit ts_trace_hit_of(const ts_trace_scene *scene, const ts_trace_packet *packet, int lane);
/* Linear colour of a hit: `sun` 0 to 1 is how much of the sun it sees, `sky` how much of the sky. */
void ts_trace_colour(const ts_trace_scene *scene, const ts_trace_hit *hit, ts_vec3 direction, double sun, double sky,
                     float colour[3]);
/* Normals of a hit whose point is known. */
void ts_trace_find_normal(const ts_trace_item *item, const ts_trace_frame *frame, int64_t part, ts_trace_hit *hit);
/* How wide a pixel's print is on a surface at distance t, along the unit vector `across` of it: 1 / cos wider along the
 * ray. */
double ts_trace_print(const ts_trace_scene *scene, double t, ts_vec3 direction, ts_vec3 normal, ts_vec3 across);
/* At a point of the surface, in the body's frame. */
ts_vec3 ts_trace_cylinder_normal(ts_vec3 p, double radius, double half_length);
ts_vec3 ts_trace_box_normal(ts_vec3 p, ts_vec3 half);

/* What ghosts lay over a ray's colour. */
typedef struct ts_trace_veil {
    float colour[3]; /* linear, times cover */
    float cover;     /* 0 to 1 */
} ts_trace_veil;

/* Of eight rays from the eye that end at `depth`. */
void ts_trace_find_veils(const ts_trace_scene *scene, const ts_trace_packet *rays, const double depth[TS_LANES],
                         ts_trace_veil veil[TS_LANES]);
void ts_trace_lay_veil(const ts_trace_veil *veil, float colour[3]);

/* ---- The tracer ---- */

/* What one sample of a pixel met. */
typedef struct ts_trace_pixel {
    double depth;
    int32_t thing, item; /* item below -1: a floor */
    float normal[3];
    float sun;         /* cosine to the sun where it is seen, or 0 */
    float seen, asked; /* of the sky, by cosine; from the second pass on `seen` is the share of it */
} ts_trace_pixel;
_Static_assert(sizeof(ts_trace_pixel) == 40, "pictures have millions of pixels");

typedef struct ts_trace_sky {
    float seen, asked;
} ts_trace_sky;

/* A mesh does not move while things point at it, but this does. */
typedef struct ts_trace_kept {
    ts_trace_mesh *tree;
} ts_trace_kept;

/* Things in a tree. */
typedef struct ts_trace_crowd {
    TS_ARRAY(ts_box3) box;
    TS_ARRAY(ts_trace_item) given, item; /* in the view's order, and the tree's */
    TS_ARRAY(ts_trace_frame) given_frame, frame;
    ts_trace_tree tree;
} ts_trace_crowd;

struct ts_trace {
    ts_pool *pool;
    TS_ARRAY(ts_trace_kept) mesh; /* from picture to picture */
    ts_trace_crowd solid, veil;
    TS_ARRAY(ts_trace_floor) floor;
    TS_ARRAY(ts_trace_ghost) ghost;
    TS_ARRAY(ts_trace_pixel) pixel;
    TS_ARRAY(ts_trace_sky) row;    /* what neighbours in a row saw of the sky together */
    TS_ARRAY(ts_trace_veil) glass; /* what ghosts lay over each pixel; only where there are ghosts */
    ts_trace_scene scene;
    uint8_t encode[4097]; /* of √light */
    int tiles_x, tiles_y;
    const ts_image *image;
};

/* All that a view says, checked, and memory for its pixels; the scene's width and height are set already. */
ts_status ts_trace_prepare(ts_trace *trace, const ts_view *view, ts_error *error);
