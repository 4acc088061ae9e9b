"""What `halogen trace merge` makes of a run is what an observer saw of it; see traced.c.

usage: traced.py RUN.json SUMMARY FOLDER RANKS whole|bounded EVENTS|killed

Ends with 3 if nothing is wrong but shares of time, which may be other ones on a busy machine.
"""

import collections
import json
import re
import sys

run, summary, folder, ranks, mode = sys.argv[1], open(sys.argv[2]).read(), sys.argv[3], int(sys.argv[4]), sys.argv[5]
room = int(sys.argv[6]) if mode == "bounded" else None

EXCHANGES = ["all", "star", "narrow"]


def expect(found, expected, what):
    if found != expected:
        sys.exit(f"FAIL {what}: {str(found)[:600]}, not {str(expected)[:600]}")


def nanoseconds(microseconds):
    return round(microseconds * 1000)


def facts_of(rank):
    """Kind, exchange, start, phase, peer, bytes of each event."""
    found = []
    for line in open(f"{folder}/facts-{rank}"):
        kind, *numbers = line.rstrip("\n").split("|")
        if len(numbers) == 5:
            found.append((kind, *map(int, numbers)))
    return found


def fact_of(event):
    """The same of a span of the merged file."""
    args = event["args"]
    name = event["name"].split(" ")[0] if event["name"].split(" ")[0] in ("start", "finish") else event["name"]
    exchange = EXCHANGES.index(args["exchange"]) if "exchange" in args else -1
    return (name, exchange, args.get("start", 0), args.get("phase", 1), args.get("peer", -1), args.get("bytes", 0))


def check_nesting(spans, where):
    """Of two spans of a track one is within the other, or behind it."""
    open_ends = []
    for begin, end in sorted(spans, key=lambda s: (s[0], -s[1])):
        while open_ends and open_ends[-1] <= begin:
            open_ends.pop()
        if open_ends and end > open_ends[-1]:
            sys.exit(f"FAIL a span of {where} ends at {end}, the one around it at {open_ends[-1]}")
        open_ends.append(end)


def check_arrows(events):
    ends = collections.defaultdict(dict)
    for e in events:
        if e["ph"] in "sf":
            if e["ph"] in ends[e["id"]]:
                sys.exit(f"FAIL two ends {e['ph']} of arrow {e['id']}")
            ends[e["id"]][e["ph"]] = e
    for number, pair in ends.items():
        expect(set(pair), {"s", "f"}, f"ends of arrow {number}")
        if pair["f"]["ts"] < pair["s"]["ts"]:
            sys.exit(f"FAIL arrow {number} goes from {pair['s']['ts']} to {pair['f']['ts']}")
        expect(pair["f"]["bp"], "e", "binding of an arrow's end")
        expect(pair["s"]["pid"] != pair["f"]["pid"], True, "an arrow to another rank")
    return ends


document = json.load(open(run))
expect(document["displayTimeUnit"], "ns", "unit")
events = document["traceEvents"]
spans = [e for e in events if e["ph"] == "X"]
expect({e["ph"] for e in events} - set("MXsfi"), set(), "kinds of events")
expect({e["args"]["name"] for e in events if e["name"] == "process_name" and e["ph"] == "M"} and
       len({e["pid"] for e in events if e["name"] == "process_name"}), ranks, "tracks")

tracks = collections.defaultdict(list)
for e in spans:
    begin, length = nanoseconds(e["ts"]), nanoseconds(e["dur"])
    if length < 0 or begin < 0:
        sys.exit(f"FAIL a span of {length} ns from {begin} on")
    tracks[e["pid"], e["tid"]].append((begin, begin + length))
for where, found in tracks.items():
    check_nesting(found, where)

# Clocks are a thousand seconds apart, and the run took a few.
if max(e["ts"] + e.get("dur", 0) for e in spans) > 60e6:
    sys.exit("FAIL clocks are not aligned")
for rank in range(1, ranks):
    # On a busy machine messages by which clocks are compared take long, and the summary says how long.
    ahead, give = map(float, re.search(rf"rank {rank} .*clock ([-+][0-9.]+) s, give or take ([0-9.]+) us", summary).groups())
    if abs(ahead + 1000 * rank) > 1e-6 * give + 1e-3:
        sys.exit(f"FAIL the clock of rank {rank} is said to be {ahead} s from that of rank 0, give or take {give} us")

arrows = check_arrows(events)
facts = {rank: facts_of(rank) for rank in range(ranks)}
for rank in range(ranks):
    wanted = [f for f in facts[rank] if f[0] != "moment"]
    found = [fact_of(e) for e in spans if e["pid"] == rank]
    if mode == "whole":
        expect(sorted(found), sorted(wanted), f"spans of rank {rank}")
    elif mode == "bounded":
        last = [f for f in facts[rank][-room:] if f[0] != "moment"]
        expect(sorted(found), sorted(last), f"the last spans of rank {rank}")
        gone = re.search(rf"rank {rank} .* the first (\d+) are gone", summary)
        expect(int(gone[1]), len(facts[rank]) - room, f"events of rank {rank} that are gone")
    elif rank == 1:
        # All up to the moment of its death, and nothing that it did not do.
        expect(sorted(found), sorted(wanted), "spans of the rank that was killed")

sent = sum(f[0] == "send" for rank in range(ranks) for f in facts[rank])
if mode == "whole":
    expect(len(arrows), sent, "arrows")
    # Rank 1 works for 25 ms between exchanges, the others for 0.1 ms; on a busy machine messages take long, too.
    shares = dict(re.findall(r"  rank (\d) +([0-9.]+) %", summary[summary.index("where it goes along:"):]))
    own = float(re.search(r"the program itself +([0-9.]+) %", summary)[1])
    if max(shares, key=lambda rank: float(shares[rank])) != "1" or own < 40:
        print(f"FAIL rank 1 takes longest, but the path has {shares} of ranks, {own} % of the program itself")
        sys.exit(3)
if mode == "killed" and not arrows:
    sys.exit("FAIL no arrow of a run in which a rank was killed")
