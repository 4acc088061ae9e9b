"""Files of runs made by hand: clocks, names and ranks that no run of these tests has.

usage: made.py HALOGEN
"""

import ctypes as c
import json
import os
import pathlib
import random
import re
import socket
import subprocess
import sys
import tempfile

halogen = sys.argv[1]
kept = tempfile.TemporaryDirectory()
folder = pathlib.Path(kept.name)
START, SENT, UNPACKED = 2, 4, 10
WAITING, FAILED = 4, 5
ESCAPE = b"\x1b[31m"


def struct(*fields):
    return type("Struct", (c.Structure,), {"_fields_": list(fields)})


# As runtime/observe/trace_format.h and waits_format.h lay them out.
i32, u32, i64, u64 = c.c_int32, c.c_uint32, c.c_int64, c.c_uint64
TraceHandle = struct(("id", u64), ("spec", c.c_char * 56), ("file", c.c_char * 224), ("rank", i32), ("ranks", i32),
                     ("first", i32), ("exchanges", i32), ("ahead", c.c_double), ("uncertain", c.c_double))
TraceExchange = struct(("name", c.c_char * 56), ("line", i32), ("unused", i32))
TraceHead = struct(("magic", c.c_char * 16), ("order", u32), ("record_bytes", u32), ("head_bytes", u64), ("room", u64),
                   ("count", u64), ("pid", i64), ("process", i32), ("handles", i32), ("exchanges", i32),
                   ("transports", i32), ("unlisted", u64), ("seconds", c.c_double), ("day_time", c.c_double),
                   ("host", c.c_char * 64), ("transport", c.c_char * 16 * 16), ("handle", TraceHandle * 64),
                   ("exchange", TraceExchange * 512))
Record = struct(("number", u64), ("start", u64), ("bytes", u64), ("since", c.c_double), ("seconds", c.c_double),
                ("peer", i32), ("message", i32), ("exchange", c.c_int16), ("handle", c.c_uint8), ("kind", c.c_uint8),
                ("phase", c.c_uint8), ("status", c.c_uint8), ("transport", c.c_uint8), ("flags", c.c_uint8),
                ("thread", i32), ("unused", i32))
WaitsMessage = struct(("bytes", u64), ("peer", i32), ("phase", c.c_uint8), ("comes", c.c_uint8), ("done", c.c_uint8),
                      ("number", c.c_uint8))
WaitsExchange = struct(("name", c.c_char * 56), ("line", i32), ("state", i32), ("phase", i32), ("phases", i32),
                       ("first", i32), ("messages", i32), ("start", u64), ("since", c.c_double))
WaitsHandle = struct(("id", u64), ("rank", i32), ("ranks", i32), ("exchanges", i32), ("messages", i32),
                     ("destroyed", i32), ("spec", c.c_char * 56), ("file", c.c_char * 224), ("sentence", c.c_char * 512),
                     ("calling_since", c.c_double), ("calling", c.c_char * 56),
                     ("exchange", WaitsExchange * 32), ("message", WaitsMessage * 1024))
WaitsHead = struct(("magic", c.c_char * 16), ("order", u32), ("process", i32), ("pid", i64), ("space", u64),
                   ("bytes", u64), ("host", c.c_char * 64), ("seconds", c.c_double), ("day_time", c.c_double), ("answers", u64),
                   ("answered", c.c_double), ("creating_since", c.c_double), ("creating", c.c_char * 56), ("left_out", u64),
                   ("handle", WaitsHandle * 16))


def expect(found, expected, what):
    if found != expected:
        sys.exit(f"FAIL {what}: {found!r}, not {expected!r}")


def run(what, name):
    told = subprocess.run([halogen, "trace", what, folder / name], capture_output=True)
    expect(told.returncode, 0, f"code of trace {what} {name}, {told.stderr.decode()}")
    expect(b"\x1b" in told.stdout, False, f"an escape in what trace {what} {name} tells")
    return told.stdout.decode()


def write_trace(name, rank, host, ahead, uncertain, ends, thread=0):
    """ends: (kind, seconds, peer, start)"""
    head = TraceHead(magic=b"halogen-trace 1", order=0x01020304, record_bytes=c.sizeof(Record),
                     head_bytes=c.sizeof(TraceHead), room=max(64, len(ends)), count=len(ends), process=rank, handles=1, exchanges=1,
                     host=host)
    head.handle[0] = TraceHandle(id=7, spec=b"spec", file=b"file", rank=rank, ranks=9, exchanges=1, ahead=ahead,
                                 uncertain=uncertain)
    head.exchange[0] = TraceExchange(name=b"all")
    records = [Record(number=i + 1, start=start, bytes=8, since=seconds, seconds=seconds, peer=peer, kind=kind,
                      thread=thread)
               for i, (kind, seconds, peer, start) in enumerate(ends)]
    (folder / name).mkdir(exist_ok=True)
    (folder / name / f"rank-{rank}.hxtrace").write_bytes(bytes(head) + b"".join(map(bytes, records)))


def clocks(summary):
    return [float(ahead) for ahead in re.findall(r"clock ([-+][0-9.]+) s", summary)]


# Rank 1's message comes 30 us too early, within what its clock is uncertain by; rank 2 shares that clock.
write_trace("shared", 0, ESCAPE + b"one", 0, 0, [(SENT, 1.0, 1, 0)])
write_trace("shared", 1, b"two", 0.5, 50e-6, [(UNPACKED, 0.49997, 0, 0)])
write_trace("shared", 2, b"two", 0.50004, 50e-6, [(START, 0.6, -1, 0)])
summary = run("merge", "shared")
expect(clocks(summary), [0, 0.50003, 0.50003], "clocks of ranks on two machines")
expect("rank 0     \\x1b[31mone " in summary, True, f"the host of rank 0 is shown in\n{summary}\n")
expect("before being sent" in summary, False, "messages that come too early")

# Rank 1's clock loses 1 ms between two messages: no number added to it serves both, so it is moved on.
write_trace("drift", 0, b"one", 0, 0, [(SENT, 1.0, 1, 0), (UNPACKED, 1.2, 1, 1), (SENT, 2.0, 1, 2)])
write_trace("drift", 1, b"two", 0.5, 50e-6, [(UNPACKED, 0.5001, 0, 0), (SENT, 0.6999, 0, 1), (UNPACKED, 1.499, 0, 2)])
summary = run("merge", "drift")
expect(clocks(summary), [0, 0.5], "clocks that drift")
expect("1 message comes before being sent by clocks as create compared them" in summary and "by up to 1000.0 us" in summary,
       True, f"a message that comes too early is told in\n{summary}\n")


def arrows(name):
    """From when to when each arrow goes, in microseconds."""
    subprocess.run([halogen, "trace", "merge", folder / name, "-o", folder / "run.json"], check=True, capture_output=True)
    ends = {}
    for event in json.load(open(folder / "run.json"))["traceEvents"]:
        if event["ph"] in "sf":
            ends.setdefault(event["id"], {})[event["ph"]] = event["ts"]
    return [(pair["s"], pair["f"]) for pair in ends.values()]


expect([when < then for when, then in arrows("drift")], [True] * 3, "arrows of clocks that drift")

# Two clocks run at other speeds than the first, one of them both ranks of a host.  Each rank sends to each other one, in turn.
chance = random.Random(20)
speed = {b"one": (0.0, 1.0), b"two": (-7.0, 0.95), b"three": (30.0, 1.04)}
hosts = [b"one", b"two", b"three", b"three"]
records = [[] for _ in hosts]
clock = [lambda seconds, host=host: speed[host][0] + speed[host][1] * seconds for host in hosts]
for number in range(400):
    sender, receiver = chance.sample(range(len(hosts)), 2)
    sent = 1.0 + 0.01 * number
    came = sent + chance.choice([1e-6, 1e-4, 5e-3])
    records[sender].append((clock[sender](sent), SENT, receiver, number))
    records[receiver].append((clock[receiver](came), UNPACKED, sender, number))
for rank, host in enumerate(hosts):
    ordered = [(kind, seconds, peer, start) for seconds, kind, peer, start in sorted(records[rank])]
    write_trace("speeds", rank, host, -speed[host][0], 50e-6, ordered)
found = arrows("speeds")
expect((len(found), [pair for pair in found if pair[1] < pair[0]]), (400, []), "arrows that go backwards")
expect(max(then - when for when, then in found) < 0.3e6, True, f"how long arrows are: {max(then - when for when, then in found)}")

# A program may have made many threads before this one.
write_trace("threads", 0, b"one", 0, 0, [(SENT, 1.0, 1, 0)], thread=1500)
subprocess.run([halogen, "trace", "merge", folder / "threads", "-o", folder / "run.json"], check=True, capture_output=True)
named = [e["args"]["name"] for e in json.load(open(folder / "run.json"))["traceEvents"] if e["name"] == "thread_name"]
expect(named, ["thread 1500"], "names of tracks")

# A pipe that nobody writes is no file of a run.
(folder / "pipe").mkdir()
os.mkfifo(folder / "pipe" / "rank-0.hxtrace")
told = subprocess.run([halogen, "trace", "merge", folder / "pipe"], capture_output=True, timeout=20)
expect((told.returncode, b"rank-0.hxtrace: cannot be read" in told.stderr), (2, True), "what is said of a pipe")


def write_waits(name, rank, handle, due, state, host=b"far", pid=0, space=0):
    head = WaitsHead(magic=b"halogen-waits 1", order=0x01020304, bytes=c.sizeof(WaitsHead), process=rank, host=host,
                     pid=pid, space=space)
    head.handle[3] = WaitsHandle(id=handle, rank=rank, ranks=9, exchanges=1, messages=len(due), spec=b"spec",
                                 file=ESCAPE + b"file")
    head.handle[3].exchange[0] = WaitsExchange(name=ESCAPE + b"all", line=4, state=state, phases=1, messages=len(due))
    for i, peer in enumerate(due):
        head.handle[3].message[i] = WaitsMessage(bytes=8, peer=peer, comes=1)
    (folder / name).mkdir(exist_ok=True)
    (folder / name / f"rank-{rank}.hxwaits").write_bytes(bytes(head))


# Ranks 0 and 1 of handle 7 wait for its ranks 1 and 5; 5 left no file, and a rank 5 of handle 8 is another one.
write_waits("waits", 0, 7, [1, 5], WAITING)
write_waits("waits", 1, 7, [5], FAILED)
write_waits("waits", 5, 8, [], 0)
told = run("why", "waits")
expect("Look at rank 5 first: 2 others wait for it.\nrank 5 left no file" in told, True, f"who is missing is told in\n{told}\n")
expect(told.count('exchange "\\x1b[31mall" (\\x1b[31mfile:4)') >= 2, True, f"names are shown in\n{told}\n")

# A process of this host is gone where nobody has its number; in another container that says nothing.
ended = subprocess.Popen(["true"])
ended.wait()
here, own = socket.gethostname().encode(), os.stat("/proc/self/ns/pid").st_ino
for name, space, gone in ("here", own, True), ("container", own + 1, False):
    write_waits(name, 0, 7, [1], WAITING, here, os.getpid(), own)
    write_waits(name, 1, 7, [], 0, here, ended.pid, space)
    expect(f"rank 1 is gone (process {ended.pid} on" in run("why", name), gone, f"whether rank 1 is gone, {name}")
