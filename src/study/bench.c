/* SPDX-License-Identifier: MIT */
#include "study/bench.h"

#include <assert.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/threads.h"
#include "record/jsonwriter.h"
#include "study/output.h"
#include "study/table.h"
#include "touchstone/version.h"

typedef struct result {
    const char *bench; /* name of the bench that measured it */
    ts_bench_row row;  /* its texts are in the arena */
} result;

/* A row of a table, or the heading that begins one. Texts are in the arena. */
typedef struct table_line {
    const char *bench; /* a heading: name of the bench; a row: NULL */
    const char *name;  /* a heading: the title */
    const char *note;
    size_t column_count;
    const char *column[TS_BENCH_COLUMNS_MAX];
    double value[TS_BENCH_COLUMNS_MAX];
} table_line;

struct ts_bench {
    const ts_bench_options *options;
    const ts_bench_entry *entry; /* the one that runs */
    size_t index, count;         /* of the benches to run, for progress */
    double done;                 /* as last reported by the one that runs */
    ts_arena text;
    TS_ARRAY(result) result;
    TS_ARRAY(table_line) line; /* of all tables */
    bool folder_exists;
};

bool ts_bench_full(const ts_bench *bench)
{
    return bench->options->full;
}

bool ts_bench_quick(const ts_bench *bench)
{
    return bench->options->quick;
}

int ts_bench_threads(const ts_bench *bench)
{
    return bench->options->threads > 0 ? bench->options->threads : ts_processor_count();
}

uint64_t ts_bench_seed(const ts_bench *bench)
{
    return bench->options->seed ? bench->options->seed : 1;
}

ts_status ts_bench_out_dir(ts_bench *bench, const char **folder, ts_error *error)
{
    *folder = bench->options->out_dir ? bench->options->out_dir : "build/bench";
    if (!bench->folder_exists)
        TS_TRY(ts_output_folder(*folder, error));
    bench->folder_exists = true;
    return TS_OK;
}

void ts_bench_report(ts_bench *bench, double done, const char *what)
{
    if (!isnan(done))
        bench->done = done;
    if (bench->options->progress)
        bench->options->progress(bench->options->progress_user,
                                 ((double)bench->index + bench->done) / (double)bench->count, what);
}

/* ---- Rows ---- */

ts_bench_row ts_bench_row_empty(void)
{
    return (ts_bench_row){.ours = TS_NONE,
                          .peer_value = TS_NONE,
                          .ratio = TS_NONE,
                          .spread = TS_NONE,
                          .peer_spread = TS_NONE,
                          .goal = TS_NONE,
                          .judged = TS_NONE};
}

/* Replaces a text by a copy that lives as long as the bench. */
static bool keep(ts_bench *bench, const char **text)
{
    if (*text)
        *text = ts_arena_text(&bench->text, *text, strlen(*text));
    else
        return true;
    return *text != NULL;
}

ts_status ts_bench_add(ts_bench *bench, const ts_bench_row *row, ts_error *error)
{
    result r = {bench->entry->name, *row};
    if (!keep(bench, &r.row.name) || !keep(bench, &r.row.unit) || !keep(bench, &r.row.peer) ||
        !keep(bench, &r.row.note))
        return ts_fail_memory(error, sizeof r);
    return ts_array_push(&bench->result, r, error);
}

ts_status ts_bench_table_begin(ts_bench *bench, const char *title, const char *const *column, size_t count,
                               ts_error *error)
{
    assert(count <= TS_BENCH_COLUMNS_MAX);
    table_line l = {.bench = bench->entry->name, .name = title, .column_count = count};
    bool kept = keep(bench, &l.name);
    for (size_t i = 0; i < count; i++) {
        l.column[i] = column[i];
        kept = keep(bench, &l.column[i]) && kept;
    }
    if (!kept)
        return ts_fail_memory(error, sizeof l);
    return ts_array_push(&bench->line, l, error);
}

ts_status ts_bench_table_add(ts_bench *bench, const char *name, const double *value, const char *note, ts_error *error)
{
    assert(bench->line.count > 0);
    table_line l = bench->line.item[bench->line.count - 1];
    l.bench = NULL;
    l.name = name;
    l.note = note;
    for (size_t i = 0; i < l.column_count; i++)
        l.value[i] = value[i];
    if (!keep(bench, &l.name) || !keep(bench, &l.note))
        return ts_fail_memory(error, sizeof l);
    return ts_array_push(&bench->line, l, error);
}

/* The value below which a share of the sorted values lies, interpolated. */
static double quantile(const double *value, size_t count, double share)
{
    double place = share * (double)(count - 1);
    size_t i = (size_t)place;
    if (i + 1 >= count)
        return value[count - 1];
    return value[i] + (place - (double)i) * (value[i + 1] - value[i]);
}

double ts_bench_median(double *value, size_t count, double *spread)
{
    qsort(value, count, sizeof *value, ts_ascending_f64);
    double median = quantile(value, count, 0.5);
    if (spread)
        *spread = count > 1 ? (quantile(value, count, 0.75) - quantile(value, count, 0.25)) / fabs(median) : TS_NONE;
    return median;
}

/* ---- Memory of this process ---- */

/* A line "Name:  123 kB" of /proc/self/status, in bytes; 0 when there is none. */
static size_t status_bytes(const char *name)
{
    FILE *stream = fopen("/proc/self/status", "r");
    if (!stream)
        return 0;
    char line[256];
    size_t length = strlen(name), kilobytes = 0;
    while (fgets(line, sizeof line, stream))
        if (strncmp(line, name, length) == 0 && line[length] == ':')
            kilobytes = (size_t)strtoull(line + length + 1, NULL, 10);
    fclose(stream);
    return kilobytes * 1024;
}

size_t ts_bench_resident_bytes(void)
{
#if defined(__GLIBC__)
    malloc_trim(0); /* what was freed is not held */
#endif
    return status_bytes("VmRSS");
}

/* ---- Showing ---- */

static bool goal_met(const ts_bench_row *row)
{
    return row->goal_is_most ? row->judged <= row->goal : row->judged >= row->goal;
}

static void print_machine(FILE *stream)
{
    char name[128];
    fprintf(stream, "machine: %s, %d processors, %s kernels\n", ts_cpu_name(name, sizeof name), ts_processor_count(),
            ts_cpu_level_name(ts_cpu_level()));
    fprintf(stream, "program: touchstone %s, compiled by %s\n", ts_version(), ts_bench_compiler());
}

/* A peer's name and its value, in one text. */
static void print_peer(const ts_bench_row *row, char *text, size_t capacity)
{
    if (row->peer && !isnan(row->peer_value))
        snprintf(text, capacity, "%s %.4g", row->peer, row->peer_value);
    else
        snprintf(text, capacity, "%s", row->peer ? row->peer : "");
}

static void print_rows(const ts_bench *bench, FILE *stream)
{
    ts_table table = {
        .stream = stream,
        .column_count = 5,
        .column = {
            {"case", 36, false}, {"ours", 9, true}, {"unit", 16, false}, {"ratio", 6, true}, {"spread", 6, true}}};
    const char *last = NULL;
    for (size_t i = 0; i < bench->result.count; i++) {
        const ts_bench_row *row = &bench->result.item[i].row;
        if (bench->result.item[i].bench != last) {
            last = bench->result.item[i].bench;
            fprintf(stream, "\n%s\n", last);
            ts_table_head(&table);
        }
        char ours[32] = "", ratio[32] = "", spread[32] = "", peer[128];
        if (!isnan(row->ours))
            snprintf(ours, sizeof ours, "%.4g", row->ours);
        if (!isnan(row->ratio))
            snprintf(ratio, sizeof ratio, "%.2f", row->ratio);
        if (!isnan(row->spread))
            snprintf(spread, sizeof spread, "%.1f%%", 100 * row->spread);
        const char *cell[] = {row->name, ours, row->unit, ratio, spread};
        ts_table_row(&table, cell);
        print_peer(row, peer, sizeof peer);
        if (peer[0])
            fprintf(stream, "  beside %s\n", peer);
        if (row->note)
            fprintf(stream, "  %s\n", row->note);
        if (!isnan(row->goal))
            fprintf(stream, "  goal %s %.4g: %s\n", row->goal_is_most ? "at most" : "at least", row->goal,
                    goal_met(row) ? "met" : "NOT MET");
    }
}

static void print_tables(const ts_bench *bench, FILE *stream)
{
    ts_table table = {.stream = stream, .column = {{"", 16, false}}};
    const ts_table notes = {.stream = stream, .column_count = 1, .column = {{"", 78, false}}};
    for (size_t i = 0; i < bench->line.count; i++) {
        const table_line *l = &bench->line.item[i];
        if (l->bench) {
            table.column_count = l->column_count + 1;
            for (size_t k = 0; k < l->column_count; k++)
                table.column[k + 1] = (ts_table_column){l->column[k], 8, true};
            fprintf(stream, "\n%s\n", l->name);
            ts_table_head(&table);
            continue;
        }
        char text[TS_BENCH_COLUMNS_MAX][16] = {""};
        const char *cell[TS_BENCH_COLUMNS_MAX + 1] = {l->name};
        for (size_t k = 0; k < l->column_count; k++) {
            if (!isnan(l->value[k]))
                snprintf(text[k], sizeof text[k], "%.3g", l->value[k]);
            cell[k + 1] = text[k];
        }
        ts_table_row(&table, cell);
        if (l->note) {
            char note[512];
            snprintf(note, sizeof note, "  %s", l->note);
            ts_table_row(&notes, (const char *const[]){note});
        }
    }
}

static void write_row(ts_json *json, const result *r)
{
    const ts_bench_row *row = &r->row;
    ts_json_begin_object(json, NULL);
    ts_json_text(json, "bench", r->bench);
    ts_json_text(json, "case", row->name);
    ts_json_number(json, "ours", row->ours);
    ts_json_text(json, "unit", row->unit);
    ts_json_text(json, "peer", row->peer);
    ts_json_number(json, "peer_value", row->peer_value);
    ts_json_number(json, "ratio", row->ratio);
    ts_json_number(json, "spread", row->spread);
    ts_json_number(json, "peer_spread", row->peer_spread);
    ts_json_number(json, "goal", row->goal);
    if (isnan(row->goal))
        ts_json_null(json, "goal_met");
    else
        ts_json_bool(json, "goal_met", goal_met(row));
    ts_json_text(json, "note", row->note);
    ts_json_end(json);
}

static void write_tables(ts_json *json, const ts_bench *bench)
{
    ts_json_begin_array(json, "tables");
    for (size_t i = 0; i < bench->line.count; i++) {
        const table_line *l = &bench->line.item[i];
        ts_json_begin_object(json, NULL);
        if (l->bench) {
            ts_json_text(json, "bench", l->bench);
            ts_json_text(json, "title", l->name);
            ts_json_begin_array(json, "rows");
        } else {
            ts_json_text(json, "name", l->name);
            ts_json_text(json, "note", l->note);
            ts_json_begin_object(json, "values");
            for (size_t k = 0; k < l->column_count; k++)
                ts_json_number(json, l->column[k], l->value[k]);
            ts_json_end(json);
            ts_json_end(json);
        }
        if (i + 1 == bench->line.count || bench->line.item[i + 1].bench) {
            ts_json_end(json);
            ts_json_end(json);
        }
    }
    ts_json_end(json);
}

static void write_json(ts_json *json, const void *subject)
{
    const ts_bench *bench = subject;
    char name[128];
    ts_json_begin_object(json, NULL);
    ts_json_begin_object(json, "machine");
    ts_json_text(json, "processor", ts_cpu_name(name, sizeof name));
    ts_json_int(json, "processors", ts_processor_count());
    ts_json_text(json, "kernels", ts_cpu_level_name(ts_cpu_level()));
    ts_json_text(json, "compiler", ts_bench_compiler());
    ts_json_text(json, "version", ts_version());
    ts_json_end(json);
    ts_json_begin_array(json, "rows");
    for (size_t i = 0; i < bench->result.count; i++)
        write_row(json, &bench->result.item[i]);
    ts_json_end(json);
    write_tables(json, bench);
    ts_json_end(json);
}

static void write_list(ts_json *json, const void *subject)
{
    (void)subject;
    ts_json_begin_object(json, NULL);
    ts_json_begin_array(json, "benches");
    for (size_t i = 0; i < ts_bench_table_count; i++) {
        ts_json_begin_object(json, NULL);
        ts_json_text(json, "bench", ts_bench_table[i].name);
        ts_json_text(json, "what", ts_bench_table[i].what);
        ts_json_end(json);
    }
    ts_json_end(json);
    ts_json_end(json);
}

const char *ts_bench_compiler(void)
{
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "an unknown compiler";
#endif
}

/* ---- The command ---- */

static int list_benches(const ts_bench_options *options)
{
    ts_error error = {0};
    if (!options->quiet)
        for (size_t i = 0; i < ts_bench_table_count; i++)
            ts_output_list_entry(ts_output_stream(options->json_path), ts_bench_table[i].name, ts_bench_table[i].what,
                                 NULL);
    if (ts_output_json(options->json_path, write_list, NULL, &error) != TS_OK)
        return ts_output_failure(&error);
    return 0;
}

/* Index of the bench of that name; the table's count when there is none, which is then said. */
static size_t find_bench(const char *name)
{
    const char *candidate[64] = {0};
    size_t count = ts_bench_table_count < 64 ? ts_bench_table_count : 64;
    for (size_t i = 0; i < count; i++) {
        candidate[i] = ts_bench_table[i].name;
        if (strcmp(candidate[i], name) == 0)
            return i;
    }
    ts_output_unknown("bench", name, candidate, count);
    return ts_bench_table_count;
}

static int run_benches(ts_bench *bench, const ts_bench_entry *entry, size_t count)
{
    const ts_bench_options *options = bench->options;
    ts_error error = {0};
    bench->count = count;
    for (bench->index = 0; bench->index < count; bench->index++) {
        bench->entry = &entry[bench->index];
        ts_bench_report(bench, 0, bench->entry->name);
        ts_status status = bench->entry->run(bench, &error);
        ts_bench_report(bench, 1, bench->entry->name);
        if (status != TS_OK)
            return ts_output_failure(&error);
    }
    if (!options->quiet) {
        FILE *stream = ts_output_stream(options->json_path);
        print_machine(stream);
        print_tables(bench, stream);
        print_rows(bench, stream);
    }
    return ts_output_json(options->json_path, write_json, bench, &error) == TS_OK ? 0 : ts_output_failure(&error);
}

int ts_bench_run(const ts_bench_entry *entry, size_t count, const ts_bench_options *options)
{
    ts_bench bench = {.options = options};
    int code = run_benches(&bench, entry, count);
    ts_array_free(&bench.result);
    ts_array_free(&bench.line);
    ts_arena_free(&bench.text);
    return code;
}

int ts_bench_command(const ts_bench_options *options)
{
    if (options->list)
        return list_benches(options);
    size_t first = 0, count = ts_bench_table_count;
    if (options->name) {
        first = find_bench(options->name);
        count = 1;
        if (first == ts_bench_table_count)
            return 2;
    }
    return ts_bench_run(&ts_bench_table[first], count, options);
}
