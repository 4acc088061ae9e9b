#include "comm/topology.h"

#include "base/environment.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

bool hxi_topology_alive(void)
{
    int initialised = 0;
    int finalised = 0;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    return initialised && !finalised;
}

hx_status hxi_topology_running(const char *caller)
{
    if (hxi_topology_alive()) {
        return HX_OK;
    }
    int initialised = 0;
    MPI_Initialized(&initialised);
    return hxi_fail(HX_ERR_STATE, "%s was called %s.", caller,
                    initialised ? "after MPI_Finalize" : "before MPI_Init");
}

hx_status hxi_topology_place(MPI_Comm comm, const char *caller, int *rank, int *ranks)
{
    const hx_status status = hxi_topology_running(caller);
    if (status != HX_OK) {
        return status;
    }
    if (comm == MPI_COMM_NULL) {
        return hxi_fail(HX_ERR_ARGUMENT, "The communicator given to %s is MPI_COMM_NULL.", caller);
    }
    /* Neither an address of Open MPI nor a number of MPICH: in a struct of zeros, on which Open MPI would crash. */
    if (comm == (MPI_Comm)0) {
        return hxi_fail(HX_ERR_ARGUMENT, "The communicator given to %s is 0; set it.", caller);
    }
    int joins_groups = 0;
    int code = MPI_Comm_test_inter(comm, &joins_groups);
    if (code == MPI_SUCCESS && joins_groups) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "The communicator given to %s is an intercommunicator; merge it first.", caller);
    }
    code = code == MPI_SUCCESS ? MPI_Comm_rank(comm, rank) : code;
    code = code == MPI_SUCCESS ? MPI_Comm_size(comm, ranks) : code;
    return code == MPI_SUCCESS
               ? HX_OK
               : hxi_fail_mpi(code, "Asking the communicator given to %s for its ranks", caller);
}

/* Debian sets osc in a file of Open MPI so that what is left has no windows between nodes over TCP. */
const char *hxi_topology_window_advice(bool several_nodes)
{
#ifdef OPEN_MPI
    if (several_nodes) {
        return " (where Open MPI has none between nodes, set OMPI_MCA_osc=^ucx in the environment)";
    }
#endif
    (void)several_nodes;
    return "";
}

/* Does a sentence that ranks agreed on begin with who ran into it? */
static bool names_rank(const char *sentence)
{
    int rank = 0;
    int ranks = 0;
    int end = 0;
    return sscanf(sentence, "Rank %d of %d: %n", &rank, &ranks, &end) == 2 && end > 0;
}

hx_status hxi_topology_sign(int rank, int ranks, hx_status status)
{
    return status == HX_OK || names_rank(hx_last_error())
               ? status
               : hxi_fail(status, "Rank %d of %d: %s", rank, ranks, hx_last_error());
}

hx_status hxi_topology_agree(MPI_Comm comm, hx_status status)
{
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    int failing = status == HX_OK ? ranks : rank;
    int lowest = ranks;
    int code = MPI_Allreduce(&failing, &lowest, 1, MPI_INT, MPI_MIN, comm);
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "Agreeing on a status (MPI_Allreduce)");
    }
    if (lowest == ranks) {
        return HX_OK;
    }
    struct {
        int status;
        char sentence[HX_SENTENCE];
    } told = {.status = (int)hxi_topology_sign(rank, ranks, status)};
    snprintf(told.sentence, sizeof told.sentence, "%s", rank == lowest ? hx_last_error() : "");
    code = MPI_Bcast(&told, (int)sizeof told, MPI_BYTE, lowest, comm);
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "Telling all ranks what rank %d ran into (MPI_Bcast)", lowest);
    }
    return hxi_fail((hx_status)told.status, "%s", told.sentence);
}

hx_status hxi_topology_add_up(MPI_Comm comm, const uint64_t mine[], uint64_t sum[], int count)
{
    const int code = MPI_Allreduce(mine, sum, count, MPI_UINT64_T, MPI_SUM, comm);
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Adding up over all ranks (MPI_Allreduce)");
}

hx_status hxi_topology_agree_alike(MPI_Comm comm, hx_status status, hxi_likeness *likeness)
{
    enum { FAILED, HASH, TOLD, COUNT, WORDS };
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const uint64_t told = rank == 0 ? (uint64_t)likeness->told : 0;
    const uint64_t mine[WORDS] = {status != HX_OK, likeness->hash, told, (uint64_t)likeness->count};
    uint64_t sum[WORDS] = {0};
    const hx_status added = hxi_topology_add_up(comm, mine, sum, WORDS);
    if (added != HX_OK) {
        return added;
    }
    likeness->told = (int)sum[TOLD];
    likeness->count = (int64_t)sum[COUNT];
    likeness->alike = sum[HASH] == likeness->hash * (uint64_t)ranks;
    return sum[FAILED] == 0 ? HX_OK : hxi_topology_agree(comm, status);
}

hx_status hxi_topology_sum(MPI_Comm comm, int mine, const char *purpose, int64_t *sum)
{
    const int64_t part = mine;
    const int code = MPI_Allreduce(&part, sum, 1, MPI_INT64_T, MPI_SUM, comm);
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "%s (MPI_Allreduce)", purpose);
}

hx_status hxi_topology_tell(const hxi_topology *topology, void *data, size_t bytes)
{
    const int code = MPI_Bcast(data, (int)bytes, MPI_BYTE, 0, topology->comm);
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Telling all ranks (MPI_Bcast)");
}

hx_status hxi_topology_most(const hxi_topology *topology, const int64_t mine[], int64_t most[], int count)
{
    const int code = MPI_Allreduce(mine, most, count, MPI_INT64_T, MPI_MAX, topology->comm);
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Finding the slowest rank (MPI_Allreduce)");
}

bool hxi_topology_alike(const hxi_topology *one, const hxi_topology *other)
{
    if (one->comm == other->comm) {
        return true;
    }
    int result = 0;
    const int code = MPI_Comm_compare(one->comm, other->comm, &result);
    return code == MPI_SUCCESS && result == MPI_CONGRUENT;
}

uint64_t hxi_identity_hash(const hxi_identity *identity)
{
    uint64_t hash = HX_HASH_SEED;
    for (int i = 0; i < HX_TRAITS; ++i) {
        for (const char *c = identity->trait[i]; *c; ++c) {
            hash = hxi_hash(hash, *c);
        }
        hash = hxi_hash(hash, i);
    }
    return hash;
}

hx_status hxi_topology_compare(MPI_Comm comm, const hxi_identity *mine)
{
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    hxi_identity first = *mine;
    const int code = MPI_Bcast(&first, (int)sizeof first, MPI_BYTE, 0, comm);
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "Comparing specs, partitions and options (MPI_Bcast)");
    }
    for (int i = 0; i < HX_TRAITS; ++i) {
        if (strcmp(mine->trait[i], first.trait[i]) != 0) {
            return hxi_fail(HX_ERR_MISMATCH, "The ranks disagree.  Rank %d: %s.  Rank 0: %s.", rank,
                            mine->trait[i], first.trait[i]);
        }
    }
    return HX_OK;
}

MPI_Errhandler hxi_topology_quiet(MPI_Comm comm, int keep)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (hxi_environment_keeps_errhandler(keep) || MPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS) {
        return MPI_ERRHANDLER_NULL;
    }
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return handler;
}

void hxi_topology_restore(MPI_Comm comm, MPI_Errhandler handler)
{
    if (handler != MPI_ERRHANDLER_NULL) {
        MPI_Comm_set_errhandler(comm, handler);
        MPI_Errhandler_free(&handler);
    }
}

hxi_topology hxi_topology_none(void)
{
    return (hxi_topology){.comm = MPI_COMM_NULL, .node = MPI_COMM_NULL, .leaders = MPI_COMM_NULL};
}

hx_status hxi_topology_open(MPI_Comm comm, hxi_topology *topology)
{
    *topology = hxi_topology_none();
    int code = MPI_Comm_dup(comm, &topology->comm);
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "MPI_Comm_dup");
    }
    code = MPI_Comm_set_errhandler(topology->comm, MPI_ERRORS_RETURN);
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "MPI_Comm_set_errhandler");
    }
    MPI_Comm_rank(topology->comm, &topology->rank);
    MPI_Comm_size(topology->comm, &topology->ranks);
    int *last = NULL;
    int known = 0;
    code = MPI_Comm_get_attr(topology->comm, MPI_TAG_UB, &last, &known);
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "MPI_Comm_get_attr");
    }
    topology->last_tag = known ? *last : 32767; /* what the standard promises */
    int level = MPI_THREAD_MULTIPLE;
    code = MPI_Query_thread(&level);
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "MPI_Query_thread");
    }
    topology->single = level < MPI_THREAD_FUNNELED;
    topology->one_thread = level < MPI_THREAD_SERIALIZED;
    topology->serial = level < MPI_THREAD_MULTIPLE;
    return HX_OK;
}

hx_status hxi_topology_copy(const hxi_topology *from, hxi_topology *topology)
{
    *topology = *from;
    topology->comm = topology->node = topology->leaders = MPI_COMM_NULL;
    topology->member =
        hxi_memory_get((size_t)from->node_ranks, sizeof *topology->member, "the ranks of this machine");
    const int code = MPI_Comm_dup(from->comm, &topology->comm);
    int node_code = MPI_SUCCESS;
    if (from->node_ranks < from->ranks) {
        node_code = MPI_Comm_dup(from->node, &topology->node);
    } else {
        topology->node = topology->comm; /* all ranks make all calls, in the same order */
    }
    if (code != MPI_SUCCESS || node_code != MPI_SUCCESS) {
        return hxi_fail_mpi(code != MPI_SUCCESS ? code : node_code, "MPI_Comm_dup");
    }
    if (!topology->member) {
        return HX_ERR_MEMORY;
    }
    memcpy(topology->member, from->member, (size_t)from->node_ranks * sizeof *topology->member);
    return HX_OK;
}

hx_status hxi_topology_progress(const hxi_topology *topology)
{
    int waiting = 0;
    MPI_Status from;
    const int code = MPI_Iprobe(MPI_ANY_SOURCE, hxi_topology_tag(topology, HX_TAG_NOBODY), topology->comm,
                                &waiting, &from);
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Letting MPI go on (MPI_Iprobe)");
}

void hxi_topology_close(hxi_topology *topology, int abandon)
{
    if (!abandon && hxi_topology_alive()) {
        if (topology->leaders != MPI_COMM_NULL) {
            MPI_Comm_free(&topology->leaders);
        }
        if (topology->node != MPI_COMM_NULL && topology->node != topology->comm) {
            MPI_Comm_free(&topology->node);
        }
        if (topology->comm != MPI_COMM_NULL) {
            MPI_Comm_free(&topology->comm);
        }
    }
    hxi_memory_free(topology->member);
    *topology = hxi_topology_none();
}

/* ---- promises ------------------------------------------------------------------------------------------ */

hx_status hxi_confirmation_make(int sends, int expects, hxi_confirmation *c)
{
    static const char purpose[] = "comparing message layouts";
    *c = (hxi_confirmation){.sends = sends, .expects = expects};
    c->send = hxi_memory_get((size_t)sends, sizeof *c->send, purpose);
    c->expect = hxi_memory_get((size_t)expects, sizeof *c->expect, purpose);
    c->request = hxi_memory_get((size_t)sends, sizeof *c->request, purpose);
    c->status = hxi_memory_get((size_t)sends, sizeof *c->status, purpose);
    c->message = hxi_memory_get((size_t)sends, sizeof *c->message, purpose);
    c->heard = hxi_memory_get((size_t)expects, 1, purpose);
    return c->send && c->expect && c->request && c->status && c->message && c->heard ? HX_OK : HX_ERR_MEMORY;
}

void hxi_confirmation_free(hxi_confirmation *c)
{
    hxi_memory_free(c->send);
    hxi_memory_free(c->expect);
    hxi_memory_free(c->request);
    hxi_memory_free(c->status);
    hxi_memory_free(c->message);
    hxi_memory_free(c->heard);
    *c = (hxi_confirmation){0};
}

/* The same at both ends of a message. */
static uint64_t hash_promise(const hxi_promise *promise, int from, int to, int tag)
{
    const int64_t words[] = {tag, from, to, (int64_t)promise->bytes, (int64_t)promise->hash};
    uint64_t hash = HX_HASH_SEED;
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        hash = hxi_hash(hash, words[i]);
    }
    return hash ^ hash >> 32;
}

uint64_t hxi_confirmation_balance(const hxi_confirmation *c, int rank, int tag)
{
    uint64_t balance = 0;
    for (int i = 0; i < c->sends; ++i) {
        balance += hash_promise(&c->send[i], rank, c->send[i].peer, tag);
    }
    for (int i = 0; i < c->expects; ++i) {
        balance -= hash_promise(&c->expect[i], c->expect[i].peer, rank, tag);
    }
    return balance;
}

/* A confirmation under way; the first thing that went wrong is kept, and the protocol goes on. */
typedef struct talk {
    const hxi_topology *topology;
    hxi_confirmation *c;
    hx_status status;
} talk;

static void note(void *context, int code, const char *call)
{
    talk *t = context;
    if (t->status == HX_OK) {
        t->status = hxi_fail_mpi(code, "Comparing message layouts (%s)", call);
    }
}

/* The end of a sentence. */
static const char *advice(const talk *t)
{
    return t->c->advice ? t->c->advice : "do all ranks give the same owner for each block?";
}

static const char *unit(const talk *t)
{
    return t->c->of_points ? "points" : "bytes";
}

static void judge(void *context, const hxi_sparse_message *message)
{
    talk *t = context;
    const int sender = message->peer;
    const uint64_t *told = message->word;
    const int rank = t->topology->rank;
    int i = 0;
    while (i < t->c->expects && t->c->expect[i].peer != sender) {
        ++i;
    }
    if (i < t->c->expects) {
        t->c->heard[i] = 1;
    }
    if (t->status != HX_OK) {
        return;
    }
    if (i == t->c->expects) {
        t->status = hxi_fail(HX_ERR_MISMATCH, "rank %d will send %llu %s to rank %d, which expects none; %s",
                             sender, (unsigned long long)told[0], unit(t), rank, advice(t));
    } else if (t->c->of_points && t->c->expect[i].bytes != told[0]) {
        t->status = hxi_fail(
            HX_ERR_MISMATCH, "rank %d will send %llu points to rank %d, which expects %llu; %s", sender,
            (unsigned long long)told[0], rank, (unsigned long long)t->c->expect[i].bytes, advice(t));
    } else if (t->c->expect[i].bytes != told[0] || t->c->expect[i].hash != told[1]) {
        t->status = hxi_fail(
            HX_ERR_MISMATCH,
            "rank %d will send %llu bytes (layout %016llx) to rank %d, which expects %llu (layout %016llx); "
            "%s",
            sender, (unsigned long long)told[0], (unsigned long long)told[1], rank,
            (unsigned long long)t->c->expect[i].bytes, (unsigned long long)t->c->expect[i].hash, advice(t));
    }
}

hx_status hxi_topology_confirm(const hxi_topology *topology, int tag, hxi_confirmation *confirmation)
{
    talk t = {topology, confirmation, HX_OK};
    for (int i = 0; i < confirmation->sends; ++i) {
        const hxi_promise *promise = &confirmation->send[i];
        confirmation->message[i] = (hxi_sparse_message){promise->peer, {promise->bytes, promise->hash}};
    }
    hxi_sparse_announce(&(hxi_sparse_announcing){.comm = topology->comm,
                                                 .tag = tag,
                                                 .message = confirmation->message,
                                                 .messages = confirmation->sends,
                                                 .request = confirmation->request,
                                                 .status = confirmation->status,
                                                 .hear = judge,
                                                 .fail = note,
                                                 .context = &t});
    for (int i = 0; i < confirmation->expects && t.status == HX_OK; ++i) {
        if (!confirmation->heard[i]) {
            t.status =
                hxi_fail(HX_ERR_MISMATCH, "rank %d expects %llu %s from rank %d, which sends it none; %s",
                         topology->rank, (unsigned long long)confirmation->expect[i].bytes, unit(&t),
                         confirmation->expect[i].peer, advice(&t));
        }
    }
    return t.status;
}

/* ---- Cartesian communicators of the user --------------------------------------------------------------- */

/* What a rank finds out alone. */
static hx_status inspect_cart(MPI_Comm comm, int rank, const int n[], hxi_cart *cart,
                              int coordinates[HX_MAX_AXES])
{
    int kind = MPI_UNDEFINED;
    int code = MPI_Topo_test(comm, &kind);
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "MPI_Topo_test");
    }
    if (kind != MPI_CART) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "The communicator given to hx_partition_from_cart is not a Cartesian one; make "
                        "it with MPI_Cart_create, or use hx_decompose.");
    }
    code = MPI_Cartdim_get(comm, &cart->axes);
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "MPI_Cartdim_get");
    }
    if (cart->axes < 1 || cart->axes > HX_MAX_AXES) {
        return hxi_fail(HX_ERR_PARTITION,
                        "The Cartesian communicator has %d dimensions; libhx knows grids of 1 to %d.",
                        cart->axes, (int)HX_MAX_AXES);
    }
    int periodic[HX_MAX_AXES]; /* not used: periodicity comes from the spec */
    code = MPI_Cart_get(comm, HX_MAX_AXES, cart->parts, periodic, coordinates);
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "MPI_Cart_get");
    }
    if (!n) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "The cells given to hx_partition_from_cart are a null pointer; give how many this "
                        "rank owns along each axis.");
    }
    for (int a = 0; a < cart->axes; ++a) {
        if (n[a] < 1) {
            return hxi_fail(HX_ERR_PARTITION, "Rank %d owns %d cells along axis %d; it needs 1 or more.",
                            rank, n[a], a);
        }
    }
    return HX_OK;
}

/* Do all ranks with one coordinate along an axis own as many cells along it? */
static hx_status check_lengths(const hxi_cart *cart, const int *largest, const int *negated_smallest)
{
    for (int a = 0, at = 0; a < cart->axes; ++a) {
        for (int i = 0; i < cart->parts[a]; ++i, ++at) {
            if (largest[at] != -negated_smallest[at]) {
                return hxi_fail(HX_ERR_PARTITION,
                                "Ranks with coordinate %d along dimension %d of the Cartesian communicator "
                                "own from %d to "
                                "%d cells along it; all of them must own as many.",
                                i, a, -negated_smallest[at], largest[at]);
            }
        }
    }
    return HX_OK;
}

hx_status hxi_topology_cart(MPI_Comm comm, int rank, hx_status ready, const int n[], hxi_cart *cart)
{
    *cart = (hxi_cart){0};
    int coordinates[HX_MAX_AXES] = {0};
    hx_status status = ready == HX_OK ? inspect_cart(comm, rank, n, cart, coordinates) : ready;
    int total = 0;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        total += cart->parts[a];
    }
    int *length = NULL; /* mine, and the largest and smallest of all ranks, at each coordinate */
    if (status == HX_OK) {
        length =
            hxi_memory_get((size_t)total * 4, sizeof *length, "the cells along a Cartesian communicator");
        status = length ? HX_OK : HX_ERR_MEMORY;
    }
    status = hxi_topology_agree(comm, status);
    if (status != HX_OK) {
        hxi_memory_free(length);
        return status;
    }
    for (int a = 0, at = 0; a < cart->axes; at += cart->parts[a++]) {
        for (int i = 0; i < cart->parts[a]; ++i) {
            const bool own = i == coordinates[a];
            length[2 * total + at + i] = own ? n[a] : 0;
            length[3 * total + at + i] = own ? -n[a] : -INT_MAX;
        }
    }
    const int code = MPI_Allreduce(length + 2 * (size_t)total, length, 2 * total, MPI_INT, MPI_MAX, comm);
    status = code == MPI_SUCCESS ? check_lengths(cart, length, length + total)
                                 : hxi_fail_mpi(code, "Collecting the cells of all ranks (MPI_Allreduce)");
    status = hxi_topology_agree(comm, status);
    if (status == HX_OK) {
        cart->lengths = length;
    } else {
        hxi_memory_free(length);
    }
    return status;
}
