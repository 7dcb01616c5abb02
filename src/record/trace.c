/* SPDX-License-Identifier: MIT */
#include "record/trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/kernel.h"
#include "record/draw_label.h"
#include "record/trace_work.h"

TS_KERNEL_CHOOSER(ts_trace_kernels, ts_trace)

#define SIDE_MAX 16384
#define TILE     32
#define SAMPLES  TS_TRACE_SAMPLES
#define PATTERN  4 /* each pixel of 4 × 4 asks for other parts of the sky */

ts_status ts_trace_create(ts_pool *pool, ts_trace **trace, ts_error *error)
{
    ts_trace *made;
    TS_TRY(ts_new(&made, 1, error));
    made->pool = pool;
    for (int i = 0; i <= 4096; i++) {
        double light = (i / 4096.0) * (i / 4096.0);
        double srgb = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
        made->encode[i] = (uint8_t)lround(255 * fmin(srgb, 1));
    }
    *trace = made;
    return TS_OK;
}

static void crowd_free(ts_trace_crowd *c)
{
    ts_array_free(&c->box);
    ts_array_free(&c->given);
    ts_array_free(&c->item);
    ts_array_free(&c->given_frame);
    ts_array_free(&c->frame);
    ts_trace_tree_free(&c->tree);
}

void ts_trace_free(ts_trace *trace)
{
    if (!trace)
        return;
    for (size_t i = 0; i < trace->mesh.count; i++)
        ts_trace_mesh_free(trace->mesh.item[i].tree);
    ts_array_free(&trace->mesh);
    crowd_free(&trace->solid);
    crowd_free(&trace->veil);
    ts_array_free(&trace->floor);
    ts_array_free(&trace->ghost);
    ts_array_free(&trace->pixel);
    ts_array_free(&trace->row);
    ts_array_free(&trace->glass);
    ts_free(trace);
}

/* ---- Rays ---- */

#define FAR_AWAY 1e200

/* Through a point of the image [px]. */
static ts_vec3 direction_at(const ts_trace_scene *s, double x, double y)
{
    ts_vec3 d = ts_vec3_add_scaled(s->forward, s->right, x - 0.5 * s->width);
    return ts_vec3_unit(ts_vec3_add_scaled(d, s->down, y - 0.5 * s->height));
}

static void set_ray(ts_trace_packet *p, int lane, ts_vec3 o, ts_vec3 d, double far)
{
    p->ox[lane] = o.x;
    p->oy[lane] = o.y;
    p->oz[lane] = o.z;
    p->dx[lane] = d.x;
    p->dy[lane] = d.y;
    p->dz[lane] = d.z;
    p->far[lane] = far;
}

/* Just above a surface. */
static ts_vec3 lifted(const ts_trace_scene *s, const ts_trace_hit *hit)
{
    return ts_vec3_add_scaled(hit->start, hit->geometric,
                              s->nudge * ((hit->depth < FAR_AWAY ? hit->depth : 0) + s->size));
}

/* Rays that are gathered to packets; what comes out is added up in `light`. */
typedef struct gathering {
    ts_trace_packet packet;
    float *light[TS_LANES];
    float weight[TS_LANES];
    int count;
} gathering;

static void flush(const ts_trace_scene *s, gathering *g)
{
    if (g->count == 0)
        return;
    for (int i = g->count; i < TS_LANES; i++) {
        set_ray(&g->packet, i, (ts_vec3){g->packet.ox[0], g->packet.oy[0], g->packet.oz[0]},
                (ts_vec3){g->packet.dx[0], g->packet.dy[0], g->packet.dz[0]}, -1);
    }
    unsigned blocked = s->kernel->blocked(&s->world, &g->packet);
    for (int i = 0; i < g->count; i++)
        if (!(blocked >> i & 1))
            *g->light[i] += g->weight[i];
    g->count = 0;
}

static void gather(const ts_trace_scene *s, gathering *g, ts_vec3 o, ts_vec3 d, float weight, float *light)
{
    set_ray(&g->packet, g->count, o, d, FAR_AWAY);
    g->light[g->count] = light;
    g->weight[g->count++] = weight;
    if (g->count == TS_LANES)
        flush(s, g);
}

/* ---- First pass: one sample a pixel ---- */

typedef struct tile {
    int x0, y0, x1, y1;
    ts_vec3 above[TILE * TILE]; /* where rays from each pixel's surface start */
} tile;

static void tile_of(const ts_trace *trace, int task, tile *t)
{
    t->x0 = task % trace->tiles_x * TILE;
    t->y0 = task / trace->tiles_x * TILE;
    t->x1 = t->x0 + TILE < trace->scene.width ? t->x0 + TILE : trace->scene.width;
    t->y1 = t->y0 + TILE < trace->scene.height ? t->y0 + TILE : trace->scene.height;
}

static size_t place_of(const ts_trace *trace, int x, int y)
{
    return (size_t)y * (size_t)trace->scene.width + (size_t)x;
}

static ts_trace_pixel *pixel_at(const ts_trace *trace, int x, int y)
{
    return &trace->pixel.item[place_of(trace, x, y)];
}

static ts_vec3 normal_of(const ts_trace_pixel *p)
{
    return (ts_vec3){(double)p->normal[0], (double)p->normal[1], (double)p->normal[2]};
}

static bool has_ghosts(const ts_trace_scene *s)
{
    return s->ghost_count > 0 || s->veil.node;
}

static void look_block(const ts_trace *trace, tile *t, int bx, int by)
{
    const ts_trace_scene *s = &trace->scene;
    ts_trace_packet packet;
    double depth[TS_LANES] = {0};
    for (int i = 0; i < TS_LANES; i++) {
        int x = bx + (i & 3), y = by + (i >> 2);
        set_ray(&packet, i, s->eye, direction_at(s, x + 0.5, y + 0.5), x < t->x1 && y < t->y1 ? FAR_AWAY : -1);
    }
    s->kernel->closest(&s->world, &packet);
    for (int i = 0; i < TS_LANES; i++) {
        int x = bx + (i & 3), y = by + (i >> 2);
        if (x >= t->x1 || y >= t->y1)
            continue;
        ts_trace_hit hit = ts_trace_hit_of(s, &packet, i);
        *pixel_at(trace, x, y) =
            (ts_trace_pixel){.depth = hit.depth,
                             .thing = hit.thing,
                             .item = hit.item,
                             .normal = {(float)hit.normal.x, (float)hit.normal.y, (float)hit.normal.z}};
        depth[i] = hit.depth;
        t->above[(y - t->y0) * TILE + x - t->x0] = lifted(s, &hit);
    }
    if (!has_ghosts(s))
        return;
    ts_trace_veil veil[TS_LANES];
    ts_trace_find_veils(s, &packet, depth, veil);
    for (int i = 0; i < TS_LANES; i++)
        if (bx + (i & 3) < t->x1 && by + (i >> 2) < t->y1)
            trace->glass.item[place_of(trace, bx + (i & 3), by + (i >> 2))] = veil[i];
}

/* Which of the sun's points a pixel's first sample looks at: neighbours look at others, and differ in the whole half
 * shadow. */
static int sun_point(int x, int y)
{
    return x % 3 + 3 * (y % 3);
}

static void look_at_sun(const ts_trace *trace, const tile *t)
{
    const ts_trace_scene *s = &trace->scene;
    gathering g = {.count = 0};
    for (int by = t->y0; by < t->y1; by += 2)
        for (int bx = t->x0; bx < t->x1; bx += 4)
            for (int i = 0; i < TS_LANES; i++) {
                int x = bx + (i & 3), y = by + (i >> 2);
                if (x >= t->x1 || y >= t->y1)
                    continue;
                ts_trace_pixel *p = pixel_at(trace, x, y);
                ts_vec3 d = s->sun_at[sun_point(x, y)];
                double facing = ts_vec3_dot(normal_of(p), s->sun);
                if (p->thing != TS_SEEN_NOTHING && facing > 0)
                    gather(s, &g, t->above[(y - t->y0) * TILE + x - t->x0], d, (float)facing, &p->sun);
            }
    flush(s, &g);
}

/* Pixels at the same place of the pattern look the same way, and so make good packets. */
static void look_at_sky(const ts_trace *trace, const tile *t)
{
    const ts_trace_scene *s = &trace->scene;
    gathering g = {.count = 0};
    for (int k = 0; k < TS_SKY_COUNT; k++) {
        int place = k % (PATTERN * PATTERN);
        for (int y = t->y0 + place / PATTERN; y < t->y1; y += PATTERN)
            for (int x = t->x0 + place % PATTERN; x < t->x1; x += PATTERN) {
                ts_trace_pixel *p = pixel_at(trace, x, y);
                float facing = (float)ts_vec3_dot(normal_of(p), s->sky[k]);
                if (p->thing == TS_SEEN_NOTHING || !(facing > 0))
                    continue;
                p->asked += facing;
                gather(s, &g, t->above[(y - t->y0) * TILE + x - t->x0], s->sky[k], facing, &p->seen);
            }
        flush(s, &g);
    }
}

static void look(void *context, int task, int thread)
{
    (void)thread;
    const ts_trace *trace = context;
    tile t;
    tile_of(trace, task, &t);
    for (int y = t.y0; y < t.y1; y += 2)
        for (int x = t.x0; x < t.x1; x += 4)
            look_block(trace, &t, x, y);
    look_at_sun(trace, &t);
    if (trace->scene.occlusion)
        look_at_sky(trace, &t);
}

/* ---- Second pass: neighbours share what they saw of the sky ---- */

/* Along rows, then along columns. The weights 1 2 3 4 3 2 1 count each place of the pattern alike. */
#define REACH (PATTERN - 1)

static bool alike(const ts_trace_pixel *p, const ts_trace_pixel *q)
{
    float dot = p->normal[0] * q->normal[0] + p->normal[1] * q->normal[1] + p->normal[2] * q->normal[2];
    return p->item == q->item && dot > 0.8F;
}

static void share_rows(void *context, int task, int thread)
{
    (void)thread;
    const ts_trace *trace = context;
    tile t;
    tile_of(trace, task, &t);
    for (int y = t.y0; y < t.y1; y++)
        for (int x = t.x0; x < t.x1; x++) {
            const ts_trace_pixel *p = pixel_at(trace, x, y);
            ts_trace_sky sum = {0, 0};
            for (int u = x > REACH ? x - REACH : 0; u <= x + REACH && u < trace->scene.width; u++) {
                const ts_trace_pixel *q = pixel_at(trace, u, y);
                if (!alike(p, q))
                    continue;
                float weight = (float)(PATTERN - abs(u - x));
                sum.seen += weight * q->seen;
                sum.asked += weight * q->asked;
            }
            trace->row.item[place_of(trace, x, y)] = sum;
        }
}

static float share_of_sky(const ts_trace *trace, int x, int y)
{
    const ts_trace_pixel *p = pixel_at(trace, x, y);
    if (p->thing == TS_SEEN_NOTHING || !trace->scene.occlusion)
        return 1;
    ts_trace_sky sum = {0, 0};
    for (int v = y > REACH ? y - REACH : 0; v <= y + REACH && v < trace->scene.height; v++) {
        if (!alike(p, pixel_at(trace, x, v)))
            continue;
        float weight = (float)(PATTERN - abs(v - y));
        ts_trace_sky row = trace->row.item[place_of(trace, x, v)];
        sum.seen += weight * row.seen;
        sum.asked += weight * row.asked;
    }
    /* where few were asked (thin things, undersides) the answer leans towards half */
    return (sum.seen + 4) / (sum.asked + 8);
}

static void share_columns(void *context, int task, int thread)
{
    (void)thread;
    const ts_trace *trace = context;
    tile t;
    tile_of(trace, task, &t);
    for (int y = t.y0; y < t.y1; y++)
        for (int x = t.x0; x < t.x1; x++)
            pixel_at(trace, x, y)->seen = share_of_sky(trace, x, y);
}

/* ---- Third pass: colours, and more samples where neighbours differ ---- */

static bool edge_between(const ts_trace_scene *s, const ts_trace_pixel *p, const ts_trace_pixel *q)
{
    if (p->item != q->item)
        return true;
    if (p->item < 0) /* a floor, or nothing */
        return false;
    float dot = p->normal[0] * q->normal[0] + p->normal[1] * q->normal[1] + p->normal[2] * q->normal[2];
    return dot < 0.9F || fabs(p->depth - q->depth) > 16 * s->pixel * p->depth;
}

static bool glass_between(const ts_trace *trace, int x, int y, int u, int v)
{
    const ts_trace_veil *glass = trace->glass.item;
    return fabsf(glass[place_of(trace, x, y)].cover - glass[place_of(trace, u, v)].cover) > 0.02F;
}

static bool shadow_between(const ts_trace_pixel *p, const ts_trace_pixel *q)
{
    float more = p->sun > q->sun ? p->sun : q->sun, less = p->sun > q->sun ? q->sun : p->sun;
    return less == 0 && more > 0.12F;
}

static bool needs_more(const ts_trace *trace, int x, int y)
{
    const ts_trace_scene *s = &trace->scene;
    const ts_trace_pixel *p = pixel_at(trace, x, y);
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            int u = x + i, v = y + j;
            if (u < 0 || v < 0 || u >= s->width || v >= s->height)
                continue;
            const ts_trace_pixel *q = pixel_at(trace, u, v);
            if (((i == 0 || j == 0) && edge_between(s, p, q)) || shadow_between(p, q))
                return true;
            if (has_ghosts(s) && (i == 0 || j == 0) && glass_between(trace, x, y, u, v))
                return true;
        }
    return false;
}

/* Of the neighbour that sees the same as a sample does, and most alike. */
static double sky_near(const ts_trace *trace, int x, int y, const ts_trace_hit *hit)
{
    const ts_trace_scene *s = &trace->scene;
    float best = -2;
    const ts_trace_pixel *at = pixel_at(trace, x, y);
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            int u = x + i, v = y + j;
            if (u < 0 || v < 0 || u >= s->width || v >= s->height)
                continue;
            const ts_trace_pixel *q = pixel_at(trace, u, v);
            float match = (float)ts_vec3_dot(normal_of(q), hit->normal) - (i || j ? 0.01F : 0);
            if (q->item == hit->item && match > best) {
                best = match;
                at = q;
            }
        }
    return (double)at->seen;
}

/* The eight other samples of a pixel. */
typedef struct samples {
    ts_trace_packet packet;
    ts_trace_hit hit[TS_LANES];
    ts_vec3 direction[TS_LANES];
    ts_trace_veil veil[TS_LANES];
    unsigned bright; /* bit i: sees the sun */
} samples;

static void take_samples(const ts_trace_scene *s, int x, int y, samples *m)
{
    static const int row[SAMPLES] = {2, 5, 8, 1, 4, 7, 0, 3, 6}; /* of each column; the middle one is there already */
    double depth[TS_LANES];
    for (int i = 0; i < TS_LANES; i++) {
        int column = i < 4 ? i : i + 1;
        m->direction[i] = direction_at(s, x + (column + 0.5) / SAMPLES, y + (row[column] + 0.5) / SAMPLES);
        set_ray(&m->packet, i, s->eye, m->direction[i], FAR_AWAY);
        m->veil[i] = (ts_trace_veil){{0}, 0};
    }
    s->kernel->closest(&s->world, &m->packet);
    m->bright = 0;
    for (int i = 0; i < TS_LANES; i++) {
        m->hit[i] = ts_trace_hit_of(s, &m->packet, i);
        depth[i] = m->hit[i].depth;
        if (m->hit[i].thing != TS_SEEN_NOTHING && ts_vec3_dot(m->hit[i].normal, s->sun) > 0)
            m->bright |= 1U << i;
    }
    if (has_ghosts(s))
        ts_trace_find_veils(s, &m->packet, depth, m->veil);
    for (int i = 0; i < TS_LANES; i++)
        set_ray(&m->packet, i, lifted(s, &m->hit[i]), s->sun_at[i], m->bright >> i & 1 ? FAR_AWAY : -1);
    if (m->bright)
        m->bright &= ~s->kernel->blocked(&s->world, &m->packet);
}

/* How much of the sun the surface of `item` sees, of all samples on it; `middle` says it for the first. */
static double sun_share(const samples *m, int32_t item, double middle)
{
    int count = 0, lit = 0;
    for (int i = 0; i < TS_LANES; i++)
        if (m->hit[i].item == item) {
            count++;
            lit += m->bright >> i & 1 ? 1 : 0;
        }
    return count ? (double)lit / count : middle;
}

/* One pixel: its first sample, and eight more where neighbours differ. */
static void pixel_colour(const ts_trace *trace, int x, int y, float sum[3])
{
    const ts_trace_scene *s = &trace->scene;
    const ts_trace_pixel *p = pixel_at(trace, x, y);
    ts_vec3 d = direction_at(s, x + 0.5, y + 0.5);
    ts_trace_hit hit = {.thing = p->thing, .item = p->item, .depth = p->depth, .normal = normal_of(p)};
    if (p->thing != TS_SEEN_NOTHING)
        hit.point = ts_vec3_add_scaled(s->eye, d, p->depth);
    bool more = needs_more(trace, x, y);
    double sun = p->sun > 0;
    samples m;
    if (more) {
        take_samples(s, x, y, &m);
        sun = sun_share(&m, p->item, sun);
    }
    ts_trace_colour(s, &hit, d, sun, (double)p->seen, sum);
    if (has_ghosts(s))
        ts_trace_lay_veil(&trace->glass.item[place_of(trace, x, y)], sum);
    if (!more)
        return;
    for (int i = 0; i < TS_LANES; i++) {
        float colour[3];
        double sky = m.hit[i].thing == TS_SEEN_NOTHING ? 1 : sky_near(trace, x, y, &m.hit[i]);
        ts_trace_colour(s, &m.hit[i], m.direction[i], m.bright >> i & 1, sky, colour);
        ts_trace_lay_veil(&m.veil[i], colour);
        for (int k = 0; k < 3; k++)
            sum[k] += colour[k];
    }
    for (int k = 0; k < 3; k++)
        sum[k] /= SAMPLES;
}

static uint32_t encode(const ts_trace *trace, const float colour[3])
{
    uint32_t rgb = 0;
    for (int k = 0; k < 3; k++) {
        float c = colour[k] > 0 ? (colour[k] < 1 ? colour[k] : 1) : 0;
        rgb = rgb << 8 | trace->encode[(int)(sqrtf(c) * 4096 + 0.5F)];
    }
    return rgb;
}

static void paint(void *context, int task, int thread)
{
    (void)thread;
    const ts_trace *trace = context;
    tile t;
    tile_of(trace, task, &t);
    for (int y = t.y0; y < t.y1; y++)
        for (int x = t.x0; x < t.x1; x++) {
            float colour[3];
            pixel_colour(trace, x, y, colour);
            trace->image->pixel[(size_t)y * trace->image->stride + (size_t)x] = encode(trace, colour);
        }
}

ts_status ts_trace_draw(ts_trace *trace, const ts_view *view, const ts_image *image, ts_error *error)
{
    trace->pixel.count = 0;
    if (image->width < 1 || image->height < 1 || image->width > SIDE_MAX || image->height > SIDE_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a picture of %d × %d pixels is not possible; give 1 to %d for each side",
                       image->width, image->height, SIDE_MAX);
    trace->scene.width = image->width;
    trace->scene.height = image->height;
    TS_TRY(ts_trace_prepare(trace, view, error));
    trace->image = image;
    trace->tiles_x = (image->width + TILE - 1) / TILE;
    trace->tiles_y = (image->height + TILE - 1) / TILE;
    int tiles = trace->tiles_x * trace->tiles_y;
    ts_pool_run(trace->pool, tiles, look, trace);
    if (trace->scene.occlusion)
        ts_pool_run(trace->pool, tiles, share_rows, trace);
    ts_pool_run(trace->pool, tiles, share_columns, trace);
    ts_pool_run(trace->pool, tiles, paint, trace);
    trace->image = NULL;
    return TS_OK;
}

const char *ts_trace_grid_text(const ts_trace *trace, char text[TS_GRID_TEXT_SIZE])
{
    char length[TS_LABEL_SIZE];
    if (!(trace->scene.grid > 0) || trace->scene.floor_count == 0)
        return NULL;
    snprintf(text, TS_GRID_TEXT_SIZE, "grid %s", ts_label_quantity(trace->scene.grid, "m", length));
    return text;
}

ts_seen ts_trace_seen(const ts_trace *trace, int x, int y)
{
    if (x < 0 || y < 0 || x >= trace->scene.width || y >= trace->scene.height || trace->pixel.count == 0)
        return (ts_seen){.thing = TS_SEEN_NOTHING, .depth = HUGE_VAL};
    const ts_trace_pixel *p = pixel_at(trace, x, y);
    return (ts_seen){.thing = p->thing, .depth = p->depth, .normal = normal_of(p), .lit = p->sun > 0};
}
