# SPDX-License-Identifier: MIT
# touchstone measure: tables, summaries and profiles of a run, checked against what was recorded.
. "$SOURCE_DIR/tests/cli/support.sh"

expect 0 "$TOUCHSTONE" run box.json --out r -q --duration "50 ms" --set 'output.measures=["packing","velocity","repose"]'
expect 0 "$TOUCHSTONE" export r --what bodies --out bodies.csv
expect 0 "$TOUCHSTONE" export r --what contacts --out contacts.csv
expect 0 "$TOUCHSTONE" measure r
cp stdout all.csv
plain stdout
expect 0 "$TOUCHSTONE" measure r --profile velocity --bins 7 --csv velocity.csv
expect 0 "$TOUCHSTONE" measure r --profile packing --bins 5 --along x
cp stdout packing.csv
expect 0 "$TOUCHSTONE" measure r --what flow --line 0,0.2,0.2,0.2
cp stdout flow.csv

# From the exported bodies and contacts, by other means.
/usr/bin/python3 - <<'END' || complain "measures disagree with what was exported"
import csv, math
def read(name):
    return list(csv.DictReader(open(name)))
close = lambda a, b: math.isclose(float(a), float(b), rel_tol=1e-6, abs_tol=1e-9)
bodies, contacts, rows, energies = read("bodies.csv"), read("contacts.csv"), read("all.csv"), read("r/energies.csv")
assert len(rows) == 6, len(rows)
for row in rows:
    mine = [b for b in bodies if b["frame"] == row["frame"]]
    touching = [c for c in contacts if c["frame"] == row["frame"]]
    mass = sum(float(b["mass_kg"]) for b in mine)
    area = mass / 1000  # density 1000
    assert close(row["grain_area_m2"], area), (row["grain_area_m2"], area)
    vy = sum(float(b["mass_kg"]) * float(b["vy_m_per_s"]) for b in mine) / mass
    assert close(row["mean_vy_m_per_s"], vy), (row["mean_vy_m_per_s"], vy)
    ends = sum((int(c["a"]) >= 0) + 1 for c in touching)
    assert close(row["coordination"], ends / 200), (row["coordination"], ends / 200)
    fxx = sum(float(c["normal_x"])**2 for c in touching)
    if touching:
        assert close(row["fabric_xx"], fxx / len(touching))
    # Love-Weber stress, all contacts
    at = {int(b["body"]): (float(b["x_m"]), float(b["y_m"])) for b in mine}
    yy = 0
    for c in touching:
        b = at[int(c["b"])]
        if int(c["a"]) >= 0:
            a = at[int(c["a"])][1]
        else:
            a = float(c["y_m"]) + 0.5 * float(c["gap_m"]) * float(c["normal_y"])
        yy += float(c["force_y_N"]) * (b[1] - a)
    assert math.isclose(float(row["stress_yy_N_per_m"]), yy / float(row["region_area_m2"]), rel_tol=1e-5, abs_tol=1e-6)
    # the run's own table, at the same time
    own = [e for e in energies if close(e["time_s"], row["time_s"])][0]
    assert close(own["packing_fraction"], row["packing_fraction"])
    assert math.isclose(float(own["mean_vy_m_per_s"]), float(row["mean_vy_m_per_s"]), rel_tol=1e-5, abs_tol=1e-7)
profile = [p for p in read("velocity.csv") if p["frame"] == "5"]
assert len(profile) == 7 and sum(float(p["grains"]) for p in profile) == 200
packing = read("packing.csv")
for frame, row in enumerate(rows):
    mine = [float(p["packing_fraction"]) for p in packing if int(p["frame"]) == frame]
    assert len(mine) == 5 and close(sum(mine) / 5, row["packing_fraction"])
# grains that passed y = 0.2 downwards, counted from one frame to the next
flow = read("flow.csv")
assert flow[0]["flow_grains_per_s"] == "nan"
for k in range(1, 6):
    y = [[float(b["y_m"]) for b in bodies if int(b["frame"]) == f] for f in (k - 1, k)]
    down = sum(p > 0.2 >= q for p, q in zip(*y)) - sum(q > 0.2 >= p for p, q in zip(*y))
    assert close(float(flow[k]["flow_grains_per_s"]) * 0.01, down), (flow[k], down)
END

# heights, piles, overlaps and passages, from the discs of which the exported bodies consist
expect 0 "$TOUCHSTONE" measure r --what height,overlap --csv height.csv -q
expect 0 "$TOUCHSTONE" measure r --profile pile --bins 6 --csv pile.csv
expect 0 "$TOUCHSTONE" measure r --what flow --line 0,0.2,0.2,0.2 --json passages.json -q
/usr/bin/python3 - <<'END' || complain "heights, piles, overlaps or passages disagree with what was exported"
import csv, json, math

def read(name):
    return list(csv.DictReader(open(name)))

def discs(b):
    x, y, angle, radius = (float(b[k]) for k in ("x_m", "y_m", "angle_rad", "radius_m"))
    if b["shape"] != "1":
        return [(x, y, radius)]
    return [(x + s * 3e-3 * math.cos(angle), y + s * 3e-3 * math.sin(angle), 4e-3) for s in (-1, 1)]

bodies, height, pile = read("bodies.csv"), read("height.csv"), read("pile.csv")
assert len(pile) == 6 * len(height)
for f, row in enumerate(height):
    here = [discs(b) for b in bodies if int(b["frame"]) == f]
    low = min(y - r for b in here for x, y, r in b)
    high = max(y + r for b in here for x, y, r in b)
    top, surface, centre = (float(row[k]) for k in ("column_height_m", "surface_height_m", "centre_height_m"))
    assert 0 < centre < top < high - low and centre < surface < high - low, (row, low, high)
    tops = [float(p["top_m"]) for p in pile if int(p["frame"]) == f]
    assert abs(max(tops) - high) < 1e-12, (tops, high)
    # how deep each pair overlaps; what is less than the chords of a cluster's circles may be missed
    deep = [max(p[2] + q[2] - math.hypot(p[0] - q[0], p[1] - q[1]) for p in a for q in b)
            for i, a in enumerate(here) for b in here[:i]]
    sure, all_of_them = sum(d > 3e-8 for d in deep), sum(d > 0 for d in deep)
    assert sure <= float(row["overlap_pairs"]) <= all_of_them, (row, sure, all_of_them)
    most = max(max(deep), 0)
    assert abs(float(row["overlap_max_depth_m"]) - most) <= 1e-3 * most + 3e-8, (row, most)
    assert float(row["overlap_through_pairs"]) == 0
assert sure > 10, sure
passages = json.load(open("passages.json"))["passages"]
above = sum(float(b["y_m"]) > 0.2 for b in bodies if int(b["frame"]) == len(height) - 1)
net = sum(float(row["flow_grains_per_s"]) * 0.01 for row in read("flow.csv")[1:])
assert passages["waiting_grains"] == above and passages["passed_grains"] == max(round(net), 0), (passages, above, net)
END

# a summary beside a file, and JSON
expect 0 "$TOUCHSTONE" measure r --what packing,stress --csv table.csv
says stdout "packing_fraction"
says stdout "6 frames"
narrow stdout
plain stdout
[ "$(wc -l <table.csv)" = 7 ] || complain "--csv writes $(wc -l <table.csv) lines"
expect 0 "$TOUCHSTONE" measure r --json m.json -q
[ "$(field m.json frames)" = 6 ] || complain "JSON says $(field m.json frames) frames"
field m.json measures packing_fraction last >/dev/null || complain "JSON lacks the packing fraction"
expect 0 "$TOUCHSTONE" measure r --frames -1 --what energy
[ "$(wc -l <stdout)" = 2 ] || complain "--frames -1 gives $(wc -l <stdout) lines"
expect 0 "$TOUCHSTONE" measure --list --what front
says stdout "front_right_m"
expect 0 "$TOUCHSTONE" measure --list
says stdout "overlap_mean_depth_m"
# a scene as it stands
expect 0 "$TOUCHSTONE" measure box.json --what packing
[ "$(wc -l <stdout)" = 2 ] || complain "a scene gives $(wc -l <stdout) lines"

bad() {
    local sentence="$1"
    shift
    expect 2 "$TOUCHSTONE" measure "$@"
    says stderr "$sentence"
    [ ! -s stdout ] || complain "output in spite of a wrong argument: $*"
}
bad "did you mean 'packing'" r --what pakcing
bad "did you mean 'packing'" r --what pack
bad "there is no 'zzzzzz'; choose from packing, " r --what zzzzzz
says stderr "all"
bad "there is no 'zzzzzz'; choose from " r --profile zzzzzz
[ "$(grep -c "help measure" stderr)" = 1 ] || complain "help is named more than once"
bad "did you mean 'velocity'" r --profile velocty
bad "four numbers" r --region 1,2,3
bad "is empty" r --region 1,1,0,0
bad "needs a line" r --what flow
bad "has no length" r --what flow --line 1,1,1,1
bad "chooses nothing" r --frames 10:
bad "between 0 and 1" r --share 2
bad "time in seconds" r --jam -1
bad "which run?"
bad "there is no run" nowhere
bad "--json has no profiles" r --profile rose --json x.json
bad "standard output" r --csv --json
expect 2 "$TOUCHSTONE" check box.json --set 'output.measures=["stres"]'
says stderr "did you mean \"stress\""
expect 2 "$TOUCHSTONE" check box.json --set 'output.measures=["flow"]'
says stderr "needs a line"
expect 2 "$TOUCHSTONE" check box.json --set 'output.measures="stress"'
expect 2 "$TOUCHSTONE" check box.json --set 'output.measures={"what": ["flow"]}'
says stderr "needs a line"

bad "energy is that of all grains" r --what packing,energy --region 0,0,1,1
expect 0 "$TOUCHSTONE" measure r --region 0,0,1,1 --frames -1
head -1 stdout | grep -q energy_balance_J && complain "--region keeps the energy of all grains"
head -1 stdout | grep -q chains || complain "--region loses the chains"
expect 0 "$TOUCHSTONE" measure r --profile rose --no-walls --frames -1

# the flow and options within a run: its rows are those of the frames
expect 0 "$TOUCHSTONE" run box.json --out f -q --duration "50 ms" --set 'output.energy_interval="10 ms"' \
    --set 'output.measures={"what": ["flow", "packing"], "line": [-1, 0.1, 1, 0.1], "region": [0, 0, 0.1, 0.2]}'
expect 0 "$TOUCHSTONE" measure f --what flow,packing --line -1,0.1,1,0.1 --region 0,0,0.1,0.2 --csv f.csv -q
/usr/bin/python3 - <<'END' || complain "flow or packing of a run disagree with those of its frames"
import csv
own, later = list(csv.DictReader(open("f/energies.csv"))), list(csv.DictReader(open("f.csv")))
assert len(own) == len(later) == 6
for a, b in zip(own, later):
    for name in ("flow_kg_per_s", "flow_grains_per_s", "packing_fraction"):
        assert a[name] == b[name], (name, a[name], b[name])
assert any(float(a["flow_grains_per_s"]) > 0 for a in own[1:])
END

# a run that recorded no contacts has nan, not zero
expect 0 "$TOUCHSTONE" run box.json --out n -q --duration "20 ms" --set output.contacts=false
expect 0 "$TOUCHSTONE" measure n --what coordination --frames -1
says stdout "nan,nan,nan,nan"

# bodies in space: rows of a run are those of its frames; a column on a floor carries its weight; what is of the plane is refused
cat >space.json <<'END'
{
    "touchstone": 1, "space": "space", "duration": "0.1 s", "dynamics": {"kind": "impact", "friction": 0, "restitution": 0, "density": 1000},
    "shapes": {"ball": {"kind": "sphere", "radius": 0.1}, "block": {"kind": "box", "size": [0.2, 0.2, 0.2]}},
    "bodies": [{"shape": "ball", "position": [0, 0, 0.1]}, {"shape": "block", "position": [1, 0, 0.1]},
               {"shape": "ball", "position": [2, 0, 0.9], "velocity": [0, 0, -3]}],
    "walls": [{"kind": "plane", "position": [0, 0, 0], "normal": [0, 0, 1]}],
    "output": {"energy_interval": "20 ms", "frame_interval": "20 ms", "measures": {
        "what": ["packing", "stress", "flow"], "region": [-0.5, -0.5, -0.1, 1.5, 0.5, 0.15], "line": [0, 0, 0.8, 0, 0, 0]}}
}
END
expect 0 "$TOUCHSTONE" run space.json --out s -q
expect 0 "$TOUCHSTONE" measure s --what packing,stress,flow --region=-0.5,-0.5,-0.1,1.5,0.5,0.15 --line 0,0,0.8,0,0,0 --csv s.csv -q
/usr/bin/python3 - <<'END' || complain "measures of a run in space are off"
import csv, math
own, later = list(csv.DictReader(open("s/energies.csv"))), list(csv.DictReader(open("s.csv")))
assert len(own) == len(later) == 6
for a, b in zip(own, later):
    for name in ("packing_fraction", "stress_zz_N_per_m2", "flow_grains_per_s"):
        x, y = float(a[name]), float(b[name])
        assert math.isclose(x, y, rel_tol=1e-6) or (math.isnan(x) and math.isnan(y)), (name, x, y)
assert sum(0.02 * float(a["flow_grains_per_s"]) for a in own[1:]) == 1
last = later[-1]
ball = math.pi * (4 / 3 * 0.1 ** 3 - 0.05 ** 2 * (3 * 0.1 - 0.05) / 3) # without its cap above the region
assert math.isclose(float(last["packing_fraction"]), (ball + 0.2 * 0.2 * 0.15) / 0.5, rel_tol=1e-4), last
# half a branch of each: weight · 0.1 m / volume of the region
weight = 9.81 * 1000 * (4 / 3 * math.pi * 1e-3 + 8e-3)
assert math.isclose(float(last["stress_zz_N_per_m2"]), weight * 0.1 / 0.5, rel_tol=2e-2), (last["stress_zz_N_per_m2"], weight * 0.2)
END
expect 0 "$TOUCHSTONE" measure s --profile packing --frames -1 --bins 4
[ "$(wc -l <stdout)" = 5 ] || complain "a profile of four slices has $(wc -l <stdout) lines"
expect 0 "$TOUCHSTONE" measure s --list
says stdout fabric_zz
bad "repose is measured in the plane only" s --what repose
bad "must be six numbers" s --region 0,0,1,1
bad "--along y has no slices" s --profile packing --along y
expect 2 "$TOUCHSTONE" run space.json --out t -q --set 'output.measures=["repose"]'
says stderr "is measured in the plane only"
finish
