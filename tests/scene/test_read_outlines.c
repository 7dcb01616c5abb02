/* SPDX-License-Identifier: MIT */
/* Outlines of scene files: each kind has the area and the inertia of its closed form; texts become groups; the resolved
 * scene needs no file beside it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"

#include "base/file.h"
#include "base/memory.h"
#include "model.h"
#include "scene/read.h"
#include "scene/scene.h"
#include "touchstone/touchstone.h"

#define PI 3.14159265358979323846

static const char *source(void)
{
    const char *folder = getenv("SOURCE_DIR");
    return folder ? folder : ".";
}

/* A scene with these shapes and nothing else. */
static ts_scene *read_shapes(const char *shapes)
{
    char text[4096];
    int length = snprintf(text, sizeof text, "{\"touchstone\": 1, \"shapes\": {%s}}", shapes);
    assert_true(length > 0 && (size_t)length < sizeof text);
    char fonts[2048];
    snprintf(fonts, sizeof fonts, "%s/scenes", source());
    const char *search[1] = {fonts};
    ts_load_options options = {.search_path = search, .search_path_count = 1};
    ts_scene *scene = NULL;
    OK(ts_scene_parse(text, (size_t)length, "t.json", &options, &scene, ERROR));
    return scene;
}

static void check_mass(const char *shape, double area, double inertia, double radius)
{
    char text[1024];
    snprintf(text, sizeof text, "\"a\": %s", shape);
    ts_scene *scene = read_shapes(text);
    const ts_scene_shape *a = &scene->shape.item[0];
    assert_non_null(a->outline);
    assert_string_equal(a->name, "a");
    NEAR(a->mass.area / area, 1, 1e-12);
    NEAR(a->mass.inertia / inertia, 1, 1e-12);
    NEAR(a->mass.radius / radius, 1, 1e-12);
    assert_true(a->disc_count == 1 && a->disc[0].x == 0 && a->disc[0].y == 0 && a->disc[0].radius == a->mass.radius);
    ts_scene_free(scene);
}

static void kinds_have_their_closed_forms(void **state)
{
    (void)state;
    check_mass("{\"kind\": \"ring\", \"outer\": \"2 cm\", \"inner\": 0.01}", PI * 3e-4, PI / 2 * 15e-8, 0.02);
    check_mass("{\"kind\": \"box\", \"width\": 3, \"height\": 1}", 3, 3 * (9 + 1) / 12.0, hypot(1.5, 0.5));
    /* a box whose corners are as round as they can be: a square of side 2 becomes the unit disc */
    check_mass("{\"kind\": \"box\", \"width\": 2, \"height\": 2, \"corner\": 1}", PI, PI / 2, 1);
    /* n sides: area n R² sin(2π/n) / 2, inertia m R² (2 + cos(2π/n)) / 6 */
    for (int n = 3; n < 8; n++) {
        char text[128];
        double turn = 2 * PI / n, r = 0.7, area = n * r * r * sin(turn) / 2;
        snprintf(text, sizeof text, "{\"kind\": \"regular\", \"sides\": %d, \"radius\": 0.7}", n);
        check_mass(text, area, area * r * r * (2 + cos(turn)) / 6, r);
    }
    /* a hole in any direction */
    double area = 16 - 4, inertia = 16 * 32 / 12.0 - 4 * 8 / 12.0;
    check_mass(
        "{\"kind\": \"polygon\", \"points\": [[0, 0], [4, 0], [4, 4], [0, 4]], \"holes\": [[[1, 1], [3, 1], [3, 3], "
        "[1, 3]]]}",
        area, inertia, hypot(2, 2));
    check_mass(
        "{\"kind\": \"polygon\", \"points\": [[0, 4], [4, 4], [4, 0], [0, 0]], \"holes\": [[[1, 1], [3, 1], [3, 3], "
        "[1, 3]]]}",
        area, inertia, hypot(2, 2));
    check_mass(
        "{\"kind\": \"polygon\", \"contours\": [[[0, 0], [4, 0], [4, 4], [0, 4]], [[1, 1], [1, 3], [3, 3], [3, 1]]]}",
        area, inertia, hypot(2, 2));
    /* two half circles make a disc */
    check_mass("{\"kind\": \"polygon\", \"points\": [[\"-1 m\", 5, 1], [1, 5, 1]]}", PI, PI / 2, 1);
}

/* The area of a bent bar is thickness times the length of its middle line, and half a disc for each round end. */
static void arcs(void **state)
{
    (void)state;
    ts_scene *scene =
        read_shapes("\"square\": {\"kind\": \"arc\", \"radius\": 1, \"thickness\": 0.2, \"angle\": \"90 deg\"},"
                    "\"round\": {\"kind\": \"arc\", \"radius\": 1, \"thickness\": 0.2, \"angle\": \"90 deg\", "
                    "\"ends\": \"round\"}");
    NEAR(scene->shape.item[0].mass.area, 0.2 * PI / 2, 1e-13);
    NEAR(scene->shape.item[1].mass.area, 0.2 * PI / 2 + PI * 0.01, 1e-13);
    ts_scene_free(scene);
}

/* The capital I of DejaVu Sans Bold is a bar from (188, 0) to (573, 1493) of an em of 2048. */
static void glyph_has_the_size_of_the_font(void **state)
{
    (void)state;
    ts_scene *scene = read_shapes("\"a\": {\"kind\": \"glyph\", \"font\": \"fonts/DejaVuSans-Bold-ASCII.ttf\", "
                                  "\"character\": \"I\", \"height\": \"20.48 mm\"}");
    double w = 3.85e-3, h = 14.93e-3;
    const ts_disc_union *mass = &scene->shape.item[0].mass;
    NEAR(mass->area / (w * h), 1, 1e-12);
    NEAR(mass->inertia / (w * h * (w * w + h * h) / 12), 1, 1e-12);
    NEAR(mass->radius / (hypot(w, h) / 2), 1, 1e-12);
    ts_scene_free(scene);
}

/* ---- Texts and groups ---- */

#define WORD                                                                                                    \
    "\"word\": {\"kind\": \"text\", \"font\": \"fonts/DejaVuSans-Bold-ASCII.ttf\", \"text\": \"TOUCH STONE\", " \
    "\"height\": 0.1}"
#define HEAD "{\"touchstone\": 1, \"shapes\": {" WORD "}, "
#define FILL "\"generators\": [{\"kind\": \"random\", \"region\": {\"box\": [0, 0, 4, 4]}, \"count\": 60, "

static ts_model *model_of(const char *text, const char *const *override, size_t count)
{
    char fonts[2048];
    snprintf(fonts, sizeof fonts, "%s/scenes", source());
    const char *search[1] = {fonts};
    ts_load_options options = {
        .search_path = search, .search_path_count = 1, .override = override, .override_count = count};
    ts_scene *scene = NULL;
    ts_model *model = NULL;
    OK(ts_scene_parse(text, strlen(text), "t.json", &options, &scene, ERROR));
    OK(ts_model_compile(scene, &model, ERROR));
    ts_scene_free(scene);
    return model;
}

static void text_makes_its_letters(void **state)
{
    (void)state;
    ts_scene *scene = read_shapes(WORD);
    static const char *const letter[] = {"word/T", "word/O", "word/U", "word/C",
                                         "word/H", "word/S", "word/N", "word/E"};
    assert_int_equal(scene->shape.count, 8);
    for (int i = 0; i < 8; i++)
        assert_int_equal(ts_scene_find_shape(scene, letter[i]), i);
    /* an O has a hole, an H has none */
    assert_int_equal(ts_outline_contour_count(scene->shape.item[1].outline), 2);
    assert_int_equal(ts_outline_contour_count(scene->shape.item[4].outline), 1);
    ts_scene_free(scene);
}

static void group_is_a_mix_of_its_letters(void **state)
{
    (void)state;
    ts_model *group = model_of(HEAD FILL "\"shape\": \"word\", \"scale\": [0.5, 1]}]}", NULL, 0);
    ts_model *mix = model_of(HEAD FILL "\"mix\": ["
                                       "{\"shape\": \"word/T\", \"weight\": 0.2, \"scale\": [0.5, 1]},"
                                       "{\"shape\": \"word/O\", \"weight\": 0.2, \"scale\": [0.5, 1]},"
                                       "{\"shape\": \"word/U\", \"weight\": 0.1, \"scale\": [0.5, 1]},"
                                       "{\"shape\": \"word/C\", \"weight\": 0.1, \"scale\": [0.5, 1]},"
                                       "{\"shape\": \"word/H\", \"weight\": 0.1, \"scale\": [0.5, 1]},"
                                       "{\"shape\": \"word/S\", \"weight\": 0.1, \"scale\": [0.5, 1]},"
                                       "{\"shape\": \"word/N\", \"weight\": 0.1, \"scale\": [0.5, 1]},"
                                       "{\"shape\": \"word/E\", \"weight\": 0.1, \"scale\": [0.5, 1]}]}]}",
                             NULL, 0);
    assert_true(ts_model_hash(group) == ts_model_hash(mix));
    ts_model_free(group);
    ts_model_free(mix);
}

/* Beside another entry, a group weighs what its entry weighs, however many members it has. */
static void group_shares_its_weight(void **state)
{
    (void)state;
    ts_model *model =
        model_of("{\"touchstone\": 1, \"shapes\": {" WORD
                 ", \"ball\": {\"kind\": \"disc\", \"radius\": 0.03}}, \"generators\": [{\"kind\": \"random\", "
                 "\"region\": {\"box\": [0, 0, 40, 40]}, \"count\": 2000, \"mix\": [{\"shape\": \"word\"}, "
                 "{\"shape\": \"ball\"}]}]}",
                 NULL, 0);
    size_t balls = 0;
    for (size_t i = 0; i < model->body_count; i++)
        balls += model->shape[model->body_shape[i]].outline == NULL;
    NEAR((double)balls, 1000, 5 * sqrt(500)); /* five standard deviations of a fair coin */
    ts_model_free(model);
}

static void refuse(const char *text, const char *word)
{
    ts_scene *scene = NULL;
    memset(ERROR, 0, sizeof *ERROR);
    assert_int_equal(ts_scene_parse(text, strlen(text), "t.json", NULL, &scene, ERROR), TS_BAD_INPUT);
    assert_null(scene);
    if (!strstr(ts_test_error.message, word))
        fail_msg("no \"%s\" in: %s", word, ts_test_error.message);
    assert_true(ts_test_error.line > 0);
}

#define SHAPE(kind) "{\"touchstone\": 1, \"shapes\": {\"a\": {\"kind\": " kind "}}}"

static void nonsense_is_refused(void **state)
{
    (void)state;
    refuse(SHAPE("\"polygon\""), "neither");
    refuse(SHAPE("\"polygon\", \"points\": [[0, 0], [1, 0], [0, 1]], \"contours\": []"), "both");
    refuse(SHAPE("\"polygon\", \"contours\": []"), "empty");
    refuse(SHAPE("\"polygon\", \"points\": [[0, 0]]"), "at least 2");
    refuse(SHAPE("\"polygon\", \"points\": [[0, 0], [1, 0], [2, 0]]"), "polygon: ");
    refuse(SHAPE("\"polygon\", \"points\": [[0, 0], [1, 0, \"1 m\"], [0, 1]]"), "plain number");
    refuse(SHAPE("\"ring\", \"outer\": 1, \"inner\": 2"), "ring: ");
    refuse(SHAPE("\"box\", \"width\": 1, \"height\": 1, \"corner\": 0.6"), "box: ");
    refuse(SHAPE("\"regular\", \"sides\": 2, \"radius\": 1"), "give 3 to");
    refuse(SHAPE("\"arc\", \"radius\": 1, \"thickness\": 0.1, \"angle\": 1, \"ends\": \"blunt\""), "\"round\"");
    refuse(SHAPE("\"group\", \"members\": {}"), "no members");
    refuse(SHAPE("\"group\", \"members\": {\"b\": 1}"), "no shape named \"b\"");
    refuse(SHAPE("\"group\", \"members\": {\"a\": 1}"), "is a group itself");
    refuse(SHAPE("\"glyph\", \"font\": \"../x.ttf\", \"character\": \"A\", \"height\": 1"), "leaves the folder");
    refuse(SHAPE("\"svg\", \"file\": \"no.svg\""), "no file \"no.svg\"");
    refuse(
        "{\"touchstone\": 1, \"shapes\": {\"a\": {\"kind\": \"box\", \"width\": 1, \"height\": 1}, \"b\": {\"kind\": "
        "\"composite\", \"parts\": [{\"shape\": \"a\"}]}}}",
        "is an outline, but composites are made of discs");
}

/* ---- The scene of a run folder ---- */

static const char own_scene[] =
    "{\"touchstone\": 1, \"include\": [\"sub/part.json\"], \"shapes\": {\"o\": {\"kind\": \"glyph\", \"font\": "
    "\"font.ttf\", \"character\": \"%\", \"height\": 0.05}}, "
    "\"generators\": [{\"kind\": \"random\", \"region\": {\"box\": [0, 0, 2, 2]}, \"count\": 20, \"mix\": "
    "[{\"shape\": \"o\"}, {\"shape\": \"word\"}]}]}";
/* its font lies beside it, not beside the scene that includes it */
static const char part[] = "{\"shapes\": {\"word\": {\"kind\": \"text\", \"font\": \"own.ttf\", \"text\": \"&8i\", "
                           "\"height\": 0.1}}}";

static void copy_font(const char *to)
{
    char path[2048], *data;
    size_t size;
    snprintf(path, sizeof path, "%s/scenes/fonts/DejaVuSans-Bold-ASCII.ttf", source());
    OK(ts_file_read(path, (size_t)1 << 20, &data, &size, ERROR));
    OK(ts_file_write(to, data, size, ERROR));
    ts_free(data);
}

static void resolved_scene_needs_no_files(void **state)
{
    (void)state;
    char folder[] = "outlines-XXXXXX", home[2048], *text = NULL;
    size_t length = 0;
    assert_non_null(getcwd(home, sizeof home));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    OK(ts_folder_make("sub", ERROR));
    copy_font("font.ttf");
    copy_font("sub/own.ttf");
    OK(ts_file_write("scene.json", own_scene, strlen(own_scene), ERROR));
    OK(ts_file_write("sub/part.json", part, strlen(part), ERROR));
    const char *const override[] = {"shapes.o.font=sub/own.ttf", "shapes.o.character=@"};
    ts_load_options options = {.override = override, .override_count = 2};
    ts_scene *scene = NULL, *again = NULL;
    ts_model *model = NULL, *same = NULL;
    OK(ts_scene_load("scene.json", &options, &scene, ERROR));
    OK(ts_scene_resolve("scene.json", &options, &text, &length, ERROR));
    static const char *const made[] = {"scene.json", "sub/part.json", "sub/own.ttf", "font.ttf"};
    for (int i = 0; i < 4; i++)
        assert_int_equal(unlink(made[i]), 0);
    assert_int_equal(rmdir("sub"), 0);
    assert_int_equal(chdir(home), 0);
    assert_int_equal(rmdir(folder), 0);

    OK(ts_scene_parse(text, length, "resolved.json", NULL, &again, ERROR));
    OK(ts_model_compile(scene, &model, ERROR));
    OK(ts_model_compile(again, &same, ERROR));
    assert_true(ts_model_hash(model) == ts_model_hash(same));
    assert_int_equal(model->shape_count, 4);
    ts_model_free(model);
    ts_model_free(same);
    ts_scene_free(scene);
    ts_scene_free(again);
    ts_free(text);
}

/* What was mended is kept beside the polygon. */
static void notes_stay(void **state)
{
    (void)state;
    ts_scene *scene =
        read_shapes("\"a\": {\"kind\": \"polygon\", \"points\": [[0, 0], [1, 0], [0, 1]], \"notes\": [\"contour 1 "
                    "was open by 0.1: closed\"]}");
    const ts_outline *outline = scene->shape.item[0].outline;
    size_t count = ts_outline_note_count(outline);
    assert_true(count >= 1);
    assert_string_equal(ts_outline_get_note(outline, count - 1), "contour 1 was open by 0.1: closed");
    ts_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(kinds_have_their_closed_forms),
        cmocka_unit_test(arcs),
        cmocka_unit_test(glyph_has_the_size_of_the_font),
        cmocka_unit_test(text_makes_its_letters),
        cmocka_unit_test(group_is_a_mix_of_its_letters),
        cmocka_unit_test(group_shares_its_weight),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(resolved_scene_needs_no_files),
        cmocka_unit_test(notes_stay),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
