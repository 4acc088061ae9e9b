"""From what NDSL says of its memory to specs of halogen, and to views of the arrays that they take.

NDSL tells at run time which quantities travel together.  Each is described by a QuantityHaloSpec: sizes, strides, the
names of its dimensions, and how many layers are exchanged.  A spec with the same fields is written here for each set.

A field has the axes i and j.  What else a quantity has, such as levels, are components of its points; then quantities with
levels and without, in any order of memory, share one message.  Where components cannot be, the third axis of the grid takes
their place: in vectors, and where levels lie side by side in memory with room between two columns.
"""

from __future__ import annotations

import itertools
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import numpy

from .. import build as b

CUBE, TILE = "cube", "tile"

_HORIZONTAL = {"i": 0, "i_interface": 0, "j": 1, "j_interface": 1, "x": 0, "x_interface": 0, "y": 1, "y_interface": 1}
_AXES = "ijk"


def module_of(given: Any) -> str:
    """The name of the module whose arrays a QuantityHaloSpec is about: "numpy" or "cupy"."""
    return getattr(given.numpy_module, "__name__", "")


class Like:
    """Stands for an array where create asks how one lies in memory, and reads nothing of it."""

    def __init__(self, shape: Sequence[int], strides: Sequence[int], dtype: numpy.dtype) -> None:
        self.layout = tuple(shape), tuple(strides), dtype.str

    @property
    def __array_interface__(self) -> Dict[str, Any]:
        shape, strides, typestr = self.layout
        return {"version": 3, "shape": shape, "strides": strides, "typestr": typestr, "data": (4096, False)}


class Array(NamedTuple):
    """A part of the memory of a quantity that is one field of a spec."""

    field: str
    which: int
    """0: the first list of quantities, 1: that of second components."""
    number: int
    """In its list."""
    slices: Tuple[Any, ...]
    """Of the quantity's data."""
    axes: Tuple[int, ...]
    """Dimensions of the sliced data in the order i, j, third."""
    like: Like

    def view(self, data: Any) -> Any:
        """What the field is in the data of a quantity."""
        return data[self.slices].transpose(self.axes)


class Group(NamedTuple):
    """Fields that one spec describes, and that travel together."""

    spec: b.SpecText
    arrays: Tuple[Array, ...]
    levels: Optional[int]
    """Cells of the third axis, if there is one."""


class Plan(NamedTuple):
    """How a set of quantities is exchanged."""

    groups: Tuple[Group, ...]
    cells: Tuple[int, int]
    """Of this rank, along i and j."""
    memories: Tuple[Any, ...]
    """A Memory for each quantity."""

    @property
    def texts(self) -> Tuple[Any, ...]:
        """What has to be the same on all ranks."""
        return tuple((group.spec.text, group.levels) for group in self.groups)

    @property
    def key(self) -> Tuple[Any, ...]:
        """What a handle that serves it has to be made for."""
        return self.cells, self.texts, tuple(array.like.layout for group in self.groups for array in group.arrays)


class Memory:
    """A QuantityHaloSpec, with what is asked about it here."""

    def __init__(self, given: Any, which: int, number: int, layers: Optional[int] = None) -> None:
        self.which, self.number = which, number
        self.name = f"quantity {number}" + (" of the second list" if which else "")
        self.layers = given.n_points if layers is None else layers
        self.dtype = numpy.dtype(given.dtype)
        self.on_device = module_of(given) == "cupy"
        self.dims, self.shape, self.strides = tuple(given.dims), tuple(given.shape), tuple(given.strides)
        self.origin, self.extent = tuple(given.origin), tuple(given.extent)
        self.horizontal = tuple(self._along(axis) for axis in (0, 1))
        self.staggered = tuple(self.dims[at].endswith("_interface") for at in self.horizontal)
        i, j = (self.extent[at] - half for at, half in zip(self.horizontal, self.staggered))
        self.cells = i, j
        self.others = tuple(at for at in range(len(self.dims)) if at not in self.horizontal and self.extent[at] > 1)

    def _along(self, axis: int) -> int:
        found = [at for at, dim in enumerate(self.dims) if _HORIZONTAL.get(dim) == axis]
        if len(found) != 1:
            raise ValueError(f"{self.name}: its dimensions are {', '.join(self.dims)}; needs one along {_AXES[axis]}")
        return found[0]

    @property
    def third(self) -> Optional[int]:
        """The dimension that is carried as components or as third axis: the one that is fastest in memory, or else the longest."""
        if not self.others:
            return None
        fastest = min(self.others, key=lambda at: self.strides[at])
        if self.strides[fastest] < min(self.strides[at] for at in self.horizontal):
            return fastest
        return max(self.others, key=lambda at: self.extent[at])

    def _slice(self, at: int) -> slice:
        around = self.layers if at in self.horizontal else 0
        first, end = self.origin[at] - around, self.origin[at] + self.extent[at] + around
        if first < 0 or end > self.shape[at]:
            raise IndexError(
                f"{self.name}: {around} layers around {self.extent[at]} points from {self.origin[at]} on do not fit into the "
                f"{self.shape[at]} along {self.dims[at]}"
            )
        return slice(first, end)

    def arrays(self, prefix: str) -> Iterator[Array]:
        """One for each index of the dimensions that are neither horizontal nor the third."""
        third = self.third
        kept = [*self.horizontal, *([] if third is None else [third])]
        sliced: List[Iterable[Any]] = [
            [self._slice(at)] if at in kept else range(self.origin[at], self.origin[at] + self.extent[at])
            for at in range(len(self.dims))
        ]
        order = sorted(kept)
        like = Like(
            [self.extent[at] + (2 * self.layers if at in self.horizontal else 0) for at in kept],
            [self.strides[at] for at in kept],
            self.dtype,
        )
        for count, slices in enumerate(itertools.product(*sliced)):
            name = f"{prefix}{self.number}" + (f"_{count}" if any(at != third for at in self.others) else "")
            yield Array(name, self.which, self.number, slices, tuple(order.index(at) for at in kept), like)

    def check(self, quantity: Any) -> None:
        """Refuses a quantity that does not lie in memory as the specification says."""
        for what, mine, theirs in (
            ("dimensions", self.dims, quantity.dims),
            ("shape", self.shape, quantity.data.shape),
            ("origin", self.origin, quantity.origin),
            ("extent", self.extent, quantity.extent),
            ("strides", self.strides, quantity.data.strides),
        ):
            if tuple(theirs) != mine:
                verb = "are" if what.endswith("s") else "is"
                raise ValueError(f"{self.name}: its {what} {verb} {tuple(theirs)}; the specification has {mine}")

    def fits_components(self) -> bool:
        """Can levels be components?  Those that lie side by side fill the points of a row without a gap."""
        third, row = self.third, min(self.strides[at] for at in self.horizontal)
        return third is None or self.strides[third] > row or row == self.extent[third] * self.dtype.itemsize

    def check_row(self) -> None:
        """Refuses memory without an axis along which neighbors are neighbors in memory."""
        kept = [*self.horizontal, *([] if self.third is None else [self.third])]
        if min(self.strides[at] for at in kept) != self.dtype.itemsize:
            raise ValueError(
                f"{self.name}: its strides are {self.strides} bytes for elements of {self.dtype.itemsize}; one of "
                f"{', '.join(self.dims[at] for at in kept)} has to be dense"
            )

    @property
    def levels(self) -> Optional[int]:
        """Cells along the third dimension."""
        third = self.third
        return None if third is None else self.extent[third] - (self.dims[third] == "k_interface")

    def keys(self, as_axis: bool) -> Dict[str, Any]:
        """Those of its fields."""
        third = self.third
        kept = [*self.horizontal, *([] if third is None or not as_axis else [third])]
        at = {axis: "both" for axis, half in zip("ij", self.staggered) if half}
        if as_axis and third is not None and self.dims[third] == "k_interface":
            at["k"] = "both"
        order = [axis for _, axis in sorted(zip((self.strides[at] for at in kept), _AXES))]
        keys = dict(type=self.dtype, halo={"i": self.layers, "j": self.layers}, at=at, order=order)
        if self.on_device:
            keys["memory"] = "cuda"
        if third is not None and not as_axis:
            keys["components"] = self._components(third, order)
        return keys

    def _components(self, third: int, order: Sequence[str]) -> Any:
        below = sum(self.strides[at] < self.strides[third] for at in self.horizontal)
        count = self.extent[third]
        return b.table(count, after=order[0]) if below == 1 else (count, "outermost" if below else "innermost")


def _grid(kind: str, has_third: bool) -> b.Made:
    axes = "ijk" if has_third else "ij"
    if kind == CUBE:
        return b.cubed_sphere(axes=axes, horizontal="ij", blocks="first-fastest")
    return b.cartesian(axes=axes, periodic="ij", decomposed="ij", blocks="first-fastest")


def _same_cells(memories: Sequence[Memory]) -> Tuple[int, int]:
    first = memories[0]
    for memory in memories:
        if memory.cells != first.cells:
            raise ValueError(f"{memory.name} has {memory.cells} cells along i and j, {first.name} has {first.cells}")
        memory.check_row()
    return first.cells


def scalars(kind: str, specifications: Sequence[Any]) -> Plan:
    """For quantities that do not turn."""
    memories = [Memory(given, 0, number) for number, given in enumerate(specifications) if given.n_points != 0]
    cells = _same_cells(memories)
    groups: Dict[Optional[int], List[Memory]] = {}
    for memory in memories:
        groups.setdefault(None if memory.fits_components() else memory.levels, []).append(memory)
    return Plan(
        tuple(_scalar_group(kind, members, levels) for levels, members in groups.items()), cells, tuple(memories)
    )


def _scalar_group(kind: str, members: Sequence[Memory], levels: Optional[int]) -> Group:
    grid, fields, arrays = _grid(kind, levels is not None), [], []
    for memory in members:
        for array in memory.arrays("q"):
            fields.append(b.field(array.field, on=grid, **memory.keys(levels is not None)))
            arrays.append(array)
    return Group(b.spec("ndsl_scalars", b.exchange("update", *fields)), tuple(arrays), levels)


def _pairs(
    specifications_x: Sequence[Any], specifications_y: Sequence[Any], layers: Optional[int]
) -> List[Tuple[Memory, Memory]]:
    if len(specifications_x) != len(specifications_y):
        raise ValueError(
            f"{len(specifications_x)} first components and {len(specifications_y)} second ones make no vectors"
        )
    made = []
    for number, (x, y) in enumerate(zip(specifications_x, specifications_y)):
        if layers is not None or x.n_points != 0:
            made.append((Memory(x, 0, number, layers), Memory(y, 1, number, layers)))
    return made


def vectors(
    kind: str, specifications_x: Sequence[Any], specifications_y: Sequence[Any], interfaces: bool = False
) -> Plan:
    """For pairs of quantities that are components along i and j; interfaces: for the points that blocks share, not for halos."""
    pairs = _pairs(specifications_x, specifications_y, 0 if interfaces else None)
    cells = _same_cells([memory for pair in pairs for memory in pair])
    groups: Dict[Optional[int], List[Tuple[Memory, Memory]]] = {}
    for x, y in pairs:
        if x.levels != y.levels or len(x.others) != len(y.others):
            raise ValueError(
                f"{x.name} has dimensions {', '.join(x.dims)} of {x.extent}, its second component {', '.join(y.dims)} of {y.extent}"
            )
        groups.setdefault(x.levels, []).append((x, y))
    return Plan(
        tuple(_vector_group(kind, members, levels, interfaces) for levels, members in groups.items()),
        cells,
        tuple(memory for pair in pairs for memory in pair),
    )


def _vector_group(
    kind: str, members: Sequence[Tuple[Memory, Memory]], levels: Optional[int], interfaces: bool
) -> Group:
    grid, fields = _grid(kind, levels is not None), []
    arrays: List[Array] = []
    for x, y in members:
        for pair in zip(x.arrays("x"), y.arrays("y")):
            made = [b.field(array.field, on=grid, **memory.keys(True)) for array, memory in zip(pair, (x, y))]
            b.vector(f"v{pair[0].field[1:]}", *made)
            fields += made
            arrays += pair
    exchange = b.exchange("update", *fields, only="shared") if interfaces else b.exchange("update", *fields)
    return Group(b.spec("ndsl_interfaces" if interfaces else "ndsl_vectors", exchange), tuple(arrays), levels)
