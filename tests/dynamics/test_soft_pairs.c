/* SPDX-License-Identifier: MIT */
/* Soft-step: whatever the shapes, a few of two kinds that are dropped into a narrow bin come to rest in it, touching each
 * other, and hardly overlap. Every pair of kinds, in the plane and in space. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

#include "model.h"
#include "support/world.h"
#include "workspace.h"

typedef struct kind {
    const char *name, *json;
} kind;

static const kind flat[] = {
    {"disc", "{\"kind\": \"disc\", \"radius\": 0.1}"},
    {"box", "{\"kind\": \"box\", \"width\": 0.2, \"height\": 0.15}"},
    {"triangle", "{\"kind\": \"polygon\", \"points\": [[-0.12, -0.08], [0.12, -0.08], [0, 0.14]]}"},
    {"pill", "{\"kind\": \"box\", \"width\": 0.24, \"height\": 0.12, \"corner\": 0.06}"},
    {"ell",
     "{\"kind\": \"polygon\", \"points\": [[0, 0], [0.2, 0], [0.2, 0.06], [0.06, 0.06], [0.06, 0.2], [0, 0.2]]}"},
    {"ring", "{\"kind\": \"arc\", \"radius\": 0.1, \"thickness\": 0.04, \"angle\": \"250 deg\"}"},
    {"cluster", "{\"kind\": \"cluster\", \"discs\": [{\"at\": [-0.05, 0], \"radius\": 0.06}, {\"at\": [0.05, 0], "
                "\"radius\": 0.06}, {\"at\": [0, 0.08], \"radius\": 0.05}]}"},
};
static const kind solid[] = {
    {"sphere", "{\"kind\": \"sphere\", \"radius\": 0.1}"},
    {"box", "{\"kind\": \"box\", \"size\": [0.2, 0.15, 0.15]}"},
    {"capsule", "{\"kind\": \"capsule\", \"radius\": 0.06, \"length\": 0.12}"},
    {"cylinder", "{\"kind\": \"cylinder\", \"radius\": 0.08, \"length\": 0.16}"},
    {"hull",
     "{\"kind\": \"hull\", \"points\": [[-0.1, -0.08, -0.08], [0.1, -0.08, -0.06], [0, 0.11, -0.07], [0.01, 0.02, "
     "0.1], [-0.06, 0.05, 0.05]]}"},
    {"mesh", "{\"kind\": \"mesh\", \"made\": {\"kind\": \"box\", \"size\": [0.18, 0.14, 0.16]}, \"cells\": 16}"},
    {"compound", "{\"kind\": \"compound\", \"pieces\": [{\"kind\": \"box\", \"size\": [0.2, 0.06, 0.06]}, {\"kind\": "
                 "\"box\", \"size\": [0.06, 0.06, 0.16], \"position\": [0.07, 0, 0.09]}]}"},
};

/* Six of two kinds, by turns, in two columns. */
static void write_plane(char *text, size_t size, const kind *a, const kind *b, double turn)
{
    int used =
        snprintf(text, size,
                 "{\"touchstone\": 1, \"duration\": 100, \"dynamics\": {\"kind\": \"soft-step\", \"friction\": 0.6}, "
                 "\"shapes\": {\"a\": %s, \"b\": %s}, \"walls\": [{\"kind\": \"polyline\", \"points\": [[0, 3], "
                 "[0, 0], [0.6, 0], [0.6, 3]]}], \"bodies\": [",
                 a->json, b->json);
    for (int i = 0; i < 6; i++)
        used +=
            snprintf(text + used, size - (size_t)used, "%s{\"shape\": \"%s\", \"position\": [%g, %g], \"angle\": %g}",
                     i ? ", " : "", i % 2 ? "b" : "a", 0.15 + 0.3 * (i / 2 % 2 ? 1 - i % 2 : i % 2),
                     0.2 + 0.32 * (i / 2), turn * i);
    snprintf(text + used, size - (size_t)used, "]}");
}

/* Eight in space, two by two in four layers. */
static void write_space(char *text, size_t size, const kind *a, const kind *b, double turn)
{
    int used =
        snprintf(text, size,
                 "{\"touchstone\": 1, \"space\": \"space\", \"duration\": 100, \"dynamics\": {\"kind\": "
                 "\"soft-step\", \"friction\": 0.6}, \"shapes\": {\"a\": %s, \"b\": %s}, \"walls\": [{\"kind\": "
                 "\"plane\", \"position\": [0, 0, 0], \"normal\": [0, 0, 1]}, {\"kind\": \"plane\", \"position\": "
                 "[0, 0, 0], \"normal\": [1, 0, 0]}, {\"kind\": \"plane\", \"position\": [0.6, 0, 0], \"normal\": "
                 "[-1, 0, 0]}, {\"kind\": \"plane\", \"position\": [0, 0, 0], \"normal\": [0, 1, 0]}, {\"kind\": "
                 "\"plane\", \"position\": [0, 0.3, 0], \"normal\": [0, -1, 0]}], \"bodies\": [",
                 a->json, b->json);
    for (int i = 0; i < 8; i++)
        used += snprintf(text + used, size - (size_t)used,
                         "%s{\"shape\": \"%s\", \"position\": [%g, %g, %g], \"attitude\": {\"axis\": [%d, 2, 1], "
                         "\"angle\": %g}}",
                         i ? ", " : "", i % 2 ? "b" : "a", 0.16 + 0.28 * (i / 2 % 2 ? 1 - i % 2 : i % 2), 0.15,
                         0.2 + 0.3 * (i / 2), i - 3, turn * i);
    snprintf(text + used, size - (size_t)used, "]}");
}

/* Energy that is left after some seconds, of what one fall by a body's size gives; and the deepest overlap then. */
static void settle(const char *text, double seconds, double *energy, double *overlap)
{
    ts_test_world w = {0};
    ts_measures m;
    OK(ts_scene_parse(text, strlen(text), "pairs", NULL, &w.scene, ERROR));
    ts_test_start(&w, 1);
    ts_test_step(&w, (uint64_t)ceil(seconds / w.model->settings.time_step));
    OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
    double mass = 0;
    for (size_t i = 0; i < w.model->body_count; i++)
        mass += w.model->mass[i];
    w.work->max_overlap = w.work->max_overlap_ratio = 0; /* while falling it may be more */
    ts_test_step(&w, 1);
    *energy = (m.kinetic + m.rotational) / mass;
    *overlap = w.work->max_overlap;
    ts_test_close(&w);
}

typedef void writer(char *text, size_t size, const kind *a, const kind *b, double turn);

static bool rolls(const kind *k)
{
    return strcmp(k->name, "disc") == 0 || strcmp(k->name, "sphere") == 0 || strcmp(k->name, "capsule") == 0 ||
           strcmp(k->name, "cylinder") == 0;
}

/* What rolls in a hollow, or hangs between two points as on a hinge, swings for ever: nothing resists rolling. A pair
 * that does so has other starts, and none may be livelier than after a fall of 1 mm. Each is told, and all of them must roll. */
static void settle_all(writer *write, const kind *list, size_t count)
{
    static const double turn[] = {0.7, 0.3, 0.9, 1.1};
    char text[8000];
    int again = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i; j < count; j++) {
            double energy = HUGE_VAL, overlap = 0;
            for (size_t k = 0; k < sizeof turn / sizeof *turn && energy > 1e-8; k++) {
                if (k == 1) {
                    assert_true(rolls(&list[i]) || rolls(&list[j]));
                    again++;
                }
                if (k > 0)
                    print_message("%s with %s from %.1f rad: %.2g J/kg\n", list[i].name, list[j].name, turn[k - 1],
                                  energy);
                write(text, sizeof text, &list[i], &list[j], turn[k]);
                settle(text, 8, &energy, &overlap);
                if (energy > 1e-2 || overlap > 1e-3)
                    break;
            }
            if (!(energy <= 1e-8 && overlap <= 1e-3))
                fail_msg("%s with %s: %.2g J/kg, overlap %.2g m", list[i].name, list[j].name, energy, overlap);
        }
    print_message("%d pairs needed another start\n", again);
}

static void rest_in_the_plane(void **state)
{
    (void)state;
    settle_all(write_plane, flat, sizeof flat / sizeof *flat);
}

static void rest_in_space(void **state)
{
    (void)state;
    settle_all(write_space, solid, sizeof solid / sizeof *solid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rest_in_the_plane), cmocka_unit_test(rest_in_space)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
