/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <unistd.h>

#include "base/memory.h"
#include "record/export.h"

static void release(ts_draft *file)
{
    ts_free(file->path);
    ts_free(file->temporary);
}

/* A file that is written up to here. */
static void count(ts_export_made *made, FILE *stream)
{
    off_t bytes = made ? ftello(stream) : -1;
    if (bytes < 0)
        return;
    made->files++;
    made->bytes += (uint64_t)bytes;
}

ts_status ts_export_batch_add(ts_export_batch *batch, ts_draft *draft, ts_error *error)
{
    int reason = ferror(draft->stream) ? ENOSPC : 0;
    count(batch->made, draft->stream);
    if (fclose(draft->stream) != 0 && reason == 0)
        reason = errno;
    draft->stream = NULL;
    ts_status status = reason == 0 ? TS_OK : ts_fail_errno(error, "write", draft->path, reason);
    if (status == TS_OK)
        status = ts_array_push(&batch->file, *draft, error);
    if (status != TS_OK) {
        if (draft->temporary)
            unlink(draft->temporary);
        release(draft);
    }
    *draft = (ts_draft){0};
    return status;
}

ts_status ts_export_batch_end(ts_export_batch *batch, ts_status status, ts_draft *last, ts_error *error)
{
    /* of the last one all that can fail but its name, before anything old is replaced */
    if (status == TS_OK) {
        int reason = ferror(last->stream) ? ENOSPC : 0;
        count(batch->made, last->stream);
        if (fflush(last->stream) != 0 || (last->temporary && fsync(fileno(last->stream)) != 0))
            reason = errno;
        status = reason == 0 ? TS_OK : ts_fail_errno(error, "write", last->path, reason);
    }
    for (size_t i = 0; i < batch->file.count; i++) {
        ts_draft *file = &batch->file.item[i];
        if (file->temporary && status == TS_OK && rename(file->temporary, file->path) != 0)
            status = ts_fail_errno(error, "write", file->path, errno);
        if (file->temporary && status != TS_OK)
            unlink(file->temporary);
        release(file);
    }
    ts_array_free(&batch->file);
    if (status == TS_OK)
        return ts_draft_commit(last, error);
    ts_draft_discard(last);
    return status;
}
