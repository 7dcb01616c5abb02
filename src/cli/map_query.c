/* SPDX-License-Identifier: MIT */
/* touchstone map query: what a map answers for poses of B in A's frame, with the exact gap beside it. */
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/map.h"
#include "study/output.h"

/* Larger files of poses are a slip. */
#define POSES_BYTES_MAX ((size_t)1 << 30)

typedef struct answers {
    const ts_map *map;
    const ts_map_pairing *of;
    TS_ARRAY(ts_map_pose) pose;
    ts_map_contact *contact, *exact; /* (pose.count) */
} answers;

/* ---- Poses ---- */

static ts_status add_pose(answers *all, const double at[3], ts_error *error)
{
    ts_map_pose pose = {.b = {at[0], at[1], at[2]}, .scale = 1};
    return ts_array_push(&all->pose, pose, error);
}

static ts_status take_numbers(answers *all, const char *const *number, ts_error *error)
{
    static const char *const name[] = {"X", "Y", "ANGLE"};
    double at[3];
    for (int i = 0; i < 3; i++)
        if (!ts_parse_double(number[i], &at[i]))
            return ts_fail(error, TS_BAD_INPUT,
                           "%s is '%s', but must be a number: the pose of B in A's frame is x and y in metres and the "
                           "angle in radians",
                           name[i], number[i]);
    return add_pose(all, at, error);
}

/* The numbers of a line; how many, or -1 when something else stands there. */
static int read_line(const char *line, size_t length, double at[3])
{
    int count = 0;
    for (size_t i = 0; i < length;) {
        if (strchr(" \t,;\r", line[i])) {
            i++;
            continue;
        }
        double value;
        size_t taken = ts_parse_number(line + i, length - i, &value);
        if (taken == 0 || (i + taken < length && !strchr(" \t,;\r", line[i + taken])))
            return -1;
        if (count < 3)
            at[count] = value;
        count++;
        i += taken;
    }
    return count;
}

/* x, y and angle a line; a first line of names, empty ones and those that begin with # are passed over. */
static ts_status take_lines(answers *all, const char *name, const char *text, ts_error *error)
{
    bool first = true;
    int number = 1;
    for (const char *at = text; *at; number++) {
        size_t length = strcspn(at, "\n"), blank = strspn(at, " \t\r");
        double pose[3];
        int count = blank >= length || at[blank] == '#' ? 0 : read_line(at, length, pose);
        bool names = first && count < 0;
        if (count != 0 && count != 3 && !names)
            return ts_fail_at(error, TS_BAD_INPUT, ((ts_place){name, number, 1}),
                              "a pose is three numbers, x, y [m] and angle [rad], with commas between them");
        if (count == 3)
            TS_TRY(add_pose(all, pose, error));
        first = first && count == 0;
        at += length + (at[length] == '\n');
    }
    return all->pose.count ? TS_OK : ts_fail(error, TS_BAD_INPUT, "%s has no poses; write x, y, angle a line", name);
}

static ts_status read_poses(answers *all, const char *path, ts_error *error)
{
    char *text;
    size_t size;
    bool input = strcmp(path, "-") == 0;
    const char *name = input ? "standard input" : path;
    if (ts_is_folder(path))
        return ts_fail(error, TS_BAD_INPUT, "'%s' is a folder; give a file with --poses", path);
    if (!input && !ts_file_exists(path))
        return ts_fail(error, TS_BAD_INPUT, "there is no file '%s'; --poses wants one with x, y, angle a line", path);
    TS_TRY(ts_file_read(input ? "/dev/stdin" : path, POSES_BYTES_MAX, &text, &size, error));
    ts_status status = strlen(text) == size ? take_lines(all, name, text, error)
                                            : ts_fail(error, TS_BAD_INPUT, "%s is no text; --poses wants CSV", name);
    ts_free(text);
    return status;
}

/* ---- Answers ---- */

/* The same map, but asked for the truth: every map has the means. */
static ts_map exact_of(const ts_map *map)
{
    ts_map exact = *map;
    exact.fold = ts_fold_make(map->pair, false);
    exact.field = map->exact;
    exact.query = ts_exact_query;
    return exact;
}

static ts_status ask(answers *all, ts_error *error)
{
    size_t count = all->pose.count;
    TS_TRY(ts_new(&all->contact, count, error));
    TS_TRY(ts_new(&all->exact, count, error));
    ts_map truth = exact_of(all->map);
    ts_map_query(all->map, count, all->pose.item, all->contact);
    ts_map_query(&truth, count, all->pose.item, all->exact);
    return TS_OK;
}

/* The shortest text that means the same; what rounding leaves of a zero stays as it is. */
typedef struct shown_number {
    char text[TS_DOUBLE_TEXT_SIZE];
} shown_number;

static shown_number show(double value)
{
    shown_number n;
    ts_format_double(value, n.text);
    return n;
}

static void print_one(const answers *all, FILE *stream)
{
    const double *at = all->pose.item[0].b;
    const ts_map_contact *c = all->contact;
    double gap = c->gap, exact = all->exact->gap;
    fprintf(stream, "%s × %s\n", all->of->a.name, all->of->b.name);
    ts_listing listing = ts_listing_make("ll");
    ts_listing_row(&listing, "  map\t%s", ts_map_kind_name(all->map->info.kind));
    ts_listing_row(&listing, "  pose of B\t(%.9g, %.9g) m, %.9g rad, in the frame of A's centre of mass", at[0], at[1],
                   at[2]);
    ts_listing_row(&listing, "  gap\t%.9g m, %s", gap, gap > 0 ? "apart" : "touching");
    ts_listing_row(&listing, "  exact gap\t%.9g m%s", exact, gap == exact ? "" : ", from the outlines");
    ts_listing_row(&listing, "  normal\t(%.9g, %.9g), from A to B", c->normal[0], c->normal[1]);
    ts_listing_row(&listing, "  slope\t%.9g", c->slope);
    ts_listing_row(&listing, "  turns\tA %.9g m, B %.9g m", c->turn_a, c->turn_b);
    ts_listing_row(&listing, "  arms\tA %.9g m, B %.9g m", c->arm_a, c->arm_b);
    ts_listing_row(&listing, "  point on A\t(%.9g, %.9g) m", c->point_a[0], c->point_a[1]);
    ts_listing_row(&listing, "  point on B\t(%.9g, %.9g) m", c->point_b[0], c->point_b[1]);
    ts_listing_print(&listing, stream);
}

static void print_csv(const answers *all, FILE *stream)
{
    fputs("x_m,y_m,angle_rad,gap_m,exact_gap_m,normal_x,normal_y,slope,turn_a_m,turn_b_m,arm_a_m,arm_b_m,point_a_x_m,"
          "point_a_y_m,point_b_x_m,point_b_y_m\n",
          stream);
    for (size_t i = 0; i < all->pose.count; i++) {
        const double *at = all->pose.item[i].b;
        const ts_map_contact *c = &all->contact[i];
        const double value[] = {
            at[0],     at[1],     at[2],    c->gap,   all->exact[i].gap, c->normal[0],  c->normal[1],  c->slope,
            c->turn_a, c->turn_b, c->arm_a, c->arm_b, c->point_a[0],     c->point_a[1], c->point_b[0], c->point_b[1]};
        for (size_t k = 0; k < sizeof value / sizeof *value; k++)
            fprintf(stream, "%s%s", k ? "," : "", show(value[k]).text);
        fputs("\n", stream);
    }
}

static void write_answers(ts_json *json, const void *subject)
{
    const answers *all = subject;
    ts_json_begin_object(json, NULL);
    ts_json_text(json, "a", all->of->a.name);
    ts_json_text(json, "b", all->of->b.name);
    ts_json_text(json, "kind", ts_map_kind_name(all->map->info.kind));
    ts_json_begin_array(json, "poses");
    for (size_t i = 0; i < all->pose.count; i++) {
        const double *at = all->pose.item[i].b;
        const ts_map_contact *c = &all->contact[i];
        ts_json_begin_object(json, NULL);
        TS_JSON_NUMBERS(json, {"x", at[0]}, {"y", at[1]}, {"angle", at[2]}, {"gap", c->gap},
                        {"exact_gap", all->exact[i].gap});
        ts_json_numbers(json, "normal", c->normal, 2);
        TS_JSON_NUMBERS(json, {"slope", c->slope}, {"turn_a", c->turn_a}, {"turn_b", c->turn_b}, {"arm_a", c->arm_a},
                        {"arm_b", c->arm_b});
        ts_json_numbers(json, "point_a", c->point_a, 2);
        ts_json_numbers(json, "point_b", c->point_b, 2);
        ts_json_end(json);
    }
    ts_json_end(json);
    ts_json_end(json);
}

static ts_status find_map(const ts_map_wish *wish, const ts_map_pairing *of, ts_map **made, ts_error *error)
{
    ts_map_options o = {0};
    ts_map_task task;
    *made = NULL;
    if (of->map)
        return TS_OK;
    ts_map_wish_apply(wish, &o);
    ts_map_task_begin(&task, wish);
    ts_status status = ts_map_task_make(&task, of->a.outline, of->b.outline, &o, made, error);
    ts_map_task_end(&task);
    return status;
}

ts_status ts_map_ask(const ts_map_wish *wish, const ts_map_pairing *of, const char *const *number, ts_error *error)
{
    answers all = {.of = of};
    ts_map *made = NULL;
    ts_status status = number ? take_numbers(&all, number, error) : read_poses(&all, wish->poses, error);
    if (status == TS_OK)
        status = find_map(wish, of, &made, error);
    all.map = made ? made : of->map;
    if (status == TS_OK)
        status = ask(&all, error);
    if (status == TS_OK && !wish->quiet && number)
        print_one(&all, ts_output_stream(wish->json));
    else if (status == TS_OK && !wish->quiet && ts_output_stream(wish->json) == stdout)
        print_csv(&all, stdout);
    if (status == TS_OK)
        status = ts_output_json(wish->json, write_answers, &all, error);
    ts_map_free(made);
    ts_array_free(&all.pose);
    ts_free(all.contact);
    ts_free(all.exact);
    return status;
}
