/* SPDX-License-Identifier: MIT */
/* A silo empties, or jams: octagons and hash signs, a small opening and a large one (CEM, section 8.3, Figs. 5 and 6);
 * and how fast octagons run out of openings of four widths.
 *
 * Grains are counted as they pass a line 3 m or 4 m below the opening. Beverloo's law in the plane (Beverloo, Leniger
 * and van de Velde 1961): the flow is that of grains that fall freely from an arch as wide as the opening, less a
 * margin of k grains,
 *
 *     W = C ρ √g (D − k d)^(3/2)
 *
 * so W^(2/3) is a straight line over D that meets 0 at k d; d is the diameter of the disc of a grain's area. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "study/cem_walk.h"
#include "study/figure.h"
#include "study/studies.h"

#define SMALL   8.0  /* openings [m] */
#define LARGE   16.0 /* [m] */
#define WIDTHS  4    /* of octagons */
#define RUNS    8
#define SEEDS   3   /* quick: of # through the wide opening, of which an arch stops about one in two */
#define COLUMNS 384 /* of a pile's profile, at most */
#define GRAIN   1.4 /* width of a column: a grain [m] */
#define AROUND  3   /* columns to either side that a column is compared with */
#define BEGIN   2.0 /* after the opening, flow is steady [s] */
#define HALT    3.0 /* nothing passes for so long: a jam [s] */
#define SHARE   0.6 /* of the grains: until so many have passed, the silo counts as full */
#define AT_ONCE 3.0 /* what octagons let out in this time is no flow: then # jam at once [s] */
#define MARGIN  1.4 /* Beverloo's k */

static const double width[RUNS] = {SMALL, 10, 12, LARGE, SMALL, LARGE, LARGE, LARGE};
enum { OCTAGON_SMALL = 0, OCTAGON_LARGE = 3, HASH_SMALL = 4, HASH_LARGE = 5 };

/* What ran out of one silo. */
typedef struct discharge {
    double line, opens; /* height of the line [m], when the plug goes [s] */
    ts_passages passages;
    double grains, area; /* how many there are, and of what area each [m²] */
    double rate;         /* grains a second while the silo counts as full */
    double steady;       /* least rate of four parts of that time, over their mean; NaN: nothing passed [1] */
} discharge;

static void discharge_free(discharge *d)
{
    ts_passages_free(&d->passages);
}
TS_RELEASE_EACH(discharge, RUNS, discharge_free)

/* ---- Flow ---- */

static ts_status visit(void *user, const ts_snapshot *before, const ts_snapshot *now, ts_error *error)
{
    discharge *d = user;
    for (size_t i = 0; !before && i < now->body_count; i++)
        if (!now->body[i].fixed) {
            d->grains++;
            d->area = now->body[i].volume;
        }
    if (!before)
        return TS_OK;
    const double a[2] = {-20, d->line}, b[2] = {20, d->line};
    return ts_passages_add(&d->passages, before, now, a, b, error);
}

/* The rate from BEGIN after the opening until SHARE of the grains have passed, or the run ends. */
static void find_rate(discharge *d)
{
    const ts_passages *p = &d->passages;
    double begin = d->opens + BEGIN, end = p->end;
    size_t limit = (size_t)(SHARE * d->grains);
    if (p->count > limit)
        end = p->passage[limit].time;
    d->rate = ts_passages_flow(p, begin, end).number;
    d->steady = d->rate > 0 ? HUGE_VAL : TS_NONE;
    for (int k = 0; d->rate > 0 && k < 4; k++) {
        double part = 0.25 * (end - begin);
        d->steady = fmin(d->steady, ts_passages_flow(p, begin + k * part, begin + (k + 1) * part).number / d->rate);
    }
}

static ts_status watch(ts_study *study, const ts_cem_run *run, discharge *d, ts_error *error)
{
    d->line = ts_study_full(study) ? 101 : 32;
    d->opens = ts_study_full(study) ? 12 : 5;
    TS_TRY(ts_cem_walk(run, visit, d, error));
    find_rate(d);
    return TS_OK;
}

static ts_status claim_octagons(ts_study *study, const discharge *d, ts_error *error)
{
    ts_clogging octagon = ts_passages_clogging(&d->passages, HALT);
    TS_TRY(ts_claim(study, !octagon.jammed, octagon.idle, "s", "slow but steady discharge", error,
                    "octagons, 8 m: time since the last of %zu that passed, of %.0f", octagon.passed, d->grains));
    return ts_claim_at_least(study, d->steady, 0.5, "", error,
                             "octagons, 8 m: least flow of four parts of the time, over the mean");
}

/* Beside octagons; NULL: they were not run. */
static ts_status claim_hashes(ts_study *study, const discharge *d, const discharge *octagons, ts_error *error)
{
    ts_clogging hash = ts_passages_clogging(&d->passages, HALT);
    double share = (double)hash.passed / d->grains;
    TS_TRY(ts_claim(study, hash.jammed, hash.idle, "s", "the flow immediately jams", error,
                    "#, 8 m: nothing passes for, at the end (%zu wait)", hash.waiting));
    TS_TRY(ts_claim_at_most(study, share, 0.15, "", error, "#, 8 m: share of the grains that got out before"));
    if (!octagons)
        return TS_OK;
    return ts_claim_at_most(study, (double)hash.passed, AT_ONCE * octagons->rate, "", error,
                            "#, 8 m: how many that is; as many as octagons in %.0f s at most", AT_ONCE);
}

static double share_out(const discharge *d)
{
    return (double)ts_passages_clogging(&d->passages, HALT).passed / d->grains;
}

static ts_status claim_drained(ts_study *study, const discharge *d, const char *grain, ts_error *error)
{
    return ts_claim_at_least(study, share_out(d), 0.95, "", error, "%s, 16 m: share of the grains that ran out", grain);
}

/* The run of # through 16 m that let out most. */
static int freest(const ts_cem_run *run, const discharge *d)
{
    int best = HASH_LARGE;
    for (int i = HASH_LARGE; i < RUNS; i++)
        if (ts_cem_ran(&run[i], 1) && share_out(&d[i]) > share_out(&d[best]))
            best = i;
    return best;
}

/* Several, some of which may jam: more run out than through 8 m in the mean, and of one nearly all. */
static ts_status claim_seeds(ts_study *study, const discharge *d, ts_error *error)
{
    double mean = 0, most = 0;
    char each[64] = "";
    for (int i = 0; i < SEEDS; i++) {
        const double share = share_out(&d[HASH_LARGE + i]);
        const size_t used = strlen(each);
        snprintf(each + used, sizeof each - used, "%s%.2f", i ? ", " : "", share);
        mean += share / SEEDS;
        most = fmax(most, share);
    }
    TS_TRY(ts_claim(study, most >= 0.95, most, "", "both drain", error,
                    "#, 16 m: share of the grains that ran out, the most of %d seeds (%s)", SEEDS, each));
    return ts_claim_at_least(study, mean, 5 * share_out(&d[HASH_SMALL]), "", error,
                             "#, 16 m: the mean of them; five times as much as through 8 m at least");
}

/* ---- Beverloo's law ---- */

/* y = slope · x + offset by least squares; returns the correlation. `error` is the slope's standard error. */
static double fit_line(size_t count, const double *x, const double *y, double *slope, double *offset, double *error)
{
    double n = (double)count, sx = 0, sy = 0, xx = 0, xy = 0, yy = 0, rest = 0;
    for (size_t i = 0; i < count; i++) {
        sx += x[i];
        sy += y[i];
    }
    for (size_t i = 0; i < count; i++) {
        xx += (x[i] - sx / n) * (x[i] - sx / n);
        xy += (x[i] - sx / n) * (y[i] - sy / n);
        yy += (y[i] - sy / n) * (y[i] - sy / n);
    }
    *slope = xy / xx;
    *offset = (sy - *slope * sx) / n;
    for (size_t i = 0; i < count; i++) {
        double r = y[i] - *slope * x[i] - *offset;
        rest += r * r;
    }
    *error = sqrt(rest / (n - 2) / xx);
    return xy / sqrt(xx * yy);
}

static ts_status draw_flow(ts_study *study, const double *rate, double slope, double zero, ts_error *error)
{
    double x[50], y[50];
    for (int i = 0; i < 50; i++) {
        x[i] = zero + (18 - zero) * i / 49;
        y[i] = pow(slope * (x[i] - zero), 1.5);
    }
    ts_plot_line line[2] = {{"octagons", width, rate, WIDTHS, false}, {"(D − k d)^1.5, fitted", x, y, 50, true}};
    ts_plot plot = {"Flow out of a silo", "opening [m]", "grains a second", false, line, 2};
    return ts_figure_plot(study, &plot, "flow", error);
}

static ts_status claim_beverloo(ts_study *study, const discharge *d, ts_error *error)
{
    double rate[WIDTHS], root[WIDTHS], x[WIDTHS], y[WIDTHS], slope, offset, spread, exponent, unused;
    double size = 2 * sqrt(d->area / 3.14159265358979323846);
    for (size_t i = 0; i < WIDTHS; i++) {
        rate[i] = d[i].rate;
        root[i] = pow(rate[i], 2.0 / 3);
        x[i] = log(width[i] - MARGIN * size);
        y[i] = log(rate[i]);
    }
    double correlation = fit_line(WIDTHS, width, root, &slope, &offset, &spread);
    double margin = -offset / slope / size;
    TS_TRY(
        ts_claim(study, margin > 0 && margin < 3, margin, "", "1.4 (Beverloo et al. 1961)", error,
                 "octagons: margin k of the line W^(2/3) over D, between 0 and 3 (correlation %.4f; %.3g, %.3g, %.3g, "
                 "%.3g grains/s)",
                 correlation, rate[0], rate[1], rate[2], rate[3]));
    fit_line(WIDTHS, x, y, &exponent, &unused, &spread);
    TS_TRY(ts_claim_near(study, exponent, 1.5, 0.1, "", error, "octagons: exponent of D − 1.4 d (standard error %.2f)",
                         spread));
    return draw_flow(study, rate, slope, -offset / slope, error);
}

/* ---- Piles ---- */

typedef struct profile {
    size_t count; /* of columns */
    double x[COLUMNS], y[COLUMNS];
    double height; /* highest [m] */
    double spread; /* root mean square of x, by height [m] */
    double rough;  /* root mean square of how far a column is from the mean of those around it [m] */
} profile;

/* How far each column is from the mean around it, in which a slope cancels, where the pile is high. */
static double roughness(const profile *p)
{
    double sum = 0;
    size_t compared = 0;
    for (size_t i = AROUND; i + AROUND < p->count; i++) {
        double mean = 0, least = HUGE_VAL;
        for (size_t k = i - AROUND; k <= i + AROUND; k++) {
            mean += p->y[k] / (2 * AROUND + 1);
            least = fmin(least, p->y[k]);
        }
        if (least > 0.2 * p->height) {
            sum += (p->y[i] - mean) * (p->y[i] - mean);
            compared++;
        }
    }
    return compared ? sqrt(sum / (double)compared) : TS_NONE;
}

static ts_status take_profile(const ts_cem_run *run, double half, double top, profile *p, ts_error *error)
{
    TS_AUTO(ts_cem_look_end) ts_cem_look look = {0};
    ts_pile_column column[COLUMNS];
    ts_region region = {-half, -2, half, top, 0, 0};
    p->count = (size_t)fmin(2 * half / GRAIN, COLUMNS);
    ts_bins bins = {.region = &region, .count = p->count, .along_x = true};
    TS_TRY(ts_cem_look_at(run, TS_NONE, &look, error));
    TS_TRY(ts_measure_pile(&look.snapshot, &bins, column, error));
    double sum = 0, square = 0;
    for (size_t i = 0; i < p->count; i++) {
        p->x[i] = half * (2 * (double)i + 1 - (double)p->count) / (double)p->count;
        p->y[i] = isnan(column[i].mean) ? 0 : fmax(column[i].mean * column[i].cover, 0);
        p->height = fmax(p->height, p->y[i]);
        sum += p->y[i];
        square += p->y[i] * p->x[i] * p->x[i];
    }
    p->spread = sqrt(square / sum);
    p->rough = roughness(p);
    return TS_OK;
}

static ts_status claim_piles(ts_study *study, const ts_cem_run *octagons, const ts_cem_run *hashes, ts_error *error)
{
    double half = ts_study_full(study) ? 279 : 89, top = ts_study_full(study) ? 100 : 31;
    profile octagon = {0}, hash = {0};
    TS_TRY(take_profile(octagons, half, top, &octagon, error));
    TS_TRY(take_profile(hashes, half, top, &hash, error));
    double ratio = hash.height / hash.spread / (octagon.height / octagon.spread);
    TS_TRY(ts_claim_at_least(study, ratio, 1.2, "", error,
                             "piles: height over width of #, over that of octagons (%.1f/%.1f m, %.1f/%.1f m)",
                             hash.height, hash.spread, octagon.height, octagon.spread));
    TS_TRY(ts_claim_at_least(study, hash.rough / octagon.rough, 1, "", error,
                             "piles: roughness of #, over that of octagons (%.2f m)", octagon.rough));
    ts_plot_line line[2] = {{"octagons", octagon.x, octagon.y, octagon.count, false},
                            {"#", hash.x, hash.y, hash.count, false}};
    ts_plot plot = {"Piles under an opening of 16 m", "x [m]", "height [m]", false, line, 2};
    return ts_figure_plot(study, &plot, "piles", error);
}

static ts_status draw(ts_study *study, const ts_cem_run *run, const ts_cem_run *H, ts_error *error)
{
    bool full = ts_study_full(study);
    double early = full ? 30 : 8, late = full ? 60 : 17;
    const ts_cem_run *o = &run[OCTAGON_SMALL], *h = &run[HASH_SMALL], *O = &run[OCTAGON_LARGE];
    ts_cem_panel panel[8] = {
        {o, early, "octagons, 8 m"}, {h, early, "#, 8 m"}, {O, early, "octagons, 16 m"}, {H, early, "#, 16 m"},
        {o, late, "octagons, 8 m"},  {h, late, "#, 8 m"},  {O, late, "octagons, 16 m"},  {H, late, "#, 16 m"},
    };
    ts_cem_figure figure = {.file = "silo",
                            .title = "Silos",
                            .panel = panel,
                            .columns = 4,
                            .rows = 2,
                            .view = full ? (ts_box){-100, -5, 100, 345} : (ts_box){-36, -3, 36, 92}};
    TS_TRY(ts_cem_draw(study, &figure, error));
    if (!full)
        return TS_OK;
    figure.rows = 1;
    return ts_cem_film(study, &figure, error);
}

static ts_status write_table(ts_study *study, const ts_cem_run *run, const discharge *d, ts_error *error)
{
    ts_draft draft;
    TS_TRY(ts_study_sheet_open(study, "silo.csv", &draft, error));
    fprintf(draft.stream, "run,passed,grains,rate,steady,idle,maps_seconds,seconds,steps,queries_per_step\n");
    for (int i = 0; i < RUNS; i++)
        if (ts_cem_ran(&run[i], 1)) {
            ts_clogging c = ts_passages_clogging(&d[i].passages, HALT);
            fprintf(draft.stream, "%s,%zu,%.0f,%.6g,%.6g,%.6g,%.3f,%.3f,%.0f,%.6g\n", run[i].name, c.passed,
                    d[i].grains, d[i].rate, d[i].steady, c.idle, run[i].prepared, run[i].seconds, run[i].steps,
                    run[i].queries_per_step);
        }
    return ts_study_sheet_close(study, &draft, error);
}

static ts_status judge(ts_study *study, const ts_cem_run *run, discharge *d, ts_error *error)
{
    for (size_t i = 0; i < RUNS; i++)
        if (ts_cem_ran(&run[i], 1))
            TS_TRY(watch(study, &run[i], &d[i], error));
    if (ts_cem_ran(&run[OCTAGON_SMALL], 1))
        TS_TRY(claim_octagons(study, &d[OCTAGON_SMALL], error));
    if (ts_cem_ran(&run[HASH_SMALL], 1))
        TS_TRY(
            claim_hashes(study, &d[HASH_SMALL], ts_cem_ran(&run[OCTAGON_SMALL], 1) ? &d[OCTAGON_SMALL] : NULL, error));
    if (ts_cem_ran(&run[OCTAGON_LARGE], 1))
        TS_TRY(claim_drained(study, &d[OCTAGON_LARGE], "octagons", error));
    if (!ts_study_full(study) && ts_cem_ran(&run[HASH_SMALL], 1 + SEEDS))
        TS_TRY(claim_seeds(study, d, error));
    else if (ts_cem_ran(&run[HASH_LARGE], 1))
        TS_TRY(claim_drained(study, &d[HASH_LARGE], "#", error));
    if (ts_cem_ran(run, WIDTHS))
        TS_TRY(claim_beverloo(study, d, error));
    const ts_cem_run *large = &run[freest(run, d)];
    if (ts_cem_ran(&run[OCTAGON_LARGE], 1) && ts_cem_ran(large, 1))
        TS_TRY(claim_piles(study, &run[OCTAGON_LARGE], large, error));
    TS_TRY(write_table(study, run, d, error));
    return draw(study, run, large, error);
}

ts_status ts_study_silo(ts_study *study, ts_error *error)
{
    /* Quick: fewer grains, which may be softer, and longer steps. Full: what is to run out has the time. */
    static const char *const quick[] = {"generators[4].count=750", "dynamics.stiffness=2.5e7", "time_step=4e-4",
                                        "drives[0].opens=5",       "output.frame_rate=10 Hz",  "duration=17"};
    static const char *const full[] = {"duration=180"};
    bool small = !ts_study_full(study);
    ts_cem_run run[RUNS] = {0};
    for (size_t i = 0; i < RUNS; i++) {
        const char *grain = i < WIDTHS ? "octagon" : "hash";
        const int seed = i < HASH_LARGE ? 0 : (int)i - HASH_LARGE;
        snprintf(run[i].name, sizeof run[i].name, "%s-%.0f%s", grain, width[i],
                 seed == 0   ? ""
                 : seed == 1 ? "-2"
                             : "-3");
        run[i].wish = (ts_cem_wish){.scene = "silo", .grain = grain, .opening = width[i], .quick = small};
        run[i].wish.seed = ts_study_seed(study) + (uint64_t)seed;
        run[i].wish.override = small ? quick : full;
        run[i].wish.override_count = small ? sizeof quick / sizeof *quick : width[i] > 15;
    }
    TS_AUTO(discharge_free_each) discharge d[RUNS] = {0};
    for (int i = HASH_LARGE + 1; i < RUNS; i++)
        run[i].skipped = !small;
    TS_TRY(ts_cem_runs(study, run, small ? RUNS : HASH_LARGE + 1, (double[2]){0, 0.95}, error));
    return judge(study, run, d, error);
}
