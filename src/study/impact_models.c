/* SPDX-License-Identifier: MIT */
/* The studies `bernoulli` and `cradle`: two problems whose outcome is known for every operator and every restitution c.
 *
 * Energetic restitution mixes two outcomes, v(c) = c v(1) + (1 - c) v(0), and v(0), all contacts inelastic at once, is
 * the same for all operators. So each operator needs its elastic outcome only. With a ball at 1 m/s, all of mass 1:
 *
 *   One against two, normals at ±30°.   v(0): u + 2 u cos²30° = 1, the first at u = 2/5, the others at u cos 30° along the normals
 *     gr, lcp         momentum, energy and the mirror: the first at -1/5, the others at (2√3/5) along the normals
 *     gauss-seidel    the first contact takes cos 30°, the second half of that; (-1/8, -√3/8), (3/4, √3/4), (3/8, -√3/8)
 *     jacobi          each takes cos 30°, without the other: -1/2, and 7/4 of the energy
 *
 *   A cradle of n.                       v(0): all at 1/n
 *     lcp             the first at (2 - n)/n, all others at 2/n
 *     all others      the last at 1, all others at 0 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "study/balls.h"
#include "study/crowd.h"
#include "study/figure.h"
#include "study/studies.h"

#define POINTS 21 /* restitutions 0, 0.05, … 1 */
#define ROOT3  1.7320508075688772

static const double tolerance = 1e-12;

static double restitution_at(int i)
{
    return (double)i / (POINTS - 1);
}

static bool is(const ts_impact_operator *by, const char *name)
{
    return strcmp(by->name, name) == 0;
}

/* ---- One against two ---- */

static const double bernoulli_dull[3][2] = {{0.4, 0}, {0.3, 0.1 * ROOT3}, {0.3, -0.1 * ROOT3}};

static void bernoulli_elastic(const ts_impact_operator *by, double v[3][2])
{
    static const double together[3][2] = {{-0.2, 0}, {0.6, 0.2 * ROOT3}, {0.6, -0.2 * ROOT3}},
                        in_turn[3][2] = {{-0.125, -0.125 * ROOT3}, {0.75, 0.25 * ROOT3}, {0.375, -0.125 * ROOT3}},
                        alone[3][2] = {{-0.5, 0}, {0.75, 0.25 * ROOT3}, {0.75, -0.25 * ROOT3}};
    const double(*from)[2] = is(by, "gr") || is(by, "lcp") ? together : is(by, "jacobi") ? alone : in_turn;
    memcpy(v, from, 6 * sizeof(double));
}

/* Farthest from the closed form of any velocity; a random order may be the other one, its mirror image. */
static double bernoulli_off(const ts_crowd *crowd, const ts_impact_operator *by, double c)
{
    double elastic[3][2], off[2] = {0, 0};
    bernoulli_elastic(by, elastic);
    for (int flip = 0; flip < 2; flip++)
        for (int i = 0; i < 3; i++) {
            int from = flip && i > 0 ? 3 - i : i;
            double sign = flip ? -1 : 1;
            double vx = c * elastic[from][0] + (1 - c) * bernoulli_dull[from][0],
                   vy = sign * (c * elastic[from][1] + (1 - c) * bernoulli_dull[from][1]);
            off[flip] = fmax(off[flip], hypot(crowd->body.item[i].after[0] - vx, crowd->body.item[i].after[1] - vy));
        }
    return is(by, "gauss-seidel-random") ? fmin(off[0], off[1]) : off[0];
}

typedef struct curves {
    double c[POINTS];
    double y[8][POINTS];
    ts_plot_line line[8];
    size_t count;
} curves;

static void add_curve(curves *all, const char *name)
{
    all->line[all->count] = (ts_plot_line){.name = name, .x = all->c, .y = all->y[all->count], .count = POINTS};
    all->count++;
}

static ts_status bernoulli_by(ts_study *study, ts_crowd *crowd, const ts_impact_operator *by, curves *all,
                              ts_error *error)
{
    double off = 0, *energy = all->y[all->count];
    for (int i = 0; i < POINTS; i++) {
        ts_impact_options options = {.restitution = restitution_at(i), .seed = ts_study_seed(study), .fair = true};
        ts_impact_report report;
        TS_TRY(ts_crowd_collide(crowd, by, &options, &report, error));
        off = fmax(off, bernoulli_off(crowd, by, options.restitution));
        energy[i] = 1 + ts_crowd_judge(crowd).energy;
        all->c[i] = options.restitution;
    }
    add_curve(all, by->name);
    return ts_claim_at_most(study, off, tolerance, "m/s", error, "%s: off the closed form, c = 0 … 1", by->name);
}

/* The same as a scene: the cue ball comes flying, and strikes with the normals that it has at the beginning of a
 * step. */
static ts_status bernoulli_scene(ts_study *study, ts_balls *balls, const char *by, ts_error *error)
{
    const double speed = 2, step = 0.01;
    TS_TRY(ts_balls_open(balls, &(ts_balls_wish){.by = by, .restitution = 1, .step = step, .radius = 0.5}, error));
    TS_TRY(ts_balls_add(balls, -2, 0, speed, 0, error));
    TS_TRY(ts_balls_add(balls, 0, 0.5, 0, 0, error));
    TS_TRY(ts_balls_add(balls, 0, -0.5, 0, 0, error));
    for (int i = 0; i < 3; i++)
        balls->kind.item[i] = i;
    TS_TRY(ts_balls_start(balls, error));
    for (int k = 0; k < 150; k++) {
        TS_TRY(ts_balls_shoot(balls, error));
        TS_TRY(ts_balls_step(balls, 1, error));
    }
    TS_TRY(ts_balls_shoot(balls, error));
    if (strcmp(by, "gr") != 0)
        return TS_OK;
    /* it would touch at -√¾, between steps 56 and 57 */
    double x = -2 + speed * step * 56, cosine2 = x * x / (x * x + 0.25),
           expected = speed * (1 - 2 * cosine2) / (1 + 2 * cosine2);
    return ts_claim_near(study, ts_rig_body(&balls->rig, 0)->vx, expected, 1e-10, "m/s", error,
                         "gr, as a scene: the cue ball comes back at");
}

static const char *const shown[] = {"gr", "lcp", "gauss-seidel", "jacobi"};
#define SHOWN 4
TS_RELEASE_EACH(ts_balls, SHOWN, ts_balls_close)

static ts_status draw_scenes(ts_study *study, const ts_balls *balls, const char *title, ts_box view, ts_error *error)
{
    bool traced = balls[0].wish.step > 0.005; /* in a row, paths would lie upon each other */
    ts_balls_panel panel[SHOWN];
    for (int i = 0; i < SHOWN; i++)
        panel[i] = (ts_balls_panel){&balls[i], balls[i].shot_time.count - 1, shown[i],
                                    traced ? TS_BALLS_TRACED : TS_BALLS_PLAIN};
    ts_balls_figure figure = {
        .file = "balls", .title = title, .panel = panel, .columns = 2, .rows = SHOWN / 2, .view = view, .rate = 30};
    TS_TRY(ts_balls_draw(study, &figure, error));
    return ts_study_full(study) ? ts_balls_film(study, &figure, error) : TS_OK;
}

static ts_status bernoulli_scenes(ts_study *study, ts_error *error)
{
    TS_AUTO(ts_balls_close_each) ts_balls balls[SHOWN] = {0};
    for (int i = 0; i < SHOWN; i++)
        TS_TRY(bernoulli_scene(study, &balls[i], shown[i], error));
    return draw_scenes(study, balls, "One ball against two", (ts_box){-2.6, -1.8, 2.2, 1.8}, error);
}

ts_status ts_study_bernoulli(ts_study *study, ts_error *error)
{
    TS_AUTO(ts_crowd_free) ts_crowd crowd = {0};
    curves all = {0};
    TS_TRY(ts_crowd_bernoulli(&crowd, error));
    for (const ts_impact_operator *const *by = ts_impact_operators; *by; by++)
        TS_TRY(bernoulli_by(study, &crowd, *by, &all, error));
    ts_plot plot = {"One ball against two", "restitution", "energy after / before", false, all.line, all.count};
    TS_TRY(ts_figure_plot(study, &plot, "bernoulli-energy", error));
    return bernoulli_scenes(study, error);
}

/* ---- Cradles ---- */

static const int cradle_quick[] = {3, 4, 5, 10, 30, 100};

static double cradle_off(const ts_crowd *crowd, const ts_impact_operator *by, double c)
{
    size_t n = crowd->body.count;
    double off = 0, all = (double)n;
    for (size_t i = 0; i < n; i++) {
        double elastic = i + 1 == n;
        if (is(by, "lcp"))
            elastic = i == 0 ? (2 - all) / all : 2 / all;
        double v = c * elastic + (1 - c) / all;
        off = fmax(off, hypot(crowd->body.item[i].after[0] - v, crowd->body.item[i].after[1]));
    }
    return off;
}

static ts_status cradle_by(ts_study *study, const ts_impact_operator *by, int balls, double *last, double *off,
                           ts_error *error)
{
    ts_crowd crowd = {0};
    ts_status status = ts_crowd_cradle(&crowd, balls, error);
    for (int i = 0; i < POINTS && status == TS_OK; i++) {
        ts_impact_options options = {.restitution = restitution_at(i), .seed = ts_study_seed(study), .fair = true};
        ts_impact_report report;
        status = ts_crowd_collide(&crowd, by, &options, &report, error);
        if (status != TS_OK)
            break;
        *off = fmax(*off, cradle_off(&crowd, by, options.restitution));
        last[i] = ts_crowd_rate(&crowd, crowd.contact.count - 1);
    }
    ts_crowd_free(&crowd);
    return status;
}

static ts_status cradle_scene(ts_balls *balls, const char *by, ts_error *error)
{
    static const double x[] = {-2, 0, 1};
    TS_TRY(
        ts_balls_open(balls, &(ts_balls_wish){.by = by, .restitution = 1, .step = 0.001, .radius = 0.500001}, error));
    for (int i = 0; i < 3; i++)
        TS_TRY(ts_balls_add(balls, x[i], 0, i == 0 ? 2 : 0, 0, error));
    for (int i = 0; i < 3; i++)
        balls->kind.item[i] = i;
    TS_TRY(ts_balls_start(balls, error));
    for (int k = 0; k < 60; k++) {
        TS_TRY(ts_balls_shoot(balls, error));
        TS_TRY(ts_balls_step(balls, 20, error));
    }
    return ts_balls_shoot(balls, error);
}

static ts_status cradle_scenes(ts_study *study, ts_error *error)
{
    TS_AUTO(ts_balls_close_each) ts_balls balls[SHOWN] = {0};
    for (int i = 0; i < SHOWN; i++)
        TS_TRY(cradle_scene(&balls[i], shown[i], error));
    for (int i = 0; i < SHOWN; i++) {
        double last = ts_rig_body(&balls[i].rig, 2)->vx, expected = i == 1 ? 4.0 / 3 : 2;
        TS_TRY(ts_claim_near(study, last, expected, 1e-10, "m/s", error, "%s, three balls as a scene: the last goes at",
                             shown[i]));
    }
    return draw_scenes(study, balls, "A cradle of three", (ts_box){-2.8, -0.8, 3.2, 0.8}, error);
}

ts_status ts_study_cradle(ts_study *study, ts_error *error)
{
    curves all = {0};
    for (int i = 0; i < POINTS; i++)
        all.c[i] = restitution_at(i);
    for (const ts_impact_operator *const *by = ts_impact_operators; *by; by++) {
        double off = 0, ignored[POINTS];
        TS_TRY(cradle_by(study, *by, 3, all.y[all.count], &off, error));
        add_curve(&all, (*by)->name);
        if (ts_study_full(study))
            for (int n = 3; n <= 100; n++)
                TS_TRY(cradle_by(study, *by, n, ignored, &off, error));
        else
            for (size_t k = 0; k < sizeof cradle_quick / sizeof *cradle_quick; k++)
                TS_TRY(cradle_by(study, *by, cradle_quick[k], ignored, &off, error));
        TS_TRY(ts_claim_at_most(study, off, tolerance, "m/s", error,
                                "%s: off the closed form, cradles of 3 … 100, c = 0 … 1", (*by)->name));
    }
    ts_plot plot = {
        "A cradle of three", "restitution", "speed at which the last parts / incoming", false, all.line, all.count};
    TS_TRY(ts_figure_plot(study, &plot, "cradle-parting", error));
    return cradle_scenes(study, error);
}
