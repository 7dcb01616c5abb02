/* SPDX-License-Identifier: MIT */
#include "touchstone/version.h"

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

const char *ts_version(void)
{
    return TEXT(TS_VERSION_MAJOR) "." TEXT(TS_VERSION_MINOR) "." TEXT(TS_VERSION_PATCH);
}
