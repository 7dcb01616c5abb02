#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Scenes of outlines through the program: they are checked, run, drawn and exported. A scene stands for its first frame.
. "$SOURCE_DIR/tests/cli/support.sh"
scenes=$SOURCE_DIR/scenes

# letters: the word has ten, so each T and O is twice as frequent as the others
expect 0 "$TOUCHSTONE" check "$scenes/letters.json"
says stdout "288 bodies of 8 shapes"
says stdout "word/T"
narrow stdout
expect 0 "$TOUCHSTONE" check "$scenes/letters.json" --json letters-check.json
[ "$(field letters-check.json bodies)" = 288 ] || complain "not 288 bodies"

# of many sizes, so that no maps are made: every pair is exact
expect 0 "$TOUCHSTONE" run "$scenes/letters.json" --duration 0.002 --out letters --quiet
[ "$(field letters/summary.json bodies)" = 288 ] || complain "the run has not 288 bodies"

# a picture, beside the working folder's runs or where it is wanted
expect 0 "$TOUCHSTONE" render "$scenes/letters.json" --size 320x180
says stdout "out/letters.png"
[ "$(head -c 4 out/letters.png | tail -c 3)" = PNG ] || complain "out/letters.png is no picture"
expect 0 "$TOUCHSTONE" render "$scenes/outlines.json" --size 320x180 --png o.png
[ "$(head -c 4 o.png | tail -c 3)" = PNG ] || complain "o.png is no picture"
expect 2 "$TOUCHSTONE" render "$scenes/letters.json" --mp4 letters.mp4
says stderr "is a scene, which has one frame"
expect 2 "$TOUCHSTONE" render "$scenes/letters.json" --sheet 2x2

# one row for each letter; density 1000, so the mass of an O of DejaVu Sans Bold is that of its area
expect 0 "$TOUCHSTONE" export "$scenes/letters.json" --out letters.csv
[ "$(wc -l <letters.csv)" = 289 ] || complain "letters.csv has $(wc -l <letters.csv) lines instead of 289"
[ "$(cut -d, -f2 letters.csv | sort -u | tr '\n' ' ')" = "0 step " ] || complain "letters.csv has other steps than 0"
# contacts of outlines are not known before a run has made their maps, which is not the same as none
expect 2 "$TOUCHSTONE" export "$scenes/letters.json" --what contacts --out contacts.csv
says stderr "contacts"
expect 0 "$TOUCHSTONE" measure "$scenes/letters.json" --what coordination --csv z.csv
[ "$(tail -n 1 z.csv | cut -d, -f3)" = nan ] || complain "letters have a coordination number"

# a scene of discs: its first frame is the first frame of its run, contacts and all
expect 0 "$TOUCHSTONE" run box.json --out run --duration 0.01 --quiet
for what in bodies contacts; do
    expect 0 "$TOUCHSTONE" export run --frames 0 --what $what --out a.csv
    expect 0 "$TOUCHSTONE" export box.json --what $what --out b.csv
    cmp a.csv b.csv || complain "$what of the scene are not those of its run's first frame"
done

# what was mended in a drawing is told
cat >open.json <<END
{"touchstone": 1, "shapes": {"a": {"kind": "polygon", "points": [[0, 0], [2, 2], [2, 0], [0, 3]]}},
 "bodies": [{"shape": "a", "position": [0, 0]}]}
END
expect 0 "$TOUCHSTONE" check open.json
says stdout "shape 'a': "

# discs in a letter: a wall may be an outline, and the run folder needs no font to go on
mkdir fonts
cp "$scenes/fonts/DejaVuSans-Bold-ASCII.ttf" fonts/bold.ttf
cat >vessel.json <<END
{"touchstone": 1, "duration": 0.02, "time_step": "20 us", "dynamics": {"stiffness": "0.5 MN/m"},
 "shapes": {"grain": {"kind": "disc", "radius": "5 mm"},
            "U": {"kind": "glyph", "font": "fonts/bold.ttf", "character": "U", "height": 1}},
 "boundaries": [{"kind": "outline", "shape": "U", "position": [0, 0]}],
 "generators": [{"kind": "random", "region": {"box": [-0.1, 0, 0.1, 0.3]}, "count": 30, "shape": "grain"}]}
END
expect 0 "$TOUCHSTONE" run vessel.json --out straight --quiet
expect 0 "$TOUCHSTONE" run vessel.json --out halves --duration 0.01 --quiet
rm -r fonts vessel.json
expect 0 "$TOUCHSTONE" run --resume halves --duration 0.02 --quiet
for run in straight halves; do field $run/summary.json state_hash; done | sort -u >hashes
[ "$(wc -l <hashes)" = 1 ] || complain "the resumed run in a letter ended elsewhere than the straight one"
expect 0 "$TOUCHSTONE" check straight/scene.json

# nothing is left in the folder for temporary files
mkdir temporary
TMPDIR=$PWD/temporary expect 0 "$TOUCHSTONE" export box.json --out c.csv
[ -z "$(ls temporary)" ] || complain "a temporary file was left: $(ls temporary)"
finish
