"""How things end on several ranks: mpirun -n N python3 ends.py [exit]

With "exit" the program ends in the middle of things, with open handles, arrays and an exchange under way.
"""

import gc
import os
import signal
import sys
import threading
import time
import weakref

from mpi4py import MPI

import halogen
from ranks import comm, refuses, run

HERE = os.path.dirname(os.path.abspath(__file__))
CELLS = (12, 7, 9)


def test_close_waits_for_no_view(spec, comm):
    """One rank looks into memory of the handle: it stays on all ranks, until that rank looks no more."""
    halo = spec.create(comm, CELLS)
    f = halo.alloc()
    f.u[...] = comm.rank
    kept = f.u if comm.rank == comm.size - 1 else None
    assert not halo.close()
    assert kept is None or kept.min() == comm.size - 1
    refuses(halogen.StateError, "the handle is closed.", halo.velocity, f)
    del kept
    assert halo.close() and halo.close()


def test_free_waits_for_no_view(spec, comm):
    with spec.create(comm, CELLS) as halo:
        f = halo.alloc()
        kept = f.u if comm.rank == 0 else None
        refuses(halogen.StateError, "free: on some rank something looks into these arrays", f.free)
        halo.velocity(f)
        del kept
        f.free()
        refuses(halogen.StateError, "these arrays were freed.", lambda: f.u)


def test_deadline(spec, comm):
    """One rank does not come: the others learn so, in words, and keep the arrays, which messages may still reach."""
    if comm.size < 2:
        return
    before = os.environ.pop("HX_DEADLINE", None)
    for deadline in 0.5, 2, 8:  # it holds for create, too, in which a busy machine may keep a rank
        try:
            halo = spec.create(comm, CELLS, deadline=deadline)
        except halogen.DeadlineError:
            halo = None
        if comm.allreduce(halo is not None, op=MPI.LAND):
            break
    assert halo is not None
    f = halo.empty()
    if comm.rank > 0:
        refused = False
        try:
            halo.velocity(f)
        except halogen.DeadlineError as error:
            refused = error.code == "HX_ERR_DEADLINE" and "velocity" in str(error)
        array = weakref.ref(f.u)
        del f
        gc.collect()
        assert not refused or array() is not None
        assert refused or comm.size > 2  # of more ranks some have no message from rank 0
    time.sleep(1.0)
    comm.Barrier()
    if before is not None:
        os.environ["HX_DEADLINE"] = before


def test_other_threads_run(spec, comm):
    """While rank 1 waits in an exchange, another thread of it counts, is refused, and only then asks rank 0 to come."""
    if comm.size != 2 or MPI.Query_thread() != MPI.THREAD_MULTIPLE:
        return
    with spec.create(comm, CELLS) as halo:
        f, seen = halo.empty(), []

        def count():
            while not halo._lock.locked():
                time.sleep(0.001)
            for number in range(20):
                time.sleep(0.001)
            try:
                halo.velocity(f)
            except halogen.StateError as error:
                seen.append(str(error))
            comm.send(None, 0)

        if comm.rank == 1:
            thread = threading.Thread(target=count)
            thread.start()
            halo.velocity(f)
            thread.join()
            assert seen == ["another thread is in this handle."], seen
        else:
            comm.recv(source=1)
            halo.velocity(f)


def test_interrupt(spec, comm):
    """Ctrl-C while rank 1 waits is seen when the call returns, and the exchange is whole."""
    if comm.size != 2 or MPI.Query_thread() != MPI.THREAD_MULTIPLE:
        return
    with spec.create(comm, CELLS) as halo:
        f, caught = halo.empty(), False

        def interrupt():
            while not halo._lock.locked():
                time.sleep(0.001)
            time.sleep(0.05)
            os.kill(os.getpid(), signal.SIGINT)
            comm.send(None, 0)

        if comm.rank == 1:
            thread = threading.Thread(target=interrupt)
            thread.start()
        else:
            comm.recv(source=1)
        try:
            halo.velocity(f)
        except KeyboardInterrupt:
            caught = True
        if comm.rank == 1:
            thread.join()
        assert caught == (comm.rank == 1)
        halo.velocity(f)


def leave(spec, comm):
    """Handles, arrays and an exchange under way are left to the end of the interpreter."""
    halo, other = spec.create(comm, CELLS), spec.create(comm, CELLS)
    f, g = halo.alloc(), other.empty()
    halo.velocity(f)
    leave.kept = (halo, f.u[1:], other.velocity.start(g))


def main():
    spec = halogen.load(os.path.join(HERE, "basin.lua"), comm=comm)
    if "exit" in sys.argv:
        leave(spec, comm)
        return
    tests = (
        test_close_waits_for_no_view,
        test_free_waits_for_no_view,
        test_other_threads_run,
        test_interrupt,
        test_deadline,
    )
    run(tests, spec, comm)


if __name__ == "__main__":
    main()
