/*
 * A phase under way: opened, packed and sent message by message, and what has come unpacked.  Nothing here waits.
 */
#ifndef HX_PHASE_RUN_H
#define HX_PHASE_RUN_H

#include "base/clock.h"
#include "exchange/handle.h"

/* Seconds, but 0 if nobody wants to know. */
static inline double hxi_stopwatch(const hx_handle *handle)
{
    return handle->options.timing ? hxi_clock() : 0.0;
}

/* Where the points of the messages of a binding are, behind their headers: as it has them now. */
void hxi_phase_set_buffers(hxi_phase *phase, const hxi_binding *binding);

/* Where kernels of a device pack what is to be sent after the next open: chooses that. */
void hxi_phase_turn(hxi_phase *phase);

/* Opens all phases: from here on messages can come in, since a peer may be ahead, and buffers may be written. */
hx_status hxi_phases_open(hxi_plan *plan);

/* Packs and sends all messages, and copies within the rank.  Those whose receivers are not ready are late. */
hx_status hxi_phase_begin(hx_handle *handle, hxi_plan *plan, hxi_phase *phase);

/* The same for the first phase, and for those behind it while they wait for nobody. */
hx_status hxi_phases_begin(hx_handle *handle, hxi_plan *plan);

/* Of one in which a device packs, too: what is packed and copied by loops of the host, and headers. */
void hxi_phase_pack_here(hx_handle *handle, hxi_plan *plan, hxi_phase *phase);

/* Sends message `number`, which a device has packed, or a part of it. */
hx_status hxi_phase_send_packed(const hx_handle *handle, const hxi_plan *plan, hxi_phase *phase, int number);

/* Opens all phases, of which there is one, and sends all messages that way, but those that are late. */
hx_status hxi_phases_send_all(const hx_handle *handle, hxi_plan *plan);

/* Messages whose receivers were not ready when they were offered. */
hx_status hxi_phase_deliver_late(const hx_handle *handle, hxi_plan *plan, hxi_phase *phase);

/* Notes what has come, and what has left. */
hx_status hxi_phase_progress(hxi_phase *phase);

/* Unpacks what has come; *moved: there was something. */
hx_status hxi_phase_take(hx_handle *handle, hxi_plan *plan, hxi_phase *phase, bool *moved);

/* All that came is unpacked and added: where it was may be written again. */
void hxi_phase_settle(hxi_phase *phase);

/* Requests, or messages, that are not complete. */
int hxi_phase_under_way(const hxi_phase *phase);

#endif
