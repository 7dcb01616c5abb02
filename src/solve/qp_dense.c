/* SPDX-License-Identifier: MIT */
/* Active set for small islands: least squares with bounds, after Lawson and Hanson, and Stark and Parker.
 *
 *     free set P, its triangle RᵀR = A_PP ─▶ solve for P ─▶ a bound in the way: go as far as it, that row leaves P
 *                                                      ─▶ none: the row that most wants to leave its bound joins P
 *
 * A row whose column depends on those of P has no triangle to join. Along the combination of P that equals it, Gy stays
 * the same: go that way until a bound is met, whose row makes room. A row that depends on P has a slack of zero in
 * exact arithmetic where b = Gᵀv, so this is rare; with any b it is what keeps redundant contacts harmless. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "solve/qp_parts.h"

/* Squared sine of the angle between a column and the span of P below which it depends on it, of a diagonal of 1: what
 * rounding leaves of a sum of n products, with room to spare. */
static double dependent_below(size_t n)
{
    return 256 * DBL_EPSILON * (double)(n + 8);
}

enum { AT_LOW, AT_HIGH, FREE };

typedef struct dense {
    ts_qp_island *q;
    size_t n;
    double *a;      /* A, by columns (n · n) */
    double *r;      /* column k of R belongs to the k-th of P (n · n) */
    double *s;      /* Ay + b (n) */
    double *d, *t;  /* of P (n) */
    double *w;      /* blocks' numbers */
    int32_t *p;     /* rows of P (free_count) */
    uint8_t *state; /* (n) */
    bool *banned;   /* rows that joined in vain since y last moved (n) */
    size_t free_count;
} dense;

/* A = GᵀG: only rows that share a block meet. */
static void make_matrix(dense *t)
{
    const ts_qp_island *q = t->q;
    size_t n = t->n, dof = (size_t)q->dof;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = 0;
            for (size_t side = 0; side < 2; side++)
                for (size_t other = 0; other < 2; other++) {
                    int32_t x = side ? q->b[i] : q->a[i], y = other ? q->b[j] : q->a[j];
                    const double *g = q->g + (2 * i + side) * dof, *h = q->g + (2 * j + other) * dof;
                    for (size_t c = 0; x >= 0 && x == y && c < dof; c++)
                        sum += g[c] * h[c];
                }
            t->a[i * n + j] = t->a[j * n + i] = sum;
        }
}

static void find_slack(dense *t)
{
    memcpy(t->s, t->q->linear, t->n * sizeof *t->s);
    for (size_t j = 0; j < t->n; j++)
        if (t->q->y[j] != 0)
            for (size_t i = 0; i < t->n; i++)
                t->s[i] += t->a[j * t->n + i] * t->q->y[j];
}

/* x ← R⁻ᵀ x and x ← R⁻¹ x, of P */
static void solve_down(const dense *t, double *x)
{
    for (size_t k = 0; k < t->free_count; k++) {
        const double *column = t->r + k * t->n;
        double sum = x[k];
        for (size_t i = 0; i < k; i++)
            sum -= column[i] * x[i];
        x[k] = sum / column[k];
    }
}
static void solve_up(const dense *t, double *x)
{
    for (size_t k = t->free_count; k-- > 0;) {
        const double *column = t->r + k * t->n;
        x[k] /= column[k];
        for (size_t i = 0; i < k; i++)
            x[i] -= column[i] * x[k];
    }
}

/* Row j joins P; false when it depends on P. t->t then holds R⁻ᵀ A_Pj. */
static bool join(dense *t, int32_t j)
{
    double *column = t->r + t->free_count * t->n, square = t->a[(size_t)j * t->n + (size_t)j];
    for (size_t k = 0; k < t->free_count; k++)
        t->t[k] = t->a[(size_t)j * t->n + (size_t)t->p[k]];
    solve_down(t, t->t);
    for (size_t k = 0; k < t->free_count; k++)
        square -= t->t[k] * t->t[k];
    if (square <= dependent_below(t->n))
        return false;
    memcpy(column, t->t, t->free_count * sizeof *column);
    column[t->free_count] = sqrt(square);
    t->p[t->free_count++] = j;
    t->state[j] = FREE;
    return true;
}

/* The k-th of P leaves it; rotations make R a triangle again. */
static void leave(dense *t, size_t k, bool low)
{
    t->state[t->p[k]] = low ? AT_LOW : AT_HIGH;
    t->q->y[t->p[k]] = low ? t->q->low[t->p[k]] : t->q->high[t->p[k]];
    t->free_count--;
    for (size_t j = k; j < t->free_count; j++) {
        t->p[j] = t->p[j + 1];
        memcpy(t->r + j * t->n, t->r + (j + 1) * t->n, (j + 2) * sizeof *t->r);
    }
    for (size_t j = k; j < t->free_count; j++) {
        double *column = t->r + j * t->n, x = column[j], y = column[j + 1], h = hypot(x, y), c = x / h, sine = y / h;
        column[j] = h;
        for (size_t m = j + 1; m < t->free_count; m++) {
            double *other = t->r + m * t->n, u = other[j], v = other[j + 1];
            other[j] = c * u + sine * v;
            other[j + 1] = c * v - sine * u;
        }
    }
}

/* The first bound on the way d of P, at most `most` ahead; *at: which of P, free_count when none. */
static double way(const dense *t, double most, size_t *at)
{
    *at = t->free_count;
    for (size_t k = 0; k < t->free_count; k++) {
        size_t i = (size_t)t->p[k];
        double y = t->q->y[i], d = t->d[k];
        double room = d < 0 ? (t->q->low[i] - y) / d : d > 0 ? (t->q->high[i] - y) / d : HUGE_VAL;
        if (room < most) {
            most = room > 0 ? room : 0;
            *at = k;
        }
    }
    return most;
}

static void move(dense *t, double step)
{
    for (size_t k = 0; k < t->free_count; k++)
        t->q->y[t->p[k]] += step * t->d[k];
    if (step > 0)
        memset(t->banned, 0, t->n * sizeof *t->banned);
}

/* To the best point of P, or to the first bound in the way, whose row leaves. True when it got there. */
static bool descend(dense *t)
{
    for (size_t k = 0; k < t->free_count; k++)
        t->d[k] = -t->s[t->p[k]];
    solve_down(t, t->d);
    solve_up(t, t->d);
    size_t at;
    double step = way(t, 1, &at);
    int32_t blocker = at < t->free_count ? t->p[at] : -1;
    move(t, step);
    if (blocker >= 0) {
        if (step == 0)
            t->banned[blocker] = true;
        leave(t, at, t->d[at] < 0);
    }
    find_slack(t);
    return blocker < 0;
}

/* Row j depends on P and wants to go by `sign`: along the combination that changes nothing, to the first bound. */
static void exchange(dense *t, int32_t j, double sign)
{
    ts_qp_island *q = t->q;
    memcpy(t->d, t->t, t->free_count * sizeof *t->d);
    solve_up(t, t->d);
    for (size_t k = 0; k < t->free_count; k++)
        t->d[k] *= -sign;
    double own = sign > 0 ? q->high[j] - q->y[j] : q->y[j] - q->low[j];
    size_t at;
    double step = way(t, own, &at);
    if (step == HUGE_VAL) {
        t->banned[j] = true; /* nothing ends this way: rounding, or a problem without a least value */
        return;
    }
    move(t, step);
    q->y[j] += sign * step;
    if (at == t->free_count) {
        t->state[j] = sign > 0 ? AT_HIGH : AT_LOW;
        q->y[j] = sign > 0 ? q->high[j] : q->low[j];
    } else {
        leave(t, at, t->d[at] < 0);
        if (!join(t, j)) {
            /* it still depends on them: then back to the nearer bound, not to be asked again at this place */
            bool low = q->high[j] == HUGE_VAL || q->y[j] - q->low[j] <= q->high[j] - q->y[j];
            t->state[j] = low ? AT_LOW : AT_HIGH;
            q->y[j] = low ? q->low[j] : q->high[j];
            t->banned[j] = true;
        }
    }
    find_slack(t);
}

/* The row that most wants to leave its bound; -1: none does by more than rounding. */
static int32_t choose(const dense *t)
{
    double most = 0, largest = 1;
    int32_t best = -1;
    for (size_t i = 0; i < t->n; i++)
        largest = fmax(largest, fabs(t->q->y[i]));
    most = 16 * DBL_EPSILON * largest;
    for (size_t i = 0; i < t->n; i++) {
        if (t->state[i] == FREE || t->banned[i])
            continue;
        double want = t->state[i] == AT_LOW ? -t->s[i] : t->s[i];
        if (want > most) {
            most = want;
            best = (int32_t)i;
        }
    }
    return best;
}

/* A row begins at the bound where it stands, or free. A row without bounds must be free; one that cannot be begins at
 * 0. */
static void begin(dense *t)
{
    ts_qp_island *q = t->q;
    for (size_t i = 0; i < t->n; i++) {
        double y = q->y[i];
        t->state[i] = y >= q->high[i] ? AT_HIGH : AT_LOW;
        bool inside = y > q->low[i] && y < q->high[i];
        if (!inside || join(t, (int32_t)i))
            continue;
        bool low = q->high[i] == HUGE_VAL || y - q->low[i] <= q->high[i] - y;
        t->state[i] = low ? AT_LOW : AT_HIGH;
        q->y[i] = low ? q->low[i] : q->high[i];
        if (isinf(q->y[i]))
            q->y[i] = 0;
    }
    find_slack(t);
}

/* Columns of P are independent; so without a further row whose slack is zero there is no other way to share the
 * load. */
static bool is_unique(const dense *t)
{
    const ts_qp_island *q = t->q;
    for (size_t i = 0; i < t->n; i++)
        if (t->state[i] != FREE && q->measure[i] * fabs(t->s[i]) <= q->tolerance)
            return false;
    return true;
}

static void iterate(dense *t, ts_qp_outcome *outcome)
{
    int most = t->q->iterations_max > 0 ? t->q->iterations_max : 50 + 20 * (int)t->n;
    begin(t);
    bool there = t->free_count == 0;
    for (int k = 0; k < most; k++) {
        outcome->iterations++;
        if (!there) {
            there = descend(t);
            continue;
        }
        int32_t j = choose(t);
        if (j < 0)
            break;
        if (!join(t, j))
            exchange(t, j, t->state[j] == AT_LOW ? 1 : -1);
        there = t->free_count == 0;
    }
    /* the last digits: once more with slacks from G itself, where no bound is in the way */
    ts_qp_velocity(t->q, t->q->y, t->w);
    ts_qp_slack(t->q, t->w, false, t->s);
    for (size_t k = 0; k < t->free_count; k++)
        t->d[k] = -t->s[t->p[k]];
    solve_down(t, t->d);
    solve_up(t, t->d);
    size_t at;
    if (way(t, 1, &at) == 1)
        move(t, 1);
    ts_qp_velocity(t->q, t->q->y, t->w);
    ts_qp_slack(t->q, t->w, false, t->s);
    outcome->residual = ts_qp_natural(t->q, t->q->y, t->s);
    outcome->unique = is_unique(t);
}

ts_status ts_qp_dense(ts_qp_island *island, ts_qp_outcome *outcome, ts_error *error)
{
    size_t n = island->count, m = island->block_count * (size_t)island->dof;
    size_t numbers = 2 * n * n + 3 * n + m + n /* p, state, banned */;
    double *room;
    TS_TRY(ts_new_raw(&room, numbers, error));
    dense t = {.q = island, .n = n, .a = room, .r = room + n * n, .s = room + 2 * n * n};
    t.d = t.s + n;
    t.t = t.d + n;
    t.w = t.t + n;
    t.p = (int32_t *)(t.w + m);
    t.state = (uint8_t *)(t.p + n);
    t.banned = (bool *)(t.state + n);
    memset(t.banned, 0, n * sizeof *t.banned);
    make_matrix(&t);
    iterate(&t, outcome);
    ts_free(room);
    return TS_OK;
}
