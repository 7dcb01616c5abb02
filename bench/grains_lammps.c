/* SPDX-License-Identifier: MIT */
#include "grains_lammps.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "lammps.h"
#include "process.h"

#define SKIN     0.3 /* in radii of a disc, unless the case says otherwise */
#define FILE_CAP ((size_t)1 << 34)

bool ts_clump_installed(void)
{
    return ts_lammps_installed();
}

/* ---- Clumps ---- */

ts_status ts_clump_discs(const ts_outline *outline, ts_vec2 disc[TS_CLUMP_DISCS], double *radius, ts_error *error)
{
    ts_grain_hash h;
    TS_TRY(ts_grain_hash_of(outline, &h, error));
    double r = 0.5 * (h.far - h.near), middle = 0.5 * (h.far + h.near), end = h.reach - r;
    /* along a bar: from the end to the crossing in three steps, and in three more to the other crossing */
    double along[10];
    for (int i = 0; i < 4; i++) {
        along[i] = -end + (end - middle) * i / 3;
        along[9 - i] = -along[i];
    }
    along[4] = -middle / 3;
    along[5] = middle / 3;
    size_t n = 0;
    for (int side = -1; side <= 1; side += 2)
        for (int i = 0; i < 10; i++) {
            disc[n++] = (ts_vec2){along[i], side * middle};
            if (i != 3 && i != 6) /* crossings are there already */
                disc[n++] = (ts_vec2){side * middle, along[i]};
        }
    *radius = r;
    return TS_OK;
}

/* ---- Files ---- */

/* A case and what follows from it. */
typedef struct clumps {
    const ts_clump_case *c;
    ts_vec2 disc[TS_CLUMP_DISCS]; /* at the bin's scale [m] */
    double radius;                /* of a disc [m] */
    ts_grain_mass mass;
    char data[4096], body[4096], input[4096], output[4096], dump[4096];
} clumps;

/* Discs share the clump's mass evenly; LAMMPS wants that as the density of spheres. */
static ts_status write_data(const clumps *w, ts_error *error)
{
    const ts_grain_bin *bin = w->c->bin;
    double r = w->radius, top = 0;
    for (size_t i = 0; i < bin->count; i++)
        top = fmax(top, bin->pose[i].y);
    size_t atoms = bin->count * TS_CLUMP_DISCS;
    double density = w->mass.mass / TS_CLUMP_DISCS / (4.0 / 3 * TS_PI * r * r * r);
    ts_draft draft;
    TS_TRY(ts_draft_open(&draft, w->data, error));
    FILE *f = draft.stream;
    fprintf(f, "%zu clumps written by touchstone bench\n\n%zu atoms\n1 atom types\n", bin->count, atoms);
    fprintf(f, "0 %.17g xlo xhi\n%.17g %.17g ylo yhi\n%.17g %.17g zlo zhi\n\nAtoms # sphere\n\n", bin->width, -r,
            2 * top + 10 * w->mass.radius, -0.5 * r, 0.5 * r);
    for (size_t i = 0, id = 1; i < bin->count; i++) {
        ts_rot2 turn = ts_rot2_from_angle(bin->pose[i].angle);
        for (size_t k = 0; k < TS_CLUMP_DISCS; k++, id++) {
            ts_vec2 p = ts_rot2_apply(turn, w->disc[k]);
            fprintf(f, "%zu 1 %.17g %.17g %.17g %.17g 0\n", id, 2 * r, density, bin->pose[i].x + p.x,
                    bin->pose[i].y + p.y);
        }
    }
    fprintf(f, "\nMolecules\n\n");
    for (size_t id = 0; id < atoms; id++)
        fprintf(f, "%zu %zu\n", id + 1, id / TS_CLUMP_DISCS + 1);
    return ts_draft_commit(&draft, error);
}

/* Mass and inertia of every clump, as `fix rigid/small … infile` reads them. Moments about x and y mean nothing in the
 * plane. */
static ts_status write_bodies(const clumps *w, ts_error *error)
{
    const ts_grain_bin *bin = w->c->bin;
    ts_draft draft;
    TS_TRY(ts_draft_open(&draft, w->body, error));
    double half = 0.5 * w->mass.inertia;
    fprintf(draft.stream, "%zu\n", bin->count);
    for (size_t i = 0; i < bin->count; i++)
        fprintf(draft.stream, "%zu %.17g %.17g %.17g 0 %.17g %.17g %.17g 0 0 0 0 0 0 0 0 0 0 0 0\n", i + 1,
                w->mass.mass, bin->pose[i].x, bin->pose[i].y, half, half, w->mass.inertia);
    return ts_draft_commit(&draft, error);
}

static ts_status write_input(const clumps *w, ts_error *error)
{
    const ts_clump_case *c = w->c;
    double kn = c->stiffness, kt = c->ratio * kn, mass = w->mass.mass, friction = c->bin->friction;
    /* m_eff γ = 2 ζ √(k m_eff), with m_eff half a grain's mass between two, and all of it at a wall */
    double pair = 2 * c->damping_ratio * sqrt(kn / (0.5 * mass)), wall = 2 * c->damping_ratio * sqrt(kn / mass);
    char law[256];
    ts_draft draft;
    TS_TRY(ts_draft_open(&draft, w->input, error));
    FILE *f = draft.stream;
    fprintf(f, "units si\natom_style sphere\ndimension 2\nboundary f f p\nnewton off\natom_modify map array\n");
    fprintf(f, "comm_modify vel yes cutoff %.17g\n", 2.5 * w->mass.radius);
    fprintf(f, "fix clump_of all property/atom mol ghost yes\nread_data %s fix clump_of NULL Molecules\n", w->data);
    fprintf(f, "neighbor %.17g bin\n", (c->skin > 0 ? c->skin : SKIN) * w->radius);
    fprintf(f, "neigh_modify delay 0 every 1 check yes exclude molecule/intra all\n");
    fprintf(f, "pair_style gran/hooke/history %.17g %.17g %.17g %.17g %.17g 1 limit_damping\npair_coeff * *\n", kn, kt,
            pair, pair, friction);
    snprintf(law, sizeof law, "hooke/history %.17g %.17g %.17g %.17g %.17g 1 limit_damping", kn, kt, wall, wall,
             friction);
    fprintf(f, "fix weight all gravity %.17g vector 0 -1 0\n", c->bin->gravity);
    fprintf(f, "fix sides all wall/gran %s xplane 0 %.17g\n", law, c->bin->width);
    fprintf(f, "fix floor all wall/gran %s yplane 0 NULL\n", law);
    if (c->viscosity > 0)
        fprintf(f, "fix drag all viscous %.17g\n", c->viscosity * mass / TS_CLUMP_DISCS);
    /* after all that pushes: at the beginning of a run it adds up only what the fixes before it have done */
    fprintf(f, "fix move all rigid/small molecule infile %s\n", w->body);
    fprintf(f, "fix flat all enforce2d\ntimestep %.17g\n", c->time_step);
    fprintf(f, "compute moving all ke/rigid move\ncompute turning all erotate/rigid move\n");
    fprintf(f, "thermo_style custom step c_moving c_turning\nthermo %" PRIu64 "\n", c->warm + c->steps);
    fprintf(f, "run %" PRIu64 "\n%srun %" PRIu64 "\n", c->warm, c->viscosity > 0 ? "unfix drag\n" : "", c->steps);
    fprintf(f, "variable energy equal c_moving+c_turning\nprint \"touchstone: kinetic $(v_energy:%%.17g)\"\n");
    fprintf(f, "write_dump all custom %s x y modify sort id format float %%.17g\n", w->dump);
    return ts_draft_commit(&draft, error);
}

/* ---- Output ---- */

/* A clump's pose is the one that fits its discs best; their mean is its centre, since a `#` is symmetric. */
static ts_pose2 fit_pose(const clumps *w, const ts_vec2 *at)
{
    ts_vec2 mean = {0, 0};
    for (size_t k = 0; k < TS_CLUMP_DISCS; k++)
        mean = ts_vec2_add(mean, ts_vec2_scale(at[k], 1.0 / TS_CLUMP_DISCS));
    double along = 0, across = 0;
    for (size_t k = 0; k < TS_CLUMP_DISCS; k++) {
        ts_vec2 d = ts_vec2_sub(at[k], mean);
        along += ts_vec2_dot(w->disc[k], d);
        across += ts_vec2_cross(w->disc[k], d);
    }
    return (ts_pose2){mean.x, mean.y, atan2(across, along)};
}

static ts_status read_poses(const clumps *w, ts_pose2 *pose, ts_error *error)
{
    char *text;
    size_t size;
    TS_TRY(ts_file_read(w->dump, FILE_CAP, &text, &size, error));
    const char *p = strstr(text, "ITEM: ATOMS");
    p = p ? p + strcspn(p, "\n") : text + size;
    bool fine = true;
    for (size_t i = 0; fine && i < w->c->bin->count; i++) {
        ts_vec2 at[TS_CLUMP_DISCS];
        for (size_t k = 0; fine && k < 2 * TS_CLUMP_DISCS; k++) {
            double *value = k % 2 ? &at[k / 2].y : &at[k / 2].x;
            p += strspn(p, " \n");
            size_t length = ts_parse_number(p, (size_t)(text + size - p), value);
            fine = length > 0;
            p += length;
        }
        if (fine)
            pose[i] = fit_pose(w, at);
    }
    ts_free(text);
    return fine ? TS_OK : ts_fail(error, TS_IO, "LAMMPS lost discs on the way; what is left is in %s", w->dump);
}

/* From the last line like "98.9% CPU use with 1 MPI tasks"; 1 when there is none. A run below a millisecond has a share
 * above 1. */
static double share_of_processor(const char *text)
{
    const char *line = NULL;
    for (const char *p = text; (p = strstr(p, "% CPU use")) != NULL; p++)
        line = p;
    while (line && line > text && line[-1] != '\n')
        line--;
    double percent;
    return line && ts_parse_number(line, strlen(line), &percent) > 0 && percent > 0 ? fmin(0.01 * percent, 1) : 1;
}

static ts_status read_output(const clumps *w, ts_clump_result *result, ts_error *error)
{
    char *text;
    size_t size;
    TS_TRY(ts_file_read(w->output, 64 << 20, &text, &size, error));
    double weight = (double)w->c->bin->count * w->mass.mass * w->c->bin->gravity;
    result->wall = ts_lammps_number(text, "Loop time of ");
    result->seconds = result->wall * share_of_processor(text);
    result->unrest = ts_lammps_number(text, "touchstone: kinetic ") / (weight * w->mass.radius);
    result->builds = ts_lammps_number(text, "Neighbor list builds = ");
    ts_lammps_version(text, result->version);
    ts_free(text);
    if (!(result->seconds > 0) || isnan(result->unrest))
        return ts_fail(error, TS_IO, "LAMMPS ended without a time; its output is in %s", w->output);
    TS_TRY(ts_new(&result->pose, w->c->bin->count, error));
    ts_status status = read_poses(w, result->pose, error);
    if (status != TS_OK)
        ts_clump_result_free(result);
    return status;
}

ts_status ts_clump_run(const ts_clump_case *c, ts_clump_result *result, ts_error *error)
{
    *result = (ts_clump_result){0};
    clumps w = {.c = c, .mass = ts_grain_bin_mass(c->bin)};
    TS_TRY(ts_clump_discs(c->bin->outline, w.disc, &w.radius, error));
    w.radius *= c->bin->scale;
    for (size_t k = 0; k < TS_CLUMP_DISCS; k++)
        w.disc[k] = ts_vec2_scale(w.disc[k], c->bin->scale);
    snprintf(w.data, sizeof w.data, "%s.data", c->work);
    snprintf(w.body, sizeof w.body, "%s.bodies", c->work);
    snprintf(w.input, sizeof w.input, "%s.in", c->work);
    snprintf(w.output, sizeof w.output, "%s.out", c->work);
    snprintf(w.dump, sizeof w.dump, "%s.dump", c->work);
    TS_TRY(write_data(&w, error));
    TS_TRY(write_bodies(&w, error));
    TS_TRY(write_input(&w, error));
    const char *argument[] = {"env", "OMP_NUM_THREADS=1", "lmp", "-in", w.input, "-log", "none", NULL};
    TS_TRY(ts_process_run(argument, w.output, error));
    return read_output(&w, result, error);
}

void ts_clump_result_free(ts_clump_result *result)
{
    ts_free(result->pose);
    result->pose = NULL;
}
