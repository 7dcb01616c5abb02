/* SPDX-License-Identifier: MIT */
/* Bound-constrained QPs: every method against an enumeration of all active sets, against each other and against closed
 * forms. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "base/memory.h"
#include "base/random.h"
#include "solve/qp.h"

#define ROWS   6
#define BLOCKS 4
#define DOF    3

/* A problem in its own arrays. */
typedef struct small {
    ts_qp qp;
    int32_t a[ROWS], b[ROWS];
    double ga[ROWS * DOF], gb[ROWS * DOF], linear[ROWS], low[ROWS], high[ROWS];
} small;

static ts_qp_work *work;

static void point(small *p, size_t count, size_t blocks, int dof, bool bounds)
{
    p->qp = (ts_qp){
        count, blocks, dof, p->a, p->b, p->ga, p->gb, p->linear, bounds ? p->low : NULL, bounds ? p->high : NULL};
}

/* Dense column i of G. */
static void column(const ts_qp *qp, size_t i, double *g)
{
    size_t dof = (size_t)qp->dof;
    memset(g, 0, qp->block_count * dof * sizeof *g);
    for (size_t k = 0; k < dof; k++) {
        if (qp->a[i] >= 0)
            g[(size_t)qp->a[i] * dof + k] += qp->ga[i * dof + k];
        if (qp->b[i] >= 0)
            g[(size_t)qp->b[i] * dof + k] += qp->gb[i * dof + k];
    }
}

/* The natural residual, from dense columns: another route than the library's. Also Gy. */
static double natural(const ts_qp *qp, const double *y, double *w)
{
    size_t m = qp->block_count * (size_t)qp->dof;
    double g[BLOCKS * DOF], most = 0;
    memset(w, 0, m * sizeof *w);
    for (size_t i = 0; i < qp->count; i++) {
        column(qp, i, g);
        for (size_t k = 0; k < m; k++)
            w[k] += g[k] * y[i];
    }
    for (size_t i = 0; i < qp->count; i++) {
        column(qp, i, g);
        double s = qp->linear[i];
        for (size_t k = 0; k < m; k++)
            s += g[k] * w[k];
        double low = qp->low ? qp->low[i] : 0, high = qp->high ? qp->high[i] : HUGE_VAL, next = y[i] - s;
        next = next < low ? low : next > high ? high : next;
        most = fmax(most, fabs(y[i] - next));
    }
    return most;
}

/* Solves an n × n system by elimination with pivoting; false where it is singular. */
static bool eliminate(size_t n, double a[ROWS][ROWS], double *x)
{
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < n; i++)
            best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
        if (fabs(a[best][k]) < 1e-9)
            return false;
        for (size_t j = 0; j < n; j++) {
            double swap = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = swap;
        }
        double swap = x[k];
        x[k] = x[best];
        x[best] = swap;
        for (size_t i = k + 1; i < n; i++) {
            double f = a[i][k] / a[k][k];
            for (size_t j = k; j < n; j++)
                a[i][j] -= f * a[k][j];
            x[i] -= f * x[k];
        }
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; j++)
            x[k] -= a[k][j] * x[j];
        x[k] /= a[k][k];
    }
    return true;
}

/* Every choice of low, high or free for every row, until one satisfies all conditions. Free rows with dependent columns
 * are passed over: where there is a solution there is one without. */
static bool enumerate(const ts_qp *qp, double *y)
{
    size_t n = qp->count, m = qp->block_count * (size_t)qp->dof;
    double full[ROWS][ROWS], g[ROWS][BLOCKS * DOF];
    for (size_t i = 0; i < n; i++)
        column(qp, i, g[i]);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            full[i][j] = 0;
            for (size_t k = 0; k < m; k++)
                full[i][j] += g[i][k] * g[j][k];
        }
    size_t choices = 1;
    for (size_t i = 0; i < n; i++)
        choices *= 3;
    for (size_t choice = 0; choice < choices; choice++) {
        size_t set[ROWS], free_count = 0, rest = choice;
        bool good = true;
        for (size_t i = 0; i < n; i++, rest /= 3) {
            double low = qp->low ? qp->low[i] : 0, high = qp->high ? qp->high[i] : HUGE_VAL;
            if (rest % 3 == 2)
                set[free_count++] = i;
            y[i] = rest % 3 == 0 ? low : rest % 3 == 1 ? high : 0;
            good = good && !isinf(y[i]);
        }
        if (!good)
            continue;
        double a[ROWS][ROWS], x[ROWS];
        for (size_t i = 0; i < free_count; i++) {
            x[i] = -qp->linear[set[i]];
            for (size_t j = 0; j < n; j++)
                x[i] -= full[set[i]][j] * y[j];
            for (size_t j = 0; j < free_count; j++)
                a[i][j] = full[set[i]][set[j]];
        }
        if (!eliminate(free_count, a, x))
            continue;
        for (size_t i = 0; i < free_count; i++)
            y[set[i]] = x[i];
        double w[BLOCKS * DOF];
        if (natural(qp, y, w) < 1e-10)
            return true;
    }
    return false;
}

static double draw(ts_random *r)
{
    return ts_random_next_range(r, -1, 1);
}

/* A random problem; every third has redundant rows: copies, and combinations that a copy of the block makes. */
static void make_random(uint64_t seed, small *p)
{
    ts_random r = ts_random_make(seed, 7);
    size_t n = 1 + ts_random_next_below(&r, ROWS), blocks = 1 + ts_random_next_below(&r, BLOCKS);
    int dof = 1 + (int)ts_random_next_below(&r, DOF);
    point(p, n, blocks, dof, seed % 2);
    double v[BLOCKS * DOF];
    for (size_t k = 0; k < BLOCKS * DOF; k++)
        v[k] = draw(&r);
    for (size_t i = 0; i < n; i++) {
        p->b[i] = (int32_t)ts_random_next_below(&r, blocks);
        p->a[i] = (int32_t)ts_random_next_below(&r, blocks + 1) - 1;
        if (p->a[i] == p->b[i])
            p->a[i] = -1;
        for (size_t k = 0; k < (size_t)dof; k++) {
            p->ga[i * (size_t)dof + k] = p->a[i] >= 0 ? draw(&r) : (double)NAN; /* nothing may read it */
            p->gb[i * (size_t)dof + k] = draw(&r);
        }
        if (seed % 3 == 0 && i > 0 && ts_random_next_below(&r, 2)) {
            size_t from = ts_random_next_below(&r, i);
            p->a[i] = p->a[from];
            p->b[i] = p->b[from];
            memcpy(p->ga + i * (size_t)dof, p->ga + from * (size_t)dof, (size_t)dof * sizeof *p->ga);
            memcpy(p->gb + i * (size_t)dof, p->gb + from * (size_t)dof, (size_t)dof * sizeof *p->gb);
        }
        double g[BLOCKS * DOF];
        column(&p->qp, i, g);
        p->linear[i] = 0;
        for (size_t k = 0; k < blocks * (size_t)dof; k++)
            p->linear[i] += g[k] * v[k];
        p->low[i] = draw(&r);
        p->high[i] = p->low[i] + (ts_random_next_below(&r, 8) ? ts_random_next_uniform(&r) : 0);
        /* any b at all where every row is bounded: then equal columns may want different things */
        if (seed % 4 == 1)
            p->linear[i] = draw(&r);
        else if (ts_random_next_below(&r, 4) == 0)
            p->high[i] = HUGE_VAL;
        else if (ts_random_next_below(&r, 4) == 0)
            p->low[i] = -HUGE_VAL;
    }
}

static void solve(const ts_qp *qp, ts_qp_method method, bool least, double *y)
{
    ts_qp_options options = {.method = method, .least = least};
    ts_qp_report report;
    OK(ts_qp_solve(qp, &options, work, y, &report, ERROR));
    if (!report.reached)
        fail_msg("method %d: residual %g", (int)method, report.residual);
}

static void same_as_enumeration(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10000; seed++) {
        small p;
        make_random(seed, &p);
        double best[ROWS], w[BLOCKS * DOF], other[BLOCKS * DOF], y[ROWS];
        if (!enumerate(&p.qp, best))
            fail_msg("seed %u: the enumeration found nothing", (unsigned)seed);
        natural(&p.qp, best, w);
        for (int method = TS_QP_AUTO; method < TS_QP_METHODS; method++) {
            if (method == TS_QP_PROJECTED && seed % 10)
                continue; /* it may need thousands of steps */
            solve(&p.qp, (ts_qp_method)method, seed % 5 == 0, y);
            double residual = natural(&p.qp, y, other);
            if (!(residual < 1e-9))
                fail_msg("seed %u, method %d: residual %g", (unsigned)seed, method, residual);
            for (size_t k = 0; k < p.qp.block_count * (size_t)p.qp.dof; k++)
                if (!(fabs(w[k] - other[k]) < (method == TS_QP_PROJECTED ? 1e-5 : 1e-7)))
                    fail_msg("seed %u, method %d: velocity %g instead of %g", (unsigned)seed, method, other[k], w[k]);
            for (size_t i = 0; i < p.qp.count; i++)
                assert_true(y[i] >= (p.qp.low ? p.low[i] : 0) && y[i] <= (p.qp.high ? p.high[i] : HUGE_VAL));
        }
    }
}

/* A box on its four corners (in the plane two contacts hold it; here four in a row do): the load may go anywhere; least
 * norm shares it. */
static void four_corners(void **state)
{
    (void)state;
    small p;
    point(&p, 4, 1, 2, false);
    double x[4] = {-1, -0.5, 0.5, 1};
    for (int i = 0; i < 4; i++) {
        p.a[i] = -1;
        p.b[i] = 0;
        p.gb[2 * i] = 1;
        p.gb[2 * i + 1] = x[i];
        p.linear[i] = -1;
    }
    for (int method = TS_QP_AUTO; method < TS_QP_METHODS; method++) {
        double y[4], w[BLOCKS * DOF];
        solve(&p.qp, (ts_qp_method)method, false, y);
        assert_true(natural(&p.qp, y, w) < 1e-9);
        NEAR(w[0], 1, 1e-9);
        NEAR(w[1], 0, 1e-9);
        /* least Σ Aᵢᵢ yᵢ² with Σ yᵢ = 1 and no torque: yᵢ ∝ 1/(1 + xᵢ²), by Lagrange */
        solve(&p.qp, (ts_qp_method)method, true, y);
        double sum = 2 * (1 / 2.0 + 1 / 1.25);
        for (int i = 0; i < 4; i++)
            NEAR(y[i], 1 / (1 + x[i] * x[i]) / sum, 1e-9);
    }
}

/* Bernoulli's problem and a chain: three discs in a row between walls, and the closed form of a stack: contact k of n
 * carries n − k. */
static void stack(void **state)
{
    (void)state;
    enum { HIGH = 200 };
    static int32_t a[HIGH], b[HIGH];
    static double ga[HIGH], gb[HIGH], linear[HIGH], y[HIGH];
    for (int32_t i = 0; i < HIGH; i++) {
        a[i] = i - 1;
        b[i] = i;
        ga[i] = -1;
        gb[i] = 1;
        linear[i] = i == 0 ? -1 : 0; /* all fall with speed 1 */
    }
    ts_qp qp = {HIGH, HIGH, 1, a, b, ga, gb, linear, NULL, NULL};
    ts_qp_method method[] = {TS_QP_AUTO, TS_QP_DENSE, TS_QP_INTERIOR};
    for (int m = 0; m < 3; m++) {
        solve(&qp, method[m], false, y);
        for (int i = 0; i < HIGH; i++)
            NEAR(y[i], HIGH - i, 1e-6);
    }
    /* a lid that holds back no more than half of the weight: the lowest contact is at its bound, and all still falls at
     * half speed */
    static double high[HIGH];
    for (int i = 0; i < HIGH; i++)
        high[i] = i ? HUGE_VAL : HIGH / 2;
    qp.high = high;
    for (int m = 0; m < 3; m++) {
        solve(&qp, method[m], false, y);
        for (int i = 0; i < HIGH; i++)
            NEAR(y[i], (HIGH - i) * 0.5, 1e-6);
    }
}

/* Rows without entries, without room, and none at all. */
static void idle_rows(void **state)
{
    (void)state;
    small p;
    memset(&p, 0, sizeof p);
    point(&p, 3, 1, 1, true);
    double y[3];
    for (int i = 0; i < 3; i++) {
        p.a[i] = -1;
        p.b[i] = 0;
    }
    p.gb[0] = 1, p.low[0] = p.high[0] = 2, p.linear[0] = 5;      /* held at 2 */
    p.gb[1] = 0, p.low[1] = -1, p.high[1] = 3, p.linear[1] = -1; /* pushed to its bound by b alone */
    p.gb[2] = 1, p.low[2] = 0, p.high[2] = HUGE_VAL, p.linear[2] = -5;
    ts_qp_report report;
    OK(ts_qp_solve(&p.qp, NULL, work, y, &report, ERROR));
    assert_true(y[0] == 2 && y[1] == 3 && report.reached && report.islands == 1 && report.largest == 1);
    NEAR(y[2], 3, 1e-12);
    p.qp.count = 0;
    OK(ts_qp_solve(&p.qp, NULL, work, y, &report, ERROR));
    assert_true(report.reached && report.residual == 0 && report.islands == 0);
}

/* Two walls that close on a disc: no impulse is enough. It must end, and say so. */
static void wedge(void **state)
{
    (void)state;
    small p;
    point(&p, 2, 1, 1, false);
    p.a[0] = p.a[1] = -1;
    p.b[0] = p.b[1] = 0;
    p.gb[0] = 1;
    p.gb[1] = -1;
    p.linear[0] = p.linear[1] = -1;
    for (int method = TS_QP_AUTO; method < TS_QP_METHODS; method++) {
        ts_qp_options options = {.method = (ts_qp_method)method, .iterations_max = 200};
        ts_qp_report report;
        double y[2];
        OK(ts_qp_solve(&p.qp, &options, work, y, &report, ERROR));
        assert_false(report.reached);
        assert_true(report.residual > 0.5);
    }
}

static void refuses(const ts_qp *qp, const ts_qp_options *options, const char *word)
{
    double y[ROWS] = {1, 2, 3, 4, 5, 6}, before[ROWS];
    memcpy(before, y, sizeof y);
    ts_qp_report report;
    assert_int_equal(ts_qp_solve(qp, options, work, y, &report, ERROR), TS_BAD_INPUT);
    if (!strstr(ERROR->message, word))
        fail_msg("\"%s\" does not say \"%s\"", ERROR->message, word);
    assert_memory_equal(y, before, sizeof y);
}

static void bad_input(void **state)
{
    (void)state;
    small p;
    make_random(1, &p);
    while (p.qp.count < 2 || p.qp.block_count < 2)
        make_random(p.qp.count * 2 + 101, &p);
    small good = p;
    point(&p, p.qp.count, p.qp.block_count, p.qp.dof, true);
#define WITH(change, word)                                                \
    do {                                                                  \
        p = good;                                                         \
        point(&p, good.qp.count, good.qp.block_count, good.qp.dof, true); \
        change;                                                           \
        refuses(&p.qp, NULL, word);                                       \
    } while (0)
    WITH(p.b[1] = (int32_t)p.qp.block_count, "row 1");
    WITH(p.a[0] = -2, "row 0");
    WITH(p.a[0] = p.b[0], "itself");
    WITH(p.gb[0] = (double)NAN, "not finite");
    WITH(p.linear[1] = HUGE_VAL, "row 1");
    WITH(p.low[0] = p.high[0] = 1; p.low[0] = 2, "bounds");
    WITH(p.low[0] = (double)NAN, "bounds");
    WITH(p.qp.dof = 0, "0 numbers");
    WITH(p.qp.dof = 7, "7 numbers");
#undef WITH
    ts_qp_options options = {.tolerance = -1};
    refuses(&good.qp, &options, "tolerance");
    options = (ts_qp_options){.method = TS_QP_METHODS};
    refuses(&good.qp, &options, "method");
    options = (ts_qp_options){.warm = true};
    double y[ROWS] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
    assert_int_equal(ts_qp_solve(&good.qp, &options, work, y, NULL, ERROR), TS_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_enumeration), cmocka_unit_test(four_corners), cmocka_unit_test(stack),
        cmocka_unit_test(idle_rows),           cmocka_unit_test(wedge),        cmocka_unit_test(bad_input),
    };
    OK(ts_qp_work_create(&work, ERROR));
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ts_qp_work_free(work);
    return failed;
}
