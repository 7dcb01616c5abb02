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
    refuse time_step 1e6 "give at most 0.1428 s"
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
    # a step in which the ball falls by its diameter: √(2 · 0.1 m / 9.81 m/s²) = 0.1428 s
    expect 2 "$TOUCHSTONE" check $dimension.json --set time_step=0.15
    says stderr "give at most 0.1428 s"
    expect 0 "$TOUCHSTONE" check $dimension.json --set time_step=0.14 -q
done
finish
