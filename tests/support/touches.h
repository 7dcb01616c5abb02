/* SPDX-License-Identifier: MIT */
/* For tests of contacts between solids: solids made by hand, samples of their surfaces, support points, and the laws
 * that the contacts of any pair obey. None of it uses the code under test but ts_touch_find itself. */
#pragma once

#include "base/random.h"
#include "contact/touch.h"
#include "support/check.h"

/* ---- Solids ---- */

ts_solid sphere_of(double radius);
ts_solid plane_of(void);
ts_solid box_of(double x, double y, double z);
ts_solid capsule_of(double radius, double half_length);
ts_solid cylinder_of(double radius, double half_length);
ts_solid vessel_of(double radius, double half_length);

/* A hull with room of its own. */
enum { TEST_HULL_VERTICES = 40 };
typedef struct test_hull {
    ts_hull hull;
    ts_vec3 vertex[TEST_HULL_VERTICES], normal[2 * TEST_HULL_VERTICES];
    double offset[2 * TEST_HULL_VERTICES];
    int32_t corner[6 * TEST_HULL_VERTICES], face_begin[2 * TEST_HULL_VERTICES + 1];
    int32_t edge[3 * TEST_HULL_VERTICES][4], neighbour[6 * TEST_HULL_VERTICES], neighbour_begin[TEST_HULL_VERTICES + 1];
} test_hull;

ts_solid hull_of(const test_hull *hull);
/* The convex hull of points by brute force: every plane of three that has all others below it. At most
 * TEST_HULL_VERTICES. */
void test_hull_make(test_hull *hull, const ts_vec3 *point, size_t count);
/* A rock of about 24 random vertices, 0.4 to 0.6 wide. */
void test_hull_rock(test_hull *hull, uint64_t seed);
/* The corners of a box. */
void test_hull_box(test_hull *hull, double x, double y, double z);

/* ---- Places ---- */

/* Any attitude; a position within ± extent along each axis. */
ts_pose3 random_pose(ts_random *random, double extent);
ts_vec3 random_direction(ts_random *random);

/* The farthest point of a finite solid in a direction, world frame. */
ts_vec3 support_of(ts_placed_solid placed, ts_vec3 direction);
/* Points all over a solid's surface, about 0.02 apart, in its own frame. Kept until the next call. */
size_t samples_of(const ts_solid *solid, const ts_vec3 **point);
double sampled_distance(const ts_solid *solid, ts_vec3 point);
bool inside(const ts_solid *solid, ts_vec3 point);
/* How far a point is from the surface, at least to second order near it; in the solid's frame. */
double off_surface(const ts_solid *solid, ts_vec3 point);

/* ---- Laws ---- */

double smallest_gap(const ts_touch_array *touch);
/* Unit normals; gaps within reach; point_b − point_a = gap · normal; points on both surfaces; features all different;
 * swapping A and B swaps points and turns normals and nothing else, to the bit; a rigid motion of both moves contacts
 * and changes no gap. `tolerance` is a length. */
void check_laws(ts_placed_solid a, ts_placed_solid b, double reach, double tolerance);
/* The set of contacts is its own image in the plane through the origin with this unit normal. `swaps`: the mirror image
 * of A is B. */
void check_mirror(const ts_touch_array *touch, ts_vec3 mirror, bool swaps, double tolerance);
/* Moving B by ε along the normal of the smallest gap makes it larger by ε, to within the fraction `slack` of ε. */
void check_derivative(ts_placed_solid a, ts_placed_solid b, double reach, double epsilon, double slack);

/* ---- Polyhedra by brute force ---- */

/* The signed distance of two convex polyhedra (or any points whose hull they are), from the definition: all differences
 * of their points, every plane through three of them that has the others on one side. Negative: the shortest way out.
 * Slow as n³, n ≤ 600 points. */
double polyhedra_distance(const ts_vec3 *a, size_t count_a, const ts_vec3 *b, size_t count_b);
/* Of two boxes or hulls where they stand. */
double placed_distance(ts_placed_solid a, ts_placed_solid b);
