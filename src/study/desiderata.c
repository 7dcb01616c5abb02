/* SPDX-License-Identifier: MIT */
#include "study/desiderata.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/output.h"
#include "study/study.h"
#include "study/table.h"

/* A blow takes 99 passes through the longest cradle; an operator that gains speed may go on for ever. */
#define PASSES_MAX 200

const ts_desire ts_desires[TS_DESIRE_COUNT] = {
    {"symmetry", "SYM", false, 1e-9}, {"energy", "KIN", false, 1e-12},   {"momentum", "MOM", false, 1e-13},
    {"one_sided", "ONE", true, 0},    {"break_away", "BRK", true, 1e-6}, {"feasible", "closing", false, 1e-9},
};

static const double restitutions[] = {1, 0.5, 0};

/* Table 1 of the paper: what each lacks. */
static bool published(const char *by, ts_desideratum which)
{
    if (strcmp(by, "lcp") == 0)
        return which != TS_DESIRE_BREAK_AWAY;
    if (strncmp(by, "gauss-seidel", 12) == 0)
        return which != TS_DESIRE_SYMMETRY;
    if (strcmp(by, "jacobi") == 0)
        return which != TS_DESIRE_ENERGY;
    return true;
}

/* ---- Measuring ---- */

/* Takes a value into a cell if it is worse than what is there. */
static void worsen(ts_desire_cell *cell, ts_desideratum which, double value, const char *where)
{
    bool worse = ts_desires[which].at_least ? !(value >= cell->value) : !(value <= cell->value);
    if (!isnan(cell->value) && !worse)
        return;
    cell->value = value;
    snprintf(cell->where, sizeof cell->where, "%s", where);
}

static ts_status measure(ts_desire_case *c, const ts_impact_operator *by, ts_desire_row *row, ts_error *error)
{
    ts_impact_options options = {.restitution = row->restitution, .passes_max = PASSES_MAX, .seed = 1, .fair = true};
    ts_impact_report report;
    TS_TRY(ts_crowd_collide(&c->crowd, by, &options, &report, error));
    ts_crowd_laws laws = ts_crowd_judge(&c->crowd);
    if (c->symmetric)
        worsen(&row->cell[TS_DESIRE_SYMMETRY], TS_DESIRE_SYMMETRY, laws.asymmetry, c->name);
    /* elastic impacts keep energy, others may not gain any */
    worsen(&row->cell[TS_DESIRE_ENERGY], TS_DESIRE_ENERGY, row->restitution == 1 ? fabs(laws.energy) : laws.energy,
           c->name);
    if (c->closed)
        worsen(&row->cell[TS_DESIRE_MOMENTUM], TS_DESIRE_MOMENTUM, laws.momentum, c->name);
    worsen(&row->cell[TS_DESIRE_ONE_SIDED], TS_DESIRE_ONE_SIDED, laws.impulse, c->name);
    if (c->cradle && row->restitution > 0) /* at 0 nothing is to part */
        worsen(&row->cell[TS_DESIRE_BREAK_AWAY], TS_DESIRE_BREAK_AWAY,
               ts_crowd_rate(&c->crowd, c->crowd.contact.count - 1), c->name);
    worsen(&row->cell[TS_DESIRE_FEASIBLE], TS_DESIRE_FEASIBLE, laws.closing, c->name);
    row->unfinished += !report.finished;
    row->passes = report.passes > row->passes ? report.passes : row->passes;
    return TS_OK;
}

/* What is published of a cell, and whether the measured one is like it. */
static void judge(ts_desiderata *d)
{
    d->as_published = true;
    for (size_t i = 0; i < d->row_count; i++)
        for (int k = 0; k < TS_DESIRE_COUNT; k++) {
            ts_desire_row *row = &d->row[i];
            ts_desire_cell *cell = &row->cell[k];
            const ts_desire *desire = &ts_desires[k];
            bool gr = strcmp(row->by, "gr") == 0;
            cell->holds = desire->at_least ? cell->value >= desire->limit : cell->value <= desire->limit;
            cell->asked = published(row->by, (ts_desideratum)k);
            /* nothing parts at a restitution of 0, and of other operators the paper speaks of elastic impact */
            cell->judged = k < TS_DESIRE_FIVE && (row->restitution == 1 || (gr && !isnan(cell->value)));
            if (gr && k == TS_DESIRE_FEASIBLE)
                cell->judged = true;
            if (cell->judged && cell->holds != cell->asked)
                d->as_published = false;
        }
}

static ts_status measure_all(ts_desiderata *out, ts_desire_case *c, ts_error *error)
{
    for (size_t i = 0; i < out->row_count; i++)
        TS_TRY(measure(c, ts_impact_find(out->row[i].by), &out->row[i], error));
    return TS_OK;
}

ts_status ts_desiderata_run(ts_desiderata *out, ts_error *error)
{
    *out = (ts_desiderata){.configurations = ts_desire_case_count(), .passes_max = PASSES_MAX};
    for (size_t r = 0; r < sizeof restitutions / sizeof *restitutions; r++)
        for (const ts_impact_operator *const *by = ts_impact_operators; *by; by++) {
            ts_desire_row *row = &out->row[out->row_count++];
            *row = (ts_desire_row){.by = (*by)->name, .restitution = restitutions[r]};
            for (int k = 0; k < TS_DESIRE_COUNT; k++)
                row->cell[k].value = TS_NONE;
        }
    for (size_t i = 0; i < out->configurations; i++) {
        ts_desire_case c;
        ts_status status = ts_desire_case_build(i, &c, error);
        if (status == TS_OK)
            status = measure_all(out, &c, error);
        ts_crowd_free(&c.crowd);
        TS_TRY(status);
    }
    judge(out);
    return TS_OK;
}

/* ---- Telling ---- */

#define CELL_SIZE 16

static const char *cell_text(const ts_desire_cell *cell, char text[CELL_SIZE])
{
    if (isnan(cell->value))
        return "";
    snprintf(text, CELL_SIZE, "%.1e%s", cell->value == 0 ? 0 : cell->value, cell->holds ? " " : "!");
    return text;
}

static void print_limits(const ts_table *table)
{
    char text[TS_DESIRE_COUNT][CELL_SIZE];
    const char *cell[TS_DESIRE_COUNT + 1] = {"limit"};
    for (int k = 0; k < TS_DESIRE_COUNT; k++) {
        snprintf(text[k], CELL_SIZE, "%s %.0e ", ts_desires[k].at_least ? "≥" : "≤", ts_desires[k].limit);
        if (ts_desires[k].limit == 0)
            snprintf(text[k], CELL_SIZE, "≥ 0 ");
        cell[k + 1] = text[k];
    }
    ts_table_row(table, cell);
}

static void print_row(const ts_table *table, const ts_desire_row *row)
{
    char text[TS_DESIRE_COUNT][CELL_SIZE];
    const char *cell[TS_DESIRE_COUNT + 1] = {row->by};
    for (int k = 0; k < TS_DESIRE_COUNT; k++)
        cell[k + 1] = cell_text(&row->cell[k], text[k]);
    ts_table_row(table, cell);
}

/* The end of the table: which operators were stopped, and what the marks mean. */
static void print_notes(const ts_desiderata *d, FILE *stream)
{
    for (size_t i = 0; i < d->row_count; i++)
        if (d->row[i].restitution == 1 && d->row[i].unfinished > 0)
            fprintf(stream, "%s leaves contacts closing in %zu of %zu configurations\n", d->row[i].by,
                    d->row[i].unfinished, d->configurations);
    fprintf(stream,
            "\n! beyond the limit. The worst of %zu configurations: SYM difference of mirror\n"
            "twins, KIN energy changed (gained, where inelastic), MOM momentum changed, ONE\n"
            "smallest impulse, BRK speed at which the last ball of a cradle parts, closing\n"
            "what still closes; all as shares of what came in.\n",
            d->configurations);
    fprintf(stream, "\n%s\n",
            d->as_published ? "gr holds all five; the others lack what the paper says."
                            : "FAILED: this is not the table of the paper.");
}

static void print_table(const ts_desiderata *d, FILE *stream)
{
    ts_table table = {.stream = stream, .column_count = TS_DESIRE_COUNT + 1, .column = {{"", 19, false}}};
    for (int k = 0; k < TS_DESIRE_COUNT; k++)
        table.column[k + 1] = (ts_table_column){ts_desires[k].label, 9, true};
    double last = TS_NONE;
    for (size_t i = 0; i < d->row_count; i++) {
        if (d->row[i].restitution != last) {
            last = d->row[i].restitution;
            fprintf(stream, "%srestitution %g\n", i > 0 ? "\n" : "", last);
            ts_table_head(&table);
        }
        print_row(&table, &d->row[i]);
        if (i + 1 == d->row_count || d->row[i + 1].restitution != last)
            print_limits(&table);
    }
    print_notes(d, stream);
}

static void write_row(ts_json *json, const ts_desire_row *row)
{
    ts_json_begin_object(json, NULL);
    ts_json_text(json, "operator", row->by);
    ts_json_number(json, "restitution", row->restitution);
    for (int k = 0; k < TS_DESIRE_COUNT; k++) {
        const ts_desire_cell *cell = &row->cell[k];
        ts_json_begin_object(json, ts_desires[k].name);
        ts_json_number(json, "measured", cell->value);
        ts_json_text(json, "where", cell->where);
        ts_json_bool(json, "holds", cell->holds);
        if (cell->judged)
            ts_json_bool(json, "published", cell->asked);
        else
            ts_json_null(json, "published");
        ts_json_end(json);
    }
    ts_json_uint(json, "unfinished", row->unfinished);
    ts_json_uint(json, "passes", row->passes);
    ts_json_end(json);
}

static void write_json(ts_json *json, const void *subject)
{
    const ts_desiderata *d = subject;
    ts_json_begin_object(json, NULL);
    ts_json_uint(json, "configurations", d->configurations);
    ts_json_uint(json, "passes_max", d->passes_max);
    ts_json_begin_object(json, "limits");
    for (int k = 0; k < TS_DESIRE_COUNT; k++) {
        ts_json_begin_object(json, ts_desires[k].name);
        ts_json_number(json, ts_desires[k].at_least ? "at_least" : "at_most", ts_desires[k].limit);
        ts_json_end(json);
    }
    ts_json_end(json);
    ts_json_begin_array(json, "operators");
    for (size_t i = 0; i < d->row_count; i++)
        write_row(json, &d->row[i]);
    ts_json_end(json);
    ts_json_bool(json, "as_published", d->as_published);
    ts_json_end(json);
}

int ts_desiderata_command(const ts_desiderata_options *options)
{
    ts_error error;
    ts_desiderata d;
    if (ts_desiderata_run(&d, &error) != TS_OK)
        return ts_output_failure(&error);
    if (!options->quiet)
        print_table(&d, ts_output_stream(options->json_path));
    if (ts_output_json(options->json_path, write_json, &d, &error) != TS_OK)
        return ts_output_failure(&error);
    return d.as_published ? 0 : 3;
}
