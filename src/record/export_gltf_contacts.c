/* SPDX-License-Identifier: MIT */
/* Contacts in glTF: for each frame that has some a node with a mesh of lines, from the point on A along the normal. Step
 * animations of scale show one frame's lines at a time, and the first frame's where nothing is animated.
 *
 * Attributes of both ends of a line, beside POSITION: _GAP [m], _WEIGHT, _NORMAL, _FORCE [N], and _KEY, four numbers of
 * 16 bits, the lowest first. */
#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "record/export_gltf.h"
#include "record/kind.h"

/* A line is as long as this share of the mean radius of bodies. */
static const double line_share = 0.6;
enum { ATTRIBUTES = 6, BATCH = 256 };

static const struct attribute {
    const char *name, *type;
    int offset, component;
} attribute[ATTRIBUTES] = {
    {"POSITION", "VEC3", 0, 5126}, {"_GAP", "SCALAR", 12, 5126}, {"_WEIGHT", "SCALAR", 16, 5126},
    {"_NORMAL", "VEC3", 20, 5126}, {"_FORCE", "VEC3", 32, 5126}, {"_KEY", "VEC4", 44, 5123},
};

/* ---- What there is ---- */

static void ends_of(const ts_gltf *g, const ts_frame_contact *c, float end[2][3])
{
    for (int k = 0; k < 3; k++) {
        end[0][k] = ts_gltf_number(c->point[k]);
        end[1][k] = ts_gltf_number(c->point[k] + g->contact_length * (double)c->normal[k]);
    }
}

static void add_frame(ts_gltf *g, const ts_frame *frame, ts_gltf_flash *flash)
{
    for (size_t i = 0; i < frame->contact_count; i++) {
        float end[2][3];
        ends_of(g, &frame->contact[i], end);
        for (int e = 0; e < 2; e++)
            for (int k = 0; k < 3; k++) {
                const bool first = i == 0 && e == 0;
                flash->low[k] = first || end[e][k] < flash->low[k] ? end[e][k] : flash->low[k];
                flash->high[k] = first || end[e][k] > flash->high[k] ? end[e][k] : flash->high[k];
            }
    }
}

static double mean_radius(const ts_trajectory_header *header)
{
    double sum = 0;
    for (size_t i = 0; i < header->body_count; i++)
        sum += header->body[i].radius;
    return header->body_count > 0 ? sum / (double)header->body_count : 1;
}

static void add_key(ts_gltf_flash *flash, float time, float shown)
{
    flash->time[flash->key_count] = time;
    flash->shown[flash->key_count++] = shown;
}

/* Seen from its own time to the next frame's. */
static void set_keys(ts_gltf *g, size_t i, float next)
{
    ts_gltf_flash *flash = &g->flash.item[i];
    const float own = flash->time[0];
    if (!ts_gltf_is_animated(g))
        return;
    if (flash->frame > 0)
        add_key(flash, 0, 0);
    add_key(flash, own, 1);
    if (flash->frame + 1 < g->range.total)
        add_key(flash, next, 0);
    flash->key_first = g->key_count;
    g->key_count += (uint64_t)flash->key_count;
}

ts_status ts_gltf_find_contacts(ts_gltf *g, ts_error *error)
{
    ts_gltf_clock clock = {0};
    bool open = false; /* the last one's end is not known yet */
    g->contact_length = line_share * mean_radius(g->header);
    for (uint64_t k = 0; k < g->range.total; k++) {
        ts_frame frame;
        TS_TRY(ts_trajectory_read(g->job->reader, ts_export_index(&g->range, k), &frame, error));
        const float time = ts_gltf_next_time(&clock, frame.time);
        if (open)
            set_keys(g, g->flash.count - 1, time);
        open = frame.contact_count > 0;
        if (!open)
            continue;
        ts_gltf_flash flash = {.frame = k, .first = g->contact_count, .count = frame.contact_count, .time = {time}};
        add_frame(g, &frame, &flash);
        TS_TRY(ts_array_push(&g->flash, flash, error));
        g->contact_count += frame.contact_count;
    }
    if (open)
        set_keys(g, g->flash.count - 1, 0);
    return TS_OK;
}

/* ---- BIN ---- */

static unsigned char *put_vertex(unsigned char *to, const float at[3], const ts_frame_contact *c)
{
    for (int k = 0; k < 3; k++)
        to = ts_put_f32(to, at[k]);
    to = ts_put_f32(to, ts_gltf_number((double)c->gap));
    to = ts_put_f32(to, ts_gltf_number((double)c->weight));
    for (int k = 0; k < 3; k++)
        to = ts_put_f32(to, ts_gltf_number((double)c->normal[k]));
    for (int k = 0; k < 3; k++)
        to = ts_put_f32(to, ts_gltf_number((double)c->force[k]));
    return ts_put_u64(to, c->key);
}

static ts_status write_frame(const ts_gltf *g, const ts_gltf_flash *flash, ts_gltf_write *write, ts_error *error)
{
    ts_frame frame;
    unsigned char block[BATCH * 2 * TS_GLTF_CONTACT_BYTES], *to = block;
    uint64_t at = g->bin + g->begin[TS_GLTF_CONTACTS] + 2 * TS_GLTF_CONTACT_BYTES * flash->first;
    TS_TRY(ts_trajectory_read(g->job->reader, ts_export_index(&g->range, flash->frame), &frame, error));
    for (size_t i = 0; i < frame.contact_count; i++) {
        float end[2][3];
        ends_of(g, &frame.contact[i], end);
        to = put_vertex(put_vertex(to, end[0], &frame.contact[i]), end[1], &frame.contact[i]);
        if (to == block + sizeof block || i + 1 == frame.contact_count) {
            TS_TRY(write(g, block, (size_t)(to - block), at, error));
            at += (uint64_t)(to - block);
            to = block;
        }
    }
    return TS_OK;
}

ts_status ts_gltf_write_contacts(const ts_gltf *g, ts_gltf_write *write, ts_error *error)
{
    const uint64_t times = g->bin + g->begin[TS_GLTF_SHOWN], scales = times + 4 * g->key_count;
    for (size_t i = 0; i < g->flash.count; i++) {
        const ts_gltf_flash *flash = &g->flash.item[i];
        unsigned char time[12] = {0}, scale[36] = {0};
        for (int k = 0; k < flash->key_count; k++) {
            ts_put_f32(time + 4 * k, flash->time[k]);
            for (int n = 0; n < 3; n++)
                ts_put_f32(scale + 12 * k + 4 * n, flash->shown[k]);
        }
        TS_TRY(write_frame(g, flash, write, error));
        TS_TRY(write(g, time, 4 * (size_t)flash->key_count, times + 4 * flash->key_first, error));
        TS_TRY(write(g, scale, 12 * (size_t)flash->key_count, scales + 12 * flash->key_first, error));
    }
    return TS_OK;
}

/* ---- JSON ---- */

void ts_gltf_put_contact_nodes(const ts_gltf *g, size_t mesh, FILE *out)
{
    for (size_t i = 0; i < g->flash.count; i++) {
        const uint64_t frame = g->flash.item[i].frame;
        const int shown = frame == 0 || !ts_gltf_is_animated(g);
        fprintf(out, "{\"name\":\"contacts of frame %" PRIu64 "\",\"mesh\":%zu,\"scale\":[%d,%d,%d]},\n",
                ts_export_index(&g->range, frame), mesh + i, shown, shown, shown);
    }
}

void ts_gltf_put_contact_meshes(const ts_gltf *g, size_t accessor, size_t material, FILE *out)
{
    for (size_t i = 0; i < g->flash.count; i++) {
        fprintf(out, ",\n{\"name\":\"contacts %zu\",\"primitives\":[{\"attributes\":{", i);
        for (size_t k = 0; k < ATTRIBUTES; k++)
            fprintf(out, "%s\"%s\":%zu", k ? "," : "", attribute[k].name, accessor + ATTRIBUTES * i + k);
        fprintf(out, "},\"mode\":1,\"material\":%zu}]}", material);
    }
}

static void put_bounds(FILE *out, const char *name, const float value[3], int count)
{
    fprintf(out, ",\"%s\":[", name);
    for (int k = 0; k < count; k++)
        fprintf(out, "%s%.9g", k ? "," : "", (double)value[k]);
    putc(']', out);
}

void ts_gltf_put_contact_accessors(const ts_gltf *g, FILE *out)
{
    for (size_t i = 0; i < g->flash.count; i++) {
        const ts_gltf_flash *flash = &g->flash.item[i];
        for (size_t k = 0; k < ATTRIBUTES; k++) {
            const struct attribute *a = &attribute[k];
            fputs(",\n", out);
            ts_gltf_put_accessor(g, out, TS_GLTF_CONTACTS, a->component,
                                 2 * TS_GLTF_CONTACT_BYTES * flash->first + (uint64_t)a->offset, a->type,
                                 2 * flash->count);
            if (k == 0) {
                put_bounds(out, "min", flash->low, 3);
                put_bounds(out, "max", flash->high, 3);
            }
            putc('}', out);
        }
    }
    for (size_t i = 0; i < g->flash.count && ts_gltf_is_animated(g); i++) {
        const ts_gltf_flash *flash = &g->flash.item[i];
        const uint64_t keys = (uint64_t)flash->key_count;
        fputs(",\n", out);
        ts_gltf_put_accessor(g, out, TS_GLTF_SHOWN, 5126, 4 * flash->key_first, "SCALAR", keys);
        put_bounds(out, "min", &flash->time[0], 1);
        put_bounds(out, "max", &flash->time[flash->key_count - 1], 1);
        fputs("},\n", out);
        ts_gltf_put_accessor(g, out, TS_GLTF_SHOWN, 5126, 4 * g->key_count + 12 * flash->key_first, "VEC3", keys);
        putc('}', out);
    }
}

void ts_gltf_put_contact_samplers(const ts_gltf *g, size_t accessor, FILE *out)
{
    const size_t first = accessor + ATTRIBUTES * g->flash.count;
    for (size_t i = 0; i < g->flash.count; i++)
        fprintf(out, ",\n{\"input\":%zu,\"output\":%zu,\"interpolation\":\"STEP\"}", first + 2 * i, first + 2 * i + 1);
}

void ts_gltf_put_contact_channels(const ts_gltf *g, size_t sampler, size_t node, FILE *out)
{
    for (size_t i = 0; i < g->flash.count; i++)
        fprintf(out, ",\n{\"sampler\":%zu,\"target\":{\"node\":%zu,\"path\":\"scale\"}}", sampler + i, node + i);
}
