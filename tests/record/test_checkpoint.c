/* SPDX-License-Identifier: MIT */
/* Checkpoints: a restored state goes on with the same bits, and a damaged or foreign one changes nothing. */
#include "record/sample.h"

#include <math.h>

#include "base/hash.h"
#include "record/checkpoint.h"

/* A checkpoint file of the sample after some steps. */
static char *make_file(const char *path, size_t *size)
{
    sample s = sample_make((sample_options){0});
    must(ts_step(s.model, s.state, s.work, 60, e));
    must(ts_state_save(s.model, s.state, path, e));
    sample_free(&s);
    return sample_read(path, size);
}

/* Puts the right checksums on altered bytes: what only a crafted file has. */
static void sign(char *data, size_t size)
{
    uint64_t head = ts_hash(data, 24, 0), all = ts_hash(data + 32, size - 40, 0);
    for (int i = 0; i < 8; i++) {
        data[24 + i] = (char)(head >> (8 * i));
        data[size - 8 + (size_t)i] = (char)(all >> (8 * i));
    }
}

static void restart_equals_straight_run(void **unused)
{
    (void)unused;
    sample straight = sample_make((sample_options){0}), restored = sample_make((sample_options){0});
    for (int i = 0; i < 8; i++) {
        must(ts_step(straight.model, straight.state, straight.work, 13, e));
        must(ts_state_save(straight.model, straight.state, "state", e));
        must(ts_state_load(restored.model, restored.state, "state", e));
        assert_int_equal(ts_state_steps(restored.state), 13 * (i + 1));
        assert_int_equal(ts_state_hash(restored.state), ts_state_hash(straight.state));
        assert_true(isinf(restored.state->drift_bound));
        /* both go on, the one with the workspace it had, the other with a new one */
        sample further = sample_make((sample_options){0});
        must(ts_state_load(further.model, further.state, "state", e));
        must(ts_step(further.model, further.state, further.work, 29, e));
        must(ts_step(restored.model, restored.state, restored.work, 29, e));
        assert_int_equal(ts_state_hash(further.state), ts_state_hash(restored.state));
        sample_free(&further);
    }
    sample check = sample_make((sample_options){0});
    must(ts_step(check.model, check.state, check.work, 8 * 13 + 29, e));
    assert_int_equal(ts_state_hash(check.state), ts_state_hash(restored.state));
    assert_true(check.state->pair_count + check.state->wall_count > 0); /* springs were among what was restored */
    sample_free(&check);
    sample_free(&straight);
    sample_free(&restored);
}

static void what_it_carries_comes_back(void **unused)
{
    (void)unused;
    sample s = sample_make((sample_options){0});
    ts_checkpoint about = {.serial = 7, .trajectory = {1, 2, 3}, .energies = {4, 5, 6}}, read;
    memset(&read, 0, sizeof read);
    about.totals.session_count = 2;
    about.totals.wall_time = 1.5;
    for (int i = 0; i < TS_PHASE_COUNT; i++)
        about.totals.phase_seconds[i] = i + 0.25;
    about.totals.contact_sum = 11;
    about.totals.query_sum = 12;
    about.totals.step_count = 13;
    about.totals.measure_count = 14;
    about.totals.first = (ts_measures){1, 2, 3, 4, 5, {6, 7, 0}, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, {0, 0}};
    about.totals.last = (ts_measures){21, 22, 23, 24, 25, {26, 27, 0}, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, {0, 0}};
    about.totals.largest_overlap = 15;
    about.totals.largest_overlap_ratio = 16;
    about.totals.largest_kinetic = 17;
    must(ts_checkpoint_write("about", s.model, s.state, &about, e));
    must(ts_checkpoint_read("about", s.model, s.state, &read, e));
    assert_memory_equal(&read, &about, sizeof about);
    uint64_t serial, step;
    must(ts_checkpoint_peek("about", &serial, &step, e));
    assert_int_equal(serial, 7);
    assert_int_equal(step, 0);
    sample_free(&s);
}

/* Loads bytes that must be refused, and checks that the state has not changed. */
static void must_refuse(sample *s, const char *data, size_t size, ts_status expected)
{
    sample_write("refused", data, size);
    uint64_t before = ts_state_hash(s->state), serial, step;
    ts_error error = {0};
    ts_checkpoint about = {.serial = 99};
    ts_status status = ts_checkpoint_read("refused", s->model, s->state, &about, &error);
    if (status == TS_OK || (expected != TS_OK && status != expected))
        fail_msg("expected %s, got %s: %s", ts_status_name(expected), ts_status_name(status), error.message);
    assert_int_equal(error.status, status);
    assert_non_null(strstr(error.message, "refused")); /* names the file */
    assert_int_equal(ts_state_hash(s->state), before);
    assert_int_equal(about.serial, 99);
    if (expected == TS_CORRUPT)
        (void)ts_checkpoint_peek("refused", &serial, &step, NULL);
}

static void any_damage_is_refused(void **unused)
{
    (void)unused;
    size_t size;
    char *data = make_file("good", &size);
    sample s = sample_make((sample_options){0});
    for (size_t i = 0; i < size; i++) {
        char bit = (char)(1 << (i % 8));
        data[i] ^= bit;
        must_refuse(&s, data, size, TS_CORRUPT);
        data[i] ^= bit;
    }
    for (size_t cut = 0; cut < size; cut++)
        must_refuse(&s, data, cut, TS_CORRUPT);
    char *longer = malloc(size + 1);
    memcpy(longer, data, size);
    longer[size] = 0;
    must_refuse(&s, longer, size + 1, TS_CORRUPT);
    free(longer);
    must(ts_state_load(s.model, s.state, "good", e));
    sample_free(&s);
    ts_free(data);
}

/* With right checksums every byte may hold anything: whatever is accepted must be finite and of the model. */
static void crafted_files_do_no_harm(void **unused)
{
    (void)unused;
    size_t size;
    char *data = make_file("good", &size);
    sample s = sample_make((sample_options){0});
    size_t accepted = 0;
    for (size_t i = 8; i < size - 8; i++) {
        if (i >= 24 && i < 32)
            continue; /* the first checksum */
        for (int k = 0; k < 2; k++) {
            char kept = data[i];
            data[i] = (char)(k ? ~kept : kept ^ 0x40);
            sign(data, size);
            sample_write("crafted", data, size);
            data[i] = kept;
            ts_error error = {0};
            if (ts_state_load(s.model, s.state, "crafted", &error) != TS_OK) {
                assert_non_null(strstr(error.message, "crafted"));
                continue;
            }
            accepted++;
            for (size_t b = 0; b < s.model->body_count; b++) {
                assert_true(isfinite(s.state->body[b].x) && isfinite(s.state->body[b].spin));
                assert_true(s.state->body[b].radius == s.model->body[b].radius);
                assert_true(s.state->body[b].inv_mass == s.model->body[b].inv_mass);
            }
            assert_true(s.state->pair_count <= size / 8 && s.state->wall_count <= size / 8);
        }
    }
    assert_true(accepted > 0); /* else the signing is wrong and nothing was tried */
    sample_free(&s);
    ts_free(data);
}

/* Numbers that no setter would take are refused, wherever they stand. */
static void numbers_beyond_measure_are_refused(void **unused)
{
    (void)unused;
    const double far[] = {1.7e308, -1.001e150, (double)INFINITY, (double)NAN};
    sample s = sample_make((sample_options){0});
    while (s.state->pair_count == 0 || s.state->wall_count == 0) {
        must(ts_step(s.model, s.state, s.work, 1, e));
        assert_true(ts_state_steps(s.state) < 10000);
    }
    size_t pairs = s.state->pair_count, walls = s.state->wall_count;
    ts_state *bad;
    must(ts_state_create(s.model, &bad, e));
    must(ts_state_copy(bad, s.state, e));
    double *place[] = {
        &bad->body[2].x,          &bad->body[2].y,         &bad->body[2].angle,          &bad->body[2].vx,
        &bad->body[2].vy,         &bad->body[2].spin,      &bad->reference[1].x,         &bad->reference[1].y,
        &bad->reference[1].angle, &bad->spring[pairs - 1], &bad->wall_spring[walls - 1], &bad->reference_time};
    for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
        double kept = *place[i];
        *place[i] = far[i % 4];
        must(ts_state_save(s.model, bad, "far", e));
        *place[i] = kept;
        ts_error error = {0};
        uint64_t before = ts_state_hash(s.state);
        assert_int_equal(ts_state_load(s.model, s.state, "far", &error), TS_CORRUPT);
        assert_non_null(strstr(error.message, "beyond"));
        assert_int_equal(ts_state_hash(s.state), before);
    }
    bad->body[2].x = -1e150; /* what a setter takes comes back */
    must(ts_state_save(s.model, bad, "far", e));
    must(ts_state_load(s.model, s.state, "far", e));
    assert_true(s.state->body[2].x == -1e150);
    ts_state_free(bad);
    sample_free(&s);
}

static void a_later_version_is_told(void **unused)
{
    (void)unused;
    size_t size;
    char *data = make_file("good", &size);
    sample s = sample_make((sample_options){0});
    data[8] = TS_CHECKPOINT_VERSION + 1;
    sign(data, size);
    must_refuse(&s, data, size, TS_UNSUPPORTED);
    must_refuse(&s, "not a checkpoint at all, but long enough", 40, TS_CORRUPT);
    assert_int_equal(ts_state_load(s.model, s.state, "no such file", NULL), TS_IO);
    sample_free(&s);
    ts_free(data);
}

static void a_changed_scene_is_named(void **unused)
{
    (void)unused;
    size_t size;
    char *data = make_file("good", &size);
    const struct {
        sample_options options;
        const char *difference;
    } changed[] = {
        {{.gravity = 1.62}, "gravity"},
        {{.shift = 0.001}, "bodies"},
        {{.time_step = 5e-5}, "time step"},
        {{.no_gates = true}, "drives"},
    };
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
        sample s = sample_make(changed[i].options);
        must_refuse(&s, data, size, TS_BAD_INPUT);
        ts_error error = {0};
        assert_int_equal(ts_state_load(s.model, s.state, "good", &error), TS_BAD_INPUT);
        if (!strstr(error.message, changed[i].difference))
            fail_msg("expected the difference \"%s\" in: %s", changed[i].difference, error.message);
        sample_free(&s);
    }
    /* what only changes the output is no difference */
    sample s = sample_make((sample_options){.no_contacts = true, .frame_steps = 3});
    must(ts_state_load(s.model, s.state, "good", e));
    sample_free(&s);
    ts_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restart_equals_straight_run),
        cmocka_unit_test(what_it_carries_comes_back),
        cmocka_unit_test(any_damage_is_refused),
        cmocka_unit_test(crafted_files_do_no_harm),
        cmocka_unit_test(a_later_version_is_told),
        cmocka_unit_test(a_changed_scene_is_named),
        cmocka_unit_test(numbers_beyond_measure_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
