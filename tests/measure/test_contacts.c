/* SPDX-License-Identifier: MIT */
/* Coordination, stress, fabric and force chains of configurations that can be done by hand. */
#include "measure/grains.h"

static grains g;

/* Rows of a triangular lattice of touching discs. */
static void make_triangular(int columns, int rows, double r, double push)
{
    grains_begin(&g);
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < columns; i++)
            grains_disc(&g, (2 * i + (j & 1)) * r, j * sqrt(3) * r, r);
    grains_touch_all(&g, push);
}

static void triangular_lattice_has_six_neighbours(void **unused)
{
    (void)unused;
    make_triangular(12, 12, 0.5, 3);
    ts_region inner = {2, 2, 9, 7};
    ts_coordination z;
    OK(ts_measure_coordination(&g.snapshot, &inner, 0, &z, ERROR));
    NEAR(z.contacts, 6, 1e-12);
    NEAR(z.neighbours, 6, 1e-12);
    NEAR(z.backbone, 6, 1e-12);
    NEAR(z.rattlers, 0, 0);
    /* whole periods: three directions, each equally often */
    ts_fabric fabric;
    OK(ts_measure_fabric(&g.snapshot, &(ts_region){2.2, 4 * sqrt(3) / 2 - 0.1, 7.2, 8 * sqrt(3) / 2 - 0.1}, &fabric,
                         ERROR));
    NEAR(fabric.tensor[0][0], 0.5, 1e-12);
    NEAR(fabric.tensor[1][1], 0.5, 1e-12);
    NEAR(fabric.tensor[0][1], 0, 1e-12);
    NEAR(fabric.anisotropy, 0, 1e-12);
    ts_rose_bin bin[12];
    OK(ts_measure_rose(&g.snapshot, &inner, 12, bin, ERROR));
    double sum = 0;
    for (int k = 0; k < 12; k++) {
        NEAR(bin[k].angle, k * TS_PI / 12, 1e-15);
        if (k % 4 == 0)
            NEAR(bin[k].normal, 3, 1e-12);
        else
            NEAR(bin[k].density, 0, 0);
        sum += bin[k].density * TS_PI / 12;
    }
    NEAR(sum, 1, 1e-12);
}

/* All contacts of a hexagonal packing push with f: the mean stress is isotropic, p = √3 f / (2 r) … per unit cell of area
 * 2√3 r² there are three contacts of branch 2 r: σ = f · 2r · (3/2) I / (2√3 r²) = (√3 / 2) f / r I. */
static void pressure_of_a_triangular_lattice(void **unused)
{
    (void)unused;
    const double r = 0.5, f = 3;
    make_triangular(30, 30, r, f);
    ts_region periods = {5 + 0.1, 4 * sqrt(3) * r + 0.05, 15 + 0.1, 20 * sqrt(3) * r + 0.05};
    ts_stress stress;
    OK(ts_measure_stress(&g.snapshot, &periods, &stress, ERROR));
    double p = sqrt(3) / 2 * f / r;
    NEAR(stress.contact[0][0], p, 1e-10);
    NEAR(stress.contact[1][1], p, 1e-10);
    NEAR(stress.contact[0][1], 0, 1e-10);
    NEAR(stress.pressure, p, 1e-10);
    NEAR(stress.deviator, 0, 1e-10);
    NEAR(stress.kinetic[0][0], 0, 0);
}

/* A square lattice of n × n discs of diameter d between four walls that push with X on each row and Y on each column: each wall
 * feels n X over a length n d, so σ_xx = X / d and σ_yy = Y / d, positive: compression. Friction T makes σ_xy. */
static void square_lattice_between_walls(void **unused)
{
    (void)unused;
    enum { n = 5 };
    const double d = 0.2, X = 7, Y = 11;
    grains_begin(&g);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            grains_disc(&g, (i + 0.5) * d, (j + 0.5) * d, d / 2);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            if (i + 1 < n)
                grains_touch(&g, j * n + i, j * n + i + 1, X);
            if (j + 1 < n)
                grains_touch(&g, j * n + i, (j + 1) * n + i, Y);
        }
    for (size_t k = 0; k < n; k++) {
        double at = ((double)k + 0.5) * d, end = n * d;
        grains_touch_at(&g, -1, (int64_t)(k * n), (double[2]){0, at}, (double[2]){1, 0}, (double[2]){X, 0});
        grains_touch_at(&g, -2, (int64_t)(k * n + n - 1), (double[2]){end, at}, (double[2]){-1, 0}, (double[2]){X, 0});
        grains_touch_at(&g, -3, (int64_t)k, (double[2]){at, 0}, (double[2]){0, 1}, (double[2]){Y, 0});
        grains_touch_at(&g, -4, (int64_t)((n - 1) * n + k), (double[2]){at, end}, (double[2]){0, -1},
                        (double[2]){Y, 0});
    }
    ts_stress stress, slice[n];
    OK(ts_measure_stress(&g.snapshot, NULL, &stress, ERROR));
    NEAR(stress.contact[0][0], X / d, 1e-11);
    NEAR(stress.contact[1][1], Y / d, 1e-11);
    NEAR(stress.contact[0][1], 0, 1e-11);
    NEAR(stress.pressure, (X + Y) / d / 2, 1e-11);
    NEAR(stress.deviator, (Y - X) / d / 2, 1e-11);
    NEAR(fabs(stress.principal_axis), TS_PI / 2, 1e-12);
    /* the same in every slice, whatever its place: force lines are continuous */
    ts_region strip = {0, 0, 1, 1};
    OK(ts_measure_stress_profile(&g.snapshot, &(ts_bins){&strip, n, false}, slice, ERROR));
    for (int k = 0; k < n; k++) {
        NEAR(slice[k].contact[0][0], X / d, 1e-10);
        NEAR(slice[k].contact[1][1], Y / d, 1e-10);
    }
    OK(ts_measure_stress(&g.snapshot, &(ts_region){0, 0.33, 1, 0.35}, &stress, ERROR)); /* no row of centres in it */
    NEAR(stress.contact[1][1], Y / d, 1e-10);
    NEAR(stress.contact[0][0], 0, 1e-10);
    ts_coordination z;
    OK(ts_measure_coordination(&g.snapshot, NULL, 0, &z, ERROR));
    NEAR(z.contacts, 4, 1e-12);
}

/* Two grains pushed together by a fixed one and a wall; grain 1 shears along. By hand. */
static void two_grains_with_friction(void **unused)
{
    (void)unused;
    grains_begin(&g);
    grains_disc(&g, 0, 0, 1);
    grains_disc(&g, 2, 0, 1);
    grains_touch_at(&g, 0, 1, (double[2]){1, 0}, (double[2]){1, 0}, (double[2]){5, 3});
    ts_region box = {-1, -1, 3, 1};
    ts_stress stress;
    OK(ts_measure_stress(&g.snapshot, &box, &stress, ERROR));
    NEAR(stress.contact[0][0], 5 * 2 / 8.0, 1e-14); /* f_x l_x / A */
    NEAR(stress.contact[1][0], 3 * 2 / 8.0, 1e-14); /* f_y l_x / A */
    NEAR(stress.contact[0][1], 0, 1e-14);
    /* half of the branch */
    OK(ts_measure_stress(&g.snapshot, &(ts_region){-1, -1, 1, 1}, &stress, ERROR));
    NEAR(stress.contact[0][0], 5 * 1 / 4.0, 1e-14);
    /* a fixed grain is a wall: the branch ends at the contact point */
    g.body[0].fixed = true;
    OK(ts_measure_stress(&g.snapshot, &box, &stress, ERROR));
    NEAR(stress.contact[0][0], 5 * 1 / 8.0, 1e-14);
    /* kinetic: masses π, velocities ±2 along y: Σ m v² / A */
    g.body[0].fixed = false;
    g.body[0].vy = 3;
    g.body[1].vy = -1;
    OK(ts_measure_stress(&g.snapshot, &box, &stress, ERROR));
    NEAR(stress.kinetic[1][1], 2 * TS_PI * 4 / 8, 1e-13);
    NEAR(stress.kinetic[0][0], 0, 1e-14);
}

/* A triangle of grains, a chain of two hanging on it, and one alone: the chain is taken away link by link. */
static void rattlers_are_taken_away_in_turn(void **unused)
{
    (void)unused;
    grains_begin(&g);
    grains_disc(&g, 0, 0, 1);
    grains_disc(&g, 2, 0, 1);
    grains_disc(&g, 1, sqrt(3), 1);
    grains_disc(&g, 1, sqrt(3) + 2, 1);
    grains_disc(&g, 1, sqrt(3) + 4, 1);
    grains_disc(&g, 20, 0, 1);
    grains_touch_all(&g, 1);
    assert_int_equal(g.snapshot.contact_count, 5);
    ts_coordination z;
    OK(ts_measure_coordination(&g.snapshot, NULL, 0, &z, ERROR));
    NEAR(z.contacts, 10 / 6.0, 1e-14);
    NEAR(z.backbone, 2, 1e-14);
    NEAR(z.rattlers, 0.5, 1e-14);
    OK(ts_measure_coordination(&g.snapshot, NULL, 3, &z, ERROR));
    NEAR(z.rattlers, 1, 0);
    assert_true(isnan(z.backbone));
    /* a second point between the same two is a contact, not a neighbour */
    grains_touch(&g, 0, 1, 1);
    OK(ts_measure_coordination(&g.snapshot, NULL, 0, &z, ERROR));
    NEAR(z.contacts, 12 / 6.0, 1e-14);
    NEAR(z.neighbours, 10 / 6.0, 1e-14);
}

/* Normals with density (1 + a cos 2(θ − θ_a)) / 2π give back a and θ_a. */
static void anisotropy_of_a_known_distribution(void **unused)
{
    (void)unused;
    enum { n = 4000 };
    const double a = 0.6, axis = 0.4;
    grains_begin(&g);
    grains_disc(&g, 0, 0, 1);
    for (int k = 0; k < n; k++) {
        /* the angle at which the distribution function is (k + ½) / n */
        double wish = (k + 0.5) / n, theta = 2 * TS_PI * wish;
        for (int i = 0; i < 60; i++) {
            double f = theta / (2 * TS_PI) + a * (sin(2 * (theta - axis)) + sin(2 * axis)) / (4 * TS_PI) - wish;
            theta -= f / ((1 + a * cos(2 * (theta - axis))) / (2 * TS_PI));
        }
        grains_touch_at(&g, -1, 0, (double[2]){0, 0}, (double[2]){cos(theta), sin(theta)}, (double[2]){1, 0});
    }
    ts_fabric fabric;
    OK(ts_measure_fabric(&g.snapshot, NULL, &fabric, ERROR));
    NEAR(fabric.anisotropy, a, 1e-5);
    NEAR(fabric.axis, axis, 1e-5);
    assert_int_equal(fabric.count, n);
}

/* Forces drawn from an exponential distribution have β = 1; its mean, spread and shares are known. */
static void exponential_forces(void **unused)
{
    (void)unused;
    enum { n = 4000 };
    const double mean = 12.5;
    grains_begin(&g);
    grains_disc(&g, 0, 0, 1);
    for (int k = 0; k < n; k++)
        grains_touch_at(&g, -1, 0, (double[2]){0, 0}, (double[2]){1, 0}, (double[2]){-mean * log((k + 0.5) / n), 4});
    grains_touch_at(&g, -1, 0, (double[2]){0, 0}, (double[2]){1, 0}, (double[2]){-5, 0}); /* pulls: not counted */
    ts_forces forces;
    OK(ts_measure_forces(&g.snapshot, NULL, &forces, ERROR));
    assert_int_equal(forces.count, n);
    NEAR(forces.mean, mean, 2e-3 * mean);
    NEAR(forces.spread, 1, 2e-2);
    NEAR(forces.strong_share, exp(-1), 1e-3);
    NEAR(forces.tail, 1, 2e-2);
    NEAR(forces.tail_error, 1 / sqrt(n * exp(-1)), 2e-3);
    double density[8];
    OK(ts_measure_force_histogram(&g.snapshot, NULL, 4, 8, density, ERROR));
    for (int k = 0; k < 8; k++)
        NEAR(density[k], (exp(-0.5 * k) - exp(-0.5 * (k + 1))) / 0.5, 5e-3);
}

/* A straight chain of seven strong contacts in a weak bed; a second one, bent by 90° in the middle, is two. */
static void linear_chains(void **unused)
{
    (void)unused;
    grains_begin(&g);
    for (int i = 0; i < 8; i++)
        grains_disc(&g, 2 * i, 0, 1);
    for (size_t i = 0; i + 1 < 8; i++)
        grains_touch(&g, i, i + 1, 10);
    for (int i = 0; i < 20; i++) { /* weak pairs, far away */
        grains_disc(&g, 100 + 10 * i, 0, 1);
        grains_disc(&g, 102 + 10 * i, 0, 1);
        grains_touch(&g, 8 + 2 * (size_t)i, 9 + 2 * (size_t)i, 1);
    }
    ts_chains chains;
    OK(ts_measure_chains(&g.snapshot, 0, &chains, ERROR));
    NEAR(chains.threshold, (70 + 20) / 27.0, 1e-12);
    assert_int_equal(chains.clusters, 1);
    assert_int_equal(chains.largest, 8);
    assert_int_equal(chains.count, 1);
    NEAR(chains.mean_length, 8, 0);
    assert_int_equal(chains.longest, 8);
    NEAR(chains.member_share, 8 / 48.0, 1e-14);

    /* bend it at grain 4: 0 … 4 along x, then up */
    for (int i = 5; i < 8; i++) {
        g.body[i].x = 8;
        g.body[i].y = 2 * (i - 4);
    }
    OK(ts_measure_chains(&g.snapshot, 0, &chains, ERROR));
    assert_int_equal(chains.clusters, 1);
    assert_int_equal(chains.count, 2);
    assert_int_equal(chains.longest, 5);
    NEAR(chains.mean_length, (5 + 4) / 2.0, 1e-14);
    /* turns of 90° allowed: one chain again */
    OK(ts_measure_chains(&g.snapshot, 2, &chains, ERROR));
    assert_int_equal(chains.count, 1);
    assert_int_equal(chains.longest, 8);
}

/* A branch leaves a straight chain at 30°: the way along the chain is straighter, so the branch is a chain of its own. */
static void a_branch_is_another_chain(void **unused)
{
    (void)unused;
    const double c = cos(TS_PI / 6), s = sin(TS_PI / 6);
    grains_begin(&g);
    grains_disc(&g, 2 * c, 2 * s, 1); /* the branch, which leaves grain 4 */
    grains_disc(&g, 4 * c, 4 * s, 1);
    for (int i = -2; i <= 2; i++)
        grains_disc(&g, 2 * i, 0, 1);
    grains_touch(&g, 0, 1, 10);
    grains_touch(&g, 0, 4, 10);
    for (size_t i = 2; i < 6; i++)
        grains_touch(&g, i, i + 1, 10);
    grains_disc(&g, 90, 0, 1);
    grains_disc(&g, 92, 0, 1);
    grains_touch(&g, 7, 8, 1);
    grains_touch(&g, 7, 8, 2); /* a second point of the same link */
    ts_chains chains;
    OK(ts_measure_chains(&g.snapshot, 0, &chains, ERROR));
    NEAR(chains.threshold, (60 + 3) / 7.0, 1e-12);
    assert_int_equal(chains.clusters, 1);
    assert_int_equal(chains.largest, 7);
    assert_int_equal(chains.count, 2);
    assert_int_equal(chains.longest, 5);
    NEAR(chains.mean_length, 4, 1e-14);
}

/* A ring of 12 strong contacts turns by 30° at each grain: as many grains as contacts. */
static void ring_of_grains(void **unused)
{
    (void)unused;
    grains_begin(&g);
    for (int i = 0; i < 12; i++)
        grains_disc(&g, cos(i * TS_PI / 6), sin(i * TS_PI / 6), 0.25);
    for (size_t i = 0; i < 12; i++)
        grains_touch(&g, i, (i + 1) % 12, 10);
    grains_disc(&g, 9, 0, 0.5);
    grains_disc(&g, 10, 0, 0.5);
    grains_touch(&g, 12, 13, 1);
    ts_chains chains;
    OK(ts_measure_chains(&g.snapshot, 0, &chains, ERROR));
    assert_int_equal(chains.count, 1);
    assert_int_equal(chains.longest, 12);
    OK(ts_measure_chains(&g.snapshot, 0.5, &chains, ERROR)); /* 28.6° is less than it turns */
    assert_int_equal(chains.count, 0);
    assert_true(isnan(chains.mean_length));
}

static void unknown_contacts_are_no_zero(void **unused)
{
    (void)unused;
    grains_begin(&g);
    grains_disc(&g, 0, 0, 1);
    g.snapshot.has_contacts = false;
    ts_coordination z;
    ts_stress stress;
    ts_chains chains;
    OK(ts_measure_coordination(&g.snapshot, NULL, 0, &z, ERROR));
    OK(ts_measure_stress(&g.snapshot, NULL, &stress, ERROR));
    OK(ts_measure_chains(&g.snapshot, 0, &chains, ERROR));
    assert_true(isnan(z.contacts) && isnan(stress.pressure) && isnan(chains.mean_length));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangular_lattice_has_six_neighbours),
        cmocka_unit_test(pressure_of_a_triangular_lattice),
        cmocka_unit_test(square_lattice_between_walls),
        cmocka_unit_test(two_grains_with_friction),
        cmocka_unit_test(rattlers_are_taken_away_in_turn),
        cmocka_unit_test(anisotropy_of_a_known_distribution),
        cmocka_unit_test(exponential_forces),
        cmocka_unit_test(linear_chains),
        cmocka_unit_test(a_branch_is_another_chain),
        cmocka_unit_test(ring_of_grains),
        cmocka_unit_test(unknown_contacts_are_no_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
