# SPDX-License-Identifier: MIT
"""The study of contact maps, on a few pairs. How long training takes is a matter of the machine and of what else it does; all else must hold.

From outside: parameters of the networks are counted here, and so are the networks of ten types.
"""
import os
import sys

sys.dont_write_bytecode = True
from judging import check, check_study, problems  # noqa: E402

if os.environ.get("TS_SANITIZE"):
    print("training takes minutes with sanitizers; other tests go through the same code")
    sys.exit(77)


def parameters(depth, width, inputs, outputs):
    return inputs * width + width + (depth - 1) * (width * width + width) + width * outputs + outputs


study = check_study("maps", may_fail=lambda claim: claim["unit"] == "s")
if study:
    claims = {c["claim"]: c["measured"] for c in study["claims"]}
    pairs = {text.split(":")[0] for text in claims if "×" in text.split(":")[0]}
    check(len(pairs) >= 4, f"pairs: {pairs}")
    networks = [value for text, value in claims.items() if "networks for the drum's 10 types" in text]
    check(networks == [110], f"10 types are {networks} networks, not 10 · 11")
    # A file holds at least the two networks' parameters, in two bytes each, and not much more: outlines, a head.
    for depth, width in (3, 32), (5, 64):
        least = 2 * (parameters(depth, width, 3, 1) + parameters(depth, width, 3, 2))
        found = [value for text, value in claims.items() if f"{depth}×{width} network, file" in text]
        check(found and all(least < value < least + 8000 for value in found), f"{depth}×{width}: files of {found}, least {least}")
    check({"maps.csv", "error-over-bytes.svg"} <= {os.path.basename(f) for f in study["figures"]}, f"{study['figures']}")
    with open([f for f in study["figures"] if f.endswith(".csv")][0]) as file:
        rows = file.read().splitlines()
    check(len(rows) >= 1 + 3 * len(pairs) and all(row.count(",") == rows[0].count(",") for row in rows[1:] if '"' in row),
          f"table of {len(rows)} rows")

print("\n".join(problems) or "the study of maps holds")
sys.exit(1 if problems else 0)
