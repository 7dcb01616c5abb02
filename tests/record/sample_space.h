/* SPDX-License-Identifier: MIT */
/* A model of space and a state of it, made by hand: one body of each kind of solid, a compound, a fixed and a gated
 * body, a floor that moves, a room, a vessel, an obstacle. Numbers are such that no two are the same by accident. */
#pragma once

#include <math.h>

#include "dynamics/dynamics.h"
#include "model.h"
#include "record/sample.h"
#include "record/trajectory.h"
#include "world.h"

enum { SPACE_BODIES = 9, SPACE_WALLS = 9, SPACE_SHAPES = 7, SPACE_PIECES = 9 + SPACE_WALLS, SPACE_FORMS = 8 };

typedef struct sample_space {
    ts_model model;
    ts_state *state;

    char *material_name[2];
    double density[2];
    ts_contact_law law[4];
    ts_shape shape[SPACE_SHAPES];
    ts_form3 form[SPACE_FORMS];
    ts_piece piece[SPACE_PIECES];
    ts_body3 body[SPACE_BODIES];
    ts_inertia top[SPACE_BODIES];
    double mass[SPACE_BODIES];
    int32_t body_form[SPACE_BODIES], body_motion[SPACE_BODIES], body_gate[SPACE_BODIES];
    uint8_t body_material[SPACE_BODIES];
    size_t form_count, wall_count;
    ts_wall wall[SPACE_WALLS];
    ts_motion motion[1];
    ts_gate gate[1];
    ts_spring spring[2];
    ts_hull hull, *hulls[1];
    ts_vec3 hull_vertex[4], hull_normal[4];
    int32_t hull_corner[12], hull_begin[5];
    double hull_offset[4];
    ts_body_mesh mesh;
} sample_space;

/* A tetrahedron, whose faces are seen counter-clockwise from outside. */
static const ts_vec3 sample_corner[4] = {
    {0.03, 0.03, 0.03}, {0.03, -0.03, -0.03}, {-0.03, 0.03, -0.03}, {-0.03, -0.03, 0.03}};
static const int32_t sample_face[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};

static inline ts_quat sample_turn(double x, double y, double z, double angle)
{
    return ts_quat_from_axis_angle((ts_vec3){x, y, z}, angle);
}

static inline void sample_add_form(sample_space *s, size_t *pieces, int32_t shape, double scale, size_t count,
                                   const ts_piece *piece)
{
    ts_form3 *form = &s->form[s->form_count++];
    *form = (ts_form3){.shape = shape,
                       .scale = scale,
                       .piece_begin = *pieces,
                       .piece_count = count,
                       .radius = 0.08 * scale,
                       .volume = 1e-4 * scale * scale * scale};
    double unit = form->volume * 1e-3 * scale * scale;
    form->inertia =
        (ts_mat3){{{unit, 0.1 * unit, 0}, {0.1 * unit, 1.2 * unit, 0.05 * unit}, {0, 0.05 * unit, 1.1 * unit}}};
    for (size_t i = 0; i < count; i++)
        s->piece[(*pieces)++] = piece[i];
}

static inline void sample_add_forms(sample_space *s, size_t *pieces)
{
    const ts_pose3 here = ts_pose3_identity(), aside = {{0.03, 0, 0.01}, sample_turn(1, 2, 3, 0.4)};
    ts_solid sphere = {.kind = TS_SOLID_SPHERE, .radius = 0.05}, big = {.kind = TS_SOLID_SPHERE, .radius = 0.1};
    ts_solid box = {.kind = TS_SOLID_BOX, .half = {0.05, 0.04, 0.03}};
    ts_solid capsule = {.kind = TS_SOLID_CAPSULE, .radius = 0.02, .half_length = 0.05};
    ts_solid cylinder = {.kind = TS_SOLID_CYLINDER, .radius = 0.04, .half_length = 0.03};
    ts_solid hull = {.kind = TS_SOLID_HULL, .hull = &s->hull},
             mesh = {.kind = TS_SOLID_MESH, .mesh = s->mesh.mesh, .field = s->mesh.field};
    sample_add_form(s, pieces, 0, 1, 1, &(ts_piece){sphere, here});
    sample_add_form(s, pieces, 0, 2, 1, &(ts_piece){big, here});
    sample_add_form(s, pieces, 1, 1, 1, &(ts_piece){box, here});
    sample_add_form(s, pieces, 2, 1, 1, &(ts_piece){capsule, here});
    sample_add_form(s, pieces, 3, 1, 1, &(ts_piece){cylinder, here});
    sample_add_form(s, pieces, 4, 1, 1, &(ts_piece){hull, here});
    sample_add_form(s, pieces, 5, 1, 1, &(ts_piece){mesh, here});
    sample_add_form(s, pieces, 6, 1, 2, (const ts_piece[]){{sphere, aside}, {box, here}});
}

static inline void sample_add_wall(sample_space *s, size_t *pieces, const char *name, int32_t source, ts_pose3 pose,
                                   ts_solid solid)
{
    s->wall[s->wall_count++] = (ts_wall){.name = (char *)name,
                                         .pose = pose,
                                         .piece_begin = *pieces,
                                         .piece_count = 1,
                                         .source = source,
                                         .material = source % 2,
                                         .motion = -1,
                                         .open = (double)INFINITY,
                                         .close = (double)INFINITY};
    s->piece[(*pieces)++] = (ts_piece){solid, ts_pose3_identity()};
}

/* A room of 2 × 3 × 4 m about (0, 0, 2), a floor within it that shakes, a vessel, a post. */
static inline void sample_add_space_walls(sample_space *s, size_t *pieces)
{
    static const double half[3] = {1, 1.5, 2};
    ts_solid plane = {.kind = TS_SOLID_PLANE};
    sample_add_wall(s, pieces, "floor", 0, (ts_pose3){{0, 0, 0.01}, {1, 0, 0, 0}}, plane);
    s->wall[0].motion = 0;
    for (int k = 0; k < 6; k++) {
        /* the plane's z axis, its outside, looks into the room */
        double p[3] = {0, 0, 2}, n[3] = {0, 0, 0};
        n[k / 2] = k % 2 ? -1 : 1;
        p[k / 2] -= n[k / 2] * half[k / 2];
        ts_vec3 normal = {n[0], n[1], n[2]}, z = {0, 0, 1}, axis = ts_vec3_cross(z, normal);
        ts_quat turn = k == 4   ? ts_quat_identity()
                       : k == 5 ? sample_turn(1, 0, 0, TS_PI)
                                : ts_quat_from_axis_angle(axis, 0.5 * TS_PI);
        sample_add_wall(s, pieces, "room, \"large\"", 1, (ts_pose3){{p[0], p[1], p[2]}, turn}, plane);
    }
    sample_add_wall(s, pieces, NULL, 2, (ts_pose3){{0, 0, 1}, sample_turn(1, 0, 0, 0.3)},
                    (ts_solid){.kind = TS_SOLID_VESSEL, .radius = 0.9, .half_length = 1.1});
    s->wall[7].open = 0.0005;
    s->wall[7].close = 0.0015;
    sample_add_wall(s, pieces, "post", 3, (ts_pose3){{0.5, 0.1, 0.2}, sample_turn(0, 1, 1, 1)},
                    (ts_solid){.kind = TS_SOLID_BOX, .half = {0.1, 0.1, 0.2}});
}

static inline void sample_add_bodies3(sample_space *s)
{
    static const int32_t form[SPACE_BODIES] = {0, 1, 2, 3, 4, 5, 6, 7, 2};
    for (size_t i = 0; i < SPACE_BODIES; i++) {
        const ts_form3 *f = &s->form[form[i]];
        double t = (double)i + 1;
        ts_quat q = sample_turn(1, t, -2, 0.7 * t);
        ts_body3 *b = &s->body[i];
        s->body_form[i] = form[i];
        s->body_material[i] = i % 2;
        s->mass[i] = s->density[i % 2] * f->volume;
        bool fixed = i == 8;
        *b = (ts_body3){.position = {0.1 * t, -0.05 * t, 0.2 + 0.11 * t},
                        .attitude = {q.w, q.x, q.y, q.z},
                        .velocity = {0.3 * t, 0.2, -0.1 * t},
                        .angular_momentum = {1e-6 * t, -2e-6, 3e-6},
                        .radius = f->radius,
                        .inv_mass = fixed ? 0 : 1 / s->mass[i]};
        ts_mat3 inertia = ts_mat3_scale(f->inertia, s->density[i % 2]);
        must(ts_inertia_make(inertia, &s->top[i], e));
        s->body_motion[i] = -1;
        s->body_gate[i] = i == 3 ? 0 : -1;
    }
    s->gate[0] = (ts_gate){0.001, 0.002};
    s->spring[0] = (ts_spring){TS_SPRING_LINEAR, 0, 1, {0.01, 0, 0}, {0, 0.02, 0}, 50, 0.1};
    s->spring[1] = (ts_spring){TS_SPRING_CUBIC, -1, 2, {0, 0, 2}, {0, 0, 0.01}, 900, 0.3};
}

static inline void sample_add_surfaces(sample_space *s)
{
    memcpy(s->hull_vertex, sample_corner, sizeof s->hull_vertex);
    memcpy(s->hull_corner, sample_face, sizeof s->hull_corner);
    for (int f = 0; f <= 4; f++)
        s->hull_begin[f] = 3 * f;
    s->hull = (ts_hull){.vertex = s->hull_vertex,
                        .vertex_count = 4,
                        .corner = s->hull_corner,
                        .face_begin = s->hull_begin,
                        .normal = s->hull_normal,
                        .offset = s->hull_offset,
                        .face_count = 4};
    for (int f = 0; f < 4; f++) { /* by hand: each face looks away from the corner that it lacks */
        int lacking = 6 - sample_face[f][0] - sample_face[f][1] - sample_face[f][2];
        s->hull_normal[f] = ts_vec3_unit(ts_vec3_neg(sample_corner[lacking]));
        s->hull_offset[f] = ts_vec3_dot(s->hull_normal[f], sample_corner[sample_face[f][0]]);
    }
    s->hulls[0] = &s->hull;
    must(ts_mesh_create(4, 4, &s->mesh.mesh, e));
    memcpy(s->mesh.mesh->vertex, sample_corner, sizeof sample_corner);
    memcpy(s->mesh.mesh->triangle, sample_face, sizeof sample_face);
    ts_mesh_move(s->mesh.mesh, 1.5, (ts_pose3){{0, 0, 0}, sample_turn(0, 0, 1, 0.5)});
    must(ts_mesh_field_create(s->mesh.mesh, &(ts_field_wish){.cells = 4}, NULL, &s->mesh.field, e));
}

/* The state's arrays are its own; free with sample_space_free. */
static inline ts_state *sample_space_state(const sample_space *s)
{
    ts_state *state = ts_alloc(1, sizeof *state);
    assert_non_null(state);
    state->model = &s->model;
    state->body3 = ts_alloc(SPACE_BODIES, sizeof *state->body3);
    assert_non_null(state->body3);
    memcpy(state->body3, s->body, sizeof s->body);
    return state;
}

static inline void sample_space_free_state(ts_state *state)
{
    ts_free(state->body3);
    ts_array_free(&state->history);
    ts_array_free(&state->impulses);
    ts_free(state->spring);
    ts_free(state->wall_spring);
    ts_free(state);
}

/* Points into itself, so it is made in place. */
static inline void sample_space_make(sample_space *s)
{
    static const char *const shape[SPACE_SHAPES] = {"ball", "box", "capsule", "can", "tetra", "mesh", NULL};
    size_t pieces = 0;
    *s = (sample_space){.material_name = {NULL, "rubber"}, .density = {2500, 900}};
    for (int i = 0; i < SPACE_SHAPES; i++)
        s->shape[i].name = (char *)shape[i];
    sample_add_surfaces(s);
    sample_add_forms(s, &pieces);
    sample_add_bodies3(s);
    sample_add_space_walls(s, &pieces);
    s->motion[0] = (ts_motion){
        .kind = TS_DRIVE_VELOCITY, .velocity = {0.5, 0.1, -0.2}, .end = (double)INFINITY, .axis = {0, 0, 1}};
    s->model = (ts_model){.dimension = 3,
                          .world = &ts_world_space,
                          .settings = ts_default_settings(),
                          .stable_step = 1e-3,
                          .material_count = 2,
                          .material_name = s->material_name,
                          .density = s->density,
                          .law = s->law,
                          .dynamics = ts_dynamics_find("impact"),
                          .hash = 0x1234567890abcdef};
    s->model.param = (void *)s->model.dynamics->defaults; /* only read */
    s->model.gravity = (ts_vec3){0.1, 0, -9.81};
    s->model.camera = (ts_camera){{3, -4, 2}, {0, 0, 1}, {0, 0, 1}, 0.6};
    s->model.shape_count = SPACE_SHAPES;
    s->model.shape = s->shape;
    s->model.form_count = s->form_count;
    s->model.wall_count = s->wall_count;
    s->model.form = s->form;
    s->model.piece_count = pieces;
    s->model.piece = s->piece;
    s->model.body_count = SPACE_BODIES;
    s->model.body3 = s->body;
    s->model.inertia = s->top;
    s->model.mass = s->mass;
    s->model.body_form = s->body_form;
    s->model.body_material = s->body_material;
    s->model.body_motion = s->body_motion;
    s->model.body_gate = s->body_gate;
    s->model.wall = s->wall;
    s->model.motion_count = 1;
    s->model.motion = s->motion;
    s->model.gate_count = 1;
    s->model.gate = s->gate;
    s->model.spring_count = 2;
    s->model.spring = s->spring;
    s->model.hull_count = s->model.mesh_count = 1;
    s->model.hull = s->hulls;
    s->model.mesh = &s->mesh;
    s->model.settings.time_step = 5e-4;
    s->model.settings.duration = 0.01;
    s->model.settings.frame_interval = 5e-4;
    s->model.settings.record_contacts = true;
    s->state = sample_space_state(s);
}

/* Moves all but the fixed body along, in free flight without gravity and with a constant angular velocity: enough
 * for a film. */
static inline void sample_space_step(sample_space *s)
{
    double h = s->model.settings.time_step;
    s->state->step++;
    for (size_t i = 0; i < SPACE_BODIES - 1; i++) {
        ts_body3 *b = &s->state->body3[i];
        ts_quat q = {b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]};
        for (int k = 0; k < 3; k++)
            b->position[k] += h * b->velocity[k];
        q = ts_quat_integrate(q, (ts_vec3){1500.0 * (double)i, 300, -100},
                              h); /* up to several turns from frame to frame */
        memcpy(b->attitude, (const double[]){q.w, q.x, q.y, q.z}, sizeof b->attitude);
    }
}

static inline ts_contact sample_contact3(int64_t a, int64_t b)
{
    return (ts_contact){.a = a,
                        .b = b,
                        .key = 0x0123456789abcdef,
                        .gap = -0.25,
                        .normal = {0, 0.6, 0.8},
                        .point_a = {1, 2, 3},
                        .point_b = {1, 1.85, 2.8},
                        .force = {0.5, -1, 2}};
}

/* A trajectory of that many frames, with two contacts in each. */
static inline void sample_space_record(sample_space *s, const char *path, int frames)
{
    ts_trajectory_writer *writer;
    const ts_contact contact[2] = {sample_contact3(-1, 4), sample_contact3(2, 3)};
    must(ts_trajectory_create(path, &s->model, "a film", &writer, e));
    for (int i = 0; i < frames; i++) {
        must(ts_trajectory_append(writer, s->state, contact, 2, e));
        sample_space_step(s);
    }
    must(ts_trajectory_sync(writer, e));
    ts_trajectory_writer_free(writer);
}

static inline void sample_space_free(sample_space *s)
{
    sample_space_free_state(s->state);
    ts_mesh_field_free(s->mesh.field);
    ts_mesh_free(s->mesh.mesh);
}
