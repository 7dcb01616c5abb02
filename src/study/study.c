/* SPDX-License-Identifier: MIT */
#include "study/study.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "record/jsonwriter.h"
#include "study/output.h"
#include "study/table.h"
#include "touchstone/version.h"

#define LINE_WIDTH 80 /* characters */

typedef struct claim {
    const char *text;
    const char *paper; /* in words; NULL: `expected` is the paper's number, if there is one */
    double expected;   /* NaN: none */
    double tolerance;  /* relative to |expected|; NaN: none */
    double measured;
    const char *unit;
    bool holds;
} claim;

struct ts_study {
    const ts_study_entry *entry;
    const ts_study_options *options;
    ts_arena text; /* everything that claims and figures point to */
    TS_ARRAY(claim) claim;
    TS_ARRAY(const char *) figure;
    const char *folder;  /* NULL until it is asked for */
    double seconds;      /* wall time of the run */
    atomic_flag telling; /* a thread reports */
    double told;         /* how far, at the last report */
};

bool ts_study_full(const ts_study *study)
{
    return study->options->full;
}

int ts_study_threads(const ts_study *study)
{
    return study->options->threads > 0 ? study->options->threads : ts_processor_count();
}

uint64_t ts_study_seed(const ts_study *study)
{
    return study->options->seed ? study->options->seed : 1;
}

ts_status ts_study_choose(const ts_study *study, const char *const *name, size_t count, bool *chosen, ts_error *error)
{
    const char *list = study->options->runs;
    for (size_t i = 0; i < count; i++)
        chosen[i] = !list;
    for (bool first = true; list && (first || *list); first = false) {
        size_t length = strcspn(list, ","), found = 0;
        while (found < count && (strlen(name[found]) != length || strncmp(name[found], list, length) != 0))
            found++;
        if (found == count) {
            char names[512] = "";
            for (size_t i = 0, used = 0; i < count && used < sizeof names; i++)
                used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", name[i]);
            return ts_fail(error, TS_BAD_INPUT, "--runs: there is no run '%.*s'; choose from %s", (int)length, list,
                           names);
        }
        chosen[found] = true;
        list += length + (list[length] == ',');
    }
    return TS_OK;
}

void ts_study_report(ts_study *study, double done, const char *what)
{
    if (!study->options->progress || atomic_flag_test_and_set(&study->telling))
        return;
    if (done >= study->told) { /* threads come as they come */
        study->told = done;
        study->options->progress(study->options->progress_user, done, what);
    }
    atomic_flag_clear(&study->telling);
}

static const char *keep_text(ts_study *study, const char *text)
{
    return ts_arena_text(&study->text, text, strlen(text));
}

ts_status ts_study_out_dir(ts_study *study, const char **folder, ts_error *error)
{
    if (!study->folder) {
        char path[4096];
        if (study->options->out_dir)
            snprintf(path, sizeof path, "%s", study->options->out_dir);
        else
            snprintf(path, sizeof path, "out/study/%s", study->entry->name);
        TS_TRY(ts_output_folder(path, error));
        study->folder = keep_text(study, path);
        if (!study->folder)
            return ts_fail_memory(error, strlen(path));
    }
    *folder = study->folder;
    return TS_OK;
}

ts_status ts_study_figure(ts_study *study, const char *path, ts_error *error)
{
    const char *copy = keep_text(study, path);
    if (!copy)
        return ts_fail_memory(error, strlen(path));
    return ts_array_push(&study->figure, copy, error);
}

ts_status ts_study_sheet_open(ts_study *study, const char *name, ts_draft *draft, ts_error *error)
{
    const char *folder;
    char path[4200];
    TS_TRY(ts_study_out_dir(study, &folder, error));
    snprintf(path, sizeof path, "%.4000s/%.100s", folder, name);
    return ts_draft_open(draft, path, error);
}

ts_status ts_study_sheet_close(ts_study *study, ts_draft *draft, ts_error *error)
{
    ts_status status = ts_study_figure(study, draft->path, error);
    if (status == TS_OK)
        return ts_draft_commit(draft, error);
    ts_draft_discard(draft);
    return status;
}

/* ---- Claims ---- */

/* `paper` is what is expected in words; NULL: c.expected is. */
static ts_status add_claim(ts_study *study, claim c, const char *paper, ts_error *error, const char *format,
                           va_list arguments)
{
    char text[512];
    vsnprintf(text, sizeof text, format, arguments);
    c.text = keep_text(study, text);
    c.paper = paper ? keep_text(study, paper) : NULL;
    c.unit = keep_text(study, c.unit && c.unit[0] ? c.unit : "1");
    if (!c.text || !c.unit || (paper && !c.paper))
        return ts_fail_memory(error, sizeof text);
    return ts_array_push(&study->claim, c, error);
}

/* Adds a claim with the text of the caller's last, variable arguments. */
#define ADD_CLAIM(study, c, paper, error, format)                                        \
    do {                                                                                 \
        va_list arguments;                                                               \
        va_start(arguments, format);                                                     \
        ts_status status = add_claim((study), (c), (paper), (error), format, arguments); \
        va_end(arguments);                                                               \
        return status;                                                                   \
    } while (0)

ts_status ts_claim_near(ts_study *study, double measured, double expected, double tolerance, const char *unit,
                        ts_error *error, const char *format, ...)
{
    const bool holds = fabs(measured - expected) <= tolerance * fabs(expected);
    ADD_CLAIM(study, ((claim){NULL, NULL, expected, tolerance, measured, unit, holds}), NULL, error, format);
}

ts_status ts_claim_at_most(ts_study *study, double measured, double limit, const char *unit, ts_error *error,
                           const char *format, ...)
{
    char paper[64];
    snprintf(paper, sizeof paper, "<= %.6g", limit);
    ADD_CLAIM(study, ((claim){NULL, NULL, TS_NONE, TS_NONE, measured, unit, measured <= limit}), paper, error, format);
}

ts_status ts_claim_at_least(ts_study *study, double measured, double limit, const char *unit, ts_error *error,
                            const char *format, ...)
{
    char paper[64];
    snprintf(paper, sizeof paper, ">= %.6g", limit);
    ADD_CLAIM(study, ((claim){NULL, NULL, TS_NONE, TS_NONE, measured, unit, measured >= limit}), paper, error, format);
}

ts_status ts_claim(ts_study *study, bool holds, double measured, const char *unit, const char *paper, ts_error *error,
                   const char *format, ...)
{
    ADD_CLAIM(study, ((claim){NULL, NULL, TS_NONE, TS_NONE, measured, unit, holds}), paper, error, format);
}

/* ---- Showing the outcome ---- */

static size_t failed_count(const ts_study *study)
{
    size_t count = 0;
    for (size_t i = 0; i < study->claim.count; i++)
        count += !study->claim.item[i].holds;
    return count;
}

/* A study that claims nothing has shown nothing, unless it was told to run only a part. */
static bool holds(const ts_study *study)
{
    return failed_count(study) == 0 && (study->claim.count > 0 || study->options->runs);
}

/* NULL: they are not to be chosen. */
static const ts_study_runs *runs_of(const ts_study_entry *entry)
{
    for (const ts_study_runs *runs = ts_study_separable; runs->study; runs++)
        if (strcmp(runs->study, entry->name) == 0)
            return runs;
    return NULL;
}

static void print_claims(const ts_study *study, FILE *stream)
{
    ts_table table = {.stream = stream,
                      .column_count = 5,
                      .column = {{"claim", 43, false},
                                 {"expected", 11, true},
                                 {"measured", 11, true},
                                 {"unit", 5, false},
                                 {"", 6, false}},
                      .wraps = 1u << 1};
    ts_table_head(&table);
    for (size_t i = 0; i < study->claim.count; i++) {
        const claim *c = &study->claim.item[i];
        char expected[TS_TABLE_NUMBER_SIZE], measured[TS_TABLE_NUMBER_SIZE];
        snprintf(measured, sizeof measured, "%.6g", c->measured);
        const char *cell[] = {c->text, c->paper ? c->paper : ts_table_number(c->expected, expected), measured, c->unit,
                              c->holds ? "holds" : "FAILED"};
        ts_table_row(&table, cell);
    }
}

/* Some runs are of use only beside others. */
static void print_no_claims(const ts_study *study, FILE *stream)
{
    const ts_study_runs *runs = runs_of(study->entry);
    char text[512];
    snprintf(text, sizeof text, "No claim can be made of %s alone; the runs are %s. (%.1f s)",
             study->options->runs ? study->options->runs : "this",
             !runs                  ? "none to choose from"
             : study->options->full ? runs->full
                                    : runs->quick,
             study->seconds);
    ts_table table = {.stream = stream, .column_count = 1, .column = {{"", LINE_WIDTH, false}}};
    ts_table_row(&table, (const char *[]){text});
}

static void print_outcome(const ts_study *study, FILE *stream)
{
    fprintf(stream, "%s (%s): %s\n", study->entry->name, study->options->full ? "full" : "quick", study->entry->what);
    if (study->claim.count > 0)
        print_claims(study, stream);
    for (size_t i = 0; i < study->figure.count; i++)
        fprintf(stream, "figure: %s\n", study->figure.item[i]);
    size_t failed = failed_count(study);
    if (study->claim.count == 0)
        print_no_claims(study, stream);
    else if (failed)
        fprintf(stream, "%zu of %zu claims FAILED (%.1f s)\n", failed, study->claim.count, study->seconds);
    else
        fprintf(stream, "all %zu claims hold (%.1f s)\n", study->claim.count, study->seconds);
}

static void write_claim(ts_json *json, const claim *c)
{
    ts_json_begin_object(json, NULL);
    ts_json_text(json, "claim", c->text);
    if (c->paper)
        ts_json_text(json, "paper", c->paper);
    else
        ts_json_number(json, "paper", c->expected); /* NaN becomes null */
    ts_json_number(json, "measured", c->measured);
    ts_json_text(json, "unit", c->unit);
    ts_json_number(json, "tolerance", c->tolerance);
    ts_json_bool(json, "holds", c->holds);
    ts_json_end(json);
}

static void write_json(ts_json *json, const void *subject)
{
    const ts_study *study = subject;
    ts_json_begin_object(json, NULL);
    ts_json_text(json, "study", study->entry->name);
    ts_json_text(json, "mode", study->options->full ? "full" : "quick");
    ts_json_text(json, "what", study->entry->what);
    ts_json_text(json, "section", study->entry->section);
    ts_json_text(json, "version", ts_version());
    ts_json_uint(json, "seed", ts_study_seed(study));
    if (study->options->runs)
        ts_json_text(json, "runs", study->options->runs);
    ts_json_number(json, "seconds", study->seconds);
    ts_json_begin_array(json, "claims");
    for (size_t i = 0; i < study->claim.count; i++)
        write_claim(json, &study->claim.item[i]);
    ts_json_end(json);
    ts_json_begin_array(json, "figures");
    for (size_t i = 0; i < study->figure.count; i++)
        ts_json_text(json, NULL, study->figure.item[i]);
    ts_json_end(json);
    ts_json_bool(json, "holds", holds(study));
    ts_json_end(json);
}

static void write_list(ts_json *json, const void *subject)
{
    (void)subject;
    ts_json_begin_object(json, NULL);
    ts_json_begin_array(json, "studies");
    for (size_t i = 0; i < ts_study_table_count; i++) {
        ts_json_begin_object(json, NULL);
        ts_json_text(json, "study", ts_study_table[i].name);
        ts_json_text(json, "what", ts_study_table[i].what);
        ts_json_text(json, "section", ts_study_table[i].section);
        const ts_study_runs *runs = runs_of(&ts_study_table[i]);
        if (runs) {
            ts_json_text(json, "quick_runs", runs->quick);
            ts_json_text(json, "full_runs", runs->full);
        }
        ts_json_end(json);
    }
    ts_json_end(json);
    ts_json_end(json);
}

static void print_entry(const ts_study_entry *entry, FILE *stream)
{
    const ts_study_runs *runs = runs_of(entry);
    ts_output_list_entry(stream, entry->name, entry->what, entry->section);
    if (!runs)
        return;
    ts_table table = {.stream = stream,
                      .column_count = 3,
                      .column = {{"", 20, false}, {"", 12, false}, {"", LINE_WIDTH - 34, false}},
                      .wraps = 1u << 2};
    ts_table_row(&table, (const char *[]){"", " quick runs:", runs->quick});
    ts_table_row(&table, (const char *[]){"", "  full runs:", runs->full});
}

static int list_studies(const ts_study_options *options)
{
    ts_error error = {0};
    if (!options->quiet)
        for (size_t i = 0; i < ts_study_table_count; i++)
            print_entry(&ts_study_table[i], ts_output_stream(options->json_path));
    if (ts_output_json(options->json_path, write_list, NULL, &error) != TS_OK)
        return ts_output_failure(&error);
    return 0;
}

static const ts_study_entry *find_study(const char *name)
{
    for (size_t i = 0; i < ts_study_table_count; i++)
        if (strcmp(ts_study_table[i].name, name) == 0)
            return &ts_study_table[i];
    const char *candidate[64] = {0};
    size_t count = ts_study_table_count < 64 ? ts_study_table_count : 64;
    for (size_t i = 0; i < count; i++)
        candidate[i] = ts_study_table[i].name;
    ts_output_unknown("study", name, candidate, count);
    return NULL;
}

static int run_study(ts_study *study)
{
    const ts_study_options *options = study->options;
    ts_error error = {0};
    double begin = ts_clock_seconds();
    ts_study_report(study, 0, study->entry->name);
    ts_status status = study->entry->run(study, &error);
    study->seconds = ts_clock_seconds() - begin;
    ts_study_report(study, 1, study->entry->name);
    if (status != TS_OK)
        return ts_output_failure(&error);
    if (!options->quiet)
        print_outcome(study, ts_output_stream(options->json_path));
    if (ts_output_json(options->json_path, write_json, study, &error) != TS_OK)
        return ts_output_failure(&error);
    return holds(study) ? 0 : 3;
}

int ts_study_run(const ts_study_entry *entry, const ts_study_options *options)
{
    ts_study study = {.entry = entry, .options = options};
    int code = run_study(&study);
    ts_array_free(&study.claim);
    ts_array_free(&study.figure);
    ts_arena_free(&study.text);
    return code;
}

int ts_study_command(const ts_study_options *options)
{
    if (!options->name)
        return list_studies(options);
    const ts_study_entry *entry = find_study(options->name);
    if (!entry)
        return 2;
    if (options->runs && !runs_of(entry)) {
        ts_error error;
        ts_fail(&error, TS_BAD_INPUT, "the study %s has no runs to choose from; leave out --runs", entry->name);
        return ts_output_failure(&error);
    }
    return ts_study_run(entry, options);
}
