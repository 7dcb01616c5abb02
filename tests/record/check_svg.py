# SPDX-License-Identifier: MIT
"""Reads the drawing of one frame: transforms, lines and arcs by the letter of SVG. Areas come from Green's theorem over the arcs
themselves, so they are exact: those of discs must be π r² to rounding."""
import math
import os
import re
import sys
import xml.etree.ElementTree as xml

sys.path.insert(0, os.path.dirname(__file__))
from export_check import arguments, frames_of, near

SVG, LINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"


def area_of(path):
    """Signed area within a path of M, L, A (circular) and Z."""
    token = re.findall(r"[MLAZ]|[-+]?[\d.]+(?:e[-+]?\d+)?", path)
    at = start = (0, 0)
    area, i = 0, 0

    def line(p, q):
        return (p[0] * q[1] - p[1] * q[0]) / 2

    while i < len(token):
        command = token[i]
        n = {"M": 2, "L": 2, "A": 7, "Z": 0}[command]
        value = [float(t) for t in token[i + 1:i + 1 + n]]
        i += 1 + n
        to = tuple(value[-2:]) if n else start
        area += 0 if command == "M" else line(at, to)
        if command == "M":
            start = to
        if command == "A":
            r, large, left = value[0], value[3], value[4]
            assert value[0] == value[1]
            half = min(1, math.dist(at, to) / 2 / r)
            sweep = 2 * math.asin(half)
            sweep = 2 * math.pi - sweep if large else sweep
            area += (1 if left else -1) * r * r * (sweep - math.sin(sweep)) / 2
        at = to
    return area


def main():
    table, path, area = arguments()
    frame, = frames_of(table)
    root = xml.parse(path).getroot()
    box = [float(v) for v in root.get("viewBox").split()]
    assert root.get("width").endswith("mm") and near(float(root.get("width")[:-2]), box[2], 0, 1e-6)
    shape = {}
    for g in root.find(SVG + "defs"):
        shape["#" + g.get("id")] = sum(area_of(p.get("d")) for p in g.iter(SVG + "path"))
    assert len(shape) == len(area)
    for i, expected in enumerate(area):
        assert near(shape[f"#shape{i}"], expected * 1e6, 0, 1e-9), (i, shape[f"#shape{i}"], expected * 1e6)
    turned = root.find(SVG + "g")
    assert turned.get("transform") == "scale(1,-1)"
    group = {g.get("id"): g for g in turned}
    rows = [r for r in frame if r["present"]]
    uses = list(group["bodies"])
    assert len(uses) == len(rows)
    number = r"\s*([-+.\de]+)\s*"
    for r, use in zip(rows, uses):
        m = re.fullmatch(rf"translate\({number} {number}\) rotate\({number}\)(?: scale\({number}\))?", use.get("transform"))
        x, y, angle, scale = (float(v) if v else 1 for v in m.groups())
        assert near(x, 1000 * r["x_m"], 1, 1e-12) and near(y, 1000 * r["y_m"], 1, 1e-12) and scale == r["scale"]
        assert abs(math.remainder(math.radians(angle) - r["angle_rad"], 2 * math.pi)) < 1e-9
        assert use.get(LINK) == f"#shape{int(r['shape'])}"
        # in the picture, which is turned upside down
        s = 1000 * r["radius_m"] * (1 - 1e-9)
        assert box[0] <= x - s and x + s <= box[0] + box[2] and box[1] <= -y - s and -y + s <= box[1] + box[3]
    print(f"{len(uses)} grains agree")


main()
