/* SPDX-License-Identifier: MIT */
#include "pull.h"

#include <string.h>

#include "base/memory.h"
#include "world.h"

ts_status ts_pulls_create(const ts_model *model, ts_workspace *work, ts_error *error)
{
    if (model->spring_count == 0 || !model->search.falling)
        return TS_OK;
    const size_t numbers = model->body_count * (size_t)model->world->v_size;
    TS_TRY(ts_new(&work->pulls, 1, error));
    TS_TRY(ts_new(&work->pulls->half, numbers, error));
    return ts_new(&work->pulls->mean, numbers, error);
}

void ts_pulls_free(ts_pulls *pulls)
{
    if (!pulls)
        return;
    ts_free(pulls->half);
    ts_free(pulls->mean);
    ts_free(pulls);
}

/* Times that F is asked for, the first one at v: each brings it nearer by (ω h)² / 2. Near the stable step, h = 2 / ω, it
 * would go away, and once has to do. */
static const int rounds = 4;
static const double near_share = 0.5;

static void find_half(const ts_model *model, const ts_state *state, double *half)
{
    memset(half, 0, model->body_count * (size_t)model->world->v_size * sizeof *half);
    model->world->pull(model, state, half);
}

void ts_pulls_foresee(const ts_model *model, ts_state *state, ts_workspace *work)
{
    const size_t n = (size_t)model->world->v_size;
    const double h = model->settings.time_step, g[3] = {model->gravity.x, model->gravity.y, model->gravity.z};
    double *half = work->pulls->half, *mean = work->pulls->mean;
    const int times = h < near_share * model->stable_step ? rounds : 1;
    for (size_t i = 0; i < model->body_count; i++)
        memcpy(mean + n * i, ts_state_motion(state, i), n * sizeof *mean);
    find_half(model, state, half);
    for (int k = 1; k < times; k++) {
        for (size_t i = 0; i < model->body_count; i++)
            for (size_t d = 0; d < n && ts_model_moves(model, i); d++)
                ts_state_motion(state, i)[d] =
                    mean[n * i + d] - 2 * half[n * i + d] - (d < (size_t)model->dimension ? h * g[d] : 0);
        find_half(model, state, half);
    }
    for (size_t i = 0; i < model->body_count; i++) {
        memcpy(ts_state_motion(state, i), mean + n * i, n * sizeof *mean);
        for (size_t d = 0; d < n; d++)
            mean[n * i + d] += half[n * i + d];
    }
}

void ts_pulls_swap(const ts_model *model, ts_state *state, const ts_workspace *work)
{
    const size_t n = (size_t)model->world->v_size;
    for (size_t i = 0; work->pulls && i < model->body_count; i++) {
        double *v = ts_state_motion(state, i), *mean = work->pulls->mean + n * i;
        for (size_t d = 0; d < n; d++) {
            const double kept = v[d];
            v[d] = mean[d];
            mean[d] = kept;
        }
    }
}
