/* SPDX-License-Identifier: MIT */
/* Exports with the N-th allocation failing, for all N: an error that says so, nothing leaked, and no file left behind.
 * */
#include "record/sample.h"

#include <sys/stat.h>
#include <unistd.h>

#include "record/export.h"
#include "support/heap.h"

static ts_status export_one(const char *trajectory, ts_export_format format, const char *out, ts_error *error)
{
    ts_trajectory *reader;
    TS_TRY(ts_trajectory_open(trajectory, &reader, error));
    bool one = format == TS_EXPORT_SVG;
    ts_export_job job = {.reader = reader, .out = out, .count = one ? 1 : 0, .depth = -1};
    job.contacts = one || format == TS_EXPORT_VTK || format == TS_EXPORT_GLB;
    ts_status status = ts_export(format, &job, error);
    ts_trajectory_close(reader);
    return status;
}

/* Clusters, gates and walls, four frames. */
static void record_discs(const char *path)
{
    sample s = sample_make((sample_options){0});
    ts_trajectory_writer *writer;
    must(ts_trajectory_create(path, s.model, NULL, &writer, e));
    for (int i = 0; i < 4; i++) {
        const ts_contact *contact;
        size_t count;
        must(ts_find_contacts(s.model, s.state, s.work, &contact, &count, e));
        must(ts_trajectory_append(writer, s.state, contact, count, e));
        must(ts_step(s.model, s.state, s.work, 10, e));
    }
    ts_trajectory_writer_free(writer);
    sample_free(&s);
}

static void try_all(const char *trajectory, ts_export_format format, const char *out)
{
    long before = ts_test_heap_live();
    bool refused = true;
    assert_int_equal(system("rm -rf tried; mkdir tried"), 0);
    for (long n = 1; refused; n++) {
        ts_error error = {0};
        ts_test_heap_fail_at(n);
        ts_status status = export_one(trajectory, format, out, &error);
        refused = ts_test_heap_calls() >= n;
        ts_test_heap_fail_at(0);
        if (ts_test_heap_live() != before)
            fail_msg("%s: allocation %ld failed, and a block was lost", out, n);
        if (!refused) {
            assert_int_equal(status, TS_OK);
            assert_true(n > 10); /* else nothing was tried */
            break;
        }
        if (status != TS_OK) {
            bool told = status == TS_OUT_OF_MEMORY || (status == TS_IO && strstr(error.message, "allocate memory"));
            if (!told)
                fail_msg("%s: allocation %ld failed, and the error is: %s", out, n, error.message);
            assert_int_equal(rmdir("tried"), 0); /* it is empty */
            assert_int_equal(mkdir("tried", 0777), 0);
        }
    }
    assert_int_equal(system("rm -r tried"), 0);
}

static void try_formats(const char *trajectory)
{
    try_all(trajectory, TS_EXPORT_VTK, "tried/run.pvd");
    try_all(trajectory, TS_EXPORT_LAMMPS, "tried/run.lammpstrj");
    try_all(trajectory, TS_EXPORT_GLB, "tried/run.glb");
    try_all(trajectory, TS_EXPORT_USDA, "tried/run.usda");
    try_all(trajectory, TS_EXPORT_SVG, "tried/run.svg");
}

static void discs(void **unused)
{
    (void)unused;
    record_discs("discs.tst");
    try_formats("discs.tst");
}

static const char *seed(const char *name, char path[2048])
{
    snprintf(path, 2048, "%s/tests/fuzz/corpus/trajectory/%s", getenv("SOURCE_DIR") ? getenv("SOURCE_DIR") : ".", name);
    return path;
}

static void outlines(void **unused)
{
    (void)unused;
    char path[2048];
    try_formats(seed("outlines.tst", path));
}

static void space(void **unused)
{
    (void)unused;
    char path[2048];
    try_all(seed("space.tst", path), TS_EXPORT_VTK, "tried/run.pvd");
    try_all(path, TS_EXPORT_GLB, "tried/run.glb");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs),
        cmocka_unit_test(outlines),
        cmocka_unit_test(space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
