/* SPDX-License-Identifier: MIT */
/* Grains at walls: thousands of boundary points, closed forms for boxes and discs, other maps, and the identities of
 * every record. */
#include "cspace/wall.h"

#include <math.h>

#include "base/memory.h"
#include "cspace/walls.h"
#include "shape/segment.h"

/* ---- The truth: points of the boundary, about the centre of mass ---- */

typedef struct cloud {
    size_t count;
    ts_vec2 *point;
    double coarse; /* arcs rise above the chords between points by less than this */
} cloud;

static cloud cloud_of(const ts_outline *o, size_t about)
{
    ts_outline_mass mass = ts_outline_get_mass(o);
    size_t edges = 0, contours = ts_outline_contour_count(o);
    for (size_t i = 0; i < contours; i++)
        edges += ts_outline_get_contour(o, i).vertex_count;
    size_t each = about / edges + 1;
    cloud made = {.point = ts_alloc(edges * each, sizeof *made.point)};
    for (size_t i = 0; i < contours; i++) {
        ts_contour c = ts_outline_get_contour(o, i);
        for (size_t k = 0; k < c.vertex_count; k++) {
            ts_segment s = ts_contour_segment(&c, k);
            double piece = 4 * fabs(atan(s.bulge)) / (double)each;
            if (s.bulge != 0)
                made.coarse = fmax(made.coarse, ts_segment_arc(&s).radius * piece * piece / 8);
            for (size_t j = 0; j < each; j++) {
                ts_vec2 p = ts_segment_point(&s, (double)j / (double)each);
                made.point[made.count++] = (ts_vec2){p.x - mass.centre[0], p.y - mass.centre[1]};
            }
        }
    }
    return made;
}

static double gap_of(const cloud *points, double radius, ts_wall_pose p)
{
    double c = p.scale * cos(p.angle), s = p.scale * sin(p.angle), least = HUGE_VAL;
    for (size_t i = 0; i < points->count; i++) {
        double x = p.x + c * points->point[i].x - s * points->point[i].y,
               y = p.y + s * points->point[i].x + c * points->point[i].y;
        least = fmin(least, radius > 0 ? radius - hypot(x, y) : y);
    }
    return least;
}

static void boundary_points_agree(void **state)
{
    (void)state;
    for (size_t g = 0; g < grain_count; g++) {
        ts_outline *o = grain(g);
        ts_wall_map *map = map_of(o, 0);
        cloud points = cloud_of(o, 10000);
        for (size_t w = 0; w < wall_count; w++)
            for (uint64_t i = 0; i < 40; i++) {
                ts_wall_pose p = pose_at(walls[w], i);
                double true_gap = gap_of(&points, walls[w], p), gap = ask(map, walls[w], p).gap;
                double rounding = 1e-13 * (1 + walls[w]);
                assert_true(gap <= true_gap + rounding);
                assert_true(gap >= true_gap - p.scale * points.coarse - rounding);
            }
        ts_free(points.point);
        ts_outline_free(o);
        ts_wall_map_free(map);
    }
}

/* ---- Closed forms ---- */

static void boxes_on_a_plane(void **state)
{
    (void)state;
    const double a = 0.5, b = 0.2, w = 0.04;
    ts_outline *o;
    OK(ts_outline_box(2 * a, 2 * b, 0, &o, ERROR));
    ts_wall_map *sharp = map_of(o, 0), *smooth = map_of(o, w);
    for (int i = -60; i <= 60; i++) {
        double t = 0.01 * i + 0.003;
        ts_map_contact c = ask(sharp, 0, (ts_wall_pose){3, 0.3, t, 1});
        NEAR(c.gap, 0.3 - b * cos(t) - a * fabs(sin(t)), 1e-15);
        NEAR(c.turn_b, b * sin(t) - a * cos(t) * (t > 0 ? 1 : -1), 1e-15);
        NEAR(c.slope, 1, 0);
        NEAR(c.normal[1], 1, 0);
        NEAR(c.point_a[1], 0, 1e-15);
        NEAR(c.point_a[0], 3 + c.turn_b, 1e-15);
        NEAR(c.point_b[1], c.gap, 1e-15);
    }
    /* the mean of b cos + a |sin|, flat and tilted by less than half of the width */
    const double quarter = 0.5 * TS_PI, flat = (b * sin(w / 2) + a * (1 - cos(w / 2))) / (w / 2);
    NEAR(ask(smooth, 0, (ts_wall_pose){0, 0, 0, 1}).gap, -flat, 1e-14);
    NEAR(flat - b, 2 * a * w / 8, 2 * b * w * w / 24); /* as wall.h has it */
    for (int i = -9; i <= 9; i++) {
        double t = 0.002 * i, lever = (b * (cos(t + w / 2) - cos(t - w / 2)) + a * (sin(t + w / 2) + sin(t - w / 2)));
        NEAR(ask(smooth, 0, (ts_wall_pose){0, 0, t, 1}).turn_b, -lever / w, 1e-13);
    }
    /* clear of a kink: a corner at the distance d is d w²/24 nearer to the centre, or less */
    ts_map_contact corner = ask(smooth, 0, (ts_wall_pose){0, 0, 0.7, 1});
    NEAR(corner.gap, -(b * cos(0.7) + a * sin(0.7)) * sin(w / 2) / (w / 2), 1e-15);
    assert_true(corner.gap - ask(sharp, 0, (ts_wall_pose){0, 0, 0.7, 1}).gap <= hypot(a, b) * w * w / 24);
    /* flat, on every side and after many turns: no torque */
    for (int i = -400; i <= 400; i++)
        NEAR(ask(smooth, 0, (ts_wall_pose){0, 0.2, i * quarter, 1}).turn_b, 0, 1e-15 * (1 + 3 * abs(i)) / w);
    ts_outline_free(o);
    ts_wall_map_free(sharp);
    ts_wall_map_free(smooth);
}

static void discs_at_walls(void **state)
{
    (void)state;
    ts_outline *disc, *ring;
    OK(ts_outline_disc(0.3, &disc, ERROR));
    OK(ts_outline_ring(0.3, 0.1, &ring, ERROR));
    for (int k = 0; k < 4; k++) {
        ts_wall_map *map = map_of(k & 1 ? ring : disc, k & 2 ? 0.1 : 0);
        for (uint64_t i = 0; i < 200; i++) {
            ts_wall_pose p = pose_at(2, i);
            ts_map_contact c = ask(map, 0, p);
            NEAR(c.gap, p.y - 0.3 * p.scale, 1e-15);
            NEAR(c.turn_b, 0, 1e-15);
            c = ask(map, 2, p);
            double far = hypot(p.x, p.y);
            NEAR(c.gap, 2 - far - 0.3 * p.scale, 2e-15);
            NEAR(c.turn_b, 0, 1e-15);
            NEAR(c.slope, 1, 1e-15);
            NEAR(c.normal[0], -p.x / far, 1e-14);
            NEAR(c.normal[1], -p.y / far, 1e-14);
            NEAR(c.point_a[0], 2 * p.x / far, 1e-13);
        }
        NEAR(ask(map, 2, (ts_wall_pose){0, 0, 1, 2}).gap, 2 - 0.6, 1e-15);
        ts_wall_map_free(map);
    }
    ts_outline_free(disc);
    ts_outline_free(ring);
}

/* ---- Records ---- */

static void check_record(const ts_map_contact *c, double radius, ts_wall_pose p)
{
    double size = 1 + hypot(p.x, p.y) + radius, e = 1e-14 * size;
    NEAR(hypot(c->normal[0], c->normal[1]), 1, 1e-15);
    NEAR(c->turn_a + c->turn_b + c->slope * (p.x * c->normal[1] - p.y * c->normal[0]), 0, e);
    NEAR(c->arm_a - c->arm_b, p.x * c->normal[0] + p.y * c->normal[1], e);
    for (int k = 0; k < 2; k++)
        NEAR(c->point_b[k] - c->point_a[k], c->gap * c->normal[k], e);
    double mx = 0.5 * (c->point_a[0] + c->point_b[0]), my = 0.5 * (c->point_a[1] + c->point_b[1]);
    NEAR(mx * c->normal[0] + my * c->normal[1], c->arm_a, e);
    NEAR((mx - p.x) * c->normal[0] + (my - p.y) * c->normal[1], c->arm_b, e);
    if (radius > 0) {
        NEAR(c->turn_a, 0, e); /* nobody sees a circle turn */
        if (c->slope > 0.99)
            NEAR(hypot(c->point_a[0], c->point_a[1]), radius, 1e-13 * size);
    } else {
        NEAR(c->point_a[1], 0, e);
        NEAR(c->point_a[0], p.x + c->turn_b, e);
    }
}

static void records_keep_momentum(void **state)
{
    (void)state;
    for (size_t g = 0; g < grain_count; g++) {
        ts_outline *o = grain(g);
        for (int k = 0; k < 2; k++) {
            ts_wall_map *map = map_of(o, k ? 0.03 : 0);
            for (size_t w = 0; w < wall_count; w++)
                for (uint64_t i = 0; i < 100; i++) {
                    ts_wall_pose p = pose_at(walls[w], i);
                    ts_map_contact c = ask(map, walls[w], p);
                    check_record(&c, walls[w], p);
                }
            ts_wall_map_free(map);
        }
        ts_outline_free(o);
    }
}

/* As large as the scale says, and the same whether outline, pose and wall are in metres or in millimetres. */
static void everything_scales(void **state)
{
    (void)state;
    const double k = 1e-3;
    for (size_t g = 0; g < grain_count; g++) {
        ts_outline *o = grain(g), *small;
        OK(ts_outline_place(o, k, 0, (double[2]){0.01, 0.02}, &small, ERROR));
        ts_wall_map *a = map_of(o, 0.03), *b = map_of(small, 0.03);
        for (size_t w = 0; w < wall_count; w++)
            for (uint64_t i = 0; i < 30; i++) {
                ts_wall_pose p = pose_at(walls[w], i), q = {k * p.x, k * p.y, p.angle, p.scale},
                             s = {k * p.x, k * p.y, p.angle, k * p.scale};
                ts_map_contact x = ask(a, walls[w], p), y = ask(b, k * walls[w], q), z = ask(a, k * walls[w], s);
                double e = 1e-12 * (1 + walls[w]);
                NEAR(y.gap / k, x.gap, e);
                NEAR(z.gap / k, x.gap, e);
                NEAR(y.turn_b / k, x.turn_b, 1e2 * e);
                NEAR(z.turn_b / k, x.turn_b, 1e2 * e);
                NEAR(z.slope, x.slope, 1e2 * e);
                NEAR(z.point_a[0] / k, x.point_a[0], 1e3 * e);
            }
        ts_outline_free(o);
        ts_outline_free(small);
        ts_wall_map_free(a);
        ts_wall_map_free(b);
    }
}

/* The exact map of the grain with a wide block is another program for the same question, as long as they are apart. */
static void maps_of_a_floor_agree(void **state)
{
    (void)state;
    ts_outline *floor;
    OK(ts_outline_box(20, 2, 0, &floor, ERROR));
    for (size_t g = 0; g < grain_count; g += 3) {
        ts_outline *o = grain(g);
        ts_wall_map *wall = map_of(o, 0);
        ts_map *map;
        OK(ts_map_create(floor, o, &(ts_map_options){.kind = TS_MAP_EXACT}, &(ts_map_making){.cache = ""}, &map,
                         ERROR));
        for (uint64_t i = 0; i < 30; i++) {
            ts_wall_pose p = pose_at(0, i);
            p.scale = 1;
            p.y = 1.2;
            ts_map_contact c = ask(wall, 0, p), d;
            ts_map_query(map, 1, &(ts_map_pose){{0, -1, 0}, {p.x, p.y, p.angle}, 1}, &d);
            NEAR(c.gap, d.gap, 1e-12);
            NEAR(c.turn_b, d.turn_b, 1e-12);
            NEAR(c.point_b[0], d.point_b[0], 1e-12);
            NEAR(c.point_a[1], d.point_a[1], 1e-12);
            NEAR(c.arm_b, d.arm_b, 1e-12);
        }
        ts_map_free(map);
        ts_wall_map_free(wall);
        ts_outline_free(o);
    }
    ts_outline_free(floor);
}

/* One at a time and many at once: the same bits. What is no pose has no record. */
static void batches_and_bad_poses(void **state)
{
    (void)state;
    enum { count = 131 };
    ts_outline *o = grain(HASH);
    ts_wall_map *map = map_of(o, 0.03);
    ts_wall_pose pose[count];
    ts_map_contact many[count];
    for (size_t w = 0; w < 2; w++) {
        for (uint64_t i = 0; i < count; i++)
            pose[i] = pose_at(walls[w], i);
        pose[5].scale = -HUGE_VAL;
        pose[6].scale = -1;
        pose[7].x = (double)NAN;
        pose[8].angle = HUGE_VAL;
        pose[9].y = 1e300; /* nothing to say but that it ends */
        pose[10].angle = 1e300;
        ask_all(map, walls[w], count, pose, many);
        for (size_t i = 0; i < count; i++) {
            ts_map_contact one = ask(map, walls[w], pose[i]);
            if (i >= 5 && i <= 8)
                for (size_t k = 0; k < sizeof one / sizeof(double); k++)
                    assert_true(isnan(((const double *)&many[i])[k]));
            else if (i != 9 && i != 10)
                assert_memory_equal(&one, &many[i], sizeof one);
        }
    }
    ts_wall_map_free(map);
    const double bad[] = {-0.1, 0.6, (double)NAN};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(ts_wall_map_create(o, bad[i], &map, ERROR), TS_BAD_INPUT);
    assert_null(map);
    ts_wall_map_free(NULL);
    ts_outline_free(o);
}

/* Thousands of corners on a circle: many of them in every window. */
static void fine_polygons_are_discs(void **state)
{
    (void)state;
    ts_outline *o;
    const size_t sides = 2000;
    OK(ts_outline_regular(sides, 1, &o, ERROR));
    const double sagitta = 1 - cos(TS_PI / (double)sides);
    for (int k = 0; k < 2; k++) {
        ts_wall_map *map = map_of(o, k ? 0.02 : 0);
        /* the mean over w of R cos within each corner's share is smaller by at most R w²/24, but each share is 2π/n
         * wide */
        for (uint64_t i = 0; i < 20; i++) {
            ts_wall_pose p = pose_at(3, i);
            p.scale = 1;
            double flat = ask(map, 0, p).gap - (p.y - 1), round = ask(map, 3, p).gap - (2 - hypot(p.x, p.y));
            assert_true(flat >= -1e-14 && flat <= sagitta + 1e-14);
            assert_true(round >= -1e-14 && round <= sagitta + 1e-14);
        }
        ts_wall_map_free(map);
    }
    ts_outline_free(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boundary_points_agree), cmocka_unit_test(boxes_on_a_plane),
        cmocka_unit_test(discs_at_walls),        cmocka_unit_test(records_keep_momentum),
        cmocka_unit_test(everything_scales),     cmocka_unit_test(maps_of_a_floor_agree),
        cmocka_unit_test(batches_and_bad_poses), cmocka_unit_test(fine_polygons_are_discs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
