/* SPDX-License-Identifier: MIT */
/* Checkpoints of bodies in space: the state comes back bit for bit, or not at all. */
#include "record/sample_space.h"

#include "base/bytes.h"
#include "base/hash.h"
#include "record/checkpoint.h"
#include "record/energy_guard.h"
#include "record/summary.h"
#include "record/table.h"

#define FILE_NAME "state"

/* What resolving would have left behind. */
static void add_past(ts_state *state)
{
    for (int i = 0; i < 3; i++) {
        ts_history past = {.a = i - 1,
                           .b = 2 + i,
                           .key = 0xfedcba9876543210u + (uint64_t)i,
                           .value = {0.1 + i, 0.2, -0.3 * i, 1e-300}};
        must(ts_array_push(&state->history, past, e));
        must(ts_array_push(&state->impulses, ((ts_impulses){0.1 + i, {-1e-300, 0.2, 3.0 * i}}), e));
    }
    state->step = 77;
    state->budget = (ts_budget){1, 2, 3, 4};
}

static void assert_same_state(const ts_state *a, const ts_state *b)
{
    assert_true(a->step == b->step && a->history.count == b->history.count && a->impulses.count == b->impulses.count);
    assert_memory_equal(&a->budget, &b->budget, sizeof a->budget);
    assert_memory_equal(a->body3, b->body3, SPACE_BODIES * sizeof *a->body3);
    for (size_t i = 0; i < a->history.count; i++)
        assert_memory_equal(&a->history.item[i], &b->history.item[i], sizeof *a->history.item);
    for (size_t i = 0; i < a->impulses.count; i++)
        assert_memory_equal(&a->impulses.item[i], &b->impulses.item[i], sizeof *a->impulses.item);
}

static ts_measures measures_of(double x)
{
    ts_measures m = {.time = x, .kinetic = 2 * x, .angular = 3 * x, .contact_count = 5};
    for (int k = 0; k < 3; k++)
        m.momentum[k] = 10 * x + k;
    m.angular_xy[0] = 20 * x;
    m.angular_xy[1] = 30 * x;
    return m;
}

static void test_restart(void **nothing)
{
    (void)nothing;
    sample_space s;
    sample_space_make(&s);
    sample_space_step(&s);
    add_past(s.state);
    ts_checkpoint about = {.serial = 3, .totals = {.first = measures_of(1.5), .last = measures_of(-2)}}, back;
    must(ts_checkpoint_write(FILE_NAME, &s.model, s.state, &about, e));
    ts_state *other = sample_space_state(&s);
    must(ts_checkpoint_read(FILE_NAME, &s.model, other, &back, e));
    assert_same_state(s.state, other);
    assert_memory_equal(&back.totals.first, &about.totals.first, sizeof back.totals.first);
    assert_memory_equal(&back.totals.last, &about.totals.last, sizeof back.totals.last);
    uint64_t serial, step;
    must(ts_checkpoint_peek(FILE_NAME, &serial, &step, e));
    assert_true(serial == 3 && step == 77);
    /* and again, into a state that has a longer past: equal states have equal files */
    for (int i = 0; i < 40; i++)
        must(ts_array_push(&other->history, (ts_history){0}, e));
    must(ts_state_load(&s.model, other, FILE_NAME, e));
    assert_same_state(s.state, other);
    must(ts_checkpoint_write("again", &s.model, other, &about, e));
    sample_assert_same_file(FILE_NAME, "again");
    sample_space_free_state(other);
    sample_space_free(&s);
}

/* Changes the double or integer `back` bytes before the end of the payload, with a right checksum. */
static ts_status attempt(const sample_space *s, ts_state *into, size_t back, uint64_t bits)
{
    size_t size;
    char *data = sample_read(FILE_NAME, &size);
    unsigned char *d = (unsigned char *)data;
    ts_put_u64(d + size - 8 - back, bits);
    ts_put_u64(d + size - 8, ts_hash(d + 32, size - 40, 0));
    sample_write("bad", data, size);
    ts_free(data);
    return ts_state_load(&s->model, into, "bad", NULL);
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void test_damage(void **nothing)
{
    (void)nothing;
    enum { PAST = 56, SUMS = 3 * 32, END = SUMS + 3 * PAST, BODY = 128 };
    sample_space s;
    sample_space_make(&s);
    ts_state *other = sample_space_state(&s), *before = sample_space_state(&s);
    sample_space_step(&s);
    add_past(s.state);
    must(ts_state_save(&s.model, s.state, FILE_NAME, e));
    const struct {
        size_t back;
        uint64_t bits;
    } bad[] = {
        {SUMS + PAST, (uint64_t)(int64_t)(-1 - SPACE_WALLS)}, /* a */
        {SUMS + PAST, SPACE_BODIES},                          /* a */
        {SUMS + PAST - 8, (uint64_t)-1},                      /* b */
        {SUMS + PAST - 8, SPACE_BODIES},                      /* b */
        {SUMS + 8, bits_of((double)NAN)},                     /* tangent */
        {8, bits_of((double)NAN)},                            /* and of the whole step */
        {END + BODY, bits_of((double)INFINITY)},              /* position of the last body */
        {END + BODY - 24, bits_of(0)},                        /* attitude */
        {END + BODY - 24, bits_of((double)NAN)},              /* attitude */
        {END + BODY - 80, bits_of(1e200)},                    /* angular momentum */
        {END + 24, bits_of(0.125)},                           /* radius */
        {END + 16, bits_of(0.125)},                           /* inverse mass */
        {END + SPACE_BODIES * BODY + 8 * 2, 2},               /* impulses of the whole step */
        {END + SPACE_BODIES * BODY + 8 * 4, 4},               /* past contacts */
        {END + SPACE_BODIES * BODY + 8 * 5, 8},               /* bodies */
        {END + SPACE_BODIES * BODY + 8 * 4, 1u << 31 /* times 56 */},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_true(attempt(&s, other, bad[i].back, bad[i].bits) != TS_OK);
        assert_same_state(other, before);
    }
    assert_int_equal(attempt(&s, other, 8, bits_of(0.5)), TS_OK);
    sample_space_free_state(other);
    sample_space_free_state(before);
    sample_space_free(&s);
}

/* ---- What else a run in space leaves ---- */

static void test_table(void **nothing)
{
    (void)nothing;
    sample_space s;
    ts_energy_table table;
    ts_measures m = measures_of(2);
    sample_space_make(&s);
    must(ts_energy_table_create(&table, "energies.csv", &s.model, e));
    must(ts_energy_table_append(&table, 0, &m, NULL, e));
    ts_mark mark = table.mark;
    must(ts_energy_table_append(&table, 1, &m, NULL, e));
    ts_energy_table_close(&table);
    must(ts_energy_table_resume(&table, "energies.csv", &s.model, &mark, e));
    ts_energy_table_close(&table);
    size_t size;
    char *text = sample_read("energies.csv", &size);
    static const char expected[] =
        "time_s,kinetic_J,rotational_J,gravitational_J,elastic_J,total_J,momentum_x_Ns,momentum_y_Ns,momentum_z_Ns,"
        "angular_momentum_x_Nms,angular_momentum_y_Nms,angular_momentum_z_Nms,max_overlap_m,mean_overlap_m,"
        "max_overlap_ratio,max_speed_m_per_s,work_J,lost_normal_J,lost_tangential_J,lost_friction_J,contacts\n"
        "2,4,0,0,0,4,20,21,22,40,60,6,0,0,0,0,0,0,0,0,5\n";
    assert_int_equal(size, sizeof expected - 1);
    assert_memory_equal(text, expected, size);
    ts_free(text);
    /* the table of a plane is another one */
    ts_model plane = s.model;
    plane.dimension = 2;
    assert_int_equal(ts_energy_table_resume(&table, "energies.csv", &plane, &mark, NULL), TS_CORRUPT);
    sample_space_free(&s);
}

static void test_summary(void **nothing)
{
    (void)nothing;
    ts_summary summary = {.kind = &ts_record_space,
                          .has_measures = true,
                          .first = measures_of(1),
                          .last = measures_of(2),
                          .momentum_drift = {1, 2, 3}};
    char text[4096];
    must(ts_summary_write(&summary, "summary.json", e));
    FILE *file = fopen("summary.json", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    assert_non_null(strstr(text, "\"dimensions\""));
    static const struct {
        const char *name;
        double value[3];
    } part[] = {
        {"\"last\": [", {20, 21, 22}}, {"\"angular_last\": [", {40, 60, 6}}, {"\"momentum_drift\": [", {1, 2, 3}}};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        const char *at = strstr(text, part[i].name);
        assert_non_null(at);
        at += strlen(part[i].name);
        for (int k = 0; k < 3; k++) {
            char *end;
            assert_true(strtod(at, &end) == part[i].value[k] && *end == (k < 2 ? ',' : ']'));
            at = end + 1;
        }
    }
}

/* Only where nothing is driven; then energy out of nothing is noticed: 0.25 of the largest, and of what bodies could
 * fall by their radii. */
static void test_guard(void **nothing)
{
    (void)nothing;
    sample_space s;
    sample_space_make(&s);
    assert_false(ts_energy_guard_of(&s.model).on);
    s.model.motion_count = s.model.gate_count = 0;
    s.wall[0].motion = -1;
    assert_false(ts_energy_guard_of(&s.model).on); /* the vessel comes and goes */
    s.wall[7].open = s.wall[7].close = (double)INFINITY;
    ts_energy_guard guard = ts_energy_guard_of(&s.model);
    double lift = 0;
    for (size_t i = 0; i < 8; i++)
        lift += sqrt(9.81 * 9.81 + 0.01) * s.body[i].radius * s.mass[i];
    assert_true(guard.on && fabs(guard.lift - lift) < 1e-12 * lift);
    ts_measures m = {.kinetic = 1, .gravitational = 1};
    must(ts_energy_guard_check(&guard, &m, e));
    m.kinetic = 100;
    assert_int_equal(ts_energy_guard_check(&guard, &m, NULL), TS_DIVERGED);
    sample_space_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_restart), cmocka_unit_test(test_damage), cmocka_unit_test(test_table),
        cmocka_unit_test(test_summary), cmocka_unit_test(test_guard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
