"""What traces and statistics tell of a field in the memory of a device: device.cc on the fake device, with HX_TRACE and HX_STATS.

usage: device_events.py MPIRUN PROGRAM HALOGEN      on 2 ranks
"""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

mpirun, program, halogen = sys.argv[1:4]
RANKS = 2
# device.cc: so often start and finish of each exchange are called, and the halves for CUDA graphs, which are no calls of start.
STARTS = {"all": 8, "inner": 2}
HALVES = {"all": 2, "inner": 0}


def expect(condition, *what):
    if not condition:
        sys.exit("FAIL " + " ".join(map(str, what)))


with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    environment = dict(os.environ, HX_TRACE=str(work / "traces"), HX_STATS=str(work / "stats.json"))
    said = subprocess.run([mpirun, str(RANKS), program], env=environment, capture_output=True, text=True)
    expect(said.returncode == 0, said.stdout[-2000:], said.stderr[-2000:])
    subprocess.run([halogen, "trace", "merge", str(work / "traces"), "-o", str(work / "run.json")], check=True, stdout=subprocess.DEVNULL)
    events = json.loads((work / "run.json").read_text())["traceEvents"]
    told = json.loads((work / "stats.json").read_text())

# Streams have tracks of their own, by exchange.
names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
streams = {track: name.removeprefix("device, stream of ") for track, name in names.items() if name.startswith("device, stream of ")}
expect(sorted((rank, name) for (rank, _), name in streams.items()) == [(r, x) for r in range(RANKS) for x in sorted(STARTS)], streams)

calls = collections.defaultdict(dict)
for e in events:
    if e["ph"] == "X" and "exchange" in e["args"]:
        args = e["args"]
        parts = calls[e["pid"], args["exchange"], args["start"]]
        on_stream = (e["pid"], e["tid"]) in streams
        expect(not on_stream or streams[e["pid"], e["tid"]] == args["exchange"], "a span on another stream:", e)
        name = "device" if on_stream else e["name"].split(" ")[0]
        parts.setdefault(name, []).append((e["ts"], e["ts"] + e["dur"], args.get("bytes", 0), args.get("peer", -1)))

for rank in range(RANKS):
    for exchange, starts in STARTS.items():
        with_start = sum("start" in parts and "device" in parts for (r, x, _), parts in calls.items() if (r, x) == (rank, exchange))
        expect(with_start == starts, with_start, "starts of", exchange)
        found = [parts for (r, x, _), parts in calls.items() if (r, x) == (rank, exchange) and "device" in parts]
        expect(len(found) == starts + HALVES[exchange], exchange, "was packed by a device", len(found), "times on rank", rank)
        for parts in found:
            ((begun, packed, size, peer),) = parts["device"]
            called = parts.get("start", [(begun,)])[0][0]
            # The device packs from start on; what it has packed is sent then.
            expect(called <= begun <= packed <= min(send[0] for send in parts["send"]), "order of", parts)
            expect(size == sum(send[2] for send in parts["send"]) > 0 and peer == -1, "bytes of", parts)

# By the clock of each rank, what its streams took is what statistics add up.
for exchange in told["exchanges"]:
    for found in exchange["ranks"]:
        spans = [p for (r, x, _), parts in calls.items() if (r, x) == (found["rank"], exchange["name"]) for p in parts.get("device", [])]
        seconds = 1e-6 * sum(end - begin for begin, end, _, _ in spans)
        expect(abs(found["device_seconds"] - seconds) <= 1e-6 and seconds > 0.0, "device_seconds", found, "not", seconds)
        expect(found["times"] == STARTS[exchange["name"]] and found["pack_seconds"] == 0.0, "counts", found)
print("streams of", RANKS, "ranks are told")
