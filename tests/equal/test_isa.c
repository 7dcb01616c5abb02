/* SPDX-License-Identifier: MIT */
/* A run gives the same bits with the kernels of every instruction set that this machine has. */
#include "support/check.h"

#include "advance.h"
#include "contact/analytic.h"
#include "contact/feature_lanes.h"
#include "dynamics/penalty.h"
#include "support/isa.h"
#include "support/scenes.h"

TS_TEST_TABLES(ts_analytic_kernels, ts_analytic);
TS_TEST_TABLES(ts_penalty_kernels, ts_penalty);
TS_TEST_TABLES(ts_advance_kernels, ts_advance);
TS_TEST_TABLES(ts_feature_kernels, ts_feature);

static void any_instruction_set(void **state)
{
    const ts_test_scene *scene = *state;
    ts_test_world w;
    ts_test_open_scene(&w, scene);
    ts_test_compile(&w);
    uint64_t first = 0;
    for (int isa = 0; isa < ts_test_isa_count(); isa++) {
        OK(ts_state_create(w.model, &w.state, ERROR));
        OK(ts_workspace_create(w.model, 1, &w.work, ERROR));
        w.work->analytic = ts_analytic_table[isa];
        if (w.model->dynamics == &ts_penalty_dynamics)
            ts_penalty_use(w.work, ts_penalty_table[isa]);
        w.work->advance = ts_advance_table[isa];
        w.work->feature = ts_feature_table[isa];
        ts_test_step(&w, scene->steps);
        if (isa == 0)
            first = ts_test_hash(w.state);
        else if (ts_test_hash(w.state) != first)
            fail_msg("%s: %s differs from baseline", scene->name, ts_cpu_level_name((ts_cpu)isa));
        ts_workspace_free(w.work);
        ts_state_free(w.state);
        w.work = NULL;
        w.state = NULL;
    }
    ts_test_close(&w);
}

int main(void)
{
    struct CMUnitTest tests[16];
    for (size_t i = 0; i < ts_test_scene_count; i++)
        tests[i] =
            (struct CMUnitTest){ts_test_scenes[i].name, any_instruction_set, NULL, NULL, (void *)&ts_test_scenes[i]};
    return _cmocka_run_group_tests("isa", tests, ts_test_scene_count, NULL, NULL);
}
