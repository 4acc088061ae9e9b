"""Handles: all exchanges of a spec on the blocks of this rank, and the arrays that they have."""

from __future__ import annotations

import ctypes
import gc
import os
import threading
import weakref
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from . import arrays as sets
from . import boundary, device, errors, exchange, files, library, moving, mpi
from .spec import Block, block_of


class Traffic(NamedTuple):
    """What one exchange has moved since create, on this rank; seconds are 0 unless the option timing is set."""

    exchanges: int
    peers: int
    messages: int
    phases: int
    bytes_sent: int
    bytes_copied: int
    pack_seconds: float
    wait_seconds: float
    unpack_seconds: float


class Halo:
    """A handle: all exchanges of a spec on the blocks of this rank.  Spec.create makes it.

    Each exchange is an attribute: `halo.velocity(f)`.  In a `with`, close() is called on leaving, but not where the body
    raises: other ranks might not come.

    One thread at a time uses a handle; a second one is refused, not delayed.  Calls that wait let other threads of Python
    run; Ctrl-C is seen when they return.  A child of fork cannot use it.

    Attributes:
        spec: its Spec.
        comm: the communicator that create was given.
        rank: of this process in it.
        blocks: Block by block, what this rank owns.
        several: whether create was given owners, so that arrays come in lists.
    """

    def __init__(
        self, spec: Any, handle: int, comm: Any, layouts: List[Any], several: bool, options: Any, given: Any
    ) -> None:
        self.spec = spec
        self.comm = given
        self.several = several
        self.blocks: Tuple[Block, ...] = tuple(block_of(layout.part, len(spec.axes)) for layout in layouts)
        self._handle: Optional[int] = handle
        self._layouts = layouts
        self._options = options  # what it keeps is used until the end
        self._process = exchange.process
        self._lock = threading.Lock()
        self._pending: Dict[str, exchange.Pending] = {}
        self._packed: Dict[Tuple[str, str], Any] = {}
        self._kept: List[Any] = []
        self._raised: Optional[BaseException] = None
        self._boundary: Any = None
        self._sets: Any = weakref.WeakSet()
        self._memory: Any = weakref.WeakSet()
        self._divided: Any = None
        self._narrow: Any = None
        self._set_class = spec.arrays_class
        sets.add_fields(spec.arrays_class, tuple(spec.fields))
        rank = ctypes.c_int()
        spec.library.MPI_Comm_rank(comm, rank)
        self.rank = rank.value
        self._comm = spec.library.comm_type()
        spec.library.MPI_Comm_dup(comm, ctypes.addressof(self._comm))
        for kind, facts in zip(spec.exchange_classes, spec.exchanges.values()):
            setattr(self, facts.name, kind(self, facts))
        for kind in spec.cycle_classes:
            setattr(self, kind.facts.name, kind(self))

    def __repr__(self) -> str:
        return f"<halogen handle of {self.spec.name}, {'open' if self.is_open else 'closed'}>"

    def __enter__(self) -> "Halo":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            self.close()

    # ---- what may be called ----

    def _refuse(self, call: str) -> None:
        if self._process == 0:
            raise errors.StateError("the handle is closed.")
        raise errors.StateError(f"this handle belongs to process {self._process}; a fork cannot use it.")

    def _refuse_thread(self) -> None:
        if self._boundary is not None and self._boundary.thread == threading.get_ident():
            raise errors.StateError("the boundary function cannot use the handle that called it.")
        raise errors.StateError("another thread is in this handle.")

    def _enter(self, call: str) -> None:
        """Takes the lock, or says why the handle cannot be used."""
        if self._process != exchange.process:
            self._refuse(call)
        if not self._lock.acquire(False):
            self._refuse_thread()

    def _raise_from_boundary(self) -> None:
        if self._raised is not None:
            error, self._raised = self._raised, None
            raise error

    @property
    def is_open(self) -> bool:
        """Whether it can be used: close() was not called."""
        return self._process != 0

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._process == 0

    # ---- what it is ----

    def _only(self) -> Block:
        if len(self.blocks) != 1:
            raise errors.ArgumentError(f"this rank has {len(self.blocks)} blocks: look into halo.blocks.")
        return self.blocks[0]

    @property
    def n(self) -> Tuple[int, ...]:
        """Cells of the only block of this rank, by axes."""
        return self._only().n

    @property
    def first(self) -> Tuple[int, ...]:
        """The first cell of the only block of this rank, counted in the grid, by axes."""
        return self._only().first

    @property
    def cells(self) -> Tuple[int, ...]:
        """Of the tile that the only block of this rank lies in, by axes; of a list of points those of this rank."""
        part = self._layouts[self.blocks.index(self._only())].part
        whole = part.n if self.spec.is_list else part.partition.cells
        return tuple(whole[: len(self.spec.axes)])

    @property
    def address(self) -> int:
        """Of the hx_handle, for calls by ctypes."""
        if self._handle is None:
            raise errors.StateError("the handle is closed.")
        return self._handle

    def describe(self) -> str:
        """What is really used, peer by peer, in words.  Local."""
        self._enter("describe")
        try:
            return self.spec.library.hx_describe(self._handle).decode("utf-8", "replace")
        finally:
            self._lock.release()

    def describe_json(self) -> str:
        """The same as JSON, with all messages: for json.loads.  Local."""
        self._enter("describe")
        try:
            text = self.spec.library.hx_describe_json(self._handle)
            if text is None:
                raise self.spec.library.error(self.spec.library.hx_last_status())
            return text.decode()
        finally:
            self._lock.release()

    def stats(self, file: Any = None) -> None:
        """Writes what the variable HX_STATS has counted so far, from rank 0.  Collective.

        Args:
            file: a path, for JSON; None: a table, on standard error.

        Raises:
            StateError: HX_STATS was not set when the handle was created.
        """
        self._enter("stats")
        try:
            self.spec.library.hx_stats(self._handle, None if file is None else os.fsencode(file))
        finally:
            self._lock.release()

    def traffic(self, name: str) -> Traffic:
        """What one exchange has moved since create.  Local."""
        facts = self.spec.exchanges.get(name)
        if facts is None:
            has = ", ".join(self.spec.exchanges)
            raise errors.ArgumentError(f"{self.spec.name} has no exchange {name}; it has {has}.")
        self._enter("traffic")
        try:
            out = library.Traffic()
            self.spec.library.hx_traffic_of(self._handle, facts.number, out)
        finally:
            self._lock.release()
        return Traffic(*(getattr(out, name) for name in Traffic._fields))

    # ---- files ----

    def file_passes(self, name: str) -> int:
        """In how many passes a field is read from a file; it is written in pass 0.  Local."""
        return int(self.spec.library.hx_file_passes(self.spec.library.spec, self._field(name).number))

    def extents(self, name: str, number: int = 0) -> Tuple[Tuple[files.Extent, ...], ...]:
        """Where the points of a field lie in an array of the whole grid, block by block.  Local.

        Args:
            name: of the field.
            number: of the pass; -1: all points of a block, to read one block at a time.

        Returns:
            For each block a tuple of files.Extent: of one as a rule, of none where it has nothing in this pass, of several beside
            blocks without an owner.
        """
        field = self._field(name)
        self._enter("extents")
        try:
            return files.extents(self, field, number)
        finally:
            self._lock.release()

    def memory_type(self, arrays: Any, name: str, number: int = 0) -> Any:
        """A datatype of mpi4py for the points of a field in arrays, from MPI.BOTTOM on.  Local.

        It is committed, and yours to free.  It serves as long as the arrays live.

        Args:
            arrays: a set of this handle.
            name: of the field.
            number: of the pass.
        """
        field = self._field(name)
        if getattr(arrays, "_halo", None) is not self:
            raise errors.ArgumentError("memory_type needs arrays of this handle: halo.alloc(), empty() or arrays().")
        self._enter("memory_type")
        try:
            return files.memory_type(self, arrays, field, number)
        finally:
            self._lock.release()

    def file_type(self, name: str, number: int = 0) -> Any:
        """A datatype of mpi4py for the places of these points in a file: the filetype of Set_view.  Local."""
        field = self._field(name)
        self._enter("file_type")
        try:
            return files.file_type(self, field, number)
        finally:
            self._lock.release()

    # ---- to other blocks, and to arrays of the whole grid ----

    def redistribute(
        self,
        arrays: Any,
        target: "Halo",
        into: Any,
        names: Optional[Sequence[str]] = None,
        stream: Any = None,
        halos: bool = False,
        ids: Any = None,
    ) -> None:
        """Moves fields from the blocks of this handle to those of another one.  Collective.

        Args:
            arrays: a set of this handle.  None where this rank has no block; so is `into`.
            target: a handle of the same spec, grid and ranks.
            into: a set of that handle: its owned points are written.
            names: of fields; None: all that both sets have.
            stream: for fields in the memory of a device: they are moved behind what it was given before.
            halos: whether ghost points move, too; see the page on redistribution.
            ids: of lists of points, which need it: two halogen.Ids, of the points of this handle and of the target's.
        """
        if not isinstance(target, Halo) or target is self:
            raise errors.ArgumentError(f"redistribute: needs another handle, got {target!r}.")
        self._enter("redistribute")
        try:
            target._enter("redistribute")
            try:
                moving.redistribute(self, arrays, target, into, moving.How(names, stream, halos, ids))
            finally:
                target._lock.release()
        finally:
            self._lock.release()

    def gather(self, arrays: Any, name: str, whole: Any = None, root: int = 0) -> None:
        """A field of all ranks to arrays of the whole grid on one of them.  Collective.

        Args:
            arrays: a set of this handle.
            name: of the field.
            whole: on the root: an array of NumPy with the owned points of the grid, along the axes of the spec, then the
                components, in any order in memory, but components side by side where the field has them so; of a grid with
                several tiles a list of one for each.  None elsewhere.
            root: the rank that gets it.
        """
        self._move_whole("gather", arrays, name, whole, root)

    def scatter(self, arrays: Any, name: str, whole: Any = None, root: int = 0) -> None:
        """The way back: from arrays of the whole grid on one rank to all.  Collective; see gather."""
        self._move_whole("scatter", arrays, name, whole, root)

    def gather_selected(self, arrays: Any, *wanted: Any) -> None:
        """Points that each rank selects, to arrays of its own.  Collective: a rank that wants none gives none.

        Args:
            arrays: a set of this handle.
            wanted: (name, slices, array) each, with a slice or an index for each axis of the spec, as
                ("u", numpy.s_[:, :, ::4], levels); on a grid with several tiles the tile behind them.  Owned points count from 0.
                The array is what a gather of these points gets; axes with an index are missing in it.
        """
        self._move_selected("gather_selected", arrays, wanted)

    def scatter_selected(self, arrays: Any, *given: Any) -> None:
        """The way back; no point is given twice.  Collective; see gather_selected."""
        self._move_selected("scatter_selected", arrays, given)

    def _move_selected(self, call: str, arrays: Any, given: Any) -> None:
        self._enter(call)
        try:
            moving.move_selected(self, call, arrays, given)
        finally:
            self._lock.release()

    def _move_whole(self, call: str, arrays: Any, name: str, whole: Any, root: int) -> None:
        self._enter(call)
        try:
            moving.move_whole(self, call, arrays, name, whole, root)
        finally:
            self._lock.release()

    # ---- blocks that move ----

    def _refuse_same_blocks(self, call: str) -> None:
        """Of a list of points, and of a wide handle, nobody here knows how it is divided."""
        if self._divided is None:
            why = "is a list of points" if self.spec.is_list else "has a wide handle here; call the one that it was made of"
            raise errors.ArgumentError(f"{call}: {self.spec.name} {why}.")

    def rebalance(self, work: Sequence[float]) -> Tuple[Tuple[int, ...], int]:
        """Says which blocks should move, so that ranks have as much work as each other, and moves none.  Collective.

        Args:
            work: of each block of this rank: 0 or more, in any unit, such as seconds.

        Returns:
            The rank of each block of the grid, for create_like(), and how many blocks have another rank than now.
        """
        self._enter("rebalance")
        try:
            return moving.rebalance(self, work)
        finally:
            self._lock.release()

    def create_like(self, owners: Any, strides: str = "best") -> Any:
        """Makes a handle of the same blocks, which have other owners.  Collective.

        It has the options of this one, what create measured, and the function of set_boundary().  Fields get there by
        redistribute().  Both handles work until you close them.

        Args:
            owners: the rank of each block, as for Spec.create().
            strides: "best", or "dense".

        Returns:
            A Halo, whose arrays are lists with one for each block of this rank.
        """
        from . import create

        self._enter("create_like")
        try:
            return create.successor(self, owners, strides)
        finally:
            self._lock.release()

    # ---- arrays ----

    def alloc(self) -> Any:
        """Arrays for all fields, of zeros, where exchanges are fast.  Collective.

        They keep the handle, and memory stays as long as anything looks into it.  Not behind MPI_Finalize: who reads them
        then crashes.  Strides may be padded, so use empty() for more of the same kind, and no numpy.zeros_like.

        Raises:
            AllocationError: on all ranks.
        """
        self._enter("alloc")
        try:
            return sets.allocated(self)
        finally:
            self._lock.release()

    def empty(self) -> Any:
        """Arrays of NumPy for all fields of the host, of zeros, with the strides of this handle.  Local."""
        self._enter("empty")
        self._lock.release()
        return sets.empty(self)

    def arrays(self, *positional: Any, **named: Any) -> Any:
        """Checks arrays of yours once, and makes a set of them for exchanges.  Local; nothing is copied.

        Args:
            positional, named: arrays of fields, in the order of the spec or by name, with all ghost points; fields may be
                missing.  Where create was given owners, lists with one for each block.  On a device anything with
                __cuda_array_interface__ or __dlpack__.

        Raises:
            ArgumentError: which field does not fit, and what it would need.
        """
        self._enter("arrays")
        self._lock.release()
        return sets.bound(self, exchange.by_field(self.spec.name, tuple(self.spec.fields), positional, named, self, False))

    def _free(self, arrays: Any) -> None:
        """The set forgets its arrays; whether others look into them is asked on all ranks."""
        lists = arrays._lists()
        self._enter("free")
        try:
            watched = [weakref.ref(memory) for blocks in lists.values() for memory in map(_memory_of, blocks) if memory]
            address = arrays._address
            arrays._forget()
            del lists
            if any(reference() is not None for reference in watched):
                gc.collect()
            if not self.spec.library.all(self._comm, all(reference() is None for reference in watched)):
                arrays._look_again()
                raise errors.StateError("free: on some rank something looks into these arrays; drop its views first.")
            self.spec.library.hx_free(self._handle, address)
        finally:
            self._lock.release()

    def points(self, field: str, block: int = 0) -> int:
        """Elements of an array of a field, with ghost points, components and padding.  Local."""
        return self._layout(block).wanted[self._field(field).number].elements

    def _layout(self, block: int) -> Any:
        if not self._layouts:
            raise errors.ArgumentError("block: this rank has none.")
        return self._layouts[library.whole(block, "block", 0, len(self._layouts) - 1)]

    def _field(self, name: str) -> Any:
        found = self.spec.fields.get(name)
        if found is None:
            raise errors.ArgumentError(f"{self.spec.name} has no field {name}; it has {', '.join(self.spec.fields)}.")
        return found

    def plane(self, field: str, axis: int, side: int, block: int = 0) -> int:
        """Where the ghost points across a side of a block begin, of a field that has them behind the owned points.

        Returns:
            Elements from the start of the array; -1: there are none.
        """
        number, lib = self._field(field).number, self.spec.library
        axis, side = library.whole(axis, "axis", 0, len(self.spec.axes) - 1), library.whole(side, "side", 0, 1)
        return lib.hx_plane(lib.spec, ctypes.addressof(self._layout(block).shape), number, axis, side)

    def register(self, window: Any) -> None:
        """Lets other ranks of the node write straight into arrays that lie in a window.  Collective.

        Args:
            window: a halogen.Window with memory "parts" or "shared".  Make arrays of it, with the strides of this handle,
                and bind them.
        """
        self._change_window("register", window)

    def unregister(self, window: Any) -> None:
        """Ends that.  Collective."""
        self._change_window("unregister", window)

    def _change_window(self, call: str, window: Any) -> None:
        if not hasattr(window, "address"):
            raise errors.ArgumentError(f"{call}: needs a halogen.Window, got {type(window).__name__}.")
        self._enter(call)
        try:
            getattr(self.spec.library, "hx_" + call)(self._handle, window.address)
        finally:
            self._lock.release()

    # ---- walls ----

    def set_boundary(self, function: Optional[Callable[..., None]]) -> None:
        """Gives the function that fills ghost points beyond walls with boundary = "hook".  Local; None takes it away.

        Args:
            function: called by finish, with a halogen.Wall for each box of points; `wall.points` is a view to write to.
                For fields in the memory of a device it gets the stream, too, as an int, and launches a kernel there.
                What it raises, finish raises when all is done.
        """
        if function is not None and not callable(function):
            raise errors.ArgumentError(f"set_boundary: needs a function or None, got {type(function).__name__}.")
        self._enter("set_boundary")
        try:
            self._boundary = boundary.give(self, function)
        finally:
            self._lock.release()

    # ---- the end ----

    def close(self) -> bool:
        """Frees the handle and its arrays of alloc().  Collective.  Sets of arrays cannot be used after it.

        Returns:
            Whether it is freed.  Where on some rank an array of NumPy still looks into memory of the handle, it stays on
            all ranks: drop the array and call close() again, or leave it.

        Raises:
            StateError: an exchange is under way on this rank.
        """
        if self._handle is None:
            return True
        if self._process not in (0, exchange.process):
            self._refuse("close")
        if not self._lock.acquire(False):
            self._refuse_thread()
        try:
            return self._close()
        finally:
            self._lock.release()

    def _close(self) -> bool:
        lib = self.spec.library
        if mpi.is_running(lib)[1]:
            raise errors.StateError("close was called after MPI_Finalize.")
        under_way = next(iter(self._pending), None)
        if under_way is None:
            self._process = 0
            self._packed.clear()
            for arrays in list(self._sets):
                arrays._forget()
            if len(self._memory):
                gc.collect()
        free = self.spec.library.all(self._comm, under_way is None and not len(self._memory))
        if under_way is not None:
            place = self.spec.place(self.spec.exchanges[under_way].line)
            raise errors.StateError(f"{under_way} is under way; finish it first ({place}).")
        if not free:
            return False
        handle, self._handle = self._handle, None
        lib.hx_destroy(handle)
        lib.MPI_Comm_free(ctypes.addressof(self._comm))
        return True


def _memory_of(array: Any) -> Any:
    """The Memory that an array of alloc() looks into."""
    if isinstance(array, device.DeviceArray):
        return array._owner
    return array.base if isinstance(getattr(array, "base", None), sets.Memory) else None
