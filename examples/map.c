/* SPDX-License-Identifier: MIT */
/* A contact map: a cross and a box, how far apart they are in a few poses and where they touch, and how good the map
 * is. */
#include <stdio.h>

#include <touchstone/touchstone.h>

/* A cross, counter-clockwise [m]. */
static const ts_vertex cross[] = {{0.01, 0.03, 0},   {-0.01, 0.03, 0},  {-0.01, 0.01, 0},  {-0.03, 0.01, 0},
                                  {-0.03, -0.01, 0}, {-0.01, -0.01, 0}, {-0.01, -0.03, 0}, {0.01, -0.03, 0},
                                  {0.01, -0.01, 0},  {0.03, -0.01, 0},  {0.03, 0.01, 0},   {0.01, 0.01, 0}};

/* Any number of poses in one call, which is faster than one by one. */
static void ask(const ts_map *map)
{
    const ts_map_pose pose[] = {{{0, 0, 0}, {0.05, 0, 0}, 1},      /* beside an arm */
                                {{0, 0, 0}, {0.026, 0.026, 0}, 1}, /* in the corner between two arms */
                                {{0, 0, 0}, {0.035, 0, 0.5}, 1},   /* pressed into an arm */
                                {{0, 0, 0}, {0.1, 0, 0}, 2}};      /* both twice as large */
    ts_map_contact contact[4];
    ts_map_query(map, 4, pose, contact);
    for (int i = 0; i < 4; i++)
        printf("gap %8.5f m, normal (%6.3f, %6.3f), lever of B %8.5f m, point on A (%.4f, %.4f) m\n", contact[i].gap,
               contact[i].normal[0], contact[i].normal[1], contact[i].turn_b, contact[i].point_a[0],
               contact[i].point_a[1]);
}

int main(void)
{
    ts_error error;
    ts_outline *a = NULL, *b = NULL;
    ts_map *map = NULL;
    const ts_contour contour = {cross, sizeof cross / sizeof *cross, false};
    const ts_map_options options = {.kind = TS_MAP_AUTO, .error = 0.01};
    const ts_map_making making = {.cache = ""}; /* leave it out and the map is kept for next time */

    bool good = ts_outline_create(&contour, 1, TS_RULE_NONZERO, &a, &error) == TS_OK &&
                ts_outline_box(0.02, 0.02, 0.002, &b, &error) == TS_OK &&
                ts_map_create(a, b, &options, &making, &map, &error) == TS_OK;
    if (good) {
        ts_map_info info = ts_map_get_info(map);
        printf("%s of %zu bytes, mean error %.4f of the radius\n", ts_map_kind_name(info.kind), info.bytes,
               info.errors.mean);
        ask(map);
    } else {
        fprintf(stderr, "%s\n", error.message);
    }
    ts_map_free(map);
    ts_outline_free(a);
    ts_outline_free(b);
    return good ? 0 : 1;
}
