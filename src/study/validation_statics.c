/* SPDX-License-Identifier: MIT */
#include "study/validation_statics.h"

#include <math.h>

static const double right_angle = 1.5707963267948966;

double ts_leaning_critical(const ts_leaning *block)
{
    double ratio = block->thickness / block->length, sine = ratio * cos(block->angle);
    /* the weight hangs over the near side of the foot: it leans on the wall by itself */
    if (sine >= sin(block->angle))
        return 0;
    return tan(0.5 * (block->angle - asin(sine)));
}

double ts_leaning_limit(const ts_leaning *block, double friction)
{
    double twice = 2 * atan(friction);
    if (twice >= right_angle)
        return right_angle;
    return atan((block->thickness / block->length + sin(twice)) / cos(twice));
}

/* G(θ) moves by G' θ″ + G″ θ'², with G' and G″ its derivatives by θ; here G″ = -G. The two equations of motion give N_P
 * and N_Q as linear functions of θ″, moments about G the third:
 *
 *     N_Q - μ N_P = m G_x''     N_P + μ N_Q = m (G_y'' + g)     I θ″ = N_P c_P + N_Q c_Q */
double ts_leaning_acceleration(const ts_leaning *block, double friction, double gravity, double spin)
{
    double l = block->length, w = block->thickness, s = sin(block->angle), c = cos(block->angle), mu = friction;
    double inertia = (l * l + w * w) / 12; /* of a unit mass */
    double gx = 0.5 * (l * s + w * c), gy = 0.5 * (l * c + w * s);
    double dx = 0.5 * (l * c - w * s), dy = 0.5 * (w * c - l * s);
    /* arms of the two contact forces, each with its friction */
    double at_foot = (l * s - gx) - mu * gy, at_head = -mu * gx - (l * c - gy);
    /* N_P = (Y - μ X) / (1 + μ²), N_Q = (X + μ Y) / (1 + μ²), with X = x0 + x1 θ″ and Y = y0 + y1 θ″ */
    double x0 = -gx * spin * spin, y0 = gravity - gy * spin * spin, share = 1 / (1 + mu * mu);
    double still = share * ((y0 - mu * x0) * at_foot + (x0 + mu * y0) * at_head);
    double moving = share * ((dy - mu * dx) * at_foot + (dx + mu * dy) * at_head);
    return still / (inertia - moving);
}

double ts_leaning_spin(const ts_leaning *block, double friction, double gravity, double turn)
{
    ts_leaning at = *block;
    double spin = 0, end = block->angle + turn, step = 1e-4 * sqrt(block->length / gravity);
    if (!(ts_leaning_acceleration(block, friction, gravity, 0) > 0))
        return 0;
    for (int i = 0; i < 10000000; i++) {
        double a[4], v[4] = {spin}, before = at.angle;
        for (int k = 0; k < 4; k++) {
            double part = k == 0 ? 0 : k == 3 ? step : 0.5 * step;
            v[k] = spin + (k ? part * a[k - 1] : 0);
            at.angle = before + (k ? part * v[k - 1] : 0);
            a[k] = ts_leaning_acceleration(&at, friction, gravity, v[k]);
        }
        double moved = step / 6 * (v[0] + 2 * v[1] + 2 * v[2] + v[3]);
        double gained = step / 6 * (a[0] + 2 * a[1] + 2 * a[2] + a[3]);
        at.angle = before + moved;
        if (at.angle >= end)
            return spin + gained * (end - before) / moved;
        spin += gained;
    }
    return 0;
}

double ts_tent_critical(const ts_leaning *block)
{
    return fmax(0, 0.5 * (tan(block->angle) - block->thickness / block->length));
}

double ts_slope_critical(double angle)
{
    return tan(angle);
}

double ts_slope_acceleration(double angle, double friction, double gravity)
{
    return fmax(0, gravity * (sin(angle) - friction * cos(angle)));
}
