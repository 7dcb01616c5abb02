/* SPDX-License-Identifier: MIT */
/* Map files that a scene names: found beside it, used by the pairs that they are of and by no others, in either order
 * and at any size, part of the scene that a run keeps; and refused, with the place and the cause, when they are of no
 * use. The maps are tables so coarse that they take no time; the exact gap says what they must answer. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"

#include "base/file.h"
#include "base/memory.h"
#include "contact/forms.h"
#include "cspace/cache.h"
#include "cspace/map.h"
#include "cspace/map_file.h"
#include "model.h"
#include "scene/scene.h"
#include "touchstone/touchstone.h"

/* scene/read.h has another ts_form. */
ts_status ts_scene_resolve(const char *path, const ts_load_options *options, char **text, size_t *length,
                           ts_error *error);

/* Three bodies, so that plus meets plus and plank, and plank never plank. */
static const char scene_text[] =
    "{\"touchstone\": 1, \"duration\": 0.1,\n"
    "%s\n" /* line 2 */
    "\"shapes\": {\"plus\": {\"kind\": \"polygon\", \"points\": [[-1, -3], [1, -3], [1, -1], [3, -1], [3, 1], [1, 1],\n"
    "    [1, 3], [-1, 3], [-1, 1], [-3, 1], [-3, -1], [-1, -1]]},\n"
    "  \"plank\": {\"kind\": \"box\", \"width\": 4, \"height\": 1}},\n"
    "\"boundaries\": [{\"kind\": \"half-plane\", \"point\": [0, 0], \"normal\": [0, 1]}],\n"
    "\"bodies\": [{\"shape\": \"plus\", \"position\": [0, 0.31], \"scale\": 0.1},\n"
    "  {\"shape\": \"plus\", \"position\": [0.62, 0.35], \"scale\": 0.1, \"angle\": 0.1, \"velocity\": [-2, 0]},\n"
    "  {\"shape\": \"plank\", \"position\": [0.2, 0.75], \"scale\": %s, \"velocity\": [0, -3]}]}";

static void write_text(const char *path, const char *text)
{
    OK(ts_file_write(path, text, strlen(text), ERROR));
}

/* The scene with this line, and with planks of this size. */
static void write_scene(const char *path, const char *map, const char *scale)
{
    char text[2000];
    snprintf(text, sizeof text, scene_text, map, scale);
    write_text(path, text);
}

static ts_model *compile(const char *path)
{
    ts_scene *scene;
    ts_model *model;
    OK(ts_scene_load(path, NULL, &scene, ERROR));
    OK(ts_model_compile(scene, &model, ERROR));
    ts_scene_free(scene);
    return model;
}

static uint64_t hash_of(const char *path)
{
    ts_model *model = compile(path);
    uint64_t hash = ts_model_hash(model);
    ts_model_free(model);
    return hash;
}

/* The scene is refused, when it is read or when it is compiled, at this place with these words. */
static void refuse(const char *path, int line, int column, const char *const *word)
{
    ts_scene *scene = NULL;
    ts_model *model = NULL;
    ts_error error = {0};
    ts_status status = ts_scene_load(path, NULL, &scene, &error);
    if (status == TS_OK)
        status = ts_model_compile(scene, &model, &error);
    if (status != TS_BAD_INPUT)
        fail_msg("%s was not refused: %s", path, ts_status_name(status));
    if (strcmp(error.file, path) != 0 || error.line != line || error.column != column)
        fail_msg("expected %s:%d:%d, got %s:%d:%d: %s", path, line, column, error.file, error.line, error.column,
                 error.message);
    for (; *word; word++)
        if (!strstr(error.message, *word))
            fail_msg("'%s' does not say '%s'", error.message, *word);
    assert_null(model);
    ts_scene_free(scene);
}

#define REFUSE(path, line, column, ...) refuse(path, line, column, (const char *const[]){__VA_ARGS__, NULL})

/* ---- Maps ---- */

static ts_outline *plus, *plank; /* as the scene has them, at scale 1 */

/* A coarse table of two outlines, both `scale` times as large. */
static ts_map *make_map(const ts_outline *a, const ts_outline *b, double scale)
{
    ts_outline *x, *y;
    ts_pair *pair;
    ts_exact *exact;
    ts_table *table;
    ts_map *map;
    OK(ts_outline_place(a, scale, 0, (double[2]){3, -7}, &x, ERROR));
    OK(ts_outline_place(b, scale, 0, (double[2]){0, 1}, &y, ERROR));
    OK(ts_pair_create(x, y, &pair, ERROR));
    bool turned = ts_pair_is_turned(pair);
    if (turned)
        ts_pair_turn(pair);
    OK(ts_exact_create(pair, &exact, ERROR));
    ts_fold fold = ts_map_fold(TS_MAP_TABLE, pair, true);
    OK(ts_table_create(exact, pair, &fold, &(ts_table_form){.spacing = 0.1, .turn = 0.1, .bits = 16}, NULL, NULL, NULL,
                       &table, ERROR));
    ts_exact_free(exact);
    OK(ts_map_assemble(pair, &(ts_map_options){.kind = TS_MAP_TABLE}, NULL, table, &map, ERROR));
    if (turned)
        ts_map_turn(map);
    ts_outline_free(x);
    ts_outline_free(y);
    return map;
}

static void write_map(const char *path, const ts_outline *a, const ts_outline *b, double scale)
{
    ts_map *map = make_map(a, b, scale);
    OK(ts_map_write(map, path, ERROR));
    ts_map_free(map);
}

static ts_outline *copy_of(const ts_scene *scene, const char *name)
{
    ts_outline *copy;
    const ts_scene_shape *shape = &scene->shape.item[ts_scene_find_shape(scene, name)];
    OK(ts_outline_place(shape->outline, 1, 0, (double[2]){0, 0}, &copy, ERROR));
    return copy;
}

static int set_up(void **state)
{
    (void)state;
    ts_scene *scene;
    write_scene("plain.json", "", "0.1");
    OK(ts_scene_load("plain.json", NULL, &scene, ERROR));
    plus = copy_of(scene, "plus");
    plank = copy_of(scene, "plank");
    ts_scene_free(scene);
    write_map("plus-plus.tsmap", plus, plus, 1);
    write_map("plus-plank.tsmap", plus, plank, 1);
    write_map("plank-plank.tsmap", plank, plank, 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ts_outline_free(plus);
    ts_outline_free(plank);
    return 0;
}

/* The map that bodies i and k meet by. */
static const ts_form_map *map_between(const ts_model *m, size_t i, size_t k)
{
    const ts_forms *f = m->forms;
    return &f->map[f->meeting[f->of_part[i] * f->count + f->of_part[k]].map];
}

/* ---- What is used, and where ---- */

static void they_lie_beside_the_scene(void **state)
{
    (void)state;
    mkdir("here", 0777);
    mkdir("here/maps", 0777);
    write_map("here/maps/pk.tsmap", plus, plank, 1);
    write_scene("here/scene.json", "\"map\": {\"files\": [\"maps/pk.tsmap\"], \"kind\": \"exact\"},", "0.1");
    ts_model *m = compile("here/scene.json");
    assert_string_equal(map_between(m, 0, 2)->file, "maps/pk.tsmap");
    assert_null(map_between(m, 0, 1)->file);
    OK(ts_model_prepare(m, &(ts_map_making){.cache = ""}, ERROR));
    assert_int_equal(ts_map_get_info(map_between(m, 0, 2)->map).kind, TS_MAP_TABLE);
    assert_int_equal(ts_map_get_info(map_between(m, 0, 1)->map).kind, TS_MAP_EXACT); /* as the other keys say */
    /* its bytes count as the model's */
    ts_model *plain = compile("plain.json");
    assert_true(ts_memory_bytes(m, NULL, NULL) >=
                ts_memory_bytes(plain, NULL, NULL) + ts_map_get_info(map_between(m, 0, 2)->map).bytes);
    ts_model_free(plain);
    ts_model_free(m);

    /* one that an included file names lies beside that one */
    write_text("here/maps/part.json", "{\"map\": {\"files\": [\"pk.tsmap\"]}}");
    write_scene("here/top.json", "\"include\": [\"maps/part.json\"],", "0.1");
    m = compile("here/top.json");
    assert_string_equal(map_between(m, 0, 2)->file, "pk.tsmap");
    ts_model_free(m);
}

/* A table answers for what it was made for; turned round or of another size it would be off by far more than it errs.
 * */
static void answers_are_right(const ts_model *m, size_t i, size_t k)
{
    const ts_form_map *f = map_between(m, i, k);
    const ts_outline *shape[] = {plus, plank};
    ts_outline *a, *b;
    ts_map *exact;
    const double zero[2] = {0, 0};
    OK(ts_outline_place(shape[m->forms->form[f->a].shape], m->forms->form[f->a].scale, 0, zero, &a, ERROR));
    OK(ts_outline_place(shape[m->forms->form[f->b].shape], m->forms->form[f->b].scale, 0, zero, &b, ERROR));
    OK(ts_map_create(a, b, &(ts_map_options){.kind = TS_MAP_EXACT}, NULL, &exact, ERROR));
    double small = fmin(ts_outline_get_mass(a).radius, ts_outline_get_mass(b).radius), sum = 0, spread = 0;
    int near = 0;
    for (int n = 0; n < 2000; n++) {
        double angle = 2.4 * n, away = 0.001 * (n % 600);
        ts_map_pose pose = {.a = {0.1, 0.2, 0.3 * n}, .b = {0.1 + away * cos(angle), 0.2 + away * sin(angle), 0.7 * n}};
        ts_map_contact is, should;
        ts_map_query(f->map, 1, &pose, &is);
        ts_map_query(exact, 1, &pose, &should);
        if (fabs(should.gap) > 0.1 * small)
            continue;
        sum += fabs(is.gap - should.gap);
        spread += fabs(should.gap);
        near++;
    }
    assert_true(near > 100);
    assert_true(spread / near > 0.02 * small); /* so that answering 0 would not do */
    if (!(sum / near < 0.01 * small))
        fail_msg("the mean error is %g of the smaller radius", sum / near / small);
    NEAR(ts_map_get_info(f->map).radius_a, ts_outline_get_mass(a).radius, 1e-12);
    NEAR(ts_map_get_info(f->map).radius_b, ts_outline_get_mass(b).radius, 1e-12);
    ts_map_free(exact);
    ts_outline_free(a);
    ts_outline_free(b);
}

static void order_and_size_do_not_matter(void **state)
{
    (void)state;
    write_map("turned.tsmap", plank, plus, 1);
    write_map("large.tsmap", plus, plank, 7);
    write_map("both.tsmap", plank, plus, 0.003);
    static const char *const file[] = {"plus-plank", "turned", "large", "both"};
    for (size_t i = 0; i < 4; i++) {
        char map[100];
        snprintf(map, sizeof map, "\"map\": {\"files\": [\"%s.tsmap\"], \"kind\": \"exact\"},", file[i]);
        write_scene("scene.json", map, "0.1");
        ts_model *m = compile("scene.json");
        assert_non_null(map_between(m, 0, 2)->file);
        answers_are_right(m, 0, 2);
        ts_model_free(m);
    }
}

/* Shapes that look alike are one to a map; so are pairs of other sizes and one ratio. */
static void one_file_serves_all_that_look_so(void **state)
{
    (void)state;
    write_text("alike.json", "{\"touchstone\": 1, \"map\": {\"files\": [\"plank-plank.tsmap\"]},\n"
                             "\"shapes\": {\"a\": {\"kind\": \"box\", \"width\": 4, \"height\": 1},\n"
                             "  \"b\": {\"kind\": \"box\", \"width\": 0.4, \"height\": 0.1}},\n"
                             "\"bodies\": [{\"shape\": \"a\", \"position\": [0, 0]}, {\"shape\": \"b\", \"position\": "
                             "[5, 0], \"scale\": 10},\n"
                             "  {\"shape\": \"b\", \"position\": [10, 0], \"scale\": 10}]}");
    ts_model *m = compile("alike.json");
    assert_string_equal(map_between(m, 0, 1)->file, "plank-plank.tsmap");
    assert_string_equal(map_between(m, 1, 2)->file, "plank-plank.tsmap");
    assert_true(map_between(m, 0, 1) != map_between(m, 1, 2));
    ts_model_free(m);
}

static double deepest_overlap(const ts_model *m)
{
    ts_state *state;
    ts_workspace *work;
    ts_measures measures;
    OK(ts_state_create(m, &state, ERROR));
    OK(ts_workspace_create(m, 1, &work, ERROR));
    OK(ts_measure(m, state, work, &measures, ERROR));
    ts_workspace_free(work);
    ts_state_free(state);
    return measures.max_overlap;
}

/* Two shapes of one ratio share a map, whichever comes first at each size; and the map is asked in its order: a plank
 * stands upright, 0.004 deep in the end of an arm of a plus. Taken for each other, the plank would lie across the plus.
 * */
static void either_order_shares_a_map(void **state)
{
    (void)state;
    static const char upright[] =
        "{\"shape\": \"plank\", \"position\": [0.696, 0], \"scale\": 0.2, \"angle\": \"90 deg\"}";
    static const char cross[] = "{\"shape\": \"plus\", \"position\": [0, 0], \"scale\": 0.2}";
    for (int k = 0; k < 2; k++) {
        char text[2000];
        snprintf(text, sizeof text, scene_text, "\"map\": {\"kind\": \"exact\"},", "0.1");
        snprintf(strstr(text, "\"boundaries\""), 1000,
                 "\"bodies\": [{\"shape\": \"plus\", \"position\": [0, 9], \"scale\": 0.1},\n"
                 "  {\"shape\": \"plank\", \"position\": [0, 5], \"scale\": 0.1},\n  %s, %s]}",
                 k ? upright : cross, k ? cross : upright);
        write_text("order.json", text);
        ts_model *m = compile("order.json");
        assert_true(map_between(m, 0, 1) == map_between(m, 2, 3));
        OK(ts_model_prepare(m, &(ts_map_making){.cache = ""}, ERROR));
        NEAR(deepest_overlap(m), 0.004, 1e-12);
        ts_model_free(m);
    }
}

/* ---- What is refused ---- */

static void missing_files_are_refused(void **state)
{
    (void)state;
    write_scene("scene.json", "\"map\": {\"files\": [\"plus-plank.tsmap\", \"none.tsmap\"]},", "0.1");
    REFUSE("scene.json", 2, 39, "there is no file \"none.tsmap\"");
    write_scene("here/scene.json", "\"map\": {\"files\": [\"../plus-plank.tsmap\"]},", "0.1");
    REFUSE("here/scene.json", 2, 19, "leaves the folder");
    write_scene("scene.json", "\"map\": {\"files\": [\"here\"]},", "0.1");
    REFUSE("scene.json", 2, 19, "not a regular file");
    write_scene("scene.json", "\"map\": {\"files\": \"plus-plank.tsmap\"},", "0.1");
    REFUSE("scene.json", 2, 18, "files wants a list, found text");
    write_scene("scene.json", "\"map\": {\"files\": [{}]},", "0.1");
    REFUSE("scene.json", 2, 19, "wants text, found an object");
}

static void wrong_shapes_are_refused(void **state)
{
    (void)state;
    /* shapes of the scene, but the one plank has no other to meet */
    write_scene("scene.json", "\"map\": {\"files\": [\"plus-plank.tsmap\", \"plank-plank.tsmap\"]},", "0.1");
    REFUSE("scene.json", 2, 39, "\"plank-plank.tsmap\" is of plank×plank", "no two bodies of this scene that can meet");
    /* the right shapes, at another ratio of sizes: 3.16 : 2.06 */
    write_scene("scene.json", "\"map\": {\"files\": [\"plus-plank.tsmap\"]},", "0.05");
    REFUSE("scene.json", 2, 19, "is of plus×plank with radii 3.162 : 2.062", "at this ratio of sizes");
    /* a shape that the scene does not have */
    ts_outline *other;
    OK(ts_outline_regular(7, 1, &other, ERROR));
    write_map("other.tsmap", plus, other, 1);
    ts_outline_free(other);
    write_scene("scene.json", "\"map\": {\"files\": [\"other.tsmap\"]},", "0.1");
    REFUSE("scene.json", 2, 19, "plus×(an outline of 7 edges)", "no such shape");
    /* one part in a thousand counts */
    OK(ts_outline_box(4.004, 1, 0, &other, ERROR));
    write_map("other.tsmap", plus, other, 1);
    ts_outline_free(other);
    REFUSE("scene.json", 2, 19, "plus×(an outline of 4 edges)", "no such shape");
    /* a scene of discs needs no map at all */
    write_text("discs.json", "{\"touchstone\": 1, \"map\": {\"files\": [\n \"plus-plank.tsmap\"]},\n"
                             "\"shapes\": {\"a\": {\"kind\": \"disc\", \"radius\": 1}},\n"
                             "\"bodies\": [{\"shape\": \"a\", \"position\": [0, 0]}]}");
    REFUSE("discs.json", 2, 2, "no such shape");
}

static void damaged_files_are_refused(void **state)
{
    (void)state;
    char *bytes;
    size_t size;
    OK(ts_file_read("plus-plank.tsmap", 1 << 24, &bytes, &size, ERROR));
    write_scene("scene.json", "\"map\": {\"files\": [\"bad.tsmap\"]},", "0.1");
    OK(ts_file_write("bad.tsmap", bytes, size / 2, ERROR));
    REFUSE("scene.json", 2, 19, "bad.tsmap is damaged", "ends early");
    bytes[size / 2] ^= 1;
    OK(ts_file_write("bad.tsmap", bytes, size, ERROR));
    REFUSE("scene.json", 2, 19, "bad.tsmap is damaged", "checksum");
    OK(ts_file_write("bad.tsmap", bytes, 0, ERROR));
    REFUSE("scene.json", 2, 19, "bad.tsmap is damaged", "empty");
    write_text("bad.tsmap", "a page of something else");
    REFUSE("scene.json", 2, 19, "bad.tsmap is not a map");
    ts_free(bytes);
}

static void two_for_one_pair_are_refused(void **state)
{
    (void)state;
    write_map("again.tsmap", plank, plus, 2);
    write_scene("scene.json", "\"map\": {\"files\": [\"plus-plank.tsmap\", \"again.tsmap\"]},", "0.1");
    REFUSE("scene.json", 2, 39, "\"again.tsmap\" is of plus×plank, and so is \"plus-plank.tsmap\"");
    write_scene("scene.json", "\"map\": {\"files\": [\"again.tsmap\", \"again.tsmap\"]},", "0.1");
    REFUSE("scene.json", 2, 34, "names \"again.tsmap\" twice");
}

static void too_large_files_are_refused(void **state)
{
    (void)state;
    /* holes of the disk: they take no room there */
    write_text("large.bin", "");
    write_text("other.bin", "");
    assert_int_equal(truncate("large.bin", (off_t)TS_MAP_FILE_BYTES_MAX + 1), 0);
    write_scene("scene.json", "\"map\": {\"files\": [\"large.bin\"]},", "0.1");
    REFUSE("scene.json", 2, 19, "large.bin is larger than the 67108864 bytes allowed");
    /* each of them would do, not both */
    assert_int_equal(truncate("large.bin", 40 << 20), 0);
    assert_int_equal(truncate("other.bin", 40 << 20), 0);
    write_scene("scene.json", "\"map\": {\"files\": [\"large.bin\", \"other.bin\"]},", "0.1");
    REFUSE("scene.json", 2, 32, "too large to become part of it", "75 MB");
    unlink("large.bin");
    unlink("other.bin");
}

static void bad_data_are_refused(void **state)
{
    (void)state;
    write_scene("scene.json", "\"map\": {\"data\": {\"x.tsmap\": \"Zg=\"}},", "0.1");
    REFUSE("scene.json", 2, 29, "the data of \"x.tsmap\" are no base64");
    write_scene("scene.json", "\"map\": {\"data\": {\"x.tsmap\": \"Zg==\"}},", "0.1");
    REFUSE("scene.json", 2, 29, "x.tsmap is not a map");
    write_scene("scene.json", "\"map\": {\"data\": {\"x.tsmap\": \"\"}},", "0.1");
    REFUSE("scene.json", 2, 29, "x.tsmap is damaged: it is empty");
    write_scene("scene.json", "\"map\": {\"data\": {\"x.tsmap\": 1}},", "0.1");
    REFUSE("scene.json", 2, 29, "wants text, found a number");
    write_scene("scene.json", "\"map\": {\"data\": [\"Zg==\"]},", "0.1");
    REFUSE("scene.json", 2, 17, "data wants an object, found a list");
    write_scene("scene.json", "\"map\": {\"data\": {}, \"files\": []},", "0.1");
    REFUSE("scene.json", 2, 30, "files stands beside data");
}

/* ---- What a result depends on ---- */

static void the_hash_covers_the_bytes(void **state)
{
    (void)state;
    write_scene("none.json", "\"map\": {\"files\": []},", "0.1");
    write_scene("one.json", "\"map\": {\"files\": [\"plus-plank.tsmap\"]},", "0.1");
    write_scene("two.json", "\"map\": {\"files\": [\"plus-plank.tsmap\", \"plus-plus.tsmap\"]},", "0.1");
    write_scene("order.json", "\"map\": {\"files\": [\"plus-plus.tsmap\", \"plus-plank.tsmap\"]},", "0.1");
    write_scene("turned.json", "\"map\": {\"files\": [\"turned.tsmap\"]},", "0.1");
    uint64_t plain = hash_of("plain.json"), one = hash_of("one.json"), two = hash_of("two.json");
    assert_true(plain == hash_of("none.json"));
    assert_true(plain != one && plain != two && one != two);
    assert_true(two == hash_of("order.json")); /* which is named first makes no difference */
    write_map("turned.tsmap", plank, plus, 1);
    assert_true(one != hash_of("turned.json"));
    /* by code it is the same, whatever the name */
    ts_scene *scene;
    ts_model *m;
    char *bytes;
    size_t size;
    OK(ts_file_read("plus-plank.tsmap", 1 << 24, &bytes, &size, ERROR));
    OK(ts_scene_load("plain.json", NULL, &scene, ERROR));
    OK(ts_scene_add_map(scene, NULL, bytes, size, ERROR));
    memset(bytes, 0, size); /* it was copied */
    OK(ts_model_compile(scene, &m, ERROR));
    assert_true(ts_model_hash(m) == one);
    assert_string_equal(map_between(m, 0, 2)->file, "map 0");
    ts_model_free(m);
    assert_int_equal(ts_scene_add_map(NULL, "x", bytes, size, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_scene_add_map(scene, "x", NULL, size, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_scene_add_map(scene, "x", bytes, TS_MAP_FILE_BYTES_MAX + 1, ERROR), TS_BAD_INPUT);
    OK(ts_scene_add_map(scene, "x", bytes, size, ERROR)); /* what it is, compiling finds out */
    assert_int_equal(ts_model_compile(scene, &m, ERROR), TS_BAD_INPUT);
    assert_non_null(strstr(ts_test_error.message, "map: x is not a map"));
    ts_scene_free(scene);
    ts_free(bytes);
}

/* The scene that a run folder keeps needs no file beside it. */
static void the_resolved_scene_stands_by_itself(void **state)
{
    (void)state;
    char *text, *again;
    size_t length, length_again;
    write_scene("two.json", "\"map\": {\"files\": [\"plus-plank.tsmap\", \"plus-plus.tsmap\"], \"error\": 0.01},",
                "0.1");
    OK(ts_scene_resolve("two.json", NULL, &text, &length, ERROR));
    mkdir("alone", 0777);
    OK(ts_file_write("alone/scene.json", text, length, ERROR));
    assert_null(strstr(text, "\"files\""));
    assert_non_null(strstr(text, "\"plus-plank.tsmap\": \"iVRTTQ0KGgo")); /* as base64(1) writes the first bytes */
    assert_true(hash_of("alone/scene.json") == hash_of("two.json"));
    OK(ts_scene_resolve("alone/scene.json", NULL, &again, &length_again, ERROR));
    assert_int_equal(length, length_again);
    assert_memory_equal(text, again, length);
    ts_free(text);
    ts_free(again);
}

/* ---- The same bits ---- */

static uint64_t run(const char *path, const char *cache, bool from_cache)
{
    ts_model *m = compile(path);
    ts_state *s;
    ts_workspace *w;
    OK(ts_model_prepare(m, &(ts_map_making){.cache = cache}, ERROR));
    assert_true(ts_map_get_info(map_between(m, 0, 1)->map).from_cache == from_cache);
    assert_true(ts_map_get_info(map_between(m, 0, 2)->map).from_cache == from_cache);
    OK(ts_state_create(m, &s, ERROR));
    OK(ts_workspace_create(m, 1, &w, ERROR));
    OK(ts_step(m, s, w, 600, ERROR));
    ts_measures measures;
    OK(ts_measure(m, s, w, &measures, ERROR));
    uint64_t hash = ts_state_hash(s);
    ts_workspace_free(w);
    ts_state_free(s);
    ts_model_free(m);
    return hash;
}

/* The same tables, once from the cache and once from files; and other ones, so that the tables are known to matter. */
static void a_run_has_the_bits_of_one_with_the_cache(void **state)
{
    (void)state;
    const ts_outline *other[] = {plus, plank};
    ts_map_options asked;
    OK(ts_map_options_complete(&(ts_map_options){.kind = TS_MAP_TABLE}, &asked, ERROR));
    for (int i = 0; i < 2; i++) {
        ts_map *map = make_map(plus, other[i], 1);
        map->info.options = asked;
        OK(ts_cache_keep("cache", map, ERROR));
        ts_map_free(map);
    }
    write_scene("cached.json", "\"map\": {\"kind\": \"table\"},", "0.1");
    write_scene("two.json", "\"map\": {\"files\": [\"plus-plank.tsmap\", \"plus-plus.tsmap\"]},", "0.1");
    write_scene("exact.json", "\"map\": {\"kind\": \"exact\"},", "0.1");
    uint64_t cached = run("cached.json", "cache", true), given = run("two.json", "", false);
    assert_true(cached == given);
    assert_true(cached != run("exact.json", "", false));
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(they_lie_beside_the_scene),
        cmocka_unit_test(order_and_size_do_not_matter),
        cmocka_unit_test(one_file_serves_all_that_look_so),
        cmocka_unit_test(either_order_shares_a_map),
        cmocka_unit_test(missing_files_are_refused),
        cmocka_unit_test(wrong_shapes_are_refused),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(two_for_one_pair_are_refused),
        cmocka_unit_test(too_large_files_are_refused),
        cmocka_unit_test(bad_data_are_refused),
        cmocka_unit_test(the_hash_covers_the_bytes),
        cmocka_unit_test(the_resolved_scene_stands_by_itself),
        cmocka_unit_test(a_run_has_the_bits_of_one_with_the_cache),
    };
    return cmocka_run_group_tests(test, set_up, tear_down);
}
