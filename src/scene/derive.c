/* SPDX-License-Identifier: MIT */
#include "scene/derive.h"

#include <math.h>

#include "base/vec.h"
#include "scene/derive_law.h"
#include "scene/script.h"
#include "scene/springs.h"

/* Packing fraction that grains settle to, roughly. */
#define SETTLED_FRACTION 0.8
/* Share of the smallest radius that the fastest body goes in a derived time step of impact. */
#define IMPACT_SHARE 0.2
/* Steps of a run at least, and of one in which nothing moves but by scripts. */
#define STEPS_MIN             100
#define STEPS_WITHOUT_CONTACT 1000
/* The skin as a share of the smallest radius that moves: about what makes rebuilding and looking farther cost the
 * same. */
#define SKIN_SHARE 0.2

ts_material_def ts_scene_material_of(const ts_scene *scene, size_t index)
{
    return ts_material_inherit(&scene->material.item[index].def, &scene->material.item[0].def);
}

static bool is_free(const ts_model *m, size_t body)
{
    return m->body[body].inv_mass > 0;
}

/* ---- Stiffness ---- */

/* What the scene's bodies will do to each other, as far as it can be told before the run. */
typedef struct outlook {
    double speed;   /* fastest impact [m/s] */
    double load;    /* heaviest column of bodies, as wide as the largest [N] */
    double largest; /* largest bounding radius that moves [m] */
} outlook;

/* The direction against gravity, and its strength. */
typedef struct gravity {
    double strength;   /* [m/s²] */
    double up_x, up_y; /* unit vector */
} gravity;

static gravity gravity_of(const ts_model *m)
{
    double x = m->settings.gravity[0], y = m->settings.gravity[1], g = hypot(x, y);
    return g > 0 ? (gravity){g, -x / g, -y / g} : (gravity){0, 0, 1};
}

/* How far a disc falls before it touches the wall; infinite if it never does. */
static double fall_to_wall(const ts_wall *wall, gravity g, const ts_body *b)
{
    double dx = b->x - wall->pose.position.x, dy = b->y - wall->pose.position.y;
    if (wall->kind == TS_WALL_FLAT) {
        double slope = wall->nx * g.up_x + wall->ny * g.up_y;
        double gap = dx * wall->nx + dy * wall->ny - b->radius;
        return slope > 1e-6 ? fmax(gap, 0) / slope : HUGE_VAL;
    }
    double height = dx * g.up_x + dy * g.up_y, side = dx * g.up_y - dy * g.up_x;
    double room = wall->radius - b->radius;
    return fmax(height + sqrt(fmax(room * room - side * side, 0)), 0);
}

/* The lowest point of a wall of lines and arcs, or one below it. */
static double lowest_of_wall(const ts_wall *wall, gravity g)
{
    double low = HUGE_VAL;
    for (size_t k = 0; k < wall->line_count; k++)
        for (size_t i = 0; i < ts_contour_segment_count(&wall->line[k]); i++) {
            ts_segment s = ts_contour_segment(&wall->line[k], i);
            double b = fabs(s.bulge), chord = hypot(s.x1 - s.x0, s.y1 - s.y0);
            /* at most the height over the chord, or the diameter */
            double rise = b <= 1 ? 0.5 * b * chord : 0.5 * (b + 1 / b) * chord;
            low = fmin(low, fmin(s.x0 * g.up_x + s.y0 * g.up_y, s.x1 * g.up_x + s.y1 * g.up_y) - rise);
        }
    return wall->pose.position.x * g.up_x + wall->pose.position.y * g.up_y + low;
}

/* How far a body's lowest point lies above what is below it: a half-plane or a circle, or else the lowest point of
 * the scene. */
static double height_above_floor(const ts_model *m, gravity g, size_t i, double lowest)
{
    const ts_body *b = &m->body[i];
    double height = HUGE_VAL, own = b->x * g.up_x + b->y * g.up_y - b->radius;
    for (size_t k = 0; k < m->wall_count; k++) {
        const ts_wall *wall = &m->wall[k];
        if (wall->line_count == 0)
            height = fmin(height, fall_to_wall(wall, g, b));
        else /* it may slide along a wall that ends: at worst down to its lowest point */
            lowest = fmin(lowest, lowest_of_wall(wall, g));
    }
    return isfinite(height) ? height : own - lowest;
}

/* An upright strip of the scene, as wide as the largest body. */
typedef struct strip {
    double weight;   /* of the bodies whose centre lies in it [N] */
    double area;     /* of those bodies [m²] */
    double height;   /* of the highest one's lowest point above the floor [m] */
    double top_area; /* of that body [m²] */
} strip;

typedef struct strips {
    strip *strip;
    size_t count;
    double left, width; /* [m] */
} strips;

static void fill_strips(const ts_model *m, gravity g, double lowest, double shift, strips *s)
{
    for (size_t k = 0; k < s->count; k++)
        s->strip[k] = (strip){0};
    for (size_t i = 0; i < m->body_count; i++) {
        if (!is_free(m, i))
            continue;
        const ts_body *b = &m->body[i];
        double at = (b->x * g.up_y - b->y * g.up_x - s->left) / s->width + shift;
        strip *own = &s->strip[(size_t)fmin(fmax(at, 0), (double)(s->count - 1))];
        double mass = 1 / b->inv_mass, area = mass / m->density[m->body_material[i]];
        double height = height_above_floor(m, g, i, lowest);
        own->weight += mass * g.strength;
        own->area += area;
        if (height >= own->height) {
            own->height = height;
            own->top_area = area;
        }
    }
}

/* The heaviest column and the deepest fall. A grain on top of others falls only as far as they settle under it. */
static ts_status look_down(const ts_model *m, gravity g, outlook *out, double *fall, ts_error *error)
{
    double lowest = HUGE_VAL, left = HUGE_VAL, right = -HUGE_VAL, free_count = 0;
    for (size_t i = 0; i < m->body_count; i++) {
        const ts_body *b = &m->body[i];
        lowest = fmin(lowest, b->x * g.up_x + b->y * g.up_y - b->radius);
        if (!is_free(m, i))
            continue;
        left = fmin(left, b->x * g.up_y - b->y * g.up_x);
        right = fmax(right, b->x * g.up_y - b->y * g.up_x);
        free_count++;
    }
    strips s = {.left = left, .width = 2 * out->largest};
    s.width = fmax(s.width, (right - left) / (2 * free_count)); /* no more strips than bodies can fill */
    s.count = (size_t)((right - left) / s.width) + 2;
    s.strip = ts_alloc(s.count, sizeof *s.strip);
    if (!s.strip)
        return ts_fail_memory(error, s.count * sizeof *s.strip);
    /* twice, half a strip apart, so that a tower on the border of two strips is seen whole */
    for (int half = 0; half < 2; half++) {
        fill_strips(m, g, lowest, 0.5 * half, &s);
        for (size_t k = 0; k < s.count; k++) {
            const strip *own = &s.strip[k];
            double settled = (own->area - own->top_area) / (SETTLED_FRACTION * s.width);
            out->load = fmax(out->load, own->weight);
            *fall = fmax(*fall, own->height - settled);
        }
    }
    ts_free(s.strip);
    return TS_OK;
}

static ts_status look_ahead(const ts_scene *scene, const ts_model *m, outlook *out, ts_error *error)
{
    double start = 0, fall = 0;
    *out = (outlook){0};
    for (size_t i = 0; i < m->body_count; i++) {
        const ts_body *b = &m->body[i];
        if (!is_free(m, i))
            continue;
        out->largest = fmax(out->largest, b->radius);
        start = fmax(start, hypot(b->vx, b->vy) + fabs(b->spin) * b->radius);
    }
    if (out->largest == 0)
        return TS_OK;
    gravity g = gravity_of(m);
    if (g.strength > 0) {
        TS_TRY(look_down(m, g, out, &fall, error));
        fall = fmax(fall, out->largest); /* grains drop into gaps of their own size in the densest heap */
    }
    start += ts_script_speed(m);
    out->speed = sqrt(start * start + 2 * g.strength * fall);
    if (scene->dynamics.expected_speed > 0)
        out->speed = scene->dynamics.expected_speed;
    return TS_OK;
}

/* What a tolerated overlap is a share of: a radius, but no more than leaves an outline's strokes whole. */
static double soft_size(const ts_shape *shape)
{
    return shape->outline ? fmin(shape->radius, 5 * shape->inner) : shape->inner;
}

ts_status ts_derive_stiffness(const ts_scene *scene, const ts_model *m, double *stiffness, ts_error *error)
{
    outlook look;
    TS_TRY(look_ahead(scene, m, &look, error));
    bool nothing_happens = !(look.speed > 0) && !(look.load > 0);
    double share = scene->dynamics.tolerated_overlap, k = 0;
    for (size_t i = 0; i < m->body_count; i++) {
        if (!is_free(m, i) && look.largest > 0)
            continue;
        const ts_body *b = &m->body[i];
        double overlap = share * soft_size(&m->shape[m->body_shape[i]]) * m->body_scale[i];
        /* without a speed, a load or a length of time to go by: a radius in a second */
        double speed = nothing_happens ? b->radius : look.speed;
        k = fmax(k, ts_stiffness_for(ts_model_mass(m, i), speed, look.load * (b->radius / look.largest), overlap));
    }
    *stiffness = k;
    return TS_OK;
}

void ts_combine_laws(const ts_scene *scene, ts_model *model, double stiffness)
{
    size_t n = model->material_count;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            ts_material_def ma = ts_scene_material_of(scene, a), mb = ts_scene_material_of(scene, b);
            model->law[a * n + b] = ts_law_of(&ma, &mb, NULL, stiffness, scene->dynamics.damping_may_pull);
        }
    for (size_t i = 0; i < scene->pair.count; i++) {
        const ts_scene_pair *pair = &scene->pair.item[i];
        size_t a = (size_t)pair->a, b = (size_t)pair->b;
        ts_material_def ma = ts_scene_material_of(scene, a), mb = ts_scene_material_of(scene, b);
        model->law[a * n + b] = ts_law_of(&ma, &mb, &pair->def, stiffness, scene->dynamics.damping_may_pull);
        model->law[b * n + a] = model->law[a * n + b];
    }
}

ts_status ts_derive_laws(const ts_scene *scene, ts_model *m, ts_error *error)
{
    double derived;
    TS_TRY(ts_derive_stiffness(scene, m, &derived, error));
    ts_combine_laws(scene, m, derived);
    return TS_OK;
}

/* ---- Time step ---- */

/* What a body's own discs bring in: each is a contact on two sides, with a spring and dashpot of its own at its own
 * arm,
 * against neighbours that may move the other way. A long rod on a floor has as many springs under it as discs.
 *
 *     Σ 4 (1/m + a²/I),   a = |offset| + radius */
static double own_contacts(const ts_model *m, size_t i)
{
    const ts_shape *shape = &m->shape[m->body_shape[i]];
    double sum = 0;
    for (size_t k = 0; k < shape->disc_count; k++) {
        double arm = m->body_scale[i] * (hypot(shape->disc[k].x, shape->disc[k].y) + shape->disc[k].radius);
        sum += 4 * (m->body[i].inv_mass + arm * arm * m->inv_inertia[i]);
    }
    return sum;
}

/* The limit of a body in the densest surroundings, six equal neighbours on a triangular lattice, whose stiffest
 * modes are
 * known: neighbours moving against each other, and all turning the same way. */
static double body_step_limit(const ts_model *m, size_t i, const ts_contact_law *law, double smallest)
{
    const ts_body *b = &m->body[i];
    double neighbours = TS_PI / asin(smallest / (b->radius + smallest)); /* 6 for equal discs */
    double per_mass = neighbours * b->inv_mass,
           per_inertia = 2 * neighbours * b->radius * b->radius * m->inv_inertia[i];
    double root_mass = sqrt(0.5 / b->inv_mass); /* of the effective mass of two equal bodies */
    double cn = law->cn + law->cn_mass * root_mass, ct = law->ct + law->ct_mass * root_mass;
    const ts_shape *shape = &m->shape[m->body_shape[i]];
    if (shape->disc_count == 1 && !shape->outline)
        return fmin(ts_step_limit(per_mass * (law->kn + law->kt), per_mass * (cn + ct)),
                    ts_step_limit(per_inertia * law->kt, per_inertia * ct));
    /* normal forces turn a cluster or an outline, too, so that the two modes mix: add them */
    double own = own_contacts(m, i), k = fmax(law->kn, law->kt), c = fmax(cn, ct);
    return ts_step_limit(fmax(per_mass * (law->kn + law->kt) + per_inertia * k, own * k),
                         fmax(per_mass * (cn + ct) + per_inertia * c, own * c));
}

double ts_derive_stable_step(const ts_model *m, int64_t *body)
{
    double limit = HUGE_VAL, smallest = HUGE_VAL;
    *body = -1;
    if (m->contacts_at == TS_AT_END)
        return limit; /* impulses need no time */
    for (size_t i = 0; i < m->body_count; i++)
        smallest = fmin(smallest, m->body[i].radius);
    ts_contact_law hard[TS_MATERIALS_MAX];
    for (size_t a = 0; a < m->material_count; a++)
        hard[a] = ts_hardest_law(m, a);
    for (size_t i = 0; i < m->body_count; i++) {
        double own = is_free(m, i) ? body_step_limit(m, i, &hard[m->body_material[i]], smallest) : HUGE_VAL;
        if (own < limit) {
            limit = own;
            *body = (int64_t)i;
        }
    }
    return limit;
}

/* The step that contacts ask for; infinite when nothing is free to move. */
static double contact_step(const ts_model *m)
{
    double lightest = 0; /* largest 1/m */
    for (size_t i = 0; i < m->body_count; i++)
        lightest = fmax(lightest, m->body[i].inv_mass);
    return ts_contact_step(m, lightest);
}

/* The step in which the fastest body goes a fair share of the smallest one's radius; infinite when nothing moves. */
static ts_status impact_step(const ts_scene *scene, const ts_model *m, double *step, ts_error *error)
{
    outlook look;
    TS_TRY(look_ahead(scene, m, &look, error));
    *step = look.speed > 0 ? IMPACT_SHARE * ts_derive_smallest_free(m) / look.speed : HUGE_VAL;
    return TS_OK;
}

ts_status ts_derive_time_step(const ts_scene *scene, const ts_model *m, double *time_step, ts_error *error)
{
    const ts_settings *s = &m->settings;
    double step;
    if (m->contacts_at == TS_AT_END)
        TS_TRY(impact_step(scene, m, &step, error));
    else
        step = contact_step(m);
    double springs;
    int64_t fastest;
    TS_TRY(ts_springs_stable_step(m, &springs, &fastest, error));
    step = fmin(step, TS_SPRING_STEP_SHARE * springs);
    if (isinf(step))
        step = s->duration / STEPS_WITHOUT_CONTACT;
    step = fmin(step, s->duration / STEPS_MIN);
    if (s->frame_interval > 0)
        step = fmin(step, s->frame_interval);
    /* At least STEPS_MIN steps, so that this shortens by less than 1 %. It commutes with scaling by powers of two. */
    *time_step = ts_whole_step(s->duration, step);
    return TS_OK;
}

double ts_derive_smallest_free(const ts_model *m)
{
    double smallest = HUGE_VAL;
    for (size_t i = 0; i < m->body_count; i++)
        if (is_free(m, i))
            smallest = fmin(smallest, m->shape[m->body_shape[i]].inner * m->body_scale[i]);
    return smallest;
}

/* Looking farther costs outlines little: pairs that are apart are left alone (contact/mapped.h). */
static double smallest_part(const ts_model *m, bool free_only)
{
    double smallest = HUGE_VAL;
    for (size_t i = 0; i < m->body_count; i++) {
        const ts_shape *shape = &m->shape[m->body_shape[i]];
        if (!free_only || is_free(m, i))
            smallest = fmin(smallest, (shape->outline ? 0.5 * shape->radius : shape->inner) * m->body_scale[i]);
    }
    return smallest;
}

ts_status ts_derive_skin(const ts_scene *scene, const ts_model *m, double *skin, ts_error *error)
{
    double smallest_free = smallest_part(m, true);
    if (!isfinite(smallest_free))
        smallest_free = smallest_part(m, false);
    *skin = SKIN_SHARE * smallest_free;
    if (m->contacts_at != TS_AT_END || ts_model_sweeps(m))
        return TS_OK;
    /* A list has to hold for a whole step: half of it covers half a step's way, here four times that of the fastest
     * that is expected. More
     * than its radius in a step nothing may go anyway. */
    outlook look;
    TS_TRY(look_ahead(scene, m, &look, error));
    *skin = fmax(*skin, fmin(4 * m->settings.time_step * look.speed, 1.25 * look.largest));
    return TS_OK;
}
