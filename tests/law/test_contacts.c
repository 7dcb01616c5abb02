/* SPDX-License-Identifier: MIT */
/* What ts_find_contacts hands out is consistent in itself, and with what a step then does. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

#include "support/scenes.h"
#include "workspace.h"

/* A bed of two materials, walls of a third, for the tests to let settle. */
static void open_bed(ts_test_world *w)
{
    ts_test_open(w, -9.81);
    ts_test_soften(w->scene, 3e5, 1e-5);
    static const double friction[] = {0.2, 0.8};
    for (int i = 0; i < 2; i++) {
        ts_material_def def = ts_default_material();
        def.friction = friction[i];
        def.restitution = friction[i];
        OK(ts_scene_add_material(w->scene, NULL, &def, NULL, ERROR));
    }
    ts_test_box(w->scene, 0.25);
    ts_test_circle(w->scene, NULL, 0.125, 0.1, 0.2);
    ts_test_fixed(w->scene, NULL, ts_test_rod(w->scene, 0.01, 4), 0.12, 0.1);
    const double a[] = {0.01, 0.005}, b[] = {0.24, 0.25};
    int32_t triad = ts_test_triad(w->scene, 0.006), disc = ts_test_disc(w->scene, 0.008);
    const ts_mix_entry large[] = {{.shape = triad, .material = 1, .weight = 1, .scale_min = 0.8, .scale_max = 1},
                                  {.shape = triad, .material = 2, .weight = 1, .scale_min = 0.8, .scale_max = 1}};
    const ts_mix_entry small[] = {{.shape = disc, .material = 1, .weight = 1, .scale_min = 0.5, .scale_max = 1},
                                  {.shape = disc, .material = 2, .weight = 1, .scale_min = 0.5, .scale_max = 1}};
    ts_test_fill_mix(w->scene, a, b, 40, large, 2, 0.6);
    ts_test_fill_mix(w->scene, a, b, 80, small, 2, 0.6);
    ts_test_start(w, 1);
}

/* What the scene says of the materials of the two: friction is the geometric mean, the rest as the law has it. */
static const ts_contact_law *law_of(const ts_test_world *w, const ts_contact *c)
{
    static const double friction[] = {0.5, 0.2, 0.8};
    size_t a = c->a < 0 ? 0 : w->model->body_material[c->a], b = w->model->body_material[c->b];
    const ts_contact_law *law = &w->model->law[a * w->model->material_count + b];
    NEAR(law->friction, sqrt(friction[a] * friction[b]), 1e-15);
    return law;
}

/* Unit normals, points one gap apart along them, forces within the friction cone, ids in range, A before B for
 * walls. */
static void contacts_are_consistent(void **state)
{
    (void)state;
    ts_test_world w;
    open_bed(&w);
    size_t seen = 0, walls = 0;
    for (int look = 0; look < 40; look++) {
        ts_test_step(&w, 300);
        const ts_contact *contact;
        size_t count;
        OK(ts_find_contacts(w.model, w.state, w.work, &contact, &count, ERROR));
        for (size_t k = 0; k < count; k++) {
            const ts_contact *c = &contact[k];
            assert_true(c->b >= 0 && c->b < (int64_t)ts_model_body_count(w.model));
            assert_true(c->a >= -(int64_t)ts_model_wall_count(w.model) &&
                        c->a < (int64_t)ts_model_body_count(w.model) && c->a != c->b);
            assert_true(c->gap <= 0);
            NEAR(hypot(c->normal[0], c->normal[1]), 1, 1e-15);
            for (int i = 0; i < 2; i++)
                NEAR(c->point_b[i] - c->point_a[i], c->gap * c->normal[i], 1e-15);
            NEAR(c->weight, 1, 0);
            double normal = c->force[0] * c->normal[0] + c->force[1] * c->normal[1];
            double tangential = c->force[1] * c->normal[0] - c->force[0] * c->normal[1];
            assert_true(normal >= -1e-15 * fabs(tangential)); /* never pulls */
            assert_true(fabs(tangential) <= law_of(&w, c)->friction * normal * (1 + 1e-12));
            /* the point on B lies on B: not farther from its centre than it reaches */
            const ts_body *b = &ts_state_bodies(w.state)[c->b];
            assert_true(hypot(c->point_b[0] - b->x, c->point_b[1] - b->y) <= b->radius * (1 + 1e-12));
            walls += c->a < 0;
        }
        seen += count;
    }
    assert_true(seen > 500 && walls > 50);
    ts_test_close(&w);
}

/* The velocity of a point that moves with a body; walls here stand still. */
static void velocity_at(const ts_test_world *w, int64_t id, const double point[2], double velocity[2])
{
    velocity[0] = velocity[1] = 0;
    if (id < 0)
        return;
    const ts_body *body = &ts_state_bodies(w->state)[id];
    velocity[0] = body->vx - body->spin * (point[1] - body->y);
    velocity[1] = body->vy + body->spin * (point[0] - body->x);
}

/* The force of a listed contact is what the law makes of the record and of the velocities now, with the spring as it
 * is. */
static void listed_forces_follow_the_law(void **state)
{
    (void)state;
    ts_test_world w;
    open_bed(&w);
    ts_test_step(&w, 9000);
    const ts_contact *contact;
    size_t count, sticking = 0;
    OK(ts_find_contacts(w.model, w.state, w.work, &contact, &count, ERROR));
    for (size_t k = 0; k < count; k++) {
        const ts_contact *c = &contact[k];
        const ts_contact_law *law = law_of(&w, c);
        double point[2] = {0.5 * (c->point_a[0] + c->point_b[0]), 0.5 * (c->point_a[1] + c->point_b[1])}, va[2], vb[2];
        velocity_at(&w, c->a, point, va);
        velocity_at(&w, c->b, point, vb);
        double u[2] = {vb[0] - va[0], vb[1] - va[1]}, n[2] = {c->normal[0], c->normal[1]};
        double vn = u[0] * n[0] + u[1] * n[1], vt = u[1] * n[0] - u[0] * n[1];
        double inv_mass =
            ts_state_bodies(w.state)[c->b].inv_mass + (c->a < 0 ? 0 : ts_state_bodies(w.state)[c->a].inv_mass);
        double cn = law->cn + law->cn_mass / sqrt(inv_mass), ct = law->ct + law->ct_mass / sqrt(inv_mass);
        double fn = fmax(0, -law->kn * c->gap - cn * vn), ft = -law->kt * c->history[0] - ct * vt;
        sticking += fabs(ft) < 0.9 * law->friction * fn;
        ft = fmax(-law->friction * fn, fmin(law->friction * fn, ft));
        double scale = law->kn * -c->gap + cn * fabs(vn) + ct * fabs(vt) + law->kt * fabs(c->history[0]) + 1e-9;
        NEAR(c->force[0], fn * n[0] - ft * n[1], 1e-11 * scale);
        NEAR(c->force[1], fn * n[1] + ft * n[0], 1e-11 * scale);
    }
    assert_true(sticking > 5);
    ts_test_close(&w);
}

/* The contact of the same two parts, in either order, or NULL. */
static const ts_contact *find_same(const ts_contact *contact, size_t count, const ts_contact *like)
{
    uint64_t swapped = like->key << 32 | like->key >> 32;
    for (size_t k = 0; k < count; k++)
        if ((contact[k].a == like->a && contact[k].b == like->b && contact[k].key == like->key) ||
            (contact[k].a == like->b && contact[k].b == like->a && contact[k].key == swapped))
            return &contact[k];
    return NULL;
}

/* A free body that touches nothing. */
static size_t find_lone(const ts_test_world *w, const ts_contact *contact, size_t count)
{
    for (size_t i = 0; i < ts_model_body_count(w->model); i++) {
        bool touched = !(ts_state_bodies(w->state)[i].inv_mass > 0);
        for (size_t k = 0; k < count; k++)
            touched |= contact[k].a == (int64_t)i || contact[k].b == (int64_t)i;
        if (!touched)
            return i;
    }
    fail_msg("everything touches something");
    return 0;
}

/* Springs belong to contacts, not to lists: a list made anew, for looking or for a step, has them all. */
static void springs_survive_a_new_list(void **state)
{
    (void)state;
    ts_test_world w;
    open_bed(&w);
    ts_test_step(&w, 9000);
    for (size_t i = 0; i < ts_model_body_count(w.model); i++)
        OK(ts_state_set_velocity(w.state, i, (double[]){0, 0, 0}, ERROR));
    for (size_t k = 0; k < w.state->pair_count; k++) /* all different, and small enough to stick */
        w.state->spring[k] = 1e-12 * (double)(k + 1);
    for (size_t k = 0; k < w.state->wall_count; k++)
        w.state->wall_spring[k] = -1e-12 * (double)(k + 1);
    const ts_contact *contact;
    size_t count, again, walls = 0;
    OK(ts_find_contacts(w.model, w.state, w.work, &contact, &count, ERROR));
    ts_contact *before = malloc(count * sizeof *before);
    assert_non_null(before);
    memcpy(before, contact, count * sizeof *before);
    for (size_t k = 0; k < count; k++) {
        assert_true(before[k].history[0] != 0);
        walls += before[k].a < 0;
    }
    assert_true(count > 20 && walls > 5);

    /* a lone grain goes elsewhere, within the walls: that asks for a new list, first by looking, then by a step from
     * rest */
    OK(ts_state_set_pose(w.state, find_lone(&w, before, count), (double[]){0.125, 0.27, 0}, ERROR));
    for (int stepped = 0; stepped < 2; stepped++) {
        uint64_t lists = w.work->rebuild_count;
        ts_test_step(&w, (uint64_t)stepped);
        assert_int_equal(w.work->rebuild_count, lists + (uint64_t)stepped);
        OK(ts_find_contacts(w.model, w.state, w.work, &contact, &again, ERROR));
        size_t lost = 0;
        for (size_t k = 0; k < count; k++) {
            const ts_contact *same = find_same(contact, again, &before[k]);
            double normal = before[k].force[0] * before[k].normal[0] + before[k].force[1] * before[k].normal[1];
            const ts_contact_law *law = law_of(&w, &before[k]);
            bool sticks = law->kt * fabs(before[k].history[0]) < 0.9 * law->friction * normal;
            if (same && (!stepped || sticks))
                NEAR(same->history[0], before[k].history[0], 0);
            lost += !same;
        }
        assert_true(lost <= (stepped ? count / 10 : 0)); /* a contact may end in the step */
    }
    free(before);
    ts_test_close(&w);
}

/* A disc in a corner has two springs with two walls, and a new list does not mix them up. */
static void springs_in_a_corner_stay_apart(void **state)
{
    (void)state;
    ts_test_world w;
    ts_test_open(&w, 0);
    ts_test_box(w.scene, 1);
    int32_t disc = ts_test_disc(w.scene, 0.1);
    ts_test_body(w.scene, disc, 0.099, 0.099);
    ts_test_body(w.scene, disc, 0.5, 0.5);
    ts_test_start(&w, 1);
    ts_test_step(&w, 1);
    for (int looks = 0; looks < 2; looks++) {
        const ts_contact *contact;
        size_t count;
        if (looks == 0)
            for (size_t k = 0; k < w.state->wall_count; k++)
                w.state->wall_spring[k] = w.work->pairs.wall[k].a == 0 ? 1e-9 : -2e-9;
        else
            OK(ts_state_set_pose(w.state, 1, (double[]){0.7, 0.5, 0}, ERROR));
        OK(ts_find_contacts(w.model, w.state, w.work, &contact, &count, ERROR));
        assert_int_equal(count, 2);
        for (size_t k = 0; k < 2; k++)
            NEAR(contact[k].history[0], contact[k].a == -1 ? 1e-9 : -2e-9, 0);
    }
    ts_test_close(&w);
}

/* A body's acceleration is gravity and the sum of the forces that its contacts list, with the opposite on the other
 * side; and a wall feels what it gives. From rest, so that the middle of the step is where the bodies are. */
static void a_step_does_what_contacts_say(void **state)
{
    (void)state;
    ts_test_world w;
    open_bed(&w);
    ts_test_step(&w, 12000);
    size_t n = ts_model_body_count(w.model), walls = ts_model_wall_count(w.model);
    for (size_t i = 0; i < n; i++)
        OK(ts_state_set_velocity(w.state, i, (double[]){0, 0, 0}, ERROR));
    const ts_contact *contact;
    size_t count;
    OK(ts_find_contacts(w.model, w.state, w.work, &contact, &count, ERROR));
    assert_true(count > 30);
    double(*sum)[3] = calloc(n, sizeof *sum), *size = calloc(n, sizeof *size), (*wall)[2] = calloc(walls, sizeof *wall);
    assert_true(sum && size && wall);
    const ts_body *body = ts_state_bodies(w.state);
    for (size_t k = 0; k < count; k++) {
        const ts_contact *c = &contact[k];
        double point[2] = {0.5 * (c->point_a[0] + c->point_b[0]), 0.5 * (c->point_a[1] + c->point_b[1])};
        for (int side = 0; side < 2; side++) {
            int64_t id = side ? c->b : c->a;
            double sign = side ? 1 : -1;
            if (id < 0) {
                wall[-1 - id][0] += sign * c->force[0];
                wall[-1 - id][1] += sign * c->force[1];
                continue;
            }
            sum[id][0] += sign * c->force[0];
            sum[id][1] += sign * c->force[1];
            sum[id][2] += sign * ((point[0] - body[id].x) * c->force[1] - (point[1] - body[id].y) * c->force[0]);
            size[id] += hypot(c->force[0], c->force[1]);
        }
    }
    ts_test_step(&w, 1);
    double dt = ts_model_time_step(w.model), all = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(body[i].inv_mass > 0)) {
            assert_true(body[i].vx == 0 && body[i].vy == 0 && body[i].spin == 0);
            continue;
        }
        double rounding = 1e-12 * dt / ts_model_mass(w.model, i) * (size[i] + 1e-3);
        NEAR(body[i].vx, dt * sum[i][0] / ts_model_mass(w.model, i), rounding);
        NEAR(body[i].vy, dt * (sum[i][1] / ts_model_mass(w.model, i) - 9.81), rounding);
        NEAR(body[i].spin, dt * sum[i][2] / ts_test_inertia(w.model, i),
             1e-12 * dt / ts_test_inertia(w.model, i) * size[i] * body[i].radius + 1e-18);
        all += size[i];
    }
    for (size_t i = 0; i < walls; i++) {
        double force[3];
        OK(ts_wall_force(w.work, i, force, NULL, ERROR));
        NEAR(force[0], wall[i][0], 1e-12 * all);
        NEAR(force[1], wall[i][1], 1e-12 * all);
    }
    free(sum);
    free(size);
    free(wall);
    ts_test_close(&w);
}

/* Three discs at rest in a stack: each contact carries the weight above it, whatever the law. */
static void a_stack_carries_its_weight(void **state)
{
    (void)state;
    ts_test_world w;
    ts_test_open(&w, -9.81);
    ts_test_soften(w.scene, 1e6, 1e-4);
    ts_test_plane(w.scene, NULL, 0, 0, 0, 1);
    int32_t disc = ts_test_disc(w.scene, 0.1);
    for (int i = 0; i < 3; i++)
        ts_test_body(w.scene, disc, 0, 0.1 + 0.2 * i);
    ts_test_start(&w, 1);
    ts_test_step(&w, 60000);
    const ts_contact *contact;
    size_t count;
    OK(ts_find_contacts(w.model, w.state, w.work, &contact, &count, ERROR));
    assert_int_equal(count, 3);
    for (size_t k = 0; k < count; k++) {
        double up = contact[k].b > contact[k].a ? 1 : -1; /* the force on the upper of the two */
        int64_t upper = contact[k].b > contact[k].a ? contact[k].b : contact[k].a;
        double weight = (double)(3 - upper) * ts_model_mass(w.model, 0) * 9.81;
        NEAR(up * contact[k].force[1], weight, 1e-6 * weight);
        NEAR(contact[k].force[0], 0, 1e-6 * weight);
    }
    /* overlaps and energy follow: d = F/k, E = F²/2k */
    ts_measures m;
    OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
    double k = w.model->law[0].kn, one = ts_model_mass(w.model, 0) * 9.81;
    NEAR(m.max_overlap, 3 * one / k, 1e-6 * 3 * one / k);
    NEAR(m.mean_overlap, 2 * one / k, 1e-6 * 2 * one / k);
    NEAR(m.overlap_ratio, m.max_overlap / 0.1, 1e-12);
    NEAR(m.elastic, 14 * one * one / (2 * k), 1e-5 * 14 * one * one / (2 * k));
    assert_int_equal(m.contact_count, 3);
    ts_test_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_are_consistent),       cmocka_unit_test(listed_forces_follow_the_law),
        cmocka_unit_test(springs_survive_a_new_list),    cmocka_unit_test(springs_in_a_corner_stay_apart),
        cmocka_unit_test(a_step_does_what_contacts_say), cmocka_unit_test(a_stack_carries_its_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
