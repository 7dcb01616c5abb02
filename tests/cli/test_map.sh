#!/bin/bash
# SPDX-License-Identifier: MIT
#
# touchstone map: made once, found again, told, compared and drawn; what folding must be by the groups; and what is refused.
. "$SOURCE_DIR/tests/cli/support.sh"
scenes=$SOURCE_DIR/scenes
font=$scenes/fonts/DejaVuSans-Bold-ASCII.ttf
export TOUCHSTONE_CACHE=$PWD/cache

# a ring and a disc: a table, within what was asked for, and from the cache the second time
expect 0 "$TOUCHSTONE" map build O disc --json first.json
says stdout "O × disc"
says stdout "radius 700 mm, symmetry O(2)"
says stdout "the distance alone counts"
narrow stdout
plain stderr
[ "$(field first.json kind)" = table ] || complain "auto made no table of a ring and a disc"
[ "$(field first.json from_cache)" = False ] || complain "an empty cache had the map"
/usr/bin/env python3 - <<'END' || complain "the map is not what was asked for"
import json
m = json.load(open("first.json"))
assert m["bytes"] <= 524288 and m["errors"]["mean"] <= 0.005 and m["errors"]["samples"] > 0, m
assert abs(m["a"]["radius"] - 0.7) < 1e-12 and m["a"]["rotations"] == 0 and m["a"]["mirror"], m["a"]
END
expect 0 "$TOUCHSTONE" map build O disc --json again.json --quiet
[ ! -s stdout ] && [ ! -s stderr ] || complain "--quiet printed something"
[ "$(field again.json from_cache)" = True ] || complain "the map was not found again"
[ "$(field again.json errors mean)" = "$(field first.json errors mean)" ] || complain "its errors were not kept"
expect 0 "$TOUCHSTONE" map build O disc --rebuild --json anew.json --quiet
[ "$(field anew.json from_cache)" = False ] || complain "--rebuild took it from the cache"
expect 0 "$TOUCHSTONE" map info O disc --no-cache
says stdout "not in the cache"

# a file of its own
expect 0 "$TOUCHSTONE" map build O disc -o disc.tsmap --quiet
expect 0 "$TOUCHSTONE" map info disc.tsmap --json file.json
says stdout "file"
[ "$(field file.json kind)" = table ] || complain "the file holds another kind"
head -c 200 disc.tsmap >half.tsmap
expect 2 "$TOUCHSTONE" map info half.tsmap
expect 2 "$TOUCHSTONE" map info missing.tsmap
says stderr "there is no file 'missing.tsmap'"
expect 2 "$TOUCHSTONE" map build disc --kind exact -o exact.tsmap
[ ! -e exact.tsmap ] || complain "an exact map left a file"

# how often poses repeat, by the groups: n_A n_B, twice that when both have mirrors, twice that when A and B are alike
folds() {
    expect 0 "$TOUCHSTONE" map info "$1" "$2" --json pair.json
    [ "$(field pair.json folding)" = "$3.0" ] || [ "$(field pair.json folding)" = "$3" ] ||
        complain "$1 × $2 folds $(field pair.json folding) times, not $3"
}
folds hash octagon 64
folds hash hash 64
folds arc-50 arc-50 4
folds arc-25 U 2
folds N N 8
folds N hash 8
folds G S 1
folds S S 2

# shapes from files of every kind; a scene's shape needs its name, a font's letter too
expect 0 "$TOUCHSTONE" map info "$scenes/drawings/parts.svg:gear" "$font:G"
says stdout "parts.svg#gear × DejaVuSans-Bold-ASCII.ttf 'G'"
expect 0 "$TOUCHSTONE" map info "$scenes/shapes/chain.json" "$scenes/outlines.json:washer"
says stdout "link × washer"
expect 2 "$TOUCHSTONE" map info "$scenes/shapes/grains.json" disc
says stderr "say which is meant, as in $scenes/shapes/grains.json:O"
expect 2 "$TOUCHSTONE" map info "$font" disc
says stderr "say which letter is meant"
expect 2 "$TOUCHSTONE" map info "$scenes/shapes/grains.json:hsah" disc
says stderr "did you mean 'hash'?"
expect 2 "$TOUCHSTONE" map info "$scenes/drawings/parts.svg:" disc

# a scene: two shapes that meet each other and themselves, but discs need no map; the form and the ratio of sizes of one pair are those of
# the map above, so it is in the cache already
cat >scene.json <<END
{"touchstone": 1,
 "shapes": {"ring": {"kind": "ring", "outer": 1.4, "inner": 1}, "ball": {"kind": "disc", "radius": 1.4},
            "unused": {"kind": "box", "width": 1, "height": 1}},
 "bodies": [{"shape": "ball", "position": [0, 0]}, {"shape": "ball", "position": [9, 9]}, {"shape": "ring", "position": [5, 0]}]}
END
expect 0 "$TOUCHSTONE" check scene.json
says stdout "2, auto, 1 of them in the cache"
expect 0 "$TOUCHSTONE" map build scene.json --json made.json
says stdout "ring × ball"
says stdout "ring × ring"
says stdout "2 maps"
narrow stdout
[ "$(/usr/bin/env python3 -c 'import json; print(len(json.load(open("made.json"))["maps"]))')" = 2 ] || complain "not two maps"
expect 0 "$TOUCHSTONE" check scene.json --json check.json
[ "$(field check.json maps)" = 2 ] && [ "$(field check.json maps_at_hand)" = 2 ] || complain "check does not see the maps"
expect 0 "$TOUCHSTONE" map build scene.json
says stdout "2 from the cache"
expect 0 "$TOUCHSTONE" check scene.json --set map.kind=exact
says stdout "2, exact: nothing to be made beforehand"
expect 2 "$TOUCHSTONE" map build scene.json -o x.tsmap
expect 2 "$TOUCHSTONE" map build nowhere.json
says stderr "there is no file 'nowhere.json'"
expect 0 "$TOUCHSTONE" map build "$scenes/drop.json"
says stdout "needs no maps"

# side by side
expect 0 "$TOUCHSTONE" map compare O disc --kinds exact,auto --quick --json compare.json
says stdout "exact"
says stdout "surface"
narrow stdout
/usr/bin/env python3 - <<'END' || complain "the comparison is not in order"
import json
row = json.load(open("compare.json"))["maps"]
assert [r["kind"] for r in row] == ["exact", "table"], row
assert row[0]["errors"] is None and row[1]["errors"]["mean"] <= 0.005 and all(r["query_seconds"] > 0 for r in row), row
END
expect 2 "$TOUCHSTONE" map compare O disc --kinds exact,tables
says stderr "'tables'"

# a picture
expect 0 "$TOUCHSTONE" map plot O disc -o map.png --pixels 400
[ "$(head -c 4 map.png | tail -c 3)" = PNG ] || complain "map.png is no picture"
expect 2 "$TOUCHSTONE" map plot O disc -o map.jpg
says stderr "does not end in .png"

# Ctrl-C: stopped, said, and nothing left behind
mkdir stopped
TOUCHSTONE_CACHE=$PWD/stopped timeout -s INT 1 "$TOUCHSTONE" map build G S --kind network --threads 1 >stdout 2>stderr
code=$?
[ $code = 1 ] || [ $code = 124 ] || complain "an interrupted build ended with $code"
says stderr "touchstone:"
[ -z "$(find stopped -name '*.tsmap*')" ] || complain "an interrupted build left $(ls stopped)"

# what is refused, each with one sentence
expect 2 "$TOUCHSTONE" map
says stderr "build, info, compare or plot"
expect 2 "$TOUCHSTONE" map biuld O
says stderr "did you mean 'build'?"
expect 2 "$TOUCHSTONE" map build
says stderr "which shapes?"
expect 2 "$TOUCHSTONE" map build octogon disc
says stderr "did you mean 'octagon'?"
expect 2 "$TOUCHSTONE" map build drawing.svg disc
says stderr "there is no file 'drawing.svg'"
expect 2 "$TOUCHSTONE" map build O disc --kind tabel
expect 2 "$TOUCHSTONE" map build O disc --error -1
expect 2 "$TOUCHSTONE" map build O disc --error nan
expect 2 "$TOUCHSTONE" map build O disc --depth 99
expect 2 "$TOUCHSTONE" map build O disc --grid 1
expect 2 "$TOUCHSTONE" map build O disc -o /nowhere/x.tsmap
finish
