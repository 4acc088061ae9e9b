/*
 * Boxes of one slot between devices, as graphs have them: each rank says in each epoch that its boxes may be written,
 * waits until all others have said so, packs into theirs, says that messages are there, waits for those of all others
 * and unpacks them.  No host does anything, and who is fast comes to the next epoch while others are still in this one.
 *
 * mutant 1: who packs does not wait for word that the box may be written
 * mutant 2: that is said without a release
 * mutant 3: that is read without an acquire
 * mutant 4: it is said that a message is there before it is packed
 * mutant 5: that is said without a release
 * mutant 6: that is read without an acquire
 * mutant 7: who unpacks does not wait for the message
 * mutant 8: epochs are not counted
 * mutant 9: it is said that boxes may be written before they are unpacked
 */
#define N 3
#define EPOCHS 3
#define BOXES (N * N)
#define FLAGS (2 * BOXES)
#include "order.pml"

byte held[BOXES]; /* which epoch packed what is in a box */

/* A box is a place. */
#define BOX(to, from) ((to) * N + (from))
#define VACANT(to, from) BOX(to, from)
#define SENT(to, from) (BOXES + BOX(to, from))
#define NUMBER(n) (mutant == 8 -> 1 : (n))

/* A step of all peers of a rank, and one of a peer. */
#define PEERS(statement) p = 0; do :: p < N && p != r -> statement; p++ :: p == r -> p++ :: p == N -> break od; p = 0

inline say(to, is_vacant, without)
{
    atomic {
        if
        :: is_vacant && mutant != without -> release(r, VACANT(to, r), NUMBER(n))
        :: is_vacant && mutant == without -> relaxed(VACANT(to, r), NUMBER(n))
        :: !is_vacant && mutant != without -> release(r, SENT(to, r), NUMBER(n))
        :: else -> relaxed(SENT(to, r), NUMBER(n))
        fi
    }
}

inline await(f, needless, without)
{
    atomic {
        mutant == needless || flag[f] >= NUMBER(n);
        if
        :: mutant == without || mutant == needless -> skip
        :: else -> acquire(r, f)
        fi
    }
}

inline pack(to)
{
    atomic {
        touch(r, BOX(to, r));
        held[BOX(to, r)] = n
    }
}

inline unpack(from)
{
    atomic {
        touch(r, BOX(r, from));
        assert(held[BOX(r, from)] == n)
    }
}

/* exchange/device_exchange.c:start_in_graph. */
inline start()
{
    if
    :: mutant != 9 || n == 1 -> PEERS(say(p, true, 2))
    :: else -> skip
    fi;
    PEERS(await(VACANT(r, p), 1, 3));
    if
    :: mutant == 4 -> PEERS(say(p, false, 5)); PEERS(pack(p))
    :: else -> PEERS(pack(p)); PEERS(say(p, false, 5))
    fi
}

/* exchange/device_exchange.c:finish_in_graph. */
inline finish()
{
    PEERS(await(SENT(r, p), 7, 6));
    if
    :: mutant == 9 -> n++; PEERS(say(p, true, 2)); n--
    :: else -> skip
    fi;
    PEERS(unpack(p))
}

proctype rank(byte r)
{
    byte n = 1;
    byte p;
    do
    :: n <= EPOCHS -> start(); finish(); n++
    :: else -> break
    od
}

init
{
    begin_order();
    atomic { run rank(0); run rank(1); run rank(2) }
}
