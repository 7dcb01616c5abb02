/* SPDX-License-Identifier: MIT */
#include "base/base64.h"

#include <stdint.h>

static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

size_t ts_base64_length(size_t size)
{
    size_t groups = size / 3 + (size % 3 > 0);
    return groups <= SIZE_MAX / 4 ? 4 * groups : 0;
}

void ts_base64_encode(const void *bytes, size_t size, char *text)
{
    const unsigned char *from = bytes;
    for (; size > 0; text += 4) {
        size_t taken = size < 3 ? size : 3;
        uint32_t group = 0;
        for (size_t i = 0; i < 3; i++)
            group = group << 8 | (i < taken ? from[i] : 0);
        for (size_t i = 0; i < 4; i++)
            text[i] = i <= taken ? letter[group >> (18 - 6 * i) & 63] : '=';
        from += taken;
        size -= taken;
    }
    *text = 0;
}

/* 0 to 63; 64: it is none of them. */
static uint32_t value_of(unsigned char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A' + 0u
           : c >= 'a' && c <= 'z' ? c - 'a' + 26u
           : c >= '0' && c <= '9' ? c - '0' + 52u
           : c == '+'             ? 62u
           : c == '/'             ? 63u
                                  : 64u;
}

bool ts_base64_decode(const char *text, size_t length, void *bytes, size_t *size)
{
    unsigned char *to = bytes;
    size_t written = 0;
    if (length % 4 != 0)
        return false;
    for (size_t at = 0; at < length; at += 4) {
        const unsigned char *c = (const unsigned char *)text + at;
        size_t padding = at + 4 < length || c[3] != '=' ? 0 : c[2] != '=' ? 1 : 2;
        uint32_t group = 0;
        for (size_t i = 0; i < 4; i++) {
            uint32_t value = i < 4 - padding ? value_of(c[i]) : 0;
            if (value > 63)
                return false;
            group = group << 6 | value;
        }
        if (group & ((1u << 8 * padding) - 1))
            return false;
        for (size_t i = 0; i < 3 - padding; i++)
            to[written++] = (unsigned char)(group >> (16 - 8 * i));
    }
    *size = written;
    return true;
}
