/* SPDX-License-Identifier: MIT */
/* Contact maps of the pairs that meet in the scenes of the CEM paper: what they take to store and to learn, beside what
 * is published, and how far they are from the truth.
 *
 * Errors are measured here anew, on poses of the study's own seed, and bytes are those of a file. What the truth itself
 * is worth is measured as well: the balanced depth beside the true one (map_depths.c), and the published grid of
 * points. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/release.h"
#include "cspace/map.h"
#include "cspace/map_file.h"
#include "record/draw_map.h"
#include "study/figure.h"
#include "study/map_depths.h"
#include "study/map_pairs.h"
#include "study/studies.h"
#include "touchstone/map.h"

#define SMALL_BYTES  20e3 /* published: "less than 20kB" */
#define LARGE_BYTES  99e3 /* published: "tens of kilobytes" */
#define LARGE_ERROR  0.01 /* ours, as all that follow */
#define AUTO_ERROR   0.005
#define AUTO_BYTES   (512 * 1024)
#define WORST_ERROR  0.05
#define RIGHT_SIGN   0.999
#define GRID         201
#define GRID_REACH   4       /* the larger radius over the smaller, up to which normals and arms of a grid are judged */
#define SURFACES     0.6     /* at most this share of the pairs has one */
#define CLOSED       0.1     /* a surface error of which a narrow place is missing, not a little off */
#define QUICK_VISITS 5000000 /* samples that 5×64 networks of a quick study look at, a quarter of the default */
#define FIGURE_PAIR  "hash"

/* What parts of the work take, roughly, for the progress line. */
enum {
    WORK_LARGE = 35,
    WORK_SHORT = 9,
    WORK_SMALL = 12,
    WORK_AUTO = 6,
    WORK_GRID = 2,
    WORK_DEPTHS = 1,
    WORK_FIGURES = 12
};

/* One map, made and measured. */
typedef struct result {
    bool there;
    bool brief; /* not trained to the end of the default schedule */
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

/* Bytes of a file with the map in it, and networks that come back from there. An auto map that came out exact is
 * weighed as the cache keeps it. */
static ts_status weigh_file(const ts_map *map, result *to, ts_error *error)
{
    TS_AUTO_FREE unsigned char *bytes = NULL;
    TS_AUTO(ts_map_free_at) ts_map *back = NULL;
    size_t size;
    TS_TRY(ts_map_encode(map, &bytes, &size, error));
    TS_TRY(ts_map_decode(bytes, size, "the map", &back, error));
    to->bytes = (double)size;
    to->networks = back->network ? (back->network->gap.count > 0) + (back->network->arm.count > 0) : 0;
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
    TS_AUTO(ts_map_free_at) ts_map *map = NULL;
    w->what = what;
    tell(w, 0, "begins");
    TS_TRY(ts_map_create(pair->outline[0], pair->outline[1], options, &making, &map, error));
    ts_map_info info = ts_map_get_info(map);
    *to = (result){.there = true, .kind = info.kind, .bytes = TS_NONE, .seconds = info.build_seconds};
    w->record[w->at].reach = (info.radius_a + info.radius_b) / fmin(info.radius_a, info.radius_b);
    w->record[w->at].larger = w->record[w->at].reach - 1;
    if (info.kind != TS_MAP_SAMPLED)
        TS_TRY(weigh_file(map, to, error));
    TS_TRY(
        ts_map_measure(map, samples, ts_study_seed(w->study) + 1000, ts_study_threads(w->study), &to->errors, error));
    ts_map **place = options->kind == TS_MAP_AUTO ? &w->kept[0] : options->depth == 5 ? &w->kept[1] : NULL;
    if (place && !*place && is_figure_pair(pair)) {
        *place = map;
        map = NULL;
    }
    return TS_OK;
}

/* Poses on which maps are measured. */
static uint64_t poses(const work *w)
{
    return ts_study_full(w->study) ? 20000 : 10000;
}

/* By the default schedule, to its end, unless `brief`. */
static ts_status make_network(work *w, int depth, int width, bool brief, result *to, ts_error *error)
{
    ts_map_options options = {.kind = TS_MAP_NETWORK, .depth = depth, .width = width, .seed = ts_study_seed(w->study)};
    if (brief)
        options.samples = QUICK_VISITS;
    char what[64];
    snprintf(what, sizeof what, "network %d×%d", depth, width);
    TS_TRY(make(w, &options, what, poses(w), to, error));
    to->brief = brief;
    return TS_OK;
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

/* A quick study trains the larger networks of one pair to the end: half a minute on two cores. */
static bool is_brief(const work *w, const ts_map_pair *pair)
{
    return !ts_study_full(w->study) && !is_figure_pair(pair);
}

static double work_of_large(const work *w, const ts_map_pair *pair)
{
    return !pair->large ? 0 : is_brief(w, pair) ? WORK_SHORT : WORK_LARGE;
}

static double work_of(const work *w, const ts_map_pair *pair)
{
    return WORK_AUTO + WORK_DEPTHS + (has_grid(w, pair) ? WORK_GRID : 0) + work_of_large(w, pair) +
           (pair->small ? WORK_SMALL : 0);
}

static ts_status measure_pair(work *w, ts_error *error)
{
    record *r = &w->record[w->at];
    bool full = ts_study_full(w->study);
    if (r->pair.large) {
        begin(w, work_of_large(w, &r->pair));
        TS_TRY(make_network(w, 5, 64, is_brief(w, &r->pair), &r->large, error));
    }
    if (r->pair.small) {
        begin(w, WORK_SMALL);
        TS_TRY(make_network(w, 3, 32, false, &r->small, error));
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

/* Worst error and signs are judged of what the preset comes to, not of a quick study's short training. */
static ts_status claim_large(work *w, const record *r, ts_error *error)
{
    ts_study *study = w->study;
    const char *a = r->pair.a, *b = r->pair.b, *brief = r->large.brief ? ", trained briefly" : "";
    const ts_map_errors *e = &r->large.errors;
    TS_TRY(ts_claim_at_most(study, e->mean, LARGE_ERROR, "R", error,
                            "%s×%s: 5×64 network%s, mean error near contact (worst %.2g, right signs %.5g)", a, b,
                            brief, e->worst, e->sign));
    TS_TRY(ts_claim_at_most(study, r->large.bytes, LARGE_BYTES, "bytes", error,
                            "%s×%s: 5×64 network, file (published: tens of kB)", a, b));
    if (r->large.brief)
        return TS_OK;
    TS_TRY(ts_claim_at_most(study, e->worst, WORST_ERROR, "R", error, "%s×%s: 5×64 network, worst error near contact",
                            a, b));
    return ts_claim_at_least(study, e->sign, RIGHT_SIGN, "1", error,
                             "%s×%s: 5×64 network, share of right signs where |gap| > 0.01 R", a, b);
}

static ts_status claim_networks(work *w, const record *r, ts_error *error)
{
    ts_study *study = w->study;
    const char *a = r->pair.a, *b = r->pair.b;
    if (r->large.there)
        TS_TRY(claim_large(w, r, error));
    if (!r->small.there)
        return TS_OK;
    return ts_claim_at_most(study, r->small.bytes, SMALL_BYTES, "bytes", error,
                            "%s×%s: 3×32 network, file (published: less than 20 kB)", a, b);
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

/* The lattice stands over the box of both bounding circles, at most twice the reach wide: its points are at most 2
 * reach / 200 apart, the nearest one to the minimum at most that / √2 away, and the gap is twice a distance. */
static ts_status claim_truth(work *w, const record *r, ts_error *error)
{
    ts_study *study = w->study;
    const char *a = r->pair.a, *b = r->pair.b;
    const ts_map_depths *d = &r->depths;
    double spacing = 2 * r->reach / (GRID - 1), bound = ceil(1e4 * sqrt(2) * spacing) * 1e-4; /* short in a table */
    double tolerance =
        ceil(1e5 * TS_MAP_DEPTHS_TOLERANCE * r->larger - 1e-6) * 1e-5; /* of a way out, which may be too long */
    if (r->sampled.there)
        TS_TRY(ts_claim_at_most(study, r->sampled.errors.worst, bound, "R", error,
                                "%s×%s: grid of 201×201 points, worst error (mean %.2g)", a, b,
                                r->sampled.errors.mean));
    TS_TRY(ts_claim_at_most(study, d->below, 1e-9, "R", error,
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

/* What is published counts an arm network and a distance network for each pair of different types, but writes one for
 * two equal ones: 2 C(m, 2) + m. Two equal grains rub on each other as well: two networks for each of the 55 pairs of
 * ten types are 110. Pairs are counted in the list that the outlines make, networks in the files that were written; a
 * quick study writes too few to count. */
static ts_status claim_count(work *w, ts_error *error)
{
    size_t types, pairs, made = 0;
    int networks = 0;
    TS_TRY(ts_map_pairs_drum(w->grains, &types, &pairs, error));
    TS_TRY(ts_claim_near(w->study, (double)pairs, 55, 0, "1", error, "pairs that the drum's %zu types make", types));
    if (!ts_study_full(w->study))
        return TS_OK;
    for (size_t i = 0; i < w->pairs.count; i++) {
        const record *r = &w->record[i];
        made += r->pair.drum && r->small.there;
        networks += r->pair.drum ? r->small.networks : 0;
    }
    return ts_claim_near(w->study, networks, 110, 0, "1", error,
                         "networks in the files of %zu of the drum's pairs (the paper prints 2 C(m, 2) + m = %zu for "
                         "all)",
                         made, types * types);
}

/* Of one kind, in write_rows' order. */
static const result *result_of(const record *r, size_t kind)
{
    return (const result *const[]){&r->large, &r->small, &r->automatic, &r->sampled}[kind];
}

/* The published grid is laid over both outlines: over a wall far larger than the grain on it, its points are too far
 * apart for the grain's corners. (The paper has walls of grains, and planes by themselves.) */
static bool is_beyond_grid(const record *r, const result *of)
{
    return of == &r->sampled && r->larger > GRID_REACH;
}

/* Normals and arms jump where the place of contact does, so means are judged, and of each kind the worst pair's. */
static ts_status claim_levers(work *w, ts_error *error)
{
    static const struct {
        const char *name;
        double normal, arm; /* [rad], R */
    } bound[] = {
        {"5×64 network", 0.15, 0.1}, {"3×32 network", 0.25, 0.12}, {"auto", 0.15, 0.1}, {"grid, of grains", 0.4, 0.2}};
    for (size_t kind = 0; kind < sizeof bound / sizeof *bound; kind++) {
        double normal = -1, arm = -1;
        const ts_map_pair *worst[2] = {NULL, NULL};
        for (size_t i = 0; i < w->pairs.count; i++) {
            const result *of = result_of(&w->record[i], kind);
            if (!of->there || is_beyond_grid(&w->record[i], of))
                continue;
            if (!(of->errors.normal_mean <= normal))
                normal = of->errors.normal_mean, worst[0] = &w->pairs.item[i];
            if (!(of->errors.arm_mean <= arm))
                arm = of->errors.arm_mean, worst[1] = &w->pairs.item[i];
        }
        if (!worst[0] || !worst[1])
            continue;
        TS_TRY(ts_claim_at_most(w->study, normal, bound[kind].normal, "rad", error,
                                "%s: mean error of the normal near contact, the largest of all pairs (%s×%s)",
                                bound[kind].name, worst[0]->a, worst[0]->b));
        TS_TRY(ts_claim_at_most(w->study, arm, bound[kind].arm, "R", error,
                                "%s: mean error of the arm near contact, the largest of all pairs (%s×%s)",
                                bound[kind].name, worst[1]->a, worst[1]->b));
    }
    return TS_OK;
}

/* Pairs whose auto map closes a narrow place, or opens one: it shows in the distance of the surfaces, and nowhere
 * else. */
static ts_status claim_surfaces(work *w, ts_error *error)
{
    char names[300] = "";
    size_t count = 0, named = 0, length = 0;
    for (size_t i = 0; i < w->pairs.count; i++) {
        const ts_map_pair *pair = &w->pairs.item[i];
        if (w->record[i].automatic.errors.surface <= CLOSED)
            continue;
        count++;
        if (length + 40 < sizeof names) {
            length += (size_t)snprintf(names + length, 40, "%s%.16s×%.16s", named ? ", " : "", pair->a, pair->b);
            named++;
        }
    }
    return ts_claim_at_most(w->study, (double)count, SURFACES * (double)w->pairs.count, "1", error,
                            "pairs, of %zu, whose auto map has a surface error above %g R%s%s%s", w->pairs.count,
                            CLOSED, count ? ": " : "", names, named < count ? " and others" : "");
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
    static const char *const name[] = {"network 5x64", "network 3x32", "auto", "sampled"};
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        const result *of = result_of(r, k);
        const ts_map_errors *e = &of->errors;
        if (of->there)
            fprintf(stream, "\"%s\",%s,%s,%s,%.0f,%.3f,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g\n",
                    r->pair.scene, r->pair.a, r->pair.b,
                    of->kind == TS_MAP_EXACT ? "exact"
                    : of->brief              ? "network 5x64 (brief)"
                                             : name[k],
                    isnan(of->bytes) ? 0 : of->bytes, of->seconds, e->mean, e->high, e->worst, e->normal_mean,
                    e->normal_high, e->arm_mean, e->sign, e->surface, r->depths.mean, r->depths.most);
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
    return ts_figure_plot(w->study, &plot, "error-over-bytes", error);
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
    TS_TRY(ts_new(&w->record, w->pairs.count, error));
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
    TS_TRY(claim_levers(w, error));
    TS_TRY(claim_surfaces(w, error));
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
