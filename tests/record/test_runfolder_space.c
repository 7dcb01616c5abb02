/* SPDX-License-Identifier: MIT */
/* A run of bodies in space through the recorder: one that is stopped and resumed leaves the bytes of one that is not,
 * and what the frames say of energies and momenta is what the table says. */
#include "record/sample.h"

#include <math.h>

#include "measure/columns.h"
#include "record/runfolder.h"
#include "record/snapshot.h"
#include "record/trajectory.h"
#include "scene/read.h"

static const char text[] =
    "{\"touchstone\": 1, \"space\": \"space\", \"gravity\": [0, 0, -9.81], \"duration\": 0.3, \"time_step\": 0.002,"
    "\"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 0.05},"
    " \"tee\": {\"kind\": \"compound\", \"pieces\": [{\"kind\": \"capsule\", \"radius\": 0.02, \"length\": 0.1},"
    "  {\"kind\": \"box\", \"size\": [0.1, 0.04, 0.04], \"position\": [0, 0, 0.06]}]},"
    " \"wedge\": {\"kind\": \"hull\", \"points\": [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]}},"
    "\"bodies\": [{\"shape\": \"ball\", \"position\": [0, 0, 0.06]}, {\"shape\": \"tee\", \"position\": [0.02, 0, "
    "0.25],"
    " \"spin\": [3, 0, 1]}, {\"shape\": \"wedge\", \"position\": [0.2, 0, 0.1], \"velocity\": [-1, 0, 0]},"
    " {\"name\": \"bob\", \"shape\": \"ball\", \"scale\": 0.5, \"position\": [-0.2, 0, 0.3]}],"
    "\"springs\": [{\"kind\": \"linear\", \"b\": \"bob\", \"anchor_a\": [-0.2, 0.1, 0.4], \"stiffness\": 50}],"
    "\"boundaries\": [{\"kind\": \"plane\", \"point\": [0, 0, 0], \"normal\": [0, 0, 1]}],"
    "\"dynamics\": {\"kind\": \"impact\", \"restitution\": 0.4, \"sweeps\": 200},"
    "\"output\": {\"frame_rate\": 100, \"contacts\": true}}";

static ts_model *make_model(void)
{
    ts_scene *scene;
    ts_model *model;
    must(ts_scene_parse(text, sizeof text - 1, "t.json", NULL, &scene, e));
    must(ts_model_compile(scene, &model, e));
    ts_scene_free(scene);
    return model;
}

/* Goes on up to `stop`, and writes a checkpoint there; finishes at the run's end. */
static void go(ts_model *model, ts_state *state, ts_recorder *recorder, uint64_t stop, ts_summary *summary)
{
    ts_workspace *work;
    uint64_t last = ts_run_last_step(model);
    must(ts_workspace_create(model, 1, &work, e));
    for (;;) {
        must(ts_recorder_write(recorder, state, work, e));
        uint64_t here = ts_state_steps(state), next = ts_recorder_next(recorder, here), end = stop < last ? stop : last;
        if (here >= end)
            break;
        must(ts_step(model, state, work, (next < end ? next : end) - here, e));
    }
    must(ts_recorder_checkpoint(recorder, state, e));
    if (stop >= last)
        must(ts_recorder_finish(recorder, state, work, &(ts_run_end){.outcome = "finished"}, summary, e));
    ts_workspace_free(work);
}

static void run(const char *folder, uint64_t stop, ts_summary *summary)
{
    ts_model *model = make_model();
    ts_state *state;
    ts_recorder *recorder;
    must(ts_state_create(model, &state, e));
    must(ts_recorder_create(folder, model, &(ts_recorder_options){.title = "t"}, &recorder, e));
    go(model, state, recorder, stop, summary);
    ts_recorder_free(recorder);
    if (stop != UINT64_MAX) {
        must(ts_recorder_resume(folder, model, state, &(ts_recorder_options){.title = "t"}, &recorder, e));
        assert_true(ts_state_steps(state) == stop);
        assert_string_equal(ts_recorder_note(recorder), "");
        go(model, state, recorder, UINT64_MAX, summary);
        ts_recorder_free(recorder);
    }
    ts_state_free(state);
    ts_model_free(model);
}

static void test_restart(void **nothing)
{
    (void)nothing;
    ts_summary straight, resumed;
    run("straight", UINT64_MAX, &straight);
    run("resumed", 73, &resumed); /* no step at which a frame is due */
    sample_assert_same_file("straight/trajectory.tst", "resumed/trajectory.tst");
    sample_assert_same_file("straight/energies.csv", "resumed/energies.csv");
    assert_true(straight.state_hash == resumed.state_hash && resumed.session_count == 2);
    assert_true(straight.kind == &ts_record_space && straight.body_count == 4 && straight.wall_count == 1 &&
                !straight.closed);
}

/* Frames against rows: velocities of a frame are floats, so seven digits of the largest. */
static void test_frames_agree_with_table(void **nothing)
{
    (void)nothing;
    static const char *const name[] = {
        "kinetic_J",     "rotational_J",           "gravitational_J",        "elastic_J",
        "momentum_z_Ns", "angular_momentum_x_Nms", "angular_momentum_z_Nms", "max_overlap_m",
        "contacts"};
    enum { NAMES = sizeof name / sizeof *name };
    ts_summary summary;
    ts_trajectory *reader;
    run("table", UINT64_MAX, &summary);
    must(ts_trajectory_open("table/trajectory.tst", &reader, e));
    FILE *file = fopen("table/energies.csv", "r");
    char line[4096];
    int place[NAMES];
    size_t touched = 0;
    ts_snapshot snapshot = {0};
    const uint32_t groups = TS_MEASURE_ENERGY | TS_MEASURE_VELOCITY | TS_MEASURE_OVERLAP;
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    for (int i = 0; i < NAMES; i++) { /* which column it is */
        const char *at = strstr(line, name[i]);
        assert_non_null(at);
        place[i] = 0;
        for (const char *c = line; c < at; c++)
            place[i] += *c == ',';
    }
    for (uint64_t k = 0; k < ts_trajectory_frame_count(reader); k++) {
        ts_frame frame;
        double value[TS_MEASURE_COLUMNS_MAX];
        assert_non_null(fgets(line, sizeof line, file));
        must(ts_trajectory_read(reader, k, &frame, e));
        must(ts_snapshot_of_frame(ts_trajectory_get_header(reader), &frame, &snapshot, e));
        must(ts_measure_row(&snapshot, NULL, &(ts_measure_options){0}, groups, value, e));
        touched += frame.contact_count;
        for (int i = 0; i < NAMES; i++) {
            char *at = line;
            for (int c = 0; c < place[i]; c++)
                at = strchr(at, ',') + 1;
            size_t column = 0;
            while (strcmp(ts_measure_column_name(groups, 3, column), name[i]) != 0)
                column++;
            double expected = strtod(at, NULL);
            if (!(fabs(value[column] - expected) <= 1e-6 * (1 + fabs(expected))))
                fail_msg("frame %d: %s is %.9g, the table says %.9g", (int)k, name[i], value[column], expected);
        }
    }
    assert_true(touched > 0);
    ts_snapshot_free(&snapshot);
    fclose(file);
    ts_trajectory_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_restart), cmocka_unit_test(test_frames_agree_with_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
