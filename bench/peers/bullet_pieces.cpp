// SPDX-License-Identifier: MIT
// A peer for contacts of two bodies: Bullet, a library for games. pieces.h says what is read and printed.
//
// Each body is a compound of convex hulls, whose margin is a hundredth of a piece's smallest half extent. What is timed is a
// question for the contacts of the pair at given poses, without what a simulation would have kept from the step before.
#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include "pieces.h"

namespace
{

btScalar real(double x)
{
    return static_cast<btScalar>(x);
}

struct counter : btCollisionWorld::ContactResultCallback {
    int count = 0;
    btScalar addSingleResult(btManifoldPoint &point, const btCollisionObjectWrapper *, int, int,
                             const btCollisionObjectWrapper *, int, int) override
    {
        count += point.getDistance() <= 0;
        return 0;
    }
};

struct bullet {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btCollisionWorld world{&dispatcher, &broadphase, &configuration};
    std::vector<std::unique_ptr<btConvexHullShape>> piece;
    btCompoundShape shape[2];
    btCollisionObject body[2];
};

void version(char *text, size_t size)
{
    std::snprintf(text, size, "%d.%02d, %s precision", btGetVersion() / 100, btGetVersion() % 100,
                  sizeof(btScalar) == sizeof(float) ? "single" : "double");
}

void *create(const pieces_scene *s)
{
    auto *b = new bullet;
    for (int i = 0; i < s->piece_count; i++) {
        auto hull = std::make_unique<btConvexHullShape>();
        for (int k = 0; k < s->piece[i].count; k++) {
            const double *p = s->piece[i].corner + 3 * k;
            hull->addPoint({real(p[0]), real(p[1]), real(p[2])}, false);
        }
        hull->recalcLocalAabb();
        btVector3 low, high;
        hull->setMargin(0);
        hull->getAabb(btTransform::getIdentity(), low, high);
        const btVector3 half = (high - low) / 2;
        hull->setMargin(real(0.01) * std::min(half.x(), std::min(half.y(), half.z())));
        b->piece.push_back(std::move(hull));
    }
    for (int k = 0; k < 2; k++) {
        for (auto &piece : b->piece)
            b->shape[k].addChildShape(btTransform::getIdentity(), piece.get());
        b->body[k].setCollisionShape(&b->shape[k]);
    }
    return b;
}

btTransform pose_of(const pieces_pose *p)
{
    return btTransform(btQuaternion(real(p->quat[1]), real(p->quat[2]), real(p->quat[3]), real(p->quat[0])),
                       {real(p->place[0]), real(p->place[1]), real(p->place[2])});
}

int contacts(void *user, const pieces_pose *a, const pieces_pose *b)
{
    auto *w = static_cast<bullet *>(user);
    counter found;
    w->body[0].setWorldTransform(pose_of(a));
    w->body[1].setWorldTransform(pose_of(b));
    w->world.contactPairTest(&w->body[0], &w->body[1], found);
    return found.count;
}

void destroy(void *user)
{
    delete static_cast<bullet *>(user);
}

} // namespace

int main(int argc, char **argv)
{
    static const pieces_engine engine = {"bullet_pieces", version, create, contacts, destroy};
    return pieces_main(argc, argv, &engine);
}
