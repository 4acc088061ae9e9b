"""Communicators: those of mpi4py, or numbers of Fortran where there is no mpi4py."""

from __future__ import annotations

import ctypes
import sys
from typing import Any, Optional, Tuple

from . import errors, library
from .library import Functions, Library


def module() -> Optional[Any]:
    """mpi4py.MPI if the program has it; importing is not left to us, since it may start MPI."""
    return sys.modules.get("mpi4py.MPI")


def _size(library: Any) -> Tuple[int, str]:
    return library.comm_size, "Open MPI" if library.mpi.startswith("Open MPI") else "MPICH"


def compare(library: Any) -> None:
    """Refuses a library that was compiled for another MPI than libhx or mpi4py.

    Two MPIs in one process call each other's functions.  So what was compiled in is compared, before any other call.
    """
    libhx = library.hx_version().decode()
    if ("Open MPI" in libhx) != library.mpi.startswith("Open MPI"):
        raise errors.MismatchError(
            f"the compiler is that of {library.mpi}, and libhx is built with another MPI ({libhx}): give that MPI's mpicc by "
            "cc=."
        )
    MPI = module()
    if MPI is None:
        return
    name, version = MPI.get_vendor()
    theirs = (MPI._sizeof(MPI.Comm), "Open MPI" if name == "Open MPI" else "MPICH")
    if theirs != _size(library):
        raise errors.MismatchError(
            f"libhx was built with {library.mpi}, mpi4py with {name} {'.'.join(map(str, version))}: "
            "build one of them with the other's mpicc."
        )


def is_running(library: Functions) -> Tuple[bool, bool]:
    """Whether MPI was initialized, and whether it was finalized."""
    begun, ended = ctypes.c_int(), ctypes.c_int()
    library.MPI_Initialized(begun)
    library.MPI_Finalized(ended)
    return bool(begun.value), bool(ended.value)


def _need_mpi(library: Library, call: str) -> None:
    begun, ended = is_running(library)
    if ended:
        raise errors.StateError(f"{call} was called after MPI_Finalize.")
    if not begun:
        raise errors.StateError("MPI is not initialized: import mpi4py.MPI first.")


def _fortran(comm: Any) -> int:
    """The number of Fortran that stands for a communicator."""
    if isinstance(comm, int) and not isinstance(comm, bool):
        return library.whole(comm, "comm", -library.MOST_INT)
    MPI = module()
    if MPI is not None and isinstance(comm, MPI.Comm):
        if comm == MPI.COMM_NULL:
            raise errors.ArgumentError("comm: is COMM_NULL (or was freed).")
        return int(comm.py2f())
    if MPI is None and comm is None:
        raise errors.ArgumentError(
            "halogen needs mpi4py for communicators; install python3-mpi4py, or call MPI_Init and give comm a "
            "Fortran handle."
        )
    raise errors.ArgumentError(
        f"comm: needs an mpi4py communicator or an int, a Fortran handle, got {type(comm).__name__}."
    )


def handle(library: Library, comm: Any, call: str) -> Any:
    """The MPI_Comm of C, as an instance of library.comm_type."""
    fortran = _fortran(comm)
    _need_mpi(library, call)
    out = library.comm_type()
    library.comm_of_fortran(fortran, ctypes.addressof(out))
    return out
