/* SPDX-License-Identifier: MIT */
#include "record/export_csv.h"

#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "record/export_csv_table.h"

/* ---- Cells ---- */

/* Shortest of %.6g … %.9g that reads back as the same float. The caller has set the C locale. */
static void put_float(FILE *stream, float value)
{
    char text[32];
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value)
            break;
    }
    fputs(text, stream);
}

static void put_text(FILE *stream, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stream);
        return;
    }
    putc('"', stream);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', stream);
        putc(*text, stream);
    }
    putc('"', stream);
}

static void put_cell(FILE *stream, ts_csv_cell value)
{
    char text[TS_DOUBLE_TEXT_SIZE];
    switch (value.kind) {
    case TS_CSV_INT:
        fprintf(stream, "%" PRId64, value.i);
        break;
    case TS_CSV_UINT:
        fprintf(stream, "%" PRIu64, value.u);
        break;
    case TS_CSV_FLOAT:
        put_float(stream, value.f);
        break;
    case TS_CSV_TEXT:
        put_text(stream, value.text);
        break;
    case TS_CSV_DOUBLE:
        ts_format_double(value.d, text);
        fputs(text, stream);
        break;
    }
}

/* ---- Columns ---- */

#define BODY     (r->frame->body[r->item])
#define MADE     (r->header->body[r->item])
#define BOUNDARY (r->frame->boundary[r->item])
#define BUILT    (r->header->boundary[r->item])
#define CONTACT  (r->frame->contact[r->item])

TS_CSV_COLUMN(body_x, ts_csv_double(BODY.x))
TS_CSV_COLUMN(body_y, ts_csv_double(BODY.y))
TS_CSV_COLUMN(body_angle, ts_csv_double(BODY.angle))
TS_CSV_COLUMN(body_vx, ts_csv_float(BODY.vx))
TS_CSV_COLUMN(body_vy, ts_csv_float(BODY.vy))
TS_CSV_COLUMN(body_spin, ts_csv_float(BODY.spin))
TS_CSV_COLUMN(body_present, ts_csv_int(BODY.present))
TS_CSV_COLUMN(body_shape, ts_csv_int(MADE.shape))
TS_CSV_COLUMN(body_shape_name, ts_csv_text(r->header->shape[MADE.shape].name))
TS_CSV_COLUMN(body_material, ts_csv_int(MADE.material))
TS_CSV_COLUMN(body_material_name, ts_csv_text(r->header->material_name[MADE.material]))
TS_CSV_COLUMN(body_scale, ts_csv_double(MADE.scale))
TS_CSV_COLUMN(body_radius, ts_csv_double(MADE.radius))
TS_CSV_COLUMN(body_mass, ts_csv_double(MADE.mass))
TS_CSV_COLUMN(body_fixed, ts_csv_int(MADE.fixed))

TS_CSV_COLUMN(boundary_name, ts_csv_text(BUILT.name))
TS_CSV_COLUMN(boundary_kind, ts_csv_text(BUILT.kind == TS_BOUNDARY_CIRCLE     ? "circle"
                                         : BUILT.kind == TS_BOUNDARY_POLYLINE ? "polyline"
                                         : BUILT.kind == TS_BOUNDARY_OUTLINE  ? "outline"
                                                                              : "half-plane"))
TS_CSV_COLUMN(boundary_x, ts_csv_double(BOUNDARY.x))
TS_CSV_COLUMN(boundary_y, ts_csv_double(BOUNDARY.y))
TS_CSV_COLUMN(boundary_angle, ts_csv_double(BOUNDARY.angle))
TS_CSV_COLUMN(boundary_normal_x, ts_csv_double(cos(BOUNDARY.angle) * BUILT.nx - sin(BOUNDARY.angle) * BUILT.ny))
TS_CSV_COLUMN(boundary_normal_y, ts_csv_double(sin(BOUNDARY.angle) * BUILT.nx + cos(BOUNDARY.angle) * BUILT.ny))
TS_CSV_COLUMN(boundary_radius, ts_csv_double(BUILT.radius))
TS_CSV_COLUMN(boundary_present, ts_csv_int(BOUNDARY.present))

TS_CSV_COLUMN(contact_a, ts_csv_int(CONTACT.a))
TS_CSV_COLUMN(contact_b, ts_csv_int(CONTACT.b))
TS_CSV_COLUMN(contact_key, ts_csv_uint(CONTACT.key))
TS_CSV_COLUMN(contact_gap, ts_csv_float(CONTACT.gap))
TS_CSV_COLUMN(contact_normal_x, ts_csv_float(CONTACT.normal[0]))
TS_CSV_COLUMN(contact_normal_y, ts_csv_float(CONTACT.normal[1]))
TS_CSV_COLUMN(contact_x, ts_csv_double(CONTACT.point[0]))
TS_CSV_COLUMN(contact_y, ts_csv_double(CONTACT.point[1]))
TS_CSV_COLUMN(contact_force_x, ts_csv_float(CONTACT.force[0]))
TS_CSV_COLUMN(contact_force_y, ts_csv_float(CONTACT.force[1]))
TS_CSV_COLUMN(contact_spring, ts_csv_float(CONTACT.spring))
TS_CSV_COLUMN(contact_weight, ts_csv_float(CONTACT.weight))

static const ts_disc *disc_of(const ts_csv_row *r)
{
    return &r->header->shape[MADE.shape].disc[r->disc];
}
TS_CSV_COLUMN(disc_index, ts_csv_uint(r->disc))
TS_CSV_COLUMN(disc_x,
              ts_csv_double(BODY.x + MADE.scale * (cos(BODY.angle) * disc_of(r)->x - sin(BODY.angle) * disc_of(r)->y)))
TS_CSV_COLUMN(disc_y,
              ts_csv_double(BODY.y + MADE.scale * (sin(BODY.angle) * disc_of(r)->x + cos(BODY.angle) * disc_of(r)->y)))
TS_CSV_COLUMN(disc_radius, ts_csv_double(MADE.scale *disc_of(r)->radius))

static const ts_csv_column frame_column[] = {TS_CSV_FRAME_COLUMNS, {"contacts", ts_csv_frame_contacts}, {NULL, NULL}};
static const ts_csv_column body_column[] = {TS_CSV_FRAME_COLUMNS,
                                            {"body", ts_csv_item_index},
                                            {"x_m", body_x},
                                            {"y_m", body_y},
                                            {"angle_rad", body_angle},
                                            {"vx_m_per_s", body_vx},
                                            {"vy_m_per_s", body_vy},
                                            {"spin_rad_per_s", body_spin},
                                            {"present", body_present},
                                            {"shape", body_shape},
                                            {"shape_name", body_shape_name},
                                            {"material", body_material},
                                            {"material_name", body_material_name},
                                            {"scale", body_scale},
                                            {"radius_m", body_radius},
                                            {"mass_kg", body_mass},
                                            {"fixed", body_fixed},
                                            {NULL, NULL}};
static const ts_csv_column boundary_column[] = {TS_CSV_FRAME_COLUMNS,
                                                {"boundary", ts_csv_item_index},
                                                {"name", boundary_name},
                                                {"kind", boundary_kind},
                                                {"x_m", boundary_x},
                                                {"y_m", boundary_y},
                                                {"angle_rad", boundary_angle},
                                                {"normal_x", boundary_normal_x},
                                                {"normal_y", boundary_normal_y},
                                                {"radius_m", boundary_radius},
                                                {"present", boundary_present},
                                                {NULL, NULL}};
static const ts_csv_column contact_column[] = {TS_CSV_FRAME_COLUMNS,
                                               {"contact", ts_csv_item_index},
                                               {"a", contact_a},
                                               {"b", contact_b},
                                               {"key", contact_key},
                                               {"gap_m", contact_gap},
                                               {"normal_x", contact_normal_x},
                                               {"normal_y", contact_normal_y},
                                               {"x_m", contact_x},
                                               {"y_m", contact_y},
                                               {"force_x_N", contact_force_x},
                                               {"force_y_N", contact_force_y},
                                               {"spring_m", contact_spring},
                                               {"weight", contact_weight},
                                               {NULL, NULL}};
static const ts_csv_column disc_column[] = {
    TS_CSV_FRAME_COLUMNS, {"body", ts_csv_item_index}, {"disc", disc_index}, {"x_m", disc_x},
    {"y_m", disc_y},      {"radius_m", disc_radius},   {NULL, NULL}};

enum { COLUMNS_MAX = 64 };

/* ---- Quantities ---- */

static size_t body_items(const ts_csv_row *r)
{
    return r->header->body_count;
}
static size_t boundary_items(const ts_csv_row *r)
{
    return r->header->boundary_count;
}
static size_t shape_discs(const ts_csv_row *r)
{
    return r->header->shape[MADE.shape].disc_count;
}

static const ts_csv_quantity quantities[] = {
    {"frames", frame_column, ts_csv_one, ts_csv_one},
    {"bodies", body_column, body_items, ts_csv_one},
    {"boundaries", boundary_column, boundary_items, ts_csv_one},
    {"contacts", contact_column, ts_csv_contacts, ts_csv_one},
    {"discs", disc_column, body_items, shape_discs},
};
enum { QUANTITY_COUNT = sizeof quantities / sizeof *quantities };

/* What a run has: of the plane or of space. */
static const ts_csv_quantity *quantities_of(bool space, size_t *count)
{
    *count = space ? (size_t)TS_CSV_SPACE_QUANTITIES : (size_t)QUANTITY_COUNT;
    return space ? ts_csv_space_quantity : quantities;
}

static const ts_csv_quantity *find_quantity(const char *name, bool space)
{
    size_t count;
    const ts_csv_quantity *known = quantities_of(space, &count);
    for (size_t i = 0; i < count; i++)
        if (name && strcmp(name, known[i].name) == 0)
            return &known[i];
    return NULL;
}

const char *ts_export_quantities(bool space)
{
    return space ? "frames, bodies, walls, contacts" : "frames, bodies, boundaries, contacts, discs";
}

static size_t list_columns(const ts_csv_quantity *what, char *text, size_t capacity)
{
    size_t length = 0;
    for (const ts_csv_column *c = what->column; c->name; c++) {
        size_t room = length < capacity ? capacity - length : 0;
        length += (size_t)snprintf(room ? text + length : NULL, room, "%s%s", length ? "," : "", c->name);
    }
    return length;
}

size_t ts_export_columns(const char *quantity_name, bool space, char *text, size_t capacity)
{
    const ts_csv_quantity *what = find_quantity(quantity_name, space);
    return what ? list_columns(what, text, capacity) : 0;
}

/* ---- Choosing ---- */

typedef struct choice {
    const ts_csv_quantity *what;
    const ts_csv_column *column[COLUMNS_MAX];
    size_t count;
} choice;

static ts_status unknown_column(const ts_csv_quantity *what, const char *name, ts_error *error)
{
    const char *known[COLUMNS_MAX];
    size_t count = 0;
    char all[512];
    for (const ts_csv_column *c = what->column; c->name; c++)
        known[count++] = c->name;
    const char *meant = ts_nearest_name(name, known, count);
    list_columns(what, all, sizeof all);
    if (meant)
        return ts_fail(error, TS_BAD_INPUT, "%s have no column \"%s\"; did you mean \"%s\"?", what->name, name, meant);
    return ts_fail(error, TS_BAD_INPUT, "%s have no column \"%s\"; choose from %s", what->name, name, all);
}

static ts_status add_column(choice *chosen, const char *name, ts_error *error)
{
    if (chosen->count == COLUMNS_MAX)
        return ts_fail(error, TS_BAD_INPUT, "more than %d columns are asked for; name each once", COLUMNS_MAX);
    for (const ts_csv_column *c = chosen->what->column; c->name; c++)
        if (strcmp(c->name, name) == 0) {
            chosen->column[chosen->count++] = c;
            return TS_OK;
        }
    return unknown_column(chosen->what, name, error);
}

static ts_status unknown_quantity(const char *name, bool space, ts_error *error)
{
    const char *known[QUANTITY_COUNT];
    size_t count;
    const ts_csv_quantity *list = quantities_of(space, &count);
    for (size_t i = 0; i < count; i++)
        known[i] = list[i].name;
    const char *meant = ts_nearest_name(name, known, count);
    return ts_fail(error, TS_BAD_INPUT, "\"%s\" is not recorded; %s%s%s", name,
                   meant ? "did you mean \"" : "choose from ", meant ? meant : ts_export_quantities(space),
                   meant ? "\"?" : "");
}

static ts_status choose(const ts_export_options *options, bool space, choice *chosen, ts_error *error)
{
    chosen->count = 0;
    chosen->what = find_quantity(options->quantity, space);
    if (!chosen->what)
        return unknown_quantity(options->quantity ? options->quantity : "", space, error);
    if (!options->columns || !options->columns[0]) {
        for (const ts_csv_column *c = chosen->what->column; c->name; c++)
            chosen->column[chosen->count++] = c;
        return TS_OK;
    }
    for (const char *at = options->columns;; at++) {
        char name[64];
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : (int)sizeof name - 1, at);
        TS_TRY(add_column(chosen, name, error));
        at += length;
        if (!*at)
            return TS_OK;
    }
}

/* ---- Writing ---- */

static void put_names(const choice *chosen, FILE *stream)
{
    for (size_t k = 0; k < chosen->count; k++)
        fprintf(stream, "%s%s", k ? "," : "", chosen->column[k]->name);
    putc('\n', stream);
}

static void put_frame(const choice *chosen, ts_csv_row *r, FILE *stream)
{
    size_t items = chosen->what->item_count(r);
    for (r->item = 0; r->item < items && !ferror(stream); r->item++) {
        size_t discs = chosen->what->disc_count(r);
        for (r->disc = 0; r->disc < discs; r->disc++) {
            for (size_t k = 0; k < chosen->count; k++) {
                if (k)
                    putc(',', stream);
                put_cell(stream, chosen->column[k]->get(r));
            }
            putc('\n', stream);
        }
    }
}

static ts_status put_frames(ts_trajectory *reader, const ts_export_options *options, const choice *chosen, FILE *stream,
                            ts_export_progress *progress, void *context, ts_error *error)
{
    uint64_t count = ts_trajectory_frame_count(reader), every = options->every ? options->every : 1;
    uint64_t end = options->count && options->count < count - options->first ? options->first + options->count : count;
    uint64_t total = (end - options->first + every - 1) / every, done = 0;
    for (uint64_t index = options->first; index < end; index += every) {
        ts_frame frame;
        TS_TRY(ts_trajectory_read(reader, index, &frame, error));
        put_frame(chosen, &(ts_csv_row){.header = ts_trajectory_get_header(reader), .frame = &frame}, stream);
        if (ferror(stream))
            return ts_fail(error, TS_IO, "cannot write the table; is the disk full?");
        if (progress && !progress(context, ++done, total))
            return ts_fail(error, TS_INTERRUPTED, "the export was stopped after %" PRIu64 " of %" PRIu64 " frames",
                           done, total);
        if (end - index <= every)
            break; /* so that index cannot overflow */
    }
    return TS_OK;
}

ts_status ts_export_csv(ts_trajectory *reader, const ts_export_options *options, FILE *stream,
                        ts_export_progress *progress, void *context, ts_error *error)
{
    choice chosen;
    TS_TRY(choose(options, ts_trajectory_get_header(reader)->space != NULL, &chosen, error));
    uint64_t count = ts_trajectory_frame_count(reader);
    if (options->first > 0 && options->first >= count)
        return ts_fail(error, TS_BAD_INPUT,
                       "there is no frame %" PRIu64 "; the trajectory has %" PRIu64 ", counted from 0", options->first,
                       count);
    if (strcmp(chosen.what->name, "contacts") == 0 && !ts_trajectory_get_header(reader)->has_contacts)
        return ts_fail(error, TS_BAD_INPUT, "this run recorded no contacts; run it again with contacts switched on");

    /* numbers have a point in every locale; asking for "C" allocates nothing */
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = c ? uselocale(c) : (locale_t)0;
    put_names(&chosen, stream);
    ts_status status = put_frames(reader, options, &chosen, stream, progress, context, error);
    if (c) {
        uselocale(before);
        freelocale(c);
    }
    if (status == TS_OK && (fflush(stream) != 0 || ferror(stream)))
        return ts_fail(error, TS_IO, "cannot write the table; is the disk full?");
    return status;
}
