// SPDX-License-Identifier: MIT
// A peer for contacts of two bodies: FCL, a library for collision and distance. pieces.h says what is read and printed.
//
// Both bodies are the whole mesh, in FCL's tree of oriented boxes and spheres; all contacts of triangles are asked for.
#include <fcl/config.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>

#include <cstdio>
#include <memory>
#include <vector>

#include "pieces.h"

namespace
{

using model = fcl::BVHModel<fcl::OBBRSSd>;

struct world {
    std::shared_ptr<model> mesh;
    std::unique_ptr<fcl::CollisionObjectd> body[2];
};

void version(char *text, size_t size)
{
    std::snprintf(text, size, "%s", FCL_VERSION);
}

void *create(const pieces_scene *s)
{
    std::vector<fcl::Vector3d> vertex;
    std::vector<fcl::Triangle> triangle;
    vertex.reserve(static_cast<size_t>(s->vertex_count));
    triangle.reserve(static_cast<size_t>(s->triangle_count));
    for (int i = 0; i < s->vertex_count; i++)
        vertex.emplace_back(s->vertex[3 * i], s->vertex[3 * i + 1], s->vertex[3 * i + 2]);
    for (int i = 0; i < s->triangle_count; i++)
        triangle.emplace_back(s->triangle[3 * i], s->triangle[3 * i + 1], s->triangle[3 * i + 2]);
    auto *w = new world;
    w->mesh = std::make_shared<model>();
    w->mesh->beginModel();
    w->mesh->addSubModel(vertex, triangle);
    w->mesh->endModel();
    for (auto &body : w->body)
        body.reset(new fcl::CollisionObjectd(w->mesh));
    return w;
}

void place(fcl::CollisionObjectd *body, const pieces_pose *p)
{
    body->setTransform(fcl::Quaterniond(p->quat[0], p->quat[1], p->quat[2], p->quat[3]),
                       fcl::Vector3d(p->place[0], p->place[1], p->place[2]));
}

int contacts(void *user, const pieces_pose *a, const pieces_pose *b)
{
    auto *w = static_cast<world *>(user);
    place(w->body[0].get(), a);
    place(w->body[1].get(), b);
    const fcl::CollisionRequestd request(100000, true);
    fcl::CollisionResultd result;
    return static_cast<int>(fcl::collide(w->body[0].get(), w->body[1].get(), request, result));
}

void destroy(void *user)
{
    delete static_cast<world *>(user);
}

} // namespace

int main(int argc, char **argv)
{
    static const pieces_engine engine = {"fcl_pieces", version, create, contacts, destroy};
    return pieces_main(argc, argv, &engine);
}
