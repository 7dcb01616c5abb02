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
#include "base/threads.h"
#include "study/everyday_cases.h"
#include "study/everyday_run.h"
#include "study/studies.h"

#define G 9.81

/* ---- Trials ---- */

typedef enum how { NEAR, WITHIN } how;
/* Dynamics that take a scene, and the worlds that it is in. */
enum { PENALTY = 1, IMPACT = 2, SOFT = 4, ALL = 7 };
enum { PLANE = 1, SPACE = 2, BOTH = 3 };
enum { DYNAMICS = 3 };
static const char *const dynamics_name[DYNAMICS] = {"penalty", "impact", "soft-step"};

/* What the penalty law runs, whose steps are short: everything; other floors and bodies with --full only; nothing but
 * with --full, and there two other places instead of ten; likewise, and no other place; never, since it would take from
 * a quarter of an hour to days. */
typedef enum cost { CHEAP, FAIR, DEAR, ALONE, NEVER } cost;

/* Columns are those of a table that is read from left to right. */
typedef struct trial { // NOLINT(clang-analyzer-optin.performance.Padding)
    const char *scene, *what, *unit;
    ts_everyday_measure *of;
    how how;
    double a, b;             /* NEAR: what is expected in the plane and in space; WITHIN: least and most */
    double tolerance;        /* of NEAR, relative */
    unsigned in, by;         /* worlds, and dynamics that claim to take it */
    cost in_plane, in_space; /* of the penalty law */
    double tilt;             /* how far bodies may be tilted at the beginning [rad] */
    const char *vary;        /* the shape in whose stead others come, and other floors as well; NULL: neither */
    ts_everyday_maker *make; /* of a series of cases in place of the scene's own; NULL: none … */
    int cases;               /* … and how many */
} trial;

/* A bound on both sides of zero. */
#define ABOUT_0(most) -(most), (most)
#define BOX           0.2 /* sizes of bodies, the smallest of their scenes [m] */
#define STONE         0.2
#define CARD          0.2
#define PEA           0.02
#define SIN20         0.34202014332566871
#define SLIDE         (0.5 * G * (0.5 - 0.3 * 0.8660254037844386) * 2.25)
/* Books of 30 cm and 4 cm, the third of five of them struck out at 5 m/s, μ = 0.3. The friction of five books' weight
 * slows it down, so it leaves within 66.3 ms, at 4 m/s at least, and slides on alone. The friction of those above drags
 * them as long at most; they go on during their fall of 90.3 ms, and until friction has stopped them. */
#define DRAG      (0.3 * G)
#define STRAY     (DRAG * 0.0663 * (0.0663 + 0.0903))
#define JACK      0.07153225908102818 /* height of its middle: scenes/everyday/jack-space.json [m] */
#define FREE_FALL 0.45152             /* of 1 m, to the mouth of the funnel [s] */

#define S3        "3 boxes on each other: "
#define ST        "10 boxes on each other: "
#define PY        "a pyramid of boxes: "
#define AR        "an arch of 15 stones: "
#define CA        "a house of cards: "

/* Soft-step and penalty leave out the cradle: its outcome is that of impacts one after the other, and no closed form is
 * known for contacts that last (docs/soft-step.md). */
static const trial trials[] = {
    {"bounce", "a ball, e = 0.6: apex, of the fall", "1", ts_everyday_apex, NEAR, 0.36, 0.36, 0.02, BOTH, ALL, CHEAP,
     CHEAP, 0, "ball", NULL, 0},
    {"thud", "a ball, e = 0: rises, of the fall", "1", ts_everyday_apex, WITHIN, ABOUT_0(1e-3), 0, BOTH, ALL, CHEAP,
     CHEAP, 0, NULL, NULL, 0},
    /* 2 m/s over 0.1 m with μ = 0.5, e = 0.5: back by 76.9 mm, of which steps may take a tenth */
    {"meet", "two boxes meet on a floor: way of the first", "m", ts_everyday_way, WITHIN, 0.0154, 0.0308, 0, BOTH, ALL,
     FAIR, DEAR, 0, NULL, NULL, 0},
    {"meet", "two boxes meet on a floor: motion in a second", "m", ts_everyday_creep, WITHIN, 0, 1e-4, 0, BOTH, ALL,
     FAIR, DEAR, 0, NULL, NULL, 0},
    {"tilted", "a box that fell on an edge: motion in a second", "m", ts_everyday_creep, WITHIN, 0, 1e-5, 0, BOTH, ALL,
     CHEAP, FAIR, 0.1, "box", NULL, 0},
    {"tilted", "a box that fell on an edge: comes down by", "m", ts_everyday_depth, NEAR, 0.03, 0.03, 0.02, BOTH, ALL,
     CHEAP, FAIR, 0.1, "box", NULL, 0},
    {"tilted", "a box that fell on an edge: turns by", "rad", ts_everyday_turn, WITHIN, 0.049, 0.071, 0, BOTH, ALL,
     CHEAP, FAIR, 0.1, "box", NULL, 0}, /* by 0.05, and about the vertical by no more than that */
    {"creep", "a box on 20°, μ = 0.5: slides in 5 s", "m", ts_everyday_way, WITHIN, 0, 1e-3, 0, BOTH, ALL, FAIR, DEAR,
     0, "box", NULL, 0},
    {"creep", "a box on 20°, μ = 0.5: turns by", "rad", ts_everyday_turn, WITHIN, 0, 0.01, 0, BOTH, ALL, FAIR, DEAR, 0,
     "box", NULL, 0},
    {"slide", "a box on 30°, μ = 0.3: way in 1.5 s", "m", ts_everyday_way, NEAR, SLIDE, SLIDE, 0.01, BOTH, ALL, CHEAP,
     FAIR, 0, "box", NULL, 0},
    {"roll", "a ball on 20°: way in 1.5 s", "m", ts_everyday_way, NEAR, G *SIN20 / 3 * 2.25, 2.5 * G *SIN20 / 7 * 2.25,
     0.01, BOTH, ALL, CHEAP, CHEAP, 0, NULL, NULL, 0},
    {"shove", "a box at 2 m/s, μ = 0.4: stops after", "m", ts_everyday_way, NEAR, 4 / (0.8 * G), 4 / (0.8 * G), 0.01,
     BOTH, ALL, CHEAP, FAIR, 0, "box", NULL, 0},
    {"spin", "a ball that spun at 30 rad/s rolls at", "m/s", ts_everyday_speed, NEAR, 1, 6.0 / 7, 0.01, BOTH, ALL,
     CHEAP, CHEAP, 0, NULL, NULL, 0},
    {"stack-3", S3 "the top sinks by", "m", ts_everyday_sinking, WITHIN, ABOUT_0(0.005 * BOX), 0, BOTH, ALL, FAIR, DEAR,
     0.005, "box", NULL, 0},
    {"stack-3", S3 "turn by", "rad", ts_everyday_turned, WITHIN, 0, 0.01, 0, BOTH, ALL, FAIR, DEAR, 0.005, "box", NULL,
     0},
    {"stack-3", S3 "motion in a second", "m", ts_everyday_creep, WITHIN, 0, 1e-4, 0, BOTH, ALL, FAIR, DEAR, 0.005,
     "box", NULL, 0},
    {"stack-10", ST "the top sinks by", "m", ts_everyday_sinking, WITHIN, ABOUT_0(0.05 * BOX), 0, BOTH, ALL, DEAR, DEAR,
     0.005, NULL, NULL, 0},
    {"stack-10", ST "turn by", "rad", ts_everyday_turned, WITHIN, 0, 0.01, 0, BOTH, ALL, DEAR, DEAR, 0.005, NULL, NULL,
     0},
    {"stack-10", ST "motion in a second", "m", ts_everyday_creep, WITHIN, 0, 1e-4, 0, BOTH, ALL, DEAR, DEAR, 0.005,
     NULL, NULL, 0},
    {"stack-20", "20 boxes on each other: the top sinks by", "m", ts_everyday_sinking, WITHIN, ABOUT_0(0.1 * BOX), 0,
     PLANE, ALL, DEAR, DEAR, 0, NULL, NULL, 0},
    {"stack-20", "20 boxes on each other: turn by", "rad", ts_everyday_turned, WITHIN, 0, 0.01, 0, PLANE, ALL, DEAR,
     DEAR, 0, NULL, NULL, 0},
    {"pyramid", PY "the top sinks by", "m", ts_everyday_sinking, WITHIN, ABOUT_0(0.05 * BOX), 0, BOTH, ALL, DEAR, ALONE,
     0.005, NULL, NULL, 0},
    {"pyramid", PY "turn by", "rad", ts_everyday_turned, WITHIN, 0, 0.01, 0, BOTH, ALL, DEAR, ALONE, 0.005, NULL, NULL,
     0},
    {"pyramid", PY "motion in a second", "m", ts_everyday_creep, WITHIN, 0, 1e-4, 0, BOTH, ALL, DEAR, ALONE, 0.005,
     NULL, NULL, 0},
    {"arch", AR "the keystone sinks by", "m", ts_everyday_sinking, WITHIN, ABOUT_0(0.05 * STONE), 0, BOTH, ALL, DEAR,
     NEVER, 0, NULL, NULL, 0},
    {"arch", AR "turn by", "rad", ts_everyday_turned, WITHIN, 0, 0.02, 0, BOTH, ALL, DEAR, NEVER, 0, NULL, NULL, 0},
    {"arch", AR "motion in a second", "m", ts_everyday_creep, WITHIN, 0, 1e-4, 0, BOTH, ALL, DEAR, NEVER, 0, NULL, NULL,
     0},
    {"cards", CA "the last sinks by", "m", ts_everyday_sinking, WITHIN, ABOUT_0(0.005 * CARD), 0, BOTH, ALL, DEAR,
     NEVER, 0, NULL, NULL, 0},
    {"cards", CA "turn by", "rad", ts_everyday_turned, WITHIN, 0, 0.01, 0, BOTH, ALL, DEAR, NEVER, 0, NULL, NULL, 0},
    {"cards", CA "motion in a second", "m", ts_everyday_creep, WITHIN, 0, 1e-4, 0, BOTH, ALL, DEAR, NEVER, 0, NULL,
     NULL, 0},
    {"heavy", "a box on one of 1/100 of its mass: it sinks by", "m", ts_everyday_sinking, WITHIN, ABOUT_0(0.05 * BOX),
     0, BOTH, ALL, DEAR, DEAR, 0.005, NULL, NULL, 0},
    {"heavy", "a box on one of 1/100 of its mass: turn by", "rad", ts_everyday_turned, WITHIN, 0, 0.01, 0, BOTH, ALL,
     DEAR, DEAR, 0.005, NULL, NULL, 0},
    {"heavy-1000", "a box on one of 1/1000 of its mass: it sinks by", "m", ts_everyday_sinking, WITHIN,
     ABOUT_0(0.1 * BOX), 0, BOTH, ALL, DEAR, ALONE, 0.005, NULL, NULL, 0},
    {"heavy-1000", "a box on one of 1/1000 of its mass: the light one sinks by", "m", ts_everyday_depth, WITHIN,
     ABOUT_0(0.1 * BOX), 0, BOTH, ALL, DEAR, ALONE, 0.005, NULL, NULL, 0},
    {"heavy-1000", "a box on one of 1/1000 of its mass: turn by", "rad", ts_everyday_turned, WITHIN, 0, 0.05, 0, BOTH,
     ALL, DEAR, ALONE, 0.005, NULL, NULL, 0},
    {"large", "a slab on cubes of 1/100 of its size: it sinks by", "m", ts_everyday_sinking, WITHIN, ABOUT_0(0.1 * PEA),
     0, BOTH, ALL, DEAR, NEVER, 0, NULL, NULL, 0},
    {"large", "a slab on cubes of 1/100 of its size: turn by", "rad", ts_everyday_turned, WITHIN, 0, 0.05, 0, BOTH, ALL,
     DEAR, NEVER, 0, NULL, NULL, 0},
    {"dominoes", "ten dominoes: the last has turned by", "rad", ts_everyday_turn, WITHIN, 0.8, 1.7, 0, BOTH, ALL, DEAR,
     DEAR, 0, NULL, NULL, 0},
    {"dominoes", "ten dominoes: the last has come down by", "m", ts_everyday_sinking, WITHIN, 0.09, 0.131, 0, BOTH, ALL,
     DEAR, DEAR, 0, NULL, NULL, 0},
    {"dominoes", "ten dominoes: fall out of order", "1", ts_everyday_disorder, WITHIN, 0, 0, 0, BOTH, ALL, DEAR, DEAR,
     0, NULL, NULL, 0},
    {"stands", "a box three times as high as wide, on 17°: motion in a second", "m", ts_everyday_creep, WITHIN, 0, 1e-4,
     0, BOTH, ALL, CHEAP, DEAR, 0, NULL, NULL, 0},
    {"stands", "a box three times as high as wide, on 17°: way in 3 s", "m", ts_everyday_way, WITHIN, 0, 1e-3, 0, BOTH,
     ALL, CHEAP, DEAR, 0, NULL, NULL, 0},
    {"stands", "a box three times as high as wide, on 17°: turns by", "rad", ts_everyday_turn, WITHIN, 0, 0.01, 0, BOTH,
     ALL, CHEAP, DEAR, 0, NULL, NULL, 0},
    {"tips", "the same on 20°: comes to lie at a distance of", "m", ts_everyday_way, WITHIN, 0.2, 0.26, 0, BOTH, ALL,
     CHEAP, DEAR, 0, NULL, NULL, 0},
    {"tips", "the same on 20°: turns by", "rad", ts_everyday_turn, NEAR, TS_PI / 2, TS_PI / 2, 0.01, BOTH, ALL, CHEAP,
     DEAR, 0, NULL, NULL, 0},
    {"see-saw", "a see-saw whose moments balance: turns by", "rad", ts_everyday_turn, WITHIN, 0, 1e-3, 0, BOTH, ALL,
     DEAR, NEVER, 0, NULL, NULL, 0},
    {"see-saw-tips", "a see-saw whose moments do not: turns by", "rad", ts_everyday_turn, WITHIN, 0.2, 0.5, 0, BOTH,
     ALL, DEAR, NEVER, 0, NULL, NULL, 0},
    {"push-centre", "a box pushed at its centre at 0.2 m/s slides in 2 s", "m", ts_everyday_last_way, NEAR, 0.4, 0.4,
     0.01, BOTH, ALL, FAIR, DEAR, 0, NULL, NULL, 0},
    {"push-centre", "a box pushed at its centre turns by", "rad", ts_everyday_turn, WITHIN, 0, 0.01, 0, BOTH, ALL, FAIR,
     DEAR, 0, NULL, NULL, 0},
    {"push-top", "a box pushed at its top turns by", "rad", ts_everyday_turn, NEAR, TS_PI / 2, TS_PI / 2, 0.02, BOTH,
     ALL, FAIR, DEAR, 0, NULL, NULL, 0},
    {"push-top", "a box pushed at its top comes down by", "m", ts_everyday_sinking, NEAR, 0.1, 0.1, 0.02, BOTH, ALL,
     FAIR, DEAR, 0, NULL, NULL, 0},
    {"book", "a book struck from a pile: the others move by", "m", ts_everyday_strayed, WITHIN, 0, STRAY, 0, BOTH, ALL,
     DEAR, DEAR, 0, NULL, NULL, 0},
    {"book", "a book struck from a pile goes", "m", ts_everyday_along, WITHIN, 2.5, 4.9, 0, BOTH, ALL, DEAR, DEAR, 0,
     NULL, NULL, 0},
    {"book", "a book struck from a pile: the top one comes down by", "m", ts_everyday_sinking, NEAR, 0.04, 0.04, 0.05,
     BOTH, ALL, DEAR, DEAR, 0, NULL, NULL, 0},
    {"roll-smooth", "a superquadric ball on 20°: way in 1.5 s", "m", ts_everyday_way, NEAR, 0,
     2.5 * G *SIN20 / 7 * 2.25, 0.01, SPACE, ALL, NEVER, FAIR, 0, NULL, NULL, 0},
    {"ellipsoid", "an ellipsoid that rocks: turned by", "rad", ts_everyday_turn, NEAR, 0, 0.1, 0.02, SPACE, ALL, NEVER,
     FAIR, 0, NULL, NULL, 0},
    {"jack", "a jack on three of its tips: comes down by", "m", ts_everyday_depth, NEAR, 0, 0.15 - JACK, 0.01, SPACE,
     ALL, NEVER, DEAR, 0, NULL, NULL, 0},
    {"jack", "a jack on three of its tips: motion in a second", "m", ts_everyday_creep, WITHIN, 0, 1e-4, 0, SPACE, ALL,
     NEVER, DEAR, 0, NULL, NULL, 0},
    {"head-on-smooth", "superquadric balls at 2 and -1 m/s, e = 0.5: the lighter goes at", "m/s", ts_everyday_speed,
     NEAR, 0, -2, 0.01, SPACE, ALL, NEVER, CHEAP, 0, NULL, NULL, 0},
    {"head-on", "balls at 2 and -1 m/s, e = 0.5: the lighter goes at", "m/s", ts_everyday_speed, NEAR, -1.6, -2, 0.01,
     BOTH, ALL, CHEAP, CHEAP, 0, NULL, NULL, 0},
    {"cradle", "the last of five balls that touch goes at", "m/s", ts_everyday_last_speed, NEAR, 1, 1, 0.01, BOTH,
     IMPACT, CHEAP, CHEAP, 0, NULL, NULL, 0},
    {"wedge", "a ball in a groove of 90°: one side carries of its weight", "1", ts_everyday_carried, NEAR,
     0.70710678118654757, 0.70710678118654757, 0.01, BOTH, ALL, CHEAP, CHEAP, 0, NULL, NULL, 0},
    {"funnel", "a ball comes through a funnel: it is deep by", "m", ts_everyday_depth, NEAR, 1.9, 1.9, 0.005, BOTH, ALL,
     CHEAP, CHEAP, 0, NULL, NULL, 0},
    {"funnel", "a ball comes through a funnel: at its mouth after", "s", ts_everyday_gate_time, WITHIN, 1.1 * FREE_FALL,
     4, 0, BOTH, ALL, CHEAP, CHEAP, 0, NULL, NULL, 0},
    {"funnel", "a ball comes through a funnel: there it is off its middle by", "m", ts_everyday_gate_way, WITHIN, 0,
     0.055, 0, BOTH, ALL, CHEAP, CHEAP, 0, NULL, NULL, 0},
    {"funnel", "a ball comes through a funnel: overlaps, of its radius", "1", ts_everyday_overlap, WITHIN, 0, 0.1, 0,
     BOTH, ALL, CHEAP, CHEAP, 0, NULL, NULL, 0},
    {"grit", "grains of 1 mm after a fall of 1 m: the highest came down by", "m", ts_everyday_least_fall, NEAR, 1, 1,
     5e-5, BOTH, ALL, DEAR, DEAR, 0, NULL, NULL, 0},
    {"grit", "grains of 1 mm after a fall of 1 m: the lowest came down by", "m", ts_everyday_most_fall, NEAR, 1, 1,
     5e-5, BOTH, ALL, DEAR, DEAR, 0, NULL, NULL, 0},
    /* What similarity does not cover: series of cases. */
    {"bounce", "a ball, e = 0.6: apex, of the fall", "1", ts_everyday_apex, NEAR, 0.36, 0.36, 0.02, BOTH, IMPACT | SOFT,
     CHEAP, CHEAP, 0, NULL, ts_everyday_fall, 5},
    /* Gravity goes on during an impact, and takes some of the leap after a low fall (docs/penalty.md). */
    {"bounce", "a ball, e = 0.6: apex, of the fall", "1", ts_everyday_apex, NEAR, 0.36, 0.36, 0.1, BOTH, PENALTY, CHEAP,
     CHEAP, 0, NULL, ts_everyday_fall, 5},
    {"thud", "a ball, e = 0: rises, of the fall", "1", ts_everyday_apex, WITHIN, ABOUT_0(2e-3), 0, BOTH, IMPACT | SOFT,
     FAIR, FAIR, 0, NULL, ts_everyday_fall, 5},
    {"thud", "a ball, e = 0: rises, of the fall", "1", ts_everyday_apex, WITHIN, ABOUT_0(4e-3), 0, BOTH, PENALTY, FAIR,
     FAIR, 0, NULL, ts_everyday_fall, 5},
    {"shove", "a box, μ = 0.4: way", "m", ts_everyday_way, NEAR, 1, 1, 0.01, BOTH, ALL, FAIR, FAIR, 0, NULL,
     ts_everyday_shove, 5},
    {"shove", "a box where μ = 1.1 tan: slides in 5 s", "m", ts_everyday_way, WITHIN, 0, 1e-3, 0, BOTH, ALL, FAIR, FAIR,
     0, NULL, ts_everyday_stick, 5},
    {"shove", "a box where μ = 0.9 tan: way in 1.5 s", "m", ts_everyday_way, NEAR, 0, 0, 0.02, BOTH, ALL, FAIR, FAIR, 0,
     NULL, ts_everyday_slip, 5},
    {"shove", "a box on 0.9 of its steepest slope: turns by", "rad", ts_everyday_turn, WITHIN, 0, 0.01, 0, BOTH, ALL,
     FAIR, FAIR, 0, NULL, ts_everyday_stand, 5},
    {"shove", "a box on 0.9 of its steepest slope: way in 3 s", "m", ts_everyday_way, WITHIN, 0, 1e-3, 0, BOTH, ALL,
     FAIR, FAIR, 0, NULL, ts_everyday_stand, 5},
    {"shove", "a box on 1.1 of its steepest slope: turns by", "rad", ts_everyday_turn, NEAR, 0.5, 0.5, 0.1, BOTH, ALL,
     FAIR, FAIR, 0, NULL, ts_everyday_tip, 5},
    {"stack-3",
     "boxes on each other: "
     "the top sinks by",
     "m", ts_everyday_sinking, WITHIN, ABOUT_0(0.05 * BOX), 0, BOTH, ALL, DEAR, ALONE, 0, NULL, ts_everyday_stack, 4},
    {"stack-3",
     "boxes on each other: "
     "turn by",
     "rad", ts_everyday_turned, WITHIN, 0, 0.01, 0, BOTH, ALL, DEAR, ALONE, 0, NULL, ts_everyday_stack, 4},
    {"stack-3",
     "boxes on each other: "
     "motion in a second",
     "m", ts_everyday_creep, WITHIN, 0, 1e-4, 0, BOTH, ALL, DEAR, ALONE, 0, NULL, ts_everyday_stack, 4},
    {"tilted", "a box dropped at random: comes down by", "m", ts_everyday_depth, WITHIN, 0, 0, 0, BOTH, ALL, FAIR, FAIR,
     0, NULL, ts_everyday_drop, 10},
    {"tilted", "a box dropped at random: motion in a second", "m", ts_everyday_creep, WITHIN, 0, 1e-4, 0, BOTH, ALL,
     FAIR, FAIR, 0, NULL, ts_everyday_drop, 10},
    {"fast", "against a sheet of 2 mm", "m", ts_everyday_depth, WITHIN, 0, 1, 0, BOTH, ALL, CHEAP, FAIR, 0, NULL,
     ts_everyday_fast, 36},
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
    {"a mesh of 12 triangles", true, false, NULL,
     "{\"kind\": \"mesh\", \"made\": {\"kind\": \"box\", \"size\": [0.2, 0.2, 0.2], \"detail\": 1}}"},
    {"a compound H", true, false, NULL,
     "{\"kind\": \"compound\", \"pieces\": [{\"kind\": \"box\", \"size\": [0.06, 0.2, 0.2], \"position\": [-0.07, 0, "
     "0]},"
     " {\"kind\": \"box\", \"size\": [0.06, 0.2, 0.2], \"position\": [0.07, 0, 0]},"
     " {\"kind\": \"box\", \"size\": [0.08, 0.2, 0.06]}]}"},
    {"a cylinder", true, false, NULL, "{\"kind\": \"cylinder\", \"radius\": 0.1, \"length\": 0.2}"},
    {"a superquadric", true, false, NULL,
     "{\"kind\": \"superquadric\", \"size\": [0.1, 0.1, 0.1], \"exponents\": [0.1, 0.1]}"},
    {"a smooth H", true, false, NULL,
     "{\"kind\": \"smooth\", \"pieces\": ["
     "{\"kind\": \"superquadric\", \"size\": [0.03, 0.1, 0.1], \"exponents\": [0.1, 0.1], \"position\": [-0.07, 0, 0]},"
     " {\"kind\": \"superquadric\", \"size\": [0.03, 0.1, 0.1], \"exponents\": [0.1, 0.1], \"position\": [0.07, 0, 0]},"
     " {\"kind\": \"superquadric\", \"size\": [0.06, 0.1, 0.03], \"exponents\": [0.1, 0.1]}]}"},
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
    {"a superquadric", true, false, NULL,
     "{\"kind\": \"superquadric\", \"size\": [0.1, 0.1, 0.1], \"exponents\": [1, 1]}"},
};
enum { BALLS = sizeof balls / sizeof *balls };

/* ---- Jobs ---- */

enum { CLAIMS = 4 }; /* most trials of one run */

/* One run of a scene, for its trials: `first` and those that follow it in the table with the same scene. */
typedef struct job {
    const trial *first;
    int dynamics, placement; /* the latter: a number from 1 on; 0: as in the file */
    ts_everyday_change change;
    char case_of[96];     /* which of a series; "": none */
    double restitution;   /* NaN: the file's */
    double at[CLAIMS][2]; /* what should come out, as of trials */
    double value[CLAIMS]; /* what came out */
    char doubt[600];      /* what puts it in doubt; "": nothing */
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
    return b < trials + TRIALS && strcmp(a->scene, b->scene) == 0 && a->make == b->make && a->by == b->by;
}

static ts_status measure_job(job *j, ts_error *error)
{
    TS_AUTO(ts_everyday_close) ts_everyday_run r = {.restitution = j->restitution};
    TS_TRY(ts_everyday_open(&r, j->first->scene, &j->change, dynamics_name[j->dynamics], error));
    TS_TRY(ts_everyday_finish(&r, error));
    for (const trial *t = j->first; same_run(j->first, t); t++)
        TS_TRY(t->of(&r, &j->value[t - j->first], error));
    memcpy(j->doubt, r.doubt, sizeof j->doubt);
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

/* A contact of springs begins with the weight on it, so a ball leaves it lower than it came: by up to so much of a fall of
 * five sizes, whatever e. */
#define SAG 2e-3

static ts_status claim_one(ts_study *study, const job *j, const trial *t, const char *text, ts_error *error)
{
    const double *at = j->at[t - j->first], value = j->value[t - j->first];
    char range[64];
    const double near = at[j->change.space];
    if (t->how == NEAR && t->of == ts_everyday_apex && strcmp(dynamics_name[j->dynamics], "penalty") == 0) {
        const double low = near * (1 - t->tolerance) - SAG, high = near * (1 + t->tolerance);
        snprintf(range, sizeof range, "%.4g to %.4g", low, high);
        return ts_claim(study, value >= low && value <= high, value, t->unit, range, error, "%s", text);
    }
    if (t->how == NEAR)
        return ts_claim_near(study, value, at[j->change.space], t->tolerance, t->unit, error, "%s", text);
    snprintf(range, sizeof range, "%.4g to %.4g", at[0], at[1]);
    return ts_claim(study, value >= at[0] && value <= at[1], value, t->unit, range, error, "%s", text);
}

/* A box that lands on a rounded edge: how far it turns on the way is not claimed. */
static bool lands_round(const ts_everyday_kind *body)
{
    return body && strcmp(body->what, "a superquadric") == 0;
}

/* A scene that fails to run is a claim that fails, and so is one whose warnings put its result in doubt; the study goes
 * on. */
static ts_status state_claims(ts_study *study, const job *j, ts_error *error)
{
    const ts_everyday_change *c = &j->change;
    char at[320] = "", text[1100];
    if (j->status == TS_OUT_OF_MEMORY)
        return ts_fail(error, j->status, "%s", j->error.message);
    if (j->placement > 0)
        snprintf(at, sizeof at, ", place %d: size %.3g, g = %.3g", j->placement, c->size, G * c->pull);
    if (!isnan(j->restitution))
        snprintf(at + strlen(at), sizeof at - strlen(at), ", e = %.1g", j->restitution);
    for (const trial *t = j->first; same_run(j->first, t); t++) {
        snprintf(text, sizeof text, "%s%s: %s%s%s%s%s%s%s%s", dynamics_name[j->dynamics], c->space ? ", space" : "",
                 t->what, j->case_of[0] ? ", " : "", j->case_of, c->body ? ", as " : "", c->body ? c->body->what : "",
                 c->floor ? ", on " : "", c->floor ? c->floor->what : "", at);
        if (j->status == TS_OK && t->of == ts_everyday_turn && t->a > 0 && lands_round(c->body))
            continue;
        if (j->status == TS_OK)
            TS_TRY(claim_one(study, j, t, text, error));
        else
            TS_TRY(ts_claim(study, false, TS_NONE, t->unit, "it runs", error, "%s: %s", text, j->error.message));
    }
    return !j->doubt[0] ? TS_OK
                        : ts_claim(study, false, TS_NONE, "1", "no doubt", error, "%s%s: %s%s%s%s: %s",
                                   dynamics_name[j->dynamics], c->space ? ", space" : "", j->first->scene,
                                   j->case_of[0] ? ", " : "", j->case_of, at, j->doubt);
}

/* How many runs of a kind of dynamics are in doubt. */
static ts_status state_doubts(const jobs *all, int dynamics, ts_error *error)
{
    size_t count = 0, doubtful = 0;
    for (const job *j = all->list.item; j < all->list.item + all->list.count; j++)
        if (j->dynamics == dynamics) {
            count++;
            doubtful += j->doubt[0] != 0;
        }
    if (count == 0)
        return TS_OK;
    return ts_claim_at_most(all->study, (double)doubtful, 0, "1", error, "%s: of %zu runs so many are in doubt",
                            dynamics_name[dynamics], count);
}

/* ---- The list of jobs ---- */

enum { PLACES = 10, DEAR_PLACES = 2 };

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
    if (j->first->of == ts_everyday_apex && j->first->how == NEAR && number < 10) {
        j->restitution = 0.1 * number;
        j->at[0][0] = j->at[0][1] = j->restitution * j->restitution;
    }
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

/* A series of cases. */
static ts_status add_cases(jobs *all, const job *base, ts_error *error)
{
    const trial *t = base->first;
    for (int i = 0; i < t->cases; i++) {
        job j = *base;
        t->make(i, ts_study_seed(all->study), &j.change, j.case_of, j.at[0]);
        TS_TRY(ts_array_push(&all->list, j, error));
    }
    return TS_OK;
}

static ts_status add_jobs(jobs *all, const trial *t, int dynamics, bool space, ts_error *error)
{
    const bool full = ts_study_full(all->study);
    const unsigned world = space ? SPACE : PLANE;
    const cost how_dear = dynamics > 0 ? CHEAP : space ? t->in_space : t->in_plane;
    const int places = !full || how_dear >= ALONE ? 0 : how_dear == DEAR ? DEAR_PLACES : PLACES;
    job base = {
        .first = t, .dynamics = dynamics, .change = {.space = space, .size = 1, .pull = 1}, .restitution = (double)NAN};
    if (!(t->in & world) || !(t->by & 1u << dynamics) || how_dear == NEVER || (how_dear >= DEAR && !full))
        return TS_OK;
    for (const trial *one = t; same_run(t, one); one++)
        memcpy(base.at[one - t], (const double[]){one->a, one->b}, sizeof *base.at);
    if (t->make)
        return full || how_dear == CHEAP ? add_cases(all, &base, error) : TS_OK;
    TS_TRY(ts_array_push(&all->list, base, error));
    if (t->vary && (full || how_dear == CHEAP))
        TS_TRY(add_variants(all, &base, full && how_dear < DEAR, error));
    for (int i = 1; i <= places; i++) {
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
    for (int dynamics = 0; dynamics < DYNAMICS; dynamics++)
        TS_TRY(state_doubts(all, dynamics, error));
    return TS_OK;
}

ts_status ts_study_everyday(ts_study *study, ts_error *error)
{
    jobs all = {.study = study};
    const ts_status status = run_all(&all, error);
    ts_array_free(&all.list);
    return status;
}
