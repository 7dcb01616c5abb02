#!/bin/bash
# SPDX-License-Identifier: MIT
#
# touchstone manifold: gaps against closed forms of balls, gradients against differences of what the program itself finds, batches
# against single poses, pictures, and what is refused.
. "$SOURCE_DIR/tests/cli/support.sh"

# two balls, 0.1 apart; vertices stand on the line between the centres
expect 0 "$TOUCHSTONE" manifold ball:0.3 ball:0.2 --pose 0,0,0.6 --json balls.json
says stdout "ball:0.3 × ball:0.2"
says stdout "deepest contacts"
narrow stdout
plain stdout
python3 - <<'END' || complain "balls are not 0.1 apart"
import json, math
d = json.load(open("balls.json"))
p = d["poses"][0]
n = d["counts"]
assert n["all"] == sum(n["vertices"]) + 2 * n["edges"][0] * n["edges"][1] == len(p["contacts"]["gap"]), n
assert abs(p["smallest_gap"] - 0.1) < 1e-9 and p["vertices_inside"] == 0, p["smallest_gap"]
# every vertex's gap is its distance from the other ball
centre, radius = {0: (0, 0, 0.6), 1: (0, 0, 0)}, {0: 0.2, 1: 0.3}
for i in range(sum(n["vertices"])):
    other = 0 if i < n["vertices"][0] else 1
    x = p["contacts"]["point"][i]
    assert abs(p["contacts"]["gap"][i] - (math.dist(x, centre[other]) - radius[other])) < 1e-9
    u = [(a - b) * (-1 if other == 0 else 1) for a, b in zip(x, centre[other])]
    length = math.hypot(*u)
    assert all(abs(m - v / length) < 1e-6 for m, v in zip(p["contacts"]["normal"][i], u)), i
total = sum(p["contacts"]["weight"])
assert abs(p["mean_gap"] - sum(w * g for w, g in zip(p["contacts"]["weight"], p["contacts"]["gap"])) / total) < 1e-12
END

# gradients: by B's position along z and by a turn about x, as central differences of the program's own values
pose() { awk -v x="$1" -v a="$2" 'BEGIN { printf "0.05,0.02,%.17g,%.17g,%.17g,0,0", 0.9 + x, cos((0.4 + a) / 2), sin((0.4 + a) / 2) }'; }
for of in mean-gap energy; do
    expect 0 "$TOUCHSTONE" manifold superquadric:0.5,0.4,0.5,0.5,0.7 ball --pose "$(pose 0 0)" --gradient --of $of --smoothing 0.1 --json at.json -q
    [ ! -s stdout ] || complain "--quiet printed something"
    for side in "1e-5 0" "-1e-5 0" "0 1e-5" "0 -1e-5"; do
        pose $side
        echo
    done >near.csv
    expect 0 "$TOUCHSTONE" manifold superquadric:0.5,0.4,0.5,0.5,0.7 ball --poses near.csv --smoothing 0.1 --json near.json
    python3 - $of <<'END' || complain "the gradient of $of is not its differences"
import json, sys
key = {"mean-gap": "mean_gap", "energy": "energy"}[sys.argv[1]]
g = json.load(open("at.json"))["poses"][0]["gradient"]
v = [p[key] for p in json.load(open("near.json"))["poses"]]
z, turn = (v[0] - v[1]) / 2e-5, (v[2] - v[3]) / 2e-5
assert g["of"] == sys.argv[1] and abs(z) > 1e-6, (z, turn)
scale = max(abs(z), abs(turn))
assert abs(g["b"]["position"][2] - z) < 1e-5 * scale, (g, z)
assert abs(g["b"]["turn"][0] - turn) < 1e-5 * scale, (g, turn)
# moving both bodies changes nothing
assert all(abs(a + b) < 1e-9 * scale for a, b in zip(g["a"]["position"], g["b"]["position"]))
END
done

# a batch is its poses one by one, on any number of threads; every way to write a pose is the same one
cat >poses.csv <<'END'
x,y,z
# a comment, and an empty line

0,0,95 cm
0,0,0.95,1,0,0,0
0,0,0.95,0,0,3,360 deg
{"b": [0, 0, 0.95, 1, 0, 0, 0]}
{"a": [0, 0, 1], "b": [0, 0, 1.95]}
0,0,0,1,0,0,0,0,0,0.95,1,0,0,0
END
expect 0 "$TOUCHSTONE" manifold box box --poses poses.csv -t 1 --json one.json --gradient
cp stdout one.csv
expect 0 "$TOUCHSTONE" manifold box box --poses poses.csv -t 3 --json three.json --gradient
cmp one.csv stdout || complain "CSV differs by threads"
cmp one.json three.json || complain "JSON differs by threads"
[ "$(wc -l <one.csv)" = 7 ] || complain "not a line a pose"
expect 0 "$TOUCHSTONE" manifold box box --pose 0,0,0.95 --json - --gradient
cp stdout single.json
python3 - <<'END' || complain "a batch is not its poses one by one"
import csv, json
single, batch = json.load(open("single.json"))["poses"][0], json.load(open("one.json"))["poses"]
assert len(batch) == 6
for i in (0, 1, 3, 5):
    assert batch[i]["contacts"] == single["contacts"] and batch[i]["gradient"] == single["gradient"], i
for i in (2, 4):
    assert all(abs(a - b) < 1e-12 for a, b in zip(batch[i]["contacts"]["gap"], single["contacts"]["gap"])), i
rows = list(csv.DictReader(open("one.csv")))
assert float(rows[0]["smallest_gap_m"]) == single["smallest_gap"] and float(rows[0]["d_b_z"]) == single["gradient"]["b"]["position"][2]
END

# what is told of edges and vertices is what the contacts say; sides, edges and sizes of meshes are as asked
expect 0 "$TOUCHSTONE" manifold box box --pose 0,0,0.99,0,0,1,45deg --hard --json crossings.json -q
python3 - <<'END' || complain "sums over contacts differ from what is told"
import json
d = json.load(open("crossings.json"))
p, n = d["poses"][0], sum(d["counts"]["vertices"])
weight, gap = p["contacts"]["weight"], p["contacts"]["gap"]
assert abs(p["edge_weights"] - sum(weight[n:])) < 1e-9 and p["edge_weights"] > 1
assert p["vertices_inside"] == sum(g < 0 for g in gap[:n]) > 0
assert p["smallest_gap"] == min(g for g, w in zip(gap, weight) if w >= 0.01)
assert abs(p["energy"] - sum(w * min(g, 0) ** 2 / 2 for g, w in zip(gap, weight))) < 1e-12
END
expect 0 "$TOUCHSTONE" manifold box box --pose 0,0,0.99 --vertices 400 --json fine.json -q
[ "$(field fine.json a vertices)" -gt 300 ] || complain "--vertices 400 gives far fewer"
expect 0 "$TOUCHSTONE" manifold box box --pose 0,0,0.99 --no-edges --sides A --json side.json -q
[ "$(field side.json counts all)" = "$(field side.json a vertices)" ] || complain "one side without edges has other contacts than its vertices"

# a file: two balls in one body, with an octahedron for a mesh
cat >pair.json <<'END'
{"touchstone_smooth": 1, "notes": [], "smoothing": 0.003,
 "pieces": [{"kind": "superquadric", "size": [1, 1, 1], "exponents": [1, 1]},
            {"kind": "superquadric", "size": [0.5, 0.5, 0.5], "exponents": [1, 1], "position": [0.1, 0, 0]}],
 "points": [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]],
 "triangles": [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]}
END
expect 0 "$TOUCHSTONE" manifold pair.json ball:1 --pose 0,0,2.25 --json file.json
says stdout "2 primitives, 6 vertices"
python3 - <<'END' || complain "the body of a file is not 0.25 away"
import json
assert abs(json.load(open("file.json"))["poses"][0]["smallest_gap"] - 0.25) < 1e-6
END
sed 's/\[0, 3, 5\]/[0, 3, 9]/' pair.json >damaged.json
expect 2 "$TOUCHSTONE" manifold damaged.json ball:1 --pose 0,0,2.25
says stderr "damaged.json:"

# pictures
expect 0 "$TOUCHSTONE" manifold box box --pose 0,0,0.99,0,0,1,45deg --png deep/boxes.png -w 400 --colour inside --unscaled --dark
[ "$(head -c 4 deep/boxes.png | tail -c 3)" = PNG ] || complain "there is no picture"

# how many to keep: the quantile is taken here anew, and the hints run
expect 0 "$TOUCHSTONE" manifold choose box ball:0.3 --count 200 --quantile 0.9 --json choose.json
says stdout "to keep"
narrow stdout
python3 - <<'END' || complain "the proposal is not the quantile of its counts"
import json, math
d = json.load(open("choose.json"))
assert d["poses"] == 200 <= d["tried"] and all(len(d[k]) == 200 for k in ("deepest_a", "deepest_b", "pairs"))
def least(counts):  # so many suffice for nine poses of ten, and one less does not
    return max(next(n for n in range(max(counts) + 1) if sum(c <= n for c in counts) >= 0.9 * len(counts) - 1e-9), 1)
assert d["suggested"]["vertices"] == [least(d["deepest_a"]), least(d["deepest_b"])], d["suggested"]
assert d["suggested"]["edges"] == [least(d["pairs"])] * 2 and d["barrier"]["vertices"] == [98, 98], d["suggested"]
END
expect 0 "$TOUCHSTONE" manifold choose box ball:0.3 --count 200 --quantile 0.9 --json again.json -q -t 1
[ ! -s stdout ] || complain "--quiet printed something"
cmp choose.json again.json || complain "the proposal depends on threads"
expect 0 "$TOUCHSTONE" manifold choose box ball:0.3 --count 200 --seed 2 --json other.json -q
! cmp -s choose.json other.json || complain "the seed changes nothing"


# refused
refused() {
    expect 2 "$TOUCHSTONE" manifold "${@:2}"
    says stderr "$1"
}
refused "which bodies" box --pose 0,0,1
refused "where is B" box box
refused "Give two" choose box
refused "has no meaning" choose box ball --pose 0,0,1
refused "is only of" box ball --pose 0,0,1 --quantile 0.5
refused "quantile of 2" choose box ball --quantile 2
refused "two ways to say one thing" box box --pose 0,0,1 --poses poses.csv
refused "did you mean 'box'" bax box --pose 0,0,1
refused "is no smooth body" missing.json box --pose 0,0,1
refused "fit one to it first" drill.obj box --pose 0,0,1
refused "half axes" box:1,2 box --pose 0,0,1
refused "from 0.1" superquadric:1,1,1,3 box --pose 0,0,1
refused "this has 2" box box --pose 0,0
refused "quaternion of a pose has no length" box box --pose 0,0,1,0,0,0,0
refused "axis of a pose has no length" box box --pose 0,0,1,0,0,0,45deg
refused "is not an angle" box box --pose 0,0,1,0,0,1,5kg
refused "missing" box box --pose 0,,1
refused "number above 0" box box --pose 0,0,1 --smoothing 0
refused "names no part of it" box box --pose 0,0,1 --smoothing neerest=0.1
refused "is no count" box box --pose 0,0,1 --keep-edges none
refused "keep fewer" box box --pose 0,0,1 --keep-edges 1000
refused "add --gradient" box box --pose 0,0,1 --of energy
refused "add --png" box box --pose 0,0,1 --unscaled
refused "no file 'none.csv'" box box --poses none.csv
echo '0,0,nan' >bad.csv
refused "bad.csv:1" box box --poses bad.csv
printf '0,0,1\n{"a": [0, 0, 1]}\n' >bad.csv
refused "bad.csv:2" box box --poses bad.csv
: >bad.csv
refused "has no poses" box box --poses bad.csv

finish
