/* SPDX-License-Identifier: MIT */
/* How forces are distributed, and the chains that carry the strong ones.
 *
 * A chain, after Radjai et al. (strong network) and Peters et al. (quasi-linear): grains joined by links that push with
 * more than the mean. At a grain two such links continue each other when each is the straightest continuation of the
 * other and the way turns by less than the deflection. That is symmetric and needs no order of looking; each link
 * continues in at most one other at each end, so chains are paths, or rings, without branches.
 *
 *        ○──○                  the strong links of a grain: the way from the left goes on to the right; the third one
 *            ╲ turn            begins another chain, or none
 *             ○──○──○ ⋯ */
#include <math.h>

#include "base/given.h"
#include "base/memory.h"
#include "base/vec.h"
#include "measure/edges.h"
#include "measure/links.h"
#include "solve/union_find.h"

static const double nothing = (double)NAN;

/* ---- Distribution ---- */

typedef struct chosen {
    const ts_snapshot *snapshot;
    const ts_region *region; /* NULL: all */
} chosen;

/* The normal force of contact k, or 0 when it does not count. */
static double force_of(const chosen *from, size_t k)
{
    const ts_snapshot *s = from->snapshot;
    const ts_contact *contact = &s->contact[k];
    if (!s->has_contacts)
        return 0;
    bool grain = (contact->a >= 0 && ts_is_grain(&s->body[contact->a])) ||
                 (contact->b >= 0 && ts_is_grain(&s->body[contact->b]));
    double point[3];
    ts_contact_point(contact, point);
    if (!grain || (from->region && !ts_region_holds(s, from->region, point)))
        return 0;
    return fmax(ts_normal_force(contact), 0);
}

static ts_forces distribution(const chosen *from)
{
    size_t n = from->snapshot->contact_count, strong = 0;
    ts_forces f = {.mean = nothing,
                   .largest = nothing,
                   .spread = nothing,
                   .strong_share = nothing,
                   .tail = nothing,
                   .tail_error = nothing};
    double sum = 0, largest = 0, squares = 0, excess = 0;
    for (size_t k = 0; k < n; k++) {
        double force = force_of(from, k);
        f.count += force > 0;
        sum += force;
        largest = fmax(largest, force);
    }
    if (f.count == 0)
        return f;
    f.mean = sum / (double)f.count;
    f.largest = largest;
    for (size_t k = 0; k < n; k++) {
        double force = force_of(from, k);
        if (!(force > 0))
            continue;
        double ratio = force / f.mean;
        squares += (ratio - 1) * (ratio - 1);
        if (force > f.mean) {
            strong++;
            excess += ratio - 1;
        }
    }
    f.spread = sqrt(squares / (double)f.count);
    f.strong_share = (double)strong / (double)f.count;
    /* P ∝ exp(−β (f/⟨f⟩ − 1)) beyond ⟨f⟩: the likelihood is largest at 1/β = mean of f/⟨f⟩ − 1 */
    if (strong > 0 && excess > 0) {
        f.tail = (double)strong / excess;
        f.tail_error = f.tail / sqrt((double)strong);
    }
    return f;
}

ts_status ts_measure_forces(const ts_snapshot *snapshot, const ts_region *given, ts_forces *out, ts_error *error)
{
    TS_GIVEN(out, "forces", error);
    ts_region region;
    TS_TRY(ts_region_given(snapshot, given, &region, error));
    *out = distribution(&(chosen){snapshot, given ? &region : NULL});
    return TS_OK;
}

ts_status ts_measure_force_histogram(const ts_snapshot *snapshot, const ts_region *given, double most, size_t bin_count,
                                     double *density, ts_error *error)
{
    TS_GIVEN(density, "histogram of forces", error);
    ts_region region;
    if (bin_count < 1 || !(most > 0) || !isfinite(most))
        return ts_fail(error, TS_BAD_INPUT, "a histogram of forces needs at least one bin and a positive width");
    TS_TRY(ts_region_given(snapshot, given, &region, error));
    chosen from = {snapshot, given ? &region : NULL};
    ts_forces f = distribution(&from);
    double width = most / (double)bin_count;
    for (size_t k = 0; k < bin_count; k++)
        density[k] = f.count ? 0 : nothing;
    for (size_t k = 0; k < snapshot->contact_count; k++) {
        double force = force_of(&from, k), bin = floor(force / f.mean / width);
        if (force > 0 && bin < (double)bin_count)
            density[(size_t)bin] += 1 / ((double)f.count * width);
    }
    return TS_OK;
}

/* ---- Chains ---- */

typedef struct network {
    const ts_snapshot *snapshot;
    const ts_region *region; /* NULL: all grains */
    ts_link *link;           /* the strong ones, between grains */
    size_t count;            /* of them */
    size_t *begin;           /* strong links at body i: at[begin[i]] … at[begin[i + 1] - 1] */
    size_t *at;              /* their numbers */
    int32_t *parent;         /* groups of bodies, then of links */
    size_t *size;            /* of a group */
    uint8_t *member;         /* bodies that are in a chain */
    uint32_t *joint;         /* continuations within a group of links */
} network;

static void free_network(network *net)
{
    ts_free(net->link);
    ts_free(net->begin);
    ts_free(net->at);
    ts_free(net->parent);
    ts_free(net->size);
    ts_free(net->member);
    ts_free(net->joint);
}

/* Leaves the links between grains of the region that push with more than the mean of such links. */
static double keep_strong(network *net)
{
    const ts_snapshot *s = net->snapshot;
    size_t grains = 0, strong = 0;
    double sum = 0;
    for (size_t k = 0; k < net->count; k++) {
        const ts_link *link = &net->link[k];
        if (link->a >= 0 && ts_counts(s, net->region, (size_t)link->a) && ts_counts(s, net->region, (size_t)link->b) &&
            link->normal > 0) {
            sum += link->normal;
            net->link[grains++] = *link;
        }
    }
    double mean = grains ? sum / (double)grains : nothing;
    for (size_t k = 0; k < grains; k++)
        if (net->link[k].normal > mean)
            net->link[strong++] = net->link[k];
    net->count = strong;
    return mean;
}

static ts_status index_links(network *net, ts_error *error)
{
    size_t n = net->snapshot->body_count, groups = (n > net->count ? n : net->count) + 1;
    TS_TRY(ts_new(&net->begin, n + 2, error));
    TS_TRY(ts_new_raw(&net->at, 2 * net->count + 1, error));
    TS_TRY(ts_new_raw(&net->parent, groups, error));
    TS_TRY(ts_new(&net->size, groups, error));
    TS_TRY(ts_new(&net->member, n + 1, error));
    TS_TRY(ts_new(&net->joint, net->count + 1, error));
    for (size_t k = 0; k < net->count; k++) {
        net->begin[net->link[k].a + 2]++;
        net->begin[net->link[k].b + 2]++;
    }
    for (size_t i = 2; i < n + 2; i++)
        net->begin[i] += net->begin[i - 1];
    for (size_t k = 0; k < net->count; k++) {
        net->at[net->begin[net->link[k].a + 1]++] = k;
        net->at[net->begin[net->link[k].b + 1]++] = k;
    }
    return TS_OK;
}

/* Connected pieces of the strong network. */
static void find_clusters(network *net, ts_chains *out)
{
    size_t n = net->snapshot->body_count;
    for (size_t i = 0; i < n; i++)
        net->parent[i] = (int32_t)i;
    for (size_t k = 0; k < net->count; k++)
        ts_unite(net->parent, (int32_t)net->link[k].a, (int32_t)net->link[k].b);
    for (size_t i = 0; i < n; i++)
        net->size[ts_root_of(net->parent, (int32_t)i)]++;
    for (size_t i = 0; i < n; i++) {
        if (net->size[i] >= 3)
            out->clusters++;
        if (net->size[i] >= 2 && net->size[i] > out->largest)
            out->largest = net->size[i];
        net->size[i] = 0;
    }
}

/* Unit vector from body i along link k. */
static ts_vec3 away(const network *net, size_t i, size_t k)
{
    const ts_link *link = &net->link[k];
    const ts_snapshot_body *from = &net->snapshot->body[i],
                           *to = &net->snapshot->body[(size_t)link->a == i ? link->b : link->a];
    const ts_vec3 d = {to->position[0] - from->position[0], to->position[1] - from->position[1],
                       to->position[2] - from->position[2]};
    const double length = ts_vec3_length(d);
    return length > 0 ? ts_vec3_scale(d, 1 / length) : (ts_vec3){0, 0, 0};
}

/* Which of body i's links goes on straightest from link `from`; its cosine of the turn. */
static size_t straightest(const network *net, size_t i, size_t from, double *cosine)
{
    ts_vec3 d = away(net, i, from);
    size_t best = SIZE_MAX;
    *cosine = -2;
    for (size_t k = net->begin[i]; k < net->begin[i + 1]; k++) {
        ts_vec3 e = away(net, i, net->at[k]);
        double c = -ts_vec3_dot(d, e);
        if (net->at[k] != from && c > *cosine) {
            *cosine = c;
            best = net->at[k];
        }
    }
    return best;
}

static void join_links(network *net, double deflection)
{
    double least = cos(deflection), cosine, back;
    for (size_t k = 0; k < net->count; k++)
        net->parent[k] = (int32_t)k;
    for (size_t i = 0; i < net->snapshot->body_count; i++)
        for (size_t k = net->begin[i]; k < net->begin[i + 1]; k++) {
            size_t one = net->at[k], other = straightest(net, i, one, &cosine);
            if (other == SIZE_MAX || other < one || !(cosine > least) || straightest(net, i, other, &back) != one)
                continue;
            ts_unite(net->parent, (int32_t)one, (int32_t)other);
            net->joint[one]++; /* gathered for the whole group below */
        }
}

static void count_chains(network *net, ts_chains *out)
{
    size_t grains = 0, members = 0, sum = 0;
    for (size_t k = 0; k < net->count; k++) {
        size_t group = (size_t)ts_root_of(net->parent, (int32_t)k);
        net->size[group]++;
        if (group != k)
            net->joint[group] += net->joint[k];
    }
    for (size_t k = 0; k < net->count; k++) {
        size_t links = net->size[ts_root_of(net->parent, (int32_t)k)];
        if (links >= 2)
            net->member[net->link[k].a] = net->member[net->link[k].b] = 1;
        if (net->parent[k] != (int32_t)k || links < 2)
            continue;
        size_t length = links + (net->joint[k] < links); /* a ring has as many grains as links */
        out->count++;
        sum += length;
        out->longest = length > out->longest ? length : out->longest;
    }
    for (size_t i = 0; i < net->snapshot->body_count; i++) {
        grains += ts_counts(net->snapshot, net->region, i);
        members += net->member[i];
    }
    out->mean_length = out->count ? (double)sum / (double)out->count : nothing;
    out->member_share = grains ? (double)members / (double)grains : nothing;
}

ts_status ts_measure_chains(const ts_snapshot *snapshot, const ts_region *given, double deflection, ts_chains *out,
                            ts_error *error)
{
    TS_GIVEN(out, "force chains", error);
    ts_region region;
    TS_TRY(ts_region_given(snapshot, given, &region, error));
    network net = {.snapshot = snapshot, .region = given ? &region : NULL};
    ts_chains chains = {.threshold = nothing, .mean_length = nothing, .member_share = nothing};
    *out = chains;
    if (!snapshot->has_contacts)
        return TS_OK;
    TS_TRY(ts_links_make(snapshot, &net.link, &net.count, error));
    chains.threshold = keep_strong(&net);
    ts_status status = index_links(&net, error);
    if (status == TS_OK) {
        find_clusters(&net, &chains);
        join_links(&net, deflection > 0 ? deflection : TS_PI / 4);
        count_chains(&net, &chains);
        *out = chains;
    }
    free_network(&net);
    return status;
}
