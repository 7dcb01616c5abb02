/* SPDX-License-Identifier: MIT */
/* Trajectories of bodies in space: what goes in comes out, to the bit; and nothing in a file is trusted. */
#include "record/sample_space.h"

#include "base/bytes.h"
#include "base/hash.h"
#include "fuzz/record_scene.h"
#include "record/trajectory_format.h"

#define FILE_NAME "space.tst"

enum { FRAMES = 5 };

static void assert_pose(ts_pose3 a, ts_pose3 b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

/* ---- What goes in comes out ---- */

static void check_header(const sample_space *s, const ts_trajectory_header *header)
{
    const ts_trajectory_header *space = header;
    assert_int_equal(header->dimension, 3);
    assert_int_equal(header->version, 3);
    assert_string_equal(header->title, "a film");
    assert_true(header->model_hash == s->model.hash && header->has_contacts && header->has_body_gates);
    assert_int_equal(header->material_count, 2);
    assert_string_equal(header->material_name[1], "rubber");
    assert_memory_equal(space->gravity, &s->model.gravity, sizeof space->gravity);
    assert_memory_equal(&space->camera, &s->model.camera, sizeof space->camera);
    assert_int_equal(space->shape_count, SPACE_SHAPES);
    assert_string_equal(space->shape[4].name, "tetra");
    assert_string_equal(space->shape[6].name, "");
    assert_int_equal(space->form_count, SPACE_FORMS);
    for (size_t i = 0; i < SPACE_FORMS; i++) {
        const ts_form3 *a = &space->form[i], *b = &s->form[i];
        assert_true(a->shape == b->shape && a->scale == b->scale && a->radius == b->radius && a->volume == b->volume);
        assert_memory_equal(&a->inertia, &b->inertia, sizeof a->inertia);
        assert_true(a->piece_begin == b->piece_begin && a->piece_count == b->piece_count);
    }
    assert_int_equal(space->wall_count, SPACE_WALLS);
    assert_int_equal(space->spring_count, 2);
    assert_memory_equal(space->spring, s->spring, sizeof s->spring);
    for (size_t i = 0; i < SPACE_WALLS; i++) {
        assert_string_equal(space->wall[i].name, s->wall[i].name ? s->wall[i].name : "");
        assert_pose(space->wall[i].pose, s->wall[i].pose);
        assert_true(space->wall[i].source == s->wall[i].source && space->wall[i].material == s->wall[i].material);
    }
    assert_int_equal(space->body_count, SPACE_BODIES);
    for (size_t i = 0; i < SPACE_BODIES; i++) {
        const ts_trajectory_body *b = &space->body[i];
        assert_true(b->shape == s->form[b->form].shape && b->scale == s->form[b->form].scale);
        assert_true(b->form == s->body_form[i] && b->material == s->body_material[i] && b->mass == s->mass[i]);
        assert_true(b->radius == s->body[i].radius && b->fixed == (i == 8));
    }
}

static void check_pieces(const sample_space *s, const ts_trajectory_header *space)
{
    assert_int_equal(space->piece_count, s->model.piece_count);
    for (size_t i = 0; i < space->piece_count; i++) {
        const ts_solid *a = &space->piece[i].solid, *b = &s->piece[i].solid;
        assert_true(a->kind == b->kind && a->radius == b->radius && a->half_length == b->half_length);
        assert_memory_equal(&a->half, &b->half, sizeof a->half);
        assert_pose(space->piece[i].pose, s->piece[i].pose);
        assert_true(!a->hull == !b->hull && !a->mesh == !b->mesh);
    }
    const ts_hull *hull = space->piece[space->form[5].piece_begin].solid.hull;
    const ts_mesh *mesh = space->piece[space->form[6].piece_begin].solid.mesh;
    assert_non_null(hull);
    assert_non_null(mesh);
    assert_true(hull->vertex_count == 4 && hull->face_count == 4);
    assert_memory_equal(hull->vertex, s->hull.vertex, 4 * sizeof *hull->vertex);
    assert_memory_equal(hull->corner, s->hull.corner, 12 * sizeof *hull->corner);
    assert_memory_equal(hull->face_begin, s->hull.face_begin, 5 * sizeof *hull->face_begin);
    for (int f = 0; f < 4; f++) { /* what the reader works out by itself */
        assert_true(ts_vec3_distance(hull->normal[f], s->hull.normal[f]) < 1e-15);
        assert_true(fabs(hull->offset[f] - s->hull.offset[f]) < 1e-15);
    }
    assert_true(mesh->vertex_count == 4 && mesh->triangle_count == 4);
    assert_true(ts_mesh_hash(mesh) == ts_mesh_hash(s->mesh.mesh));
}

/* ω = R I⁻¹ Rᵀ L, by matrices. */
static ts_vec3 spin_of(const sample_space *s, const ts_body3 *b, size_t i)
{
    ts_mat3 r = ts_quat_to_matrix((ts_quat){b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]});
    ts_mat3 inertia = ts_mat3_scale(s->form[s->body_form[i]].inertia, s->density[i % 2]);
    ts_mat3 inverse = ts_mat3_mul(ts_mat3_mul(r, ts_mat3_inverse(inertia)), ts_mat3_transpose(r));
    const double *l = b->angular_momentum;
    return ts_mat3_apply(inverse, (ts_vec3){l[0], l[1], l[2]});
}

/* ½ k (length − rest)² and ¼ k (length − rest)⁴ */
static double springs_of(const ts_state *state)
{
    double sum = 0;
    const ts_model *model = state->model;
    for (int i = 0; i < 2; i++) {
        const ts_spring *s = &model->spring[i];
        ts_pose3 pose[2] = {ts_pose3_identity(), ts_pose3_identity()};
        for (int k = 0; k < 2; k++) {
            int32_t body = k ? s->b : s->a;
            if (body >= 0)
                memcpy(&pose[k], state->body3[body].position, sizeof pose[k]);
        }
        ts_vec3 a = ts_pose3_apply(pose[0], s->anchor_a), b = ts_pose3_apply(pose[1], s->anchor_b);
        double x = ts_vec3_distance(a, b) - s->rest;
        sum += s->kind == TS_SPRING_CUBIC ? s->stiffness * pow(x, 4) / 4 : s->stiffness * x * x / 2;
    }
    return sum;
}

static void check_frame(const sample_space *s, const ts_state *state, const ts_frame *frame)
{
    double time = (double)state->step * 5e-4;
    assert_true(frame->step == state->step && frame->time == time);
    assert_true(fabs(frame->energy.elastic - springs_of(state)) <= 1e-12 * springs_of(state));
    for (size_t i = 0; i < SPACE_BODIES; i++) {
        const ts_frame_body *b = &frame->body[i];
        assert_memory_equal(&b->pose, state->body3[i].position, sizeof b->pose);
        ts_vec3 spin = spin_of(s, &state->body3[i], i);
        double size = ts_vec3_length(spin), w[3] = {spin.x, spin.y, spin.z};
        for (int k = 0; k < 3; k++) {
            assert_true(b->velocity[k] == (float)state->body3[i].velocity[k]);
            assert_true(fabs((double)b->spin[k] - w[k]) <= 1e-6 * size);
        }
        assert_int_equal(b->present, !(i == 3 && time >= 0.001 && time < 0.002));
    }
    for (size_t i = 1; i < SPACE_WALLS; i++) {
        assert_pose(frame->wall[i].pose, s->wall[i].pose);
        assert_int_equal(frame->wall[i].present, !(i == 7 && time >= 0.0005 && time < 0.0015));
    }
    /* the floor moves at a constant velocity */
    ts_vec3 floor = frame->wall[0].pose.position, there = {0.5 * time, 0.1 * time, 0.01 - 0.2 * time};
    assert_true(ts_vec3_distance(floor, there) < 1e-15);
    assert_int_equal(frame->contact_count, 2);
    const ts_frame_contact *c = &frame->contact[0];
    assert_true(c->a == -1 && c->b == 4 && frame->contact[1].a == 2 && c->key == 0x0123456789abcdef);
    assert_true(c->gap == -0.25F && c->normal[1] == 0.6F && c->force[2] == 2 && c->point[2] == 3);
}

static void test_comes_out(void **nothing)
{
    (void)nothing;
    sample_space s, again;
    ts_trajectory *reader;
    sample_space_make(&s);
    sample_space_make(&again);
    sample_space_record(&s, FILE_NAME, FRAMES);
    must(ts_trajectory_open(FILE_NAME, &reader, e));
    check_header(&s, ts_trajectory_get_header(reader));
    check_pieces(&s, ts_trajectory_get_header(reader));
    assert_int_equal(ts_trajectory_frame_count(reader), FRAMES);
    assert_int_equal(ts_trajectory_torn_bytes(reader), 0);
    for (uint64_t i = 0; i < FRAMES; i++) {
        ts_frame frame;
        must(ts_trajectory_read(reader, i, &frame, e));
        check_frame(&again, again.state, &frame);
        sample_space_step(&again);
    }
    ts_trajectory_close(reader);
    sample_space_free(&s);
    sample_space_free(&again);
}

/* A run that was stopped and resumed leaves the bytes of one that was not. */
/* Weights are kept where bodies are smooth, also by a run that goes on; elsewhere they are 1. */
static void test_weights(void **nothing)
{
    (void)nothing;
    for (int smooth = 0; smooth < 2; smooth++) {
        sample_space s;
        ts_error error;
        sample_space_make(&s);
        ts_sdf_body body = {.mesh = s.mesh.mesh}, *bodies = &body;
        s.model.smooth = &bodies;
        s.model.smooth_count = (size_t)smooth;
        ts_contact contact[2] = {sample_contact3(-1, 4), sample_contact3(2, 3)};
        contact[0].weight = 0.25;
        contact[1].weight = 0.5;
        ts_trajectory_writer *writer;
        must(ts_trajectory_create("weights.tst", &s.model, "weights", &writer, &error));
        must(ts_trajectory_append(writer, s.state, contact, 2, &error));
        must(ts_trajectory_sync(writer, &error));
        const ts_mark mark = ts_trajectory_here(writer);
        ts_trajectory_writer_free(writer);
        sample_space_step(&s);
        must(ts_trajectory_resume("weights.tst", &s.model, &mark, &writer, &error));
        must(ts_trajectory_append(writer, s.state, contact, 2, &error));
        must(ts_trajectory_sync(writer, &error));
        ts_trajectory_writer_free(writer);
        ts_trajectory *reader;
        must(ts_trajectory_open("weights.tst", &reader, &error));
        assert_int_equal(ts_trajectory_frame_count(reader), 2);
        for (uint64_t k = 0; k < 2; k++) {
            ts_frame frame;
            must(ts_trajectory_read(reader, k, &frame, &error));
            assert_int_equal(frame.contact_count, 2);
            for (int i = 0; i < 2; i++)
                assert_true(frame.contact[i].weight == (smooth ? 0.25f * (float)(i + 1) : 1));
            assert_true(frame.contact[1].a == 2 && frame.contact[1].b == 3 && frame.contact[1].force[2] == 2);
        }
        ts_trajectory_close(reader);
        sample_space_free(&s);
    }
}

static void test_resume(void **nothing)
{
    (void)nothing;
    sample_space s;
    ts_trajectory_writer *writer;
    const ts_contact contact[2] = {sample_contact3(-1, 4), sample_contact3(2, 3)};
    sample_space_make(&s);
    sample_space_record(&s, "whole.tst", FRAMES);
    sample_space_free(&s);
    sample_space_make(&s);
    must(ts_trajectory_create("parts.tst", &s.model, "a film", &writer, e));
    ts_mark mark = {0};
    for (int i = 0; i < FRAMES; i++) {
        must(ts_trajectory_append(writer, s.state, contact, 2, e));
        assert_int_equal(ts_trajectory_append(writer, s.state, &(ts_contact){0}, 1, NULL), TS_BAD_INPUT);
        if (i == 1)
            mark = ts_trajectory_here(writer);
        sample_space_step(&s);
    }
    ts_trajectory_writer_free(writer);
    sample_space_free(&s);

    sample_space_make(&s);
    sample_space_step(&s);
    sample_space_step(&s);
    must(ts_trajectory_resume("parts.tst", &s.model, &mark, &writer, e));
    for (int i = 2; i < FRAMES; i++) {
        must(ts_trajectory_append(writer, s.state, contact, 2, e));
        sample_space_step(&s);
    }
    ts_trajectory_writer_free(writer);
    sample_assert_same_file("whole.tst", "parts.tst");
    /* a model that only looks alike */
    s.model.wall_count--;
    assert_int_equal(ts_trajectory_resume("parts.tst", &s.model, &mark, &writer, NULL), TS_BAD_INPUT);
    s.model.wall_count++;
    s.model.hash++;
    assert_int_equal(ts_trajectory_resume("parts.tst", &s.model, &mark, &writer, NULL), TS_BAD_INPUT);
    sample_space_free(&s);
}

static void test_divergence(void **nothing)
{
    (void)nothing;
    sample_space s;
    ts_trajectory_writer *writer;
    sample_space_make(&s);
    must(ts_trajectory_create(FILE_NAME, &s.model, NULL, &writer, e));
    must(ts_trajectory_append(writer, s.state, NULL, 0, e));
    uint64_t bytes = ts_trajectory_here(writer).bytes;
    sample_space_step(&s);
    s.state->body3[7].attitude[3] = (double)NAN;
    assert_int_equal(ts_trajectory_append(writer, s.state, NULL, 0, NULL), TS_DIVERGED);
    assert_true(ts_trajectory_here(writer).bytes == bytes);
    ts_trajectory_writer_free(writer);
    sample_space_free(&s);
}

/* ---- Nothing is trusted ---- */

static uint64_t number_at(const char *data)
{
    ts_bytes from = ts_bytes_of(data, 8);
    return ts_take_u64(&from);
}

/* Right checksums for prefix, header and the first frame, as far as their sizes make sense. */
static void sign(char *data, size_t size)
{
    unsigned char *d = (unsigned char *)data;
    uint64_t header = number_at(data + 16);
    ts_put_u64(d + 24, ts_hash(d, 24, 0));
    ts_put_u64(d + 32 + header, ts_hash(d + 32, (size_t)header, 0));
    unsigned char *frame = d + 40 + header;
    ts_put_u64(frame + 32, ts_hash(frame, 32, 0));
    uint64_t payload = number_at((char *)frame + 8);
    if (payload > size - 40 - header - TS_FRAME_HEAD_BYTES - 8)
        return;
    size_t whole = TS_FRAME_HEAD_BYTES + (size_t)payload;
    ts_put_u64(frame + whole, ts_hash(frame, whole, 0));
}

static char *recorded(size_t *size)
{
    sample_space s;
    sample_space_make(&s);
    sample_space_record(&s, FILE_NAME, 1);
    sample_space_free(&s);
    return sample_read(FILE_NAME, size);
}

/* TS_OK, or what opening or reading said, always with a word of why. */
static ts_status attempt(const char *data, size_t size)
{
    ts_trajectory *reader;
    ts_frame frame;
    ts_error error = {0};
    char path[64];
    int file = memory_file((const uint8_t *)data, size, path);
    ts_status status = ts_trajectory_open(path, &reader, &error);
    if (status == TS_OK) {
        status = ts_trajectory_frame_count(reader) ? ts_trajectory_read(reader, 0, &frame, &error) : TS_OK;
        ts_trajectory_close(reader);
    }
    close(file);
    assert_true(status == TS_OK || error.message[0] != 0);
    return status;
}

/* Cut at many places, and damaged in each seventh byte with all checksums right. Whatever is accepted must be
 * safe to use: the sanitizers watch. */
static void test_damage(void **nothing)
{
    (void)nothing;
    size_t size;
    char *data = recorded(&size);
    uint64_t header = number_at(data + 16);
    assert_int_equal(attempt(data, size), TS_OK);
    for (size_t cut = 0; cut < size; cut += 37)
        assert_true((attempt(data, cut) == TS_OK) == (cut >= header + 40));
    static const unsigned char bits[4] = {0x01, 0x80, 0xff, 0x40};
    size_t refused = 0, tried = 0;
    for (size_t at = 32; at < size - 8; at += 7) {
        char before = data[at];
        data[at] = (char)(data[at] ^ bits[at % 4]);
        sign(data, size);
        refused += attempt(data, size) != TS_OK;
        tried++;
        data[at] = before;
    }
    assert_true(refused > tried / 20); /* most numbers may be any number */
    ts_free(data);
}

/* One number in the frame's first body, or in its first contact. */
static void test_frame_numbers(void **nothing)
{
    (void)nothing;
    size_t size;
    char *data = recorded(&size);
    char *payload = data + 32 + number_at(data + 16) + 8 + TS_FRAME_HEAD_BYTES;
    char *body = payload + TS_FRAME_COUNT_BYTES + TS_FRAME_ENERGY_BYTES +
                 (size_t)SPACE_WALLS * (ts_record_sizes_of(&ts_record_space, true, false).wall);
    char *contact = body + (size_t)SPACE_BODIES * (ts_record_sizes_of(&ts_record_space, true, false).body);
    const struct {
        char *at;
        double value;
    } bad[] = {{body, (double)NAN},
               {body + 8, 1e200},
               {body + 24, 0.5} /* no unit quaternion */,
               {body + 24, (double)NAN},
               {payload + 48 + 24, 0} /* a wall's */,
               {contact + 24, (double)INFINITY}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char before[8];
        memcpy(before, bad[i].at, 8);
        ts_put_f64((unsigned char *)bad[i].at, bad[i].value);
        sign(data, size);
        assert_int_equal(attempt(data, size), TS_CORRUPT);
        memcpy(bad[i].at, before, 8);
    }
    const int64_t id[] = {SPACE_BODIES, -1 - SPACE_WALLS, INT64_MIN, INT64_MAX};
    for (int i = 0; i < 8; i++) {
        char before[8];
        memcpy(before, contact + 8 * (i % 2), 8);
        ts_put_u64((unsigned char *)contact + 8 * (i % 2), (uint64_t)id[i / 2]);
        sign(data, size);
        assert_int_equal(attempt(data, size), TS_CORRUPT);
        memcpy(contact + 8 * (i % 2), before, 8);
    }
    sign(data, size);
    assert_int_equal(attempt(data, size), TS_OK);
    ts_free(data);
}

/* A count that the file cannot hold is refused before anything is allocated, whichever count it is; and so are flags
 * that do not fit. */
static void test_counts(void **nothing)
{
    (void)nothing;
    size_t size;
    char *data = recorded(&size);
    ts_bytes from = ts_bytes_of(data + 32, size - 32);
    ts_take(&from, ts_take_u32(&from));
    ts_take(&from, ts_take_u32(&from));
    unsigned char *counts = (unsigned char *)from.at + 17 * 8;
    for (int i = 0; i < 7; i++) {
        uint64_t before = number_at((char *)counts + 8 * i);
        const uint64_t bad[] = {before + 1, before - 1, UINT64_MAX, (uint64_t)1 << 31, UINT64_MAX / 28};
        for (int k = 0; k < 5; k++) {
            ts_put_u64(counts + 8 * i, bad[k]);
            sign(data, size);
            assert_int_equal(attempt(data, size), TS_CORRUPT);
        }
        ts_put_u64(counts + 8 * i, before);
    }
    for (int k = 0; k < 2; k++) { /* version 2 has no space, version 3 nothing else */
        char before = data[k ? 8 : 12];
        data[k ? 8 : 12] = k ? 2 : 3;
        sign(data, size);
        assert_int_equal(attempt(data, size), TS_UNSUPPORTED);
        data[k ? 8 : 12] = before;
    }
    ts_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weights),    cmocka_unit_test(test_comes_out), cmocka_unit_test(test_resume),
        cmocka_unit_test(test_divergence), cmocka_unit_test(test_damage),    cmocka_unit_test(test_frame_numbers),
        cmocka_unit_test(test_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
