# SPDX-License-Identifier: MIT
# Help, and what a mistyped command line gets: at most 80 columns, the right exit code, the nearest name.
. "$SOURCE_DIR/tests/cli/support.sh"

commands="run check render export study bench desiderata problem version help"

for arguments in "help" "--help" "-h"; do
    expect 0 "$TOUCHSTONE" $arguments
    narrow stdout
    plain stdout
    [ ! -s stderr ] || complain "'$arguments' prints to standard error"
    for command in $commands; do
        grep -qE "^  $command +[a-z]" stdout || complain "'$arguments' does not list $command"
    done
done

for command in $commands; do
    expect 0 "$TOUCHSTONE" help "$command"
    narrow stdout
    plain stdout
    grep -q "^Usage: touchstone $command" stdout || complain "help $command has no usage"
    grep -q "^Example:" stdout || complain "help $command has no example"
    cp stdout by_help
    expect 0 "$TOUCHSTONE" "$command" --help
    cmp stdout by_help || complain "$command --help differs from help $command"
done
# every option is explained
"$TOUCHSTONE" help run >stdout
for option in out force set threads seed quiet json duration wall-limit search-path checkpoint-interval no-record resume; do
    says stdout "--$option"
done

# no command at all: the overview, as a failure
expect 2 "$TOUCHSTONE"
says stderr "Usage: touchstone COMMAND"
[ ! -s stdout ] || complain "the overview of a failure goes to standard output"

expect 0 "$TOUCHSTONE" version
version="$("$SOURCE_DIR/scripts/version")"
[ "$(cat stdout)" = "touchstone $version" ] || complain "version says '$(cat stdout)'"
expect 0 "$TOUCHSTONE" --version
says stdout "touchstone $version"

# commands that later parts will bring are not there yet, and say so
for command in view solve optimize; do
    expect 2 "$TOUCHSTONE" "$command"
    says stderr "there is no command '$command'"
done

expect 2 "$TOUCHSTONE" rnu
says stderr "did you mean 'run'?"
expect 2 "$TOUCHSTONE" help chekc
says stderr "did you mean 'check'?"
expect 2 "$TOUCHSTONE" box.json
says stderr "touchstone run box.json"
expect 2 "$TOUCHSTONE" --threads 2 run box.json
says stderr "the command comes before its options"

bad() {
    local sentence="$1"
    shift
    expect 2 "$TOUCHSTONE" "$@"
    says stderr "$sentence"
    plain stderr
    [ ! -s stdout ] || complain "a failure prints to standard output: $*"
}
bad "there is no option '--thread'; did you mean '--threads'?" run box.json --thread 2
bad "there is no option '--colour'" run box.json --colour
bad "did you mean '--colour'?" render out --color speed
bad "did you mean '--out'?" run box.json -out x
bad "there is no option '-z'" run box.json -z
bad "--out needs an argument" run box.json --out
bad "--out needs an argument" run box.json --out --force
bad "--out has an empty argument" run box.json --out=
bad "--force takes no argument" run box.json --force=yes
bad "--threads is 'two', but must be a whole number" run box.json --threads two
bad "--threads is 0, but must be at least 1" run box.json --threads 0
bad "--threads is 99999, but must be at most 1024" run box.json --threads 99999
bad "--wall-limit is '5 minutes'" run box.json --wall-limit "5 minutes"
bad "--wall-limit is '-1s'" run box.json --wall-limit -1s
bad "'other.json' is one argument too many" run box.json other.json
bad "did you mean './box.json'?" run ./bx.json
bad "did you mean 'box.json'?" run bx.json
bad "did you mean 'box.json'?" run box
bad "fox7.json" run fox7.json
! grep -q "did you mean" stderr || complain "an unrelated file is suggested"
mkdir folder
bad "folder is a folder; give the file of a scene" run folder
bad "'soft-step' is a kind of dynamics, not a command: docs/soft-step.md" help soft-step
bad "which scene?" run
bad "which scene?" check
bad "which run?" render
bad "which run?" export
bad "which scene?" problem
bad "where to?" problem box.json
bad "--write goes with --solve" problem box.json -o x.hdf5 --write
bad "leave out --out" problem --solve x.hdf5 -o y.hdf5
bad "--format is 'vkt'" export out --format vkt
bad "--view is '1,2,3'" render out --view 1,2,3
bad "which is empty" render out --view 1,0,0,1
bad "--size is 'big'" render out --size big
bad "--sheet is '3'" render out --sheet 3
bad "exclude each other" render out --frame 1 --time 2
bad "there is no run 'nowhere'" render nowhere
bad "'box.json' is a scene, which has one frame; --mp4 wants a run: touchstone run box.json" render box.json --mp4 x.mp4
bad "exclude each other" study scale --quick --full
bad "leave out 'box.json'" run --resume out box.json
bad "leave out --set" run --resume out --set seed=2
bad "leave out --out" run box.json --no-record --out x
[ ! -e out ] || complain "a mistyped command line left a folder"

# '--' ends the options, and a value may begin with a dash
bad "there is no run '--odd'" render -- --odd
bad "there is no run 'nowhere'" export nowhere --frames -1

# lists
expect 0 "$TOUCHSTONE" study
says stdout disc-analytic
says stdout scale
expect 0 "$TOUCHSTONE" bench --list
says stdout discs
expect 2 "$TOUCHSTONE" study scael
says stderr scale
expect 2 "$TOUCHSTONE" bench dics
says stderr discs

# a result that does not arrive is no success
if [ -w /dev/full ]; then
    code=0
    "$TOUCHSTONE" help >/dev/full 2>stderr || code=$?
    [ "$code" = 1 ] || complain "writing help to a full disk exits $code"
    says stderr "cannot write to standard output"
fi

finish
