/* SPDX-License-Identifier: MIT */
/* What sweeps leave. Where something heavy lies on something light, each sweep takes a thousandth of what is left, so
 * sweeps end long before contacts have stopped closing, and the light body is pressed through the floor. How far they are
 * shows in the rates: islands in which a contact still closes, or presses and opens, at 0.1% of the fastest rate begin
 * again. Small ones are resolved exactly with friction (impact_stagger.c); in large ones accelerated sweeps go on
 * (impact_sweeps.c). */
#include <math.h>
#include <string.h>

#include "dynamics/impact_memory.h"

/* Of the fastest rate of an island: what sweeps may leave; of a large one, where going on is dear, what they may, and how
 * near they then have to come. */
static const double left_most = 1e-3, left_large = TS_IMPACT_TOLD, onward_least = 5e-3;
/* Contacts of an island that is resolved exactly: that takes the cube of them, a sweep takes each once. */
static const double exact_most = 100;
/* Rounds of normals and friction. */
static const uint64_t exact_rounds = 3;
/* Sweeps that go on, over those that there were. */
static const uint64_t onward_factor = 50;

/* Of an island, at the number of its root; in the end `OFF` says how it begins again. */
enum { OFF, FASTEST, CONTACTS, EACH };
enum { STAYS, EXACTLY, ONWARD };

/* Fills `of` for each island, from w before and after, which contain the flight. */
static void judge(const ts_impact_scratch *m, const ts_impact *impact, const double *before, double *of)
{
    const ts_rows *n = impact->rows;
    memset(of, 0, EACH * m->blocks * sizeof *of);
    for (size_t k = 0; k < n->count; k++) {
        const int32_t block = ts_impact_mover(n, k);
        if (block < 0)
            continue;
        double *own = of + EACH * (size_t)m->work->root.item[block];
        const double rate = ts_rows_rate(n, k, impact->w) + ts_impact_room(impact, k);
        own[OFF] = fmax(own[OFF], impact->lambda[k] > 0 ? fabs(rate) : -rate);
        own[FASTEST] = fmax(own[FASTEST], fabs(ts_rows_rate(n, k, before)));
        own[CONTACTS]++;
    }
}

/* How islands begin again; counts those of each way. */
static void choose(const ts_impact_scratch *m, double *of, size_t islands[3])
{
    for (size_t i = 0; i < m->blocks; i++) {
        double *own = of + EACH * i;
        const bool small = own[CONTACTS] <= exact_most;
        const bool stays = own[OFF] <= (small ? left_most : left_large) * own[FASTEST];
        const int how = stays ? STAYS : small ? EXACTLY : ONWARD;
        own[OFF] = how;
        islands[how] += own[CONTACTS] > 0;
    }
}

/* Rows of the chosen contacts: those of `from`, packed into `to`. */
static double *pack(const ts_impact_scratch *m, size_t each, const double *from, double *to)
{
    for (size_t i = 0; i < m->left.count; i++)
        memcpy(to + each * i, from + each * (size_t)m->left.item[i], each * sizeof *to);
    return to + each * m->left.count;
}

static void unpack(const ts_impact_scratch *m, const double *from, double *to)
{
    for (size_t i = 0; i < m->left.count; i++)
        to[m->left.item[i]] = from[i];
}

static ts_status list_left(ts_impact_scratch *m, const double *of, int how, ts_error *error)
{
    TS_TRY(ts_array_reserve(&m->left, m->count, error));
    TS_TRY(ts_array_reserve(&m->left_a, m->count, error));
    TS_TRY(ts_array_reserve(&m->left_b, m->count, error));
    m->left.count = 0;
    const ts_rows n = ts_impact_normals(m);
    for (size_t k = 0; k < m->count; k++) {
        const int32_t block = ts_impact_mover(&n, k);
        if (block < 0 || of[EACH * (size_t)m->work->root.item[block] + OFF] != how)
            continue;
        m->left_a.item[m->left.count] = n.a[k];
        m->left_b.item[m->left.count] = n.b[k];
        m->left.item[m->left.count++] = (int32_t)k;
    }
    return ts_array_reserve(&m->left_number, m->left.count * (6 * (size_t)m->dof + 10), error);
}

/* Rows of one direction: three arrays, one after the other. */
static ts_rows packed_rows(const ts_impact_scratch *m, const ts_rows *all, double **at)
{
    const size_t dof = (size_t)m->dof;
    ts_rows rows = *all;
    rows.count = m->left.count;
    rows.a = m->left_a.item;
    rows.b = m->left_b.item;
    rows.ga = *at;
    *at = pack(m, dof, all->ga, *at);
    rows.gb = *at;
    *at = pack(m, dof, all->gb, *at);
    rows.drift = *at;
    *at = pack(m, 1, all->drift, *at);
    return rows;
}

static ts_status solve_left(ts_impact_scratch *m, const ts_impact_options *options, const ts_impact_friction *friction,
                            int how, ts_error *error)
{
    const ts_rows all = ts_impact_normals(m);
    double *at = m->left_number.item;
    const ts_rows normal = packed_rows(m, &all, &at), tangent = packed_rows(m, friction->tangent, &at);
    ts_rows across = normal;
    ts_impact_options exactly = *options;
    ts_impact_report report;
    if (friction->across)
        across = packed_rows(m, friction->across, &at);
    double *mu = at, *room, *wait, *lambda, *z, *z_across;
    room = pack(m, 1, friction->mu, mu);
    wait = pack(m, 1, m->room.item, room);
    lambda = pack(m, 1, m->wait.item, wait);
    z = pack(m, 1, m->lambda.item, lambda);
    z_across = pack(m, 1, m->rub.item, z);
    if (friction->across)
        pack(m, 1, friction->z_across, z_across);
    const ts_impact_friction rub = {.tangent = &tangent,
                                    .mu = mu,
                                    .z = z,
                                    .rounds_max = exact_rounds,
                                    .warm = true,
                                    .across = friction->across ? &across : NULL,
                                    .z_across = friction->across ? z_across : NULL};
    exactly.nearly = false;
    exactly.wait = exactly.wait ? wait : NULL;
    exactly.room = exactly.room ? room : NULL;
    const ts_impact left = {&normal, &exactly, m->work, m->w.item, lambda, &report};
    if (how == EXACTLY)
        TS_TRY(ts_impact_stagger_inelastic(&left, &rub, error));
    else
        TS_TRY(ts_impact_sweep_onward(&left, &rub, onward_factor * friction->rounds_max, onward_least, error));
    unpack(m, lambda, m->lambda.item);
    unpack(m, z, m->rub.item);
    if (friction->across)
        unpack(m, z_across, friction->z_across);
    ts_impact_add_report(&m->report, &report);
    return TS_OK;
}

/* The islands that begin again in this way, from the velocities before. */
static ts_status begin_again(ts_impact_scratch *m, const ts_impact_options *options, const ts_impact_friction *friction,
                             int how, ts_error *error)
{
    const ts_rows n = ts_impact_normals(m);
    const size_t dof = (size_t)m->dof;
    const double *of = m->held.item;
    double *kept = m->held_rub.item;
    TS_TRY(ts_impact_find_islands(m->work, &n, error)); /* the ways before have found their own */
    TS_TRY(list_left(m, of, how, error));
    memcpy(kept, m->w.item, dof * m->blocks * sizeof *kept);
    for (size_t i = 0; i < m->blocks; i++)
        if (of[EACH * (size_t)m->work->root.item[i] + OFF] == how)
            memcpy(m->w.item + dof * i, m->before.item + dof * i, dof * sizeof *kept);
    TS_TRY(solve_left(m, options, friction, how, error));
    for (size_t i = 0; i < m->blocks; i++) /* what is not of these islands was added to and taken from */
        if (of[EACH * (size_t)m->work->root.item[i] + OFF] != how)
            memcpy(m->w.item + dof * i, kept + dof * i, dof * sizeof *kept);
    return TS_OK;
}

ts_status ts_impact_settle_left(ts_impact_scratch *m, const ts_impact_options *options,
                                const ts_impact_friction *friction, ts_error *error)
{
    const ts_rows n = ts_impact_normals(m);
    const ts_impact impact = {&n, options, m->work, m->w.item, m->lambda.item, &m->report};
    const size_t dof = (size_t)m->dof;
    double *kept = m->held_rub.item; /* this and m->held are scratch until the end of the step */
    size_t islands[3] = {0};
    TS_TRY(ts_impact_find_islands(m->work, &n, error));
    ts_impact_add_flight(&impact, 1, m->before.item);
    memcpy(kept, m->w.item, dof * m->blocks * sizeof *kept);
    ts_impact_add_flight(&impact, 1, m->w.item);
    judge(m, &impact, m->before.item, m->held.item);
    memcpy(m->w.item, kept, dof * m->blocks * sizeof *kept);
    ts_impact_add_flight(&impact, -1, m->before.item);
    choose(m, m->held.item, islands);
    /* what stays is near enough; the others tell for themselves */
    m->report.disagreement = 0;
    m->report.disagreed = false;
    for (int how = EXACTLY; how <= ONWARD; how++)
        if (islands[how] > 0)
            TS_TRY(begin_again(m, options, friction, how, error));
    m->report.disagreed &= m->report.disagreement >= TS_IMPACT_TOLD;
    return TS_OK;
}
