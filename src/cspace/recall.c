/* SPDX-License-Identifier: MIT */
#include "cspace/recall.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

/* A pose has its place in one set of four. Half a megabyte in all: a few hundred contacts at rest. */
enum { sets = 2048, ways = 4 };

typedef struct answer {
    uint64_t pose[3]; /* bits of x, y and angle; all ones, a NaN's: none yet */
    double gap, gx, gy, gangle, arm;
} answer;

struct ts_recall {
    const void *field;
    ts_field_query *query;
    pthread_mutex_t mutex; /* of the answers; the field is asked outside of it */
    uint8_t oldest[sets];  /* goes next */
    answer answer[sets][ways];
};

ts_status ts_recall_create(const void *field, ts_field_query *query, ts_recall **recall, ts_error *error)
{
    ts_recall *made = ts_alloc(1, sizeof *made);
    *recall = made;
    if (!made)
        return ts_fail_memory(error, sizeof *made);
    made->field = field;
    made->query = query;
    pthread_mutex_init(&made->mutex, NULL);
    memset(made->answer, 0xff, sizeof made->answer);
    return TS_OK;
}

size_t ts_recall_bytes(const ts_recall *recall)
{
    return recall ? sizeof *recall : 0;
}

void ts_recall_free(ts_recall *recall)
{
    if (!recall)
        return;
    pthread_mutex_destroy(&recall->mutex);
    ts_free(recall);
}

static void bits_of(const ts_fields *f, size_t i, uint64_t bits[3])
{
    memcpy(&bits[0], &f->x[i], sizeof *bits);
    memcpy(&bits[1], &f->y[i], sizeof *bits);
    memcpy(&bits[2], &f->angle[i], sizeof *bits);
}

static uint16_t set_of(const ts_fields *f, size_t i)
{
    uint64_t pose[3];
    bits_of(f, i, pose);
    return (uint16_t)(ts_hash(pose, sizeof pose, 0) % sets);
}

/* Whether pose i was answered before; if so, it is again. */
static bool find(const ts_recall *r, uint16_t in, ts_fields *f, size_t i)
{
    uint64_t pose[3];
    const answer *set = r->answer[in];
    bits_of(f, i, pose);
    for (int k = 0; k < ways; k++) {
        const answer *a = &set[k];
        if (a->pose[0] == pose[0] && a->pose[1] == pose[1] && a->pose[2] == pose[2]) {
            f->gap[i] = a->gap;
            f->gx[i] = a->gx;
            f->gy[i] = a->gy;
            f->gangle[i] = a->gangle;
            f->arm[i] = a->arm;
            return true;
        }
    }
    return false;
}

static void keep(ts_recall *r, uint16_t set, const ts_fields *f, size_t i)
{
    answer a = {{0}, f->gap[i], f->gx[i], f->gy[i], f->gangle[i], f->arm[i]};
    bits_of(f, i, a.pose);
    r->answer[set][r->oldest[set]] = a;
    r->oldest[set] = (uint8_t)((r->oldest[set] + 1) % ways);
}

void ts_recall_query(ts_recall *r, size_t count, ts_fields *fields)
{
    ts_fields ask;
    size_t from[TS_FIELD_BATCH], unknown = 0;
    uint16_t set[TS_FIELD_BATCH];
    for (size_t i = 0; i < count; i++)
        set[i] = set_of(fields, i);
    pthread_mutex_lock(&r->mutex);
    for (size_t i = 0; i < count; i++)
        if (!find(r, set[i], fields, i)) {
            ask.x[unknown] = fields->x[i];
            ask.y[unknown] = fields->y[i];
            ask.angle[unknown] = fields->angle[i];
            from[unknown++] = i;
        }
    pthread_mutex_unlock(&r->mutex);
    if (unknown == 0)
        return;
    r->query(r->field, unknown, &ask);
    pthread_mutex_lock(&r->mutex);
    for (size_t k = 0; k < unknown; k++) {
        keep(r, set[from[k]], &ask, k);
        fields->gap[from[k]] = ask.gap[k];
        fields->gx[from[k]] = ask.gx[k];
        fields->gy[from[k]] = ask.gy[k];
        fields->gangle[from[k]] = ask.gangle[k];
        fields->arm[from[k]] = ask.arm[k];
    }
    pthread_mutex_unlock(&r->mutex);
}
