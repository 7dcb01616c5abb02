/* SPDX-License-Identifier: MIT */
#include "cli/shape_fit.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/format.h"
#include "cli/places.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/subjects.h"
#include "record/draw_fit.h"
#include "scene/smooth_file.h"
#include "shape/mesh_read.h"
#include "shape/superquadric_fit.h"
#include "study/output.h"

enum { path_size = 4096 };

/* About where the time goes: the fit, its errors, the mesh. */
static const double until_fit = 0.7, until_errors = 0.95;

typedef struct task {
    const ts_shape_fit_wish *wish;
    const char *path;
    ts_progress progress;
    ts_pool *pool;
    ts_mesh *mesh; /* as read */
    ts_sdf_body *body;
    ts_fit_errors errors;
    double seconds; /* that the fit took */
    char out[path_size], png[path_size];
} task;

static void free_task(task *t)
{
    ts_progress_clear(&t->progress);
    ts_sdf_body_free(t->body);
    ts_mesh_free(t->mesh);
    ts_pool_free(t->pool);
}

/* ---- Words ---- */

static ts_shown percent(double share)
{
    ts_shown shown;
    snprintf(shown.text, sizeof shown.text, share < 0.1 ? "%.2f %%" : "%.1f %%", 100 * share);
    return shown;
}

static void print_errors(ts_listing *listing, const task *t)
{
    const ts_fit_errors *e = &t->errors;
    ts_listing_row(listing, "  overlap\t%s of the volume of both together (intersection over union)",
                   percent(e->overlap).text);
    ts_listing_row(listing, "  mean error\t%s of the length: %s from mesh to body, %s from body to mesh",
                   percent(e->mean).text, percent(e->mean_to_body).text, percent(e->mean_to_mesh).text);
    ts_listing_row(listing, "  largest error\t%s of the length: %s from mesh to body, %s from body to mesh",
                   percent(e->worst).text, percent(e->worst_to_body).text, percent(e->worst_to_mesh).text);
    ts_listing_row(listing, "  volume\t%.6g m³, of the mesh %.6g m³", e->volume, e->mesh_volume);
}

static void print_all(const task *t, FILE *stream)
{
    fprintf(stream, "%s\n", ts_path_name(t->path));
    ts_listing listing = ts_listing_make("ll");
    ts_listing_row(&listing, "  mesh\t%s vertices, %s triangles, %s long", ts_show_count(t->mesh->vertex_count).text,
                   ts_show_count(t->mesh->triangle_count).text, ts_show_si(t->errors.length, "m").text);
    ts_listing_row(&listing, "  superquadrics\t%zu, in %s", ts_sdf_count(t->body->sdf), ts_show_wall(t->seconds).text);
    print_errors(&listing, t);
    ts_listing_row(&listing, "  contact mesh\t%s vertices, %s edges, at most %s of the length off the surface",
                   ts_show_count(t->body->mesh->vertex_count).text, ts_show_count(t->body->edge_count).text,
                   percent(t->body->off / t->errors.length).text);
    ts_listing_row(&listing, "  written\t%s", t->out);
    ts_listing_print(&listing, stream);
}

/* ---- JSON ---- */

static void write_piece(ts_json *json, const ts_primitive *p)
{
    ts_json_begin_object(json, NULL);
    ts_json_numbers(json, "size", (const double[]){p->size.x, p->size.y, p->size.z}, 3);
    ts_json_numbers(json, "exponents", p->exponent, 2);
    ts_json_numbers(json, "position", (const double[]){p->pose.position.x, p->pose.position.y, p->pose.position.z}, 3);
    ts_json_numbers(json, "quaternion",
                    (const double[]){p->pose.quat.w, p->pose.quat.x, p->pose.quat.y, p->pose.quat.z}, 4);
    ts_json_end(json);
}

static void write_all(ts_json *json, const void *context)
{
    const task *t = context;
    const ts_fit_errors *e = &t->errors;
    ts_json_begin_object(json, NULL);
    ts_json_text(json, "mesh", t->path);
    ts_json_text(json, "file", t->out);
    ts_json_number(json, "seconds", t->seconds);
    ts_json_number(json, "length", e->length);
    ts_json_number(json, "volume", e->volume);
    ts_json_number(json, "mesh_volume", e->mesh_volume);
    ts_json_begin_object(json, "errors");
    ts_json_number(json, "overlap", e->overlap);
    ts_json_number(json, "mean", e->mean);
    ts_json_number(json, "mean_to_body", e->mean_to_body);
    ts_json_number(json, "mean_to_mesh", e->mean_to_mesh);
    ts_json_number(json, "largest", e->worst);
    ts_json_number(json, "largest_to_body", e->worst_to_body);
    ts_json_number(json, "largest_to_mesh", e->worst_to_mesh);
    ts_json_end(json);
    ts_json_int(json, "vertices", (int64_t)t->body->mesh->vertex_count);
    ts_json_int(json, "edges", (int64_t)t->body->edge_count);
    ts_json_number(json, "discrepancy", t->body->off / e->length);
    ts_json_begin_array(json, "superquadrics");
    for (size_t i = 0; i < ts_sdf_count(t->body->sdf); i++)
        write_piece(json, ts_sdf_primitive(t->body->sdf, i));
    ts_json_end(json);
    ts_json_end(json);
}

/* ---- The work ---- */

static bool report(void *user, double done, const char *what)
{
    task *t = user;
    if (done < 1)
        ts_progress_report(&t->progress, until_fit * done, what);
    return !ts_stop_requested();
}

static ts_status read_mesh(task *t, ts_error *error)
{
    char *bytes = NULL;
    size_t size;
    if (!ts_file_exists(t->path))
        return ts_fail(error, TS_BAD_INPUT, "there is no file '%s'; give a mesh: OBJ, STL or PLY", t->path);
    TS_TRY(ts_file_read(t->path, TS_MESH_BYTES_MAX, &bytes, &size, error));
    const ts_status status = ts_mesh_parse(bytes, size, TS_MESH_AUTO, t->path, &t->mesh, error);
    ts_free(bytes);
    return status;
}

/* In sentences about the mesh the file is named. */
static ts_status at_file(const task *t, ts_status status, ts_error *error)
{
    if (status == TS_BAD_INPUT && error && !error->file[0])
        snprintf(error->file, sizeof error->file, "%.*s", (int)sizeof error->file - 1, t->path);
    return status;
}

static ts_status work(task *t, ts_error *error)
{
    TS_AUTO(ts_sdf_free_at) ts_sdf *sdf = NULL;
    TS_AUTO(ts_mesh_free_at) ts_mesh *mesh = NULL;
    const ts_fit_wish wish = {.count = (int)t->wish->count,
                              .cells = (int)t->wish->cells,
                              .pool = t->pool,
                              .progress = report,
                              .progress_user = t};
    const double begin = ts_clock_seconds();
    TS_TRY(at_file(t, ts_superquadric_fit(t->mesh, &wish, &sdf, error), error));
    t->seconds = ts_clock_seconds() - begin;
    ts_progress_report(&t->progress, until_fit, "errors");
    TS_TRY(ts_fit_measure_errors(t->mesh, sdf, &(ts_fit_measure){.pool = t->pool}, &t->errors, error));
    ts_progress_report(&t->progress, until_errors, "contact mesh");
    if (ts_stop_requested())
        return ts_fail(error, TS_INTERRUPTED, "the fit was stopped");
    const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    TS_TRY(ts_sdf_mesh(sdf, &rule, &(ts_sdf_mesh_wish){.vertices = (size_t)t->wish->vertices}, &mesh, error));
    TS_TRY(ts_sdf_body_create(sdf, mesh, &t->body, error));
    sdf = NULL;
    mesh = NULL;
    return TS_OK;
}

static ts_status write_file(const task *t, ts_error *error)
{
    char note[512], folder[path_size];
    snprintf(note, sizeof note, "fitted to %.200s: %zu superquadrics, overlap %s, mean error %s, largest %s",
             ts_path_name(t->path), ts_sdf_count(t->body->sdf), percent(t->errors.overlap).text,
             percent(t->errors.mean).text, percent(t->errors.worst).text);
    ts_path_folder(t->out, folder, sizeof folder);
    TS_TRY(ts_folder_make(folder, error));
    return ts_smooth_file_write(t->out, t->body, (const char *const[]){note}, 1, error);
}

static ts_status draw(const task *t, ts_error *error)
{
    char title[400], label[100], folder[path_size];
    snprintf(title, sizeof title, "%.200s  ·  mean error %s, largest %s of the length", ts_path_name(t->path),
             percent(t->errors.mean).text, percent(t->errors.worst).text);
    snprintf(label, sizeof label, "%s vertices", ts_show_count(t->mesh->vertex_count).text);
    ts_path_folder(t->png, folder, sizeof folder);
    TS_TRY(ts_folder_make(folder, error));
    return ts_draw_fits(t->png, &(ts_fit_picture){t->mesh, t->body, label}, 1,
                        &(ts_smooth_look){.title = title, .width = (int)t->wish->width, .pool = t->pool}, error);
}

/* The picture stands beside the file, under its name. */
static ts_status name_files(task *t, ts_error *error)
{
    const char *name = ts_path_name(t->path), *dot = strrchr(name, '.');
    const int stem = (int)(dot ? dot - name : (ptrdiff_t)strlen(name));
    if (strlen(t->path) > path_size - 100 || (t->wish->out && strlen(t->wish->out) > path_size - 100))
        return ts_fail(error, TS_BAD_INPUT, "the path is too long; shorten it");
    if (t->wish->out)
        snprintf(t->out, sizeof t->out, "%s", t->wish->out);
    else
        snprintf(t->out, sizeof t->out, "out/%.*s.smooth.json", stem, name);
    const size_t length = strlen(t->out);
    const bool json = ts_path_ends_in(t->out, ".json");
    if (t->wish->png)
        snprintf(t->png, sizeof t->png, "%s", t->wish->png);
    else
        snprintf(t->png, sizeof t->png, "%.*s.png", (int)(json ? length - 5 : length), t->out);
    if (!ts_path_ends_in(t->png, ".png"))
        return ts_fail(error, TS_BAD_INPUT, "--png '%s' does not end in .png; pictures are PNG files", t->png);
    TS_TRY(ts_cli_check_file("out", t->wish->out, NULL, error));
    TS_TRY(ts_cli_check_file("png", t->wish->png, NULL, error));
    return ts_cli_check_file("json", t->wish->json, NULL, error);
}

static ts_status fit(task *t, ts_error *error)
{
    TS_TRY(name_files(t, error));
    TS_TRY(read_mesh(t, error));
    TS_TRY(ts_pool_create((int)t->wish->threads, &t->pool, error));
    ts_progress_begin(&t->progress, stderr, t->wish->quiet, 0, 1, ts_clock_seconds());
    TS_TRY(work(t, error));
    ts_progress_clear(&t->progress);
    TS_TRY(write_file(t, error));
    FILE *stream = ts_output_stream(t->wish->json);
    if (!t->wish->quiet)
        print_all(t, stream);
    TS_TRY(ts_output_json(t->wish->json, write_all, t, error));
    if (t->wish->no_picture)
        return TS_OK;
    TS_TRY(draw(t, error));
    if (!t->wish->quiet)
        fprintf(stream, "picture: %s\n", t->png);
    return TS_OK;
}

ts_status ts_shape_fit(const ts_shape_fit_wish *wish, const char *path, ts_error *error)
{
    ts_signals old;
    ts_signals_catch(&old);
    task *t = NULL;
    ts_status status = ts_new(&t, 1, error);
    if (status == TS_OK) {
        t->wish = wish;
        t->path = path;
        status = fit(t, error);
        free_task(t);
    }
    ts_free(t);
    ts_signals_release(&old);
    return status;
}
