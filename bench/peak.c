/* SPDX-License-Identifier: MIT */
#include "peak.h"

#include "base/clock.h"
#include "base/cpu.h"

/* A fused operation has a latency of 4 or 5 cycles and two can begin in each: ten at least must be under way. Twelve
 * leave registers for the factor and the summand. */
#define CHAINS 12
#define TURNS  100000

/* Each way: TURNS times CHAINS operations x = x a + b, where `a` and `b` are unknown to the compiler. Returns how many
 * floating-point operations that is; the sum goes to `sink`, so that none is left out. */
typedef double work(float a, float b, volatile float *sink);

#if defined(__x86_64__)
#include <immintrin.h>

/* Twelve variables and not an array: gcc 12 would keep an array in memory. */
#define EACH(what, set, step)                                                                                         \
    what(0, set, step) what(1, set, step) what(2, set, step) what(3, set, step) what(4, set, step) what(5, set, step) \
        what(6, set, step) what(7, set, step) what(8, set, step) what(9, set, step) what(10, set, step)               \
            what(11, set, step)
#define BEGIN(k, set, step) x##k = set((float)(k));
#define STEP(k, set, step)  x##k = step(x##k, a, b);
#define SUM(k, set, step)   x0 += x##k;
#define DEFINE_WORK(name, isa, type, set, step)                                               \
    __attribute__((target(isa))) static double name(float fa, float fb, volatile float *sink) \
    {                                                                                         \
        type a = set(fa), b = set(fb), x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11;      \
        EACH(BEGIN, set, step)                                                                \
        for (int i = 0; i < TURNS; i++) {                                                     \
            EACH(STEP, set, step)                                                             \
        }                                                                                     \
        EACH(SUM, set, step)                                                                  \
        *sink = x0[0];                                                                        \
        return 2.0 * sizeof(type) / sizeof(float) * CHAINS * TURNS;                           \
    }
#define FUSED4(x, a, b) _mm_add_ps(_mm_mul_ps(x, a), b) /* two operations here */
DEFINE_WORK(work_sse2, "sse2", __m128, _mm_set1_ps, FUSED4)
DEFINE_WORK(work_avx2, "avx2,fma", __m256, _mm256_set1_ps, _mm256_fmadd_ps)
DEFINE_WORK(work_avx512, "avx512f", __m512, _mm512_set1_ps, _mm512_fmadd_ps)

static work *choose_work(void)
{
    work *const table[TS_CPU_COUNT] = {work_sse2, work_avx2, work_avx512};
    return table[ts_cpu_level()];
}
#else
/* Four lanes, as the compiler makes them. */
typedef float lanes4 __attribute__((vector_size(16)));

static double work_portable(float fa, float fb, volatile float *sink)
{
    lanes4 a = {fa, fa, fa, fa}, b = {fb, fb, fb, fb}, x[CHAINS];
    for (int k = 0; k < CHAINS; k++)
        x[k] = a + (float)k;
    for (int i = 0; i < TURNS; i++)
        for (int k = 0; k < CHAINS; k++)
            x[k] = x[k] * a + b;
    float sum = 0;
    for (int k = 0; k < CHAINS; k++)
        sum += x[k][0] + x[k][1] + x[k][2] + x[k][3];
    *sink = sum;
    return 2.0 * 4 * CHAINS * TURNS;
}

static work *choose_work(void)
{
    return work_portable;
}
#endif

double ts_bench_peak(double seconds)
{
    work *run = choose_work();
    volatile float sink, factor = 0.5F, summand = 1;
    double best = 0, begin = ts_clock_processor_seconds();
    run(factor, summand, &sink); /* warm */
    do {                         /* the best: other processes only slow it down */
        double since = ts_clock_processor_seconds(), count = run(factor, summand, &sink);
        double rate = count / (ts_clock_processor_seconds() - since);
        best = rate > best ? rate : best;
    } while (ts_clock_processor_seconds() - begin < seconds);
    return best;
}
