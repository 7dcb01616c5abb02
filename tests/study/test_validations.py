# SPDX-License-Identifier: MIT
"""The three validations of the CEM paper. From outside: critical frictions are found here by asking whether any forces within the
friction cones of the corners that touch balance the weight, and accelerations by Newton's law."""
import itertools
import math
import os
import sys

sys.dont_write_bytecode = True
from judging import check, check_study, problems  # noqa: E402

# Half a minute of processor time: only when it is asked for. The statics has a test of its own (test_validation.c).
if os.environ.get("TS_SANITIZE") or not os.environ.get("TOUCHSTONE_SLOW_TESTS"):
    print("skipped: it takes a while; set TOUCHSTONE_SLOW_TESTS=1 to run it")
    sys.exit(77)


def determinant(a, b, c):
    return (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
            + a[2] * (b[0] * c[1] - b[1] * c[0]))


def wrench(point, force):
    return force[0], force[1], point[0] * force[1] - point[1] * force[0]


def holds(length, thickness, angle, friction, wall_friction):
    """A box turned by `angle` from upright, pushed into the corner of a floor and a wall on its left."""
    s, c = math.sin(angle), math.cos(angle)
    corner = [(c * x - s * y, s * x + c * y) for x in (-thickness / 2, thickness / 2) for y in (-length / 2, length / 2)]
    left, low = min(p[0] for p in corner), min(p[1] for p in corner)
    edges = []
    for x, y in corner:
        for side in -1, 1:
            if y - low < 1e-12:
                edges.append(wrench((x, y), (side * friction, 1)))
            if x - left < 1e-12:
                edges.append(wrench((x, y), (1, side * wall_friction)))
    up = wrench((0, 0), (0, 1))
    for a, b, c in itertools.combinations(edges, 3):
        whole = determinant(a, b, c)
        if whole != 0 and min(determinant(up, b, c) / whole, determinant(a, up, c) / whole, determinant(a, b, up) / whole) > -1e-12:
            return True
    return False


def critical(length, thickness, angle, wall):
    low, high = 0.0, 4.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(length, thickness, angle, middle, middle if wall else 0) else (middle, high)
    return high


def check_critical(study, part, expected, tolerance):
    found = [c for c in study["claims"] if "by bisection" in c["claim"] and part in c["claim"]]
    check(len(found) == 2, f"{study['study']}, {part}: {len(found)} bisections")
    for claim in found:
        check(abs(claim["measured"] / expected - 1) <= tolerance, f"{expected} is expected: {claim}")
        check(claim["tolerance"] <= tolerance, f"a tolerance above {tolerance}: {claim}")


leaning = check_study("leaning-block")
if leaning:
    check_critical(leaning, "from wall", critical(2, 0.4, 0.6, True), 0.02)
    check_critical(leaning, "from floor", critical(2, 0.1, math.pi / 2 - 0.6, True), 0.02)
triangle = check_study("triangle")
if triangle:
    check_critical(triangle, "", critical(2, 0.05, math.radians(15), False), 0.02)
    standing = [c for c in triangle["claims"] if "stands" in c["claim"]]
    check(len(standing) == 4 and all(c["measured"] >= 10 for c in standing), f"they stand for 10 s: {standing}")
slope = check_study("inclined-plane")
if slope:
    check_critical(slope, "", math.tan(math.radians(16)), 0.005)
    for claim in slope["claims"]:
        if "acceleration" in claim["claim"]:
            mu = float(claim["claim"].split("μ = ")[1].split(":")[0])
            newton = 9.81 * (math.sin(math.radians(16)) - mu * math.cos(math.radians(16)))
            check(abs(claim["measured"] / newton - 1) <= 0.02, f"{newton} is expected: {claim}")

print("\n".join(problems) or "the validations hold")
sys.exit(1 if problems else 0)
