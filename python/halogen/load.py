"""halogen.load: from a spec to an object with its exchanges.

The command halogen emits C and Python, a compiler makes a library of it, and a folder of the cache keeps both.  Its name
is a hash of all that went in.  A folder is made somewhere else and renamed when it is whole: so whoever finds one finds
all of it, however many processes start at once.  A lock lets one of them compile and the others wait, which is faster;
where locks do not work all compile, and all is right.
"""

from __future__ import annotations

import collections.abc
import errno
import fcntl
import hashlib
import importlib.util
import itertools
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import warnings
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from . import __version__, build, errors, place
from .spec import Spec

Sources = Dict[str, bytes]


class Recipe(NamedTuple):
    """How a library is compiled."""

    compiler: Tuple[str, ...]
    cflags: Tuple[str, ...]
    libs: Tuple[str, ...]
    version: str
    """What the compilers say about themselves, and which MPI they compile for."""
    kernels: Tuple[str, ...]
    """The words that compile device code; none where there is none."""


# ---- generate -----------------------------------------------------------------------------------------------------


def _diagnostics(text: str) -> List[Dict[str, Any]]:
    found = []
    for line in text.splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def _refused(words: Sequence[str], said: str) -> errors.SpecError:
    """Runs halogen once more, for diagnostics that programs can read."""
    told = subprocess.run([*words, "--diag", "json"], capture_output=True, text=True).stderr
    error = errors.SpecError(said.strip())
    error.diagnostics = _diagnostics(told)
    return error


def generate(path: str, params: Mapping[str, Any]) -> Sources:
    """What halogen emits for a spec, by names of files, with headers that it names.  Raises SpecError."""
    if not os.path.isfile(path):
        where = "looked in the current directory" if not os.path.isabs(path) else "it is an absolute path"
        raise errors.SpecError(f"{path}: no such file ({where}).")
    given = os.path.join(".", path) if path.startswith("-") else path  # which is no option
    words = [place.command(), given, "--emit", "c,python"]
    for name, value in params.items():
        words += ["-D", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
    with tempfile.TemporaryDirectory(prefix="halogen-") as directory:
        words += ["-o", directory]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            raise _refused(words, done.stderr)
        sources = {name: _read(os.path.join(directory, name)) for name in sorted(os.listdir(directory))}
    sources.update(_headers(sources, os.path.dirname(path)))
    return sources


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _headers(sources: Sources, directory: str) -> Sources:
    """Headers of structs that lie beside the spec.  Others are the compiler's to find."""
    found = {}
    for name in re.findall(rb'^#include "([^"]+)"', b"\n".join(sources.values()), re.MULTILINE):
        path = os.path.join(directory, name.decode())
        if name.decode() not in sources and b".." not in name and os.path.isfile(path):
            found[name.decode()] = _read(path)
    return found


def generate_text(text: build.SpecText, params: Mapping[str, Any]) -> Sources:
    """The same for a spec that was written in Python.  Raises SpecError, which names the lines of Python."""
    with tempfile.TemporaryDirectory(prefix="halogen-spec-") as directory:
        try:
            return generate(text.write(directory), params)
        except errors.SpecError as error:
            error.diagnostics = text.located(list(error.diagnostics))
            raise _in_words(error) if error.diagnostics else error from None


def _in_words(error: errors.SpecError) -> errors.SpecError:
    lines = []
    for found in error.diagnostics:
        lines.append(f"{found.get('file')}:{found.get('line')}: {found.get('severity', 'error')}: {found.get('message')}")
        if found.get("help"):
            lines.append(f"  help: {found['help']}")
    made = errors.SpecError("\n".join(lines))
    made.diagnostics = error.diagnostics
    return made


def _name_of(sources: Sources) -> str:
    """The name of the spec: that of the only file of Python."""
    return next(name[:-3] for name in sources if name.endswith(".py"))


# ---- what goes into a hash ------------------------------------------------------------------------------------------


def _says(*words: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""


def recipe(cc: Optional[str], cflags: Sequence[str], has_kernels: bool) -> Recipe:
    """How this machine compiles.  Raises CompilerError."""
    compiler, hx = place.compiler(cc), place.libhx()
    version = _says(*compiler, "--version") + _says(*compiler, "-show") + _says(*compiler, "-showme:version")
    libs = list(hx.libs)
    for directory in hx.directories():
        libs += ["-Xlinker", "-rpath", "-Xlinker", directory]  # -Wl would take a comma in its name for the end
    flags = ("-std=c11", "-O3", "-fPIC", "-shared", *hx.cflags, *cflags)
    kernels: Tuple[str, ...] = ()
    if has_kernels:
        nvcc = place.compiler_of_kernels()
        version += _says(*nvcc, "--version")
        # Without the library of C++, since a C compiler links.
        kernels = (*nvcc, "-O3", "-Xcompiler", "-fPIC,-fno-exceptions,-fno-threadsafe-statics", *hx.cflags)
        libs += place.libhx_cuda()
    return Recipe(compiler, flags, tuple(libs), version, kernels)


def _libhx_hash(libs: Sequence[str]) -> bytes:
    """Of the library itself: one of the same version may be another build."""
    for directory in (word[2:] for word in libs if word.startswith("-L")):
        path = os.path.join(directory, "libhx.so")
        if os.path.exists(path):
            return hashlib.sha256(_read(path)).digest()
    return b"in a directory of the linker's own"


def key_of(sources: Sources, how: Recipe) -> str:
    """The name of the folder: that of the spec, and the start of a SHA-256 of all that goes in."""
    sha = hashlib.sha256(__version__.encode())
    for name, text in sorted(sources.items()):
        sha.update(b"%d %s %d\n" % (len(name), name.encode(), len(text)) + text)
    for words in (how.compiler, how.cflags, how.libs, (how.version,), how.kernels):
        sha.update(json.dumps(words).encode())
    sha.update(_libhx_hash(how.libs))
    return f"{_name_of(sources)}-{sha.hexdigest()[:32]}"


# ---- the cache ------------------------------------------------------------------------------------------------------


def _default_cache() -> str:
    given = os.environ.get("HALOGEN_CACHE")
    if given:
        return given
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "halogen")


def _why_not_writable(directory: str) -> Optional[str]:
    """None if files can be made there.  Found out by making one: mode bits mean nothing to root."""
    try:
        os.makedirs(directory, mode=0o700, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            return None
    except OSError as error:
        return error.strerror


def _temporary_cache() -> str:
    """A folder of this user's own, for when the cache cannot be written."""
    directory = os.path.join(tempfile.gettempdir(), f"halogen-{os.getuid()}")
    try:
        os.mkdir(directory, 0o700)
    except FileExistsError:
        about = os.lstat(directory)
        if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.getuid() or about.st_mode & 0o077:
            return tempfile.mkdtemp(prefix="halogen-")
    return directory


@contextmanager
def _locked(path: str) -> Iterator[None]:
    """Waits until no other process of this machine has the lock.  For speed only: where it fails, go on."""
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        yield
        return
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError:
            pass
        yield
    finally:
        os.close(file)


def _is_there(folder: str, name: str) -> bool:
    """Also where something that empties directories of temporary files took some of them."""
    return all(os.path.exists(os.path.join(folder, file)) for file in (f"lib{name}.so", f"{name}.py"))


def _write(sources: Sources, directory: str) -> None:
    for name, text in sources.items():
        path = os.path.join(directory, name)
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "wb") as file:
            file.write(text)


def _keep(sources: Sources, directory: str) -> None:
    try:
        _write(sources, directory)
    except OSError as error:
        raise errors.ArgumentError(f"keep: {directory} is no directory that can be written ({error.strerror}).") from None


def _run(words: Sequence[str], directory: str, what: str) -> None:
    done = subprocess.run(words, cwd=directory, capture_output=True, text=True)
    if done.returncode != 0:
        output = done.stdout + done.stderr
        last = "\n".join(output.splitlines()[-12:])
        error = errors.CompilerError(f"{words[0]} could not compile {what}; its last lines:\n{last}")
        error.command, error.output = words, output
        raise error


def _compile(sources: Sources, how: Recipe, directory: str) -> None:
    name = _name_of(sources)
    _write(sources, directory)
    objects = []
    if how.kernels:
        objects = [f"{name}_device.o"]
        _run([*how.kernels, "-I", ".", "-c", f"{name}.cu", "-o", objects[0]], directory, f"{name}.cu")
    ours = sorted(file_name for file_name in sources if file_name.endswith(".c"))
    words = [*how.compiler, *how.cflags, "-I", ".", *ours, *objects, "-o", f"lib{name}.so", *how.libs]
    _run(words, directory, f"{name}.c")


def _make(sources: Sources, how: Recipe, cache: str, key: str) -> str:
    """Compiles in a folder of its own and gives it its name; another process may be first."""
    folder = os.path.join(cache, key)
    work = tempfile.mkdtemp(prefix=f".{key}-", dir=cache)
    made = os.path.join(work, "made")  # mkdtemp's own is for nobody else, and a cache may be for a group
    try:
        os.mkdir(made)
        _compile(sources, how, made)
        try:
            os.rename(made, folder)
        except OSError as error:
            if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                raise
            if not _is_there(folder, _name_of(sources)):
                os.rename(folder, os.path.join(work, "broken"))
                os.rename(made, folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return folder


def _ensure_in(cache: str, sources: Sources, how: Recipe, key: str) -> str:
    name, folder = _name_of(sources), os.path.join(cache, key)
    with _locked(os.path.join(cache, f".{key}.lock")):
        return folder if _is_there(folder, name) else _make(sources, how, cache, key)


def ensure(sources: Sources, how: Recipe, cache: Optional[str], key: str) -> str:
    """The folder that has the library.  Raises CompilerError."""
    directory = os.path.abspath(os.path.expanduser(cache or _default_cache()))
    folder = os.path.join(directory, key)
    if _is_there(folder, _name_of(sources)):
        return folder
    why = _why_not_writable(directory)
    if why:
        warnings.warn(
            f"{directory} cannot be written ({why}); compiling into a temporary directory.", RuntimeWarning, stacklevel=5
        )
        directory = _temporary_cache()
    return _ensure_in(directory, sources, how, key)


# ---- open -----------------------------------------------------------------------------------------------------------

_opened = itertools.count()


def _wait_for(path: str) -> None:
    """File systems over a network may show a folder some seconds after another machine made it."""
    for _ in range(50):
        if os.path.exists(path):
            return
        time.sleep(0.1)


def open_folder(folder: str, name: str) -> Spec:
    """The spec that a folder of the cache has."""
    path = os.path.join(folder, name + ".py")
    _wait_for(path)
    module_name = f"halogen._of_{name}_{next(_opened)}"
    about: Any = importlib.util.spec_from_file_location(module_name, path)
    module = importlib.util.module_from_spec(about)
    sys.modules[module_name] = module
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    try:
        about.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module.Spec(os.path.join(folder, f"lib{name}.so"))


# ---- with several ranks -----------------------------------------------------------------------------------------------


def _agree(comm: Any, mine: Any) -> Any:
    """What rank 0 has, or its error, on all ranks.  mine: a function, called on rank 0."""
    if comm is None:
        return mine()
    result: Any = None
    problem: Optional[Exception] = None
    if comm.Get_rank() == 0:
        try:
            result = mine()
        except Exception as error:
            problem = error
    result, problem = comm.bcast((result, problem), root=0)
    if problem is not None:
        raise problem
    return result


def _all_or_none(comm: Any, mine: Any) -> Any:
    """What a function gives here, or the error of the first rank that has one, on all ranks."""
    if comm is None:
        return mine()
    result, error = None, None
    try:
        result = mine()
    except Exception as caught:
        error = caught
    for other in comm.allgather(error):
        if other is not None:
            raise other
    return result


_WORDS = 'a list of words, as ["-O2", "-g"]'
_TYPES: Dict[str, Tuple[Any, str]] = {
    "path": ((str, os.PathLike, build.SpecText), "the path of a spec, or what build.spec made"),
    "params": ((type(None), collections.abc.Mapping), "a dict of values by name"),
    "cc": ((type(None), str), "a command, as text"),
    "cflags": ((list, tuple), _WORDS),
    "cache": ((type(None), str, os.PathLike), "a directory"),
    "keep": ((type(None), str, os.PathLike), "a directory"),
}


def _refuse_types(comm: Any, **given: Any) -> None:
    """Raises ArgumentError.  A text would pass for a list of words: of its letters."""
    for name, value in given.items():
        kinds, words = _TYPES[name]
        if not isinstance(value, kinds) and not (name == "keep" and value is False):
            raise errors.ArgumentError(f"{name}: needs {words}, got {value!r}.")
    if not all(isinstance(word, str) for word in given["cflags"]):
        raise errors.ArgumentError(f"cflags: needs {_WORDS}, got {given['cflags']!r}.")
    if comm is not None and not hasattr(comm, "bcast"):
        raise errors.ArgumentError(f"comm: needs a communicator of mpi4py, or None, got {comm!r}.")


def load(
    path: Any,
    *,
    comm: Any = None,
    params: Optional[Mapping[str, Any]] = None,
    cache: Optional[str] = None,
    cc: Optional[str] = None,
    cflags: Sequence[str] = (),
    keep: Any = False,
) -> Spec:
    """Generates, compiles and opens a spec.

    With `comm` it is collective: rank 0 generates, one rank of each machine compiles, and an error is raised on all ranks.
    Without, each rank does all that by itself, and they share what is in the cache.

    Args:
        path: of the spec, a file of Lua; or what halogen.build.spec made.
        comm: a communicator of mpi4py, or None.
        params: values of the spec's parameters, by name, as -D gives them.
        cache: a directory; None: $HALOGEN_CACHE, $XDG_CACHE_HOME/halogen or ~/.cache/halogen.  One that cannot be written
            still serves what is in it.
        cc: the compiler; None: $HALOGEN_CC, $MPICC or mpicc.
        cflags: more words for it.
        keep: a directory to put copies of the emitted files into, for reading.

    Returns:
        A Spec.

    Raises:
        SpecError: halogen refused the spec, or there is no halogen.  CompilerError: the compiler did, or there is none.
        MismatchError: libhx was built with another MPI than mpi4py.
    """
    _refuse_types(path=path, comm=comm, params=params, cc=cc, cflags=cflags, cache=cache, keep=keep)

    def prepare() -> Tuple[Sources, Recipe]:
        sources = _sources(path, params or {})
        if keep:
            _keep(sources, os.fspath(keep))
        return sources, recipe(cc, cflags, any(name.endswith(".cu") for name in sources))

    # Only rank 0 runs other programs, unless another machine has to compile, too.
    sources, how, key = _agree(comm, lambda: _with_key(*prepare()))
    spec = _all_or_none(comm, lambda: open_folder(ensure(sources, how, cache, key), _name_of(sources)))
    if isinstance(path, build.SpecText):
        spec.library.text = path
    return spec


def _with_key(sources: Sources, how: Recipe) -> Tuple[Sources, Recipe, str]:
    return sources, how, key_of(sources, how)


def _sources(path: Any, params: Mapping[str, Any]) -> Sources:
    if isinstance(path, build.SpecText):
        return generate_text(path, params)
    return generate(os.fspath(path), params)
