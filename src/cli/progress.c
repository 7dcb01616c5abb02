/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <math.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/clock.h"
#include "cli/format.h"

static const double live_interval = 0.1; /* [s]: ten lines a second at most */
static const double plain_first = 1;     /* [s]: a short run needs no line in a log */
static const double plain_interval = 10; /* [s] */
enum { what_least = 24 };                /* columns: in fewer, words say nothing */
enum { bar_least = 8, bar_most = 30 };   /* columns */
static const double memory = 15;         /* [s]: time constant of the forgetting sums */

void ts_progress_begin(ts_progress *progress, FILE *stream, bool quiet, double done, double total, double now)
{
    *progress =
        (ts_progress){.stream = stream, .quiet = quiet, .total = total, .begin = now, .last = now, .last_done = done};
    progress->bar = bar_most;
    progress->live = !quiet && ts_is_terminal(stream);
    progress->colour = progress->live && ts_has_colour(stream);
    progress->next = now + (progress->live ? live_interval : plain_first);
}

static void sample(ts_progress *progress, double done, double now)
{
    double time = now - progress->last, work = done - progress->last_done;
    if (!(time > 0))
        return;
    double keep = exp(-time / memory);
    progress->rate_sum = keep * progress->rate_sum + work;
    progress->time_sum = keep * progress->time_sum + time;
    progress->last = now;
    progress->last_done = done;
}

double ts_progress_rate(const ts_progress *progress)
{
    return progress->time_sum > 0 ? progress->rate_sum / progress->time_sum : 0;
}

double ts_progress_left(const ts_progress *progress, double done)
{
    double rate = ts_progress_rate(progress);
    return rate > 0 ? (progress->total - done) / rate : -1;
}

/* Columns of the terminal, within reason. */
static int terminal_width(FILE *stream)
{
    struct winsize size;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col < 20)
        return ts_columns;
    return size.ws_col;
}

/* A bar of `width` columns, `share` of it filled, in half columns. */
static void print_bar(const ts_progress *progress, double share, int width)
{
    int half = (int)(share * 2 * width);
    fputs(progress->colour ? "\033[36m" : "", progress->stream);
    for (int i = 0; i < half / 2; i++)
        fputs("━", progress->stream);
    if (half % 2)
        fputs("╸", progress->stream);
    fputs(progress->colour ? "\033[2m" : "", progress->stream);
    for (int i = half / 2 + half % 2; i < width; i++)
        fputs("─", progress->stream);
    fputs(progress->colour ? "\033[0m" : "", progress->stream);
}

/* As much of a text as fits into `room` columns, with an ellipsis where it was cut. */
static void cut_to(const char *text, int room, char *cut, size_t capacity)
{
    snprintf(cut, capacity, "%s", text);
    if (ts_text_width(cut) <= room)
        return;
    size_t end = strlen(cut);
    while (end > 0 && ts_text_width(cut) > room - 1) {
        while (end > 0 && ((unsigned char)cut[end - 1] & 0xc0) == 0x80) /* a character's last bytes */
            end--;
        cut[end > 0 ? --end : 0] = 0;
    }
    if (room > 0 && end + sizeof "…" <= capacity)
        memcpy(cut + end, "…", sizeof "…");
}

void ts_progress_show(ts_progress *progress, double done, const char *detail, double now)
{
    if (progress->quiet)
        return;
    sample(progress, done, now);
    double share = progress->total > 0 ? fmin(fmax(done / progress->total, 0), 1) : 1;
    double left = ts_progress_left(progress, done);
    double percent = floor(share * 1000) / 10; /* 100% is said when it is reached, never before */

    char head[16], what[200], text[320], eta[64] = "";
    snprintf(head, sizeof head, "%5.1f%%", percent);
    if (left >= 0 && share < 1)
        snprintf(eta, sizeof eta, "  ETA %s", ts_show_wall(left).text);
    int columns = progress->live ? terminal_width(progress->stream) - 1 : ts_columns;
    int room_for_what = columns - ts_text_width(head) - ts_text_width(eta) - 2;
    cut_to(room_for_what < what_least ? "" : detail, room_for_what, what, sizeof what);
    snprintf(text, sizeof text, "%s%s%s%s", head, *what ? "  " : "", what, eta);
    if (!progress->live) {
        fprintf(progress->stream, "%s\n", text + strspn(text, " "));
        progress->next = now + plain_interval;
    } else {
        int room = columns - ts_text_width(text) - 1;
        if (room + 1 < 0) /* a line that breaks cannot be rewritten */
            snprintf(text, sizeof text, "%s%s", head, eta);
        /* the bar only ever shrinks, so that it does not breathe with the length of the numbers */
        progress->bar = room < progress->bar ? room : progress->bar;
        bool bar = progress->bar >= bar_least;
        fputs("\r", progress->stream);
        if (bar)
            print_bar(progress, share, progress->bar);
        fprintf(progress->stream, "%s%s\033[K", bar ? " " : "", text);
        progress->shown = true;
        progress->next = now + live_interval;
    }
    fflush(progress->stream);
}

void ts_progress_report(void *user, double done, const char *what)
{
    ts_progress *progress = user;
    double now = ts_clock_seconds();
    if (done >= 1)
        ts_progress_clear(progress);
    else if (ts_progress_due(progress, now))
        ts_progress_show(progress, done, what ? what : "", now);
}

void ts_progress_clear(ts_progress *progress)
{
    if (progress->shown) {
        fputs("\r\033[K", progress->stream);
        fflush(progress->stream);
        progress->shown = false;
    }
}
