/* SPDX-License-Identifier: MIT */
/* Generators: what they place lies inside, apart, in the asked proportions, and follows from the seed alone. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/vec.h"
#include "model.h"
#include "scene/occupancy.h"
#include "support/check.h"
#include "touchstone/touchstone.h"

typedef struct fixture {
    ts_scene *scene;
    ts_model *model;
    int32_t disc;   /* radius 0.01 */
    int32_t triple; /* three discs in a row */
} fixture;

static void open_scene(fixture *f, uint64_t seed)
{
    *f = (fixture){0};
    OK(ts_scene_create(&f->scene, ERROR));
    ts_settings settings = ts_default_settings();
    settings.seed = seed;
    OK(ts_scene_set(f->scene, &settings, ERROR));
    OK(ts_scene_add_disc(f->scene, 0.01, &f->disc, ERROR));
    ts_disc row[3] = {{-0.01, 0, 0.008}, {0, 0, 0.008}, {0.01, 0, 0.008}};
    ts_shape_def shape = ts_default_shape();
    shape.disc = row;
    shape.disc_count = 3;
    OK(ts_scene_add_shape(f->scene, &shape, &f->triple, ERROR));
}

static void close_scene(fixture *f)
{
    ts_model_free(f->model);
    ts_scene_free(f->scene);
}

static ts_generator_def box(double x0, double y0, double x1, double y1, const ts_mix_entry *mix, size_t count)
{
    ts_generator_def def = ts_default_generator();
    def.low[0] = x0;
    def.low[1] = y0;
    def.high[0] = x1;
    def.high[1] = y1;
    def.mix = mix;
    def.mix_count = 1;
    def.count = count;
    return def;
}

static void compile(fixture *f, const ts_generator_def *def)
{
    OK(ts_scene_add_generator(f->scene, def, NULL, ERROR));
    OK(ts_model_compile(f->scene, &f->model, ERROR));
}

/* All pairs of bounding circles keep the gap; a hair of rounding is allowed where they may touch. */
static void are_apart(const ts_model *m, double gap)
{
    for (size_t i = 0; i < m->body_count; i++)
        for (size_t k = 0; k < i; k++) {
            const ts_body *a = &m->body[i], *b = &m->body[k];
            assert_true(hypot(a->x - b->x, a->y - b->y) >= (a->radius + b->radius) * (1 - 2e-9) + gap);
        }
}

static void are_in_box(const ts_model *m, const ts_generator_def *def)
{
    for (size_t i = 0; i < m->body_count; i++) {
        const ts_body *b = &m->body[i];
        double r = b->radius * (1 - 1e-8);
        assert_true(b->x - r >= def->low[0] && b->x + r <= def->high[0] && b->y - r >= def->low[1] &&
                    b->y + r <= def->high[1]);
    }
}

static void random_in_a_box(void **state)
{
    (void)state;
    fixture f;
    open_scene(&f, 1);
    ts_mix_entry mix[2] = {{.shape = f.disc, .material = 0, .weight = 3, .scale_min = 0.3, .scale_max = 1},
                           {.shape = f.triple, .material = 0, .weight = 1, .scale_min = 0.5, .scale_max = 0.5}};
    ts_generator_def def = box(-0.2, 0.1, 0.4, 0.5, mix, 400);
    def.mix_count = 2;
    def.gap = 0.001;
    compile(&f, &def);
    assert_int_equal(ts_model_body_count(f.model), 400);
    are_apart(f.model, 0.001);
    are_in_box(f.model, &def);
    size_t triples = 0;
    for (size_t i = 0; i < 400; i++) {
        triples += ts_model_shape(f.model, i) == f.triple;
        double angle = f.model->body[i].angle;
        assert_true(angle >= 0 && angle < 2 * TS_PI);
    }
    assert_int_equal(triples, 100);
    close_scene(&f);
}

static void random_in_a_circle(void **state)
{
    (void)state;
    fixture f;
    open_scene(&f, 5);
    ts_mix_entry mix = {.shape = f.disc, .material = 0, .weight = 1, .scale_min = 0.2, .scale_max = 1};
    ts_generator_def def = box(0, 0, 1, 1, &mix, 500);
    def.region = TS_REGION_CIRCLE;
    def.position[0] = def.position[1] = 0.5;
    def.radius = 0.2;
    compile(&f, &def);
    are_apart(f.model, 0);
    double left = 0;
    for (size_t i = 0; i < 500; i++) {
        const ts_body *b = &f.model->body[i];
        assert_true(hypot(b->x - 0.5, b->y - 0.5) + b->radius <= 0.2 * (1 + 1e-9));
        left += b->x < 0.5;
    }
    assert_true(left > 180 && left < 320); /* half of 500, six standard deviations */
    close_scene(&f);
}

/* The rows of a triangular lattice: neighbours touch, every second row is shifted by a radius. */
static void lattice_of_equal_discs(void **state)
{
    (void)state;
    fixture f;
    open_scene(&f, 1);
    ts_mix_entry mix = {.shape = f.disc, .material = 0, .weight = 1, .scale_min = 1, .scale_max = 1};
    ts_generator_def def = box(0, 0, 0.2, 1, &mix, 10 + 9 + 10 + 4);
    def.fill = TS_FILL_LATTICE;
    compile(&f, &def);
    are_apart(f.model, 0);
    are_in_box(f.model, &def);
    const ts_body *b = f.model->body;
    for (int i = 0; i < 10; i++)
        NEAR(b[i].x, 0.01 + 0.02 * i, 1e-12);
    NEAR(b[0].y, 0.01, 1e-15);
    NEAR(b[10].x, 0.02, 1e-12);
    NEAR(b[10].y, 0.01 + 0.02 * sqrt(3) / 2, 1e-12);
    NEAR(b[19].x, 0.01, 1e-12);
    NEAR(b[32].y, 0.01 + 3 * 0.02 * sqrt(3) / 2, 1e-12);
    close_scene(&f);
}

/* A flat box holds one row: the way to make a rough floor. */
static void one_row(void **state)
{
    (void)state;
    fixture f;
    open_scene(&f, 1);
    ts_mix_entry mix = {.shape = f.disc, .material = 0, .weight = 1, .scale_min = 1, .scale_max = 1};
    ts_generator_def def = box(0, -0.02, 1, 0, &mix, 50);
    def.fill = TS_FILL_LATTICE;
    def.fixed = true;
    def.jitter = 0;
    compile(&f, &def);
    for (size_t i = 0; i < 50; i++) {
        NEAR(f.model->body[i].y, -0.01, 1e-12);
        NEAR(f.model->body[i].x, 0.01 + 0.02 * (double)i, 1e-12);
        assert_true(f.model->body[i].inv_mass == 0);
    }
    close_scene(&f);
    open_scene(&f, 1);
    def.count = 51;
    OK(ts_scene_add_generator(f.scene, &def, NULL, ERROR));
    assert_int_equal(ts_model_compile(f.scene, &f.model, ERROR), TS_BAD_INPUT);
    assert_non_null(strstr(ts_test_error.message, "only 50 of its 51 grains fit"));
    close_scene(&f);
}

/* Jitter moves grains within the room that the largest would take: never into each other, yet not nowhere. */
static void lattice_with_jitter(void **state)
{
    (void)state;
    fixture f;
    open_scene(&f, 9);
    ts_mix_entry mix[2] = {{.shape = f.disc, .material = 0, .weight = 1, .scale_min = 0.4, .scale_max = 0.9},
                           {.shape = f.triple, .material = 0, .weight = 1, .scale_min = 0.3, .scale_max = 0.6}};
    ts_generator_def def = box(0, 0, 0.4, 0.4, mix, 250);
    def.mix_count = 2;
    def.fill = TS_FILL_LATTICE;
    def.jitter = 1;
    def.gap = 0.0005;
    compile(&f, &def);
    are_apart(f.model, 0.0005);
    are_in_box(f.model, &def);
    double moved = 0;
    for (size_t i = 0; i < 10; i++)
        moved = fmax(moved, fabs(f.model->body[i].y - f.model->body[0].y));
    assert_true(moved > 1e-4);
    close_scene(&f);
}

static void lattice_in_a_circle(void **state)
{
    (void)state;
    fixture f;
    open_scene(&f, 1);
    ts_mix_entry mix = {.shape = f.disc, .material = 0, .weight = 1, .scale_min = 1, .scale_max = 1};
    ts_generator_def def = box(0, 0, 1, 1, &mix, 400);
    def.region = TS_REGION_CIRCLE;
    def.position[0] = 1;
    def.position[1] = 2;
    def.radius = 0.25;
    def.fill = TS_FILL_LATTICE;
    compile(&f, &def); /* 400 of the some 530 that fit */
    are_apart(f.model, 0);
    for (size_t i = 0; i < 400; i++)
        assert_true(hypot(f.model->body[i].x - 1, f.model->body[i].y - 2) + 0.01 <= 0.25 * (1 + 1e-8));
    close_scene(&f);
}

/* Bodies, fixed ones of many discs included, and walls are kept clear of, by both ways of filling. */
static void obstacles(void **state)
{
    (void)state;
    for (int lattice = 0; lattice < 2; lattice++) {
        fixture f;
        open_scene(&f, 3);
        ts_disc ring[40];
        for (int i = 0; i < 40; i++)
            ring[i] = (ts_disc){0.1 * cos(0.15 * i), 0.1 * sin(0.15 * i), 0.01};
        ts_shape_def shape = ts_default_shape();
        shape.disc = ring;
        shape.disc_count = 40;
        int32_t cup;
        OK(ts_scene_add_shape(f.scene, &shape, &cup, ERROR));
        ts_body_def body = ts_default_body();
        body.shape = cup;
        body.fixed = true;
        body.position[0] = 0.25;
        body.position[1] = 0.25;
        OK(ts_scene_add_body(f.scene, &body, NULL, ERROR));
        ts_wall_def wall = ts_default_wall();
        wall.normal[0] = 1;
        wall.normal[1] = 2;
        wall.position[0] = 0.1;
        OK(ts_scene_add_wall(f.scene, &wall, NULL, ERROR));
        wall.kind = TS_WALL_CIRCLE;
        wall.position[0] = wall.position[1] = 0.25;
        wall.radius = 0.26;
        OK(ts_scene_add_wall(f.scene, &wall, NULL, ERROR));
        ts_mix_entry mix = {.shape = f.disc, .material = 0, .weight = 1, .scale_min = 0.5, .scale_max = 0.5};
        size_t count = lattice ? 1500 : 600; /* the lattice's from the bottom to above the cup */
        ts_generator_def def = box(0, 0, 0.5, 0.5, &mix, count);
        def.fill = lattice ? TS_FILL_LATTICE : TS_FILL_RANDOM;
        compile(&f, &def);
        const ts_shape *s = &f.model->shape[cup];
        size_t inside = 0;
        for (size_t i = 1; i <= count; i++) {
            const ts_body *b = &f.model->body[i];
            for (size_t k = 0; k < s->disc_count; k++)
                assert_true(hypot(b->x - 0.25 - s->disc[k].x, b->y - 0.25 - s->disc[k].y) >= 0.015 * (1 - 1e-8));
            assert_true(((b->x - 0.1) + 2 * b->y) / sqrt(5) >= 0.005 * (1 - 1e-8));
            assert_true(hypot(b->x - 0.25, b->y - 0.25) + 0.005 <= 0.26 * (1 + 1e-8));
            inside += hypot(b->x - 0.25, b->y - 0.25) < 0.08;
        }
        assert_true(inside > 5); /* the hollow of the cup is free */
        close_scene(&f);
    }
}

/* Largest remainders: shares of 10 by weights 1 : 1 : 1 are 4, 3, 3; by 0.5 : 0.3 : 0.2 exactly 5, 3, 2. */
static void counts_follow_weights(void **state)
{
    (void)state;
    const double weight[3][3] = {{1, 1, 1}, {0.5, 0.3, 0.2}, {1e6, 0, 3e6}};
    const size_t expected[3][3] = {{4, 3, 3}, {5, 3, 2}, {3, 0, 7}};
    for (int w = 0; w < 3; w++) {
        fixture f;
        open_scene(&f, 11);
        ts_mix_entry mix[3];
        for (int i = 0; i < 3; i++) {
            ts_material_def material = ts_default_material();
            int32_t index;
            OK(ts_scene_add_material(f.scene, NULL, &material, &index, ERROR));
            mix[i] = (ts_mix_entry){
                .shape = f.disc, .material = index, .weight = weight[w][i], .scale_min = 1, .scale_max = 1};
        }
        ts_generator_def def = box(0, 0, 1, 1, mix, 10);
        def.mix_count = 3;
        compile(&f, &def);
        size_t count[4] = {0};
        for (size_t i = 0; i < 10; i++)
            count[f.model->body_material[i]]++;
        assert_int_equal(count[0], 0);
        if (w != 2) /* 2.5 and 7.5: either may get the odd one */
            for (int i = 0; i < 3; i++)
                assert_int_equal(count[i + 1], expected[w][i]);
        else
            assert_true(count[2] == 0 && (count[1] == 2 || count[1] == 3) && count[1] + count[3] == 10);
        close_scene(&f);
    }
}

static void sizes_and_velocities(void **state)
{
    (void)state;
    fixture f;
    open_scene(&f, 2);
    ts_mix_entry mix = {.shape = f.disc, .material = 0, .weight = 1, .scale_min = 0.5, .scale_max = 1.5};
    ts_generator_def def = box(0, 0, 5, 5, &mix, 4000);
    def.velocity[0] = 3;
    def.velocity[1] = -1;
    def.velocity_spread = 0.5;
    compile(&f, &def);
    double scale = 0, scale2 = 0, vx = 0, vy = 0, v2 = 0, low = 9, high = 0;
    for (size_t i = 0; i < 4000; i++) {
        const ts_body *b = &f.model->body[i];
        double s = f.model->body_scale[i];
        scale += s / 4000;
        scale2 += s * s / 4000;
        low = fmin(low, s);
        high = fmax(high, s);
        vx += b->vx / 4000;
        vy += b->vy / 4000;
        v2 += ((b->vx - 3) * (b->vx - 3) + (b->vy + 1) * (b->vy + 1)) / 8000;
        assert_true(b->spin == 0);
    }
    /* five standard deviations of each mean */
    NEAR(scale, 1, 5 * 0.289 / sqrt(4000));
    NEAR(scale2 - scale * scale, 1.0 / 12, 0.01);
    assert_true(low >= 0.5 && low < 0.51 && high < 1.5 && high > 1.49);
    NEAR(vx, 3, 5 * 0.5 / sqrt(4000));
    NEAR(vy, -1, 5 * 0.5 / sqrt(4000));
    NEAR(v2, 0.25, 5 * 0.25 * sqrt(2.0 / 8000));
    close_scene(&f);
}

/* The same seed gives the same bits, another one another packing, and a generator does not feel those after it. */
static void seeds(void **state)
{
    (void)state;
    fixture f[4];
    for (int i = 0; i < 4; i++) {
        open_scene(&f[i], i == 1 ? 2 : 1);
        ts_mix_entry mix = {.shape = f[i].disc, .material = 0, .weight = 1, .scale_min = 0.5, .scale_max = 1};
        ts_generator_def def = box(0, 0, 0.5, 0.5, &mix, 100), other = box(1, 0, 1.5, 0.5, &mix, 100);
        OK(ts_scene_add_generator(f[i].scene, &def, NULL, ERROR));
        if (i == 3)
            OK(ts_scene_add_generator(f[i].scene, &other, NULL, ERROR));
        OK(ts_model_compile(f[i].scene, &f[i].model, ERROR));
    }
    size_t bytes = 100 * sizeof(ts_body);
    assert_memory_equal(f[0].model->body, f[2].model->body, bytes);
    assert_memory_equal(f[0].model->body, f[3].model->body, bytes);
    assert_true(memcmp(f[0].model->body, f[1].model->body, bytes) != 0);
    /* two generators of one scene draw different numbers */
    double difference = 0;
    for (int i = 0; i < 100; i++)
        difference += fabs(f[3].model->body[i].x + 1 - f[3].model->body[100 + i].x);
    assert_true(difference > 1);
    for (int i = 0; i < 4; i++)
        close_scene(&f[i]);
}

static void too_many(void **state)
{
    (void)state;
    fixture f;
    open_scene(&f, 1);
    ts_mix_entry mix = {.shape = f.disc, .material = 0, .weight = 1, .scale_min = 1, .scale_max = 1};
    ts_generator_def def = box(0, 0, 0.4, 0.4, &mix, 400); /* a packing fraction of 0.79: not at random */
    OK(ts_scene_add_generator(f.scene, &def, NULL, ERROR));
    assert_int_equal(ts_model_compile(f.scene, &f.model, ERROR), TS_BAD_INPUT);
    const char *fraction = strstr(ts_test_error.message, "packing fraction of ");
    assert_non_null(fraction);
    double reached = atof(fraction + strlen("packing fraction of "));
    assert_true(reached > 0.45 && reached < 0.56); /* random sequential adsorption of discs jams at 0.547 */
    close_scene(&f);

    open_scene(&f, 1);
    def = box(0, 0, 0.4, 0.019, &mix, 1);
    OK(ts_scene_add_generator(f.scene, &def, NULL, ERROR));
    assert_int_equal(ts_model_compile(f.scene, &f.model, ERROR), TS_BAD_INPUT);
    assert_non_null(strstr(ts_test_error.message, "larger than its region"));
    close_scene(&f);

    /* nothing but blocked sites: an end in finite time */
    open_scene(&f, 1);
    ts_wall_def wall = ts_default_wall();
    wall.position[1] = 1e4;
    OK(ts_scene_add_wall(f.scene, &wall, NULL, ERROR));
    def = box(0, 0, 1e3, 1e3, &mix, 1);
    def.fill = TS_FILL_LATTICE;
    OK(ts_scene_add_generator(f.scene, &def, NULL, ERROR));
    assert_int_equal(ts_model_compile(f.scene, &f.model, ERROR), TS_BAD_INPUT);
    close_scene(&f);
}

/* Sizes 1 : 100 in one mixture. */
static void wide_size_range(void **state)
{
    (void)state;
    fixture f;
    open_scene(&f, 4);
    ts_mix_entry mix[2] = {{.shape = f.disc, .material = 0, .weight = 1, .scale_min = 10, .scale_max = 10},
                           {.shape = f.disc, .material = 0, .weight = 200, .scale_min = 0.1, .scale_max = 0.1}};
    ts_generator_def def = box(0, 0, 1, 1, mix, 2010);
    def.mix_count = 2;
    compile(&f, &def);
    are_apart(f.model, 0);
    close_scene(&f);
}

/* ---- Occupancy against looking at every disc ---- */

typedef struct search {
    ts_vec3 at;
    double reach;
    size_t seen;
    bool *found;
} search;

static bool remember(void *context, const ts_occupant *near)
{
    search *s = context;
    if (ts_vec3_distance(near->centre, s->at) < s->reach + near->radius)
        s->found[near->owner] = true;
    s->seen++;
    return false;
}

static ts_vec3 somewhere(ts_random *r, double unit, bool space)
{
    const double x = unit * ts_random_next_range(r, -3, 3), y = unit * ts_random_next_range(r, -3, 3);
    return (ts_vec3){x, y, space ? unit * ts_random_next_range(r, -3, 3) : 0};
}

static void occupancy_misses_nothing(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    for (int trial = 0; trial < 4; trial++) {
        const bool huge = trial % 2, space = trial / 2; /* huge: cell numbers beyond the range of integers */
        const double unit = huge ? 1e18 : 1;
        ts_occupancy o = {.axes = space ? 3 : 2};
        ts_random r = ts_random_make(5, 5);
        for (int32_t i = 0; i < COUNT; i++) {
            double radius = 0.001 * pow(1000, ts_random_next_uniform(&r));
            OK(ts_occupancy_add(&o, somewhere(&r, unit, space), radius, i, ERROR));
        }
        size_t seen = 0, found_count = 0;
        for (int k = 0; k < 300; k++) {
            bool found[COUNT] = {false};
            search s = {.at = somewhere(&r, unit, space), .found = found};
            s.reach = (space ? 0.0003 : 0.001) * pow(1000, ts_random_next_uniform(&r));
            assert_null(ts_occupancy_find(&o, s.at, s.reach, remember, &s));
            seen += s.seen;
            for (size_t i = 0; i < COUNT; i++) {
                const ts_occupant *d = &o.disc.item[i];
                assert_int_equal(found[d->owner], ts_vec3_distance(d->centre, s.at) < s.reach + d->radius);
                found_count += found[d->owner];
            }
        }
        if (!huge) {
            assert_true(found_count > (space ? 500 : 1000));
            assert_true(seen < (size_t)COUNT * 300 / 3); /* and does not look at everything */
        }
        ts_occupancy_free(&o);
    }
}

/* A wall of bricks by lines: flat bricks stand on the floor and on each other although their bounding circles do not.
 * A row that is 1 cm deeper lies in the floor by as much. */
static void bricks_in_courses(void **state)
{
    (void)state;
    for (int sunk = 0; sunk < 2; sunk++) {
        ts_scene *scene;
        ts_model *model = NULL;
        ts_error error;
        char text[1024];
        snprintf(
            text, sizeof text,
            "{\"touchstone\": 1, \"duration\": 1, \"dynamics\": {\"kind\": \"impact\"}, \"shapes\": {\"brick\": "
            "{\"kind\": \"box\", \"width\": 0.2, \"height\": 0.1}}, \"walls\": [{\"kind\": \"half-plane\", "
            "\"position\": [0, 0], \"normal\": [0, 1]}], \"generators\": [{\"kind\": \"line\", \"points\": [[0, %g], "
            "[2, %g]], \"count\": 10, \"shape\": \"brick\", \"angles\": \"zero\"}, {\"kind\": \"line\", \"points\": "
            "[[0.1, 0.15], [1.9, 0.15]], \"count\": 9, \"shape\": \"brick\", \"angles\": \"zero\"}]}",
            sunk ? 0.04 : 0.05, sunk ? 0.04 : 0.05);
        OK(ts_scene_parse(text, strlen(text), "bricks", NULL, &scene, ERROR));
        const ts_status status = ts_model_compile(scene, &model, &error);
        assert_int_equal(status, sunk ? TS_BAD_INPUT : TS_OK);
        if (sunk)
            assert_non_null(strstr(error.message, "overlaps wall 0 by 0.01 m"));
        else
            assert_true(model->body_count == 19);
        ts_model_free(model);
        ts_scene_free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_in_a_box),
        cmocka_unit_test(random_in_a_circle),
        cmocka_unit_test(lattice_of_equal_discs),
        cmocka_unit_test(one_row),
        cmocka_unit_test(lattice_with_jitter),
        cmocka_unit_test(lattice_in_a_circle),
        cmocka_unit_test(obstacles),
        cmocka_unit_test(counts_follow_weights),
        cmocka_unit_test(sizes_and_velocities),
        cmocka_unit_test(seeds),
        cmocka_unit_test(too_many),
        cmocka_unit_test(wide_size_range),
        cmocka_unit_test(occupancy_misses_nothing),
        cmocka_unit_test(bricks_in_courses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
