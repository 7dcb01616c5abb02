/* SPDX-License-Identifier: MIT */
/* Smooth manifolds give the same bits one by one and in a batch, on any number of threads, with the kernels of every
 * instruction set. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "support/check.h"
#include "support/isa.h"
#include "support/smooth.h"

#include "touchstone/manifold.h"

enum { ITEMS = 23, PIECES_A = 3, PIECES_B = 1 };

static double number(uint64_t stream, uint64_t i)
{
    return ts_random_normal(17, stream, i);
}

/* A batch with all its arrays. */
typedef struct batch {
    ts_manifold_batch def;
    ts_manifold_pose a[ITEMS], b[ITEMS];
    ts_manifold_piece piece_a[ITEMS * PIECES_A], piece_b[ITEMS * PIECES_B];
    ts_manifold_pose_bar bar_a[ITEMS], bar_b[ITEMS];
    ts_manifold_piece_bar bar_piece_a[ITEMS * PIECES_A], bar_piece_b[ITEMS * PIECES_B];
    ts_manifold_contacts bar;
    size_t all; /* contacts */
} batch;

static ts_manifold_contacts contacts_of(size_t count, bool indicator)
{
    return (ts_manifold_contacts){.point = calloc(count, sizeof(double[3])),
                                  .gap = calloc(count, sizeof(double)),
                                  .normal = calloc(count, sizeof(double[3])),
                                  .weight = calloc(count, sizeof(double)),
                                  .indicator = indicator ? calloc(count, sizeof(double[4])) : NULL};
}
static void free_contacts(ts_manifold_contacts *c)
{
    free(c->point);
    free(c->gap);
    free(c->normal);
    free(c->weight);
    free(c->indicator);
}

static ts_manifold_pose pose_of(uint64_t i, double apart)
{
    const ts_quat q = ts_quat_unit((ts_quat){number(1, i), number(2, i), number(3, i), number(4, i)});
    return (ts_manifold_pose){{apart * number(5, i), apart * number(6, i), apart * number(7, i)}, {q.w, q.x, q.y, q.z}};
}

static void vary(const ts_sdf_body *body, size_t pieces, uint64_t stream, ts_manifold_piece *to)
{
    for (uint64_t i = 0; i < ITEMS; i++, to += pieces) {
        ts_manifold_get_pieces(body, to);
        for (uint64_t k = 0; k < pieces; k++) {
            to[k].size[i % 3] *= 1 + 0.05 * number(stream, 2 * (i * pieces + k));
            to[k].exponents[i % 2] += 0.02 * number(stream, 2 * (i * pieces + k) + 1);
        }
    }
}

static batch *open_batch(const ts_manifold *manifold, const ts_sdf_body *const body[2], bool pieces)
{
    batch *t = calloc(1, sizeof *t);
    t->all = ts_manifold_get_counts(manifold).all;
    for (uint64_t i = 0; i < ITEMS; i++) {
        t->a[i] = pose_of(i, 0.1);
        t->b[i] = pose_of(100 + i, 0.3);
    }
    vary(body[0], PIECES_A, 8, t->piece_a);
    vary(body[1], PIECES_B, 9, t->piece_b);
    t->bar = contacts_of(t->all, false);
    for (uint64_t i = 0; i < t->all; i++) {
        t->bar.gap[i] = number(10, i);
        t->bar.weight[i] = number(11, i);
        for (uint64_t k = 0; k < 3; k++) {
            t->bar.point[i][k] = number(12, 3 * i + k);
            t->bar.normal[i][k] = number(13, 3 * i + k);
        }
    }
    t->def = (ts_manifold_batch){.count = ITEMS,
                                 .a = t->a,
                                 .b = t->b,
                                 .to = contacts_of(ITEMS * t->all, true),
                                 .bar = &t->bar,
                                 .same_bar = true,
                                 .bar_a = t->bar_a,
                                 .bar_b = t->bar_b};
    if (pieces) {
        t->def.piece_a = t->piece_a, t->def.piece_b = t->piece_b;
        t->def.bar_piece_a = t->bar_piece_a, t->def.bar_piece_b = t->bar_piece_b;
    }
    return t;
}

static void close_batch(batch *t)
{
    free_contacts(&t->def.to);
    free_contacts(&t->bar);
    free(t);
}

static uint64_t hash_of(const batch *t)
{
    ts_hash_stream h;
    const size_t n = ITEMS * t->all;
    ts_hash_begin(&h, 1);
    ts_hash_add(&h, t->def.to.point, n * sizeof *t->def.to.point);
    ts_hash_add(&h, t->def.to.gap, n * sizeof *t->def.to.gap);
    ts_hash_add(&h, t->def.to.normal, n * sizeof *t->def.to.normal);
    ts_hash_add(&h, t->def.to.weight, n * sizeof *t->def.to.weight);
    ts_hash_add(&h, t->def.to.indicator, n * sizeof *t->def.to.indicator);
    ts_hash_add(&h, t->bar_a, sizeof t->bar_a);
    ts_hash_add(&h, t->bar_b, sizeof t->bar_b);
    ts_hash_add(&h, t->bar_piece_a, sizeof t->bar_piece_a);
    ts_hash_add(&h, t->bar_piece_b, sizeof t->bar_piece_b);
    return ts_hash_end(&h);
}

/* The same by single calls, in another order. */
static uint64_t hash_of_loop(const ts_manifold *manifold, batch *t)
{
    ts_manifold_work *work;
    OK(ts_manifold_work_create(manifold, &work, ERROR));
    const ts_manifold_batch *d = &t->def;
    for (size_t i = ITEMS; i-- > 0;) {
        const size_t at = i * t->all;
        const ts_manifold_contacts to = {d->to.point + at, d->to.gap + at, d->to.normal + at, d->to.weight + at,
                                         d->to.indicator + at};
        ts_manifold_piece_bar *bars[2] = {d->bar_piece_a ? d->bar_piece_a + i * PIECES_A : NULL,
                                          d->bar_piece_b ? d->bar_piece_b + i * PIECES_B : NULL};
        if (d->piece_a) {
            OK(ts_manifold_set_pieces(manifold, work, 0, d->piece_a + i * PIECES_A, ERROR));
            OK(ts_manifold_set_pieces(manifold, work, 1, d->piece_b + i * PIECES_B, ERROR));
            memset(bars[0], 0, PIECES_A * sizeof *bars[0]);
            memset(bars[1], 0, PIECES_B * sizeof *bars[1]);
        }
        t->bar_a[i] = t->bar_b[i] = (ts_manifold_pose_bar){{0}, {0}};
        OK(ts_manifold_find(manifold, work, &t->a[i], &t->b[i], &to, ERROR));
        OK(ts_manifold_find_vjp_pieces(manifold, work, NULL, &t->bar, &t->bar_a[i], &t->bar_b[i], bars[0], bars[1],
                                       ERROR));
    }
    ts_manifold_work_free(work);
    return hash_of(t);
}

typedef struct pair {
    ts_sdf_body *body[2];
    ts_manifold *manifold;
} pair;

static pair open_pair(void)
{
    pair p = {{ts_test_blob(1), ts_test_superquadric((ts_vec3){0.4, 0.5, 0.3}, 0.4, 0.7, 3)}, NULL};
    ts_manifold_options options = ts_manifold_default_options();
    options.smoothing = ts_manifold_smoothing_of(0.05);
    options.keep_vertices[0] = 30;
    options.project = 1;
    options.safeguard = true;
    OK(ts_manifold_create(p.body[0], p.body[1], &options, &p.manifold, ERROR));
    return p;
}

static void close_pair(pair *p)
{
    ts_manifold_free(p->manifold);
    ts_sdf_body_free(p->body[0]);
    ts_sdf_body_free(p->body[1]);
}

/* ---- Tests ---- */

static void batch_is_a_loop_on_any_threads(void **state)
{
    (void)state;
    pair p = open_pair();
    for (int pieces = 0; pieces < 2; pieces++) {
        batch *t = open_batch(p.manifold, (const ts_sdf_body *const *)p.body, pieces);
        const uint64_t expected = hash_of_loop(p.manifold, t);
        for (int threads = 1; threads <= 4; threads++) {
            ts_manifold_team *team;
            memset(t->def.to.gap, 0, ITEMS * t->all * sizeof(double));
            memset(t->bar_a, 0x55, sizeof t->bar_a);
            if (pieces)
                memset(t->bar_piece_a, 0x55, sizeof t->bar_piece_a);
            OK(ts_manifold_team_create(p.manifold, threads, &team, ERROR));
            OK(ts_manifold_find_batch(team, &t->def, ERROR));
            assert_int_equal(hash_of(t), expected);
            ts_manifold_team_free(team);
        }
        close_batch(t);
    }
    close_pair(&p);
}

/* What is left from an item with pieces is not seen by the next one without. */
static void pieces_are_forgotten(void **state)
{
    (void)state;
    pair p = open_pair();
    batch *with = open_batch(p.manifold, (const ts_sdf_body *const *)p.body, true),
          *without = open_batch(p.manifold, (const ts_sdf_body *const *)p.body, false);
    ts_manifold_team *team;
    OK(ts_manifold_team_create(p.manifold, 1, &team, ERROR));
    OK(ts_manifold_find_batch(team, &without->def, ERROR));
    const uint64_t expected = hash_of(without);
    OK(ts_manifold_find_batch(team, &with->def, ERROR));
    assert_int_not_equal(hash_of(with), expected);
    OK(ts_manifold_find_batch(team, &without->def, ERROR));
    assert_int_equal(hash_of(without), expected);

    ts_error error;
    with->piece_b[7].size[1] = -1;
    assert_int_equal(ts_manifold_find_batch(team, &with->def, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "item 7"));
    with->def.bar = NULL;
    assert_int_equal(ts_manifold_find_batch(team, &with->def, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "adjoints of pieces"));
    ts_manifold_team_free(team);
    close_batch(with);
    close_batch(without);
    close_pair(&p);
}

/* The level is fixed by the first kernel that a process uses: each has a process of its own. */
static uint64_t hash_in_child(const char *level)
{
    int ends[2];
    uint64_t hash = 0;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setenv("TOUCHSTONE_CPU", level, 1);
        pair p = open_pair();
        batch *t = open_batch(p.manifold, (const ts_sdf_body *const *)p.body, true);
        hash = hash_of_loop(p.manifold, t);
        const bool right = strcmp(ts_cpu_level_name(ts_cpu_level()), level) == 0;
        const bool sent = write(ends[1], &hash, sizeof hash) == (ssize_t)sizeof hash;
        close_batch(t);
        close_pair(&p);
        _exit(right && sent ? 0 : 1);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(read(ends[0], &hash, sizeof hash), sizeof hash);
    close(ends[0]);
    close(ends[1]);
    return hash;
}

static void every_instruction_set(void **state)
{
    (void)state;
    const uint64_t baseline = hash_in_child("baseline");
    for (int isa = 1; isa < ts_test_isa_count(); isa++) {
        const char *name = ts_cpu_level_name((ts_cpu)isa);
        if (hash_in_child(name) != baseline)
            fail_msg("%s differs from baseline", name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_instruction_set), /* first: nothing has been asked yet */
                                       cmocka_unit_test(batch_is_a_loop_on_any_threads),
                                       cmocka_unit_test(pieces_are_forgotten)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
