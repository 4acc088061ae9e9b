/*
 * The probe of transports that few programs use: none is trusted before it has delivered known bytes.
 */
#ifndef HX_PROBE_H
#define HX_PROBE_H

#include "transport/transport.h"

/* How long the probe may take; tests are less patient. */
#ifndef HX_PROBE_SECONDS
#define HX_PROBE_SECONDS 30
#endif

/* Before any rank sends: no buffer of this one holds known bytes of a probe before. */
void hxi_probe_clear(const hxi_binding *binding);

/* Messages as long as the real ones, in their buffers.  Of what: for sentences. */
hx_status hxi_probe_run(hxi_binding *binding, const char *what);

/*
 * All ranks together: binds persistent in place of a transport that failed, and keeps why.  After a failed probe
 * nothing is known about what MPI still does with the buffers.
 */
hx_status hxi_probe_fall_back(hxi_binding *binding, int probed);

#endif
