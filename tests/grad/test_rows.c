/* SPDX-License-Identifier: MIT */
/* Rows of blocks: their transposed derivatives against central differences, and ⟨Jx, y⟩ = ⟨x, Jᵀy⟩. */
#include <math.h>

#include "support/check.h"

#include "base/random.h"
#include "body/block.h"

enum { CASES = 30, INPUTS = 15 }; /* origin, rotation, point, along, couple */

static double number(uint64_t stream, uint64_t i)
{
    return ts_random_normal(9, stream, i);
}

/* Whatever a row depends on. */
typedef struct input {
    const ts_block_ops *ops;
    ts_inertia top;
    double inv_mass, inv_inertia, sign;
    ts_quat attitude;
    double x[INPUTS]; /* the rotation is about the attitude */
} input;

static ts_vec3 vector(const double *x)
{
    return (ts_vec3){x[0], x[1], x[2]};
}

static ts_block block_of(const input *in)
{
    ts_block block = {.origin = vector(in->x)};
    const ts_quat q = ts_quat_unit(ts_quat_mul(ts_quat_exp(vector(in->x + 3)), in->attitude));
    in->ops->mass(&(ts_block_mass){in->inv_mass, in->inv_inertia, &in->top, q}, &block);
    return block;
}

static void row_of(const input *in, double *row)
{
    const ts_block block = block_of(in);
    in->ops->row(&block, vector(in->x + 6), vector(in->x + 9), vector(in->x + 12), in->sign, row);
}

static void make(const ts_block_ops *ops, uint64_t i, input *in)
{
    *in = (input){.ops = ops, .inv_mass = exp(number(1, i)), .inv_inertia = exp(number(2, i)), .sign = i % 2 ? 1 : -1};
    const double a = exp(0.3 * number(3, i)), b = i % 3 == 0 ? a : 1.2 * a, c = i % 3 < 2 ? a : 0.9 * a;
    OK(ts_inertia_of_moments((ts_vec3){b + c, a + c, a + b}, &in->top, ERROR));
    in->attitude = ts_quat_exp((ts_vec3){number(4, i), number(5, i), number(6, i)});
    for (uint64_t k = 0; k < INPUTS; k++)
        in->x[k] = k >= 3 && k < 6 ? 0 : number(7, INPUTS * i + k);
    if (ops == &ts_plane_block)
        in->x[2] = in->x[8] = in->x[11] = in->x[12] = in->x[13] = 0;
}

/* Of inputs that the kind has: a plane body's row is for its plane. */
static bool counts(const input *in, int k)
{
    return in->ops == &ts_space_block || !(k == 2 || k == 3 || k == 4 || k == 8 || k == 11 || k == 12 || k == 13);
}

static void vjp_of(const input *in, const double *bar, double *to)
{
    ts_row_bar out = {0};
    const ts_block block = block_of(in);
    in->ops->row_vjp(&block, vector(in->x + 6), vector(in->x + 9), vector(in->x + 12), in->sign, bar, &out);
    const ts_vec3 all[5] = {out.origin, out.turn, out.point, out.along, out.couple};
    for (int i = 0; i < 5; i++) {
        to[3 * i] = all[i].x;
        to[3 * i + 1] = all[i].y;
        to[3 * i + 2] = all[i].z;
    }
}

static void rows_have_their_derivatives(void **state)
{
    (void)state;
    const ts_block_ops *const kinds[] = {&ts_plane_block, &ts_space_block};
    for (int kind = 0; kind < 2; kind++)
        for (uint64_t i = 0; i < CASES; i++) {
            input in;
            make(kinds[kind], i, &in);
            const int dof = in.ops->dof;
            const double step = 1e-5;
            double bar[6], adjoint[INPUTS];
            for (int d = 0; d < dof; d++)
                bar[d] = number(8, 6 * i + (uint64_t)d);
            vjp_of(&in, bar, adjoint);
            for (int k = 0; k <= INPUTS; k++) { /* each input alone, then all along one direction: ⟨Jx, y⟩ = ⟨x, Jᵀy⟩ */
                double low[6], high[6], slope = 0, expected = 0;
                input up = in, down = in;
                for (int j = 0; j < INPUTS; j++) {
                    const double way = k == INPUTS ? number(10, INPUTS * i + (uint64_t)j) : j == k;
                    up.x[j] += counts(&in, j) ? step * way : 0;
                    down.x[j] -= counts(&in, j) ? step * way : 0;
                    expected += counts(&in, j) ? adjoint[j] * way : 0;
                }
                row_of(&up, high);
                row_of(&down, low);
                for (int d = 0; d < dof; d++)
                    slope += bar[d] * (high[d] - low[d]) / (2 * step);
                NEAR(expected, slope, 1e-7 * (1 + fabs(slope)));
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_have_their_derivatives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
