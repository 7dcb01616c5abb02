/* SPDX-License-Identifier: MIT */
#include "shape/path.h"

#include "shape/outline.h"

/* ---- Builder ---- */

ts_status ts_path_move(ts_path *path, ts_vec2 to, ts_error *error)
{
    ts_subpath subpath = {.start = to, .piece_begin = path->piece.count, .piece_end = path->piece.count};
    return ts_array_push(&path->subpath, subpath, error);
}

static ts_status push_piece(ts_path *path, ts_path_piece piece, ts_error *error)
{
    if (path->subpath.count == 0)
        return ts_fail(error, TS_BAD_INPUT, "a path begins with a line or a curve; begin it with a move");
    if (path->piece.count >= TS_OUTLINE_EDGES_MAX)
        return ts_fail(error, TS_BAD_INPUT, "the outline has more than %d edges; simplify it", TS_OUTLINE_EDGES_MAX);
    ts_subpath *subpath = &path->subpath.item[path->subpath.count - 1];
    if (subpath->closed) {
        TS_TRY(ts_path_move(path, subpath->start, error));
        subpath = &path->subpath.item[path->subpath.count - 1];
    }
    TS_TRY(ts_array_push(&path->piece, piece, error));
    subpath->piece_end = path->piece.count;
    return TS_OK;
}

ts_status ts_path_line(ts_path *path, ts_vec2 to, ts_error *error)
{
    return push_piece(path, (ts_path_piece){.kind = TS_PATH_LINE, .p[2] = to}, error);
}

ts_status ts_path_arc(ts_path *path, double bulge, ts_vec2 to, ts_error *error)
{
    return push_piece(path, (ts_path_piece){.kind = TS_PATH_ARC, .p[2] = to, .bulge = bulge}, error);
}

/* Where the pen is; the origin before the first move. */
static ts_vec2 pen_of(const ts_path *path)
{
    if (path->subpath.count == 0)
        return (ts_vec2){0, 0};
    const ts_subpath *subpath = &path->subpath.item[path->subpath.count - 1];
    bool at_start = subpath->closed || subpath->piece_begin == subpath->piece_end;
    return at_start ? subpath->start : path->piece.item[path->piece.count - 1].p[2];
}

ts_status ts_path_quadratic(ts_path *path, ts_vec2 control, ts_vec2 to, ts_error *error)
{
    /* the same curve, written as a cubic */
    ts_vec2 from = pen_of(path);
    return ts_path_cubic(path, ts_vec2_lerp(from, control, 2.0 / 3), ts_vec2_lerp(to, control, 2.0 / 3), to, error);
}

ts_status ts_path_cubic(ts_path *path, ts_vec2 control0, ts_vec2 control1, ts_vec2 to, ts_error *error)
{
    return push_piece(path, (ts_path_piece){.kind = TS_PATH_CUBIC, .p = {control0, control1, to}}, error);
}

ts_status ts_path_ellipse(ts_path *path, ts_vec2 centre, ts_vec2 quarter, double sweep, ts_vec2 to, ts_error *error)
{
    return push_piece(path, (ts_path_piece){.kind = TS_PATH_ELLIPSE, .p = {centre, quarter, to}, .bulge = sweep},
                      error);
}

ts_status ts_path_close(ts_path *path, ts_error *error)
{
    if (path->subpath.count == 0)
        return ts_fail(error, TS_BAD_INPUT, "a path is closed before it begins; begin it with a move");
    path->subpath.item[path->subpath.count - 1].closed = true;
    return TS_OK;
}

void ts_path_free(ts_path *path)
{
    ts_array_free(&path->piece);
    ts_array_free(&path->subpath);
}

/* ---- Extent ---- */

typedef struct box {
    ts_vec2 low, high;
} box;

static void include_point(box *b, ts_vec2 p)
{
    b->low = ts_vec2_min(b->low, p);
    b->high = ts_vec2_max(b->high, p);
}

static void include_piece(box *b, ts_vec2 from, const ts_path_piece *piece)
{
    include_point(b, piece->p[2]);
    if (piece->kind == TS_PATH_ARC) {
        /* the middle of the arc: its sagitta, b c / 2, to the right of the chord */
        ts_vec2 half = ts_vec2_scale(ts_vec2_sub(piece->p[2], from), 0.5);
        include_point(b, ts_vec2_add_scaled(ts_vec2_add(from, half), ts_vec2_perp(half), -piece->bulge));
    } else if (piece->kind == TS_PATH_CUBIC) {
        include_point(b, piece->p[0]);
        include_point(b, piece->p[1]);
    } else if (piece->kind == TS_PATH_ELLIPSE) {
        ts_vec2 u = ts_vec2_sub(from, piece->p[0]), v = piece->p[1];
        for (int corner = 0; corner < 4; corner++)
            include_point(
                b, ts_vec2_add_scaled(ts_vec2_add_scaled(piece->p[0], u, corner & 1 ? 1 : -1), v, corner & 2 ? 1 : -1));
    }
}

/* False when nothing is drawn. */
static bool box_of(const ts_path *path, box *b)
{
    *b = (box){{(double)INFINITY, (double)INFINITY}, {-(double)INFINITY, -(double)INFINITY}};
    for (size_t i = 0; i < path->subpath.count; i++) {
        const ts_subpath *subpath = &path->subpath.item[i];
        ts_vec2 pen = subpath->start;
        for (size_t k = subpath->piece_begin; k < subpath->piece_end; k++) {
            include_point(b, pen);
            include_piece(b, pen, &path->piece.item[k]);
            pen = path->piece.item[k].p[2];
        }
    }
    return b->low.x <= b->high.x;
}

double ts_path_extent(const ts_path *path)
{
    box b;
    return box_of(path, &b) ? 0.5 * hypot(b.high.x - b.low.x, b.high.y - b.low.y) : 0;
}

/* ---- Curves, each in a frame of its own: its start is the origin, its size about 1 ---- */

/* Directions are the same when they differ by less [rad]; files with six digits do not know them any better. */
#define SAME_DIRECTION 1e-6
/* Points of a part at which it is compared with its arcs. The deviation has at most a few bumps, so that little is
 * missed between them; the MARGIN is for that. */
#define SAMPLES 15
#define MARGIN  0.9
/* Halvings of a part: each parameter interval is then still wider than rounding. */
#define HALVINGS_MAX 40
/* Slower than this, at size 1, the curve stands: a cusp, or a control point that lies on its end. */
#define STANDING 1e-6

typedef struct curve {
    ts_path_kind kind;
    ts_vec2 origin;
    double scale;     /* point = origin + scale · local */
    double tolerance; /* local */
    ts_vec2 c[4];     /* cubic: control points; ellipse: centre and the radii at 0 and a quarter turn */
    double sweep;     /* ellipse */
} curve;

typedef TS_ARRAY(ts_vertex) vertices;

static ts_vec2 point_at(const curve *cv, double t)
{
    if (cv->kind == TS_PATH_ELLIPSE) {
        double angle = t * cv->sweep;
        return ts_vec2_add_scaled(ts_vec2_add_scaled(cv->c[0], cv->c[1], cos(angle)), cv->c[2], sin(angle));
    }
    double s = 1 - t, b0 = s * s * s, b1 = 3 * s * s * t, b2 = 3 * s * t * t, b3 = t * t * t;
    return (ts_vec2){b0 * cv->c[0].x + b1 * cv->c[1].x + b2 * cv->c[2].x + b3 * cv->c[3].x,
                     b0 * cv->c[0].y + b1 * cv->c[1].y + b2 * cv->c[2].y + b3 * cv->c[3].y};
}

/* First (1), second (2) and third (3) derivative of a cubic. */
static ts_vec2 derivative(const curve *cv, double t, int order)
{
    const ts_vec2 *c = cv->c;
    ts_vec2 a = ts_vec2_sub(c[1], c[0]), b = ts_vec2_sub(c[2], c[1]), d = ts_vec2_sub(c[3], c[2]);
    double s = 1 - t;
    if (order == 1)
        return (ts_vec2){3 * (s * s * a.x + 2 * s * t * b.x + t * t * d.x),
                         3 * (s * s * a.y + 2 * s * t * b.y + t * t * d.y)};
    ts_vec2 e = ts_vec2_sub(b, a), f = ts_vec2_sub(d, b);
    if (order == 2)
        return (ts_vec2){6 * (s * e.x + t * f.x), 6 * (s * e.y + t * f.y)};
    return ts_vec2_scale(ts_vec2_sub(f, e), 6);
}

/* Unit tangent as one leaves t (side 1) or arrives there (side -1); they differ at a cusp. */
static ts_vec2 tangent_at(const curve *cv, double t, double side)
{
    if (cv->kind == TS_PATH_ELLIPSE) {
        double angle = t * cv->sweep, turn = cv->sweep < 0 ? -1 : 1;
        return ts_vec2_unit(
            ts_vec2_add_scaled(ts_vec2_scale(cv->c[1], -turn * sin(angle)), cv->c[2], turn * cos(angle)));
    }
    /* where a derivative vanishes the next one shows the way */
    ts_vec2 d = derivative(cv, t, 1);
    if (ts_vec2_length(d) > STANDING)
        return ts_vec2_unit(d);
    d = derivative(cv, t, 2);
    return ts_vec2_length(d) > STANDING ? ts_vec2_unit(ts_vec2_scale(d, side)) : ts_vec2_unit(derivative(cv, t, 3));
}

/* Roots of a + b t + c t² in (0, 1), in ascending order, to be added to `root`. A double root counts once. */
static int quadratic_roots(double a, double b, double c, double root[2])
{
    double size = fmax(fabs(a), fmax(fabs(b), fabs(c))), found[2];
    int count = 0, kept = 0;
    if (!(size > 0))
        return 0;
    double disc = b * b - 4 * a * c;
    if (fabs(disc) <= 1e-14 * size * size && fabs(c) > 1e-7 * size) {
        found[count++] = -b / (2 * c);
    } else if (disc >= 0) {
        /* q has no cancellation; the roots are q / c and a / q */
        double q = -0.5 * (b + copysign(sqrt(disc), b));
        if (q != 0)
            found[count++] = a / q;
        if (fabs(c) > 0)
            found[count++] = q / c;
    }
    for (int i = 0; i < count; i++)
        if (found[i] > 1e-9 && found[i] < 1 - 1e-9)
            root[kept++] = found[i];
    if (kept == 2 && root[0] > root[1]) {
        double swap = root[0];
        root[0] = root[1];
        root[1] = swap;
    }
    return kept;
}

/* Where a cubic changes its sense of turning, or has a cusp: B' × B'' = 0, a quadratic. */
static int inflections(const curve *cv, double root[2])
{
    ts_vec2 a = ts_vec2_sub(cv->c[1], cv->c[0]);
    ts_vec2 b = ts_vec2_sub(ts_vec2_sub(cv->c[2], cv->c[1]), a);
    ts_vec2 c = ts_vec2_sub(ts_vec2_sub(cv->c[3], cv->c[0]), ts_vec2_scale(ts_vec2_sub(cv->c[2], cv->c[1]), 3));
    return quadratic_roots(ts_vec2_cross(a, b), ts_vec2_cross(a, c), ts_vec2_cross(b, c), root);
}

/* ---- Lines and arcs from curves ---- */

static ts_status push_edge(vertices *out, double bulge, ts_vec2 to, ts_error *error)
{
    ts_vertex *last = &out->item[out->count - 1];
    if (last->x == to.x && last->y == to.y)
        return TS_OK; /* nothing lies between */
    if (out->count > TS_OUTLINE_EDGES_MAX)
        return ts_fail(error, TS_BAD_INPUT,
                       "the outline has more than %d edges when curves are arcs; simplify it or raise the tolerance",
                       TS_OUTLINE_EDGES_MAX);
    last->bulge = bulge;
    return ts_array_push(out, ((ts_vertex){to.x, to.y, 0}), error);
}

/* A circle (a line for curvature 0) through p along t. */
typedef struct bend {
    ts_vec2 p, t;
    double curvature; /* positive: turns left */
} bend;

static bend bend_to(ts_vec2 p, ts_vec2 t, ts_vec2 to)
{
    ts_vec2 chord = ts_vec2_sub(to, p);
    return (bend){p, t, 2 * ts_vec2_cross(t, chord) / ts_vec2_length_squared(chord)};
}

/* Distance of q from it, signed, without cancellation for flat ones: κ|u|² - 2 n·u = 0 is the circle. */
static double offset_from(const bend *b, ts_vec2 q)
{
    ts_vec2 u = ts_vec2_sub(q, b->p);
    double g = b->curvature * ts_vec2_length_squared(u) - 2 * ts_vec2_cross(b->t, u);
    return g / (1 + sqrt(fmax(0, 1 + b->curvature * g)));
}

/* tan of half the angle from unit vector t to c; the bulge of an arc that leaves along t with chord c. */
static double half_tangent(ts_vec2 t, ts_vec2 c)
{
    return ts_vec2_cross(t, c) / (ts_vec2_length(c) + ts_vec2_dot(t, c));
}

/* A part of a curve: parameters, points and tangents of its ends. */
typedef struct part {
    double t[2];
    ts_vec2 p[2], tangent[2];
} part;

/* Edges that follow a part: none when it has to be halved. */
typedef struct fitted {
    int count;      /* 0, 1 or 2 */
    ts_vec2 middle; /* where two meet */
    double bulge[2];
} fitted;

static fitted fit(const curve *cv, const part *s)
{
    fitted out = {0};
    ts_vec2 c = ts_vec2_sub(s->p[1], s->p[0]), a = s->tangent[0], b = s->tangent[1];
    double length = ts_vec2_length(c);
    /* more than 60° between a tangent and the chord is not one bend */
    if (!(length > 0) || !(ts_vec2_dot(a, c) > 0.5 * length) || !(ts_vec2_dot(b, c) > 0.5 * length))
        return out;

    /* the biarc whose two tangent legs are equally long: |p1 - p0 - d (a + b)| = 2 d */
    ts_vec2 sum = ts_vec2_add(a, b);
    double along = ts_vec2_dot(c, sum), square = length * length;
    double d = square / (along + sqrt(along * along + 2 * (1 - ts_vec2_dot(a, b)) * square));
    ts_vec2 joint = ts_vec2_scale(ts_vec2_add(ts_vec2_add(s->p[0], s->p[1]), ts_vec2_scale(ts_vec2_sub(a, b), d)), 0.5);
    ts_vec2 across =
        ts_vec2_sub(ts_vec2_add_scaled(s->p[1], b, -d), ts_vec2_add_scaled(s->p[0], a, d)); /* its tangent */
    ts_vec2 first = ts_vec2_sub(joint, s->p[0]), second = ts_vec2_sub(s->p[1], joint);
    if (!(ts_vec2_length(first) > 0) || !(ts_vec2_length(second) > 0))
        return out;
    bend one = bend_to(s->p[0], a, s->p[1]), head = bend_to(s->p[0], a, joint);
    bend tail = bend_to(s->p[1], ts_vec2_neg(b), joint), line = {s->p[0], ts_vec2_scale(c, 1 / length), 0};
    double off_line = 0, off_one = 0, off_two = 0;
    for (int i = 1; i <= SAMPLES; i++) {
        double t = s->t[0] + (s->t[1] - s->t[0]) * i / (SAMPLES + 1);
        ts_vec2 q = point_at(cv, t);
        off_line = fmax(off_line, fabs(offset_from(&line, q)));
        off_one = fmax(off_one, fabs(offset_from(&one, q)));
        bool late = ts_vec2_dot(ts_vec2_sub(q, joint), across) > 0;
        off_two = fmax(off_two, fabs(offset_from(late ? &tail : &head, q)));
    }
    double turn_a = half_tangent(a, c), turn_b = half_tangent(line.t, b);
    if (fmax(fabs(turn_a), fabs(turn_b)) <= 0.5 * SAME_DIRECTION && off_line <= 1e-3 * cv->tolerance)
        out = (fitted){.count = 1};
    else if (fabs(turn_a - turn_b) <= 0.5 * SAME_DIRECTION && off_one <= MARGIN * cv->tolerance)
        out = (fitted){.count = 1, .bulge[0] = 0.5 * (turn_a + turn_b)};
    else if (off_two <= MARGIN * cv->tolerance)
        out = (fitted){
            .count = 2,
            .middle = joint,
            .bulge = {half_tangent(a, first), half_tangent(ts_vec2_scale(second, 1 / ts_vec2_length(second)), b)}};
    return out;
}

/* Whether all of a part lies so near its start that a line to its end will do. */
static bool is_speck(const curve *cv, const part *s)
{
    double limit = 0.25 * cv->tolerance;
    if (ts_vec2_distance(s->p[0], s->p[1]) > limit)
        return false;
    for (int i = 1; i <= SAMPLES; i++) {
        double t = s->t[0] + (s->t[1] - s->t[0]) * i / (SAMPLES + 1);
        if (ts_vec2_distance(s->p[0], point_at(cv, t)) > limit)
            return false;
    }
    return true;
}

static ts_status push_local(const curve *cv, vertices *out, double bulge, ts_vec2 to, ts_error *error)
{
    return push_edge(out, bulge, ts_vec2_add_scaled(cv->origin, to, cv->scale), error);
}

/* The edges of a part up to, not including, its end point: `final` gets the last one's bulge. */
static ts_status follow(const curve *cv, const part *s, int depth, vertices *out, double *final, ts_error *error)
{
    fitted f = fit(cv, s);
    if (f.count == 2)
        TS_TRY(push_local(cv, out, f.bulge[0], f.middle, error));
    if (f.count > 0) {
        *final = f.bulge[f.count - 1];
        return TS_OK;
    }
    if (depth >= HALVINGS_MAX || is_speck(cv, s)) {
        *final = 0;
        return TS_OK;
    }
    double t = 0.5 * (s->t[0] + s->t[1]);
    ts_vec2 middle = point_at(cv, t), arrive = tangent_at(cv, t, -1), leave = tangent_at(cv, t, 1);
    part left = {{s->t[0], t}, {s->p[0], middle}, {s->tangent[0], arrive}};
    part right = {{t, s->t[1]}, {middle, s->p[1]}, {leave, s->tangent[1]}};
    TS_TRY(follow(cv, &left, depth + 1, out, final, error));
    TS_TRY(push_local(cv, out, *final, middle, error));
    return follow(cv, &right, depth + 1, out, final, error);
}

/* A cubic whose control points lie on one line: it may run to and fro. */
static bool is_straight(const curve *cv, ts_vec2 *along)
{
    ts_vec2 far = {0, 0};
    for (int i = 1; i < 4; i++)
        if (ts_vec2_length(cv->c[i]) > ts_vec2_length(far))
            far = cv->c[i];
    *along = ts_vec2_unit(far);
    for (int i = 1; i < 4; i++)
        if (fabs(ts_vec2_cross(*along, cv->c[i])) > fmin(1e-3 * cv->tolerance, SAME_DIRECTION))
            return false;
    return true;
}

static ts_status follow_curve(const curve *cv, ts_vec2 end, vertices *out, ts_error *error)
{
    double cut[4] = {0};
    int count = 0;
    ts_vec2 along;
    bool straight = cv->kind == TS_PATH_CUBIC && is_straight(cv, &along);
    if (straight) {
        double a = ts_vec2_dot(along, derivative(cv, 0, 1)), b = ts_vec2_dot(along, derivative(cv, 0, 2));
        count = quadratic_roots(a, b, 0.5 * ts_vec2_dot(along, derivative(cv, 0, 3)), cut + 1);
    } else if (cv->kind == TS_PATH_CUBIC) {
        count = inflections(cv, cut + 1);
    }
    cut[++count] = 1;
    for (int i = 0; i < count; i++) {
        part s = {{cut[i], cut[i + 1]},
                  {point_at(cv, cut[i]), point_at(cv, cut[i + 1])},
                  {tangent_at(cv, cut[i], 1), tangent_at(cv, cut[i + 1], -1)}};
        double final = 0;
        if (!straight)
            TS_TRY(follow(cv, &s, 0, out, &final, error));
        if (i + 1 < count)
            TS_TRY(push_local(cv, out, final, s.p[1], error));
        else
            TS_TRY(push_edge(out, final, end, error));
    }
    return TS_OK;
}

static ts_status push_piece_edges(ts_vec2 from, const ts_path_piece *piece, double tolerance, vertices *out,
                                  ts_error *error)
{
    if (piece->kind == TS_PATH_LINE || piece->kind == TS_PATH_ARC)
        return push_edge(out, piece->kind == TS_PATH_ARC ? piece->bulge : 0, piece->p[2], error);

    curve cv = {.kind = piece->kind, .origin = from};
    if (piece->kind == TS_PATH_CUBIC) {
        for (int i = 0; i < 3; i++)
            cv.c[i + 1] = ts_vec2_sub(piece->p[i], from);
    } else {
        cv.c[0] = ts_vec2_sub(piece->p[0], from);
        cv.c[1] = ts_vec2_neg(cv.c[0]);
        cv.c[2] = piece->p[1];
        cv.sweep = piece->bulge;
    }
    for (int i = 0; i < 4; i++)
        cv.scale = fmax(cv.scale, fmax(fabs(cv.c[i].x), fabs(cv.c[i].y)));
    if (!(cv.scale > 1e-290)) /* a point: also, its inverse must be finite */
        return push_edge(out, 0, piece->p[2], error);
    for (int i = 0; i < 4; i++)
        cv.c[i] = ts_vec2_scale(cv.c[i], 1 / cv.scale);
    cv.tolerance = fmax(tolerance / cv.scale, 1e-13);
    return follow_curve(&cv, piece->p[2], out, error);
}

/* ---- Contours ---- */

/* Adds one contour's vertices; none when it has no edge. */
static ts_status push_subpath(const ts_path *path, const ts_subpath *subpath, double tolerance, vertices *out,
                              bool *open, ts_error *error)
{
    size_t begin = out->count;
    ts_vec2 pen = subpath->start;
    *open = false;
    TS_TRY(ts_array_push(out, ((ts_vertex){pen.x, pen.y, 0}), error));
    ts_path only = {.piece = {.item = path->piece.item, .count = path->piece.count},
                    .subpath = {.item = (ts_subpath *)subpath, .count = 1}};
    double rounding = 1e-12 * ts_path_extent(&only);
    for (size_t i = subpath->piece_begin; i < subpath->piece_end; i++) {
        TS_TRY(push_piece_edges(pen, &path->piece.item[i], tolerance, out, error));
        pen = path->piece.item[i].p[2];
    }
    if (out->count > begin + 1 && ts_vec2_distance(pen, subpath->start) <= rounding)
        out->count--; /* the last edge goes to the first vertex */
    else
        *open = !subpath->closed;
    if (out->count < begin + 2)
        out->count = begin;
    return TS_OK;
}

ts_status ts_path_flatten(const ts_path *path, double tolerance, ts_path_contours *out, ts_error *error)
{
    vertices vertex = {0};
    TS_ARRAY(size_t) begin = {0};
    *out = (ts_path_contours){0};
    ts_status status = TS_OK;
    ts_contour *contour = ts_alloc(path->subpath.count + 1, sizeof *contour);
    if (!contour)
        status = ts_fail_memory(error, (path->subpath.count + 1) * sizeof *contour);
    size_t count = 0;
    for (size_t i = 0; status == TS_OK && i < path->subpath.count; i++) {
        size_t first = vertex.count;
        bool open;
        status = push_subpath(path, &path->subpath.item[i], tolerance, &vertex, &open, error);
        if (status == TS_OK && vertex.count > first) {
            contour[count++] = (ts_contour){.vertex_count = vertex.count - first, .open = open};
            status = ts_array_push(&begin, first, error);
        }
    }
    for (size_t i = 0; status == TS_OK && i < count; i++)
        contour[i].vertex = vertex.item + begin.item[i]; /* only now that it moves no more */
    ts_array_free(&begin);
    if (status != TS_OK) {
        ts_array_free(&vertex);
        ts_free(contour);
        return status;
    }
    *out = (ts_path_contours){.vertex = vertex.item, .contour = contour, .count = count};
    return TS_OK;
}

void ts_path_contours_free(ts_path_contours *contours)
{
    ts_free(contours->vertex);
    ts_free(contours->contour);
    *contours = (ts_path_contours){0};
}
