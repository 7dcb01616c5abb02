/* SPDX-License-Identifier: MIT */
#include "shape/repair.h"

#include "shape/repair_work.h"

void ts_repaired_free(ts_repaired *repaired)
{
    for (size_t i = 0; i < repaired->note.count; i++)
        ts_free(repaired->note.item[i]);
    ts_array_free(&repaired->note);
    ts_array_free(&repaired->begin);
    ts_array_free(&repaired->vertex);
}

/* Nothing is left: says of which contour, and why. */
static ts_status refuse_empty(const ts_mend *m, ts_error *error)
{
    size_t i = 0;
    while (i + 1 < m->contour_count && m->fate[i].dropped)
        i++;
    ts_vertex v = m->contour[i].vertex[0];
    bool doubled = false;
    for (size_t k = 0; k < m->event.count; k++)
        doubled |= m->event.item[k].first != m->event.item[k].second;
    return ts_fail(error, TS_BAD_INPUT, "the outline has no area: contour %zu near (%g, %g) %s", i + 1, v.x, v.y,
                   doubled ? "and others cancel each other by the fill rule; draw each edge once"
                           : "bounds nothing; draw a closed outline");
}

/* Forgets a result that was not good. */
static void start_over(ts_mend *m, size_t note_count)
{
    while (m->out->note.count > note_count)
        ts_free(m->out->note.item[--m->out->note.count]);
    m->out->vertex.count = m->out->begin.count = m->step.count = m->loop.count = 0;
    for (size_t i = 0; i < m->contour_count; i++)
        m->fate[i].pieces = m->fate[i].kept = m->fate[i].reversed = 0;
}

static ts_status build(ts_mend *m, bool careful, ts_error *error)
{
    TS_TRY(ts_mend_stitch(m, careful, error));
    return m->out->vertex.count > 0 ? ts_mend_verify(m, error) : refuse_empty(m, error);
}

static ts_status mend(ts_mend *m, ts_error *error)
{
    TS_TRY(ts_mend_clean(m, error));
    TS_TRY(ts_mend_cross(m, error));
    size_t note_count = m->out->note.count;
    ts_status status = build(m, false, error);
    if (status == TS_BAD_INPUT && m->edge.count > 0) {
        start_over(m, note_count);
        status = build(m, true, error);
    }
    TS_TRY(status);
    return ts_mend_tell(m, error);
}

ts_status ts_repair(const ts_contour *contour, size_t count, ts_fill_rule rule, ts_repaired *out, ts_error *error)
{
    ts_mend m = {.contour = contour, .contour_count = count, .rule = rule, .out = out};
    if (rule != TS_RULE_NONZERO && rule != TS_RULE_EVEN_ODD)
        return ts_fail(error, TS_BAD_INPUT, "fill rule %d is unknown; give nonzero (1) or even-odd (2)", (int)rule);
    m.fate = ts_alloc(count + 1, sizeof *m.fate);
    ts_status status = m.fate ? mend(&m, error) : ts_fail_memory(error, count * sizeof *m.fate);
    ts_array_free(&m.vertex);
    ts_array_free(&m.edge);
    ts_array_free(&m.source);
    ts_array_free(&m.cut);
    ts_array_free(&m.event);
    ts_array_free(&m.step);
    ts_array_free(&m.loop);
    ts_free(m.fate);
    if (status != TS_OK)
        ts_repaired_free(out);
    return status;
}
