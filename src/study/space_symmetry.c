/* SPDX-License-Identifier: MIT */
/* The studies `eight-cubes`, `trefoil` and `two-bodies-box`: elastic bodies in space that begin symmetric, by three
 * operators (Smith et al. 2012, sections 10.1, 10.2, Fig. 8). Jacobi keeps symmetry and loses energy, Gauss-Seidel
 * keeps energy and loses symmetry, Generalized Reflections keeps both. */
#include "base/memory.h"
#include "shape/mesh_make.h"
#include "study/space_draw.h"
#include "study/space_run.h"
#include "study/studies.h"

#define RUNS   4
#define GR     0
#define PAIRS  1
#define EACH   2
#define FOURTH 3
TS_RELEASE_EACH(ts_space_run, RUNS, ts_space_run_close)

static const char *const by[RUNS] = {"gr", "gauss-seidel", "jacobi", "gr"};

typedef struct subject {
    const char *file, *title;
    const char *fourth; /* name of one more run by gr, which `build` or `nudge` makes different */
    double gravity;
    double step;        /* [s] */
    double quick, full; /* simulated time [s] */
    double together
        [2];        /* the first and the fourth run are claimed to be symmetric for so long [s]; infinite: to the end */
    double nudge;   /* the fourth run: body 0 is turned by so much [rad] */
    double shot[3]; /* times of pictures [s] */
    ts_status (*build)(ts_space_run *run, bool fourth, ts_error *error);
    ts_status (*mark)(ts_space_run *run, bool fourth, ts_error *error); /* names the symmetries */
} subject;

static ts_mat3 mirror(double x, double y, double z)
{
    return ts_mat3_diagonal((ts_vec3){x, y, z});
}

static ts_status add_room(ts_space_run *run, double half, double low, double high, ts_error *error)
{
    ts_wall_def room = ts_default_wall();
    room.kind = TS_WALL_ROOM;
    room.position[0] = room.position[1] = -half;
    room.position[2] = low;
    room.size[0] = room.size[1] = 2 * half;
    room.size[2] = high - low;
    return ts_scene_add_wall(run->rig.scene, &room, NULL, error);
}

/* ---- Eight cubes ---- */

/* A hair over contact. Where they only touch, rounding decides whether they meet again in one step or in the next. */
#define CUBE 1.000001

/* Along diagonals; in the fourth run in mirror images of a direction that is no diagonal, and with spins. */
static ts_status build_cubes(ts_space_run *run, bool fourth, ts_error *error)
{
    const double velocity[2][3] = {{1, 1, 1}, {1, 0.83, 0.61}}, spin[2][3] = {{0, 0, 0}, {1, 0.5, 0.3}};
    TS_TRY(ts_space_run_cube(run, CUBE, error));
    for (int i = 0; i < 8; i++) {
        const double side[3] = {i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1}, hand = side[0] * side[1] * side[2];
        ts_body_def body = ts_default_body();
        for (int d = 0; d < 3; d++) {
            body.position[d] = 0.5 * side[d];
            body.velocity[d] = velocity[fourth][d] * side[d];
            body.spin[d] = hand * side[d] * spin[fourth][d]; /* a mirror turns spins the other way */
        }
        TS_TRY(ts_scene_add_body(run->rig.scene, &body, NULL, error));
    }
    return add_room(run, 5, -5, 5, error);
}

/* Three mirrors; along diagonals also a third of a turn about one. */
static ts_status mark_cubes(ts_space_run *run, bool fourth, ts_error *error)
{
    TS_TRY(ts_space_run_symmetry(run, mirror(-1, 1, 1), error));
    TS_TRY(ts_space_run_symmetry(run, mirror(1, -1, 1), error));
    TS_TRY(ts_space_run_symmetry(run, mirror(1, 1, -1), error));
    const ts_mat3 third = {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
    return fourth ? TS_OK : ts_space_run_symmetry(run, third, error);
}

/* ---- A knot ---- */

static ts_status build_trefoil(ts_space_run *run, bool fourth, ts_error *error)
{
    TS_AUTO(ts_mesh_free_at) ts_mesh *mesh = NULL;
    int32_t solid = 0;
    TS_TRY(ts_mesh_make_trefoil(1, 0.2, 96, 16, &mesh, error));
    TS_TRY(ts_space_rig_mesh(&run->rig, "knot", mesh, 16, &solid, error));
    ts_body_def body = ts_default_body();
    body.shape = solid;
    body.position[2] = 2;
    body.spin[2] = fourth ? 3 : 0;
    TS_TRY(ts_scene_add_body(run->rig.scene, &body, NULL, error));
    return ts_space_run_floor(run, error);
}

static ts_status mark_trefoil(ts_space_run *run, bool fourth, ts_error *error)
{
    (void)fourth;
    return ts_space_run_symmetry(run, ts_quat_to_matrix(ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, 2 * TS_PI / 3)),
                                 error);
}

/* ---- Two bodies in a box ---- */

/* The step is half the published one. A body that strikes a wall may come back, within the same step, into one that was
 * not in its way: what that does counts in the next step. At 0.01 s ears are then so deep in each other (once in a
 * hundred seconds or so) that vertices push from both sides, and an elastic impact has no outcome. */

static ts_status build_bunnies(ts_space_run *run, bool fourth, ts_error *error)
{
    (void)fourth;
    TS_AUTO(ts_mesh_free_at) ts_mesh *mesh = NULL;
    int32_t solid = 0;
    TS_TRY(ts_mesh_make_bunny(1, 32, &mesh, error));
    TS_TRY(ts_space_rig_mesh(&run->rig, "bunny", mesh, 32, &solid, error));
    const ts_quat tilt = ts_quat_from_axis_angle((ts_vec3){0.6, 0.8, 0}, 0.5), half = {0, 0, 0, 1};
    for (int i = 0; i < 2; i++) {
        const double side = i ? -1 : 1;
        ts_quat q = i ? ts_quat_mul(half, tilt) : tilt;
        ts_body_def body = ts_default_body();
        body.shape = solid;
        body.position[0] = 0.7 * side;
        body.position[2] = 1.5;
        body.velocity[0] = -0.5 * side;
        body.velocity[1] = 0.2 * side;
        body.attitude[0] = q.w;
        body.attitude[1] = q.x;
        body.attitude[2] = q.y;
        body.attitude[3] = q.z;
        TS_TRY(ts_scene_add_body(run->rig.scene, &body, NULL, error));
    }
    return add_room(run, 1.5, 0, 4, error);
}

static ts_status mark_bunnies(ts_space_run *run, bool fourth, ts_error *error)
{
    (void)fourth;
    return ts_space_run_symmetry(run, mirror(-1, -1, 1), error);
}

/* ---- All three ---- */

/* Body 0 is turned a little, after the symmetry has been looked for. */
static ts_status nudge(ts_space_run *run, double angle, ts_error *error)
{
    const ts_body3 *b = ts_space_run_body(run, 0);
    const ts_quat from = {b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]},
                  to = ts_quat_mul(ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, angle), from);
    return ts_state_set_pose(run->rig.state, 0, TS_POSE3(b->position, ((double[4]){to.w, to.x, to.y, to.z})), error);
}

static ts_status run_one(ts_space_run *run, ts_study *study, const subject *s, int which, ts_error *error)
{
    double duration = ts_study_full(study) ? s->full : s->quick;
    if (which == FOURTH && s->nudge > 0)
        duration = 2 * s->together[1];
    const ts_space_wish wish = {.name = which == FOURTH ? s->fourth : by[which],
                                .rules = {.by = by[which], .restitution = 1, .gravity = s->gravity, .step = s->step},
                                .duration = duration,
                                .frame = 0.05};
    TS_TRY(ts_space_run_open(run, study, &wish, error));
    TS_TRY(s->build(run, which == FOURTH, error));
    TS_TRY(ts_space_run_start(run, error));
    TS_TRY(s->mark(run, which == FOURTH, error));
    if (which == FOURTH && s->nudge > 0)
        TS_TRY(nudge(run, s->nudge, error));
    const int rounds = 100;
    for (int k = 0; k < rounds; k++) {
        ts_study_report(study, (which + (double)k / rounds) / RUNS, wish.name);
        TS_TRY(ts_space_run_step(run, (uint64_t)llround(duration / s->step / rounds), error));
    }
    return ts_space_run_finish(run, error);
}

static ts_status claim_gr(ts_study *study, const subject *s, const ts_space_run *run, ts_error *error)
{
    const double end = run[GR].wish.duration, together[2] = {fmin(s->together[0], end), fmin(s->together[1], end)};
    TS_TRY(ts_claim_at_most(study, ts_space_run_drift(&run[GR], end), 1e-10, "1", error, "gr: change of energy in %g s",
                            end));
    TS_TRY(ts_claim_at_most(study, ts_space_run_parted(&run[GR], together[0]), 1e-6, "radii", error,
                            "gr: off its image in %g s", together[0]));
    TS_TRY(ts_claim_at_most(study, ts_space_run_deepest(&run[GR]), 0.05, "radii", error, "gr: deepest overlap"));
    TS_TRY(ts_claim_at_most(study, ts_space_run_drift(&run[FOURTH], end), 1e-10, "1", error,
                            "%s: change of energy in %g s", s->fourth, run[FOURTH].wish.duration));
    if (!(s->nudge > 0))
        return ts_claim_at_most(study, ts_space_run_parted(&run[FOURTH], together[1]), 1e-6, "radii", error,
                                "%s: off its image in %g s", s->fourth, together[1]);
    /* what rounding begins, the motion itself makes large: as large as that makes any other turn */
    double growth = ts_space_run_parted(&run[FOURTH], together[1]) / s->nudge;
    TS_TRY(ts_claim_at_least(study, growth, 100, "1", error, "%s: a turn grows in %g s by", s->fourth, together[1]));
    return ts_claim_at_most(study, ts_space_run_parted(&run[GR], together[1]) / growth, 1e-14, "radii", error,
                            "gr: off its image in %g s, over that", together[1]);
}

static ts_status claim(ts_study *study, const subject *s, const ts_space_run *run, ts_error *error)
{
    const double end = run[GR].wish.duration, left = ts_space_run_leaves(&run[EACH], 0.01);
    for (int i = 0; i < RUNS; i++)
        if (i != EACH) /* which need not get there */
            TS_TRY(ts_space_run_claim_end(study, &run[i], error));
    TS_TRY(claim_gr(study, s, run, error));
    TS_TRY(ts_claim_at_most(study, ts_space_run_drift(&run[PAIRS], end), 1e-10, "1", error,
                            "gauss-seidel: change of energy in %g s", end));
    TS_TRY(ts_claim_at_least(study, ts_space_run_parted(&run[PAIRS], fmin(s->together[0], end)), 0.1, "radii", error,
                             "gauss-seidel: off its image in %g s", fmin(s->together[0], end)));
    TS_TRY(ts_claim_at_most(study, left, end, "s", error, "jacobi: its energy is off by 1%% after"));
    TS_TRY(ts_claim_at_least(study, ts_space_run_drift(&run[EACH], end), 1, "1", error,
                             "jacobi: change of energy%s%.300s",
                             run[EACH].stop.status == TS_OK ? "" : "; ended by: ", run[EACH].stop.why));
    return ts_claim_at_most(study, ts_space_run_parted(&run[EACH], left), 1e-6, "radii", error,
                            "jacobi: off its image until then");
}

/* Jacobi's run ends before there is much to see. */
static ts_status draw(ts_study *study, const subject *s, const ts_space_run *run, ts_error *error)
{
    ts_space_panel panel[6];
    for (int i = 0; i < 6; i++)
        panel[i] = (ts_space_panel){.folder = run[i / 3].folder, .time = s->shot[i % 3], .label = by[i / 3]};
    ts_space_figure figure = {.file = s->file, .title = s->title, .panel = panel, .columns = 3, .rows = 2};
    TS_TRY(ts_space_draw(study, &figure, error));
    for (int i = GR; i <= PAIRS; i++)
        TS_TRY(ts_space_run_paths(study, s->file, s->title, &run[i], error));
    return ts_space_run_plot(study, s->file, s->title, run, RUNS, error);
}

static ts_status run_all(ts_study *study, const subject *s, ts_error *error)
{
    TS_AUTO(ts_space_run_close_each) ts_space_run run[RUNS] = {0};
    for (int i = 0; i < RUNS; i++)
        TS_TRY(run_one(&run[i], study, s, i, error));
    TS_TRY(claim(study, s, run, error));
    return draw(study, s, run, error);
}

ts_status ts_study_eight_cubes(ts_study *study, ts_error *error)
{
    return run_all(study,
                   &(subject){.file = "eight-cubes",
                              .title = "Eight cubes in a room",
                              .fourth = "gr-spinning",
                              .step = 0.01,
                              .quick = 100,
                              .full = 1000,
                              .together = {(double)INFINITY, 20},
                              .shot = {0, 4, 16},
                              .build = build_cubes,
                              .mark = mark_cubes},
                   error);
}

ts_status ts_study_trefoil(ts_study *study, ts_error *error)
{
    return run_all(study,
                   &(subject){.file = "trefoil",
                              .title = "A trefoil knot on a floor",
                              .fourth = "gr-spinning",
                              .gravity = 9.81,
                              .step = 0.01,
                              .quick = 100,
                              .full = 1000,
                              .together = {(double)INFINITY, (double)INFINITY},
                              .shot = {0, 0.5, 1.5},
                              .build = build_trefoil,
                              .mark = mark_trefoil},
                   error);
}

ts_status ts_study_two_bodies_box(ts_study *study, ts_error *error)
{
    return run_all(study,
                   &(subject){.file = "two-bodies-box",
                              .title = "Two bunnies in a box",
                              .fourth = "gr-nudged",
                              .gravity = 9.81,
                              .step = 0.005,
                              .quick = 10,
                              .full = 100,
                              .together = {3, 3},
                              .nudge = 1e-9,
                              .shot = {0, 1.2, 2.5},
                              .build = build_bunnies,
                              .mark = mark_bunnies},
                   error);
}
