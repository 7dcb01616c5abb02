/* SPDX-License-Identifier: MIT */
#include "record/draw_raster.h"

#include <math.h>

/* Farther than this from any pixel that matters [px]. */
#define FAR 1e9

static double clamp01(double t)
{
    return t > 0 ? (t < 1 ? t : 1) : 0;
}

/* fmin and fmax are calls, because of what they promise about NaN */
static double lesser(double a, double b)
{
    return a < b ? a : b;
}
static double greater(double a, double b)
{
    return a > b ? a : b;
}

/* `share` of 256 of `over` on `under`: both ends exact, rounded between; red and blue at once. */
static uint32_t blend(uint32_t under, uint32_t over, uint32_t share)
{
    uint32_t rest = 256 - share;
    uint32_t rb = ((under & 0xFF00FF) * rest + (over & 0xFF00FF) * share + 0x800080) >> 8 & 0xFF00FF;
    uint32_t g = ((under & 0x00FF00) * rest + (over & 0x00FF00) * share + 0x008000) >> 8 & 0x00FF00;
    return rb | g;
}

static uint32_t share_of(double t)
{
    return (uint32_t)(clamp01(t) * 256 + 0.5);
}

/* First and one past the last pixel whose centre lies in [low, high], within 0 … limit. */
static int first_pixel(double low, int limit)
{
    return low <= 0 ? 0 : low >= limit ? limit : (int)ceil(low - 0.5);
}
static int end_pixel(double high, int limit)
{
    return high <= 0 ? 0 : high >= limit ? limit : (int)floor(high + 0.5);
}

static ts_rows rows_between(ts_rows rows, double top, double bottom, int height)
{
    int y0 = first_pixel(top, height), y1 = end_pixel(bottom, height);
    return (ts_rows){y0 > rows.y0 ? y0 : rows.y0, y1 < rows.y1 ? y1 : rows.y1};
}

/* ---- Discs ---- */

static uint32_t shade(uint32_t under, double distance, const ts_ink *ink)
{
    uint32_t colour = ink->fill;
    if (ink->rim_width > 0)
        colour = blend(colour, ink->rim, share_of(0.5 + distance + ink->rim_width));
    return blend(under, colour, share_of((0.5 - distance) * ink->opacity));
}

/* The soft edge of a disc of radius r ≥ ½ holds the ink of an area π (r² + 1/12); this radius makes that π r² again.
 * What is too small for it has half a pixel. */
static double soft_radius(double radius)
{
    return radius * radius > 1.0 / 3 ? sqrt(radius * radius - 1.0 / 12) : 0.5;
}

/* One disc: only its edge needs distances; what lies deeper than rim and softness is a run of one colour. */
static void draw_disc(const ts_image *image, ts_rows rows, ts_raster_disc disc, const ts_ink *ink)
{
    double outer = disc.radius + 0.5, inner = disc.radius - ink->rim_width - 0.5;
    rows = rows_between(rows, disc.y - outer, disc.y + outer, image->height);
    for (int y = rows.y0; y < rows.y1; y++) {
        uint32_t *pixel = image->pixel + (size_t)y * image->stride;
        double dy = y + 0.5 - disc.y, dy2 = dy * dy;
        double reach = sqrt(greater(outer * outer - dy2, 0));
        int x0 = first_pixel(disc.x - reach, image->width), x1 = end_pixel(disc.x + reach, image->width);
        int solid0 = x1, solid1 = x1;
        if (inner > 0 && dy2 < inner * inner && ink->opacity >= 1) {
            double solid = sqrt(inner * inner - dy2);
            solid0 = first_pixel(disc.x - solid, image->width);
            solid1 = end_pixel(disc.x + solid, image->width);
        }
        int x = x0;
        for (; x < solid0; x++) {
            double dx = x + 0.5 - disc.x;
            pixel[x] = shade(pixel[x], sqrt(dx * dx + dy2) - disc.radius, ink);
        }
        for (; x < solid1; x++)
            pixel[x] = ink->fill;
        for (; x < x1; x++) {
            double dx = x + 0.5 - disc.x;
            pixel[x] = shade(pixel[x], sqrt(dx * dx + dy2) - disc.radius, ink);
        }
    }
}

/* Several discs: a row of distances to the union, then one shading. */
static void draw_union(const ts_image *image, ts_rows rows, const ts_raster_disc *disc, size_t count, const ts_ink *ink,
                       double *row)
{
    double left = FAR, right = -FAR, top = FAR, bottom = -FAR;
    for (size_t k = 0; k < count; k++) {
        left = lesser(left, disc[k].x - disc[k].radius);
        right = greater(right, disc[k].x + disc[k].radius);
        top = lesser(top, disc[k].y - disc[k].radius);
        bottom = greater(bottom, disc[k].y + disc[k].radius);
    }
    rows = rows_between(rows, top - 1, bottom + 1, image->height);
    int x0 = first_pixel(left - 1, image->width), x1 = end_pixel(right + 1, image->width);
    for (int y = rows.y0; y < rows.y1; y++) {
        for (int x = x0; x < x1; x++)
            row[x] = FAR;
        for (size_t k = 0; k < count; k++) {
            double dy = y + 0.5 - disc[k].y, dy2 = dy * dy;
            if (fabs(dy) >= disc[k].radius + 1)
                continue;
            double radius = soft_radius(disc[k].radius), outer = radius + 0.5;
            double reach = sqrt(greater(outer * outer - dy2, 0));
            int end = end_pixel(disc[k].x + reach, image->width);
            for (int x = first_pixel(disc[k].x - reach, image->width); x < end; x++) {
                double dx = x + 0.5 - disc[k].x;
                row[x] = lesser(row[x], sqrt(dx * dx + dy2) - radius);
            }
        }
        uint32_t *pixel = image->pixel + (size_t)y * image->stride;
        for (int x = x0; x < x1; x++) {
            if (row[x] < 0.5)
                pixel[x] = shade(pixel[x], row[x], ink);
        }
    }
}

void ts_raster_discs(const ts_image *image, ts_rows rows, const ts_raster_disc *disc, size_t count, const ts_ink *ink,
                     double *row)
{
    if (count != 1) {
        draw_union(image, rows, disc, count, ink, row);
        return;
    }
    ts_raster_disc one = *disc;
    ts_ink pale = *ink;
    pale.opacity *= lesser(3 * one.radius * one.radius, 1); /* as much ink as its area asks for */
    one.radius = soft_radius(one.radius);
    draw_disc(image, rows, one, &pale);
}

/* ---- Outlines ---- */

/* Pixels whose distances are asked for at once: enough to keep the kernel busy, few enough for the stack. */
#define RUN 64

/* Distances [px] of the centres of `count` ≤ RUN pixels from (x, y) on, one beside the other, to something whose own
 * frame stands at `at`: local = turned back ((pixel - at) / scale), y up. */
typedef struct local_frame {
    double x, y, scale, cosine, sine;
} local_frame;

static void distances_of_run(const ts_distance *distance, const local_frame *at, double px, double py, int count,
                             double *out)
{
    double lx[RUN], ly[RUN], dy = (at->y - py) / at->scale;
    for (int i = 0; i < count; i++) {
        double dx = (px + i - at->x) / at->scale;
        lx[i] = at->cosine * dx + at->sine * dy;
        ly[i] = at->cosine * dy - at->sine * dx;
    }
    ts_distance_query(distance, (size_t)count, lx, ly, out, NULL, NULL, NULL);
    for (int i = 0; i < count; i++)
        out[i] *= at->scale;
}

void ts_raster_outline_fill(const ts_image *image, ts_rows rows, const ts_raster_outline *placed, const ts_ink *ink)
{
    local_frame at = {placed->x, placed->y, placed->scale, placed->cosine, placed->sine};
    double outer = placed->reach + 0.5;
    rows = rows_between(rows, placed->y - outer, placed->y + outer, image->height);
    for (int y = rows.y0; y < rows.y1; y++) {
        uint32_t *pixel = image->pixel + (size_t)y * image->stride;
        double dy = y + 0.5 - placed->y, half = sqrt(greater(outer * outer - dy * dy, 0)), distance[RUN];
        int x1 = end_pixel(placed->x + half, image->width);
        for (int x = first_pixel(placed->x - half, image->width); x < x1; x += RUN) {
            int count = x1 - x < RUN ? x1 - x : RUN;
            distances_of_run(placed->outline->distance, &at, x + 0.5, y + 0.5, count, distance);
            for (int i = 0; i < count; i++)
                if (distance[i] < 0.5)
                    pixel[x + i] = shade(pixel[x + i], distance[i], ink);
        }
    }
}

/* ---- Lines ---- */

void ts_raster_line(const ts_image *image, ts_rows rows, const ts_raster_stroke *stroke)
{
    double x0 = stroke->x0, y0 = stroke->y0, x1 = stroke->x1, y1 = stroke->y1;
    double half = 0.5 * stroke->width, opacity = stroke->opacity;
    if (half < 0.5) {
        opacity *= 2 * half;
        half = 0.5;
    }
    double dx = x1 - x0, dy = y1 - y0, length = hypot(dx, dy), reach = half + 0.5;
    double ux = length > 0 ? dx / length : 1, uy = length > 0 ? dy / length : 0;
    double left = lesser(x0, x1) - reach, right = greater(x0, x1) + reach;
    rows = rows_between(rows, lesser(y0, y1) - reach, greater(y0, y1) + reach, image->height);
    for (int y = rows.y0; y < rows.y1; y++) {
        uint32_t *pixel = image->pixel + (size_t)y * image->stride;
        double py = y + 0.5 - y0, from = left, to = right;
        if (fabs(uy) > 1e-3) { /* where the row crosses the band of the infinite line */
            double middle = x0 + py * ux / uy, spread = reach / fabs(uy);
            from = greater(from, middle - spread);
            to = lesser(to, middle + spread);
        }
        int end = end_pixel(to, image->width);
        for (int x = first_pixel(from, image->width); x < end; x++) {
            double px = x + 0.5 - x0, along = lesser(greater(px * ux + py * uy, 0), length);
            double ax = px - along * ux, ay = py - along * uy;
            double share = clamp01(0.5 - (sqrt(ax * ax + ay * ay) - half)) * opacity;
            pixel[x] = blend(pixel[x], stroke->colour, share_of(share));
        }
    }
}

/* ---- Walls ---- */

/* Distances of a run of pixels to a polyline, which is as thick as a stroke, or to an outline; positive on the free
 * side. */
static void line_wall_run(const ts_raster_wall *wall, double px, double py, int count, double *out)
{
    local_frame at = {wall->x, wall->y, wall->scale, cos(wall->angle), -sin(wall->angle)};
    distances_of_run(wall->reach, &at, px, py, count, out);
    for (int i = 0; wall->kind == TS_WALL_POLYLINE && i < count; i++)
        out[i] = fabs(out[i]) - wall->half_width;
}

/* Signed distance, positive on the free side. */
static double wall_distance(const ts_raster_wall *wall, double px, double py)
{
    double dx = px - wall->x, dy = py - wall->y;
    if (wall->reach) {
        double distance;
        line_wall_run(wall, px, py, 1, &distance);
        return distance;
    }
    return wall->kind == TS_WALL_FLAT ? dx * wall->nx + dy * wall->ny : wall->radius - sqrt(dx * dx + dy * dy);
}

/* Lowers row[x] to the distance to the wall. */
static void lower_row(const ts_raster_wall *wall, double py, int width, double *row)
{
    if (wall->kind == TS_WALL_FLAT) {
        double start = wall_distance(wall, 0.5, py);
        if (start > 1 && start + (width - 1) * wall->nx > 1)
            return; /* the whole row is free */
        for (int x = 0; x < width; x++)
            row[x] = lesser(row[x], start + x * wall->nx);
        return;
    }
    double dy2 = (py - wall->y) * (py - wall->y);
    if (wall->reach) {
        /* what keeps bodies inside is solid all around; of the rest nothing lies beyond the bounding circle */
        double outer = wall->radius + wall->half_width + 1, half = sqrt(greater(outer * outer - dy2, 0));
        bool around = wall->kind == TS_WALL_OUTLINE && wall->solid_outside;
        int x1 = around ? width : end_pixel(wall->x + half, width);
        double distance[RUN];
        for (int x = around ? 0 : first_pixel(wall->x - half, width); x < x1; x += RUN) {
            int count = x1 - x < RUN ? x1 - x : RUN;
            line_wall_run(wall, x + 0.5, py, count, distance);
            for (int i = 0; i < count; i++)
                row[x + i] = lesser(row[x + i], distance[i]);
        }
        return;
    }
    for (int x = 0; x < width; x++) {
        double dx = x + 0.5 - wall->x;
        row[x] = lesser(row[x], wall->radius - sqrt(dx * dx + dy2));
    }
}

/* Where across the hatching a pixel lies, in periods: along the edge, and as much into the depth, so that lines
 * slant. */
static double hatch_place(const ts_raster_wall *wall, double px, double py, double depth, const ts_wall_ink *ink)
{
    double dx = px - wall->x, dy = py - wall->y, period = ink->hatch_period * 1.4142136;
    if (wall->kind == TS_WALL_FLAT)
        return (dx * wall->ny - dy * wall->nx + depth) / period;
    if (wall->reach) { /* slanted lines that turn with the shape */
        double angle = wall->angle + 0.7853981633974483;
        return (dx * cos(angle) + dy * sin(angle)) * 1.4142136 / period;
    }
    double turns = (atan2(dy, dx) - wall->angle) / 6.283185307179586;
    double lines = greater(round(6.283185307179586 * wall->radius / period), 1); /* a whole number: no seam */
    return turns * lines + depth / period;
}

/* The colour of a pixel in the shade of the walls: that of the wall in which it lies deepest. */
static uint32_t wall_colour(const ts_raster_wall *wall, size_t count, double px, double py, const ts_wall_ink *ink)
{
    const ts_raster_wall *deepest = wall;
    double distance = FAR;
    for (size_t k = 0; k < count; k++) {
        double other = wall_distance(&wall[k], px, py);
        if (other < distance) {
            distance = other;
            deepest = &wall[k];
        }
    }
    double depth = -distance, left = 1 - clamp01(depth / ink->fade); /* what the fading leaves */
    double shown = ink->top > 0 ? clamp01(py / ink->top) : 1;
    double place = hatch_place(deepest, px, py, depth, ink), phase = (place - floor(place)) * ink->hatch_period;
    double stripe = clamp01(0.5 * ink->hatch_width - fabs(phase - 0.5 * ink->hatch_period) + 0.5);
    uint32_t colour = blend(ink->paper, ink->solid, share_of(left));
    colour = blend(colour, ink->hatch, share_of(stripe * left));
    colour = blend(colour, ink->edge, share_of(0.5 + ink->edge_width - depth));
    return blend(ink->paper, colour, share_of(clamp01(0.5 - distance) * shown));
}

void ts_raster_walls(const ts_image *image, ts_rows rows, const ts_raster_wall *wall, size_t count,
                     const ts_wall_ink *ink, double *row)
{
    for (int y = rows.y0; y < rows.y1; y++) {
        uint32_t *pixel = image->pixel + (size_t)y * image->stride;
        for (int x = 0; x < image->width; x++)
            row[x] = FAR;
        for (size_t k = 0; k < count; k++)
            lower_row(&wall[k], y + 0.5, image->width, row);
        for (int x = 0; x < image->width; x++) {
            bool shade_here = row[x] < 0.5 && row[x] > -ink->fade;
            pixel[x] = shade_here ? wall_colour(wall, count, x + 0.5, y + 0.5, ink) : ink->paper;
        }
    }
}

void ts_raster_shrink(const ts_image *from, const ts_image *to, ts_rows rows, int factor)
{
    uint32_t area = (uint32_t)(factor * factor);
    for (int y = rows.y0; y < rows.y1; y++) {
        for (int x = 0; x < to->width; x++) {
            uint32_t r = area / 2, g = area / 2, b = area / 2;
            for (int j = 0; j < factor; j++) {
                const uint32_t *pixel = from->pixel + (size_t)(y * factor + j) * from->stride + (size_t)(x * factor);
                for (int i = 0; i < factor; i++) {
                    r += pixel[i] >> 16 & 255;
                    g += pixel[i] >> 8 & 255;
                    b += pixel[i] & 255;
                }
            }
            to->pixel[(size_t)y * to->stride + (size_t)x] = r / area << 16 | g / area << 8 | b / area;
        }
    }
}
