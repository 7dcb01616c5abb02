/* SPDX-License-Identifier: MIT */
/* Two bodies of convex pieces, or two meshes, in other programs that find contacts (bench/peers/pieces.h). */
#pragma once

#include "manifold_body.h"
#include "process.h"

typedef enum ts_pieces_peer { TS_PIECES_MUJOCO, TS_PIECES_BULLET, TS_PIECES_FCL, TS_PIECES_PEERS } ts_pieces_peer;

typedef struct ts_pieces {
    ts_process process;
    char version[64];
} ts_pieces;

const char *ts_pieces_name(ts_pieces_peer peer);
bool ts_pieces_installed(ts_pieces_peer peer);
/* Starts it with this body twice, at these poses; `folder` gets its files. */
ts_status ts_pieces_open(ts_pieces_peer peer, const ts_sdf_body *body, const ts_bench_poses *poses, const char *folder,
                         ts_pieces *pieces, ts_error *error);
void ts_pieces_close(ts_pieces *pieces);
/* All poses once: processor time of a pose [s], and contacts of a pose. */
ts_status ts_pieces_pass(const ts_pieces *pieces, double *seconds, double *contacts, ts_error *error);
