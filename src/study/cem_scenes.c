/* SPDX-License-Identifier: MIT */
#include "study/cem_scenes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "scene/read.h"
#include "study/grains.h"

#define OVERRIDES_MAX 64
#define FILES_MAX     16

typedef struct variant {
    const char *scene;       /* its name in a wish */
    const char *file;        /* that it is made of */
    const char *const *full; /* overrides, NULL at the end; may be NULL */
    const char *const *quick;
    const char *const *published;
} variant;

/* ---- Small versions ---- */

/* The time step goes with the root of the stiffness; a heap a quarter as high makes up for part of that. */
static const char *const column_quick[] = {"generators[0].points=[[-1.2, -0.75], [96.5, -0.75], [96.5, 6.05]]",
                                           "generators[0].count=110",
                                           "generators[1].points=[[-0.75, 0], [-0.75, 34.2]]",
                                           "generators[1].count=36",
                                           "generators[2].points=[[26.75, 0], [26.75, 34.2]]",
                                           "generators[2].count=36",
                                           "generators[3].region.box=[0, 0, 26, 35]",
                                           "generators[3].count=400",
                                           "dynamics.stiffness=5e7",
                                           "time_step=2e-4",
                                           "drives[0].opens=6",
                                           "duration=16",
                                           NULL};

/* Small enough for exact contacts, of which each takes microseconds, and for many runs. */
static const char *const column_small[] = {"generators[0].points=[[-1.2, -0.75], [40, -0.75], [40, 3.05]]",
                                           "generators[0].count=48",
                                           "generators[1].points=[[-0.75, 0], [-0.75, 22.8]]",
                                           "generators[1].count=24",
                                           "generators[2].points=[[9.75, 0], [9.75, 22.8]]",
                                           "generators[2].count=24",
                                           "generators[3].region.box=[0, 0, 9, 26]",
                                           "generators[3].count=64",
                                           "dynamics.stiffness=5.6e6",
                                           "time_step=6e-4",
                                           "drives[0].opens=2.1",
                                           "duration=7.2",
                                           "output.frame_rate=10",
                                           NULL};

/* The openings stay; the silo is 32 m wide, and its funnel short enough to be filled from above. */
static const char *const silo_quick[] = {
    "generators=["
    "{\"name\": \"left\", \"kind\": \"line\", \"points\": [[-16.75, 114], [-16.75, 56.25], [-4.55, 35]], \"count\": "
    "130,"
    " \"shape\": \"grain\", \"angles\": \"zero\", \"fixed\": true},"
    "{\"name\": \"right\", \"kind\": \"line\", \"points\": [[16.75, 114], [16.75, 56.25], [4.55, 35]], \"count\": 130,"
    " \"shape\": \"grain\", \"angles\": \"zero\", \"fixed\": true},"
    "{\"name\": \"plug\", \"kind\": \"line\", \"points\": [[-4.2, 35], [4.2, 35]], \"count\": 13,"
    " \"shape\": \"grain\", \"angles\": \"zero\", \"fixed\": true},"
    "{\"name\": \"tray\", \"kind\": \"line\", \"points\": [[-90, 6], [-90, -0.7], [90, -0.7], [90, 6]], \"count\": 224,"
    " \"shape\": \"grain\", \"angles\": \"zero\", \"fixed\": true},"
    "{\"kind\": \"lattice\", \"region\": {\"box\": [-16, 56, 16, 118]}, \"count\": 900, \"gap\": 0.1,"
    " \"shape\": \"grain\", \"velocity_spread\": 1}]",
    "output.measures.line=[-12, 32, 12, 32]",
    "dynamics.stiffness=1e8",
    "time_step=2e-4",
    "drives[0].opens=6",
    "duration=26",
    NULL};

static const char *const packing_quick[] = {"generators[0].points=[[0, -0.75], [15, -0.75]]",
                                            "generators[0].count=10",
                                            "generators[1].points=[[-0.75, -1.5], [-0.75, 45]]",
                                            "generators[1].count=31",
                                            "generators[2].points=[[15.75, -1.5], [15.75, 45]]",
                                            "generators[2].count=31",
                                            "generators[3].region.box=[0, 0, 15, 46]",
                                            "generators[3].count=200",
                                            "duration=25",
                                            NULL};

/* Half as large, with six ribs; it turns as much faster as keeps the wall's acceleration. */
static const char *const drum_quick[] = {
    "generators[0].points=[[14.3232, -0.876], [11.8954, -0.3323], [11.8954, 0.3323], [14.3232, 0.876, 0.235469],"
    " [7.9203, 11.9663], [6.2354, 10.1356], [5.6599, 10.4678], [6.4029, 12.8423, 0.235469],"
    " [-6.4029, 12.8423], [-5.6599, 10.4678], [-6.2354, 10.1356], [-7.9203, 11.9663, 0.235469],"
    " [-14.3232, 0.876], [-11.8954, 0.3323], [-11.8954, -0.3323], [-14.3232, -0.876, 0.235469],"
    " [-7.9203, -11.9663], [-6.2354, -10.1356], [-5.6599, -10.4678], [-6.4029, -12.8423, 0.235469],"
    " [6.4029, -12.8423], [5.6599, -10.4678], [6.2354, -10.1356], [7.9203, -11.9663, 0.235469]]",
    "generators[0].count=250",
    "generators[1].region.circle.radius=11.4",
    "generators[1].count=150",
    "drives[0].rate=2.25 rpm",
    "drives[0].start=5",
    "duration=45",
    NULL};

/* Forty links; the first carries less, so that they may be softer. */
#define CHAIN_QUICK                                                                                 \
    "generators[0].points=[[-12, 0], [12, 0]]", "generators[0].count=34", "generators[1].count=39", \
        "dynamics.stiffness=5e8", "time_step=5e-5"
static const char *const chain_quick[] = {CHAIN_QUICK,
                                          "bodies[0].position=[0, 33.422]",
                                          "generators[1].points=[[0, 33.014], [0, 1.19]]",
                                          "drives[0].velocity=[0, -4]",
                                          "drives[0].end=7.7",
                                          "duration=9",
                                          NULL};

/* Let go from 25 m above the floor. */
#define DROP "bodies[0].fixed=false", "drives=[]"
static const char *const drop_full[] = {DROP, "bodies[0].position=[0, 433.782]",
                                        "generators[1].points=[[0, 433.374], [0, 26.19]]", "duration=20", NULL};
static const char *const drop_quick[] = {
    CHAIN_QUICK,  DROP, "bodies[0].position=[0, 58.422]", "generators[1].points=[[0, 58.014], [0, 26.19]]",
    "duration=5", NULL};

/* ---- The publication's time step where scenes have a shorter one ---- */

static const char *const packing_published[] = {"time_step=1e-3", "dynamics.stiffness=1e7", "dynamics.restitution=0.9",
                                                NULL};
static const char *const drum_published[] = {"time_step=1e-3", "dynamics.stiffness=1.4e7", "dynamics.restitution=0.9",
                                             NULL};
static const char *const cereal_published[] = {"time_step=1e-3", "dynamics.stiffness=1.8e7", "dynamics.restitution=0.8",
                                               NULL};

static const variant variants[] = {
    {"column-collapse", "cem-column-collapse.json", NULL, column_quick, NULL},
    {"column-small", "cem-column-collapse.json", column_small, column_small, NULL},
    {"silo", "cem-silo.json", NULL, silo_quick, NULL},
    {"packing", "cem-packing.json", NULL, packing_quick, packing_published},
    {"drum", "cem-drum.json", NULL, drum_quick, drum_published},
    {"cereal", "cem-cereal.json", NULL, NULL, cereal_published},
    {"chain", "cem-chain.json", NULL, chain_quick, NULL},
    {"chain-drop", "cem-chain.json", drop_full, drop_quick, NULL},
};

/* ---- A wish as overrides ---- */

typedef struct overrides {
    const char *item[OVERRIDES_MAX];
    size_t count;
    char own[8][96]; /* those that are made here */
    size_t own_count;
    ts_error *error;
} overrides;

static ts_status add(overrides *o, const char *text)
{
    if (o->count == OVERRIDES_MAX)
        return ts_fail(o->error, TS_BAD_INPUT, "more than %d overrides of a published scene; give fewer",
                       OVERRIDES_MAX);
    o->item[o->count++] = text;
    return TS_OK;
}

static ts_status add_number(overrides *o, const char *path, double value)
{
    char *text = o->own[o->own_count++];
    snprintf(text, sizeof o->own[0], "%s=%.17g", path, value);
    return add(o, text);
}

/* The clear width between grains of 0.7 m, of which the last on each side stands 0.15 m before the end of its line. */
static ts_status add_opening(overrides *o, double opening)
{
    double end = 0.5 * opening + 0.55, plug = 0.5 * opening + 0.2;
    TS_TRY(add_number(o, "generators[0].points[2][0]", -end));
    TS_TRY(add_number(o, "generators[1].points[2][0]", end));
    TS_TRY(add_number(o, "generators[2].points[0][0]", -plug));
    return add_number(o, "generators[2].points[1][0]", plug);
}

static ts_status collect(const ts_cem_wish *wish, const variant *v, overrides *o)
{
    for (const char *const *text = wish->quick ? v->quick : v->full; text && *text; text++)
        TS_TRY(add(o, *text));
    for (const char *const *text = wish->published_step ? v->published : NULL; text && *text; text++)
        TS_TRY(add(o, *text));
    if (wish->grain) {
        char *text = o->own[o->own_count++];
        snprintf(text, sizeof o->own[0], "shapes.grain.members={\"%.32s\": 1}", wish->grain);
        TS_TRY(add(o, text));
    }
    if (wish->opening > 0)
        TS_TRY(add_opening(o, wish->opening));
    if (wish->seed > 0)
        TS_TRY(add_number(o, "seed", (double)wish->seed));
    for (size_t i = 0; i < wish->override_count; i++)
        TS_TRY(add(o, wish->override[i]));
    return TS_OK;
}

/* ---- From file to scene ---- */

static ts_status find_variant(const char *name, const variant **found, ts_error *error)
{
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if (strcmp(variants[i].scene, name) == 0) {
            *found = &variants[i];
            return TS_OK;
        }
    return ts_fail(error, TS_BAD_INPUT, "there is no published scene \"%.64s\"; see study/cem_scenes.h", name);
}

static ts_status find_file(const char *name, const ts_text_file **found, ts_error *error)
{
    for (size_t i = 0; i < ts_cem_file_count; i++)
        if (strcmp(ts_cem_files[i].name, name) == 0) {
            *found = &ts_cem_files[i];
            return TS_OK;
        }
    return ts_fail(error, TS_BAD_INPUT, "the program has no scene %s; scenes/ has changed", name);
}

ts_status ts_cem_scene_text(const ts_cem_wish *wish, char **text, size_t *length, ts_error *error)
{
    const variant *v;
    const ts_text_file *file;
    TS_TRY(find_variant(wish->scene, &v, error));
    TS_TRY(find_file(v->file, &file, error));
    overrides o = {.error = error};
    TS_TRY(collect(wish, v, &o));

    char name[FILES_MAX][64];
    ts_text_file library[FILES_MAX];
    size_t count = ts_grains_file_count < FILES_MAX ? ts_grains_file_count : FILES_MAX;
    for (size_t i = 0; i < count; i++) {
        snprintf(name[i], sizeof name[i], "shapes/%.50s", ts_grains_files[i].name);
        library[i] = (ts_text_file){name[i], ts_grains_files[i].text, ts_grains_files[i].size};
    }
    ts_load_options options = {.override = o.item, .override_count = o.count, .file = library, .file_count = count};
    return ts_scene_resolve_text(file, &options, text, length, error);
}
