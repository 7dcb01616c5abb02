# SPDX-License-Identifier: MIT
"""The studies of packed arcs, of collapsing columns and of what kinds of maps do to them. From outside: rings cannot lie denser than the
densest packing of discs, no arcs fill more than all of a column, and slopes are fitted here once more, to centres of grains."""
import csv
import math
import os
import sys

sys.dont_write_bytecode = True
from judging import check, check_study, problems, run  # noqa: E402

# A minute and more of processor time: only when it is asked for. Running, continuing and measuring have tests of their own.
if os.environ.get("TS_SANITIZE") or not os.environ.get("TOUCHSTONE_SLOW_TESTS"):
    print("skipped: it takes a while; set TOUCHSTONE_SLOW_TESTS=1 to run it")
    sys.exit(77)


def table(study, name):
    path = [figure for figure in study["figures"] if os.path.basename(figure) == name]
    check(path, f"no {name} among {study['figures']}")
    if not path:
        return []
    with open(path[0], newline="") as file:
        return list(csv.DictReader(file))


def last_centres(folder):
    """Centres of grains in the last frame."""
    text = run("export", folder, "--frames=-1", "--columns", "x_m,y_m,fixed", "-q").stdout
    return [(float(x), float(y)) for x, y, fixed in list(csv.reader(text.splitlines()))[1:] if fixed in ("0", "false")]


def slope_of(centres, width):
    """Angle of the line through the highest centres of strips, where they are between 15% and 85% of the height [deg]."""
    top = {}
    for x, y in centres:
        strip = int(x // width)
        if strip not in top or y > top[strip][1]:
            top[strip] = (x, y)
    height = max(y for _, y in top.values())
    apex = max(top.values(), key=lambda p: p[1])[0]
    points = [(x, y) for x, y in top.values() if x > apex and 0.15 * height <= y <= 0.85 * height]
    n = len(points)
    x, y = sum(p[0] for p in points) / n, sum(p[1] for p in points) / n
    return math.degrees(math.atan(-sum((p[0] - x) * (p[1] - y) for p in points) / sum((p[0] - x) ** 2 for p in points)))


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

matter = check_study("maps-matter")
if matter:
    rows = {row["run"]: row for row in table(matter, "maps-matter.csv")}
    for seed in 1, 2, 3:
        steps = {rows[f"column-{kind}-{seed}"]["steps"] for kind in ("exact", "table", "network")}
        check(len(steps) == 1, f"kinds differ in steps: {steps}")
    angles = [rows[f"column-{kind}-1"]["angle_deg"] for kind in ("exact", "table", "network")]
    check(len(set(angles)) == 3, f"three kinds of maps, one result to the last digit: {angles}")

print("\n".join(problems) or "packings, columns and maps hold")
sys.exit(1 if problems else 0)
