/*
 * Whom does everybody wait for in the end?  Rank 3 waits for rank 4, which is late because it has waited for rank 5:
 * the blame goes to rank 5.
 */
#ifndef HX_BLAME_H
#define HX_BLAME_H

#include "observe/lateness.h"

/* One rank's waits for late ones, of all its exchanges, by rank that is waited for. */
typedef struct hxi_waits {
    const hxi_awaited *awaited;
    int count;
} hxi_waits;

/*
 * blame: room for so many ranks: seconds that others waited because of each.  spare: room for twice as many.
 * Their sum is that of all waits.
 */
void hxi_blame_find(const hxi_waits waits[], int ranks, double blame[], double spare[]);

#endif
