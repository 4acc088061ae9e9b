/*
 * All ghost points around a block, filled by an exchange or not.
 */
#ifndef HX_AUDIT_HALO_H
#define HX_AUDIT_HALO_H

#include "audit/rows.h"

/*
 * Poisons those of a field's new array.  Not of fields whose ghost points an exchange sends back: these start
 * from zero.  Nor of halos that are no box around the owned points.
 */
void hxi_halo_poison(const hx_spec *spec, const hxi_block_list *mine, int block, int field, void *array);

#endif
