/* SPDX-License-Identifier: MIT */
#include "cli/summary_table.h"

#include <math.h>
#include <string.h>

#include "cli/format.h"

static double total_energy(const ts_measures *m)
{
    return m->kinetic + m->rotational + m->gravitational + m->elastic;
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void add_run(ts_listing *listing, const ts_summary *s)
{
    double rate = s->session_wall > 0 ? (double)s->session_steps / s->session_wall : 0;
    ts_listing_row(listing, "bodies\t%s%s%s", ts_show_count(s->body_count).text, s->wall_count ? ", walls " : "",
                   s->wall_count ? ts_show_count(s->wall_count).text : "");
    if (s->asleep_count > 0)
        ts_listing_row(listing, "asleep\t%s at the end", ts_show_count(s->asleep_count).text);
    ts_listing_row(listing, "steps\t%s of %s", ts_show_count(s->steps).text, ts_show_si(s->time_step, "s").text);
    ts_listing_row(listing, "simulated time\t%s", ts_show_si(s->simulated_time, "s").text);
    ts_listing_row(listing, "wall time\t%s on %d thread%s", ts_show_wall(s->wall_time).text, s->thread_count,
                   plural((uint64_t)s->thread_count));
    if (s->session_count > 1)
        ts_listing_row(listing, "\tin %d sessions, the last of %s", s->session_count,
                       ts_show_wall(s->session_wall).text);
    if (s->session_steps)
        ts_listing_row(listing, "rate\t%s, %s", ts_show_rate(s->rate, "particle-steps").text,
                       ts_show_rate(rate, "steps").text);
    ts_listing_row(listing, "memory\t%s", ts_show_bytes((double)s->memory_bytes).text);
}

/* Where the wall time went, from the dearest phase down to 1%. */
static void add_phases(ts_listing *listing, const ts_summary *s)
{
    double sum = 0;
    for (int i = 0; i < TS_PHASE_COUNT; i++)
        sum += s->phase_seconds[i];
    if (!(sum > 0))
        return;
    char text[256] = "";
    bool done[TS_PHASE_COUNT] = {false};
    for (;;) {
        int best = -1;
        for (int i = 0; i < TS_PHASE_COUNT; i++)
            if (!done[i] && (best < 0 || s->phase_seconds[i] > s->phase_seconds[best]))
                best = i;
        if (best < 0 || s->phase_seconds[best] < 0.01 * sum)
            break;
        done[best] = true;
        size_t used = strlen(text);
        /* which is mostly waiting for the disk to have the checkpoints of the beginning and the end, in a short run */
        const char *name = best == TS_PHASE_RECORD ? "record and checkpoint" : ts_phase_name((ts_phase)best);
        snprintf(text + used, sizeof text - used, "%s%s %.0f%%", used ? ", " : "", name,
                 100 * s->phase_seconds[best] / sum);
    }
    ts_listing_row(listing, "time by phase\t%s", text);
}

/* Of a radius; less than rounding is that of bodies that touch. */
static void add_overlap(ts_listing *listing, double overlap, double share)
{
    const double rounding = 1e-9, percent = 100 * share;
    char text[32];
    snprintf(text, sizeof text, percent < 9.95 ? "%.2g%%" : "%.0f%%", percent);
    if (share < rounding)
        ts_listing_row(listing, "largest overlap\tnone");
    else
        ts_listing_row(listing, "largest overlap\t%s, %s of the smaller radius", ts_show_si(overlap, "m").text,
                       percent < 1e-3 ? "less than 0.001%" : text);
}

static void add_contacts(ts_listing *listing, const ts_summary *s)
{
    const double mean = fmax(s->contacts_per_step, 0);
    ts_shown average = ts_show_count((uint64_t)llround(mean));
    if (mean > 0 && mean < 9.95)
        snprintf(average.text, sizeof average.text, "%.2g", mean);
    ts_listing_row(listing, "contacts\t%s at the end, %s on average", ts_show_count(s->last.contact_count).text,
                   average.text);
    add_overlap(listing, s->largest_overlap, s->largest_overlap_ratio);
    double drift = hypot(hypot(s->momentum_drift[0], s->momentum_drift[1]), s->momentum_drift[2]);
    /* elsewhere it is what walls and fixed bodies took up, and tells nothing; an unrecorded run has none (NaN) */
    if (s->closed && s->momentum_scale > 0 && !isnan(drift))
        ts_listing_row(listing, "momentum drift\t%s, %.2g of the largest momentum", ts_show_si(drift, "N s").text,
                       drift / s->momentum_scale);
}

static void print_energies(const ts_summary *s, FILE *stream)
{
    ts_listing listing = ts_listing_make("lrr");
    ts_listing_row(&listing, "  energy\tfirst\tlast");
    const struct {
        const char *name;
        double first, last;
    } row[] = {
        {"kinetic", s->first.kinetic, s->last.kinetic},
        {"rotational", s->first.rotational, s->last.rotational},
        {"gravitational", s->first.gravitational, s->last.gravitational},
        {"elastic", s->first.elastic, s->last.elastic},
        {"total", total_energy(&s->first), total_energy(&s->last)},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        ts_listing_row(&listing, "  %s\t%s\t%s", row[i].name, ts_show_si(row[i].first, "J").text,
                       ts_show_si(row[i].last, "J").text);
    ts_listing_print(&listing, stream);
}

void ts_summary_print(const ts_summary *s, const char *folder, FILE *stream)
{
    ts_listing listing = ts_listing_make("ll");
    add_run(&listing, s);
    add_phases(&listing, s);
    if (s->has_measures)
        add_contacts(&listing, s);
    ts_listing_print(&listing, stream);
    if (s->has_measures) {
        fputs("\n", stream);
        print_energies(s, stream);
    }
    fputs("\n", stream);

    listing = ts_listing_make("ll");
    ts_listing_row(&listing, "state hash\t%016llx", (unsigned long long)s->state_hash);
    if (folder)
        ts_listing_row(
            &listing,
            "recorded\t%s\ntrajectory.tst (%s frame%s, %s)\nenergies.csv (%s row%s), scene.json, summary.json", folder,
            ts_show_count(s->frame_count).text, plural(s->frame_count), ts_show_bytes((double)s->trajectory_bytes).text,
            ts_show_count(s->row_count).text, plural(s->row_count));
    ts_listing_print(&listing, stream);
}
