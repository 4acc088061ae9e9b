"""column: halo exchanges for the fields of column.lua.

Emitted by halogen 0.1.0 from column.lua, model c73f1a9854d268b9.  Do not edit: change the spec and generate again.
This file belongs to whoever wrote the spec.  halogen.load() imports it.  Who compiles column.c and
column_python.c into a library, linked with libhx, gives that to Spec.

Grid
    Cartesian, axes lon, lat, lev and bin; periodic along lon; walls across lat, lev and bin.
    Always 79 cells along lev; any number along other axes.
    Not decomposed along lev and bin: every block holds these axes whole.

Fields; memory: axes from the fastest to the slowest
    name  type                memory           halo along lon, lat, lev, bin (low:high)
    t     double              lev lon lat bin  3, 3, 0, 0
    qv    double              lev lon lat bin  3, 3, 0, 0
    mask  int16_t             lon lat lev bin  1:2, 1, 0, 0
    n     unsigned long long  lev lon lat bin  1, 0, 0, 0
    (t, qv, n: fixed strides, 79 elements along lon)

Exchanges
    state   mask, t, qv; box: faces across lon and lat, with the corners between them
    deep    t, qv; box: faces across lon and lat, with the corners between them
    counts  n; faces across lon

Bytes that a block with neighbors on all sides receives, its own included
    state     18 * ((n_lon + 2) * (n_lat + 2) * n_lev * n_bin - n_lon * n_lat * n_lev * n_bin)
    deep      16 * ((n_lon + 6) * (n_lat + 6) * n_lev * n_bin - n_lon * n_lat * n_lev * n_bin)
    counts    8 * (2 * n_lat * n_lev * n_bin)

Ghost points that an exchange leaves as they are
    state  beyond the walls across lat
           layer 2 above lon of mask
           layers 2 to 3 below lon of t, qv
           layers 2 to 3 above lon of t, qv
           layers 2 to 3 below lat of t, qv
           layers 2 to 3 above lat of t, qv
    deep   beyond the walls across lat
    and every field that an exchange does not name.  These points are yours: they keep what you wrote.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import halogen

if TYPE_CHECKING:
    import numpy


class Arrays(halogen.Arrays):
    """The arrays of this rank, one for each field; of a rank with several blocks a list of arrays, one for each block.

    Indices follow the axes lon, lat, lev, bin, then comes the component.  Index 0 is the first ghost point.
    """

    __slots__ = ()
    if TYPE_CHECKING:
        t: numpy.ndarray
        """double, line 9 of the spec: halo along lon, lat, lev, bin: 3, 3, 0, 0."""
        qv: numpy.ndarray
        """double, line 9 of the spec: halo along lon, lat, lev, bin: 3, 3, 0, 0."""
        mask: numpy.ndarray
        """int16_t, line 10 of the spec: halo along lon, lat, lev, bin: 1:2, 1, 0, 0."""
        n: numpy.ndarray
        """unsigned long long, line 11 of the spec: halo along lon, lat, lev, bin: 1, 0, 0, 0."""


class Exchange_state(halogen.Exchange):
    """state, line 13 of the spec.

    mask, t, qv: 1, 1, 0, 0 layers along lon, lat, lev, bin
    box: faces across lon and lat, with the corners between them.
    """

    __slots__ = ()
    names = ("mask", "t", "qv")
    fills = ()
    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __call__(self, arrays: Arrays, /, *, stream: Any = None) -> halogen.Done: ...
        @overload
        def __call__(self, mask: Any, t: Any, qv: Any, *, stream: Any = None) -> halogen.Done: ...
        def __call__(self, *arrays: Any, **named: Any) -> halogen.Done: ...
        @overload  # type: ignore[override]
        def start(self, arrays: Arrays, /, *, stream: Any = None) -> halogen.Pending: ...
        @overload
        def start(self, mask: Any, t: Any, qv: Any, *, stream: Any = None) -> halogen.Pending: ...
        def start(self, *arrays: Any, **named: Any) -> halogen.Pending: ...


class Exchange_deep(halogen.Exchange):
    """deep, line 14 of the spec.

    t, qv: 3, 3, 0, 0 layers along lon, lat, lev, bin
    box: faces across lon and lat, with the corners between them.
    """

    __slots__ = ()
    names = ("t", "qv")
    fills = ()
    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __call__(self, arrays: Arrays, /, *, stream: Any = None) -> halogen.Done: ...
        @overload
        def __call__(self, t: Any, qv: Any, *, stream: Any = None) -> halogen.Done: ...
        def __call__(self, *arrays: Any, **named: Any) -> halogen.Done: ...
        @overload  # type: ignore[override]
        def start(self, arrays: Arrays, /, *, stream: Any = None) -> halogen.Pending: ...
        @overload
        def start(self, t: Any, qv: Any, *, stream: Any = None) -> halogen.Pending: ...
        def start(self, *arrays: Any, **named: Any) -> halogen.Pending: ...


class Exchange_counts(halogen.Exchange):
    """counts, line 15 of the spec.

    n: 1, 0, 0, 0 layers along lon, lat, lev, bin
    faces across lon.
    """

    __slots__ = ()
    names = ("n",)
    fills = ()
    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __call__(self, arrays: Arrays, /, *, stream: Any = None) -> halogen.Done: ...
        @overload
        def __call__(self, n: Any, *, stream: Any = None) -> halogen.Done: ...
        def __call__(self, *arrays: Any, **named: Any) -> halogen.Done: ...
        @overload  # type: ignore[override]
        def start(self, arrays: Arrays, /, *, stream: Any = None) -> halogen.Pending: ...
        @overload
        def start(self, n: Any, *, stream: Any = None) -> halogen.Pending: ...
        def start(self, *arrays: Any, **named: Any) -> halogen.Pending: ...


class Halo(halogen.Halo):
    """A handle of column: all its exchanges on the blocks of this rank.  Spec.create makes one."""

    if TYPE_CHECKING:
        state: Exchange_state
        deep: Exchange_deep
        counts: Exchange_counts

        def alloc(self) -> Arrays: ...
        def empty(self) -> Arrays: ...
        def arrays(self, *arrays: Any, **named: Any) -> Arrays: ...
        def create_like(self, *arguments: Any, **named: Any) -> Halo: ...


class Spec(halogen.Spec):
    """The spec column, as a library of column.c and column_python.c has it."""

    name = "column"
    model = "c73f1a9854d268b9_23"
    halo_class = Halo
    arrays_class = Arrays
    with_components = ()
    exchange_classes = (
        Exchange_state,
        Exchange_deep,
        Exchange_counts,
    )
    if TYPE_CHECKING:

        def create(self, *arguments: Any, **options: Any) -> Halo: ...
        def create_wide(self, *arguments: Any, **options: Any) -> Halo: ...
