"""Ranks that really run have the links, messages and bytes that `halogen explain` tells of them.

usage: real.py HALOGEN MPIRUN.SH PROGRAM SPEC CELLS RANKS [OPTION OF EXPLAIN...]"""

import json
import os
import subprocess
import sys

HALOGEN, MPIRUN, PROGRAM, SPEC, CELLS, RANKS, *MORE = sys.argv[1:]
LISTS = ("direction", "lo", "hi", "source_first", "axis", "turn")
failures = 0


def check(condition, *what):
    global failures
    if not condition:
        failures += 1
        if failures <= 10:
            print("FAIL", *what)


def told():
    run = subprocess.run([HALOGEN, "explain", SPEC, "--cells", CELLS, "--ranks", RANKS, "--links", "--format", "json", *MORE],
                         stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)


def words(link):
    """A link as real.c prints it."""
    numbers = [link[key] for key in ("exchange", "rank", "kind", "peer", "field", "tile", "block", "source_tile", "source_block",
                                     "source_field", "sign", "offset", "phase", "components")]
    for key in LISTS:
        numbers += link[key]
    return "link " + " ".join(map(str, numbers))


def traffic(found, exchange, rank):
    """What hx_traffic has, of the links of a rank."""
    links = [l for l in found["link"] if l["exchange"] == exchange and l["rank"] == rank]
    sent = {}
    for link in links:
        if link["kind"] == "sent":
            key = link["peer"], link["phase"]
            sent[key] = max(sent.get(key, 0), link["offset"] + link["bytes"])
    phases = len(found["exchange"][exchange]["schedule"]["phases"]) or 1
    copied = sum(l["bytes"] for l in links if l["kind"] == "within")
    peers = {l["peer"] for l in links if l["kind"] != "within"}
    return (f"traffic {exchange} {rank} peers {len(peers)} messages {len(sent)} phases {phases} sent {sum(sent.values())} "
            f"copied {copied}")


def main():
    found = told()
    arguments = [str(len(found["cells"]))]
    for cells, parts in zip(found["cells"], found["parts"]):
        arguments += map(str, cells + parts)
    schedule = MORE[MORE.index("--schedule") + 1] if "--schedule" in MORE else "auto"
    run = subprocess.run([MPIRUN, RANKS, PROGRAM, *arguments], stdout=subprocess.PIPE, text=True,
                         env={**os.environ, "HX_SCHEDULE": schedule})
    if run.returncode != 0:
        print(run.stdout[-500:])
        sys.exit(run.returncode)
    lines = [line for line in run.stdout.splitlines() if line.startswith(("link ", "traffic "))]
    expected = [words(link) for link in found["link"]]
    expected += [traffic(found, e, r) for e in range(len(found["exchange"])) for r in range(int(RANKS))]
    real, wanted = sorted(lines), sorted(expected)
    for line in sorted(set(real) - set(wanted)):
        check(False, "a real rank alone has:", line)
    for line in sorted(set(wanted) - set(real)):
        check(False, "explain alone has:", line)
    check(len(real) == len(wanted), len(real), "lines of real ranks,", len(wanted), "of explain")
    print(f"{len(found['link'])} links on {RANKS} ranks, {failures} failures")
    sys.exit(failures > 0)


main()
