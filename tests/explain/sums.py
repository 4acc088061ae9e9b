"""What `halogen explain` adds up is the sum of the links of all ranks, both ends of a message agree, and what it prints as
JSON satisfies docs/explain.schema.json.

usage: sums.py HALOGEN SOURCE_ROOT"""

import collections
import json
import pathlib
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("no jsonschema: install python3-jsonschema")
    sys.exit(77)

HALOGEN, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
SCHEMA = jsonschema.Draft202012Validator(json.loads((ROOT / "docs/explain.schema.json").read_text()))
failures = 0


def check(condition, *what):
    global failures
    if not condition:
        failures += 1
        print("FAIL", *what)


def explain(spec, *options):
    run = subprocess.run([HALOGEN, "explain", str(ROOT / spec), "--format", "json", *options], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"FAIL {spec} {options}: {run.stderr}")
    found = json.loads(run.stdout)
    for error in SCHEMA.iter_errors(thinned(found)):
        check(False, spec, options, error.json_path, error.message)
    return found


def thinned(found):
    """The same without the most of a long list of alike entries, of which each takes the schema half a millisecond: of entries
    with the same keys and types the first three, and every ninth."""
    if isinstance(found, dict):
        return {key: thinned(value) for key, value in found.items()}
    if not isinstance(found, list):
        return found
    seen = collections.Counter()
    kept = []
    for number, entry in enumerate(found):
        shape = tuple((key, type(value)) for key, value in entry.items()) if isinstance(entry, dict) else None
        seen[shape] += 1
        if shape is None or seen[shape] <= 3 or number % 9 == 0:
            kept.append(thinned(entry))
    return kept


def messages_of(links):
    """Bytes of each message: to the end of its last segment."""
    messages = collections.defaultdict(int)
    for link in links:
        if link["kind"] != "within":
            key = (link["kind"], link["rank"], link["peer"], link["phase"])
            messages[key] = max(messages[key], link["offset"] + link["bytes"])
    return messages


def loads_of(ranks, links, messages):
    loads = [{"rank": r, "sends": 0, "receives": 0, "bytes_sent": 0, "bytes_received": 0, "bytes_copied": 0} for r in range(ranks)]
    for (kind, rank, _, _), size in messages.items():
        loads[rank]["sends" if kind == "sent" else "receives"] += 1
        loads[rank]["bytes_sent" if kind == "sent" else "bytes_received"] += size
    for link in links:
        if link["kind"] == "within":
            loads[link["rank"]]["bytes_copied"] += link["bytes"]
    return loads


def check_ends(what, messages):
    """Whatever is sent is received, with as many bytes."""
    for (kind, rank, peer, phase), size in messages.items():
        other = ("received" if kind == "sent" else "sent", peer, rank, phase)
        check(messages.get(other) == size, what, kind, rank, peer, "the other end has", messages.get(other), "not", size)


def check_total(what, total, loads):
    for key, part in (("messages", "sends"), ("bytes_sent", "bytes_sent"), ("bytes_copied", "bytes_copied")):
        check(total[key] == sum(load[part] for load in loads), what, key, total[key])
    traffic = [load["bytes_sent"] + load["bytes_received"] for load in loads]
    check(total["busiest"] == loads[traffic.index(max(traffic))], what, "busiest", total["busiest"])
    check(total["idlest"] == loads[traffic.index(min(traffic))], what, "idlest", total["idlest"])


def check_rank(what, exchange, links, node):
    """What is told of the rank that is shown."""
    peers = {peer["rank"]: peer for peer in exchange["peer"]}
    for kind, side in (("sent", "sends"), ("received", "receives")):
        for peer in peers.values():
            mine = [link for link in links if link["kind"] == kind and link["peer"] == peer["rank"]]
            check(sum(m["links"] for m in peer[side]) == len(mine), what, peer["rank"], side, "links")
            check(sum(m["runs"] for m in peer[side]) == sum(link["runs"] for link in mine), what, peer["rank"], side, "runs")
    check(set(peers) == {link["peer"] for link in links if link["kind"] != "within"}, what, "peers")
    for peer in peers.values():
        near = peer["rank"] // node == links[0]["rank"] // node
        check((peer["path"] == "network") == (not near), what, peer["rank"], "path", peer["path"])
    check(exchange["within"]["bytes"] == sum(link["bytes"] for link in links if link["kind"] == "within"), what, "within")
    check(exchange["run"]["bytes"] == sum(link["bytes"] for link in links), what, "bytes of runs")
    plain = [{key: value for key, value in link.items() if key not in ("rank", "exchange")} for link in links]
    check(exchange["link"] == plain, what, "links of the rank")
    served = sum(kernel["links"] for kernel in exchange["kernel"])
    check(served == sum("kernel" in link for link in links), what, "kernels")


def compare(spec, cells, ranks, *more):
    shown = ranks // 2
    found = explain(spec, "--cells", cells, "--ranks", str(ranks), "--rank", str(shown), "--links", *more)
    for number, exchange in enumerate(found["exchange"]):
        what = f"{spec} {cells} on {ranks} {' '.join(more)}, {exchange['name']}:"
        links = [link for link in found["link"] if link["exchange"] == number]
        messages = messages_of(links)
        check_ends(what, messages)
        check_total(what, exchange["total"], loads_of(ranks, links, messages))
        mine = [link for link in links if link["rank"] == shown]
        if mine:
            check_rank(what, exchange, mine, found["ranks_of_a_node"])


CASES = [
    ("tests/emit/specs/channel.lua", "12,10,9", 30, "--parts", "5,3,2"),
    ("tests/emit/specs/channel.lua", "7,7,7", 27, "--schedule", "one-phase"),
    ("tests/emit/specs/channel.lua", "9,4,6", 24, "--node", "5"),
    ("tests/emit/specs/line.lua", "10", 7),
    ("tests/emit/specs/line.lua", "41", 40),
    ("tests/emit/specs/channel.lua", "7,3,5", 60, "--parts", "5,3,4"),
    ("tests/emit/specs/staggered.lua", "9,8,7", 12),
    ("tests/emit/specs/lattice.lua", "6,6,6", 16),
    ("tests/emit/specs/deposit.lua", "9,8,7", 8),
    ("tests/emit/specs/globe.lua", "9,9,5", 12),
    ("tests/exchange/specs/shared_walls.lua", "9,8,7", 18),
    ("tests/exchange/specs/shared_star.lua", "8,8", 6),
    ("tests/exchange/specs/fold.lua", "12,9", 6),
    ("tests/exchange/specs/oneway.lua", "12,11", 20),
    ("specs/sphere/sphere.lua", "12,12", 10, "--parts", "3,4"),
    ("specs/lbm/lbm.lua", "8,8,8", 12),
    ("tests/cuda/specs/mixed.lua", "9,8,7", 8, "--node", "4"),
]

for case in CASES:
    compare(*case)
explain("tests/emit/specs/channel.lua", "--cells", "7,7,7", "--ranks", "1..512")
MACHINE = str(ROOT / "tests/explain/laptop.machine")
explain("tests/emit/specs/channel.lua", "--cells", "7,7,7", "--ranks", "1..512", "--machine", MACHINE)
explain("tests/emit/specs/channel.lua", "--cells", "7,7,7", "--ranks", "8", "--node", "2", "--machine", MACHINE)
explain("specs/lakes/lakes.lua")
print(f"{len(CASES)} configurations, {failures} failures")
sys.exit(failures > 0)
