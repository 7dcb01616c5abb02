/* SPDX-License-Identifier: MIT */
/* Laws of contact under soft-step, recomputed from the listed contacts of every step of a heap that falls, bounces and
 * comes to rest, in the plane and in space:
 *
 *     n > 0        |t| ≤ μ n        Σ m Δv/h = Σ m g − Σ forces on walls
 *
 * n, t: normal and tangential part of a contact's force. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model.h"
#include "state.h"
#include "support/soft.h"

#define FRICTION TS_TEST_SOFT_FRICTION

typedef struct tally {
    size_t contacts, sliding, sticking;
    double pulling, beyond; /* largest −n [N], and |t|/n beyond what it may be */
    double kick;            /* largest error of the momentum's balance, over what bodies and walls exchange */
} tally;

static void look(ts_test_world *w, tally *to)
{
    const ts_contact *contact;
    size_t count;
    OK(ts_find_contacts(w->model, w->state, w->work, &contact, &count, ERROR));
    for (size_t k = 0; k < count; k++) {
        const double *f = contact[k].force, *e = contact[k].normal, n = f[0] * e[0] + f[1] * e[1] + f[2] * e[2],
                     t = hypot(f[0] - n * e[0], hypot(f[1] - n * e[1], f[2] - n * e[2]));
        NEAR(e[0] * e[0] + e[1] * e[1] + e[2] * e[2], 1, 1e-12);
        to->pulling = fmax(to->pulling, -n);
        if (!(n > 0)) {
            assert_true(t == 0);
            continue;
        }
        to->contacts++;
        to->sliding += t > 0.999 * FRICTION * n;
        to->sticking += t < 0.9 * FRICTION * n;
        to->beyond = fmax(to->beyond, t / n - FRICTION);
    }
}

static void momentum_of(const ts_test_world *w, double p[3])
{
    memset(p, 0, 3 * sizeof *p);
    for (size_t i = 0; i < w->model->body_count; i++) {
        double v[6] = {0};
        OK(ts_state_velocity(w->state, i, v, ERROR));
        for (int d = 0; d < w->model->dimension; d++)
            p[d] += w->model->mass[i] * v[d];
    }
}

/* What the step has changed of the momentum, beside what gravity and walls gave. */
static void balance(ts_test_world *w, double before[3], tally *to)
{
    const double step = w->model->settings.time_step,
                 g[3] = {w->model->gravity.x, w->model->gravity.y, w->model->gravity.z};
    double mass = 0, after[3], gone[3] = {0}, size = 0;
    for (size_t i = 0; i < w->model->body_count; i++)
        mass += w->model->mass[i];
    momentum_of(w, after);
    for (size_t i = 0; i < ts_model_wall_count(w->model); i++) {
        double force[3];
        OK(ts_wall_force(w->work, i, force, NULL, ERROR));
        for (int d = 0; d < 3; d++) {
            gone[d] += force[d] * step;
            size += fabs(force[d]) * step;
        }
    }
    size += mass * 9.81 * step;
    for (int d = 0; d < 3; d++)
        to->kick = fmax(to->kick, fabs(after[d] - before[d] - mass * g[d] * step + gone[d]) / size);
    memcpy(before, after, sizeof after);
}

static void obeys(bool space, const char *dynamics)
{
    ts_test_world w;
    tally all = {0};
    double momentum[3];
    ts_test_soft_heap(&w, space, dynamics);
    OK(ts_state_create(w.model, &w.state, ERROR));
    OK(ts_workspace_create(w.model, 1, &w.work, ERROR));
    momentum_of(&w, momentum);
    while (ts_state_time(w.state) < 3) {
        ts_test_step(&w, 1);
        look(&w, &all);
        balance(&w, momentum, &all);
    }
    printf("%s%s: %zu contacts, %zu slide, %zu stick; pulling %.1e N, beyond the cone %.1e, momentum %.1e\n",
           space ? "space" : "plane", dynamics, all.contacts, all.sliding, all.sticking, all.pulling, all.beyond,
           all.kick);
    assert_true(all.contacts > 5000 && all.sliding > 200 && all.sticking > 1000);
    assert_true(all.pulling <= 0);
    assert_true(all.beyond <= 1e-9);
    assert_true(all.kick <= 1e-12);
    ts_test_close(&w);
}

static void heaps_in_the_plane(void **state)
{
    (void)state;
    obeys(false, "");
    obeys(false, ", \"restitution\": 0.6");
}

static void heaps_in_space(void **state)
{
    (void)state;
    obeys(true, "");
    obeys(true, ", \"restitution\": 0.6");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(heaps_in_the_plane), cmocka_unit_test(heaps_in_space)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
