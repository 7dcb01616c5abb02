/* SPDX-License-Identifier: MIT */
#include "study/output.h"

#include <string.h>

#include "base/file.h"
#include "base/text.h"

FILE *ts_output_stream(const char *json_path)
{
    return json_path && strcmp(json_path, "-") == 0 ? stderr : stdout;
}

ts_status ts_output_json(const char *json_path, void (*write)(ts_json *json, const void *subject), const void *subject,
                         ts_error *error)
{
    ts_json json;
    if (!json_path)
        return TS_OK;
    if (strcmp(json_path, "-") == 0) {
        ts_json_to_stream(&json, stdout);
        write(&json, subject);
        return ts_json_finish(&json, error);
    }
    ts_draft draft;
    TS_TRY(ts_draft_open(&draft, json_path, error));
    ts_json_to_stream(&json, draft.stream);
    write(&json, subject);
    ts_status status = ts_json_finish(&json, error);
    if (status != TS_OK) {
        ts_draft_discard(&draft);
        return status;
    }
    return ts_draft_commit(&draft, error);
}

ts_status ts_output_folder(const char *path, ts_error *error)
{
    ts_error why;
    ts_status status = ts_folder_make(path, &why);
    if (status == TS_IO)
        return ts_fail(error, TS_BAD_INPUT, "%s; choose another with --out", why.message);
    if (status != TS_OK && error)
        *error = why;
    return status;
}

int ts_output_failure(const ts_error *error)
{
    char text[2048];
    ts_error_text(error, text, sizeof text);
    fprintf(stderr, "touchstone: %s\n", text);
    return error->status == TS_BAD_INPUT ? 2 : 1;
}

void ts_output_unknown(const char *kind, const char *name, const char *const *candidate, size_t count)
{
    const char *nearest = ts_nearest_name(name, candidate, count);
    fprintf(stderr, "touchstone: there is no %s '%s'; ", kind, name);
    if (nearest) {
        fprintf(stderr, "did you mean '%s'?\n", nearest);
        return;
    }
    fprintf(stderr, "there are");
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, "%s %s", i ? "," : "", candidate[i]);
    fprintf(stderr, "\n");
}

void ts_output_list_entry(FILE *stream, const char *name, const char *what, const char *more)
{
    fprintf(stream, "%-19s %s\n", name, what);
    if (more)
        fprintf(stream, "%-19s   %s\n", "", more);
}
