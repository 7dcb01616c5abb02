/* SPDX-License-Identifier: MIT */
/* energies.csv: one row of measures for each recorded step.
 *
 * A first line of names with units, then rows of numbers, each the shortest text that reads back as the same bits, so
 * that equal runs have equal files. Rows are appended whole; a kill leaves at most one torn line, which a resumed run
 * cuts off.
 *
 * The columns of the groups of measures that the scene asks for (measure/columns.h) come after the energies, in the
 * same file, so that one mark in a checkpoint serves both. */
#pragma once

#include "record/append.h"
#include "record/kind.h"
#include "touchstone/sim.h"

typedef struct ts_energy_table {
    ts_append log;
    ts_mark mark;
    const ts_record_kind *kind; /* momenta have as many columns as it has axes and turns */
    uint32_t groups;            /* of measures, whose columns follow */
} ts_energy_table;

/* Makes the file with its line of names, or replaces it: with the columns of the model's settings and dimensions. */
ts_status ts_energy_table_create(ts_energy_table *table, const char *path, const ts_model *model, ts_error *error);
/* Opens a table, checks that it has these columns and that a row ends at `mark`, and cuts off what follows. */
ts_status ts_energy_table_resume(ts_energy_table *table, const char *path, const ts_model *model, const ts_mark *mark,
                                 ts_error *error);
/* Appends one row; `more` are the values of the groups' columns, and may be NULL when there are none. When the disk
 * refuses, what was written of it is cut off again. */
ts_status ts_energy_table_append(ts_energy_table *table, uint64_t step, const ts_measures *measures, const double *more,
                                 ts_error *error);
ts_status ts_energy_table_sync(ts_energy_table *table, ts_error *error);
/* A zeroed table is fine. */
void ts_energy_table_close(ts_energy_table *table);
