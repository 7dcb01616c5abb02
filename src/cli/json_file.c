/* SPDX-License-Identifier: MIT */
#include "cli/json_file.h"

#include "cli/format.h"

ts_status ts_json_file_open(ts_json_file *file, const char *path, ts_error *error)
{
    *file = (ts_json_file){.draft_open = !ts_is_stdout(path)};
    if (file->draft_open)
        TS_TRY(ts_draft_open(&file->draft, path, error));
    ts_json_to_stream(&file->json, file->draft_open ? file->draft.stream : stdout);
    return TS_OK;
}

ts_status ts_json_file_close(ts_json_file *file, ts_error *error)
{
    ts_status status = ts_json_finish(&file->json, error);
    if (!file->draft_open)
        return status;
    if (status == TS_OK)
        return ts_draft_commit(&file->draft, error);
    ts_draft_discard(&file->draft);
    return status;
}
