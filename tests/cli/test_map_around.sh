#!/bin/bash
# SPDX-License-Identifier: MIT
#
# touchstone map, what lies around the maps: poses that are asked for, against closed forms; maps from files; outlines that were mended, and sizes
# that do not go together; a cache that cannot be written.
. "$SOURCE_DIR/tests/cli/support.sh"
export TOUCHSTONE_CACHE=$PWD/cache
expect 0 "$TOUCHSTONE" map build octagon disc -o disc.tsmap --json first.json

# asked: two discs of radius 0.7, one half as large, are d - 1.05 apart along the line of their centres, whatever the angle
expect 0 "$TOUCHSTONE" map query disc disc 0.9 -1.2 0.4 --scale-b 0.5 --kind exact --json asked.json
says stdout "disc × disc (0.5)"
says stdout "0.45 m, apart"
says stdout "exact gap"
narrow stdout
/usr/bin/env python3 - <<'END' || complain "two discs are not what they should be"
import json, math
[c] = json.load(open("asked.json"))["poses"]
assert (c["x"], c["y"], c["angle"]) == (0.9, -1.2, 0.4)
for value, wanted in ((c["gap"], 0.45), (c["exact_gap"], 0.45), (c["normal"][0], 0.6), (c["normal"][1], -0.8), (c["slope"], 1),
                      (c["turn_a"], 0), (c["turn_b"], 0), (c["arm_a"], 0.7 + 0.225), (c["arm_b"], -0.35 - 0.225),
                      (c["point_a"][0], 0.42), (c["point_a"][1], -0.56), (c["point_b"][0], 0.69), (c["point_b"][1], -0.92)):
    assert abs(value - wanted) < 1e-9, (value, wanted, c)
END
# poses from a file and from standard input, CSV in and out; a table is as near to the exact gap as is promised; a file's map answers alike
printf 'x,y,angle\n# far, touching, deep\n\n1.45, 0.1, 0.2\n-1.4;0;-1e-1\n0\t1.3\t7\n' >poses.csv
expect 0 "$TOUCHSTONE" map query octagon disc --poses poses.csv
cp stdout answers.csv
expect 0 "$TOUCHSTONE" map query octagon disc --poses - --json - <poses.csv
cp stdout answers.json
expect 0 "$TOUCHSTONE" map query disc.tsmap --poses poses.csv
cmp stdout answers.csv || complain "the map of the file answers otherwise"
/usr/bin/env python3 - <<'END' || complain "answers to a file of poses"
import csv, json, math
rows = list(csv.DictReader(open("answers.csv")))
poses = json.load(open("answers.json"))["poses"]
worst = 0.7 * 0.05  # as auto promises: ten times the error, or this
assert [float(r["angle_rad"]) for r in rows] == [0.2, -0.1, 7] and len(poses) == 3
for r, p in zip(rows, poses):
    assert float(r["gap_m"]) == p["gap"] and float(r["point_b_y_m"]) == p["point_b"][1]
    assert abs(p["gap"] - p["exact_gap"]) <= worst, (p, worst)
    # one common point: the laws of the record
    cross = p["x"] * p["normal"][1] - p["y"] * p["normal"][0]
    assert abs(p["turn_a"] + p["turn_b"] + p["slope"] * cross) < 1e-12
    assert abs(p["arm_a"] - p["arm_b"] - p["x"] * p["normal"][0] - p["y"] * p["normal"][1]) < 1e-12
END
expect 2 "$TOUCHSTONE" map query octagon disc
says stderr "which pose?"
expect 2 "$TOUCHSTONE" map query octagon disc 1 2
says stderr "X is 'disc'" # an octagon and its like
expect 2 "$TOUCHSTONE" map query octagon disc 1 2 north
says stderr "ANGLE is 'north'"
expect 2 "$TOUCHSTONE" map query octagon disc 1 2 3 4
says stderr "one argument too many"
expect 2 "$TOUCHSTONE" map query octagon disc 1 2 3 --poses poses.csv
says stderr "poses come from --poses"
echo "1,2" >short.csv
expect 2 "$TOUCHSTONE" map query octagon disc --poses short.csv
says stderr "short.csv:1:1: a pose is three numbers"
expect 2 "$TOUCHSTONE" map query octagon disc --poses nowhere.csv
says stderr "there is no file 'nowhere.csv'"

# a map's file is compared and drawn as well
expect 0 "$TOUCHSTONE" map compare disc.tsmap --kinds exact --quick --json filed.json
says stdout "file"
[ "$(/usr/bin/env python3 -c 'import json; m = json.load(open("filed.json"))["maps"]; print(m[0]["bytes"], m[0]["kind"], m[1]["kind"])')" = \
    "$(field first.json bytes) table exact" ] || complain "the comparison leaves out the file"
if [ -z "${TS_SANITIZE:-}" ]; then
    expect 0 "$TOUCHSTONE" map plot disc.tsmap -o filed.png --pixels 400
    [ "$(head -c 4 filed.png | tail -c 3)" = PNG ] || complain "filed.png is no picture"
fi
expect 2 "$TOUCHSTONE" map build disc.tsmap
says stderr "is a map already"
expect 2 "$TOUCHSTONE" map plot disc.tsmap hash
says stderr "is a contact map, not a shape"
# networks are called what they are after the time that they had
expect 0 "$TOUCHSTONE" map compare octagon disc --kinds network --seconds 0.1 --quick
says stdout "3×32, 0.1 s"
says stdout "5×64 fold, 0.1 s"
! grep -q published stdout || complain "what was trained for a moment is called published"
sed -n 3p stdout | grep -q '^ *% *% *% *%$' || complain "the header does not say that errors are percents"
narrow stdout

mkdir -p folder.tsmap
for verb in info query compare plot; do
    expect 2 "$TOUCHSTONE" map $verb folder.tsmap $([ $verb = query ] && echo 1 0 0)
    says stderr "'folder.tsmap' is a folder"
done
expect 2 "$TOUCHSTONE" map info ./folder.tsmap/ disc
says stderr "is a folder"

# a drawing that had to be mended: said, here too, and in scenes
cat >open.svg <<'END'
<svg xmlns="http://www.w3.org/2000/svg" width="100mm" height="100mm" viewBox="0 0 100 100"><path d="M0 0 L40 0 L40 40 L0 40"/></svg>
END
expect 0 "$TOUCHSTONE" map build open.svg disc --kind exact --json mended.json
says stdout "repairs of A"
says stdout "closed"
narrow stdout
[ "$(/usr/bin/env python3 -c 'import json; m = json.load(open("mended.json")); print(len(m["a"]["repairs"]), len(m["b"]["repairs"]))')" = "1 0" ] ||
    complain "repairs are not in the JSON"
# 28 units beside 0.7 m: one line, with the drawing's own unit as the remedy; and none when sizes were given, or are near
says stderr "A has radius 28.3 m, B 700 mm"
says stderr "--scale-a 0.001"
[ "$(wc -l <stderr)" = 1 ] || complain "more than one line on sizes"
expect 0 "$TOUCHSTONE" map build disc open.svg --kind exact --scale-b 0.02 --json scaled.json
[ ! -s stderr ] || complain "sizes that were given are doubted"
/usr/bin/env python3 - <<'END' || complain "--scale-b does not scale B"
import json
m = json.load(open("scaled.json"))
assert abs(m["a"]["radius"] - 0.7) < 1e-12 and abs(m["b"]["radius"] - 0.02 * 20 * 2 ** 0.5) < 1e-12, m
END
cat >mended-scene.json <<END
{"touchstone": 1, "map": {"kind": "exact"}, "shapes": {"bent": {"kind": "svg", "file": "open.svg"}}}
END
expect 0 "$TOUCHSTONE" map build mended-scene.json
says stdout "repairs of bent"

# a cache that cannot be written: the map is made all the same and one line says so; a scene's maps are made for the cache, so there it fails,
# before anything is made. What is in the cache already is not asked to be written.
touch file
cat >scene.json <<END
{"touchstone": 1, "dynamics": {"places": "one"}, "shapes": {"ball": {"kind": "disc", "radius": 0.35}, "box": {"kind": "box", "width": 1, "height": 1}},
 "bodies": [{"shape": "ball", "position": [0, 0]}, {"shape": "box", "position": [9, 9], "fixed": true}]}
END
expect 0 env TOUCHSTONE_CACHE="$PWD/file/cache" "$TOUCHSTONE" map build octagon disc --quiet
says stderr "the cache cannot keep it"
[ "$(wc -l <stderr)" = 1 ] || complain "more than one line on the cache"
expect 0 env TOUCHSTONE_CACHE="$PWD/file/cache" "$TOUCHSTONE" map build octagon disc --quiet --no-cache
[ ! -s stderr ] || complain "--no-cache minds the cache"
expect 2 env TOUCHSTONE_CACHE="$PWD/file/cache" "$TOUCHSTONE" map build scene.json
says stderr "which cannot have them"
says stderr "TOUCHSTONE_CACHE"
# a run makes them all the same, and says so once, however quiet and however many they are; where there is nothing to keep, nothing is said
sed 's/"box":/"slab": {"kind": "box", "width": 2, "height": 1}, &/; s/\(.*\)]}$/\1, {"shape": "slab", "position": [-9, 9]}]}/' scene.json >three.json
for kind in auto exact; do
    expect 0 env TOUCHSTONE_CACHE="$PWD/file/cache" "$TOUCHSTONE" run three.json --no-record --quiet --duration 1e-3 --set map.kind=$kind
    said=$(grep -c "the cache cannot keep them" stderr)
    [ "$said" = $([ $kind = auto ] && echo 1 || echo 0) ] || complain "a run says $said times that the cache cannot keep $kind maps"
done
expect 0 env TOUCHSTONE_CACHE="$PWD/file/cache" "$TOUCHSTONE" map build scene.json --kind exact
expect 0 env TOUCHSTONE_CACHE="$PWD/file/cache" "$TOUCHSTONE" map build scene.json --no-cache --error 0.02
expect 2 env -u HOME -u XDG_CACHE_HOME -u TOUCHSTONE_CACHE "$TOUCHSTONE" map build scene.json
says stderr "there is none"
# Full: a limit on the size of files needs no privileges, and it holds for everything but pipes.
full() {
    (
        ulimit -f 0
        TOUCHSTONE_CACHE=$PWD/full exec "$TOUCHSTONE" map build "$@" --quiet
    ) 2>&1 | cat >full-says
    code=${PIPESTATUS[0]}
}
full octagon disc
[ "$code" = 0 ] || complain "a full disk under the cache exits $code"
says full-says "the cache cannot keep it: cannot write"
full scene.json
[ "$code" = 1 ] || complain "a full disk under the cache of a scene exits $code"
says full-says "which cannot have them: cannot write"
[ -z "$(find full -name '*.tsmap*')" ] || complain "a full cache kept $(ls full)"
finish
