/* SPDX-License-Identifier: MIT */
/* Filling a table: which nodes are needed, what the gap is there, and which coefficients make the spline go through it.
 *
 *     samples on all nodes that may matter ─▶ cells in the band that folded poses reach ─▶ runs of nodes ─▶ coefficients ─▶ bytes
 *
 * The gap's lattice is done first; the arm's then has its values along the normals of that.
 *
 * The gap changes by no more than B moves, and by no more than B's radius times the turn: a block of nodes whose middle
 * is far out of the band is never looked at. Every task writes its own part of an array, so the number of threads does
 * not matter. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "cspace/table_kernel.h"

/* The most nodes that a lattice may span, stored or not: 1 GB of work arrays. */
static const double nodes_most = 6e7;
/* Nodes a side of the blocks that are left out as one. */
enum { block = 4 };
/* Flatter, a gap tells no normal. */
static const double slope_least = 1e-3;

/* A lattice while it is made, all its nodes there. Node (i, j, k) is number (j · angles + k) · width + i. */
typedef struct plan {
    const ts_table_job *job;
    ts_lattice *lattice;
    const ts_table *normals; /* for the arm: a table of the gap alone */
    double deep, far;        /* the band */
    double margin;           /* samples are cut off this far beyond it */
    float *sample;           /* gap; beyond the band by the margin, if not known (nodes) */
    float *arm;              /* of the arm's lattice; NAN: not known (nodes) */
    float *work;             /* (nodes) */
    int32_t *lo, *hi;        /* of the nodes needed in each column (columns) */
    int32_t *work_lo,
        *work_hi; /* of those whose coefficients are worked out: also what the former are images of (columns) */
    double cosine, sine, origin; /* of A's axis; angle of B at the lattice's 0 */
    int first_task;              /* of those under way */
} plan;

static size_t column_count(const ts_lattice *l)
{
    return (size_t)l->rows * (size_t)l->angles;
}

static double node_x(const ts_lattice *l, double i)
{
    return (l->first_x + i) * l->spacing;
}

static double node_y(const ts_lattice *l, double j)
{
    return l->rows == 1 ? 0 : (l->first_y + j) * l->spacing;
}

/* ---- Extent ---- */

/* The box around directions [begin, begin + sector] within the circle of `radius`. */
static void sector_box(double begin, double sector, double radius, double box[4])
{
    double x[2] = {radius * cos(begin), radius * cos(begin + sector)};
    double y[2] = {radius * sin(begin), radius * sin(begin + sector)};
    box[0] = fmin(0, fmin(x[0], x[1])), box[1] = fmax(0, fmax(x[0], x[1]));
    box[2] = fmin(0, fmin(y[0], y[1])), box[3] = fmax(0, fmax(y[0], y[1]));
    /* where the arc passes an axis it reaches the full radius */
    for (int q = -4; q <= 8; q++) {
        double axis = q * TS_PI / 2;
        if (axis < begin || axis > begin + sector)
            continue;
        int side = (q + 8) % 4;
        box[side == 0 ? 1 : side == 1 ? 3 : side == 2 ? 0 : 2] = side == 0 || side == 1 ? radius : -radius;
    }
}

/* A's turns are whole numbers of nodes, but for periods of B, when there is a multiple of this many nodes a period. */
static int32_t nodes_at_once(const ts_fold *fold)
{
    for (int32_t n = 1; n < fold->turns_a; n++)
        if (n * fold->turns_b % fold->turns_a == 0)
            return n;
    return fold->turns_a > 0 ? fold->turns_a : 1;
}

static ts_status set_extent(const ts_table_job *job, const ts_table *table, double spacing, double turn, ts_lattice *l,
                            ts_error *error)
{
    const ts_fold *fold = job->fold;
    double box[4];
    sector_box(0, fold->sector < 2 * TS_PI ? fold->sector : 2 * TS_PI, table->reach + table->form.far, box);
    bool still_a = fold->active && fold->turns_a == 0, still_b = fold->active && fold->turns_b == 0;
    if (still_a)
        box[2] = box[3] = 0;
    const double widest = (box[1] - box[0]) / spacing + 6, rows = still_a ? 1 : (box[3] - box[2]) / spacing + 6;
    const double group = nodes_at_once(fold);
    const double angles = still_b ? 1 : group * fmax(ceil(3 / group), rint(fold->period / turn / group));
    if (!(widest <= TS_LATTICE_WIDTH_MAX && rows <= TS_LATTICE_ROWS_MAX && angles <= TS_LATTICE_TURNS_MAX &&
          widest * rows * angles <= nodes_most))
        return ts_fail(error, TS_BAD_INPUT,
                       "a table with spacing %g and turn %g has %.0f × %.0f × %.0f nodes, more than there may be (%d a "
                       "row, %.0f in all); choose them larger, or a larger error of the map, or its kind exact",
                       spacing, turn, widest, rows, angles, TS_LATTICE_WIDTH_MAX, nodes_most);
    l->spacing = spacing;
    l->first_x = (int32_t)floor(box[0] / spacing) - 2;
    l->width = (int32_t)ceil(box[1] / spacing) + 2 - l->first_x + 1;
    if (l->width > TS_LATTICE_WIDTH_MAX)
        l->width = TS_LATTICE_WIDTH_MAX;
    l->first_y = still_a ? 0 : (int32_t)floor(box[2] / spacing) - 2;
    l->rows = still_a ? 1 : (int32_t)ceil(box[3] / spacing) + 2 - l->first_y + 1;
    l->angles = (int32_t)angles;
    l->turn = still_b ? 2 * TS_PI : fold->period / angles;
    return TS_OK;
}

/* ---- What folding leaves ---- */

/* True when a folded pose comes within `slack` of (x, y). */
static bool reached(const plan *p, double x, double y, double slack)
{
    const double limit = p->job->fold->sector;
    double direction = atan2(y, x);
    if (direction < 0)
        direction += 2 * TS_PI;
    if (direction <= limit || limit >= 2 * TS_PI - 1e-9 || x * x + y * y <= slack * slack)
        return true;
    double c = cos(limit), s = sin(limit), along = c * x + s * y, aside = c * y - s * x;
    return (x > 0 && fabs(y) <= slack) || (along > 0 && fabs(aside) <= slack);
}

/* In the folded domain, walls and all, or (`inner` = 1) strictly within? (x, y) in nodes from A's centre. */
static bool in_domain(const ts_fold *fold, int32_t x, int32_t y, int32_t inner)
{
    if (fold->turns_a == 4 && fold->mirror)
        return y >= inner && x - y >= inner;
    if (fold->turns_a == 4 || (fold->turns_a == 2 && fold->mirror))
        return x >= inner && y >= inner;
    return y >= inner;
}

/* The node that a node has its values from: of all that symmetry makes equal to it, the first that lies in the folded
 * domain. */
static size_t original(const plan *p, int32_t i, int32_t j, int32_t k)
{
    const ts_lattice *l = p->lattice;
    const ts_fold *fold = p->job->fold;
    const size_t itself = ((size_t)j * (size_t)l->angles + (size_t)k) * (size_t)l->width + (size_t)i;
    const int32_t turns = fold->turns_a, x = l->first_x + i, y = l->first_y + j;
    if (l->rows == 1 || (turns == 1 && !fold->mirror) || in_domain(fold, x, y, 1))
        return itself;
    const int32_t step = l->angles == 1 ? 0 : (int32_t)((int64_t)l->angles * fold->turns_b / turns % l->angles);
    size_t first = SIZE_MAX;
    for (int32_t m = 0; m < turns; m++)
        for (int32_t mirror = 0; mirror <= fold->mirror; mirror++) {
            static const int32_t cosine[4] = {1, 0, -1, 0};
            const int32_t c = cosine[m * 4 / turns], s = cosine[(m * 4 / turns + 3) % 4], v = mirror ? -y : y;
            const int32_t to_x = c * x - s * v, to_y = s * x + c * v;
            const int32_t column = to_x - l->first_x, row = to_y - l->first_y;
            if (column < 0 || column >= l->width || row < 0 || row >= l->rows || !in_domain(fold, to_x, to_y, 0))
                continue;
            const int64_t turn = ((int64_t)m * step + (mirror ? -k : k)) % l->angles;
            const size_t at =
                ((size_t)row * (size_t)l->angles + (size_t)(turn < 0 ? turn + l->angles : turn)) * (size_t)l->width +
                (size_t)column;
            first = at < first ? at : first;
        }
    return first == SIZE_MAX ? itself : first;
}

/* ---- Samples ---- */

/* By how much the gap can differ at (dx, dy, turn) from here. A contact point is at most radius_b and half the gap from
 * B. */
static double change_most(const plan *p, double nodes)
{
    const ts_lattice *l = p->lattice;
    double across = l->rows > 1 ? 1.4142135623730951 : 1, about = p->job->pair->radius_b + 0.5 * p->far + p->margin;
    return nodes * (across * l->spacing + (l->angles > 1 ? l->turn * about : 0));
}

/* The true gap and arm at a pose of the lattice. */
static ts_exact_contact truth_at(const plan *p, double x, double y, double angle, double band)
{
    return ts_exact_at(p->job->exact, p->cosine * x - p->sine * y, p->sine * x + p->cosine * y, angle + p->origin,
                       band);
}

/* n at a node as queries will have it: the table's own where it knows one, else the true one. Between nodes the arm is
 * a mean of theirs, and where the true normal jumps, a mean of arms along different normals is the arm of no point at
 * all. */
static ts_vec2 normal_at(const plan *p, double x, double y, double angle, const ts_exact_contact *truth)
{
    ts_fields f;
    f.x[0] = p->cosine * x - p->sine * y;
    f.y[0] = p->sine * x + p->cosine * y;
    f.angle[0] = angle + p->origin;
    ts_table_query(p->normals, 1, &f);
    ts_vec2 n = {f.gx[0], f.gy[0]};
    bool known = f.gap[0] > -p->deep && f.gap[0] < p->far && ts_vec2_length(n) > slope_least;
    return ts_vec2_unit(known ? n : (ts_vec2){truth->gradient[0], truth->gradient[1]});
}

static void put_sample(plan *p, size_t node, double x, double y, double angle)
{
    double low = -p->deep - p->margin, high = p->far + p->margin;
    ts_exact_contact c = truth_at(p, x, y, angle, fmax(-low, high));
    p->sample[node] = (float)fmin(fmax(c.gap, low), high);
    if (!p->arm)
        return;
    p->arm[node] = NAN;
    if (!(c.gap > low && c.gap < high && hypot(c.gradient[0], c.gradient[1]) > slope_least))
        return;
    /* what is more than midway between the centres */
    ts_vec2 n = normal_at(p, x, y, angle, &c), centre = {p->cosine * x - p->sine * y, p->sine * x + p->cosine * y};
    p->arm[node] = (float)ts_vec2_dot(ts_vec2_add_scaled((ts_vec2){c.point[0], c.point[1]}, centre, -0.5), n);
}

/* One block of columns, all along x. */
static void sample_task(void *context, int task, int thread)
{
    (void)thread;
    plan *p = context;
    const ts_lattice *l = p->lattice;
    task += p->first_task;
    const int32_t across = (l->angles + block - 1) / block;
    const int32_t j0 = task / across * block, k0 = task % across * block;
    const int32_t j1 = j0 + block < l->rows ? j0 + block : l->rows,
                  k1 = k0 + block < l->angles ? k0 + block : l->angles;
    const double low = -p->deep - p->margin, high = p->far + p->margin;
    const double most = change_most(p, 0.5 * (block - 1)), outer = p->job->pair->reach + high;
    for (int32_t i0 = 0; i0 < l->width; i0 += block) {
        const int32_t i1 = i0 + block < l->width ? i0 + block : l->width;
        const double x = node_x(l, 0.5 * (i0 + i1 - 1)), y = node_y(l, 0.5 * (j0 + j1 - 1)),
                     angle = 0.5 * (k0 + k1 - 1) * l->turn;
        double out = 0; /* the value of all, when it is known that they are beyond the band */
        if (hypot(x, y) > outer + 1.5 * block * l->spacing) {
            out = high;
        } else {
            ts_exact_contact c = truth_at(p, x, y, angle, fmax(high, -low) + most);
            out = c.gap - most > high ? high : c.gap + most < low ? low : 0;
        }
        for (int32_t j = j0; j < j1; j++)
            for (int32_t k = k0; k < k1; k++)
                for (int32_t i = i0; i < i1; i++) {
                    size_t node = ((size_t)j * (size_t)l->angles + (size_t)k) * (size_t)l->width + (size_t)i;
                    bool needed = out == 0 && original(p, i, j, k) == node &&
                                  reached(p, node_x(l, i), node_y(l, j), 2.9 * l->spacing);
                    if (!needed) {
                        p->sample[node] = (float)(out != 0 ? out : high);
                        if (p->arm)
                            p->arm[node] = NAN;
                    } else {
                        put_sample(p, node, node_x(l, i), node_y(l, j), k * l->turn);
                    }
                }
    }
}

/* What stands at the original, at all its images. */
static void image_task(void *context, int task, int thread)
{
    (void)thread;
    plan *p = context;
    const ts_lattice *l = p->lattice;
    for (int32_t i = 0; i < l->width; i++) {
        size_t node = (size_t)task * (size_t)l->width + (size_t)i;
        size_t from = original(p, i, task / l->angles, task % l->angles);
        if (from == node)
            continue;
        p->sample[node] = p->sample[from];
        if (p->arm)
            p->arm[node] = p->arm[from];
    }
}

/* ---- Cells ---- */

/* The sample at half steps from node (i, j, k): the mean of the nodes next to it. */
static double half_sample(const plan *p, int32_t i, int32_t j, int32_t k, const int32_t half[3])
{
    const ts_lattice *l = p->lattice;
    double sum = 0;
    int count = 0;
    for (int c = 0; c < 8; c++) {
        int32_t at[3] = {i, j, k};
        bool skip = false;
        for (int d = 0; d < 3; d++) {
            /* half step h between nodes floor(h / 2) and ceil(h / 2) */
            int32_t h = half[d], low = h >= 0 ? h / 2 : -1, high = h > 0 ? (h + 1) / 2 : 0;
            skip |= (c >> d & 1) && low == high;
            at[d] += c >> d & 1 ? high : low;
        }
        if (skip)
            continue;
        if (l->rows == 1)
            at[1] = 0;
        at[2] = (at[2] % l->angles + l->angles) % l->angles;
        if (at[0] < 0 || at[0] >= l->width || at[1] < 0 || at[1] >= l->rows)
            continue;
        sum +=
            (double)p->sample[((size_t)at[1] * (size_t)l->angles + (size_t)at[2]) * (size_t)l->width + (size_t)at[0]];
        count++;
    }
    return count ? sum / count : p->far + p->margin;
}

/* Of the 27 points of a cell's corners, edges and middle: is one in the band and reached? Tells the side of those
 * reached. */
static bool cell_needed(const plan *p, int32_t i, int32_t j, int32_t k, int *deep)
{
    const ts_lattice *l = p->lattice;
    const int32_t begin = l->linear ? 0 : -1, end = begin + 2;
    const int32_t y0 = l->rows > 1 ? begin : 0, y1 = l->rows > 1 ? end : 0;
    const int32_t k0 = l->angles > 1 ? begin : 0, k1 = l->angles > 1 ? end : 0;
    const double slack = 0.36 * l->spacing;
    for (int32_t c = k0; c <= k1; c++)
        for (int32_t b = y0; b <= y1; b++)
            for (int32_t a = begin; a <= end; a++) {
                double g = half_sample(p, i, j, k, (int32_t[3]){a, b, c});
                bool in = g >= -p->deep && g <= p->far;
                if (!in && g > 0)
                    continue;
                if (!reached(p, node_x(l, i + 0.5 * a), node_y(l, j + 0.5 * b), slack))
                    continue;
                if (in)
                    return true;
                *deep = 1;
            }
    return false;
}

static void cell_task(void *context, int task, int thread)
{
    (void)thread;
    plan *p = context;
    const ts_lattice *l = p->lattice;
    const int32_t j = task / l->angles, k = task % l->angles;
    unsigned char *cell = l->cell + 2 * (size_t)task;
    int deep = 0;
    cell[0] = TS_LATTICE_EMPTY;
    cell[1] = TS_LATTICE_FAR;
    if (l->rows > 1 && (j < 1 || j > l->rows - 2))
        return;
    int32_t first = 1, last = l->width - 2;
    while (first <= last && !cell_needed(p, first, j, k, &deep))
        first++;
    if (first > last) {
        cell[1] = deep ? TS_LATTICE_DEEP : TS_LATTICE_FAR;
        return;
    }
    while (!cell_needed(p, last, j, k, &deep))
        last--;
    cell[0] = (unsigned char)first;
    cell[1] = (unsigned char)last;
}

/* Runs of nodes: whatever the cells of the columns around need. Returns the number of values. */
static size_t set_runs(plan *p)
{
    ts_lattice *l = p->lattice;
    const int32_t before = l->linear ? 0 : 1;
    for (size_t c = 0; c < column_count(l); c++)
        p->lo[c] = INT32_MAX, p->hi[c] = -1;
    for (int32_t j = 0; j < l->rows; j++)
        for (int32_t k = 0; k < l->angles; k++) {
            const unsigned char *cell = l->cell + 2 * ((size_t)j * (size_t)l->angles + (size_t)k);
            if (cell[0] > cell[1])
                continue;
            for (int32_t b = -before; b <= 1; b++)
                for (int32_t a = -before; a <= 1; a++) {
                    int32_t row = l->rows == 1 ? 0 : j + b, turn = ((k + a) % l->angles + l->angles) % l->angles;
                    size_t c = (size_t)row * (size_t)l->angles + (size_t)turn;
                    p->lo[c] = p->lo[c] < cell[0] - before ? p->lo[c] : cell[0] - before;
                    p->hi[c] = p->hi[c] > cell[1] + 1 ? p->hi[c] : cell[1] + 1;
                }
        }
    size_t count = 0;
    for (size_t c = 0; c < column_count(l); c++) {
        l->base[c] = 0;
        if (p->lo[c] > p->hi[c])
            continue;
        l->base[c] = (int32_t)count - p->lo[c];
        count += (size_t)(p->hi[c] - p->lo[c] + 1);
    }
    return count;
}

/* ---- Coefficients ---- */

/* The spline of coefficients `from` at a node. */
static double spline_at_node(const plan *p, const float *from, int32_t i, int32_t j, int32_t k)
{
    const ts_lattice *l = p->lattice;
    static const double weight[3] = {0.125, 0.75, 0.125};
    double sum = 0;
    for (int b = 0; b < 3; b++) {
        int32_t row = j + b - 1;
        row = row < 0 || row >= l->rows ? j : row;
        for (int a = 0; a < 3; a++) {
            int32_t turn = (k + a - 1 + l->angles) % l->angles;
            const float *v = from + ((size_t)row * (size_t)l->angles + (size_t)turn) * (size_t)l->width + i;
            double left = i > 0 ? (double)v[-1] : (double)v[0], right = i + 1 < l->width ? (double)v[1] : (double)v[0];
            sum += weight[b] * weight[a] * (0.75 * (double)v[0] + 0.125 * (left + right));
        }
    }
    return sum;
}

/* Coefficients from samples: each round moves them by what the spline misses at its node (eigenvalues of the spline's
 * values at nodes lie between 1/8 and 1, so the miss falls by 0.78 a round at least). */
typedef struct sweep {
    plan *plan;
    const float *from;
    float *to;
} sweep;

static void sweep_task(void *context, int task, int thread)
{
    (void)thread;
    sweep *s = context;
    const plan *p = s->plan;
    const ts_lattice *l = p->lattice;
    const int32_t j = task / l->angles, k = task % l->angles;
    const size_t row = (size_t)task * (size_t)l->width;
    for (int32_t i = p->work_lo[task]; i <= p->work_hi[task]; i++)
        if (original(p, i, j, k) == row + (size_t)i)
            s->to[row + (size_t)i] =
                s->from[row + (size_t)i] +
                (float)(1.7 * ((double)p->sample[row + (size_t)i] - spline_at_node(p, s->from, i, j, k)));
}

static void sweep_images_task(void *context, int task, int thread)
{
    (void)thread;
    sweep *s = context;
    const plan *p = s->plan;
    const ts_lattice *l = p->lattice;
    const size_t row = (size_t)task * (size_t)l->width;
    for (int32_t i = p->work_lo[task]; i <= p->work_hi[task]; i++)
        s->to[row + (size_t)i] = s->to[original(p, i, task / l->angles, task % l->angles)];
}

/* What is stored, and what that is an image of. */
static void set_work(plan *p)
{
    const ts_lattice *l = p->lattice;
    const size_t columns = column_count(l);
    memcpy(p->work_lo, p->lo, columns * sizeof *p->lo);
    memcpy(p->work_hi, p->hi, columns * sizeof *p->hi);
    for (size_t c = 0; c < columns; c++)
        for (int32_t i = p->lo[c]; i <= p->hi[c]; i++) {
            size_t from = original(p, i, (int32_t)(c / (size_t)l->angles), (int32_t)(c % (size_t)l->angles));
            size_t column = from / (size_t)l->width;
            int32_t at = (int32_t)(from % (size_t)l->width);
            p->work_lo[column] = p->work_lo[column] < at ? p->work_lo[column] : at;
            p->work_hi[column] = p->work_hi[column] > at ? p->work_hi[column] : at;
        }
}

static void solve_coefficients(plan *p, float *other)
{
    const size_t nodes = column_count(p->lattice) * (size_t)p->lattice->width;
    memcpy(p->work, p->sample, nodes * sizeof *p->work);
    memcpy(other, p->sample, nodes * sizeof *other);
    set_work(p);
    const int rounds = 16; /* even, so that the last one ends in `work` */
    for (int r = 0; r < rounds; r++) {
        sweep s = {p, r % 2 ? other : p->work, r % 2 ? p->work : other};
        ts_pool_run(p->job->pool, (int)column_count(p->lattice), sweep_task, &s);
        ts_pool_run(p->job->pool, (int)column_count(p->lattice), sweep_images_task, &s);
    }
}

/* Arms where there are none: the mean of the neighbours that have one, wave after wave. */
static void spread_arms(plan *p)
{
    const ts_lattice *l = p->lattice;
    const size_t nodes = column_count(l) * (size_t)l->width;
    for (int round = 0; round < 3; round++) {
        memcpy(p->work, p->arm, nodes * sizeof *p->work);
        for (int32_t j = 0; j < l->rows; j++)
            for (int32_t k = 0; k < l->angles; k++)
                for (int32_t i = 0; i < l->width; i++) {
                    size_t at = ((size_t)j * (size_t)l->angles + (size_t)k) * (size_t)l->width + (size_t)i;
                    if (!isnan(p->work[at]))
                        continue;
                    double sum = 0, count = 0;
                    for (int d = 0; d < 6; d++) {
                        int32_t n[3] = {i, j, k};
                        n[d / 2] += d % 2 ? 1 : -1;
                        n[2] = (n[2] + l->angles) % l->angles;
                        if (n[0] < 0 || n[0] >= l->width || n[1] < 0 || n[1] >= l->rows)
                            continue;
                        float v = p->work[((size_t)n[1] * (size_t)l->angles + (size_t)n[2]) * (size_t)l->width +
                                          (size_t)n[0]];
                        if (!isnan(v))
                            sum += (double)v, count++;
                    }
                    if (count > 0)
                        p->arm[at] = (float)(sum / count);
                }
    }
    for (size_t n = 0; n < nodes; n++)
        if (isnan(p->arm[n]))
            p->arm[n] = 0;
}

/* ---- Bytes ---- */

static void put_values(plan *p, const float *from)
{
    ts_lattice *l = p->lattice;
    double low = HUGE_VAL, high = -HUGE_VAL, top = l->bits == 8 ? 127 : 32767;
    for (size_t c = 0; c < column_count(l); c++)
        for (int32_t i = p->lo[c]; i <= p->hi[c]; i++) {
            low = fmin(low, (double)from[c * (size_t)l->width + (size_t)i]);
            high = fmax(high, (double)from[c * (size_t)l->width + (size_t)i]);
        }
    if (!(low <= high))
        low = high = 0;
    l->middle = (float)(0.5 * (low + high));
    l->scale = high > low ? (float)(0.5 * (high - low) / top) : 1e-30F;
    unsigned char *to = l->value;
    for (size_t c = 0; c < column_count(l); c++)
        for (int32_t i = p->lo[c]; i <= p->hi[c]; i++) {
            double v = ((double)from[c * (size_t)l->width + (size_t)i] - (double)l->middle) / (double)l->scale;
            int q = (int)rint(fmin(fmax(v, -top), top));
            *to++ = (unsigned char)(q & 255);
            if (l->bits == 16)
                *to++ = (unsigned char)(q >> 8 & 255);
        }
}

/* ---- All of it ---- */

static void plan_free(plan *p)
{
    ts_free(p->sample);
    ts_free(p->arm);
    ts_free(p->work);
    ts_free(p->lo);
    ts_free(p->hi);
    ts_free(p->work_lo);
    ts_free(p->work_hi);
}

static bool go_on(const ts_table_job *job, double done, const char *what)
{
    return !job->progress || job->progress(job->user, done, what);
}

/* Samples in a few parts, so that progress can be told and making stopped. */
static ts_status take_samples(plan *p, double from, double share, ts_error *error)
{
    const ts_lattice *l = p->lattice;
    const int tasks = (l->rows + block - 1) / block * ((l->angles + block - 1) / block), parts = tasks < 20 ? 1 : 20;
    for (int part = 0; part < parts; part++) {
        p->first_task = tasks * part / parts;
        ts_pool_run(p->job->pool, tasks * (part + 1) / parts - p->first_task, sample_task, p);
        if (!go_on(p->job, from + share * (part + 1) / parts, "tabulating"))
            return ts_fail(error, TS_INTERRUPTED, "making the table was stopped");
    }
    return TS_OK;
}

static ts_status fill_lattice(plan *p, double from, double share, ts_error *error)
{
    ts_lattice *l = p->lattice;
    const size_t columns = column_count(l), nodes = columns * (size_t)l->width;
    float *other = NULL;
    p->sample = ts_alloc_raw(nodes, sizeof *p->sample);
    p->work = ts_alloc_raw(nodes, sizeof *p->work);
    p->lo = ts_alloc_raw(columns, sizeof *p->lo);
    p->hi = ts_alloc_raw(columns, sizeof *p->hi);
    p->work_lo = ts_alloc_raw(columns, sizeof *p->work_lo);
    p->work_hi = ts_alloc_raw(columns, sizeof *p->work_hi);
    if (l->linear)
        p->arm = ts_alloc_raw(nodes, sizeof *p->arm);
    if (!p->sample || !p->work || !p->lo || !p->hi || !p->work_lo || !p->work_hi || (l->linear && !p->arm))
        return ts_fail_memory(error, nodes * sizeof *p->sample);
    TS_TRY(ts_lattice_columns(l, error));
    TS_TRY(take_samples(p, from, share, error));
    ts_pool_run(p->job->pool, (int)columns, image_task, p);
    ts_pool_run(p->job->pool, (int)columns, cell_task, p);
    TS_TRY(ts_lattice_values(l, set_runs(p), error));
    if (l->linear) {
        spread_arms(p);
        ts_pool_run(p->job->pool, (int)columns, image_task, p);
        put_values(p, p->arm);
        return TS_OK;
    }
    TS_TRY(ts_new_raw(&other, nodes, error));
    solve_coefficients(p, other);
    ts_free(other);
    put_values(p, p->work);
    return TS_OK;
}

ts_status ts_table_fill(const ts_table_job *job, ts_table *table, ts_error *error)
{
    const ts_table_form *form = &table->form;
    for (int which = 0; which < 2; which++) {
        ts_lattice *l = which ? &table->arm : &table->gap;
        double coarse = which ? 1.5 : 1;
        l->linear = which;
        l->bits = which ? 8 : form->bits;
        TS_TRY(set_extent(job, table, coarse * form->spacing, coarse * form->turn, l, error));
        ts_table alone = *table;
        alone.arm =
            (ts_lattice){.spacing = 1, .turn = 1, .angles = 1, .linear = 1}; /* of no rows: every pose is beyond it */
        TS_AUTO(plan_free)
        plan p = {.job = job,
                  .lattice = l,
                  .normals = &alone,
                  .deep = form->deep,
                  .far = form->far,
                  .margin = 2.5 * form->spacing};
        p.cosine = cos(table->axis), p.sine = sin(table->axis), p.origin = table->origin;
        TS_TRY(fill_lattice(&p, which ? 0.85 : 0, which ? 0.15 : 0.85, error));
    }
    return TS_OK;
}
