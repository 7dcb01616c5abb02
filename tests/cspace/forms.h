/* SPDX-License-Identifier: MIT */
/* Outlines of every kind of symmetry, turned so that no axis lies where it is easy. */
#pragma once

#include <math.h>

#include "base/vec.h"
#include "support/check.h"
#include "touchstone/shape.h"

typedef enum form { HASH, OCTAGON, ZED, ROTOR, DISC, RING, BOX, BENT, LUMP, FORM_COUNT } form;

/* What everyone knows of them: n, mirrors, and one axis as made here. */
typedef struct form_group {
    int turns;
    bool mirror;
    double axis;
} form_group;

static inline form_group form_symmetry(form f)
{
    const form_group known[FORM_COUNT] = {[HASH] = {4, true, 0.3}, [OCTAGON] = {8, true, -0.2}, [ZED] = {2, false, 0},
                                          [ROTOR] = {3, false, 0}, [DISC] = {0, true, 0},       [RING] = {0, true, 0},
                                          [BOX] = {2, true, 0.4},  [BENT] = {1, true, 2.5},     [LUMP] = {1, false, 0}};
    return known[f];
}

static inline ts_outline *form_polygon(const double (*point)[2], size_t count)
{
    ts_vertex vertex[64];
    for (size_t i = 0; i < count; i++)
        vertex[i] = (ts_vertex){point[i][0], point[i][1], 0};
    ts_outline *o;
    OK(ts_outline_create(&(ts_contour){vertex, count, false}, 1, TS_RULE_NONZERO, &o, ERROR));
    return o;
}

/* # from a quarter of it, turned four times. */
static inline ts_outline *form_hash(void)
{
    const double w = 0.12, a = 0.35, l = 0.9; /* half width and place of a bar, its end */
    const double quarter[6][2] = {{l, -a - w}, {l, -a + w}, {a + w, -a + w}, {a + w, a - w}, {l, a - w}, {l, a + w}};
    ts_vertex outer[28], inner[4];
    for (int k = 0; k < 4; k++) {
        double c = k == 0 ? 1 : k == 2 ? -1 : 0, s = k == 1 ? 1 : k == 3 ? -1 : 0;
        for (int i = 0; i < 6; i++)
            outer[7 * k + i] =
                (ts_vertex){c * quarter[i][0] - s * quarter[i][1], s * quarter[i][0] + c * quarter[i][1], 0};
        outer[7 * k + 6] = (ts_vertex){(c - s) * (a + w), (s + c) * (a + w), 0};
        inner[k] = (ts_vertex){(c - s) * (a - w), (s + c) * (a - w), 0};
    }
    ts_outline *o;
    const ts_contour both[2] = {{outer, 28, false}, {inner, 4, false}};
    OK(ts_outline_create(both, 2, TS_RULE_EVEN_ODD, &o, ERROR));
    return o;
}

static inline ts_outline *form_rotor(void)
{
    const double blade[3][2] = {{0.2, -0.05}, {1, 0.1}, {0.7, 0.35}};
    double point[9][2];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            double c = cos(2 * TS_PI * k / 3), s = sin(2 * TS_PI * k / 3);
            point[3 * k + i][0] = c * blade[i][0] - s * blade[i][1];
            point[3 * k + i][1] = s * blade[i][0] + c * blade[i][1];
        }
    return form_polygon(point, 9);
}

/* Of radius about `size`, and not at the origin. */
static inline ts_outline *form_make(form f, double size)
{
    const double zed[8][2] = {{-0.8, -0.6}, {0.8, -0.6}, {0.8, -0.4}, {-0.4, -0.4},
                              {0.8, 0.6},   {-0.8, 0.6}, {-0.8, 0.4}, {0.4, 0.4}};
    const double lump[7][2] = {{0.9, 0.1}, {0.5, 0.7}, {0.1, 0.2}, {-0.6, 0.8}, {-0.4, -0.3}, {0.1, -0.9}, {0.3, -0.2}};
    ts_outline *o = NULL, *placed;
    switch (f) {
    case HASH:
        o = form_hash();
        break;
    case OCTAGON:
        OK(ts_outline_regular(8, 0.95, &o, ERROR));
        break;
    case ZED:
        o = form_polygon(zed, 8);
        break;
    case ROTOR:
        o = form_rotor();
        break;
    case DISC:
        OK(ts_outline_disc(0.8, &o, ERROR));
        break;
    case RING:
        OK(ts_outline_ring(1, 0.6, &o, ERROR));
        break;
    case BOX:
        OK(ts_outline_box(1.6, 0.9, 0.1, &o, ERROR));
        break;
    case BENT:
        OK(ts_outline_arc(0.8, 0.3, 3, false, &o, ERROR));
        break;
    default:
        o = form_polygon(lump, 7);
    }
    OK(ts_outline_place(o, size, form_symmetry(f).axis, (double[2]){3 * size, -size}, &placed, ERROR));
    ts_outline_free(o);
    return placed;
}
