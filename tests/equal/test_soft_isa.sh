# SPDX-License-Identifier: MIT
# Soft-step gives the same bits with every instruction set that the machine has, in the plane and in space.
. "$SOURCE_DIR/tests/cli/support.sh"

cat >plane.json <<END
{"touchstone": 1, "duration": 2, "seed": 3, "dynamics": {"kind": "soft-step", "friction": 0.4, "restitution": 0.3},
 "shapes": {"ell": {"kind": "polygon", "points": [[0, 0], [0.15, 0], [0.15, 0.04], [0.04, 0.04], [0.04, 0.15],
   [0, 0.15]]}, "ring": {"kind": "arc", "radius": 0.08, "thickness": 0.03, "angle": "250 deg"},
  "disc": {"kind": "disc", "radius": 0.05},
  "mix": {"kind": "group", "members": {"ell": 1, "ring": 1, "disc": 1}}},
 "walls": [{"kind": "polyline", "points": [[0, 3], [0, 0], [1.2, 0], [1.2, 3]]}],
 "generators": [{"kind": "random", "region": {"box": [0.1, 0.1, 1.1, 2]}, "count": 50, "shape": "mix"}]}
END
cat >space.json <<END
{"touchstone": 1, "space": "space", "duration": 2, "seed": 3,
 "dynamics": {"kind": "soft-step", "friction": 0.4, "restitution": 0.3},
 "shapes": {"box": {"kind": "box", "size": [0.2, 0.15, 0.1]}, "ball": {"kind": "sphere", "radius": 0.08},
  "pill": {"kind": "capsule", "radius": 0.05, "length": 0.12},
  "can": {"kind": "cylinder", "radius": 0.07, "length": 0.14}},
 "walls": [{"kind": "room", "low": [0, 0, 0], "high": [0.9, 0.9, 5]}],
 "generators": [{"kind": "random", "region": {"box": [0.1, 0.1, 0.1, 0.8, 0.8, 2.4]}, "count": 30,
  "mix": [{"shape": "box", "weight": 1}, {"shape": "ball", "weight": 1}, {"shape": "pill", "weight": 1},
   {"shape": "can", "weight": 1}]}]}
END
for dimension in plane space; do
    first=
    for isa in baseline avx2 avx512; do
        TOUCHSTONE_CPU=$isa expect 0 "$TOUCHSTONE" run $dimension.json --no-record --threads 1 -q --json $isa.json
        hash=$(field $isa.json state_hash)
        first=${first:-$hash}
        [ "$hash" = "$first" ] || complain "$dimension: $isa gives $hash, baseline $first"
    done
    [ "$(field baseline.json instructions)" = baseline ] || complain "TOUCHSTONE_CPU has not lowered the level"
    /usr/bin/python3 -c "import sys; sys.exit(not $(field baseline.json contacts_per_step) > 20)" ||
        complain "$dimension: hardly anything touches"
done
finish
