/* SPDX-License-Identifier: MIT */
/* A peer for contacts of two bodies: MuJoCo, a simulator for robotics. pieces.h says what is read and printed.
 *
 * Each body is free and has its pieces as mesh geoms. What is timed is all that a step does to find contacts at given
 * coordinates: the poses of all geoms (mj_kinematics) and mj_collision with its own broad phase. */
#include <mujoco/mujoco.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pieces.h"

typedef struct world {
    mjModel *model;
    mjData *data;
} world;

static void version(char *text, size_t size)
{
    const int v = mj_version();
    snprintf(text, size, "%d.%d.%d", v / 100, v / 10 % 10, v % 10);
}

static void write_assets(FILE *f, const pieces_scene *s)
{
    fprintf(f, "<asset>\n");
    for (int i = 0; i < s->piece_count; i++) {
        fprintf(f, "<mesh name=\"m%d\" vertex=\"", i);
        for (int k = 0; k < 3 * s->piece[i].count; k++)
            fprintf(f, "%.9g ", s->piece[i].corner[k]);
        fprintf(f, "\"/>\n");
    }
    fprintf(f, "</asset>\n");
}

static int write_model(const char *path, const pieces_scene *s)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return 0;
    fprintf(f, "<mujoco>\n<size nconmax=\"2000\" njmax=\"8000\"/>\n");
    write_assets(f, s);
    fprintf(f, "<worldbody>\n");
    for (int body = 0; body < 2; body++) {
        fprintf(f, "<body><freejoint/>\n");
        for (int i = 0; i < s->piece_count; i++)
            fprintf(f, "<geom type=\"mesh\" mesh=\"m%d\"/>\n", i);
        fprintf(f, "</body>\n");
    }
    fprintf(f, "</worldbody>\n</mujoco>\n");
    return fclose(f) == 0;
}

static void destroy(void *user)
{
    world *w = user;
    if (w->data)
        mj_deleteData(w->data);
    if (w->model)
        mj_deleteModel(w->model);
    free(w);
}

static void *create(const pieces_scene *scene)
{
    char path[] = "/tmp/touchstone-mujoco-XXXXXX", message[1000] = "";
    world *w = calloc(1, sizeof *w);
    const int file = mkstemp(path);
    if (file >= 0)
        close(file);
    if (w && file >= 0 && write_model(path, scene))
        w->model = mj_loadXML(path, NULL, message, sizeof message);
    if (file >= 0)
        unlink(path);
    if (w && w->model)
        w->data = mj_makeData(w->model);
    if (w && w->data)
        return w;
    fprintf(stderr, "%s\n", message);
    if (w)
        destroy(w);
    return NULL;
}

static int contacts(void *user, const pieces_pose *a, const pieces_pose *b)
{
    world *w = user;
    memcpy(w->data->qpos, a, 7 * sizeof(double));
    memcpy(w->data->qpos + 7, b, 7 * sizeof(double));
    mj_kinematics(w->model, w->data);
    mj_collision(w->model, w->data);
    return w->data->ncon;
}

int main(int argc, char **argv)
{
    static const pieces_engine engine = {"mujoco_pieces", version, create, contacts, destroy};
    return pieces_main(argc, argv, &engine);
}
