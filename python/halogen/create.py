"""Create: from cells, ranks and options to a handle of libhx."""

from __future__ import annotations

import ctypes
import operator
import os
from typing import Any, List, NamedTuple, Tuple

from . import boundary, check, device, errors, library, mpi, pool
from .arrays import Arrays
from .spec import Spec


class Request(NamedTuple):
    """What Spec.create was given."""

    spec: Spec
    comm: Any
    cells: Any
    ranks: Any
    cuts: Any
    owners: Any
    lists: Any
    like: Any
    strides: str
    cart: bool
    options: Any


# ---- options ------------------------------------------------------------------------------------------------------


def _logger(function: Any) -> Any:
    return library.LOG_FUNCTION(lambda context, level, line: function(level, line.decode("utf-8", "replace")))


_LOG_LEVELS = {"none": 0, "warning": 1, "info": 2}
_OPTIONS = tuple(name for name, _ in library.Options._fields_ if name not in ("size", "version", "log_context", "team"))


_KINDS = dict(library.Options._fields_)


def _option(name: str, value: Any) -> Any:
    """As C has it.  Raises TypeError: ctypes takes a number for the address of a text, and cuts numbers off."""
    if name == "log":
        if not callable(value):
            raise TypeError
        return _logger(value)
    if name == "log_level" and isinstance(value, str):
        if value not in _LOG_LEVELS:
            raise errors.ArgumentError(f'log_level: is "none", "warning" or "info", got {value!r}.')
        return _LOG_LEVELS[value]
    if name == "pool":
        if not isinstance(value, pool.Pool):
            raise TypeError
        return value.address
    if _KINDS[name] is ctypes.c_char_p:
        text = os.fsencode(value)
        if b"\0" in text:
            raise TypeError
        return text
    if value != value or (_KINDS[name] is ctypes.c_int and not -library.MOST_INT <= value <= library.MOST_INT):
        raise TypeError
    return value


def options_of(given: Any) -> library.Options:
    """hx_options from keywords.  Raises ArgumentError for what it does not have."""
    out = library.Options(size=ctypes.sizeof(library.Options), version=1)
    out.transport = out.schedule = out.device_messages = b"auto"
    out.threads = 1
    out.keeps = given
    for name, value in given.items():
        if name not in _OPTIONS:
            raise errors.ArgumentError(f"create has no option {name}; it has {', '.join(_OPTIONS)}.")
        try:
            if value is not None:
                setattr(out, name, _option(name, value))
        except TypeError:
            raise errors.ArgumentError(f"{name}: cannot be {value!r}.") from None
    return out


# ---- blocks -------------------------------------------------------------------------------------------------------


class Blocks(NamedTuple):
    """What create is told of blocks."""

    partitions: List[library.Partition]
    parts: List[library.Part]
    """Of this rank."""
    owners: Any
    """An int for each block, for C; or None."""


def _rank_of(lib: library.Library, comm: Any) -> Tuple[int, int]:
    rank, size = ctypes.c_int(), ctypes.c_int()
    lib.MPI_Comm_rank(comm, rank)
    lib.MPI_Comm_size(comm, size)
    return rank.value, size.value


def _by_tile(values: Any, tiles: int) -> List[Any]:
    """One entry for each tile: those given, or the same for all."""
    nested = isinstance(values, (list, tuple)) and len(values) == tiles and all(isinstance(v, (list, tuple)) for v in values)
    return list(values) if nested and tiles > 1 else [values] * tiles


class Divided(NamedTuple):
    """How all tiles are divided: what a handle with other owners needs.

    Partitions point to cuts; those of a Cartesian communicator end with create, so these are copies.
    """

    partitions: Any
    cuts: List[Any]

    def counts(self) -> List[int]:
        """Blocks of each tile."""
        return [_count(partition) for partition in self.partitions]

    def all(self) -> int:
        """Blocks of the grid."""
        return sum(self.counts())


def _divided(spec: Spec, blocks: Blocks) -> Divided:
    given = blocks.partitions[:] if blocks.owners is not None else [blocks.parts[0].partition]
    kept, cuts = (library.Partition * spec.tiles)(*given), []
    for partition in kept:
        for axis in range(partition.axes):
            if partition.cuts[axis]:
                number = partition.ranks[axis] + 1
                own = (ctypes.c_int * number)(*partition.cuts[axis][:number])
                cuts.append(own)
                partition.cuts[axis] = own
    return Divided(kept, cuts)


def _count(partition: library.Partition) -> int:
    count = 1
    for axis in range(partition.axes):
        count *= partition.ranks[axis]
    return count


def _owners(given: Any, counts: List[int], size: int) -> List[int]:
    if given is None and sum(counts) > size:
        raise errors.PartitionError(
            f"{sum(counts)} blocks on {size} rank{'s' if size > 1 else ''}: say by ranks= how many blocks each tile has along "
            "each axis, or by owners= which rank has which block."
        )
    if given is None:
        return list(range(sum(counts)))
    if callable(given):
        given = [given(tile, block) for tile, count in enumerate(counts) for block in range(count)]
    try:
        owners = [operator.index(rank) for rank in given]
    except TypeError:
        owners = [library.MOST_INT + 1]
    if any(abs(rank) > library.MOST_INT for rank in owners):
        raise errors.ArgumentError(
            f"owners: needs the rank of each block, as a list or by a function of tile and block, got {given!r}."
        )
    if len(owners) != sum(counts):
        raise errors.PartitionError(f"owners: has {len(owners)} ranks for {sum(counts)} blocks.")
    return owners


def _parts_of(spec: Spec, partitions: Any, owners: List[int], rank: int) -> List[library.Part]:
    parts, number = [], 0
    for tile, count in enumerate(map(_count, partitions)):
        for block in range(count):
            if owners[number] == rank:
                part = library.Part()
                spec.library.hx_part_of(partitions[tile], tile, block, part)
                parts.append(part)
            number += 1
    return parts


def _several(request: Request, rank: int, size: int) -> Blocks:
    """Blocks of any tiles, any number a rank."""
    spec, axes = request.spec, len(request.spec.axes)
    ranks = _by_tile(request.ranks if request.ranks is not None else (1,) * axes, spec.tiles)
    cells = _by_tile(request.cells, spec.tiles)
    partitions = [spec.partition(cells[t], ranks=ranks[t], cuts=request.cuts) for t in range(spec.tiles)]
    for axis, count, most in ((a, p.ranks[a], p.cells[a]) for p in partitions for a in range(axes)):
        if count > most:  # before an owner is asked for each
            raise errors.PartitionError(
                f"ranks: {count} parts along {spec.axes[axis]}, which has {most} cells; each part needs a cell or more."
            )
    requests = [partition.request for partition in partitions]
    owners = _owners(request.owners, [_count(partition) for partition in requests], size)
    parts = _parts_of(spec, requests, owners, rank)
    return Blocks(requests, parts, (ctypes.c_int * len(owners))(*owners))


def _single(request: Request, comm: Any) -> Blocks:
    """One block a rank, of the only tile."""
    partition = request.spec.partition(request.cells, ranks=request.ranks, cuts=request.cuts)
    part = library.Part()
    request.spec.library.hx_decompose(comm, partition.request, part)
    return Blocks([partition.request], [part], None)


def _of_cart(request: Request, comm: Any) -> Blocks:
    """One block a rank, of as many cells as the request has, where a Cartesian communicator has the rank.  Collective."""
    spec, part = request.spec, library.Part()
    from_cart = spec.library.hx_partition_from_cart
    try:
        for name in ("ranks", "cuts", "owners"):
            if getattr(request, name) is not None:
                raise errors.ArgumentError(
                    f"{name}: with cart=True the communicator says how the grid is divided; leave {name} out."
                )
        if spec.tiles > 1:
            raise errors.ArgumentError(f"cart: is for grids of one tile; that of {spec.name} has {spec.tiles}.")
        cells = (ctypes.c_int * library.MAX_AXES)(*spec._cells(request.cells))
    except Exception:
        library.fail_on_all(from_cart, comm, None, part)
        raise
    from_cart(comm, cells, part)
    return Blocks([], [part], None)


# ---- shapes -------------------------------------------------------------------------------------------------------


def _like(spec: Spec, given: Any, blocks: int) -> Any:
    """By field, a list of arrays, one for each block."""
    if given is None:
        return {}
    if not isinstance(given, (dict, Arrays)):
        raise errors.ArgumentError(f"like: needs a dict of arrays by field, or Arrays, got {type(given).__name__}.")
    arrays = given if isinstance(given, dict) else given.by_name()
    out = {}
    for name, value in arrays.items():
        if name not in spec.fields:
            raise errors.ArgumentError(f"like: {spec.name} has no field {name}; it has {', '.join(spec.fields)}.")
        out[name] = list(value) if isinstance(value, (list, tuple)) else [value]
        if len(out[name]) != blocks:
            raise errors.ArgumentError(f"like: {name} has {len(out[name])} arrays for {blocks} blocks.")
    return out


def _described(spec: Spec, field: Any, array: Any) -> library.StridedArray:
    """An array as libhx has it described."""
    view = device.view_of(array, field.name)
    if view is None:
        raise errors.ArgumentError(f"like: {field.name} needs an array, got {type(array).__name__}.")
    axes = 1 if field.behind else len(spec.axes)
    if len(view.shape) != axes + (field.has_components and not field.behind):
        raise errors.ArgumentError(
            f"like: {field.name} has {len(view.shape)} axes; it needs {axes + field.has_components} "
            f"({spec.place(field.line)})."
        )
    out = library.StridedArray(base=view.address or 1, bytes=view.dtype.itemsize, components=1)
    out.extent[:axes] = view.shape[:axes]
    out.stride[:axes] = view.strides[:axes]
    if field.has_components and not field.behind:
        out.components, out.component_stride = view.shape[axes], view.strides[axes]
    return out


def _take_strides(spec: Spec, part: library.Part, shape: Any, like: Any) -> None:
    """Puts the strides of arrays into a shape; libhx says which cannot be."""
    lib, axes = spec.library, len(spec.axes)
    arrays = (library.StridedArray * len(spec.fields))()
    for name, array in like:
        field = spec.fields[name]
        arrays[field.number] = _described(spec, field, array)
    theirs = ctypes.create_string_buffer(spec.shape_size)
    lib.hx_shape_of_arrays(lib.spec, part, arrays, theirs)
    for name, _ in like:
        field = spec.fields[name]
        lib.set_strides(shape, field.number, lib.strides(theirs, field.number, axes))
        if field.has_components and field.components_after > 0:
            lib.apart(shape, field.number).value = lib.apart(theirs, field.number).value


def _shape_of(spec: Spec, part: library.Part, strides: str, like: Any) -> Any:
    """The shape of a block, as bytes that C reads."""
    lib = spec.library
    shape = ctypes.create_string_buffer(spec.shape_size)
    lib.hx_spec_shape(lib.spec, part, shape)
    if strides == "best":
        start = ctypes.addressof(shape)
        apart = start + lib.apart_offset if lib.apart_offset else None
        lib.hx_best_strides(lib.spec, part, start + lib.stride_offset, apart)
    elif strides != "dense":
        raise errors.ArgumentError(f'strides: is "best" or "dense", got {strides!r}.')
    if like:
        _take_strides(spec, part, shape, like)
    return shape


def _steps(spec: Spec, shape: Any, field: Any) -> Tuple[int, ...]:
    """Bytes from point to point, by axes, then from component to component."""
    size = field.dtype.itemsize
    steps = [stride * size for stride in spec.library.strides(shape, field.number, len(spec.axes))]
    if field.has_components:
        steps.append(spec.library.apart(shape, field.number).value * size if field.components_after > 0 else size)
    return tuple(steps)


def _extents(spec: Spec, field: Any, part: library.Part) -> Tuple[int, ...]:
    """Points along each axis with all ghost points, then components."""
    axes = range(len(spec.axes))
    around = [0 if spec.is_list else field.halo_lo[a] + field.halo_hi[a] for a in axes]
    extents = [part.n[a] + field.extra[a] + around[a] for a in axes]
    return tuple(extents + [field.components] * field.has_components)


class Layout(NamedTuple):
    """Where the arrays of a block lie in memory."""

    part: library.Part
    shape: Any
    wanted: Tuple[check.Wanted, ...]
    """By fields of the spec."""


def _layout(spec: Spec, part: library.Part, shape: Any) -> Layout:
    wanted = []
    for field in spec.fields.values():
        elements = spec.library.hx_points(spec.library.spec, shape, field.number)
        steps = _steps(spec, shape, field)
        extents = (elements,) if field.behind else _extents(spec, field, part)
        strides = (field.dtype.itemsize,) if field.behind else steps
        wanted.append(check.Wanted(field, spec.place(field.line), spec.axes, elements, extents, strides, steps))
    return Layout(part, shape, tuple(wanted))


# ---- the handle ---------------------------------------------------------------------------------------------------


class Prepared(NamedTuple):
    """What C is to be told, as far as this rank alone can say it."""

    create: Any
    """Of the library: hx_create_for, or the one of lists."""
    about: Any
    """hx_blocks or hx_listed, which has the communicator."""
    shapes: Any
    options: library.Options
    layouts: List[Layout]
    divided: Any
    kept: Any
    """What `about` leads to."""
    free: Any
    """Called behind create."""


def _about(request: Request, comm: Any, blocks: Blocks) -> Any:
    spec, lib = request.spec, request.spec.library
    partitions = (library.Partition * spec.tiles)(*blocks.partitions)
    if blocks.owners is None:
        partitions[0] = blocks.parts[0].partition
    return lib.blocks_type(comm=comm, tiles=spec.tiles, partition=partitions, count=len(blocks.parts), owners=blocks.owners)


def _joined(shapes: List[Any], size: int) -> Any:
    """Shapes one behind the other."""
    out = ctypes.create_string_buffer(max(1, size * len(shapes)))
    for number, shape in enumerate(shapes):
        ctypes.memmove(ctypes.addressof(out) + number * size, shape, size)
    return out


def refuse_on_all(spec: Spec, comm: Any) -> None:
    """This rank cannot say what C is to be told: so create fails on the others, which wait there for this one."""
    lib = spec.library
    create = lib.hx_create_listed_for if spec.is_list else lib.hx_create_for
    about = lib.listed_type(comm=comm) if spec.is_list else lib.blocks_type(comm=comm, tiles=spec.tiles)
    library.fail_on_all(create, spec.model.encode(), lib.spec, ctypes.addressof(about), None, None, None)


def _blocks(request: Request, comm: Any) -> Blocks:
    if request.spec.tiles > 1 or request.owners is not None:
        return _several(request, *_rank_of(request.spec.library, comm))
    return _single(request, comm)


def _shaped(request: Request, comm: Any, blocks: Blocks, free: Any) -> Prepared:
    spec = request.spec
    if request.lists is not None:
        raise errors.ArgumentError(f"lists: is for grids that are lists of points, which that of {spec.name} is not.")
    like = _like(spec, request.like, len(blocks.parts))
    shapes = [
        _shape_of(spec, part, request.strides, [(name, arrays[b]) for name, arrays in like.items()])
        for b, part in enumerate(blocks.parts)
    ]
    layouts = [_layout(spec, part, shape) for part, shape in zip(blocks.parts, shapes)]
    return Prepared(
        spec.library.hx_create_for,
        _about(request, comm, blocks),
        _joined(shapes, spec.shape_size),
        options_of(request.options),
        layouts,
        _divided(spec, blocks),
        blocks,
        free,
    )


def _boxes(request: Request, comm: Any) -> Prepared:
    spec = request.spec
    of_cart = _of_cart(request, comm) if request.cart else None  # where it fails, the others know

    def free() -> None:
        if of_cart:
            spec.library.hx_partition_free(of_cart.parts[0].partition)

    try:
        return _shaped(request, comm, of_cart or _blocks(request, comm), free)
    except Exception:
        free()
        refuse_on_all(spec, comm)
        raise


def _prepared(request: Request, comm: Any) -> Prepared:
    if request.spec.is_list:
        from . import lists

        return lists.prepared(request, comm)
    return _boxes(request, comm)


def handle(request: Request) -> Any:
    """A Halo for a request.  Collective."""
    spec = request.spec
    comm = mpi.handle(spec.library, request.comm, "create")
    prepared, out = _prepared(request, comm), ctypes.c_void_p()
    about, options = ctypes.addressof(prepared.about), prepared.options
    try:
        prepared.create(spec.model.encode(), spec.library.spec, about, prepared.shapes, ctypes.addressof(options), out)
    finally:
        prepared.free()
    several = request.owners is not None and not spec.is_list
    halo = spec.halo_class(spec, out.value, comm, prepared.layouts, several, options, request.comm)
    halo._divided = prepared.divided
    return halo


# ---- from another handle ------------------------------------------------------------------------------------------


def _successor(halo: Any, owners: Any, strides: str) -> Any:
    """Parts, shapes and what C wants of the blocks."""
    spec = halo.spec
    halo._refuse_same_blocks("create_like")
    if owners is None:
        raise errors.ArgumentError("create_like: owners needs the rank of each block, as rebalance() returns them.")
    numbers = _owners(owners, halo._divided.counts(), 0)
    parts = _parts_of(spec, halo._divided.partitions, numbers, halo.rank)
    shapes = [_shape_of(spec, part, strides, ()) for part in parts]
    about = spec.library.blocks_type(
        tiles=spec.tiles,
        partition=halo._divided.partitions,
        count=len(parts),
        owners=(ctypes.c_int * len(numbers))(*numbers),
    )
    return parts, shapes, about


def successor(halo: Any, owners: Any, strides: str) -> Any:
    """A handle of the same blocks, with other owners.  Collective; the handle is locked."""
    spec, out = halo.spec, ctypes.c_void_p()
    try:
        parts, shapes, about = _successor(halo, owners, strides)
    except Exception:
        library.fail_on_all(spec.library.hx_create_like, halo._handle, None, None, None)
        raise
    joined = _joined(shapes, spec.shape_size)
    spec.library.hx_create_like(halo._handle, ctypes.addressof(about), joined, out)
    layouts = [_layout(spec, part, shape) for part, shape in zip(parts, shapes)]
    made = spec.halo_class(spec, out.value, halo._comm, layouts, True, halo._options, halo.comm)
    made._divided = halo._divided
    if halo._boundary is not None:  # C has taken over what calls the old one's
        made._boundary = boundary.give(made, halo._boundary.function)
    return made


def wide(spec: Spec, given: Any, narrow: Any, options: Any) -> Any:
    """A handle of the blocks of another one, for more ranks.  Collective; the other one is locked."""
    lib, out = spec.library, ctypes.c_void_p()
    comm, made_options = mpi.handle(lib, given, "create_wide"), options_of(options)
    if narrow is not None and getattr(narrow, "spec", None) is not spec:
        library.fail_on_all(lib.hx_create_wide, None, None, comm, None, None)
        raise errors.ArgumentError(f"create_wide: needs a handle of this spec, or None, got {narrow!r}.")
    handle = None if narrow is None else narrow._handle
    lib.hx_create_wide(lib.spec, handle, comm, ctypes.addressof(made_options), out)
    layouts, several = ([], True) if narrow is None else (narrow._layouts, narrow.several)
    made = spec.halo_class(spec, out.value, comm, layouts, several, made_options, given)
    made._narrow = narrow
    return made
