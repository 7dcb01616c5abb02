/* SPDX-License-Identifier: MIT */
/* Maps that a scene brings along, as the bytes of map files (cspace/map_file.h), instead of having them made.
 *
 *     bytes ─▶ decode ─▶ which pairs of forms is it of? ─▶ it is theirs, at their size and in their order
 *                         └─▶ none: an error at the place where the scene names it
 *
 * One that is not used would mean that somebody simulates with another map than they think, so it is refused; and so
 * are two for one pair. */
#pragma once

#include <stddef.h>

#include "base/status.h"
#include "touchstone/sim.h"

struct ts_forms;

typedef struct ts_given_map {
    const char *name; /* of its file; stands for it in messages */
    const void *bytes;
    size_t size;
    ts_place place; /* where the scene names it */
} ts_given_map;

/* Puts each of them into the maps of `forms` (contact/forms.h) that it is of. `forms` may be NULL: all parts are discs.
 * */
ts_status ts_forms_give(struct ts_forms *forms, const ts_model *model, const ts_given_map *given, size_t count,
                        ts_error *error);
