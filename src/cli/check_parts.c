/* SPDX-License-Identifier: MIT */
#include "cli/check_parts.h"

#include <stdio.h>

ts_shown ts_check_name(const char *name, const char *what, size_t index)
{
    ts_shown shown;
    if (name && *name)
        snprintf(shown.text, sizeof shown.text, "%.40s", name);
    else
        snprintf(shown.text, sizeof shown.text, "%s %zu", what, index);
    return shown;
}

ts_shown ts_check_material(const ts_model *model, size_t index)
{
    const char *name = model->material_name[index];
    return ts_check_name(name || index ? name : "default", "material", index);
}

const char *ts_check_drive(ts_drive_kind drive)
{
    switch (drive) {
    case TS_DRIVE_ROTATION:
        return "rotation";
    case TS_DRIVE_OSCILLATION:
        return "oscillation";
    case TS_DRIVE_KEYFRAMES:
        return "keyframes";
    case TS_DRIVE_GATE:
        return "gate";
    case TS_DRIVE_VELOCITY:
        return "velocity";
    }
    return "drive";
}

void ts_check_print_drives(const uint64_t moved[TS_DRIVE_VELOCITY + 1], uint64_t gated, FILE *stream)
{
    fprintf(stream, "\ndrives of bodies\n");
    for (int i = TS_DRIVE_ROTATION; i <= TS_DRIVE_VELOCITY; i++)
        if (moved[i])
            fprintf(stream, "  %s moved by %s\n", ts_show_count(moved[i]).text, ts_check_drive((ts_drive_kind)i));
    if (gated)
        fprintf(stream, "  %s behind a gate\n", ts_show_count(gated).text);
}
