/* SPDX-License-Identifier: MIT */
/* touchstone run: a scene becomes a run folder, or an old run goes on. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/format.h"
#include "cli/json_file.h"
#include "cli/runs.h"
#include "cli/session.h"
#include "cli/summary_table.h"
#include "record/runfolder.h"
#include "scene/read.h"
#include "workspace.h"

typedef struct options {
    const char *out, *resume, *json, *duration, *seed;
    bool force, no_record, quiet;
    ts_texts set, search_path;
    uint64_t threads;
    double wall_limit, checkpoint_interval;
} options;

static const options defaults = {.wall_limit = (double)INFINITY, .checkpoint_interval = 30};

static const ts_option option[] = {
    TS_TEXT("out", 'o', "DIR", out, "record in this folder (default: out/<name of the scene>)"),
    TS_FLAG("force", 'f', force, "replace an earlier run in that folder"),
    TS_TEXTS("set", 's', "PATH=VALUE", set, "change a value of the scene; may be repeated"),
    TS_TEXT("duration", 'd', "T", duration, "simulated time, such as 2 or '50 ms'; prolongs a resumed run"),
    TS_TEXT("seed", 0, "N", seed, "of every random choice (default: the scene's)"),
    TS_THREADS_OPTION(threads),
    TS_TEXT("resume", 'r', "RUN", resume, "go on with the run in this folder, bit for bit as if it had never stopped"),
    TS_WALL("wall-limit", 0, "TIME", wall_limit, "stop after so much wall time (90s, 10m, 2h), ready to be resumed"),
    TS_WALL("checkpoint-interval", 0, "TIME", checkpoint_interval, "wall time between checkpoints (default: 30s)"),
    TS_FLAG("no-record", 0, no_record, "simulate only: no run folder, no files"),
    TS_TEXTS("search-path", 'I', "DIR", search_path, "files that the scene names may lie here too; may be repeated"),
    TS_JSON_OPTION(json, "write the summary as JSON"),
    TS_QUIET_OPTION(quiet, "no progress and no summary"),
};

/* Everything that one run holds. Zeroed, then filled step by step; release() takes it at any stage. */
typedef struct job {
    const options *given;
    const char *scene;             /* the scene's file */
    char folder[ts_cli_path_size]; /* "" when nothing is recorded */
    char *scene_text;              /* self-contained, for the run folder; NULL when that has it already */
    size_t scene_length;
    char title[256];
    ts_model *model;
    ts_state *state;
    ts_workspace *work;
    ts_recorder *recorder;
    ts_measures first; /* of an unrecorded run */
} job;

static void release(job *j)
{
    ts_recorder_free(j->recorder);
    ts_workspace_free(j->work);
    ts_state_free(j->state);
    ts_model_free(j->model);
    ts_free(j->scene_text);
}

/* ---- Before the loop ---- */

/* The default folder: out/<the scene's file name without .json>. */
static ts_status default_folder(const char *scene, char folder[ts_cli_path_size], ts_error *error)
{
    const char *name = ts_path_name(scene);
    size_t length = strlen(name);
    if (length > 5 && strcmp(name + length - 5, ".json") == 0)
        length -= 5;
    int needed = snprintf(folder, ts_cli_path_size, "out/%.*s", (int)length, name);
    if (length == 0 || needed >= ts_cli_path_size)
        return ts_fail(error, TS_BAD_INPUT, "'%.200s' gives no good name for a folder; give one with --out", scene);
    return TS_OK;
}
