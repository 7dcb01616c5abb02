/* SPDX-License-Identifier: MIT */
/* How fast the gap of a table can fall, from its values.
 *
 * In a cell the spline is a quadratic in each coordinate, with 27 Bernstein coefficients that follow from the 27 nodes.
 * Its value lies between the least and the largest of them, and its gradient is a blend, with one set of weights for
 * all three components, of 27 vectors made of their differences (raised to degree 2 in every coordinate). So a convex
 * function of the gradient is at most what it is for one of these. With g in the plane, t in the angle and x the place
 * of B, the gap changes by
 *
 *     |g|               a metre that either body moves
 *     |t| / R_B         a metre, R_B times the angle, that B turns
 *     |t + x × g| / R_A         that A turns
 *
 * and `rate` is the largest of all. Only what can answer between 0 and `cap` counts. A cell that could have a larger
 * rate than was met anywhere is halved in every coordinate, a few times: so the bound comes down to what is there,
 * often by half.
 *
 * The answer may jump where runs of cells end, and at walls of the folded domain. Let a section be a stretch of a
 * column: its run, or what lies before or after it.
 *
 *     ·  ·  before  ·  ·  [lo ── run ── hi]  ·  ·  after  ·  ·
 *
 * Beside a run the answer goes on from the spline at the run's end. Where that is above 0 all over the end, it never
 * answers less than the least there (the section is OPEN); where it is nowhere above 0, never more than 0 (SHUT). A
 * column without a run is one or the other. Where two columns meet,
 *
 *     y or angle │ run of a column     │ open
 *                ├─────────┬───────────┴───────
 *                │ open    │ run of the next column
 *
 * two runs share their nodes, so the spline goes on. Else the answer may jump, and must be at least `cap` on both
 * sides, or at most 0 on both: `cap` is the largest number for which that is so, and where there is none, nothing is
 * certain of the table. At a wall a cell meets its mirror image, or the cell a turn of A away. Where both are in runs
 * their nodes must be the same; else the rule holds for the part of the cell that lies on the wall. What is outside of
 * the folded domain is never asked, and does not count.
 *
 * So min(gap, cap) is continuous where it is above 0, and falls by no more than `rate` times the motion. */
#include <math.h>

#include "cspace/clearance.h"
#include "cspace/table_kernel.h"

/* Rounding of a sum over nodes, as a share of the largest: three times 6 operations in single precision, twice (at the
 * beginning and at the end of a motion), and fractions. */
static const double sum_rounding = 4e-6;

/* How often cells are halved; and of how many one is asked, to know what to expect. */
enum { HALVINGS = 4, FEW = 8 };
/* The rate may be above the largest that was met by so much: few cells are halved then. */
static const double spare = 1.02;

/* What folding leaves of the plane, in directions from A's axis. */
typedef enum wedge { LINE = 0, PLANE = 1, HALF = 2, QUARTER = 4, EIGHTH = 8 } wedge;

typedef enum section_kind { RUN, OPEN, SHUT, MIXED } section_kind;

/* What is answered beside a run. */
typedef struct section {
    section_kind kind;
    double least; /* OPEN: the answer is no less */
} section;

typedef struct survey {
    const ts_table *table;
    const ts_lattice *l;
    const ts_fold *fold;
    wedge wedge;
    double radius_a, radius_b;
    double cap;
    double rate;
    bool certain;
} survey;

/* The Bernstein coefficients of a cell, in lengths: number 9 k + 3 j + i of i in x, j in y and k in the angle. */
typedef struct patch {
    double b[27];
} patch;

/* ---- Cells ---- */

static int node_value(const ts_lattice *l, int32_t at)
{
    if (l->bits == 8)
        return (int8_t)l->value[at];
    return (int16_t)(uint16_t)(l->value[2 * (ptrdiff_t)at] | l->value[2 * (ptrdiff_t)at + 1] << 8);
}

/* The nodes of a cell of a run, as the kernel takes them, in the order of a patch. */
static void read_cell(const ts_lattice *l, int32_t i, int32_t j, int32_t k, int v[27])
{
    const int32_t last = l->angles - 1;
    const int32_t row[3] = {j > 0 ? j - 1 : j, j, j + 1 < l->rows ? j + 1 : j};
    const int32_t turn[3] = {k > 0 ? k - 1 : last, k, k < last ? k + 1 : 0};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            const int32_t at = l->base[(size_t)row[b] * (size_t)l->angles + (size_t)turn[a]] + i - 1;
            for (int c = 0; c < 3; c++)
                v[9 * a + 3 * b + c] = node_value(l, at + c);
        }
}

/* From nodes to Bernstein coefficients, along one coordinate. */
static void blend(double *v, ptrdiff_t step)
{
    v[0] = 0.5 * (v[0] + v[step]);
    v[2 * step] = 0.5 * (v[step] + v[2 * step]);
}

static patch make_patch(const ts_lattice *l, int32_t i, int32_t j, int32_t k)
{
    int v[27];
    patch p;
    read_cell(l, i, j, k, v);
    const double middle = (double)l->middle, scale = (double)l->scale;
    for (int n = 0; n < 27; n++)
        p.b[n] = middle + scale * v[n];
    for (int n = 0; n < 9; n++)
        blend(p.b + 3 * n, 1);
    for (int n = 0; n < 9; n++)
        blend(p.b + n / 3 * 9 + n % 3, 3);
    for (int n = 0; n < 9; n++)
        blend(p.b + n, 9);
    return p;
}

typedef struct range {
    double low, high;
} range;

static void include(range *r, double v)
{
    r->low = fmin(r->low, v);
    r->high = fmax(r->high, v);
}

static range range_of(const patch *p)
{
    range r = {HUGE_VAL, -HUGE_VAL};
    for (int n = 0; n < 27; n++)
        include(&r, p->b[n]);
    return r;
}

/* Where a cell is looked at: at its end in one coordinate, midway, or on its diagonal x = y. */
typedef enum face { X_LOW, X_HIGH, Y_LOW, Y_HIGH, A_LOW, A_HIGH, X_MIDDLE, Y_MIDDLE, DIAGONAL } face;

static double middle_of(double b0, double b1, double b2)
{
    return 0.25 * (b0 + 2 * b1 + b2);
}

/* Of a quadratic in x and in y along x = y: five coefficients for one angle. */
static void include_diagonal(range *r, const double b[9])
{
    include(r, b[0]);
    include(r, 0.5 * (b[1] + b[3]));
    include(r, (b[2] + 4 * b[4] + b[6]) / 6);
    include(r, 0.5 * (b[5] + b[7]));
    include(r, b[8]);
}

static range range_on(const patch *p, face f)
{
    static const int step_of[] = {[X_LOW] = 1,  [X_HIGH] = 1,   [X_MIDDLE] = 1, [Y_LOW] = 3,
                                  [Y_HIGH] = 3, [Y_MIDDLE] = 3, [A_LOW] = 9,    [A_HIGH] = 9};
    range r = {HUGE_VAL, -HUGE_VAL};
    if (f == DIAGONAL) {
        for (int k = 0; k < 3; k++)
            include_diagonal(&r, p->b + 9 * k);
        return r;
    }
    const int step = step_of[f];
    for (int n = 0; n < 27; n++) {
        if (n / step % 3 != 0)
            continue;
        const double *b = p->b + n; /* the first of three across the face */
        include(&r, f == X_LOW || f == Y_LOW || f == A_LOW      ? b[0]
                    : f == X_HIGH || f == Y_HIGH || f == A_HIGH ? b[2 * step]
                                                                : middle_of(b[0], b[step], b[2 * step]));
    }
    return r;
}

/* ---- Sections ---- */

static section section_of(range r)
{
    return (section){r.low > 0 ? OPEN : r.high <= 0 ? SHUT : MIXED, r.low};
}

/* What is answered in cell i of a column; rows that are not there are far away. */
static section section_at(const survey *s, int32_t i, int32_t j, int32_t k)
{
    const ts_lattice *l = s->l;
    if (j < 0 || j >= l->rows)
        return (section){OPEN, s->table->form.far};
    const unsigned char *cell = l->cell + 2 * ((size_t)j * (size_t)l->angles + (size_t)k);
    const int32_t lo = cell[0], hi = cell[1];
    if (lo > hi)
        return hi == TS_LATTICE_DEEP ? (section){SHUT, 0} : (section){OPEN, s->table->form.far};
    if (i >= lo && i <= hi)
        return (section){RUN, 0};
    patch p = make_patch(l, i < lo ? lo : hi, j, k);
    return section_of(range_on(&p, i < lo ? X_LOW : X_HIGH));
}

/* Two sections that meet, with what a run has there (`on`; whatever, if none is a run): lowers the cap, or gives up. */
static void meet(survey *s, section a, section b, range on)
{
    if (a.kind == RUN)
        a = section_of(on);
    if (b.kind == RUN)
        b = section_of(on);
    if (a.kind == SHUT && b.kind == SHUT)
        return;
    if (a.kind == OPEN && b.kind == OPEN) {
        s->cap = fmin(s->cap, fmin(a.least, b.least));
        return;
    }
    s->certain = false;
}

static void meet_cells(survey *s, const int32_t a[3], face on_a, const int32_t b[3], face on_b)
{
    section at_a = section_at(s, a[0], a[1], a[2]), at_b = section_at(s, b[0], b[1], b[2]);
    if (at_a.kind == RUN && at_b.kind == RUN)
        return;
    range on = {0, 0};
    if (at_a.kind == RUN || at_b.kind == RUN) {
        const int32_t *c = at_a.kind == RUN ? a : b;
        patch p = make_patch(s->l, c[0], c[1], c[2]);
        on = range_on(&p, at_a.kind == RUN ? on_a : on_b);
    }
    meet(s, at_a, at_b, on);
}

/* ---- The folded domain ---- */

/* The first cell that folded poses reach: of row j (half: -1), or of the face between it and the next (half: 1).
 * INT32_MIN: all are reached; INT32_MAX: none. */
static int32_t first_cell(const survey *s, int32_t j, int32_t half)
{
    const ts_lattice *l = s->l;
    const int32_t y2 = 2 * (l->first_y + j) + half; /* twice the y where the row begins, or of the face, in nodes */
    if (s->wedge == LINE)
        return -l->first_x;
    if (s->wedge == PLANE)
        return INT32_MIN;
    if (half < 0 ? y2 + 2 <= 0 : y2 < 0)
        return INT32_MAX;
    if (s->wedge == HALF)
        return INT32_MIN;
    if (s->wedge == QUARTER || y2 < 0)
        return -l->first_x;
    /* x ≥ y: the cell whose end that is, on the side of larger x */
    return (y2 + 1) / 2 - l->first_x;
}

/* The cells of a column's run; first > last: it has none. */
typedef struct run {
    int32_t first, last;
} run;

static run run_of(const ts_lattice *l, int32_t j, int32_t k)
{
    if (j < 0 || j >= l->rows)
        return (run){1, 0};
    const unsigned char *cell = l->cell + 2 * ((size_t)j * (size_t)l->angles + (size_t)k);
    return cell[0] <= cell[1] ? (run){cell[0], cell[1]} : (run){1, 0};
}

/* Cells of two columns that share a face, from cell `first` on. Where both are in runs the spline goes on, and beyond
 * both nothing changes any more. */
static void compare_columns(survey *s, const int32_t a[2], face on_a, const int32_t b[2], face on_b, int32_t first)
{
    const run at_a = run_of(s->l, a[0], a[1]), at_b = run_of(s->l, b[0], b[1]);
    if (first == INT32_MAX)
        return;
    int32_t low = 0, high = 0, both_low = INT32_MAX, both_high = -1;
    if (at_a.first <= at_a.last)
        low = at_a.first, high = at_a.last;
    if (at_b.first <= at_b.last && at_a.first <= at_a.last) {
        both_low = at_a.first > at_b.first ? at_a.first : at_b.first;
        both_high = at_a.last < at_b.last ? at_a.last : at_b.last;
        low = low < at_b.first ? low : at_b.first;
        high = high > at_b.last ? high : at_b.last;
    } else if (at_b.first <= at_b.last) {
        low = at_b.first, high = at_b.last;
    }
    low = low - 1 > first ? low - 1 : first;
    for (int32_t i = low; i <= high + 1 || i == low; i++) {
        if (i >= both_low && i <= both_high)
            i = both_high; /* cells of both runs */
        else
            meet_cells(s, (int32_t[3]){i, a[0], a[1]}, on_a, (int32_t[3]){i, b[0], b[1]}, on_b);
    }
}

/* Before and after a run the answer goes on from its end, but an open section must stay above the cap. */
static void look_beside(survey *s, int32_t j, int32_t k, int32_t first)
{
    const unsigned char *cell = s->l->cell + 2 * ((size_t)j * (size_t)s->l->angles + (size_t)k);
    if (cell[0] > cell[1] || first == INT32_MAX)
        return;
    if (s->l->rows > 1 && (j == 0 || j + 1 == s->l->rows))
        s->certain = false; /* a cell there lacks nodes: no table that was made here has one */
    section after = section_at(s, cell[1] + 1, j, k);
    meet(s, after, after, (range){0, 0});
    if (first < cell[0]) {
        section before = section_at(s, cell[0] - 1, j, k);
        meet(s, before, before, (range){0, 0});
    }
}

static void look_at_runs(survey *s)
{
    const ts_lattice *l = s->l;
    for (int32_t j = -1; j < l->rows; j++)
        for (int32_t k = 0; k < l->angles; k++) {
            if (l->rows > 1)
                compare_columns(s, (int32_t[2]){j, k}, Y_HIGH, (int32_t[2]){j + 1, k}, Y_LOW, first_cell(s, j, 1));
            if (j < 0)
                continue;
            const int32_t first = first_cell(s, j, l->rows > 1 ? -1 : 0);
            look_beside(s, j, k, first);
            if (l->angles > 1)
                compare_columns(s, (int32_t[2]){j, k}, A_HIGH, (int32_t[2]){j, (k + 1) % l->angles}, A_LOW, first);
        }
}

/* ---- Walls ---- */

/* A map of the lattice onto itself: a mirror at its x axis, if so, and then m turns of A. */
typedef struct image {
    int32_t m;
    bool mirror;
} image;

/* (x, y) in nodes from A's centre, k the angle's node. */
static void map_node(const survey *s, image g, const int32_t from[3], int32_t to[3])
{
    static const int32_t cosine[4] = {1, 0, -1, 0};
    const int32_t turns = s->fold->turns_a, angles = s->l->angles, quarter = g.m * 4 / turns;
    const int32_t step = angles == 1 ? 0 : (int32_t)((int64_t)angles * s->fold->turns_b / turns % angles);
    const int32_t c = cosine[quarter % 4], d = cosine[(quarter + 3) % 4], v = g.mirror ? -from[1] : from[1];
    const int64_t turn = ((int64_t)g.m * step + (g.mirror ? -from[2] : from[2])) % angles;
    to[0] = c * from[0] - d * v;
    to[1] = d * from[0] + c * v;
    to[2] = (int32_t)(turn < 0 ? turn + angles : turn);
}

/* Whether the nodes of a cell, (x, y, k) in the middle, are those of its image. */
static bool nodes_agree(const survey *s, image g, const int32_t at[3], const int32_t to[3])
{
    int v[27], w[27];
    const ts_lattice *l = s->l;
    read_cell(l, at[0] - l->first_x, at[1] - l->first_y, at[2], v);
    read_cell(l, to[0] - l->first_x, to[1] - l->first_y, to[2], w);
    /* directions go as nodes do */
    int32_t along[3], across[3];
    map_node(s, g, (int32_t[3]){1, 0, 0}, along);
    map_node(s, g, (int32_t[3]){0, 1, 0}, across);
    for (int a = -1; a <= 1; a++)
        for (int b = -1; b <= 1; b++)
            for (int c = -1; c <= 1; c++) {
                const int x = c * along[0] + b * across[0], y = c * along[1] + b * across[1], t = g.mirror ? -a : a;
                if (v[13 + 9 * a + 3 * b + c] != w[13 + 9 * t + 3 * y + x])
                    return false;
            }
    return true;
}

/* A cell on a wall and what it meets there. */
static void cross_wall(survey *s, image g, const int32_t at[3], face on, face on_image)
{
    const ts_lattice *l = s->l;
    int32_t to[3];
    map_node(s, g, at, to);
    const int32_t a[3] = {at[0] - l->first_x, at[1] - l->first_y, at[2]};
    const int32_t b[3] = {to[0] - l->first_x, to[1] - l->first_y, to[2]};
    section at_a = section_at(s, a[0], a[1], a[2]), at_b = section_at(s, b[0], b[1], b[2]);
    if (at_a.kind != RUN || at_b.kind != RUN)
        meet_cells(s, a, on, b, on_image);
    else if (!nodes_agree(s, g, at, to))
        s->certain = false;
}

static void look_at_walls(survey *s)
{
    const ts_lattice *l = s->l;
    if (s->wedge == LINE || s->wedge == PLANE)
        return;
    const bool mirror = s->fold->mirror;
    const image first = {mirror ? 0 : 1, mirror}, second = {1, true};
    const int32_t end_x = l->first_x + l->width, end_y = l->first_y + l->rows;
    for (int32_t k = 0; k < l->angles; k++) {
        /* along the x axis; without mirrors a quarter turn takes it to the y axis */
        for (int32_t x = s->wedge == HALF ? l->first_x : 0; x <= end_x; x++)
            cross_wall(s, first, (int32_t[3]){x, 0, k}, Y_MIDDLE, s->wedge == QUARTER && !mirror ? X_MIDDLE : Y_MIDDLE);
        for (int32_t y = 0; mirror && s->wedge != HALF && y <= end_y; y++) {
            if (s->wedge == QUARTER)
                cross_wall(s, second, (int32_t[3]){0, y, k}, X_MIDDLE, X_MIDDLE);
            else
                cross_wall(s, second, (int32_t[3]){y, y, k}, DIAGONAL, DIAGONAL);
        }
    }
}

/* With a disc A all directions meet at its centre: there the gap of a table depends on the angle, where the truth does
 * not. */
static void look_at_centre(survey *s)
{
    const ts_lattice *l = s->l;
    if (s->wedge != LINE)
        return;
    section first = {.kind = RUN};
    for (int32_t k = 0; k < l->angles && l->angles > 1; k++) {
        section at = section_at(s, -l->first_x, 0, k);
        if (at.kind == RUN) {
            patch p = make_patch(l, -l->first_x, 0, k);
            at = section_of(range_of(&p));
        }
        if (k == 0)
            first = at;
        meet(s, first, at, (range){0, 0});
    }
}

/* ---- Rates ---- */

/* A cell, or a part of it: its coefficients, its middle, and how wide it is. */
typedef struct part {
    patch p;
    double x, y, width, turn;
} part;

/* The rate that belongs to a gradient (gx, gy, t), for all places at most `half` from (x, y) in each coordinate. */
static double rate_of(const survey *s, const part *c, double half, double gx, double gy, double t)
{
    double turn_a = fabs(t + c->x * gy - c->y * gx) + half * (fabs(gx) + fabs(gy));
    if (s->wedge == LINE) { /* moving across turns B as seen from A; turning A does nothing */
        gy = t == 0 ? 0 : t / (c->x - half);
        turn_a = 0;
    }
    return fmax(sqrt(gx * gx + gy * gy), fmax(turn_a / s->radius_a, fabs(t) / s->radius_b));
}

/* No gradient in the part has a larger rate. */
static double rate_most(const survey *s, const part *c)
{
    const double per_x = 1 / c->width, per_turn = 1 / c->turn;
    double most = 0;
    for (int n = 0; n < 27; n++) {
        const int k = n / 9, j = n / 3 % 3, i = n % 3;
        /* differences, of degree 1, raised to degree 2 */
        const int i0 = i == 2, i1 = i == 0 ? 1 : 2, j0 = j == 2, j1 = j == 0 ? 1 : 2, k0 = k == 2, k1 = k == 0 ? 1 : 2;
        const double *bx = c->p.b + n - i, *by = c->p.b + n - 3 * j, *bt = c->p.b + n - 9 * k;
        const double gx = (bx[i1] - bx[i0]) * (i == 1 ? 1 : 2) * per_x;
        const double gy = (by[3 * j1] - by[3 * j0]) * (j == 1 ? 1 : 2) * per_x;
        const double t = (bt[9 * k1] - bt[9 * k0]) * (k == 1 ? 1 : 2) * per_turn;
        most = fmax(most, rate_of(s, c, 0.5 * c->width, gx, gy, t));
    }
    return most;
}

/* The rate in the middle of a part; 0 where the gap there is not below the cap, or none. */
static double rate_in_middle(const survey *s, const part *c)
{
    static const double weight[3] = {0.25, 0.5, 0.25}, slope[3] = {-1, 0, 1};
    double gap = 0, gx = 0, gy = 0, t = 0;
    for (int n = 0; n < 27; n++) {
        const int k = n / 9, j = n / 3 % 3, i = n % 3;
        const double b = c->p.b[n];
        gap += weight[k] * weight[j] * weight[i] * b;
        gx += weight[k] * weight[j] * slope[i] * b;
        gy += weight[k] * slope[j] * weight[i] * b;
        t += slope[k] * weight[j] * weight[i] * b;
    }
    return gap > 0 && gap < s->cap ? rate_of(s, c, 0, gx / c->width, gy / c->width, t / c->turn) : 0;
}

/* Halves a quadratic: what is left of its coefficients in the lower or upper half. */
static void halve(double *v, ptrdiff_t step, bool upper)
{
    const double a = 0.5 * (v[0] + v[step]), b = 0.5 * (v[step] + v[2 * step]), middle = 0.5 * (a + b);
    if (upper) {
        v[0] = middle;
        v[step] = b;
    } else {
        v[step] = a;
        v[2 * step] = middle;
    }
}

static part eighth_of(const part *c, int which)
{
    const bool x = which & 1, y = which & 2, a = which & 4;
    part e = *c;
    for (int n = 0; n < 9; n++)
        halve(e.p.b + 3 * n, 1, x);
    for (int n = 0; n < 9; n++)
        halve(e.p.b + n / 3 * 9 + n % 3, 3, y);
    for (int n = 0; n < 9; n++)
        halve(e.p.b + n, 9, a);
    e.width = 0.5 * c->width;
    e.turn = 0.5 * c->turn;
    e.x += x ? 0.5 * e.width : -0.5 * e.width;
    e.y += y ? 0.5 * e.width : -0.5 * e.width;
    return e;
}

/* The same from the nodes of a cell: most cells are told by them. */
static bool may_count(const survey *s, int32_t i, int32_t j, int32_t k)
{
    int v[27], low = INT32_MAX, high = INT32_MIN;
    read_cell(s->l, i, j, k, v);
    for (int n = 0; n < 27; n++) {
        low = v[n] < low ? v[n] : low;
        high = v[n] > high ? v[n] : high;
    }
    const double middle = (double)s->l->middle, scale = (double)s->l->scale;
    return middle + scale * high > 0 && middle + scale * low < s->cap;
}

static bool counts(const survey *s, const part *c)
{
    const range r = range_of(&c->p);
    return r.high > 0 && r.low < s->cap;
}

/* Raises the rate to what is certain of the part. */
static void bound_part(survey *s, const part *c, int halvings)
{
    if (!counts(s, c))
        return;
    const double most = rate_most(s, c);
    if (most <= s->rate)
        return;
    if (halvings == 0) {
        s->rate = most;
        return;
    }
    s->rate = fmax(s->rate, spare * rate_in_middle(s, c));
    for (int e = 0; e < 8; e++) {
        const part eighth = eighth_of(c, e);
        bound_part(s, &eighth, halvings - 1);
    }
}

/* All cells of the domain that count: what is certain of them; or (`few`) what is met in the middle of some, for a
 * start. */
static void look_at_cells(survey *s, bool few)
{
    const ts_lattice *l = s->l;
    for (int32_t j = 0; j < l->rows; j++)
        for (int32_t k = 0; k < l->angles; k++) {
            const unsigned char *cell = l->cell + 2 * ((size_t)j * (size_t)l->angles + (size_t)k);
            const int32_t first = first_cell(s, j, l->rows > 1 ? -1 : 0);
            if (cell[0] > cell[1] || first == INT32_MAX)
                continue;
            for (int32_t i = first > cell[0] ? first : cell[0]; i <= cell[1]; i++) {
                if (few && (i + j + k) % FEW != 0)
                    continue;
                part c = {.x = (l->first_x + i) * l->spacing, .y = (l->first_y + j) * l->spacing};
                c.width = l->spacing, c.turn = l->turn;
                if (!may_count(s, i, j, k))
                    continue;
                c.p = make_patch(l, i, j, k);
                if (few)
                    s->rate = fmax(s->rate, spare * rate_in_middle(s, &c));
                else
                    bound_part(s, &c, HALVINGS);
            }
        }
}

/* ---- All of it ---- */

static const ts_clearance nothing = {HUGE_VAL, 0, 0, HUGE_VAL};

ts_clearance ts_table_clearance(const ts_table *table, const ts_fold *fold, const ts_pair *pair)
{
    const ts_lattice *l = &table->gap;
    const bool disc_a = fold->active && fold->turns_a == 0, disc_b = fold->active && fold->turns_b == 0;
    survey s = {.table = table,
                .l = l,
                .fold = fold,
                .wedge = disc_a ? LINE : (wedge)(fold->turns_a * (fold->mirror ? 2 : 1)),
                .radius_a = pair->radius_a,
                .radius_b = pair->radius_b,
                .cap = table->form.far,
                .rate = 1,
                .certain = true};
    /* a table of another fold, which a file may claim */
    if ((l->rows == 1) != disc_a || (l->angles == 1) != disc_b || (!disc_a && 4 % fold->turns_a != 0) ||
        (!disc_b && fabs(l->turn * l->angles - fold->period) > 1e-9))
        return nothing;
    look_at_runs(&s);
    look_at_walls(&s);
    look_at_centre(&s);
    if (!s.certain)
        return nothing;
    look_at_cells(&s, true);
    look_at_cells(&s, false);
    const double margin = sum_rounding * (l->bits == 8 ? 127 : 32767) * (double)l->scale;
    return s.rate < HUGE_VAL && s.cap > margin ? (ts_clearance){s.rate, s.cap, margin, HUGE_VAL} : nothing;
}
