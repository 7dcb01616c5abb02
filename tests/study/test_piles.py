# SPDX-License-Identifier: MIT
"""The studies of packed arcs, of collapsing columns and of what kinds of maps do to them. From outside: rings cannot lie denser than the
densest packing of discs, no arcs fill more than all of a column, and slopes are fitted here once more, to centres of grains."""
import math
import os
import sys

sys.dont_write_bytecode = True
from judging import check, check_study, last_centres, maps_may_fail, problems, slope_of, table  # noqa: E402

# A minute and more of processor time: only when it is asked for. Running, continuing and measuring have tests of their own.
if os.environ.get("TS_SANITIZE") or not os.environ.get("TOUCHSTONE_SLOW_TESTS"):
    print("skipped: it takes a while; set TOUCHSTONE_SLOW_TESTS=1 to run it")
    sys.exit(77)


packing = check_study("packing")
if packing:
    rows = {row["grain"]: row for row in table(packing, "packing.csv")}
    heights = [float(rows[f"arc-{share}"]["surface"]) for share in (25, 50, 75, 100)]
    check(heights == sorted(set(heights)), f"heights do not rise: {heights}")
    # rings of 0.77 m around holes of 0.63 m
    densest = math.pi / math.sqrt(12) * (1 - (0.63 / 0.77) ** 2)
    check(float(rows["arc-100"]["fraction"]) <= densest, f"rings fill {rows['arc-100']['fraction']}, more than {densest}")
    check(heights[3] >= 120 * math.pi * 0.77 ** 2 / 15, f"120 rings in 15 m stand {heights[3]} m high: they lie in each other")
    check(all(float(row["fraction"]) < 1 for row in rows.values()), f"fuller than full: {rows}")

collapse = check_study("column-collapse")
if collapse:
    rows = table(collapse, "column-collapse.csv")
    check(len(rows) >= 8, f"{len(rows)} runs")
    mean = {}
    for row in rows:
        here = slope_of(last_centres(os.path.join("figures", row["run"])), 2)
        mean.setdefault(row["run"].split("-")[0], []).append((here, float(row["angle_deg"])))
    for grain, pairs in mean.items():
        ours, theirs = (sum(p[i] for p in pairs) / len(pairs) for i in (0, 1))
        check(abs(ours - theirs) < 4, f"{grain}: slope of {theirs} degrees, of centres {ours}")

matter = check_study("maps-matter", maps_may_fail)
if matter:
    rows = {row["run"]: row for row in table(matter, "maps-matter.csv")}
    for seed in 1, 2, 3:
        steps = {rows[f"column-{kind}-{seed}"]["steps"] for kind in ("exact", "table", "network")}
        check(len(steps) == 1, f"kinds differ in steps: {steps}")
    angles = [rows[f"column-{kind}-1"]["angle_deg"] for kind in ("exact", "table", "network")]
    check(len(set(angles)) == 3, f"three kinds of maps, one result to the last digit: {angles}")

print("\n".join(problems) or "packings, columns and maps hold")
sys.exit(1 if problems else 0)
