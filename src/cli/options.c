/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "cli/format.h"

enum { names_max = 64, name_max = 64 };

/* ---- Finding an option ---- */

static const ts_option *find_long(ts_option_table table, const char *name, size_t length)
{
    for (size_t i = 0; i < table.count; i++)
        if (strlen(table.option[i].name) == length && strncmp(table.option[i].name, name, length) == 0)
            return &table.option[i];
    return NULL;
}

static const ts_option *find_letter(ts_option_table table, char letter)
{
    for (size_t i = 0; i < table.count; i++)
        if (table.option[i].letter == letter)
            return &table.option[i];
    return NULL;
}

static ts_status fail_unknown(ts_option_table table, const char *name, size_t length, ts_error *error)
{
    const char *candidate[names_max + 1];
    size_t count = 0;
    for (size_t i = 0; i < table.count && count < names_max; i++)
        candidate[count++] = table.option[i].name;
    candidate[count++] = "help";

    char typed[name_max];
    snprintf(typed, sizeof typed, "%.*s", (int)(length < name_max ? length : name_max - 1), name);
    const char *nearest = ts_nearest_name(typed, candidate, count);
    /* "--thr" is near to nothing by its letters, but it is how --threads begins */
    for (size_t i = 0; !nearest && length > 1 && i < count; i++)
        if (strncmp(candidate[i], typed, strlen(typed)) == 0)
            nearest = candidate[i];
    if (nearest)
        return ts_fail(error, TS_BAD_INPUT, "there is no option '--%s'; did you mean '--%s'?", typed, nearest);
    return ts_fail(error, TS_BAD_INPUT, "there is no option '--%s'", typed);
}

/* Whether an argument is an option of this command: then it is not the argument of the option before it. */
static bool is_option(ts_option_table table, const char *text)
{
    if (text[0] != '-' || !text[1])
        return false;
    if (text[1] != '-')
        return !text[2] && (text[1] == 'h' || find_letter(table, text[1]));
    size_t length = strcspn(text + 2, "=");
    return length == 0 || find_long(table, text + 2, length) || strcmp(text, "--help") == 0;
}

/* "-0.5" is a number, where no option has such a letter. */
static bool is_number(ts_option_table table, const char *text)
{
    double unused;
    return text[0] == '-' && !find_letter(table, text[1]) && ts_parse_double(text, &unused);
}

/* ---- Values ---- */

bool ts_parse_wall(const char *text, double *seconds)
{
    double value;
    size_t length = strlen(text), taken = ts_parse_number(text, length, &value);
    if (taken == 0 || !(value >= 0) || length > taken + 1)
        return false;
    switch (text[taken]) {
    case 0:
    case 's':
        break;
    case 'm':
        value *= 60;
        break;
    case 'h':
        value *= 3600;
        break;
    case 'd':
        value *= 86400;
        break;
    default:
        return false;
    }
    if (!isfinite(value))
        return false;
    *seconds = value;
    return true;
}

static ts_status set_count(const ts_option *option, const char *text, uint64_t *value, ts_error *error)
{
    uint64_t number;
    if (!ts_parse_uint64(text, &number))
        return ts_fail(error, TS_BAD_INPUT, "--%s is '%s', but must be a whole number", option->name, text);
    if (number < option->least)
        return ts_fail(error, TS_BAD_INPUT, "--%s is %s, but must be at least %llu", option->name, text,
                       (unsigned long long)option->least);
    if (option->most && number > option->most)
        return ts_fail(error, TS_BAD_INPUT, "--%s is %s, but must be at most %llu", option->name, text,
                       (unsigned long long)option->most);
    *value = number;
    return TS_OK;
}

static ts_status set_choice(const ts_option *option, const char *text, int *value, ts_error *error)
{
    char word[names_max][name_max];
    const char *candidate[names_max];
    size_t count = 0;
    for (const char *at = option->choice; *at && count < names_max;) {
        size_t length = strcspn(at, "|");
        snprintf(word[count], name_max, "%.*s", (int)length, at);
        candidate[count] = word[count];
        if (strcmp(word[count], text) == 0) {
            *value = (int)count;
            return TS_OK;
        }
        count++;
        at += length + (at[length] == '|');
    }
    const char *nearest = ts_nearest_name(text, candidate, count);
    if (nearest)
        return ts_fail(error, TS_BAD_INPUT, "--%s is '%s'; did you mean '%s'?", option->name, text, nearest);
    return ts_fail(error, TS_BAD_INPUT, "--%s is '%s', but must be one of %s", option->name, text, option->choice);
}

static ts_status add_text(ts_texts *list, const char *text, int argc, ts_arena *arena, ts_error *error)
{
    if (!list->item)
        list->item = ts_arena_alloc(arena, (size_t)argc, sizeof *list->item);
    if (!list->item)
        return ts_fail_memory(error, (size_t)argc * sizeof *list->item);
    list->item[list->count++] = text;
    return TS_OK;
}

static ts_status set_value(const ts_option *option, const char *text, int argc, void *values, ts_arena *arena,
                           ts_error *error)
{
    void *value = (char *)values + option->offset;
    switch (option->kind) {
    case TS_OPTION_FLAG:
        *(bool *)value = true;
        return TS_OK;
    case TS_OPTION_TEXT:
        *(const char **)value = text;
        return TS_OK;
    case TS_OPTION_TEXTS:
        return add_text(value, text, argc, arena, error);
    case TS_OPTION_COUNT:
        return set_count(option, text, value, error);
    case TS_OPTION_CHOICE:
        return set_choice(option, text, value, error);
    case TS_OPTION_NUMBER:
        if (!ts_parse_double(text, value))
            return ts_fail(error, TS_BAD_INPUT, "--%s is '%s', but must be a number", option->name, text);
        return TS_OK;
    case TS_OPTION_WALL:
        if (!ts_parse_wall(text, value))
            return ts_fail(error, TS_BAD_INPUT, "--%s is '%s', but must be a time such as 90s, 10m or 2h", option->name,
                           text);
        return TS_OK;
    }
    return TS_OK;
}

/* ---- The command line ---- */

/* Where parsing stands. */
typedef struct cursor {
    ts_option_table table;
    int argc, next;
    char **argv;
} cursor;

/* The argument of `option`: `inside` the same word, or the next word. */
static ts_status take_argument(cursor *at, const ts_option *option, const char *inside, const char **text,
                               ts_error *error)
{
    *text = "";
    if (!option->argument) {
        if (inside)
            return ts_fail(error, TS_BAD_INPUT, "--%s takes no argument; leave out '%s'", option->name, inside);
        return TS_OK;
    }
    *text = inside;
    if (!inside && at->next < at->argc && !is_option(at->table, at->argv[at->next]))
        *text = at->argv[at->next++];
    if (!*text)
        *text = option->without;
    if (!*text)
        return ts_fail(error, TS_BAD_INPUT, "--%s needs an argument: --%s %s", option->name, option->name,
                       option->argument);
    if (!**text)
        return ts_fail(error, TS_BAD_INPUT, "--%s has an empty argument; give --%s %s", option->name, option->name,
                       option->argument);
    return TS_OK;
}

/* One word that begins with a dash. */
static ts_status read_option(cursor *at, const char *word, void *values, ts_arena *arena, ts_error *error)
{
    const ts_option *option;
    const char *inside = NULL, *text;
    if (word[1] == '-') {
        size_t length = strcspn(word + 2, "=");
        option = find_long(at->table, word + 2, length);
        if (!option)
            return fail_unknown(at->table, word + 2, length, error);
        if (word[2 + length] == '=')
            inside = word + 3 + length;
    } else {
        /* "-out" would otherwise be "-o ut" */
        if (word[2] && find_long(at->table, word + 1, strcspn(word + 1, "=")))
            return ts_fail(error, TS_BAD_INPUT, "there is no option '%s'; did you mean '-%s'?", word, word);
        option = find_letter(at->table, word[1]);
        if (!option)
            return ts_fail(error, TS_BAD_INPUT, "there is no option '%s'", word);
        if (word[2])
            inside = word + 2;
    }
    TS_TRY(take_argument(at, option, inside, &text, error));
    return set_value(option, text, at->argc, values, arena, error);
}

ts_status ts_options_parse(ts_option_table table, int argc, char **argv, void *values, ts_operands *operands,
                           ts_arena *arena, ts_error *error)
{
    *operands = (ts_operands){0};
    operands->item = ts_arena_alloc(arena, (size_t)argc + 1, sizeof *operands->item);
    if (!operands->item)
        return ts_fail_memory(error, ((size_t)argc + 1) * sizeof *operands->item);

    cursor at = {.table = table, .argc = argc, .argv = argv};
    bool only_operands = false;
    while (at.next < argc) {
        const char *word = argv[at.next++];
        if (only_operands || word[0] != '-' || !word[1] || is_number(table, word)) {
            operands->item[operands->count++] = word;
        } else if (strcmp(word, "--") == 0) {
            only_operands = true;
        } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            operands->help = true;
            return TS_OK;
        } else {
            TS_TRY(read_option(&at, word, values, arena, error));
        }
    }
    return TS_OK;
}

/* ---- Help ---- */

void ts_options_help(ts_option_table table, FILE *stream)
{
    enum { column = 25 };
    static const ts_option help = {.name = "help", .letter = 'h', .help = "print this text"};
    for (size_t i = 0; i <= table.count; i++) {
        const ts_option *o = i < table.count ? &table.option[i] : &help;
        char left[column * 3];
        int length =
            o->letter ? snprintf(left, sizeof left, "  -%c, ", o->letter) : snprintf(left, sizeof left, "      ");
        snprintf(left + length, sizeof left - (size_t)length, "--%s%s%s", o->name, o->argument ? " " : "",
                 o->argument ? o->argument : "");
        ts_print_entry(stream, left, o->help, column);
    }
}
