"""As much of CuPy as adapters touch, on the fake device of tests/cuda, whose memory may be seen (FAKE_CUDA_HOST_ACCESS)."""

import ctypes

import numpy as np


class OnDevice:
    """An array; `seen` is NumPy's of the same memory."""

    def __init__(self, seen):
        self.seen, self.shape, self.strides, self.dtype, self.itemsize = (
            seen,
            seen.shape,
            seen.strides,
            seen.dtype,
            seen.itemsize,
        )

    @property
    def __cuda_array_interface__(self):
        return dict(self.seen.__array_interface__, version=3, strides=self.strides, stream=None)

    def __getitem__(self, index):
        return OnDevice(self.seen[index])

    def get(self):
        return self.seen.copy()

    @property
    def ndim(self):
        return self.seen.ndim

    @property
    def T(self):
        return OnDevice(self.seen.T)

    def transpose(self, axes):
        return OnDevice(self.seen.transpose(axes))


class cupy:
    """The module, as an updater uses it."""

    __name__ = "cupy"
    synchronized = 0

    def __init__(self):
        self.cuda = self

    def Device(self):
        return self

    def synchronize(self):
        self.synchronized += 1


class Memory:
    """Of the fake device, which is a part of each library that halogen.load makes: `path` is that of the library."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.given = []

    def copied(self, array):
        """An array on the device with the same elements in the same order."""
        memory = ctypes.c_void_p()
        assert self.library.cudaMalloc(ctypes.byref(memory), ctypes.c_size_t(array.nbytes)) == 0
        self.given.append(memory)
        buffer = (ctypes.c_char * array.nbytes).from_address(memory.value)
        seen = np.ndarray(array.shape, array.dtype, buffer, 0, array.strides)
        seen[...] = array
        return OnDevice(seen)

    def free(self):
        for memory in self.given:
            assert self.library.cudaFree(memory) == 0


cuda = cupy()
