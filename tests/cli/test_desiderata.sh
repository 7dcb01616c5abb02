# SPDX-License-Identifier: MIT
# The table of what impact operators keep: 80 columns, and JSON whose verdicts follow from its own numbers and limits.
. "$SOURCE_DIR/tests/cli/support.sh"

expect 0 "$TOUCHSTONE" desiderata --json table.json
narrow stdout
plain stdout
for word in gr lcp gauss-seidel gauss-seidel-random jacobi SYM KIN MOM ONE BRK limit "restitution 0.5"; do
    says stdout "$word"
done
[ ! -s stderr ] || complain "it prints to standard error"

# as JSON to standard output the table goes to standard error; the numbers are the same every time
expect 0 "$TOUCHSTONE" desiderata --json -
cmp stdout table.json || complain "a second run gives other numbers"
says stderr "restitution 1"
expect 0 "$TOUCHSTONE" desiderata --json - --quiet
[ ! -s stderr ] || complain "--quiet prints a table"

/usr/bin/python3 - <<'END' || complain "the JSON is not as it should be"
import json, sys
table = json.load(open("table.json"))
limit = table["limits"]
five = ["symmetry", "energy", "momentum", "one_sided", "break_away"]
# what each operator is known to lack, and limits that are no looser than these
assert limit["symmetry"]["at_most"] <= 1e-9 and limit["energy"]["at_most"] <= 1e-12
assert limit["momentum"]["at_most"] <= 1e-13 and limit["one_sided"]["at_least"] == 0
lacks = {"gr": set(), "lcp": {"break_away"}, "gauss-seidel": {"symmetry"}, "gauss-seidel-random": {"symmetry"},
         "jacobi": {"energy"}}
seen = set()
for row in table["operators"]:
    for name in five:
        cell, bound = row[name], limit[name]
        value = cell["measured"]
        holds = value is not None and (value <= bound["at_most"] if "at_most" in bound else value >= bound["at_least"])
        assert holds == cell["holds"], (row["operator"], name, cell)
        if row["restitution"] == 1:
            assert holds == (name not in lacks[row["operator"]]), (row["operator"], name, cell)
            seen.add(row["operator"])
        elif row["operator"] == "gr" and value is not None:
            assert holds, (row["restitution"], name, cell)
assert seen == set(lacks) and table["as_published"] is True
# by how much: not a matter of rounding
elastic = {row["operator"]: row for row in table["operators"] if row["restitution"] == 1}
assert elastic["gauss-seidel"]["symmetry"]["measured"] > 0.1 and elastic["jacobi"]["energy"]["measured"] > 0.1
assert elastic["lcp"]["break_away"]["measured"] < 1e-9 and abs(elastic["gr"]["break_away"]["measured"] - 1) < 1e-9
END

expect 2 "$TOUCHSTONE" desiderata extra
expect 2 "$TOUCHSTONE" desiderata --jsn -
expect 2 "$TOUCHSTONE" desiderata --json no/such/folder/table.json

finish
