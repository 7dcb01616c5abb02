/* SPDX-License-Identifier: MIT */
/* Inside a ts_wall_map (wall.h): shared by wall.c and wall_circle.c alone. */
#pragma once

#include "cspace/hull.h"
#include "cspace/wall.h"

/* A corner or an arc of the hull as a circle sees it: whole also where directions begin anew. */
typedef struct ts_wall_part {
    ts_vec2 c;        /* corner, or centre of the arc */
    double r;         /* 0: a corner */
    double end[2];    /* directions of the normals at the ends of an arc [rad] */
    double across[2]; /* c × these normals */
    ts_vec2 middle;   /* unit normal midway */
    double limit;     /* a direction belongs to the arc when its cosine to the middle is at least this */
} ts_wall_part;

struct ts_wall_map {
    ts_hull2 hull;
    double width;  /* of the smoothing [rad] */
    double shrunk; /* mean of the cosine over it */
    double radius; /* of the outline about its centre of mass [m] */
    size_t part_count;
    ts_wall_part *part; /* (part_count) */
    double reach;       /* largest |c| of a part */
};

/* The farthest distance from the grain to a point z, as seen from the grain [m], averaged over the angles of the grain,
 * and its gradient when the grain is moved, in the grain's frame. */
typedef struct ts_wall_far {
    double distance;
    ts_vec2 gradient;
} ts_wall_far;

ts_wall_far ts_wall_farthest(const ts_wall_map *map, ts_vec2 z);
