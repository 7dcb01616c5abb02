# SPDX-License-Identifier: MIT
"""The study of contact maps, on a few pairs. How long training takes is a matter of the machine and of what else it does; all else must hold.

From outside: parameters of the networks are counted here, and so are the pairs of ten types.
"""
import os
import sys

sys.dont_write_bytecode = True
from judging import check, check_study, problems  # noqa: E402

# Three minutes of processor time: only when it is asked for. What the study is made of has tests of its own in tests/cspace.
if os.environ.get("TS_SANITIZE") or not os.environ.get("TOUCHSTONE_SLOW_TESTS"):
    print("skipped: training takes a while; set TOUCHSTONE_SLOW_TESTS=1 to run it")
    sys.exit(77)


def parameters(depth, width, inputs, outputs):
    return inputs * width + width + (depth - 1) * (width * width + width) + width * outputs + outputs


study = check_study("maps", may_fail=lambda claim: claim["unit"] == "s")
if study:
    claims = {c["claim"]: c["measured"] for c in study["claims"]}
    pairs = {head for head in (text.split(":")[0] for text in claims) if "×" in head and not head.endswith(" network")}
    check(len(pairs) >= 5, f"pairs: {pairs}")
    drum = [value for text, value in claims.items() if "pairs that the drum's 10 types make" in text]
    check(drum == [10 * 11 / 2], f"10 types make {drum} pairs, not 10 · 11 / 2")
    # claims that a wrong arm or normal would fail: each kind of map has its two
    for what in "mean error of the normal", "mean error of the arm":
        found = [text.split(":")[0] for text in claims if what in text]
        check(sorted(found) == ["3×32 network", "5×64 network", "auto", "grid"], f"{what}: claimed of {found}")
    check(sum("surface error above" in text for text in claims) == 1, "surface errors are not counted")
    # the pair of the figures has the preset as it is, trained to its end; others say that theirs is not
    worst = [text for text in claims if "5×64 network, worst error" in text]
    brief = [text for text in claims if "5×64 network, trained briefly, mean error" in text]
    check([text.split(":")[0] for text in worst] == ["hash×hash"] and len(brief) == 2, f"trained to the end: {worst}, briefly: {brief}")
    # A file holds at least the two networks' parameters, in two bytes each, and not much more: outlines, a head.
    for depth, width in (3, 32), (5, 64):
        least = 2 * (parameters(depth, width, 3, 1) + parameters(depth, width, 3, 2))
        found = [value for text, value in claims.items() if f"{depth}×{width} network, file" in text]
        check(found and all(least < value < least + 8000 for value in found), f"{depth}×{width}: files of {found}, least {least}")
    check({"maps.csv", "error-over-bytes.svg"} <= {os.path.basename(f) for f in study["figures"]}, f"{study['figures']}")
    with open([f for f in study["figures"] if f.endswith(".csv")][0]) as file:
        rows = file.read().splitlines()
    # every pair has a table; three have networks and a grid beside it, one of them small networks as well
    check(len(rows) == 1 + len(pairs) + 3 * 2 + 1, f"table of {len(rows)} rows for {pairs}")
    # the scene, in quotes, may have commas
    check(all(row.split('"')[2].count(",") == rows[0].count(",") for row in rows[1:]), f"columns of {rows}")

print("\n".join(problems) or "the study of maps holds")
sys.exit(1 if problems else 0)
