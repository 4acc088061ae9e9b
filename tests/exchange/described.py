"""What handles say of themselves as JSON is what hx_links, hx_traffic_of and the layout say; see described.c.

usage: described.py DOCUMENT FOLDER RANKS plain|timed
"""

import glob
import json
import math
import os
import re
import sys

document, folder, ranks, mode = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
timed = mode == "timed"

OF_LINKS = ("field", "tile", "block", "source_tile", "source_block", "source_field", "sign", "offset", "components",
            "direction", "lo", "hi", "source_first", "axis", "turn")

# None: what is received may be added, or combined, when all is in.
KERNELS = {"strip", "pair", "general", "turned", "picked", "listed", None}


def expect(found, expected, what):
    if found != expected:
        sys.exit(f"FAIL {what}: {str(found)[:500]}, not {str(expected)[:500]}")


def value_of(word):
    """A number, a list of them, or a word."""
    if re.fullmatch(r"-?\d+", word):
        return int(word)
    return [int(n) for n in word.split(",")] if re.fullmatch(r"-?\d+(,-?\d+)+", word) else word


def facts_of(path):
    """Kind of each line: its keys and values."""
    found = {"handle": [], "block": [], "traffic": [], "link": []}
    for line in open(path):
        kind, *rest = line.split()
        found[kind].append({k: v if k == "hash" else value_of(v) for k, v in zip(rest[::2], rest[1::2])})
    return found


def as_list(value):
    return value if isinstance(value, list) else [value]


def segments_of(facts, exchange, phase):
    """The links of a phase, as lists of messages have them."""
    lists = {}
    for link in facts["link"]:
        if link["exchange"] == exchange and link["phase"] == phase:
            want = {k: as_list(link[k]) if k in OF_LINKS[9:] else link[k] for k in OF_LINKS}
            lists.setdefault((link["peer"], link["incoming"]), []).append(want)
    return lists


def bytes_of(segment, run):
    points = 1
    for lo, hi in zip(segment["lo"], segment["hi"]):
        points *= hi - lo
    field = run["fields"][segment["field"]]
    return points * field["size"] * segment["components"]


def check_segments(found, wanted, run, what):
    expect([{k: s[k] for k in OF_LINKS} for s in found], wanted, what)
    for segment in found:
        if segment["components"] == 1:
            expect(segment["bytes"], bytes_of(segment, run), f"bytes of a segment of {what}")


def check_phase(run, facts, number, p, phase):
    wanted = segments_of(facts, number, p)
    copies = wanted.pop((run["rank"], 1), [])
    check_segments(phase["copies"], copies, run, "copies")
    expect({(m["rank"], int(not m["sent"])) for m in phase["messages"]}, set(wanted), "messages of a phase")
    for key in wanted:
        messages = [m for m in phase["messages"] if (m["rank"], int(not m["sent"])) == key]
        found = [s for m in messages for s in m["segments"]]
        check_segments(found, wanted[key], run, f"segments {key}")
        for m in messages:
            last = m["segments"][-1]
            if m["bytes"] < last["offset"] + last["bytes"]:
                sys.exit(f"FAIL a message of {m['bytes']} bytes ends at {last['offset'] + last['bytes']}")
            kernels = {s["kernel"] for s in m["segments"]}
            expect(kernels - KERNELS, set(), "kernels")
            if m["way"] == "buffer" and m["sent"] and None in kernels:
                sys.exit(f"FAIL no kernel packs {str(m)[:500]}")


def check_times(exchange, traffic):
    times = exchange["times"]
    expect(times["calls"], traffic["calls"], "calls")
    for half in "start", "finish":
        t = times[half]
        if not 0 < t["least"] <= t["mean"] <= t["most"] < 60:
            sys.exit(f"FAIL times of {half}: {t}")
    parts = times["pack_seconds"] + times["wait_seconds"] + times["unpack_seconds"]
    whole = times["calls"] * (times["start"]["mean"] + times["finish"]["mean"])
    if not 0 < parts <= whole * 1.01 + 1e-6:
        sys.exit(f"FAIL parts of {parts} s in calls of {whole} s")


def check_exchange(run, facts, number):
    exchange, traffic = run["exchanges"][number], facts["traffic"][number]
    expect(exchange["name"], traffic["name"], "name")
    expect(len(exchange["peers"]), traffic["peers"], "peers")
    expect(len(exchange["phases"]), traffic["phases"], "phases")
    expect(exchange["schedule"] == "by-dimension", exchange["phases"][0]["axis"] is not None, "axis of a phase")
    expect(sum(p["bytes_sent"] for p in exchange["peers"]), traffic["sent"], "bytes sent")
    expect(sum(p["copied_bytes"] for p in exchange["phases"]), traffic["copied"], "bytes copied")
    for p, phase in enumerate(exchange["phases"]):
        check_phase(run, facts, number, p, phase)
    for peer in exchange["peers"]:
        for sent, way in (True, "sent"), (False, "received"):
            messages = [m for phase in exchange["phases"] for m in phase["messages"]
                        if m["rank"] == peer["rank"] and m["sent"] == sent]
            expect(peer["messages_" + way], len(messages), "messages of a peer")
            expect(peer["bytes_" + way], sum(m["bytes"] for m in messages), "bytes of a peer")
            expect({m["transport"] for m in messages} - {peer["transport"]}, set(), "transport")
        expect(peer["same_node"], peer["rank"] in run["node"], "node")
    if not timed:
        expect(exchange["times"], None, "times of a run that nobody asked about")


def check_rank(run, facts):
    handle = facts["handle"][0]
    expect((run["format"], run["version"]), ("halogen-run", 1), "format")
    expect((run["spec"], run["hash"]), (handle["spec"], handle["hash"]), "spec")
    blocks = [{k: as_list(b[k]) if k in ("first", "cells") else b[k] for k in b} for b in facts["block"]]
    expect([{k: b[k] for k in ("tile", "first", "cells")} for b in run["blocks"]], blocks, "blocks")
    for block in run["blocks"]:
        within = run["tiles"][block["tile"]]
        if not 0 <= block["block"] < math.prod(within["parts"]):
            sys.exit(f"FAIL {block} is none of {within}")
    expect(len(run["exchanges"]), handle["exchanges"], "exchanges")
    if run["rank"] not in run["node"]:
        sys.exit(f"FAIL rank {run['rank']} is not among {run['node']}")
    for number in range(len(run["exchanges"])):
        check_exchange(run, facts, number)


def without_times(run):
    plain = json.loads(json.dumps(run))
    for exchange in plain["exchanges"]:
        exchange.pop("times")
    return plain


def keys_of(value, found):
    if isinstance(value, dict):
        found.update(value)
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        keys_of(inner, found)


described, keys = {}, set()
for name, first in ("first", 0), ("second", 0), ("third", 1):
    for r in range(first, ranks):
        run = json.load(open(f"{folder}/{name}-{r}.json"))
        expect((run["rank"], run["ranks"]), (r - first, ranks - first), "rank")
        check_rank(run, facts_of(f"{folder}/{name}-{r}.facts"))
        described[name, r - first] = run
        keys_of(run, keys)

files = {os.path.basename(f) for f in glob.glob(f"{folder}/run*")}
wanted = {"run.json": "first", "run-2.json": "second"}
if ranks > 1:
    wanted["run-rank1.json"] = "third"
expect(files, set(wanted) if timed else set(), "files")
for file, name in wanted.items() if timed else ():
    runs = json.load(open(f"{folder}/{file}"))
    expect((runs["format"], runs["version"]), ("halogen-runs", 1), "format of the file")
    expect(runs["spec"], runs["ranks"][0]["spec"], "spec of the file")
    expect([without_times(r) for r in runs["ranks"]],
           [without_times(described[name, r]) for r in range(len(runs["ranks"]))], file)
    expect(len(runs["ranks"]), runs["ranks"][0]["ranks"], "ranks in the file")
    for r, run in enumerate(runs["ranks"]):
        facts = facts_of(f"{folder}/{name}-{r + (name == 'third')}.facts")
        for number, exchange in enumerate(run["exchanges"]):
            check_times(exchange, facts["traffic"][number])
    keys_of(runs, keys)

explained = set(re.findall(r"`(\w+)`", open(document).read()))
expect(keys - explained, set(), f"keys that {document} lacks")
