/*
 * Messages by MPI_Put and MPI_Get through a window, between two ranks that send to each other: rma (the sender
 * puts) and rma-get (the receiver gets).  Each end of a message has a flag in the window, which the other end
 * puts.  MPI moves what is put, and a flag, at any time between the call and the flush; it looks then what the
 * start's number is.  What a rank itself stores and loads comes before a flag only if the rank has settled it.
 * In the end the window is freed by all, unless one abandons it: who does waits for nobody.
 *
 * mutant 1: rma tells that a buffer may be written before it settles what was read there
 * mutant 2: rma-get tells of a message before it settles what was packed
 * mutant 3: a flag is put before its message is flushed
 * mutant 4: a flag is not flushed before the next start
 * mutant 5: a flag is read without an acquire
 * mutant 6: who does not abandon a window frees it without asking
 */
#define N 2
#define STARTS 3

/* Flags of ends: of what rank r receives, and sends; then what a flag on its way, and a rank, has settled. */
#define RECEIVES(r) (r)
#define SENDS(r) (2 + (r))
#define ON_ITS_WAY(f) (4 + (f))
#define SETTLED(r) (8 + (r))
#define FLAGS 10

/* The only place: the buffer in the window of what rank r sends. */
#define BUFFER(r) (r)
#include "order.pml"

bool gets;          /* rma-get */
byte number[N];     /* of the start: hxi_rma.start */
byte held[N];       /* which start packed what a buffer holds */
bool moving[N];     /* MPI puts or gets what rank r sends */
bool telling[4];    /* a flag is on its way */
byte asked;         /* ranks that said whether they abandon the window, ... */
bool abandoned;     /* ... and whether one does */
byte freeing;

/* Whose number a flag gets. */
#define TELLER(f) (1 - (f) % 2)

/* MPI. */
#define DELIVER(f)                                                                                           \
    :: atomic {                                                                                              \
        telling[f] -> flag[f] = number[TELLER(f)]; carried[f] = carried[ON_ITS_WAY(f)]; telling[f] = false   \
    }

active proctype wire()
{
end:do
    DELIVER(0)
    DELIVER(1)
    DELIVER(2)
    DELIVER(3)
    od
}

/* transport/rma_flags.c:settle. */
inline settle(r)
{
    carried[SETTLED(r)] = known[r]
}

/* transport/rma_flags.c:tell. */
inline tell(r, f)
{
    assert(!telling[f]);
    carried[ON_ITS_WAY(f)] = carried[SETTLED(r)];
    telling[f] = true
}

#define IS_TOLD(r, f) (flag[f] >= number[r])

inline hear(r, f)
{
    if
    :: mutant == 5 -> skip
    :: else -> acquire(r, f)
    fi
}

/* What MPI has moved and flushed is settled. */
inline end_move(by, whose)
{
    moving[whose] = false;
    carried[SETTLED(by)] = carried[SETTLED(by)] | (known[by] & (1 << BUFFER(whose)))
}

/* transport/rma_flags.c:conclude, for the one message that rank `me` moves; f: the flag of its other end. */
inline conclude(me, its, f)
{
    if
    :: mutant == 3 -> atomic { tell(me, f) } atomic { end_move(me, its) }
    :: else -> atomic { end_move(me, its); tell(me, f) }
    fi;
    if
    :: mutant == 4 -> skip
    :: else -> !telling[f]
    fi
}

/* What comes is unpacked by exchange/phase_run.c:take_message. */
inline unpack(r)
{
    hear(r, RECEIVES(r));
    assert(!moving[1 - r]);
    touch(r, BUFFER(1 - r));
    assert(held[1 - r] == number[r]);
    got = true
}

inline put(r)
{
    hear(r, SENDS(r));
    touch(r, BUFFER(r));
    held[r] = number[r];
    moving[r] = true
}

/* transport/rma_flags.c:push. */
inline push(r)
{
    do
    :: atomic { !sent && IS_TOLD(r, SENDS(r)) -> put(r) }
       conclude(r, r, RECEIVES(1 - r));
       sent = true
    :: atomic { !got && IS_TOLD(r, RECEIVES(r)) -> unpack(r) }
    :: sent && got -> break
    od
}

inline get(r)
{
    hear(r, RECEIVES(r));
    touch(r, BUFFER(1 - r));
    assert(held[1 - r] == number[r]);
    moving[1 - r] = true
}

/* transport/rma_flags.c:pull. */
inline pull(r)
{
    do
    :: atomic { !sent && IS_TOLD(r, SENDS(r)) -> hear(r, SENDS(r)); assert(!moving[r]); sent = true }
    :: atomic { !got && IS_TOLD(r, RECEIVES(r)) -> get(r) }
       conclude(r, 1 - r, SENDS(1 - r));
       got = true
    :: sent && got -> break
    od
}

/* transport/rma.c:hxi_rma_unbind. */
inline leave_window(r)
{
    if
    :: atomic { abandoned = true; asked++ }
    :: atomic { asked++ }
        if
        :: mutant == 6 -> skip
        :: else -> asked == N
        fi;
        if
        :: abandoned && mutant != 6 -> skip
        :: else -> freeing++; freeing == N
        fi
    fi
}

/* transport/rma_flags.c:start; rma: the receiver's buffer may be written. */
inline start_push(r)
{
    number[r]++;
    if
    :: mutant == 1 -> skip
    :: else -> settle(r)
    fi;
    tell(r, SENDS(1 - r))
}

/* exchange/phase_run.c:deliver; transport/rma_flags.c:tell_packed. */
inline start_pull(r)
{
    number[r]++;
    touch(r, BUFFER(r));
    held[r] = number[r];
    if
    :: mutant == 2 -> skip
    :: else -> settle(r)
    fi;
    tell(r, RECEIVES(1 - r))
}

proctype rank(byte r)
{
    bool sent;
    bool got;
    do
    :: number[r] < STARTS ->
        if
        :: gets ->
            atomic { start_pull(r) }
            !telling[RECEIVES(1 - r)]; /* flushed */
            pull(r)
        :: else ->
            atomic { start_push(r) }
            !telling[SENDS(1 - r)];
            push(r)
        fi;
        atomic { sent = false; got = false }
    :: else -> break
    od;
    leave_window(r)
}

init
{
    begin_order();
    atomic {
        settle(0);
        settle(1);
        if
        :: gets = true
        :: gets = false
        fi;
        run rank(0);
        run rank(1)
    }
}
