/*
 * Memory of a node that one handle gives up and the next one takes.  Handles made one like another have one spare
 * piece together.  A handle whose blocks may move makes it; so the next ones need not wait for the system.
 */
#ifndef HX_NODE_SPARE_H
#define HX_NODE_SPARE_H

#include "comm/node_memory.h"

typedef struct hxi_node_spare hxi_node_spare;

/* Local: for one more handle, beside that of *spare, which is made where it is NULL; NULL: there is no memory. */
hxi_node_spare *hxi_node_spare_join(hxi_node_spare **spare);

/*
 * Collective over the ranks of a node; a failure may be this rank's alone: a spare piece for handles like one that has so
 * many bytes, for which other blocks ask for somewhat more.  There is none where the system refuses, or this is a lot.
 */
hx_status hxi_node_spare_make(const hxi_topology *topology, size_t bytes, hxi_node_spare **spare);

/*
 * Local: a handle ends, and leaves its memory, which is empty then, for the next one; the piece that lay there before is
 * closed.  NULL: nothing, since others may still write into it.
 */
void hxi_node_spare_leave(hxi_node_spare *spare, hxi_node_memory *memory);

/*
 * Collective over the ranks of a node, as hxi_node_memory_open, whose memory all of them share: the spare piece where all
 * have left the same, and it has room for what each asks for.  What it holds is old; memory->again says so.
 */
hx_status hxi_node_spare_open(const hxi_topology *topology, size_t bytes, hxi_node_spare *spare,
                              hxi_node_memory *memory);

#endif
