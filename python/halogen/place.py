"""Where the command halogen, libhx and a C compiler for MPI are.

An installed package knows the prefix that it was installed with, by relative paths in _installed.py.  Environment
variables come first, for trees that are not installed: HALOGEN is the command, HALOGEN_HX_CFLAGS and HALOGEN_HX_LIBS say
how to compile and link with libhx, HALOGEN_HX_CUDA_LIBS how to link with libhx_cuda.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from typing import List, NamedTuple, Optional, Sequence, Tuple

from . import errors

_HERE = os.path.dirname(os.path.abspath(__file__))

try:
    from . import _installed  # type: ignore[attr-defined]
except ImportError:  # a checkout
    _installed = None


def _beside(relative: str) -> Optional[str]:
    """A path of the prefix of this package, if there is something."""
    found = os.path.normpath(os.path.join(_HERE, relative))
    return found if os.path.exists(found) else None


def command() -> str:
    """The path of the command halogen.  Raises SpecError if there is none."""
    given = os.environ.get("HALOGEN")
    beside = _beside(_installed.COMMAND) if _installed else None
    found = given or beside or shutil.which("halogen")
    if not found or not os.access(found, os.X_OK):
        raise errors.SpecError("the command halogen was not found beside the package or in PATH.")
    return found


def _pkg_config(option: str, package: str = "hx") -> Optional[str]:
    program = shutil.which("pkg-config") or shutil.which("pkgconf")
    if not program:
        return None
    environment = dict(os.environ)
    beside = _beside(_installed.PKGCONFIG) if _installed else None
    if beside:
        environment["PKG_CONFIG_PATH"] = beside + os.pathsep + environment.get("PKG_CONFIG_PATH", "")
    done = subprocess.run([program, option, package], env=environment, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


class Libhx(NamedTuple):
    """How to compile and link with libhx."""

    cflags: Tuple[str, ...]
    libs: Tuple[str, ...]

    def directories(self) -> List[str]:
        """Where the linker looks for libraries."""
        return [word[2:] for word in self.libs if word.startswith("-L")]


def libhx() -> Libhx:
    """Raises CompilerError if pkg-config does not know it."""
    cflags, libs = os.environ.get("HALOGEN_HX_CFLAGS"), os.environ.get("HALOGEN_HX_LIBS")
    if cflags is None or libs is None:
        cflags, libs = _pkg_config("--cflags"), _pkg_config("--libs")
    if cflags is None or libs is None:
        raise errors.CompilerError(
            "libhx was not found: pkg-config knows no package hx.  Install libhx0-dev and pkgconf, or set PKG_CONFIG_PATH."
        )
    # Emitted code needs libhx alone, not the library of check programs.
    return Libhx(tuple(shlex.split(cflags)), tuple(word for word in shlex.split(libs) if word != "-lhx_check"))


def libhx_cuda() -> Tuple[str, ...]:
    """Words for the linker where fields lie in the memory of a device.  Raises CompilerError if it was not built."""
    libs = os.environ.get("HALOGEN_HX_CUDA_LIBS") or _pkg_config("--libs", "hx-cuda")
    if libs is None:
        raise errors.CompilerError(
            "libhx_cuda was not found: pkg-config knows no package hx-cuda, which halogen has where it was built with CUDA."
        )
    return tuple(shlex.split(libs))


def compiler_of_kernels() -> Tuple[str, ...]:
    """The words of nvcc: $HALOGEN_NVCC, or nvcc in PATH or below /usr/local/cuda.  Raises CompilerError if there is none."""
    given = os.environ.get("HALOGEN_NVCC")
    words = shlex.split(given) if given else [shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"]
    if not shutil.which(words[0]):
        raise errors.CompilerError(f"{words[0]} was not found; fields in the memory of a device need nvcc.")
    return tuple(words)


def compiler(cc: Optional[str]) -> Tuple[str, ...]:
    """The words of the compiler: `cc`, $HALOGEN_CC, $MPICC or mpicc.  Raises CompilerError if it is not there."""
    given = cc or os.environ.get("HALOGEN_CC") or os.environ.get("MPICC") or "mpicc"
    try:
        words: Sequence[str] = shlex.split(given)
    except ValueError as error:
        raise errors.CompilerError(f"the compiler {given} is no command: {error}.") from None
    if not words or not shutil.which(words[0]):
        raise errors.CompilerError(
            f"{words[0] if words else cc} was not found; halogen.load compiles what it generates: install one, or set cc=."
        )
    return tuple(words)
