/* SPDX-License-Identifier: MIT */
/* Contacts of smooth bodies and their derivatives have the bits that they had. Poses and meshes need no more than four
 * operations and square roots, and exponentials are our own, so that the bits are the same on every machine; that they are the same by
 * every instruction set is tests/equal/test_manifold.c. A change of formulas changes them: then they are replaced here. */
#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "shape/mesh_make.h"
#include "support/check.h"
#include "support/smooth.h"

#include "touchstone/manifold.h"

/* All three families, one of them subtracted, in a box for a mesh. */
static ts_sdf_body *mixed(void)
{
    const ts_vec3 normal[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    ts_vec3 plane[6], point[26], direction[26];
    size_t count = 0;
    for (int i = 0; i < 6; i++)
        plane[i] = ts_vec3_scale(normal[i], 0.25);
    for (int i = 0; i < 27; i++)
        if (i != 13) {
            direction[count] = ts_vec3_unit((ts_vec3){i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1});
            point[count] = ts_vec3_scale(direction[count], 0.375);
            count++;
        }
    ts_primitive part[4] = {
        {.kind = TS_PRIMITIVE_SUPERQUADRIC, .size = {0.5, 0.375, 0.25}, .exponent = {0.25, 1.5}},
        {.kind = TS_PRIMITIVE_POLYHEDRON, .point = plane, .normal = (ts_vec3 *)normal, .count = 6},
        {.kind = TS_PRIMITIVE_CLOUD, .point = point, .normal = direction, .count = count, .width = 0.25},
        {.kind = TS_PRIMITIVE_SUPERQUADRIC, .size = {0.25, 0.25, 0.25}, .exponent = {1, 1}, .subtract = true}};
    const ts_vec3 at[4] = {{0, 0, 0}, {0.375, 0.125, 0}, {-0.25, 0, 0.125}, {0, 0.375, 0.25}};
    for (int i = 0; i < 4; i++)
        part[i].pose = (ts_pose3){at[i], ts_quat_unit((ts_quat){4, i, 1, -i})};
    ts_mesh *mesh = NULL;
    OK(ts_mesh_make_box((ts_vec3){0.5, 0.375, 0.25}, 2, &mesh, ERROR));
    return ts_test_smooth(part, 4, mesh);
}

static uint64_t hash_of(const ts_sdf_body *a, const ts_sdf_body *b, const ts_manifold_options *options)
{
    ts_manifold *manifold;
    ts_manifold_work *work;
    ts_hash_stream hash;
    OK(ts_manifold_create(a, b, options, &manifold, ERROR));
    OK(ts_manifold_work_create(manifold, &work, ERROR));
    const size_t n = ts_manifold_get_counts(manifold).all;
    ts_manifold_contacts to = {calloc(n, sizeof(double[3])), calloc(n, sizeof(double)), calloc(n, sizeof(double[3])),
                               calloc(n, sizeof(double)), NULL};
    ts_hash_begin(&hash, 1);
    for (int i = 0; i < 8; i++) {
        const ts_quat q = ts_quat_unit((ts_quat){5, i % 3, i % 5 - 2, 2 - i});
        const ts_manifold_pose pose[2] = {{{0.125 * i, 0, 1}, {1, 0, 0, 0}},
                                          {{0.125 * i + 0.25, 0.0625 * i, 1.5}, {q.w, q.x, q.y, q.z}}};
        ts_manifold_pose_bar bar[2] = {{{0}, {0}}, {{0}, {0}}};
        OK(ts_manifold_find(manifold, work, &pose[0], &pose[1], &to, ERROR));
        ts_hash_add(&hash, to.point, n * sizeof *to.point);
        ts_hash_add(&hash, to.gap, n * sizeof *to.gap);
        ts_hash_add(&hash, to.normal, n * sizeof *to.normal);
        ts_hash_add(&hash, to.weight, n * sizeof *to.weight);
        OK(ts_manifold_find_vjp(manifold, work, NULL, &to, &bar[0], &bar[1], ERROR)); /* of ½ of all squares */
        ts_hash_add(&hash, bar, sizeof bar);
        assert_true(isfinite(bar[0].position[0] + bar[0].turn[1] + bar[1].position[2] + bar[1].turn[0]));
    }
    free(to.point);
    free(to.gap);
    free(to.normal);
    free(to.weight);
    ts_manifold_work_free(work);
    ts_manifold_free(manifold);
    return ts_hash_end(&hash);
}

static void the_bits_are_as_they_were(void **state)
{
    (void)state;
    const uint64_t golden[4] = {0xb1a5d3fd4a896501, 0xab3ce9bc8d3583b3, 0x4a571231d9eb54c9, 0x971a44e65e5c3a3a};
    ts_sdf_body *box = ts_test_polyhedron_box(0.5, 2), *round = ts_test_sharp_box(0.5, 0.5, 3), *all = mixed();
    for (int kind = 0; kind < 4; kind++) {
        ts_manifold_options options = ts_manifold_default_options();
        if (kind > 0)
            options.smoothing = ts_manifold_smoothing_of(0.0625);
        options.keep_vertices[0] = kind == 1 ? 9 : 0;
        options.published = kind == 2;
        options.project = kind == 3;
        options.safeguard = kind == 3;
        const uint64_t found = hash_of(kind == 0 ? box : all, kind == 1 ? box : round, &options);
        if (found != golden[kind])
            fail_msg("manifold %d has the hash 0x%016llx, not 0x%016llx", kind, (unsigned long long)found,
                     (unsigned long long)golden[kind]);
    }
    ts_sdf_body_free(box);
    ts_sdf_body_free(round);
    ts_sdf_body_free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_bits_are_as_they_were)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
