# SPDX-License-Identifier: MIT
"""The studies of non-convex grains in their quick form: some minutes, so only when it is asked for. What they are made of has tests
of its own in tests/law, tests/contact and tests/measure."""
import os
import sys

sys.dont_write_bytecode = True
from judging import check_study, maps_may_fail, problems, run  # noqa: E402
import json  # noqa: E402

GRAINS = ["packing", "column-collapse", "maps-matter", "silo", "drum", "cereal", "chain"]

if os.environ.get("TS_SANITIZE") or not os.environ.get("TOUCHSTONE_SLOW_TESTS"):
    print("skipped: heaps take a while; set TOUCHSTONE_SLOW_TESTS=1 to run it")
    sys.exit(77)

there = {entry["study"] for entry in json.loads(run("study", "--json", "-").stdout)["studies"]}
for name in GRAINS:
    if name in there:
        check_study(name, maps_may_fail if name == "maps-matter" else lambda claim: False)
print("\n".join(problems) or "the studies of grains hold")
sys.exit(1 if problems else 0)
