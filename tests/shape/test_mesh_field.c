/* SPDX-License-Identifier: MIT */
/* Distance fields against exact distances, differences, and themselves on more threads, on other processors, and after
 * a file. */
#include "shape/mesh_field.h"

#include <stdio.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "shape/closed_meshes.h"
#include "shape/mesh_field_parts.h"
#include "shape/mesh_tree.h"
#include "support/isa.h"

TS_TEST_TABLES(ts_mesh_field_kernels, ts_mesh_field);

static ts_mesh_field *field_of(const ts_mesh *mesh, int cells)
{
    ts_mesh_field *field;
    OK(ts_mesh_field_create(mesh, &(ts_field_wish){.cells = cells}, NULL, &field, ERROR));
    return field;
}

static ts_mesh *hollow_box(void)
{
    return both(box_mesh((ts_vec3){-2, -2, -1}, (ts_vec3){2, 2, 1.5}),
                box_mesh((ts_vec3){-1, -1, -0.4}, (ts_vec3){1, 1.25, 1}), true);
}

static ts_vec3 random_in(ts_box3 box, ts_random *r)
{
    double x = ts_random_next_range(r, box.low.x, box.high.x), y = ts_random_next_range(r, box.low.y, box.high.y);
    return (ts_vec3){x, y, ts_random_next_range(r, box.low.z, box.high.z)};
}

static ts_vec3 shifted(ts_vec3 p, int axis, double by)
{
    return (ts_vec3){p.x + (axis == 0) * by, p.y + (axis == 1) * by, p.z + (axis == 2) * by};
}

static double component(ts_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* ∂d/∂x ≈ (d(x + δ) − d(x − δ)) / 2δ; the second derivative jumps between cells, so that an error of δ times the jump
 * is left. */
static void gradient_is_of_the_value(void **state)
{
    (void)state;
    ts_mesh *mesh = torus_mesh(1, 0.4, 24, 12);
    ts_mesh_field *field = field_of(mesh, 20);
    ts_field_info info = ts_mesh_field_get_info(field);
    ts_random r = ts_random_make(1, 0);
    double delta = 1e-5 * info.cell;
    for (int i = 0; i < 3000; i++) {
        ts_vec3 p = random_in(info.grid, &r);
        ts_field_answer a = ts_mesh_field_at(field, p);
        for (int k = 0; k < 3; k++) {
            double up = ts_mesh_field_at(field, shifted(p, k, delta)).distance;
            double down = ts_mesh_field_at(field, shifted(p, k, -delta)).distance;
            if (a.inside_grid && ts_mesh_field_at(field, shifted(p, k, delta)).inside_grid)
                NEAR(component(a.gradient, k), (up - down) / (2 * delta), 5e-5);
        }
    }
    ts_mesh_field_free(field);
    ts_mesh_free(mesh);
}

/* From one cell to the next, value and gradient go on. */
static void continuous(void **state)
{
    (void)state;
    ts_mesh *mesh = hollow_box();
    ts_mesh_field *field = field_of(mesh, 16);
    ts_field_info info = ts_mesh_field_get_info(field);
    ts_random r = ts_random_make(2, 0);
    double h = info.cell, step = 1e-10 * h;
    for (int i = 0; i < 3000; i++) {
        ts_vec3 p = random_in(info.grid, &r);
        int axis = i % 3;
        double from = component(info.grid.low, axis), at = component(p, axis);
        double face = from + h * (1 + floor((at - from) / h));
        ts_vec3 q = shifted(p, axis, face - at);
        ts_field_answer a = ts_mesh_field_at(field, shifted(q, axis, -step));
        ts_field_answer b = ts_mesh_field_at(field, shifted(q, axis, step));
        if (!a.inside_grid || !b.inside_grid)
            continue;
        NEAR(a.distance, b.distance, 1e-9 * h);
        NEAR(ts_vec3_distance(a.gradient, b.gradient), 0, 1e-8);
    }
    ts_mesh_field_free(field);
    ts_mesh_free(mesh);
}

/* At the corners of cells the value is the exact distance, rounded to a float. */
static void exact_at_corners(void **state)
{
    (void)state;
    ts_mesh *mesh = hollow_box();
    ts_mesh_tree *tree;
    OK(ts_mesh_tree_create(mesh, &tree, ERROR));
    ts_mesh_field *field = field_of(mesh, 16);
    ts_field_info info = ts_mesh_field_get_info(field);
    for (int i = 0; i <= info.cells[0]; i++)
        for (int j = 0; j <= info.cells[1]; j++)
            for (int k = 0; k <= info.cells[2]; k++) {
                ts_vec3 p = ts_vec3_add_scaled(info.grid.low, (ts_vec3){i, j, k}, info.cell);
                double exact = ts_mesh_tree_nearest(tree, p).distance;
                NEAR(ts_mesh_field_at(field, p).distance, exact, 1e-6 * fabs(exact) + 1e-9 * info.cell);
            }
    ts_mesh_field_free(field);
    ts_mesh_tree_free(tree);
    ts_mesh_free(mesh);
}

/* Mean and worst |interpolated − exact| within a cell of the surface, over h; the least cosine between gradient and
 * normal. */
typedef struct misses {
    double mean, worst, cosine;
} misses;

static misses measure(const ts_mesh *mesh, int cells)
{
    ts_mesh_tree *tree;
    OK(ts_mesh_tree_create(mesh, &tree, ERROR));
    ts_mesh_field *field = field_of(mesh, cells);
    double h = ts_mesh_field_get_info(field).cell;
    ts_random r = ts_random_make(4, 0);
    misses m = {0, 0, 1};
    const int count = 3000;
    for (int i = 0; i < count; i++) {
        const int32_t *t = mesh->triangle[ts_random_next_below(&r, mesh->triangle_count)];
        double u = sqrt(ts_random_next_uniform(&r)), v = ts_random_next_uniform(&r);
        ts_vec3 p = ts_vec3_lerp(mesh->vertex[t[0]], ts_vec3_lerp(mesh->vertex[t[1]], mesh->vertex[t[2]], v), u);
        p = ts_vec3_add_scaled(p, ts_vec3_unit(random_vector(&r)), h * ts_random_next_uniform(&r));
        ts_mesh_nearest exact = ts_mesh_tree_nearest(tree, p);
        ts_field_answer a = ts_mesh_field_at(field, p);
        assert_true(a.inside_grid);
        double off = fabs(a.distance - exact.distance) / h;
        m.mean += off / count;
        m.worst = fmax(m.worst, off);
        m.cosine = fmin(m.cosine, ts_vec3_dot(ts_vec3_unit(a.gradient), exact.normal));
    }
    ts_mesh_field_free(field);
    ts_mesh_tree_free(tree);
    ts_mesh_free((ts_mesh *)mesh);
    return m;
}

/* As shares of a cell: hundredths before edges, a few tenths at worst before a corner, and next to nothing before what
 * is smooth. */
static void near_the_surface(void **state)
{
    (void)state;
    misses box = measure(box_mesh((ts_vec3){-1, -1, -1}, (ts_vec3){1, 1.2, 0.8}), 32);
    assert_true(box.mean < 0.01 && box.worst < 0.3);
    misses ring = measure(torus_mesh(1, 0.4, 96, 48), 32);
    assert_true(ring.mean < 0.01 && ring.worst < 0.05 && ring.cosine > 0.99);
    misses hollow = measure(hollow_box(), 40);
    assert_true(hollow.mean < 0.02 && hollow.worst < 0.35);
}

/* A cell and a half or more from every crease, the distance is linear, and so is the field. */
static void exact_before_faces(void **state)
{
    (void)state;
    ts_mesh *mesh = box_mesh((ts_vec3){-1, -1, -1}, (ts_vec3){1, 1, 1});
    ts_mesh_field *field = field_of(mesh, 24);
    double h = ts_mesh_field_get_info(field).cell;
    ts_random r = ts_random_make(5, 0);
    for (int i = 0; i < 2000; i++) {
        double x = ts_random_next_range(&r, -0.6, 0.6), y = ts_random_next_range(&r, -0.6, 0.6);
        double z = ts_random_next_range(&r, 0.9, 1.1);
        ts_field_answer a = ts_mesh_field_at(field, (ts_vec3){x, y, -z});
        NEAR(a.distance, z - 1, 1e-6 * h);
        NEAR(ts_vec3_distance(a.gradient, (ts_vec3){0, 0, -1}), 0, 1e-5);
    }
    ts_mesh_field_free(field);
    ts_mesh_free(mesh);
}

/* Below the exact distance, and not below the margin. */
static void bound_outside(void **state)
{
    (void)state;
    ts_mesh *mesh = torus_mesh(1, 0.4, 24, 12);
    ts_mesh_tree *tree;
    OK(ts_mesh_tree_create(mesh, &tree, ERROR));
    ts_mesh_field *field = field_of(mesh, 12);
    ts_field_info info = ts_mesh_field_get_info(field);
    ts_random r = ts_random_make(6, 0);
    int outside = 0;
    for (int i = 0; i < 2000; i++) {
        ts_vec3 p = ts_vec3_scale(random_vector(&r), 2);
        ts_field_answer a = ts_mesh_field_at(field, p);
        bool in = p.x >= info.grid.low.x && p.y >= info.grid.low.y && p.z >= info.grid.low.z &&
                  p.x <= info.grid.high.x && p.y <= info.grid.high.y && p.z <= info.grid.high.z;
        assert_int_equal(a.inside_grid, in);
        if (in)
            continue;
        outside++;
        assert_true(a.distance <= ts_mesh_tree_nearest(tree, p).distance && a.distance >= 0.1 * 2.8 - 1e-12);
        NEAR(ts_vec3_length(a.gradient), 1, 1e-14);
        ts_field_answer b = ts_mesh_field_at(field, ts_vec3_add_scaled(p, a.gradient, 0.5));
        NEAR(b.distance, a.distance + 0.5, 1e-14 * (1 + b.distance));
    }
    assert_in_range(outside, 1000, 1990);
    assert_true(isnan(ts_mesh_field_at(field, (ts_vec3){0, (double)NAN, 0}).distance));
    assert_true(ts_mesh_field_at(field, (ts_vec3){0, HUGE_VAL, 0}).distance > 1e300);
    NEAR(ts_mesh_field_at(field, (ts_vec3){0, 0, -1e200}).distance, 1e200, 1e187);
    ts_mesh_field_free(field);
    ts_mesh_tree_free(tree);
    ts_mesh_free(mesh);
}

/* d(s p) of a mesh that is s times as large is s · d(p): to the bit for powers of two. Nothing has a length of its own.
 * */
static void all_sizes(void **state)
{
    (void)state;
    ts_random r = ts_random_make(7, 0);
    ts_mesh *mesh = hollow_box();
    ts_mesh_field *field = field_of(mesh, 10);
    for (int e = -20; e <= 20; e += 10) {
        ts_mesh *large = hollow_box();
        ts_mesh_move(large, ldexp(1, e), ts_pose3_identity());
        ts_mesh_field *other = field_of(large, 10);
        for (int i = 0; i < 100; i++) {
            ts_vec3 p = random_in(ts_mesh_field_get_info(field).grid, &r);
            ts_field_answer a = ts_mesh_field_at(field, p), b = ts_mesh_field_at(other, ts_vec3_scale(p, ldexp(1, e)));
            assert_true(ldexp(a.distance, e) == b.distance && ts_vec3_distance(a.gradient, b.gradient) == 0);
        }
        ts_mesh_field_free(other);
        ts_mesh_free(large);
    }
    ts_mesh_field_free(field);
    ts_mesh_free(mesh);
    mesh = box_mesh((ts_vec3){0, 0, 0}, (ts_vec3){1, 1, 0}); /* flat: outside all round */
    field = field_of(mesh, 20);
    NEAR(ts_mesh_field_at(field, (ts_vec3){0.4, 0.5, 0.1}).distance, 0.1, 1e-6);
    NEAR(ts_mesh_field_at(field, (ts_vec3){0.4, 0.5, -0.1}).distance, 0.1, 1e-6);
    ts_mesh_field_free(field);
    ts_mesh_free(mesh);
}

static void threads_and_kernels_agree(void **state)
{
    (void)state;
    ts_mesh *mesh = torus_mesh(1, 0.4, 24, 12);
    ts_mesh_field *one = field_of(mesh, 20);
    for (int threads = 2; threads <= 5; threads += 3) {
        ts_pool *pool;
        ts_mesh_field *many;
        OK(ts_pool_create(threads, &pool, ERROR));
        OK(ts_mesh_field_create(mesh, &(ts_field_wish){.cells = 20}, pool, &many, ERROR));
        assert_true(ts_mesh_field_hash(one) == ts_mesh_field_hash(many));
        ts_mesh_field_free(many);
        ts_pool_free(pool);
    }
    ts_random r = ts_random_make(8, 0);
    for (int i = 0; i < 500; i++) {
        ts_box3 grid = ts_mesh_field_get_info(one).grid;
        ts_vec3 p = i ? random_in(grid, &r) : grid.low;
        ts_field_answer a = {0};
        for (int isa = 0; isa < ts_test_isa_count() && isa < (int)TS_CPU_COUNT; isa++) {
            one->kernel = ts_mesh_field_table[isa];
            ts_field_answer b = ts_mesh_field_at(one, p);
            a = isa == 0 ? b : a;
            assert_true(a.distance == b.distance && ts_vec3_distance(a.gradient, b.gradient) == 0);
        }
    }
    ts_mesh_field_free(one);
    ts_mesh_free(mesh);
}

static void refused(void **state)
{
    (void)state;
    ts_mesh *mesh = box_mesh((ts_vec3){0, 0, 0}, (ts_vec3){1, 1, 1});
    ts_mesh_field *field;
    const ts_field_wish bad[] = {{.cells = 513},       {.cells = 3},
                                 {.cells = -64},       {.margin = -1},
                                 {.margin = HUGE_VAL}, {.margin = (double)NAN},
                                 {.margin = 11},       {.cells = 512, .margin = 5}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_int_equal(ts_mesh_field_create(mesh, &bad[i], NULL, &field, ERROR), TS_BAD_INPUT);
        assert_null(field);
    }
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        int32_t swap = mesh->triangle[i][0];
        mesh->triangle[i][0] = mesh->triangle[i][1];
        mesh->triangle[i][1] = swap;
    }
    assert_int_equal(ts_mesh_field_create(mesh, NULL, NULL, &field, ERROR), TS_BAD_INPUT);
    assert_non_null(strstr(ts_test_error.message, "inside out"));
    mesh->triangle_count--;
    assert_int_equal(ts_mesh_field_create(mesh, NULL, NULL, &field, ERROR), TS_BAD_INPUT);
    mesh->triangle_count++;
    for (int i = 0; i < 8; i++)
        mesh->vertex[i] = (ts_vec3){1, 2, 3};
    assert_int_equal(ts_mesh_field_create(mesh, NULL, NULL, &field, ERROR), TS_BAD_INPUT);
    ts_mesh_free(mesh);
}

/* ---- Files ---- */

static unsigned char *encoded(const ts_mesh *mesh, size_t *size)
{
    ts_mesh_field *field;
    unsigned char *bytes;
    OK(ts_mesh_field_create(mesh, &(ts_field_wish){4, 1e-9}, NULL, &field, ERROR)); /* one cell around: 9³ values */
    OK(ts_mesh_field_encode(field, &bytes, size, ERROR));
    ts_mesh_field_free(field);
    return bytes;
}

static ts_status decode(const unsigned char *bytes, size_t size)
{
    ts_mesh_field *field;
    ts_status status = ts_mesh_field_decode(bytes, size, "it", &field, ERROR);
    assert_true((status == TS_OK) == (field != NULL));
    ts_mesh_field_free(field);
    return status;
}

static void bytes_and_back(void **state)
{
    (void)state;
    ts_mesh *mesh = torus_mesh(1, 0.4, 24, 12);
    ts_mesh_field *field = field_of(mesh, 12), *back;
    unsigned char *bytes;
    size_t size;
    OK(ts_mesh_field_encode(field, &bytes, &size, ERROR));
    OK(ts_mesh_field_decode(bytes, size, "it", &back, ERROR));
    ts_free(bytes);
    assert_true(ts_mesh_field_hash(field) == ts_mesh_field_hash(back));
    assert_int_equal(ts_mesh_field_bytes(field), ts_mesh_field_bytes(back));
    ts_random r = ts_random_make(9, 0);
    for (int i = 0; i < 200; i++) {
        ts_vec3 p = random_vector(&r);
        ts_field_answer a = ts_mesh_field_at(field, p), b = ts_mesh_field_at(back, p);
        assert_true(a.distance == b.distance && ts_vec3_distance(a.gradient, b.gradient) == 0);
    }
    ts_mesh_field_free(field);
    ts_mesh_field_free(back);
    ts_mesh_free(mesh);
}

/* Every byte that is changed, and every end that comes early. */
static void damage_is_seen(void **state)
{
    (void)state;
    ts_mesh *mesh = box_mesh((ts_vec3){0, 0, 0}, (ts_vec3){1, 1, 1});
    size_t size;
    unsigned char *bytes = encoded(mesh, &size);
    OK(decode(bytes, size));
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= (unsigned char)(1 << i % 8);
        assert_int_equal(decode(bytes, size), TS_CORRUPT);
        bytes[i] ^= (unsigned char)(1 << i % 8);
    }
    for (size_t i = 0; i < size; i += i < 200 ? 1 : 97)
        assert_int_equal(decode(bytes, i), TS_CORRUPT);
    ts_free(bytes);
    ts_mesh_free(mesh);
}

/* Files that are whole and make no sense. */
static void nonsense_is_refused(void **state)
{
    (void)state;
    ts_mesh *mesh = box_mesh((ts_vec3){0, 0, 0}, (ts_vec3){1, 1, 1});
    size_t size;
    unsigned char *bytes = encoded(mesh, &size), *copy = ts_alloc_raw(size, 1);
    assert_non_null(copy);
    enum { VERSION = 8, BOX = 40, LOW = 88, CELL = 112, CELLS = 120, VALUE = 132 };
    const struct {
        size_t at;
        double f64;
        uint32_t u32;
        ts_status status;
    } wrong[] = {
        {BOX, (double)NAN, 0, TS_CORRUPT},  {BOX + 8, -1e70, 0, TS_CORRUPT},    {BOX + 16, 5, 0, TS_CORRUPT},
        {LOW, 0.5, 0, TS_CORRUPT},          {CELL, 0, 0, TS_CORRUPT},           {CELL, -1, 0, TS_CORRUPT},
        {CELL, HUGE_VAL, 0, TS_CORRUPT},    {CELLS, 0, 7, TS_CORRUPT},          {CELLS, 0, 0, TS_CORRUPT},
        {CELLS, 0, 0xfffffffa, TS_CORRUPT}, {VALUE, 0, 0x7fc00000, TS_CORRUPT}, {VERSION, 0, 2, TS_UNSUPPORTED}};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        memcpy(copy, bytes, size);
        if (wrong[i].at < CELLS && wrong[i].at != VERSION)
            ts_put_f64(copy + wrong[i].at, wrong[i].f64);
        else
            ts_put_u32(copy + wrong[i].at, wrong[i].u32);
        ts_put_u64(copy + 24, ts_hash(copy, 24, 0));
        ts_put_u64(copy + size - 8, ts_hash(copy, size - 8, 0));
        assert_int_equal(decode(copy, size), wrong[i].status);
    }
    ts_free(copy);
    ts_free(bytes);
    ts_mesh_free(mesh);
}

/* ---- Kept ones ---- */

static uint64_t obtain(const ts_mesh *mesh, const ts_field_wish *wish, const char *folder, bool *from_cache)
{
    ts_mesh_field *field;
    OK(ts_mesh_field_obtain(mesh, wish, NULL, folder, &field, ERROR));
    *from_cache = ts_mesh_field_get_info(field).from_cache;
    uint64_t hash = ts_mesh_field_hash(field);
    ts_mesh_field_free(field);
    return hash;
}

static void kept(void **state)
{
    (void)state;
    ts_mesh *mesh = torus_mesh(1, 0.4, 24, 12), *other = torus_mesh(1, 0.41, 24, 12);
    const ts_field_wish wish = {.cells = 8}, same = {.cells = 8, .margin = 0.1}, finer = {.cells = 9};
    bool cached;
    uint64_t hash = obtain(mesh, &wish, "kept/fields", &cached);
    assert_false(cached);
    assert_true(obtain(mesh, &same, "kept/fields", &cached) == hash && cached);
    obtain(mesh, &finer, "kept/fields", &cached);
    assert_false(cached);
    obtain(other, &wish, "kept/fields", &cached);
    assert_false(cached);
    obtain(mesh, &wish, NULL, &cached);
    assert_false(cached);
    obtain(mesh, &wish, "", &cached);
    assert_false(cached);

    char path[100], from[100];
    snprintf(path, sizeof path, "kept/fields/%016llx.tsfield", (unsigned long long)ts_mesh_field_key(mesh, &wish));
    snprintf(from, sizeof from, "kept/fields/%016llx.tsfield", (unsigned long long)ts_mesh_field_key(other, &wish));
    assert_true(ts_file_exists(path) && ts_file_exists(from));
    OK(ts_file_write(path, "damaged", 7, ERROR)); /* is made anew, and mended */
    assert_true(obtain(mesh, &wish, "kept/fields", &cached) == hash && !cached);
    assert_true(obtain(mesh, &wish, "kept/fields", &cached) == hash && cached);
    assert_int_equal(rename(from, path), 0); /* that of another mesh under this name */
    assert_true(obtain(mesh, &wish, "kept/fields", &cached) == hash && !cached);

    OK(ts_file_write("no_folder", "", 0, ERROR)); /* a file where the folder would be: no error */
    assert_true(obtain(mesh, &wish, "no_folder", &cached) == hash && !cached);
    ts_mesh_free(mesh);
    ts_mesh_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradient_is_of_the_value),
        cmocka_unit_test(continuous),
        cmocka_unit_test(exact_at_corners),
        cmocka_unit_test(near_the_surface),
        cmocka_unit_test(exact_before_faces),
        cmocka_unit_test(bound_outside),
        cmocka_unit_test(all_sizes),
        cmocka_unit_test(threads_and_kernels_agree),
        cmocka_unit_test(refused),
        cmocka_unit_test(bytes_and_back),
        cmocka_unit_test(damage_is_seen),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
