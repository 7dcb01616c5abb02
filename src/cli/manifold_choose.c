/* SPDX-License-Identifier: MIT */
/* touchstone manifold choose: how many vertices and edges to keep, from random collisions. */
#include <math.h>
#include <string.h>

#include "cli/format.h"
#include "cli/manifold.h"
#include "study/output.h"
#include "study/table.h"

/* Rows of a histogram, and the widest bar. */
enum { ROWS = 10, BAR = 40, COUNTS = 3 };

typedef struct chosen {
    const ts_manifold_subject *subject; /* A and B */
    ts_manifold_propose_options options;
    const ts_manifold_proposal *proposal;
} chosen;

/* What is counted in each pose. */
static const uint32_t *counts_of(const ts_manifold_proposal *p, int k)
{
    return k < 2 ? p->deepest[k] : p->pairs;
}

static const char *const title[COUNTS] = {"deepest vertices of A in B", "deepest vertices of B in A",
                                          "pairs of edges that cross"};

/* ---- For people ---- */

static void print_histogram(const ts_manifold_proposal *p, int k, FILE *stream)
{
    const uint32_t *count = counts_of(p, k);
    uint32_t most = 0;
    for (size_t i = 0; i < p->poses; i++)
        most = count[i] > most ? count[i] : most;
    const uint32_t width = most / ROWS + 1, rows = most / width + 1;
    size_t share[ROWS + 1] = {0}, largest = 1;
    for (size_t i = 0; i < p->poses; i++)
        share[count[i] / width]++;
    for (uint32_t r = 0; r < rows; r++)
        largest = share[r] > largest ? share[r] : largest;
    fprintf(stream, "\n%s\n", title[k]);
    for (uint32_t r = 0; r < rows; r++) {
        char range[32];
        if (width == 1)
            snprintf(range, sizeof range, "%u", r);
        else
            snprintf(range, sizeof range, "%u to %u", r * width, (r + 1) * width - 1);
        fprintf(stream, "  %12s  %5.1f%%  ", range, 100.0 * (double)share[r] / (double)p->poses);
        const int bar = (int)lround((double)BAR * (double)share[r] / (double)largest);
        for (int i = 0; i < bar; i++)
            fputs("█", stream);
        fputs("\n", stream);
    }
}

static void print_keep(const ts_table *table, const char *name, const ts_manifold_keep *keep)
{
    char cell[5][48];
    const size_t number[5] = {keep->vertices[0], keep->vertices[1], keep->edges[0], keep->edges[1],
                              keep->vertices[0] + keep->vertices[1] + 2 * keep->edges[0] * keep->edges[1]};
    for (int i = 0; i < 5; i++)
        snprintf(cell[i], sizeof cell[i], "%s", ts_show_count(number[i]).text);
    const char *const row[] = {name, cell[0], cell[1], cell[2], cell[3], cell[4]};
    ts_table_row(table, row);
}

static void print_chosen(const chosen *c, FILE *stream)
{
    const ts_manifold_proposal *p = c->proposal;
    const ts_table table = {stream,
                            6,
                            {{"to keep", 31, false},
                             {"vertices A", 10, true},
                             {"B", 6, true},
                             {"edges A", 8, true},
                             {"B", 6, true},
                             {"contacts", 12, true}},
                            0};
    char suggested[64];
    fprintf(stream, "%s × %s: %s collide, of %s tried\n", c->subject[0].name, c->subject[1].name,
            ts_show_counted(p->poses, "pose").text, ts_show_count(p->tried).text);
    for (int k = 0; k < COUNTS; k++)
        print_histogram(p, k, stream);
    fprintf(stream, "\n");
    ts_table_head(&table);
    snprintf(suggested, sizeof suggested, "as many as %.4g%% of poses have", 100 * c->options.quantile);
    print_keep(&table, suggested, &p->suggested);
    snprintf(suggested, sizeof suggested, "the deepest hold them in %.4g%%", 100 * c->options.quantile);
    print_keep(&table, suggested, &p->covering);
    print_keep(&table, "four a primitive", &p->convex);
    print_keep(&table, "all, as barrier methods", &p->barrier);
    fprintf(stream, "\nTry: --keep-vertices %zu,%zu --keep-edges %zu,%zu\n", p->covering.vertices[0],
            p->covering.vertices[1], p->covering.edges[0], p->covering.edges[1]);
}

/* ---- For programs ---- */

static void write_keep(ts_json *json, const char *name, const ts_manifold_keep *keep)
{
    const double vertices[2] = {(double)keep->vertices[0], (double)keep->vertices[1]},
                 edges[2] = {(double)keep->edges[0], (double)keep->edges[1]};
    ts_json_begin_object(json, name);
    ts_json_numbers(json, "vertices", vertices, 2);
    ts_json_numbers(json, "edges", edges, 2);
    ts_json_end(json);
}

static void write_chosen(ts_json *json, const void *subject)
{
    static const char *const name[COUNTS] = {"deepest_a", "deepest_b", "pairs"};
    const chosen *c = subject;
    const ts_manifold_proposal *p = c->proposal;
    ts_json_begin_object(json, NULL);
    ts_json_text(json, "a", c->subject[0].name);
    ts_json_text(json, "b", c->subject[1].name);
    ts_json_uint(json, "seed", c->options.seed);
    TS_JSON_NUMBERS(json, {"depth", c->options.depth}, {"quantile", c->options.quantile});
    ts_json_uint(json, "poses", p->poses);
    ts_json_uint(json, "tried", p->tried);
    write_keep(json, "suggested", &p->suggested);
    write_keep(json, "covering", &p->covering);
    write_keep(json, "convex", &p->convex);
    write_keep(json, "barrier", &p->barrier);
    for (int k = 0; k < COUNTS; k++) {
        ts_json_begin_array(json, name[k]);
        for (size_t i = 0; i < p->poses; i++)
            ts_json_uint(json, NULL, counts_of(p, k)[i]);
        ts_json_end(json);
    }
    ts_json_end(json);
}

/* ---- The command ---- */

TS_RELEASE_AT(ts_manifold_proposal, ts_manifold_proposal_free)

ts_status ts_manifold_choose(const ts_manifold_wish *wish, const ts_manifold_subject subject[2], ts_error *error)
{
    TS_AUTO(ts_manifold_proposal_free_at) ts_manifold_proposal *proposal = NULL;
    ts_manifold_propose_options options = ts_manifold_default_propose_options();
    options.poses = wish->count ? (size_t)wish->count : options.poses;
    options.seed = wish->seed ? wish->seed : options.seed;
    options.depth = wish->depth > 0 ? wish->depth : options.depth;
    options.quantile = wish->quantile > 0 ? wish->quantile : options.quantile;
    options.threads = (int)wish->threads;
    TS_TRY(ts_manifold_propose(subject[0].body, subject[1].body, &options, &proposal, error));
    const chosen c = {subject, options, proposal};
    if (!wish->quiet)
        print_chosen(&c, ts_output_stream(wish->json));
    return ts_output_json(wish->json, write_chosen, &c, error);
}
