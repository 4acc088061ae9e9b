"""Exchanges of a handle: called, started and finished.

A call with arrays that were bound before goes straight into C: what the handle may refuse is compared in as few steps as
possible, and the sentences are made only where something is wrong.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, List, NamedTuple, NoReturn, Optional, Set, Tuple

import numpy

from . import arrays as sets
from . import device, errors, library
from .points import Points

# The process that may use handles made in it; a child of fork may not.
process = os.getpid()


def _note_fork() -> None:
    global process
    process = os.getpid()


os.register_at_fork(after_in_child=_note_fork)


class Message(NamedTuple):
    """A message that the program moves, with the transport "manual"."""

    peer: int
    """Rank in the communicator that create was given."""
    incoming: bool
    """True: to be received from it; False: to be sent to it."""
    data: numpy.ndarray
    """Its bytes.  They lie in the same place until the handle is closed."""


class Done:
    """An exchange that is over.

    `with halo.velocity(f): ...` is allowed, and its body finds the halos filled.  A call cannot know that a `with` follows,
    so it does not overlap with the body: `with halo.velocity.start(f): ...` does.
    """

    __slots__ = ()

    def __enter__(self) -> "Done":
        return self

    def __exit__(self, *error: Any) -> None:
        return None


_DONE = Done()

# Messages may arrive in arrays of these, so they live on where the program drops its handle.
_under_way: Set[Any] = set()
_lost: List[Any] = []


class Pending:
    """An exchange under way: call finish(), or leave the `with` that it was given to.

    It keeps the arrays until then.  Between start and finish do not touch the halos of the exchange's fields, and do not
    write owned points that are nearer to a side of the block than the exchange is wide.
    """

    __slots__ = ("_exchange", "_arrays", "_stream")

    def __init__(self, exchange: "Call", arrays: Any, stream: Any) -> None:
        self._exchange: Optional[Call] = exchange
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
        self._exchange._finish(self, self._stream if stream is None else self._exchange._stream(stream))

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


class Call:
    """What exchanges and cycles have in common: called, started and finished."""

    __slots__ = ("name", "address", "_halo", "_both", "_needs", "_on_device", "_scratch")

    names: Tuple[str, ...] = ()
    facts: Any

    def __init__(self, halo: Any, name: str, on_device: bool) -> None:
        self._halo = halo
        self.name = name
        spec = halo.spec
        kinds = (ctypes.c_void_p,) * (3 if on_device else 2)
        self._both = spec.library.function(f"{spec.name}_{name}", *kinds)
        self.address = ctypes.cast(self._both, ctypes.c_void_p).value
        self._on_device = on_device
        self._needs = 0
        for name in self.names:
            self._needs |= 1 << spec.fields[name].number
        self._scratch = sets.pointers_for(halo)

    def _to_start(self, address: int, stream: int) -> Tuple[Any, ...]:
        """The function of C that begins it, and what that is given behind handle and number."""
        raise NotImplementedError

    def _to_finish(self, stream: Optional[int]) -> Tuple[Any, ...]:
        """The same for its end."""
        raise NotImplementedError

    def _test(self) -> bool:
        raise NotImplementedError

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
        if halo._process != process:
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
            elif stream is None:
                status = self._both(halo._handle, address)
            else:
                self._refuse_stream()
            if status:
                raise self._failed(status, (arrays, more, named))
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
            pending = Pending(self, (arrays, more, named), self._stream(stream))
            self._begin(pending, *self._to_start(address, pending._stream))
        finally:
            halo._lock.release()
        return pending

    def _begin(self, pending: Pending, call: Any, *more: Any) -> None:
        """Has messages leave, and remembers that they are under way."""
        halo = self._halo
        self._refuse_under_way()
        halo._pending[self.name] = pending  # before the call: a signal may come behind it
        status = call(halo._handle, self.facts.number, *more)
        if status:
            del halo._pending[self.name]
            raise self._failed(status, pending._arrays)
        _under_way.add(pending)

    def finish(self, stream: Any = None) -> None:
        """Finishes what start() began.  Raises StateError if nothing is under way."""
        self._found_under_way().finish(stream)

    def _place(self) -> str:
        """Where the spec has it: "channel.lua:9"."""
        return self._halo.spec.place(self.facts.line)

    def _stream(self, stream: Any) -> int:
        """The number of a stream.  Raises ArgumentError for one that nobody would look at."""
        if stream is not None and not self._on_device:
            self._refuse_stream()
        return device.stream_of(stream)

    def _refuse_stream(self) -> NoReturn:
        raise errors.ArgumentError(f'{self.name}: has no field with memory = "cuda", so it takes no stream.')

    def _found_under_way(self) -> Pending:
        pending = self._halo._pending.get(self.name)
        if pending is None:
            self._halo._enter(self.name)
            self._halo._lock.release()
            raise errors.StateError(f"{self.name} is not under way: start it first ({self._place()}).")
        return pending

    def _finish(self, pending: Pending, stream: Optional[int]) -> None:
        """stream: None to receive only."""
        halo = self._halo
        halo._enter(self.name)
        try:
            call, *more = self._to_finish(stream)
            status = call(halo._handle, self.facts.number, *more)
            error = self._failed(status, pending._arrays) if status else None
            pending._exchange = None
            _under_way.discard(pending)
            halo._pending.pop(self.name, None)
            pending._arrays = None
        finally:
            halo._lock.release()
        if error is not None:
            raise error
        halo._raise_from_boundary()

    def _failed(self, status: int, arrays: Any) -> errors.Error:
        """The exception for a status.  After a deadline or an error of MPI messages may still arrive in the arrays, so the handle keeps them."""
        error = self._halo.spec.library.error(status)
        if isinstance(error, (errors.DeadlineError, errors.MpiError)):
            self._halo._kept.append(arrays)
            _lost.append(self._halo)
        return error

    def _refuse_under_way(self) -> None:
        if self.name in self._halo._pending:
            raise errors.StateError(f"{self.name} is under way; finish it first ({self._place()}).")

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
        sets.fill(halo, self._scratch, by_field(self.name, self.names, positional, named, halo, True))
        return ctypes.addressof(self._scratch)


class Exchange(Call):
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

    __slots__ = ("facts",)

    fills: Tuple[str, ...] = ()

    def __init__(self, halo: Any, facts: Any) -> None:
        super().__init__(halo, facts.name, facts.on_device)
        self.facts = facts

    def __repr__(self) -> str:
        return f"<halogen exchange {self._halo.spec.name}.{self.name}: {', '.join(self.names)}>"

    def _to_start(self, address: int, stream: int) -> Tuple[Any, ...]:
        lib = self._halo.spec.library
        return (lib.hx_start_on, address, stream) if self._on_device else (lib.hx_start, address)

    def _to_finish(self, stream: Optional[int]) -> Tuple[Any, ...]:
        """stream: None to receive only."""
        lib = self._halo.spec.library
        if stream is None:
            return (lib.hx_receive,)
        return (lib.hx_finish_on, stream) if self._on_device else (lib.hx_finish,)

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

    def interior(self, name: str, block: int = 0) -> List[Points]:
        """The owned points that the exchange neither reads nor changes, in boxes: for work between start() and finish().  Local.

        A stencil that reaches no farther than the exchange is wide reads no ghost point from there.

        Args:
            name: of a field of the spec, also of one that does not travel.
            block: of this rank.

        Returns:
            Boxes, of which none has a point of another one; none where the block is thin.

        Raises:
            ArgumentError: no such field or block; the grid is a list of points, which has no boxes.
        """
        return self._boxes("hx_interior", name, block)

    def rim(self, name: str, block: int = 0) -> List[Points]:
        """The other owned points, in boxes: for work behind finish().  Local.  As interior()."""
        return self._boxes("hx_rim", name, block)

    def _boxes(self, function: str, name: str, block: int) -> List[Points]:
        halo, spec = self._halo, self._halo.spec
        if spec.is_list:
            raise errors.ArgumentError(f"{self.name}: the points of {spec.name} are a list, which has no boxes.")
        number = halo._field(name).number
        layout = halo._layout(block)
        boxes = getattr(spec.library, function)(spec.library.spec, layout.shape, self.facts.number, number)
        return [Points(halo, block, box) for box in boxes.box[: boxes.count]]

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
            fill, number = self.fills.index(axis), self._stream(stream)
            if self._on_device:
                lib.hx_fill_corners_on(halo._handle, self.facts.number, fill, address, number)
            else:
                lib.hx_fill_corners(halo._handle, self.facts.number, fill, address)
        finally:
            halo._lock.release()

    def audit(self, arrays: Any = None, /, *more: Any, **named: Any) -> None:
        """Compares ghost points with what their owners hold.  Collective.

        Call it where the halos must be right.  Arrays on a GPU are copied to the host: wait for your streams before.  With
        HX_AUDIT=1 it also says whether a halo is stale or was overwritten.

        Args:
            arrays: as of a call.

        Raises:
            MismatchError: the sentence names field, point, both values and the owner.  StateError: an exchange is under way.
        """
        halo = self._halo
        halo._enter(self.name)
        try:
            address = self._gather(arrays, more, named)
            status = halo.spec.library.hx_audit(halo._handle, self.facts.number, address)
            if status:
                raise self._failed(status, (arrays, more, named))
        finally:
            halo._lock.release()

    def messages(self) -> List[Message]:
        """Messages that the program moves, with the transport "manual".  Local.

        When start() returns, those to be sent are packed.  Before finish() those to be received hold what the other rank's
        hold for this one.  Raises StateError with another transport.
        """
        halo, lib = self._halo, self._halo.spec.library
        halo._enter(self.name)
        try:
            count = ctypes.c_int()
            lib.hx_message_buffers(halo._handle, self.facts.number, None, count)
            buffers = (library.MessageBuffer * max(1, count.value))()
            lib.hx_message_buffers(halo._handle, self.facts.number, buffers, count)
        finally:
            halo._lock.release()
        return [Message(b.peer, bool(b.incoming), sets.bytes_at(halo, b.data, b.bytes)) for b in buffers[: count.value]]

    # ---- in halves, for graphs ----

    def pack(self, arrays: Any = None, /, *more: Any, stream: Any = None, **named: Any) -> None:
        """Half of start, for exchanges with fields in the memory of a device: packs, in the stream itself.  Local.

        It only launches kernels, so the stream may be being captured into a graph.  Fields of the host are packed by send(),
        from these arrays, which the handle keeps until the next pack().  A graph keeps no array: that is yours to do.

        Args:
            arrays, stream: as of a call.
        """
        self._half("pack", (arrays, more, named), stream)

    def send(self, stream: Any = None) -> Pending:
        """The other half of start: what was packed leaves when the stream has come to here.  Every rank calls it.

        Behind it come receive() and unpack(), or finish().

        Returns:
            The exchange under way, for its test() and finish().
        """
        halo = self._halo
        self._need_device("send")
        halo._enter(self.name)
        try:
            packed = halo._packed.get((self.name, "pack"))
            if packed is not None and isinstance(packed[0], sets.Arrays):
                packed[0]._lists()  # they may have been freed
            pending = Pending(self, packed, self._stream(stream))
            self._begin(pending, halo.spec.library.hx_send_on, pending._stream)
        finally:
            halo._lock.release()
        return pending

    def receive(self) -> None:
        """Half of finish: returns when all messages are there, and those that were sent have left.  Every rank calls it.

        unpack() comes next, or a graph that has it.  Raises StateError if nothing is under way.
        """
        self._need_device("receive")
        self._finish(self._found_under_way(), None)

    def unpack(self, arrays: Any = None, /, *more: Any, stream: Any = None, **named: Any) -> None:
        """The other half of finish: fills the halos from what was received, in the stream itself.  Local.

        It only launches kernels, so the stream may be being captured into a graph.  Fields of the host are unpacked by
        receive(), into these arrays if they are given before, else into those of pack().

        Args:
            arrays, stream: as of a call.
        """
        self._half("unpack", (arrays, more, named), stream)

    def _half(self, which: str, given: Any, stream: Any) -> None:
        halo, lib = self._halo, self._halo.spec.library
        self._need_device(which)
        halo._enter(self.name)
        try:
            address, number = self._gather(*given), self._stream(stream)
            self._refuse_under_way()
            call = lib.hx_pack_on if which == "pack" else lib.hx_unpack_on
            status = call(halo._handle, self.facts.number, address, number)
            if status:
                raise self._failed(status, given)
            halo._packed[self.name, which] = given
        finally:
            halo._lock.release()
        halo._raise_from_boundary()

    def _need_device(self, half: str) -> None:
        if not self._on_device:
            raise errors.StateError(
                f'{self.name}: has no field with memory = "cuda", so it has no {half}(); call start() and finish().'
            )


def by_field(
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
