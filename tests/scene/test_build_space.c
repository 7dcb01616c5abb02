/* SPDX-License-Identifier: MIT */
/* Building a scene of space: every number is checked, a refused call leaves the scene as it was, and plane and space
 * do not mix. */
#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "model.h"
#include "scene/scene.h"
#include "support/check.h"
#include "touchstone/touchstone.h"

static const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int32_t face[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};

static ts_scene *empty(void)
{
    ts_scene *scene;
    OK(ts_scene_create(&scene, ERROR));
    ts_space_def space = ts_default_space();
    OK(ts_scene_set_space(scene, &space, ERROR));
    return scene;
}

static int32_t add_ball(ts_scene *scene, const char *name)
{
    int32_t index;
    ts_piece_def piece = {.kind = TS_PIECE_SPHERE, .radius = 0.1};
    ts_shape_def solid = ts_default_shape();
    solid.name = name;
    solid.piece = &piece;
    solid.piece_count = 1;
    OK(ts_scene_add_shape(scene, &solid, &index, ERROR));
    return index;
}

/* A scene with one of each thing. */
static ts_scene *sample(void)
{
    ts_scene *scene = empty();
    int32_t ball = add_ball(scene, "ball");
    ts_body_def body = ts_default_body();
    body.name = "peg";
    body.fixed = true;
    OK(ts_scene_add_body(scene, &body, NULL, ERROR));
    body.name = "bob";
    body.fixed = false;
    body.position[2] = 1;
    OK(ts_scene_add_body(scene, &body, NULL, ERROR));
    ts_wall_def wall = ts_default_wall();
    wall.name = "floor";
    wall.position[2] = -1;
    OK(ts_scene_add_wall(scene, &wall, NULL, ERROR));
    ts_drive_def drive = ts_default_drive();
    drive.target = "peg";
    OK(ts_scene_add_drive(scene, &drive, NULL, ERROR));
    ts_spring_def spring = ts_default_spring();
    spring.a = "peg";
    spring.b = "bob";
    spring.stiffness = 3;
    OK(ts_scene_add_spring(scene, &spring, NULL, ERROR));
    ts_mix_entry mix = {.shape = ball, .weight = 1, .scale_min = 0.5, .scale_max = 1};
    ts_generator_def generator = ts_default_generator();
    generator.name = "grains";
    generator.fill = TS_FILL_LATTICE;
    generator.low[2] = 2;
    generator.high[2] = 3;
    generator.count = 3;
    generator.mix = &mix;
    generator.mix_count = 1;
    OK(ts_scene_add_generator(scene, &generator, NULL, ERROR));
    return scene;
}

/* How many things a scene holds, and what they say. */
static uint64_t digest(const ts_scene *s)
{
    const size_t count[] = {s->shape.count,  s->body.count,      s->wall.count,        s->drive.count,
                            s->spring.count, s->generator.count, s->shape_name.count,  s->target_name.count,
                            s->note.count,   s->given_map.count, s->in == &ts_in_space};
    uint64_t hash = (uint64_t)(1e6 * (s->space.gravity[2] + s->space.camera.view + 100));
    for (size_t i = 0; i < sizeof count / sizeof *count; i++)
        hash = hash * 31 + count[i];
    return hash;
}

/* The call must be refused, with these words, and change nothing. */
#define REFUSED(scene, call, words)                           \
    do {                                                      \
        uint64_t before_ = digest(scene);                     \
        memset(ERROR, 0, sizeof *ERROR);                      \
        assert_int_equal((call), TS_BAD_INPUT);               \
        assert_int_equal(ts_test_error.status, TS_BAD_INPUT); \
        if (!strstr(ts_test_error.message, words))            \
            fail_msg("\"%s\"", ts_test_error.message);        \
        assert_true(digest(scene) == before_);                \
    } while (0)

typedef ts_status adder(ts_scene *scene, const void *def);

/* Puts every bad number into each of `count` doubles in turn. */
static void spoil(ts_scene *scene, void *def, double *value, size_t count, adder *add)
{
    static const double bad_number[] = {HUGE_VAL, -HUGE_VAL, 1e200, -1e308};
    for (size_t i = 0; i < count; i++) {
        double good = value[i];
        value[i] = (double)NAN;
        REFUSED(scene, add(scene, def), "not a number");
        for (size_t k = 0; k < sizeof bad_number / sizeof *bad_number; k++) {
            value[i] = bad_number[k];
            REFUSED(scene, add(scene, def), ";");
        }
        value[i] = good;
    }
    OK(add(scene, def)); /* it was good but for those numbers */
}

enum {
    ANY = 4,
    NOT_NEGATIVE = 4,
    POSITIVE = 4
}; /* the sentences for -1 and 0 have no remedy: they say what it must be */

static ts_status set_space(ts_scene *scene, const void *def)
{
    return ts_scene_set_space(scene, def, ERROR);
}
static ts_status add_solid(ts_scene *scene, const void *def)
{
    return ts_scene_add_shape(scene, def, NULL, ERROR);
}
static ts_status add_body(ts_scene *scene, const void *def)
{
    return ts_scene_add_body(scene, def, NULL, ERROR);
}
static ts_status add_wall(ts_scene *scene, const void *def)
{
    return ts_scene_add_wall(scene, def, NULL, ERROR);
}
static ts_status add_drive(ts_scene *scene, const void *def)
{
    return ts_scene_add_drive(scene, def, NULL, ERROR);
}
static ts_status add_spring(ts_scene *scene, const void *def)
{
    return ts_scene_add_spring(scene, def, NULL, ERROR);
}
static ts_status add_generator(ts_scene *scene, const void *def)
{
    return ts_scene_add_generator(scene, def, NULL, ERROR);
}

/* ---- What is kept ---- */

static void things_are_kept(void **state)
{
    (void)state;
    ts_scene *scene = sample();
    assert_true(ts_scene_is_space(scene));
    assert_int_equal(ts_scene_find_shape(scene, "ball"), 0);
    assert_int_equal(ts_scene_find_shape(scene, "cube"), -1);
    assert_int_equal(ts_scene_find_body(scene, "bob"), 1);
    assert_int_equal(ts_scene_find_wall(scene, "floor"), 0);
    assert_int_equal(ts_scene_find_body(scene, "floor"), -1);
    assert_true(!scene->dynamics && ts_dynamics_default(3) == ts_dynamics_find("impact"));

    /* any length but zero becomes unit length: (3, 0, 0, 4) is 5 long */
    ts_body_def body = ts_default_body();
    memcpy(body.attitude, (double[4]){3e-200, 0, 0, 4e-200}, sizeof body.attitude);
    int32_t index = -1;
    OK(ts_scene_add_body(scene, &body, &index, ERROR));
    NEAR(scene->body.item[index].def.attitude[0], 0.6, 1e-15);
    NEAR(scene->body.item[index].def.attitude[3], 0.8, 1e-15);
    ts_wall_def wall = ts_default_wall();
    memcpy(wall.normal, (double[3]){0, -3e140, 4e140}, sizeof wall.normal);
    OK(ts_scene_add_wall(scene, &wall, &index, ERROR));
    NEAR(scene->wall.item[index].def.normal[1], -0.6, 1e-15);
    ts_drive_def drive = ts_default_drive();
    drive.target = "floor";
    drive.axis[2] = -7;
    OK(ts_scene_add_drive(scene, &drive, &index, ERROR));
    assert_true(scene->drive.item[index].def.axis[2] == -1);

    /* pieces, their points and triangles are copies; an attitude of zeros is not turned */
    double point[4][3];
    int32_t triangle[4][3];
    memcpy(point, corner, sizeof point);
    memcpy(triangle, face, sizeof triangle);
    ts_piece_def piece[2] = {{.kind = TS_PIECE_MESH, .point_count = 4, .triangle_count = 4, .attitude = {0, 0, 2, 0}},
                             {.kind = TS_PIECE_BOX, .size = {1, 2, 3}, .point_count = 99}};
    piece[0].point = (const double(*)[3])point;
    piece[0].triangle = (const int32_t(*)[3])triangle;
    ts_shape_def solid = ts_default_shape();
    solid.piece = piece;
    solid.piece_count = 2;
    OK(ts_scene_add_shape(scene, &solid, &index, ERROR));
    memset(point, 0, sizeof point);
    memset(triangle, 0, sizeof triangle);
    memset(piece, 0, sizeof piece);
    const ts_scene_shape *kept = &scene->shape.item[index];
    assert_memory_equal(kept->piece[0].point, corner, sizeof corner);
    assert_memory_equal(kept->piece[0].triangle, face, sizeof face);
    assert_true(kept->piece[0].attitude[2] == 1 && kept->piece[1].attitude[0] == 1);
    assert_int_equal(kept->piece[1].point_count, 0);
    ts_scene_free(scene);
}

/* ---- What is refused ---- */

static void plane_and_space_do_not_mix(void **state)
{
    (void)state;
    ts_scene *space = sample(), *plane;
    OK(ts_scene_create(&plane, ERROR));
    assert_false(ts_scene_is_space(plane));
    assert_false(ts_scene_is_space(NULL));
    /* what only the plane has */
    const ts_disc disc = {0, 0, 1};
    ts_shape_def shape = ts_default_shape();
    shape.disc = &disc;
    shape.disc_count = 1;
    ts_wall_def wall = ts_default_wall();
    ts_body_def body = ts_default_body();
    ts_outline *outline;
    OK(ts_outline_disc(1, &outline, ERROR));
    REFUSED(space, add_solid(space, &shape), "the scene is of space");
    REFUSED(space, ts_scene_add_disc(space, 1, NULL, ERROR), "the scene is of space");
    REFUSED(space, ts_scene_add_outline(space, NULL, outline, NULL, ERROR), "the scene is of space");
    for (int kind = TS_WALL_CIRCLE; kind <= TS_WALL_OUTLINE; kind++) {
        wall.kind = (ts_wall_kind)kind;
        REFUSED(space, add_wall(space, &wall), "the scene is of space");
    }
    body.angle = 1;
    REFUSED(space, add_body(space, &body), "in space it is turned by its attitude");
    REFUSED(space, ts_scene_add_map(space, NULL, "x", 1, ERROR), "the scene is of space");
    ts_outline_free(outline);

    /* what only space has; the plane's z is 0 */
    OK(ts_scene_add_disc(plane, 1, NULL, ERROR));
    const ts_piece_def ball = {.kind = TS_PIECE_SPHERE, .radius = 1};
    ts_shape_def solid = ts_default_shape();
    solid.piece = &ball;
    solid.piece_count = 1;
    REFUSED(plane, add_solid(plane, &solid), "ts_scene_set_space");
    for (int kind = TS_WALL_ROOM; kind <= TS_WALL_SOLID; kind++) {
        wall.kind = (ts_wall_kind)kind;
        REFUSED(plane, add_wall(plane, &wall), "ts_scene_set_space");
    }
    wall.kind = TS_WALL_FLAT;
    wall.position[2] = 1;
    REFUSED(plane, add_wall(plane, &wall), "z of position is 1, but the scene is of the plane");
    wall.position[2] = 0;
    memcpy(wall.normal, (double[3]){0, 1, -1}, sizeof wall.normal);
    REFUSED(plane, add_wall(plane, &wall), "z of normal");
    wall.normal[2] = 0;
    body = ts_default_body();
    body.name = "peg";
    body.position[2] = -2;
    REFUSED(plane, add_body(plane, &body), "z of position");
    body.position[2] = 0;
    body.velocity[2] = 1;
    REFUSED(plane, add_body(plane, &body), "z of velocity");
    body.velocity[2] = 0;
    body.spin[0] = 1;
    REFUSED(plane, add_body(plane, &body), "turn about z alone");
    body.spin[0] = 0;
    body.attitude[1] = 1;
    REFUSED(plane, add_body(plane, &body), "in the plane it is turned by its angle");
    body.attitude[1] = 0;
    OK(add_body(plane, &body));
    ts_spring_def spring = ts_default_spring();
    spring.b = "peg";
    spring.stiffness = 1;
    spring.anchor_a[2] = 1;
    REFUSED(plane, add_spring(plane, &spring), "z of anchor_a");
    ts_drive_def drive = ts_default_drive();
    drive.target = "peg";
    drive.velocity[2] = 1;
    REFUSED(plane, add_drive(plane, &drive), "z of velocity");
    drive.velocity[2] = 0;
    drive.axis[0] = 1;
    REFUSED(plane, add_drive(plane, &drive), "its axis leaves the plane");
    memcpy(drive.axis, (double[3]){0, 0, -7}, sizeof drive.axis);
    OK(add_drive(plane, &drive));
    assert_true(plane->drive.item[0].def.axis[2] == -1);
    ts_mix_entry mix = {.weight = 1, .scale_min = 1, .scale_max = 1};
    ts_generator_def generator = ts_default_generator();
    generator.fill = TS_FILL_LATTICE;
    generator.count = 1;
    generator.mix = &mix;
    generator.mix_count = 1;
    generator.region = TS_REGION_CYLINDER;
    REFUSED(plane, add_generator(plane, &generator), "in the plane; choose a box or a circle");
    generator.region = TS_REGION_BOX;
    generator.velocity[2] = 1;
    REFUSED(plane, add_generator(plane, &generator), "z of velocity");
    ts_scene_free(plane);
    OK(ts_scene_create(&plane, ERROR));

    /* what has a thing of the plane cannot become one of space */
    ts_space_def def = ts_default_space();
    OK(ts_scene_add_wall(plane, &wall, NULL, ERROR));
    REFUSED(plane, set_space(plane, &def), "walls of the plane");
    ts_scene_free(plane);
    OK(ts_scene_create(&plane, ERROR));
    OK(ts_scene_add_disc(plane, 1, NULL, ERROR));
    REFUSED(plane, set_space(plane, &def), "shapes of the plane");
    ts_scene_free(plane);
    ts_scene_free(space);
}

static void nothing_is_null_or_zeroed(void **state)
{
    (void)state;
    ts_scene *scene = sample();
    adder *const add[] = {set_space, add_solid, add_body, add_wall, add_drive, add_spring, add_generator};
    _Alignas(16) char zeros[1024] = {0};
    for (size_t i = 0; i < sizeof add / sizeof *add; i++) {
        REFUSED(scene, add[i](scene, NULL), "NULL");
        REFUSED(scene, add[i](scene, zeros), "was not made by ts_default_");
        assert_int_equal(add[i](NULL, zeros), TS_BAD_INPUT);
    }
    assert_int_equal(ts_scene_find_shape(NULL, "ball"), -1);
    assert_int_equal(ts_scene_find_shape(scene, NULL), -1);
    ts_scene_free(scene);
}

static void bad_spaces(void **state)
{
    (void)state;
    ts_scene *scene = sample();
    ts_space_def def = ts_default_space();
    spoil(scene, &def, def.gravity, 3, set_space);
    spoil(scene, &def, def.camera.position, 3, set_space);
    spoil(scene, &def, def.camera.target, 3, set_space);
    spoil(scene, &def, def.camera.up, 3, set_space);
    def.camera.view = 3.5;
    REFUSED(scene, set_space(scene, &def), "camera.view");
    def.camera.view = 1;
    def.camera.position[0] = 2;
    def.camera.up[0] = -3;
    REFUSED(scene, set_space(scene, &def), "along its own up");
    def.camera.up[1] = 1e-3;
    OK(set_space(scene, &def));
    ts_scene_free(scene);
}

static void bad_solids(void **state)
{
    (void)state;
    ts_scene *scene = sample();
    ts_piece_def piece[2] = {{.kind = TS_PIECE_CAPSULE, .radius = 1, .length = 1},
                             {.kind = TS_PIECE_BOX, .size = {1, 1, 1}}};
    ts_shape_def def = ts_default_shape();
    def.piece = piece;
    def.piece_count = 2;
    spoil(scene, &def, &piece[0].radius, 1, add_solid);
    spoil(scene, &def, &piece[0].length, 1, add_solid);
    spoil(scene, &def, piece[1].size, 3, add_solid);
    spoil(scene, &def, piece[1].position, 3, add_solid);
    spoil(scene, &def, piece[1].attitude, 4, add_solid);
    for (int i = 0; i < 3; i++) {
        double *length[] = {&piece[0].radius, &piece[0].length, &piece[1].size[1]}, good = *length[i];
        *length[i] = 0;
        REFUSED(scene, add_solid(scene, &def), "must be positive");
        *length[i] = -1;
        REFUSED(scene, add_solid(scene, &def), "must be positive");
        *length[i] = 1e-10; /* beside a metre: lost in rounding, but for a capsule that is nearly a sphere */
        if (i != 1)
            REFUSED(scene, add_solid(scene, &def), "too small for a shape");
        *length[i] = good;
    }
    piece[0].radius = 1e60;
    REFUSED(scene, add_solid(scene, &def), "too large to compute with");
    piece[0].kind = (ts_piece_kind)9;
    REFUSED(scene, add_solid(scene, &def), "kind 9");
    def.piece_count = 0;
    REFUSED(scene, add_solid(scene, &def), "no pieces");
    def.piece_count = TS_SHAPE_PIECES_MAX + 1;
    REFUSED(scene, add_solid(scene, &def), "at most");
    def.piece_count = 1;
    piece[0] = (ts_piece_def){.kind = TS_PIECE_SPHERE, .radius = 1, .position = {1e10, 0, 0}};
    REFUSED(scene, add_solid(scene, &def), "move it nearer");
    piece[0].position[0] = 0;
    def.name = "ball";
    REFUSED(scene, add_solid(scene, &def), "is taken already");
    ts_scene_free(scene);
}

static void bad_hulls_and_meshes(void **state)
{
    (void)state;
    ts_scene *scene = sample();
    double point[4][3];
    int32_t triangle[4][3];
    memcpy(point, corner, sizeof point);
    memcpy(triangle, face, sizeof triangle);
    ts_piece_def piece = {.kind = TS_PIECE_HULL, .point_count = 4, .triangle_count = 4};
    piece.point = (const double(*)[3])point;
    piece.triangle = (const int32_t(*)[3])triangle;
    ts_shape_def def = ts_default_shape();
    def.piece = &piece;
    def.piece_count = 1;
    spoil(scene, &def, point[2], 3, add_solid);
    piece.point_count = 3;
    REFUSED(scene, add_solid(scene, &def), "at least 4");
    piece.point_count = 4;
    piece.point = NULL;
    REFUSED(scene, add_solid(scene, &def), "at least 4");
    piece.point = (const double(*)[3])point;

    piece.kind = TS_PIECE_MESH;
    spoil(scene, &def, point[3], 3, add_solid);
    const int32_t wrong[] = {-1, 4, INT32_MAX, INT32_MIN};
    for (int i = 0; i < 4; i++) {
        triangle[2][1] = wrong[i];
        REFUSED(scene, add_solid(scene, &def), "its points are 0 to 3");
    }
    triangle[2][1] = triangle[2][0];
    REFUSED(scene, add_solid(scene, &def), "one corner twice");
    triangle[2][1] = face[2][1];
    piece.triangle_count = 3;
    REFUSED(scene, add_solid(scene, &def), "closed surface");
    piece.triangle_count = 4;
    const int cells[] = {-1, 1, 3, 513};
    for (int i = 0; i < 4; i++) {
        piece.cells = cells[i];
        REFUSED(scene, add_solid(scene, &def), "cells is");
    }
    piece.cells = 8;
    OK(add_solid(scene, &def));
    ts_scene_free(scene);
}

static void bad_bodies_and_walls(void **state)
{
    (void)state;
    ts_scene *scene = sample();
    ts_body_def body = ts_default_body();
    spoil(scene, &body, &body.scale, 1, add_body);
    spoil(scene, &body, body.position, 3, add_body);
    spoil(scene, &body, body.attitude, 4, add_body);
    spoil(scene, &body, body.velocity, 3, add_body);
    spoil(scene, &body, body.spin, 3, add_body);
    const int32_t bad_index[] = {-1, 1, INT32_MAX, INT32_MIN};
    for (int i = 0; i < 4; i++) {
        ts_body_def wrong = body;
        wrong.shape = bad_index[i];
        REFUSED(scene, add_body(scene, &wrong), "refers to shape");
        wrong = body;
        wrong.material = bad_index[i];
        REFUSED(scene, add_body(scene, &wrong), "refers to material");
    }
    body.attitude[0] = 0;
    REFUSED(scene, add_body(scene, &body), "no rotation");
    body.attitude[0] = 1;
    body.scale = 1e60;
    REFUSED(scene, add_body(scene, &body), "too large to compute with");
    body.scale = 0;
    REFUSED(scene, add_body(scene, &body), "must be positive");
    body.scale = 1;
    body.fixed = true;
    body.spin[1] = 1;
    REFUSED(scene, add_body(scene, &body), "fixed but has a velocity");
    body.spin[1] = 0;
    const char *const taken[] = {"bob", "floor", "grains"};
    for (int i = 0; i < 3; i++) {
        body.name = taken[i];
        REFUSED(scene, add_body(scene, &body), "is taken already");
    }

    ts_wall_def wall = ts_default_wall();
    memcpy(wall.normal, (double[3]){0, 0, 1}, sizeof wall.normal);
    spoil(scene, &wall, wall.position, 3, add_wall);
    spoil(scene, &wall, wall.normal, 3, add_wall);
    wall.normal[2] = 0;
    REFUSED(scene, add_wall(scene, &wall), "the normal is zero");
    wall.kind = TS_WALL_CYLINDER;
    REFUSED(scene, add_wall(scene, &wall), "the axis is zero");
    wall.normal[2] = 1;
    spoil(scene, &wall, &wall.radius, 1, add_wall);
    spoil(scene, &wall, &wall.length, 1, add_wall);
    wall.kind = TS_WALL_ROOM;
    spoil(scene, &wall, wall.size, 3, add_wall);
    wall.size[1] = 0;
    REFUSED(scene, add_wall(scene, &wall), "must be positive");
    wall.kind = TS_WALL_SOLID;
    spoil(scene, &wall, wall.attitude, 4, add_wall);
    wall.shape = 1;
    REFUSED(scene, add_wall(scene, &wall), "refers to shape 1");
    wall.kind = (ts_wall_kind)9;
    REFUSED(scene, add_wall(scene, &wall), "kind 9");
    ts_scene_free(scene);
}

static void bad_drives(void **state)
{
    (void)state;
    ts_scene *scene = sample();
    ts_drive_def drive = ts_default_drive();
    drive.target = "floor";
    memset(drive.pivot, 0, sizeof drive.pivot);
    spoil(scene, &drive, drive.velocity, 3, add_drive);
    spoil(scene, &drive, drive.axis, 3, add_drive);
    spoil(scene, &drive, &drive.start, 1, add_drive);
    drive.kind = TS_DRIVE_ROTATION;
    spoil(scene, &drive, &drive.rate, 1, add_drive);
    drive.kind = TS_DRIVE_OSCILLATION;
    spoil(scene, &drive, drive.amplitude, 3, add_drive);
    spoil(scene, &drive, &drive.angle_amplitude, 1, add_drive);
    spoil(scene, &drive, &drive.frequency, 1, add_drive);
    spoil(scene, &drive, &drive.phase, 1, add_drive);
    drive.pivot[1] = (double)NAN;
    REFUSED(scene, add_drive(scene, &drive), "give all of them, or none");
    drive.pivot[1] = HUGE_VAL;
    REFUSED(scene, add_drive(scene, &drive), "pivot");
    drive.pivot[1] = 0;
    drive.axis[2] = 0;
    REFUSED(scene, add_drive(scene, &drive), "the axis is zero");
    drive.axis[2] = 1;

    ts_keyframe key[2] = {{.time = 0}, {.time = 1}};
    drive.kind = TS_DRIVE_KEYFRAMES;
    drive.key = key;
    drive.key_count = 1;
    REFUSED(scene, add_drive(scene, &drive), "at least 2");
    drive.key_count = 2;
    spoil(scene, &drive, key[1].displacement, 3, add_drive);
    spoil(scene, &drive, &key[1].angle, 1, add_drive);
    key[1].time = 0;
    REFUSED(scene, add_drive(scene, &drive), "sort them by time");
    drive.kind = TS_DRIVE_GATE;
    drive.start = drive.end = 2;
    REFUSED(scene, add_drive(scene, &drive), "not after its start");
    drive.end = 3;
    drive.target = NULL;
    REFUSED(scene, add_drive(scene, &drive), "no target");
    drive.target = "floor";
    drive.kind = (ts_drive_kind)0;
    REFUSED(scene, add_drive(scene, &drive), "kind 0");
    ts_scene_free(scene);
}

static void bad_springs(void **state)
{
    (void)state;
    ts_scene *scene = sample();
    ts_spring_def def = ts_default_spring();
    def.b = "bob";
    def.stiffness = 1;
    spoil(scene, &def, def.anchor_a, 3, add_spring);
    spoil(scene, &def, def.anchor_b, 3, add_spring);
    spoil(scene, &def, &def.stiffness, 1, add_spring);
    spoil(scene, &def, &def.rest, 1, add_spring);
    def.stiffness = 0;
    REFUSED(scene, add_spring(scene, &def), "must be positive");
    def.stiffness = 1;
    def.rest = -1;
    REFUSED(scene, add_spring(scene, &def), "must not be negative");
    def.rest = 0;
    def.kind = (ts_spring_kind)2;
    REFUSED(scene, add_spring(scene, &def), "kind 2");
    def.kind = TS_SPRING_CUBIC;
    const char *const nobody[] = {"floor", "grains", "nobody", ""};
    for (int i = 0; i < 4; i++) {
        def.a = nobody[i];
        REFUSED(scene, add_spring(scene, &def), "there is no body named");
    }
    def.a = "bob";
    REFUSED(scene, add_spring(scene, &def), "name two bodies");
    def.a = NULL;
    def.b = NULL;
    REFUSED(scene, add_spring(scene, &def), "no body B");
    ts_scene_free(scene);
}

static void bad_generators(void **state)
{
    (void)state;
    ts_scene *scene = sample();
    ts_mix_entry mix[2] = {{.weight = 1, .scale_min = 1, .scale_max = 1},
                           {.weight = 1, .scale_min = 1, .scale_max = 2}};
    ts_generator_def def = ts_default_generator();
    def.fill = TS_FILL_LATTICE;
    def.count = 5;
    def.mix = mix;
    def.mix_count = 2;
    spoil(scene, &def, def.low, 3, add_generator);
    spoil(scene, &def, def.high, 3, add_generator);
    def.region = TS_REGION_CYLINDER;
    spoil(scene, &def, def.position, 3, add_generator);
    spoil(scene, &def, &def.radius, 1, add_generator);
    spoil(scene, &def, &def.length, 1, add_generator);
    def.region = TS_REGION_CIRCLE;
    REFUSED(scene, add_generator(scene, &def), "in space; choose a box or a cylinder");
    def.region = TS_REGION_BOX;
    def.packing = 0.1;
    REFUSED(scene, add_generator(scene, &def), "give a count");
    def.packing = 0;
    spoil(scene, &def, &def.gap, 1, add_generator);
    spoil(scene, &def, &def.jitter, 1, add_generator);
    spoil(scene, &def, def.velocity, 3, add_generator);
    spoil(scene, &def, &def.velocity_spread, 1, add_generator);
    spoil(scene, &def, &mix[1].weight, 1, add_generator);
    spoil(scene, &def, &mix[1].scale_max, 1, add_generator);
    for (int i = 0; i < 3; i++) {
        def.high[i] = def.low[i];
        REFUSED(scene, add_generator(scene, &def), "lowest corner first");
        def.high[i] = 1;
    }
    def.count = 0;
    REFUSED(scene, add_generator(scene, &def), "its count is 0");
    def.count = TS_GENERATOR_COUNT_MAX + 1;
    REFUSED(scene, add_generator(scene, &def), "lower the count");
    def.count = 5;
    def.fill = TS_FILL_LINE;
    REFUSED(scene, add_generator(scene, &def), "lattice or random");
    def.fill = TS_FILL_RANDOM;
    mix[1].shape = 1;
    REFUSED(scene, add_generator(scene, &def), "refers to shape 1");
    mix[1].shape = 0;
    mix[1].scale_max = 1e60;
    REFUSED(scene, add_generator(scene, &def), "too large to compute with");
    mix[1].scale_max = 0.5;
    REFUSED(scene, add_generator(scene, &def), "exchange them");
    mix[1].scale_max = 1;
    const ts_size_step step[2] = {{1, 0}, {2, 1}};
    mix[1].size = TS_SIZE_TABLE;
    mix[1].table = step;
    mix[1].table_count = 2;
    mix[1].by_mass = true;
    REFUSED(scene, add_generator(scene, &def), "by number");
    mix[1].by_mass = false;
    OK(add_generator(scene, &def));
    def.mix_count = 0;
    REFUSED(scene, add_generator(scene, &def), "mix is empty");
    def.mix_count = 1;
    def.fixed = true;
    def.velocity_spread = 1;
    REFUSED(scene, add_generator(scene, &def), "fixed but have a velocity");
    ts_scene_free(scene);
}

/* As in the plane: weights are shares of the count, to the nearest body. */
static void mixes_are_shared_out(void **state)
{
    (void)state;
    ts_scene *scene = sample();
    const ts_mix_entry mix[3] = {{.weight = 2, .scale_min = 0.01, .scale_max = 0.01},
                                 {.weight = 0, .scale_min = 0.04, .scale_max = 0.04},
                                 {.weight = 1, .scale_min = 0.02, .scale_max = 0.02}};
    ts_generator_def def = ts_default_generator();
    def.fill = TS_FILL_LATTICE;
    def.low[2] = 5;
    def.high[2] = 6;
    def.count = 100;
    def.mix = mix;
    def.mix_count = 3;
    OK(ts_scene_add_generator(scene, &def, NULL, ERROR));
    ts_model *model;
    OK(ts_model_compile(scene, &model, ERROR));
    size_t count[3] = {0}, turns = 0, first = model->body_count - 100;
    for (size_t i = first; i < model->body_count; i++) {
        const double scale = model->body3[i].radius / model->body3[1].radius;
        count[0] += fabs(scale - 0.01) < 1e-9;
        count[1] += fabs(scale - 0.04) < 1e-9;
        count[2] += fabs(scale - 0.02) < 1e-9;
        turns += i > first && model->body3[i].radius != model->body3[i - 1].radius;
    }
    assert_true(count[0] == 67 && count[1] == 0 && count[2] == 33);
    assert_true(turns > 20); /* in random order */
    ts_model_free(model);
    ts_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(things_are_kept),
        cmocka_unit_test(plane_and_space_do_not_mix),
        cmocka_unit_test(nothing_is_null_or_zeroed),
        cmocka_unit_test(bad_spaces),
        cmocka_unit_test(bad_solids),
        cmocka_unit_test(bad_hulls_and_meshes),
        cmocka_unit_test(bad_bodies_and_walls),
        cmocka_unit_test(bad_drives),
        cmocka_unit_test(bad_springs),
        cmocka_unit_test(bad_generators),
        cmocka_unit_test(mixes_are_shared_out),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
