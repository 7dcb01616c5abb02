/* SPDX-License-Identifier: MIT */
#include "body/block.h"

#include <math.h>

/* A wall that slides in its own plane closes in on nobody: what is left of that rate is rounding, but would count as
 * closing. */
static const double rounding = 1e-14;

static inline ts_vec3 torque_of(const ts_block *block, ts_vec3 point, ts_vec3 along, ts_vec3 couple)
{
    return ts_vec3_add(ts_vec3_cross(ts_vec3_sub(point, block->origin), along), couple);
}

double ts_block_rate(const ts_block *block, ts_vec3 point, ts_vec3 along, ts_vec3 couple)
{
    const ts_vec3 turn = torque_of(block, point, along, couple);
    const double rate = ts_vec3_dot(along, block->velocity) + ts_vec3_dot(turn, block->spin);
    const double terms = ts_vec3_length(block->velocity) + ts_vec3_length(turn) * ts_vec3_length(block->spin);
    return fabs(rate) > rounding * terms ? rate : 0;
}

/* Of both kinds: a force that acts along d at p makes the torque r × d + c. */
static void add_row_bar(const ts_block *block, ts_vec3 point, ts_vec3 along, ts_vec3 couple, ts_vec3 force_bar,
                        ts_vec3 around_bar, ts_row_bar *to)
{
    const ts_vec3 arm = ts_vec3_sub(point, block->origin), torque = torque_of(block, point, along, couple),
                  torque_bar = ts_mat3_apply_transposed(block->turn, around_bar),
                  arm_bar = ts_vec3_cross(along, torque_bar);
    to->point = ts_vec3_add(to->point, arm_bar);
    to->origin = ts_vec3_sub(to->origin, arm_bar);
    to->along = ts_vec3_add_scaled(to->along, force_bar, block->root);
    to->along = ts_vec3_add(to->along, ts_vec3_cross(torque_bar, arm));
    to->couple = ts_vec3_add(to->couple, torque_bar);
    /* D^-½ Rᵀ τ with R turned by θ: D^-½ Rᵀ (τ − θ × τ) */
    if (!block->round)
        to->turn = ts_vec3_add(to->turn, ts_vec3_cross(torque_bar, torque));
}

/* ---- A body in the plane ---- */

static void plane_mass(const ts_block_mass *mass, ts_block *block)
{
    block->inv_mass = mass->inv_mass;
    block->root = sqrt(mass->inv_mass);
    block->turn = (ts_mat3){{{0, 0, 0}, {0, 0, 0}, {0, 0, sqrt(mass->inv_inertia)}}};
    block->round = true;
}

static void plane_row(const ts_block *block, ts_vec3 point, ts_vec3 along, ts_vec3 couple, double sign, double *value)
{
    const double rx = point.x - block->origin.x, ry = point.y - block->origin.y;
    value[0] = sign * block->root * along.x;
    value[1] = sign * block->root * along.y;
    value[2] = sign * block->turn.m[2][2] * (rx * along.y - ry * along.x + couple.z);
}

static void plane_row_vjp(const ts_block *block, ts_vec3 point, ts_vec3 along, ts_vec3 couple, double sign,
                          const double *bar, ts_row_bar *to)
{
    add_row_bar(block, point, along, couple, (ts_vec3){sign * bar[0], sign * bar[1], 0}, (ts_vec3){0, 0, sign * bar[2]},
                to);
}

static void plane_scale(const ts_block *block, ts_vec3 velocity, ts_vec3 spin, double *w)
{
    const double root = block->turn.m[2][2];
    w[0] = velocity.x / block->root;
    w[1] = velocity.y / block->root;
    w[2] = root > 0 ? spin.z / root : 0;
}

static void plane_unscale(const ts_block *block, const double *w, ts_vec3 *velocity, ts_vec3 *spin)
{
    *velocity = (ts_vec3){block->root * w[0], block->root * w[1], 0};
    *spin = (ts_vec3){0, 0, block->turn.m[2][2] * w[2]};
}

static void plane_roots(const ts_block *block, double *root)
{
    root[0] = root[1] = block->root;
    root[2] = block->turn.m[2][2];
}

static void plane_kick(const ts_block *block, ts_vec3 impulse, ts_vec3 point, ts_vec3 couple, ts_vec3 *velocity,
                       ts_vec3 *spin)
{
    const double root = block->turn.m[2][2];
    velocity->x += block->inv_mass * impulse.x;
    velocity->y += block->inv_mass * impulse.y;
    spin->z += root * root * torque_of(block, point, impulse, couple).z;
}

/* ---- A body in space ---- */

static void space_mass(const ts_block_mass *mass, ts_block *block)
{
    block->inv_mass = mass->inv_mass;
    block->root = sqrt(mass->inv_mass);
    block->round = true;
    if (!(mass->inv_mass > 0))
        return;
    const ts_inertia *top = mass->top;
    const ts_vec3 root = {sqrt(top->inv_moment.x), sqrt(top->inv_moment.y), sqrt(top->inv_moment.z)};
    block->round = top->kind == TS_INERTIA_BALL;
    if (block->round) {
        block->turn = ts_mat3_diagonal(root);
        return;
    }
    const ts_quat q = top->aligned ? mass->attitude : ts_quat_mul(mass->attitude, top->axes);
    block->turn = ts_mat3_transpose(ts_quat_to_matrix(q));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            block->turn.m[i][j] *= i == 0 ? root.x : i == 1 ? root.y : root.z;
}

static void space_row(const ts_block *block, ts_vec3 point, ts_vec3 along, ts_vec3 couple, double sign, double *value)
{
    const ts_vec3 force = ts_vec3_scale(along, sign * block->root),
                  around = ts_vec3_scale(ts_mat3_apply(block->turn, torque_of(block, point, along, couple)), sign);
    value[0] = force.x;
    value[1] = force.y;
    value[2] = force.z;
    value[3] = around.x;
    value[4] = around.y;
    value[5] = around.z;
}

static void space_row_vjp(const ts_block *block, ts_vec3 point, ts_vec3 along, ts_vec3 couple, double sign,
                          const double *bar, ts_row_bar *to)
{
    add_row_bar(block, point, along, couple, ts_vec3_scale((ts_vec3){bar[0], bar[1], bar[2]}, sign),
                ts_vec3_scale((ts_vec3){bar[3], bar[4], bar[5]}, sign), to);
}

static void space_scale(const ts_block *block, ts_vec3 velocity, ts_vec3 momentum, double *w)
{
    const ts_vec3 turn = ts_mat3_apply(block->turn, momentum);
    w[0] = velocity.x / block->root;
    w[1] = velocity.y / block->root;
    w[2] = velocity.z / block->root;
    w[3] = turn.x;
    w[4] = turn.y;
    w[5] = turn.z;
}

static void space_unscale(const ts_block *block, const double *w, ts_vec3 *velocity, ts_vec3 *spin)
{
    *velocity = (ts_vec3){block->root * w[0], block->root * w[1], block->root * w[2]};
    *spin = ts_mat3_apply_transposed(block->turn, (ts_vec3){w[3], w[4], w[5]});
}

static void space_roots(const ts_block *block, double *root)
{
    for (int i = 0; i < 3; i++) {
        root[i] = block->root;
        root[3 + i] = ts_vec3_length(ts_mat3_row(block->turn, i));
    }
}

static void space_kick(const ts_block *block, ts_vec3 impulse, ts_vec3 point, ts_vec3 couple, ts_vec3 *velocity,
                       ts_vec3 *momentum)
{
    *velocity = ts_vec3_add_scaled(*velocity, impulse, block->inv_mass);
    *momentum = ts_vec3_add(*momentum, torque_of(block, point, impulse, couple));
}

const ts_block_ops ts_plane_block = {.name = "plane body",
                                     .dof = 3,
                                     .mass = plane_mass,
                                     .row = plane_row,
                                     .row_vjp = plane_row_vjp,
                                     .scale = plane_scale,
                                     .unscale = plane_unscale,
                                     .roots = plane_roots,
                                     .kick = plane_kick};
const ts_block_ops ts_space_block = {.name = "space body",
                                     .dof = 6,
                                     .mass = space_mass,
                                     .row = space_row,
                                     .row_vjp = space_row_vjp,
                                     .scale = space_scale,
                                     .unscale = space_unscale,
                                     .roots = space_roots,
                                     .kick = space_kick};
