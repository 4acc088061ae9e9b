"""What goes wrong, as classes of exceptions.

Each has a sentence that names the place in the spec, the numbers that disagree and a way out.  An error that libhx
found has the sentence of hx_last_error, and the number and the name of its hx_status.
"""

from __future__ import annotations

from typing import Any, Dict, Optional, Sequence


class Error(RuntimeError):
    """The base of all errors of halogen.

    Attributes:
        status: the number of libhx's hx_status, or None if Python found the error.
        code: its name, such as "HX_ERR_STATE", or None.
    """

    status: Optional[int] = None
    code: Optional[str] = None


class ArgumentError(Error, ValueError):
    """An argument cannot be used: an array of another type, order or shape, a number out of range, an unknown name."""


class StateError(Error):
    """A call out of order: an exchange that is under way, a closed handle, MPI not initialized, after a fork."""


class PartitionError(Error, ValueError):
    """Cells, ranks or cuts do not fit each other or the spec."""


class MismatchError(Error):
    """Ranks run different specs, partitions or options; or a library belongs to another spec, libhx or MPI."""


class AllocationError(Error, MemoryError):
    """Memory could not be had."""


class MpiError(Error):
    """A call of MPI failed; the sentence has MPI's own text."""


class DeadlineError(Error, TimeoutError):
    """The option deadline passed while waiting for other ranks.  The handle can only be closed."""


class LimitError(Error, OverflowError):
    """Larger than what libhx or MPI can count."""


class InternalError(Error):
    """A bug of libhx: please report it."""


class DeviceError(Error):
    """There is no device, or a call of its library failed."""


class SpecError(Error, ValueError):
    """halogen refused the spec; the text is what it says.

    Attributes:
        diagnostics: one dict for each error and warning, as `halogen --diag json` prints them: code, message, file,
            line, help and more.
    """

    diagnostics: Sequence[Dict[str, Any]] = ()


class CompilerError(Error):
    """The C compiler refused what halogen emitted, or there is none.

    Attributes:
        command: the words of the command.
        output: what it printed.
    """

    command: Sequence[str] = ()
    output: str = ""


# In the order of hx_status.
_BY_STATUS = (
    Error,
    ArgumentError,
    StateError,
    PartitionError,
    MismatchError,
    AllocationError,
    MpiError,
    DeadlineError,
    LimitError,
    InternalError,
    DeviceError,
)


def of_status(status: int, code: str, sentence: str) -> Error:
    """The exception for a status of libhx other than HX_OK."""
    kind = _BY_STATUS[status] if 0 < status < len(_BY_STATUS) else Error
    error = kind(sentence)
    error.status = status
    error.code = code
    return error
