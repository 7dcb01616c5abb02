/* SPDX-License-Identifier: MIT */
#include "study/rig.h"

#include "base/status.h"

ts_status ts_rig_open(ts_rig *rig, double gravity, double time_step, ts_error *error)
{
    TS_TRY(ts_scene_create(&rig->scene, error));
    ts_settings settings = ts_default_settings();
    settings.gravity[0] = 0;
    settings.gravity[1] = gravity;
    settings.time_step = time_step;
    return ts_scene_set(rig->scene, &settings, error);
}

ts_status ts_rig_start(ts_rig *rig, int threads, ts_error *error)
{
    TS_TRY(ts_model_compile(rig->scene, &rig->model, error));
    TS_TRY(ts_model_prepare(rig->model, &(ts_map_making){.threads = threads}, error));
    TS_TRY(ts_state_create(rig->model, &rig->state, error));
    return ts_workspace_create(rig->model, threads, &rig->work, error);
}

void ts_rig_close(ts_rig *rig)
{
    ts_workspace_free(rig->work);
    ts_state_free(rig->state);
    ts_model_free(rig->model);
    ts_scene_free(rig->scene);
    *rig = (ts_rig){0};
}

ts_status ts_rig_disc(ts_rig *rig, double radius, double x, double y, ts_error *error)
{
    ts_body_def body = ts_default_body();
    TS_TRY(ts_scene_add_disc(rig->scene, radius, &body.shape, error));
    body.position[0] = x;
    body.position[1] = y;
    return ts_scene_add_body(rig->scene, &body, NULL, error);
}

ts_status ts_rig_plane(ts_rig *rig, double x, double y, double nx, double ny, ts_error *error)
{
    ts_wall_def plane = ts_default_wall();
    plane.kind = TS_WALL_FLAT;
    plane.position[0] = x;
    plane.position[1] = y;
    plane.normal[0] = nx;
    plane.normal[1] = ny;
    return ts_scene_add_wall(rig->scene, &plane, NULL, error);
}

ts_status ts_rig_step(ts_rig *rig, uint64_t count, ts_error *error)
{
    return ts_step(rig->model, rig->state, rig->work, count, error);
}

const ts_body *ts_rig_body(const ts_rig *rig, size_t body)
{
    return &ts_state_bodies(rig->state)[body];
}

ts_status ts_rig_contact(ts_rig *rig, int64_t a, int64_t b, ts_contact *contact, bool *found, ts_error *error)
{
    const ts_contact *all;
    size_t count;
    TS_TRY(ts_find_contacts(rig->model, rig->state, rig->work, &all, &count, error));
    *found = false;
    for (size_t i = 0; i < count && !*found; i++) {
        bool same = all[i].a == a && all[i].b == b, swapped = all[i].a == b && all[i].b == a;
        if (!same && !swapped)
            continue;
        *found = true;
        *contact = all[i];
        for (int k = 0; k < 2 && swapped; k++) {
            contact->normal[k] = -all[i].normal[k];
            contact->force[k] = -all[i].force[k];
            contact->point_a[k] = all[i].point_b[k];
            contact->point_b[k] = all[i].point_a[k];
        }
        contact->a = a;
        contact->b = b;
    }
    return TS_OK;
}
