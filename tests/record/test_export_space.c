/* SPDX-License-Identifier: MIT */
/* Exports of runs in space, read back by check_space.py; and what `touchstone measure` says of a frame. */
#include "record/sample_space.h"

#include <sys/wait.h>
#include <unistd.h>

#include "measure/columns.h"
#include "measure/snapshot.h"
#include "record/export.h"
#include "record/export_space.h"
#include "record/render.h"
#include "record/snapshot.h"

enum { FRAMES = 6 };

static ts_trajectory *open_film(sample_space *s, const char *path, int frames)
{
    ts_trajectory *reader;
    sample_space_make(s);
    sample_space_record(s, path, frames);
    must(ts_trajectory_open(path, &reader, e));
    return reader;
}

static void write_table(ts_trajectory *reader, const char *quantity, const char *path)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    must(ts_export_csv(reader, &(ts_export_options){.quantity = quantity}, stream, NULL, NULL, e));
    assert_int_equal(fclose(stream), 0);
}

/* A regular tetrahedron with corners at (±a, ±a, ±a) is a third of the cube of side 2a. */
static void volumes_of(double volume[SPACE_BODIES])
{
    double ball = 4 * TS_PI / 3 * 0.05 * 0.05 * 0.05, box = 8 * 0.05 * 0.04 * 0.03, tetra = 0.06 * 0.06 * 0.06 / 3;
    double pill = TS_PI * 0.02 * 0.02 * (0.1 + 4.0 / 3 * 0.02), can = TS_PI * 0.04 * 0.04 * 0.06;
    const double each[SPACE_BODIES] = {ball, 8 * ball, box, pill, can, tetra, 1.5 * 1.5 * 1.5 * tetra, ball + box, box};
    memcpy(volume, each, sizeof each);
}

/* The last frame of the same film; its scene has no camera, so that lengths are true. */
static void draw_without_camera(void)
{
    sample_space s;
    ts_trajectory *reader;
    sample_space_make(&s);
    s.model.camera = (ts_camera){0};
    sample_space_record(&s, "plain.tst", FRAMES);
    must(ts_trajectory_open("plain.tst", &reader, e));
    must(ts_export(TS_EXPORT_SVG,
                   &(ts_export_job){.reader = reader, .out = "film.svg", .first = FRAMES - 1, .contacts = true}, e));
    ts_trajectory_close(reader);
    sample_space_free(&s);
}

static void are_read_back(void **nothing)
{
    (void)nothing;
    sample_space s;
    ts_trajectory *reader = open_film(&s, "film.tst", FRAMES);
    write_table(reader, "bodies", "film.csv");
    must(ts_export(TS_EXPORT_GLB, &(ts_export_job){.reader = reader, .out = "film.glb"}, e));
    must(ts_export(TS_EXPORT_VTK, &(ts_export_job){.reader = reader, .out = "film.pvd"}, e));
    must(ts_export(TS_EXPORT_VTK, &(ts_export_job){.reader = reader, .out = "touch.pvd", .contacts = true}, e));
    must(ts_export(TS_EXPORT_GLB, &(ts_export_job){.reader = reader, .out = "touch.glb", .contacts = true}, e));
    must(ts_export(TS_EXPORT_VTK, &(ts_export_job){.reader = reader, .out = "dots.pvd", .points = true}, e));
    must(ts_export(TS_EXPORT_LAMMPS, &(ts_export_job){.reader = reader, .out = "film.lammpstrj"}, e));
    must(ts_export(TS_EXPORT_USDA, &(ts_export_job){.reader = reader, .out = "film.usda"}, e));
    draw_without_camera();
    /* turned around in small chunks it is the same file */
    must(ts_export(TS_EXPORT_GLB, &(ts_export_job){.reader = reader, .out = "pieces.glb", .chunk = 1000}, e));
    sample_assert_same_file("film.glb", "pieces.glb");
    double volume[SPACE_BODIES];
    char command[4096];
    const char *source = getenv("SOURCE_DIR");
    volumes_of(volume);
    int n = snprintf(command, sizeof command,
                     "/usr/bin/python3 -B '%s/tests/record/check_space.py' film.csv film.glb film.pvd dots.pvd "
                     "film.lammpstrj film.usda film.svg",
                     source ? source : ".");
    for (size_t i = 0; i < SPACE_BODIES; i++)
        n += snprintf(command + n, sizeof command - (size_t)n, " %.17g", volume[i]);
    fflush(NULL);
    int code = system(command);
    assert_true(WIFEXITED(code) && WEXITSTATUS(code) == 0);
    ts_trajectory_close(reader);
    sample_space_free(&s);
}

/* A frame alone has no animation, and is exported all the same. */
static void one_frame_will_do(void **nothing)
{
    (void)nothing;
    sample_space s;
    ts_trajectory *reader = open_film(&s, "one.tst", 1);
    must(ts_export(TS_EXPORT_GLB, &(ts_export_job){.reader = reader, .out = "one.glb", .contacts = true}, e));
    size_t size;
    char *data = sample_read("one.glb", &size);
    data[size - 1] = 0;
    assert_null(strstr(data + 20, "\"animations\""));
    assert_non_null(strstr(data + 20, "\"world\""));
    assert_non_null(strstr(data + 20, "\"contacts of frame 0\""));
    ts_free(data);
    ts_trajectory_close(reader);
    sample_space_free(&s);
}

static void tables_are_whole(void **nothing)
{
    (void)nothing;
    static const struct {
        const char *quantity, *line;
        int rows;
    } table[] = {
        {"frames", "0,0,0,2\n", 2},
        {"walls", "0,0,0,1,\"room, \"\"large\"\"\",1,1,-1,0,2,", 2 * SPACE_WALLS},
        {"contacts", "1,1,0.0005,0,-1,4,81985529216486895,-0.25,0,0.6,0.8,1,2,3,0.5,-1,2,1\n", 4},
    };
    sample_space s;
    ts_trajectory *reader = open_film(&s, "table.tst", 2);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[16384];
        int rows = -1;
        write_table(reader, table[i].quantity, "table.csv");
        FILE *file = fopen("table.csv", "r");
        assert_non_null(file);
        text[fread(text, 1, sizeof text - 1, file)] = 0;
        fclose(file);
        for (const char *at = text; (at = strchr(at, '\n')); at++)
            rows++;
        assert_int_equal(rows, table[i].rows);
        assert_non_null(strstr(text, table[i].line));
    }
    char names[1024];
    assert_true(ts_export_columns("bodies", &ts_record_space, names, sizeof names) > 0 &&
                strstr(names, ",attitude_w,"));
    assert_int_equal(ts_export_columns("discs", &ts_record_space, names, sizeof names), 0);
    ts_error error;
    assert_int_equal(ts_export_csv(reader, &(ts_export_options){.quantity = "discs"}, stdout, NULL, NULL, &error),
                     TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "walls"));
    ts_trajectory_close(reader);
    sample_space_free(&s);
}

/* Sums over the state itself, with R I Rᵀ by matrices; a frame has velocities to seven digits. */
static void measures_agree(void **nothing)
{
    (void)nothing;
    sample_space s;
    ts_trajectory *reader = open_film(&s, "measure.tst", 1);
    ts_frame frame;
    must(ts_trajectory_read(reader, 0, &frame, e));
    double kinetic = 0, rotational = 0, gravitational = 0, speed = 0;
    ts_vec3 momentum = {0, 0, 0}, angular = {0, 0, 0};
    for (size_t i = 0; i < 8; i++) {
        const ts_body3 *b = &s.body[i];
        ts_vec3 x, v, l;
        memcpy(&x, b->position, sizeof x);
        memcpy(&v, b->velocity, sizeof v);
        memcpy(&l, b->angular_momentum, sizeof l);
        ts_mat3 r = ts_quat_to_matrix((ts_quat){b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]});
        ts_mat3 inertia = ts_mat3_scale(s.form[s.body_form[i]].inertia, s.density[i % 2]);
        ts_vec3 body = ts_mat3_apply_transposed(r, l);
        rotational += 0.5 * ts_vec3_dot(body, ts_mat3_apply(ts_mat3_inverse(inertia), body));
        kinetic += 0.5 * s.mass[i] * ts_vec3_dot(v, v);
        gravitational -= s.mass[i] * (0.1 * x.x - 9.81 * x.z);
        momentum = ts_vec3_add_scaled(momentum, v, s.mass[i]);
        angular = ts_vec3_add(angular, ts_vec3_add(l, ts_vec3_scale(ts_vec3_cross(x, v), s.mass[i])));
        speed += ts_vec3_length(v) / 8;
    }
    const double expected[] = {kinetic,
                               rotational,
                               gravitational,
                               frame.energy.elastic,
                               0,
                               0,
                               0,
                               0,
                               momentum.x,
                               momentum.y,
                               momentum.z,
                               angular.x,
                               angular.y,
                               angular.z,
                               speed,
                               hypot(hypot(2.4, 0.2), 0.8),
                               2,
                               0.25,
                               0.25};
    static const char *const name[] = {"kinetic_J",
                                       "rotational_J",
                                       "gravitational_J",
                                       "elastic_J",
                                       "work_J",
                                       "lost_normal_J",
                                       "lost_tangential_J",
                                       "lost_friction_J",
                                       "momentum_x_Ns",
                                       "momentum_y_Ns",
                                       "momentum_z_Ns",
                                       "angular_momentum_x_Nms",
                                       "angular_momentum_y_Nms",
                                       "angular_momentum_z_Nms",
                                       "mean_speed_m_per_s",
                                       "max_speed_m_per_s",
                                       "contacts",
                                       "max_overlap_m",
                                       "mean_overlap_m"};
    const uint32_t groups = TS_MEASURE_ENERGY | TS_MEASURE_VELOCITY | TS_MEASURE_OVERLAP;
    double value[TS_MEASURE_COLUMNS_MAX];
    ts_snapshot snapshot = {0};
    must(ts_snapshot_of_frame(ts_trajectory_get_header(reader), &frame, &snapshot, e));
    must(ts_measure_row(&snapshot, NULL, &(ts_measure_options){0}, groups, value, e));
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        size_t k = 0, count = ts_measure_column_count(groups, 3);
        while (k < count && strcmp(ts_measure_column_name(groups, 3, k), name[i]) != 0)
            k++;
        assert_true(k < count);
        if (!(fabs(value[k] - expected[i]) <= 1e-6 * fabs(expected[i])))
            fail_msg("%s is %.9g, not %.9g", name[i], value[k], expected[i]);
    }
    ts_snapshot_free(&snapshot);
    ts_trajectory_close(reader);
    sample_space_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(are_read_back),
        cmocka_unit_test(one_frame_will_do),
        cmocka_unit_test(tables_are_whole),
        cmocka_unit_test(measures_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
