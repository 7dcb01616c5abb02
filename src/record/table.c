/* SPDX-License-Identifier: MIT */
#include "record/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "measure/columns.h"
#include "model.h"

/* Columns in the order of append below. N·s is kg·m/s. */
static const char head[] =
    "time_s,kinetic_J,rotational_J,gravitational_J,elastic_J,total_J,%s,max_overlap_m,mean_overlap_m,max_overlap_ratio,"
    "max_speed_m_per_s,work_J,lost_normal_J,lost_tangential_J,lost_friction_J,contacts";

/* Bytes of a line of names with all measures' columns: names are shorter than 64. */
enum { HEAD_BYTES = sizeof head + (6 + TS_MEASURE_COLUMNS_MAX) * 64 };

/* The line of names into `text`; returns its length. */
static size_t write_head(const ts_energy_table *table, char text[HEAD_BYTES])
{
    const uint32_t groups = table->groups;
    const int dimension = table->kind->axes;
    size_t length = (size_t)snprintf(text, HEAD_BYTES, head, table->kind->momenta);
    for (size_t i = 0; i < ts_measure_column_count(groups, dimension); i++)
        length += (size_t)snprintf(text + length, HEAD_BYTES - length, ",%.62s",
                                   ts_measure_column_name(groups, dimension, i));
    return length + (size_t)snprintf(text + length, HEAD_BYTES - length, "\n");
}

ts_status ts_energy_table_create(ts_energy_table *table, const char *path, const ts_model *model, ts_error *error)
{
    TS_AUTO(ts_energy_table_close)
    ts_energy_table made = {.kind = ts_record_kind_of(model->dimension), .groups = model->settings.measures};
    char names[HEAD_BYTES];
    size_t length = write_head(&made, names);
    TS_TRY(ts_append_create(&made.log, path, error));
    TS_TRY(ts_append_bytes(&made.log, names, length, error));
    TS_TRY(ts_append_commit(&made.log, error));
    made.mark.bytes = made.log.committed;
    *table = made;
    made = (ts_energy_table){0};
    return TS_OK;
}

/* Whether the file begins with our names and a line ends at the mark. */
static ts_status check_mark(const char *path, const ts_energy_table *table, const ts_mark *mark, ts_error *error)
{
    FILE *file = ts_open_stream(path);
    char names[HEAD_BYTES], text[HEAD_BYTES] = "";
    size_t length = write_head(table, names);
    bool fits = file && fread(text, 1, length, file) == length && memcmp(text, names, length) == 0;
    fits = fits && mark->bytes >= length && mark->bytes <= INT64_MAX;
    fits = fits && fseeko(file, (off_t)(mark->bytes - 1), SEEK_SET) == 0 && fgetc(file) == '\n';
    if (file)
        fclose(file);
    return fits ? TS_OK
                : ts_fail(error, TS_CORRUPT, "%s is not as it was at the checkpoint; put it back or start the run anew",
                          path);
}

ts_status ts_energy_table_resume(ts_energy_table *table, const char *path, const ts_model *model, const ts_mark *mark,
                                 ts_error *error)
{
    ts_energy_table made = {
        .mark = *mark, .kind = ts_record_kind_of(model->dimension), .groups = model->settings.measures};
    TS_TRY(check_mark(path, &made, mark, error));
    TS_TRY(ts_append_resume(&made.log, path, mark->bytes, error));
    *table = made;
    return TS_OK;
}

/* Each with a comma after it; returns the row's new length. */
static size_t put_numbers(char *row, size_t length, const double *value, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        length += (size_t)ts_format_double(value[i], row + length);
        row[length++] = ',';
    }
    return length;
}

ts_status ts_energy_table_append(ts_energy_table *table, uint64_t step, const ts_measures *m, const double *more,
                                 ts_error *error)
{
    double total = m->kinetic + m->rotational + m->gravitational + m->elastic;
    const double energy[] = {m->time, m->kinetic, m->rotational, m->gravitational, m->elastic, total},
                 angular[] = {m->angular_xy[0], m->angular_xy[1], m->angular},
                 rest[] = {m->max_overlap, m->mean_overlap, m->overlap_ratio,   m->max_speed,
                           m->work,        m->lost_normal,  m->lost_tangential, m->lost_friction};
    char row[(20 + TS_MEASURE_COLUMNS_MAX) * (TS_DOUBLE_TEXT_SIZE + 1) + 32];
    size_t length = put_numbers(row, 0, energy, 6);
    length = put_numbers(row, length, m->momentum, (size_t)table->kind->axes);
    length = put_numbers(row, length, angular + 3 - table->kind->turns, (size_t)table->kind->turns);
    length = put_numbers(row, length, rest, 8);
    length += (size_t)snprintf(row + length, sizeof row - length, "%" PRIu64, m->contact_count);
    for (size_t i = 0; i < ts_measure_column_count(table->groups, table->kind->axes); i++) {
        row[length++] = ',';
        length += (size_t)ts_format_double(more[i], row + length);
    }
    row[length++] = '\n';
    TS_TRY(ts_append_bytes(&table->log, row, length, error));
    TS_TRY(ts_append_commit(&table->log, error));
    table->mark = (ts_mark){table->log.committed, table->mark.count + 1, step};
    return TS_OK;
}

ts_status ts_energy_table_sync(ts_energy_table *table, ts_error *error)
{
    return ts_append_sync(&table->log, error);
}

void ts_energy_table_close(ts_energy_table *table)
{
    ts_append_close(&table->log);
}
