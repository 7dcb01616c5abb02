/* SPDX-License-Identifier: MIT */
#include "record/export_csv.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/* ---- Cells ---- */

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

/* Where the export stands: what a column looks at. */
typedef struct row {
    const ts_trajectory_header *header;
    const ts_frame *frame;
    size_t item; /* body, wall or contact */
    size_t disc; /* of the body's shape */
} row;

/* What a column is of. */
enum { PLANE = TS_IN_PLANE, SPACE = TS_IN_SPACE, BOTH = PLANE | SPACE };

typedef struct column {
    const char *name;
    cell (*get)(const row *r);
    unsigned in; /* PLANE, SPACE or BOTH */
} column;

#define BODY    (r->frame->body[r->item])
#define MADE    (r->header->body[r->item])
#define WALL    (r->frame->wall[r->item])
#define BUILT   (r->header->wall[r->item])
#define CONTACT (r->frame->contact[r->item])

/* NOLINTBEGIN(bugprone-macro-parentheses): names of members */
#define COLUMN(function, what, member, value)                \
    static cell function(const row *r)                       \
    {                                                        \
        return (cell){.kind = CELL_##what, .member = value}; \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
#define INT_COLUMN(function, value)    COLUMN(function, INT, i, value)
#define UINT_COLUMN(function, value)   COLUMN(function, UINT, u, value)
#define DOUBLE_COLUMN(function, value) COLUMN(function, DOUBLE, d, value)
#define FLOAT_COLUMN(function, value)  COLUMN(function, FLOAT, f, value)
#define TEXT_COLUMN(function, value)   COLUMN(function, TEXT, text, value)

UINT_COLUMN(frame_index, r->frame->index)
UINT_COLUMN(frame_step, r->frame->step)
DOUBLE_COLUMN(frame_time, r->frame->time)
UINT_COLUMN(frame_contacts, r->frame->contact_count)
UINT_COLUMN(item_index, r->item)

DOUBLE_COLUMN(body_x, BODY.pose.position.x)
DOUBLE_COLUMN(body_y, BODY.pose.position.y)
DOUBLE_COLUMN(body_z, BODY.pose.position.z)
DOUBLE_COLUMN(body_angle, BODY.angle)
DOUBLE_COLUMN(body_qw, BODY.pose.quat.w)
DOUBLE_COLUMN(body_qx, BODY.pose.quat.x)
DOUBLE_COLUMN(body_qy, BODY.pose.quat.y)
DOUBLE_COLUMN(body_qz, BODY.pose.quat.z)
FLOAT_COLUMN(body_vx, BODY.velocity[0])
FLOAT_COLUMN(body_vy, BODY.velocity[1])
FLOAT_COLUMN(body_vz, BODY.velocity[2])
FLOAT_COLUMN(body_spin_x, BODY.spin[0])
FLOAT_COLUMN(body_spin_y, BODY.spin[1])
FLOAT_COLUMN(body_spin_z, BODY.spin[2])
INT_COLUMN(body_present, BODY.present)
INT_COLUMN(body_shape, MADE.shape)
TEXT_COLUMN(body_shape_name, r->header->shape[MADE.shape].name)
INT_COLUMN(body_material, MADE.material)
TEXT_COLUMN(body_material_name, r->header->material_name[MADE.material])
DOUBLE_COLUMN(body_scale, MADE.scale)
DOUBLE_COLUMN(body_radius, MADE.radius)
DOUBLE_COLUMN(body_mass, MADE.mass)
INT_COLUMN(body_fixed, MADE.fixed)

static const char *kind_name(ts_wall_kind kind)
{
    static const char *const name[] = {[TS_WALL_FLAT] = "half-plane",
                                       [TS_WALL_CIRCLE] = "circle",
                                       [TS_WALL_POLYLINE] = "polyline",
                                       [TS_WALL_OUTLINE] = "outline"};
    return name[kind];
}
TEXT_COLUMN(wall_name, BUILT.name)
TEXT_COLUMN(wall_kind, kind_name(BUILT.kind))
INT_COLUMN(wall_source, BUILT.source)
INT_COLUMN(wall_material, BUILT.material)
DOUBLE_COLUMN(wall_x, WALL.pose.position.x)
DOUBLE_COLUMN(wall_y, WALL.pose.position.y)
DOUBLE_COLUMN(wall_z, WALL.pose.position.z)
DOUBLE_COLUMN(wall_angle, WALL.angle)
DOUBLE_COLUMN(wall_qw, WALL.pose.quat.w)
DOUBLE_COLUMN(wall_qx, WALL.pose.quat.x)
DOUBLE_COLUMN(wall_qy, WALL.pose.quat.y)
DOUBLE_COLUMN(wall_qz, WALL.pose.quat.z)
DOUBLE_COLUMN(wall_normal_x, BUILT.nx *cos(WALL.angle) - BUILT.ny * sin(WALL.angle))
DOUBLE_COLUMN(wall_normal_y, BUILT.nx *sin(WALL.angle) + BUILT.ny * cos(WALL.angle))
DOUBLE_COLUMN(wall_radius, BUILT.radius)
INT_COLUMN(wall_present, WALL.present)

INT_COLUMN(contact_a, CONTACT.a)
INT_COLUMN(contact_b, CONTACT.b)
UINT_COLUMN(contact_key, CONTACT.key)
FLOAT_COLUMN(contact_gap, CONTACT.gap)
FLOAT_COLUMN(contact_nx, CONTACT.normal[0])
FLOAT_COLUMN(contact_ny, CONTACT.normal[1])
FLOAT_COLUMN(contact_nz, CONTACT.normal[2])
DOUBLE_COLUMN(contact_x, CONTACT.point[0])
DOUBLE_COLUMN(contact_y, CONTACT.point[1])
DOUBLE_COLUMN(contact_z, CONTACT.point[2])
FLOAT_COLUMN(contact_fx, CONTACT.force[0])
FLOAT_COLUMN(contact_fy, CONTACT.force[1])
FLOAT_COLUMN(contact_fz, CONTACT.force[2])
FLOAT_COLUMN(contact_spring, CONTACT.spring)
FLOAT_COLUMN(contact_weight, CONTACT.weight)

static ts_vec2 disc_at(const row *r)
{
    const ts_disc *disc = &r->header->shape[MADE.shape].disc[r->disc];
    double c = cos(BODY.angle), s = sin(BODY.angle);
    return (ts_vec2){BODY.pose.position.x + MADE.scale * (c * disc->x - s * disc->y),
                     BODY.pose.position.y + MADE.scale * (s * disc->x + c * disc->y)};
}
UINT_COLUMN(disc_index, r->disc)
DOUBLE_COLUMN(disc_x, disc_at(r).x)
DOUBLE_COLUMN(disc_y, disc_at(r).y)
DOUBLE_COLUMN(disc_radius, MADE.scale * r->header->shape[MADE.shape].disc[r->disc].radius)

#define FRAME_COLUMNS                                         \
    {"frame", frame_index, BOTH}, {"step", frame_step, BOTH}, \
    {                                                         \
        "time_s", frame_time, BOTH                            \
    }

static const column frame_column[] = {FRAME_COLUMNS, {"contacts", frame_contacts, BOTH}, {NULL, NULL, 0}};
static const column body_column[] = {FRAME_COLUMNS,
                                     {"body", item_index, BOTH},
                                     {"x_m", body_x, BOTH},
                                     {"y_m", body_y, BOTH},
                                     {"z_m", body_z, SPACE},
                                     {"angle_rad", body_angle, PLANE},
                                     {"attitude_w", body_qw, SPACE},
                                     {"attitude_x", body_qx, SPACE},
                                     {"attitude_y", body_qy, SPACE},
                                     {"attitude_z", body_qz, SPACE},
                                     {"vx_m_per_s", body_vx, BOTH},
                                     {"vy_m_per_s", body_vy, BOTH},
                                     {"vz_m_per_s", body_vz, SPACE},
                                     {"spin_rad_per_s", body_spin_z, PLANE},
                                     {"spin_x_rad_per_s", body_spin_x, SPACE},
                                     {"spin_y_rad_per_s", body_spin_y, SPACE},
                                     {"spin_z_rad_per_s", body_spin_z, SPACE},
                                     {"present", body_present, BOTH},
                                     {"shape", body_shape, BOTH},
                                     {"shape_name", body_shape_name, BOTH},
                                     {"material", body_material, BOTH},
                                     {"material_name", body_material_name, BOTH},
                                     {"scale", body_scale, BOTH},
                                     {"radius_m", body_radius, BOTH},
                                     {"mass_kg", body_mass, BOTH},
                                     {"fixed", body_fixed, BOTH},
                                     {NULL, NULL, 0}};
static const column wall_column[] = {FRAME_COLUMNS,
                                     {"wall", item_index, BOTH},
                                     {"name", wall_name, BOTH},
                                     {"kind", wall_kind, PLANE},
                                     {"source", wall_source, SPACE},
                                     {"material", wall_material, SPACE},
                                     {"x_m", wall_x, BOTH},
                                     {"y_m", wall_y, BOTH},
                                     {"z_m", wall_z, SPACE},
                                     {"angle_rad", wall_angle, PLANE},
                                     {"attitude_w", wall_qw, SPACE},
                                     {"attitude_x", wall_qx, SPACE},
                                     {"attitude_y", wall_qy, SPACE},
                                     {"attitude_z", wall_qz, SPACE},
                                     {"normal_x", wall_normal_x, PLANE},
                                     {"normal_y", wall_normal_y, PLANE},
                                     {"radius_m", wall_radius, PLANE},
                                     {"present", wall_present, BOTH},
                                     {NULL, NULL, 0}};
static const column contact_column[] = {FRAME_COLUMNS,
                                        {"contact", item_index, BOTH},
                                        {"a", contact_a, BOTH},
                                        {"b", contact_b, BOTH},
                                        {"key", contact_key, BOTH},
                                        {"gap_m", contact_gap, BOTH},
                                        {"normal_x", contact_nx, BOTH},
                                        {"normal_y", contact_ny, BOTH},
                                        {"normal_z", contact_nz, SPACE},
                                        {"x_m", contact_x, BOTH},
                                        {"y_m", contact_y, BOTH},
                                        {"z_m", contact_z, SPACE},
                                        {"force_x_N", contact_fx, BOTH},
                                        {"force_y_N", contact_fy, BOTH},
                                        {"force_z_N", contact_fz, SPACE},
                                        {"spring_m", contact_spring, PLANE},
                                        {"weight", contact_weight, BOTH},
                                        {NULL, NULL, 0}};
static const column disc_column[] = {FRAME_COLUMNS,         {"body", item_index, BOTH}, {"disc", disc_index, BOTH},
                                     {"x_m", disc_x, BOTH}, {"y_m", disc_y, BOTH},      {"radius_m", disc_radius, BOTH},
                                     {NULL, NULL, 0}};

enum { COLUMNS_MAX = 64 };

/* ---- Quantities ---- */

static size_t one(const row *r)
{
    (void)r;
    return 1;
}
static size_t body_items(const row *r)
{
    return r->header->body_count;
}
static size_t wall_items(const row *r)
{
    return r->header->wall_count;
}
static size_t contact_items(const row *r)
{
    return r->frame->contact_count;
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

/* The last is of the plane. */
static const quantity quantities[] = {
    {"frames", frame_column, one, one},
    {"bodies", body_column, body_items, one},
    {"walls", wall_column, wall_items, one},
    {"contacts", contact_column, contact_items, one},
    {"discs", disc_column, body_items, shape_discs},
};
enum { QUANTITY_COUNT = sizeof quantities / sizeof *quantities };

static const quantity *find_quantity(const char *name, const ts_record_kind *kind)
{
    if (name && strcmp(name, "boundaries") == 0)
        name = "walls"; /* as they were called in the plane */
    for (size_t i = 0; i < kind->quantity_count; i++)
        if (name && strcmp(name, quantities[i].name) == 0)
            return &quantities[i];
    return NULL;
}

static size_t list_columns(const quantity *what, const ts_record_kind *kind, char *text, size_t capacity)
{
    size_t length = 0;
    for (const column *c = what->column; c->name; c++) {
        size_t room = length < capacity ? capacity - length : 0;
        if (c->in & kind->columns)
            length += (size_t)snprintf(room ? text + length : NULL, room, "%s%s", length ? "," : "", c->name);
    }
    return length;
}

size_t ts_export_columns(const char *quantity_name, const ts_record_kind *kind, char *text, size_t capacity)
{
    const quantity *what = find_quantity(quantity_name, kind);
    return what ? list_columns(what, kind, text, capacity) : 0;
}

/* ---- Choosing ---- */

typedef struct choice {
    const quantity *what;
    const ts_record_kind *kind;
    const column *column[COLUMNS_MAX];
    size_t count;
} choice;

static ts_status unknown_column(const choice *chosen, const char *name, ts_error *error)
{
    const quantity *what = chosen->what;
    const char *known[COLUMNS_MAX];
    size_t count = 0;
    char all[512];
    for (const column *c = what->column; c->name; c++)
        if (c->in & chosen->kind->columns)
            known[count++] = c->name;
    const char *meant = ts_nearest_name(name, known, count);
    list_columns(what, chosen->kind, all, sizeof all);
    if (meant)
        return ts_fail(error, TS_BAD_INPUT, "%s have no column \"%s\"; did you mean \"%s\"?", what->name, name, meant);
    return ts_fail(error, TS_BAD_INPUT, "%s have no column \"%s\"; choose from %s", what->name, name, all);
}

static ts_status add_column(choice *chosen, const char *name, ts_error *error)
{
    if (chosen->count == COLUMNS_MAX)
        return ts_fail(error, TS_BAD_INPUT, "more than %d columns are asked for; name each once", COLUMNS_MAX);
    for (const column *c = chosen->what->column; c->name; c++)
        if ((c->in & chosen->kind->columns) && strcmp(c->name, name) == 0) {
            chosen->column[chosen->count++] = c;
            return TS_OK;
        }
    return unknown_column(chosen, name, error);
}

static ts_status unknown_quantity(const char *name, const ts_record_kind *kind, ts_error *error)
{
    const char *known[QUANTITY_COUNT];
    size_t count = kind->quantity_count;
    for (size_t i = 0; i < count; i++)
        known[i] = quantities[i].name;
    const char *meant = ts_nearest_name(name, known, count);
    return ts_fail(error, TS_BAD_INPUT, "\"%s\" is not recorded; %s%s%s", name,
                   meant ? "did you mean \"" : "choose from ", meant ? meant : kind->quantities, meant ? "\"?" : "");
}

static ts_status choose(const ts_export_options *options, const ts_record_kind *kind, choice *chosen, ts_error *error)
{
    chosen->count = 0;
    chosen->kind = kind;
    chosen->what = find_quantity(options->quantity, kind);
    if (!chosen->what)
        return unknown_quantity(options->quantity ? options->quantity : "", kind, error);
    if (!options->columns || !options->columns[0]) {
        for (const column *c = chosen->what->column; c->name; c++)
            if (c->in & kind->columns)
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
    TS_TRY(choose(options, ts_trajectory_get_header(reader)->kind, &chosen, error));
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
