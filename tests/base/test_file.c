/* SPDX-License-Identifier: MIT */
/* Files: what is written is read back, caps hold, and a write that fails leaves the old file and no litter. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/memory.h"

/* Every test works in a fresh folder. */
static char folder[64];

static int enter_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/touchstone-file-XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    (void)state;
    char command[2 * sizeof folder + 32];
    snprintf(command, sizeof command, "chmod -R u+rwX %s && rm -rf %s", folder, folder);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static int entries(const char *path)
{
    int count = 0;
    DIR *stream = opendir(path);
    for (struct dirent *entry; (entry = readdir(stream));)
        count += entry->d_name[0] != '.';
    closedir(stream);
    return count;
}

static void expect(const char *path, const char *text)
{
    char *data = NULL;
    size_t size = 0;
    ts_error error = {0};
    if (ts_file_read(path, 1 << 20, &data, &size, &error) != TS_OK)
        fail_msg("%s", error.message);
    assert_int_equal(size, strlen(text));
    assert_string_equal(data, text);
    ts_free(data);
}

static void what_is_written_is_read_back(void **state)
{
    (void)state;
    size_t size = 300001, got = 0;
    char *data = ts_alloc(size, 1), *back = NULL;
    for (size_t i = 0; i < size; i++)
        data[i] = (char)(i * 31);
    assert_int_equal(ts_file_write("big", data, size, NULL), TS_OK);
    assert_int_equal(ts_file_read("big", size, &back, &got, NULL), TS_OK);
    assert_int_equal(got, size);
    assert_memory_equal(back, data, size);
    assert_int_equal(back[size], 0);
    ts_free(back);
    ts_free(data);

    assert_int_equal(ts_file_write("empty", NULL, 0, NULL), TS_OK);
    expect("empty", "");
    assert_int_equal(ts_file_write("big", "small", 5, NULL), TS_OK); /* replaces */
    expect("big", "small");
    assert_int_equal(entries("."), 2);
    assert_true(ts_file_exists("big"));
    assert_false(ts_file_exists("small"));

    /* as any new file, by the user's umask */
    struct stat about;
    mode_t mask = umask(0);
    umask(mask);
    stat("big", &about);
    assert_int_equal(about.st_mode & 0777, 0666 & ~mask);
}

static void a_file_above_its_cap_is_refused(void **state)
{
    (void)state;
    char *data = (char *)folder;
    size_t size = 77;
    ts_error error;
    ts_file_write("ten", "0123456789", 10, NULL);
    assert_int_equal(ts_file_read("ten", 9, &data, &size, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "ten"));
    assert_non_null(strstr(error.message, "9 bytes"));
    assert_ptr_equal(data, folder);
    assert_int_equal(size, 77);
    assert_int_equal(ts_file_read("ten", 10, &data, &size, &error), TS_OK);
    ts_free(data);
    /* an endless one, which has no size to ask for */
    assert_int_equal(ts_file_read("/dev/zero", 100000, &data, &size, &error), TS_BAD_INPUT);
    /* one that says it is empty and is not */
    assert_int_equal(ts_file_read("/proc/self/status", 1 << 20, &data, &size, &error), TS_OK);
    assert_true(size > 100);
    ts_free(data);
}

static void failures_name_path_and_reason(void **state)
{
    (void)state;
    char *data;
    size_t size;
    ts_error error;
    assert_int_equal(ts_file_read("missing.json", 100, &data, &size, &error), TS_IO);
    assert_non_null(strstr(error.message, "missing.json"));
    assert_non_null(strstr(error.message, "No such file"));
    assert_int_equal(ts_file_read(".", 100, &data, &size, &error), TS_IO);
    assert_non_null(strstr(error.message, "Is a directory"));
    assert_int_equal(ts_file_write("no/such/folder", "x", 1, &error), TS_IO);
    assert_non_null(strstr(error.message, "no/such/folder"));
    mkdir("taken", 0777);
    assert_int_equal(ts_file_write("taken", "x", 1, &error), TS_IO);
    assert_int_equal(ts_file_write("", "x", 1, &error), TS_IO);
    assert_int_equal(entries("."), 1);
    assert_int_equal(entries("taken"), 0);
}

/* A limit on file sizes stands for a full disk: writes fail midway with EFBIG. */
static void a_failed_write_leaves_the_old_file_and_no_litter(void **state)
{
    (void)state;
    ts_error error;
    assert_int_equal(ts_file_write("kept", "old", 3, NULL), TS_OK);
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 1000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    char data[100000] = {0};
    ts_status whole = ts_file_write("kept", data, sizeof data, &error);
    ts_draft draft;
    ts_status opened = ts_draft_open(&draft, "kept", NULL);
    for (int i = 0; i < 100; i++)
        fwrite(data, 1, 1000, draft.stream);
    ts_status pieces = ts_draft_commit(&draft, NULL);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(whole, TS_IO);
    assert_non_null(strstr(error.message, "kept"));
    assert_int_equal(opened, TS_OK);
    assert_int_equal(pieces, TS_IO);
    expect("kept", "old");
    assert_int_equal(entries("."), 1);
}

static void a_draft_is_invisible_until_committed(void **state)
{
    (void)state;
    ts_draft draft;
    ts_file_write("table.csv", "old", 3, NULL);
    assert_int_equal(ts_draft_open(&draft, "table.csv", NULL), TS_OK);
    fprintf(draft.stream, "%d,%d", 1, 2);
    fflush(draft.stream);
    expect("table.csv", "old");
    assert_int_equal(ts_draft_commit(&draft, NULL), TS_OK);
    expect("table.csv", "1,2");
    assert_null(draft.stream);

    assert_int_equal(ts_draft_open(&draft, "table.csv", NULL), TS_OK);
    fprintf(draft.stream, "never");
    ts_draft_discard(&draft);
    ts_draft_discard(&draft); /* twice is fine */
    expect("table.csv", "1,2");
    assert_int_equal(entries("."), 1);

    assert_int_equal(ts_draft_open(&draft, "no/such/folder", NULL), TS_IO);
    ts_draft_discard(&draft);

    /* two drafts of one file at once: the last commit wins, and neither sees the other */
    ts_draft other;
    ts_draft_open(&draft, "table.csv", NULL);
    ts_draft_open(&other, "table.csv", NULL);
    fputs("first", draft.stream);
    fputs("second", other.stream);
    ts_draft_commit(&draft, NULL);
    ts_draft_commit(&other, NULL);
    expect("table.csv", "second");
    assert_int_equal(entries("."), 1);
}

/* The rename would otherwise replace the device by a file, for a superuser. */
static void a_pipe_is_written_directly(void **state)
{
    (void)state;
    assert_int_equal(mkfifo("pipe", 0666), 0);
    int end = open("pipe", O_RDONLY | O_NONBLOCK);
    assert_int_equal(ts_file_write("pipe", "through", 7, NULL), TS_OK);
    char text[8] = "";
    assert_int_equal(read(end, text, 7), 7);
    close(end);
    assert_string_equal(text, "through");
    struct stat about;
    stat("pipe", &about);
    assert_true(S_ISFIFO(about.st_mode));
    assert_int_equal(ts_file_write("/dev/null", "x", 1, NULL), TS_OK);
}

static void folders_are_made_with_their_parents(void **state)
{
    (void)state;
    ts_error error;
    struct stat about;
    assert_int_equal(ts_folder_make("a/b//c/", &error), TS_OK);
    assert_int_equal(ts_folder_make("a/b//c/", &error), TS_OK); /* again */
    assert_true(stat("a/b/c", &about) == 0 && S_ISDIR(about.st_mode));
    char path[128];
    snprintf(path, sizeof path, "%s/x/y", folder);
    assert_int_equal(ts_folder_make(path, &error), TS_OK);
    assert_true(stat("x/y", &about) == 0);
    assert_int_equal(ts_folder_make("/", &error), TS_OK);
    assert_int_equal(ts_folder_make(".", &error), TS_OK);
    ts_file_write("plain", "x", 1, NULL);
    assert_int_equal(ts_folder_make("plain/sub", &error), TS_IO);
    assert_non_null(strstr(error.message, "plain"));
    assert_int_equal(ts_folder_make("plain", &error), TS_IO);
    assert_int_equal(ts_folder_make("", &error), TS_IO);
}

/* A program that has closed its standard streams: what it prints later must not go into our files. */
static void files_are_kept_apart_from_standard_streams(void **state)
{
    (void)state;
    const int kept = dup(STDIN_FILENO);
    assert_true(kept > STDERR_FILENO);
    close(STDIN_FILENO);
    ts_error error;
    ts_draft draft;
    const int file = ts_open("plain", O_WRONLY | O_CREAT, 0666);
    const ts_status opened = ts_draft_open(&draft, "draft", &error);
    const int drafted = opened == TS_OK ? fileno(draft.stream) : -1;
    ts_draft_discard(&draft);
    FILE *stream = ts_open_stream("plain");
    const int read = stream ? fileno(stream) : -1;
    const bool free_still = fcntl(STDIN_FILENO, F_GETFD) < 0;
    dup2(kept, STDIN_FILENO);
    assert_true(file > STDERR_FILENO && drafted > STDERR_FILENO && read > STDERR_FILENO);
    assert_true(fcntl(file, F_GETFD) & FD_CLOEXEC);
    assert_true(free_still);
    fclose(stream);
    close(file);
    close(kept);
    assert_int_equal(ts_open("nothing/there", O_RDONLY, 0), -1);
    assert_int_equal(errno, ENOENT);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

int main(void)
{
    const struct CMUnitTest test[] = {
        IN_FOLDER(what_is_written_is_read_back),         IN_FOLDER(a_file_above_its_cap_is_refused),
        IN_FOLDER(failures_name_path_and_reason),        IN_FOLDER(a_failed_write_leaves_the_old_file_and_no_litter),
        IN_FOLDER(a_draft_is_invisible_until_committed), IN_FOLDER(a_pipe_is_written_directly),
        IN_FOLDER(folders_are_made_with_their_parents),  IN_FOLDER(files_are_kept_apart_from_standard_streams),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
