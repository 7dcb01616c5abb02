/* SPDX-License-Identifier: MIT */
/* A peer of `touchstone bench grains`: Chipmunk2D, a library for games. grains.h says what is read and printed.
 *
 * Two shapes rub with the product of their frictions, hence the root. Overlaps below `slop` are left alone: 0.1 is its
 * own choice, meant for pixels. It has iterations of one kind, which are those for velocities. One thread: cpHastySpace
 * could use more, but is another solver. Pairs are found with its tree of boxes, which is what it does unless told
 * otherwise. Debian compiles it, like Box2D, with its assertions on. */
#include <chipmunk/chipmunk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "grains.h"

typedef struct chipmunk {
    cpSpace *space;
    cpBody **body; /* (grain_count) */
} chipmunk;

static void version(char *text, size_t size)
{
    snprintf(text, size, "%s", cpVersionString);
}

static void add_shape(const chipmunk *c, cpShape *shape, const peer_scene *s)
{
    cpShapeSetFriction(shape, sqrt(s->friction));
    cpShapeSetElasticity(shape, sqrt(s->restitution));
    cpSpaceAddShape(c->space, shape);
}

/* Slabs as thick as the bin is wide or high: what is far outside of a thin one would be pushed out on the wrong side.
 * */
static void add_bin(const chipmunk *c, const peer_scene *s)
{
    double deep = fmax(s->width, s->height), top = 2 * s->height, right = s->width;
    cpBody *fixed = cpSpaceGetStaticBody(c->space);
    add_shape(c, cpBoxShapeNew2(fixed, cpBBNew(-deep, -deep, right + deep, 0), 0), s);
    add_shape(c, cpBoxShapeNew2(fixed, cpBBNew(-deep, -deep, 0, top), 0), s);
    add_shape(c, cpBoxShapeNew2(fixed, cpBBNew(right, -deep, right + deep, top), 0), s);
}

static cpBody *add_grain(const chipmunk *c, const peer_scene *s, const peer_motion *at)
{
    cpBody *body = cpSpaceAddBody(c->space, cpBodyNew(s->mass, s->inertia));
    cpBodySetPosition(body, cpv(at->x, at->y));
    cpBodySetAngle(body, at->angle);
    for (int k = 0; k < s->piece_count; k++) {
        cpVect point[PEER_CORNERS_MAX];
        for (int i = 0; i < s->piece[k].count; i++)
            point[i] = cpv(s->piece[k].point[i][0], s->piece[k].point[i][1]);
        add_shape(c, cpPolyShapeNew(body, s->piece[k].count, point, cpTransformIdentity, 0), s);
    }
    if (s->disc > 0)
        add_shape(c, cpCircleShapeNew(body, s->disc, cpvzero), s);
    return body;
}

static void *create(const peer_scene *s)
{
    chipmunk *c = calloc(1, sizeof *c);
    if (!c || !(c->body = calloc((size_t)s->grain_count, sizeof(cpBody *)))) {
        free(c);
        return NULL;
    }
    c->space = cpSpaceNew(); /* nothing sleeps unless asked to */
    cpSpaceSetGravity(c->space, cpv(0, -s->gravity));
    cpSpaceSetIterations(c->space, s->iterations[0]);
    if (s->slop > 0)
        cpSpaceSetCollisionSlop(c->space, s->slop);
    add_bin(c, s);
    for (int i = 0; i < s->grain_count; i++)
        c->body[i] = add_grain(c, s, &s->grain[i]);
    return c;
}

static void pull(void *world, double gx, double gy)
{
    cpSpaceSetGravity(((chipmunk *)world)->space, cpv(gx, gy));
}

static void step(void *world, const peer_scene *s)
{
    cpSpaceStep(((chipmunk *)world)->space, s->step);
}

static void read_motion(void *world, const peer_scene *s, peer_motion *grain)
{
    const chipmunk *c = world;
    for (int i = 0; i < s->grain_count; i++) {
        cpVect p = cpBodyGetPosition(c->body[i]), v = cpBodyGetVelocity(c->body[i]);
        grain[i] = (peer_motion){p.x, p.y, cpBodyGetAngle(c->body[i]), v.x, v.y, cpBodyGetAngularVelocity(c->body[i])};
    }
}

/* ---- Taking down: a space frees neither bodies nor shapes, and may lose none while it is looked through ---- */

static void free_shape(cpSpace *space, void *shape, void *unused)
{
    (void)unused;
    cpSpaceRemoveShape(space, shape);
    cpShapeFree(shape);
}

static void free_body(cpSpace *space, void *body, void *unused)
{
    (void)unused;
    cpSpaceRemoveBody(space, body);
    cpBodyFree(body);
}

static void shape_later(cpShape *shape, void *space)
{
    cpSpaceAddPostStepCallback(space, free_shape, shape, NULL);
}

static void body_later(cpBody *body, void *space)
{
    cpSpaceAddPostStepCallback(space, free_body, body, NULL);
}

static void destroy(void *world)
{
    chipmunk *c = world;
    cpSpaceEachShape(c->space, shape_later, c->space);
    cpSpaceEachBody(c->space, body_later, c->space);
    cpSpaceFree(c->space);
    free(c->body);
    free(c);
}

int main(int argc, char **argv)
{
    static const peer_engine engine = {"chipmunk", version, create, pull, step, read_motion, destroy};
    return peer_main(argc, argv, &engine);
}
