/* SPDX-License-Identifier: MIT */
/* The bench `impact-space`: bodies in space under Generalized Reflections, beside Bullet and ODE and beside
 * published times.
 *
 *     loose lattice in a room, falls   ─┬▶ ours: timed by phase
 *     (boxes turned at random)          ╰▶ Bullet, ODE: the same bodies, step and friction, as many steps  ─▶ overlaps of all three
 *
 *     cloud in a room, restitution 1   ─┬▶ ours
 *     no friction, no gravity           ╰▶ Bullet, ODE                                                  ─▶ what becomes of energy
 *
 *     impact_space_layer.c             a shaken layer of spheres
 *
 * Ours has one thread here, as the others have, and all are timed by the processor's time: means over all steps. Where
 * each came to lie is measured by our distances, whoever put it there. The time that ours may take is bounded; the
 * others take as many steps. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/release.h"
#include "bench.h"
#include "impact_space.h"

#define SIZE        1.0 /* a box's side, a sphere's diameter [m]: Bullet looks for pairs 5 cm around, whatever their size */
#define DENSITY     1000.0
#define GRAVITY     9.81
#define RATE        80 /* steps a second: as 1/250 s is for bodies of 10 cm */
#define SWEEPS      30
#define WALLS       6
#define EVERY       10 /* steps between looks at energy */
#define GOAL_ENERGY 1e-9

/* One scene for everyone. */
typedef struct contest {
    const char *kind;  /* "boxes", "spheres" */
    const char *doing; /* "settle", "collide" */
    size_t wide, tall; /* of the lattice */
    double pitch;      /* of the lattice [m] */
    ts_pile pile;
    ts_pile_plane plane[WALLS];
    double room[3]; /* [m] */
    uint64_t sweeps;
    double budget;       /* of ours [s] */
    double begin, share; /* of the bench's progress */
} contest;

/* What came of it. */
typedef struct outcome {
    char name[64];    /* with its version */
    double seconds;   /* a step */
    double error;     /* largest change of energy, over what there was */
    ts_measures last; /* by our distances */
    bool stopped;
    char why[128];
} outcome;

/* ---- Scenes ---- */

/* Turned at random, evenly over all attitudes. */
static ts_quat random_attitude(ts_random *random)
{
    const double w = ts_random_next_normal(random), x = ts_random_next_normal(random);
    const double y = ts_random_next_normal(random), z = ts_random_next_normal(random);
    return ts_quat_unit((ts_quat){w, x, y, z});
}

static ts_vec3 random_vec(ts_random *random, double deviation)
{
    const double x = ts_random_next_normal(random), y = ts_random_next_normal(random);
    return ts_vec3_scale((ts_vec3){x, y, ts_random_next_normal(random)}, deviation);
}

/* On the lattice, away from its places by a share of what is free; at `speed`, with spins that fit it. */
static void place_bodies(const contest *c, double speed, uint64_t seed, ts_pile_body *body)
{
    ts_random random = ts_random_make(seed, 0);
    const bool boxes = c->pile.kind == TS_PILE_BOXES;
    const double free = c->pitch - (boxes ? sqrt(3) : 1) * SIZE;
    const double volume = (boxes ? 1 : TS_PI / 6) * SIZE * SIZE * SIZE;
    for (size_t i = 0; i < c->pile.body_count; i++) {
        const size_t at[3] = {i % c->wide, i / c->wide % c->wide, i / (c->wide * c->wide)};
        double place[3];
        for (int d = 0; d < 3; d++)
            place[d] = ((double)at[d] + 0.5) * c->pitch + free * ts_random_next_range(&random, -0.45, 0.45);
        const ts_vec3 linear = random_vec(&random, speed), angular = random_vec(&random, 2 * speed / SIZE);
        body[i] = (ts_pile_body){
            .half = {SIZE / 2, SIZE / 2, SIZE / 2},
            .mass = DENSITY * volume,
            .pose = {{place[0], place[1], place[2]}, boxes ? random_attitude(&random) : ts_quat_identity()},
            .rate = {linear, boxes ? angular : (ts_vec3){0, 0, 0}},
        };
    }
}

/* Six planes; where bodies fall the others have no ceiling, which nobody touches and which costs Bullet a pair a
 * body. */
static void place_walls(contest *c)
{
    for (int i = 0; i < WALLS; i++) {
        double normal[3] = {0, 0, 0};
        normal[i % 3] = i < 3 ? 1 : -1;
        c->plane[i] = (ts_pile_plane){{normal[0], normal[1], normal[2]}, i < 3 ? 0 : -c->room[i % 3]};
    }
    c->pile.plane = c->plane;
    c->pile.plane_count = c->pile.gravity.z < 0 ? WALLS - 1 : WALLS;
}

static ts_status set_rules(ts_scene *scene, const contest *c, ts_error *error)
{
    ts_space_def space = ts_default_space();
    space.gravity[2] = c->pile.gravity.z;
    TS_TRY(ts_scene_set_space(scene, &space, error));
    ts_settings settings = ts_default_settings();
    settings.time_step = c->pile.time_step;
    TS_TRY(ts_scene_set(scene, &settings, error));
    ts_dynamics_def dynamics = ts_default_dynamics();
    dynamics.kind = "impact";
    dynamics.sweeps = c->sweeps;
    TS_TRY(ts_scene_set_dynamics(scene, &dynamics, error));
    ts_material_def material = ts_default_material();
    material.density = DENSITY;
    material.friction = c->pile.friction;
    material.restitution = c->pile.restitution;
    return ts_scene_set_default_material(scene, &material, error);
}

static ts_status fill_scene(ts_scene *scene, const contest *c, ts_error *error)
{
    TS_TRY(set_rules(scene, c, error));
    ts_wall_def room = ts_default_wall();
    room.kind = TS_WALL_ROOM;
    for (int d = 0; d < 3; d++)
        room.size[d] = c->room[d];
    TS_TRY(ts_scene_add_wall(scene, &room, NULL, error));
    const ts_piece_def piece = {.kind = c->pile.kind == TS_PILE_BOXES ? TS_PIECE_BOX : TS_PIECE_SPHERE,
                                .radius = SIZE / 2,
                                .size = {SIZE, SIZE, SIZE}};
    ts_shape_def solid = ts_default_shape();
    solid.piece = &piece;
    solid.piece_count = 1;
    TS_TRY(ts_scene_add_shape(scene, &solid, NULL, error));
    for (size_t i = 0; i < c->pile.body_count; i++) {
        const ts_pile_body *b = &c->pile.body[i];
        const ts_vec3 vector[3] = {b->pose.position, b->rate.linear, b->rate.angular};
        const ts_quat q = b->pose.quat;
        ts_body_def body = ts_default_body();
        double *const to[3] = {body.position, body.velocity, body.spin};
        for (int k = 0; k < 3; k++) {
            to[k][0] = vector[k].x;
            to[k][1] = vector[k].y;
            to[k][2] = vector[k].z;
        }
        body.attitude[0] = q.w;
        body.attitude[1] = q.x;
        body.attitude[2] = q.y;
        body.attitude[3] = q.z;
        TS_TRY(ts_scene_add_body(scene, &body, NULL, error));
    }
    return TS_OK;
}

/* ---- Running ---- */

static double energy_of(const ts_measures *m)
{
    return m->kinetic + m->rotational + m->gravitational;
}

/* Ours. Energies are looked at where nothing may be lost. */
static ts_status run_ours(ts_bench *bench, contest *c, ts_timed_run *run, outcome *o, ts_timed_figures *f,
                          ts_error *error)
{
    char what[96];
    const bool look = c->pile.restitution == 1;
    snprintf(what, sizeof what, "%zu %s", c->pile.body_count, c->kind);
    ts_timed_walk walk = {.what = what, .steps = (uint64_t)c->pile.steps, .budget = c->budget, .by_processor = true};
    if (!look) {
        TS_TRY(ts_timed_run_walk(bench, run, &walk, f, error));
    } else {
        TS_TRY(ts_measure(run->model, run->state, run->work, &o->last, error));
        const double begin = energy_of(&o->last);
        ts_timed_figures sum = {0};
        walk.steps = EVERY;
        while (sum.steps < (uint64_t)c->pile.steps && !sum.stopped) {
            TS_TRY(ts_timed_run_walk(bench, run, &walk, f, error));
            TS_TRY(ts_measure(run->model, run->state, run->work, &o->last, error));
            o->error = fmax(o->error, fabs(energy_of(&o->last) / begin - 1));
            ts_timed_figures_add(&sum, f);
        }
        *f = sum;
    }
    snprintf(o->name, sizeof o->name, "ours");
    o->seconds = f->seconds;
    o->stopped = f->stopped;
    c->pile.steps = (int)f->steps;
    return ts_measure(run->model, run->state, run->work, &o->last, error);
}

/* Another program's bodies, by our distances. The state is changed. */
static ts_status look_at(ts_timed_run *run, const ts_pile_result *result, ts_measures *last, ts_error *error)
{
    const size_t count = ts_model_body_count(run->model);
    for (size_t i = 0; i < count; i++) {
        const ts_pose3 *p = &result->pose[i];
        const ts_twist3 *r = &result->rate[i];
        const double position[3] = {p->position.x, p->position.y, p->position.z},
                     attitude[4] = {p->quat.w, p->quat.x, p->quat.y, p->quat.z},
                     velocity[3] = {r->linear.x, r->linear.y, r->linear.z},
                     spin[3] = {r->angular.x, r->angular.y, r->angular.z};
        TS_TRY(ts_state_set_pose(run->state, i, TS_POSE3(position, attitude), error));
        TS_TRY(ts_state_set_velocity(run->state, i, TS_VELOCITY3(velocity, spin), error));
    }
    return ts_measure(run->model, run->state, run->work, last, error);
}

/* A peer that breaks down is an outcome, too. */
static ts_status run_peer(ts_bench *bench, const contest *c, ts_pile_peer peer, ts_timed_run *run, outcome *o,
                          ts_error *error)
{
    const char *folder;
    char work[4200];
    ts_pile_result result;
    TS_TRY(ts_bench_out_dir(bench, &folder, error));
    snprintf(work, sizeof work, "%.4000s/impact-space-%s-%zu-%s", folder, c->kind, c->pile.body_count, c->doing);
    snprintf(o->name, sizeof o->name, "%s", ts_pile_peer_name(peer));
    ts_bench_report(bench, c->begin + c->share * (1 + 2 * (int)peer) / 4, o->name);
    if (ts_pile_peer_run(peer, &c->pile, work, &result, NULL) != TS_OK) {
        o->stopped = true;
        snprintf(o->why, sizeof o->why, "; %s broke down", o->name);
        return TS_OK;
    }
    snprintf(o->name, sizeof o->name, "%s", result.version);
    o->seconds = result.total / c->pile.steps;
    const double begin = result.row[0].kinetic + result.row[0].potential;
    for (size_t k = 0; k < result.row_count; k++)
        o->error = fmax(o->error, fabs((result.row[k].kinetic + result.row[k].potential) / begin - 1));
    ts_status status = look_at(run, &result, &o->last, error);
    ts_pile_result_free(&result);
    return status;
}

/* ---- Rows ---- */

/* A row beside one other, or beside nobody. */
static ts_bench_row row_of(const contest *c, const char *what, const char *unit, double ours, char name[128])
{
    snprintf(name, 128, "%zu %s %s, gr: %s", c->pile.body_count, c->kind, c->doing, what);
    ts_bench_row row = ts_bench_row_empty();
    row.name = name;
    row.unit = unit;
    row.ours = ours;
    return row;
}

static void set_beside(ts_bench_row *row, const outcome *o, double value)
{
    if (o->stopped || !(o->seconds > 0))
        return;
    row->peer = o->name;
    row->peer_value = value;
    if (value > 0)
        row->ratio = row->ours / value;
}

/* Speed, and how well the law is kept. */
static ts_status add_beside(ts_bench *bench, const contest *c, const outcome *ours, const outcome *o, ts_error *error)
{
    char name[128], note[320];
    const bool elastic = c->pile.restitution == 1, alone = !(o->seconds > 0);
    ts_bench_row row = row_of(c, "a step", "s", ours->seconds, name);
    set_beside(&row, o, o->seconds);
    int end = snprintf(note, sizeof note, "1 thread, 1/%d s, %d steps%s; fastest %.2g", RATE, c->pile.steps, o->why,
                       ours->last.max_speed);
    if (!alone)
        end += snprintf(note + end, sizeof note - (size_t)end, " and %.2g", o->last.max_speed);
    snprintf(note + end, sizeof note - (size_t)end, " m/s");
    row.note = note;
    TS_TRY(ts_bench_add(bench, &row, error));
    if (elastic) {
        row = row_of(c, "energy error", "1", ours->error, name);
        set_beside(&row, o, o->error);
        row.judged = ours->error;
        row.goal = GOAL_ENERGY;
        row.goal_is_most = true;
        snprintf(note, sizeof note, "largest of %d steps", c->pile.steps);
    } else {
        row = row_of(c, "mean overlap over size", "1", ours->last.mean_overlap / SIZE, name);
        set_beside(&row, o, o->last.mean_overlap / SIZE);
        end = snprintf(note, sizeof note, "deepest %.2g%% of %llu contacts", 100 * ours->last.max_overlap / SIZE,
                       (unsigned long long)ours->last.contact_count);
        if (!alone)
            snprintf(note + end, sizeof note - (size_t)end, ", and %.2g%% of %llu", 100 * o->last.max_overlap / SIZE,
                     (unsigned long long)o->last.contact_count);
    }
    row.note = note;
    return ts_bench_add(bench, &row, error);
}

/* Where the time of ours goes, and on what. */
static ts_status add_ours(ts_bench *bench, const contest *c, const ts_timed_figures *f, ts_error *error)
{
    char name[128], note[400];
    char phases[160];
    ts_bench_row row = row_of(c, "resolving, of a step", "s", f->phase[TS_PHASE_RESOLVE], name);
    snprintf(note, sizeof note, "%s; longest step %.3g s", ts_timed_phases(f, phases), f->longest);
    row.note = note;
    TS_TRY(ts_bench_add(bench, &row, error));
    row = row_of(c, "constraints of a step", "1", f->contacts, name);
    snprintf(note, sizeof note, "most %.0f; passes %.3g, most %.0f; sweeps %.3g%s%s", f->contacts_most, f->passes,
             f->passes_most, f->sweeps, f->stopped ? "; stopped: " : "", f->why);
    row.note = note;
    return ts_bench_add(bench, &row, error);
}

/* ---- All of it ---- */

static ts_status hold(ts_bench *bench, contest *c, ts_timed_run *run, ts_error *error)
{
    outcome ours = {0};
    ts_timed_figures figures = {0};
    bool alone = true;
    TS_TRY(run_ours(bench, c, run, &ours, &figures, error));
    TS_TRY(add_ours(bench, c, &figures, error));
    for (int peer = 0; peer < TS_PILE_PEER_COUNT && c->pile.steps > 0; peer++) {
        outcome theirs = {0};
        if (!ts_pile_peer_installed((ts_pile_peer)peer))
            continue;
        alone = false;
        TS_TRY(run_peer(bench, c, (ts_pile_peer)peer, run, &theirs, error));
        TS_TRY(add_beside(bench, c, &ours, &theirs, error));
    }
    return alone ? add_beside(bench, c, &ours, &(outcome){0}, error) : TS_OK;
}

static ts_status run_contest(ts_bench *bench, contest *c, double speed, ts_error *error)
{
    ts_bench_report(bench, c->begin, c->doing);
    c->pile.time_step = 1.0 / RATE;
    c->pile.every = EVERY;
    c->kind = c->pile.kind == TS_PILE_BOXES ? "boxes" : "spheres";
    c->room[0] = c->room[1] = (double)c->wide * c->pitch;
    c->room[2] = (double)c->tall * c->pitch;
    place_walls(c);
    TS_AUTO_FREE ts_pile_body *body = NULL;
    TS_TRY(ts_new(&body, c->pile.body_count, error));
    place_bodies(c, speed, ts_bench_seed(bench), body);
    c->pile.body = body;
    TS_AUTO(ts_scene_free_at) ts_scene *scene = NULL;
    TS_AUTO(ts_timed_run_close) ts_timed_run run = {0};
    TS_TRY(ts_scene_create(&scene, error));
    TS_TRY(fill_scene(scene, c, error));
    TS_TRY(ts_timed_run_open(scene, 1, &run, error));
    return hold(bench, c, &run, error);
}

/* A lattice that falls a little, and comes to lie. */
static ts_status settle(ts_bench *bench, ts_pile_kind kind, ts_error *error)
{
    const bool quick = ts_bench_quick(bench), boxes = kind == TS_PILE_BOXES;
    const size_t count = boxes ? (quick ? 100 : 1000) : (quick ? 1000 : 60000);
    const double budget = quick ? 5 : ts_bench_full(bench) ? 600 : 60;
    const int steps = boxes ? 3 * RATE : ts_bench_full(bench) ? 2 * RATE : 5 * RATE / 4;
    const size_t wide = count == 100 ? 5 : count == 60000 ? 55 : 10;
    contest c = {
        .doing = "settle",
        .wide = wide,
        .tall = (count + wide * wide - 1) / (wide * wide),
        .pitch = (boxes ? 1.75 : 1.05) * SIZE,
        .sweeps = SWEEPS,
        .budget = budget,
        .begin = boxes ? 0.05 : 0.1,
        .share = boxes ? 0.05 : 0.7,
        .pile = {.kind = kind, .gravity = {0, 0, -GRAVITY}, .friction = 0.5, .steps = steps, .body_count = count}};
    return run_contest(bench, &c, 0.1, error);
}

/* A gas that nothing is taken from, and nothing given. */
static ts_status collide(ts_bench *bench, ts_pile_kind kind, ts_error *error)
{
    const bool quick = ts_bench_quick(bench);
    contest c = {.doing = "collide",
                 .wide = 6,
                 .tall = 6,
                 .pitch = 1.8 * SIZE,
                 .budget = 60,
                 .begin = kind == TS_PILE_BOXES ? 0 : 0.025,
                 .share = 0.025,
                 .pile = {.kind = kind, .restitution = 1, .steps = quick ? 200 : 1000, .body_count = 200}};
    return run_contest(bench, &c, 3, error);
}

ts_status ts_bench_impact_space(ts_bench *bench, ts_error *error)
{
    static const ts_pile_kind kind[] = {TS_PILE_BOXES, TS_PILE_SPHERES};
    for (int k = 0; k < 2; k++)
        TS_TRY(collide(bench, kind[k], error));
    for (int k = 0; k < 2; k++)
        TS_TRY(settle(bench, kind[k], error));
    ts_bench_report(bench, 0.8, "layer");
    return ts_impact_space_layer(bench, error);
}
