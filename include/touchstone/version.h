/* SPDX-License-Identifier: MIT */
/**
 * @file version.h
 * Which Touchstone this is.
 *
 * The macros give the version of the headers, ts_version() the version of the library that the program runs with. This
 * file is the one place where the version is written; the build reads it from here.
 */
#pragma once

#include "touchstone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TS_VERSION_MAJOR 0 /**< changes when a program must be changed to go on working */
#define TS_VERSION_MINOR 1 /**< changes when something is added; while major is 0, also when programs must change */
#define TS_VERSION_PATCH 0 /**< changes when something is mended */

/** The library's version, such as "0.1.0". Never NULL; owned by the library; safe in any thread. */
TS_API const char *ts_version(void);

#ifdef __cplusplus
}
#endif
