/*
 * The order of memory, for the models beside this file.  Before it is included: N ranks, FLAGS flags, at most
 * 32 places.
 *
 * A flag is an atomic variable.  A place is memory that is read and written as usual: a slot of a box, ghost
 * points, a notice.  C11 leaves open in which order ranks see places, but for this: who loads a flag by
 * acquire knows all that the rank knew which stored it by release.  So a set of places goes with each rank,
 * and with each flag: those whose last touch it knows of.  Nobody may touch a place without knowing of its last
 * touch: whatever a processor or a compiler may reorder, such a touch breaks an assertion.
 *
 * A release and the touches before it are one step: nobody else can tell.
 */
int known[N];       /* places, by rank */
int carried[FLAGS]; /* places, by flag */
byte flag[FLAGS];   /* its value */
int met;            /* places that a barrier tells of */
byte came;          /* ranks that came to a barrier, all told */
hidden byte i_;

/* For each i_ below a bound. */
#define EACH(bound, statement) i_ = 0; do :: i_ < bound -> statement; i_++ :: else -> break od; i_ = 0

inline release(r, f, value)
{
    carried[f] = known[r];
    flag[f] = value
}

/* A store that is no release. */
inline relaxed(f, value)
{
    carried[f] = 0;
    flag[f] = value
}

inline acquire(r, f)
{
    known[r] = known[r] | carried[f]
}

/* Rank r reads or writes a place; another touch by a rank that may do so at the same time would be an error. */
inline touch(r, place)
{
    d_step {
        assert((known[r] >> (place)) & 1);
        EACH(N, known[i_] = known[i_] & ~(1 << (place)));
        EACH(FLAGS, carried[i_] = carried[i_] & ~(1 << (place)));
        met = met & ~(1 << (place));
        known[r] = known[r] | (1 << (place))
    }
}

/* A barrier, in two steps: what ranks knew when they came all know that have left it.  round: from 1. */
inline arrive(r)
{
    met = met | known[r];
    came++
}

#define ALL_CAME(round) (came >= (round) * N)

inline leave(r)
{
    known[r] = known[r] | met
}

/* Which mutant of the model this is; 0: none.  The environment says so, to compile a model once. */
byte mutant;

inline begin_order()
{
    c_code { now.mutant = getenv("MUTANT") ? atoi(getenv("MUTANT")) : 0; };
    d_step { EACH(N, known[i_] = ~0) }
}
