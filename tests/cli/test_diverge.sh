# SPDX-License-Identifier: MIT
# A run that leaves the realm of sense says who, when and what would have been stable, names the last good checkpoint, fails,
# and still leaves a summary.
. "$SOURCE_DIR/tests/cli/support.sh"

# Free fall at 1000 m/s²: after one second the ball crosses its own radius in a step of 10 µs.
cat >fall.json <<'END'
{
    "touchstone": 1, "duration": 10, "time_step": 1e-5, "gravity": [0, -1000],
    "output": {"frame_interval": "0.1 s"},
    "dynamics": {"stiffness": 1e5},
    "shapes": {"ball": {"kind": "disc", "radius": 0.01}},
    "bodies": [{"shape": "ball", "position": [0, 0]}]
}
END
expect 1 "$TOUCHSTONE" run fall.json --out fall --checkpoint-interval 0.005s --json result.json
says stderr "body 0"
says stderr "t = 1.0000"
says stderr "stable"
says stderr "The last good checkpoint, of step "
says stderr " is in fall."
[ "$(field fall/summary.json outcome)" = diverged ] || complain "the outcome is not 'diverged'"
[ "$(field result.json outcome)" = diverged ] || complain "--json does not tell of the divergence"
[ "$(field fall/summary.json message)" != None ] || complain "the summary does not say why"
# what was recorded before is there
expect 0 "$TOUCHSTONE" export fall --what frames
[ "$(wc -l <stdout)" -ge 11 ] || complain "frames are missing"

expect 1 "$TOUCHSTONE" run fall.json --no-record
says stderr "body 0"
expect 0 "$TOUCHSTONE" run fall.json --out short --duration 0.9 -q
# ---- Impacts that do not settle: told with the other warnings, with a remedy, also when quiet ----
cat >heap.json <<'END'
{
    "touchstone": 1, "duration": 0.1, "time_step": "5 ms",
    "shapes": {"disc": {"kind": "disc", "radius": 0.02}},
    "boundaries": [{"kind": "half-plane", "point": [0, 0], "normal": [0, 1]}],
    "generators": [{"kind": "lattice", "region": {"box": [0, 0, 0.2, 1]}, "shape": "disc", "count": 40}],
    "dynamics": {"kind": "impact", "restitution": 0, "friction": 0.5, "sweeps": 1}
}
END
expect 0 "$TOUCHSTONE" run heap.json --no-record
says stderr "did not settle within 1 sweep,"
says stderr "raise dynamics.sweeps"
! grep -q "^touchstone: " stderr || complain "a warning looks like an error"
narrow stderr
expect 0 "$TOUCHSTONE" run heap.json --no-record -q
says stderr "did not settle"
expect 0 "$TOUCHSTONE" run heap.json --no-record --set dynamics.sweeps=0 --set dynamics.staggered=1
says stderr "did not settle within 1 round,"
says stderr "dynamics.sweeps = 50 is faster"

# the same in space
cat > heap3.json <<END
{
    "touchstone": 1, "space": "space", "duration": 0.1, "time_step": "5 ms", "gravity": [4, 2, -9],
    "shapes": {"ball": {"kind": "sphere", "radius": 0.02}},
    "boundaries": [{"kind": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]},
                   {"kind": "plane", "point": [0.2, 0, 0], "normal": [-1, 0, 0]}],
    "generators": [{"kind": "lattice", "region": {"box": [0, 0, 0, 0.2, 0.2, 0.5]}, "shape": "ball", "count": 40}],
    "dynamics": {"kind": "impact", "restitution": 0, "friction": 0.5, "staggered": 2}
}
END
expect 0 "$TOUCHSTONE" run heap3.json --no-record
says stderr "did not settle within 2 rounds,"
says stderr "dynamics.sweeps = 50 is faster"

finish
