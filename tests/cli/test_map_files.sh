#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Map files that a scene names: told by check and by map build, the same bits as with the same map from the cache, a run that needs the
# file no more once it has begun, and one sentence for what is wrong.
. "$SOURCE_DIR/tests/cli/support.sh"
export TOUCHSTONE_CACHE=$PWD/cache

# $1: the map key
scene() {
    cat <<'OTHER'
{
    "touchstone": 1,
    "duration": 0.06,
    "time_step": "50 us",
    "dynamics": {"stiffness": "1 MN/m"},
    "output": {"frame_interval": "10 ms", "energy_interval": "2 ms"},
OTHER
    echo "    \"map\": {$1},"
    cat <<'OTHER'
    "shapes": {
        "elbow": {"kind": "polygon", "points": [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]]},
        "plank": {"kind": "box", "width": 2, "height": 0.5}
    },
    "boundaries": [{"kind": "half-plane", "point": [0, 0], "normal": [0, 1]}],
    "bodies": [
        {"shape": "elbow", "position": [0, 0.2], "scale": 0.1, "velocity": [1, -1], "spin": 3},
        {"shape": "plank", "position": [0.27, 0.15], "scale": 0.1, "velocity": [-3, 0]}
    ]
}
OTHER
}
scene '"kind": "table", "bytes": 20000' >cached.json
scene '"files": ["maps/ep.tsmap"], "kind": "table", "bytes": 20000' >scene.json
mkdir maps
expect 0 "$TOUCHSTONE" map build cached.json:plank cached.json:elbow --kind table --bytes 20000 -o maps/ep.tsmap -q

# ---- It is told where the map comes from ----
expect 0 "$TOUCHSTONE" check scene.json
says stdout "1, from the scene's map files"
says stdout "elbow × plank: table of maps/ep.tsmap"
narrow stdout
expect 0 "$TOUCHSTONE" check scene.json --json check.json -q
/usr/bin/python3 - <<'OTHER' || complain "check --json tells something else"
import json
r = json.load(open("check.json"))
assert r["maps"] == 1 and r["maps_at_hand"] == 1, r
assert r["map_files"] == [{"a": "elbow", "b": "plank", "kind": "table", "file": "maps/ep.tsmap"}], r["map_files"]
OTHER
mv cache away
expect 0 "$TOUCHSTONE" map build scene.json
says stdout "ep.tsmap"
says stdout "0 made"
says stdout "1 from files"
narrow stdout
[ ! -e cache ] || complain "a map was made although there is a file"
mv away cache

# ---- What its errors are is told, and that they may be what grains overlap by ----
says_worst="worst map elbow × plank: mean error [0-9.]* % of a radius, right sign [0-9.]* %"
expect 0 "$TOUCHSTONE" check scene.json
tr -s '\n ' ' ' <stdout | grep -q "$says_worst" || complain "check does not tell the errors of a map file"
scene '"kind": "network", "depth": 1, "width": 4, "samples": 4000' >bad.json
expect 0 "$TOUCHSTONE" check bad.json
says stdout '`touchstone map build bad.json` makes it'
! grep -q "worst map" stdout || complain "check tells errors of a map that is not made yet"
expect 0 "$TOUCHSTONE" run bad.json --out bad --set dynamics.stiffness=1e5
grep -q "$says_worst" stderr || complain "run does not tell how bad a network is"
grep -A1 "Grains overlapped by" stderr | tr '\n' ' ' | grep -q "the map of elbow and plank is itself wrong by" ||
    complain "overlaps are not laid at the map's door"
says stderr "map.samples"
narrow stderr
expect 0 "$TOUCHSTONE" check bad.json --json -
[ "$(field stdout worst_map a)" = elbow ] || complain "check --json does not name the worst map"

# ---- So are keys of other kinds, which change nothing ----
expect 0 "$TOUCHSTONE" check cached.json --set map.grid=5
says stdout "map.grid is for sampled maps and changes nothing here"
expect 0 "$TOUCHSTONE" run cached.json --no-record --set map.depth=3 --duration 1e-3
says stderr "map.depth is for network maps and changes nothing here"

# ---- The same bits as with the same map from the cache ----
expect 0 "$TOUCHSTONE" run cached.json --out cached -q
expect 0 "$TOUCHSTONE" run scene.json --out whole -q
a="$(field cached/summary.json state_hash)"
[ "$a" = "$(field whole/summary.json state_hash)" ] || complain "a file and the cache give other states"
cmp cached/energies.csv whole/energies.csv || complain "a file and the cache give other energies"
expect 0 "$TOUCHSTONE" run scene.json --out exact --set 'map={"kind": "exact"}' -q
[ "$a" != "$(field exact/summary.json state_hash)" ] || complain "the map does not matter in this scene"

# ---- A run needs the file when it begins, and then no more ----
expect 0 "$TOUCHSTONE" run scene.json --out part --duration 0.03 -q
mv maps/ep.tsmap maps/away.tsmap
rm -r cache
expect 0 "$TOUCHSTONE" run --resume part --duration 0.06 -q
[ "$(field part/summary.json state_hash)" = "$a" ] || complain "a resumed run ends in another state"
cmp part/energies.csv whole/energies.csv || complain "a resumed run has other energies" # a trajectory knows its first duration
expect 0 "$TOUCHSTONE" run whole/scene.json --out again -q
same again whole
[ ! -e cache ] || complain "a resumed run made a map"
expect 0 "$TOUCHSTONE" check part/scene.json
says stdout "elbow × plank: table of maps/ep.tsmap"

# ---- What is wrong, in one sentence, with the place ----
expect 2 "$TOUCHSTONE" run scene.json --out none
says stderr 'scene.json:7:23: map: there is no file "maps/ep.tsmap"'
mv maps/away.tsmap maps/ep.tsmap
expect 2 "$TOUCHSTONE" run scene.json --out none --set 'bodies[1].scale=0.05'
says stderr 'scene.json:7:23: map: "maps/ep.tsmap" is of plank×elbow with radii'
says stderr "at this ratio of sizes"
expect 2 "$TOUCHSTONE" run scene.json --out none --set 'shapes.plank.height=0.4'
says stderr 'scene.json:7:23: map: "maps/ep.tsmap" is of (an outline of 4 edges)×elbow, and this scene has no such shape'
expect 2 "$TOUCHSTONE" check scene.json --set 'bodies[1].shape=elbow'
says stderr "no two bodies of this scene that can meet have these shapes"
head -c 3000 maps/ep.tsmap >maps/half.tsmap
expect 2 "$TOUCHSTONE" run scene.json --out none --set 'map.files[0]=maps/half.tsmap'
says stderr "the map maps/half.tsmap is damaged: it ends early"
expect 2 "$TOUCHSTONE" run scene.json --out none --set 'map.files[0]=cached.json'
says stderr "cached.json is not a map"
cp maps/ep.tsmap maps/copy.tsmap
expect 2 "$TOUCHSTONE" run scene.json --out none --set 'map.files[1]=maps/copy.tsmap'
says stderr 'map: "maps/copy.tsmap" is of elbow×plank, and so is "maps/ep.tsmap"; keep one of them'
[ ! -e none ] || complain "a refused run left a folder"
finish
