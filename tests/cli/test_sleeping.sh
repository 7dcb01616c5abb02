# SPDX-License-Identifier: MIT
# touchstone run tells how many bodies sleep: on the terminal and in summary.json, recorded or not, and after a restart.
. "$SOURCE_DIR/tests/cli/support.sh"

# Three stacked boxes come to rest; a fourth falls until the end.
cat >boxes.json <<'END'
{"touchstone": 1, "duration": 1.5, "dynamics": {"kind": "soft-step", "sleeping": true},
 "shapes": {"box": {"kind": "box", "width": 0.2, "height": 0.2}},
 "walls": [{"kind": "half-plane", "position": [0, 0], "normal": [0, 1]}],
 "bodies": [{"shape": "box", "position": [0, 0.1]}, {"shape": "box", "position": [0, 0.3]},
  {"shape": "box", "position": [0, 0.5]}, {"shape": "box", "position": [5, 40]}]}
END
expect 0 "$TOUCHSTONE" run boxes.json
grep -Eq '^asleep +3 at the end$' stdout || complain "the summary does not tell that three bodies sleep"
[ "$(field out/boxes/summary.json asleep)" = 3 ] || complain "summary.json does not have three bodies asleep"
expect 0 "$TOUCHSTONE" run boxes.json --no-record -q --json unrecorded.json
[ "$(field unrecorded.json asleep)" = 3 ] || complain "an unrecorded run does not have three bodies asleep"
expect 0 "$TOUCHSTONE" run --resume out/boxes --duration 1.6 -q --json longer.json
[ "$(field longer.json asleep)" = 3 ] || complain "after a restart not three bodies sleep"

expect 0 "$TOUCHSTONE" run boxes.json --no-record --set dynamics.sleeping=false --json awake.json
! grep -q asleep stdout || complain "the summary speaks of sleep although nothing sleeps"
[ "$(field awake.json asleep)" = 0 ] || complain "summary.json has bodies asleep although sleeping is off"
finish
