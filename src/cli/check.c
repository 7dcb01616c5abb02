/* SPDX-License-Identifier: MIT */
/* touchstone check: is the scene good, and what would it run? */
#include <math.h>
#include <string.h>

#include "cli/check_parts.h"
#include "cli/cli.h"
#include "cli/format.h"
#include "cli/load.h"
#include "cli/map.h"
#include "cli/places.h"
#include "cli/prepare.h"
#include "cli/shape_pairs.h"
#include "cli/trial.h"
#include "contact/law.h"
#include "contact/worst_map.h"
#include "cspace/cache.h"
#include "cspace/map.h"
#include "dynamics/dynamics.h"
#include "model.h"
#include "record/runfolder.h"
#include "record/trajectory_format.h"
#include "scene/springs.h"
#include "study/output.h"
#include "world.h"

typedef struct options {
    ts_scene_options scene;
    const char *json;
    bool quiet;
} options;

static const options defaults = {0};

static const ts_option option[] = {
    TS_TEXTS("set", 's', "PATH=VALUE", scene.set, "change a value of the scene; may be repeated"),
    TS_TEXT("duration", 'd', "T", scene.duration, "simulated time, such as 2 or '50 ms' (default: the scene's)"),
    TS_TEXT("seed", 0, "N", scene.seed, "of every random choice (default: the scene's)"),
    TS_TEXTS("search-path", 'I', "DIR", scene.search_path, "files that the scene names may lie here too; repeatable"),
    TS_JSON_OPTION(json, "write the report as JSON"),
    TS_QUIET_OPTION(quiet, "print errors only"),
};

/* ---- What is to be reported ---- */

/* Bodies of one shape and one material, all fixed or all free. */
typedef struct kind {
    int32_t shape, material;
    int32_t form; /* space: of one of them */
    bool fixed;
    uint64_t count;
    double radius_least, radius_most; /* of the bounding circle or sphere [m] */
    double mass_least, mass_most;     /* [kg] */
} kind;

typedef struct report {
    const char *scene; /* its file */
    const ts_loaded *loaded;
    const ts_model *model;
    ts_measures start; /* at time 0 */
    size_t memory;     /* of model, state and workspace with its pairs [bytes] */
    uint64_t steps, frames, rows;
    double disk;              /* expected [bytes] */
    double heap;              /* contacts of bodies that have settled, about */
    ts_trial trial;           /* how long the run will take */
    int64_t stiffest;         /* the body that sets the stable time step, or -1 */
    ts_shape_pairs pairs;     /* those that contact maps are for */
    size_t maps, maps_cached; /* contact maps that outlines need, and those that are in the cache or need no making */
    size_t maps_given;        /* those that the scene brings along */
    size_t maps_exact;        /* pairs of shapes with too many ratios of sizes for maps */
    char maps_note[320];      /* on pairs that will have none */
    ts_worst_map worst;       /* of the maps that are at hand */
    TS_ARRAY(kind) kind;
} report;

static ts_status count_kinds(report *r, ts_error *error)
{
    const ts_model *m = r->model;
    /* place[shape, material, fixed]: 1 + index of the kind, 0 when none was met yet */
    size_t slots = m->shape_count * m->material_count * 2;
    size_t *place;
    TS_TRY(ts_new(&place, slots, error));
    ts_status status = TS_OK;
    for (size_t i = 0; i < m->body_count && status == TS_OK; i++) {
        const double radius = ts_model_radius(m, i), mass = m->mass[i];
        kind one = {.shape = ts_model_shape(m, i),
                    .material = m->body_material[i],
                    .form = m->body_form ? m->body_form[i] : -1,
                    .fixed = !ts_model_moves(m, i),
                    .radius_least = radius,
                    .mass_least = mass};
        size_t slot = ((size_t)one.shape * m->material_count + (size_t)one.material) * 2 + one.fixed;
        if (!place[slot]) {
            status = ts_array_push(&r->kind, one, error);
            place[slot] = r->kind.count;
        }
        if (status == TS_OK) {
            kind *k = &r->kind.item[place[slot] - 1];
            k->count++;
            k->radius_least = fmin(k->radius_least, radius);
            k->radius_most = fmax(k->radius_most, radius);
            k->mass_least = fmin(k->mass_least, mass);
            k->mass_most = fmax(k->mass_most, mass);
        }
    }
    ts_free(place);
    return status;
}

/* Times 0, interval, 2·interval, … up to the duration, and its end where that is none of them. */
static uint64_t recorded_times(double duration, double interval)
{
    if (!(interval > 0))
        return 1;
    double whole = floor(duration / interval * (1 + 1e-12));
    return (uint64_t)whole + 1 + (duration / interval > whole * (1 + 1e-12));
}

/* A settled packing has about two contacts a disc, and three a piece of a body in space. */
static double settled_contacts(const ts_model *m)
{
    size_t parts = 0;
    for (size_t i = 0; i < m->part_count; i++)
        parts += !m->part_owner || (m->part_owner[i] >= 0 && ts_model_moves(m, (size_t)m->part_owner[i]));
    return m->dimension * (double)parts;
}

/* What the run will write; a row of energies is some 200 characters. */
static double expect_disk(const report *r)
{
    const ts_model *m = r->model;
    const double row = 200;
    const ts_record_sizes each =
        ts_record_sizes_of(ts_record_kind_of(m->dimension), m->body_gate != NULL, m->smooth_count > 0);
    double frame = TS_FRAME_HEAD_BYTES + TS_FRAME_COUNT_BYTES + TS_FRAME_ENERGY_BYTES + TS_CHECKSUM_BYTES +
                   (double)m->wall_count * (double)each.wall + (double)m->body_count * (double)each.body;
    if (m->settings.record_contacts)
        frame += r->heap * (double)each.contact;
    double checkpoints = 2 * (double)m->body_count * (double)m->world->body_size;
    return TS_PREFIX_BYTES + (double)ts_trajectory_header_bytes(m, r->loaded->title) + (double)r->frames * frame +
           (double)r->rows * row + checkpoints + (double)r->loaded->length; /* the scene is kept as well */
}

/* Contact maps that the scene needs, and whether they have been made. */
static ts_status count_maps(report *r, ts_error *error)
{
    char folder[4096];
    ts_map_options complete;
    if (!r->model->has_outlines)
        return TS_OK;
    ts_map_cache_folder(folder, sizeof folder);
    TS_TRY(ts_map_options_complete(&r->model->map, &complete, error));
    ts_status status = ts_shape_pairs_of_model(r->model, &r->pairs, error);
    bool stored = complete.kind != TS_MAP_EXACT && complete.kind != TS_MAP_SAMPLED;
    for (size_t i = 0; i < r->pairs.pair.count && status == TS_OK; i++) {
        const ts_shape_pair *p = &r->pairs.pair.item[i];
        ts_pair *pair = NULL;
        ts_map *map = NULL;
        const char *name_a = r->pairs.form.item[p->a].name, *name_b = r->pairs.form.item[p->b].name;
        r->maps_given += p->file[0] != 0;
        if (p->file[0])
            ts_worst_map_take(&r->worst, &p->info, name_a, name_b);
        if (p->file[0] || !stored)
            continue;
        status = ts_pair_create(r->pairs.form.item[p->a].outline, r->pairs.form.item[p->b].outline, &pair, error);
        if (status == TS_OK)
            status = ts_cache_find(folder, pair, &complete, &map, error);
        if (map)
            ts_worst_map_take(&r->worst, &map->info, name_a, name_b);
        r->maps_cached += map != NULL;
        ts_map_free(map);
        ts_pair_free(pair);
    }
    r->maps = r->pairs.pair.count;
    r->maps_cached = stored ? r->maps_cached : r->maps - r->maps_given;
    ts_shape_pairs_note(&r->pairs, r->maps_note, sizeof r->maps_note);
    r->maps_exact = r->pairs.many.count;
    return status;
}

/* Outlines that need no maps, or have them at hand, can be tried. */
static ts_status try_run(report *r, ts_state *state, ts_workspace *work, ts_error *error)
{
    if (r->maps_cached + r->maps_given == r->maps)
        TS_TRY(ts_model_prepare(r->loaded->model, NULL, error));
    r->trial = ts_try_steps(r->model, state, work);
    return TS_OK;
}

static ts_status examine(report *r, bool timed, ts_error *error)
{
    const ts_model *m = r->model;
    ts_state *state = NULL;
    ts_workspace *work = NULL;
    r->steps = ts_run_last_step(m);
    r->frames = recorded_times(m->settings.duration, m->settings.frame_interval);
    r->rows = recorded_times(m->settings.duration, m->settings.energy_interval);
    r->stiffest = -1;
    r->heap = settled_contacts(m);
    r->disk = expect_disk(r);
    TS_TRY(count_kinds(r, error));
    TS_TRY(count_maps(r, error));
    if (m->resolver->stable_step)
        m->resolver->stable_step(m, &r->stiffest);

    ts_status status = ts_state_create(m, &state, error);
    if (status == TS_OK)
        status = ts_workspace_create(m, 0, &work, error);
    /* measuring finds the pairs, which are a good part of the memory */
    if (status == TS_OK)
        status = ts_measure(m, state, work, &r->start, error);
    if (status == TS_OK)
        r->memory = ts_memory_bytes(m, state, work);
    if (status == TS_OK && timed)
        status = try_run(r, state, work, error);
    ts_workspace_free(work);
    ts_state_free(state);
    return status;
}

/* ---- For people ---- */

/* Restitution, where damping follows from it; NaN where damping is given and restitution depends on the masses. */
static double restitution_of(const ts_model *m, const ts_contact_law *law)
{
    return m->dynamics->restitution ? m->dynamics->restitution(m, law) : (double)NAN;
}

/* Shapes that bodies have: files of shapes bring more. */
static size_t used_shapes(const report *r)
{
    size_t count = 0;
    for (size_t i = 0; i < r->kind.count; i++) {
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++)
            seen = r->kind.item[k].shape == r->kind.item[i].shape;
        count += !seen;
    }
    return count;
}

static void print_bodies(const report *r, FILE *stream)
{
    const ts_model *m = r->model;
    fprintf(stream, "\n%s bod%s of %s\n", ts_show_count(m->body_count).text, m->body_count == 1 ? "y" : "ies",
            ts_show_counted(used_shapes(r), "shape").text);
    ts_listing listing = ts_listing_make("rllll");
    for (size_t i = 0; i < r->kind.count && i < ts_check_rows_most; i++) {
        const kind *k = &r->kind.item[i];
        ts_listing_row(&listing, "  %s\t%s\t%s\t%s\tradius %s%s%s%s", ts_show_count(k->count).text,
                       ts_check_name(m->shape[k->shape].name, "shape", (size_t)k->shape).text,
                       ts_check_kind(m, k->shape, k->form), ts_check_material(m, (size_t)k->material).text,
                       ts_check_span(k->radius_least, k->radius_most, "m").text, ", mass ",
                       ts_check_span(1e3 * k->mass_least, 1e3 * k->mass_most, "g").text, k->fixed ? ", fixed" : "");
    }
    ts_listing_print(&listing, stream);
    if (r->kind.count > ts_check_rows_most)
        fprintf(stream, "  … and %zu more kinds\n", r->kind.count - ts_check_rows_most);
}

/* Only materials that something is made of are of interest. */
static void find_used(const report *r, bool used[UINT8_MAX + 1])
{
    const ts_model *m = r->model;
    for (size_t i = 0; i < r->kind.count; i++)
        used[r->kind.item[i].material] = true;
    for (size_t i = 0; i < m->wall_count; i++)
        used[m->wall[i].material] = true;
}

static void print_laws(const report *r, FILE *stream)
{
    const ts_model *m = r->model;
    const ts_dynamics *dynamics = m->dynamics;
    const bool springs = dynamics->springs;
    char param[512], line[640];
    snprintf(line, sizeof line, "%s%s%s", dynamics->name,
             ts_fields_show(dynamics->field, dynamics->field_count, m->param, param, sizeof param),
             !m->has_outlines                  ? ""
             : m->places == TS_PLACES_FEATURES ? ", places by features"
             : m->places == TS_PLACES_MAP      ? ", places by maps"
                                               : ", places one a pair");
    fputs("\ndynamics ", stream);
    ts_print_wrapped(stream, line, 9, 9);
    const char *remark = dynamics->remark ? dynamics->remark(m) : NULL;
    if (remark)
        fputs(remark, stream);
    ts_listing listing = ts_listing_make(springs ? "lrrrrr" : "lrrr");
    ts_listing_row(&listing, "  materials\tdensity%s\tfriction\trestitution", springs ? "\tstiffness\ttangential" : "");
    bool used[UINT8_MAX + 1] = {false};
    size_t shown = 0, count = 0;
    find_used(r, used);
    for (size_t i = 0; i < m->material_count; i++)
        count += used[i];
    for (size_t a = 0; a < m->material_count; a++)
        for (size_t b = a; used[a] && b < m->material_count && shown < ts_check_rows_most; b++) {
            if (!used[b])
                continue;
            shown++;
            const ts_contact_law *law = &m->law[a * m->material_count + b];
            double e = restitution_of(m, law);
            char damping[64];
            if (isnan(e) && !dynamics->springs)
                snprintf(damping, sizeof damping, "none");
            else if (isnan(e))
                snprintf(damping, sizeof damping, "γ %s", ts_show_si(2 * law->cn, "N s/m").text);
            else
                snprintf(damping, sizeof damping, "%.3g%s", e,
                         springs && e < 1.01 * TS_RESTITUTION_MIN ? ", the least" : "");
            char own[64] = "", stiff[160] = "";
            if (a == b)
                snprintf(own, sizeof own, "%.4g %s", m->density[a], m->world->density_unit);
            if (springs)
                snprintf(stiff, sizeof stiff, "\t%s\t%s", ts_show_si(law->kn, "N/m").text,
                         ts_show_si(law->kt, "N/m").text);
            ts_listing_row(&listing, "  %s%s%s\t%s%s\t%.3g\t%s", ts_check_material(m, a).text, a == b ? "" : " – ",
                           a == b ? "" : ts_check_material(m, b).text, own, stiff, law->friction, damping);
        }
    ts_listing_print(&listing, stream);
    if (count * (count + 1) / 2 > shown)
        fprintf(stream, "  … and %zu more pairs\n", count * (count + 1) / 2 - shown);
}

static void print_maps(const report *r, ts_listing *listing)
{
    ts_map_kind which = r->model->map.kind;
    const char *how = ts_map_kind_name(which);
    size_t made = r->maps - r->maps_given, shown = 0;
    char worst[256], unused[128];
    if (r->maps == 0) /* contacts by features */
        return;
    if (r->maps_given > 0 && made == 0)
        ts_listing_row(listing, "contact maps\t%zu, from the scene's map files", r->maps);
    else if (which == TS_MAP_EXACT || which == TS_MAP_SAMPLED)
        ts_listing_row(listing, "contact maps\t%zu, %s: nothing to be made beforehand", made, how);
    else
        ts_listing_row(listing, "contact maps\t%zu, %s, %zu of them in the cache", made, how, r->maps_cached);
    if (r->maps_cached < made)
        ts_listing_row(listing, "\t`touchstone map build %s` makes %s", r->scene,
                       r->maps_cached > 0 ? "the rest"
                       : made == 1        ? "it"
                                          : "them");
    if (r->maps_given > 0 && made > 0)
        ts_listing_row(listing, "\tand %zu from the scene's map files", r->maps_given);
    for (size_t i = 0; i < r->pairs.pair.count; i++) {
        const ts_shape_pair *p = &r->pairs.pair.item[i];
        if (p->file[0] && shown++ < ts_check_rows_most)
            ts_listing_row(listing, "\t%.20s × %.20s: %s of %s", r->pairs.form.item[p->a].name,
                           r->pairs.form.item[p->b].name, ts_map_kind_name(p->info.kind), p->file);
    }
    if (shown > ts_check_rows_most)
        ts_listing_row(listing, "\t… and %zu more", shown - ts_check_rows_most);
    if (ts_cli_unused_map_key(&r->model->map, unused, sizeof unused))
        ts_listing_row(listing, "\t%s", unused);
    if (r->worst.info.errors.samples > 0)
        ts_listing_row(listing, "\t%s", ts_worst_map_text(&r->worst, worst, sizeof worst));
}

static void print_time_step(const report *r, ts_listing *listing)
{
    const ts_model *m = r->model;
    const ts_settings *written = &r->loaded->settings;
    double dt = m->settings.time_step;
    char share[80] = "";
    if (isfinite(m->stable_step))
        snprintf(share, sizeof share, ", %.0f%% of the stable %s", 100 * dt / m->stable_step,
                 ts_show_si(m->stable_step, "s").text);
    ts_listing_row(listing, "time step\t%s%s%s", ts_show_si(dt, "s").text, written->time_step == 0 ? " (derived)" : "",
                   share);
    if (r->stiffest >= 0)
        ts_listing_row(listing, "\twhich body %lld sets (mass %s)", (long long)r->stiffest,
                       ts_show_si(1e3 * ts_model_mass(m, (size_t)r->stiffest), "g").text);
    else if (m->step_reason)
        ts_listing_row(listing, "\twhich %s", m->step_reason);
    char text[256];
    if (ts_warning_of_step(m, text, sizeof text))
        ts_listing_row(listing, "\t%s", text);
    if (written->time_step == 0 && ts_check_small_restitution(m, text, sizeof text)[0])
        ts_listing_row(listing, "\t%s", text);
}

/* "(1, 2)", in space "(1, 2, 3)". */
static ts_shown show_vector(const ts_model *m, ts_vec3 v)
{
    const double number[3] = {v.x, v.y, v.z};
    ts_shown shown;
    size_t used = 0;
    for (int i = 0; i < 3 && i < m->dimension; i++)
        used += (size_t)snprintf(shown.text + used, sizeof shown.text - used, "%s%.4g", i ? ", " : "(", number[i]);
    snprintf(shown.text + used, sizeof shown.text - used, ")");
    return shown;
}

static void print_trial(const report *r, ts_listing *listing)
{
    const ts_trial *t = &r->trial;
    if (isnan(t->seconds)) {
        ts_listing_row(listing, "wall time\t%s", t->failed ? "not known: see the warning above" : t->trouble);
        return;
    }
    ts_listing_row(listing, "wall time\t%s%s on %s, and what recording takes", t->whole ? "" : "about ",
                   ts_show_wall(t->seconds).text, ts_show_counted((uint64_t)t->threads, "thread").text);
    if (!t->whole)
        ts_listing_row(listing, "\tby a trial of %s with %s contacts on average",
                       ts_show_counted(t->steps, "step").text, ts_show_count((uint64_t)llround(t->contacts)).text);
    if (!t->whole && t->contacts < 0.5 * r->heap)
        ts_listing_row(listing, "\tmore when bodies settle, with some %s contacts",
                       ts_show_count((uint64_t)llround(r->heap)).text);
}

static void print_run(const report *r, FILE *stream)
{
    const ts_model *m = r->model;
    ts_listing listing = ts_listing_make("ll");
    ts_listing_row(&listing, "gravity\t%s m/s²", show_vector(m, m->gravity).text);
    print_time_step(r, &listing);
    ts_listing_row(&listing, "steps\t%s, to t = %s", ts_show_count(r->steps).text,
                   ts_show_si(m->settings.duration, "s").text);
    print_trial(r, &listing);
    ts_listing_row(&listing, "seed\t%llu", (unsigned long long)m->settings.seed);
    if (!m->has_outlines) /* of outlines contacts are known when their maps are made */
        ts_listing_row(&listing, "at the start\t%s, deepest overlap %s",
                       ts_show_counted(r->start.contact_count, "contact").text,
                       ts_show_si(r->start.max_overlap, "m").text);
    if (m->has_outlines)
        print_maps(r, &listing);
    ts_listing_row(&listing, "memory\t%s", ts_show_bytes((double)r->memory).text);
    ts_listing_row(&listing, "recording\t%s, %s of energies, about %s", ts_show_counted(r->frames, "frame").text,
                   ts_show_counted(r->rows, "row").text, ts_show_bytes(r->disk).text);
    const double asked = r->loaded->settings.frame_interval;
    if (asked > 0 && asked < m->settings.frame_interval)
        ts_listing_row(&listing, "\tone frame a step: frame_rate asks for more, which a shorter time_step gives");
    fputs("\n", stream);
    ts_listing_print(&listing, stream);
    if (r->maps_note[0])
        ts_print_wrapped(stream, r->maps_note, 0, 0);
}

static void print_report(const report *r, FILE *stream)
{
    const bool fails = r->trial.failed;
    const char *verdict = fails ? "is valid, but cannot be run as it is" : "is good";
    bool fits = ts_text_width(r->scene) + 1 + ts_text_width(verdict) <= ts_columns;
    fprintf(stream, "%s%c%s\n", r->scene, fits ? ' ' : '\n', verdict);
    if (fails) {
        fputs("Warning: ", stream);
        ts_print_wrapped(stream, r->trial.trouble, 0, 9);
    }
    if (r->loaded->title[0])
        ts_print_wrapped(stream, r->loaded->title, 0, 0);
    print_bodies(r, stream);
    ts_check_print_notes(r->model, stream);
    ts_check_print_walls(r->model, stream);
    ts_check_print_drives(r->model, stream);
    ts_check_print_springs(r->model, stream);
    print_laws(r, stream);
    print_run(r, stream);
}

/* ---- For programs ---- */

static void write_kinds(const report *r, ts_json *json)
{
    const ts_model *m = r->model;
    ts_json_begin_array(json, "kinds");
    for (size_t i = 0; i < r->kind.count; i++) {
        const kind *k = &r->kind.item[i];
        ts_json_begin_object(json, NULL);
        ts_json_text(json, "shape", ts_check_name(m->shape[k->shape].name, "shape", (size_t)k->shape).text);
        ts_json_text(json, "material", ts_check_material(m, (size_t)k->material).text);
        ts_json_bool(json, "fixed", k->fixed);
        ts_json_uint(json, "count", k->count);
        TS_JSON_NUMBERS(json, {"radius_least", k->radius_least}, {"radius_most", k->radius_most},
                        {"mass_least", k->mass_least}, {"mass_most", k->mass_most});
        ts_json_end(json);
    }
    ts_json_end(json);
}

/* Solids at the scales that bodies have. */
static void write_solids(const ts_model *m, ts_json *json)
{
    ts_json_begin_array(json, "solids");
    for (size_t i = 0; i < m->form_count; i++) {
        const ts_form3 *form = &m->form[i];
        ts_json_begin_object(json, NULL);
        ts_json_text(json, "shape", ts_check_name(m->shape[form->shape].name, "shape", (size_t)form->shape).text);
        ts_json_text(json, "kind", ts_check_kind(m, form->shape, (int32_t)i));
        TS_JSON_NUMBERS(json, {"scale", form->scale}, {"radius", form->radius}, {"volume", form->volume});
        ts_json_numbers(json, "inertia", form->inertia.m[0], 9);
        ts_json_end(json);
    }
    ts_json_end(json);
}

static void write_laws(const ts_model *m, ts_json *json)
{
    ts_json_begin_array(json, "laws");
    for (size_t a = 0; a < m->material_count; a++)
        for (size_t b = a; b < m->material_count; b++) {
            const ts_contact_law *law = &m->law[a * m->material_count + b];
            ts_json_begin_object(json, NULL);
            ts_json_begin_array(json, "materials");
            ts_json_text(json, NULL, ts_check_material(m, a).text);
            ts_json_text(json, NULL, ts_check_material(m, b).text);
            ts_json_end(json);
            TS_JSON_NUMBERS(json, {"stiffness", m->dynamics->springs ? law->kn : (double)NAN},
                            {"tangential_stiffness", m->dynamics->springs ? law->kt : (double)NAN},
                            {"friction", law->friction}, {"restitution", restitution_of(m, law)},
                            {"normal_damping", law->cn > 0 && m->dynamics->springs ? 2 * law->cn : (double)NAN});
            ts_json_end(json);
        }
    ts_json_end(json);
}

/* Pairs that meet by maps which the scene brings along. */
static void write_files(const ts_shape_pairs *pairs, ts_json *json)
{
    ts_json_begin_array(json, "map_files");
    for (size_t i = 0; i < pairs->pair.count; i++) {
        const ts_shape_pair *p = &pairs->pair.item[i];
        if (!p->file[0])
            continue;
        ts_json_begin_object(json, NULL);
        ts_json_text(json, "a", pairs->form.item[p->a].name);
        ts_json_text(json, "b", pairs->form.item[p->b].name);
        ts_json_text(json, "kind", ts_map_kind_name(p->info.kind));
        ts_json_text(json, "file", p->file);
        ts_json_end(json);
    }
    ts_json_end(json);
}

/* Of the maps at hand the worst, if the errors of any are known. */
static void write_worst(const ts_worst_map *worst, ts_json *json)
{
    if (worst->info.errors.samples == 0)
        return;
    ts_json_begin_object(json, "worst_map");
    ts_json_text(json, "a", worst->a);
    ts_json_text(json, "b", worst->b);
    TS_JSON_NUMBERS(json, {"error_mean", worst->info.errors.mean}, {"error_worst", worst->info.errors.worst},
                    {"sign", worst->info.errors.sign});
    ts_json_end(json);
}

static void write_parts(const report *r, ts_json *json)
{
    const ts_model *m = r->model;
    ts_json_uint(json, "bodies", m->body_count);
    ts_json_uint(json, "boundaries", ts_check_wall_count(m));
    ts_json_uint(json, "walls", m->wall_count);
    ts_json_uint(json, "springs", m->spring_count);
    ts_json_uint(json, "shapes", m->shape_count);
    ts_json_uint(json, "meshes", m->mesh_count);
    if (m->has_outlines) {
        ts_json_text(json, "map_kind", ts_map_kind_name(m->map.kind));
        ts_json_uint(json, "maps", r->maps);
        ts_json_uint(json, "maps_at_hand", r->maps_cached + r->maps_given);
        write_worst(&r->worst, json);
        write_files(&r->pairs, json);
        ts_json_uint(json, "shapes_without_maps", r->maps_exact);
    }
    ts_check_write_notes(m, json);
    if (m->form_count > 0)
        write_solids(m, json);
    write_kinds(r, json);
}

static void write_report(ts_json *json, const void *subject)
{
    const report *r = subject;
    const ts_model *m = r->model;
    ts_json_begin_object(json, NULL);
    ts_json_text(json, "scene", r->scene);
    ts_json_text(json, "title", r->loaded->title);
    write_parts(r, json);
    ts_json_uint(json, "materials", m->material_count);
    ts_json_text(json, "dynamics", m->dynamics->name);
    write_laws(m, json);
    TS_JSON_NUMBERS(json, {"time_step", m->settings.time_step}, {"stable_step", m->stable_step},
                    {"duration", m->settings.duration});
    ts_json_uint(json, "steps", r->steps);
    ts_json_uint(json, "seed", m->settings.seed);
    ts_json_uint(json, "contacts", r->start.contact_count);
    ts_json_number(json, "largest_overlap", r->start.max_overlap);
    ts_json_uint(json, "memory_bytes", r->memory);
    ts_json_number(json, "disk_bytes", round(r->disk));
    ts_json_uint(json, "frames", r->frames);
    ts_json_uint(json, "rows", r->rows);
    ts_json_begin_object(json, "trial");
    ts_json_number(json, "wall_time", r->trial.seconds);
    ts_json_uint(json, "steps", r->trial.steps);
    ts_json_number(json, "contacts", r->trial.contacts);
    ts_json_int(json, "threads", r->trial.threads);
    ts_json_bool(json, "failed", r->trial.failed);
    ts_json_text(json, "message", r->trial.failed ? r->trial.trouble : "");
    ts_json_end(json);
    ts_json_hash(json, "model_hash", ts_model_hash(m));
    ts_json_end(json);
}

static void release(report *r)
{
    ts_array_free(&r->kind);
    ts_shape_pairs_free(&r->pairs);
}

static ts_status check(const void *values, const char *scene, ts_error *error)
{
    const options *given = values;
    TS_AUTO(ts_cli_unload) ts_loaded loaded = {0};
    TS_TRY(ts_cli_check_file("json", given->json, NULL, error));
    TS_TRY(ts_cli_load_with(scene, &given->scene, &loaded, error));
    TS_AUTO(release) report r = {.scene = scene, .loaded = &loaded, .model = loaded.model};
    TS_TRY(examine(&r, !given->quiet || given->json, error));
    if (!given->quiet && ts_output_stream(given->json) == stdout)
        print_report(&r, stdout);
    return ts_output_json(given->json, write_report, &r, error);
}

const ts_command ts_command_check = {
    .name = "check",
    .usage = "SCENE [OPTIONS]",
    .summary = "validate a scene and print what it would run",
    .text =
        "Reads a scene, makes its bodies and derives what it leaves open, and prints what `touchstone run` would "
        "simulate: bodies, walls, drives, contact laws, time step, memory, what the recording takes, and by a trial "
        "of half a second how long the run will take. An error "
        "names file, line and column, and the remedy; the exit code is then 2.",
    .example = "touchstone check scenes/column-collapse.json\n"
               "touchstone check scene.json --set dynamics.stiffness='1 MN/m' --json -",
    TS_OPTIONS(option, defaults),
    .operand_most = 1,
    .missing = "which scene? Give its file, as in `touchstone check scene.json`",
    .act = check,
};
