/* SPDX-License-Identifier: MIT */
/* Smooth bodies without a simulation: where a pillow and a screw-like blob touch, and how the deepest gap changes when
 * the blob is moved or turned. */
#include <stdio.h>
#include <stdlib.h>

#include <touchstone/touchstone.h>

static ts_smooth *make(const ts_smooth_piece *piece, size_t count, ts_error *error)
{
    ts_smooth *body = NULL;
    ts_smooth_def def = ts_default_smooth();
    def.piece = piece;
    def.piece_count = count;
    ts_smooth_create(&def, &body, error);
    return body;
}

/* The contact that counts most: the deepest of those with some weight. */
static size_t deepest(const ts_manifold_contacts *contacts, size_t count)
{
    size_t best = 0;
    for (size_t i = 0; i < count; i++)
        if (contacts->weight[i] > 0.5 && contacts->gap[i] < contacts->gap[best])
            best = i;
    return best;
}

static ts_status look(const ts_manifold *manifold, ts_error *error)
{
    const size_t count = ts_manifold_get_counts(manifold).all;
    const ts_manifold_pose below = {.attitude = {1, 0, 0, 0}};
    const ts_manifold_pose above = {.position = {0.02, 0, 0.13}, .attitude = {1, 0, 0, 0}};
    ts_manifold_contacts to = {.point = calloc(count, sizeof *to.point),
                               .gap = calloc(count, sizeof *to.gap),
                               .normal = calloc(count, sizeof *to.normal),
                               .weight = calloc(count, sizeof *to.weight)};
    double *gap_bar = calloc(count, sizeof *gap_bar);
    ts_manifold_work *work = NULL;
    ts_status status = ts_manifold_work_create(manifold, &work, error);
    if (status == TS_OK)
        status = ts_manifold_find(manifold, work, &below, &above, &to, error);
    if (status == TS_OK) {
        const size_t best = deepest(&to, count);
        const double *n = to.normal[best], *p = to.point[best];
        printf("%zu contacts; the deepest: gap %.4f m at (%.3f, %.3f, %.3f), normal (%.3f, %.3f, %.3f)\n", count,
               to.gap[best], p[0], p[1], p[2], n[0], n[1], n[2]);

        /* the derivative of that gap with respect to both poses */
        ts_manifold_pose_bar of_below = {{0}, {0}}, of_above = {{0}, {0}};
        gap_bar[best] = 1;
        status = ts_manifold_find_vjp(manifold, work, NULL, &(ts_manifold_contacts){.gap = gap_bar}, &of_below,
                                      &of_above, error);
        printf("raised by 1 mm it would be %+.3f mm, turned about y by 1 degree %+.3f mm\n", of_above.position[2],
               1e3 * of_above.turn[1] * 3.14159265358979 / 180);
    }
    ts_manifold_work_free(work);
    free(to.point);
    free(to.gap);
    free(to.normal);
    free(to.weight);
    free(gap_bar);
    return status;
}

int main(void)
{
    const ts_smooth_piece pillow = {.kind = TS_SMOOTH_SUPERQUADRIC, .size = {0.15, 0.1, 0.05}, .exponents = {0.6, 0.4}};
    const ts_smooth_piece blob[3] = {
        {.kind = TS_SMOOTH_SUPERQUADRIC, .size = {0.05, 0.05, 0.08}, .exponents = {1, 1}, .position = {0, 0, 0.02}},
        {.kind = TS_SMOOTH_SUPERQUADRIC, .size = {0.1, 0.02, 0.02}, .exponents = {0.5, 1}},
        {.kind = TS_SMOOTH_SUPERQUADRIC, .size = {0.02, 0.1, 0.02}, .exponents = {0.5, 1}, .position = {0, 0, 0.04}},
    };
    ts_error error = {0};
    ts_smooth *a = make(&pillow, 1, &error), *b = make(blob, 3, &error);
    ts_manifold *manifold = NULL;
    const ts_manifold_options options = ts_manifold_default_options();
    ts_status status = a && b ? ts_manifold_create(a, b, &options, &manifold, &error) : error.status;
    if (status == TS_OK)
        status = look(manifold, &error);
    if (status != TS_OK)
        fprintf(stderr, "%s\n", error.message);
    ts_manifold_free(manifold);
    ts_smooth_free(a);
    ts_smooth_free(b);
    return status == TS_OK ? 0 : 1;
}
