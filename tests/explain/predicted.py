"""Predicted times of `halogen explain --machine` are the sums that docs/explain.md describes: some added up by hand here, others from the
links that explain lists.

usage: predicted.py HALOGEN SOURCE_ROOT"""

import json
import pathlib
import subprocess
import sys
import tempfile

HALOGEN, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
WORK = pathlib.Path(tempfile.mkdtemp())
PARTS = ("latency", "pack", "send", "copy", "wait", "unpack")
failures = 0

SLOW = """halogen-machine 1
exchange latency_us=2 # of start and finish
self latency_us=1 run_ns=100 gigabytes_per_second=1
shared latency_us=10 run_ns=20 gigabytes_per_second=0.01

network gigabytes_per_second=0.001 latency_us=50 send_us=5
device latency_us=7 gigabytes_per_second=0.5
"""

SIZES = """halogen-machine 1
self kib=1 latency_us=1 run_ns=100 gigabytes_per_second=1
self kib=4 latency_us=3 run_ns=300 gigabytes_per_second=0.5 node_gigabytes_per_second=0.25
shared kib=1 latency_us=0 run_ns=40 gigabytes_per_second=1
shared kib=16 latency_us=8 run_ns=80 gigabytes_per_second=0.2
"""

LINE = """local line = cartesian { axes = "x", periodic = "x" }
return spec "line" { exchange "all" { field "q" { on = line, type = "double", halo = 1%s } } }
"""


def check(condition, *what):
    global failures
    if not condition:
        failures += 1
        print("FAIL", *what)


def explain(spec, machine, *options):
    (WORK / "machine").write_text(machine)
    command = [HALOGEN, "explain", str(spec), "--format", "json", "--machine", str(WORK / "machine"), *options]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"FAIL {spec} {options}: {run.stderr}")
    return json.loads(run.stdout)


def compare(what, found, wanted):
    """Parts that are not wanted are 0."""
    for part in PARTS:
        right = wanted.get(part, 0)
        check(abs(found[part] - right) <= 1e-9 * max(1, right), what, part, "is", found[part], "and not", right)
    check(abs(found["microseconds"] - sum(wanted.values())) <= 1e-6, what, "in all", found["microseconds"])


# ---- by hand --------------------------------------------------------------------------------------------------------


def line(where=""):
    (WORK / "line.lua").write_text(LINE % where)
    return WORK / "line.lua"


def by_hand(what, machine, options, wanted, where=""):
    compare(what, explain(line(where), machine, *options.split())["exchange"][0]["predicted"], wanted)


# A link is a point of 8 bytes, which is a run, and an eighth of one of 64; a copy has one at either end.  A message of two links has 8 bytes of padding between them.
by_hand("one rank", SLOW, "--cells 8 --ranks 1", {"latency": 2, "copy": 2 * 1 + 4 * 0.1 + 16 * 0.001})
by_hand("two ranks", SLOW, "--cells 8 --ranks 2", {"latency": 2, "pack": 2 * 1 + 2 * (0.1 + 0.02 / 8) + 24 * 0.001, "wait": 10 + 24 * 0.1,
                                                  "unpack": 2 * 1 + 2 * (0.1 + 0.02 / 8) + 24 * 0.001})
by_hand("two nodes", SLOW, "--cells 16 --ranks 4 --node 2", {"latency": 2, "pack": 2 * 1 + 2 * 0.1 + 0.02 / 8 + 16 * 0.001, "send": 5, "wait": 50 + 8 * 1,
                                                            "unpack": 2 * 1 + 2 * 0.1 + 0.02 / 8 + 16 * 0.001})
by_hand("copies while waiting", SLOW, "--cells 16 --parts 4 --ranks 2",
        {"latency": 2, "pack": 2 * 1 + 2 * (0.1 + 0.02 / 8) + 24 * 0.001, "copy": 2 * 1 + 4 * 0.1 + 16 * 0.001,
         "wait": 10 + 24 * 0.1 - (2 * 1 + 4 * 0.1 + 16 * 0.001), "unpack": 2 * 1 + 2 * (0.1 + 0.02 / 8) + 24 * 0.001})
# Parts of messages of devices begin at multiples of 8: there is no padding.
by_hand("two devices", SLOW, "--cells 8 --ranks 2", {"latency": 2, "pack": 7 + 16 * 0.002, "wait": 7, "unpack": 7 + 16 * 0.002},
        ', memory = "cuda"')

# 256 points of 8 bytes are 2 KiB, half way from 1 to 4; 2 ranks have half of a node's 0.25 each.
by_hand("between two sizes", SIZES, "--cells 254 --ranks 1", {"copy": 2 * 2 + 4 * 0.2 + 16 * (0.001 + 0.004) / 2})
by_hand("below the sizes", SIZES, "--cells 8 --ranks 1", {"copy": 2 * 1 + 4 * 0.1 + 16 * 0.001})
# 512 points a rank are 4 KiB, half way from 1 to 16.
of_message = 2 * 3 + 2 * (0.3 + 0.06 / 8) + 24 * 0.008
by_hand("two share a node", SIZES, "--cells 1020 --ranks 2", {"pack": of_message, "wait": 4 + 24 * 0.003, "unpack": of_message})

# ---- from links -----------------------------------------------------------------------------------------------------


def runs(links):
    return sum(link["runs"] for link in links)


def lines(links):
    """Of each run the part of 64 bytes that it has."""
    return sum(min(link["bytes"] / 64, link["runs"]) for link in links)


def touch(links, length):
    return len(links) * 1.0 + runs(links) * 0.1 + length * 0.001


def messages_of(links, kind):
    """Bytes of each message, by peer."""
    messages = {}
    for link in links:
        if link["kind"] == kind:
            messages[link["peer"]] = max(messages.get(link["peer"], 0), link["offset"] + link["bytes"])
    return messages


def path(rank, peer, node):
    return "shared" if rank // node == peer // node else "network"


def add_phase(links, rank, node, wanted):
    sent, received = messages_of(links, "sent"), messages_of(links, "received")
    within = [link for link in links if link["kind"] == "within"]
    copy = touch(within, sum(link["bytes"] for link in within)) + runs(within) * 0.1
    for part, kind, messages in (("pack", "sent", sent), ("unpack", "received", received)):
        mine = [link for link in links if link["kind"] == kind]
        boxes = [link for link in mine if path(rank, link["peer"], node) == "shared"]
        wanted[part] += touch(mine, sum(messages.values())) + lines(boxes) * 0.02
    wanted["send"] += 5 * sum(path(rank, peer, node) == "network" for peer in sent)
    wanted["copy"] += copy
    waits = [0]
    for name, latency, byte in (("shared", 10, 0.1), ("network", 50, 1.0)):
        some = [size for peer, size in received.items() if path(rank, peer, node) == name]
        waits += [latency + sum(some) * byte] if some else []
    wanted["wait"] += max(0, max(waits) - copy)


def by_links(spec, *options):
    found = explain(ROOT / spec, SLOW, *options)
    rank, node = found["rank"]["rank"], found["ranks_of_a_node"]
    for exchange in found["exchange"]:
        wanted = dict.fromkeys(PARTS, 0)
        wanted["latency"] = 2
        for phase in {link["phase"] for link in exchange["link"]}:
            add_phase([link for link in exchange["link"] if link["phase"] == phase], rank, node, wanted)
        compare(f"{spec} {options} {exchange['name']}:", exchange["predicted"], wanted)
        check(exchange["predicted"]["rank"] == rank, spec, "is of rank", exchange["predicted"]["rank"])


by_links("tests/emit/specs/channel.lua", "--cells", "12,10,9", "--ranks", "12", "--rank", "5", "--schedule", "by-dimension")
by_links("tests/emit/specs/channel.lua", "--cells", "12,10,9", "--ranks", "12", "--rank", "5", "--node", "3")
by_links("tests/emit/specs/deposit.lua", "--cells", "9,8,7", "--ranks", "8", "--rank", "3")
by_links("specs/sphere/sphere.lua", "--cells", "12,12", "--ranks", "10", "--parts", "3,4", "--node", "4")

# ---- uplinks --------------------------------------------------------------------------------------------------------

# By nodes that share an uplink: its latency, and microseconds for a byte.
UPLINKS = {1: (0, 2.5), 2: (3, 4.0), 6: (7, 5.0)}
TREE = SLOW + "".join(f"uplink nodes={nodes} latency_us={latency} gigabytes_per_second={1e-3 / byte}\n" for nodes, (latency, byte) in UPLINKS.items())
EAGER = SLOW.replace("send_us=5", "send_us=5 eager_kib=0.01")  # 10.24 bytes

# In a ring of four nodes each sends and receives 16 bytes, and so do the first two together.
of_two = {"latency": 2, "pack": 2 * 1 + 2 * 0.1 + 16 * 0.001, "send": 10, "unpack": 2 * 1 + 2 * 0.1 + 16 * 0.001}
by_hand("through two switches", TREE, "--cells 16 --ranks 4 --node 1", of_two | {"wait": 50 + 3 + 16 * 4})
by_hand("within a switch", TREE, "--cells 16 --ranks 2 --node 1", {"latency": 2, "pack": 2 * 1 + 2 * 0.1 + 24 * 0.001, "send": 5,
                                                                  "wait": 50 + 24 * 2.5, "unpack": 2 * 1 + 2 * 0.1 + 24 * 0.001})
by_hand("two nodes of a switch", TREE, "--cells 16 --ranks 4 --node 2", {"latency": 2, "pack": 2 * 1 + 2 * 0.1 + 0.02 / 8 + 16 * 0.001, "send": 5,
                                                                        "wait": 50 + 16 * 2.5, "unpack": 2 * 1 + 2 * 0.1 + 0.02 / 8 + 16 * 0.001})
by_hand("short messages", EAGER, "--cells 16 --ranks 4 --node 1", of_two | {"wait": 50 + 16 * 1})
by_hand("a long message", EAGER, "--cells 16 --ranks 2 --node 1", {"latency": 2, "pack": 2 * 1 + 2 * 0.1 + 24 * 0.001, "send": 5,
                                                                  "wait": 3 * 50 + 24 * 1, "unpack": 2 * 1 + 2 * 0.1 + 24 * 0.001})


def crossing(by_rank, group):
    """The most bytes that a group of so many ranks sends, or receives."""
    sums = {}
    for rank, links in by_rank.items():
        for peer, size in messages_of(links, "received").items():
            if rank // group != peer // group:
                sums["in", rank // group] = sums.get(("in", rank // group), 0) + size
                sums["out", peer // group] = sums.get(("out", peer // group), 0) + size
    return max(sums.values(), default=0)


def wait_of(by_rank, rank, node):
    received = messages_of(by_rank[rank], "received")
    far = {peer: size for peer, size in received.items() if path(rank, peer, node) == "network"}
    near = sum(received.values()) - sum(far.values())
    crossed = [nodes for nodes in UPLINKS if any(rank // (nodes * node) != peer // (nodes * node) for peer in far)]
    shared = [crossing(by_rank, nodes * node) * UPLINKS[nodes][1] for nodes in crossed]
    latency = 50 + sum(UPLINKS[nodes][0] for nodes in crossed)
    within = [link for link in by_rank[rank] if link["kind"] == "within"]
    copy = touch(within, sum(link["bytes"] for link in within)) + runs(within) * 0.1
    waits = [0] + ([10 + near * 0.1] if near else []) + ([latency + max([sum(far.values()), *shared])] if far else [])
    return max(0, max(waits) - copy)


def by_uplinks(spec, *options):
    found = explain(ROOT / spec, TREE, "--links", *options)
    node = found["ranks_of_a_node"]
    for number, exchange in enumerate(found["exchange"]):
        for predicted in (exchange["predicted"], exchange["total"]["predicted"]):
            wanted = 0
            for phase in {link["phase"] for link in exchange["link"]}:
                by_rank = {rank: [] for rank in range(found["ranks"])}
                for link in found["link"]:
                    if link["exchange"] == number and link["phase"] == phase:
                        by_rank[link["rank"]].append(link)
                wanted += wait_of(by_rank, predicted["rank"], node)
            check(abs(predicted["wait"] - wanted) < 1e-6, spec, options, exchange["name"], predicted["wait"], "and not", wanted)


by_uplinks("tests/emit/specs/channel.lua", "--cells", "12,10,9", "--ranks", "12", "--rank", "5", "--node", "1")
by_uplinks("tests/emit/specs/channel.lua", "--cells", "13,11,9", "--ranks", "36", "--rank", "20", "--node", "2")
by_uplinks("tests/emit/specs/channel.lua", "--cells", "12,10,9", "--ranks", "24", "--node", "3", "--schedule", "by-dimension")
by_uplinks("tests/emit/specs/deposit.lua", "--cells", "9,8,7", "--ranks", "8", "--rank", "3", "--node", "1")
by_uplinks("specs/sphere/sphere.lua", "--cells", "12,12", "--ranks", "10", "--parts", "3,4", "--node", "2")

# ---- cycles ---------------------------------------------------------------------------------------------------------

MARCH = """local line = cartesian { axes = "x", periodic = "x" }
local q = field "q" { on = line, type = "double", halo = %d }
local all = exchange "all" { q }
return spec "march" { all, cycle "go" { exchange = all, step "one" { reads = { q = 1 }, writes = { "q" } } } }
"""


def cycles(halo, ranks, blocks, point_ns):
    """In a line one more layer at either end for each cycle that follows."""
    (WORK / "march.lua").write_text(MARCH % halo)
    machine = SLOW + f"step point_ns={point_ns}\n"
    found = explain(WORK / "march.lua", machine, "--cells", str(20 * blocks), "--ranks", str(ranks), "--parts", str(blocks), "--node", "1")
    cycle, cells, each = found["cycle"][0], 20, blocks // ranks
    predicted = found["exchange"][0]["total"]["predicted"]["microseconds"]
    took = {k: predicted / k + 1e-3 * point_ns * each * sum(cells + 2 * i for i in range(k)) / k for k in range(1, halo + 1)}
    best = min(took, key=took.get)
    what = f"cycles {halo} {ranks} {blocks} {point_ns}:"
    check(cycle["most"] == halo and cycle["fastest"] == best, what, "fastest is", cycle["fastest"], "and not", best, took)
    check({row["cycles"] for row in cycle["served"]} == {k for k in took if k <= 6 or k in (halo, best)}, what, "shown", cycle["served"])
    for row in cycle["served"]:
        check(abs(row["cycle_microseconds"] - took[row["cycles"]]) < 1e-6, what, row, took[row["cycles"]])
    return best


of_slow_points = [cycles(12, 2, 2, point_ns) for point_ns in (1, 3000, 20000, 200000)]
check(of_slow_points[0] == 12 and of_slow_points[-1] == 1 and 6 < of_slow_points[1] < 12, "fastest", of_slow_points)
cycles(3, 2, 6, 700)

# ---- many ranks -----------------------------------------------------------------------------------------------------


def check_stop(what, times, stop):
    """The first number of ranks than which no larger one saves more than a twentieth."""
    worth = [ranks for i, (ranks, time) in enumerate(times) if all(later >= 0.95 * time for _, later in times[i + 1:])]
    wanted = worth[0] if worth[0] != times[-1][0] else None
    check(stop == wanted, what, "stops at", stop, "and not", wanted, times)


def sweep(machine, cells, ranks, busiest):
    found = explain(ROOT / "tests/emit/specs/channel.lua", machine, "--cells", cells, "--ranks", ranks)
    for number, exchange in enumerate(found["exchange"]):
        times = [(row["ranks"], row["exchange"][number]["predicted"]["microseconds"]) for row in found["sweep"]]
        check_stop(f"{cells} {exchange['name']}", times, exchange.get("stops_scaling_at"))
    row = found["sweep"][busiest]
    one = explain(ROOT / "tests/emit/specs/channel.lua", machine, "--cells", cells, "--ranks", str(row["ranks"]))
    for number, exchange in enumerate(one["exchange"]):
        check(exchange["total"]["predicted"] == row["exchange"][number]["predicted"], "row", row["ranks"])
        check(exchange["total"]["predicted"]["rank"] == exchange["total"]["busiest"]["rank"], "the rank of row", row["ranks"])
    return [exchange.get("stops_scaling_at") for exchange in found["exchange"]]


FAST = "halogen-machine 1\nself latency_us=0 gigabytes_per_second=0.1\nshared latency_us=0 gigabytes_per_second=100\n"
check(sweep(FAST, "64,64,64", "1..64", 3) == [None, None], "bytes alone: it always scales")
check(sweep(SLOW, "16,16,16", "1..64", 4)[0] is not None, "latency alone: it stops")
print(f"{failures} failures")
sys.exit(failures > 0)
