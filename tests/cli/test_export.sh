# SPDX-License-Identifier: MIT
# touchstone export: CSV of what was recorded, checked against the run's own numbers.
. "$SOURCE_DIR/tests/cli/support.sh"

expect 0 "$TOUCHSTONE" run box.json --out r -q --duration "50 ms"

expect 0 "$TOUCHSTONE" export r --format csv --what bodies --out bodies.csv
expect 0 "$TOUCHSTONE" export r --what contacts --out contacts.csv
expect 0 "$TOUCHSTONE" export r --what energies --out energies.csv
cmp energies.csv r/energies.csv || complain "energies are not those of the run"
expect 0 "$TOUCHSTONE" export r --what frames
cp stdout frames.csv

# Kinetic energy and momentum from the exported bodies are those that the run measured; so are the contacts.
/usr/bin/python3 - <<'END' || complain "exported numbers disagree with the run's"
import csv, math
bodies = list(csv.DictReader(open("bodies.csv")))
rows = {round(float(r["time_s"]), 9): r for r in csv.DictReader(open("energies.csv"))}
frames = list(csv.DictReader(open("frames.csv")))
contacts = list(csv.DictReader(open("contacts.csv")))
assert len(frames) == 6 and len(bodies) == 6 * 200, (len(frames), len(bodies))
for frame in frames:
    mine = [b for b in bodies if b["frame"] == frame["frame"]]
    row = rows[round(float(frame["time_s"]), 9)]
    kinetic = sum(0.5 * float(b["mass_kg"]) * (float(b["vx_m_per_s"])**2 + float(b["vy_m_per_s"])**2) for b in mine)
    momentum = sum(float(b["mass_kg"]) * float(b["vy_m_per_s"]) for b in mine)
    # recorded velocities are floats
    assert math.isclose(kinetic, float(row["kinetic_J"]), rel_tol=1e-6), (kinetic, row)
    assert math.isclose(momentum, float(row["momentum_y_Ns"]), rel_tol=1e-5, abs_tol=1e-6), (momentum, row)
    touching = [c for c in contacts if c["frame"] == frame["frame"] and float(c["gap_m"]) < 0]
    assert len(touching) == int(row["contacts"]), (len(touching), row)
END

# columns, in the order asked for
expect 0 "$TOUCHSTONE" export r --what bodies --columns y_m,x_m --frames 0
[ "$(head -1 stdout)" = "y_m,x_m" ] || complain "--columns gives '$(head -1 stdout)'"
[ "$(wc -l <stdout)" = 201 ] || complain "--frames 0 gives $(wc -l <stdout) lines"
expect 0 "$TOUCHSTONE" export r --what energies --columns time_s,total_J --frames 1:3
[ "$(head -1 stdout)" = "time_s,total_J" ] || complain "energies have no columns"
[ "$(wc -l <stdout)" = 3 ] || complain "--frames 1:3 gives $(wc -l <stdout) lines"

# ranges as in Python
count() {
    expect 0 "$TOUCHSTONE" export r --what frames "--frames=$1"
    cut -d, -f1 stdout | tail -n +2 | tr '\n' ' '
}
range() { [ "$(count "$1")" = "$2 " ] || complain "--frames $1 gives '$(count "$1")' instead of '$2'"; }
range 1:3 "1 2"
range 4: "4 5"
range :2 "0 1"
range ::2 "0 2 4"
range 1::2 "1 3 5"
range -1 "5"
range -2: "4 5"
range :-4 "0 1"
range 3 "3"
range 4:100 "4 5"

bad() {
    local sentence="$1"
    shift
    expect 2 "$TOUCHSTONE" export "$@"
    says stderr "$sentence"
}
bad "chooses nothing" r --frames 6
bad "chooses nothing" r --frames 3:3
bad "must be as in" r --frames one
bad "must be as in" r --frames 1:2:3:4
bad "must be as in" r --frames ::0
bad "did you mean 'bodies'?" r --what bodeis
bad "did you mean 'energies'?" r --what energys
bad "discs, energies" r --what foo
bad "x_m" r --columns x_mm
bad "time_s" r --what energies --columns tyme_s
bad "the folder nowhere does not exist; make it first" r --out nowhere/x.csv
bad "is a folder" r --out r

# lists of columns
expect 0 "$TOUCHSTONE" export r --what contacts --list
says stdout gap_m
expect 0 "$TOUCHSTONE" export r --what energies --list
says stdout kinetic_J
expect 0 "$TOUCHSTONE" export --what contacts --list
says stdout "plane: frame,"
says stdout "space: frame,"
expect 0 "$TOUCHSTONE" export --what discs --list
! grep -q "space" stdout || complain "discs are of the plane"
bad "did you mean 'contacts'" --what contcts --list
bad "which run?" --what energies --list
bad "which run?" --what contacts

# a run that was killed: whole frames are exported, and the user hears of the torn one
size="$(stat -c %s r/trajectory.tst)"
truncate -s $((size - 100)) r/trajectory.tst
expect 0 "$TOUCHSTONE" export r --what frames
says stderr "ends within a frame"
[ "$(wc -l <stdout)" = 6 ] || complain "a torn frame was exported, or a whole one was not"
# a trajectory by its own name
expect 0 "$TOUCHSTONE" export r/trajectory.tst --what frames

finish
