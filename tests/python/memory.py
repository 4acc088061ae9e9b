"""Tables and windows from Python on any number of ranks: mpirun -n N python3 memory.py"""

import numpy as np
from mpi4py import MPI

import halogen


def refuses(kind, start, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except kind as error:
        assert str(error).startswith(start), error
    else:
        raise AssertionError(f"nothing was refused: {start}")


def test_tables(comm):
    depth = np.arange(24.0).reshape(4, 6).T
    root = comm.size - 1
    with halogen.Tables(comm) as tables:
        for array in (depth, np.array(7, "i4"), np.array([(1, 2.5)], "i4,f8"), np.zeros((0, 3)), np.array([True, False])):
            got = tables.share(array if comm.rank == root else None, root=root)
            assert got.dtype == array.dtype and got.shape == array.shape and (got == array).all()
            refuses(ValueError, "assignment destination is read-only", got.__setitem__, ..., 0)
        del got
        ours = tables.share(np.zeros(comm.size) if comm.rank == 0 else None, writable=True)
        ours[comm.rank] = comm.rank + 1
        tables.sync()
        assert (ours == np.arange(comm.size) + 1).all(), ours
        refuses(halogen.ArgumentError, "share: rank 0 has to give an array", tables.share, None)
        refuses(halogen.ArgumentError, "share: rank 0 has to give an array", tables.share, np.array(["a"], object))
        refuses(halogen.ArgumentError, "share: rank 0 gave no array: ", tables.share, [[1], [1, 2]])
        assert not tables.close()
        comm.Barrier()
        assert ours[0] == 1.0
        del ours
    refuses(halogen.StateError, "these tables are closed.", tables.sync)
    refuses(halogen.ArgumentError, "comm: needs an mpi4py communicator, got int.", halogen.Tables, 0)
    refuses(halogen.ArgumentError, "comm: is COMM_NULL (or was freed).", halogen.Tables, MPI.COMM_NULL)


def test_parts(comm):
    """Every rank writes into its part, and reads those of the others."""
    if comm.size == 1:
        return
    with halogen.Window(comm, (2, 3), "i8", memory="parts") as window:
        window.lock_all(way="node")
        window.array()[...] = comm.rank * 10 + np.arange(6).reshape(2, 3)
        window.sync()
        comm.Barrier()
        window.sync()
        other = window.array((window.node_rank + 1) % window.node_ranks)
        assert (other == (comm.rank + 1) % comm.size * 10 + np.arange(6)).all(), other
        comm.Barrier()
        window.unlock_all(way="node")
        del other


def test_peers(comm):
    """Puts and gets, by fences and by locks."""
    with halogen.Window(comm, comm.size, memory="private", check=True) as window:
        mine, number = window.array(), np.array([comm.rank + 0.5])
        mine[...] = -1.0
        window.fence()
        for target in range(comm.size):
            window.put(number, target, comm.rank)
        window.fence()
        assert (mine == np.arange(comm.size) + 0.5).all(), mine
        window.fence()
        comm.Barrier()
        window.lock_all()
        into = np.zeros(comm.size)
        window.get(into, (comm.rank + 1) % comm.size)
        window.flush()
        assert (into == np.arange(comm.size) + 0.5).all(), into
        window.unlock_all()
        refuses(halogen.ArgumentError, "array: needs a NumPy array of float64 in C order.", window.put, np.zeros(3, "f4"), 0)
        refuses(halogen.ArgumentError, "way: is one of node, peers, leaders", window.fence, way="all")
        refuses(halogen.StateError, "", window.put, number, 0)
        comm.Barrier()
        del mine
    refuses(halogen.StateError, "the window is closed.", window.fence)
    refuses(halogen.ArgumentError, "memory: is one of", halogen.Window, comm, 3, memory="cloud")


def main():
    comm = MPI.COMM_WORLD
    for test in (test_tables, test_parts, test_peers):
        test(comm)
    if comm.rank == 0:
        print("all right on", comm.size, "ranks")


if __name__ == "__main__":
    main()
