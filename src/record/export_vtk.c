/* SPDX-License-Identifier: MIT */
/* VTK's XML files: for each frame bodies, contacts, walls and springs as PolyData (.vtp), and one collection (.pvd)
 * that gives them their times. The files of frames are in a folder of its name beside the collection, which names them
 * from there.
 *
 *     <VTKFile …><PolyData> names, types and offsets of arrays </PolyData><AppendedData encoding="raw">_
 *     │ bytes: u64 │ array │ bytes: u64 │ array │ …                                             </AppendedData></VTKFile> */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "record/export_vtk.h"

/* Triangles of all bodies in a frame of a run in space: round solids get coarser until they are no more … */
static const double triangles_most = 3e4;
/* … and if even the coarsest are more than this, bodies become points. */
static const double triangles_limit = 1e6;
enum { SEGMENTS_COARSEST = 8 };

static const char *const type_name[] = {"Float32", "Float64", "Int32", "Int64", "UInt8"};
static const size_t type_size[] = {4, 8, 4, 8, 1};

/* ---- A file ---- */

static void declare(ts_vtk *v, const ts_vtk_array *a, size_t tuples, uint64_t *offset)
{
    fprintf(v->stream, "<DataArray type=\"%s\" Name=\"%s\"", type_name[a->type], a->name);
    if (a->components > 1)
        fprintf(v->stream, " NumberOfComponents=\"%d\"", a->components);
    fprintf(v->stream, " format=\"appended\" offset=\"%" PRIu64 "\"/>\n", *offset);
    *offset += 8 + (uint64_t)tuples * (uint64_t)a->components * type_size[a->type];
}

static void append(ts_vtk *v, const ts_vtk_array *a, size_t tuples)
{
    ts_vtk_put_i64(v, (int64_t)((uint64_t)tuples * (uint64_t)a->components * type_size[a->type]));
    a->put(v);
}

static bool is_of(const ts_vtk *v, const ts_vtk_array *a)
{
    return a->dimension == 0 || a->dimension == v->header->dimension;
}

/* The file of v->points, v->cells and v->corners. */
static void put_file(ts_vtk *v, const ts_vtk_layout *as)
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
    const size_t tuples = as->at_points ? v->points : v->cells;
    const char *holder = as->at_points ? "PointData" : "CellData";
    fprintf(v->stream, ">\n<%s>\n", holder);
    for (const ts_vtk_array *a = as->data; a->name; a++)
        if (is_of(v, a))
            declare(v, a, tuples, &offset);
    fprintf(v->stream, "</%s>\n<Points>\n", holder);
    declare(v, &as->points, v->points, &offset);
    fprintf(v->stream, "</Points>\n<%s>\n", as->cell_kind);
    declare(v, &as->connectivity, v->corners, &offset);
    declare(v, &as->offsets, v->cells, &offset);
    fprintf(v->stream, "</%s>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", as->cell_kind);
    for (const ts_vtk_array *a = as->data; a->name; a++)
        if (is_of(v, a))
            append(v, a, tuples);
    append(v, &as->points, v->points);
    append(v, &as->connectivity, v->corners);
    append(v, &as->offsets, v->cells);
    fputs("\n</AppendedData>\n</VTKFile>\n", v->stream);
}

enum { PATH_SIZE = 4352 };
/* NAME of NAME.pvd, with its folders: all files begin with it. */
static size_t stem_length(const char *out)
{
    size_t n = strlen(out);
    return n > 4 && (strcmp(out + n - 4, ".pvd") == 0 || strcmp(out + n - 4, ".vtp") == 0) ? n - 4 : n;
}
static const char *name_of(const char *out)
{
    const char *slash = strrchr(out, '/');
    return slash ? slash + 1 : out;
}
/* NAME/NAME_0000.vtp, from the folder of the collection or from where the export was called. */
static void frame_path(const ts_vtk *v, bool from_collection, const ts_vtk_part *part, uint64_t k, char path[PATH_SIZE])
{
    const char *out = v->job->out, *name = name_of(out);
    int length = (int)stem_length(out), own = length - (int)(name - out);
    snprintf(path, PATH_SIZE, "%.*s/%.*s%s_%04" PRIu64 ".vtp", from_collection ? own : length,
             from_collection ? name : out, own, name, part->end, k);
}

/* The folder of the frames; *made: it was not there. */
static ts_status make_folder(const char *out, char path[PATH_SIZE], bool *made, ts_error *error)
{
    struct stat about;
    snprintf(path, PATH_SIZE, "%.*s", (int)stem_length(out), out);
    *made = mkdir(path, 0777) == 0;
    int reason = errno;
    if (*made || (reason == EEXIST && stat(path, &about) == 0 && S_ISDIR(about.st_mode)))
        return TS_OK;
    return ts_fail_errno(error, "make the folder", path, reason);
}

static ts_status write_part(ts_vtk *v, const ts_vtk_part *part, uint64_t k, ts_error *error)
{
    char path[PATH_SIZE];
    ts_draft draft;
    const ts_vtk_layout *as = NULL;
    frame_path(v, false, part, k, path);
    TS_TRY(part->prepare(v, &as, error));
    TS_TRY(ts_draft_open(&draft, path, error));
    v->stream = draft.stream;
    put_file(v, as);
    return ts_export_batch_add(&v->batch, &draft, error);
}

static bool is_there(const ts_vtk *v, const ts_vtk_part *part)
{
    return !part->there || part->there(v);
}

/* The collection. Times come from the frames' own headers: nothing was kept. */
static ts_status write_collection(const ts_vtk *v, const ts_export_range *range, ts_draft *draft, ts_error *error)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%.*s.pvd", (int)stem_length(v->job->out), v->job->out);
    TS_TRY(ts_draft_open(draft, path, error));
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\" "
          "header_type=\"UInt64\">\n<Collection>\n",
          draft->stream);
    for (uint64_t k = 0; k < range->total; k++) {
        double time;
        TS_TRY(ts_trajectory_peek(v->job->reader, ts_export_index(range, k), NULL, &time, error));
        for (int i = 0; i < TS_VTK_PARTS; i++) {
            const ts_vtk_part *part = &ts_vtk_part_of[i];
            if (!is_there(v, part))
                continue;
            fputs("<DataSet timestep=\"", draft->stream);
            ts_export_put_double(draft->stream, time);
            frame_path(v, true, part, k, path);
            fprintf(draft->stream, "\" group=\"\" part=\"%d\" name=\"%s\" file=\"", i, part->name);
            ts_export_put_xml(draft->stream, path);
            fputs("\"/>\n", draft->stream);
        }
    }
    fputs("</Collection>\n</VTKFile>\n", draft->stream);
    return TS_OK;
}

static ts_status write_frames(ts_vtk *v, const ts_export_range *range, ts_error *error)
{
    for (uint64_t k = 0; k < range->total; k++) {
        TS_TRY(ts_trajectory_read(v->job->reader, ts_export_index(range, k), &v->frame, error));
        for (int part = 0; part < TS_VTK_PARTS; part++)
            if (is_there(v, &ts_vtk_part_of[part]))
                TS_TRY(write_part(v, &ts_vtk_part_of[part], k, error));
        TS_TRY(ts_export_tick(v->job, k + 1, range->total, NULL, error));
    }
    return TS_OK;
}

/* Surfaces; those of solids no finer than a frame of a reasonable size allows. */
static ts_status find_solids(ts_vtk *v, const ts_export_range *range, ts_error *error)
{
    int segments = ts_export_segments(v->job);
    while (segments > SEGMENTS_COARSEST && ts_export_triangles(v->header, segments) > triangles_most)
        segments -= 2;
    if (ts_export_triangles(v->header, segments) > triangles_limit)
        v->as_points = true;
    return ts_export_surfaces(v->job, range, segments, &v->solids, error);
}

static void release(ts_vtk *v)
{
    ts_export_solids_free(&v->solids);
    ts_export_lines_free(&v->lines);
    ts_free(v->owner);
}

ts_status ts_export_vtk(const ts_export_job *job, ts_error *error)
{
    ts_export_range range;
    TS_TRY(ts_export_range_of(job, &range, error));
    char folder[PATH_SIZE];
    bool made = false;
    if (strlen(job->out) + strlen(name_of(job->out)) > PATH_SIZE - 64)
        return ts_fail(error, TS_BAD_INPUT, "the path for the export is too long; choose a shorter one");
    TS_AUTO(release)
    ts_vtk v = {.job = job,
                .header = ts_trajectory_get_header(job->reader),
                .as_points = job->points,
                .batch = {.made = job->made}};
    ts_draft collection = {0};
    TS_TRY(find_solids(&v, &range, error));
    TS_TRY(make_folder(job->out, folder, &made, error));
    ts_status status = write_frames(&v, &range, error);
    if (status == TS_OK)
        status = write_collection(&v, &range, &collection, error);
    status = ts_export_batch_end(&v.batch, status, &collection, error);
    if (status != TS_OK && made)
        rmdir(folder); /* of a failed export nothing is left */
    return status;
}
