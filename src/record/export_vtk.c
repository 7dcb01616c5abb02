/* SPDX-License-Identifier: MIT */
/* VTK's XML files: for each frame grains, contacts and boundaries as PolyData (.vtp), and one collection (.pvd) that gives them
 * their times.
 *
 *     <VTKFile …><PolyData> names, types and offsets of arrays </PolyData><AppendedData encoding="raw">_
 *     │ bytes: u64 │ array │ bytes: u64 │ array │ …                                             </AppendedData></VTKFile>
 *
 * Sizes follow from counts, so arrays are never held: each is streamed from the frame by a function of its own. A convex contour is
 * one polygon; any other shape is its triangles, since a VTK polygon can have no holes. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/memory.h"
#include "record/export.h"

/* ---- Arrays ---- */

typedef struct vtk {
    const ts_export_job *job;
    const ts_trajectory_header *header;
    ts_frame frame;        /* the one being written */
    const ts_mesh2 *mesh;  /* of each shape */
    ts_export_lines lines; /* boundaries of this frame, in the world … */
    size_t *owner;         /* … and which one each curve belongs to */
    FILE *stream;
    ts_export_batch batch;         /* files of frames, which get their names when all are there */
    size_t points, cells, corners; /* of the file being written */
} vtk;

typedef enum vtk_type { FLOAT32, FLOAT64, INT32, INT64, UINT8 } vtk_type;
static const char *const type_name[] = {"Float32", "Float64", "Int32", "Int64", "UInt8"};
static const size_t type_size[] = {4, 8, 4, 8, 1};

typedef struct array {
    const char *name;
    vtk_type type;
    int components;
    void (*put)(vtk *v); /* all values, in the order of points, cells or corners */
} array;

static void put_f64(vtk *v, double value)
{
    unsigned char bytes[8];
    ts_put_f64(bytes, value);
    fwrite(bytes, 1, sizeof bytes, v->stream);
}
static void put_f32(vtk *v, double value)
{
    unsigned char bytes[4];
    ts_put_f32(bytes, (float)value);
    fwrite(bytes, 1, sizeof bytes, v->stream);
}
static void put_i64(vtk *v, int64_t value)
{
    unsigned char bytes[8];
    ts_put_u64(bytes, (uint64_t)value);
    fwrite(bytes, 1, sizeof bytes, v->stream);
}
static void put_i32(vtk *v, int32_t value)
{
    unsigned char bytes[4];
    ts_put_u32(bytes, (uint32_t)value);
    fwrite(bytes, 1, sizeof bytes, v->stream);
}

/* ---- A file ---- */

typedef struct layout {
    const char *cell_kind; /* Polys, Lines or Verts */
    array points, connectivity, offsets;
    const array *data; /* of cells; ends with a NULL name */
} layout;

static void declare(vtk *v, const array *a, size_t tuples, uint64_t *offset)
{
    fprintf(v->stream, "<DataArray type=\"%s\" Name=\"%s\"", type_name[a->type], a->name);
    if (a->components > 1)
        fprintf(v->stream, " NumberOfComponents=\"%d\"", a->components);
    fprintf(v->stream, " format=\"appended\" offset=\"%" PRIu64 "\"/>\n", *offset);
    *offset += 8 + (uint64_t)tuples * (uint64_t)a->components * type_size[a->type];
}

static void append(vtk *v, const array *a, size_t tuples)
{
    put_i64(v, (int64_t)((uint64_t)tuples * (uint64_t)a->components * type_size[a->type]));
    a->put(v);
}

/* The file of v->points, v->cells and v->corners. */
static void put_file(vtk *v, const layout *as)
{
    static const char *const kinds[] = {"Verts", "Lines", "Strips", "Polys"};
    uint64_t offset = 0;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
          "header_type=\"UInt64\">\n<PolyData>\n<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" "
          "NumberOfTuples=\"1\" format=\"ascii\">",
          v->stream);
    ts_export_put_double(v->stream, v->frame.time);
    fprintf(v->stream, "</DataArray></FieldData>\n<Piece NumberOfPoints=\"%zu\"", v->points);
    for (int k = 0; k < 4; k++)
        fprintf(v->stream, " NumberOf%s=\"%zu\"", kinds[k], strcmp(kinds[k], as->cell_kind) == 0 ? v->cells : 0);
    fputs(">\n<CellData>\n", v->stream);
    for (const array *a = as->data; a->name; a++)
        declare(v, a, v->cells, &offset);
    fputs("</CellData>\n<Points>\n", v->stream);
    declare(v, &as->points, v->points, &offset);
    fprintf(v->stream, "</Points>\n<%s>\n", as->cell_kind);
    declare(v, &as->connectivity, v->corners, &offset);
    declare(v, &as->offsets, v->cells, &offset);
    fprintf(v->stream, "</%s>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", as->cell_kind);
    for (const array *a = as->data; a->name; a++)
        append(v, a, v->cells);
    append(v, &as->points, v->points);
    append(v, &as->connectivity, v->corners);
    append(v, &as->offsets, v->cells);
    fputs("\n</AppendedData>\n</VTKFile>\n", v->stream);
}

/* ---- Grains ---- */

static size_t grain_points(const ts_mesh2 *mesh)
{
    return mesh->begin[mesh->contour_count];
}
static size_t grain_cells(const ts_mesh2 *mesh)
{
    return mesh->convex ? mesh->contour_count : mesh->triangle_count;
}
static size_t grain_corners(const ts_mesh2 *mesh)
{
    return mesh->convex ? grain_points(mesh) : 3 * mesh->triangle_count;
}

/* Bodies that are there, one after the other: `mesh` is the shape's, NULL in the mode of points. */
/* NOLINTBEGIN(bugprone-macro-parentheses): names that it declares */
#define EACH_GRAIN(v, i, mesh_)                          \
    for (size_t i = 0; i < (v)->header->body_count; i++) \
        if ((v)->frame.body[i].present)                  \
            for (const ts_mesh2 *mesh_ = mesh_of((v), i), *once = (const ts_mesh2 *)(v); once; once = NULL)
/* NOLINTEND(bugprone-macro-parentheses) */

static const ts_mesh2 *mesh_of(const vtk *v, size_t body)
{
    return v->job->points ? NULL : &v->mesh[v->header->body[body].shape];
}

static void count_grains(vtk *v)
{
    v->points = v->cells = v->corners = 0;
    EACH_GRAIN(v, i, mesh)
    {
        v->points += mesh ? grain_points(mesh) : 1;
        v->cells += mesh ? grain_cells(mesh) : 1;
        v->corners += mesh ? grain_corners(mesh) : 1;
    }
}

static void put_grain_points(vtk *v)
{
    EACH_GRAIN(v, i, mesh)
    {
        const ts_frame_body *now = &v->frame.body[i];
        double scale = v->header->body[i].scale;
        double c = scale * cos(now->angle), s = scale * sin(now->angle);
        const ts_vec2 centre = {0, 0}, *p = mesh ? mesh->point : &centre;
        for (size_t k = 0; k < (mesh ? grain_points(mesh) : 1); k++) {
            put_f64(v, now->x + c * p[k].x - s * p[k].y);
            put_f64(v, now->y + s * p[k].x + c * p[k].y);
            put_f64(v, 0);
        }
    }
}

static void put_grain_corners(vtk *v)
{
    int64_t first = 0;
    EACH_GRAIN(v, i, mesh)
    {
        for (size_t k = 0; k < (mesh ? grain_corners(mesh) : 1); k++)
            put_i64(v, first + (mesh && !mesh->convex ? (int64_t)mesh->triangle[k] : (int64_t)k));
        first += mesh ? (int64_t)grain_points(mesh) : 1;
    }
}

static void put_grain_offsets(vtk *v)
{
    int64_t end = 0;
    EACH_GRAIN(v, i, mesh)
    {
        for (size_t k = 0; k < (mesh ? grain_cells(mesh) : 1); k++) {
            end += !mesh ? 1 : mesh->convex ? (int64_t)(mesh->begin[k + 1] - mesh->begin[k]) : 3;
            put_i64(v, end);
        }
    }
}

/* A quantity of bodies, once for each cell of a grain. */
#define GRAIN_DATA(function, statements)                                  \
    static void function(vtk *v)                                          \
    {                                                                     \
        EACH_GRAIN(v, i, mesh)                                            \
        {                                                                 \
            const ts_frame_body *now = &v->frame.body[i];                 \
            const ts_trajectory_body *made = &v->header->body[i];         \
            (void)now, (void)made;                                        \
            for (size_t k = 0; k < (mesh ? grain_cells(mesh) : 1); k++) { \
                statements;                                               \
            }                                                             \
        }                                                                 \
    }
GRAIN_DATA(put_body, put_i64(v, (int64_t)i))
GRAIN_DATA(put_shape, put_i32(v, made->shape))
GRAIN_DATA(put_material, put_i32(v, made->material))
GRAIN_DATA(put_velocity, (put_f32(v, (double)now->vx), put_f32(v, (double)now->vy), put_f32(v, 0)))
GRAIN_DATA(put_speed, put_f32(v, hypot((double)now->vx, (double)now->vy)))
GRAIN_DATA(put_spin, put_f32(v, (double)now->spin))
GRAIN_DATA(put_angle, put_f64(v, now->angle))
GRAIN_DATA(put_radius, put_f64(v, made->radius))
GRAIN_DATA(put_mass, put_f64(v, made->mass))
GRAIN_DATA(put_fixed, putc(made->fixed ? 1 : 0, v->stream))

static const array grain_data[] = {
    {"body", INT64, 1, put_body},           {"shape", INT32, 1, put_shape},     {"material", INT32, 1, put_material},
    {"velocity", FLOAT32, 3, put_velocity}, {"speed", FLOAT32, 1, put_speed},   {"spin", FLOAT32, 1, put_spin},
    {"angle", FLOAT64, 1, put_angle},       {"radius", FLOAT64, 1, put_radius}, {"mass", FLOAT64, 1, put_mass},
    {"fixed", UINT8, 1, put_fixed},         {NULL, FLOAT32, 0, NULL},
};

/* ---- Contacts: from centre to centre, or from the point on the boundary ---- */

static void put_contact_points(vtk *v)
{
    for (size_t i = 0; i < v->frame.contact_count; i++) {
        const ts_frame_contact *c = &v->frame.contact[i];
        const ts_frame_body *b = &v->frame.body[c->b];
        put_f64(v, c->a < 0 ? c->point[0] : v->frame.body[c->a].x);
        put_f64(v, c->a < 0 ? c->point[1] : v->frame.body[c->a].y);
        put_f64(v, 0);
        put_f64(v, b->x);
        put_f64(v, b->y);
        put_f64(v, 0);
    }
}

/* Corners that are simply the points in order. */
static void put_counting(vtk *v)
{
    for (size_t i = 0; i < v->corners; i++)
        put_i64(v, (int64_t)i);
}
static void put_contact_offsets(vtk *v)
{
    for (size_t i = 1; i <= v->frame.contact_count; i++)
        put_i64(v, 2 * (int64_t)i);
}

#define CONTACT_DATA(function, statement)                     \
    static void function(vtk *v)                              \
    {                                                         \
        for (size_t i = 0; i < v->frame.contact_count; i++) { \
            const ts_frame_contact *c = &v->frame.contact[i]; \
            statement;                                        \
        }                                                     \
    }
CONTACT_DATA(put_contact_a, put_i64(v, c->a))
CONTACT_DATA(put_contact_b, put_i64(v, c->b))
CONTACT_DATA(put_gap, put_f32(v, (double)c->gap))
CONTACT_DATA(put_normal_force,
             put_f32(v, (double)c->force[0] * (double)c->normal[0] + (double)c->force[1] * (double)c->normal[1]))
CONTACT_DATA(put_tangential_force,
             put_f32(v, (double)c->force[1] * (double)c->normal[0] - (double)c->force[0] * (double)c->normal[1]))
CONTACT_DATA(put_contact_point, (put_f64(v, c->point[0]), put_f64(v, c->point[1]), put_f64(v, 0)))

static const array contact_data[] = {
    {"a", INT64, 1, put_contact_a},
    {"b", INT64, 1, put_contact_b},
    {"gap", FLOAT32, 1, put_gap},
    {"normal_force", FLOAT32, 1, put_normal_force},
    {"tangential_force", FLOAT32, 1, put_tangential_force},
    {"point", FLOAT64, 3, put_contact_point},
    {NULL, FLOAT32, 0, NULL},
};

/* ---- Boundaries ---- */

static ts_status find_boundaries(vtk *v, ts_error *error)
{
    ts_export_box box = TS_EXPORT_BOX_NONE;
    v->lines.point.count = v->lines.begin.count = 0;
    ts_export_box_add_frame(&box, v->header, &v->frame);
    ts_export_box_finish(&box);
    TS_ARRAY(size_t) owner = {0};
    ts_status status = TS_OK;
    for (size_t i = 0; i < v->header->boundary_count && status == TS_OK; i++) {
        const ts_frame_boundary *now = &v->frame.boundary[i];
        size_t first = v->lines.point.count;
        if (!now->present)
            continue;
        status = ts_export_boundary_lines(v->job, &v->frame, &box, i, true, &v->lines, error);
        for (size_t k = first; status == TS_OK && k < v->lines.point.count; k++)
            v->lines.point.item[k] = ts_pose2_apply((ts_pose2){now->x, now->y, now->angle}, v->lines.point.item[k]);
        while (status == TS_OK && owner.count < v->lines.begin.count)
            status = ts_array_push(&owner, i, error);
    }
    ts_free(v->owner);
    v->owner = owner.item;
    return status;
}

static void put_line_points(vtk *v)
{
    for (size_t i = 0; i < v->lines.point.count; i++) {
        put_f64(v, v->lines.point.item[i].x);
        put_f64(v, v->lines.point.item[i].y);
        put_f64(v, 0);
    }
}
static void put_line_offsets(vtk *v)
{
    for (size_t i = 1; i <= v->lines.begin.count; i++)
        put_i64(v, (int64_t)(i < v->lines.begin.count ? v->lines.begin.item[i] : v->lines.point.count));
}
static void put_line_owner(vtk *v)
{
    for (size_t i = 0; i < v->lines.begin.count; i++)
        put_i64(v, (int64_t)v->owner[i]);
}
static void put_line_material(vtk *v)
{
    for (size_t i = 0; i < v->lines.begin.count; i++)
        put_i32(v, v->header->boundary[v->owner[i]].material);
}

static const array boundary_data[] = {
    {"boundary", INT64, 1, put_line_owner},
    {"material", INT32, 1, put_line_material},
    {NULL, FLOAT32, 0, NULL},
};

/* ---- A frame, and all ---- */

static const layout grain_layout = {"Polys",
                                    {"Points", FLOAT64, 3, put_grain_points},
                                    {"connectivity", INT64, 1, put_grain_corners},
                                    {"offsets", INT64, 1, put_grain_offsets},
                                    grain_data};
static const layout point_layout = {"Verts",
                                    {"Points", FLOAT64, 3, put_grain_points},
                                    {"connectivity", INT64, 1, put_grain_corners},
                                    {"offsets", INT64, 1, put_grain_offsets},
                                    grain_data};
static const layout contact_layout = {"Lines",
                                      {"Points", FLOAT64, 3, put_contact_points},
                                      {"connectivity", INT64, 1, put_counting},
                                      {"offsets", INT64, 1, put_contact_offsets},
                                      contact_data};
static const layout boundary_layout = {"Lines",
                                       {"Points", FLOAT64, 3, put_line_points},
                                       {"connectivity", INT64, 1, put_counting},
                                       {"offsets", INT64, 1, put_line_offsets},
                                       boundary_data};

enum { PATH_SIZE = 4352 };
enum { GRAINS, CONTACTS, BOUNDARIES, PART_COUNT };
static const char *const part_name[PART_COUNT] = {"", "_contacts", "_boundaries"};

static bool has_part(const vtk *v, int part)
{
    return part == GRAINS || (part == CONTACTS ? v->header->has_contacts : v->header->boundary_count > 0);
}

/* NAME of NAME.pvd: all files begin with it. */
static size_t stem_length(const char *out)
{
    size_t n = strlen(out);
    return n > 4 && (strcmp(out + n - 4, ".pvd") == 0 || strcmp(out + n - 4, ".vtp") == 0) ? n - 4 : n;
}
static void frame_path(const char *stem, size_t length, int part, uint64_t k, char path[PATH_SIZE])
{
    snprintf(path, PATH_SIZE, "%.*s%s_%04" PRIu64 ".vtp", (int)length, stem, part_name[part], k);
}

static ts_status write_part(vtk *v, int part, uint64_t k, ts_error *error)
{
    char path[PATH_SIZE];
    ts_draft draft;
    frame_path(v->job->out, stem_length(v->job->out), part, k, path);
    const layout *as = part == CONTACTS ? &contact_layout : &boundary_layout;
    if (part == GRAINS) {
        as = v->job->points ? &point_layout : &grain_layout;
        count_grains(v);
    } else if (part == CONTACTS) {
        v->cells = v->frame.contact_count;
        v->points = v->corners = 2 * v->cells;
    } else {
        TS_TRY(find_boundaries(v, error));
        v->cells = v->lines.begin.count;
        v->points = v->corners = v->lines.point.count;
    }
    TS_TRY(ts_draft_open(&draft, path, error));
    v->stream = draft.stream;
    put_file(v, as);
    return ts_export_batch_add(&v->batch, &draft, error);
}

/* The collection. Times come from the frames' own headers: nothing was kept. */
static ts_status write_collection(const vtk *v, const ts_export_range *range, ts_draft *draft, ts_error *error)
{
    char path[PATH_SIZE];
    size_t length = stem_length(v->job->out);
    snprintf(path, sizeof path, "%.*s.pvd", (int)length, v->job->out);
    const char *slash = strrchr(v->job->out, '/'), *stem = slash ? slash + 1 : v->job->out;
    TS_TRY(ts_draft_open(draft, path, error));
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\" "
          "header_type=\"UInt64\">\n<Collection>\n",
          draft->stream);
    ts_status status = TS_OK;
    for (uint64_t k = 0; k < range->total && status == TS_OK; k++) {
        double time;
        status = ts_trajectory_peek(v->job->reader, ts_export_index(range, k), NULL, &time, error);
        for (int part = 0; part < PART_COUNT && status == TS_OK; part++) {
            if (!has_part(v, part))
                continue;
            fputs("<DataSet timestep=\"", draft->stream);
            ts_export_put_double(draft->stream, time);
            frame_path(stem, length - (size_t)(stem - v->job->out), part, k, path);
            fprintf(draft->stream, "\" group=\"\" part=\"%d\" name=\"%s\" file=\"", part,
                    part == GRAINS ? "grains" : part_name[part] + 1);
            ts_export_put_xml(draft->stream, path);
            fputs("\"/>\n", draft->stream);
        }
    }
    fputs("</Collection>\n</VTKFile>\n", draft->stream);
    return status;
}

static ts_status write_frames(vtk *v, const ts_export_range *range, ts_error *error)
{
    for (uint64_t k = 0; k < range->total; k++) {
        TS_TRY(ts_trajectory_read(v->job->reader, ts_export_index(range, k), &v->frame, error));
        for (int part = 0; part < PART_COUNT; part++)
            if (has_part(v, part))
                TS_TRY(write_part(v, part, k, error));
        TS_TRY(ts_export_tick(v->job, k + 1, range->total, NULL, error));
    }
    return TS_OK;
}

ts_status ts_export_vtk(const ts_export_job *job, ts_error *error)
{
    ts_export_range range;
    TS_TRY(ts_export_range_of(job, &range, error));
    if (strlen(job->out) > PATH_SIZE - 64)
        return ts_fail(error, TS_BAD_INPUT, "the path for the export is too long; choose a shorter one");
    vtk v = {.job = job, .header = ts_trajectory_get_header(job->reader)};
    ts_draft collection = {0};
    ts_mesh2 *mesh = NULL;
    TS_TRY(ts_export_meshes(job, &mesh, error));
    v.mesh = mesh;
    ts_status status = write_frames(&v, &range, error);
    if (status == TS_OK)
        status = write_collection(&v, &range, &collection, error);
    status = ts_export_batch_end(&v.batch, status, &collection, error);
    ts_export_meshes_free(job, mesh);
    ts_export_lines_free(&v.lines);
    ts_free(v.owner);
    return status;
}
