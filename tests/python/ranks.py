"""What programs of several ranks have in common: how they run their tests, and how they find that calls are refused."""

from mpi4py import MPI

comm = MPI.COMM_WORLD


def fail(words):
    """Ends the program on all ranks."""
    print(f"FAIL rank {comm.rank}: {words}", flush=True)
    comm.Abort(1)


def _sentence(kind, call):
    try:
        call()
    except kind as error:
        return str(error)
    return None


def refuses(kind, start, call, *arguments, **named):
    """The call raises an error of this kind, whose sentence begins so."""
    sentence = _sentence(kind, lambda: call(*arguments, **named))
    if sentence is None or not sentence.startswith(start):
        fail(f"not refused by {kind.__name__} {start!r}…: {sentence}")


def raises(kind, part, call, *arguments, **named):
    """The call raises an error of this kind, whose sentence has that part."""
    sentence = _sentence(kind, lambda: call(*arguments, **named))
    if sentence is None or part not in sentence:
        fail(f"not refused by {kind.__name__} … {part!r} …: {sentence}")


def run(tests, *arguments):
    """Calls each test with these arguments, on all ranks."""
    for test in tests:
        test(*arguments)
    if comm.rank == 0:
        print("all right on", comm.size, "ranks")
