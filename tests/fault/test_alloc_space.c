/* SPDX-License-Identifier: MIT */
/* Scenes of space with the N-th allocation failing, for all N: an error that says so, nothing handed out, nothing
 * leaked; and a call that is tried again, once there is memory, has not been changed by the one that failed. */
#include <string.h>

#include "base/file.h"
#include "scene/read.h"
#include "support/check.h"
#include "support/heap.h"
#include "support/world3.h"
#include "touchstone/touchstone.h"

static const char text[] =
    "{\"touchstone\": 1, \"space\": \"space\", \"camera\": {\"view\": 1},"
    "\"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 1},"
    " \"file\": {\"kind\": \"mesh\", \"file\": \"t.obj\"},"
    " \"ring\": {\"kind\": \"mesh\", \"made\": {\"kind\": \"torus\", \"ring\": 3, \"tube\": 1, \"along\": 6, "
    "\"around\": 4}},"
    " \"two\": {\"kind\": \"compound\", \"pieces\": [{\"kind\": \"sphere\", \"radius\": 1},"
    "  {\"kind\": \"hull\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}]}},"
    "\"bodies\": [{\"name\": \"a\", \"shape\": \"ball\", \"position\": [0, 0, 0], \"fixed\": true},"
    " {\"name\": \"b\", \"shape\": \"two\", \"position\": [0, 0, 4]}],"
    "\"boundaries\": [{\"name\": \"floor\", \"kind\": \"plane\", \"point\": [0, 0, -1], \"normal\": [0, 0, 1]}],"
    "\"springs\": [{\"kind\": \"linear\", \"a\": \"a\", \"b\": \"b\", \"stiffness\": 1}],"
    "\"generators\": [{\"name\": \"g\", \"kind\": \"random\", \"region\": {\"box\": [5, 5, 5, 9, 9, 9]}, \"count\": 1,"
    "  \"shape\": \"ball\", \"scale\": {\"kind\": \"table\", \"points\": [[0.1, 0], [0.2, 1]]}}],"
    "\"drives\": [{\"kind\": \"keyframes\", \"target\": \"a\", \"keys\": [{\"time\": 0}, {\"time\": 1}]}]}";
static const char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

static ts_status parse(ts_error *error)
{
    ts_scene *scene = NULL;
    ts_status status = ts_scene_parse(text, sizeof text - 1, "t.json", NULL, &scene, error);
    assert_true((status == TS_OK) == (scene != NULL));
    ts_scene_free(scene);
    return status;
}

static ts_status resolve(ts_error *error)
{
    char *resolved = NULL;
    size_t length = 0;
    const ts_text_file file = {.name = "t.json", .text = text, .length = sizeof text - 1};
    ts_status status = ts_scene_resolve_text(&file, NULL, &resolved, &length, error);
    assert_true((status == TS_OK) == (resolved != NULL));
    ts_free(resolved);
    return status;
}

/* Every call is repeated until it succeeds; the scene then has what was added once. */
static ts_status build(ts_error *error)
{
    static const double point[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    ts_scene *scene = NULL;
    ts_space_def space = ts_default_space();
    ts_piece_def piece = {.kind = TS_PIECE_HULL, .point = point, .point_count = 4};
    ts_shape_def solid = ts_default_shape();
    ts_body_def body = ts_default_body();
    ts_wall_def wall = ts_default_wall();
    ts_spring_def spring = ts_default_spring();
    solid.name = "simplex";
    solid.piece = &piece;
    solid.piece_count = 1;
    body.name = spring.b = "bob";
    wall.name = "floor";
    spring.stiffness = 1;
    ts_status status = ts_scene_create(&scene, error), first = status;
    if (status != TS_OK)
        return status;
    OK(ts_scene_set_space(scene, &space, ERROR));
#define AGAIN(call)                                     \
    do {                                                \
        if ((status = (call)) != TS_OK) {               \
            assert_int_equal(status, TS_OUT_OF_MEMORY); \
            first = status;                             \
            *error = ts_test_error;                     \
            OK(call);                                   \
        }                                               \
    } while (0)
    AGAIN(ts_scene_add_shape(scene, &solid, NULL, ERROR));
    AGAIN(ts_scene_add_body(scene, &body, NULL, ERROR));
    AGAIN(ts_scene_add_wall(scene, &wall, NULL, ERROR));
    AGAIN(ts_scene_add_spring(scene, &spring, NULL, ERROR));
    assert_true(scene->shape.count == 1 && scene->body.count == 1 && scene->wall.count == 1);
    assert_true(scene->spring.count == 1 && scene->target_name.count == 2);
    assert_true(scene->shape.item[0].piece[0].point[3][2] == 1);
    ts_scene_free(scene);
    return first;
}

/* A body of every kind that is built in memory, scripts, springs, a generator; contacts, and a state that is copied.
 * Meshes are left to test_alloc_mesh.c. */
static ts_scene *world_scene;

static void open_world(uint64_t sweeps)
{
    ts_test_world w = {0};
    ts_drive_def drive = ts_default_drive();
    ts_spring_def spring = ts_default_spring();
    ts_body_def bob = ts_default_body();
    ts_test_space(&w, -9.81);
    ts_test_impact3(w.scene, "gr", 0, 0.4, 1.0 / 200);
    if (sweeps > 0)
        ts_test_sweeps3(w.scene, sweeps);
    ts_test_floor(w.scene);
    drive.kind = TS_DRIVE_KEYFRAMES;
    drive.target = "floor";
    drive.key = (const ts_keyframe[]){{.time = 0}, {.time = 1, .displacement = {0, 0, 0.1}}};
    drive.key_count = 2;
    OK(ts_scene_add_drive(w.scene, &drive, NULL, ERROR));
    const int32_t box = ts_test_block(w.scene, 0.2, 0.15, 0.1), hammer = ts_test_hammer(w.scene, 0.12),
                  wedge = ts_test_wedge(w.scene, 0.2);
    ts_test_body3(w.scene, box, 0, 0, 0.0495);
    ts_test_body3(w.scene, hammer, 0, 0, 0.25);
    bob.name = spring.b = "bob";
    bob.shape = wedge;
    bob.position[0] = 1;
    bob.position[2] = 0.04;
    OK(ts_scene_add_body(w.scene, &bob, NULL, ERROR));
    spring.stiffness = 10;
    OK(ts_scene_add_spring(w.scene, &spring, NULL, ERROR));
    ts_generator_def fill = ts_default_generator();
    fill.fill = TS_FILL_LATTICE;
    const ts_mix_entry mix = {.shape = box, .weight = 1, .scale_min = 0.5, .scale_max = 1};
    fill.mix = &mix;
    fill.mix_count = 1;
    fill.count = 2;
    fill.low[0] = 2;
    fill.high[0] = fill.high[1] = fill.high[2] = 3;
    OK(ts_scene_add_generator(w.scene, &fill, NULL, ERROR));
    world_scene = w.scene;
}

static ts_status compile(ts_error *error)
{
    ts_model *model = NULL;
    ts_status status = ts_model_compile(world_scene, &model, error);
    assert_true((status == TS_OK) == (model != NULL));
    ts_model_free(model);
    return status;
}

static ts_model *world_model;
static uint64_t world_hash; /* of the run that never failed */

/* A step that failed is tried again, until the run has gone as far as one that never failed. */
static ts_status step(ts_error *error)
{
    const ts_contact *contact;
    size_t count;
    ts_state *state = NULL, *copy = NULL;
    ts_workspace *work = NULL;
    ts_status status = ts_state_create(world_model, &state, error), tried = TS_OK;
    if (status == TS_OK)
        status = ts_state_create(world_model, &copy, error);
    if (status == TS_OK)
        status = ts_workspace_create(world_model, 1, &work, error);
    for (int i = 0; status == TS_OK && i < 8; i++) {
        ts_status now = ts_step(world_model, state, work, 1, error);
        tried = now != TS_OK ? now : tried;
        i -= now != TS_OK;
        assert_true(now == TS_OK || now == TS_OUT_OF_MEMORY);
    }
    if (status == TS_OK) {
        status = ts_find_contacts(world_model, state, work, &contact, &count, error);
        if (status == TS_OK)
            status = ts_state_copy(copy, state, error);
        assert_true(status != TS_OK || count > 0);
        assert_true(status != TS_OK || ts_state_hash(copy) == ts_state_hash(state));
        assert_true(world_hash == 0 || world_hash == ts_state_hash(state));
        world_hash = ts_state_hash(state);
    }
    ts_workspace_free(work);
    ts_state_free(copy);
    ts_state_free(state);
    return tried != TS_OK ? tried : status;
}

static void survives(ts_status (*attempt)(ts_error *error))
{
    ts_error error;
    OK(attempt(ERROR));
    long before = ts_test_heap_live();
    bool done = false;
    int missed = 0;
    for (long n = 1; !done; n++) {
        memset(&error, 0, sizeof error);
        ts_test_heap_fail_at(n);
        ts_status status = attempt(&error);
        done = ts_test_heap_calls() < n;
        ts_test_heap_fail_at(0);
        /* the name of the file in a place may be missing without a failure, and so may the arrays of the plane, of no
         * length, that states and workspaces of space have */
        assert_true(status == TS_OUT_OF_MEMORY || status == TS_OK);
        assert_true(status == TS_OK || error.status == status);
        missed += status == TS_OK && !done;
        assert_int_equal(ts_test_heap_live(), before);
        assert_true(n < 10000);
    }
    assert_true(missed <= (attempt == step ? 30 : attempt == compile ? 2 : attempt == parse ? 1 : 0));
}

static void reading_survives(void **state)
{
    (void)state;
    OK(ts_file_write("t.obj", tetrahedron, sizeof tetrahedron - 1, ERROR));
    survives(parse);
    survives(resolve);
}

static void building_survives(void **state)
{
    (void)state;
    survives(build);
}

static void running_survives(void **state)
{
    (void)state;
    open_world(0);
    survives(compile);
    OK(ts_model_compile(world_scene, &world_model, ERROR));
    world_hash = 0;
    survives(step);
    ts_model_free(world_model);
    ts_scene_free(world_scene);
}

static void sweeping_survives(void **state)
{
    (void)state;
    open_world(10);
    OK(ts_model_compile(world_scene, &world_model, ERROR));
    world_hash = 0;
    survives(step);
    ts_model_free(world_model);
    ts_scene_free(world_scene);
}

int main(void)
{
    const struct CMUnitTest test[] = {cmocka_unit_test(reading_survives), cmocka_unit_test(building_survives),
                                      cmocka_unit_test(running_survives), cmocka_unit_test(sweeping_survives)};
    return cmocka_run_group_tests(test, NULL, NULL);
}
