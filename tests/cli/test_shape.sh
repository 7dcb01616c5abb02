#!/bin/bash
# SPDX-License-Identifier: MIT
#
# touchstone shape: a drawing, a letter and a scene, in words, as JSON and as a picture; and what is wrong with them.
. "$SOURCE_DIR/tests/cli/support.sh"
scenes=$SOURCE_DIR/scenes
font=$scenes/fonts/DejaVuSans-Bold-ASCII.ttf

# a plate 40 × 30 with a hole of radius 5, in millimetres: area 1200 - 25π, and it has two mirror axes
cat >plate.svg <<'END'
<svg xmlns="http://www.w3.org/2000/svg" width="100mm" height="100mm" viewBox="0 0 100 100">
  <path fill-rule="evenodd" d="M10 10 h40 v30 h-40 z M35 25 a5 5 0 1 0 -10 0 a5 5 0 1 0 10 0 z"/>
</svg>
END
expect 0 "$TOUCHSTONE" shape plate.svg --json plate.json
says stdout "2, 1 of them holes"
says stdout "4 lines, 2 arcs"
says stdout "1121.46018"
says stdout "D2"
says stdout "1.00 mm"
says stdout "out/plate.png"
narrow stdout
[ "$(head -c 4 out/plate.png | tail -c 3)" = PNG ] || complain "out/plate.png is no picture"
/usr/bin/env python3 - <<'END' || complain "plate.json is not what the plate is"
import json, math
shape = json.load(open("plate.json"))["shapes"][0]
hole = 25 * math.pi
assert math.isclose(shape["area"], 1200 - hole, rel_tol=1e-12), shape["area"]
assert math.isclose(shape["inertia"], 1200 * 2500 / 12 - hole * 25 / 2, rel_tol=1e-12), shape["inertia"]
assert math.hypot(shape["centre"][0] - 30, shape["centre"][1] + 25) < 1e-9, shape["centre"]
assert math.isclose(shape["radius"], 25) and math.isclose(shape["unit_in_metres"], 1e-3)
assert shape["symmetry"]["group"] == "D2" and len(shape["contours"]) == 2
END

# letters, each once; a picture of each
expect 0 "$TOUCHSTONE" shape "$font" --text "GOG" --png letter.png --width 300
says stdout "'G'"
says stdout "C1, none"
[ -e letter-1.png ] && [ -e letter-2.png ] && [ ! -e letter-3.png ] || complain "not one picture for each letter"

# shapes of a scene
expect 0 "$TOUCHSTONE" shape "$scenes/outlines.json" --shape washer --no-picture
says stdout "O(2), as a circle"
[ ! -e out/outlines.png ] || complain "--no-picture drew one"
expect 0 "$TOUCHSTONE" shape "$scenes/outlines.json" --no-picture --quiet
[ ! -s stdout ] || complain "--quiet printed something"

# discs and clusters are outlines, too: a peanut of two discs of radius 20 mm, 30 mm apart
expect 0 "$TOUCHSTONE" shape "$scenes/drop.json" --shape peanut --json peanut.json --no-picture
says stdout "D2"
/usr/bin/env python3 - <<'END' || complain "the peanut has another area"
import json, math
r, d = 0.02, 0.03
lens = 2 * r * r * math.acos(d / 2 / r) - d / 2 * math.sqrt(4 * r * r - d * d)
area = json.load(open("peanut.json"))["shapes"][0]["area"]
assert math.isclose(area, 2 * math.pi * r * r - lens, rel_tol=1e-12), area
END

# a file of shapes needs no bodies; the letters of a text are found by its name
expect 0 "$TOUCHSTONE" shape "$scenes/common/grains.json" --no-picture
expect 0 "$TOUCHSTONE" shape "$scenes/letters.json" --shape word --no-picture
says stdout "word/T"
expect 0 "$TOUCHSTONE" shape "$scenes/outlines.json" --shape gear --width 300
[ -e out/outlines-gear.png ] || complain "the picture's name lacks the shape's"

# a drawing that was mended says so
cat >open.svg <<'END'
<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0 L10 0 L10 10 L0 10"/></svg>
END
expect 0 "$TOUCHSTONE" shape open.svg --no-picture
says stdout "closed"

# grains of the library: all are listed, and each is looked at by its name. The names are those of the files.
expect 0 "$TOUCHSTONE" shape --json names.json
narrow stdout
says stdout '`touchstone shape NAME`'
/usr/bin/env python3 - "$scenes"/shapes/*.json <<'END' || complain "the list is not that of the library"
import json, re, sys
def read(path):
    return json.loads(re.sub(r"^\s*//.*$", "", open(path).read(), flags=re.M))
files = [name for path in sys.argv[1:] for name in read(path)["shapes"]]
listed = json.load(open("names.json"))["grains"]
assert sorted(listed) == sorted(files) and len(files) > 20, (listed, files)
lines = open("stdout").read().split("\n\n")[0].splitlines()[1:]
assert [line.split()[0] for line in lines] == listed, lines
END
expect 0 "$TOUCHSTONE" shape octagon --json octagon.json --no-picture
says stdout "8 lines, 0 arcs"
/usr/bin/env python3 - <<'END' || complain "the octagon is not regular"
import json, math
shape = json.load(open("octagon.json"))["shapes"][0]
assert math.isclose(shape["radius"], 0.7, rel_tol=1e-12), shape["radius"]
assert math.isclose(shape["area"], 2 * math.sqrt(2) * 0.7 ** 2, rel_tol=1e-12), shape["area"]
END
expect 0 "$TOUCHSTONE" shape hash --width 300
[ -e out/hash.png ] || complain "the picture of a grain has another name"
expect 2 "$TOUCHSTONE" shape octogon
says stderr "did you mean 'octagon'?"
says stderr '`touchstone shape` lists them'
expect 2 "$TOUCHSTONE" shape octagon --text G
says stderr "no meaning for a grain"
mkdir -p folder.svg
expect 2 "$TOUCHSTONE" shape folder.svg
says stderr "is a folder"

# what cannot be looked at
expect 2 "$TOUCHSTONE" shape missing.svg
says stderr "there is no file 'missing.svg'"
cp plate.svg plate.txt
expect 2 "$TOUCHSTONE" shape plate.txt
says stderr "ends in no name that is known"
expect 2 "$TOUCHSTONE" shape "$font"
says stderr "--text G"
expect 2 "$TOUCHSTONE" shape "$font" --text "G☃"
says stderr "U+2603"
expect 2 "$TOUCHSTONE" shape plate.svg --id plates
expect 2 "$TOUCHSTONE" shape "$scenes/outlines.json" --shape washers
says stderr "did you mean 'washer'?"
expect 2 "$TOUCHSTONE" shape plate.svg --text G
says stderr "no meaning for a drawing"
expect 2 "$TOUCHSTONE" shape "$font" --text " "
says stderr "no visible character"
expect 2 "$TOUCHSTONE" shape plate.svg --png plate.jpg
says stderr "does not end in .png"
expect 2 "$TOUCHSTONE" shape plate.svg --tolerance 2
echo '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0 L1 nan"/></svg>' >nan.svg
expect 2 "$TOUCHSTONE" shape nan.svg
says stderr "nan.svg:1:"
expect 2 "$TOUCHSTONE" shape plate.svg --png /nowhere/x.png

# a box of 2 × 1 × 0.5 as a mesh, and what is wrong with others
cat >box.obj <<'EOF'
v 0 0 0
v 2 0 0
v 0 1 0
v 2 1 0
v 0 0 0.5
v 2 0 0.5
v 0 1 0.5
v 2 1 0.5
f 1 3 4 2
f 5 6 8 7
f 1 2 6 5
f 3 7 8 4
f 1 5 7 3
f 2 4 8 6
EOF
expect 0 "$TOUCHSTONE" shape fit box.obj --count 1 --vertices 60 -o box.json --json - --width 400
says stdout '"vertices": 60'
says stdout '"overlap": 0.9'
says stderr "1, in"
[ -s box.json ] && [ -s box.png ] || complain "no body or no picture"
expect 0 "$TOUCHSTONE" manifold box.json box.json --pose 0,0,0.49
expect 0 "$TOUCHSTONE" shape fit box.obj --count 1 --threads 1 --no-picture -q -o one.json
expect 0 "$TOUCHSTONE" shape fit box.obj --count 1 --threads 3 --no-picture -q -o three.json
cmp one.json three.json || complain "threads change a fit"
expect 2 "$TOUCHSTONE" shape fit
says stderr "which mesh?"
expect 2 "$TOUCHSTONE" shape fit nowhere.obj
says stderr "there is no file 'nowhere.obj'"
expect 2 "$TOUCHSTONE" shape fit box.obj --count 0
expect 2 "$TOUCHSTONE" shape fit box.obj --count 1000
expect 2 "$TOUCHSTONE" shape fit box.obj --text G
says stderr "are of outlines"
expect 2 "$TOUCHSTONE" shape hash --count 3
says stderr "shape fit MESH"
expect 2 "$TOUCHSTONE" shape fit box.obj -o /nowhere/box.json
expect 2 "$TOUCHSTONE" shape fit box.obj box.obj more
grep -v '^f [3-5]' box.obj | sed 's/0\.5$/0/' >flat.obj
expect 2 "$TOUCHSTONE" shape fit flat.obj
says stderr "the mesh is flat"
printf 'v 0 0 0\nv 1 0 0\nv nan 1 0\nf 1 2 3\n' >nan.obj
expect 2 "$TOUCHSTONE" shape fit nan.obj
finish
