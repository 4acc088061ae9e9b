/*
 * Starts and finishes that are captured: what they put into a graph, so that devices exchange whenever it is
 * launched, and no host does anything.
 */
#ifndef HX_DEVICE_GRAPH_H
#define HX_DEVICE_GRAPH_H

#include "exchange/handle.h"

/* The number of the capture that the stream of a call is in; 0: it is in none.  Also 0 for an exchange without fields on a
 * device, which later checks refuse. */
hx_status hxi_device_graph_asked(const hx_handle *handle, int exchange, hx_stream stream, const char *verb,
                                 uint64_t *capture);

/* Can devices move all messages of this exchange by themselves?  verb: for the sentence. */
hx_status hxi_device_graph_check(const hx_handle *handle, const hxi_plan *plan, const char *verb);

/* The steps of hx_cuda_signal for all its messages, which kernels from here on find where graphs have them. */
hx_status hxi_device_graph_step(hxi_plan *plan, int step, hx_stream stream);

/*
 * Has a graph waited for another rank in vain?  HX_ERR_DEADLINE, and the handle is broken.  Whoever wants to
 * hear of the last launch waits for its stream first.
 */
hx_status hxi_device_graph_look(hx_handle *handle, const hxi_plan *plan);

#endif
