/* SPDX-License-Identifier: MIT */
/* One kernel source, one object for each instruction set.
 *
 * A file *.simd.c is compiled once with TS_ISA=baseline, once with avx2, once with avx512, and defines one table of
 * functions named by TS_KERNEL(name). Elsewhere the tables are declared and chosen from:
 *
 *     in foo.simd.c      const ts_foo_kernels TS_KERNEL(ts_foo) = {…};
 *     in foo.c           TS_KERNEL_CHOOSER(ts_foo_kernels, ts_foo)      defines ts_foo_choose()
 */
#pragma once

#include "base/cpu.h"

#define TS_KERNEL_PASTE(name, isa) name##_##isa
#define TS_KERNEL_NAME(name, isa)  TS_KERNEL_PASTE(name, isa)
#define TS_KERNEL(name)            TS_KERNEL_NAME(name, TS_ISA)

/* (Builds with sanitizers do without avx512, whose kernels take long to compile and run on few machines.) */
#if defined(TS_HAVE_AVX512_KERNELS) && TS_HAVE_AVX512_KERNELS
#define TS_KERNEL_AVX512(name) name##_avx512
#else
#define TS_KERNEL_AVX512(name) name##_avx2
#endif

#if defined(TS_HAVE_X86_KERNELS) && TS_HAVE_X86_KERNELS
#define TS_KERNEL_CHOOSER(type, name)                                                                \
    extern const type name##_baseline, name##_avx2, TS_KERNEL_AVX512(name);                          \
    const type *name##_choose(void)                                                                  \
    {                                                                                                \
        const type *table[TS_CPU_COUNT] = {&name##_baseline, &name##_avx2, &TS_KERNEL_AVX512(name)}; \
        return table[ts_cpu_level()];                                                                \
    }
#else
#define TS_KERNEL_CHOOSER(type, name)  \
    extern const type name##_baseline; \
    const type *name##_choose(void)    \
    {                                  \
        return &name##_baseline;       \
    }
#endif
