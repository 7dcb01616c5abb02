// SPDX-License-Identifier: MIT
// A peer of `touchstone bench grains`: Box2D, a library for games. grains.h says what is read and printed.
//
// As it comes: single precision, a skin of 1 cm around every polygon, overlaps of 0.5 cm left alone, whatever the scene says of
// slop (they are constants of the library), fast grains held back at walls but not at each other. Frictions of two shapes mix as
// the root of their product, restitutions as the larger one. One thread. Debian compiles it with its assertions on, which may end a run.
#include <box2d/box2d.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "grains.h"

namespace
{

struct box2d {
    b2World world;
    std::vector<b2Body *> body; // (grain_count)
};

b2Vec2 vec(double x, double y)
{
    return {static_cast<float>(x), static_cast<float>(y)};
}

void version(char *text, size_t size)
{
    std::snprintf(text, size, "%d.%d.%d", b2_version.major, b2_version.minor, b2_version.revision);
}

void add_fixture(b2Body *body, const b2Shape *shape, const peer_scene *s)
{
    b2FixtureDef def;
    def.shape = shape;
    def.friction = static_cast<float>(s->friction);
    def.restitution = static_cast<float>(s->restitution);
    def.density = 0; // mass and inertia are given
    body->CreateFixture(&def);
}

void add_slab(b2Body *fixed, const peer_scene *s, b2Vec2 low, b2Vec2 high)
{
    b2PolygonShape slab;
    slab.SetAsBox(0.5f * (high.x - low.x), 0.5f * (high.y - low.y), 0.5f * (low + high), 0);
    add_fixture(fixed, &slab, s);
}

// Slabs as thick as the bin is wide or high: what is far outside of a thin one would be pushed out on the wrong side.
void add_bin(box2d *b, const peer_scene *s)
{
    double deep = std::max(s->width, s->height), top = 2 * s->height;
    b2BodyDef def;
    b2Body *fixed = b->world.CreateBody(&def);
    add_slab(fixed, s, vec(-deep, -deep), vec(s->width + deep, 0));
    add_slab(fixed, s, vec(-deep, -deep), vec(0, top));
    add_slab(fixed, s, vec(s->width, -deep), vec(s->width + deep, top));
}

b2Body *add_grain(box2d *b, const peer_scene *s, const peer_motion *at)
{
    b2BodyDef def;
    def.type = b2_dynamicBody;
    def.position = vec(at->x, at->y);
    def.angle = static_cast<float>(at->angle);
    b2Body *body = b->world.CreateBody(&def);
    for (int k = 0; k < s->piece_count; k++) {
        b2Vec2 point[PEER_CORNERS_MAX];
        for (int i = 0; i < s->piece[k].count; i++)
            point[i] = vec(s->piece[k].point[i][0], s->piece[k].point[i][1]);
        b2PolygonShape shape;
        shape.Set(point, s->piece[k].count);
        add_fixture(body, &shape, s);
    }
    if (s->disc > 0) {
        b2CircleShape disc;
        disc.m_radius = static_cast<float>(s->disc);
        add_fixture(body, &disc, s);
    }
    b2MassData mass;
    mass.mass = static_cast<float>(s->mass);
    mass.I = static_cast<float>(s->inertia);
    mass.center.SetZero();
    body->SetMassData(&mass);
    return body;
}

void *create(const peer_scene *s)
{
    box2d *b = new box2d{b2World(vec(0, -s->gravity)), {}};
    b->world.SetAllowSleeping(false);
    b->world.SetContinuousPhysics(s->discrete == 0);
    add_bin(b, s);
    for (int i = 0; i < s->grain_count; i++)
        b->body.push_back(add_grain(b, s, &s->grain[i]));
    return b;
}

void pull(void *world, double gx, double gy)
{
    static_cast<box2d *>(world)->world.SetGravity(vec(gx, gy));
}

void step(void *world, const peer_scene *s)
{
    static_cast<box2d *>(world)->world.Step(static_cast<float>(s->step), s->iterations[0], s->iterations[1]);
}

void read_motion(void *world, const peer_scene *, peer_motion *grain)
{
    for (const b2Body *body : static_cast<box2d *>(world)->body) {
        b2Vec2 p = body->GetPosition(), v = body->GetLinearVelocity();
        *grain++ = {p.x, p.y, body->GetAngle(), v.x, v.y, body->GetAngularVelocity()};
    }
}

void destroy(void *world)
{
    delete static_cast<box2d *>(world);
}

} // namespace

int main(int argc, char **argv)
{
    static const peer_engine engine = {"box2d", version, create, pull, step, read_motion, destroy};
    return peer_main(argc, argv, &engine);
}
