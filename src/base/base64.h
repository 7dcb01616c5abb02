/* SPDX-License-Identifier: MIT */
/* Bytes as text: base64 of RFC 4648, section 4, with padding and without line breaks.
 *
 *     3 bytes  ──▶  4 characters of A…Z a…z 0…9 + /        1 or 2 bytes at the end: "==" or "=" fills up
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Characters that `size` bytes take, without a zero at the end; 0 also when they are more than a size_t counts. */
size_t ts_base64_length(size_t size);
/* Writes them, and a zero. */
void ts_base64_encode(const void *bytes, size_t size, char *text);
/* And back: into at most length / 4 · 3 bytes, of which there are then `size`. False when it is not what encoding
 * writes: another character or a line break, padding elsewhere than at the end, an end that is missing, or bits there
 * that would be lost. */
bool ts_base64_decode(const char *text, size_t length, void *bytes, size_t *size);
