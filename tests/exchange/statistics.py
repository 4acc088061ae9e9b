"""What HX_STATS tells is what the events that statistics.c wrote down add up to, and what HX_DESCRIBE tells; see there.

usage: statistics.py SCHEMA FOLDER RANKS one-phase|by-dimension|counts|silent [SLOW]      SLOW: the rank that is to be named first
       statistics.py SCHEMA FOLDER RANKS named SLOW PERCENT      so much longer it works; ends with 3 if something else had the processors

Events of libhx lie within the calls, close to where they begin and end; from their times follows to the microsecond what is
told, however busy the machine is.  Ends with 3 if only that may be otherwise next time: what a sample stands for, or that
SLOW was the slowest.
"""

import collections
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
POINTS = 2.0  # of percent by which a rank may be told to be slower than it was made
CLOSE = 2e-4  # seconds between a call and its event, in the middle of all calls: sanitizers are slow, and a wait lasts 5 ms

Call = collections.namedtuple("Call", "started finishing ended start finish finished pack copy unpack busy")
told = json.loads((folder / "stats.json").read_text())


def expect(condition, *what):
    if not condition:
        sys.exit("FAIL " + " ".join(map(str, what)))


doubts = []


def doubt_unless(condition, *what):
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
            found[int(rest[0])]["calls"].append(Call(*map(float, rest[1:])))
    return found


facts = [facts_of(r) for r in range(ranks)]


def wait_of(call):
    return max(0.0, call.finished - call.finish - call.busy)


def late_of(rank, exchange):
    """Seconds of each wait before the last of the peers had started."""
    mine = facts[rank][exchange]
    late = []
    for i, call in enumerate(mine["calls"]):
        last = max([facts[p][exchange]["calls"][i].start for p in mine["peers"]], default=call.finish)
        late.append(min(max(0.0, last - call.finish), wait_of(call)))
    return late


def spread_of(values, sampled):
    """By how much a sum may be off that a sample stands for: four standard deviations."""
    if sampled >= len(values):
        return 0.0
    mean = sum(values) / len(values)
    deviation = math.sqrt(sum((x - mean) ** 2 for x in values) / len(values))
    return 4.0 * len(values) * deviation / math.sqrt(sampled)


def wait_spread_of(rank, exchange):
    return spread_of([c.busy for c in facts[rank][exchange]["calls"]], told["exchanges"][exchange]["ranks"][rank]["timed"])


def late_spread_of(rank, exchange):
    """A sample tells which part of the waits is lateness."""
    late, waits = late_of(rank, exchange), [wait_of(c) for c in facts[rank][exchange]["calls"]]
    part = sum(late) / max(sum(waits), 1e-9)
    sampled = told["exchanges"][exchange]["ranks"][rank]["sampled"]
    return spread_of([x - part * w for x, w in zip(late, waits)], sampled) + wait_spread_of(rank, exchange)


def span_of(rank):
    calls = [c for x in facts[rank] for c in x["calls"]]
    return max(c.finished for c in calls) - min(c.start for c in calls)


def work_of(rank):
    return span_of(rank) - sum(wait_of(c) for x in facts[rank] for c in x["calls"])


def work_spread_of(rank):
    return sum(wait_spread_of(rank, e) for e in range(len(facts[rank])))


def near(found, wanted, what, more=0.0):
    """Seconds are written in nanoseconds, here and there.  more: seconds by which a sample may be off."""
    most = 2e-6 + 5e-9 * sum(len(x["calls"]) for x in facts[0]) + more
    (doubt_unless if more > 0.0 else expect)(abs(found - wanted) <= most, f"{what}: {found} s, not {wanted} s, give or take {most} s")


def median_of(values):
    return sorted(values)[len(values) // 2]


def check_events():
    """They lie within their calls, most of them close to where those begin and end: nothing stops a process there in half of them."""
    for rank, exchanges in enumerate(facts):
        calls = [c for x in exchanges for c in x["calls"]]
        for c in calls:
            order = [c.started, c.start, c.finishing, c.finish, c.finished, c.ended]
            expect(order == sorted(order), "calls and events of rank", rank, order)
            expect(c.busy <= c.finished - c.finish + 1e-8, "more than a whole finish on rank", rank, c)
        for name, between in {"start": [c.start - c.started for c in calls], "finish": [c.finish - c.finishing for c in calls],
                              "finished": [c.ended - c.finished for c in calls]}.items():
            expect(median_of(between) < CLOSE, "event", name, "of rank", rank, "is off by", median_of(between), "s")


def check_wait(rank, exchange):
    """A finish waits at least until the last peer has started, but for messages that it unpacks meanwhile."""
    mine = facts[rank][exchange]
    early = [max([facts[p][exchange]["calls"][i].started for p in mine["peers"]], default=0.0) - c.finishing - wait_of(c)
             for i, c in enumerate(mine["calls"])]
    expect(median_of(early) < CLOSE, "rank", rank, "waits too little by", median_of(early), "s in", mine["name"])


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
            check_wait(rank, e)
            near(found["wait_seconds"], sum(map(wait_of, calls)), f"waits of rank {rank}", wait_spread_of(rank, e))
            for key in "pack", "copy", "unpack":
                seconds = [getattr(c, key) for c in calls]
                near(found[key + "_seconds"], sum(seconds), f"{key} of rank {rank}", spread_of(seconds, found["timed"]))
            near(found["every_seconds"], calls[-1].finished - calls[0].finished if calls else 0.0, f"from end to end on rank {rank}")
            expect(abs(found["late_seconds"] + found["transfer_seconds"] - found["wait_seconds"]) < 1e-8, "sum of waits")
            near(found["late_seconds"], sum(late_of(rank, e)), f"lateness that rank {rank} saw in {exchange['name']}", late_spread_of(rank, e))
            expect(found["sampled"] <= 1024 and found["sampled"] > min(256, found["times"] - 1), "sample", found["sampled"])
            expect(found["sampled"] <= found["timed"] <= found["times"], "timed", found["timed"])
            expect(found["times"] <= 1024 or found["timed"] < found["times"], "all are timed")
    for rank, found in enumerate(told["of_ranks"]):
        near(found["seconds"], span_of(rank), f"span of rank {rank}")
        near(found["work_seconds"], work_of(rank), f"work of rank {rank}", work_spread_of(rank))


def slower_of(works, rank):
    """Percent by which a rank works longer than the others."""
    return 100.0 * max(0.0, works[rank] / ((sum(works) - works[rank]) / max(1, ranks - 1)) - 1.0)


def check_balance():
    """What follows from the works of all ranks; each of them may be off by what samples are."""
    works = [work_of(r) for r in range(ranks)]
    more = max(work_spread_of(r) for r in range(ranks))
    mean = sum(works) / ranks
    run = max(span_of(r) for r in range(ranks))
    balance = told["balance"]
    near(balance["most_work_seconds"], max(works), "the most work", more)
    near(balance["saved_seconds"], max(works) - mean, "what balance saves", 2.0 * more)
    near(balance["imbalance_percent"] / 100.0 * run, max(works) - mean, "imbalance", 2.0 * more)
    late = sum(r["late_seconds"] for r in told["of_ranks"])
    near(sum(r["awaited_seconds"] for r in told["of_ranks"]), late, "all blame")
    told_works = [r["work_seconds"] for r in told["of_ranks"]]
    expect(balance["slowest"] == told_works.index(max(told_works)), "slowest of", told_works, balance)
    for awaited in told["awaited"]:
        slower = slower_of(told_works, awaited["rank"])
        expect(abs(awaited["slower_percent"] - slower) < 1e-3 * (1.0 + slower), "slower by", slower, "not", awaited)
    order = [a["seconds"] for a in told["awaited"]]
    expect(order == sorted(order, reverse=True), "order of awaited", order)
    if slow is not None and slower_of(works, slow) < 100.0:
        doubt_unless(False, "rank", slow, "was to be the slowest, but something else had the processors:", works)
    elif slow is not None:
        expect(told["awaited"] and told["awaited"][0]["rank"] == slow, "rank", slow, "is not named:", told["awaited"])


def check_silent():
    """Rank 1 told nothing in time."""
    expect(told["silent"] == 1, "silent", told["silent"])
    expect([r["rank"] for r in told["of_ranks"]] == [r for r in range(ranks) if r != 1], "ranks that told")
    for exchange in told["exchanges"]:
        for found in exchange["ranks"]:
            expect(found["late_seconds"] is None and found["sampled"] == 0, "lateness that nobody can know", found)


def check_named(percent):
    """The first that is named, and by how much it is slower."""
    run = max(span_of(r) for r in range(ranks))
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
    check_events()
    if mode != "counts":
        check_times()
        check_balance()
if doubts:
    print("\n".join(doubts))
    sys.exit(3)
