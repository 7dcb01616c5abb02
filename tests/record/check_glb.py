# SPDX-License-Identifier: MIT
"""Reads a .glb by the letter of the specification and compares it with the CSV of the same run; then asks the Khronos validator,
when it is found (npm's gltf-validator, in $GLTF_VALIDATOR/node_modules, or installed for all), for its opinion.

The volume inside of each mesh, by the divergence theorem, must be its area times the depth: a hole anywhere would show."""
import json
import math
import os
import struct
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
from export_check import arguments, frames_of, near

VALIDATE = """
const validator = require('gltf-validator'), fs = require('fs');
validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[1])), {maxIssues: 20}).then(report => {
    const i = report.issues;
    console.log(JSON.stringify(i.messages.slice(0, 5)));
    console.log(`validator: ${i.numErrors} errors, ${i.numWarnings} warnings, ${i.numInfos} infos, ${i.numHints} hints`);
    process.exit(i.numErrors + i.numWarnings > 0 ? 1 : 0);
}, error => { console.log(String(error)); process.exit(1); });
"""


def validate(path):
    """None when there is no validator."""
    places = [os.environ.get("GLTF_VALIDATOR", ""), "/usr/lib", "/usr/local/lib", "/usr/share"]
    for place in places:
        folder = place if place.endswith("node_modules") else os.path.join(place, "node_modules")
        if place and os.path.isdir(os.path.join(folder, "gltf-validator")):
            done = subprocess.run(["node", "-e", VALIDATE, path], env={**os.environ, "NODE_PATH": folder},
                                  capture_output=True, text=True)
            print(done.stdout + done.stderr)
            return done.returncode == 0
    return None


def main():
    table, path, area = arguments()
    frames = frames_of(table)
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
        begin = view["byteOffset"] + a["byteOffset"]
        assert a["byteOffset"] + 4 * n * a["count"] <= view["byteLength"]
        flat = struct.unpack_from("<%d%s" % (n * a["count"], "I" if a["componentType"] == 5125 else "f"), body, begin)
        return flat if n == 1 else [flat[i:i + n] for i in range(0, len(flat), n)]

    for shape, expected in enumerate(area):
        part = doc["meshes"][shape]["primitives"][0]
        p, n, t = values(part["attributes"]["POSITION"]), values(part["attributes"]["NORMAL"]), values(part["indices"])
        depth = max(q[2] for q in p) - min(q[2] for q in p)
        volume = front = 0
        for a, b, c in zip(t[::3], t[1::3], t[2::3]):
            u, v, w = p[a], p[b], p[c]
            cross = [(v[i - 2] - u[i - 2]) * (w[i - 1] - u[i - 1]) - (v[i - 1] - u[i - 1]) * (w[i - 2] - u[i - 2])
                     for i in range(3)]
            assert sum(x * y for x, y in zip(cross, n[a])) >= -1e-12 * depth, "a normal points inwards"
            volume += sum(x * y for x, y in zip(u, cross)) / 6
            front += cross[2] / 2 if cross[2] > 0 else 0
        assert near(front, expected, 0, 0.01), (front, expected)
        assert near(volume, front * depth, 0, 1e-5), (volume, front, depth)

    channels = {}
    for animation in doc.get("animations", []):
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            channels[channel["target"]["node"], channel["target"]["path"]] = values(sampler["output"])
            times = values(sampler["input"])
            assert all(a < b for a, b in zip(times, times[1:])) and len(times) == len(frames)
            assert sampler.get("interpolation", "LINEAR") == ("STEP" if channel["target"]["path"] == "scale" else "LINEAR")
            assert all(near(t, f[0]["time_s"] - frames[0][0]["time_s"], 1, 1e-6) for t, f in zip(times, frames))
    gates = 0
    for i in range(len(frames[0])):
        node, last = doc["nodes"][i], None
        assert node["mesh"] == frames[0][i]["shape"]
        gated = not all(f[i]["present"] for f in frames)
        gates += gated
        assert len(frames) == 1 or ((i, "scale") in channels) == gated
        for k, frame in enumerate(frames):
            r = frame[i]
            move = channels[i, "translation"][k] if len(frames) > 1 else node["translation"]
            turn = channels[i, "rotation"][k] if len(frames) > 1 else node["rotation"]
            scale = channels[i, "scale"][k] if (i, "scale") in channels else node["scale"]
            assert near(move[0], r["x_m"], 1, 1e-6) and near(move[1], r["y_m"], 1, 1e-6) and move[2] == 0
            angle = 2 * math.atan2(turn[2], turn[3]) - r["angle_rad"]
            assert abs(math.remainder(angle, 2 * math.pi)) < 1e-6 and turn[:2] == type(turn)((0, 0)), (turn, r)
            assert last is None or sum(a * b for a, b in zip(turn, last)) >= 0, "a quaternion jumps"
            last = turn
            assert near(scale[0], r["scale"] if r["present"] else 0, 0, 1e-6) and scale[0] == scale[1]
    print(f"{len(frames)} frames of {len(frames[0])} bodies agree, {gates} come and go")
    verdict = validate(path)
    if verdict is None:
        print("not validated: npm's gltf-validator was not found")
    assert verdict is not False, "the validator complains"


main()
