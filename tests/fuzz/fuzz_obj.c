/* SPDX-License-Identifier: MIT */
/* Any bytes as a Wavefront OBJ file; what must hold is told in check_mesh.h. */
#include <stdint.h>

#include "fuzz/check_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_mesh(data, size, TS_MESH_OBJ);
    return 0;
}
