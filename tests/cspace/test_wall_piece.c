/* SPDX-License-Identifier: MIT */
/* Pieces of walls as outlines: pieces of rings, whose area and centre of mass everyone knows, with their fronts where
 * the edge is. */
#include "cspace/wall.h"

#include <math.h>

#include "shape/segment.h"
#include "support/check.h"

static void wall_pieces(void **state)
{
    (void)state;
    ts_outline *o;
    double centre[2];
    OK(ts_wall_piece(2, 0, 0.1, &o, centre, ERROR));
    ts_outline_mass mass = ts_outline_get_mass(o);
    NEAR(mass.area, 0.2, 1e-15);
    NEAR(centre[0], 0, 1e-16);
    NEAR(centre[1], -0.05, 1e-16);
    ts_outline_free(o);

    const double bulges[] = {0.3, -0.3, 1, -1, 2.5, -2.5, 1e-6};
    for (size_t i = 0; i < sizeof bulges / sizeof bulges[0]; i++) {
        const double length = 2, b = bulges[i], thickness = 0.2, r = length * (1 + b * b) / (4 * fabs(b));
        double back = r + (b > 0 ? thickness : -thickness), low = fmin(r, back), high = fmax(r, back);
        double half = 2 * fabs(atan(b)), above = (b > 0 ? 1 : -1) * r * cos(half); /* of the arc's centre */
        OK(ts_wall_piece(length, b, thickness, &o, centre, ERROR));
        mass = ts_outline_get_mass(o);
        /* a piece of a ring */
        double area = half * (high * high - low * low);
        double arm = 2.0 / 3 * sin(half) / half * (high * high + high * low + low * low) / (high + low);
        NEAR(mass.area / area, 1, fmax(1e-13, 1e-15 * r));
        NEAR(centre[0], 0, 1e-14);
        NEAR(centre[1], above - (b > 0 ? arm : -arm), fmax(1e-13, 1e-15 * r));
        NEAR(centre[1], mass.centre[1], 0);
        /* the front is where the edge is, the wall behind it and the free side before it */
        ts_segment edge = {-1, 0, 1, 0, b};
        for (int k = 1; k < 10; k++) {
            ts_vec2 p = ts_segment_point(&edge, 0.1 * k), t = ts_segment_tangent(&edge, 0.1 * k);
            const double x[3] = {p.x, p.x - 0.05 * t.y, p.x + 0.05 * t.y},
                         y[3] = {p.y, p.y + 0.05 * t.x, p.y - 0.05 * t.x};
            double d[3];
            ts_outline_distance(o, 3, x, y, d, NULL, NULL);
            NEAR(d[0], 0, 1e-12);
            NEAR(d[1], 0.05, 1e-9);
            NEAR(d[2], -0.05, 1e-9);
        }
        ts_outline_free(o);
    }
    assert_int_equal(ts_wall_piece(0, 0, 1, &o, centre, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_wall_piece(1, 0, -1, &o, centre, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_wall_piece(1, HUGE_VAL, 1, &o, centre, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_wall_piece(1, -1, 0.5, &o, centre, ERROR),
                     TS_BAD_INPUT); /* as thick as the half disc's radius */
    assert_null(o);
}

/* A box above a piece of floor, through an exact map. */
static void boxes_on_a_piece(void **state)
{
    (void)state;
    ts_outline *piece, *box;
    double centre[2];
    OK(ts_wall_piece(4, 0, 0.5, &piece, centre, ERROR));
    OK(ts_outline_box(0.6, 0.4, 0, &box, ERROR));
    ts_map *map;
    OK(ts_map_create(piece, box, &(ts_map_options){.kind = TS_MAP_EXACT}, &(ts_map_making){.cache = ""}, &map, ERROR));
    for (int i = 1; i < 10; i++) {
        double t = 0.1 * i;
        ts_map_contact c;
        ts_map_query(map, 1, &(ts_map_pose){{centre[0], centre[1], 0}, {0.3, 0.5, t}, 1}, &c);
        NEAR(c.gap, 0.5 - 0.2 * cos(t) - 0.3 * sin(t), 1e-13);
        NEAR(c.point_a[1], 0, 1e-13);
    }
    ts_map_free(map);
    ts_outline_free(piece);
    ts_outline_free(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wall_pieces),
        cmocka_unit_test(boxes_on_a_piece),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
