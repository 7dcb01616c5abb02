/* SPDX-License-Identifier: MIT */
/* Where a run in space happens: the box that pictures show, by the rules that draw_view.c has for the plane. */
#pragma once

#include "record/trajectory.h"
#include "shape/mesh.h"

/* Around all bodies of a frame but those that flew away from the rest, and the walls near them: fixed bodies and walls
 * widen the box of the moving ones only so far, and it ends at planes that stand across an axis. Finite, of positive
 * size. */
ts_status ts_stage3_of(const ts_trajectory_header *header, const ts_frame *frame, ts_box3 *box, ts_error *error);

/* ---- Which way pictures look ---- */

bool ts_stage3_has_gravity(const ts_trajectory_header *header);
/* The scene says where the camera stands. */
bool ts_stage3_has_camera(const ts_trajectory_header *header);
/* Unit vector against gravity, or what the camera calls up, or z. */
ts_vec3 ts_stage3_up(const ts_trajectory_header *header);
/* From the stage to the eye where the scene has no camera: in front, to the right and above. */
ts_vec3 ts_stage3_side(const ts_trajectory_header *header);
/* Turns z to what is up, the short way. */
ts_quat ts_stage3_turn(const ts_trajectory_header *header);
/* What is up in the picture, for a camera that does not say: z, or y where it looks along that. */
ts_vec3 ts_stage3_camera_up(const ts_camera *camera);
static inline ts_vec3 ts_stage3_vector(const double v[3])
{
    return (ts_vec3){v[0], v[1], v[2]};
}

/* Whether a solid stands between an eye and a point: a mesh by its triangles, others by the box around them. Planes and
 * vessels never do: they are glass anyway. */
bool ts_stage3_blocks(const ts_solid *solid, ts_pose3 pose, ts_vec3 eye, ts_vec3 point);
