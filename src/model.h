/* SPDX-License-Identifier: MIT */
/* What never changes during a run.
 *
 * A scene compiles into a model (scene/compile.c). Bodies keep their id, the index into every per-body array, for good.
 *
 * Bodies and parts. A body is a rigid cluster of one or more *parts*; a part is a disc fixed to its body, and the unit
 * that the broad phase and the contact kernels know. Part k of a one-disc body sits at its centre, so for a scene of
 * plain discs parts and bodies are the same. An outline is one part, with its bounding circle.
 *
 *     body i owns parts  part_begin[i] .. part_begin[i + 1] - 1
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/vec.h"
#include "body/drive.h"
#include "body/flight.h"
#include "body/spring.h"
#include "contact/law.h"
#include "shape/form.h"
#include "shape/outline.h"
#include "touchstone/sim.h"

typedef struct ts_dynamics ts_dynamics; /* dynamics/dynamics.h */

/* Where outlines touch each other and walls. */
typedef enum ts_places {
    TS_PLACES_ONE,     /* at one place a pair, from its contact map, with a couple: the published law */
    TS_PLACES_MAP,     /* at the nearest place, from the map, and where it is asked around that, at others */
    TS_PLACES_FEATURES /* at every place, from corners, arcs and edges (contact/features.h) */
} ts_places;

/* Which contacts of a step a dynamics wants: its resolver says so (dynamics/dynamics.h). */
typedef struct ts_contact_search {
    double at;           /* when in the step they are looked for: 0 its beginning, 1 its end [1] */
    bool falling;        /* bodies get there by free fall, with gravity's ½h²; otherwise at their velocities */
    bool throughout;     /* velocities change at once, so pairs must be known from beginning to end, not only there */
    double open;         /* those that are open are wanted as well, up to this share of the smaller radius [1] */
    double weight_least; /* of space: those of less weight are left out [1] */
    double (*reach)(const ts_model *model, const ts_state *state); /* how far apart pairs must be listed now; NULL:
                                                                      the model's reach [m] */
} ts_contact_search;

/* A shape as compiled: its discs or its outline about its centre of mass, at scale 1. An outline has one disc, its
 * bounding circle, so that all that only asks how far a shape reaches need not know outlines. */
typedef struct ts_shape {
    char *name;          /* may be NULL */
    ts_disc *disc;       /* about the centre of mass (disc_count) [m] */
    size_t disc_count;   /* at least 1 */
    ts_outline *outline; /* about the centre of mass; NULL: the shape is the union of its discs */
    double area;         /* of the shape itself [m²] */
    double inertia;      /* second moment of area about the centre of mass [m⁴] */
    double radius;       /* bounding circle about the centre of mass [m] */
    double
        inner; /* radius of the smallest disc, or of the largest one within an outline: overlaps are small beside it [m] */
} ts_shape;

/* A wall, in the frame of its motion: world = position + turned(local). A room in space is six of them. Polylines and
 * outlines are kept in that local frame, scale and angle worked in; the position of a polyline is the middle of its
 * bounding box. */
typedef struct ts_wall {
    char *name;         /* of the wall in the scene; may be NULL */
    ts_wall_kind kind;  /* as in the scene; the six walls of a room are flat */
    int32_t source;     /* index of the wall in the scene */
    int32_t material;   /* index into law's rows */
    int32_t motion;     /* index into motion[], -1: none */
    double open, close; /* absent while open <= t < close [s]; both infinite: always there */
    ts_pose3 pose;      /* at displacement zero: a point of the edge, or the centre; in the plane never turned */

    /* plane */
    double nx, ny;      /* half-plane: unit normal towards the bodies, at angle zero; polyline, outline: (1, 0) */
    double radius;      /* circle; polyline, outline: bounding circle about the position [m] */
    size_t line_count;  /* polyline, outline: contours */
    ts_contour *line;   /* local frame; an outline's are clean, with the solid on the left of every edge (line_count) */
    ts_distance *reach; /* of those: distance, negative in an outline's solid; of a polyline only its size counts */

    /* space */
    size_t piece_begin, piece_count; /* solids in the wall's frame: range of piece[] */
} ts_wall;

/* What was mended in a mesh of a shape. */
typedef struct ts_note {
    int32_t shape; /* index into shape[] */
    char *text;    /* "cup.stl: 3 triangles turned over" */
} ts_note;

struct ts_model {
    int dimension;                /* 2: bodies in the plane, 3: bodies in space */
    const struct ts_world *world; /* what these do (world.h) */

    /* the scene's settings, with every 0 ("derive it") replaced by its value */
    ts_settings settings;
    double stable_step; /* [s] */
    ts_vec3 gravity;    /* [m/s²]; z = 0 in the plane */
    ts_camera camera;   /* of space */

    /* bodies (body_count), in the plane or in space */
    size_t body_count;
    ts_body *body;          /* plane: at time 0; radius and inv_mass are final */
    ts_body3 *body3;        /* space: at time 0 */
    double *mass;           /* also of fixed ones [kg] */
    double *inv_inertia;    /* plane [1/(kg·m²)]; 0 for fixed bodies */
    ts_inertia *inertia;    /* space: how each resists turning; also of fixed ones */
    double *body_scale;     /* plane: of the shape [1] */
    int32_t *body_shape;    /* plane: index into shape[] */
    int32_t *body_form;     /* space: index into form[] */
    uint8_t *body_material; /* index into law's rows; so there are at most 256 materials */
    int32_t *body_motion;   /* index into motion[], -1: none; NULL when no body is driven */
    int32_t *body_gate;     /* index into gate[], -1: none; NULL when no body has a gate */

    /* parts (part_count): the unit that the broad phase knows. In space the pieces of bodies, in the order of bodies,
     * then those of walls. In the plane the discs and outlines of bodies; the five arrays are NULL when
     * parts_are_bodies: part i is then body i, centred on it. */
    size_t part_count;
    int32_t *part_owner;   /* space: a body; -1 - i: wall i */
    int32_t *part_piece;   /* space: index into piece[] */
    bool parts_are_bodies; /* every body is one centred disc */
    size_t *part_begin;    /* body i's first part (body_count + 1) */
    int32_t *part_body;    /* owner */
    double *part_x;        /* centre in the body's frame, scaled [m] */
    double *part_y;
    double *part_radius; /* scaled [m] */

    size_t shape_count;
    ts_shape *shape; /* in space of each only its name */
    size_t note_count;
    ts_note *note; /* in the order of shapes */
    size_t form_count;
    ts_form3 *form; /* space: shapes at a scale */
    size_t piece_count;
    ts_piece *piece; /* space: of forms and walls */
    size_t hull_count, mesh_count;
    ts_hull **hull; /* what pieces refer to */
    ts_body_mesh *mesh;
    size_t smooth_count;
    ts_sdf_body **smooth;                 /* likewise */
    struct ts_manifold_options *manifold; /* how contacts of smooth bodies are found; NULL: the defaults */
    ts_map_options map;                   /* what contact maps shall be, as the scene says it */
    bool has_outlines;                    /* some body is an outline */
    struct ts_forms *forms; /* what parts look like to each other (contact/forms.h); NULL: all are discs */

    /* walls and scripts */
    size_t wall_count;
    ts_wall *wall;
    struct ts_faces *faces; /* of polylines and outlines (contact/faces.h); NULL: there are none */
    size_t motion_count;
    ts_motion *motion; /* scripted motions (body/drive.h) */
    size_t gate_count;
    ts_gate *gate; /* of bodies; a wall has its own times */
    size_t spring_count;
    ts_spring *spring; /* between bodies, or a body and the world (body/spring.h) */

    /* contact law: law[a * material_count + b] */
    size_t material_count;
    char **material_name; /* entries may be NULL */
    double *density;      /* of each material [kg/m²] */
    ts_contact_law *law;

    /* which dynamics resolves contacts, and its switches */
    const ts_dynamics *dynamics;
    const struct ts_resolver *resolver; /* its row for this dimension */
    ts_contact_search search;           /* the resolver's */
    const char *step_reason; /* what set a derived time step, "the springs' …"; NULL: nothing in particular */
    void *param;             /* the dynamics' own parameters: nobody else reads them */
    double reach; /* places that are open by as much are wanted, at most: bodies are followed until they close [m] */
    ts_places places; /* where bodies touch, as the scene says it or as it was chosen; never auto */
    bool exact_walls; /* outlines meet walls by features, whatever the places of pairs come from */
    double map_error; /* mean error that contact maps may have at most, of the smaller radius; 0: any [1] */

    uint64_t hash; /* of all that a result depends on */
    size_t bytes;  /* on the heap, without forms */
};

/* Whether outlines meet something by features. */
static inline bool ts_model_has_features(const ts_model *model)
{
    return model->places == TS_PLACES_FEATURES || model->exact_walls;
}

/* Whether a body can move by itself. */
bool ts_model_moves(const ts_model *model, size_t body);

/* Radius of a body's bounding circle or sphere about its centre of mass [m]. */
double ts_model_radius(const ts_model *model, size_t body);

/* Material of a body, or of wall -1 - owner. */
static inline size_t ts_model_material(const ts_model *model, int64_t owner)
{
    return owner >= 0 ? model->body_material[owner] : (size_t)model->wall[-1 - owner].material;
}

/* Whether contacts are found wherever bodies pass in a step: discs among themselves, and walls that are solid behind.
 * Others are looked at where a step ends, and must not go farther than they are thick. */
static inline bool ts_model_sweeps(const ts_model *model)
{
    return model->search.throughout && model->parts_are_bodies && !model->forms && !model->faces;
}

/* Whether the model can be stepped; why not, when its contact maps are not there yet. */
ts_status ts_model_can_run(const ts_model *model, ts_error *error);
