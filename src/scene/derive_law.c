/* SPDX-License-Identifier: MIT */
#include "scene/derive_law.h"

#include <math.h>

/* A contact in a packing may carry this many times the load of a straight column: force chains. */
#define FORCE_CHAIN 4
/* Share of √(m/k), and of the stable limit, that a derived time step takes. The first leaves some 22 steps to the
 * shortest
 * impact of two equal bodies, π√(m/2k). */
#define STEP_SHARE   0.1
#define STABLE_SHARE 0.5

double ts_stiffness_for(double mass, double speed, double load, double overlap)
{
    double ratio = speed / overlap, k = mass * ratio * ratio;
    return load > 0 ? fmax(k, FORCE_CHAIN * load / overlap) : k;
}

ts_contact_law ts_hardest_law(const ts_model *m, size_t material)
{
    ts_contact_law hard = {0};
    for (size_t b = 0; b < m->material_count; b++) {
        const ts_contact_law *law = &m->law[material * m->material_count + b];
        hard.kn = fmax(hard.kn, law->kn);
        hard.kt = fmax(hard.kt, law->kt);
        hard.cn = fmax(hard.cn, law->cn);
        hard.ct = fmax(hard.ct, law->ct);
        hard.cn_mass = fmax(hard.cn_mass, law->cn_mass);
        hard.ct_mass = fmax(hard.ct_mass, law->ct_mass);
    }
    return hard;
}

double ts_step_limit(double k, double c)
{
    double denominator = c + sqrt(c * c + 4 * k);
    return denominator > 0 ? 4 / denominator : HUGE_VAL;
}

double ts_contact_step(const ts_model *m, double inv_mass)
{
    double k = 0;
    for (size_t i = 0; i < m->material_count * m->material_count; i++)
        k = fmax(k, m->law[i].kn);
    if (!(inv_mass > 0))
        return HUGE_VAL;
    return fmin(STEP_SHARE / sqrt(inv_mass * k), STABLE_SHARE * m->stable_step);
}

double ts_whole_step(double duration, double step)
{
    const double rounding = 1e-14; /* of the quotient: a step that divides the duration is left as it is */
    return duration / ceil(duration / step * (1 - rounding));
}
