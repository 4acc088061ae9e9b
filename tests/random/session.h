/*
 * A handle of the library's for one way to divide a grid, and what must be true of its exchanges.
 */
#ifndef SESSION_H
#define SESSION_H

#include "oracle.h"

#include <stdbool.h>

/* Transport, schedule and check mode, by a number. */
enum { SESSION_VARIANTS = 12 };
hx_options session_options(int variant);

/*
 * What create is given, and how it is used.  padding: as for arrays_make; table: owners come in a table, not
 * by a function; apart: exchanges that are under way together share no field; before: the handle is made like one
 * whose blocks have these owners; between: by way of so many others, some of which exchange.
 */
typedef struct session_plan {
    const world *world;
    MPI_Comm comm;
    hx_options options;
    int padding;
    int table;
    bool apart;
    const int *before; /* NULL: from nothing */
    int between;
} session_plan;

typedef struct session {
    const world *world;
    arrays *arrays;
    hx_partition partition[WORLD_TILES];
    unsigned char *shapes;
    unsigned char *pointers;
    void *handle;
    bool apart;
    bool sets; /* arrays of libhx's are tried, too */
} session;

/* Collective.  The session stays where it is: the library keeps its address for walls.  The arrays are the
 * caller's. */
hx_status session_make(session *s, const session_plan *plan, arrays *all);
void session_free(session *s);

/* Compares every allocated element with the expectation. */
void session_check(const session *s, const char *when);

/* Starts and finishes; false if that failed. */
bool session_exchange(const session *s, int number);

/* An exchange, and once more but for means: what copies changes nothing then, and what adds finds zeros. */
void session_try_exchange(session *s, int number, unsigned salt);

/* Whether an exchange only copies into the halo, so that others under way make no difference to it. */
bool session_only_copies(const random_spec *spec, int number);

/* All that only copy, under way at once; every rank starts and finishes them in orders of its own. */
void session_try_together(session *s, unsigned salt);

#endif
