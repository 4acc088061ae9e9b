"""libhx by ctypes: the structs and functions of hx/hx.h and hx/abi.h that the package calls.

A library of emitted code is linked with libhx, and finds its functions for us.  MPI_Comm is a pointer with some MPIs
and an int with others, so the functions that take one are declared for each library.
"""

from __future__ import annotations

import ctypes
import operator
from ctypes import POINTER, Structure, c_char_p, c_double, c_int, c_int64, c_size_t, c_ssize_t, c_uint64, c_void_p
from typing import Any, Tuple

from . import errors

MAX_AXES = 4
MOST_CELLS = 1000000000

AXES = c_int * MAX_AXES
WALL_FUNCTION = ctypes.CFUNCTYPE(None, c_void_p, c_void_p)
WALL_ON_FUNCTION = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_void_p)
OBSERVER_FUNCTION = ctypes.CFUNCTYPE(None, c_void_p, c_void_p)
LOG_FUNCTION = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_char_p)


class Partition(Structure):
    """hx_partition."""

    _fields_ = [
        ("axes", c_int),
        ("cells", AXES),
        ("ranks", AXES),
        ("first_fastest", c_int),
        ("cuts", POINTER(c_int) * MAX_AXES),
        ("periodic", AXES),
        ("face_bytes", c_double * MAX_AXES),
    ]


class Part(Structure):
    """hx_part."""

    _fields_ = [("partition", Partition), ("tile", c_int), ("index", AXES), ("first", AXES), ("n", AXES)]


class Wall(Structure):
    """hx_wall."""

    _fields_ = [
        ("exchange", c_int),
        ("field", c_int),
        ("block", c_int),
        ("axis", c_int),
        ("side", c_int),
        ("lo", AXES),
        ("hi", AXES),
        ("array", c_void_p),
    ]


class Options(Structure):
    """hx_options."""

    _fields_ = [
        ("size", c_size_t),
        ("version", c_int),
        ("transport", c_char_p),
        ("deadline", c_double),
        ("check", c_int),
        ("timing", c_int),
        ("log_level", c_int),
        ("log", LOG_FUNCTION),
        ("log_context", c_void_p),
        ("schedule", c_char_p),
        ("deadline_exit", c_int),
        ("share_buffers", c_int),
        ("pool", c_void_p),
        ("tune", c_int),
        ("tune_file", c_char_p),
        ("device_messages", c_char_p),
        ("keep_errhandler", c_int),
        ("cycles", c_int),
        ("team", c_void_p),
        ("threads", c_int),
    ]
    keeps: Any = None
    """What Python gave, which has to live as long as the handle: a pool, a function."""


class Traffic(Structure):
    """hx_traffic: what one exchange has moved since create."""

    _fields_ = [
        ("exchanges", c_uint64),
        ("peers", c_int),
        ("messages", c_int),
        ("phases", c_int),
        ("bytes_sent", c_uint64),
        ("bytes_copied", c_uint64),
        ("pack_seconds", c_double),
        ("wait_seconds", c_double),
        ("unpack_seconds", c_double),
    ]


class MessageBuffer(Structure):
    """hx_message_buffer."""

    _fields_ = [("peer", c_int), ("incoming", c_int), ("bytes", c_size_t), ("data", c_void_p)]


FILE_SIZES = c_size_t * (MAX_AXES + 2)
FILE_STEPS = c_ssize_t * (MAX_AXES + 2)


class Extent(Structure):
    """hx_extent: a box of points in a file."""

    _fields_ = [
        ("axes", c_int),
        ("tile", c_int),
        ("axis", c_int * (MAX_AXES + 2)),
        ("size", FILE_SIZES),
        ("start", FILE_SIZES),
        ("count", FILE_SIZES),
        ("stride", FILE_STEPS),
        ("first", c_ssize_t),
        ("memory_stride", FILE_STEPS),
        ("memory_size", FILE_SIZES),
        ("memory_start", FILE_SIZES),
    ]


class Box(Structure):
    """hx_box."""

    _fields_ = [("lo", AXES), ("hi", AXES), ("points", c_size_t)]


class Boxes(Structure):
    """hx_boxes."""

    _fields_ = [("points", c_size_t), ("count", c_int), ("box", Box * (2 * MAX_AXES))]


class SpecFacts(Structure):
    """hx_spec_facts."""

    _fields_ = [
        ("name", c_char_p),
        ("file", c_char_p),
        ("hash", c_uint64),
        ("axes", c_int),
        ("axis", c_char_p * MAX_AXES),
        ("periodic", AXES),
        ("decomposed", AXES),
        ("cells", AXES),
        ("tiles", c_int),
        ("list", c_int),
        ("fields", c_int),
        ("exchanges", c_int),
        ("shape_size", c_size_t),
    ]


class FieldFacts(Structure):
    """hx_field_facts."""

    _fields_ = [
        ("name", c_char_p),
        ("type", c_char_p),
        ("line", c_int),
        ("bytes", c_size_t),
        ("components", c_int),
        ("components_after", c_int),
        ("order", AXES),
        ("halo_lo", AXES),
        ("halo_hi", AXES),
        ("at", AXES),
        ("vector", AXES),
        ("on_device", c_int),
        ("behind", c_int),
    ]


class ExchangeFacts(Structure):
    """hx_exchange_facts."""

    _fields_ = [
        ("name", c_char_p),
        ("line", c_int),
        ("op", c_char_p),
        ("keeps", c_int),
        ("shared", c_int),
        ("on_device", c_int),
        ("fields", c_int),
        ("directions", c_int),
        ("direction", POINTER(ctypes.c_byte * MAX_AXES)),
    ]


class CarriedFacts(Structure):
    """hx_carried_facts."""

    _fields_ = [("field", c_int), ("width_lo", AXES), ("width_hi", AXES)]


class Observed(Structure):
    """hx_observed."""

    _fields_ = [("size", c_size_t), ("spec", c_void_p), ("number", c_int), ("rank", c_int), ("ranks", c_int)]


class Event(Structure):
    """hx_event."""

    _fields_ = [
        ("size", c_size_t),
        ("kind", c_int),
        ("exchange", c_int),
        ("handle", POINTER(Observed)),
        ("start", c_uint64),
        ("since", c_double),
        ("seconds", c_double),
        ("phase", c_int),
        ("peer", c_int),
        ("message", c_int),
        ("status", c_int),
        ("bytes", c_size_t),
        ("transport", c_char_p),
        ("direct", c_int),
        ("on_device", c_int),
    ]


class StridedArray(Structure):
    """hx_strided_array."""

    _fields_ = [
        ("base", c_void_p),
        ("bytes", c_size_t),
        ("extent", c_ssize_t * MAX_AXES),
        ("stride", c_ssize_t * MAX_AXES),
        ("components", c_ssize_t),
        ("component_stride", c_ssize_t),
    ]


class Redistribution(Structure):
    """hx_redistribution."""

    _fields_ = [("halos", c_int), ("stream", c_void_p), ("source_ids", c_void_p), ("target_ids", c_void_p)]


class Selection(Structure):
    """hx_selection."""

    _fields_ = [
        ("field", c_int),
        ("tile", c_int),
        ("first", c_int * MAX_AXES),
        ("n", c_int * MAX_AXES),
        ("step", c_int * MAX_AXES),
        ("array", StridedArray),
    ]


class Mask(Structure):
    """hx_mask."""

    _fields_ = [("wet", c_void_p), ("wet_at", c_void_p), ("context", c_void_p)]


class Map(Structure):
    """hx_map."""

    _fields_ = [
        ("partition", Partition),
        ("ranks", c_int),
        ("blocks", c_int),
        ("land", c_int),
        ("wet", c_int64),
        ("most", c_int64),
        ("owner", POINTER(c_int)),
    ]


class Peer(Structure):
    """hx_peer."""

    _fields_ = [
        ("rank", c_int),
        ("sends", c_int),
        ("send", POINTER(c_int)),
        ("receives", c_int),
        ("receive", POINTER(c_int)),
    ]


class IndexList(Structure):
    """hx_index_list."""

    _fields_ = [("peers", c_int), ("peer", POINTER(Peer))]


class Ids(Structure):
    """hx_ids."""

    _fields_ = [
        ("points", c_int),
        ("id", c_void_p),
        ("owned", c_int),
        ("owns", c_void_p),
    ]


def blocks_type(comm: Any) -> Any:
    """hx_blocks, whose first member is an MPI_Comm."""

    class Blocks(Structure):
        _fields_ = [
            ("comm", comm),
            ("tiles", c_int),
            ("partition", POINTER(Partition)),
            ("owner", c_void_p),
            ("context", c_void_p),
            ("count", c_int),
            ("owners", POINTER(c_int)),
        ]

    return Blocks


def listed_type(comm: Any) -> Any:
    """hx_listed, whose first member is an MPI_Comm."""

    class Listed(Structure):
        _fields_ = [("comm", comm), ("list", c_void_p)]

    return Listed


# What the emitted C says about sizes, in its order; see templates/python/name_python.c.tmpl.
_SIZED = (Partition, Part, None, Wall, Options, Traffic, SpecFacts, FieldFacts, ExchangeFacts, CarriedFacts)

# Name: (result, arguments...).  "comm" stands for MPI_Comm, which MPI's other handles look like, "status" for an hx_status that has to be HX_OK.
FUNCTIONS = {
    "hx_status_name": (c_char_p, c_int),
    "hx_last_error": (c_char_p,),
    "hx_last_status": (c_int,),
    "hx_version": (c_char_p,),
    "hx_decompose": ("status", "comm", POINTER(Partition), POINTER(Part)),
    "hx_decompose_as": ("status", c_int, c_int, POINTER(Partition), POINTER(Part)),
    "hx_explain_partition": (c_size_t, c_int, POINTER(Partition), c_char_p, c_size_t),
    "hx_partition_from_cart": ("status", "comm", POINTER(c_int), POINTER(Part)),
    "hx_partition_free": (None, POINTER(Partition)),
    "hx_part_of": ("status", POINTER(Partition), c_int, c_int, POINTER(Part)),
    "hx_index_list_of_ids": ("status", "comm", POINTER(Ids), POINTER(POINTER(IndexList))),
    "hx_index_list_free": (None, POINTER(IndexList)),
    "hx_spec_query": ("status", c_void_p, POINTER(SpecFacts)),
    "hx_field_query": ("status", c_void_p, c_int, POINTER(FieldFacts)),
    "hx_exchange_query": ("status", c_void_p, c_int, POINTER(ExchangeFacts)),
    "hx_carried_query": ("status", c_void_p, c_int, c_int, POINTER(CarriedFacts)),
    "hx_spec_partition": ("status", c_void_p, POINTER(c_int), POINTER(Partition)),
    "hx_spec_shape": ("status", c_void_p, POINTER(Part), c_void_p),
    "hx_shape_of_arrays": ("status", c_void_p, POINTER(Part), POINTER(StridedArray), c_void_p),
    "hx_best_strides": (None, c_void_p, POINTER(Part), c_void_p, c_void_p),
    "hx_points": (c_size_t, c_void_p, c_void_p, c_int),
    "hx_plane": (c_ssize_t, c_void_p, c_void_p, c_int, c_int, c_int),
    "hx_create_for": ("status", c_char_p, c_void_p, c_void_p, c_void_p, c_void_p, POINTER(c_void_p)),
    "hx_create_listed_for": ("status", c_char_p, c_void_p, c_void_p, c_void_p, c_void_p, POINTER(c_void_p)),
    "hx_create_like": ("status", c_void_p, c_void_p, c_void_p, POINTER(c_void_p)),
    "hx_create_wide": ("status", c_void_p, c_void_p, "comm", c_void_p, POINTER(c_void_p)),
    "hx_destroy": ("status", c_void_p),
    "hx_alloc": ("status", c_void_p, c_void_p),
    "hx_free": ("status", c_void_p, c_void_p),
    "hx_register": ("status", c_void_p, c_void_p),
    "hx_unregister": ("status", c_void_p, c_void_p),
    "hx_audit": (c_int, c_void_p, c_int, c_void_p),
    "hx_start": (c_int, c_void_p, c_int, c_void_p),
    "hx_finish": (c_int, c_void_p, c_int),
    "hx_start_on": (c_int, c_void_p, c_int, c_void_p, c_void_p),
    "hx_finish_on": (c_int, c_void_p, c_int, c_void_p),
    "hx_pack_on": (c_int, c_void_p, c_int, c_void_p, c_void_p),
    "hx_send_on": (c_int, c_void_p, c_int, c_void_p),
    "hx_receive": (c_int, c_void_p, c_int),
    "hx_unpack_on": (c_int, c_void_p, c_int, c_void_p, c_void_p),
    "hx_cycle_start": (c_int, c_void_p, c_int, c_void_p, c_void_p),
    "hx_cycle_finish": (c_int, c_void_p, c_int, c_void_p),
    "hx_cycle_restart": ("status", c_void_p, c_int),
    "hx_interior": (Boxes, c_void_p, c_void_p, c_int, c_int),
    "hx_rim": (Boxes, c_void_p, c_void_p, c_int, c_int),
    "hx_cycle_points": (Boxes, c_void_p, c_int, c_int, c_int, c_int),
    "hx_test": (c_int, c_void_p, c_int, POINTER(c_int)),
    "hx_fill_corners": ("status", c_void_p, c_int, c_int, c_void_p),
    "hx_fill_corners_on": ("status", c_void_p, c_int, c_int, c_void_p, c_void_p),
    "hx_set_boundary": ("status", c_void_p, WALL_FUNCTION, c_void_p),
    "hx_set_boundary_on": ("status", c_void_p, WALL_ON_FUNCTION, c_void_p),
    "hx_describe": (c_char_p, c_void_p),
    "hx_describe_json": (c_char_p, c_void_p),
    "hx_observe_kinds": ("status", OBSERVER_FUNCTION, c_void_p, c_uint64),
    "hx_unobserve": ("status", OBSERVER_FUNCTION, c_void_p),
    "hx_stats": ("status", c_void_p, c_char_p),
    "hx_extents": ("status", c_void_p, c_int, c_int, c_int, POINTER(Extent), POINTER(c_int)),
    "hx_file_passes": (c_int, c_void_p, c_int),
    "hx_redistribute_with": ("status", c_void_p, c_void_p, c_void_p, c_void_p, POINTER(Redistribution)),
    "hx_rebalance": ("status", c_void_p, c_void_p, POINTER(c_int), POINTER(c_int)),
    "hx_gather": ("status", c_void_p, c_void_p, c_int, c_int, POINTER(StridedArray)),
    "hx_scatter": ("status", c_void_p, c_void_p, c_int, c_int, POINTER(StridedArray)),
    "hx_gather_selected": ("status", c_void_p, c_void_p, POINTER(Selection), c_int),
    "hx_scatter_selected": ("status", c_void_p, c_void_p, POINTER(Selection), c_int),
    "hx_choose_mask": ("status", c_int, POINTER(Partition), POINTER(Mask), POINTER(POINTER(Map))),
    "hx_map_write": ("status", POINTER(Map), c_char_p),
    "hx_map_read": ("status", c_char_p, POINTER(POINTER(Map))),
    "hx_map_free": (None, POINTER(Map)),
    "hx_memory_type": ("status", c_void_p, c_int, c_int, c_void_p, c_void_p),
    "hx_file_type": ("status", c_void_p, c_int, c_int, c_void_p),
    "hx_message_buffers": ("status", c_void_p, c_int, c_void_p, POINTER(c_int)),
    "hx_traffic_of": ("status", c_void_p, c_int, POINTER(Traffic)),
    "MPI_Initialized": (c_int, POINTER(c_int)),
    "MPI_Finalized": (c_int, POINTER(c_int)),
    "MPI_Comm_rank": (c_int, "comm", POINTER(c_int)),
    "MPI_Comm_size": (c_int, "comm", POINTER(c_int)),
    "MPI_Allreduce": (c_int, c_void_p, c_void_p, c_int, "comm", "comm", "comm"),
    "MPI_Comm_dup": (c_int, "comm", c_void_p),
    "MPI_Comm_free": (c_int, c_void_p),
}  # fmt: skip


MOST_INT = 2**31 - 1


def whole(value: Any, what: str, least: int = 0, most: int = MOST_INT) -> int:
    """A whole number that C can have: ctypes would cut off the bits of a larger one.  Raises ArgumentError."""
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if not least <= number <= most:
        raise errors.ArgumentError(f"{what}: needs a whole number from {least} to {most}, got {value!r}.")
    return number


def fail_on_all(call: Any, *nothing: Any) -> None:
    """The other ranks wait for this one: a call that libhx refuses fails on all of them."""
    try:
        call(*nothing)
    except errors.Error:
        pass


def opened(path: str) -> ctypes.CDLL:
    """A shared library.  Raises MismatchError where it, or what it needs, cannot be opened."""
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        raise errors.MismatchError(f"{path} cannot be opened: {error}") from None


class Functions:
    """Functions of libhx and MPI, as attributes by their names; those that give an hx_status raise what it says."""

    def __init__(self, handle: ctypes.CDLL, comm_size: int, more: Any) -> None:
        self._handle = handle
        self.comm_size = comm_size
        self.comm_type = c_void_p if comm_size == ctypes.sizeof(c_void_p) else c_int
        self.declare(FUNCTIONS)
        self.declare(more)

    def declare(self, functions: Any) -> None:
        """Makes functions attributes, those that are none yet."""
        for name, declaration in functions.items():
            if name not in self.__dict__:
                self._declare(name, declaration)

    def __getattr__(self, name: str) -> Any:
        """For type checkers: the functions are found when a library is opened."""
        raise AttributeError(name)

    def _declare(self, name: str, declaration: Any) -> None:
        function = self._handle[name]  # a function of its own: another library may have another MPI_Comm
        result, *arguments = declaration
        function.argtypes = tuple(self.comm_type if a == "comm" else a for a in arguments)
        function.restype = c_int if result == "status" else result
        setattr(self, name, self._checked(function) if result == "status" else function)

    def _checked(self, function: Any) -> Any:
        def call(*arguments: Any) -> None:
            status = function(*arguments)
            if status:
                raise self.error(status)

        return call

    def function(self, name: str, *arguments: Any) -> Any:
        """An emitted function that gives an hx_status."""
        function = self._handle[name]
        function.argtypes = arguments
        function.restype = c_int
        return function

    def error(self, status: int) -> errors.Error:
        """The exception for a status, right after the call that gave it, on its thread."""
        return errors.of_status(status, self.hx_status_name(status).decode(), self.last_sentence())

    def last_sentence(self) -> str:
        """What libhx says about the last failure on this thread."""
        return self.hx_last_error().decode("utf-8", "replace")


class Library(Functions):
    """A shared library of emitted code, opened."""

    def __init__(self, path: str, name: str) -> None:
        handle = opened(path)
        self.path = path
        self.name = name
        self.text: Any = None  # of a spec that was written in Python: its SpecText
        sizes = self._sizes(handle)
        super().__init__(handle, sizes[0], {})
        self.blocks_type = blocks_type(self.comm_type)
        self.listed_type = listed_type(self.comm_type)
        self._compare(sizes)
        self.stride_offset, self.apart_offset = sizes[-2:]
        self.mpi = (c_char_p.in_dll(handle, name + "_python_mpi").value or b"").decode()
        self.comm_of_fortran = handle[name + "_python_comm"]
        self.comm_of_fortran.argtypes = (c_int, c_void_p)
        self.comm_of_fortran.restype = None
        self._int = self.comm_type.in_dll(handle, name + "_python_int")
        self._and = self.comm_type.in_dll(handle, name + "_python_and")
        self.spec = ctypes.addressof(ctypes.c_char.in_dll(handle, name + "_spec"))

    def last_sentence(self) -> str:
        """The same by the lines of Python, where the spec was written there."""
        return self.in_its_lines(super().last_sentence())

    def in_its_lines(self, sentence: str) -> str:
        """A sentence that may name lines of the spec."""
        return self.text.in_python(sentence) if self.text else sentence

    def _sizes(self, handle: ctypes.CDLL) -> Tuple[int, ...]:
        try:
            return tuple((c_size_t * (len(_SIZED) + 3)).in_dll(handle, self.name + "_python_sizes"))
        except ValueError:
            raise errors.MismatchError(
                f"{self.path} has no {self.name}_python_sizes: compile {self.name}_python.c into it, "
                "which halogen --emit c,python writes."
            ) from None

    def _compare(self, sizes: Tuple[int, ...]) -> None:
        for kind, size in zip(_SIZED, sizes[1:]):
            kind = kind or self.blocks_type
            if ctypes.sizeof(kind) != size:
                raise errors.MismatchError(
                    f"{self.path} was compiled for another libhx than this package: {kind.__name__} has {size} bytes "
                    f"there and {ctypes.sizeof(kind)} here.  Install both from one release."
                )

    def all(self, comm: Any, mine: bool) -> bool:
        """Whether something holds on all ranks.  Collective."""
        here, everywhere = c_int(mine), c_int()
        status = self.MPI_Allreduce(ctypes.byref(here), ctypes.byref(everywhere), 1, self._int, self._and, comm)
        if status:
            raise errors.MpiError(f"MPI_Allreduce failed with error {status}.")
        return bool(everywhere.value)

    def strides(self, shape: Any, field: int, axes: int) -> Tuple[int, ...]:
        """The strides in elements that a shape has for a field, by axes."""
        address = ctypes.addressof(shape) + self.stride_offset + field * axes * ctypes.sizeof(c_ssize_t)
        return tuple((c_ssize_t * axes).from_address(address))

    def set_strides(self, shape: Any, field: int, strides: Any) -> None:
        """Puts strides into a shape."""
        axes = len(strides)
        address = ctypes.addressof(shape) + self.stride_offset + field * axes * ctypes.sizeof(c_ssize_t)
        (c_ssize_t * axes).from_address(address)[:] = strides

    def apart(self, shape: Any, field: int) -> c_ssize_t:
        """Where a shape has the stride from component to component of a field whose components lie apart."""
        address = ctypes.addressof(shape) + self.apart_offset + field * ctypes.sizeof(c_ssize_t)
        return c_ssize_t.from_address(address)


