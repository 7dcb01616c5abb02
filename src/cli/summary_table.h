/* SPDX-License-Identifier: MIT */
/* A run's summary for people: a table of at most 80 columns. */
#pragma once

#include <stdio.h>

#include "record/summary.h"

/* `folder` may be NULL, when nothing was recorded. */
void ts_summary_print(const ts_summary *summary, const char *folder, FILE *stream);
