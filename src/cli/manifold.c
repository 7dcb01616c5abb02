/* SPDX-License-Identifier: MIT */
/* touchstone manifold: contacts of two smooth bodies at one pose or many. */
#include "cli/manifold.h"

#include <string.h>

#include "base/text.h"
#include "cli/format.h"
#include "study/output.h"

typedef ts_manifold_wish options;

static const options defaults = {.vertices = 98, .deepest = 10, .width = 1400};

static const ts_option option[] = {
    TS_TEXT("pose", 0, "POSE", pose,
            "where B is in A's frame: x,y,z [m], or with a quaternion x,y,z,w,x,y,z, or with an axis and an angle "
            "that has a unit, as in 0,0,0.2,0,0,1,45deg"),
    TS_TEXT("poses", 0, "FILE", poses,
            "many poses, one a line: as above, or of A and B both (14 numbers), or JSON objects {\"a\": […], \"b\": "
            "[…]}; '-' is standard input"),
    TS_FLAG("gradient", 0, gradient, "also the gradient by both poses"),
    TS_CHOICE("of", 0, "WHAT", "mean-gap|energy", of, "what the gradient is of (default mean-gap)"),
    TS_TEXTS("smoothing", 0, "TAU", smoothing,
             "how smooth everything is, as a share of the bodies' length (default 0.003; published 0.1), or one part "
             "of it: united, select, clip, minimum, inside, centre, sign, depth, nearest or clash, as in nearest=0.01; "
             "may be repeated"),
    TS_TEXTS("gradient-smoothing", 0, "TAU", gradient_smoothing, "the same for the gradient (default: as found)"),
    TS_FLAG("no-edges", 0, no_edges, "contacts of vertices alone"),
    TS_CHOICE("sides", 0, "SIDES", "both|A|B", sides, "whose vertices are asked about (default both)"),
    TS_TEXT("keep-vertices", 0, "N[,N]", keep_vertices, "of A and B: so many, the deepest (default: all)"),
    TS_TEXT("keep-edges", 0, "N[,N]", keep_edges,
            "of A and B, or 'all' (default: as many as a body has primitives, 12 or more)"),
    TS_FLAG("hard", 0, hard, "vertices and edges are chosen, not blended"),
    TS_COUNT("project", 0, "N", 0, 8, project, "steps by which points of edges are brought onto their surfaces"),
    TS_FLAG("safeguard", 0, safeguard, "weights of edges count whether points lie in their own bodies"),
    TS_FLAG("published", 0, published, "weights and blended distances as published"),
    TS_FLAG("everything", 0, everything, "nothing is left out by proven bounds"),
    TS_COUNT("vertices", 0, "N", 26, TS_SDF_BODY_VERTICES_MAX, vertices,
             "of box, ball and superquadric: vertices of their meshes, about (default 98)"),
    TS_COUNT("deepest", 0, "N", 0, 1000, deepest, "so many contacts are listed (default 10)"),
    TS_TEXT("png", 0, "FILE", png, "draw the first pose from four sides"),
    TS_CHOICE("colour", 0, "WHAT", "weight|colliding|inside|nearest|clashing", colour,
              "what colours mean: the weight, or an indicator of edges (default weight)"),
    TS_FLAG("unscaled", 0, unscaled, "arrows of one length, instead of as long as weights say"),
    TS_NUMBER("reach", 0, "METRES", reach, "draw contacts up to this gap (default: 3% of the length)"),
    TS_COUNT("width", 'w', "PIXELS", 300, 8192, width, "of the picture (default 1400)"),
    TS_FLAG("dark", 0, dark, "a dark picture"),
    TS_COUNT("count", 'n', "N", 1, 10000000, count, "choose: colliding poses (default 1000)"),
    TS_COUNT("seed", 0, "N", 1, 0, seed, "choose: of the poses (default 1)"),
    TS_NUMBER("depth", 0, "SHARE", depth, "choose: B goes in by up to this share of the length (default 0.02)"),
    TS_NUMBER("quantile", 0, "SHARE", quantile,
              "choose: share of the poses whose contacts shall all be kept (default 0.95)"),
    TS_JSON_OPTION(json, "write everything as JSON: points, gaps, normals, weights, indicators, gradients"),
    TS_THREADS_OPTION(threads),
    TS_QUIET_OPTION(quiet, "no table"),
};

/* ---- Options ---- */

/* "0.01", or one part, "nearest=0.01". */
static ts_status set_smoothing(const ts_texts *given, const char *name, ts_manifold_smoothing *s, ts_error *error)
{
    const struct {
        const char *name;
        double *value;
    } part[] = {{"united", &s->united}, {"select", &s->select},  {"clip", &s->clip}, {"minimum", &s->minimum},
                {"inside", &s->inside}, {"centre", &s->centre},  {"sign", &s->sign}, {"depth", &s->depth},
                {"clash", &s->clash},   {"nearest", &s->nearest}};
    for (size_t i = 0; i < given->count; i++) {
        const char *text = given->item[i], *equals = strchr(text, '=');
        const size_t length = equals ? (size_t)(equals - text) : 0;
        double value, *to = NULL;
        if (!ts_parse_double(equals ? equals + 1 : text, &value))
            return ts_fail(error, TS_BAD_INPUT, "--%s '%s' is no number; give one such as 0.003 or nearest=0.01", name,
                           text);
        for (size_t k = 0; equals && k < sizeof part / sizeof *part; k++)
            if (strlen(part[k].name) == length && strncmp(part[k].name, text, length) == 0)
                to = part[k].value;
        if (equals && !to)
            return ts_fail(error, TS_BAD_INPUT,
                           "--%s '%s' names no part of it; there are united, select, clip, minimum, inside, centre, "
                           "sign, depth, nearest and clash",
                           name, text);
        if (to)
            *to = value;
        else
            *s = ts_manifold_smoothing_of(value);
    }
    return TS_OK;
}

/* "12" for both bodies, "12,8", "all". */
static ts_status read_keep(const char *text, const char *name, size_t keep[2], ts_error *error)
{
    const char *comma = text ? strchr(text, ',') : NULL;
    for (int i = 0; text && i < 2; i++) {
        char part[32];
        uint64_t value = SIZE_MAX;
        const char *at = i == 1 && comma ? comma + 1 : text;
        snprintf(part, sizeof part, "%.*s", i == 0 && comma ? (int)(comma - text) : 31, at);
        if (strcmp(part, "all") != 0 && (!ts_parse_uint64(part, &value) || value == 0))
            return ts_fail(error, TS_BAD_INPUT, "--%s '%s' is no count; give one such as 12, two such as 12,8, or all",
                           name, text);
        keep[i] = (size_t)value;
    }
    return TS_OK;
}

static ts_status read_options(const options *given, ts_manifold_answers *all, ts_error *error)
{
    ts_manifold_options *o = &all->options;
    *o = ts_manifold_default_options();
    TS_TRY(set_smoothing(&given->smoothing, "smoothing", &o->smoothing, error));
    all->gradient_smoothing = o->smoothing;
    TS_TRY(set_smoothing(&given->gradient_smoothing, "gradient-smoothing", &all->gradient_smoothing, error));
    TS_TRY(read_keep(given->keep_vertices, "keep-vertices", o->keep_vertices, error));
    TS_TRY(read_keep(given->keep_edges, "keep-edges", o->keep_edges, error));
    o->sides = (ts_manifold_sides)given->sides;
    o->edges = !given->no_edges;
    o->hard = given->hard;
    o->project = (int)given->project;
    o->safeguard = given->safeguard;
    o->published = given->published;
    o->everything = given->everything;
    return TS_OK;
}

/* ---- The command ---- */

static ts_status read_poses(const options *given, ts_manifold_answers *all, ts_error *error)
{
    if (given->poses)
        return ts_manifold_poses_read(given->poses, &all->pose, error);
    return ts_manifold_pose_parse(given->pose, &all->pose, error);
}

static ts_status tell(const options *given, ts_manifold_answers *all, ts_error *error)
{
    if (given->png) {
        TS_TRY(ts_manifold_picture(all, error));
        if (!given->quiet && !given->poses)
            fprintf(ts_output_stream(given->json), "%s\n\n", given->png);
    }
    if (!given->quiet && !given->poses)
        ts_manifold_print_one(all, ts_output_stream(given->json));
    else if (!given->quiet && ts_output_stream(given->json) == stdout)
        ts_manifold_print_csv(all, stdout);
    return ts_manifold_write_json(all, error);
}

static void free_subjects(ts_manifold_subject (*subject)[2])
{
    for (int i = 0; i < 2; i++)
        ts_manifold_subject_free(&(*subject)[i]);
}

static ts_status choose(const options *given, const char *const *name, ts_error *error)
{
    TS_AUTO(free_subjects) ts_manifold_subject subject[2] = {0};
    for (int i = 0; i < 2; i++)
        TS_TRY(ts_manifold_subject_find(name[i], (size_t)given->vertices, &subject[i], error));
    return ts_manifold_choose(given, subject, error);
}

static ts_status act(const options *given, const char *const *name, ts_error *error)
{
    TS_AUTO(free_subjects) ts_manifold_subject subject[2] = {0};
    TS_AUTO(ts_manifold_answers_free) ts_manifold_answers all = {.wish = given, .subject = subject};
    TS_TRY(read_options(given, &all, error));
    TS_TRY(read_poses(given, &all, error));
    for (int i = 0; i < 2; i++)
        TS_TRY(ts_manifold_subject_find(name[i], (size_t)given->vertices, &subject[i], error));
    TS_TRY(ts_manifold_answer(&all, error));
    return tell(given, &all, error);
}

static bool is_choose(const ts_operands *operands)
{
    return operands->count > 0 && strcmp(operands->item[0], "choose") == 0;
}

/* Options that are not the default and have no meaning for what is done. */
static ts_status refuse(const options *given, bool chooses, ts_error *error)
{
    const struct {
        const char *name;
        bool given, choose;
    } use[] = {{"pose", given->pose != NULL, false},
               {"poses", given->poses != NULL, false},
               {"gradient", given->gradient, false},
               {"smoothing", given->smoothing.count > 0, false},
               {"png", given->png != NULL, false},
               {"keep-vertices", given->keep_vertices != NULL, false},
               {"keep-edges", given->keep_edges != NULL, false},
               {"hard", given->hard, false},
               {"no-edges", given->no_edges, false},
               {"sides", given->sides != 0, false},
               {"project", given->project > 0, false},
               {"safeguard", given->safeguard, false},
               {"published", given->published, false},
               {"everything", given->everything, false},
               {"count", given->count > 0, true},
               {"seed", given->seed > 0, true},
               {"depth", given->depth != 0, true},
               {"quantile", given->quantile != 0, true}};
    for (size_t i = 0; i < sizeof use / sizeof *use; i++)
        if (use[i].given && use[i].choose != chooses)
            return ts_fail(error, TS_BAD_INPUT, "--%s %s `manifold choose`; leave it out", use[i].name,
                           chooses ? "has no meaning for" : "is only of");
    return TS_OK;
}

static ts_status check_choose(const options *given, const ts_operands *operands, ts_error *error)
{
    if (operands->count != 3)
        return ts_fail(error, TS_BAD_INPUT, "which bodies? Give two, as in `touchstone manifold choose box ball`");
    if (given->depth < 0 || given->quantile < 0)
        return ts_fail(error, TS_BAD_INPUT, "--%s is %g; give a share above 0", given->depth < 0 ? "depth" : "quantile",
                       given->depth < 0 ? given->depth : given->quantile);
    return TS_OK;
}

static ts_status check(const void *values, const ts_operands *operands, ts_error *error)
{
    const options *given = values;
    TS_TRY(refuse(given, is_choose(operands), error));
    if (is_choose(operands))
        return check_choose(given, operands, error);
    if (operands->count > 2)
        return ts_fail(error, TS_BAD_INPUT, "'%s' is one argument too many", operands->item[2]);
    if (operands->count < 2)
        return ts_fail(error, TS_BAD_INPUT,
                       "which bodies? Give two, as in `touchstone manifold box ball --pose 0,0,0.9`");
    if (!given->pose == !given->poses)
        return ts_fail(error, TS_BAD_INPUT, "%s",
                       given->pose ? "--pose and --poses are two ways to say one thing; give one of them"
                                   : "where is B? Give --pose x,y,z, or --poses FILE");
    if (given->of && !given->gradient)
        return ts_fail(error, TS_BAD_INPUT, "--of says what the gradient is of; add --gradient");
    if (given->gradient_smoothing.count && !given->gradient)
        return ts_fail(error, TS_BAD_INPUT, "--gradient-smoothing is of the gradient; add --gradient");
    if (!given->png && (given->colour || given->unscaled || given->dark || given->reach != 0))
        return ts_fail(error, TS_BAD_INPUT,
                       "--colour, --unscaled, --reach and --dark are of the picture; add --png FILE");
    if (given->reach < 0)
        return ts_fail(error, TS_BAD_INPUT, "--reach is %g m; give a gap above 0", given->reach);
    return TS_OK;
}

static ts_exit run(const void *values, const ts_operands *operands)
{
    ts_error error;
    const ts_status status =
        is_choose(operands) ? choose(values, operands->item + 1, &error) : act(values, operands->item, &error);
    return status == TS_OK ? TS_EXIT_OK : ts_cli_fail(&error);
}

const ts_command ts_command_manifold = {
    .name = "manifold",
    .usage = "A B --pose POSE [OPTIONS]\nA B --poses FILE [OPTIONS]\nchoose A B [OPTIONS]",
    .summary = "contacts of two smooth bodies, with weights and gradients",
    .text =
        "Finds the contact manifold of two smooth bodies: the vertices of each in the signed distance of the other, "
        "and "
        "the nearest points of pairs of edges, each with a gap, a normal from A to B and a weight. All of them change "
        "smoothly with the poses; --gradient tells how.\n\n"
        "A and B are box, box:0.1 or box:0.1,0.2,0.3 (half axes [m]; exponents 0.1), ball or ball:0.1, "
        "superquadric:A,B,C,E1,E2 (half axes and exponents from 0.1 to 1.9), or a file that `touchstone shape fit` "
        "wrote. A stands at the origin.\n\n"
        "choose A B proposes how many vertices and edges to keep: it makes random collisions, counts vertices that are "
        "deepest and edges that cross, and takes a quantile.\n\n"
        "One pose prints a table, many print CSV: a line each. --json has every contact. Gradients are by the position "
        "of a body [per metre] and by a small rotation of it about the world's axes [per radian]; in JSON also by the "
        "pose as a vector (\"log\"). The mean gap is Σ weight · gap / Σ weight, the energy ½ Σ weight · min(gap, "
        "0)².\n\n"
        "Edges are blended where several are about equally deep, and each blend has its own weight; --hard keeps them "
        "apart, which suits boxes.",
    .example = "touchstone manifold box box --pose 0,0,0.99,0,0,1,45deg --hard --png out/boxes.png\n"
               "touchstone manifold box ball:0.3 --pose 0,0,0.79 --gradient --of energy\n"
               "touchstone manifold superquadric:0.1,0.2,0.1,0.3,1 box:0.1 --poses poses.csv --json out/contacts.json\n"
               "touchstone manifold choose superquadric:0.1,0.2,0.1,0.3,1 box:0.1",
    TS_OPTIONS(option, defaults),
    .operand_most = 3,
    .check = check,
    .run = run,
};
