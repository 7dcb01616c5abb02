/* SPDX-License-Identifier: MIT */
/* The run folder: what a run leaves, and that stopping, killing and resuming leave the same. */
#include "record/sample.h"

#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/checkpoint.h"
#include "record/runfolder.h"
#include "record/trajectory.h"

enum { STEPS = 400 };

/* A name in a run folder. */
static const char *in(const char *folder, const char *name)
{
    static char path[4][1024];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

/* Removes a folder of files. */
static void clear(const char *folder)
{
    DIR *listing = opendir(folder);
    if (!listing)
        return;
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;)
        unlink(in(folder, entry->d_name));
    closedir(listing);
    rmdir(folder);
}

/* The loop of a run up to `stop`, with a checkpoint every `every` steps (0: none). */
static ts_status run_until(ts_recorder *recorder, sample *s, uint64_t stop, uint64_t every, ts_error *error)
{
    uint64_t next_checkpoint = every ? (ts_state_steps(s->state) / every + 1) * every : UINT64_MAX;
    for (;;) {
        TS_TRY(ts_recorder_write(recorder, s->state, s->work, error));
        uint64_t at = ts_state_steps(s->state), next = ts_recorder_next(recorder, at);
        if (at >= next_checkpoint) {
            TS_TRY(ts_recorder_checkpoint(recorder, s->state, error));
            next_checkpoint += every;
        }
        if (at >= stop)
            return TS_OK;
        assert_true(next > at);
        uint64_t to = next < stop ? next : stop;
        to = to < next_checkpoint ? to : next_checkpoint;
        TS_TRY(ts_step(s->model, s->state, s->work, to - at, error));
    }
}

/* A whole run into `folder`; returns its summary. */
static ts_summary run_straight(const char *folder, sample_options options)
{
    sample s = sample_make(options);
    ts_recorder *recorder;
    ts_summary summary;
    ts_recorder_options how = {.title = "straight", .scene_text = "{}", .force = true};
    must(ts_recorder_create(folder, s.model, &how, &recorder, e));
    must(run_until(recorder, &s, STEPS, 0, e));
    must(ts_recorder_finish(recorder, s.state, s.work, &(ts_run_end){.outcome = "finished"}, &summary, e));
    assert_int_equal(summary.state_hash, ts_state_hash(s.state));
    ts_recorder_free(recorder);
    sample_free(&s);
    return summary;
}

static void assert_same_run(const char *a, const char *b)
{
    sample_assert_same_file(in(a, TS_RUN_TRAJECTORY), in(b, TS_RUN_TRAJECTORY));
    sample_assert_same_file(in(a, TS_RUN_ENERGIES), in(b, TS_RUN_ENERGIES));
}

/* Resumes the run in `folder` and takes it to its end. */
static ts_summary run_to_end(const char *folder)
{
    sample s = sample_make((sample_options){0});
    ts_recorder *recorder;
    ts_summary summary;
    ts_recorder_options how = {.title = "straight"}; /* of use when the run starts again from time 0 */
    must(ts_recorder_resume(folder, s.model, s.state, &how, &recorder, e));
    must(run_until(recorder, &s, STEPS, 50, e));
    must(ts_recorder_finish(recorder, s.state, s.work, &(ts_run_end){.outcome = "finished"}, &summary, e));
    ts_recorder_free(recorder);
    sample_free(&s);
    return summary;
}

static void records_at_the_right_steps(void **unused)
{
    (void)unused;
    /* intervals that are no multiple of the step, one of them close to it, and whole multiples */
    const double frames[] = {10.3, 1.4, 7, 1}, rows[] = {3.7, 2.5, 1, 50};
    for (int k = 0; k < 4; k++) {
        run_straight("due", (sample_options){.frame_steps = frames[k], .row_steps = rows[k], .no_contacts = true});
        ts_trajectory *reader;
        must(ts_trajectory_open("due/trajectory.tst", &reader, e));
        uint64_t n = 0;
        for (uint64_t i = 0, last = UINT64_MAX;; i++) {
            uint64_t expected = (uint64_t)llround((double)i * frames[k]), step;
            if (expected > STEPS)
                break;
            if (expected == last)
                continue;
            must(ts_trajectory_peek(reader, n++, &step, NULL, e));
            assert_int_equal(step, expected);
            last = expected;
        }
        uint64_t end; /* the last step, once, whether a frame is due there or not */
        must(ts_trajectory_peek(reader, n - 1, &end, NULL, e));
        n += end < STEPS;
        assert_int_equal(ts_trajectory_frame_count(reader), n);
        must(ts_trajectory_peek(reader, n - 1, &end, NULL, e));
        assert_int_equal(end, STEPS);
        ts_trajectory_close(reader);

        size_t size;
        char *table = sample_read("due/energies.csv", &size), *line = table + strcspn(table, "\n") + 1;
        for (uint64_t i = 0, last = UINT64_MAX; *line; i++) {
            uint64_t expected = (uint64_t)llround((double)i * rows[k]);
            if (expected == last)
                continue;
            expected = expected > STEPS ? STEPS : expected;
            assert_true(strtod(line, NULL) == (double)expected * 1e-4);
            line = strchr(line, '\n') + 1;
            last = expected;
            assert_true(*line || last == STEPS);
        }
        ts_free(table);
    }
}

static void the_table_holds_the_measures(void **unused)
{
    (void)unused;
    run_straight("table", (sample_options){0});
    sample s = sample_make((sample_options){0});
    size_t size;
    char *table = sample_read("table/energies.csv", &size), *line = table;
    assert_memory_equal(line, "time_s,kinetic_J,rotational_J,gravitational_J,elastic_J,total_J,", 63);
    for (int i = 0; i <= STEPS / 4; i++) {
        ts_measures m;
        must(ts_measure(s.model, s.state, s.work, &m, e));
        const double expected[] = {m.time,          m.kinetic,
                                   m.rotational,    m.gravitational,
                                   m.elastic,       m.kinetic + m.rotational + m.gravitational + m.elastic,
                                   m.momentum[0],   m.momentum[1],
                                   m.angular,       m.max_overlap,
                                   m.mean_overlap,  m.overlap_ratio,
                                   m.max_speed,     m.work,
                                   m.lost_normal,   m.lost_tangential,
                                   m.lost_friction, (double)m.contact_count};
        line = strchr(line, '\n') + 1;
        char *at = line - 1;
        for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
            assert_true(strtod(at + 1, &at) == expected[k]);
        assert_int_equal(*at, '\n');
        must(ts_step(s.model, s.state, s.work, 4, e));
    }
    assert_int_equal(strchr(line, '\n') + 1 - table, size);
    ts_free(table);
    sample_free(&s);
}

/* The newest frame and the newest row are of this step. */
static void assert_ends_at(const char *folder, uint64_t step)
{
    ts_trajectory *reader;
    uint64_t last;
    size_t size;
    must(ts_trajectory_open(in(folder, TS_RUN_TRAJECTORY), &reader, e));
    must(ts_trajectory_peek(reader, ts_trajectory_frame_count(reader) - 1, &last, NULL, e));
    ts_trajectory_close(reader);
    assert_int_equal(last, step);
    char *table = sample_read(in(folder, TS_RUN_ENERGIES), &size), *row = table + size - 1;
    while (row[-1] != '\n')
        row--;
    assert_true(strtod(row, NULL) == (double)step * 1e-4);
    ts_free(table);
}

static void stopping_anywhere_leaves_the_same_run(void **unused)
{
    (void)unused;
    ts_summary straight = run_straight("straight", (sample_options){0});
    const uint64_t stops[] = {0, 1, 37, 40, 199, 200, 399, 400};
    for (size_t k = 0; k < sizeof stops / sizeof *stops; k++) {
        clear("stopped");
        sample s = sample_make((sample_options){0});
        ts_recorder *recorder;
        ts_recorder_options how = {.title = "straight"};
        must(ts_recorder_create("stopped", s.model, &how, &recorder, e));
        must(run_until(recorder, &s, stops[k], 90, e));
        must(ts_recorder_checkpoint(recorder, s.state, e));
        must(ts_recorder_finish(recorder, s.state, s.work, &(ts_run_end){.outcome = "interrupted"}, NULL, e));
        ts_recorder_free(recorder);
        sample_free(&s);
        assert_ends_at("stopped", stops[k]);
        sample_write("stopped/last.png", "old", 3);
        ts_summary resumed = run_to_end("stopped");
        assert_int_equal(ts_file_exists("stopped/last.png"), stops[k] == STEPS); /* else it is the last no more */
        assert_same_run("straight", "stopped");
        assert_int_equal(resumed.state_hash, straight.state_hash);
        assert_int_equal(resumed.session_count, 2);
        assert_int_equal(resumed.frame_count, straight.frame_count);
        assert_true(resumed.largest_overlap == straight.largest_overlap);
        assert_true(resumed.largest_overlap_ratio == straight.largest_overlap_ratio);
        assert_true(resumed.contacts_per_step == straight.contacts_per_step);
        assert_memory_equal(&resumed.first, &straight.first, sizeof resumed.first);
        assert_memory_equal(&resumed.last, &straight.last, sizeof resumed.last);
    }
}

/* Runs or resumes in a child process until it is killed or done. */
static void run_in_child(const char *folder, useconds_t patience)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        sample s = sample_make((sample_options){0});
        ts_recorder *recorder;
        ts_recorder_options how = {.title = "straight", .scene_text = "{}"};
        ts_error error;
        ts_status status = ts_run_exists(folder) ? ts_recorder_resume(folder, s.model, s.state, &how, &recorder, &error)
                                                 : ts_recorder_create(folder, s.model, &how, &recorder, &error);
        if (status == TS_OK)
            status = run_until(recorder, &s, STEPS, 7, &error);
        if (status != TS_OK)
            fprintf(stderr, "%s\n", error.message);
        _exit(status == TS_OK ? 0 : 1);
    }
    usleep(patience);
    kill(child, SIGKILL);
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    if (WIFEXITED(how))
        assert_int_equal(WEXITSTATUS(how), 0);
}

static void a_killed_run_goes_on(void **unused)
{
    (void)unused;
    ts_summary straight = run_straight("straight", (sample_options){0});
    uint64_t seed = 12345;
    for (int round = 0; round < 5; round++) {
        clear("killed");
        for (int kills = 0; kills < 8; kills++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            run_in_child("killed", (useconds_t)((seed >> 33) % 30000));
        }
        if (!ts_run_exists("killed"))
            continue; /* it never came so far as to write */
        ts_summary resumed = run_to_end("killed");
        assert_int_equal(resumed.state_hash, straight.state_hash);
        assert_same_run("straight", "killed");
        DIR *listing = opendir("killed"); /* and no draft of a checkpoint is left */
        for (struct dirent *entry; (entry = readdir(listing)) != NULL;)
            assert_null(strstr(entry->d_name, ".tmp"));
        closedir(listing);
    }
}

/* Makes a run with checkpoints at steps 100 and 200, stopped at 250. */
static void make_stopped(const char *folder)
{
    clear(folder);
    sample s = sample_make((sample_options){0});
    ts_recorder *recorder;
    ts_recorder_options how = {.title = "straight"};
    must(ts_recorder_create(folder, s.model, &how, &recorder, e));
    must(run_until(recorder, &s, 250, 100, e));
    ts_recorder_free(recorder);
    sample_free(&s);
}

static void a_damaged_checkpoint_is_passed_over(void **unused)
{
    (void)unused;
    ts_summary straight = run_straight("straight", (sample_options){0});
    make_stopped("passed");
    size_t size;
    char *newest = sample_read("passed/checkpoint.1", &size);
    uint64_t serial, step;
    must(ts_checkpoint_peek("passed/checkpoint.1", &serial, &step, e));
    assert_int_equal(step, 200);
    for (size_t i = 0; i < size; i += 97) {
        newest[i] ^= 0x10;
        make_stopped("passed");
        sample_write("passed/checkpoint.1", newest, size);
        newest[i] ^= 0x10;
        sample s = sample_make((sample_options){0});
        ts_recorder *recorder;
        must(ts_recorder_resume("passed", s.model, s.state, NULL, &recorder, e));
        assert_int_equal(ts_state_steps(s.state), 100);
        assert_non_null(strstr(ts_recorder_note(recorder), "checkpoint.1"));
        assert_non_null(strstr(ts_recorder_note(recorder), "step 100"));
        must(run_until(recorder, &s, STEPS, 50, e));
        ts_recorder_free(recorder);
        sample_free(&s);
        assert_same_run("straight", "passed");
    }
    /* the damaged one was replaced by the next */
    must(ts_checkpoint_peek("passed/checkpoint.1", &serial, &step, e));
    assert_int_equal(run_to_end("passed").state_hash, straight.state_hash);

    /* both damaged: an error that says so, and the state stays */
    make_stopped("passed");
    sample_write("passed/checkpoint.0", newest, size / 2);
    sample_write("passed/checkpoint.1", newest, size - 1);
    sample s = sample_make((sample_options){0});
    uint64_t before = ts_state_hash(s.state);
    ts_recorder *recorder;
    ts_error error = {0};
    assert_int_equal(ts_recorder_resume("passed", s.model, s.state, NULL, &recorder, &error), TS_CORRUPT);
    assert_non_null(strstr(error.message, "checkpoint"));
    assert_int_equal(ts_state_hash(s.state), before);
    sample_free(&s);
    ts_free(newest);
}

/* A trajectory that lost its end after the newest checkpoint (a disk that lied) still fits the one before. */
static void a_cut_trajectory_falls_back(void **unused)
{
    (void)unused;
    run_straight("straight", (sample_options){0});
    make_stopped("cut");
    sample s = sample_make((sample_options){0});
    ts_checkpoint about;
    must(ts_checkpoint_read("cut/checkpoint.0", s.model, s.state, &about, e));
    assert_int_equal(truncate("cut/trajectory.tst", (off_t)about.trajectory.bytes + 5), 0);
    ts_recorder *recorder;
    must(ts_recorder_resume("cut", s.model, s.state, NULL, &recorder, e));
    assert_int_equal(ts_state_steps(s.state), 100);
    must(run_until(recorder, &s, STEPS, 0, e));
    ts_recorder_free(recorder);
    sample_free(&s);
    assert_same_run("straight", "cut");
}

static void a_run_without_checkpoint_starts_again(void **unused)
{
    (void)unused;
    run_straight("straight", (sample_options){0});
    make_stopped("early");
    unlink("early/checkpoint.0");
    unlink("early/checkpoint.1");
    assert_int_equal(truncate("early/trajectory.tst", 11), 0);
    sample s = sample_make((sample_options){0});
    must(ts_step(s.model, s.state, s.work, 5, e)); /* whatever the state was */
    ts_recorder *recorder;
    ts_recorder_options how = {.title = "straight"};
    must(ts_recorder_resume("early", s.model, s.state, &how, &recorder, e));
    assert_int_equal(ts_state_steps(s.state), 0);
    assert_non_null(strstr(ts_recorder_note(recorder), "time 0"));
    must(run_until(recorder, &s, STEPS, 0, e));
    ts_recorder_free(recorder);
    sample_free(&s);
    assert_same_run("straight", "early");
}

/* Beginning anew would erase what was computed: without checkpoints that is refused, and nothing is touched. */
static void a_long_trajectory_is_not_erased(void **unused)
{
    (void)unused;
    make_stopped("gone");
    unlink("gone/checkpoint.0");
    unlink("gone/checkpoint.1");
    size_t size, after;
    char *before = sample_read("gone/trajectory.tst", &size);
    sample s = sample_make((sample_options){0});
    ts_recorder *recorder;
    ts_error error = {0};
    assert_int_equal(ts_recorder_resume("gone", s.model, s.state, NULL, &recorder, &error), TS_CORRUPT);
    assert_non_null(strstr(error.message, "26 frames"));
    assert_non_null(strstr(error.message, "--force"));
    char *now = sample_read("gone/trajectory.tst", &after);
    assert_int_equal(after, size);
    assert_memory_equal(now, before, size);
    ts_free(now);
    ts_free(before);
    sample_free(&s);
}

/* The deepest overlap lies between two rows more often than not: it is found all the same. */
static void the_largest_overlap_is_over_all_steps(void **unused)
{
    (void)unused;
    sample s = sample_make((sample_options){.frame_steps = 1000, .row_steps = 1});
    double largest = 0;
    for (int i = 0; i < STEPS; i++) {
        ts_measures m;
        must(ts_step(s.model, s.state, s.work, 1, e));
        must(ts_measure(s.model, s.state, s.work, &m, e));
        largest = fmax(largest, m.max_overlap);
    }
    sample_free(&s);
    ts_summary rare = run_straight("rare", (sample_options){.frame_steps = 1000, .row_steps = 1000});
    ts_summary often = run_straight("often", (sample_options){.frame_steps = 1000, .row_steps = 1});
    assert_true(fmax(rare.first.max_overlap, rare.last.max_overlap) < 0.8 * largest); /* else this shows nothing */
    assert_true(often.largest_overlap >= largest);
    /* the steps see their middles, the rows their ends: at the deepest point both are the same but for the step's size
     * */
    assert_true(fabs(rare.largest_overlap - largest) < 0.02 * largest);
    assert_true(rare.largest_overlap_ratio > 0.8 * often.largest_overlap_ratio);
}

static void folders_are_guarded(void **unused)
{
    (void)unused;
    clear("guarded");
    sample s = sample_make((sample_options){0}), other = sample_make((sample_options){.gravity = 3});
    ts_recorder *recorder, *second;
    ts_error error = {0};
    ts_recorder_options how = {.scene_text = "{\"a\": 1}", .scene_length = 8}, forced = {.force = true};
    assert_int_equal(ts_recorder_resume("guarded", s.model, s.state, NULL, &recorder, &error), TS_IO);
    assert_false(ts_run_exists("guarded"));
    must(ts_recorder_create("guarded", s.model, &how, &recorder, e));
    assert_true(ts_run_exists("guarded"));
    /* two at once, even by force */
    assert_int_equal(ts_recorder_create("guarded", s.model, &forced, &second, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "another run"));
    assert_non_null(strstr(error.message, "--out"));
    assert_int_equal(ts_recorder_resume("guarded", s.model, s.state, NULL, &second, &error), TS_BAD_INPUT);
    must(ts_recorder_write(recorder, s.state, s.work, e));
    must(ts_recorder_checkpoint(recorder, s.state, e));
    ts_recorder_free(recorder);

    size_t size;
    char *text = sample_read("guarded/scene.json", &size);
    assert_string_equal(text, "{\"a\": 1}");
    ts_free(text);
    assert_int_equal(ts_recorder_create("guarded", s.model, NULL, &recorder, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "--resume"));
    /* another scene's run is not gone on with, and the difference is named */
    assert_int_equal(ts_recorder_resume("guarded", other.model, other.state, NULL, &recorder, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "gravity"));
    must(ts_recorder_create("guarded", other.model, &forced, &recorder, e));
    ts_recorder_free(recorder);
    assert_false(ts_file_exists("guarded/checkpoint.0")); /* the old run is gone for good */
    assert_false(ts_file_exists("guarded/scene.json"));

    /* a folder of other things may hold a run besides, and keeps them */
    clear("mixed");
    assert_int_equal(mkdir("mixed", 0777), 0);
    sample_write("mixed/notes.txt", "mine", 4);
    assert_int_equal(ts_recorder_resume("mixed", s.model, s.state, NULL, &recorder, &error), TS_BAD_INPUT);
    must(ts_recorder_create("mixed", s.model, &forced, &recorder, e));
    ts_recorder_free(recorder);
    assert_true(ts_file_exists("mixed/notes.txt"));

    /* pictures of a run go with it; those of a folder that held none are somebody else's */
    const char *const drawn[] = {"mixed/last.png", "mixed/frame.png", "mixed/sheet.png", "mixed/movie.mp4"};
    for (int i = 0; i < 4; i++)
        sample_write(drawn[i], "old", 3);
    must(ts_recorder_create("mixed", s.model, &forced, &recorder, e));
    ts_recorder_free(recorder);
    for (int i = 0; i < 4; i++)
        assert_false(ts_file_exists(drawn[i]));
    assert_true(ts_file_exists("mixed/notes.txt"));
    clear("mixed");
    assert_int_equal(mkdir("mixed", 0777), 0);
    sample_write("mixed/last.png", "mine", 4);
    must(ts_recorder_create("mixed", s.model, &forced, &recorder, e));
    ts_recorder_free(recorder);
    assert_true(ts_file_exists("mixed/last.png"));
    sample_free(&s);
    sample_free(&other);
}

static void the_summary_tells(void **unused)
{
    (void)unused;
    sample s = sample_make((sample_options){0});
    ts_workspace_time_phases(s.work, true);
    ts_recorder *recorder;
    ts_summary summary;
    ts_recorder_options how = {.title = "told", .force = true};
    must(ts_recorder_create("told", s.model, &how, &recorder, e));
    must(run_until(recorder, &s, STEPS, 100, e));
    must(ts_recorder_finish(recorder, s.state, s.work, &(ts_run_end){.outcome = "finished", .message = "done"},
                            &summary, e));
    ts_recorder_free(recorder);
    assert_int_equal(summary.steps, STEPS);
    assert_true(summary.simulated_time == STEPS * 1e-4);
    assert_true(summary.wall_time > 0 && summary.wall_time < 600);
    double phases = 0;
    for (int i = 0; i < TS_PHASE_COUNT; i++)
        phases += summary.phase_seconds[i];
    assert_true(phases > 0 && phases <= summary.wall_time);
    assert_true(summary.phase_seconds[TS_PHASE_RECORD] > 0);
    assert_true(fabs(summary.rate - 7 * STEPS / summary.session_wall) <= 1e-9 * summary.rate);
    assert_int_equal(summary.frame_count, 1 + STEPS / 10);
    assert_int_equal(summary.row_count, 1 + STEPS / 4);
    assert_int_equal(summary.thread_count, 1);
    assert_false(summary.closed);
    assert_true(summary.largest_overlap > 0 && summary.contacts_per_step > 0 &&
                summary.queries_per_step >= summary.contacts_per_step);
    assert_int_equal(summary.state_hash, ts_state_hash(s.state));

    size_t size;
    char hash[40], *text = sample_read("told/summary.json", &size);
    snprintf(hash, sizeof hash, "\"state_hash\": \"%016llx\"", (unsigned long long)summary.state_hash);
    const char *const expected[] = {hash,
                                    "\"outcome\": \"finished\"",
                                    "\"message\": \"done\"",
                                    "\"steps\": 400",
                                    "\"phases\"",
                                    "\"contacts_per_step\"",
                                    "\"queries_per_step\"",
                                    "\"momentum_drift\"",
                                    "\"threads\": 1",
                                    "\"cpu\"",
                                    "\"version\": \"",
                                    "\"rate\"",
                                    "\"memory_bytes\"",
                                    "\"largest_overlap\"",
                                    "\"energy\"",
                                    "\"wall_time\""};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (!strstr(text, expected[i]))
            fail_msg("summary.json has no %s", expected[i]);
    ts_free(text);
    sample_free(&s);
}

/* Two discs that meet in free fall: momentum changes by gravity's share and by nothing else. */
static void free_flight_keeps_momentum(void **unused)
{
    (void)unused;
    ts_scene *scene;
    must(ts_scene_create(&scene, e));
    ts_settings settings = ts_default_settings();
    settings.time_step = 1e-4;
    settings.duration = 0.05;
    must(ts_scene_set(scene, &settings, e));
    ts_material_def soft = ts_default_material();
    soft.stiffness = 1e5;
    must(ts_scene_set_default_material(scene, &soft, e));
    int32_t disc;
    must(ts_scene_add_disc(scene, 0.05, &disc, e));
    for (int i = 0; i < 2; i++) {
        ts_body_def body = ts_default_body();
        body.shape = disc;
        body.position[0] = i * 0.11;
        body.velocity[0] = i ? -1 : 1.5;
        must(ts_scene_add_body(scene, &body, NULL, e));
    }
    sample s;
    must(ts_model_compile(scene, &s.model, e));
    ts_scene_free(scene);
    must(ts_state_create(s.model, &s.state, e));
    must(ts_workspace_create(s.model, 1, &s.work, e));
    ts_recorder *recorder;
    ts_summary summary;
    must(ts_recorder_create("free", s.model, &(ts_recorder_options){.force = true}, &recorder, e));
    must(run_until(recorder, &s, ts_run_last_step(s.model), 0, e));
    must(ts_recorder_finish(recorder, s.state, s.work, &(ts_run_end){.outcome = "finished"}, &summary, e));
    ts_recorder_free(recorder);
    assert_true(summary.closed);
    assert_true(summary.largest_overlap > 0);                                      /* they did meet */
    assert_true(fabs(summary.last.momentum[1] - summary.first.momentum[1]) > 0.1); /* and did fall */
    assert_true(fabs(summary.momentum_drift[0]) < 1e-12 * summary.momentum_scale);
    assert_true(fabs(summary.momentum_drift[1]) < 1e-12 * summary.momentum_scale);
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_at_the_right_steps),
        cmocka_unit_test(the_table_holds_the_measures),
        cmocka_unit_test(stopping_anywhere_leaves_the_same_run),
        cmocka_unit_test(a_killed_run_goes_on),
        cmocka_unit_test(a_damaged_checkpoint_is_passed_over),
        cmocka_unit_test(a_cut_trajectory_falls_back),
        cmocka_unit_test(a_run_without_checkpoint_starts_again),
        cmocka_unit_test(a_long_trajectory_is_not_erased),
        cmocka_unit_test(the_largest_overlap_is_over_all_steps),
        cmocka_unit_test(folders_are_guarded),
        cmocka_unit_test(the_summary_tells),
        cmocka_unit_test(free_flight_keeps_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
