/*
 * Where kernels of a device find the messages of a phase.  With most transports that is where these have
 * them, always.  With those that take turns it is another place in each start; and one that does not change
 * for pack and unpack as halves, which may be in graphs.
 */
#ifndef HX_DEVICE_BUFFERS_H
#define HX_DEVICE_BUFFERS_H

#include "exchange/phase.h"

/* Local, when the transports are bound: the buffers of messages, where these have any. */
void hxi_device_buffers_bind(const hxi_phase *phase);

/* Before start, or send, has packed: from here on kernels use the places of this start. */
void hxi_device_buffers_turn(hxi_phase *phase);

/* From here on they use those of the halves. */
void hxi_device_buffers_halfway(hxi_phase *phase);

/* From here on they use those of starts and finishes that are captured. */
void hxi_device_buffers_in_graph(hxi_phase *phase);

/* For send and receive: copies messages from where halves have them to where they are in this start, or back,
 * when the stream comes to here.  Whether there is anything to copy. */
hx_status hxi_device_buffers_send(const hxi_phase *phase, hx_stream stream);
hx_status hxi_device_buffers_receive(const hxi_phase *phase, hx_stream stream, bool *copies);

#endif
