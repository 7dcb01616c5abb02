/* SPDX-License-Identifier: MIT */
#include "space.h"

#include "shape/hull.h"
#include "shape/mesh_clusters.h"
#include "shape/mesh_edges.h"
#include "shape/mesh_tree.h"

void ts_space_free(ts_space *space)
{
    if (!space)
        return;
    for (size_t i = 0; space->shape_name && i < space->shape_count; i++)
        ts_free(space->shape_name[i]);
    for (size_t i = 0; i < space->note_count; i++)
        ts_free(space->note[i].text);
    for (size_t i = 0; i < space->wall_count; i++)
        ts_free(space->wall[i].name);
    for (size_t i = 0; i < space->motion_count; i++)
        ts_free(space->motion[i].key);
    for (size_t i = 0; i < space->hull_count; i++)
        ts_hull_free(space->hull[i]);
    for (size_t i = 0; i < space->mesh_count; i++) {
        ts_mesh_free(space->mesh[i].mesh);
        ts_mesh_field_free(space->mesh[i].field);
        ts_mesh_clusters_free(space->mesh[i].clusters);
        ts_mesh_tree_free(space->mesh[i].tree);
        ts_mesh_edges_free(space->mesh[i].edges);
    }
    void *block[] = {space->shape_name, space->form,       space->piece,         space->body,        space->top,
                     space->mass,       space->body_form,  space->body_material, space->body_motion, space->body_gate,
                     space->wall,       space->part_owner, space->part_piece,    space->motion,      space->gate,
                     space->spring,     space->hull,       space->mesh,          space->note};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++)
        ts_free(block[i]);
    ts_free(space);
}
