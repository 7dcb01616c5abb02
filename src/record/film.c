/* SPDX-License-Identifier: MIT */
#include "record/film.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "record/kind.h"

/* A frame of our own: the reader has one at a time, and motion between frames needs two. */
typedef struct held_frame {
    bool full;
    ts_frame frame; /* arrays are those below */
    ts_frame_body *body;
    ts_frame_wall *wall;
    TS_ARRAY(ts_frame_contact) contact;
} held_frame;

struct ts_film {
    ts_trajectory *reader;
    const ts_trajectory_header *header;
    held_frame before, after, between;
};

static ts_status held_create(held_frame *held, const ts_film *film, ts_error *error)
{
    const ts_trajectory_header *header = film->header;
    TS_TRY(ts_new(&held->body, header->body_count + 1, error));
    TS_TRY(ts_new(&held->wall, header->wall_count + 1, error));
    return TS_OK;
}

static void held_free(held_frame *held)
{
    ts_free(held->body);
    ts_free(held->wall);
    ts_array_free(&held->contact);
}

ts_status ts_film_create(ts_trajectory *reader, ts_film **film, ts_error *error)
{
    TS_AUTO(ts_film_free_at) ts_film *made = NULL;
    TS_TRY(ts_new(&made, 1, error));
    made->reader = reader;
    made->header = ts_trajectory_get_header(reader);
    held_frame *const held[3] = {&made->before, &made->after, &made->between};
    for (int i = 0; i < 3; i++)
        TS_TRY(held_create(held[i], made, error));
    *film = ts_give(&made);
    return TS_OK;
}

void ts_film_free(ts_film *film)
{
    if (!film)
        return;
    held_free(&film->before);
    held_free(&film->after);
    held_free(&film->between);
    ts_free(film);
}

static void copy(void *to, const void *from, size_t count, size_t size)
{
    if (count > 0)
        memcpy(to, from, count * size);
}

static ts_status held_read(held_frame *held, const ts_film *film, uint64_t index, ts_error *error)
{
    const ts_trajectory_header *header = film->header;
    if (held->full && held->frame.index == index)
        return TS_OK;
    ts_frame frame;
    held->full = false;
    TS_TRY(ts_trajectory_read(film->reader, index, &frame, error));
    TS_TRY(ts_array_reserve(&held->contact, frame.contact_count, error));
    copy(held->contact.item, frame.contact, frame.contact_count, sizeof *held->contact.item);
    copy(held->body, frame.body, header->body_count, sizeof *held->body);
    copy(held->wall, frame.wall, header->wall_count, sizeof *held->wall);
    frame.body = held->body;
    frame.wall = held->wall;
    frame.contact = held->contact.item;
    held->frame = frame;
    held->full = true;
    return TS_OK;
}

/* ---- Between two frames ---- */

static double mix(double a, double b, double t)
{
    return a + (b - a) * t;
}

/* How much of a turn quaternions cannot tell: they know a turn but for whole ones. The mean spin of the two frames says
 * how many, when it is steady and about the turn's own axis; otherwise the short way is taken. */
static ts_vec3 whole_turns(ts_vec3 turn, ts_vec3 spin, double span)
{
    ts_vec3 wanted = ts_vec3_scale(spin, span);
    double angle = ts_vec3_length(turn), most = ts_vec3_length(wanted);
    if (!(most > TS_PI) || !isfinite(most))
        return turn;
    ts_vec3 axis = angle > 1e-9 ? ts_vec3_scale(turn, 1 / angle) : ts_vec3_scale(wanted, 1 / most);
    double missing = ts_vec3_dot(wanted, axis) - angle;
    return ts_vec3_add_scaled(turn, axis, 2 * TS_PI * round(missing / (2 * TS_PI)));
}

static ts_vec3 mean_spin(const ts_frame_body *p, const ts_frame_body *q)
{
    return (ts_vec3){0.5 * ((double)p->spin[0] + (double)q->spin[0]), 0.5 * ((double)p->spin[1] + (double)q->spin[1]),
                     0.5 * ((double)p->spin[2] + (double)q->spin[2])};
}

ts_pose3 ts_film_mix_space(ts_pose3 p, ts_pose3 q, double angle, ts_vec3 spin, double span, double t)
{
    (void)angle;
    ts_vec3 turn = ts_quat_log(ts_quat_mul(q.quat, ts_quat_conjugate(p.quat)));
    return (ts_pose3){ts_vec3_lerp(p.position, q.position, t),
                      ts_quat_integrate(p.quat, whole_turns(turn, spin, span), t)};
}

ts_pose3 ts_film_mix_plane(ts_pose3 p, ts_pose3 q, double angle, ts_vec3 spin, double span, double t)
{
    (void)spin, (void)span; /* the angle itself counts turns */
    return (ts_pose3){{mix(p.position.x, q.position.x, t), mix(p.position.y, q.position.y, t), 0},
                      {cos(0.5 * angle), 0, 0, sin(0.5 * angle)}};
}

static void interpolate(ts_film *film, double t)
{
    const ts_frame *a = &film->before.frame, *b = &film->after.frame, *near = t < 0.5 ? a : b;
    held_frame *out = &film->between;
    const double span = b->time - a->time;
    const ts_record_kind *kind = film->header->kind;
    for (size_t i = 0; i < film->header->body_count; i++) {
        const ts_frame_body *p = &a->body[i], *q = &b->body[i];
        ts_frame_body *to = &out->body[i];
        *to = near->body[i];
        if (!p->present || !q->present)
            continue;
        to->angle = mix(p->angle, q->angle, t);
        to->pose = kind->mix(p->pose, q->pose, to->angle, mean_spin(p, q), span, t);
        for (int k = 0; k < 3; k++)
            to->velocity[k] = (float)mix((double)p->velocity[k], (double)q->velocity[k], t);
    }
    for (size_t i = 0; i < film->header->wall_count; i++) {
        const ts_frame_wall *p = &a->wall[i], *q = &b->wall[i];
        ts_frame_wall *to = &out->wall[i];
        *to = near->wall[i];
        if (!p->present || !q->present)
            continue;
        to->angle = mix(p->angle, q->angle, t);
        to->pose = kind->mix(p->pose, q->pose, to->angle, (ts_vec3){0, 0, 0}, span, t);
    }
    out->frame = *near;
    out->frame.time = mix(a->time, b->time, t);
    out->frame.body = out->body;
    out->frame.wall = out->wall;
}

ts_status ts_film_at(ts_film *film, double time, bool recorded, const ts_frame **frame, ts_error *error)
{
    uint64_t index;
    TS_TRY(ts_trajectory_find(film->reader, time, &index, error));
    if (film->after.full && film->after.frame.index == index) {
        held_frame swap = film->before;
        film->before = film->after;
        film->after = swap;
    }
    TS_TRY(held_read(&film->before, film, index, error));
    *frame = &film->before.frame;
    double start = film->before.frame.time;
    if (recorded || index + 1 >= ts_trajectory_frame_count(film->reader) || !(time > start))
        return TS_OK;
    TS_TRY(held_read(&film->after, film, index + 1, error));
    double span = film->after.frame.time - start;
    if (!(span > 0))
        return TS_OK;
    interpolate(film, fmin((time - start) / span, 1));
    *frame = &film->between.frame;
    return TS_OK;
}

ts_status ts_film_nearest(ts_trajectory *reader, double time, uint64_t *index, ts_error *error)
{
    double before, after;
    TS_TRY(ts_trajectory_find(reader, time, index, error));
    if (*index + 1 >= ts_trajectory_frame_count(reader))
        return TS_OK;
    TS_TRY(ts_trajectory_peek(reader, *index, NULL, &before, error));
    TS_TRY(ts_trajectory_peek(reader, *index + 1, NULL, &after, error));
    if (after - time < time - before)
        ++*index;
    return TS_OK;
}
