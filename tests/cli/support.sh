# SPDX-License-Identifier: MIT
# For the tests of the program: sourced, not run. Every test runs in an empty directory of its own.
set -u
failures=0

complain() {
    echo "FAILED: $*" >&2
    failures=$((failures + 1))
}

# run COMMAND …: leaves its exit code in $code, its output in the files stdout and stderr.
run() {
    code=0
    "$@" >stdout 2>stderr || code=$?
}

# expect CODE COMMAND …: runs it and checks the exit code.
expect() {
    local wanted="$1"
    shift
    run "$@"
    if [ "$code" != "$wanted" ]; then
        complain "exit code $code instead of $wanted: $*"
        sed 's/^/    /' stdout stderr >&2
    fi
}

# says STREAM TEXT: the stream of the last command holds this text.
says() {
    if ! grep -qF -- "$2" "$1"; then
        complain "$1 does not say '$2':"
        sed 's/^/    /' "$1" >&2
    fi
}

# field FILE NAME …: a member of a JSON object, as Python prints it.
field() {
    /usr/bin/python3 -c '
import json, sys
value = json.load(open(sys.argv[1]))
for name in sys.argv[2:]:
    value = value[name]
print(value)' "$@"
}

# same A B: two run folders hold the same simulation, byte for byte.
same() {
    local a b file
    a="$(field "$1/summary.json" state_hash)"
    b="$(field "$2/summary.json" state_hash)"
    [ -n "$a" ] && [ "$a" = "$b" ] || complain "state hashes of $1 and $2 differ: '$a' and '$b'"
    for file in trajectory.tst energies.csv; do
        cmp "$1/$file" "$2/$file" || complain "$file of $1 and $2 differs"
    done
}

# No colour, no carriage return, no other control character: what a log or a pipe may be given.
plain() {
    if LC_ALL=C grep -q "$(printf '[\001-\010\013-\037]')" "$1"; then
        complain "$1 has control characters:"
        cat -v "$1" >&2
    fi
}

# At most 80 columns; only a word that cannot be broken, such as a path, may be longer.
narrow() {
    if LC_ALL=C.UTF-8 grep -E '^.{81,}$' "$1" | grep -E '[^ ] +[^ ]' >&2; then
        complain "$1 has lines of more than 80 columns"
    fi
}

finish() {
    [ "$failures" = 0 ] || echo "$failures failures" >&2
    [ "$failures" = 0 ]
}

# A box of 200 grains that fall, jostle and settle; time step 20 µs. Sanitizers make everything some ten times slower, so
# that build simulates less.
span=0.5
[ -z "${TS_SANITIZE:-}" ] || span=0.06
cat >box.json <<END
{
    "touchstone": 1,
    "title": "Grains in a box",
    "duration": $span,
    "time_step": "20 us",
    "seed": 3,
    "output": {"frame_interval": "10 ms", "energy_interval": "2 ms"},
    "dynamics": {"kind": "penalty", "friction": 0.5, "restitution": 0.4, "stiffness": "0.5 MN/m"},
    "shapes": {
        "grain": {"kind": "disc", "radius": "5 mm"},
        "peanut": {"kind": "cluster", "discs": [{"at": ["-3 mm", 0], "radius": "4 mm"}, {"at": ["3 mm", 0], "radius": "4 mm"}]}
    },
    "boundaries": [
        {"kind": "half-plane", "point": [0, 0], "normal": [0, 1]},
        {"kind": "half-plane", "point": [0, 0], "normal": [1, 0]},
        {"kind": "half-plane", "point": [0.2, 0], "normal": [-1, 0]}
    ],
    "generators": [
        {"kind": "lattice", "region": {"box": [0, 0, 0.2, 0.4]}, "count": 200, "velocity_spread": 0.3, "mix": [
            {"shape": "grain", "weight": 3, "scale": [0.8, 1.2]}, {"shape": "peanut"}
        ]}
    ]
}
END
