/* SPDX-License-Identifier: MIT */
/* What was found of manifolds, for people and for programs. */
#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/format.h"
#include "cli/manifold.h"
#include "study/output.h"
#include "study/table.h"

static const char *const of_name[] = {"mean gap", "energy"};

/* ---- For people ---- */

static void print_body(ts_listing *listing, const char *which, const ts_manifold_subject *subject)
{
    const ts_smooth *body = subject->body;
    ts_listing_row(listing, "  %s\t%s: %s, %zu vertices, %s, %s long", which, subject->name,
                   ts_show_counted(ts_sdf_count(body->sdf), "primitive").text, body->mesh->vertex_count,
                   ts_show_counted(body->edge_count, "edge").text, ts_show_si(ts_sdf_length(body->sdf), "m").text);
}

static void print_pose(ts_listing *listing, const char *name, const ts_manifold_pose *pose)
{
    const double *q = pose->attitude;
    const ts_vec3 turn = ts_quat_log((ts_quat){q[0], q[1], q[2], q[3]});
    const double angle = ts_vec3_length(turn);
    const ts_vec3 axis = ts_vec3_unit(turn);
    if (angle > 0)
        ts_listing_row(listing, "  %s\t(%.6g, %.6g, %.6g) m, turned by %.6g° about (%.4g, %.4g, %.4g)", name,
                       pose->position[0], pose->position[1], pose->position[2], angle * 180 / TS_PI, axis.x, axis.y,
                       axis.z);
    else
        ts_listing_row(listing, "  %s\t(%.6g, %.6g, %.6g) m", name, pose->position[0], pose->position[1],
                       pose->position[2]);
}

static void print_counts(ts_listing *listing, const ts_manifold_counts *c)
{
    ts_listing_row(listing, "  contacts\t%s: %zu vertices of A, %zu of B, 2 × %zu × %zu of edges",
                   ts_show_count(c->all).text, c->vertices[0], c->vertices[1], c->edges[0], c->edges[1]);
}

static void print_bar(ts_listing *listing, const char *name, const ts_manifold_pose_bar *bar)
{
    ts_listing_row(listing, "  %s\t(%.6g, %.6g, %.6g) a metre, (%.6g, %.6g, %.6g) a radian", name, bar->position[0],
                   bar->position[1], bar->position[2], bar->turn[0], bar->turn[1], bar->turn[2]);
}

/* Which contact it is: vertex 12 of A, or edges 3 and 5, the point on A's. */
static const char *name_of(const ts_manifold_counts *c, size_t i, char text[64])
{
    const size_t vertices = c->vertices[0] + c->vertices[1];
    if (i < c->vertices[0])
        snprintf(text, 64, "vertex %zu of A", i);
    else if (i < vertices)
        snprintf(text, 64, "vertex %zu of B", i - c->vertices[0]);
    else
        snprintf(text, 64, "edges %zu×%zu on %c", (i - vertices) / 2 / c->edges[1], (i - vertices) / 2 % c->edges[1],
                 (i - vertices) % 2 ? 'B' : 'A');
    return text;
}

/* What rounding leaves of a zero is one; so is -0. */
static double seen(double value, double size)
{
    return fabs(value) < 1e-9 * size ? 0 : value;
}

static void print_deepest(const ts_manifold_answers *all, const ts_manifold_contacts *c, FILE *stream)
{
    const ts_table table = {stream,
                            5,
                            {{"deepest contacts", 17, false},
                             {"gap", 8, true},
                             {"weight", 6, true},
                             {"point [m]", 26, true},
                             {"normal", 17, true}},
                            0};
    const double size = ts_sdf_length(all->subject[0].body->sdf);
    TS_AUTO_FREE size_t *order = ts_alloc(all->wish->deepest + 1, sizeof *order);
    size_t count = 0;
    for (size_t i = 0; order && i < all->counts.all; i++) { /* insertion: few are wanted */
        if (!(c->weight[i] >= TS_MANIFOLD_WEIGHT_SEEN))
            continue;
        size_t at = count;
        while (at > 0 && c->gap[order[at - 1]] > c->gap[i]) {
            order[at] = order[at - 1];
            at--;
        }
        if (at < all->wish->deepest)
            order[at] = i;
        count = count < all->wish->deepest ? count + 1 : count;
    }
    if (count == 0)
        return;
    fprintf(stream, "\n");
    ts_table_head(&table);
    for (size_t k = 0; k < count; k++) {
        const size_t i = order[k];
        char name[64], weight[32], point[96], normal[96];
        snprintf(weight, sizeof weight, "%.3f", c->weight[i]);
        const double *p = c->point[i], *n = c->normal[i];
        snprintf(point, sizeof point, "%8.3g %8.3g %8.3g", seen(p[0], size), seen(p[1], size), seen(p[2], size));
        snprintf(normal, sizeof normal, "%5.2f %5.2f %5.2f", seen(n[0], 1), seen(n[1], 1), seen(n[2], 1));
        const char *const cell[] = {name_of(&all->counts, i, name), ts_show_si(c->gap[i], "m").text, weight, point,
                                    normal};
        ts_table_row(&table, cell);
    }
}

void ts_manifold_print_one(const ts_manifold_answers *all, FILE *stream)
{
    const ts_manifold_contacts c = ts_manifold_held(all, 0);
    const ts_manifold_summary *s = &all->summary[0];
    fprintf(stream, "%s × %s\n", all->subject[0].name, all->subject[1].name);
    ts_listing listing = ts_listing_make("ll");
    print_body(&listing, "A", &all->subject[0]);
    print_body(&listing, "B", &all->subject[1]);
    print_pose(&listing, "pose of A", &all->pose.item[0].a);
    print_pose(&listing, "pose of B", &all->pose.item[0].b);
    print_counts(&listing, &all->counts);
    ts_listing_row(&listing, "  smallest gap\t%s, %s", ts_show_si(s->least, "m").text,
                   s->least > 0 ? "apart" : "touching");
    ts_listing_row(&listing, "  vertices\t%zu in the other body", s->inside);
    ts_listing_row(&listing, "  edges\tweights sum up to %.6g", s->edge_weight);
    ts_listing_row(&listing, "  mean gap\t%s, weighted", ts_show_si(s->mean_gap, "m").text);
    ts_listing_row(&listing, "  energy\t%.6g m², ½ Σ weight · min(gap, 0)²", s->energy);
    if (all->wish->gradient) {
        ts_listing_row(&listing,
                       "  gradient\tof the %s, by where a body is and by how it is turned about the world's "
                       "axes",
                       of_name[all->wish->of]);
        print_bar(&listing, "  by A", &s->bar_a);
        print_bar(&listing, "  by B", &s->bar_b);
    }
    ts_listing_print(&listing, stream);
    print_deepest(all, &c, stream);
}

/* The shortest text that means the same. */
static void put(FILE *stream, double value)
{
    char text[TS_DOUBLE_TEXT_SIZE];
    ts_format_double(value, text);
    fprintf(stream, ",%s", text);
}

static void put_pose(FILE *stream, const ts_manifold_pose *pose)
{
    for (int i = 0; i < 3; i++)
        put(stream, pose->position[i]);
    for (int i = 0; i < 4; i++)
        put(stream, pose->attitude[i]);
}

static void put_bar(FILE *stream, const ts_manifold_pose_bar *bar)
{
    for (int i = 0; i < 3; i++)
        put(stream, bar->position[i]);
    for (int i = 0; i < 3; i++)
        put(stream, bar->turn[i]);
}

void ts_manifold_print_csv(const ts_manifold_answers *all, FILE *stream)
{
    fputs("pose,a_x_m,a_y_m,a_z_m,a_qw,a_qx,a_qy,a_qz,b_x_m,b_y_m,b_z_m,b_qw,b_qx,b_qy,b_qz,smallest_gap_m,"
          "vertices_inside,edge_weights,mean_gap_m,energy_m2",
          stream);
    for (int body = 0; all->wish->gradient && body < 2; body++)
        for (int i = 0; i < 6; i++)
            fprintf(stream, ",d_%c_%s%c", "ab"[body], i < 3 ? "" : "turn_", "xyz"[i % 3]);
    fputs("\n", stream);
    for (size_t k = 0; k < all->pose.count; k++) {
        const ts_manifold_summary *s = &all->summary[k];
        fprintf(stream, "%zu", k);
        put_pose(stream, &all->pose.item[k].a);
        put_pose(stream, &all->pose.item[k].b);
        put(stream, s->least);
        fprintf(stream, ",%zu", s->inside);
        put(stream, s->edge_weight);
        put(stream, s->mean_gap);
        put(stream, s->energy);
        if (all->wish->gradient) {
            put_bar(stream, &s->bar_a);
            put_bar(stream, &s->bar_b);
        }
        fputs("\n", stream);
    }
}

/* ---- For programs ---- */

static void write_body(ts_json *json, const char *name, const ts_manifold_subject *subject)
{
    const ts_smooth *body = subject->body;
    ts_json_begin_object(json, name);
    ts_json_text(json, "name", subject->name);
    ts_json_uint(json, "primitives", ts_sdf_count(body->sdf));
    ts_json_uint(json, "vertices", body->mesh->vertex_count);
    ts_json_uint(json, "edges", body->edge_count);
    ts_json_number(json, "length", ts_sdf_length(body->sdf));
    ts_json_number(json, "off", body->off);
    ts_json_end(json);
}

static void write_smoothing(ts_json *json, const char *name, const ts_manifold_smoothing *s)
{
    ts_json_begin_object(json, name);
    TS_JSON_NUMBERS(json, {"united", s->united}, {"select", s->select}, {"clip", s->clip}, {"minimum", s->minimum},
                    {"inside", s->inside}, {"centre", s->centre}, {"sign", s->sign}, {"depth", s->depth},
                    {"nearest", s->nearest}, {"clash", s->clash});
    ts_json_end(json);
}

static void write_pose(ts_json *json, const char *name, const ts_manifold_pose *pose)
{
    ts_json_begin_object(json, name);
    ts_json_numbers(json, "position", pose->position, 3);
    ts_json_numbers(json, "attitude", pose->attitude, 4);
    ts_json_end(json);
}

/* By position and turn, and by the pose's vector (ρ, θ). */
static void write_bar(ts_json *json, const char *name, const ts_manifold_pose *pose, const ts_manifold_pose_bar *bar)
{
    double s[6], s_bar[6];
    ts_manifold_pose_log(pose, s);
    ts_manifold_pose_exp_vjp(s, bar, s_bar);
    ts_json_begin_object(json, name);
    ts_json_numbers(json, "position", bar->position, 3);
    ts_json_numbers(json, "turn", bar->turn, 3);
    ts_json_numbers(json, "log", s_bar, 6);
    ts_json_end(json);
}

static void write_vectors(ts_json *json, const char *name, const double *value, size_t count, size_t width)
{
    ts_json_begin_array(json, name);
    for (size_t i = 0; i < count; i++)
        ts_json_numbers(json, NULL, value + width * i, width);
    ts_json_end(json);
}

static void write_one(ts_json *json, const ts_manifold_answers *all, size_t pose)
{
    const ts_manifold_place_pair *at = &all->pose.item[pose];
    const ts_manifold_summary *s = &all->summary[pose];
    const ts_manifold_contacts c = ts_manifold_held(all, pose);
    const size_t count = all->counts.all;
    ts_json_begin_object(json, NULL);
    write_pose(json, "a", &at->a);
    write_pose(json, "b", &at->b);
    ts_json_uint(json, "vertices_inside", s->inside);
    TS_JSON_NUMBERS(json, {"smallest_gap", s->least}, {"edge_weights", s->edge_weight}, {"mean_gap", s->mean_gap},
                    {"energy", s->energy});
    if (all->wish->gradient) {
        ts_json_begin_object(json, "gradient");
        ts_json_text(json, "of", all->wish->of == TS_OF_ENERGY ? "energy" : "mean-gap");
        write_bar(json, "a", &at->a, &s->bar_a);
        write_bar(json, "b", &at->b, &s->bar_b);
        ts_json_end(json);
    }
    ts_json_begin_object(json, "contacts");
    ts_json_numbers(json, "gap", c.gap, count);
    ts_json_numbers(json, "weight", c.weight, count);
    write_vectors(json, "point", &c.point[0][0], count, 3);
    write_vectors(json, "normal", &c.normal[0][0], count, 3);
    write_vectors(json, "indicator", &c.indicator[0][0], count, TS_MANIFOLD_INDICATORS);
    ts_json_end(json);
    ts_json_end(json);
}

typedef struct writing {
    ts_manifold_answers *all;
    ts_status status;
    ts_error *error;
} writing;

static void write_all(ts_json *json, const void *subject)
{
    writing *w = *(writing *const *)subject;
    ts_manifold_answers *all = w->all;
    const ts_manifold_counts *n = &all->counts;
    const double vertices[2] = {(double)n->vertices[0], (double)n->vertices[1]},
                 edges[2] = {(double)n->edges[0], (double)n->edges[1]};
    ts_json_begin_object(json, NULL);
    write_body(json, "a", &all->subject[0]);
    write_body(json, "b", &all->subject[1]);
    write_smoothing(json, "smoothing", &all->options.smoothing);
    if (all->wish->gradient)
        write_smoothing(json, "gradient_smoothing", &all->gradient_smoothing);
    ts_json_begin_object(json, "counts");
    ts_json_numbers(json, "vertices", vertices, 2);
    ts_json_numbers(json, "edges", edges, 2);
    ts_json_uint(json, "all", n->all);
    ts_json_end(json);
    ts_json_begin_array(json, "poses");
    for (size_t i = 0; w->status == TS_OK && i < all->pose.count; i++) {
        if (i < all->first || i >= all->first + all->held)
            w->status = ts_manifold_hold(all, i, w->error);
        if (w->status == TS_OK)
            write_one(json, all, i);
    }
    ts_json_end(json);
    ts_json_end(json);
}

ts_status ts_manifold_write_json(ts_manifold_answers *all, ts_error *error)
{
    writing w = {all, TS_OK, error}, *subject = &w;
    TS_TRY(ts_output_json(all->wish->json, write_all, &subject, error));
    return w.status;
}

/* ---- The picture ---- */

ts_status ts_manifold_picture(const ts_manifold_answers *all, ts_error *error)
{
    char title[400], folder[4096];
    TS_AUTO(ts_pool_free_at) ts_pool *pool = NULL;
    TS_TRY(ts_pool_create((int)all->wish->threads, &pool, error));
    snprintf(title, sizeof title, "%s × %s", all->subject[0].name, all->subject[1].name);
    const ts_contacts_picture picture = {.body = {all->subject[0].body, all->subject[1].body},
                                         .pose = {all->pose.item[0].a, all->pose.item[0].b},
                                         .contact = ts_manifold_held(all, 0),
                                         .count = all->counts.all,
                                         .vertex_count = all->counts.vertices[0] + all->counts.vertices[1],
                                         .hue = (ts_contact_hue)all->wish->colour,
                                         .unscaled = all->wish->unscaled,
                                         .reach = all->wish->reach};
    const ts_smooth_look look = {.title = title,
                                 .width = (int)all->wish->width,
                                 .theme = all->wish->dark ? TS_THEME_DARK : TS_THEME_LIGHT,
                                 .pool = pool};
    ts_path_folder(all->wish->png, folder, sizeof folder);
    TS_TRY(ts_folder_make(folder, error));
    return ts_draw_contacts(all->wish->png, &picture, &look, error);
}
