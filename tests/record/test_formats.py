# SPDX-License-Identifier: MIT
"""Reads a trajectory and a checkpoint by docs/formats.md alone: a second reader, so that the page cannot drift from the code.

The files are the seeds of the fuzz targets (tests/fuzz/record_scene.h). Checksums are verified where the module xxhash is
installed.
"""
import math
import os
import pathlib
import struct

try:
    import xxhash
except ImportError:
    xxhash = None

CORPUS = pathlib.Path(os.environ["SOURCE_DIR"]) / "tests" / "fuzz" / "corpus"


class Cursor:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        value = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return value if len(value) > 1 else value[0]

    def text(self):
        length = self.take("I")
        self.at += length
        return self.data[self.at - length:self.at].decode()

    def checksum(self, begin):
        end = self.at
        found = self.take("Q")
        if xxhash:
            assert found == xxhash.xxh3_64_intdigest(self.data[begin:end]), "wrong checksum"


    def curves(self):
        found = []
        for _ in range(self.take("Q")):
            count, is_open = self.take("QI")
            found.append((is_open, [self.take("3d") for _ in range(count)]))
        return found


def prefix(c, letter, expected):
    assert c.data[:8] == b"\x89TS" + letter + b"\r\n\x1a\n"
    c.at = 8
    version, number, size = c.take("IIQ")
    c.checksum(0)
    assert version == expected
    return number, size


def read_shapes(c, count, version):
    found = []
    for _ in range(count):
        name, discs = c.text(), [c.take("3d") for _ in range(c.take("Q"))]
        found.append((name, discs, *(c.take("2d") if version > 1 else (0, 0)), c.curves() if version > 1 else []))
    return found


def read_walls(c, count, version):
    return [(c.text(), *c.take("II5d"), c.curves() if version > 1 else []) for _ in range(count)]


def read_trajectory(path, version=2):
    c = Cursor(path.read_bytes())
    flags, size = prefix(c, b"T", version)
    begin = c.at
    producer, title = c.text(), c.text()
    _hash, step, duration, interval, gx, gy = c.take("Q5d")
    materials, shapes, boundaries, bodies = c.take("4Q")
    assert (materials, shapes, boundaries, bodies) == (1, 2, 2, 3)
    assert title == "seed" and producer and step == 1e-4 and duration == 1 and interval == 0.01 and (gx, gy) == (0, -9.81)
    for _ in range(materials):
        c.text()
    shape = read_shapes(c, shapes, version)
    assert all(not s[4] for s in shape) and (version == 1 or math.isclose(shape[1][2], math.pi * 0.05 ** 2))
    assert version == 1 or math.isclose(shape[1][3], math.pi / 2 * 0.05 ** 4)
    assert shape[0][0] == "pair" and [d[2] for d in shape[0][1]] == [0.05, 0.04] and shape[1][1] == [(0, 0, 0.05)]
    wall = read_walls(c, boundaries, version)
    assert wall[0][1] == 1 and wall[0][5:7] == (0, 1) and wall[1][:2] == ("drum", 2) and wall[1][3:5] == (0, 0.5)
    body = [c.take("II3dI") for _ in range(bodies)]
    assert [b[0] for b in body] == [1, 0, 1] and [b[5] for b in body] == [1, 0, 0] and body[2][2:4] == (1, 0.05)
    assert math.isclose(body[2][4], 1000 * math.pi * 0.05 ** 2)
    assert c.at - begin == size
    c.checksum(begin)

    frames, contacts, away = 0, 0, 0
    while c.at < len(c.data):
        begin = c.at
        assert c.data[begin:begin + 4] == b"FRAM"
        _, kind, payload, number, time = c.take("IIQQd")
        c.checksum(begin)
        assert kind == 1 and number == 10 * frames and time == number * 1e-4
        inside = c.at
        count = c.take("Q")
        if version > 1:
            elastic, work, *lost = c.take("5d")
            assert elastic >= 0 and work == 0 and all(loss >= 0 for loss in lost)
        for _ in range(boundaries):
            assert c.take("3dB")[2:] == (0, 1)
        for i in range(bodies):
            x, y, _angle, _vx, vy, _spin = c.take("3d3f")
            if frames == 0:
                assert (x, y, vy) == (0.02 * i, 0.05 + 0.101 * i, -1 if i else 0)
            present = c.take("B") if flags & 2 else 1
            away += not present
            assert present or (i == 0 and time >= 0.001)
        for _ in range(count):
            a, b, _key, px, py, gap, nx, ny, *_rest = c.take("qqQ2d7f")
            assert -boundaries <= a < bodies and 0 <= b < bodies and abs(px) < 1 and 0 <= py < 1
            assert gap < 0 and math.isclose(nx * nx + ny * ny, 1, rel_tol=1e-6)
        assert c.at - inside == payload
        c.checksum(begin)
        frames += 1
        contacts += count
    return flags, frames, contacts, away


def read_outlines(path):
    """A ring, a frame of three contours and a disc, above a line of one straight and one bent piece."""
    c = Cursor(path.read_bytes())
    _flags, size = prefix(c, b"T", 2)
    begin = c.at
    c.text(), c.text(), c.take("Q5d")
    materials, shapes, boundaries, bodies = c.take("4Q")
    assert (materials, shapes, boundaries, bodies) == (1, 3, 1, 3)
    c.text()
    shape = read_shapes(c, shapes, 2)
    assert [s[0] for s in shape] == ["ring", "frame", ""] and [len(s[4]) for s in shape] == [2, 3, 0]
    assert math.isclose(shape[0][2], math.pi * (4 - 2.25)) and math.isclose(shape[0][3], math.pi / 2 * (16 - 1.5 ** 4))
    assert all(len(s[1]) == 1 and s[1][0][:2] == (0, 0) for s in shape) and math.isclose(shape[0][1][0][2], 2)
    # a rectangle with a circular segment over its right side, a triangle less, half a disc more
    r = 3 * (1 + 0.25) / (4 * 0.5)
    sweep = 4 * math.atan(0.5)
    segment = r * r / 2 * (sweep - math.sin(sweep))
    assert math.isclose(shape[1][2], 12 + segment - 1 + math.pi / 4)
    assert sorted(len(points) for _, points in shape[1][4]) == [2, 3, 4] and not any(o for o, _ in shape[1][4])
    wall = read_walls(c, boundaries, 2)[0]
    assert wall[:2] == ("line", 3) and len(wall[8]) == 1
    is_open, points = wall[8][0]
    assert is_open == 1 and [(x + wall[3], y + wall[4]) for x, y, _ in points] == [(-9, -9), (0, -9), (9, -8)]
    assert points[1][2] == 0.2
    for _ in range(bodies):
        c.take("II3dI")
    assert c.at - begin == size
    c.checksum(begin)


def read_space(path):
    """The run of tests/record/sample_space.h."""
    c = Cursor(path.read_bytes())
    flags, size = prefix(c, b"T", 3)
    assert flags == 7
    begin = c.at
    assert c.text() and c.text() == "a film"
    _hash, step, *_times = c.take("Q3d")
    assert step == 5e-4 and c.take("3d") == (0.1, 0, -9.81) and c.take("10d") == (3, -4, 2, 0, 0, 1, 0, 0, 1, 0.6)
    materials, shapes, hulls, meshes, forms, walls, bodies = c.take("7Q")
    assert (materials, shapes, hulls, meshes, forms, walls, bodies) == (2, 7, 1, 1, 8, 9, 9)
    assert [c.text() for _ in range(materials)] == ["", "rubber"]
    assert [c.text() for _ in range(shapes)] == ["ball", "box", "capsule", "can", "tetra", "mesh", ""]
    for _ in range(hulls):
        vertices, faces, corners = c.take("3Q")
        point = [c.take("3d") for _ in range(vertices)]
        sizes = [c.take("I") for _ in range(faces)]
        assert sizes == [3] * 4 and sum(sizes) == corners and point[0] == (0.03, 0.03, 0.03)
        assert sorted({c.take("I") for _ in range(corners)}) == [0, 1, 2, 3]
    for _ in range(meshes):
        vertices, triangles = c.take("2Q")
        assert all(math.isclose(math.hypot(*c.take("3d")), 1.5 * 0.03 * math.sqrt(3)) for _ in range(vertices))
        assert all(i < vertices for _ in range(triangles) for i in c.take("3I"))

    def pieces():
        found = []
        for _ in range(c.take("Q")):
            kind, made, radius, half_length, *rest = c.take("2I12d")
            assert math.isclose(sum(q * q for q in rest[6:]), 1) and (made == 0) == (kind in (6, 7))
            found.append((kind, radius, half_length, rest[:3]))
        return found

    kinds = []
    for _ in range(forms):
        _shape, scale, radius, volume, *inertia = c.take("I9d")
        assert math.isclose(radius, 0.08 * scale) and math.isclose(volume, 1e-4 * scale ** 3) and inertia[0] > 0
        kinds.append([p[0] for p in pieces()])
    assert kinds == [[0], [0], [2], [3], [4], [6], [7], [0, 2]]
    names = []
    for _ in range(walls):
        name = c.text()
        source, _material, *_pose = c.take("2I7d")
        names.append((name, source, pieces()[0][0]))
    assert names[0] == ("floor", 0, 1) and names[6] == ('room, "large"', 1, 1) and names[7] == ("", 2, 5)
    made = [c.take("2I2dI") for _ in range(bodies)]
    assert [b[0] for b in made] == [0, 1, 2, 3, 4, 5, 6, 7, 2] and [b[4] for b in made] == [0] * 8 + [1]
    assert c.at - begin == size
    c.checksum(begin)
    for frame in range(3):
        begin = c.at
        assert c.data[begin:begin + 4] == b"FRAM"
        _, kind, payload, number, time = c.take("IIQQd")
        c.checksum(begin)
        inside = c.at
        count, elastic, *_losses = c.take("Q5d")
        assert kind == 1 and number == frame and time == frame * step and elastic > 0 and count == 2
        present = [c.take("7dB")[7] for _ in range(walls)]
        assert present == [1] * 7 + [int(frame == 0), 1]
        for i in range(bodies):
            *_position, w, x, y, z, vx, _vy, _vz, _wx, _wy, _wz, there = c.take("7d6fB")
            assert math.isclose(w * w + x * x + y * y + z * z, 1) and math.isclose(vx, 0.3 * (i + 1), rel_tol=1e-6)
            assert there == (not (i == 3 and frame == 2))
        for a in (-1, 2):
            contact = c.take("qqQ3d7f")
            assert contact[0] == a and contact[3:7] == (1, 2, 3, -0.25) and contact[10:] == (0.5, -1, 2)
        assert c.at - inside == payload
        c.checksum(begin)
    assert c.at == len(c.data)


def read_checkpoint(path, steps):
    c = Cursor(path.read_bytes())
    layout, size = prefix(c, b"C", 4)
    begin = c.at
    assert layout == 10 * 65536 + 7
    serial, _fingerprint = c.take("Q"), c.take("10Q")
    assert serial == 0
    assert c.take("6Q") == (0,) * 6
    c.take("Qd7d4Q")
    c.take("19dQ")
    c.take("19dQ")
    c.take("3d")
    step, _time, _skin, _hash, work, *lost, bodies, pairs, walls, past, bodies3, past3, _past_time = c.take("Q2dQ4d6Qd")
    assert bodies3 == past3 == 0
    assert work == 0 and all(loss >= 0 for loss in lost)
    assert step == steps and bodies == 3 and past == 0
    body = [c.take("8d") for _ in range(bodies)]
    assert all(b[3] > 0 for b in body) and body[0][7] == 0
    assert math.isclose(body[2][7], 1 / (1000 * math.pi * 0.05 ** 2))
    for count, form in ((bodies, "3d"), (pairs, "d"), (walls, "d"), (past, "3d")):
        for _ in range(count):
            c.take(form)
    assert c.at - begin == size
    c.checksum(begin)
    assert c.at == len(c.data)


flags, frames, contacts, away = read_trajectory(CORPUS / "trajectory" / "frames.tst")
assert flags == 1 and frames == 3 and contacts > 0 and away == 0
flags, frames, contacts, away = read_trajectory(CORPUS / "trajectory" / "gates.tst")
assert flags == 3 and frames == 3 and away == 2
flags, frames, contacts, away = read_trajectory(CORPUS / "trajectory" / "version-1.tst", 1)
assert flags == 1 and frames == 3 and contacts > 0
read_outlines(CORPUS / "trajectory" / "outlines.tst")
read_space(CORPUS / "trajectory" / "space.tst")
read_checkpoint(CORPUS / "checkpoint" / "start", 0)
read_checkpoint(CORPUS / "checkpoint" / "later", 40)
print("read as documented" + ("" if xxhash else "; checksums not verified: no module xxhash"))
