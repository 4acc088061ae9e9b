/*
 * The registry of transports.  A new one is a file beside this one and a line here.
 */
#include "transport/transport.h"

#include "base/text.h"

#include <string.h>

/* Those that may be named first come first: the first of them is what "auto" takes. */
static const hx_transport *const transports[] = {
    &hx_transport_shared, &hx_transport_persistent, &hx_transport_p2p,       &hx_transport_neighbor,
    &hx_transport_rma,    &hx_transport_rma_get,    &hx_transport_rma_fence, &hx_transport_rma_pscw,
    &hx_transport_manual, &hx_transport_ipc,        &hx_transport_self,
};

enum { TRANSPORTS = sizeof transports / sizeof transports[0] };

const hx_transport *hx_transport_named(const char *name)
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

bool hx_transport_by_hand(const char *name)
{
    const hx_transport *transport = hx_transport_named(name);
    return transport && (transport->flags & HX_TRANSPORT_BY_HAND) != 0;
}

const hx_transport *hx_transport_at(int number)
{
    return (transports[number]->flags & HX_TRANSPORT_CHOICE) != 0 ? transports[number] : NULL;
}

const char *hx_transport_names(char *text, size_t size)
{
    hx_text out = {text, size, 0};
    hx_text_add(&out, "\"auto\"");
    for (int i = 0; i < TRANSPORTS; ++i) {
        if ((transports[i]->flags & HX_TRANSPORT_CHOICE) != 0) {
            hx_text_add(&out, " or \"%s\"", transports[i]->name);
        }
    }
    return text;
}
