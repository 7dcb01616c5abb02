/* SPDX-License-Identifier: MIT */
#include "shape/solid_mass.h"

/* Integrals over a body, from a point of reference: of 1, x, and x xᵀ. */
typedef struct integrals {
    double volume;
    ts_vec3 first;
    ts_mat3 second;
    ts_vec3 vector; /* twice the sum of the triangles' area vectors: zero for a closed surface */
    double area;    /* twice the sum of their areas */
} integrals;

/* Surfaces whose area vectors leave more than this of the area are not closed; volumes below this of the area to the
 * power of 3/2 are nothing. */
static const double gap_max = 1e-6, volume_min = 1e-12;

static void add_triangle(integrals *sum, ts_vec3 a, ts_vec3 b, ts_vec3 c)
{
    double volume = ts_vec3_dot(a, ts_vec3_cross(b, c)) / 6;
    ts_vec3 all = ts_vec3_add(ts_vec3_add(a, b), c);
    ts_mat3 square = ts_mat3_add(ts_mat3_add(ts_mat3_outer(a, a), ts_mat3_outer(b, b)),
                                 ts_mat3_add(ts_mat3_outer(c, c), ts_mat3_outer(all, all)));
    sum->volume += volume;
    sum->first = ts_vec3_add_scaled(sum->first, all, volume / 4);
    sum->second = ts_mat3_add(sum->second, ts_mat3_scale(square, volume / 20));
    ts_vec3 vector = ts_vec3_cross(ts_vec3_sub(b, a), ts_vec3_sub(c, a));
    sum->vector = ts_vec3_add(sum->vector, vector);
    sum->area += ts_vec3_length(vector);
}

/* I = tr(S) 1 − S of the second moments S about the same point. */
static ts_mat3 inertia_of(ts_mat3 second)
{
    double trace = second.m[0][0] + second.m[1][1] + second.m[2][2];
    return ts_mat3_add(ts_mat3_diagonal((ts_vec3){trace, trace, trace}), ts_mat3_scale(second, -1));
}

/* What a mass of 1 at x adds to the inertia about the origin. */
static ts_mat3 inertia_of_point(ts_vec3 x)
{
    return inertia_of(ts_mat3_outer(x, x));
}

static ts_solid_mass from_integrals(const integrals *sum, ts_vec3 reference)
{
    ts_vec3 shift = ts_vec3_scale(sum->first, 1 / sum->volume);
    ts_mat3 second = ts_mat3_add(sum->second, ts_mat3_scale(ts_mat3_outer(shift, shift), -sum->volume));
    return (ts_solid_mass){sum->volume, ts_vec3_add(reference, shift), inertia_of(second)};
}

static ts_status check_surface(const integrals *sum, const char *what, ts_error *error)
{
    if (!isfinite(sum->volume) || !isfinite(sum->area))
        return ts_fail(error, TS_BAD_INPUT,
                       "a %s has corners that are no numbers, or too far away; give lengths in metres", what);
    if (ts_vec3_length(sum->vector) > gap_max * sum->area)
        return ts_fail(error, TS_BAD_INPUT,
                       "the surface of a %s is not closed, so that it has no volume; close its holes", what);
    if (!(fabs(sum->volume) > volume_min * sum->area * sqrt(sum->area)))
        return ts_fail(error, TS_BAD_INPUT, "a %s encloses no volume; give it a thickness", what);
    if (sum->volume < 0)
        return ts_fail(error, TS_BAD_INPUT,
                       "the volume of a %s is %g m³: its surface is inside out; reverse its triangles", what,
                       sum->volume);
    return TS_OK;
}

/* Very large or small numbers leave the range of doubles on the way to the fifth power of a length. */
static ts_status check_mass(const ts_solid_mass *mass, const char *what, ts_error *error)
{
    double trace = 0;
    for (int i = 0; i < 3; i++)
        trace += mass->inertia.m[i][i];
    if (!(mass->volume > 0) || !isfinite(mass->volume) || !(trace > 0) || !isfinite(trace))
        return ts_fail(error, TS_BAD_INPUT, "the volume of a %s is %g m³; give sizes in metres that are positive", what,
                       mass->volume);
    return TS_OK;
}

ts_status ts_solid_mass_of_mesh(const ts_mesh *mesh, ts_solid_mass *mass, ts_error *error)
{
    ts_box3 box = ts_mesh_bounds(mesh);
    ts_vec3 o = ts_vec3_lerp(box.low, box.high, 0.5);
    integrals sum = {0};
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *t = mesh->triangle[i];
        add_triangle(&sum, ts_vec3_sub(mesh->vertex[t[0]], o), ts_vec3_sub(mesh->vertex[t[1]], o),
                     ts_vec3_sub(mesh->vertex[t[2]], o));
    }
    TS_TRY(check_surface(&sum, "mesh", error));
    ts_solid_mass made = from_integrals(&sum, o);
    TS_TRY(check_mass(&made, "mesh", error));
    *mass = made;
    return TS_OK;
}

static ts_status mass_of_hull(const ts_hull *hull, ts_solid_mass *mass, ts_error *error)
{
    integrals sum = {0};
    for (size_t f = 0; f < hull->face_count; f++) {
        const int32_t *corner = hull->corner + hull->face_begin[f];
        ts_vec3 a = ts_vec3_sub(hull->vertex[corner[0]], hull->centre);
        for (int32_t i = 1; i + 1 < hull->face_begin[f + 1] - hull->face_begin[f]; i++)
            add_triangle(&sum, a, ts_vec3_sub(hull->vertex[corner[i]], hull->centre),
                         ts_vec3_sub(hull->vertex[corner[i + 1]], hull->centre));
    }
    TS_TRY(check_surface(&sum, "hull", error));
    *mass = from_integrals(&sum, hull->centre);
    return TS_OK;
}

/* A cylinder from −h to h on z, and a ball cut in two halves on its ends; m₁ and m₂ are their volumes. */
static ts_solid_mass mass_of_round(double m1, double m2, double r, double h)
{
    double across = m1 * (0.25 * r * r + h * h / 3) + m2 * (0.4 * r * r + h * h + 0.75 * h * r);
    double along = 0.5 * m1 * r * r + 0.4 * m2 * r * r;
    return (ts_solid_mass){m1 + m2, {0, 0, 0}, ts_mat3_diagonal((ts_vec3){across, across, along})};
}

static ts_solid_mass mass_of_box(ts_vec3 half)
{
    ts_vec3 square = ts_vec3_times(half, half);
    double volume = 8 * half.x * half.y * half.z;
    ts_vec3 moment = {square.y + square.z, square.z + square.x, square.x + square.y};
    return (ts_solid_mass){volume, {0, 0, 0}, ts_mat3_diagonal(ts_vec3_scale(moment, volume / 3))};
}

ts_status ts_solid_mass_of(const ts_solid *solid, ts_solid_mass *mass, ts_error *error)
{
    double r = solid->radius, h = solid->half_length, ball = 4.0 / 3 * TS_PI * r * r * r, rod = 2 * TS_PI * r * r * h;
    const char *name = ts_solid_name(solid->kind);
    ts_solid_mass made = {0};
    bool positive = r > 0;
    switch (solid->kind) {
    case TS_SOLID_SPHERE:
        made = mass_of_round(0, ball, r, 0);
        break;
    case TS_SOLID_CAPSULE:
        made = mass_of_round(rod, ball, r, h);
        positive = r > 0 && h >= 0;
        break;
    case TS_SOLID_CYLINDER:
        made = mass_of_round(rod, 0, r, h);
        positive = r > 0 && h > 0;
        break;
    case TS_SOLID_BOX:
        made = mass_of_box(solid->half);
        positive = solid->half.x > 0 && solid->half.y > 0 && solid->half.z > 0;
        break;
    case TS_SOLID_HULL:
        TS_TRY(mass_of_hull(solid->hull, &made, error));
        positive = true;
        break;
    case TS_SOLID_MESH:
        return ts_solid_mass_of_mesh(solid->mesh, mass, error);
    case TS_SOLID_SMOOTH:
        return ts_solid_mass_of_mesh(solid->smooth->mesh, mass, error);
    default:
        return ts_fail(error, TS_BAD_INPUT, "a %s has no volume, so that it can be a wall but not a body", name);
    }
    if (!positive)
        return ts_fail(error, TS_BAD_INPUT, "a %s has a size that is not positive; give lengths above 0", name);
    TS_TRY(check_mass(&made, name, error));
    *mass = made;
    return TS_OK;
}

ts_solid_mass ts_solid_mass_moved(const ts_solid_mass *mass, ts_pose3 pose)
{
    ts_mat3 turn = ts_quat_to_matrix(pose.quat);
    return (ts_solid_mass){mass->volume, ts_pose3_apply(pose, mass->centre),
                           ts_mat3_mul(ts_mat3_mul(turn, mass->inertia), ts_mat3_transpose(turn))};
}

ts_status ts_solid_mass_of_parts(const ts_solid_part *part, size_t count, ts_solid_mass *mass, ts_error *error)
{
    if (count == 0)
        return ts_fail(error, TS_BAD_INPUT, "a body has no parts; give it at least one");
    ts_solid_mass sum = {0};
    for (size_t i = 0; i < count; i++) {
        ts_solid_mass own;
        if (part[i].mass)
            own = *part[i].mass;
        else
            TS_TRY(ts_solid_mass_of(part[i].solid, &own, error));
        own = ts_solid_mass_moved(&own, part[i].pose);
        /* Huygens and Steiner: two bodies turn about their common centre like their reduced mass at their distance. */
        double volume = sum.volume + own.volume, share = own.volume / volume;
        ts_vec3 apart = i > 0 ? ts_vec3_sub(own.centre, sum.centre) : (ts_vec3){0, 0, 0};
        sum.inertia = ts_mat3_add(ts_mat3_add(sum.inertia, own.inertia),
                                  ts_mat3_scale(inertia_of_point(apart), sum.volume * share));
        sum.centre = i > 0 ? ts_vec3_add_scaled(sum.centre, apart, share) : own.centre;
        sum.volume = volume;
    }
    TS_TRY(check_mass(&sum, "body of parts", error));
    *mass = sum;
    return TS_OK;
}
