/* SPDX-License-Identifier: MIT */
/* Forms: what parts look like to each other, and which contact map answers for a pair of them.
 *
 * A form is an outline at one scale, or a disc of one radius; every part has one. Discs meet in closed form
 * (contact/analytic.h). Any other two forms meet by a map (touchstone/map.h), made for the ratio of their sizes: pairs
 * of one ratio share it, with a scale. Where a shape comes in many sizes, no map is made for it: it meets others
 * exactly, whatever the scene's kind of map (cspace/loose.h).
 *
 *     part ─▶ form a ┐
 *                    ├─▶ meeting: which map, at which scale        map 0: two discs
 *     part ─▶ form b ┘
 *
 * Which maps there must be is known when a scene is compiled; making them takes time and shows progress, so that is a
 * call of its own (ts_model_prepare in touchstone/sim.h). A scene of discs alone has no forms at all. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "cspace/clearance.h"
#include "cspace/loose.h"
#include "cspace/pair.h"
#include "cspace/wall.h"
#include "touchstone/map.h"

/* Sizes of one shape, at most, for which maps are made. */
#define TS_SIZES_MAX 8

typedef struct ts_model ts_model;

typedef struct ts_form {
    int32_t shape; /* index into the model's shapes; -1: a disc */
    double scale;  /* of the outline [1]; of a disc its radius [m] */
    size_t free;   /* parts of this form that can move */
    size_t fixed;  /* and that cannot */
} ts_form;

/* How two forms meet. */
typedef struct ts_form_meeting {
    int32_t map;  /* index into map[]; or one of those below */
    double scale; /* of both, against what the map was made for */
    bool turned;  /* of forms a < b the map has b first: it was made for another size of theirs */
} ts_form_meeting;

#define TS_MAP_OF_NONE     (-1) /* neither can move: they are no pair */
#define TS_MAP_OF_DISCS    0
#define TS_MAP_OF_LOOSE    1 /* exact, form against form */
#define TS_MAP_OF_FEATURES 2 /* exact, at every place where they touch (contact/featured.h) */
#define TS_MAP_FIRST       3 /* the first that is one */

/* A map with what a hot loop wants to know of it. */
typedef struct ts_form_map {
    ts_map *map;            /* NULL until prepared, and of discs and loose ones */
    ts_clearance clearance; /* at scale 1 */
    double error;       /* 99% of its gaps are off by less, of the smaller radius; 0: it is exact, or not measured */
    int32_t a, b;       /* forms that it is made for, a ≤ b */
    char *file;         /* the map file that the scene names for it (contact/given.h); NULL: none, it is made */
    uint64_t file_hash; /* of that file's bytes */
} ts_form_map;

typedef struct ts_forms {
    size_t count;
    ts_form *form;            /* (count) */
    uint16_t *of_part;        /* (part_count) */
    ts_form_meeting *meeting; /* of forms a ≤ b: meeting[a * count + b]; the same both ways (count²) */
    size_t map_count;         /* with those before TS_MAP_FIRST, which are none */
    ts_form_map *map;         /* (map_count) */
    ts_wall_map **wall;       /* of each form that is an outline (count) */
    ts_loose **loose;         /* of each form, if some meet so (count) */
    bool has_loose;
    struct ts_features **features;      /* of each form, where the model has contacts by features (count) */
    struct ts_features **wall_features; /* of each wall (wall_count) */
    size_t wall_count;
    bool ready;   /* the maps are there */
    size_t bytes; /* on the heap, without maps and pieces: see ts_forms_bytes */

    struct ts_pieces *pieces; /* of walls that are lines and arcs (contact/pieces.h); NULL: there are none */
    double wall_reach;        /* how far beyond their lines polylines reach for outlines [m] */
} ts_forms;

/* The forms of a model's parts; *forms is NULL when all are discs. */
ts_status ts_forms_create(const ts_model *model, ts_forms **forms, ts_error *error);
void ts_forms_free(ts_forms *forms); /* NULL is fine */
TS_RELEASE_AT(ts_forms, ts_forms_free)
/* Makes the maps that the scene has not brought along, or finds them in the cache. */
ts_status ts_forms_prepare(ts_forms *forms, const ts_model *model, const ts_map_making *making, ts_error *error);
/* Bytes on the heap, with whatever of the maps is there; NULL has none. */
size_t ts_forms_bytes(const ts_forms *forms);
/* The two outlines that a map is for, at their size and in this order; the caller's to free. */
ts_status ts_forms_pair(const ts_forms *forms, const ts_model *model, const ts_form_map *map, ts_pair **pair,
                        ts_error *error);
/* The outline of a form at its size; the caller's to free. */
ts_status ts_forms_outline(const ts_forms *forms, const ts_model *model, int32_t form, ts_outline **outline,
                           ts_error *error);
/* "hash", or "hash (0.5)" where a shape has several sizes. */
void ts_forms_name_form(const ts_forms *forms, const ts_model *model, size_t form, char text[80]);
/* "hash×block", or with scales where a shape has several. */
const char *ts_forms_name(const ts_forms *forms, const ts_model *model, const ts_form_map *map, char text[160]);

static inline bool ts_form_is_disc(const ts_forms *forms, uint16_t form)
{
    return forms->form[form].shape < 0;
}
