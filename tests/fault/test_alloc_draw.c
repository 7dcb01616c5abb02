/* SPDX-License-Identifier: MIT */
/* Drawing with the N-th allocation failing, for all N: an error that says so, nothing leaked, nothing left on the disk.
 * Cairo's own allocations are out of reach. */
#include "record/sample_space.h"

#include <dirent.h>

#include "record/render.h"
#include "record/video.h"
#include "support/heap.h"

static ts_trajectory *reader, *reader3; /* of the plane, of space */

static ts_render_options options_of(ts_render_kind kind, const char *path)
{
    ts_render_options options = ts_default_render_options();
    options.kind = kind;
    options.path = path;
    options.draw.width = 320;
    options.draw.height = 200;
    options.panel_count = 2;
    options.thread_count = 2;
    options.fps = 5;
    options.speed = 0.002;
    return options;
}

typedef ts_status attempt(ts_error *error);

static ts_status make_image(ts_error *error)
{
    ts_render_options options = options_of(TS_RENDER_IMAGE, "out.png");
    options.style = (ts_frame_style){.colour = TS_COLOUR_FORCE, .chains = true};
    options.draw.supersample = 2;
    return ts_render(reader, &options, NULL, error);
}

static ts_status make_sheet(ts_error *error)
{
    ts_render_options options = options_of(TS_RENDER_SHEET, "out.png");
    return ts_render(reader, &options, NULL, error);
}

static ts_status make_video(ts_error *error)
{
    ts_render_options options = options_of(TS_RENDER_VIDEO, "out.mp4");
    options.style.colour = TS_COLOUR_LAYER;
    return ts_render(reader, &options, NULL, error);
}

/* The same of space: small, since rays take their time. */
static ts_status make_space(ts_render_kind kind, const char *path, ts_error *error)
{
    ts_render_options options = options_of(kind, path);
    options.sides = kind == TS_RENDER_IMAGE;
    options.draw.width = kind == TS_RENDER_VIDEO ? 48 : 120;
    options.draw.height = kind == TS_RENDER_VIDEO ? 32 : 80;
    options.style.colour = TS_COLOUR_SPEED;
    options.style.contacts = kind == TS_RENDER_VIDEO ? TS_MARKS_NONE : TS_MARKS_FORCE;
    return ts_render(reader3, &options, NULL, error);
}

static ts_status make_image3(ts_error *error)
{
    return make_space(TS_RENDER_IMAGE, "out.png", error);
}

static ts_status make_sheet3(ts_error *error)
{
    return make_space(TS_RENDER_SHEET, "out.png", error);
}

static ts_status make_video3(ts_error *error)
{
    return make_space(TS_RENDER_VIDEO, "out.mp4", error);
}

static int count_output(void)
{
    int count = 0;
    DIR *folder = opendir(".");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        count += strncmp(entry->d_name, "out.", 4) == 0;
    closedir(folder);
    return count;
}

static void survives(attempt *try, const char *output)
{
    ts_error error;
    /* once in full: fonts are found, and the reader has its buffers */
    must(try(e));
    long before = ts_test_heap_live();
    bool done = false;
    for (long n = 1; !done; n++) {
        assert_true(n < 2000);
        remove(output);
        error.message[0] = 0;
        ts_test_heap_fail_at(n);
        ts_status status = try(&error);
        done = ts_test_heap_calls() < n; /* it never came to the n-th */
        ts_test_heap_fail_at(0);
        /* the last allocation of all serves to sync the folder: then the file is whole, and may be there */
        bool in_place = strstr(error.message, "cannot write out.") != NULL;
        if (status != TS_OK && status != TS_OUT_OF_MEMORY)
            fail_msg("allocation %ld: %s: %s", n, ts_status_name(status), error.message);
        if (status != TS_OK && !in_place) {
            assert_true(error.message[0] != 0);
            assert_int_equal(count_output(), 0);
        }
        if (ts_test_heap_live() != before)
            fail_msg("allocation %ld: %ld blocks leaked", n, ts_test_heap_live() - before);
        assert_true(status == TS_OK || !done);
    }
    remove(output);
}

static void images(void **unused)
{
    (void)unused;
    survives(make_image, "out.png");
    survives(make_image3, "out.png");
}

static void sheets(void **unused)
{
    (void)unused;
    survives(make_sheet, "out.png");
    survives(make_sheet3, "out.png");
}

static void videos(void **unused)
{
    (void)unused;
    if (system("ffmpeg -version >/dev/null 2>&1") != 0)
        skip();
    survives(make_video, "out.mp4");
    survives(make_video3, "out.mp4");
}

static void record_trajectory(void)
{
    sample s = sample_make((sample_options){0});
    ts_trajectory_writer *writer;
    must(ts_trajectory_create("draw.tst", s.model, "A sample", &writer, e));
    for (int i = 0; i < 3; i++) {
        const ts_contact *contact;
        size_t count;
        must(ts_find_contacts(s.model, s.state, s.work, &contact, &count, e));
        must(ts_trajectory_append(writer, s.state, contact, count, e));
        must(ts_step(s.model, s.state, s.work, 10, e));
    }
    ts_trajectory_writer_free(writer);
    sample_free(&s);
    must(ts_trajectory_open("draw.tst", &reader, e));

    sample_space space;
    sample_space_make(&space);
    space.model.camera = (ts_camera){.view = 0}; /* automatic */
    sample_space_record(&space, "draw3.tst", 3);
    sample_space_free(&space);
    must(ts_trajectory_open("draw3.tst", &reader3, e));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images),
        cmocka_unit_test(sheets),
        cmocka_unit_test(videos),
    };
    ts_draw_options options = ts_default_draw_options();
    ts_canvas *canvas;
    if (ts_canvas_create(&options, &canvas, NULL) == TS_UNSUPPORTED)
        return 77;
    ts_canvas_free(canvas);
    record_trajectory();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ts_trajectory_close(reader);
    ts_trajectory_close(reader3);
    return failed;
}
