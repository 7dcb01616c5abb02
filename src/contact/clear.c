/* SPDX-License-Identifier: MIT */
/* Bodies so quick that a list of pairs that covered their way would hold everything: see workspace.h. */
#include <math.h>

#include "contact/faces.h"
#include "workspace.h"

/* Beyond which nothing of a wall can be at a time of the step, from where it is in the middle of the step [m]. */
static double wall_way(const ts_model *model, size_t wall, double middle, double distance)
{
    const double half = 0.5 * model->settings.time_step;
    double way = 0;
    if (model->wall[wall].motion < 0)
        return 0;
    ts_wall_frame now, other;
    ts_wall_around(model, wall, middle, &now);
    for (int side = -1; side <= 1; side += 2) {
        ts_wall_around(model, wall, middle + side * half, &other);
        const double shift = hypot(other.frame.x - now.frame.x, other.frame.y - now.frame.y),
                     turn = fabs(other.frame.angle - now.frame.angle);
        way = fmax(way, shift + turn * (now.kind == TS_WALL_FLAT ? distance : now.radius));
    }
    return way;
}

static bool clear_of_walls(const ts_model *model, ts_vec2 at, double radius, double middle, ts_clear_of of)
{
    const ts_faces *faces = model->faces;
    for (size_t i = 0; i < model->wall_count; i++) {
        ts_wall_frame wall;
        ts_wall_around(model, i, middle, &wall);
        if (wall.absent)
            continue;
        const double dx = at.x - wall.frame.x, dy = at.y - wall.frame.y;
        const double reach = radius + wall_way(model, i, middle, hypot(dx, dy));
        double nx, ny;
        if (faces && faces->root[i] >= 0) {
            const ts_vec2 local = ts_wall_local(&wall, dx, dy);
            if (ts_faces_near(faces, i, local.x, local.y, reach, 0, NULL) > 0)
                return false;
        } else if (of == TS_CLEAR_OF_ALL && ts_wall_gap(&wall, dx, dy, reach, &nx, &ny) < 0) {
            return false;
        }
    }
    return true;
}

bool ts_goes_clear(const ts_model *model, const ts_state *state, size_t body, double middle, ts_clear_of of)
{
    const ts_settings *s = &model->settings;
    const double half = 0.5 * s->time_step;
    /* some fall and others are driven; open places are wanted as well, and the skin is wider than those */
    const double more = 4 * half * half * hypot(s->gravity[0], s->gravity[1]) + (of == TS_CLEAR_OF_ALL ? s->skin : 0);
    const ts_body *a = &state->body[body];
    const double x = a->x + half * a->vx, y = a->y + half * a->vy;
    if (!isfinite(x) || !isfinite(y) || !isfinite(a->angle + half * a->spin))
        return false;
    for (size_t i = 0; i < model->body_count; i++) {
        const ts_body *b = &state->body[i];
        const double dx = b->x + half * b->vx - x, dy = b->y + half * b->vy - y;
        const double way = half * hypot(b->vx - a->vx, b->vy - a->vy), reach = a->radius + b->radius + more + way;
        if (i == body || dx * dx + dy * dy > reach * reach)
            continue;
        const double turning = half * (fabs(a->spin) * a->radius + fabs(b->spin) * b->radius);
        if (of == TS_CLEAR_OF_ALL || !(2 * (way + turning) <= fmin(a->radius, b->radius)))
            return false;
    }
    return clear_of_walls(model, (ts_vec2){x, y}, a->radius + more + half * hypot(a->vx, a->vy), middle, of);
}
