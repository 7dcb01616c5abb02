/* SPDX-License-Identifier: MIT */
/* Bodies whose pieces vary: their distances, and vertices that go along with the piece they belong to.
 *
 *     y = (size' / size) ∘ R⁻¹ (v − p),   v' = R' y + p'                then settle times  v' ← v' − φ(v') n(v')
 *
 * Primed is what was set. All of this is in the body's own frame. */
#include <math.h>
#include <string.h>

#include "manifold/parts.h"
#include "shape/sdf_kernel.h"

/* ---- Pieces ---- */

void ts_manifold_get_pieces(const ts_smooth *body, ts_manifold_piece *to)
{
    for (size_t i = 0; i < ts_sdf_count(body->sdf); i++) {
        const ts_primitive *p = ts_sdf_primitive(body->sdf, i);
        const ts_vec3 at = p->pose.position;
        const ts_quat q = p->pose.quat;
        to[i] = (ts_manifold_piece){{p->size.x, p->size.y, p->size.z},
                                    {p->exponent[0], p->exponent[1]},
                                    {at.x, at.y, at.z},
                                    {q.w, q.x, q.y, q.z}};
    }
}

ts_status ts_manifold_set_pieces(const ts_manifold *m, ts_manifold_work *w, int body, const ts_manifold_piece *piece,
                                 ts_error *error)
{
    if (body < 0 || body > 1)
        return ts_fail(error, TS_BAD_INPUT, "manifold: pieces of body %d are set; choose 0 (A) or 1 (B)", body);
    w->found = false;
    if (!piece) {
        w->varied[body].set = false;
        return TS_OK;
    }
    ts_primitive_numbers numbers[TS_SDF_PRIMITIVES_MAX];
    const size_t count = ts_sdf_count(m->body[body]->sdf);
    for (size_t i = 0; i < count; i++) {
        const ts_manifold_piece *p = &piece[i];
        const double *q = p->attitude;
        numbers[i] = (ts_primitive_numbers){ts_vec3_of(p->size),
                                            {p->exponents[0], p->exponents[1]},
                                            {ts_vec3_of(p->position), {q[0], q[1], q[2], q[3]}}};
    }
    TS_TRY(ts_sdf_set_numbers(w->varied[body].sdf, numbers, error));
    w->varied[body].set = true;
    return TS_OK;
}

/* ---- Vertices ---- */

/* Points that are asked for together. */
enum { BATCH = 64 };

void ts_manifold_find_owners(const ts_sdf_body *body, int32_t *belongs)
{
    const ts_sdf_packs *all = ts_sdf_packs_of(body->sdf);
    const ts_sdf_rule rule = ts_sdf_default_rule(body->sdf);
    const size_t count = body->mesh->vertex_count;
    for (size_t begin = 0; begin < count; begin += BATCH) {
        double x[BATCH], y[BATCH], z[BATCH], value[BATCH], least[BATCH];
        const size_t n = count - begin < BATCH ? count - begin : BATCH;
        for (size_t i = 0; i < n; i++) {
            const ts_vec3 v = body->mesh->vertex[begin + i];
            x[i] = v.x, y[i] = v.y, z[i] = v.z;
            least[i] = HUGE_VAL;
        }
        for (size_t k = 0; k < all->added + all->subtracted; k++) {
            const ts_sdf_packs one = {&all->pack[k], 1, 0, all->far};
            ts_sdf_choose()->ask(&one, &rule, &(ts_sdf_points){n, x, y, z}, &(ts_sdf_answers){.value = value});
            for (size_t i = 0; i < n; i++)
                if (fabs(value[i]) < least[i]) {
                    least[i] = fabs(value[i]);
                    belongs[begin + i] = (int32_t)all->pack[k].index;
                }
        }
    }
}

/* From where a vertex is in its piece's frame to where it goes. */
typedef struct motion {
    ts_mat3 from, to;
    ts_vec3 origin, target, scale, size; /* size: as made */
} motion;

static motion motion_of(const ts_manifold_work *w, int body, size_t piece)
{
    const ts_primitive *as_made = ts_sdf_primitive(w->manifold->body[body]->sdf, piece),
                       *now = ts_sdf_primitive(w->varied[body].sdf, piece);
    motion m = {ts_quat_to_matrix(as_made->pose.quat),
                ts_quat_to_matrix(now->pose.quat),
                as_made->pose.position,
                now->pose.position,
                {1, 1, 1},
                as_made->size};
    if (as_made->kind == TS_PRIMITIVE_SUPERQUADRIC)
        m.scale = (ts_vec3){now->size.x / m.size.x, now->size.y / m.size.y, now->size.z / m.size.z};
    return m;
}

static ts_vec3 in_piece(const motion *m, ts_vec3 v)
{
    return ts_mat3_apply_transposed(m->from, ts_vec3_sub(v, m->origin));
}

static void move_along(ts_manifold_work *w, int body)
{
    ts_manifold_varied *varied = &w->varied[body];
    const ts_sdf_body *b = w->manifold->body[body];
    const int32_t *belongs = w->manifold->belongs[body];
    motion m = {0};
    int32_t last = -1;
    for (size_t i = 0; i < b->mesh->vertex_count; i++) {
        if (belongs[i] != last)
            m = motion_of(w, body, (size_t)(last = belongs[i]));
        const ts_vec3 y = ts_vec3_times(in_piece(&m, b->mesh->vertex[i]), m.scale);
        ts_column_set(&varied->vertex, i, ts_vec3_add(ts_mat3_apply(m.to, y), m.target));
    }
}

static void settle(ts_manifold_work *w, int body)
{
    ts_manifold_varied *varied = &w->varied[body];
    const size_t n = w->manifold->body[body]->mesh->vertex_count;
    for (int k = 0; k < w->manifold->options.settle; k++) {
        const ts_columns *before = &varied->before[k], *normal = &varied->before_normal[k];
        double *phi = varied->before_phi[k];
        for (int i = 0; i < 3; i++)
            memcpy(before->of[i], varied->vertex.of[i], n * sizeof(double));
        ts_sdf_ask(varied->sdf, &w->rule.field[body], &(ts_sdf_points){n, before->of[0], before->of[1], before->of[2]},
                   &(ts_sdf_answers){.value = phi, .normal = {normal->of[0], normal->of[1], normal->of[2]}});
        for (int i = 0; i < 3; i++)
            for (size_t j = 0; j < n; j++)
                varied->vertex.of[i][j] = before->of[i][j] - phi[j] * normal->of[i][j];
    }
}

void ts_manifold_place_vertices(ts_manifold_work *w)
{
    for (int body = 0; body < 2; body++)
        if (w->varied[body].set) {
            move_along(w, body);
            settle(w, body);
        }
}

/* ---- The way back ---- */

static void settle_vjp(ts_manifold_work *w, int body)
{
    ts_manifold_varied *varied = &w->varied[body];
    const ts_columns *bar = &varied->vertex_bar;
    const size_t n = w->manifold->body[body]->mesh->vertex_count;
    for (int k = w->manifold->options.settle; k-- > 0;) {
        const ts_columns *before = &varied->before[k], *normal = &varied->before_normal[k];
        double *phi = varied->before_phi[k];
        for (size_t j = 0; j < n; j++) {
            const ts_vec3 f = ts_column_at(bar, j);
            varied->scratch[j] = -ts_vec3_dot(ts_column_at(normal, j), f);
            ts_column_set(normal, j, ts_vec3_scale(f, -phi[j])); /* its adjoint: it is not needed any more */
        }
        ts_sdf_ask_vjp(
            varied->sdf, &w->rule.field[body], &(ts_sdf_points){n, before->of[0], before->of[1], before->of[2]},
            &(ts_sdf_answers){.value = varied->scratch, .normal = {normal->of[0], normal->of[1], normal->of[2]}},
            bar->of, varied->bar);
    }
}

void ts_manifold_place_vertices_vjp(ts_manifold_work *w, int body)
{
    ts_manifold_varied *varied = &w->varied[body];
    const ts_sdf_body *b = w->manifold->body[body];
    const int32_t *belongs = w->manifold->belongs[body];
    const size_t n = b->mesh->vertex_count;
    for (size_t i = 0; i < n; i++)
        ts_column_set(&varied->vertex_bar, i,
                      ts_mat3_apply_transposed(w->turn[body], ts_column_at(&varied->vertex_bar, i)));
    settle_vjp(w, body);
    motion m = {0};
    int32_t last = -1;
    for (size_t i = 0; i < n; i++) {
        if (belongs[i] != last)
            m = motion_of(w, body, (size_t)(last = belongs[i]));
        ts_primitive_bar *to = &varied->bar[belongs[i]];
        const ts_vec3 f = ts_column_at(&varied->vertex_bar, i), y = in_piece(&m, b->mesh->vertex[i]);
        const ts_vec3 arm = ts_mat3_apply(m.to, ts_vec3_times(y, m.scale));
        to->position = ts_vec3_add(to->position, f);
        to->turn = ts_vec3_add(to->turn, ts_vec3_cross(arm, f));
        if (ts_sdf_primitive(varied->sdf, (size_t)belongs[i])->kind != TS_PRIMITIVE_SUPERQUADRIC)
            continue;
        const ts_vec3 back = ts_vec3_times(ts_mat3_apply_transposed(m.to, f), y);
        to->size = ts_vec3_add(to->size, (ts_vec3){back.x / m.size.x, back.y / m.size.y, back.z / m.size.z});
    }
}
