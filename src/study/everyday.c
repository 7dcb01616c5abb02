/* SPDX-License-Identifier: MIT */
/* The study `everyday`: ordinary scenes with known outcomes (scenes/everyday), under every dynamics that takes them,
 * with nothing set but friction and restitution.
 *
 * A *trial* is a scene, what is measured of it, and what should come out; *floors* and *bodies* are other kinds of wall
 * and shape that stand in for the scene's own (everyday_scene.h); a *job* is one run. Whatever the size, gravity and
 * place of a run, it is measured in the units and the frame of its file, where up is y in the plane and z in space. */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/release.h"
#include "base/threads.h"
#include "study/everyday_scene.h"
#include "study/studies.h"
#include "touchstone/sim.h"

#define G 9.81

/* ---- Running ---- */

typedef struct run {
    ts_scene *scene;
    ts_model *model;
    ts_state *state;
    ts_workspace *work;
    double length, time; /* of the scene, over those of its file */
    ts_quat turn;        /* likewise */
    ts_vec3 shift;
    size_t count;    /* bodies of the file */
    ts_pose3 *begin; /* where its bodies are in the file */
    ts_pose3 *late;  /* where they are one second before the end */
    double highest;  /* of body 0 after it was lowest for the first time [m] */
    double restitution;
    bool space;
} run;

static void close_run(run *r)
{
    ts_workspace_free(r->work);
    ts_state_free(r->state);
    ts_model_free(r->model);
    ts_scene_free(r->scene);
    ts_free(r->begin);
    ts_free(r->late);
}

static double up(const run *r, ts_vec3 v)
{
    return r->space ? v.z : v.y;
}

/* In the units and the frame of the file. In the plane an attitude is a turn about z. */
static ts_status pose_of(const run *r, size_t body, ts_pose3 *pose, ts_error *error)
{
    double q[7] = {0};
    TS_TRY(ts_state_pose(r->state, body, q, error));
    const ts_vec3 at = {q[0], q[1], r->space ? q[2] : 0};
    const ts_quat attitude =
        r->space ? (ts_quat){q[3], q[4], q[5], q[6]} : ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, q[2]);
    pose->position = ts_vec3_scale(ts_quat_apply_inverse(r->turn, ts_vec3_sub(at, r->shift)), 1 / r->length);
    pose->quat = ts_quat_mul(ts_quat_conjugate(r->turn), attitude);
    return TS_OK;
}

static ts_status poses(const run *r, ts_pose3 *pose, ts_error *error)
{
    for (size_t i = 0; i < r->count; i++)
        TS_TRY(pose_of(r, i, &pose[i], error));
    return TS_OK;
}

/* Reads a changed scene, up to its state. */
static ts_status read_scene(run *r, const char *scene, const ts_everyday_change *change, const char *dynamics,
                            ts_error *error)
{
    char kind[64], restitution[64];
    snprintf(kind, sizeof kind, "dynamics.kind=\"%s\"", dynamics);
    snprintf(restitution, sizeof restitution, "dynamics.restitution=%.17g", r->restitution);
    const ts_load_options options = {.override = (const char *const[]){kind, restitution},
                                     .override_count = isnan(r->restitution) ? 1 : 2};
    TS_AUTO_FREE char *text = NULL;
    size_t length;
    TS_TRY(ts_everyday_write(scene, change, &text, &length, &r->turn, error));
    TS_TRY(ts_scene_parse(text, length, scene, &options, &r->scene, error));
    TS_TRY(ts_model_compile(r->scene, &r->model, error));
    return ts_state_create(r->model, &r->state, error);
}

static ts_status open_run(run *r, const char *scene, const ts_everyday_change *change, const char *dynamics,
                          ts_error *error)
{
    /* Bodies of the file: without tilts, and without a body for a floor. */
    TS_AUTO(close_run) run plain = {.space = change->space, .length = 1, .time = 1, .restitution = (double)NAN};
    TS_TRY(read_scene(&plain, scene, &(ts_everyday_change){.space = change->space}, dynamics, error));
    plain.count = r->count = ts_model_body_count(plain.model);
    TS_TRY(ts_new(&r->begin, r->count, error));
    TS_TRY(ts_new(&r->late, r->count, error));
    TS_TRY(poses(&plain, r->begin, error));
    memcpy(r->late, r->begin, r->count * sizeof *r->late);

    r->space = change->space;
    r->length = change->size;
    r->time = sqrt(change->size / change->pull);
    r->shift = change->shift;
    TS_TRY(read_scene(r, scene, change, dynamics, error));
    TS_TRY(ts_model_prepare(r->model, NULL, error));
    return ts_workspace_create(r->model, 1, &r->work, error);
}

static ts_status finish_run(run *r, ts_error *error)
{
    const double step = ts_model_time_step(r->model), duration = ts_model_duration(r->model);
    const uint64_t last = (uint64_t)ceil(duration / step - 1e-9);
    const uint64_t late = (uint64_t)fmax(0, ceil((duration - r->time) / step));
    double low = HUGE_VAL;
    bool rises = false;
    r->highest = -HUGE_VAL;
    for (uint64_t i = 0; i < last; i++) {
        ts_pose3 first;
        TS_TRY(ts_step(r->model, r->state, r->work, 1, error));
        TS_TRY(pose_of(r, 0, &first, error));
        const double height = up(r, first.position);
        rises |= height > low;
        low = fmin(low, height);
        r->highest = rises ? fmax(r->highest, height) : height;
        if (i + 1 == late)
            TS_TRY(poses(r, r->late, error));
    }
    return TS_OK;
}

/* ---- What is measured ---- */

typedef ts_status measure(const run *r, double *value, ts_error *error);

/* How far a body has gone since the beginning. */
static ts_status gone(const run *r, size_t body, ts_vec3 *way, ts_error *error)
{
    ts_pose3 pose;
    TS_TRY(pose_of(r, body, &pose, error));
    *way = ts_vec3_sub(pose.position, r->begin[body].position);
    return TS_OK;
}

/* How far body 0 has gone, and how far the last one has. */
static ts_status way(const run *r, double *value, ts_error *error)
{
    ts_vec3 to;
    TS_TRY(gone(r, 0, &to, error));
    *value = ts_vec3_length(to);
    return TS_OK;
}
static ts_status last_way(const run *r, double *value, ts_error *error)
{
    ts_vec3 to;
    TS_TRY(gone(r, r->count - 1, &to, error));
    *value = ts_vec3_length(to);
    return TS_OK;
}

/* The farthest, along x, that any body but the first has gone. */
static ts_status strayed(const run *r, double *value, ts_error *error)
{
    *value = 0;
    for (size_t i = 1; i < r->count; i++) {
        ts_vec3 to;
        TS_TRY(gone(r, i, &to, error));
        *value = fmax(*value, fabs(to.x));
    }
    return TS_OK;
}

/* How far body 0 is below where it began; how far the last one is. */
static ts_status depth(const run *r, double *value, ts_error *error)
{
    ts_vec3 to;
    TS_TRY(gone(r, 0, &to, error));
    *value = -up(r, to);
    return TS_OK;
}
static ts_status sinking(const run *r, double *value, ts_error *error)
{
    ts_vec3 to;
    TS_TRY(gone(r, r->count - 1, &to, error));
    *value = -up(r, to);
    return TS_OK;
}

/* The highest that body 0 gets after its first fall of 1 m. */
static ts_status apex(const run *r, double *value, ts_error *error)
{
    (void)error;
    *value = r->highest - up(r, r->begin[0].position) + 1;
    return TS_OK;
}

/* The farthest that any body has moved in the last second. */
static ts_status creep(const run *r, double *value, ts_error *error)
{
    *value = 0;
    for (size_t i = 0; i < r->count; i++) {
        ts_pose3 pose;
        TS_TRY(pose_of(r, i, &pose, error));
        *value = fmax(*value, ts_vec3_distance(pose.position, r->late[i].position));
    }
    return TS_OK;
}

/* How far the last body has turned, up to π. */
static ts_status turn(const run *r, double *value, ts_error *error)
{
    ts_pose3 pose;
    TS_TRY(pose_of(r, r->count - 1, &pose, error));
    *value = ts_vec3_length(ts_quat_log(ts_quat_mul(pose.quat, ts_quat_conjugate(r->begin[r->count - 1].quat))));
    return TS_OK;
}

/* The speed of a body along x. */
static ts_status speed_of(const run *r, size_t body, double *value, ts_error *error)
{
    double v[6] = {0};
    TS_TRY(ts_state_velocity(r->state, body, v, error));
    *value = ts_quat_apply_inverse(r->turn, (ts_vec3){v[0], v[1], r->space ? v[2] : 0}).x * r->time / r->length;
    return TS_OK;
}
static ts_status speed(const run *r, double *value, ts_error *error)
{
    return speed_of(r, 0, value, error);
}
static ts_status last_speed(const run *r, double *value, ts_error *error)
{
    return speed_of(r, r->count - 1, value, error);
}

/* What wall 0 carries, of the weight of all bodies. */
static ts_status carried(const run *r, double *value, ts_error *error)
{
    double force[3], weight = 0;
    for (size_t i = 0; i < r->count; i++)
        weight += G * r->length / (r->time * r->time) * ts_model_mass(r->model, i);
    TS_TRY(ts_wall_force(r->work, 0, force, NULL, error));
    *value = hypot(hypot(force[0], force[1]), force[2]) / weight;
    return TS_OK;
}

/* ---- Trials ---- */

typedef enum how { NEAR, AT_MOST, AT_LEAST } how;
/* Dynamics that take a scene, and the worlds that it is in. */
enum { PENALTY = 1, IMPACT = 2, SOFT = 4, ALL = 7 };
enum { PLANE = 1, SPACE = 2, BOTH = 3 };
enum { DYNAMICS = 3 };
static const char *const dynamics_name[DYNAMICS] = {"penalty", "impact", "soft-step"};

/* What the penalty law runs: everything; other floors and bodies with --full only; nothing but with --full, and there in
 * no other places; never, since it would take from a quarter of an hour to days. */
typedef enum cost { CHEAP, FAIR, DEAR, NEVER } cost;

typedef struct trial {
    const char *scene, *what, *unit;
    measure *of;
    how how;
    double plane, space;     /* what is expected in them */
    double tolerance;        /* of NEAR, relative */
    unsigned in, by;         /* worlds, and dynamics that claim to take it */
    cost in_plane, in_space; /* of the penalty law, whose steps are short */
    double tilt;             /* how far bodies may be tilted at the beginning [rad] */
    const char *vary;        /* the shape in whose stead others come, and other floors as well; NULL: neither */
} trial;

#define SIN20 0.34202014332566871
#define SLIDE (0.5 * G * (0.5 - 0.3 * 0.8660254037844386) * 2.25)
/* Books of 30 cm and 4 cm, the third of five of them struck out at 5 m/s, μ = 0.3. The friction of five books' weight
 * slows it down, so it leaves within 66.3 ms. The friction of those above drags them as long at most; they go on during
 * their fall of 90.3 ms, and until friction has stopped them. */
#define DRAG  (0.3 * G)
#define STRAY (DRAG * 0.0663 * (0.0663 + 0.0903))

/* Soft-step and penalty leave out the cradle: its outcome is that of impacts one after the other, and no closed form is
 * known for contacts that last (docs/soft-step.md). */
static const trial trials[] = {
    {"bounce", "a ball, e = 0.6: apex", "m", apex, NEAR, 0.36, 0.36, 0.02, BOTH, ALL, CHEAP, CHEAP, 0, "ball"},
    {"thud", "a ball, e = 0: rises by", "m", apex, AT_MOST, 1e-3, 1e-3, 0, BOTH, ALL, CHEAP, CHEAP, 0, NULL},
    {"tilted", "a box that fell on an edge: motion in a second", "m", creep, AT_MOST, 1e-5, 1e-5, 0, BOTH, ALL, CHEAP,
     FAIR, 0.1, "box"},
    {"creep", "a box on 20°, μ = 0.5: slides in 5 s", "m", way, AT_MOST, 1e-3, 1e-3, 0, BOTH, ALL, FAIR, DEAR, 0,
     "box"},
    {"slide", "a box on 30°, μ = 0.3: way in 1.5 s", "m", way, NEAR, SLIDE, SLIDE, 0.01, BOTH, ALL, CHEAP, FAIR, 0,
     "box"},
    {"roll", "a ball on 20°: way in 1.5 s", "m", way, NEAR, G *SIN20 / 3 * 2.25, 2.5 * G *SIN20 / 7 * 2.25, 0.01, BOTH,
     ALL, CHEAP, CHEAP, 0, NULL},
    {"shove", "a box at 2 m/s, μ = 0.4: stops after", "m", way, NEAR, 4 / (0.8 * G), 4 / (0.8 * G), 0.01, BOTH, ALL,
     CHEAP, FAIR, 0, "box"},
    {"spin", "a ball that spun at 30 rad/s rolls at", "m/s", speed, NEAR, 1, 6.0 / 7, 0.01, BOTH, ALL, CHEAP, CHEAP, 0,
     NULL},
    {"stack-3", "3 boxes on each other: the top sinks by", "m", sinking, AT_MOST, 1e-3, 1e-3, 0, BOTH, ALL, FAIR, DEAR,
     0.005, "box"},
    {"stack-10", "10 boxes on each other: the top sinks by", "m", sinking, AT_MOST, 0.01, 0.01, 0, BOTH, ALL, DEAR,
     DEAR, 0.005, NULL},
    {"stack-10", "10 boxes on each other: motion in a second", "m", creep, AT_MOST, 1e-4, 1e-4, 0, BOTH, ALL, DEAR,
     DEAR, 0.005, NULL},
    {"stack-20", "20 boxes on each other: the top sinks by", "m", sinking, AT_MOST, 0.02, 0, 0, PLANE, ALL, DEAR, DEAR,
     0, NULL},
    {"pyramid", "a pyramid of boxes: the top sinks by", "m", sinking, AT_MOST, 0.01, 0.01, 0, BOTH, ALL, DEAR, DEAR,
     0.005, NULL},
    {"pyramid", "a pyramid of boxes: motion in a second", "m", creep, AT_MOST, 1e-4, 1e-4, 0, BOTH, ALL, DEAR, DEAR,
     0.005, NULL},
    {"arch", "an arch of 15 stones: the keystone sinks by", "m", sinking, AT_MOST, 0.01, 0.01, 0, BOTH, ALL, DEAR,
     NEVER, 0, NULL},
    {"arch", "an arch of 15 stones: motion in the tenth second", "m", creep, AT_MOST, 1e-4, 1e-4, 0, BOTH, ALL, DEAR,
     NEVER, 0, NULL},
    {"cards", "a house of cards: the last sinks by", "m", sinking, AT_MOST, 1e-3, 1e-3, 0, BOTH, ALL, DEAR, NEVER, 0,
     NULL},
    {"cards", "a house of cards: motion in a second", "m", creep, AT_MOST, 1e-4, 1e-4, 0, BOTH, ALL, DEAR, NEVER, 0,
     NULL},
    {"heavy", "a box on one of 1/100 of its mass: it sinks by", "m", sinking, AT_MOST, 0.01, 0.01, 0, BOTH, ALL, DEAR,
     DEAR, 0.005, NULL},
    {"large", "a slab on cubes of 1/100 of its size: it sinks by", "m", sinking, AT_MOST, 0.005, 0.005, 0, BOTH, ALL,
     DEAR, NEVER, 0, NULL},
    {"dominoes", "ten dominoes: the last has turned by", "rad", turn, AT_LEAST, 0.8, 0.8, 0, BOTH, ALL, DEAR, DEAR, 0,
     NULL},
    {"stands", "a box three times as high as wide, on 17°: motion in a second", "m", creep, AT_MOST, 1e-4, 1e-4, 0,
     BOTH, ALL, CHEAP, DEAR, 0, NULL},
    {"tips", "the same on 20°: way in 3 s", "m", way, AT_LEAST, 0.05, 0.05, 0, BOTH, ALL, CHEAP, DEAR, 0, NULL},
    {"see-saw", "a see-saw whose moments balance: turns by", "rad", turn, AT_MOST, 1e-3, 1e-3, 0, BOTH, ALL, DEAR,
     NEVER, 0, NULL},
    {"see-saw-tips", "a see-saw whose moments do not: turns by", "rad", turn, AT_LEAST, 0.2, 0.2, 0, BOTH, ALL, DEAR,
     NEVER, 0, NULL},
    {"push-centre", "a box pushed at its centre at 0.2 m/s slides in 2 s", "m", last_way, NEAR, 0.4, 0.4, 0.01, BOTH,
     ALL, FAIR, DEAR, 0, NULL},
    {"push-centre", "a box pushed at its centre turns by", "rad", turn, AT_MOST, 0.01, 0.01, 0, BOTH, ALL, FAIR, DEAR,
     0, NULL},
    {"push-top", "a box pushed at its top turns by", "rad", turn, AT_LEAST, 1.5, 1.5, 0, BOTH, ALL, FAIR, DEAR, 0,
     NULL},
    {"book", "a book struck from a pile: the others move by", "m", strayed, AT_MOST, STRAY, STRAY, 0, BOTH, ALL, DEAR,
     DEAR, 0, NULL},
    {"head-on", "balls at 2 and -1 m/s, e = 0.5: the lighter goes at", "m/s", speed, NEAR, -1.6, -2, 0.01, BOTH, ALL,
     CHEAP, CHEAP, 0, NULL},
    {"cradle", "the last of five balls that touch goes at", "m/s", last_speed, NEAR, 1, 1, 0.01, BOTH, IMPACT, CHEAP,
     CHEAP, 0, NULL},
    {"wedge", "a ball in a groove of 90°: one side carries of its weight", "1", carried, NEAR, 0.70710678118654757,
     0.70710678118654757, 0.01, BOTH, ALL, CHEAP, CHEAP, 0, NULL},
    {"funnel", "a ball comes through a funnel: it is deep by", "m", depth, AT_LEAST, 1.5, 1.5, 0, BOTH, ALL, CHEAP,
     CHEAP, 0, NULL},
};
enum { TRIALS = sizeof trials / sizeof *trials };

#define OUTLINE "{\"kind\": \"box\", \"width\": 10, \"height\": 1}"
#define BLOCK   "{\"kind\": \"box\", \"size\": [10, 10, 1]}"
#define MESH    "{\"kind\": \"mesh\", \"made\": {\"kind\": \"box\", \"size\": [10, 10, 1], \"detail\": 1}}"
#define SOLID   "{\"kind\": \"solid\", \"shape\": \"floor\", \"position\": [0, 0, -0.5]}"

static const ts_everyday_kind floors[] = {
    {"a polyline", false, false, "{\"kind\": \"polyline\", \"points\": [[-5, 0], [5, 0]]}", NULL},
    {"a polyline of many lines", false, false,
     "{\"kind\": \"polyline\", \"points\": [[-5, 0], [-4.1, 0], [-3.7, 0], [-2.9, 0], [-2.43, 0], [-1.9, 0], [-1.61, "
     "0],"
     " [-1.3, 0], [-0.96, 0], [-0.71, 0], [-0.43, 0], [-0.31, 0], [-0.17, 0], [-0.06, 0], [0.03, 0], [0.19, 0],"
     " [0.37, 0], [0.62, 0], [0.83, 0], [1.2, 0], [1.57, 0], [2.2, 0], [2.9, 0], [3.7, 0], [4.2, 0], [5, 0]]}",
     NULL},
    {"an outline", false, false, "{\"kind\": \"outline\", \"shape\": \"floor\", \"position\": [0, -0.5]}", OUTLINE},
    {"a fixed body", false, false, NULL, OUTLINE},
    {"a solid box", true, false, SOLID, BLOCK},
    {"a mesh", true, false, SOLID, MESH},
    {"a fixed box", true, false, NULL, BLOCK},
    {"a fixed mesh", true, false, NULL, MESH},
    {"a room", true, true, "{\"kind\": \"room\", \"low\": [-5, -5, 0], \"high\": [5, 5, 5]}", NULL},
};
enum { FLOORS = sizeof floors / sizeof *floors };

/* Bodies of 20 cm, with a lowest face or point 10 cm below the centre. */
#define CUBE                                                                                                      \
    "\"points\": [[-0.1, -0.1, -0.1], [0.1, -0.1, -0.1], [0.1, 0.1, -0.1], [-0.1, 0.1, -0.1], [-0.1, -0.1, 0.1]," \
    " [0.1, -0.1, 0.1], [0.1, 0.1, 0.1], [-0.1, 0.1, 0.1]]"

static const ts_everyday_kind boxes[] = {
    {"a polygon", false, false, NULL,
     "{\"kind\": \"polygon\", \"points\": [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]}"},
    {"an H", false, false, NULL,
     "{\"kind\": \"polygon\", \"points\": [[-0.1, -0.1], [-0.04, -0.1], [-0.04, -0.03], [0.04, -0.03], [0.04, -0.1],"
     " [0.1, -0.1], [0.1, 0.1], [0.04, 0.1], [0.04, 0.03], [-0.04, 0.03], [-0.04, 0.1], [-0.1, 0.1]]}"},
    {"a rounded box", false, false, NULL, "{\"kind\": \"box\", \"width\": 0.2, \"height\": 0.2, \"corner\": 0.02}"},
    {"a cluster", false, false, NULL,
     "{\"kind\": \"cluster\", \"discs\": [{\"at\": [-0.05, -0.05], \"radius\": 0.05}, {\"at\": [0.05, -0.05],"
     " \"radius\": 0.05}, {\"at\": [-0.05, 0.05], \"radius\": 0.05}, {\"at\": [0.05, 0.05], \"radius\": 0.05}]}"},
    {"a hull", true, false, NULL, "{\"kind\": \"hull\", " CUBE "}"},
    {"a mesh", true, false, NULL, "{\"kind\": \"mesh\", \"made\": {\"kind\": \"box\", \"size\": [0.2, 0.2, 0.2]}}"},
    {"a compound H", true, false, NULL,
     "{\"kind\": \"compound\", \"pieces\": [{\"kind\": \"box\", \"size\": [0.06, 0.2, 0.2], \"position\": [-0.07, 0, "
     "0]},"
     " {\"kind\": \"box\", \"size\": [0.06, 0.2, 0.2], \"position\": [0.07, 0, 0]},"
     " {\"kind\": \"box\", \"size\": [0.08, 0.2, 0.06]}]}"},
    {"a cylinder", true, false, NULL, "{\"kind\": \"cylinder\", \"radius\": 0.1, \"length\": 0.2}"},
};
enum { BOXES = sizeof boxes / sizeof *boxes };

/* Clusters and compounds with one lowest piece: under penalty each piece is a contact of its own, and two that land at
 * once bounce less. */
static const ts_everyday_kind balls[] = {
    {"an outline", false, false, NULL, "{\"kind\": \"polygon\", \"points\": [[-0.1, 0, 1], [0.1, 0, 1]]}"},
    {"a box", false, false, NULL, "{\"kind\": \"box\", \"width\": 0.2, \"height\": 0.2}"},
    {"a cluster", false, false, NULL,
     "{\"kind\": \"cluster\", \"discs\": [{\"at\": [0, -0.05], \"radius\": 0.05}, {\"at\": [0, 0.05], \"radius\": "
     "0.05}]}"},
    {"a box", true, false, NULL, "{\"kind\": \"box\", \"size\": [0.2, 0.2, 0.2]}"},
    {"a capsule", true, false, NULL, "{\"kind\": \"capsule\", \"radius\": 0.05, \"length\": 0.1}"},
    {"a cylinder", true, false, NULL, "{\"kind\": \"cylinder\", \"radius\": 0.1, \"length\": 0.2}"},
    {"a hull", true, false, NULL, "{\"kind\": \"hull\", " CUBE "}"},
    {"a mesh", true, false, NULL,
     "{\"kind\": \"mesh\", \"made\": {\"kind\": \"box\", \"size\": [0.2, 0.2, 0.2], \"detail\": 1}}"},
    {"a compound", true, false, NULL,
     "{\"kind\": \"compound\", \"pieces\": [{\"kind\": \"sphere\", \"radius\": 0.05, \"position\": [0, 0, -0.05]},"
     " {\"kind\": \"sphere\", \"radius\": 0.05, \"position\": [0, 0, 0.05]}]}"},
};
enum { BALLS = sizeof balls / sizeof *balls };

/* ---- Jobs ---- */

enum { CLAIMS = 2 }; /* most trials of one scene */

/* One run of a scene, for its trials: `first` and those that follow it in the table with the same scene. */
typedef struct job {
    const trial *first;
    int dynamics, placement; /* the latter: a number from 1 on; 0: as in the file */
    ts_everyday_change change;
    double restitution;   /* NaN: the file's */
    double value[CLAIMS]; /* what came out */
    ts_status status;
    ts_error error;
} job;

typedef struct jobs {
    TS_ARRAY(job) list;
    ts_study *study;
    atomic_size_t done;
} jobs;

static bool same_run(const trial *a, const trial *b)
{
    return b < trials + TRIALS && strcmp(a->scene, b->scene) == 0;
}

static ts_status measure_job(job *j, ts_error *error)
{
    TS_AUTO(close_run) run r = {.restitution = j->restitution};
    TS_TRY(open_run(&r, j->first->scene, &j->change, dynamics_name[j->dynamics], error));
    TS_TRY(finish_run(&r, error));
    for (const trial *t = j->first; same_run(j->first, t); t++)
        TS_TRY(t->of(&r, &j->value[t - j->first], error));
    return TS_OK;
}

/* Jobs at the end of the list take longest: they come first. */
static void run_task(void *context, int task, int thread)
{
    (void)thread;
    jobs *all = context;
    job *j = &all->list.item[all->list.count - 1 - (size_t)task];
    j->status = measure_job(j, &j->error);
    const size_t done = atomic_fetch_add(&all->done, 1) + 1;
    ts_study_report(all->study, (double)done / (double)all->list.count, j->first->what);
}

static ts_status claim_one(ts_study *study, const job *j, const trial *t, const char *text, ts_error *error)
{
    double expected = j->change.space ? t->space : t->plane, value = j->value[t - j->first];
    if (!isnan(j->restitution))
        expected = j->restitution * j->restitution;
    switch (t->how) {
    case NEAR:
        return ts_claim_near(study, value, expected, t->tolerance, t->unit, error, "%s", text);
    case AT_MOST:
        return ts_claim_at_most(study, value, expected, t->unit, error, "%s", text);
    case AT_LEAST:
        return ts_claim_at_least(study, value, expected, t->unit, error, "%s", text);
    }
    return TS_OK;
}

/* A scene that fails to run is a claim that fails, and the study goes on. */
static ts_status state_claims(ts_study *study, const job *j, ts_error *error)
{
    const ts_everyday_change *c = &j->change;
    if (j->status == TS_OUT_OF_MEMORY)
        return ts_fail(error, j->status, "%s", j->error.message);
    for (const trial *t = j->first; same_run(j->first, t); t++) {
        char text[640], at[160] = "";
        if (j->placement > 0)
            snprintf(at, sizeof at, ", place %d: size %.3g, g = %.3g", j->placement, c->size, G * c->pull);
        if (!isnan(j->restitution))
            snprintf(at + strlen(at), sizeof at - strlen(at), ", e = %.1g", j->restitution);
        snprintf(text, sizeof text, "%s%s: %s%s%s%s%s%s", dynamics_name[j->dynamics], c->space ? ", space" : "",
                 t->what, c->body ? ", as " : "", c->body ? c->body->what : "", c->floor ? ", on " : "",
                 c->floor ? c->floor->what : "", at);
        if (j->status == TS_OK)
            TS_TRY(claim_one(study, j, t, text, error));
        else
            TS_TRY(ts_claim(study, false, TS_NONE, t->unit, "it runs", error, "%s: %s", text, j->error.message));
    }
    return TS_OK;
}

/* ---- The list of jobs ---- */

/* Another place, size and gravity for a job: the four corners of the range first, then at random. */
static void place(job *j, int number, uint64_t seed)
{
    ts_random random = ts_random_make(seed, (uint64_t)number);
    ts_everyday_change *c = &j->change;
    const double size = ts_random_next_range(&random, -3, 2), gravity = ts_random_next_range(&random, -1, 2);
    j->placement = number;
    c->size = 5 * (number <= 4 ? (number & 1 ? 1e-3 : 1e2) : pow(10, size)); /* boxes of 20 cm: 1 mm to 100 m */
    c->pull = (number <= 4 ? (number & 2 ? 1e-1 : 1e2) : pow(10, gravity)) / G;
    ts_quat q = {ts_random_next_normal(&random), ts_random_next_normal(&random), ts_random_next_normal(&random),
                 ts_random_next_normal(&random)};
    if (!c->space)
        q.x = q.y = 0;
    c->turn = ts_quat_unit(q);
    const ts_vec3 shift = {ts_random_next_range(&random, -10, 10), ts_random_next_range(&random, -10, 10),
                           ts_random_next_range(&random, -10, 10) * c->space};
    c->shift = ts_vec3_scale(shift, c->size);
    c->tilt = j->first->tilt;
    c->seed = seed + (uint64_t)number;
    if (j->first->of == apex && j->first->how == NEAR && number < 10)
        j->restitution = 0.1 * number;
}

/* Other floors and other bodies; with `product` each floor with each body. */
static ts_status add_variants(jobs *all, const job *base, bool product, ts_error *error)
{
    const bool ball = strcmp(base->first->vary, "ball") == 0;
    const ts_everyday_kind *body = ball ? balls : boxes;
    const int count = ball ? BALLS : BOXES;
    for (int f = -1; f < FLOORS; f++)
        for (int b = -1; b < count; b++) {
            job j = *base;
            const bool fits = (f < 0 || floors[f].space == base->change.space) &&
                              (b < 0 || body[b].space == base->change.space) && (f >= 0 || b >= 0);
            if (!fits || (!product && f >= 0 && b >= 0))
                continue;
            j.change.floor = f < 0 ? NULL : &floors[f];
            j.change.body = b < 0 ? NULL : &body[b];
            j.change.shape = base->first->vary;
            TS_TRY(ts_array_push(&all->list, j, error));
        }
    return TS_OK;
}

static ts_status add_jobs(jobs *all, const trial *t, int dynamics, bool space, ts_error *error)
{
    const bool full = ts_study_full(all->study);
    const unsigned world = space ? SPACE : PLANE;
    const cost how_dear = dynamics > 0 ? CHEAP : space ? t->in_space : t->in_plane;
    const job base = {
        .first = t, .dynamics = dynamics, .change = {.space = space, .size = 1, .pull = 1}, .restitution = (double)NAN};
    if (!(t->in & world) || !(t->by & 1u << dynamics) || how_dear == NEVER || (how_dear == DEAR && !full))
        return TS_OK;
    TS_TRY(ts_array_push(&all->list, base, error));
    if (t->vary && (full || how_dear == CHEAP))
        TS_TRY(add_variants(all, &base, full && how_dear < DEAR, error));
    for (int i = 1; full && how_dear < DEAR && i <= 10; i++) {
        job j = base;
        place(&j, i, ts_study_seed(all->study));
        TS_TRY(ts_array_push(&all->list, j, error));
    }
    return TS_OK;
}

static ts_status run_all(jobs *all, ts_error *error)
{
    bool chosen[DYNAMICS];
    TS_TRY(ts_study_choose(all->study, dynamics_name, DYNAMICS, chosen, error));
    for (int dynamics = DYNAMICS - 1; dynamics >= 0; dynamics--)
        for (const trial *t = trials; t < trials + TRIALS; t++)
            for (int space = 0; space < 2; space++)
                if (chosen[dynamics] && (t == trials || !same_run(t - 1, t)))
                    TS_TRY(add_jobs(all, t, dynamics, space, error));
    TS_AUTO(ts_pool_free_at) ts_pool *pool = NULL;
    TS_TRY(ts_pool_create(ts_study_threads(all->study), &pool, error));
    ts_pool_run(pool, (int)all->list.count, run_task, all);
    for (size_t i = 0; i < all->list.count; i++)
        TS_TRY(state_claims(all->study, &all->list.item[i], error));
    return TS_OK;
}

ts_status ts_study_everyday(ts_study *study, ts_error *error)
{
    jobs all = {.study = study};
    const ts_status status = run_all(&all, error);
    ts_array_free(&all.list);
    return status;
}
