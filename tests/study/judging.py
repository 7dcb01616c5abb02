# SPDX-License-Identifier: MIT
"""Runs a study as a user does and reads its JSON as a program does; `holds` is judged again from the numbers, where there are two."""
import csv
import json
import math
import os
import re
import subprocess

PROGRAM = os.environ["TOUCHSTONE"]
problems = []


def check(good, what):
    if not good:
        problems.append(what)


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)


def judge(claim):
    """Whether a claim holds, from its numbers alone."""
    paper, measured = claim["paper"], claim["measured"]
    if measured is None:
        return False
    if isinstance(paper, (int, float)):
        return abs(measured - paper) <= claim["tolerance"] * abs(paper)
    bound = re.fullmatch(r"(<=|>=) (\S+)", paper)
    if not bound:  # a sentence of the paper's: what it takes for that to hold is the study's own
        return claim["holds"]
    # the bound is printed with six digits
    return measured <= float(bound[2]) * 1.00001 if bound[1] == "<=" else measured >= float(bound[2]) * 0.99999


def check_study(name, may_fail=lambda claim: False):
    """The study's JSON, or None. Claims for which `may_fail` is true need not hold."""
    result = run("study", name, "--quick", "--json", "-", "--out", "figures")
    try:
        study = json.loads(result.stdout)
    except ValueError:
        problems.append(f"{name}: no JSON on standard output; standard error: {result.stderr[-2000:]}")
        return None
    check(study["study"] == name and study["mode"] == "quick", f"{name}: names itself {study['study']}, {study['mode']}")
    check(len(study["claims"]) > 0, f"{name}: claims nothing")
    for claim in study["claims"]:
        check(claim["holds"] == judge(claim), f"{name}: holds is wrong in {claim}")
        check(claim["holds"] or may_fail(claim), f"{name}: FAILED: {claim}")
        check(claim["unit"], f"{name}: no unit in {claim}")
    for figure in study["figures"]:
        check(os.path.exists(figure), f"{name}: figure {figure} is missing")
    check(result.returncode == (0 if all(c["holds"] for c in study["claims"]) else 3), f"{name}: exit {result.returncode}")
    # the table then goes to standard error, and fits a terminal
    table = [line for line in result.stderr.splitlines() if "\r" not in line and "\x1b" not in line]
    check(any("claims hold" in line or "claims FAILED" in line for line in table), f"{name}: no table on standard error")
    wide = [line for line in table if len(line) > 80 and not line.startswith("figure: ")]
    check(not wide, f"{name}: lines longer than 80: {wide[:3]}")
    return study


def maps_may_fail(claim):
    """Claims of maps-matter that fail, as docs/studies.md says: whatever networks do, and silos of #."""
    return "network" in claim["claim"] or claim["claim"].startswith("silo, #")


# ---- Heaps ----

def table(study, name):
    """The rows of one of its CSV files."""
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
