"""A spec as Python sees it: its grid, fields and exchanges, and what makes handles of it."""

from __future__ import annotations

import ctypes
import operator
import os
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Type

import numpy

from . import errors, library, mpi, ocean
from .observe import Observer

# Types of elements whose name in C is not that of NumPy.
_DTYPES = {
    "bool": "?",
    "char": "b",
    "signed char": "b",
    "unsigned char": "B",
    "short": "short",
    "unsigned short": "ushort",
    "int": "intc",
    "unsigned": "uintc",
    "unsigned int": "uintc",
    "long": "long",
    "unsigned long": "ulong",
    "long long": "longlong",
    "unsigned long long": "ulonglong",
    "intptr_t": "intp",
    "uintptr_t": "uintp",
    "intmax_t": "int64",
    "uintmax_t": "uint64",
    "size_t": "uintp",
    "ptrdiff_t": "intp",
    "hx_half": "float16",
    "float": "float32",
    "double": "float64",
    "long double": "longdouble",
    "hx_complex64": "complex64",
    "hx_complex128": "complex128",
}


def _dtype_of(name: str, size: int) -> numpy.dtype:
    """The dtype of a type of C; of a struct so many bytes."""
    if name not in _DTYPES and name.endswith("_t") and hasattr(numpy, name[:-2]):
        found = numpy.dtype(name[:-2])
    else:
        found = numpy.dtype(_DTYPES.get(name, f"V{size}"))
    return found if found.itemsize == size else numpy.dtype(f"V{size}")


class Field(NamedTuple):
    """A field of a spec."""

    number: int
    name: str
    type: str
    """Of an element, as in C: "double", "int32_t", "particle"."""
    dtype: numpy.dtype
    """Of an element.  A struct of C is so many bytes, "V16": give arrays of any dtype of that size."""
    line: int
    """Of the spec."""
    components: int
    """Of a point; 1 without."""
    has_components: bool
    components_after: int
    """Axes that are faster in memory than the components; 0: components lie side by side."""
    order: Tuple[int, ...]
    """Axes by number, the fastest in memory first."""
    halo_lo: Tuple[int, ...]
    """Layers allocated below the block, by axes."""
    halo_hi: Tuple[int, ...]
    extra: Tuple[int, ...]
    """Points more than cells, by axes: 1 where a field has both faces of each cell."""
    at: Tuple[str, ...]
    """Where points lie in their cells, by axes: "center", "low", "high" or "both"."""
    on_device: bool
    behind: bool
    """Its ghost points lie behind the owned ones in memory."""


class Carried(NamedTuple):
    """A field as an exchange carries it."""

    field: str
    width_lo: Tuple[int, ...]
    """Layers that are filled below the block, by axes."""
    width_hi: Tuple[int, ...]


class ExchangeFacts(NamedTuple):
    """An exchange of a spec."""

    number: int
    name: str
    line: int
    op: str
    """"copy", "add", "min", "max"; of shared points "mean" and "sum", too."""
    fields: Tuple[Carried, ...]
    """In the order in which they lie in messages."""
    directions: Tuple[Tuple[int, ...], ...]
    """In which ghost points are filled, seen from a block: -1 below it, 0 beside it, 1 above it."""
    on_device: bool


class CycleFacts(NamedTuple):
    """A cycle of a spec."""

    number: int
    name: str
    line: int
    exchange: str
    """That goes before it, when it must."""
    most: int
    """Cycles that one exchange can serve."""
    steps: Tuple[str, ...]
    """Names, in their order."""


class Block(NamedTuple):
    """The cells of one block of a rank."""

    tile: int
    part: Tuple[int, ...]
    """Which part of the tile it is, by axes."""
    first: Tuple[int, ...]
    """Its first cell, counted in the tile, by axes."""
    n: Tuple[int, ...]
    """Its cells, by axes."""


_PLACES = ("center", "low", "high", "both")


def _field(facts: library.FieldFacts, number: int, axes: int) -> Field:
    name = facts.type.decode()
    return Field(
        number=number,
        name=facts.name.decode(),
        type=name,
        dtype=_dtype_of(name, facts.bytes),
        line=facts.line,
        components=facts.components,
        has_components=False,
        components_after=facts.components_after,
        order=tuple(facts.order[:axes]),
        halo_lo=tuple(facts.halo_lo[:axes]),
        halo_hi=tuple(facts.halo_hi[:axes]),
        extra=tuple(int(at == 3) for at in facts.at[:axes]),
        at=tuple(_PLACES[at] for at in facts.at[:axes]),
        on_device=bool(facts.on_device),
        behind=bool(facts.behind),
    )


def _exchange(lib: library.Library, number: int, axes: int, fields: Sequence[Field]) -> ExchangeFacts:
    facts = library.ExchangeFacts()
    lib.hx_exchange_query(lib.spec, number, facts)
    carried = []
    for at in range(facts.fields):
        item = library.CarriedFacts()
        lib.hx_carried_query(lib.spec, number, at, item)
        carried.append((item.field, tuple(item.width_lo[:axes]), tuple(item.width_hi[:axes])))
    return ExchangeFacts(
        number=number,
        name=facts.name.decode(),
        line=facts.line,
        op=facts.op.decode(),
        fields=tuple(Carried(fields[f].name, lo, hi) for f, lo, hi in carried),
        directions=tuple(tuple(facts.direction[d][:axes]) for d in range(facts.directions)),
        on_device=bool(facts.on_device),
    )


class Partition:
    """How the cells of a grid are divided among ranks.

    Attributes:
        cells, ranks: of the tile, by axes; 0 in `ranks`: libhx chooses.
    """

    def __init__(self, lib: library.Library, request: library.Partition, cuts: Any, axes: int) -> None:
        self._library = lib
        self.request = request
        self._cuts = cuts  # the request points into it
        self.cells = tuple(request.cells[:axes])
        self.ranks = tuple(request.ranks[:axes])

    def explain(self, ranks: int) -> str:
        """Why libhx divides the grid among so many ranks as it does: a table of the best candidates.  Local."""
        ranks = library.whole(ranks, "ranks", 1)
        size = self._library.hx_explain_partition(ranks, self.request, None, 0) + 1
        text = ctypes.create_string_buffer(size)
        self._library.hx_explain_partition(ranks, self.request, text, size)
        return text.value.decode()

    def block(self, rank: int, ranks: int) -> Block:
        """The block that one of so many ranks has.  Local, and needs no MPI.  Raises PartitionError."""
        part = library.Part()
        rank, ranks = library.whole(rank, "rank", -library.MOST_INT), library.whole(ranks, "ranks")
        self._library.hx_decompose_as(rank, ranks, self.request, part)
        return block_of(part, len(self.cells))


def block_of(part: library.Part, axes: int) -> Block:
    """A part of C in Python's types."""
    return Block(part.tile, tuple(part.index[:axes]), tuple(part.first[:axes]), tuple(part.n[:axes]))


def _numbers(values: Any, least: int, most: int) -> Optional[List[int]]:
    try:
        numbers = [operator.index(value) for value in values]
    except TypeError:
        return None
    return numbers if all(least <= number <= most for number in numbers) else None


class Spec:
    """A spec, compiled: what halogen.load returns.

    Attributes:
        name, file: of the spec.
        hash: of what it means, as 16 hexadecimal digits.
        axes: names, in the order of all indices and lists.
        periodic: whether it is, by axes.
        fixed_cells: cells that the spec fixes, by axes; 0: any number.
        tiles: of the grid; 1 of a Cartesian one.
        is_list: whether the grid is a list of points, which no box describes.
        fields: Field by name, in the order of the spec.
        exchanges: ExchangeFacts by name, in the order of the spec.
        cycles: CycleFacts by name, likewise.
        path: of the shared library.
    """

    name = ""
    model = ""
    halo_class: Type[Any]
    arrays_class: Type[Any]
    exchange_classes: Tuple[Type[Any], ...] = ()
    cycle_classes: Tuple[Type[Any], ...] = ()
    with_components: Tuple[str, ...] = ()

    def __init__(self, path: Any) -> None:
        """path: of a shared library of NAME.c and NAME_python.c, linked with libhx."""
        self.path = os.fspath(path)
        self.library = lib = library.Library(self.path, self.name)
        mpi.compare(lib)
        facts = library.SpecFacts()
        lib.hx_spec_query(lib.spec, facts)
        self.hash = f"{facts.hash:016x}"
        self._compare_model()
        count = facts.axes
        self.file = facts.file.decode()
        self.axes = tuple(name.decode() for name in facts.axis[:count])
        self.periodic = tuple(map(bool, facts.periodic[:count]))
        self.fixed_cells = tuple(facts.cells[:count])
        self.tiles = facts.tiles
        self.is_list = bool(facts.list)
        self.shape_size = facts.shape_size
        self._read_fields(facts.fields, count)
        exchanges = [_exchange(lib, e, count, self._fields) for e in range(facts.exchanges)]
        self.exchanges: Dict[str, ExchangeFacts] = {exchange.name: exchange for exchange in exchanges}
        self.cycles: Dict[str, CycleFacts] = {kind.facts.name: kind.facts for kind in self.cycle_classes}

    def _compare_model(self) -> None:
        if self.model.partition("_")[0] != self.hash:
            raise errors.MismatchError(
                f"{self.path} has model {self.hash} of {self.name}, and {self.name}.py is for model "
                f"{self.model.partition('_')[0]}: generate and compile all of them again."
            )

    def _read_fields(self, count: int, axes: int) -> None:
        self._fields = []
        for number in range(count):
            facts = library.FieldFacts()
            self.library.hx_field_query(self.library.spec, number, facts)
            field = _field(facts, number, axes)
            self._fields.append(field._replace(has_components=field.name in self.with_components))
        self.fields: Dict[str, Field] = {field.name: field for field in self._fields}

    def place(self, line: int) -> str:
        """A line of the spec, for sentences: "channel.lua:4", or that of Python where it was written there."""
        return self.library.in_its_lines(f"{self.file}:{line}")

    def __repr__(self) -> str:
        return f"<halogen spec {self.name}: {', '.join(self.fields)}; {', '.join(self.exchanges)}>"

    @property
    def header(self) -> str:
        """The manual of what was made: the text of NAME.h beside the library.  Raises OSError if it is not there."""
        with open(os.path.join(os.path.dirname(self.path), self.name + ".h"), encoding="utf-8") as file:
            return file.read()

    # ---- partitions ----

    def _cells(self, cells: Any) -> ctypes.Array:
        numbers = _numbers(cells, 1, library.MOST_CELLS) if cells is not None and not isinstance(cells, str) else None
        if numbers is None or len(numbers) != len(self.axes):
            raise errors.ArgumentError(
                f"cells: needs {len(self.axes)} whole number{'s' if len(self.axes) > 1 else ''} from 1 to "
                f"{library.MOST_CELLS} for {', '.join(self.axes)}, got {cells!r}."
            )
        return (ctypes.c_int * len(numbers))(*numbers)

    def _cuts(self, cuts: Any, ranks: Any) -> Any:
        """Arrays of C for cuts by axes, None where an axis has none."""
        if not isinstance(cuts, (list, tuple)) or len(cuts) != len(self.axes):
            raise errors.ArgumentError(
                f"cuts: needs a list or None for each of {', '.join(self.axes)}, got {cuts!r}."
            )
        out = []
        for axis, along in enumerate(cuts):
            numbers = None if along is None else _numbers(along, 0, library.MOST_CELLS)
            if along is not None and (numbers is None or len(numbers) < 2):
                raise errors.ArgumentError(
                    f"cuts: along {self.axes[axis]} it needs rising whole numbers from 0 to the cells, got {along!r}."
                )
            if numbers is not None and ranks is not None and ranks[axis] not in (0, len(numbers) - 1):
                raise errors.PartitionError(
                    f"cuts: {len(numbers)} numbers along {self.axes[axis]} make {len(numbers) - 1} parts, and ranks has "
                    f"{ranks[axis]}."
                )
            out.append(None if numbers is None else (ctypes.c_int * len(numbers))(*numbers))
        return out

    def partition(self, cells: Any, *, ranks: Any = None, cuts: Any = None) -> Partition:
        """How a tile of the grid is divided.  Local, and needs no MPI.

        Args:
            cells: of the tile, by axes; those that the spec fixes, too.
            ranks: parts along each axis; 0 or None: libhx chooses.
            cuts: for each axis the cells at which parts begin, from 0 to the number of cells, or None: even parts.

        Raises:
            ArgumentError, PartitionError.
        """
        request = library.Partition()
        self.library.hx_spec_partition(self.library.spec, self._cells(cells), request)
        numbers = None
        if ranks is not None:
            numbers = _numbers(ranks, 0, library.MOST_CELLS)
            if numbers is None or len(numbers) != len(self.axes):
                raise errors.ArgumentError(
                    f"ranks: needs {len(self.axes)} whole numbers for {', '.join(self.axes)}, 0 where libhx is to "
                    f"choose, got {ranks!r}."
                )
            request.ranks[: len(numbers)] = numbers
        made = None if cuts is None else self._cuts(cuts, numbers)
        for axis, along in enumerate(made or ()):
            if along is not None:
                request.cuts[axis] = along
                request.ranks[axis] = len(along) - 1
        return Partition(self.library, request, made, len(self.axes))

    def choose_mask(self, size: int, cells: Any, wet: Any, *, ranks: Any = None) -> ocean.Map:
        """Blocks of an ocean, and the ranks that own them.  Local; with equal arguments all ranks get the same.

        Args:
            size: how many ranks.
            cells: of the grid, by axes.
            wet: an array of bools, or of bytes that say how much work is there; 0 is land.  It has the axes that are cut.
            ranks: blocks along each axis; 0: libhx chooses, 1: the axis is not cut.  None: all are chosen.

        Raises:
            ArgumentError, PartitionError.
        """
        return ocean.choose(self, size, cells, wet, ranks)

    def read_map(self, path: Any) -> ocean.Map:
        """Reads a file that Map.write(), or hx_map_write in C, has written.  Local."""
        return ocean.read(self, path)

    # ---- handles ----

    def observe(self, function: Any, *kinds: str) -> Observer:
        """Has a function told what exchanges do, of all handles of this process that are created from now on.  Local.

        Args:
            function: called with a halogen.Event, on the thread that is in libhx.  It may use no handle, and no MPI.
                An exchange waits for it, some microseconds each time.
            kinds: those that it wants, as "finished"; none: all.  What nobody wants takes no time.

        Returns:
            An Observer, for a `with`, or for close().
        """
        if not callable(function):
            raise errors.ArgumentError(f"observe: needs a function, got {type(function).__name__}.")
        return Observer(self.library, function, kinds)

    def create(
        self,
        comm: Any,
        cells: Any,
        *,
        ranks: Any = None,
        cuts: Any = None,
        owners: Any = None,
        lists: Any = None,
        like: Any = None,
        strides: str = "best",
        cart: bool = False,
        **options: Any,
    ) -> Any:
        """Makes a handle: all exchanges of the spec on the blocks of this rank.  Collective over comm.

        Args:
            comm: a communicator of mpi4py, or an int that is Fortran's handle of one.  It is duplicated.
            cells: of the grid, by axes; of a grid with several tiles those of each tile, or one such list for each.
                Of a list of points: how many this rank has, and with two axes the cells of the other.
            ranks, cuts: as for partition(); of several tiles as many as `cells`.
            owners: for several blocks a rank: the rank of each block, or -1 for none, tile after tile, the last axis
                fastest (or the first, if the spec has blocks = "first-fastest"); a list, or a function of tile and block.  `ranks` then
                are blocks along each axis.  Arrays are then lists, with one for each block of this rank, in that order.
            lists: of a list of points: halogen.Ids, or a dict of ranks and pairs of lists: points that this rank sends
                to it, and points that it receives.
            like: arrays by field, whose strides this handle's arrays are to have; a dict, or Arrays of another handle.
            strides: of fields that are not in `like`: "best", or "dense", without padding.
            cart: comm is a Cartesian communicator, with a dimension for each axis, and `cells` are those of this rank.
            **options: those of hx_options, by name: transport="p2p", deadline=60.0, check=True, ...  None: not given.
                pool: a halogen.Pool, from which buffers come.

        Returns:
            A Halo.

        Raises:
            ArgumentError, PartitionError, MismatchError, StateError, AllocationError, DeadlineError.  Either all ranks
            raise or none.  Where one rank alone refuses what it was given, the others name it and a null pointer.
        """
        from . import create

        request = create.Request(self, comm, cells, ranks, cuts, owners, lists, like, strides, bool(cart), options)
        return create.handle(request)

    def create_wide(self, comm: Any, halo: Any, **options: Any) -> Any:
        """Makes a handle of the blocks of another one, for more ranks.  Collective over comm.

        Two such handles, of two groups of ranks, are what Halo.redistribute() takes.  Arrays of `halo` serve both.

        Args:
            comm: a communicator that has all ranks of the other handle, and others.
            halo: that handle; None on ranks that are not in it.
            **options: as for create().
        """
        from . import create

        if getattr(halo, "spec", None) is not self:
            return create.wide(self, comm, halo, options)
        halo._enter("create_wide")
        try:
            return create.wide(self, comm, halo, options)
        finally:
            halo._lock.release()


def names_in_words(names: Iterable[str]) -> str:
    """"u, v and w"."""
    words = list(names)
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]
