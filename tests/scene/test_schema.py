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
    for key, value in bad:
        if validator.is_valid({**good, key: value}):
            print(f"the schema accepts {key}: {value}")
            failures += 1
    print(f"{len(scenes)} scenes, {len(bad)} bad values, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
