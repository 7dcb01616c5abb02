/* SPDX-License-Identifier: MIT */
/* Outlines at walls of lines and arcs obey the laws: statics, energy, the velocity of a wall that moves, and the same
 * bits on any number of threads. */
#include <math.h>

#include "support/check.h"

#include "base/vec.h"
#include "cspace/forms.h"
#include "support/walls.h"

/* The width over which angles are averaged at walls [rad]. */
static const double width = 0.02;

static int32_t add_outline(ts_scene *scene, ts_outline *outline)
{
    int32_t shape;
    OK(ts_scene_add_outline(scene, NULL, outline, &shape, ERROR));
    ts_outline_free(outline);
    return shape;
}

static void add_turned(ts_scene *scene, int32_t shape, double x, double y, double angle, double scale)
{
    ts_body_def body = ts_default_body();
    body.shape = shape;
    body.position[0] = x;
    body.position[1] = y;
    body.angle = angle;
    body.scale = scale;
    OK(ts_scene_add_body(scene, &body, NULL, ERROR));
}

/* No map is made: it would take longer than the test. */
static void start(ts_test_world *w, int threads)
{
    OK(ts_scene_set_map(w->scene, &(ts_map_options){.kind = TS_MAP_EXACT}, ERROR));
    ts_test_start(w, threads);
}

static double weight_of(const ts_test_world *w, size_t body)
{
    return 9.81 * ts_model_mass(w->model, body);
}

/* ---- Statics ---- */

/* A box of 0.4 m by 0.2 m lies on a wall whose surface is y = 0, until it is still. Returns how high its centre
 * stands. */
static double rest_height(ts_test_world *w, double from)
{
    ts_test_body(w->scene, add_outline(w->scene, box(0.4, 0.2)), 0, from);
    ts_test_start(w, 1);
    ts_test_step(w, 8000);
    const ts_body *body = ts_state_bodies(w->state);
    double force[3];
    OK(ts_wall_force(w->work, 0, force, NULL, ERROR));
    NEAR(force[1], -weight_of(w, 0), 0.01 * weight_of(w, 0));
    NEAR(force[0], 0, 0.01 * weight_of(w, 0));
    NEAR(body->angle, 0, 1e-3);
    assert_true(hypot(body->vx, body->vy) < 1e-4);
    return body->y;
}

/* Three edges of a polyline bear a box, 0.1 m, 0.25 m and 0.05 m of it. The slab is 0.05 m thick: half of the inner
 * radius. A face of length L is felt L width/8 early. */
static void a_box_lies_flat_on_a_polyline(void **unused)
{
    (void)unused;
    ts_test_world w;
    ts_test_open(&w, -9.81);
    ts_test_places(w.scene, "one");
    set_matter(w.scene, (matter){1e6, 0.3, 0.2, 1e-4});
    const ts_vertex floor[] = {{-1, 0, 0}, {-0.1, 0, 0}, {0.15, 0, 0}, {1, 0, 0}};
    ts_test_polyline(w.scene, NULL, floor, 4, true);
    double high = rest_height(&w, 0.13), sunk = weight_of(&w, 0) / 3e6;
    NEAR(high, 0.1 + 0.025 - sunk + 0.4 / 3 * width / 8, 5e-5);
    const ts_contact *contact;
    assert_int_equal(contacts_of(&w, &contact), 3);
    ts_test_close(&w);
}

/* A half-plane, an outline with a flat top, and one whose top is three edges, which share the weight: the smoothing of
 * each lifts the box by its own part of L width/8, and each is pressed in by as much less. */
static void an_outline_bears_as_a_half_plane(void **unused)
{
    (void)unused;
    double high[3];
    for (int kind = 0; kind < 3; kind++) {
        ts_test_world w;
        ts_test_open(&w, -9.81);
        ts_test_places(w.scene, "one");
        set_matter(w.scene, (matter){1e6, 0.3, 0.2, 1e-4});
        const double edges[6][2] = {{-2, 0}, {-2, -1}, {2, -1}, {2, 0}, {0.15, 0}, {-0.15, 0}};
        if (kind == 0)
            ts_test_plane(w.scene, NULL, 0, 0, 0, 1);
        else
            ts_test_outline(w.scene, NULL, kind == 1 ? box(4, 1) : form_polygon(edges, 6), 0, -0.5, false);
        high[kind] = rest_height(&w, 0.101);
        ts_test_close(&w);
    }
    NEAR(high[1], high[0], 5e-5);
    NEAR(high[2], 0.1 + (high[0] - 0.1) / 3, 5e-5);
}

/* A square stands on its corner in a valley of two slopes at 45°: each holds W cos 45°, across itself. */
static void an_inner_corner_holds_on_both_sides(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < 2; kind++) {
        ts_test_world w;
        ts_test_open(&w, -9.81);
        ts_test_places(w.scene, "one");
        set_matter(w.scene, (matter){1e6, 0, 0.1, 1e-4});
        const ts_vertex valley[] = {{-1, 1, 0}, {0, 0, 0}, {1, 1, 0}};
        const double solid[5][2] = {{-1, 1}, {-1, -1}, {1, -1}, {1, 1}, {0, 0}};
        double low = 0;
        if (kind == 0) {
            ts_test_polyline(w.scene, NULL, valley, 3, true);
            low = 0.025 * sqrt(2); /* of inner surfaces 0.025 m from the lines */
        } else {
            ts_outline *o = form_polygon(solid, 5);
            ts_outline_mass mass = ts_outline_get_mass(o);
            ts_test_outline(w.scene, NULL, o, mass.centre[0], mass.centre[1], false);
        }
        add_turned(w.scene, add_outline(w.scene, box(0.2, 0.2)), 0, 0.1 * sqrt(2) + low + 1e-3, 0.25 * TS_PI, 1);
        ts_test_start(&w, 1);
        ts_test_step(&w, 10000);
        const ts_contact *contact;
        assert_int_equal(contacts_of(&w, &contact), 2);
        double share = weight_of(&w, 0) * sqrt(0.5);
        for (int k = 0; k < 2; k++) {
            NEAR(hypot(contact[k].force[0], contact[k].force[1]), share, 0.01 * share);
            NEAR(fabs(contact[k].normal[0]), sqrt(0.5), 1e-2);
            NEAR(contact[k].normal[1], sqrt(0.5), 1e-2);
        }
        assert_true(contact[0].normal[0] * contact[1].normal[0] < 0);
        ts_test_close(&w);
    }
}

/* Four bent bars fall into a tray and into a bowl and stay there; all that they lose of their weight's impulse goes
 * to the wall. */
static void a_tray_keeps_what_falls_in(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < 2; kind++) {
        enum { grains = 4, steps = 15000 };
        ts_test_world w;
        ts_test_open(&w, -9.81);
        ts_test_places(w.scene, "one");
        set_matter(w.scene, (matter){5e6, 0.5, 0.2, 4e-5});
        const ts_vertex tray[] = {{-0.5, 2, 0}, {-0.5, 0, 0}, {0.5, 0, 0}, {0.5, 2, 0}};
        const ts_vertex bowl[] = {{-0.5, 2, 0}, {-0.5, 0.5, 1}, {0.5, 0.5, 0}, {0.5, 2, 0}};
        ts_test_polyline(w.scene, NULL, kind == 0 ? tray : bowl, 4, true);
        int32_t bent = add_outline(w.scene, form_make(BENT, 0.15));
        for (int i = 0; i < grains; i++)
            add_turned(w.scene, bent, -0.2 + 0.4 * (i % 2), (kind == 0 ? 0.2 : 0.3) + 0.35 * (i / 2), 0.3 + i, 1);
        start(&w, 2);
        double sum[2] = {0, 0}, weight = grains * weight_of(&w, 0);
        for (int step = 0; step < steps; step++) {
            double force[3];
            ts_test_step(&w, 1);
            OK(ts_wall_force(w.work, 0, force, NULL, ERROR));
            sum[0] += force[0] * 4e-5;
            sum[1] += force[1] * 4e-5;
        }
        ts_measures now;
        OK(ts_measure(w.model, w.state, w.work, &now, ERROR));
        double time = ts_state_time(w.state);
        NEAR(now.momentum[0], -sum[0], 1e-9 * weight * time);
        NEAR(now.momentum[1], -sum[1] - weight * time, 1e-9 * weight * time);
        assert_true(hypot(now.momentum[0], now.momentum[1]) < 0.1 * weight * time); /* the wall has stopped them */
        for (size_t i = 0; i < grains; i++) {
            const ts_body *body = &ts_state_bodies(w.state)[i];
            assert_true(fabs(body->x) < 0.45 && body->y > 0.05);
        }
        ts_test_close(&w);
    }
}

/* ---- Energy ---- */

/* A hash without friction and damping that flies about in a closed room of lines and arcs, with an outline in it,
 * keeps its energy. */
static void an_elastic_grain_keeps_its_energy(void **unused)
{
    (void)unused;
    ts_test_world w;
    ts_test_open(&w, 0);
    ts_test_places(w.scene, "one");
    set_matter(w.scene, (matter){1e7, 0, 1, 2e-5});
    const ts_vertex room[] = {{-1, -1, 0}, {1, -1, 0.3}, {1, 1, 0}, {0.2, 1.4, 0}, {-1, 1, -0.2}};
    ts_test_polyline(w.scene, NULL, room, 5, false);
    ts_outline *bar;
    OK(ts_outline_arc(0.3, 0.1, 2, false, &bar, ERROR));
    ts_test_outline(w.scene, NULL, bar, 0.1, 0, false);
    ts_test_body_moving(w.scene, add_outline(w.scene, form_make(LUMP, 0.25)), -0.6, -0.5, 1.1, 0.7, 3);
    ts_test_start(&w, 1);
    ts_measures first;
    OK(ts_measure(w.model, w.state, w.work, &first, ERROR));
    int hits = 0;
    bool before = false;
    double worst = 0;
    for (int i = 0; i < 4000; i++) {
        ts_test_step(&w, 50);
        ts_measures now;
        OK(ts_measure(w.model, w.state, w.work, &now, ERROR));
        if (now.contact_count == 0)
            worst = fmax(worst, fabs((now.kinetic + now.rotational) / (first.kinetic + first.rotational) - 1));
        hits += now.contact_count > 0 && !before;
        before = now.contact_count > 0;
    }
    assert_true(hits > 5);
    assert_true(worst < 2e-3);
    ts_test_close(&w);
}

/* ---- Motion ---- */

/* A disc that is drawn as an outline is hit by a paddle as a disc is, whether the paddle moves along or turns. */
static void a_paddle_hits_with_its_velocity(void **unused)
{
    (void)unused;
    for (int turning = 0; turning < 2; turning++) {
        ts_body left[2];
        for (int drawn = 0; drawn < 2; drawn++) {
            ts_test_world w;
            ts_test_open(&w, 0);
            ts_test_places(w.scene, "one");
            set_matter(w.scene, (matter){1e7, 0.4, 1, 4e-6});
            ts_test_outline(w.scene, "paddle", box(1, 0.2), 0, 0, false);
            ts_drive_def drive = ts_default_drive();
            drive.target = "paddle";
            drive.kind = turning ? TS_DRIVE_ROTATION : TS_DRIVE_VELOCITY;
            drive.rate = 2;
            drive.velocity[0] = 0.3;
            drive.velocity[1] = 0.8;
            OK(ts_scene_add_drive(w.scene, &drive, NULL, ERROR));
            ts_outline *disc;
            OK(ts_outline_disc(0.05, &disc, ERROR));
            ts_test_body(w.scene, drawn ? add_outline(w.scene, disc) : ts_test_disc(w.scene, 0.05), 0.4, 0.152);
            if (!drawn)
                ts_outline_free(disc);
            ts_test_start(&w, 1);
            ts_test_step(&w, 3000);
            left[drawn] = ts_state_bodies(w.state)[0];
            ts_test_close(&w);
        }
        if (!turning)
            NEAR(left[1].vy, 1.6, 1e-3);
        NEAR(left[1].vx, left[0].vx, 1e-3);
        NEAR(left[1].vy, left[0].vy, 1e-3);
        NEAR(left[1].spin, left[0].spin, 1e-2);
        assert_true(left[1].vy > 1);
    }
}

/* ---- The same bits ---- */

/* With grains of one size, or of so many that no maps are made for them. */
static uint64_t run_funnel(int threads, bool sizes)
{
    ts_test_world w;
    ts_test_open(&w, -9.81);
    ts_test_places(w.scene, "one");
    set_matter(w.scene, (matter){3e5, 0.5, 0.4, 2e-4});
    const ts_vertex funnel[] = {{-3, 2, 0}, {-0.5, 0, 0.3}, {0.5, 0, 0}, {3, 2, 0}};
    ts_test_polyline(w.scene, "funnel", funnel, 4, true);
    ts_test_outline(w.scene, NULL, form_make(ROTOR, 0.4), 0, 1.2, false);
    ts_drive_def drive = ts_default_drive();
    drive.target = "funnel";
    drive.kind = TS_DRIVE_OSCILLATION;
    drive.frequency = 5;
    drive.amplitude[0] = 0.02;
    OK(ts_scene_add_drive(w.scene, &drive, NULL, ERROR));
    int32_t shape[] = {add_outline(w.scene, form_make(HASH, 0.15)), ts_test_disc(w.scene, 0.1),
                       add_outline(w.scene, form_make(BENT, 0.15))};
    const int grains = 42;
    for (int i = 0; i < grains; i++)
        add_turned(w.scene, shape[i % 3], -1.2 + 0.4 * (i % 7), 2 + 0.4 * (i / 7), 0.3 * i, sizes ? 1 - 0.01 * i : 1);
    start(&w, threads);
    ts_test_step(&w, 3000);
    for (int i = 0; i < grains; i++) /* nothing has fallen through */
        assert_true(ts_state_bodies(w.state)[i].y > -0.5);
    uint64_t hash = ts_test_hash(w.state);
    ts_test_close(&w);
    return hash;
}

static void threads_do_not_matter(void **unused)
{
    (void)unused;
    for (int sizes = 0; sizes < 2; sizes++) {
        uint64_t one = run_funnel(1, sizes == 1);
        assert_true(one == run_funnel(2, sizes == 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_lies_flat_on_a_polyline),
        cmocka_unit_test(an_outline_bears_as_a_half_plane),
        cmocka_unit_test(an_inner_corner_holds_on_both_sides),
        cmocka_unit_test(a_tray_keeps_what_falls_in),
        cmocka_unit_test(an_elastic_grain_keeps_its_energy),
        cmocka_unit_test(a_paddle_hits_with_its_velocity),
        cmocka_unit_test(threads_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
