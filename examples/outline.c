/* SPDX-License-Identifier: MIT */
/* An outline: a bracket from points and an arc, what is known of it, how far points lie from it, and a box full of
 * it, measured. */
#include <stdio.h>

#include <touchstone/touchstone.h>

/* Points of the boundary, counter-clockwise; the edge from (0.02, 0.01) to (0.01, 0.02) is a quarter circle about
 * (0.02, 0.02) that turns clockwise: bulge = tan(-90° / 4). The hole's direction does not matter here: the rule is
 * even-odd. */
static const ts_vertex bracket[] = {
    {0, 0, 0},       {0.04, 0, 0},    {0.04, 0.01, 0}, {0.02, 0.01, -0.41421356237309503},
    {0.01, 0.02, 0}, {0.01, 0.04, 0}, {0, 0.04, 0}};
static const ts_vertex hole[] = {{0.007, 0.005, 1}, {0.003, 0.005, 1}}; /* two half circles */

static int describe(const ts_outline *outline, ts_error *error)
{
    ts_outline_mass mass = ts_outline_get_mass(outline);
    ts_symmetry symmetry;
    if (ts_outline_symmetry(outline, 0, &symmetry, error) != TS_OK)
        return 1;
    printf("area %.6g m², centre (%.4g, %.4g) m, inertia %.6g m⁴, %c%d\n", mass.area, mass.centre[0], mass.centre[1],
           mass.inertia, symmetry.mirror ? 'D' : 'C', (int)symmetry.rotations);

    /* any number of points at once: negative inside */
    const double x[] = {0.005, 0.005, 0.02, 0.03}, y[] = {0.005, 0.02, 0.02, 0.03};
    double distance[4];
    ts_outline_distance(outline, 4, x, y, distance, NULL, NULL);
    for (int i = 0; i < 4; i++)
        printf("(%g, %g) lies %s by %.4g m\n", x[i], y[i], distance[i] < 0 ? "inside" : "outside",
               distance[i] < 0 ? -distance[i] : distance[i]);
    return 0;
}

/* A box of brackets, placed without overlap, and how much of it they cover. */
static ts_status fill(ts_scene *scene, const ts_outline *outline, ts_error *error)
{
    ts_mix_entry mix = {.weight = 1, .scale_min = 0.8, .scale_max = 1.2};
    ts_status status = ts_scene_add_outline(scene, "bracket", outline, &mix.shape, error);
    if (status != TS_OK)
        return status;
    ts_generator_def def = ts_default_generator();
    def.packing = 0.1;
    def.mix = &mix;
    def.mix_count = 1;
    return ts_scene_add_generator(scene, &def, NULL, error);
}

static ts_status measure(const ts_scene *scene, ts_error *error)
{
    ts_model *model = NULL;
    ts_state *state = NULL;
    ts_workspace *work = NULL;
    ts_snapshot now = {0};
    ts_packing packing;
    ts_region box = {.x1 = 1, .y1 = 1};
    ts_status status = ts_model_compile(scene, &model, error);
    if (status == TS_OK)
        status = ts_state_create(model, &state, error);
    if (status == TS_OK)
        status = ts_workspace_create(model, 1, &work, error);
    if (status == TS_OK)
        status = ts_snapshot_take(model, state, work, &now, error);
    if (status == TS_OK)
        status = ts_measure_packing(&now, &box, &packing, error);
    if (status == TS_OK)
        printf("%zu brackets cover %.4f of the box\n", ts_model_body_count(model), packing.fraction);
    ts_snapshot_free(&now);
    ts_workspace_free(work);
    ts_state_free(state);
    ts_model_free(model);
    return status;
}

int main(void)
{
    ts_error error;
    ts_outline *outline = NULL;
    ts_scene *scene = NULL;
    const ts_contour contour[] = {{bracket, 7, false}, {hole, 2, false}};

    bool good = ts_outline_create(contour, 2, TS_RULE_EVEN_ODD, &outline, &error) == TS_OK &&
                describe(outline, &error) == 0 && ts_scene_create(&scene, &error) == TS_OK &&
                fill(scene, outline, &error) == TS_OK && measure(scene, &error) == TS_OK;
    if (!good)
        fprintf(stderr, "%s\n", error.message);
    ts_scene_free(scene);
    ts_outline_free(outline);
    return good ? 0 : 1;
}
