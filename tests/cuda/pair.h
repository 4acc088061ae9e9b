/*
 * Exchanges between two ranks: the layout and the handle of tests of orders and of faults.
 */
#ifndef PAIR_H
#define PAIR_H

#include "arrays.h"

/* 5 by 4 by 6 cells in two blocks, one a rank, with strides that are padded. */
void pair_layout(layout *l, const hx_spec *spec);

/* Ways for messages to travel and to lie, and that of pair_create. */
typedef struct pair_way {
    const char *transport;
    const char *messages; /* option device_messages */
} pair_way;
enum { PAIR_WAYS = 4 };
extern const pair_way pair_ways[PAIR_WAYS];
extern const pair_way *pair_taken;

/* deadline: in seconds.  With "aware" the host may touch memory of the device from then on. */
hx_status pair_create(const layout *l, double deadline, hx_handle **handle);

/* How often this rank's message was written straight into the other one's arrays; -1: it never is. */
long pair_written(hx_handle *handle);

/* An exchange does what it is to, in new arrays, whatever it goes by. */
void pair_exchange_once(const layout *l, hx_handle *handle, int exchange);

#endif
