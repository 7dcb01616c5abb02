/* SPDX-License-Identifier: MIT */
#include "grains_peer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
#include "study/study.h"

#define LOOSE 1.05 /* pitch of the grid, in diameters */
#define SAME  1e-9 /* coordinates of a `#` that count as one, as a share of its size */
#define FALLS 10   /* times that a fall from the top takes: by then everything should be at rest */

_Static_assert(sizeof(ts_pose2) == 3 * sizeof(double), "poses are read as numbers");

/* ---- The bin ---- */

ts_grain_mass ts_grain_bin_mass(const ts_grain_bin *bin)
{
    ts_outline_mass m = ts_outline_get_mass(bin->outline);
    double s = bin->scale;
    return (ts_grain_mass){bin->density * m.area * s * s, bin->density * m.inertia * s * s * s * s, m.radius * s};
}

ts_status ts_grain_bin_loose(const ts_outline *outline, size_t count, size_t columns, double scale, uint64_t seed,
                             ts_grain_bin *bin, ts_error *error)
{
    double pitch = LOOSE * 2 * scale * ts_outline_get_mass(outline).radius;
    *bin = (ts_grain_bin){.outline = outline,
                          .scale = scale,
                          .density = 1000,
                          .friction = 0.5,
                          .gravity = 9.81,
                          .width = pitch * (double)columns,
                          .count = count,
                          .pose = ts_alloc(count, sizeof *bin->pose)};
    if (!bin->pose)
        return ts_fail_memory(error, count * sizeof *bin->pose);
    for (size_t i = 0; i < count; i++) {
        size_t row = i / columns, column = i % columns;
        bin->pose[i] = (ts_pose2){pitch * ((double)column + 0.5), pitch * ((double)row + 0.5),
                                  ts_random_range(seed, 0, i, -TS_PI, TS_PI)};
    }
    return TS_OK;
}

ts_status ts_grain_bin_side_by_side(const ts_grain_bin *one, size_t copies, ts_grain_bin *bin, ts_error *error)
{
    *bin = *one;
    bin->count = one->count * copies;
    bin->width = one->width * (double)copies;
    TS_TRY(ts_new(&bin->pose, bin->count, error));
    for (size_t i = 0; i < bin->count; i++) {
        bin->pose[i] = one->pose[i % one->count];
        bin->pose[i].x += one->width * (double)(i / one->count); // NOLINT(bugprone-integer-division): which copy
    }
    return TS_OK;
}

void ts_grain_bin_free(ts_grain_bin *bin)
{
    ts_free(bin->pose);
    bin->pose = NULL;
}

/* ---- Convex pieces ---- */

/* Whether an outline is one contour of few straight edges that turns left at every corner. */
static bool is_convex(const ts_outline *outline)
{
    ts_contour c = ts_outline_get_contour(outline, 0);
    bool convex = ts_outline_contour_count(outline) == 1 && c.vertex_count <= TS_GRAIN_CORNERS_MAX;
    for (size_t i = 0; convex && i < c.vertex_count; i++) {
        const ts_vertex *p = &c.vertex[i], *q = &c.vertex[(i + 1) % c.vertex_count],
                        *r = &c.vertex[(i + 2) % c.vertex_count];
        convex = p->bulge == 0 && (q->x - p->x) * (r->y - q->y) - (q->y - p->y) * (r->x - q->x) > 0;
    }
    return convex;
}

/* Puts a coordinate's size among the different ones so far; false when it is a fourth. */
static bool note_length(double length, double same, double found[3], size_t *count)
{
    for (size_t i = 0; i < *count; i++)
        if (fabs(length - found[i]) <= same)
            return true;
    if (*count == 3)
        return false;
    size_t at = (*count)++;
    for (; at > 0 && found[at - 1] > length; at--)
        found[at] = found[at - 1];
    found[at] = length;
    return true;
}

ts_status ts_grain_hash_of(const ts_outline *outline, ts_grain_hash *hash, ts_error *error)
{
    /* corners of a `#` have three different coordinates, up to sign, and bars with these corners have just its area */
    ts_outline_mass m = ts_outline_get_mass(outline);
    double found[3] = {0}, same = SAME * m.radius;
    size_t count = 0;
    bool fits = true;
    for (size_t k = 0; k < ts_outline_contour_count(outline); k++) {
        ts_contour c = ts_outline_get_contour(outline, k);
        for (size_t i = 0; fits && i < c.vertex_count; i++)
            fits = c.vertex[i].bulge == 0 && note_length(fabs(c.vertex[i].x), same, found, &count) &&
                   note_length(fabs(c.vertex[i].y), same, found, &count);
    }
    *hash = (ts_grain_hash){found[0], found[1], found[2]};
    double thick = hash->far - hash->near, area = 4 * thick * (2 * hash->reach - thick);
    if (!fits || count != 3 || ts_outline_contour_count(outline) != 2 || fabs(area - m.area) > SAME * m.area)
        return ts_fail(error, TS_UNSUPPORTED,
                       "the outline is neither convex with at most %d straight edges nor a # along the axes, so the "
                       "peers have no pieces for it; take octagon or hash",
                       TS_GRAIN_CORNERS_MAX);
    return TS_OK;
}

ts_status ts_grain_pieces(const ts_outline *outline, ts_grain_piece piece[TS_GRAIN_PIECES_MAX], size_t *count,
                          ts_error *error)
{
    *count = 0;
    if (is_convex(outline)) {
        ts_contour c = ts_outline_get_contour(outline, 0);
        piece[0].count = c.vertex_count;
        for (size_t i = 0; i < c.vertex_count; i++)
            piece[0].point[i] = (ts_vec2){c.vertex[i].x, c.vertex[i].y};
        *count = 1;
        return TS_OK;
    }
    ts_grain_hash h;
    TS_TRY(ts_grain_hash_of(outline, &h, error));
    const double low[] = {-h.far, h.near}, high[] = {-h.near, h.far};
    for (size_t side = 0; side < 2; side++) {
        double l = low[side], u = high[side], r = h.reach;
        piece[(*count)++] = (ts_grain_piece){4, {{-r, l}, {r, l}, {r, u}, {-r, u}}};
        piece[(*count)++] = (ts_grain_piece){4, {{l, -r}, {u, -r}, {u, r}, {l, r}}};
    }
    return TS_OK;
}

/* ---- The peers ---- */

static const struct {
    const char *name, *program;
} peer_table[TS_GRAIN_PEER_COUNT] = {
    [TS_GRAIN_BOX2D] = {"Box2D", "box2d"},
    [TS_GRAIN_CHIPMUNK] = {"Chipmunk", "chipmunk"},
};

const char *ts_grain_peer_name(ts_grain_peer peer)
{
    return peer_table[peer].name;
}

bool ts_grain_peer_installed(ts_grain_peer peer)
{
    char path[4096];
    return ts_process_find_peer(peer_table[peer].program, path);
}

ts_grain_job ts_grain_job_usual(ts_grain_peer peer, const ts_grain_bin *bin)
{
    ts_grain_mass m = ts_grain_bin_mass(bin);
    double top = m.radius;
    for (size_t i = 0; i < bin->count; i++)
        top = fmax(top, bin->pose[i].y);
    return (ts_grain_job){.time_step = 1.0 / 60,
                          .velocity_iterations = peer == TS_GRAIN_BOX2D ? 8 : 10,
                          .position_iterations = 3,
                          .slop = 0.005 * 2 * m.radius,
                          .rest = 1e-4,
                          .most = FALLS * sqrt(2 * top / bin->gravity),
                          .windows = 5,
                          .window_steps = 20};
}

/* One contour that is a whole circle has the area of its radius. */
static bool is_disc(const ts_outline *outline)
{
    ts_outline_mass m = ts_outline_get_mass(outline);
    return fabs(m.area - TS_PI * m.radius * m.radius) <= SAME * m.area;
}

/* bench/peers/grains.h explains the format. */
static ts_status write_scene(const ts_grain_bin *bin, const ts_grain_job *job, const char *path, ts_error *error)
{
    ts_grain_piece piece[TS_GRAIN_PIECES_MAX];
    size_t count = 0;
    if (!is_disc(bin->outline))
        TS_TRY(ts_grain_pieces(bin->outline, piece, &count, error));
    ts_grain_mass m = ts_grain_bin_mass(bin);
    ts_draft draft;
    TS_TRY(ts_draft_open(&draft, path, error));
    FILE *f = draft.stream;
    fprintf(f, "mass %.17g inertia %.17g radius %.17g\n", m.mass, m.inertia, m.radius);
    if (count == 0)
        fprintf(f, "disc %.17g\n", m.radius);
    for (size_t k = 0; k < count; k++) {
        fprintf(f, "piece %zu", piece[k].count);
        for (size_t i = 0; i < piece[k].count; i++)
            fprintf(f, " %.17g %.17g", bin->scale * piece[k].point[i].x, bin->scale * piece[k].point[i].y);
        fprintf(f, "\n");
    }
    fprintf(f, "width %.17g gravity %.17g friction %.17g restitution %.17g\n", bin->width, bin->gravity, bin->friction,
            bin->restitution);
    fprintf(f, "tilt %.17g turn %.17g discrete %d\n", job->tilt, job->turn, job->discrete);
    fprintf(f, "slop %.17g step %.17g iterations %d %d\n", job->slop, job->time_step, job->velocity_iterations,
            job->position_iterations);
    fprintf(f, "rest %.17g most %.17g windows %d %d\n", job->rest, job->most, job->windows, job->window_steps);
    fprintf(f, "grains %zu\n", bin->count);
    for (size_t i = 0; i < bin->count; i++)
        fprintf(f, "%.17g %.17g %.17g\n", bin->pose[i].x, bin->pose[i].y, bin->pose[i].angle);
    return ts_draft_commit(&draft, error);
}

static ts_status read_output(ts_grain_peer peer, const char *path, ts_grain_result *result, ts_error *error)
{
    char *text;
    size_t size;
    TS_TRY(ts_file_read(path, 64 << 20, &text, &size, error));
    const char *version = ts_process_line(text, "version ");
    double steps = ts_process_number(text, "steps ");
    *result = (ts_grain_result){
        .at_rest = ts_process_number(text, "at-rest ") == 1,
        .steps = steps >= 0 ? (uint64_t)steps : 0,
        .time = ts_process_number(text, "time "),
        .settling = ts_process_number(text, "settling "),
        .seconds = ts_process_number(text, "seconds "),
        .spread = ts_process_number(text, "spread "),
        .unrest = ts_process_number(text, "unrest "),
    };
    snprintf(result->version, sizeof result->version, "%s %.*s", peer_table[peer].name, (int)strcspn(version, "\n"),
             version);
    ts_free(text);
    if (!(result->seconds > 0))
        return ts_fail(error, TS_IO, "%s ended without a time; its output is in %s", peer_table[peer].name, path);
    return TS_OK;
}

ts_status ts_grain_peer_run(ts_grain_peer peer, const ts_grain_bin *bin, const ts_grain_job *job, const char *work,
                            ts_grain_result *result, ts_error *error)
{
    *result = (ts_grain_result){0};
    ts_peer_files files;
    char poses[4096];
    TS_TRY(ts_process_peer_files(peer_table[peer].name, peer_table[peer].program, work, &files, error));
    TS_TRY(write_scene(bin, job, files.scene, error));
    snprintf(poses, sizeof poses, "%s.poses", work);
    const char *argument[] = {files.program, files.scene, poses, NULL};
    TS_TRY(ts_process_run(argument, files.output, error));
    TS_TRY(read_output(peer, files.output, result, error));
    TS_TRY(ts_new(&result->pose, bin->count, error));
    ts_status status = ts_process_read_numbers(poses, 3 * bin->count, (double *)result->pose, error);
    if (status != TS_OK)
        ts_grain_result_free(result);
    return status;
}

void ts_grain_result_free(ts_grain_result *result)
{
    ts_free(result->pose);
    result->pose = NULL;
}

ts_status ts_grain_peer_open(ts_grain_peer peer, const ts_grain_bin *bin, const ts_grain_job *job, const char *work,
                             ts_process *process, char version[64], ts_error *error)
{
    ts_peer_files files;
    TS_TRY(ts_process_peer_files(peer_table[peer].name, peer_table[peer].program, work, &files, error));
    TS_TRY(write_scene(bin, job, files.scene, error));
    return ts_process_open_peer(peer_table[peer].name, &files, process, version, error);
}
