/* SPDX-License-Identifier: MIT */
/* What was done, in sentences that a person can check against the drawing. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "shape/repair_work.h"

enum { NOTES_MAX = 12 }; /* of one kind; the others are counted */

ts_status ts_mend_note(ts_mend *m, ts_error *error, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    char *copy = ts_copy_text(text);
    if (!copy)
        return ts_fail_memory(error, sizeof text);
    ts_status status = ts_array_push(&m->out->note, copy, error);
    if (status != TS_OK)
        ts_free(copy);
    return status;
}

ts_vec2 ts_mend_place(const ts_mend *m, uint32_t vertex)
{
    const ts_mend_vertex *v = &m->vertex.item[vertex];
    if (v->drawn)
        return (ts_vec2){v->out_x, v->out_y};
    return (ts_vec2){m->centre_x + m->scale * v->x, m->centre_y + m->scale * v->y};
}

static const char *rule_name(const ts_mend *m)
{
    return m->rule == TS_RULE_EVEN_ODD ? "even-odd" : "nonzero";
}

static int by_contours(const void *pa, const void *pb)
{
    const ts_mend_event *a = pa, *b = pb;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    if (a->second != b->second)
        return a->second < b->second ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

/* ---- Which contours have a part in which loops ---- */

typedef struct part {
    uint32_t contour, loop;
    bool hole;
} part;

static int by_part(const void *pa, const void *pb)
{
    const part *a = pa, *b = pb;
    if (a->contour != b->contour)
        return a->contour < b->contour ? -1 : 1;
    return (a->loop > b->loop) - (a->loop < b->loop);
}

static ts_status count_loops(ts_mend *m, ts_error *error)
{
    part *list;
    TS_TRY(ts_new_raw(&list, m->step.count + 1, error));
    size_t n = 0;
    for (size_t i = 0; i < m->loop.count; i++)
        for (size_t k = m->loop.item[i].begin; k < m->loop.item[i].end && m->loop.item[i].area != 0; k++)
            list[n++] = (part){m->edge.item[m->step.item[k].edge].contour, (uint32_t)i, m->loop.item[i].area < 0};
    qsort(list, n, sizeof *list, by_part);
    for (size_t i = 0; i < n; i++) {
        ts_mend_fate *fate = &m->fate[list[i].contour];
        fate->loops += i == 0 || by_part(&list[i - 1], &list[i]) != 0;
        fate->is_hole |= list[i].hole;
    }
    ts_free(list);
    return TS_OK;
}

/* ---- Contours that meet ---- */

typedef struct meeting {
    const ts_mend_event *event; /* the first */
    size_t places;
    bool back, closing;
} meeting;

static ts_status tell_self(ts_mend *m, const meeting *t, ts_error *error)
{
    const ts_mend_fate *fate = &m->fate[t->event->first];
    unsigned number = t->event->first + 1;
    ts_vec2 p = ts_mend_place(m, t->event->vertex);
    char more[64] = "";
    if (t->places > 1)
        snprintf(more, sizeof more, " and at %zu more places", t->places - 1);
    if (fate->pieces == 0 || fate->kept == 0)
        return ts_mend_note(m, error, "contour %u near (%g, %g) bounds nothing: dropped", number, p.x, p.y);
    if (t->back && fate->loops == 1 && fate->kept == fate->pieces)
        return ts_mend_note(m, error, "contour %u runs back over itself at (%g, %g)%s: spike removed", number, p.x, p.y,
                            more);
    if (fate->kept == fate->pieces && fate->loops == 1)
        return ts_mend_note(m, error, "contour %u touches itself at (%g, %g)%s", number, p.x, p.y, more);
    const char *closing = t->closing ? ", with the line that closes it" : "";
    if (fate->loops > 1)
        return ts_mend_note(m, error,
                            "contour %u crosses itself at (%g, %g)%s%s: split by the %s rule into %zu contours", number,
                            p.x, p.y, more, closing, rule_name(m), fate->loops);
    return ts_mend_note(m, error, "contour %u crosses itself at (%g, %g)%s%s: decided by the %s rule", number, p.x, p.y,
                        more, closing, rule_name(m));
}

/* All of it is in the result, and all in one direction. */
static bool is_whole(const ts_mend_fate *fate)
{
    return fate->pieces > 0 && fate->kept == fate->pieces && (fate->reversed == 0 || fate->reversed == fate->kept);
}

static ts_status tell_pair(ts_mend *m, const meeting *t, ts_error *error)
{
    const ts_mend_fate *a = &m->fate[t->event->first], *b = &m->fate[t->event->second];
    unsigned one = t->event->first + 1, two = t->event->second + 1;
    ts_vec2 p = ts_mend_place(m, t->event->vertex);
    bool same = m->rule == TS_RULE_NONZERO && (a->area > 0) == (b->area > 0);
    if (is_whole(a) && is_whole(b) && t->event->kind == TS_MEND_CROSS && !t->back)
        return ts_mend_note(m, error, "contours %u and %u touch at (%g, %g)", one, two, p.x, p.y);
    if (t->closing)
        return ts_mend_note(m, error,
                            "contours %u and %u overlap at (%g, %g), at a line that closes one: decided by the "
                            "%s rule",
                            one, two, p.x, p.y, rule_name(m));
    if (same)
        return ts_mend_note(m, error, "contours %u and %u overlap at (%g, %g): united", one, two, p.x, p.y);
    return ts_mend_note(m, error, "contours %u and %u overlap at (%g, %g): decided by the %s rule", one, two, p.x, p.y,
                        rule_name(m));
}

static ts_status tell_meetings(ts_mend *m, ts_error *error)
{
    size_t n = m->event.count, said = 0, silent = 0;
    if (n > 1)
        qsort(m->event.item, n, sizeof *m->event.item, by_contours);
    for (size_t i = 0, end; i < n; i = end) {
        meeting t = {.event = &m->event.item[i]};
        for (end = i; end < n; end++) {
            const ts_mend_event *e = &m->event.item[end];
            if (e->first != t.event->first || e->second != t.event->second)
                break;
            t.back |= e->kind == TS_MEND_BACK;
            t.closing |= e->closing;
            t.places += e->kind == TS_MEND_CROSS && (end == i || e->vertex != e[-1].vertex);
        }
        if (said == NOTES_MAX) {
            silent++;
            continue;
        }
        said++;
        TS_TRY(t.event->first == t.event->second ? tell_self(m, &t, error) : tell_pair(m, &t, error));
    }
    if (silent > 0)
        return ts_mend_note(m, error, "%zu more contours or pairs of contours meet: decided by the %s rule", silent,
                            rule_name(m));
    return TS_OK;
}

/* ---- Contours that meet nobody ---- */

static ts_status tell_lone(ts_mend *m, ts_error *error)
{
    size_t reversed = 0, swallowed = 0;
    for (size_t i = 0; i < m->contour_count; i++) {
        const ts_mend_fate *fate = &m->fate[i];
        if (fate->dropped || fate->meets)
            continue;
        if (fate->kept == 0) {
            if (swallowed++ < NOTES_MAX)
                TS_TRY(ts_mend_note(m, error,
                                    "contour %zu lies in the inside of others and adds nothing by the %s rule: dropped "
                                    "(a hole must run the other way round)",
                                    i + 1, rule_name(m)));
        } else if (fate->reversed > 0 && fate->loops > 0) {
            if (reversed++ < NOTES_MAX)
                TS_TRY(fate->is_hole
                           ? ts_mend_note(m, error, "contour %zu is a hole but ran counter-clockwise: reversed", i + 1)
                           : ts_mend_note(m, error, "contour %zu ran clockwise: reversed", i + 1));
        }
    }
    if (swallowed > NOTES_MAX)
        TS_TRY(ts_mend_note(m, error, "%zu more contours add nothing: dropped", swallowed - NOTES_MAX));
    if (reversed > NOTES_MAX)
        TS_TRY(ts_mend_note(m, error, "%zu more contours ran the wrong way round: reversed", reversed - NOTES_MAX));
    return TS_OK;
}

ts_status ts_mend_tell(ts_mend *m, ts_error *error)
{
    TS_TRY(count_loops(m, error));
    TS_TRY(tell_meetings(m, error));
    return tell_lone(m, error);
}
