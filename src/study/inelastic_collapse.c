/* SPDX-License-Identifier: MIT */
/* The study `inelastic-collapse`: pairs that each keep c of their rate may never come to an end.
 *
 * Sweeping pairs with c is successive over-relaxation of the cradle's matrix (1 on the diagonal, -½ beside it) with ω =
 * 1 + c. Jacobi's eigenvalues of n balls in a row, n - 1 contacts, are μ = cos(kπ/n); Young's relation (λ + c)² = λ (1
 * + c)² μ² gives those of a sweep. While the largest is real, rates keep their signs and fall for ever: collapse. It
 * becomes complex, rates turn, and an end comes, when 2√c / (1 + c) > cos(π/n), or
 *
 *     c > tan²(¼π (1 - 2/n))                      three balls: 7 - 4√3 = 0.0718
 *
 * For n balls against a wall Bernu and Mazighi (1990) have tan²(¼π (1 - 1/n)): the wall is the mirror of 2n free balls.
 *
 * Rates fall below any round-off, so here velocities are taken relative to their mean and scaled up by a power of two
 * after every sweep, which a collision does not notice: sweeps can be counted without end. */
#include <stdio.h>

#include "base/memory.h"
#include "base/random.h"
#include "study/balls.h"
#include "study/crowd.h"
#include "study/figure.h"
#include "study/studies.h"

#define PI 3.14159265358979323846

/* ---- Sweeps without round-off ---- */

static void renew(ts_crowd *crowd)
{
    double mean = 0, most = 0;
    for (size_t i = 0; i < crowd->body.count; i++)
        mean += crowd->body.item[i].after[0] / (double)crowd->body.count;
    for (size_t i = 0; i < crowd->body.count; i++)
        most = fmax(most, fabs(crowd->body.item[i].after[0] - mean));
    int power;
    frexp(most, &power);
    for (size_t i = 0; i < crowd->body.count; i++)
        crowd->body.item[i].v[0] = most > 0 ? ldexp(crowd->body.item[i].after[0] - mean, -power) : 0;
}

/* How a row of balls begins: the first one strikes it, or all close in on the middle, which comes near to the slowest
 * mode. */
typedef enum beginning { STRUCK, SQUEEZED } beginning;

/* Sweeps of a row until nothing closes; `cap` when it has not come to that. */
static ts_status count_sweeps(int balls, beginning how, double c, uint64_t cap, uint64_t *sweeps, ts_error *error)
{
    const ts_impact_operator *by = ts_impact_find("gauss-seidel");
    ts_impact_options options = {
        .restitution = c, .model = TS_RESTITUTION_NEWTONIAN, .tolerance = 1e-14, .passes_max = 1};
    ts_impact_report report = {0};
    TS_AUTO(ts_crowd_free) ts_crowd crowd = {0};
    TS_TRY(ts_crowd_cradle(&crowd, balls, error));
    for (int i = 0; i < balls && how == SQUEEZED; i++)
        crowd.body.item[i].v[0] = -i;
    for (*sweeps = 0; *sweeps < cap && !report.finished; ++*sweeps) {
        TS_TRY(ts_crowd_collide(&crowd, by, &options, &report, error));
        renew(&crowd);
    }
    return TS_OK;
}

/* The restitution below which a row does not come to an end, by bisection. */
static ts_status find_threshold(int balls, beginning how, uint64_t cap, double *threshold, ts_error *error)
{
    const int halvings = cap > 10000 ? 30 : 18;
    double low = 0, high = 1;
    for (int i = 0; i < halvings; i++) {
        double middle = 0.5 * (low + high);
        uint64_t sweeps;
        TS_TRY(count_sweeps(balls, how, middle, cap, &sweeps, error));
        if (sweeps >= cap)
            low = middle;
        else
            high = middle;
    }
    *threshold = 0.5 * (low + high);
    return TS_OK;
}

static double closed_form(int balls)
{
    double t = tan(0.25 * PI * (1 - 2.0 / balls));
    return t * t;
}

/* ---- Three balls: Fig. 4 (a), (b) ---- */

#define POINTS 201
#define CAP    1000

static ts_status three_balls(ts_study *study, ts_error *error)
{
    double threshold;
    TS_TRY(find_threshold(3, STRUCK, 20000, &threshold, error));
    TS_TRY(ts_claim_near(study, threshold, 7 - 4 * sqrt(3), 1e-4, "1", error,
                         "three balls: pairs do not come to an end below c"));

    static double c[POINTS], v[3][POINTS], sweeps[POINTS];
    const ts_impact_operator *by = ts_impact_find("gauss-seidel");
    for (int i = 0; i < POINTS; i++) {
        uint64_t count;
        c[i] = 0.2 * i / (POINTS - 1);
        TS_TRY(count_sweeps(3, STRUCK, c[i], CAP, &count, error));
        sweeps[i] = (double)count;
        ts_impact_options options = {.restitution = c[i], .model = TS_RESTITUTION_NEWTONIAN, .tolerance = 1e-15};
        ts_impact_report report;
        TS_AUTO(ts_crowd_free) ts_crowd crowd = {0};
        TS_TRY(ts_crowd_cradle(&crowd, 3, error));
        TS_TRY(ts_crowd_collide(&crowd, by, &options, &report, error));
        for (int k = 0; k < 3; k++)
            v[k][i] = crowd.body.item[k].after[0];
    }
    double apart = 0;
    for (int i = 0; i < POINTS && c[i] < 0.07; i++)
        apart = fmax(apart, fmax(fabs(v[0][i] - 1.0 / 3), fabs(v[2][i] - 1.0 / 3)));
    TS_TRY(ts_claim_at_most(study, apart, 1e-8, "m/s", error,
                            "three balls, c < 0.07: all end at the common speed of 1/3"));
    ts_plot_line line[] = {
        {"first", c, v[0], POINTS, false}, {"second", c, v[1], POINTS, false}, {"third", c, v[2], POINTS, false}};
    TS_TRY(ts_figure_plot(study,
                          &(ts_plot){"Three balls by pairs", "restitution of a pair", "velocity after", false, line, 3},
                          "collapse-velocities", error));
    ts_plot_line passes = {"sweeps, at most 1000", c, sweeps, POINTS, false};
    return ts_figure_plot(
        study, &(ts_plot){"Three balls by pairs", "restitution of a pair", "sweeps to an end", true, &passes, 1},
        "collapse-sweeps", error);
}

/* ---- Any number: Fig. 4 (c) ---- */

static ts_status many_thresholds(ts_study *study, ts_error *error)
{
    static const int balls[] = {3, 4, 5, 6, 8, 10, 15, 20, 30, 50};
    enum { points = sizeof balls / sizeof *balls };
    double n[points], squeezed[points], struck[points], expected[points], off = 0, above = 0;
    uint64_t cap = ts_study_full(study) ? 10000 : 1500;
    for (int i = 0; i < points; i++) {
        ts_study_report(study, 0.1 + 0.4 * i / points, "rows of balls");
        n[i] = balls[i];
        TS_TRY(find_threshold(balls[i], SQUEEZED, cap, &squeezed[i], error));
        TS_TRY(find_threshold(balls[i], STRUCK, cap, &struck[i], error));
        expected[i] = closed_form(balls[i]);
        off = fmax(off, fabs(squeezed[i] - expected[i]));
        above = fmax(above, struck[i] - expected[i]);
        if (balls[i] == 4 || balls[i] == 10 || balls[i] == 50)
            TS_TRY(ts_claim_near(study, squeezed[i], expected[i], 1e-3, "1", error,
                                 "%d balls close in: pairs do not come to an end below c", balls[i]));
    }
    TS_TRY(ts_claim_at_most(study, off, 1e-3, "1", error, "3 … 50 balls close in: farthest from tan²(¼π (1 - 2/n))"));
    TS_TRY(ts_claim_at_most(study, above, 1e-3, "1", error,
                            "3 … 50 balls, the first strikes: never above it; exceeds it by"));
    ts_plot_line line[] = {{"all close in", n, squeezed, points, false},
                           {"the first strikes", n, struck, points, false},
                           {"tan²(¼π (1 - 2/n))", n, expected, points, true}};
    return ts_figure_plot(
        study, &(ts_plot){"Pairs do not come to an end below", "balls in a row", "restitution", false, line, 3},
        "collapse-threshold", error);
}

/* ---- A box of balls: Fig. 4 (d) ---- */

#define LEVELS   10
#define TOUCHING 0.65 /* of the neighbours */

/* One of its neighbours, or of its walls: touching, or a hair away. */
static ts_status perhaps(ts_crowd *crowd, ts_random *r, const ts_crowd_contact *contact, ts_error *error)
{
    if (ts_random_next_uniform(r) >= TOUCHING)
        return TS_OK;
    return contact->a >= 0 ? ts_crowd_touch(crowd, contact->a, contact->b, error)
                           : ts_crowd_press(crowd, contact, error);
}

/* A triangular lattice in a box, every ball at a random velocity, in which a share of the neighbours touch. Not all:
 * elastic impacts of balls that are locked in have no outcome, for none can move. */
static ts_status box_of_balls(ts_crowd *crowd, int side, uint64_t seed, ts_error *error)
{
    ts_random r = ts_random_make(seed, 41);
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            double vx = ts_random_next_range(&r, -1, 1), vy = ts_random_next_range(&r, -1, 1);
            TS_TRY(ts_crowd_ball(crowd, i + 0.5 * (j % 2), j * sqrt(0.75), vx, vy, error));
        }
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            int32_t own = j * side + i, left = own + side - 1 + j % 2; /* of the two above */
            double x = crowd->body.item[own].x, y = crowd->body.item[own].y;
            const ts_crowd_contact near[] = {{own, own + 1, 0, 0, 0, 0},   {own, left, 0, 0, 0, 0},
                                             {own, left + 1, 0, 0, 0, 0},  {-1, own, 1, 0, x - 0.5, y},
                                             {-1, own, -1, 0, x + 0.5, y}, {-1, own, 0, 1, x, y - 0.5},
                                             {-1, own, 0, -1, x, y + 0.5}};
            const bool there[] = {i + 1 < side,
                                  j + 1 < side && i - 1 + j % 2 >= 0,
                                  j + 1 < side && i + j % 2 < side,
                                  i == 0,
                                  i == side - 1,
                                  j == 0,
                                  j == side - 1};
            for (size_t k = 0; k < sizeof there / sizeof *there; k++)
                if (there[k])
                    TS_TRY(perhaps(crowd, &r, &near[k], error));
        }
    return TS_OK;
}

typedef struct box_costs {
    double c[LEVELS], pairs[LEVELS], reflections[LEVELS];
} box_costs;

static ts_status box_by(ts_crowd *crowd, const char *by, const ts_impact_options *options, double *cost,
                        ts_error *error)
{
    ts_impact_report report;
    TS_TRY(ts_crowd_collide(crowd, ts_impact_find(by), options, &report, error));
    *cost = (double)report.touched / (double)crowd->contact.count;
    if (!report.finished)
        *cost = TS_NONE;
    return TS_OK;
}

static ts_status box_costs_of(ts_study *study, ts_crowd *crowd, box_costs *costs, ts_error *error)
{
    for (int i = 0; i < LEVELS; i++) {
        costs->c[i] = 0.1 * i;
        ts_study_report(study, 0.5 + 0.5 * i / LEVELS, "a box of balls");
        ts_impact_options options = {.restitution = costs->c[i], .fair = false};
        TS_TRY(box_by(crowd, "gr", &options, &costs->reflections[i], error));
        options.model = TS_RESTITUTION_NEWTONIAN;
        TS_TRY(box_by(crowd, "gauss-seidel", &options, &costs->pairs[i], error));
    }
    return TS_OK;
}

static ts_status claim_box(ts_study *study, const box_costs *costs, int balls, ts_error *error)
{
    double least = HUGE_VAL, most = 0;
    for (int i = 1; i < LEVELS; i++) { /* at c = 0 there is no elastic half */
        least = fmin(least, costs->reflections[i]);
        most = fmax(most, costs->reflections[i]);
    }
    TS_TRY(ts_claim_at_least(study, costs->pairs[0] / costs->pairs[LEVELS - 1], 10, "1", error,
                             "%d balls in a box: work of pairs at c = 0 over that at c = 0.9", balls));
    return ts_claim_at_most(study, most / least, 1, "1", error,
                            "%d balls in a box, energetic restitution: most work over least, c = 0.1 … 0.9", balls);
}

static ts_status box(ts_study *study, ts_error *error)
{
    int side = ts_study_full(study) ? 100 : 32;
    box_costs costs;
    TS_AUTO(ts_crowd_free) ts_crowd crowd = {0};
    TS_TRY(box_of_balls(&crowd, side, ts_study_seed(study), error));
    TS_TRY(box_costs_of(study, &crowd, &costs, error));
    TS_TRY(claim_box(study, &costs, side * side, error));
    ts_plot_line line[] = {{"pairs, each with c", costs.c, costs.pairs, LEVELS, false},
                           {"gr, energetic", costs.c, costs.reflections, LEVELS, false}};
    return ts_figure_plot(study,
                          &(ts_plot){"A box of balls", "restitution", "contacts worked on / contacts", true, line, 2},
                          "collapse-box", error);
}

ts_status ts_study_inelastic_collapse(ts_study *study, ts_error *error)
{
    ts_study_report(study, 0, "three balls");
    TS_TRY(three_balls(study, error));
    TS_TRY(many_thresholds(study, error));
    return box(study, error);
}
