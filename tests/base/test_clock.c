/* SPDX-License-Identifier: MIT */
/* Clocks and timers, and the choice of instruction set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/cpu.h"

static void the_clock_goes_forward_with_time(void **state)
{
    (void)state;
    double start = ts_clock_seconds(), last = start;
    for (int i = 0; i < 1000; i++) {
        double now = ts_clock_seconds();
        assert_true(now >= last);
        last = now;
    }
    start = ts_clock_seconds();
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    assert_true(ts_clock_seconds() - start >= 0.005 - 1e-9);
}

static void timers_count_only_when_on(void **state)
{
    (void)state;
    ts_timers timers = {0};
    ts_timer_end(&timers, TS_PHASE_PAIRS, ts_timer_begin(&timers));
    assert_true(timers.count[TS_PHASE_PAIRS] == 0);
    assert_true(timers.seconds[TS_PHASE_PAIRS] == 0);
    ts_timer_end(NULL, TS_PHASE_PAIRS, ts_timer_begin(NULL));

    timers.on = true;
    for (int i = 0; i < 3; i++) {
        double since = ts_timer_begin(&timers);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        ts_timer_end(&timers, TS_PHASE_RESOLVE, since);
    }
    assert_true(timers.count[TS_PHASE_RESOLVE] == 3);
    assert_true(timers.seconds[TS_PHASE_RESOLVE] >= 0.003 - 1e-9);
    assert_true(timers.count[TS_PHASE_PAIRS] == 0);
}

static void phases_have_names_of_their_own(void **state)
{
    (void)state;
    for (int i = 0; i < TS_PHASE_COUNT; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(ts_phase_name((ts_phase)i), ts_phase_name((ts_phase)j));
    assert_string_equal(ts_phase_name(TS_PHASE_CONTACTS), "contacts");
    assert_string_equal(ts_phase_name(TS_PHASE_COUNT), "unknown");
}

static void a_wish_lowers_the_level_and_never_raises_it(void **state)
{
    (void)state;
    for (int has = 0; has < TS_CPU_COUNT; has++) {
        for (int wish = 0; wish < TS_CPU_COUNT; wish++)
            assert_int_equal(ts_cpu_choose(ts_cpu_level_name((ts_cpu)wish), (ts_cpu)has), wish < has ? wish : has);
        assert_int_equal(ts_cpu_choose(NULL, (ts_cpu)has), has);
        assert_int_equal(ts_cpu_choose("sse9", (ts_cpu)has), has);
    }
    assert_string_equal(ts_cpu_level_name(TS_CPU_BASELINE), "baseline");
    assert_string_equal(ts_cpu_level_name(TS_CPU_AVX512), "avx512");
    assert_string_equal(ts_cpu_level_name(TS_CPU_COUNT), "unknown");
}

/* The first question fixes the answer. Under TOUCHSTONE_CPU=baseline it is "baseline". */
static void the_environment_is_asked_once(void **state)
{
    (void)state;
    setenv("TOUCHSTONE_CPU", "baseline", 1);
    assert_int_equal(ts_cpu_level(), TS_CPU_BASELINE);
    unsetenv("TOUCHSTONE_CPU");
    assert_int_equal(ts_cpu_level(), TS_CPU_BASELINE);
}

static void the_processor_has_a_name(void **state)
{
    (void)state;
    char name[64], cut[5];
    assert_ptr_equal(ts_cpu_name(name, sizeof name), name);
    assert_true(strlen(name) > 0);
    assert_true(name[0] != ' ' && name[strlen(name) - 1] != ' ');
    ts_cpu_name(cut, sizeof cut);
    assert_int_equal(strncmp(cut, name, 4), 0);
    assert_true(strlen(cut) <= 4);
    ts_cpu_name(NULL, 0);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(the_clock_goes_forward_with_time),
        cmocka_unit_test(timers_count_only_when_on),
        cmocka_unit_test(phases_have_names_of_their_own),
        cmocka_unit_test(a_wish_lowers_the_level_and_never_raises_it),
        cmocka_unit_test(the_environment_is_asked_once),
        cmocka_unit_test(the_processor_has_a_name),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
