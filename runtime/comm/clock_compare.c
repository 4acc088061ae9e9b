#include "comm/clock_compare.h"

#include "base/clock.h"
#include "base/status.h"

enum {
    ROUNDS = 16,
    PATIENCE = 1000 /* tests before others may have the processor: what is measured is short */
};

/* Of tags that no exchange has; meetings have the one behind it. */
static int tag_of(const hxi_topology *topology)
{
    return hxi_topology_tag(topology, HX_TAG_CLOCKS);
}

/* Each round is two messages, one from the rank that asks and one back. */
static bool is_through(const hxi_topology *topology, const hxi_clock_trips *trips)
{
    return trips->peer == topology->ranks || trips->messages == 2 * ROUNDS;
}

/* The next message: of rank 0 with whose turn it is, of others with rank 0.  Returns MPI's code. */
static int post(const hxi_topology *topology, hxi_clock_trips *trips)
{
    const bool answers = topology->rank == 0;
    const bool sends = answers == (trips->messages % 2 != 0);
    if (is_through(topology, trips)) {
        return MPI_SUCCESS;
    }
    trips->receives = !sends;
    if (!sends) {
        return MPI_Irecv(&trips->told, 1, MPI_DOUBLE, trips->peer, tag_of(topology), topology->comm,
                         &trips->request);
    }
    trips->asked = hxi_clock();
    trips->told = trips->asked;
    return MPI_Isend(&trips->told, 1, MPI_DOUBLE, trips->peer, tag_of(topology), topology->comm,
                     &trips->request);
}

/* The first answer comes when it is this rank's turn, and so takes longest. */
static void note_answer(hxi_clock_trips *trips)
{
    const double half = (hxi_clock() - trips->asked) / 2.0;
    if (trips->messages == 1 || half < trips->offset.uncertain) {
        trips->offset = (hxi_clock_offset){.ahead = trips->told - (trips->asked + half), .uncertain = half};
    }
}

static int begin(const hxi_topology *topology, hxi_clock_trips *trips)
{
    *trips = (hxi_clock_trips){.request = MPI_REQUEST_NULL, .peer = topology->rank == 0 ? 1 : 0};
    return post(topology, trips);
}

/* One message has come or gone. */
static int go_on(const hxi_topology *topology, hxi_clock_trips *trips)
{
    if (topology->rank > 0 && trips->receives) {
        note_answer(trips);
    }
    trips->messages++;
    if (topology->rank == 0 && trips->messages == 2 * ROUNDS) {
        trips->peer++;
        trips->messages = 0;
    }
    return post(topology, trips);
}

/* What may still be sent stays where it is. */
static hx_status give_up(const hxi_topology *topology, hxi_clock_trips *trips, double deadline)
{
    if (trips->receives) {
        MPI_Cancel(&trips->request);
        MPI_Wait(&trips->request, MPI_STATUS_IGNORE);
    }
    return hxi_fail(HX_ERR_DEADLINE, "after %g seconds rank %d still compares its clock with that of rank %d",
                    deadline, topology->rank, trips->peer);
}

/* deadline: 0: none. */
static hx_status run(const hxi_topology *topology, hxi_clock_trips *trips, double deadline)
{
    const double end = hxi_clock() + deadline;
    int code = begin(topology, trips);
    for (int tries = 0; code == MPI_SUCCESS && !is_through(topology, trips); ++tries) {
        int done = 0;
        code = MPI_Test(&trips->request, &done, MPI_STATUS_IGNORE);
        if (code == MPI_SUCCESS && done) {
            code = go_on(topology, trips);
            tries = 0;
        } else if (deadline > 0.0 && hxi_clock() > end) {
            return give_up(topology, trips, deadline);
        } else if (tries > PATIENCE) {
            hxi_clock_yield();
        }
    }
    return code == MPI_SUCCESS ? HX_OK
                               : hxi_fail_mpi(code, "Asking rank 0 for the time (MPI_Isend, MPI_Irecv)");
}

/* Ranks that share memory share a clock, but where somebody gave a container another one. */
static void believe_node(const hxi_topology *topology, hxi_clock_offset *offset)
{
    const double off = offset->ahead < 0.0 ? -offset->ahead : offset->ahead;
    if (hxi_topology_node_rank(topology, 0) >= 0 && off <= offset->uncertain) {
        *offset = (hxi_clock_offset){.ahead = 0.0};
    }
}

hx_status hxi_clock_compare(const hxi_topology *topology, hxi_clock_offset *offset)
{
    hxi_clock_trips trips;
    const hx_status status = run(topology, &trips, 0.0);
    *offset = trips.offset;
    believe_node(topology, offset);
    return hxi_topology_agree(topology->comm, status);
}

hx_status hxi_clock_compare_again(const hxi_topology *topology, hxi_clock_trips *trips, double deadline,
                                  hxi_clock_line *line)
{
    const hx_status status = run(topology, trips, deadline);
    const double passed = hxi_clock() - line->since;
    believe_node(topology, &trips->offset);
    if (status == HX_OK && passed > 0.0) {
        line->drift = (trips->offset.ahead - line->ahead) / passed;
    }
    return status;
}
