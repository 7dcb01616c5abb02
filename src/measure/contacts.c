/* SPDX-License-Identifier: MIT */
/* Coordination, stress and fabric: sums over contacts. */
#include <math.h>
#include <string.h>

#include "base/given.h"
#include "base/memory.h"
#include "base/vec.h"
#include "measure/edges.h"
#include "measure/links.h"
#include "measure/motion.h"
#include "measure/profile.h"

static const double nothing = (double)NAN;

static bool is_grain(const ts_snapshot *snapshot, int64_t id)
{
    return id >= 0 && ts_is_grain(&snapshot->body[id]);
}

/* ---- Coordination ---- */

typedef struct counting {
    const ts_snapshot *snapshot;
    uint32_t *degree;   /* contact points of each grain that are left */
    bool *gone;         /* rattlers */
    size_t *begin;      /* contacts of body i: end[begin[i]] … */
    size_t *end;        /* the body on the other side, or none */
    size_t *queue;      /* rattlers whose contacts are to be taken away */
    size_t queue_count; /* of them */
} counting;

static const size_t none = SIZE_MAX;

static ts_status make_counting(counting *c, const ts_snapshot *s, ts_error *error)
{
    size_t n = s->body_count;
    *c = (counting){.snapshot = s};
    TS_TRY(ts_new(&c->degree, n + 1, error));
    TS_TRY(ts_new(&c->gone, n + 1, error));
    TS_TRY(ts_new(&c->begin, n + 2, error));
    TS_TRY(ts_new_raw(&c->end, 2 * s->contact_count + 1, error));
    TS_TRY(ts_new_raw(&c->queue, n + 1, error));
    /* each side of a contact goes to its body; begin[i + 1] is moved along and ends where body i's end */
    for (size_t k = 0; k < s->contact_count; k++)
        for (int side = 0; side < 2; side++) {
            int64_t id = side ? s->contact[k].b : s->contact[k].a;
            if (is_grain(s, id))
                c->begin[id + 2]++;
        }
    for (size_t i = 2; i < n + 2; i++)
        c->begin[i] += c->begin[i - 1];
    for (size_t k = 0; k < s->contact_count; k++)
        for (int side = 0; side < 2; side++) {
            int64_t id = side ? s->contact[k].b : s->contact[k].a, other = side ? s->contact[k].a : s->contact[k].b;
            if (is_grain(s, id)) {
                c->end[c->begin[id + 1]++] = is_grain(s, other) ? (size_t)other : none;
                c->degree[id]++;
            }
        }
    return TS_OK;
}

static void free_counting(counting *c)
{
    ts_free(c->degree);
    ts_free(c->gone);
    ts_free(c->begin);
    ts_free(c->end);
    ts_free(c->queue);
}

static void drop_if_loose(counting *c, size_t i, uint32_t least)
{
    if (!c->gone[i] && ts_is_grain(&c->snapshot->body[i]) && c->degree[i] < least) {
        c->gone[i] = true;
        c->queue[c->queue_count++] = i;
    }
}

static void remove_rattlers(counting *c, uint32_t least)
{
    for (size_t i = 0; i < c->snapshot->body_count; i++)
        drop_if_loose(c, i, least);
    for (size_t at = 0; at < c->queue_count; at++) {
        size_t i = c->queue[at];
        for (size_t k = c->begin[i]; k < c->begin[i + 1]; k++) {
            size_t other = c->end[k];
            if (other == none || c->gone[other])
                continue;
            c->degree[other]--;
            drop_if_loose(c, other, least);
        }
    }
}

static ts_coordination count_contacts(counting *c, const ts_region *region, const ts_link *link, size_t link_count,
                                      uint32_t least)
{
    const ts_snapshot *s = c->snapshot;
    size_t grains = 0, left = 0;
    double contacts = 0, neighbours = 0, backbone = 0;
    for (size_t i = 0; i < s->body_count; i++)
        if (ts_counts(s, region, i)) {
            grains++;
            contacts += c->degree[i];
        }
    for (size_t k = 0; k < link_count; k++)
        neighbours += (link[k].a >= 0 && ts_counts(s, region, (size_t)link[k].a)) +
                      (link[k].b >= 0 && ts_counts(s, region, (size_t)link[k].b));
    remove_rattlers(c, least);
    for (size_t i = 0; i < s->body_count; i++)
        if (ts_counts(s, region, i) && !c->gone[i]) {
            left++;
            backbone += c->degree[i];
        }
    double n = (double)grains;
    return (ts_coordination){
        .contacts = grains ? contacts / n : nothing,
        .neighbours = grains ? neighbours / n : nothing,
        .backbone = left ? backbone / (double)left : nothing,
        .rattlers = grains ? (double)(grains - left) / n : nothing,
    };
}

ts_status ts_measure_coordination(const ts_snapshot *snapshot, const ts_region *given, int least, ts_coordination *out,
                                  ts_error *error)
{
    TS_GIVEN(out, "coordination", error);
    ts_region region;
    *out = (ts_coordination){nothing, nothing, nothing, nothing};
    TS_TRY(ts_region_given(snapshot, given, &region, error));
    if (!snapshot->has_contacts)
        return TS_OK;
    counting c;
    ts_link *link = NULL;
    size_t link_count = 0;
    ts_status status = make_counting(&c, snapshot, error);
    if (status == TS_OK)
        status = ts_links_make(snapshot, &link, &link_count, error);
    if (status == TS_OK)
        *out = count_contacts(&c, given ? &region : NULL, link, link_count, least > 0 ? (uint32_t)least : 2);
    ts_free(link);
    free_counting(&c);
    return status;
}

/* ---- Stress ---- */

/* A box one of whose upper edges may belong to the next slice: as ts_bin_of puts a point on the border of two slices
 * into the second, and as ts_region_holds has the edges of a whole region in it. */
typedef struct part {
    ts_region box;
    bool open[3]; /* the upper edge along each axis */
} part;

/* Share of the segment p → q that lies in the part (Liang and Barsky's clipping). */
static double share_inside(const ts_snapshot *s, const part *in, const double p[3], const double q[3])
{
    double enter = 0, leave = 1;
    for (int i = 0; i < ts_dimension_of(s); i++) {
        const double low = ts_region_low(&in->box, i), high = ts_region_high(&in->box, i), along = q[i] - p[i];
        if (along == 0) {
            if (p[i] < low || p[i] > high || (in->open[i] && p[i] == high))
                return 0;
            continue;
        }
        double a = (low - p[i]) / along, b = (high - p[i]) / along;
        enter = fmax(enter, fmin(a, b));
        leave = fmin(leave, fmax(a, b));
    }
    return fmax(leave - enter, 0);
}

/* From a grain's side of a contact: its centre; from a wall's: the contact point. */
static void branch_end(const ts_snapshot *s, const ts_contact *contact, int64_t id, double end[3])
{
    if (is_grain(s, id))
        memcpy(end, s->body[id].position, 3 * sizeof *end);
    else
        ts_contact_point(contact, end);
}

/* `in` NULL: every contact counts whole. */
static void add_contact_stress(const ts_snapshot *s, const part *in, ts_stress *out)
{
    for (size_t k = 0; k < s->contact_count; k++) {
        const ts_contact *contact = &s->contact[k];
        double p[3], q[3];
        if (!is_grain(s, contact->a) && !is_grain(s, contact->b))
            continue;
        branch_end(s, contact, contact->a, p);
        branch_end(s, contact, contact->b, q);
        double share = in ? share_inside(s, in, p, q) : 1;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                out->contact[i][j] += share * contact->force[i] * (q[j] - p[j]);
    }
}

/* Turns a symmetric matrix about its axes i and j so that its element ij vanishes; `axes` turns along (its columns). */
static void rotate(double m[3][3], double axes[3][3], int i, int j)
{
    if (m[i][j] == 0)
        return;
    double theta = 0.5 * atan2(2 * m[i][j], m[i][i] - m[j][j]), c = cos(theta), s = sin(theta);
    for (int k = 0; k < 3; k++) {
        double a = m[k][i], b = m[k][j];
        m[k][i] = c * a + s * b;
        m[k][j] = c * b - s * a;
        a = axes[k][i];
        b = axes[k][j];
        axes[k][i] = c * a + s * b;
        axes[k][j] = c * b - s * a;
    }
    for (int k = 0; k < 3; k++) {
        double a = m[i][k], b = m[j][k];
        m[i][k] = c * a + s * b;
        m[j][k] = c * b - s * a;
    }
}

/* Largest and smallest principal value of the symmetric part of a tensor, and the unit vector of the largest (Jacobi's
 * method: each round squares what is left beside the diagonal). Of the two directions it is the one whose largest
 * component is positive, so that it does not flip from frame to frame. NaN where the tensor is not known. */
static void find_principal(const double tensor[3][3], double value[2], double direction[3])
{
    double m[3][3], axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int most = 0, least = 0;
    for (int i = 0; i < 9; i++)
        m[i / 3][i % 3] = 0.5 * (tensor[i / 3][i % 3] + tensor[i % 3][i / 3]);
    for (int round = 0; round < 12; round++) {
        rotate(m, axes, 0, 1);
        rotate(m, axes, 0, 2);
        rotate(m, axes, 1, 2);
    }
    for (int k = 1; k < 3; k++) {
        most = m[k][k] > m[most][most] ? k : most;
        least = m[k][k] < m[least][least] ? k : least;
    }
    value[0] = m[most][most];
    value[1] = m[least][least];
    int largest = 0;
    for (int k = 1; k < 3; k++)
        largest = fabs(axes[k][most]) > fabs(axes[largest][most]) ? k : largest;
    const double sign = axes[largest][most] < 0 ? -1 : 1;
    for (int k = 0; k < 3; k++)
        direction[k] = isnan(value[0]) ? nothing : sign * axes[k][most];
}

void ts_stress_in_plane(ts_stress *s)
{
    double half = 0.5 * (s->contact[0][0] - s->contact[1][1]);
    double shear = 0.5 * (s->contact[0][1] + s->contact[1][0]);
    s->pressure = 0.5 * (s->contact[0][0] + s->contact[1][1]);
    s->deviator = sqrt(half * half + shear * shear);
    s->principal_axis = 0.5 * atan2(shear, half);
    s->direction[0] = cos(s->principal_axis);
    s->direction[1] = sin(s->principal_axis);
}

void ts_stress_in_space(ts_stress *s)
{
    double value[2];
    find_principal((const double(*)[3])s->contact, value, s->direction);
    s->pressure = (s->contact[0][0] + s->contact[1][1] + s->contact[2][2]) / 3;
    s->deviator = 0.5 * (value[0] - value[1]);
    s->principal_axis = nothing;
}

static ts_stress stress_of(const ts_snapshot *s, const part *in, double volume, const ts_fluctuation *motion)
{
    ts_stress out = {0};
    const int d = ts_dimension_of(s);
    add_contact_stress(s, in, &out);
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            out.contact[i][j] = s->has_contacts && volume > 0 ? out.contact[i][j] / volume : nothing;
            out.kinetic[i][j] = volume > 0 ? ts_momentum_flux(motion, i, j) / volume : nothing;
        }
    ts_kind_of(s)->principal(&out);
    return out;
}

ts_status ts_stress_about(const ts_snapshot *snapshot, const ts_bins *bins, ts_stress *out, ts_error *error)
{
    ts_region region;
    ts_fluctuation motion;
    TS_TRY(ts_bins_given(snapshot, bins, &region, error));
    TS_TRY(ts_fluctuations(snapshot, bins, NULL, &motion, error));
    part in = {.box = region};
    *out = stress_of(snapshot, bins->region ? &in : NULL, ts_region_volume(snapshot, &region), &motion);
    return TS_OK;
}

ts_status ts_measure_stress(const ts_snapshot *snapshot, const ts_region *given, ts_stress *out, ts_error *error)
{
    TS_GIVEN(out, "stress", error);
    ts_region region;
    TS_TRY(ts_region_given(snapshot, given, &region, error));
    ts_bins bins = ts_bins_of(snapshot, &(ts_measure_options){.region = given}, false);
    return ts_stress_about(snapshot, &bins, out, error);
}

ts_status ts_measure_stress_profile(const ts_snapshot *snapshot, const ts_bins *bins, ts_stress *out, ts_error *error)
{
    TS_GIVEN(out, "stress profile", error);
    ts_region region;
    TS_TRY(ts_bins_given(snapshot, bins, &region, error));
    ts_fluctuation *slice = ts_alloc(bins->count, sizeof *slice), all;
    if (!slice)
        return ts_fail_memory(error, bins->count * sizeof *slice);
    ts_status status = ts_fluctuations(snapshot, bins, slice, &all, error);
    for (size_t k = 0; k < bins->count && status == TS_OK; k++) {
        bool last = k + 1 == bins->count;
        part in = {.box = ts_bin_region(snapshot, &region, bins, k)};
        in.open[ts_bin_axis(snapshot, bins)] = !last;
        out[k] = stress_of(snapshot, &in, ts_region_volume(snapshot, &in.box), &slice[k]);
    }
    ts_free(slice);
    return status;
}

/* ---- Fabric ---- */

/* Which contacts count. */
typedef struct choice {
    const ts_region *region; /* NULL: all */
    bool walls;              /* also those of grains with walls */
} choice;

static bool contact_counts(const ts_snapshot *s, const choice *which, const ts_contact *contact)
{
    const ts_region *region = which->region;
    int grains = is_grain(s, contact->a) + is_grain(s, contact->b);
    if (grains < (which->walls ? 1 : 2) || !s->has_contacts)
        return false;
    double point[3];
    ts_contact_point(contact, point);
    return !region || ts_region_holds(s, region, point);
}

/* ∫ E(θ) n n dθ = ½ I + ¼ a (cos 2θ_a, sin 2θ_a; sin 2θ_a, −cos 2θ_a) */
void ts_fabric_in_plane(ts_fabric *fabric)
{
    double difference = fabric->tensor[0][0] - fabric->tensor[1][1], twice = 2 * fabric->tensor[0][1];
    fabric->anisotropy = 2 * sqrt(difference * difference + twice * twice);
    fabric->axis = 0.5 * atan2(twice, difference);
    fabric->direction[0] = cos(fabric->axis);
    fabric->direction[1] = sin(fabric->axis);
}

/* ∫ E(n) n n dΩ = I/3 + 2/15 a for E(n) = (1 + a_ij n_i n_j) / 4π with a traceless a */
void ts_fabric_in_space(ts_fabric *fabric)
{
    double sum = 0, value[2];
    for (int k = 0; k < 9; k++) {
        double a = 7.5 * (fabric->tensor[k / 3][k % 3] - (k % 4 == 0 ? 1 / 3.0 : 0));
        sum += a * a;
    }
    fabric->anisotropy = sqrt(1.5 * sum);
    fabric->axis = nothing;
    find_principal((const double(*)[3])fabric->tensor, value, fabric->direction);
}

ts_status ts_measure_fabric(const ts_snapshot *snapshot, const ts_region *given, bool walls, ts_fabric *out,
                            ts_error *error)
{
    TS_GIVEN(out, "fabric", error);
    ts_region region;
    ts_fabric fabric = {0};
    TS_TRY(ts_region_given(snapshot, given, &region, error));
    choice which = {given ? &region : NULL, walls};
    for (size_t k = 0; k < snapshot->contact_count; k++) {
        const ts_contact *contact = &snapshot->contact[k];
        if (!contact_counts(snapshot, &which, contact))
            continue;
        fabric.count++;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                fabric.tensor[i][j] += contact->normal[i] * contact->normal[j];
    }
    for (int i = 0; i < ts_dimension_of(snapshot); i++)
        for (int j = 0; j < ts_dimension_of(snapshot); j++)
            fabric.tensor[i][j] = fabric.count ? fabric.tensor[i][j] / (double)fabric.count : nothing;
    *out = fabric;
    ts_kind_of(snapshot)->anisotropy(out);
    return TS_OK;
}

ts_status ts_measure_rose(const ts_snapshot *snapshot, const ts_region *given, bool walls, size_t bin_count,
                          ts_rose_bin *out, ts_error *error)
{
    TS_GIVEN(out, "rose", error);
    ts_region region;
    TS_TRY(ts_need_plane(snapshot, "a rose of normals", error));
    if (bin_count < 1)
        return ts_fail(error, TS_BAD_INPUT, "a rose of no bin was asked for; give at least one");
    TS_TRY(ts_region_given(snapshot, given, &region, error));
    choice which = {given ? &region : NULL, walls};
    double width = TS_PI / (double)bin_count, total = 0;
    for (size_t k = 0; k < bin_count; k++)
        out[k] = (ts_rose_bin){.angle = (double)k * width};
    for (size_t k = 0; k < snapshot->contact_count; k++) {
        const ts_contact *contact = &snapshot->contact[k];
        if (!contact_counts(snapshot, &which, contact))
            continue;
        double angle = atan2(contact->normal[1], contact->normal[0]); /* its opposite is n bins on: the same bin */
        long long bin = llround(angle / width) % (long long)bin_count;
        ts_rose_bin *in = &out[bin < 0 ? bin + (long long)bin_count : bin];
        in->density++;
        in->normal += ts_normal_force(contact);
        in->tangential += contact->force[1] * contact->normal[0] - contact->force[0] * contact->normal[1];
        total++;
    }
    for (size_t k = 0; k < bin_count; k++) {
        double count = out[k].density;
        out[k].normal = count > 0 ? out[k].normal / count : nothing;
        out[k].tangential = count > 0 ? out[k].tangential / count : nothing;
        out[k].density = total > 0 ? count / (total * width) : nothing;
    }
    return TS_OK;
}
