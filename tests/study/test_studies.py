# SPDX-License-Identifier: MIT
"""Runs every study as a user does and reads its JSON as a program does.

What it expects comes from outside: `holds` is judged again from the numbers, impacts are integrated here step by step
instead of by a closed form, and exit codes are those of the manual.
"""
import json
import math
import sys

sys.dont_write_bytecode = True
from judging import check, check_study, problems, run  # noqa: E402

# have tests of their own
SLOW = {"one-heap", "maps", "leaning-block", "triangle", "inclined-plane", "packing", "column-collapse", "maps-matter", "silo", "drum",
        "cereal", "chain", "bernoulli", "cradle", "inelastic-collapse", "pool-break", "four-balls", "drum-energy", "fountain",
        "maxwell-demon", "impact-scaling", "grains-impact",
        "everyday", "rollouts", "fit", "choose-counts", "manifold-impact", "box-drop", "matryoshka", "eight-cubes", "trefoil", "two-bodies-box", "dissipation", "nonlinear-potential", "patterns"}


def integrate_impact(zeta, may_pull):
    """Restitution, and contact time in units of 1/ω, of x'' = -2ζx' - x from (0, 1), by many small Runge–Kutta steps."""
    x, v, t, h = 0.0, 1.0, 0.0, 1e-4

    def force(x, v):
        return -2 * zeta * v - x
    while True:
        k1x, k1v = v, force(x, v)
        k2x, k2v = v + h / 2 * k1v, force(x + h / 2 * k1x, v + h / 2 * k1v)
        k3x, k3v = v + h / 2 * k2v, force(x + h / 2 * k2x, v + h / 2 * k2v)
        k4x, k4v = v + h * k3v, force(x + h * k3x, v + h * k3v)
        x, v, t = x + h / 6 * (k1x + 2 * k2x + 2 * k3x + k4x), v + h / 6 * (k1v + 2 * k2v + 2 * k3v + k4v), t + h
        if x <= 0 if may_pull else force(x, v) >= 0:
            return -v, t


def check_disc_analytic(study):
    """Numeric claims are within 1% of what is computed here."""
    claims = {c["claim"]: c for c in study["claims"]}
    for claim in study["claims"]:
        if isinstance(claim["paper"], (int, float)):
            check(claim["tolerance"] <= 0.01, f"a tolerance above 1%: {claim}")
            check(abs(claim["measured"] - claim["paper"]) <= 0.01 * abs(claim["paper"]), f"farther than 1%: {claim}")
    mass, stiffness = 1000 * math.pi * 0.1 ** 2, 1e7
    for name, zeta, may_pull in [("wall, ζ = 0.2, pulling", 0.2, True), ("wall, ζ = 0.2, no pull", 0.2, False),
                                 ("wall, ζ = 1.5, no pull", 1.5, False), ("discs 1:2, ζ = 0.6, no pull", 0.6, False)]:
        restitution, duration = integrate_impact(zeta, may_pull)
        effective = mass if name.startswith("wall") else mass * 4 / 5
        measured = claims[name + ": restitution"]["measured"], claims[name + ": contact time"]["measured"]
        duration *= math.sqrt(effective / stiffness)
        check(abs(measured[0] / restitution - 1) < 0.01, f"{name}: restitution {measured[0]}, integrated {restitution}")
        check(abs(measured[1] / duration - 1) < 0.01, f"{name}: contact time {measured[1]}, integrated {duration}")
    for name, expected in [
            ("rolling down 30°, μ = 0.25: acceleration", 2 / 3 * 9.81 * 0.5),
            ("sliding down 45°, μ = 0.3: acceleration", 9.81 * 0.7 * math.sqrt(0.5)),
            ("thrown along a floor, μ = 0.5: rolls at", 4 / 3),
            ("column: force below disc 1", 1000 * math.pi * (0.1 ** 2 + 0.14 ** 2 + 0.06 ** 2) * 9.81)]:
        check(abs(claims[name]["measured"] / expected - 1) < 0.01, f"{name}: {claims[name]['measured']}, not {expected}")


listing = json.loads(run("study", "--json", "-").stdout)["studies"]
names = [entry["study"] for entry in listing]
check({"disc-analytic", "scale", "outlines", "maps"} <= set(names), f"the list of studies lacks some: {names}")
for entry in [name for name in names if name not in SLOW]:
    outcome = check_study(entry)
    if entry == "disc-analytic" and outcome:
        check_disc_analytic(outcome)

mistyped = run("study", "disc-analitic")
check(mistyped.returncode == 2 and "disc-analytic" in mistyped.stderr, f"a mistyped name: {mistyped}")

print("\n".join(problems) or f"{len(names)} studies hold")
sys.exit(1 if problems else 0)
