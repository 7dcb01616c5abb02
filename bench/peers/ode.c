/* SPDX-License-Identifier: MIT */
/* A peer for piles in space: the Open Dynamics Engine. pile.h says what is read and printed.
 *
 * As its manual recommends: dWorldQuickStep, pairs found by sweep and prune along x, y and z, contacts of Coulomb
 * friction (dContactApprox1: a pyramid that goes with the normal force) that bounce, ERP and CFM as they come, nothing
 * is disabled. A step is finding contacts, making joints of them, and QuickStep. Overlaps up to a thousandth of the
 * smallest half extent are let be, and undone no faster than a body falls through its own size: both from the manual,
 * against jitter and popping, and made to go with the scene's size. Double precision (Debian's choice), one thread. */
#include <math.h>
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>

#include "pile.h"

#define CONTACTS_A_PAIR 8 /* faces of two boxes share at most this many corners */
#define LAYER           1e-3

typedef struct engine_world {
    dWorldID world;
    dSpaceID space;
    dJointGroupID joints;
    const pile_scene *scene;
    pile_contacts contacts; /* of the last step */
    int body_count;
    dBodyID body[]; /* (body_count) */
} engine_world;

static void version(char *text, size_t size)
{
    snprintf(text, size, "%s, %s precision", dODE_VERSION,
             dCheckConfiguration("ODE_double_precision") ? "double" : "single");
}

static void add_body(engine_world *w, const pile_scene *s, int i)
{
    const pile_body *at = &s->body[i];
    const double *h = at->half, *p = at->place, *q = at->quat;
    dBodyID body = w->body[i] = dBodyCreate(w->world);
    dMass mass;
    dGeomID shape;
    if (s->kind == PILE_SPHERES) {
        dMassSetSphereTotal(&mass, at->mass, h[0]);
        shape = dCreateSphere(w->space, h[0]);
    } else if (s->kind == PILE_HULLS) {
        const pile_hull *hull = &s->hull;
        dMassSetParameters(&mass, at->mass, 0, 0, 0, hull->inertia[0], hull->inertia[1], hull->inertia[2], 0, 0, 0);
        shape = dCreateConvex(w->space, &hull->plane[0][0], (unsigned)hull->face_count, &hull->corner[0][0],
                              (unsigned)hull->corner_count, hull->polygon);
    } else {
        dMassSetBoxTotal(&mass, at->mass, 2 * h[0], 2 * h[1], 2 * h[2]);
        shape = dCreateBox(w->space, 2 * h[0], 2 * h[1], 2 * h[2]);
    }
    dBodySetMass(body, &mass);
    dGeomSetBody(shape, body);
    dBodySetPosition(body, p[0], p[1], p[2]);
    dBodySetQuaternion(body, (const dQuaternion){q[0], q[1], q[2], q[3]});
    dBodySetLinearVel(body, at->velocity[0], at->velocity[1], at->velocity[2]);
    dBodySetAngularVel(body, at->spin[0], at->spin[1], at->spin[2]);
}

static void *create(const pile_scene *s)
{
    engine_world *w = calloc(1, sizeof *w + (size_t)s->body_count * sizeof(dBodyID));
    if (!w)
        return NULL;
    dInitODE2(0);
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    w->scene = s;
    w->body_count = s->body_count;
    w->world = dWorldCreate();
    w->space = dSweepAndPruneSpaceCreate(NULL, dSAP_AXES_XYZ);
    w->joints = dJointGroupCreate(0);
    dWorldSetGravity(w->world, s->gravity[0], s->gravity[1], s->gravity[2]);
    dWorldSetAutoDisableFlag(w->world, 0);
    dWorldSetQuickStepNumIterations(w->world, s->iterations);
    dWorldSetContactSurfaceLayer(w->world, LAYER * s->size);
    if (s->pull > 0)
        dWorldSetContactMaxCorrectingVel(w->world, sqrt(2 * s->pull * s->size));
    for (int i = 0; i < s->plane_count; i++) {
        const pile_plane *p = &s->plane[i];
        dCreatePlane(w->space, p->normal[0], p->normal[1], p->normal[2], p->offset);
    }
    for (int i = 0; i < s->body_count; i++)
        add_body(w, s, i);
    return w;
}

/* Two shapes whose boxes overlap: their contacts become joints. */
static void meet(void *world, dGeomID a, dGeomID b)
{
    engine_world *w = world;
    dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (!body_a && !body_b)
        return;
    dContact contact[CONTACTS_A_PAIR];
    int count = dCollide(a, b, CONTACTS_A_PAIR, &contact[0].geom, sizeof *contact);
    for (int i = 0; i < count; i++) {
        contact[i].surface = (dSurfaceParameters){.mode = dContactApprox1 | dContactBounce,
                                                  .mu = w->scene->friction,
                                                  .bounce = w->scene->restitution,
                                                  .bounce_vel = pile_slow(w->scene)};
        dJointAttach(dJointCreateContact(w->world, w->joints, &contact[i]), body_a, body_b);
        pile_touch(&w->contacts, contact[i].geom.depth);
    }
}

static void pull(void *world, const double gravity[3])
{
    dWorldSetGravity(((engine_world *)world)->world, gravity[0], gravity[1], gravity[2]);
}

static void step(void *world, const pile_scene *s)
{
    engine_world *w = world;
    w->contacts = (pile_contacts){0};
    dSpaceCollide(w->space, w, meet);
    dWorldQuickStep(w->world, s->step);
    dJointGroupEmpty(w->joints);
}

static void read_body(void *world, int i, pile_body *now)
{
    dBodyID body = ((engine_world *)world)->body[i];
    const dReal *p = dBodyGetPosition(body), *q = dBodyGetQuaternion(body), *v = dBodyGetLinearVel(body),
                *spin = dBodyGetAngularVel(body);
    for (int k = 0; k < 3; k++) {
        now->place[k] = p[k];
        now->velocity[k] = v[k];
        now->spin[k] = spin[k];
    }
    for (int k = 0; k < 4; k++)
        now->quat[k] = q[k];
}

static void read_contacts(void *world, pile_contacts *contacts)
{
    *contacts = ((engine_world *)world)->contacts;
}

static void destroy(void *world)
{
    engine_world *w = world;
    dJointGroupDestroy(w->joints);
    dSpaceDestroy(w->space);
    dWorldDestroy(w->world);
    dCloseODE();
    free(w);
}

int main(int argc, char **argv)
{
    static const pile_engine engine = {"ode", version, create, pull, step, read_body, read_contacts, destroy};
    return pile_main(argc, argv, &engine);
}
