/* SPDX-License-Identifier: MIT */
/* Pictures of bodies in space against geometry: areas of silhouettes, where shadows fall, the nearest thing by brute
 * force. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "record/trace.h"
#include "record/trace_work.h"
#include "support/check.h"
#include "support/isa.h"

#define WIDTH  160
#define HEIGHT 120

static uint32_t pixels[WIDTH * HEIGHT], other_pixels[WIDTH * HEIGHT];
static const ts_image image = {pixels, WIDTH, WIDTH, HEIGHT};
static const ts_colour amber = {0.9, 0.6, 0.2};
static const ts_quat straight = {1, 0, 0, 0};

/* From (0, -10, 0) along +y: x of the world is right, z is up. */
static ts_view view_of(const ts_thing *thing, size_t count)
{
    ts_view view = ts_default_view();
    view.thing = thing;
    view.thing_count = count;
    view.camera = (ts_eye){{0, -10, 0}, {0, 0, 0}, {0, 0, 1}, 0.5};
    return view;
}

static ts_trace *drawn(const ts_view *view)
{
    ts_trace *trace = NULL;
    OK(ts_trace_create(NULL, &trace, ERROR));
    OK(ts_trace_draw(trace, view, &image, ERROR));
    return trace;
}

static ts_thing thing_of(const ts_solid *solid, double x, double y, double z)
{
    return (ts_thing){.solid = solid, .pose = {{x, y, z}, straight}, .scale = 1, .colour = amber};
}

/* Pixels whose middle sees a thing. */
static int count_of(const ts_trace *trace, int64_t thing)
{
    int count = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            count += ts_trace_seen(trace, x, y).thing == thing;
    return count;
}

/* Size of a pixel in the plane at distance 1. */
static double pixel_size(const ts_view *view)
{
    return 2 * tan(0.5 * view->camera.fov) / HEIGHT;
}

/* ---- Silhouettes ---- */

/* A ball of radius r at distance d in the middle of the view is seen as a disc of radius tan(asin(r / d)) in the plane
 * at distance 1. */
static void a_sphere_covers_its_disc(void **unused)
{
    (void)unused;
    static const ts_solid ball = {.kind = TS_SOLID_SPHERE, .radius = 0.75};
    for (int k = 0; k < 3; k++) {
        ts_thing thing = thing_of(&ball, 0, k, 0);
        thing.scale = 1 + 0.5 * k;
        ts_view view = view_of(&thing, 1);
        ts_trace *trace = drawn(&view);
        double r = tan(asin(0.75 * thing.scale / (10 + k))) / pixel_size(&view);
        /* the number of lattice points in a disc misses its area by less than the rim, of which it keeps a small part
         * */
        NEAR(count_of(trace, 0), TS_PI * r * r, 2 * r);
        /* the nearest point is straight ahead; pixels are half a pixel beside it */
        ts_seen seen = ts_trace_seen(trace, WIDTH / 2, HEIGHT / 2);
        NEAR(seen.depth, 10 + k - 0.75 * thing.scale, 1e-2);
        NEAR(seen.normal.y, -1, 1e-2);
        ts_trace_free(trace);
    }
}

/* The face of a box at distance d is a × b / d² in the plane at distance 1; so is that of a hull and of a mesh of the
 * same shape, to the pixel. */
static void a_box_covers_its_face(void **unused)
{
    (void)unused;
    static const ts_solid box = {.kind = TS_SOLID_BOX, .half = {1.5, 0.5, 0.8}};
    ts_thing thing = thing_of(&box, 0, 0, 0);
    ts_view view = view_of(&thing, 1);
    ts_trace *trace = drawn(&view);
    double a = 2 * 1.5 / 9.5 / pixel_size(&view), b = 2 * 0.8 / 9.5 / pixel_size(&view);
    NEAR(count_of(trace, 0), a * b, a + b);
    ts_seen seen = ts_trace_seen(trace, WIDTH / 2, HEIGHT / 2);
    NEAR(seen.normal.y, -1, 1e-12);
    /* every pixel of the face lies in its plane: depth · cos = 9.5 */
    double x = 20.5 * pixel_size(&view), z = 10.5 * pixel_size(&view);
    NEAR(ts_trace_seen(trace, WIDTH / 2 + 20, HEIGHT / 2 + 10).depth, 9.5 * sqrt(1 + x * x + z * z), 1e-9);
    ts_trace_free(trace);
}

/* A sample's edge pixels hold the right share of two colours: an upright edge at 0.3 of a pixel, within one of nine
 * samples. */
static void edges_are_soft(void **unused)
{
    (void)unused;
    ts_solid box = {.kind = TS_SOLID_BOX, .half = {1, 1, 1}};
    ts_thing thing = thing_of(&box, 0, 0, 0);
    ts_view view = view_of(&thing, 1);
    view.light.occlusion = false;
    double size = pixel_size(&view) * 9;            /* of a pixel on the front */
    box.half = (ts_vec3){20.3 * size, 1, 5 * size}; /* ends at 20.3 pixels right of the middle */
    thing.pose.position.x = 0;
    ts_trace *trace = drawn(&view);
    int y = HEIGHT / 2;
    uint32_t in = pixels[y * WIDTH + WIDTH / 2 + 18], at = pixels[y * WIDTH + WIDTH / 2 + 20],
             out = pixels[y * WIDTH + WIDTH / 2 + 23];
    double share[3] = {0};
    for (int k = 0; k < 3; k++) {
        double c[3];
        const uint32_t from[3] = {in, at, out};
        for (int i = 0; i < 3; i++) {
            double s = (from[i] >> (8 * k) & 255) / 255.0;
            c[i] = s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4); /* light adds up linearly */
        }
        share[k] = (c[1] - c[2]) / (c[0] - c[2]);
        NEAR(share[k], 0.3, 0.06);
    }
    ts_trace_free(trace);
}

/* ---- Brute force ---- */

/* Is p inside? Written from the definitions in solid.h. */
static bool inside(const ts_thing *thing, ts_vec3 p)
{
    const ts_solid *s = thing->solid;
    p = ts_vec3_scale(ts_pose3_apply_inverse(thing->pose, p), 1 / thing->scale);
    switch (s->kind) {
    case TS_SOLID_SPHERE:
        return ts_vec3_length(p) <= s->radius;
    case TS_SOLID_BOX:
        return fabs(p.x) <= s->half.x && fabs(p.y) <= s->half.y && fabs(p.z) <= s->half.z;
    case TS_SOLID_CYLINDER:
        return hypot(p.x, p.y) <= s->radius && fabs(p.z) <= s->half_length;
    case TS_SOLID_CAPSULE:
        return ts_vec3_length((ts_vec3){p.x, p.y, p.z - fmax(-s->half_length, fmin(s->half_length, p.z))}) <= s->radius;
    default: /* a hull, or the mesh of the same octahedron */
        return fabs(p.x) + fabs(p.y) + fabs(p.z) <= 1;
    }
}

/* |x| + |y| + |z| ≤ 1, as a hull and as a mesh. */
static ts_vec3 octahedron[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
static int32_t octahedron_face[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                        {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
static ts_mesh octahedron_mesh = {octahedron, 6, octahedron_face, 8};
static ts_vec3 hull_normal[8];
static double hull_offset[8];

static ts_hull octahedron_hull(void)
{
    for (int f = 0; f < 8; f++) {
        ts_vec3 sum = ts_vec3_add(ts_vec3_add(octahedron[octahedron_face[f][0]], octahedron[octahedron_face[f][1]]),
                                  octahedron[octahedron_face[f][2]]);
        hull_normal[f] = ts_vec3_unit(sum);
        hull_offset[f] = 1 / sqrt(3.0);
    }
    return (ts_hull){
        .vertex = octahedron, .vertex_count = 6, .normal = hull_normal, .offset = hull_offset, .face_count = 8};
}

#define CROWD 60
static ts_solid crowd_solid[CROWD];
static ts_thing crowd[CROWD];

/* All shapes, anywhere in a cube of side 4, turned and scaled. */
static void fill_crowd(const ts_hull *hull)
{
    static const ts_solid_kind kind[] = {TS_SOLID_SPHERE,   TS_SOLID_BOX,  TS_SOLID_CAPSULE,
                                         TS_SOLID_CYLINDER, TS_SOLID_HULL, TS_SOLID_MESH};
    ts_random r = ts_random_make(7, 0);
    for (int i = 0; i < CROWD; i++) {
        crowd_solid[i] =
            (ts_solid){.kind = kind[i % 6], .radius = 0.7, .half_length = 0.9, .hull = hull, .mesh = &octahedron_mesh};
        crowd_solid[i].half = (ts_vec3){0.9, 0.4, 0.6};
        ts_thing *t = &crowd[i];
        *t = thing_of(&crowd_solid[i], ts_random_next_range(&r, -2, 2), ts_random_next_range(&r, -2, 2),
                      ts_random_next_range(&r, -2, 2));
        t->pose.quat = ts_quat_unit((ts_quat){ts_random_next_normal(&r), ts_random_next_normal(&r),
                                              ts_random_next_normal(&r), ts_random_next_normal(&r)});
        t->scale = ts_random_next_range(&r, 0.2, 0.5);
        t->colour = ts_colour_kind((size_t)i);
    }
}

/* The ray through a pixel's middle, derived from what a camera is. */
static ts_vec3 ray_of(const ts_view *view, int x, int y)
{
    double s = pixel_size(view);
    return ts_vec3_unit((ts_vec3){(x + 0.5 - 0.5 * WIDTH) * s, 1, -(y + 0.5 - 0.5 * HEIGHT) * s});
}

/* Just before the hit a ray is in no thing, and just behind it is in the one that was hit (if it is thick enough
 * there); from the eye to the hit, it is in none at any of many steps. */
static void hits_are_the_first(void **unused)
{
    (void)unused;
    ts_hull hull = octahedron_hull();
    fill_crowd(&hull);
    ts_view view = view_of(crowd, CROWD);
    ts_trace *trace = drawn(&view);
    int wrong = 0, hits = 0, kinds = 0;
    for (int y = 3; y < HEIGHT; y += 8)
        for (int x = 2; x < WIDTH; x += 7) {
            ts_seen seen = ts_trace_seen(trace, x, y);
            ts_vec3 d = ray_of(&view, x, y);
            double end = seen.thing >= 0 ? seen.depth - 1e-9 : 20;
            for (int step = 0; step < 300 && 7 + 0.02 * step < end; step++)
                for (int i = 0; i < CROWD; i++)
                    wrong += inside(&crowd[i], ts_vec3_add_scaled(view.camera.position, d, 7 + 0.02 * step));
            if (seen.thing < 0)
                continue;
            hits++;
            kinds |= 1 << crowd_solid[seen.thing].kind;
            ts_vec3 before = ts_vec3_add_scaled(view.camera.position, d, seen.depth - 1e-7);
            ts_vec3 behind = ts_vec3_add_scaled(view.camera.position, d, seen.depth + 1e-7);
            wrong += inside(&crowd[seen.thing], before) || !inside(&crowd[seen.thing], behind);
            /* the normal looks at the eye, and is that of the surface: a step along it leaves the thing */
            wrong += ts_vec3_dot(seen.normal, d) > 1e-6;
            wrong += inside(&crowd[seen.thing], ts_vec3_add_scaled(before, seen.normal, 1e-3));
        }
    assert_true(hits > 90);
    assert_int_equal(kinds, 1 << TS_SOLID_SPHERE | 1 << TS_SOLID_BOX | 1 << TS_SOLID_CAPSULE | 1 << TS_SOLID_CYLINDER |
                                1 << TS_SOLID_HULL | 1 << TS_SOLID_MESH);
    assert_int_equal(wrong, 0);
    ts_trace_free(trace);
}

/* ---- Light ---- */

/* A ball of radius r at height h over a floor, the sun straight up: the floor is dark within r below it and bright
 * outside. With the sun at 45° the shadow moves by h. */
static void shadows_fall_where_they_should(void **unused)
{
    (void)unused;
    static const ts_solid ball = {.kind = TS_SOLID_SPHERE, .radius = 0.5};
    for (int k = 0; k < 2; k++) {
        ts_thing thing = thing_of(&ball, 0, 0, 2);
        ts_view view = view_of(&thing, 1);
        view.ground = (ts_ground){.on = true, .height = 0};
        view.light.sun = (ts_vec3){-k, 0, 1}; /* from the left: the shadow goes right */
        view.light.sun_size = 0;
        view.camera = (ts_eye){{0, -6, 9}, {1, 0, 0}, {0, 0, 1}, 0.8};
        ts_trace *trace = drawn(&view);
        ts_vec3 forward = ts_vec3_unit(ts_vec3_sub(view.camera.target, view.camera.position));
        ts_vec3 right = ts_vec3_unit(ts_vec3_cross(forward, view.camera.up)), down = ts_vec3_cross(forward, right);
        double s = pixel_size(&view), stretch = k ? sqrt(2.0) : 1;
        int dark = 0;
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                ts_seen seen = ts_trace_seen(trace, x, y);
                if (seen.thing != TS_SEEN_GROUND)
                    continue;
                ts_vec3 d = ts_vec3_add_scaled(ts_vec3_add_scaled(forward, right, (x + 0.5 - 0.5 * WIDTH) * s), down,
                                               (y + 0.5 - 0.5 * HEIGHT) * s);
                ts_vec3 p = ts_vec3_add_scaled(view.camera.position, d, -view.camera.position.z / d.z);
                NEAR(seen.depth, ts_vec3_distance(p, view.camera.position), 1e-9);
                /* an ellipse about the ball's centre as the sun throws it */
                double away = hypot((p.x - 2 * k) / stretch, p.y) - 0.5;
                if (fabs(away) > 1e-6)
                    assert_int_equal(seen.lit, away > 0);
                dark += !seen.lit;
            }
        assert_true(dark > 30);
        ts_trace_free(trace);
    }
}

static int brightness(int x, int y)
{
    uint32_t p = pixels[y * WIDTH + x];
    return (int)(p & 255) + (int)(p >> 8 & 255) + (int)(p >> 16 & 255);
}

/* The side towards the sun is brighter than the other; a mesh with few triangles is round in its light; nothing but
 * background is paper. */
static void light_comes_from_the_sun(void **unused)
{
    (void)unused;
    static const ts_solid ball = {.kind = TS_SOLID_SPHERE, .radius = 1.5};
    ts_thing thing = thing_of(&ball, 0, 0, 0);
    ts_view view = view_of(&thing, 1);
    view.light.sun = (ts_vec3){-1, -1, 0.2};
    ts_trace *trace = drawn(&view);
    int middle = HEIGHT / 2;
    assert_true(brightness(WIDTH / 2 - 20, middle) > brightness(WIDTH / 2, middle));
    assert_true(brightness(WIDTH / 2, middle) > brightness(WIDTH / 2 + 20, middle));
    assert_int_equal(pixels[0], 0xFBFAF7);
    ts_trace_free(trace);
}

/* Below a low roof the sky is dark, though the sun is shut out as well beside it, in the roof's shadow. */
static void corners_see_less_sky(void **unused)
{
    (void)unused;
    static const ts_solid roof = {.kind = TS_SOLID_BOX, .half = {2, 2, 0.05}};
    ts_thing thing = thing_of(&roof, 0, 0, 0.5);
    ts_view view = view_of(&thing, 1);
    view.ground = (ts_ground){.on = true, .height = 0};
    view.light.sun_share = 0; /* sky alone */
    view.grid = 0;
    view.camera = (ts_eye){{0, -10, 1.2}, {0, 0, 0.2}, {0, 0, 1}, 0.5};
    ts_trace *trace = drawn(&view);
    int under = -1, open = -1;
    for (int y = 0; y < HEIGHT; y++)
        if (ts_trace_seen(trace, WIDTH / 2, y).thing == TS_SEEN_GROUND) {
            if (under < 0 && ts_trace_seen(trace, WIDTH / 2, y).depth < 10)
                under = y;
            open = y;
        }
    assert_true(under >= 0 && open > under);
    assert_true(brightness(WIDTH / 2, under) < brightness(WIDTH / 2, open) - 60);
    ts_trace_free(trace);
}

/* ---- What must not matter ---- */

/* A floor at the lowest point. */
static ts_ground below(const ts_view *view)
{
    return (ts_ground){.on = true, .height = ts_view_bounds(view).low.z};
}

static void threads_give_the_same_bits(void **unused)
{
    (void)unused;
    ts_hull hull = octahedron_hull();
    fill_crowd(&hull);
    crowd[1].flags = crowd[5].flags = TS_THING_GHOST;
    ts_view view = view_of(crowd, CROWD);
    view.ground = below(&view);
    ts_trace *trace = drawn(&view);
    memcpy(other_pixels, pixels, sizeof pixels);
    ts_trace_free(trace);
    ts_pool *pool = NULL;
    OK(ts_pool_create(3, &pool, ERROR));
    OK(ts_trace_create(pool, &trace, ERROR));
    for (int again = 0; again < 2; again++) { /* the second time with what is left of the first */
        memset(pixels, 0, sizeof pixels);
        OK(ts_trace_draw(trace, &view, &image, ERROR));
        assert_memory_equal(pixels, other_pixels, sizeof pixels);
    }
    ts_trace_free(trace);
    ts_pool_free(pool);
}

TS_TEST_TABLES(ts_trace_kernels, ts_trace);

/* Rays of every direction meet the same, to the bit, with vectors of every width that this machine has. */
static void instruction_sets_give_the_same_bits(void **unused)
{
    (void)unused;
    ts_hull hull = octahedron_hull();
    fill_crowd(&hull);
    ts_view view = view_of(crowd, CROWD);
    ts_trace *trace = drawn(&view);
    const ts_trace_world *world = &trace->scene.world;
    ts_random r = ts_random_make(11, 0);
    int hits = 0;
    for (int k = 0; k < 400; k++) {
        ts_trace_packet first = {.item = {0}};
        for (int i = 0; i < TS_LANES; i++) {
            ts_vec3 d = ts_vec3_unit(
                (ts_vec3){ts_random_next_normal(&r), ts_random_next_normal(&r), ts_random_next_normal(&r)});
            ts_vec3 o = ts_vec3_add_scaled((ts_vec3){ts_random_next_normal(&r), ts_random_next_normal(&r), 0}, d, -4);
            first.ox[i] = o.x, first.oy[i] = o.y, first.oz[i] = o.z;
            first.dx[i] = d.x, first.dy[i] = d.y, first.dz[i] = d.z;
            first.far[i] = i == 3 ? -1 : 6;
        }
        ts_trace_packet start = first;
        unsigned blocked = ts_trace_table[0]->blocked(world, &first);
        ts_trace_table[0]->closest(world, &first);
        for (int i = 0; i < TS_LANES; i++) {
            assert_int_equal(blocked >> i & 1, first.item[i] >= 0); /* blocked by anything: hit by something */
            hits += first.item[i] >= 0;
        }
        for (int isa = 1; isa < ts_test_isa_count(); isa++) {
            ts_trace_packet other = start;
            assert_int_equal(ts_trace_table[isa]->blocked(world, &other), blocked);
            ts_trace_table[isa]->closest(world, &other);
            assert_memory_equal(other.item, first.item, sizeof first.item);
            assert_memory_equal(other.far, first.far, 3 * sizeof(double)); /* the fourth is no ray */
            assert_memory_equal(other.far + 4, first.far + 4, 4 * sizeof(double));
            assert_memory_equal(other.part, first.part, sizeof first.part);
        }
        assert_int_equal(first.item[3], -1);
    }
    assert_true(hits > 300);
    ts_trace_free(trace);
}

/* The tree of a mesh is kept while the mesh stays as it is, made anew when it changes, and forgotten when it is not
 * seen. */
static void trees_of_meshes_are_kept(void **unused)
{
    (void)unused;
    ts_mesh *mesh = NULL;
    OK(ts_mesh_copy(&octahedron_mesh, &mesh, ERROR));
    ts_solid solid = {.kind = TS_SOLID_MESH, .mesh = mesh};
    ts_thing thing[2] = {thing_of(&solid, 0, 0, 0), thing_of(&solid, 1, 0, 0)};
    ts_view view = view_of(thing, 2);
    ts_trace *trace = drawn(&view);
    assert_int_equal(trace->mesh.count, 1);
    const ts_trace_mesh *tree = trace->mesh.item[0].tree;
    double near = ts_trace_seen(trace, WIDTH / 2, HEIGHT / 2).depth;
    OK(ts_trace_draw(trace, &view, &image, ERROR));
    assert_ptr_equal(trace->mesh.item[0].tree, tree);
    ts_mesh_move(mesh, 2, ts_pose3_identity());
    OK(ts_trace_draw(trace, &view, &image, ERROR));
    NEAR(near - ts_trace_seen(trace, WIDTH / 2, HEIGHT / 2).depth, 1, 0.02);
    view.thing_count = 0;
    OK(ts_trace_draw(trace, &view, &image, ERROR));
    assert_int_equal(trace->mesh.count, 0);
    ts_trace_free(trace);
    ts_mesh_free(mesh);
}

/* A scene a thousand times as large, or as small, gives the same picture. */
static void size_does_not_matter(void **unused)
{
    (void)unused;
    ts_hull hull = octahedron_hull();
    fill_crowd(&hull);
    ts_view view = view_of(crowd, CROWD);
    view.ground = below(&view);
    view.grid = 0; /* 1, 2, 5 times a power of ten does not scale by powers of two */
    ts_trace *trace = drawn(&view);
    memcpy(other_pixels, pixels, sizeof pixels);
    for (int k = 0; k < 2; k++) {
        double s =
            k ? 1.0 / 1024 : 1024; /* powers of two: lines of the grid (1, 2, 5) would not scale, and are left out */
        fill_crowd(&hull);
        for (int i = 0; i < CROWD; i++) {
            crowd[i].scale *= s;
            crowd[i].pose.position = ts_vec3_scale(crowd[i].pose.position, s);
        }
        ts_view scaled = view;
        scaled.ground.height *= s;
        scaled.camera.position = ts_vec3_scale(view.camera.position, s);
        OK(ts_trace_draw(trace, &scaled, &image, ERROR));
        assert_memory_equal(pixels, other_pixels, sizeof pixels);
    }
    ts_trace_free(trace);
}

/* ---- The odd ---- */

static void what_is_behind_or_around_the_eye_is_not_seen(void **unused)
{
    (void)unused;
    static const ts_solid ball = {.kind = TS_SOLID_SPHERE, .radius = 1},
                          box = {.kind = TS_SOLID_BOX, .half = {1, 1, 1}},
                          octa = {.kind = TS_SOLID_MESH, .mesh = &octahedron_mesh};
    const ts_thing thing[] = {thing_of(&ball, 0, -14, 0), thing_of(&box, 0.1, -10, 0), thing_of(&ball, 0.3, -10.2, 0),
                              thing_of(&octa, 0, -10, 0.1), thing_of(&ball, 0, 0, 0)};
    ts_view view = view_of(thing, 5);
    ts_trace *trace = drawn(&view);
    for (int i = 0; i < 4; i++)
        assert_int_equal(count_of(trace, i), 0);
    assert_true(count_of(trace, 4) > 100);
    ts_trace_free(trace);
}

static void nothing_is_paper(void **unused)
{
    (void)unused;
    ts_view view = view_of(NULL, 0);
    ts_trace *trace = drawn(&view);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        assert_int_equal(pixels[i], 0xFBFAF7);
    assert_true(isinf(ts_trace_seen(trace, 3, 3).depth));
    ts_trace_free(trace);
}

/* Ghosts change pixels but hide and shade nothing. */
static void ghosts_are_thin(void **unused)
{
    (void)unused;
    ts_hull hull = octahedron_hull();
    static const ts_solid ball = {.kind = TS_SOLID_SPHERE, .radius = 0.5}, plane = {.kind = TS_SOLID_PLANE},
                          vessel = {.kind = TS_SOLID_VESSEL, .radius = 1.2, .half_length = 1.2},
                          octa = {.kind = TS_SOLID_MESH, .mesh = &octahedron_mesh},
                          pill = {.kind = TS_SOLID_CAPSULE, .radius = 1, .half_length = 0.4},
                          box = {.kind = TS_SOLID_BOX, .half = {1, 1, 1}};
    ts_solid facets = {.kind = TS_SOLID_HULL, .hull = &hull};
    const ts_solid *around[] = {&vessel, &octa, &pill, &box, &facets, &ball, &plane};
    for (int k = 0; k < 7; k++) {
        ts_thing thing[2] = {thing_of(&ball, 0, 0, 0), thing_of(around[k], 0, 0, 0)};
        thing[1].flags = TS_THING_GHOST;
        thing[1].scale = 1.1;
        thing[1].colour = (ts_colour){0, 0, 0};
        if (k == 6) { /* upright, before the ball */
            thing[1].pose.quat = ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, TS_PI / 2);
            thing[1].pose.position.y = -1;
        }
        ts_view view = view_of(thing, 1);
        view.ground = (ts_ground){.on = true, .height = -1.5};
        view.stage = (ts_box3){{-2, -2, -1.5}, {2, 2, 2}};
        ts_trace *trace = drawn(&view);
        memcpy(other_pixels, pixels, sizeof pixels);
        int seen = count_of(trace, 0);
        ts_trace_free(trace);
        view.thing_count = 2;
        trace = drawn(&view);
        assert_int_equal(count_of(trace, 0), seen);
        assert_int_equal(count_of(trace, 1), 0);
        int darker = 0, dark = 0;
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            int now = (int)(pixels[i] >> 8 & 255), before = (int)(other_pixels[i] >> 8 & 255);
            darker += now < before;
            dark += now < before - 80;
        }
        assert_true(darker > 400);
        assert_true(dark < darker / 4); /* lines only */
        ts_trace_free(trace);
    }
}

static void expect_refused(ts_trace *trace, const ts_view *view, const ts_image *to)
{
    ts_error error = {0};
    assert_int_equal(ts_trace_draw(trace, view, to, &error), TS_BAD_INPUT);
    assert_true(strlen(error.message) > 10);
}

static void nonsense_is_refused(void **unused)
{
    (void)unused;
    static const ts_solid ball = {.kind = TS_SOLID_SPHERE, .radius = 1},
                          bad = {.kind = TS_SOLID_BOX, .half = {1, 0, 1}};
    ts_thing good = thing_of(&ball, 0, 0, 0), thing = good;
    ts_view sane = view_of(&thing, 1), view = sane;
    ts_trace *trace = NULL;
    OK(ts_trace_create(NULL, &trace, ERROR));
    expect_refused(trace, &view, &(ts_image){pixels, WIDTH, 0, HEIGHT});
    expect_refused(trace, &view, &(ts_image){pixels, WIDTH, WIDTH, -1});
    const double nan = (double)NAN;
#define REFUSE(change)                        \
    do {                                      \
        thing = good;                         \
        view = sane;                          \
        change;                               \
        expect_refused(trace, &view, &image); \
    } while (0)
    REFUSE(thing.pose.position.y = nan);
    REFUSE(thing.pose.quat.x = nan);
    REFUSE(thing.scale = 0);
    REFUSE(thing.scale = nan);
    REFUSE(thing.colour.g = nan);
    REFUSE(thing.solid = &bad);
    REFUSE(thing.solid = NULL);
    REFUSE(view.camera.position.x = nan);
    REFUSE(view.camera.fov = 0);
    REFUSE(view.camera.fov = nan);
    REFUSE(view.camera.target = view.camera.position);
    REFUSE(view.camera.up = ((ts_vec3){0, 1, 0}));
    REFUSE(view.up = ((ts_vec3){0, 0, 0}));
    REFUSE(view.light.sun = ((ts_vec3){0, 0, nan}));
    REFUSE(view.light.sun_size = nan);
    REFUSE(view.grid = nan);
    ts_mesh broken = octahedron_mesh;
    int32_t face[1][3] = {{0, 1, 6}};
    broken.triangle = face;
    broken.triangle_count = 1;
    ts_solid mesh = {.kind = TS_SOLID_MESH, .mesh = &broken};
    REFUSE(thing.solid = &mesh);
    thing = good;
    OK(ts_trace_draw(trace, &sane, &image, ERROR));
    ts_trace_free(trace);
}

/* ---- Cameras ---- */

/* All corners of a box, or all points of balls, lie within the part of the picture that they are to fill; and something
 * touches its margin on two opposite sides. */
static void cameras_frame_what_they_should(void **unused)
{
    (void)unused;
    const ts_image_part part = {0.1, 0.2, 0.95, 0.9};
    const double aspect = (double)WIDTH / HEIGHT;
    static const ts_box3 boxes[] = {
        {{-1, -1, 0}, {1, 1, 1}}, {{3, 4, 5}, {3.1, 9, 5.5}}, {{-1e-3, -1e-3, 0}, {1e-3, 1e-3, 9e-3}}};
    for (size_t b = 0; b < 3; b++) {
        ts_eye c = ts_camera_around(boxes[b], aspect, part);
        ts_vec3 forward = ts_vec3_unit(ts_vec3_sub(c.target, c.position)),
                right = ts_vec3_unit(ts_vec3_cross(forward, c.up)), up = ts_vec3_cross(right, forward);
        double left = 1, top = 1, far_right = 0, bottom = 0, t = tan(0.5 * c.fov);
        for (int k = 0; k < 8; k++) {
            const ts_box3 *box = &boxes[b];
            ts_vec3 p = {k & 1 ? box->high.x : box->low.x, k & 2 ? box->high.y : box->low.y,
                         k & 4 ? box->high.z : box->low.z};
            p = ts_vec3_sub(p, c.position);
            double z = ts_vec3_dot(p, forward), x = 0.5 + 0.5 * ts_vec3_dot(p, right) / (z * t * aspect),
                   y = 0.5 - 0.5 * ts_vec3_dot(p, up) / (z * t);
            assert_true(z > 0);
            left = fmin(left, x);
            far_right = fmax(far_right, x);
            top = fmin(top, y);
            bottom = fmax(bottom, y);
        }
        assert_true(left > part.left && far_right < part.right && top > part.top && bottom < part.bottom);
        double wide = (far_right - left) / (part.right - part.left), high = (bottom - top) / (part.bottom - part.top);
        assert_true(fmax(wide, high) > 0.9);
        assert_true(c.position.z > boxes[b].high.z * (boxes[b].high.z > 1 ? 1 : 0)); /* from above */
    }
}

/* Boxes around turned things are those of many of their points, and no larger than needed. */
static void bounds_hold_and_fit(void **unused)
{
    (void)unused;
    ts_hull hull = octahedron_hull();
    fill_crowd(&hull);
    ts_random r = ts_random_make(9, 0);
    for (int i = 0; i < 6; i++) {
        ts_view view = view_of(&crowd[i], 1);
        ts_box3 box = ts_view_bounds(&view);
        ts_box3 seen = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
        for (int k = 0; k < 20000; k++) {
            ts_vec3 p = {ts_random_next_range(&r, -1.7, 1.7), ts_random_next_range(&r, -1.7, 1.7),
                         ts_random_next_range(&r, -1.7, 1.7)};
            p = ts_pose3_apply(crowd[i].pose, ts_vec3_scale(p, crowd[i].scale));
            if (!inside(&crowd[i], p))
                continue;
            seen.low = ts_vec3_min(seen.low, p);
            seen.high = ts_vec3_max(seen.high, p);
        }
        double slack = 0.25 * crowd[i].scale; /* corners are rarely drawn */
        ts_vec3 low = ts_vec3_sub(seen.low, box.low), high = ts_vec3_sub(box.high, seen.high);
        assert_true(low.x >= 0 && low.y >= 0 && low.z >= 0 && high.x >= 0 && high.y >= 0 && high.z >= 0);
        assert_true(fmax(fmax(low.x, low.y), low.z) < slack && fmax(fmax(high.x, high.y), high.z) < slack);
    }
}

/* ---- Figures ---- */

/* Words come over the picture, and only where they belong. */
static void figures_have_words(void **unused)
{
    (void)unused;
    static const ts_solid ball = {.kind = TS_SOLID_SPHERE, .radius = 1};
    ts_thing thing = thing_of(&ball, 0, 0, 1);
    ts_view view = view_of(&thing, 1);
    view.ground = below(&view);
    ts_draw_options options = ts_default_draw_options();
    options.width = 320;
    options.height = 200;
    options.title = "One ball";
    ts_canvas *canvas = NULL;
    ts_status status = ts_canvas_create(&options, &canvas, ERROR);
    if (status == TS_UNSUPPORTED)
        skip();
    OK(status);
    const ts_picture_key key = {.kind = TS_KEY_NONE};
    ts_image_part part = TS_WHOLE_IMAGE;
    part.top = ts_canvas_header_height(canvas, &key, true) / options.height;
    assert_true(part.top > 0.05 && part.top < 0.5);
    view.camera = ts_camera_around(ts_view_bounds(&view), 1.6, part);
    ts_trace *trace = NULL;
    char grid[TS_GRID_TEXT_SIZE];
    OK(ts_trace_create(NULL, &trace, ERROR));
    OK(ts_trace_draw(trace, &view, ts_canvas_image(canvas), ERROR));
    assert_int_equal(ts_trace_seen(trace, 160, 120).thing, 0);
    OK(ts_canvas_words(canvas, &key, "t = 1 s", NULL, ts_trace_grid_text(trace, grid), ERROR));
    const uint32_t *p = ts_canvas_pixels(canvas);
    int ink = 0;
    for (int i = 0; i < 320 * (int)(200 * part.top); i++)
        ink += (p[i] & 255) < 0x80;
    assert_true(ink > 40);
    OK(ts_canvas_write_png(canvas, "ball.png", ERROR));
    ts_canvas_free(canvas);
    ts_trace_free(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_sphere_covers_its_disc),
                                       cmocka_unit_test(a_box_covers_its_face),
                                       cmocka_unit_test(edges_are_soft),
                                       cmocka_unit_test(hits_are_the_first),
                                       cmocka_unit_test(shadows_fall_where_they_should),
                                       cmocka_unit_test(light_comes_from_the_sun),
                                       cmocka_unit_test(corners_see_less_sky),
                                       cmocka_unit_test(threads_give_the_same_bits),
                                       cmocka_unit_test(instruction_sets_give_the_same_bits),
                                       cmocka_unit_test(trees_of_meshes_are_kept),
                                       cmocka_unit_test(size_does_not_matter),
                                       cmocka_unit_test(what_is_behind_or_around_the_eye_is_not_seen),
                                       cmocka_unit_test(nothing_is_paper),
                                       cmocka_unit_test(ghosts_are_thin),
                                       cmocka_unit_test(nonsense_is_refused),
                                       cmocka_unit_test(cameras_frame_what_they_should),
                                       cmocka_unit_test(bounds_hold_and_fit),
                                       cmocka_unit_test(figures_have_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
