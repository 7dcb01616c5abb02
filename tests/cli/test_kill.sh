# SPDX-License-Identifier: MIT
# kill -9 at ten random moments, each followed by --resume: the same bits as a run that nobody disturbed, on one thread and
# on two.
. "$SOURCE_DIR/tests/cli/support.sh"

seed="${TS_KILL_SEED:-$$}"
RANDOM="$seed"
echo "TS_KILL_SEED=$seed repeats this test's moments"

expect 0 "$TOUCHSTONE" run box.json --out straight -q --threads 1
expect 0 "$TOUCHSTONE" run box.json --out pair -q --threads 2
same straight pair
# how long a run with many checkpoints takes here, today
begin="$(date +%s%N)"
expect 0 "$TOUCHSTONE" run box.json --out timed -q --threads 1 --checkpoint-interval 0.03s
length=$((($(date +%s%N) - begin) / 1000000))
same straight timed

resumed=0
for round in 1 2 3 4 5 6 7 8 9 10; do
    rm -rf killed
    threads=$((1 + round % 2))
    "$TOUCHSTONE" run box.json --out killed -q --threads "$threads" --checkpoint-interval 0.03s 2>>log &
    pid=$!
    moment=$((RANDOM * (length + 20) / 32768))
    sleep "$(printf '%d.%03d' $((moment / 1000)) $((moment % 1000)))"
    # from kill's success follows that the run was still alive
    kill -9 "$pid" 2>/dev/null && resumed=$((resumed + 1))
    wait "$pid" 2>/dev/null
    if [ ! -e killed/scene.json ]; then
        # killed before there was a run: there is nothing to resume, and the program says so
        expect 2 "$TOUCHSTONE" run --resume killed
        continue
    fi
    expect 0 "$TOUCHSTONE" run --resume killed -q --threads $((3 - threads))
    same straight killed
done
echo "$resumed of ten kills hit a running program"
[ "$resumed" -ge 3 ] || complain "only $resumed of ten kills hit a running program"
finish
