"""Handles and their exchanges.

A call with arrays that were bound before goes straight into C: what the handle may refuse is compared in as few steps as
possible, and the sentences are made only where something is wrong.
"""

from __future__ import annotations

import ctypes
import gc
import os
import threading
import weakref
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from . import arrays as sets
from . import boundary, device, errors, library, mpi
from .spec import Block, block_of

# The process that may use handles made in it; a child of fork may not.
_process = os.getpid()


def _note_fork() -> None:
    global _process
    _process = os.getpid()


os.register_at_fork(after_in_child=_note_fork)


class Done:
    """An exchange that is over.  `with halo.velocity(f): ...` is allowed; nothing is left to do on leaving."""

    __slots__ = ()

    def __enter__(self) -> "Done":
        return self

    def __exit__(self, *error: Any) -> None:
        return None


_DONE = Done()


class Pending:
    """An exchange under way: call finish(), or leave the `with` that it was given to.

    It keeps the arrays until then.  Between start and finish do not touch the halos of the exchange's fields, and do not
    write owned points that are nearer to a side of the block than the exchange is wide.
    """

    __slots__ = ("_exchange", "_arrays", "_stream")

    def __init__(self, exchange: "Exchange", arrays: Any, stream: Any) -> None:
        self._exchange: Optional[Exchange] = exchange
        self._arrays = arrays
        self._stream = stream

    def finish(self, stream: Any = None) -> None:
        """Waits for the messages and fills the halos.  Every rank calls it.

        Args:
            stream: of fields in the memory of a device: behind it in this stream, halos are filled.  None: start's.

        Raises:
            StateError: it was finished before.  DeadlineError, MpiError: see hx_finish.
        """
        if self._exchange is None:
            raise errors.StateError("this exchange was finished already.")
        self._exchange._finish(self, self._stream if stream is None else device.stream_of(stream))

    def test(self) -> bool:
        """Moves messages on and waits for nothing: whether finish() will not wait either.  Any rank, any time.

        Raises:
            StateError: it was finished, or goes by a transport that waits inside MPI.
        """
        if self._exchange is None:
            raise errors.StateError("this exchange was finished already.")
        return self._exchange._test()

    def __enter__(self) -> "Pending":
        return self

    def __exit__(self, *error: Any) -> None:
        if self._exchange is not None:
            self.finish()


class Exchange:
    """An exchange of a handle: `halo.velocity(f)` does it all, `halo.velocity.start(f)` begins it.

    Both take a set of arrays, of halo.alloc(), empty() or arrays(), or the arrays themselves, in the order of the
    exchange's fields or by their names.  Sets were checked when they were made; arrays are checked at each call, which
    takes a few microseconds.

    Attributes:
        name: of the spec.
        names: of the fields that it carries, in the order in which the spec lists them, and calls take them.
        fills: axes along which corners() can fill.
        facts: what the spec says of it; see ExchangeFacts.
        address: of the C function that does it all, for calls by ctypes: int f(handle, fields), with a stream for fields
            in the memory of a device.
    """

    __slots__ = ("name", "facts", "address", "_halo", "_both", "_needs", "_on_device", "_scratch")

    names: Tuple[str, ...] = ()
    fills: Tuple[str, ...] = ()

    def __init__(self, halo: "Halo", facts: Any) -> None:
        self._halo = halo
        self.facts = facts
        self.name = facts.name
        spec = halo.spec
        kinds = (ctypes.c_void_p,) * (3 if facts.on_device else 2)
        self._both = spec.library.function(f"{spec.name}_{facts.name}", *kinds)
        self.address = ctypes.cast(self._both, ctypes.c_void_p).value
        self._on_device = facts.on_device
        self._needs = 0
        for name in self.names:
            self._needs |= 1 << spec.fields[name].number
        self._scratch = sets.pointers_for(halo)

    def __repr__(self) -> str:
        return f"<halogen exchange {self._halo.spec.name}.{self.name}: {', '.join(self.names)}>"

    def __call__(self, arrays: Any = None, /, *more: Any, stream: Any = None, **named: Any) -> Done:
        """Fills the halos: start and finish in one.  Every rank calls it.

        Args:
            arrays: a set of arrays, or the arrays in the order of the exchange's fields; or by their names.
            stream: for fields in the memory of a device: an int, an object with ptr or __cuda_stream__, None: the
                default stream.

        Returns:
            Done, which is for `with` only: when the call returns, the exchange is over.

        Raises:
            ArgumentError: an array does not fit.  StateError: the exchange is under way, the handle is closed, ...
        """
        halo = self._halo
        if halo._process != _process:
            halo._refuse(self.name)
        if not halo._lock.acquire(False):
            halo._refuse_thread()
        try:
            if arrays.__class__ is not halo._set_class or arrays._halo is not halo or more or named:
                address = self._gather(arrays, more, named)
            elif self._needs & ~arrays._given:
                address = self._refuse_set(arrays)
            else:
                address = arrays._address
            if self._on_device:
                status = self._both(halo._handle, address, device.stream_of(stream))
            else:
                status = self._both(halo._handle, address)
            if status:
                raise halo.spec.library.error(status)
        finally:
            halo._lock.release()
        if halo._raised is not None:
            halo._raise_from_boundary()
        return _DONE

    def start(self, arrays: Any = None, /, *more: Any, stream: Any = None, **named: Any) -> Pending:
        """Begins the exchange and returns at once.  Every rank calls it, and finish().

        Args and errors: as of a call.  Use the result in `with`, or call its finish().
        """
        halo = self._halo
        halo._enter(self.name)
        try:
            if arrays.__class__ is halo._set_class and arrays._halo is halo and not more and not named:
                address = arrays._address if not self._needs & ~arrays._given else self._refuse_set(arrays)
            else:
                address = self._gather(arrays, more, named)
            number = device.stream_of(stream)
            pending = Pending(self, (arrays, more, named), number)
            self._refuse_under_way()
            halo._pending[self.name] = pending  # before start: a signal may come behind it
            lib = halo.spec.library
            if self._on_device:
                status = lib.hx_start_on(halo._handle, self.facts.number, address, number)
            else:
                status = lib.hx_start(halo._handle, self.facts.number, address)
            if status:
                del halo._pending[self.name]
                raise lib.error(status)
        finally:
            halo._lock.release()
        return pending

    def finish(self, stream: Any = None) -> None:
        """Finishes what start() began.  Raises StateError if nothing is under way."""
        pending = self._halo._pending.get(self.name)
        if pending is None:
            self._halo._enter(self.name)
            self._halo._lock.release()
            raise errors.StateError(f"{self.name} is not under way: start it first.")
        pending.finish(stream)

    def corners(self, axis: str, arrays: Any = None, /, *more: Any, stream: Any = None, **named: Any) -> None:
        """Fills ghost points in corners of tiles where no tile lies, from beside them.  Local.

        Args:
            axis: along which single fields are filled; one of `fills`.
            arrays, stream: as of a call.
        """
        halo = self._halo
        if axis not in self.fills:
            has = f"it has {', '.join(self.fills)}" if self.fills else "the spec asks for none"
            raise errors.ArgumentError(f"{self.name} fills no corners along {axis!r}; {has}.")
        halo._enter(self.name)
        try:
            address, lib = self._gather(arrays, more, named), halo.spec.library
            fill = self.fills.index(axis)
            if self._on_device:
                number = device.stream_of(stream)
                lib.hx_fill_corners_on(halo._handle, self.facts.number, fill, address, number)
            else:
                lib.hx_fill_corners(halo._handle, self.facts.number, fill, address)
        finally:
            halo._lock.release()

    def _finish(self, pending: Pending, stream: int) -> None:
        halo, lib = self._halo, self._halo.spec.library
        halo._enter(self.name)
        try:
            if self._on_device:
                status = lib.hx_finish_on(halo._handle, self.facts.number, stream)
            else:
                status = lib.hx_finish(halo._handle, self.facts.number)
            error = lib.error(status) if status else None
            pending._exchange = None
            halo._pending.pop(self.name, None)
            # After a deadline messages may still arrive in the arrays.
            if isinstance(error, errors.DeadlineError):
                halo._kept.append(pending._arrays)
            pending._arrays = None
        finally:
            halo._lock.release()
        if error is not None:
            raise error
        halo._raise_from_boundary()

    def _test(self) -> bool:
        halo, done = self._halo, ctypes.c_int()
        halo._enter(self.name)
        try:
            status = halo.spec.library.hx_test(halo._handle, self.facts.number, done)
            if status:
                raise halo.spec.library.error(status)
        finally:
            halo._lock.release()
        return bool(done.value)

    def _refuse_under_way(self) -> None:
        if self.name in self._halo._pending:
            raise errors.StateError(f"{self.name} is under way; finish it first.")

    # ---- arrays that were not bound before ----

    def _refuse_set(self, arrays: Any) -> int:
        arrays._lists()
        missing = [name for name in self.names if not arrays._given >> self._halo.spec.fields[name].number & 1]
        raise errors.ArgumentError(f"{self.name} needs {', '.join(missing)}.")

    def _gather(self, first: Any, more: Tuple[Any, ...], named: Dict[str, Any]) -> int:
        """The address of the pointers of arrays, once they are checked."""
        halo = self._halo
        if isinstance(first, sets.Arrays) and not more and not named:
            if first._halo is halo:
                return first.address if not self._needs & ~first._given else self._refuse_set(first)
            raise errors.ArgumentError(f"{self.name}: these arrays belong to another handle; bind them with arrays().")
        positional = (first, *more) if first is not None or more else ()
        sets.fill(halo, self._scratch, _by_field(self.name, self.names, positional, named, halo, True))
        return ctypes.addressof(self._scratch)


def _by_field(
    call: str, names: Tuple[str, ...], positional: Tuple[Any, ...], named: Dict[str, Any], halo: Any, whole: bool
) -> Dict[str, List[Any]]:
    """Arrays by field, as lists with one for each block; `whole`: none may be missing."""
    if len(positional) > len(names):
        raise errors.ArgumentError(f"{call} takes {len(names)} arrays, {', '.join(names)}; got {len(positional)}.")
    given = dict(zip(names, positional))
    for name, array in named.items():
        if name not in names:
            raise errors.ArgumentError(f"{call} has no field {name}; it carries {', '.join(names)}.")
        if name in given:
            raise errors.ArgumentError(f"{call} was given {name} twice.")
        given[name] = array
    if whole and len(given) < len(names):
        raise errors.ArgumentError(f"{call} needs {', '.join(name for name in names if name not in given)}.")
    return {name: _for_blocks(name, array, halo) for name, array in given.items()}


def _for_blocks(name: str, array: Any, halo: Any) -> List[Any]:
    if not halo.several:
        return [array]
    if not isinstance(array, (list, tuple)) or len(array) != len(halo.blocks):
        count = len(array) if isinstance(array, (list, tuple)) else type(array).__name__
        raise errors.ArgumentError(
            f"{name}: needs a list of {len(halo.blocks)} arrays, one for each block of this rank, got {count}."
        )
    return list(array)


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
        self._options = options  # a function for log lines is called until the end
        self._process = _process
        self._lock = threading.Lock()
        self._pending: Dict[str, Pending] = {}
        self._kept: List[Any] = []
        self._raised: Optional[BaseException] = None
        self._boundary: Any = None
        self._sets: Any = weakref.WeakSet()
        self._memory: Any = weakref.WeakSet()
        self._set_class = spec.arrays_class
        sets.add_fields(spec.arrays_class, tuple(spec.fields))
        rank = ctypes.c_int()
        spec.library.MPI_Comm_rank(comm, rank)
        self.rank = rank.value
        self._comm = spec.library.comm_type()
        spec.library.MPI_Comm_dup(comm, ctypes.addressof(self._comm))
        for kind, facts in zip(spec.exchange_classes, spec.exchanges.values()):
            setattr(self, facts.name, kind(self, facts))

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
        if self._process != _process:
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
            return self.spec.library.hx_describe(self._handle).decode()
        finally:
            self._lock.release()

    def traffic(self, exchange: str) -> Traffic:
        """What one exchange has moved since create.  Local."""
        facts = self.spec.exchanges.get(exchange)
        if facts is None:
            has = ", ".join(self.spec.exchanges)
            raise errors.ArgumentError(f"{self.spec.name} has no exchange {exchange}; it has {has}.")
        self._enter("traffic")
        try:
            out = library.Traffic()
            self.spec.library.hx_traffic_of(self._handle, facts.number, out)
        finally:
            self._lock.release()
        return Traffic(*(getattr(out, name) for name in Traffic._fields))

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
        return sets.bound(self, _by_field(self.spec.name, tuple(self.spec.fields), positional, named, self, False))

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
        return self._layouts[block].wanted[self._field(field).number].elements

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
        return lib.hx_plane(lib.spec, ctypes.addressof(self._layouts[block].shape), number, axis, side)

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
        if self._process not in (0, _process):
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
            for arrays in list(self._sets):
                arrays._forget()
            if len(self._memory):
                gc.collect()
        free = self.spec.library.all(self._comm, under_way is None and not len(self._memory))
        if under_way is not None:
            raise errors.StateError(f"{under_way} is under way; finish it first.")
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
