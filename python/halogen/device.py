"""Arrays of any library: of NumPy, by __cuda_array_interface__ and by DLPack; and streams of devices.

Nothing here needs a GPU: both protocols are numbers and dicts.
"""

from __future__ import annotations

import ctypes
import operator
from typing import Any, NamedTuple, Optional, Tuple

import numpy

from . import errors


class View(NamedTuple):
    """Where the elements of an array lie."""

    address: int
    shape: Tuple[int, ...]
    strides: Tuple[int, ...]
    """In bytes."""
    dtype: numpy.dtype
    read_only: bool
    on_device: bool
    holder: Any
    """Keeps the memory while the view is used."""


class _Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class _Type(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _Tensor(ctypes.Structure):
    """DLTensor, which a capsule named "dltensor" points to."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _Type),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


_KINDS = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}
_HOST = (1, 3)  # of the host, pinned
_CUDA = (2, 13)  # of a device, managed


def dense_strides(shape: Tuple[int, ...], itemsize: int) -> Tuple[int, ...]:
    """Strides in bytes of an array in C order."""
    strides = []
    for n in reversed(shape):
        strides.append(itemsize)
        itemsize *= n
    return tuple(reversed(strides))


def view_of(array: Any, name: str) -> Optional[View]:
    """What an array of NumPy, one on a device or any with DLPack says about itself; None for other objects."""
    if isinstance(array, numpy.ndarray):
        address, read_only = array.__array_interface__["data"]
        return View(address, array.shape, array.strides, array.dtype, read_only, False, array)
    if hasattr(array, "__cuda_array_interface__"):
        return _view_of_interface(array.__cuda_array_interface__, array, name)
    if hasattr(array, "__dlpack__"):
        return _view_of_dlpack(array, name)
    if hasattr(array, "__array_interface__"):
        return view_of(numpy.asarray(array), name)
    return None


def _view_of_interface(interface: Any, array: Any, name: str) -> View:
    if interface.get("mask") is not None:
        raise errors.ArgumentError(f"{name}: has a mask, which no exchange sees.")
    dtype = numpy.dtype(interface["typestr"])
    shape = tuple(interface["shape"])
    address, read_only = interface["data"]
    strides = interface.get("strides") or dense_strides(shape, dtype.itemsize)
    return View(address, shape, tuple(strides), dtype, bool(read_only), True, array)


def _capsule(array: Any) -> Any:
    """stream=-1: wait for nothing, since start puts its work behind what is in its own stream."""
    on_device = array.__dlpack_device__()[0] in _CUDA
    return array.__dlpack__(stream=-1) if on_device else array.__dlpack__()


def _view_of_dlpack(array: Any, name: str) -> View:
    kind = array.__dlpack_device__()[0]
    if kind not in _HOST + _CUDA:
        raise errors.ArgumentError(f"{name}: lies on a device of DLPack's type {kind}; halogen knows those of CUDA, 2.")
    capsule = _capsule(array)
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    tensor = _Tensor.from_address(pointer(capsule, b"dltensor"))
    if tensor.dtype.lanes != 1 or tensor.dtype.code not in _KINDS:
        raise errors.ArgumentError(f"{name}: has elements of a type that NumPy does not know.")
    dtype = numpy.dtype(f"{_KINDS[tensor.dtype.code]}{tensor.dtype.bits // 8}")
    shape = tuple(tensor.shape[: tensor.ndim])
    strides = (
        tuple(step * dtype.itemsize for step in tensor.strides[: tensor.ndim])
        if tensor.strides
        else dense_strides(shape, dtype.itemsize)
    )
    return View((tensor.data or 0) + tensor.byte_offset, shape, strides, dtype, False, kind in _CUDA, (array, capsule))


def stream_of(stream: Any) -> int:
    """The number of a stream: an int, an object with `ptr` as CuPy's or with `__cuda_stream__`; None: the default one."""
    if stream is None:
        return 0
    if hasattr(type(stream), "__cuda_stream__"):
        return operator.index(stream.__cuda_stream__()[1])
    pointer = getattr(stream, "ptr", stream)
    if isinstance(pointer, bool) or not hasattr(type(pointer), "__index__"):
        raise errors.ArgumentError(
            f"stream: needs an int, an object with ptr or __cuda_stream__, or None, got {type(stream).__name__}."
        )
    return operator.index(pointer)


class DeviceArray:
    """Memory of a device that halo.alloc() gave: cupy.asarray(a) and the like look into it without a copy.

    Attributes:
        shape, strides, dtype: as of NumPy's arrays; strides in bytes.
    """

    def __init__(self, address: int, shape: Tuple[int, ...], strides: Tuple[int, ...], dtype: Any, owner: Any) -> None:
        self.shape = shape
        self.strides = strides
        self.dtype = dtype
        self._address = address
        self._owner = owner

    @property
    def __cuda_array_interface__(self) -> Any:
        return {
            "version": 3,
            "shape": self.shape,
            "strides": self.strides,
            "typestr": self.dtype.str,
            "data": (self._address, False),
            "stream": None,
        }
