/* SPDX-License-Identifier: MIT */
/* Measures of recorded frames, and in a run's table: the same as of the state, and the same bytes after a resume. */
#include "record/sample.h"

#include <math.h>
#include <unistd.h>

#include "measure/columns.h"
#include "record/checkpoint.h"
#include "record/runfolder.h"
#include "record/snapshot.h"

enum { STEPS = 120 };

/* Names are unique, also among groups, and fit the table's line of names. */
static void columns_are_named_once(void **unused)
{
    (void)unused;
    size_t count = ts_measure_column_count(TS_MEASURE_ALL, 2);
    assert_true(count > 40 && count <= TS_MEASURE_COLUMNS_MAX);
    for (size_t i = 0; i < count; i++) {
        const char *name = ts_measure_column_name(TS_MEASURE_ALL, 2, i);
        assert_true(strlen(name) < 62);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(name, ts_measure_column_name(TS_MEASURE_ALL, 2, j));
        assert_true(ts_measure_column_group(TS_MEASURE_ALL, 2, i) < 15);
    }
    assert_null(ts_measure_column_name(TS_MEASURE_ALL, 2, count));
    assert_null(ts_measure_name(15));
    assert_string_equal(ts_measure_name(14), "overlap");
    assert_string_equal(ts_measure_name(12), "energy");
    assert_int_equal(ts_measure_column_group(TS_MEASURE_ENERGY, 2, 0), 12);
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
        assert_true(a->position[0] == b->position[0] && a->angle == b->angle && a->radius == b->radius &&
                    a->mass == b->mass);
        assert_true(fabs(a->volume - b->volume) <= 1e-14 * a->volume);
        assert_true(fabs(a->inertia[2][2] - b->inertia[2][2]) <= 1e-14 * a->inertia[2][2]);
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
    for (size_t i = 0; i < ts_measure_column_count(groups, 2); i++)
        if (!(isnan(u[i]) && isnan(v[i])) && !(fabs(u[i] - v[i]) <= 2e-4 * (fabs(u[i]) + 1e-3)))
            fail_msg("%s: %g of the state, %g of the frame", ts_measure_column_name(groups, 2, i), u[i], v[i]);
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
    size_t count = ts_measure_column_count(groups, 2), names = 1, cells = 1;
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

/* Everything that a run may measure, with options of its own. */
static sample make_measuring(void)
{
    sample s = sample_make((sample_options){0});
    s.model->settings.measures = TS_MEASURE_OF_RUN;
    s.model->settings.measuring = (ts_measuring){
        .region = {.x0 = -0.2, .y0 = 0.02, .x1 = 0.15, .y1 = 0.52},
        .line = {-1, 0.345, 1, 0.345},
        .bins = 3,
        .along_x = true,
        .rattlers = 3,
        .share = 0.2,
        .kinds = TS_KIND_SHAPE,
        .no_walls = true,
    };
    return s;
}

/* The numbers of a table's column, row by row; returns how many. */
static size_t read_column(const char *path, const char *name, double *value)
{
    size_t size, rows = 0, column = 0;
    char *table = sample_read(path, &size), *line = table, *found = strstr(table, name);
    assert_non_null(found);
    for (char *at = table; at <= found; at++) /* a name may be given with the comma before it */
        column += *at == ',';
    while ((line = strchr(line, '\n')) && line[1]) {
        line++;
        char *cell = line;
        for (size_t k = 0; k < column; k++)
            cell = strchr(cell, ',') + 1;
        value[rows++] = strtod(cell, NULL);
    }
    ts_free(table);
    return rows;
}

/* Rows stand every 4 steps. Stopped just at a row, between rows, before the first and at the end; killed after more
 * rows: the flow of the row after a resume is the one from the row before it. */
static void stopping_anywhere_leaves_the_same_flow(void **unused)
{
    (void)unused;
    const uint64_t stops[] = {0, 1, 3, 4, 5, 37, 58, 59, 60, 61, 119, STEPS};
    ts_recorder_options how = {.scene_text = "{}", .force = true};
    ts_recorder *recorder;
    sample s = make_measuring();
    must(ts_recorder_create("flow", s.model, &how, &recorder, e));
    run_to(recorder, &s, STEPS);
    ts_recorder_free(recorder);
    sample_free(&s);
    for (size_t k = 0; k < sizeof stops / sizeof *stops; k++) {
        s = make_measuring();
        must(ts_recorder_create("stopped", s.model, &how, &recorder, e));
        run_to(recorder, &s, stops[k]);
        must(ts_recorder_checkpoint(recorder, s.state, e));
        run_to(recorder, &s, stops[k] + 9 < STEPS ? stops[k] + 9 : STEPS);
        ts_recorder_free(recorder);
        sample_free(&s);
        s = make_measuring();
        must(ts_recorder_resume("stopped", s.model, s.state, &how, &recorder, e));
        assert_int_equal(ts_state_steps(s.state), stops[k]);
        run_to(recorder, &s, STEPS);
        ts_recorder_free(recorder);
        sample_free(&s);
        sample_assert_same_file("flow/energies.csv", "stopped/energies.csv");
    }
    /* grains do cross, and all of them together come out as the change of how many are above */
    double flow[64], sum = 0;
    size_t rows = read_column("flow/energies.csv", "flow_grains_per_s", flow);
    assert_int_equal(rows, 1 + STEPS / 4);
    assert_true(isnan(flow[0]));
    for (size_t i = 1; i < rows; i++)
        sum += flow[i] * 4e-4;
    s = make_measuring();
    double above = 0;
    for (int when = 0; when < 2; when++) {
        const ts_body *body = ts_state_bodies(s.state);
        for (size_t i = 0; i < ts_model_body_count(s.model); i++)
            above += body[i].inv_mass > 0 && body[i].y > 0.345 ? (when ? -1 : 1) : 0;
        must(ts_step(s.model, s.state, s.work, STEPS, e));
    }
    assert_true(above >= 1 && fabs(sum - above) < 1e-9);
    sample_free(&s);
}

/* The last row's columns are those of the same options on the snapshot. */
static void options_reach_the_table(void **unused)
{
    (void)unused;
    const ts_region region = {-0.2, 0.02, 0.15, 0.52, 0, 0};
    const double line[4] = {-1, 0.345, 1, 0.345};
    ts_measure_options same = {.region = &region,
                               .bins = 3,
                               .along_x = true,
                               .least = 3,
                               .line = line,
                               .share = 0.2,
                               .kind_by = TS_KIND_SHAPE,
                               .no_walls = true};
    sample s = make_measuring();
    ts_snapshot now = {0}, before = {0};
    double with[TS_MEASURE_COLUMNS_MAX], without[TS_MEASURE_COLUMNS_MAX], column[64];
    must(ts_step(s.model, s.state, s.work, STEPS - 4, e));
    must(ts_snapshot_take(s.model, s.state, s.work, &before, e));
    must(ts_step(s.model, s.state, s.work, 4, e));
    must(ts_snapshot_take(s.model, s.state, s.work, &now, e));
    must(ts_measure_row(&now, &before, &same, TS_MEASURE_OF_RUN, with, e));
    must(ts_measure_row(&now, &before, &(ts_measure_options){0}, TS_MEASURE_OF_RUN, without, e));
    size_t different = 0;
    for (size_t i = 0; i < ts_measure_column_count(TS_MEASURE_OF_RUN, 2); i++) {
        char name[80];
        snprintf(name, sizeof name, ",%s", ts_measure_column_name(TS_MEASURE_OF_RUN, 2, i));
        size_t rows = read_column("flow/energies.csv", name, column);
        double read = column[rows - 1];
        if (read != with[i] && !(isnan(read) && isnan(with[i])))
            fail_msg("%s: %g in the table, %g measured", name + 1, read, with[i]);
        different += with[i] != without[i] && !(isnan(with[i]) && isnan(without[i]));
    }
    assert_true(different > 20);
    ts_snapshot_free(&now);
    ts_snapshot_free(&before);
    sample_free(&s);
}

static void earlier_places_are_kept(void **unused)
{
    (void)unused;
    sample s = sample_make((sample_options){0});
    size_t count = ts_model_body_count(s.model), size;
    ts_snapshot_body place[16];
    for (size_t i = 0; i < count; i++)
        place[i] = (ts_snapshot_body){.position = {0.5 + (double)i, -(double)i, 0}, .present = i % 2 == 0};
    ts_checkpoint about = {.serial = 3, .before = {.time = 0.25, .body = place, .body_count = count}}, read;
    must(ts_checkpoint_write("past", s.model, s.state, &about, e));
    must(ts_checkpoint_read("past", s.model, s.state, &read, e));
    assert_true(read.before.time == 0.25);
    for (size_t i = 0; i < count; i++)
        assert_true(read.before.body[i].position[0] == place[i].position[0] &&
                    read.before.body[i].position[1] == place[i].position[1] &&
                    read.before.body[i].present == place[i].present);
    ts_snapshot_free(&read.before);
    must(ts_checkpoint_read("past", s.model, s.state, NULL, e));
    char *data = sample_read("past", &size);
    ts_error error;
    for (size_t cut = size - 24 * count; cut < size; cut += 8) {
        sample_write("past", data, cut);
        assert_int_equal(ts_checkpoint_read("past", s.model, s.state, &read, &error), TS_CORRUPT);
    }
    ts_free(data);
    sample_free(&s);
}

static ts_status parse(const char *measures, ts_settings *settings, ts_error *error)
{
    char text[600];
    ts_scene *scene = NULL;
    snprintf(text, sizeof text, "{\"touchstone\": 1, \"output\": {\"measures\": %s}}", measures);
    ts_status status = ts_scene_parse(text, strlen(text), "text", NULL, &scene, error);
    if (status == TS_OK)
        *settings = ts_scene_settings(scene);
    ts_scene_free(scene);
    return status;
}

static void refuses(const char *measures, const char *sentence)
{
    ts_error error = {0};
    ts_settings settings;
    assert_int_equal(parse(measures, &settings, &error), TS_BAD_INPUT);
    if (!strstr(error.message, sentence) || error.line != 1)
        fail_msg("%s: %s", measures, error.message);
}

static void scenes_say_how_to_measure(void **unused)
{
    (void)unused;
    ts_settings settings;
    must(parse("[\"packing\", \"front\"]", &settings, e));
    assert_int_equal(settings.measures, TS_MEASURE_PACKING | TS_MEASURE_FRONT);
    assert_null(ts_measure_options_of(&settings).region);
    must(
        parse("{\"what\": [\"flow\", \"stress\"], \"region\": [0, \"-5 mm\", 2, 3], \"line\": [\"1 cm\", 2, 3, 4],"
              " \"bins\": 7, \"along\": \"x\", \"rattlers\": 3, \"share\": 0.1, \"kinds\": \"size\", \"walls\": false}",
              &settings, e));
    assert_int_equal(settings.measures, TS_MEASURE_FLOW | TS_MEASURE_STRESS);
    ts_measure_options how = ts_measure_options_of(&settings);
    assert_true(how.region->x0 == 0 && how.region->y0 == -0.005 && how.region->x1 == 2 && how.region->y1 == 3);
    assert_true(how.line[0] == 0.01 && how.line[1] == 2 && how.line[2] == 3 && how.line[3] == 4);
    assert_true(how.bins == 7 && how.along_x && how.least == 3 && how.share == 0.1);
    assert_true(how.kind_by == TS_KIND_SIZE && how.no_walls);
    must(parse("{\"what\": [\"fabric\"]}", &settings, e));
    assert_false(ts_measure_options_of(&settings).no_walls);
    refuses("[\"flow\"]", "needs a line");
    refuses("{\"what\": [\"flow\"]}", "needs a line");
    refuses("{\"what\": [\"flow\"], \"line\": [1, 2, 1, 2]}", "has no length");
    refuses("{\"what\": [\"flow\"], \"line\": [1, 2, 1]}", "four lengths");
    refuses("{\"what\": [\"stress\"], \"region\": [1, 2, 1, 3]}", "region is empty");
    refuses("{\"what\": [\"stress\"], \"kinds\": \"colour\"}", "one of \"auto\"");
    refuses("{\"what\": [\"stress\"], \"along\": \"z\"}", "one of \"y\", \"x\"");
    refuses("{\"what\": [\"stress\"], \"share\": 1}", "between 0 and 1");
    refuses("{\"what\": [\"stress\"], \"rattlers\": 1000}", "up to 100");
    refuses("{\"what\": [\"stress\"], \"colour\": 1}", "colour");
    refuses("{\"what\": [\"energy\"]}", "already");
    refuses("{\"region\": [0, 0, 1, 1]}", "what");
    refuses("\"stress\"", "a list of names or an object");
    /* and from C */
    ts_scene *scene;
    ts_error error;
    must(ts_scene_create(&scene, e));
    settings = ts_default_settings();
    settings.measures = TS_MEASURE_FLOW;
    assert_int_equal(ts_scene_set(scene, &settings, &error), TS_BAD_INPUT);
    settings.measuring.line[2] = 1;
    must(ts_scene_set(scene, &settings, e));
    settings.measuring.region.x0 = 1;
    assert_int_equal(ts_scene_set(scene, &settings, &error), TS_BAD_INPUT);
    settings.measuring.region = (ts_region){0, 0, (double)NAN, 1, 0, 0};
    assert_int_equal(ts_scene_set(scene, &settings, &error), TS_BAD_INPUT);
    ts_scene_free(scene);
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
        cmocka_unit_test(columns_are_named_once),    cmocka_unit_test(a_frame_measures_as_its_state),
        cmocka_unit_test(the_table_has_the_columns), cmocka_unit_test(stopping_anywhere_leaves_the_same_flow),
        cmocka_unit_test(options_reach_the_table),   cmocka_unit_test(earlier_places_are_kept),
        cmocka_unit_test(scenes_say_how_to_measure), cmocka_unit_test(other_columns_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
