/* SPDX-License-Identifier: MIT */
/* Heights, surfaces, passages, joints and overlaps of arrangements whose answers are known by hand. */
#include "measure/grains.h"

static grains g, later;

/* Square of side 1, triangle with base 2 and height 1, both about their centres of mass; a hash sign of bars 1 long. */
static ts_outline *square, *triangle, *hash;
enum { SQUARE = 1, TRIANGLE = 2, HASH = 3 };
static const double stroke = 0.1;

static ts_outline *polygon(const double (*at)[2], size_t count, size_t contours)
{
    ts_vertex vertex[32];
    ts_contour contour[8];
    ts_outline *made;
    for (size_t i = 0; i < count * contours; i++)
        vertex[i] = (ts_vertex){at[i][0], at[i][1], 0};
    for (size_t k = 0; k < contours; k++)
        contour[k] = (ts_contour){vertex + k * count, count, false};
    OK(ts_outline_create(contour, contours, TS_RULE_NONZERO, &made, ERROR));
    return made;
}

static int make_shapes(void **unused)
{
    (void)unused;
    OK(ts_outline_box(1, 1, 0, &square, ERROR));
    triangle = polygon((const double[3][2]){{-1, -1 / 3.0}, {1, -1 / 3.0}, {0, 2 / 3.0}}, 3, 1);
    double bar[16][2];
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 4; i++) {
            double along = i == 0 || i == 3 ? -0.5 : 0.5, across = (i < 2 ? -0.5 : 0.5) * stroke;
            double shift = k & 1 ? 0.25 : -0.25;
            bar[4 * k + i][0] = k < 2 ? along : shift - across;
            bar[4 * k + i][1] = k < 2 ? shift + across : along;
        }
    hash = polygon((const double(*)[2])bar, 4, 4);
    return 0;
}

static int free_shapes(void **unused)
{
    (void)unused;
    ts_outline_free(square);
    ts_outline_free(triangle);
    ts_outline_free(hash);
    return 0;
}

static void begin(grains *to)
{
    grains_begin(to);
    to->shape[SQUARE] = (ts_snapshot_shape){.disc = &unit_disc, .disc_count = 1, .outline = square};
    to->shape[TRIANGLE] = (ts_snapshot_shape){.disc = &unit_disc, .disc_count = 1, .outline = triangle};
    to->shape[HASH] = (ts_snapshot_shape){.disc = &unit_disc, .disc_count = 1, .outline = hash};
    to->snapshot.shape_count = 4;
}

static ts_snapshot_body *add(grains *to, int shape, double x, double y, double angle, double scale)
{
    ts_outline_mass mass = ts_outline_get_mass(to->shape[shape].outline);
    ts_snapshot_body *body = grains_disc(to, x, y, 1);
    *body = (ts_snapshot_body){.position = {x, y},
                               .angle = angle,
                               .scale = scale,
                               .radius = scale * mass.radius,
                               .volume = scale * scale * mass.area,
                               .mass = scale * scale * mass.area,
                               .inertia = {[2] = {[2] = mass.inertia}},
                               .shape = shape,
                               .present = true};
    return body;
}

/* ---- Height ---- */

/* A wall of 3 by 7 squares: 99 % of it lies below 6.93. */
static void height_of_a_wall(void **unused)
{
    (void)unused;
    ts_height height;
    begin(&g);
    for (int i = 0; i < 21; i++)
        add(&g, SQUARE, 5 + i % 3, -2.5 + i / 3, (i % 4) * TS_PI / 2, 1);
    add(&g, SQUARE, 5, 40, 0, 1)->fixed = true; /* a wall's part of a box, not a grain's */
    OK(ts_measure_height(&g.snapshot, &(ts_bins){NULL, 5, false}, 0, &height, ERROR));
    NEAR(height.top, 6.93, 1e-9);
    NEAR(height.surface, 7, 1e-12);
    NEAR(height.centre, 3.5, 1e-12);
    /* a fifth above; and of a region from 1 above its foot, which is 4 high: cut through the squares */
    OK(ts_measure_height(&g.snapshot, &(ts_bins){NULL, 5, false}, 0.2, &height, ERROR));
    NEAR(height.top, 0.8 * 7, 1e-9);
    OK(ts_measure_height(&g.snapshot, &(ts_bins){&(ts_region){4, -2, 9, 2, 0, 0}, 5, false}, 0.5, &height, ERROR));
    NEAR(height.top, 2, 1e-9);
}

/* A triangle: what lies above y is the square of (1 - y/h) of its area; its mean height is h/2, its centre's h/3. */
static void height_of_a_triangle(void **unused)
{
    (void)unused;
    ts_height height;
    begin(&g);
    add(&g, TRIANGLE, 3, 10 + 2 / 3.0, 0, 2); /* base 4, height 2, foot at 10 */
    OK(ts_measure_height(&g.snapshot, &(ts_bins){NULL, 8, false}, 0.01, &height, ERROR));
    NEAR(height.top, 2 * 0.9, 1e-9);
    NEAR(height.surface, 1, 1e-12);
    NEAR(height.centre, 2 / 3.0, 1e-12);
    /* a disc: on average π r / 4 above its centre */
    begin(&g);
    grains_disc(&g, 0, 0, 2);
    OK(ts_measure_height(&g.snapshot, &(ts_bins){NULL, 50, false}, 0.5, &height, ERROR));
    NEAR(height.top, 2, 1e-9);
    NEAR(height.surface, 2 + TS_PI / 2, 1e-4);
    /* and nothing at all */
    begin(&g);
    OK(ts_measure_height(&g.snapshot, &(ts_bins){NULL, 3, false}, 0, &height, ERROR));
    assert_true(isnan(height.top) && isnan(height.surface) && isnan(height.centre));
    assert_int_equal(ts_measure_height(&g.snapshot, &(ts_bins){NULL, 3, false}, 1, &height, ERROR), TS_BAD_INPUT);
}

/* The surface of a triangle is its two flanks, of a square on its corner likewise: no bounding circle shows. */
static void surface_of_a_pile(void **unused)
{
    (void)unused;
    ts_pile_column column[8];
    begin(&g);
    add(&g, TRIANGLE, 4, 2 / 3.0, 0, 2); /* from x = 2 to 6, apex (4, 2) */
    add(&g, SQUARE, 3, 0.25, 0, 0.5);    /* within it */
    OK(ts_measure_pile(&g.snapshot, &(ts_bins){&(ts_region){0, 0, 8, 3, 0, 0}, 8, false}, column, ERROR));
    static const double edge[9] = {0, 0, 0, 1, 2, 1, 0, 0, 0};
    for (int k = 0; k < 8; k++) {
        double top = fmax(edge[k], edge[k + 1]), mean = (edge[k] + edge[k + 1]) / 2;
        if (k == 2 || k == 3 || k == 4 || k == 5) {
            NEAR(column[k].top, top, 1e-12);
            NEAR(column[k].mean, mean, 1e-12);
            NEAR(column[k].cover, 1, 0);
        } else {
            assert_true(column[k].cover == 0 && isnan(column[k].mean));
        }
    }
    /* half of a column: a square of side 1 over x = 2.5 … 3.5, in columns 2 wide; the lower one is hidden */
    begin(&g);
    add(&g, SQUARE, 3, 5, TS_PI, 1);
    add(&g, SQUARE, 3, 2, 0, 1);
    add(&g, SQUARE, 3, 9, 0, 1)->present = false;
    OK(ts_measure_pile(&g.snapshot, &(ts_bins){&(ts_region){0, 0, 8, 7, 0, 0}, 4, false}, column, ERROR));
    NEAR(column[1].cover, 0.5, 1e-12);
    NEAR(column[1].mean, 5.5, 1e-12);
    NEAR(column[1].top, 5.5, 1e-12);
    assert_true(isnan(column[0].top) && isnan(column[2].top));
    /* on its corner it reaches √2/2 up; a disc's arc is round */
    begin(&g);
    add(&g, SQUARE, 1, 0, TS_PI / 4, 1);
    grains_disc(&g, 3, 0, 1);
    OK(ts_measure_pile(&g.snapshot, &(ts_bins){&(ts_region){0, -1, 4, 1, 0, 0}, 4, false}, column, ERROR));
    NEAR(column[0].top, sqrt(0.5), 1e-12);
    NEAR(column[2].top, 1, 1e-12);
    OK(ts_measure_pile(&g.snapshot, &(ts_bins){&(ts_region){2, -1, 2.5, 1, 0, 0}, 1, false}, column, ERROR));
    NEAR(column[0].top, sqrt(0.75), 1e-12);
}

/* ---- Passages ---- */

/* Grain k starts k + 0.5 above an opening and falls with speed 1; at time 6 what is left stops. */
static void fall_to(grains *to, double time)
{
    begin(to);
    to->snapshot.time = time;
    for (int k = 0; k < 10; k++)
        grains_disc(to, 0.05 * (k % 3), k + 0.5 - fmin(time, 6), 0.1);
    grains_disc(to, 5, 3 - time, 0.1); /* goes down beside the opening */
    grains_disc(to, 0, -3, 0.1);       /* lies below, and is thrown back up at time 4 */
    to->body[11].position[1] = time < 4 ? -0.25 : 0.75;
}

static void flow_that_jams(void **unused)
{
    (void)unused;
    const double a[2] = {-1, 0}, b[2] = {1, 0};
    ts_passages passages = {0};
    for (int k = 0; k < 16; k++) {
        double time = 0.75 * k;
        fall_to(&g, time);
        fall_to(&later, time + 0.75);
        OK(ts_passages_add(&passages, &g.snapshot, &later.snapshot, a, b, ERROR));
    }
    assert_int_equal(passages.count, 7);
    for (size_t k = 0, grain = 0; k < 7; k++) {
        const ts_passage *p = &passages.passage[k];
        assert_true(k == 0 || p[0].time >= p[-1].time);
        if (p->forward) { /* interpolated between snapshots, so exact */
            assert_int_equal(p->body, grain);
            NEAR(p->time, (double)grain++ + 0.5, 1e-12);
        } else {
            assert_int_equal(p->body, 11);
            NEAR(p->time, 3.75 + 0.75 * 0.25, 1e-12); /* the straight way from 3.75 s to 4.5 s */
        }
    }
    ts_clogging c = ts_passages_clogging(&passages, 6);
    assert_int_equal(c.passed, 5); /* six down, one up */
    assert_int_equal(c.waiting, 5);
    NEAR(c.first, 0.5, 1e-12);
    NEAR(c.last, 5.5, 1e-12);
    NEAR(c.idle, 6.5, 1e-12);
    NEAR(c.pause, 6.5, 1e-12);
    assert_true(c.jammed);
    NEAR(c.jam, 5.5, 1e-12);
    c = ts_passages_clogging(&passages, 7);
    assert_true(!c.jammed && isnan(c.jam));
    /* windows: one grain a second, of mass π/100; and one that went back */
    ts_flow flow = ts_passages_flow(&passages, 0, 3);
    NEAR(flow.number, 1, 1e-12);
    NEAR(flow.mass, TS_PI / 100, 1e-12);
    flow = ts_passages_flow(&passages, 3, 5);
    NEAR(flow.number, 0.5, 1e-12);
    flow = ts_passages_flow(&passages, 6, 12);
    NEAR(flow.number, 0, 0);
    assert_true(isnan(ts_passages_flow(&passages, 2, 2).mass));
    /* each pair of neighbours once */
    assert_int_equal(ts_passages_add(&passages, &g.snapshot, &later.snapshot, a, b, ERROR), TS_BAD_INPUT);
    assert_int_equal(passages.count, 7);
    ts_passages_free(&passages);
    assert_true(passages.passage == NULL && passages.count == 0);
}

/* Nothing went through, because nothing is there: no jam. */
static void an_empty_silo_is_no_jam(void **unused)
{
    (void)unused;
    const double a[2] = {-1, 0}, b[2] = {1, 0};
    ts_passages passages = {0};
    begin(&g);
    begin(&later);
    later.snapshot.time = 5;
    grains_disc(&g, 0, -1, 0.1);
    grains_disc(&later, 0, -1, 0.1);
    assert_true(!ts_passages_clogging(&passages, 1).jammed);
    OK(ts_passages_add(&passages, &g.snapshot, &later.snapshot, a, b, ERROR));
    ts_clogging c = ts_passages_clogging(&passages, 1);
    assert_true(!c.jammed && c.waiting == 0 && isnan(c.first) && isnan(c.last));
    NEAR(c.idle, 5, 0);
    g.body[0].position[1] = later.body[0].position[1] = 1;
    ts_passages_free(&passages);
    OK(ts_passages_add(&passages, &g.snapshot, &later.snapshot, a, b, ERROR));
    c = ts_passages_clogging(&passages, 1);
    assert_true(c.jammed && c.waiting == 1);
    NEAR(c.jam, 0, 0); /* from the beginning */
    ts_passages_free(&passages);
}

/* ---- Joints ---- */

static void joints_of_a_chain(void **unused)
{
    (void)unused;
    ts_joint joint[5];
    ts_joints joints;
    begin(&g);
    for (int k = 0; k < 6; k++)
        grains_disc(&g, k, 0, 0.5);
    OK(ts_joints_of_row(&g.snapshot, 0, 5, 0, joint, ERROR));
    NEAR(joint[4].reach, 1.5, 1e-15);
    OK(ts_measure_joints(&g.snapshot, joint, 5, &joints, ERROR));
    assert_true(joints.count == 5 && joints.intact == 5 && joints.first == 5 && joints.run == 5);
    NEAR(joints.stretch, 1 / 1.5, 1e-15);
    /* the last three leave: one joint parts, and two are left beyond it */
    for (int k = 3; k < 6; k++)
        g.body[k].position[1] = 1.2;
    OK(ts_measure_joints(&g.snapshot, joint, 5, &joints, ERROR));
    assert_true(joints.intact == 4 && joints.first == 2 && joints.run == 2);
    NEAR(joints.stretch, hypot(1, 1.2) / 1.5, 1e-15);
    g.body[5].present = false;
    OK(ts_measure_joints(&g.snapshot, joint, 5, &joints, ERROR));
    assert_int_equal(joints.intact, 3);
}

/* A ball at the end of A, a socket at the end of B: turning about it keeps them, though the centres come near; slipping
 * out by more than the limit does not, though the centres stay near. */
static void ball_and_socket(void **unused)
{
    (void)unused;
    ts_joint joint = {.a = 0, .b = 1, .reach = 3, .limit = 0.1, .at_a = {1, 0}, .at_b = {-1, 0}};
    ts_joints joints;
    begin(&g);
    grains_disc(&g, 0, 0, 1);
    grains_disc(&g, 0, 0, 1);
    for (int k = 0; k < 12; k++) {
        double turn = 0.5 * k, bend = 0.3 * k, scale = g.body[0].scale = g.body[1].scale = k % 2 ? 1 : 0.5;
        g.body[0].angle = turn;
        g.body[1].angle = turn + bend;
        for (int out = 0; out < 2; out++) {
            double slip = out ? 0.101 : 0.099; /* along B's own axis */
            g.body[1].position[0] = scale * cos(turn) + (scale + slip) * cos(turn + bend);
            g.body[1].position[1] = scale * sin(turn) + (scale + slip) * sin(turn + bend);
            OK(ts_measure_joints(&g.snapshot, &joint, 1, &joints, ERROR));
            assert_int_equal(joints.intact, !out);
        }
    }
    joint.limit = joint.reach = 0;
    assert_int_equal(ts_measure_joints(&g.snapshot, &joint, 1, &joints, ERROR), TS_BAD_INPUT);
    joint = (ts_joint){.a = 0, .b = 2, .reach = 1};
    assert_int_equal(ts_measure_joints(&g.snapshot, &joint, 1, &joints, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_joints_of_row(&g.snapshot, 0, 2, 0, &joint, ERROR), TS_BAD_INPUT);
}

/* ---- Overlaps ---- */

/* A row of squares, each 0.1 into the next: 0.1 deep, a tenth of a square's area. */
static void overlaps_of_a_row(void **unused)
{
    (void)unused;
    ts_overlaps o;
    begin(&g);
    for (int k = 0; k < 9; k++)
        add(&g, SQUARE, 0.9 * k, 7, (k % 4) * TS_PI / 2, 1)->fixed = k >= 7; /* two fixed ones are no pair */
    add(&g, SQUARE, 0, 8, 0, 1);                                             /* touches only, but for rounding */
    OK(ts_measure_overlaps(&g.snapshot, NULL, &o, ERROR));
    assert_int_equal(o.pairs, 7);
    assert_int_equal(o.through, 0);
    NEAR(o.mean_depth, 0.1, 1.001e-4);
    NEAR(o.most_depth, 0.1, 1.001e-4);
    NEAR(o.mean_share, 0.1, 1e-14);
    NEAR(o.most_share, 0.1, 1e-14);
    OK(ts_measure_overlaps(&g.snapshot, &(ts_region){0, 0, 2, 9, 0, 0}, &o, ERROR));
    assert_int_equal(o.pairs, 2);
    g.body[3].position[0] -= 0.45; /* one half-way into the next, and out of the other */
    OK(ts_measure_overlaps(&g.snapshot, NULL, &o, ERROR));
    assert_int_equal(o.pairs, 6);
    assert_int_equal(o.through, 1);
    NEAR(o.most_share, 0.55, 1e-14);
    begin(&g);
    OK(ts_measure_overlaps(&g.snapshot, NULL, &o, ERROR));
    assert_true(o.pairs == 0 && isnan(o.mean_depth) && o.most_depth == 0);
}

/* Hash signs whose tips touch each other's bars, then pushed on by a quarter and by three quarters of a stroke. */
static void hashes_in_each_other(void **unused)
{
    (void)unused;
    ts_overlaps o;
    static const double push[] = {0, 0.25, 0.75};
    for (int k = 0; k < 3; k++) {
        /* four tips meet bars between their crossings */
        begin(&g);
        add(&g, HASH, 0, 0, 0, 1);
        add(&g, HASH, 0.5 + 0.25 + stroke / 2 - push[k] * stroke, 0.125, 0, 1);
        OK(ts_measure_overlaps(&g.snapshot, NULL, &o, ERROR));
        assert_int_equal(o.pairs, k > 0);
        assert_int_equal(o.through, k > 1);
        NEAR(o.most_depth, push[k] * stroke, 1.001e-3 * stroke);
    }
}

/* Discs by their closed form, and as clusters of the same disc twice, which are cut into chords. */
static void discs_two_ways(void **unused)
{
    (void)unused;
    static const ts_disc twice[2] = {{0, 0, 1}, {0, 0, 1}};
    for (int k = 0; k < 2; k++) {
        ts_overlaps o;
        begin(&g);
        if (k)
            g.shape[0] = (ts_snapshot_shape){.disc = twice, .disc_count = 2};
        grains_disc(&g, 1, 1, 1);
        grains_disc(&g, 2, 1, 1)->angle = 1;
        /* equal discs, one radius apart: 2π/3 − √3/2 of a radius squared */
        double lens = 2 * TS_PI / 3 - sqrt(3) / 2, rest = k ? 1e-5 : 1e-14;
        OK(ts_measure_overlaps(&g.snapshot, NULL, &o, ERROR));
        NEAR(o.mean_share, lens / TS_PI, rest);
        NEAR(o.mean_depth, 1, k ? 1.1e-3 : 1e-14);
        /* just touching: a lens of depth h has area (4/3) h √(r h) with rising accuracy */
        for (int n = 2; n < (k ? 5 : 13); n++) {
            double h = pow(10, -n);
            g.body[1].position[0] = 3 - h;
            OK(ts_measure_overlaps(&g.snapshot, NULL, &o, ERROR));
            double area = 4 / 3.0 * h * sqrt(h);
            NEAR(o.mean_share * TS_PI, area, area * (0.2 * h + 4e-16 / h + (k ? 1e-5 / h : 0)));
            assert_true(o.through == 0 && o.pairs == 1);
        }
        g.body[1] = (ts_snapshot_body){
            .position = {1.1, 1}, .scale = 0.5, .radius = 0.5, .volume = TS_PI / 4, .mass = 1, .present = true};
        OK(ts_measure_overlaps(&g.snapshot, NULL, &o, ERROR)); /* one in the other */
        NEAR(o.mean_share, 1, rest);
        NEAR(o.mean_depth, 1, k ? 1.1e-3 : 0);
        assert_int_equal(o.through, 1);
        /* a disc in the corner of a square that shares its side: chords against chords */
        begin(&g);
        add(&g, SQUARE, 0, 0, 0, 4);
        grains_disc(&g, 1, 1, 1)->shape = 0;
        OK(ts_measure_overlaps(&g.snapshot, NULL, &o, ERROR));
        NEAR(o.mean_share, 1, 1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(height_of_a_wall),        cmocka_unit_test(height_of_a_triangle),
        cmocka_unit_test(surface_of_a_pile),       cmocka_unit_test(flow_that_jams),
        cmocka_unit_test(an_empty_silo_is_no_jam), cmocka_unit_test(joints_of_a_chain),
        cmocka_unit_test(ball_and_socket),         cmocka_unit_test(overlaps_of_a_row),
        cmocka_unit_test(hashes_in_each_other),    cmocka_unit_test(discs_two_ways),
    };
    return cmocka_run_group_tests(tests, make_shapes, free_shapes);
}
