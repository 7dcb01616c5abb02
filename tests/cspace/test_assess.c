/* SPDX-License-Identifier: MIT */
/* Errors of maps that are wrong by a known amount. */
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "base/vec.h"
#include "cspace/map.h"
#include "support/check.h"

/* The truth, spoilt. */
typedef struct spoilt {
    const ts_exact *exact;
    double gap, turn, arm; /* added to the gap, to the normal's angle, to the arm */
    double lever;          /* added to the gap's derivative in the angle */
    double sign;           /* times the gap */
    double share, jump;    /* angles of this share of a full turn have `jump` more gap */
    double apart;          /* added to positive gaps */
    bool blind;            /* no gradient */
    bool discs;            /* the truth is that of two unit discs, in closed form */
} spoilt;

static void ask_spoilt(const void *field, size_t count, ts_fields *f)
{
    const spoilt *s = field;
    if (!s->discs)
        ts_exact_query(s->exact, count, f);
    for (size_t k = 0; k < count; k++) {
        double r = hypot(f->x[k], f->y[k]);
        if (s->discs) {
            f->gap[k] = r - 2;
            f->gx[k] = f->x[k] / r;
            f->gy[k] = f->y[k] / r;
            f->arm[k] = 0.5 * r;
            f->gangle[k] = 0;
        }
        f->gap[k] += f->gap[k] > 0 ? s->apart : 0;
        f->gap[k] = s->sign * f->gap[k] + s->gap + (f->angle[k] + TS_PI < 2 * TS_PI * s->share ? s->jump : 0);
        ts_vec2 n = ts_vec2_rotate((ts_vec2){f->gx[k], f->gy[k]}, s->turn);
        f->gx[k] = s->blind ? 0 : n.x;
        f->gy[k] = s->blind ? 0 : n.y;
        f->arm[k] += s->arm;
        f->gangle[k] += s->lever;
    }
}

/* A map around a spoilt truth. */
typedef struct bench {
    ts_map map;
    spoilt field;
} bench;

static void begin(bench *b, ts_outline *first, ts_outline *second)
{
    *b = (bench){.field = {.sign = 1}};
    OK(ts_pair_create(first, second, &b->map.pair, ERROR));
    OK(ts_exact_create(b->map.pair, &b->map.exact, ERROR));
    ts_outline_free(first);
    ts_outline_free(second);
    b->map.fold = ts_fold_make(b->map.pair, false);
    b->field.exact = b->map.exact;
    b->map.field = &b->field;
    b->map.query = ask_spoilt;
}

static void end(bench *b)
{
    ts_exact_free(b->map.exact);
    ts_pair_free(b->map.pair);
}

static void begin_discs(bench *b)
{
    ts_outline *one, *two;
    OK(ts_outline_disc(5, &one, ERROR));
    OK(ts_outline_disc(5, &two, ERROR));
    begin(b, one, two);
    b->field.discs = true;
}

/* Radii 1 and 1/8: what is near, and errors, are shares of the small one. */
static void begin_unequal(bench *b)
{
    ts_outline *one, *two;
    OK(ts_outline_disc(4, &one, ERROR));
    OK(ts_outline_disc(0.5, &two, ERROR));
    begin(b, one, two);
}

static void begin_crescent(bench *b)
{
    ts_outline *one, *two;
    OK(ts_outline_arc(1, 0.4, 4, true, &one, ERROR));
    OK(ts_outline_box(1, 0.5, 0, &two, ERROR));
    begin(b, one, two);
}

static ts_map_errors measure(const bench *b, uint64_t samples, uint64_t seed, ts_pool *pool)
{
    ts_map_errors e;
    OK(ts_map_assess(&b->map, samples, seed, &(ts_assessing){.pool = pool}, &e, ERROR));
    return e;
}

static void truth_has_no_error(void **state)
{
    (void)state;
    bench b;
    begin_crescent(&b);
    ts_map_errors e = measure(&b, 150, 1, NULL);
    assert_int_equal(e.samples, 150);
    /* asked with a band and without one, so not to the bit */
    NEAR(e.worst, 0, 1e-9);
    NEAR(e.normal_mean, 0, 1e-6);
    NEAR(e.arm_mean, 0, 1e-6);
    NEAR(e.turn_mean, 0, 1e-6);
    NEAR(e.surface, 0, 1e-4); /* a zero within 1e-8 is found, which may be far along a line that grazes the surface */
    NEAR(e.sign, 1, 0);
    end(&b);
}

static void shifted_gap(void **state)
{
    (void)state;
    bench b;
    begin_discs(&b);
    for (int i = -1; i <= 1; i += 2) {
        b.field.gap = 0.0099 * i;
        ts_map_errors e = measure(&b, 200, 1, NULL);
        NEAR(e.mean, 0.0099, 1e-9);
        NEAR(e.high, 0.0099, 1e-9);
        NEAR(e.worst, 0.0099, 1e-9);
        NEAR(e.surface, 0.0099, 1e-6); /* the slope is 1 */
        NEAR(e.sign, 1, 0);            /* smaller than what counts as clearly apart */
        NEAR(e.normal_mean, 0, 1e-9);
    }
    end(&b);
    /* of a box and a bent bar the surface moves by at least as much: the slope is at most 1 */
    begin_crescent(&b);
    b.field.gap = 0.02;
    ts_map_errors e = measure(&b, 150, 1, NULL);
    NEAR(e.mean, 0.02 / b.map.pair->small, 1e-8);
    assert_true(e.surface > 0.02 / b.map.pair->small - 1e-6);
    end(&b);
}

static void turned_normal_and_arm(void **state)
{
    (void)state;
    bench b;
    begin_discs(&b);
    b.field.turn = -0.1;
    b.field.arm = 0.03;
    ts_map_errors e = measure(&b, 200, 2, NULL);
    NEAR(e.normal_mean, 0.1, 1e-9);
    NEAR(e.normal_high, 0.1, 1e-9);
    NEAR(e.arm_mean, 0.03, 1e-9);
    NEAR(e.worst, 0, 1e-9);
    b.field.blind = true;
    e = measure(&b, 200, 2, NULL);
    NEAR(e.normal_mean, TS_PI / 2, 1e-12);
    end(&b);
}

/* Of A's turn and of B's: a lever that is added to B's is taken from A's. With a small B, all is in shares of its
 * radius. */
static void shares_of_the_smaller_radius(void **state)
{
    (void)state;
    bench b;
    begin_unequal(&b);
    b.field.gap = 0.001;
    b.field.arm = 0.002;
    b.field.lever = -0.003;
    ts_map_errors e = measure(&b, 400, 2, NULL);
    NEAR(e.mean, 0.001 * 8, 1e-9);
    NEAR(e.worst, 0.001 * 8, 1e-9);
    NEAR(e.surface, 0.001 * 8, 1e-6);
    NEAR(e.arm_mean, 0.002 * 8, 1e-7);
    NEAR(e.turn_mean, 0.003 * 8, 1e-7);
    NEAR(e.normal_mean, 0, 1e-7);
    NEAR(e.sign, 1, 0); /* less than a hundredth of the small radius */
    /* clear is a hundredth of it as well: of the poses near contact, |gap| ≤ 0.0125, those up to 0.002 have the wrong
     * sign */
    b.field = (spoilt){.exact = b.map.exact, .sign = 1, .gap = -0.002};
    e = measure(&b, 4000, 2, NULL);
    double wrong = (0.002 - 0.00125) / (2 * (0.0125 - 0.00125)) * 4000 / 4401;
    NEAR(e.sign, 1 - wrong, 4 * sqrt(wrong / 4000) + 2e-3); /* some of those anywhere are near, too */
    end(&b);
}

/* Both signs of the gap are seen: for two discs, half of the poses near contact are apart, and those have the larger
 * circle. */
static void gaps_of_discs_are_seen(void **state)
{
    (void)state;
    bench b;
    begin_discs(&b);
    /* 0.3 more where the gap is positive, as told by the sign of the mean error */
    ts_map_errors whole = measure(&b, 2000, 9, NULL);
    NEAR(whole.mean, 0, 1e-12);
    b.field.apart = 0.3;
    ts_map_errors e = measure(&b, 2000, 9, NULL);
    double share = (2.1 * 2.1 - 4) / (2.1 * 2.1 - 1.9 * 1.9);
    NEAR(e.mean, 0.3 * share, 0.3 * 4 * 0.5 / sqrt(2000));
    end(&b);
}

/* Gap times -1 on discs: every sign is wrong, and the mean error is twice the mean of |2 - r| over the ring 1.9 ≤ r ≤
 * 2.1. */
static void wrong_sign(void **state)
{
    (void)state;
    bench b;
    begin_discs(&b);
    b.field.sign = -1;
    ts_map_errors e = measure(&b, 3000, 3, NULL);
    NEAR(e.sign, 0, 0);
    NEAR(e.mean, 2 * 0.05, 4 * 2 * 0.029 / sqrt(3000)); /* by symmetry about r = 2; four standard errors */
    NEAR(e.surface, 0, 1e-6);
    end(&b);
}

/* An error at 0.5 % of the poses is not seen by `high`, one at 2 % is. */
static void rare_errors(void **state)
{
    (void)state;
    bench b;
    begin_discs(&b);
    b.field.jump = 0.5;
    b.field.share = 0.005;
    ts_map_errors e = measure(&b, 3000, 4, NULL);
    NEAR(e.worst, 0.5, 1e-9);
    NEAR(e.high, 0, 1e-9);
    NEAR(e.mean, 0.5 * 0.005, 0.5 * 4 * sqrt(0.005 / 3000));
    b.field.share = 0.02;
    e = measure(&b, 3000, 4, NULL);
    NEAR(e.high, 0.5, 1e-9);
    /* where it jumps the map's surface lies that much farther in */
    NEAR(e.surface, 0.5, 1e-6);
    NEAR(e.surface_limit, 1, 0);
    /* where it jumps by more than is looked for, none is found, and that is said */
    b.field.jump = 1.5;
    e = measure(&b, 3000, 4, NULL);
    NEAR(e.surface, e.surface_limit, 0);
    end(&b);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    bench b;
    begin_crescent(&b);
    b.field.gap = 0.003;
    b.field.jump = 0.03;
    b.field.share = 0.3;
    ts_map_errors one = measure(&b, 150, 5, NULL), other = measure(&b, 150, 6, NULL);
    for (int threads = 2; threads <= 5; threads += 3) {
        ts_pool *pool;
        OK(ts_pool_create(threads, &pool, ERROR));
        ts_map_errors many = measure(&b, 150, 5, pool);
        assert_memory_equal(&one, &many, sizeof one);
        ts_pool_free(pool);
    }
    assert_true(one.mean != other.mean);
    end(&b);
}

static void no_poses(void **state)
{
    (void)state;
    bench b;
    begin_discs(&b);
    ts_map_errors e;
    assert_int_equal(ts_map_assess(&b.map, 0, 1, NULL, &e, ERROR), TS_BAD_INPUT);
    assert_non_null(strstr(ERROR->message, "choose 1 to"));
    end(&b);
}

/* Remembers what it was told; stops at the given share. */
typedef struct listener {
    int calls;
    double last, stop;
    bool fell;
} listener;

static bool listen(void *user, double done, const char *what)
{
    listener *l = user;
    l->calls++;
    l->fell |= !(done >= l->last && done <= 1) || !strstr(what, "measuring");
    l->last = done;
    return done < l->stop;
}

/* Progress goes from 0 to nearly 1 and never back, does not change the errors, and can stop it at any time. */
static void progress_is_told(void **state)
{
    (void)state;
    bench b;
    begin_crescent(&b);
    b.field.gap = 0.01;
    ts_map_errors plain = measure(&b, 3000, 3, NULL), told;
    listener all = {.stop = 2};
    OK(ts_map_assess(&b.map, 3000, 3, &(ts_assessing){NULL, listen, &all}, &told, ERROR));
    assert_memory_equal(&plain, &told, sizeof plain);
    assert_true(all.calls > 3 && !all.fell && all.last > 0.5);
    for (int i = 0; i < 3; i++) {
        listener some = {.stop = 0.3 * i};
        assert_int_equal(ts_map_assess(&b.map, 3000, 3, &(ts_assessing){NULL, listen, &some}, &told, ERROR),
                         TS_INTERRUPTED);
        assert_true(some.calls < all.calls || i > 0);
    }
    end(&b);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(progress_is_told),
        cmocka_unit_test(truth_has_no_error),
        cmocka_unit_test(shifted_gap),
        cmocka_unit_test(turned_normal_and_arm),
        cmocka_unit_test(wrong_sign),
        cmocka_unit_test(rare_errors),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(no_poses),
        cmocka_unit_test(shares_of_the_smaller_radius),
        cmocka_unit_test(gaps_of_discs_are_seen),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
