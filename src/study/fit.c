/* SPDX-License-Identifier: MIT */
/* The study `fit`: smooth bodies from meshes.
 *
 *     pieces of our own ──▶ their surface as a fine mesh ──▶ fit of as many superquadrics, which sees the mesh alone
 *                                                        ──▶ errors by points that the fit has not seen, contact mesh
 *
 * and scans, where the environment variable TOUCHSTONE_MESHES names a folder that has them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "record/draw_fit.h"
#include "scene/smooth_file.h"
#include "shape/mesh_iso.h"
#include "shape/mesh_read.h"
#include "shape/superquadric_fit.h"
#include "study/figure.h"
#include "study/smooth_models.h"
#include "study/studies.h"

#define CELLS    90 /* of the fine mesh, along its longest side */
#define MEASURED 90 /* of the mesh that errors are measured on */

/* What the publication has: superquadrics, vertices and edges. */
static const struct subject {
    const char *name, *what;
    int count;
    size_t vertices, edges;
} own[] = {{"animal", "armoured animal", 18, 305, 909},
           {"plane", "toy plane", 32, 584, 1746},
           {"drill", "drill", 17, 276, 822},
           {"screwdriver", "screwdriver", 5, 165, 489}},
  scan[] = {{"armadillo.obj", "armadillo", 24, 305, 909},
            {"toy_airplane.obj", "scanned plane", 32, 584, 1746},
            {"drill.obj", "scanned drill", 17, 276, 822},
            {"screwdriver.obj", "scanned screwdriver", 5, 165, 489}};

enum { OWN = sizeof own / sizeof *own, SCANS = sizeof scan / sizeof *scan, ALL = OWN + SCANS };

/* One fit. */
typedef struct result {
    ts_mesh *mesh;
    ts_sdf_body *body;
    ts_fit_errors errors;
    double seconds; /* of one thread */
    char label[96];
} result;

typedef struct results {
    result item[ALL];
    size_t count;
} results;

static void free_results(results *all)
{
    for (size_t i = 0; i < all->count; i++) {
        ts_mesh_free(all->item[i].mesh);
        ts_sdf_body_free(all->item[i].body);
    }
}

/* ---- Meshes ---- */

typedef struct surface {
    const ts_sdf *sdf;
    ts_sdf_rule rule;
} surface;

static double value_of(void *user, ts_vec3 point)
{
    const surface *s = user;
    return ts_sdf_at(s->sdf, &s->rule, point);
}

/* A fine mesh of a body of our own. */
static ts_status lay_mesh(const struct subject *which, ts_mesh **mesh, ts_error *error)
{
    TS_AUTO(ts_sdf_body_free_at) ts_sdf_body *body = NULL;
    TS_TRY(ts_smooth_model(which->name, &body, error));
    surface s = {body->sdf, ts_sdf_default_rule(body->sdf)};
    const double more = 0.02 * ts_sdf_length(body->sdf);
    ts_box3 box = ts_sdf_bounds(body->sdf);
    box.low = ts_vec3_sub(box.low, (ts_vec3){more, more, more});
    box.high = ts_vec3_add(box.high, (ts_vec3){more, more, more});
    return ts_mesh_iso(value_of, &s, box, CELLS, mesh, error);
}

static ts_status read_scan(const char *path, ts_mesh **mesh, ts_error *error)
{
    char *bytes = NULL;
    size_t size;
    TS_TRY(ts_file_read(path, TS_MESH_BYTES_MAX, &bytes, &size, error));
    const ts_status status = ts_mesh_parse(bytes, size, TS_MESH_AUTO, path, mesh, error);
    ts_free(bytes);
    return status;
}

/* ---- One fit ---- */

static ts_status fit(const struct subject *which, ts_pool *pool, result *r, ts_error *error)
{
    TS_AUTO(ts_sdf_free_at) ts_sdf *sdf = NULL;
    TS_AUTO(ts_mesh_free_at) ts_mesh *mesh = NULL;
    const double begin = ts_clock_processor_seconds();
    /* on one thread, whose time is claimed */
    TS_TRY(ts_superquadric_fit(r->mesh, &(ts_fit_wish){.count = which->count}, &sdf, error));
    r->seconds = ts_clock_processor_seconds() - begin;
    TS_TRY(ts_fit_measure_errors(r->mesh, sdf, &(ts_fit_measure){.cells = MEASURED, .pool = pool}, &r->errors, error));
    const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    TS_TRY(ts_sdf_mesh(sdf, &rule, &(ts_sdf_mesh_wish){.vertices = which->vertices}, &mesh, error));
    TS_TRY(ts_sdf_body_create(sdf, mesh, &r->body, error));
    sdf = NULL;
    mesh = NULL;
    snprintf(r->label, sizeof r->label, "%s, %zu triangles", which->what, r->mesh->triangle_count);
    return TS_OK;
}

static ts_status claim(ts_study *study, const struct subject *which, const result *r, bool scanned, ts_error *error)
{
    const ts_fit_errors *e = &r->errors;
    const char *name = which->what;
    /* of scans it is the armadillo that goals are set for; the others are told */
    const bool judged = !scanned || strcmp(name, "armadillo") == 0;
    TS_TRY(ts_claim_at_most(study, (double)ts_sdf_count(r->body->sdf), which->count, "1", error, "%s: superquadrics",
                            name));
    TS_TRY(ts_claim_at_least(study, e->overlap, judged ? 0.9 : 0.8, "1", error, "%s: overlap (IoU)", name));
    TS_TRY(ts_claim_at_most(study, 100 * e->mean, 0.7, "%", error, "%s: mean error over the length", name));
    TS_TRY(
        ts_claim_at_most(study, 100 * e->worst, judged ? 6 : 9, "%", error, "%s: largest error over the length", name));
    if (scanned)
        return ts_claim_at_most(study, r->seconds, 10, "s", error, "%s: time of one thread", name);
    TS_TRY(ts_claim_near(study, (double)r->body->mesh->vertex_count, (double)which->vertices, 0, "1", error,
                         "%s: vertices", name));
    return ts_claim_near(study, 1.5 * (double)r->body->mesh->triangle_count, (double)which->edges, 0, "1", error,
                         "%s: edges", name);
}

/* ---- The picture ---- */

typedef struct picture {
    const result *item;
    size_t count;
    const char *title;
} picture;

static ts_status draw(ts_study *study, const void *figure, const char *path, ts_error *error)
{
    const picture *p = figure;
    ts_fit_picture fit_of[ALL];
    TS_AUTO(ts_pool_free_at) ts_pool *pool = NULL;
    TS_TRY(ts_pool_create(ts_study_threads(study), &pool, error));
    for (size_t i = 0; i < p->count; i++)
        fit_of[i] = (ts_fit_picture){p->item[i].mesh, p->item[i].body, p->item[i].label};
    return ts_draw_fits(path, fit_of, p->count, &(ts_smooth_look){.title = p->title, .width = 1200, .pool = pool},
                        error);
}

/* ---- The study ---- */

static ts_status run_one(ts_study *study, const struct subject *which, const char *folder, ts_pool *pool, results *all,
                         ts_error *error)
{
    result *r = &all->item[all->count];
    if (folder) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, which->name);
        if (!ts_file_exists(path))
            return TS_OK;
        TS_TRY(read_scan(path, &r->mesh, error));
    } else {
        TS_TRY(lay_mesh(which, &r->mesh, error));
    }
    all->count++;
    TS_TRY(fit(which, pool, r, error));
    return claim(study, which, r, folder, error);
}

ts_status ts_study_fit(ts_study *study, ts_error *error)
{
    TS_AUTO(free_results) results all = {0};
    TS_AUTO(ts_pool_free_at) ts_pool *pool = NULL;
    TS_TRY(ts_pool_create(ts_study_threads(study), &pool, error));
    const char *folder = getenv("TOUCHSTONE_MESHES");
    const size_t count = folder && *folder ? ALL : OWN;
    for (size_t i = 0; i < count; i++) {
        const struct subject *which = i < OWN ? &own[i] : &scan[i - OWN];
        ts_study_report(study, (double)i / (double)count, which->what);
        TS_TRY(run_one(study, which, i < OWN ? NULL : folder, pool, &all, error));
    }
    const picture models = {all.item, OWN, "Fits of superquadrics: mesh, superquadrics, contact mesh"};
    TS_TRY(ts_figure_write(study, "fit", "png", draw, &models, error));
    const picture scans = {all.item + OWN, all.count - OWN, "Fits to scans: mesh, superquadrics, contact mesh"};
    return scans.count > 1 ? ts_figure_write(study, "scans", "png", draw, &scans, error) : TS_OK;
}
