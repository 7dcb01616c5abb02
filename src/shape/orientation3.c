/* SPDX-License-Identifier: MIT */
/* A quick answer where rounding cannot spoil it, else sums that round nothing (Shewchuk 1997). */
#include "shape/orientation3.h"

enum { TERMS_MAX = 96 }; /* 24 products of three, four terms each */

typedef struct sum {
    double term[TERMS_MAX]; /* that do not overlap, smallest first */
    int count;
} sum;

/* Adds x exactly; terms that become zero are left out. */
static void add(sum *s, double x)
{
    int kept = 0;
    for (int i = 0; i < s->count; i++) {
        double term = s->term[i], total = x + term, back = total - x;
        double rest = (x - (total - back)) + (term - back);
        if (rest != 0)
            s->term[kept++] = rest;
        x = total;
    }
    if (x != 0)
        s->term[kept++] = x;
    s->count = kept;
}

/* Adds p · q · r. */
static void add_product(sum *s, double p, double q, double r)
{
    double high = p * q, low = fma(p, q, -high);
    double a = high * r, b = low * r;
    add(s, fma(low, r, -b));
    add(s, b);
    add(s, fma(high, r, -a));
    add(s, a);
}

/* sign · det(a, b, c) */
static void add_determinant(sum *s, double sign, ts_vec3 a, ts_vec3 b, ts_vec3 c)
{
    add_product(s, sign * a.x, b.y, c.z);
    add_product(s, -sign * a.x, b.z, c.y);
    add_product(s, sign * a.y, b.z, c.x);
    add_product(s, -sign * a.y, b.x, c.z);
    add_product(s, sign * a.z, b.x, c.y);
    add_product(s, -sign * a.z, b.y, c.x);
}

/* det(b − a, c − a, d − a) = det(b, c, d) − det(a, c, d) + det(a, b, d) − det(a, b, c), which needs no differences */
static int exact_orientation(ts_vec3 a, ts_vec3 b, ts_vec3 c, ts_vec3 d)
{
    sum s = {.count = 0};
    add_determinant(&s, 1, b, c, d);
    add_determinant(&s, -1, a, c, d);
    add_determinant(&s, 1, a, b, d);
    add_determinant(&s, -1, a, b, c);
    if (s.count == 0)
        return 0;
    return s.term[s.count - 1] > 0 ? 1 : -1; /* it outweighs all others */
}

int ts_orientation3(ts_vec3 a, ts_vec3 b, ts_vec3 c, ts_vec3 d)
{
    ts_vec3 u = ts_vec3_sub(b, a), v = ts_vec3_sub(c, a), w = ts_vec3_sub(d, a);
    double xy = u.x * v.y, yx = u.y * v.x, yz = u.y * v.z, zy = u.z * v.y, zx = u.z * v.x, xz = u.x * v.z;
    double volume = (yz - zy) * w.x + (zx - xz) * w.y + (xy - yx) * w.z;
    double size =
        (fabs(yz) + fabs(zy)) * fabs(w.x) + (fabs(zx) + fabs(xz)) * fabs(w.y) + (fabs(xy) + fabs(yx)) * fabs(w.z);
    double bound = 1e-15 * size; /* Shewchuk's bound on the rounding of `volume` is (7 + 56 ε) ε, 7.8e-16 */
    if (volume > bound || -volume > bound)
        return volume > 0 ? 1 : -1;
    if (size == 0)
        return 0; /* each product has a factor that is zero, and differences are zero only for equal numbers */
    return exact_orientation(a, b, c, d);
}
