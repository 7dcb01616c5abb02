# SPDX-License-Identifier: MIT
"""Ctrl-C and its kin: the run finishes its step, writes a checkpoint, says how to go on, and goes on bit for bit."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

touchstone = os.environ["TOUCHSTONE"]
support = os.environ["SOURCE_DIR"] + "/tests/cli/support.sh"
subprocess.run(["bash", "-c", f". {support}"], check=True)  # writes box.json
scene = json.loads(pathlib.Path("box.json").read_text())


def run(*arguments, code=0):
    done = subprocess.run([touchstone, *arguments], capture_output=True, text=True)
    assert done.returncode == code, (arguments, done)
    return done


def summary(folder):
    return json.loads(pathlib.Path(folder, "summary.json").read_text())


run("run", "box.json", "--out", "straight", "-q")
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    folder = number.name
    # no checkpoint by the clock: the one that is found was written because of the signal
    process = subprocess.Popen([touchstone, "run", "box.json", "--out", folder, "--duration", "1000"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    energies = pathlib.Path(folder, "energies.csv")
    while time.monotonic() < deadline and not (energies.exists() and energies.read_text().count("\n") > 5):
        time.sleep(0.01)
    process.send_signal(number)
    begin = time.monotonic()
    out, err = process.communicate(timeout=60)
    assert time.monotonic() - begin < 10, "it took long to stop"
    assert process.returncode == 1, (process.returncode, err)
    assert "Interrupted at t = " in err, err
    assert f"touchstone run --resume {folder}" in err, err
    assert "\x1b" not in err + out and "\r" not in err + out, "control characters outside a terminal"
    assert summary(folder)["outcome"] == "interrupted"
    stopped = summary(folder)["steps"]
    assert 0 < stopped, "it stopped before its first step"

    # on to a time that lies behind the interruption, as the run that was never disturbed
    step = summary(folder)["time_step"]
    steps = max(stopped + 500, round(scene["duration"] / step))
    duration = repr(steps * step)
    resumed = run("run", "--resume", folder, "--duration", duration)
    assert f"resumed at step {stopped:,}" in resumed.stderr, resumed.stderr
    assert summary(folder)["steps"] == steps
    run("run", "box.json", "--out", folder + "-straight", "-q", "--duration", duration)
    assert summary(folder)["state_hash"] == summary(folder + "-straight")["state_hash"], "other bits after an interruption"
    for name in ("trajectory.tst", "energies.csv"):
        a, b = (pathlib.Path(f, name).read_bytes() for f in (folder, folder + "-straight"))
        if name == "trajectory.tst":  # its header keeps the duration that was asked for at first
            a, b = a[-len(b) // 2:], b[-len(b) // 2:]
        assert a == b, f"{name} differs after an interruption"

# nohup: a hang-up is ignored
process = subprocess.Popen(["nohup", touchstone, "run", "box.json", "--out", "nohup", "-q"],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
time.sleep(0.1)
process.send_signal(signal.SIGHUP)
assert process.wait(timeout=100) == 0
assert summary("nohup")["state_hash"] == summary("straight")["state_hash"]
sys.exit(0)
