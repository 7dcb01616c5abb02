/* SPDX-License-Identifier: MIT */
/**
 * @file measure.h
 * What a granular scientist reads off a packing or a flow: packing fraction, stress, fabric, force chains, profiles, …
 *
 * Every measure is a function of a ts_snapshot, plain data that a running simulation, a recorded frame or a program of
 * your own fills:
 *
 *     ts_snapshot now = {0};
 *     ts_snapshot_take(model, state, work, &now, &error);
 *     ts_stress stress;
 *     ts_measure_stress(&now, NULL, &stress, &error);
 *     ts_snapshot_free(&now);
 *
 * *Grains* are the bodies that are there and not fixed; fixed and driven bodies are walls, as boundaries are.
 * docs/measures.md has every formula with its source. Signs: compression is positive; up is +y, in space +z; a force is
 * the one on B of a contact. What is made for the plane refuses bodies in space with TS_UNSUPPORTED. Everything is
 * deterministic: sums run in the order of bodies and contacts. What cannot be said of a snapshot (the mean force of no
 * contact) is NaN, not an error.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "touchstone/scene.h"
#include "touchstone/shape.h"
#include "touchstone/sim.h"
#include "touchstone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Groups of measures, as `touchstone measure --what` and a scene's output.measures name them ---- */

/** Bits of a set of groups. */
typedef enum ts_measure_group {
    TS_MEASURE_PACKING = 1 << 0,      /**< "packing" */
    TS_MEASURE_COORDINATION = 1 << 1, /**< "coordination" */
    TS_MEASURE_STRESS = 1 << 2,       /**< "stress" */
    TS_MEASURE_FABRIC = 1 << 3,       /**< "fabric" */
    TS_MEASURE_FORCES = 1 << 4,       /**< "forces" */
    TS_MEASURE_CHAINS = 1 << 5,       /**< "chains" */
    TS_MEASURE_TEMPERATURE = 1 << 6,  /**< "temperature" */
    TS_MEASURE_VELOCITY = 1 << 7,     /**< "velocity" */
    TS_MEASURE_FLOW = 1 << 8,         /**< "flow": needs a line and two snapshots */
    TS_MEASURE_REPOSE = 1 << 9,       /**< "repose" */
    TS_MEASURE_FRONT = 1 << 10,       /**< "front" */
    TS_MEASURE_SEGREGATION = 1 << 11, /**< "segregation" */
    TS_MEASURE_ENERGY = 1 << 12,      /**< "energy" */
    TS_MEASURE_HEIGHT = 1 << 13,      /**< "height" */
    TS_MEASURE_OVERLAP = 1 << 14,     /**< "overlap" */
    TS_MEASURE_ALL = (1 << 15) - 1,   /**< all of them */
    /** Those that a run may add to its energy table, which has the energies already: ts_settings.measures. */
    TS_MEASURE_OF_RUN = TS_MEASURE_ALL & ~TS_MEASURE_ENERGY,
    /** Those of them that one moment has. */
    TS_MEASURE_OF_STATE = TS_MEASURE_OF_RUN & ~TS_MEASURE_FLOW
} ts_measure_group;

/** Name of the group whose bit is 1 << index; NULL past the last. */
TS_API const char *ts_measure_name(size_t index);

/* ---- What is measured ---- */

/** One body of a snapshot. In the plane positions and velocities have z = 0, attitudes and spins are about z. */
typedef struct ts_snapshot_body {
    double position[3];   /**< centre of mass [m] */
    double attitude[4];   /**< space: unit quaternion w, x, y, z, from the body's frame to the world's */
    double angle;         /**< plane [rad] */
    double velocity[3];   /**< of the centre of mass [m/s] */
    double spin[3];       /**< angular velocity, world frame [rad/s] */
    double scale;         /**< of the shape's lengths [1] */
    double radius;        /**< of the bounding circle or sphere about the centre of mass [m] */
    double volume;        /**< [m³]; in the plane, where thickness is 1, the area [m²] */
    double mass;          /**< [kg] */
    double inertia[3][3]; /**< about the centre of mass, world frame [kg·m²]; in the plane only [2][2] is looked at */
    int32_t shape;        /**< index into the snapshot's shapes */
    int32_t material;     /**< number of its material */
    bool fixed;           /**< a wall: moves by a script if at all */
    bool present;         /**< false while a gate holds it away */
} ts_snapshot_body;

/** One shape of a snapshot, about its centre of mass. */
typedef struct ts_snapshot_shape {
    const ts_disc *disc;          /**< plane: their union is the shape, unless it has an outline (disc_count) [m] */
    size_t disc_count;            /**< plane: at least 1 */
    const ts_outline *outline;    /**< plane: NULL: the union of the discs */
    const struct ts_piece *piece; /**< space: solids whose union is the shape; NULL: a ball of the body's radius */
    size_t piece_count;           /**< space: number of pieces */
    double piece_scale;           /**< space: scale at which the pieces are; all else is at scale 1 [1] */
} ts_snapshot_shape;

/** All that a measure may look at. Zero it before its first use. */
typedef struct ts_snapshot {
    double time;       /**< [s] */
    int dimension;     /**< 3: space; 0 or 2: the plane */
    double gravity[3]; /**< [m/s²] */
    double elastic;    /**< energy in contact springs [J]; NaN: not known, as in a frame without contacts */
    double
        work; /**< done by what is driven and by impact's correction, since time 0 [J]; here and below NaN: not known */
    double lost_normal;       /**< energy lost to normal dashpots, since time 0 [J] */
    double lost_tangential;   /**< to tangential dashpots [J] */
    double lost_friction;     /**< to sliding [J] */
    bool has_contacts;        /**< contacts are known; when false, what needs them is NaN */
    size_t body_count;        /**< number of bodies */
    ts_snapshot_body *body;   /**< (body_count) */
    size_t shape_count;       /**< number of shapes */
    ts_snapshot_shape *shape; /**< (shape_count); what they point to is borrowed from the model or the trajectory */
    size_t contact_count;     /**< number of contacts */
    ts_contact *contact;      /**< those that touch (contact_count) */
    size_t body_capacity;     /**< bodies that ts_snapshot_take has room for; 0 when the arrays are your own */
    size_t shape_capacity;    /**< likewise */
    size_t contact_capacity;  /**< likewise */
} ts_snapshot;

/** Fills a snapshot, zeroed or used before, from a state as it stands. It stays valid as long as the model does. */
TS_API ts_status ts_snapshot_take(const ts_model *model, const ts_state *state, ts_workspace *work,
                                  ts_snapshot *snapshot, ts_error *error);
/** Frees what ts_snapshot_take filled and zeroes the snapshot; not for one whose arrays are your own. */
TS_API void ts_snapshot_free(ts_snapshot *snapshot);

/**
 * Whether all indices of a snapshot that you filled yourself exist: shapes of bodies, bodies of contacts. Every measure
 * asks this first and returns its TS_BAD_INPUT; materials and boundaries may have any number.
 */
TS_API ts_status ts_snapshot_check(const ts_snapshot *snapshot, ts_error *error);

/** The smallest upright box that holds all grains, exactly; all zero when there is none. Grains of unknown shape are
 * left out. */
TS_API ts_region ts_snapshot_region(const ts_snapshot *snapshot);

/** Slices of a box, side by side. */
typedef struct ts_bins {
    const ts_region *region; /**< NULL: that of the grains */
    size_t count;            /**< slices, at least 1 */
    bool along_x;            /**< slices follow each other along x; else from the bottom, along y, or z in space */
} ts_bins;

/* ---- How dense ---- */

/** Packing fraction. */
typedef struct ts_packing {
    double fraction;      /**< grain_volume / region_volume [1] */
    double grain_volume;  /**< of grains within the region [m³]; in the plane their area, exactly [m²] */
    double region_volume; /**< [m³]; in the plane its area [m²] */
    double
        error; /**< standard error of the fraction [1]: in space bodies that the region's border cuts are sampled; else 0 */
} ts_packing;

/** Share of a region that grains cover. `region` NULL: that of the grains, here and below. Overlaps count twice. */
TS_API ts_status ts_measure_packing(const ts_snapshot *snapshot, const ts_region *region, ts_packing *out,
                                    ts_error *error);
/** The same of each slice: `fraction` has room for bins->count. */
TS_API ts_status ts_measure_packing_profile(const ts_snapshot *snapshot, const ts_bins *bins, double *fraction,
                                            ts_error *error);

/* ---- Who touches whom ---- */

/** Coordination numbers. */
typedef struct ts_coordination {
    double contacts;   /**< mean number of contact points of a grain, walls' included [1] */
    double neighbours; /**< mean number of bodies and boundaries that a grain touches [1] */
    double backbone;   /**< mean contact points of a grain without rattlers, among what is left [1] */
    double rattlers;   /**< share of grains that are rattlers [1] */
} ts_coordination;

/**
 * Contacts of grains whose centres lie in the region (NULL: all grains). A rattler has fewer than `least` contact
 * points (0: 2, enough to hold a grain with friction; 3 without), counted anew as rattlers are taken away.
 */
TS_API ts_status ts_measure_coordination(const ts_snapshot *snapshot, const ts_region *region, int least,
                                         ts_coordination *out, ts_error *error);

/** Stress of a region; compression is positive. In space a force per area, in the plane a force per length. */
typedef struct ts_stress {
    double contact[3][3]; /**< σ_ij = (1/V) Σ f_i l_j over contacts [N/m², plane: N/m]; z is 0 in the plane */
    double kinetic[3]
                  [3]; /**< (M/V) ⟨v'_i v'_j⟩ about the velocity profile, as the temperature: tr/D = ρ T [likewise] */
    double pressure; /**< tr σ / D of the contact part, D dimensions [likewise] */
    double
        deviator; /**< half of the difference of the largest and the smallest principal stress, of its symmetric part */
    double principal_axis; /**< plane: direction of σ₁, in (−π/2, π/2] [rad]; NaN in space */
    double direction[3];   /**< unit vector along σ₁ */
} ts_stress;

/**
 * Love–Weber stress: each contact's branch vector counts with the part of it that lies in the region. The kinetic part
 * is about the profile of slices along what is up, two mean diameters thick.
 */
TS_API ts_status ts_measure_stress(const ts_snapshot *snapshot, const ts_region *region, ts_stress *out,
                                   ts_error *error);
/** The same of each slice; the kinetic part about the profile of these slices. */
TS_API ts_status ts_measure_stress_profile(const ts_snapshot *snapshot, const ts_bins *bins, ts_stress *out,
                                           ts_error *error);

/** Fabric tensor of contact normals. */
typedef struct ts_fabric {
    double tensor[3][3]; /**< (1/N) Σ n_i n_j; its trace is 1 [1] */
    double
        anisotropy; /**< plane: a of E(θ) = (1 + a cos 2(θ − θ_a)) / 2π; space: √(3/2 a_ij a_ij) of E(n) = (1 + a_ij n_i n_j) / 4π,
                              a_ij = 15/2 (F_ij − δ_ij/3) [1] */
    double axis;         /**< plane: θ_a, in (−π/2, π/2] [rad]; NaN in space */
    double direction[3]; /**< unit vector of the largest principal value */
    size_t count;        /**< contacts */
} ts_fabric;

/** Of contacts whose point lies in the region (NULL: of all); with `walls` also those of grains with walls. */
TS_API ts_status ts_measure_fabric(const ts_snapshot *snapshot, const ts_region *region, bool walls, ts_fabric *out,
                                   ts_error *error);

/** One bin of the rose of contact normals. */
typedef struct ts_rose_bin {
    double angle;      /**< middle of the bin [rad] */
    double density;    /**< probability density over [0, π): its integral is 1 [1/rad] */
    double normal;     /**< mean normal force of the bin's contacts [N]; NaN when it has none */
    double tangential; /**< mean tangential force, signed along the normal turned by +90° [N]; NaN likewise */
} ts_rose_bin;

/** Histogram of normals' directions, of the same contacts. Bins are centred on 0, π/n, 2π/n, …: a direction and its
 * opposite are one. */
TS_API ts_status ts_measure_rose(const ts_snapshot *snapshot, const ts_region *region, bool walls, size_t bin_count,
                                 ts_rose_bin *out, ts_error *error);

/** Whether all of a group's measures are made for bodies in space, too: all but repose; in space overlap is that of
 * contacts. */
TS_API uint32_t ts_measure_groups(int dimension);

/** How far bodies lie in each other, by the intersections of their shapes: no contact and no map has a part in it. */
typedef struct ts_overlaps {
    size_t pairs;      /**< pairs of grains, or of a grain and a fixed body, whose shapes overlap */
    size_t through;    /**< those of them that are pushed half-way through each other, or farther */
    double mean_depth; /**< of the pairs: diameter of the largest disc in the intersection [m]; NaN without pairs */
    double most_depth; /**< largest [m]; 0 without pairs */
    double mean_share; /**< of the pairs: area of the intersection over that of the smaller body [1]; NaN likewise */
    double most_share; /**< largest [1]; 0 likewise */
} ts_overlaps;

/** Of pairs whose intersection has the centre of its largest disc in the region (NULL: of all). Boundaries have no part
 * in it. */
TS_API ts_status ts_measure_overlaps(const ts_snapshot *snapshot, const ts_region *region, ts_overlaps *out,
                                     ts_error *error);

/** Two bodies that are linked. What is 0 of `reach` and `limit` is not looked at. */
typedef struct ts_joint {
    size_t a;       /**< index of one body */
    size_t b;       /**< of the other */
    double reach;   /**< the centres are at most this far apart [m] */
    double limit;   /**< the two points below are at most this far apart, as a ball's centre in its socket [m] */
    double at_a[2]; /**< a point of A in its own frame, about its centre of mass and at scale 1 [m] */
    double at_b[2]; /**< the point of B that belongs there, likewise [m] */
} ts_joint;

/** Which joints hold. */
typedef struct ts_joints {
    size_t count;   /**< joints, all of them */
    size_t intact;  /**< those that hold: all that is looked at keeps its limit, and both bodies are there */
    size_t first;   /**< the first one that does not; `count` when all hold */
    size_t run;     /**< most joints in a row, in the order given, that hold */
    double stretch; /**< largest distance over its limit, of all that is looked at [1]; at most 1: all hold */
} ts_joints;

/**
 * Joints between bodies i and i + 1, from `first` on, for `count` joints, as a snapshot has them before anything moves:
 * `reach` is `factor` (0: 1.5) times the distance of their centres there. `limit` is 0; points are yours to add.
 */
TS_API ts_status ts_joints_of_row(const ts_snapshot *snapshot, size_t first, size_t count, double factor,
                                  ts_joint *joint, ts_error *error);
/** Which of `count` joints hold. */
TS_API ts_status ts_measure_joints(const ts_snapshot *snapshot, const ts_joint *joint, size_t count, ts_joints *out,
                                   ts_error *error);

/* ---- Forces ---- */

/** Distribution of normal forces, of contacts that push. */
typedef struct ts_forces {
    double mean;         /**< ⟨f⟩ [N] */
    double largest;      /**< [N] */
    double spread;       /**< standard deviation, over ⟨f⟩ [1] */
    double strong_share; /**< contacts with f > ⟨f⟩ [1] */
    double tail;         /**< β of P(f) ∝ exp(−β f/⟨f⟩) for f > ⟨f⟩, by maximum likelihood [1] */
    double tail_error;   /**< its standard error [1] */
    size_t count;        /**< contacts that push */
} ts_forces;

/** Of contacts whose point lies in the region (NULL: of all). */
TS_API ts_status ts_measure_forces(const ts_snapshot *snapshot, const ts_region *region, ts_forces *out,
                                   ts_error *error);
/** Probability density of f/⟨f⟩ in `bin_count` bins of equal width over [0, most); forces beyond are counted in no bin.
 * */
TS_API ts_status ts_measure_force_histogram(const ts_snapshot *snapshot, const ts_region *region, double most,
                                            size_t bin_count, double *density, ts_error *error);

/** Force chains (docs/measures.md defines them). */
typedef struct ts_chains {
    double threshold;    /**< mean normal force of pairs of grains: stronger ones make the strong network [N] */
    size_t clusters;     /**< connected pieces of the strong network with at least three grains */
    size_t largest;      /**< grains of the largest of them */
    size_t count;        /**< quasi-linear chains of at least three grains */
    double mean_length;  /**< grains of a chain [1]; NaN when there is none */
    size_t longest;      /**< grains of the longest */
    double member_share; /**< share of the grains that are in a chain [1] */
} ts_chains;

/** Chains of grains whose centres lie in the region (NULL: of all); they turn by less than `deflection` at each (0:
 * π/4). */
TS_API ts_status ts_measure_chains(const ts_snapshot *snapshot, const ts_region *region, double deflection,
                                   ts_chains *out, ts_error *error);

/* ---- Motion ---- */

/** Motion of a slice. */
typedef struct ts_velocity_bin {
    double low;         /**< lower edge [m] */
    double high;        /**< upper edge [m] */
    double at;          /**< mean position of its grains, by mass [m]; NaN in all of these when there is none */
    double velocity[3]; /**< mean by mass [m/s] */
    double spin[3];     /**< mean by moment of inertia [rad/s]; in space by the mean of the three moments */
    double shear_rate; /**< ∂v_x/∂up (slices along up) or ∂v_up/∂x, by differences of neighbouring slices [1/s] */
    double temperature; /**< translational, about the profile, unbiased [m²/s²]; NaN below two grains */
    double rotational;  /**< rotational temperature, about the slice's mean spin, unbiased [m²/s²]; NaN likewise */
    size_t count;       /**< grains whose centre lies in it */
} ts_velocity_bin;

/** Mean velocity, shear rate and granular temperature of each slice. */
TS_API ts_status ts_measure_velocity_profile(const ts_snapshot *snapshot, const ts_bins *bins, ts_velocity_bin *out,
                                             ts_error *error);

/** Mean motion and granular temperature of grains whose centre lies in the region. */
typedef struct ts_motion_measures {
    double velocity[3]; /**< mean by mass [m/s] */
    double spin[3];     /**< mean by moment of inertia [rad/s]; in space by the mean of the three moments */
    double shear_rate;  /**< slope of the velocity over the slices, by least squares over grains [1/s] */
    double temperature; /**< ⟨|v − V|²⟩ / D by mass, V interpolated in the profile, unbiased [m²/s²] */
    double about_mean;  /**< the same about the mean velocity of all [m²/s²] */
    double rotational; /**< Σ I |ω − Ω|² / (R Σ m), Ω the slice's mean spin, R axes: 1, in space 3; unbiased [m²/s²] */
    double rotational_about_mean; /**< the same about the mean spin of all [m²/s²] */
} ts_motion_measures;

/** See there. */
TS_API ts_status ts_measure_motion(const ts_snapshot *snapshot, const ts_bins *bins, ts_motion_measures *out,
                                   ts_error *error);

/** What went through a line between two snapshots. */
typedef struct ts_flow {
    double mass;   /**< net mass a time, positive from left to right of a → b [kg/s] */
    double number; /**< net grains a time, likewise [1/s] */
} ts_flow;

/** Grains whose centre crossed the segment a → b on the straight way from `before` to `after`, which is later. In space
 * a and b have three numbers, and the grains cross the plane through a at right angles to b − a, positive towards b. */
TS_API ts_status ts_measure_flow(const ts_snapshot *before, const ts_snapshot *after, const double *a, const double *b,
                                 ts_flow *out, ts_error *error);

/** A grain that crossed a line. */
typedef struct ts_passage {
    double time;  /**< when its centre did, on the straight way between two snapshots [s] */
    double mass;  /**< [kg] */
    size_t body;  /**< its index */
    bool forward; /**< from left to right of a → b; false: back */
} ts_passage;

/** All that went through a line over a run. Zero it first, free it with ts_passages_free. */
typedef struct ts_passages {
    double begin;        /**< time of the first snapshot [s] */
    double end;          /**< time of the newest [s] */
    size_t waiting;      /**< grains on the left of the line, prolonged to both sides, in the newest */
    size_t count;        /**< passages */
    ts_passage *passage; /**< in order of time (count) */
    size_t capacity;     /**< passages that there is room for */
} ts_passages;

/** Adds what crossed a → b from one snapshot to the next; all calls have the same line, and each begins where the last
 * one ended. */
TS_API ts_status ts_passages_add(ts_passages *passages, const ts_snapshot *before, const ts_snapshot *after,
                                 const double *a, const double *b, ts_error *error);
/** Frees what was added and zeroes the passages. */
TS_API void ts_passages_free(ts_passages *passages);
/** The mean flow over a window: net mass and number of passages with begin <= time < end, over end - begin; NaN without
 * a length. */
TS_API ts_flow ts_passages_flow(const ts_passages *passages, double begin, double end);

/** Whether a flow has come to a halt. */
typedef struct ts_clogging {
    double first;   /**< time of the first passage forward [s]; here and in `last` NaN when there is none */
    double last;    /**< time of the last [s] */
    double pause;   /**< longest time without one, from the first snapshot to the newest [s] */
    double idle;    /**< time since the last one, or since the first snapshot [s] */
    size_t passed;  /**< grains that passed, less those that went back, and none below 0 */
    size_t waiting; /**< grains on the left of the line at the end */
    bool jammed;    /**< it has been idle for the span asked for, or longer, while grains wait */
    double jam;     /**< since when [s]: the last passage, or the first snapshot; NaN unless jammed */
} ts_clogging;

/** Reads it off; `span` [s] is how long nothing may pass before it counts as a jam. */
TS_API ts_clogging ts_passages_clogging(const ts_passages *passages, double span);

/* ---- Piles, avalanches, mixtures ---- */

/** How high grains reach, above the region's lower edge. */
typedef struct ts_height {
    double top;     /**< height below which all but `share` of the grains' area, or volume, lies [m] */
    double surface; /**< mean height of the surface that is seen from above, where there are grains [m]; NaN in space */
    double centre;  /**< of the grains' centre of mass [m] */
} ts_height;

/**
 * Of what lies within the region: areas are cut there, the centre is that of grains whose centres are in it.
 * bins->count columns say how closely the surface is looked at; bins->along_x is not looked at. `share` in (0, 1), 0:
 * 0.01. Up is +y.
 */
TS_API ts_status ts_measure_height(const ts_snapshot *snapshot, const ts_bins *bins, double share, ts_height *out,
                                   ts_error *error);

/** One column of a pile as it is seen from above and from the side, by true outlines. */
typedef struct ts_pile_column {
    double top;   /**< highest point of a grain in the column [m]; NaN: none reaches in */
    double mean;  /**< mean height of the surface over the part of the column's width that has one [m]; NaN likewise */
    double cover; /**< that part, as a share of the width [1] */
} ts_pile_column;

/** The surface of a pile, y(x) in bins->count columns, of grains whose centres lie between the region's lower and upper
 * edge; bins->along_x is not looked at. Heights are y, not above the region. */
TS_API ts_status ts_measure_pile(const ts_snapshot *snapshot, const ts_bins *bins, ts_pile_column *out,
                                 ts_error *error);

/** One column of a free surface: the top of its highest grain. */
typedef struct ts_surface_point {
    double x;   /**< centre of that grain [m]; NaN: no grain has its centre in this column */
    double top; /**< its highest point [m] */
} ts_surface_point;

/** The free surface, in bins->count columns of the region; bins->along_x is not looked at. */
TS_API ts_status ts_measure_surface(const ts_snapshot *snapshot, const ts_bins *bins, ts_surface_point *out,
                                    ts_error *error);

/** Angles of the flanks of a pile; positive when the flank rises towards the highest column. */
typedef struct ts_repose {
    double left;        /**< angle of the left flank [rad]; NaN: fewer than three columns */
    double left_error;  /**< standard error of the fit [rad] */
    double right;       /**< the same on the right [rad] */
    double right_error; /**< [rad] */
    double height;      /**< highest top above the region's lower edge [m] */
} ts_repose;

/** Straight lines through the surface's flanks, between 10% and 90% of the height. */
TS_API ts_status ts_measure_repose(const ts_snapshot *snapshot, const ts_bins *bins, ts_repose *out, ts_error *error);

/** How far grains have come, along x. */
typedef struct ts_front {
    double right;           /**< x beyond which `share` of the grains lie [m] */
    double left;            /**< x before which `share` of them lie [m] */
    double right_connected; /**< rightmost point of the largest group of touching grains [m] */
    double left_connected;  /**< leftmost point of it [m] */
} ts_front;

/** Fronts of grains whose centres lie in the region (NULL: of all); `share` in (0, 1), 0: 0.01. */
TS_API ts_status ts_measure_front(const ts_snapshot *snapshot, const ts_region *region, double share, ts_front *out,
                                  ts_error *error);

/** How far kinds of grains are apart. */
typedef struct ts_segregation {
    size_t kinds;     /**< kinds of grains; below two all else is NaN */
    double intensity; /**< Danckwerts' intensity of segregation over neighbourhoods: 1 apart, near 0 mixed [1] */
    double lacey;     /**< Lacey's mixing index: 0 apart, 1 randomly mixed [1] */
    double height;    /**< mean height of the kind of largest radius above that of the smallest, by mass [m] */
} ts_segregation;

/** Of grains whose centres lie in the region (NULL: of all), as if no others were there. A neighbourhood holds those
 * whose centres lie within `reach` mean diameters (0: 2). */
TS_API ts_status ts_measure_segregation(const ts_snapshot *snapshot, const ts_region *region, ts_kind_by by,
                                        double reach, ts_segregation *out, ts_error *error);

/* ---- Energy ---- */

/** Energies of grains. */
typedef struct ts_energies {
    double kinetic;         /**< translational [J] */
    double rotational;      /**< [J] */
    double gravitational;   /**< relative to the origin [J] */
    double elastic;         /**< in contact springs [J]; here and below NaN when the snapshot does not say */
    double work;            /**< done by what is driven and by impact's correction, since time 0 [J] */
    double lost_normal;     /**< to normal dashpots, since time 0 [J] */
    double lost_tangential; /**< to tangential dashpots, since time 0 [J] */
    double lost_friction;   /**< to sliding, since time 0 [J] */
    double
        balance; /**< all energies + losses - work: constant but for the time step's own error, and for what gates take
                       away [J] */
} ts_energies;

/** The energy budget: what is there, what was put in, and where it went. Of all grains: losses are known only as a
 * whole. */
TS_API void ts_measure_energies(const ts_snapshot *snapshot, ts_energies *out);

#ifdef __cplusplus
}
#endif
