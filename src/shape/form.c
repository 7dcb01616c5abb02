/* SPDX-License-Identifier: MIT */
#include "shape/form.h"

#include "shape/mesh_clusters.h"
#include "shape/mesh_edges.h"
#include "shape/mesh_tree.h"

void ts_body_mesh_free(ts_body_mesh *mesh)
{
    ts_mesh_free(mesh->mesh);
    ts_mesh_field_free(mesh->field);
    ts_mesh_clusters_free(mesh->clusters);
    ts_mesh_tree_free(mesh->tree);
    ts_mesh_edges_free(mesh->edges);
}
