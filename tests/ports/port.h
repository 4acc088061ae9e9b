/*
 * What the ports have in common: a program in the shape of a public code, with two ways to exchange halos, by
 * hand as that code does it and by emitted code, and the same program on one rank, which says what is right.
 */
#ifndef PORT_H
#define PORT_H

#include <hx/hx.h>

#include <stdbool.h>

typedef enum way { BY_HAND, EMITTED, WAYS } way;

typedef struct port {
    const char *name;
    int n;            /* cells along each axis where it is tested ... */
    int sizes[4];     /* ... and where it is measured; 0 ends the list */
    double tolerance; /* largest difference to the serial result; 0 where bits agree */

    /*
     * The problem, divided among the ranks of comm; collective.  For MPI_COMM_SELF it is the serial program.
     */
    void *(*create)(MPI_Comm comm, int n, way by);
    /* One step with its exchanges, each between port_enter and port_leave. */
    void (*step)(void *state);
    /*
     * The largest difference of this rank's values to those of the serial program, relative to the largest.
     */
    double (*difference)(const void *state, const void *serial);
    void (*destroy)(void *state);
} port;

/*
 * PROGRAM [-b]: compares both ways with the serial program after some steps; with -b measures them as well.
 * Returns what main returns: 0, or 1 if a value is wrong.
 */
int port_main(const port *p, int argc, char **argv);

/* The time between the two is that of exchanges. */
void port_enter(void);
void port_leave(void);

/* The larger of two differences. */
double port_larger(double a, double b);

#endif
