# SPDX-License-Identifier: MIT
"""Runs the benches in their smallest form and reads their rows. Speed is no matter of a test; form and exactness are."""
import json
import os
import subprocess
import sys

PROGRAM = os.environ["TOUCHSTONE"]
problems = []
KEYS = {"bench", "case", "ours", "unit", "peer", "peer_value", "ratio", "spread"}


def check(good, what):
    if not good:
        problems.append(what)


def output_of(name):
    result = subprocess.run([PROGRAM, "bench", name, "--quick", "--json", "-", "--out", "cache"], capture_output=True, text=True)
    check(result.returncode == 0, f"{name}: exit {result.returncode}: {result.stderr[-2000:]}")
    output = json.loads(result.stdout)
    check({"processor", "compiler", "version"} <= set(output["machine"]), f"{name}: the machine is not described")
    check(len(output["rows"]) > 0, f"{name}: no rows")
    for row in output["rows"]:
        check(KEYS <= set(row), f"{name}: keys are missing in {row}")
        check(row["bench"] == name and row["ours"] is not None, f"{name}: {row}")
        if row["peer_value"] is not None:
            check(abs(row["ratio"] - row["ours"] / row["peer_value"]) <= 1e-9 * abs(row["ratio"]), f"{name}: ratio of {row}")
    check(all(len(line) <= 80 for line in result.stderr.splitlines() if "\r" not in line), f"{name}: lines longer than 80")
    return output


def rows_of(name):
    return output_of(name)["rows"]


listing = json.loads(subprocess.run([PROGRAM, "bench", "--list", "--json", "-"], capture_output=True, text=True).stdout)
check({"discs", "broadphase", "shapes", "maps", "grains", "impact", "impact-space", "rest", "manifold"} <= {b["bench"] for b in listing["benches"]}, f"the list of benches lacks some: {listing}")

# The broad phase lists exactly the pairs that a test of every pair finds.
exact = [row for row in rows_of("broadphase") if row["peer"] == "a test of every pair"]
check(len(exact) == 2 and all(row["ours"] == row["peer_value"] > 1000 for row in exact), f"pairs: {exact}")

# Distances to outlines; where GEOS is installed, the bench itself fails when the sums of distances differ.
shapes = rows_of("shapes")
check(sum("distance to" in row["case"] and row["ours"] > 0 for row in shapes) == 4, f"distances: {shapes}")

# Contact maps of every kind; where PyTorch is installed, the bench itself fails when the networks' values differ.
if os.environ.get("TS_SANITIZE"):
    maps = []  # training takes long with sanitizers
else:
    maps = rows_of("maps")
    asked = [row for row in maps if row["unit"] == "ns"]
    check(all(row["ours"] > 0 for row in asked) and {row["case"].split(", ")[1] for row in asked} >=
          {"exact", "sampled 201×201", "network 3×32", "network 5×64", "auto"}, f"kinds of maps: {asked}")
    shares = [row["ours"] for row in maps if "share of the core" in row["case"]]
    check(len(shares) == 4 and all(0 < share < 1.1 for share in shares), f"more than the core can do: {shares}")

# Grains at rest by every kind of map. Shares of a step make up the whole; outlines that fell by maps lie beside each other, as a test
# of their intersections sees it that knows of no map. Peers that break down leave a note.
if os.environ.get("TOUCHSTONE_SLOW_TESTS") and not os.environ.get("TS_SANITIZE"):
    grains = {row["case"]: row for row in rows_of("grains")}
    for case in [f"{n} {g}, {k}" for n in (120, 480) for g in ("hash", "octagon")
                 for k in ("table", "exact", "network 3×32", "network 5×64")]:
        check(grains[case + ": 1 thread"]["ours"] > 0, f"{case}: no rate")
        shares = [row["ours"] for name, row in grains.items() if name.startswith(case + ": share of")]
        check(len(shares) == 4 and min(shares) >= 0 and abs(sum(shares) - 1) < 1e-9, f"{case}: shares {shares}")
        if "network" not in case:  # these have learned next to nothing
            check(grains[case + ": pairs passed through"]["ours"] == 0, f"{case}: grains went through each other")
            check(0 < grains[case + ": mean overlap over size"]["ours"] < 0.02, f"{case}: overlaps")

# Programs of a settling pile, cold and warm: solved to 1e-8, whoever solves them; what a pass of gr costs goes with its front. Grains take
# long to settle.
if os.environ.get("TOUCHSTONE_SLOW_TESTS") and not os.environ.get("TS_SANITIZE"):
    impact = rows_of("impact")
    residuals = [row for row in impact if "max |min(y, Ay + b)|" in row["case"]]
    check(len(residuals) == 2 and all(0 <= row["ours"] <= 1e-8 for row in residuals), f"residuals: {residuals}")
    check(all(row["peer_value"] is None or row["peer_value"] < 1e-3 for row in residuals), f"Ipopt's: {residuals}")
    fronts = [row["ours"] for row in impact if row["case"].startswith("a pass of gr, mean front")]
    check(len(fronts) == 2 and all(front > 0 for front in fronts), f"fronts: {fronts}")
    through = [row["ours"] for row in impact if "pairs passed through" in row["case"]]
    check(len(through) > 0 and not any(through), f"grains went through each other: {through}")

# Bodies in space: elastic collisions keep energy, piles lie beside each other.
if os.environ.get("TOUCHSTONE_SLOW_TESTS") and not os.environ.get("TS_SANITIZE"):
    space = rows_of("impact-space")
    errors = [row["ours"] for row in space if "energy error" in row["case"]]
    check(len(errors) >= 2 and all(0 <= error < 1e-9 for error in errors), f"energies: {errors}")
    overlaps = [row["ours"] for row in space if "mean overlap" in row["case"]]
    check(len(overlaps) >= 2 and all(0 <= overlap < 0.01 for overlap in overlaps), f"overlaps: {overlaps}")
    check(any("spheres shaken" in row["case"] and row["ours"] > 0 for row in space), f"no layer: {space}")

# Heaps at rest: every dynamics has a row of its own in each table, soft-step has come to rest with nothing passed through, and whoever
# was too slow says how long it would take.
if not os.environ.get("TS_SANITIZE"):
    rest = output_of("rest")
    cases = {row["case"]: row["ours"] for row in rest["rows"]}
    tables = {table["title"]: {row["name"]: row for row in table["rows"]} for table in rest["tables"]}
    for heap in ("60 hash", "60 octagons", "60 discs", "27 boxes", "27 hulls"):
        speeds = tables.get(heap + ": seconds a simulated second, and ms per 1/60 s", {})
        check({"soft-step", "impact", "penalty"} <= set(speeds), f"{heap}: {speeds}")
        for name, row in speeds.items():
            values = row["values"]
            check(values["fall s/s"] > 0 and abs(values["fall ms"] - values["fall s/s"] * 1000 / 60) < 1e-9, f"{heap}, {name}: {row}")
            check(values["stir s/s"] is not None or "not run" in row["note"], f"{heap}, {name}: no reason for what is missing: {row}")
        energy = cases.get(heap + ", soft-step: kinetic energy left")
        check(energy is not None and 0 <= energy < (1e-8 if "hash" in heap else 1), f"{heap}: energy {energy}")
        check(cases.get(heap + ", soft-step: pairs passed through, falling, at rest or stirred") == 0, f"{heap}: passed through")
        overlap = tables.get(heap + ": overlaps and energy at rest", {}).get("soft-step", {"values": {}})["values"]
        check(0 < overlap["mean mm"] <= overlap["99% mm"] <= overlap["most mm"] < 5, f"{heap}: overlaps {overlap}")
        phases = tables.get(heap + ": ours by phase, ms per 1/60 s", {}).get("soft-step, rest", {"values": {}})["values"]
        whole = speeds["soft-step"]["values"]["rest ms"]
        check(0.5 * whole < sum(phases.values()) < 2 * whole, f"{heap}: phases {phases} of {whole}")

# Smooth manifolds: the closed forms agree with two iterative solvers, culled contacts with all, and each table has its rows.
if not os.environ.get("TS_SANITIZE"):
    manifold = output_of("manifold")
    cases = {row["case"]: row["ours"] for row in manifold["rows"]}
    off = {case: value for case, value in cases.items() if "squared distance" in case}
    check(len(off) == 4 and all(0 < value < 2e-6 for value in off.values()), f"nearest points: {off}")
    culled = [value for case, value in cases.items() if "culled less everything" in case]
    check(len(culled) == 1 and 0 <= culled[0] < 1e-9, f"culling: {culled}")
    check(all(len(table["rows"]) >= 4 for table in manifold["tables"]) and len(manifold["tables"]) == 5, f"tables: {manifold['tables']}")

# Where LAMMPS is installed, it and we move the same discs in the same way.
rows = {row["case"]: row for row in rows_of("discs")}
for row in rows.values():
    if "centre of mass" in row["case"]:
        check(abs(row["ratio"] - 1) < 0.01, f"not the same physics: {row}")
    if "memory a disc" in row["case"] and "resident" not in row["case"]:
        check(0 < row["ours"] < 1000, f"bytes a disc: {row}")

print("\n".join(problems) or "benches are well formed")
sys.exit(1 if problems else 0)
