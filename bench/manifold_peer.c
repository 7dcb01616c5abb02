/* SPDX-License-Identifier: MIT */
#include "manifold_peer.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

static const struct {
    const char *name, *program;
} peer_table[TS_PIECES_PEERS] = {{"MuJoCo", "mujoco_pieces"}, {"Bullet", "bullet_pieces"}, {"FCL", "fcl_pieces"}};

const char *ts_pieces_name(ts_pieces_peer peer)
{
    return peer_table[peer].name;
}

bool ts_pieces_installed(ts_pieces_peer peer)
{
    char path[4096];
    return ts_process_find_peer(peer_table[peer].program, path);
}

static void put(FILE *f, ts_vec3 v)
{
    fprintf(f, "%.17g %.17g %.17g\n", v.x, v.y, v.z);
}

static void put_pose(FILE *f, const ts_manifold_pose *p)
{
    fprintf(f, "%.17g %.17g %.17g  %.17g %.17g %.17g %.17g\n", p->position[0], p->position[1], p->position[2],
            p->attitude[0], p->attitude[1], p->attitude[2], p->attitude[3]);
}

static ts_status write_pieces(FILE *f, const ts_sdf *sdf, ts_error *error)
{
    fprintf(f, "pieces %zu\n", ts_sdf_count(sdf));
    for (size_t i = 0; i < ts_sdf_count(sdf); i++) {
        TS_AUTO(ts_hull_free_at) ts_hull *hull = NULL;
        TS_TRY(ts_bench_piece(sdf, i, &hull, error));
        fprintf(f, "%zu\n", hull->vertex_count);
        for (size_t k = 0; k < hull->vertex_count; k++)
            put(f, hull->vertex[k]);
    }
    return TS_OK;
}

static ts_status write_scene(const char *path, const ts_sdf_body *body, const ts_bench_poses *poses, ts_error *error)
{
    ts_draft draft;
    TS_TRY(ts_draft_open(&draft, path, error));
    FILE *f = draft.stream;
    const ts_status status = write_pieces(f, body->sdf, error);
    if (status != TS_OK) {
        ts_draft_discard(&draft);
        return status;
    }
    const ts_mesh *mesh = body->mesh;
    fprintf(f, "mesh %zu %zu\n", mesh->vertex_count, mesh->triangle_count);
    for (size_t i = 0; i < mesh->vertex_count; i++)
        put(f, mesh->vertex[i]);
    for (size_t i = 0; i < mesh->triangle_count; i++)
        fprintf(f, "%d %d %d\n", mesh->triangle[i][0], mesh->triangle[i][1], mesh->triangle[i][2]);
    fprintf(f, "poses %zu\n", poses->count);
    for (size_t i = 0; i < poses->count; i++) {
        put_pose(f, &poses->a[i]);
        put_pose(f, &poses->b[i]);
    }
    return ts_draft_commit(&draft, error);
}

ts_status ts_pieces_open(ts_pieces_peer peer, const ts_sdf_body *body, const ts_bench_poses *poses, const char *folder,
                         ts_pieces *pieces, ts_error *error)
{
    char work[4096];
    ts_peer_files files;
    snprintf(work, sizeof work, "%s/manifold-%s", folder, peer_table[peer].program);
    TS_TRY(ts_process_peer_files(peer_table[peer].name, peer_table[peer].program, work, &files, error));
    TS_TRY(write_scene(files.scene, body, poses, error));
    return ts_process_open_peer(peer_table[peer].name, &files, &pieces->process, pieces->version, error);
}

void ts_pieces_close(ts_pieces *pieces)
{
    ts_process_close(&pieces->process);
}

ts_status ts_pieces_pass(const ts_pieces *pieces, double *seconds, double *contacts, ts_error *error)
{
    char answer[256];
    TS_TRY(ts_process_ask(&pieces->process, "pass\n", "took ", answer, error));
    const size_t length = ts_parse_number(answer, strcspn(answer, " "), seconds);
    const char *rest = answer + length + (answer[length] == ' ');
    if (length == 0 || ts_parse_number(rest, strlen(rest), contacts) == 0)
        return ts_fail(error, TS_IO, "%s answered \"%s\", which is no time and number of contacts", pieces->version,
                       answer);
    return TS_OK;
}
