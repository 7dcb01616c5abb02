/* SPDX-License-Identifier: MIT */
#include "cspace/loose.h"

#include "base/memory.h"
#include "cspace/exact_parts.h"
#include "cspace/query.h"
#include "shape/outline.h"

struct ts_loose {
    ts_outline *outline; /* about the centre of mass, in the unit */
    ts_rim rim;
    double radius, unit;
};

ts_status ts_loose_create(const ts_outline *outline, double scale, double unit, ts_loose **loose, ts_error *error)
{
    TS_AUTO(ts_loose_free_at) ts_loose *l = NULL;
    TS_TRY(ts_new(&l, 1, error));
    ts_outline_mass mass = ts_outline_get_mass(outline);
    double size = scale / unit;
    l->unit = unit;
    l->radius = mass.radius * size;
    TS_TRY(ts_outline_place(outline, size, 0, (const double[2]){-mass.centre[0] * size, -mass.centre[1] * size},
                            &l->outline, error));
    TS_TRY(ts_rim_create(l->outline, &l->rim, error));
    *loose = ts_give(&l);
    return TS_OK;
}

void ts_loose_free(ts_loose *loose)
{
    if (!loose)
        return;
    ts_rim_free(&loose->rim);
    ts_outline_free(loose->outline);
    ts_free(loose);
}

size_t ts_loose_bytes(const ts_loose *loose)
{
    return sizeof *loose + ts_distance_bytes(loose->outline->distance) +
           3 * ts_outline_vertex_count(loose->outline) * sizeof(ts_vertex);
}

/* One pose: the parts of an exact gap are put together on the spot. */
static void ask(const ts_loose *a, const ts_loose *b, const ts_map_pose *pose, ts_map_contact *contact)
{
    const ts_query_kernels *kernels = ts_query_choose();
    const ts_pair pair = {.radius_a = a->radius, .radius_b = b->radius};
    const ts_exact exact = {&pair, a->outline->distance, b->outline->distance, a->rim, b->rim};
    ts_map_pose one = *pose;
    ts_fields fields;
    ts_query_frame frame;
    one.scale = 1;
    kernels->relative(a->unit, 1, &one, &fields, &frame);
    ts_exact_query(&exact, 1, &fields);
    kernels->records(b->radius, 1, &one, &fields, &frame, contact);
}

void ts_loose_query(size_t count, const ts_loose *const *a, const ts_loose *const *b, const ts_map_pose *pose,
                    ts_map_contact *contact)
{
    for (size_t i = 0; i < count; i++)
        ask(a[i], b[i], &pose[i], &contact[i]);
}
