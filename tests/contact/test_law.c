/* SPDX-License-Identifier: MIT */
/* Restitution against an integrated impact, and the rules by which two materials combine. */
#include <math.h>

#include "contact/law.h"
#include "support/check.h"
#include "touchstone/scene.h"

/* Integrates x'' = -(2ζx' + x) from x = 0 (overlap) at speed 1 with the classical Runge–Kutta method, until the overlap
 * or, when the dashpot may not pull, the force is gone; returns the speed of parting. */
static double impact(double zeta, bool may_pull)
{
    double x = 0, v = 1, h = 1e-4;
    for (int i = 0; i < 10000000; i++) {
        double k1x = v, k1v = -(2 * zeta * v + x);
        double k2x = v + 0.5 * h * k1v, k2v = -(2 * zeta * k2x + x + 0.5 * h * k1x);
        double k3x = v + 0.5 * h * k2v, k3v = -(2 * zeta * k3x + x + 0.5 * h * k2x);
        double k4x = v + h * k3v, k4v = -(2 * zeta * k4x + x + h * k3x);
        double nx = x + h / 6 * (k1x + 2 * k2x + 2 * k3x + k4x), nv = v + h / 6 * (k1v + 2 * k2v + 2 * k3v + k4v);
        double before = may_pull ? x : x + 2 * zeta * v, after = may_pull ? nx : nx + 2 * zeta * nv;
        if (after <= 0 && nv < 0) /* the end lies between the two: interpolate the speed */
            return -(v + (nv - v) * before / (before - after));
        x = nx;
        v = nv;
    }
    return 0;
}

static void restitution_is_that_of_an_impact(void **state)
{
    (void)state;
    const double zeta[] = {0.01, 0.1, 0.3, 0.6, 0.9};
    for (int i = 0; i < 5; i++) {
        NEAR(ts_restitution_of(zeta[i], true), impact(zeta[i], true), 1e-6);
        NEAR(ts_restitution_of(zeta[i], false), impact(zeta[i], false), 1e-6);
    }
    const double beyond[] = {0.999999, 1, 1.000001, 1.3, 3, 8};
    for (int i = 0; i < 6; i++)
        NEAR(ts_restitution_of(beyond[i], false), impact(beyond[i], false), 1e-5);
    assert_true(ts_restitution_of(1, true) == 0 && ts_restitution_of(0, true) == 1 && ts_restitution_of(0, false) == 1);
}

static void damping_ratio_is_the_inverse(void **state)
{
    (void)state;
    for (int pull = 0; pull < 2; pull++) {
        double last = 1e9;
        for (double e = 0.001; e < 1; e += 0.001) {
            double zeta = ts_damping_ratio(e, pull);
            NEAR(ts_restitution_of(zeta, pull), e, 1e-12);
            assert_true(zeta < last); /* more restitution, less damping */
            last = zeta;
        }
        assert_true(ts_damping_ratio(1, pull) == 0);
        assert_true(ts_damping_ratio(0, pull) == ts_damping_ratio(1e-3, pull));
        assert_true(isfinite(ts_damping_ratio(0, pull)));
    }
}

static const ts_material_def steel = {7800, 0.3, 0.9, 4e5, 0.5, (double)NAN, (double)NAN, 0};
static const ts_material_def rubber = {1100, 1.2, 0.4, 1e5, 0.25, (double)NAN, (double)NAN, 0};

static void same_law(const ts_contact_law *a, const ts_contact_law *b)
{
    NEAR(a->kn, b->kn, 1e-15 * b->kn);
    NEAR(a->kt, b->kt, 1e-15 * b->kt);
    NEAR(a->friction, b->friction, 1e-15);
    NEAR(a->cn_mass, b->cn_mass, 1e-15 * b->cn_mass);
    NEAR(a->ct_mass, b->ct_mass, 1e-15 * b->ct_mass);
}

static void equal_materials_keep_their_values(void **state)
{
    (void)state;
    ts_contact_law law = ts_law_of(&steel, &steel, NULL, 1, false);
    assert_true(law.kn == 4e5 && law.kt == 2e5 && law.inv_kt == 1 / 2e5 && law.friction == 0.3);
    assert_true(law.cn == 0 && law.ct == 0 && law.ct_mass == law.cn_mass);
    /* c = 2ζ√(k m): the restitution is 0.9 whatever the mass */
    NEAR(ts_restitution_of(law.cn_mass / (2 * sqrt(law.kn)), false), 0.9, 1e-12);
    law = ts_law_of(&steel, &steel, NULL, 1, true);
    NEAR(ts_restitution_of(law.cn_mass / (2 * sqrt(law.kn)), true), 0.9, 1e-12);
}

static void different_materials_combine(void **state)
{
    (void)state;
    ts_contact_law law = ts_law_of(&steel, &rubber, NULL, 1, false), back = ts_law_of(&rubber, &steel, NULL, 1, false);
    same_law(&law, &back);
    NEAR(law.friction, 0.6, 1e-15);                 /* √(0.3 · 1.2) */
    NEAR(1 / law.kn, 0.5 / 4e5 + 0.5 / 1e5, 1e-18); /* compliances add up, halved */
    NEAR(1 / law.kt, 0.5 / 2e5 + 0.5 / 2.5e4, 1e-17);
    NEAR(ts_restitution_of(law.cn_mass / (2 * sqrt(law.kn)), false), 0.6, 1e-12); /* √(0.9 · 0.4) */
}

static void stiffness_zero_is_derived(void **state)
{
    (void)state;
    ts_material_def soft = rubber;
    soft.stiffness = 0;
    ts_contact_law law = ts_law_of(&soft, &soft, NULL, 2e3, false);
    assert_true(law.kn == 2e3 && law.kt == 500);
    NEAR(ts_law_of(&soft, &steel, NULL, 4e5, false).kn, 4e5, 1e-9);
    /* no tangential spring at all */
    soft.stiffness_ratio = 0;
    law = ts_law_of(&soft, &steel, NULL, 4e5, false);
    assert_true(law.kt == 0 && law.inv_kt == 0);
}

static void given_damping(void **state)
{
    (void)state;
    ts_material_def a = steel, b = rubber;
    a.normal_damping = 8;
    ts_contact_law law = ts_law_of(&a, &a, NULL, 1, false);
    assert_true(law.cn == 4 && law.ct == 4 && law.cn_mass == 0 && law.ct_mass == 0); /* the force is ½γv */
    law = ts_law_of(&a, &b, NULL, 1, false);
    assert_true(law.cn == 4 && law.cn_mass == 0); /* who gives γ decides over who gives e */
    b.normal_damping = 2;
    b.tangential_damping = 1;
    law = ts_law_of(&a, &b, NULL, 1, false);
    assert_true(law.cn == 2.5 && law.ct == 0.5 && law.ct_mass == 0);
    b.normal_damping = (double)NAN;
    law = ts_law_of(&b, &b, NULL, 1, false);
    assert_true(law.cn == 0 && law.cn_mass > 0 && law.ct == 0.5 && law.ct_mass == 0);
}

static void pairs_go_first(void **state)
{
    (void)state;
    ts_material_def pair = ts_default_material();
    ts_contact_law plain = ts_law_of(&steel, &rubber, NULL, 1, false),
                   law = ts_law_of(&steel, &rubber, &pair, 1, false);
    same_law(&law, &plain);
    pair.friction = 0.05;
    pair.restitution = 0.2;
    law = ts_law_of(&steel, &rubber, &pair, 1, false);
    assert_true(law.friction == 0.05 && law.kn == plain.kn && law.kt == plain.kt);
    NEAR(ts_restitution_of(law.cn_mass / (2 * sqrt(law.kn)), false), 0.2, 1e-12);
    pair.stiffness = 100;
    law = ts_law_of(&steel, &rubber, &pair, 1, false);
    NEAR(law.kt / law.kn, plain.kt / plain.kn, 1e-15); /* the ratio stays */
    assert_true(law.kn == 100);
    pair.stiffness = 0;
    pair.stiffness_ratio = 1;
    law = ts_law_of(&steel, &rubber, &pair, 77, false);
    assert_true(law.kn == 77 && law.kt == 77);
    pair = ts_default_material();
    pair.normal_damping = 6;
    law = ts_law_of(&steel, &rubber, &pair, 1, false);
    assert_true(law.cn == 3 && law.ct == 3 && law.cn_mass == 0 && law.ct_mass == 0);
}

static void inheriting(void **state)
{
    (void)state;
    ts_material_def def = ts_default_material(), base = steel;
    ts_material_def m = ts_material_inherit(&def, &base);
    assert_true(m.density == 7800 && m.friction == 0.3 && m.restitution == 0.9 && isnan(m.normal_damping));
    def.normal_damping = 5;
    m = ts_material_inherit(&def, &base);
    assert_true(m.normal_damping == 5 && isnan(m.restitution)); /* two answers to one question */
    base = m;
    def = ts_default_material();
    def.restitution = 0.1;
    def.friction = 0;
    m = ts_material_inherit(&def, &base);
    assert_true(m.restitution == 0.1 && isnan(m.normal_damping) && m.friction == 0 && m.stiffness == 4e5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restitution_is_that_of_an_impact),
        cmocka_unit_test(damping_ratio_is_the_inverse),
        cmocka_unit_test(equal_materials_keep_their_values),
        cmocka_unit_test(different_materials_combine),
        cmocka_unit_test(stiffness_zero_is_derived),
        cmocka_unit_test(given_damping),
        cmocka_unit_test(pairs_go_first),
        cmocka_unit_test(inheriting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
