/*
 * Messages that senders write straight into the receiver's arrays, or into its boxes where these cannot be
 * reached.  Two ranks, and two exchanges of two phases each, which ranks finish in any order; who waits moves
 * both on.  Each start shows on a notice that its ghost points may be written, and where its arrays are.  A
 * receiver that has not started is offered the message again, or gets it in its box.  The application uses its
 * arrays whenever no exchange does.  After the first finish, while the second exchange is under way, arrays are
 * freed, and others get their address.
 *
 * mutant 1: the flag is raised without a release
 * mutant 2: the notice is raised without a release
 * mutant 3: arrays are written before their owner has started
 * mutant 4: a start does not look whether sets of arrays have changed
 * mutant 5: the version of a notice stays when it says where other arrays are
 * mutant 6: a message is not offered again
 * mutant 7: who waits for one exchange does not move the other on
 * mutant 8: a start says that its arrays may be written before it says where they are
 */
#define N 2
#define EXCHANGES 2
#define PHASES 2

/* Numbers: of an exchange of a rank, of what a rank sends in a phase of it, and of the slot for that. */
#define X(r, e) ((r) * EXCHANGES + (e))
#define M(r, e, f) (X(r, e) * PHASES + (f))
#define SLOT(r, e, f, n) (M(r, e, f) * 2 + (n) % 2)
#define MESSAGES (N * EXCHANGES * PHASES)

/* Each slot has a flag, and is a place; so has and is each notice; ghost points are places by address. */
#define NOTICE(r, e) (MESSAGES * 2 + X(r, e))
#define FLAGS (MESSAGES * 2 + N * EXCHANGES)
#define GHOST(r, e, f, address) (FLAGS + ((e) == 1 -> 8 + (r) * 2 + (f) : ((r) * 2 + (f)) * 2 + (address)))
#define PLACES 32
#include "order.pml"

/* Arrays of set 1 are freed, and set 3 gets their address; set 2 stays.  0: arrays that no rank can reach. */
#define ADDRESS(set) ((set) == 0 -> 0 : 1)

#define IN_BOX 0
#define IN_ARRAYS 1
#define STATES 2

byte held[PLACES];             /* which start wrote a slot, or ghost points */
byte where[N * EXCHANGES];     /* of a notice: the set */
byte version[N * EXCHANGES];   /* likewise */
byte told[N * EXCHANGES];      /* the address of plan->published, from 1 */
byte told_then[N * EXCHANGES]; /* plan->changes */
byte changes[N];               /* of sets */
byte found[N * EXCHANGES];     /* by the other rank: where, ... */
byte found_for[N * EXCHANGES]; /* ... of this version */
byte started[N * EXCHANGES];   /* number of the last start */
byte given[N * EXCHANGES];     /* set of its arrays */
byte phase[N * EXCHANGES];
bool under_way[N * EXCHANGES];
bool got[MESSAGES];
bool late[MESSAGES];

/*
 * Two ways to go on.  Who may not be late packs what a receiver is not ready for: with the first exchange alone,
 * and with arrays that cannot be reached among others.  Else there are two exchanges.
 */
bool at_once;

#define HERE(r, e) ADDRESS(given[X(r, e)])

/* The application reads and writes its arrays, ghost points and all. */
inline use_arrays(r, e)
{
    touch(r, GHOST(1 - r, e, 0, 0));
    touch(r, GHOST(1 - r, e, 1, 0));
    touch(r, GHOST(1 - r, e, 0, 1));
    touch(r, GHOST(1 - r, e, 1, 1))
}

/* ---- sending ------------------------------------------------------------------------------------------- */

/* transport/shared.c:raise_flag. */
inline raise_flag(r, e, f, state)
{
    if
    :: mutant == 1 -> relaxed(SLOT(r, e, f, started[X(r, e)]), started[X(r, e)] * STATES + state)
    :: else -> release(r, SLOT(r, e, f, started[X(r, e)]), started[X(r, e)] * STATES + state)
    fi
}

/* exchange/phase_run.c:deliver. */
inline pack(r, e, f)
{
    touch(r, SLOT(r, e, f, started[X(r, e)]));
    held[SLOT(r, e, f, started[X(r, e)])] = started[X(r, e)];
    raise_flag(r, e, f, IN_BOX)
}

/* transport/push.c:hxi_push_reach. */
inline reach(r, e)
{
    touch(r, NOTICE(1 - r, e));
    if
    :: found_for[X(r, e)] != version[X(1 - r, e)] ->
        found_for[X(r, e)] = version[X(1 - r, e)];
        found[X(r, e)] = where[X(1 - r, e)]
    :: else -> skip
    fi
}

/* transport/push.c:copy. */
inline copy(r, e, f)
{
    assert(found[X(r, e)] != 1 || changes[r] == 0); /* these arrays are there */
    touch(r, GHOST(r, e, f, ADDRESS(found[X(r, e)])));
    held[GHOST(r, e, f, ADDRESS(found[X(r, e)]))] = started[X(r, e)];
    raise_flag(r, e, f, IN_ARRAYS)
}

/* transport/push.c:hxi_push_may_begin. */
#define IS_READY(r, e) (flag[NOTICE(1 - r, e)] >= started[X(r, e)])

/* transport/push.c:hxi_push, to a receiver who is ready. */
inline push(r, e, f)
{
    acquire(r, NOTICE(1 - r, e));
    reach(r, e);
    if
    :: found[X(r, e)] == 0 -> pack(r, e, f)
    :: else -> copy(r, e, f)
    fi
}

/* transport/push.c:hxi_push; exchange/phase_run.c:offer. */
inline offer(r, e, f)
{
    if
    :: IS_READY(r, e) || mutant == 3 -> late[M(r, e, f)] = false; push(r, e, f)
    :: else ->
        if
        :: at_once -> pack(r, e, f)
        :: else -> late[M(r, e, f)] = true
        fi
    fi
}

/* ---- start --------------------------------------------------------------------------------------------- */

/* transport/push.c:hxi_posting_note. */
inline note(r, e)
{
    touch(r, NOTICE(r, e));
    if
    :: told[X(r, e)] != HERE(r, e) + 1 || (told_then[X(r, e)] != changes[r] && mutant != 4) ->
        where[X(r, e)] = given[X(r, e)];
        told[X(r, e)] = HERE(r, e) + 1;
        if
        :: mutant == 5 && version[X(r, e)] > 0 -> skip
        :: else -> version[X(r, e)]++
        fi
    :: else -> skip
    fi;
    told_then[X(r, e)] = changes[r]
}

/* transport/push.c:hxi_posting_raise. */
inline raise_notice(r, e)
{
    if
    :: mutant == 2 -> relaxed(NOTICE(r, e), started[X(r, e)])
    :: else -> release(r, NOTICE(r, e), started[X(r, e)])
    fi
}

/* exchange/start.c:start; transport/push.c:hxi_posting_tell. */
inline tell(r, e)
{
    use_arrays(r, e);
    started[X(r, e)]++;
    under_way[X(r, e)] = true;
    phase[X(r, e)] = 0;
    got[M(1 - r, e, 0)] = false;
    got[M(1 - r, e, 1)] = false;
    if
    :: mutant == 8 -> raise_notice(r, e)
    :: else ->
        note(r, e);
        if
        :: at_once && given[X(r, e)] == 0 -> skip /* nobody waits for it */
        :: else -> raise_notice(r, e)
        fi
    fi
}

/* ---- finish -------------------------------------------------------------------------------------------- */

#define FROM(r, e, f) SLOT(1 - r, e, f, started[X(r, e)])
#define HAS_COME(r, e, f)                                                                                    \
    (under_way[X(r, e)] && !got[M(1 - r, e, f)] && flag[FROM(r, e, f)] / STATES == started[X(r, e)])

/* transport/shared.c:progress; exchange/phase_run.c:take_message. */
inline take(r, e, f)
{
    acquire(r, FROM(r, e, f));
    if
    :: flag[FROM(r, e, f)] % STATES == IN_BOX ->
        touch(r, FROM(r, e, f));
        assert(held[FROM(r, e, f)] == started[X(r, e)]);
        touch(r, GHOST(1 - r, e, f, HERE(r, e)));
        held[GHOST(1 - r, e, f, HERE(r, e))] = started[X(r, e)]
    :: else -> skip
    fi;
    got[M(1 - r, e, f)] = true
}

/* exchange/finish.c:advance, exchange/finish.c:advance_others: a last phase is unpacked by its own finish. */
#define MOVES(r, e, own) ((own) == e || mutant != 7)
#define MAY_TAKE(r, e, f, own)                                                                               \
    (MOVES(r, e, own) && HAS_COME(r, e, f) && (f == 0 || (phase[X(r, e)] == 1 && (own) == e)))
#define MAY_GO_ON(r, e, own)                                                                                 \
    (MOVES(r, e, own) && under_way[X(r, e)] && phase[X(r, e)] == 0 && got[M(1 - r, e, 0)])
#define MAY_OFFER(r, e, f, own) (MOVES(r, e, own) && late[M(r, e, f)] && IS_READY(r, e) && mutant != 6)

/* exchange/finish.c:is_complete. */
#define IS_COMPLETE(r, e)                                                                                    \
    (phase[X(r, e)] == 1 && got[M(1 - r, e, 1)] && !late[M(r, e, 0)] && !late[M(r, e, 1)])

/* What was sent is in the arrays of this start. */
inline end(r, e)
{
    assert(held[GHOST(1 - r, e, 0, HERE(r, e))] == started[X(r, e)]);
    assert(held[GHOST(1 - r, e, 1, HERE(r, e))] == started[X(r, e)]);
    under_way[X(r, e)] = false;
    use_arrays(r, e)
}

/* What a rank waits for, beside its own finish of an exchange: others that free arrays. */
#define MEETING 2

#define STEP(r, e, f)                                                                                        \
    :: atomic { MAY_TAKE(r, e, f, own) -> x = e; g = f; goto taking }                                         \
    :: atomic { MAY_OFFER(r, e, f, own) -> x = e; g = f; goto offering }

#define GO_ON(r, e) :: atomic { MAY_GO_ON(r, e, own) -> phase[X(r, e)] = 1; x = e; g = 1; goto offering }

proctype rank(byte r)
{
    byte n = 1;
    byte own; /* what it waits for */
    byte x;   /* exchange and phase of a step */
    byte g;
    do
    :: n <= (at_once -> 3 : 2) ->
        do
        :: atomic {
               x < (n == 1 && !at_once -> 2 : 1) ->
               if
               :: x == 1 -> given[X(r, x)] = 2
               :: x == 0 -> given[X(r, x)] = (n == 1 -> 1 : 3)
               :: x == 0 && at_once -> given[X(r, x)] = 0
               fi;
               tell(r, x)
           }
           atomic {
               if
               :: mutant == 8 -> note(r, x)
               :: else -> skip
               fi;
               offer(r, x, 0);
               x++
           }
        :: atomic {
               x == (n == 1 && !at_once -> 2 : 1) ->
               x = 0;
               if
               :: own = 0
               :: under_way[X(r, 1)] -> own = 1
               fi;
               goto waiting
           }
        od;

        /* exchange/finish.c:wait_for; exchange/alloc.c:hxi_sets_meet. */
waiting:
        do
        STEP(r, 0, 0)
        STEP(r, 0, 1)
        STEP(r, 1, 0)
        STEP(r, 1, 1)
        GO_ON(r, 0)
        GO_ON(r, 1)
        :: atomic { own < EXCHANGES && IS_COMPLETE(r, own) -> end(r, own); goto over }
        :: atomic { own == MEETING && ALL_CAME(1) -> leave(r); break }
        od;

        /* exchange/alloc.c:give_back, exchange/alloc.c:hx_alloc: set 1 is gone, and set 3 has its address. */
        atomic { changes[r]++; arrive(r) }
        atomic { ALL_CAME(2) -> leave(r); own = 1; goto over }

taking: atomic { take(r, x, g); x = 0; g = 0; goto waiting }
offering:
        atomic { offer(r, x, g); x = 0; g = 0; goto waiting }
over:   atomic {
            if
            :: own == 0 && n == 1 -> arrive(r); own = MEETING; goto waiting
            :: own == 1 && under_way[X(r, 0)] -> own = 0; goto waiting
            :: own == 1 && under_way[X(r, 1)] -> goto waiting
            :: else -> own = 0; n++
            fi
        }
    :: else -> break
    od
}

init
{
    begin_order();
    atomic {
        if
        :: at_once = true
        :: at_once = false
        fi;
        run rank(0);
        run rank(1)
    }
}
