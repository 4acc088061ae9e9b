/*
 * A meeting of four ranks: 1 and 2 are children of 0, and 3 is one of 1.  Each comes at once or late, with or
 * without a deadline, which passes at any time; one of them may come for another call.  In the end nobody
 * waits, and all go on or none: if nobody left, and all came for the same, all go on.
 *
 * A rank may take any time for a step.  But who leaves although it has told that it is here waits before until
 * nobody else can do anything: that is what "timeout" says, and what the C takes a few seconds for.
 *
 * mutant 1: who has told that it is here leaves at once
 * mutant 2: who leaves does not tell its children
 * mutant 3: who leaves does not tell its parent
 * mutant 4: what a child says is not passed on when this rank has told that it is here
 * mutant 5: calls are not compared
 * mutant 6: who is told that a rank has left does not tell its children
 * mutant 7: a rank hears that a child is here, and not that it left again
 */
#define N 4
#define ROOT 0
#define PARENT(r) (((r) - 1) / 2)
#define CHILDREN(r) ((r) == 0 -> 2 : ((r) == 1 -> 1 : 0))
#define CHILD(r, c) (2 * (r) + 1 + (c))

mtype = { NONE, HERE, DIFFER, GONE };

int mutant;
chan up[N] = [4] of { mtype, bit };    /* from a rank to its parent: what, and for which call */
chan down[N] = [4] of { mtype, bit };  /* from its parent to a rank */
mtype result[N] = NONE;
bit call[N];
bool differ;
bool wanted; /* a rank wanted to leave */
bool left;   /* and did */
byte through;

c_decl { \#include <stdlib.h> }

/* comm/meeting.c:tell_children. */
inline tell_children(r, word)
{
    c = 0;
    do
    :: c < CHILDREN(r) -> down[CHILD(r, c)]!word, call[r]; c++
    :: else -> break
    od
}

inline tell_parent(r, word)
{
    if
    :: r == ROOT -> skip
    :: else -> up[r]!word, call[r]
    fi
}

/* comm/meeting.c:tell_all. */
inline tell_all(r, word)
{
    tell_parent(r, word);
    tell_children(r, word)
}

/* comm/meeting.c:weigh; what child c of this rank said. */
inline weigh(r)
{
    if
    :: said == HERE ->
        heard = heard + 1;
        if
        :: its != call[r] && mutant != 5 -> known = DIFFER
        :: else -> skip
        fi
    :: said == GONE && told ->
        if
        :: mutant == 4 -> skip
        :: else -> tell_parent(r, GONE)
        fi
    :: else -> known = said
    fi;
    if
    :: known != NONE -> tell_all(r, known)
    :: else -> skip
    fi
}

/* comm/meeting.c:listen_below.  Messages of one child come in order; a leaver's is heard before this rank tells. */
inline listen_below(r, child)
{
    up[child]?said, its;
    weigh(r);
    do
    :: known == NONE && nempty(up[child]) && mutant != 7 -> up[child]?said, its; weigh(r)
    :: known != NONE || empty(up[child]) || mutant == 7 -> break
    od
}

/* comm/meeting.c:listen_above. */
inline listen_above(r)
{
    down[r]?known, its;
    if
    :: mutant == 6 && known == GONE -> skip
    :: else -> tell_children(r, known)
    fi
}

/* comm/meeting.c:step. */
inline tell_here(r)
{
    told = true;
    if
    :: r == ROOT -> known = HERE; tell_children(r, HERE)
    :: else -> tell_parent(r, HERE)
    fi
}

/* comm/meeting.c:leave. */
inline leave(r)
{
    wanted = true;
    if
    :: mutant == 3 -> skip
    :: else -> tell_parent(r, GONE)
    fi;
    if
    :: told && mutant != 1 -> leaving = true
    :: else -> go_away(r)
    fi
}

inline go_away(r)
{
    left = true;
    known = GONE;
    if
    :: mutant == 2 -> skip
    :: else -> tell_children(r, GONE)
    fi
}

proctype rank(byte r; bool late; bool deadline)
{
    mtype known = NONE;
    mtype said;
    bit its;
    byte heard;
    byte c;
    bool told;
    bool leaving;
    if
    :: late -> timeout
    :: else -> skip
    fi;
    do
    :: atomic { known == NONE && r != ROOT && nempty(down[r]) -> listen_above(r) }
    :: atomic { known == NONE && CHILDREN(r) > 0 && nempty(up[CHILD(r, 0)]) -> listen_below(r, CHILD(r, 0)) }
    :: atomic { known == NONE && CHILDREN(r) > 1 && nempty(up[CHILD(r, 1)]) -> listen_below(r, CHILD(r, 1)) }
    :: atomic { known == NONE && !told && heard == CHILDREN(r) && (r == ROOT || empty(down[r])) -> tell_here(r) }
    :: atomic { known == NONE && deadline && !leaving && !(heard == CHILDREN(r) && !told) -> leave(r) }
    :: atomic { known == NONE && leaving && timeout -> go_away(r) }
    :: known != NONE -> break
    od;
    atomic { result[r] = known; through++ }
}

active proctype judge()
{
    byte r;
    through == N;
    atomic {
        for (r : 1 .. N - 1) {
            assert((result[r] == HERE) == (result[0] == HERE))
        }
        assert(result[0] != HERE || (!left && !differ));
        assert(result[0] == HERE || wanted || differ)
    }
}

init
{
    byte r;
    bool late;
    bool deadline;
    c_code { now.mutant = getenv("MUTANT") ? atoi(getenv("MUTANT")) : 0; };
    atomic {
        if
        :: skip
        :: differ = true; select(r : 0 .. N - 1); call[r] = 1
        fi;
        for (r : 0 .. N - 1) {
            if
            :: late = false
            :: late = true
            fi;
            if
            :: deadline = false
            :: deadline = true
            fi;
            run rank(r, late, deadline)
        }
    }
}
