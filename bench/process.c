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
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#define FILE_CAP ((size_t)1 << 32)

/* Starts a program with these actions, which are freed. */
static ts_status start(const char *const *argument, posix_spawn_file_actions_t *actions, pid_t *child, ts_error *error)
{
    int failure = posix_spawnp(child, argument[0], actions, NULL, (char *const *)(uintptr_t)argument, environ);
    posix_spawn_file_actions_destroy(actions);
    if (failure != 0)
        return ts_fail(error, TS_IO, "cannot start %s: %s", argument[0], strerror(failure));
    return TS_OK;
}

/* Waits until it has ended; false: it cannot be waited for. */
static bool wait_for(pid_t child, int *code)
{
    while (waitpid(child, code, 0) < 0)
        if (errno != EINTR)
            return false;
    return true;
}

ts_status ts_process_run(const char *const *argument, const char *output, ts_error *error)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return ts_fail_memory(error, sizeof actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t child;
    TS_TRY(start(argument, &actions, &child, error));
    int code = 0;
    if (!wait_for(child, &code))
        return ts_fail(error, TS_IO, "cannot wait for %s: %s", argument[0], strerror(errno));
    if (!WIFEXITED(code) || WEXITSTATUS(code) != 0)
        return ts_fail(error, TS_IO, "%s failed; its output is in %s", argument[0], output);
    return TS_OK;
}

/* ---- Peers that are told what to do ---- */

/* A socket rather than two pipes: writing to a peer that has ended is then an error, and no signal. */
ts_status ts_process_open(const char *const *argument, const char *errors, ts_process *process, ts_error *error)
{
    posix_spawn_file_actions_t actions;
    int end[2];
    *process = (ts_process){0};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, end) != 0)
        return ts_fail(error, TS_IO, "cannot start %s: %s", argument[0], strerror(errno));
    ts_status status = TS_OK;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        status = ts_fail_memory(error, sizeof actions);
    } else {
        posix_spawn_file_actions_adddup2(&actions, end[1], 0);
        posix_spawn_file_actions_adddup2(&actions, end[1], 1);
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        status = start(argument, &actions, &process->id, error);
    }
    close(end[1]);
    if (status == TS_OK) {
        process->channel = end[0];
    } else {
        process->id = 0;
        close(end[0]);
    }
    return status;
}

/* A line without its end, or as much of it as there is room for. */
static ts_status read_line(const ts_process *process, char line[256], ts_error *error)
{
    size_t got = 0;
    while (got < 255) {
        ssize_t n = recv(process->channel, line + got, 1, 0);
        if (n == 0 || (n < 0 && errno != EINTR))
            return ts_fail(error, TS_IO, "a peer ended without an answer");
        if (n > 0 && line[got] == '\n')
            break;
        got += n > 0 ? (size_t)n : 0;
    }
    line[got] = 0;
    return TS_OK;
}

ts_status ts_process_ask(const ts_process *process, const char *line, const char *key, char answer[256],
                         ts_error *error)
{
    const size_t length = strlen(line), begin = strlen(key);
    for (size_t sent = 0; sent < length;) {
        ssize_t n = send(process->channel, line + sent, length - sent, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            return ts_fail(error, TS_IO, "a peer has ended");
        sent += n > 0 ? (size_t)n : 0;
    }
    do
        TS_TRY(read_line(process, answer, error));
    while (strncmp(answer, key, begin) != 0);
    memmove(answer, answer + begin, strlen(answer + begin) + 1);
    return TS_OK;
}

ts_status ts_process_open_peer(const char *name, const ts_peer_files *files, ts_process *process, char version[64],
                               ts_error *error)
{
    char answer[256];
    TS_TRY(
        ts_process_open((const char *const[]){files->program, files->scene, "-", NULL}, files->output, process, error));
    ts_status status = ts_process_ask(process, "", "version ", answer, error);
    if (status == TS_OK)
        snprintf(version, 64, "%s %.40s", name, answer);
    else
        ts_process_close(process);
    return status;
}

void ts_process_close(ts_process *process)
{
    int code;
    if (process->id == 0)
        return;
    close(process->channel);
    wait_for(process->id, &code);
    *process = (ts_process){0};
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

ts_status ts_process_peer_files(const char *name, const char *program, const char *work, ts_peer_files *files,
                                ts_error *error)
{
    if (!ts_process_find_peer(program, files->program))
        return ts_fail(error, TS_UNSUPPORTED, "%s was not there when this program was built", name);
    snprintf(files->scene, sizeof files->scene, "%s.scene", work);
    snprintf(files->output, sizeof files->output, "%s.out", work);
    return TS_OK;
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
