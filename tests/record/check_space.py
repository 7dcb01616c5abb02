# SPDX-License-Identifier: MIT
"""Reads the exports of a run in space by the letter of their formats, and compares them with the CSV of the same run.

    check_space.py CSV GLB PVD POINTS DUMP USDA SVG VOLUME …

CSV of bodies of all frames; POINTS: a .pvd of points; SVG: the last frame without a camera; VOLUME of each body.

Surfaces are closed where their volume by the divergence theorem does not depend on where the origin is; a body's volume is the
textbook's, and its surface lies where its pose says. The Khronos validator and VTK's own reader are asked where they are installed."""
import array
import importlib.util
import json
import math
import os
import re
import struct
import sys
import xml.etree.ElementTree as xml

sys.path.insert(0, os.path.dirname(__file__))
from export_check import frames_of, near


def turned(q, v):
    """v turned by the quaternion (x, y, z, w)."""
    x, y, z, w = q
    cross = lambda a, b: (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    t = [2 * c for c in cross((x, y, z), v)]
    u = cross((x, y, z), t)
    return [v[i] + w * t[i] + u[i] for i in range(3)]


def volume(points, triangles, origin=(0, 0, 0)):
    total = 0
    for t in triangles:
        a, b, c = ([p - o for p, o in zip(points[i], origin)] for i in t)
        total += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                  a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
    return total


def read_glb(path):
    data = open(path, "rb").read()
    magic, version, length, text, kind = struct.unpack("<4sIII4s", data[:20])
    assert (magic, version, length, kind) == (b"glTF", 2, len(data), b"JSON") and text % 4 == 0
    doc = json.loads(data[20:20 + text])
    size, kind = struct.unpack("<I4s", data[20 + text:28 + text])
    assert kind == b"BIN\0" and size == doc["buffers"][0]["byteLength"] and 28 + text + size == length
    body = memoryview(data)[28 + text:]

    def values(index):
        a = doc["accessors"][index]
        view = doc["bufferViews"][a["bufferView"]]
        n = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[a["type"]]
        assert a["byteOffset"] % 4 == 0 and view["byteOffset"] % 4 == 0
        assert a["byteOffset"] + 4 * n * a["count"] <= view["byteLength"]
        assert view["byteOffset"] + view["byteLength"] <= size
        flat = struct.unpack_from("<%d%s" % (n * a["count"], "I" if a["componentType"] == 5125 else "f"), body,
                                  view["byteOffset"] + a["byteOffset"])
        found = flat if n == 1 else [flat[i:i + n] for i in range(0, len(flat), n)]
        if "min" in a and n == 3:
            bounds = struct.unpack("<6f", struct.pack("<6f", *a["min"], *a["max"]))  # text of floats
            assert bounds[:3] == tuple(map(min, zip(*found))) and bounds[3:] == tuple(map(max, zip(*found)))
        return found

    return doc, values


def check_glb(path, frames, volumes):
    doc, values = read_glb(path)
    nodes, bodies = doc["nodes"], len(frames[0])
    # one root that turns z up into y up, with all others below it
    root = nodes[doc["scenes"][0]["nodes"][0]]
    assert len(doc["scenes"][0]["nodes"]) == 1
    up = turned(root["rotation"], (0, 0, 1))
    assert all(near(u, e, 1, 1e-6) for u, e in zip(up, (0, 1, 0))), up
    below = [c for g in root["children"] for c in nodes[g]["children"]]
    assert sorted(below) == list(range(len(nodes) - 1 - len(root["children"])))

    mesh_volume = {}
    for k, mesh in enumerate(doc["meshes"]):
        part = mesh["primitives"][0]
        p, n, t = values(part["attributes"]["POSITION"]), values(part["attributes"]["NORMAL"]), values(part["indices"])
        assert max(t) < len(p) and len(n) == len(p)
        assert all(near(math.hypot(*v), 1, 1, 1e-5) for v in n)
        triangles = list(zip(t[::3], t[1::3], t[2::3]))
        for a, b, c in triangles:
            u, v, w = p[a], p[b], p[c]
            cross = [(v[i - 2] - u[i - 2]) * (w[i - 1] - u[i - 1]) - (v[i - 1] - u[i - 1]) * (w[i - 2] - u[i - 2])
                     for i in range(3)]
            assert sum(x * y for x, y in zip(cross, n[a])) > 0, "a normal points inwards"
        glass = doc["materials"][part["material"]].get("alphaMode") == "BLEND"
        mesh_volume[k] = None if glass else volume(p, triangles)
        assert glass or near(volume(p, triangles, (0.3, -0.2, 0.1)), mesh_volume[k], 1e-4, 1e-3), "not closed"

    channels = {}
    for channel in doc["animations"][0]["channels"]:
        sampler, target = doc["animations"][0]["samplers"][channel["sampler"]], channel["target"]
        times = values(sampler["input"])
        assert times[0] == 0 and all(a < b for a, b in zip(times, times[1:])) and len(times) == len(frames)
        assert all(near(t, f[0]["time_s"], 1, 1e-6) for t, f in zip(times, frames))
        step = target["path"] == "scale" and not nodes[target["node"]]["name"].startswith("spring")
        assert sampler.get("interpolation", "LINEAR") == ("STEP" if step else "LINEAR")
        assert (target["node"], target["path"]) not in channels
        channels[target["node"], target["path"]] = values(sampler["output"])
    jumps = 0
    for i in range(bodies):
        s = nodes[i]["scale"]
        assert s[0] == s[1] == s[2] and near(mesh_volume[nodes[i]["mesh"]] * s[0] ** 3, volumes[i], 0, 0.04), i
        last = None
        assert ((i, "scale") in channels) == (not all(f[i]["present"] for f in frames))
        for k, frame in enumerate(frames):
            r, move, turn = frame[i], channels[i, "translation"][k], channels[i, "rotation"][k]
            assert all(near(m, r[c], 1, 1e-6) for m, c in zip(move, ("x_m", "y_m", "z_m"))), (move, r)
            true = [r["attitude_" + c] for c in "xyzw"]
            dot = sum(a * b for a, b in zip(turn, true))
            assert near(abs(dot), 1, 1, 1e-6), (turn, true)
            jumps += dot < 0
            assert last is None or sum(a * b for a, b in zip(turn, last)) >= 0, "a quaternion jumps"
            last = turn
            if (i, "scale") in channels:
                assert near(channels[i, "scale"][k][0], r["scale"] if r["present"] else 0, 0, 1e-6)
    for n, spring in enumerate(SPRINGS):
        i, = (i for i, node in enumerate(nodes) if node["name"] == "spring %d" % n)
        for k, frame in enumerate(frames):
            ends, scale = spring_ends(spring, frame), channels[i, "scale"][k]
            if not ends:
                assert scale == (0, 0, 0)
                continue
            # the tube is a metre long, along z about its middle
            half, middle = turned(channels[i, "rotation"][k], (0, 0, scale[2] / 2)), channels[i, "translation"][k]
            assert math.dist(ends[0], [m - h for m, h in zip(middle, half)]) < 1e-5 and 0 < scale[0] < scale[2], (n, k)
            assert math.dist(ends[1], [m + h for m, h in zip(middle, half)]) < 1e-5, (n, k)
    assert jumps > 0, "nothing turned far enough to try the hemispheres"
    validated(path)


def validated(path):
    spec = importlib.util.find_spec("check_glb")
    text = open(spec.origin).read()
    scope = {"os": os, "sys": sys}
    exec("import subprocess\n" + text[text.index("VALIDATE ="):text.index("def main")], scope)
    assert scope["validate"](path) is not False, "the validator complains"


def read_vtp(path):
    """Points, cells and data of a .vtp."""
    raw = open(path, "rb").read()
    begin = raw.index(b"<AppendedData")
    tree = xml.fromstring(re.sub(rb"<AppendedData.*", b"</VTKFile>", raw, flags=re.S))
    start = raw.index(b"_", begin) + 1
    kinds = {"Float32": "f", "Float64": "d", "Int32": "i", "Int64": "q", "UInt8": "B"}
    piece, found = tree.find("PolyData/Piece"), {}
    for a in piece.iter("DataArray"):
        at = start + int(a.get("offset"))
        size, = struct.unpack_from("<Q", raw, at)
        values = array.array(kinds[a.get("type")], raw[at + 8:at + 8 + size])
        n = int(a.get("NumberOfComponents", "1"))
        found[a.get("Name")] = values.tolist() if n == 1 else [tuple(values[i:i + n]) for i in range(0, len(values), n)]
    counts = {k: int(piece.get("NumberOf" + k)) for k in ("Points", "Polys", "Verts", "Lines")}
    assert len(found["Points"]) == counts["Points"]
    corners, ends = found["connectivity"], found["offsets"]
    found["cells"] = [corners[a:b] for a, b in zip([0] + ends, ends)]
    assert len(found["cells"]) == counts["Polys"] + counts["Verts"] + counts["Lines"] and (not ends or ends[-1] == len(corners))
    assert all(0 <= c < counts["Points"] for c in corners)
    return found


# of every frame: what sample_contact3 has
CONTACT = {"point": (1, 2, 3), "gap": -0.25, "normal": (0, 0.6, 0.8), "force": (0.5, -1, 2), "weight": 1,
           "key": 0x0123456789abcdef}


def like(found, expected):
    found = found if isinstance(found, (tuple, list)) else (found,)
    expected = expected if isinstance(expected, tuple) else (expected,)
    return len(found) == len(expected) and all(near(a, b, 1, 1e-6) for a, b in zip(found, expected))


def check_contact_points(path, frames):
    """The .vtp of points that --contacts adds."""
    sets = xml.parse(path).getroot().find("Collection").findall("DataSet")
    mine = [s for s in sets if s.get("name") == "contact points"]
    assert len(mine) == len(frames)
    for k, entry in enumerate(mine):
        file = os.path.join(os.path.dirname(path), entry.get("file"))
        assert b"<PointData>" in open(file, "rb").read()
        data = read_vtp(file)
        assert data["Points"] == [CONTACT["point"]] * 2 and data["cells"] == [[0], [1]] and data["a"] == [-1, 2]
        for name, expected in CONTACT.items():
            assert all(v == expected if name == "key" else like(v, expected) for v in data[name]), (name, data[name])
        if k == 0:
            vtk_reads(file)


def check_contact_lines(path, frames):
    """The lines of a glb, and when they are seen."""
    doc, _ = read_glb(path)
    data = open(path, "rb").read()
    size, = struct.unpack_from("<I", data, 12)
    body = data[28 + size:]

    def values(index):
        a = doc["accessors"][index]
        view = doc["bufferViews"][a["bufferView"]]
        n = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[a["type"]]
        kind, width = {5123: ("H", 2), 5126: ("f", 4)}[a["componentType"]]
        stride = view.get("byteStride", n * width)
        at = [a["byteOffset"] + stride * i for i in range(a["count"])]
        assert stride % 4 == 0 and a["byteOffset"] % 4 == 0 and at[-1] + n * width <= view["byteLength"]
        found = [struct.unpack_from("<%d%s" % (n, kind), body, view["byteOffset"] + o) for o in at]
        if "min" in a:
            bounds = struct.unpack("<%df" % (2 * n), struct.pack("<%df" % (2 * n), *a["min"], *a["max"]))
            assert bounds == tuple(map(min, zip(*found))) + tuple(map(max, zip(*found)))
        return found

    nodes = [i for i, n in enumerate(doc["nodes"]) if n["name"].startswith("contacts of frame")]
    group, = (n for n in doc["nodes"] if n["name"] == "contacts")
    assert len(nodes) == len(frames) and group["children"] == nodes
    for k, i in enumerate(nodes):
        part, = doc["meshes"][doc["nodes"][i]["mesh"]]["primitives"]
        assert part["mode"] == 1 and doc["nodes"][i]["scale"] == [k == 0] * 3
        got = {name: values(accessor) for name, accessor in part["attributes"].items()}
        assert all(len(v) == 4 for v in got.values())
        for end in (0, 2):
            from_, to = got["POSITION"][end:end + 2]
            assert like(from_, CONTACT["point"])
            way = [b - a for a, b in zip(from_, to)]
            assert all(abs(w - math.hypot(*way) * n) < 1e-6 for w, n in zip(way, CONTACT["normal"])) and any(way)
        for name in ("gap", "normal", "force", "weight"):
            assert all(like(v, CONTACT[name]) for v in got["_" + name.upper()]), name
        assert all(sum(w << 16 * n for n, w in enumerate(v)) == CONTACT["key"] for v in got["_KEY"])
    shown = {}
    for channel in doc["animations"][0]["channels"]:
        if channel["target"]["node"] in nodes:
            sampler = doc["animations"][0]["samplers"][channel["sampler"]]
            assert sampler["interpolation"] == "STEP" and channel["target"]["path"] == "scale"
            shown[channel["target"]["node"]] = list(zip(values(sampler["input"]), values(sampler["output"])))
    assert sorted(shown) == nodes
    for k, frame in enumerate(frames):  # at its time one frame's lines are seen, and no others
        seen = [i for i in nodes if [s for t, s in shown[i] if t[0] <= frame[0]["time_s"] * (1 + 1e-6)][-1][0] == 1]
        assert seen == [nodes[k]], (k, seen)
    validated(path)


def vtk_reads(path):
    try:
        from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
    except ImportError:
        return
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    assert reader.GetErrorCode() == 0 and reader.GetOutput().GetNumberOfPoints() == len(read_vtp(path)["Points"]), path


# as sample_space.h has them: bodies (None: the world), anchors, stiffness, rest, power of the stretch
SPRINGS = [(0, (0.01, 0, 0), 1, (0, 0.02, 0), 50, 0.1, 1), (None, (0, 0, 2), 2, (0, 0, 0.01), 900, 0.3, 3)]


def spring_ends(spring, frame):
    """Where its ends are by the table of bodies, None while one of them is away."""
    ends = []
    for body, p in (spring[:2], spring[2:4]):
        if body is None:
            ends.append(p)
            continue
        r = frame[body]
        if not r["present"]:
            return None
        w, u = r["attitude_w"], [r["attitude_" + c] for c in "xyz"]
        cross = lambda a, b: [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]
        t = [2 * c for c in cross(u, p)]
        ends.append(tuple(r[c] + p[i] + w * t[i] + cross(u, t)[i] for i, c in enumerate(("x_m", "y_m", "z_m"))))
    return ends


def check_springs(data, frame):
    rows = [(i, s, spring_ends(s, frame)) for i, s in enumerate(SPRINGS) if spring_ends(s, frame)]
    assert data["spring"] == [i for i, _, _ in rows] and len(data["cells"]) == len(rows) > 0
    for row, (_, spring, ends) in enumerate(rows):
        drawn = [data["Points"][i] for i in data["cells"][row]]
        assert all(math.dist(p, q) < 1e-12 for p, q in zip(drawn, ends)), (drawn, ends)
        x = math.dist(*ends) - spring[5]
        assert near(data["stretch"][row], x, 1, 1e-12) and near(data["pull"][row], spring[4] * x ** spring[6], 1, 1e-9)


def check_vtk(path, frames, volumes):
    sets = xml.parse(path).getroot().find("Collection").findall("DataSet")
    files = {name: [s for s in sets if s.get("name") == name] for name in ("bodies", "contacts", "walls", "springs")}
    assert all(len(f) == len(frames) for f in files.values()), {k: len(v) for k, v in files.items()}
    for k, frame in enumerate(frames):
        here = {n: read_vtp(os.path.join(os.path.dirname(path), f[k].get("file"))) for n, f in files.items()}
        assert float(files["bodies"][k].get("timestep")) == frame[0]["time_s"]
        b = here["bodies"]
        assert {int(i) for i in b["body"]} == {int(r["body"]) for r in frame if r["present"]}
        for r in frame:
            mine = [i for i, body in enumerate(b["body"]) if body == r["body"]]
            centre = (r["x_m"], r["y_m"], r["z_m"])
            for i in mine[:1]:
                assert near(b["speed"][i], math.hypot(*(r[c] for c in ("vx_m_per_s", "vy_m_per_s", "vz_m_per_s"))), 1, 1e-6)
                assert b["material"][i] == r["material"] and b["mass"][i] == r["mass_kg"] and b["radius"][i] == r["radius_m"]
                assert b["attitude"][i] == tuple(r["attitude_" + c] for c in "wxyz") and b["fixed"][i] == r["fixed"]
            if not mine:
                continue
            cells = [b["cells"][i] for i in mine]
            inside = volume(b["Points"], cells)
            assert near(inside, volumes[int(r["body"])], 0, 0.04), (r["body"], inside)
            assert near(volume(b["Points"], cells, centre), inside, 1e-3, 1e-9), "not closed"
            points = [b["Points"][i] for i in {i for c in cells for i in c}]
            assert all(math.dist(p, centre) <= r["radius_m"] * 1.6 for p in points)
        check_springs(here["springs"], frame)
        c = here["contacts"]
        assert c["a"] == [-1, 2] and near(c["normal_force"][0], 1.0, 1, 1e-6)  # (0.5, -1, 2) · (0, 0.6, 0.8)
        assert near(c["tangential_force"][0], math.sqrt(0.25 + 1 + 4 - 1), 1, 1e-6)
        # the room of 2 × 3 × 4 m about (0, 0, 2): each side is there, and as large as it is
        w = here["walls"]
        area = {}
        for wall, cell in zip(w["wall"], w["cells"]):
            p, q, s = (w["Points"][i] for i in cell)
            u, v = [b - a for a, b in zip(p, q)], [b - a for a, b in zip(p, s)]
            area[wall] = area.get(wall, 0) + 0.5 * math.hypot(*(u[i - 2] * v[i - 1] - u[i - 1] * v[i - 2] for i in range(3)))
        for wall, expected in zip(range(1, 7), (12, 12, 8, 8, 6, 6)):
            assert near(area[wall], expected, 0, 1e-9), area
        assert ((7 in area) == (not 0.0005 <= frame[0]["time_s"] < 0.0015)) and near(area[8], 0.4, 0, 1e-9), area  # 4 · 0.2 · 0.4 + 2 · 0.2 · 0.2
        if k == 0:
            vtk_reads(os.path.join(os.path.dirname(path), files["bodies"][k].get("file")))


def check_points(path, frames):
    for k, frame in enumerate(frames):
        data = read_vtp(path.replace(".pvd", "/" + os.path.basename(path).replace(".pvd", "_%04d.vtp" % k)))
        rows = [r for r in frame if r["present"]]
        assert data["Points"] == [(r["x_m"], r["y_m"], r["z_m"]) for r in rows] and len(data["cells"]) == len(rows)


def ball_radius(content):
    return (0.75 * content / math.pi) ** (1 / 3)


def check_dump(path, frames, volumes):
    """All columns of the dump, and the volume of each type's mesh times the cube of a particle's radius."""
    blocks = open(path).read().split("ITEM: TIMESTEP\n")[1:]
    assert len(blocks) == len(frames)
    for block, frame in zip(blocks, frames):
        lines = block.splitlines()
        rows = [r for r in frame if r["present"]]
        assert int(lines[0]) == rows[0]["step"] and int(lines[2]) == len(rows) and lines[3] == "ITEM: BOX BOUNDS ff ff ff"
        box = [[float(t) for t in line.split()] for line in lines[4:7]]
        names = lines[7].split()[2:]
        assert len(lines) == 8 + len(rows)
        for line, r in zip(lines[8:], rows):
            a = dict(zip(names, (float(t) for t in line.split())))
            assert a["id"] == r["body"] + 1 and a["type"] == r["shape"] + 1
            for name, column in (("x", "x_m"), ("y", "y_m"), ("z", "z_m"), ("radius", "radius_m"), ("mass", "mass_kg")):
                assert a[name] == r[column], (name, a[name])
            for name, column in zip(("vx", "vy", "vz", "omegax", "omegay", "omegaz", "quatw", "quati", "quatj", "quatk"),
                                    ("vx_m_per_s", "vy_m_per_s", "vz_m_per_s", "spin_x_rad_per_s", "spin_y_rad_per_s",
                                     "spin_z_rad_per_s", "attitude_w", "attitude_x", "attitude_y", "attitude_z")):
                assert near(a[name], r[column], 1, 1e-7), name
            for k, name in enumerate(("x", "y", "z")):
                assert box[k][0] <= a[name] - a["radius"] + 1e-12 and box[k][1] >= a[name] + a["radius"] - 1e-12
            sides = [a["shapex"], a["shapey"], a["shapez"]]
            assert math.prod(sides) >= 0.9 * volumes[int(r["body"])]
            if r["shape"] == 0:  # balls
                assert all(near(d, 2 * ball_radius(volumes[int(r["body"])]), 0, 0.01) for d in sides), sides
    for r in frames[0]:
        points, cells = [], []
        for line in open(path.replace(".lammpstrj", "_type%d.obj" % (r["shape"] + 1))):
            if line.startswith("v "):
                points.append(tuple(float(t) for t in line.split()[1:]))
            elif line.startswith("f "):
                cells.append([int(t.split("/")[0]) - 1 for t in line.split()[1:]])
        inside = volume(points, cells) * r["radius_m"] ** 3
        assert near(inside, volumes[int(r["body"])], 0, 0.04), (r["body"], inside)


def numbers(text):
    return [tuple(float(t) for t in item.split(",")) for item in re.findall(r"\(([^()]*)\)", text)]


def check_usd(path, frames, volumes):
    """Poses of all samples, and the volumes of the prototypes at each body's scale."""
    text = open(path).read()
    assert text.startswith("#usda 1.0") and 'upAxis = "Z"' in text and text.count("{") == text.count("}")
    bodies = text[text.index('PointInstancer "Bodies"'):text.index('PointInstancer "Walls"')]
    samples = {}
    for name in ("positions", "orientations", "velocities", "angularVelocities", "extent"):
        block = re.search(name + r"\.timeSamples = \{\n(.*?)\n        \}", bodies, re.S).group(1)
        samples[name] = [numbers(line.split(":", 1)[1]) for line in block.splitlines()]
        assert len(samples[name]) == len(frames)
    shapes = [int(t) for t in re.search(r"protoIndices = \[([^]]*)", bodies).group(1).split(",")]
    scales = numbers(re.search(r"scales = \[([^]]*)", bodies).group(1))
    for k, frame in enumerate(frames):
        for r in frame:
            i = int(r["body"])
            assert all(near(a, b, 1, 1e-7) for a, b in zip(samples["positions"][k][i], (r["x_m"], r["y_m"], r["z_m"])))
            assert all(near(a, b, 1, 1e-5) for a, b in zip(samples["orientations"][k][i], (
                r["attitude_w"], r["attitude_x"], r["attitude_y"], r["attitude_z"])))
            spin = (r["spin_x_rad_per_s"], r["spin_y_rad_per_s"], r["spin_z_rad_per_s"])
            assert all(near(a, math.degrees(b), 1, 1e-6) for a, b in zip(samples["angularVelocities"][k][i], spin))
            low, high = samples["extent"][k]
            if r["present"]:
                assert all(low[d] <= p - r["radius_m"] + 1e-6 and high[d] >= p + r["radius_m"] - 1e-6
                           for d, p in enumerate((r["x_m"], r["y_m"], r["z_m"])))
    for r in frames[0]:
        i = int(r["body"])
        mesh = bodies[bodies.index('def Mesh "shape_%d"' % shapes[i]):]
        points = numbers(re.search(r"point3f\[\] points = \[(.*?)\]", mesh).group(1))
        corner = [int(t) for t in re.search(r"faceVertexIndices = \[([^]]*)", mesh).group(1).split(",")]
        inside = volume(points, [corner[j:j + 3] for j in range(0, len(corner), 3)]) * math.prod(scales[i])
        assert shapes[i] == r["shape"] and near(inside, volumes[i], 0, 0.04), (i, inside)


def check_svg(path, frames, volumes):
    """Parallel projection: the outline of a ball has the area of its disc, and every outline lies in the picture."""
    root = xml.parse(path).getroot()
    left, top, width, height = (float(t) for t in root.get("viewBox").split())
    space = "{http://www.w3.org/2000/svg}"
    bodies = [g for g in root.iter(space + "g") if g.get("id") == "bodies"][0]
    areas = []
    for shape in bodies.iter(space + "path"):
        p = [tuple(float(t) for t in xy.split()) for xy in re.findall(r"[ML]([^MLZ]*)", shape.get("d"))]
        assert all(left <= x <= left + width and top <= -y <= top + height for x, y in p)
        areas.append(sum(p[k - 1][0] * q[1] - p[k - 1][1] * q[0] for k, q in enumerate(p)) / 2)
    rows = [r for r in frames[-1] if r["present"]]
    assert len(areas) >= len(rows) and all(a > 0 for a in areas)
    for r in rows:
        if r["shape"] == 0:
            expected = 24 * math.sin(math.pi / 24) * (1000 * ball_radius(volumes[int(r["body"])])) ** 2  # of 48 corners
            assert any(near(a, expected, 0, 1e-4) for a in areas), (expected, areas)


table, glb, pvd, points, dump, usd, svg = sys.argv[1:8]
volumes = [float(v) for v in sys.argv[8:]]
frames = frames_of(table)
check_glb(glb, frames, volumes)
check_vtk(pvd, frames, volumes)
check_points(points, frames)
check_contact_points("touch.pvd", frames)
check_contact_lines("touch.glb", frames)
check_dump(dump, frames, volumes)
check_usd(usd, frames, volumes)
check_svg(svg, frames, volumes)
print(f"{len(frames)} frames of {len(frames[0])} bodies agree")
