# SPDX-License-Identifier: MIT
"""The studies of simultaneous impact. From outside: what three balls and rows of balls do when pairs are swept is played here with fractions and
with plain loops, and outcomes of elastic impacts follow from energy and momentum."""
import fractions
import math
import os
import statistics
import sys

sys.dont_write_bytecode = True
from judging import check, check_study, last_centres, problems, table  # noqa: E402

if os.environ.get("TS_SANITIZE"):
    print("skipped: it takes a while with sanitizers")
    sys.exit(77)


def sweeps(c, velocities, cap):
    """Sweeps over pairs of equal balls in a row until none closes, exactly."""
    v = [fractions.Fraction(x) for x in velocities]
    for count in range(cap):
        if all(v[i] <= v[i + 1] for i in range(len(v) - 1)):
            return count
        for i in range(len(v) - 1):
            if v[i] > v[i + 1]:
                p = (1 + c) / 2 * (v[i] - v[i + 1])
                v[i], v[i + 1] = v[i] - p, v[i + 1] + p
    return cap


def named(study, text):
    """What was measured under a claim with this text."""
    found = [c["measured"] for c in study["claims"] if text in c["claim"]] if study else []
    check(found or not study, f"no claim says '{text}'")
    return found[0] if found else math.nan


study = check_study("inelastic-collapse")
threshold = named(study, "three balls: pairs")
check(sweeps(fractions.Fraction(72, 1000), [1, 0, 0], 400) < 400 == sweeps(fractions.Fraction(71, 1000), [1, 0, 0], 400),
      "with fractions, three balls do not stall between 0.071 and 0.072")
check(0.071 < threshold < 0.072, f"three balls stall below {threshold}")
ten = named(study, "10 balls close in")
check(sweeps(fractions.Fraction(53, 100), range(0, -10, -1), 60) < 60 == sweeps(fractions.Fraction(52, 100), range(0, -10, -1), 60),
      "with fractions, ten balls do not stall between 0.52 and 0.53")
check(0.52 < ten < 0.53, f"ten balls stall below {ten}")

check_study("bernoulli")
study = check_study("cradle")
# two and one of v₀ + 2 v = 2, v₀² + 2 v² = 4 with v = v₁ = v₂: 4/3
check(abs(named(study, "lcp, three balls as a scene") - 4 / 3) < 1e-9, "lcp: the last of three balls")
for name in ("pool-break", "four-balls", "drum-energy", "fountain"):
    check_study(name)
# in space
study = check_study("box-drop")
# a cube on its way up and down, by steps of its own: it turns round where the next step would take it below the floor
height, speed, bounces = 1.0, 0.0, 0
for _ in range(1000):
    if height + 0.01 * speed - 0.5 * 9.81 * 0.01 ** 2 < 0:
        speed, bounces = -speed, bounces + 1
    height, speed = height + 0.01 * speed - 0.5 * 9.81 * 0.01 ** 2, speed - 9.81 * 0.01
check(named(study, "gr: bounces") == bounces, f"a cube bounces {named(study, 'gr: bounces')} times, not {bounces}")
check_study("eight-cubes")
if os.environ.get("TOUCHSTONE_SLOW_TESTS"):
    for name in ("matryoshka", "trefoil", "two-bodies-box"):
        check_study(name)
    check_study("maxwell-demon")
    for name in ("teapot", "dissipation", "nonlinear-potential"):
        check_study(name)
    columns = check_study("grains-impact")
    if columns:
        rows = table(columns, "grains-impact.csv")
        angles = {}
        for row in rows:
            shape, law, _ = row["run"].split("-")
            angles.setdefault((shape, law), []).append(float(row["angle_deg"]))
            # floor and wall are grains whose centres lie at -0.75 m
            check(all(min(centre) > -0.75 for centre in last_centres(os.path.join("figures", row["run"]))), f"{row['run']}: through a wall")
            check(float(row["steps"]) == 12 * 240 if law == "gr" else float(row["steps"]) > 5 * 12 * 240, f"steps: {row}")
        for shape, sign in (("octagon", "octagons"), ("hash", "#")):
            ours = [angles[shape, law] for law in ("gr", "penalty")]
            apart = abs(statistics.mean(ours[0]) - statistics.mean(ours[1]))
            claim = next(c for c in columns["claims"] if c["claim"].startswith(f"{sign}: angle of repose, impulses beside"))
            check(abs(claim["measured"] - apart) < 1e-3, f"{sign}: {apart} degrees apart, claimed are {claim}")

print("\n".join(problems) or "the studies of impact hold")
sys.exit(1 if problems else 0)
