/*
 * Sweeps: the halo of one field of one block, filled in one walk through memory from blocks of this rank, and
 * from those of other ranks of its node whose arrays it reads (direct.h).
 */
#ifndef HX_SWEEP_H
#define HX_SWEEP_H

#include "pack/work.h"

/* The array that the points of one direction come from. */
typedef struct hxi_sweep_source {
    int slot; /* as in work.h; -1: they are served otherwise */
    size_t offset;
} hxi_sweep_source;

typedef struct hxi_sweep {
    hx_sweep_fn *run;
    int slot;
    hx_shell shell;
    const hxi_sweep_source *source; /* one for each direction: see hx_sweep_fn */
    hx_pull *pull;                  /* likewise; where they come from is set when it runs */
    int directions;
    const int *order; /* axes from the fastest to the slowest, ... */
    int axes;         /* ... so many */
    size_t size;      /* bytes of a point */
} hxi_sweep;

typedef struct hxi_sweeps {
    hxi_sweep *sweep;
    int count;
    hxi_sweep_source *source; /* of all of them */
    hx_pull *pull;
    unsigned char *swept; /* per segment: a sweep serves it */
} hxi_sweeps;

/*
 * Finds what can be swept.  The kernel must exist; the points of a direction must come from one block whose
 * array is at hand, turned or not, whole, and nothing else feeds them; and all halos across the fastest axis
 * must be among them, and another one.  Those gain by it where the exchange copies much, and tiles have several
 * blocks: a walk touches each row once, while kernels for single directions come back to it.
 */
hx_status hxi_sweeps_make(const hxi_work *work, hxi_sweeps *sweeps);
void hxi_sweeps_free(hxi_sweeps *sweeps);

#endif
