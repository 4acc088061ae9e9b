"""Fields from the blocks of one handle to those of another, and to arrays of the whole grid and back."""

from __future__ import annotations

import ctypes
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

import numpy

from . import arrays as sets
from . import device, errors, library, lists


def _refuse_set(arrays: Any, halo: Any, call: str, whose: str) -> None:
    """A rank without blocks needs no arrays; arrays of the handle that a wide one is made of serve both."""
    if arrays is None and not halo._layouts:
        return
    owner = getattr(arrays, "_halo", None)
    if owner is None or (owner is not halo and owner is not halo._narrow):
        raise errors.ArgumentError(f"{call}: needs arrays of {whose} handle: halo.alloc(), empty() or arrays().")
    arrays._lists()


def _has(arrays: Any, halo: Any) -> Any:
    """The names of fields that a set has."""
    return halo.spec.fields.keys() if arrays is None else arrays._lists().keys()


def _chosen(halo: Any, arrays: Any, names: Sequence[str]) -> Any:
    """Pointers of some fields, null for the others."""
    fields, pointers = halo.spec.fields, sets.pointers_for(halo)
    for name in names if arrays is not None else ():
        for at in range(fields[name].number, len(fields) * len(halo._layouts), len(fields)):
            pointers[at] = arrays._pointers[at]
    return pointers


def _names(source: Any, arrays: Any, target: Any, into: Any, given: Optional[Sequence[str]]) -> Sequence[str]:
    """Fields that move: those that are named, or all that both sets have."""
    have = _has(arrays, source) & _has(into, target)
    if given is None:
        return [name for name in source.spec.fields if name in have]
    for name in given:
        source._field(name)
        if name not in have:
            raise errors.ArgumentError(f"redistribute: {name} is not in the arrays of both handles.")
    return given


class How(NamedTuple):
    """Which fields move, and what moves with them."""

    names: Optional[Sequence[str]]
    stream: Any
    halos: bool
    ids: Any


def _about_ids(given: Any) -> Any:
    """Of source and target, for C."""
    if not isinstance(given, (list, tuple)) or len(given) != 2 or not all(isinstance(ids, lists.Ids) for ids in given):
        raise errors.ArgumentError(
            f"redistribute: ids needs two halogen.Ids, of the points of either handle, got {given!r}."
        )
    return [ids._in_c() for ids in given]


def redistribute(source: Any, arrays: Any, target: Any, into: Any, how: "How") -> None:
    """Collective; both handles are locked."""
    about: Any = None
    move = target.spec.library.hx_redistribute_with
    try:
        _refuse_set(arrays, source, "redistribute", "the first")
        _refuse_set(into, target, "redistribute", "the second")
        chosen = _names(source, arrays, target, into, how.names)
        here, there = _chosen(source, arrays, chosen), _chosen(target, into, chosen)
        said = library.Redistribution(halos=bool(how.halos), stream=device.stream_of(how.stream))
        if how.ids is not None:
            about = _about_ids(how.ids)
            said.source_ids, said.target_ids = map(ctypes.addressof, about)
    except Exception:
        library.fail_on_all(move, None, None, target._handle, None, None)
        raise
    move(source._handle, ctypes.addressof(here), target._handle, ctypes.addressof(there), said)


def _address(arrays: Any, halo: Any) -> Any:
    """Of the structs of pointers that C wants."""
    return None if arrays is None else arrays.address


# ---- whole tiles --------------------------------------------------------------------------------------------------


def _described(halo: Any, field: Any, array: Any, call: str) -> library.StridedArray:
    axes, wanted = len(halo.spec.axes), halo.spec.axes + ("component",) * field.has_components
    if not isinstance(array, numpy.ndarray) or array.dtype != field.dtype or array.ndim != len(wanted):
        raise errors.ArgumentError(
            f"{call}: {field.name} needs an array of NumPy for each tile, of {field.dtype}, with axes {', '.join(wanted)}."
        )
    if call.startswith("gather") and not array.flags.writeable:
        raise errors.ArgumentError(f"{call}: the array for {field.name} is read-only.")
    out = library.StridedArray(base=array.ctypes.data, bytes=array.itemsize, components=1)
    out.extent[:axes], out.stride[:axes] = array.shape[:axes], array.strides[:axes]
    if field.has_components:
        out.components, out.component_stride = array.shape[axes], array.strides[axes]
    return out


def _wholes(halo: Any, call: str, field: Any, given: Any) -> Any:
    several: List[Any] = list(given) if isinstance(given, (list, tuple)) else [given]
    if len(several) != halo.spec.tiles:
        raise errors.ArgumentError(f"{call}: needs {halo.spec.tiles} arrays, one for each tile, got {len(several)}.")
    return (library.StridedArray * len(several))(*[_described(halo, field, array, call) for array in several])


def move_whole(halo: Any, call: str, arrays: Any, name: str, given: Any, root: int) -> None:
    """Collective.  call: "gather" or "scatter"; given: an array for each tile, or the only one; looked at on the root."""
    move = getattr(halo.spec.library, "hx_" + call)
    try:
        _refuse_set(arrays, halo, call, "this")
        field, root = halo._field(name), library.whole(root, "root")
        wholes = _wholes(halo, call, field, given) if halo.rank == root else None
        fields = _address(arrays, halo)
    except Exception:
        library.fail_on_all(move, halo._handle, None, -1, 0, None)
        raise
    move(halo._handle, fields, field.number, root, wholes)


# ---- selections ---------------------------------------------------------------------------------------------------


def _part_of_slice(given: Any, default: int, what: str) -> int:
    return default if given is None else library.whole(given, what, -library.MOST_INT)


def _along(where: Any, axis: str, call: str) -> Tuple[int, int, int]:
    """First, number and step of what is selected along an axis: an index, or a slice that runs forward."""
    if isinstance(where, slice):
        what = f"{call}: {where} along {axis}"
        first, step = _part_of_slice(where.start, 0, what), _part_of_slice(where.step, 1, what)
        stop = _part_of_slice(where.stop, 0, what)
        if min(first, step - 1, stop) < 0:
            raise errors.ArgumentError(f"{what} counts from the end, or runs back.")
        return first, -1 if where.stop is None else max(0, -(-(stop - first) // step)), step
    return library.whole(where, f"the index along {axis}"), 1, 1


def _selection(halo: Any, call: str, given: Any) -> library.Selection:
    if not isinstance(given, tuple) or len(given) not in (3, 4):
        raise errors.ArgumentError(f"{call}: a selection is (name, slices, array), or these and the tile; got {given!r}.")
    name, where, array = given[:3]
    axes, where = halo.spec.axes, where if isinstance(where, tuple) else (where,)
    if len(where) != len(axes):
        raise errors.ArgumentError(f"{call}: {name} has axes {', '.join(axes)}, and {len(where)} slices were given.")
    along = [_along(here, axis, call) for here, axis in zip(where, axes)]
    field, indices = halo._field(name), [a for a, w in enumerate(where) if not isinstance(w, slice)]
    if isinstance(array, numpy.ndarray):
        array = numpy.expand_dims(array, tuple(indices)) if indices else array
    tile = library.whole(given[3], "tile") if len(given) == 4 else 0
    out = library.Selection(field=field.number, tile=tile, array=_described(halo, field, array, call))
    for a, axis in enumerate(axes):
        out.first[a], out.n[a], out.step[a] = along[a]
        if out.n[a] >= 0 and out.array.extent[a] != out.n[a]:
            raise errors.ArgumentError(
                f"{call}: along {axis} the array for {name} has {out.array.extent[a]} points; {out.n[a]} are selected."
            )
    return out


def move_selected(halo: Any, call: str, arrays: Any, given: Sequence[Any]) -> None:
    """Collective.  call: "gather_selected" or "scatter_selected"; given: what this rank selects."""
    move = getattr(halo.spec.library, "hx_" + call)
    try:
        _refuse_set(arrays, halo, call, "this")
        selections = (library.Selection * len(given))(*[_selection(halo, call, one) for one in given])
        fields = _address(arrays, halo)
    except Exception:
        library.fail_on_all(move, halo._handle, None, None, 1)
        raise
    move(halo._handle, fields, selections, len(given))


# ---- blocks that move ---------------------------------------------------------------------------------------------


def rebalance(halo: Any, work: Any) -> Tuple[Tuple[int, ...], int]:
    """Collective."""
    balance = halo.spec.library.hx_rebalance
    try:
        halo._refuse_same_blocks("rebalance")
        numbers = numpy.ascontiguousarray(work, numpy.float64)
        if numbers.shape != (len(halo._layouts),):
            raise errors.ArgumentError(
                f"rebalance: needs a number for each of the {len(halo._layouts)} blocks of this rank, got {work!r}."
            )
    except Exception:
        library.fail_on_all(balance, halo._handle, None, None, None)
        raise
    owners, moved = (ctypes.c_int * halo._divided.all())(), ctypes.c_int()
    balance(halo._handle, numbers.ctypes.data, owners, moved)
    return tuple(owners), moved.value
