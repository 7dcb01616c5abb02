/* SPDX-License-Identifier: MIT */
/* touchstone measure: what a granular scientist reads off a run, frame by frame. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/format.h"
#include "cli/places.h"
#include "cli/progress.h"
#include "cli/range.h"
#include "cli/runs.h"
#include "cli/signals.h"
#include "measure/columns.h"
#include "measure/kind.h"
#include "record/jsonwriter.h"
#include "record/snapshot.h"

typedef struct options {
    const char *what, *frames, *region, *line, *profile, *csv, *json;
    uint64_t bins, rattlers;
    int along, kinds;
    double share, jam;
    bool no_walls, list, quiet;
} options;

/* in the order of the option */
enum { ALONG_UP, ALONG_X, ALONG_Y, ALONG_Z };

static const options defaults = {.what = "all", .rattlers = 2, .share = 0.01};

static const ts_option option[] = {
    TS_TEXT("what", 'w', "NAMES", what,
            "packing, coordination, stress, fabric, forces, chains, temperature, velocity, flow, repose, front, "
            "segregation, energy, height, overlap: some of them with commas between, or all (default), which "
            "leaves out overlap in the plane, where it takes long; repose is of the plane"),
    TS_TEXT("profile", 'p', "NAME", profile,
            "one table a frame instead: packing, velocity, stress, rose, forces, surface or pile"),
    TS_TEXT("frames", 0, "A:B[:N]", frames,
            "frames from A up to, but without, B, each N-th of them; each may be left out, negative ones count from "
            "the end, and A alone is one frame"),
    TS_TEXT("region", 'r', "X0,Y0,X1,Y1", region,
            "measure in this box [m], of a run in space X0,Y0,Z0,X1,Y1,Z1 (default: the box of the grains)"),
    TS_COUNT("bins", 'b', "N", 1, 1000000, bins, "slices of a profile (default: two mean diameters each)"),
    TS_CHOICE("along", 0, "AXIS", "up|x|y|z", along, "profiles follow what is up, y or z (default), or x"),
    TS_TEXT("line", 'l', "X0,Y0,X1,Y1", line,
            "for flow: count what crosses this line [m], positive from its left to its right; of a run in space "
            "X0,Y0,Z0,X1,Y1,Z1: what crosses the plane through the first point, across the way to the second"),
    TS_COUNT("rattlers", 0, "N", 1, 100, rattlers,
             "grains with fewer contacts are rattlers (default 2; 3 without friction)"),
    TS_NUMBER("jam", 0, "SECONDS", jam,
              "a flow that rests this long while grains wait is a jam (default: a tenth of the time measured)"),
    TS_NUMBER("share", 0, "SHARE", share,
              "of grains that lie beyond the front, or of their area above the column's height (default 0.01)"),
    TS_CHOICE("kinds", 0, "BY", "auto|material|shape|size", kinds,
              "what segregates: auto (default), material, shape or size"),
    TS_FLAG("no-walls", 0, no_walls, "fabric and rose: contacts between grains alone, without those with walls"),
    {TS_ROW_("csv", 'c', "FILE", TS_OPTION_TEXT, csv, "write the table here; '-' is standard output"), .without = "-"},
    TS_JSON_OPTION(json, "write last values and averages over time here"),
    TS_FLAG("list", 0, list, "list the columns, measure nothing"),
    TS_QUIET_OPTION(quiet, "no progress and no summary"),
};

/* ---- What is asked ---- */

typedef struct request {
    const options *given;
    uint32_t groups; /* those that are named; with those of "all" once the dimension is known */
    bool all;
    bool is_profile;
    ts_profile_kind profile;
    ts_region region;
    double line[6];
    ts_measure_options how;
    const char *csv; /* NULL: none */
    int dimension;   /* of the run; 2 until it is known */
} request;

static size_t column_count(const request *r)
{
    return ts_measure_column_count(r->groups, r->dimension);
}
static const char *column_name(const request *r, size_t i)
{
    return ts_measure_column_name(r->groups, r->dimension, i);
}
static size_t column_group(const request *r, size_t i)
{
    return ts_measure_column_group(r->groups, r->dimension, i);
}

static ts_status unknown_name(const char *option_name, const char *name, const char *const *known, size_t count,
                              ts_error *error)
{
    const char *near = ts_nearest_name(name, known, count);
    for (size_t i = 0; i < count && !near; i++) /* its beginning alone */
        near = name[0] && strncmp(known[i], name, strlen(name)) == 0 ? known[i] : NULL;
    if (near)
        return ts_fail(error, TS_BAD_INPUT, "--%s: there is no '%s'; did you mean '%s'?", option_name, name, near);
    char all[512] = "";
    for (size_t i = 0, used = 0; i < count && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", known[i]);
    return ts_fail(error, TS_BAD_INPUT, "--%s: there is no '%s'; choose from %s", option_name, name, all);
}

static ts_status read_groups(request *r, ts_error *error)
{
    const char *known[32];
    size_t count = 0;
    while (count < 31 && ts_measure_name(count)) {
        known[count] = ts_measure_name(count);
        count++;
    }
    known[count] = "all";
    for (const char *at = r->given->what;; at++) {
        char name[64];
        size_t length = strcspn(at, ","), i = 0;
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), at);
        while (i < count && strcmp(name, known[i]) != 0)
            i++;
        if (strcmp(name, "all") == 0)
            r->all = true;
        else if (i == count)
            return unknown_name("what", name, known, count + 1, error);
        else if (1u << i == TS_MEASURE_ENERGY && r->given->region)
            return ts_fail(error, TS_BAD_INPUT,
                           "energy is that of all grains: springs and losses are recorded as a whole; leave out "
                           "--region, or energy");
        else
            r->groups |= 1u << i;
        at += length;
        if (!*at)
            break;
    }
    if ((r->groups & TS_MEASURE_FLOW) && !r->given->line)
        return ts_fail(error, TS_BAD_INPUT, "flow needs a line that grains cross; give one, as in --line 0,0,1,0");
    return TS_OK;
}

static ts_status read_profile(request *r, ts_error *error)
{
    const char *known[TS_PROFILE_COUNT];
    if (!r->given->profile)
        return TS_OK;
    for (int i = 0; i < TS_PROFILE_COUNT; i++) {
        known[i] = ts_profile_name((ts_profile_kind)i);
        if (strcmp(known[i], r->given->profile) == 0) {
            r->is_profile = true;
            r->profile = (ts_profile_kind)i;
        }
    }
    if (!r->is_profile)
        return unknown_name("profile", r->given->profile, known, TS_PROFILE_COUNT, error);
    if (r->given->json)
        return ts_fail(error, TS_BAD_INPUT, "--json has no profiles; write the profile with --csv");
    return TS_OK;
}

/* Numbers with commas between them: two points of the run's dimension. */
static ts_status read_points(const request *r, const char *option_name, const char *text, double value[6],
                             ts_error *error)
{
    const int count = 2 * r->dimension;
    size_t at = 0, length = strlen(text);
    for (int i = 0; i < count; i++) {
        size_t used = at <= length ? ts_parse_number(text + at, length - at, &value[i]) : 0;
        at += used;
        if (used == 0 || text[at] != (i + 1 < count ? ',' : 0))
            return ts_fail(error, TS_BAD_INPUT, "--%s is '%s', but must be %s numbers in metres, as in %s", option_name,
                           text, count == 6 ? "six" : "four", count == 6 ? "0,0,0,1,1,2" : "0,0,1.5,2");
        at++;
    }
    return TS_OK;
}

static ts_status read_region(request *r, ts_error *error)
{
    const int d = r->dimension;
    double box[6] = {0};
    TS_TRY(read_points(r, "region", r->given->region, box, error));
    for (int k = 0; k < d; k++)
        if (!(box[k] < box[k + d]))
            return ts_fail(error, TS_BAD_INPUT, "--region %s is empty; give %s", r->given->region,
                           d == 3 ? "its lowest corner and the opposite one" : "left, bottom, right, top");
    r->region = d == 3 ? (ts_region){box[0], box[1], box[3], box[4], box[2], box[5]}
                       : (ts_region){box[0], box[1], box[2], box[3], 0, 0};
    r->how.region = &r->region;
    return TS_OK;
}

static ts_status read_line(request *r, ts_error *error)
{
    const int d = r->dimension;
    bool same = true;
    TS_TRY(read_points(r, "line", r->given->line, r->line, error));
    for (int k = 0; k < d; k++)
        same = same && r->line[k] == r->line[k + d];
    r->how.line = r->line;
    return same ? ts_fail(error, TS_BAD_INPUT, "--line %s has no length; give two different points", r->given->line)
                : TS_OK;
}

/* Adds what "all" means to the groups that are named. */
static void complete_groups(request *r)
{
    uint32_t all = ts_measure_groups(r->dimension);
    if (!r->given->line)
        all &= ~(uint32_t)TS_MEASURE_FLOW;
    if (r->given->region)
        all &= ~(uint32_t)TS_MEASURE_ENERGY;
    if (ts_measure_kind_of(r->dimension)->outlines && !r->given->list)
        all &= ~(uint32_t)TS_MEASURE_OVERLAP; /* takes longer than all others; in space it is that of the contacts */
    if (r->all)
        r->groups |= all;
}

/* What depends on the dimension of the run, which is known by now. */
static ts_status read_places(request *r, int dimension, ts_error *error)
{
    r->dimension = dimension;
    uint32_t missing = r->groups & ~ts_measure_groups(dimension);
    for (size_t i = 0; missing && ts_measure_name(i); i++)
        if (missing & (1u << i))
            return ts_fail(error, TS_UNSUPPORTED,
                           "%s is measured in the plane only, but this is a run of bodies in space; leave it out",
                           ts_measure_name(i));
    complete_groups(r);
    static const struct {
        int no_slices; /* a direction that is neither up nor x */
        const char *name, *where, *up;
    } row[] = {{ALONG_Z, "z", "in the plane", "y"}, {ALONG_Y, "y", "in space", "z"}};
    const size_t own = (size_t)dimension - 2;
    if ((int)r->given->along == row[own].no_slices)
        return ts_fail(error, TS_BAD_INPUT, "--along %s has no slices in a run %s; choose x or %s", row[own].name,
                       row[own].where, row[own].up);
    if (r->given->region)
        TS_TRY(read_region(r, error));
    return r->given->line ? read_line(r, error) : TS_OK;
}

static ts_status read_request(const options *given, request *r, ts_error *error)
{
    *r = (request){.given = given, .dimension = 2};
    TS_TRY(read_groups(r, error));
    TS_TRY(read_profile(r, error));
    r->how = (ts_measure_options){
        .bins = (size_t)given->bins,
        .along_x = given->along == ALONG_X,
        .least = (int)given->rattlers,
        .share = given->share,
        .kind_by = (ts_kind_by)given->kinds,
        .no_walls = given->no_walls,
    };
    if (!(given->share > 0 && given->share < 1))
        return ts_fail(error, TS_BAD_INPUT, "--share is %g, but must lie between 0 and 1", given->share);
    if (!(given->jam >= 0) || !isfinite(given->jam))
        return ts_fail(error, TS_BAD_INPUT, "--jam is %g, but must be a time in seconds", given->jam);
    /* a table for programs, a summary for people */
    r->csv = given->csv;
    if (!r->csv && !given->json && (r->is_profile || !ts_is_terminal(stdout)))
        r->csv = "-";
    if (r->csv && given->json && strcmp(r->csv, "-") == 0 && strcmp(given->json, "-") == 0)
        return ts_fail(error, TS_BAD_INPUT, "--csv and --json cannot both be standard output; name a file for one");
    TS_TRY(ts_cli_check_file("csv", r->csv, NULL, error));
    return ts_cli_check_file("json", given->json, NULL, error);
}

/* ---- Tables ---- */

static void put_number(FILE *stream, double value)
{
    char text[TS_DOUBLE_TEXT_SIZE];
    ts_format_double(value, text);
    fputs(text, stream);
}

static void put_names(const request *r, FILE *stream)
{
    fputs("frame,time_s", stream);
    for (size_t i = 0; i < column_count(r); i++)
        fprintf(stream, ",%s", column_name(r, i));
    fputs("\n", stream);
}

static void put_row(FILE *stream, uint64_t frame, double time, const double *value, size_t count)
{
    fprintf(stream, "%" PRIu64 ",", frame);
    put_number(stream, time);
    for (size_t i = 0; i < count; i++) {
        fputs(",", stream);
        put_number(stream, value[i]);
    }
    fputs("\n", stream);
}

static ts_status put_profile(const request *r, const ts_snapshot *now, uint64_t frame, bool first, FILE *stream,
                             ts_error *error)
{
    ts_profile profile;
    TS_TRY(ts_profile_make(now, r->profile, &r->how, &profile, error));
    for (size_t i = 0; first && i < profile.column_count; i++)
        fprintf(stream, "%s%s", i ? "," : "frame,time_s,bin,", profile.column[i]);
    if (first)
        fputs("\n", stream);
    for (size_t k = 0; k < profile.row_count; k++) {
        fprintf(stream, "%" PRIu64 ",", frame);
        put_number(stream, now->time);
        fprintf(stream, ",%zu", k);
        for (size_t i = 0; i < profile.column_count; i++) {
            fputs(",", stream);
            put_number(stream, profile.value[k * profile.column_count + i]);
        }
        fputs("\n", stream);
    }
    ts_profile_free(&profile);
    return TS_OK;
}

/* ---- Averages over time ---- */

typedef struct average {
    double last;
    double count, mean, squares; /* over the frames in which it has a value (Welford's sums) */
} average;

/* Axes have no sign: one that is upright jumps between -π/2 and π/2, and a mean would say nothing. */
static bool is_angle_of_axis(const char *name)
{
    const char *end = strstr(name, "_axis_rad");
    return end && strcmp(end, "_axis_rad") == 0;
}

static void add_value(average *a, double value, bool last_alone)
{
    a->last = value;
    if (isnan(value) || last_alone)
        return;
    a->count++;
    double step = value - a->mean;
    a->mean += step / a->count;
    a->squares += step * (value - a->mean);
}

static double mean_of(const average *a)
{
    return a->count > 0 ? a->mean : (double)NAN;
}

static double deviation_of(const average *a)
{
    return a->count > 1 ? sqrt(a->squares / (a->count - 1)) : (double)NAN;
}

typedef struct result {
    uint64_t frames;
    double first_time, last_time;
    average column[TS_MEASURE_COLUMNS_MAX];
    ts_passages passages; /* through the line, if one was given */
} result;

/* Whether and when the flow stopped. */
static ts_clogging clogging_of(const request *r, const result *all)
{
    double span = r->given->jam > 0 ? r->given->jam : 0.1 * (all->last_time - all->first_time);
    return ts_passages_clogging(&all->passages, span);
}

static bool has_passages(const request *r, const result *all)
{
    return (r->groups & TS_MEASURE_FLOW) && all->frames > 1;
}

static const char *shown(double value, char text[32])
{
    snprintf(text, 32, isnan(value) ? "-" : "%.5g", value);
    return text;
}

static void print_clogging(const ts_clogging *c)
{
    printf("\n%s passed the line", ts_show_counted(c->passed, "grain").text);
    if (!isnan(c->first)) {
        printf(", the first at %s", ts_show_si(c->first, "s").text);
        printf(", the last at %s", ts_show_si(c->last, "s").text);
    }
    printf("; %s waiting", ts_show_counted(c->waiting, "grain").text);
    if (c->jammed)
        printf(", jammed since %s", ts_show_si(c->jam, "s").text);
    printf("\n");
}

static void print_summary(const request *r, const result *all)
{
    ts_listing listing = ts_listing_make("lrrr");
    size_t last_group = SIZE_MAX;
    printf("%s, t = %s", ts_show_counted(all->frames, "frame").text, ts_show_si(all->first_time, "s").text);
    printf(all->frames > 1 ? " to %s\n\n" : "\n\n", ts_show_si(all->last_time, "s").text);
    ts_listing_row(&listing, "\tlast\tmean\tdeviation");
    for (size_t i = 0; i < column_count(r); i++) {
        char last[32], mean[32], deviation[32];
        const average *a = &all->column[i];
        size_t group = column_group(r, i);
        if (group != last_group && i > 0)
            ts_listing_gap(&listing);
        last_group = group;
        ts_listing_row(&listing, "%s\t%s\t%s\t%s", column_name(r, i), shown(a->last, last), shown(mean_of(a), mean),
                       shown(deviation_of(a), deviation));
    }
    ts_listing_print(&listing, stdout);
    if (has_passages(r, all)) {
        ts_clogging c = clogging_of(r, all);
        print_clogging(&c);
    }
}

static void write_clogging(ts_json *json, const ts_clogging *c)
{
    ts_json_begin_object(json, "passages");
    ts_json_uint(json, "passed_grains", c->passed);
    ts_json_uint(json, "waiting_grains", c->waiting);
    TS_JSON_NUMBERS(json, {"first_s", c->first}, {"last_s", c->last}, {"longest_pause_s", c->pause},
                    {"idle_s", c->idle});
    ts_json_bool(json, "jammed", c->jammed);
    ts_json_number(json, "jam_s", c->jam);
    ts_json_end(json);
}

static ts_status write_json(const request *r, const result *all, const char *run, FILE *stream, ts_error *error)
{
    ts_json json;
    ts_json_to_stream(&json, stream);
    ts_json_begin_object(&json, NULL);
    ts_json_text(&json, "run", run);
    ts_json_uint(&json, "frames", all->frames);
    ts_json_number(&json, "first_time_s", all->first_time);
    ts_json_number(&json, "last_time_s", all->last_time);
    ts_json_begin_object(&json, "measures");
    for (size_t i = 0; i < column_count(r); i++) {
        const average *a = &all->column[i];
        ts_json_begin_object(&json, column_name(r, i));
        ts_json_number(&json, "last", a->last);
        ts_json_number(&json, "mean", mean_of(a));
        ts_json_number(&json, "deviation", deviation_of(a));
        ts_json_end(&json);
    }
    ts_json_end(&json);
    if (has_passages(r, all)) {
        ts_clogging c = clogging_of(r, all);
        write_clogging(&json, &c);
    }
    ts_json_end(&json);
    return ts_json_finish(&json, error);
}

/* ---- Frame by frame ---- */

typedef struct walk {
    const request *request;
    ts_trajectory *reader;
    ts_range frames;
    FILE *table; /* NULL: none */
    ts_progress progress;
    ts_snapshot snapshot[2]; /* this frame's and the one before, by turns */
    result result;
} walk;

/* The values of a frame. */
static ts_status measure_values(walk *w, const ts_frame *frame, double *value, ts_error *error)
{
    const request *r = w->request;
    uint64_t turn = w->result.frames;
    ts_snapshot *now = &w->snapshot[turn & 1], *before = turn ? &w->snapshot[(turn & 1) ^ 1] : NULL;
    TS_TRY(ts_snapshot_of_frame(ts_trajectory_get_header(w->reader), frame, now, error));
    if (r->is_profile)
        return put_profile(r, now, frame->index, turn == 0, w->table, error);
    TS_TRY(ts_measure_row(now, before, &r->how, r->groups, value, error));
    if ((r->groups & TS_MEASURE_FLOW) && before)
        TS_TRY(ts_passages_add(&w->result.passages, before, now, r->line, r->line + r->dimension, error));
    return TS_OK;
}

static ts_status measure_frame(walk *w, uint64_t index, ts_error *error)
{
    const request *r = w->request;
    ts_frame frame;
    double value[TS_MEASURE_COLUMNS_MAX];
    TS_TRY(ts_trajectory_read(w->reader, index, &frame, error));
    TS_TRY(measure_values(w, &frame, value, error));
    if (w->result.frames++ == 0)
        w->result.first_time = frame.time;
    w->result.last_time = frame.time;
    if (r->is_profile)
        return TS_OK;
    size_t count = column_count(r);
    for (size_t i = 0; i < count; i++)
        add_value(&w->result.column[i], value[i], is_angle_of_axis(column_name(w->request, i)));
    if (w->table)
        put_row(w->table, index, frame.time, value, count);
    return TS_OK;
}

static ts_status measure_frames(walk *w, ts_error *error)
{
    uint64_t total = ts_range_size(&w->frames);
    if (w->table && !w->request->is_profile)
        put_names(w->request, w->table);
    for (uint64_t k = 0; k < total; k++) {
        TS_TRY(measure_frame(w, w->frames.first + k * w->frames.every, error));
        if (w->table && ferror(w->table))
            return ts_fail(error, TS_IO, "cannot write the table; is the disk full?");
        double now = ts_clock_seconds();
        w->progress.total = (double)total;
        if (k + 1 < total && ts_progress_due(&w->progress, now))
            ts_progress_show(&w->progress, (double)(k + 1), "frames", now);
        if (ts_stop_requested() && k + 1 < total)
            return ts_fail(error, TS_INTERRUPTED, "measuring was stopped after %" PRIu64 " of %" PRIu64 " frames",
                           k + 1, total);
    }
    return TS_OK;
}

/* Runs the walk with its table, if any, in a file or on standard output. */
static ts_status measure_into(walk *w, const char *path, ts_error *error)
{
    if (!path)
        return measure_frames(w, error);
    if (strcmp(path, "-") == 0) {
        w->table = stdout;
        return measure_frames(w, error);
    }
    TS_AUTO(ts_draft_discard) ts_draft draft = {0};
    TS_TRY(ts_draft_open(&draft, path, error));
    w->table = draft.stream;
    TS_TRY(measure_frames(w, error));
    return ts_draft_commit(&draft, error);
}

static ts_status put_json(const request *r, const result *all, const char *run, ts_error *error)
{
    const char *path = r->given->json;
    if (!path)
        return TS_OK;
    if (strcmp(path, "-") == 0)
        return write_json(r, all, run, stdout, error);
    TS_AUTO(ts_draft_discard) ts_draft draft = {0};
    TS_TRY(ts_draft_open(&draft, path, error));
    TS_TRY(write_json(r, all, run, draft.stream, error));
    return ts_draft_commit(&draft, error);
}

static ts_status measure_run(request *r, const char *run, ts_error *error)
{
    char folder[ts_cli_path_size];
    walk w = {.request = r};
    TS_TRY(ts_cli_open_run(run, folder, &w.reader, error));
    ts_cli_note_torn(w.reader);
    ts_status status = ts_range_read(r->given->frames, ts_trajectory_frame_count(w.reader), &w.frames, error);
    if (status == TS_OK)
        status = read_places(r, ts_trajectory_get_header(w.reader)->dimension, error);
    bool to_terminal = r->csv && strcmp(r->csv, "-") == 0 && ts_is_terminal(stdout);
    if (status == TS_OK) {
        ts_progress_begin(&w.progress, stderr, r->given->quiet || to_terminal, 0, 1, ts_clock_seconds());
        status = measure_into(&w, r->csv, error);
        ts_progress_clear(&w.progress);
    }
    if (status == TS_OK)
        status = put_json(r, &w.result, run, error);
    ts_snapshot_free(&w.snapshot[0]);
    ts_snapshot_free(&w.snapshot[1]);
    ts_trajectory_close(w.reader);
    bool taken = (r->csv && strcmp(r->csv, "-") == 0) || (r->given->json && strcmp(r->given->json, "-") == 0);
    if (status == TS_OK && !taken && !r->is_profile && !r->given->quiet)
        print_summary(r, &w.result);
    ts_passages_free(&w.result.passages);
    return status;
}

/* The columns of a run; without one those of runs in the plane. */
static ts_exit list_columns(request *r, const char *run)
{
    char folder[ts_cli_path_size];
    ts_trajectory *reader;
    ts_error error;
    if (run && ts_cli_open_run(run, folder, &reader, &error) != TS_OK)
        return ts_cli_fail(&error);
    if (run) {
        r->dimension = ts_trajectory_get_header(reader)->dimension;
        ts_trajectory_close(reader);
    }
    complete_groups(r);
    for (size_t i = 0; i < column_count(r); i++)
        printf("%-13s %s\n", ts_measure_name(column_group(r, i)), column_name(r, i));
    return TS_EXIT_OK;
}

static ts_exit run(const void *values, const ts_operands *operands)
{
    const options *given = values;
    ts_error error;
    request r;
    if (read_request(given, &r, &error) != TS_OK)
        return ts_cli_misuse(&ts_command_measure, &error);
    if (given->list)
        return list_columns(&r, operands->count > 0 ? operands->item[0] : NULL);
    if (operands->count == 0) {
        ts_fail(&error, TS_BAD_INPUT, "which run? Give the folder that `touchstone run` wrote");
        return ts_cli_misuse(&ts_command_measure, &error);
    }
    ts_signals old;
    ts_signals_catch(&old);
    ts_status status = measure_run(&r, operands->item[0], &error);
    ts_signals_release(&old);
    return status == TS_OK ? TS_EXIT_OK : ts_cli_fail(&error);
}

const ts_command ts_command_measure = {
    .name = "measure",
    .usage = "RUN|SCENE [OPTIONS]",
    .summary = "packing, stress, force chains, profiles, flow of a run",
    .text = "Measures the grains of each recorded frame: one row a frame as CSV, or, on a terminal, a summary with the "
            "last values and averages over time. A scene is measured as it stands at time 0. Names of columns carry "
            "their units; docs/measures.md has the formulas and signs. A value that a frame does not have is nan.",
    .example = "touchstone measure out/drop\n"
               "touchstone measure out/drop --what packing,stress --csv drop.csv\n"
               "touchstone measure out/drop --profile velocity --frames -1 --bins 20\n"
               "touchstone measure out/funnel --what flow --line -0.1,0,0.1,0",
    TS_OPTIONS(option, defaults),
    .operand_most = 1,
    .run = run,
};
