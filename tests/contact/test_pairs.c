/* SPDX-License-Identifier: MIT */
/* The pair list holds exactly the pairs nearer than the skin, in one order for any number of threads, and blocks of
 * one colour share no part; and along a run no touching pair is missed. The reference looks at all pairs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

#include "base/random.h"
#include "contact/pairs.h"
#include "support/brute.h"
#include "support/scenes.h"
#include "workspace.h"

/* ---- Lists as sets ---- */

typedef struct named_pair {
    int32_t a, b; /* parts with a < b, or -1 - wall and part */
} named_pair;

static int compare_pairs(const void *p, const void *q)
{
    const named_pair *a = p, *b = q;
    if (a->a != b->a)
        return (a->a > b->a) - (a->a < b->a);
    return (a->b > b->b) - (a->b < b->b);
}

static named_pair *named_list(const ts_pairs *pairs, size_t *count)
{
    *count = pairs->pair_count + pairs->wall_count;
    named_pair *list = malloc((*count + 1) * sizeof *list);
    assert_non_null(list);
    size_t n = 0;
    for (size_t k = 0; k < pairs->pair_count; k++) {
        int32_t a = pairs->part_of_slot[pairs->pair[k].a], b = pairs->part_of_slot[pairs->pair[k].b];
        list[n++] = a < b ? (named_pair){a, b} : (named_pair){b, a};
    }
    for (size_t k = 0; k < pairs->wall_count; k++)
        list[n++] = (named_pair){-1 - pairs->wall[k].a, pairs->part_of_slot[pairs->wall[k].b]};
    qsort(list, n, sizeof *list, compare_pairs);
    for (size_t k = 1; k < n; k++)
        if (compare_pairs(&list[k - 1], &list[k]) == 0)
            fail_msg("pair (%d, %d) is listed twice", list[k].a, list[k].b);
    return list;
}

/* Within this share of a length from the border of the skin, either answer is right. */
#define BORDER 1e-15

static void expect(const named_pair *list, size_t count, named_pair pair, double gap, double skin, double scale,
                   size_t *listed)
{
    bool is_listed = bsearch(&pair, list, count, sizeof *list, compare_pairs) != NULL;
    *listed += is_listed;
    if (is_listed && gap > skin + BORDER * scale)
        fail_msg("pair (%d, %d) is listed, though %g apart with a skin of %g", pair.a, pair.b, gap, skin);
    if (!is_listed && gap < skin - BORDER * scale)
        fail_msg("pair (%d, %d) is missed: only %g apart with a skin of %g", pair.a, pair.b, gap, skin);
}

/* Every pair that the list should hold it holds, and no other. */
static void check_content(const ts_model *model, const ts_pairs *pairs, const ts_body *body, double time)
{
    size_t part_count, count, listed = 0;
    ts_test_part *part = ts_test_parts(model, body, time, &part_count);
    named_pair *list = named_list(pairs, &count);
    assert_int_equal(part_count, model->part_count);
    double skin = model->settings.skin;
    for (size_t j = 0; j < part_count; j++) {
        double scale = fabs(part[j].x) + fabs(part[j].y) + part[j].radius;
        for (size_t i = 0; i < j; i++)
            if (ts_test_may_meet(&part[i], &part[j]))
                expect(list, count, (named_pair){(int32_t)i, (int32_t)j}, ts_test_gap(&part[i], &part[j]), skin,
                       scale + part[i].radius, &listed);
        for (size_t k = 0; k < model->wall_count && part[j].movable && !part[j].absent; k++) {
            bool absent;
            double gap = ts_test_wall_gap(model, k, time, &part[j], &absent);
            if (!absent)
                expect(list, count, (named_pair){-1 - (int32_t)k, (int32_t)j}, gap, skin, scale + model->wall[k].radius,
                       &listed);
        }
    }
    assert_int_equal(listed, count); /* nothing is listed that may not meet at all */
    free(list);
    free(part);
}

/* Slots are a permutation, blocks cover slots and pairs, and blocks of one colour touch no common slot: two threads
 * never add to one wrench. */
static void check_blocks(const ts_model *model, const ts_pairs *pairs)
{
    size_t n = model->part_count;
    for (size_t slot = 0; slot < n; slot++) {
        assert_in_range(pairs->part_of_slot[slot], 0, n - 1);
        assert_int_equal(pairs->slot_of_part[pairs->part_of_slot[slot]], slot);
    }
    if (n == 0)
        return;
    assert_true((size_t)pairs->block_count < pairs->block_capacity);
    assert_int_equal(pairs->block_slot[0], 0);
    assert_int_equal(pairs->block_slot[pairs->block_count], n);
    assert_int_equal(pairs->block_pair[pairs->block_count], pairs->pair_count);
    assert_int_equal(pairs->block_wall[pairs->block_count], pairs->wall_count);
    int32_t *owner = malloc(n * sizeof *owner);
    assert_non_null(owner);
    for (int32_t colour = 0; colour < pairs->colour_count; colour++) {
        memset(owner, -1, n * sizeof *owner);
        for (int32_t block = colour; block < pairs->block_count; block += pairs->colour_count) {
            for (size_t k = pairs->block_pair[block]; k < pairs->block_pair[block + 1]; k++)
                for (int side = 0; side < 2; side++) {
                    int32_t slot = side ? pairs->pair[k].b : pairs->pair[k].a;
                    if (owner[slot] >= 0 && owner[slot] != block)
                        fail_msg("blocks %d and %d of one colour both touch slot %d", owner[slot], block, slot);
                    owner[slot] = block;
                }
            for (size_t k = pairs->block_wall[block]; k < pairs->block_wall[block + 1]; k++)
                assert_in_range(pairs->wall[k].b, pairs->block_slot[block], pairs->block_slot[block + 1] - 1);
        }
    }
    free(owner);
}

static void build_list(ts_pairs *pairs, const ts_model *model, const ts_body *body, double time, int threads)
{
    ts_pool *pool;
    OK(ts_pool_create(threads, &pool, ERROR));
    ts_reference *reference = calloc(model->body_count + 1, sizeof *reference);
    ts_spot *spot = calloc(model->part_count + 1, sizeof *spot);
    ts_partners *partners = calloc(model->part_count + 1, sizeof *partners);
    assert_true(reference && spot && partners);
    for (size_t i = 0; i < model->body_count; i++)
        reference[i] = (ts_reference){body[i].x, body[i].y, body[i].angle};
    OK(ts_pairs_create(pairs, model, ERROR));
    OK(ts_pairs_build(pairs, model, &(ts_poses){reference, NULL, 0}, time, spot, partners, pool, ERROR));
    free(partners);
    free(reference);
    free(spot);
    ts_pool_free(pool);
}

static void check_list_at(const ts_model *model, const ts_body *body, double time)
{
    static const int threads[] = {1, 2, 5};
    ts_pairs first;
    build_list(&first, model, body, time, threads[0]);
    check_content(model, &first, body, time);
    check_blocks(model, &first);
    for (size_t t = 1; t < sizeof threads / sizeof *threads; t++) {
        ts_pairs again;
        build_list(&again, model, body, time, threads[t]);
        assert_int_equal(again.pair_count, first.pair_count);
        assert_int_equal(again.wall_count, first.wall_count);
        assert_memory_equal(again.part_of_slot, first.part_of_slot, model->part_count * sizeof *first.part_of_slot);
        if (first.pair_count > 0)
            assert_memory_equal(again.pair, first.pair, first.pair_count * sizeof *first.pair);
        if (first.wall_count > 0)
            assert_memory_equal(again.wall, first.wall, first.wall_count * sizeof *first.wall);
        ts_pairs_free(&again);
    }
    ts_pairs_free(&first);
}

/* ---- Bodies anywhere ---- */

/* A model of `count` bodies on a wide lattice, of shape i % shapes, and their places for the caller to change: the
 * list is made for poses, wherever the scene had put the bodies. */
typedef struct lot {
    ts_test_world w;
    ts_body *body;
    size_t count;
} lot;

static void lot_open(lot *l, size_t count, const int32_t *shape, int shapes, double pitch)
{
    size_t side = (size_t)ceil(sqrt((double)count));
    for (size_t i = 0; i < count; i++)
        ts_test_body(l->w.scene, shape[i % (size_t)shapes], pitch * (double)(i % side), pitch * (double)(i / side));
    OK(ts_model_compile(l->w.scene, &l->w.model, ERROR));
    l->count = ts_model_body_count(l->w.model);
    l->body = malloc(l->count * sizeof *l->body);
    assert_non_null(l->body);
    memcpy(l->body, l->w.model->body, l->count * sizeof *l->body);
}

static void lot_close(lot *l)
{
    free(l->body);
    ts_test_close(&l->w);
}

/* Uniform in a box, turned at random. */
static void scatter(lot *l, uint64_t seed, double x, double y, double width, double height)
{
    for (size_t i = 0; i < l->count; i++) {
        l->body[i].x = x + ts_random_range(seed, i, 0, 0, width);
        l->body[i].y = y + ts_random_range(seed, i, 1, 0, height);
        l->body[i].angle = ts_random_range(seed, i, 2, -4, 4);
    }
}

static void uniform_discs(void **state)
{
    (void)state;
    lot l;
    ts_test_open(&l.w, 0);
    int32_t disc = ts_test_disc(l.w.scene, 0.01);
    lot_open(&l, 1500, &disc, 1, 0.03);
    /* dilute, dense, far from the origin, a long row in x, in y, and two clumps far apart */
    scatter(&l, 1, 0, 0, 1.5, 1.5);
    check_list_at(l.w.model, l.body, 0);
    scatter(&l, 2, -3, 5, 0.4, 0.3);
    check_list_at(l.w.model, l.body, 0);
    scatter(&l, 3, 1e4, -1e4, 1, 1);
    check_list_at(l.w.model, l.body, 0);
    scatter(&l, 4, 0, 0, 20, 0.01);
    check_list_at(l.w.model, l.body, 0);
    scatter(&l, 5, 0, 0, 0.01, 20);
    check_list_at(l.w.model, l.body, 0);
    scatter(&l, 6, 0, 0, 0.5, 0.5);
    for (size_t i = 0; i < l.count / 2; i++)
        l.body[i].y += 1000;
    check_list_at(l.w.model, l.body, 0);
    lot_close(&l);
}

/* Neighbours a hair nearer than the reach, the first of the two a hair before the border of a cell, for hairs of
 * every size: where cells that are a hair too narrow would put the two into cells that are not neighbours. Along the
 * strips, and, with more bodies farther off that make this the longer side, across them. */
static void pairs_on_the_borders_of_cells(void **state)
{
    (void)state;
    enum { HAIRS = 24, FAR = 800 };
    for (int across = 0; across < 2; across++) {
        lot l;
        ts_test_open(&l.w, 0);
        int32_t disc = ts_test_disc(l.w.scene, 0.01);
        lot_open(&l, 3 * HAIRS + (across ? FAR : 0), &disc, 1, 0.03);
        double reach = 2 * 0.01 + l.w.model->settings.skin;
        for (int i = 0; i < 3 * HAIRS; i++) {
            double hair = 1.5 * ldexp(1, -i / 3 - 8), at[3] = {0, reach * (1 - hair), reach * (2 - hair - 1e-11)};
            l.body[i].x = at[i % 3];
            l.body[i].y = 2 * reach * (i / 3);
        }
        for (size_t i = 3 * HAIRS; i < l.count; i++) {
            l.body[i].x = reach * ts_random_range(12, i, 0, 40, 60);
            l.body[i].y = reach * ts_random_range(12, i, 1, 0, 2 * HAIRS);
        }
        check_list_at(l.w.model, l.body, 0);
        lot_close(&l);
    }
}

static void mixture_of_sizes(void **state)
{
    (void)state;
    for (int large = 10; large <= 1000; large *= 10) {
        lot l;
        ts_test_open(&l.w, 0);
        int32_t shape[97];
        for (int i = 0; i < 97; i++)
            shape[i] = ts_test_disc(l.w.scene, i == 0  ? 0.001 * large
                                               : i < 8 ? 0.001 * pow(large, i / 8.0)
                                                       : 0.001 * (1 + 0.01 * i));
        lot_open(&l, 1200, shape, 97, 0.0025 * large);
        scatter(&l, 7, 0, 0, 0.15, 0.1);
        check_list_at(l.w.model, l.body, 0);
        lot_close(&l);
    }
}

static void clusters(void **state)
{
    (void)state;
    lot l;
    ts_test_open(&l.w, 0);
    int32_t shape[] = {ts_test_triad(l.w.scene, 0.01), ts_test_rod(l.w.scene, 0.005, 7), ts_test_disc(l.w.scene, 0.02)};
    lot_open(&l, 500, shape, 3, 0.2);
    scatter(&l, 8, 0, 0, 1, 1);
    check_list_at(l.w.model, l.body, 0);
    scatter(&l, 9, 0, 0, 0.1, 0.1);
    check_list_at(l.w.model, l.body, 0);
    lot_close(&l);
}

static void one_flown_away(void **state)
{
    (void)state;
    static const size_t many[] = {2, 50, 1000};
    for (size_t k = 0; k < 3; k++) {
        lot l;
        ts_test_open(&l.w, 0);
        int32_t shape[] = {ts_test_disc(l.w.scene, 0.01), ts_test_disc(l.w.scene, 0.002)};
        lot_open(&l, many[k], shape, 2, 0.03);
        scatter(&l, 10, 0, 0, 0.4, 0.4);
        l.body[1].x = 4e5;
        check_list_at(l.w.model, l.body, 0);
        l.body[1].x = -4e5;
        l.body[1].y = 4e9;
        check_list_at(l.w.model, l.body, 0);
        l.body[1].x = l.body[1].y = -1e150;
        check_list_at(l.w.model, l.body, 0);
        lot_close(&l);
    }
}

static void all_in_one_point(void **state)
{
    (void)state;
    lot l;
    ts_test_open(&l.w, 0);
    int32_t shape[] = {ts_test_disc(l.w.scene, 0.01), ts_test_disc(l.w.scene, 0.0001)};
    lot_open(&l, 300, shape, 2, 0.03);
    for (size_t i = 0; i < l.count; i++)
        l.body[i].x = l.body[i].y = 0.25;
    check_list_at(l.w.model, l.body, 0);
    lot_close(&l);
}

static void one_and_none(void **state)
{
    (void)state;
    lot l;
    ts_test_open(&l.w, 0);
    ts_test_plane(l.w.scene, NULL, 0, 0, 0, 1);
    int32_t disc = ts_test_disc(l.w.scene, 0.01);
    ts_test_body(l.w.scene, disc, 0, 0.0105);
    lot_open(&l, 0, &disc, 1, 1);
    check_list_at(l.w.model, l.body, 0);
    l.body[0].y = 1;
    check_list_at(l.w.model, l.body, 0);
    lot_close(&l);

    ts_model empty = {.parts_are_bodies = true, .settings = ts_default_settings()};
    check_list_at(&empty, NULL, 0);
}

/* Half-planes, a container and fixed bodies, some of them driven, some with gates. */
static void boundaries_and_gates(void **state)
{
    (void)state;
    lot l;
    ts_test_open(&l.w, 0);
    ts_scene *scene = l.w.scene;
    ts_test_plane(scene, "slope", -1, 0, 0.3, 1);
    ts_test_plane(scene, "wall", -1, 0, 1, 0);
    ts_test_circle(scene, "drum", 0.2, 0.2, 3);
    int32_t disc = ts_test_disc(scene, 0.02);
    ts_test_fixed(scene, "door", ts_test_rod(scene, 0.02, 5), 0, 2);
    for (int i = 0; i < 60; i++)
        ts_test_fixed(scene, NULL, disc, 0.5 + 0.05 * i, 2);
    static const ts_drive_kind kind[] = {TS_DRIVE_ROTATION, TS_DRIVE_GATE, TS_DRIVE_GATE, TS_DRIVE_VELOCITY};
    static const char *const target[] = {"slope", "wall", "door", "drum"};
    for (int i = 0; i < 4; i++) {
        ts_drive_def def = ts_default_drive();
        def.kind = kind[i];
        def.target = target[i];
        def.rate = 0.2;
        def.velocity[0] = 0.1;
        def.start = 1;
        def.end = 2;
        OK(ts_scene_add_drive(scene, &def, NULL, ERROR));
    }
    lot_open(&l, 600, &disc, 1, 0.045);
    static const double time[] = {0, 1, 1.5, 2, 3};
    for (size_t t = 0; t < 5; t++) {
        scatter(&l, 11 + t, -1.1, -0.2, 1.5, 1.2);
        check_list_at(l.w.model, l.body, time[t]);
    }
    lot_close(&l);
}

/* 1027 strips of 256 discs each, as few as make a block: the most blocks that there can be. */
static void blocks_stay_in_their_bounds(void **state)
{
    (void)state;
    enum { ROWS = 1027, ROW = 256 };
    size_t n = (size_t)ROWS * ROW;
    ts_model model = {.parts_are_bodies = true, .part_count = n, .body_count = n};
    model.settings.skin = 0.2;
    model.body = calloc(n, sizeof *model.body);
    assert_non_null(model.body);
    for (size_t i = 0; i < n; i++)
        model.body[i] = (ts_body){.x = 3 * (double)(i % ROW), .y = 2.3 * (double)(i / ROW), .radius = 1, .inv_mass = 1};
    ts_pairs pairs;
    build_list(&pairs, &model, model.body, 0, 2);
    assert_true(pairs.block_count > 500);
    assert_true(pairs.block_count <= 1024);
    check_blocks(&model, &pairs);
    ts_pairs_free(&pairs);
    free(model.body);
}

/* ---- Along a run ---- */

/* The contacts that ts_find_contacts lists are those of brute force, with the right gaps. Returns how many. */
static size_t check_contacts(const ts_test_world *w)
{
    const ts_contact *contact;
    size_t count, part_count, touching = 0;
    OK(ts_find_contacts(w->model, w->state, w->work, &contact, &count, ERROR));
    double time = ts_state_time(w->state);
    ts_test_part *part = ts_test_parts(w->model, ts_state_bodies(w->state), time, &part_count);
    size_t *first = calloc(w->model->body_count + 1, sizeof *first);
    assert_non_null(first);
    for (size_t i = part_count; i-- > 0;)
        first[part[i].body] = i;
    for (size_t j = 0; j < part_count; j++) {
        for (size_t i = 0; i < j; i++)
            touching +=
                ts_test_may_meet(&part[i], &part[j]) && ts_test_gap(&part[i], &part[j]) < -1e-12 * part[j].radius;
        for (size_t k = 0; k < w->model->wall_count && part[j].movable; k++) {
            bool absent;
            double gap = ts_test_wall_gap(w->model, k, time, &part[j], &absent);
            touching += !absent && gap < -1e-12 * part[j].radius;
        }
    }
    for (size_t k = 0; k < count; k++) {
        const ts_test_part *b = &part[first[contact[k].b] + (uint32_t)contact[k].key];
        bool absent = false;
        double gap = contact[k].a < 0 ? ts_test_wall_gap(w->model, (size_t)(-1 - contact[k].a), time, b, &absent)
                                      : ts_test_gap(&part[first[contact[k].a] + (contact[k].key >> 32)], b);
        assert_false(absent);
        NEAR(contact[k].gap, gap, 1e-12 * (fabs(b->x) + fabs(b->y) + 1));
    }
    free(first);
    free(part);
    assert_true(count >= touching && count <= touching + 2); /* a gap of a rounding error counts or not */
    return touching;
}

/* The parts as they stood in the middle of the last step, all against all: every touching pair was in the list.
 * Returns how many contacts there were, those with walls (which stand still here) among them. */
static size_t check_middle(const ts_test_world *w)
{
    const ts_workspace *work = w->work;
    const ts_model *model = w->model;
    size_t count, touching = 0;
    named_pair *list = named_list(&work->pairs, &count);
    for (size_t s = 0; s < model->part_count; s++)
        for (size_t r = 0; r < s; r++) {
            const ts_frame2 *p = &work->part[s], *q = &work->part[r];
            double dx = p->x - q->x, dy = p->y - q->y, reach = p->radius + q->radius;
            int32_t a = work->pairs.part_of_slot[s], b = work->pairs.part_of_slot[r];
            bool one_body = model->part_body && model->part_body[a] == model->part_body[b];
            if (dx * dx + dy * dy >= reach * reach || one_body || p->inv_mass + q->inv_mass == 0)
                continue;
            named_pair pair = a < b ? (named_pair){a, b} : (named_pair){b, a};
            if (!bsearch(&pair, list, count, sizeof *list, compare_pairs))
                fail_msg("parts %d and %d touch in step %llu but are not listed", a, b,
                         (unsigned long long)ts_state_steps(w->state));
            touching++;
        }
    for (size_t s = 0; s < model->part_count; s++)
        for (size_t k = 0; k < model->wall_count && work->part[s].inv_mass > 0; k++) {
            const ts_frame2 *p = &work->part[s];
            bool absent;
            touching +=
                ts_test_wall_gap(model, k, 0, &(ts_test_part){p->x, p->y, p->radius, 0, 0, true, false}, &absent) < 0;
        }
    free(list);
    return touching;
}

static void no_contact_is_missed_along_a_run(void **state)
{
    (void)state;
    ts_test_world w;
    ts_test_open(&w, 0);
    ts_test_soften(w.scene, 1e5, 8e-6);
    const double a[] = {0.01, 0.01}, b[] = {0.15, 0.15};
    ts_test_circle(w.scene, NULL, 0.08, 0.08, 0.09);
    int32_t bar = ts_test_fixed(w.scene, "bar", ts_test_rod(w.scene, 0.005, 5), 0.08, 0.08);
    ts_drive_def turn = ts_default_drive();
    turn.kind = TS_DRIVE_ROTATION;
    turn.target = "bar";
    turn.rate = 30;
    OK(ts_scene_add_drive(w.scene, &turn, NULL, ERROR));
    ts_test_fill(w.scene, a, b, 40, ts_test_triad(w.scene, 0.003), 1, 1, 0.6);
    ts_test_fill(w.scene, a, b, 90, ts_test_disc(w.scene, 0.005), 0.3, 1, 0.6);
    ts_test_start(&w, 2);
    assert_int_equal(bar, 0);
    size_t touched = 0, middle = 0;
    uint64_t contacts = 0;
    for (int i = 0; i < 1200; i++) {
        ts_test_step(&w, 1);
        size_t here = check_middle(&w);
        middle += here;
        assert_int_equal(w.work->contact_sum - contacts, here);
        contacts = w.work->contact_sum;
        if (i % 3 == 0)
            touched += check_contacts(&w);
    }
    assert_true(touched > 300);
    assert_true(middle > 1000);
    assert_true(w.work->rebuild_count > 30); /* the list was put to the test */
    ts_test_close(&w);
}

/* Two discs, or a disc and a wall, run head on into each other, from distances that let them meet at every age of the
 * list, up to the moment when each has moved by half of the skin: the contact is there in the very step in which they
 * overlap. */
static void head_on_contacts_are_never_late(void **state)
{
    (void)state;
    const double dt = 1e-5, skin = 0.002;
    for (int wall = 0; wall < 2; wall++)
        for (int i = 0; i < 150; i++) {
            ts_test_world w;
            ts_test_open(&w, 0);
            ts_test_soften(w.scene, 1e5, dt);
            ts_settings settings = ts_scene_settings(w.scene);
            settings.skin = skin;
            OK(ts_scene_set(w.scene, &settings, ERROR));
            double gap = 0.5 * skin + 0.02 * skin * i, speed = 0.01 * skin / dt;
            int32_t disc = ts_test_disc(w.scene, 0.01);
            if (wall) { /* it comes twice as fast to a disc that waits */
                ts_test_body(w.scene, disc, 0.01 + gap, 0);
                ts_test_plane(w.scene, "wall", 0, 0, 1, 0);
                ts_drive_def push = ts_default_drive();
                push.target = "wall";
                push.velocity[0] = 2 * speed;
                OK(ts_scene_add_drive(w.scene, &push, NULL, ERROR));
            } else {
                ts_test_body_moving(w.scene, disc, -0.01, 0, speed, 0, 0);
                ts_test_body_moving(w.scene, disc, 0.01 + gap, 0, -speed, 0, 0);
            }
            ts_test_start(&w, 1);
            for (int step = 0; w.work->contact_sum == 0; step++) {
                ts_test_step(&w, 1);
                double left = gap - 2 * speed * dt * (step + 0.5);
                if (w.work->contact_sum == 0 && left < -1e-9 * skin)
                    fail_msg("%s, %g of the skin apart at first: missed in step %d at an overlap of %g",
                             wall ? "disc and wall" : "two discs", gap / skin, step, -left);
            }
            ts_test_close(&w);
        }
}

/* ts_state_set_pose takes bodies anywhere, and the next look and the next step find them there. */
static void bodies_put_elsewhere_are_found(void **state)
{
    (void)state;
    ts_test_world w;
    ts_test_open(&w, 0);
    int32_t disc = ts_test_disc(w.scene, 0.01);
    for (int i = 0; i < 40; i++)
        ts_test_body(w.scene, disc, 0.05 * i, 0);
    ts_test_plane(w.scene, NULL, 0, -1, 0, 1);
    ts_test_start(&w, 1);
    ts_test_step(&w, 3);
    assert_int_equal(check_contacts(&w), 0);
    OK(ts_state_set_pose(w.state, 39, (double[]){0.0151, 0, 0}, ERROR));
    OK(ts_state_set_pose(w.state, 38, (double[]){1, -0.991, 0}, ERROR));
    assert_int_equal(check_contacts(&w), 2);
    uint64_t before = w.work->contact_sum;
    ts_test_step(&w, 1);
    assert_int_equal(w.work->contact_sum - before, 2);
    ts_test_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_discs),
        cmocka_unit_test(pairs_on_the_borders_of_cells),
        cmocka_unit_test(mixture_of_sizes),
        cmocka_unit_test(clusters),
        cmocka_unit_test(one_flown_away),
        cmocka_unit_test(all_in_one_point),
        cmocka_unit_test(one_and_none),
        cmocka_unit_test(boundaries_and_gates),
        cmocka_unit_test(blocks_stay_in_their_bounds),
        cmocka_unit_test(no_contact_is_missed_along_a_run),
        cmocka_unit_test(head_on_contacts_are_never_late),
        cmocka_unit_test(bodies_put_elsewhere_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
