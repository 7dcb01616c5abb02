/* SPDX-License-Identifier: MIT */
/* CSV export: each recorded quantity, as numbers that read back as the same bits. */
#include "record/sample.h"

#include <math.h>

#include "record/export_csv.h"

static ts_trajectory *open_sample(const char *path, sample_options options, int frames)
{
    sample s = sample_make(options);
    ts_trajectory_writer *writer;
    must(ts_trajectory_create(path, s.model, NULL, &writer, e));
    for (int i = 0; i < frames; i++) {
        const ts_contact *contact;
        size_t count;
        must(ts_find_contacts(s.model, s.state, s.work, &contact, &count, e));
        must(ts_trajectory_append(writer, s.state, contact, count, e));
        must(ts_step(s.model, s.state, s.work, 15, e));
    }
    ts_trajectory_writer_free(writer);
    sample_free(&s);
    ts_trajectory *reader;
    must(ts_trajectory_open(path, &reader, e));
    return reader;
}

/* The export as text; free with free. */
static char *export_text(ts_trajectory *reader, ts_export_options options)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    must(ts_export_csv(reader, &options, stream, NULL, NULL, e));
    fclose(stream);
    return text;
}

static size_t count_lines(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

static void bodies_read_back_as_the_same_bits(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_sample("bodies.tst", (sample_options){0}, 4);
    char *text =
        export_text(reader, (ts_export_options){.quantity = "bodies", .columns = "frame,body,x_m,vy_m_per_s,mass_kg"});
    char *line = text;
    assert_memory_equal(line, "frame,body,x_m,vy_m_per_s,mass_kg\n", 34);
    for (uint64_t k = 0; k < 4; k++) {
        ts_frame frame;
        must(ts_trajectory_read(reader, k, &frame, e));
        for (size_t i = 0; i < 7; i++) {
            line = strchr(line, '\n') + 1;
            char *end;
            assert_int_equal(strtoull(line, &end, 10), k);
            assert_int_equal(strtoull(end + 1, &end, 10), i);
            assert_true(strtod(end + 1, &end) == frame.body[i].pose.position.x);
            assert_true(strtof(end + 1, &end) == frame.body[i].velocity[1]);
            assert_true(strtod(end + 1, &end) == ts_trajectory_get_header(reader)->body[i].mass);
            assert_int_equal(*end, '\n');
        }
    }
    assert_int_equal(count_lines(text), 1 + 4 * 7);
    free(text);
    ts_trajectory_close(reader);
}

/* Each quantity: as many rows as there are things, and as many cells as there are names. */
static void every_quantity_is_whole(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_sample("all.tst", (sample_options){0}, 4);
    size_t contacts = 0;
    for (uint64_t k = 0; k < 4; k++) {
        ts_frame frame;
        must(ts_trajectory_read(reader, k, &frame, e));
        contacts += frame.contact_count;
    }
    assert_true(contacts > 0);
    /* four discs and three pairs */
    const struct {
        const char *quantity;
        size_t rows;
    } each[] = {{"frames", 4}, {"bodies", 28}, {"walls", 8}, {"contacts", contacts}, {"discs", 4 * (4 + 3 * 2)}};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        char *text = export_text(reader, (ts_export_options){.quantity = each[i].quantity});
        assert_int_equal(count_lines(text), 1 + each[i].rows);
        assert_non_null(strstr(ts_record_plane.quantities, each[i].quantity));
        char names[512];
        size_t length = ts_export_columns(each[i].quantity, &ts_record_plane, names, sizeof names);
        assert_int_equal(strlen(names), length);
        assert_memory_equal(text, names, length);
        assert_int_equal(text[length], '\n');
        size_t commas = 0;
        for (const char *c = names; *c; c++)
            commas += *c == ',';
        for (char *line = text; *line; line = strchr(line, '\n') + 1) {
            size_t found = 0;
            bool quoted = false;
            for (const char *c = line; *c != '\n'; c++) {
                quoted ^= *c == '"';
                found += *c == ',' && !quoted;
            }
            assert_int_equal(found, commas);
        }
        free(text);
    }
    char *text = export_text(reader, (ts_export_options){.quantity = "boundaries", .columns = "name,kind", .count = 1});
    assert_string_equal(text, "name,kind\nfloor,half-plane\n\"drum, \"\"large\"\"\",circle\n");
    free(text);
    ts_trajectory_close(reader);
}

static void frames_are_chosen(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_sample("chosen.tst", (sample_options){0}, 7);
    char *text =
        export_text(reader, (ts_export_options){.quantity = "frames", .columns = "step,frame", .first = 1, .every = 2});
    assert_string_equal(text, "step,frame\n15,1\n45,3\n75,5\n");
    free(text);
    text = export_text(reader, (ts_export_options){.quantity = "frames", .columns = "frame", .first = 5, .count = 100});
    assert_string_equal(text, "frame\n5\n6\n");
    free(text);
    ts_trajectory_close(reader);
}

static bool stop_after_two(void *context, uint64_t done, uint64_t total)
{
    *(uint64_t *)context = total;
    return done < 2;
}

static void wrong_wishes_are_refused(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_sample("wrong.tst", (sample_options){.no_contacts = true}, 3);
    const struct {
        ts_export_options options;
        const char *remedy;
    } wrong[] = {
        {{.quantity = "bodis"}, "bodies"},
        {{.quantity = NULL}, "contacts"},
        {{.quantity = "bodies", .columns = "x_n"}, "x_m"},
        {{.quantity = "bodies", .columns = "nothing like it"}, "angle_rad"},
        {{.quantity = "bodies", .columns = "x_m,,y_m"}, "choose from"},
        {{.quantity = "bodies", .first = 3}, "counted from 0"},
        {{.quantity = "contacts"}, "recorded no contacts"},
    };
    FILE *sink = fopen("/dev/null", "w");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ts_error error = {0};
        assert_int_equal(ts_export_csv(reader, &wrong[i].options, sink, NULL, NULL, &error), TS_BAD_INPUT);
        if (!strstr(error.message, wrong[i].remedy))
            fail_msg("expected \"%s\" in: %s", wrong[i].remedy, error.message);
    }
    assert_int_equal(ts_export_columns("nothing", &ts_record_plane, NULL, 0), 0);
    uint64_t total = 0;
    ts_export_options bodies = {.quantity = "bodies"};
    assert_int_equal(ts_export_csv(reader, &bodies, sink, stop_after_two, &total, NULL), TS_INTERRUPTED);
    assert_int_equal(total, 3);
    fclose(sink);
    FILE *full = fopen("/dev/full", "w");
    if (full) {
        assert_int_equal(ts_export_csv(reader, &bodies, full, NULL, NULL, NULL), TS_IO);
        fclose(full);
    }
    ts_trajectory_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_read_back_as_the_same_bits),
        cmocka_unit_test(every_quantity_is_whole),
        cmocka_unit_test(frames_are_chosen),
        cmocka_unit_test(wrong_wishes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
