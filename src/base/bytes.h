/* SPDX-License-Identifier: MIT */
/* Little-endian numbers in byte strings, the same on every machine. Compilers make one move of each. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- Putting: each returns the address after what it wrote ---- */

static inline unsigned char *ts_put_u8(unsigned char *to, uint8_t value)
{
    *to = value;
    return to + 1;
}
static inline unsigned char *ts_put_u16(unsigned char *to, uint16_t value)
{
    to[0] = (unsigned char)value;
    to[1] = (unsigned char)(value >> 8);
    return to + 2;
}
static inline unsigned char *ts_put_u32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> (8 * i));
    return to + 4;
}
static inline unsigned char *ts_put_u64(unsigned char *to, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        to[i] = (unsigned char)(value >> (8 * i));
    return to + 8;
}
static inline unsigned char *ts_put_f32(unsigned char *to, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return ts_put_u32(to, bits);
}
static inline unsigned char *ts_put_f64(unsigned char *to, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return ts_put_u64(to, bits);
}

/* ---- Taking: a cursor that never runs past its end. What is not there reads as zero and sets `bad`. ---- */

typedef struct ts_bytes {
    const unsigned char *at;
    size_t left;
    bool bad;
} ts_bytes;

static inline ts_bytes ts_bytes_of(const void *data, size_t size)
{
    return (ts_bytes){data, size, false};
}
/* The next `size` bytes, or NULL. */
static inline const unsigned char *ts_take(ts_bytes *from, size_t size)
{
    if (from->left < size) {
        from->bad = true;
        from->left = 0;
        return NULL;
    }
    const unsigned char *at = from->at;
    from->at += size;
    from->left -= size;
    return at;
}
static inline uint8_t ts_take_u8(ts_bytes *from)
{
    const unsigned char *p = ts_take(from, 1);
    return p ? *p : 0;
}
static inline uint16_t ts_take_u16(ts_bytes *from)
{
    const unsigned char *p = ts_take(from, 2);
    return p ? (uint16_t)(p[0] | p[1] << 8) : 0;
}
static inline uint32_t ts_take_u32(ts_bytes *from)
{
    const unsigned char *p = ts_take(from, 4);
    uint32_t value = 0;
    for (int i = 0; p && i < 4; i++)
        value |= (uint32_t)p[i] << (8 * i);
    return value;
}
static inline uint64_t ts_take_u64(ts_bytes *from)
{
    const unsigned char *p = ts_take(from, 8);
    uint64_t value = 0;
    for (int i = 0; p && i < 8; i++)
        value |= (uint64_t)p[i] << (8 * i);
    return value;
}
static inline float ts_take_f32(ts_bytes *from)
{
    uint32_t bits = ts_take_u32(from);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline double ts_take_f64(ts_bytes *from)
{
    uint64_t bits = ts_take_u64(from);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
