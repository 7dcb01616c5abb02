/* SPDX-License-Identifier: MIT */
/* touchstone shape: all that can be known of an outline, in words and in a picture. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/cli.h"
#include "cli/format.h"
#include "cli/places.h"
#include "cli/shape_fit.h"
#include "cli/subjects.h"
#include "record/draw_shape.h"
#include "shape/superquadric_fit.h"
#include "study/output.h"

typedef struct options {
    const char *id, *text, *shape, *png, *json;
    ts_texts search_path;
    double tolerance, symmetry_tolerance;
    uint64_t width, threads;
    bool no_picture, quiet;
    /* of fit */
    const char *out;
    uint64_t count, vertices, cells;
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
            "outlines, a number is added to the name"),
    TS_FLAG("no-picture", 0, no_picture, "draw nothing"),
    TS_COUNT("width", 'w', "PIXELS", 300, 8192, width, "of the picture (default 1500)"),
    TS_JSON_OPTION(json, "write all of it as JSON, contours included"),
    TS_TEXTS("search-path", 0, "DIR", search_path, "files that a scene names may lie here, too; may be repeated"),
    TS_COUNT("count", 'n', "N", 1, TS_FIT_COUNT_MAX, count,
             "of fit: superquadrics, at most (default: as few as keep the errors small, up to 32)"),
    TS_COUNT("vertices", 0, "N", 20, TS_SDF_BODY_VERTICES_MAX, vertices,
             "of fit: vertices of the contact mesh (default 300)"),
    TS_COUNT("cells", 0, "N", TS_FIT_CELLS_MIN, TS_FIT_CELLS_MAX, cells,
             "of fit: grid cells along the longest side (default: some 300,000 in all)"),
    TS_TEXT("out", 'o', "FILE", out, "of fit: write the smooth body here (default: out/NAME.smooth.json)"),
    TS_THREADS_OPTION(threads),
    TS_QUIET_OPTION(quiet, "print nothing"),
};

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

static ts_shown length_of(const ts_subject *one, double value)
{
    if (strcmp(one->unit, "m") == 0)
        return ts_show_si(value, "m");
    ts_shown shown;
    snprintf(shown.text, sizeof shown.text, "%.6g %s%s", value, one->unit, strcmp(one->unit, "unit") == 0 ? "s" : "");
    return shown;
}

static void print_symmetry(ts_listing *listing, const ts_subject *one)
{
    char name[48], near[48];
    ts_symmetry_name(&one->exact, name, sizeof name);
    ts_symmetry_name(&one->loose, near, sizeof near);
    ts_listing_row(listing, "  symmetry\t%s%s", name, one->exact.rotations == 1 && !one->exact.mirror ? ", none" : "");
    if (one->exact.mirror && one->exact.rotations > 0)
        ts_listing_row(listing, "\tmirror axis at %.4g°", one->exact.mirror_axis * 180 / TS_PI);
    if (strcmp(name, near) != 0)
        ts_listing_row(listing, "\tnearly %s: off by %.2g of the radius", near, one->loose.error);
}

static void print_subject(const ts_subject *one, FILE *stream)
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
    ts_json_text(json, "group", s->rotations == 0 ? "O2" : ts_symmetry_name(s, group, sizeof group));
    ts_json_int(json, "rotations", s->rotations);
    ts_json_bool(json, "mirror", s->mirror);
    if (s->mirror)
        ts_json_number(json, "mirror_axis", s->mirror_axis);
    ts_json_number(json, "error", s->error);
    ts_json_end(json);
}

static void write_subject(ts_json *json, const ts_subject *one)
{
    ts_outline_mass mass = ts_outline_get_mass(one->outline);
    ts_json_begin_object(json, NULL);
    ts_json_text(json, "name", one->name);
    ts_json_text(json, "unit", one->unit);
    if (one->unit_size > 0)
        ts_json_number(json, "unit_in_metres", one->unit_size);
    ts_json_number(json, "area", mass.area);
    ts_json_numbers(json, "centre", mass.centre, 2);
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
            const ts_vertex *v = &contour.vertex[i];
            ts_json_numbers(json, NULL, (const double[]){v->x, v->y, v->bulge}, 3);
        }
        ts_json_end(json);
    }
    ts_json_end(json);
    ts_json_end(json);
}

static void write_all(ts_json *json, const void *context)
{
    const ts_subjects *list = context;
    ts_json_begin_object(json, NULL);
    ts_json_begin_array(json, "shapes");
    for (size_t i = 0; i < list->count; i++)
        write_subject(json, &list->item[i]);
    ts_json_end(json);
    ts_json_end(json);
}

/* ---- The library ---- */

static void write_names(ts_json *json, const void *context)
{
    const ts_subjects *list = context;
    ts_json_begin_object(json, NULL);
    ts_json_begin_array(json, "grains");
    for (size_t i = 0; i < list->count; i++)
        ts_json_text(json, NULL, list->item[i].name);
    ts_json_end(json);
    ts_json_end(json);
}

/* A line each. */
static void print_names(const ts_subjects *list, FILE *stream)
{
    ts_listing listing = ts_listing_make("lrrrl");
    ts_listing_row(&listing, "grain\tlines\tarcs\tradius\tsymmetry");
    for (size_t i = 0; i < list->count; i++) {
        const ts_subject *one = &list->item[i];
        size_t lines, arcs, holes;
        char group[48];
        count_edges(one->outline, &lines, &arcs, &holes);
        ts_listing_row(&listing, "%s\t%zu\t%zu\t%s\t%s", one->name, lines, arcs,
                       length_of(one, ts_outline_get_mass(one->outline).radius).text,
                       ts_symmetry_name(&one->exact, group, sizeof group));
    }
    ts_listing_print(&listing, stream);
    ts_print_wrapped(stream,
                     "\nThese are the grains of the library. `touchstone shape NAME` shows one; a FILE is a drawing "
                     "(.svg), a font (.ttf, .otf, …) with --text, or a scene (.json).",
                     0, 0);
}

static ts_status list_grains(const options *given, ts_subjects *list, ts_error *error)
{
    TS_TRY(ts_cli_check_file("json", given->json, NULL, error));
    TS_TRY(ts_subjects_library(list, error));
    for (size_t i = 0; i < list->count; i++)
        TS_TRY(ts_outline_symmetry(list->item[i].outline, given->symmetry_tolerance, &list->item[i].exact, error));
    if (!given->quiet)
        print_names(list, ts_output_stream(given->json));
    return ts_output_json(given->json, write_names, list, error);
}

/* ---- The command ---- */

enum { path_size = 4096 };

/* Where the picture of subject i goes: as asked for, numbered when there are several; else out/FILE-PART.png. */
static ts_status picture_path(const options *given, const char *file, const ts_subjects *list, size_t i,
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
    if (list->item[i].part[0] && strcmp(list->item[i].part, name) != 0) /* a grain's name is all of it */
        snprintf(part, sizeof part, "-%s", list->item[i].part);
    for (char *c = part; *c; c++) /* names of shapes may hold anything */
        *c = *c == '/' || *c == ' ' || (unsigned char)*c < 32 ? '-' : *c;
    snprintf(path, path_size, "out/%.*s%s.png", (int)(dot ? dot - name : (ptrdiff_t)strlen(name)), name, part);
    return TS_OK;
}

static ts_status draw_all(const options *given, const char *file, const ts_subjects *list, FILE *stream,
                          ts_error *error)
{
    char path[path_size], title[400], group[48];
    ts_pool *pool;
    TS_TRY(ts_pool_create((int)given->threads, &pool, error));
    ts_status status = given->png ? TS_OK : ts_folder_make("out", error);
    for (size_t i = 0; i < list->count && status == TS_OK; i++) {
        const ts_subject *one = &list->item[i];
        snprintf(title, sizeof title, "%s  ·  %s", one->name, ts_symmetry_name(&one->exact, group, sizeof group));
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

static ts_status show(const options *given, const char *file, ts_subjects *list, ts_error *error)
{
    if (given->png && !ts_path_ends_in(given->png, ".png"))
        return ts_fail(error, TS_BAD_INPUT, "--png '%s' does not end in .png; pictures are PNG files", given->png);
    TS_TRY(ts_cli_check_file("png", given->png, NULL, error));
    TS_TRY(ts_cli_check_file("json", given->json, NULL, error));
    ts_subject_wish wish = {given->id, given->text, given->shape, given->search_path, given->tolerance};
    TS_TRY(ts_subjects_read(&wish, file, list, error));
    FILE *stream = ts_output_stream(given->json);
    for (size_t i = 0; i < list->count; i++) {
        ts_subject *one = &list->item[i];
        double loose = fmax(given->symmetry_tolerance, 0.01);
        TS_TRY(ts_outline_symmetry(one->outline, given->symmetry_tolerance, &one->exact, error));
        TS_TRY(ts_outline_symmetry(one->outline, loose, &one->loose, error));
        if (!given->quiet)
            print_subject(one, stream);
    }
    TS_TRY(ts_output_json(given->json, write_all, list, error));
    return given->no_picture ? TS_OK : draw_all(given, file, list, stream, error);
}

/* `touchstone shape fit MESH` */
static bool is_fit(const ts_operands *operands)
{
    return operands->count > 0 && strcmp(operands->item[0], "fit") == 0;
}

static ts_status check_fit(const options *given, const ts_operands *operands, ts_error *error)
{
    if (operands->count < 2)
        return ts_fail(error, TS_BAD_INPUT,
                       "which mesh? Give an OBJ, STL or PLY file, as in `touchstone shape fit "
                       "drill.obj`");
    if (given->id || given->text || given->shape || given->search_path.count > 0 ||
        given->tolerance != defaults.tolerance || given->symmetry_tolerance != defaults.symmetry_tolerance)
        return ts_fail(error, TS_BAD_INPUT,
                       "--id, --text, --shape, --tolerance, --symmetry and --search-path are of outlines, not of fit");
    return TS_OK;
}

static ts_status check(const void *values, const ts_operands *operands, ts_error *error)
{
    const options *given = values;
    if (is_fit(operands))
        return check_fit(given, operands, error);
    if (operands->count > 1)
        return ts_fail(error, TS_BAD_INPUT, "there is one shape too many, '%s'", operands->item[1]);
    if (given->count || given->vertices || given->cells || given->out)
        return ts_fail(error, TS_BAD_INPUT,
                       "--count, --vertices, --cells and --out are of `touchstone shape fit MESH`");
    if (given->tolerance > 0 && given->tolerance <= 0.1 && given->symmetry_tolerance > 0 &&
        given->symmetry_tolerance < 1)
        return TS_OK;
    return ts_fail(error, TS_BAD_INPUT, "--tolerance is a share of the extent, up to 0.1, and --symmetry one below 1");
}

static ts_status fit(const options *given, const char *mesh, ts_error *error)
{
    const ts_shape_fit_wish wish = {.count = given->count,
                                    .vertices = given->vertices,
                                    .cells = given->cells,
                                    .width = given->width,
                                    .threads = given->threads,
                                    .out = given->out,
                                    .png = given->png,
                                    .json = given->json,
                                    .no_picture = given->no_picture,
                                    .quiet = given->quiet};
    return ts_shape_fit(&wish, mesh, error);
}

static ts_exit run(const void *values, const ts_operands *operands)
{
    ts_error error;
    ts_subjects list = {0};
    const char *file = operands->count > 0 ? operands->item[0] : NULL;
    const ts_status status = is_fit(operands) ? fit(values, operands->item[1], &error)
                             : file           ? show(values, file, &list, &error)
                                              : list_grains(values, &list, &error);
    ts_subjects_free(&list);
    return status == TS_OK ? TS_EXIT_OK : ts_cli_fail(&error);
}

const ts_command ts_command_shape = {
    .name = "shape",
    .usage = "NAME | FILE [OPTIONS]\nfit MESH [OPTIONS]\n",
    .summary = "look at an outline: area, inertia, symmetry; fit a smooth body to a mesh",
    .text =
        "Reads a drawing (.svg), letters of a font (--text), the shapes of a scene (.json) or a grain of the library, "
        "prints area, centre, inertia, radius, symmetry and the repairs that were made, and draws the outline, its "
        "distance field and its medial axis. Lengths are in the file's own unit: of a drawing one user unit, of a font "
        "the em, of a scene metres. NAME is a grain of the library; without any, they are listed.\n\n"
        "`shape fit MESH` fits superquadrics to a mesh (OBJ, STL, PLY), which may have holes, crossings and triangles "
        "turned the wrong way round: inside is where the surface goes round a point more often than not. It prints how "
        "far both surfaces are apart, writes the smooth body for scenes (shape \"smooth\", key file) and `touchstone "
        "manifold`, and draws mesh, superquadrics and contact mesh.",
    .example = "touchstone shape scenes/drawings/parts.svg --id gear\n"
               "touchstone shape scenes/fonts/DejaVuSans-Bold-ASCII.ttf --text G\n"
               "touchstone shape scenes/outlines.json --json -\n"
               "touchstone shape hash\n"
               "touchstone shape fit drill.obj --count 17 -o drill.smooth.json\n"
               "touchstone shape",
    TS_OPTIONS(option, defaults),
    .operand_most = 2,
    .check = check,
    .run = run,
};
