/* SPDX-License-Identifier: MIT */
/* Solves the contact problem in an FCLIB file with Siconos, for the test that compares its solution with ours:
 *
 *     siconos FILE [nsgs|lemke] [TOLERANCE] [ITERATIONS] [COPY]
 *
 * FILE is read by FCLIB's own library, the local problem u = W r + q is put together here from M, H, f and w of the
 * global one (not from the local one in the file, so that this is a second opinion on that, too), and solved by
 * fc2d_driver, or in space by fc3d_driver. Prints JSON: status, iterations, v, u, r and by how much the file's own W
 * and q differ. COPY becomes a copy of the file with that solution in it. */
#include <fclib.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>

static void *take(size_t count, size_t size)
{
    void *block = calloc(count > 0 ? count : 1, size);
    if (!block) {
        fprintf(stderr, "siconos: out of memory\n");
        exit(1);
    }
    return block;
}

static void print_numbers(const char *name, const double *x, int count, const char *end)
{
    printf("\"%s\": [", name);
    for (int i = 0; i < count; i++)
        printf("%s%.17g", i ? ", " : "", x[i]);
    printf("]%s\n", end);
}

/* By columns, as we write it. */
static void expect_columns(const struct fclib_matrix *m, const char *name)
{
    if (m->nz != -1) {
        fprintf(stderr, "siconos: %s is not stored by columns\n", name);
        exit(2);
    }
}

/* The entry at (row, column) of a matrix by columns. */
static double entry(const struct fclib_matrix *m, int row, int column)
{
    double sum = 0;
    for (int at = m->p[column]; at < m->p[column + 1]; at++)
        sum += m->i[at] == row ? m->x[at] : 0;
    return sum;
}

/* Dense: problems of tests are small. Column-major, as Siconos has it. */
static void condense(const struct fclib_global *g, const double *mass, double *w, double *q)
{
    const int n = g->H->n, m = g->H->m;
    double *h = take((size_t)n * (size_t)m, sizeof *h);
    for (int j = 0; j < n; j++)
        for (int at = g->H->p[j]; at < g->H->p[j + 1]; at++)
            h[(size_t)j * (size_t)m + (size_t)g->H->i[at]] += g->H->x[at];
    for (int j = 0; j < n; j++) {
        const double *hj = h + (size_t)j * (size_t)m;
        q[j] = g->w[j];
        for (int d = 0; d < m; d++)
            q[j] += hj[d] * g->f[d] / mass[d];
        for (int i = 0; i < n; i++) {
            const double *hi = h + (size_t)i * (size_t)m;
            double sum = 0;
            for (int d = 0; d < m; d++)
                sum += hi[d] * hj[d] / mass[d];
            w[(size_t)j * (size_t)n + (size_t)i] = sum;
        }
    }
    free(h);
}

static double compare_local(const char *path, int n, int rows, const double *w, const double *q, const double *mu)
{
    struct fclib_local *l = fclib_read_local(path);
    double worst = 0, size_w = 0, size_q = 0;
    if (!l || l->W->m != n || l->W->n != n || l->spacedim != rows)
        return HUGE_VAL;
    expect_columns(l->W, "W");
    for (int j = 0; j < n; j++) {
        size_q = fmax(size_q, fabs(q[j]));
        for (int i = 0; i < n; i++)
            size_w = fmax(size_w, fabs(w[(size_t)j * (size_t)n + (size_t)i]));
    }
    for (int j = 0; j < n; j++) {
        worst = fmax(worst, fabs(l->q[j] - q[j]) / size_q);
        worst = fmax(worst, fabs(l->mu[j / rows] - mu[j / rows]));
        for (int i = 0; i < n; i++)
            worst = fmax(worst, fabs(entry(l->W, i, j) - w[(size_t)j * (size_t)n + (size_t)i]) / size_w);
    }
    fclib_delete_local(l);
    return worst;
}

static int copy_with(const char *from, const char *to, double *v, double *u, double *r)
{
    char block[4096];
    size_t got = 0;
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    while (in && out && (got = fread(block, 1, sizeof block, in)) > 0)
        fwrite(block, 1, got, out);
    int done = in && out;
    if (in)
        fclose(in);
    if (out && fclose(out) != 0)
        done = 0;
    struct fclib_solution solution = {v, u, r, NULL};
    return done && fclib_write_solution(&solution, to);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: siconos FILE [nsgs|lemke] [TOLERANCE] [ITERATIONS] [COPY]\n");
        return 2;
    }
    const int lemke = argc > 2 && strcmp(argv[2], "lemke") == 0;
    const double tolerance = argc > 3 ? strtod(argv[3], NULL) : 1e-12;
    const int most = argc > 4 ? (int)strtol(argv[4], NULL, 10) : 100000;
    struct fclib_global *g = fclib_read_global(argv[1]);
    if (!g || (g->spacedim != 2 && g->spacedim != 3) || g->M->m != g->M->n || g->H->m != g->M->m) {
        fprintf(stderr, "siconos: %s holds no global problem of the plane or of space\n", argv[1]);
        return 2;
    }
    expect_columns(g->M, "M");
    expect_columns(g->H, "H");
    const int n = g->H->n, m = g->M->m, rows = g->spacedim;
    double *mass = take((size_t)m, sizeof *mass), *w = take((size_t)n * (size_t)n, sizeof *w),
           *q = take((size_t)n, sizeof *q), *r = take((size_t)n, sizeof *r), *u = take((size_t)n, sizeof *u),
           *v = take((size_t)m, sizeof *v), scale = 0;
    for (int d = 0; d < m; d++)
        mass[d] = entry(g->M, d, d);
    condense(g, mass, w, q);
    double beside = compare_local(argv[1], n, rows, w, q, g->mu);

    /* impulses in a unit in which W is about 1: Siconos compares them with velocities */
    for (int j = 0; j < n; j++)
        scale += w[(size_t)j * (size_t)n + (size_t)j] / n;
    for (size_t k = 0; k < (size_t)n * (size_t)n; k++)
        w[k] /= scale;
    NumericsMatrix *matrix = NM_create_from_data(NM_DENSE, n, n, w);
    FrictionContactProblem *problem = frictionContactProblem_new_with_data(rows, n / rows, matrix, q, g->mu);
    SolverOptions *options = solver_options_create(rows == 3 ? SICONOS_FRICTION_3D_NSGS
                                                   : lemke   ? SICONOS_FRICTION_2D_LEMKE
                                                             : SICONOS_FRICTION_2D_NSGS);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = most;
    int info = (rows == 3 ? fc3d_driver : fc2d_driver)(problem, r, u, options);

    for (int j = 0; j < n; j++) { /* u from r, so that no doubt is left whether it belongs to it */
        u[j] = q[j];
        for (int i = 0; i < n; i++)
            u[j] += w[(size_t)i * (size_t)n + (size_t)j] * r[i];
    }
    for (int j = 0; j < n; j++)
        r[j] /= scale;
    for (int d = 0; d < m; d++)
        v[d] = g->f[d] / mass[d];
    for (int j = 0; j < n; j++)
        for (int at = g->H->p[j]; at < g->H->p[j + 1]; at++)
            v[g->H->i[at]] += g->H->x[at] * r[j] / mass[g->H->i[at]];
    printf("{\"info\": %d, \"iterations\": %d, \"residual\": %.17g, \"beside\": %.17g,\n", info,
           options->iparam[SICONOS_IPARAM_ITER_DONE], options->dparam[SICONOS_DPARAM_RESIDU], beside);
    print_numbers("v", v, m, ",");
    print_numbers("u", u, n, ",");
    print_numbers("r", r, n, "}");
    bool written = argc <= 5 || copy_with(argv[1], argv[5], v, u, r);
    if (!written)
        fprintf(stderr, "siconos: cannot write %s\n", argv[5]);
    free(mass);
    free(q);
    free(r);
    free(u);
    free(v);
    return written ? 0 : 1;
}
