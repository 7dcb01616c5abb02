/* SPDX-License-Identifier: MIT */
/* Any bytes as a checkpoint: loaded into a state, and stepped when accepted. Each input is tried as it is, and again
 * with right checksums and the model's fingerprint, since no mutation would guess those. */
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "fuzz/record_scene.h"
#include "record/checkpoint.h"
#include "scene/fingerprint.h"
#include "state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void sign(uint8_t *data, size_t size, const ts_model *model)
{
    enum { PREFIX = 32, SERIAL = 8, CHECKSUM = 8 };
    ts_fingerprint fingerprint = ts_fingerprint_of(model);
    if (size < PREFIX + SERIAL + sizeof fingerprint.part + CHECKSUM)
        return;
    for (size_t i = 0; i < TS_FINGERPRINT_PARTS; i++)
        ts_put_u64(data + PREFIX + SERIAL + 8 * i, fingerprint.part[i]);
    ts_put_u64(data + 24, ts_hash(data, 24, 0));
    ts_put_u64(data + size - CHECKSUM, ts_hash(data + PREFIX, size - PREFIX - CHECKSUM, 0));
}

/* Loads into a fresh state; what is refused must leave it alone. */
static void load(const uint8_t *data, size_t size, const ts_model *model)
{
    char path[64];
    int file = memory_file(data, size, path);
    ts_state *state;
    ts_workspace *work;
    ts_error error = {0};
    uint64_t serial, step;
    need(ts_state_create(model, &state, NULL));
    uint64_t before = ts_state_hash(state);
    (void)ts_checkpoint_peek(path, &serial, &step, &error);
    if (ts_state_load(model, state, path, &error) != TS_OK) {
        if (ts_state_hash(state) != before || error.message[0] == 0)
            abort();
    } else {
        for (size_t i = 0; i < model->body_count; i++)
            if (!isfinite(state->body[i].x) || !isfinite(state->body[i].vy) || !(state->body[i].radius > 0))
                abort();
        /* the engine may find it absurd, but must say so */
        need(ts_workspace_create(model, 1, &work, NULL));
        if (ts_step(model, state, work, 2, &error) != TS_OK && error.message[0] == 0)
            abort();
        ts_workspace_free(work);
    }
    ts_state_free(state);
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ts_model *model;
    if (!model)
        model = record_scene(false);
    load(data, size, model);
    uint8_t *copy = malloc(size + 1);
    if (!copy)
        return 0;
    if (size > 0)
        memcpy(copy, data, size);
    sign(copy, size, model);
    load(copy, size, model);
    free(copy);
    return 0;
}
