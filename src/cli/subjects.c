/* SPDX-License-Identifier: MIT */
#include "cli/subjects.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "shape/outline.h"
#include "study/grains.h"

void ts_subject_free(ts_subject *subject)
{
    ts_outline_free(subject->outline);
    subject->outline = NULL;
}

void ts_subjects_free(ts_subjects *list)
{
    for (size_t i = 0; i < list->count; i++)
        ts_subject_free(&list->item[i]);
    ts_array_free(list);
}

/* Takes the outline over, also on failure. */
static ts_status add_subject(ts_subjects *list, ts_subject one, ts_error *error)
{
    ts_status status = ts_array_push(list, one, error);
    if (status != TS_OK)
        ts_outline_free(one.outline);
    return status;
}

/* ---- The library, which is in the program ---- */

/* What looks like a path was meant as one. */
static bool is_word(const char *text)
{
    return !strchr(text, '/') && !strchr(text, '.') && !strchr(text, ':');
}

static ts_status fail_unknown_grain(const char *text, const ts_grains *grains, ts_error *error)
{
    const char *name[256];
    const char *near = ts_nearest_name(text, name, ts_grains_names(grains, name, 256));
    return ts_fail(error, TS_BAD_INPUT,
                   "there is no grain '%s' in the library%s%s%s; `touchstone shape` lists them, and files are named as "
                   "in drawing.svg:id, font.ttf:G or scene.json:shape",
                   text, near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

static ts_status take_grain(const ts_grains *grains, const char *name, ts_subject *subject, ts_error *error)
{
    const ts_outline *outline;
    *subject = (ts_subject){.unit = "m"};
    snprintf(subject->name, sizeof subject->name, "%.150s", name);
    snprintf(subject->part, sizeof subject->part, "%.60s", name);
    if (ts_grains_find(grains, name, &outline, error) != TS_OK)
        return fail_unknown_grain(name, grains, error);
    return ts_outline_place(outline, 1, 0, (const double[2]){0, 0}, &subject->outline, error);
}

static ts_status find_grain(const char *text, ts_subject *subject, ts_error *error)
{
    ts_grains *grains;
    TS_TRY(ts_grains_create(&grains, error));
    ts_status status = take_grain(grains, text, subject, error);
    ts_grains_free(grains);
    return status;
}

ts_status ts_subjects_library(ts_subjects *list, ts_error *error)
{
    const char *name[256];
    ts_grains *grains;
    TS_TRY(ts_grains_create(&grains, error));
    size_t count = ts_grains_names(grains, name, 256);
    ts_status status = TS_OK;
    for (size_t i = 0; i < count && status == TS_OK; i++) {
        ts_subject one;
        status = take_grain(grains, name[i], &one, error);
        if (status == TS_OK)
            status = add_subject(list, one, error);
    }
    ts_grains_free(grains);
    return status;
}

/* ---- Files ---- */

bool ts_is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

bool ts_path_ends_in(const char *path, const char *end)
{
    size_t length = strlen(path), tail = strlen(end);
    return length > tail && strcasecmp(path + length - tail, end) == 0;
}

static bool is_font(const char *path)
{
    static const char *const end[] = {".ttf", ".otf", ".ttc", ".otc", ".pfb", ".pfa", ".woff", ".cff"};
    for (size_t i = 0; i < sizeof end / sizeof *end; i++)
        if (ts_path_ends_in(path, end[i]))
            return true;
    return false;
}

static ts_status read_drawing(const ts_subject_wish *given, const char *path, ts_subjects *list, ts_error *error)
{
    ts_subject one = {.unit = "unit"};
    ts_outline_options wish = {.tolerance = given->tolerance, .id = given->id};
    TS_TRY(ts_outline_read_svg(path, &wish, &one.outline, &one.unit_size, error));
    snprintf(one.part, sizeof one.part, "%.60s", given->id ? given->id : "");
    snprintf(one.name, sizeof one.name, "%.100s%s%.40s", ts_path_name(path), given->id ? "#" : "",
             given->id ? given->id : "");
    return add_subject(list, one, error);
}

static ts_status read_letter(const ts_subject_wish *given, const char *path, const char *letter, size_t bytes,
                             ts_subjects *list, ts_error *error)
{
    ts_subject one = {.unit = "em"};
    ts_outline_options wish = {.tolerance = given->tolerance};
    size_t length;
    TS_TRY(ts_outline_read_glyph(path, ts_utf8_decode(letter, &length), &wish, &one.outline, NULL, error));
    snprintf(one.part, sizeof one.part, "%.*s", (int)bytes, letter);
    snprintf(one.name, sizeof one.name, "%.100s '%.*s'", ts_path_name(path), (int)bytes, letter);
    return add_subject(list, one, error);
}

static ts_status read_letters(const ts_subject_wish *given, const char *path, ts_subjects *list, ts_error *error)
{
    if (!given->text)
        return ts_fail(error, TS_BAD_INPUT, "%s is a font; say which letters to look at, as in --text G", path);
    for (const char *at = given->text; *at;) {
        size_t bytes = ts_utf8_length(at);
        if (bytes == 0)
            return ts_fail(error, TS_BAD_INPUT, "--text is not UTF-8; set the terminal's encoding to it");
        bool seen = *at == ' ';
        for (const char *before = given->text; before < at && !seen; before++)
            seen = strncmp(before, at, bytes) == 0;
        if (!seen)
            TS_TRY(read_letter(given, path, at, bytes, list, error));
        at += bytes;
    }
    if (list->count == 0)
        return ts_fail(error, TS_BAD_INPUT, "--text has no visible character; write some, as in --text G");
    return TS_OK;
}

ts_status ts_outline_of_shape(const ts_outline *own, const ts_disc *disc, size_t disc_count, ts_outline **outline,
                              ts_error *error)
{
    if (own)
        return ts_outline_place(own, 1, 0, (const double[2]){0, 0}, outline, error);
    ts_vertex *vertex = ts_alloc(2 * disc_count, sizeof *vertex);
    ts_contour *circle = ts_alloc(disc_count, sizeof *circle);
    ts_outline *joined = NULL;
    ts_status status = vertex && circle ? TS_OK : ts_fail_memory(error, 2 * disc_count * sizeof *vertex);
    for (size_t i = 0; status == TS_OK && i < disc_count; i++) {
        vertex[2 * i] = (ts_vertex){disc[i].x + disc[i].radius, disc[i].y, 1};
        vertex[2 * i + 1] = (ts_vertex){disc[i].x - disc[i].radius, disc[i].y, 1};
        circle[i] = (ts_contour){vertex + 2 * i, 2, false};
    }
    if (status == TS_OK)
        status = ts_outline_create(circle, disc_count, TS_RULE_NONZERO, &joined, error);
    ts_free(vertex);
    ts_free(circle);
    TS_TRY(status);
    /* that discs of a cluster overlap is no repair: without notes */
    size_t count = ts_outline_contour_count(joined);
    ts_contour *contour = ts_alloc(count, sizeof *contour);
    for (size_t i = 0; contour && i < count; i++)
        contour[i] = ts_outline_get_contour(joined, i);
    status = contour ? ts_outline_adopt(contour, count, NULL, 0, outline, error)
                     : ts_fail_memory(error, count * sizeof *contour);
    ts_free(contour);
    ts_outline_free(joined);
    return status;
}

/* Whether a shape is meant by --shape: it, or a letter of the text of that name. */
static bool is_meant(const char *name, const char *wish)
{
    size_t length = wish ? strlen(wish) : 0;
    return !wish || (name && strncmp(name, wish, length) == 0 && (name[length] == 0 || name[length] == '/'));
}

static ts_status fail_unknown_shape(const ts_scene *scene, const char *path, const char *wish, ts_error *error)
{
    const char *name[256] = {0};
    size_t count = 0;
    for (size_t i = 0; i < scene->shape.count && count < 256; i++)
        if (scene->shape.item[i].name)
            name[count++] = scene->shape.item[i].name;
    const char *near = ts_nearest_name(wish, name, count);
    if (near)
        return ts_fail(error, TS_BAD_INPUT, "%s has no shape '%s'; did you mean '%s'?", path, wish, near);
    return ts_fail(error, TS_BAD_INPUT, "%s has no shape '%s'%s%s%s; give the name of one", path, wish,
                   count ? "; it has '" : "", count ? name[0] : "",
                   count > 1 ? "' and others"
                   : count   ? "'"
                             : "");
}

static ts_status add_shapes(const ts_subject_wish *given, const ts_scene *scene, ts_subjects *list, ts_error *error)
{
    for (size_t i = 0; i < scene->shape.count; i++) {
        const ts_scene_shape *shape = &scene->shape.item[i];
        if (!is_meant(shape->name, given->shape))
            continue;
        ts_subject one = {.unit = "m"};
        snprintf(one.name, sizeof one.name, "%.150s", shape->name ? shape->name : "shape");
        snprintf(one.part, sizeof one.part, "%.60s", one.name);
        TS_TRY(ts_outline_of_shape(shape->outline, shape->disc, shape->disc_count, &one.outline, error));
        TS_TRY(add_subject(list, one, error));
    }
    return TS_OK;
}

/* The scene is read, not compiled: a file of shapes needs no bodies. */
static ts_status read_shapes(const ts_subject_wish *given, const char *path, ts_subjects *list, ts_error *error)
{
    ts_scene *scene = NULL;
    ts_load_options how = {.search_path = given->search_path.item, .search_path_count = given->search_path.count};
    TS_TRY(ts_scene_load(path, &how, &scene, error));
    if (!scene->in->outlines) {
        ts_scene_free(scene);
        return ts_fail(error, TS_BAD_INPUT,
                       "%s is a scene of space, whose shapes are solids, not outlines; `touchstone check --json -` "
                       "tells their volume and inertia, `touchstone render` draws them",
                       path);
    }
    ts_status status = add_shapes(given, scene, list, error);
    if (status == TS_OK && list->count == 0)
        status = given->shape ? fail_unknown_shape(scene, path, given->shape, error)
                              : ts_fail(error, TS_BAD_INPUT, "%s has no shapes; add some", path);
    ts_scene_free(scene);
    return status;
}

/* An option of another kind of file is a slip. */
static ts_status refuse(const char *name, const char *value, const char *kind, ts_error *error)
{
    return value ? ts_fail(error, TS_BAD_INPUT, "--%s has no meaning for a %s; leave it out", name, kind) : TS_OK;
}

static ts_status read_grain(const ts_subject_wish *given, const char *name, ts_subjects *list, ts_error *error)
{
    ts_subject one;
    TS_TRY(refuse("text", given->text, "grain of the library", error));
    TS_TRY(refuse("id", given->id, "grain of the library", error));
    TS_TRY(refuse("shape", given->shape, "grain of the library", error));
    TS_TRY(find_grain(name, &one, error));
    return add_subject(list, one, error);
}

ts_status ts_subjects_read(const ts_subject_wish *given, const char *path, ts_subjects *list, ts_error *error)
{
    if (is_word(path))
        return read_grain(given, path, list, error);
    if (!ts_file_exists(path))
        return ts_fail(error, TS_BAD_INPUT, "there is no file '%s'; give a drawing, a font or a scene", path);
    if (ts_is_folder(path))
        return ts_fail(error, TS_BAD_INPUT, "'%s' is a folder; give a drawing, a font or a scene in it", path);
    if (ts_path_ends_in(path, ".tsmap"))
        return ts_fail(error, TS_BAD_INPUT,
                       "'%s' is a contact map, not a shape; give it alone, to `touchstone map` info, query, compare or "
                       "plot",
                       path);
    if (ts_path_ends_in(path, ".svg")) {
        TS_TRY(refuse("text", given->text, "drawing", error));
        TS_TRY(refuse("shape", given->shape, "drawing", error));
        return read_drawing(given, path, list, error);
    }
    if (ts_path_ends_in(path, ".json")) {
        TS_TRY(refuse("text", given->text, "scene", error));
        TS_TRY(refuse("id", given->id, "scene", error));
        return read_shapes(given, path, list, error);
    }
    if (is_font(path)) {
        TS_TRY(refuse("id", given->id, "font", error));
        TS_TRY(refuse("shape", given->shape, "font", error));
        return read_letters(given, path, list, error);
    }
    return ts_fail(
        error, TS_BAD_INPUT,
        "'%s' ends in no name that is known; give a drawing (.svg), a font (.ttf, .otf, …) or a scene (.json)", path);
}

/* ---- One outline ---- */

enum { path_size = 4096 };

/* The only one of a file, or what `name` means in it. */
static ts_status read_one(const char *path, const char *name, ts_subject *subject, ts_error *error)
{
    ts_subject_wish wish = {0};
    if (ts_path_ends_in(path, ".svg"))
        wish.id = name;
    else if (ts_path_ends_in(path, ".json"))
        wish.shape = name;
    else if (is_font(path)) {
        if (!name || ts_utf8_length(name) != strlen(name))
            return ts_fail(error, TS_BAD_INPUT, "%s is a font; say which letter is meant, as in %s:G", path, path);
        wish.text = name;
    }
    ts_subjects list = {0};
    ts_status status = ts_subjects_read(&wish, path, &list, error);
    if (status == TS_OK && list.count > 1)
        status = ts_fail(error, TS_BAD_INPUT, "%s%s%s is %zu shapes; say which is meant, as in %s:%s", path,
                         name ? ":" : "", name ? name : "", list.count, path, list.item[0].name);
    if (status == TS_OK) {
        *subject = list.item[0];
        list.item[0].outline = NULL;
    }
    ts_subjects_free(&list);
    return status;
}

ts_status ts_subject_find(const char *text, ts_subject *subject, ts_error *error)
{
    char path[path_size];
    const char *colon = strrchr(text, ':');
    if (ts_file_exists(text) && !is_word(text))
        return read_one(text, NULL, subject, error);
    if (colon && colon > text && (size_t)(colon - text) < sizeof path) {
        snprintf(path, sizeof path, "%.*s", (int)(colon - text), text);
        if (!colon[1])
            return ts_fail(error, TS_BAD_INPUT, "'%s' ends where a name should stand; write it after the colon", text);
        return read_one(path, colon + 1, subject, error);
    }
    if (!is_word(text))
        return ts_fail(error, TS_BAD_INPUT, "there is no file '%s'; give a drawing, a font or a scene", text);
    return find_grain(text, subject, error);
}

const char *ts_symmetry_name(const ts_symmetry *s, char *text, size_t capacity)
{
    if (s->rotations == 0)
        snprintf(text, capacity, "O(2), as a circle");
    else
        snprintf(text, capacity, "%c%d", s->mirror ? 'D' : 'C', s->rotations);
    return text;
}
