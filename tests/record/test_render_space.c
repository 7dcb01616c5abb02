/* SPDX-License-Identifier: MIT */
/* From trajectories of space to pictures: what is shown, where, in which colours, and when. */
#include "record/sample_space.h"

#include <unistd.h>

#include "record/draw_sides.h"
#include "record/film.h"
#include "record/kind.h"
#include "record/render.h"
#include "record/render_space.h"
#include "record/springs3.h"
#include "record/stage3.h"
#include "support/files.h"

static ts_trajectory *open_sample(const char *path, int frames, bool own_camera)
{
    sample_space s;
    ts_trajectory *reader;
    sample_space_make(&s);
    if (!own_camera)
        s.model.camera = (ts_camera){.view = 0.5};
    sample_space_record(&s, path, frames);
    sample_space_free(&s);
    must(ts_trajectory_open(path, &reader, e));
    return reader;
}

/* ---- What is shown ---- */

static double distance_of_quats(ts_quat a, ts_quat b)
{
    return 1 - fabs(ts_quat_dot(a, b));
}

/* Things are the pieces of whatever is present, bodies first, where a matrix says that they are. */
static void things_stand_where_bodies_are(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_sample("things.tst", 6, true);
    const ts_trajectory_header *space = ts_trajectory_get_header(reader);
    ts_painter3 *painter;
    must(ts_painter3_create(ts_trajectory_get_header(reader), &(ts_frame_style){0}, &painter, e));
    size_t absent = 0;
    for (uint64_t k = 0; k < 6; k++) {
        const ts_view *view;
        ts_frame frame;
        must(ts_trajectory_read(reader, k, &frame, e));
        must(ts_painter3_view(painter, &frame, &view, e));
        size_t at = 0;
        for (size_t i = 0; i < space->body_count; i++) {
            const ts_form3 *form = &space->form[space->body[i].form];
            absent += !frame.body[i].present;
            for (size_t p = 0; frame.body[i].present && p < form->piece_count; p++) {
                const ts_piece *piece = &space->piece[form->piece_begin + p];
                const ts_thing *thing = &view->thing[at++];
                ts_mat3 turn = ts_quat_to_matrix(frame.body[i].pose.quat);
                ts_vec3 there = ts_vec3_add(frame.body[i].pose.position, ts_mat3_apply(turn, piece->pose.position));
                assert_ptr_equal(thing->solid, &piece->solid);
                assert_true(ts_vec3_distance(thing->pose.position, there) < 1e-12);
                assert_true(distance_of_quats(thing->pose.quat,
                                              ts_quat_mul(frame.body[i].pose.quat, piece->pose.quat)) < 1e-12);
                assert_true(thing->scale == 1);
            }
        }
        for (size_t i = 0; i < space->wall_count; i++) {
            absent += !frame.wall[i].present;
            if (frame.wall[i].present)
                assert_ptr_equal(view->thing[at++].solid, &space->piece[space->wall[i].piece_begin].solid);
        }
        /* springs: wires that hang together from anchor to anchor, turning back and forth by the width of the coil */
        for (size_t i = 0; i < space->spring_count; i++) {
            ts_vec3 end[2], last;
            if (!ts_springs3_ends(space, &frame, i, end))
                continue;
            last = end[0];
            while (at < view->thing_count && ts_vec3_distance(last, end[1]) > 1e-9) {
                const ts_thing *thing = &view->thing[at++];
                assert_int_equal(thing->solid->kind, TS_SOLID_CAPSULE);
                ts_vec3 half = ts_quat_apply(thing->pose.quat, (ts_vec3){0, 0, thing->solid->half_length});
                assert_true(ts_vec3_distance(ts_vec3_sub(thing->pose.position, half), last) < 1e-9);
                last = ts_vec3_add(thing->pose.position, half);
            }
            assert_true(ts_vec3_distance(last, end[1]) < 1e-9);
        }
        assert_int_equal(view->thing_count, at);
        /* the scene's own camera */
        assert_true(view->camera.position.x == 3 && view->camera.position.y == -4 && view->camera.target.z == 1);
        assert_true(view->camera.fov == 0.6);
        assert_false(view->ground.on); /* there is a floor already */
    }
    assert_true(absent > 0); /* gates of a body and a wall */
    ts_painter3_free(painter);
    ts_trajectory_close(reader);
}

static bool same_colour(ts_colour a, ts_colour b)
{
    return fabs(a.r - b.r) + fabs(a.g - b.g) + fabs(a.b - b.b) < 1e-9;
}

static void colours_are_the_recorded_quantities(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_sample("colours.tst", 2, true);
    const ts_trajectory_header *header = ts_trajectory_get_header(reader);
    for (int by = 0; by < TS_COLOUR_COUNT; by++) {
        ts_painter3 *painter;
        const ts_view *view;
        ts_frame frame;
        ts_error error;
        ts_frame_style style = {.colour = (ts_colour_by)by, .high = by == TS_COLOUR_SPEED ? 3 : 0};
        if (by == TS_COLOUR_ANGLE) {
            assert_int_equal(ts_painter3_create(header, &style, &painter, &error), TS_BAD_INPUT);
            assert_non_null(strstr(error.message, "no single angle"));
            continue;
        }
        must(ts_painter3_create(header, &style, &painter, e));
        must(ts_trajectory_read(reader, 0, &frame, e));
        must(ts_painter3_view(painter, &frame, &view, e));
        const ts_tint *tint = ts_painter3_tint(painter);
        assert_string_equal(tint->time_text, "t = 0.0 ms");
        for (size_t i = 0; i < header->body_count; i++) {
            const float *v = frame.body[i].velocity;
            double speed = sqrt((double)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
            if (by == TS_COLOUR_SPEED) {
                assert_true(fabs(tint->value[i] - speed) < 1e-6);
                if (!header->body[i].fixed)
                    assert_true(
                        same_colour(ts_tint_colour(tint, i), ts_colour_map_at(TS_MAP_VIRIDIS, tint->value[i] / 3)));
            }
            if (by == TS_COLOUR_SIZE)
                assert_true(tint->value[i] == header->body[i].radius);
            if (by == TS_COLOUR_MATERIAL)
                assert_true(tint->value[i] == (double)header->body[i].material);
        }
        if (by == TS_COLOUR_TYPE) {
            /* seven shapes, one of them without a name */
            assert_int_equal(tint->key.name_count, 7);
            assert_string_equal(tint->key.name[0], "ball");
            assert_string_equal(tint->key.name[6], "compound of 2");
            assert_true(tint->value[0] == tint->value[1] && tint->value[2] != tint->value[0]);
        }
        if (by == TS_COLOUR_FORCE) {
            /* force (0.5, -1, 2) along (0, 0.6, 0.8) is 1 N, on bodies 2, 3 and 4 */
            for (int i = 0; i < SPACE_BODIES; i++)
                assert_true(fabs(tint->value[i] - (i >= 2 && i <= 4)) < 1e-6);
        }
        ts_painter3_free(painter);
    }
    ts_painter3 *painter;
    ts_error error;
    assert_int_equal(ts_painter3_create(header, &(ts_frame_style){.chains = true}, &painter, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "force chains"));
    ts_trajectory_close(reader);
}

/* The last things are dots, shafts and heads of arrows from points along normals; bodies are glass; the key tells of forces. */
static void contacts_are_arrows_in_glass(void **unused)
{
    (void)unused;
    static const ts_contact_marks marks[] = {TS_MARKS_FORCE, TS_MARKS_WEIGHT, TS_MARKS_GAP};
    ts_trajectory *reader = open_sample("contacts.tst", 2, true);
    const ts_trajectory_header *header = ts_trajectory_get_header(reader);
    for (int k = 0; k < 3; k++) {
        ts_painter3 *painter, *plain;
        const ts_view *view, *before;
        ts_frame frame;
        must(ts_painter3_create(header, &(ts_frame_style){.contacts = marks[k]}, &painter, e));
        must(ts_painter3_create(header, &(ts_frame_style){0}, &plain, e));
        must(ts_trajectory_read(reader, 0, &frame, e));
        must(ts_painter3_view(plain, &frame, &before, e));
        must(ts_painter3_view(painter, &frame, &view, e));
        assert_int_equal(view->thing_count, before->thing_count + 3 * frame.contact_count);
        const ts_thing *arrow = &view->thing[before->thing_count];
        for (size_t i = 0; i < frame.contact_count; i++, arrow += 3) {
            const ts_frame_contact *c = &frame.contact[i];
            assert_true(ts_vec3_distance(arrow->pose.position, ts_vec3_of(c->point)) < 1e-12);
            const ts_vec3 way = ts_vec3_sub(arrow[2].pose.position, arrow->pose.position),
                          normal = {(double)c->normal[0], (double)c->normal[1], (double)c->normal[2]};
            assert_true(ts_vec3_length(ts_vec3_cross(way, normal)) < 1e-6 * ts_vec3_length(way));
            assert_true(ts_vec3_dot(way, normal) > 0);
        }
        size_t glass = 0;
        for (size_t i = 0; i < view->thing_count; i++)
            glass += view->thing[i].flags == (TS_THING_GHOST | TS_THING_TINTED);
        assert_true(glass >= SPACE_BODIES - 2); /* some are fixed */
        const ts_picture_key key = ts_painter3_key(painter);
        assert_int_equal(key.kind, TS_KEY_SCALE);
        /* 1 N, as above; weights of runs that do not record them are 1 */
        if (marks[k] != TS_MARKS_GAP)
            assert_true(fabs(key.high - 1) < 1e-6);
        ts_painter3_free(painter);
        ts_painter3_free(plain);
    }
    ts_trajectory_close(reader);
}

/* ---- Where it is seen from ---- */

/* Where a pinhole camera shows a point: -1 to 1 across and up the picture. */
static void project(const ts_eye *eye, double aspect, ts_vec3 p, double to[2])
{
    ts_vec3 z = ts_vec3_unit(ts_vec3_sub(eye->target, eye->position)), x = ts_vec3_unit(ts_vec3_cross(z, eye->up)),
            y = ts_vec3_cross(x, z), d = ts_vec3_sub(p, eye->position);
    double depth = ts_vec3_dot(d, z), t = tan(0.5 * eye->fov);
    assert_true(depth > 0);
    to[0] = ts_vec3_dot(d, x) / (depth * t * aspect);
    to[1] = ts_vec3_dot(d, y) / (depth * t);
}

/* The automatic camera sees every body of every frame, does not move, and is not too far away. */
static void the_camera_sees_everything_and_stands_still(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_sample("camera.tst", 8, false);
    const ts_trajectory_header *space = ts_trajectory_get_header(reader);
    ts_painter3 *painter;
    ts_frame frame;
    must(ts_painter3_create(ts_trajectory_get_header(reader), &(ts_frame_style){0}, &painter, e));
    for (uint64_t k = 0; k < 8; k++) {
        must(ts_trajectory_read(reader, k, &frame, e));
        must(ts_painter3_survey(painter, &frame, e));
    }
    const double aspect = 1.5, top = 0.1;
    ts_painter3_look(painter, aspect, (ts_image_part){0, top, 1, 1});
    ts_eye first = {0};
    double most = 0;
    for (uint64_t k = 0; k < 8; k++) {
        const ts_view *view;
        must(ts_trajectory_read(reader, k, &frame, e));
        must(ts_painter3_view(painter, &frame, &view, e));
        if (k == 0)
            first = view->camera;
        assert_memory_equal(&first, &view->camera, sizeof first);
        assert_true(view->camera.fov == 0.5); /* the scene's angle */
        ts_box3 stage = ts_painter3_stage(painter);
        for (int c = 0; c < 8; c++) {
            double at[2];
            project(&view->camera, aspect,
                    (ts_vec3){c & 1 ? stage.high.x : stage.low.x, c & 2 ? stage.high.y : stage.low.y,
                              c & 4 ? stage.high.z : stage.low.z},
                    at);
            assert_true(fabs(at[0]) < 1 && at[1] > -1 && at[1] < 1 - 2 * top);
            most = fmax(most, fmax(fabs(at[0]), fmax(-at[1], at[1] / (1 - 2 * top))));
        }
        for (size_t i = 0; i < space->body_count; i++) {
            ts_vec3 p = frame.body[i].pose.position;
            bool inside = p.x >= stage.low.x && p.x <= stage.high.x && p.y >= stage.low.y && p.y <= stage.high.y &&
                          p.z >= stage.low.z && p.z <= stage.high.z;
            assert_true(inside || !frame.body[i].present);
        }
        /* gravity is (0.1, 0, -9.81), and points down in the picture */
        assert_true(fabs(ts_vec3_dot(view->up, (ts_vec3){0.1, 0, -9.81}) + hypot(0.1, 9.81)) < 1e-9);
    }
    assert_true(most > 0.9);
    ts_painter3_free(painter);
    ts_trajectory_close(reader);
}

/* Balls of radius 0.1 in space, made by hand. */
#define BALLS 64

typedef struct by_hand {
    ts_trajectory_body body[BALLS];
    ts_frame_body now[BALLS];
    ts_form3 form[1];
    ts_piece piece[1 + 8];
    ts_trajectory_wall wall[8];
    ts_frame_wall wall_now[8];
    ts_trajectory_shape shape[1];
    ts_trajectory_header header;
    ts_frame frame;
} by_hand;

/* Within the unit cube, from corner to corner. */
static void make_by_hand(by_hand *h)
{
    static const char *const material[1] = {"stone"};
    *h = (by_hand){.shape = {{.name = "ball"}}};
    h->piece[0] = (ts_piece){{.kind = TS_SOLID_SPHERE, .radius = 0.1}, ts_pose3_identity()};
    h->form[0] = (ts_form3){.scale = 1, .piece_count = 1, .radius = 0.1, .volume = 0.004};
    for (int i = 0; i < BALLS; i++) {
        h->body[i] = (ts_trajectory_body){.scale = 1, .radius = 0.1, .mass = 1};
        int layer = i / 16, row = i / 4 % 4;
        h->now[i] = (ts_frame_body){.pose = {{(i % 4) / 3.0, row / 3.0, layer / 3.0}, {1, 0, 0, 0}}, .present = true};
    }
    h->header = (ts_trajectory_header){.dimension = 3,
                                       .kind = &ts_record_space,
                                       .duration = 1,
                                       .frame_interval = 0.1,
                                       .material_count = 1,
                                       .material_name = material,
                                       .gravity = {0, 0, -9.81},
                                       .shape_count = 1,
                                       .shape = h->shape,
                                       .form_count = 1,
                                       .form = h->form,
                                       .piece_count = 1,
                                       .piece = h->piece,
                                       .wall = h->wall,
                                       .body_count = BALLS,
                                       .body = h->body};
    h->frame = (ts_frame){.body = h->now, .wall = h->wall_now};
}

static void add_wall(by_hand *h, ts_solid solid, ts_vec3 at, ts_quat quat)
{
    size_t i = h->header.wall_count++;
    h->piece[h->header.piece_count] = (ts_piece){solid, ts_pose3_identity()};
    h->wall[i] = (ts_trajectory_wall){
        .name = "", .pose = {at, quat}, .piece_begin = h->header.piece_count++, .piece_count = 1, .source = (int32_t)i};
    h->wall_now[i] = (ts_frame_wall){.pose = {at, quat}, .present = true};
}

static void assert_box(ts_box3 box, double x0, double y0, double z0, double x1, double y1, double z1)
{
    assert_true(ts_vec3_distance(box.low, (ts_vec3){x0, y0, z0}) < 1e-12);
    assert_true(ts_vec3_distance(box.high, (ts_vec3){x1, y1, z1}) < 1e-12);
}

/* Each side looks from where it says, at all of the stage, whatever the scene's camera is. */
static void four_sides_look_from_where_they_say(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_sample("sides.tst", 2, true);
    const ts_trajectory_header *header = ts_trajectory_get_header(reader);
    ts_painter3 *painter;
    ts_frame frame;
    const ts_view *view;
    must(ts_painter3_create(header, &(ts_frame_style){0}, &painter, e));
    must(ts_trajectory_read(reader, 0, &frame, e));
    must(ts_painter3_survey(painter, &frame, e));
    const ts_box3 stage = ts_painter3_stage(painter);
    for (int i = 0; i < TS_SIDES; i++) {
        ts_painter3_from(painter, &ts_side_of[i]);
        must(ts_painter3_view(painter, &frame, &view, e));
        const ts_vec3 back = ts_vec3_unit(ts_vec3_sub(view->camera.position, view->camera.target)),
                      from = ts_quat_apply(ts_stage3_turn(header), ts_vec3_unit(ts_side_of[i].from));
        assert_true(ts_vec3_distance(back, from) < 1e-9);
        for (int k = 0; k < 8; k++) {
            double seen[2];
            project(&view->camera, 16.0 / 9,
                    (ts_vec3){k & 1 ? stage.high.x : stage.low.x, k & 2 ? stage.high.y : stage.low.y,
                              k & 4 ? stage.high.z : stage.low.z},
                    seen);
            assert_true(fabs(seen[0]) <= 1 && fabs(seen[1]) <= 1);
        }
    }
    ts_painter3_from(painter, NULL);
    must(ts_painter3_view(painter, &frame, &view, e));
    assert_true(view->camera.position.x == 3 && view->camera.position.y == -4); /* the scene's own */
    ts_painter3_free(painter);
    ts_trajectory_close(reader);
}

static void the_stage_holds_what_matters(void **unused)
{
    (void)unused;
    by_hand h;
    ts_box3 box;
    ts_solid plane = {.kind = TS_SOLID_PLANE}, block = {.kind = TS_SOLID_BOX, .half = {1, 1, 0.5}};
    make_by_hand(&h);
    must(ts_stage3_of(&h.header, &h.frame, &box, e));
    assert_box(box, -0.1, -0.1, -0.1, 1.1, 1.1, 1.1);

    /* one that flew away, one that is nowhere, one that is absent */
    h.now[20].pose.position.x = 50;
    h.now[21].pose.position.y = (double)NAN;
    h.now[22].pose.position.z = 3;
    h.now[22].present = false;
    must(ts_stage3_of(&h.header, &h.frame, &box, e));
    assert_box(box, -0.1, -0.1, -0.1, 1.1, 1.1, 1.1);

    /* a floor somewhat below is seen, one at which balls touch ends it; a far wall is not seen */
    add_wall(&h, plane, (ts_vec3){7, 7, -0.4}, ts_quat_identity());
    must(ts_stage3_of(&h.header, &h.frame, &box, e));
    assert_box(box, -0.1, -0.1, -0.4, 1.1, 1.1, 1.1);
    h.wall_now[0].pose.position.z = -0.05;
    must(ts_stage3_of(&h.header, &h.frame, &box, e));
    assert_box(box, -0.1, -0.1, -0.05, 1.1, 1.1, 1.1);
    add_wall(&h, plane, (ts_vec3){-9, 0, 0}, ts_quat_from_axis_angle((ts_vec3){0, 1, 0}, 0.5 * TS_PI));
    must(ts_stage3_of(&h.header, &h.frame, &box, e));
    assert_box(box, -0.1, -0.1, -0.05, 1.1, 1.1, 1.1);
    h.wall_now[1].pose.position.x = -0.3;
    must(ts_stage3_of(&h.header, &h.frame, &box, e));
    assert_box(box, -0.3, -0.1, -0.05, 1.1, 1.1, 1.1);

    /* a solid wall is seen as a whole */
    add_wall(&h, block, (ts_vec3){0.5, 0.5, 2}, ts_quat_identity());
    must(ts_stage3_of(&h.header, &h.frame, &box, e));
    assert_box(box, -0.3, -0.5, -0.05, 1.5, 1.5, 2.5);

    /* nothing at all is something of positive size */
    h.header.body_count = h.header.wall_count = 0;
    must(ts_stage3_of(&h.header, &h.frame, &box, e));
    assert_true(box.low.x < box.high.x && isfinite(box.low.x) && isfinite(box.high.x));
}

/* The usual camera stands at negative y: a block there hides the balls, one behind them does not. */
static void walls_in_front_are_glass(void **unused)
{
    (void)unused;
    by_hand h;
    ts_painter3 *painter;
    const ts_view *view;
    ts_solid slab = {.kind = TS_SOLID_BOX, .half = {0.9, 0.05, 0.9}}, plane = {.kind = TS_SOLID_PLANE};
    make_by_hand(&h);
    add_wall(&h, slab, (ts_vec3){0.5, -0.3, 0.5}, ts_quat_identity());
    add_wall(&h, slab, (ts_vec3){0.5, 1.3, 0.5}, ts_quat_identity());
    must(ts_painter3_create(&h.header, &(ts_frame_style){0}, &painter, e));
    must(ts_painter3_view(painter, &h.frame, &view, e));
    assert_true(view->thing[BALLS].flags & TS_THING_GHOST);
    assert_false(view->thing[BALLS + 1].flags & TS_THING_GHOST);
    /* walls, but no floor: there is one below everything */
    assert_true(view->ground.on && fabs(view->ground.height + 0.4) < 1e-12);
    ts_painter3_free(painter);

    add_wall(&h, plane, (ts_vec3){0, 0, -0.2}, ts_quat_identity());
    must(ts_painter3_create(&h.header, &(ts_frame_style){0}, &painter, e));
    must(ts_painter3_view(painter, &h.frame, &view, e));
    assert_false(view->ground.on);
    ts_painter3_free(painter);
}

/* From straight above, where z is no direction of the picture, y is up. */
static void cameras_may_look_straight_down(void **unused)
{
    (void)unused;
    by_hand h;
    ts_painter3 *painter;
    const ts_view *view;
    make_by_hand(&h);
    h.header.camera = (ts_camera){.position = {0.5, 0.5, 4}, .target = {0.5, 0.5, 0}};
    must(ts_painter3_create(&h.header, &(ts_frame_style){0}, &painter, e));
    must(ts_painter3_view(painter, &h.frame, &view, e));
    double low[2], high[2];
    project(&view->camera, 1, (ts_vec3){0.5, 0, 1}, low);
    project(&view->camera, 1, (ts_vec3){0.5, 1, 1}, high);
    assert_true(high[1] > low[1] + 0.3 && fabs(high[0]) < 1e-12 && fabs(low[0]) < 1e-12);
    ts_painter3_free(painter);
}

/* By triangles: a tetrahedron about the origin, whose shadow along x is a square. */
static void meshes_hide_what_is_behind_their_triangles(void **unused)
{
    (void)unused;
    ts_mesh *mesh;
    must(ts_mesh_create(4, 4, &mesh, e));
    memcpy(mesh->vertex, sample_corner, sizeof sample_corner);
    memcpy(mesh->triangle, sample_face, sizeof sample_face);
    ts_solid solid = {.kind = TS_SOLID_MESH, .mesh = mesh};
    ts_pose3 pose = {{0, 0, 0}, {1, 0, 0, 0}};
    ts_vec3 eye = {-1, 0, 0};
    assert_true(ts_stage3_blocks(&solid, pose, eye, (ts_vec3){1, 0, 0}));
    assert_false(ts_stage3_blocks(&solid, pose, eye, (ts_vec3){-0.5, 0, 0})); /* in front of it */
    assert_true(ts_stage3_blocks(&solid, pose, eye, (ts_vec3){1, 0.02, 0.02}));
    /* into the box, but past the tetrahedron, whose edge at x = 0.03 runs along y = z */
    assert_false(ts_stage3_blocks(&solid, pose, (ts_vec3){0.029, 0, 1}, (ts_vec3){0.029, 0, 0.027}));
    pose.position.y = 1;
    assert_false(ts_stage3_blocks(&solid, pose, eye, (ts_vec3){1, 0, 0}));
    ts_mesh_free(mesh);
}

/* ---- When ---- */

/* Between frames 0 and 1 bodies move and turn evenly. Body 0 turns by less than half a turn, body 5 by 3.8 rad, which
 * its attitude alone would call 2.5 rad the other way round: its spin says what is right. */
static void films_move_evenly(void **unused)
{
    (void)unused;
    sample_space s;
    ts_trajectory *reader;
    const ts_frame *frame;
    ts_film *film;
    ts_frame first;
    const ts_vec3 fast = {7500, 300, -100}; /* as sample_space_step turns body 5 */
    const double inertia = 1e-6;
    sample_space_make(&s);
    must(ts_inertia_make((ts_mat3){{{inertia, 0, 0}, {0, inertia, 0}, {0, 0, inertia}}}, &s.top[5], e));
    memcpy(s.state->body3[5].angular_momentum, (const double[]){inertia * fast.x, inertia * fast.y, inertia * fast.z},
           3 * sizeof(double));
    sample_space_record(&s, "film.tst", 3);
    sample_space_free(&s);
    must(ts_trajectory_open("film.tst", &reader, e));
    must(ts_trajectory_read(reader, 0, &first, e));
    ts_pose3 before = first.body[0].pose, before5 = first.body[5].pose;
    must(ts_film_create(reader, &film, e));
    const double h = 5e-4, share = 0.3;
    must(ts_film_at(film, share * h, false, &frame, e));
    assert_true(fabs(frame->time - share * h) < 1e-15);
    ts_vec3 velocity = {0.3, 0.2, -0.1}, spin = {0, 300, -100};
    assert_true(ts_vec3_distance(frame->body[0].pose.position,
                                 ts_vec3_add_scaled(before.position, velocity, share * h)) < 1e-9);
    assert_true(distance_of_quats(frame->body[0].pose.quat, ts_quat_integrate(before.quat, spin, share * h)) < 1e-9);
    assert_true(distance_of_quats(frame->body[5].pose.quat, ts_quat_integrate(before5.quat, fast, share * h)) < 1e-9);
    must(ts_film_at(film, 1.4 * h, true, &frame, e));
    assert_int_equal(frame->index, 1);
    uint64_t index;
    must(ts_film_nearest(reader, 1.4 * h, &index, e));
    assert_int_equal(index, 1);
    must(ts_film_nearest(reader, 1.6 * h, &index, e));
    assert_int_equal(index, 2);
    ts_film_free(film);
    ts_trajectory_close(reader);
}

/* ---- Files ---- */

static void assert_png(const char *path, int width, int height)
{
    size_t size;
    char *data = sample_read(path, &size);
    const unsigned char *b = (const unsigned char *)data;
    assert_true(size > 100);
    assert_memory_equal(data + 1, "PNG", 3);
    assert_int_equal(b[16] << 24 | b[17] << 16 | b[18] << 8 | b[19], width);
    assert_int_equal(b[20] << 24 | b[21] << 16 | b[22] << 8 | b[23], height);
    ts_free(data);
    unlink(path);
}

static void pictures_and_sheets_are_written(void **unused)
{
    (void)unused;
    ts_trajectory *reader = open_sample("files.tst", 4, false);
    ts_render_options options = ts_default_render_options();
    ts_render_result result;
    ts_error error;
    options.path = "space.png";
    options.draw.width = 320;
    options.draw.height = 200;
    options.thread_count = 1;
    ts_status status = ts_render(reader, &options, &result, &error);
    if (status == TS_UNSUPPORTED) { /* a build without Cairo */
        ts_trajectory_close(reader);
        skip();
    }
    assert_int_equal(status, TS_OK);
    assert_png("space.png", 320, 200);
    assert_true(fabs(result.from - 1.5e-3) < 1e-12);

    options.kind = TS_RENDER_SHEET;
    options.panel_count = 4;
    options.columns = 2;
    options.draw.width = 400;
    options.draw.height = 0;
    must(ts_render(reader, &options, &result, e));
    assert_int_equal(result.frame_count, 4);
    char *told = NULL, *silent = NULL; /* the spacing of the grid stands beside the first time */
    size_t told_size, silent_size;
    must(ts_file_read("space.png", 1 << 24, &told, &told_size, e));
    assert_png("space.png", 400, result.height);
    options.draw.scale_bar = false;
    must(ts_render(reader, &options, &result, e));
    must(ts_file_read("space.png", 1 << 24, &silent, &silent_size, e));
    assert_true(told_size != silent_size || memcmp(told, silent, told_size) != 0);
    ts_free(told);
    ts_free(silent);

    options.kind = TS_RENDER_IMAGE;
    options.view = (ts_box){0, 0, 1, 1};
    assert_int_equal(ts_render(reader, &options, NULL, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "of the plane"));
    ts_trajectory_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(things_stand_where_bodies_are),
        cmocka_unit_test(colours_are_the_recorded_quantities),
        cmocka_unit_test(contacts_are_arrows_in_glass),
        cmocka_unit_test(the_camera_sees_everything_and_stands_still),
        cmocka_unit_test(four_sides_look_from_where_they_say),
        cmocka_unit_test(the_stage_holds_what_matters),
        cmocka_unit_test(walls_in_front_are_glass),
        cmocka_unit_test(cameras_may_look_straight_down),
        cmocka_unit_test(meshes_hide_what_is_behind_their_triangles),
        cmocka_unit_test(films_move_evenly),
        cmocka_unit_test(pictures_and_sheets_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
