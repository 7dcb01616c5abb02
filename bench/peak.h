/* SPDX-License-Identifier: MIT */
/* What a core can do: floating-point operations a second, in single precision, when nothing but registers is
 * touched. */
#pragma once

/* Measured on this thread for some `seconds`, with the instructions that kernels use here (base/cpu.h): fused
 * multiply–adds of 8 or 16 lanes, or multiplications and additions of 4. A fused operation counts as two. [1/s] */
double ts_bench_peak(double seconds);
