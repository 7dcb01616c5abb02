/* SPDX-License-Identifier: MIT */
#include "space_peers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "lammps.h"
#include "process.h"

static const char *const program[TS_SPACE_PEERS] = {"lmp", "liggghts"};

bool ts_space_peer_installed(ts_space_peer peer)
{
    return ts_process_on_path(program[peer]);
}

static ts_status write_data(const ts_bed3 *bed, ts_space_peer peer, const char *path, ts_error *error)
{
    ts_draft draft;
    TS_TRY(ts_draft_open(&draft, path, error));
    FILE *f = draft.stream;
    fprintf(f, "%zu spheres written by touchstone bench\n\n%zu atoms\n2 atom types\n", bed->count, bed->count);
    for (int d = 0; d < 3; d++)
        fprintf(f, "%.17g %.17g %clo %chi\n", -TS_BED3_RADIUS, bed->size[d] + TS_BED3_RADIUS, "xyz"[d], "xyz"[d]);
    fprintf(f, "\nAtoms%s\n\n", peer == TS_PEER_LAMMPS ? " # sphere" : "");
    for (size_t i = 0; i < bed->count; i++) {
        const double *x = bed->body[i].position;
        fprintf(f, "%zu 1 %.17g %.17g %.17g %.17g %.17g\n", i + 1, 2 * bed->radius[i], TS_BED3_DENSITY, x[0], x[1],
                x[2]);
    }
    fprintf(f, "\nVelocities\n\n");
    for (size_t i = 0; i < bed->count; i++) {
        const double *v = bed->body[i].velocity, *w = bed->spin[i];
        fprintf(f, "%zu %.17g %.17g %.17g %.17g %.17g %.17g\n", i + 1, v[0], v[1], v[2], w[0], w[1], w[2]);
    }
    return ts_draft_commit(&draft, error);
}

/* γ of two spheres of the mean mass, and of one at a wall: m_eff γ = 2 ζ √(k m_eff). */
static void dashpots(const ts_space_peer_case *c, double *pair, double *wall)
{
    double mass = 0;
    for (size_t i = 0; i < c->bed->count; i++)
        mass += ts_bed3_mass(c->bed, i) / (double)c->bed->count;
    *pair = 2 * c->damping_ratio * sqrt(TS_BED3_STIFFNESS / (0.5 * mass));
    *wall = 2 * c->damping_ratio * sqrt(TS_BED3_STIFFNESS / mass);
}

static void write_lammps_law(const ts_space_peer_case *c, FILE *f)
{
    const double kn = TS_BED3_STIFFNESS, kt = TS_BED3_RATIO * kn;
    double pair, wall;
    dashpots(c, &pair, &wall);
    fprintf(f, "pair_style gran/hooke/history %.17g %.17g %.17g %.17g %.17g 1 limit_damping\npair_coeff * *\n", kn, kt,
            pair, pair, TS_BED3_FRICTION);
    for (int d = 0; d < 3; d++)
        fprintf(
            f, "fix wall%d all wall/gran hooke/history %.17g %.17g %.17g %.17g %.17g 1 limit_damping %cplane 0 %.17g\n",
            d, kn, kt, wall, wall, TS_BED3_FRICTION, "xyz"[d], c -> bed -> size[d]);
}

static void write_liggghts_law(const ts_space_peer_case *c, FILE *f)
{
    const double kn = TS_BED3_STIFFNESS, kt = TS_BED3_RATIO * kn, mu = TS_BED3_FRICTION;
    double pair, wall;
    dashpots(c, &pair, &wall);
    const double value[] = {kn, kt, 0, 0, mu};
    const char *const name[] = {"kn", "kt", "gamman", "gammat", "coefficientFriction"};
    for (int i = 0; i < 5; i++) {
        const double own = value[i] > 0 ? value[i] : pair, other = value[i] > 0 ? value[i] : wall;
        fprintf(f, "fix %s all property/global %s peratomtypepair 2 %.17g %.17g %.17g %.17g\n", name[i], name[i], own,
                other, other, other);
    }
    fprintf(f, "pair_style gran model hooke/stiffness tangential history limitForce on\npair_coeff * *\n");
    for (int d = 0; d < 3; d++)
        for (int side = 0; side < 2; side++)
            fprintf(f,
                    "fix wall%d%d all wall/gran model hooke/stiffness tangential history primitive type 2 %cplane "
                    "%.17g limitForce on\n",
                    d, side, "xyz"[d], side ? c->bed->size[d] : 0.0);
}

static ts_status write_input(const ts_space_peer_case *c, const char *data, const char *path, ts_error *error)
{
    const bool lammps = c->peer == TS_PEER_LAMMPS;
    ts_draft draft;
    TS_TRY(ts_draft_open(&draft, path, error));
    FILE *f = draft.stream;
    if (lammps)
        fprintf(f, "units si\natom_style sphere\nboundary f f f\nnewton off\ncomm_modify vel yes\n");
    else
        fprintf(f, "atom_style granular\natom_modify map array\nboundary f f f\nnewton off\ncommunicate single vel "
                   "yes\nunits si\n");
    fprintf(f, "read_data %s\nneighbor %.17g bin\nneigh_modify delay 0 every 1 check yes\n", data, c->skin);
    (lammps ? write_lammps_law : write_liggghts_law)(c, f);
    fprintf(f, "fix move all nve/sphere\nfix weight all gravity %.17g vector 0 0 -1\ntimestep %.17g\n", TS_BED3_GRAVITY,
            c->time_step);
    fprintf(f, "compute kinetic all ke\nvariable height equal xcm(all,z)\n");
    fprintf(f, "compute touching all contact/atom\ncompute contacts all reduce sum c_touching\n");
    fprintf(f, "thermo_style custom step c_kinetic v_height c_contacts\nthermo %" PRIu64 "\n", c->warm + c->steps);
    fprintf(f, "thermo_modify norm no%s\n", lammps ? "" : " lost ignore");
    fprintf(f, "run %" PRIu64 "\nrun %" PRIu64 "\n", c->warm, c->steps);
    fprintf(f, "variable energy equal c_kinetic\nvariable pairs equal 0.5*c_contacts\n");
    fprintf(f, "print \"touchstone: kinetic ${energy} height ${height} contacts ${pairs}\"\n");
    return ts_draft_commit(&draft, error);
}

/* The share of a processor that it had, as it says for its last run; 1 when it does not. */
static double processor_share(const char *text)
{
    const char *found = NULL;
    for (const char *at = text; (at = strstr(at, "% CPU use")) != NULL; at++)
        found = at;
    while (found && found > text && found[-1] != '\n')
        found--;
    double percent;
    return found && ts_parse_number(found, strcspn(found, "%"), &percent) && percent > 0 ? 0.01 * percent : 1;
}

static ts_status read_output(const ts_space_peer_case *c, const char *path, ts_space_peer_result *result,
                             ts_error *error)
{
    char *text, version[64];
    size_t size;
    TS_TRY(ts_file_read(path, 64 << 20, &text, &size, error));
    *result = (ts_space_peer_result){.seconds = ts_lammps_number(text, "Loop time of ") * processor_share(text),
                                     .kinetic = ts_lammps_number(text, "touchstone: kinetic "),
                                     .height = ts_lammps_number(text, " height "),
                                     .contacts = ts_lammps_number(text, " contacts ")};
    ts_lammps_version(text, version);
    snprintf(result->name, sizeof result->name, c->peer == TS_PEER_LAMMPS ? "LAMMPS %s" : "LIGGGHTS", version);
    ts_free(text);
    if (!(result->seconds > 0) || isnan(result->kinetic))
        return ts_fail(error, TS_IO, "%s ended without a time; its output is in %s", program[c->peer], path);
    return TS_OK;
}

ts_status ts_space_peer_run(const ts_space_peer_case *c, ts_space_peer_result *result, ts_error *error)
{
    char data[4096], input[4096], output[4096];
    snprintf(data, sizeof data, "%s/space-%s-%zu.data", c->folder, program[c->peer], c->bed->count);
    snprintf(input, sizeof input, "%s/space-%s-%zu.in", c->folder, program[c->peer], c->bed->count);
    snprintf(output, sizeof output, "%s/space-%s-%zu.out", c->folder, program[c->peer], c->bed->count);
    TS_TRY(write_data(c->bed, c->peer, data, error));
    TS_TRY(write_input(c, data, input, error));
    const char *argument[] = {
        "env", "OMP_NUM_THREADS=1", "OMPI_ALLOW_RUN_AS_ROOT=1", program[c->peer], "-in", input, "-log", "none", NULL};
    TS_TRY(ts_process_run(argument, output, error));
    return read_output(c, output, result, error);
}
