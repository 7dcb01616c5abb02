/* SPDX-License-Identifier: MIT */
/* The tables of kernels that this machine can run, for tests that compare them: name_baseline first.
 *
 *     TS_TEST_TABLES(ts_penalty_kernels, ts_penalty);      declares and defines `ts_penalty_table[]`
 *     for (int isa = 1; isa < ts_test_isa_count(); isa++) …ts_penalty_table[isa]…
 */
#pragma once

#include "base/kernel.h"

#if defined(TS_HAVE_X86_KERNELS) && TS_HAVE_X86_KERNELS
#define TS_TEST_TABLES(type, name)                                          \
    extern const type name##_baseline, name##_avx2, TS_KERNEL_AVX512(name); \
    static const type *const name##_table[] = {&name##_baseline, &name##_avx2, &TS_KERNEL_AVX512(name)}
static inline int ts_test_isa_count(void)
{
    return (int)ts_cpu_detected() + 1;
}
#else
#define TS_TEST_TABLES(type, name)     \
    extern const type name##_baseline; \
    static const type *const name##_table[] = {&name##_baseline}
static inline int ts_test_isa_count(void)
{
    return 1;
}
#endif
