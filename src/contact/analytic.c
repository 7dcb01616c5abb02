/* SPDX-License-Identifier: MIT */
#include "contact/analytic.h"

#include "base/kernel.h"

TS_KERNEL_CHOOSER(ts_analytic_kernels, ts_analytic)
