/* SPDX-License-Identifier: MIT */
#include "cli/runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/release.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/format.h"
#include "cli/load.h"
#include "model.h"
#include "record/runfolder.h"

bool ts_cli_is_scene(const char *run)
{
    size_t length = strlen(run);
    struct stat info;
    return length > 5 && strcmp(run + length - 5, ".json") == 0 && stat(run, &info) == 0 && !S_ISDIR(info.st_mode);
}

/* The state as it stands, as one frame. */
static ts_status record_frame(const ts_model *model, const ts_state *state, ts_workspace *work,
                              ts_trajectory_writer *writer, ts_error *error)
{
    size_t count = 0;
    const ts_contact *contact = NULL;
    TS_TRY(ts_find_contacts(model, state, work, &contact, &count, error));
    return ts_trajectory_append(writer, state, contact, count, error);
}

/* The model as it stands at time 0: a trajectory of one frame. */
static ts_status record_start(const ts_loaded *scene, const char *path, ts_error *error)
{
    TS_AUTO(ts_state_free_at) ts_state *state = NULL;
    TS_AUTO(ts_workspace_free_at) ts_workspace *work = NULL;
    TS_AUTO(ts_trajectory_writer_free_at) ts_trajectory_writer *writer = NULL;
    TS_TRY(ts_state_create(scene->model, &state, error));
    TS_TRY(ts_workspace_create(scene->model, 1, &work, error));
    TS_TRY(ts_trajectory_create(path, scene->model, scene->title, &writer, error));
    return record_frame(scene->model, state, work, writer, error);
}

/* The file is unlinked as soon as the reader has it open, so that nothing is left however the program ends. */
static ts_status open_scene(const char *scene, ts_trajectory **reader, ts_error *error)
{
    const char *place = getenv("TMPDIR");
    char path[ts_cli_path_size];
    ts_loaded loaded;
    int needed = snprintf(path, sizeof path, "%s/touchstone-XXXXXX", place && *place ? place : "/tmp");
    if (needed < 0 || needed >= (int)sizeof path)
        return ts_fail(error, TS_BAD_INPUT, "the path in TMPDIR is too long; choose a shorter one");
    TS_TRY(ts_cli_load(scene, &(ts_load_options){0}, &loaded, error));
    ts_status status = TS_OK;
    int file = mkstemp(path);
    if (file < 0)
        status = ts_fail_errno(error, "create", path, errno);
    if (status == TS_OK)
        status = record_start(&loaded, path, error);
    if (status == TS_OK)
        status = ts_trajectory_open(path, reader, error);
    if (file >= 0) {
        close(file);
        unlink(path);
    }
    ts_cli_unload(&loaded);
    return status;
}

ts_status ts_cli_open_run(const char *run, char folder[ts_cli_path_size], ts_trajectory **reader, ts_error *error)
{
    char path[ts_cli_path_size];
    size_t length = strlen(run);
    struct stat info;
    if (length >= ts_cli_path_size)
        return ts_fail(error, TS_BAD_INPUT, "the path of the run is longer than %d bytes", ts_cli_path_size - 1);
    if (stat(run, &info) != 0)
        return ts_fail(error, TS_BAD_INPUT, "there is no run '%s'; give the folder that `touchstone run` wrote", run);
    if (ts_cli_is_scene(run)) {
        snprintf(folder, ts_cli_path_size, "out");
        return open_scene(run, reader, error);
    }

    if (S_ISDIR(info.st_mode)) {
        snprintf(folder, ts_cli_path_size, "%s", run);
        TS_TRY(ts_run_path(run, TS_RUN_TRAJECTORY, path, sizeof path, error));
        if (stat(path, &info) != 0)
            return ts_fail(error, TS_BAD_INPUT, "'%s' holds no %s; give the folder that `touchstone run` wrote", run,
                           TS_RUN_TRAJECTORY);
    } else {
        ts_path_folder(run, folder, ts_cli_path_size);
        snprintf(path, sizeof path, "%s", run);
    }
    return ts_trajectory_open(path, reader, error);
}

void ts_cli_note_torn(const ts_trajectory *reader)
{
    uint64_t torn = ts_trajectory_torn_bytes(reader);
    if (torn)
        ts_cli_note("the trajectory ends within a frame, as after a kill; what is whole is used: %s",
                    ts_show_counted(ts_trajectory_frame_count(reader), "frame").text);
}
