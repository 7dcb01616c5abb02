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


def prefix(c, letter):
    assert c.data[:8] == b"\x89TS" + letter + b"\r\n\x1a\n"
    c.at = 8
    version, number, size = c.take("IIQ")
    c.checksum(0)
    assert version == 1
    return number, size


def read_trajectory(path):
    c = Cursor(path.read_bytes())
    flags, size = prefix(c, b"T")
    begin = c.at
    producer, title = c.text(), c.text()
    _hash, step, duration, interval, gx, gy = c.take("Q5d")
    materials, shapes, boundaries, bodies = c.take("4Q")
    assert (materials, shapes, boundaries, bodies) == (1, 2, 2, 3)
    assert title == "seed" and producer and step == 1e-4 and duration == 1 and interval == 0.01 and (gx, gy) == (0, -9.81)
    for _ in range(materials):
        c.text()
    shape = [(c.text(), [c.take("3d") for _ in range(c.take("Q"))]) for _ in range(shapes)]
    assert shape[0][0] == "pair" and [d[2] for d in shape[0][1]] == [0.05, 0.04] and shape[1][1] == [(0, 0, 0.05)]
    wall = [(c.text(), *c.take("II5d")) for _ in range(boundaries)]
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


def read_checkpoint(path, steps):
    c = Cursor(path.read_bytes())
    layout, size = prefix(c, b"C")
    begin = c.at
    assert layout == 10 * 65536 + 7
    serial, _fingerprint = c.take("Q"), c.take("10Q")
    assert serial == 0
    assert c.take("6Q") == (0,) * 6
    c.take("Qd7d4Q")
    c.take("12dQ")
    c.take("12dQ")
    c.take("3d")
    step, _time, _hash, bodies, pairs, walls = c.take("QdQ3Q")
    assert step == steps and bodies == 3
    body = [c.take("8d") for _ in range(bodies)]
    assert all(b[3] > 0 for b in body) and body[0][7] == 0
    assert math.isclose(body[2][7], 1 / (1000 * math.pi * 0.05 ** 2))
    for count, form in ((bodies, "3d"), (pairs, "d"), (walls, "d")):
        for _ in range(count):
            c.take(form)
    assert c.at - begin == size
    c.checksum(begin)
    assert c.at == len(c.data)


flags, frames, contacts, away = read_trajectory(CORPUS / "trajectory" / "frames.tst")
assert flags == 1 and frames == 3 and contacts > 0 and away == 0
flags, frames, contacts, away = read_trajectory(CORPUS / "trajectory" / "gates.tst")
assert flags == 3 and frames == 3 and away == 2
read_checkpoint(CORPUS / "checkpoint" / "start", 0)
read_checkpoint(CORPUS / "checkpoint" / "later", 40)
print("read as documented" + ("" if xxhash else "; checksums not verified: no module xxhash"))
