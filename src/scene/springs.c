/* SPDX-License-Identifier: MIT */
#include "scene/springs.h"

#include <math.h>

#include "scene/compile.h"

static ts_vec3 vec_of(const double v[3])
{
    return (ts_vec3){v[0], v[1], v[2]};
}

ts_status ts_springs_compile(const ts_scene *scene, ts_model *m, ts_error *error)
{
    const size_t n = scene->spring.count;
    if (n == 0)
        return TS_OK;
    TS_TRY(ts_model_take(m, &m->spring, n, error));
    m->spring_count = n;
    for (size_t i = 0; i < n; i++) {
        const ts_spring_def *def = &scene->spring.item[i].def;
        m->spring[i] = (ts_spring){.kind = def->kind,
                                   .a = def->a ? ts_scene_find_body(scene, def->a) : -1,
                                   .b = ts_scene_find_body(scene, def->b),
                                   .anchor_a = vec_of(def->anchor_a),
                                   .anchor_b = vec_of(def->anchor_b),
                                   .stiffness = def->stiffness,
                                   .rest = def->rest};
    }
    return TS_OK;
}

/* ---- The stable step ---- */

/* One end of a spring: of body i at `anchor`, or of the world (i < 0) or something else that does not give way. */
typedef struct spring_end {
    double inv_mass;      /* [1/kg] */
    double compliance;    /* w: velocity for an impulse at the anchor, at most [1/kg] */
    double turn;          /* |r| / smallest moment of inertia [1/(kg m)] */
    ts_vec3 velocity, at; /* of the anchor, now [m/s, m] */
} spring_end;

static spring_end end_in_plane(const ts_model *m, int32_t i, ts_vec3 anchor)
{
    const ts_body *b = &m->body[i];
    ts_vec2 arm = ts_vec2_rotate((ts_vec2){anchor.x, anchor.y}, b->angle);
    spring_end end = {.at = {b->x + arm.x, b->y + arm.y, 0}};
    if (b->inv_mass > 0) {
        double size = ts_vec3_length(anchor);
        end.inv_mass = b->inv_mass;
        end.compliance = b->inv_mass + size * size * m->inv_inertia[i];
        end.turn = size * m->inv_inertia[i];
        end.velocity = (ts_vec3){b->vx - b->spin * arm.y, b->vy + b->spin * arm.x, 0};
    }
    return end;
}

static spring_end end_in_space(const ts_model *m, int32_t i, ts_vec3 anchor)
{
    const ts_body3 *b = &m->body3[i];
    const ts_inertia *top = &m->inertia[i];
    const ts_quat quat = {b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]};
    const ts_vec3 arm = ts_quat_apply(quat, anchor);
    spring_end end = {.at = ts_pose3_apply((ts_pose3){vec_of(b->position), quat}, anchor)};
    if (!(b->inv_mass > 0))
        return end;
    /* W = S I⁻¹ Sᵀ has r in its kernel: two eigenvalues, known from their sum and the sum of their squares */
    const ts_mat3 skew = ts_mat3_skew(ts_quat_apply_inverse(top->axes, anchor));
    const ts_mat3 w = ts_mat3_mul(ts_mat3_mul(skew, ts_mat3_diagonal(top->inv_moment)), ts_mat3_transpose(skew));
    double sum = 0, squares = 0;
    for (int k = 0; k < 3; k++) {
        ts_vec3 row = ts_mat3_row(w, k);
        sum += ts_vec3_dot(row, (ts_vec3){k == 0, k == 1, k == 2});
        squares += ts_vec3_dot(row, row);
    }
    end.inv_mass = b->inv_mass;
    end.compliance = b->inv_mass + 0.5 * (sum + sqrt(fmax(2 * squares - sum * sum, 0)));
    end.turn = ts_vec3_length(anchor) * fmax(top->inv_moment.x, fmax(top->inv_moment.y, top->inv_moment.z));
    ts_vec3 spin = ts_inertia_spin(top, quat, vec_of(b->angular_momentum));
    end.velocity = ts_vec3_add(vec_of(b->velocity), ts_vec3_cross(spin, arm));
    return end;
}

static spring_end end_of(const ts_model *m, int32_t i, ts_vec3 anchor)
{
    static spring_end (*const of_body[])(const ts_model *, int32_t, ts_vec3) = {end_in_plane, end_in_space};
    return i < 0 ? (spring_end){.at = anchor} : of_body[m->dimension - 2](m, i, anchor);
}

/* The largest stretch that what the ends bring along lets expect: V(x) = V(x₀) + ½ μ v² + μ |g| (x₀ + x), with the
 * reduced mass μ. */
static double expected_stretch(const ts_spring *s, const spring_end *a, const spring_end *b, double gravity)
{
    const double mass = 1 / (a->inv_mass + b->inv_mass), speed = ts_vec3_distance(a->velocity, b->velocity),
                 now = fabs(ts_vec3_distance(a->at, b->at) - s->rest),
                 brought = ts_spring_law_at(s, now).energy + mass * (0.5 * speed * speed + gravity * now);
    double least = now, most = fmax(now, 1e-9);
    for (int i = 0; i < 200 && ts_spring_law_at(s, most).energy < brought + mass * gravity * most; i++)
        most *= 2;
    for (int i = 0; i < 40; i++) {
        double x = 0.5 * (least + most);
        *(ts_spring_law_at(s, x).energy < brought + mass * gravity * x ? &least : &most) = x;
    }
    return most;
}

/* Adds what a spring brings to the ω² of its two bodies; returns what it has by itself. */
static double add_spring(const ts_model *m, const ts_spring *s, double *rate)
{
    spring_end a = end_of(m, s->a, s->anchor_a), b = end_of(m, s->b, s->anchor_b);
    if (!(a.inv_mass + b.inv_mass > 0))
        return 0;
    ts_spring_law law = ts_spring_law_at(s, expected_stretch(s, &a, &b, ts_vec3_length(m->gravity)));
    double both = law.slope * (a.compliance + b.compliance);
    if (a.inv_mass > 0)
        rate[s->a] += both + law.force * a.turn;
    if (b.inv_mass > 0)
        rate[s->b] += both + law.force * b.turn;
    return both + law.force * fmax(a.turn, b.turn);
}

ts_status ts_springs_stable_step(const ts_model *m, double *step, int64_t *spring, ts_error *error)
{
    *step = HUGE_VAL;
    *spring = -1;
    if (m->spring_count == 0)
        return TS_OK;
    TS_AUTO_FREE double *rate = NULL; /* ω² of each body [1/s²] */
    TS_TRY(ts_new(&rate, m->body_count, error));
    double largest = 0; /* of one spring by itself */
    for (size_t i = 0; i < m->spring_count; i++) {
        double own = add_spring(m, &m->spring[i], rate);
        if (own > largest) {
            largest = own;
            *spring = (int64_t)i;
        }
    }
    for (size_t i = 0; i < m->body_count; i++)
        *step = fmin(*step, 2 / sqrt(rate[i]));
    return TS_OK;
}

ts_status ts_springs_check_step(const ts_scene *scene, const ts_model *m, double stable, int64_t spring,
                                ts_error *error)
{
    const double step = m->settings.time_step;
    if (spring < 0 || step <= stable)
        return TS_OK;
    const ts_spring_def *def = &scene->spring.item[spring].def;
    return ts_fail_at(error, TS_BAD_INPUT, scene->settings_place,
                      "settings: time_step %g s is too long for spring %lld (%g %s, at \"%.100s\"); take at most %g s, "
                      "lower its stiffness, or leave time_step out",
                      step, (long long)spring, def->stiffness, def->kind == TS_SPRING_CUBIC ? "N/m³" : "N/m", def->b,
                      stable);
}
