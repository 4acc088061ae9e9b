/*
 * The tables of a spec that emitted code gives to create.
 */
#ifndef HX_DESCRIPTOR_H
#define HX_DESCRIPTOR_H

#include <hx/abi.h>

/*
 * HX_ERR_ARGUMENT, in words, if a number in the tables is none that halogen emits: whatever else looks into
 * them trusts them.  Needs a spec of this ABI.
 */
hx_status hxi_descriptor_check(const hx_spec *spec);

/* The same, once a process for each spec that was emitted. */
hx_status hxi_descriptor_admit(const hx_spec *spec);

#endif
