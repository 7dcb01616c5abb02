/* SPDX-License-Identifier: MIT */
#include "study/smooth_models.h"

#include <string.h>

#include "scene/smooth_file.h"

ts_status ts_smooth_model(const char *name, ts_sdf_body **body, ts_error *error)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < ts_smooth_model_file_count; i++) {
        const ts_text_file *file = &ts_smooth_model_files[i];
        if (strncmp(file->name, name, length) == 0 && strcmp(file->name + length, ".json") == 0)
            return ts_smooth_file_parse(file->text, file->length, file->name, body, error);
    }
    return ts_fail(error, TS_BAD_INPUT, "there is no smooth body '%s' in the program", name);
}
