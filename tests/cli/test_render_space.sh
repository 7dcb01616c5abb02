# SPDX-License-Identifier: MIT
# touchstone render of space: which files it writes, of what size, and what it refuses. What is in them is tested with record/.
. "$SOURCE_DIR/tests/cli/support.sh"

scene="$SOURCE_DIR/scenes/space-drop.json"
expect 0 "$TOUCHSTONE" run "$scene" --out r -q --duration "100 ms"
run "$TOUCHSTONE" render r --png probe.png --size 64x48
if grep -qi cairo stderr; then
    echo "this build draws nothing"
    exit 77
fi

# png FILE WIDTH HEIGHT: the file is a PNG of that size.
png() {
    /usr/bin/python3 - "$@" <<'END' || complain "$1 is no PNG of $2 x $3"
import struct, sys
data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\x89PNG\r\n\x1a\n"
size = struct.unpack(">II", data[16:24])
assert size == (int(sys.argv[2]), int(sys.argv[3])), size
END
}
png probe.png 64 48

expect 0 "$TOUCHSTONE" render "$scene" --size 160x90
png out/space-drop.png 160 90
expect 0 "$TOUCHSTONE" render r --frame 0 --size 160x90
png r/frame.png 160 90
expect 0 "$TOUCHSTONE" render r --time 0.049 --size 160x90 --png t.png --dark
says stdout "t = 0.05 s"
for colour in type speed force size material layer; do
    expect 0 "$TOUCHSTONE" render r --size 96x64 --png "$colour.png" --colour "$colour" --quiet
    png "$colour.png" 96 64
done
expect 0 "$TOUCHSTONE" render r --sheet 1x2 --size 400 --png sheet.png
says stdout "2 frames"

for what in force weight gap; do
    expect 0 "$TOUCHSTONE" render r --size 96x64 --png contacts.png --contacts $what --quiet
    png contacts.png 96 64
    ! cmp -s contacts.png type.png || complain "--contacts $what draws nothing"
done

expect 0 "$TOUCHSTONE" render r --size 200x160 --png sides.png --sides --quiet
png sides.png 200 160

bad() {
    local sentence="$1"
    shift
    expect 2 "$TOUCHSTONE" render "$@"
    says stderr "$sentence"
}
bad "force chains are drawn in the plane only" r --chains
bad "no single angle" r --colour angle
bad "a sheet or four sides" r --sides --sheet 1x2
bad "did you mean 'force'" r --contacts forces
bad "of the plane" r --view 0,0,1,1
bad "frame" r --frame 1000
bad "scene" "$scene" --mp4 x.mp4

if ! command -v ffmpeg >/dev/null; then
    bad "ffmpeg" r --mp4 x.mp4 --size 64x48
    finish
    exit
fi
expect 0 "$TOUCHSTONE" render r --size 128x96 --fps 5 --speed 0.1 --sides --mp4 sides.mp4
[ -s sides.mp4 ] || complain "there is no video of four sides"
expect 0 "$TOUCHSTONE" render r --size 64x48 --fps 5 --speed 0.1
png r/last.png 64 48
[ -s r/movie.mp4 ] || complain "there is no video"
finish
