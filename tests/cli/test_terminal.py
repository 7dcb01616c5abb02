# SPDX-License-Identifier: MIT
"""Progress on a terminal: one line that rewrites itself, at most ten times a second, within the terminal's width, gone at
the end; and plain lines where there is no terminal."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import time

touchstone = os.environ["TOUCHSTONE"]
support = os.environ["SOURCE_DIR"] + "/tests/cli/support.sh"
subprocess.run(["bash", "-c", f". {support}"], check=True)  # writes box.json


def in_terminal(arguments, columns, environment=None, code=0):
    """Standard error of the program, as a terminal of that width gets it."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([touchstone, *arguments], stdout=subprocess.DEVNULL, stderr=slave,
                               env={**os.environ, "TERM": "xterm", **(environment or {})})
    os.close(slave)
    begin, data = time.monotonic(), b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        data += piece
    os.close(master)
    assert process.wait() == code, data
    return data.decode().replace("\r\n", "\n"), time.monotonic() - begin


long = ["run", "box.json", "--force", "--duration", "1000", "--wall-limit", "1.5s"]
for columns in (80, 200, 40):
    text, seconds = in_terminal(long, columns)
    lines = [piece.split("\n")[0] for piece in text.split("\r")[1:]]
    shown = [re.sub(r"\x1b\[[0-9;]*[mK]", "", line) for line in lines]
    bars = [line for line in shown if "%" in line]
    assert 3 <= len(bars) <= 10 * seconds + 2, (len(bars), seconds)
    assert all(len(line) < columns for line in bars), max(bars, key=len)
    if columns >= 80:
        assert any("━" in line or "─" in line for line in bars), bars
        assert any(re.search(r"\d+\.\d%", line) and "t = " in line and "steps/s" in line and "ETA " in line
                   and "contacts" in line for line in bars), bars
    else:
        assert any(re.search(r"\d+\.\d%  ETA ", line) for line in bars), bars
    # the line is wiped before anything else is printed
    last = text.rindex("ETA ")
    assert "\r\x1b[K" in text[last:], repr(text[last:])

text, _ = in_terminal(long, 80, {"NO_COLOR": "1"})
assert "\x1b[3" not in text, "colours in spite of NO_COLOR"
text, _ = in_terminal(long, 80, {"TERM": "dumb"})
assert "\x1b" not in text and "\r" not in text, "a dumb terminal is no place for escapes"

done = subprocess.run([touchstone, *long], capture_output=True, text=True, check=True)
assert "\x1b" not in done.stderr + done.stdout and "\r" not in done.stderr + done.stdout
assert re.search(r"^\d+\.\d%  t = .*ETA ", done.stderr, re.MULTILINE), done.stderr

# errors are wrapped between words for people, and stay one line for programs
text, _ = in_terminal(["run", "box.json"], 80, code=2)
plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
assert "holds a run already" in plain and all(len(line) <= 80 for line in plain.split("\n")), plain
piped = subprocess.run([touchstone, "run", "box.json"], capture_output=True, text=True)
assert piped.stderr == " ".join(plain.split("\n")).rstrip() + "\n", piped.stderr
