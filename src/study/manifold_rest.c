/* SPDX-License-Identifier: MIT */
/* A body is released just above a floor, near a pose in which it can rest, once for each kind of contacts:
 *
 *     as a smooth body (contacts of its manifold)       impact, soft-step, penalty
 *     as a shape "mesh" of its zero set, with finer     impact, soft-step
 *     triangles (contacts of meshes)
 *
 * All must come to rest in one pose. A pose is the height of the centre of mass, and which direction of the body is up;
 * its heading and its place on the floor are decided by how friction acted on the way, and are not compared. */
#include "study/manifold_rest.h"

#include <stdio.h>

#include "base/memory.h"
#include "model.h"
#include "shape/solid_mass.h"
#include "study/falls.h"
#include "study/smooth_bodies.h"
#include "study/smooth_models.h"
#include "study/space_draw.h"

/* A body, and how it begins: turned by `pose`, near to a rest pose, and then by `tilt` about a horizontal axis. */
typedef struct subject {
    const char *name;
    const char *model; /* of scenes/smooth; NULL: a superquadric */
    double half[3];    /* superquadric: half axes [m] */
    double exponent;   /* superquadric */
    double pose[3];    /* axis, its length is the angle [rad] */
    double tilt[3];    /* likewise */
    bool dear;         /* left out by a quick study under penalty */
} subject;

/* The screwdriver was tried and left out: its handle is round and rolls, so that it has no single rest pose. */
static const subject subjects[] = {
    {.name = "box", .half = {0.1, 0.07, 0.05}, .exponent = 0.2, .tilt = {0.06, 0.09, 0}},
    {.name = "drill", .model = "drill", .pose = {TS_PI / 2, 0, 0}, .tilt = {0.06, -0.05, 0}},
    {.name = "animal", .model = "animal", .tilt = {0.04, 0.03, 0}, .dear = true},
    {.name = "plane", .model = "plane", .tilt = {0.04, 0.03, 0}, .dear = true},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

enum { IMPACT, SOFT, PENALTY, MESH_IMPACT, MESH_SOFT, KINDS };
static const struct {
    const char *name, *dynamics;
    bool mesh;
    const char *label; /* of pictures */
} kind[KINDS] = {
    [IMPACT] = {"impact", "impact", false, "impact"},
    [SOFT] = {"soft-step", "soft-step", false, "soft-step"},
    [PENALTY] = {"penalty", "penalty", false, "penalty"},
    [MESH_IMPACT] = {"mesh, impact", "impact", true, "mesh, impact"},
    [MESH_SOFT] = {"mesh, soft-step", "soft-step", true, "mesh, soft"},
};

#define VERTICES 1500 /* of shapes "mesh" */
#define CELLS    12   /* squares a side of the superquadric's mesh */
#define GRAVITY  9.81
#define FRICTION 0.5
#define SINK     1e-3  /* under penalty, over the length */
#define BOUNCE   0.3   /* restitution under penalty; 0 under the others */
#define GAP      0.005 /* between body and floor at first, over the length */

/* What runs may differ by, and how slow a body must be to be at rest: set before the first run. */
#define HEIGHT 0.005 /* over the length */
#define TILT   2.0   /* [degrees] */
#define SPEED  0.01  /* fastest point, over √(g · length) */

typedef struct trial {
    const subject *of;
    int kind;
    char name[32]; /* of its folder */
    ts_fall run;
} trial;

static ts_status model_of(const subject *s, ts_sdf_body **model, ts_error *error)
{
    return s->model ? ts_smooth_model(s->model, model, error)
                    : ts_smooth_superquadric(ts_vec3_of(s->half), s->exponent, CELLS, model, error);
}

/* The zero set as a shape of kind "mesh". */
static ts_status add_mesh(ts_scene *scene, const ts_sdf_body *model, int32_t *shape, ts_error *error)
{
    TS_AUTO(ts_mesh_free_at) ts_mesh *mesh = NULL;
    const ts_sdf_rule rule = ts_sdf_default_rule(model->sdf);
    TS_TRY(ts_sdf_mesh(model->sdf, &rule, &(ts_sdf_mesh_wish){.vertices = VERTICES}, &mesh, error));
    const ts_piece_def piece = {.kind = TS_PIECE_MESH,
                                .point = (const double(*)[3])mesh->vertex,
                                .point_count = mesh->vertex_count,
                                .triangle = (const int32_t(*)[3])mesh->triangle,
                                .triangle_count = mesh->triangle_count};
    ts_shape_def made = ts_default_shape();
    made.name = "body";
    made.piece = &piece;
    made.piece_count = 1;
    return ts_scene_add_shape(scene, &made, shape, error);
}

/* Under penalty a body sinks in by SINK when it rests on one contact. A derived stiffness is that of the smallest
 * piece, and e = 0 an endless dashpot; both together would take some thirty times as many steps. */
static ts_status soften(ts_scene *scene, const ts_sdf_body *model, ts_error *error)
{
    ts_material_def material = ts_default_material();
    ts_solid_mass mass;
    TS_TRY(ts_solid_mass_of_mesh(model->mesh, &mass, error));
    material.friction = FRICTION;
    material.restitution = BOUNCE;
    material.stiffness = material.density * mass.volume * GRAVITY / (SINK * ts_sdf_length(model->sdf));
    return ts_scene_set_default_material(scene, &material, error);
}

static ts_status build(const void *user, ts_scene *scene, ts_error *error)
{
    const trial *t = user;
    TS_AUTO(ts_sdf_body_free_at) ts_sdf_body *model = NULL;
    ts_body_def body = ts_default_body();
    double z[2];
    const ts_quat turn = ts_quat_mul(ts_quat_exp(ts_vec3_of(t->of->tilt)), ts_quat_exp(ts_vec3_of(t->of->pose)));
    TS_TRY(model_of(t->of, &model, error));
    TS_TRY(ts_smooth_heights(model, turn, z, error));
    TS_TRY(kind[t->kind].mesh ? add_mesh(scene, model, &body.shape, error)
                              : ts_smooth_add_shape(scene, "body", model, &body.shape, error));
    TS_TRY(ts_smooth_add_floor(scene, error));
    if (t->kind == PENALTY)
        TS_TRY(soften(scene, model, error));
    body.position[2] = GAP * ts_sdf_length(model->sdf) - z[0];
    body.attitude[0] = turn.w;
    body.attitude[1] = turn.x;
    body.attitude[2] = turn.y;
    body.attitude[3] = turn.z;
    return ts_scene_add_body(scene, &body, NULL, error);
}

/* Steps of penalty are 3 to 30 µs long, so that it has less time. Other runs have settled after a second. */
static ts_status run_all(ts_study *study, trial *all, const double span[2], ts_error *error)
{
    for (int i = 0; i < SUBJECTS * KINDS; i++) {
        trial *t = &all[i];
        *t = (trial){.of = &subjects[i / KINDS], .kind = i % KINDS};
        snprintf(t->name, sizeof t->name, "rest-%d-%d", i / KINDS + 1, t->kind + 1);
        if (t->kind == PENALTY && t->of->dear && !ts_study_full(study))
            continue;
        const ts_fall_wish fall = {.name = t->name,
                                   .dynamics = kind[t->kind].dynamics,
                                   .friction = FRICTION,
                                   .restitution = 0,
                                   .duration = t->kind == PENALTY ? 0.5 : 2,
                                   .frame = 0.02,
                                   .build = build,
                                   .user = t};
        const double part = span[1] / (SUBJECTS * KINDS);
        TS_TRY(ts_fall_run(&t->run, study, &fall, (double[2]){span[0] + part * i, part}, error));
    }
    return TS_OK;
}

/* ---- Telling ---- */

static bool was_run(const trial *t)
{
    return t->run.rig.state != NULL;
}

typedef struct pose {
    double height; /* of the centre of mass [m] */
    ts_vec3 up;    /* in the body's frame */
    double speed;  /* of the fastest point, at most [m/s] */
} pose;

static pose pose_of(const trial *t)
{
    const ts_pose3 at = ts_fall_pose(&t->run, 0);
    return (pose){at.position.z, ts_quat_apply(ts_quat_conjugate(at.quat), (ts_vec3){0, 0, 1}),
                  t->run.speed + t->run.spin * ts_model_radius(t->run.rig.model, 0)};
}

/* [degrees] */
static double angle(ts_vec3 a, ts_vec3 b)
{
    return atan2(ts_vec3_length(ts_vec3_cross(a, b)), ts_vec3_dot(a, b)) * 180 / TS_PI;
}

static ts_status claim_subject(ts_study *study, const trial *run, FILE *sheet, ts_error *error)
{
    TS_AUTO(ts_sdf_body_free_at) ts_sdf_body *model = NULL;
    TS_TRY(model_of(run->of, &model, error));
    const double length = ts_sdf_length(model->sdf), fast = sqrt(GRAVITY * length);
    const pose first = pose_of(&run[IMPACT]);
    for (int k = 0; k < KINDS; k++) {
        if (!was_run(&run[k]))
            continue;
        const pose p = pose_of(&run[k]);
        const char *what = run->of->name, *by = kind[k].name;
        const double off = fabs(p.height - first.height) / length, tilt = angle(p.up, first.up);
        fprintf(sheet, "\"%s\",\"%s\",%.9g,%.9g,%.9g,%.9g,%.6g,%.6g,%.6g,%.6g,%.0f\n", what, by, p.height, p.up.x,
                p.up.y, p.up.z, off, tilt, p.speed / fast, run[k].run.step, run[k].run.contacts);
        TS_TRY(ts_claim_at_most(study, p.speed / fast, SPEED, "1", error,
                                "%s, %s: speed at the end, over √(g · length)%s%.300s", what, by,
                                run[k].run.doubt[0] ? "; in doubt: " : "", run[k].run.doubt));
        if (k == IMPACT)
            continue;
        TS_TRY(ts_claim_at_most(study, off, HEIGHT, "1", error,
                                "%s, %s: height of the centre, from impact's, over the length", what, by));
        TS_TRY(
            ts_claim_at_most(study, tilt, TILT, "°", error, "%s, %s: direction that is up, from impact's", what, by));
    }
    return TS_OK;
}

static ts_status tell(ts_study *study, const trial *all, ts_error *error)
{
    ts_draft draft;
    TS_TRY(ts_study_sheet_open(study, "rest-poses.csv", &draft, error));
    fprintf(draft.stream, "body,contacts_by,height_m,up_x,up_y,up_z,height_off,tilt_deg,speed,step_s,contacts\n");
    ts_status status = TS_OK;
    for (int i = 0; i < SUBJECTS && status == TS_OK; i++)
        status = claim_subject(study, &all[i * KINDS], draft.stream, error);
    const ts_status closed = ts_study_sheet_close(study, &draft, error);
    return status == TS_OK ? closed : status;
}

static ts_status draw(ts_study *study, const trial *all, ts_error *error)
{
    enum { COLUMNS = KINDS + 1 };
    ts_space_panel panel[SUBJECTS * COLUMNS];
    for (int i = 0; i < SUBJECTS; i++) {
        const trial *of = &all[i * KINDS];
        panel[i * COLUMNS] = (ts_space_panel){of[IMPACT].run.folder, 0, "start", NULL};
        for (int k = 0; k < KINDS; k++)
            panel[i * COLUMNS + 1 + k] =
                (ts_space_panel){was_run(&of[k]) ? of[k].run.folder : NULL, TS_NONE, kind[k].label, NULL};
    }
    return ts_space_draw(
        study, &(ts_space_figure){"rest-poses", "Rest poses by five kinds of contacts", panel, COLUMNS, SUBJECTS, 1920},
        error);
}

static void close_all(trial *all)
{
    for (int i = 0; all && i < SUBJECTS * KINDS; i++)
        ts_fall_close(&all[i].run);
    ts_free(all);
}
TS_RELEASE_AT(trial, close_all)

ts_status ts_manifold_rest(ts_study *study, const double span[2], ts_error *error)
{
    TS_AUTO(close_all_at) trial *all = NULL;
    TS_TRY(ts_new(&all, SUBJECTS * KINDS, error));
    TS_TRY(run_all(study, all, span, error));
    TS_TRY(tell(study, all, error));
    return draw(study, all, error);
}
