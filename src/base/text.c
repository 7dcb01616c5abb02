/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers ---- */

/* Longest number read; more digits than this make no double. */
#define NUMBER_MAX 1023

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Bytes of the number at the start of text, by the grammar in the header; 0 when there is none. */
static size_t number_length(const char *text, size_t length)
{
    size_t i = 0, digits = 0;
    if (i < length && (text[i] == '+' || text[i] == '-'))
        i++;
    for (; i < length && is_digit(text[i]); i++)
        digits++;
    if (i < length && text[i] == '.') {
        for (i++; i < length && is_digit(text[i]); i++)
            digits++;
    }
    if (digits == 0)
        return 0;
    /* an 'e' belongs to the number only when digits follow, so that "3 e" and "3em" leave it alone */
    if (i < length && (text[i] == 'e' || text[i] == 'E')) {
        size_t j = i + 1;
        if (j < length && (text[j] == '+' || text[j] == '-'))
            j++;
        if (j < length && is_digit(text[j])) {
            for (i = j; i < length && is_digit(text[i]);)
                i++;
        }
    }
    return i;
}

/* Runs strtod under the C locale of this thread. Asking for "C" returns a static object: no allocation, no failure. */
static double read_c(const char *text)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = c ? uselocale(c) : (locale_t)0;
    double value = strtod(text, NULL);
    if (c) {
        uselocale(before);
        freelocale(c);
    }
    return value;
}

size_t ts_parse_number(const char *text, size_t length, double *value)
{
    size_t used = number_length(text, length);
    if (used == 0 || used > NUMBER_MAX)
        return 0;
    char copy[NUMBER_MAX + 1];
    memcpy(copy, text, used);
    copy[used] = 0;
    double read = read_c(copy);
    if (!isfinite(read))
        return 0;
    *value = read;
    return used;
}

bool ts_parse_double(const char *text, double *value)
{
    size_t length = strlen(text);
    double read;
    if (length == 0 || ts_parse_number(text, length, &read) != length)
        return false;
    *value = read;
    return true;
}

bool ts_parse_uint64(const char *text, uint64_t *value)
{
    const char *digit = text + (*text == '+');
    uint64_t sum = 0;
    if (!is_digit(*digit))
        return false;
    for (; is_digit(*digit); digit++)
        if (__builtin_mul_overflow(sum, 10u, &sum) || __builtin_add_overflow(sum, (unsigned)(*digit - '0'), &sum))
            return false;
    if (*digit)
        return false;
    *value = sum;
    return true;
}

bool ts_parse_int64(const char *text, int64_t *value)
{
    bool negative = *text == '-';
    uint64_t size;
    if ((negative && !is_digit(text[1])) || !ts_parse_uint64(text + negative, &size))
        return false;
    if (size > (uint64_t)INT64_MAX + negative)
        return false;
    *value = negative ? (int64_t)(0 - size) : (int64_t)size;
    return true;
}

int ts_format_double(double value, char text[TS_DOUBLE_TEXT_SIZE])
{
    if (isnan(value))
        return snprintf(text, TS_DOUBLE_TEXT_SIZE, "nan");
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = c ? uselocale(c) : (locale_t)0;
    /* 15 digits survive a round trip for normal numbers, so fewer are never needed to tell them apart: %g already drops
     * trailing zeros. Subnormals have fewer digits to begin with. */
    int first = fabs(value) < 2.2250738585072014e-308 ? 1 : 15, length = 0;
    for (int digits = first; digits <= 17; digits++) {
        length = snprintf(text, TS_DOUBLE_TEXT_SIZE, "%.*g", digits, value);
        if (isinf(value) || strtod(text, NULL) == value)
            break;
    }
    if (c) {
        uselocale(before);
        freelocale(c);
    }
    return length;
}

/* ---- Names ---- */

#define NAME_MAX_LENGTH 127

static int minimum(int a, int b)
{
    return a < b ? a : b;
}

int ts_edit_distance(const char *a, const char *b, int limit)
{
    size_t a_length = strlen(a), b_length = strlen(b);
    if (strcmp(a, b) == 0)
        return 0;
    if (a_length > NAME_MAX_LENGTH || b_length > NAME_MAX_LENGTH)
        return limit + 1;

    /* row i of the table holds the distances of a's first i bytes to each start of b; a swap looks two rows back */
    int table[3][NAME_MAX_LENGTH + 1];
    int *before = table[0], *last = table[1], *row = table[2];
    for (size_t j = 0; j <= b_length; j++)
        last[j] = (int)j;
    for (size_t i = 1; i <= a_length; i++) {
        int best = row[0] = (int)i;
        for (size_t j = 1; j <= b_length; j++) {
            int replace = last[j - 1] + (a[i - 1] != b[j - 1]); /* NOLINT: both are within their strings */
            row[j] = minimum(replace, minimum(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = minimum(row[j], before[j - 2] + 1);
            best = minimum(best, row[j]);
        }
        /* no later entry can be smaller: a swap reaches back one row more, but then costs as much as a deletion did */
        if (best > limit)
            return limit + 1;
        int *free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[b_length] > limit ? limit + 1 : last[b_length];
}

/* Copies a name in lower case; false when it is too long to be compared. */
static bool fold(const char *name, char folded[NAME_MAX_LENGTH + 1])
{
    size_t length = strlen(name);
    if (length > NAME_MAX_LENGTH)
        return false;
    for (size_t i = 0; i <= length; i++)
        folded[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] - 'A' + 'a') : name[i];
    return true;
}

const char *ts_nearest_name(const char *name, const char *const *candidate, size_t count)
{
    char wanted[NAME_MAX_LENGTH + 1], offered[NAME_MAX_LENGTH + 1];
    if (!fold(name, wanted))
        return NULL;
    int limit = ((int)strlen(wanted) + 1) / 3; /* of "bodys" two: "bodies" */
    if (limit < 1)
        limit = 1;
    const char *nearest = NULL;
    for (size_t i = 0; i < count && limit >= 0; i++) {
        if (!fold(candidate[i], offered))
            continue;
        /* replacing every letter of a short name would find any other short name */
        int distance = ts_edit_distance(wanted, offered, limit);
        if (distance <= limit && distance < (int)strlen(offered)) {
            nearest = candidate[i];
            limit = distance - 1;
        }
    }
    return nearest;
}

/* ---- Paths ---- */

/* snprintf for a known length. */
static size_t copy_out(const char *text, size_t length, char *out, size_t capacity)
{
    if (capacity > 0) {
        size_t kept = length < capacity ? length : capacity - 1;
        memcpy(out, text, kept);
        out[kept] = 0;
    }
    return length;
}

size_t ts_path_join(const char *folder, const char *path, char *out, size_t capacity)
{
    size_t length = strlen(folder);
    if (length == 0 || path[0] == '/' || strcmp(folder, ".") == 0)
        return copy_out(path, strlen(path), out, capacity);
    int written = snprintf(out, capacity, folder[length - 1] == '/' ? "%s%s" : "%s/%s", folder, path);
    return written > 0 ? (size_t)written : 0;
}

size_t ts_path_folder(const char *path, char *out, size_t capacity)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') /* the slash at the end of "a/b/" */
        length--;
    while (length > 0 && path[length - 1] != '/') /* the last component */
        length--;
    if (length == 0)
        return copy_out(".", 1, out, capacity);
    while (length > 1 && path[length - 1] == '/') /* the slash before it, but not the root's */
        length--;
    return copy_out(path, length, out, capacity);
}

const char *ts_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool ts_path_stays_inside(const char *path)
{
    if (path[0] == 0 || path[0] == '/')
        return false;
    int depth = 0;
    while (*path) {
        size_t length = strcspn(path, "/");
        if (length == 2 && path[0] == '.' && path[1] == '.')
            depth--;
        else if (length > 0 && !(length == 1 && path[0] == '.'))
            depth++;
        if (depth < 0)
            return false;
        path += length;
        path += strspn(path, "/");
    }
    return true;
}

/* ---- UTF-8 ---- */

size_t ts_utf8_length(const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;
    unsigned char c = byte[0], low = 0x80, high = 0xbf;
    if (c < 0x80)
        return 1;
    size_t length = c >= 0xc2 && c <= 0xdf ? 2 : (c & 0xf0) == 0xe0 ? 3 : c >= 0xf0 && c <= 0xf4 ? 4 : 0;
    if (length == 0)
        return 0;
    /* no overlong forms, no surrogates, nothing above U+10FFFF */
    if (c == 0xe0)
        low = 0xa0;
    else if (c == 0xed)
        high = 0x9f;
    else if (c == 0xf0)
        low = 0x90;
    else if (c == 0xf4)
        high = 0x8f;
    if (byte[1] < low || byte[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if (byte[i] < 0x80 || byte[i] > 0xbf)
            return 0;
    return length;
}

uint32_t ts_utf8_decode(const char *text, size_t *length)
{
    const unsigned char *at = (const unsigned char *)text;
    *length = ts_utf8_length(text);
    if (*length <= 1)
        return *length == 1 ? at[0] : 0xfffd;
    uint32_t code = at[0] & (0xffu >> (*length + 1));
    for (size_t i = 1; i < *length; i++)
        code = code << 6 | (at[i] & 0x3f);
    return code;
}
