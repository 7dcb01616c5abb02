/* SPDX-License-Identifier: MIT */
#include "shape/fit_polish.h"

#include <math.h>
#include <string.h>

#include "base/simd_exp.h"

#define BURIED 0.05 /* B: what lies deeper below the fit's surface, as the walls of cavities do, weighs less */
#define REACH  12.0 /* τ: a superquadric so far above the smallest has no part in the blend */

enum { N = TS_FIT_PARAMETERS, SOME = 1024 };

/* ---- What a step needs ---- */

typedef struct place {
    int16_t index[TS_FIT_ACTIVE]; /* of superquadrics that are blended; free ones only have slopes */
    int16_t count;
    double share[TS_FIT_ACTIVE]; /* ∂φ / ∂φ_l */
    double value;                /* φ */
} place;

typedef struct ts_fit_step {
    place *place;                       /* (points) */
    double (*slope)[TS_FIT_ACTIVE][N];  /* share · ∂φ_l (points) */
    double *gathered;                   /* points of one superquadric, and slopes there (3 + N columns of points) */
    int32_t *who;                       /* (points) */
    bool *skip;                         /* points that have no residual (points) */
    double *block;                      /* of the normal matrix, room for all pairs (columns² · N²) */
    bool *used;                         /* (columns²) */
    double *vector, *x, *r, *p, *q, *z; /* (columns · N) */
    double *factor;                     /* Cholesky of the damped diagonal blocks (columns · N²) */
} step;

static void free_step(step *s)
{
    if (!s)
        return;
    ts_free(s->place);
    ts_free(s->slope);
    ts_free(s->gathered);
    ts_free(s->who);
    ts_free(s->skip);
    ts_free(s->block);
    ts_free(s->used);
    ts_free(s->vector);
    ts_free(s->factor);
    ts_free(s);
}

static ts_status make_step(ts_fit_polish *polish, ts_error *error)
{
    const size_t points = polish->count, columns = (size_t)polish->columns;
    TS_TRY(ts_new(&polish->step, 1, error));
    step *s = polish->step;
    TS_TRY(ts_new(&s->place, points, error));
    TS_TRY(ts_new_raw(&s->slope, points, error));
    TS_TRY(ts_new_raw(&s->gathered, (3 + N) * points, error));
    TS_TRY(ts_new_raw(&s->who, points, error));
    TS_TRY(ts_new(&s->skip, points, error));
    TS_TRY(ts_new_raw(&s->block, columns * columns * N * N, error));
    TS_TRY(ts_new(&s->used, columns * columns, error));
    TS_TRY(ts_new(&s->vector, 6 * columns * N, error));
    TS_TRY(ts_new_raw(&s->factor, columns * N * N, error));
    s->x = s->vector + columns * N;
    s->r = s->x + columns * N;
    s->p = s->r + columns * N;
    s->q = s->p + columns * N;
    s->z = s->q + columns * N;
    return TS_OK;
}

/* ---- Making ---- */

ts_status ts_fit_polish_make(ts_fit *fit, size_t surface_points, uint64_t seed, ts_fit_polish *polish, ts_error *error)
{
    *polish = (ts_fit_polish){.fit = fit, .columns = fit->list.count};
    TS_TRY(ts_fit_polish_points(fit, surface_points, seed, polish, error));
    polish->slots = 2 * polish->columns;
    TS_TRY(ts_new_raw(&polish->value, (size_t)polish->slots * polish->count, error));
    TS_TRY(ts_new(&polish->key, (size_t)polish->slots, error));
    TS_TRY(make_step(polish, error));
    for (size_t i = 0; i < polish->count; i++)
        polish->scale[i] = 1;
    ts_fit_polish_refresh(polish);
    return TS_OK;
}

void ts_fit_polish_release(ts_fit_polish *polish)
{
    ts_free(polish->x);
    ts_free(polish->side);
    ts_free(polish->value);
    ts_free(polish->key);
    ts_free(polish->scale);
    free_step(polish->step);
    *polish = (ts_fit_polish){0};
}

/* ---- Values ---- */

static const double *values_of(const ts_fit_polish *p, int index)
{
    return p->value + (size_t)p->slot[index] * p->count;
}

typedef struct refreshing {
    const ts_fit_polish *polish;
    int slot[TS_FIT_COUNT_MAX + 1], count;
    ts_sdf_pack pack[TS_FIT_COUNT_MAX + 1];
} refreshing;

static void refresh_some(void *context, int task, int thread)
{
    const refreshing *r = context;
    const ts_fit_polish *p = r->polish;
    const size_t from = (size_t)task * SOME, count = p->count - from < SOME ? p->count - from : SOME;
    const ts_sdf_points at = {count, p->x + from, p->y + from, p->z + from};
    (void)thread;
    for (int k = 0; k < r->count; k += 2) {
        double *const to[2] = {p->value + (size_t)r->slot[k] * p->count + from,
                               p->value + (size_t)r->slot[k + 1] * p->count + from};
        ts_fit_choose()->values((const ts_sdf_pack *const[2]){&r->pack[k], &r->pack[k + 1]}, &at, to);
    }
}

static bool is_same(const ts_primitive *a, const ts_primitive *b)
{
    /* NOLINTBEGIN(bugprone-suspicious-memory-comparison): doubles without padding, by their bits */
    return memcmp(&a->pose, &b->pose, sizeof a->pose) == 0 && memcmp(&a->size, &b->size, sizeof a->size) == 0 &&
           memcmp(a->exponent, b->exponent, sizeof a->exponent) == 0;
    /* NOLINTEND(bugprone-suspicious-memory-comparison) */
}

/* φ of all that are in the list; what is in a column already is not worked out again. */
static void refresh(ts_fit_polish *p)
{
    const ts_fit_list *list = &p->fit->list;
    refreshing r = {.polish = p};
    bool taken[2 * TS_FIT_COUNT_MAX] = {0};
    for (int i = 0; i < list->count; i++) {
        p->slot[i] = -1;
        for (int s = 0; s < p->slots && p->slot[i] < 0; s++)
            if (!taken[s] && is_same(&p->key[s], &list->item[i]))
                p->slot[i] = (int16_t)s;
        if (p->slot[i] >= 0)
            taken[p->slot[i]] = true;
    }
    for (int i = 0; i < list->count; i++) {
        if (p->slot[i] >= 0)
            continue;
        /* the one that was filled longest ago: what a trial has to come back to is newer */
        int s = p->next;
        while (taken[s])
            s = (s + 1) % p->slots;
        p->next = (s + 1) % p->slots;
        taken[s] = true;
        p->slot[i] = (int16_t)s;
        p->key[s] = list->item[i];
        r.slot[r.count] = s;
        ts_sdf_pack_superquadric(&list->item[i], &r.pack[r.count++]);
    }
    if (r.count % 2 == 1) { /* the last one twice */
        r.slot[r.count] = r.slot[r.count - 1];
        r.pack[r.count] = r.pack[r.count - 1];
        r.count++;
    }
    if (r.count > 0)
        ts_pool_run(p->fit->pool, (int)((p->count + SOME - 1) / SOME), refresh_some, &r);
}

/* The blend at points begin … end, and who takes part: as in sdf_blend_lanes.h. `without`: one that is left out, or −1. */
static void blend(const ts_fit_polish *p, size_t begin, size_t end, int without, place *to)
{
    enum { BLOCK = 128 };
    const double tau = p->fit->tau;
    double top[BLOCK], sum[BLOCK], lift[BLOCK];
    for (size_t first = begin; first < end; first += BLOCK) {
        const size_t count = end - first < BLOCK ? end - first : BLOCK;
        place *at = to + (first - begin);
        for (size_t i = 0; i < count; i++) {
            top[i] = HUGE_VAL;
            sum[i] = lift[i] = 0;
            at[i].count = 0;
        }
        for (int l = 0; l < p->fit->list.count; l++) {
            const double *value = values_of(p, l) + first;
            for (size_t i = 0; i < count && l != without; i++)
                top[i] = value[i] < top[i] ? value[i] : top[i];
        }
        for (int l = 0; l < p->fit->list.count; l++) {
            const double *value = values_of(p, l) + first;
            for (size_t i = 0; i < count && l != without; i++) {
                const double d = value[i] - top[i];
                if (d > REACH * tau || at[i].count == TS_FIT_ACTIVE)
                    continue;
                const double e = d > 0 ? ts_exp(-d / tau) : 1;
                sum[i] += e;
                lift[i] += e * d;
                at[i].share[at[i].count] = e;
                at[i].index[at[i].count++] = (int16_t)l;
            }
        }
        for (size_t i = 0; i < count; i++) {
            at[i].value = sum[i] > 0 ? top[i] + lift[i] / sum[i] : top[i];
            for (int k = 0; k < at[i].count; k++) {
                const double d = values_of(p, at[i].index[k])[first + i];
                at[i].share[k] *= (1 - (d - at[i].value) / tau) / sum[i];
            }
        }
    }
}

static double residual(const ts_fit_polish *p, size_t i, double value)
{
    const double r = value * p->scale[i];
    return p->side[i] == TS_FIT_ON ? r : p->side[i] == TS_FIT_OUT ? fmin(r, 0) : fmax(r, 0);
}

/* ρ, and ρ' / 2r */
static double rho(double r, double *weight)
{
    const double square = r * r, more = square / (TS_FIT_LARGE * TS_FIT_LARGE);
    if (r < -BURIED) { /* linear from there on */
        *weight = BURIED / -r;
        return BURIED * (-2 * r - BURIED);
    }
    *weight = r < 0 ? 1 : more < TS_FIT_LARGE_MOST ? 1 + 2 * more : 1 + TS_FIT_LARGE_MOST;
    return r < 0 ? square : square * (1 + fmin(more, TS_FIT_LARGE_MOST));
}

typedef struct blending {
    ts_fit_polish *polish;
    int without;
} blending;

static double cost_term(void *context, size_t begin, size_t end)
{
    const blending *b = context;
    const ts_fit_polish *p = b->polish;
    double sum = 0;
    if (b->without < 0)
        blend(p, begin, end, -1, &p->step->place[begin]);
    for (size_t i = begin; i < end; i++) {
        const place *at = &p->step->place[i];
        place own;
        double weight;
        own.value = 0;
        for (int k = 0; k < at->count; k++)
            if (at->index[k] == b->without) { /* elsewhere its loss changes nothing */
                blend(p, i, i + 1, b->without, &own);
                at = &own;
                break;
            }
        sum += p->weight[i] * rho(residual(p, i, at->value), &weight);
    }
    return sum;
}

static double cost_of(ts_fit_polish *p)
{
    return ts_pool_sum(p->fit->pool, p->count, cost_term, &(blending){p, -1});
}

double ts_fit_polish_cost_without(const ts_fit_polish *polish, int index)
{
    ts_fit_polish same = *polish;
    return ts_pool_sum(polish->fit->pool, polish->count, cost_term, &(blending){&same, index});
}

void ts_fit_polish_errors(const ts_fit_polish *polish, double *mean, double *worst)
{
    *mean = *worst = 0;
    for (size_t i = 0; i < polish->surface_count; i++) {
        const double r = fabs(polish->step->place[i].value * polish->scale[i]);
        *mean += r / (double)polish->surface_count;
        *worst = fmax(*worst, r);
    }
}

bool ts_fit_polish_meet(const ts_fit_polish *polish, int a, int b)
{
    const double near = 2 * polish->fit->grid.cell;
    const double *u = values_of(polish, a), *v = values_of(polish, b);
    for (size_t i = 0; i < polish->count; i++)
        if (u[i] < near && v[i] < near)
            return true;
    return false;
}

/* ---- Slopes ---- */

/* Slopes of one superquadric at all points that it has a part in. */
static void slopes_of(ts_fit_polish *p, int index)
{
    step *s = p->step;
    size_t count = 0;
    double *const x = s->gathered, *const y = x + p->count, *const z = y + p->count;
    for (size_t i = 0; i < p->count; i++) {
        const place *at = &s->place[i];
        for (int k = 0; k < at->count; k++)
            if (at->index[k] == index && !s->skip[i]) {
                s->who[count] = (int32_t)i;
                x[count] = p->x[i];
                y[count] = p->y[i];
                z[count++] = p->z[i];
            }
    }
    if (count == 0)
        return;
    double *to[N];
    for (size_t n = 0; n < N; n++)
        to[n] = z + (n + 1) * p->count;
    ts_sdf_pack pack;
    ts_sdf_pack_superquadric(&p->fit->list.item[index], &pack);
    ts_fit_choose()->slopes(&pack, &(ts_sdf_points){count, x, y, z}, to);
    for (size_t c = 0; c < count; c++) {
        const size_t i = (size_t)s->who[c];
        int k = 0;
        while (s->place[i].index[k] != index)
            k++;
        for (int n = 0; n < N; n++)
            s->slope[i][k][n] = s->place[i].share[k] * to[n][c];
    }
}

/* |∇φ| in the body's frame. */
static double steepness(const ts_fit_polish *p, size_t i, const ts_mat3 *turn)
{
    const place *at = &p->step->place[i];
    ts_vec3 sum = {0, 0, 0};
    for (int k = 0; k < at->count; k++)
        sum = ts_vec3_add(sum, ts_mat3_apply(turn[at->index[k]], ts_vec3_of(&p->step->slope[i][k][8])));
    /* on a superquadric's surface it is 1 at least; in seams the gradients of a blend cancel */
    return fmax(ts_vec3_length(sum), 1);
}

static double *block_of(const ts_fit_polish *p, int a, int b)
{
    return p->step->block + ((size_t)a * (size_t)p->columns + (size_t)b) * N * N;
}

/* The normal equations. `free`: who may move. Points whose residual is zero come with no slopes. */
static void assemble(ts_fit_polish *p, const bool *free)
{
    step *s = p->step;
    bool *skip = s->skip;
    const int count = p->fit->list.count;
    ts_mat3 turn[TS_FIT_COUNT_MAX];
    for (size_t i = 0; i < p->count; i++)
        skip[i] = p->side[i] != TS_FIT_ON && residual(p, i, s->place[i].value) == 0;
    for (int l = 0; l < count; l++) {
        turn[l] = ts_quat_to_matrix(p->fit->list.item[l].pose.quat);
        slopes_of(p, l);
    }
    memset(s->used, 0, (size_t)p->columns * (size_t)p->columns * sizeof *s->used);
    memset(s->vector, 0, (size_t)count * N * sizeof *s->vector);
    for (size_t i = 0; i < p->count; i++) {
        if (skip[i])
            continue;
        const place *at = &s->place[i];
        double weight;
        p->scale[i] = 1 / steepness(p, i, turn);
        const double r = residual(p, i, at->value);
        rho(r, &weight);
        weight *= p->weight[i] * p->scale[i];
        for (int k = 0; k < at->count; k++) {
            const int a = at->index[k];
            if (!free[a])
                continue;
            for (int m = 0; m < N; m++)
                s->vector[a * N + m] -= weight * r * s->slope[i][k][m];
            for (int l = 0; l <= k; l++) { /* indices rise, so this is the lower half */
                const int b = at->index[l];
                if (!free[b])
                    continue;
                double *block = block_of(p, a, b);
                bool *used = &s->used[(size_t)a * (size_t)p->columns + (size_t)b];
                if (!*used)
                    memset(block, 0, N * N * sizeof *block);
                *used = true;
                for (int m = 0; m < N; m++) {
                    const double left = weight * p->scale[i] * s->slope[i][k][m];
                    for (int n = 0; n < N; n++)
                        block[m * N + n] += left * s->slope[i][l][n];
                }
            }
        }
    }
}

/* ---- Conjugate gradients ---- */

/* Cholesky factors of the damped diagonal blocks; parameters that are fixed have rows of the identity. */
static void factorise(ts_fit_polish *p, const bool *free, const bool (*fixed)[N], double damping)
{
    for (int a = 0; a < p->fit->list.count; a++) {
        double *l = p->step->factor + (size_t)a * N * N;
        const double *block = block_of(p, a, a);
        const bool used = free[a] && p->step->used[(size_t)a * (size_t)p->columns + (size_t)a];
        for (int i = 0; i < N; i++)
            for (int j = 0; j <= i; j++) {
                double sum = !used || fixed[a][i] || fixed[a][j] ? 0 : block[i * N + j];
                if (i == j)
                    sum = !used || fixed[a][i] ? 1 : sum * (1 + damping) + 1e-12;
                const double own = sum;
                for (int k = 0; k < j; k++)
                    sum -= l[i * N + k] * l[j * N + k];
                if (i == j)
                    l[i * N + i] = sum > 1e-12 * own ? sqrt(sum) : sqrt(own);
                else
                    l[i * N + j] = sum / l[j * N + j];
            }
    }
}

static void precondition(const ts_fit_polish *p, const double *r, double *z)
{
    for (int a = 0; a < p->fit->list.count; a++) {
        const double *l = p->step->factor + (size_t)a * N * N;
        double *x = z + a * N;
        for (int i = 0; i < N; i++) {
            x[i] = r[a * N + i];
            for (int k = 0; k < i; k++)
                x[i] -= l[i * N + k] * x[k];
            x[i] /= l[i * N + i];
        }
        for (int i = N; i-- > 0;) {
            for (int k = i + 1; k < N; k++)
                x[i] -= l[k * N + i] * x[k];
            x[i] /= l[i * N + i];
        }
    }
}

static void multiply(const ts_fit_polish *p, const bool (*fixed)[N], double damping, const double *x, double *y)
{
    const int count = p->fit->list.count;
    memset(y, 0, (size_t)count * N * sizeof *y);
    for (int a = 0; a < count; a++)
        for (int b = 0; b <= a; b++) {
            if (!p->step->used[(size_t)a * (size_t)p->columns + (size_t)b])
                continue;
            const double *block = block_of(p, a, b);
            for (int m = 0; m < N; m++)
                for (int n = 0; n < N; n++) {
                    y[a * N + m] += block[m * N + n] * x[b * N + n];
                    if (a != b)
                        y[b * N + n] += block[m * N + n] * x[a * N + m];
                    else if (m == n)
                        y[a * N + m] += (damping * block[m * N + n] + 1e-12) * x[a * N + m];
                }
        }
    for (int a = 0; a < count; a++)
        for (int m = 0; m < N; m++)
            if (fixed[a][m])
                y[a * N + m] = x[a * N + m];
}

static double dot(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void solve(ts_fit_polish *p, const bool *free, const bool (*fixed)[N], double damping)
{
    enum { STEPS_MAX = 40 };
    step *s = p->step;
    const int n = p->fit->list.count * N;
    factorise(p, free, fixed, damping);
    for (int i = 0; i < n; i++) {
        s->x[i] = 0;
        s->r[i] = free[i / N] && !fixed[i / N][i % N] ? s->vector[i] : 0;
    }
    precondition(p, s->r, s->z);
    memcpy(s->p, s->z, (size_t)n * sizeof *s->p);
    double rz = dot(s->r, s->z, n);
    const double enough = 1e-6 * rz;
    for (int k = 0; k < STEPS_MAX && rz > enough; k++) {
        multiply(p, fixed, damping, s->p, s->q);
        const double curved = dot(s->p, s->q, n);
        if (!(curved > 0))
            break;
        const double along = rz / curved;
        for (int i = 0; i < n; i++) {
            s->x[i] += along * s->p[i];
            s->r[i] -= along * s->q[i];
        }
        precondition(p, s->r, s->z);
        const double next = dot(s->r, s->z, n), beta = next / rz;
        rz = next;
        for (int i = 0; i < n; i++)
            s->p[i] = s->z[i] + beta * s->p[i];
    }
}

/* ---- Steps ---- */

double ts_fit_polish_refresh(ts_fit_polish *p)
{
    refresh(p);
    return cost_of(p);
}

double ts_fit_polish_run(ts_fit_polish *p, const bool *free, int steps)
{
    ts_fit_list *list = &p->fit->list;
    bool everyone[TS_FIT_COUNT_MAX] = {false}, fixed[TS_FIT_COUNT_MAX][N] = {{false}};
    double damping = 1e-3, cost = 0;
    memset(everyone, 1, sizeof everyone);
    free = free ? free : everyone;
    cost = ts_fit_polish_refresh(p);
    for (int k = 0; k < steps; k++) {
        assemble(p, free);
        const double before = cost_of(p); /* with |∇φ| as it now is */
        for (int a = 0; a < list->count; a++)
            for (int m = 0; m < N; m++)
                fixed[a][m] = !free[a] || ts_fit_stuck(&list->item[a], m, p->step->vector[a * N + m], &p->fit->bounds);
        const ts_fit_list old = *list;
        bool better = false;
        for (int attempt = 0; attempt < 4 && !better; attempt++) {
            solve(p, free, (const bool(*)[N])fixed, damping);
            for (int a = 0; a < list->count; a++)
                if (free[a])
                    ts_fit_move(&list->item[a], p->step->x + a * N, &p->fit->bounds);
            refresh(p);
            cost = cost_of(p);
            better = cost < before;
            damping = better ? fmax(0.3 * damping, 1e-7) : 10 * damping;
            if (!better)
                *list = old;
        }
        if (!better) {
            refresh(p);
            return cost_of(p);
        }
        if (before - cost < 1e-4 * before)
            break;
    }
    return cost;
}
