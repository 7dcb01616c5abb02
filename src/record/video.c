/* SPDX-License-Identifier: MIT */
#include "record/video.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

/* Longest part of what ffmpeg said that goes into a message [bytes]. */
#define TAIL_MAX 400

struct ts_video {
    ts_draft draft; /* holds the temporary name; ffmpeg writes into it */
    pid_t child;    /* 0: none, or waited for already */
    int feed;       /* our end of the socket; -1: closed */
    int said;       /* file in memory with what ffmpeg writes to its standard error; -1: none */
    size_t frame_bytes;
    uint64_t frame_count;
};

/* ---- The child ---- */

/* Starts ffmpeg with `input` as standard input. In a process group of its own, so that Ctrl-C reaches us alone and we
 * decide what becomes of the file; with signals as a program expects them, whatever ours are. */
static int spawn(char *const argument[], int input, int said, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGTERM);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGCHLD);
    int reason = posix_spawn_file_actions_init(&actions);
    if (reason != 0)
        return reason;
    reason = posix_spawnattr_init(&attributes);
    if (reason == 0) {
        reason = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
        if (reason == 0)
            reason = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        if (reason == 0)
            reason = posix_spawn_file_actions_adddup2(&actions, said, STDERR_FILENO);
        if (reason == 0)
            reason = posix_spawnattr_setflags(&attributes,
                                              POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
        if (reason == 0)
            reason = posix_spawnattr_setsigdefault(&attributes, &usual);
        if (reason == 0)
            reason = posix_spawnattr_setsigmask(&attributes, &none);
        if (reason == 0)
            reason = posix_spawnp(child, argument[0], &actions, &attributes, argument, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return reason;
}

/* RGB is turned into BT.709 and says so: ffmpeg's own choice is BT.601, which players take for BT.709 in a video of
 * this size, and show other colours. CRF 20 at preset fast: grains have hard edges, and a run is often watched once. */
static ts_status start(ts_video *video, int width, int height, double fps, ts_error *error)
{
    char size[32], rate[32];
    snprintf(size, sizeof size, "%dx%d", width, height);
    snprintf(rate, sizeof rate, "%ld/1000",
             (long)(fps * 1000 + 0.5)); /* a ratio has no decimal point to depend on locale */
    /* "file:" keeps a name with a colon or a leading dash from being a protocol or an option */
    size_t capacity = strlen(video->draft.temporary) + 6;
    char *target = ts_alloc(capacity, 1);
    if (!target)
        return ts_fail_memory(error, capacity);
    snprintf(target, capacity, "file:%s", video->draft.temporary);
    const char *argument[] = {
        "ffmpeg",
        "-hide_banner",
        "-loglevel",
        "error",
        "-nostdin",
        "-y",
        "-f",
        "rawvideo",
        "-pixel_format",
        "bgr0",
        "-video_size",
        size,
        "-framerate",
        rate,
        "-i",
        "pipe:0",
        "-vf",
        "scale=in_range=pc:out_range=tv:out_color_matrix=bt709:flags=accurate_rnd+full_chroma_int",
        "-pix_fmt",
        "yuv420p",
        "-color_primaries",
        "bt709",
        "-color_trc",
        "bt709",
        "-colorspace",
        "bt709",
        "-c:v",
        "libx264",
        "-preset",
        "fast",
        "-crf",
        "20",
        "-movflags",
        "+faststart",
        "-f",
        "mp4",
        target,
        NULL};

    int ends[2];
    ts_status status = TS_OK;
    video->said = ts_above_standard(memfd_create("ffmpeg", MFD_CLOEXEC));
    if (video->said < 0) {
        status = ts_fail_errno(error, "keep the words of", "ffmpeg", errno);
    } else if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        status = ts_fail_errno(error, "connect to", "ffmpeg", errno);
    } else {
        shutdown(ends[1], SHUT_WR); /* it only listens */
        video->feed = ts_above_standard(ends[0]);
        int input = ts_above_standard(ends[1]);
        int reason = video->feed < 0 || input < 0 ? EMFILE : 0;
        if (reason == 0)
            reason = spawn((char *const *)(uintptr_t)argument, input, video->said, &video->child);
        if (input >= 0)
            close(input);
        if (reason == ENOENT)
            status = ts_fail(error, TS_UNSUPPORTED, "ffmpeg was not found; install the package ffmpeg to make videos");
        else if (reason != 0)
            status = ts_fail_errno(error, "start", "ffmpeg", reason);
        if (reason != 0)
            video->child = 0;
    }
    ts_free(target);
    return status;
}

/* The end of what ffmpeg said, on one line. */
static void read_tail(const ts_video *video, char tail[TAIL_MAX + 1])
{
    off_t size = lseek(video->said, 0, SEEK_END);
    off_t from = size > TAIL_MAX ? size - TAIL_MAX : 0;
    ssize_t got = size > 0 ? pread(video->said, tail, TAIL_MAX, from) : 0;
    size_t length = got > 0 ? (size_t)got : 0;
    while (length > 0 && (tail[length - 1] == '\n' || tail[length - 1] == '\r' || tail[length - 1] == ' '))
        length--;
    tail[length] = 0;
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)tail[i] < 0x20)
            tail[i] = ' ';
    }
}

/* Waits for ffmpeg's end; TS_OK when it was content. */
static ts_status reap(ts_video *video, ts_error *error)
{
    if (video->feed >= 0)
        close(video->feed);
    video->feed = -1;
    int ended = 0;
    pid_t got = -1;
    if (video->child > 0) {
        do
            got = waitpid(video->child, &ended, 0);
        while (got < 0 && errno == EINTR);
    }
    int reason = got < 0 ? errno : 0;
    bool waited = got > 0;
    video->child = 0;
    if (!waited)
        return ts_fail_errno(error, "wait for", "ffmpeg", reason);
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0)
        return TS_OK;
    char tail[TAIL_MAX + 1];
    read_tail(video, tail);
    const char *separator = tail[0] ? ": " : "";
    if (WIFEXITED(ended))
        return ts_fail(error, TS_IO, "ffmpeg failed with exit code %d and made no video%s%s", WEXITSTATUS(ended),
                       separator, tail);
    return ts_fail(error, TS_IO, "ffmpeg was ended by signal %d and made no video%s%s",
                   WIFSIGNALED(ended) ? WTERMSIG(ended) : 0, separator, tail);
}

/* A number whose highest byte comes first. */
static uint64_t number_at(const unsigned char *byte, int count)
{
    uint64_t number = 0;
    for (int i = 0; i < count; i++)
        number = number << 8 | byte[i];
    return number;
}

/* The boxes of an MP4 file: a size of 32 bits with its own 8 bytes in it, a name, and with size 1 the real size in 64
 * bits. Whole is a file of complete boxes one of which is the index. */
static bool is_whole(const char *path)
{
    FILE *file = ts_open_stream(path);
    bool indexed = false, whole = file && fseeko(file, 0, SEEK_END) == 0;
    const off_t end = whole ? ftello(file) : 0;
    for (off_t at = 0; whole && at < end;) {
        unsigned char head[16] = {0};
        whole = fseeko(file, at, SEEK_SET) == 0 && fread(head, 8, 1, file) == 1;
        uint64_t size = whole ? number_at(head, 4) : 0;
        if (size == 1) {
            whole = fread(head + 8, 8, 1, file) == 1;
            size = whole ? number_at(head + 8, 8) : 0;
        }
        /* size 0, up to the end, is what ffmpeg fills in last */
        whole = whole && size >= 8 && size <= (uint64_t)(end - at);
        indexed = indexed || memcmp(head + 4, "moov", 4) == 0;
        at += (off_t)size;
    }
    if (file)
        fclose(file);
    return whole && indexed;
}

/* ffmpeg ends with exit code 0 also when its file could not grow. */
static ts_status check_whole(const ts_video *video, ts_error *error)
{
    if (is_whole(video->draft.temporary))
        return TS_OK;
    return ts_fail(error, TS_IO, "cannot write %s: ffmpeg left only a part of it; is the disk full?",
                   video->draft.path);
}

static void release(ts_video *video)
{
    if (video->feed >= 0)
        close(video->feed);
    if (video->said >= 0)
        close(video->said);
    ts_draft_discard(&video->draft);
    ts_free(video);
}

/* ---- The interface ---- */

static ts_status check(const char *path, int width, int height, double fps, ts_error *error)
{
    size_t length = strlen(path);
    if (length < 5 || strcasecmp(path + length - 4, ".mp4") != 0)
        return ts_fail(error, TS_BAD_INPUT, "a video is written as MP4, but %s does not end in .mp4; rename it", path);
    if (width < 2 || height < 2 || width > 16384 || height > 16384 || width % 2 != 0 || height % 2 != 0)
        return ts_fail(error, TS_BAD_INPUT, "a video of %d × %d pixels is not possible; both must be even, 2 to 16384",
                       width, height);
    if (!(fps >= 0.01 && fps <= 1000))
        return ts_fail(error, TS_BAD_INPUT, "%g frames a second are not possible; give 0.01 to 1000", fps);
    return TS_OK;
}

ts_status ts_video_open(const char *path, int width, int height, double fps, ts_video **video, ts_error *error)
{
    TS_TRY(check(path, width, height, fps, error));
    ts_video *made;
    TS_TRY(ts_new(&made, 1, error));
    made->feed = made->said = -1;
    made->frame_bytes = (size_t)width * (size_t)height * 4;
    ts_status status = ts_draft_open(&made->draft, path, error);
    if (status == TS_OK && made->draft.temporary)
        status = start(made, width, height, fps, error);
    else if (status == TS_OK)
        status = ts_fail(error, TS_BAD_INPUT, "%s is not a regular file, which a video needs; give another name", path);
    if (status != TS_OK) {
        release(made);
        return status;
    }
    *video = made;
    return TS_OK;
}

ts_status ts_video_frame(ts_video *video, const void *pixels, ts_error *error)
{
    const char *next = pixels;
    if (video->child == 0)
        return ts_fail(error, TS_IO, "ffmpeg has ended; no frame can be added");
    for (size_t left = video->frame_bytes; left > 0;) {
        ssize_t sent = send(video->feed, next, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0) {
            /* it has died: its own words say more than our broken connection */
            int reason = errno;
            ts_status status = reap(video, error);
            return status != TS_OK ? status : ts_fail_errno(error, "hand a frame to", "ffmpeg", reason);
        }
        next += sent;
        left -= (size_t)sent;
    }
    video->frame_count++;
    return TS_OK;
}

ts_status ts_video_close(ts_video *video, ts_error *error)
{
    if (video->frame_count == 0 || video->child == 0) {
        bool empty = video->frame_count == 0;
        ts_video_abort(video);
        return empty ? ts_fail(error, TS_BAD_INPUT, "a video without frames cannot be made; add one at least")
                     : ts_fail(error, TS_IO, "ffmpeg had ended before the video was complete");
    }
    ts_status status = reap(video, error);
    if (status == TS_OK)
        status = check_whole(video, error);
    if (status == TS_OK)
        status = ts_draft_commit(&video->draft, error);
    release(video);
    return status;
}

void ts_video_abort(ts_video *video)
{
    if (!video)
        return;
    if (video->child > 0) {
        kill(video->child, SIGKILL);
        reap(video, NULL);
    }
    release(video);
}
