/*
 * Numbers that ranks tell each other, all at once, by collective calls of MPI.
 */
#ifndef HX_TELL_H
#define HX_TELL_H

#include <hx/hx.h>

/* Where the numbers of each rank begin, one after the other. */
void hxi_tell_begins(const int count[], int first[], int ranks);

/* Collective.  Each rank's numbers, and from all of them who has which. */
hx_status hxi_tell_owners(MPI_Comm comm, const int *mine, int count, int *owner, int blocks);

/* Collective.  All ranks get so many numbers of each rank; or as many as each has, which has put its own in place. */
hx_status hxi_tell_each(MPI_Comm comm, const int mine[], int count, int all[]);
hx_status hxi_tell_lists(MPI_Comm comm, int all[], const int counts[], const int first[]);

/* Collective.  Rank 0 gets so many numbers of each rank; counts, and where they begin in all, are its own. */
hx_status hxi_tell_first(MPI_Comm comm, const double mine[], int count, double all[], const int counts[],
                         const int first[]);

#endif
