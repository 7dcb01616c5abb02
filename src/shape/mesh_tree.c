/* SPDX-License-Identifier: MIT */
#include "shape/mesh_tree.h"

#include <string.h>

#include "base/hash.h"
#include "base/kernel.h"
#include "base/memory.h"
#include "shape/mesh_tree_parts.h"

enum { LEAF = 8, BLOCK = 4, BINS = 16, NONE = -1 };

static const double coordinate_max = 1e50;  /* products of six stay finite */
static const double coordinate_min = 1e-50; /* the largest coordinate is not below: the same stay above zero */
static const double area_min = 1e-12;       /* twice the area over the longest edge squared: less has no normal */

TS_KERNEL_CHOOSER(ts_mesh_tree_kernels, ts_mesh_tree)

/* ---- Checks ---- */

static ts_status check(const ts_mesh *mesh, double *extent, ts_error *error)
{
    if (mesh->triangle_count < 1 || mesh->triangle_count > TS_MESH_TRIANGLES_MAX)
        return ts_fail(error, TS_BAD_INPUT,
                       "a mesh has %zu triangles, but 1 to %zu are possible; give a closed surface",
                       mesh->triangle_count, TS_MESH_TRIANGLES_MAX);
    *extent = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        ts_vec3 v = mesh->vertex[i];
        double size = fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
        if (!ts_vec3_is_finite(v) || size > coordinate_max)
            return ts_fail(error, TS_BAD_INPUT,
                           "vertex %zu of a mesh is at (%g, %g, %g), but coordinates must be finite and below %g; "
                           "mend the mesh",
                           i, v.x, v.y, v.z, coordinate_max);
        *extent = fmax(*extent, size);
    }
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            if (mesh->triangle[i][k] < 0 || (size_t)mesh->triangle[i][k] >= mesh->vertex_count)
                return ts_fail(error, TS_BAD_INPUT,
                               "triangle %zu of a mesh names vertex %d, but there are %zu; mend the mesh", i,
                               (int)mesh->triangle[i][k], mesh->vertex_count);
    if (*extent < coordinate_min)
        return ts_fail(error, TS_BAD_INPUT, "a mesh has no extent: all its coordinates are below %g; give a surface",
                       coordinate_min);
    return TS_OK;
}

/* ---- Corners and edges ---- */

/* Number given to each vertex of a mesh, the same to those at the same place, and to each edge. */
typedef struct builder {
    const ts_mesh *mesh;
    ts_mesh_tree *tree;
    int32_t *merged; /* (mesh->vertex_count) */
    int32_t *slot;   /* a table of numbers by hash; NONE: empty (slot_mask + 1) */
    size_t slot_count;
    size_t slot_mask;
    struct edge {
        int32_t low, high;       /* merged vertices */
        int32_t balance;         /* runs from low to high, less those from high to low */
        ts_vec3 sum;             /* of faces' normals */
        bool unknown;            /* a face of it has none */
    } * edge;                    /* (up to 3 triangle_count) */
    int32_t (*triangle_edge)[3]; /* in the mesh's order (triangle_count) */
    ts_vec3 *normal;             /* in the mesh's order (triangle_count) */
    bool *vertex_unknown;        /* (mesh->vertex_count) */
    int32_t *order;              /* of triangles in the leaves (triangle_count) */
    ts_box3 *box;                /* of triangles (triangle_count) */
    uint8_t *depth;              /* of nodes */
} builder;

static void clear_slots(builder *b, size_t expected)
{
    size_t count = 16;
    while (count < 2 * expected && count < b->slot_count)
        count *= 2;
    b->slot_mask = count - 1;
    for (size_t i = 0; i < count; i++)
        b->slot[i] = NONE;
}

static ts_vec3 without_negative_zero(ts_vec3 v)
{
    return (ts_vec3){v.x + 0.0, v.y + 0.0, v.z + 0.0};
}

/* merged[i] is the first vertex that is where vertex i is. */
static void merge_vertices(builder *b)
{
    const ts_mesh *mesh = b->mesh;
    clear_slots(b, mesh->vertex_count);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        ts_vec3 v = without_negative_zero(mesh->vertex[i]);
        size_t at = (size_t)ts_hash(&v, sizeof v, 0) & b->slot_mask;
        for (; b->slot[at] != NONE; at = (at + 1) & b->slot_mask) {
            ts_vec3 w = mesh->vertex[b->slot[at]];
            if (v.x == w.x && v.y == w.y && v.z == w.z)
                break;
        }
        if (b->slot[at] == NONE)
            b->slot[at] = (int32_t)i;
        b->merged[i] = b->slot[at];
    }
}

/* The number of the edge between two merged vertices, i < j. */
static int32_t number_edge(builder *b, int32_t i, int32_t j)
{
    const int32_t key[2] = {i, j};
    size_t at = (size_t)ts_hash(key, sizeof key, 0) & b->slot_mask;
    for (; b->slot[at] != NONE; at = (at + 1) & b->slot_mask)
        if (b->edge[b->slot[at]].low == i && b->edge[b->slot[at]].high == j)
            return b->slot[at];
    b->slot[at] = (int32_t)b->tree->edge_count++;
    b->edge[b->slot[at]] = (struct edge){.low = i, .high = j};
    return b->slot[at];
}

/* Edges of a triangle with two corners in one place are run there and back. Such an edge from a place to itself has a
 * number too. */
static void number_edges(builder *b)
{
    clear_slots(b, 3 * b->mesh->triangle_count);
    for (size_t t = 0; t < b->mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            int32_t i = b->merged[b->mesh->triangle[t][k]], j = b->merged[b->mesh->triangle[t][(k + 1) % 3]];
            int32_t e = i < j ? number_edge(b, i, j) : number_edge(b, j, i);
            b->edge[e].balance += (i < j) - (j < i);
            b->triangle_edge[t][k] = e;
        }
}

static ts_status check_closed(const builder *b, ts_error *error)
{
    size_t open = 0, first = 0;
    for (size_t e = b->tree->edge_count; e-- > 0;)
        if (b->edge[e].balance != 0) {
            open++;
            first = e;
        }
    if (open == 0)
        return TS_OK;
    ts_vec3 p = b->mesh->vertex[b->edge[first].low], q = b->mesh->vertex[b->edge[first].high];
    return ts_fail(error, TS_BAD_INPUT,
                   "a mesh is not closed: %zu of its edges, one from (%g, %g, %g) to (%g, %g, %g), have a triangle on "
                   "one side only, or two that are turned differently; close it first",
                   open, p.x, p.y, p.z, q.x, q.y, q.z);
}

/* ---- Normals ---- */

static ts_vec3 corner_of(const ts_mesh *mesh, size_t triangle, int k)
{
    return mesh->vertex[mesh->triangle[triangle][k % 3]];
}

static double angle_at(const ts_mesh *mesh, size_t t, int k)
{
    ts_vec3 p = corner_of(mesh, t, k);
    ts_vec3 u = ts_vec3_sub(corner_of(mesh, t, k + 1), p), v = ts_vec3_sub(corner_of(mesh, t, k + 2), p);
    return atan2(ts_vec3_length(ts_vec3_cross(u, v)), ts_vec3_dot(u, v));
}

static void find_normals(builder *b)
{
    const ts_mesh *mesh = b->mesh;
    ts_mesh_tree *tree = b->tree;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        ts_vec3 p = corner_of(mesh, t, 0), u = ts_vec3_sub(corner_of(mesh, t, 1), p);
        ts_vec3 v = ts_vec3_sub(corner_of(mesh, t, 2), p), w = ts_vec3_sub(v, u), n = ts_vec3_cross(u, v);
        double longest = fmax(ts_vec3_length_squared(u), fmax(ts_vec3_length_squared(v), ts_vec3_length_squared(w)));
        bool known = ts_vec3_length(n) > area_min * longest;
        b->normal[t] = known ? ts_vec3_unit(n) : (ts_vec3){0, 0, 0};
        for (int k = 0; k < 3; k++) {
            struct edge *e = &b->edge[b->triangle_edge[t][k]];
            int32_t i = b->merged[mesh->triangle[t][k]];
            e->sum = ts_vec3_add(e->sum, b->normal[t]);
            e->unknown |= !known;
            b->vertex_unknown[i] |= !known;
            if (known)
                tree->vertex_normal[i] = ts_vec3_add_scaled(tree->vertex_normal[i], b->normal[t], angle_at(mesh, t, k));
        }
    }
    for (size_t e = 0; e < tree->edge_count; e++)
        tree->edge_normal[e] = b->edge[e].unknown ? (ts_vec3){0, 0, 0} : ts_vec3_unit(b->edge[e].sum);
    for (size_t i = 0; i < tree->vertex_count; i++)
        tree->vertex_normal[i] = b->vertex_unknown[i] ? (ts_vec3){0, 0, 0} : ts_vec3_unit(tree->vertex_normal[i]);
}

/* ---- The tree ---- */

static const ts_box3 nothing = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

static ts_box3 join(ts_box3 a, ts_box3 b)
{
    return (ts_box3){ts_vec3_min(a.low, b.low), ts_vec3_max(a.high, b.high)};
}

/* Half the surface, but for a factor. */
static double surface_of(ts_box3 a)
{
    ts_vec3 s = ts_vec3_sub(a.high, a.low);
    return s.x * s.y + s.y * s.z + s.z * s.x;
}

static double along(ts_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* Twice the middle of a box. */
static ts_vec3 middle(ts_box3 a)
{
    return ts_vec3_add(a.low, a.high);
}

typedef struct cut {
    int axis;
    double low, per; /* bin = (middle − low) · per */
    int bins_left;   /* 0: no cut is to be had */
} cut;

static int bin_of(const cut *c, ts_box3 box)
{
    int bin = (int)((along(middle(box), c->axis) - c->low) * c->per);
    return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
}

/* Where Σ surface · count of the two halves is least, among the borders of equal bins along the longest axis of the
 * middles. */
static cut find_cut(const builder *b, const int32_t *order, int32_t count)
{
    ts_box3 spread = nothing;
    for (int32_t i = 0; i < count; i++) {
        ts_vec3 m = middle(b->box[order[i]]);
        spread = join(spread, (ts_box3){m, m});
    }
    ts_vec3 side = ts_vec3_sub(spread.high, spread.low);
    cut c = {.axis = side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2};
    c.low = along(spread.low, c.axis);
    c.per = BINS / along(side, c.axis);
    if (!(c.per < HUGE_VAL))
        return c;
    ts_box3 box[BINS], left = nothing;
    int32_t number[BINS] = {0}, before = 0;
    for (int k = 0; k < BINS; k++)
        box[k] = nothing;
    for (int32_t i = 0; i < count; i++) {
        int k = bin_of(&c, b->box[order[i]]);
        box[k] = join(box[k], b->box[order[i]]);
        number[k]++;
    }
    double right[BINS + 1] = {0}, best = HUGE_VAL;
    ts_box3 rest = nothing;
    int32_t after = 0;
    for (int k = BINS - 1; k > 0; k--) {
        rest = join(rest, box[k]);
        after += number[k];
        right[k] = after ? after * surface_of(rest) : -1;
    }
    for (int k = 1; k < BINS; k++) {
        left = join(left, box[k - 1]);
        before += number[k - 1];
        double cost = before && right[k] >= 0 ? before * surface_of(left) + right[k] : HUGE_VAL;
        if (cost < best) {
            best = cost;
            c.bins_left = k;
        }
    }
    return c;
}

/* Sorts a range into two parts; returns the size of the first, at least 1 and less than count. */
static int32_t divide(const builder *b, int32_t *order, int32_t count, int depth)
{
    cut c = depth < TS_MESH_TREE_DEPTH_FREE ? find_cut(b, order, count) : (cut){.bins_left = 0};
    if (c.bins_left == 0)
        return count / 2;
    int32_t left = 0;
    for (int32_t i = 0; i < count; i++)
        if (bin_of(&c, b->box[order[i]]) < c.bins_left) {
            int32_t swap = order[left];
            order[left++] = order[i];
            order[i] = swap;
        }
    return left;
}

static void grow(builder *b)
{
    ts_mesh_tree *tree = b->tree;
    tree->node[0] = (ts_mesh_tree_node){.first = 0, .count = (int32_t)tree->triangle_count};
    tree->node_count = 1;
    for (size_t i = 0; i < tree->node_count; i++) {
        ts_mesh_tree_node *node = &tree->node[i];
        int32_t *order = b->order + node->first, count = node->count;
        node->box = nothing;
        for (int32_t k = 0; k < count; k++)
            node->box = join(node->box, b->box[order[k]]);
        if (count <= LEAF) {
            node->block = (int32_t)tree->block_count;
            tree->block_count += (size_t)(count + BLOCK - 1) / BLOCK;
            continue;
        }
        int32_t left = divide(b, order, count, b->depth[i]), first = node->first;
        size_t child = tree->node_count;
        tree->node_count += 2;
        tree->node[child] = (ts_mesh_tree_node){.first = first, .count = left};
        tree->node[child + 1] = (ts_mesh_tree_node){.first = first + left, .count = count - left};
        b->depth[child] = b->depth[child + 1] = (uint8_t)(b->depth[i] + 1);
        node->first = (int32_t)child;
        node->count = 0;
    }
}

static void fill_triangles(builder *b)
{
    ts_mesh_tree *tree = b->tree;
    for (size_t i = 0; i < tree->triangle_count; i++) {
        int32_t t = b->order[i];
        tree->place[t] = (int32_t)i;
        tree->feature[i].triangle = t;
        tree->triangle[i].normal = b->normal[t];
        for (int k = 0; k < 3; k++) {
            tree->triangle[i].corner[k] = corner_of(b->mesh, (size_t)t, k);
            tree->feature[i].vertex[k] = b->merged[b->mesh->triangle[t][k]];
            tree->feature[i].edge[k] = b->triangle_edge[t][k];
        }
    }
}

static void fill_lane(ts_mesh_tree_block *block, int lane, const ts_mesh_tree_triangle *t)
{
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        ts_vec3 p = t->corner[k], e = ts_vec3_sub(t->corner[(k + 1) % 3], p);
        double squared = ts_vec3_dot(e, e);
        longest = fmax(longest, squared);
        for (int axis = 0; axis < 3; axis++)
            block->corner[k][axis][lane] = along(p, axis);
        block->per_edge[k][lane] = squared > 0 ? 1 / squared : 0;
    }
    ts_vec3 n = ts_vec3_cross(ts_vec3_sub(t->corner[1], t->corner[0]), ts_vec3_sub(t->corner[2], t->corner[0]));
    bool thin = ts_vec3_length(n) <= TS_MESH_TREE_THIN * longest;
    for (int axis = 0; axis < 3; axis++)
        block->normal[axis][lane] = thin ? 0 : along(t->normal, axis);
}

static void fill_blocks(ts_mesh_tree *tree)
{
    for (size_t i = 0; i < tree->node_count; i++) {
        const ts_mesh_tree_node *node = &tree->node[i];
        for (int32_t k = 0; k < node->count; k += BLOCK)
            for (int lane = 0; lane < BLOCK; lane++) {
                int32_t at = k + lane < node->count ? k + lane : node->count - 1;
                fill_lane(&tree->block[node->block + k / BLOCK], lane, &tree->triangle[node->first + at]);
            }
    }
}

/* ---- Far away ---- */

/* Sums over triangles: area · normal, area · centre, and the sum of areas. */
typedef struct sums {
    ts_vec3 moment, weighted;
    double area;
} sums;

static sums sums_of_leaf(const ts_mesh_tree *tree, const ts_mesh_tree_node *node)
{
    sums s = {0};
    for (int32_t k = node->first; k < node->first + node->count; k++) {
        const ts_vec3 *p = tree->triangle[k].corner;
        ts_vec3 n = ts_vec3_scale(ts_vec3_cross(ts_vec3_sub(p[1], p[0]), ts_vec3_sub(p[2], p[0])), 0.5);
        double area = ts_vec3_length(n);
        s.moment = ts_vec3_add(s.moment, n);
        s.weighted =
            ts_vec3_add_scaled(s.weighted, ts_vec3_scale(ts_vec3_add(ts_vec3_add(p[0], p[1]), p[2]), 1.0 / 3), area);
        s.area += area;
    }
    return s;
}

static double farthest(ts_box3 box, ts_vec3 p)
{
    ts_vec3 a = ts_vec3_sub(p, box.low), b = ts_vec3_sub(box.high, p);
    return ts_vec3_length(ts_vec3_max(a, b));
}

/* From the last node to the first, so that children come before their parents. */
static void fill_dipoles(ts_mesh_tree *tree, sums *sum)
{
    for (size_t i = tree->node_count; i-- > 0;) {
        const ts_mesh_tree_node *node = &tree->node[i];
        sums s;
        if (node->count > 0) {
            s = sums_of_leaf(tree, node);
        } else {
            const sums *x = &sum[node->first], *y = x + 1;
            s.moment = ts_vec3_add(x->moment, y->moment);
            s.weighted = ts_vec3_add(x->weighted, y->weighted);
            s.area = x->area + y->area;
        }
        sum[i] = s;
        ts_vec3 centre = s.area > 0 ? ts_vec3_scale(s.weighted, 1 / s.area) : ts_vec3_scale(middle(node->box), 0.5);
        tree->dipole[i] = (ts_mesh_tree_dipole){centre, s.moment, farthest(node->box, centre)};
    }
}

/* Σ of tetrahedra with a corner in the middle, where they cancel least. */
static double find_volume(const ts_mesh_tree *tree)
{
    ts_vec3 c = ts_vec3_scale(middle(tree->node[0].box), 0.5);
    double sum = 0;
    for (size_t i = 0; i < tree->triangle_count; i++) {
        const ts_vec3 *p = tree->triangle[i].corner;
        sum += ts_vec3_dot(ts_vec3_sub(p[0], c), ts_vec3_cross(ts_vec3_sub(p[1], c), ts_vec3_sub(p[2], c)));
    }
    return sum / 6;
}

/* ---- Making ---- */

static void free_builder(builder *b)
{
    ts_free(b->merged);
    ts_free(b->slot);
    ts_free(b->edge);
    ts_free(b->triangle_edge);
    ts_free(b->normal);
    ts_free(b->vertex_unknown);
    ts_free(b->order);
    ts_free(b->box);
    ts_free(b->depth);
}

/* Room for what is known in size before anything is looked at. */
static bool make_room(builder *b)
{
    ts_mesh_tree *tree = b->tree;
    size_t triangles = b->mesh->triangle_count, vertices = b->mesh->vertex_count, most = 3 * triangles;
    most = most > vertices ? most : vertices;
    b->slot_count = 16;
    while (b->slot_count < 2 * most)
        b->slot_count *= 2;
    b->merged = ts_alloc_raw(vertices, sizeof *b->merged);
    b->slot = ts_alloc_raw(b->slot_count, sizeof *b->slot);
    b->edge = ts_alloc_raw(3 * triangles, sizeof *b->edge);
    b->triangle_edge = ts_alloc_raw(triangles, sizeof *b->triangle_edge);
    b->normal = ts_alloc_raw(triangles, sizeof *b->normal);
    b->vertex_unknown = ts_alloc(vertices, sizeof *b->vertex_unknown);
    b->order = ts_alloc_raw(triangles, sizeof *b->order);
    b->box = ts_alloc_raw(triangles, sizeof *b->box);
    b->depth = ts_alloc(2 * triangles, sizeof *b->depth);
    tree->node = ts_alloc(2 * triangles, sizeof *tree->node);
    tree->triangle = ts_alloc_raw(triangles, sizeof *tree->triangle);
    tree->feature = ts_alloc_raw(triangles, sizeof *tree->feature);
    tree->place = ts_alloc_raw(triangles, sizeof *tree->place);
    tree->vertex_normal = ts_alloc(vertices, sizeof *tree->vertex_normal);
    tree->triangle_count = triangles;
    tree->vertex_count = vertices;
    return b->merged && b->slot && b->edge && b->triangle_edge && b->normal && b->vertex_unknown && b->order &&
           b->box && b->depth && tree->node && tree->triangle && tree->feature && tree->place && tree->vertex_normal;
}

static ts_status build(builder *b, ts_error *error)
{
    ts_mesh_tree *tree = b->tree;
    if (!make_room(b))
        return ts_fail_memory(error, 0);
    merge_vertices(b);
    number_edges(b);
    if (!tree->flawed)
        TS_TRY(check_closed(b, error));
    TS_TRY(ts_new_raw(&tree->edge_normal, tree->edge_count, error));
    find_normals(b);
    for (size_t t = 0; t < tree->triangle_count; t++) {
        b->order[t] = (int32_t)t;
        b->box[t] = nothing;
        for (int k = 0; k < 3; k++) {
            ts_vec3 p = corner_of(b->mesh, t, k);
            b->box[t] = join(b->box[t], (ts_box3){p, p});
        }
    }
    grow(b);
    fill_triangles(b);
    TS_TRY(ts_new_raw(&tree->block, tree->block_count, error));
    fill_blocks(tree);
    tree->dipole = ts_alloc_raw(tree->node_count, sizeof *tree->dipole);
    sums *sum = ts_alloc_raw(tree->node_count, sizeof *sum);
    if (tree->dipole && sum)
        fill_dipoles(tree, sum);
    ts_free(sum);
    if (!tree->dipole || !sum)
        return ts_fail_memory(error, tree->node_count * (sizeof *tree->dipole + sizeof *sum));
    tree->volume = find_volume(tree);
    return TS_OK;
}

static ts_status create(const ts_mesh *mesh, bool flawed, ts_mesh_tree **tree, ts_error *error)
{
    *tree = NULL;
    double extent;
    TS_TRY(check(mesh, &extent, error));
    TS_AUTO(ts_mesh_tree_free_at) ts_mesh_tree *made = NULL;
    TS_TRY(ts_new(&made, 1, error));
    made->extent = extent;
    made->flawed = flawed;
    made->kernel = ts_mesh_tree_choose();
    TS_AUTO(free_builder) builder b = {.mesh = mesh, .tree = made};
    TS_TRY(build(&b, error));
    *tree = ts_give(&made);
    return TS_OK;
}

ts_status ts_mesh_tree_create(const ts_mesh *mesh, ts_mesh_tree **tree, ts_error *error)
{
    return create(mesh, false, tree, error);
}

ts_status ts_mesh_tree_create_flawed(const ts_mesh *mesh, ts_mesh_tree **tree, ts_error *error)
{
    return create(mesh, true, tree, error);
}

void ts_mesh_tree_free(ts_mesh_tree *tree)
{
    if (!tree)
        return;
    ts_free(tree->node);
    ts_free(tree->dipole);
    ts_free(tree->triangle);
    ts_free(tree->feature);
    ts_free(tree->block);
    ts_free(tree->place);
    ts_free(tree->vertex_normal);
    ts_free(tree->edge_normal);
    ts_free(tree);
}

size_t ts_mesh_tree_bytes(const ts_mesh_tree *tree)
{
    return sizeof *tree + 2 * tree->triangle_count * sizeof *tree->node + tree->node_count * sizeof *tree->dipole +
           tree->block_count * sizeof *tree->block +
           tree->triangle_count * (sizeof *tree->triangle + sizeof *tree->feature + sizeof *tree->place) +
           tree->vertex_count * sizeof *tree->vertex_normal + tree->edge_count * sizeof *tree->edge_normal;
}

double ts_mesh_tree_volume(const ts_mesh_tree *tree)
{
    return tree->volume;
}
