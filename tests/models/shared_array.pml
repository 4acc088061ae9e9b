/*
 * An array that the ranks of each node share: two nodes of two ranks.  Rank 1 gives it.  It writes the copy of
 * its node, the leaders (0 and 2) bring it to the other node, and all read.  Then ranks that may write do so,
 * between two calls of hx_shared_arrays_sync.  What a rank stored is there for the others of its node after
 * MPI_Win_sync, a barrier, and their MPI_Win_sync.
 *
 * mutant 1: there is no MPI_Win_sync before the barrier
 * mutant 2: there is no MPI_Win_sync after the barrier
 * mutant 3: there is no barrier
 * mutant 4: a leader sends the array before its node has settled it
 * mutant 5: a leader does not settle what it received
 * mutant 6: the application writes before all have called hx_shared_arrays_sync
 */
#define N 4
#define NODE(r) ((r) / 2)
#define ROOT 1
#define LEADS(r) ((r) % 2 == 0)
#define WRITES(r) ((r) % 2 == 1)

/* What a rank has synchronised; what the barrier of a node tells; the broadcast. */
#define SYNCED(r) (r)
#define MEETING(node) (4 + (node))
#define LETTER 6
#define FLAGS 7

/* A write touches the copy and all readers' places, so that reads are free among themselves. */
#define COPY(node) (node)
#define READER(r) (2 + (r))
#include "order.pml"

byte value[2];    /* of the copy of a node */
byte arrived[2];  /* at the barriers of a node, all told */
byte barriers[N]; /* where a rank was */

inline write(r, given)
{
    touch(r, COPY(NODE(r)));
    touch(r, READER(NODE(r) * 2));
    touch(r, READER(NODE(r) * 2 + 1));
    value[NODE(r)] = given
}

inline read(r, wanted)
{
    assert((known[r] >> COPY(NODE(r))) & 1);
    touch(r, READER(r));
    assert(value[NODE(r)] == wanted)
}

/* window/shared_array.c:settle, window/shared_array.c:sync. */
inline settle(r)
{
    atomic {
        if
        :: mutant == 1 -> skip
        :: else -> carried[SYNCED(r)] = known[r]
        fi;
        carried[MEETING(NODE(r))] = carried[MEETING(NODE(r))] | carried[SYNCED(r)];
        arrived[NODE(r)]++;
        barriers[r]++
    }
    atomic {
        arrived[NODE(r)] >= barriers[r] * 2 || mutant == 3 ->
        if
        :: mutant == 2 -> skip
        :: else -> known[r] = known[r] | carried[MEETING(NODE(r))]
        fi
    }
}

/* window/shared_array.c:broadcast, among leaders. */
inline broadcast(r)
{
    if
    :: r == 0 -> atomic { read(r, 1); release(r, LETTER, 1) }
    :: r == 2 -> atomic { flag[LETTER] == 1 -> acquire(r, LETTER); write(r, 1) }
    fi
}

proctype rank(byte r)
{
    /* window/shared_array.c:seed. */
    if
    :: r == ROOT -> atomic { write(r, 1) }
    :: else -> skip
    fi;
    if
    :: mutant == 4 && LEADS(r) -> broadcast(r)
    :: else -> skip
    fi;
    settle(r);
    if
    :: mutant != 4 && LEADS(r) -> broadcast(r)
    :: else -> skip
    fi;
    if
    :: mutant == 5 -> skip
    :: else -> settle(r)
    fi;

    /* The application; hx_shared_arrays_sync. */
    atomic { read(r, 1) }
    if
    :: mutant == 6 -> skip
    :: else -> settle(r)
    fi;
    if
    :: WRITES(r) -> atomic { write(r, 2) }
    :: else -> skip
    fi;
    settle(r);
    atomic { read(r, 2) }
}

init
{
    begin_order();
    atomic { run rank(0); run rank(1); run rank(2); run rank(3) }
}
