/* SPDX-License-Identifier: MIT */
/* The pool: each task once, on a thread that exists, with everything visible afterwards; sums with the same bits on any
 * number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/threads.h"

#define TASKS_MAX 3000

static const int thread_counts[] = {1, 2, 3, 8};
#define THREAD_COUNTS (sizeof thread_counts / sizeof *thread_counts)

/* Plain fields, on purpose: thread sanitizer must find the pool's own synchronisation enough. */
typedef struct record {
    int runs[TASKS_MAX];
    int thread[TASKS_MAX];
    int thread_count;
    int *scratch; /* (thread_count) */
} record;

static void note(void *context, int task, int thread)
{
    record *r = context;
    r->runs[task]++;
    r->thread[task] = thread;
    r->scratch[thread]++; /* a thread number is never used by two threads at once */
}

static ts_pool *pool_of(int threads)
{
    ts_pool *pool = NULL;
    ts_error error;
    if (ts_pool_create(threads, &pool, &error) != TS_OK)
        fail_msg("%s", error.message);
    return pool;
}

static void check_once(record *r, int tasks)
{
    int sum = 0;
    for (int i = 0; i < TASKS_MAX; i++) {
        assert_int_equal(r->runs[i], i < tasks);
        if (i < tasks)
            assert_in_range(r->thread[i], 0, r->thread_count - 1);
    }
    for (int t = 0; t < r->thread_count; t++)
        sum += r->scratch[t];
    assert_int_equal(sum, tasks);
}

static void each_task_runs_once(void **state)
{
    (void)state;
    static const int sizes[] = {0, 1, 2, 3, 5, 7, 8, 9, 64, 1000, TASKS_MAX, -4};
    record *r = ts_alloc(1, sizeof *r);
    for (size_t k = 0; k < THREAD_COUNTS; k++) {
        ts_pool *pool = pool_of(thread_counts[k]);
        assert_int_equal(ts_pool_thread_count(pool), thread_counts[k]);
        int *scratch = ts_alloc((size_t)thread_counts[k], sizeof *scratch);
        for (int repeat = 0; repeat < 5; repeat++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                memset(r, 0, sizeof *r);
                memset(scratch, 0, (size_t)thread_counts[k] * sizeof *scratch);
                r->scratch = scratch;
                r->thread_count = thread_counts[k];
                ts_pool_run(pool, sizes[s], note, r);
                check_once(r, sizes[s] > 0 ? sizes[s] : 0);
            }
        ts_free(scratch);
        ts_pool_free(pool);
    }
    ts_free(r);
}

static void without_a_pool_tasks_run_in_order(void **state)
{
    (void)state;
    record *r = ts_alloc(1, sizeof *r);
    int scratch = 0;
    r->scratch = &scratch;
    r->thread_count = 1;
    ts_pool_run(NULL, 10, note, r);
    check_once(r, 10);
    assert_int_equal(ts_pool_thread_count(NULL), 1);
    ts_pool_free(NULL);
    ts_free(r);
}

/* Many short loops of changing kind and size in a row: a worker that is late for one must not disturb the next. Each
 * loop reads what the one before wrote. */
typedef struct relay {
    const long *from;
    long *to;
    int count;
} relay;

static void pass_on(void *context, int task, int thread)
{
    (void)thread;
    relay *r = context;
    r->to[task] = r->from[(task + 1) % r->count] + 1;
}

static void loops_in_a_row_see_each_others_results(void **state)
{
    (void)state;
    for (size_t k = 0; k < THREAD_COUNTS; k++) {
        ts_pool *pool = pool_of(thread_counts[k]);
        long a[13] = {0}, b[13];
        for (int loop = 0; loop < 3000; loop++) {
            relay r = {loop % 2 ? b : a, loop % 2 ? a : b, 13};
            ts_pool_run(pool, 13, pass_on, &r);
            if (loop % 500 == 0) /* long enough for the workers to fall asleep */
                nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        }
        for (int i = 0; i < 13; i++)
            assert_int_equal(a[i], 3000);
        ts_pool_free(pool);
    }
}

static void sleepy(void *context, int task, int thread)
{
    (void)thread;
    nanosleep(&(struct timespec){.tv_nsec = task == 0 ? 0 : 1000000}, NULL);
    atomic_fetch_add((atomic_int *)context, 1);
}

/* The caller finishes first and must sleep until the others are done. */
static void the_caller_waits_for_slow_tasks(void **state)
{
    (void)state;
    ts_pool *pool = pool_of(3);
    for (int loop = 1; loop <= 20; loop++) {
        atomic_int finished = 0;
        ts_pool_run(pool, 3, sleepy, &finished);
        assert_int_equal(finished, 3);
    }
    ts_pool_free(pool);
}

typedef struct nest {
    ts_pool *pool;
    int inner_runs[16], inner_thread[16], outer_thread[16];
} nest;

static void inner(void *context, int task, int thread)
{
    (void)task;
    int *cell = context;
    cell[0]++;
    cell[16] = thread;
}

static void outer(void *context, int task, int thread)
{
    nest *n = context;
    n->outer_thread[task] = thread;
    ts_pool_run(n->pool, 5, inner, &n->inner_runs[task]);
}

static void a_nested_loop_runs_inline_on_its_own_thread(void **state)
{
    (void)state;
    nest n = {.pool = pool_of(3)};
    ts_pool_run(n.pool, 16, outer, &n);
    for (int i = 0; i < 16; i++) {
        assert_int_equal(n.inner_runs[i], 5);
        assert_int_equal(n.inner_thread[i], n.outer_thread[i]);
    }
    ts_pool_free(n.pool);
}

static double sum_range(void *context, size_t begin, size_t end)
{
    const double *x = context;
    double sum = 0;
    for (size_t i = begin; i < end; i++)
        sum += x[i];
    return sum;
}

static void sums_have_the_same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 1023, 1024, 1025, 10000, 262144, 262145, 700001};
    size_t most = 700001;
    double *x = ts_alloc(most, sizeof *x);
    for (size_t i = 0; i < most; i++) /* terms of very different size: the order matters */
        x[i] = ts_random_normal(1, 1, i) * (i % 7 == 0 ? 1e12 : 1);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        double alone = ts_pool_sum(NULL, sizes[s], sum_range, x);
        /* against a sum in extended precision: n terms round by at most n ulp of the sum of magnitudes */
        long double exact = 0, magnitude = 0;
        for (size_t i = 0; i < sizes[s]; i++) {
            exact += (long double)x[i];
            magnitude += (long double)(x[i] < 0 ? -x[i] : x[i]);
        }
        long double difference = exact - (long double)alone;
        assert_true((difference < 0 ? -difference : difference) <= (long double)sizes[s] * 2.3e-16L * magnitude);
        for (size_t k = 0; k < THREAD_COUNTS; k++) {
            ts_pool *pool = pool_of(thread_counts[k]);
            double sum = ts_pool_sum(pool, sizes[s], sum_range, x);
            assert_memory_equal(&sum, &alone, sizeof sum);
            ts_pool_free(pool);
        }
    }
    ts_free(x);
}

static double count_range(void *context, size_t begin, size_t end)
{
    (void)context;
    return (double)(end - begin);
}

static void sums_cover_every_term_once(void **state)
{
    (void)state;
    for (size_t count = 0; count < 3000000; count = count * 3 / 2 + 1)
        assert_true(ts_pool_sum(NULL, count, count_range, NULL) == (double)count);
    assert_true(ts_pool_sum(NULL, (size_t)1 << 50, count_range, NULL) == 0x1p50);
}

static void strange_thread_counts_are_refused(void **state)
{
    (void)state;
    ts_pool *pool = (ts_pool *)&pool;
    ts_error error;
    assert_int_equal(ts_pool_create(-1, &pool, &error), TS_BAD_INPUT);
    assert_int_equal(ts_pool_create(TS_POOL_THREADS_MAX + 1, &pool, NULL), TS_BAD_INPUT);
    assert_ptr_equal(pool, &pool); /* untouched */
    ts_pool *all = pool_of(0);
    assert_int_equal(ts_pool_thread_count(all), ts_processor_count());
    ts_pool_free(all);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(each_task_runs_once),
        cmocka_unit_test(without_a_pool_tasks_run_in_order),
        cmocka_unit_test(loops_in_a_row_see_each_others_results),
        cmocka_unit_test(the_caller_waits_for_slow_tasks),
        cmocka_unit_test(a_nested_loop_runs_inline_on_its_own_thread),
        cmocka_unit_test(sums_have_the_same_bits_on_any_number_of_threads),
        cmocka_unit_test(sums_cover_every_term_once),
        cmocka_unit_test(strange_thread_counts_are_refused),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
