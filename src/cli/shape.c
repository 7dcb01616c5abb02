/* SPDX-License-Identifier: MIT */
/* touchstone shape: all that can be known of an outline, in words and in a picture. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/cli.h"
#include "cli/format.h"
#include "cli/places.h"
#include "record/draw_shape.h"
#include "scene/scene.h"
#include "study/output.h"

typedef struct options {
    const char *id, *text, *shape, *png, *json;
    ts_texts search_path;
    double tolerance, symmetry_tolerance;
    uint64_t width, threads;
    bool no_picture, quiet;
} options;

static const options defaults = {.tolerance = 1e-4, .symmetry_tolerance = 1e-6, .width = 1500};

static const ts_option option[] = {
    TS_TEXT("id", 0, "ID", id, "of a drawing: only the element with this id"),
    TS_TEXT("text", 0, "TEXT", text, "of a font: the letters to look at, each once"),
    TS_TEXT("shape", 0, "NAME", shape, "of a scene: only this shape (default: all of them)"),
    TS_NUMBER("tolerance", 0, "SHARE", tolerance,
              "curves of drawings and fonts become arcs that stay this near, as a share of the extent (default 1e-4)"),
    TS_NUMBER("symmetry", 0, "SHARE", symmetry_tolerance,
              "how far a boundary may miss its mirror image, as a share of the radius (default 1e-6)"),
    TS_TEXT("png", 0, "FILE", png,
            "write the picture here (default: out/NAME.png, with the id, letter or shape in the name); of several "
            "outlines, a "
            "number is added to the name"),
    TS_FLAG("no-picture", 0, no_picture, "draw nothing"),
    TS_COUNT("width", 'w', "PIXELS", 300, 8192, width, "of the picture (default 1500)"),
    TS_JSON_OPTION(json, "write all of it as JSON, contours included"),
    TS_TEXTS("search-path", 0, "DIR", search_path, "files that a scene names may lie here, too; may be repeated"),
    TS_THREADS_OPTION(threads),
    TS_QUIET_OPTION(quiet, "print nothing"),
};

/* An outline with its name, and what its lengths are in. */
typedef struct subject {
    char name[160];
    char part[64];    /* what distinguishes it in the file: an id, a letter, a shape; may be empty */
    const char *unit; /* "m", "em", or "unit": a drawing's own */
    double unit_size; /* of a drawing's unit [m]; 0: unknown */
    ts_outline *outline;
    ts_symmetry exact, loose; /* at the tolerance asked for, and at a hundredth of the radius */
} subject;

typedef TS_ARRAY(subject) subject_list;

static void free_subjects(subject_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        ts_outline_free(list->item[i].outline);
    ts_array_free(list);
}

/* Takes the outline over, also on failure. */
static ts_status add_subject(subject_list *list, subject one, ts_error *error)
{
    ts_status status = ts_array_push(list, one, error);
    if (status != TS_OK)
        ts_outline_free(one.outline);
    return status;
}

/* ---- Where outlines come from ---- */

static bool ends_in(const char *path, const char *end)
{
    size_t length = strlen(path), tail = strlen(end);
    return length > tail && strcasecmp(path + length - tail, end) == 0;
}

static bool is_font(const char *path)
{
    static const char *const end[] = {".ttf", ".otf", ".ttc", ".otc", ".pfb", ".pfa", ".woff", ".cff"};
    for (size_t i = 0; i < sizeof end / sizeof *end; i++)
        if (ends_in(path, end[i]))
            return true;
    return false;
}

static ts_status read_drawing(const options *given, const char *path, subject_list *list, ts_error *error)
{
    subject one = {.unit = "unit"};
    ts_outline_options wish = {.tolerance = given->tolerance, .id = given->id};
    TS_TRY(ts_outline_read_svg(path, &wish, &one.outline, &one.unit_size, error));
    snprintf(one.part, sizeof one.part, "%.60s", given->id ? given->id : "");
    snprintf(one.name, sizeof one.name, "%.100s%s%.40s", ts_path_name(path), given->id ? "#" : "",
             given->id ? given->id : "");
    return add_subject(list, one, error);
}

static ts_status read_letter(const options *given, const char *path, const char *letter, size_t bytes,
                             subject_list *list, ts_error *error)
{
    subject one = {.unit = "em"};
    ts_outline_options wish = {.tolerance = given->tolerance};
    size_t length;
    TS_TRY(ts_outline_read_glyph(path, ts_utf8_decode(letter, &length), &wish, &one.outline, NULL, error));
    snprintf(one.part, sizeof one.part, "%.*s", (int)bytes, letter);
    snprintf(one.name, sizeof one.name, "%.100s '%.*s'", ts_path_name(path), (int)bytes, letter);
    return add_subject(list, one, error);
}

static ts_status read_letters(const options *given, const char *path, subject_list *list, ts_error *error)
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

/* A shape of a scene as an outline: its own, or the union of its discs. */
static ts_status outline_of(const ts_scene_shape *shape, ts_outline **outline, ts_error *error)
{
    if (shape->outline)
        return ts_outline_place(shape->outline, 1, 0, (const double[2]){0, 0}, outline, error);
    ts_vertex *vertex = ts_alloc(2 * shape->disc_count, sizeof *vertex);
    ts_contour *circle = ts_alloc(shape->disc_count, sizeof *circle);
    ts_outline *joined = NULL;
    ts_status status = vertex && circle ? TS_OK : ts_fail_memory(error, 2 * shape->disc_count * sizeof *vertex);
    for (size_t i = 0; status == TS_OK && i < shape->disc_count; i++) {
        const ts_disc *disc = &shape->disc[i];
        vertex[2 * i] = (ts_vertex){disc->x + disc->radius, disc->y, 1};
        vertex[2 * i + 1] = (ts_vertex){disc->x - disc->radius, disc->y, 1};
        circle[i] = (ts_contour){vertex + 2 * i, 2, false};
    }
    if (status == TS_OK)
        status = ts_outline_create(circle, shape->disc_count, TS_RULE_NONZERO, &joined, error);
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
    const char *name[256];
    size_t count = 0;
    for (size_t i = 0; i < scene->shape.count && count < 256; i++)
        if (scene->shape.item[i].name)
            name[count++] = scene->shape.item[i].name;
    const char *near = ts_nearest_name(wish, name, count);
    if (near)
        return ts_fail(error, TS_BAD_INPUT, "%s has no shape '%s'; did you mean '%s'?", path, wish, near);
    return ts_fail(error, TS_BAD_INPUT, "%s has no shape '%s'%s%s%s; give the name of one, or leave --shape out", path,
                   wish, count ? "; it has '" : "", count ? name[0] : "",
                   count > 1 ? "' and others"
                   : count   ? "'"
                             : "");
}

/* The scene is read, not compiled: a file of shapes needs no bodies. */
static ts_status read_shapes(const options *given, const char *path, subject_list *list, ts_error *error)
{
    ts_scene *scene = NULL;
    ts_load_options how = {.search_path = given->search_path.item, .search_path_count = given->search_path.count};
    TS_TRY(ts_scene_load(path, &how, &scene, error));
    ts_status status = TS_OK;
    for (size_t i = 0; i < scene->shape.count && status == TS_OK; i++) {
        const ts_scene_shape *shape = &scene->shape.item[i];
        if (!is_meant(shape->name, given->shape))
            continue;
        subject one = {.unit = "m"};
        snprintf(one.name, sizeof one.name, "%.150s", shape->name ? shape->name : "shape");
        snprintf(one.part, sizeof one.part, "%.60s", one.name);
        status = outline_of(shape, &one.outline, error);
        if (status == TS_OK)
            status = add_subject(list, one, error);
    }
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

static ts_status read_subjects(const options *given, const char *path, subject_list *list, ts_error *error)
{
    if (!ts_file_exists(path))
        return ts_fail(error, TS_BAD_INPUT, "there is no file '%s'; give a drawing, a font or a scene", path);
    if (ends_in(path, ".svg")) {
        TS_TRY(refuse("text", given->text, "drawing", error));
        TS_TRY(refuse("shape", given->shape, "drawing", error));
        return read_drawing(given, path, list, error);
    }
    if (ends_in(path, ".json")) {
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

/* ---- Words ---- */

static void count_edges(const ts_outline *outline, size_t *lines, size_t *arcs, size_t *holes)
{
    *lines = *arcs = *holes = 0;
    for (size_t c = 0; c < ts_outline_contour_count(outline); c++) {
        ts_contour contour = ts_outline_get_contour(outline, c);
        *holes += ts_contours_mass(&contour, 1).area < 0;
        for (size_t i = 0; i < contour.vertex_count; i++)
            *(contour.vertex[i].bulge == 0 ? lines : arcs) += 1;
    }
}

static const char *group_name(const ts_symmetry *s, char *text, size_t capacity)
{
    if (s->rotations == 0)
        snprintf(text, capacity, "O(2), as a circle");
    else
        snprintf(text, capacity, "%c%d", s->mirror ? 'D' : 'C', s->rotations);
    return text;
}

static ts_shown length_of(const subject *one, double value)
{
    if (strcmp(one->unit, "m") == 0)
        return ts_show_si(value, "m");
    ts_shown shown;
    snprintf(shown.text, sizeof shown.text, "%.6g %s%s", value, one->unit, strcmp(one->unit, "unit") == 0 ? "s" : "");
    return shown;
}

static void print_symmetry(ts_listing *listing, const subject *one)
{
    char name[48], near[48];
    group_name(&one->exact, name, sizeof name);
    group_name(&one->loose, near, sizeof near);
    ts_listing_row(listing, "  symmetry\t%s%s", name, one->exact.rotations == 1 && !one->exact.mirror ? ", none" : "");
    if (one->exact.mirror && one->exact.rotations > 0)
        ts_listing_row(listing, "\tmirror axis at %.4g°", one->exact.mirror_axis * 180 / TS_PI);
    if (strcmp(name, near) != 0)
        ts_listing_row(listing, "\tnearly %s: off by %.2g of the radius", near, one->loose.error);
}

static void print_subject(const subject *one, FILE *stream)
{
    ts_outline_mass mass = ts_outline_get_mass(one->outline);
    size_t lines, arcs, holes, contours = ts_outline_contour_count(one->outline);
    count_edges(one->outline, &lines, &arcs, &holes);
    const char *unit = one->unit;
    fprintf(stream, "%s\n", one->name);
    ts_listing listing = ts_listing_make("ll");
    ts_listing_row(&listing, holes ? "  contours\t%zu, %zu of them holes" : "  contours\t%zu", contours, holes);
    ts_listing_row(&listing, "  edges\t%zu lines, %zu arcs", lines, arcs);
    ts_listing_row(&listing, "  area\t%.9g %s²", mass.area, unit);
    double tiny = 1e-12 * mass.radius; /* what rounding leaves of a zero */
    ts_listing_row(&listing, "  centre\t(%.9g, %.9g) %s", fabs(mass.centre[0]) > tiny ? mass.centre[0] : 0,
                   fabs(mass.centre[1]) > tiny ? mass.centre[1] : 0, unit);
    ts_listing_row(&listing, "  inertia\t%.9g %s⁴, polar, about the centre", mass.inertia, unit);
    ts_listing_row(&listing, "  radius\t%s, of the circle about the centre", length_of(one, mass.radius).text);
    if (one->unit_size > 0)
        ts_listing_row(&listing, "  unit\t%s", ts_show_si(one->unit_size, "m").text);
    print_symmetry(&listing, one);
    size_t notes = ts_outline_note_count(one->outline);
    for (size_t i = 0; i < notes; i++)
        ts_listing_row(&listing, "%s\t%s", i == 0 ? "  repairs" : "", ts_outline_get_note(one->outline, i));
    if (notes > 0 && strcmp(unit, "unit") == 0)
        ts_listing_row(&listing, "\t(places of repairs are in the drawing's own coordinates, y down)");
    if (notes == 0)
        ts_listing_row(&listing, "  repairs\tnone needed");
    ts_listing_print(&listing, stream);
}

/* ---- JSON ---- */

static void write_symmetry(ts_json *json, const char *name, const ts_symmetry *s)
{
    char group[48];
    ts_json_begin_object(json, name);
    ts_json_text(json, "group", s->rotations == 0 ? "O2" : group_name(s, group, sizeof group));
    ts_json_int(json, "rotations", s->rotations);
    ts_json_bool(json, "mirror", s->mirror);
    if (s->mirror)
        ts_json_number(json, "mirror_axis", s->mirror_axis);
    ts_json_number(json, "error", s->error);
    ts_json_end(json);
}

static void write_subject(ts_json *json, const subject *one)
{
    ts_outline_mass mass = ts_outline_get_mass(one->outline);
    ts_json_begin_object(json, NULL);
    ts_json_text(json, "name", one->name);
    ts_json_text(json, "unit", one->unit);
    if (one->unit_size > 0)
        ts_json_number(json, "unit_in_metres", one->unit_size);
    ts_json_number(json, "area", mass.area);
    ts_json_begin_array(json, "centre");
    ts_json_number(json, NULL, mass.centre[0]);
    ts_json_number(json, NULL, mass.centre[1]);
    ts_json_end(json);
    ts_json_number(json, "inertia", mass.inertia);
    ts_json_number(json, "radius", mass.radius);
    write_symmetry(json, "symmetry", &one->exact);
    write_symmetry(json, "nearly", &one->loose);
    ts_json_begin_array(json, "repairs");
    for (size_t i = 0; i < ts_outline_note_count(one->outline); i++)
        ts_json_text(json, NULL, ts_outline_get_note(one->outline, i));
    ts_json_end(json);
    ts_json_begin_array(json, "contours"); /* [[x, y, bulge], …]: as a scene's polygon has them */
    for (size_t c = 0; c < ts_outline_contour_count(one->outline); c++) {
        ts_contour contour = ts_outline_get_contour(one->outline, c);
        ts_json_begin_array(json, NULL);
        for (size_t i = 0; i < contour.vertex_count; i++) {
            ts_json_begin_array(json, NULL);
            ts_json_number(json, NULL, contour.vertex[i].x);
            ts_json_number(json, NULL, contour.vertex[i].y);
            ts_json_number(json, NULL, contour.vertex[i].bulge);
            ts_json_end(json);
        }
        ts_json_end(json);
    }
    ts_json_end(json);
    ts_json_end(json);
}

static void write_all(ts_json *json, const void *context)
{
    const subject_list *list = context;
    ts_json_begin_object(json, NULL);
    ts_json_begin_array(json, "shapes");
    for (size_t i = 0; i < list->count; i++)
        write_subject(json, &list->item[i]);
    ts_json_end(json);
    ts_json_end(json);
}

/* ---- The command ---- */

enum { path_size = 4096 };

/* Where the picture of subject i goes: as asked for, numbered when there are several; else out/FILE-PART.png. */
static ts_status picture_path(const options *given, const char *file, const subject_list *list, size_t i,
                              char path[path_size], ts_error *error)
{
    char part[72] = "";
    const char *name = ts_path_name(file), *dot = strrchr(name, '.');
    if (strlen(given->png ? given->png : name) > path_size - 100)
        return ts_fail(error, TS_BAD_INPUT, "the path of the picture is too long; shorten it");
    if (given->png) {
        size_t stem = strlen(given->png) - 4; /* it ends in .png */
        if (list->count > 1)
            snprintf(part, sizeof part, "-%zu", i + 1);
        snprintf(path, path_size, "%.*s%s.png", (int)stem, given->png, part);
        return TS_OK;
    }
    if (list->item[i].part[0])
        snprintf(part, sizeof part, "-%s", list->item[i].part);
    for (char *c = part; *c; c++) /* names of shapes may hold anything */
        *c = *c == '/' || *c == ' ' || (unsigned char)*c < 32 ? '-' : *c;
    snprintf(path, path_size, "out/%.*s%s.png", (int)(dot ? dot - name : (ptrdiff_t)strlen(name)), name, part);
    return TS_OK;
}

static ts_status draw_all(const options *given, const char *file, const subject_list *list, FILE *stream,
                          ts_error *error)
{
    char path[path_size], title[400], group[48];
    ts_pool *pool;
    TS_TRY(ts_pool_create((int)given->threads, &pool, error));
    ts_status status = given->png ? TS_OK : ts_folder_make("out", error);
    for (size_t i = 0; i < list->count && status == TS_OK; i++) {
        const subject *one = &list->item[i];
        snprintf(title, sizeof title, "%s  ·  %s", one->name, group_name(&one->exact, group, sizeof group));
        ts_shape_picture about = {.title = title,
                                  .unit = strcmp(one->unit, "unit") == 0 ? "units" : one->unit,
                                  .width = (int)given->width,
                                  .pool = pool};
        status = picture_path(given, file, list, i, path, error);
        if (status == TS_OK)
            status = ts_draw_shape(path, one->outline, &about, error);
        if (status == TS_OK && !given->quiet)
            fprintf(stream, "picture: %s\n", path);
    }
    ts_pool_free(pool);
    return status;
}

static ts_status show(const options *given, const char *file, subject_list *list, ts_error *error)
{
    if (given->png && !ends_in(given->png, ".png"))
        return ts_fail(error, TS_BAD_INPUT, "--png '%s' does not end in .png; pictures are PNG files", given->png);
    TS_TRY(ts_cli_check_file("png", given->png, NULL, error));
    TS_TRY(ts_cli_check_file("json", given->json, NULL, error));
    TS_TRY(read_subjects(given, file, list, error));
    FILE *stream = ts_output_stream(given->json);
    for (size_t i = 0; i < list->count; i++) {
        subject *one = &list->item[i];
        double loose = fmax(given->symmetry_tolerance, 0.01);
        TS_TRY(ts_outline_symmetry(one->outline, given->symmetry_tolerance, &one->exact, error));
        TS_TRY(ts_outline_symmetry(one->outline, loose, &one->loose, error));
        if (!given->quiet)
            print_subject(one, stream);
    }
    TS_TRY(ts_output_json(given->json, write_all, list, error));
    return given->no_picture ? TS_OK : draw_all(given, file, list, stream, error);
}

static ts_exit run(const void *values, const ts_operands *operands)
{
    const options *given = values;
    ts_error error;
    bool sane = given->tolerance > 0 && given->tolerance <= 0.1 && given->symmetry_tolerance > 0 &&
                given->symmetry_tolerance < 1;
    if (operands->count == 0) {
        ts_fail(&error, TS_BAD_INPUT, "which shape? Give a drawing (.svg), a font (.ttf, .otf, …) or a scene (.json)");
        return ts_cli_misuse(&ts_command_shape, &error);
    }
    if (!sane) {
        ts_fail(&error, TS_BAD_INPUT, "--tolerance is a share of the extent, up to 0.1, and --symmetry one below 1");
        return ts_cli_misuse(&ts_command_shape, &error);
    }
    subject_list list = {0};
    ts_status status = show(given, operands->item[0], &list, &error);
    free_subjects(&list);
    return status == TS_OK ? TS_EXIT_OK : ts_cli_fail(&error);
}

const ts_command ts_command_shape = {
    .name = "shape",
    .usage = "FILE [OPTIONS]",
    .summary = "look at an outline: area, inertia, symmetry, distance, repairs",
    .text =
        "Reads a drawing (.svg), letters of a font (--text) or the shapes of a scene (.json), prints area, centre, "
        "inertia, radius, symmetry and the repairs that were made, and draws the outline, its distance field and its "
        "medial axis. Lengths are in the file's own unit: of a drawing one user unit, of a font the em, of a scene "
        "metres.",
    .example = "touchstone shape scenes/drawings/parts.svg --id gear\n"
               "touchstone shape scenes/fonts/DejaVuSans-Bold-ASCII.ttf --text G\n"
               "touchstone shape scenes/outlines.json --json -",
    .table = {option, sizeof option / sizeof option[0]},
    .defaults = &defaults,
    .size = sizeof defaults,
    .operand_most = 1,
    .run = run,
};
