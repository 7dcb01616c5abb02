/* SPDX-License-Identifier: MIT */
/* Any bytes as a trajectory: opened, every frame read, everything exported. Each input is tried as it is, and again
 * with right checksums, since no mutation would guess those. */
#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "fuzz/record_scene.h"
#include "measure/columns.h"
#include "record/export_space.h"
#include "record/snapshot.h"
#include "record/trajectory_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t number_at(const uint8_t *data)
{
    ts_bytes from = ts_bytes_of(data, 8);
    return ts_take_u64(&from);
}

/* Puts right checksums wherever the sizes in the file lead. */
static void sign(uint8_t *data, size_t size)
{
    if (size < TS_PREFIX_BYTES)
        return;
    memcpy(data, ts_trajectory_magic, sizeof ts_trajectory_magic);
    ts_put_u64(data + 24, ts_hash(data, 24, 0));
    uint64_t header = number_at(data + 16);
    size_t at = TS_PREFIX_BYTES;
    if (header > size - at || size - at - header < TS_CHECKSUM_BYTES)
        return;
    ts_put_u64(data + at + header, ts_hash(data + at, header, 0));
    at += header + TS_CHECKSUM_BYTES;
    while (size - at >= TS_FRAME_HEAD_BYTES + TS_CHECKSUM_BYTES) {
        ts_put_u64(data + at + 32, ts_hash(data + at, 32, 0));
        uint64_t payload = number_at(data + at + 8), room = size - at - TS_FRAME_HEAD_BYTES - TS_CHECKSUM_BYTES;
        if (payload > room)
            return;
        size_t whole = TS_FRAME_HEAD_BYTES + (size_t)payload;
        ts_put_u64(data + at + whole, ts_hash(data + at, whole, 0));
        at += whole + TS_CHECKSUM_BYTES;
    }
}

/* Every body and contact of a frame. */
static double measured(const ts_trajectory_header *header, const ts_frame *frame)
{
    double value[TS_MEASURE_COLUMNS_MAX] = {0};
    const uint32_t groups = TS_MEASURE_ENERGY | TS_MEASURE_VELOCITY | TS_MEASURE_FABRIC;
    ts_snapshot snapshot = {0};
    ts_error error;
    if (ts_snapshot_of_frame(header, frame, &snapshot, &error) == TS_OK)
        (void)ts_measure_row(&snapshot, NULL, &(ts_measure_options){0}, groups, value, &error);
    ts_snapshot_free(&snapshot);
    return value[0];
}

/* Surfaces of all shapes and walls, as exports make them. */
static void mesh_all(ts_trajectory *reader)
{
    ts_export_job job = {.reader = reader};
    ts_export_range range;
    ts_export_solids solids;
    ts_error error = {0};
    need(ts_export_range_of(&job, &range, NULL));
    if (ts_export_surfaces_space(&job, &range, 8, &solids, &error) != TS_OK)
        return;
    for (size_t i = 0; i < solids.shape_count; i++) {
        ts_mesh3 shaded;
        if (solids.shape[i] && ts_mesh_shade(solids.shape[i], &shaded, &error) == TS_OK)
            ts_mesh3_free(&shaded);
    }
    ts_export_solids_free(&solids);
}

static void read_all(const uint8_t *data, size_t size, FILE *sink)
{
    char path[64];
    int file = memory_file(data, size, path);
    ts_trajectory *reader;
    ts_error error = {0};
    if (ts_trajectory_open(path, &reader, &error) == TS_OK) {
        static const char *const quantity[] = {"frames", "bodies", "boundaries", "contacts", "discs", "walls"};
        uint64_t index;
        const bool space = ts_trajectory_get_header(reader)->dimension == 3;
        for (uint64_t i = ts_trajectory_frame_count(reader); i-- > 0;) {
            ts_frame frame;
            double sum = 0; /* touches what the frame points to */
            bool read = ts_trajectory_read(reader, i, &frame, &error) == TS_OK;
            if (read)
                sum += measured(ts_trajectory_get_header(reader), &frame);
            (void)ts_trajectory_find(reader, sum, &index, &error);
        }
        for (size_t i = 0; i < sizeof quantity / sizeof *quantity; i++)
            (void)ts_export_csv(reader, &(ts_export_options){.quantity = quantity[i]}, sink, NULL, NULL, &error);
        if (space && ts_trajectory_frame_count(reader) > 0)
            mesh_all(reader);
        ts_trajectory_close(reader);
    } else if (error.message[0] == 0) {
        abort(); /* a failure without a word */
    }
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *sink;
    if (!sink && !(sink = fopen("/dev/null", "w")))
        abort();
    read_all(data, size, sink);
    uint8_t *copy = malloc(size + 1);
    if (!copy)
        return 0;
    if (size > 0)
        memcpy(copy, data, size);
    sign(copy, size);
    read_all(copy, size, sink);
    free(copy);
    return 0;
}
