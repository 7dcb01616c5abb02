/* SPDX-License-Identifier: MIT */
/* Every broken drawing and font of this folder is repaired or refused as expected.txt says; and so are things that
 * cannot be kept in a folder: ten million edges, 10000 groups in each other. Runs under the sanitizers. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "support/check.h"
#include "touchstone/shape.h"

static char folder[2048];

/* `what` is "-", "id=…" for a drawing or "U+…" for a font. */
static ts_status read_shape(const char *path, const char *what, ts_outline **outline, ts_error *error)
{
    ts_outline_options options = {0};
    if (strncmp(what, "U+", 2) == 0)
        return ts_outline_read_glyph(path, (uint32_t)strtoul(what + 2, NULL, 16), NULL, outline, NULL, error);
    options.id = strncmp(what, "id=", 3) == 0 ? what + 3 : NULL;
    return ts_outline_read_svg(path, &options, outline, NULL, error);
}

static void check_note(const char *path, const ts_outline *outline, const char *words)
{
    for (size_t i = 0; i < ts_outline_note_count(outline); i++)
        if (strstr(ts_outline_get_note(outline, i), words))
            return;
    fail_msg("%s: no note says \"%s\", but %s", path, words,
             ts_outline_note_count(outline) > 0 ? ts_outline_get_note(outline, 0) : "there is none");
}

/* `outcome` is "note", "area", or a place, "line:column" or "-", where it is refused. */
static void check_shape(const char *path, const char *what, const char *outcome, const char *words)
{
    ts_outline *outline = NULL;
    ts_error error = {0};
    ts_status status = read_shape(path, what, &outline, &error);
    bool good = strcmp(outcome, "note") == 0 || strcmp(outcome, "area") == 0;
    if (good && status != TS_OK)
        fail_msg("%s: refused: %s", path, error.message);
    if (strcmp(outcome, "note") == 0) {
        check_note(path, outline, words);
    } else if (strcmp(outcome, "area") == 0) {
        NEAR(ts_outline_get_mass(outline).area, strtod(words, NULL), 1e-9);
        assert_int_equal(ts_outline_note_count(outline), 0);
    } else {
        if (status != TS_BAD_INPUT)
            fail_msg("%s: status %d: %s", path, (int)status, error.message);
        assert_null(outline);
        char got[64] = "-";
        if (error.line > 0)
            snprintf(got, sizeof got, "%d:%d", error.line, error.column);
        if (!strstr(error.message, words) || strcmp(got, outcome) != 0)
            fail_msg("%s: expected at %s \"%s\", got at %s \"%s\"", path, outcome, words, got, error.message);
        if (error.line > 0)
            assert_string_equal(error.file, path);
    }
    ts_outline_free(outline);
}

static void test_files(void **state)
{
    (void)state;
    char home[2048];
    assert_non_null(getcwd(home, sizeof home));
    assert_int_equal(chdir(folder), 0);
    FILE *list = fopen("expected.txt", "r");
    assert_non_null(list);
    char line[1024];
    int count = 0;
    while (fgets(line, sizeof line, list)) {
        char name[256], what[64], outcome[64], words[512];
        if (line[0] == '#' || line[0] == '\n')
            continue;
        assert_int_equal(sscanf(line, "%255s %63s %63s %511[^\n]", name, what, outcome, words), 4);
        check_shape(name, what, outcome, words);
        count += strchr(name, '/') == NULL;
    }
    fclose(list);

    /* none is left out */
    DIR *files = opendir(".");
    assert_non_null(files);
    for (struct dirent *entry; (entry = readdir(files));)
        count -= strstr(entry->d_name, ".svg") || strstr(entry->d_name, ".ttf");
    closedir(files);
    assert_int_equal(count, 0);
    assert_int_equal(chdir(home), 0);
}

/* A drawing of `count` times `part` between a head and a tail. */
static void refuse_repeated(const char *head, const char *part, size_t count, const char *tail, const char *words)
{
    size_t h = strlen(head), p = strlen(part), t = strlen(tail), length = h + count * p + t;
    char *text = ts_alloc_raw(length, 1);
    assert_non_null(text);
    memcpy(text, head, h);
    for (size_t i = 0; i < count; i++)
        memcpy(text + h + i * p, part, p);
    memcpy(text + h + count * p, tail, t);
    ts_outline *outline = NULL;
    ts_error error = {0};
    assert_int_equal(ts_outline_parse_svg(text, length, "many.svg", NULL, &outline, NULL, &error), TS_BAD_INPUT);
    if (!strstr(error.message, words) || (error.line == 0 && words[0] != 'c'))
        fail_msg("line %d: %s", error.line, error.message);
    ts_free(text);
}

static void test_many(void **state)
{
    (void)state;
    refuse_repeated("<svg><path d='M0 0", "h1v1", 5000000, "z'/></svg>", "more than 100000 edges");
    refuse_repeated("<svg><polygon points='", "1 2 3 4 ", 500000, "'/></svg>", "more than 100000 edges");
    refuse_repeated("<svg>", "<circle r='1'/>", 100000, "</svg>", "more than 100000 edges");
    refuse_repeated("<svg>", "<g>", 10000, "", "nested more than 256 deep");
    refuse_repeated("<svg>", "<g/>", 1200000, "</svg>", "more than 1000000 elements");
    refuse_repeated("<svg>", "<use href='#a'/>", 100, "<g id='a'><g/></g></svg>", "closed path");
    /* one name, one number, one attribute without end */
    refuse_repeated("<svg><path d='M0 0L", "1", 1000000, " 5z'/></svg>", "too large");
    refuse_repeated("<svg><rect width='5' height='5' transform='", "scale(2)", 100000, "'/></svg>", "beyond numbers");
    refuse_repeated("<svg><", "a", 1000000, "/></svg>", "closed path");
}

static void test_large_file(void **state)
{
    (void)state;
    const char *text = "<svg/>";
    assert_int_equal(ts_file_write("large.svg", text, strlen(text), NULL), TS_OK);
    assert_int_equal(truncate("large.svg", 100 << 20), 0); /* with zeros, which take no room on the disk */
    check_shape("large.svg", "-", "-", "larger than");
    assert_int_equal(truncate("large.svg", 200 << 20), 0);
    check_shape("large.svg", "U+41", "-", "larger than");
    unlink("large.svg");
}

int main(void)
{
    if (!TS_WITH_EXPAT || !TS_WITH_FREETYPE)
        return 77; /* this build reads none */
    const char *root = getenv("SOURCE_DIR");
    snprintf(folder, sizeof folder, "%s/tests/bad_shapes", root ? root : ".");
    const struct CMUnitTest test[] = {
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_large_file),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
