# SPDX-License-Identifier: MIT
"""Reads a .usda with a parser of its own for the part of the language that such files need (tokens, prims, attributes, arrays, time
samples, relationships, metadata), checks what the schemas of PointInstancer, Mesh and BasisCurves demand, and compares with the CSV
of the same run."""
import math
import os
import re
import sys

sys.path.insert(0, os.path.dirname(__file__))
from export_check import arguments, frames_of, near

TOKEN = re.compile(r'\s*(?:#[^\n]*)?(?:(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|(?P<text>"(?:[^"\\\n]|\\.)*")|'
                   r'(?P<path><[^>\n]*>)|(?P<word>[A-Za-z_][A-Za-z0-9_:.]*(?:\[\])?)|(?P<mark>[()\[\]{}=:,]))')
TYPES = {"int": 0, "int64": 0, "float": 0, "double": 0, "bool": 0, "token": 0, "string": 0, "float3": 3, "point3f": 3,
         "vector3f": 3, "normal3f": 3, "color3f": 3, "quath": 4, "quatf": 4}


class Parser:
    def __init__(self, text):
        assert text.startswith("#usda 1.0\n"), "no header"
        self.text, self.at, self.ahead = text, len("#usda 1.0\n"), None

    def peek(self):
        if self.ahead is None:
            blank = re.compile(r"(?:\s|#[^\n]*)*").match(self.text, self.at)
            if blank.end() == len(self.text):
                return "end", ""
            m = TOKEN.match(self.text, blank.end())
            assert m, f"cannot read {self.text[blank.end():blank.end() + 40]!r}"
            self.ahead, self.at = (m.lastgroup, m.group(m.lastgroup)), m.end()
        return self.ahead

    def take(self, value=None, kind=None):
        token = self.peek()
        assert (value is None or token[1] == value) and (kind is None or token[0] == kind), (token, value, kind)
        self.ahead = None
        return token[1]

    def is_next(self, value):
        return self.peek()[1] == value and self.peek()[0] in ("mark", "word")

    def metadata(self):
        found = {}
        if self.is_next("("):
            self.take()
            while not self.is_next(")"):
                name = self.take(kind="word")
                self.take("=")
                found[name] = self.value()
            self.take(")")
        return found

    def sequence(self, end):
        items = []
        while not self.is_next(end):
            items.append(self.value())
            if not self.is_next(end):
                self.take(",")
        self.take(end)
        return items

    def value(self):
        kind, text = self.peek()
        if kind == "number":
            return float(self.take())
        if kind == "text":
            return self.take()[1:-1]
        if kind == "path":
            return self.take()[1:-1]
        if text == "(":
            self.take()
            return tuple(self.sequence(")"))
        self.take("[")
        return self.sequence("]")

    def samples(self):
        found = {}
        self.take("{")
        while not self.is_next("}"):
            time = float(self.take(kind="number"))
            self.take(":")
            assert time not in found
            found[time] = self.value()
            if not self.is_next("}"):
                self.take(",")
        self.take("}")
        assert list(found) == sorted(found), "times are out of order"
        return found

    @staticmethod
    def check_type(name, value):
        array, base = name.endswith("[]"), name.removesuffix("[]")
        assert base in TYPES, f"unknown type {name}"
        assert isinstance(value, list) == array, (name, value)
        for item in value if array else [value]:
            n = TYPES[base]
            assert (isinstance(item, tuple) and len(item) == n) if n else not isinstance(item, tuple), (name, item)
            assert not base.startswith("int") or item == int(item)

    def prim(self):
        self.take("def")
        made = {"prim": self.take(kind="word"), "prim name": self.take(kind="text")[1:-1], "child": {}}
        assert re.fullmatch(r"[A-Za-z_]\w*", made["prim name"])
        made["metadata"] = self.metadata()
        self.take("{")
        while not self.is_next("}"):
            if self.is_next("def"):
                child = self.prim()
                assert child["prim name"] not in made["child"]
                made["child"][child["prim name"]] = child
                continue
            kind = self.take(kind="word")
            if kind == "uniform":
                kind = self.take(kind="word")
            name = self.take(kind="word")
            assert name not in made, f"{name} twice"
            self.take("=")
            if kind == "rel":
                made[name] = self.value()
            elif name.endswith(".timeSamples"):
                made[name] = self.samples()
                for value in made[name].values():
                    self.check_type(kind, value)
            else:
                made[name] = self.value()
                self.check_type(kind, made[name])
            self.metadata()
        self.take("}")
        return made

    def stage(self):
        made = {"metadata": self.metadata(), "child": {}}
        while self.peek()[0] != "end":
            child = self.prim()
            made["child"][child["prim name"]] = child
        return made


def find(stage, path):
    at = stage
    for name in path.strip("/").split("/"):
        at = at["child"][name]
    return at


def check_instancer(stage, it, frames):
    n = len(it["protoIndices"])
    protos = [find(stage, path) for path in it["prototypes"]]
    assert all(0 <= i < len(protos) for i in it["protoIndices"]) and len(set(it["ids"])) == n == len(it["ids"])
    assert len(it.get("scales", [0] * n)) == n
    for name in ("positions", "orientations", "velocities", "angularVelocities"):
        if name + ".timeSamples" in it:
            samples = it[name + ".timeSamples"]
            assert len(samples) == frames and all(len(v) == n for v in samples.values()), name
    for away in it.get("invisibleIds.timeSamples", {}).values():
        assert set(away) <= set(it["ids"])
    check_extent(it, protos)
    return protos


def check_extent(it, protos):
    """What is visible lies within the extent, and fills it to the bounding circles (by which grains turn) of what it is made of."""
    extent, away = it["extent.timeSamples"], it.get("invisibleIds.timeSamples", {})
    assert list(extent) == list(it["positions.timeSamples"]), "an extent is missing"
    for time, (low, high) in extent.items():
        inner, outer = [[math.inf] * 3, [-math.inf] * 3], [[math.inf] * 3, [-math.inf] * 3]
        for i, (p, q) in enumerate(zip(it["positions.timeSamples"][time], it["orientations.timeSamples"][time])):
            if it["ids"][i] in away.get(time, []):
                continue
            scale, proto = it["scales"][i][0] if "scales" in it else 1, protos[int(it["protoIndices"][i])]
            angle, wide = 2 * math.atan2(q[3], q[0]), proto.get("widths", [0])[0] / 2
            c, s = scale * math.cos(angle), scale * math.sin(angle)
            reach = max(math.hypot(x, y) for x, y, z in proto["points"])
            for x, y, z in proto["points"]:
                at = (p[0] + c * x - s * y, p[1] + s * x + c * y, z)
                for k in range(3):
                    inner[0][k], inner[1][k] = min(inner[0][k], at[k] - wide), max(inner[1][k], at[k] + wide)
            for k in range(3):
                r = 1.5 * (scale * reach + wide) if k < 2 else max(abs(z) for x, y, z in proto["points"]) + wide
                outer[0][k], outer[1][k] = min(outer[0][k], p[k] - r), max(outer[1][k], p[k] + r)
        slack = 1e-5 * max(math.dist(low, high), 1e-30)
        for k in range(3):
            assert low[k] <= inner[0][k] + slack and inner[1][k] - slack <= high[k], (time, k, low, high, inner)
            assert outer[0][k] - slack <= low[k] and high[k] <= outer[1][k] + slack, (time, k, low, high, outer)


def check_mesh(mesh, expected):
    points, count, index = mesh["points"], mesh["faceVertexCounts"], mesh["faceVertexIndices"]
    assert sum(count) == len(index) and all(0 <= i < len(points) for i in index)
    assert len(mesh["normals"]) == len(points) and mesh["subdivisionScheme"] == "none"
    low, high = mesh["extent"]
    for k in range(3):
        assert low[k] == min(p[k] for p in points) and high[k] == max(p[k] for p in points)
    depth = high[2] - low[2]
    area = volume = 0
    for i in range(0, len(index), 3):
        u, v, w = (points[int(k)] for k in index[i:i + 3])
        cross = [(v[j - 2] - u[j - 2]) * (w[j - 1] - u[j - 1]) - (v[j - 1] - u[j - 1]) * (w[j - 2] - u[j - 2]) for j in range(3)]
        area += max(cross[2], 0) / 2
        volume += sum(a * b for a, b in zip(u, cross)) / 6
    assert near(area, expected, 0, 0.01) and near(volume, area * depth, 0, 1e-5), (area, expected, volume, depth)


def main():
    table, path, area = arguments()
    frames = frames_of(table)
    stage = Parser(open(path).read()).stage()
    about = stage["metadata"]
    assert about["upAxis"] == "Y" and about["metersPerUnit"] == 1 and about["defaultPrim"] in stage["child"]
    rate = about["timeCodesPerSecond"]
    grains = find(stage, "/World/Bodies")
    for proto, expected in zip(check_instancer(stage, grains, len(frames)), area):
        check_mesh(proto, expected)
    walls = stage["child"]["World"]["child"].get("Walls")
    for curve in check_instancer(stage, walls, len(frames)) if walls else []:
        assert sum(curve["curveVertexCounts"]) == len(curve["points"]) and min(curve["curveVertexCounts"]) >= 2
        low, high = curve["extent"]
        for k in range(3):
            r = curve["widths"][0] / 2
            assert near(low[k], min(p[k] for p in curve["points"]) - r, r, 1e-3), (k, low, high)
            assert near(high[k], max(p[k] for p in curve["points"]) + r, r, 1e-3), (k, low, high)
    times = list(grains["positions.timeSamples"])
    assert (about["startTimeCode"], about["endTimeCode"]) == (times[0], times[-1])
    away = grains.get("invisibleIds.timeSamples", {})
    for frame, time in zip(frames, times):
        assert near(time / rate, frame[0]["time_s"], 1e-3), (time, rate, frame[0])
        assert sorted(away.get(time, [])) == [r["body"] for r in frame if not r["present"]]
        for i, r in enumerate(frame):
            p, q = grains["positions.timeSamples"][time][i], grains["orientations.timeSamples"][time][i]
            v, w = grains["velocities.timeSamples"][time][i], grains["angularVelocities.timeSamples"][time][i]
            assert near(p[0], r["x_m"], 1, 1e-6) and near(p[1], r["y_m"], 1, 1e-6) and p[2] == 0
            angle = 2 * math.atan2(q[3], q[0]) - r["angle_rad"]
            assert abs(math.remainder(angle, 2 * math.pi)) < 1e-5 and q[1] == q[2] == 0, (q, r)
            assert near(v[0], r["vx_m_per_s"], 1, 1e-6) and near(v[1], r["vy_m_per_s"], 1, 1e-6)
            assert near(math.radians(w[2]), r["spin_rad_per_s"], 1, 1e-6)
            assert near(grains["scales"][i][0], r["scale"], 0, 1e-6) and grains["protoIndices"][i] == r["shape"]
    print(f"{len(frames)} frames of {len(frames[0])} bodies agree")


main()
