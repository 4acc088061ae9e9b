/*
 * Boxes of two slots, used in turn: who sends packs into the slot of the turn and raises its flag.  Ranks 0 and 1
 * send to each other; nobody says when a slot of theirs has been read: it is free again because its reader has
 * sent since.  Rank 2 gets messages and sends none; it counts the starts whose messages it has read, and who
 * sends to it finishes when all but the last one are.
 *
 * mutant 1: a box has one slot
 * mutant 2: who sends one way does not wait for the reader's count
 * mutant 3: the flag is raised without a release
 * mutant 4: the flag is raised before the message is packed
 * mutant 5: the flag is read without an acquire
 * mutant 6: the reader counts before it has read
 * mutant 7: the reader counts without a release
 * mutant 8: the count is read without an acquire
 */
#define N 3
#define STARTS 4
#define SLOTS (N * N * 2)
#define FLAGS (SLOTS + N * N)
#include "order.pml"

byte held[SLOTS]; /* which start packed what is in a slot */

/* A slot is a place; it has the number of its flag.  Then the counts of readers. */
#define SLOT(to, from, n) (((to) * N + (from)) * 2 + (mutant == 1 -> 0 : (n) % 2))
#define COUNT(to, from) (SLOTS + (to) * N + (from))
#define SENDS(r, p) ((r) != (p) && (r) != 2)
#define ONE_WAY(r, p) (SENDS(r, p) && (p) == 2)

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

/* transport/shared.c:look_for_messages, transport/shared.c:read_flag; exchange/phase_run.c:take_message. */
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

/* transport/shared.c:settle, which exchange/finish.c:complete calls. */
inline count(r)
{
    if
    :: r == 2 && mutant == 7 -> relaxed(COUNT(r, 0), n); relaxed(COUNT(r, 1), n)
    :: r == 2 && mutant != 7 -> release(r, COUNT(r, 0), n); release(r, COUNT(r, 1), n)
    :: else -> skip
    fi
}

/* transport/shared.c:look_for_counts. */
#define IS_READ(r) (flag[COUNT(2, r)] + 1 >= n || mutant == 2)

inline see_count(r)
{
    if
    :: mutant == 8 || mutant == 2 -> skip
    :: else -> acquire(r, COUNT(2, r))
    fi;
    unread = false
}

proctype rank(byte r)
{
    byte n = 1;
    byte p;
    bool got[N];
    bool unread; /* by rank 2 */
    do
    :: n <= STARTS ->
        d_step { EACH(N, got[i_] = !SENDS(i_, r)); unread = ONE_WAY(r, 2) }
        if
        :: mutant == 6 -> atomic { count(r) }
        :: else -> skip
        fi;
        /* exchange/start.c:start. */
        do
        :: p < N && SENDS(r, p) -> send(r, p); p++
        :: p < N && !SENDS(r, p) -> p++
        :: p == N -> break
        od;
        p = 0;
        /* exchange/finish.c:wait_for.  Messages come in any order. */
        do
        :: atomic { MAY_TAKE(r, 0) -> take(r, 0) }
        :: atomic { MAY_TAKE(r, 1) -> take(r, 1) }
        :: atomic { unread && IS_READ(r) -> see_count(r) }
        :: atomic { got[0] && got[1] && got[2] && !unread -> count(r); break }
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
