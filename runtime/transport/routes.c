#include "transport/routes.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static int compare_routes(const void *left, const void *right)
{
    const hxi_route *a = left;
    const hxi_route *b = right;
    return (a->peer > b->peer) - (a->peer < b->peer);
}

/* Every peer once. */
static int collect_peers(hxi_segments *const *segments, int phases, hxi_route *route)
{
    int found = 0;
    for (int p = 0; p < phases; ++p) {
        for (int i = 0; i < segments[p]->count; ++i) {
            const hxi_segment *s = &segments[p]->segment[i];
            const bool known = found > 0 && route[found - 1].peer == s->link.peer;
            if (s->kind != HX_WITHIN && !known) {
                route[found++].peer = s->link.peer;
            }
        }
    }
    if (found == 0) {
        return 0;
    }
    qsort(route, (size_t)found, sizeof *route, compare_routes);
    int kept = 0;
    for (int i = 1; i < found; ++i) {
        if (route[i].peer != route[kept].peer) {
            route[++kept] = route[i];
        }
    }
    return kept + 1;
}

static hxi_route *find(const hxi_routes *routes, int peer)
{
    const hxi_route key = {.peer = peer};
    return bsearch(&key, routes->route, (size_t)routes->routes, sizeof *routes->route, compare_routes);
}

static void note_directions(const hxi_routes *routes, const hxi_segments *segments)
{
    hxi_route *route = NULL;
    for (int i = 0; i < segments->count; ++i) {
        const hxi_segment *s = &segments->segment[i];
        if (s->kind == HX_WITHIN) {
            continue;
        }
        route = route && route->peer == s->link.peer ? route : find(routes, s->link.peer);
        route->sends = route->sends || s->kind == HX_SENT;
        route->receives = route->receives || s->kind == HX_RECEIVED;
    }
}

/* ---- which transport ----------------------------------------------------------------------------------------- */

/* Why a transport cannot reach a peer; NULL: it can. */
static const char *obstacle(const hxi_topology *topology, const hxi_transport *transport,
                            const hxi_route *route)
{
    if ((transport->flags & HX_TRANSPORT_NODE) != 0 && hxi_topology_node_rank(topology, route->peer) < 0) {
        return "no memory is shared with this rank";
    }
    if ((transport->flags & HX_TRANSPORT_PAIRED) != 0 && !(route->sends && route->receives)) {
        return "messages go one way only, so nothing would tell when a buffer has been read";
    }
    return NULL;
}

/* For tests: any transport, the same at both ends. */
static int draw(const hxi_routes *routes, int rank, int peer)
{
    const int low = rank < peer ? rank : peer;
    const int high = rank < peer ? peer : rank;
    const uint64_t drawn = hxi_hash(hxi_hash(HX_HASH_SEED, low), high) >> 17;
    return HX_FIRST_TRANSPORT + (int)(drawn % (uint64_t)(routes->transports - HX_FIRST_TRANSPORT));
}

/* The first transport takes whom no other can reach. */
static void choose_transport(const hxi_topology *topology, const hxi_routes *routes, bool mixed,
                             hxi_route *route)
{
    route->transport = mixed ? draw(routes, topology->rank, route->peer) : routes->transports - 1;
    route->why = obstacle(topology, routes->transport[route->transport], route);
    if (route->why) {
        route->transport = HX_FIRST_TRANSPORT;
    }
}

/* Which of them can move some of the messages of an exchange? */
static bool can_be_mixed(const hxi_transport *transport, bool on_device)
{
    const unsigned left_out = HX_TRANSPORT_BY_HAND | HX_TRANSPORT_ORDERED | HX_TRANSPORT_STREAM |
                              HX_TRANSPORT_ABSENT | (on_device ? 0 : HX_TRANSPORT_BOXES);
    const unsigned needed = on_device ? HX_TRANSPORT_DEVICE : 0;
    return (transport->flags & left_out) == 0 && (transport->flags & needed) == needed;
}

/* Does a transport reach every rank, whoever is a peer? */
static bool reaches_all(const hxi_topology *topology, const hxi_transport *transport)
{
    return (transport->flags & HX_TRANSPORT_PAIRED) == 0 &&
           ((transport->flags & HX_TRANSPORT_NODE) == 0 || topology->one_machine);
}

/* The transports of the exchange, as the options say: the same on all ranks. */
static bool choose_transports(const hxi_topology *topology, const hx_options *options, bool on_device,
                              hxi_routes *routes)
{
    const bool mixed = strcmp(options->transport, HX_TRANSPORT_MIXED) == 0;
    const hxi_transport *chosen = mixed ? NULL : hxi_transport_named(options->transport);
    routes->transport[routes->transports++] = &hxi_transport_self;
    if (mixed || !reaches_all(topology, chosen)) {
        routes->transport[routes->transports++] = &hxi_transport_persistent;
    }
    for (int i = 0; mixed && routes->transports < HX_TRANSPORTS && hxi_transport_at(i); ++i) {
        if (hxi_transport_at(i) != &hxi_transport_persistent &&
            can_be_mixed(hxi_transport_at(i), on_device)) {
            routes->transport[routes->transports++] = hxi_transport_at(i);
        }
    }
    if (!mixed) {
        routes->transport[routes->transports++] = chosen;
    }
    return mixed;
}

static void set_transports(const hxi_routes *routes, hxi_segments *segments)
{
    const hxi_route *route = NULL;
    for (int i = 0; i < segments->count; ++i) {
        hxi_segment *s = &segments->segment[i];
        if (s->kind != HX_WITHIN) {
            route = route && route->peer == s->link.peer ? route : find(routes, s->link.peer);
            s->transport = route->transport;
        }
    }
    hxi_segments_sort(segments);
}

hx_status hxi_routes_make(const hxi_topology *topology, const hx_options *options, bool on_device,
                          hxi_segments *const *segments, int phases, hxi_routes *routes)
{
    *routes = (hxi_routes){0};
    const bool mixed = choose_transports(topology, options, on_device, routes);
    size_t most = 0;
    for (int p = 0; p < phases; ++p) {
        most += (size_t)segments[p]->count;
    }
    routes->route = hxi_memory_get(most, sizeof *routes->route, "the peers of an exchange");
    if (!routes->route) {
        return HX_ERR_MEMORY;
    }
    routes->routes = collect_peers(segments, phases, routes->route);
    for (int p = 0; p < phases; ++p) {
        note_directions(routes, segments[p]);
    }
    for (int i = 0; i < routes->routes; ++i) {
        choose_transport(topology, routes, mixed, &routes->route[i]);
    }
    for (int p = 0; p < phases; ++p) {
        set_transports(routes, segments[p]);
    }
    return HX_OK;
}

void hxi_routes_free(hxi_routes *routes)
{
    hxi_memory_free(routes->route);
    *routes = (hxi_routes){0};
}
