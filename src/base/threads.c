/* SPDX-License-Identifier: MIT */
/* How a loop is handed out.
 *
 * One 64-bit word, the ticket, says everything a thread must know before it may touch the job:
 *
 *     bits 63…32  generation   counts the loops; a new value means new work
 *     bits 31…0   remaining    tasks not yet taken
 *
 * Taking a task is a compare-and-swap that lowers `remaining`. It can only succeed while the loop is under way, and a
 * loop cannot end while a taken task is not reported done. So the job's plain fields are read only between taking and
 * reporting, when nobody writes them; a worker that wakes late finds no task left and touches nothing. The caller thus
 * never waits for workers that had nothing to do, which matters when they sleep or are not scheduled.
 *
 * Which task it is: the tasks are dealt out in one contiguous share a thread, and a thread works through its own share
 * first, then through the others'. So in loop after loop over the same arrays a thread meets the part that its own
 * cache holds, and no thread idles while another has work left.
 *
 * Sleeping follows one pattern on both sides: announce (sleepers, caller_sleeps), look again, wait; the other side
 * changes the word, then looks for announcements. Both are sequentially consistent, so one of the two sees the other.
 *
 * A rejected design: one fetch-and-add counter beside a generation word. A late worker could then take a number of the
 * next loop while it still holds the function of the last one. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* sched_getaffinity, CPU_COUNT_S */
#endif
#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"

/* How long an idle thread spins before it sleeps [s]: longer than the serial gaps in a step (some µs), so that workers
 * stay awake within a step; short enough that an idle program uses no processor. Waking a sleeper costs about 50 µs. */
#define SPIN_SECONDS 50e-6
/* Spins between two looks at the clock. */
#define SPIN_BATCH 32
/* Spins before sleeping when threads outnumber processors. */
#define SPIN_CROWDED 200

/* Chunks of ts_pool_sum: at least this many terms each, and at most this many of them. */
#define SUM_CHUNK      1024
#define SUM_CHUNKS_MAX 256

#define TICKET_COUNT   (((uint64_t)1 << 32) - 1)

typedef struct worker {
    ts_pool *pool;
    int index;
    pthread_t thread;
} worker;

/* A thread's share of the tasks: next, next + 1, … end - 1. */
typedef struct share {
    _Alignas(64) atomic_int next; /* runs past the end when others look for work here */
    int end;                      /* written by the caller between loops */
} share;

/* Words that different threads write stand on cache lines of their own. */
struct ts_pool {
    _Alignas(64) _Atomic uint64_t ticket;
    _Alignas(64) _Atomic int done; /* tasks finished in this loop */
    _Alignas(64) ts_task *run;     /* the job: written by the caller between loops */
    void *context;
    int task_count;
    int thread_count;                 /* never changes, as all below */
    bool crowded;                     /* more threads than processors */
    worker *worker;                   /* (thread_count - 1) */
    share *share;                     /* (thread_count) */
    _Alignas(64) atomic_int sleepers; /* workers asleep or about to be */
    atomic_bool caller_sleeps;
    atomic_bool stop;
    pthread_mutex_t mutex; /* for sleeping only */
    pthread_cond_t work;   /* a new ticket, or stop */
    pthread_cond_t finish; /* done == task_count */
};

/* Which pool's task this thread is inside, and its number there, for nested loops. */
static _Thread_local struct {
    const ts_pool *pool;
    int thread;
} inside;

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

/* Counts one spin; false when it is time to sleep. */
typedef struct spin {
    int count;
    double until;
} spin;

static bool spin_on(const ts_pool *pool, spin *s)
{
    relax();
    s->count++;
    if (pool->crowded) {
        if (s->count % SPIN_BATCH == 0)
            sched_yield();
        return s->count < SPIN_CROWDED;
    }
    if (s->count % SPIN_BATCH != 0)
        return true;
    double now = ts_clock_seconds();
    if (s->until <= 0)
        s->until = now + SPIN_SECONDS;
    return now < s->until;
}

/* ---- Tasks ---- */

/* Deals the tasks out in contiguous shares. */
static void deal(ts_pool *pool, int task_count)
{
    int threads = pool->thread_count;
    for (int t = 0; t < threads; t++) {
        atomic_store_explicit(&pool->share[t].next, (int)((int64_t)t * task_count / threads), memory_order_relaxed);
        pool->share[t].end = (int)((int64_t)(t + 1) * task_count / threads);
    }
}

/* The task for a thread that has taken one: of its own share while there are any, else of another's. As many tasks are
 * left in the shares as were taken and not yet looked up, so there is one. */
static int next_task(ts_pool *pool, int t)
{
    for (;; t = (t + 1) % pool->thread_count) {
        share *from = &pool->share[t];
        if (atomic_load_explicit(&from->next, memory_order_relaxed) >= from->end)
            continue;
        int task = atomic_fetch_add_explicit(&from->next, 1, memory_order_relaxed);
        if (task < from->end)
            return task;
    }
}

/* Takes and runs tasks of this generation until none is left, and returns how many. */
static int run_taken(ts_pool *pool, int t, uint64_t ticket)
{
    uint64_t generation = ticket >> 32;
    int taken = 0;
    while (ticket >> 32 == generation && (ticket & TICKET_COUNT) > 0) {
        if (atomic_compare_exchange_weak_explicit(&pool->ticket, &ticket, ticket - 1, memory_order_acq_rel,
                                                  memory_order_acquire)) {
            pool->run(pool->context, next_task(pool, t), t);
            taken++;
            ticket = atomic_load_explicit(&pool->ticket, memory_order_acquire);
        }
    }
    return taken;
}

/* ---- Workers ---- */

/* Waits for a ticket of another generation. */
static uint64_t wait_for_ticket(ts_pool *pool, uint64_t generation)
{
    spin s = {0};
    uint64_t ticket;
    do {
        ticket = atomic_load_explicit(&pool->ticket, memory_order_acquire);
        if (ticket >> 32 != generation)
            return ticket;
    } while (spin_on(pool, &s));

    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->sleepers, 1);
    while ((ticket = atomic_load(&pool->ticket)) >> 32 == generation)
        pthread_cond_wait(&pool->work, &pool->mutex);
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->mutex);
    return ticket;
}

/* Adds to the finished tasks. The pool outlives this, since its owner joins the workers before freeing it. */
static void report(ts_pool *pool, int tasks)
{
    if (tasks == 0)
        return;
    int count = pool->task_count; /* before the report, after which the next loop may write it */
    int done = atomic_fetch_add(&pool->done, tasks) + tasks;
    if (done == count && atomic_load(&pool->caller_sleeps)) {
        pthread_mutex_lock(&pool->mutex);
        pthread_cond_signal(&pool->finish);
        pthread_mutex_unlock(&pool->mutex);
    }
}

static void *work(void *argument)
{
    worker *self = argument;
    ts_pool *pool = self->pool;
    inside.pool = pool;
    inside.thread = self->index;
    uint64_t generation = 0;
    for (;;) {
        uint64_t ticket = wait_for_ticket(pool, generation);
        if (atomic_load_explicit(&pool->stop, memory_order_acquire))
            return NULL;
        generation = ticket >> 32;
        report(pool, run_taken(pool, self->index, ticket));
    }
}

/* ---- The caller ---- */

static void publish(ts_pool *pool, uint64_t ticket)
{
    atomic_store(&pool->ticket, ticket);
    if (atomic_load(&pool->sleepers) > 0) {
        pthread_mutex_lock(&pool->mutex);
        pthread_cond_broadcast(&pool->work);
        pthread_mutex_unlock(&pool->mutex);
    }
}

static void wait_until_done(ts_pool *pool, int task_count)
{
    spin s = {0};
    do {
        if (atomic_load_explicit(&pool->done, memory_order_acquire) == task_count)
            return;
    } while (spin_on(pool, &s));

    pthread_mutex_lock(&pool->mutex);
    atomic_store(&pool->caller_sleeps, true);
    while (atomic_load(&pool->done) != task_count)
        pthread_cond_wait(&pool->finish, &pool->mutex);
    atomic_store(&pool->caller_sleeps, false);
    pthread_mutex_unlock(&pool->mutex);
}

void ts_pool_run(ts_pool *pool, int task_count, ts_task *run, void *context)
{
    /* inline when there is nothing to share, or when called from inside a task */
    bool nested = pool && inside.pool == pool;
    if (!pool || pool->thread_count == 1 || task_count <= 1 || nested) {
        for (int i = 0; i < task_count; i++)
            run(context, i, nested ? inside.thread : 0);
        return;
    }
    const ts_pool *outer_pool = inside.pool; /* a task of another pool may own this one */
    int outer_thread = inside.thread;
    inside.pool = pool;
    inside.thread = 0;
    pool->run = run;
    pool->context = context;
    pool->task_count = task_count;
    deal(pool, task_count);
    atomic_store_explicit(&pool->done, 0, memory_order_relaxed);
    uint64_t generation = (atomic_load_explicit(&pool->ticket, memory_order_relaxed) >> 32) + 1;
    uint64_t ticket = generation << 32 | (uint64_t)task_count;
    publish(pool, ticket);

    int tasks = run_taken(pool, 0, ticket);
    if (tasks > 0)
        atomic_fetch_add_explicit(&pool->done, tasks, memory_order_acq_rel);
    wait_until_done(pool, task_count);
    inside.pool = outer_pool;
    inside.thread = outer_thread;
}

/* ---- Public functions ---- */

ts_status ts_pool_create(int thread_count, ts_pool **pool, ts_error *error)
{
    if (thread_count < 0 || thread_count > TS_POOL_THREADS_MAX)
        return ts_fail(error, TS_BAD_INPUT, "%d threads were asked for; give 1 to %d, or 0 for one a processor",
                       thread_count, TS_POOL_THREADS_MAX);
    int processors = ts_processor_count();
    if (thread_count == 0)
        thread_count = processors < TS_POOL_THREADS_MAX ? processors : TS_POOL_THREADS_MAX;

    size_t workers = (size_t)thread_count - 1;
    ts_pool *made = ts_alloc(1, sizeof *made);
    worker *crew = ts_alloc(workers, sizeof *crew);
    share *shares = ts_alloc((size_t)thread_count, sizeof *shares);
    if (!made || !crew || !shares) {
        ts_free(made);
        ts_free(crew);
        ts_free(shares);
        return ts_fail_memory(error, sizeof *made + workers * sizeof *crew + (size_t)thread_count * sizeof *shares);
    }
    made->share = shares;
    made->thread_count = thread_count;
    made->crowded = thread_count > processors;
    made->worker = crew;
    pthread_mutex_init(&made->mutex, NULL);
    pthread_cond_init(&made->work, NULL);
    pthread_cond_init(&made->finish, NULL);
    for (int i = 1; i < thread_count; i++) {
        worker *w = &crew[i - 1];
        *w = (worker){.pool = made, .index = i};
        int reason = pthread_create(&w->thread, NULL, work, w);
        if (reason != 0) {
            made->thread_count = i; /* so many to stop and join */
            ts_pool_free(made);
            return ts_fail(error, TS_IO, "cannot start thread %d of %d (error %d); ask for fewer threads", i + 1,
                           thread_count, reason);
        }
    }
    *pool = made;
    return TS_OK;
}

void ts_pool_free(ts_pool *pool)
{
    if (!pool)
        return;
    atomic_store(&pool->stop, true);
    publish(pool, ((atomic_load(&pool->ticket) >> 32) + 1) << 32);
    for (int i = 1; i < pool->thread_count; i++)
        pthread_join(pool->worker[i - 1].thread, NULL);
    pthread_cond_destroy(&pool->finish);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->mutex);
    ts_free(pool->worker);
    ts_free(pool->share);
    ts_free(pool);
}

int ts_pool_thread_count(const ts_pool *pool)
{
    return pool ? pool->thread_count : 1;
}

typedef struct sum_job {
    ts_term *term;
    void *context;
    size_t count, chunk; /* terms in all, and in a chunk */
    double partial[SUM_CHUNKS_MAX];
} sum_job;

static void sum_chunk(void *context, int task, int thread)
{
    (void)thread;
    sum_job *job = context;
    size_t begin = (size_t)task * job->chunk, end = begin + job->chunk;
    job->partial[task] = job->term(job->context, begin, end < job->count ? end : job->count);
}

double ts_pool_sum(ts_pool *pool, size_t count, ts_term *term, void *context)
{
    if (count == 0)
        return 0;
    /* the chunk is a function of `count` alone */
    size_t chunk = count / SUM_CHUNKS_MAX + (count % SUM_CHUNKS_MAX != 0);
    if (chunk < SUM_CHUNK)
        chunk = SUM_CHUNK;
    int chunk_count = (int)((count - 1) / chunk + 1);
    sum_job job = {.term = term, .context = context, .count = count, .chunk = chunk};
    ts_pool_run(pool, chunk_count, sum_chunk, &job);
    double sum = 0;
    for (int i = 0; i < chunk_count; i++)
        sum += job.partial[i];
    return sum;
}

int ts_processor_count(void)
{
#if defined(__linux__)
    /* the mask of a large machine may need more than the usual 1024 bits */
    for (int bits = CPU_SETSIZE; bits <= 64 * CPU_SETSIZE; bits *= 8) {
        cpu_set_t *set = CPU_ALLOC((size_t)bits);
        if (!set)
            break;
        size_t bytes = CPU_ALLOC_SIZE((size_t)bits);
        int count = sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
        CPU_FREE(set);
        if (count > 0)
            return count;
    }
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}
