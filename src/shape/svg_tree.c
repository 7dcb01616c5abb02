/* SPDX-License-Identifier: MIT */
#include "shape/svg.h"

#include <limits.h>
#include <string.h>

void ts_svg_tree_free(ts_svg_tree *tree)
{
    ts_arena_free(&tree->arena);
    *tree = (ts_svg_tree){0};
}

ts_place ts_svg_node_place(const ts_svg_tree *tree, const ts_svg_node *node)
{
    return (ts_place){tree->file, node->line, node->column};
}

const char *ts_svg_attribute_of(const ts_svg_node *node, const char *name)
{
    for (size_t i = 0; i < node->attribute_count; i++)
        if (strcmp(node->attribute[i].name, name) == 0)
            return node->attribute[i].value;
    return NULL;
}

#if TS_WITH_EXPAT

#include <expat.h>

/* Far more than a person draws; recursion over the tree then stays far from the stack's end. */
#define DEPTH_MAX    256
#define ELEMENTS_MAX 1000000
#define TEXT_KEPT    24 /* bytes of a <text> that its note shows */

#define SVG_SPACE    "http://www.w3.org/2000/svg\n"
#define XLINK_SPACE  "http://www.w3.org/1999/xlink\n"

static const struct {
    const char *tag;
    ts_svg_kind kind;
} tags[] = {
    {"svg", TS_SVG_SVG},           {"g", TS_SVG_GROUP},        {"a", TS_SVG_GROUP},         {"switch", TS_SVG_SWITCH},
    {"defs", TS_SVG_STORE},        {"clipPath", TS_SVG_STORE}, {"mask", TS_SVG_STORE},      {"marker", TS_SVG_STORE},
    {"pattern", TS_SVG_STORE},     {"symbol", TS_SVG_SYMBOL},  {"use", TS_SVG_USE},         {"path", TS_SVG_PATH},
    {"rect", TS_SVG_RECT},         {"circle", TS_SVG_CIRCLE},  {"ellipse", TS_SVG_ELLIPSE}, {"polygon", TS_SVG_POLYGON},
    {"polyline", TS_SVG_POLYLINE}, {"line", TS_SVG_LINE},      {"text", TS_SVG_TEXT},       {"image", TS_SVG_IMAGE},
    {"style", TS_SVG_STYLE},
};

/* Attributes that are read; all others are not even kept. */
static const char *const kept_attribute[] = {
    "id",      "href",       "x",         "y",         "width", "height",    "viewBox", "preserveAspectRatio",
    "d",       "rx",         "ry",        "r",         "cx",    "cy",        "points",  "style",
    "display", "visibility", "fill-rule", "clip-path", "mask",  "transform",
};

typedef struct builder {
    XML_Parser parser;
    ts_svg_tree *tree;
    ts_svg_node *top; /* the element that is open */
    int depth;        /* of open elements, kept or not */
    int skipped;      /* of them within one that is not kept */
    bool reading_text;
    char text[TEXT_KEPT + 4];
    size_t text_length;
    ts_status status;
    ts_error *error;
} builder;

static ts_place here(const builder *b)
{
    XML_Size line = XML_GetCurrentLineNumber(b->parser), column = XML_GetCurrentColumnNumber(b->parser) + 1;
    return (ts_place){b->tree->file, line < INT_MAX ? (int)line : INT_MAX, column < INT_MAX ? (int)column : INT_MAX};
}

/* Ends the parsing; the first failure counts. */
#define STOP(b, code, ...)                                                      \
    do {                                                                        \
        if ((b)->status == TS_OK)                                               \
            (b)->status = ts_fail_at((b)->error, (code), here(b), __VA_ARGS__); \
        XML_StopParser((b)->parser, XML_FALSE);                                 \
    } while (0)

/* The name within SVG; NULL for an element of another vocabulary. Files without any namespace are taken for SVG. */
static const char *svg_name(const char *name)
{
    if (strncmp(name, SVG_SPACE, sizeof SVG_SPACE - 1) == 0)
        return name + sizeof SVG_SPACE - 1;
    return strchr(name, '\n') ? NULL : name;
}

static const char *attribute_name(const char *name)
{
    if (strncmp(name, XLINK_SPACE, sizeof XLINK_SPACE - 1) == 0)
        name += sizeof XLINK_SPACE - 1;
    for (size_t i = 0; i < sizeof kept_attribute / sizeof *kept_attribute; i++)
        if (strcmp(kept_attribute[i], name) == 0)
            return kept_attribute[i];
    return NULL;
}

static bool keep_attributes(builder *b, ts_svg_node *node, const XML_Char **list)
{
    size_t count = 0;
    for (size_t i = 0; list[i]; i += 2)
        count += attribute_name(list[i]) != NULL;
    node->attribute = ts_arena_alloc(&b->tree->arena, count > 0 ? count : 1, sizeof *node->attribute);
    if (!node->attribute)
        return false;
    for (size_t i = 0; list[i]; i += 2) {
        const char *name = attribute_name(list[i]);
        if (!name)
            continue;
        const char *value = ts_arena_text(&b->tree->arena, list[i + 1], strlen(list[i + 1]));
        if (!value)
            return false;
        /* a plain href counts more than xlink's: the first that is found is taken */
        bool first = strcmp(list[i], "href") == 0 && node->attribute_count > 0;
        ts_svg_attribute attribute = {name, value};
        if (first) {
            node->attribute[node->attribute_count++] = node->attribute[0];
            node->attribute[0] = attribute;
        } else {
            node->attribute[node->attribute_count++] = attribute;
        }
    }
    node->id = ts_svg_attribute_of(node, "id");
    return true;
}

static void add_node(builder *b, size_t tag, const XML_Char **attributes)
{
    if (++b->tree->node_count > ELEMENTS_MAX) {
        STOP(b, TS_BAD_INPUT, "there are more than %d elements; simplify the drawing", ELEMENTS_MAX);
        return;
    }
    ts_svg_node *node = ts_arena_alloc(&b->tree->arena, 1, sizeof *node);
    if (!node || !keep_attributes(b, node, attributes)) {
        b->status = b->status == TS_OK ? ts_fail_memory(b->error, sizeof *node) : b->status;
        XML_StopParser(b->parser, XML_FALSE);
        return;
    }
    node->kind = tags[tag].kind;
    node->tag = tags[tag].tag;
    ts_place place = here(b);
    node->line = place.line;
    node->column = place.column;
    XML_Index offset = XML_GetCurrentByteIndex(b->parser);
    node->offset = offset > 0 ? (size_t)offset : 0;
    node->parent = b->top;
    if (!b->top)
        b->tree->root = node;
    else if (b->top->last)
        b->top->last->next = node;
    else
        b->top->child = node;
    if (b->top)
        b->top->last = node;
    b->top = node;
}

static void XMLCALL on_start(void *user, const XML_Char *name, const XML_Char **attributes)
{
    builder *b = user;
    if (b->status != TS_OK)
        return;
    if (++b->depth > DEPTH_MAX) {
        STOP(b, TS_BAD_INPUT, "elements are nested more than %d deep; ungroup the drawing", DEPTH_MAX);
        return;
    }
    if (b->skipped > 0 || (b->top && b->top->kind == TS_SVG_TEXT)) {
        b->skipped++;
        return;
    }
    const char *local = svg_name(name);
    size_t tag = 0, count = sizeof tags / sizeof *tags;
    while (tag < count && (!local || strcmp(local, tags[tag].tag) != 0))
        tag++;
    if (b->depth == 1 && (tag == count || tags[tag].kind != TS_SVG_SVG)) {
        const char *end = strchr(name, '\n'), *shown = end ? end + 1 : name;
        if (!local)
            STOP(b, TS_BAD_INPUT,
                 "the outermost element, <%.40s>, is of the namespace %.*s, not of SVG; give an SVG drawing", shown,
                 end - name < 100 ? (int)(end - name) : 100, name);
        else
            STOP(b, TS_BAD_INPUT, "the outermost element is <%.40s>, not <svg>; give an SVG drawing", shown);
        return;
    }
    if (tag == count || tags[tag].kind == TS_SVG_STYLE) {
        b->tree->has_style_sheet |= tag < count;
        b->skipped = 1;
        return;
    }
    add_node(b, tag, attributes);
    b->reading_text = tags[tag].kind == TS_SVG_TEXT;
    b->text_length = 0;
}

/* Cuts at a character's boundary. */
static ts_status keep_text(builder *b)
{
    size_t length = b->text_length;
    if (length > TEXT_KEPT) {
        for (length = TEXT_KEPT; length > 0 && (b->text[length] & 0xc0) == 0x80;)
            length--;
    }
    while (length > 0 && b->text[length - 1] == ' ')
        length--;
    b->top->text = ts_arena_text(&b->tree->arena, b->text, length);
    b->reading_text = false;
    return b->top->text ? TS_OK : ts_fail_memory(b->error, length + 1);
}

static void XMLCALL on_end(void *user, const XML_Char *name)
{
    (void)name;
    builder *b = user;
    if (b->status != TS_OK)
        return;
    b->depth--;
    if (b->skipped > 0) {
        b->skipped--;
        return;
    }
    if (b->top->kind == TS_SVG_TEXT)
        b->status = keep_text(b);
    if (b->status != TS_OK)
        XML_StopParser(b->parser, XML_FALSE);
    b->top = b->top->parent;
}

static void XMLCALL on_text(void *user, const XML_Char *text, int length)
{
    builder *b = user;
    for (int i = 0; b->reading_text && i < length && b->text_length <= TEXT_KEPT; i++) {
        bool space = (unsigned char)text[i] <= ' ';
        if (space && (b->text_length == 0 || b->text[b->text_length - 1] == ' '))
            continue;
        b->text[b->text_length++] = space ? ' ' : text[i];
    }
}

/* Entities can make a gigabyte of a kilobyte, or read other files: no drawing needs them. */
static void XMLCALL on_entity(void *user, const XML_Char *name, int is_parameter, const XML_Char *value, int length,
                              const XML_Char *base, const XML_Char *system, const XML_Char *public,
                              const XML_Char *notation)
{
    (void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public, (void)notation;
    builder *b = user;
    STOP(b, TS_BAD_INPUT, "the document declares an entity (%.40s), which is refused; save it as plain SVG", name);
}

static void XMLCALL on_skipped_entity(void *user, const XML_Char *name, int is_parameter)
{
    builder *b = user;
    if (!is_parameter)
        STOP(b, TS_BAD_INPUT, "the entity &%.40s; is not declared; save the drawing as plain SVG", name);
}

static ts_status fail_parser(builder *b)
{
    enum XML_Error code = XML_GetErrorCode(b->parser);
    if (b->status != TS_OK)
        return b->status;
    if (code == XML_ERROR_NO_MEMORY)
        return ts_fail_memory(b->error, 0);
    return ts_fail_at(b->error, TS_BAD_INPUT, here(b), "the XML is broken (%s); mend it or save the drawing again",
                      XML_ErrorString(code));
}

ts_status ts_svg_tree_read(const char *text, size_t length, const char *name, ts_svg_tree *tree, ts_error *error)
{
    tree->file = name;
    tree->source = text;
    tree->source_length = length;
    ts_place top = {name, 1, 1};
    if (length == 0)
        return ts_fail_at(error, TS_BAD_INPUT, top, "the file is empty; give an SVG drawing");
    if (length >= 2 && (unsigned char)text[0] == 0x1f && (unsigned char)text[1] == 0x8b)
        return ts_fail_at(error, TS_BAD_INPUT, top, "the drawing is compressed; unpack it with gunzip");
    if (length > INT_MAX / 2)
        return ts_fail_at(error, TS_BAD_INPUT, top, "the drawing has %zu bytes; simplify it", length);
    builder b = {.tree = tree, .error = error};
    b.parser = XML_ParserCreateNS(NULL, '\n');
    if (!b.parser)
        return ts_fail_memory(error, 0);
    XML_SetUserData(b.parser, &b);
    XML_SetElementHandler(b.parser, on_start, on_end);
    XML_SetCharacterDataHandler(b.parser, on_text);
    XML_SetEntityDeclHandler(b.parser, on_entity);
    XML_SetSkippedEntityHandler(b.parser, on_skipped_entity);
    ts_status status = TS_OK;
    if (XML_Parse(b.parser, text, (int)length, 1) != XML_STATUS_OK)
        status = fail_parser(&b);
    XML_ParserFree(b.parser);
    return status != TS_OK ? status : b.status;
}

#else

ts_status ts_svg_tree_read(const char *text, size_t length, const char *name, ts_svg_tree *tree, ts_error *error)
{
    (void)text;
    (void)length;
    (void)tree;
    return ts_fail(error, TS_UNSUPPORTED,
                   "%s cannot be read: this build is without Expat; build with libexpat1-dev installed", name);
}

#endif
