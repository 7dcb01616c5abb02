/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/text.h"
#include "shape/mesh_read_work.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

ts_mesh_text ts_mesh_text_of(const void *bytes, size_t size, const char *name)
{
    const char *begin = bytes;
    ts_mesh_text text = {.at = begin, .end = begin + size, .name = name, .line = 1, .newline = '\n'};
    if (size >= 3 && memcmp(begin, "\xef\xbb\xbf", 3) == 0)
        text.at += 3;
    if (size > 0 && !memchr(begin, '\n', size))
        text.newline = '\r';
    text.line_begin = text.at;
    return text;
}

static void begin_line(ts_mesh_text *text, const char *at)
{
    text->at = text->line_begin = at;
    text->line++;
}

/* What follows the newline when a backslash and a newline stand here; else NULL. */
static const char *goes_on(const ts_mesh_text *text)
{
    const char *next = text->at + 1;
    if (!text->joins || *text->at != '\\')
        return NULL;
    while (next < text->end && *next == '\r' && text->newline != '\r')
        next++;
    return next < text->end && *next == text->newline ? next + 1 : NULL;
}

bool ts_mesh_word_in_line(ts_mesh_text *text, ts_mesh_word *word)
{
    for (;;) {
        if (text->at == text->end || *text->at == text->newline || *text->at == '#')
            return false;
        const char *next = goes_on(text);
        if (next)
            begin_line(text, next);
        else if (is_blank(*text->at))
            text->at++;
        else
            break;
    }
    word->at = text->at;
    while (text->at < text->end && *text->at != text->newline && !is_blank(*text->at) && !goes_on(text))
        text->at++;
    word->length = (size_t)(text->at - word->at);
    return true;
}

void ts_mesh_end_line(ts_mesh_text *text)
{
    /* comments end with their line: the last byte of a Windows folder is a backslash */
    bool comment = text->at < text->end && *text->at == '#', more = true;
    while (more) {
        const char *newline = memchr(text->at, text->newline, (size_t)(text->end - text->at)), *last = newline;
        if (!newline) {
            text->at = text->end;
            return;
        }
        while (last > text->at && last[-1] == '\r')
            last--;
        more = text->joins && !comment && last > text->at && last[-1] == '\\';
        begin_line(text, newline + 1);
    }
}

bool ts_mesh_word_next(ts_mesh_text *text, ts_mesh_word *word)
{
    for (;; text->at++) {
        if (text->at == text->end)
            return false;
        if (*text->at == text->newline)
            begin_line(text, text->at + 1), text->at--;
        else if (!is_blank(*text->at))
            break;
    }
    word->at = text->at;
    while (text->at < text->end && *text->at != text->newline && !is_blank(*text->at))
        text->at++;
    word->length = (size_t)(text->at - word->at);
    return true;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool ts_mesh_word_is(ts_mesh_word word, const char *expected)
{
    size_t i = 0;
    while (i < word.length && expected[i] && lower(word.at[i]) == expected[i])
        i++;
    return i == word.length && !expected[i];
}

ts_mesh_shown ts_mesh_show(ts_mesh_word word)
{
    ts_mesh_shown shown;
    size_t room = sizeof shown.text - 4, length = word.length < room ? word.length : room;
    for (size_t i = 0; i < length; i++)
        shown.text[i] = word.at[i] >= ' ' && word.at[i] <= '~' ? word.at[i] : '?';
    strcpy(shown.text + length, length < word.length ? "..." : ""); /* NOLINT: four bytes are left */
    return shown;
}

ts_place ts_mesh_place(const ts_mesh_text *text, ts_mesh_word word)
{
    return (ts_place){text->name, text->line, (int)(word.at - text->line_begin) + 1};
}

ts_place ts_mesh_place_here(const ts_mesh_text *text)
{
    return (ts_place){text->name, text->line, 0};
}

/* ---- Numbers ---- */

/* m · 10^e for whole m < 2^53 and |e| ≤ 22: both are doubles, so that one operation rounds once, to the nearest
 * (Clinger 1990). Most numbers of files are like this, and it is ten times as quick as the general way. False: ask that
 * one. */
static bool quick_number(const char *text, size_t length, double *value)
{
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    size_t i = 0, digits = 0;
    bool negative = length > 0 && text[0] == '-', fraction = false;
    uint64_t whole = 0;
    int exponent = 0, power = 0;
    for (i = negative || (length > 0 && text[0] == '+'); i < length; i++) {
        if (text[i] == '.' && !fraction) {
            fraction = true;
            continue;
        }
        if (text[i] < '0' || text[i] > '9')
            break;
        if (++digits > 18)
            return false;
        whole = 10 * whole + (uint64_t)(text[i] - '0');
        exponent -= fraction;
    }
    if (digits == 0 || whole >= (uint64_t)1 << 53)
        return false;
    if (i < length) {
        if (lower(text[i]) != 'e' || ++i == length)
            return false;
        bool below = text[i] == '-';
        i += text[i] == '-' || text[i] == '+';
        if (i == length || length - i > 3)
            return false;
        for (; i < length && text[i] >= '0' && text[i] <= '9'; i++)
            power = 10 * power + (text[i] - '0');
        if (i < length)
            return false;
        exponent += below ? -power : power;
    }
    if (exponent < -22 || exponent > 22)
        return false;
    double size = exponent < 0 ? (double)whole / ten[-exponent] : (double)whole * ten[exponent];
    *value = negative ? -size : size;
    return true;
}

ts_status ts_mesh_number(const ts_mesh_text *text, ts_mesh_word word, const char *what, double *value, ts_error *error)
{
    if (!quick_number(word.at, word.length, value) && ts_parse_number(word.at, word.length, value) != word.length)
        return ts_fail_at(error, TS_BAD_INPUT, ts_mesh_place(text, word),
                          "%s is '%s', which is not a finite number; write one such as -1.5e-3", what,
                          ts_mesh_show(word).text);
    return TS_OK;
}
