/* SPDX-License-Identifier: MIT */
/* The JSON of a glTF file: nodes, materials, meshes, accessors, animation. Only what differs from the defaults is
 * said. */
#include <inttypes.h>

#include "record/colour.h"
#include "record/export_gltf.h"

static void put_text(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 32)
            fprintf(out, "\\u%04x", c);
        else
            putc(c, out);
    }
    putc('"', out);
}

/* After those of shapes one of walls, of springs and of contacts. */
static size_t material_count(const ts_gltf *g)
{
    return g->shape_count + 1 + (size_t)(g->items > g->bodies + g->walls) + (size_t)(g->flash.count > 0);
}

static void put_materials(const ts_gltf *g, FILE *out)
{
    const ts_record_kind *kind = g->header->kind;
    bool flat = !(kind->size_of(1, ts_export_depth(g->job)).z > 0);
    fputs(",\n\"materials\":[", out);
    const size_t count = material_count(g);
    for (size_t i = 0; i < count; i++) {
        bool contact = g->flash.count > 0 && i + 1 == count;
        bool wall = i == g->shape_count, spring = i > g->shape_count && !contact;
        bool glass = wall && kind->solids; /* walls of a room are looked through */
        ts_colour c = contact ? ts_colour_of(0xB0202A) : wall || spring ? ts_colour_of(0x404040) : ts_colour_kind(i);
        fprintf(out,
                "%s{\"name\":\"%s %zu\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.4f,%.4f,%.4f,%s],"
                "\"metallicFactor\":0,\"roughnessFactor\":0.7}%s%s}",
                i ? ",\n" : "",
                contact  ? "contact"
                : spring ? "spring"
                : wall   ? "wall"
                         : "shape",
                wall || spring || contact ? (size_t)0 : i, ts_colour_linear(c.r), ts_colour_linear(c.g),
                ts_colour_linear(c.b), glass ? "0.15" : "1", glass ? ",\"alphaMode\":\"BLEND\"" : "",
                flat || glass ? ",\"doubleSided\":true" : "");
    }
    putc(']', out);
}

/* Accessors: position, normal, index of each solid; points of each curve; times; then one for each item and channel. */
static size_t curve_accessor(const ts_gltf *g, size_t curve)
{
    return 3 * g->solid_count + curve;
}
static size_t channel_accessor(const ts_gltf *g, int view, size_t rank)
{
    size_t times = curve_accessor(g, g->lines.begin.count);
    return times + 1 + (view == TS_GLTF_TRANSLATIONS ? 0 : view == TS_GLTF_ROTATIONS ? g->items : 2 * g->items) + rank;
}

/* After all of them: those of contacts. */
static size_t contact_accessor(const ts_gltf *g)
{
    return ts_gltf_is_animated(g) ? channel_accessor(g, TS_GLTF_SCALES, g->scaled_count)
                                  : curve_accessor(g, g->lines.begin.count);
}
static size_t wall_line_meshes(const ts_gltf *g)
{
    size_t count = 0;
    for (size_t i = 0, before = 0; g->line_end && i < g->header->wall_count; before = g->line_end[i++])
        count += g->line_end[i] > before;
    return count;
}

static void put_meshes(const ts_gltf *g, FILE *out)
{
    fputs(",\n\"meshes\":[", out);
    for (size_t i = 0; i < g->solid_count; i++) {
        char fallback[40];
        size_t material = g->solid_material[i];
        bool wall = material >= g->shape_count;
        snprintf(fallback, sizeof fallback, "%s %zu", wall ? "wall" : "shape", wall ? i : material);
        fprintf(out, "%s{\"name\":", i ? ",\n" : "");
        put_text(out, g->solid_name[i][0] ? g->solid_name[i] : fallback);
        fprintf(
            out,
            ",\"primitives\":[{\"attributes\":{\"POSITION\":%zu,\"NORMAL\":%zu},\"indices\":%zu,\"material\":%zu}]}",
            3 * i, 3 * i + 1, 3 * i + 2, material);
    }
    for (size_t i = 0, curve = 0; g->line_end && i < g->header->wall_count; i++) {
        if (g->line_end[i] == curve)
            continue;
        fprintf(out, ",\n{\"name\":\"wall %zu\",\"primitives\":[", i);
        for (bool more = false; curve < g->line_end[i]; curve++, more = true)
            fprintf(out, "%s{\"attributes\":{\"POSITION\":%zu},\"mode\":3,\"material\":%zu}", more ? "," : "",
                    curve_accessor(g, curve), g->shape_count);
        fputs("]}", out);
    }
    ts_gltf_put_contact_meshes(g, contact_accessor(g), material_count(g) - 1, out);
    putc(']', out);
}

static void put_numbers(FILE *out, const char *name, const double *value, int count)
{
    fprintf(out, ",\"%s\":[", name);
    for (int k = 0; k < count; k++)
        fprintf(out, "%s%.9g", k ? "," : "", (double)ts_gltf_number(value[k]));
    putc(']', out);
}

static void put_node(const ts_gltf *g, const ts_frame *frame, size_t item, FILE *out)
{
    ts_gltf_pose p = ts_gltf_pose_of(g, frame, item);
    int32_t mesh;
    if (item < g->bodies) {
        fprintf(out, "{\"name\":\"body %zu\"", item);
        mesh = g->shape_mesh[g->header->body[item].shape];
    } else {
        const size_t rank = item - g->bodies;
        const bool spring = rank >= g->walls;
        const char *name = spring ? "" : g->header->wall[rank].name;
        char fallback[40];
        snprintf(fallback, sizeof fallback, "%s %zu", spring ? "spring" : "wall", spring ? rank - g->walls : rank);
        fputs("{\"name\":", out);
        put_text(out, name[0] ? name : fallback);
        mesh = g->wall_mesh[rank];
    }
    if (mesh >= 0)
        fprintf(out, ",\"mesh\":%" PRId32, mesh);
    put_numbers(out, "translation", p.move, 3);
    put_numbers(out, "rotation", p.turn, 4);
    put_numbers(out, "scale", p.scale, 3);
    putc('}', out);
}

static void put_list(FILE *out, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        fprintf(out, "%s%zu", i > first ? "," : "", i);
}

static void put_nodes(const ts_gltf *g, const ts_frame *frame, FILE *out)
{
    const size_t springs = g->bodies + g->walls, all = g->items + g->flash.count; /* where they begin; of all kinds */
    size_t groups =
        (size_t)(g->bodies > 0) + (size_t)(g->walls > 0) + (size_t)(g->items > springs) + (size_t)(g->flash.count > 0);
    const size_t world = g->header->kind->gltf_world ? 1 : 0;
    fputs("\"nodes\":[", out);
    for (size_t i = 0; i < g->items; i++) {
        put_node(g, frame, i, out);
        fputs(",\n", out);
    }
    ts_gltf_put_contact_nodes(g, g->solid_count + wall_line_meshes(g), out);
    static const char *const name[] = {"bodies", "walls", "springs", "contacts"};
    const size_t end[] = {g->bodies, springs, g->items, all};
    for (size_t k = 0, first = 0, listed = 0; k < 4; first = end[k++]) {
        if (end[k] == first)
            continue;
        fprintf(out, "%s{\"name\":\"%s\",\"children\":[", listed++ ? ",\n" : "", name[k]);
        put_list(out, first, end[k]);
        fputs("]}", out);
    }
    if (world) {
        fprintf(out, ",\n{\"name\":\"world\",%s,\"children\":[", g->header->kind->gltf_world);
        put_list(out, all, all + groups);
        fputs("]}", out);
    }
    fputs("],\n\"scene\":0,\"scenes\":[{\"nodes\":[", out);
    put_list(out, all + world * groups, all + groups + world);
    fputs("]}]", out);
}

/* Empty views are left out. */
static int view_number(const ts_gltf *g, int view)
{
    int number = 0;
    for (int k = 0; k < view; k++)
        number += g->length[k] > 0;
    return number;
}

void ts_gltf_put_accessor(const ts_gltf *g, FILE *out, int view, int component, uint64_t offset, const char *type,
                          uint64_t count)
{
    fprintf(out,
            "{\"bufferView\":%d,\"byteOffset\":%" PRIu64 ",\"componentType\":%d,\"count\":%" PRIu64 ",\"type\":\"%s\"",
            view_number(g, view), offset, component, count, type);
}

static void put_accessor(const ts_gltf *g, FILE *out, int view, uint64_t offset, const char *type, uint64_t count)
{
    ts_gltf_put_accessor(g, out, view, view == TS_GLTF_INDICES ? 5125 : 5126, offset, type, count);
}

/* Bounds of positions, exactly as the floats are written. */
static void put_bounds(FILE *out, const float (*p)[3], size_t count)
{
    for (int high = 0; high < 2; high++) {
        fprintf(out, ",\"%s\":[", high ? "max" : "min");
        for (int k = 0; k < 3; k++) {
            float best = p[0][k];
            for (size_t i = 1; i < count; i++)
                if (high ? p[i][k] > best : p[i][k] < best)
                    best = p[i][k];
            fprintf(out, "%s%.9g", k ? "," : "", (double)best);
        }
        putc(']', out);
    }
}

/* The same of a curve. */
static void put_curve_bounds(FILE *out, const ts_vec2 *p, size_t count)
{
    float low[2] = {(float)p[0].x, (float)p[0].y}, high[2] = {low[0], low[1]};
    for (size_t i = 1; i < count; i++) {
        const float q[2] = {(float)p[i].x, (float)p[i].y};
        for (int k = 0; k < 2; k++) {
            low[k] = q[k] < low[k] ? q[k] : low[k];
            high[k] = q[k] > high[k] ? q[k] : high[k];
        }
    }
    fprintf(out, ",\"min\":[%.9g,%.9g,0],\"max\":[%.9g,%.9g,0]", (double)low[0], (double)low[1], (double)high[0],
            (double)high[1]);
}

static size_t curve_points(const ts_gltf *g, size_t curve)
{
    const ts_export_lines *l = &g->lines;
    return (curve + 1 < l->begin.count ? l->begin.item[curve + 1] : l->point.count) - l->begin.item[curve];
}

static void put_accessors(const ts_gltf *g, float last_time, FILE *out)
{
    static const char *const type[TS_GLTF_VIEW_COUNT] = {
        [TS_GLTF_TRANSLATIONS] = "VEC3", [TS_GLTF_ROTATIONS] = "VEC4", [TS_GLTF_SCALES] = "VEC3"};
    uint64_t vertex = 0, index = 0, frames = g->range.total;
    fputs(",\n\"accessors\":[", out);
    for (size_t i = 0; i < g->solid_count; i++) {
        const ts_mesh3 *m = &g->solid[i];
        if (i)
            fputs(",\n", out);
        put_accessor(g, out, TS_GLTF_VERTICES, vertex, "VEC3", m->vertex_count);
        put_bounds(out, (const float(*)[3])m->position, m->vertex_count);
        fputs("},", out);
        put_accessor(g, out, TS_GLTF_VERTICES, vertex + 12 * (uint64_t)m->vertex_count, "VEC3", m->vertex_count);
        fputs("},", out);
        put_accessor(g, out, TS_GLTF_INDICES, index, "SCALAR", m->index_count);
        putc('}', out);
        vertex += 24 * (uint64_t)m->vertex_count;
        index += 4 * (uint64_t)m->index_count;
    }
    for (size_t i = 0; i < g->lines.begin.count; i++) {
        fputs(",\n", out);
        put_accessor(g, out, TS_GLTF_VERTICES, vertex, "VEC3", curve_points(g, i));
        put_curve_bounds(out, g->lines.point.item + g->lines.begin.item[i], curve_points(g, i));
        putc('}', out);
        vertex += 12 * (uint64_t)curve_points(g, i);
    }
    if (ts_gltf_is_animated(g)) {
        fputs(",\n", out);
        put_accessor(g, out, TS_GLTF_TIMES, 0, "SCALAR", frames);
        fprintf(out, ",\"min\":[0],\"max\":[%.9g]}", (double)last_time);
        for (int view = TS_GLTF_TRANSLATIONS; view <= TS_GLTF_SCALES; view++)
            for (size_t i = 0; i < (view == TS_GLTF_SCALES ? g->scaled_count : g->items); i++) {
                fputs(",\n", out);
                put_accessor(g, out, view, (view == TS_GLTF_ROTATIONS ? 16 : 12) * frames * i, type[view], frames);
                putc('}', out);
            }
    }
    ts_gltf_put_contact_accessors(g, out);
    putc(']', out);
}

static void put_animation(const ts_gltf *g, FILE *out)
{
    static const char *const path[TS_GLTF_VIEW_COUNT] = {
        [TS_GLTF_TRANSLATIONS] = "translation", [TS_GLTF_ROTATIONS] = "rotation", [TS_GLTF_SCALES] = "scale"};
    size_t times = curve_accessor(g, g->lines.begin.count), sampler = 0;
    /* what comes and goes does so at once; springs, the last ones, grow and shrink evenly */
    size_t steady = g->scaled_count - (g->items - g->bodies - g->walls);
    fputs(",\n\"animations\":[{\"name\":\"run\",\"samplers\":[", out);
    for (int view = TS_GLTF_TRANSLATIONS; view <= TS_GLTF_SCALES; view++)
        for (size_t i = 0; i < (view == TS_GLTF_SCALES ? g->scaled_count : g->items); i++)
            fprintf(out, "%s{\"input\":%zu,\"output\":%zu%s}", view > TS_GLTF_TRANSLATIONS || i ? ",\n" : "", times,
                    channel_accessor(g, view, i),
                    view == TS_GLTF_SCALES && i < steady ? ",\"interpolation\":\"STEP\"" : "");
    ts_gltf_put_contact_samplers(g, contact_accessor(g), out);
    fputs("],\n\"channels\":[", out);
    for (int view = TS_GLTF_TRANSLATIONS; view <= TS_GLTF_SCALES; view++)
        for (size_t i = 0; i < g->items; i++)
            if (view != TS_GLTF_SCALES || g->scaled[i] != TS_GLTF_NO_SCALE) {
                fprintf(out, "%s{\"sampler\":%zu,\"target\":{\"node\":%zu,\"path\":\"%s\"}}", sampler ? ",\n" : "",
                        sampler, i, path[view]);
                sampler++;
            }
    ts_gltf_put_contact_channels(g, sampler, g->items, out);
    fputs("]}]", out);
}

void ts_gltf_put_json(const ts_gltf *g, const ts_frame *frame, float last_time, FILE *out)
{
    fputs("{\"asset\":{\"version\":\"2.0\",\"generator\":\"Touchstone\"},\n", out);
    put_nodes(g, frame, out);
    put_materials(g, out);
    put_meshes(g, out);
    put_accessors(g, last_time, out);
    if (ts_gltf_is_animated(g))
        put_animation(g, out);
    fputs(",\n\"bufferViews\":[", out);
    for (int k = 0; k < TS_GLTF_VIEW_COUNT; k++) {
        if (g->length[k] == 0)
            continue;
        fprintf(out, "%s{\"buffer\":0,\"byteOffset\":%" PRIu64 ",\"byteLength\":%" PRIu64, k ? "," : "", g->begin[k],
                g->length[k]);
        if (k == TS_GLTF_VERTICES)
            fputs(",\"byteStride\":12,\"target\":34962", out);
        if (k == TS_GLTF_CONTACTS)
            fprintf(out, ",\"byteStride\":%d,\"target\":34962", TS_GLTF_CONTACT_BYTES);
        if (k == TS_GLTF_INDICES)
            fputs(",\"target\":34963", out);
        putc('}', out);
    }
    fprintf(out, "],\n\"buffers\":[{\"byteLength\":%" PRIu64 "}]}", g->bytes);
}
