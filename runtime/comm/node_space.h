/*
 * Room for memory of MPI that the ranks of a node share.  MPI keeps it in files of a file system in memory,
 * which may be small, as /dev/shm of many containers.  Then Open MPI fails on one rank and waits on the
 * others, and with MPICH whoever touches a page that is not there is killed: libhx knows before, and touches
 * first.
 */
#ifndef HX_NODE_SPACE_H
#define HX_NODE_SPACE_H

#include "comm/topology.h"

#include <stddef.h>

/*
 * Collective over the node, before MPI is asked for memory of which this rank holds so many bytes.
 * HX_ERR_MEMORY, in words, where they do not fit beside what MPI adds.  what: "window \"name\"".  instead:
 * what to do else, the end of a sentence.
 */
hx_status hxi_node_space_check(const hxi_topology *topology, size_t bytes, const char *what,
                               const char *instead);

/*
 * Local.  Writes zeros to fresh memory of MPI, so that its pages are there from here on, near this rank;
 * where they cannot be, HX_ERR_MEMORY, in words, and no signal.
 */
hx_status hxi_node_space_touch(void *memory, size_t bytes, const char *what);

#endif
