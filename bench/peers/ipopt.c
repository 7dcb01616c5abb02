/* SPDX-License-Identifier: MIT */
/* The peer of `touchstone bench impact`: contact programs by Ipopt with MUMPS, through its C interface.
 *
 *     ipopt PROGRAM ANSWER FORM STRATEGY TOLERANCE
 *
 * PROGRAM: rows, blocks and dof (uint64), then a and b of every row (int32), ga and gb (rows · dof doubles), b (rows
 * doubles), as this machine has them; src/solve/qp.h says what they mean. ANSWER gets y (rows doubles). Printed are
 * Ipopt's version and return code (0: solved, 1: to an acceptable level), its iterations, and the seconds on the wall
 * and of the processor that it took, without reading and without putting together the matrices, which it is handed
 * ready-made. They are constant, and it is told so.
 *
 *     FORM       impulses      min ½ yᵀAy + bᵀy over y ≥ 0, the exact Hessian A given, bounds as bounds
 *                velocities    min ½ |v|² over Gᵀv + b ≥ 0; y are the multipliers
 *     STRATEGY   monotone, adaptive (for the barrier's parameter), mehrotra
 */
#include <IpStdCInterface.h>
#include <IpoptConfig.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define INFINITE 2e19 /* what Ipopt takes for that */

typedef struct program {
    uint64_t rows, blocks, dof;
    int32_t *a, *b;
    double *ga, *gb, *linear;

    /* A's lower triangle, by rows */
    int32_t *row, *column;
    double *entry;
    size_t entries;

    double *velocity, *slack; /* scratch: G y (blocks · dof), A y (rows) */
    int iterations;
} program;

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- Reading ---- */

static int read_array(FILE *file, void *place, size_t count, size_t size)
{
    void *block = malloc((count + 1) * size);
    *(void **)place = block;
    return block && fread(block, size, count, file) == count;
}

static int indices_fit(const program *p)
{
    for (size_t i = 0; i < p->rows; i++)
        if (p->a[i] < -1 || p->b[i] < -1 || p->a[i] >= (int64_t)p->blocks || p->b[i] >= (int64_t)p->blocks ||
            (p->a[i] >= 0 && p->a[i] == p->b[i]))
            return 0;
    return 1;
}

static int read_program(const char *path, program *p)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    uint64_t head[3] = {0};
    int fine = fread(head, sizeof *head, 3, file) == 3 && head[0] < 1u << 28 && head[1] < 1u << 28 && head[2] <= 6;
    p->rows = head[0];
    p->blocks = head[1];
    p->dof = head[2];
    fine = fine && read_array(file, &p->a, p->rows, sizeof *p->a) && read_array(file, &p->b, p->rows, sizeof *p->b) &&
           read_array(file, &p->ga, p->rows * p->dof, sizeof *p->ga) &&
           read_array(file, &p->gb, p->rows * p->dof, sizeof *p->gb) &&
           read_array(file, &p->linear, p->rows, sizeof *p->linear) && indices_fit(p);
    fclose(file);
    p->velocity = calloc(p->blocks * p->dof + 1, sizeof *p->velocity);
    p->slack = calloc(p->rows + 1, sizeof *p->slack);
    return fine && p->velocity && p->slack;
}

static void free_program(program *p)
{
    void *all[] = {p->a, p->b, p->ga, p->gb, p->linear, p->row, p->column, p->entry, p->velocity, p->slack};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

/* ---- Products ---- */

static int32_t block_of(const program *p, size_t i, int side)
{
    return side ? p->b[i] : p->a[i];
}

static const double *row_of(const program *p, size_t i, int side)
{
    return (side ? p->gb : p->ga) + i * p->dof;
}

/* (Gᵀv)ᵢ */
static double along(const program *p, size_t i, const double *v)
{
    double sum = 0;
    for (int side = 0; side < 2; side++)
        for (size_t k = 0; block_of(p, i, side) >= 0 && k < p->dof; k++)
            sum += row_of(p, i, side)[k] * v[(size_t)block_of(p, i, side) * p->dof + k];
    return sum;
}

/* s = A y */
static void multiply(program *p, const double *y, double *s)
{
    memset(p->velocity, 0, p->blocks * p->dof * sizeof *p->velocity);
    for (size_t i = 0; i < p->rows; i++)
        for (int side = 0; side < 2; side++)
            for (size_t k = 0; block_of(p, i, side) >= 0 && k < p->dof; k++)
                p->velocity[(size_t)block_of(p, i, side) * p->dof + k] += row_of(p, i, side)[k] * y[i];
    for (size_t i = 0; i < p->rows; i++)
        s[i] = along(p, i, p->velocity);
}

static double dot(const program *p, const double *x, const double *y)
{
    double sum = 0;
    for (size_t k = 0; k < p->dof; k++)
        sum += x[k] * y[k];
    return sum;
}

/* Rows of each block: of[begin[k]] … of[begin[k + 1] - 1], ascending. */
static int list_rows(const program *p, size_t **begin, int32_t **of)
{
    *begin = calloc(p->blocks + 2, sizeof **begin);
    *of = malloc((2 * p->rows + 1) * sizeof **of);
    if (!*begin || !*of)
        return 0;
    /* counted two places ahead and filled in one place ahead, which leaves every begin where it belongs */
    for (size_t i = 0; i < p->rows; i++)
        for (int side = 0; side < 2; side++)
            if (block_of(p, i, side) >= 0)
                (*begin)[block_of(p, i, side) + 2]++;
    for (size_t k = 2; k < p->blocks + 2; k++)
        (*begin)[k] += (*begin)[k - 1];
    for (size_t i = 0; i < p->rows; i++)
        for (int side = 0; side < 2; side++)
            if (block_of(p, i, side) >= 0)
                (*of)[(*begin)[block_of(p, i, side) + 1]++] = (int32_t)i;
    return 1;
}

/* A's lower triangle; the diagonal comes last in each row, once, other entries once for each block that two rows share.
 * */
static int make_matrix(program *p)
{
    size_t *begin, capacity = 0;
    int32_t *of;
    int fine = list_rows(p, &begin, &of);
    for (size_t k = 0; fine && k < p->blocks; k++) {
        size_t n = begin[k + 1] - begin[k];
        capacity += n * (n - (n > 0)) / 2;
    }
    capacity += p->rows;
    p->row = malloc(capacity * sizeof *p->row);
    p->column = malloc(capacity * sizeof *p->column);
    p->entry = malloc(capacity * sizeof *p->entry);
    fine = fine && p->row && p->column && p->entry;
    for (size_t i = 0; fine && i < p->rows; i++) {
        double diagonal = 0;
        for (int side = 0; side < 2; side++) {
            int32_t k = block_of(p, i, side);
            const double *own = row_of(p, i, side);
            for (size_t e = k >= 0 ? begin[k] : 0; k >= 0 && of[e] < (int32_t)i; e++) {
                size_t j = (size_t)of[e];
                p->row[p->entries] = (int32_t)i;
                p->column[p->entries] = (int32_t)j;
                p->entry[p->entries++] = dot(p, own, row_of(p, j, p->b[j] == k));
            }
            diagonal += k >= 0 ? dot(p, own, own) : 0;
        }
        p->row[p->entries] = p->column[p->entries] = (int32_t)i;
        p->entry[p->entries++] = diagonal;
    }
    free(begin);
    free(of);
    return fine;
}

/* ---- What Ipopt asks: impulses ---- */

static Bool impulse_value(Index n, Number *y, Bool fresh, Number *value, UserDataPtr user)
{
    program *p = user;
    (void)fresh;
    multiply(p, y, p->slack);
    *value = 0;
    for (Index i = 0; i < n; i++)
        *value += y[i] * (0.5 * p->slack[i] + p->linear[i]);
    return TRUE;
}

static Bool impulse_gradient(Index n, Number *y, Bool fresh, Number *gradient, UserDataPtr user)
{
    program *p = user;
    (void)fresh;
    multiply(p, y, gradient);
    for (Index i = 0; i < n; i++)
        gradient[i] += p->linear[i];
    return TRUE;
}

static Bool impulse_hessian(Index n, Number *y, Bool fresh, Number factor, Index m, Number *multiplier, Bool fresh_too,
                            Index count, Index *row, Index *column, Number *value, UserDataPtr user)
{
    const program *p = user;
    (void)n, (void)y, (void)fresh, (void)m, (void)multiplier, (void)fresh_too;
    for (Index e = 0; e < count; e++)
        if (value) {
            value[e] = factor * p->entry[e];
        } else {
            row[e] = p->row[e];
            column[e] = p->column[e];
        }
    return TRUE;
}

static Bool no_constraints(Index n, Number *x, Bool fresh, Index m, Number *g, UserDataPtr user)
{
    (void)n, (void)x, (void)fresh, (void)m, (void)g, (void)user;
    return TRUE;
}

static Bool no_jacobian(Index n, Number *x, Bool fresh, Index m, Index count, Index *row, Index *column, Number *value,
                        UserDataPtr user)
{
    (void)n, (void)x, (void)fresh, (void)m, (void)count, (void)row, (void)column, (void)value, (void)user;
    return TRUE;
}

/* ---- Velocities ---- */

static Bool velocity_value(Index n, Number *v, Bool fresh, Number *value, UserDataPtr user)
{
    (void)fresh, (void)user;
    *value = 0;
    for (Index i = 0; i < n; i++)
        *value += 0.5 * v[i] * v[i];
    return TRUE;
}

static Bool velocity_gradient(Index n, Number *v, Bool fresh, Number *gradient, UserDataPtr user)
{
    (void)fresh, (void)user;
    memcpy(gradient, v, (size_t)n * sizeof *v);
    return TRUE;
}

static Bool velocity_hessian(Index n, Number *v, Bool fresh, Number factor, Index m, Number *multiplier, Bool fresh_too,
                             Index count, Index *row, Index *column, Number *value, UserDataPtr user)
{
    (void)n, (void)v, (void)fresh, (void)m, (void)multiplier, (void)fresh_too, (void)user;
    for (Index e = 0; e < count; e++)
        if (value)
            value[e] = factor;
        else
            row[e] = column[e] = e;
    return TRUE;
}

static Bool velocity_constraints(Index n, Number *v, Bool fresh, Index m, Number *g, UserDataPtr user)
{
    const program *p = user;
    (void)n, (void)fresh;
    for (Index i = 0; i < m; i++)
        g[i] = along(p, (size_t)i, v);
    return TRUE;
}

static size_t jacobian_count(const program *p)
{
    size_t count = 0;
    for (size_t i = 0; i < p->rows; i++)
        count += p->dof * (size_t)((p->a[i] >= 0) + (p->b[i] >= 0));
    return count;
}

static Bool velocity_jacobian(Index n, Number *v, Bool fresh, Index m, Index count, Index *row, Index *column,
                              Number *value, UserDataPtr user)
{
    const program *p = user;
    size_t e = 0;
    (void)n, (void)v, (void)fresh, (void)count;
    for (Index i = 0; i < m; i++)
        for (int side = 0; side < 2; side++)
            for (size_t k = 0; block_of(p, (size_t)i, side) >= 0 && k < p->dof; k++, e++)
                if (value) {
                    value[e] = row_of(p, (size_t)i, side)[k];
                } else {
                    row[e] = i;
                    column[e] = (Index)((size_t)block_of(p, (size_t)i, side) * p->dof + k);
                }
    return TRUE;
}

/* ---- Solving ---- */

static Bool count_iterations(Index mode, Index count, Number value, Number primal, Number dual, Number barrier,
                             Number step, Number added, Number dual_share, Number share, Index trials, UserDataPtr user)
{
    (void)mode, (void)value, (void)primal, (void)dual, (void)barrier, (void)step, (void)added, (void)dual_share,
        (void)share, (void)trials;
    ((program *)user)->iterations = count;
    return TRUE;
}

static void set_text(IpoptProblem problem, const char *key, const char *value)
{
    AddIpoptStrOption(problem, (char *)(uintptr_t)key, (char *)(uintptr_t)value);
}

static void set_number(IpoptProblem problem, const char *key, double value)
{
    AddIpoptNumOption(problem, (char *)(uintptr_t)key, value);
}

static void set_options(IpoptProblem problem, const char *strategy, double tolerance)
{
    AddIpoptIntOption(problem, (char *)(uintptr_t) "print_level", 0);
    set_text(problem, "sb", "yes");
    set_text(problem, "linear_solver", "mumps");
    set_text(problem, "hessian_constant", "yes");
    set_text(problem, "jac_d_constant", "yes");
    set_number(problem, "tol", tolerance);
    set_number(problem, "dual_inf_tol", tolerance);
    set_number(problem, "compl_inf_tol", tolerance);
    set_number(problem, "constr_viol_tol", tolerance);
    set_number(problem, "bound_relax_factor", 0); /* bounds are bounds */
    if (strcmp(strategy, "mehrotra") == 0)
        set_text(problem, "mehrotra_algorithm", "yes");
    else
        set_text(problem, "mu_strategy", strategy);
}

/* Bounds from `low` on, all alike, or from −b on. */
static double *bounds(size_t count, double all, const double *minus)
{
    double *bound = malloc((count + 1) * sizeof *bound);
    for (size_t i = 0; bound && i < count; i++)
        bound[i] = minus ? -minus[i] : all;
    return bound;
}

static IpoptProblem pose_impulses(program *p)
{
    double *low = bounds(p->rows, 0, NULL), *high = bounds(p->rows, INFINITE, NULL);
    IpoptProblem problem = NULL;
    if (low && high)
        problem = CreateIpoptProblem((Index)p->rows, low, high, 0, NULL, NULL, 0, (Index)p->entries, 0, impulse_value,
                                     no_constraints, impulse_gradient, no_jacobian, impulse_hessian);
    free(low);
    free(high);
    return problem;
}

static IpoptProblem pose_velocities(program *p)
{
    size_t n = p->blocks * p->dof;
    double *low = bounds(n, -INFINITE, NULL), *high = bounds(n, INFINITE, NULL);
    double *least = bounds(p->rows, 0, p->linear), *most = bounds(p->rows, INFINITE, NULL);
    IpoptProblem problem = NULL;
    if (low && high && least && most)
        problem = CreateIpoptProblem((Index)n, low, high, (Index)p->rows, least, most, (Index)jacobian_count(p),
                                     (Index)n, 0, velocity_value, velocity_constraints, velocity_gradient,
                                     velocity_jacobian, velocity_hessian);
    free(low);
    free(high);
    free(least);
    free(most);
    return problem;
}

/* Both begin where someone would who knows nothing: impulses as large as the fastest rate, velocities at zero. */
static int solve(program *p, int by_impulses, char **argv, double *y)
{
    double *v = by_impulses ? NULL : calloc(p->blocks * p->dof + 1, sizeof *v), most = 0;
    if (!by_impulses && !v)
        return -1;
    for (size_t i = 0; i < p->rows; i++)
        most = fmax(most, fabs(p->linear[i]));
    for (size_t i = 0; i < p->rows; i++)
        y[i] = by_impulses ? most : 0;
    double wall = seconds(CLOCK_MONOTONIC), processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
    IpoptProblem problem = by_impulses ? pose_impulses(p) : pose_velocities(p);
    int code = -1;
    if (problem) {
        set_options(problem, argv[4], strtod(argv[5], NULL));
        SetIntermediateCallback(problem, count_iterations);
        code = by_impulses ? (int)IpoptSolve(problem, y, NULL, NULL, NULL, NULL, NULL, p)
                           : (int)IpoptSolve(problem, v, NULL, NULL, y, NULL, NULL, p);
        FreeIpoptProblem(problem);
        printf("version %s\ncode %d\niterations %d\nseconds %.9g\nprocessor %.9g\n", IPOPT_VERSION, code, p->iterations,
               seconds(CLOCK_MONOTONIC) - wall, seconds(CLOCK_PROCESS_CPUTIME_ID) - processor);
    }
    /* its multipliers of g ≥ … are below zero */
    for (size_t i = 0; i < p->rows; i++)
        y[i] = by_impulses ? y[i] : fmax(0, -y[i]);
    free(v);
    return problem ? 0 : -1;
}

int main(int argc, char **argv)
{
    program p = {0};
    if (argc != 6 || !read_program(argv[1], &p)) {
        fprintf(stderr, "ipopt: cannot read the program; usage: ipopt PROGRAM ANSWER FORM STRATEGY TOLERANCE\n");
        free_program(&p);
        return 1;
    }
    int by_impulses = strcmp(argv[3], "impulses") == 0;
    double *y = malloc((p.rows + 1) * sizeof *y);
    FILE *file = fopen(argv[2], "wb");
    int fine = y && file && (!by_impulses || make_matrix(&p)) && solve(&p, by_impulses, argv, y) == 0;
    fine = fine && fwrite(y, sizeof *y, p.rows, file) == p.rows;
    fine = file && fclose(file) == 0 && fine;
    if (!fine)
        fprintf(stderr, "ipopt: out of memory, refused by Ipopt, or %s cannot be written\n", argv[2]);
    free(y);
    free_program(&p);
    return !fine;
}
