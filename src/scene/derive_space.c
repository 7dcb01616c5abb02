/* SPDX-License-Identifier: MIT */
#include "scene/derive_space.h"

#include <math.h>

#include "scene/derive_law.h"

/* A derived step: the time that a fall through the smallest body takes, over this; and so many steps at least. */
static const double steps_a_fall = 20, steps_a_body = 10, steps_min = 100;
/* Of the stable step of springs: 63 steps an oscillation, whose energy then swings by some 0.1 %. */
static const double stable_share = 0.05;

static ts_vec3 vec_of(const double v[3])
{
    return (ts_vec3){v[0], v[1], v[2]};
}

/* ---- Springs ---- */

/* One end of a spring: of body i at `anchor`, or of the world (i < 0) or something else that does not give way. */
typedef struct spring_end {
    ts_pose3 pose;
    double inv_mass;      /* [1/kg] */
    double compliance;    /* w: velocity for an impulse at the anchor, at most [1/kg] */
    double turn;          /* |r| / smallest moment of inertia [1/(kg m)] */
    ts_vec3 velocity, at; /* of the anchor, now [m/s, m] */
} spring_end;

static spring_end end_of(const ts_model *model, int32_t i, ts_vec3 anchor)
{
    spring_end end = {.pose = ts_pose3_identity()};
    if (i >= 0) {
        const ts_body3 *b = &model->body3[i];
        const ts_top *top = &model->top[i];
        end.pose = (ts_pose3){vec_of(b->position), {b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]}};
        if (b->inv_mass > 0) {
            /* W = S I⁻¹ Sᵀ has r in its kernel: two eigenvalues, known from their sum and the sum of their squares */
            const ts_mat3 skew = ts_mat3_skew(ts_quat_apply_inverse(top->axes, anchor));
            const ts_mat3 w =
                ts_mat3_mul(ts_mat3_mul(skew, ts_mat3_diagonal(top->inv_moment)), ts_mat3_transpose(skew));
            double sum = 0, squares = 0;
            for (int k = 0; k < 3; k++) {
                ts_vec3 row = ts_mat3_row(w, k);
                sum += ts_vec3_dot(row, (ts_vec3){k == 0, k == 1, k == 2});
                squares += ts_vec3_dot(row, row);
            }
            end.inv_mass = b->inv_mass;
            end.compliance = b->inv_mass + 0.5 * (sum + sqrt(fmax(2 * squares - sum * sum, 0)));
            end.turn = ts_vec3_length(anchor) * fmax(top->inv_moment.x, fmax(top->inv_moment.y, top->inv_moment.z));
            ts_vec3 spin = ts_top_spin(top, end.pose.quat, vec_of(b->angular_momentum));
            end.velocity = ts_vec3_add(vec_of(b->velocity), ts_vec3_cross(spin, ts_quat_apply(end.pose.quat, anchor)));
        }
    }
    end.at = ts_pose3_apply(end.pose, anchor);
    return end;
}

/* Potential, force and slope of the force at stretch x of a spring of stiffness k. */
typedef struct spring_law {
    double energy, force, slope;
} spring_law;

static spring_law law_of(const ts_spring3 *s, double x)
{
    const double k = s->spring.stiffness;
    if (s->kind == TS_SPRING3_CUBIC)
        return (spring_law){0.25 * k * x * x * x * x, k * x * x * x, 3 * k * x * x};
    return (spring_law){0.5 * k * x * x, k * x, k};
}

/* The largest stretch that what the ends bring along lets expect: V(x) = V(x₀) + ½ μ v² + μ |g| (x₀ + x), with the reduced mass μ. */
static double expected_stretch(const ts_spring3 *s, const spring_end *a, const spring_end *b, double gravity)
{
    const double mass = 1 / (a->inv_mass + b->inv_mass), speed = ts_vec3_distance(a->velocity, b->velocity),
                 now = fabs(ts_vec3_distance(a->at, b->at) - s->spring.rest),
                 brought = law_of(s, now).energy + mass * (0.5 * speed * speed + gravity * now);
    double least = now, most = fmax(now, 1e-9);
    for (int i = 0; i < 200 && law_of(s, most).energy < brought + mass * gravity * most; i++)
        most *= 2;
    for (int i = 0; i < 40; i++) {
        double x = 0.5 * (least + most);
        *(law_of(s, x).energy < brought + mass * gravity * x ? &least : &most) = x;
    }
    return most;
}

/* Adds what a spring brings to the ω² of its two bodies; returns what it has by itself. */
static double add_spring(const ts_model *model, const ts_spring3 *s, double *rate)
{
    spring_end a = end_of(model, s->a, s->spring.anchor_a), b = end_of(model, s->b, s->spring.anchor_b);
    if (!(a.inv_mass + b.inv_mass > 0))
        return 0;
    spring_law law = law_of(s, expected_stretch(s, &a, &b, ts_vec3_length(model->gravity)));
    double both = law.slope * (a.compliance + b.compliance);
    if (a.inv_mass > 0)
        rate[s->a] += both + law.force * a.turn;
    if (b.inv_mass > 0)
        rate[s->b] += both + law.force * b.turn;
    return both + law.force * fmax(a.turn, b.turn);
}

ts_status ts_derive_stable_step3(const ts_model *model, double *step, int64_t *spring, ts_error *error)
{
    *step = HUGE_VAL;
    *spring = -1;
    if (model->spring_count == 0)
        return TS_OK;
    double *rate = ts_alloc(model->body_count, sizeof *rate); /* ω² of each body [1/s²] */
    if (!rate)
        return ts_fail_memory(error, model->body_count * sizeof *rate);
    double largest = 0; /* of one spring by itself */
    for (size_t i = 0; i < model->spring_count; i++) {
        double own = add_spring(model, &model->spring[i], rate);
        if (own > largest) {
            largest = own;
            *spring = (int64_t)i;
        }
    }
    for (size_t i = 0; i < model->body_count; i++)
        *step = fmin(*step, 2 / sqrt(rate[i]));
    ts_free(rate);
    return TS_OK;
}

/* ---- The time step ---- */

static void shorten(double limit, ts_step_reason why, double *step, ts_step_reason *reason)
{
    if (limit < *step) {
        *step = limit;
        *reason = why;
    }
}

/* Of the contacts' own stable step ts_contact_step takes its share. */
static void shorten_penalty(const ts_model *model, double *step, ts_step_reason *reason)
{
    double lightest = 0;
    for (size_t i = 0; i < model->body_count; i++)
        lightest = fmax(lightest, model->body3[i].inv_mass);
    shorten(ts_contact_step(model, lightest), TS_STEP_CONTACT, step, reason);
}

double ts_derive_time_step3(const ts_model *model, const ts_settings *settings, double springs, ts_step_reason *reason)
{
    const bool impact = model->contacts_at == TS_AT_END;
    double smallest = HUGE_VAL, fastest = 0, gravity = ts_vec3_length(model->gravity);
    for (size_t i = 0; i < model->body_count; i++) {
        const ts_body3 *b = &model->body3[i];
        if (b->inv_mass > 0) {
            smallest = fmin(smallest, model->form[model->body_form[i]].inner);
            fastest = fmax(fastest, ts_vec3_length(vec_of(b->velocity)));
        }
    }
    double step = settings->duration / steps_min;
    *reason = TS_STEP_DURATION;
    if (impact && gravity > 0 && isfinite(smallest))
        shorten(sqrt(2 * smallest / gravity) / steps_a_fall, TS_STEP_FALL, &step, reason);
    if (impact && fastest > 0 && isfinite(smallest))
        shorten(smallest / fastest / steps_a_body, TS_STEP_SPEED, &step, reason);
    if (!impact)
        shorten_penalty(model, &step, reason);
    shorten(stable_share * springs, TS_STEP_SPRING, &step, reason);
    if (settings->frame_interval > 0)
        shorten(settings->frame_interval, TS_STEP_FRAME, &step, reason);
    return ts_whole_step(settings->duration, step);
}
