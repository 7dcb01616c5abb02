/* SPDX-License-Identifier: MIT */
/* Coordination, stress, fabric and force chains of configurations that can be done by hand. */
#include "measure/columns.h"
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
    ts_region inner = {2, 2, 9, 7, 0, 0};
    ts_coordination z;
    OK(ts_measure_coordination(&g.snapshot, &inner, 0, &z, ERROR));
    NEAR(z.contacts, 6, 1e-12);
    NEAR(z.neighbours, 6, 1e-12);
    NEAR(z.backbone, 6, 1e-12);
    NEAR(z.rattlers, 0, 0);
    /* whole periods: three directions, each equally often */
    ts_fabric fabric;
    OK(ts_measure_fabric(&g.snapshot, &(ts_region){2.2, 4 * sqrt(3) / 2 - 0.1, 7.2, 8 * sqrt(3) / 2 - 0.1, 0, 0}, true,
                         &fabric, ERROR));
    NEAR(fabric.tensor[0][0], 0.5, 1e-12);
    NEAR(fabric.tensor[1][1], 0.5, 1e-12);
    NEAR(fabric.tensor[0][1], 0, 1e-12);
    NEAR(fabric.anisotropy, 0, 1e-12);
    ts_rose_bin bin[12];
    OK(ts_measure_rose(&g.snapshot, &inner, true, 12, bin, ERROR));
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

/* All contacts of a hexagonal packing push with f: the mean stress is isotropic, p = √3 f / (2 r) … per unit cell of
 * area 2√3 r² there are three contacts of branch 2 r: σ = f · 2r · (3/2) I / (2√3 r²) = (√3 / 2) f / r I. */
static void pressure_of_a_triangular_lattice(void **unused)
{
    (void)unused;
    const double r = 0.5, f = 3;
    make_triangular(30, 30, r, f);
    ts_region periods = {5 + 0.1, 4 * sqrt(3) * r + 0.05, 15 + 0.1, 20 * sqrt(3) * r + 0.05, 0, 0};
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

/* A square lattice of n × n discs of diameter d between four walls that push with X on each row and Y on each column:
 * each wall feels n X over a length n d, so σ_xx = X / d and σ_yy = Y / d, positive: compression. Friction T makes
 * σ_xy. */
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
    ts_region strip = {0, 0, 1, 1, 0, 0};
    OK(ts_measure_stress_profile(&g.snapshot, &(ts_bins){&strip, n, false}, slice, ERROR));
    for (int k = 0; k < n; k++) {
        NEAR(slice[k].contact[0][0], X / d, 1e-10);
        NEAR(slice[k].contact[1][1], Y / d, 1e-10);
    }
    OK(ts_measure_stress(&g.snapshot, &(ts_region){0, 0.33, 1, 0.35, 0, 0}, &stress,
                         ERROR)); /* no row of centres in it */
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
    ts_region box = {-1, -1, 3, 1, 0, 0};
    ts_stress stress;
    OK(ts_measure_stress(&g.snapshot, &box, &stress, ERROR));
    NEAR(stress.contact[0][0], 5 * 2 / 8.0, 1e-14); /* f_x l_x / A */
    NEAR(stress.contact[1][0], 3 * 2 / 8.0, 1e-14); /* f_y l_x / A */
    NEAR(stress.contact[0][1], 0, 1e-14);
    /* half of the branch */
    OK(ts_measure_stress(&g.snapshot, &(ts_region){-1, -1, 1, 1, 0, 0}, &stress, ERROR));
    NEAR(stress.contact[0][0], 5 * 1 / 4.0, 1e-14);
    /* a fixed grain is a wall: the branch ends at the contact point */
    g.body[0].fixed = true;
    OK(ts_measure_stress(&g.snapshot, &box, &stress, ERROR));
    NEAR(stress.contact[0][0], 5 * 1 / 8.0, 1e-14);
    /* kinetic: masses π, velocities ±2 along y about their mean: of two, each deviates by half the variance, Σ m v²
     * / A · 2 */
    g.body[0].fixed = false;
    g.body[0].velocity[1] = 3;
    g.body[1].velocity[1] = -1;
    OK(ts_measure_stress(&g.snapshot, &box, &stress, ERROR));
    NEAR(stress.kinetic[1][1], 2 * 2 * TS_PI * 4 / 8, 1e-13);
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
    OK(ts_measure_fabric(&g.snapshot, NULL, true, &fabric, ERROR));
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
    OK(ts_measure_chains(&g.snapshot, NULL, 0, &chains, ERROR));
    NEAR(chains.threshold, (70 + 20) / 27.0, 1e-12);
    assert_int_equal(chains.clusters, 1);
    assert_int_equal(chains.largest, 8);
    assert_int_equal(chains.count, 1);
    NEAR(chains.mean_length, 8, 0);
    assert_int_equal(chains.longest, 8);
    NEAR(chains.member_share, 8 / 48.0, 1e-14);

    /* bend it at grain 4: 0 … 4 along x, then up */
    for (int i = 5; i < 8; i++) {
        g.body[i].position[0] = 8;
        g.body[i].position[1] = 2 * (i - 4);
    }
    OK(ts_measure_chains(&g.snapshot, NULL, 0, &chains, ERROR));
    assert_int_equal(chains.clusters, 1);
    assert_int_equal(chains.count, 2);
    assert_int_equal(chains.longest, 5);
    NEAR(chains.mean_length, (5 + 4) / 2.0, 1e-14);
    /* turns of 90° allowed: one chain again */
    OK(ts_measure_chains(&g.snapshot, NULL, 2, &chains, ERROR));
    assert_int_equal(chains.count, 1);
    assert_int_equal(chains.longest, 8);
}

/* A branch leaves a straight chain at 30°: the way along the chain is straighter, so the branch is a chain of its
 * own. */
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
    OK(ts_measure_chains(&g.snapshot, NULL, 0, &chains, ERROR));
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
    OK(ts_measure_chains(&g.snapshot, NULL, 0, &chains, ERROR));
    assert_int_equal(chains.count, 1);
    assert_int_equal(chains.longest, 12);
    OK(ts_measure_chains(&g.snapshot, NULL, 0.5, &chains, ERROR)); /* 28.6° is less than it turns */
    assert_int_equal(chains.count, 0);
    assert_true(isnan(chains.mean_length));
}

/* A jumble in which every measure has a value: forces, motion, two materials, a wall. */
static void make_jumble(void)
{
    make_triangular(14, 14, 0.5, 1);
    g.snapshot.elastic = 1;
    for (size_t i = 0; i < g.snapshot.body_count; i++) {
        g.body[i].material = i % 3 == 0;
        g.body[i].velocity[0] = sin(7.0 * (double)i);
        g.body[i].velocity[1] = sin(5.0 * (double)i);
        g.body[i].spin[2] = sin(3.0 * (double)i);
    }
    for (size_t k = 0; k < g.snapshot.contact_count; k++) {
        double force = 2 + sin(11.0 * (double)k) + (double)(k % 5);
        g.contact[k].force[0] = force * g.contact[k].normal[0];
        g.contact[k].force[1] = force * g.contact[k].normal[1];
    }
}

static bool needs_contacts(const char *name, uint32_t group)
{
    static const char *const others[] = {"kinetic_stress_xx_N_per_m", "kinetic_stress_xy_N_per_m",
                                         "kinetic_stress_yy_N_per_m", "front_left_m", "front_right_m"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(name, others[i]) == 0)
            return false;
    return (group & (TS_MEASURE_COORDINATION | TS_MEASURE_STRESS | TS_MEASURE_FABRIC | TS_MEASURE_FORCES |
                     TS_MEASURE_CHAINS | TS_MEASURE_FRONT)) != 0;
}

/* Every column of contacts is nan without them, counts as well; the others keep their values. */
static void unknown_contacts_are_no_zero(void **unused)
{
    (void)unused;
    uint32_t groups = TS_MEASURE_OF_STATE & ~TS_MEASURE_REPOSE; /* the jumble is no pile */
    double known[TS_MEASURE_COLUMNS_MAX], not_known[TS_MEASURE_COLUMNS_MAX];
    make_jumble();
    OK(ts_measure_row(&g.snapshot, NULL, &(ts_measure_options){0}, groups, known, ERROR));
    g.snapshot.has_contacts = false; /* although there are some in the list */
    OK(ts_measure_row(&g.snapshot, NULL, &(ts_measure_options){0}, groups, not_known, ERROR));
    size_t unknown = 0;
    for (size_t i = 0; i < ts_measure_column_count(groups, 2); i++) {
        const char *name = ts_measure_column_name(groups, 2, i);
        bool needs = needs_contacts(name, 1u << ts_measure_column_group(groups, 2, i));
        unknown += needs;
        if (isnan(known[i]))
            fail_msg("%s has no value", name);
        if (needs ? !isnan(not_known[i]) : not_known[i] != known[i])
            fail_msg("%s is %g without contacts, %g with them", name, not_known[i], known[i]);
    }
    assert_int_equal(unknown, 4 + 7 + 5 + 6 + 6 + 2);
    ts_rose_bin bin;
    double density;
    OK(ts_measure_rose(&g.snapshot, NULL, true, 1, &bin, ERROR));
    OK(ts_measure_force_histogram(&g.snapshot, NULL, 4, 1, &density, ERROR));
    assert_true(isnan(bin.density) && isnan(density));
}

/* A region is as if the grains outside were not there. */
static void regions_cut_out(void **unused)
{
    (void)unused;
    const ts_region box = {3.1, 2.2, 9.7, 8.3, 0, 0};
    uint32_t groups = TS_MEASURE_CHAINS | TS_MEASURE_FRONT | TS_MEASURE_SEGREGATION;
    double inside[TS_MEASURE_COLUMNS_MAX], alone[TS_MEASURE_COLUMNS_MAX], all[TS_MEASURE_COLUMNS_MAX];
    make_jumble();
    OK(ts_measure_row(&g.snapshot, NULL, &(ts_measure_options){0}, groups, all, ERROR));
    OK(ts_measure_row(&g.snapshot, NULL, &(ts_measure_options){.region = &box}, groups, inside, ERROR));
    for (size_t i = 0; i < g.snapshot.body_count; i++) {
        const ts_snapshot_body *body = &g.body[i];
        g.body[i].present = body->position[0] >= box.x0 && body->position[0] <= box.x1 && body->position[1] >= box.y0 &&
                            body->position[1] <= box.y1;
    }
    OK(ts_measure_row(&g.snapshot, NULL, &(ts_measure_options){0}, groups, alone, ERROR));
    for (size_t i = 0; i < ts_measure_column_count(groups, 2); i++) {
        const char *name = ts_measure_column_name(groups, 2, i);
        if (isnan(inside[i]) || inside[i] != alone[i])
            fail_msg("%s is %g in the region, %g without the others", name, inside[i], alone[i]);
        if (inside[i] == all[i] && strcmp(name, "kinds") != 0 && strcmp(name, "strong_clusters") != 0)
            fail_msg("%s does not look at the region", name);
    }
    ts_front front;
    assert_int_equal(ts_measure_front(&g.snapshot, &(ts_region){1, 1, 1, 2, 0, 0}, 0, &front, ERROR), TS_BAD_INPUT);
}

/* A row of grains on a floor: the walls' normals go up, those between grains along the row. */
static void fabric_without_walls(void **unused)
{
    (void)unused;
    grains_begin(&g);
    for (int i = 0; i < 5; i++)
        grains_disc(&g, 2 * i, 1, 1);
    grains_touch_all(&g, 3);
    for (int i = 0; i < 5; i++)
        grains_touch_at(&g, -1, i, (double[2]){2 * i, 0}, (double[2]){0, 1}, (double[2]){0, 0}); /* carries nothing */
    grains_disc(&g, -2, 1, 1)->fixed = true;                                                     /* a wall too */
    grains_touch(&g, 5, 0, 3);
    ts_fabric with, without;
    OK(ts_measure_fabric(&g.snapshot, NULL, true, &with, ERROR));
    OK(ts_measure_fabric(&g.snapshot, NULL, false, &without, ERROR));
    assert_int_equal(with.count, 4 + 5 + 1);
    assert_int_equal(without.count, 4);
    NEAR(with.tensor[0][0], 0.5, 1e-15);
    NEAR(without.tensor[0][0], 1, 1e-15);
    ts_rose_bin bin[2];
    OK(ts_measure_rose(&g.snapshot, NULL, false, 2, bin, ERROR));
    NEAR(bin[0].density, 2 / TS_PI, 1e-15);
    NEAR(bin[1].density, 0, 0);
    OK(ts_measure_rose(&g.snapshot, NULL, true, 2, bin, ERROR));
    NEAR(bin[1].density, 1 / TS_PI, 1e-15);
    /* a contact without a force is one for the coordination and the fabric, not for the forces */
    ts_forces forces;
    ts_coordination z;
    OK(ts_measure_forces(&g.snapshot, NULL, &forces, ERROR));
    assert_int_equal(forces.count, 5);
    OK(ts_measure_coordination(&g.snapshot, NULL, 0, &z, ERROR));
    NEAR(z.contacts, (2 * 4 + 5 + 1) / 5.0, 1e-15);
}

/* A row of grains whose centres lie on an edge of the region is in it, for stress as for coordination; on the border of
 * two slices it is in one of them. */
static void a_row_on_the_edge(void **unused)
{
    (void)unused;
    grains_begin(&g);
    for (int i = 0; i < 5; i++)
        grains_disc(&g, 2 * i, 1, 1);
    grains_touch_all(&g, 3);
    const ts_region box[] = {{0, 0, 8, 1, 0, 0}, {0, 1, 8, 2, 0, 0}}, both = {0, 0, 8, 2, 0, 0};
    ts_stress stress, slice[2];
    for (int k = 0; k < 2; k++) {
        ts_coordination z;
        OK(ts_measure_coordination(&g.snapshot, &box[k], 0, &z, ERROR));
        NEAR(z.contacts, 8 / 5.0, 1e-15);
        OK(ts_measure_stress(&g.snapshot, &box[k], &stress, ERROR));
        NEAR(stress.contact[0][0], 3 * 8 / 8.0, 1e-14);
    }
    OK(ts_measure_stress_profile(&g.snapshot, &(ts_bins){&both, 2, false}, slice, ERROR));
    NEAR(slice[0].contact[0][0], 0, 0);
    NEAR(slice[1].contact[0][0], 3, 1e-14);
    OK(ts_measure_stress_profile(&g.snapshot, &(ts_bins){&box[0], 2, false}, slice, ERROR));
    NEAR(slice[1].contact[0][0], 6,
         1e-14);                  /* the upper edge of the whole is in the last slice, which has half the area */
    for (int i = 0; i < 5; i++) { /* the same upright */
        g.body[i].position[0] = 1;
        g.body[i].position[1] = 2 * i;
    }
    OK(ts_measure_stress(&g.snapshot, &(ts_region){0, 0, 1, 8, 0, 0}, &stress, ERROR));
    NEAR(stress.contact[0][1], 3 * 8 / 8.0, 1e-14); /* forces still along x */
}

static void refuse(const char *word)
{
    static ts_rose_bin bin[4];
    static ts_stress slice[4];
    double value[TS_MEASURE_COLUMNS_MAX], number[4];
    ts_velocity_bin velocity[4];
    ts_surface_point point[4];
    const ts_bins bins = {NULL, 4, false};
    for (size_t i = 0; ts_measure_name(i); i++)
        if (TS_MEASURE_OF_STATE & (1u << i)) {
            assert_int_equal(
                ts_measure_row(&g.snapshot, NULL, &(ts_measure_options){0}, (uint32_t)1 << i, value, ERROR),
                TS_BAD_INPUT);
            assert_non_null(strstr(ts_test_error.message, word));
        }
    assert_int_equal(ts_snapshot_check(&g.snapshot, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_measure_rose(&g.snapshot, NULL, true, 4, bin, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_measure_force_histogram(&g.snapshot, NULL, 1, 4, number, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_measure_packing_profile(&g.snapshot, &bins, number, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_measure_stress_profile(&g.snapshot, &bins, slice, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_measure_velocity_profile(&g.snapshot, &bins, velocity, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_measure_surface(&g.snapshot, &bins, point, ERROR), TS_BAD_INPUT);
}

/* Indices that do not exist are refused by all; a material may have any number. */
static void wrong_indices_are_refused(void **unused)
{
    (void)unused;
    const int32_t shapes[] = {-1, 1, INT32_MAX, INT32_MIN};
    const int64_t ids[][2] = {{-1, 196}, {196, 3}, {3, -1}, {-1, -2}, {INT64_MAX, 3}, {3, INT64_MIN}, {4, 4}};
    make_jumble();
    assert_int_equal(g.snapshot.body_count, 196);
    OK(ts_snapshot_check(&g.snapshot, ERROR));
    for (size_t k = 0; k < 4; k++) {
        g.body[17].shape = shapes[k];
        refuse("body 17");
    }
    g.body[17].shape = 0;
    for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
        ts_contact kept = g.contact[5];
        g.contact[5].a = ids[k][0];
        g.contact[5].b = ids[k][1];
        refuse("contact 5");
        g.contact[5] = kept;
    }
    g.shape[0].disc_count = 0;
    refuse("shape 0");
    g.shape[0].disc_count = 1;
    g.contact[5].a = INT64_MIN; /* a wall far down the list */
    g.body[17].material = INT32_MAX;
    g.body[18].material = INT32_MIN;
    ts_segregation s;
    OK(ts_measure_segregation(&g.snapshot, NULL, TS_KIND_MATERIAL, 0, &s, ERROR));
    assert_int_equal(s.kinds, 4);
    ts_coordination z;
    OK(ts_measure_coordination(&g.snapshot, NULL, 0, &z, ERROR));
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
        cmocka_unit_test(regions_cut_out),
        cmocka_unit_test(fabric_without_walls),
        cmocka_unit_test(a_row_on_the_edge),
        cmocka_unit_test(wrong_indices_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
