/*
 * Boxes of two slots: who sends packs into the slot of the turn and raises its flag; nobody says when a slot
 * has been read.  It is free again because its reader has sent since.
 *
 * mutant 1: a box has one slot
 * mutant 2: messages go one way
 * mutant 3: the flag is raised without a release
 * mutant 4: the flag is raised before the message is packed
 * mutant 5: the flag is read without an acquire
 */
#define N 3
#define STARTS 3
#define FLAGS (N * N * 2)
#include "order.pml"

byte held[FLAGS]; /* which start packed what is in a slot */

/* A slot is a place; it has the number of its flag. */
#define SLOT(to, from, n) (((to) * N + (from)) * 2 + (mutant == 1 -> 0 : (n) % 2))
#define SENDS(r, p) ((r) != (p) && (mutant != 2 || (r) < (p)))

inline pack(r, p)
{
    touch(r, SLOT(p, r, n));
    held[SLOT(p, r, n)] = n
}

/* transport/shared.c:raise_flag; transport/ipc.c:send, when the host has seen that the device has packed. */
inline send(r, p)
{
    atomic {
        if
        :: mutant == 3 -> pack(r, p); relaxed(SLOT(p, r, n), n)
        :: mutant == 4 -> release(r, SLOT(p, r, n), n)
        :: else -> pack(r, p); release(r, SLOT(p, r, n), n)
        fi
    }
    if
    :: mutant == 4 -> pack(r, p)
    :: else -> skip
    fi
}

/* transport/shared.c:progress, transport/shared.c:read_flag; exchange.c:take_message. */
inline take(r, p)
{
    if
    :: mutant == 5 -> skip
    :: else -> acquire(r, SLOT(r, p, n))
    fi;
    touch(r, SLOT(r, p, n));
    assert(held[SLOT(r, p, n)] == n);
    got[p] = true
}

#define MAY_TAKE(r, p) (!got[p] && flag[SLOT(r, p, n)] == n)

proctype rank(byte r)
{
    byte n = 1;
    byte p;
    bool got[N];
    do
    :: n <= STARTS ->
        d_step { EACH(N, got[i_] = !SENDS(i_, r)) }
        /* exchange.c:start. */
        do
        :: p < N && SENDS(r, p) -> send(r, p); p++
        :: p < N && !SENDS(r, p) -> p++
        :: p == N -> break
        od;
        p = 0;
        /* exchange.c:wait_for.  Messages come in any order. */
        do
        :: atomic { MAY_TAKE(r, 0) -> take(r, 0) }
        :: atomic { MAY_TAKE(r, 1) -> take(r, 1) }
        :: atomic { MAY_TAKE(r, 2) -> take(r, 2) }
        :: got[0] && got[1] && got[2] -> break
        od;
        n++
    :: else -> break
    od
}

init
{
    begin_order();
    atomic { run rank(0); run rank(1); run rank(2) }
}
