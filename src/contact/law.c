/* SPDX-License-Identifier: MIT */
#include "contact/law.h"

#include <math.h>

#include "base/vec.h"

/* e = 0 would need an infinite dashpot, and the time step goes down with it. */

/* ---- Restitution and damping ----
 *
 * A head-on impact is x'' + 2ζω x' + ω² x = 0 from x = 0 with speed v. With ζ = sin a the overlap is x = v/(ω cos a) ·
 * exp(-ζωt) · sin(ωt cos a); it vanishes at the phase ωt cos a = π, the force at the phase π - 2a. The speed is then
 * exp(-phase · tan a) of v in both cases. Beyond ζ = 1, with ζ = cosh b, the overlap never vanishes, and the force does
 * so after exp(-2b coth b). */

double ts_restitution_of(double damping_ratio, bool may_pull)
{
    double zeta = damping_ratio;
    if (!(zeta > 0))
        return 1;
    if (zeta < 1) {
        double a = asin(zeta);
        return exp(-tan(a) * (may_pull ? TS_PI : TS_PI - 2 * a));
    }
    if (may_pull)
        return 0;
    double b = acosh(zeta);
    return b > 0 ? exp(-2 * b / tanh(b)) : exp(-2);
}

double ts_damping_ratio(double restitution, bool may_pull)
{
    if (!(restitution < 1))
        return 0;
    double e = fmax(restitution, TS_RESTITUTION_MIN);
    if (may_pull)
        return -log(e) / hypot(TS_PI, log(e));
    /* e falls from 1 at ζ = 0 to 1/(4ζ²): halve [0, 1/√e], where it is below e, until no double lies between */
    double low = 0, high = 1 / sqrt(e);
    for (int i = 0; i < 2000; i++) {
        double middle = low + 0.5 * (high - low);
        if (!(middle > low && middle < high))
            break;
        if (ts_restitution_of(middle, false) > e)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* ---- Combination ---- */

static double given_or(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

ts_material_def ts_material_inherit(const ts_material_def *def, const ts_material_def *base)
{
    ts_material_def m = *def;
    m.density = given_or(def->density, base->density);
    m.friction = given_or(def->friction, base->friction);
    m.stiffness = given_or(def->stiffness, base->stiffness);
    m.stiffness_ratio = given_or(def->stiffness_ratio, base->stiffness_ratio);
    m.tangential_damping = given_or(def->tangential_damping, base->tangential_damping);
    if (isnan(def->restitution) && isnan(def->normal_damping)) {
        m.restitution = base->restitution;
        m.normal_damping = base->normal_damping;
    }
    return m;
}

/* Two springs in series, scaled so that two equal ones give their own stiffness. */
static double in_series(double a, double b)
{
    return a > 0 && b > 0 ? 2 * a * (b / (a + b)) : 0;
}

/* The mean of what is given; NaN when neither is. */
static double mean_of_given(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    return 0.5 * a + 0.5 * b;
}

/* Not √(ab), which rounds: two equal materials give exactly their own value. */
static double geometric_mean(double a, double b)
{
    return a == b ? a : sqrt(a) * sqrt(b);
}

ts_contact_law ts_law_of(const ts_material_def *a, const ts_material_def *b, const ts_material_def *pair,
                         double derived_stiffness, bool may_pull)
{
    double ka = a->stiffness > 0 ? a->stiffness : derived_stiffness;
    double kb = b->stiffness > 0 ? b->stiffness : derived_stiffness;
    double friction = geometric_mean(a->friction, b->friction);
    double kn = in_series(ka, kb), kt = in_series(a->stiffness_ratio * ka, b->stiffness_ratio * kb);
    double gamma_n = mean_of_given(a->normal_damping, b->normal_damping);
    double gamma_t = mean_of_given(a->tangential_damping, b->tangential_damping);
    double restitution = geometric_mean(a->restitution, b->restitution); /* used where γ_n is NaN */
    if (pair) {
        friction = given_or(pair->friction, friction);
        double ratio = given_or(pair->stiffness_ratio, kn > 0 ? kt / kn : 0);
        if (!isnan(pair->stiffness))
            kn = pair->stiffness > 0 ? pair->stiffness : derived_stiffness;
        if (!isnan(pair->stiffness) || !isnan(pair->stiffness_ratio))
            kt = ratio * kn;
        gamma_t = given_or(pair->tangential_damping, gamma_t);
        if (!isnan(pair->restitution) || !isnan(pair->normal_damping)) {
            gamma_n = pair->normal_damping;
            restitution = pair->restitution;
        }
    }

    ts_contact_law law = {.kn = kn, .kt = kt, .inv_kt = kt > 0 ? 1 / kt : 0, .friction = friction};
    if (isnan(gamma_n))
        law.cn_mass = 2 * ts_damping_ratio(restitution, may_pull) * sqrt(kn);
    else
        law.cn = 0.5 * gamma_n;
    law.ct = isnan(gamma_t) ? law.cn : 0.5 * gamma_t;
    law.ct_mass = isnan(gamma_t) ? law.cn_mass : 0;
    return law;
}
