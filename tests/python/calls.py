"""What a call from Python costs more than one from C: calls.py LOOP [ROUNDS]

The exchange is that of 3 fields of 4 x 4 x 4 cells on one rank.  C and Python take turns, and each round gives a difference.
The promise is 1 microsecond for arrays that were bound before, and 10 for arrays that are checked at each call.  Machines
differ, so the test fails where even the best round takes twice as much.
"""

import ctypes
import os
import statistics
import sys
import time

from mpi4py import MPI

import halogen

HERE = os.path.dirname(os.path.abspath(__file__))
CALLS = 3000


def microseconds(call):
    """Of this thread, for one call of Python, without the loop around it."""
    start = time.thread_time()
    for _ in range(CALLS):
        call()
    called = time.thread_time()
    for _ in range(CALLS):
        pass
    return (2 * called - start - time.thread_time()) / CALLS * 1e6


def main():
    loop = ctypes.CDLL(sys.argv[1]).loop
    loop.restype, loop.argtypes = ctypes.c_double, (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 21
    spec = halogen.load(os.path.join(HERE, "basin.lua"), comm=MPI.COMM_WORLD)
    with spec.create(MPI.COMM_WORLD, (4, 4, 4)) as halo:
        f, velocity = halo.empty(), halo.velocity
        u, v, w = f.u, f.v, f.w
        ways = {
            "bound": lambda: velocity(f),
            "bound, start and finish": lambda: velocity.start(f).finish(),
            "checked": lambda: velocity(u, v, w),
            "checked, by name": lambda: velocity(u=u, v=v, w=w),
        }
        more, in_c = {way: [] for way in ways}, []
        for _ in range(rounds):
            for way, call in ways.items():
                in_c.append(loop(velocity.address, halo.address, f.address, CALLS) / CALLS * 1e6)
                more[way].append(microseconds(call) - in_c[-1])
    print(f"in C: {statistics.median(in_c):.2f} us; more than that in Python, of {rounds} rounds:")
    for way, times in more.items():
        print(f"  {way:24} median {statistics.median(times):5.2f}, least {min(times):5.2f}, most {max(times):5.2f} us")
    assert min(in_c) > 0 and min(more["bound"]) <= 2.0 and min(more["checked"]) <= 20.0


if __name__ == "__main__":
    main()
