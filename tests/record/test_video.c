/* SPDX-License-Identifier: MIT */
/* Videos: what ffprobe says of them, and every way in which ffmpeg can let us down. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "record/video.h"
#include "support/check.h"
#include "support/files.h"

#define SIDE_X 128
#define SIDE_Y 64

/* The output of a command, without the end of its last line; free with ts_free. */
static char *output_of(const char *command)
{
    FILE *stream = popen(command, "r");
    assert_non_null(stream);
    char *text = ts_alloc(1 << 16, 1);
    size_t length = fread(text, 1, (1 << 16) - 1, stream);
    assert_int_equal(pclose(stream), 0);
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = 0;
    return text;
}

static void says(const char *command, const char *text)
{
    char *output = output_of(command);
    assert_string_equal(output, text);
    ts_free(output);
}

/* A frame of one colour. */
static const void *frame_of(uint32_t colour)
{
    static uint32_t pixel[SIDE_X * SIDE_Y];
    for (int i = 0; i < SIDE_X * SIDE_Y; i++)
        pixel[i] = colour;
    return pixel;
}

/* ---- Good videos ---- */

static void a_video_has_all_its_frames(void **unused)
{
    (void)unused;
    ts_video *video;
    unlink("whole.mp4");
    OK(ts_video_open("whole.mp4", SIDE_X, SIDE_Y, 25, &video, ERROR));
    for (int k = 0; k < 37; k++)
        OK(ts_video_frame(video, frame_of(0x101010u * (uint32_t)(k % 16)), ERROR));
    assert_int_equal(access("whole.mp4", F_OK), -1); /* not before it is whole */
    OK(ts_video_close(video, ERROR));
    assert_int_equal(ts_test_count_files(".tmp"), 0);
    says("ffprobe -v error -count_frames -select_streams v:0 -show_entries "
         "stream=codec_name,width,height,pix_fmt,color_space,r_frame_rate,nb_read_frames -of default=nw=1 whole.mp4",
         "codec_name=h264\nwidth=128\nheight=64\npix_fmt=yuv420p\ncolor_space=bt709\nr_frame_rate=25/"
         "1\nnb_read_frames=37");
    /* the index stands in front of the pictures, so that a browser can begin before it has all */
    char *data;
    size_t size, moov = 0, mdat = 0;
    OK(ts_file_read("whole.mp4", 1 << 24, &data, &size, ERROR));
    for (size_t i = 4; i + 4 < size; i++) {
        if (!moov && memcmp(data + i, "moov", 4) == 0)
            moov = i;
        if (!mdat && memcmp(data + i, "mdat", 4) == 0)
            mdat = i;
    }
    assert_true(moov > 0 && mdat > moov);
    ts_free(data);
}

/* Decoded by the standard that the file names, colours come out as they went in. */
static void colours_survive(void **unused)
{
    (void)unused;
    static const uint32_t colour[] = {0xFBFAF7, 0x3674C6, 0xE2982C, 0x8E1515};
    for (int k = 0; k < 4; k++) {
        ts_video *video;
        OK(ts_video_open("-colour: odd name.mp4", SIDE_X, SIDE_Y, 29.97, &video, ERROR)); /* replaces the one before */
        for (int i = 0; i < 5; i++)
            OK(ts_video_frame(video, frame_of(colour[k]), ERROR));
        OK(ts_video_close(video, ERROR));
        says("ffmpeg -v error -y -i 'file:-colour: odd name.mp4' -frames:v 1 -f rawvideo -pix_fmt rgb24 first.rgb", "");
        char *data;
        size_t size;
        OK(ts_file_read("first.rgb", 1 << 20, &data, &size, ERROR));
        assert_int_equal(size, SIDE_X * SIDE_Y * 3);
        const unsigned char *middle = (const unsigned char *)data + (SIDE_Y / 2 * SIDE_X + SIDE_X / 2) * 3;
        for (int channel = 0; channel < 3; channel++)
            NEAR(middle[channel], colour[k] >> (16 - 8 * channel) & 255, 5);
        ts_free(data);
    }
}

static void giving_up_leaves_nothing(void **unused)
{
    (void)unused;
    ts_video *video;
    ts_error error;
    OK(ts_video_open("given-up.mp4", SIDE_X, SIDE_Y, 25, &video, ERROR));
    OK(ts_video_frame(video, frame_of(0), ERROR));
    ts_video_abort(video);
    OK(ts_video_open("given-up.mp4", SIDE_X, SIDE_Y, 25, &video, ERROR));
    assert_int_equal(ts_video_close(video, &error), TS_BAD_INPUT); /* not a single frame */
    ts_video_abort(NULL);
    assert_int_equal(ts_test_count_files("given-up"), 0);
}

/* ---- Wrong wishes ---- */

static void wrong_wishes_are_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *path;
        int width, height;
        double fps;
        ts_status status;
        const char *says;
    } wrong[] = {
        {"odd.mp4", 127, 64, 25, TS_BAD_INPUT, "even"},
        {"odd.mp4", 128, 63, 25, TS_BAD_INPUT, "even"},
        {"odd.mp4", 0, 64, 25, TS_BAD_INPUT, "even"},
        {"odd.mp4", 128, 64, 0, TS_BAD_INPUT, "frames a second"},
        {"odd.mp4", 128, 64, -1, TS_BAD_INPUT, "frames"},
        {"odd.mp4", 128, 64, 1e9, TS_BAD_INPUT, "frames"},
        {"odd.gif", 128, 64, 25, TS_BAD_INPUT, ".mp4"},
        {"mp4", 128, 64, 25, TS_BAD_INPUT, ".mp4"},
        {"no/such/folder.mp4", 128, 64, 25, TS_IO, "no/such/folder.mp4"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ts_video *video = NULL;
        ts_error error;
        assert_int_equal(ts_video_open(wrong[i].path, wrong[i].width, wrong[i].height, wrong[i].fps, &video, &error),
                         wrong[i].status);
        if (!strstr(error.message, wrong[i].says))
            fail_msg("expected \"%s\" in: %s", wrong[i].says, error.message);
        assert_null(video);
    }
    assert_int_equal(ts_test_count_files("odd."), 0);
}

/* ---- An ffmpeg that fails ---- */

/* Runs with a PATH of its own, on which `script`, if any, is ffmpeg. */
static char *with_path(const char *script)
{
    char *before = ts_copy_text(getenv("PATH"));
    mkdir("bin", 0777);
    unlink("bin/ffmpeg");
    if (script) {
        FILE *file = fopen("bin/ffmpeg", "w");
        assert_non_null(file);
        fprintf(file, "#!/bin/sh\n%s\n", script);
        fclose(file);
        chmod("bin/ffmpeg", 0755);
    }
    char folder[4000], path[4096];
    assert_non_null(getcwd(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/bin", folder);
    setenv("PATH", path, 1);
    return before;
}

static void restore_path(char *before)
{
    setenv("PATH", before, 1);
    ts_free(before);
    unlink("bin/ffmpeg");
    rmdir("bin");
}

static void a_missing_ffmpeg_is_named(void **unused)
{
    (void)unused;
    char *before = with_path(NULL);
    for (int k = 0; k < 2; k++) {
        ts_video *video = NULL;
        ts_error error;
        assert_int_equal(ts_video_open("missing.mp4", SIDE_X, SIDE_Y, 25, &video, &error), TS_UNSUPPORTED);
        assert_non_null(strstr(error.message, "install the package ffmpeg"));
        assert_null(video);
        setenv("PATH", "", 1);
    }
    restore_path(before);
    assert_int_equal(ts_test_count_files("missing"), 0);
}

/* Feeds frames until it fails, or closes; returns the message. SIGPIPE at its default would end this test. */
static void feed(const char *script, ts_status wanted, ts_error *error)
{
    assert_true(signal(SIGPIPE, SIG_DFL) != SIG_ERR);
    char *before = with_path(script);
    ts_video *video;
    OK(ts_video_open("failed.mp4", SIDE_X, SIDE_Y, 25, &video, ERROR));
    ts_status status = TS_OK;
    for (int k = 0; k < 200 && status == TS_OK; k++)
        status = ts_video_frame(video, frame_of(0), error);
    if (status != TS_OK) {
        ts_error again;
        assert_int_equal(ts_video_frame(video, frame_of(0), &again), TS_IO); /* fails again, and does not crash */
        ts_video_abort(video);
    } else {
        status = ts_video_close(video, error);
    }
    restore_path(before);
    assert_int_equal(status, wanted);
    assert_int_equal(ts_test_count_files("failed"), 0);
}

static void an_ffmpeg_that_fails_is_quoted(void **unused)
{
    (void)unused;
    ts_error error;
    feed("echo 'Unknown encoder libx264' >&2; exit 3", TS_IO, &error);
    assert_non_null(strstr(error.message, "exit code 3"));
    assert_non_null(strstr(error.message, "Unknown encoder libx264"));
    /* one that reads everything and fails only then */
    feed("/bin/cat >/dev/null; echo too late >&2; exit 1", TS_IO, &error);
    assert_non_null(strstr(error.message, "exit code 1"));
    assert_non_null(strstr(error.message, "too late"));
    /* one that says more than fits, in lines: the end of it counts */
    feed("i=0; while [ $i -lt 2000 ]; do echo line $i >&2; i=$((i + 1)); done; exit 7", TS_IO, &error);
    assert_non_null(strstr(error.message, "exit code 7"));
    assert_non_null(strstr(error.message, "line 1999"));
    assert_null(strchr(error.message, '\n'));
}

/* As on a full disk, where ffmpeg ends with 0. */
static void a_video_in_part_is_noticed(void **unused)
{
    (void)unused;
    ts_error error;
    static const char *const left[] = {
        ":",                                                      /* nothing */
        "printf '\\0\\0\\0\\20ftyp12345678'",                     /* no index */
        "printf '\\0\\0\\0\\20moov1234567'",                      /* one byte is missing */
        "printf '\\0\\0\\0\\10moov\\0\\0\\0\\1mdat\\0\\0\\0\\0'", /* a long size is cut off */
        "printf '\\0\\0\\0\\10moov\\0\\0\\0\\0mdat'",             /* a size that was never filled in */
        "printf '\\0\\0\\0\\10moov\\0\\0\\0'",                    /* a head is cut off */
    };
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        char script[256];
        snprintf(script, sizeof script, "/bin/cat >/dev/null; for last; do :; done; %s >\"${last#file:}\"", left[i]);
        feed(script, TS_IO, &error);
        assert_non_null(strstr(error.message, "cannot write failed.mp4"));
        assert_non_null(strstr(error.message, "is the disk full?"));
    }
}

static void an_ffmpeg_that_is_killed_is_noticed(void **unused)
{
    (void)unused;
    ts_error error;
    feed("kill -9 $$", TS_IO, &error);
    assert_non_null(strstr(error.message, "signal 9"));
}

int main(void)
{
    const struct CMUnitTest with_ffmpeg[] = {
        cmocka_unit_test(a_video_has_all_its_frames),
        cmocka_unit_test(colours_survive),
        cmocka_unit_test(giving_up_leaves_nothing),
    };
    const struct CMUnitTest without[] = {
        cmocka_unit_test(wrong_wishes_are_refused),
        cmocka_unit_test(a_missing_ffmpeg_is_named),
        cmocka_unit_test(an_ffmpeg_that_fails_is_quoted),
        cmocka_unit_test(a_video_in_part_is_noticed),
        cmocka_unit_test(an_ffmpeg_that_is_killed_is_noticed),
    };
    int failed = cmocka_run_group_tests(without, NULL, NULL);
    if (system("ffmpeg -version >/dev/null 2>&1 && ffprobe -version >/dev/null 2>&1") != 0) {
        printf("ffmpeg is not installed: the other tests were skipped\n");
        return failed ? failed : 77;
    }
    return failed + cmocka_run_group_tests(with_ffmpeg, NULL, NULL);
}
