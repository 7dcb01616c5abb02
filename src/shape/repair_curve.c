/* SPDX-License-Identifier: MIT */
/* Lines and arcs as zeros of a quadratic, so that flat arcs need no special case. */
#include <math.h>

#include "shape/repair_work.h"

ts_mend_curve ts_mend_curve_make(const ts_segment *s)
{
    double dx = s->x1 - s->x0, dy = s->y1 - s->y0, c = sqrt(dx * dx + dy * dy), b = s->bulge;
    double inverse = c > 0 ? 1 / c : 0;
    return (ts_mend_curve){s->x0, s->y0, s->x1, s->y1, dx * inverse, dy * inverse, c, b, 2 * b * inverse, 1 - b * b};
}

ts_mend_box ts_mend_curve_box(const ts_mend_curve *c)
{
    /* an arc of at most a half circle keeps over its chord: in the rectangle of chord and sagitta */
    double x = 0.5 * c->bulge * (c->y1 - c->y0), y = -0.5 * c->bulge * (c->x1 - c->x0);
    return (ts_mend_box){fmin(c->x0, c->x1) + fmin(x, 0), fmin(c->y0, c->y1) + fmin(y, 0),
                         fmax(c->x0, c->x1) + fmax(x, 0), fmax(c->y0, c->y1) + fmax(y, 0)};
}

ts_vec2 ts_mend_curve_middle(const ts_mend_curve *c)
{
    return ts_segment_middle(&(ts_segment){c->x0, c->y0, c->x1, c->y1, c->bulge});
}

bool ts_mend_curve_near(const ts_mend_curve *c, ts_vec2 p, double tolerance, double *t)
{
    double dx = p.x - c->x0, dy = p.y - c->y0, b = c->bulge;
    double u = dx * c->ex + dy * c->ey, v = dy * c->ex - dx * c->ey;
    if (!(u >= -tolerance && u <= c->chord + tolerance))
        return false;
    double f = c->square * (u * (u - c->chord) + v * v) - c->slope * v;
    if (!(fabs(f) <= tolerance * (1 + b * b)))
        return false;
    if (v * b > tolerance * fabs(b)) /* the other part of the circle */
        return false;
    if (t) {
        double q = sqrt(u * u + v * v), w = sqrt((c->chord - u) * (c->chord - u) + v * v);
        if (b == 0)
            *t = u / c->chord;
        else /* chords to both ends: sin(ts) / sin((1 - t)s) = q / w with 2s = sweep */
            *t = atan2(q * 2 * fabs(b), w * (1 + b * b) + q * (1 - b * b)) / (2 * atan(fabs(b)));
        *t = fmin(fmax(*t, 0), 1);
    }
    return true;
}

static int cross_lines(const ts_mend_curve *a, const ts_mend_curve *b, ts_vec2 *p)
{
    double qx = b->x0 - a->x0, qy = b->y0 - a->y0, d = a->ex * b->ey - a->ey * b->ex;
    if (fabs(d) < 1e-15)
        return 0;
    double s = (qx * b->ey - qy * b->ex) / d;
    if (!(s > 0 && s < a->chord))
        return 0;
    *p = (ts_vec2){a->x0 + s * a->ex, a->y0 + s * a->ey};
    return 1;
}

/* The zeros of `a` as square |X|² + ux X + uy Y + w, X from the point (x, y). */
static void expand(const ts_mend_curve *a, double x, double y, double u[3])
{
    double qx = a->x0 - x, qy = a->y0 - y, nx = -a->ey, ny = a->ex, k = a->square * a->chord;
    double gx = k * a->ex + a->slope * nx, gy = k * a->ey + a->slope * ny;
    u[0] = -2 * a->square * qx - gx;
    u[1] = -2 * a->square * qy - gy;
    u[2] = a->square * (qx * qx + qy * qy) + gx * qx + gy * qy;
}

int ts_mend_curve_cross(const ts_mend_curve *a, const ts_mend_curve *b, double tolerance, ts_vec2 p[2])
{
    ts_vec2 found[2];
    int count = 0, kept = 0;
    if (a->bulge == 0 && b->bulge == 0) {
        count = cross_lines(a, b, found);
    } else {
        /* About the begin of the more curved one: the difference that loses the squares is the line through both
         * crossings of the circles. */
        if (fabs(b->square) > fabs(a->square)) {
            const ts_mend_curve *other = a;
            a = b;
            b = other;
        }
        double u[3], w[3], ratio = b->square / a->square;
        expand(a, a->x0, a->y0, u);
        expand(b, a->x0, a->y0, w);
        double nx = w[0] - ratio * u[0], ny = w[1] - ratio * u[1], n = sqrt(nx * nx + ny * ny);
        if (!(n > 1e-15))
            return 0;
        nx /= n;
        ny /= n;
        /* touching: the points of the circle on the line of centres */
        double cx = -u[0] / (2 * a->square), cy = -u[1] / (2 * a->square),
               r = (1 + a->bulge * a->bulge) / (2 * a->square);
        for (int side = -1; side <= 1 && count == 0; side += 2) {
            ts_vec2 touch = {a->x0 + cx + side * r * nx, a->y0 + cy + side * r * ny};
            if (ts_mend_curve_near(a, touch, tolerance, NULL) && ts_mend_curve_near(b, touch, tolerance, NULL))
                found[count++] = touch;
        }
        if (count == 0) {
            double fx = -(w[2] / n) * nx, fy = -(w[2] / n) * ny, dx = -ny, dy = nx; /* foot and direction of the line */
            double qa = a->square, qb = u[0] * dx + u[1] * dy + 2 * qa * (fx * dx + fy * dy);
            double qc = qa * (fx * fx + fy * fy) + u[0] * fx + u[1] * fy, disc = qb * qb - 4 * qa * qc;
            if (!(disc >= 0))
                return 0;
            double q = -0.5 * (qb + copysign(sqrt(disc), qb)), s[2] = {q / qa, q != 0 ? qc / q : q / qa};
            for (int i = 0; i < 2; i++)
                found[count++] = (ts_vec2){a->x0 + fx + s[i] * dx, a->y0 + fy + s[i] * dy};
        }
    }
    for (int i = 0; i < count; i++)
        if (ts_mend_curve_near(a, found[i], tolerance, NULL) && ts_mend_curve_near(b, found[i], tolerance, NULL))
            p[kept++] = found[i];
    return kept;
}

bool ts_mend_curve_together(const ts_mend_curve *a, const ts_mend_curve *b, ts_vec2 shared, ts_vec2 p, double tolerance)
{
    /* the part of a from `shared` to p is a curve of the same kind: its middle must lie on b */
    bool from_begin = shared.x == a->x0 && shared.y == a->y0;
    double t;
    if (!ts_mend_curve_near(a, p, tolerance, &t))
        return false;
    double share = from_begin ? t : 1 - t, bulge = tan(share * atan(a->bulge));
    ts_segment part = {shared.x, shared.y, p.x, p.y, from_begin ? bulge : -bulge};
    ts_mend_curve c = ts_mend_curve_make(&part);
    return ts_mend_curve_near(b, ts_mend_curve_middle(&c), tolerance, NULL);
}

double ts_mend_curve_area(const ts_mend_curve *c)
{
    return 0.5 * (c->x0 * c->y1 - c->x1 * c->y0) + 0.25 * c->chord * c->chord * ts_bulge_area(c->bulge);
}
