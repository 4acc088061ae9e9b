"""What the package believes of libhx is what its headers say, and all that is public is described."""

import ctypes
import inspect
import re
from pathlib import Path

import pytest

import halogen
from halogen import adapters, boundary, build, device, errors, library, pool, shared

ROOT = Path(__file__).resolve().parents[2]
TEXT = "\n".join((ROOT / "runtime/include/hx" / name).read_text() for name in ("hx.h", "abi.h", "window.h", "shared_array.h", "pool.h", "observe.h", "files.h", "mask.h", "version.h"))
CODE = re.sub(r"/\*.*?\*/", " ", TEXT, flags=re.DOTALL)
FUNCTIONS = {name: declaration for functions in (library.FUNCTIONS, shared.FUNCTIONS, pool.FUNCTIONS) for name, declaration in functions.items()}
STRUCTS = {
    "hx_partition": library.Partition, "hx_part": library.Part, "hx_wall": library.Wall, "hx_options": library.Options,
    "hx_message_buffer": library.MessageBuffer, "hx_traffic": library.Traffic, "hx_spec_facts": library.SpecFacts, "hx_field_facts": library.FieldFacts,
    "hx_exchange_facts": library.ExchangeFacts, "hx_carried_facts": library.CarriedFacts, "hx_peer": library.Peer,
    "hx_index_list": library.IndexList, "hx_ids": library.Ids, "hx_strided_array": library.StridedArray,
    "hx_window_request": shared._Request, "hx_window_facts": shared._Facts, "hx_window_part": shared._Part,
    "hx_array": shared._Table, "hx_pool_counters": pool._Counters, "hx_blocks": library.blocks_type(ctypes.c_void_p),
    "hx_observed": library.Observed, "hx_event": library.Event,
    "hx_box": library.Box, "hx_boxes": library.Boxes,
    "hx_mask": library.Mask, "hx_map": library.Map,
    "hx_listed": library.listed_type(ctypes.c_void_p),
}  # fmt: skip


def kind(text):
    """What a parameter of C is for ctypes, which has one class for uint64_t and size_t."""
    if text == "void":
        return None
    if text == "hx_boxes":
        return text
    if "*" in text or "[" in text or re.search(r"\bhx_(wall_fn|wall_on_fn|stream|observer_fn)\b", text):
        return "pointer"
    return {"MPI_Comm": "comm", "size_t": "size_t", "ptrdiff_t": "ssize_t", "double": "double", "int64_t": "int64", "uint64_t": "size_t"}.get(
        re.sub(r"\bconst\b|\b\w+$", "", text).strip() if " " in text.strip() else text, "int"
    )


def believed(argument):
    if isinstance(argument, str):
        return argument
    if argument is None or issubclass(argument, (ctypes._Pointer, ctypes._CFuncPtr)) or argument in (ctypes.c_void_p, ctypes.c_char_p):
        return "pointer"
    if argument is library.Boxes:
        return "hx_boxes"
    return {ctypes.c_int: "int", ctypes.c_size_t: "size_t", ctypes.c_ssize_t: "ssize_t", ctypes.c_double: "double"}[argument]


@pytest.mark.parametrize("name", sorted(name for name in FUNCTIONS if name.startswith("hx_")))
def test_function(name):
    found = re.search(rf"([\w \*]+?)\b{name}\(([^)]*)\);", CODE)
    result, *arguments = FUNCTIONS[name]
    theirs = [] if found[2] == "void" else [kind(" ".join(text.split())) for text in found[2].split(",")]
    assert theirs == [believed(argument) for argument in arguments]
    returns = found[1].strip().split("\n")[-1].strip()
    if returns == "hx_status":
        assert result in ("status", ctypes.c_int)
    else:
        wanted = None if returns == "void" else "pointer" if "*" in returns else {"size_t": "size_t", "ptrdiff_t": "ssize_t", "hx_boxes": "hx_boxes"}.get(returns, "int")
        assert wanted == (None if result is None else believed(result))


@pytest.mark.parametrize("name", sorted(STRUCTS))
def test_struct(name):
    body = re.search(rf"typedef struct {name} \{{(.*?)\}} {name};", CODE, re.DOTALL)[1]
    names = []
    for declaration in re.sub(r"\s+", " ", body).split(";"):
        names += [re.sub(r"[^\w].*", "", part.strip(" *(")) for part in _declared(declaration)]
    assert [field for field, *_ in STRUCTS[name]._fields_] == names


def _declared(declaration):
    """The names of a declaration: "int *a, b[3]" has two."""
    declaration = declaration.strip()
    if not declaration:
        return []
    function = re.search(r"\(\*(\w+)\)", declaration)
    if function:
        return [function[1]]
    first, *others = declaration.split(",")
    return [re.search(r"(\w+)(?:\[[^]]*\])*$", first)[1], *(re.search(r"\w+", other)[0] for other in others)]


def public(thing, where):
    """Everything of the package that users may see."""
    yield where, thing
    for name, member in vars(thing).items():
        if name.startswith("_") or isinstance(member, type(library)):
            continue
        origin = getattr(member, "__module__", "") or ""
        if inspect.isclass(member) and origin.startswith("halogen") and inspect.ismodule(thing):
            yield from public(member, f"{where}.{name}")
        elif inspect.isfunction(member) and origin.startswith("halogen"):
            yield f"{where}.{name}", member
        elif isinstance(member, property) and inspect.isclass(thing):
            yield f"{where}.{name}", member.fget


def test_everything_is_described():
    seen, without = 0, []
    for module in (halogen, adapters, boundary, build, device, errors):
        for where, thing in public(module, module.__name__):
            seen += 1
            if not (thing.__doc__ or "").strip():
                without.append(where)
    assert seen > 100 and not without


def attributes(kind):
    """What users may ask of a class, its own: methods, properties, and what its docstring lists below "Attributes"."""
    for name, member in vars(kind).items():
        if not name.startswith("_") and (callable(member) or isinstance(member, property) or name in getattr(kind, "_fields", ())):
            yield name
    listed = re.search(r"Attributes:\n(.*)", kind.__doc__ or "", re.DOTALL)
    for names in re.findall(r"(?:^ {8}|\. )([\w, ]+): ", listed[1] if listed else "", re.MULTILINE):
        yield from names.split(", ")


def test_everything_is_in_the_documents():
    """As a word of code on the page, and those of a class in its row of the last table."""
    page = (ROOT / "docs/python.md").read_text()
    code = " ".join(re.findall(r"^```.*?^```|`[^`\n]+`", page, re.DOTALL | re.MULTILINE))
    seen, without = 0, sorted(set(halogen.__all__) - {"build"} - set(re.findall(r"\w+", code)))
    for name in halogen.__all__:
        kind = getattr(halogen, name)
        if not inspect.isclass(kind) or issubclass(kind, halogen.Error):
            continue
        row = re.search(rf"^\| `{name}` \| (.*)\|$", page[page.index("## All names") :], re.MULTILINE)
        has = set(re.findall(r"\w+", " ".join(re.findall(r"`[^`]+`", row[1])))) if row else set()
        wanted = set(attributes(kind))
        seen += len(wanted)
        without += [f"{name}.{attribute}" for attribute in sorted(wanted - has)]
    assert seen > 100 and not without


def test_everything_is_annotated():
    without = []
    for module in (halogen, build):
        for where, thing in public(module, module.__name__):
            if inspect.isfunction(thing) and not thing.__name__.startswith("<"):
                signature = inspect.signature(thing)
                named = [p for p in signature.parameters.values() if p.name not in ("self", "cls")]
                if signature.return_annotation is signature.empty or any(p.annotation is p.empty for p in named):
                    without.append(where)
    assert not without


def test_versions_agree():
    numbers = re.findall(r"#define HX_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", TEXT)
    assert halogen.__version__ == ".".join(numbers)
