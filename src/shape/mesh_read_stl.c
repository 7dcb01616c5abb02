/* SPDX-License-Identifier: MIT */
/* STL. Binary: 80 bytes of anything, the number of triangles, then 50 bytes for each: normal, three vertices, two bytes
 * more. Text:
 *
 *     solid name
 *       facet normal 0 0 1
 *         outer loop
 *           vertex 0 0 0  …  three of them
 *         endloop
 *       endfacet  …
 *     endsolid name
 *
 * Binary files may begin with "solid", too; their size tells. Normals are often wrong, or not even numbers: nobody
 * looks at them. */
#include <string.h>

#include "base/bytes.h"
#include "shape/mesh_read_work.h"

enum { HEADER = 80, FACET = 50, NORMAL = 12, ATTRIBUTE = 2 };

static uint64_t promised(const void *bytes)
{
    ts_bytes from = ts_bytes_of((const unsigned char *)bytes + HEADER, 4);
    return ts_take_u32(&from);
}

bool ts_mesh_is_binary_stl(const void *bytes, size_t size)
{
    return size >= HEADER + 4 && size == HEADER + 4 + FACET * promised(bytes);
}

/* Three vertices of its own for each triangle. */
static ts_status add_vertex(ts_mesh_soup *soup, ts_vec3 p, ts_error *error)
{
    TS_TRY(ts_array_push(&soup->vertex, p, error));
    int32_t count = (int32_t)soup->vertex.count;
    if (count % 3 != 0)
        return TS_OK;
    return ts_array_push(&soup->triangle, ((ts_mesh_corners){{count - 3, count - 2, count - 1}}), error);
}

static ts_status read_binary(const void *bytes, size_t size, const char *name, ts_mesh_soup *soup, ts_error *error)
{
    ts_place place = {.file = name};
    if (size < HEADER + 4)
        return ts_fail_at(error, TS_BAD_INPUT, place,
                          "a binary STL begins with 84 bytes, but there are %zu; is it cut short?", size);
    uint64_t count = promised(bytes);
    if (!ts_mesh_is_binary_stl(bytes, size))
        return ts_fail_at(error, TS_BAD_INPUT, place,
                          "a binary STL of %llu triangles has %llu bytes, but there are %zu; is it cut short?",
                          (unsigned long long)count, (unsigned long long)(HEADER + 4 + FACET * count), size);
    ts_bytes from = ts_bytes_of(bytes, size);
    ts_take(&from, HEADER + 4);
    TS_TRY(ts_array_reserve(&soup->vertex, 3 * (size_t)count, error));
    TS_TRY(ts_array_reserve(&soup->triangle, (size_t)count, error));
    for (uint64_t i = 0; i < count; i++) {
        ts_take(&from, NORMAL);
        for (int k = 0; k < 3; k++) {
            double x = (double)ts_take_f32(&from), y = (double)ts_take_f32(&from), z = (double)ts_take_f32(&from);
            ts_vec3 p = {x, y, z};
            if (!ts_vec3_is_finite(p))
                return ts_fail_at(error, TS_BAD_INPUT, place,
                                  "vertex %d of triangle %llu is (%g, %g, %g); coordinates must be finite", k + 1,
                                  (unsigned long long)i + 1, x, y, z);
            TS_TRY(add_vertex(soup, p, error));
        }
        ts_take(&from, ATTRIBUTE);
    }
    return TS_OK;
}

/* ---- Text ---- */

static ts_status expect(ts_mesh_text *text, const char *keyword, ts_error *error)
{
    ts_mesh_word word;
    if (!ts_mesh_word_next(text, &word))
        return ts_fail_at(error, TS_BAD_INPUT, ts_mesh_place_here(text),
                          "the file ends where '%s' should stand; is it cut short?", keyword);
    if (!ts_mesh_word_is(word, keyword))
        return ts_fail_at(error, TS_BAD_INPUT, ts_mesh_place(text, word), "'%s' stands where '%s' should",
                          ts_mesh_show(word).text, keyword);
    return TS_OK;
}

static ts_status read_vertex(ts_mesh_text *text, ts_mesh_soup *soup, ts_error *error)
{
    double p[3];
    ts_mesh_word word;
    TS_TRY(expect(text, "vertex", error));
    for (int k = 0; k < 3; k++) {
        if (!ts_mesh_word_next(text, &word))
            return ts_fail_at(error, TS_BAD_INPUT, ts_mesh_place_here(text),
                              "the file ends within a vertex; is it cut short?");
        TS_TRY(ts_mesh_number(text, word, "a coordinate", &p[k], error));
    }
    return add_vertex(soup, (ts_vec3){p[0], p[1], p[2]}, error);
}

/* After the word "facet". */
static ts_status read_facet(ts_mesh_text *text, ts_mesh_soup *soup, ts_error *error)
{
    ts_mesh_word word;
    TS_TRY(expect(text, "normal", error));
    for (int k = 0; k < 3; k++)
        if (!ts_mesh_word_next(text, &word))
            return ts_fail_at(error, TS_BAD_INPUT, ts_mesh_place_here(text),
                              "the file ends within a normal; is it cut short?");
    TS_TRY(expect(text, "outer", error));
    TS_TRY(expect(text, "loop", error));
    for (int k = 0; k < 3; k++)
        TS_TRY(read_vertex(text, soup, error));
    TS_TRY(expect(text, "endloop", error));
    return expect(text, "endfacet", error);
}

static ts_status read_text(const void *bytes, size_t size, const char *name, ts_mesh_soup *soup, ts_error *error)
{
    ts_mesh_text text = ts_mesh_text_of(bytes, size, name);
    ts_mesh_word word;
    bool open = false; /* between "solid" and "endsolid" */
    while (ts_mesh_word_next(&text, &word)) {
        if (open && ts_mesh_word_is(word, "facet")) {
            TS_TRY(read_facet(&text, soup, error));
        } else if (ts_mesh_word_is(word, open ? "endsolid" : "solid")) {
            open = !open;
            while (text.at < text.end && *text.at != text.newline)
                text.at++; /* its name */
        } else {
            return ts_fail_at(error, TS_BAD_INPUT, ts_mesh_place(&text, word), "'%s' stands where %s should",
                              ts_mesh_show(word).text, open ? "'facet' or 'endsolid'" : "'solid'");
        }
    }
    if (open)
        return ts_fail_at(error, TS_BAD_INPUT, ts_mesh_place_here(&text),
                          "the file ends without 'endsolid'; is it cut short?");
    return TS_OK;
}

ts_status ts_mesh_read_stl(const void *bytes, size_t size, const char *name, ts_mesh_soup *soup, ts_error *error)
{
    ts_mesh_text text = ts_mesh_text_of(bytes, size, name);
    ts_mesh_word word;
    bool binary = ts_mesh_is_binary_stl(bytes, size) || memchr(bytes, 0, size < HEADER + 4 ? size : HEADER + 4);
    if (binary || !ts_mesh_word_next(&text, &word) || !ts_mesh_word_is(word, "solid"))
        return read_binary(bytes, size, name, soup, error);
    return read_text(bytes, size, name, soup, error);
}
