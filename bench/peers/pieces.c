/* SPDX-License-Identifier: MIT */
#include "pieces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

#define COUNT_MAX 1000000

static int read_head(FILE *file, const char *word, int *count, int numbers)
{
    char found[32];
    if (fscanf(file, "%31s", found) != 1 || strcmp(found, word) != 0 || !peer_read_whole(file, count, numbers))
        return 0;
    for (int i = 0; i < numbers; i++)
        if (count[i] < 1 || count[i] > COUNT_MAX)
            return 0;
    return 1;
}

/* So many numbers in memory of their own; NULL when they are not there. */
static double *read_list(FILE *file, int count)
{
    double *list = malloc((size_t)count * sizeof *list);
    if (list && !peer_read_numbers(file, list, count)) {
        free(list);
        return NULL;
    }
    return list;
}

static int read_pieces(FILE *file, pieces_scene *s)
{
    if (!read_head(file, "pieces", &s->piece_count, 1))
        return 0;
    s->piece = calloc((size_t)s->piece_count, sizeof *s->piece);
    for (int i = 0; s->piece && i < s->piece_count; i++) {
        pieces_hull *p = &s->piece[i];
        if (!peer_read_whole(file, &p->count, 1) || p->count < 4 || p->count > COUNT_MAX)
            return 0;
        p->corner = read_list(file, 3 * p->count);
        if (!p->corner)
            return 0;
    }
    return s->piece != NULL;
}

static int read_mesh(FILE *file, pieces_scene *s)
{
    int count[2];
    if (!read_head(file, "mesh", count, 2))
        return 0;
    s->vertex_count = count[0];
    s->triangle_count = count[1];
    s->vertex = read_list(file, 3 * count[0]);
    s->triangle = malloc(3 * (size_t)count[1] * sizeof *s->triangle);
    if (!s->vertex || !s->triangle || !peer_read_whole(file, s->triangle, 3 * count[1]))
        return 0;
    for (int i = 0; i < 3 * count[1]; i++)
        if (s->triangle[i] < 0 || s->triangle[i] >= count[0])
            return 0;
    return 1;
}

static int read_poses(FILE *file, pieces_scene *s)
{
    if (!read_head(file, "poses", &s->pose_count, 1))
        return 0;
    s->pose = calloc(2 * (size_t)s->pose_count, sizeof *s->pose);
    for (int i = 0; s->pose && i < 2 * s->pose_count; i++)
        if (!peer_read_numbers(file, s->pose[i].place, 3) || !peer_read_numbers(file, s->pose[i].quat, 4))
            return 0;
    return s->pose != NULL;
}

static void release(pieces_scene *s)
{
    for (int i = 0; s->piece && i < s->piece_count; i++)
        free(s->piece[i].corner);
    free(s->piece);
    free(s->vertex);
    free(s->triangle);
    free(s->pose);
}

static int serve(const pieces_engine *engine, void *world, const pieces_scene *s)
{
    char word[32], version[64] = "";
    engine->version(version, sizeof version);
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("version %s\n", version);
    while (fscanf(stdin, "%31s", word) == 1) {
        if (strcmp(word, "pass") != 0)
            return 0;
        long found = 0;
        double since = peer_seconds();
        for (int i = 0; i < s->pose_count; i++)
            found += engine->contacts(world, &s->pose[2 * i], &s->pose[2 * i + 1]);
        double took = peer_seconds() - since;
        printf("took %.9g %.9g\n", took / s->pose_count, (double)found / s->pose_count);
    }
    return 1;
}

int pieces_main(int argc, char **argv, const pieces_engine *engine)
{
    if (argc != 3 || strcmp(argv[2], "-") != 0) {
        fprintf(stderr, "usage: %s SCENE -\n", engine->name);
        return 2;
    }
    pieces_scene scene = {0};
    FILE *file = peer_open(argv[1]);
    int fine = file && read_pieces(file, &scene) && read_mesh(file, &scene) && read_poses(file, &scene);
    if (file)
        peer_close(file);
    void *world = fine ? engine->create(&scene) : NULL;
    if (!world)
        fprintf(stderr, "%s: the scene cannot be read, or not be built\n", argv[1]);
    fine = world && serve(engine, world, &scene);
    if (world)
        engine->destroy(world);
    release(&scene);
    return !fine;
}
