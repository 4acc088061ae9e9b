"""What a trace tells of the gas: its kernels, which HX_TRACE shows beside what libhx does.

usage: traced.py MPIRUN FLOW HALOGEN      on 2 ranks, on the fake device, which does at once what it is given
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

mpirun, flow, halogen = sys.argv[1:4]
RANKS, STEPS = 2, 3
STAGES = 2 * STEPS


def expect(condition, *what):
    if not condition:
        sys.exit("FAIL " + " ".join(map(str, what)))


def merge(folder):
    return subprocess.run([halogen, "trace", "merge", str(folder), "-o", str(folder / "run.json")], capture_output=True, text=True)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name) / "traces"
    said = subprocess.run([mpirun, str(RANKS), flow, "24", "20", str(STEPS)], env=dict(os.environ, HX_TRACE=str(folder)),
                          capture_output=True, text=True)
    expect(said.returncode == 0, said.stdout[-2000:], said.stderr[-2000:])
    merged = merge(folder)
    expect(merged.returncode == 0, merged.stderr)
    events = json.loads((folder / "run.json").read_text())["traceEvents"]
    refused = {"1.0 0.5 late": 1, "1.0 2.0": 1, "0.5 1.5 fine\nnone 1 word": 2, "1 nan word": 1}
    for text, line in refused.items():
        (folder / "rank-00001.spans").write_text(text + "\n")
        wrong = merge(folder)
        expect(wrong.returncode == 2 and f"rank-00001.spans:{line}: a span is BEGIN END NAME" in wrong.stderr, text, "gives", wrong.stderr)

tracks = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
expect(sorted(pid for (pid, _), name in tracks.items() if name == "the program") == list(range(RANKS)), tracks)
for rank in range(RANKS):
    spans = [(e["ts"], e["ts"] + e["dur"], e["name"], tracks[rank, e["tid"]]) for e in events if e["ph"] == "X" and e["pid"] == rank]
    of = {name: sorted(s for s in spans if s[2] == name) for name in ("start state", "finish state", "interior", "rim")}
    expect([len(list_) for list_ in of.values()] == 4 * [STAGES], {name: len(list_) for name, list_ in of.items()})
    expect({s[3] for s in of["interior"] + of["rim"]} == {"the program"}, "a kernel on another track")
    for start, interior, finish, rim in zip(of["start state"], of["interior"], of["finish state"], of["rim"]):
        # A microsecond is what a float of milliseconds may lose.
        moments = [start[0], start[1], interior[0], interior[1], finish[0], finish[1], rim[0], rim[1]]
        expect(all(a <= b + 1.0 for a, b in zip(moments, moments[1:])), "order of", start, interior, finish, rim)
print("kernels of", RANKS, "ranks are in the trace")
