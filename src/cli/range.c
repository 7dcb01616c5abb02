/* SPDX-License-Identifier: MIT */
#include "cli/range.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/format.h"

/* One bound of a range of `total` items: negative counts from the end, cut to 0 … total. */
static uint64_t bound(int64_t value, uint64_t total)
{
    uint64_t back = 0 - (uint64_t)value;
    if (value < 0)
        return back > total ? 0 : total - back;
    return (uint64_t)value > total ? total : (uint64_t)value;
}

ts_status ts_range_read(const char *text, uint64_t total, ts_range *out, ts_error *error)
{
    int64_t value[3] = {0, (int64_t)total, 1};
    char part[3][32];
    int count = 0;
    *out = (ts_range){0, total, 1};
    if (!text)
        return TS_OK;
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ":");
        bool fits = count < 3 && length < sizeof part[0];
        if (fits)
            snprintf(part[count], sizeof part[0], "%.*s", (int)length, at);
        if (!fits || (length && !ts_parse_int64(part[count], &value[count])) || (value[2] < 1))
            return ts_fail(error, TS_BAD_INPUT, "--frames is '%s', but must be as in 10:20, 10:, ::5 or -1", text);
        count++;
        at += length;
        if (!*at)
            break;
    }
    uint64_t a = bound(value[0], total), b = count == 1 ? a + 1 : bound(value[1], total);
    if (a >= b || a >= total)
        return ts_fail(error, TS_BAD_INPUT, "--frames %s chooses nothing: the run has %s, from 0", text,
                       ts_show_counted(total, "frame").text);
    *out = (ts_range){a, b - a, (uint64_t)value[2]};
    return TS_OK;
}
