/*
 * Routes: by which transport each peer of an exchange is reached, and why.
 */
#ifndef HX_ROUTES_H
#define HX_ROUTES_H

#include "pack/segment.h"
#include "transport/transport.h"

/* Transports of one exchange have numbers, the same on all ranks; those within a rank have the first. */
enum { HX_SELF_TRANSPORT, HX_FIRST_TRANSPORT, HX_TRANSPORTS = 8 };

typedef struct hxi_route {
    int peer;
    bool sends; /* to it */
    bool receives;
    int transport;
    const char *why; /* not the transport that was chosen; NULL if it is */
} hxi_route;

typedef struct hxi_routes {
    const hxi_transport *transport[HX_TRANSPORTS]; /* by number */
    int transports;
    hxi_route *route; /* by rising peer */
    int routes;
} hxi_routes;

/*
 * Local.  on_device: of an exchange with fields there; segments: those of all phases.  Sets their transports, too,
 * and sorts them by these.
 */
hx_status hxi_routes_make(const hxi_topology *topology, const hx_options *options, bool on_device,
                          hxi_segments *const *segments, int phases, hxi_routes *routes);
void hxi_routes_free(hxi_routes *routes);

#endif
