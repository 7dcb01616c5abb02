/* SPDX-License-Identifier: MIT */
/* Wavefront OBJ: a statement a line. Vertices are read first, then faces, which may refer to vertices of later
 * lines. */
#include <string.h>

#include "shape/mesh_read_work.h"

typedef struct reader {
    ts_mesh_text text;
    ts_mesh_soup *soup;
    bool faces;  /* second round */
    size_t seen; /* vertices so far, which relative indices count back from */
} reader;

/* Numbers after the coordinates are a weight or a colour. */
static ts_status read_vertex(reader *r, ts_mesh_word keyword, ts_error *error)
{
    static const char *const name[] = {"the x of a vertex", "the y of a vertex", "the z of a vertex",
                                       "a weight or colour of a vertex"};
    enum { NUMBERS_MAX = 8 };
    double number[NUMBERS_MAX];
    int count = 0;
    ts_mesh_word word;
    ts_place place = ts_mesh_place(&r->text, keyword);
    for (; ts_mesh_word_in_line(&r->text, &word); count++) {
        if (count == NUMBERS_MAX)
            return ts_fail_at(error, TS_BAD_INPUT, ts_mesh_place(&r->text, word),
                              "a vertex has more than %d numbers; give x y z, and a colour if need be", NUMBERS_MAX);
        TS_TRY(ts_mesh_number(&r->text, word, name[count < 3 ? count : 3], &number[count], error));
    }
    if (count < 3)
        return ts_fail_at(error, TS_BAD_INPUT, place, "a vertex has %d number%s; give x y z", count,
                          count == 1 ? "" : "s");
    return ts_array_push(&r->soup->vertex, ((ts_vec3){number[0], number[1], number[2]}), error);
}

/* A whole number at the start of the word's rest, which is moved past it; false when none stands there. Large ones stop
 * at `limit`. */
static bool take_integer(ts_mesh_word *rest, int64_t *value)
{
    const int64_t limit = INT64_C(1) << 40;
    bool negative = rest->length > 0 && *rest->at == '-';
    size_t i = negative, begin = i;
    int64_t sum = 0;
    for (; i < rest->length && rest->at[i] >= '0' && rest->at[i] <= '9'; i++)
        sum = sum < limit ? 10 * sum + (rest->at[i] - '0') : sum;
    if (i == begin)
        return false;
    rest->at += i;
    rest->length -= i;
    *value = negative ? -sum : sum;
    return true;
}

/* v, v/vt, v//vn or v/vt/vn: the vertex counts, the rest must only look right. */
static bool split_corner(ts_mesh_word word, int64_t *index)
{
    int64_t other;
    if (!take_integer(&word, index))
        return false;
    for (int slash = 0; slash < 2 && word.length > 0 && *word.at == '/'; slash++) {
        word.at++;
        word.length--;
        if (word.length > 0 && *word.at != '/' && !take_integer(&word, &other))
            return false;
    }
    return word.length == 0;
}

static ts_status read_corner(reader *r, ts_mesh_word word, ts_error *error)
{
    int64_t index;
    ts_place place = ts_mesh_place(&r->text, word);
    ts_mesh_shown shown = ts_mesh_show(word);
    size_t all = r->soup->vertex.count;
    if (!split_corner(word, &index))
        return ts_fail_at(error, TS_BAD_INPUT, place,
                          "'%s' is no corner of a face; write v, v/vt, v//vn or v/vt/vn with whole numbers",
                          shown.text);
    if (index == 0)
        return ts_fail_at(error, TS_BAD_INPUT, place, "a face refers to vertex 0 ('%s'); the first vertex is 1",
                          shown.text);
    if (index < 0 && (uint64_t)-index > r->seen)
        return ts_fail_at(error, TS_BAD_INPUT, place,
                          "a face refers %lld vertices back ('%s'), but only %zu stand before it", (long long)-index,
                          shown.text, r->seen);
    if (index > 0 && (uint64_t)index > all)
        return ts_fail_at(error, TS_BAD_INPUT, place,
                          "a face refers to vertex %lld ('%s'), but the file has %zu vert%s", (long long)index,
                          shown.text, all, all == 1 ? "ex" : "ices");
    if (r->soup->corner.count == TS_MESH_CORNERS_MAX)
        return ts_fail_at(error, TS_UNSUPPORTED, place, "a face has more than %zu corners; cut it into smaller ones",
                          TS_MESH_CORNERS_MAX);
    size_t vertex = index > 0 ? (size_t)index - 1 : r->seen - (size_t)-index;
    return ts_array_push(&r->soup->corner, (int32_t)vertex, error);
}

static ts_status read_face(reader *r, ts_mesh_word keyword, ts_error *error)
{
    ts_mesh_word word;
    ts_place place = ts_mesh_place(&r->text, keyword);
    r->soup->corner.count = 0;
    while (ts_mesh_word_in_line(&r->text, &word))
        TS_TRY(read_corner(r, word, error));
    size_t count = r->soup->corner.count;
    if (count < 3)
        return ts_fail_at(error, TS_BAD_INPUT, place, "a face has %zu corner%s; it needs at least three", count,
                          count == 1 ? "" : "s");
    return ts_mesh_add_polygon(r->soup, place, error);
}

/* What says nothing about the surface, and what would. */
static const char *const passed_over[] = {
    "vt",        "vn",     "vp",  "g",    "o",     "s",        "mg",       "usemtl", "mtllib",
    "usemap",    "maplib", "l",   "p",    "bevel", "c_interp", "d_interp", "lod",    "shadow_obj",
    "trace_obj", "cstype", "deg", "bmat", "step",  "ctech",    "stech"};
static const char *const refused[] = {"surf", "curv", "curv2", "bzp", "bsp", "cdc", "cdp", "call", "csh"};

static bool is_among(ts_mesh_word word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (ts_mesh_word_is(word, list[i]))
            return true;
    return false;
}

static ts_status read_statement(reader *r, ts_mesh_word keyword, ts_error *error)
{
    if (ts_mesh_word_is(keyword, "v")) {
        r->seen++;
        return r->faces ? TS_OK : read_vertex(r, keyword, error);
    }
    if (ts_mesh_word_is(keyword, "f") || ts_mesh_word_is(keyword, "fo"))
        return r->faces ? read_face(r, keyword, error) : TS_OK;
    if (r->faces || is_among(keyword, passed_over, sizeof passed_over / sizeof *passed_over))
        return TS_OK;
    ts_place place = ts_mesh_place(&r->text, keyword);
    if (is_among(keyword, refused, sizeof refused / sizeof *refused))
        return ts_fail_at(error, TS_UNSUPPORTED, place,
                          "'%s' is part of a curved surface or another file; export the shape as polygons",
                          ts_mesh_show(keyword).text);
    return ts_fail_at(error, TS_BAD_INPUT, place,
                      "'%s' begins no statement of an OBJ file; expected v, f, or another of its keywords",
                      ts_mesh_show(keyword).text);
}

static ts_status read_all(reader *r, const void *bytes, size_t size, const char *name, ts_error *error)
{
    ts_mesh_word keyword;
    r->text = ts_mesh_text_of(bytes, size, name);
    r->text.joins = true;
    r->seen = 0;
    while (r->text.at < r->text.end) {
        if (ts_mesh_word_in_line(&r->text, &keyword))
            TS_TRY(read_statement(r, keyword, error));
        ts_mesh_end_line(&r->text);
    }
    return TS_OK;
}

ts_status ts_mesh_read_obj(const void *bytes, size_t size, const char *name, ts_mesh_soup *soup, ts_error *error)
{
    reader r = {.soup = soup};
    TS_TRY(read_all(&r, bytes, size, name, error));
    r.faces = true;
    return read_all(&r, bytes, size, name, error);
}
