/* SPDX-License-Identifier: MIT */
/* Clearance: both bodies of a pair move for as long as the gap is certain to stay above 0, and it does.
 *
 * They go downhill: of all motions, the one by which the gap falls most in the measure of clearance.h, or one that is
 * drawn, or a blend. Nothing is taken from the bound itself but how far it lets them go; the gap along the way is the
 * map's own. */
#include "cspace/clearance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "cspace/forms.h"
#include "cspace/map.h"
#include "cspace/random_map.h"
#include "cspace/table_kernel.h"

/* ---- Pairs ---- */

enum { U_FORM = FORM_COUNT, LINK, G_LETTER, R_LETTER, PIN };

static ts_outline *letter(char which)
{
    char path[4096];
    ts_outline *o;
    snprintf(path, sizeof path, "%s/scenes/fonts/DejaVuSans-Bold-ASCII.ttf",
             getenv("SOURCE_DIR") ? getenv("SOURCE_DIR") : ".");
    OK(ts_outline_read_glyph(path, (unsigned char)which, NULL, &o, NULL, ERROR));
    return o;
}

/* A ball, and a socket in which the ball of another one fits. */
static ts_outline *link_form(void)
{
    const ts_vertex v[8] = {{-0.164274972, -0.26289491, 0.514756154}, {0.301993377, -0.07, 0},
                            {0.61265006, -0.07, 5.533570571},         {0.61265006, 0.07, 0},
                            {0.301993377, 0.07, 0.514756154},         {-0.164274972, 0.26289491, 0},
                            {-0.111283045, 0.1780901, -1.804047755},  {-0.111283045, -0.1780901, 0}};
    ts_outline *o;
    OK(ts_outline_create(&(ts_contour){v, 8, false}, 1, TS_RULE_NONZERO, &o, ERROR));
    return o;
}

/* Four turns, and no mirror. */
static ts_outline *pin(void)
{
    const double blade[3][2] = {{0.3, -0.05}, {1, 0.1}, {0.7, 0.35}};
    double point[12][2];
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++) {
            double c = k == 0 ? 1 : k == 2 ? -1 : 0, s = k == 1 ? 1 : k == 3 ? -1 : 0;
            point[3 * k + i][0] = c * blade[i][0] - s * blade[i][1];
            point[3 * k + i][1] = s * blade[i][0] + c * blade[i][1];
        }
    return form_polygon(point, 12);
}

static ts_outline *outline_of(unsigned which, double size)
{
    const double u[8][2] = {{-0.8, 0.8}, {-0.8, -0.6}, {0.8, -0.6},  {0.8, 0.8},
                            {0.5, 0.8},  {0.5, -0.3},  {-0.5, -0.3}, {-0.5, 0.8}};
    ts_outline *o, *placed;
    if (which < (unsigned)FORM_COUNT)
        return form_make((form)which, size);
    o = which == U_FORM     ? form_polygon(u, 8)
        : which == LINK     ? link_form()
        : which == PIN      ? pin()
        : which == G_LETTER ? letter('G')
                            : letter('R');
    OK(ts_outline_place(o, size, 0.7, (double[2]){1, 2}, &placed, ERROR));
    ts_outline_free(o);
    return placed;
}

/* A map of the kind that `options` has; a table has this spacing. */
static ts_map *map_of(unsigned a, unsigned b, double size_b, ts_map_options options, double spacing)
{
    ts_outline *oa = outline_of(a, 1), *ob = outline_of(b, size_b);
    ts_pair *pair;
    ts_table *table = NULL;
    ts_map *map;
    OK(ts_pair_create(oa, ob, &pair, ERROR));
    if (options.kind == TS_MAP_TABLE) {
        ts_exact *exact;
        const ts_fold fold = ts_fold_for_table(pair, !options.no_folding);
        OK(ts_exact_create(pair, &exact, ERROR));
        OK(ts_table_create(exact, pair, &fold, &(ts_table_form){.spacing = spacing * pair->small, .bits = options.grid},
                           NULL, NULL, NULL, &table, ERROR));
        ts_exact_free(exact);
        options.grid = 0;
    }
    OK(ts_map_assemble(pair, &options, NULL, table, &map, ERROR));
    ts_outline_free(oa);
    ts_outline_free(ob);
    return map;
}

/* ---- Walks ---- */

static ts_random R;

/* What was seen of a map. */
typedef struct tally {
    uint64_t queries, walks;
    double sure, gap; /* sums over walks that began below the cap */
    bool touched;     /* some pair that moved by a little more than its gap touched */
} tally;

static ts_map_contact ask(const ts_map *map, const ts_map_pose *pose, tally *t)
{
    ts_map_contact c;
    ts_map_query(map, 1, pose, &c);
    t->queries++;
    return c;
}

static double any(double most)
{
    return ts_random_next_range(&R, -most, most);
}

static bool maybe(double share)
{
    return ts_random_next_uniform(&R) < share;
}

/* A motion of length 1 in the measure: of each body two coordinates and an angle. */
typedef struct motion {
    double a[3], b[3];
} motion;

/* Radii at the pose's scale. */
typedef struct sizes {
    double a, b;
} sizes;

/* Of a move of either body and a turn of either, the one by which the gap falls fastest, as the record has it. */
static motion downhill(const ts_map_contact *c, sizes r)
{
    const double turn_a = fabs(c->turn_a) / r.a, turn_b = fabs(c->turn_b) / r.b;
    motion m = {0};
    if (turn_a > c->slope && turn_a > turn_b)
        m.a[2] = -copysign(1 / r.a, c->turn_a);
    else if (turn_b > c->slope)
        m.b[2] = -copysign(1 / r.b, c->turn_b);
    else if (maybe(0.5))
        m.a[0] = c->normal[0], m.a[1] = c->normal[1];
    else
        m.b[0] = -c->normal[0], m.b[1] = -c->normal[1];
    return m;
}

static motion any_motion(sizes r)
{
    motion m = {{any(1), any(1), any(1) / r.a}, {any(1), any(1), any(1) / r.b}};
    for (int i = 0; i < 3; i++) { /* now and then one body or one coordinate alone */
        m.a[i] *= maybe(0.6);
        m.b[i] *= maybe(0.6);
    }
    const double length = hypot(m.a[0], m.a[1]) + hypot(m.b[0], m.b[1]) + r.a * fabs(m.a[2]) + r.b * fabs(m.b[2]);
    for (int i = 0; i < 3; i++) {
        m.a[i] /= length > 0 ? length : 1;
        m.b[i] /= length > 0 ? length : 1;
    }
    return m;
}

static void move(ts_map_pose *pose, const motion *m, double by)
{
    for (int i = 0; i < 3; i++) {
        pose->a[i] += by * m->a[i];
        pose->b[i] += by * m->b[i];
    }
}

typedef enum style { DOWNHILL, STRAIGHT, BOTH, STYLES } style;

static sizes sizes_of(const ts_map *map, double scale)
{
    const ts_map_info info = ts_map_get_info(map);
    return (sizes){scale * info.radius_a, scale * info.radius_b};
}

/* Moves a pair by `most` in all; the least gap on the way. */
static double walk(const ts_map *map, ts_map_pose *pose, double most, int steps, style how, tally *t)
{
    const sizes r = sizes_of(map, pose->scale);
    const motion kept = any_motion(r);
    ts_map_contact c = ask(map, pose, t);
    double least = c.gap;
    for (int i = 0; i < steps; i++) {
        const motion m = how == DOWNHILL || (how == BOTH && i % 2) ? downhill(&c, r) : kept;
        move(pose, &m, most / steps);
        c = ask(map, pose, t);
        least = fmin(least, c.gap);
    }
    return least;
}

/* As far as is certain, and again from there, as a simulation does it: until rounding is all that is left of the gap.
 * */
static void creep(const ts_map *map, const ts_clearance *clear, ts_map_pose pose, tally *t)
{
    for (int i = 0; i < 24; i++) {
        const double gap = ask(map, &pose, t).gap, sure = ts_clearance_distance(clear, gap, pose.scale);
        if (!(sure > 0))
            return;
        const double least = walk(map, &pose, sure, 2, DOWNHILL, t);
        if (!(least > 0))
            fail_msg("a pair with a gap of %g touches (%g) after a motion of %g, less than is certain", gap, least,
                     sure);
    }
}

/* A pose of the pair as two in the world, anywhere and of any size. */
static ts_map_pose place(const ts_map *map, const double pose[3])
{
    ts_map_pose p = ts_map_place(map, (double[3]){any(3), any(3), any(4)}, pose);
    p.scale = maybe(0.5) ? 1 : ts_random_next_range(&R, 0.1, 10);
    for (int i = 0; i < 2; i++)
        p.b[i] = p.a[i] + p.scale * (p.b[i] - p.a[i]);
    return p;
}

/* Walks from a pose; it must have a gap, or there is nothing to say. */
static void try_pose(const ts_map *map, const ts_clearance *clear, const double pose[3], tally *t)
{
    const ts_map_pose p = place(map, pose);
    const double gap = ask(map, &p, t).gap, sure = ts_clearance_distance(clear, gap, p.scale);
    if (!(gap > 0))
        return;
    t->walks++;
    if (gap < clear->cap * p.scale)
        t->sure += sure / p.scale, t->gap += gap / p.scale;
    for (style how = DOWNHILL; how < STYLES && sure > 0; how++) {
        ts_map_pose end = p;
        const double least = walk(map, &end, sure, 8, how, t);
        if (!(least > 0))
            fail_msg("a pair with a gap of %g touches (%g) after a motion of %g, less than is certain", gap, least,
                     sure);
    }
    if (t->walks % 4 == 0)
        creep(map, clear, p, t);
    if (gap < clear->cap * p.scale && !t->touched) {
        ts_map_pose end = p;
        t->touched = !(walk(map, &end, 1.1 * gap, 16, DOWNHILL, t) > 0);
    }
}

/* Two poses side by side: what counts of the gap, between 0 and the cap, has no jump between them. */
static void try_jump(const ts_map *map, const ts_clearance *clear, const double pose[3], tally *t)
{
    ts_map_pose p = place(map, pose), q = p;
    const double by = p.scale * pow(10, ts_random_next_range(&R, -6, -2));
    const motion m = any_motion(sizes_of(map, p.scale));
    move(&q, &m, by);
    const double most = clear->cap * p.scale, g = fmin(fmax(ask(map, &p, t).gap, 0), most);
    const double h = fmin(fmax(ask(map, &q, t).gap, 0), most), limit = clear->rate * by + clear->margin * p.scale;
    if (!(fabs(g - h) <= limit))
        fail_msg("a motion of %g takes a gap from %g to %g", by, g, h);
}

/* ---- Poses where something may go wrong ---- */

/* Anywhere near, with a direction that is likely to lie next to a wall of the folded domain. */
static void near_wall(const ts_map *map, double pose[3])
{
    double r = (map->pair->reach + 0.15) * sqrt(ts_random_next_uniform(&R)), u = any(TS_PI);
    if (maybe(0.5))
        u = map->fold.axis_a + TS_PI / 4 * rint(any(4)) + any(1e-3) * maybe(0.5);
    pose[0] = r * cos(u), pose[1] = r * sin(u), pose[2] = any(TS_PI);
}

/* At an end of a run of a table, next to another column. */
static void near_end(const ts_map *map, double pose[3])
{
    const ts_table *t = map->table;
    const ts_lattice *l = &t->gap;
    for (;;) {
        int32_t j = (int32_t)ts_random_next_below(&R, (uint64_t)l->rows);
        int32_t k = (int32_t)ts_random_next_below(&R, (uint64_t)l->angles);
        const unsigned char *cell = l->cell + 2 * ((size_t)j * (size_t)l->angles + (size_t)k);
        if (cell[0] > cell[1])
            continue;
        double i = maybe(0.5) ? cell[0] - 0.5 : cell[1] + 0.5, side[2];
        for (int c = 0; c < 2; c++)
            side[c] = (maybe(0.5) ? -0.5 : 0.5) + any(1e-3);
        double x = (l->first_x + i + any(0.3)) * l->spacing, c = cos(t->axis), s = sin(t->axis);
        double y = l->rows == 1 ? 0 : (l->first_y + j + side[0]) * l->spacing;
        pose[0] = c * x - s * y, pose[1] = s * x + c * y;
        pose[2] = (k + side[1]) * l->turn + t->origin;
        return;
    }
}

static tally try_map(const ts_map *map, uint64_t queries)
{
    const ts_clearance clear = ts_map_clearance(map);
    tally t = {0};
    double pose[3];
    R = ts_random_make(7, 3);
    assert_true(clear.rate >= 1 && clear.rate < 1e3);
    for (int i = 0; t.queries < queries; i++) {
        if (map->table && i % 2)
            near_end(map, pose);
        else
            near_wall(map, pose);
        try_pose(map, &clear, pose, &t);
        for (int k = 0; map->table && k < 4; k++) {
            near_end(map, pose);
            try_jump(map, &clear, pose, &t);
            near_wall(map, pose);
            try_jump(map, &clear, pose, &t);
        }
    }
    if (getenv("TS_TEST_SHOW"))
        print_message("rate %.3f cap %.4f margin %.1e loss %.4f; of gaps below the cap %.2f is certain; %d walks\n",
                      clear.rate, clear.cap, clear.margin, clear.loss, t.sure / t.gap, (int)t.walks);
    return t;
}

/* ---- Tables ---- */

static void check_table(unsigned a, unsigned b, double size_b, double spacing, int bits, bool no_folding)
{
    ts_map *map =
        map_of(a, b, size_b, (ts_map_options){.kind = TS_MAP_TABLE, .grid = bits, .no_folding = no_folding}, spacing);
    if (getenv("TS_TEST_SHOW"))
        print_message("%u %u %g %g: ", a, b, size_b, spacing);
    tally t = try_map(map, 20000);
    assert_true(t.touched); /* so the walks do go downhill */
    assert_true(t.sure >= 0.3 * t.gap);
    /* for a caller who calls B what is A here, nothing is different */
    const ts_clearance before = ts_map_clearance(map);
    ts_map_turn(map);
    const ts_clearance after = ts_map_clearance(map);
    assert_memory_equal(&before, &after, sizeof before);
    try_map(map, 3000);
    ts_map_free(map);
}

static void tables_of_equal_outlines(void **state)
{
    (void)state;
    check_table(HASH, HASH, 1, 0.08, 8, false);
    check_table(LINK, LINK, 1, 0.14, 8, false);
    check_table(LINK, LINK, 1, 0.2, 16, true);
}

static void tables_of_discs(void **state)
{
    (void)state;
    check_table(DISC, U_FORM, 2, 0.08, 8, false);
    check_table(U_FORM, DISC, 0.5, 0.08, 8, false);
    check_table(DISC, DISC, 0.6, 0.1, 8, false);
    check_table(RING, BOX, 0.6, 0.1, 8, false); /* which just fits in, about the centre */
}

/* Every way of folding: quarter turns and mirrors, half turns, turns without mirrors, a mirror alone, nothing. */
static void tables_of_others(void **state)
{
    (void)state;
    check_table(OCTAGON, HASH, 0.8, 0.1, 8, false);
    check_table(G_LETTER, R_LETTER, 1, 0.2, 8, false);
    check_table(PIN, ZED, 1, 0.16, 16, false);
    check_table(ZED, ROTOR, 1, 0.16, 8, false);
    check_table(BOX, HASH, 0.3, 0.15, 8, false);
    check_table(BENT, BOX, 1, 0.15, 8, false);
}

/* ---- Tables that were tampered with ---- */

static ts_clearance of_table(const ts_map *map)
{
    return ts_table_clearance(map->table, &map->fold, map->pair);
}

/* A run that ends where the gap is below 0, beside another that goes on to where it is above: the answer jumps from
 * contact to none. */
static void a_run_cut_short_is_noticed(void **state)
{
    (void)state;
    ts_map *map = map_of(HASH, HASH, 1, (ts_map_options){.kind = TS_MAP_TABLE}, 0.1);
    ts_lattice *l = &map->table->gap;
    int cut = 0;
    assert_true(of_table(map).rate < 3);
    for (int32_t c = 0; c < l->rows * l->angles && cut < 20; c += 7) {
        unsigned char *cell = l->cell + 2 * (size_t)c, hi = cell[1];
        if (cell[0] >= hi || hi - cell[0] < 8 || l->first_y + c / l->angles < 1)
            continue;
        cell[1] = (unsigned char)(hi - 6); /* six nodes of a tenth are more than the band */
        assert_true(of_table(map).rate == HUGE_VAL);
        cell[1] = hi;
        cut++;
    }
    assert_true(cut > 10);
    assert_true(of_table(map).rate < 3);
    ts_map_free(map);
}

/* A single byte: a steep place, which the rate must cover, or, next to a wall, a jump. */
static void a_changed_value_is_noticed(void **state)
{
    (void)state;
    ts_map *map = map_of(HASH, HASH, 1, (ts_map_options){.kind = TS_MAP_TABLE}, 0.1);
    ts_lattice *l = &map->table->gap;
    const double before = of_table(map).rate;
    int uncertain = 0, steeper = 0;
    for (uint64_t i = 0; i < 60; i++) {
        unsigned char *value = l->value + ts_random_below(1, 1, i, l->count), kept = *value;
        *value = (unsigned char)(kept ^ 96);
        const double rate = of_table(map).rate;
        uncertain += rate == HUGE_VAL;
        if (rate > before && rate < HUGE_VAL) { /* whatever it is, it holds */
            steeper++;
            try_map(map, 2000);
        }
        *value = kept;
    }
    if (getenv("TS_TEST_SHOW"))
        print_message("%d uncertain, %d steeper\n", uncertain, steeper);
    assert_true(uncertain > 0 && steeper > 0);
    ts_map_free(map);
}

/* ---- Other kinds ---- */

static void check_exact(unsigned a, unsigned b, double size_b, double smoothing, uint64_t queries)
{
    ts_map *map = map_of(a, b, size_b, (ts_map_options){.kind = TS_MAP_EXACT, .smoothing = smoothing}, 0);
    if (getenv("TS_TEST_SHOW"))
        print_message("%u %u %g smoothed by %g: ", a, b, size_b, smoothing);
    assert_true(try_map(map, queries).touched);
    ts_map_free(map);
}

static void exact_maps(void **state)
{
    (void)state;
    check_exact(HASH, HASH, 1, 0, 5000);
    check_exact(LINK, LINK, 1, 0, 5000);
    check_exact(DISC, U_FORM, 2, 0, 5000);
    check_exact(G_LETTER, R_LETTER, 1, 0, 5000);
}

static void smoothed_maps(void **state)
{
    (void)state;
    check_exact(HASH, HASH, 1, 0.05, 800);
    check_exact(OCTAGON, HASH, 0.4, 0.1, 800);
    check_exact(U_FORM, DISC, 0.5, 0.02, 800);
}

static void nothing_is_certain_of_others(void **state)
{
    (void)state;
    ts_map *map = map_of(HASH, BOX, 1, (ts_map_options){.kind = TS_MAP_SAMPLED, .grid = 11}, 0);
    const ts_clearance sampled = ts_map_clearance(map);
    assert_true(sampled.rate == HUGE_VAL);
    NEAR(ts_clearance_distance(&sampled, 1e6, 1), 0, 0);
    ts_map_free(map);
    map = random_map(random_pair(1), &(ts_map_options){.kind = TS_MAP_NETWORK, .depth = 1, .width = 8}, true);
    const ts_clearance network = ts_map_clearance(map);
    assert_true(network.rate == HUGE_VAL);
    NEAR(ts_clearance_distance(&network, 1e6, 1), 0, 0);
    ts_map_free(map);
}

/* By hand: 3 at scale 2 is 1.5; below the cap (1.5 - 0.1) / 2 = 0.7, at scale 2 1.4; beyond it (4 - 0.1) / 2, or 10 -
 * 5. */
static void distances(void **state)
{
    (void)state;
    const ts_clearance c = {.rate = 2, .cap = 4, .margin = 0.1, .loss = 5};
    NEAR(ts_clearance_distance(&c, 3, 2), 1.4, 1e-5);
    NEAR(ts_clearance_distance(&c, 6, 1), 1.95, 1e-5);
    NEAR(ts_clearance_distance(&c, 10, 1), 5, 1e-5);
    assert_true(ts_clearance_distance(&c, 3, 2) < 1.4);
    NEAR(ts_clearance_distance(&c, 0.1, 1), 0, 0);
    NEAR(ts_clearance_distance(&c, 0, 1), 0, 0);
    NEAR(ts_clearance_distance(&c, -1, 1), 0, 0);
    NEAR(ts_clearance_distance(&c, (double)NAN, 1), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances),
        cmocka_unit_test(tables_of_equal_outlines),
        cmocka_unit_test(tables_of_discs),
        cmocka_unit_test(tables_of_others),
        cmocka_unit_test(a_run_cut_short_is_noticed),
        cmocka_unit_test(a_changed_value_is_noticed),
        cmocka_unit_test(exact_maps),
        cmocka_unit_test(smoothed_maps),
        cmocka_unit_test(nothing_is_certain_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
