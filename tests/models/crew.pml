/*
 * A crew: rank 0 has work, ranks 1 and 2 help.  Rank 0 opens the crew, works, and closes it; it waits for those
 * that are inside, not for those that sleep.  At last it has them leave, and the crew is gone.
 *
 * A thread may look for work and then sleep, in any number of steps; whoever calls looks for sleepers after it has
 * opened.  Flags are sequentially consistent, as those of the C are.
 *
 * mutant 1: nobody is called
 * mutant 2: who is about to sleep does not look again
 * mutant 3: who is about to sleep counts itself after its last look
 * mutant 4: sleepers are called without the lock
 * mutant 5: who comes looks whether the crew is open, and then goes inside
 * mutant 6: who closes does not wait for those inside
 * mutant 7: who has left touches the crew
 * mutant 8: the crew is opened without a release
 */
#define N 3
#define RUNS 2
#define OPEN 0
#define OVER 1
#define INSIDE 2
#define ASLEEP 3
#define LEAVING 4
#define LOCK 5
#define FLAGS 6
#include "order.pml"

/* The work, with a place for each reader, so that reads are free among themselves; and the crew itself. */
#define WORK 0
#define READER(r) (r)

byte work;    /* its number; LAST: to leave */
#define LAST 9
bool waits[N]; /* in a condition variable */

inline write_work(given)
{
    d_step {
        touch(0, WORK);
        touch(0, READER(1));
        touch(0, READER(2));
        work = given
    }
}

inline read_work(r)
{
    assert((known[r] >> WORK) & 1);
    touch(r, READER(r))
}

/* Atomic arithmetic: all that flags carried, they carry on. */
inline count(r, f, value)
{
    carried[f] = carried[f] | known[r];
    known[r] = known[r] | carried[f];
    flag[f] = value
}

inline lock(r)
{
    atomic { flag[LOCK] == 0 -> acquire(r, LOCK); flag[LOCK] = 1 }
}

inline unlock(r)
{
    atomic { release(r, LOCK, 0) }
}

/* base/crew.c:call. */
inline call()
{
    if
    :: flag[ASLEEP] == 0 || mutant == 1 -> skip
    :: mutant == 4 && flag[ASLEEP] > 0 -> d_step { EACH(N, waits[i_] = false) }
    :: mutant != 1 && mutant != 4 && flag[ASLEEP] > 0 ->
        lock(0);
        d_step { EACH(N, waits[i_] = false) };
        unlock(0)
    fi
}

/* base/crew.c:is_called: two looks. */
inline look(r)
{
    atomic { called = flag[OPEN] != 0 && flag[OPEN] != seen };
    if
    :: called -> skip
    :: else -> atomic { called = flag[OVER] != 0; if :: called -> acquire(r, OVER) :: else -> skip fi }
    fi
}

/* base/crew.c:wait_for_call. */
inline wait_for_call(r)
{
    look(r);
    if
    :: called -> skip
    :: !called ->
        lock(r);
        if
        :: mutant == 3 -> look(r); count(r, ASLEEP, flag[ASLEEP] + 1)
        :: mutant == 2 -> atomic { count(r, ASLEEP, flag[ASLEEP] + 1) }; called = false
        :: else -> atomic { count(r, ASLEEP, flag[ASLEEP] + 1) }; look(r)
        fi;
        do
        :: called -> break
        :: !called ->
            atomic { waits[r] = true; release(r, LOCK, 0) };
            !waits[r];
            lock(r);
            look(r)
        od;
        atomic { count(r, ASLEEP, flag[ASLEEP] - 1) };
        unlock(r)
    fi
}

/* base/crew.c:hxi_crew_serve. */
proctype helper(byte r)
{
    byte seen;
    byte open;
    bool called;
    bool left;
    do
    :: left -> break
    :: !left ->
        wait_for_call(r);
        if
        :: atomic { flag[OVER] != 0 -> acquire(r, OVER) };
            read_work(r);
            assert(work == LAST);
            atomic { count(r, LEAVING, flag[LEAVING] - 1) };
            if
            :: mutant == 7 -> read_work(r)
            :: else -> skip
            fi;
            left = true
        :: flag[OVER] == 0 ->
            if
            :: mutant == 5 -> atomic { acquire(r, OPEN); open = flag[OPEN] }; atomic { count(r, INSIDE, flag[INSIDE] + 1) }
            :: else -> atomic { count(r, INSIDE, flag[INSIDE] + 1) }; atomic { acquire(r, OPEN); open = flag[OPEN] }
            fi;
            if
            :: open != 0 -> seen = open; read_work(r); assert(work == open); read_work(r)
            :: else -> skip
            fi;
            atomic { count(r, INSIDE, flag[INSIDE] - 1) }
        fi
    od
}

/* base/crew.c:hxi_crew_run; then base/crew.c:hxi_crew_end. */
proctype owner()
{
    byte n = 1;
    do
    :: n <= RUNS ->
        write_work(n);
        if
        :: mutant == 8 -> relaxed(OPEN, n)
        :: else -> atomic { release(0, OPEN, n) }
        fi;
        call();
        atomic { release(0, OPEN, 0) };
        /* base/crew.c:wait_for_none. */
        if
        :: mutant == 6 -> skip
        :: mutant != 6 -> atomic { flag[INSIDE] == 0 -> acquire(0, INSIDE) }
        fi;
        n++
    :: else -> break
    od;
    write_work(LAST);
    atomic { flag[LEAVING] = N - 1 };
    atomic { release(0, OVER, 1) };
    call();
    atomic { flag[LEAVING] == 0 -> acquire(0, LEAVING) };
    write_work(LAST)
}

init
{
    begin_order();
    atomic { run owner(); run helper(1); run helper(2) }
}
