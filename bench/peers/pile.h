/* SPDX-License-Identifier: MIT */
/* What the peers of a pile in space have in common: boxes, hulls or spheres fall between planes, every step is timed, and now
 * and then it is written down what the laws of mechanics have to say.
 *
 *     bullet SCENE MOTIONS   SCENE: a file, or - for standard input; MOTIONS gets each body's place (3 numbers), quaternion (w x y z),
 *                            velocity and spin at the end
 *     bullet SCENE -         takes orders instead (common.h); motions are the same
 *
 * A scene is plain text, words and numbers [SI units]:
 *
 *     kind spheres                              or boxes, or hulls, which are all equal
 *     hull 4  x y z  …                          corners about the centre of mass, in principal axes
 *     inertia 1 1 1                             of a hull about these axes [kg m²]
 *     faces 4  3 0 2 1  …                       of a hull: how many corners, and which, counter-clockwise from outside
 *     gravity 0 0 -9.81
 *     step 0.01  steps 1000  every 10           time step, how many, and steps between lines of the table
 *     restitution 0  friction 0.5  iterations 10    of all contacts; iterations of the solver, at least 1
 *     planes 1  0 0 1  0                        of each: unit normal n and offset d; bodies stay where n·x ≥ d
 *     bodies 1  0.1  1  0 0 1  1 0 0 0  0 0 0  0 0 0    always last. Of each: radius, or three half extents, nothing of a hull;
 *                                               mass; place; quaternion; velocity; spin, world axes
 *
 * Printed are the program's version, then for every line of the table
 *
 *     row TIME KINETIC POTENTIAL DEEPEST MEAN CONTACTS
 *
 * the energies [J] after a step, and the overlaps [m] and number of touching contacts as the program itself found them
 * in that step (before the bodies were moved; contacts that it keeps although they are apart do not count); and at last
 * the median time of a step with its spread, and their sum, all of processor time [s]: the step alone, without reading.
 * Nothing may fall asleep: a step that leaves bodies out would tell nothing. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PILE_CORNERS_MAX 64  /* of a hull */
#define PILE_FACES_MAX   64  /* likewise */
#define PILE_NUMBERS_MAX 512 /* of the list of its faces */

typedef enum pile_kind { PILE_SPHERES, PILE_BOXES, PILE_HULLS } pile_kind;

typedef struct pile_hull {
    int corner_count, face_count;
    double corner[PILE_CORNERS_MAX][3]; /* [m] */
    double plane[PILE_FACES_MAX][4];    /* of each face: unit normal, outwards, and offset [m] */
    unsigned polygon[PILE_NUMBERS_MAX]; /* of each face: how many corners, and which */
    double inertia[3];                  /* [kg m²] */
} pile_hull;

typedef struct pile_body {
    double half[3]; /* half extents, or three times the radius; of a hull three times its inner radius [m] */
    double mass;    /* [kg] */
    double place[3], quat[4], velocity[3], spin[3];
} pile_body;

typedef struct pile_plane {
    double normal[3], offset;
} pile_plane;

typedef struct pile_scene {
    pile_kind kind;
    double gravity[3];            /* [m/s²] */
    double pull;                  /* |gravity| */
    double step;                  /* [s] */
    int step_count, every;        /* every: steps between lines of the table */
    double restitution, friction; /* of all contacts */
    int iterations;               /* of the solver */
    double size;                  /* smallest half extent of all [m] */
    int plane_count, body_count;
    pile_hull hull;    /* of all bodies, if they are hulls */
    pile_plane *plane; /* (plane_count) */
    pile_body *body;   /* at the beginning (body_count) */
} pile_scene;

typedef struct pile_contacts {
    long count;     /* touching */
    double deepest; /* overlap, 0 without contacts [m] */
    double sum;     /* of all overlaps [m] */
} pile_contacts;

/* Speed below which a contact does not bounce: a resting one meets its partner with g Δt in every step [m/s]. */
double pile_slow(const pile_scene *scene);
/* Adds a touching contact. */
void pile_touch(pile_contacts *contacts, double depth);

/* A program of this kind. */
typedef struct pile_engine {
    const char *name;
    void (*version)(char *text, size_t size);
    void *(*create)(const pile_scene *scene);           /* NULL: it cannot */
    void (*pull)(void *world, const double gravity[3]); /* sets gravity [m/s²] */
    void (*step)(void *world, const pile_scene *scene);
    void (*read)(void *world, int body, pile_body *now);    /* place, quat, velocity, spin */
    void (*contacts)(void *world, pile_contacts *contacts); /* of the last step; begins with zeros */
    void (*destroy)(void *world);
} pile_engine;

/* All of main(). */
int pile_main(int argc, char **argv, const pile_engine *engine);

#ifdef __cplusplus
}
#endif
