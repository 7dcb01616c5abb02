/* SPDX-License-Identifier: MIT */
#include "base/cpu.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#define X86 1
#else
#define X86 0
#endif

static const char *const level_name[TS_CPU_COUNT] = {
    [TS_CPU_BASELINE] = "baseline", [TS_CPU_AVX2] = "avx2", [TS_CPU_AVX512] = "avx512"};

ts_cpu ts_cpu_detected(void)
{
#if X86
    /* feature by feature, since clang 14 does not know "x86-64-v3"; the builtin also asks whether the system saves the
     * wide registers */
    __builtin_cpu_init();
    if (!(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")))
        return TS_CPU_BASELINE;
    if (!(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
          __builtin_cpu_supports("avx512cd")))
        return TS_CPU_AVX2;
    return TS_CPU_AVX512;
#else
    return TS_CPU_BASELINE;
#endif
}

ts_cpu ts_cpu_choose(const char *wish, ts_cpu detected)
{
    for (ts_cpu level = 0; wish && level < TS_CPU_COUNT; level++)
        if (strcmp(wish, level_name[level]) == 0)
            return level < detected ? level : detected;
    return detected;
}

ts_cpu ts_cpu_level(void)
{
    /* the library's only global state: 1 + level once known. Two threads that ask first both store the same. */
    static atomic_int known;
    int level = atomic_load_explicit(&known, memory_order_relaxed);
    if (level == 0) {
        level = 1 + (int)ts_cpu_choose(getenv("TOUCHSTONE_CPU"), ts_cpu_detected());
        atomic_store_explicit(&known, level, memory_order_relaxed);
    }
    return (ts_cpu)(level - 1);
}

const char *ts_cpu_level_name(ts_cpu level)
{
    return (unsigned)level < TS_CPU_COUNT ? level_name[level] : "unknown";
}

char *ts_cpu_name(char *text, int capacity)
{
    if (capacity <= 0)
        return text;
    char brand[49] = "";
#if X86
    /* leaves 80000002 … 80000004 hold 48 characters, padded with spaces and zeros */
    unsigned word[12] = {0};
    if ((unsigned)__get_cpuid_max(0x80000000u, NULL) >= 0x80000004u) {
        for (unsigned i = 0; i < 3; i++)
            __get_cpuid(0x80000002u + i, &word[4 * i], &word[4 * i + 1], &word[4 * i + 2], &word[4 * i + 3]);
        memcpy(brand, word, 48);
    }
#endif
    const char *start = brand + strspn(brand, " ");
    size_t length = strlen(start);
    while (length > 0 && start[length - 1] == ' ')
        length--;
    if (length > 0)
        snprintf(text, (size_t)capacity, "%.*s", (int)length, start);
    else
        snprintf(text, (size_t)capacity, "unknown processor");
    return text;
}
