/* SPDX-License-Identifier: MIT */
/* Outlines under the penalty law: what is conserved, what is lost, and that what is left out of a step never
 * matters. */
#include <math.h>
#include <stdlib.h>

#include "support/check.h"

#include "base/random.h"
#include "cspace/forms.h"
#include "support/scenes.h"
#include "workspace.h"

static int32_t add_grain(ts_scene *scene, form f)
{
    ts_outline *outline = form_make(f, 0.7);
    int32_t shape;
    OK(ts_scene_add_outline(scene, NULL, outline, &shape, ERROR));
    ts_outline_free(outline);
    return shape;
}

enum { SIDE = 4, GRAINS = SIDE * SIDE };

/* A cloud of mixed grains none of which overlap, thrown towards the middle, turning. */
static void add_cloud(ts_scene *scene, int kinds_of_grains, double speed)
{
    const int side = SIDE;
    int32_t shape[3] = {add_grain(scene, HASH)};
    if (kinds_of_grains > 1) {
        shape[1] = ts_test_disc(scene, 0.4);
        shape[2] = add_grain(scene, BENT);
    }
    for (int i = 0; i < side; i++)
        for (int k = 0; k < side; k++) {
            uint64_t at = (uint64_t)(8 * (side * i + k));
            ts_body_def body = ts_default_body();
            body.shape = shape[(i + 2 * k) % kinds_of_grains];
            body.position[0] = 1.5 * (i - 0.5 * (side - 1));
            body.position[1] = 1.5 * (k - 0.5 * (side - 1));
            body.angle = ts_random_range(5, 1, at, 0, 6);
            body.velocity[0] = -speed * body.position[0] + ts_random_uniform(5, 1, at + 1);
            body.velocity[1] = -speed * body.position[1] + ts_random_uniform(5, 1, at + 2);
            body.spin[2] = ts_random_range(5, 1, at + 3, -2, 2);
            OK(ts_scene_add_body(scene, &body, NULL, ERROR));
        }
}

/* Sanitizers make steps twenty times as long; what matters to them happens in the first hundreds, and laws are not
 * proven there. */
static bool is_sanitized(void)
{
    const char *sanitize = getenv("TS_SANITIZE");
    return sanitize && *sanitize;
}

typedef struct kind {
    const char *name;
    ts_map_options map;
    int grains; /* kinds of them: maps of networks take a while */
    int looks;  /* at a free cloud, 500 steps apart */
    double
        made; /* energy that contacts may make beyond what they store, as a share of what is lost: much, where the gap has kinks */
} kind;

static const kind kinds[] = {
    {"exact", {.kind = TS_MAP_EXACT}, 3, 20, 0.02},
    {"exact, smoothed", {.kind = TS_MAP_EXACT, .smoothing = 0.02}, 1, 4, 0.01},
    {"table", {.kind = TS_MAP_TABLE, .error = 0.02}, 3, 20, 0.01},
    /* folded, a network has another value on either side of a wall of the folding, and a grain that passes it gains
     * or loses energy */
    {"network", {.kind = TS_MAP_NETWORK, .depth = 3, .width = 32, .samples = 600000, .no_folding = true}, 1, 20, 0.01},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Two runs of one cloud, one of which asks the maps about every pair whose circles overlap: the same bits, for what is
 * left out of a step has a gap. And momentum, and angular momentum about the origin, stay what they were. */
static void free_cloud(void **state)
{
    const kind *k = *state;
    const int count = is_sanitized() ? 2 : k->looks;
    if (is_sanitized() && k->map.kind != TS_MAP_EXACT)
        skip(); /* making maps takes minutes there */
    const uint64_t steps = 500;
    ts_test_world w;
    ts_test_open(&w, 0);
    add_cloud(w.scene, k->grains, 1);
    OK(ts_scene_set_map(w.scene, &k->map, ERROR));
    ts_test_soften(w.scene, 3e6, 5e-4);
    ts_test_start(&w, 2);
    ts_state *all;
    ts_workspace *work;
    OK(ts_state_create(w.model, &all, ERROR));
    OK(ts_workspace_create(w.model, 1, &work, ERROR));
    work->no_culling = true;
    ts_measures before, after;
    OK(ts_measure(w.model, w.state, w.work, &before, ERROR));
    for (int i = 0; i < count; i++) {
        ts_test_step(&w, steps);
        OK(ts_step(w.model, all, work, steps, ERROR));
        assert_true(ts_test_hash(all) == ts_test_hash(w.state));
    }
    assert_true(w.work->contact_sum > 100 || is_sanitized());
    if (k->map.kind != TS_MAP_NETWORK && !is_sanitized()) /* of a network nothing is certain */
        assert_true((double)w.work->query_sum < 0.9 * (double)work->query_sum);

    OK(ts_measure(w.model, w.state, w.work, &after, ERROR));
    double size = sqrt(2 * before.kinetic * GRAINS * ts_model_mass(w.model, 0)), arm = 5;
    assert_true(after.kinetic + after.rotational < before.kinetic + before.rotational);
    NEAR(after.momentum[0], before.momentum[0], 1e-12 * size);
    NEAR(after.momentum[1], before.momentum[1], 1e-12 * size);
    NEAR(after.angular, before.angular, 1e-12 * size * arm);
    ts_workspace_free(work);
    ts_state_free(all);
    ts_test_close(&w);
}

/* A closed box with gravity, friction and damping: energy is only lost; and it is where the budget says, up to the
 * time step's error. */
static void closed_box(void **state)
{
    const kind *k = *state;
    const int count = is_sanitized() ? 2 : k->map.smoothing > 0 ? 15 : 60;
    if (is_sanitized() && k->map.kind != TS_MAP_EXACT)
        skip();
    const uint64_t steps = 200;
    ts_test_world w;
    ts_test_open(&w, -9.81);
    add_cloud(w.scene, 1, 0);
    ts_test_plane(w.scene, NULL, 0, -3.5, 0, 1);
    ts_test_plane(w.scene, NULL, 0, 5, 0, -1);
    ts_test_plane(w.scene, NULL, -3.5, 0, 1, 0);
    ts_test_plane(w.scene, NULL, 3.5, 0, -1, 0);
    OK(ts_scene_set_map(w.scene, &k->map, ERROR));
    ts_test_soften(w.scene, 1e7, 2e-4);
    ts_test_start(&w, 2);
    ts_measures m;
    OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
    double first = m.kinetic + m.rotational + m.gravitational + m.elastic, last = first, most = 0;
    for (int i = 0; i < count; i++) {
        ts_test_step(&w, steps);
        OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
        double now = m.kinetic + m.rotational + m.gravitational + m.elastic;
        most = fmax(most, now - last);
        last = now;
    }
    assert_true(m.contact_count > GRAINS / 2 || count < 60); /* a heap, at last */
    assert_true(last < first);
    double lost = m.lost_normal + m.lost_tangential + m.lost_friction, made = last + lost - first;
    print_message("%s: made %.5f of what was lost\n", k->name, made / lost);
    assert_true(fabs(made) < k->made * lost || is_sanitized());
    assert_true(most < 1e-6 * (first - last) || is_sanitized()); /* no more than a tremble */
    ts_test_close(&w);
}

int main(void)
{
    struct CMUnitTest test[2 * KINDS];
    for (size_t i = 0; i < KINDS; i++) {
        test[2 * i] = (struct CMUnitTest){kinds[i].name, free_cloud, NULL, NULL, (void *)(uintptr_t)&kinds[i]};
        test[2 * i + 1] = (struct CMUnitTest){kinds[i].name, closed_box, NULL, NULL, (void *)(uintptr_t)&kinds[i]};
    }
    return cmocka_run_group_tests(test, NULL, NULL);
}
