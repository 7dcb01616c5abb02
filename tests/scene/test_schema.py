# SPDX-License-Identifier: MIT
"""Every scene of scenes/ obeys docs/scene.schema.json; and the schema refuses what it should.

That the schema and the reader know the same keys is tested by test_read_schema.c."""
import json
import os
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)

ROOT = pathlib.Path(os.environ.get("SOURCE_DIR", pathlib.Path(__file__).parent.parent.parent))


def strip(text):
    """Comments become spaces, commas before a closing bracket vanish; texts are left alone."""
    out, i = [], 0
    while i < len(text):
        if text[i] == '"':
            end = i + 1
            while text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            out.append(text[i:end + 1])
            i = end + 1
        elif text.startswith("//", i):
            i = text.find("\n", i) if "\n" in text[i:] else len(text)
        elif text.startswith("/*", i):
            i = text.index("*/", i) + 2
            out.append(" ")
        elif text[i] in "]}":
            kept = "".join(out).rstrip()
            out = [kept[:-1] if kept.endswith(",") else kept, text[i]]
            i += 1
        else:
            out.append(text[i])
            i += 1
    return "".join(out)


def main():
    schema = json.loads((ROOT / "docs/scene.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    failures = 0

    scenes = sorted((ROOT / "scenes").rglob("*.json"))
    assert len(scenes) >= 5, "no scenes found"
    for path in scenes:
        scene = json.loads(strip(path.read_text(encoding="utf-8")))
        if "touchstone_smooth" in scene:  # a smooth body: what the shape of a scene would be
            body = {key: scene[key] for key in scene if key not in ("touchstone_smooth", "notes")}
            scene = {"touchstone": 1, "space": "space", "shapes": {"body": {"kind": "smooth", **body}}}
        for error in validator.iter_errors(scene):
            print(f"{path.relative_to(ROOT)}: {'/'.join(map(str, error.path))}: {error.message}")
            failures += 1

    # A schema that accepts everything would pass the above: small changes to a good scene must fail.
    good = {"touchstone": 1, "shapes": {"a": {"kind": "disc", "radius": "3 mm"}},
            "bodies": [{"shape": "a", "position": [0, "2 cm"]}],
            "generators": [{"kind": "random", "region": {"box": [0, 0, 1, 1]}, "count": 3, "shape": "a"}],
            "drives": [{"kind": "gate", "target": "x", "opens": 1}], "time_step": "auto"}
    assert validator.is_valid(good)
    bad = [
        ("touchstone", 2), ("space", "space"), ("gravity", [0]), ("gravity", [0, 0, 1]), ("time_step", 0),
        ("time_step", "soon"), ("duration", "auto"), ("duration", -1), ("seed", 1.5), ("seed", -1), ("unknown", 1),
        ("shapes", {"a": {"kind": "disc", "radius": -1}}), ("shapes", {"a": {"kind": "disc"}}),
        ("shapes", {"a": {"kind": "ball", "radius": 1}}), ("shapes", {"a": {"kind": "cluster", "discs": []}}),
        ("materials", {"default": {}}), ("materials", {"m": {"restitution": 1.1}}), ("materials", {"m": {"mass": 1}}),
        ("bodies", [{"position": [0, 0]}]), ("bodies", {}), ("dynamics", {"friction": -0.1}), ("dynamics", {"kind": "x"}),
        ("generators", [{"kind": "random", "region": {}, "count": 3, "shape": "a"}]),
        ("generators", [{"kind": "random", "region": {"box": [0, 0, 1, 1]}, "count": 3}]),
        ("generators", [{"kind": "random", "region": {"box": [0, 0, 1, 1]}, "count": 1e15, "shape": "a"}]),
        ("generators", [{"kind": "random", "region": {"box": [0, 0, 1, 1]}, "count": 3, "shape": "a", "mix": []}]),
        ("generators", [{"kind": "random", "region": {"box": [0, 0, 1, 1]}, "count": 3, "shape": "a", "jitter": 1}]),
        ("drives", [{"kind": "gate", "target": "x"}]), ("drives", [{"kind": "rotation", "target": "x", "opens": 1}]),
        ("output", {"frame_rate": 60, "frame_interval": 0.1}), ("include", "a.json"), ("notes", 3),
    ]
    good_space = {"touchstone": 1, "space": "space", "gravity": [0, 0, "-9.81 m/s^2"],
                  "camera": {"position": [1, 2, 3], "target": [0, 0, 0]},
                  "shapes": {"a": {"kind": "box", "size": [1, "2 cm", 3]},
                             "b": {"kind": "compound", "pieces": [{"kind": "sphere", "radius": 1, "position": [1, 0, 0]}]}},
                  "bodies": [{"shape": "a", "position": [0, 0, 1], "attitude": {"axis": [0, 0, 1], "angle": "3 deg"}}],
                  "boundaries": [{"kind": "room", "low": [0, 0, 0], "high": [1, 1, 1]}],
                  "springs": [{"kind": "linear", "b": "x", "stiffness": "3 N/m"}],
                  "generators": [{"kind": "random", "region": {"box": [0, 0, 0, 1, 1, 1]}, "count": 3, "shape": "a"}],
                  "drives": [{"kind": "rotation", "target": "x", "rate": 1, "axis": [0, 0, 1]}]}
    for error in validator.iter_errors(good_space):
        print(f"good scene of space: {'/'.join(map(str, error.path))}: {error.message}")
        failures += 1
    bad_space = [
        ("gravity", [0, -9.81]), ("camera", {"position": [0, 0, 1]}), ("map", {}), ("geometry", {"kind": "analytic"}),
        ("shapes", {"a": {"kind": "disc", "radius": 1}}), ("shapes", {"a": {"kind": "box", "size": [1, 0, 1]}}),
        ("shapes", {"a": {"kind": "sphere", "radius": 1, "position": [0, 0, 0]}}), ("shapes", {"a": {"kind": "hull"}}),
        ("shapes", {"a": {"kind": "compound", "pieces": []}}), ("bodies", [{"shape": "a", "position": [0, 0]}]),
        ("bodies", [{"shape": "a", "position": [0, 0, 0], "attitude": [1, 0, 0]}]),
        ("boundaries", [{"kind": "half-plane", "point": [0, 0], "normal": [0, 1]}]),
        ("springs", [{"kind": "linear", "a": "x", "stiffness": 1}]),
        ("generators", [{"kind": "random", "region": {"box": [0, 0, 1, 1]}, "count": 3, "shape": "a"}]),
        ("dynamics", {"kind": "magic"}), ("output", {"measures": "packing"}),
    ]
    for start, changes in ((good, bad), (good_space, bad_space)):
        for key, value in changes:
            if validator.is_valid({**start, key: value}):
                print(f"the schema accepts {key}: {value}")
                failures += 1
    print(f"{len(scenes)} scenes, {len(bad) + len(bad_space)} bad values, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
