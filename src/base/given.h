/* SPDX-License-Identifier: MIT */
/* Pointers that a user's program must give to a public function: a NULL is an error like any other, not a crash. */
#pragma once

#include "base/status.h"

/* Returns early unless `argument` is given; the message names it as the public header does. */
#define TS_GIVEN(argument, what, error)                                                                      \
    do {                                                                                                     \
        if (!(argument))                                                                                     \
            return ts_fail((error), TS_BAD_INPUT, "%s: the argument " #argument " is NULL; pass one", what); \
    } while (0)
