/* SPDX-License-Identifier: MIT */
/* Profiles, temperature, flow, piles, fronts and mixtures of configurations that can be done by hand. */
#include "measure/grains.h"

static grains g, later;

/* Grains all over a box of 10 × 6, of several sizes. */
static void make_cloud(int count)
{
    grains_begin(&g);
    for (int i = 0; i < count; i++) {
        double u = fmod(0.5 + i * 0.7548776662466927, 1), v = fmod(0.5 + i * 0.5698402909980532, 1);
        grains_disc(&g, 10 * u, 6 * v, 0.02 + 0.08 * fmod(u + 3 * v, 1));
    }
}

static void uniform_shear_has_a_rate_and_no_temperature(void **unused)
{
    (void)unused;
    const double rate = 1.7;
    make_cloud(700);
    for (size_t i = 0; i < g.snapshot.body_count; i++) {
        g.body[i].velocity[0] = rate * g.body[i].position[1] + 3;
        g.body[i].velocity[1] = -1;
        g.body[i].spin[2] = -rate / 2;
    }
    for (size_t n = 2; n < 20; n += 5) {
        ts_velocity_bin bin[20];
        ts_motion_measures motion;
        ts_bins bins = {NULL, n, false};
        OK(ts_measure_velocity_profile(&g.snapshot, &bins, bin, ERROR));
        size_t filled = 0;
        for (size_t k = 0; k < n; k++) {
            NEAR(bin[k].shear_rate, rate, 1e-10);
            NEAR(bin[k].velocity[0], rate * bin[k].at + 3, 1e-12);
            NEAR(bin[k].velocity[1], -1, 1e-12);
            NEAR(bin[k].spin[2], -rate / 2, 1e-12);
            NEAR(bin[k].temperature, 0, 1e-20);
            assert_true(bin[k].at > bin[k].low && bin[k].at < bin[k].high);
            filled += bin[k].count;
        }
        assert_int_equal(filled, 700);
        OK(ts_measure_motion(&g.snapshot, &bins, &motion, ERROR));
        NEAR(motion.temperature, 0, 1e-20);
        NEAR(motion.shear_rate, rate, 1e-12);
        NEAR(motion.rotational, 0, 1e-20);
        /* about the mean of all: (rate σ_y)² / 2, σ_y² the variance of y by mass */
        double mass = 0, squares = 0, y = 0, yy = 0;
        for (size_t i = 0; i < 700; i++) {
            mass += g.body[i].mass;
            squares += g.body[i].mass * g.body[i].mass;
            y += g.body[i].mass * g.body[i].position[1];
            yy += g.body[i].mass * g.body[i].position[1] * g.body[i].position[1];
        }
        NEAR(motion.about_mean, 0.5 * rate * rate * (yy / mass - y * y / mass / mass) / (1 - squares / (mass * mass)),
             1e-10);
    }
    /* along x the same field is no shear */
    ts_motion_measures motion;
    OK(ts_measure_motion(&g.snapshot, &(ts_bins){NULL, 5, true}, &motion, ERROR));
    NEAR(motion.shear_rate, 0, 1e-12);
}

/* Equal grains with velocities (±u, 0): T = u² / 2; spins ±w: rotational ½ r² w²; n / (n − 1) for the mean that they
 * made. */
static void temperature_of_two_speeds(void **unused)
{
    (void)unused;
    const double r = 0.1, u = 0.3, w = 4, n = 40;
    grains_begin(&g);
    for (int i = 0; i < 40; i++) {
        ts_snapshot_body *body = grains_disc(&g, i % 8, i / 8, r);
        body->velocity[0] = 2 + (i % 2 ? u : -u);
        body->spin[2] = i % 2 ? w : -w;
    }
    ts_motion_measures motion;
    double translational = u * u / 2 * n / (n - 1), rotational = 0.5 * r * r * w * w * n / (n - 1);
    OK(ts_measure_motion(&g.snapshot, &(ts_bins){NULL, 1, false}, &motion, ERROR));
    NEAR(motion.temperature, translational, 1e-14);
    NEAR(motion.about_mean, translational, 1e-14);
    NEAR(motion.rotational, rotational, 1e-14);
    NEAR(motion.rotational_about_mean, rotational, 1e-14);
    NEAR(motion.velocity[0], 2, 1e-14);
    ts_velocity_bin bin;
    OK(ts_measure_velocity_profile(&g.snapshot, &(ts_bins){NULL, 1, false}, &bin, ERROR));
    NEAR(bin.temperature, translational, 1e-14);
    NEAR(bin.rotational, rotational, 1e-14);
}

static double uniform(uint64_t *seed)
{
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* Two to four grains a slice, one in some, of several sizes, in a shear flow: on average over many draws of velocities
 * the temperature is the variance that they were drawn with, in every slice and as a whole, and the kinetic stress is ρ
 * T. */
static void few_grains_a_slice(void **unused)
{
    (void)unused;
    enum { slices = 12, draws = 20000 };
    const double v = 1.3, w = 0.7; /* uniform in ±: variance v² / 3 */
    uint64_t seed = 88172645463325252u;
    ts_region box = {0, 0, 10, slices, 0, 0};
    double whole = 0, spin = 0, in_slice[slices] = {0}, inertia = 0, mass = 0;
    grains_begin(&g);
    for (int k = 0; k < slices; k++)
        for (int i = 0; i < 1 + k % 4; i++) {
            ts_snapshot_body *body =
                grains_disc(&g, 1 + 2 * i, k + 0.1 + 0.8 * uniform(&seed), 0.1 + 0.1 * uniform(&seed));
            inertia += k % 4 ? body->inertia[2][2] : 0;
            mass += k % 4 ? body->mass : 0;
        }
    for (int n = 0; n < draws; n++) {
        for (size_t i = 0; i < g.snapshot.body_count; i++) {
            g.body[i].velocity[0] = 5 * g.body[i].position[1] + v * (2 * uniform(&seed) - 1);
            g.body[i].velocity[1] = v * (2 * uniform(&seed) - 1);
            g.body[i].spin[2] = 3 + w * (2 * uniform(&seed) - 1);
        }
        ts_motion_measures motion;
        ts_velocity_bin bin[slices];
        ts_bins bins = {&box, slices, false};
        OK(ts_measure_motion(&g.snapshot, &bins, &motion, ERROR));
        OK(ts_measure_velocity_profile(&g.snapshot, &bins, bin, ERROR));
        whole += motion.temperature / draws;
        spin += motion.rotational / draws;
        for (int k = 0; k < slices; k++)
            in_slice[k] += bin[k].temperature / draws;
        if (n > 0)
            continue;
        ts_stress slice[slices];
        OK(ts_measure_stress_profile(&g.snapshot, &bins, slice, ERROR));
        for (int k = 1; k < slices; k++) {
            double m = 0;
            for (size_t i = 0; i < g.snapshot.body_count; i++)
                m += (int)g.body[i].position[1] == k ? g.body[i].mass : 0;
            if (k % 4)
                NEAR(0.5 * (slice[k].kinetic[0][0] + slice[k].kinetic[1][1]), m / 10 * bin[k].temperature, 1e-12);
            else
                assert_true(isnan(slice[k].kinetic[0][0])); /* one grain says nothing of a spread */
        }
    }
    NEAR(whole, v * v / 3, 0.01 * v * v / 3);
    NEAR(spin, w * w / 3 * inertia / mass, 0.01 * w * w / 3 * inertia / mass);
    for (int k = 0; k < slices; k++) {
        if (k % 4)
            NEAR(in_slice[k], v * v / 3, 0.03 * v * v / 3);
        else
            assert_true(isnan(in_slice[k]));
    }
}

static void empty_slices_are_nan(void **unused)
{
    (void)unused;
    grains_begin(&g);
    grains_disc(&g, 0, 0.5, 0.1)->velocity[0] = 1;
    grains_disc(&g, 0, 2.5, 0.1)->velocity[0] = 5;
    ts_velocity_bin bin[3];
    ts_region box = {-1, 0, 1, 3, 0, 0};
    OK(ts_measure_velocity_profile(&g.snapshot, &(ts_bins){&box, 3, false}, bin, ERROR));
    assert_true(isnan(bin[1].velocity[0]) && isnan(bin[1].shear_rate) && isnan(bin[1].temperature));
    assert_int_equal(bin[1].count, 0);
    NEAR(bin[0].shear_rate, 2, 1e-14); /* over the gap: (5 − 1) / 2 */
    assert_int_equal(ts_measure_velocity_profile(&g.snapshot, &(ts_bins){&box, 0, false}, bin, ERROR), TS_BAD_INPUT);
}

/* Grains fall through the floor line; some beside it, some back up. */
static void flow_through_a_line(void **unused)
{
    (void)unused;
    const double a[2] = {0, 0}, b[2] = {4, 0}, c[2] = {9, 0};
    grains_begin(&g);
    for (int i = 0; i < 10; i++)
        grains_disc(&g, i, 0.2, 0.1);
    grains_disc(&g, 1.5, -0.2, 0.2);       /* comes back up */
    grains_disc(&g, 2.5, 5, 0.1);          /* stays above */
    grains_disc(&g, 3, 0.1, 1)->fixed = 1; /* a wall that moves */
    later = g;
    later.snapshot.body = later.body;
    later.snapshot.time = 0.5;
    for (int i = 0; i < 10; i++)
        later.body[i].position[1] = -0.2;
    later.body[10].position[1] = 0.3;
    later.body[12].position[1] = -5;
    ts_flow flow;
    OK(ts_measure_flow(&g.snapshot, &later.snapshot, a, b, &flow, ERROR));
    NEAR(flow.number, (4 - 1) / 0.5, 1e-14); /* grains 0 … 3: a is in the segment, b in the next one */
    NEAR(flow.mass, (4 * TS_PI * 0.01 - TS_PI * 0.04) / 0.5, 1e-14);
    OK(ts_measure_flow(&g.snapshot, &later.snapshot, b, c, &flow, ERROR));
    NEAR(flow.number, 5 / 0.5, 1e-14); /* 4 … 8 */
    OK(ts_measure_flow(&g.snapshot, &later.snapshot, c, a, &flow, ERROR));
    NEAR(flow.number, -(9 - 1) / 0.5,
         1e-14); /* the other way round: 1 … 9 come from the right, and grain 10 goes there */
    assert_int_equal(ts_measure_flow(&g.snapshot, &later.snapshot, a, a, &flow, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_measure_flow(&later.snapshot, &g.snapshot, a, b, &flow, ERROR), TS_BAD_INPUT);
}

/* Discs whose tops lie on two slopes, 20° on the left and 30° on the right, filled below. */
static void angle_of_a_heap(void **unused)
{
    (void)unused;
    const double left = 20 * TS_PI / 180, right = 30 * TS_PI / 180, r = 0.05, height = 3;
    grains_begin(&g);
    for (double x = -height / tan(left); x <= height / tan(right); x += 2 * r) {
        double top = height - (x < 0 ? -x * tan(left) : x * tan(right));
        grains_disc(&g, x, top - r, r);
        if (top > 4 * r)
            grains_disc(&g, x, r, r);
    }
    ts_repose repose;
    ts_region box = {-9, 0, 9, 4, 0, 0};
    for (size_t n = 40; n < 200; n += 70) {
        OK(ts_measure_repose(&g.snapshot, &(ts_bins){&box, n, false}, &repose, ERROR));
        NEAR(repose.left, left, n < 100 ? 0.02 : 1e-3);
        NEAR(repose.right, right, n < 100 ? 0.02 : 1e-3);
        NEAR(repose.height, height, 0.05);
        assert_true(repose.left_error >= 0 && repose.left_error < 0.02);
    }
}

/* The standard error of a fit with known residuals: tops at slope 1 ± e by turns, in columns one grain wide. */
static void error_of_the_angle(void **unused)
{
    (void)unused;
    enum { n = 100 };
    const double e = 0.01, r = 0.25;
    grains_begin(&g);
    for (int i = 0; i < n; i++)
        grains_disc(&g, i + 0.5, i + 0.5 - r + (i % 2 ? e : -e), r);
    ts_repose repose;
    OK(ts_measure_repose(&g.snapshot, &(ts_bins){&(ts_region){0, 0, n, n, 0, 0}, n, true}, &repose, ERROR));
    /* columns between 10 % and 90 %: m = 80 of spacing 1, residual e each, up to O(e/m) */
    double m = 80, sxx = m * (m * m - 1) / 12, slope_error = sqrt(m * e * e / (m - 2) / sxx);
    NEAR(repose.left, TS_PI / 4, 1e-4);
    NEAR(repose.left_error, slope_error / 2, 0.05 * slope_error);
    assert_true(isnan(repose.right));
}

static void front_of_a_row(void **unused)
{
    (void)unused;
    grains_begin(&g);
    for (int i = 0; i <= 100; i++)
        grains_disc(&g, i, 0, i < 60 ? 0.5 : 0.2);
    grains_touch_all(&g, 1); /* 0 … 59 touch */
    ts_front front;
    OK(ts_measure_front(&g.snapshot, NULL, 0, &front, ERROR));
    NEAR(front.right, 99, 1e-12);
    NEAR(front.left, 1, 1e-12);
    NEAR(front.right_connected, 59.5, 1e-12);
    NEAR(front.left_connected, -0.5, 1e-12);
    OK(ts_measure_front(&g.snapshot, NULL, 0.25, &front, ERROR));
    NEAR(front.right, 75, 1e-12);
    g.snapshot.has_contacts = false;
    OK(ts_measure_front(&g.snapshot, NULL, 0, &front, ERROR));
    assert_true(isnan(front.right_connected));
    assert_int_equal(ts_measure_front(&g.snapshot, NULL, 1.5, &front, ERROR), TS_BAD_INPUT);
}

/* A square lattice of two materials: apart, alternating, and dealt out at random. */
static void segregation_of_a_lattice(void **unused)
{
    (void)unused;
    enum { n = 40 };
    ts_segregation s;
    for (int how = 0; how < 3; how++) {
        uint64_t random = 88172645463325252u;
        grains_begin(&g);
        g.snapshot.gravity[1] = -9.81;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                random ^= random << 13, random ^= random >> 7, random ^= random << 17;
                bool second = how == 0 ? j >= n / 2 : how == 1 ? (i + j) & 1 : (random >> 40) & 1;
                grains_disc(&g, i, j, 0.5)->material = second;
            }
        OK(ts_measure_segregation(&g.snapshot, NULL, TS_KIND_AUTO, 0, &s, ERROR));
        assert_int_equal(s.kinds, 2);
        if (how == 0) {
            /* only the four rows next to the border see both kinds */
            assert_true(s.intensity > 0.9 && s.intensity < 1 && s.lacey < 0.1);
            NEAR(s.height, n / 2, 1e-12);
        } else if (how == 1) {
            /* within two diameters of an inner grain 9 of 13 are of its own kind: (9/13 − ½)² / ¼ = (5/13)² */
            assert_true(s.intensity < 0.16);
            ts_segregation near;
            OK(ts_measure_segregation(&g.snapshot, NULL, TS_KIND_MATERIAL, 1, &near, ERROR)); /* 1 of 5: (3/5)² */
            NEAR(near.intensity, 9 / 25.0, 0.03);
            NEAR(s.height, 0, 1e-12);
        } else {
            NEAR(s.lacey, 1, 0.03);
            NEAR(s.intensity, 1 / 13.0, 0.02);
        }
    }
    for (size_t i = 0; i < g.snapshot.body_count; i++)
        g.body[i].material = 0;
    OK(ts_measure_segregation(&g.snapshot, NULL, TS_KIND_AUTO, 0, &s, ERROR));
    assert_int_equal(s.kinds, 1);
    assert_true(isnan(s.intensity));
    /* sizes: large ones on top, as Brazil nuts */
    for (size_t i = 0; i < g.snapshot.body_count; i++)
        g.body[i].radius = g.body[i].position[1] < n / 2 ? 0.2 : 0.45;
    OK(ts_measure_segregation(&g.snapshot, NULL, TS_KIND_AUTO, 0, &s, ERROR));
    assert_int_equal(s.kinds, 2);
    NEAR(s.height, n / 2, 1e-12);
}

/* Beside a count over all pairs: a column one reach wide and very high, a row, a cloud, and a lattice with pairs just
 * at the reach. */
static void neighbourhoods_are_those_of_all_pairs(void **unused)
{
    (void)unused;
    enum { n = 900 };
    uint64_t seed = 4101842887655102017u;
    for (int how = 0; how < 4; how++) {
        grains_begin(&g);
        for (int i = 0; i < n; i++) {
            double x = uniform(&seed), y = uniform(&seed);
            x = how == 0 ? x : how == 1 ? 300 * x : how == 2 ? 20 * x - 10 : 0.1 * (i % 30) - 1.3;
            y = how == 0 ? 300 * y : how == 1 ? y : how == 2 ? 20 * y - 10 : 0.1 * (double)(i / 30) + 0.7;
            grains_disc(&g, x, y, how == 3 ? 0.05 : 0.2)->material = uniform(&seed) < 0.3 ? 3 : 8;
        }
        double reach = how == 3 ? 0.2 * (1 + 1e-12) : 0.8, p = 0, sum = 0, random = 0;
        for (size_t i = 0; i < n; i++)
            p += g.body[i].material == 3 ? 1.0 / n : 0;
        for (size_t i = 0; i < n; i++) {
            double around = 0, own = 0;
            for (size_t j = 0; j < n; j++) {
                double dx = g.body[i].position[0] - g.body[j].position[0],
                       dy = g.body[i].position[1] - g.body[j].position[1];
                if (dx * dx + dy * dy <= reach * reach) {
                    around++;
                    own += g.body[j].material == 3;
                }
            }
            sum += 2 * (own / around - p) * (own / around - p) / n;
            random += 1 / around / n;
        }
        ts_segregation s;
        OK(ts_measure_segregation(&g.snapshot, NULL, TS_KIND_AUTO, how == 3 ? 2 * (1 + 1e-12) : 2, &s, ERROR));
        assert_int_equal(s.kinds, 2);
        NEAR(s.intensity, sum / (2 * p * (1 - p)), 1e-12);
        NEAR(s.lacey, (1 - s.intensity) / (1 - random), 1e-12);
    }
}

static void energies_by_hand(void **unused)
{
    (void)unused;
    grains_begin(&g);
    g.snapshot.gravity[1] = -10;
    ts_snapshot_body *body = grains_disc(&g, 1, 3, 1);
    body->mass = 2;
    body->inertia[2][2] = 5;
    body->velocity[0] = 3;
    body->velocity[1] = -4;
    body->spin[2] = 2;
    grains_disc(&g, 1, 100, 1)->fixed = true;
    ts_energies e;
    ts_measure_energies(&g.snapshot, &e);
    NEAR(e.kinetic, 25, 1e-13);
    NEAR(e.rotational, 10, 1e-13);
    NEAR(e.gravitational, 60, 1e-13);
    assert_true(isnan(e.elastic) && isnan(e.balance));
    /* what is there, and what was lost, less what was put in */
    g.snapshot.elastic = 3;
    g.snapshot.work = 50;
    g.snapshot.lost_normal = 20;
    g.snapshot.lost_tangential = 4;
    g.snapshot.lost_friction = 7;
    ts_measure_energies(&g.snapshot, &e);
    NEAR(e.elastic, 3, 0);
    NEAR(e.work, 50, 0);
    NEAR(e.lost_normal, 20, 0);
    NEAR(e.lost_tangential, 4, 0);
    NEAR(e.lost_friction, 7, 0);
    NEAR(e.balance, 25 + 10 + 60 + 3 + 20 + 4 + 7 - 50, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_shear_has_a_rate_and_no_temperature),
        cmocka_unit_test(temperature_of_two_speeds),
        cmocka_unit_test(few_grains_a_slice),
        cmocka_unit_test(neighbourhoods_are_those_of_all_pairs),
        cmocka_unit_test(empty_slices_are_nan),
        cmocka_unit_test(flow_through_a_line),
        cmocka_unit_test(angle_of_a_heap),
        cmocka_unit_test(error_of_the_angle),
        cmocka_unit_test(front_of_a_row),
        cmocka_unit_test(segregation_of_a_lattice),
        cmocka_unit_test(energies_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
