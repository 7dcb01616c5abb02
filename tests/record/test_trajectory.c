/* SPDX-License-Identifier: MIT */
/* Trajectories: what goes in comes out, and no kill and no flipped bit goes unnoticed. */
#include "record/sample.h"

#include <math.h>
#include <unistd.h>

#include "base/hash.h"
#include "fuzz/record_scene.h"
#include "model.h"
#include "record/trajectory_format.h"

static void record(sample *s, ts_trajectory_writer *writer, int frames)
{
    for (int i = 0; i < frames; i++) {
        const ts_contact *contact;
        size_t count;
        must(ts_find_contacts(s->model, s->state, s->work, &contact, &count, e));
        must(ts_trajectory_append(writer, s->state, contact, count, e));
        must(ts_step(s->model, s->state, s->work, 15, e));
    }
}

/* A trajectory of `frames` frames, 15 steps apart. `end` (frames + 1) or NULL: where the header and each frame end. */
static void make_file(const char *path, sample_options options, int frames, uint64_t *end)
{
    sample s = sample_make(options);
    ts_trajectory_writer *writer;
    must(ts_trajectory_create(path, s.model, "a title", &writer, e));
    for (int i = 0; i <= frames; i++) {
        if (end)
            end[i] = ts_trajectory_here(writer).bytes;
        if (i < frames)
            record(&s, writer, 1);
    }
    ts_trajectory_writer_free(writer);
    sample_free(&s);
}

static void header_holds_the_model(void **unused)
{
    (void)unused;
    make_file("header.tst", (sample_options){0}, 1, NULL);
    ts_model *model = sample_model((sample_options){0});
    ts_trajectory *reader;
    must(ts_trajectory_open("header.tst", &reader, e));
    const ts_trajectory_header *h = ts_trajectory_get_header(reader);
    assert_string_equal(h->title, "a title");
    assert_string_equal(h->producer, ts_version());
    assert_true(h->has_contacts && h->has_body_gates);
    assert_int_equal(h->model_hash, ts_model_hash(model));
    assert_true(h->time_step == 1e-4 && h->gravity[1] == -9.81 && h->gravity[0] == 0);
    assert_int_equal(h->material_count, 2);
    assert_string_equal(h->material_name[1], "rubber");
    assert_int_equal(h->shape_count, 2);
    assert_string_equal(h->shape[1].name, "peanut");
    assert_int_equal(h->shape[1].disc_count, 2);
    assert_true(h->shape[1].disc[0].radius == 0.04 && h->shape[1].disc[1].radius == 0.03);
    assert_true(fabs(h->shape[1].disc[1].x - h->shape[1].disc[0].x - 0.05) < 1e-15);
    assert_int_equal(h->wall_count, 2);
    assert_string_equal(h->wall[0].name, "floor");
    assert_int_equal(h->wall[0].kind, TS_WALL_FLAT);
    assert_int_equal(h->wall[0].material, 1);
    assert_true(h->wall[0].nx == 0 && h->wall[0].ny == 1);
    assert_true(h->wall[1].radius == 1 && h->wall[1].pose.position.y == 0.5);
    assert_int_equal(h->body_count, 7);
    assert_true(h->body[0].fixed && !h->body[1].fixed);
    assert_true(h->body[3].scale == 0.9 && h->body[3].shape == 0);
    assert_true(fabs(h->body[3].mass - 1000 * TS_PI * 0.045 * 0.045) < 1e-12);
    assert_true(h->body[1].radius == 0.05);
    ts_trajectory_close(reader);
    ts_model_free(model);
}

/* A file of version 1, which had neither areas nor outlines. */
static void first_version_is_read(void **unused)
{
    (void)unused;
    char path[2048];
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/trajectory/version-1.tst",
             getenv("SOURCE_DIR") ? getenv("SOURCE_DIR") : ".");
    ts_trajectory *reader;
    must(ts_trajectory_open(path, &reader, e));
    const ts_trajectory_header *h = ts_trajectory_get_header(reader);
    assert_int_equal(h->version, 1);
    assert_int_equal(h->shape_count, 2);
    assert_true(fabs(h->shape[1].area - TS_PI * 0.05 * 0.05) < 1e-15);
    assert_true(fabs(h->shape[1].inertia - TS_PI / 2 * pow(0.05, 4)) < 1e-18);
    assert_true(h->shape[0].area > TS_PI * 0.05 * 0.05 && h->shape[0].area < TS_PI * (0.05 * 0.05 + 0.04 * 0.04));
    assert_null(h->shape[0].outline);
    assert_int_equal(ts_trajectory_frame_count(reader), 3);
    ts_frame frame;
    must(ts_trajectory_read(reader, 2, &frame, e));
    ts_trajectory_close(reader);
}

/* ---- Outlines ---- */

static void header_holds_outlines(void **unused)
{
    (void)unused;
    ts_model *model = record_outlines();
    ts_state *state;
    ts_trajectory_writer *writer;
    ts_trajectory *reader;
    must(ts_state_create(model, &state, e));
    must(ts_trajectory_create("outlines.tst", model, "outlines", &writer, e));
    must(ts_trajectory_append(writer, state, NULL, 0, e));
    ts_trajectory_writer_free(writer);
    must(ts_trajectory_open("outlines.tst", &reader, e));
    const ts_trajectory_header *h = ts_trajectory_get_header(reader);
    assert_int_equal(h->shape_count, 3);
    for (size_t i = 0; i < 3; i++) {
        const ts_outline *from = model->shape[i].outline, *to = h->shape[i].outline;
        assert_true(h->shape[i].area == model->shape[i].area && h->shape[i].inertia == model->shape[i].inertia);
        assert_true((from == NULL) == (to == NULL) && (from == NULL) == (i == 2));
        for (size_t k = 0; from && k < ts_outline_contour_count(from); k++) {
            ts_contour a = ts_outline_get_contour(from, k), b = ts_outline_get_contour(to, k);
            assert_int_equal(a.vertex_count, b.vertex_count);
            assert_memory_equal(a.vertex, b.vertex, a.vertex_count * sizeof *a.vertex);
        }
    }
    /* points that are nowhere in particular have the same distances */
    double x[2] = {0.3, 9}, y[2] = {0.1, -2}, d[2], again[2];
    ts_outline_distance(model->shape[1].outline, 2, x, y, d, NULL, NULL);
    ts_outline_distance(h->shape[1].outline, 2, x, y, again, NULL, NULL);
    assert_memory_equal(d, again, sizeof d);
    const ts_trajectory_wall *wall = &h->wall[0];
    assert_int_equal(wall->kind, TS_WALL_POLYLINE);
    assert_int_equal(wall->line_count, 1);
    assert_true(wall->line[0].open && wall->line[0].vertex_count == 3 && wall->line[0].vertex[1].bulge == 0.2);
    assert_true(wall->radius == model->wall[0].radius && wall->radius > 0);
    assert_non_null(wall->reach);
    ts_trajectory_close(reader);
    ts_state_free(state);
    ts_model_free(model);
}

/* Bytes 8 · i of the header changed in every way that counts, under a right checksum: refused or read, never
 * believed. */
static void outlines_are_not_trusted(void **unused)
{
    (void)unused;
    static const uint64_t evil[] = {0,
                                    1,
                                    2,
                                    100001,
                                    UINT64_MAX,
                                    0x7ff8000000000000u,
                                    0x7ff0000000000000u,
                                    0x3ff0000000000000u,
                                    0x7fefffffffffffffu,
                                    (uint64_t)1 << 61};
    ts_model *model = record_outlines();
    ts_state *state;
    ts_trajectory_writer *writer;
    must(ts_state_create(model, &state, e));
    must(ts_trajectory_create("evil.tst", model, "outlines", &writer, e));
    must(ts_trajectory_append(writer, state, NULL, 0, e));
    ts_trajectory_writer_free(writer);
    size_t size, refused = 0, read = 0;
    unsigned char *data = (unsigned char *)sample_read("evil.tst", &size);
    ts_bytes from = ts_bytes_of(data + 16, 8);
    size_t header = (size_t)ts_take_u64(&from);
    for (size_t at = TS_PREFIX_BYTES; at + 8 <= TS_PREFIX_BYTES + header; at += 4)
        for (size_t k = 0; k < sizeof evil / sizeof *evil; k++) {
            unsigned char kept[8];
            memcpy(kept, data + at, 8);
            ts_put_u64(data + at, evil[k]);
            ts_put_u64(data + TS_PREFIX_BYTES + header, ts_hash(data + TS_PREFIX_BYTES, header, 0));
            char path[64];
            int file = memory_file(data, size, path);
            ts_trajectory *reader;
            ts_error error = {0};
            if (ts_trajectory_open(path, &reader, &error) == TS_OK) {
                ts_trajectory_close(reader);
                read++;
            } else {
                assert_int_equal(error.status, TS_CORRUPT);
                refused++;
            }
            close(file);
            memcpy(data + at, kept, 8);
        }
    assert_true(refused > 500 && read > 50); /* a number may well be another number */
    ts_free(data);
    ts_state_free(state);
    ts_model_free(model);
}

static void frames_hold_the_state(void **unused)
{
    (void)unused;
    make_file("frames.tst", (sample_options){0}, 5, NULL);
    sample s = sample_make((sample_options){0});
    ts_trajectory *reader;
    must(ts_trajectory_open("frames.tst", &reader, e));
    assert_int_equal(ts_trajectory_frame_count(reader), 5);
    assert_int_equal(ts_trajectory_torn_bytes(reader), 0);
    size_t touching = 0;
    for (uint64_t k = 0; k < 5; k++) {
        ts_frame frame;
        must(ts_trajectory_read(reader, k, &frame, e));
        assert_int_equal(frame.step, 15 * k);
        assert_true(frame.time == 15 * (double)k * 1e-4);
        const ts_body *body = ts_state_bodies(s.state);
        for (size_t i = 0; i < 7; i++) {
            assert_true(frame.body[i].pose.position.x == body[i].x && frame.body[i].pose.position.y == body[i].y);
            assert_true(frame.body[i].angle == body[i].angle && frame.body[i].velocity[0] == (float)body[i].vx);
            assert_true(frame.body[i].velocity[1] == (float)body[i].vy && frame.body[i].spin[2] == (float)body[i].spin);
        }
        /* the gates of the scene: the post is away in [2 ms, 4 ms), the drum in [3 ms, 4 ms) */
        double t = frame.time;
        assert_int_equal(frame.body[0].present, !(t >= 0.002 && t < 0.004));
        assert_int_equal(frame.wall[1].present, !(t >= 0.003 && t < 0.004));
        assert_true(frame.body[1].present && frame.wall[0].present);
        assert_true(fabs(frame.wall[0].pose.position.x - 0.01 * sin(2 * TS_PI * 5 * t)) < 1e-12);
        assert_true(fabs(frame.wall[0].pose.position.y - 0.002 * sin(2 * TS_PI * 5 * t)) < 1e-12);

        const ts_contact *contact;
        size_t count;
        must(ts_find_contacts(s.model, s.state, s.work, &contact, &count, e));
        assert_int_equal(frame.contact_count, count);
        for (size_t i = 0; i < count; i++) {
            const ts_frame_contact *c = &frame.contact[i];
            assert_true(c->a == contact[i].a && c->b == contact[i].b && c->key == contact[i].key);
            assert_true(c->gap == (float)contact[i].gap && c->point[0] == contact[i].point_a[0]);
            assert_true(c->force[1] == (float)contact[i].force[1] && c->normal[0] == (float)contact[i].normal[0]);
            /* the point on B, as the format says it is found */
            assert_true(fabs(c->point[1] + (double)c->gap * (double)c->normal[1] - contact[i].point_b[1]) < 1e-7);
        }
        touching += count;
        must(ts_step(s.model, s.state, s.work, 15, e));
    }
    assert_true(touching > 0); /* else the test says nothing of contacts */
    ts_trajectory_close(reader);
    sample_free(&s);
}

/* Whether all of the reader's frames can be read. */
static bool all_readable(ts_trajectory *reader)
{
    ts_frame frame;
    for (uint64_t i = 0; i < ts_trajectory_frame_count(reader); i++)
        if (ts_trajectory_read(reader, i, &frame, NULL) != TS_OK)
            return false;
    return true;
}

static void a_kill_at_any_byte_leaves_whole_frames(void **unused)
{
    (void)unused;
    uint64_t end[4];
    make_file("whole.tst", (sample_options){0}, 3, end);
    size_t size;
    char *data = sample_read("whole.tst", &size);
    assert_int_equal(end[3], size);
    for (size_t cut = 0; cut <= size; cut++) {
        sample_write("cut.tst", data, cut);
        ts_trajectory *reader;
        ts_error error = {0};
        ts_status status = ts_trajectory_open("cut.tst", &reader, &error);
        if (cut < end[0]) {
            assert_int_equal(status, TS_CORRUPT);
            assert_non_null(strstr(error.message, "cut.tst"));
            continue;
        }
        assert_int_equal(status, TS_OK);
        uint64_t whole = 0;
        while (whole < 3 && cut >= end[whole + 1])
            whole++;
        assert_int_equal(ts_trajectory_frame_count(reader), whole);
        assert_int_equal(ts_trajectory_torn_bytes(reader), cut - end[whole]);
        assert_true(all_readable(reader));
        ts_trajectory_close(reader);
    }
    ts_free(data);
}

static void any_flipped_bit_is_noticed(void **unused)
{
    (void)unused;
    make_file("whole.tst", (sample_options){0}, 3, NULL);
    size_t size;
    char *data = sample_read("whole.tst", &size);
    for (size_t i = 0; i < size; i++) {
        char bit = (char)(1 << (i % 8));
        data[i] ^= bit;
        sample_write("flipped.tst", data, size);
        data[i] ^= bit;
        ts_trajectory *reader;
        if (ts_trajectory_open("flipped.tst", &reader, NULL) != TS_OK)
            continue;
        bool noticed = ts_trajectory_frame_count(reader) < 3 || !all_readable(reader);
        if (ts_trajectory_frame_count(reader) < 3)
            assert_true(ts_trajectory_torn_bytes(reader) > 0);
        ts_trajectory_close(reader);
        if (!noticed)
            fail_msg("the flipped byte %zu was not noticed", i);
    }
    ts_free(data);
}

/* A damaged frame in the middle costs that frame alone. */
static void other_frames_stay_readable(void **unused)
{
    (void)unused;
    uint64_t end[4];
    make_file("middle.tst", (sample_options){0}, 3, end);
    size_t size;
    char *data = sample_read("middle.tst", &size);
    data[end[1] + 60] ^= 1;
    sample_write("middle.tst", data, size);
    ts_free(data);
    ts_trajectory *reader;
    ts_frame frame;
    ts_error error = {0};
    must(ts_trajectory_open("middle.tst", &reader, e));
    assert_int_equal(ts_trajectory_frame_count(reader), 3);
    assert_int_equal(ts_trajectory_read(reader, 0, &frame, NULL), TS_OK);
    assert_int_equal(ts_trajectory_read(reader, 1, &frame, &error), TS_CORRUPT);
    assert_non_null(strstr(error.message, "frame 1"));
    assert_int_equal(ts_trajectory_read(reader, 2, &frame, NULL), TS_OK);
    assert_int_equal(frame.step, 30);
    assert_int_equal(ts_trajectory_read(reader, 3, &frame, &error), TS_BAD_INPUT);
    ts_trajectory_close(reader);
}

/* Stopped anywhere after the mark, with any tail, a resumed writer leaves the bytes of one that never stopped. */
static void resuming_leaves_the_same_bytes(void **unused)
{
    (void)unused;
    uint64_t end[6];
    make_file("straight.tst", (sample_options){0}, 5, end);
    size_t size;
    char *data = sample_read("straight.tst", &size);
    for (size_t tail = end[2]; tail <= size; tail += 37) {
        sample_write("resumed.tst", data, tail);
        sample s = sample_make((sample_options){0});
        must(ts_step(s.model, s.state, s.work, 30, e));
        ts_trajectory_writer *writer;
        ts_mark mark = {end[2], 2, 15};
        must(ts_trajectory_resume("resumed.tst", s.model, &mark, &writer, e));
        record(&s, writer, 3);
        ts_trajectory_writer_free(writer);
        sample_free(&s);
        sample_assert_same_file("straight.tst", "resumed.tst");
    }
    ts_free(data);
}

static void resuming_refuses_what_does_not_fit(void **unused)
{
    (void)unused;
    uint64_t end[4];
    make_file("fits.tst", (sample_options){0}, 3, end);
    ts_model *model = sample_model((sample_options){0}), *other = sample_model((sample_options){.shift = 0.01});
    ts_trajectory_writer *writer;
    const ts_mark good = {end[2], 2, 15}, wrong_end = {end[2] - 1, 2, 15}, wrong_count = {end[3], 4, 45},
                  wrong_step = {end[2], 2, 16};
    assert_int_equal(ts_trajectory_resume("fits.tst", model, &wrong_end, &writer, NULL), TS_CORRUPT);
    assert_int_equal(ts_trajectory_resume("fits.tst", model, &wrong_count, &writer, NULL), TS_CORRUPT);
    assert_int_equal(ts_trajectory_resume("fits.tst", model, &wrong_step, &writer, NULL), TS_CORRUPT);
    assert_int_equal(ts_trajectory_resume("fits.tst", other, &good, &writer, NULL), TS_BAD_INPUT);
    assert_int_equal(ts_trajectory_resume("absent.tst", model, &good, &writer, NULL), TS_IO);
    size_t size;
    ts_free(sample_read("fits.tst", &size));
    assert_int_equal(size, end[3]); /* nothing was cut */
    must(ts_trajectory_resume("fits.tst", model, &good, &writer, e));
    ts_trajectory_writer_free(writer);
    ts_free(sample_read("fits.tst", &size));
    assert_int_equal(size, end[2]);
    ts_model_free(model);
    ts_model_free(other);
}

/* More frames than the index has entries: it is thinned three times, and every frame is still found. */
static void a_long_file_is_read_at_random(void **unused)
{
    (void)unused;
    enum { FRAMES = 100000 };
    sample s = sample_make((sample_options){.no_contacts = true, .no_gates = true});
    ts_trajectory_writer *writer;
    must(ts_trajectory_create("long.tst", s.model, NULL, &writer, e));
    for (uint64_t i = 0; i < FRAMES; i++) {
        s.state->step = 3 * i;
        s.state->body[1].x = (double)i;
        must(ts_trajectory_append(writer, s.state, NULL, 0, e));
    }
    ts_trajectory_writer_free(writer);
    ts_trajectory *reader;
    must(ts_trajectory_open("long.tst", &reader, e));
    assert_int_equal(ts_trajectory_frame_count(reader), FRAMES);
    uint64_t index = 1;
    for (int i = 0; i < 1000; i++) {
        index = (index * 48271 + 11) % FRAMES;
        if (i % 3 == 0 && index + 1 < FRAMES)
            index++; /* also the next after a read one */
        ts_frame frame;
        must(ts_trajectory_read(reader, index, &frame, e));
        assert_true(frame.body[1].pose.position.x == (double)index && frame.step == 3 * index);
        assert_int_equal(frame.contact_count, 0);
    }
    const double dt = 1e-4;
    must(ts_trajectory_find(reader, (3 * 77777 + 1) * dt, &index, e));
    assert_int_equal(index, 77777);
    must(ts_trajectory_find(reader, 1e9, &index, e));
    assert_int_equal(index, FRAMES - 1);
    must(ts_trajectory_find(reader, -1, &index, e));
    assert_int_equal(index, 0);
    ts_trajectory_close(reader);
    sample_free(&s);
    unlink("long.tst");
}

static void strangers_are_refused(void **unused)
{
    (void)unused;
    ts_trajectory *reader;
    ts_error error = {0};
    assert_int_equal(ts_trajectory_open("no such file", &reader, &error), TS_IO);
    assert_int_equal(ts_trajectory_open(".", &reader, &error), TS_BAD_INPUT);
    sample_write("text.tst", "hello, world; this is certainly no trajectory", 45);
    assert_int_equal(ts_trajectory_open("text.tst", &reader, &error), TS_CORRUPT);
    assert_non_null(strstr(error.message, "not a trajectory"));

    /* of a later version: the checksum is right, the number is not ours */
    make_file("later.tst", (sample_options){0}, 1, NULL);
    size_t size;
    char *data = sample_read("later.tst", &size);
    data[8] = TS_TRAJECTORY_VERSION + 1;
    uint64_t sum = ts_hash(data, 24, 0);
    for (int i = 0; i < 8; i++)
        data[24 + i] = (char)(sum >> (8 * i));
    sample_write("later.tst", data, size);
    ts_free(data);
    assert_int_equal(ts_trajectory_open("later.tst", &reader, &error), TS_UNSUPPORTED);
}

static void a_state_that_is_not_finite_is_not_written(void **unused)
{
    (void)unused;
    sample s = sample_make((sample_options){0});
    ts_trajectory_writer *writer;
    must(ts_trajectory_create("finite.tst", s.model, NULL, &writer, e));
    must(ts_trajectory_append(writer, s.state, NULL, 0, e));
    s.state->step = 1;
    s.state->body[2].vy = (double)INFINITY;
    assert_int_equal(ts_trajectory_append(writer, s.state, NULL, 0, NULL), TS_DIVERGED);
    s.state->body[2].vy = 1e300; /* finite, but more than a float can say */
    must(ts_trajectory_append(writer, s.state, NULL, 0, e));
    assert_int_equal(ts_trajectory_append(writer, s.state, NULL, 0, NULL), TS_BAD_INPUT); /* the same step again */
    ts_trajectory_writer_free(writer);
    ts_trajectory *reader;
    ts_frame frame;
    must(ts_trajectory_open("finite.tst", &reader, e));
    assert_int_equal(ts_trajectory_frame_count(reader), 2);
    assert_int_equal(ts_trajectory_torn_bytes(reader), 0);
    must(ts_trajectory_read(reader, 1, &frame, e));
    assert_true(isfinite(frame.body[2].velocity[1]) && frame.body[2].velocity[1] > 1e38f);
    ts_trajectory_close(reader);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header_holds_the_model),
        cmocka_unit_test(first_version_is_read),
        cmocka_unit_test(header_holds_outlines),
        cmocka_unit_test(outlines_are_not_trusted),
        cmocka_unit_test(frames_hold_the_state),
        cmocka_unit_test(a_kill_at_any_byte_leaves_whole_frames),
        cmocka_unit_test(any_flipped_bit_is_noticed),
        cmocka_unit_test(other_frames_stay_readable),
        cmocka_unit_test(resuming_leaves_the_same_bytes),
        cmocka_unit_test(resuming_refuses_what_does_not_fit),
        cmocka_unit_test(a_long_file_is_read_at_random),
        cmocka_unit_test(strangers_are_refused),
        cmocka_unit_test(a_state_that_is_not_finite_is_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
