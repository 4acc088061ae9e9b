/*
 * The registry of transports.  A new one is a file beside this one and a line here.
 */
#include "transport/transport.h"

#include "base/text.h"

#include <string.h>

/* Within a rank nothing is sent, so it has no functions: pack/ops.c sweeps and copies. */
const hxi_transport hxi_transport_self = {
    .name = "self",
    .about = "copied from array to array, without a buffer",
};

/* Those that may be named first come first: the first of them is what "auto" takes. */
static const hxi_transport *const transports[] = {
    &hxi_transport_shared,      &hxi_transport_persistent, &hxi_transport_p2p,       &hxi_transport_neighbor,
    &hxi_transport_rma,         &hxi_transport_rma_get,    &hxi_transport_rma_fence, &hxi_transport_rma_pscw,
    &hxi_transport_partitioned, &hxi_transport_manual,     &hxi_transport_ipc,       &hxi_transport_nccl,
    &hxi_transport_self,
};

enum { TRANSPORTS = sizeof transports / sizeof transports[0] };

const hxi_transport *hxi_transport_named(const char *name)
{
    if (name && strcmp(name, "auto") == 0) {
        return transports[0];
    }
    for (int i = 0; i < TRANSPORTS; ++i) {
        if (name && (transports[i]->flags & HX_TRANSPORT_CHOICE) != 0 &&
            strcmp(name, transports[i]->name) == 0) {
            return transports[i];
        }
    }
    return NULL;
}

bool hxi_transport_by_hand(const char *name)
{
    const hxi_transport *transport = hxi_transport_named(name);
    return transport && (transport->flags & HX_TRANSPORT_BY_HAND) != 0;
}

const hxi_transport *hxi_transport_at(int number)
{
    return (transports[number]->flags & HX_TRANSPORT_CHOICE) != 0 ? transports[number] : NULL;
}

const char *hxi_transport_names(char *text, size_t size)
{
    hxi_text out = {text, size, 0};
    hxi_text_add(&out, "\"auto\"");
    for (int i = 0; i < TRANSPORTS; ++i) {
        if ((transports[i]->flags & HX_TRANSPORT_CHOICE) != 0) {
            hxi_text_add(&out, " or \"%s\"", transports[i]->name);
        }
    }
    return text;
}
