/* SPDX-License-Identifier: MIT */
/* Saving and restoring: a run that was interrupted ends with the same bits as one that was not.
 *
 *     ./checkpoint [SCENE.json]        without a file, a few grains in a drum
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <touchstone/touchstone.h>

#define TRY(call)                                     \
    do {                                              \
        if ((call) != TS_OK) {                        \
            char text[1500];                          \
            ts_error_text(&error, text, sizeof text); \
            fprintf(stderr, "%s\n", text);            \
            return 1;                                 \
        }                                             \
    } while (0)

static const char drum[] =
    "{\"touchstone\": 1,\n"
    " \"shapes\": {\"grain\": {\"kind\": \"disc\", \"radius\": \"1 cm\"}},\n"
    " \"walls\": [{\"name\": \"drum\", \"kind\": \"circle\", \"position\": [0, 0], \"radius\": 0.2}],\n"
    " \"generators\": [{\"kind\": \"random\", \"shape\": \"grain\", \"count\": 150,\n"
    "                 \"region\": {\"circle\": {\"position\": [0, 0], \"radius\": 0.2}}}],\n"
    " \"drives\": [{\"target\": \"drum\", \"kind\": \"rotation\", \"rate\": \"30 rpm\"}]}\n";

int main(int count, char **argument)
{
    ts_error error;
    ts_scene *scene;
    if (count > 1)
        TRY(ts_scene_load(argument[1], NULL, &scene, &error));
    else
        TRY(ts_scene_parse(drum, strlen(drum), "drum", NULL, &scene, &error));
    ts_model *model;
    ts_state *state;
    ts_workspace *work;
    TRY(ts_model_compile(scene, &model, &error));
    TRY(ts_state_create(model, &state, &error));
    TRY(ts_workspace_create(model, 0, &work, &error)); /* one thread a core: the bits do not depend on it */

    /* run, save, and run on */
    TRY(ts_step(model, state, work, 1500, &error));
    TRY(ts_state_save(model, state, "checkpoint.tsc", &error));
    TRY(ts_step(model, state, work, 1500, &error));
    uint64_t straight = ts_state_hash(state);

    /* as if in another process: a new state, restored, on one thread */
    ts_state *restored;
    ts_workspace *other;
    TRY(ts_state_create(model, &restored, &error));
    TRY(ts_state_load(model, restored, "checkpoint.tsc", &error));
    TRY(ts_workspace_create(model, 1, &other, &error));
    TRY(ts_step(model, restored, other, 1500, &error));
    uint64_t again = ts_state_hash(restored);

    printf("%zu bodies after %" PRIu64 " steps: %016" PRIx64 " straight, %016" PRIx64 " restored\n",
           ts_model_body_count(model), ts_state_steps(state), straight, again);
    ts_workspace_free(other);
    ts_workspace_free(work);
    ts_state_free(restored);
    ts_state_free(state);
    ts_model_free(model);
    ts_scene_free(scene);
    return straight == again ? 0 : 1;
}
