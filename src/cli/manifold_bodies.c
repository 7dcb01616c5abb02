/* SPDX-License-Identifier: MIT */
/* Smooth bodies as a user names them. */
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/manifold.h"
#include "cli/subjects.h"
#include "scene/smooth_file.h"
#include "shape/superquadric.h"

#define NUMBERS_MAX 5

/* A body of one superquadric: so many numbers after the colon. */
typedef struct word {
    const char *name, *numbers;
    int least, most;
} word;

static const word words[] = {
    {"box", "half axes, as in box:0.1 or box:0.1,0.2,0.3", 0, 3},
    {"ball", "a radius, as in ball:0.1", 0, 1},
    {"superquadric", "three half axes and one or two exponents, as in superquadric:0.1,0.2,0.3,0.1,1", 4, 5},
};
enum { word_count = sizeof words / sizeof *words };

/* Half of a metre, and boxes with edges as sharp as they can be. */
static const double usual_half = 0.5, sharp = TS_EXPONENT_MIN;

static const word *find_word(const char *text, size_t length)
{
    for (int i = 0; i < word_count; i++)
        if (strlen(words[i].name) == length && strncmp(words[i].name, text, length) == 0)
            return &words[i];
    return NULL;
}

static ts_status read_numbers(const char *text, const word *which, double number[NUMBERS_MAX], int *count,
                              ts_error *error)
{
    const size_t name = strlen(which->name);
    bool good = true;
    *count = 0;
    for (const char *at = text[name] ? text + name + 1 : NULL; at && good;) {
        const size_t length = strcspn(at, ",");
        good = *count < which->most;
        if (good)
            TS_TRY(ts_manifold_number(at, length, *count < 3 ? TS_QUANTITY_LENGTH : TS_QUANTITY_NONE,
                                      (ts_place){NULL, 0, 0}, &number[*count], error));
        ++*count;
        at = at[length] ? at + length + 1 : NULL;
    }
    if (!good || *count < which->least || (which->least == 0 && *count == 2))
        return ts_fail(error, TS_BAD_INPUT, "'%s' is no body: '%s' takes %s", text, which->name, which->numbers);
    return TS_OK;
}

static ts_primitive primitive_of(const word *which, const double number[NUMBERS_MAX], int count)
{
    ts_primitive one = {.kind = TS_PRIMITIVE_SUPERQUADRIC, .pose = ts_pose3_identity()};
    const double first = count > 0 ? number[0] : usual_half;
    one.size = count >= 3 ? ts_vec3_of(number) : (ts_vec3){first, first, first};
    one.exponent[0] = one.exponent[1] = strcmp(which->name, "box") == 0 ? sharp : 1;
    if (which->least > 0) {
        one.exponent[0] = number[3];
        one.exponent[1] = count > 4 ? number[4] : number[3];
    }
    return one;
}

static ts_status make_superquadric(const word *which, const char *text, size_t vertices, ts_smooth **body,
                                   ts_error *error)
{
    double number[NUMBERS_MAX];
    int count;
    TS_TRY(read_numbers(text, which, number, &count, error));
    ts_primitive one = primitive_of(which, number, count);
    TS_TRY(ts_primitive_check(&one, error));
    TS_AUTO(ts_mesh_free_at) ts_mesh *mesh = NULL;
    TS_AUTO(ts_sdf_free_at) ts_sdf *sdf = NULL;
    TS_TRY(ts_superquadric_mesh(&one, vertices, &mesh, error));
    TS_TRY(ts_sdf_create(&one, 1, &sdf, error));
    TS_TRY(ts_sdf_body_create(sdf, mesh, body, error));
    sdf = NULL;
    mesh = NULL;
    return TS_OK;
}

ts_status ts_manifold_subject_find(const char *text, size_t vertices, ts_manifold_subject *to, ts_error *error)
{
    const word *which = find_word(text, strcspn(text, ":"));
    snprintf(to->name, sizeof to->name, "%.159s", which ? text : ts_path_name(text));
    if (which)
        return make_superquadric(which, text, vertices, &to->body, error);
    static const char *const mesh[] = {".obj", ".stl", ".ply"};
    for (size_t i = 0; i < sizeof mesh / sizeof *mesh; i++)
        if (ts_path_ends_in(text, mesh[i]))
            return ts_fail(
                error, TS_BAD_INPUT,
                "'%s' is a mesh, not a smooth body; fit one to it first: touchstone shape fit %s -o body.json", text,
                text);
    if (ts_file_exists(text) && !ts_is_folder(text))
        return ts_smooth_file_read(text, &to->body, error);
    const char *name[word_count];
    for (int i = 0; i < word_count; i++)
        name[i] = words[i].name;
    const char *near = ts_nearest_name(text, name, word_count);
    if (near)
        return ts_fail(error, TS_BAD_INPUT, "'%s' is no smooth body; did you mean '%s'?", text, near);
    return ts_fail(error, TS_BAD_INPUT,
                   "'%s' is no smooth body; give box, ball, superquadric:A,B,C,E1,E2, or a file that `touchstone "
                   "shape fit` wrote",
                   text);
}

void ts_manifold_subject_free(ts_manifold_subject *subject)
{
    ts_sdf_body_free(subject->body);
    subject->body = NULL;
}
