/* SPDX-License-Identifier: MIT */
#include "pile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

double pile_slow(const pile_scene *scene)
{
    return 2 * scene->pull * scene->step;
}

void pile_touch(pile_contacts *contacts, double depth)
{
    contacts->count++;
    contacts->sum += depth;
    contacts->deepest = fmax(contacts->deepest, depth);
}

/* ---- Reading ---- */

static double length_of(const double *value, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += value[k] * value[k];
    return sqrt(sum);
}

static int read_kind(FILE *file, pile_scene *s)
{
    char word[16];
    if (fscanf(file, "%15s", word) != 1)
        return 0;
    s->kind = strcmp(word, "boxes") == 0 ? PILE_BOXES : strcmp(word, "hulls") == 0 ? PILE_HULLS : PILE_SPHERES;
    return s->kind != PILE_SPHERES || strcmp(word, "spheres") == 0;
}

static int read_count(FILE *file, int least, int *count)
{
    return peer_read_whole(file, count, 1) && *count >= least && *count <= 100000000;
}

static int read_hull(FILE *file, pile_hull *h)
{
    return peer_read_whole(file, &h->corner_count, 1) && h->corner_count >= 4 && h->corner_count <= PILE_CORNERS_MAX &&
           peer_read_numbers(file, &h->corner[0][0], 3 * h->corner_count);
}

/* Unit normal (b - a) × (c - a), and its offset. */
static int make_plane(const double *a, const double *b, const double *c, double plane[4])
{
    double u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
    }
    for (int k = 0; k < 3; k++)
        plane[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    double length = length_of(plane, 3);
    plane[3] = 0;
    for (int k = 0; k < 3; k++) {
        plane[k] /= length;
        plane[3] += plane[k] * a[k];
    }
    return plane[3] > 0 && isfinite(plane[3]);
}

static int read_faces(FILE *file, pile_hull *h)
{
    int at = 0;
    if (!peer_read_whole(file, &h->face_count, 1) || h->face_count < 4 || h->face_count > PILE_FACES_MAX)
        return 0;
    for (int f = 0; f < h->face_count; f++) {
        int count, corner[PILE_CORNERS_MAX];
        if (!peer_read_whole(file, &count, 1) || count < 3 || count > h->corner_count ||
            at + 1 + count > PILE_NUMBERS_MAX || !peer_read_whole(file, corner, count))
            return 0;
        h->polygon[at++] = (unsigned)count;
        for (int k = 0; k < count; k++) {
            if (corner[k] < 0 || corner[k] >= h->corner_count)
                return 0;
            h->polygon[at++] = (unsigned)corner[k];
        }
        if (!make_plane(h->corner[corner[0]], h->corner[corner[1]], h->corner[corner[2]], h->plane[f]))
            return 0;
    }
    return 1;
}

/* Largest ball about the centre of mass [m]; 0: there is no hull. */
static double inner_radius(const pile_hull *h)
{
    double least = h->face_count > 0 ? h->plane[0][3] : 0;
    for (int f = 1; f < h->face_count; f++)
        least = fmin(least, h->plane[f][3]);
    return least;
}

static int read_planes(FILE *file, pile_scene *s)
{
    if (s->plane || !read_count(file, 0, &s->plane_count))
        return 0;
    s->plane = calloc((size_t)s->plane_count + 1, sizeof *s->plane);
    int fine = s->plane != NULL;
    for (int i = 0; fine && i < s->plane_count; i++)
        fine = peer_read_numbers(file, s->plane[i].normal, 3) && peer_read_numbers(file, &s->plane[i].offset, 1) &&
               fabs(length_of(s->plane[i].normal, 3) - 1) < 1e-6;
    return fine;
}

static int read_body(FILE *file, pile_scene *s, pile_body *b)
{
    if (s->kind == PILE_HULLS)
        b->half[0] = inner_radius(&s->hull);
    else if (!peer_read_numbers(file, b->half, s->kind == PILE_BOXES ? 3 : 1))
        return 0;
    if (s->kind != PILE_BOXES)
        b->half[1] = b->half[2] = b->half[0];
    double least = fmin(b->half[0], fmin(b->half[1], b->half[2]));
    s->size = s->size > 0 ? fmin(s->size, least) : least;
    return peer_read_numbers(file, &b->mass, 1) && peer_read_numbers(file, b->place, 3) &&
           peer_read_numbers(file, b->quat, 4) && peer_read_numbers(file, b->velocity, 3) &&
           peer_read_numbers(file, b->spin, 3) && least > 0 && b->mass > 0 && fabs(length_of(b->quat, 4) - 1) < 1e-6;
}

static int read_bodies(FILE *file, pile_scene *s)
{
    if (!read_count(file, 1, &s->body_count))
        return 0;
    s->body = calloc((size_t)s->body_count, sizeof *s->body);
    int fine = s->body != NULL;
    for (int i = 0; fine && i < s->body_count; i++)
        fine = read_body(file, s, &s->body[i]);
    return fine;
}

static int read_word(FILE *file, const char *word, pile_scene *s)
{
    const peer_number numbers[] = {
        {"step", &s->step},
        {"restitution", &s->restitution},
        {"friction", &s->friction},
    };
    int named = peer_read_named(file, word, numbers, sizeof numbers / sizeof *numbers);
    if (named >= 0)
        return named;
    if (strcmp(word, "kind") == 0)
        return read_kind(file, s);
    if (strcmp(word, "gravity") == 0)
        return peer_read_numbers(file, s->gravity, 3);
    if (strcmp(word, "steps") == 0)
        return read_count(file, 1, &s->step_count);
    if (strcmp(word, "every") == 0)
        return read_count(file, 1, &s->every);
    if (strcmp(word, "iterations") == 0)
        return read_count(file, 1, &s->iterations);
    if (strcmp(word, "planes") == 0)
        return read_planes(file, s);
    if (strcmp(word, "hull") == 0)
        return read_hull(file, &s->hull);
    if (strcmp(word, "faces") == 0)
        return read_faces(file, &s->hull);
    if (strcmp(word, "inertia") == 0)
        return peer_read_numbers(file, s->hull.inertia, 3);
    return strcmp(word, "bodies") == 0 && read_bodies(file, s);
}

static int read_scene(const char *path, pile_scene *s)
{
    FILE *file = peer_open(path);
    if (!file)
        return 0;
    char word[32] = "";
    int fine = 1;
    while (fine && !s->body && fscanf(file, "%31s", word) == 1)
        fine = read_word(file, word, s);
    peer_close(file);
    s->pull = length_of(s->gravity, 3);
    if (!fine) {
        fprintf(stderr, "%s: what stands at \"%s\" cannot be read\n", path, word);
        return 0;
    }
    if (!(s->step > 0 && s->restitution >= 0 && s->friction >= 0) || s->step_count < 1 || s->every < 1 ||
        s->iterations < 1 || s->body_count < 1 || (s->kind == PILE_HULLS && !(s->hull.inertia[0] > 0))) {
        fprintf(stderr, "%s: something is missing, or not positive\n", path);
        return 0;
    }
    return 1;
}

/* ---- Energies ---- */

/* World to body: the spin about its own axes. */
static void turn_back(const double q[4], const double v[3], double out[3])
{
    /* v + 2 u × (u × v - w v) with u the quaternion's vector: R(q)ᵀ v */
    const double *u = q + 1, w = q[0];
    double c[3] = {u[1] * v[2] - u[2] * v[1] - w * v[0], u[2] * v[0] - u[0] * v[2] - w * v[1],
                   u[0] * v[1] - u[1] * v[0] - w * v[2]};
    for (int k = 0; k < 3; k++)
        out[k] = v[k] + 2 * (u[(k + 1) % 3] * c[(k + 2) % 3] - u[(k + 2) % 3] * c[(k + 1) % 3]);
}

/* ½ m v² + ½ ω·I ω of a solid sphere, box or hull. */
static double kinetic_energy(const pile_scene *s, const pile_body *b)
{
    double spin[3], sum = 0;
    turn_back(b->quat, b->spin, spin);
    for (int k = 0; k < 3; k++) {
        double p = b->half[(k + 1) % 3], q = b->half[(k + 2) % 3];
        double inertia = s->kind == PILE_BOXES   ? (p * p + q * q) / 3
                         : s->kind == PILE_HULLS ? s->hull.inertia[k] / b->mass
                                                 : 0.4 * p * p;
        sum += 0.5 * b->mass * (b->velocity[k] * b->velocity[k] + inertia * spin[k] * spin[k]);
    }
    return sum;
}

static void print_row(const pile_scene *s, const pile_body *body, long steps, const pile_contacts *c)
{
    double kinetic = 0, potential = 0;
    for (int i = 0; i < s->body_count; i++) {
        kinetic += kinetic_energy(s, &body[i]);
        for (int k = 0; k < 3; k++)
            potential -= body[i].mass * s->gravity[k] * body[i].place[k];
    }
    printf("row %.12g %.17g %.17g %.9g %.9g %ld\n", (double)steps * s->step, kinetic, potential, c->deepest,
           c->count > 0 ? c->sum / (double)c->count : 0, c->count);
}

/* ---- Running ---- */

static void run(const pile_engine *engine, void *world, const pile_scene *s, pile_body *body, double *took)
{
    double total = 0, spread;
    print_row(s, body, 0, &(pile_contacts){0});
    for (int k = 0; k < s->step_count; k++) {
        double since = peer_seconds();
        engine->step(world, s);
        took[k] = peer_seconds() - since;
        total += took[k];
        if ((k + 1) % s->every != 0 && k + 1 < s->step_count)
            continue;
        pile_contacts contacts = {0};
        engine->contacts(world, &contacts);
        for (int i = 0; i < s->body_count; i++)
            engine->read(world, i, &body[i]);
        print_row(s, body, k + 1, &contacts);
    }
    double median = peer_median(took, s->step_count, &spread);
    printf("seconds %.9g\nspread %.9g\ntotal %.9g\n", median, spread, total);
}

static int write_motions(FILE *file, const pile_scene *s, const pile_body *body)
{
    for (int i = 0; i < s->body_count; i++) {
        const pile_body *b = &body[i];
        fprintf(file, "%.17g %.17g %.17g  %.17g %.17g %.17g %.17g  %.17g %.17g %.17g  %.17g %.17g %.17g\n", b->place[0],
                b->place[1], b->place[2], b->quat[0], b->quat[1], b->quat[2], b->quat[3], b->velocity[0],
                b->velocity[1], b->velocity[2], b->spin[0], b->spin[1], b->spin[2]);
    }
    return !ferror(file);
}

/* ---- Taking orders ---- */

typedef struct service {
    const pile_engine *engine;
    void *world;
    const pile_scene *scene;
    pile_body *body;
} service;

static void serve_pull(void *user, double angle)
{
    const service *v = user;
    v->engine->pull(v->world, (const double[3]){v->scene->pull * sin(angle), 0, -v->scene->pull * cos(angle)});
}

static void serve_step(void *user)
{
    const service *v = user;
    v->engine->step(v->world, v->scene);
}

static int serve_motions(void *user, FILE *file)
{
    const service *v = user;
    for (int i = 0; i < v->scene->body_count; i++)
        v->engine->read(v->world, i, &v->body[i]);
    return write_motions(file, v->scene, v->body);
}

/* Takes orders, or all steps of the scene. */
static int work(const service *v, const char *path, double *took)
{
    char version[64] = "";
    service mine = *v;
    v->engine->version(version, sizeof version);
    if (strcmp(path, "-") == 0)
        return peer_serve(&(peer_world){v->scene->step, &mine, serve_pull, serve_step, serve_motions}, version) == 0;
    printf("version %s\n", version);
    run(v->engine, v->world, v->scene, v->body, took);
    FILE *file = fopen(path, "w");
    if (!file)
        return 0;
    int fine = write_motions(file, v->scene, v->body);
    return fclose(file) == 0 && fine;
}

int pile_main(int argc, char **argv, const pile_engine *engine)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s SCENE MOTIONS\n", engine->name);
        return 2;
    }
    pile_scene scene = {0};
    pile_body *body = NULL;
    double *took = NULL;
    void *world = NULL;
    int fine = read_scene(argv[1], &scene);
    if (fine) {
        size_t count = (size_t)scene.body_count;
        world = engine->create(&scene);
        body = calloc(count, sizeof *body);
        took = calloc((size_t)scene.step_count, sizeof *took);
        fine = world && body && took;
        if (fine) {
            memcpy(body, scene.body, count * sizeof *body);
            fine = work(&(service){engine, world, &scene, body}, argv[2], took);
        }
        if (!fine)
            fprintf(stderr, "%s: out of memory, or %s cannot be written\n", engine->name, argv[2]);
    }
    if (world)
        engine->destroy(world);
    free(took);
    free(body);
    free(scene.plane);
    free(scene.body);
    return !fine;
}
