/* SPDX-License-Identifier: MIT */
/* Walls of lines and arcs: contacts against closed forms, against half-planes and circles, and against brute force. */
#include <math.h>
#include <stdlib.h>

#include "support/check.h"

#include "base/random.h"
#include "contact/faces.h"
#include "support/scenes.h"
#include "support/walls.h"
#include "workspace.h"

static void put(const ts_test_world *w, double x, double y)
{
    OK(ts_state_set_pose(w->state, 0, (double[]){x, y, 0}, ERROR));
}

/* ---- As good as one face ---- */

/* Both worlds have one body; they go the same way. Returns the number of looks at which it touched. */
static int go_together(ts_test_world *a, ts_test_world *b, int looks, int steps, double tolerance)
{
    int touched = 0;
    ts_test_start(a, 1);
    ts_test_start(b, 1);
    for (int look = 0; look < looks; look++) {
        ts_test_step(a, (uint64_t)steps);
        ts_test_step(b, (uint64_t)steps);
        const ts_body *p = ts_state_bodies(a->state), *q = ts_state_bodies(b->state);
        NEAR(p->x, q->x, tolerance);
        NEAR(p->y, q->y, tolerance);
        NEAR(p->angle, q->angle, tolerance);
        NEAR(p->vx, q->vx, 100 * tolerance);
        NEAR(p->vy, q->vy, 100 * tolerance);
        NEAR(p->spin, q->spin, 1000 * tolerance);
        const ts_contact *contact;
        size_t count = contacts_of(b, &contact);
        assert_int_equal(contacts_of(a, &contact), count);
        touched += count > 0;
    }
    ts_test_close(a);
    ts_test_close(b);
    return touched;
}

/* A chain of 50 pieces of one line is a half-plane: nothing doubles at a joint and nothing is dropped; the spring
 * goes along. */
static void a_chain_is_a_plane(void **unused)
{
    (void)unused;
    static const double friction[] = {0, 0.1, 2};
    const double tilt = -0.3, ux = cos(tilt), uy = sin(tilt);
    for (size_t f = 0; f < COUNT(friction); f++)
        for (int flipped = 0; flipped < 2; flipped++) {
            ts_vertex chain[51];
            for (int i = 0; i <= 50; i++) {
                double s = 0.07 * (flipped ? 50 - i : i) - 0.5;
                chain[i] = (ts_vertex){0.1 + s * ux, 0.2 + s * uy, 0};
            }
            ts_test_world w[2];
            for (int k = 0; k < 2; k++) {
                ts_test_open(&w[k], -9.81);
                set_matter(w[k].scene, (matter){1e6, friction[f], 0.5, 1e-4});
                if (k == 0)
                    ts_test_polyline(w[k].scene, NULL, chain, 51, true);
                else
                    ts_test_plane(w[k].scene, NULL, 0.1, 0.2, -uy, ux);
                int32_t disc = ts_test_disc(w[k].scene, 0.05);
                ts_test_body_moving(w[k].scene, disc, 0.1 - 0.0499 * uy, 0.2 + 0.0499 * ux, 0.5, 0, 0);
            }
            assert_true(go_together(&w[0], &w[1], 800, 10, 1e-9) > 700);
        }
}

/* A circle of two half arcs, kept inside, is the circular container, at rest and turning. */
static void two_half_arcs_are_a_circle(void **unused)
{
    (void)unused;
    for (int turning = 0; turning < 2; turning++) {
        ts_test_world w[2];
        for (int k = 0; k < 2; k++) {
            ts_test_open(&w[k], -9.81);
            set_matter(w[k].scene, (matter){1e6, 0.3, 0.5, 1e-4});
            ts_outline *disc;
            OK(ts_outline_disc(0.4, &disc, ERROR));
            if (k == 0)
                ts_test_outline(w[k].scene, "drum", disc, 0.3, -0.1, true);
            else {
                ts_outline_free(disc);
                ts_test_circle(w[k].scene, "drum", 0.3, -0.1, 0.4);
            }
            ts_test_body_moving(w[k].scene, ts_test_disc(w[k].scene, 0.05), 0.3 + 0.345, -0.1, 0.3, 0.2, 3);
            ts_drive_def turn = ts_default_drive();
            turn.kind = TS_DRIVE_ROTATION;
            turn.target = "drum";
            turn.rate = 7;
            if (turning)
                OK(ts_scene_add_drive(w[k].scene, &turn, NULL, ERROR));
        }
        assert_true(go_together(&w[0], &w[1], 1500, 10, 1e-9) > 700);
    }
}

/* An arc of a huge circle is a line, whatever the rounding of its far centre. */
static void a_flat_arc_is_a_plane(void **unused)
{
    (void)unused;
    static const double bulge[] = {1e-14, -1e-13, 1e-12};
    for (size_t i = 0; i < COUNT(bulge); i++) {
        ts_test_world w[2];
        const ts_vertex line[] = {{-2, 0, bulge[i]}, {3, 0, 0}};
        for (int k = 0; k < 2; k++) {
            ts_test_open(&w[k], -9.81);
            set_matter(w[k].scene, (matter){1e6, 0.3, 0.5, 1e-4});
            if (k == 0)
                ts_test_polyline(w[k].scene, NULL, line, 2, true);
            else
                ts_test_plane(w[k].scene, NULL, 0, 0, 0, 1);
            ts_test_body_moving(w[k].scene, ts_test_disc(w[k].scene, 0.05), 0, 0.1, 1, 0, 0);
        }
        assert_true(go_together(&w[0], &w[1], 800, 10, 1e-9) > 100);
    }
}

/* ---- Where contacts are ---- */

/* Outside a box there is one contact, at the distance from a box, corners and all. */
static void outside_a_box_there_is_one_contact(void **unused)
{
    (void)unused;
    const double hw = 0.3, hh = 0.2, radius = 0.15;
    ts_test_world w;
    ts_test_open(&w, 0);
    set_matter(w.scene, (matter){1e6, 0.5, 0.5, 1e-4});
    ts_test_outline(w.scene, NULL, box(2 * hw, 2 * hh), 0.1, -0.2, false);
    ts_test_body(w.scene, ts_test_disc(w.scene, radius), 2, 2);
    ts_test_start(&w, 1);
    ts_random random = ts_random_make(5, 0);
    int corners = 0, touching = 0;
    for (int i = 0; i < 3000; i++) {
        double x = ts_random_next_range(&random, -0.5, 0.5), y = ts_random_next_range(&random, -0.4, 0.4);
        double qx = fmax(fabs(x) - hw, 0), qy = fmax(fabs(y) - hh, 0), distance = hypot(qx, qy);
        if (distance == 0)
            continue;
        put(&w, 0.1 + x, -0.2 + y);
        const ts_contact *contact;
        size_t count = contacts_of(&w, &contact);
        if (fabs(distance - radius) < 1e-12)
            continue;
        assert_int_equal(count, distance < radius ? 1 : 0);
        if (count == 0)
            continue;
        NEAR(contact->gap, distance - radius, 1e-14);
        NEAR(contact->normal[0], copysign(qx, x) / distance, 1e-12);
        NEAR(contact->normal[1], copysign(qy, y) / distance, 1e-12);
        NEAR(contact->point_a[0], 0.1 + x - copysign(qx, x), 1e-14);
        NEAR(contact->point_a[1], -0.2 + y - copysign(qy, y), 1e-14);
        corners += qx > 0 && qy > 0;
        touching++;
    }
    assert_true(corners > 100 && touching > 1000);
    ts_test_close(&w);
}

/* Inside a box a disc touches as many sides as are near. */
static void inside_a_box_each_side_counts(void **unused)
{
    (void)unused;
    const double hw = 0.3, hh = 0.2, radius = 0.15;
    ts_test_world w;
    ts_test_open(&w, 0);
    set_matter(w.scene, (matter){1e6, 0.5, 0.5, 1e-4});
    ts_test_outline(w.scene, NULL, box(2 * hw, 2 * hh), 0.1, -0.2, true);
    ts_test_body(w.scene, ts_test_disc(w.scene, radius), 0.1, -0.2);
    ts_test_start(&w, 1);
    ts_random random = ts_random_make(6, 0);
    int most = 0;
    for (int i = 0; i < 3000; i++) {
        double x = ts_random_next_range(&random, -hw, hw), y = ts_random_next_range(&random, -hh, hh);
        const double gap[4] = {hw - x - radius, hw + x - radius, hh - y - radius, hh + y - radius};
        int expected = 0;
        double sum = 0, found = 0;
        for (int k = 0; k < 4; k++)
            if (gap[k] < 0) {
                expected++;
                sum += gap[k];
            }
        put(&w, 0.1 + x, -0.2 + y);
        const ts_contact *contact;
        assert_int_equal(contacts_of(&w, &contact), expected);
        for (int k = 0; k < expected; k++)
            found += contact[k].gap;
        NEAR(found, sum, 1e-14);
        most += expected == 2;
    }
    assert_true(most > 100);
    ts_test_close(&w);
}

/* A centre that got into the solid is pushed out where it came in; a thin plate is held from one side only. */
static void a_solid_pushes_out(void **unused)
{
    (void)unused;
    const double radius = 0.1;
    ts_test_world w;
    ts_test_open(&w, 0);
    set_matter(w.scene, (matter){1e6, 0.5, 0.5, 1e-4});
    ts_test_outline(w.scene, NULL, box(2, 1), 0, -0.5, false);
    ts_test_outline(w.scene, NULL, box(2, 0.002), 0, 1 - 0.001, false); /* thinner than the overlap */
    ts_test_body(w.scene, ts_test_disc(w.scene, radius), 0, 2);
    ts_test_start(&w, 1);
    const ts_contact *contact;
    for (double depth = 0; depth < 0.09; depth += 0.01) {
        put(&w, 0.3, -depth);
        assert_int_equal(contacts_of(&w, &contact), 1);
        NEAR(contact->gap, -depth - radius, 1e-14);
        NEAR(contact->normal[1], 1, 1e-14);
        put(&w, 1 - depth, -0.5); /* from the side */
        assert_int_equal(contacts_of(&w, &contact), 1);
        NEAR(contact->normal[0], 1, 1e-14);
    }
    put(&w, 0.3, -0.2); /* deeper than its radius: nobody's */
    assert_int_equal(contacts_of(&w, &contact), 0);
    put(&w, 0.3, 1 + 0.095);
    assert_int_equal(contacts_of(&w, &contact), 1);
    NEAR(contact->gap, -0.005, 1e-14);
    NEAR(contact->normal[1], 1, 1e-14);
    ts_test_close(&w);
}

/* A polyline has two sides, and ends that are round to a disc. */
static void a_polyline_has_two_sides(void **unused)
{
    (void)unused;
    const double radius = 0.1;
    ts_test_world w;
    ts_test_open(&w, 0);
    set_matter(w.scene, (matter){1e6, 0.5, 0.5, 1e-4});
    const ts_vertex line[] = {{-1, 0, 0}, {0, 0, 0}, {1, 0.5, 0}};
    ts_test_polyline(w.scene, NULL, line, 3, true);
    ts_test_body(w.scene, ts_test_disc(w.scene, radius), 0, 2);
    ts_test_start(&w, 1);
    const ts_contact *contact;
    put(&w, -0.5, 0.09);
    assert_int_equal(contacts_of(&w, &contact), 1);
    NEAR(contact->normal[1], 1, 1e-14);
    put(&w, -0.5, -0.09);
    assert_int_equal(contacts_of(&w, &contact), 1);
    NEAR(contact->normal[1], -1, 1e-14);
    put(&w, -1.05, 0.05); /* off the end */
    assert_int_equal(contacts_of(&w, &contact), 1);
    NEAR(contact->gap, hypot(0.05, 0.05) - radius, 1e-14);
    NEAR(contact->normal[0], -sqrt(0.5), 1e-12);
    put(&w, -0.001, 0.09); /* in the inner angle */
    assert_int_equal(contacts_of(&w, &contact), 2);
    put(&w, 0.001, -0.09); /* at the outer corner */
    assert_int_equal(contacts_of(&w, &contact), 1);
    NEAR(contact->gap, hypot(0.001, 0.09) - radius, 1e-14);
    ts_test_close(&w);
}

/* ---- Against brute force ---- */

/* Points along a contour, all edges one after the other. */
typedef struct trace {
    double *x, *y;
    size_t count;
    bool open;
} trace;

static trace sample(const ts_contour *contour, size_t per_edge)
{
    size_t edges = ts_contour_segment_count(contour), n = edges * per_edge + (contour->open ? 1 : 0);
    trace t = {malloc(n * sizeof(double)), malloc(n * sizeof(double)), n, contour->open};
    assert_non_null(t.x);
    assert_non_null(t.y);
    for (size_t i = 0; i < n; i++) {
        size_t e = i / per_edge;
        double s = (double)(i % per_edge) / (double)per_edge;
        if (e == edges) {
            e--;
            s = 1;
        }
        ts_segment edge = ts_contour_segment(contour, e);
        ts_vec2 p = ts_segment_point(&edge, s);
        t.x[i] = p.x;
        t.y[i] = p.y;
    }
    return t;
}

static double from(const trace *t, size_t i, double x, double y)
{
    return hypot(t->x[i] - x, t->y[i] - y);
}

/* Local minima of the distance along the trace below `reach`; *near: the least. *unsure: one is within `slack` of the
 * reach, or two neighbouring extremes are too near to tell. */
static size_t minima(const trace *t, double x, double y, double reach, double slack, double *near, bool *unsure)
{
    size_t found = 0, n = t->count;
    *near = HUGE_VAL;
    *unsure = false;
    for (size_t i = 0; i < n; i++) {
        double own = from(t, i, x, y);
        bool first = t->open && i == 0, last = t->open && i == n - 1;
        double before = first ? HUGE_VAL : from(t, (i + n - 1) % n, x, y),
               after = last ? HUGE_VAL : from(t, (i + 1) % n, x, y);
        *near = fmin(*near, own);
        if (!(own < before && own <= after))
            continue;
        *unsure = *unsure || fabs(own - reach) < slack;
        found += own < reach;
    }
    return found;
}

/* A random open or closed line of lines and arcs that turns by more than a shallow joint does at every point. */
static size_t random_line(ts_random *random, ts_vertex *vertex)
{
    size_t count = 3 + (size_t)ts_random_next_below(random, 4);
    double angle = ts_random_next_range(random, 0, 2 * TS_PI), x = 0, y = 0;
    for (size_t i = 0; i < count; i++) {
        bool arc = ts_random_next_uniform(random) < 0.5;
        double bulge = arc ? ts_random_next_range(random, -1.8, 1.8) : 0;
        vertex[i] = (ts_vertex){x, y, bulge};
        x += 0.4 * cos(angle);
        y += 0.4 * sin(angle);
        angle += ts_random_next_range(random, 0.5, 2) * (ts_random_next_uniform(random) < 0.5 ? -1 : 1);
    }
    return count;
}

/* Contacts are the local minima of the distance along the curve. */
static void contacts_are_nearest_points(void **unused)
{
    (void)unused;
    enum { LINES = 40, PLACES = 60, POINTS = 1500 };
    ts_random random = ts_random_make(7, 0);
    int sure = 0, several = 0;
    for (int line = 0; line < LINES; line++) {
        ts_test_world w;
        ts_test_open(&w, 0);
        set_matter(w.scene, (matter){1e6, 0.5, 0.5, 1e-4});
        ts_vertex vertex[8];
        size_t count = random_line(&random, vertex);
        const double radius = 0.15;
        ts_contour contour = {vertex, count, line % 2 == 0};
        ts_test_polyline(w.scene, NULL, vertex, count, contour.open);
        ts_test_body(w.scene, ts_test_disc(w.scene, radius), 10, 10);
        ts_test_start(&w, 1);
        trace t = sample(&contour, POINTS);
        for (int place = 0; place < PLACES; place++) {
            double x, y, near;
            bool unsure;
            size_t i = (size_t)ts_random_next_below(&random, t.count);
            x = t.x[i] + ts_random_next_range(&random, -0.2, 0.2);
            y = t.y[i] + ts_random_next_range(&random, -0.2, 0.2);
            size_t expected = minima(&t, x, y, radius, 1e-4, &near, &unsure);
            put(&w, x, y);
            const ts_contact *contact;
            size_t found = contacts_of(&w, &contact);
            double least = HUGE_VAL;
            for (size_t k = 0; k < found; k++) {
                least = fmin(least, contact[k].gap);
                for (size_t v = 0; v < count; v++) { /* too near to a corner for the samples to tell */
                    double off = hypot(contact[k].point_a[0] - vertex[v].x, contact[k].point_a[1] - vertex[v].y);
                    unsure = unsure || (off > 1e-12 && off < 3e-3);
                }
            }
            if (near < radius - 1e-4)
                NEAR(least, near - radius, 1e-6 / near); /* half a sampling step off the foot of the perpendicular */
            if (unsure)
                continue;
            if (found != expected)
                fail_msg("line %d, disc at (%.17g, %.17g): %zu contacts, %zu minima", line, x, y, found, expected);
            sure++;
            several += expected > 1;
        }
        free(t.x);
        free(t.y);
        ts_test_close(&w);
    }
    assert_true(sure > LINES * PLACES / 2);
    assert_true(several > 50);
}

/* Every face that comes within reach is found, once, and none that does not. */
static void the_search_misses_nothing(void **unused)
{
    (void)unused;
    enum { POINTS = 300, PLACES = 400 };
    ts_random random = ts_random_make(8, 0);
    ts_vertex vertex[POINTS];
    for (int i = 0; i < POINTS; i++)
        vertex[i] = (ts_vertex){ts_random_next_range(&random, -1, 1), ts_random_next_range(&random, -1, 1),
                                i % 3 == 0 ? ts_random_next_range(&random, -1.5, 1.5) : 0};
    ts_test_world w;
    ts_test_open(&w, 0);
    set_matter(w.scene, (matter){1e6, 0.5, 0.5, 1e-4});
    ts_test_plane(w.scene, NULL, 0, -9, 0, 1);
    ts_test_polyline(w.scene, NULL, vertex, POINTS, true);
    ts_test_body(w.scene, ts_test_disc(w.scene, 0.01), 5, 5);
    ts_test_start(&w, 1);
    const ts_faces *f = w.model->faces;
    assert_non_null(f);
    assert_int_equal(f->begin[1], 1); /* the half-plane is one face */
    ts_candidate *list = calloc(f->count, sizeof *list);
    int *times = calloc(f->count, sizeof *times);
    assert_non_null(list);
    assert_non_null(times);
    for (int place = 0; place < PLACES; place++) {
        double x = ts_random_next_range(&random, -1.3, 1.3), y = ts_random_next_range(&random, -1.3, 1.3);
        double reach = ts_random_next_range(&random, 0, place % 4 == 0 ? 1 : 0.1);
        size_t count = ts_faces_near(f, 1, x, y, reach, 7, list);
        assert_int_equal(ts_faces_near(f, 1, x, y, reach, 7, NULL), count);
        for (size_t k = 0; k < f->count; k++)
            times[k] = 0;
        for (size_t k = 0; k < count; k++) {
            assert_int_equal(list[k].b, 7);
            times[list[k].a]++;
        }
        for (int32_t k = f->begin[1]; k < f->begin[2]; k++) {
            /* points of the face, by the definition of an arc */
            const ts_face_joint *a = &f->joint[f->face[k].begin], *b = &f->joint[f->face[k].end];
            double chord = hypot(b->x - a->x, b->y - a->y), r = f->face[k].radius;
            double half = r > 0 ? asin(fmin(chord / (2 * r), 1)) : 0;
            ts_segment s = {a->x, a->y, b->x, b->y, r > 0 ? f->face[k].turn * tan(0.5 * half) : 0};
            double near = HUGE_VAL;
            const int samples = f->face[k].kind == TS_FACE_EDGE ? 200 : 1;
            for (int i = 0; i <= samples; i++) {
                ts_vec2 p = ts_segment_point(&s, (double)i / samples);
                near = fmin(near, hypot(p.x - x, p.y - y));
            }
            double step = 1.3 * chord / samples; /* arcs of a third of a turn are 1.2 chords long */
            assert_in_range(times[k], 0, 1);
            if (near < reach)
                assert_int_equal(times[k], 1);
            if (near - step > reach * (1 + 1e-8))
                assert_int_equal(times[k], 0);
        }
    }
    free(list);
    free(times);
    ts_test_close(&w);
}

/* ---- Joints ---- */

/* A disc slides around in a polygon of 200 corners as if in a circle: never held by two edges at once. */
static void shallow_joints_hold_once(void **unused)
{
    (void)unused;
    enum { CORNERS = 200 };
    ts_vertex vertex[CORNERS];
    for (int i = 0; i < CORNERS; i++)
        vertex[i] = (ts_vertex){cos(2 * TS_PI * i / CORNERS), sin(2 * TS_PI * i / CORNERS), 0};
    ts_test_world w;
    ts_test_open(&w, 0);
    set_matter(w.scene, (matter){1e6, 0, 1, 1e-4});
    ts_test_polyline(w.scene, NULL, vertex, CORNERS, false);
    ts_test_body(w.scene, ts_test_disc(w.scene, 0.2), 0, 0);
    ts_test_start(&w, 1);
    const ts_contact *contact;
    for (int i = 0; i < 5000; i++) {
        double angle = 2 * TS_PI * i / 5000 + 1e-3;
        put(&w, 0.801 * cos(angle), 0.801 * sin(angle));
        assert_int_equal(contacts_of(&w, &contact), 1);
        NEAR(contact->gap, -0.001, 1.5e-4); /* 1 - cos(π / 200) = 1.2e-4 */
        NEAR(contact->normal[0], -cos(angle), 0.02);
    }
    ts_test_close(&w);
}

/* Over an outer corner the spring goes along: a disc that sticks to a turning corner is not let go. */
static void a_spring_goes_along(void **unused)
{
    (void)unused;
    ts_test_world w;
    ts_test_open(&w, -9.81);
    set_matter(w.scene, (matter){1e6, 10, 0.2, 1e-4});
    const ts_vertex tip[] = {{-1, 0, 0}, {0, 0, 0}, {1, -0.2, 0}}; /* falls off to the right */
    ts_test_polyline(w.scene, NULL, tip, 3, true);
    ts_test_body_moving(w.scene, ts_test_disc(w.scene, 0.1), -0.05, 0.1, 0.4, 0, -4);
    ts_test_start(&w, 1);
    uint64_t key = 0;
    double last = 0;
    int changes = 0;
    for (int step = 0; step < 6000; step++) {
        ts_test_step(&w, 1);
        const ts_contact *contact;
        size_t count = contacts_of(&w, &contact);
        assert_true(count <= 1);
        if (count == 0)
            continue;
        if (key != contact->key && last != 0 && step > 100) {
            changes++;
            /* it changes little in a step, also in the step in which the face changes */
            NEAR(contact->history[0], last, 0.1 * fabs(last) + 1e-7);
            assert_true(fabs(last) > 1e-9);
        }
        key = contact->key;
        last = contact->history[0];
    }
    assert_true(changes >= 2); /* edge, corner, edge */
    ts_test_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_is_a_plane),
        cmocka_unit_test(two_half_arcs_are_a_circle),
        cmocka_unit_test(a_flat_arc_is_a_plane),
        cmocka_unit_test(outside_a_box_there_is_one_contact),
        cmocka_unit_test(inside_a_box_each_side_counts),
        cmocka_unit_test(a_solid_pushes_out),
        cmocka_unit_test(a_polyline_has_two_sides),
        cmocka_unit_test(contacts_are_nearest_points),
        cmocka_unit_test(the_search_misses_nothing),
        cmocka_unit_test(shallow_joints_hold_once),
        cmocka_unit_test(a_spring_goes_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
