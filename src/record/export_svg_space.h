/* SPDX-License-Identifier: MIT */
/* Drawings of the plane (export_svg.c) and of space (export_svg_space.c): what they share. */
#pragma once

#include "record/export.h"

/* The head of a drawing of what is in the box, with a title; returns the box's diagonal [m]. */
double ts_export_svg_head(const ts_trajectory_header *header, const ts_frame *frame, const ts_box3 *box, FILE *out);
