/* SPDX-License-Identifier: MIT */
/* The study `rollouts`: smooth bodies that are not convex fall on each other and onto a floor, by several dynamics, with
 * contacts of edges and without.
 *
 *     pairs    an armoured animal on another one, a toy plane on a drill, the drill on a screwdriver (scenes/smooth)
 *     bars     a long bar falls across another one that is fixed: where meshes are coarse, no vertex is near
 *
 *                   ┌──┐
 *            ═══════│  │═══════      8 vertices, all of them far from here
 *                   └──┘
 *
 * Energy is that of motion, height and contacts. It may not rise above what it was, all come to rest, and nothing is deep
 * in anything: that is measured with points of the meshes in the other body's distance, not by contacts. */
#include <stdio.h>

#include "base/memory.h"
#include "record/draw_sides.h"
#include "shape/mesh_make.h"
#include "study/falls.h"
#include "study/smooth_bodies.h"
#include "study/smooth_models.h"
#include "study/space_draw.h"
#include "study/studies.h"

/* ---- Pairs ---- */

typedef struct pair {
    const char *name;
    const char *model[2]; /* the lower one, and the one that falls on it */
    double axis[3];       /* the upper one begins turned about this, by its length [rad] */
} pair;

static const pair pairs[] = {
    {"animals", {"animal", "animal"}, {0.4, 0.3, 1.2}},
    {"plane-drill", {"drill", "plane"}, {0.2, 0.1, 0.6}},
    {"drill-screwdriver", {"screwdriver", "drill"}, {0.1, 0.2, 0.8}},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

enum { SOFT, IMPACT, PENALTY, LAWS };
static const char *const law[LAWS] = {"soft-step", "impact", "penalty"};

/* What is run: a pair or bars, by a law, with edges or without. */
typedef struct wish {
    char name[64];
    int subject; /* a pair; PAIRS: coarse bars, PAIRS + 1: dense ones */
    int law;
    bool edges;
} wish;

enum { COARSE = PAIRS, DENSE, SUBJECTS };
#define LENGTH      0.2  /* of the smallest body of the pairs [m] */
#define HALF_LENGTH 0.3  /* of bars [m] */
#define HALF_WIDTH  0.03 /* likewise */

static ts_status build_pair(const pair *p, ts_scene *scene, ts_error *error)
{
    TS_TRY(ts_smooth_add_floor(scene, error));
    double top = 0;
    for (int i = 0; i < 2; i++) {
        TS_AUTO(ts_sdf_body_free_at) ts_sdf_body *model = NULL;
        ts_body_def body = ts_default_body();
        double z[2];
        const ts_vec3 axis = i ? ts_vec3_of(p->axis) : (ts_vec3){0, 0, 0};
        const ts_quat turn = ts_quat_exp(axis);
        TS_TRY(ts_smooth_model(p->model[i], &model, error));
        TS_TRY(ts_smooth_heights(model, turn, z, error));
        TS_TRY(ts_smooth_add_shape(scene, i ? "upper" : "lower", model, &body.shape, error));
        const double length = ts_sdf_length(model->sdf);
        body.position[2] = top + 0.02 * length - z[0];
        top = body.position[2] + z[1];
        body.position[0] = 0.05 * length * i;
        body.attitude[0] = turn.w;
        body.attitude[1] = turn.x;
        body.attitude[2] = turn.y;
        body.attitude[3] = turn.z;
        TS_TRY(ts_scene_add_body(scene, &body, NULL, error));
    }
    return TS_OK;
}

/* ---- Bars ---- */

/* A box of planes. Coarse: its 8 corners. Dense: some 1,000 vertices, evenly spread. */
static ts_status make_bar(bool dense, ts_sdf_body **bar, ts_error *error)
{
    const ts_vec3 half = {HALF_LENGTH, HALF_WIDTH, HALF_WIDTH},
                  normal[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    ts_vec3 point[6];
    for (int i = 0; i < 6; i++)
        point[i] = ts_vec3_times(normal[i], half);
    const ts_primitive box = {.kind = TS_PRIMITIVE_POLYHEDRON,
                              .pose = ts_pose3_identity(),
                              .point = point,
                              .normal = (ts_vec3 *)normal,
                              .count = 6};
    TS_AUTO(ts_sdf_free_at) ts_sdf *sdf = NULL;
    TS_AUTO(ts_mesh_free_at) ts_mesh *mesh = NULL;
    TS_TRY(ts_sdf_create(&box, 1, &sdf, error));
    const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    if (dense)
        TS_TRY(ts_sdf_mesh(sdf, &rule, &(ts_sdf_mesh_wish){.vertices = 1000}, &mesh, error));
    else
        TS_TRY(ts_mesh_make_box(half, 1, &mesh, error));
    TS_TRY(ts_sdf_body_create(sdf, mesh, bar, error));
    sdf = NULL;
    mesh = NULL;
    return TS_OK;
}

static ts_status build_bars(bool dense, ts_scene *scene, ts_error *error)
{
    TS_AUTO(ts_sdf_body_free_at) ts_sdf_body *bar = NULL;
    ts_body_def body = ts_default_body();
    TS_TRY(make_bar(dense, &bar, error));
    TS_TRY(ts_smooth_add_shape(scene, "bar", bar, &body.shape, error));
    TS_TRY(ts_smooth_add_floor(scene, error));
    body.fixed = true;
    body.position[2] = 0.5;
    TS_TRY(ts_scene_add_body(scene, &body, NULL, error));
    body.fixed = false;
    body.position[0] = 0.013; /* not where edges meet at their middles */
    body.position[1] = 0.007;
    body.position[2] = 0.5 + 2 * HALF_WIDTH + 0.02;
    body.attitude[0] = body.attitude[3] = sqrt(0.5);
    return ts_scene_add_body(scene, &body, NULL, error);
}

static ts_status build(const void *user, ts_scene *scene, ts_error *error)
{
    const wish *w = user;
    ts_manifold_options options = ts_manifold_default_options();
    options.edges = w->edges;
    TS_TRY(ts_scene_set_manifold(scene, &options, error));
    return w->subject < PAIRS ? build_pair(&pairs[w->subject], scene, error)
                              : build_bars(w->subject == DENSE, scene, error);
}

/* ---- All runs ---- */

enum { RUNS_MAX = SUBJECTS * 2 * LAWS };

typedef struct rollouts {
    ts_study *study;
    size_t count;
    wish wish[RUNS_MAX];
    ts_fall run[RUNS_MAX];
} rollouts;

static void add_run(rollouts *all, int subject, int by, bool edges)
{
    wish *w = &all->wish[all->count++];
    *w = (wish){.subject = subject, .law = by, .edges = edges};
    const char *of = subject < PAIRS ? pairs[subject].name : subject == DENSE ? "dense-bars" : "coarse-bars";
    snprintf(w->name, sizeof w->name, "%.30s-%s%s", of, law[by], edges ? "" : "-no-edges");
}

/* The penalty law's steps are some microseconds long: pairs by it take minutes, and wait for --full. */
static void list_runs(rollouts *all)
{
    const bool full = ts_study_full(all->study);
    for (int subject = 0; subject < SUBJECTS; subject++)
        for (int by = 0; by < (full ? LAWS : PENALTY); by++)
            for (int edges = 1; edges >= 0; edges--)
                add_run(all, subject, by, edges);
}

static ts_status run_all(rollouts *all, ts_error *error)
{
    for (size_t i = 0; i < all->count; i++) {
        const wish *w = &all->wish[i];
        const ts_fall_wish fall = {.name = w->name,
                                   .dynamics = law[w->law],
                                   .friction = 0.5,
                                   .restitution = 0,
                                   .duration = w->subject < PAIRS ? 6 : 2,
                                   .frame = 0.02,
                                   .build = build,
                                   .user = w};
        const double part = 0.9 / (double)all->count;
        TS_TRY(ts_fall_run(&all->run[i], all->study, &fall, (double[2]){part * (double)i, part}, error));
    }
    return TS_OK;
}

static const ts_fall *find(const rollouts *all, int subject, int by, bool edges)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->wish[i].subject == subject && all->wish[i].law == by && all->wish[i].edges == edges)
            return &all->run[i];
    return NULL;
}

/* ---- Telling ---- */

/* Where the upper bar lies: on the lower one, or on the floor. */
#define ON_BAR (0.5 + 2 * HALF_WIDTH)

static ts_status claim_sound(ts_study *study, const ts_fall *f, ts_error *error)
{
    const bool bad = f->stopped != TS_OK || f->doubt[0];
    return ts_claim_at_most(study, bad, 0, "1", error, "%s: runs that stopped early or are in doubt%s%.300s",
                            f->wish.name, f->doubt[0] ? ": " : "", f->doubt);
}

static ts_status claim_pair(ts_study *study, const ts_fall *f, ts_error *error)
{
    TS_TRY(claim_sound(study, f, error));
    TS_TRY(ts_claim_at_most(study, f->rise, 0.01, "1", error,
                            "%s: largest rise of energy, over the %.3g J that are lost", f->wish.name, f->lost));
    /* what is round may still rock or roll: nothing but slip and impacts takes its energy */
    TS_TRY(ts_claim_at_most(
        study, f->kinetic / f->lost, 2e-3, "1", error,
        "%s: energy of motion at the end, over what is lost (farthest motion in the last second: %.2g m)", f->wish.name,
        f->creep));
    return ts_claim_at_most(study, fmax(f->deepest, f->sunk), 0.015 * LENGTH, "m", error,
                            "%s: deepest place in each other or in the floor, in any frame", f->wish.name);
}

static ts_status claim_bars(ts_study *study, const wish *w, const ts_fall *f, ts_error *error)
{
    const double height = ts_fall_pose(f, 1).position.z;
    TS_TRY(claim_sound(study, f, error));
    if (w->subject == COARSE && !w->edges)
        return ts_claim_at_most(study, height, 0.5 - 2 * HALF_WIDTH, "m", error,
                                "%s: falls through the lower bar (middle at 0.5 m): height at the end", f->wish.name);
    TS_TRY(ts_claim_near(study, height, ON_BAR, 2e-3, "m", error, "%s: rests on the lower bar: height", f->wish.name));
    TS_TRY(ts_claim_at_most(study, f->creep, 1e-4, "m", error, "%s: motion in the last second", f->wish.name));
    return ts_claim_at_most(study, f->rise, 0.01, "1", error, "%s: largest rise of energy, over what is lost",
                            f->wish.name);
}

static ts_status claim(const rollouts *all, ts_error *error)
{
    for (size_t i = 0; i < all->count; i++) {
        if (all->wish[i].subject >= PAIRS)
            TS_TRY(claim_bars(all->study, &all->wish[i], &all->run[i], error));
        else
            TS_TRY(claim_pair(all->study, &all->run[i], error));
    }
    return TS_OK;
}

static ts_status write_table(const rollouts *all, ts_error *error)
{
    ts_draft draft;
    TS_TRY(ts_study_sheet_open(all->study, "rollouts.csv", &draft, error));
    fprintf(draft.stream,
            "run,step_s,lost_J,rise,creep_m,speed_m_s,spin_rad_s,deepest_m,deepest_end_m,sunk_m,contacts,height_m\n");
    for (size_t i = 0; i < all->count; i++) {
        const ts_fall *f = &all->run[i];
        fprintf(draft.stream, "%s,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.0f,%.6g\n", f->wish.name, f->step,
                f->lost, f->rise, f->creep, f->speed, f->spin, f->deepest, f->deepest_end, f->sunk, f->contacts,
                ts_fall_pose(f, 1).position.z);
    }
    return ts_study_sheet_close(all->study, &draft, error);
}

/* Three instants of each pair, and bars with edges and without. */
static ts_status draw(const rollouts *all, ts_error *error)
{
    const double at[3] = {0, 0.25, TS_NONE};
    ts_space_panel panel[3 * PAIRS];
    for (int k = 0; k < 3 * PAIRS; k++)
        panel[k] = (ts_space_panel){find(all, k / 3, IMPACT, true)->folder, at[k % 3], pairs[k / 3].name, NULL};
    TS_TRY(ts_space_draw(
        all->study, &(ts_space_figure){"rollouts", "Smooth bodies fall on each other", panel, 3, PAIRS, 1280}, error));
    const ts_space_panel bars[6] = {{find(all, COARSE, SOFT, true)->folder, 0, "8 vertices, edges", NULL},
                                    {find(all, COARSE, SOFT, false)->folder, 0, "8 vertices, no edges", NULL},
                                    {find(all, DENSE, SOFT, false)->folder, 0, "1,000 vertices, no edges", NULL},
                                    {find(all, COARSE, SOFT, true)->folder, TS_NONE, "8 vertices, edges", NULL},
                                    {find(all, COARSE, SOFT, false)->folder, TS_NONE, "8 vertices, no edges", NULL},
                                    {find(all, DENSE, SOFT, false)->folder, TS_NONE, "1,000 vertices, no edges", NULL}};
    return ts_space_draw(all->study, &(ts_space_figure){"bars", "A bar falls across another one", bars, 3, 2, 1280},
                         error);
}

/* Each pair from four sides, and beside itself without edges. */
static ts_status film(const rollouts *all, ts_error *error)
{
    for (int p = 0; p < PAIRS; p++) {
        const ts_fall *with = find(all, p, IMPACT, true), *without = find(all, p, IMPACT, false);
        char file[80];
        ts_space_panel side[TS_SIDES];
        for (int k = 0; k < TS_SIDES; k++)
            side[k] = (ts_space_panel){with->folder, 0, ts_side_of[k].text, &ts_side_of[k]};
        snprintf(file, sizeof file, "%.40s-four-sides", pairs[p].name);
        TS_TRY(ts_space_film(all->study, &(ts_space_figure){file, NULL, side, TS_SIDES_COLUMNS, TS_SIDES_ROWS, 1280},
                             error));
        const ts_space_panel both[2] = {{with->folder, 0, "edges", NULL}, {without->folder, 0, "no edges", NULL}};
        snprintf(file, sizeof file, "%.40s-edges", pairs[p].name);
        TS_TRY(ts_space_film(all->study, &(ts_space_figure){file, NULL, both, 2, 1, 1280}, error));
    }
    return TS_OK;
}

static void close_all(rollouts *all)
{
    for (size_t i = 0; i < all->count; i++)
        ts_fall_close(&all->run[i]);
    ts_free(all);
}
TS_RELEASE_AT(rollouts, close_all)

ts_status ts_study_rollouts(ts_study *study, ts_error *error)
{
    TS_AUTO(close_all_at) rollouts *all = NULL;
    TS_TRY(ts_new(&all, 1, error));
    all->study = study;
    list_runs(all);
    TS_TRY(run_all(all, error));
    TS_TRY(claim(all, error));
    TS_TRY(write_table(all, error));
    TS_TRY(draw(all, error));
    return ts_study_full(study) ? film(all, error) : TS_OK;
}
