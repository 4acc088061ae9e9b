"""What HX_STATS tells is what the calls that statistics.c wrote down add up to, and what HX_DESCRIBE tells; see there.

usage: statistics.py SCHEMA FOLDER RANKS one-phase|by-dimension|counts|silent [SLOW]      SLOW: the rank that is to be named first
       statistics.py SCHEMA FOLDER RANKS named SLOW PERCENT      so much longer it works; ends with 3 if something else had the processors

Ends with 3 if nothing is wrong but times, and what follows from them, which may be other ones on a busy machine.
"""

import json
import math
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("no jsonschema: install python3-jsonschema")
    sys.exit(77)

schema, folder, ranks, mode = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
slow = int(sys.argv[5]) if len(sys.argv) > 5 else None
POINTS = 2.0  # of percent of the run that a wait may be off
told = json.loads((folder / "stats.json").read_text())


def expect(condition, *what):
    if not condition:
        sys.exit("FAIL " + " ".join(map(str, what)))


doubts = []


def expect_time(condition, *what):
    if not condition:
        doubts.append("FAIL " + " ".join(map(str, what)))


stolen = 0.0  # seconds for which something else had the processors while ranks worked


def facts_of(rank):
    """Exchanges, and the calls of each."""
    global stolen
    found = []
    for line in (folder / f"calls-{rank}").read_text().splitlines():
        kind, *rest = line.split()
        if kind == "exchange":
            number, name, messages, sent, copied, *peers = rest
            found.append({"name": name, "messages": int(messages), "bytes_sent": int(sent), "bytes_copied": int(copied),
                          "peers": {int(p) for p in peers} - {rank}, "calls": []})
        elif kind == "stolen":
            stolen += float(rest[0])
        else:
            found[int(rest[0])]["calls"].append([float(t) for t in rest[1:]])
    return found


facts = [facts_of(r) for r in range(ranks)]


def late_of(rank, exchange):
    """Seconds of each wait before the last of the peers had started."""
    mine = facts[rank][exchange]
    late = []
    for i, (_, finishing, ended) in enumerate(mine["calls"]):
        last = max([facts[p][exchange]["calls"][i][0] for p in mine["peers"]], default=finishing)
        late.append(min(max(0.0, last - finishing), ended - finishing))
    return late


def spread_of(late, sampled):
    """By how much a sum may be off that a sample stands for: four standard deviations."""
    if sampled >= len(late):
        return 0.0
    mean = sum(late) / len(late)
    deviation = math.sqrt(sum((x - mean) ** 2 for x in late) / len(late))
    return 4.0 * len(late) * deviation / math.sqrt(sampled)


def span_of(rank):
    calls = [c for x in facts[rank] for c in x["calls"]]
    return max(c[2] for c in calls) - min(c[0] for c in calls)


def work_of(rank):
    return span_of(rank) - sum(c[2] - c[1] for x in facts[rank] for c in x["calls"])


run = max(span_of(r) for r in range(ranks))
disturbed = 0.5 * stolen  # so they may have been taken away, too, where one side sees it and the other does not


def near(found, wanted, what, more=0.0):
    """A call takes half a microsecond besides; more: seconds that the calls do not tell apart."""
    most = POINTS / 100.0 * run + more + disturbed + 1e-6 * sum(len(x["calls"]) for x in facts[0])
    expect_time(abs(found - wanted) <= most, f"{what}: {found} s, not {wanted} s, of {run} s, give or take {most} s")


def check_counts():
    """What is counted is the same as the calls, as hx_traffic_of and as what HX_DESCRIBE writes."""
    described = json.loads((folder / "run.json").read_text())["ranks"]
    for e, exchange in enumerate(told["exchanges"]):
        expect([r["rank"] for r in exchange["ranks"]] == list(range(ranks)), "ranks of", exchange["name"])
        for rank, found in enumerate(exchange["ranks"]):
            wanted = facts[rank][e]
            expect(exchange["name"] == wanted["name"], exchange["name"], "is not", wanted["name"])
            expect(found["times"] == len(wanted["calls"]), "times of rank", rank, found["times"])
            for key in "messages", "bytes_sent", "bytes_copied":
                expect(found[key] == wanted[key], key, "of rank", rank, found[key], wanted[key])
            if described[rank]:
                peers = described[rank]["exchanges"][e]["peers"]
                expect(found["messages"] == sum(p["messages_sent"] for p in peers), "messages of HX_DESCRIBE")
                expect(found["bytes_sent"] == sum(p["bytes_sent"] for p in peers), "bytes of HX_DESCRIBE")


def check_times():
    """Within a call there is packing, and in a finish waiting and unpacking."""
    for e, exchange in enumerate(told["exchanges"]):
        for rank, found in enumerate(exchange["ranks"]):
            calls = facts[rank][e]["calls"]
            inside = sum(c[2] - c[1] for c in calls)
            near(found["wait_seconds"] + found["unpack_seconds"], inside, f"finish of rank {rank}")
            expect(found["wait_seconds"] + found["unpack_seconds"] <= inside + 1e-6, "more than the finishes of rank", rank)
            expect(found["late_seconds"] + found["transfer_seconds"] - found["wait_seconds"] < 1e-6, "sum of waits")
            late = late_of(rank, e)
            near(found["late_seconds"], sum(late), f"lateness that rank {rank} saw in {exchange['name']}",
                 found["unpack_seconds"] + spread_of(late, found["sampled"]))
            expect(found["sampled"] <= 1024 and found["sampled"] > min(256, found["times"] - 1), "sample", found["sampled"])
            expect(found["sampled"] <= found["timed"] <= found["times"], "timed", found["timed"])
            expect(found["times"] <= 1024 or found["timed"] < found["times"], "all are timed")
    for rank, found in enumerate(told["of_ranks"]):
        near(found["seconds"], span_of(rank), f"span of rank {rank}")
        near(found["work_seconds"], work_of(rank), f"work of rank {rank}")


def check_balance():
    works = [work_of(r) for r in range(ranks)]
    mean = sum(works) / ranks
    balance = told["balance"]
    near(balance["most_work_seconds"], max(works), "the most work")
    near(balance["saved_seconds"], max(works) - mean, "what balance saves")
    points = POINTS + 100.0 * disturbed / run
    expect_time(abs(balance["imbalance_percent"] - 100.0 * (max(works) - mean) / run) <= points, "imbalance", balance)
    late = sum(r["late_seconds"] for r in told["of_ranks"])
    near(sum(r["awaited_seconds"] for r in told["of_ranks"]), late, "all blame")
    for awaited in told["awaited"]:
        rank = awaited["rank"]
        others = (sum(works) - works[rank]) / max(1, ranks - 1)
        slower = 100.0 * max(0.0, works[rank] / others - 1.0)
        expect_time(abs(awaited["slower_percent"] - slower) <= points * (1.0 + slower / 100.0) * run / others, "rank", rank, "is slower by", slower, "not", awaited)
    order = [a["seconds"] for a in told["awaited"]]
    expect(order == sorted(order, reverse=True), "order of awaited", order)
    if slow is not None:
        expect_time(told["awaited"] and told["awaited"][0]["rank"] == slow, "rank", slow, "is not named:", told["awaited"])
        expect_time(balance["slowest"] == slow, "rank", slow, "is not the slowest:", balance)


def check_silent():
    """Rank 1 told nothing in time."""
    expect(told["silent"] == 1, "silent", told["silent"])
    expect([r["rank"] for r in told["of_ranks"]] == [r for r in range(ranks) if r != 1], "ranks that told")
    for exchange in told["exchanges"]:
        for found in exchange["ranks"]:
            expect(found["late_seconds"] is None and found["sampled"] == 0, "lateness that nobody can know", found)


def check_named(percent):
    """The first that is named, and by how much it is slower."""
    if stolen > 0.005 * run:
        print(f"disturbed: something else had the processors for {stolen} s of {run} s")
        sys.exit(3)
    first = told["awaited"][0] if told["awaited"] else None
    expect(first and first["rank"] == slow, "rank", slow, "is not named first:", told["awaited"])
    print("told:", first["slower_percent"])
    expect(abs(first["slower_percent"] - percent) <= POINTS, "rank", slow, "is told to be slower by", first["slower_percent"], "%, not", percent)


jsonschema.Draft202012Validator(json.loads(pathlib.Path(schema).read_text())).validate(told)
expect(told["ranks"] == ranks, "ranks", told["ranks"])
if mode == "silent":
    check_silent()
elif mode == "named":
    check_named(float(sys.argv[6]))
else:
    expect(told["silent"] == 0, "silent", told["silent"])
    check_counts()
    if mode != "counts":
        check_times()
        check_balance()
if doubts:
    print("\n".join(doubts))
    sys.exit(3)
