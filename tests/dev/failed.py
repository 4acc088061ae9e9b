"""Names the tests that failed, with the ends of what they said.

usage: failed.py LOG.json...

A log is what meson writes of a suite: one test a line. A log that is not there has no test. The end of a long run is
what one sees of it, and what went wrong may be thousands of lines above.
"""

import json
import pathlib
import sys

BAD = {"FAIL", "TIMEOUT", "ERROR", "INTERRUPT", "UNEXPECTEDPASS"}
LINES = 12  # of what a test said


def tests_of(path):
    """A meson that was killed leaves half a line, which is no test."""
    if path.exists():
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                yield json.loads(line)
            except ValueError:
                pass


def end_of(text):
    return text.rstrip("\n").split("\n")[-LINES:] if text else []


def show(path, test):
    print(f"\nfailed, in {path}: {test['name']} ({test['result']}, {test['duration']:.0f} s)")
    for line in end_of(test.get("stdout")) + end_of(test.get("stderr")):
        print("    " + line[:200])


for path in map(pathlib.Path, sys.argv[1:]):
    for test in tests_of(path):
        if test["result"] in BAD:
            show(path, test)
