/* SPDX-License-Identifier: MIT */
/* Numbers for people, text in columns, and the arithmetic of the ETA. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/format.h"
#include "cli/progress.h"

static void numbers(void **state)
{
    (void)state;
    assert_string_equal(ts_show_count(0).text, "0");
    assert_string_equal(ts_show_count(999).text, "999");
    assert_string_equal(ts_show_count(1000).text, "1,000");
    assert_string_equal(ts_show_count(1234567).text, "1,234,567");
    assert_string_equal(ts_show_count(UINT64_MAX).text, "18,446,744,073,709,551,615");

    assert_string_equal(ts_show_bytes(0).text, "0 bytes");
    assert_string_equal(ts_show_bytes(999).text, "999 bytes");
    assert_string_equal(ts_show_bytes(1500).text, "1.50 kB");
    assert_string_equal(ts_show_bytes(999600).text, "1.00 MB");
    assert_string_equal(ts_show_bytes(12.34e9).text, "12.3 GB");

    assert_string_equal(ts_show_wall(0).text, "0 ms");
    assert_string_equal(ts_show_wall(0.0853).text, "85 ms");
    assert_string_equal(ts_show_wall(4.24).text, "4.2 s");
    assert_string_equal(ts_show_wall(59.97).text, "1 min 00 s");
    assert_string_equal(ts_show_wall(200).text, "3 min 20 s");
    assert_string_equal(ts_show_wall(3599.7).text, "1 h 00 min");
    assert_string_equal(ts_show_wall(7500).text, "2 h 05 min");
    assert_string_equal(ts_show_wall(3 * 86400.0 + 4 * 3600).text, "3 d 4 h");
    assert_string_equal(ts_show_wall(-1).text, "?");

    assert_string_equal(ts_show_si(0, "m").text, "0 m");
    assert_string_equal(ts_show_si(0.0123, "s").text, "12.3 ms");
    assert_string_equal(ts_show_si(-4.56e3, "N/m").text, "-4.56 kN/m");
    assert_string_equal(ts_show_si(1e-6, "m").text, "1.00 µm");
    assert_string_equal(ts_show_si(0.9999, "s").text, "1.00 s");
    assert_string_equal(ts_show_si(999.9, "s").text, "1.00 ks");
    assert_string_equal(ts_show_si(1e-30, "J").text, "1e-30 J");
    assert_string_equal(ts_show_si(1e40, "J").text, "1e+40 J");

    assert_string_equal(ts_show_rate(12.34e6, "steps").text, "12.3 M steps/s");
    assert_string_equal(ts_show_rate(0, "steps").text, "0.00 steps/s");
}

/* What a function prints. */
#define PRINTED(call)                                  \
    do {                                               \
        free(text);                                    \
        text = NULL;                                   \
        FILE *stream = open_memstream(&text, &length); \
        call;                                          \
        fclose(stream);                                \
    } while (0)

static void columns(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length;
    PRINTED(ts_print_entry(stream, "  -o", "short", 8));
    assert_string_equal(text, "  -o    short\n");
    PRINTED(ts_print_entry(stream, "  --very-long", "short", 8));
    assert_string_equal(text, "  --very-long\n        short\n");

    /* every line within 80 columns, no word lost, characters rather than bytes counted */
    char words[2000] = "";
    for (int i = 0; i < 200; i++)
        strcat(words, i % 3 ? "µµµµ " : "word ");
    PRINTED(ts_print_wrapped(stream, words, 10, 0));
    int seen = 0, widest = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        int width = ts_text_width(line);
        widest = width > widest ? width : widest;
        assert_true(strncmp(line, "          ", 10) == 0);
        for (char *at = line; (at = strstr(at, "word")) != NULL; at += 4)
            seen++;
    }
    assert_in_range(widest, 70, 80);
    assert_int_equal(seen, 67);

    /* a number and its unit stay together */
    memset(words, 'x', 74);
    strcpy(words + 74, " 1.26 kg to");
    PRINTED(ts_print_wrapped(stream, words, 0, 0));
    assert_string_equal(text + 74, "\n1.26 kg to\n");

    PRINTED({
        ts_listing listing = ts_listing_make("lr");
        ts_listing_row(&listing, "a\t%d", 5);
        ts_listing_row(&listing, "long µ\t%d", 1234);
        ts_listing_gap(&listing);
        ts_listing_row(&listing, "heading that runs over");
        ts_listing_print(&listing, stream);
    });
    assert_string_equal(text, "a          5\nlong µ  1234\n\nheading that runs over\n");
    free(text);
}

/* At a steady rate the ETA is what is left divided by it, whatever the rhythm of the samples. */
static void eta_of_a_steady_run(void **state)
{
    (void)state;
    ts_progress p;
    FILE *nowhere = fopen("/dev/null", "w");
    assert_non_null(nowhere);
    ts_progress_begin(&p, nowhere, false, 0, 1000, 50);
    assert_true(ts_progress_left(&p, 0) < 0);
    double now = 50;
    for (int i = 1; i <= 40; i++) {
        now += i % 7 ? 0.1 : 3;
        ts_progress_show(&p, 20 * (now - 50), "", now);
        assert_true(fabs(ts_progress_rate(&p) - 20) < 1e-9);
    }
    assert_true(fabs(ts_progress_left(&p, 500) - 25) < 1e-9);
    fclose(nowhere);
}

/* When steps become ten times dearer the rate follows within a minute, and never leaves the two rates there were. */
static void eta_follows(void **state)
{
    (void)state;
    ts_progress p;
    FILE *nowhere = fopen("/dev/null", "w");
    assert_non_null(nowhere);
    ts_progress_begin(&p, nowhere, false, 0, 1e6, 0);
    double now = 0, done = 0, last = 1000;
    for (int i = 0; i < 1000; i++) {
        now += 0.1;
        done += 0.1 * (i < 300 ? 1000 : 100);
        ts_progress_show(&p, done, "", now);
        double rate = ts_progress_rate(&p);
        assert_true(rate <= last * (1 + 1e-12) && rate > 100 * (1 - 1e-12));
        last = rate;
    }
    assert_true(last < 115);
    /* a resumed run counts only its own work */
    ts_progress_begin(&p, nowhere, false, 5000, 6000, 0);
    ts_progress_show(&p, 5100, "", 1);
    assert_true(fabs(ts_progress_left(&p, 5100) - 9) < 1e-9);
    fclose(nowhere);
}

/* Outside a terminal: no line before a second, then one every ten, without control characters; quiet prints nothing. */
static void plain_lines(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length;
    FILE *stream = tmpfile();
    assert_non_null(stream);
    ts_progress p;
    ts_progress_begin(&p, stream, false, 0, 100, 0);
    for (int i = 1; i <= 350; i++)
        if (ts_progress_due(&p, 0.1 * i))
            ts_progress_show(&p, 0.1 * i, "t = 1 s", 0.1 * i);
    ts_progress_clear(&p);
    ts_progress_begin(&p, stream, true, 0, 100, 0);
    assert_false(ts_progress_due(&p, 1e9));

    rewind(stream);
    text = calloc(1, 4096);
    assert_non_null(text);
    length = fread(text, 1, 4095, stream);
    assert_int_equal(strlen(text), length);
    assert_null(strpbrk(text, "\r\033"));
    int lines = 0;
    for (char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    assert_int_equal(lines, 4); /* at 1, 11, 21 and 31 s */
    assert_true(strncmp(text, "1.0%  t = 1 s  ETA 1 min 39 s\n", 30) == 0);
    free(text);
    fclose(stream);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(numbers),     cmocka_unit_test(columns),     cmocka_unit_test(eta_of_a_steady_run),
        cmocka_unit_test(eta_follows), cmocka_unit_test(plain_lines),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
