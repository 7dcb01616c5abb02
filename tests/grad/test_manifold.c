/* SPDX-License-Identifier: MIT */
/* Smooth manifolds: the transposed derivative of all contacts against central differences, by poses and by pieces, for
 * random and degenerate poses, every kind of option. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/smooth.h"

#include "touchstone/manifold.h"

static double number(uint64_t stream, uint64_t i)
{
    return ts_random_normal(5, stream, i);
}

typedef struct trial {
    ts_manifold *manifold;
    ts_manifold_work *work;
    size_t count;
    ts_manifold_contacts contacts, bar;
} trial;

static ts_manifold_contacts contacts_of(size_t count)
{
    return (ts_manifold_contacts){.point = calloc(count, sizeof(double[3])),
                                  .gap = calloc(count, sizeof(double)),
                                  .normal = calloc(count, sizeof(double[3])),
                                  .weight = calloc(count, sizeof(double))};
}

static void free_contacts(ts_manifold_contacts *c)
{
    free(c->point);
    free(c->gap);
    free(c->normal);
    free(c->weight);
}

static trial open(const ts_sdf_body *a, const ts_sdf_body *b, const ts_manifold_options *options)
{
    trial t = {0};
    OK(ts_manifold_create(a, b, options, &t.manifold, ERROR));
    OK(ts_manifold_work_create(t.manifold, &t.work, ERROR));
    t.count = ts_manifold_get_counts(t.manifold).all;
    t.contacts = contacts_of(t.count);
    t.bar = contacts_of(t.count);
    for (size_t i = 0; i < t.count; i++) {
        t.bar.gap[i] = number(1, i);
        t.bar.weight[i] = number(2, i);
        for (size_t k = 0; k < 3; k++) {
            t.bar.point[i][k] = number(3, 3 * i + k);
            t.bar.normal[i][k] = number(4, 3 * i + k);
        }
    }
    return t;
}

static void done(trial *t)
{
    free_contacts(&t->contacts);
    free_contacts(&t->bar);
    ts_manifold_work_free(t->work);
    ts_manifold_free(t->manifold);
}

/* Σ adjoint · contact, each summed apart, so that rounding does not hide a small part. */
static double product(trial *t, const ts_manifold_pose *a, const ts_manifold_pose *b)
{
    OK(ts_manifold_find(t->manifold, t->work, a, b, &t->contacts, ERROR));
    double sum = 0;
    for (size_t i = 0; i < t->count; i++) {
        sum += t->bar.gap[i] * t->contacts.gap[i] + t->bar.weight[i] * t->contacts.weight[i];
        for (int k = 0; k < 3; k++)
            sum += t->bar.point[i][k] * t->contacts.point[i][k] + t->bar.normal[i][k] * t->contacts.normal[i][k];
    }
    return sum;
}

static ts_manifold_pose moved(const ts_manifold_pose *pose, const double *x)
{
    const double *q = pose->attitude;
    const ts_quat turned = ts_quat_mul(ts_quat_exp((ts_vec3){x[3], x[4], x[5]}), (ts_quat){q[0], q[1], q[2], q[3]});
    return (ts_manifold_pose){{pose->position[0] + x[0], pose->position[1] + x[1], pose->position[2] + x[2]},
                              {turned.w, turned.x, turned.y, turned.z}};
}

static void check(trial *t, const ts_manifold_pose *a, const ts_manifold_pose *b, double step, double tolerance)
{
    OK(ts_manifold_find(t->manifold, t->work, a, b, &t->contacts, ERROR));
    ts_manifold_pose_bar to[2] = {{{0}, {0}}, {{0}, {0}}};
    OK(ts_manifold_find_vjp(t->manifold, t->work, NULL, &t->bar, &to[0], &to[1], ERROR));
    double adjoint[12], size = 0;
    memcpy(adjoint, &to[0], sizeof to[0]);
    memcpy(adjoint + 6, &to[1], sizeof to[1]);
    for (int d = 0; d < 12; d++)
        size = fmax(size, fabs(adjoint[d]));
    for (int k = 0; k < 13; k++) { /* each alone, then all along one direction */
        double x[12] = {0}, y[12] = {0}, expected = 0;
        for (int d = 0; d < 12; d++) {
            const double way = k == 12 ? number(6, (uint64_t)d) : d == k;
            x[d] = step * way;
            y[d] = -step * way;
            expected += adjoint[d] * way;
        }
        const ts_manifold_pose a1 = moved(a, x), b1 = moved(b, x + 6), a0 = moved(a, y), b0 = moved(b, y + 6);
        NEAR((product(t, &a1, &b1) - product(t, &a0, &b0)) / (2 * step), expected, tolerance * (1 + size));
    }
}

static ts_manifold_pose random_pose(uint64_t i, double apart)
{
    const ts_quat q = ts_quat_unit((ts_quat){number(7, i), number(8, i), number(9, i), number(10, i)});
    const ts_vec3 u = ts_vec3_unit((ts_vec3){number(11, i), number(12, i), number(13, i)});
    return (ts_manifold_pose){{apart * u.x, apart * u.y, apart * u.z}, {q.w, q.x, q.y, q.z}};
}

static ts_manifold_options options_of(double tau)
{
    ts_manifold_options options = ts_manifold_default_options();
    options.smoothing = ts_manifold_smoothing_of(tau);
    return options;
}

static const ts_manifold_pose still = {{0, 0, 0}, {1, 0, 0, 0}};

static void random_poses(void **state)
{
    (void)state;
    ts_sdf_body *a = ts_test_blob(1), *b = ts_test_superquadric((ts_vec3){0.4, 0.5, 0.3}, 0.4, 0.7, 3);
    for (int kind = 0; kind < 7; kind++) {
        ts_manifold_options options = options_of(0.1);
        options.keep_edges[0] = 6;
        options.published = kind == 1;
        options.keep_vertices[0] = options.keep_vertices[1] = kind == 2 ? 12 : 0;
        options.project = kind == 3 ? 2 : 0;
        options.safeguard = kind == 4;
        options.sides = kind == 5 ? TS_MANIFOLD_B : TS_MANIFOLD_BOTH;
        options.hard = kind == 6;
        trial t = open(a, b, &options);
        for (uint64_t i = 0; i < 4; i++) {
            const ts_manifold_pose p = random_pose(i, 0), q = random_pose(100 + i, 0.55);
            check(&t, &p, &q, 1e-6, 2e-6);
        }
        done(&t);
    }
    ts_sdf_body_free(a);
    ts_sdf_body_free(b);
}

/* Faces on faces, edges along edges, corners at corners, one body in the other: where hard contacts jump. */
enum { ALL_EDGES, PUBLISHED, ONE_SIDED, NO_EDGES, PROJECTED, SAFEGUARDED, HARD, KINDS };

static ts_manifold_options degenerate_options(int kind)
{
    ts_manifold_options options = options_of(0.1);
    options.keep_edges[0] = options.keep_edges[1] = SIZE_MAX;
    options.published = kind == PUBLISHED;
    options.sides = kind == ONE_SIDED ? TS_MANIFOLD_A : TS_MANIFOLD_BOTH;
    options.edges = kind != NO_EDGES;
    options.project = kind == PROJECTED ? 2 : 0;
    options.safeguard = kind == SAFEGUARDED;
    options.hard = kind == HARD;
    return options;
}

static void degenerate_poses(void **state)
{
    (void)state;
    ts_sdf_body *box = ts_test_superquadric((ts_vec3){0.5, 0.5, 0.5}, 0.5, 0.5, 1);
    const double corner = 0.5 * pow(3, -0.25), face = 0.5, third = sqrt(1.0 / 3);
    const ts_manifold_pose at[] = {
        {{0, 0, 2 * corner - 0.01}, {1, 0, 0, 0}}, /* faces, and edges along edges */
        {{2 * corner, 2 * corner, 0.1}, {1, 0, 0, 0}},
        {{2 * corner, 2 * corner, 2 * corner}, {1, 0, 0, 0}}, /* corners in one point */
        {{0, 0, 0}, {1, 0, 0, 0}},                            /* one in the other */
        {{0, 0, 0.9}, {cos(TS_PI / 8), 0, 0, sin(TS_PI / 8)}},
        {{0, 0, 2 * face}, {1, 0, 0, 0}},                                 /* just touching */
        {{0, 0, 0}, {cos(TS_PI / 8), 0, 0, sin(TS_PI / 8)}},              /* same centre */
        {{0, 0, face + corner}, {0.5, third / 2, third / 2, -third / 2}}, /* vertices on an axis */
        {{0, 0, 0.7}, {0.5, 0.5, 0.5, 0.5}},                              /* turned onto itself */
        {{0, 0, 8}, {sqrt(0.5), 0, 0, sqrt(0.5)}}};                       /* far away */
    for (int kind = 0; kind < KINDS; kind++) {
        const ts_manifold_options options = degenerate_options(kind);
        trial t = open(box, box, &options);
        for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
            if (kind == PUBLISHED) /* |e₂ − e₁| and its direction have a kink where the points meet */
                memset(t.bar.normal, 0, t.count * sizeof *t.bar.normal);
            const double *q = at[i].attitude, size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
            const ts_manifold_pose pose = {{at[i].position[0], at[i].position[1], at[i].position[2]},
                                           {q[0] / size, q[1] / size, q[2] / size, q[3] / size}};
            if (!(kind == PUBLISHED && i == 3))
                check(&t, &still, &pose, 1e-6, 1e-5);
        }
        done(&t);
    }
    ts_sdf_body_free(box);
}

/* What is as deep as something else is chosen with a kink. The derivative of the mean of gaps, which does not depend on who
 * comes first, lies between those to both sides there. */
static void ties_of_the_choice(void **state)
{
    (void)state;
    ts_sdf_body *box = ts_test_superquadric((ts_vec3){0.5, 0.5, 0.5}, 0.5, 0.5, 2);
    for (int hard = 0; hard < 2; hard++)
        for (int i = 0; i < 3; i++) {
            ts_manifold_options options = options_of(0.05);
            options.hard = hard;
            options.keep_vertices[0] = 4, options.keep_vertices[1] = 9;
            options.keep_edges[0] = 3, options.keep_edges[1] = 5;
            trial t = open(box, box, &options);
            const size_t vertices = 13;
            for (size_t k = 0; k < t.count; k++) {
                memset(t.bar.point[k], 0, sizeof t.bar.point[k]);
                memset(t.bar.normal[k], 0, sizeof t.bar.normal[k]);
                t.bar.weight[k] = 0;
                t.bar.gap[k] = k < vertices ? 1.0 / (double)vertices : 0;
            }
            const ts_manifold_pose pose = {{i == 2 ? 0.7 : 0, 0, 0.8}, {i ? sqrt(0.5) : 1, 0, 0, i ? sqrt(0.5) : 0}};
            ts_manifold_pose_bar to[2] = {{{0}, {0}}, {{0}, {0}}};
            OK(ts_manifold_find(t.manifold, t.work, &still, &pose, &t.contacts, ERROR));
            OK(ts_manifold_find_vjp(t.manifold, t.work, NULL, &t.bar, &to[0], &to[1], ERROR));
            for (int k = 0; k < 6; k++) {
                double x[6] = {0}, side[2];
                const double step = 1e-6, middle = product(&t, &still, &pose);
                for (int s = 0; s < 2; s++) {
                    x[k] = s ? step : -step;
                    const ts_manifold_pose near = moved(&pose, x);
                    side[s] = (product(&t, &still, &near) - middle) / x[k];
                }
                const double bar = k < 3 ? to[1].position[k] : to[1].turn[k - 3];
                const double loose = fabs(side[0] - side[1]) < 1e-5 ? 1e-5 : 1e-3; /* no convex function */
                assert_true(bar >= fmin(side[0], side[1]) - loose && bar <= fmax(side[0], side[1]) + loose);
            }
            done(&t);
        }
    ts_sdf_body_free(box);
}

/* ---- Pieces that vary ---- */

enum { PIECES = 4, NUMBERS = 11 };

typedef struct piece_set {
    size_t count;
    ts_manifold_piece piece[PIECES];
} piece_set;

static piece_set pieces_of(const ts_sdf_body *body)
{
    piece_set set = {.count = ts_sdf_count(body->sdf)};
    ts_manifold_get_pieces(body, set.piece);
    return set;
}

/* All numbers by `way` (11 for each piece) times `step`. */
static piece_set changed(piece_set set, const double *way, double step)
{
    for (size_t i = 0; i < set.count; i++, way += NUMBERS) {
        ts_manifold_piece *p = &set.piece[i];
        for (int k = 0; k < 3; k++) {
            p->size[k] += step * way[k];
            p->position[k] += step * way[5 + k];
        }
        for (int k = 0; k < 2; k++)
            p->exponents[k] += step * way[3 + k];
        const double *q = p->attitude;
        const ts_vec3 turn = {step * way[8], step * way[9], step * way[10]};
        const ts_quat to = ts_quat_mul(ts_quat_exp(turn), (ts_quat){q[0], q[1], q[2], q[3]});
        p->attitude[0] = to.w, p->attitude[1] = to.x, p->attitude[2] = to.y, p->attitude[3] = to.z;
    }
    return set;
}

/* Both sets of pieces are changed along a random way, or by one number alone; so is the derivative. */
static void check_pieces(trial *t, const piece_set at[2], const ts_manifold_pose *a, const ts_manifold_pose *b,
                         double step, double tolerance)
{
    double adjoint[2 * PIECES * NUMBERS], size = 1;
    ts_manifold_pose_bar to[2] = {{{0}, {0}}, {{0}, {0}}};
    ts_manifold_piece_bar bar[2][PIECES];
    memset(bar, 0, sizeof bar);
    for (int s = 0; s < 2; s++)
        OK(ts_manifold_set_pieces(t->manifold, t->work, s, at[s].piece, ERROR));
    OK(ts_manifold_find(t->manifold, t->work, a, b, &t->contacts, ERROR));
    OK(ts_manifold_find_vjp_pieces(t->manifold, t->work, NULL, &t->bar, &to[0], &to[1], bar[0], bar[1], ERROR));
    const size_t count[2] = {at[0].count * NUMBERS, at[1].count * NUMBERS}, all = count[0] + count[1];
    memcpy(adjoint, bar[0], count[0] * sizeof(double));
    memcpy(adjoint + count[0], bar[1], count[1] * sizeof(double));
    for (size_t k = 0; k < all; k++)
        size = fmax(size, fabs(adjoint[k]));
    for (size_t k = 0; k <= all; k++) {
        double way[2 * PIECES * NUMBERS], expected = 0, found = 0;
        for (size_t d = 0; d < all; d++) {
            way[d] = k == all ? number(8, d) : d == k;
            expected += adjoint[d] * way[d];
        }
        for (int side = -1; side <= 1; side += 2) {
            for (int s = 0; s < 2; s++) {
                const piece_set set = changed(at[s], way + (s ? count[0] : 0), side * step);
                OK(ts_manifold_set_pieces(t->manifold, t->work, s, set.piece, ERROR));
            }
            found += side * product(t, a, b) / (2 * step);
        }
        NEAR(found, expected, tolerance * size);
    }
    for (int s = 0; s < 2; s++)
        OK(ts_manifold_set_pieces(t->manifold, t->work, s, NULL, ERROR));
}

/* All three families, one of them subtracted, with a mesh of their zero set. */
static ts_sdf_body *mixed_body(void)
{
    const ts_vec3 normal[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    ts_vec3 plane[6], direction[80], point[80];
    for (int i = 0; i < 6; i++)
        plane[i] = ts_vec3_scale(normal[i], 0.3);
    for (int i = 0; i < 80; i++) {
        const double z = 1 - (2.0 * i + 1) / 80, r = sqrt(1 - z * z), angle = 2.399963229728653 * i;
        direction[i] = (ts_vec3){r * cos(angle), r * sin(angle), z};
        point[i] = ts_vec3_scale(direction[i], 0.3);
    }
    ts_primitive part[PIECES] = {{.kind = TS_PRIMITIVE_SUPERQUADRIC, .size = {0.5, 0.3, 0.25}, .exponent = {0.8, 0.6}},
                                 {.kind = TS_PRIMITIVE_POLYHEDRON, .point = plane, .normal = (ts_vec3 *)normal},
                                 {.kind = TS_PRIMITIVE_CLOUD, .point = point, .normal = direction},
                                 {.kind = TS_PRIMITIVE_SUPERQUADRIC, .size = {0.2, 0.2, 0.3}, .exponent = {1, 1.2}}};
    const ts_vec3 at[PIECES] = {{0, 0, 0}, {0.3, 0.1, 0.1}, {-0.3, 0.2, 0}, {0, 0.3, 0.1}};
    part[1].count = 6;
    part[2].count = 80;
    part[3].subtract = true;
    for (int i = 0; i < PIECES; i++)
        part[i].pose = (ts_pose3){at[i], ts_quat_exp((ts_vec3){0.1 * i, 0.2, -0.15 * i})};
    ts_sdf *sdf = NULL;
    ts_mesh *mesh = NULL;
    ts_sdf_body *body = NULL;
    OK(ts_sdf_create(part, PIECES, &sdf, ERROR));
    const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    OK(ts_sdf_mesh(sdf, &rule, &(ts_sdf_mesh_wish){.vertices = 120}, &mesh, ERROR));
    OK(ts_sdf_body_create(sdf, mesh, &body, ERROR));
    return body;
}

static void varied_pieces(void **state)
{
    (void)state;
    ts_sdf_body *blob = ts_test_blob(1), *one = ts_test_superquadric((ts_vec3){0.4, 0.5, 0.3}, 0.4, 0.7, 3),
                *mixed = mixed_body();
    for (int kind = 0; kind < 6; kind++) {
        ts_manifold_options options = options_of(0.1);
        const ts_sdf_body *body[2] = {kind < 4 ? blob : mixed, one};
        options.keep_edges[0] = 6;
        options.published = kind == 1;
        options.keep_vertices[0] = kind == 2 ? 12 : 0;
        options.settle = kind == 3 ? 0 : 2;
        options.safeguard = kind == 5;
        options.project = kind == 5;
        options.hard = kind == 3;
        trial t = open(body[0], body[1], &options);
        const ts_manifold_pose p = random_pose(30, 0), q = random_pose(130, 0.55);
        double way[PIECES * NUMBERS];
        for (uint64_t k = 0; k < PIECES * NUMBERS; k++)
            way[k] = number(9, k);
        const piece_set made[2] = {pieces_of(body[0]), pieces_of(body[1])},
                        set[2] = {changed(made[0], way, 0.01), changed(made[1], way, 0.02)};
        check_pieces(&t, made, &p, &q, 1e-6, 4e-6);
        check_pieces(&t, set, &p, &q, 1e-6, 4e-6);
        done(&t);
    }
    ts_sdf_body_free(blob);
    ts_sdf_body_free(one);
    ts_sdf_body_free(mixed);
}

/* A superquadric whose half axes and pose are set is that superquadric, mesh and all; with other exponents its vertices come
 * to its surface. */
static void set_pieces_are_bodies(void **state)
{
    (void)state;
    ts_sdf_body *one = ts_test_superquadric((ts_vec3){0.4, 0.5, 0.3}, 0.4, 0.7, 3),
                *other = ts_test_superquadric((ts_vec3){0.5, 0.4, 0.35}, 0.4, 0.7, 3);
    ts_manifold_options options = ts_manifold_default_options();
    options.settle = 0;
    trial t = open(one, one, &options), u = open(other, other, &options);
    const ts_manifold_pose p = random_pose(40, 0), q = random_pose(41, 0.6);
    const piece_set set = pieces_of(other);
    for (int s = 0; s < 2; s++)
        OK(ts_manifold_set_pieces(t.manifold, t.work, s, set.piece, ERROR));
    OK(ts_manifold_find(t.manifold, t.work, &p, &q, &t.contacts, ERROR));
    OK(ts_manifold_find(u.manifold, u.work, &p, &q, &u.contacts, ERROR));
    const size_t vertices = 2 * one->mesh->vertex_count;
    for (size_t i = 0; i < vertices;
         i++) { /* smoothing is that of bodies as made; vertices of one piece do not need it */
        NEAR(t.contacts.gap[i], u.contacts.gap[i], 1e-12);
        for (int k = 0; k < 3; k++)
            NEAR(t.contacts.point[i][k], u.contacts.point[i][k], 1e-12);
    }
    done(&u);
    done(&t);
    options.settle = 8;
    t = open(one, one, &options);
    piece_set round = pieces_of(one);
    round.piece[0].exponents[0] = round.piece[0].exponents[1] = 1;
    OK(ts_manifold_set_pieces(t.manifold, t.work, 0, round.piece, ERROR));
    OK(ts_manifold_find(t.manifold, t.work, &still, &q, &t.contacts, ERROR));
    for (size_t i = 0; i < one->mesh->vertex_count; i++) {
        const double *v = t.contacts.point[i];
        NEAR(sqrt(v[0] * v[0] / 0.16 + v[1] * v[1] / 0.25 + v[2] * v[2] / 0.09), 1, 1e-4);
    }
    ts_error error;
    round.piece[0].exponents[0] = 2;
    assert_int_equal(ts_manifold_set_pieces(t.manifold, t.work, 0, round.piece, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "exponent 1"));
    assert_int_equal(ts_manifold_set_pieces(t.manifold, t.work, 2, NULL, &error), TS_BAD_INPUT);
    OK(ts_manifold_set_pieces(t.manifold, t.work, 0, NULL, ERROR));
    OK(ts_manifold_find(t.manifold, t.work, &still, &q, &t.contacts, ERROR));
    ts_manifold_pose_bar to = {{0}, {0}};
    ts_manifold_piece_bar bar[1];
    assert_int_equal(ts_manifold_find_vjp_pieces(t.manifold, t.work, NULL, &t.bar, &to, &to, bar, NULL, &error),
                     TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "ts_manifold_set_pieces"));
    done(&t);
    ts_sdf_body_free(one);
    ts_sdf_body_free(other);
}

/* The derivative may be smoother than the contacts: it is that of contacts found with its smoothing. */
static void another_smoothing(void **state)
{
    (void)state;
    ts_sdf_body *a = ts_test_blob(1);
    ts_manifold_options sharp = options_of(0.01), soft = options_of(0.1);
    trial s = open(a, a, &sharp), t = open(a, a, &soft);
    const ts_manifold_pose p = random_pose(3, 0), q = random_pose(4, 0.6);
    OK(ts_manifold_find(s.manifold, s.work, &p, &q, &s.contacts, ERROR));
    OK(ts_manifold_find(t.manifold, t.work, &p, &q, &t.contacts, ERROR));
    ts_manifold_pose_bar one[2] = {{{0}, {0}}, {{0}, {0}}}, other[2] = {{{0}, {0}}, {{0}, {0}}};
    OK(ts_manifold_find_vjp(s.manifold, s.work, &soft.smoothing, &s.bar, &one[0], &one[1], ERROR));
    OK(ts_manifold_find_vjp(t.manifold, t.work, NULL, &t.bar, &other[0], &other[1], ERROR));
    assert_memory_equal(one, other, sizeof one);
    /* and as it was found again, with nothing left of the other */
    ts_manifold_pose_bar again[2] = {{{0}, {0}}, {{0}, {0}}}, first[2] = {{{0}, {0}}, {{0}, {0}}};
    OK(ts_manifold_find_vjp(s.manifold, s.work, NULL, &s.bar, &again[0], &again[1], ERROR));
    OK(ts_manifold_find(s.manifold, s.work, &p, &q, &s.contacts, ERROR));
    OK(ts_manifold_find_vjp(s.manifold, s.work, NULL, &s.bar, &first[0], &first[1], ERROR));
    assert_memory_equal(again, first, sizeof again);
    done(&s);
    done(&t);
    ts_sdf_body_free(a);
}

/* exp and log of poses. */
static void poses_as_vectors(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 30; i++) {
        double s[6], back[6], bar[6], s_bar[6];
        for (size_t k = 0; k < 6; k++)
            s[k] = number(20, 6 * i + k) * (i % 3 == 0 ? 1e-4 : 1);
        const double t = sqrt(s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
        for (int k = 3; k < 6 && t > 3; k++)
            s[k] *= 3 / t;
        const ts_manifold_pose pose = ts_manifold_pose_exp(s);
        ts_manifold_pose_log(&pose, back);
        for (int k = 0; k < 6; k++)
            NEAR(back[k], s[k], 1e-12);
        for (size_t k = 0; k < 6; k++)
            bar[k] = number(21, 6 * i + k);
        ts_manifold_pose_bar pose_bar;
        memcpy(&pose_bar, bar, sizeof bar);
        ts_manifold_pose_exp_vjp(s, &pose_bar, s_bar);
        for (int k = 0; k < 6; k++) {
            const double h = 1e-5;
            double x[6], sum = 0;
            ts_manifold_pose at[2];
            for (int side = 0; side < 2; side++) {
                memcpy(x, s, sizeof x);
                x[k] += side ? h : -h;
                at[side] = ts_manifold_pose_exp(x);
            }
            const double *u = at[0].attitude, *v = at[1].attitude;
            const ts_vec3 turn = ts_quat_log(
                ts_quat_mul((ts_quat){v[0], v[1], v[2], v[3]}, ts_quat_conjugate((ts_quat){u[0], u[1], u[2], u[3]})));
            for (int d = 0; d < 3; d++)
                sum += bar[d] * (at[1].position[d] - at[0].position[d]);
            sum += bar[3] * turn.x + bar[4] * turn.y + bar[5] * turn.z;
            NEAR(sum / (2 * h), s_bar[k], 1e-8);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_poses),          cmocka_unit_test(degenerate_poses),
                                       cmocka_unit_test(ties_of_the_choice),    cmocka_unit_test(varied_pieces),
                                       cmocka_unit_test(set_pieces_are_bodies), cmocka_unit_test(another_smoothing),
                                       cmocka_unit_test(poses_as_vectors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
