/* SPDX-License-Identifier: MIT */
#include "cli/runs.h"

#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "cli/cli.h"
#include "cli/format.h"
#include "record/runfolder.h"

ts_status ts_cli_open_run(const char *run, char folder[ts_cli_path_size], ts_trajectory **reader, ts_error *error)
{
    char path[ts_cli_path_size];
    size_t length = strlen(run);
    struct stat info;
    if (length >= ts_cli_path_size)
        return ts_fail(error, TS_BAD_INPUT, "the path of the run is longer than %d bytes", ts_cli_path_size - 1);
    if (stat(run, &info) != 0)
        return ts_fail(error, TS_BAD_INPUT, "there is no run '%s'; give the folder that `touchstone run` wrote", run);
    if (length > 5 && strcmp(run + length - 5, ".json") == 0)
        return ts_fail(error, TS_BAD_INPUT, "'%s' is a scene; simulate it first: touchstone run %s", run, run);

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
