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

/* ---- Cells ---- */

/* Where the export stands: what a column looks at. */
typedef struct row {
    const ts_trajectory_header *header;
    const ts_frame *frame;
    size_t item; /* body, boundary or contact */
    size_t disc; /* of the body's shape */
} row;

typedef enum cell_kind { CELL_INT, CELL_UINT, CELL_DOUBLE, CELL_FLOAT, CELL_TEXT } cell_kind;

typedef struct cell {
    cell_kind kind;
    union {
        int64_t i;
        uint64_t u;
        double d;
        float f;
        const char *text;
    };
} cell;

static cell of_int(int64_t value)
{
    return (cell){.kind = CELL_INT, .i = value};
}
static cell of_uint(uint64_t value)
{
    return (cell){.kind = CELL_UINT, .u = value};
}
static cell of_double(double value)
{
    return (cell){.kind = CELL_DOUBLE, .d = value};
}
static cell of_float(float value)
{
    return (cell){.kind = CELL_FLOAT, .f = value};
}
static cell of_text(const char *value)
{
    return (cell){.kind = CELL_TEXT, .text = value};
}

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

static void put_cell(FILE *stream, cell value)
{
    char text[TS_DOUBLE_TEXT_SIZE];
    switch (value.kind) {
    case CELL_INT:
        fprintf(stream, "%" PRId64, value.i);
        break;
    case CELL_UINT:
        fprintf(stream, "%" PRIu64, value.u);
        break;
    case CELL_FLOAT:
        put_float(stream, value.f);
        break;
    case CELL_TEXT:
        put_text(stream, value.text);
        break;
    case CELL_DOUBLE:
        ts_format_double(value.d, text);
        fputs(text, stream);
        break;
    }
}

/* ---- Columns ---- */

typedef struct column {
    const char *name;
    cell (*get)(const row *r);
} column;

#define COLUMN(function, expression)   \
    static cell function(const row *r) \
    {                                  \
        return expression;             \
    }
#define BODY     (r->frame->body[r->item])
#define MADE     (r->header->body[r->item])
#define BOUNDARY (r->frame->boundary[r->item])
#define BUILT    (r->header->boundary[r->item])
#define CONTACT  (r->frame->contact[r->item])

COLUMN(frame_index, of_uint(r->frame->index))
COLUMN(frame_step, of_uint(r->frame->step))
COLUMN(frame_time, of_double(r->frame->time))
COLUMN(frame_contacts, of_uint(r->frame->contact_count))
COLUMN(item_index, of_uint(r->item))

COLUMN(body_x, of_double(BODY.x))
COLUMN(body_y, of_double(BODY.y))
COLUMN(body_angle, of_double(BODY.angle))
COLUMN(body_vx, of_float(BODY.vx))
COLUMN(body_vy, of_float(BODY.vy))
COLUMN(body_spin, of_float(BODY.spin))
COLUMN(body_present, of_int(BODY.present))
COLUMN(body_shape, of_int(MADE.shape))
COLUMN(body_shape_name, of_text(r->header->shape[MADE.shape].name))
COLUMN(body_material, of_int(MADE.material))
COLUMN(body_material_name, of_text(r->header->material_name[MADE.material]))
COLUMN(body_scale, of_double(MADE.scale))
COLUMN(body_radius, of_double(MADE.radius))
COLUMN(body_mass, of_double(MADE.mass))
COLUMN(body_fixed, of_int(MADE.fixed))

COLUMN(boundary_name, of_text(BUILT.name))
COLUMN(boundary_kind, of_text(BUILT.kind == TS_BOUNDARY_CIRCLE     ? "circle"
                              : BUILT.kind == TS_BOUNDARY_POLYLINE ? "polyline"
                              : BUILT.kind == TS_BOUNDARY_OUTLINE  ? "outline"
                                                                   : "half-plane"))
COLUMN(boundary_x, of_double(BOUNDARY.x))
COLUMN(boundary_y, of_double(BOUNDARY.y))
COLUMN(boundary_angle, of_double(BOUNDARY.angle))
COLUMN(boundary_normal_x, of_double(cos(BOUNDARY.angle) * BUILT.nx - sin(BOUNDARY.angle) * BUILT.ny))
COLUMN(boundary_normal_y, of_double(sin(BOUNDARY.angle) * BUILT.nx + cos(BOUNDARY.angle) * BUILT.ny))
COLUMN(boundary_radius, of_double(BUILT.radius))
COLUMN(boundary_present, of_int(BOUNDARY.present))

COLUMN(contact_a, of_int(CONTACT.a))
COLUMN(contact_b, of_int(CONTACT.b))
COLUMN(contact_key, of_uint(CONTACT.key))
COLUMN(contact_gap, of_float(CONTACT.gap))
COLUMN(contact_normal_x, of_float(CONTACT.normal[0]))
COLUMN(contact_normal_y, of_float(CONTACT.normal[1]))
COLUMN(contact_x, of_double(CONTACT.point[0]))
COLUMN(contact_y, of_double(CONTACT.point[1]))
COLUMN(contact_force_x, of_float(CONTACT.force[0]))
COLUMN(contact_force_y, of_float(CONTACT.force[1]))
COLUMN(contact_spring, of_float(CONTACT.spring))
COLUMN(contact_weight, of_float(CONTACT.weight))

static const ts_disc *disc_of(const row *r)
{
    return &r->header->shape[MADE.shape].disc[r->disc];
}
COLUMN(disc_index, of_uint(r->disc))
COLUMN(disc_x, of_double(BODY.x + MADE.scale * (cos(BODY.angle) * disc_of(r)->x - sin(BODY.angle) * disc_of(r)->y)))
COLUMN(disc_y, of_double(BODY.y + MADE.scale * (sin(BODY.angle) * disc_of(r)->x + cos(BODY.angle) * disc_of(r)->y)))
COLUMN(disc_radius, of_double(MADE.scale *disc_of(r)->radius))

#define FRAME_COLUMNS                             \
    {"frame", frame_index}, {"step", frame_step}, \
    {                                             \
        "time_s", frame_time                      \
    }

static const column frame_column[] = {FRAME_COLUMNS, {"contacts", frame_contacts}, {NULL, NULL}};
static const column body_column[] = {FRAME_COLUMNS,
                                     {"body", item_index},
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
static const column boundary_column[] = {FRAME_COLUMNS,
                                         {"boundary", item_index},
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
static const column contact_column[] = {FRAME_COLUMNS,
                                        {"contact", item_index},
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
static const column disc_column[] = {FRAME_COLUMNS,   {"body", item_index},      {"disc", disc_index}, {"x_m", disc_x},
                                     {"y_m", disc_y}, {"radius_m", disc_radius}, {NULL, NULL}};

enum { COLUMNS_MAX = 64 };

/* ---- Quantities ---- */

static size_t one_item(const row *r)
{
    (void)r;
    return 1;
}
static size_t body_items(const row *r)
{
    return r->header->body_count;
}
static size_t boundary_items(const row *r)
{
    return r->header->boundary_count;
}
static size_t contact_items(const row *r)
{
    return r->frame->contact_count;
}
static size_t one_disc(const row *r)
{
    (void)r;
    return 1;
}
static size_t shape_discs(const row *r)
{
    return r->header->shape[MADE.shape].disc_count;
}

typedef struct quantity {
    const char *name;
    const column *column;               /* ends with a NULL name */
    size_t (*item_count)(const row *r); /* rows of a frame … */
    size_t (*disc_count)(const row *r); /* … times rows of an item */
} quantity;

static const quantity quantities[] = {
    {"frames", frame_column, one_item, one_disc},
    {"bodies", body_column, body_items, one_disc},
    {"boundaries", boundary_column, boundary_items, one_disc},
    {"contacts", contact_column, contact_items, one_disc},
    {"discs", disc_column, body_items, shape_discs},
};
enum { QUANTITY_COUNT = sizeof quantities / sizeof *quantities };

static const quantity *find_quantity(const char *name)
{
    for (int i = 0; i < QUANTITY_COUNT; i++)
        if (name && strcmp(name, quantities[i].name) == 0)
            return &quantities[i];
    return NULL;
}

const char *ts_export_quantities(void)
{
    return "frames, bodies, boundaries, contacts, discs";
}

static size_t list_columns(const quantity *what, char *text, size_t capacity)
{
    size_t length = 0;
    for (const column *c = what->column; c->name; c++) {
        size_t room = length < capacity ? capacity - length : 0;
        length += (size_t)snprintf(room ? text + length : NULL, room, "%s%s", length ? "," : "", c->name);
    }
    return length;
}

size_t ts_export_columns(const char *quantity_name, char *text, size_t capacity)
{
    const quantity *what = find_quantity(quantity_name);
    return what ? list_columns(what, text, capacity) : 0;
}

/* ---- Choosing ---- */

typedef struct choice {
    const quantity *what;
    const column *column[COLUMNS_MAX];
    size_t count;
} choice;

static ts_status unknown_column(const quantity *what, const char *name, ts_error *error)
{
    const char *known[COLUMNS_MAX];
    size_t count = 0;
    char all[512];
    for (const column *c = what->column; c->name; c++)
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
    for (const column *c = chosen->what->column; c->name; c++)
        if (strcmp(c->name, name) == 0) {
            chosen->column[chosen->count++] = c;
            return TS_OK;
        }
    return unknown_column(chosen->what, name, error);
}

static ts_status choose(const ts_export_options *options, choice *chosen, ts_error *error)
{
    chosen->count = 0;
    chosen->what = find_quantity(options->quantity);
    if (!chosen->what) {
        const char *known[QUANTITY_COUNT], *name = options->quantity ? options->quantity : "";
        for (int i = 0; i < QUANTITY_COUNT; i++)
            known[i] = quantities[i].name;
        const char *meant = ts_nearest_name(name, known, QUANTITY_COUNT);
        return ts_fail(error, TS_BAD_INPUT, "\"%s\" is not recorded; %s%s%s", name,
                       meant ? "did you mean \"" : "choose from ", meant ? meant : ts_export_quantities(),
                       meant ? "\"?" : "");
    }
    if (!options->columns || !options->columns[0]) {
        for (const column *c = chosen->what->column; c->name; c++)
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

static void put_frame(const choice *chosen, row *r, FILE *stream)
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
        put_frame(chosen, &(row){.header = ts_trajectory_get_header(reader), .frame = &frame}, stream);
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
    TS_TRY(choose(options, &chosen, error));
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
