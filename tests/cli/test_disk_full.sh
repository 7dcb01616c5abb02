# SPDX-License-Identifier: MIT
# The disk is full in the middle of a run: a clear sentence, the last checkpoint still good, and a run that goes on bit for bit
# once there is room.
. "$SOURCE_DIR/tests/cli/support.sh"

expect 0 "$TOUCHSTONE" run box.json --out straight -q
size="$(stat -c %s straight/trajectory.tst)"

# A limit on the size of files is a full disk that needs no privileges: 1024-byte blocks.
code=0
(
    ulimit -f $((size / 2 / 1024))
    exec "$TOUCHSTONE" run box.json --out limited --checkpoint-interval 0.01s
) >stdout 2>stderr || code=$?
[ "$code" = 1 ] || complain "a file that cannot grow exits $code"
says stderr "limited/trajectory.tst"
says stderr "touchstone run --resume limited"
[ -s limited/checkpoint.0 ] || complain "there is no checkpoint"
expect 0 "$TOUCHSTONE" run --resume limited -q
same straight limited

# The real thing, where this process may mount a small file system.
mkdir small
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=$((size / 2 + 100000)) tmpfs small 2>/dev/null; then
    trap 'umount small' EXIT
    code=0
    "$TOUCHSTONE" run box.json --out small/run --checkpoint-interval 0.01s >stdout 2>stderr || code=$?
    [ "$code" = 1 ] || complain "a full disk exits $code"
    says stderr "No space left"
    says stderr "touchstone run --resume small/run"
    mount -o remount,size=$((size * 4 + 1000000)) small
    expect 0 "$TOUCHSTONE" run --resume small/run -q
    same straight small/run
else
    echo "no small file system could be mounted: only the limit on files was tested"
fi
finish
