/* SPDX-License-Identifier: MIT */
/* Contact maps of the pairs that meet in the scenes of the CEM paper: what they take to store and to learn, beside what is published,
 * and how far they are from the truth.
 *
 * Errors are measured here anew, on poses of the study's own seed, and bytes are those of a file. What the truth itself is worth is
 * measured as well: the balanced depth beside the true one (map_depths.c), and the published grid of points. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "cspace/map.h"
#include "cspace/map_file.h"
#include "record/draw_map.h"
#include "study/map_depths.h"
#include "study/map_pairs.h"
#include "study/plot.h"
#include "study/studies.h"
#include "touchstone/map.h"

#define SMALL_BYTES   20e3  /* published: "less than 20kB" */
#define SMALL_SECONDS 25    /* published: "less than 25 seconds to train" */
#define LARGE_BYTES   99e3  /* published: "tens of kilobytes" */
#define LARGE_ERROR   0.01  /* ours */
#define LARGE_ENOUGH  0.009 /* where training may end */
#define AUTO_ERROR    0.005
#define AUTO_BYTES    (512 * 1024)
#define WORST_ERROR   0.05
#define RIGHT_SIGN    0.999
#define GRID          201
#define QUICK_VISITS  2500000 /* samples that 5×64 networks of a quick study look at, a twentieth of the default */
#define FIGURE_PAIR   "hash"

/* What parts of the work take, roughly, for the progress line. */
enum { WORK_LARGE = 20, WORK_SMALL = 15, WORK_AUTO = 6, WORK_GRID = 2, WORK_DEPTHS = 1, WORK_FIGURES = 12 };

/* One map, made and measured. */
typedef struct result {
    bool there;
    ts_map_kind kind;
    int networks;   /* in its file */
    double bytes;   /* of its file; NaN: it has none */
    double seconds; /* that making it took */
    ts_map_errors errors;
} result;

/* All about one pair. */
typedef struct record {
    ts_map_pair pair;
    result large, small, automatic, sampled;
    double reach;  /* (radius a + radius b) / the smaller */
    double larger; /* the larger radius / the smaller */
    ts_map_depths depths;
} record;

typedef struct work {
    ts_study *study;
    const char *folder;
    char table[4096]; /* path of maps.csv */
    ts_grains *grains;
    ts_pool *pool;
    ts_map_pairs pairs;
    record *record; /* (pairs.count) */
    size_t at;      /* the pair that is being worked on */
    const char *what;
    double done, all; /* work, in the measure above */
    double part;      /* of what is being done */
    ts_map *kept[2];  /* of the figures' pair: `auto` and 5×64 */
} work;

/* ---- Making and measuring ---- */

static bool tell(void *user, double done, const char *what)
{
    const work *w = user;
    const ts_map_pair *pair = &w->pairs.item[w->at];
    char text[160];
    snprintf(text, sizeof text, "%s×%s, %s: %s", pair->a, pair->b, w->what, what);
    ts_study_report(w->study, fmin((w->done + done * w->part) / w->all, 0.999), text);
    return true;
}

/* Bytes of a file with the map in it, and networks that come back from there. An auto map that came out exact is weighed as the cache
 * keeps it. */
static ts_status weigh_file(const ts_map *map, result *to, ts_error *error)
{
    unsigned char *bytes;
    size_t size;
    ts_map *back;
    TS_TRY(ts_map_encode(map, &bytes, &size, error));
    ts_status status = ts_map_decode(bytes, size, "the map", &back, error);
    ts_free(bytes);
    TS_TRY(status);
    to->bytes = (double)size;
    to->networks = back->network ? (back->network->gap.count > 0) + (back->network->arm.count > 0) : 0;
    ts_map_free(back);
    return TS_OK;
}

static bool is_figure_pair(const ts_map_pair *pair)
{
    return strcmp(pair->a, FIGURE_PAIR) == 0 && strcmp(pair->b, FIGURE_PAIR) == 0;
}

/* Makes a map, with no cache in between, and measures it. */
static ts_status make(work *w, const ts_map_options *options, const char *what, uint64_t samples, result *to,
                      ts_error *error)
{
    const ts_map_pair *pair = &w->pairs.item[w->at];
    ts_map_making making = {.threads = ts_study_threads(w->study), .cache = "", .progress = tell, .progress_user = w};
    ts_map *map;
    w->what = what;
    tell(w, 0, "begins");
    TS_TRY(ts_map_create(pair->outline[0], pair->outline[1], options, &making, &map, error));
    ts_map_info info = ts_map_get_info(map);
    *to = (result){.there = true, .kind = info.kind, .bytes = TS_NONE, .seconds = info.build_seconds};
    w->record[w->at].reach = (info.radius_a + info.radius_b) / fmin(info.radius_a, info.radius_b);
    w->record[w->at].larger = w->record[w->at].reach - 1;
    ts_status status = TS_OK;
    if (info.kind != TS_MAP_SAMPLED)
        status = weigh_file(map, to, error);
    if (status == TS_OK)
        status = ts_map_measure(map, samples, ts_study_seed(w->study) + 1000, ts_study_threads(w->study), &to->errors,
                                error);
    ts_map **place = options->kind == TS_MAP_AUTO ? &w->kept[0] : options->depth == 5 ? &w->kept[1] : NULL;
    if (status == TS_OK && place && !*place && is_figure_pair(pair))
        *place = map;
    else
        ts_map_free(map);
    return status;
}

/* Poses on which maps are measured. */
static uint64_t poses(const work *w)
{
    return ts_study_full(w->study) ? 20000 : 10000;
}

/* To the end when `enough` is 0. */
static ts_status make_network(work *w, int depth, int width, double enough, result *to, ts_error *error)
{
    ts_map_options options = {
        .kind = TS_MAP_NETWORK, .depth = depth, .width = width, .error = enough, .seed = ts_study_seed(w->study)};
    if (enough > 0 && !ts_study_full(w->study))
        options.samples = QUICK_VISITS;
    char what[64];
    snprintf(what, sizeof what, "network %d×%d", depth, width);
    return make(w, &options, what, poses(w), to, error);
}

static ts_status make_table(work *w, double wanted, result *to, ts_error *error)
{
    ts_map_options options = {.kind = TS_MAP_AUTO, .error = wanted, .bytes = AUTO_BYTES};
    return make(w, &options, "auto", poses(w), to, error);
}

/* What of the work comes next. */
static void begin(work *w, double part)
{
    w->done += w->part;
    w->part = part;
}

/* The grid takes milliseconds a query, so a quick study asks it where it makes networks only. */
static bool has_grid(const work *w, const ts_map_pair *pair)
{
    return ts_study_full(w->study) || pair->large;
}

static double work_of(const work *w, const ts_map_pair *pair)
{
    return WORK_AUTO + WORK_DEPTHS + (has_grid(w, pair) ? WORK_GRID : 0) + (pair->large ? WORK_LARGE : 0) +
           (pair->small ? WORK_SMALL : 0);
}

static ts_status measure_pair(work *w, ts_error *error)
{
    record *r = &w->record[w->at];
    bool full = ts_study_full(w->study);
    if (r->pair.large) {
        begin(w, WORK_LARGE);
        TS_TRY(make_network(w, 5, 64, LARGE_ENOUGH, &r->large, error));
    }
    if (r->pair.small) {
        begin(w, WORK_SMALL);
        TS_TRY(make_network(w, 3, 32, 0, &r->small, error));
    }
    begin(w, WORK_AUTO);
    TS_TRY(make_table(w, AUTO_ERROR, &r->automatic, error));
    if (has_grid(w, &r->pair)) {
        ts_map_options grid = {.kind = TS_MAP_SAMPLED, .grid = GRID};
        begin(w, WORK_GRID);
        TS_TRY(make(w, &grid, "sampled", full ? 200 : 40, &r->sampled, error));
    }
    begin(w, WORK_DEPTHS);
    w->what = "depths";
    tell(w, 0, "true and balanced");
    return ts_map_depths_measure(r->pair.outline[0], r->pair.outline[1], full ? 100 : 40, ts_study_seed(w->study),
                                 w->pool, &r->depths, error);
}

/* ---- Claims ---- */

static ts_status claim_networks(work *w, const record *r, ts_error *error)
{
    ts_study *study = w->study;
    const char *a = r->pair.a, *b = r->pair.b;
    if (!r->large.there)
        return TS_OK;
    TS_TRY(ts_claim_at_most(study, r->large.errors.mean, LARGE_ERROR, "R", error,
                            "%s×%s: 5×64 network, mean error near contact (worst %.2g, right signs %.5g)", a, b,
                            r->large.errors.worst, r->large.errors.sign));
    TS_TRY(ts_claim_at_most(study, r->large.bytes, LARGE_BYTES, "bytes", error,
                            "%s×%s: 5×64 network, file (published: tens of kB)", a, b));
    if (!r->small.there)
        return TS_OK;
    TS_TRY(ts_claim_at_most(study, r->small.bytes, SMALL_BYTES, "bytes", error,
                            "%s×%s: 3×32 network, file (published: less than 20 kB)", a, b));
    return ts_claim_at_most(study, r->small.seconds, SMALL_SECONDS, "s", error,
                            "%s×%s: 3×32 network, training with data (published: less than 25 s)", a, b);
}

static ts_status claim_table(work *w, const record *r, ts_error *error)
{
    ts_study *study = w->study;
    const char *a = r->pair.a, *b = r->pair.b, *kind = ts_map_kind_name(r->automatic.kind);
    const ts_map_errors *e = &r->automatic.errors;
    TS_TRY(ts_claim_at_most(study, e->mean, AUTO_ERROR, "R", error, "%s×%s: auto (%s), mean error near contact", a, b,
                            kind));
    TS_TRY(
        ts_claim_at_most(study, r->automatic.bytes, AUTO_BYTES, "bytes", error, "%s×%s: auto (%s), file", a, b, kind));
    TS_TRY(ts_claim_at_most(study, e->worst, WORST_ERROR, "R", error, "%s×%s: auto (%s), worst error near contact", a,
                            b, kind));
    return ts_claim_at_least(study, e->sign, RIGHT_SIGN, "1", error,
                             "%s×%s: auto (%s), share of right signs where |gap| > 0.01 R", a, b, kind);
}

/* The lattice stands over the box of both bounding circles, at most twice the reach wide: its points are at most 2 reach / 200 apart,
 * the nearest one to the minimum at most that / √2 away, and the gap is twice a distance. */
static ts_status claim_truth(work *w, const record *r, ts_error *error)
{
    ts_study *study = w->study;
    const char *a = r->pair.a, *b = r->pair.b;
    const ts_map_depths *d = &r->depths;
    double spacing = 2 * r->reach / (GRID - 1), bound = ceil(1e4 * sqrt(2) * spacing) * 1e-4; /* short in a table */
    double tolerance = ceil(1e5 * TS_MAP_DEPTHS_TOLERANCE * r->larger - 1e-6) * 1e-5;
    if (r->sampled.there)
        TS_TRY(ts_claim_at_most(study, r->sampled.errors.worst, bound, "R", error,
                                "%s×%s: grid of 201×201 points, worst error (mean %.2g)", a, b,
                                r->sampled.errors.mean));
    TS_TRY(ts_claim_at_most(study, d->below, tolerance, "R", error,
                            "%s×%s: true depth is less than the balanced one by (it is more by %.2g R in the mean, "
                            "by %.2g R at most)",
                            a, b, d->mean, d->most));
    TS_TRY(ts_claim_at_most(study, d->beyond, tolerance, "R", error,
                            "%s×%s: true depth is more than that of the bounding circles by", a, b));
    return ts_claim_at_most(study, d->steepest, 1 + 1e-9, "1", error, "%s×%s: balanced depth over shift, at most", a,
                            b);
}

/* Where both depths are known: squares, face on face. */
static ts_status claim_faces(work *w, ts_error *error)
{
    const ts_outline *square;
    ts_map_faces faces;
    TS_TRY(ts_grains_find(w->grains, "block", &square, error));
    TS_TRY(ts_map_depths_faces(square, &faces, error));
    TS_TRY(ts_claim_at_most(w->study, faces.balanced, 1e-6, "1", error,
                            "squares, face on face: balanced depth, largest error as a share of the known depth"));
    return ts_claim_at_most(w->study, faces.truth, 0.01, "1", error,
                            "squares, face on face: true depth, largest error as a share of the known depth");
}

/* What is published counts an arm network and a distance network for each pair of different types, but writes one for two equal ones:
 * 2 C(m, 2) + m. Two equal grains rub on each other as well: two networks for each of the 55 pairs of ten types are 110. Pairs are
 * counted in the list that the outlines make, networks in the files that were written. */
static ts_status claim_count(work *w, ts_error *error)
{
    size_t types, pairs, made = 0;
    int networks = 0;
    TS_TRY(ts_map_pairs_drum(w->grains, &types, &pairs, error));
    TS_TRY(ts_claim_near(w->study, (double)pairs, 55, 0, "1", error, "pairs that the drum's %zu types make", types));
    for (size_t i = 0; i < w->pairs.count; i++) {
        const record *r = &w->record[i];
        bool small = ts_study_full(w->study); /* the drum's; a quick study makes one size for it */
        made += r->pair.drum && (small ? r->small : r->large).there;
        networks += r->pair.drum ? (small ? r->small : r->large).networks : 0;
    }
    return ts_claim_near(w->study, networks, ts_study_full(w->study) ? 110 : 2 * (double)made, 0, "1", error,
                         "networks in the files of %zu of the drum's pairs (the paper prints 2 C(m, 2) + m = %zu for "
                         "all)",
                         made, types * types);
}

static ts_status claim_tables(work *w, ts_error *error)
{
    size_t count = 0;
    for (size_t i = 0; i < w->pairs.count; i++)
        count += w->record[i].automatic.kind == TS_MAP_TABLE;
    return ts_claim_at_least(w->study, (double)count / (double)w->pairs.count, 0.95, "1", error,
                             "share of pairs with a table as their auto map (of %zu, %zu are exact: no table of 512 kB "
                             "keeps their narrow places open)",
                             w->pairs.count, w->pairs.count - count);
}

/* ---- Figures ---- */

static void write_rows(FILE *stream, const record *r)
{
    const struct {
        const char *name;
        const result *of;
    } row[] = {
        {"network 5x64", &r->large}, {"network 3x32", &r->small}, {"auto", &r->automatic}, {"sampled", &r->sampled}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        const ts_map_errors *e = &row[k].of->errors;
        if (row[k].of->there)
            fprintf(stream, "\"%s\",%s,%s,%s,%.0f,%.3f,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g\n",
                    r->pair.scene, r->pair.a, r->pair.b, row[k].of->kind == TS_MAP_EXACT ? "exact" : row[k].name,
                    isnan(row[k].of->bytes) ? 0 : row[k].of->bytes, row[k].of->seconds, e->mean, e->high, e->worst,
                    e->normal_mean, e->normal_high, e->arm_mean, e->sign, e->surface, r->depths.mean, r->depths.most);
    }
}

/* Of the first `count` pairs: anew after each, so that a study that is stopped leaves what it has found. */
static ts_status write_table(const work *w, size_t count, ts_error *error)
{
    ts_draft draft;
    TS_TRY(ts_draft_open(&draft, w->table, error));
    fprintf(draft.stream, "scene,a,b,kind,bytes,seconds,mean,high,worst,normal_mean,normal_high,arm_mean,sign,surface,"
                          "depth_mean,depth_most\n");
    for (size_t i = 0; i < count; i++)
        write_rows(draft.stream, &w->record[i]);
    return ts_draft_commit(&draft, error);
}

/* Error over bytes of one pair. */
static ts_status draw_trade(work *w, const record *r, ts_error *error)
{
    /* the one that claims are about is there already; a quick study makes the coarsest beside it, and no more */
    static const double wanted[] = {0.02, 0.01, AUTO_ERROR, 0.0025};
    enum { trades = sizeof wanted / sizeof *wanted };
    double table_bytes[trades], table_error[trades];
    size_t count = 0;
    for (size_t i = 0; i < trades; i++) {
        result found = r->automatic;
        if (!ts_study_full(w->study) && i % 2 == 1)
            continue;
        begin(w, (double)WORK_FIGURES / trades);
        if (i != 2)
            TS_TRY(make_table(w, wanted[i], &found, error));
        bool table = found.kind == TS_MAP_TABLE;
        table_bytes[count] = table ? 1e-3 * found.bytes : TS_NONE;
        table_error[count++] = table ? 100 * found.errors.mean : TS_NONE;
    }
    double net_bytes[2] = {1e-3 * r->small.bytes, 1e-3 * r->large.bytes};
    double net_error[2] = {r->small.there ? 100 * r->small.errors.mean : TS_NONE, 100 * r->large.errors.mean};
    ts_plot_line line[] = {{"tables", table_bytes, table_error, count, false},
                           {"networks 3×32, 5×64", net_bytes, net_error, 2, false}};
    ts_plot plot = {.title = FIGURE_PAIR "×" FIGURE_PAIR ": mean error near contact, over the bytes of a file",
                    .x_title = "kB",
                    .y_title = "% of the radius",
                    .log_y = true,
                    .line = line,
                    .line_count = 2};
    char path[4096];
    snprintf(path, sizeof path, "%s/error-over-bytes.svg", w->folder);
    TS_TRY(ts_plot_write(&plot, path, error));
    return ts_study_figure(w->study, path, error);
}

/* Slices through the same pair's maps. A build without Cairo has no such picture. */
static ts_status draw_slices(work *w, ts_error *error)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/" FIGURE_PAIR ".png", w->folder);
    ts_map_picture about = {.title = "Two hash signs",
                            .name_a = FIGURE_PAIR,
                            .name_b = FIGURE_PAIR,
                            .width = ts_study_full(w->study) ? 0 : 800,
                            .more = {w->kept[1]},
                            .pool = w->pool};
    ts_status status = ts_draw_map(path, w->kept[0], &about, error);
    if (status == TS_UNSUPPORTED)
        return TS_OK;
    TS_TRY(status);
    return ts_study_figure(w->study, path, error);
}

static ts_status draw_figures(work *w, ts_error *error)
{
    for (w->at = 0; w->at < w->pairs.count; w->at++)
        if (is_figure_pair(&w->pairs.item[w->at]) && w->kept[0] && w->kept[1]) {
            TS_TRY(draw_trade(w, &w->record[w->at], error));
            return draw_slices(w, error);
        }
    return TS_OK;
}

/* ---- The study ---- */

/* All of one pair. What cannot be measured is a claim that fails: an hour's work on the others is not lost. */
static ts_status study_pair(work *w, ts_error *error)
{
    const record *r = &w->record[w->at];
    ts_status status = measure_pair(w, error);
    if (status == TS_OUT_OF_MEMORY || status == TS_INTERRUPTED)
        return status;
    if (status != TS_OK) {
        char why[200];
        snprintf(why, sizeof why, "%.199s", error->message);
        return ts_claim_at_most(w->study, TS_NONE, 0, "1", error, "%s×%s: cannot be measured: %s", r->pair.a, r->pair.b,
                                why);
    }
    TS_TRY(claim_networks(w, r, error));
    TS_TRY(claim_table(w, r, error));
    return claim_truth(w, r, error);
}

static ts_status measure_all(work *w, ts_error *error)
{
    snprintf(w->table, sizeof w->table, "%s/maps.csv", w->folder);
    TS_TRY(ts_map_pairs_list(w->grains, ts_study_full(w->study), &w->pairs, error));
    w->record = ts_alloc(w->pairs.count, sizeof *w->record);
    if (!w->record)
        return ts_fail_memory(error, w->pairs.count * sizeof *w->record);
    w->all = WORK_FIGURES;
    for (size_t i = 0; i < w->pairs.count; i++) {
        w->record[i].pair = w->pairs.item[i];
        w->all += work_of(w, &w->pairs.item[i]);
    }
    TS_TRY(claim_faces(w, error));
    for (w->at = 0; w->at < w->pairs.count; w->at++) {
        TS_TRY(study_pair(w, error));
        TS_TRY(write_table(w, w->at + 1, error));
    }
    TS_TRY(claim_count(w, error));
    TS_TRY(claim_tables(w, error));
    TS_TRY(ts_study_figure(w->study, w->table, error));
    return draw_figures(w, error);
}

ts_status ts_study_maps(ts_study *study, ts_error *error)
{
    work w = {.study = study};
    TS_TRY(ts_study_out_dir(study, &w.folder, error));
    ts_status status = ts_pool_create(ts_study_threads(study), &w.pool, error);
    if (status == TS_OK)
        status = ts_grains_create(&w.grains, error);
    if (status == TS_OK)
        status = measure_all(&w, error);
    ts_map_free(w.kept[0]);
    ts_map_free(w.kept[1]);
    ts_free(w.record);
    ts_array_free(&w.pairs);
    ts_grains_free(w.grains);
    ts_pool_free(w.pool);
    return status;
}
