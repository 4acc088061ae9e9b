/*
 * Messages by MPI_Put between two ranks that send to each other, in one exchange or in two, with a window
 * each: rma-fence and rma-pscw.  Calls of MPI wait for the other rank, so both finish in one order.
 *
 * MPI promises two things.  What is put comes into a window only after its rank has posted it, or has called
 * the first fence, which is no barrier.  And it is there after MPI_Win_wait, or after the second fence.
 *
 * mutant 1: a window is open for the next message before the last one is unpacked
 * mutant 2: a message is put without waiting for the window
 * mutant 3: a message is unpacked without waiting for it
 * mutant 4: an epoch is completed before its message is put
 * mutant 5: the ranks finish in different orders
 */
#define N 2
#define STARTS 3

/* What a rank says of its window, and of what it has put into the other's, by exchange. */
#define OPEN(r, e) (2 * (r) + (e))
#define COMPLETE(r, e) (4 + 2 * (r) + (e))
#define FLAGS 8

/* The places: what a rank receives. */
#define BUFFER(r, e) (2 * (r) + (e))
#include "order.pml"

bool fences;  /* rma-fence */
bool two;     /* exchanges */
byte held[4]; /* which start's message a buffer holds */

#define IS_TOLD(f, number) (flag[f] >= (number))

/* MPI_Win_post, the first fence. */
inline open(r, e, number)
{
    release(r, OPEN(r, e), number)
}

/* transport/rma_epochs.c:start, transport/rma_epochs.c:post. */
inline start(r, e, number)
{
    if
    :: fences || (mutant == 1 && number > 1) -> skip
    :: else -> open(r, e, number)
    fi
}

/* transport/rma_epochs.c:put_between; the first half of transport/rma_epochs.c:progress_fence. */
inline put(r, e, number)
{
    if
    :: fences && !(mutant == 1 && number > 1) -> open(r, e, number)
    :: else -> skip
    fi;
    if
    :: mutant == 2 -> skip
    :: else -> atomic { IS_TOLD(OPEN(1 - r, e), number) -> acquire(r, OPEN(1 - r, e)) }
    fi;
    if
    :: mutant == 4 -> release(r, COMPLETE(r, e), number)
    :: else -> skip
    fi;
    atomic {
        touch(r, BUFFER(1 - r, e));
        held[BUFFER(1 - r, e)] = number
    }
    release(r, COMPLETE(r, e), number)
}

/* transport/rma_epochs.c:wait_for_all; the second fence, transport/rma_epochs.c:fence. */
inline wait_for(r, e, number)
{
    if
    :: mutant == 3 -> skip
    :: else -> atomic { IS_TOLD(COMPLETE(1 - r, e), number) -> acquire(r, COMPLETE(1 - r, e)) }
    fi
}

inline unpack(r, e, number)
{
    if
    :: mutant == 1 -> open(r, e, number + 1)
    :: else -> skip
    fi;
    atomic {
        touch(r, BUFFER(r, e));
        assert(held[BUFFER(r, e)] == number)
    }
}

/* transport/rma_epochs.c:progress_pscw. */
inline finish(r, e, number)
{
    put(r, e, number);
    wait_for(r, e, number);
    unpack(r, e, number)
}

proctype rank(byte r)
{
    byte number = 1;
    byte first = (mutant == 5 && two && r == 1 -> 1 : 0);
    do
    :: number <= STARTS ->
        start(r, first, number);
        if
        :: two -> start(r, 1 - first, number)
        :: else -> skip
        fi;
        finish(r, first, number);
        if
        :: two -> finish(r, 1 - first, number)
        :: else -> skip
        fi;
        number++
    :: else -> break
    od
}

init
{
    begin_order();
    atomic {
        if
        :: fences = true
        :: fences = false
        fi;
        if
        :: two = true
        :: two = false
        fi;
        run rank(0);
        run rank(1)
    }
}
