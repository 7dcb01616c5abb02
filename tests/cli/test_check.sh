# SPDX-License-Identifier: MIT
# touchstone check: what it announces is what the run then does.
. "$SOURCE_DIR/tests/cli/support.sh"

expect 0 "$TOUCHSTONE" check box.json
for text in "box.json is good" "Grains in a box" "200 bodies of 2 shapes" grain peanut "3 walls" half-plane "dynamics penalty" \
    "500 kN/m" restitution "time step" "20.0 µs" stable memory recording; do
    says stdout "$text"
done
narrow stdout
plain stdout
[ ! -s stderr ] || complain "a good scene prints to standard error"
[ ! -e out ] || complain "check left a folder"

expect 0 "$TOUCHSTONE" check box.json --json check.json
expect 0 "$TOUCHSTONE" run box.json --out r --json run.json -q
for member in steps frames rows time_step stable_step bodies boundaries model_hash; do
    announced="$(field check.json $member)"
    [ "$announced" = "$(field run.json $member)" ] || complain "$member: announced $announced, got $(field run.json $member)"
done
/usr/bin/python3 - <<'END' || complain "what check announces is off"
import json, os
check, run = (json.load(open(name)) for name in ("check.json", "run.json"))
on_disk = sum(os.path.getsize("r/" + name) for name in os.listdir("r"))
assert check["disk_bytes"] > 0.6 * on_disk, (check["disk_bytes"], on_disk) # grains in the air have fewer contacts
assert 0.4 < check["memory_bytes"] / run["memory_bytes"] < 2.5, (check["memory_bytes"], run["memory_bytes"])
kinds = {kind["shape"]: kind["count"] for kind in check["kinds"]}
assert sum(kinds.values()) == 200 and 100 < kinds["grain"] < 190, kinds
law = check["laws"][0]
# as the scene says; series of two equal springs is half of one, or the scene's value is the pair's: docs/penalty.md
assert law["friction"] == 0.5 and abs(law["restitution"] - 0.4) < 1e-9, law
END

# How long it takes. A machine at work is no clock: within a factor of ten.
expect 0 "$TOUCHSTONE" run box.json --no-record --json run.json -q
/usr/bin/python3 - <<'END' || complain "the time that check foretells is off"
import json
trial, run = json.load(open("check.json"))["trial"], json.load(open("run.json"))
assert 1 <= trial["steps"] <= run["steps"] and trial["threads"] >= 1, trial
assert 0.1 < trial["wall_time"] / run["wall_time"] < 10, (trial, run["wall_time"])
END
expect 0 "$TOUCHSTONE" check box.json
grep -Eq "^wall time +.* on [0-9]+ threads?, and what recording takes" stdout || complain "check does not tell the wall time"
# where a trial fails the scene is still good, and the time is not known
expect 0 "$TOUCHSTONE" check box.json --set generators[0].velocity_spread=1e6 --json check.json
[ "$(field check.json trial wall_time)" = None ] || complain "a trial that fails has a time"
[ "$(field check.json trial failed)" = True ] || complain "a trial that fails is not told to programs"
expect 0 "$TOUCHSTONE" check box.json --set generators[0].velocity_spread=1e6
says stdout "a trial of some steps failed"
head -2 stdout | grep -q "^Warning: a trial" || complain "the failure of a trial is not told on top"
! grep -q "is good" stdout || complain "a scene whose trial fails is called good"
narrow stdout

# how often frames are recorded changes no derived step, and frames are no denser than steps
cat >coarse.json <<'END'
{"touchstone": 1, "dynamics": {"kind": "impact"}, "shapes": {"it": {"kind": "box", "width": 0.2, "height": 0.1}},
 "walls": [{"kind": "half-plane", "position": [0, 0], "normal": [0, 1]}], "bodies": [{"shape": "it", "position": [0, 0.2]}]}
END
for rate in 1 100 100000; do
    expect 0 "$TOUCHSTONE" check coarse.json --set output.frame_rate=$rate --json check.json
    field check.json time_step >>steps.txt
done
[ "$(sort -u steps.txt | wc -l)" = 1 ] || complain "the derived step depends on frame_rate"
[ "$(field check.json frames)" = "$(($(field check.json steps) + 1))" ] || complain "frames are denser than steps"
expect 0 "$TOUCHSTONE" check coarse.json --set output.frame_rate=100000
says stdout "one frame a step"

# what a restitution of 0 costs under the penalty law
step_with() {
    expect 0 "$TOUCHSTONE" check coarse.json --set dynamics.kind=penalty --set dynamics.restitution="$1" --json check.json
    field check.json time_step
}
shorter="$(/usr/bin/python3 -c "print(f'{$(step_with 0.3) / $(step_with 0):.2g}')")"
expect 0 "$TOUCHSTONE" check coarse.json --set dynamics.kind=penalty --set dynamics.restitution=0
tr -s ' \n' ' ' <stdout | grep -q "a restitution of 0.001 makes it $shorter times shorter than one of 0.3 would" ||
    complain "a restitution of 0 is not said to make the step $shorter times shorter"
for usual in "dynamics.restitution=0.3" "time_step=1e-7"; do
    expect 0 "$TOUCHSTONE" check coarse.json --set dynamics.kind=penalty --set "$usual"
    ! grep -q "a restitution of" stdout || complain "a small restitution is spoken of with $usual"
done

# without contacts nothing is left to guess
expect 0 "$TOUCHSTONE" check box.json --set output.contacts=false --json check.json
expect 0 "$TOUCHSTONE" run box.json --set output.contacts=false --out bare -q
on_disk="$(cat bare/* | wc -c)"
/usr/bin/python3 -c "import sys; sys.exit(not 0.8 < $(field check.json disk_bytes) / $on_disk < 1.25)" ||
    complain "check expects $(field check.json disk_bytes) bytes, the run wrote $on_disk"

# JSON on standard output, and nothing else there
expect 0 "$TOUCHSTONE" check box.json --json
/usr/bin/python3 -m json.tool stdout >/dev/null || complain "--json is no JSON"
expect 0 "$TOUCHSTONE" check box.json --quiet
[ ! -s stdout ] || complain "--quiet is not quiet"

# in space: the same, springs, and what was mended in meshes; this one is inside out and has a vertex too many
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 5 5 5\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 1 3 4\n' >cup.obj
cat >space.json <<'END'
{
    "touchstone": 1, "space": "space", "duration": 0.5, "dynamics": {"kind": "impact", "friction": 0.3, "density": 700},
    "materials": {"steel": {"density": 7800, "friction": 0.2}},
    "shapes": {"ball": {"kind": "sphere", "radius": "5 cm"}, "cup": {"kind": "mesh", "file": "cup.obj", "scale": 0.1, "cells": 8}},
    "bodies": [{"name": "peg", "shape": "ball", "position": [0, 0, 1], "fixed": true, "material": "steel"},
               {"name": "cup", "shape": "cup", "position": [0.3, 0, 1]}],
    "springs": [{"kind": "linear", "a": "peg", "b": "cup", "stiffness": "20 kN/m", "rest": 0.25}],
    "boundaries": [{"kind": "room", "name": "box", "low": [-1, -1, 0], "high": [1, 1, 2]}],
    "drives": [{"target": "peg", "kind": "oscillation", "amplitude": [0, 0, 0.01], "frequency": 2}]
}
END
mended="cup.obj: 1 unused vertex dropped, 4 triangles turned over"
# outlines that touch by features need no maps, and none are spoken of
cat > outline.json <<END
{"touchstone": 1, "duration": 0.1, "shapes": {"b": {"kind": "polygon", "points": [[0, 0], [1, 0], [0, 1]]}},
 "bodies": [{"shape": "b", "position": [0, 0]}, {"shape": "b", "position": [3, 0]}]}
END
expect 0 "$TOUCHSTONE" check outline.json
! grep -q "contact maps" stdout || complain "maps are spoken of where there are none"
expect 0 "$TOUCHSTONE" check outline.json --set dynamics.places=map
says stdout "contact maps"

expect 0 "$TOUCHSTONE" check space.json
for text in "1 mesh mended" "$mended" "7800 kg/m³" "mass 117 g" room "1 moved by oscillation" "20.0 kN/m, rest 250 mm" \
    "of the stable" "which the springs' fastest oscillation sets" memory "rows of energies, about"; do
    says stdout "$text"
done
narrow stdout
expect 0 "$TOUCHSTONE" check space.json --json check.json
expect 0 "$TOUCHSTONE" run space.json --out s --json run.json
says stderr "mended $mended"
for member in steps frames rows time_step stable_step bodies model_hash; do
    announced="$(field check.json $member)"
    [ "$announced" = "$(field run.json $member)" ] || complain "$member: announced $announced, got $(field run.json $member)"
done
/usr/bin/python3 - <<'END' || complain "what check announces of space is off"
import json, os
check, run = (json.load(open(name)) for name in ("check.json", "run.json"))
on_disk = sum(os.path.getsize("s/" + name) for name in os.listdir("s"))
assert 0.7 < check["disk_bytes"] / on_disk < 1.5, (check["disk_bytes"], on_disk)
assert 0.4 < check["memory_bytes"] / run["memory_bytes"] < 2.5, (check["memory_bytes"], run["memory_bytes"])
assert [repair["shape"] for repair in check["repairs"]] == ["cup"], check["repairs"]
cup = [solid for solid in check["solids"] if solid["shape"] == "cup"][0]
assert cup["kind"] == "mesh" and abs(cup["volume"] - 1e-3 / 6) < 1e-12, cup
END
expect 2 "$TOUCHSTONE" check space.json --set "time_step=50 ms"
says stderr "time_step 0.05 s is too long for spring 0"
expect 2 "$TOUCHSTONE" shape space.json
says stderr "is a scene of space, whose shapes are solids"

# all scenes of the repository are good
ln -s "$SOURCE_DIR/scenes" scenes # a short name, wherever the sources lie
for scene in scenes/*.json; do
    expect 0 "$TOUCHSTONE" check "$scene"
    narrow stdout
done

expect 2 "$TOUCHSTONE" check nothing.json
says stderr nothing.json
printf '{\n    "touchstone": 1,\n    "gravty": [0, -9.81]\n}\n' >bad.json
expect 2 "$TOUCHSTONE" check bad.json
grep -qE '^bad.json:3:5: .*gravity' stderr || complain "the error is not in the form file:line:column: message, or names no remedy"
expect 2 "$TOUCHSTONE" check box.json --set 'time_step=1 s'
says stderr "time_step"
for given in "--duration abc" "--duration -1" "--seed x"; do
    expect 2 "$TOUCHSTONE" check box.json $given
    grep -q "^$given: " stderr || complain "the error does not name $given: $(cat stderr)"
done
expect 2 "$TOUCHSTONE" check box.json --json nowhere/x.json
says stderr "the folder nowhere does not exist; make it first"
[ ! -s stdout ] || complain "a place that cannot be written to is noticed only at the end"
# what is wrong is said in the scene's own words, with a remedy
expect 2 "$TOUCHSTONE" check box.json --set time_step=-1
says stderr 'time_step is -1, but must be positive; write "auto"'
expect 2 "$TOUCHSTONE" check box.json --set time_step=0.1
says stderr "scene: time_step 0.1 s is"
expect 2 "$TOUCHSTONE" check box.json --set bodys=[]
says stderr 'did you mean "bodies"?'
# shapes that no body has do not count
expect 0 "$TOUCHSTONE" check "$SOURCE_DIR/scenes/cem-silo.json"
says stdout "11,311 bodies of 1 shape"
finish
