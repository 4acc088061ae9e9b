"""links.py LINKS: what `halogen explain --links --format json` printed (standard input), as the report that
tests/exchange/links.lua compares with the generator's tile links."""

import itertools
import json
import sys


def cuts(cells, parts):
    """Parts as even as possible, the longer ones first."""
    even, longer = divmod(cells, parts)
    return [i * even + min(i, longer) for i in range(parts + 1)]


def points(link):
    """Each ghost point with the point that feeds it."""
    for point in itertools.product(*(range(lo, hi) for lo, hi in zip(link["lo"], link["hi"]))):
        source = [first + turn * (point[axis] - link["lo"][axis])
                  for first, turn, axis in zip(link["source_first"], link["turn"], link["axis"])]
        yield point, source


def words(numbers):
    return " ".join(map(str, numbers))


def main():
    found = json.load(sys.stdin)
    for tile, (cells, parts) in enumerate(zip(found["cells"], found["parts"])):
        for axis, (n, p) in enumerate(zip(cells, parts)):
            print(f"tile {tile} axis {axis} cuts {words(cuts(n, p))}")
    for link in found["link"]:
        exchange = found["exchange"][link["exchange"]]
        # A rank that owns ghost points receives them, or sends them back.
        filled = "received" if exchange["operation"] == "copy" else "sent"
        if link["kind"] not in (filled, "within"):
            continue
        for point, source in points(link):
            print(f"exchange {link['exchange']} field {link['field']} tile {link['tile']} block {link['block']} "
                  f"direction {words(link['direction'])} point {words(point)} <- tile {link['source_tile']} "
                  f"block {link['source_block']} field {link['source_field']} point {words(source)} sign {link['sign']}")
    print("end")


main()
