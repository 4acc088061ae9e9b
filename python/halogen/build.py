"""Specs written in Python.

    from halogen import build as b

    g = b.cartesian(axes="xyz", fastest="x", periodic="xz")
    u, v = b.fields("u", "v", on=g, type="double", halo=2)
    s = b.spec("channel", b.exchange("velocity", u, v, stencil="box"))
    halo = halogen.load(s)

Each function is the verb of the same name of the spec language, and takes its keys; docs/spec-language.md says what they
mean.  A dict stands for a Lua table with keys, a list or a tuple for one without, and `table` for one that has both.  None
stands for a key that is not given.

What `spec` returns is Lua text with one statement a line, and the place of the Python call that each line comes from.  This
module decides nothing about specs: halogen reads the text, checks it and proves it, as it does with a file.
"""

from __future__ import annotations

import itertools
import math
import operator
import os
import re
import sys
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Tuple, Union

__all__ = [
    "cartesian",
    "tiles",
    "cubed_sphere",
    "fold",
    "index_list",
    "struct",
    "field",
    "fields",
    "vector",
    "exchange",
    "step",
    "cycle",
    "param",
    "spec",
    "table",
    "Made",
    "Place",
    "SpecText",
]


class Place(NamedTuple):
    """A line of a Python file."""

    file: str
    line: int


def _caller() -> Place:
    """The innermost call outside of this package: the line that its author knows."""
    package = os.path.dirname(os.path.abspath(__file__)) + os.sep
    frame = sys._getframe(1)
    while frame.f_back is not None and os.path.abspath(frame.f_code.co_filename).startswith(package):
        frame = frame.f_back
    return Place(frame.f_code.co_filename, frame.f_lineno)


# ---- values as Lua has them -----------------------------------------------------------------------------------------

_KEYWORDS = frozenset(
    "and break do else elseif end false for function goto if in local nil not or repeat return then true "
    "until while".split()
)

# What our own text must not hide: the verbs that it calls.
_VERBS = frozenset(
    "cartesian tiles cubed_sphere fold index_list struct field fields vector exchange step cycle param spec include".split()
)

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z", re.ASCII)


def _is_name(text: str) -> bool:
    return bool(_NAME.match(text)) and text not in _KEYWORDS


class _Table(NamedTuple):
    items: Tuple[Any, ...]
    keys: Tuple[Tuple[str, Any], ...]


class Made:
    """What a verb made: a grid, a field, a type, an exchange or a parameter.  Give it to other verbs; it has nothing to look at."""

    __slots__ = ("_statement", "_number")

    def __init__(self, statement: "_Statement", number: int) -> None:
        self._statement = statement
        self._number = number

    def __repr__(self) -> str:
        statement = self._statement
        name = statement.names[self._number] if statement.names else ""
        return f"<{statement.kind} {name}>".replace(" >", ">")

    def __iter__(self) -> Iterator[Any]:
        raise TypeError(f"{self!r} is one {self._statement.kind}, which cannot be unpacked")


def _quoted(text: str) -> str:
    """Text as a literal of Lua, whatever is in it."""
    out = []
    for letter in text:
        if letter in '"\\':
            out.append("\\" + letter)
        elif ord(letter) < 32 or ord(letter) == 127:
            out.append(f"\\{ord(letter):03d}")
        elif 0xD800 <= ord(letter) <= 0xDFFF:
            raise ValueError(f"{text!r} has half of a surrogate pair, which is no text")
        else:
            out.append(letter)
    return '"' + "".join(out) + '"'


def _number(value: Any) -> Any:
    """The whole or broken number that a value is, of Python or of NumPy; None if it is none."""
    try:
        return operator.index(value)
    except TypeError:
        pass
    return float(value) if isinstance(value, float) or type(value).__name__ in ("float16", "float32") else None


def _frozen(value: Any) -> Any:
    """A copy that the caller cannot change any more, of nothing but what Lua has; refuses the rest."""
    if isinstance(value, (str, bool, Made, _Table)):
        return value
    if type(value).__name__ in ("bool_", "bool") and hasattr(value, "dtype"):
        return bool(value)
    number = _number(value)
    if number is not None:
        if isinstance(number, float) and not math.isfinite(number):
            raise ValueError(f"{number} is no number that a spec can have")
        if isinstance(number, int) and not -(2**63) < number < 2**63:
            raise ValueError(f"{number} has more than 64 bits")
        return number
    if isinstance(value, Mapping):
        return table(**_named(value))
    if isinstance(value, (list, tuple)):
        return table(*value)
    raise TypeError(
        f"a spec holds text, numbers, booleans, tables and what verbs made, not {type(value).__name__} ({value!r})"
    )


def _named(keys: Mapping) -> Dict[str, Any]:
    for key in keys:
        if not isinstance(key, str):
            raise TypeError(f"the key {key!r} is {type(key).__name__}; keys are text, and a list has none")
    return dict(keys)


def table(*items: Any, **keys: Any) -> _Table:
    """A Lua table that may have entries without keys and with keys.

    `table(5, after="x")` is `{ 5, after = "x" }`, for `components`; `table("inlet", "+x", "bend", "-y", along={"y": "-x"})` is a
    connection of tiles.
    """
    for item in items:
        if item is None:
            raise TypeError("None in a list: a list of Lua has no place for nothing; leave it out")
    kept = tuple((key, _frozen(value)) for key, value in keys.items() if value is not None)
    return _Table(tuple(_frozen(item) for item in items), kept)


def _written(value: Any, names: Mapping["_Statement", List[str]]) -> str:
    if isinstance(value, Made):
        return names[value._statement][value._number]
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, _Table):
        entries = [_written(item, names) for item in value.items]
        entries += [
            f"{key if _is_name(key) else '[' + _quoted(key) + ']'} = {_written(held, names)}"
            for key, held in value.keys
        ]
        return "{ " + ", ".join(entries) + " }" if entries else "{}"
    return repr(value)


# ---- statements -----------------------------------------------------------------------------------------------------

_order = itertools.count()


class _Statement:
    """One call of a verb.  The text of a spec has those that it needs, in the order in which they were made."""

    def __init__(self, verb: str, names: Tuple[str, ...], entries: _Table, named: bool) -> None:
        self.verb = verb
        self.names = names
        self.entries = entries
        self.named = named  # field "u" { … }, not fields { "u", … }
        self.place = _caller()
        self.order = next(_order)
        self.vectors: List["_Statement"] = []  # that a field is a component of
        self.fields: List["_Statement"] = []  # that a step writes
        self.headers: Dict[str, str] = {}

    @property
    def kind(self) -> str:
        """What it makes, for messages."""
        return {
            "fields": "field",
            "cartesian": "grid",
            "tiles": "grid",
            "cubed_sphere": "grid",
            "fold": "grid",
            "index_list": "grid",
        }.get(self.verb, self.verb)

    def made(self) -> Tuple[Made, ...]:
        """One for each name."""
        return tuple(Made(self, number) for number in range(max(len(self.names), 1)))

    def needs(self) -> Iterator["_Statement"]:
        """Statements that a spec has if it has this one."""
        yield from _mentioned(self.entries)
        yield from self.vectors
        yield from self.fields

    def written(self, names: Mapping["_Statement", List[str]]) -> str:
        """The call in Lua."""
        held = _written(self.entries, names)
        return f"{self.verb} {_quoted(self.names[0])} {held}" if self.named else f"{self.verb} {held}"


def _mentioned(value: Any) -> Iterator[_Statement]:
    if isinstance(value, Made):
        yield value._statement
    elif isinstance(value, _Table):
        for held in itertools.chain(value.items, (held for _, held in value.keys)):
            yield from _mentioned(held)


def _text(what: str, name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError(f"{what} needs a name first, which is text, not {type(name).__name__}")
    return name


# Verbs whose name stands before their table: field "u" { … }.
_NAMED = ("field", "vector", "exchange", "step", "cycle", "param", "spec")


def _call(verb: str, given: Mapping[str, Any], entries: str = "") -> _Statement:
    """A call of a verb.  given: the arguments of its function, as locals() has them.  Each is a key of the table, but a name
    that stands before it, and `entries`, which stand in it without keys."""
    keys = dict(given)
    items = keys.pop(entries, ())
    names = (keys.pop("name"),) if verb in _NAMED else items if verb == "fields" else ()
    return _Statement(verb, tuple(_text(verb, name) for name in names), table(*items, **keys), verb in _NAMED)


def cartesian(
    *,
    axes: Any,
    fastest: Any = None,
    order: Any = None,
    periodic: Any = None,
    decomposed: Any = None,
    blocks: Any = None,
    cells: Any = None,
) -> Made:
    """A grid that is one box of cells."""
    return _call("cartesian", locals()).made()[0]


def tiles(
    *,
    axes: Any,
    names: Any,
    connect: Any = None,
    fastest: Any = None,
    order: Any = None,
    decomposed: Any = None,
    blocks: Any = None,
    cells: Any = None,
) -> Made:
    """A grid of boxes that are joined at their sides.

    A connection is `("inlet", "+x", "bend", "-x")`, or `table("inlet", "+x", "bend", "-y", along={"y": "-x"})`.
    """
    return _call("tiles", locals()).made()[0]


def cubed_sphere(
    *,
    axes: Any,
    horizontal: Any = None,
    fastest: Any = None,
    order: Any = None,
    decomposed: Any = None,
    blocks: Any = None,
    cells: Any = None,
) -> Made:
    """A grid of six tiles around a sphere."""
    return _call("cubed_sphere", locals()).made()[0]


def fold(
    *,
    axes: Any,
    side: Any,
    pivot: Any,
    along: Any = None,
    fastest: Any = None,
    order: Any = None,
    decomposed: Any = None,
    blocks: Any = None,
    cells: Any = None,
) -> Made:
    """A grid of one box with a side that is joined to itself, as the north of a tripolar ocean."""
    return _call("fold", locals()).made()[0]


def index_list(*, axes: Any, fastest: Any = None, order: Any = None, cells: Any = None) -> Made:
    """A grid of points that lie in no box."""
    return _call("index_list", locals()).made()[0]


_NUMBERS = {
    "f2": "half",
    "f4": "float",
    "f8": "double",
    "c8": "complex64",
    "c16": "complex128",
    "b1": "bool",
    **{f"{sign}{size}": f"{'u' if sign == 'u' else ''}int{8 * size}_t" for sign in "iu" for size in (1, 2, 4, 8)},
}

_OF_PYTHON = {float: "double", int: "int64_t", bool: "bool", complex: "complex128"}


def _dtype(given: Any) -> Any:
    """The dtype that a value is or names, or None."""
    numpy = sys.modules.get("numpy")
    if numpy is None or isinstance(given, (str, Made)) or given is None:
        return None
    return numpy.dtype(given)


def _type(given: Any) -> Any:
    """What `type` is in a spec: text as it is, what struct made, or the name of a type of Python or NumPy."""
    if isinstance(given, type) and given in _OF_PYTHON:
        return _OF_PYTHON[given]
    dtype = _dtype(given)
    if dtype is None:
        return given
    if not dtype.isnative:
        raise ValueError(f"{dtype.str} is of the other byte order; an exchange carries native numbers")
    if dtype.names or dtype.subdtype or dtype.kind not in "fciub":
        raise ValueError(
            f"a point has no type {dtype}: for a struct use struct(dtype=...), for several numbers components"
        )
    if dtype.char == "g":
        return "long double"
    if f"{dtype.kind}{dtype.itemsize}" not in _NUMBERS:
        raise ValueError(f"there is no type of C for {dtype}")
    return _NUMBERS[f"{dtype.kind}{dtype.itemsize}"]


def _struct_header(name: str, size: Any, align: Any) -> str:
    """The header of a struct of which C needs no more than so many bytes."""
    if not _is_name(_text("struct", name)):
        raise ValueError(f"{name!r} is no name of a type in C")
    return (
        f"/* {name}, as NumPy has it: {size} bytes. */\n#ifndef {name.upper()}_H\n#define {name.upper()}_H\n\n"
        f"typedef struct {{\n    _Alignas({align}) unsigned char bytes[{size}];\n}} {name};\n\n#endif\n"
    )


def struct(
    *,
    name: str,
    header: Optional[str] = None,
    size: Optional[int] = None,
    align: Optional[int] = None,
    dtype: Any = None,
) -> Made:
    """A type of your own: that of a header, with its size and alignment, or of `dtype`, a structured dtype of NumPy made with
    align=True.  A dtype without a header makes the header, too, in which the struct is so many bytes."""
    made = f"{name}.h" if dtype is not None and header is None else None
    if dtype is not None:
        dtype = _dtype(dtype)
        size, align = dtype.itemsize, dtype.alignment
    statement = _call("struct", {"name": name, "header": made or header, "size": size, "align": align})
    if made:
        statement.headers[made] = _struct_header(name, size, align)
    return statement.made()[0]


def fields(
    *names: str,
    on: Made,
    type: Any,
    halo: Any = None,
    halo_at: Any = None,
    at: Any = None,
    order: Any = None,
    components: Any = None,
    directions: Any = None,
    padding: Any = None,
    memory: Any = None,
) -> Tuple[Made, ...]:
    """Several fields alike, one for each name, as a tuple."""
    if not names:
        raise TypeError("fields needs at least one name")
    return _call("fields", {**locals(), "type": _type(type)}, "names").made()


def field(
    name: str,
    *,
    on: Made,
    type: Any,
    halo: Any = None,
    halo_at: Any = None,
    at: Any = None,
    order: Any = None,
    components: Any = None,
    directions: Any = None,
    padding: Any = None,
    memory: Any = None,
) -> Made:
    """One field: an array of numbers per block, on a grid."""
    return _call("field", {**locals(), "type": _type(type)}).made()[0]


def _check_members(what: str, members: Tuple[Any, ...], makers: str = "field or fields") -> None:
    for member in members:
        if not isinstance(member, Made):
            raise TypeError(
                f"{what} takes what {makers} returned, not {member!r}"
                + (": write a star before the list" if isinstance(member, (tuple, list)) else "")
            )


def vector(name: str, *components: Made, kind: Any = None) -> Made:
    """Fields that are components along the axes, in the grid's order, and turn where the grid turns."""
    _check_members(f"vector {_text('vector', name)}", components)
    statement = _call("vector", locals(), "components")
    for component in components:
        component._statement.vectors.append(statement)
    return statement.made()[0]


def exchange(
    name: str,
    *fields: Union[Made, _Table],
    width: Any = None,
    wire: Any = None,
    error: Any = None,
    sums: Any = None,
    stencil: Any = None,
    op: Any = None,
    ghosts: Any = None,
    boundary: Any = None,
    corners: Any = None,
    only: Any = None,
    agree: Any = None,
) -> Made:
    """Fields that travel together.  `table(u, v, width=2)` lists fields that have keys of their own."""
    _check_members(
        f"exchange {_text('exchange', name)}",
        tuple(itertools.chain.from_iterable(one.items if isinstance(one, _Table) else (one,) for one in fields)),
    )
    return _call("exchange", locals(), "fields").made()[0]


def step(name: str, *, writes: Any, reads: Any = None, stencil: Any = None) -> Made:
    """One loop over points in a cycle: the fields that it computes, or their names, and how far it reads of which, by names.
    Give a field itself where no exchange names it, so that the spec has it."""
    given = list(writes) if isinstance(writes, (list, tuple)) else [writes]
    fields = [one for one in given if isinstance(one, Made)]
    for one in fields:
        if one._statement.kind != "field":
            raise TypeError(f"step {_text('step', name)} writes fields, or their names, not {one!r}")
    names = [one._statement.names[one._number] if isinstance(one, Made) else one for one in given]
    keys = {"name": name, "writes": names if fields else writes, "reads": reads, "stencil": stencil}
    statement = _call("step", keys)
    statement.fields += [one._statement for one in fields]
    return statement.made()[0]


def cycle(name: str, *steps: Made, exchange: Made) -> Made:
    """What a program does again and again between exchanges.  One exchange serves as many cycles as its halo is deep for."""
    _check_members(f"cycle {_text('cycle', name)}", steps, "step")
    return _call("cycle", locals(), "steps").made()[0]


def param(
    name: str, *, default: Any, type: Any = None, min: Any = None, max: Any = None, values: Any = None, text: Any = None
) -> Made:
    """A value that a build may choose, `halogen -D name=value`.  Give it to verbs; Python cannot compute with it."""
    return _call("param", locals()).made()[0]


# ---- the whole ------------------------------------------------------------------------------------------------------


class SpecText:
    """A spec that was written in Python: Lua text, and the Python line behind each of its lines."""

    def __init__(self, name: str, lines: List[Tuple[str, Place]], headers: Mapping[str, str]) -> None:
        self.name = name
        self.text = "".join(line + "\n" for line, _ in lines)
        self.places = tuple(place for _, place in lines)
        self.headers = dict(headers)

    @property
    def filename(self) -> str:
        """Of the file that write makes."""
        return f"{self.name if _is_name(self.name) else 'spec'}.lua"

    def write(self, directory: Any = ".") -> str:
        """Writes the text, and headers of structs that have none, into a directory; returns the path of the text."""
        for filename, text in {**self.headers, self.filename: self.text}.items():
            with open(os.path.join(directory, filename), "w", encoding="utf-8") as file:
                file.write(text)
        return os.path.join(directory, self.filename)

    def place(self, line: int) -> Place:
        """Which Python call wrote this line, counted from 1."""
        return self.places[min(max(line, 1), len(self.places)) - 1]

    def in_python(self, sentence: str) -> str:
        """A sentence that names lines of the text, as `channel.lua:2` and `(line 2)`, by those of Python."""

        def place(found: "re.Match[str]") -> str:
            file, line = self.place(int(found[1]))
            return f"{os.path.basename(file)}:{line}"

        sentence = re.sub(rf"\b{re.escape(self.filename)}:(\d+)", place, sentence)
        return re.sub(r"(?<=\()line (\d+)(?=\))", place, sentence)

    def located(self, diagnostics: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
        """Diagnostics of `halogen --diag json` about the text, as diagnostics about the Python file: `file` and `line` are
        Python's; columns and fixes, which are of the Lua text, are left out."""
        return [self._in_python(diagnostic) for diagnostic in diagnostics]

    def _in_python(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._in_python(held) for held in value]
        if not isinstance(value, dict):
            return value
        out = {
            key: self._in_python(held)
            for key, held in value.items()
            if key not in ("column", "end_column", "length", "fix")
        }
        if os.path.basename(str(value.get("file"))) == self.filename:
            out["file"], out["line"] = self.place(value.get("line", len(self.places)))
        return out

    def __repr__(self) -> str:
        return f"<spec {self.name}, {len(self.places)} lines>"


def _needed(last: _Statement) -> List[_Statement]:
    found = {last}
    waiting = [last]
    while waiting:
        for statement in waiting.pop().needs():
            if statement not in found:
                found.add(statement)
                waiting.append(statement)
    return sorted(found, key=lambda statement: statement.order)


# Lua has room for 200 local variables.
_MOST_LOCALS = 180


def _variables(statements: List[_Statement]) -> Dict[_Statement, List[str]]:
    """What the text calls what each statement makes: by its own name where that is a name in Lua and free."""
    count = sum(max(len(statement.names), 1) for statement in statements)
    taken, names = set(_VERBS), {}
    for statement in statements:
        own = []
        for name in statement.names or (statement.kind,):
            free = count <= _MOST_LOCALS and _is_name(name) and not name.startswith("halogen") and name not in taken
            if not free:
                number = len(taken) - len(_VERBS) + 1
                name = f"{statement.kind}_{number}" if count <= _MOST_LOCALS else f"made[{number}]"
                while name in taken:
                    number += 1
                    name = f"{statement.kind}_{number}"
            taken.add(name)
            own.append(name)
        names[statement] = own
    return names


def spec(name: str, *exchanges: Made, version: Any = None) -> SpecText:
    """The whole: exchanges and cycles, with the fields, vectors and grid that they name.  Give it to halogen.load."""
    _check_members(f"spec {_text('spec', name)}", exchanges, "exchange or cycle")
    last = _call("spec", locals(), "exchanges")
    statements = _needed(last)
    names = _variables(statements[:-1])
    lines, headers = [], {}
    local = "local "
    if any(own[0].startswith("made[") for own in names.values()):
        lines.append(("local made = {}", last.place))
        local = ""
    for statement in statements[:-1]:
        lines.append((f"{local}{', '.join(names[statement])} = {statement.written(names)}", statement.place))
        headers.update(statement.headers)
    lines.append(("return " + last.written(names), last.place))
    return SpecText(name, lines, headers)
