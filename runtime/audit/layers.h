/*
 * Layers of the halo that a cycle reads as it begins: steps have computed them, here as their owners did, or an
 * exchange has brought them.  What lies beyond holds what nobody is to read.
 */
#ifndef HX_AUDIT_LAYERS_H
#define HX_AUDIT_LAYERS_H

#include "audit/audit.h"

/* layers: of each field of the exchange, in its order there.  fields: as for start. */
typedef struct hxi_layers {
    const hx_cycle *cycle;
    const hx_layers *layers;
    const void *fields;
} hxi_layers;

/* Local.  Poisons what lies beyond, if that is asked for; not behind walls, which are the application's. */
void hxi_layers_poison(hxi_audits *audits, const hxi_layers *what);

/* Local.  Keeps what the layers hold, before the exchange brings what owners have.  False, on all ranks: nobody asks. */
bool hxi_layers_keep(hxi_audits *audits, const hxi_layers *what);

/* Local, behind it: HX_ERR_MISMATCH, in words, where they held something else. */
hx_status hxi_layers_compare(hxi_audits *audits, const hxi_layers *what);

#endif
