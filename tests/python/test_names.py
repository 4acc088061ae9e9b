"""Names that halogen refuses for Python are those that its classes have, no more and no fewer."""

import inspect
import keyword
import re
import sys
from pathlib import Path

import halogen

ROOT = Path(__file__).resolve().parents[2]
LUA = (ROOT / "gen/lua/model/python_names.lua").read_text()


def words(start):
    """The set behind some text."""
    found = re.search(re.escape(start) + r".*?set (?:\[\[|\")(.*?)(?:\]\]|\")", LUA, re.DOTALL)
    return set(found[1].split())


def public(kind):
    return {name for name in dir(kind) if not name.startswith("_")}


def parameters(*functions):
    found = set()
    for function in functions:
        found |= {name for name in inspect.signature(function).parameters if not name.startswith("_")}
    return found


def test_keywords():
    assert words("local keywords =") == set(keyword.kwlist)


def test_members_of_arrays():
    calls = (halogen.Exchange.__call__, halogen.Exchange.start, halogen.Exchange.corners, halogen.Halo.arrays)
    assert words("field = {") == public(halogen.Arrays) | parameters(*calls)


def test_members_of_handles():
    own = set(re.findall(r"^        self\.([a-z]\w*)\b.* = ", inspect.getsource(halogen.Halo.__init__), re.MULTILINE))
    assert words("exchange = {") == public(halogen.Halo) | own


def test_modules():
    """wave is the name of our own example, and nothing but sndhdr imports the module."""
    assert {name for name in sys.stdlib_module_names if not name.startswith("_")} - {"wave"} <= words("local modules =")
    assert words("local packages =") == {"numpy", "mpi4py", "halogen"}
