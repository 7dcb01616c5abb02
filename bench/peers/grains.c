/* SPDX-License-Identifier: MIT */
#include "grains.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

#define WINDOWS_MAX 1000
#define CHECK       0.25 /* simulated time between looks at how much grains move [s] */

/* ---- Reading ---- */

static int read_piece(FILE *file, peer_scene *s)
{
    if (s->piece_count == PEER_PIECES_MAX)
        return 0;
    peer_piece *piece = &s->piece[s->piece_count++];
    return peer_read_whole(file, &piece->count, 1) && piece->count >= 3 && piece->count <= PEER_CORNERS_MAX &&
           peer_read_numbers(file, &piece->point[0][0], 2 * piece->count);
}

static int read_grains(FILE *file, peer_scene *s)
{
    if (!peer_read_whole(file, &s->grain_count, 1) || s->grain_count < 1 || s->grain_count > 100000000)
        return 0;
    s->grain = calloc((size_t)s->grain_count, sizeof *s->grain);
    for (int i = 0; s->grain && i < s->grain_count; i++) {
        if (!peer_read_numbers(file, &s->grain[i].x, 1) || !peer_read_numbers(file, &s->grain[i].y, 1) ||
            !peer_read_numbers(file, &s->grain[i].angle, 1))
            return 0;
        s->height = fmax(s->height, s->grain[i].y + s->radius);
    }
    return s->grain != NULL;
}

static int read_word(FILE *file, const char *word, peer_scene *s)
{
    const peer_number numbers[] = {
        {"mass", &s->mass},
        {"inertia", &s->inertia},
        {"radius", &s->radius},
        {"width", &s->width},
        {"gravity", &s->gravity},
        {"tilt", &s->tilt},
        {"turn", &s->turn},
        {"friction", &s->friction},
        {"slop", &s->slop},
        {"step", &s->step},
        {"rest", &s->rest},
        {"most", &s->most},
        {"restitution", &s->restitution},
        {"disc", &s->disc},
        {"discrete", &s->discrete},
    };
    int named = peer_read_named(file, word, numbers, sizeof numbers / sizeof *numbers);
    if (named >= 0)
        return named;
    if (strcmp(word, "iterations") == 0)
        return peer_read_whole(file, s->iterations, 2);
    if (strcmp(word, "windows") == 0)
        return peer_read_whole(file, &s->window_count, 1) && peer_read_whole(file, &s->window_size, 1);
    if (strcmp(word, "piece") == 0)
        return read_piece(file, s);
    return strcmp(word, "grains") == 0 && read_grains(file, s);
}

static int read_scene(const char *path, peer_scene *s)
{
    FILE *file = peer_open(path);
    if (!file)
        return 0;
    char word[32] = "";
    int fine = 1;
    while (fine && s->grain_count == 0 && fscanf(file, "%31s", word) == 1)
        fine = read_word(file, word, s);
    peer_close(file);
    if (!fine)
        fprintf(stderr, "%s: what stands at \"%s\" cannot be read\n", path, word);
    else if (!(s->mass > 0 && s->inertia > 0 && s->radius > 0 && s->width > 0 && s->gravity > 0 && s->step > 0) ||
             s->iterations[0] < 1 || s->window_count < 1 || s->window_count > WINDOWS_MAX || s->window_size < 1 ||
             (s->piece_count < 1) != (s->disc > 0) || s->grain_count < 1)
        fine = !fprintf(stderr, "%s: something is missing, or not positive\n", path);
    return fine;
}

/* ---- Running ---- */

/* Kinetic energy over Σ m g r. */
static double unrest(const peer_scene *s, const peer_motion *grain)
{
    double sum = 0;
    for (int i = 0; i < s->grain_count; i++)
        sum += 0.5 * (grain[i].vx * grain[i].vx + grain[i].vy * grain[i].vy) +
               0.5 * s->inertia / s->mass * grain[i].spin * grain[i].spin;
    return sum / (s->grain_count * s->gravity * s->radius);
}

static void pull(const peer_engine *engine, void *world, const peer_scene *s, double angle)
{
    engine->pull(world, s->gravity * sin(angle), -s->gravity * cos(angle));
}

/* One step, the k-th; gravity as it is in its middle. */
static void step(const peer_engine *engine, void *world, const peer_scene *s, long k)
{
    double angle = s->tilt + s->turn * ((double)k + 0.5) * s->step;
    if (angle != 0)
        pull(engine, world, s, angle);
    engine->step(world, s);
}

static void run(const peer_engine *engine, void *world, const peer_scene *s, peer_motion *grain)
{
    /* at rest: twice in a row, since everything stands still for a moment when a bounce turns */
    long steps = 0, between = (long)ceil(CHECK / s->step);
    int calm = 0;
    double begin = peer_seconds(), moving = 0;
    while (calm < 2 && (double)steps * s->step < s->most) {
        for (long i = 0; i < between; i++)
            step(engine, world, s, steps++);
        engine->read(world, s, grain);
        moving = unrest(s, grain);
        calm = moving < s->rest ? calm + 1 : 0;
    }
    printf("at-rest %d\nsteps %ld\ntime %.9g\nsettling %.9g\n", calm >= 2, steps, (double)steps * s->step,
           peer_seconds() - begin);

    double window[WINDOWS_MAX];
    int n = s->window_count;
    for (int w = 0; w < n; w++) {
        double since = peer_seconds();
        for (int i = 0; i < s->window_size; i++)
            step(engine, world, s, steps++);
        window[w] = (peer_seconds() - since) / s->window_size;
    }
    engine->read(world, s, grain);
    double spread, median = peer_median(window, n, &spread);
    printf("unrest %.9g\nseconds %.9g\nspread %.9g\n", unrest(s, grain), median, spread);
}

static int write_poses(const char *path, const peer_scene *s, const peer_motion *grain)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return 0;
    for (int i = 0; i < s->grain_count; i++)
        fprintf(file, "%.17g %.17g %.17g\n", grain[i].x, grain[i].y, grain[i].angle);
    int fine = !ferror(file);
    return fclose(file) == 0 && fine;
}

/* ---- Taking orders ---- */

typedef struct service {
    const peer_engine *engine;
    void *world;
    const peer_scene *scene;
    peer_motion *grain;
} service;

static void serve_pull(void *user, double angle)
{
    const service *v = user;
    pull(v->engine, v->world, v->scene, angle);
}

static void serve_step(void *user)
{
    const service *v = user;
    v->engine->step(v->world, v->scene);
}

static int serve_motions(void *user, FILE *file)
{
    const service *v = user;
    v->engine->read(v->world, v->scene, v->grain);
    for (int i = 0; i < v->scene->grain_count; i++) {
        const peer_motion *g = &v->grain[i];
        fprintf(file, "%.17g %.17g %.17g %.17g %.17g %.17g\n", g->x, g->y, g->angle, g->vx, g->vy, g->spin);
    }
    return 1;
}

int peer_main(int argc, char **argv, const peer_engine *engine)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s SCENE POSES\n", engine->name);
        return 2;
    }
    peer_scene scene = {0};
    if (!read_scene(argv[1], &scene))
        return 1;
    void *world = engine->create(&scene);
    peer_motion *grain = calloc((size_t)scene.grain_count, sizeof *grain);
    int fine = world && grain;
    if (fine) {
        char version[64] = "";
        engine->version(version, sizeof version);
        if (strcmp(argv[2], "-") == 0) {
            service v = {engine, world, &scene, grain};
            fine = peer_serve(&(peer_world){scene.step, &v, serve_pull, serve_step, serve_motions}, version) == 0;
        } else {
            printf("version %s\n", version);
            run(engine, world, &scene, grain);
            fine = write_poses(argv[2], &scene, grain);
        }
    }
    if (!fine)
        fprintf(stderr, "%s: out of memory, or %s cannot be written\n", engine->name, argv[2]);
    if (world)
        engine->destroy(world);
    free(grain);
    free(scene.grain);
    return !fine;
}
