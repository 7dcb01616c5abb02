/* SPDX-License-Identifier: MIT */
/* NULL where a pointer is needed: every function of outlines and measures that returns a status says which argument it
 * was, and the others return nothing rather than crash. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "touchstone/touchstone.h"

/* The call is refused, and its message has the word. */
#define REFUSED(call, word)                                                                                    \
    do {                                                                                                       \
        memset(ERROR, 0, sizeof *ERROR);                                                                       \
        assert_int_equal((call), TS_BAD_INPUT);                                                                \
        if (!strstr(ERROR->message, word " is NULL") && !strstr(ERROR->message, word " of contour 1 is NULL")) \
            fail_msg("%s: \"%s\"", #call, ERROR->message);                                                     \
    } while (0)

static void outlines_are_not_made(void **unused)
{
    (void)unused;
    const ts_contour without = {NULL, 3, false}, nothing = {NULL, 0, false};
    const double shift[2] = {0, 0};
    ts_outline *out = NULL, *disc = NULL;
    OK(ts_outline_disc(1, &disc, ERROR));
    REFUSED(ts_outline_create(NULL, 1, TS_RULE_NONZERO, &out, ERROR), "contour");
    REFUSED(ts_outline_create(&without, 1, TS_RULE_NONZERO, &out, ERROR), "vertex");
    REFUSED(ts_outline_create(&without, 1, TS_RULE_NONZERO, NULL, ERROR), "outline");
    assert_int_equal(ts_outline_create(NULL, 0, TS_RULE_NONZERO, &out, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_outline_create(&nothing, 1, TS_RULE_NONZERO, &out, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_outline_create(NULL, 1, TS_RULE_NONZERO, &out, NULL), TS_BAD_INPUT);
    REFUSED(ts_outline_disc(1, NULL, ERROR), "outline");
    REFUSED(ts_outline_ring(2, 1, NULL, ERROR), "outline");
    REFUSED(ts_outline_box(2, 1, 0, NULL, ERROR), "outline");
    REFUSED(ts_outline_regular(3, 1, NULL, ERROR), "outline");
    REFUSED(ts_outline_arc(2, 1, 1, true, NULL, ERROR), "outline");
    REFUSED(ts_outline_place(NULL, 1, 0, shift, &out, ERROR), "from");
    REFUSED(ts_outline_place(disc, 1, 0, NULL, &out, ERROR), "shift");
    REFUSED(ts_outline_place(disc, 1, 0, shift, NULL, ERROR), "outline");
    REFUSED(ts_outline_read_svg(NULL, NULL, &out, NULL, ERROR), "path");
    REFUSED(ts_outline_read_svg("a.svg", NULL, NULL, NULL, ERROR), "outline");
    REFUSED(ts_outline_parse_svg(NULL, 0, "a", NULL, &out, NULL, ERROR), "text");
    REFUSED(ts_outline_parse_svg("<svg/>", 6, "a", NULL, NULL, NULL, ERROR), "outline");
    assert_true(ts_outline_parse_svg("<svg", 4, NULL, NULL, &out, NULL, ERROR) != TS_OK); /* a name may be missing */
    REFUSED(ts_outline_read_glyph(NULL, 'a', NULL, &out, NULL, ERROR), "path");
    REFUSED(ts_outline_read_glyph("a.ttf", 'a', NULL, NULL, NULL, ERROR), "outline");
    assert_null(out);

    ts_symmetry symmetry;
    REFUSED(ts_outline_symmetry(NULL, 0, &symmetry, ERROR), "outline");
    REFUSED(ts_outline_symmetry(disc, 0, NULL, ERROR), "symmetry");
    ts_outline_free(disc);
    ts_outline_free(NULL);
}

static void no_outline_has_nothing(void **unused)
{
    (void)unused;
    ts_outline_mass mass = ts_outline_get_mass(NULL);
    assert_true(mass.area == 0 && mass.inertia == 0 && mass.radius == 0);
    assert_int_equal(ts_outline_contour_count(NULL), 0);
    ts_contour contour = ts_outline_get_contour(NULL, 0);
    assert_true(!contour.vertex && contour.vertex_count == 0);
    assert_int_equal(ts_outline_note_count(NULL), 0);
    assert_null(ts_outline_get_note(NULL, 0));

    const double at[2] = {0, 1};
    double distance[2] = {0, 0}, x[2] = {0, 0}, y[2] = {0, 0};
    ts_outline_distance(NULL, 2, at, at, distance, x, y);
    ts_outline_distance(NULL, 2, at, at, NULL, NULL, NULL);
    for (int i = 0; i < 2; i++)
        assert_true(isnan(distance[i]) && isnan(x[i]) && isnan(y[i]));
}

/* One place to be measured, and room for any result. */
typedef struct room {
    ts_snapshot snapshot;
    ts_bins bins;
    double line[2][2];
} room;

static void measures_say_what_is_missing(void **unused)
{
    (void)unused;
    room r = {.bins = {.count = 1}, .line = {{0, 0}, {1, 0}}};
    const ts_snapshot *s = &r.snapshot, *none = NULL;
    const ts_bins *bins = &r.bins;
    union {
        ts_packing packing;
        ts_coordination coordination;
        ts_stress stress;
        ts_fabric fabric;
        ts_rose_bin rose;
        ts_forces forces;
        ts_chains chains;
        ts_velocity_bin velocity;
        ts_motion_measures motion;
        ts_flow flow;
        ts_surface_point surface;
        ts_repose repose;
        ts_front front;
        ts_segregation segregation;
        ts_overlaps overlaps;
        ts_pile_column pile;
        double number;
    } out;
#define OF_REGION(function, field, result, ...)                                   \
    do {                                                                          \
        REFUSED(function(none, NULL, __VA_ARGS__ &out.field, ERROR), "snapshot"); \
        REFUSED(function(s, NULL, __VA_ARGS__ NULL, ERROR), result);              \
    } while (0)
#define OF_BINS(function, field, result)                              \
    do {                                                              \
        REFUSED(function(none, bins, &out.field, ERROR), "snapshot"); \
        REFUSED(function(s, NULL, &out.field, ERROR), "bins");        \
        REFUSED(function(s, bins, NULL, ERROR), result);              \
    } while (0)
    OF_REGION(ts_measure_packing, packing, "out", );
    OF_REGION(ts_measure_coordination, coordination, "out", 0, );
    OF_REGION(ts_measure_stress, stress, "out", );
    OF_REGION(ts_measure_fabric, fabric, "out", true, );
    OF_REGION(ts_measure_rose, rose, "out", true, 1, );
    OF_REGION(ts_measure_forces, forces, "out", );
    OF_REGION(ts_measure_force_histogram, number, "density", 1, 1, );
    OF_REGION(ts_measure_chains, chains, "out", 0, );
    OF_REGION(ts_measure_front, front, "out", 0, );
    OF_REGION(ts_measure_segregation, segregation, "out", TS_KIND_AUTO, 0, );
    OF_REGION(ts_measure_overlaps, overlaps, "out", );
    OF_BINS(ts_measure_packing_profile, number, "fraction");
    OF_BINS(ts_measure_stress_profile, stress, "out");
    OF_BINS(ts_measure_velocity_profile, velocity, "out");
    OF_BINS(ts_measure_motion, motion, "out");
    OF_BINS(ts_measure_surface, surface, "out");
    OF_BINS(ts_measure_repose, repose, "out");
    OF_BINS(ts_measure_pile, pile, "out");

    const double *a = r.line[0], *b = r.line[1];
    REFUSED(ts_measure_flow(NULL, s, a, b, &out.flow, ERROR), "before");
    REFUSED(ts_measure_flow(s, NULL, a, b, &out.flow, ERROR), "after");
    REFUSED(ts_measure_flow(s, s, NULL, b, &out.flow, ERROR), "a");
    REFUSED(ts_measure_flow(s, s, a, NULL, &out.flow, ERROR), "b");
    REFUSED(ts_measure_flow(s, s, a, b, NULL, ERROR), "out");
    ts_passages passages = {0};
    REFUSED(ts_passages_add(NULL, s, s, a, b, ERROR), "passages");
    REFUSED(ts_passages_add(&passages, NULL, s, a, b, ERROR), "before");
    REFUSED(ts_passages_add(&passages, s, s, a, NULL, ERROR), "b");
    ts_passages_free(NULL);
    assert_true(isnan(ts_passages_flow(NULL, 0, 1).mass) && !ts_passages_clogging(NULL, 1).jammed);

    ts_height height;
    ts_joint joint = {.reach = 1};
    ts_joints joints;
    REFUSED(ts_measure_height(none, bins, 0, &height, ERROR), "snapshot");
    REFUSED(ts_measure_height(s, NULL, 0, &height, ERROR), "bins");
    REFUSED(ts_measure_height(s, bins, 0, NULL, ERROR), "out");
    REFUSED(ts_measure_joints(none, &joint, 1, &joints, ERROR), "snapshot");
    REFUSED(ts_measure_joints(s, NULL, 1, &joints, ERROR), "joint");
    REFUSED(ts_measure_joints(s, &joint, 1, NULL, ERROR), "out");
    REFUSED(ts_joints_of_row(none, 0, 1, 0, &joint, ERROR), "snapshot");
    REFUSED(ts_joints_of_row(s, 0, 1, 0, NULL, ERROR), "joint");
}

static void overlaps_say_what_is_missing(void **unused)
{
    (void)unused;
    const ts_outline_pose at = {0};
    ts_overlap overlap;
    ts_outline *disc;
    OK(ts_outline_disc(1, &disc, ERROR));
    REFUSED(ts_outline_overlap(NULL, &at, disc, &at, &overlap, ERROR), "a");
    REFUSED(ts_outline_overlap(disc, NULL, disc, &at, &overlap, ERROR), "at_a");
    REFUSED(ts_outline_overlap(disc, &at, NULL, &at, &overlap, ERROR), "b");
    REFUSED(ts_outline_overlap(disc, &at, disc, NULL, &overlap, ERROR), "at_b");
    REFUSED(ts_outline_overlap(disc, &at, disc, &at, NULL, ERROR), "out");
    ts_outline_free(disc);
}

static void snapshots_say_what_is_missing(void **unused)
{
    (void)unused;
    ts_snapshot snapshot = {0};
    ts_packing packing;
    ts_energies energies = {0};
    OK(ts_measure_packing(&snapshot, NULL, &packing, ERROR)); /* of nothing, but that is no mistake */
    REFUSED(ts_snapshot_check(NULL, ERROR), "snapshot");
    REFUSED(ts_snapshot_take(NULL, NULL, NULL, &snapshot, ERROR), "model");
    snapshot.body_count = 1;
    REFUSED(ts_snapshot_check(&snapshot, ERROR), "body, shape or contact");
    snapshot = (ts_snapshot){.shape_count = 1};
    REFUSED(ts_snapshot_check(&snapshot, ERROR), "body, shape or contact");
    snapshot = (ts_snapshot){.contact_count = 1};
    REFUSED(ts_measure_packing(&snapshot, NULL, &packing, ERROR), "body, shape or contact");
    ts_region region = ts_snapshot_region(NULL);
    assert_true(region.x0 == 0 && region.x1 == 0 && region.y0 == 0 && region.y1 == 0);
    ts_measure_energies(NULL, &energies);
    assert_true(isnan(energies.kinetic) && isnan(energies.balance));
    ts_measure_energies(NULL, NULL);
    ts_snapshot_free(NULL);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(outlines_are_not_made),         cmocka_unit_test(no_outline_has_nothing),
        cmocka_unit_test(measures_say_what_is_missing),  cmocka_unit_test(overlaps_say_what_is_missing),
        cmocka_unit_test(snapshots_say_what_is_missing),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
