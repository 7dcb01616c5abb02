/* SPDX-License-Identifier: MIT */
#include "manifold/propose.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/threads.h"

#define COOKIE    0x70726f70
#define POSES_MAX 10000000
/* Lines that are tried for each collision. */
enum { TRIES = 64 };
/* Places along a line that are looked at for the first touch, and halvings from there. */
enum { PLACES = 48, HALVINGS = 30 };
/* Random numbers of a line: attitude, direction, where it passes, how deep. */
enum { ATTITUDE, DIRECTION = 3, OFFSET = 5, WAY = 7, NUMBERS };

TS_RELEASE_AT(ts_manifold_proposal, ts_manifold_proposal_free)

ts_manifold_propose_options ts_manifold_default_propose_options(void)
{
    return (ts_manifold_propose_options){
        .poses = 1000, .seed = 1, .depth = 0.02, .quantile = 0.95, .threads = 0, .cookie = COOKIE};
}

static ts_status check(const ts_manifold_propose_options *o, ts_error *error)
{
    if (o->cookie != COOKIE)
        return ts_fail(error, TS_BAD_INPUT,
                       "proposal: options are not set; begin with ts_manifold_default_propose_options()");
    if (o->poses < 1 || o->poses > POSES_MAX)
        return ts_fail(error, TS_BAD_INPUT, "proposal: %zu poses; give 1 to %d, such as 1000", o->poses, POSES_MAX);
    if (!(o->depth > 0 && o->depth <= 1))
        return ts_fail(error, TS_BAD_INPUT,
                       "proposal: a depth of %g of the length; give a number above 0 and up to 1, such as 0.02",
                       o->depth);
    if (!(o->quantile > 0 && o->quantile <= 1))
        return ts_fail(error, TS_BAD_INPUT,
                       "proposal: a quantile of %g; give a number above 0 and up to 1, such as 0.95", o->quantile);
    if (o->threads < 0 || o->threads > TS_POOL_THREADS_MAX)
        return ts_fail(error, TS_BAD_INPUT, "proposal: %d threads; give 0 (all) to %d", o->threads,
                       TS_POOL_THREADS_MAX);
    return TS_OK;
}

/* ---- Collisions ---- */

typedef struct job {
    ts_propose_body pair[2];
    ts_propose_work *work; /* of each thread */
    int threads;
    const ts_manifold_propose_options *options;
    double depth; /* [m] */
    ts_manifold_proposal *to;
    uint32_t *tried; /* lines for each pose; 0: no collision was found (poses) */
} job;

static ts_vec3 direction_of(double u, double v)
{
    const double z = 1 - 2 * u, r = sqrt(fmax(1 - z * z, 0)), angle = 2 * TS_PI * v;
    return (ts_vec3){r * cos(angle), r * sin(angle), z};
}

/* Uniform over all rotations (Shoemake 1992). */
static ts_quat attitude_of(const double u[3])
{
    const double a = sqrt(1 - u[0]), b = sqrt(u[0]), s = 2 * TS_PI * u[1], t = 2 * TS_PI * u[2];
    return ts_quat_unit((ts_quat){b * cos(t), a * sin(s), a * cos(s), b * sin(t)});
}

/* A line on which B's middle passes A's. */
typedef struct flight {
    ts_quat attitude;
    ts_vec3 from, along; /* B's origin at way 0; unit */
    double length, deeper;
} flight;

static flight fly(const job *j, const double u[NUMBERS])
{
    const ts_propose_body *a = &j->pair[0], *b = &j->pair[1];
    const double reach = a->radius + b->radius;
    flight f = {.attitude = attitude_of(u + ATTITUDE), .along = direction_of(u[DIRECTION], u[DIRECTION + 1])};
    const ts_vec3 other = fabs(f.along.x) < 0.6 ? (ts_vec3){1, 0, 0} : (ts_vec3){0, 1, 0};
    const ts_vec3 side = ts_vec3_unit(ts_vec3_cross(f.along, other)), up = ts_vec3_cross(f.along, side);
    const double offset = reach * sqrt(u[OFFSET]), angle = 2 * TS_PI * u[OFFSET + 1];
    ts_vec3 middle = ts_vec3_add_scaled(a->centre, f.along, -reach);
    middle = ts_vec3_add_scaled(middle, side, offset * cos(angle));
    middle = ts_vec3_add_scaled(middle, up, offset * sin(angle));
    f.from = ts_vec3_sub(middle, ts_quat_apply(f.attitude, b->centre));
    f.length = 2 * reach;
    f.deeper = u[WAY] * j->depth;
    return f;
}

static ts_pose3 pose_on(const flight *f, double way)
{
    return (ts_pose3){ts_vec3_add_scaled(f->from, f->along, way), f->attitude};
}

/* The pose past the first touch; false when they pass each other. Ends with the depths there in `work`. */
static bool collide(const job *j, const flight *f, ts_propose_work *work, ts_pose3 *pose)
{
    double apart = 0, touching = -1;
    for (int i = 1; i < PLACES && touching < 0; i++) {
        const double way = f->length * i / PLACES;
        if (ts_propose_depth(j->pair, pose_on(f, way), work) < 0)
            touching = way;
        else
            apart = way;
    }
    if (touching < 0)
        return false;
    for (int i = 0; i < HALVINGS; i++) {
        const double way = 0.5 * (apart + touching);
        *(ts_propose_depth(j->pair, pose_on(f, way), work) < 0 ? &touching : &apart) = way;
    }
    *pose = pose_on(f, touching + f->deeper);
    return ts_propose_depth(j->pair, *pose, work) < 0;
}

static void find_one(void *context, int task, int thread)
{
    const job *j = context;
    const size_t index = (size_t)task;
    ts_propose_work *work = &j->work[thread];
    for (uint32_t t = 0; t < TRIES; t++) {
        double u[NUMBERS];
        for (uint64_t k = 0; k < NUMBERS; k++)
            u[k] = ts_random_uniform(j->options->seed, index, t * NUMBERS + k);
        const flight f = fly(j, u);
        ts_pose3 pose;
        if (!collide(j, &f, work, &pose))
            continue;
        const ts_propose_counts n = ts_propose_count(j->pair, pose, work);
        for (int s = 0; s < 2; s++) {
            j->to->deepest[s][index] = n.deepest[s];
            j->to->vertex_rank[s][index] = n.vertex_rank[s];
            j->to->edge_rank[s][index] = n.edge_rank[s];
        }
        j->to->pairs[index] = n.pairs;
        j->to->pose[index] = (ts_manifold_pose){{pose.position.x, pose.position.y, pose.position.z},
                                                {pose.quat.w, pose.quat.x, pose.quat.y, pose.quat.z}};
        j->tried[index] = t + 1;
        return;
    }
}

/* ---- What is read off them ---- */

static int by_size(const void *x, const void *y)
{
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

/* The least count that so many of the poses do not exceed; 1 or more, and as many as there are at most. */
static ts_status quantile(const uint32_t *count, size_t n, double share, size_t most, size_t *to, ts_error *error)
{
    TS_AUTO_FREE uint32_t *sorted = NULL;
    TS_TRY(ts_new_raw(&sorted, n, error));
    memcpy(sorted, count, n * sizeof *count);
    qsort(sorted, n, sizeof *sorted, by_size);
    const size_t rank = (size_t)ceil(share * (double)n - 1e-9);
    const size_t value = sorted[rank > 0 ? rank - 1 : 0];
    *to = value < 1 ? 1 : value > most ? most : value;
    return TS_OK;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static ts_status read_off(const job *j, ts_error *error)
{
    ts_manifold_proposal *p = j->to;
    for (int s = 0; s < 2; s++) {
        const ts_sdf_body *body = j->pair[s].body;
        const size_t vertices = body->mesh->vertex_count, edges = body->edge_count, four = 4 * ts_sdf_count(body->sdf);
        TS_TRY(quantile(p->deepest[s], p->poses, j->options->quantile, vertices, &p->suggested.vertices[s], error));
        TS_TRY(quantile(p->pairs, p->poses, j->options->quantile, edges, &p->suggested.edges[s], error));
        TS_TRY(quantile(p->vertex_rank[s], p->poses, j->options->quantile, vertices, &p->covering.vertices[s], error));
        TS_TRY(quantile(p->edge_rank[s], p->poses, j->options->quantile, edges, &p->covering.edges[s], error));
        p->convex.vertices[s] = least(four, vertices);
        p->convex.edges[s] = least(four, edges);
        p->barrier.vertices[s] = vertices;
        p->barrier.edges[s] = edges;
    }
    for (size_t i = 0; i < p->poses; i++) {
        if (j->tried[i] == 0)
            return ts_fail(
                error, TS_BAD_INPUT,
                "proposal: %d random lines in a row made no collision; the bodies are too unlike in size, or "
                "too thin for their meshes: give meshes of more vertices",
                TRIES);
        p->tried += j->tried[i];
    }
    return TS_OK;
}

/* ---- Memory ---- */

static void job_end(job *j)
{
    for (int i = 0; j->work && i < j->threads; i++)
        for (int s = 0; s < 2; s++) {
            ts_free(j->work[i].phi[s]);
            ts_free(j->work[i].point[s]);
        }
    ts_free(j->work);
    ts_free(j->tried);
    for (int s = 0; s < 2; s++)
        ts_propose_body_free(&j->pair[s]);
}

static ts_status job_begin(job *j, const ts_sdf_body *const body[2], ts_error *error)
{
    TS_TRY(ts_new(&j->work, (size_t)j->threads, error));
    TS_TRY(ts_new(&j->tried, j->options->poses, error));
    j->depth = 0.5 * j->options->depth * (ts_sdf_length(body[0]->sdf) + ts_sdf_length(body[1]->sdf));
    for (int s = 0; s < 2; s++) {
        TS_TRY(ts_propose_body_create(body[s], &j->pair[s], error));
        for (int i = 0; i < j->threads; i++) {
            TS_TRY(ts_new_raw(&j->work[i].phi[s], body[s]->mesh->vertex_count, error));
            TS_TRY(ts_new_raw(&j->work[i].point[s], body[s]->mesh->vertex_count, error));
        }
    }
    return TS_OK;
}

static ts_status proposal_create(size_t poses, ts_manifold_proposal **proposal, ts_error *error)
{
    TS_AUTO(ts_manifold_proposal_free_at) ts_manifold_proposal *p = NULL;
    TS_TRY(ts_new(&p, 1, error));
    p->poses = poses;
    TS_TRY(ts_new(&p->pose, poses, error));
    for (int s = 0; s < 2; s++) {
        TS_TRY(ts_new(&p->deepest[s], poses, error));
        TS_TRY(ts_new(&p->vertex_rank[s], poses, error));
        TS_TRY(ts_new(&p->edge_rank[s], poses, error));
    }
    TS_TRY(ts_new(&p->pairs, poses, error));
    *proposal = ts_give(&p);
    return TS_OK;
}

ts_status ts_manifold_propose(const ts_smooth *a, const ts_smooth *b, const ts_manifold_propose_options *options,
                              ts_manifold_proposal **proposal, ts_error *error)
{
    TS_TRY(check(options, error));
    TS_AUTO(ts_manifold_proposal_free_at) ts_manifold_proposal *made = NULL;
    TS_TRY(proposal_create(options->poses, &made, error));
    TS_AUTO(ts_pool_free_at) ts_pool *pool = NULL;
    TS_TRY(ts_pool_create(options->threads, &pool, error));
    TS_AUTO(job_end) job j = {.options = options, .to = made, .threads = ts_pool_thread_count(pool)};
    TS_TRY(job_begin(&j, (const ts_sdf_body *const[2]){a, b}, error));
    ts_pool_run(pool, (int)options->poses, find_one, &j);
    TS_TRY(read_off(&j, error));
    *proposal = ts_give(&made);
    return TS_OK;
}

void ts_manifold_proposal_free(ts_manifold_proposal *proposal)
{
    if (!proposal)
        return;
    ts_free(proposal->pose);
    for (int s = 0; s < 2; s++) {
        ts_free(proposal->deepest[s]);
        ts_free(proposal->vertex_rank[s]);
        ts_free(proposal->edge_rank[s]);
    }
    ts_free(proposal->pairs);
    ts_free(proposal);
}
