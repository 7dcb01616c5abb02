/* SPDX-License-Identifier: MIT */
#include "shape/mesh_read.h"

#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/memory.h"
#include "shape/mesh_read_work.h"

static bool ends_in(const char *name, const char *end)
{
    if (!name)
        return false;
    size_t length = strlen(name), wanted = strlen(end);
    return length >= wanted && strcasecmp(name + length - wanted, end) == 0;
}

static bool begins(const void *bytes, size_t size, const char *with)
{
    size_t length = strlen(with);
    return size >= length && memcmp(bytes, with, length) == 0;
}

/* By the bytes where they are plain, then by the name, then by whether they look like text. */
static ts_mesh_format guess(const void *bytes, size_t size, const char *name)
{
    ts_mesh_text text = ts_mesh_text_of(bytes, size, name);
    ts_mesh_word word;
    if (begins(bytes, size, "ply\n") || begins(bytes, size, "ply\r"))
        return TS_MESH_PLY;
    if (ts_mesh_is_binary_stl(bytes, size))
        return TS_MESH_STL;
    if (ts_mesh_word_next(&text, &word) && ts_mesh_word_is(word, "solid"))
        return TS_MESH_STL;
    if (ends_in(name, ".ply"))
        return TS_MESH_PLY;
    if (ends_in(name, ".stl"))
        return TS_MESH_STL;
    if (ends_in(name, ".obj"))
        return TS_MESH_OBJ;
    return memchr(bytes, 0, size < 512 ? size : 512) ? TS_MESH_AUTO : TS_MESH_OBJ;
}

static ts_status read_soup(const void *bytes, size_t size, ts_mesh_format format, const char *name, ts_mesh_soup *soup,
                           ts_error *error)
{
    ts_place place = {.file = name};
    if (size > TS_MESH_BYTES_MAX)
        return ts_fail_at(error, TS_UNSUPPORTED, place, "a mesh file of %zu bytes is too large; %zu is the most", size,
                          TS_MESH_BYTES_MAX);
    if (size == 0)
        return ts_fail_at(error, TS_BAD_INPUT, place, "the file is empty");
    if (begins(bytes, size, "\x1f\x8b"))
        return ts_fail_at(error, TS_UNSUPPORTED, place, "the file is compressed; unpack it, as with gunzip");
    if (begins(bytes, size, "\xff\xfe") || begins(bytes, size, "\xfe\xff"))
        return ts_fail_at(error, TS_UNSUPPORTED, place, "the file is UTF-16; save it as plain text");
    if (format == TS_MESH_AUTO)
        format = guess(bytes, size, name);
    switch (format) {
    case TS_MESH_OBJ:
        TS_TRY(ts_mesh_read_obj(bytes, size, name, soup, error));
        break;
    case TS_MESH_STL:
        TS_TRY(ts_mesh_read_stl(bytes, size, name, soup, error));
        break;
    case TS_MESH_PLY:
        TS_TRY(ts_mesh_read_ply(bytes, size, name, soup, error));
        break;
    default:
        return ts_fail_at(error, TS_UNSUPPORTED, place, "this is neither an OBJ, an STL nor a PLY file");
    }
    if (soup->triangle.count == 0)
        return ts_fail_at(error, TS_BAD_INPUT, place, "there are no faces, only %zu vert%s; export the surface",
                          soup->vertex.count, soup->vertex.count == 1 ? "ex" : "ices");
    return TS_OK;
}

static ts_status make_mesh(const ts_mesh_soup *soup, ts_mesh **mesh, ts_error *error)
{
    TS_TRY(ts_mesh_create(soup->vertex.count, soup->triangle.count, mesh, error));
    memcpy((*mesh)->vertex, soup->vertex.item, soup->vertex.count * sizeof(ts_vec3));
    memcpy((*mesh)->triangle, soup->triangle.item, soup->triangle.count * sizeof(ts_mesh_corners));
    return TS_OK;
}

ts_status ts_mesh_parse(const void *bytes, size_t size, ts_mesh_format format, const char *name, ts_mesh **soup,
                        ts_error *error)
{
    ts_mesh_soup read = {0};
    *soup = NULL;
    ts_status status = read_soup(size > 0 ? bytes : "", size, format, name, &read, error);
    if (status == TS_OK)
        status = make_mesh(&read, soup, error);
    ts_array_free(&read.vertex);
    ts_array_free(&read.triangle);
    ts_array_free(&read.corner);
    ts_array_free(&read.point);
    return status;
}

ts_status ts_mesh_read(const void *bytes, size_t size, ts_mesh_format format, const char *name, ts_mesh_report *report,
                       ts_mesh **mesh, ts_error *error)
{
    TS_AUTO(ts_mesh_free_at) ts_mesh *soup = NULL;
    *mesh = NULL;
    TS_TRY(ts_mesh_parse(bytes, size, format, name, &soup, error));
    return ts_mesh_repair(soup, name, report, mesh, error);
}
