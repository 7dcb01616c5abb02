/* SPDX-License-Identifier: MIT */
/* The networks of the bench `maps` by themselves: the gap's, with its gradient, as kernels and PyTorch compute it.
 *
 * Both get the same weights and the same inputs through a file and must agree within 1e-4; runs alternate, on one
 * thread, and what counts is the processor's time. PyTorch runs as a process of its own (bench/peers/torch_maps.py) and
 * may choose its batch: its best one of several stands beside ours, for queries and for training alike. */
#include "maps_peer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
#include "base/vec.h"
#include "cspace/map.h"
#include "cspace/train.h"
#include "process.h"

#define SAMPLES       4096
#define REPEATS_MAX   7
#define AGREEMENT     1e-4 /* of values and gradients; the gap is of order 1 */
#define GOAL_PEAK     0.8
#define GOAL_QUERY    3.0
#define GOAL_TRAINING 4.0

static const size_t batch_size[] = {64, SAMPLES};
#define BATCHES (sizeof batch_size / sizeof *batch_size)

/* One network in both programs. */
typedef struct contest {
    const ts_network *network;
    const ts_perceptron *p;             /* its gap network */
    float *input;                       /* (inputs × SAMPLES) */
    float *output;                      /* (SAMPLES) */
    float *gradient;                    /* (inputs × SAMPLES) */
    double query[BATCHES][REPEATS_MAX]; /* a second */
    double training[REPEATS_MAX];       /* samples a second */
    double peer_query[REPEATS_MAX], peer_hand[REPEATS_MAX], peer_training[REPEATS_MAX];
    int repeats;
    double seconds;                 /* of each measurement */
    char peer[64], by_hand[80];     /* PyTorch and its version */
    double peer_batch[3];           /* its best for queries, for those by hand, for training */
    double difference;              /* between both programs */
    char program[4096], python[64]; /* empty: no peer, */
    char missing[4200];             /* and why */
} contest;

static void close_contest(contest *c)
{
    ts_free(c->input);
    ts_free(c->output);
    ts_free(c->gradient);
}

/* ---- Ours ---- */

static ts_status open_contest(ts_bench *bench, contest *c, ts_error *error)
{
    size_t inputs = (size_t)c->p->inputs;
    TS_TRY(ts_new(&c->input, inputs * SAMPLES, error));
    TS_TRY(ts_new(&c->output, SAMPLES, error));
    TS_TRY(ts_new(&c->gradient, inputs * SAMPLES, error));
    ts_random random = ts_random_make(ts_bench_seed(bench), 2);
    for (size_t i = 0; i < SAMPLES; i++) {
        double x = ts_random_next_range(&random, -1.5, 1.5), y = ts_random_next_range(&random, -1.5, 1.5);
        float one[TS_NETWORK_INPUTS_MAX];
        ts_network_encode(c->network->encoding, c->network->frequency, x, y,
                          ts_random_next_range(&random, -TS_PI, TS_PI), one);
        for (size_t k = 0; k < inputs; k++)
            c->input[k * SAMPLES + i] = one[k];
    }
    ts_perceptron_query(c->p, SAMPLES, SAMPLES, c->input, c->output, c->gradient);
    return TS_OK;
}

static double query_rate(const contest *c, size_t batch)
{
    size_t count = 0, at = 0;
    double begin = ts_clock_processor_seconds(), taken;
    do {
        ts_perceptron_query(c->p, batch, SAMPLES, c->input + at, c->output + at, c->gradient + at);
        count += batch;
        at = at + 2 * batch <= SAMPLES ? at + batch : 0;
        taken = ts_clock_processor_seconds() - begin;
    } while (taken < c->seconds);
    return (double)count / taken;
}

/* Multiplications and additions of one query with gradient: forward through all layers, backward through all but the
 * last, whose row of weights is where the way back begins. */
static double operations(const ts_perceptron *p)
{
    double forward = 0, backward = 0;
    for (int layer = 0; layer <= p->depth; layer++) {
        double weights = (double)ts_perceptron_rows(p, layer) * ts_perceptron_columns(p, layer);
        forward += 2 * weights;
        backward += layer < p->depth ? 2 * weights : 0;
    }
    return forward + backward;
}

/* Samples a second that a network of this form learns from: the inputs above, and what the trained one says of them. */
static ts_status training_rate(const contest *c, double *rate, ts_error *error)
{
    ts_perceptron pupil;
    ts_train_rows rows = {.count = SAMPLES, .row = ts_alloc(SAMPLES * TS_TRAIN_ROW, sizeof(float))};
    if (!rows.row)
        return ts_fail_memory(error, SAMPLES * TS_TRAIN_ROW * sizeof(float));
    for (size_t i = 0; i < SAMPLES; i++) {
        float *row = rows.row + i * TS_TRAIN_ROW;
        for (size_t k = 0; k < (size_t)c->p->inputs; k++)
            row[k] = c->input[k * SAMPLES + i];
        row[TS_TRAIN_TARGET] = c->output[i];
    }
    ts_status status = ts_perceptron_create(c->p->inputs, 1, c->p->depth, c->p->width, &pupil, error);
    if (status == TS_OK) {
        ts_train_plan plan = {.seconds = c->seconds, .seed = 1};
        ts_train_report report;
        ts_perceptron_start(&pupil, 1);
        double begin = ts_clock_processor_seconds();
        status = ts_perceptron_fit(&pupil, &rows, &plan, NULL, &report, error);
        *rate = (double)report.visits / (ts_clock_processor_seconds() - begin);
        ts_perceptron_free(&pupil);
    }
    ts_free(rows.row);
    return status;
}

/* ---- The peer ---- */

/* The script lies beside this program. Debian's own Python comes first: only that one sees Debian's PyTorch. */
static void find_peer(contest *c)
{
    ssize_t length = readlink("/proc/self/exe", c->program, 4000);
    c->program[length > 0 ? length : 0] = 0;
    char *slash = strrchr(c->program, '/');
    if (slash)
        snprintf(slash, 64, "/peers/torch_maps.py");
    if (access("/usr/bin/python3", X_OK) == 0)
        snprintf(c->python, sizeof c->python, "/usr/bin/python3");
    else if (ts_process_on_path("python3"))
        snprintf(c->python, sizeof c->python, "python3");
    if (!slash || access(c->program, R_OK) != 0)
        snprintf(c->missing, sizeof c->missing, "no peer: cannot read its script %s, which belongs beside this program",
                 slash ? c->program : "peers/torch_maps.py");
    else if (!c->python[0])
        snprintf(c->missing, sizeof c->missing, "no peer: install python3, python3-torch and libopenblas0");
    if (c->missing[0])
        c->program[0] = 0;
}

static ts_status write_network(const contest *c, const char *path, ts_error *error)
{
    const ts_perceptron *p = c->p;
    ts_draft draft;
    TS_TRY(ts_draft_open(&draft, path, error));
    uint64_t head[6] = {
        (uint64_t)p->inputs, (uint64_t)p->outputs, (uint64_t)p->depth, (uint64_t)p->width, p->count, SAMPLES};
    fwrite(head, sizeof *head, 6, draft.stream);
    fwrite(p->parameter, sizeof(float), p->count, draft.stream);
    for (size_t i = 0; i < SAMPLES; i++)
        for (size_t k = 0; k < (size_t)p->inputs; k++)
            fwrite(&c->input[k * SAMPLES + i], sizeof(float), 1, draft.stream);
    fwrite(c->output, sizeof(float), SAMPLES, draft.stream);
    for (size_t i = 0; i < SAMPLES; i++)
        for (size_t k = 0; k < (size_t)p->inputs; k++)
            fwrite(&c->gradient[k * SAMPLES + i], sizeof(float), 1, draft.stream);
    return ts_draft_commit(&draft, error);
}

/* The best of the lines "<what>-<batch> <rate>". */
static double best_of(const char *text, const char *what, double *batch)
{
    double best = TS_NONE;
    for (size_t size = 64; size <= 65536; size *= 2) {
        char key[64];
        snprintf(key, sizeof key, "%s-%zu ", what, size);
        double rate = ts_process_number(text, key);
        if (!isnan(rate) && !(rate <= best)) {
            best = rate;
            *batch = (double)size;
        }
    }
    return best;
}

static void read_peer(contest *c, const char *text, int repeat)
{
    const char *version = ts_process_line(text, "version ");
    snprintf(c->peer, sizeof c->peer, "PyTorch %.*s", (int)strcspn(version, "+a\n"), version);
    snprintf(c->by_hand, sizeof c->by_hand, "%s by hand", c->peer);
    c->peer_query[repeat] = best_of(text, "query", &c->peer_batch[0]);
    c->peer_hand[repeat] = best_of(text, "hand", &c->peer_batch[1]);
    c->peer_training[repeat] = best_of(text, "train", &c->peer_batch[2]);
    c->difference = ts_process_number(text, "difference ");
}

static ts_status run_peer(contest *c, const char *file, int repeat, ts_error *error)
{
    char output[4200], seconds[32], *text;
    size_t size;
    snprintf(output, sizeof output, "%s.out", file);
    snprintf(seconds, sizeof seconds, "%.3f", c->seconds);
    const char *argument[] = {c->python, c->program, file, seconds, NULL};
    TS_TRY(ts_process_run(argument, output, error));
    TS_TRY(ts_file_read(output, 1 << 20, &text, &size, error));
    if (strncmp(text, "missing", 7) == 0) {
        snprintf(c->missing, sizeof c->missing, "no peer: install python3-torch and libopenblas0");
        c->program[0] = 0;
    } else {
        read_peer(c, text, repeat);
    }
    ts_free(text);
    if (!c->program[0])
        return TS_OK;
    if (!(c->peer_query[repeat] > 0) || !(c->peer_hand[repeat] > 0) || !(c->peer_training[repeat] > 0))
        return ts_fail(error, TS_IO, "PyTorch ended without its rates; its output is in %s", output);
    if (!(c->difference <= AGREEMENT))
        return ts_fail(error, TS_BAD_INPUT, "PyTorch's values of the same network differ by %.2g; its output is in %s",
                       c->difference, output);
    return TS_OK;
}

/* ---- Rows ---- */

static ts_status measure(ts_bench *bench, contest *c, ts_error *error)
{
    char file[4096] = "";
    find_peer(c);
    if (c->program[0]) {
        const char *folder;
        TS_TRY(ts_bench_out_dir(bench, &folder, error));
        snprintf(file, sizeof file, "%s/network-%" PRId32 "x%" PRId32 ".bin", folder, c->p->depth, c->p->width);
        TS_TRY(write_network(c, file, error));
    }
    query_rate(c, SAMPLES); /* warm */
    for (int r = 0; r < c->repeats; r++) {
        for (size_t i = 0; i < BATCHES; i++)
            c->query[i][r] = query_rate(c, batch_size[i]);
        TS_TRY(training_rate(c, &c->training[r], error));
        if (c->program[0])
            TS_TRY(run_peer(c, file, r, error));
    }
    return TS_OK;
}

static void set_peer(const contest *c, ts_bench_row *row, double value, double spread, double goal)
{
    row->peer = c->peer;
    row->peer_value = value;
    row->peer_spread = spread;
    row->ratio = row->ours / value;
    row->goal = goal;
    row->judged = row->ratio;
}

static ts_status add_share_row(ts_bench *bench, const contest *c, size_t batch, double share, ts_error *error)
{
    char name[128];
    ts_bench_row row = ts_bench_row_empty();
    snprintf(name, sizeof name, "%" PRId32 "×%" PRId32 ", batch %zu: share of the core's peak", c->p->depth,
             c->p->width, batch);
    row.name = name;
    row.unit = "1";
    row.ours = share;
    if (c->p->width >= 64) {
        row.goal = GOAL_PEAK;
        row.judged = share;
    }
    return ts_bench_add(bench, &row, error);
}

/* PyTorch written out by hand has no goal: nobody asks it so, but this is what its arithmetic can do. */
static ts_status add_hand_row(ts_bench *bench, contest *c, ts_bench_row row, double value, ts_error *error)
{
    char note[256];
    row.peer = c->by_hand;
    row.peer_value = value;
    row.ratio = row.ours / value;
    row.goal = row.judged = TS_NONE;
    snprintf(note, sizeof note, "PyTorch without its graph, batch %.0f", c->peer_batch[1]);
    row.note = note;
    return ts_bench_add(bench, &row, error);
}

static ts_status add_query_rows(ts_bench *bench, contest *c, double peak, ts_peer_rates *peer, ts_error *error)
{
    double spread = TS_NONE, hand_spread = TS_NONE, query = TS_NONE, hand = TS_NONE;
    if (c->program[0]) {
        query = ts_bench_median(c->peer_query, (size_t)c->repeats, &spread);
        hand = ts_bench_median(c->peer_hand, (size_t)c->repeats, &hand_spread);
        peer->query = fmax(query, hand);
    }
    for (size_t i = 0; i < BATCHES; i++) {
        char name[128], note[4200];
        ts_bench_row row = ts_bench_row_empty();
        snprintf(name, sizeof name, "gap network %" PRId32 "×%" PRId32 " with gradient, batch %zu", c->p->depth,
                 c->p->width, batch_size[i]);
        row.name = name;
        row.unit = "queries/s";
        row.ours = ts_bench_median(c->query[i], (size_t)c->repeats, &row.spread);
        row.note = note;
        snprintf(note, sizeof note, "%s", c->missing);
        if (c->program[0]) {
            set_peer(c, &row, query, spread, GOAL_QUERY);
            snprintf(note, sizeof note, "ours: %s; PyTorch by autograd, batch %.0f; they agree to %.0e",
                     ts_cpu_level_name(ts_cpu_level()), c->peer_batch[0], c->difference);
        }
        TS_TRY(ts_bench_add(bench, &row, error));
        row.peer_spread = hand_spread;
        if (c->program[0] && i == BATCHES - 1)
            TS_TRY(add_hand_row(bench, c, row, hand, error));
        TS_TRY(add_share_row(bench, c, batch_size[i], row.ours * operations(c->p) / peak, error));
    }
    return TS_OK;
}

static ts_status add_training_row(ts_bench *bench, contest *c, ts_peer_rates *peer, ts_error *error)
{
    char name[128], note[256];
    ts_bench_row row = ts_bench_row_empty();
    snprintf(name, sizeof name, "training a %" PRId32 "×%" PRId32 " network, 1 thread", c->p->depth, c->p->width);
    row.name = name;
    row.unit = "samples/s";
    row.ours = ts_bench_median(c->training, (size_t)c->repeats, &row.spread);
    if (c->program[0]) {
        double spread;
        peer->training = ts_bench_median(c->peer_training, (size_t)c->repeats, &spread);
        set_peer(c, &row, peer->training, spread, GOAL_TRAINING);
        snprintf(note, sizeof note, "Adam; PyTorch with batches of %.0f", c->peer_batch[2]);
        row.note = note;
    }
    return ts_bench_add(bench, &row, error);
}

ts_status ts_bench_map_network(ts_bench *bench, const ts_map *map, double peak, ts_peer_rates *peer, ts_error *error)
{
    bool quick = ts_bench_quick(bench);
    TS_AUTO(close_contest)
    contest c = {.network = map->network,
                 .p = &map->network->gap,
                 .repeats = quick                  ? 1
                            : ts_bench_full(bench) ? REPEATS_MAX
                                                   : 3,
                 .seconds = quick ? 0.01 : 0.25};
    *peer = (ts_peer_rates){.query = TS_NONE, .training = TS_NONE};
    TS_TRY(open_contest(bench, &c, error));
    TS_TRY(measure(bench, &c, error));
    TS_TRY(add_query_rows(bench, &c, peak, peer, error));
    TS_TRY(add_training_row(bench, &c, peer, error));
    if (c.program[0])
        snprintf(peer->name, sizeof peer->name, "%s", c.peer);
    return TS_OK;
}
