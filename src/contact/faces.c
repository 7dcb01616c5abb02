/* SPDX-License-Identifier: MIT */
#include "contact/faces.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* Tangents that differ by less make no corner [rad]. An edge then reaches beyond its end by this share of the distance
 * from it, and the gap jumps by the square of it: nothing against an overlap. */
#define TANGENT_MAX 1e-5
/* Inner corners that turn by less have one contact at a time [rad]. Two edges hold a disc of radius r at once when they
 * turn by less than √(2 overlap / r), a tenth at an overlap of half a per cent. */
#define SHALLOW_MAX 0.1
/* An arc of at most this is parted from its neighbours by the planes across its ends alone [rad]. */
#define SWEEP_MAX (2 * TS_PI / 3)
/* Arcs flatter than this are lines: the rise over the chord is below rounding. */
#define BULGE_MIN 1e-13
/* Faces in a leaf of the tree. */
#define LEAF_FACES 4
/* Depth of the tree: faces are halved at each node, and there are fewer than 2^31. */
#define DEPTH_MAX 40

/* ---- Edges ---- */

void ts_segment_box(const ts_segment *s, double low[2], double high[2])
{
    low[0] = fmin(s->x0, s->x1);
    low[1] = fmin(s->y0, s->y1);
    high[0] = fmax(s->x0, s->x1);
    high[1] = fmax(s->y0, s->y1);
    if (fabs(s->bulge) < BULGE_MIN)
        return;
    /* where the circle has its extremes along the axes, if the arc comes by there */
    ts_arc arc = ts_segment_arc(s);
    for (int quarter = 0; quarter < 4; quarter++) {
        double from = arc.sweep > 0 ? arc.start : arc.start + arc.sweep;
        double ahead = fmod(quarter * 0.5 * TS_PI - from, 2 * TS_PI);
        if (ahead < 0)
            ahead += 2 * TS_PI;
        if (ahead > fabs(arc.sweep))
            continue;
        int axis = quarter % 2;
        double centre = axis == 0 ? arc.cx : arc.cy;
        if (quarter < 2)
            high[axis] = fmax(high[axis], centre + arc.radius);
        else
            low[axis] = fmin(low[axis], centre - arc.radius);
    }
}

/* Pieces that an edge is cut into. */
static size_t pieces_of(const ts_segment *s)
{
    double sweep = fabs(4 * atan(s->bulge));
    return sweep > SWEEP_MAX ? (size_t)ceil(sweep / SWEEP_MAX) : 1;
}

/* Piece k of n; ends of the whole come out exactly. */
static ts_segment piece(const ts_segment *s, size_t k, size_t n)
{
    if (n == 1)
        return *s;
    ts_vec2 from = ts_segment_point(s, (double)k / (double)n), to = ts_segment_point(s, (double)(k + 1) / (double)n);
    if (k + 1 == n)
        to = (ts_vec2){s->x1, s->y1};
    return (ts_segment){from.x, from.y, to.x, to.y, tan(atan(s->bulge) / (double)n)};
}

/* ---- Building ---- */

/* Room for what the contours need, at most. */
typedef struct room {
    size_t faces, joints;
} room;

static room count_room(const ts_model *model)
{
    room r = {0, 0};
    for (size_t i = 0; i < model->wall_count; i++) {
        const ts_wall *b = &model->wall[i];
        if (b->line_count == 0)
            r.faces++;
        for (size_t c = 0; c < b->line_count; c++) {
            for (size_t k = 0; k < ts_contour_segment_count(&b->line[c]); k++) {
                ts_segment s = ts_contour_segment(&b->line[c], k);
                r.faces += 2 * pieces_of(&s);
                r.joints += pieces_of(&s);
            }
            r.faces++; /* the corner at the end of an open line */
            r.joints++;
        }
    }
    return r;
}

static ts_status allocate(ts_faces *f, const ts_model *model, ts_error *error)
{
    room r = count_room(model);
    size_t walls = model->wall_count, nodes = 2 * r.faces + 1;
    size_t bytes = r.faces * (sizeof *f->face + sizeof *f->order) + r.joints * sizeof *f->joint +
                   nodes * sizeof *f->node + walls * (sizeof *f->root + sizeof *f->begin);
    if (nodes > INT32_MAX)
        return ts_fail(error, TS_BAD_INPUT, "the scene's walls have %zu edges and corners; give at most %d", r.faces,
                       INT32_MAX / 2);
    f->face = ts_alloc(r.faces, sizeof *f->face);
    f->order = ts_alloc(r.faces, sizeof *f->order);
    f->joint = ts_alloc(r.joints, sizeof *f->joint);
    f->node = ts_alloc(nodes, sizeof *f->node);
    f->root = ts_alloc(walls, sizeof *f->root);
    f->begin = ts_alloc(walls + 1, sizeof *f->begin);
    f->bytes = sizeof *f + bytes;
    bool all = f->face && f->order && f->joint && f->node && f->root && f->begin;
    return all ? TS_OK : ts_fail_memory(error, bytes);
}

/* What the joint is like, once its tangents are known. Returns whether it is a corner. */
static bool shape_joint(ts_face_joint *j)
{
    if (j->first || j->last)
        return true;
    double cross = j->in_x * j->out_y - j->in_y * j->out_x, dot = j->in_x * j->out_x + j->in_y * j->out_y;
    double turn = fabs(atan2(cross, dot));
    j->shallow = turn < SHALLOW_MAX;
    if (turn >= TANGENT_MAX)
        return true;
    /* one tangent for both, to the bit */
    double x = j->in_x + j->out_x, y = j->in_y + j->out_y, length = sqrt(x * x + y * y);
    j->in_x = j->out_x = x / length;
    j->in_y = j->out_y = y / length;
    return false;
}

/* Adds an edge and its two joints' tangents; its begin joint must be there, its end joint gets a place. */
static void add_edge(ts_faces *f, const ts_segment *s, int32_t wall, int32_t begin, int32_t end)
{
    ts_vec2 out = ts_segment_tangent(s, 0), in = ts_segment_tangent(s, 1);
    ts_face_joint *from = &f->joint[begin], *to = &f->joint[end];
    from->x = s->x0;
    from->y = s->y0;
    from->out_x = out.x;
    from->out_y = out.y;
    from->last = false;
    to->x = s->x1;
    to->y = s->y1;
    to->in_x = in.x;
    to->in_y = in.y;
    to->first = false;
    double chord = hypot(s->x1 - s->x0, s->y1 - s->y0), b = s->bulge;
    bool line = fabs(b) < BULGE_MIN;
    f->face[f->count++] = (ts_face){.kind = TS_FACE_EDGE,
                                    .wall = wall,
                                    .begin = begin,
                                    .end = end,
                                    .nx = out.y,
                                    .ny = -out.x,
                                    .radius = line ? 0 : chord * (1 + b * b) / (4 * fabs(b)),
                                    .turn = b < 0 ? -1 : 1};
}

/* Puts corners between the edges `edge` … count - 1 of one contour and links the faces. Edges move to make room. */
static void add_corners(ts_faces *f, size_t edge, bool open)
{
    size_t edges = f->count - edge, corners = 0;
    int32_t joint = f->face[edge].begin;
    size_t joints = edges + (open ? 1 : 0);
    /* joint i stands before edge i; that of an open line's end after the last one */
    for (size_t i = 0; i < joints; i++)
        corners += shape_joint(&f->joint[(size_t)joint + i]);
    size_t to = edge + edges + corners;
    f->count = to;
    for (size_t i = joints; i-- > 0;) {
        const ts_face_joint *j = &f->joint[(size_t)joint + i];
        bool tangent = !j->first && !j->last && j->in_x == j->out_x && j->in_y == j->out_y;
        if (i < edges)
            f->face[--to] = f->face[edge + i];
        if (tangent)
            continue;
        double cross = j->in_x * j->out_y - j->in_y * j->out_x;
        f->face[--to] = (ts_face){.kind = TS_FACE_CORNER,
                                  .wall = f->face[edge].wall,
                                  .begin = joint + (int32_t)i,
                                  .end = joint + (int32_t)i,
                                  .turn = cross < 0 ? -1 : 1};
    }
    for (size_t i = edge; i < f->count; i++) {
        f->face[i].before = i > edge ? (int32_t)i - 1 : open ? -1 : (int32_t)f->count - 1;
        f->face[i].next = i + 1 < f->count ? (int32_t)i + 1 : open ? -1 : (int32_t)edge;
    }
}

static void add_contour(ts_faces *f, const ts_contour *contour, int32_t wall)
{
    size_t first_edge = f->count, first_joint = f->joint_count, edges = ts_contour_segment_count(contour), total = 0;
    for (size_t k = 0; k < edges; k++) {
        ts_segment s = ts_contour_segment(contour, k);
        total += pieces_of(&s);
    }
    size_t joints = total + (contour->open ? 1 : 0);
    for (size_t i = 0; i < joints; i++)
        f->joint[first_joint + i] = (ts_face_joint){.first = true, .last = true};
    f->joint_count += joints;
    size_t at = 0;
    for (size_t k = 0; k < edges; k++) {
        ts_segment s = ts_contour_segment(contour, k);
        for (size_t p = 0, n = pieces_of(&s); p < n; p++, at++) {
            ts_segment part = piece(&s, p, n);
            size_t next = at + 1 < joints ? at + 1 : 0;
            add_edge(f, &part, wall, (int32_t)(first_joint + at), (int32_t)(first_joint + next));
        }
    }
    if (total > 0)
        add_corners(f, first_edge, contour->open);
}

/* ---- The tree ---- */

typedef struct box {
    double low[2], high[2];
} box;

static box box_of(const ts_faces *f, const ts_face *face)
{
    const ts_face_joint *from = &f->joint[face->begin], *to = &f->joint[face->end];
    ts_segment s = {from->x, from->y, to->x, to->y, 0};
    box b;
    ts_segment_box(&s, b.low, b.high);
    if (face->kind == TS_FACE_CORNER || face->radius == 0)
        return b;
    /* an arc of less than half a turn: the chord's box, widened by the rise over the chord */
    double half = 0.5 * hypot(s.x1 - s.x0, s.y1 - s.y0), r = face->radius;
    double rise = half * half / (r + sqrt(fmax(r * r - half * half, 0)));
    for (int axis = 0; axis < 2; axis++) {
        b.low[axis] -= rise;
        b.high[axis] += rise;
    }
    return b;
}

static box box_around(const ts_faces *f, size_t begin, size_t end)
{
    const double infinity = (double)INFINITY;
    box all = {{infinity, infinity}, {-infinity, -infinity}};
    for (size_t i = begin; i < end; i++) {
        box b = box_of(f, &f->face[f->order[i]]);
        for (int axis = 0; axis < 2; axis++) {
            all.low[axis] = fmin(all.low[axis], b.low[axis]);
            all.high[axis] = fmax(all.high[axis], b.high[axis]);
        }
    }
    return all;
}

static double middle_of(const ts_faces *f, int32_t face, int axis)
{
    const ts_face_joint *from = &f->joint[f->face[face].begin], *to = &f->joint[f->face[face].end];
    return axis == 0 ? from->x + to->x : from->y + to->y;
}

/* Puts those with the smaller middles first; equal ones stay in the order of faces. A merge sort needs room; a heap
 * sort does not, and the order is total, so any sort gives the same. */
static bool goes_after(const ts_faces *f, int32_t a, int32_t b, int axis)
{
    double p = middle_of(f, a, axis), q = middle_of(f, b, axis);
    return p > q || (p == q && a > b);
}

static void sift(const ts_faces *f, int32_t *heap, size_t at, size_t count, int axis)
{
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= count)
            return;
        if (child + 1 < count && goes_after(f, heap[child + 1], heap[child], axis))
            child++;
        if (!goes_after(f, heap[child], heap[at], axis))
            return;
        int32_t held = heap[at];
        heap[at] = heap[child];
        heap[child] = held;
        at = child;
    }
}

static void sort_faces(const ts_faces *f, int32_t *order, size_t count, int axis)
{
    for (size_t i = count / 2; i-- > 0;)
        sift(f, order, i, count, axis);
    for (size_t end = count; end-- > 1;) {
        int32_t held = order[0];
        order[0] = order[end];
        order[end] = held;
        sift(f, order, 0, end, axis);
    }
}

/* The tree over order[begin … end - 1]; returns its root. Halving keeps the depth below DEPTH_MAX. */
static int32_t grow(ts_faces *f, size_t begin, size_t end)
{
    int32_t at = (int32_t)f->node_count++;
    box b = box_around(f, begin, end);
    ts_face_node *node = &f->node[at];
    *node = (ts_face_node){{b.low[0], b.low[1]}, {b.high[0], b.high[1]}, (int32_t)begin, (int32_t)(end - begin)};
    if (end - begin <= LEAF_FACES)
        return at;
    int axis = b.high[0] - b.low[0] >= b.high[1] - b.low[1] ? 0 : 1;
    sort_faces(f, f->order + begin, end - begin, axis);
    size_t middle = begin + (end - begin) / 2;
    grow(f, begin, middle);
    int32_t second = grow(f, middle, end);
    f->node[at].first = second;
    f->node[at].count = 0;
    return at;
}

ts_status ts_faces_create(const ts_model *model, ts_faces **faces, ts_error *error)
{
    *faces = NULL;
    bool any = false;
    for (size_t i = 0; i < model->wall_count; i++)
        any = any || model->wall[i].line_count > 0;
    if (!any)
        return TS_OK;
    ts_faces *f;
    TS_TRY(ts_new(&f, 1, error));
    ts_status status = allocate(f, model, error);
    if (status != TS_OK) {
        ts_faces_free(f);
        return status;
    }
    for (size_t i = 0; i < model->wall_count; i++) {
        const ts_wall *b = &model->wall[i];
        size_t first = f->count;
        f->begin[i] = (int32_t)first;
        f->root[i] = -1;
        for (size_t c = 0; c < b->line_count; c++)
            add_contour(f, &b->line[c], (int32_t)i);
        if (b->line_count == 0)
            f->face[f->count++] = (ts_face){.wall = (int32_t)i, .before = -1, .next = -1};
        for (size_t k = first; k < f->count; k++)
            f->order[k] = (int32_t)k;
        if (b->line_count > 0 && f->count > first)
            f->root[i] = grow(f, first, f->count);
    }
    f->begin[model->wall_count] = (int32_t)f->count;
    *faces = f;
    return TS_OK;
}

void ts_faces_free(ts_faces *f)
{
    if (!f)
        return;
    ts_free(f->face);
    ts_free(f->order);
    ts_free(f->joint);
    ts_free(f->node);
    ts_free(f->root);
    ts_free(f->begin);
    ts_free(f);
}

/* ---- Searching ---- */

static double square_distance(const ts_face_joint *j, double x, double y)
{
    double dx = x - j->x, dy = y - j->y;
    return dx * dx + dy * dy;
}

double ts_face_distance(const ts_faces *f, const ts_face *face, double x, double y)
{
    const ts_face_joint *from = &f->joint[face->begin], *to = &f->joint[face->end];
    double ends = sqrt(fmin(square_distance(from, x, y), square_distance(to, x, y)));
    if (face->kind == TS_FACE_CORNER)
        return ends;
    /* the planes across the edge's own ends; tangents of the joint may have been made to agree with a neighbour's */
    bool begun = (x - from->x) * from->out_x + (y - from->y) * from->out_y >= 0;
    bool ended = (x - to->x) * to->in_x + (y - to->y) * to->in_y > 0;
    if (!begun || ended)
        return ends;
    double nx, ny;
    return fmin(fabs(ts_face_height(f, face, x, y, &nx, &ny)), ends);
}

size_t ts_faces_near(const ts_faces *f, size_t wall, double x, double y, double reach, int32_t slot, ts_candidate *out)
{
    int32_t stack[DEPTH_MAX], top = 0;
    size_t found = 0;
    if (f->root[wall] < 0)
        return 0;
    /* a hair more than asked for: edges reach beyond their ends by TANGENT_MAX */
    double limit = reach * (1 + 1e-9);
    stack[top++] = f->root[wall];
    while (top > 0) {
        int32_t at = stack[--top];
        const ts_face_node *node = &f->node[at];
        double dx = fmax(fmax(node->low[0] - x, x - node->high[0]), 0);
        double dy = fmax(fmax(node->low[1] - y, y - node->high[1]), 0);
        if (!(dx * dx + dy * dy <= limit * limit * (1 + 1e-9)))
            continue;
        if (node->count == 0) {
            stack[top++] = node->first;
            stack[top++] = at + 1;
            continue;
        }
        for (int32_t k = node->first; k < node->first + node->count; k++) {
            if (!(ts_face_distance(f, &f->face[f->order[k]], x, y) <= limit))
                continue;
            if (out)
                out[found] = (ts_candidate){f->order[k], slot};
            found++;
        }
    }
    return found;
}
