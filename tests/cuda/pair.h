/*
 * Exchanges between two ranks: the layout and the handle of tests of orders and of faults.
 */
#ifndef PAIR_H
#define PAIR_H

#include "arrays.h"

/* 5 by 4 by 6 cells in two blocks, one a rank, with strides that are padded. */
void pair_layout(layout *l, const hx_spec *spec);

/* Ways for messages to lie, option device_messages: all, and that of pair_create. */
enum { PAIR_WAYS = 2 };
extern const char *const pair_ways[PAIR_WAYS];
extern const char *pair_messages;

/* deadline: in seconds. */
hx_status pair_create(const layout *l, double deadline, hx_handle **handle);

#endif
