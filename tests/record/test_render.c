/* SPDX-License-Identifier: MIT */
/* From trajectories to pictures: what is shown, and when. */
#include "record/sample.h"

#include <math.h>
#include <unistd.h>

#include "record/render.h"
#include "support/files.h"

#define NONE ((double)NAN)

static void append(ts_trajectory_writer *writer, sample *s)
{
    const ts_contact *contact;
    size_t count;
    must(ts_find_contacts(s->model, s->state, s->work, &contact, &count, e));
    must(ts_trajectory_append(writer, s->state, contact, count, e));
}

static ts_trajectory *open_sample(const char *path, sample_options options, int frames)
{
    sample s = sample_make(options);
    ts_trajectory_writer *writer;
    must(ts_trajectory_create(path, s.model, "A sample", &writer, e));
    for (int i = 0; i < frames; i++) {
        append(writer, &s);
        must(ts_step(s.model, s.state, s.work, 10, e));
    }
    ts_trajectory_writer_free(writer);
    sample_free(&s);
    ts_trajectory *reader;
    must(ts_trajectory_open(path, &reader, e));
    return reader;
}

/* One disc of radius 0.1 m that flies to the right at 2 m/s: frames every 0.1 s from 0 to 0.5 s. */
static ts_trajectory *open_flight(const char *path)
{
    ts_scene *scene;
    sample s;
    int32_t disc;
    must(ts_scene_create(&scene, e));
    ts_settings settings = ts_default_settings();
    settings.gravity[1] = 0;
    settings.time_step = 0.0001;
    settings.duration = 0.5;
    settings.frame_interval = 0.1;
    must(ts_scene_set(scene, &settings, e));
    must(ts_scene_add_disc(scene, 0.1, &disc, e));
    ts_body_def body = ts_default_body();
    body.shape = disc;
    body.velocity[0] = 2;
    must(ts_scene_add_body(scene, &body, NULL, e));
    must(ts_model_compile(scene, &s.model, e));
    ts_scene_free(scene);
    must(ts_state_create(s.model, &s.state, e));
    must(ts_workspace_create(s.model, 1, &s.work, e));
    ts_trajectory_writer *writer;
    must(ts_trajectory_create(path, s.model, NULL, &writer, e));
    for (int i = 0; i <= 5; i++) {
        append(writer, &s);
        must(ts_step(s.model, s.state, s.work, 1000, e));
    }
    ts_trajectory_writer_free(writer);
    sample_free(&s);
    ts_trajectory *reader;
    must(ts_trajectory_open(path, &reader, e));
    return reader;
}

static ts_render_options small_image(const char *path)
{
    ts_render_options options = ts_default_render_options();
    options.path = path;
    options.draw.width = 400;
    options.draw.height = 240;
    options.thread_count = 1;
    return options;
}

static void assert_png(const char *path, int width, int height)
{
    size_t size;
    char *data = sample_read(path, &size);
    assert_true(size > 100);
    const unsigned char *b = (const unsigned char *)data;
    assert_memory_equal(data + 1, "PNG", 3);
    assert_int_equal(b[16] << 24 | b[17] << 16 | b[18] << 8 | b[19], width);
    assert_int_equal(b[20] << 24 | b[21] << 16 | b[22] << 8 | b[23], height);
    ts_free(data);
    unlink(path);
}

/* ---- What a painter shows ---- */

static void colours_are_the_recorded_quantities(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_sample("quantities.tst", (sample_options){0}, 30);
    const ts_trajectory_header *header = ts_trajectory_get_header(reader);
    for (int by = 0; by < TS_COLOUR_COUNT; by++) {
        ts_painter *painter;
        ts_frame_style style = {.colour = (ts_colour_by)by, .chains = by % 2 == 0};
        must(ts_painter_create(header, &style, &painter, e));
        size_t touching = 0;
        for (uint64_t k = 0; k < 30; k++) {
            const ts_picture *picture;
            const ts_picture_key *key;
            ts_frame frame;
            must(ts_trajectory_read(reader, k, &frame, e));
            must(ts_painter_picture(painter, &frame, &picture, &key, e));
            assert_int_equal(picture->body_count, header->body_count);
            for (size_t i = 0; i < header->body_count; i++) {
                const ts_picture_body *body = &picture->body[i];
                assert_true(body->x == frame.body[i].pose.position.x && body->y == frame.body[i].pose.position.y);
                assert_int_equal(body->hidden, !frame.body[i].present);
                assert_int_equal(body->fixed, header->body[i].fixed);
                double force = 0;
                for (size_t c = 0; c < frame.contact_count; c++) {
                    const ts_frame_contact *contact = &frame.contact[c];
                    if (contact->a == (int64_t)i || contact->b == (int64_t)i)
                        force += fabs((double)contact->force[0] * (double)contact->normal[0] +
                                      (double)contact->force[1] * (double)contact->normal[1]);
                }
                if (by == TS_COLOUR_SPEED)
                    assert_true(fabs(body->value - hypot((double)frame.body[i].velocity[0],
                                                         (double)frame.body[i].velocity[1])) < 1e-6);
                if (by == TS_COLOUR_FORCE)
                    assert_true(fabs(body->value - force) <= 1e-9 * force);
                if (by == TS_COLOUR_ANGLE)
                    assert_true(fabs(body->value) <= 180 &&
                                fabs(cos(body->value * TS_PI / 180) - cos(frame.body[i].angle)) < 1e-9);
                if (by == TS_COLOUR_SIZE)
                    assert_true(body->value == header->body[i].radius);
            }
            touching += frame.contact_count;
            size_t walls = 0;
            for (size_t i = 0; i < header->wall_count; i++)
                walls += frame.wall[i].present;
            assert_int_equal(picture->wall_count, walls);
            assert_true(style.chains || picture->line_count == 0);
        }
        assert_true(touching > 0);
        ts_painter_free(painter);
    }
    ts_trajectory_close(reader);
}

static void kinds_are_those_of_moving_bodies(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_sample("kinds.tst", (sample_options){0}, 1);
    ts_painter *painter;
    ts_frame_style style = {0};
    ts_frame frame;
    const ts_picture *picture;
    const ts_picture_key *key;
    must(ts_trajectory_read(reader, 0, &frame, e));
    must(ts_painter_create(ts_trajectory_get_header(reader), &style, &painter, e));
    must(ts_painter_picture(painter, &frame, &picture, &key, e));
    assert_int_equal(key->kind, TS_KEY_KINDS);
    assert_int_equal(key->name_count, 2);
    assert_string_equal(key->name[0], "disc of 0.1 m"); /* unnamed: 5 cm of radius */
    assert_string_equal(key->name[1], "peanut");
    assert_string_equal(picture->time_text, "t = 0 ms");
    for (size_t i = 1; i < picture->body_count; i++)
        assert_true(picture->body[i].value == (double)((i - 1) % 2));
    ts_painter_free(painter);
    style.colour = TS_COLOUR_MATERIAL;
    style.playback = 0.25;
    must(ts_painter_create(ts_trajectory_get_header(reader), &style, &painter, e));
    must(ts_painter_picture(painter, &frame, &picture, &key, e));
    assert_int_equal(key->name_count, 2);
    assert_string_equal(picture->note, "4.0\xC3\x97 slower");
    ts_painter_free(painter);
    ts_trajectory_close(reader);
}

static void names_of_colourings_are_read(void **unused)
{
    (void)unused;
    ts_colour_by by = TS_COLOUR_COUNT;
    ts_error error;
    static const char *const name[] = {"type", "speed", "force", "size", "angle", "material", "layer"};
    for (int i = 0; i < TS_COLOUR_COUNT; i++) {
        must(ts_colour_by_parse(name[i], &by, e));
        assert_int_equal(by, i);
    }
    assert_int_equal(ts_colour_by_parse("sped", &by, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "did you mean 'speed'"));
    assert_int_equal(ts_colour_by_parse("", &by, &error), TS_BAD_INPUT);
    assert_int_equal(by, TS_COLOUR_COUNT - 1);
}

/* ---- Files ---- */

static void every_colouring_makes_a_picture(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_sample("pictures.tst", (sample_options){0}, 12);
    for (int k = 0; k < 2 * TS_COLOUR_COUNT; k++) {
        ts_render_options options = small_image("picture.png");
        options.style.colour = (ts_colour_by)(k / 2);
        options.style.chains = k % 2;
        options.draw.theme = k % 2 ? TS_THEME_DARK : TS_THEME_LIGHT;
        options.draw.supersample = 1 + k % 3;
        must(ts_render(reader, &options, NULL, e));
        assert_png("picture.png", 400, 240);
    }
    ts_trajectory_close(reader);
}

static void frames_are_chosen_by_number_and_time(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_flight("flight.tst");
    static const struct {
        int64_t frame;
        double time, shown;
    } wish[] = {{-1, NONE, 0.5}, {0, NONE, 0},   {2, NONE, 0.2}, {-6, NONE, 0},
                {0, 0.24, 0.2},  {0, 0.26, 0.3}, {0, 99, 0.5},   {3, -9, 0}};
    for (size_t i = 0; i < sizeof wish / sizeof *wish; i++) {
        ts_render_options options = small_image("chosen.png");
        ts_render_result result;
        options.frame = wish[i].frame;
        options.time = wish[i].time;
        must(ts_render(reader, &options, &result, e));
        assert_true(fabs(result.from - wish[i].shown) < 1e-9);
        assert_png("chosen.png", 400, 240);
    }
    static const int64_t none[] = {6, -7, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < 4; i++) {
        ts_render_options options = small_image("none.png");
        ts_error error;
        options.frame = none[i];
        assert_int_equal(ts_render(reader, &options, NULL, &error), TS_BAD_INPUT);
        assert_non_null(strstr(error.message, "frames 0 to 5"));
    }
    assert_int_equal(ts_test_count_files("none.png"), 0);
    ts_trajectory_close(reader);
}

static void sheets_fit_their_view(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_flight("sheet.tst");
    ts_render_options options = small_image("sheet.png");
    ts_render_result result;
    options.kind = TS_RENDER_SHEET;
    options.draw.width = 800;
    options.draw.height = 0;
    must(ts_render(reader, &options, &result, e));
    assert_int_equal(result.frame_count, 6);
    assert_true(result.height > 100 && result.height < 1600);
    assert_png("sheet.png", 800, result.height);
    options.columns = 3;
    options.panel_count = 7; /* three rows, the last with one */
    options.from = 0.1;
    options.to = 0.4;
    must(ts_render(reader, &options, &result, e));
    assert_true(fabs(result.from - 0.1) < 1e-9 && fabs(result.to - 0.4) < 1e-9);
    assert_png("sheet.png", 800, result.height);
    options.panel_count = 0;
    assert_int_equal(ts_render(reader, &options, &result, NULL), TS_BAD_INPUT);
    options.panel_count = 100;
    options.columns = 0;
    options.draw.height = 64; /* a hundred panels do not fit into this */
    assert_int_equal(ts_render(reader, &options, &result, NULL), TS_BAD_INPUT);
    ts_trajectory_close(reader);
}

static bool stop_at_once(void *context, uint64_t done, uint64_t total)
{
    (void)total;
    ++*(int *)context;
    return done < 2;
}

static void wrong_wishes_are_refused(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_sample("wrong.tst", (sample_options){.no_contacts = true}, 3);
    ts_error error;
    ts_render_options options = small_image("wrong.png");
    options.style.chains = true;
    assert_int_equal(ts_render(reader, &options, NULL, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "no contacts"));
    options = small_image("");
    assert_int_equal(ts_render(reader, &options, NULL, NULL), TS_BAD_INPUT);
    options = small_image("wrong.png");
    options.view = (ts_box){1, 0, 0, 1};
    assert_int_equal(ts_render(reader, &options, NULL, NULL), TS_BAD_INPUT);
    options.view = (ts_box){0, 0, (double)INFINITY, 1};
    assert_int_equal(ts_render(reader, &options, NULL, NULL), TS_BAD_INPUT);
    options = small_image("wrong.png");
    options.from = 5;
    assert_int_equal(ts_render(reader, &options, NULL, &error), TS_BAD_INPUT);
    options = small_image("wrong.png");
    options.fps = (double)NAN;
    assert_int_equal(ts_render(reader, &options, NULL, NULL), TS_BAD_INPUT);
    options = small_image("wrong.png");
    options.style.high = -1;
    assert_int_equal(ts_render(reader, &options, NULL, NULL), TS_BAD_INPUT);
    options = small_image("no/such/wrong.png");
    assert_int_equal(ts_render(reader, &options, NULL, NULL), TS_IO);
    options = small_image("wrong.png");
    options.kind = TS_RENDER_VIDEO;
    assert_int_equal(ts_render(reader, &options, NULL, NULL), TS_BAD_INPUT); /* not .mp4 */
    options.kind = TS_RENDER_SHEET;
    int calls = 0;
    options.progress = stop_at_once;
    options.progress_context = &calls;
    assert_int_equal(ts_render(reader, &options, NULL, NULL), TS_INTERRUPTED);
    assert_true(calls > 0);
    assert_int_equal(ts_test_count_files("wrong.png"), 0);
    ts_trajectory_close(reader);
    reader = open_sample("empty.tst", (sample_options){0}, 0);
    options = small_image("empty.png");
    assert_int_equal(ts_render(reader, &options, NULL, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "no whole frame"));
    ts_trajectory_close(reader);
}

/* ---- Videos ---- */

/* Columns of a decoded frame, weighed by their ink: where the disc is [px]. */
static double place_of_disc(const unsigned char *grey, int width, int height)
{
    double ink = 0, moment = 0;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            double dark = grey[y * width + x] < 200 ? 1 : 0;
            ink += dark;
            moment += dark * x;
        }
    }
    assert_true(ink > 50);
    return moment / ink;
}

/* Half a second at a tenth of real time and ten frames a second: a hundredth of a second a frame, so 51 frames of six
 * that were recorded; and the disc, which flies evenly, moves evenly. */
static void motion_is_even_between_frames(void **unused)
{
    (void)unused;
    enum { W = 400, H = 240 };
    ts_trajectory *reader = open_flight("film.tst");
    ts_render_options options = small_image("film.mp4");
    ts_render_result result;
    options.kind = TS_RENDER_VIDEO;
    options.draw.width = W - 1; /* odd: must be made even */
    options.draw.labels = false;
    options.fps = 10;
    options.speed = 0.1;
    must(ts_render(reader, &options, &result, e));
    assert_int_equal(result.frame_count, 51);
    assert_int_equal(result.width, W);
    assert_int_equal(system("ffmpeg -v error -y -i film.mp4 -f rawvideo -pix_fmt gray film.grey"), 0);
    size_t size;
    char *data = sample_read("film.grey", &size);
    assert_int_equal(size, (size_t)W * H * 51);
    double first = place_of_disc((unsigned char *)data, W, H);
    double last = place_of_disc((unsigned char *)data + (size_t)W * H * 50, W, H);
    assert_true(last - first > 200);
    for (int k = 0; k <= 50; k++) {
        double place = place_of_disc((unsigned char *)data + (size_t)W * H * (size_t)k, W, H);
        if (fabs(place - (first + (last - first) * k / 50)) > 1.5)
            fail_msg("frame %d: the disc is at %g px of %g to %g", k, place, first, last);
    }
    ts_free(data);

    /* without that, every tenth frame moves and the others stand */
    options.no_interpolate = true;
    must(ts_render(reader, &options, &result, e));
    assert_int_equal(system("ffmpeg -v error -y -i film.mp4 -f rawvideo -pix_fmt gray film.grey"), 0);
    data = sample_read("film.grey", &size);
    double nine = place_of_disc((unsigned char *)data + (size_t)W * H * 9, W, H);
    double ten = place_of_disc((unsigned char *)data + (size_t)W * H * 10, W, H);
    assert_true(fabs(nine - first) < 1 && fabs(ten - first - (last - first) / 5) < 2);
    ts_free(data);
    ts_trajectory_close(reader);
    unlink("film.mp4");
    unlink("film.grey");
}

static void speed_is_chosen_to_be_watched(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_flight("speed.tst");
    ts_render_options options = small_image("speed.mp4");
    ts_render_result result;
    options.kind = TS_RENDER_VIDEO;
    options.draw.width = 64;
    options.draw.height = 64;
    must(ts_render(reader, &options, &result, e)); /* half a second, shown in four or a bit more */
    assert_true(result.speed * 4 <= 0.5 + 1e-9 && result.speed * 8 > 0.5);
    assert_int_equal(result.frame_count, (uint64_t)floor(0.5 / result.speed * 30 + 1e-6) + 1);
    int calls = 0;
    options.progress = stop_at_once;
    options.progress_context = &calls;
    options.path = "stopped.mp4";
    assert_int_equal(ts_render(reader, &options, &result, NULL), TS_INTERRUPTED);
    assert_int_equal(ts_test_count_files("stopped"), 0);
    options = small_image("long.mp4");
    options.kind = TS_RENDER_VIDEO;
    options.speed = 1e-9;
    assert_int_equal(ts_render(reader, &options, &result, NULL), TS_BAD_INPUT);
    options.speed = 0;
    options.from = options.to = 0.3; /* a moment */
    must(ts_render(reader, &options, &result, e));
    assert_int_equal(result.frame_count, 30);
    ts_trajectory_close(reader);
    unlink("speed.mp4");
    unlink("long.mp4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colours_are_the_recorded_quantities),
        cmocka_unit_test(kinds_are_those_of_moving_bodies),
        cmocka_unit_test(names_of_colourings_are_read),
        cmocka_unit_test(every_colouring_makes_a_picture),
        cmocka_unit_test(frames_are_chosen_by_number_and_time),
        cmocka_unit_test(sheets_fit_their_view),
        cmocka_unit_test(wrong_wishes_are_refused),
    };
    const struct CMUnitTest with_ffmpeg[] = {
        cmocka_unit_test(motion_is_even_between_frames),
        cmocka_unit_test(speed_is_chosen_to_be_watched),
    };
    ts_draw_options options = ts_default_draw_options();
    ts_canvas *canvas;
    if (ts_canvas_create(&options, &canvas, NULL) == TS_UNSUPPORTED)
        return 77;
    ts_canvas_free(canvas);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (system("ffmpeg -version >/dev/null 2>&1") != 0) {
        printf("ffmpeg is not installed: the tests of videos were skipped\n");
        return failed ? failed : 77;
    }
    return failed + cmocka_run_group_tests(with_ffmpeg, NULL, NULL);
}
