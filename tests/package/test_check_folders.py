# SPDX-License-Identifier: MIT
"""scripts/check-folders finds each kind of breach, and lets pass what the rule allows."""
import os
import pathlib
import subprocess
import sys

CHECK = pathlib.Path(os.environ["SOURCE_DIR"], "scripts", "check-folders")


def breaches(files):
    """Runs the check on a tree of these files; the complaints."""
    root = pathlib.Path("tree")
    subprocess.run(["rm", "-rf", root], check=True)
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    run = subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True)
    found = run.stderr.splitlines()
    assert run.returncode == (1 if found else 0), run
    return found


core = {"src/model.h": "", "src/base/a.h": "", "src/dynamics/d.h": "", "src/contact/c.h": "", "src/scene/s.h": ""}

good = {
    "src/base/x.c": '#include "base/a.h"\n#include <stdio.h>\n#include "touchstone/status.h"\n',
    "src/contact/x.c": '#include "model.h"\n#include "base/a.h"\n',
    "src/dynamics/x.c": '#include "contact/c.h"\n#  include "model.h"\n',
    "src/step.c": '#include "dynamics/d.h"\n',
    "src/state.h": '#include "contact/c.h"\n',
    "src/cli/x.c": '#include "scene/s.h"\n',
    "include/touchstone/x.h": '#include <stddef.h>\n#include "touchstone/status.h"\n',
}
assert breaches(core | good) == []

bad = {
    "src/base/x.c": '#include "scene/s.h"',
    "src/body/x.h": '#include "contact/c.h"',
    "src/material/x.c": '#include "model.h"',
    "src/model2.h": '#include "dynamics/d.h"',
    "src/step.c": '#include "scene/s.h"',
    "src/dynamics/x.c": '#include "../scene/s.h"',
    "src/contact/y.c": '#include "c.h"',
    "src/contact/z.c": "#define F \"c.h\"\n#include F",
    "src/shape/x.c": "#include <scene/s.h>",
    "src/strange/x.c": "",
    "include/touchstone/x.h": '#include "base/a.h"',
}
for name, text in bad.items():
    found = breaches(core | {name: text + "\n"})
    assert len(found) == 1 and found[0].startswith(name), (name, found)
print(f"{len(bad)} breaches found")
