/* SPDX-License-Identifier: MIT */
/* What the peers of `touchstone bench grains` have in common: equal grains, made of convex pieces, fall from where they
 * are into a bin and come to rest there; then the time of a step is taken.
 *
 *     box2d SCENE POSES     SCENE: a file, or - for standard input; POSES gets x, y and angle of every grain at the end
 *     box2d SCENE -         takes orders instead (common.h); motions are x, y, angle and their rates
 *
 * A scene is plain text, words and numbers [SI units]:
 *
 *     mass 716.8  inertia 118.6  radius 0.699   of a grain's outline, whatever its pieces add up to; radius about its centre
 *     piece 4  x y  x y  x y  x y               a convex piece about the centre of mass, counter-clockwise; pieces may overlap
 *     disc 0.5                                  instead of pieces: grains are discs of this radius
 *     width 40                                  of the bin: floor y = 0, walls x = 0 and x = width
 *     gravity 9.81  friction 0.5  restitution 0
 *     tilt 0  turn 0                            gravity's angle from straight down towards +x [rad], and how fast that grows [rad/s]
 *     slop 0.005                                overlap that a program lets be, where that can be said; 0: its own
 *     step 0.0166  iterations 8 3               time step; iterations for velocities and for positions, where there are two
 *     discrete 1                                fast grains need not be held back at walls, which are thick; where that can be said
 *     rest 1e-4  most 60                        at rest below this share of Σ m g r as kinetic energy; give up after `most` seconds
 *     windows 5 100                             afterwards: how many windows of how many steps are timed
 *     grains 2  x y angle  x y angle            always last
 *
 * Printed are the program's version, whether grains came to rest and how much they still move, steps and simulated time
 * until then with the seconds of processor time they took, and the median time of a step in the windows. Nothing may
 * fall asleep: a step that leaves grains out would tell nothing. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PEER_CORNERS_MAX 8 /* as many as Box2D takes */
#define PEER_PIECES_MAX  32

typedef struct peer_piece {
    int count;
    double point[PEER_CORNERS_MAX][2]; /* [m] */
} peer_piece;

typedef struct peer_motion {
    double x, y, angle;  /* of the centre of mass [m], [rad] */
    double vx, vy, spin; /* [m/s], [rad/s] */
} peer_motion;

typedef struct peer_scene {
    double mass, inertia, radius; /* of a grain [kg], [kg m²], [m] */
    double width;                 /* between the side walls [m] */
    double height;                /* of the highest grain's top at the beginning: walls must reach it [m] */
    double gravity;               /* [m/s²] */
    double tilt, turn; /* its angle from straight down towards +x at the start, and its rate [rad], [rad/s] */
    double friction, restitution;  /* between two grains, and at a wall */
    double slop;                   /* [m]; 0: the program's own */
    double discrete;               /* not 0: no continuous collision at walls */
    double step;                   /* [s] */
    int iterations[2];             /* for velocities, for positions */
    double rest, most;             /* kinetic energy / Σ m g r; [s] */
    int window_count, window_size; /* windows, and steps of each */
    double disc;                   /* radius of grains that are discs; otherwise 0 [m] */
    int piece_count;
    peer_piece piece[PEER_PIECES_MAX];
    int grain_count;
    peer_motion *grain; /* where each begins; at rest (grain_count) */
} peer_scene;

/* A program of this kind. */
typedef struct peer_engine {
    const char *name;
    void (*version)(char *text, size_t size);
    void *(*create)(const peer_scene *scene);        /* NULL: it cannot */
    void (*pull)(void *world, double gx, double gy); /* sets gravity [m/s²] */
    void (*step)(void *world, const peer_scene *scene);
    void (*read)(void *world, const peer_scene *scene, peer_motion *grain);
    void (*destroy)(void *world);
} peer_engine;

/* All of main(). */
int peer_main(int argc, char **argv, const peer_engine *engine);

#ifdef __cplusplus
}
#endif
