/* SPDX-License-Identifier: MIT */
/* Measures of recorded frames, and in a run's table: the same as of the state, and the same bytes after a resume. */
#include "record/sample.h"

#include <math.h>
#include <unistd.h>

#include "measure/columns.h"
#include "record/runfolder.h"
#include "record/snapshot.h"

enum { STEPS = 120 };

/* Names are unique, also among groups, and fit the table's line of names. */
static void columns_are_named_once(void **unused)
{
    (void)unused;
    size_t count = ts_measure_column_count(TS_MEASURE_ALL);
    assert_true(count > 40 && count <= TS_MEASURE_COLUMNS_MAX);
    for (size_t i = 0; i < count; i++) {
        const char *name = ts_measure_column_name(TS_MEASURE_ALL, i);
        assert_true(strlen(name) < 62);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(name, ts_measure_column_name(TS_MEASURE_ALL, j));
        assert_true(ts_measure_column_group(TS_MEASURE_ALL, i) < 13);
    }
    assert_null(ts_measure_column_name(TS_MEASURE_ALL, count));
    assert_null(ts_measure_name(13));
    assert_string_equal(ts_measure_name(12), "energy");
    assert_int_equal(ts_measure_column_group(TS_MEASURE_ENERGY, 0), 12);
}

/* Positions are recorded as doubles, velocities and forces as floats: values agree to a float's digits. */
static void a_frame_measures_as_its_state(void **unused)
{
    (void)unused;
    sample s = sample_make((sample_options){.frame_steps = 10});
    ts_trajectory_writer *writer;
    must(ts_trajectory_create("frame.tst", s.model, NULL, &writer, e));
    must(ts_step(s.model, s.state, s.work, 40, e));
    const ts_contact *contact;
    size_t count;
    must(ts_find_contacts(s.model, s.state, s.work, &contact, &count, e));
    assert_true(count > 0);
    must(ts_trajectory_append(writer, s.state, contact, count, e));
    ts_trajectory_writer_free(writer);

    ts_trajectory *reader;
    ts_frame frame;
    ts_snapshot live = {0}, read = {0};
    must(ts_trajectory_open("frame.tst", &reader, e));
    must(ts_trajectory_read(reader, 0, &frame, e));
    must(ts_snapshot_take(s.model, s.state, s.work, &live, e));
    must(ts_snapshot_of_frame(ts_trajectory_get_header(reader), &frame, &read, e));
    assert_int_equal(live.body_count, read.body_count);
    for (size_t i = 0; i < live.body_count; i++) {
        const ts_snapshot_body *a = &live.body[i], *b = &read.body[i];
        assert_true(a->x == b->x && a->angle == b->angle && a->radius == b->radius && a->mass == b->mass);
        assert_true(fabs(a->area - b->area) <= 1e-14 * a->area);
        assert_true(fabs(a->inertia - b->inertia) <= 1e-14 * a->inertia);
        assert_true(a->shape == b->shape && a->material == b->material);
        assert_true(a->fixed == b->fixed && a->present == b->present);
    }
    assert_true(live.elastic == read.elastic && live.elastic > 0 && live.work == read.work);
    assert_true(live.lost_normal == read.lost_normal && live.lost_normal > 0);
    assert_true(live.lost_tangential == read.lost_tangential && live.lost_friction == read.lost_friction);
    uint32_t groups = TS_MEASURE_OF_STATE | TS_MEASURE_ENERGY;
    double u[TS_MEASURE_COLUMNS_MAX], v[TS_MEASURE_COLUMNS_MAX];
    must(ts_measure_row(&live, NULL, &(ts_measure_options){0}, groups, u, e));
    must(ts_measure_row(&read, NULL, &(ts_measure_options){0}, groups, v, e));
    for (size_t i = 0; i < ts_measure_column_count(groups); i++)
        if (!(isnan(u[i]) && isnan(v[i])) && !(fabs(u[i] - v[i]) <= 2e-4 * (fabs(u[i]) + 1e-3)))
            fail_msg("%s: %g of the state, %g of the frame", ts_measure_column_name(groups, i), u[i], v[i]);
    ts_snapshot_free(&live);
    ts_snapshot_free(&read);
    ts_trajectory_close(reader);
    sample_free(&s);
}

static void run_to(ts_recorder *recorder, sample *s, uint64_t last)
{
    while (true) {
        must(ts_recorder_write(recorder, s->state, s->work, e));
        if (ts_state_steps(s->state) >= last)
            return;
        must(ts_step(s->model, s->state, s->work, 1, e));
    }
}

/* In pieces or at once: the same table. Its columns are the values of the snapshot. */
static void the_table_has_the_columns(void **unused)
{
    (void)unused;
    uint32_t groups = TS_MEASURE_PACKING | TS_MEASURE_STRESS | TS_MEASURE_CHAINS | TS_MEASURE_TEMPERATURE;
    ts_recorder_options how = {.scene_text = "{}", .force = true};
    ts_recorder *recorder;
    for (int pieces = 1; pieces <= 2; pieces++) {
        sample s = sample_make((sample_options){0});
        s.model->settings.measures = groups;
        must(ts_recorder_create(pieces == 1 ? "whole" : "pieces", s.model, &how, &recorder, e));
        run_to(recorder, &s, pieces == 1 ? STEPS : 57);
        must(ts_recorder_checkpoint(recorder, s.state, e));
        if (pieces == 2) { /* goes on a little, is killed, and resumed */
            run_to(recorder, &s, 80);
            ts_recorder_free(recorder);
            sample_free(&s);
            s = sample_make((sample_options){0});
            s.model->settings.measures = groups;
            must(ts_recorder_resume("pieces", s.model, s.state, &how, &recorder, e));
            assert_int_equal(ts_state_steps(s.state), 57);
            run_to(recorder, &s, STEPS);
        }
        ts_recorder_free(recorder);
        sample_free(&s);
    }
    sample_assert_same_file("whole/energies.csv", "pieces/energies.csv");

    size_t size;
    char *table = sample_read("whole/energies.csv", &size), *head_end = table + strcspn(table, "\n");
    sample s = sample_make((sample_options){0});
    ts_snapshot now = {0};
    double value[TS_MEASURE_COLUMNS_MAX];
    size_t count = ts_measure_column_count(groups), names = 1, cells = 1;
    for (char *at = table; at < head_end; at++)
        names += *at == ',';
    *head_end = 0;
    assert_non_null(strstr(table, ",contacts,packing_fraction,grain_area_m2,"));
    /* the last row: its last cells */
    char *line = head_end + 1;
    for (char *next; (next = strchr(line, '\n')) && next[1];)
        line = next + 1;
    for (char *at = line; *at; at++)
        cells += *at == ',';
    assert_int_equal(cells, names);
    must(ts_step(s.model, s.state, s.work, STEPS, e));
    must(ts_snapshot_take(s.model, s.state, s.work, &now, e));
    must(ts_measure_row(&now, NULL, &(ts_measure_options){0}, groups, value, e));
    for (size_t skip = cells - count; skip > 0; skip--)
        line = strchr(line, ',') + 1;
    for (size_t i = 0; i < count; i++) {
        char *end;
        double read = strtod(line, &end);
        assert_true(read == value[i] || (isnan(read) && isnan(value[i])));
        line = end + 1;
    }
    ts_free(table);
    ts_snapshot_free(&now);
    sample_free(&s);
}

/* A table with other columns than the scene asks for is not continued. */
static void other_columns_are_refused(void **unused)
{
    (void)unused;
    sample s = sample_make((sample_options){0});
    ts_recorder *recorder;
    ts_recorder_options how = {.scene_text = "{}", .force = true};
    ts_error error;
    must(ts_recorder_create("other", s.model, &how, &recorder, e));
    run_to(recorder, &s, 20);
    must(ts_recorder_checkpoint(recorder, s.state, e));
    ts_recorder_free(recorder);
    s.model->settings.measures = TS_MEASURE_PACKING;
    assert_int_equal(ts_recorder_resume("other", s.model, s.state, &how, &recorder, &error), TS_CORRUPT);
    assert_non_null(strstr(error.message, "energies.csv"));
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_named_once),
        cmocka_unit_test(a_frame_measures_as_its_state),
        cmocka_unit_test(the_table_has_the_columns),
        cmocka_unit_test(other_columns_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
