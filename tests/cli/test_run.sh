# SPDX-License-Identifier: MIT
# touchstone run: what it writes, what it refuses, and how a run goes on.
. "$SOURCE_DIR/tests/cli/support.sh"

# ---- A run, and what it leaves ----
expect 0 "$TOUCHSTONE" run box.json
cp stdout table
for line in bodies steps "simulated time" "wall time" rate contacts "largest overlap" "state hash" \
    kinetic gravitational total; do
    says table "$line"
done
grep -Eq "^contacts +[0-9,]+ at the end, [0-9][0-9.,]* on average" table || complain "contacts have no mean"
narrow table
narrow stderr
! grep -q "momentum drift" table || complain "momentum drift is shown although there are boundaries"
plain stdout
plain stderr
for file in scene.json trajectory.tst energies.csv checkpoint.0 summary.json; do
    [ -s "out/box/$file" ] || complain "out/box/$file is missing"
done
[ "$(field out/box/summary.json outcome)" = finished ] || complain "the summary's outcome is not 'finished'"
[ "$(field out/box/summary.json bodies)" = 200 ] || complain "the summary's bodies are not 200"
says table "$(field out/box/summary.json state_hash)"
steps="$(/usr/bin/python3 -c "print(round($span / 20e-6))")"
[ "$(field out/box/summary.json steps)" = "$steps" ] || complain "the steps are not duration / time step"
# frames at 0, 10 ms, …, both ends included; rows every 2 ms
frames="$(/usr/bin/python3 -c "print(round($span / 10e-3) + 1)")"
[ "$(field out/box/summary.json frames)" = "$frames" ] || complain "there are not $frames frames"
rows="$(/usr/bin/python3 -c "print(round($span / 2e-3) + 2)")" # and a line of names
[ "$(wc -l <out/box/energies.csv)" = "$rows" ] || complain "energies.csv does not have $rows lines"

# ---- An earlier run is not overwritten by accident ----
before="$(cksum out/box/*.*)"
expect 2 "$TOUCHSTONE" run box.json
says stderr "--force"
says stderr "--resume"
[ "$before" = "$(cksum out/box/*.*)" ] || complain "a refused run touched the earlier one"
expect 0 "$TOUCHSTONE" run box.json --force --quiet
[ ! -s stdout ] && [ ! -s stderr ] || complain "--quiet is not quiet"

# ---- Same bits on one thread and two, and from the run folder's own scene ----
expect 0 "$TOUCHSTONE" run box.json --out one --threads 1 -q
expect 0 "$TOUCHSTONE" run box.json --out two --threads 2 -q
same one two
expect 0 "$TOUCHSTONE" run one/scene.json --out again -q
same one again
# enough grains that two threads share the work
many="--set generators[0].count=6000 --set generators[0].region.box=[0,0,0.2,10] --duration 0.004 -q"
expect 0 "$TOUCHSTONE" run box.json --out many-one --threads 1 $many
expect 0 "$TOUCHSTONE" run box.json --out many-two --threads 2 $many
same many-one many-two

# ---- Values from the command line ----
expect 0 "$TOUCHSTONE" run box.json --out set --set dynamics.friction=0 --set 'duration=20 ms' --seed 9 --json set.json
[ "$(field set.json steps)" = 1000 ] || complain "--set duration does not count"
grep -q '"seed": 9' set/scene.json || complain "--seed is not in the run's scene"
[ "$(field set.json state_hash)" = "$(field set/summary.json state_hash)" ] || complain "--json and summary.json differ"
expect 0 "$TOUCHSTONE" run box.json --out other -q --duration "20 ms" --seed 10
[ "$(field set.json state_hash)" != "$(field other/summary.json state_hash)" ] || complain "seed and friction change nothing"

# JSON on standard output, the table beside it
expect 0 "$TOUCHSTONE" run box.json --out json --duration 0.02 --json -
/usr/bin/python3 -m json.tool stdout >/dev/null || complain "--json - is no JSON"
[ "$(field stdout outcome)" = finished ] || complain "--json - has no outcome"
says stderr "state hash"

# ---- Without a record ----
expect 0 "$TOUCHSTONE" run box.json --no-record --json -
[ "$(field stdout state_hash)" = "$(field one/summary.json state_hash)" ] || complain "recording changes the result"
[ ! -e out/box2 ] || complain "--no-record wrote a folder"
[ "$(field stdout energy last total)" != None ] || complain "--no-record measures nothing"

# ---- Bad scenes and places ----
expect 2 "$TOUCHSTONE" run nothing.json
says stderr "nothing.json"
[ ! -e out/nothing ] || complain "a missing scene left a folder"
printf '{"touchstone": 1,\n "duratoin": 2}' >bad.json
expect 2 "$TOUCHSTONE" run bad.json
grep -qE '^bad.json:2:2: .*duration' stderr || complain "the error does not begin with file:line:column or names no remedy"
[ ! -e out/bad ] || complain "a bad scene left a folder"
expect 2 "$TOUCHSTONE" run box.json --out x --set dynamics.frction=1
says stderr friction
expect 2 "$TOUCHSTONE" run box.json --out x --seed many
expect 2 "$TOUCHSTONE" run box.json --out x --duration=-1
[ ! -e x ] || complain "a bad value left a folder"
echo >file
for place in file file/run /dev/null; do
    expect 2 "$TOUCHSTONE" run box.json --out $place
    says stderr "${place%/run} is a file, not a folder; choose another with --out"
done
if [ "$(id -u)" = 0 ]; then
    expect 2 "$TOUCHSTONE" run box.json --out /proc/run
    says stderr "cannot make the folder /proc/run: "
    says stderr "; choose another with --out"
    for command in "study box-drop" "bench discs --quick" "export one --format vtk"; do
        expect 2 "$TOUCHSTONE" $command --out /proc/run
        says stderr "; choose another with --out"
    done
else
    mkdir locked
    chmod 500 locked
    expect 2 "$TOUCHSTONE" run box.json --out locked/run
    says stderr locked
fi
expect 2 "$TOUCHSTONE" run box.json --out y --duration 0.02 --json file/summary.json
says stderr "file is a file, not a folder; choose another with --json"
[ ! -e y ] || complain "a refused --json left a folder"
expect 0 "$TOUCHSTONE" run box.json --out y --duration 0.02 --json y/copy.json # made by the run itself
[ -s y/copy.json ] || complain "--json does not write into the new run folder"
if [ -w /dev/full ]; then
    expect 1 "$TOUCHSTONE" run box.json --out y --force --duration 0.02 --json /dev/full
    says stdout "state hash"
fi
for command in "study scale" "bench discs"; do
    expect 2 "$TOUCHSTONE" $command --quick --json nowhere/x.json
    says stderr "the folder nowhere does not exist; make it first"
done

# ---- Alone in space: one body is no "bodies", and momentum must stay ----
cat >alone.json <<END
{"touchstone": 1, "duration": 1e-3, "time_step": 1e-3, "gravity": [0, 0], "shapes": {"ball": {"kind": "disc", "radius": 0.1}},
 "bodies": [{"shape": "ball", "position": [0, 0], "velocity": [1, 0]}]}
END
expect 0 "$TOUCHSTONE" run alone.json
says stderr "1 body, 1 step of "
says stdout "momentum drift"

# ---- Resuming ----
expect 0 "$TOUCHSTONE" run --resume one
says stderr "finished already"
expect 0 "$TOUCHSTONE" run --resume one --json -
[ "$(field stdout state_hash)" = "$(field two/summary.json state_hash)" ] || complain "a finished run's JSON is not its summary"
same one two

expect 2 "$TOUCHSTONE" run --resume nowhere
says stderr nowhere

# The wall limit: unfinished, but no failure. Checkpoints by wall clock change nothing.
expect 0 "$TOUCHSTONE" run box.json --out limit --wall-limit 0.05s --checkpoint-interval 0.01s --threads 1
says stderr "wall limit"
says stderr "touchstone run --resume limit"
[ "$(field limit/summary.json outcome)" = wall_limit ] || complain "the outcome is not 'wall_limit'"
[ "$(field limit/summary.json steps)" -lt "$steps" ] || complain "the wall limit did not stop the run"
expect 0 "$TOUCHSTONE" run --resume limit --threads 2 --json -
[ "$(field stdout session number)" = 2 ] || complain "the second session is not counted"
same one limit

# Prolonged: as if it had been asked for at once. Frames stay where they were even if the scene derives their interval.
sed 's/"output": {[^}]*},//' box.json >derived.json
half="$(/usr/bin/python3 -c "print($span / 2)")"
expect 0 "$TOUCHSTONE" run derived.json --out short -q --duration "$half"
expect 0 "$TOUCHSTONE" run --resume short -q --duration "$span"
[ "$(field short/summary.json state_hash)" = "$(field one/summary.json state_hash)" ] || complain "a prolonged run has other bits"
[ "$(field short/summary.json frames)" = 201 ] || complain "prolonging moved the frames"
expect 0 "$TOUCHSTONE" run --resume short
says stderr "finished already"
expect 2 "$TOUCHSTONE" run --resume short --duration "$half"
says stderr "shorter"
[ "$(field short/summary.json state_hash)" = "$(field one/summary.json state_hash)" ] || complain "a refused duration did harm"

# The end is recorded wherever it lies, and is no frame of a longer run.
expect 0 "$TOUCHSTONE" run box.json --out end -q --duration "15 ms"
expect 0 "$TOUCHSTONE" export end --what frames
[ "$(wc -l <stdout)" = 4 ] || complain "a run of 15 ms has not the frames 0, 10 and 15 ms"
tail -n 1 end/energies.csv | grep -q '^0.015' || complain "the table does not reach the end"
[ "$(wc -l <end/energies.csv)" = 10 ] || complain "the table has not the rows 0, 2, …, 14 and 15 ms"
expect 0 "$TOUCHSTONE" check box.json --duration "15 ms" --json -
[ "$(field stdout frames) $(field stdout rows)" = "3 9" ] || complain "check counts other frames or rows than run records"
expect 0 "$TOUCHSTONE" run --resume end -q --duration "$span"
cmp end/energies.csv one/energies.csv || complain "a prolonged run has other rows"
"$TOUCHSTONE" export end --what bodies >end.csv && "$TOUCHSTONE" export one --what bodies | cmp - end.csv ||
    complain "a prolonged run has other frames"

# A derived time step depends on the duration; prolonging keeps the one that the run began with.
sed '/"time_step"/d' derived.json >free.json
expect 0 "$TOUCHSTONE" run free.json --out free -q --duration "$half"
step="$(field free/summary.json time_step)"
expect 0 "$TOUCHSTONE" run --resume free -q --duration "$span"
[ "$(field free/summary.json time_step)" = "$step" ] || complain "prolonging changed the time step"
[ "$(field free/summary.json outcome)" = finished ] || complain "a run with a derived step cannot be prolonged"

# A run whose hundredth is shorter than its time step can be prolonged: nobody gave the interval that is derived from it.
expect 0 "$TOUCHSTONE" run derived.json --out few -q --duration 1e-3
expect 0 "$TOUCHSTONE" run --resume few -q --duration 2e-3
[ "$(field few/summary.json frames)" = 101 ] || complain "a run of 100 steps has not a frame at each"

# A changed scene is refused, and the difference named.
expect 0 "$TOUCHSTONE" run box.json --out changed -q --wall-limit 0.02s
sed -i 's/"friction": 0.5/"friction": 0.6/' changed/scene.json
expect 2 "$TOUCHSTONE" run --resume changed
says stderr material

# The newest checkpoint is damaged: the older one serves, and the user hears of it.
# On a quick machine the run may end before the limit, on a busy one the limit may be too short for two checkpoints; and two may be written
# within one tick of the file system's clock, which then does not tell which is the newer.
for limit in 0.03s 0.05s 0.1s 0.15s 0.2s 0.3s; do
    expect 0 "$TOUCHSTONE" run box.json --out damaged --force -q --wall-limit $limit --checkpoint-interval 0.01s --threads 1
    [ -s damaged/checkpoint.1 ] || continue
    [ "$(stat -c %y damaged/checkpoint.0)" = "$(stat -c %y damaged/checkpoint.1)" ] || break
done
for number in 0 1; do
    [ -s "damaged/checkpoint.$number" ] || complain "there are not two checkpoints"
done
newest="$(ls -t damaged/checkpoint.? | head -1)"
printf 'damage' | dd of="$newest" bs=1 seek=200 conv=notrunc 2>/dev/null
expect 0 "$TOUCHSTONE" run --resume damaged
says stderr "$(basename "$newest")"
same one damaged
# Both damaged: no way on, said clearly.
for number in 0 1; do
    printf 'damage' | dd of="changed/checkpoint.$number" bs=1 seek=200 conv=notrunc 2>/dev/null
done
sed -i 's/"friction": 0.6/"friction": 0.5/' changed/scene.json
expect 2 "$TOUCHSTONE" run --resume changed
says stderr checkpoint

# Two runs in one folder at a time
"$TOUCHSTONE" run box.json --out busy -q --duration 100 &
pid=$!
for _ in $(seq 100); do
    [ -s busy/trajectory.tst ] && break
    sleep 0.05
done
expect 2 "$TOUCHSTONE" run --resume busy
says stderr "another run"
kill -9 "$pid"
wait "$pid" 2>/dev/null

finish
