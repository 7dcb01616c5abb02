# SPDX-License-Identifier: MIT
# touchstone render: which files it writes, and of what size. What is in them is tested with record/.
. "$SOURCE_DIR/tests/cli/support.sh"

expect 0 "$TOUCHSTONE" run box.json --out r -q --duration "60 ms"
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

expect 0 "$TOUCHSTONE" render r --frame 0 --size 320x200
png r/frame.png 320 200
says stdout "r/frame.png: 320x200, t = 0 s"
plain stdout
plain stderr
[ ! -e r/movie.mp4 ] || complain "--frame also made a video"
expect 0 "$TOUCHSTONE" render r --time 0.029 --size 320x200 --png t.png --colour speed --dark
says stdout "t = 0.03 s"
cmp -s t.png r/frame.png && complain "two frames look the same"
for colour in type speed force size angle material layer; do
    expect 0 "$TOUCHSTONE" render r --size 160x100 --png "$colour.png" --colour "$colour" --quiet
    [ ! -s stdout ] || complain "--quiet is not quiet"
    png "$colour.png" 160 100
done
expect 0 "$TOUCHSTONE" render r --sheet 2x3 --chains --size 600x400 --png sheet.png --title Six
says stdout "6 frames"
png sheet.png 600 400
expect 0 "$TOUCHSTONE" render r --view 0,0,0.1,0.1 --size 100x100 --png part.png --no-labels
png part.png 100 100

bad() {
    local sentence="$1"
    shift
    expect 2 "$TOUCHSTONE" render "$@"
    says stderr "$sentence"
}
bad "speed" r --colour sped
bad "frame" r --frame 1000
bad "scene" box.json --mp4 x.mp4
bad "the folder nowhere does not exist; make it first" r --png nowhere/x.png
bad "--fps is 0" r --fps 0
bad "--speed is -1" r --speed -1
bad "does not end in .png" r --png x.jpg
bad "does not end in .png" r --png -
bad "from 0 s to 0.06 s" r --time 5
bad "from 0 s to 0.06 s" r --time -1

if ! command -v ffmpeg >/dev/null; then
    bad "ffmpeg" r --mp4 x.mp4 --size 64x48
    finish
    exit
fi
# everything by default
expect 0 "$TOUCHSTONE" render r --size 160x120 --fps 10
png r/last.png 160 120
[ -s r/movie.mp4 ] || complain "there is no video"
expect 0 "$TOUCHSTONE" render r --size 160x120 --mp4 slow.mp4 --fps 10 --speed 0.03
says stdout "slow.mp4: 160x120, 2"
says stdout "at 10 frames a second, t = 0 to 0.06 s"
if command -v ffprobe >/dev/null; then
    seconds="$(ffprobe -v error -show_entries format=duration -of csv=p=0 slow.mp4)"
    /usr/bin/python3 -c "import sys; sys.exit(not 1.8 < $seconds < 2.3)" || complain "the video lasts $seconds s instead of 2"
fi

# ffmpeg takes a disk that is full for success. A limit on the size of files is one: in blocks of 1024 bytes.
code=0
(
    ulimit -f 1
    exec "$TOUCHSTONE" render r --size 160x120 --mp4 full.mp4 --fps 10 -q
) >stdout 2>stderr || code=$?
[ "$code" = 1 ] || complain "a video that cannot grow exits $code"
says stderr "cannot write full.mp4"
says stderr "is the disk full?"
[ -z "$(ls | grep "^full")" ] || complain "a part of a video is left"
finish
