/* SPDX-License-Identifier: MIT */
/* Contacts and gradients of many poses, by as many as there is room for at a time. */
#include <math.h>
#include <string.h>

#include "cli/manifold.h"

/* Contacts that are held at a time [bytes], and poses at most. */
#define HELD_BYTES ((size_t)128 << 20)
#define HELD_MOST  4096

/* Numbers of a contact: point, gap, normal, weight, indicators; and adjoints of gap and weight. */
enum { PER_CONTACT = 3 + 1 + 3 + 1 + 4 + 2 };

/* ---- Memory ---- */

static size_t held_most(const ts_manifold_answers *all)
{
    const size_t each = all->counts.all * PER_CONTACT * sizeof(double), room = HELD_BYTES / (each > 0 ? each : 1);
    size_t most = room < HELD_MOST ? room : HELD_MOST;
    most = most < all->pose.count ? most : all->pose.count;
    return most > 0 ? most : 1;
}

static ts_status make_room(ts_manifold_answers *all, ts_error *error)
{
    const size_t poses = held_most(all), n = poses * all->counts.all;
    TS_TRY(ts_new(&all->memory, n * PER_CONTACT + 1, error));
    TS_TRY(ts_new(&all->pose_a, poses, error));
    TS_TRY(ts_new(&all->pose_b, poses, error));
    TS_TRY(ts_new(&all->bar_a, poses, error));
    TS_TRY(ts_new(&all->bar_b, poses, error));
    TS_TRY(ts_new(&all->summary, all->pose.count, error));
    double *at = all->memory;
    all->contact = (ts_manifold_contacts){.point = (double(*)[3])at,
                                          .gap = at + 3 * n,
                                          .normal = (double(*)[3])(at + 4 * n),
                                          .weight = at + 7 * n,
                                          .indicator = (double(*)[4])(at + 8 * n)};
    all->bar = (ts_manifold_contacts){.gap = at + 12 * n, .weight = at + 13 * n};
    return TS_OK;
}

void ts_manifold_answers_free(ts_manifold_answers *all)
{
    ts_manifold_team_free(all->team);
    ts_manifold_free(all->manifold);
    ts_array_free(&all->pose);
    ts_free(all->summary);
    ts_free(all->memory);
    ts_free(all->pose_a);
    ts_free(all->pose_b);
    ts_free(all->bar_a);
    ts_free(all->bar_b);
}

/* ---- Contacts ---- */

ts_status ts_manifold_hold(ts_manifold_answers *all, size_t first, ts_error *error)
{
    const size_t most = held_most(all), left = all->pose.count - first;
    if (all->held > 0 && all->first == first)
        return TS_OK;
    all->held = 0;
    const size_t count = left < most ? left : most;
    for (size_t i = 0; i < count; i++) {
        all->pose_a[i] = all->pose.item[first + i].a;
        all->pose_b[i] = all->pose.item[first + i].b;
    }
    const ts_manifold_batch batch = {.count = count, .a = all->pose_a, .b = all->pose_b, .to = all->contact};
    TS_TRY(ts_manifold_find_batch(all->team, &batch, error));
    all->first = first;
    all->held = count;
    return TS_OK;
}

ts_manifold_contacts ts_manifold_held(const ts_manifold_answers *all, size_t pose)
{
    const size_t at = (pose - all->first) * all->counts.all;
    const ts_manifold_contacts *c = &all->contact;
    return (ts_manifold_contacts){c->point + at, c->gap + at, c->normal + at, c->weight + at, c->indicator + at};
}

/* Contacts of less weight have gaps that mean nothing: of edges on far sides of both bodies, for one. */
static ts_manifold_summary summary_of(const ts_manifold_contacts *c, const ts_manifold_counts *counts)
{
    const size_t count = counts->all, vertices = counts->vertices[0] + counts->vertices[1];
    ts_manifold_summary s = {.least = (double)NAN};
    for (size_t i = 0; i < count; i++) {
        const double overlap = fmin(c->gap[i], 0);
        if (c->weight[i] >= TS_MANIFOLD_WEIGHT_SEEN)
            s.least = fmin(s.least, c->gap[i]);
        s.weight += c->weight[i];
        s.edge_weight += i < vertices ? 0 : c->weight[i];
        s.inside += i < vertices && c->gap[i] < 0;
        s.mean_gap += c->weight[i] * c->gap[i];
        s.energy += 0.5 * c->weight[i] * overlap * overlap;
    }
    s.mean_gap /= s.weight;
    return s;
}

/* ---- Gradients ---- */

/* Adjoints of the held contacts for the gradient of what is asked for. */
static void set_bars(ts_manifold_answers *all)
{
    const size_t each = all->counts.all;
    for (size_t i = 0; i < all->held * each; i++) {
        const ts_manifold_summary *s = &all->summary[all->first + i / each];
        const double gap = all->contact.gap[i], weight = all->contact.weight[i], overlap = fmin(gap, 0);
        const bool energy = all->wish->of == TS_OF_ENERGY;
        all->bar.gap[i] = energy ? weight * overlap : weight / s->weight;
        all->bar.weight[i] = energy ? 0.5 * overlap * overlap : (gap - s->mean_gap) / s->weight;
    }
}

static ts_status find_gradients(ts_manifold_answers *all, ts_error *error)
{
    set_bars(all);
    const ts_manifold_batch batch = {.count = all->held,
                                     .a = all->pose_a,
                                     .b = all->pose_b,
                                     .bar = &all->bar,
                                     .smoothing = &all->gradient_smoothing,
                                     .bar_a = all->bar_a,
                                     .bar_b = all->bar_b};
    TS_TRY(ts_manifold_find_batch(all->team, &batch, error));
    for (size_t i = 0; i < all->held; i++) {
        all->summary[all->first + i].bar_a = all->bar_a[i];
        all->summary[all->first + i].bar_b = all->bar_b[i];
    }
    return TS_OK;
}

ts_status ts_manifold_answer(ts_manifold_answers *all, ts_error *error)
{
    const ts_smooth *a = all->subject[0].body, *b = all->subject[1].body;
    TS_TRY(ts_manifold_create(a, b, &all->options, &all->manifold, error));
    TS_TRY(ts_manifold_team_create(all->manifold, (int)all->wish->threads, &all->team, error));
    all->counts = ts_manifold_get_counts(all->manifold);
    all->options = ts_manifold_get_options(all->manifold);
    TS_TRY(make_room(all, error));
    for (size_t first = 0; first < all->pose.count; first += all->held) {
        TS_TRY(ts_manifold_hold(all, first, error));
        for (size_t i = first; i < first + all->held; i++) {
            const ts_manifold_contacts c = ts_manifold_held(all, i);
            all->summary[i] = summary_of(&c, &all->counts);
        }
        if (all->wish->gradient)
            TS_TRY(find_gradients(all, error));
    }
    return ts_manifold_hold(all, 0, error);
}
