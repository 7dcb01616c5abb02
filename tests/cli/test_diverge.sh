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
finish
