/* SPDX-License-Identifier: MIT */
#include "scene/sizes.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/* A log-normal distribution of which less than this lies between its bounds is a mistake, and would take for ever to
 * draw. */
#define KEPT_SHARE_MIN 1e-3

/* Share of a normal distribution between two numbers of standard deviations, without cancellation far from the middle.
 * */
static double normal_share(double low, double high)
{
    const double root = 1.4142135623730951;
    return low > 0 ? 0.5 * (erfc(low / root) - erfc(high / root)) : 0.5 * (erfc(-high / root) - erfc(-low / root));
}

/* ---- Checks ---- */

ts_status ts_size_table_check(const ts_size_step *step, size_t count, ts_place place, ts_error *error)
{
    if (count < 2 || !step)
        return ts_fail_at(error, TS_BAD_INPUT, place, "table of sizes: it has %zu points; give at least 2", count);
    if (count > TS_SIZE_TABLE_MAX)
        return ts_fail_at(error, TS_BAD_INPUT, place, "table of sizes: it has %zu points; give at most %d", count,
                          TS_SIZE_TABLE_MAX);
    for (size_t i = 0; i < count; i++) {
        if (!(step[i].scale > 0) || !isfinite(step[i].scale) || !(step[i].share >= 0 && step[i].share <= 1))
            return ts_fail_at(error, TS_BAD_INPUT, place,
                              "table of sizes: point %zu is (%g, %g); sizes are positive and shares between 0 and 1",
                              i + 1, step[i].scale, step[i].share);
        if (i > 0 && !(step[i].scale > step[i - 1].scale))
            return ts_fail_at(error, TS_BAD_INPUT, place,
                              "table of sizes: point %zu has size %g, not above the one before, %g; sort them by size",
                              i + 1, step[i].scale, step[i - 1].scale);
        if (i > 0 && step[i].share < step[i - 1].share)
            return ts_fail_at(error, TS_BAD_INPUT, place,
                              "table of sizes: the share falls from %g to %g at point %zu; give the share of grains up "
                              "to each size, which only rises",
                              step[i - 1].share, step[i].share, i + 1);
    }
    if (step[0].share != 0 || step[count - 1].share != 1)
        return ts_fail_at(error, TS_BAD_INPUT, place,
                          "table of sizes: shares go from %g to %g; begin with the size below which there is nothing "
                          "(share 0) and end with the largest (share 1)",
                          step[0].share, step[count - 1].share);
    return TS_OK;
}

static ts_status check_log_normal(const ts_mix_entry *entry, ts_place place, ts_error *error)
{
    if (!(entry->median > 0) || !isfinite(entry->median) || !(entry->spread > 0) || !(entry->spread <= 10))
        return ts_fail_at(error, TS_BAD_INPUT, place,
                          "log-normal sizes: median %g and spread %g; the median is positive and the spread between 0 "
                          "and 10",
                          entry->median, entry->spread);
    double kept = normal_share(log(entry->scale_min / entry->median) / entry->spread,
                               log(entry->scale_max / entry->median) / entry->spread);
    if (!(kept >= KEPT_SHARE_MIN))
        return ts_fail_at(error, TS_BAD_INPUT, place,
                          "log-normal sizes: only %.2g of a distribution about %g lies between %g and %g; widen the "
                          "bounds or move the median",
                          kept, entry->median, entry->scale_min, entry->scale_max);
    return TS_OK;
}

ts_status ts_sizes_check(const ts_mix_entry *entry, ts_place place, ts_error *error)
{
    switch (entry->size) {
    case TS_SIZE_UNIFORM:
        return TS_OK;
    case TS_SIZE_LOG_NORMAL:
        return check_log_normal(entry, place, error);
    case TS_SIZE_TABLE:
        return ts_size_table_check(entry->table, entry->table_count, place, error);
    }
    return ts_fail_at(error, TS_BAD_INPUT, place,
                      "generator: size distribution %d is unknown; choose uniform, log-normal or table",
                      (int)entry->size);
}

/* ---- Drawing ---- */

/* Share of the number of grains, up to a factor, between points i and i + 1. */
static double table_weight(const ts_mix_entry *entry, size_t i)
{
    const ts_size_step *a = &entry->table[i], *b = a + 1;
    double share = b->share - a->share;
    return entry->by_mass ? share / (a->scale * b->scale) : share; /* ∫ ds / s² = (b - a) / (a b) */
}

static double table_total(const ts_mix_entry *entry)
{
    double total = 0;
    for (size_t i = 0; i + 1 < entry->table_count; i++)
        total += table_weight(entry, i);
    return total;
}

static double draw_from_table(const ts_mix_entry *entry, ts_random *random)
{
    double u = ts_random_next_uniform(random) * table_total(entry);
    size_t i = 0, last = entry->table_count - 2;
    while (i < last && u >= table_weight(entry, i))
        u -= table_weight(entry, i++);
    const ts_size_step *a = &entry->table[i], *b = a + 1;
    double t = fmin(u / table_weight(entry, i), 1);
    if (!entry->by_mass)
        return a->scale + t * (b->scale - a->scale);
    return 1 / (1 / a->scale - t * (1 / a->scale - 1 / b->scale));
}

double ts_size_draw(const ts_mix_entry *entry, ts_random *random)
{
    if (entry->size == TS_SIZE_TABLE)
        return draw_from_table(entry, random);
    if (entry->size == TS_SIZE_UNIFORM)
        return ts_random_next_range(random, entry->scale_min, entry->scale_max);
    for (int tries = 0; tries < 100000; tries++) { /* one in a thousand succeeds at worst: check_log_normal */
        double scale = entry->median * exp(entry->spread * ts_random_next_normal(random));
        if (scale >= entry->scale_min && scale <= entry->scale_max)
            return scale;
    }
    return sqrt(entry->scale_min * entry->scale_max);
}

double ts_size_mean(const ts_mix_entry *entry)
{
    if (entry->size == TS_SIZE_UNIFORM)
        return 0.5 * (entry->scale_min + entry->scale_max);
    if (entry->size == TS_SIZE_LOG_NORMAL) {
        /* m exp(s²/2) [Φ(β - s) - Φ(α - s)] / [Φ(β) - Φ(α)], where the bounds are m exp(α s) and m exp(β s) */
        double s = entry->spread, low = log(entry->scale_min / entry->median) / s,
               high = log(entry->scale_max / entry->median) / s;
        return entry->median * exp(0.5 * s * s) * normal_share(low - s, high - s) / normal_share(low, high);
    }
    double sum = 0;
    for (size_t i = 0; i + 1 < entry->table_count; i++) {
        double a = entry->table[i].scale, b = entry->table[i + 1].scale;
        /* by mass: ∫ s ds/s² over ∫ ds/s² */
        sum += table_weight(entry, i) * (entry->by_mass ? log(b / a) * a * b / (b - a) : 0.5 * (a + b));
    }
    return sum / table_total(entry);
}

/* ---- Tables in files ---- */

typedef struct csv {
    const char *at, *end;
    ts_place place; /* of `at`; column from 1 */
    ts_error *error;
} csv;

static void skip_spaces(csv *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\r')) {
        c->at++;
        c->place.column++;
    }
}

static void next_line(csv *c)
{
    while (c->at < c->end && *c->at != '\n')
        c->at++;
    c->at += c->at < c->end;
    c->place.line++;
    c->place.column = 1;
}

/* To the next line that holds something; false at the end. */
static bool find_line(csv *c)
{
    for (;;) {
        skip_spaces(c);
        if (c->at == c->end)
            return false;
        if (*c->at != '\n' && *c->at != '#')
            return true;
        next_line(c);
    }
}

/* A name of the first line, up to a comma or the line's end. */
static size_t take_name(csv *c, char *name, size_t capacity)
{
    skip_spaces(c);
    size_t length = 0;
    while (c->at < c->end && !strchr(",\r\n \t", *c->at)) {
        if (length + 1 < capacity)
            name[length++] = *c->at;
        c->at++;
        c->place.column++;
    }
    name[length] = 0;
    skip_spaces(c);
    return length;
}

static ts_status take_comma(csv *c)
{
    skip_spaces(c);
    if (c->at == c->end || *c->at != ',')
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "table of sizes: a line has two columns, size and share, with a comma between them");
    c->at++;
    c->place.column++;
    skip_spaces(c);
    return TS_OK;
}

static ts_status take_end(csv *c)
{
    skip_spaces(c);
    if (c->at < c->end && *c->at != '\n')
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "table of sizes: a line has two columns, and here is more; remove it");
    next_line(c);
    return TS_OK;
}

static ts_status take_value(csv *c, double *value)
{
    size_t length = ts_parse_number(c->at, (size_t)(c->end - c->at), value);
    if (length == 0 || !isfinite(*value))
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "table of sizes: a number is wanted here, such as 0.5, with a point for the decimals");
    c->at += length;
    c->place.column += (int)length;
    return TS_OK;
}

/* What the columns mean: factors that make metres or plain numbers of them. */
static ts_status read_names(csv *c, double *size_unit, double *share_unit, bool *of_diameter)
{
    static const struct {
        const char *name;
        double unit;
    } size[] = {{"scale", 1}, {"diameter_m", 1}, {"diameter_cm", 1e-2}, {"diameter_mm", 1e-3}, {"diameter_um", 1e-6}};
    char name[64];
    ts_place place = c->place;
    take_name(c, name, sizeof name);
    size_t i = 0;
    while (i < sizeof size / sizeof *size && strcmp(name, size[i].name) != 0)
        i++;
    if (i == sizeof size / sizeof *size)
        return ts_fail_at(c->error, TS_BAD_INPUT, place,
                          "table of sizes: the first line names the columns, and \"%s\" is no name of the first; write "
                          "scale, or diameter_m, diameter_cm, diameter_mm or diameter_um",
                          name);
    *size_unit = size[i].unit;
    *of_diameter = i > 0;
    TS_TRY(take_comma(c));
    place = c->place;
    take_name(c, name, sizeof name);
    bool percent = strcmp(name, "percent") == 0;
    if (!percent && strcmp(name, "share") != 0)
        return ts_fail_at(c->error, TS_BAD_INPUT, place,
                          "table of sizes: \"%s\" is no name of the second column; write share (0 to 1) or percent (0 "
                          "to 100)",
                          name);
    *share_unit = percent ? 0.01 : 1;
    return take_end(c);
}

ts_status ts_size_table_parse(const char *text, size_t length, const char *name, ts_size_step **step, size_t *count,
                              bool *of_diameter, ts_error *error)
{
    csv c = {text, text + length, {.file = name, .line = 1, .column = 1}, error};
    double size_unit, share_unit;
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) /* a spreadsheet's byte order mark */
        c.at += 3;
    if (memchr(text, 0, length))
        return ts_fail_at(error, TS_BAD_INPUT, c.place,
                          "table of sizes: the file holds zero bytes and is no text; save it as CSV in UTF-8");
    if (!find_line(&c))
        return ts_fail_at(error, TS_BAD_INPUT, c.place,
                          "table of sizes: the file is empty; give a line of names, "
                          "such as diameter_mm,percent, and two lines of numbers");
    TS_TRY(read_names(&c, &size_unit, &share_unit, of_diameter));
    TS_AUTO_ARRAY TS_ARRAY(ts_size_step) table = {0};
    while (find_line(&c)) {
        ts_size_step s = {0};
        TS_TRY(take_value(&c, &s.scale));
        TS_TRY(take_comma(&c));
        TS_TRY(take_value(&c, &s.share));
        TS_TRY(take_end(&c));
        s.scale *= size_unit;
        s.share *= share_unit;
        if (table.count == TS_SIZE_TABLE_MAX)
            return ts_fail_at(error, TS_BAD_INPUT, c.place, "table of sizes: it has more than %d points; thin it out",
                              TS_SIZE_TABLE_MAX);
        TS_TRY(ts_array_push(&table, s, error));
    }
    TS_TRY(ts_size_table_check(table.item, table.count, (ts_place){.file = name, .line = 1, .column = 1}, error));
    *count = table.count;
    *step = ts_give(&table.item);
    return TS_OK;
}
