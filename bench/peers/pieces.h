/* SPDX-License-Identifier: MIT */
/* What the peers that find contacts of two equal bodies have in common.
 *
 *     mujoco_pieces SCENE -
 *
 * A scene is plain text, words and numbers [SI units], in the body's frame:
 *
 *     pieces 18   26  x y z  …          of each: how many corners, and which; convex
 *     mesh 305 606   x y z …   0 1 2 …  vertices and triangles of the whole body
 *     poses 100   x y z  w x y z  …     of body A and of body B, by turns
 *
 * Orders come from standard input: "pass" finds contacts at all poses once, and is answered by "took SECONDS CONTACTS", both
 * of one pose: processor time, and the number of contact points. The first line is "version …". */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pieces_hull {
    int count;
    double *corner; /* (3 · count) */
} pieces_hull;

typedef struct pieces_pose {
    double place[3], quat[4]; /* quaternion (w, x, y, z) */
} pieces_pose;

typedef struct pieces_scene {
    int piece_count, vertex_count, triangle_count, pose_count;
    pieces_hull *piece;
    double *vertex;    /* (3 · vertex_count) */
    int *triangle;     /* (3 · triangle_count) */
    pieces_pose *pose; /* of A and B by turns (2 · pose_count) */
} pieces_scene;

typedef struct pieces_engine {
    const char *name;
    void (*version)(char *text, size_t size);
    void *(*create)(const pieces_scene *scene);                               /* NULL: it cannot */
    int (*contacts)(void *world, const pieces_pose *a, const pieces_pose *b); /* how many points there are */
    void (*destroy)(void *world);
} pieces_engine;

/* All of main(). */
int pieces_main(int argc, char **argv, const pieces_engine *engine);

#ifdef __cplusplus
}
#endif
