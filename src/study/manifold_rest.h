/* SPDX-License-Identifier: MIT */
/* The second half of the study `manifold-impact`: rest poses of smooth bodies by several dynamics, and of their meshes. */
#pragma once

#include "study/study.h"

/* Runs and claims, from the study's part `span` of all work on; rest-poses.csv and rest-poses.png. */
ts_status ts_manifold_rest(ts_study *study, const double span[2], ts_error *error);
