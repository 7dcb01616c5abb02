/* SPDX-License-Identifier: MIT */
#include "dynamics/soft_map.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "contact/featured.h"
#include "contact/forms.h"
#include "contact/probed.h"
#include "dynamics/soft.h"

/* Places of a pair, at most: below 64, so that their numbers are bits. */
enum { PLACES_MOST = 2 * TS_PROBED_MOST };

/* How far around a pose its map is asked, and for how much of that a pair keeps its places while it moves, as shares of
 * the smaller radius. */
static const double aside = 0.06, hold = 0.03;
/* Slopes nearer than this are those of one place: of a face that lies on a face both ends count. */
static const double one_place = 0.15;
/* Places with less slope are blends of some that push against each other: none of them. */
static const double least_slope = 0.3;
/* A place goes on as an old one whose point is nearer than this, of the smaller radius, and whose normal differs by
 * less. */
static const double same_point = 0.15, same_normal = 0.3;

bool ts_soft_is_mapped(const ts_workspace *work, const ts_contact_batch *batch, const ts_batch_source *source)
{
    if (source->wall || !work->form || batch->count == 0)
        return false;
    const uint16_t map = work->pairs.map[ts_batch_which(batch, source, 0)];
    return map != TS_MAP_OF_DISCS && map != TS_MAP_OF_FEATURES;
}

const ts_found *ts_soft_found(const ts_state *state, const ts_history *record)
{
    const ptrdiff_t at = record - state->history.item - (ptrdiff_t)(state->history.count - state->found.count);
    if (!(record->key & TS_SOFT_MAP_RECORD) || at < 0 || at >= (ptrdiff_t)state->found.count)
        return NULL;
    const ts_found *found = &state->found.item[at];
    return found->a == record->a && found->b == record->b && found->key == record->key ? found : NULL;
}

/* A pair that is looked at. */
typedef struct meeting {
    int64_t a, b; /* parts */
    size_t which;
    const ts_body *body_a, *body_b;
    double small;    /* the smaller radius [m] */
    double reach;    /* gaps that count [m] */
    double doubt;    /* gaps of the map are hardly ever farther from the truth [m] */
    double stood[3]; /* B in the frame of A */
    const ts_history *past;
    size_t past_count;
    bool holds; /* the places of the past do */
} meeting;

static ts_vec2 to_local(const ts_body *body, ts_vec2 p)
{
    return ts_vec2_rotate((ts_vec2){p.x - body->x, p.y - body->y}, -body->angle);
}

static meeting meeting_of(const ts_state *state, const ts_workspace *work, ts_candidate pair, size_t which, double held)
{
    const ts_model *model = state->model;
    const int32_t *part = work->pairs.part_of_slot;
    const ts_frame2 *a = &work->part[pair.a], *b = &work->part[pair.b];
    meeting m = {.a = part[pair.a], .b = part[pair.b], .which = which, .small = fmin(a->radius, b->radius)};
    m.body_a = &state->body[model->parts_are_bodies ? m.a : model->part_body[m.a]];
    m.body_b = &state->body[model->parts_are_bodies ? m.b : model->part_body[m.b]];
    m.reach = ts_reach_of(&work->reach, a, b, false) + hold * m.small;
    const ts_vec2 at = to_local(m.body_a, (ts_vec2){m.body_b->x, m.body_b->y});
    m.stood[0] = at.x;
    m.stood[1] = at.y;
    m.stood[2] = m.body_b->angle - m.body_a->angle;
    m.past_count = ts_featured_history(&state->history, held, &m.past);
    for (size_t i = 0; i < m.past_count; i++) /* those of a file may be damaged */
        if (m.past[i].a != m.a || m.past[i].b != m.b || !ts_soft_found(state, &m.past[i]))
            m.past_count = 0;
    return m;
}

/* Whether the pair has moved by less than a share of the smaller radius since a place of its was found. */
static bool near(const meeting *m, const ts_found *found, double share)
{
    const double *stood = found->number + TS_SOFT_STOOD;
    const double dx = m->stood[0] - stood[0], dy = m->stood[1] - stood[1], turn = m->stood[2] - stood[2];
    return sqrt(dx * dx + dy * dy) + fabs(turn) * m->body_b->radius < share * m->small;
}

static ts_status keep(const ts_state *state, const meeting *m, ts_soft_mapped_array *to)
{
    for (size_t i = 0; i < m->past_count; i++) {
        const ts_soft_mapped place = {m->past[i], *ts_soft_found(state, &m->past[i]), m->which};
        TS_TRY(ts_array_push(to, place, NULL));
    }
    return TS_OK;
}

/* A record of the map, with B's part at `there`, as a line and a point. False: it is none. `here`: B's part as it
 * stands. */
static bool set_line(const meeting *m, const ts_map_contact *c, const double here[3], const double there[3],
                     double *number)
{
    if (!(c->slope > least_slope))
        return false;
    /* by its slope, which may be below 1, to where the gap closes as the line's does */
    const ts_vec2 n = {c->normal[0], c->normal[1]};
    const double gap = c->gap / c->slope, up = c->arm_b + 0.5 * gap, along = -c->turn_b / c->slope,
                 arm[2] = {up * n.x - along * n.y, up * n.y + along * n.x};
    const ts_vec2 line = {there[0] + arm[0] - gap * n.x, there[1] + arm[1] - gap * n.y},
                  turned = ts_vec2_rotate((ts_vec2){arm[0], arm[1]}, here[2] - there[2]),
                  at = to_local(m->body_a, line), normal = ts_vec2_rotate(n, -m->body_a->angle),
                  point = to_local(m->body_b, (ts_vec2){here[0] + turned.x, here[1] + turned.y});
    const double to[9] = {m->stood[0], m->stood[1], m->stood[2], at.x, at.y, normal.x, normal.y, point.x, point.y};
    memcpy(number, to, sizeof to);
    /* the gap as it is here */
    const ts_vec2 d = {here[0] + turned.x - line.x, here[1] + turned.y - line.y};
    return n.x * d.x + n.y * d.y < m->reach;
}

/* How far a new place is from an old one; infinite: it is another. */
static double difference(const meeting *m, const double *x, const double *y)
{
    const double px = x[TS_SOFT_POINT] - y[TS_SOFT_POINT], py = x[TS_SOFT_POINT + 1] - y[TS_SOFT_POINT + 1],
                 nx = x[TS_SOFT_NORMAL_OF_LINE] - y[TS_SOFT_NORMAL_OF_LINE],
                 ny = x[TS_SOFT_NORMAL_OF_LINE + 1] - y[TS_SOFT_NORMAL_OF_LINE + 1];
    const double point = sqrt(px * px + py * py) / (same_point * m->small),
                 normal = sqrt(nx * nx + ny * ny) / same_normal;
    return point < 1 && normal < 1 ? point + normal : HUGE_VAL;
}

/* The gap of a line and a point with B as it stands. */
static double gap_of(const meeting *m, const double *number)
{
    const double *line = number + TS_SOFT_LINE, *n = number + TS_SOFT_NORMAL_OF_LINE, *p = number + TS_SOFT_POINT;
    const ts_vec2 at = ts_vec2_rotate((ts_vec2){p[0], p[1]}, m->stood[2]);
    return n[0] * (m->stood[0] + at.x - line[0]) + n[1] * (m->stood[1] + at.y - line[1]);
}

/* A place that is found again keeps its gap as far as the map can tell: where gaps jumped by the map's errors, nothing
 * would come to rest. */
static void keep_gap(const meeting *m, double before, double *number)
{
    const double more = fmin(fmax(before - gap_of(m, number), -m->doubt), m->doubt);
    number[TS_SOFT_LINE] -= more * number[TS_SOFT_NORMAL_OF_LINE];
    number[TS_SOFT_LINE + 1] -= more * number[TS_SOFT_NORMAL_OF_LINE + 1];
}

/* The new places go on as those of the past that they are nearest to, each with one. Those of the past that press and
 * do not show again stay for a while: a map shows one end of a short face or the other. Returns how many there are. */
static size_t match(const ts_state *state, const meeting *m, ts_soft_mapped *place, size_t count)
{
    bool matched[TS_PROBED_MOST] = {false}, used[PLACES_MOST] = {false};
    uint64_t keys = 0;
    for (;;) {
        double least = HUGE_VAL;
        size_t from = 0, to = 0;
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < m->past_count && k < PLACES_MOST && !matched[i]; k++) {
                const double d = used[k]
                                     ? HUGE_VAL
                                     : difference(m, place[i].found.number, ts_soft_found(state, &m->past[k])->number);
                if (d < least)
                    least = d, from = k, to = i;
            }
        if (least == HUGE_VAL)
            break;
        const ts_found *found = ts_soft_found(state, &m->past[from]);
        matched[to] = used[from] = true;
        place[to].record = m->past[from];
        if (found)
            keep_gap(m, gap_of(m, found->number), place[to].found.number);
        keys |= UINT64_C(1) << (m->past[from].key & 63);
    }
    size_t all = count;
    for (size_t k = 0; k < m->past_count && all < PLACES_MOST; k++) {
        const ts_found *found = ts_soft_found(state, &m->past[k]);
        if (used[k] || !(m->past[k].value[TS_SOFT_NORMAL] > 0) || !near(m, found, aside))
            continue;
        place[all++] = (ts_soft_mapped){m->past[k], *found, m->which};
        keys |= UINT64_C(1) << (m->past[k].key & 63);
    }
    for (size_t i = 0; i < count; i++) {
        if (!matched[i]) {
            keep_gap(m, fmax(gap_of(m, place[i].found.number), 0), place[i].found.number);
            uint64_t number = 0;
            while (keys >> number & 1)
                number++;
            keys |= UINT64_C(1) << number;
            place[i].record = (ts_history){.a = m->a, .b = m->b};
            place[i].record.key = TS_FEATURE_RECORD | TS_SOFT_MAP_RECORD | number;
        }
        place[i].found.a = m->a;
        place[i].found.b = m->b;
        place[i].found.key = place[i].record.key;
    }
    return all;
}

/* The places of a pair that was probed. */
static ts_status add_probed(const ts_state *state, const meeting *m, const ts_probed *list, ts_soft_mapped_array *to)
{
    TS_TRY(ts_array_reserve(to, to->count + PLACES_MOST, NULL));
    ts_soft_mapped *first = to->item + to->count;
    size_t count = 0;
    for (int i = 0; i < list->count; i++) {
        first[count] = (ts_soft_mapped){.which = m->which};
        count += set_line(m, &list->item[i], list->b[0], list->b[i], first[count].found.number);
    }
    to->count += match(state, m, first, count);
    return TS_OK;
}

ts_status ts_soft_map_places(const ts_state *state, const ts_workspace *work, const ts_contact_batch *batch,
                             const ts_batch_source *source, ts_soft_mapped_array *to)
{
    const ts_forms *forms = state->model->forms;
    meeting met[TS_BATCH];
    ts_candidate pair[TS_BATCH];
    ts_map_pose pose[TS_BATCH];
    double length[TS_BATCH];
    ts_probed list[TS_BATCH];
    int count = 0;
    for (int k = 0; k < batch->count; k++) {
        double *held = &source->spring[batch->history[k]];
        const ts_candidate slots = {batch->a[k], batch->b[k]};
        met[k] = meeting_of(state, work, slots, ts_batch_which(batch, source, k), *held);
        *held = 0;
        met[k].holds = met[k].past_count > 0 && near(&met[k], ts_soft_found(state, met[k].past), hold);
        if (met[k].holds)
            continue;
        const ts_frame2 *a = &work->part[slots.a], *b = &work->part[slots.b];
        const double scale = forms->meeting[work->form[slots.a] * forms->count + work->form[slots.b]].scale;
        pose[count] = (ts_map_pose){{a->x, a->y, a->angle}, {b->x, b->y, b->angle}, scale};
        length[count] = aside * met[k].small;
        met[k].doubt = forms->map[work->pairs.map[met[k].which]].error * met[k].small;
        pair[count++] = slots;
    }
    if (count > 0)
        ts_probed_ask(work, &forms->map[work->pairs.map[met[0].which]], pair, count, pose, length, one_place, list);
    const ts_probed *next = list;
    for (int k = 0; k < batch->count; k++)
        TS_TRY(met[k].holds ? keep(state, &met[k], to) : add_probed(state, &met[k], next++, to));
    return TS_OK;
}
