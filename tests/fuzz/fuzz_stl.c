/* SPDX-License-Identifier: MIT */
/* Any bytes as an STL file, in text or binary; what must hold is told in check_mesh.h. */
#include <stdint.h>

#include "fuzz/check_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_mesh(data, size, TS_MESH_STL);
    return 0;
}
