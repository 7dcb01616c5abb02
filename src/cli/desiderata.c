/* SPDX-License-Identifier: MIT */
/* touchstone desiderata: study/desiderata.h does the work. */
#include "study/desiderata.h"

#include "cli/cli.h"
#include "cli/places.h"

typedef struct options {
    bool quiet;
    const char *json;
} options;

static const options defaults = {0};

static const ts_option option[] = {
    TS_JSON_OPTION(json, "write the table as JSON"),
    TS_QUIET_OPTION(quiet, "no table"),
};

static ts_exit run(const void *values, const ts_operands *operands)
{
    (void)operands;
    const options *given = values;
    ts_error error;
    if (ts_cli_check_file("json", given->json, NULL, &error) != TS_OK)
        return ts_cli_fail(&error);
    return (ts_exit)ts_desiderata_command(&(ts_desiderata_options){.json_path = given->json, .quiet = given->quiet});
}

const ts_command ts_command_desiderata = {
    .name = "desiderata",
    .usage = "[OPTIONS]",
    .summary = "measure what impact operators keep: symmetry, energy, …",
    .text = "Strikes cradles, racks, boxes and crowds of balls by each impact operator, and prints how far symmetry, "
            "energy and momentum are from being kept, whether impulses only push, and whether balls that touched can "
            "part: a number for each, the worst of all configurations.\n\n"
            "The exit code is 0 when gr holds all five and the other operators lack what they are known to lack, and 3 "
            "when it is not so.",
    .example = "touchstone desiderata\n"
               "touchstone desiderata --json -",
    TS_OPTIONS(option, defaults),
    .run = run,
};
