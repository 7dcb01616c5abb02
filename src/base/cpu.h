/* SPDX-License-Identifier: MIT */
/* Which instruction set to use, asked once at run time.
 *
 * Hot kernels are compiled once per level and chosen through a table of function pointers indexed by ts_cpu_level().
 * A user lowers the level with TOUCHSTONE_CPU=baseline|avx2|avx512, for example to get the same bits on two machines;
 * a level above what the machine has is cut down to what it has. */
#pragma once

typedef enum ts_cpu {
    TS_CPU_BASELINE, /* whatever the compiler was told for the whole library: SSE2 on x86-64, portable elsewhere */
    TS_CPU_AVX2,     /* AVX2, FMA, BMI2 (x86-64-v3) */
    TS_CPU_AVX512,   /* AVX-512 F, BW, DQ, VL, CD besides (x86-64-v4) */
    TS_CPU_COUNT
} ts_cpu;

/* The level to use. Detected at the first call and then fixed; safe from any thread. */
ts_cpu ts_cpu_level(void);
/* What the machine has, without the environment's say. */
ts_cpu ts_cpu_detected(void);
/* The level that a value of TOUCHSTONE_CPU chooses on a machine that has `detected`; NULL and unknown words change
 * nothing. */
ts_cpu ts_cpu_choose(const char *wish, ts_cpu detected);
/* "baseline", "avx2" or "avx512". */
const char *ts_cpu_level_name(ts_cpu level);
/* The processor's brand for bench reports, such as "AMD EPYC 7B13"; "unknown processor" when it does not tell. Writes
 * at most `capacity` bytes with the terminating zero, and returns `text`. */
char *ts_cpu_name(char *text, int capacity);
