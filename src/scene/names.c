/* SPDX-License-Identifier: MIT */
#include "scene/names.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

/* The slot that holds `text`, or the free one where it belongs. There is always a free one. */
static size_t slot_of(const ts_name *slot, size_t capacity, const char *text)
{
    size_t i = (size_t)ts_hash(text, strlen(text), 0) & (capacity - 1);
    while (slot[i].text && strcmp(slot[i].text, text) != 0)
        i = (i + 1) & (capacity - 1);
    return i;
}

const ts_name *ts_names_find(const ts_names *names, const char *text)
{
    if (!text || names->count == 0)
        return NULL;
    const ts_name *found = &names->slot[slot_of(names->slot, names->capacity, text)];
    return found->text ? found : NULL;
}

ts_status ts_names_reserve(ts_names *names, ts_error *error)
{
    if (2 * (names->count + 1) <= names->capacity)
        return TS_OK;
    size_t capacity = names->capacity ? 2 * names->capacity : 16;
    ts_name *slot;
    TS_TRY(ts_new(&slot, capacity, error));
    for (size_t i = 0; i < names->capacity; i++)
        if (names->slot[i].text)
            slot[slot_of(slot, capacity, names->slot[i].text)] = names->slot[i];
    ts_free(names->slot);
    names->slot = slot;
    names->capacity = capacity;
    return TS_OK;
}

void ts_names_add(ts_names *names, const char *text, ts_name_kind kind, int32_t index)
{
    names->slot[slot_of(names->slot, names->capacity, text)] = (ts_name){text, kind, index};
    names->count++;
}

void ts_names_free(ts_names *names)
{
    ts_free(names->slot);
    *names = (ts_names){0};
}
