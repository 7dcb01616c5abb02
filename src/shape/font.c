/* SPDX-License-Identifier: MIT */
#include "shape/font.h"

#include "base/file.h"
#include "base/given.h"
#include "base/memory.h"
#include "shape/drawing.h"

/* Fonts of all of Unicode's characters in use have about 50 MB. */
#define FILE_MAX ((size_t)128 << 20)

#if TS_WITH_FREETYPE

#include <ft2build.h>
/* a line of its own: the headers below need it */
#include <freetype/freetype.h>
#include <freetype/ftoutln.h>

/* FreeType's own words; its FT_Error_String is empty in most builds. */
static const char *words_of(FT_Error code)
{
    switch (code) {
#define FT_NOERRORDEF_(name, value, text) \
    case value:                           \
        return text;
#define FT_ERRORDEF_(name, value, text) \
    case value:                         \
        return text;
#include <freetype/fterrdef.h>
    default:
        return "unknown error";
    }
}

static ts_status fail_freetype(ts_error *error, const char *name, const char *what, FT_Error code)
{
    if ((code & 0xff) == FT_Err_Out_Of_Memory)
        return ts_fail_memory(error, 0);
    return ts_fail(error, TS_BAD_INPUT, "%s %s: %s; give an intact TrueType, OpenType or Type 1 font", name, what,
                   words_of(code & 0xff));
}

/* ---- Outline to path ---- */

#define SHIFT 6

typedef struct pen {
    ts_path *path;
    double em;
    bool begun;
    ts_status status;
    ts_error *error;
} pen;

static ts_vec2 scaled(const pen *p, const FT_Vector *v)
{
    return (ts_vec2){(double)v->x / p->em, (double)v->y / p->em};
}

/* FreeType stops at the first result that is not 0. */
static int stop_unless(pen *p, ts_status status)
{
    p->status = status;
    return status == TS_OK ? 0 : 1;
}

static int move_to(const FT_Vector *to, void *user)
{
    pen *p = user;
    ts_status status = p->begun ? ts_path_close(p->path, p->error) : TS_OK;
    p->begun = true;
    return stop_unless(p, status == TS_OK ? ts_path_move(p->path, scaled(p, to), p->error) : status);
}

static int line_to(const FT_Vector *to, void *user)
{
    pen *p = user;
    return stop_unless(p, ts_path_line(p->path, scaled(p, to), p->error));
}

static int conic_to(const FT_Vector *control, const FT_Vector *to, void *user)
{
    pen *p = user;
    return stop_unless(p, ts_path_quadratic(p->path, scaled(p, control), scaled(p, to), p->error));
}

static int cubic_to(const FT_Vector *control0, const FT_Vector *control1, const FT_Vector *to, void *user)
{
    pen *p = user;
    return stop_unless(p, ts_path_cubic(p->path, scaled(p, control0), scaled(p, control1), scaled(p, to), p->error));
}

static ts_status decompose(FT_Outline *from, double em, const char *name, ts_path *path, ts_error *error)
{
    /* points between control points are implied, and FreeType halves whole numbers: shifted, so that no half is lost */
    static const FT_Outline_Funcs to = {move_to, line_to, conic_to, cubic_to, SHIFT, 0};
    pen p = {.path = path, .em = em * (1 << SHIFT), .error = error};
    FT_Error code = FT_Outline_Decompose(from, &to, &p);
    if (p.status != TS_OK)
        return p.status;
    if (code)
        return fail_freetype(error, name, "has a broken glyph", code);
    return p.begun ? ts_path_close(path, error) : TS_OK;
}

/* ---- Face to outline ---- */

static ts_status load_glyph(FT_Face face, uint32_t character, const char *name, ts_drawing *drawing, ts_error *error)
{
    if (!FT_IS_SCALABLE(face) || face->units_per_EM == 0)
        return ts_fail(error, TS_BAD_INPUT, "%s has pictures of letters only, no outlines; give a scalable font", name);
    if (FT_Select_Charmap(face, FT_ENCODING_UNICODE) != 0)
        return ts_fail(error, TS_BAD_INPUT, "%s does not say which glyph is which Unicode character; give another font",
                       name);
    FT_UInt index = FT_Get_Char_Index(face, character);
    if (index == 0)
        return ts_fail(error, TS_BAD_INPUT, "%s has no glyph for U+%04X; give a font that has it", name,
                       (unsigned)character);
    FT_Error code = FT_Load_Glyph(face, index, FT_LOAD_NO_SCALE | FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP);
    if (code)
        return fail_freetype(error, name, "has a broken glyph", code);
    FT_GlyphSlot slot = face->glyph;
    if (slot->format != FT_GLYPH_FORMAT_OUTLINE)
        return ts_fail(error, TS_BAD_INPUT, "%s has no outline for U+%04X, only a picture; give a scalable font", name,
                       (unsigned)character);
    TS_TRY(decompose(&slot->outline, face->units_per_EM, name, &drawing->path, error));
    if (drawing->path.piece.count == 0)
        return ts_fail(error, TS_BAD_INPUT, "U+%04X of %s is blank; choose a character that leaves ink",
                       (unsigned)character, name);
    bool even_odd = slot->outline.flags & FT_OUTLINE_EVEN_ODD_FILL;
    ts_drawing_part part = {.subpath_end = drawing->path.subpath.count,
                            .rule = even_odd ? TS_RULE_EVEN_ODD : TS_RULE_NONZERO};
    return ts_array_push(&drawing->part, part, error);
}

ts_status ts_outline_parse_glyph(const ts_font_bytes *font, uint32_t character, const ts_outline_options *options,
                                 ts_outline **outline, double *advance, ts_error *error)
{
    /* a library of its own for each call: FreeType's is not safe with threads */
    FT_Library library = NULL;
    FT_Face face = NULL;
    ts_drawing drawing = {0};
    if (font->size == 0)
        return ts_fail(error, TS_BAD_INPUT, "%s is empty; give a TrueType, OpenType or Type 1 font", font->name);
    FT_Error code = FT_Init_FreeType(&library);
    if (code)
        return fail_freetype(error, font->name, "cannot be read", code);
    code = FT_New_Memory_Face(library, font->data, (FT_Long)font->size, 0, &face);
    ts_status status = code ? fail_freetype(error, font->name, "is no font that can be read", code) : TS_OK;
    if (status == TS_OK)
        status = load_glyph(face, character, font->name, &drawing, error);
    double moves = status == TS_OK ? (double)face->glyph->advance.x / face->units_per_EM : 0;
    if (face)
        FT_Done_Face(face);
    FT_Done_FreeType(library);
    if (status == TS_OK)
        status = ts_drawing_outline(&drawing, options, font->name, outline, error);
    if (status == TS_OK && advance)
        *advance = moves;
    ts_drawing_free(&drawing);
    return status;
}

#else

ts_status ts_outline_parse_glyph(const ts_font_bytes *font, uint32_t character, const ts_outline_options *options,
                                 ts_outline **outline, double *advance, ts_error *error)
{
    (void)character;
    (void)options;
    (void)outline;
    (void)advance;
    return ts_fail(error, TS_UNSUPPORTED,
                   "%s cannot be read: this build is without FreeType; build with libfreetype-dev installed",
                   font->name);
}

#endif

ts_status ts_outline_read_glyph(const char *path, uint32_t character, const ts_outline_options *options,
                                ts_outline **outline, double *advance, ts_error *error)
{
    TS_GIVEN(path, "glyph", error);
    TS_GIVEN(outline, "glyph", error);
    TS_AUTO_FREE char *data = NULL;
    size_t size = 0;
    TS_TRY(ts_file_read(path, FILE_MAX, &data, &size, error));
    ts_font_bytes font = {data, size, path};
    return ts_outline_parse_glyph(&font, character, options, outline, advance, error);
}
