"""Tables and windows from Python on any number of ranks: mpirun -n N python3 memory.py"""

import numpy as np
from mpi4py import MPI

import halogen
from halogen import build as b
from ranks import comm, refuses, run


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


def test_pools(comm):
    """Buffers of the program and of a handle come from one stock, also where that is a window."""
    with halogen.Pool(check=True) as pool:
        buffer = pool.acquire(1000)
        assert buffer.nbytes == 1000 and buffer.ctypes.data % 64 == 0
        buffer.view("f8")[...] = 1.5
        at = buffer.ctypes.data
        pool.release(buffer)
        refuses(halogen.StateError, "", pool.release, buffer)
        refuses(halogen.ArgumentError, "", pool.release, np.zeros(3))
        refuses(halogen.ArgumentError, "buffer: needs an array that acquire() gave, got int.", pool.release, 5)
        again = pool.acquire(1000)
        assert again.ctypes.data == at and pool.count()[:3] == (2, 1, 1) and pool.count().in_use >= 1000
        pool.release(again)
        spec = halogen.load(b.spec("pooled", b.exchange("e", b.field("t", on=b.cartesian(axes="x", periodic="x"), type="double", halo=1))), comm=comm)
        halo = spec.create(comm, (4 * comm.size,), pool=pool, transport="p2p")
        f = halo.empty()
        f.owned.t[...] = np.arange(4) + halo.first[0]
        halo.e(f)
        assert (f.t == np.arange(-1, 5) % 4 + (np.arange(-1, 5) // 4 + comm.rank) % comm.size * 4).all(), f.t
        if comm.size > 1:
            assert pool.count().held > 0
            refuses(halogen.StateError, "", pool.close)
        halo.close()
        pool.trim()
        assert pool.count().held == pool.count().idle == 0
        refuses(halogen.ArgumentError, "pool: cannot be 5.", spec.create, comm, (4 * comm.size,), pool=5)
    refuses(halogen.StateError, "the pool is closed.", pool.acquire, 5)
    with halogen.Window(comm, 4096, "u1", memory="private") as window:
        refuses(halogen.ArgumentError, "window: needs a halogen.Window or None, got int.", halogen.Pool, 5)
        with halogen.Pool(window) as pool:
            first, second = pool.acquire(500), pool.acquire(500)
            mine = window.array()
            assert pool.offset(second) == second.ctypes.data - mine.ctypes.data
            refuses(halogen.AllocationError, "", pool.acquire, 4000)
            pool.release(first), pool.release(second)
            del mine


def main():
    run((test_tables, test_parts, test_peers, test_pools), comm)


if __name__ == "__main__":
    main()
