/* SPDX-License-Identifier: MIT */
/* Any bytes as a mesh file of one format. Besides not crashing it must hold that a failure leaves a message and no
 * mesh; that a soup has finite vertices and indices of them, and not many times more of either than the file has bytes;
 * and that a mesh is closed, encloses the volume that its report tells, and is its own repair. */
#pragma once

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shape/mesh_read.h"

#define REQUIRE(condition) ((condition) ? (void)0 : abort())

/* Each edge is another triangle's, the other way round: so the sums of edges as vectors of their ends cancel out. */
static inline void check_edges(const ts_mesh *mesh)
{
    for (size_t i = 0; i < mesh->triangle_count && mesh->triangle_count < 300; i++)
        for (int k = 0; k < 3; k++) {
            int there = 0, back = 0;
            int32_t a = mesh->triangle[i][k], b = mesh->triangle[i][(k + 1) % 3];
            for (size_t j = 0; j < mesh->triangle_count; j++)
                for (int l = 0; l < 3; l++) {
                    there += mesh->triangle[j][l] == a && mesh->triangle[j][(l + 1) % 3] == b;
                    back += mesh->triangle[j][l] == b && mesh->triangle[j][(l + 1) % 3] == a;
                }
            REQUIRE(there == 1 && back == 1);
        }
}

static inline void check_numbers(const ts_mesh *mesh)
{
    for (size_t i = 0; i < mesh->vertex_count; i++)
        REQUIRE(ts_vec3_is_finite(mesh->vertex[i]));
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            REQUIRE(mesh->triangle[i][k] >= 0 && (size_t)mesh->triangle[i][k] < mesh->vertex_count);
}

static inline void check_mesh(const uint8_t *data, size_t size, ts_mesh_format format)
{
    /* a block of its own, so that the sanitizer sees the first byte read beyond it */
    uint8_t *copy = malloc(size > 0 ? size : 1);
    REQUIRE(copy);
    memcpy(copy, size > 0 ? data : (const uint8_t *)"", size);
    ts_mesh *soup, *mesh, *again;
    ts_mesh_report report, second;
    char text[1024];
    ts_error error = {0};
    ts_status status = ts_mesh_parse(copy, size, format, "fuzz", &soup, &error);
    free(copy);
    REQUIRE((status == TS_OK) == (soup != NULL));
    if (!soup) {
        REQUIRE(error.status == status && error.message[0] != 0);
        return;
    }
    REQUIRE(soup->vertex_count <= size && soup->triangle_count <= size);
    check_numbers(soup);
    status = ts_mesh_repair(soup, "fuzz", &report, &mesh, &error);
    REQUIRE((status == TS_OK) == (mesh != NULL));
    REQUIRE(mesh || (error.status == status && error.message[0] != 0));
    ts_mesh_free(soup);
    if (!mesh)
        return;
    check_numbers(mesh);
    check_edges(mesh);
    REQUIRE(report.volume > 0 && isfinite(report.volume) && report.pieces > report.cavities);
    REQUIRE(ts_mesh_report_repairs(&report, text, sizeof text) < sizeof text);
    REQUIRE(ts_mesh_repair(mesh, "again", &second, &again, &error) == TS_OK);
    REQUIRE(second.turned == 0 && second.welded == 0 && second.flat == 0 && second.cavities == report.cavities);
    ts_mesh_free(mesh);
    ts_mesh_free(again);
}
