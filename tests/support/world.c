/* SPDX-License-Identifier: MIT */
#include "support/world.h"

#include "base/hash.h"
#include "state.h"

#include "support/check.h"

void ts_test_open(ts_test_world *w, double gravity)
{
    *w = (ts_test_world){0};
    OK(ts_scene_create(&w->scene, ERROR));
    ts_settings settings = ts_default_settings();
    settings.gravity[1] = gravity;
    OK(ts_scene_set(w->scene, &settings, ERROR));
}

void ts_test_places(ts_scene *scene, const char *places)
{
    ts_dynamics_def dynamics = ts_default_dynamics();
    dynamics.places = places;
    OK(ts_scene_set_dynamics(scene, &dynamics, ERROR));
}

void ts_test_compile(ts_test_world *w)
{
    OK(ts_model_compile(w->scene, &w->model, ERROR));
    OK(ts_model_prepare(w->model, &(ts_map_making){.cache = ""}, ERROR)); /* nothing of the user's is touched */
}

void ts_test_start(ts_test_world *w, int threads)
{
    ts_test_compile(w);
    OK(ts_state_create(w->model, &w->state, ERROR));
    OK(ts_workspace_create(w->model, threads, &w->work, ERROR));
}

void ts_test_step(ts_test_world *w, uint64_t count)
{
    OK(ts_step(w->model, w->state, w->work, count, ERROR));
}

void ts_test_close(ts_test_world *w)
{
    ts_workspace_free(w->work);
    ts_state_free(w->state);
    ts_model_free(w->model);
    ts_scene_free(w->scene);
    *w = (ts_test_world){0};
}

/* ---- Shapes ---- */

int32_t ts_test_disc(ts_scene *scene, double radius)
{
    int32_t shape;
    OK(ts_scene_add_disc(scene, radius, &shape, ERROR));
    return shape;
}

static int32_t add_shape(ts_scene *scene, const ts_disc *disc, size_t count)
{
    ts_shape_def def = ts_default_shape();
    def.disc = disc;
    def.disc_count = count;
    int32_t shape;
    OK(ts_scene_add_shape(scene, &def, &shape, ERROR));
    return shape;
}

int32_t ts_test_triad(ts_scene *scene, double radius)
{
    const ts_disc disc[] = {{0, 0, radius}, {1.7 * radius, 0, radius}, {0.4 * radius, 1.5 * radius, 0.8 * radius}};
    return add_shape(scene, disc, 3);
}

int32_t ts_test_rod(ts_scene *scene, double radius, int count)
{
    ts_disc disc[16];
    assert_in_range(count, 1, 16);
    for (int i = 0; i < count; i++)
        disc[i] = (ts_disc){1.5 * radius * i, 0, radius};
    return add_shape(scene, disc, (size_t)count);
}

/* ---- Bodies ---- */

int32_t ts_test_body_moving(ts_scene *scene, int32_t shape, double x, double y, double vx, double vy, double spin)
{
    ts_body_def def = ts_default_body();
    def.shape = shape;
    def.position[0] = x;
    def.position[1] = y;
    def.velocity[0] = vx;
    def.velocity[1] = vy;
    def.spin[2] = spin;
    int32_t body;
    OK(ts_scene_add_body(scene, &def, &body, ERROR));
    return body;
}

int32_t ts_test_box_shape(ts_scene *scene, double width, double height)
{
    ts_outline *box;
    int32_t shape;
    OK(ts_outline_box(width, height, 0, &box, ERROR));
    OK(ts_scene_add_outline(scene, NULL, box, &shape, ERROR));
    ts_outline_free(box);
    return shape;
}

int32_t ts_test_body(ts_scene *scene, int32_t shape, double x, double y)
{
    return ts_test_body_moving(scene, shape, x, y, 0, 0, 0);
}

int32_t ts_test_fixed(ts_scene *scene, const char *name, int32_t shape, double x, double y)
{
    ts_body_def def = ts_default_body();
    def.name = name;
    def.shape = shape;
    def.position[0] = x;
    def.position[1] = y;
    def.fixed = true;
    int32_t body;
    OK(ts_scene_add_body(scene, &def, &body, ERROR));
    return body;
}

/* ---- Boundaries ---- */

int32_t ts_test_plane(ts_scene *scene, const char *name, double x, double y, double nx, double ny)
{
    ts_wall_def def = ts_default_wall();
    def.name = name;
    def.position[0] = x;
    def.position[1] = y;
    def.normal[0] = nx;
    def.normal[1] = ny;
    int32_t wall;
    OK(ts_scene_add_wall(scene, &def, &wall, ERROR));
    return wall;
}

int32_t ts_test_circle(ts_scene *scene, const char *name, double x, double y, double radius)
{
    ts_wall_def def = ts_default_wall();
    def.name = name;
    def.kind = TS_WALL_CIRCLE;
    def.position[0] = x;
    def.position[1] = y;
    def.radius = radius;
    int32_t wall;
    OK(ts_scene_add_wall(scene, &def, &wall, ERROR));
    return wall;
}

int32_t ts_test_polyline(ts_scene *scene, const char *name, const ts_vertex *vertex, size_t count, bool open)
{
    ts_wall_def def = ts_default_wall();
    def.kind = TS_WALL_POLYLINE;
    def.name = name;
    def.line = (ts_contour){vertex, count, open};
    int32_t wall;
    OK(ts_scene_add_wall(scene, &def, &wall, ERROR));
    return wall;
}

int32_t ts_test_outline(ts_scene *scene, const char *name, ts_outline *outline, double x, double y, bool inside)
{
    ts_wall_def def = ts_default_wall();
    def.kind = TS_WALL_OUTLINE;
    def.name = name;
    def.position[0] = x;
    def.position[1] = y;
    def.inside = inside;
    int32_t wall;
    OK(ts_scene_add_outline(scene, NULL, outline, &def.shape, ERROR));
    ts_outline_free(outline);
    OK(ts_scene_add_wall(scene, &def, &wall, ERROR));
    return wall;
}

void ts_test_box(ts_scene *scene, double width)
{
    ts_test_plane(scene, "floor", 0, 0, 0, 1);
    ts_test_plane(scene, "left", 0, 0, 1, 0);
    ts_test_plane(scene, "right", width, 0, -1, 0);
}

void ts_test_fill_mix(ts_scene *scene, const double a[2], const double b[2], size_t count, const ts_mix_entry *mix,
                      size_t mix_count, double spread)
{
    ts_generator_def def = ts_default_generator();
    for (int i = 0; i < 2; i++) {
        def.low[i] = a[i];
        def.high[i] = b[i];
    }
    def.count = count;
    def.mix = mix;
    def.mix_count = mix_count;
    def.velocity_spread = spread;
    OK(ts_scene_add_generator(scene, &def, NULL, ERROR));
}

void ts_test_fill(ts_scene *scene, const double a[2], const double b[2], size_t count, int32_t shape, double low,
                  double high, double spread)
{
    ts_mix_entry mix = {.shape = shape, .material = 0, .weight = 1, .scale_min = low, .scale_max = high};
    ts_test_fill_mix(scene, a, b, count, &mix, 1, spread);
}

uint64_t ts_test_hash(const ts_state *state)
{
    return ts_hash(&state->budget, sizeof state->budget, ts_state_hash(state));
}
