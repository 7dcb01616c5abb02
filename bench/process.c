/* SPDX-License-Identifier: MIT */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#define FILE_CAP ((size_t)1 << 32)

ts_status ts_process_run(const char *const *argument, const char *output, ts_error *error)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return ts_fail_memory(error, sizeof actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t child;
    int failure = posix_spawnp(&child, argument[0], &actions, NULL, (char *const *)(uintptr_t)argument, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0)
        return ts_fail(error, TS_IO, "cannot start %s: %s", argument[0], strerror(failure));
    int code = 0;
    while (waitpid(child, &code, 0) < 0)
        if (errno != EINTR)
            return ts_fail(error, TS_IO, "cannot wait for %s: %s", argument[0], strerror(errno));
    if (!WIFEXITED(code) || WEXITSTATUS(code) != 0)
        return ts_fail(error, TS_IO, "%s failed; its output is in %s", argument[0], output);
    return TS_OK;
}

bool ts_process_on_path(const char *program)
{
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t length = strcspn(path, ":");
        char file[4096];
        snprintf(file, sizeof file, "%.*s/%s", (int)length, path, program);
        if (access(file, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

bool ts_process_find_peer(const char *name, char path[4096])
{
    ssize_t length = readlink("/proc/self/exe", path, 4000);
    path[length > 0 ? length : 0] = 0;
    for (int up = 0; up < 3; up++) {
        char *slash = strrchr(path, '/');
        if (!slash)
            break;
        snprintf(slash, 90, "/peers/%s", name);
        if (access(path, X_OK) == 0)
            return true;
        *slash = 0;
    }
    path[0] = 0;
    return false;
}

const char *ts_process_line(const char *text, const char *key)
{
    for (const char *p = text; p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL)
        if (strncmp(p, key, strlen(key)) == 0)
            return p + strlen(key);
    return "";
}

double ts_process_number(const char *text, const char *key)
{
    const char *p = ts_process_line(text, key);
    double value;
    return ts_parse_number(p, strcspn(p, "\n"), &value) > 0 ? value : (double)NAN;
}

ts_status ts_process_read_numbers(const char *path, size_t count, double *value, ts_error *error)
{
    char *text;
    size_t size;
    TS_TRY(ts_file_read(path, FILE_CAP, &text, &size, error));
    const char *p = text;
    size_t found = 0;
    for (; found < count; found++) {
        p += strspn(p, " \n");
        size_t length = ts_parse_number(p, (size_t)(text + size - p), &value[found]);
        if (length == 0)
            break;
        p += length;
    }
    ts_free(text);
    if (found < count)
        return ts_fail(error, TS_IO, "%s should have %zu numbers, but only %zu can be read", path, count, found);
    return TS_OK;
}
