"""page.py HALOGEN CHROMIUM SPECS [PICTURES]: the page of `halogen explain --html` in a real browser.

SPECS is the folder of the examples.  With PICTURES, pictures for the documents are put there.
Exits 77, which skips, where there is no Chromium."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from xml.etree import ElementTree

from browser import Browser

MOST_BYTES = 2_000_000

CHANNEL = """
local grid = cartesian { axes = "xyz", fastest = "x", periodic = "xz" }
local u, v, w = fields { "u", "v", "w", on = grid, type = "double", halo = 2 }
local p = field "p" { on = grid, type = "float", halo = 1 }
return spec "channel" {
  exchange "velocity" { u, v, w, stencil = "box", boundary = { y = "zero" } },
  exchange "pressure" { p, stencil = "star" },
  exchange "collect" { u, op = "add" },
}
"""

# Its block has more cells than a picture shows, and all of them lie near an end.
WIDE = """
local grid = cartesian { axes = "xy", fastest = "x", periodic = "xy" }
return spec "wide" { exchange "all" { field "p" { on = grid, type = "double", halo = 10 } } }
"""

CORNERS = """
local grid = cubed_sphere { axes = "xy", fastest = "x" }
local q = field "q" { on = grid, type = "double", halo = 2 }
local u, v = fields { "u", "v", on = grid, type = "double", halo = 1 }
vector "wind" { u, v }
return spec "cube" { exchange "heights" { q, corners = { "x", "y" } }, exchange "winds" { u, v, corners = "x" } }
"""

# Cells, ranks, and ranks of a node of the examples.
EXAMPLES = {
    "flow/flow.lua": ("48,32", 8, 4),
    "lakes/lakes.lua": ("100", 4, 2),
    "lbm/lbm.lua": ("16,16,16", 8, 4),
    "ocean/ocean.lua": ("36,24", 6, 3),
    "sphere/sphere.lua": ("24,24", 24, 8),
    "tripolar/tripolar.lua": ("36,20", 8, 4),
    "wave/wave.lua": ("64,64,32", 16, 4),
}

failures = []


def check(right, words):
    if not right:
        failures.append(words)
        print(f"failed: {words}")


def make(halogen, spec, page, cells, ranks, node):
    subprocess.run([halogen, "explain", spec, "--cells", cells, "--ranks", str(ranks), "--node", str(node), "--html", page],
                   check=True, stdout=subprocess.DEVNULL)


def show(browser, page, address=""):
    browser.errors.clear()
    browser.requests.clear()
    browser.open(f"file://{page}{address}")
    check(browser.errors == [], f"{page.name}: the console says {browser.errors}")
    away = [url for url in browser.requests if not url.startswith("file://")]
    check(away == [], f"{page.name} asks for {away}")


# ---- what a screen reader finds ------------------------------------------------------------------------------------

NAMELESS = """[...document.querySelectorAll("input, select, button, [role=button], [role=gridcell], [role=region], svg[id]")]
    .filter((e) => e.id !== "patterns" && !e.closest("[hidden]"))
    .filter((e) => !(e.getAttribute("aria-label") || e.getAttribute("aria-labelledby") || e.textContent.trim()
        || (e.labels && [...e.labels].some((l) => l.textContent.trim()))))
    .map((e) => e.outerHTML.slice(0, 80))"""

TWICE = """[...document.querySelectorAll("[id]")].map((e) => e.id).filter((id, i, all) => all.indexOf(id) !== i)"""

# Every picture that is shown has a table in its section.
TABLELESS = """[...document.querySelectorAll("figure")].filter((f) => !f.closest("[hidden]") && !f.closest("section").querySelector("table"))
    .map((f) => f.id)"""

DANGLING = """[...document.querySelectorAll("[aria-labelledby]")].flatMap((e) => e.getAttribute("aria-labelledby").split(" "))
    .filter((id) => !document.getElementById(id))"""


def check_for_readers(browser, name):
    for what, expression in (("without a name", NAMELESS), ("id twice", TWICE), ("picture without a table", TABLELESS),
                             ("label that is not there", DANGLING)):
        found = browser.get(expression)
        check(found == [], f"{name}: {what}: {found}")
    check(browser.get("document.documentElement.lang") == "en", f"{name}: no language")
    levels = browser.get("[...document.querySelectorAll('h1, h2')].map((h) => h.tagName).join()")
    check(levels.startswith("H1,H2"), f"{name}: headings are {levels}")


# ---- the channel, of which every number is known --------------------------------------------------------------------

def told(browser):
    words = browser.get("[...document.querySelectorAll('#told dt')].map((t) => [t.textContent, t.nextSibling.textContent])")
    return dict(words)


def check_ghost(browser):
    """4 x 2 x 1 ranks, 12 x 12 x 24 cells each, numbers rising along z first: rank 6 lies at x below rank 0."""
    browser.click("#cell_-1_6_12 rect")
    words = told(browser)
    check(words.get("owner", "").startswith("rank 6, block 6"), f"the owner of u(-1, 6, 12) is {words}")
    check(words.get("its point") == "u(11, 6, 12)", f"its point: {words}")
    check(words.get("way") == "network", f"its way: {words}")
    # Edges and corners with -x and -z come first: 2 x 12 x 2 points of u, v, w at 8 bytes; then 2 x 12 points a plane of u.
    first = 3 * 2 * 12 * 2 * 8 + (12 * 24 + 6 * 2 + 1) * 8
    check(f"bytes {first // 1000}\u202f{first % 1000:03} to" in words.get("message", ""), f"its bytes, {first}: {words}")
    marked = browser.get("document.querySelector('#message-picture .byte-point.chosen title').textContent")
    check(marked.startswith("u(−1, 6, 12): bytes"), f"marked in the message: {marked}")
    browser.point("#cell_3_-1_12 rect")
    check(told(browser).get("filled with") == "zero", f"behind a wall: {told(browser)}")
    browser.point("#cell_5_5_12 rect")
    check(told(browser).get("goes to") == "nobody", f"in the interior: {told(browser)}")


def check_keyboard(browser):
    browser.click("#cell_-1_6_12 rect")
    for key, cell in (("ArrowRight", "cell_0_6_12"), ("ArrowUp", "cell_0_7_12"), ("Home", "cell_-2_7_12"), ("ArrowLeft", "cell_-2_7_12")):
        browser.key(key)
        check(browser.get("document.activeElement.id") == cell, f"{key} leads to {browser.get('document.activeElement.id')}, not {cell}")
    check(browser.count("[aria-selected=true]") == 1, "one cell is selected")
    browser.get("document.querySelector('#exchange').focus()")
    order = []
    for _ in range(9):
        order.append(browser.get("document.activeElement.id"))
        browser.key("Tab")
    check(order == ["exchange", "field", "rank", "cells-0-0", "cells-0-1", "cells-0-2", "ranks", "per-node", "schedule"],
          f"the focus goes {order}")
    browser.get("document.querySelector('#part_1_1_1').focus()")
    browser.key("Enter")
    check(told(browser).get("point") == "u(12, 12, 24)", f"Enter on a corner: {told(browser)}")


def check_choices(browser):
    browser.write("#exchange", 1)
    check(browser.get("document.querySelector('#field').textContent") == "p", "pressure has one field")
    check(browser.count("#neighbors-picture .neighbor.nobody") > 8, "a star has no corners")
    browser.write("#exchange", 0)
    browser.write("#ranks", 6)
    check(browser.text("#summary").startswith("3 × 2 × 1"), f"6 ranks: {browser.text('#summary')}")
    browser.write("#ranks", 0)
    check("Give 1 or more" in browser.text("#refused") and not browser.get("document.querySelector('#refused').hidden"),
          f"0 ranks: {browser.text('#refused')}")
    browser.write("#ranks", 1009)
    check("cannot share" in browser.text("#refused"), f"1009 ranks: {browser.text('#refused')}")
    browser.write("#ranks", 8)
    check(browser.get("document.querySelector('#refused').hidden"), "a question that fits is answered")
    browser.write("#per-node", 8)
    check(browser.count("#map-picture .map-block.network") == 0, "on one node nothing goes by the network")
    browser.write("#per-node", 4)
    browser.write("#schedule", "dimension")
    check(all(f"phase {n}" in browser.text("#message") for n in range(3)), f"one phase for each axis: {browser.text('#message')}")
    browser.write("#schedule", "one")
    browser.write("#cells-0-0", 96)
    # Faces across x have 24 x 24 cells, those across the others 96 x 24 or more: only x is cut.
    check(browser.text("#summary").startswith("8 × 1 × 1"), f"96 cells along x: {browser.text('#summary')}")
    browser.write("#cells-0-0", 48)
    browser.write("#exchange", 2)
    check("adds ghost points" in browser.text("#what"), f"an exchange that adds: {browser.text('#what')}")
    check("to rank" in told(browser).get("message", "to rank"), f"its message: {told(browser)}")
    browser.write("#exchange", 0)
    browser.click("#map_0_0_0_0_3 polygon")
    check(browser.get("document.querySelector('#rank').value") == "3", "a click on a block chooses its rank")
    check("rank=3" in browser.get("window.location.hash"), "the address tells what is shown")


def check_paths(browser):
    """Each path has a pattern of its own, so that nothing hangs on colors."""
    fills = browser.get("""["self", "shared", "network"].map((path) => getComputedStyle(document.querySelector(
        `#neighbors-picture .neighbor.${path} rect`)).fill)""")
    check(len(set(fills)) == 3 and all("url" in fill for fill in fills), f"patterns of paths: {fills}")
    dashes = browser.get("""["shared", "network"].map((path) => getComputedStyle(document.querySelector(
        `#neighbors-picture .arrow.${path}`)).strokeDasharray)""")
    check(len(set(dashes)) == 2, f"dashes of arrows: {dashes}")


def check_saved(browser):
    """A picture that is saved stands alone: XML with its style, its patterns and no variables."""
    browser.get("URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return 'data:,'; }")
    browser.click("[data-of=neighbors-picture]")
    for _ in range(50):
        text = browser.get("window.saved")
        if text:
            break
        time.sleep(0.05)
    root = ElementTree.fromstring(text)
    names = [element.tag.split("}")[1] for element in root.iter()]
    check(root.tag == "{http://www.w3.org/2000/svg}svg" and "style" in names and "pattern" in names, f"saved: {set(names)}")
    check("var(" not in text and "undefined" not in text, "a saved picture needs no variables")


def check_print(browser):
    browser.call("Emulation.setEmulatedMedia", media="print")
    cut = browser.get("""[...document.querySelectorAll(".scroll")].filter((e) => e.scrollHeight > e.clientHeight + 1).length""")
    check(cut == 0, f"{cut} tables are cut off in print")
    check(len(browser.call("Page.printToPDF", printBackground=True)["data"]) > 20000, "it prints")
    browser.call("Emulation.setEmulatedMedia", media="")


def check_channel(browser, page):
    show(browser, page, "#ranks=1999999999&cells=1999999999,1999999999,1999999999")
    check(browser.text("#summary").startswith("4 × 2 × 1"), f"an address that asks for too much: {browser.text('#summary')}")
    show(browser, page)
    check_for_readers(browser, page.name)
    check_ghost(browser)
    check_keyboard(browser)
    check_paths(browser)
    check_choices(browser)
    check_saved(browser)
    check_print(browser)
    check(browser.errors == [], f"{page.name}, in use: the console says {browser.errors}")


def check_wide(browser, page):
    show(browser, page)
    check_for_readers(browser, page.name)
    check(browser.count("#block-picture .cell") == 36 * 36, f"36 x 36 points, not {browser.count('#block-picture .cell')}")
    browser.click("#cell_12_8 rect")
    browser.key("ArrowRight")
    check(browser.get("document.activeElement.id") == "cell_13_8", "right of x = 12 is 13")


# ---- grids that turn --------------------------------------------------------------------------------------------------

def check_sphere(browser, page):
    show(browser, page, "#exchange=2")
    check(browser.count("#globe-picture .map-block") >= 12, "the globe shows half of the blocks or more")
    check(browser.count("#map-picture .tile-name") == 6, "six tiles are unfolded")
    check(browser.count("#graph-picture .joint") == 12, f"a cube has 12 edges, the graph {browser.count('#graph-picture .joint')}")
    check(browser.count("#neighbors-picture .turn") > 0, "a neighbor that is turned is marked")
    before = browser.get("document.querySelector('#globe-picture').innerHTML")
    browser.get("document.querySelector('#globe-place').focus()")
    browser.key("ArrowLeft")
    check(before != browser.get("document.querySelector('#globe-picture').innerHTML"), "arrow keys turn the globe")
    # At the low corner of tile 0 three tiles meet: no tile lies beyond it.
    browser.point("#cell_-1_-1 rect")
    check("no tile lies here" in told(browser).get("owner", ""), f"at the corner of the cube: {told(browser)}")


def check_corners(browser, page):
    """Tile 0 begins at its low corner.  Along x what is outside across y becomes as far outside across x, and what is outside across x as
    far inside along y; along y the same with x and y changed."""
    show(browser, page)
    for point, along_x, along_y in (((-1, -1), (-1, 0), (0, -1)), ((-2, -1), (-1, 1), (0, -2)), ((-1, -2), (-2, 0), (1, -1))):
        browser.point(f"#cell_{point[0]}_{point[1]} rect")
        words = told(browser)
        check("no tile lies here" in words.get("owner", ""), f"at the corner of the cube: {words}")
        for axis, source in (("x", along_x), ("y", along_y)):
            said = words.get(f'corners "{axis}"', "")
            check(said == f"filled when asked, from q({source[0]}, {source[1]})".replace("-", "−"), f"{point} along {axis}: {said}")
    check(browser.count("#block-picture .corner") == 4, "the corner has four points, and stands out")
    check("filled when asked" in browser.text(".legend"), "the legend has corners")
    # Block 3 ends at the corner where both axes end: (x, y) becomes (y, -x) there, too.
    browser.write("#rank", 3)
    browser.point("#cell_6_7 rect")
    said = told(browser)
    check(said.get('corners "x"') == "filled when asked, from q(7, 5)" and said.get('corners "y"') == "filled when asked, from q(4, 6)",
          f"at the far corner: {said}")
    browser.write("#rank", 0)
    # What lies there along x lies beside it along y: (x, y) becomes (y, -x), and so v becomes u.
    browser.write("#exchange", 1)
    browser.point("#cell_-1_-1 rect")
    said = told(browser).get('corners "x"', "")
    check(said == "filled when asked, from v(−1, 0), with its sign changed", f"wind: {said}")
    check(browser.errors == [], f"corners: the console says {browser.errors}")


def check_fold(browser, page):
    show(browser, page, "#rank=3&exchange=1&field=0")
    check(browser.count("#map-picture .pivot") == 3 and browser.count("#map-picture .fold-arc") == 3, "the fold has pivots and arcs")
    # Rows turn about the middle of the last row: what lies above c(0, 9) of 36 x 20 cells is 36 - 9 = 27, two rows down.
    browser.point("#cell_0_10 rect")
    words = told(browser)
    check(words.get("its point") == "c(0, 8)" and words.get("owner", "").startswith("rank 7"), f"above the fold: {words}")


# ---- a run ------------------------------------------------------------------------------------------------------------

def check_run(browser, halogen, spec, work):
    """run.json is what the channel wrote on four ranks of one node; the bytes of its peers are libhx's own."""
    dump = subprocess.run([halogen, "generate", spec, "--dump", "tables"], check=True, capture_output=True, text=True)
    text = Path(__file__).with_name("run.json").read_text().replace("HASH", json.loads(dump.stdout)["hash"])
    told_of = json.loads(text)["ranks"]
    Path(work, "run.json").write_text(text)
    page = Path(work, "run.html")
    subprocess.run([halogen, "explain", spec, "--run", Path(work, "run.json"), "--html", page], check=True)
    show(browser, page)
    check_for_readers(browser, page.name)
    for rank, of_rank in enumerate(told_of):
        for number, exchange in enumerate(of_rank["exchanges"]):
            browser.write("#exchange", number)
            browser.write("#rank", rank)
            sent = sum(peer["bytes_sent"] for peer in exchange["peers"])
            found = browser.get(
                "[...document.querySelectorAll('#matrix-table tbody tr')].map((r) => [r.cells[0].textContent, "
                "Number(r.cells[2].textContent.replace(/\\D/g, ''))])")
            ours = sum(bytes_ for pair, bytes_ in found if pair.startswith(f"{rank} →") and not pair.endswith(f" {rank}"))
            check(ours == sent, f"rank {rank} sends {sent} bytes in {exchange['name']}, the page has {ours}")
    browser.write("#exchange", 0)
    check("50" in browser.text("#measured-table") and "shared" in browser.text("#measured-table"),
          f"times and transports: {browser.text('#measured-table')}")
    check(browser.count("#measured-picture .bar") == 4, "a bar for each rank")
    check(browser.get("document.querySelector('#ranks').disabled"), "what a run did cannot be asked otherwise")


def check_statistics(browser, halogen, spec, work):
    """With --stats the page of a run tells who waited for whom; statistics.json is of the run on four ranks, rank 2 being late."""
    text = Path(__file__).with_name("statistics.json").read_text()
    text = text.replace("HASH", json.loads(Path(work, "run.json").read_text())["ranks"][0]["hash"])
    Path(work, "stats.json").write_text(text)
    page = Path(work, "statistics.html")
    subprocess.run([halogen, "explain", spec, "--run", Path(work, "run.json"), "--stats", Path(work, "stats.json"), "--html", page], check=True)
    show(browser, page)
    check_for_readers(browser, page.name)
    said = browser.text("#statistics-words")
    for words in ("7.2 % of the run: 7.0 % for ranks that are late, 0.20 % for transfer", "Rank 2 works for 497 ms", "37.0 ms shorter", "54.0 % of"):
        check(words in said, f"no '{words}' in: {said}")
    row = "[...document.querySelectorAll('#statistics-table tbody tr')[{}].cells].map((c) => c.textContent)"
    cells = ["velocity", "50", "2", "54.0 KiB", "10.0 ms", "20.0 µs", "5.00 µs", "700 µs", "10.0 µs", "30.0 µs"]
    check(browser.get(row.format(0)) == cells, f"velocity of rank 0: {browser.get(row.format(0))}")
    check(browser.count("#statistics-picture .bar") == 4, "a bar for each rank")
    browser.click("#statistics-table button")
    check(browser.get("document.querySelector('#rank').value") == "2", "who is late can be chosen")
    check(browser.get(row.format(0))[7] == "0.00 µs", f"rank 2 waits for nobody: {browser.get(row.format(0))}")
    browser.write("#rank", 1)
    browser.write("#exchange", 1)
    check(browser.get(row.format(1))[7:9] == ["?", "?"], f"nobody knows who was late: {browser.get(row.format(1))}")
    browser.write("#exchange", 2)
    check(browser.get("document.querySelector('#statistics-figure').hidden"), "no bars of an exchange that never ran")
    check(browser.errors == [], f"statistics: the console says {browser.errors}")
    browser.open(f"file://{Path(work, 'run.html')}")
    check(browser.get("document.querySelector('#statistics-section').hidden"), "a run without statistics shows none")


# ---- predicted times ----------------------------------------------------------------------------------------------------

MACHINE = """halogen-machine 1
exchange latency_us=0.5
self latency_us=0.03 run_ns=2 gigabytes_per_second=6
shared latency_us=0.7 gigabytes_per_second=5
"""


def check_predicted(browser, halogen, spec, work):
    """The page has the times that explain prints, and works them out anew for other ranks."""
    machine, page = Path(work, "small.machine"), Path(work, "predicted.html")
    machine.write_text(MACHINE)
    command = [halogen, "explain", spec, "--cells", "48,24,24", "--machine", machine]
    subprocess.run([*command, "--ranks", "8", "--html", page], check=True)
    show(browser, page)
    check_for_readers(browser, page.name)
    # The schedule of the page stays that of the first question, so does that of explain: all share a node.
    for ranks in (8, 6):
        browser.write("#ranks", ranks)
        browser.write("#per-node", ranks)
        found = subprocess.run([*command, "--ranks", str(ranks), "--format", "json"], check=True, capture_output=True, text=True)
        for number, exchange in enumerate(json.loads(found.stdout)["exchange"]):
            cells = browser.get(f"[...document.querySelectorAll('#predicted-table tbody tr')[{number}].cells].map((c) => c.textContent)")
            for part, cell in zip(("microseconds", "latency", "pack", "send", "copy", "wait", "unpack"), cells[1:]):
                check(cell.endswith(" µs") and abs(float(cell.split()[0]) / max(exchange["predicted"][part], 1e-9) - 1) < 0.006
                      or float(cell.split()[0]) == exchange["predicted"][part] == 0, f"{exchange['name']}, {part}: {cell}")
        check(browser.count("#predicted-picture .bar") == ranks, "a bar for each rank")
    check("predicted time" in browser.text("#summary"), f"a card with the time: {browser.text('#summary')}")
    browser.write("#per-node", 2)
    check("no line network" in browser.text("#predicted-table"), f"a path without figures: {browser.text('#predicted-table')}")
    check(browser.errors == [], f"predicted: the console says {browser.errors}")


# ---- cycles -----------------------------------------------------------------------------------------------------------

HEAT = """
local grid = cartesian { axes = "xy", periodic = "xy" }
local u = field "u" { on = grid, type = "double", halo = 9 }
local state = exchange "state" { u }
return spec "heat" { state, cycle "advance" { exchange = state, step "diffuse" { reads = { u = 1 }, writes = { "u" } } } }
"""


def check_cycles(browser, halogen, work):
    """A table for each cycle, as explain prints it; the one number of cycles that takes least is marked."""
    spec, machine, page = Path(work, "heat.lua"), Path(work, "steps.machine"), Path(work, "heat.html")
    spec.write_text(HEAT)
    machine.write_text(MACHINE + "step point_ns=3\n")
    command = [halogen, "explain", spec, "--cells", "48,48", "--machine", machine, "--ranks", "4"]
    subprocess.run([*command, "--html", page], check=True)
    found = json.loads(subprocess.run([*command, "--format", "json"], check=True, capture_output=True, text=True).stdout)["cycle"][0]
    browser.open(f"file://{page}")
    rows = "[...document.querySelectorAll('#cycles-tables tbody tr')]"
    cells = browser.get(f"{rows}.map((row) => [...row.cells].map((c) => c.textContent))")
    check([int(row[0]) for row in cells] == [row["cycles"] for row in found["served"]], f"numbers of cycles: {cells}")
    for row, served in zip(cells, found["served"]):
        check(row[1] == f"{served['points']:.2f}", f"points: {row} and not {served}")
        for cell, part in zip(row[2:], ("exchange_microseconds", "cycle_microseconds")):
            check(abs(float(cell.split()[0]) / served[part] - 1) < 0.006, f"{part}: {cell} and not {served}")
    chosen = browser.get(f"{rows}.filter((row) => row.className === 'chosen').map((row) => row.cells[0].textContent)")
    check(chosen == [str(found["fastest"])], f"the fastest is marked: {chosen} and not {found['fastest']}")
    check("diffuse reads u 1" in browser.text("#cycles-tables"), f"what a step does: {browser.text('#cycles-tables')}")
    run = Path(work, "run_heat.json")
    block = [{"tile": 0, "block": 0, "first": [0, 0], "cells": [12, 12]}]
    exchange = {"name": "state", "line": 4, "fields": [0], "schedule": "one-phase", "schedule_why": "it was asked for", "measured": None,
                "buffer_bytes": 0, "peers": [], "phases": [], "times": None}
    spec_hash = json.loads(subprocess.run([halogen, "generate", spec, "--dump", "tables"], check=True, capture_output=True, text=True).stdout)["hash"]
    told = {"format": "halogen-run", "version": 1, "spec": "heat", "file": "heat.lua", "hash": spec_hash, "libhx": "0.1.0", "rank": 0, "ranks": 1,
            "host": "here", "node": [0], "crowded": False, "transport": "auto", "transport_why": "by default", "blocks": block, "exchanges": [exchange],
            "tiles": [{"cells": [12, 12], "parts": [1, 1], "without_owner": 0}], "axes": ["x", "y"], "fields": [],
            "cycles": [{"name": "advance", "line": 5, "exchange": 0, "most": 9, "serves": 3, "by": "what was measured", "measured": []}]}
    run.write_text(json.dumps({"format": "halogen-runs", "version": 1, "spec": "heat", "ranks": [told]}))
    subprocess.run([halogen, "explain", spec, "--run", run, "--html", page], check=True)
    browser.open(f"file://{page}")
    check("served 3 of at most 9, by what was measured" in browser.text("#cycles-tables"), f"a run: {browser.text('#cycles-tables')}")
    check(browser.errors == [], f"cycles: the console says {browser.errors}")


def draw_pictures(browser, pages, folder):
    browser.open(f"file://{pages['channel']}")
    for name, place in (("block", "#block-picture"), ("exploded", "#exploded-picture"), ("message", "#message-picture")):
        browser.picture(folder / f"page-{name}.png", place)
    browser.open(f"file://{pages['sphere']}#exchange=2&rank=2")
    browser.picture(folder / "page-globe.png", "#globe-picture")
    browser.open(f"file://{pages['statistics']}")
    browser.picture(folder / "page-statistics.png", "#statistics-picture")


def main():
    halogen, chromium, specs = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    if not os.access(chromium, os.X_OK):
        print("skipped: there is no Chromium (Debian's package chromium)")
        return 77
    with tempfile.TemporaryDirectory() as work:
        pages = {}
        spec = Path(work, "channel.lua")
        spec.write_text(CHANNEL)
        pages["channel"] = Path(work, "channel.html")
        make(halogen, spec, pages["channel"], "48,24,24", 8, 4)
        spec_wide = Path(work, "wide.lua")
        spec_wide.write_text(WIDE)
        pages["wide"] = Path(work, "wide.html")
        make(halogen, spec_wide, pages["wide"], "16,16", 1, 1)
        spec_corners = Path(work, "corners.lua")
        spec_corners.write_text(CORNERS)
        pages["corners"] = Path(work, "corners.html")
        make(halogen, spec_corners, pages["corners"], "12,12", 24, 6)
        for name, question in EXAMPLES.items():
            stem = Path(name).stem
            pages[stem] = Path(work, f"{stem}.html")
            make(halogen, specs / name, pages[stem], *question)
        for name, page in pages.items():
            check(page.stat().st_size < MOST_BYTES, f"{name}: {page.stat().st_size} bytes are more than {MOST_BYTES}")
        browser = Browser(chromium)
        try:
            check_channel(browser, pages["channel"])
            check_wide(browser, pages["wide"])
            check_sphere(browser, pages["sphere"])
            check_corners(browser, pages["corners"])
            check_fold(browser, pages["tripolar"])
            check_run(browser, halogen, spec, work)
            check_statistics(browser, halogen, spec, work)
            check_predicted(browser, halogen, spec, work)
            check_cycles(browser, halogen, work)
            for name in set(pages) - {"channel", "wide", "corners", "sphere", "tripolar"}:
                show(browser, pages[name])
                check_for_readers(browser, name)
            if len(sys.argv) > 4:
                draw_pictures(browser, {**pages, "statistics": Path(work, "statistics.html")}, Path(sys.argv[4]))
        finally:
            browser.close()
        largest = max(page.stat().st_size for page in pages.values())
    print(f"{len(pages)} pages, the largest of {largest} bytes; {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
