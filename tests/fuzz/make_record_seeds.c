/* SPDX-License-Identifier: MIT */
/* Writes the seeds of fuzz_trajectory and fuzz_checkpoint anew: run it from the source folder after a change of either
 * format.
 *
 *     gcc -std=gnu17 -D_GNU_SOURCE -Iinclude -Isrc -Itests -o seeds tests/fuzz/make_record_seeds.c \
 *         build/libtouchstone.a -lm -lcairo -lexpat -lfreetype -lcmocka
 *     ./seeds
 *
 * version-1.tst stays as it is: a file of the first version, which must remain readable. space.tst is a run in space;
 * its scene is that of tests/record/sample_space.h, made by hand. */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "fuzz/record_scene.h"
#include "record/sample_space.h"
#include "record/trajectory.h"

#define CORPUS "tests/fuzz/corpus/"

static void write_trajectory(const char *path, ts_model *model, int frames, uint64_t steps)
{
    ts_state *state;
    ts_workspace *work;
    ts_trajectory_writer *writer;
    need(ts_state_create(model, &state, NULL));
    need(ts_workspace_create(model, 1, &work, NULL));
    need(ts_trajectory_create(path, model, "seed", &writer, NULL));
    for (int i = 0; i < frames; i++) {
        const ts_contact *contact;
        size_t count;
        need(ts_find_contacts(model, state, work, &contact, &count, NULL));
        need(ts_trajectory_append(writer, state, contact, count, NULL));
        if (steps > 0)
            need(ts_step(model, state, work, steps, NULL));
    }
    ts_trajectory_writer_free(writer);
    ts_workspace_free(work);
    ts_state_free(state);
    ts_model_free(model);
}

/* The same file without its last bytes. */
static void write_torn(const char *from, const char *to, size_t missing)
{
    char *data;
    size_t size;
    need(ts_file_read(from, 1 << 20, &data, &size, NULL));
    need(ts_file_write(to, data, size - missing, NULL));
    ts_free(data);
}

static void write_state(const char *path, uint64_t steps)
{
    ts_model *model = record_scene(false);
    ts_state *state;
    ts_workspace *work;
    need(ts_state_create(model, &state, NULL));
    need(ts_workspace_create(model, 1, &work, NULL));
    need(ts_step(model, state, work, steps, NULL));
    need(ts_state_save(model, state, path, NULL));
    ts_workspace_free(work);
    ts_state_free(state);
    ts_model_free(model);
}

int main(void)
{
    need(ts_folder_make(CORPUS "trajectory", NULL));
    need(ts_folder_make(CORPUS "checkpoint", NULL));
    write_trajectory(CORPUS "trajectory/empty.tst", record_scene(false), 0, 10);
    write_trajectory(CORPUS "trajectory/frames.tst", record_scene(false), 3, 10);
    write_trajectory(CORPUS "trajectory/gates.tst", record_scene(true), 3, 10);
    write_trajectory(CORPUS "trajectory/outlines.tst", record_outlines(), 1, 0);
    static sample_space space;
    sample_space_make(&space);
    sample_space_record(&space, CORPUS "trajectory/space.tst", 3);
    sample_space_free(&space);
    write_torn(CORPUS "trajectory/frames.tst", CORPUS "trajectory/torn.tst", 100);
    write_state(CORPUS "checkpoint/start", 0);
    write_state(CORPUS "checkpoint/later", 40);
    write_torn(CORPUS "checkpoint/later", CORPUS "checkpoint/torn", 10);
    return 0;
}
