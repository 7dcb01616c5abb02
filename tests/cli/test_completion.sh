# SPDX-License-Identifier: MIT
# Bash completes commands, options and studies from what the program says of itself.
. "$SOURCE_DIR/tests/cli/support.sh"
. "$SOURCE_DIR/src/cli/completion.bash"

# completes WORD … EXPECTED: the last argument is among the completions of the words before it.
completes() {
    local wanted="${*: -1}"
    COMP_WORDS=("$TOUCHSTONE" "${@:1:$#-1}")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _touchstone
    [[ " ${COMPREPLY[*]} " == *" $wanted "* ]] || complain "'${COMP_WORDS[*]:1}' completes to '${COMPREPLY[*]}', not $wanted"
}
completes r run
completes r render
completes help exp export
completes run --wall --wall-limit
completes run scene.json --fo --force
completes render --no --no-labels
completes study d disc-analytic
completes study inel inelastic-collapse
completes d desiderata
completes desiderata --js --json
completes pro problem
completes problem --so --solve
completes bench d discs
completes map co compare
completes manifold ch choose
completes manifold box ba ball
completes manifold choose b box
completes manifold box ball --po --poses
completes map q query
completes map build hash oct octagon
completes shape arc-5 arc-50
completes shape fi fit
completes shape fit --co --count
completes map query --po --poses
COMP_WORDS=("$TOUCHSTONE" run --)
COMP_CWORD=2
_touchstone
[ "${#COMPREPLY[@]}" -ge 13 ] || complain "run has fewer options than it should: ${COMPREPLY[*]}"
finish
