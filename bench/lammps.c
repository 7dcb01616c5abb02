/* SPDX-License-Identifier: MIT */
#include "lammps.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "process.h"

#define PI 3.14159265358979323846

bool ts_lammps_installed(void)
{
    return ts_process_on_path("lmp");
}

bool ts_lammps_mpi_installed(void)
{
    return ts_process_on_path("lmp") && ts_process_on_path("mpirun");
}

/* ---- Files ---- */

ts_status ts_lammps_write(const ts_packing *packing, const char *path, ts_error *error)
{
    double top = 0;
    for (size_t i = 0; i < packing->count; i++)
        top = fmax(top, packing->body[i].y);
    ts_draft draft;
    TS_TRY(ts_draft_open(&draft, path, error));
    FILE *f = draft.stream;
    double r = TS_PACKING_RADIUS;
    fprintf(f, "%zu discs written by touchstone bench\n\n%zu atoms\n1 atom types\n", packing->count, packing->count);
    fprintf(f, "0 %.17g xlo xhi\n%.17g %.17g ylo yhi\n%.17g %.17g zlo zhi\n\nAtoms # sphere\n\n", packing->width, -r,
            2 * top + 10 * r, -0.5 * r, 0.5 * r);
    for (size_t i = 0; i < packing->count; i++) {
        const ts_body *b = &packing->body[i];
        fprintf(f, "%zu 1 %.17g %.17g %.17g %.17g 0\n", i + 1, 2 * packing->radius[i],
                TS_PACKING_DENSITY * 3 / (4 * packing->radius[i]), b->x, b->y);
    }
    fprintf(f, "\nVelocities\n\n");
    for (size_t i = 0; i < packing->count; i++) {
        const ts_body *b = &packing->body[i];
        fprintf(f, "%zu %.17g %.17g 0 0 0 %.17g\n", i + 1, b->vx, b->vy, b->spin);
    }
    return ts_draft_commit(&draft, error);
}

static ts_status write_input(const ts_lammps_case *c, const char *path, ts_error *error)
{
    double mass = 0, kn = TS_PACKING_STIFFNESS, kt = TS_PACKING_RATIO * kn;
    for (size_t i = 0; i < c->packing->count; i++)
        mass += TS_PACKING_DENSITY * PI * c->packing->radius[i] * c->packing->radius[i] / (double)c->packing->count;
    /* m_eff γ = 2 ζ √(k m_eff), with m_eff half the mean mass between discs, and the mean mass at a wall */
    double pair = 2 * c->damping_ratio * sqrt(kn / (0.5 * mass)), wall = 2 * c->damping_ratio * sqrt(kn / mass);
    char law[256];
    ts_draft draft;
    TS_TRY(ts_draft_open(&draft, path, error));
    FILE *f = draft.stream;
    fprintf(f, "units si\natom_style sphere\ndimension 2\nboundary f f p\nnewton off\ncomm_modify vel yes\n");
    fprintf(f, "processors * 1 1\nread_data %s\n", c->data);
    fprintf(f, "neighbor %.17g bin\nneigh_modify delay 0 every 1 check yes\n", c->skin);
    fprintf(f, "pair_style gran/hooke/history %.17g %.17g %.17g %.17g %.17g 1 limit_damping\npair_coeff * *\n", kn, kt,
            pair, pair, TS_PACKING_FRICTION);
    snprintf(law, sizeof law, "hooke/history %.17g %.17g %.17g %.17g %.17g 1 limit_damping", kn, kt, wall, wall,
             TS_PACKING_FRICTION);
    fprintf(f, "fix move all nve/sphere disc\n");
    fprintf(f, "fix weight all gravity %.17g vector %.17g %.17g 0\n", TS_PACKING_GRAVITY, sin(c->tilt), -cos(c->tilt));
    fprintf(f, "fix sides all wall/gran %s xplane 0 %.17g\n", law, c->packing->width);
    fprintf(f, "fix floor all wall/gran %s yplane 0 NULL\n", law);
    fprintf(f, "fix flat all enforce2d\ntimestep %.17g\n", c->time_step);
    fprintf(f, "compute kinetic all ke\nvariable height equal xcm(all,y)\n");
    fprintf(f, "thermo_style custom step c_kinetic v_height\nthermo %" PRIu64 "\n", c->warm + c->steps);
    fprintf(f, "run %" PRIu64 "\nrun %" PRIu64 "\n", c->warm, c->steps);
    fprintf(f, "variable energy equal c_kinetic\n");
    fprintf(f, "print \"touchstone: kinetic $(v_energy:%%.17g) height $(v_height:%%.17g)\"\n");
    return ts_draft_commit(&draft, error);
}

/* ---- Output ---- */

/* The text after the last occurrence of `key` and spaces, or NULL. */
static const char *after_last(const char *text, const char *key)
{
    const char *found = NULL;
    for (const char *p = text; (p = strstr(p, key)) != NULL; p += strlen(key))
        found = p + strlen(key);
    return found ? found + strspn(found, " ") : NULL;
}

double ts_lammps_number(const char *text, const char *key)
{
    const char *p = after_last(text, key);
    double value;
    return p && ts_parse_number(p, strlen(p), &value) ? value : TS_NONE;
}

void ts_lammps_version(const char *text, char version[64])
{
    const char *found = strstr(text, "LAMMPS (");
    found = found ? found + strlen("LAMMPS (") : "";
    snprintf(version, 64, "%.*s", (int)strcspn(found, ")\n"), found);
}

static ts_status read_output(const ts_lammps_case *c, const char *path, ts_lammps_result *result, ts_error *error)
{
    char *text;
    size_t size;
    TS_TRY(ts_file_read(path, 64 << 20, &text, &size, error));
    *result = (ts_lammps_result){
        .seconds = ts_lammps_number(text, "Loop time of "),
        /* the print command's text is echoed as written, and then with numbers: the last is the one */
        .kinetic = ts_lammps_number(text, "touchstone: kinetic "),
        .height = ts_lammps_number(text, " height "),
        .builds = ts_lammps_number(text, "Neighbor list builds = "),
        .bytes = ts_lammps_number(text, "Per MPI rank memory allocation (min/avg/max) = ") * 1048576 * c->processes,
    };
    ts_lammps_version(text, result->version);
    ts_free(text);
    if (!(result->seconds > 0) || isnan(result->kinetic))
        return ts_fail(error, TS_IO, "LAMMPS ended without a time; its output is in %s", path);
    return TS_OK;
}

ts_status ts_lammps_run(const ts_lammps_case *c, ts_lammps_result *result, ts_error *error)
{
    char input[4096], output[4096], ranks[16];
    snprintf(input, sizeof input, "%s.in", c->work);
    snprintf(output, sizeof output, "%s.out", c->work);
    snprintf(ranks, sizeof ranks, "%d", c->processes);
    TS_TRY(write_input(c, input, error));
    const char *alone[] = {"env", "OMP_NUM_THREADS=1", "lmp", "-in", input, "-log", "none", NULL};
    /* Open MPI wants to be told twice that root may run it, as in a container */
    const char *parallel[] = {"env",
                              "OMP_NUM_THREADS=1",
                              "OMPI_ALLOW_RUN_AS_ROOT=1",
                              "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                              "mpirun",
                              "-n",
                              ranks,
                              "lmp",
                              "-in",
                              input,
                              "-log",
                              "none",
                              NULL};
    TS_TRY(ts_process_run(c->processes > 1 ? parallel : alone, output, error));
    return read_output(c, output, result, error);
}
