/* SPDX-License-Identifier: MIT */
/* Figures of runs in space for studies: files of the right size, found in the study's folder; what cannot be drawn
 * is said. */
#include "record/sample_space.h"

#include <sys/stat.h>
#include <unistd.h>

#include "record/draw.h"
#include "record/draw_sides.h"
#include "study/space_draw.h"

static const ts_space_panel panel[4] = {
    {"a", 0, "begin", NULL}, {"a", TS_NONE, "end", &ts_side_of[3]}, {NULL, 0, NULL, NULL}, {"b", 0.0006, NULL, NULL}};

static ts_status draw(ts_study *study, ts_error *error)
{
    ts_space_figure figure = {
        .file = "four", .title = "Four panels", .panel = panel, .columns = 2, .rows = 2, .width = 400};
    TS_TRY(ts_space_draw(study, &figure, error));
    figure.rows = 1;
    figure.file = "two";
    figure.width = 120;
    TS_TRY(ts_space_film(study, &figure, error));
    return ts_claim_at_least(study, 1, 1, "1", error, "drawn");
}

static ts_status draw_nowhere(ts_study *study, ts_error *error)
{
    const ts_space_panel lost[1] = {{"nowhere", 0, NULL, NULL}};
    ts_space_figure figure = {.file = "lost", .panel = lost, .columns = 1, .rows = 1};
    ts_error why;
    ts_status status = ts_space_draw(study, &figure, &why);
    TS_TRY(ts_claim(study, status != TS_OK && status != TS_UNSUPPORTED && strstr(why.message, "nowhere"), TS_NONE, NULL,
                    NULL, error, "a lost run is named"));
    figure.columns = 0;
    status = ts_space_draw(study, &figure, &why);
    return ts_claim(study, status == TS_BAD_INPUT, TS_NONE, NULL, NULL, error, "no panels");
}

static void record(const char *folder, int frames)
{
    char path[64];
    sample_space s;
    sample_space_make(&s);
    s.model.camera = (ts_camera){.view = 0}; /* automatic */
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/trajectory.tst", folder);
    sample_space_record(&s, path, frames);
    sample_space_free(&s);
}

static int run(ts_status (*body)(ts_study *study, ts_error *error))
{
    ts_study_entry entry = {"probe", "figures", "none", body};
    ts_study_options options = {.quiet = true, .out_dir = "figures", .threads = 1};
    return ts_study_run(&entry, &options);
}

static void figures_are_written(void **unused)
{
    (void)unused;
    size_t size;
    record("a", 3);
    record("b", 2);
    assert_int_equal(run(draw), 0);
    char *data = sample_read("figures/four.png", &size);
    const unsigned char *b = (const unsigned char *)data;
    assert_memory_equal(data + 1, "PNG", 3);
    assert_int_equal(b[18] << 8 | b[19], 400);
    int height = b[22] << 8 | b[23];
    assert_true(height > 250 && height < 1000 && height % 2 == 0);
    ts_free(data);
    if (system("ffmpeg -version >/dev/null 2>&1") == 0)
        assert_int_equal(access("figures/two.mp4", R_OK), 0);
}

static void what_cannot_be_drawn_is_said(void **unused)
{
    (void)unused;
    assert_int_equal(run(draw_nowhere), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_written),
        cmocka_unit_test(what_cannot_be_drawn_is_said),
    };
    ts_draw_options options = ts_default_draw_options();
    ts_canvas *canvas;
    if (ts_canvas_create(&options, &canvas, NULL) == TS_UNSUPPORTED)
        return 77;
    ts_canvas_free(canvas);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
