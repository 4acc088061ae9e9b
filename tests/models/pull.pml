/*
 * Messages that receivers read from their senders' arrays.  A start offers its arrays by the flag of the box, or
 * packs.  Who has an offer or a message from all others takes the offers, and says by the same flag when it has
 * read; a sender's finish waits for that.  Who has waited for a while takes back what nobody has taken, and
 * packs.  Between start and finish rank 0 may wait for the application of rank 1 to be through with its finish.
 *
 * mutant 1: the flag is raised without a release
 * mutant 2: an offer is taken, and taken back, by a load and a store
 * mutant 3: no offer is taken back
 * mutant 4: finish does not wait for readers
 * mutant 5: the flag is read without an acquire
 * mutant 6: where arrays are is said after they are offered
 */
#define N 2
#define STARTS 3

/* The box of what rank r sends; a slot is a place, and has the number of its flag. */
#define BOX(r, n) ((r) * 2 + (n) % 2)
#define FLAGS 4
#define NOTICE(r) (4 + (r))
#define OWNED(r) (6 + (r))
#include "order.pml"

#define IN_BOX 0
#define IN_ARRAYS 1
#define OFFERED 2
#define BEING_READ 3
#define STATES 4
#define VALUE(n, state) ((n) * STATES + (state))
#define IS(r, n, state) (flag[BOX(r, n)] == VALUE(n, state))

byte held[FLAGS];  /* which start packed what is in a slot */
byte where[N];     /* for which start a notice says where arrays are */
byte points[N];    /* for which start the application wrote its own points */
byte finished[N];

/* The application writes the points that others may read. */
inline compute(r)
{
    touch(r, OWNED(r));
    points[r] = n
}

/* transport/shared.c:raise_flag. */
inline raise_flag(r, box, state)
{
    if
    :: mutant == 1 -> relaxed(box, VALUE(n, state))
    :: else -> release(r, box, VALUE(n, state))
    fi
}

/* exchange/exchange.c:deliver; transport/shared.c:send. */
inline pack(r)
{
    touch(r, BOX(r, n));
    held[BOX(r, n)] = n;
    raise_flag(r, BOX(r, n), IN_BOX)
}

/* exchange/plan.c:note. */
inline note(r)
{
    touch(r, NOTICE(r));
    where[r] = n
}

/* transport/shared.c:read_flag. */
inline see(r, box)
{
    if
    :: mutant == 5 -> skip
    :: else -> acquire(r, box)
    fi
}

/* transport/shared.c:end_offer.  What the flag carries stays, as C11 has it of such an exchange. */
inline end_offer(r, box, value)
{
    atomic {
        if
        :: flag[box] == VALUE(n, OFFERED) ->
            see(r, box);
            if
            :: mutant == 2 -> skip
            :: else -> flag[box] = value
            fi;
            mine = true
        :: else -> mine = false
        fi
    }
    if
    :: mutant == 2 && mine -> flag[box] = value
    :: else -> skip
    fi
}

/* transport/shared.c:pull; transport/direct.c:hx_direct_pull. */
inline pull(r)
{
    end_offer(r, BOX(1 - r, n), VALUE(n, BEING_READ));
    atomic {
        if
        :: mine ->
            touch(r, NOTICE(1 - r));
            assert(where[1 - r] == n);
            touch(r, OWNED(1 - r));
            assert(points[1 - r] == n)
        :: else -> skip
        fi
    }
    atomic {
        if
        :: mine -> raise_flag(r, BOX(1 - r, n), IN_ARRAYS)
        :: else -> skip
        fi;
        mine = false;
        pulled = true
    }
}

/* transport/shared.c:progress; exchange/exchange.c:take_message. */
inline take(r)
{
    see(r, BOX(1 - r, n));
    if
    :: IS(1 - r, n, IN_BOX) -> touch(r, BOX(1 - r, n)); assert(held[BOX(1 - r, n)] == n)
    :: else -> skip
    fi;
    got = true
}

/* transport/shared.c:offer_arrays, when its message is offered again. */
inline take_back(r)
{
    end_offer(r, BOX(r, n), 0);
    atomic {
        if
        :: mine -> mine = false; late = false; pack(r)
        :: else -> skip
        fi
    }
}

proctype rank(byte r)
{
    byte n = 1;
    bool got;    /* the message from the other */
    bool late;   /* what this rank sends */
    bool pulled;
    bool mine;
    do
    :: n <= STARTS ->
        /* exchange/exchange.c:start.  Arrays may lie where others cannot reach them. */
        atomic {
            compute(r);
            if
            :: mutant == 6 -> raise_flag(r, BOX(r, n), OFFERED); late = true
            :: mutant != 6 -> note(r); raise_flag(r, BOX(r, n), OFFERED); late = true
            :: mutant != 6 -> note(r); pack(r)
            fi
        }
        if
        :: mutant == 6 -> atomic { note(r) }
        :: else -> skip
        fi;
        /* The application. */
        if
        :: skip
        :: r == 0 -> finished[1] >= n
        fi;
        /* exchange/exchange.c:wait_for. */
        do
        :: atomic { !got && (IS(1 - r, n, IN_BOX) || IS(1 - r, n, IN_ARRAYS)) -> take(r) }
        :: atomic { !got && !pulled && flag[BOX(1 - r, n)] / STATES == n -> skip } pull(r)
        :: atomic { late && IS(r, n, IN_ARRAYS) -> see(r, BOX(r, n)); late = false }
        /* exchange/phase.c:hx_phase_hurry. */
        :: atomic { late && IS(r, n, OFFERED) && mutant != 3 -> skip } take_back(r)
        :: atomic {
            got && (!late || mutant == 4) ->
            compute(r);
            got = false;
            late = false;
            pulled = false;
            finished[r] = n;
            break
        }
        od;
        n++
    :: else -> break
    od
}

init
{
    begin_order();
    atomic { run rank(0); run rank(1) }
}
