# SPDX-License-Identifier: MIT
"""The longer studies of smooth bodies: fits, what is kept of vertices and edges, rollouts, and rest poses: every claim holds."""
import os
import sys

sys.dont_write_bytecode = True
from judging import check_study, problems  # noqa: E402

# A minute of processor time: only when it is asked for. Fits, proposals and contacts have tests of their own.
if os.environ.get("TS_SANITIZE") or not os.environ.get("TOUCHSTONE_SLOW_TESTS"):
    print("skipped: it takes a while; set TOUCHSTONE_SLOW_TESTS=1 to run it")
    sys.exit(77)

for name in ("fit", "choose-counts", "rollouts", "manifold-impact"):
    check_study(name)

print("\n".join(problems) or "fits, choices, rollouts and rest poses hold")
sys.exit(1 if problems else 0)
