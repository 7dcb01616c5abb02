/* SPDX-License-Identifier: MIT */
#include "scene/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

typedef struct parser {
    const char *start, *at, *end;
    const char *line_start; /* of the line that `at` is on */
    int32_t line;
    int depth;
    size_t value_count;
    const char *file;
    ts_arena *arena;
    ts_error *error;
} parser;

static ts_place place_of(const parser *p, const char *at)
{
    return (ts_place){p->file, p->line, (int)(at - p->line_start) + 1};
}

#define fail_at(p, at, ...) ts_fail_at((p)->error, TS_BAD_INPUT, place_of((p), (at)), __VA_ARGS__)

/* ---- The bytes as a whole ---- */

/* Length of the UTF-8 character that starts at `at`, or 0 when it is none: overlong forms, surrogates and what lies
 * above U+10FFFF are not. */
static size_t utf8_length(const unsigned char *at, size_t room)
{
    unsigned char first = at[0];
    if (first < 0x80)
        return 1;
    size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (length == 0 || length > room)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    if ((first == 0xe0 && at[1] < 0xa0) || (first == 0xed && at[1] > 0x9f) || (first == 0xf0 && at[1] < 0x90) ||
        (first == 0xf4 && at[1] > 0x8f))
        return 0;
    return length;
}

/* Eight bytes that are all printable ASCII. */
static bool is_plain_word(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    const uint64_t high = 0x8080808080808080u;
    /* Adding 0x60 carries a byte of 0x20 … 0x7f into its high bit; bytes below 0x80 cannot disturb their neighbours. */
    return (word & high) == 0 && ((word + 0x6060606060606060u) & high) == high;
}

/* Valid UTF-8 without control characters, comments included, so that no later stage has to look. */
static ts_status check_bytes(parser *p)
{
    const char *at = p->start;
    if (p->end - at >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        return fail_at(p, at, "the text starts with a byte-order mark; save it as UTF-8 without one");
    if (p->end - at >= 2 && (memcmp(at, "\xff\xfe", 2) == 0 || memcmp(at, "\xfe\xff", 2) == 0))
        return fail_at(p, at, "the text seems to be UTF-16; save it as UTF-8");
    ts_status status = TS_OK;
    while (at < p->end && status == TS_OK) {
        if (p->end - at >= 8 && is_plain_word(at)) {
            at += 8;
            continue;
        }
        unsigned char byte = (unsigned char)*at;
        size_t length = utf8_length((const unsigned char *)at, (size_t)(p->end - at));
        if (length == 0)
            status = fail_at(p, at, "byte 0x%02x is not valid UTF-8; save the text as UTF-8", byte);
        else if (byte < 0x20 && byte != '\n' && byte != '\t' && byte != '\r')
            status = fail_at(p, at, "control character 0x%02x is not allowed; is this a text file? Remove it", byte);
        if (byte == '\n') {
            p->line++;
            p->line_start = at + 1;
        }
        at += length;
    }
    p->line = 1;
    p->line_start = p->start;
    return status;
}

/* ---- Between values ---- */

static ts_status skip_block_comment(parser *p)
{
    ts_place begin = place_of(p, p->at);
    for (p->at += 2; p->at < p->end; p->at++) {
        if (*p->at == '*' && p->end - p->at >= 2 && p->at[1] == '/') {
            p->at += 2;
            return TS_OK;
        }
        if (*p->at == '\n') {
            p->line++;
            p->line_start = p->at + 1;
        }
    }
    return ts_fail_at(p->error, TS_BAD_INPUT, begin, "this comment never ends; add \"*/\"");
}

/* Moves to the next byte that means something, or to the end. */
static ts_status skip_space(parser *p)
{
    for (; p->at < p->end; p->at++) {
        char c = *p->at;
        if (c == '\n') {
            p->line++;
            p->line_start = p->at + 1;
        } else if (c == '/') {
            char next = p->end - p->at >= 2 ? p->at[1] : 0;
            if (next == '/') {
                const char *newline = memchr(p->at, '\n', (size_t)(p->end - p->at));
                p->at = (newline ? newline : p->end) - 1;
            } else if (next == '*') {
                TS_TRY(skip_block_comment(p));
                p->at--;
            } else {
                return fail_at(p, p->at, "unexpected \"/\"; a comment starts with \"//\" or \"/*\"");
            }
        } else if (c != ' ' && c != '\t' && c != '\r') {
            break;
        }
    }
    return TS_OK;
}

/* ---- Texts ---- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The four digits of \uXXXX, or -1. */
static int32_t hex4(const char *at, const char *end)
{
    if (end - at < 4)
        return -1;
    int32_t code = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(at[i]);
        if (digit < 0)
            return -1;
        code = code * 16 + digit;
    }
    return code;
}

static char *put_utf8(char *out, uint32_t code)
{
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xc0 | (code >> 6));
        *out++ = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *out++ = (char)(0xe0 | (code >> 12));
        *out++ = (char)(0x80 | ((code >> 6) & 0x3f));
        *out++ = (char)(0x80 | (code & 0x3f));
    } else {
        *out++ = (char)(0xf0 | (code >> 18));
        *out++ = (char)(0x80 | ((code >> 12) & 0x3f));
        *out++ = (char)(0x80 | ((code >> 6) & 0x3f));
        *out++ = (char)(0x80 | (code & 0x3f));
    }
    return out;
}

/* Decodes \uXXXX, or a pair of them for a character above U+FFFF; `*from` is at the backslash and moves past it all. */
static ts_status decode_unicode(parser *p, const char **from, const char *end, char **to)
{
    const char *at = *from;
    int32_t code = hex4(at + 2, end);
    if (code < 0)
        return fail_at(p, at, "\"\\u\" must be followed by four hexadecimal digits");
    if (code == 0)
        return fail_at(p, at, "\"\\u0000\" cannot stand in a text; remove it");
    *from += 6;
    if (code >= 0xd800 && code < 0xe000) {
        int32_t low =
            code < 0xdc00 && end - *from >= 6 && (*from)[0] == '\\' && (*from)[1] == 'u' ? hex4(*from + 2, end) : -1;
        if (low < 0xdc00 || low > 0xdfff)
            return fail_at(p, at,
                           "half of a surrogate pair is no character; write both halves, or the character itself");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        *from += 6;
    }
    *to = put_utf8(*to, (uint32_t)code);
    return TS_OK;
}

/* Copies begin…end with its escapes resolved; what they stand for is never longer than they are. */
static ts_status decode_text(parser *p, const char *begin, const char *end, char *out)
{
    static const char plain[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    while (begin < end) {
        if (*begin != '\\') {
            *out++ = *begin++;
            continue;
        }
        if (begin[1] == 'u') {
            TS_TRY(decode_unicode(p, &begin, end, &out));
            continue;
        }
        const char *found = begin[1] ? strchr(plain, begin[1]) : NULL;
        if (!found)
            return fail_at(p, begin,
                           "unknown escape; only \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX exist; "
                           "write \\\\ for a backslash");
        *out++ = meant[found - plain];
        begin += 2;
    }
    return TS_OK;
}

/* `p->at` is at the opening quote. */
static ts_status parse_text(parser *p, const char **text)
{
    const char *begin = p->at + 1, *end = begin;
    bool escapes = false;
    for (; end < p->end && *end != '"'; end++) {
        if (*end == '\n' || *end == '\r')
            return fail_at(p, p->at,
                           "this text does not end on its line; add the closing quote, or write \\n for a new line");
        if (*end == '\t')
            return fail_at(p, end, "a tab cannot stand in a text; write \\t");
        if (*end == '\\') {
            escapes = true;
            if (p->end - end > 1 && (unsigned char)end[1] >= 0x20)
                end++; /* whatever is escaped, a quote too; a line end is found in the next round */
        }
    }
    if (end >= p->end)
        return fail_at(p, p->at, "this text never ends; add the closing quote");
    size_t length = (size_t)(end - begin);
    char *copy = ts_arena_text(p->arena, begin, length);
    if (!copy)
        return ts_fail_memory(p->error, length + 1);
    if (escapes) {
        memset(copy, 0, length);
        TS_TRY(decode_text(p, begin, end, copy));
    }
    p->at = end + 1;
    *text = copy;
    return TS_OK;
}

/* ---- Numbers and words ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}

/* The byte at `at`, or 0 at the end. */
static char byte_at(const parser *p, const char *at)
{
    return at < p->end ? *at : 0;
}

static const char *skip_digits(const parser *p, const char *at)
{
    while (at < p->end && is_digit(*at))
        at++;
    return at;
}

/* Finds the end of the number at p->at by JSON's grammar and says what is wrong with a near miss. */
static ts_status scan_number(parser *p, const char **end)
{
    const char *at = p->at;
    if (*at == '+')
        return fail_at(p, at, "a number does not start with \"+\"; leave it out");
    if (*at == '-')
        at++;
    if (byte_at(p, at) == 'I' || byte_at(p, at) == 'i' || byte_at(p, at) == 'N' || byte_at(p, at) == 'n')
        return fail_at(p, p->at, "not a finite number; NaN and Infinity are not allowed, give a number such as 1e6");
    if (byte_at(p, at) == '.')
        return fail_at(p, p->at, "a number does not start with a point; write 0 before it");
    if (!is_digit(byte_at(p, at)))
        return fail_at(p, p->at, "a \"-\" must be followed by a digit");
    if (*at == '0' && is_digit(byte_at(p, at + 1)))
        return fail_at(p, p->at, "a number does not start with 0 before another digit; leave the zero out");
    at = skip_digits(p, at);
    if (byte_at(p, at) == '.') {
        if (!is_digit(byte_at(p, at + 1)))
            return fail_at(p, at, "a digit must follow the point; write 1.0 or 1");
        at = skip_digits(p, at + 1);
    }
    if (byte_at(p, at) == 'e' || byte_at(p, at) == 'E') {
        const char *digits = at + 1 + (byte_at(p, at + 1) == '+' || byte_at(p, at + 1) == '-');
        if (!is_digit(byte_at(p, digits)))
            return fail_at(p, at, "an exponent needs digits, as in 1e-3");
        at = skip_digits(p, digits);
    }
    if (is_letter(byte_at(p, at)) || byte_at(p, at) == '.' || byte_at(p, at) == '%')
        return fail_at(p, at,
                       "a number ends here, but more follows; a number with a unit is written as text, as in \"3 mm\"");
    *end = at;
    return TS_OK;
}

static ts_status parse_number(parser *p, double *value)
{
    const char *end = p->at;
    TS_TRY(scan_number(p, &end));
    size_t length = (size_t)(end - p->at);
    if (length > 1000)
        return fail_at(p, p->at, "a number of %zu characters is too long; 17 digits are all that is kept", length);
    if (ts_parse_number(p->at, length, value) != length)
        return fail_at(p, p->at, "%.*s%s is not a finite number; the largest is about 1.8e308",
                       length < 40 ? (int)length : 40, p->at, length < 40 ? "" : "…");
    p->at = end;
    return TS_OK;
}

static bool is_word(const char *at, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(at, word, length) == 0;
}

/* true, false or null, or an error that guesses what was meant. */
static ts_status parse_word(parser *p, ts_json_value *value)
{
    const char *at = p->at, *end = at;
    while (end < p->end && (is_letter(*end) || is_digit(*end)))
        end++;
    size_t length = (size_t)(end - at);
    p->at = end;
    if (is_word(at, length, "null"))
        return TS_OK;
    if (is_word(at, length, "true") || is_word(at, length, "false")) {
        value->kind = TS_JSON_BOOLEAN;
        value->boolean = *at == 't';
        return TS_OK;
    }
    static const char *const number[] = {"NaN", "nan", "NAN", "Infinity", "infinity", "inf", "Inf", "INF"};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        if (is_word(at, length, number[i]))
            return fail_at(p, at, "%s is not a finite number; give one such as 1e6", number[i]);
    if (is_word(at, length, "True") || is_word(at, length, "False") || is_word(at, length, "None"))
        return fail_at(p, at, "%.*s is Python's; JSON writes true, false and null", (int)length, at);
    int shown = length < 40 ? (int)length : 40;
    while (shown > 0 && shown < (int)length && (at[shown] & 0xc0) == 0x80)
        shown--; /* not in the middle of a character */
    return fail_at(p, at, "unexpected word %.*s; text is written in double quotes", shown, at);
}

/* ---- Values ---- */

static int compare_members(const void *a, const void *b)
{
    const ts_json_value *x = *(const ts_json_value *const *)a, *y = *(const ts_json_value *const *)b;
    int order = strcmp(x->key, y->key);
    if (order != 0)
        return order;
    return x->key_line != y->key_line ? (x->key_line < y->key_line ? -1 : 1)
                                      : (x->key_column > y->key_column) - (x->key_column < y->key_column);
}

static ts_status check_duplicates(parser *p, const ts_json_value *object)
{
    if (object->count < 2)
        return TS_OK;
    const ts_json_value **member = ts_alloc_raw(object->count, sizeof(ts_json_value *));
    if (!member)
        return ts_fail_memory(p->error, object->count * sizeof(ts_json_value *));
    size_t count = 0;
    for (const ts_json_value *m = object->first; m; m = m->next)
        member[count++] = m;
    qsort(member, count, sizeof(ts_json_value *), compare_members);

    /* Of all duplicates the one that stands first in the text is told. */
    const ts_json_value *first = NULL, *second = NULL;
    for (size_t i = 1; i < count; i++) {
        const ts_json_value *m = member[i];
        if (strcmp(member[i - 1]->key, m->key) == 0 &&
            (!second || m->key_line < second->key_line ||
             (m->key_line == second->key_line && m->key_column < second->key_column))) {
            first = member[i - 1];
            second = m;
        }
    }
    ts_free(member);
    if (!second)
        return TS_OK;
    char quote[TS_QUOTE_SIZE];
    return ts_fail_at(p->error, TS_BAD_INPUT, ts_json_key_place(second),
                      "duplicate key \"%s\"; it already stands at line %d, column %d; remove one of the two",
                      ts_quote(second->key, quote, sizeof quote), (int)first->key_line, (int)first->key_column);
}

static ts_status parse_value(parser *p, ts_json_value *value);

/* A new value at p->at. */
static ts_status new_value(parser *p, ts_json_value **value)
{
    if (++p->value_count > TS_JSON_VALUES_MAX)
        return fail_at(p, p->at, "more than %d values; use generators for scenes of this size", TS_JSON_VALUES_MAX);
    *value = ts_json_new(p->arena, place_of(p, p->at));
    return *value ? TS_OK : ts_fail_memory(p->error, sizeof **value);
}

/* "key" : — leaves p->at at the value. */
static ts_status parse_key(parser *p, const char **key, ts_place *place)
{
    *place = place_of(p, p->at);
    if (*p->at != '"')
        return fail_at(p, p->at, "expected a key in double quotes, or \"}\"");
    TS_TRY(parse_text(p, key));
    TS_TRY(skip_space(p));
    if (byte_at(p, p->at) != ':') {
        char quote[TS_QUOTE_SIZE];
        return fail_at(p, p->at, "expected \":\" after the key \"%s\"", ts_quote(*key, quote, sizeof quote));
    }
    p->at++;
    return skip_space(p);
}

/* `p->at` is at the bracket; items and members share their commas. */
static ts_status parse_container(parser *p, ts_json_value *value)
{
    bool object = *p->at == '{';
    char close = object ? '}' : ']';
    value->kind = object ? TS_JSON_OBJECT : TS_JSON_ARRAY;
    if (p->depth == TS_JSON_NESTING_MAX)
        return fail_at(p, p->at, "nested more than %d deep; no scene needs that, remove some brackets",
                       TS_JSON_NESTING_MAX);
    p->depth++;
    p->at++;
    ts_json_value *last = NULL;
    bool need_comma = false;
    for (;;) {
        TS_TRY(skip_space(p));
        char c = byte_at(p, p->at);
        if (p->at == p->end)
            return fail_at(p, p->at,
                           "the text ends inside the %s that begins at line %d, column %d; add the missing \"%c\"",
                           object ? "object" : "list", (int)value->line, (int)value->column, close);
        if (c == close)
            break;
        if (need_comma && c != ',')
            return fail_at(p, p->at, "expected \",\" or \"%c\" here; is a comma missing before it?", close);
        if (need_comma) {
            p->at++;
            need_comma = false;
            continue;
        }
        const char *key = NULL;
        ts_place key_place = {0};
        if (object)
            TS_TRY(parse_key(p, &key, &key_place));
        ts_json_value *child;
        TS_TRY(new_value(p, &child));
        child->key = key;
        child->key_line = key_place.line;
        child->key_column = key_place.column;
        TS_TRY(parse_value(p, child));
        *(last ? &last->next : &value->first) = child;
        last = child;
        value->count++;
        need_comma = true;
    }
    p->at++;
    p->depth--;
    return object ? check_duplicates(p, value) : TS_OK;
}

static ts_status parse_value(parser *p, ts_json_value *value)
{
    if (p->at == p->end)
        return fail_at(p, p->at, "the text ends where a value should be; is it cut off?");
    char c = *p->at;
    if (c == '{' || c == '[')
        return parse_container(p, value);
    if (c == '"') {
        value->kind = TS_JSON_TEXT;
        return parse_text(p, &value->text);
    }
    if (is_digit(c) || c == '-' || c == '+' || c == '.') {
        value->kind = TS_JSON_NUMBER;
        return parse_number(p, &value->number);
    }
    if (is_letter(c))
        return parse_word(p, value);
    if (c == '\'')
        return fail_at(p, p->at, "unexpected \"'\"; text is written in double quotes");
    return fail_at(p, p->at, "expected a value, found \"%c\"", c);
}

ts_status ts_json_parse(ts_arena *arena, const char *text, size_t length, const char *file, ts_json_value **root,
                        ts_error *error)
{
    parser p = {.start = text,
                .at = text,
                .end = text + length,
                .line_start = text,
                .line = 1,
                .file = file,
                .arena = arena,
                .error = error};
    if (length > TS_JSON_BYTES_MAX)
        return fail_at(&p, p.at,
                       "%zu bytes are too many for a scene; at most %zu MB are read: use generators or includes",
                       length, TS_JSON_BYTES_MAX >> 20);
    TS_TRY(check_bytes(&p));
    TS_TRY(skip_space(&p));
    if (p.at == p.end)
        return fail_at(&p, p.at, "the text is empty; a scene is an object, { … }");
    ts_json_value *value;
    TS_TRY(new_value(&p, &value));
    TS_TRY(parse_value(&p, value));
    TS_TRY(skip_space(&p));
    if (p.at != p.end)
        return fail_at(&p, p.at,
                       "the text goes on after its end; remove what follows, or a bracket that closes too early");
    *root = value;
    return TS_OK;
}
