/* SPDX-License-Identifier: MIT */
/* The study `manifold-impact`: smooth bodies under Generalized Reflections. Eight cubes in a room, as in the study
 * `eight-cubes` (Smith et al. 2012, Fig. 8, top), but superquadrics with ε = 0.1 instead of boxes: energy is
 * kept as well as with boxes; mirror images last for 20 s, and those of boxes for the whole run. Then bodies come to
 * rest on a floor (manifold_rest.h). */
#include "base/memory.h"
#include "study/manifold_rest.h"
#include "study/space_draw.h"
#include "study/space_run.h"
#include "study/studies.h"

enum { BOX, SMOOTH, RUNS };
TS_RELEASE_EACH(ts_space_run, RUNS, ts_space_run_close)

static const char *const name[RUNS] = {"boxes", "superquadrics"};
#define STEP 0.01 /* [s] */
#define HALF 0.5  /* of a cube [m] */
/* Faces of superquadrics bulge, and a head-on impact of two round bodies makes what is off the line larger, rounding as
 * well: images last for so long [s]. */
#define ROUND 20.0

static ts_status build(ts_space_run *run, int which, ts_error *error)
{
    const ts_piece_def piece =
        which == SMOOTH
            ? (ts_piece_def){.kind = TS_PIECE_SUPERQUADRIC, .size = {HALF, HALF, HALF}, .exponents = {0.1, 0.1}}
            : (ts_piece_def){.kind = TS_PIECE_BOX, .size = {2 * HALF, 2 * HALF, 2 * HALF}};
    ts_shape_def shape = ts_default_shape();
    shape.name = "cube";
    shape.piece = &piece;
    shape.piece_count = 1;
    TS_TRY(ts_scene_add_shape(run->rig.scene, &shape, NULL, error));
    for (int i = 0; i < 8; i++) {
        ts_body_def body = ts_default_body();
        for (int d = 0; d < 3; d++) {
            const double side = i & 1 << d ? 1 : -1;
            body.position[d] = 1.02 * HALF * side;
            body.velocity[d] = side;
        }
        TS_TRY(ts_scene_add_body(run->rig.scene, &body, NULL, error));
    }
    ts_wall_def room = ts_default_wall();
    room.kind = TS_WALL_ROOM;
    for (int d = 0; d < 3; d++) {
        room.position[d] = -5;
        room.size[d] = 10;
    }
    return ts_scene_add_wall(run->rig.scene, &room, NULL, error);
}

static ts_status run_one(ts_space_run *run, ts_study *study, int which, ts_error *error)
{
    const double duration = ts_study_full(study) ? 1000 : 50;
    TS_TRY(ts_space_run_open(
        run, study, &(ts_space_wish){name[which], {.by = "gr", .restitution = 1, .step = STEP}, duration, 0.1}, error));
    TS_TRY(build(run, which, error));
    TS_TRY(ts_space_run_start(run, error));
    for (int d = 0; d < 3; d++) {
        const ts_vec3 mirror = {d == 0 ? -1 : 1, d == 1 ? -1 : 1, d == 2 ? -1 : 1};
        TS_TRY(ts_space_run_symmetry(run, ts_mat3_diagonal(mirror), error));
    }
    for (int k = 0; k < 50; k++) {
        ts_study_report(study, 0.1 * (which + k / 50.0) / RUNS, name[which]);
        TS_TRY(ts_space_run_step(run, (uint64_t)llround(duration / STEP / 50), error));
    }
    return ts_space_run_finish(run, error);
}

ts_status ts_study_manifold_impact(ts_study *study, ts_error *error)
{
    TS_AUTO(ts_space_run_close_each) ts_space_run run[RUNS] = {0};
    for (int i = 0; i < RUNS; i++)
        TS_TRY(run_one(&run[i], study, i, error));
    for (int i = 0; i < RUNS; i++) {
        TS_TRY(ts_space_run_claim_end(study, &run[i], error));
        const double end = run[i].wish.duration;
        TS_TRY(ts_claim_at_most(study, ts_space_run_drift(&run[i], end), 1e-10, "1", error,
                                "%s: change of energy in %g s", name[i], end));
        const double together = i == SMOOTH ? ROUND : end;
        TS_TRY(ts_claim_at_most(study, ts_space_run_parted(&run[i], together), 1e-6, "radii", error,
                                "%s: off their mirror images in %g s", name[i], together));
        TS_TRY(ts_claim_at_most(study, ts_space_run_deepest(&run[i]), 0.05, "radii", error, "%s: deepest overlap",
                                name[i]));
    }
    ts_space_panel panel[6];
    const double at[3] = {0, 4, 16};
    for (int i = 0; i < 6; i++)
        panel[i] = (ts_space_panel){run[i / 3].folder, at[i % 3], name[i / 3], NULL};
    TS_TRY(
        ts_space_draw(study, &(ts_space_figure){"manifold-impact", "Eight cubes in a room", panel, 3, 2, 1280}, error));
    return ts_manifold_rest(study, (double[2]){0.1, 0.85}, error);
}
