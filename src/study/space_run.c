/* SPDX-License-Identifier: MIT */
#include "study/space_run.h"

#include <stdio.h>

#include "base/memory.h"
#include "record/runfolder.h"
#include "study/balls.h"
#include "study/figure.h"

/* Of the start, over the largest radius and the fastest body. */
#define SAME 1e-12

/* ---- Building ---- */

ts_status ts_space_run_open(ts_space_run *run, ts_study *study, const ts_space_wish *wish, ts_error *error)
{
    const char *folder;
    *run = (ts_space_run){.wish = *wish};
    TS_TRY(ts_study_out_dir(study, &folder, error));
    snprintf(run->folder, sizeof run->folder, "%.4000s/%s", folder, wish->name);
    TS_TRY(ts_space_rig_open(&run->rig, &wish->rules, error));
    ts_settings settings = ts_scene_settings(run->rig.scene);
    settings.duration = wish->duration;
    settings.frame_interval = settings.energy_interval = wish->frame;
    settings.record_contacts = false;
    return ts_scene_set(run->rig.scene, &settings, error);
}

ts_status ts_space_run_cube(ts_space_run *run, double side, ts_error *error)
{
    const ts_piece_def piece = {.kind = TS_PIECE_BOX, .size = {side, side, side}};
    ts_shape_def def = ts_default_shape();
    def.name = "cube";
    def.piece = &piece;
    def.piece_count = 1;
    return ts_scene_add_shape(run->rig.scene, &def, NULL, error);
}

ts_status ts_space_run_floor(ts_space_run *run, ts_error *error)
{
    ts_wall_def floor = ts_default_wall();
    floor.kind = TS_WALL_FLAT;
    return ts_scene_add_wall(run->rig.scene, &floor, NULL, error);
}

ts_status ts_space_run_start(ts_space_run *run, ts_error *error)
{
    TS_TRY(ts_rig_start(&run->rig, 1, error));
    return ts_recorder_create(run->folder, run->rig.model, &(ts_recorder_options){.force = true}, &run->recorder,
                              error);
}

void ts_space_run_close(ts_space_run *run)
{
    ts_recorder_free(run->recorder);
    run->recorder = NULL;
    ts_rig_close(&run->rig);
    ts_array_free(&run->row);
    ts_array_free(&run->mark);
    ts_array_free(&run->image);
}

/* ---- Symmetry ---- */

const ts_body3 *ts_space_run_body(const ts_space_run *run, size_t body)
{
    return &ts_state_bodies3(run->rig.state)[body];
}

static ts_mat3 attitude_of(const ts_body3 *b)
{
    return ts_quat_to_matrix((ts_quat){b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]});
}

static double largest_radius(const ts_space_run *run)
{
    double most = 0;
    for (size_t i = 0; i < ts_model_body_count(run->rig.model); i++)
        most = fmax(most, ts_space_run_body(run, i)->radius);
    return most;
}

/* Whether body j is where S takes body i, and moves so. A spin is turned, and not mirrored. */
static ts_status is_twin(const ts_space_run *run, const ts_space_image *image, const double size[2], bool *twin,
                         ts_error *error)
{
    const ts_body3 *a = ts_space_run_body(run, image->body), *b = ts_space_run_body(run, image->twin);
    const ts_mat3 s = image->turn;
    double rate[2][6], *spin[2] = {rate[0] + 3, rate[1] + 3};
    TS_TRY(ts_state_velocity(run->rig.state, image->body, rate[0], error));
    TS_TRY(ts_state_velocity(run->rig.state, image->twin, rate[1], error));
    ts_vec3 turn = ts_vec3_scale(ts_mat3_apply(s, ts_vec3_of(spin[0])), ts_mat3_det(s));
    *twin = ts_vec3_distance(ts_mat3_apply(s, ts_vec3_of(a->position)), ts_vec3_of(b->position)) <= SAME * size[0] &&
            ts_vec3_distance(ts_mat3_apply(s, ts_vec3_of(a->velocity)), ts_vec3_of(b->velocity)) <= SAME * size[1] &&
            ts_vec3_distance(turn, ts_vec3_of(spin[1])) * size[0] <= SAME * size[1];
    return TS_OK;
}

static ts_status add_image(ts_space_run *run, ts_mat3 turn, size_t body, const double size[2], ts_error *error)
{
    ts_space_image image = {.turn = turn, .body = body};
    for (; image.twin < ts_model_body_count(run->rig.model); image.twin++) {
        bool twin;
        TS_TRY(is_twin(run, &image, size, &twin, error));
        if (!twin)
            continue;
        ts_mat3 from = ts_mat3_mul(turn, attitude_of(ts_space_run_body(run, body)));
        image.inside = ts_mat3_mul(ts_mat3_transpose(from), attitude_of(ts_space_run_body(run, image.twin)));
        return ts_array_push(&run->image, image, error);
    }
    return ts_fail(error, TS_BAD_INPUT, "body %zu has no image at the start", body);
}

ts_status ts_space_run_symmetry(ts_space_run *run, ts_mat3 symmetry, ts_error *error)
{
    const size_t count = ts_model_body_count(run->rig.model);
    double size[2] = {largest_radius(run), 0};
    for (size_t i = 0; i < count; i++) {
        double v[6];
        TS_TRY(ts_state_velocity(run->rig.state, i, v, error));
        double speed = ts_vec3_length(ts_vec3_of(ts_space_run_body(run, i)->velocity));
        size[1] = fmax(size[1], speed + size[0] * ts_vec3_length(ts_vec3_of(v + 3)));
    }
    for (size_t i = 0; i < count; i++)
        TS_TRY(add_image(run, symmetry, i, size, error));
    return TS_OK;
}

double ts_space_run_asymmetry(const ts_space_run *run)
{
    double most = 0;
    for (size_t i = 0; i < run->image.count; i++) {
        const ts_space_image *image = &run->image.item[i];
        const ts_body3 *a = ts_space_run_body(run, image->body), *b = ts_space_run_body(run, image->twin);
        double apart = ts_vec3_distance(ts_mat3_apply(image->turn, ts_vec3_of(a->position)), ts_vec3_of(b->position)),
               angle2 = 0;
        ts_mat3 seen = ts_mat3_mul(ts_mat3_mul(image->turn, attitude_of(a)), image->inside), is = attitude_of(b);
        for (int k = 0; k < 9; k++) {
            double d = seen.m[k / 3][k % 3] - is.m[k / 3][k % 3];
            angle2 += 0.5 * d * d; /* in all the square of the angle between two attitudes, where that is small */
        }
        most = fmax(most, fmax(apart, b->radius * sqrt(angle2)));
    }
    return most / largest_radius(run);
}

/* ---- Running ---- */

static ts_status look(ts_space_run *run, ts_error *error)
{
    const ts_space_sums sums = ts_space_rig_sums(&run->rig, run->wish.rules.gravity);
    const ts_space_row row = {ts_state_time(run->rig.state), sums.height + sums.kinetic, sums.kinetic,
                              ts_space_run_asymmetry(run)};
    for (size_t i = 0; row.time <= TS_SPACE_PATHS && i < ts_model_body_count(run->rig.model); i++) {
        const ts_body3 *b = ts_space_run_body(run, i);
        ts_vec3 mark = ts_vec3_add_scaled(ts_vec3_of(b->position), ts_mat3_column(attitude_of(b), 0), 0.5 * b->radius);
        TS_TRY(ts_array_push(&run->mark, mark, error));
    }
    return ts_array_push(&run->row, row, error);
}

static ts_status look_closely(ts_space_run *run, ts_error *error)
{
    ts_measures measures;
    TS_TRY(ts_measure(run->rig.model, run->rig.state, run->rig.work, &measures, error));
    run->deepest = fmax(run->deepest, measures.max_overlap);
    return TS_OK;
}

/* A recorder stops where energy comes from nowhere; a study wants to see what becomes of that. */
static ts_status record(ts_space_run *run, ts_error *error)
{
    const uint64_t now = ts_state_steps(run->rig.state);
    if (!run->recorder)
        return TS_OK;
    if (now == 0 || ts_recorder_next(run->recorder, now - 1) == now)
        TS_TRY(look_closely(run, error));
    ts_status status = ts_recorder_write(run->recorder, run->rig.state, run->rig.work, error);
    if (status != TS_DIVERGED)
        return status;
    ts_recorder_free(run->recorder);
    run->recorder = NULL;
    return TS_OK;
}

ts_status ts_space_run_step(ts_space_run *run, uint64_t count, ts_error *error)
{
    if (run->row.count == 0) {
        TS_TRY(look(run, error));
        TS_TRY(record(run, error));
    }
    for (uint64_t k = 0; k < count; k++) {
        TS_TRY(ts_space_rig_step(&run->rig, 1, &run->stop, error));
        if (run->stop.status != TS_OK)
            break;
        TS_TRY(look(run, error));
        TS_TRY(record(run, error));
    }
    return TS_OK;
}

ts_status ts_space_run_finish(ts_space_run *run, ts_error *error)
{
    ts_status status = TS_OK;
    if (run->recorder) {
        ts_run_end end = {.outcome = run->stop.status == TS_OK ? "finished" : "diverged", .message = run->stop.why};
        status = ts_recorder_finish(run->recorder, run->rig.state, run->rig.work, &end, NULL, error);
    }
    ts_recorder_free(run->recorder);
    run->recorder = NULL;
    return status;
}

/* ---- Measuring ---- */

double ts_space_run_drift(const ts_space_run *run, double time)
{
    double most = 0;
    for (size_t i = 0; i < run->row.count && run->row.item[i].time <= time; i++)
        most = fmax(most, fabs(run->row.item[i].energy / run->row.item[0].energy - 1));
    return most;
}

double ts_space_run_leaves(const ts_space_run *run, double drift)
{
    for (size_t i = 0; i < run->row.count; i++)
        if (!(fabs(run->row.item[i].energy / run->row.item[0].energy - 1) <= drift))
            return run->row.item[i].time;
    return TS_NONE;
}

double ts_space_run_deepest(const ts_space_run *run)
{
    return run->deepest / largest_radius(run);
}

ts_status ts_space_run_claim_end(ts_study *study, const ts_space_run *run, ts_error *error)
{
    const double end = run->row.count > 0 ? run->row.item[run->row.count - 1].time : 0;
    const double least = run->wish.duration - 0.5 * run->wish.rules.step; /* rounding is no step */
    return ts_claim_at_least(study, end, least, "s", error, "%s: simulated time%s%.250s", run->wish.name,
                             run->stop.status == TS_OK ? "" : "; ended by: ", run->stop.why);
}

double ts_space_run_parted(const ts_space_run *run, double time)
{
    double most = 0;
    for (size_t i = 0; i < run->row.count && run->row.item[i].time <= time; i++)
        most = fmax(most, run->row.item[i].asymmetry);
    return most;
}

/* ---- Plots ---- */

#define LINES_MAX  8

#define POINTS_MAX 2000

/* A line of one run, in memory that is to be freed. Of a long one each point is the largest of several rows. */
static ts_status line_of(const ts_space_run *run, bool asymmetry, ts_plot_line *line, ts_error *error)
{
    const size_t rows = run->row.count, stride = rows / POINTS_MAX + 1, n = (rows + stride - 1) / stride;
    double *both;
    TS_TRY(ts_new(&both, 2 * n, error));
    for (size_t i = 0; i < rows; i++) {
        const ts_space_row *row = &run->row.item[i];
        double y = asymmetry ? row->asymmetry : fabs(row->energy / run->row.item[0].energy - 1);
        both[i / stride] = row->time;
        both[n + i / stride] = fmax(both[n + i / stride], y);
    }
    *line = (ts_plot_line){run->wish.name, both, both + n, n, false};
    return TS_OK;
}

static ts_status plot(ts_study *study, const char *file, const char *title, const ts_space_run *run, size_t count,
                      bool asymmetry, ts_error *error)
{
    ts_plot_line line[LINES_MAX] = {0};
    char name[128];
    ts_status status = TS_OK;
    snprintf(name, sizeof name, "%s-%s", file, asymmetry ? "symmetry" : "energy");
    for (size_t i = 0; i < count && i < LINES_MAX && status == TS_OK; i++)
        status = line_of(&run[i], asymmetry, &line[i], error);
    ts_plot drawn = {title, "time [s]", asymmetry ? "off the image / radius" : "change of energy", true, line, count};
    if (status == TS_OK)
        status = ts_figure_plot(study, &drawn, name, error);
    for (size_t i = 0; i < count && i < LINES_MAX; i++)
        ts_free((void *)line[i].x);
    return status;
}

ts_status ts_space_run_plot(ts_study *study, const char *file, const char *title, const ts_space_run *run, size_t count,
                            ts_error *error)
{
    TS_TRY(plot(study, file, title, run, count, false, error));
    return plot(study, file, title, run, count, true, error);
}

ts_status ts_space_run_paths(ts_study *study, const char *file, const char *title, const ts_space_run *run,
                             ts_error *error)
{
    const size_t bodies = ts_model_body_count(run->rig.model), n = run->mark.count / bodies;
    const size_t count = bodies < LINES_MAX ? bodies : LINES_MAX;
    ts_plot_line line[LINES_MAX];
    char name[128];
    TS_AUTO_FREE double *all = NULL;
    TS_TRY(ts_new(&all, 2 * n * count, error));
    for (size_t i = 0; i < count; i++) {
        double *x = all + 2 * n * i, *y = x + n;
        for (size_t k = 0; k < n; k++) {
            x[k] = run->mark.item[k * bodies + i].x;
            y[k] = run->mark.item[k * bodies + i].y;
        }
        line[i] = (ts_plot_line){NULL, x, y, n, false};
    }
    snprintf(name, sizeof name, "%s-paths-%s", file, run->wish.name);
    ts_plot drawn = {title, "x [m]", "y [m]", false, line, count};
    return ts_figure_plot(study, &drawn, name, error);
}
