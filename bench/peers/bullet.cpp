// SPDX-License-Identifier: MIT
// A peer for piles in space: Bullet, a library for games. pile.h says what is read and printed.
//
// As its manual recommends: sequential impulses with warm starting, pairs from its tree of boxes, every step taken whole, nothing asleep, no
// continuous collision detection, single precision (Debian's choice). Four settings depend on the scene:
//   - the margin of a box, 4 cm as it comes, is at most a tenth of its smallest half extent;
//   - the margin of a hull goes around its corners, which therefore go inwards, as a box does it by itself, and rounds them off: it is a
//     hundredth of the inner radius, so that corners lose next to nothing;
//   - without restitution, overlaps are undone as it comes: by pushing with true momentum (which makes piles firm) up to 4 cm, here at most
//     four tenths of the smallest half extent, and by split impulses, which add nothing to velocities, beyond that;
//   - with restitution that pushing would add energy to every bounce, a hundredfold within seconds, so there it is split impulses at any
//     depth; and contacts that are still apart are left alone, for they would take the approach for a bounce and weaken it.
// Frictions and restitutions of two bodies are multiplied, hence the roots.
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "pile.h"

namespace
{

struct bullet {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shape;
    std::vector<std::unique_ptr<btRigidBody>> plane, body; // (plane_count), (body_count)

    ~bullet()
    {
        for (auto *bodies : {&body, &plane})
            for (auto &b : *bodies)
                world.removeRigidBody(b.get());
    }
};

btScalar real(double x)
{
    return static_cast<btScalar>(x);
}

btVector3 vec(const double *v)
{
    return {real(v[0]), real(v[1]), real(v[2])};
}

void version(char *text, size_t size)
{
    std::snprintf(text, size, "%d.%02d, %s precision", btGetVersion() / 100, btGetVersion() % 100,
                  sizeof(btScalar) == sizeof(float) ? "single" : "double");
}

std::unique_ptr<btRigidBody> make_body(bullet *b, const pile_scene *s, std::unique_ptr<btCollisionShape> shape,
                                       double mass)
{
    btVector3 inertia(0, 0, 0);
    if (mass > 0 && s->kind == PILE_HULLS)
        inertia = vec(s->hull.inertia); // its own is that of a box around
    else if (mass > 0)
        shape->calculateLocalInertia(real(mass), inertia);
    btRigidBody::btRigidBodyConstructionInfo info(real(mass), nullptr, shape.get(), inertia);
    info.m_friction = real(std::sqrt(s->friction));
    info.m_restitution = real(std::sqrt(s->restitution));
    auto body = std::make_unique<btRigidBody>(info);
    if (s->restitution > 0)
        body->setContactProcessingThreshold(0);
    b->shape.push_back(std::move(shape));
    return body;
}

std::unique_ptr<btCollisionShape> make_shape(const pile_scene *s, const pile_body *at)
{
    if (s->kind == PILE_SPHERES)
        return std::make_unique<btSphereShape>(real(at->half[0]));
    double least = std::min(at->half[0], std::min(at->half[1], at->half[2]));
    if (s->kind == PILE_HULLS) {
        const double margin = std::min(0.04, 0.01 * least);
        auto hull = std::make_unique<btConvexHullShape>();
        for (int i = 0; i < s->hull.corner_count; i++)
            hull->addPoint(vec(s->hull.corner[i]) * real(1 - margin / least));
        hull->setMargin(real(margin));
        return hull;
    }
    auto box = std::make_unique<btBoxShape>(vec(at->half));
    box->setMargin(real(std::min(0.04, 0.1 * least)));
    return box;
}

void *create(const pile_scene *s)
{
    auto *b = new bullet;
    b->world.setGravity(vec(s->gravity));
    btContactSolverInfo &info = b->world.getSolverInfo();
    info.m_numIterations = s->iterations;
    info.m_splitImpulsePenetrationThreshold = s->restitution > 0 ? 0 : -real(std::min(0.04, 0.4 * s->size));
    info.m_restitutionVelocityThreshold = real(pile_slow(s));
    for (int i = 0; i < s->plane_count; i++) {
        const pile_plane *p = &s->plane[i];
        b->plane.push_back(make_body(b, s, std::make_unique<btStaticPlaneShape>(vec(p->normal), real(p->offset)), 0));
        b->world.addRigidBody(b->plane.back().get());
    }
    for (int i = 0; i < s->body_count; i++) {
        const pile_body *at = &s->body[i];
        auto body = make_body(b, s, make_shape(s, at), at->mass);
        const double *q = at->quat;
        btTransform pose(btQuaternion(real(q[1]), real(q[2]), real(q[3]), real(q[0])), vec(at->place));
        body->setCenterOfMassTransform(pose);
        body->setLinearVelocity(vec(at->velocity));
        body->setAngularVelocity(vec(at->spin));
        body->setActivationState(DISABLE_DEACTIVATION);
        b->world.addRigidBody(body.get());
        b->body.push_back(std::move(body));
    }
    return b;
}

void pull(void *world, const double gravity[3])
{
    static_cast<bullet *>(world)->world.setGravity(vec(gravity));
}

void step(void *world, const pile_scene *s)
{
    static_cast<bullet *>(world)->world.stepSimulation(real(s->step), 0);
}

void put(double *to, const btVector3 &v)
{
    for (int k = 0; k < 3; k++)
        to[k] = static_cast<double>(v[k]);
}

void read_body(void *world, int i, pile_body *now)
{
    const btRigidBody &body = *static_cast<bullet *>(world)->body[static_cast<size_t>(i)];
    const btTransform &pose = body.getCenterOfMassTransform();
    btQuaternion q = pose.getRotation();
    put(now->place, pose.getOrigin());
    now->quat[0] = static_cast<double>(q.w());
    now->quat[1] = static_cast<double>(q.x());
    now->quat[2] = static_cast<double>(q.y());
    now->quat[3] = static_cast<double>(q.z());
    put(now->velocity, body.getLinearVelocity());
    put(now->spin, body.getAngularVelocity());
}

void read_contacts(void *world, pile_contacts *contacts)
{
    const btCollisionDispatcher &dispatcher = static_cast<bullet *>(world)->dispatcher;
    for (int m = 0; m < dispatcher.getNumManifolds(); m++) {
        const btPersistentManifold *manifold = dispatcher.getManifoldByIndexInternal(m);
        for (int i = 0; i < manifold->getNumContacts(); i++)
            if (manifold->getContactPoint(i).getDistance() <= 0)
                pile_touch(contacts, -static_cast<double>(manifold->getContactPoint(i).getDistance()));
    }
}

void destroy(void *world)
{
    delete static_cast<bullet *>(world);
}

} // namespace

int main(int argc, char **argv)
{
    static const pile_engine engine = {"bullet", version, create, pull, step, read_body, read_contacts, destroy};
    return pile_main(argc, argv, &engine);
}
