# SPDX-License-Identifier: MIT
"""Common to the checks of exports: the same run as CSV, and areas of meshes per shape.

    check_X.py CSV FILE AREA …      CSV of bodies of the exported frames; AREA of each shape's mesh at scale 1, in its order
"""
import csv
import math
import sys


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def frames_of(path):
    """Rows of each frame, as lists of dictionaries of numbers."""
    frames = {}
    for row in csv.DictReader(open(path)):
        item = {}
        for key, text in row.items():
            try:
                item[key] = float(text)
            except ValueError:
                item[key] = text
        frames.setdefault(int(item["frame"]), []).append(item)
    assert frames, f"{path} has no rows"
    return [frames[k] for k in sorted(frames)]


def near(a, b, scale=1.0, tolerance=1e-9):
    return math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance * scale)


def arguments():
    return sys.argv[1], sys.argv[2], [float(a) for a in sys.argv[3:]]
