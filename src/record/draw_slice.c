/* SPDX-License-Identifier: MIT */
#include "record/draw_slice.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "record/colour.h"

const double ts_slice_error_low = 1e-4, ts_slice_error_high = 0.1, ts_slice_near = 0.1;

/* ---- Gaps ---- */

void ts_slice_ask(const ts_slice *slice, const ts_exact *exact, const ts_map *map, int row, double *gap)
{
    int nodes = ts_slice_nodes(slice);
    double pitch = TS_SLICE_PITCH / ts_slice_scale(slice), y = slice->half - pitch * row;
    ts_fields f;
    for (int begin = 0; begin < nodes; begin += TS_FIELD_BATCH) {
        int count = nodes - begin < TS_FIELD_BATCH ? nodes - begin : TS_FIELD_BATCH;
        for (int k = 0; k < count; k++) {
            f.x[k] = -slice->half + pitch * (begin + k);
            f.y[k] = y;
            f.angle[k] = slice->angle;
        }
        if (map)
            ts_map_fields(map, (size_t)count, &f);
        else
            ts_exact_query(exact, (size_t)count, &f);
        memcpy(gap + begin, f.gap, (size_t)count * sizeof *gap);
    }
}

void ts_slice_touch(ts_slice *slice, const ts_exact *exact, const ts_pair *pair)
{
    double least = HUGE_VAL;
    for (int i = 0; i <= 16; i++) {
        double direction = (20 + 50.0 * i / 16) * TS_PI / 180, c = cos(direction), s = sin(direction);
        double r = 1.05 * pair->reach, gap = 1;
        /* the gap changes by no more than B moves: such steps cannot pass the first touch */
        for (int step = 0; step < 60 && r > 0 && gap > 1e-3; step++) {
            gap = ts_exact_at(exact, r * c, r * s, slice->angle, HUGE_VAL).gap;
            r -= fmax(gap, 0);
        }
        double extent = fmax(r * c, r * s) + pair->radius_b;
        if (extent < least) {
            least = extent;
            slice->touching[0] = r * c;
            slice->touching[1] = r * s;
        }
    }
}

/* ---- Colours ---- */

static double clamp(double t)
{
    return t > 0 ? (t < 1 ? t : 1) : 0;
}

static uint32_t mix(uint32_t a, uint32_t b, double t)
{
    return ts_colour_pixel(ts_colour_mix(ts_colour_of(a), ts_colour_of(b), clamp(t)));
}

uint32_t ts_slice_gap_colour(const ts_slice_ink *ink, double gap)
{
    return mix(ink->paper, gap < 0 ? ink->inside : ink->outside,
               gap < 0 ? 0.16 + 0.6 * clamp(-gap / ink->deepest) : 0.05 + 0.5 * clamp(gap / ink->farthest));
}

uint32_t ts_slice_error_colour(double error)
{
    double t = log(error / ts_slice_error_low) / log(ts_slice_error_high / ts_slice_error_low);
    return ts_colour_pixel(ts_colour_map_at(TS_MAP_MAGMA_REVERSED, error > 0 ? t : 0));
}

/* ---- Lines of equal value ---- */

/* Marks the pixels of a line from p to q, in pixels of the panel: the largest share that any line has, so that short
 * pieces join without beads. */
static void cover_line(const ts_slice *s, ts_vec2 p, ts_vec2 q, double width)
{
    double half = 0.5 * width, room = half + 1;
    int x0 = (int)fmax(floor(fmin(p.x, q.x) - room), 0), x1 = (int)fmin(ceil(fmax(p.x, q.x) + room), s->side);
    int y0 = (int)fmax(floor(fmin(p.y, q.y) - room), 0), y1 = (int)fmin(ceil(fmax(p.y, q.y) + room), s->side);
    ts_vec2 along = ts_vec2_sub(q, p);
    double length2 = ts_vec2_length_squared(along);
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            ts_vec2 from = {x + 0.5 - p.x, y + 0.5 - p.y};
            double t = length2 > 0 ? clamp(ts_vec2_dot(from, along) / length2) : 0;
            double share = clamp(half + 0.5 - ts_vec2_length(ts_vec2_add_scaled(from, along, -t)));
            float *cover = &s->cover[(size_t)y * (size_t)s->side + (size_t)x];
            if (share > (double)*cover)
                *cover = (float)share;
        }
}

/* Marching squares: in each cell, the crossings of its four edges are joined in pairs. */
static void cover_level(const ts_slice *s, const double *value, double level, double width)
{
    int nodes = ts_slice_nodes(s);
    for (int j = 0; j + 1 < nodes; j++)
        for (int i = 0; i + 1 < nodes; i++) {
            const double *row = value + (size_t)j * (size_t)nodes + i;
            /* corners in order around the cell, from the upper left one */
            double v[4] = {row[0] - level, row[1] - level, row[nodes + 1] - level, row[nodes] - level};
            static const double cx[4] = {0, 1, 1, 0}, cy[4] = {0, 0, 1, 1};
            ts_vec2 cross[4];
            int count = 0;
            for (int k = 0; k < 4; k++) {
                int n = (k + 1) % 4;
                if ((v[k] > 0) != (v[n] > 0)) {
                    double t = v[k] / (v[k] - v[n]);
                    cross[count++] = (ts_vec2){TS_SLICE_PITCH * (i + cx[k] + t * (cx[n] - cx[k])),
                                               TS_SLICE_PITCH * (j + cy[k] + t * (cy[n] - cy[k]))};
                }
            }
            /* a saddle has four: where the middle is as corner 0, lines cut off corners 1 and 3, else 0 and 2 */
            int shift = count == 4 && ((v[0] + v[1] + v[2] + v[3] > 0) == (v[0] > 0)) ? 1 : 0;
            if (count == 2)
                cover_line(s, cross[0], cross[1], width);
            for (int k = 0; count == 4 && k < 4; k += 2)
                cover_line(s, cross[(k + shift + 3) % 4], cross[(k + shift) % 4], width);
        }
}

static void clear_cover(const ts_slice *s)
{
    memset(s->cover, 0, (size_t)s->side * (size_t)s->side * sizeof *s->cover);
}

static uint32_t *pixel_row(const ts_image *image, int left, int top, int row)
{
    return image->pixel + (size_t)(top + row) * image->stride + left;
}

static void blend_cover(const ts_slice *s, uint32_t colour, double opacity, const ts_image *image, int left, int top)
{
    for (int y = 0; y < s->side; y++) {
        uint32_t *pixel = pixel_row(image, left, top, y);
        const float *cover = s->cover + (size_t)y * (size_t)s->side;
        for (int x = 0; x < s->side; x++)
            if (cover[x] > 0)
                pixel[x] = mix(pixel[x], colour, opacity * (double)cover[x]);
    }
}

/* ---- Panels ---- */

/* Linear between nodes, at the centre of a pixel. */
static double value_at(const ts_slice *s, const double *value, int x, int y)
{
    int nodes = ts_slice_nodes(s), i = x / TS_SLICE_PITCH, j = y / TS_SLICE_PITCH;
    double u = (x + 0.5) / TS_SLICE_PITCH - i, v = (y + 0.5) / TS_SLICE_PITCH - j;
    const double *at = value + (size_t)j * (size_t)nodes + i;
    return (1 - v) * ((1 - u) * at[0] + u * at[1]) + v * ((1 - u) * at[nodes] + u * at[nodes + 1]);
}

/* An outline over what is there: a faint fill and a thin edge. */
static void paint_outline(const ts_slice *s, const ts_outline *outline, const double pose[3], const ts_slice_ink *ink,
                          const ts_image *image, int left, int top)
{
    double scale = ts_slice_scale(s), c = cos(pose[2]), sn = sin(pose[2]);
    for (int y = 0; y < s->side; y++) {
        uint32_t *pixel = pixel_row(image, left, top, y);
        double dy = s->half - (y + 0.5) / scale - pose[1];
        for (int x = 0; x < s->side; x++) {
            double dx = -s->half + (x + 0.5) / scale - pose[0], d;
            double px = c * dx + sn * dy, py = c * dy - sn * dx;
            ts_outline_distance(outline, 1, &px, &py, &d, NULL, NULL);
            d *= scale;
            pixel[x] = mix(pixel[x], ink->ink, 0.16 * clamp(0.5 - d) + 0.5 * clamp(0.5 * ink->line + 0.5 - fabs(d)));
        }
    }
}

void ts_slice_paint_levels(const ts_slice *slice, const double *value, const ts_slice_ink *ink, const ts_image *image,
                           int left, int top)
{
    for (int y = 0; y < slice->side; y++) {
        uint32_t *pixel = pixel_row(image, left, top, y);
        for (int x = 0; x < slice->side; x++)
            pixel[x] = ts_slice_gap_colour(ink, value_at(slice, value, x, y));
    }
    clear_cover(slice);
    int low = -(int)(ink->deepest / ink->step), high = (int)(ink->farthest / ink->step);
    for (int k = low; k <= high; k++)
        if (k != 0)
            cover_level(slice, value, k * ink->step, 0.8 * ink->line);
    blend_cover(slice, ink->ink, 0.3, image, left, top);
}

void ts_slice_paint_gap(const ts_slice *slice, const ts_pair *pair, const ts_slice_ink *ink, const ts_image *image,
                        int left, int top)
{
    ts_slice_paint_levels(slice, slice->truth, ink, image, left, top);
    paint_outline(slice, pair->a, (double[3]){0, 0, 0}, ink, image, left, top);
    paint_outline(slice, pair->b, (double[3]){slice->touching[0], slice->touching[1], slice->angle}, ink, image, left,
                  top);
}

void ts_slice_paint_error(const ts_slice *slice, const double *gap, const ts_slice_ink *ink, const ts_image *image,
                          int left, int top)
{
    for (int y = 0; y < slice->side; y++) {
        uint32_t *pixel = pixel_row(image, left, top, y);
        for (int x = 0; x < slice->side; x++) {
            double truth = value_at(slice, slice->truth, x, y), error = fabs(value_at(slice, gap, x, y) - truth);
            double far = clamp((fabs(truth) - ts_slice_near) * ts_slice_scale(slice) + 0.5);
            pixel[x] = mix(ts_slice_error_colour(error), ink->paper, 0.82 * far);
        }
    }
}

void ts_slice_paint_zero(const ts_slice *slice, const double *gap, double width, uint32_t colour, const ts_image *image,
                         int left, int top)
{
    clear_cover(slice);
    cover_level(slice, gap, 0, width);
    blend_cover(slice, colour, 1, image, left, top);
}
