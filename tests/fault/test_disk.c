/* SPDX-License-Identifier: MIT */
/* Disks that refuse: an error that names the file, what was recorded stays readable, and the run can go on when there
 * is room again. */
#include "record/sample.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/checkpoint.h"
#include "record/runfolder.h"
#include "record/trajectory.h"

enum { STEPS = 200 };

/* The loop of a run, with a checkpoint every 50 steps. */
static ts_status run_to_end(ts_recorder *recorder, sample *s, ts_error *error)
{
    for (;;) {
        TS_TRY(ts_recorder_write(recorder, s->state, s->work, error));
        uint64_t at = ts_state_steps(s->state), next = ts_recorder_next(recorder, at);
        if (at % 50 == 0 && at > 0)
            TS_TRY(ts_recorder_checkpoint(recorder, s->state, error));
        if (at >= STEPS)
            return TS_OK;
        uint64_t mark = (at / 50 + 1) * 50;
        TS_TRY(ts_step(s->model, s->state, s->work, (next < mark ? next : mark) - at, error));
    }
}

static void run_straight(const char *folder)
{
    sample s = sample_make((sample_options){0});
    ts_recorder *recorder;
    must(ts_recorder_create(folder, s.model, &(ts_recorder_options){.force = true}, &recorder, e));
    must(run_to_end(recorder, &s, e));
    ts_recorder_free(recorder);
    sample_free(&s);
}

static bool has_drafts(const char *folder)
{
    DIR *listing = opendir(folder);
    bool found = false;
    assert_non_null(listing);
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;)
        found |= strstr(entry->d_name, ".tmp") != NULL;
    closedir(listing);
    return found;
}

/* Sets the largest size that a file may have. A write across it is short, and the next fails with EFBIG. */
static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* Wherever the limit falls, the files end with whole records; and with more room the same run goes on as if nothing had
 * been. */
static void short_writes_are_taken_back(void **unused)
{
    (void)unused;
    signal(SIGXFSZ, SIG_IGN);
    run_straight("straight");
    size_t size, failures = 0;
    ts_free(sample_read("straight/trajectory.tst", &size));
    for (size_t limit = 1300; limit < size; limit += 251) {
        sample s = sample_make((sample_options){0});
        ts_recorder *recorder;
        ts_error error = {0};
        must(ts_recorder_create("limited", s.model, &(ts_recorder_options){.force = true}, &recorder, e));
        limit_files(limit);
        ts_status status = run_to_end(recorder, &s, &error);
        if (status != TS_OK) {
            failures++;
            assert_int_equal(status, TS_IO);
            assert_non_null(strstr(error.message, "limited/"));
            assert_non_null(strstr(error.message, "make room"));
            ts_trajectory *reader;
            must(ts_trajectory_open("limited/trajectory.tst", &reader, e));
            assert_int_equal(ts_trajectory_torn_bytes(reader), 0);
            ts_trajectory_close(reader);
            assert_false(has_drafts("limited"));
        }
        limit_files(RLIM_INFINITY);
        must(run_to_end(recorder, &s, e));
        ts_recorder_free(recorder);
        sample_free(&s);
        sample_assert_same_file("straight/trajectory.tst", "limited/trajectory.tst");
        sample_assert_same_file("straight/energies.csv", "limited/energies.csv");
    }
    assert_true(failures > 3);
}

/* A checkpoint that does not fit leaves the old one as it was. */
static void the_old_checkpoint_stays(void **unused)
{
    (void)unused;
    signal(SIGXFSZ, SIG_IGN);
    sample s = sample_make((sample_options){0});
    must(ts_state_save(s.model, s.state, "kept", e));
    uint64_t first = ts_state_hash(s.state);
    size_t size;
    ts_free(sample_read("kept", &size));
    must(ts_step(s.model, s.state, s.work, 20, e));
    for (size_t limit = 0; limit < size; limit += 13) {
        limit_files(limit);
        ts_error error = {0};
        ts_status status = ts_state_save(s.model, s.state, "kept", &error);
        limit_files(RLIM_INFINITY);
        assert_int_equal(status, TS_IO);
        assert_non_null(strstr(error.message, "kept"));
    }
    assert_false(has_drafts("."));
    must(ts_state_load(s.model, s.state, "kept", e));
    assert_int_equal(ts_state_hash(s.state), first);
    sample_free(&s);
}

static void a_read_only_folder_is_told(void **unused)
{
    (void)unused;
    sample s = sample_make((sample_options){0});
    ts_recorder *recorder;
    ts_error error = {0};
    rmdir("readonly");
    assert_int_equal(mkdir("readonly", 0555), 0);
    /* root may write anywhere: be nobody for a moment */
    bool root = geteuid() == 0;
    if (root && seteuid(65534) != 0)
        skip();
    ts_status inside = ts_recorder_create("readonly", s.model, NULL, &recorder, &error);
    ts_status below = ts_recorder_create("readonly/run", s.model, NULL, &recorder, NULL);
    ts_status state = ts_state_save(s.model, s.state, "readonly/state", NULL);
    if (root)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(inside, TS_IO);
    assert_non_null(strstr(error.message, "readonly"));
    assert_non_null(strstr(error.message, "choose a folder"));
    assert_int_equal(below, TS_IO);
    assert_int_equal(state, TS_IO);
    sample_write("plain", "", 0); /* and a file where the folder should be */
    assert_int_equal(ts_recorder_create("plain", s.model, NULL, &recorder, &error), TS_IO);
    sample_free(&s);
}

static void a_folder_that_vanishes_is_told(void **unused)
{
    (void)unused;
    sample s = sample_make((sample_options){0});
    ts_recorder *recorder;
    ts_error error = {0};
    must(ts_recorder_create("vanishing", s.model, &(ts_recorder_options){.force = true}, &recorder, e));
    must(ts_recorder_write(recorder, s.state, s.work, e));
    assert_int_equal(rename("vanishing", "vanished"), 0);
    assert_int_equal(ts_recorder_checkpoint(recorder, s.state, &error), TS_IO);
    assert_non_null(strstr(error.message, "vanishing/checkpoint"));
    assert_int_equal(ts_recorder_finish(recorder, s.state, s.work, &(ts_run_end){.outcome = "finished"}, NULL, &error),
                     TS_IO);
    ts_recorder_free(recorder);
    sample_free(&s);
    assert_int_equal(rename("vanished", "vanishing"), 0);
}

/* In a child with a mount of its own: a disk of 32 KB fills up; with more room the run is resumed and ends the same. */
static int on_a_full_disk(void)
{
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("tmpfs", "tiny", "tmpfs", 0, "size=32k") != 0)
        return 77;
    sample s = sample_make((sample_options){.row_steps = 1});
    ts_recorder *recorder;
    ts_error error = {0};
    must(ts_recorder_create("tiny/run", s.model, NULL, &recorder, e));
    assert_int_equal(run_to_end(recorder, &s, &error), TS_IO);
    assert_non_null(strstr(error.message, "tiny/run"));
    ts_recorder_free(recorder);
    sample_free(&s);
    ts_trajectory *reader;
    must(ts_trajectory_open("tiny/run/trajectory.tst", &reader, e));
    assert_true(ts_trajectory_frame_count(reader) > 0);
    assert_int_equal(ts_trajectory_torn_bytes(reader), 0);
    ts_trajectory_close(reader);

    assert_int_equal(mount("tmpfs", "tiny", "tmpfs", MS_REMOUNT, "size=4m"), 0);
    s = sample_make((sample_options){.row_steps = 1});
    must(ts_recorder_resume("tiny/run", s.model, s.state, NULL, &recorder, e));
    assert_true(ts_state_steps(s.state) > 0);
    must(run_to_end(recorder, &s, e));
    ts_recorder_free(recorder);
    sample_free(&s);

    s = sample_make((sample_options){.row_steps = 1});
    must(ts_recorder_create("tiny/straight", s.model, NULL, &recorder, e));
    must(run_to_end(recorder, &s, e));
    ts_recorder_free(recorder);
    sample_free(&s);
    sample_assert_same_file("tiny/straight/trajectory.tst", "tiny/run/trajectory.tst");
    sample_assert_same_file("tiny/straight/energies.csv", "tiny/run/energies.csv");
    return 0;
}

static void a_full_disk_is_survived(void **unused)
{
    (void)unused;
    (void)mkdir("tiny", 0777);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(on_a_full_disk());
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how));
    if (WEXITSTATUS(how) == 77)
        skip(); /* mounting needs root */
    assert_int_equal(WEXITSTATUS(how), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_writes_are_taken_back), cmocka_unit_test(the_old_checkpoint_stays),
        cmocka_unit_test(a_read_only_folder_is_told),  cmocka_unit_test(a_folder_that_vanishes_is_told),
        cmocka_unit_test(a_full_disk_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
