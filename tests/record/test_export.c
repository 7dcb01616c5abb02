/* SPDX-License-Identifier: MIT */
/* Exports for other programs, read back by those programs, or by parsers that share no code with the writers
 * (check_*.py beside this file), and compared with the CSV of the same run. What is not installed is left out with a
 * message. */
#include <stdbool.h>

#include "fuzz/record_scene.h"
#include "record/sample.h"

#include <math.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "record/export.h"

/* Discs and clusters, a gate, a driven wall, contacts. */
static ts_trajectory *open_discs(const char *path, int frames)
{
    sample s = sample_make((sample_options){0});
    ts_trajectory_writer *writer;
    must(ts_trajectory_create(path, s.model, "a < \"b\" & c", &writer, e));
    for (int i = 0; i < frames; i++) {
        const ts_contact *contact;
        size_t count;
        must(ts_find_contacts(s.model, s.state, s.work, &contact, &count, e));
        must(ts_trajectory_append(writer, s.state, contact, count, e));
        must(ts_step(s.model, s.state, s.work, 10, e));
    }
    ts_trajectory_writer_free(writer);
    sample_free(&s);
    ts_trajectory *reader;
    must(ts_trajectory_open(path, &reader, e));
    return reader;
}

/* Outlines with holes, arcs and two pieces, moved by hand; one turns by more than π between frames. */
static ts_trajectory *open_outlines(const char *path, int frames)
{
    ts_model *model = record_outlines();
    ts_state *state;
    ts_trajectory_writer *writer;
    must(ts_state_create(model, &state, e));
    must(ts_trajectory_create(path, model, "outlines", &writer, e));
    for (int i = 0; i < frames; i++) {
        for (int k = 0; k < 3; k++) {
            state->body[k].x = 10 * k + 0.3 * i;
            state->body[k].y = 0.1 * i * k;
            state->body[k].angle = k == 1 ? 4.5 * i : 0.4 * i - 1;
            state->body[k].vx = 0.1 * k;
            state->body[k].spin = -0.5 * k;
        }
        must(ts_trajectory_append(writer, state, NULL, 0, e));
        state->step++;
    }
    ts_trajectory_writer_free(writer);
    ts_state_free(state);
    ts_model_free(model);
    ts_trajectory *reader;
    must(ts_trajectory_open(path, &reader, e));
    return reader;
}

static void write_table(ts_trajectory *reader, const char *path, uint64_t first, uint64_t count)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    ts_export_options options = {.quantity = "bodies", .first = first, .count = count};
    must(ts_export_csv(reader, &options, stream, NULL, NULL, e));
    assert_int_equal(fclose(stream), 0);
}

/* Runs tests/record/check_<what>.py on a table and a file. */
static void check(const char *what, const char *table, const char *file, const double *area, size_t shapes)
{
    char command[4096];
    const char *source = getenv("SOURCE_DIR");
    int n = snprintf(command, sizeof command, "/usr/bin/python3 -B '%s/tests/record/check_%s.py' %s %s",
                     source ? source : ".", what, table, file);
    for (size_t i = 0; i < shapes; i++)
        n += snprintf(command + n, sizeof command - (size_t)n, " %.17g", area[i]);
    fflush(NULL);
    int code = system(command);
    assert_true(WIFEXITED(code));
    if (WEXITSTATUS(code) != 0 && WEXITSTATUS(code) != 77)
        fail_msg("%s", command);
}

static void export_and_check(ts_trajectory *reader, const double *area, size_t shapes)
{
    static const struct {
        ts_export_format format;
        const char *file, *check;
        bool points;
    } way[] = {
        {TS_EXPORT_VTK, "run.pvd", "vtk", false},           {TS_EXPORT_VTK, "points.pvd", "vtk", true},
        {TS_EXPORT_LAMMPS, "run.lammpstrj", "dump", false}, {TS_EXPORT_GLB, "run.glb", "glb", false},
        {TS_EXPORT_USDA, "run.usda", "usda", false},        {TS_EXPORT_SVG, "run.svg", "svg", false},
    };
    write_table(reader, "all.csv", 0, 0);
    write_table(reader, "one.csv", 2, 1);
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
        bool one = way[i].format == TS_EXPORT_SVG;
        ts_export_job job = {.reader = reader,
                             .out = way[i].file,
                             .first = one ? 2 : 0,
                             .count = one ? 1 : 0,
                             .depth = -1,
                             .points = way[i].points};
        must(ts_export(way[i].format, &job, e));
        check(way[i].check, one ? "one.csv" : "all.csv", way[i].file, area, shapes);
    }
}

static void discs_are_read_back(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_discs("discs.tst", 6);
    const ts_trajectory_header *h = ts_trajectory_get_header(reader);
    double area[2] = {0}; /* of a cluster: disc by disc */
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < h->shape[i].disc_count; k++)
            area[i] += TS_PI * h->shape[i].disc[k].radius * h->shape[i].disc[k].radius;
    export_and_check(reader, area, 2);
    ts_trajectory_close(reader);
}

static void outlines_are_read_back(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_outlines("outlines.tst", 5);
    double area[3];
    for (size_t i = 0; i < 3; i++)
        area[i] = ts_trajectory_get_header(reader)->shape[i].area;
    assert_true(fabs(area[0] - TS_PI * (4 - 2.25)) < 1e-12);
    export_and_check(reader, area, 3);
    ts_trajectory_close(reader);
}

/* Our own reader of drawings, which knows nothing of the writer, finds the area of all grains: they do not overlap. */
static void drawings_are_shapes_again(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_outlines("drawing.tst", 3);
    const ts_trajectory_header *h = ts_trajectory_get_header(reader);
    ts_export_job job = {.reader = reader, .out = "drawing.svg", .first = 2};
    must(ts_export(TS_EXPORT_SVG, &job, e));
    ts_outline *drawn;
    double unit, area = 0;
    ts_error error;
    for (size_t i = 0; i < h->body_count; i++)
        area += h->body[i].scale * h->body[i].scale * h->shape[h->body[i].shape].area;
    ts_status status = ts_outline_read_svg("drawing.svg", &(ts_outline_options){.id = "bodies"}, &drawn, &unit, &error);
    ts_trajectory_close(reader);
    if (status == TS_UNSUPPORTED) {
        print_message("not read back: %s\n", error.message);
        skip();
    }
    if (status != TS_OK)
        fail_msg("%s", error.message);
    assert_true(fabs(unit - 1e-3) < 1e-9);
    double read = ts_outline_get_mass(drawn).area * unit * unit;
    if (!(fabs(read - area) < 1e-7 * area))
        fail_msg("the drawing's area is %.12g, not %.12g", read, area);
    ts_outline_free(drawn);
}

/* A still frame has no animation, and a flat grain one side. */
static void one_frame_of_flat_grains(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_outlines("flat.tst", 3);
    double area[3];
    for (size_t i = 0; i < 3; i++)
        area[i] = ts_trajectory_get_header(reader)->shape[i].area;
    write_table(reader, "flat.csv", 2, 1);
    ts_export_job job = {.reader = reader, .out = "flat.glb", .first = 2, .tolerance = 1e-3};
    must(ts_export(TS_EXPORT_GLB, &job, e));
    check("glb", "flat.csv", "flat.glb", area, 3);
    job.out = "flat.usda";
    must(ts_export(TS_EXPORT_USDA, &job, e));
    check("usda", "flat.csv", "flat.usda", area, 3);
    ts_trajectory_close(reader);
}

/* ---- Refusals and failures ---- */

static bool stop_at_second(void *context, uint64_t done, uint64_t total)
{
    (void)context;
    (void)total;
    return done < 2;
}

static void a_stopped_export_leaves_nothing(void **unused)
{
    (void)unused;
    static const struct {
        ts_export_format format;
        const char *out;
    } way[] = {{TS_EXPORT_VTK, "stop/run.pvd"},
               {TS_EXPORT_LAMMPS, "stop/run.lammpstrj"},
               {TS_EXPORT_GLB, "stop/run.glb"},
               {TS_EXPORT_USDA, "stop/run.usda"}};
    assert_int_equal(mkdir("stop", 0777), 0);
    ts_trajectory *reader = open_discs("stop.tst", 4);
    for (size_t i = 0; i < 4; i++) {
        ts_error error;
        ts_export_job job = {.reader = reader, .out = way[i].out, .progress = stop_at_second};
        assert_int_equal(ts_export(way[i].format, &job, &error), TS_INTERRUPTED);
        job.progress = NULL;
        job.out = "nowhere/run";
        assert_int_equal(ts_export(way[i].format, &job, &error), TS_IO);
        assert_non_null(strstr(error.message, "nowhere"));
    }
    ts_trajectory_close(reader);
    assert_int_equal(rmdir("stop"), 0); /* so it is empty */
}

static void what_cannot_be_is_refused(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_discs("refuse.tst", 3);
    ts_error error;
    ts_export_job job = {.reader = reader, .out = "refuse.svg"};
    assert_int_equal(ts_export(TS_EXPORT_SVG, &job, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "--frames -1"));
    job.first = 3;
    assert_int_equal(ts_export(TS_EXPORT_SVG, &job, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "there is no frame 3"));
    job.first = 0;
    job.tolerance = 1;
    assert_int_equal(ts_export(TS_EXPORT_GLB, &job, &error), TS_BAD_INPUT);
    job.tolerance = 0;
    if (access("/dev/full", W_OK) == 0) {
        job.out = "/dev/full";
        assert_int_equal(ts_export(TS_EXPORT_USDA, &job, &error), TS_IO);
        assert_int_equal(ts_export(TS_EXPORT_GLB, &job, &error), TS_BAD_INPUT); /* not a file that one can seek in */
    }
    ts_trajectory_close(reader);
}

static bool stop_at_first(void *context, uint64_t done, uint64_t total)
{
    (void)context;
    (void)done;
    (void)total;
    return false;
}

/* A folder with an export; another run, stopped or failing over it, changes no byte of it and adds none. */
static void an_older_export_stays_whole(void **unused)
{
    (void)unused;
    static const struct {
        ts_export_format format;
        const char *out, *block, *block_copy; /* a folder in the place of a file that comes late */
    } way[] = {{TS_EXPORT_VTK, "old/run.pvd", "old/run/run_0003.vtp", "copy/run/run_0003.vtp"},
               {TS_EXPORT_VTK, "old/run.pvd", "old/run/run_walls_0003.vtp", "copy/run/run_walls_0003.vtp"},
               {TS_EXPORT_LAMMPS, "old/run.lammpstrj", "old/run_type3.obj", "copy/run_type3.obj"},
               {TS_EXPORT_GLB, "old/run.glb", NULL, NULL},
               {TS_EXPORT_USDA, "old/run.usda", NULL, NULL},
               {TS_EXPORT_SVG, "old/run.svg", NULL, NULL}};
    ts_trajectory *before = open_discs("older.tst", 3), *after = open_outlines("newer.tst", 5);
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
        bool one = way[i].format == TS_EXPORT_SVG;
        ts_error error;
        ts_export_job job = {.reader = before, .out = way[i].out, .count = one};
        assert_int_equal(system("rm -rf old copy && mkdir old"), 0);
        must(ts_export(way[i].format, &job, e));
        assert_int_equal(system("cp -r old copy"), 0);
        job.reader = after;
        job.progress = one ? stop_at_first : stop_at_second;
        assert_int_equal(ts_export(way[i].format, &job, &error), TS_INTERRUPTED);
        assert_int_equal(system("diff -r old copy"), 0);
        job.progress = NULL;
        if (way[i].block) {
            assert_int_equal(mkdir(way[i].block, 0777), 0);
            assert_int_equal(mkdir("copy/block", 0777), 0);
            assert_int_equal(rename("copy/block", way[i].block_copy), 0);
            assert_int_equal(ts_export(way[i].format, &job, &error), TS_IO);
            assert_int_equal(system("diff -r old copy"), 0);
            assert_int_equal(rmdir(way[i].block), 0);
        }
        must(ts_export(way[i].format, &job, e)); /* and a whole one replaces it */
        assert_true(system("diff -r old copy > diff.txt") != 0);
    }
    ts_trajectory_close(before);
    ts_trajectory_close(after);
}

/* A file's text, to be freed. */
static void read_text(const char *path, char **data)
{
    size_t size;
    must(ts_file_read(path, 1 << 24, data, &size, e));
}

/* A scene of one body, which may be held away by a gate, over a floor. */
static ts_trajectory *open_one(const char *path, const ts_outline *outline, bool away, double x)
{
    ts_scene *scene;
    ts_model *model;
    ts_state *state;
    ts_trajectory_writer *writer;
    ts_trajectory *reader;
    must(ts_scene_create(&scene, e));
    if (outline)
        must(ts_scene_add_outline(scene, "flat", outline, NULL, e));
    else
        must(ts_scene_add_disc(scene, 0.5, NULL, e));
    ts_body_def body = ts_default_body();
    body.name = "one";
    body.shape = 0;
    body.fixed = away;
    must(ts_scene_add_body(scene, &body, NULL, e));
    ts_wall_def floor = ts_default_wall();
    floor.kind = TS_WALL_FLAT;
    floor.normal[0] = 0;
    floor.normal[1] = 1;
    floor.position[0] = 3;
    floor.position[1] = -2;
    must(ts_scene_add_wall(scene, &floor, NULL, e));
    ts_drive_def gate = ts_default_drive();
    gate.kind = TS_DRIVE_GATE;
    gate.target = "one";
    gate.start = 0; /* open from the begin: away */
    if (away)
        must(ts_scene_add_drive(scene, &gate, NULL, e));
    must(ts_model_compile(scene, &model, e));
    must(ts_state_create(model, &state, e));
    must(ts_trajectory_create(path, model, NULL, &writer, e));
    state->body[0].x = x;
    state->body[0].angle = x;
    must(ts_trajectory_append(writer, state, NULL, 0, e));
    ts_trajectory_writer_free(writer);
    ts_state_free(state);
    ts_model_free(model);
    ts_scene_free(scene);
    must(ts_trajectory_open(path, &reader, e));
    return reader;
}

/* Arcs of which only the digits of a bulge tell from lines: the drawing has the square's area, by its text. */
static void nearly_flat_arcs_are_drawn(void **unused)
{
    (void)unused;
    static const double bulge[] = {1e-5, 3e-10, 1e-10, 1e-14, 1e-17, -2e-10};
    for (size_t i = 0; i < sizeof bulge / sizeof *bulge; i++) {
        const ts_vertex corner[] = {{0, 0, bulge[i]}, {2, 0, bulge[i]}, {2, 2, bulge[i]}, {0, 2, bulge[i]}};
        ts_outline *square;
        must(ts_outline_create(&(ts_contour){corner, 4, false}, 1, TS_RULE_NONZERO, &square, e));
        ts_trajectory *reader = open_one("nearly.tst", square, false, 0);
        double area = ts_trajectory_get_header(reader)->shape[0].area;
        assert_true(fabs(area - 4) < 1e-4);
        ts_export_job job = {.reader = reader, .out = "nearly.svg"};
        must(ts_export(TS_EXPORT_SVG, &job, e));
        write_table(reader, "nearly.csv", 0, 1);
        check("svg", "nearly.csv", "nearly.svg", &area, 1);
        /* arcs of more than a square's digits stay arcs */
        char *text;
        read_text("nearly.svg", &text);
        char *path = strstr(text, "<path");
        assert_non_null(path);
        *strchr(path, '>') = 0;
        assert_int_equal(strchr(path, 'A') != NULL, fabs(bulge[i]) > 1e-15);
        ts_free(text);
        ts_trajectory_close(reader);
        ts_outline_free(square);
    }
}

/* With all bodies away, a floor is a point of the picture: it is still a picture, a metre wide, with the floor in
 * it. */
static void a_floor_alone_is_a_picture(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_one("alone.tst", NULL, true, 0);
    ts_frame frame;
    must(ts_trajectory_read(reader, 0, &frame, e));
    assert_false(frame.body[0].present);
    ts_export_job job = {.reader = reader, .out = "alone.svg"};
    must(ts_export(TS_EXPORT_SVG, &job, e));
    char *text;
    read_text("alone.svg", &text);
    double box[4];
    assert_int_equal(
        sscanf(strstr(text, "viewBox=\""), "viewBox=\"%lf %lf %lf %lf", &box[0], &box[1], &box[2], &box[3]), 4);
    assert_true(box[2] > 1000 && box[2] < 1200 && box[3] > 1000 && box[3] < 1200);
    assert_true(box[0] < 3000 && 3000 < box[0] + box[2] && box[1] < 2000 && 2000 < box[1] + box[3]);
    assert_non_null(strstr(text, "d=\"M"));
    assert_null(strstr(text, "stroke-width=\"0\""));
    ts_free(text);
    static const ts_export_format all[] = {TS_EXPORT_VTK, TS_EXPORT_LAMMPS, TS_EXPORT_GLB, TS_EXPORT_USDA};
    for (int i = 0; i < 4; i++) {
        job.out = all[i] == TS_EXPORT_VTK ? "alone.pvd" : "alone.out";
        must(ts_export(all[i], &job, e));
    }
    ts_trajectory_close(reader);
}

/* A body that flew off to where floats do not reach: a glb is still JSON, which has no infinity. */
static void what_is_not_finite_is_no_json(void **unused)
{
    (void)unused;
    static const double x[] = {1e39, 1e300, -1e300}; /* beyond what a float can hold */
    for (int i = 0; i < 3; i++) {
        ts_trajectory *reader = open_one("lost.tst", NULL, false, x[i]);
        ts_export_job job = {.reader = reader, .out = "lost.glb", .depth = -1};
        must(ts_export(TS_EXPORT_GLB, &job, e));
        char *text;
        read_text("lost.glb", &text); /* its JSON, which ends before the first zero byte */
        text[19] = ' ';
        const char *json = text + 20;
        assert_non_null(strstr(json, "\"translation\":[0,0,0],"));
        assert_null(strstr(json, "nan"));
        assert_null(strstr(json, "inf,"));
        assert_null(strstr(json, "inf]"));
        ts_free(text);
        ts_trajectory_close(reader);
    }
}

/* A glb ends at 4 GiB. The header is made to lie: such a run is refused by its numbers alone, before anything is
 * read. */
static void what_does_not_fit_is_refused(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_discs("huge.tst", 3);
    ts_trajectory_header *h = (ts_trajectory_header *)ts_trajectory_get_header(reader), before = *h;
    ts_error error;
    ts_export_job job = {.reader = reader, .out = "huge.glb"};
    h->wall_count = 0;
    /* 1000 bytes of JSON a body leave 295 MB for frames of 112 MB: two fit, so each second of three is taken */
    h->body_count = 4000000;
    assert_int_equal(ts_export(TS_EXPORT_GLB, &job, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "--frames ::2"));
    h->body_count = 5000000;
    assert_int_equal(ts_export(TS_EXPORT_GLB, &job, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "export them as vtk or usda"));
    *h = before;
    ts_trajectory_close(reader);
    assert_int_not_equal(access("huge.glb", F_OK), 0);
}

/* However many frames are turned around at once, the file is the same; so quaternions go on across chunks too. */
static void chunks_do_not_show(void **unused)
{
    (void)unused;
    ts_trajectory *reader[2] = {open_discs("chunks0.tst", 7), open_outlines("chunks1.tst", 7)};
    for (int i = 0; i < 2; i++) {
        ts_export_job job = {.reader = reader[i], .out = "whole.glb"};
        must(ts_export(TS_EXPORT_GLB, &job, e));
        job.out = "pieces.glb";
        for (job.chunk = 1; job.chunk < 2000; job.chunk += 300) { /* a frame takes some 100 to 300 bytes */
            must(ts_export(TS_EXPORT_GLB, &job, e));
            sample_assert_same_file("whole.glb", "pieces.glb");
        }
        ts_trajectory_close(reader[i]);
    }
}

static void names_tell_formats(void **unused)
{
    (void)unused;
    static const char *const name[] = {"a.csv", "a.pvd", "a.lammpstrj", "a.glb", "a.usda", "a.svg"};
    ts_export_format format;
    for (int i = 0; i < TS_EXPORT_FORMAT_COUNT; i++) {
        assert_true(ts_export_format_of(name[i], &format));
        assert_int_equal(format, i);
    }
    assert_false(ts_export_format_of("a.txt", &format));
    assert_false(ts_export_format_of(".glb", &format));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs_are_read_back),
        cmocka_unit_test(outlines_are_read_back),
        cmocka_unit_test(drawings_are_shapes_again),
        cmocka_unit_test(one_frame_of_flat_grains),
        cmocka_unit_test(a_stopped_export_leaves_nothing),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(names_tell_formats),
        cmocka_unit_test(chunks_do_not_show),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(an_older_export_stays_whole),
        cmocka_unit_test(nearly_flat_arcs_are_drawn),
        cmocka_unit_test(a_floor_alone_is_a_picture),
        cmocka_unit_test(what_is_not_finite_is_no_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
