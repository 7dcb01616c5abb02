#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Every bad scene through the program: `touchstone check` exits 2, says nothing on standard output, and its first line on
# standard error is file:line:column: and a sentence with the words of expected.txt. Nothing crashes, nothing leaks (a
# sanitizer's exit code is another one).
set -uo pipefail
bad=$SOURCE_DIR/tests/bad
[ -x "$TOUCHSTONE" ] || { echo "the program is not built"; exit 77; }

failures=0
count=0
# refuse FOLDER SCENE PLACE WORDS: PLACE as in expected.txt, or "-" when the error has no place in a file
refuse() {
    local folder=$1 scene=$2 place=$3 words=$4 status=0 first
    count=$((count + 1))
    (cd "$folder" && timeout 60 "$TOUCHSTONE" check "$scene") >out.txt 2>err.txt || status=$?
    first="$(head -n 1 err.txt)"
    case $place in
    -) place='' ;;
    *.json:* | *.svg:*) place="$place: " ;;
    *) place="$scene:$place: " ;;
    esac
    if [ "$status" -ne 2 ] || [ -s out.txt ] || [[ $first != "$place"* ]] || [[ $first != *"$words"* ]]; then
        failures=$((failures + 1))
        printf '%s: exit code %d, %d bytes on standard output\n  expected: %s…%s…\n  got:      %s\n' \
            "$scene" "$status" "$(wc -c <out.txt)" "$place" "$words" "$first"
    fi
}

while read -r scene place words; do
    case $scene in '' | '#'*) continue ;; esac
    refuse "$bad" "$scene" "$place" "$words"
done <"$bad/expected.txt"

# What cannot be kept in a folder.
mkdir -p scratch/inside scratch/outside scratch/folder.json
head -c 104857600 /dev/zero | tr '\0' '[' >scratch/brackets.json
refuse scratch brackets.json 1:65 'nested more than 64 deep'
rm scratch/brackets.json
truncate -s 200M scratch/large.json
refuse scratch large.json - 'larger than'
rm scratch/large.json
echo '{}' >scratch/outside/secret.json
ln -s ../outside/secret.json scratch/inside/link.json
echo '{"touchstone": 1, "include": ["link.json"]}' >scratch/inside/link-out.json
refuse scratch/inside link-out.json 1:31 'leaves the folder of the scene'
mkfifo scratch/inside/pipe
echo '{"touchstone": 1, "include": ["pipe"]}' >scratch/inside/pipe-in.json
refuse scratch/inside pipe-in.json 1:31 'not a regular file'
refuse scratch no-such-file.json - 'no-such-file.json'
refuse scratch folder.json - 'folder.json'
echo '{"touchstone": 1}' >scratch/locked.json
chmod 0 scratch/locked.json
[ -r scratch/locked.json ] || refuse scratch locked.json - 'locked.json'

echo "$count bad scenes, $failures failures"
[ "$failures" -eq 0 ] && [ "$count" -ge 35 ]
