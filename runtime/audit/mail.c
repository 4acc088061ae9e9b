#include "audit/mail.h"

#include "base/memory.h"
#include "base/status.h"

#include <limits.h>

static const char purpose[] = "what ranks tell each other in an audit";

hx_status hxi_mail_open(const hxi_topology *topology, MPI_Comm *comm)
{
    const int code = MPI_Comm_dup(topology->comm, comm);
    if (code != MPI_SUCCESS) {
        *comm = MPI_COMM_NULL;
        return hxi_fail_mpi(code, "Duplicating the communicator for audits failed");
    }
    return HX_OK;
}

void hxi_mail_close(MPI_Comm *comm)
{
    if (*comm != MPI_COMM_NULL && hxi_topology_alive()) {
        MPI_Comm_free(comm);
    }
}

/* ---- once ---------------------------------------------------------------------------------------------- */

/* Where each rank's numbers begin. */
static void begin_each(const int count[], int first[], int ranks)
{
    int all = 0;
    for (int r = 0; r < ranks; ++r) {
        first[r] = all;
        all += count[r];
    }
}

hx_status hxi_mail_tell_owners(MPI_Comm comm, const int *mine, int count, int *owner, int blocks)
{
    int ranks;
    MPI_Comm_size(comm, &ranks);
    int *counts = hxi_memory_get((size_t)ranks + 1, sizeof *counts, purpose);
    int *first = hxi_memory_get((size_t)ranks + 1, sizeof *first, purpose);
    int *all = hxi_memory_get((size_t)blocks + 1, sizeof *all, purpose);
    hx_status status = hxi_topology_agree(comm, counts && first && all ? HX_OK : HX_ERR_MEMORY);
    if (status == HX_OK) {
        int code = MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, comm);
        begin_each(counts, first, ranks);
        code = code == MPI_SUCCESS ? MPI_Allgatherv(mine, count, MPI_INT, all, counts, first, MPI_INT, comm)
                                   : code;
        status = code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Telling who has which block failed");
    }
    for (int r = 0; r < ranks && status == HX_OK; ++r) {
        for (int i = 0; i < counts[r]; ++i) {
            owner[all[first[r] + i]] = r;
        }
    }
    hxi_memory_free(counts);
    hxi_memory_free(first);
    hxi_memory_free(all);
    return status;
}

/* Patches that go to each rank, or come from it, as bytes. */
typedef struct sheets {
    int *out;
    int *out_first;
    int *in;
    int *in_first;
} sheets;

static void free_sheets(sheets *s)
{
    hxi_memory_free(s->out);
    hxi_memory_free(s->out_first);
    hxi_memory_free(s->in);
    hxi_memory_free(s->in_first);
}

static hx_status refuse_length(size_t boxes)
{
    return hxi_fail(HX_ERR_LIMIT, "An audit of %zu boxes of points needs longer lists than MPI can count.",
                    boxes);
}

static hx_status make_sheets(const hxi_patches *wanted, int ranks, sheets *s)
{
    const size_t room = (size_t)ranks + 1;
    s->out = hxi_memory_get(room, sizeof *s->out, purpose);
    s->out_first = hxi_memory_get(room, sizeof *s->out_first, purpose);
    s->in = hxi_memory_get(room, sizeof *s->in, purpose);
    s->in_first = hxi_memory_get(room, sizeof *s->in_first, purpose);
    if (!s->out || !s->out_first || !s->in || !s->in_first) {
        return HX_ERR_MEMORY;
    }
    if ((size_t)wanted->count > INT_MAX / sizeof *wanted->patch) {
        return refuse_length((size_t)wanted->count);
    }
    for (int i = 0; i < wanted->count; ++i) {
        s->out[wanted->patch[i].peer] += (int)sizeof *wanted->patch;
    }
    return HX_OK;
}

/* Room for all that the other ranks want. */
static hx_status make_served(const sheets *s, int ranks, hxi_patches *served)
{
    size_t bytes = 0;
    for (int r = 0; r < ranks; ++r) {
        bytes += (size_t)s->in[r];
    }
    if (bytes > INT_MAX) {
        return refuse_length(bytes / sizeof *served->patch);
    }
    begin_each(s->in, s->in_first, ranks);
    served->count = (int)(bytes / sizeof *served->patch);
    served->room = served->count;
    served->patch = hxi_memory_get((size_t)served->count + 1, sizeof *served->patch, purpose);
    return served->patch ? HX_OK : HX_ERR_MEMORY;
}

static hx_status swap_sheets(MPI_Comm comm, int ranks, const hxi_patches *wanted, sheets *s,
                             hxi_patches *served)
{
    begin_each(s->out, s->out_first, ranks);
    const hx_status status = hxi_topology_agree(comm, make_served(s, ranks, served));
    if (status != HX_OK) {
        return status;
    }
    const int code = MPI_Alltoallv(wanted->patch, s->out, s->out_first, MPI_BYTE, served->patch, s->in,
                                   s->in_first, MPI_BYTE, comm);
    for (int r = 0, i = 0; r < ranks; ++r) {
        for (; (size_t)i * sizeof *served->patch < (size_t)s->in_first[r] + (size_t)s->in[r]; ++i) {
            served->patch[i].peer = r;
        }
    }
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Asking for the points of an audit failed");
}

hx_status hxi_mail_ask(MPI_Comm comm, const hxi_patches *wanted, hxi_patches *served)
{
    int ranks;
    MPI_Comm_size(comm, &ranks);
    sheets s = {0};
    hx_status status = hxi_topology_agree(comm, make_sheets(wanted, ranks, &s));
    if (status == HX_OK) {
        const int code = MPI_Alltoall(s.out, 1, MPI_INT, s.in, 1, MPI_INT, comm);
        status = code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Asking for the points of an audit failed");
    }
    status = status == HX_OK ? swap_sheets(comm, ranks, wanted, &s, served) : status;
    free_sheets(&s);
    return status;
}

/* ---- in each run --------------------------------------------------------------------------------------- */

hx_status hxi_mail_start(hxi_mail *mail)
{
    int code = MPI_SUCCESS;
    for (int i = 0; i < mail->ins + mail->outs; ++i) {
        mail->request[i] = MPI_REQUEST_NULL;
    }
    for (int i = 0; i < mail->ins && code == MPI_SUCCESS; ++i) {
        const hxi_bundle *b = &mail->in[i];
        if (b->peer != mail->rank) {
            code = MPI_Irecv(b->data, (int)b->bytes, MPI_BYTE, b->peer, mail->tag, mail->comm,
                             &mail->request[i]);
        }
    }
    for (int i = 0; i < mail->outs && code == MPI_SUCCESS; ++i) {
        const hxi_bundle *b = &mail->out[i];
        if (b->peer != mail->rank) {
            code = MPI_Isend(b->data, (int)b->bytes, MPI_BYTE, b->peer, mail->tag, mail->comm,
                             &mail->request[mail->ins + i]);
        }
    }
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Sending what an audit compares failed");
}

hx_status hxi_mail_test(hxi_mail *mail, bool *done)
{
    int flag = 0;
    const int code = MPI_Testall(mail->ins + mail->outs, mail->request, &flag, mail->state);
    *done = flag != 0;
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Waiting for what an audit compares failed");
}
