/* SPDX-License-Identifier: MIT */
/* test_simd_exp.c compiled for AVX2 and FMA. Only gcc can change the instruction set for the rest of a file; with clang
 * the test is skipped. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("avx2,fma,bmi2")
#include "test_simd_exp.c" // NOLINT(bugprone-suspicious-include)
#else
int main(void)
{
    return 77;
}
#endif
