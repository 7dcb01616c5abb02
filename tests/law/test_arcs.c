/* SPDX-License-Identifier: MIT */
/* A ball that goes to and fro inside an arc keeps its energy under impact, up to the square of the time step: on circles,
 * on arcs of polylines and outlines, and in cylinders of space, sliding without friction and rolling. And it does so with
 * the period of a pendulum. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

#include "support/world.h"
#include "workspace.h"

#define G           9.81
#define OFF         0.95 /* of the ball's centre from the arc's [m] */
#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char *const wall_of[] = {
    "{\"kind\": \"circle\", \"position\": [0, 0], \"radius\": 1}",
    "{\"kind\": \"polyline\", \"points\": [[-1, 0, 1], [1, 0]]}",
    "{\"kind\": \"outline\", \"shape\": \"round\", \"position\": [0, 0], \"keep\": \"inside\"}",
    "{\"kind\": \"cylinder\", \"position\": [0, 0, 0], \"axis\": [0, 1, 0], \"radius\": 1, \"length\": 2}",
};
enum { SPACE = 3 };

typedef struct swing {
    double lost;     /* energy after two seconds, over what there was above the lowest place */
    double most;     /* that it was off by in between, likewise */
    double crossing; /* when it came through the lowest place for the first time [s] */
} swing;

static swing let_go(size_t wall, double friction, double step, double angle)
{
    ts_test_world w = {0};
    char text[1024];
    const bool space = wall == SPACE;
    const char *zero = space ? "0, " : "";
    snprintf(text, sizeof text,
             "{\"touchstone\": 1, %s\"time_step\": %g, \"duration\": 100, \"dynamics\": {\"kind\": \"impact\", "
             "\"friction\": %g, \"restitution\": 0}, \"shapes\": {\"ball\": {\"kind\": \"%s\", \"radius\": 0.05}%s}, "
             "\"walls\": [%s], \"bodies\": [{\"shape\": \"ball\", \"position\": [%.17g, %s%.17g]}]}",
             space ? "\"space\": \"space\", " : "", step, friction, space ? "sphere" : "disc",
             space ? "" : ", \"round\": {\"kind\": \"polygon\", \"points\": [[-1, 0, 1], [1, 0, 1]]}", wall_of[wall],
             OFF * sin(angle), zero, -OFF * cos(angle));
    OK(ts_scene_parse(text, strlen(text), "arcs", NULL, &w.scene, ERROR));
    ts_test_start(&w, 1);
    swing s = {0};
    double x = 1;
    for (uint64_t k = 0; ts_state_time(w.state) < 2; k++) {
        double q[7], v[6];
        const double before = x;
        ts_test_step(&w, 1);
        OK(ts_state_pose(w.state, 0, q, ERROR));
        OK(ts_state_velocity(w.state, 0, v, ERROR));
        const double inertia = space ? 0.4 : 0.5, spin = 0.05 * (space ? v[4] : v[2]), up = v[space ? 2 : 1];
        const double energy = G * (q[space ? 2 : 1] + OFF) + 0.5 * (v[0] * v[0] + up * up + inertia * spin * spin);
        const double had = G * OFF * (1 - cos(angle));
        x = q[0];
        if (s.crossing == 0 && x <= 0)
            s.crossing = ts_state_time(w.state) - step * x / (x - before);
        s.lost = 1 - energy / had;
        s.most = fmax(s.most, fabs(s.lost));
    }
    ts_test_close(&w);
    return s;
}

static void energy_is_kept(void **unused)
{
    (void)unused;
    for (size_t wall = 0; wall < COUNT(wall_of); wall++)
        for (int rough = 0; rough < 2; rough++) {
            const double mu = rough ? 5 : 0;
            const swing a = let_go(wall, mu, 0.008, 1), b = let_go(wall, mu, 0.004, 1), c = let_go(wall, mu, 0.002, 1);
            printf("wall %zu, friction %g: lost %.2e %.2e %.2e, off %.2e %.2e %.2e\n", wall, mu, a.lost, b.lost, c.lost,
                   a.most, b.most, c.most);
            assert_true(a.most < 0.01 && b.most < 0.0025 && c.most < 0.000625);
        }
}

/* A small swing: the time to the lowest place is a quarter of 2 π √((1 + I / m r²) R / g). */
static void it_swings_as_a_pendulum(void **unused)
{
    (void)unused;
    for (size_t wall = 0; wall < COUNT(wall_of); wall++)
        for (int rough = 0; rough < 2; rough++) {
            const double inertia = rough ? (wall == SPACE ? 0.4 : 0.5) : 0, angle = 0.1;
            const double quarter = 0.5 * acos(-1.0) * sqrt((1 + inertia) * OFF / G) * (1 + angle * angle / 16);
            NEAR(let_go(wall, rough ? 5 : 0, 0.004, angle).crossing, quarter, 1e-3 * quarter);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(energy_is_kept), cmocka_unit_test(it_swings_as_a_pendulum)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
