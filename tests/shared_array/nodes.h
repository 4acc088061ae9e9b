/*
 * An MPI in which this machine is several nodes, and in which the n-th call, or request for memory, fails.
 * Functions of MPI that libhx calls for arrays are replaced by some that call the real ones.  Linked with the
 * static libhx, and with --wrap for hxi_topology_agree, hxi_memory_get, hxi_memory_grow and mprotect.
 */
#ifndef NODES_H
#define NODES_H

#include <hx/hx.h>

/* From now on ranks share memory where they have the same number.  NULL: as it really is. */
void nodes_divide(int (*node_of)(int rank));

/* The n-th call from now on is made, and then reported as failed, on this rank, or memory refused; 0: none.
 * Agreement never fails. */
void nodes_fail_at(int n);

/* What failed since: HX_ERR_MPI or HX_ERR_MEMORY, also for protection; HX_OK if nothing did. */
hx_status nodes_failed(void);

/* Makes windows from now on that this rank, if it loses them, is not given; frees the last that was made. */
void nodes_lose_window(int loses);
void nodes_free_last(void);

/* Windows and communicators of libhx that were made and not freed. */
int nodes_live(void);

/* The longest broadcast so far among ranks that are not all ranks, in bytes. */
int nodes_longest(void);

#endif
