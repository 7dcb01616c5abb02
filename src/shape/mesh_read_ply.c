/* SPDX-License-Identifier: MIT */
/* PLY: a header in text that says what follows, then the elements one after the other.
 *
 *     ply
 *     format ascii 1.0                                 or binary_little_endian, binary_big_endian
 *     element vertex 8
 *     property float x                                 and y, z, in any order and number type, among others
 *     element face 6
 *     property list uchar int vertex_indices           how many, then so many indices
 *     end_header
 *
 * Elements are passed through twice: once for the vertices, once for the faces, whichever stands first. */
#include <math.h>
#include <string.h>

#include "base/memory.h"

#include "shape/mesh_read_work.h"

typedef enum number_type { I8, U8, I16, U16, I32, U32, F32, F64, TYPES } number_type;
static const int type_size[TYPES] = {1, 1, 2, 2, 4, 4, 4, 8};
static const struct {
    const char *name;
    number_type type;
} type_name[] = {{"char", I8},   {"uchar", U8},   {"short", I16},   {"ushort", U16}, {"int", I32},   {"uint", U32},
                 {"float", F32}, {"double", F64}, {"int8", I8},     {"uint8", U8},   {"int16", I16}, {"uint16", U16},
                 {"int32", I32}, {"uint32", U32}, {"float32", F32}, {"float64", F64}};

enum { NONE = -1, ELEMENTS_MAX = 64, PROPERTIES_MAX = 1024 };

typedef struct property {
    bool is_list;
    number_type count_type; /* of a list */
    number_type type;
    int role; /* vertex: 0, 1, 2 for x, y, z; face: 0 for the indices; else NONE */
} property;

typedef enum element_kind { OTHER, VERTEX, FACE } element_kind;

typedef struct element {
    element_kind kind;
    uint64_t count;
    char name[44];
    int first, end;    /* of its properties */
    size_t least_size; /* bytes that one of it takes at least */
} element;

typedef enum encoding { UNKNOWN, TEXT, LITTLE, BIG } encoding;

typedef struct reader {
    ts_mesh_text text; /* the header, and what follows it; binary data move text.at alone */
    encoding encoding;
    element element[ELEMENTS_MAX];
    int element_count;
    property property[PROPERTIES_MAX];
    int property_count;
    ts_mesh_soup *soup;
} reader;

/* ---- Header ---- */

static ts_status fail_word(const reader *r, ts_mesh_word word, const char *expected, ts_error *error)
{
    return ts_fail_at(error, TS_BAD_INPUT, ts_mesh_place(&r->text, word), "'%s' stands where %s should",
                      ts_mesh_show(word).text, expected);
}

static ts_status next_word(reader *r, const char *expected, ts_mesh_word *word, ts_error *error)
{
    if (!ts_mesh_word_in_line(&r->text, word))
        return ts_fail_at(error, TS_BAD_INPUT, ts_mesh_place_here(&r->text), "the line ends where %s should stand",
                          expected);
    return TS_OK;
}

static ts_status read_format(reader *r, ts_error *error)
{
    ts_mesh_word word;
    const char *expected = "ascii, binary_little_endian or binary_big_endian";
    TS_TRY(next_word(r, expected, &word, error));
    r->encoding = ts_mesh_word_is(word, "ascii")                  ? TEXT
                  : ts_mesh_word_is(word, "binary_little_endian") ? LITTLE
                  : ts_mesh_word_is(word, "binary_big_endian")    ? BIG
                                                                  : UNKNOWN;
    return r->encoding == UNKNOWN ? fail_word(r, word, expected, error) : TS_OK;
}

static ts_status read_element(reader *r, ts_error *error)
{
    ts_mesh_word word;
    TS_TRY(next_word(r, "the name of an element", &word, error));
    if (r->element_count == ELEMENTS_MAX)
        return ts_fail_at(error, TS_UNSUPPORTED, ts_mesh_place(&r->text, word), "there are more than %d elements",
                          ELEMENTS_MAX);
    element *e = &r->element[r->element_count];
    *e = (element){.first = r->property_count, .end = r->property_count};
    memcpy(e->name, ts_mesh_show(word).text, sizeof e->name);
    e->kind = ts_mesh_word_is(word, "vertex") ? VERTEX : ts_mesh_word_is(word, "face") ? FACE : OTHER;
    for (int i = 0; i < r->element_count && e->kind != OTHER; i++)
        if (r->element[i].kind == e->kind)
            return ts_fail_at(error, TS_BAD_INPUT, ts_mesh_place(&r->text, word), "element %s stands here again",
                              e->name);
    double count;
    TS_TRY(next_word(r, "the number of elements", &word, error));
    TS_TRY(ts_mesh_number(&r->text, word, "the number of elements", &count, error));
    if (!(count >= 0 && count <= 1e15 && count == floor(count)))
        return fail_word(r, word, "a whole number of elements", error);
    e->count = (uint64_t)count;
    r->element_count++;
    return TS_OK;
}

static ts_status read_type(reader *r, ts_mesh_word word, number_type *type, ts_error *error)
{
    for (size_t i = 0; i < sizeof type_name / sizeof *type_name; i++)
        if (ts_mesh_word_is(word, type_name[i].name)) {
            *type = type_name[i].type;
            return TS_OK;
        }
    return fail_word(r, word, "a number type, such as float or uchar,", error);
}

static int role_of(const element *e, const property *p, ts_mesh_word name)
{
    if (e->kind == VERTEX && !p->is_list && name.length == 1 && *name.at >= 'x' && *name.at <= 'z')
        return *name.at - 'x';
    bool indices = ts_mesh_word_is(name, "vertex_indices") || ts_mesh_word_is(name, "vertex_index");
    return e->kind == FACE && p->is_list && indices ? 0 : NONE;
}

static ts_status read_property(reader *r, ts_mesh_word keyword, ts_error *error)
{
    property p = {0};
    ts_mesh_word word;
    if (r->element_count == 0)
        return fail_word(r, keyword, "an element", error);
    if (r->property_count == PROPERTIES_MAX)
        return ts_fail_at(error, TS_UNSUPPORTED, ts_mesh_place(&r->text, keyword), "there are more than %d properties",
                          PROPERTIES_MAX);
    TS_TRY(next_word(r, "a number type", &word, error));
    p.is_list = ts_mesh_word_is(word, "list");
    if (p.is_list) {
        TS_TRY(next_word(r, "the type of a list's length", &word, error));
        TS_TRY(read_type(r, word, &p.count_type, error));
        TS_TRY(next_word(r, "a number type", &word, error));
    }
    TS_TRY(read_type(r, word, &p.type, error));
    TS_TRY(next_word(r, "the name of a property", &word, error));
    element *e = &r->element[r->element_count - 1];
    p.role = role_of(e, &p, word);
    for (int i = e->first; i < e->end && p.role != NONE; i++)
        if (r->property[i].role == p.role)
            return ts_fail_at(error, TS_BAD_INPUT, ts_mesh_place(&r->text, word), "property %s of %s stands here again",
                              ts_mesh_show(word).text, e->name);
    /* in text a number takes a digit and a blank */
    size_t binary = (size_t)type_size[p.is_list ? p.count_type : p.type];
    e->least_size += r->encoding == TEXT ? 2 : binary;
    r->property[r->property_count++] = p;
    e->end = r->property_count;
    return TS_OK;
}

/* The style of the first line is that of the header; a binary file has bytes of either kind in it. */
static void find_newline(reader *r)
{
    for (const char *c = r->text.at; c < r->text.end; c++)
        if (*c == '\n' || *c == '\r') {
            r->text.newline = *c == '\n' || (c + 1 < r->text.end && c[1] == '\n') ? '\n' : '\r';
            return;
        }
}

static ts_status read_header(reader *r, ts_error *error)
{
    ts_mesh_word word;
    find_newline(r);
    if (!ts_mesh_word_in_line(&r->text, &word) || !ts_mesh_word_is(word, "ply"))
        return ts_fail_at(error, TS_BAD_INPUT, ts_mesh_place_here(&r->text), "a PLY file begins with a line 'ply'");
    for (bool done = false; !done;) {
        ts_mesh_end_line(&r->text);
        if (r->text.at == r->text.end)
            return ts_fail_at(error, TS_BAD_INPUT, ts_mesh_place_here(&r->text),
                              "the file ends without 'end_header'; is it cut short?");
        if (!ts_mesh_word_in_line(&r->text, &word) || ts_mesh_word_is(word, "comment") ||
            ts_mesh_word_is(word, "obj_info"))
            continue;
        if ((r->encoding == UNKNOWN) != ts_mesh_word_is(word, "format"))
            return fail_word(r, word, r->encoding == UNKNOWN ? "'format'" : "'element' or 'end_header'", error);
        if (ts_mesh_word_is(word, "format"))
            TS_TRY(read_format(r, error));
        else if (ts_mesh_word_is(word, "element"))
            TS_TRY(read_element(r, error));
        else if (ts_mesh_word_is(word, "property"))
            TS_TRY(read_property(r, word, error));
        else if (ts_mesh_word_is(word, "end_header"))
            done = true;
        else
            return fail_word(r, word, "'element', 'property' or 'end_header'", error);
    }
    ts_mesh_end_line(&r->text);
    return TS_OK;
}

static ts_status check_header(const reader *r, ts_error *error)
{
    int vertex_roles = 0, face_roles = 0;
    for (int i = 0; i < r->element_count; i++)
        for (int k = r->element[i].first; k < r->element[i].end; k++) {
            vertex_roles += r->element[i].kind == VERTEX && r->property[k].role != NONE;
            face_roles += r->element[i].kind == FACE && r->property[k].role != NONE;
        }
    ts_place place = {.file = r->text.name};
    if (vertex_roles < 3)
        return ts_fail_at(error, TS_BAD_INPUT, place, "there is no element 'vertex' with properties x, y and z");
    if (face_roles < 1)
        return ts_fail_at(error, TS_BAD_INPUT, place, "there is no element 'face' with a list 'vertex_indices'; %s",
                          "export the shape with faces, not as points or strips");
    return TS_OK;
}

/* ---- Data ---- */

/* The line in a text; nothing better than the file in binary. */
static ts_place data_place(const reader *r)
{
    return r->encoding == TEXT ? ts_mesh_place_here(&r->text) : (ts_place){.file = r->text.name};
}

static size_t bytes_left(const reader *r)
{
    return (size_t)(r->text.end - r->text.at);
}

static double decode(const unsigned char *from, number_type type, bool big)
{
    uint64_t bits = 0;
    int size = type_size[type];
    for (int i = 0; i < size; i++)
        bits |= (uint64_t)from[big ? size - 1 - i : i] << (8 * i);
    float narrow;
    double wide;
    uint32_t low = (uint32_t)bits;
    switch (type) {
    case I8:
        return (double)(int8_t)bits;
    case I16:
        return (double)(int16_t)bits;
    case I32:
        return (double)(int32_t)bits;
    case F32:
        memcpy(&narrow, &low, sizeof narrow);
        return (double)narrow;
    case F64:
        memcpy(&wide, &bits, sizeof wide);
        return wide;
    default:
        return (double)bits;
    }
}

/* The next number; `e` and `index` say whose it is. */
static ts_status take_number(reader *r, number_type type, const element *e, uint64_t index, double *value,
                             ts_error *error)
{
    ts_mesh_word word;
    bool is_text = r->encoding == TEXT;
    if (is_text ? !ts_mesh_word_next(&r->text, &word) : bytes_left(r) < (size_t)type_size[type])
        return ts_fail_at(error, TS_BAD_INPUT, data_place(r), "the file ends within %s %llu of %llu; is it cut short?",
                          e->name, (unsigned long long)index, (unsigned long long)e->count);
    if (is_text)
        return ts_mesh_number(&r->text, word, "a number", value, error);
    *value = decode((const unsigned char *)r->text.at, type, r->encoding == BIG);
    r->text.at += type_size[type];
    if (!isfinite(*value))
        return ts_fail_at(error, TS_BAD_INPUT, data_place(r), "a number of %s %llu is %g; numbers must be finite",
                          e->name, (unsigned long long)index, *value);
    return TS_OK;
}

/* Numbers that nobody wants; in text they need not even be finite. */
static ts_status skip_numbers(reader *r, number_type type, uint64_t count, const element *e, uint64_t index,
                              ts_error *error)
{
    ts_mesh_word word;
    bool there = true;
    if (r->encoding == TEXT)
        for (uint64_t i = 0; i < count && there; i++)
            there = ts_mesh_word_next(&r->text, &word);
    else if ((there = count <= bytes_left(r) / (size_t)type_size[type]))
        r->text.at += count * (size_t)type_size[type];
    if (!there)
        return ts_fail_at(error, TS_BAD_INPUT, data_place(r), "the file ends within %s %llu of %llu; is it cut short?",
                          e->name, (unsigned long long)index, (unsigned long long)e->count);
    return TS_OK;
}

static ts_status take_length(reader *r, const property *p, const element *e, uint64_t index, uint64_t *length,
                             ts_error *error)
{
    double count;
    TS_TRY(take_number(r, p->count_type, e, index, &count, error));
    if (!(count >= 0 && count == floor(count) && count <= (double)bytes_left(r)))
        return ts_fail_at(error, TS_BAD_INPUT, data_place(r), "a list of %s %llu has %g items, and %zu bytes are left",
                          e->name, (unsigned long long)index, count, bytes_left(r));
    *length = (uint64_t)count;
    return TS_OK;
}

static ts_status take_corners(reader *r, const property *p, const element *e, uint64_t index, ts_error *error)
{
    uint64_t length;
    size_t all = r->soup->vertex.count;
    TS_TRY(take_length(r, p, e, index, &length, error));
    ts_place place = data_place(r);
    if (length < 3)
        return ts_fail_at(error, TS_BAD_INPUT, place, "face %llu has %llu corner%s; it needs at least three",
                          (unsigned long long)index, (unsigned long long)length, length == 1 ? "" : "s");
    if (length > TS_MESH_CORNERS_MAX)
        return ts_fail_at(error, TS_UNSUPPORTED, place, "face %llu has %llu corners; %zu is the most",
                          (unsigned long long)index, (unsigned long long)length, TS_MESH_CORNERS_MAX);
    r->soup->corner.count = 0;
    for (uint64_t i = 0; i < length; i++) {
        double v;
        TS_TRY(take_number(r, p->type, e, index, &v, error));
        if (!(v >= 0 && v < (double)all && v == floor(v)))
            return ts_fail_at(error, TS_BAD_INPUT, data_place(r),
                              "face %llu refers to vertex %.17g, but there are %zu, numbered from 0",
                              (unsigned long long)index, v, all);
        TS_TRY(ts_array_push(&r->soup->corner, (int32_t)v, error));
    }
    return ts_mesh_add_polygon(r->soup, place, error);
}

static ts_status take_vertex(reader *r, const element *e, uint64_t index, ts_error *error)
{
    double coordinate[3] = {0, 0, 0};
    for (int k = e->first; k < e->end; k++) {
        const property *p = &r->property[k];
        uint64_t length = 1;
        if (p->is_list)
            TS_TRY(take_length(r, p, e, index, &length, error));
        if (p->role == NONE)
            TS_TRY(skip_numbers(r, p->type, length, e, index, error));
        else
            TS_TRY(take_number(r, p->type, e, index, &coordinate[p->role], error));
    }
    return ts_array_push(&r->soup->vertex, ((ts_vec3){coordinate[0], coordinate[1], coordinate[2]}), error);
}

static ts_status take_face(reader *r, const element *e, uint64_t index, ts_error *error)
{
    for (int k = e->first; k < e->end; k++) {
        const property *p = &r->property[k];
        uint64_t length = 1;
        if (p->role != NONE) {
            TS_TRY(take_corners(r, p, e, index, error));
            continue;
        }
        if (p->is_list)
            TS_TRY(take_length(r, p, e, index, &length, error));
        TS_TRY(skip_numbers(r, p->type, length, e, index, error));
    }
    return TS_OK;
}

static ts_status skip_element(reader *r, const element *e, ts_error *error)
{
    bool fixed = r->encoding != TEXT;
    for (int k = e->first; k < e->end; k++)
        fixed = fixed && !r->property[k].is_list;
    if (fixed) { /* that so many bytes are left was checked */
        r->text.at += e->count * e->least_size;
        return TS_OK;
    }
    for (uint64_t i = 0; i < e->count && e->first < e->end; i++)
        for (int k = e->first; k < e->end; k++) {
            const property *p = &r->property[k];
            uint64_t length = 1;
            if (p->is_list)
                TS_TRY(take_length(r, p, e, i, &length, error));
            TS_TRY(skip_numbers(r, p->type, length, e, i, error));
        }
    return TS_OK;
}

/* From the end of the header up to and with the element that is wanted. */
static ts_status read_until(reader *r, element_kind wanted, ts_error *error)
{
    for (int i = 0; i < r->element_count; i++) {
        const element *e = &r->element[i];
        size_t room = bytes_left(r) + (r->encoding == TEXT); /* the last number of a text needs no blank after it */
        if (e->least_size > 0 && e->count > room / e->least_size)
            return ts_fail_at(error, TS_BAD_INPUT, (ts_place){.file = r->text.name},
                              "the header promises %llu of element '%s', but the %zu bytes left hold at most %zu; %s",
                              (unsigned long long)e->count, e->name, bytes_left(r), room / e->least_size,
                              "is the file cut short?");
        if (e->kind != wanted) {
            TS_TRY(skip_element(r, e, error));
            continue;
        }
        for (uint64_t k = 0; k < e->count; k++)
            TS_TRY(wanted == VERTEX ? take_vertex(r, e, k, error) : take_face(r, e, k, error));
        return TS_OK;
    }
    return TS_OK;
}

ts_status ts_mesh_read_ply(const void *bytes, size_t size, const char *name, ts_mesh_soup *soup, ts_error *error)
{
    TS_AUTO_FREE reader *r = NULL;
    TS_TRY(ts_new(&r, 1, error));
    r->text = ts_mesh_text_of(bytes, size, name);
    r->soup = soup;
    TS_TRY(read_header(r, error));
    TS_TRY(check_header(r, error));
    ts_mesh_text data = r->text;
    TS_TRY(read_until(r, VERTEX, error));
    r->text = data;
    return read_until(r, FACE, error);
}
