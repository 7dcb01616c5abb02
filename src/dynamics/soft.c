/* SPDX-License-Identifier: MIT */
/* The row of soft-step: its keys, and what it derives from a scene. */
#include "dynamics/soft.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/hash.h"
#include "base/memory.h"
#include "contact/pairs.h"
#include "dynamics/soft_map.h"
#include "world.h"

/* A step, of √(size/g): 60 in a second for bodies of 1 m under the Earth's gravity. Without gravity: the fastest body's
 * way in it, of that between two findings. */
#define STEP_SHARE 0.0522
#define STEP_WAYS  8
/* Of the way between two findings, what a script may move something by in the shortest sub-step: what it strikes adds
 * its own speed. */
#define DRIVEN_SHARE 0.5
/* Contacts' frequency, of the rate of sub-steps, above which heaps never come to rest. */
#define FREQUENCY_MOST 0.25
/* How far bodies may move against each other between two findings, of the thinnest one's inner radius: places on its
 * far side are not found yet. */
#define WAY_SHARE 0.6
/* Bodies may sleep that are slower than this share of √(g · size), 0.3 mm/s for bodies of 1 m, for so long, of
 * √(size/g): half a second for those. At ten times the speed heaps fell asleep before their forces had settled. */
#define CALM_SPEED_SHARE 1e-4
#define CALM_TIME_SHARE  1.566
/* Masses of bodies that move, the heaviest over the lightest, from which on more relaxations are derived, and above which
 * twice as many sub-steps are; and the most of these. */
#define RATIO_RELAXED     50
#define RATIO_STIFF       64
#define SUB_STEPS_DERIVED 64
/* Without gravity, of what would stop the fastest body in the size of the smallest: steps are as long then as that one
 * needs for a good part of its way through the thinnest. */
#define PULL_SHARE (1.0 / 64)
/* Sub-steps of gravity by which an impact must change a body to be worked on again, and weights that a contact may carry
 * at once (ts_soft_pace). Half of the former costs falling heaps a tenth more time; twice of it lets stacks that fall be
 * squeezed by half as much again. */
#define HOT     4
#define LASTING 8

/* A limit in the four digits of a message, not above it: what is told must do. */
static double told_down(double limit)
{
    const double digit = pow(10, floor(log10(limit)) - 3);
    return floor(limit / digit) * digit;
}

static double gravity_of(const ts_model *m)
{
    return ts_vec3_length(m->gravity);
}

/* Length of the smallest body that moves: its diameter, or infinite when none does [m]. */
static ts_pose3 pose_at_start(const ts_model *m, int64_t body)
{
    if (body < 0)
        return ts_pose3_identity();
    const ts_start start = m->world->start(m, (size_t)body);
    return (ts_pose3){start.position, start.attitude};
}

/* The strongest pull of springs on a body at the beginning [m/s²]. */
static double pulled(const ts_model *m)
{
    double most = 0;
    for (size_t i = 0; i < m->spring_count; i++) {
        const ts_spring *s = &m->spring[i];
        const ts_pull p = ts_spring_pull(s, pose_at_start(m, s->a), pose_at_start(m, s->b));
        const double inv =
            fmax(s->a >= 0 ? m->world->inv_mass(m, (size_t)s->a) : 0, m->world->inv_mass(m, (size_t)s->b));
        most = fmax(most, inv * ts_vec3_length(p.force));
    }
    return most;
}

static double smallest_size(const ts_model *m)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < m->body_count; i++)
        if (ts_model_moves(m, i))
            least = fmin(least, 2 * m->world->radius(m, i));
    return least;
}

/* Longest step in which sub-steps follow a frequency that was given. */
double ts_soft_stable_step(const ts_model *model, int64_t *body)
{
    const ts_soft_param *p = ts_soft_param_of(model);
    *body = -1;
    return p->frequency > 0 ? FREQUENCY_MOST * (double)p->sub_steps / p->frequency : HUGE_VAL;
}

/* Speeds need not be known: a step in which something is fast has more sub-steps. */
static double step_of_motion(const ts_compiling *c, const char **reason)
{
    const ts_model *m = c->model;
    const ts_soft_param *p = c->param;
    const double size = smallest_size(m), g = gravity_of(m), fall = STEP_SHARE * sqrt(size / p->fall),
                 fly = g > 0 || !(c->look.speed > 0) ? HUGE_VAL : STEP_WAYS * p->way / c->look.speed;
    if (!isfinite(size))
        return HUGE_VAL;
    *reason = g > 0        ? "a fall through the smallest body sets"
              : fall < fly ? "the pull of springs through the smallest body sets"
                           : "the fastest body's way through the thinnest sets";
    return p->fall > 0 ? fmin(fall, fly) : fly;
}

static int64_t most_sub_steps(const ts_soft_param *p)
{
    return (int64_t)p->sub_steps << TS_SOFT_MORE_MOST;
}

double ts_soft_finest_step(const ts_model *model)
{
    return model->settings.time_step / (double)most_sub_steps(ts_soft_param_of(model));
}

/* The longest step that motion allows, whatever the contacts' frequency. */
static double longest_step(const ts_compiling *c, const char **reason)
{
    const ts_soft_param *p = c->param;
    const double driven = c->look.driven > 0 && p->way > 0
                              ? DRIVEN_SHARE * p->way * (double)most_sub_steps(p) / c->look.driven
                              : HUGE_VAL,
                 step = step_of_motion(c, reason);
    if (step <= driven)
        return step;
    *reason = "the fastest driven part's way through the thinnest body sets";
    return driven;
}

double ts_soft_time_step(const ts_compiling *c, const char **reason)
{
    const double stable = c->model->stable_step, step = longest_step(c, reason);
    if (step <= stable)
        return step;
    *reason = "the contacts' frequency sets";
    return stable;
}

/* How many times shorter than motion allows a frequency makes a step that is derived: above the first it is told, above
 * the second refused, for such a run would take for ever. */
#define SHORTER_TOLD 10
#define SHORTER_MOST 1e4

/* That factor; 0 where the step is given or nothing moves. */
static double times_shorter(const ts_model *m)
{
    int64_t body;
    return ts_soft_param_of(m)->motion_step / ts_soft_stable_step(m, &body);
}

static ts_status check_frequency(ts_compiling *c, ts_error *error)
{
    ts_soft_param *p = c->param;
    const ts_settings *s = &c->model->settings;
    const char *reason;
    const double motion = fmin(longest_step(c, &reason), s->duration);
    p->motion_step = s->time_step > 0 || !isfinite(smallest_size(c->model)) ? 0 : motion;
    const double shorter = times_shorter(c->model);
    if (shorter > SHORTER_MOST)
        return ts_fail_at(
            error, TS_BAD_INPUT, c->place,
            "dynamics: contact_frequency is %g Hz, and the time step %.2g times shorter than motion needs; "
            "give at most %.4g Hz, or leave it out",
            p->frequency, shorter, told_down(p->frequency * SHORTER_MOST / shorter));
    return TS_OK;
}

static bool tell(const ts_model *model, ts_warning_kind kind, const ts_tally *tally, uint64_t steps, char *text,
                 size_t capacity)
{
    const double shorter = times_shorter(model), frequency = ts_soft_param_of(model)->frequency;
    (void)tally;
    (void)steps;
    if (kind != TS_WARN_SHORT_STEP || !(shorter > SHORTER_TOLD))
        return false;
    snprintf(text, capacity,
             "contact_frequency %g Hz makes the time step %.0f times shorter than motion needs; %.3g Hz would not",
             frequency, shorter, frequency / shorter);
    return true;
}

/* A step that was given must follow a frequency that was given, and be short enough for bodies to meet in it: in a
 * longer one they fall through themselves, and through each other before places are found. */
static ts_status check_step(const ts_compiling *c, ts_error *error)
{
    const ts_soft_param *p = c->param;
    int64_t body;
    const double step = c->model->settings.time_step, most = ts_soft_stable_step(c->model, &body),
                 size = smallest_size(c->model), g = p->fall, fall = g > 0 ? sqrt(2 * size / g) : HUGE_VAL;
    if (step > most)
        return ts_fail_at(
            error, TS_BAD_INPUT, c->step_place,
            "dynamics: contact_frequency is %g Hz, too high for %llu sub_steps in a time_step of %g s; give at "
            "most %.4g Hz, a time_step of at most %.4g s, or more sub_steps",
            p->frequency, (unsigned long long)p->sub_steps, step, told_down(p->frequency * most / step),
            told_down(most));
    if (step > fall)
        return ts_fail_at(error, TS_BAD_INPUT, c->step_place,
                          "dynamics: in a time_step of %g s the smallest body, %g m across, falls through itself; give "
                          "at most %.4g s, or leave it out",
                          step, size, told_down(fall));
    return TS_OK;
}

/* The heaviest body that moves over the lightest. */
static double mass_ratio(const ts_model *m)
{
    double least = HUGE_VAL, most = 0;
    for (size_t i = 0; i < m->body_count; i++)
        if (ts_model_moves(m, i)) {
            least = fmin(least, m->mass[i]);
            most = fmax(most, m->mass[i]);
        }
    return most > least ? most / least : 1;
}

/* Overlaps under a heavy body go as its mass over the square of the number of sub-steps, and what is squeezed between it
 * and the floor needs more passes to settle: a box on one of 1/100 of its mass never rests with three. */
static void derive_counts(const ts_model *m, ts_soft_param *p)
{
    const double ratio = mass_ratio(m);
    if (p->relaxations == 0)
        p->relaxations = ratio < RATIO_RELAXED ? 3 : 6;
    if (p->sub_steps == 0) {
        double most = RATIO_STIFF;
        p->sub_steps = 8;
        while (p->sub_steps < SUB_STEPS_DERIVED && ratio > most) {
            p->sub_steps *= 2;
            most *= 4;
        }
    }
}

static ts_status derive(ts_compiling *c, ts_error *error)
{
    ts_model *m = c->model;
    ts_soft_param *p = c->param;
    derive_counts(m, p);
    p->fall = gravity_of(m) > 0 ? gravity_of(m) : pulled(m);
    TS_TRY(check_step(c, error));
    if (m->has_outlines && m->places == TS_PLACES_ONE)
        return ts_fail_at(
            error, TS_BAD_INPUT, c->place,
            "dynamics: with places \"one\" a pair of outlines touches at a single place, and under soft-step "
            "heaps then never come to rest; set \"places\" to \"features\" or \"map\"");
    for (size_t i = 0; i < m->material_count * m->material_count; i++)
        if (isnan(c->material[i % m->material_count].restitution))
            return ts_fail_at(error, TS_BAD_INPUT, c->place,
                              "dynamics: soft-step bounces by restitution; give that instead of a normal damping");
    ts_fill_laws(c, 1, false); /* friction and restitution count, whatever the stiffness */
    double inner = HUGE_VAL;
    for (size_t i = 0; i < m->body_count; i++)
        inner = fmin(inner, m->world->start(m, i).inner);
    p->way = isfinite(inner) ? WAY_SHARE * inner : 0;
    if (m->has_outlines && m->places == TS_PLACES_MAP)
        p->way = fmin(p->way, TS_SOFT_MAP_WAY * 0.5 * smallest_size(m));
    m->reach = 2 * p->way;
    const double size = smallest_size(m), g = gravity_of(m), speed = g > 0 && isfinite(size) ? sqrt(g * size) : 0;
    if (!(p->push_speed > 0))
        p->push_speed = speed > 0 ? speed : fmax(fmax(c->look.speed, isfinite(size) ? sqrt(p->fall * size) : 0), 1e-3);
    const double fastest = fmax(fmax(c->look.speed, c->look.driven), 1e-3);
    p->pull = g > 0 ? g : fmax(p->fall, isfinite(size) ? PULL_SHARE * fastest * fastest / size : 0);
    p->calm_speed = CALM_SPEED_SHARE * speed;
    p->calm_time = speed > 0 ? CALM_TIME_SHARE * sqrt(size / g) : 0;
    return check_frequency(c, error);
}

static uint64_t hash(const ts_model *model, uint64_t before)
{
    const ts_soft_param *p = ts_soft_param_of(model);
    const double value[] = {p->way, p->push_speed, p->fall, p->pull, (double)p->sub_steps, (double)p->relaxations};
    return ts_hash(value, sizeof value, before);
}

static const ts_field field[] = {
    TS_KEY(ts_soft_param, "sub_steps", sub_steps, INTEGER, NONE, THOUSAND, TS_FIELD_AUTO),
    TS_KEY(ts_soft_param, "relaxations", relaxations, INTEGER, NONE, THOUSAND, TS_FIELD_AUTO),
    TS_KEY(ts_soft_param, "contact_frequency", frequency, NUMBER, FREQUENCY, POSITIVE, TS_FIELD_AUTO),
    TS_KEY(ts_soft_param, "contact_damping_ratio", damping_ratio, NUMBER, NONE, POSITIVE, 0),
    TS_KEY(ts_soft_param, "push_speed", push_speed, NUMBER, SPEED, POSITIVE, TS_FIELD_AUTO),
    TS_KEY(ts_soft_param, "bounce_speed", bounce_speed, NUMBER, SPEED, POSITIVE, TS_FIELD_AUTO),
    TS_KEY(ts_soft_param, "sleeping", sleeping, FLAG, NONE, ANY, 0),
};

static double restitution(const ts_model *model, const ts_contact_law *law)
{
    (void)model;
    return law->cn > 0 ? (double)NAN : ts_restitution_of(law->cn_mass / (2 * sqrt(law->kn)), false);
}

double ts_soft_way(const ts_model *model, double speed, double time)
{
    return (speed + 0.5 * ts_soft_param_of(model)->fall * time) * time;
}

int64_t ts_soft_sub_steps(const ts_model *model, double speed)
{
    const ts_soft_param *p = ts_soft_param_of(model);
    const double step = model->settings.time_step;
    int64_t count = (int64_t)p->sub_steps;
    speed += p->fall * step; /* what falls is faster at its end */
    for (int i = 0; i < TS_SOFT_MORE_MOST && ts_soft_way(model, speed, step / (double)count) > p->way; i++)
        count *= 2;
    return count;
}

static ts_soft_answer answer_of(double frequency, double damping_ratio, double step)
{
    const double omega = 2 * TS_PI * frequency, a1 = 2 * damping_ratio + step * omega, a2 = step * omega * a1,
                 a3 = 1 / (1 + a2);
    return (ts_soft_answer){omega / a1, a2 * a3, a3};
}

ts_soft_pace ts_soft_pace_of(const ts_model *model, double h)
{
    const ts_soft_param *p = ts_soft_param_of(model);
    const double frequency = p->frequency > 0 ? p->frequency : TS_SOFT_FREQUENCY / h;
    return (ts_soft_pace){
        p->push_speed,
        p->bounce_speed > 0 ? p->bounce_speed : 2 * h * p->fall,
        HOT * h * p->pull,
        LASTING * h * p->pull,
        {answer_of(frequency, p->damping_ratio, h), answer_of(2 * frequency, p->damping_ratio, h)},
    };
}

bool ts_soft_places_hold(const ts_model *model, const ts_state *state, double speed)
{
    const double step = model->settings.time_step, time = ts_time_of_step(model, state->step);
    return state->places_room > 0 && ts_soft_way(model, speed, step) <= state->places_room &&
           ts_gate_epoch(model, time) == ts_gate_epoch(model, time - step);
}

uint64_t ts_soft_next_mark(void)
{
    static atomic_uint_fast64_t last;
    return atomic_fetch_add(&last, 1) + 1;
}

double ts_soft_energy(const ts_state *state)
{
    ts_measures m = {0};
    state->model->world->measure(state->model, state, &m);
    return m.kinetic + m.rotational + m.gravitational + m.elastic;
}

/* Contacts took what is missing. */
void ts_soft_balance(ts_state *state, double energy, double work)
{
    state->budget.work += work;
    state->budget.lost_normal += energy + work - ts_soft_energy(state);
}

ts_status ts_soft_restitutions(const ts_model *model, double **table, ts_error *error)
{
    const size_t count = model->material_count * model->material_count;
    TS_TRY(ts_new(table, count, error));
    for (size_t i = 0; i < count; i++) {
        const double e = restitution(model, &model->law[i]);
        (*table)[i] = e > 2e-3 ? e : 0; /* e = 0 is kept as 1e-3 (contact/law.h) */
    }
    return TS_OK;
}

const ts_dynamics ts_soft_dynamics = {.name = "soft-step",
                                      .plane = &ts_soft_in_plane,
                                      .space = &ts_soft_in_space,
                                      .field = field,
                                      .field_count = sizeof field / sizeof *field,
                                      .param_bytes = sizeof(ts_soft_param),
                                      .defaults = &(const ts_soft_param){.damping_ratio = 10},
                                      .derive = derive,
                                      .hash = hash,
                                      .restitution = restitution,
                                      .tell = tell,
                                      .against_overlap = "raise sub_steps, or shorten the time step",
                                      .against_energy = "lower the restitution, or take impact for elastic clouds"};
