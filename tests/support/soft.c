/* SPDX-License-Identifier: MIT */
#include "support/soft.h"

#include <stdio.h>
#include <string.h>

/* Discs roll for ever on a level floor; clusters of them do not. */
static const char *const heap[] = {
    "\"shapes\": {\"pill\": {\"kind\": \"box\", \"width\": 0.12, \"height\": 0.06, \"corner\": 0.03}, "
    "\"ell\": {\"kind\": \"polygon\", \"points\": [[0, 0], [0.15, 0], [0.15, 0.04], [0.04, 0.04], [0.04, 0.15], "
    "[0, 0.15]]}, "
    "\"three\": {\"kind\": \"cluster\", \"discs\": [{\"at\": [-0.04, 0], \"radius\": 0.04}, {\"at\": [0.04, 0], "
    "\"radius\": 0.04}, {\"at\": [0, 0.06], \"radius\": 0.04}]}, "
    "\"mix\": {\"kind\": \"group\", \"members\": {\"pill\": 1, \"ell\": 1, \"three\": 1}}}, "
    "\"walls\": [{\"kind\": \"polyline\", \"points\": [[0, 3], [0, 0], [1.2, 0], [1.2, 3]]}], "
    "\"generators\": [{\"kind\": \"random\", \"region\": {\"box\": [0.1, 0.1, 1.1, 1.3]}, \"count\": 30, "
    "\"shape\": \"mix\"}], \"bodies\": [{\"shape\": \"ell\", \"position\": [0.6, 9]}]",
    "\"space\": \"space\", \"shapes\": {\"box\": {\"kind\": \"box\", \"size\": [0.2, 0.15, 0.1]}, "
    "\"hull\": {\"kind\": \"hull\", \"points\": [[-0.1, -0.08, -0.08], [0.1, -0.08, -0.06], [0, 0.11, -0.07], "
    "[0.01, 0.02, 0.1]]}, \"pin\": {\"kind\": \"compound\", \"pieces\": [{\"kind\": \"box\", \"size\": "
    "[0.2, 0.06, 0.06]}, {\"kind\": \"box\", \"size\": [0.06, 0.06, 0.16], \"position\": [0.07, 0, 0.09]}]}}, "
    "\"walls\": [{\"kind\": \"room\", \"low\": [0, 0, 0], \"high\": [0.9, 0.9, 20]}], "
    "\"generators\": [{\"kind\": \"random\", \"region\": {\"box\": [0.1, 0.1, 0.1, 0.8, 0.8, 2.4]}, \"count\": 18, "
    "\"mix\": [{\"shape\": \"box\", \"weight\": 1}, {\"shape\": \"hull\", \"weight\": 1}, "
    "{\"shape\": \"pin\", \"weight\": 1}]}], \"bodies\": [{\"shape\": \"box\", \"position\": [0.45, 0.45, 9]}]",
};

void ts_test_soft_heap(ts_test_world *w, bool space, const char *dynamics)
{
    char text[4000];
    snprintf(text, sizeof text,
             "{\"touchstone\": 1, \"duration\": 100, \"seed\": 3, \"dynamics\": {\"kind\": \"soft-step\", "
             "\"friction\": %g%s}, %s}",
             TS_TEST_SOFT_FRICTION, dynamics, heap[space]);
    *w = (ts_test_world){0};
    OK(ts_scene_parse(text, strlen(text), "soft heap", NULL, &w->scene, ERROR));
    ts_test_compile(w);
}

double ts_test_motion(const ts_test_world *w)
{
    ts_measures m;
    OK(ts_measure(w->model, w->state, w->work, &m, ERROR));
    return m.kinetic + m.rotational;
}
