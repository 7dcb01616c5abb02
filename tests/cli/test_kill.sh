# SPDX-License-Identifier: MIT
# kill -9 at ten random moments, each followed by --resume: the same bits as a run that nobody disturbed, on one thread and
# on two. A kill counts when it hit a running program; most of the ten must be gone on with from a checkpoint that was made
# under way.
. "$SOURCE_DIR/tests/cli/support.sh"

kills=10 attempts=40 interval=0.005s
seed="${TS_KILL_SEED:-$$}"
RANDOM="$seed"
echo "TS_KILL_SEED=$seed repeats this test's moments"

expect 0 "$TOUCHSTONE" run box.json --out straight -q --threads 1
expect 0 "$TOUCHSTONE" run box.json --out pair -q --threads 2
same straight pair
# how long a run with many checkpoints takes here, today [ms]
begin="$(date +%s%N)"
expect 0 "$TOUCHSTONE" run box.json --out timed -q --threads 1 --checkpoint-interval "$interval"
length=$((($(date +%s%N) - begin) / 1000000))
same straight timed

hit=0 under_way=0 attempt=0
while [ "$hit" -lt "$kills" ] && [ "$attempt" -lt "$attempts" ]; do
    attempt=$((attempt + 1))
    rm -rf killed
    threads=$((1 + attempt % 2))
    "$TOUCHSTONE" run box.json --out killed -q --threads "$threads" --checkpoint-interval "$interval" 2>>log &
    pid=$!
    moment=$((RANDOM * length / 32768))
    sleep "$(printf '%d.%03d' $((moment / 1000)) $((moment % 1000)))"
    kill -9 "$pid" 2>/dev/null
    code=0
    wait "$pid" 2>/dev/null || code=$?
    # 128 + 9: it was this signal that ended it, not the end of the run
    [ "$code" = 137 ] || continue
    hit=$((hit + 1))
    if [ ! -e killed/scene.json ]; then
        # killed before there was a run: there is nothing to resume, and the program says so
        expect 2 "$TOUCHSTONE" run --resume killed
        continue
    fi
    expect 0 "$TOUCHSTONE" run --resume killed --threads $((3 - threads))
    ! grep -q "^resumed at step [1-9]" stderr || under_way=$((under_way + 1))
    same straight killed
done
echo "$hit of $attempt kills hit a running program; $under_way runs went on from a step after the first"
[ "$hit" = "$kills" ] || complain "only $hit of $attempt kills hit a running program"
[ "$under_way" -gt $((kills / 2)) ] || complain "only $under_way of $kills runs went on from a checkpoint under way"
finish
