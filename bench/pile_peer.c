/* SPDX-License-Identifier: MIT */
#include "pile_peer.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#define OUTPUT_CAP ((size_t)1 << 30)
#define MOTION     13 /* numbers of a body's motion: place, quaternion, velocity, spin */

static const struct {
    const char *name, *program;
    int iterations;
} peer_table[TS_PILE_PEER_COUNT] = {
    [TS_PILE_BULLET] = {"Bullet", "bullet", 10},
    [TS_PILE_ODE] = {"ODE", "ode", 20},
};

const char *ts_pile_peer_name(ts_pile_peer peer)
{
    return peer_table[peer].name;
}

bool ts_pile_peer_installed(ts_pile_peer peer)
{
    char path[4096];
    return ts_process_find_peer(peer_table[peer].program, path);
}

static void put_vec(FILE *f, ts_vec3 v)
{
    fprintf(f, " %.17g %.17g %.17g", v.x, v.y, v.z);
}

static void put_hull(FILE *f, const ts_hull *hull, ts_vec3 inertia)
{
    fprintf(f, "inertia");
    put_vec(f, inertia);
    fprintf(f, "\nhull %zu\n", hull->vertex_count);
    for (size_t i = 0; i < hull->vertex_count; i++)
        put_vec(f, hull->vertex[i]);
    fprintf(f, "\nfaces %zu\n", hull->face_count);
    for (size_t k = 0; k < hull->face_count; k++) {
        fprintf(f, "%d", hull->face_begin[k + 1] - hull->face_begin[k]);
        for (int32_t i = hull->face_begin[k]; i < hull->face_begin[k + 1]; i++)
            fprintf(f, " %d", hull->corner[i]);
        fprintf(f, "\n");
    }
}

/* bench/peers/pile.h explains the format. */
static ts_status write_scene(ts_pile_peer peer, const ts_pile *pile, const char *path, ts_error *error)
{
    ts_draft draft;
    TS_TRY(ts_draft_open(&draft, path, error));
    FILE *f = draft.stream;
    static const char *const kind[] = {
        [TS_PILE_SPHERES] = "spheres", [TS_PILE_BOXES] = "boxes", [TS_PILE_HULLS] = "hulls"};
    fprintf(f, "kind %s\n", kind[pile->kind]);
    if (pile->kind == TS_PILE_HULLS)
        put_hull(f, pile->hull, pile->inertia);
    fprintf(f, "gravity");
    put_vec(f, pile->gravity);
    fprintf(f, "\nstep %.17g steps %d every %d\n", pile->time_step, pile->steps, pile->every);
    fprintf(f, "restitution %.17g friction %.17g iterations %d\n", pile->restitution, pile->friction,
            pile->iterations > 0 ? pile->iterations : peer_table[peer].iterations);
    fprintf(f, "planes %zu\n", pile->plane_count);
    for (size_t i = 0; i < pile->plane_count; i++) {
        put_vec(f, pile->plane[i].normal);
        fprintf(f, " %.17g\n", pile->plane[i].offset);
    }
    fprintf(f, "bodies %zu\n", pile->body_count);
    for (size_t i = 0; i < pile->body_count; i++) {
        const ts_pile_body *b = &pile->body[i];
        if (pile->kind == TS_PILE_BOXES)
            put_vec(f, b->half);
        else if (pile->kind == TS_PILE_SPHERES)
            fprintf(f, " %.17g", b->half.x);
        fprintf(f, " %.17g", b->mass);
        put_vec(f, b->pose.position);
        const ts_quat q = b->pose.quat;
        fprintf(f, " %.17g %.17g %.17g %.17g", q.w, q.x, q.y, q.z);
        put_vec(f, b->rate.linear);
        put_vec(f, b->rate.angular);
        fprintf(f, "\n");
    }
    return ts_draft_commit(&draft, error);
}

/* The rows of the table; TS_IO when one is short of numbers. */
static ts_status read_rows(const char *text, ts_pile_result *result, ts_error *error)
{
    size_t count = 0;
    for (const char *p = text; *(p = ts_process_line(p, "row ")); p++)
        count++;
    TS_TRY(ts_new(&result->row, count + 1, error));
    const char *p = text;
    for (ts_pile_row *row = result->row; row < result->row + count; row++) {
        p = ts_process_line(p, "row ");
        double *value[] = {&row->time, &row->kinetic, &row->potential, &row->deepest, &row->mean, &row->contacts};
        for (size_t k = 0; k < sizeof value / sizeof *value; k++) {
            p += *p == ' ';
            size_t length = ts_parse_number(p, strcspn(p, " \n"), value[k]);
            if (length == 0)
                return ts_fail(error, TS_IO, "row %zu of the peer's table cannot be read", (size_t)(row - result->row));
            p += length;
        }
    }
    result->row_count = count;
    return TS_OK;
}

static ts_status read_output(ts_pile_peer peer, const char *path, ts_pile_result *result, ts_error *error)
{
    char *text;
    size_t size;
    TS_TRY(ts_file_read(path, OUTPUT_CAP, &text, &size, error));
    const char *version = ts_process_line(text, "version ");
    snprintf(result->version, sizeof result->version, "%s %.*s", peer_table[peer].name, (int)strcspn(version, "\n"),
             version);
    result->seconds = ts_process_number(text, "seconds ");
    result->spread = ts_process_number(text, "spread ");
    result->total = ts_process_number(text, "total ");
    ts_status status = read_rows(text, result, error);
    ts_free(text);
    if (status == TS_OK && !(result->seconds > 0))
        return ts_fail(error, TS_IO, "%s ended without a time; its output is in %s", peer_table[peer].name, path);
    return status;
}

static ts_status read_motions(const char *path, size_t count, ts_pile_result *result, ts_error *error)
{
    TS_AUTO_FREE double *value = ts_alloc(count, MOTION * sizeof *value);
    result->pose = ts_alloc(count, sizeof *result->pose);
    result->rate = ts_alloc(count, sizeof *result->rate);
    if (!value || !result->pose || !result->rate)
        TS_TRY(ts_fail_memory(error, count * MOTION * sizeof *value));
    else
        TS_TRY(ts_process_read_numbers(path, count * MOTION, value, error));
    for (size_t i = 0; i < count; i++) {
        const double *v = value + MOTION * i;
        result->pose[i] = (ts_pose3){{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}};
        result->rate[i] = (ts_twist3){{v[7], v[8], v[9]}, {v[10], v[11], v[12]}};
    }
    return TS_OK;
}

ts_status ts_pile_peer_run(ts_pile_peer peer, const ts_pile *pile, const char *work, ts_pile_result *result,
                           ts_error *error)
{
    *result = (ts_pile_result){0};
    ts_peer_files files;
    char motions[4096];
    TS_TRY(ts_process_peer_files(peer_table[peer].name, peer_table[peer].program, work, &files, error));
    TS_TRY(write_scene(peer, pile, files.scene, error));
    snprintf(motions, sizeof motions, "%s.motions", work);
    const char *argument[] = {files.program, files.scene, motions, NULL};
    TS_TRY(ts_process_run(argument, files.output, error));
    ts_status status = read_output(peer, files.output, result, error);
    if (status == TS_OK)
        status = read_motions(motions, pile->body_count, result, error);
    if (status != TS_OK)
        ts_pile_result_free(result);
    return status;
}

void ts_pile_result_free(ts_pile_result *result)
{
    ts_free(result->row);
    ts_free(result->pose);
    ts_free(result->rate);
    *result = (ts_pile_result){0};
}

ts_status ts_pile_peer_open(ts_pile_peer peer, const ts_pile *pile, const char *work, ts_process *process,
                            char version[64], ts_error *error)
{
    ts_peer_files files;
    TS_TRY(ts_process_peer_files(peer_table[peer].name, peer_table[peer].program, work, &files, error));
    TS_TRY(write_scene(peer, pile, files.scene, error));
    return ts_process_open_peer(peer_table[peer].name, &files, process, version, error);
}
