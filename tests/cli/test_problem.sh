# SPDX-License-Identifier: MIT
# Contact problems of steps: written from scenes and runs, solved, and refused where there is none.
. "$SOURCE_DIR/tests/cli/support.sh"

cat >pile.json <<END
{
    "touchstone": 1,
    "title": "A pile",
    "duration": 0.6,
    "time_step": 0.005,
    "dynamics": {"kind": "impact", "friction": 0.4, "restitution": 0, "staggered": 50},
    "shapes": {"ball": {"kind": "disc", "radius": 0.1}},
    "boundaries": [
        {"kind": "half-plane", "point": [0, 0], "normal": [0, 1]},
        {"kind": "half-plane", "point": [0, 0], "normal": [1, 0]},
        {"kind": "half-plane", "point": [1, 0], "normal": [-1, 0]}
    ],
    "generators": [{"kind": "lattice", "region": {"box": [0, 0, 1, 3]}, "count": 40, "velocity_spread": 0.3, "mix": [
        {"shape": "ball", "scale": [0.7, 1]}
    ]}]
}
END

run "$TOUCHSTONE" problem pile.json --at 0.4 -o pile.hdf5
if grep -q "install libhdf5-dev" stderr; then
    [ "$code" = 2 ] || complain "without HDF5 the exit code is $code"
    echo "this build is without HDF5"
    exit 77
fi
[ "$code" = 0 ] || complain "exit code $code: $(cat stderr)"
says stdout "contacts of"
says stdout "pile.hdf5"
plain stdout
[ -s pile.hdf5 ] || complain "no file was written"
cp pile.hdf5 before.hdf5

# solving leaves the file alone, unless it is to be written
expect 0 "$TOUCHSTONE" problem --solve pile.hdf5 --json answer.json
narrow stdout
plain stdout
for word in "A pile" contacts bodies rounds closing complementarity friction cone "this solution"; do
    says stdout "$word"
done
cmp pile.hdf5 before.hdf5 || complain "solving changed the file"
/usr/bin/python3 - <<'END' || complain "the JSON is not as it should be"
import json
a = json.load(open("answer.json"))
assert a["solved"] and a["contacts"] > 20 and a["bodies"] > 20 and abs(a["time"] - 0.4) < 1e-12
assert len(a["v"]) == 3 * a["bodies"] and len(a["u"]) == len(a["r"]) == 2 * a["contacts"]
for name, value in a["residuals"].items():
    assert value < 1e-9, (name, value)
# by its own numbers: nothing pulls, nothing closes, what pushes does not open
fastest, largest = a["fastest"], max(a["r"][::2])
for r, u in zip(a["r"][::2], a["u"][::2]):
    assert r >= 0 and u > -1e-9 * fastest and min(r / largest, u / fastest) < 1e-9
END
expect 0 "$TOUCHSTONE" problem --solve pile.hdf5 --write --quiet
[ ! -s stdout ] || complain "--quiet prints"
cmp -s pile.hdf5 before.hdf5 && complain "--write wrote nothing"
expect 0 "$TOUCHSTONE" problem --solve pile.hdf5
says stdout "the file's"
# one and many threads give the same bits
expect 0 "$TOUCHSTONE" problem --solve pile.hdf5 --threads 1 --json one.json --quiet
[ "$(field one.json r)" = "$(field answer.json r)" ] || complain "threads change the solution"

# a run is taken up at its checkpoint: the same problem as from the scene
expect 0 "$TOUCHSTONE" run pile.json --out run --quiet
expect 0 "$TOUCHSTONE" problem run --at 0.4 -o again.hdf5 --json sizes.json
says stdout "t = 400 ms"
[ "$(field sizes.json contacts)" = "$(field answer.json contacts)" ] || complain "a run has another problem than its scene"
expect 0 "$TOUCHSTONE" problem run -o end.hdf5
says stdout "t = 600 ms"
expect 0 "$TOUCHSTONE" problem --solve again.hdf5 --json again.json --quiet
[ "$(field again.json v)" = "$(field answer.json v)" ] || complain "a run has another solution than its scene"

# in space: three numbers a contact, six velocities a body
cat >heap.json <<END
{
    "touchstone": 1,
    "title": "A heap",
    "space": "space",
    "gravity": [0, 0, -9.81],
    "duration": 0.6,
    "time_step": 0.004,
    "dynamics": {"kind": "impact", "restitution": 0, "sweeps": 100},
    "materials": {"wood": {"density": 700, "friction": 0.5}},
    "shapes": {"brick": {"kind": "box", "size": [0.2, 0.15, 0.1]}, "ball": {"kind": "sphere", "radius": 0.08}},
    "boundaries": [{"kind": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "wood"}],
    "bodies": [
        {"shape": "brick", "material": "wood", "position": [0, 0, 0.06]},
        {"shape": "brick", "material": "wood", "position": [0.05, 0.02, 0.17], "velocity": [0.4, 0.1, 0]},
        {"shape": "ball", "material": "wood", "position": [0.26, 0, 0.085], "velocity": [-0.3, 0.2, 0]},
        {"shape": "ball", "material": "wood", "position": [0.02, 0, 0.315]}
    ]
}
END
expect 0 "$TOUCHSTONE" problem heap.json --at 0.05 -o heap.hdf5
expect 0 "$TOUCHSTONE" problem --solve heap.hdf5 --write --json heap-answer.json
says stdout "of 6 velocities each"
expect 0 "$TOUCHSTONE" problem --solve heap.hdf5
says stdout "the file's"
/usr/bin/python3 - <<'END' || complain "the JSON of space is not as it should be"
import json
a = json.load(open("heap-answer.json"))
assert a["solved"] and a["contacts"] > 4 and a["bodies"] >= 3
assert len(a["v"]) == 6 * a["bodies"] and len(a["u"]) == len(a["r"]) == 3 * a["contacts"]
for name, value in a["residuals"].items():
    assert value < 1e-6, (name, value)
fastest, largest = a["fastest"], max(a["r"][::3])
for r, t, x, u in zip(a["r"][::3], a["r"][1::3], a["r"][2::3], a["u"][::3]):
    assert r >= 0 and u > -1e-6 * fastest and min(r / largest, u / fastest) < 1e-6
    assert (t * t + x * x) ** 0.5 <= 0.5 * r * (1 + 1e-9) + 1e-12 * largest
END
expect 0 "$TOUCHSTONE" problem --solve heap.hdf5 --threads 1 --json heap-one.json --quiet
[ "$(field heap-one.json r)" = "$(field heap-answer.json r)" ] || complain "threads change the solution in space"

# what there is no problem of
bad() {
    local wanted="$1" sentence="$2"
    shift 2
    expect "$wanted" "$TOUCHSTONE" "$@"
    says stderr "$sentence"
    plain stderr
}
bad 2 "nothing is struck in the step at t = 0 s" problem pile.json --set 'gravity=[0,0]' --set 'generators[0].velocity_spread=0' -o none.hdf5
bad 2 "has no contact problem" problem box.json -o none.hdf5
bad 2 "neither a scene" problem nowhere -o none.hdf5
bad 2 "--at is -1 s" problem pile.json --at -1 -o none.hdf5
bad 2 "leave out --set" problem run --set seed=2 -o none.hdf5
bad 2 "none.hdf5" problem --solve none.hdf5
bad 2 "is no HDF5 file" problem --solve pile.json
head -c 5000 pile.hdf5 >cut.hdf5
bad 2 "cut.hdf5" problem --solve cut.hdf5
bad 2 "no/such/folder does not exist" problem pile.json -o no/such/folder/x.hdf5
[ ! -e none.hdf5 ] || complain "a failure left a file"

finish
