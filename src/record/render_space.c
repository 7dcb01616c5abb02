/* SPDX-License-Identifier: MIT */
#include "record/render_space.h"

#include <math.h>

#include "base/memory.h"
#include "record/contacts3.h"
#include "record/draw_paint.h"
#include "record/draw_sides.h"
#include "record/springs3.h"
#include "record/stage3.h"

/* From the lower to the upper edge of the picture, where the scene has a camera but no angle; and where it has
 * neither [rad]. */
#define SCENE_VIEW (35 * TS_PI / 180)
#define OWN_VIEW   (28 * TS_PI / 180)
/* Planes whose normal has at least this share of up are floors, as for the tracer. */
#define FLOOR_SLOPE 0.5
/* Bodies of each surveyed frame that are asked for whether a wall hides them. */
#define ASKED 48
/* A coil: so many segments a turn, turns at most, and from there on springs are straight, for the sake of time. */
#define COIL_SEGMENTS 14
#define COIL_TURNS    12
#define COILS_MOST    200
/* Longest arrow of a contact, over the typical radius of a body and over the stage's diagonal. */
#define ARROW_BODIES 1.8
#define ARROW_STAGE  0.12
/* A wall that hides more than this share of them is glass. */
#define HIDING 0.12

struct ts_painter3 {
    const ts_trajectory_header *header;
    ts_tint *tint;
    ts_contacts3 contacts;
    ts_vec3 up; /* unit */

    /* found by the survey */
    ts_box3 stage; /* low > high: nothing yet */
    TS_ARRAY(ts_vec3) asked;
    size_t surveyed;

    const ts_side *side; /* NULL: the scene's camera, or the usual one */
    double aspect;       /* that the camera was placed for; 0: not yet */
    ts_image_part part;
    bool *glass; /* of each wall (wall_count) */
    ts_thing_array thing;
    TS_ARRAY(ts_solid) wire; /* of springs: what their things refer to */
    ts_view view;
};

/* ---- Making and surveying ---- */

ts_status ts_painter3_create(const ts_trajectory_header *header, const ts_frame_style *style, ts_painter3 **painter,
                             ts_error *error)
{
    if (style->chains)
        return ts_fail(error, TS_BAD_INPUT,
                       "force chains are drawn in the plane only; leave out --chains, or colour by force");
    TS_AUTO(ts_painter3_free_at) ts_painter3 *made = NULL;
    TS_TRY(ts_new(&made, 1, error));
    made->header = header;
    made->up = ts_stage3_up(header);
    made->stage = ts_box3_none();
    made->view = ts_default_view();
    made->view.theme = style->theme;
    made->contacts = ts_contacts3_make(style);
    ts_frame_style of_bodies = *style;
    of_bodies.high = style->contacts ? 0 : style->high;
    TS_TRY(ts_tint_create(header, &of_bodies, &made->tint, error));
    TS_TRY(ts_new(&made->glass, header->wall_count + 1, error));
    *painter = ts_give(&made);
    return TS_OK;
}

void ts_painter3_free(ts_painter3 *painter)
{
    if (!painter)
        return;
    ts_tint_free(painter->tint);
    ts_contacts3_release(&painter->contacts);
    ts_array_free(&painter->asked);
    ts_free(painter->glass);
    ts_array_free(&painter->thing);
    ts_array_free(&painter->wire);
    ts_free(painter);
}

ts_status ts_painter3_survey(ts_painter3 *painter, const ts_frame *frame, ts_error *error)
{
    size_t count = painter->header->body_count, stride = count / ASKED + 1;
    ts_box3 box;
    TS_TRY(ts_tint_survey(painter->tint, frame, error));
    ts_contacts3_survey(&painter->contacts, frame);
    TS_TRY(ts_stage3_of(painter->header, frame, &box, error));
    ts_painter3_widen(painter, box);
    for (size_t i = 0; i < count; i += stride) {
        ts_vec3 at = frame->body[i].pose.position;
        if (frame->body[i].present && !painter->header->body[i].fixed && ts_vec3_is_finite(at))
            TS_TRY(ts_array_push(&painter->asked, at, error));
    }
    painter->surveyed++;
    return TS_OK;
}

ts_box3 ts_painter3_stage(const ts_painter3 *painter)
{
    return painter->stage;
}

void ts_painter3_widen(ts_painter3 *painter, ts_box3 by)
{
    painter->aspect = 0; /* the camera has to move */
    painter->stage = ts_box3_join(painter->stage, by);
}

/* ---- The camera ---- */

double ts_painter3_aspect(const ts_painter3 *painter)
{
    if (ts_stage3_has_camera(painter->header))
        return 16.0 / 9;
    ts_vec3 back = ts_vec3_unit(ts_stage3_side(painter->header)),
            right = ts_vec3_unit(ts_vec3_cross(painter->up, back)), above = ts_vec3_cross(back, right),
            size = ts_vec3_sub(painter->stage.high, painter->stage.low);
    double width = size.x * fabs(right.x) + size.y * fabs(right.y) + size.z * fabs(right.z);
    double height = size.x * fabs(above.x) + size.y * fabs(above.y) + size.z * fabs(above.z);
    return height > 0 ? fmin(fmax(width / height, 0.6), 2.4) : 16.0 / 9;
}

/* The sun stands to the left of the eye, high, and a little in front of the things. */
static void place_sun(ts_painter3 *painter)
{
    const ts_eye *eye = &painter->view.camera;
    ts_vec3 up = painter->up, sight = ts_vec3_sub(eye->position, eye->target);
    ts_vec3 right = ts_vec3_cross(up, sight);
    if (!(ts_vec3_length(right) > 1e-6 * ts_vec3_length(sight))) /* straight down */
        right = ts_vec3_cross(ts_vec3_unit(sight), eye->up);
    right = ts_vec3_unit(right);
    if (!(ts_vec3_length(right) > 0.5))
        return;
    ts_vec3 front = ts_vec3_cross(right, up);
    painter->view.light.sun = ts_vec3_add_scaled(ts_vec3_add_scaled(ts_vec3_scale(up, 0.9), right, -0.66), front, 0.12);
}

/* Whether the wall stands between the eye and so many of the bodies that it had better be glass. */
static bool hides_much(const ts_painter3 *painter, const ts_trajectory_wall *wall)
{
    size_t hidden = 0;
    for (size_t i = 0; i < painter->asked.count; i++) {
        for (size_t k = 0; k < wall->piece_count; k++) {
            const ts_piece *piece = &painter->header->piece[wall->piece_begin + k];
            ts_pose3 pose = ts_pose3_compose(wall->pose, piece->pose);
            if (ts_stage3_blocks(&piece->solid, pose, painter->view.camera.position, painter->asked.item[i])) {
                hidden++;
                break;
            }
        }
    }
    return (double)hidden > HIDING * (double)painter->asked.count;
}

void ts_painter3_look(ts_painter3 *painter, double aspect, ts_image_part part)
{
    const ts_camera *camera = &painter->header->camera;
    if (painter->aspect == aspect && painter->part.top == part.top && painter->part.bottom == part.bottom &&
        painter->part.left == part.left && painter->part.right == part.right)
        return;
    ts_vec3 up = ts_vec3_unit(ts_stage3_vector(camera->up));
    up = ts_vec3_length(up) > 0.5                ? up
         : ts_stage3_has_camera(painter->header) ? ts_stage3_camera_up(camera)
                                                 : painter->up;
    if (painter->side)
        painter->view.camera = ts_camera_framing(
            painter->stage, ts_quat_apply(ts_stage3_turn(painter->header), painter->side->from),
            ts_quat_apply(ts_stage3_turn(painter->header), painter->side->up), OWN_VIEW, aspect, part);
    else if (ts_stage3_has_camera(painter->header))
        painter->view.camera = (ts_eye){.position = ts_stage3_vector(camera->position),
                                        .target = ts_stage3_vector(camera->target),
                                        .up = up,
                                        .fov = camera->view > 0 ? camera->view : SCENE_VIEW};
    else
        painter->view.camera = ts_camera_framing(painter->stage, ts_stage3_side(painter->header), up,
                                                 camera->view > 0 ? camera->view : OWN_VIEW, aspect, part);
    place_sun(painter);
    for (size_t i = 0; i < painter->header->wall_count; i++)
        painter->glass[i] = hides_much(painter, &painter->header->wall[i]);
    painter->aspect = aspect;
    painter->part = part;
}

void ts_painter3_from(ts_painter3 *painter, const ts_side *side)
{
    if (painter->side == side)
        return;
    painter->side = side;
    painter->aspect = 0; /* the camera has to move */
}

/* ---- A frame ---- */

static bool makes_sense(ts_pose3 pose)
{
    return ts_vec3_is_finite(pose.position) && isfinite(ts_quat_dot(pose.quat, pose.quat));
}

static ts_status add_pieces(ts_painter3 *painter, size_t begin, size_t count, ts_pose3 pose, ts_thing like,
                            ts_error *error)
{
    if (!makes_sense(pose))
        return TS_OK;
    for (size_t k = 0; k < count; k++) {
        const ts_piece *piece = &painter->header->piece[begin + k];
        like.solid = &piece->solid;
        like.pose = ts_pose3_compose(pose, piece->pose);
        like.scale = 1;
        TS_TRY(ts_array_push(&painter->thing, like, error));
    }
    return TS_OK;
}

/* The floor below everything, where the scene has none. */
static ts_ground own_ground(const ts_painter3 *painter)
{
    const ts_trajectory_header *header = painter->header;
    bool at_rest = false;
    for (size_t i = 0; i < header->wall_count; i++) {
        const ts_piece *piece = &header->piece[header->wall[i].piece_begin];
        ts_vec3 normal = ts_quat_apply(header->wall[i].pose.quat, ts_quat_apply(piece->pose.quat, (ts_vec3){0, 0, 1}));
        if (piece->solid.kind == TS_SOLID_PLANE && ts_vec3_dot(normal, painter->up) > FLOOR_SLOPE)
            return (ts_ground){.on = false};
        at_rest = true;
    }
    for (size_t i = 0; i < header->body_count; i++)
        at_rest = at_rest || header->body[i].fixed;
    ts_vec3 up = painter->up, low = painter->stage.low, high = painter->stage.high;
    double height =
        fmin(up.x * low.x, up.x * high.x) + fmin(up.y * low.y, up.y * high.y) + fmin(up.z * low.z, up.z * high.z);
    return (ts_ground){.on = at_rest && ts_stage3_has_gravity(header), .height = height};
}

/* ---- Springs ---- */

/* A wire that winds from end to end, as far as the share t of it. It leaves each end straight. */
typedef struct coil {
    ts_vec3 from, way, across[2];
    double width, turns; /* turns 0: straight */
} coil;

static ts_vec3 coil_at(const coil *c, double t)
{
    const double straight = 0.08, grow = 0.06; /* of its length, at both ends */
    double inside = fmin(fmax((fmin(t, 1 - t) - straight) / grow, 0), 1), angle = 2 * TS_PI * c->turns * t;
    double width = c->width * inside * inside * (3 - 2 * inside);
    ts_vec3 p = ts_vec3_add_scaled(c->from, c->way, t);
    return ts_vec3_add_scaled(ts_vec3_add_scaled(p, c->across[0], width * cos(angle)), c->across[1],
                              width * sin(angle));
}

/* As many turns as at rest lie close together, so that a stretched spring looks stretched. */
static double turns_of(const ts_trajectory_header *header, size_t i, double width)
{
    double rest = header->spring[i].rest;
    return header->spring_count > COILS_MOST ? 0
           : rest > 0                        ? fmin(fmax(round(rest / (1.2 * width)), 3), COIL_TURNS)
                                             : COIL_TURNS;
}

static size_t segments_of(double turns)
{
    return turns > 0 ? (size_t)(turns * COIL_SEGMENTS) : 1;
}

static ts_status add_spring(ts_painter3 *painter, const ts_frame *frame, size_t i, ts_thing like, ts_error *error)
{
    const double width = ts_springs3_width(painter->header, i), turns = turns_of(painter->header, i, width);
    const size_t segments = segments_of(turns);
    ts_vec3 end[2];
    if (!ts_springs3_ends(painter->header, frame, i, end))
        return TS_OK;
    coil c = {.from = end[0], .way = ts_vec3_sub(end[1], end[0]), .turns = turns, .width = turns > 0 ? width : 0};
    if (!(ts_vec3_length(c.way) > 0))
        return TS_OK;
    ts_vec3_tangents(ts_vec3_unit(c.way), &c.across[0], &c.across[1]);
    for (size_t k = 0; k < segments; k++) {
        ts_vec3 a = coil_at(&c, (double)k / (double)segments), b = coil_at(&c, (double)(k + 1) / (double)segments);
        ts_solid *wire = &painter->wire.item[painter->wire.count++];
        *wire =
            (ts_solid){.kind = TS_SOLID_CAPSULE, .radius = 0.16 * width, .half_length = 0.5 * ts_vec3_distance(a, b)};
        like.solid = wire;
        like.pose = ts_springs3_pose(a, b);
        like.scale = 1;
        TS_TRY(ts_array_push(&painter->thing, like, error));
    }
    return TS_OK;
}

static ts_status add_springs(ts_painter3 *painter, const ts_frame *frame, ts_colour colour, ts_error *error)
{
    const ts_trajectory_header *header = painter->header;
    size_t segments = 0;
    for (size_t i = 0; i < header->spring_count; i++)
        segments += segments_of(turns_of(header, i, ts_springs3_width(header, i)));
    painter->wire.count = 0;
    TS_TRY(ts_array_reserve(&painter->wire, segments, error)); /* things refer to them: they may not move */
    for (size_t i = 0; i < header->spring_count; i++)
        TS_TRY(add_spring(painter, frame, i, (ts_thing){.colour = colour}, error));
    return TS_OK;
}

/* About as long as a body, but not too long for the picture. */
static double arrow_size(const ts_painter3 *painter)
{
    const double stage = ts_vec3_distance(painter->stage.low, painter->stage.high);
    return fmin(ARROW_BODIES * painter->tint->typical_radius, ARROW_STAGE * stage);
}

ts_status ts_painter3_view(ts_painter3 *painter, const ts_frame *frame, const ts_view **view, ts_error *error)
{
    const ts_trajectory_header *header = painter->header;
    if (painter->surveyed == 0)
        TS_TRY(ts_painter3_survey(painter, frame, error));
    if (painter->aspect == 0)
        ts_painter3_look(painter, 16.0 / 9, TS_WHOLE_IMAGE);
    ts_tint_set(painter->tint, frame);
    painter->thing.count = 0;
    for (size_t i = 0; i < header->body_count; i++) {
        const ts_form3 *form = &header->form[header->body[i].form];
        const bool glass = painter->contacts.marks && !header->body[i].fixed;
        ts_thing like = {.colour = ts_tint_colour(painter->tint, i),
                         .flags = glass ? TS_THING_GHOST | TS_THING_TINTED : 0};
        if (frame->body[i].present)
            TS_TRY(add_pieces(painter, form->piece_begin, form->piece_count, frame->body[i].pose, like, error));
    }
    const ts_theme_colours *theme = ts_theme_get(painter->view.theme);
    for (size_t i = 0; i < header->wall_count; i++) {
        const ts_trajectory_wall *wall = &header->wall[i];
        ts_solid_kind kind = header->piece[wall->piece_begin].solid.kind;
        bool glass = painter->glass[i] || kind == TS_SOLID_PLANE || kind == TS_SOLID_VESSEL;
        ts_thing like = {.colour = ts_colour_of(glass ? theme->edge : theme->hatch),
                         .flags = painter->glass[i] ? TS_THING_GHOST : 0};
        if (frame->wall[i].present)
            TS_TRY(add_pieces(painter, wall->piece_begin, wall->piece_count, frame->wall[i].pose, like, error));
    }
    TS_TRY(add_springs(painter, frame, ts_colour_of(theme->muted), error));
    TS_TRY(ts_contacts3_add(&painter->contacts, frame, arrow_size(painter), &painter->thing, error));
    painter->view.thing = painter->thing.item;
    painter->view.thing_count = painter->thing.count;
    painter->view.up = painter->up;
    painter->view.stage = painter->stage;
    painter->view.ground = own_ground(painter);
    *view = &painter->view;
    return TS_OK;
}

const ts_tint *ts_painter3_tint(const ts_painter3 *painter)
{
    return painter->tint;
}

ts_picture_key ts_painter3_key(const ts_painter3 *painter)
{
    return painter->contacts.marks ? ts_contacts3_key(&painter->contacts) : painter->tint->key;
}
