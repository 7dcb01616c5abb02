/* SPDX-License-Identifier: MIT */
/* Left out of builds without HDF5, whose only user, fclib.c, says so then. */
#include "record/hdf.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

#if TS_WITH_HDF5

#include <hdf5.h>

/* A larger file is not what we are for. */
static const size_t size_most = (size_t)1 << 34;
/* Deflated zeros shrink about so much: an array that is larger than the file by more is a trap. */
static const size_t deflate_most = 1100;
/* Room is made in steps of this [bytes]. */
static const size_t increment = (size_t)1 << 16;

struct ts_hdf {
    hid_t id;
    size_t size; /* of what was read [bytes] */
    char *path;
};

/* ---- HDF5 prints its errors unless it is told not to ---- */

typedef struct hush {
    H5E_auto2_t function;
    void *data;
} hush;

static hush begin_hush(void)
{
    hush h = {0};
    H5Eget_auto2(H5E_DEFAULT, &h.function, &h.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return h;
}

static void end_hush(hush h)
{
    H5Eset_auto2(H5E_DEFAULT, h.function, h.data);
}

/* ---- The file ---- */

static ts_place place_of(const ts_hdf *file)
{
    return (ts_place){file->path, 0, 0};
}

/* From these bytes; none: a new one. HDF5 wants a name, which no file may have and no other of ours. */
static hid_t open_image(const ts_hdf *file, void *bytes, size_t size)
{
    char name[64];
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), id = H5I_INVALID_HID;
    snprintf(name, sizeof name, "/dev/null/%p", (const void *)file);
    if (access < 0)
        return id;
    if (H5Pset_fapl_core(access, increment, 0) >= 0 && (!bytes || H5Pset_file_image(access, bytes, size) >= 0))
        id = bytes ? H5Fopen(name, H5F_ACC_RDWR, access) : H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    return id;
}

static ts_status make(const char *path, void *bytes, size_t size, ts_hdf **file, ts_error *error)
{
    ts_hdf *made = ts_alloc(1, sizeof *made);
    char *copy = ts_copy_text(path);
    if (!made || !copy) {
        ts_free(made);
        ts_free(copy);
        return ts_fail_memory(error, sizeof *made + strlen(path));
    }
    hush h = begin_hush();
    *made = (ts_hdf){open_image(made, bytes, size), size, copy};
    end_hush(h);
    if (made->id < 0) {
        ts_status status =
            bytes ? ts_fail_at(error, TS_CORRUPT, place_of(made),
                               "it is no HDF5 file, or it is damaged or cut short; write it anew, as `touchstone "
                               "problem SCENE -o FILE` does")
                  : ts_fail_at(error, TS_OUT_OF_MEMORY, place_of(made), "HDF5 could not begin a file in memory");
        ts_hdf_close(made);
        return status;
    }
    *file = made;
    return TS_OK;
}

ts_status ts_hdf_create(const char *path, ts_hdf **file, ts_error *error)
{
    return make(path, NULL, 0, file, error);
}

ts_status ts_hdf_open(const char *path, ts_hdf **file, ts_error *error)
{
    char *bytes;
    size_t size;
    ts_status status = ts_file_read(path, size_most, &bytes, &size, error);
    if (status == TS_IO) { /* a wrong name, most likely */
        if (error)
            error->status = TS_BAD_INPUT;
        return TS_BAD_INPUT;
    }
    TS_TRY(status);
    status = make(path, bytes, size, file, error);
    ts_free(bytes);
    return status;
}

static ts_status take_image(ts_hdf *file, char **bytes, size_t *size, ts_error *error)
{
    ssize_t needed = H5Fflush(file->id, H5F_SCOPE_GLOBAL) >= 0 ? H5Fget_file_image(file->id, NULL, 0) : -1;
    if (needed <= 0)
        return ts_fail_at(error, TS_OUT_OF_MEMORY, place_of(file), "HDF5 could not put the file together");
    *bytes = ts_alloc_raw((size_t)needed, 1);
    if (!*bytes)
        return ts_fail_memory(error, (size_t)needed);
    *size = (size_t)needed;
    if (H5Fget_file_image(file->id, *bytes, *size) == needed)
        return TS_OK;
    ts_free(*bytes);
    return ts_fail_at(error, TS_OUT_OF_MEMORY, place_of(file), "HDF5 could not put the file together");
}

ts_status ts_hdf_save(ts_hdf *file, ts_error *error)
{
    char *bytes = NULL;
    size_t size = 0;
    hush h = begin_hush();
    ts_status status = take_image(file, &bytes, &size, error);
    end_hush(h);
    TS_TRY(status);
    status = ts_file_write(file->path, bytes, size, error);
    ts_free(bytes);
    return status;
}

void ts_hdf_close(ts_hdf *file)
{
    if (!file)
        return;
    hush h = begin_hush();
    if (file->id >= 0)
        H5Fclose(file->id);
    end_hush(h);
    ts_free(file->path);
    ts_free(file);
}

const char *ts_hdf_path(const ts_hdf *file)
{
    return file->path;
}

/* ---- Finding ---- */

/* Every step of the way is a plain link, and none leads into another file. */
static bool is_plain(const ts_hdf *file, const char *path)
{
    char part[256];
    size_t length = strlen(path);
    if (length >= sizeof part)
        return false;
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != 0)
            continue;
        H5L_info_t about;
        memcpy(part, path, i);
        part[i] = 0;
        if (H5Lexists(file->id, part, H5P_DEFAULT) <= 0 || H5Lget_info(file->id, part, &about, H5P_DEFAULT) < 0 ||
            about.type != H5L_TYPE_HARD)
            return false;
    }
    return true;
}

bool ts_hdf_has(ts_hdf *file, const char *path)
{
    hush h = begin_hush();
    bool has = is_plain(file, path);
    end_hush(h);
    return has;
}

/* An array that lies in this very file. */
static bool is_stored_here(hid_t set)
{
    hid_t how = H5Dget_create_plist(set);
    if (how < 0)
        return false;
    H5D_layout_t layout = H5Pget_layout(how);
    bool here = (layout == H5D_COMPACT || layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED) &&
                (layout != H5D_CONTIGUOUS || H5Pget_external_count(how) == 0);
    H5Pclose(how);
    return here;
}

static H5T_class_t class_of(hid_t set)
{
    hid_t type = H5Dget_type(set);
    H5T_class_t class = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
    if (type >= 0)
        H5Tclose(type);
    return class;
}

static hssize_t count_of(hid_t set)
{
    hid_t space = H5Dget_space(set);
    hssize_t count = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    if (space >= 0)
        H5Sclose(space);
    return count;
}

/* Opens an array of whole numbers, or of any, and counts it. */
static ts_status open_numbers(ts_hdf *file, const char *path, bool whole, hid_t *set, size_t *count, ts_error *error)
{
    *set = is_plain(file, path) ? H5Dopen2(file->id, path, H5P_DEFAULT) : H5I_INVALID_HID;
    if (*set < 0)
        return ts_fail_at(error, TS_CORRUPT, place_of(file), "it has no array \"%s\"; is it an FCLIB file?", path);
    H5T_class_t class = class_of(*set);
    hssize_t numbers = count_of(*set);
    if (is_stored_here(*set) && (class == H5T_INTEGER || (class == H5T_FLOAT && !whole)) && numbers >= 0 &&
        (size_t)numbers / deflate_most <= file->size) {
        *count = (size_t)numbers;
        return TS_OK;
    }
    H5Dclose(*set);
    return ts_fail_at(error, TS_CORRUPT, place_of(file), "\"%s\" is no plain array of %s", path,
                      whole ? "whole numbers" : "numbers");
}

ts_status ts_hdf_count(ts_hdf *file, const char *path, size_t *count, ts_error *error)
{
    hid_t set;
    hush h = begin_hush();
    ts_status status = open_numbers(file, path, false, &set, count, error);
    if (status == TS_OK)
        H5Dclose(set);
    end_hush(h);
    return status;
}

/* ---- Reading ---- */

static ts_status get(ts_hdf *file, const char *path, bool whole, void *to, size_t count, ts_error *error)
{
    hid_t set;
    size_t there;
    TS_TRY(open_numbers(file, path, whole, &set, &there, error));
    ts_status status = TS_OK;
    if (there != count)
        status = ts_fail_at(error, TS_CORRUPT, place_of(file), "\"%s\" has %zu numbers, but should have %zu", path,
                            there, count);
    else if (count > 0 &&
             H5Dread(set, whole ? H5T_NATIVE_INT32 : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) < 0)
        status = ts_fail_at(error, TS_CORRUPT, place_of(file), "\"%s\" cannot be read; the file is damaged", path);
    H5Dclose(set);
    return status;
}

ts_status ts_hdf_get_ints(ts_hdf *file, const char *path, int32_t *to, size_t count, ts_error *error)
{
    hush h = begin_hush();
    ts_status status = get(file, path, true, to, count, error);
    end_hush(h);
    return status;
}

ts_status ts_hdf_get_doubles(ts_hdf *file, const char *path, double *to, size_t count, ts_error *error)
{
    hush h = begin_hush();
    ts_status status = get(file, path, false, to, count, error);
    end_hush(h);
    return status;
}

/* A text of fixed length that fits into what the caller has; longer ones and those of other kinds are left out. */
static void get_text(ts_hdf *file, const char *path, char *to, size_t capacity)
{
    hid_t set = is_plain(file, path) ? H5Dopen2(file->id, path, H5P_DEFAULT) : H5I_INVALID_HID;
    if (set < 0)
        return;
    hid_t type = H5Dget_type(set), memory = H5Tcopy(H5T_C_S1);
    if (type >= 0 && memory >= 0 && is_stored_here(set) && H5Tget_class(type) == H5T_STRING &&
        H5Tis_variable_str(type) == 0 && count_of(set) == 1 && H5Tset_size(memory, capacity) >= 0 &&
        H5Dread(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) < 0)
        to[0] = 0;
    to[capacity - 1] = 0;
    if (memory >= 0)
        H5Tclose(memory);
    if (type >= 0)
        H5Tclose(type);
    H5Dclose(set);
}

void ts_hdf_get_text(ts_hdf *file, const char *path, char *to, size_t capacity)
{
    hush h = begin_hush();
    memset(to, 0, capacity);
    get_text(file, path, to, capacity);
    end_hush(h);
}

/* ---- Writing ---- */

static ts_status fail_put(const ts_hdf *file, const char *path, ts_error *error)
{
    return ts_fail_at(error, TS_OUT_OF_MEMORY, place_of(file), "HDF5 could not add \"%s\"", path);
}

ts_status ts_hdf_put_group(ts_hdf *file, const char *path, ts_error *error)
{
    hush h = begin_hush();
    hid_t group = H5Gcreate2(file->id, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group >= 0)
        H5Gclose(group);
    end_hush(h);
    return group >= 0 ? TS_OK : fail_put(file, path, error);
}

/* An array, or a single thing: without times, so that the same contents are the same bytes. */
static bool put(const ts_hdf *file, const char *path, hid_t type, const void *from, const hsize_t *count)
{
    hid_t space = count ? H5Screate_simple(1, count, NULL) : H5Screate(H5S_SCALAR), how = H5Pcreate(H5P_DATASET_CREATE),
          set = H5I_INVALID_HID;
    bool done = false;
    if (space >= 0 && how >= 0 && H5Pset_obj_track_times(how, false) >= 0)
        set = H5Dcreate2(file->id, path, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    if (set >= 0) {
        done = (count && *count == 0) || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, from) >= 0;
        H5Dclose(set);
    }
    if (space >= 0)
        H5Sclose(space);
    if (how >= 0)
        H5Pclose(how);
    return done;
}

ts_status ts_hdf_put_ints(ts_hdf *file, const char *path, const int32_t *from, size_t count, ts_error *error)
{
    hush h = begin_hush();
    bool done = put(file, path, H5T_NATIVE_INT32, from, &(hsize_t){count});
    end_hush(h);
    return done ? TS_OK : fail_put(file, path, error);
}

ts_status ts_hdf_put_doubles(ts_hdf *file, const char *path, const double *from, size_t count, ts_error *error)
{
    hush h = begin_hush();
    bool done = put(file, path, H5T_NATIVE_DOUBLE, from, &(hsize_t){count});
    end_hush(h);
    return done ? TS_OK : fail_put(file, path, error);
}

ts_status ts_hdf_put_text(ts_hdf *file, const char *path, const char *text, ts_error *error)
{
    hush h = begin_hush();
    hid_t type = H5Tcopy(H5T_C_S1);
    bool done = type >= 0 && H5Tset_size(type, strlen(text) + 1) >= 0 && put(file, path, type, text, NULL);
    if (type >= 0)
        H5Tclose(type);
    end_hush(h);
    return done ? TS_OK : fail_put(file, path, error);
}

ts_status ts_hdf_remove(ts_hdf *file, const char *path, ts_error *error)
{
    hush h = begin_hush();
    bool done = H5Lexists(file->id, path, H5P_DEFAULT) == 0 || H5Ldelete(file->id, path, H5P_DEFAULT) >= 0;
    end_hush(h);
    return done ? TS_OK
                : ts_fail_at(error, TS_CORRUPT, place_of(file), "\"%s\" cannot be replaced; the file is damaged", path);
}

#endif
