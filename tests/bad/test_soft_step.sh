# SPDX-License-Identifier: MIT
# Soft-step: values that cannot be stable, or are none, are refused with a sentence that names the limit.
. "$SOURCE_DIR/tests/cli/support.sh"

for dimension in plane space; do
    [ $dimension = plane ] && up='0, 1' wall=half-plane ball=disc || { up='0, 0, 1'; wall=plane ball=sphere; }
    cat >$dimension.json <<END
{"touchstone": 1, "space": "$dimension", "duration": 0.2, "dynamics": {"kind": "soft-step"},
 "shapes": {"ball": {"kind": "$ball", "radius": 0.05}},
 "walls": [{"kind": "$wall", "position": [${up//1/0}], "normal": [$up]}],
 "bodies": [{"shape": "ball", "position": [${up//1/0.07}]}]}
END
    expect 0 "$TOUCHSTONE" check $dimension.json -q

    # refuse KEY VALUE WORDS: in a sentence that names the key
    refuse() {
        expect 2 "$TOUCHSTONE" run $dimension.json --no-record -q --set "$1=$2"
        says stderr "${1##*.}"
        says stderr "$3"
    }
    for key in sub_steps relaxations; do
        refuse dynamics.$key 0 "is 0, but must be positive"
        refuse dynamics.$key 1001 "is 1001; give a value from 1 to 1000"
        refuse dynamics.$key 1e9 "give a value from 1 to 1000"
        for value in -1 1.5 1e300 1e-9 true '"x"' '"NaN"' null '[]'; do
            refuse dynamics.$key "$value" "whole number"
        done
        refuse dynamics.$key 2.5 "is 2.5, but must be a whole number from 1 to 1000"
        says stderr "--set dynamics.$key=2.5: dynamics"
    done
    for key in dynamics.contact_frequency dynamics.contact_damping_ratio dynamics.push_speed dynamics.bounce_speed \
        output.frame_rate output.frame_interval time_step; do
        refuse $key 0 "is 0, but must be positive"
        refuse $key -1 "is -1, but must be positive"
        refuse $key 1e300 "at most 1e+150"
        refuse $key 1e-300 "at least 1e-150"
        for value in '"NaN"' '"inf"' '"1e999 Hz"' '"3 bananas"' '[]'; do
            refuse $key "$value" ""
        done
    done
    for value in '"maybe"' 1 null; do
        refuse dynamics.sleeping "$value" "true or false"
    done
    refuse dynamics.restitution 1.5 "from 0 to 1"
    refuse dynamics.friction -1 "must not be negative"
    refuse time_step 1e6 "give at most 0.1427 s"
    for good in friction=1e6 sub_steps=1 sub_steps=1000 relaxations=1000 push_speed=1e-149 contact_damping_ratio=1e149; do
        expect 0 "$TOUCHSTONE" run $dimension.json --no-record -q --set dynamics.$good
    done

    # The limit that a refusal names is one: just below it the scene is good, just above it is not. 8 sub-steps in 5 ms,
    # 4 of them a period: 400 Hz.
    step='--set time_step=0.005'
    refuse_step() {
        expect 2 "$TOUCHSTONE" check $dimension.json $step --set "$1"
        says stderr "$2"
    }
    refuse_step dynamics.contact_frequency=1e9 "give at most 400 Hz, a time_step of at most 2e-09 s, or more sub_steps"
    refuse_step dynamics.contact_frequency=400.1 "give at most 400 Hz"
    expect 0 "$TOUCHSTONE" check $dimension.json $step --set dynamics.contact_frequency=399.9 -q
    expect 0 "$TOUCHSTONE" check $dimension.json $step --set dynamics.contact_frequency=799 --set dynamics.sub_steps=16 -q
    expect 2 "$TOUCHSTONE" check $dimension.json $step --set dynamics.contact_frequency=801 --set dynamics.sub_steps=16
    # a derived step follows the frequency
    expect 0 "$TOUCHSTONE" check $dimension.json --set dynamics.contact_frequency=1e4 --json -
    /usr/bin/python3 -c "import sys; sys.exit(not 1.9e-4 < $(field stdout time_step) <= 2e-4)" ||
        complain "a frequency of 10 kHz has a step of $(field stdout time_step) s"
    # One that makes it more than ten times shorter than motion does, 0.0522 √(0.1 m / 9.81 m/s²) = 5.27 ms, is told, in one
    # line of a run as well. 8 sub-steps, 4 of them a period: 379.5 Hz is motion's own.
    expect 0 "$TOUCHSTONE" check $dimension.json --set dynamics.contact_frequency=3700
    ! grep -q "shorter than motion" stdout || complain "a frequency that costs little is warned of"
    expect 0 "$TOUCHSTONE" check $dimension.json --set dynamics.contact_frequency=3900
    tr -s ' \n' ' ' <stdout | grep -q "3900 Hz makes the time step 10 times shorter than motion needs; 379 Hz would not" ||
        complain "check does not tell what a high frequency costs"
    expect 0 "$TOUCHSTONE" run $dimension.json --no-record --duration 0.01 --set dynamics.contact_frequency=3900 --json -
    [ "$(tr '\n' ' ' <stderr | grep -o "shorter than motion" | wc -l)" = 1 ] || complain "run does not tell it once"
    grep -q '"short_step"' stdout || complain "the summary has no warning of the step"
    # more than 10,000 times shorter is refused
    expect 2 "$TOUCHSTONE" run $dimension.json --no-record --set dynamics.contact_frequency=3.81e6
    says stderr "contact_frequency is 3.81e+06 Hz"
    says stderr "give at most 3.794e+06 Hz"
    expect 0 "$TOUCHSTONE" check $dimension.json -q --set dynamics.contact_frequency=3.794e6
    # a step in which the ball falls by its diameter: √(2 · 0.1 m / 9.81 m/s²) = 0.1428 s
    expect 2 "$TOUCHSTONE" check $dimension.json --set time_step=0.15
    says stderr "give at most 0.1427 s"
    says stderr "--set time_step=0.15: dynamics"
    expect 0 "$TOUCHSTONE" check $dimension.json --set time_step=0.1427 -q
done
finish
