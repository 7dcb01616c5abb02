/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "record/append.h"
#include "record/trajectory.h"
#include "record/trajectory_format.h"

/* Bytes read at once while contents stream by, and while only frame heads are looked at. */
#define WINDOW_BYTES ((size_t)1 << 16)
#define PEEK_BYTES   ((size_t)1 << 12)
/* Entries of the index. When it is full every other one is dropped, so that it never grows with the file. Even. */
#define INDEX_MAX 16384
/* A kill tears one frame, a power cut as many as were not on the disk yet. At opening so many are looked at from the
 * end; a damaged frame before those is reported when it is read. */
#define TORN_MAX 64

struct ts_trajectory {
    int file;
    char *path;
    uint64_t file_bytes;
    ts_trajectory_header header;
    ts_arena arena; /* what the header points to */

    /* sparse index: offset[i] is where frame i · stride begins */
    uint64_t *offset;
    size_t offset_count;
    uint64_t stride;
    uint64_t frame_count;
    uint64_t end;         /* of the last whole frame */
    uint64_t near_index;  /* the frame after the one last visited, */
    uint64_t near_offset; /* and where it begins: makes reading in order fast */

    /* a piece of the file */
    unsigned char *window;
    uint64_t window_begin;
    size_t window_size;

    /* the frame last read */
    ts_frame_body *body;
    ts_frame_wall *wall;
    ts_frame_contact *contact;
    size_t contact_capacity;
};

/* ---- Bytes of the file ---- */

/* Reads up to `size` bytes at `offset`; `got` is less only at the end of the file. */
static ts_status read_at(ts_trajectory *reader, uint64_t offset, unsigned char *to, size_t size, size_t *got,
                         ts_error *error)
{
    *got = 0;
    while (*got < size) {
        ssize_t count = pread(reader->file, to + *got, size - *got, (off_t)(offset + *got));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return ts_fail_errno(error, "read", reader->path, errno);
        if (count == 0)
            break;
        *got += (size_t)count;
    }
    return TS_OK;
}

/* The `size` bytes at `offset`, which the file must hold; at least `ahead` are read if it must be read at all. */
static ts_status view(ts_trajectory *reader, uint64_t offset, size_t size, size_t ahead, const unsigned char **bytes,
                      ts_error *error)
{
    if (offset < reader->window_begin || offset + size > reader->window_begin + reader->window_size) {
        reader->window_begin = offset;
        reader->window_size = 0;
        TS_TRY(read_at(reader, offset, reader->window, ahead > size ? ahead : size, &reader->window_size, error));
        if (reader->window_size < size)
            return ts_fail(error, TS_IO, "%s became shorter while it was read; read it again", reader->path);
    }
    *bytes = reader->window + (offset - reader->window_begin);
    return TS_OK;
}

/* ---- Header ---- */

static ts_status damaged(const ts_trajectory *reader, const char *what, ts_error *error)
{
    return ts_fail(error, TS_CORRUPT, "%s is damaged: %s; record the run again", reader->path, what);
}

/* Reads the prefix and the header, and sets `end` to where the frames begin. */
static ts_status read_header(ts_trajectory *reader, ts_error *error)
{
    unsigned char prefix[TS_PREFIX_BYTES];
    size_t got;
    TS_TRY(read_at(reader, 0, prefix, sizeof prefix, &got, error));
    size_t known = got < sizeof ts_trajectory_magic ? got : sizeof ts_trajectory_magic;
    if (memcmp(prefix, ts_trajectory_magic, known) != 0)
        return ts_fail(error, TS_CORRUPT, "%s is not a trajectory; give a trajectory.tst of a run folder",
                       reader->path);
    if (got < sizeof prefix)
        return damaged(reader, "it ends before its header does", error);
    ts_bytes from = ts_bytes_of(prefix + sizeof ts_trajectory_magic, sizeof prefix - sizeof ts_trajectory_magic);
    uint32_t version = ts_take_u32(&from), flags = ts_take_u32(&from);
    uint64_t size = ts_take_u64(&from), checksum = ts_take_u64(&from);
    if (checksum != ts_hash(prefix, sizeof prefix - TS_CHECKSUM_BYTES, 0))
        return damaged(reader, "its first bytes have a wrong checksum", error);
    const ts_record_kind *kind = flags & ts_record_space.flag ? &ts_record_space : &ts_record_plane;
    if (version < kind->oldest || version > kind->version ||
        flags > (TS_TRAJECTORY_HAS_CONTACTS | TS_TRAJECTORY_HAS_BODY_GATES | TS_TRAJECTORY_IS_SPACE |
                 TS_TRAJECTORY_HAS_SPRINGS | TS_TRAJECTORY_HAS_WEIGHTS))
        return ts_fail(error, TS_UNSUPPORTED,
                       "%s has version %" PRIu32 " of the format, this program reads versions up to %d; "
                       "use the program that wrote it",
                       reader->path, version, TS_TRAJECTORY_VERSION);
    uint64_t room = reader->file_bytes - TS_PREFIX_BYTES;
    if (room < TS_CHECKSUM_BYTES || size > room - TS_CHECKSUM_BYTES || size > SIZE_MAX - TS_CHECKSUM_BYTES)
        return damaged(reader, "it ends before its header does", error);

    reader->header.version = version;
    reader->header.kind = kind;
    reader->header.dimension = kind->axes;
    reader->header.has_springs = flags & TS_TRAJECTORY_HAS_SPRINGS;
    reader->header.has_weights = !kind->weighs && (flags & TS_TRAJECTORY_HAS_WEIGHTS);
    size_t bytes = (size_t)size + TS_CHECKSUM_BYTES;
    TS_AUTO_FREE unsigned char *block = NULL;
    TS_TRY(ts_new_raw(&block, bytes, error));
    TS_TRY(read_at(reader, TS_PREFIX_BYTES, block, bytes, &got, error));
    ts_bytes tail = ts_bytes_of(block + size, TS_CHECKSUM_BYTES);
    if (got < bytes || ts_take_u64(&tail) != ts_hash(block, (size_t)size, 0))
        return damaged(reader, "its header has a wrong checksum", error);
    reader->header.has_contacts = flags & TS_TRAJECTORY_HAS_CONTACTS;
    reader->header.has_body_gates = flags & TS_TRAJECTORY_HAS_BODY_GATES;
    reader->end = TS_PREFIX_BYTES + bytes;
    return ts_trajectory_parse_header(ts_bytes_of(block, (size_t)size), &reader->arena, &reader->header, reader->path,
                                      error);
}

/* ---- Frames: where they are ---- */

typedef struct frame_head {
    uint64_t payload; /* bytes */
    uint64_t step;
    double time;
    uint64_t next; /* where the following frame begins */
} frame_head;

static ts_record_sizes sizes_of(const ts_trajectory *reader)
{
    return ts_record_sizes_of(reader->header.kind, reader->header.has_body_gates, reader->header.has_weights);
}

/* Version 1 said nothing about energies. */
static size_t energy_bytes(const ts_trajectory *reader)
{
    return reader->header.version > 1 ? TS_FRAME_ENERGY_BYTES : 0;
}

/* Bytes of a frame's payload without contacts. Cannot overflow: the header holds a third as many bytes for each
 * body. */
static uint64_t payload_base(const ts_trajectory *reader)
{
    const ts_record_sizes each = sizes_of(reader);
    return TS_FRAME_COUNT_BYTES + energy_bytes(reader) + reader->header.wall_count * (uint64_t)each.wall +
           reader->header.body_count * (uint64_t)each.body;
}

/* Reads the head of the frame at `offset`. `whole` tells whether there is one that fits into the file. */
static ts_status read_head(ts_trajectory *reader, uint64_t offset, frame_head *head, bool *whole, ts_error *error)
{
    *whole = false;
    uint64_t room = reader->file_bytes - offset;
    if (room < TS_FRAME_HEAD_BYTES + TS_CHECKSUM_BYTES)
        return TS_OK;
    const unsigned char *bytes = NULL;
    TS_TRY(view(reader, offset, TS_FRAME_HEAD_BYTES, PEEK_BYTES, &bytes, error));
    ts_bytes from = ts_bytes_of(bytes, TS_FRAME_HEAD_BYTES);
    uint32_t magic = ts_take_u32(&from), type = ts_take_u32(&from);
    head->payload = ts_take_u64(&from);
    head->step = ts_take_u64(&from);
    head->time = ts_take_f64(&from);
    uint64_t base = payload_base(reader);
    if (magic != TS_FRAME_MAGIC || type != TS_FRAME_STATE || !isfinite(head->time) ||
        ts_take_u64(&from) != ts_hash(bytes, TS_FRAME_HEAD_BYTES - TS_CHECKSUM_BYTES, 0))
        return TS_OK;
    if (head->payload > room - TS_FRAME_HEAD_BYTES - TS_CHECKSUM_BYTES || head->payload < base ||
        (head->payload - base) % sizes_of(reader).contact != 0)
        return TS_OK;
    head->next = offset + TS_FRAME_HEAD_BYTES + head->payload + TS_CHECKSUM_BYTES;
    *whole = true;
    return TS_OK;
}

static void remember_offset(ts_trajectory *reader, uint64_t index, uint64_t offset)
{
    if (index % reader->stride != 0)
        return;
    if (reader->offset_count == INDEX_MAX) {
        for (size_t i = 0; i < INDEX_MAX / 2; i++)
            reader->offset[i] = reader->offset[2 * i];
        reader->offset_count = INDEX_MAX / 2;
        reader->stride *= 2;
        if (index % reader->stride != 0)
            return;
    }
    reader->offset[reader->offset_count++] = offset;
}

/* Goes from frame to frame and stops at the first that is not whole. */
static ts_status scan(ts_trajectory *reader, ts_error *error)
{
    uint64_t last_step = 0;
    for (;;) {
        frame_head head = {0};
        bool whole = false;
        TS_TRY(read_head(reader, reader->end, &head, &whole, error));
        if (!whole || (reader->frame_count > 0 && head.step <= last_step))
            return TS_OK;
        remember_offset(reader, reader->frame_count, reader->end);
        reader->frame_count++;
        reader->end = head.next;
        last_step = head.step;
    }
}

ts_status ts_trajectory_offset(ts_trajectory *reader, uint64_t index, uint64_t *offset, ts_error *error)
{
    if (index >= reader->frame_count) {
        *offset = reader->end;
        return index == reader->frame_count
                   ? TS_OK
                   : ts_fail(error, TS_BAD_INPUT, "%s has %" PRIu64 " frames, and no frame %" PRIu64 "; count from 0",
                             reader->path, reader->frame_count, index);
    }
    /* from the last known frame at or before it */
    uint64_t slot = index / reader->stride, at_index = slot * reader->stride, at = reader->offset[slot];
    if (reader->near_index <= index && reader->near_index > at_index) {
        at_index = reader->near_index;
        at = reader->near_offset;
    }
    for (; at_index < index; at_index++) {
        frame_head head = {0};
        bool whole = false;
        TS_TRY(read_head(reader, at, &head, &whole, error));
        if (!whole)
            return damaged(reader, "it changed while it was read", error);
        at = head.next;
    }
    reader->near_index = index;
    reader->near_offset = at;
    *offset = at;
    return TS_OK;
}

/* ---- Frames: what is in them ---- */

/* A frame as it streams by, whole records at a time. It is hashed by windows: many small pieces would cost more. */
typedef struct stream {
    ts_hash_stream hash; /* first: it is aligned to a cache line */
    ts_trajectory *reader;
    uint64_t at;
    uint64_t hashed; /* up to here */
} stream;

static void stream_hash(stream *from)
{
    ts_hash_add(&from->hash, from->reader->window + (from->hashed - from->reader->window_begin),
                (size_t)(from->at - from->hashed));
    from->hashed = from->at;
}

static ts_status stream_take(stream *from, size_t size, ts_bytes *bytes, ts_error *error)
{
    ts_trajectory *reader = from->reader;
    const unsigned char *data = NULL;
    if (from->at + size > reader->window_begin + reader->window_size)
        stream_hash(from); /* what the window holds is about to be replaced */
    TS_TRY(view(reader, from->at, size, WINDOW_BYTES, &data, error));
    from->at += size;
    *bytes = ts_bytes_of(data, size);
    return TS_OK;
}

static ts_status stream_begin(stream *from, ts_trajectory *reader, uint64_t offset, ts_error *error)
{
    ts_bytes head;
    const unsigned char *data = NULL;
    TS_TRY(view(reader, offset, TS_FRAME_HEAD_BYTES, WINDOW_BYTES, &data, error));
    from->reader = reader;
    from->at = from->hashed = offset;
    ts_hash_begin(&from->hash, 0);
    return stream_take(from, TS_FRAME_HEAD_BYTES, &head, error);
}

static ts_status stream_end(stream *from, bool *good, ts_error *error)
{
    stream_hash(from);
    ts_bytes bytes;
    TS_TRY(stream_take(from, TS_CHECKSUM_BYTES, &bytes, error));
    *good = ts_take_u64(&bytes) == ts_hash_end(&from->hash);
    return TS_OK;
}

/* Whether the checksum of a frame is right, whatever the frame says. */
static ts_status verify(ts_trajectory *reader, uint64_t index, bool *good, ts_error *error)
{
    uint64_t offset = 0;
    frame_head head = {0};
    TS_TRY(ts_trajectory_offset(reader, index, &offset, error));
    TS_TRY(read_head(reader, offset, &head, good, error));
    if (!*good)
        return TS_OK;
    stream from;
    ts_bytes bytes;
    TS_TRY(stream_begin(&from, reader, offset, error));
    for (uint64_t left = head.payload; left > 0;) {
        size_t part = left < WINDOW_BYTES ? (size_t)left : WINDOW_BYTES;
        TS_TRY(stream_take(&from, part, &bytes, error));
        left -= part;
    }
    return stream_end(&from, good, error);
}

static bool contact_is_known(const ts_trajectory_header *header, const ts_frame_contact *c)
{
    bool known_a = c->a < 0 ? (uint64_t)(-1 - c->a) < header->wall_count : (uint64_t)c->a < header->body_count;
    return known_a && c->b >= 0 && (uint64_t)c->b < header->body_count;
}

typedef enum record_kind { WALL, BODY, CONTACT } record_kind;

/* Reads all records of a kind into the reader; *sane becomes false when a number makes no sense. */
static ts_status read_records(stream *from, record_kind kind, size_t count, size_t size, bool *sane, ts_error *error)
{
    ts_trajectory *reader = from->reader;
    const ts_record_kind *as = reader->header.kind;
    for (size_t i = 0; i < count; i++) {
        ts_archive a = {.bounded = as->bounded, .sane = true};
        TS_TRY(stream_take(from, size, &a.from, error));
        if (kind == WALL)
            ts_record_wall(&a, as, &reader->wall[i]);
        else if (kind == BODY)
            ts_record_body(&a, as, reader->header.has_body_gates, &reader->body[i]);
        else
            ts_record_contact(&a, as, reader->header.has_weights, &reader->contact[i]);
        *sane &= a.sane && (kind != CONTACT || contact_is_known(&reader->header, &reader->contact[i]));
    }
    return TS_OK;
}

static ts_status read_all_records(stream *from, size_t contact_count, bool *sane, ts_error *error)
{
    ts_trajectory *reader = from->reader;
    const ts_record_sizes each = sizes_of(reader);
    TS_TRY(ts_array_reserve_bytes((void **)&reader->contact, &reader->contact_capacity, contact_count,
                                  sizeof *reader->contact, error));
    TS_TRY(read_records(from, WALL, reader->header.wall_count, each.wall, sane, error));
    TS_TRY(read_records(from, BODY, reader->header.body_count, each.body, sane, error));
    if (contact_count > 0) /* some fields are of one dimension only */
        memset(reader->contact, 0, contact_count * sizeof *reader->contact);
    return read_records(from, CONTACT, contact_count, each.contact, sane, error);
}

static ts_status find_frame(ts_trajectory *reader, uint64_t index, uint64_t *offset, frame_head *head, ts_error *error)
{
    bool whole = false;
    if (index >= reader->frame_count)
        return ts_fail(error, TS_BAD_INPUT, "%s has %" PRIu64 " frames, and no frame %" PRIu64 "; count from 0",
                       reader->path, reader->frame_count, index);
    TS_TRY(ts_trajectory_offset(reader, index, offset, error));
    TS_TRY(read_head(reader, *offset, head, &whole, error));
    return whole ? TS_OK : damaged(reader, "it changed while it was read", error);
}

/* A budget that is not finite, of a run about to diverge, is no reason to refuse the frame. */
static ts_status read_energy(stream *from, ts_frame_energy *energy, ts_error *error)
{
    const ts_trajectory *reader = from->reader;
    double *value[] = {&energy->elastic, &energy->work, &energy->lost_normal, &energy->lost_tangential,
                       &energy->lost_friction};
    for (int i = 0; i < 5; i++)
        *value[i] = (double)NAN;
    if (energy_bytes(reader) == 0)
        return TS_OK;
    ts_bytes bytes;
    TS_TRY(stream_take(from, TS_FRAME_ENERGY_BYTES, &bytes, error));
    for (int i = 0; i < 5; i++) {
        *value[i] = ts_take_f64(&bytes);
        if (!isfinite(*value[i]))
            *value[i] = (double)NAN;
    }
    if (!reader->header.has_contacts && !reader->header.kind->tells_elastic)
        energy->elastic = (double)NAN;
    return TS_OK;
}

ts_status ts_trajectory_read(ts_trajectory *reader, uint64_t index, ts_frame *frame, ts_error *error)
{
    uint64_t offset = 0;
    frame_head head = {0};
    TS_TRY(find_frame(reader, index, &offset, &head, error));
    stream from;
    ts_bytes bytes;
    TS_TRY(stream_begin(&from, reader, offset, error));
    TS_TRY(stream_take(&from, TS_FRAME_COUNT_BYTES, &bytes, error));
    uint64_t contact_count = ts_take_u64(&bytes),
             room = (head.payload - payload_base(reader)) / sizes_of(reader).contact;
    bool sane = contact_count == room, good = false;
    ts_frame_energy energy = {0};
    if (sane) {
        TS_TRY(read_energy(&from, &energy, error));
        TS_TRY(read_all_records(&from, (size_t)contact_count, &sane, error));
        TS_TRY(stream_end(&from, &good, error));
    }
    if (!sane || !good)
        return ts_fail(error, TS_CORRUPT, "frame %" PRIu64 " of %s is damaged (%s); leave it out", index, reader->path,
                       good ? "a number is out of range" : "wrong checksum");
    reader->near_index = index + 1;
    reader->near_offset = head.next;
    *frame = (ts_frame){.index = index,
                        .step = head.step,
                        .time = head.time,
                        .energy = energy,
                        .body = reader->body,
                        .wall = reader->wall,
                        .contact = reader->contact,
                        .contact_count = (size_t)contact_count};
    return TS_OK;
}

ts_status ts_trajectory_peek(ts_trajectory *reader, uint64_t index, uint64_t *step, double *time, ts_error *error)
{
    uint64_t offset = 0;
    frame_head head = {0};
    TS_TRY(find_frame(reader, index, &offset, &head, error));
    if (step)
        *step = head.step;
    if (time)
        *time = head.time;
    return TS_OK;
}

ts_status ts_trajectory_find(ts_trajectory *reader, double time, uint64_t *index, ts_error *error)
{
    uint64_t low = 0, high = reader->frame_count; /* the answer is in [low, high) */
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        double at = 0;
        TS_TRY(ts_trajectory_peek(reader, middle, NULL, &at, error));
        if (at <= time)
            low = middle;
        else
            high = middle;
    }
    *index = low;
    return TS_OK;
}

/* ---- Opening ---- */

/* Takes frames off the end as long as their checksums are wrong. */
static ts_status drop_torn(ts_trajectory *reader, ts_error *error)
{
    for (int i = 0; i < TORN_MAX && reader->frame_count > 0; i++) {
        bool good = false;
        uint64_t offset = 0;
        TS_TRY(verify(reader, reader->frame_count - 1, &good, error));
        if (good)
            return TS_OK;
        TS_TRY(ts_trajectory_offset(reader, reader->frame_count - 1, &offset, error));
        reader->frame_count--;
        reader->end = offset;
    }
    return TS_OK;
}

static ts_status open_reader(ts_trajectory *reader, ts_error *error)
{
    struct stat about;
    reader->file = ts_open(reader->path, O_RDONLY, 0);
    if (reader->file < 0 || fstat(reader->file, &about) != 0)
        return ts_fail_errno(error, "open", reader->path, errno);
    if (!S_ISREG(about.st_mode))
        return ts_fail(error, TS_BAD_INPUT, "%s is not a file; give a trajectory.tst of a run folder", reader->path);
    reader->file_bytes = (uint64_t)about.st_size;
    TS_TRY(read_header(reader, error));

    const ts_trajectory_header *header = &reader->header;
    reader->body = ts_alloc(header->body_count + 1, sizeof *reader->body);
    reader->wall = ts_alloc(header->wall_count + 1, sizeof *reader->wall);
    reader->offset = ts_alloc_raw(INDEX_MAX, sizeof *reader->offset);
    reader->window = ts_alloc_raw(WINDOW_BYTES, 1);
    if (!reader->body || !reader->wall || !reader->offset || !reader->window)
        return ts_fail_memory(error, header->body_count * sizeof *reader->body);
    reader->stride = 1;
    TS_TRY(scan(reader, error));
    return drop_torn(reader, error);
}

ts_status ts_trajectory_open(const char *path, ts_trajectory **reader, ts_error *error)
{
    TS_AUTO(ts_trajectory_close_at) ts_trajectory *made = NULL;
    TS_TRY(ts_new(&made, 1, error));
    made->file = -1;
    made->path = ts_copy_text(path);
    TS_TRY(made->path ? open_reader(made, error) : ts_fail_memory(error, 0));
    *reader = ts_give(&made);
    return TS_OK;
}

void ts_trajectory_close(ts_trajectory *reader)
{
    if (!reader)
        return;
    if (reader->file >= 0)
        close(reader->file);
    ts_free(reader->path);
    ts_free(reader->offset);
    ts_free(reader->window);
    ts_free(reader->body);
    ts_free(reader->wall);
    ts_free(reader->contact);
    ts_trajectory_release_header(&reader->header);
    ts_arena_free(&reader->arena);
    ts_free(reader);
}

const ts_trajectory_header *ts_trajectory_get_header(const ts_trajectory *reader)
{
    return &reader->header;
}

uint64_t ts_trajectory_frame_count(const ts_trajectory *reader)
{
    return reader->frame_count;
}

uint64_t ts_trajectory_torn_bytes(const ts_trajectory *reader)
{
    return reader->file_bytes - reader->end;
}
