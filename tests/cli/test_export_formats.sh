# SPDX-License-Identifier: MIT
# touchstone export for other programs: names choose formats, files are whole, wrong wishes are refused. What is in the files is
# checked against the CSV of the same run, by readers of other programs where they are installed.
. "$SOURCE_DIR/tests/cli/support.sh"

expect 0 "$TOUCHSTONE" run box.json --out r -q --duration "30 ms"
expect 0 "$TOUCHSTONE" export r --out all.csv
expect 0 "$TOUCHSTONE" export r --frames -1 --out last.csv

# areas of the two shapes, disc by disc
areas="$(/usr/bin/python3 -c 'import math; print(math.pi * 25e-6, math.pi * 32e-6)')"
check() {
    local what="$1" table="$2" file="$3"
    run /usr/bin/python3 -B "$SOURCE_DIR/tests/record/check_$what.py" "$table" "$file" $areas
    cat stdout
    [ "$code" = 0 ] || [ "$code" = 77 ] || complain "$file disagrees with the run: $(tail -3 stderr)"
}

expect 0 "$TOUCHSTONE" export r --out run.pvd
[ -f run/run_0003.vtp ] && [ -f run/run_contacts_0003.vtp ] && [ -f run/run_walls_0003.vtp ] ||
    complain "frames are missing"
[ ! -e run/run_0004.vtp ] || complain "there are more files than frames"
grep -q 'file="run/run_contacts_0003.vtp"' run.pvd || complain "the collection does not name its frames from where it is"
says stdout "run.pvd: 13 files, "
says stdout ", frames in run/"
narrow stdout
mkdir -p deep/er && expect 0 "$TOUCHSTONE" export r --out deep/er/run.pvd -q
[ ! -s stdout ] || complain "a quiet export speaks"
cmp run.pvd deep/er/run.pvd && cmp run/run_0002.vtp deep/er/run/run_0002.vtp || complain "the place of an export changes it"
check vtk all.csv run.pvd
expect 0 "$TOUCHSTONE" export r --format vtk --out many/points --points
check vtk all.csv many/points/points.pvd
expect 0 "$TOUCHSTONE" export r --out run.lammpstrj
check dump all.csv run.lammpstrj
expect 0 "$TOUCHSTONE" export r --out run.glb
check glb all.csv run.glb
expect 0 "$TOUCHSTONE" export r --out run.usda
check usda all.csv run.usda
expect 0 "$TOUCHSTONE" export r --frames -1 --out run.svg --contacts
check svg last.csv run.svg
expect 0 "$TOUCHSTONE" export r --frames -1 --format svg --out -
"$TOUCHSTONE" export r --frames -1 --out plain.svg && cmp stdout plain.svg || complain "standard output gets another drawing"

# the format wins over the name
expect 0 "$TOUCHSTONE" export r --format usda --out odd.txt
cmp odd.txt run.usda || complain "--format usda does not do what .usda does"
# the same bytes each time
expect 0 "$TOUCHSTONE" export r --out again.glb
cmp run.glb again.glb || complain "an export differs from the one before it"
# numbers do not follow the locale
LC_ALL=de_DE.UTF-8 "$TOUCHSTONE" export r --out locale.usda
cmp locale.usda run.usda || complain "a German locale changes the numbers"

bad() {
    local sentence="$1"
    shift
    expect 2 "$TOUCHSTONE" export "$@"
    says stderr "$sentence"
}
bad "where to?" r --format glb
bad "where to?" r --format usda --out -
bad "one frame" r --out run.svg
bad "--what has no meaning for glb" r --what bodies --out run.glb
bad "--points has no meaning for svg" r --points --out run.svg
bad "--depth has no meaning for csv" r --depth 1
bad "--depth is -2" r --depth -2 --out run.glb
bad "--tolerance is 2" r --tolerance 2 --out run.glb
bad "the folder nowhere does not exist" r --out nowhere/run.glb
bad "--format is 'vkt'" r --format vkt

# Memory does not grow with the length of a run: 1600 frames, 12 MB, take no more than 80. (What Python itself holds counts as the
# least, some 10 MB; the program needs 6.) The chunks of a glb have a test of their own. Sanitizers have memory of their own.
if [ -z "${TS_SANITIZE:-}" ]; then
    cat >memory.py <<'END'
import os, subprocess
for name in ("x.pvd", "x.lammpstrj", "x.usda"):
    peak = []
    for frames in (":80", ":1600"):
        child = subprocess.Popen([os.environ["TOUCHSTONE"], "export", "long", "-q", "--frames", frames, "--out", name] +
                                 (["--points"] if name == "x.pvd" else []))
        _, status, usage = os.wait4(child.pid, 0)
        assert status == 0, name
        peak.append(usage.ru_maxrss)
    print(f"{name}: {peak[0]} and {peak[1]} KB")
    assert peak[1] < peak[0] + (2 << 10), f"{name}: memory grew from {peak[0]} to {peak[1]} KB"
END
    expect 0 "$TOUCHSTONE" run box.json --out long -q --duration "32 ms" --set output.frame_interval="20 us"
    run /usr/bin/python3 memory.py
    cat stdout
    [ "$code" = 0 ] || complain "$(tail -1 stderr)"
fi

finish
