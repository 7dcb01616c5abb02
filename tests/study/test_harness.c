/* SPDX-License-Identifier: MIT */
/* The harness of studies and benches: what it makes of claims and numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/memory.h"
#include "study/bench.h"
#include "study/plot.h"
#include "study/study.h"
#include "study/table.h"

/* ---- Studies ---- */

static char *read_text(const char *path)
{
    char *text;
    size_t size;
    assert_int_equal(ts_file_read(path, 1 << 20, &text, &size, NULL), TS_OK);
    return text;
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in:\n%s", part, text);
}

static int run(ts_status (*body)(ts_study *study, ts_error *error), const char *json)
{
    ts_study_entry entry = {"probe", "a study of the harness", "none", body};
    ts_study_options options = {.json_path = json, .quiet = true};
    return ts_study_run(&entry, &options);
}

static ts_status true_claims(ts_study *study, ts_error *error)
{
    TS_TRY(ts_claim_near(study, 1.009, 1, 0.01, "m", error, "nearly %d", 1));
    TS_TRY(ts_claim_near(study, -1.009, -1, 0.01, "m", error, "below zero"));
    TS_TRY(ts_claim_near(study, 0, 0, 0, "m", error, "nothing at all"));
    TS_TRY(ts_claim_at_most(study, 2, 2, "s", error, "at the limit"));
    TS_TRY(ts_claim_at_least(study, 2, 2, "s", error, "at the limit"));
    return ts_claim(study, true, 3, "1", "three", error, "in words");
}

static void holding_claims_exit_0(void **state)
{
    (void)state;
    assert_int_equal(run(true_claims, "true.json"), 0);
    char *text = read_text("true.json");
    assert_has(text, "\"study\": \"probe\"");
    assert_has(text, "\"mode\": \"quick\"");
    assert_has(text, "\"claim\": \"nearly 1\"");
    assert_has(text, "\"measured\": 1.009");
    assert_has(text, "\"paper\": \"three\"");
    assert_null(strstr(text, "\"holds\": false"));
    ts_free(text);
}

static ts_status near_but_not(ts_study *study, ts_error *error)
{
    TS_TRY(ts_claim_near(study, 1, 1, 0.01, "m", error, "true"));
    return ts_claim_near(study, 1.011, 1, 0.01, "m", error, "false");
}

static ts_status too_much(ts_study *study, ts_error *error)
{
    return ts_claim_at_most(study, 1.0000001, 1, "m", error, "false");
}

static ts_status too_little(ts_study *study, ts_error *error)
{
    return ts_claim_at_least(study, 0.9999999, 1, "m", error, "false");
}

static ts_status near_nan(ts_study *study, ts_error *error)
{
    return ts_claim_near(study, TS_NONE, 1, 1e9, "m", error, "not measured");
}

static ts_status nan_at_most(ts_study *study, ts_error *error)
{
    return ts_claim_at_most(study, TS_NONE, 1, "m", error, "not measured");
}

static ts_status nan_at_least(ts_study *study, ts_error *error)
{
    return ts_claim_at_least(study, TS_NONE, 1, "m", error, "not measured");
}

static ts_status no_claims(ts_study *study, ts_error *error)
{
    (void)study;
    (void)error;
    return TS_OK;
}

static void failing_claims_exit_3(void **state)
{
    (void)state;
    assert_int_equal(run(near_but_not, "false.json"), 3);
    char *text = read_text("false.json");
    assert_has(text, "\"holds\": true");
    assert_has(text, "\"holds\": false");
    ts_free(text);
    assert_int_equal(run(too_much, NULL), 3);
    assert_int_equal(run(too_little, NULL), 3);
}

/* What was not measured never holds, and a study that claims nothing has shown nothing. */
static void nothing_measured_exits_3(void **state)
{
    (void)state;
    assert_int_equal(run(near_nan, "nan.json"), 3);
    char *text = read_text("nan.json");
    assert_has(text, "\"measured\": null");
    ts_free(text);
    assert_int_equal(run(nan_at_most, NULL), 3);
    assert_int_equal(run(nan_at_least, NULL), 3);
    assert_int_equal(run(no_claims, NULL), 3);
}

static ts_status breaks(ts_study *study, ts_error *error)
{
    TS_TRY(ts_claim_at_most(study, 1, 1, "m", error, "true"));
    return ts_fail(error, TS_DIVERGED, "this study breaks on purpose");
}

static void broken_runs_exit_1(void **state)
{
    (void)state;
    assert_int_equal(run(breaks, NULL), 1);
    assert_int_equal(run(true_claims, "no/such/folder/x.json"), 1);
}

static void no_claims_hold_only_of_chosen_runs(void **state)
{
    (void)state;
    ts_study_entry entry = {"chain", "a study of the harness", "none", no_claims};
    assert_int_equal(ts_study_run(&entry, &(ts_study_options){.quiet = true}), 3);
    assert_int_equal(ts_study_run(&entry, &(ts_study_options){.quiet = true, .runs = "lowered"}), 0);
}

/* What the list of studies says is what a study lets a user choose. */
static void the_names_of_runs_are_true(void **state)
{
    (void)state;
    for (const ts_study_runs *runs = ts_study_separable; runs->study; runs++)
        for (int full = 0; full < 2; full++) {
            char expected[1024];
            ts_study_options options = {
                .name = runs->study, .full = full, .quiet = true, .runs = "?", .out_dir = "runs"};
            snprintf(expected, sizeof expected, "touchstone: --runs: there is no run '?'; choose from %s\n",
                     full ? runs->full : runs->quick);
            assert_non_null(freopen("runs.txt", "w", stderr));
            assert_int_equal(ts_study_command(&options), 2);
            fflush(stderr);
            char *text = read_text("runs.txt");
            assert_string_equal(text, expected);
            ts_free(text);
        }
}

static void unknown_names_exit_2(void **state)
{
    (void)state;
    assert_int_equal(ts_study_command(&(ts_study_options){.name = "disc-analytics", .quiet = true}), 2);
    assert_int_equal(ts_bench_command(&(ts_bench_options){.name = "dics", .quiet = true}), 2);
}

static ts_status writes_figure(ts_study *study, ts_error *error)
{
    const char *folder;
    char path[512];
    const double x[] = {0, 1, 2}, y[] = {1, TS_NONE, 100};
    TS_TRY(ts_study_out_dir(study, &folder, error));
    snprintf(path, sizeof path, "%s/figure.svg", folder);
    ts_plot_line line = {"line", x, y, 3, false};
    TS_TRY(ts_plot_write(&(ts_plot){"title", "x", "y", true, &line, 1}, path, error));
    TS_TRY(ts_study_figure(study, path, error));
    return ts_claim_at_most(study, 0, 0, "1", error, "true");
}

static void figures_are_named(void **state)
{
    (void)state;
    ts_study_entry entry = {"probe", "a study of the harness", "none", writes_figure};
    ts_study_options options = {.json_path = "figure.json", .quiet = true, .out_dir = "figures/here"};
    assert_int_equal(ts_study_run(&entry, &options), 0);
    char *text = read_text("figure.json"), *picture = read_text("figures/here/figure.svg");
    assert_has(text, "figures/here/figure.svg");
    assert_has(picture, "</svg>");
    assert_null(strstr(picture, "nan"));
    assert_null(strstr(picture, "inf"));
    ts_free(text);
    ts_free(picture);
}

/* ---- Benches ---- */

static void medians(void **state)
{
    (void)state;
    double spread, odd[] = {5, 1, 4, 2, 3}, even[] = {4, 1, 3, 2}, one[] = {7};
    assert_true(ts_bench_median(odd, 5, &spread) == 3);
    assert_true(fabs(spread - 2.0 / 3) < 1e-15); /* from 2 to 4, about 3 */
    assert_true(ts_bench_median(even, 4, &spread) == 2.5);
    assert_true(ts_bench_median(one, 1, &spread) == 7);
    assert_true(isnan(spread));
}

static ts_status two_rows(ts_bench *bench, ts_error *error)
{
    char name[] = "first";
    ts_bench_row row = ts_bench_row_empty();
    row.name = name;
    row.unit = "1/s";
    row.ours = 10;
    row.peer = "peer";
    row.peer_value = 4;
    row.ratio = row.judged = 2.5;
    row.goal = 2;
    TS_TRY(ts_bench_add(bench, &row, error));
    name[0] = 'F'; /* texts are copied */
    row.name = "second";
    row.goal_is_most = true;
    row.peer = NULL;
    row.peer_value = TS_NONE;
    return ts_bench_add(bench, &row, error);
}

static void rows_become_json(void **state)
{
    (void)state;
    ts_bench_entry entry = {"probe", "a bench of the harness", two_rows};
    ts_bench_options options = {.json_path = "rows.json", .quiet = true};
    assert_int_equal(ts_bench_run(&entry, 1, &options), 0); /* also when a goal is not met */
    char *text = read_text("rows.json");
    assert_has(text, "\"machine\"");
    assert_has(text, "\"bench\": \"probe\"");
    assert_has(text, "\"case\": \"first\"");
    assert_has(text, "\"ours\": 10");
    assert_has(text, "\"peer_value\": 4");
    assert_has(text, "\"peer_value\": null");
    assert_has(text, "\"ratio\": 2.5");
    assert_has(text, "\"goal_met\": true");
    assert_has(text, "\"goal_met\": false");
    assert_has(text, "\"spread\": null");
    ts_free(text);
}

/* Two tables, of which the second has no row. */
static ts_status two_tables(ts_bench *bench, ts_error *error)
{
    static const char *const column[] = {"fast", "slow"};
    TS_TRY(ts_bench_table_begin(bench, "first", column, 2, error));
    TS_TRY(ts_bench_table_add(bench, "ours", (const double[]){1, 2}, NULL, error));
    TS_TRY(ts_bench_table_add(bench, "theirs", (const double[]){3, TS_NONE}, "why", error));
    return ts_bench_table_begin(bench, "second", column, 1, error);
}

static void tables_become_json(void **state)
{
    (void)state;
    ts_bench_entry entry = {"probe", "a bench of the harness", two_tables};
    ts_bench_options options = {.json_path = "tables.json", .quiet = true};
    assert_int_equal(ts_bench_run(&entry, 1, &options), 0);
    char *text = read_text("tables.json");
    assert_has(text, "\"title\": \"first\"");
    assert_has(text, "\"name\": \"theirs\"");
    assert_has(text, "\"note\": \"why\"");
    assert_has(text, "\"fast\": 1,");
    assert_has(text, "\"slow\": 2\n");
    assert_has(text, "\"fast\": 3,");
    assert_has(text, "\"slow\": null\n");
    assert_has(text, "\"title\": \"second\"");
    ts_free(text);
}

/* ---- Tables ---- */

static void long_texts_wrap(void **state)
{
    (void)state;
    FILE *stream = fopen("table.txt", "w");
    assert_non_null(stream);
    ts_table table = {
        .stream = stream, .column_count = 3, .column = {{"text", 10, false}, {"number", 8, true}, {"end", 5, false}}};
    ts_table_head(&table);
    ts_table_row(&table, (const char *[]){"eins zwei drei vier fünf", "12", "ok"});
    ts_table_row(&table, (const char *[]){"aWordThatIsFarTooLong", "3", NULL});
    ts_table_row(&table, (const char *[]){"√√√√√√√√√√", "4", "ok"});
    ts_table_row(&table, (const char *[]){"", NULL, NULL});
    table.wraps = 1u << 1;
    ts_table_row(&table, (const char *[]){"eins zwei drei", "a few short words", "ok"});
    ts_table_row(&table, (const char *[]){"eins", "toolongforit, two", "ok"});
    fclose(stream);
    char *text = read_text("table.txt");
    assert_string_equal(text, "text         number end\n"
                              "-------------------------\n"
                              "eins zwei        12 ok\n"
                              "  drei\n"
                              "  vier\n"
                              "  fünf\n"
                              "aWordThatI        3\n"
                              "  sFarTooL\n"
                              "  ong\n"
                              "√√√√√√√√√√        4 ok\n"
                              "\n"
                              "eins zwei     a few ok\n"
                              "  drei        short\n"
                              "              words\n"
                              "eins       toolongforit, ok\n"
                              "                two\n");
    ts_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holding_claims_exit_0),
        cmocka_unit_test(failing_claims_exit_3),
        cmocka_unit_test(nothing_measured_exits_3),
        cmocka_unit_test(broken_runs_exit_1),
        cmocka_unit_test(no_claims_hold_only_of_chosen_runs),
        cmocka_unit_test(the_names_of_runs_are_true),
        cmocka_unit_test(unknown_names_exit_2),
        cmocka_unit_test(figures_are_named),
        cmocka_unit_test(medians),
        cmocka_unit_test(rows_become_json),
        cmocka_unit_test(tables_become_json),
        cmocka_unit_test(long_texts_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
