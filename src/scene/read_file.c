/* SPDX-License-Identifier: MIT */
/* Scene files and what they include.
 *
 * An included file lies underneath the one that includes it: keys that both have are the includer's, except that
 * objects are merged key by key (unless their "kind" differs) and that the scene's lists of things are appended, the
 * included ones first. A file counts once, however often it is included. So
 *
 *     scene.json  include [a.json, b.json]      from bottom to top:  a.json, b.json, scene.json
 *
 * A path is relative to the file that names it. It may not leave that file's folder, neither by its letters nor through
 * links, unless it ends up in a folder that the user named as a search path: a scene from a stranger reads nothing
 * else. Files that the caller holds as texts are found by the very path that an include writes, before any on disk. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "scene/read.h"

#define INCLUDE_DEPTH_MAX 16
#define INCLUDE_FILES_MAX 1000

typedef struct source {
    const char *real;  /* without links, "." and ".."; what tells files apart; NULL for a text */
    const char *shown; /* as the user would write it */
} source;

typedef struct loader {
    ts_arena *arena;
    const ts_load_options *options;
    ts_error *error;
    source open[INCLUDE_DEPTH_MAX]; /* files that the loading is inside of */
    int depth;
    TS_ARRAY(const char *) done; /* real paths of all files so far */
} loader;

static const ts_load_options no_options;

static ts_status load(loader *l, const char *text, size_t length, source from, bool is_file, ts_json_value **root);

/* ---- Merging ---- */

/* The sections whose items are things of their own, so that those of both files are kept. Every other list is one
 * value. */
static bool is_list_of_things(const char *key)
{
    static const char *const list[] = {"material_pairs", "bodies",  "generators", "walls",
                                       "boundaries",     "springs", "drives"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(key, list[i]) == 0)
            return true;
    return false;
}

static bool same_kind(const ts_json_value *a, const ts_json_value *b)
{
    const ts_json_value *x = ts_json_get(a, "kind"), *y = ts_json_get(b, "kind");
    return !x || !y || x->kind != TS_JSON_TEXT || y->kind != TS_JSON_TEXT || strcmp(x->text, y->text) == 0;
}

/* Puts the children of `over` behind those of `under`. */
static void concatenate(ts_json_value *under, ts_json_value *over)
{
    ts_json_value **link = &under->first;
    while (*link)
        link = &(*link)->next;
    *link = over->first;
    under->count += over->count;
}

static ts_status merge(loader *l, ts_json_value *under, ts_json_value *over, bool top);

/* `over` takes the place of `under`, a member of the same key, in the tree that `under` is in. */
static ts_status merge_member(loader *l, ts_json_value *under, ts_json_value *over, bool top)
{
    if (under->kind == TS_JSON_OBJECT && over->kind == TS_JSON_OBJECT && same_kind(under, over))
        return merge(l, under, over, false);
    if (top && under->kind == TS_JSON_ARRAY && over->kind == TS_JSON_ARRAY && is_list_of_things(over->key)) {
        concatenate(under, over);
        return TS_OK;
    }
    ts_json_value *next = under->next;
    *under = *over;
    under->next = next;
    return TS_OK;
}

/* Lays the members of `over` over those of `under`; `over` is used up. */
static ts_status merge(loader *l, ts_json_value *under, ts_json_value *over, bool top)
{
    ts_names names = {0};
    ts_json_value **member = ts_arena_alloc(l->arena, (size_t)under->count + 1, sizeof(ts_json_value *));
    if (!member)
        return ts_fail_memory(l->error, ((size_t)under->count + 1) * sizeof(ts_json_value *));
    ts_status status = TS_OK;
    int32_t count = 0;
    ts_json_value *last = NULL;
    for (ts_json_value *m = under->first; m && status == TS_OK; m = m->next) {
        status = ts_names_reserve(&names, l->error);
        if (status == TS_OK)
            ts_names_add(&names, m->key, TS_NAME_NONE, count);
        member[count++] = last = m;
    }
    for (ts_json_value *m = over->first, *next; m && status == TS_OK; m = next) {
        next = m->next;
        const ts_name *found = ts_names_find(&names, m->key);
        if (found) {
            status = merge_member(l, member[found->index], m, top);
        } else {
            m->next = NULL;
            *(last ? &last->next : &under->first) = m;
            last = m;
            under->count++;
        }
    }
    ts_names_free(&names);
    return status;
}

/* ---- Finding included files ---- */

static bool is_inside(const char *real, const char *folder)
{
    char real_folder[PATH_MAX];
    if (!realpath(folder, real_folder))
        return false;
    size_t length = strlen(real_folder);
    if (length == 1) /* "/" */
        return true;
    return strncmp(real, real_folder, length) == 0 && real[length] == '/';
}

static bool is_in_search_path(const ts_load_options *options, const char *real)
{
    for (size_t i = 0; i < options->search_path_count; i++)
        if (is_inside(real, options->search_path[i]))
            return true;
    return false;
}

/* A path that exists: whether it may be read, and how it is called. */
static bool try_candidate(const ts_load_options *options, const char *folder, const char *path, const char *home,
                          char *shown, char *real, bool *escapes)
{
    if (ts_path_join(folder, path, shown, PATH_MAX) >= PATH_MAX || !realpath(shown, real))
        return false;
    if ((ts_path_stays_inside(path) && is_inside(real, home)) || is_in_search_path(options, real))
        return true;
    *escapes = true;
    return false;
}

ts_status ts_read_find(const ts_reader *reader, const ts_json_value *item, const char *what, const char *home,
                       const char **found_shown, const char **found_real)
{
    const ts_load_options *options = reader->options ? reader->options : &no_options;
    char shown[PATH_MAX], real[PATH_MAX], quote[TS_QUOTE_SIZE];
    const char *path = item->text;
    ts_quote(path, quote, sizeof quote);
    if (!path[0])
        return ts_read_fail(reader, item, "%s: the path is empty; name a file", what);
    bool escapes = !ts_path_stays_inside(path), ok = false;
    if (!escapes || options->search_path_count > 0)
        ok = try_candidate(options, home, path, home, shown, real, &escapes);
    for (size_t i = 0; i < options->search_path_count && !ok; i++)
        ok = try_candidate(options, options->search_path[i], path, home, shown, real, &escapes);
    if (!ok && escapes)
        return ts_read_fail(reader, item,
                            "%s: \"%s\" leaves the folder of the scene; move the file there, or allow its folder with "
                            "a search path (-I DIR)",
                            what, quote);
    if (!ok)
        return ts_read_fail(reader, item, "%s: there is no file \"%s\"; paths are relative to the file that names them",
                            what, quote);
    struct stat about;
    if (stat(real, &about) != 0 || !S_ISREG(about.st_mode)) /* a pipe or a device could block for ever */
        return ts_read_fail(reader, item, "%s: \"%s\" is not a regular file; name one", what, quote);
    const char *text = ts_arena_text(reader->arena, shown, strlen(shown));
    if (!text)
        return ts_fail_memory(reader->error, PATH_MAX);
    *found_shown = text;
    if (!found_real)
        return TS_OK;
    *found_real = ts_arena_text(reader->arena, real, strlen(real));
    return *found_real ? TS_OK : ts_fail_memory(reader->error, PATH_MAX);
}

/* The text that the caller gave for a path; NULL: none. */
static const ts_text_file *find_text(const loader *l, const char *path)
{
    for (size_t i = 0; i < l->options->file_count; i++)
        if (strcmp(l->options->file[i].name, path) == 0)
            return &l->options->file[i];
    return NULL;
}

static ts_status find_include(loader *l, const ts_json_value *item, const char *home, source *found)
{
    if (find_text(l, item->text)) {
        *found = (source){item->text, item->text}; /* no real path is relative */
        return TS_OK;
    }
    ts_reader reader = {.in = &ts_in_plane, .arena = l->arena, .error = l->error, .options = l->options};
    return ts_read_find(&reader, item, "include", home, &found->shown, &found->real);
}

/* ---- Loading ---- */

/* `first` is the open file that is included again. */
static ts_status fail_cycle(const loader *l, const ts_json_value *item, int first)
{
    char chain[600], quote[TS_QUOTE_SIZE];
    size_t used = 0;
    for (int i = first; i <= l->depth && used < sizeof chain; i++)
        used += (size_t)snprintf(chain + used, sizeof chain - used, "%s%s", i > first ? " → " : "",
                                 ts_quote(l->open[i < l->depth ? i : first].shown, quote, sizeof quote));
    return ts_fail_at(l->error, TS_BAD_INPUT, ts_json_place(item),
                      "include: files include each other in a circle: %s; break it", chain);
}

static ts_status check_new(const loader *l, const ts_json_value *item, source file, bool *seen)
{
    *seen = false;
    for (int i = 0; i < l->depth; i++)
        if (l->open[i].real && strcmp(l->open[i].real, file.real) == 0)
            return fail_cycle(l, item, i);
    for (size_t i = 0; i < l->done.count && !*seen; i++)
        *seen = strcmp(l->done.item[i], file.real) == 0;
    if (l->depth == INCLUDE_DEPTH_MAX)
        return ts_fail_at(l->error, TS_BAD_INPUT, ts_json_place(item),
                          "include: files are nested more than %d deep; "
                          "use fewer levels",
                          INCLUDE_DEPTH_MAX);
    if (!*seen && l->done.count >= INCLUDE_FILES_MAX)
        return ts_fail_at(l->error, TS_BAD_INPUT, ts_json_place(item), "include: more than %d files; join some",
                          INCLUDE_FILES_MAX);
    return TS_OK;
}

/* Reads a file whole and loads it. An error of the operating system is the scene's: it names a file that cannot be
 * read. */
static ts_status load_file(loader *l, source file, ts_place place, ts_json_value **root)
{
    char *text = NULL;
    size_t length = 0;
    ts_status status = ts_file_read(file.shown, TS_JSON_BYTES_MAX, &text, &length, l->error);
    if (status == TS_IO || status == TS_BAD_INPUT)
        return ts_fail_at(l->error, TS_BAD_INPUT, place, "%s", l->error ? l->error->message : "");
    TS_TRY(status);
    status = load(l, text, length, file, true, root);
    ts_free(text);
    return status;
}

/* Loads one include and lays it over `base`, which is NULL before the first. */
static ts_status load_include(loader *l, const ts_json_value *item, const char *home, ts_json_value **base)
{
    if (item->kind != TS_JSON_TEXT)
        return ts_fail_at(l->error, TS_BAD_INPUT, ts_json_place(item), "include: wanted the path of a file, found %s",
                          ts_json_kind_name(item->kind));
    source file;
    bool seen;
    TS_TRY(find_include(l, item, home, &file));
    TS_TRY(check_new(l, item, file, &seen));
    if (seen)
        return TS_OK;
    ts_json_value *included;
    const ts_text_file *held = find_text(l, item->text);
    TS_TRY(held ? load(l, held->text, held->length, file, true, &included)
                : load_file(l, file, ts_json_place(item), &included));
    if (*base)
        return merge(l, *base, included, true);
    *base = included;
    return TS_OK;
}

/* Lays the tree over what it includes; `*root` becomes the merged tree, without "include". */
static ts_status load_includes(loader *l, source from, bool is_file, ts_json_value **root)
{
    ts_json_value *list = ts_json_get(*root, "include"), *base = NULL;
    if (!list)
        return TS_OK;
    if (list->kind != TS_JSON_ARRAY)
        return ts_fail_at(l->error, TS_BAD_INPUT, ts_json_place(list),
                          "include wants a list of paths, [\"a.json\"], found %s", ts_json_kind_name(list->kind));
    char home[PATH_MAX] = ".";
    if (is_file && ts_path_folder(from.shown, home, sizeof home) >= sizeof home)
        return ts_fail_at(l->error, TS_BAD_INPUT, ts_json_place(list), "include: the path of the scene is too long");
    for (const ts_json_value *item = list->first; item; item = item->next)
        TS_TRY(load_include(l, item, home, &base));
    ts_json_remove(*root, list);
    if (!base)
        return TS_OK;

    /* The merged tree stands where the includer does. */
    ts_json_value *over = *root;
    TS_TRY(merge(l, base, over, true));
    base->file = over->file;
    base->line = over->line;
    base->column = over->column;
    *root = base;
    return TS_OK;
}

static ts_status load(loader *l, const char *text, size_t length, source from, bool is_file, ts_json_value **root)
{
    ts_json_value *tree;
    TS_TRY(ts_json_parse(l->arena, text, length, from.shown, &tree, l->error));
    if (tree->kind != TS_JSON_OBJECT)
        return ts_fail_at(l->error, TS_BAD_INPUT, ts_json_place(tree), "a scene is an object, { … }, found %s",
                          ts_json_kind_name(tree->kind));
    const ts_json_value *version = ts_json_get(tree, "touchstone");
    if (version)
        TS_TRY(ts_read_version(version, l->error));
    if (from.real)
        TS_TRY(ts_array_push(&l->done, from.real, l->error));
    l->open[l->depth++] = from;
    TS_TRY(load_includes(l, from, is_file, &tree));
    l->depth--;
    *root = tree;
    return TS_OK;
}

ts_status ts_read_file(ts_arena *arena, const char *path, const ts_load_options *options, ts_json_value **root,
                       ts_error *error)
{
    loader l = {.arena = arena, .options = options ? options : &no_options, .error = error};
    char real[PATH_MAX];
    source file = {NULL, ts_arena_text(arena, path, strlen(path))};
    if (realpath(path, real))
        file.real = ts_arena_text(arena, real, strlen(real));
    if (!file.shown)
        return ts_fail_memory(error, strlen(path) + 1);
    ts_status status = load_file(&l, file, (ts_place){0}, root);
    ts_array_free(&l.done);
    return status;
}

ts_status ts_read_text(ts_arena *arena, const char *text, size_t length, const char *name,
                       const ts_load_options *options, ts_json_value **root, ts_error *error)
{
    loader l = {.arena = arena, .options = options ? options : &no_options, .error = error};
    source from = {NULL, ts_arena_text(arena, name, strlen(name))};
    if (!from.shown)
        return ts_fail_memory(error, strlen(name) + 1);
    ts_status status = load(&l, text, length, from, false, root);
    ts_array_free(&l.done);
    return status;
}
