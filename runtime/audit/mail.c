#include "audit/mail.h"

#include "base/memory.h"
#include "base/status.h"
#include "comm/tell.h"

#include <limits.h>

static const char purpose[] = "what ranks tell each other";

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
    hxi_tell_begins(s->in, s->in_first, ranks);
    served->count = (int)(bytes / sizeof *served->patch);
    served->room = served->count;
    served->patch = hxi_memory_get((size_t)served->count + 1, sizeof *served->patch, purpose);
    return served->patch ? HX_OK : HX_ERR_MEMORY;
}

static hx_status swap_sheets(MPI_Comm comm, int ranks, const hxi_patches *wanted, sheets *s,
                             hxi_patches *served)
{
    hxi_tell_begins(s->out, s->out_first, ranks);
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

static const char not_sent[] = "Sending what an audit compares failed";

enum { DIGESTS, NOW, RUN, ANSWER, QUESTION }; /* kinds of messages; a tag says which, and of which exchange */

static int tag_of(const hxi_mail *mail, int kind)
{
    return kind * mail->exchanges + mail->exchange;
}

static int post(hxi_mail *mail, hxi_bundle *b, bool in, int kind, hxi_keep keep)
{
    void *data = kind == DIGESTS ? (void *)b->digest : (void *)b->keep[keep];
    const int bytes =
        kind == DIGESTS ? (int)((size_t)(b->header + b->digests) * sizeof *b->digest) : (int)b->bytes;
    MPI_Request *request = &mail->request[mail->requests];
    if (b->own) {
        return MPI_SUCCESS;
    }
    mail->requests++;
    *request = MPI_REQUEST_NULL;
    return in ? MPI_Irecv(data, bytes, MPI_BYTE, b->peer, tag_of(mail, kind), mail->comm, request)
              : MPI_Isend(data, bytes, MPI_BYTE, b->peer, tag_of(mail, kind), mail->comm, request);
}

/* One message for each bundle. */
static int post_all(hxi_mail *mail, int kind, hxi_keep in, hxi_keep out)
{
    int code = MPI_SUCCESS;
    for (int i = 0; i < mail->ins && code == MPI_SUCCESS; ++i) {
        code = post(mail, &mail->in[i], true, kind, in);
    }
    for (int i = 0; i < mail->outs && code == MPI_SUCCESS; ++i) {
        code = post(mail, &mail->out[i], false, kind, out);
    }
    return code;
}

static hx_status started(int code)
{
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, not_sent);
}

hx_status hxi_mail_start(hxi_mail *mail)
{
    mail->requests = 0;
    return started(post_all(mail, DIGESTS, HX_KEEP_NOW, HX_KEEP_NOW));
}

hx_status hxi_mail_start_now(hxi_mail *mail)
{
    mail->requests = 0;
    return started(post_all(mail, NOW, HX_KEEP_NOW, HX_KEEP_NOW));
}

hx_status hxi_mail_start_values(hxi_mail *mail, hxi_keep run)
{
    mail->requests = 0;
    const int code = post_all(mail, NOW, HX_KEEP_NOW, HX_KEEP_NOW);
    return started(code == MPI_SUCCESS ? post_all(mail, RUN, HX_KEEP_LAST, run) : code);
}

hx_status hxi_mail_test(hxi_mail *mail, bool *done)
{
    int flag = 0;
    const int code = MPI_Testall(mail->requests, mail->request, &flag, mail->state);
    *done = flag != 0;
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Waiting for what an audit compares failed");
}

/* ---- questions ----------------------------------------------------------------------------------------- */

static const char not_asked[] = "Asking an owner in an audit failed";

static int listen(hxi_desk *desk)
{
    return MPI_Irecv(&desk->heard, (int)sizeof desk->heard, MPI_BYTE, MPI_ANY_SOURCE, desk->tag, desk->comm,
                     &desk->listening);
}

hx_status hxi_desk_open(hxi_desk *desk, MPI_Comm comm, int exchanges)
{
    *desk = (hxi_desk){.comm = comm, .tag = QUESTION * exchanges, .listening = MPI_REQUEST_NULL};
    const int code = listen(desk);
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, not_asked);
}

hx_status hxi_desk_hear(hxi_desk *desk, hxi_question *question, bool *heard)
{
    int flag = 0;
    int code = desk->listening == MPI_REQUEST_NULL ? MPI_SUCCESS
                                                   : MPI_Test(&desk->listening, &flag, MPI_STATUS_IGNORE);
    *heard = code == MPI_SUCCESS && flag != 0;
    if (*heard) {
        *question = desk->heard;
        code = listen(desk);
    }
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, not_asked);
}

/* True: it has ended. */
static bool call_off(MPI_Request *receive)
{
    int code = MPI_SUCCESS;
    if (*receive != MPI_REQUEST_NULL) {
        code = MPI_Cancel(receive);
        code = code == MPI_SUCCESS ? MPI_Wait(receive, MPI_STATUS_IGNORE) : code;
    }
    return code == MPI_SUCCESS;
}

void hxi_desk_close(hxi_desk *desk)
{
    if (hxi_topology_alive()) {
        call_off(&desk->listening);
    }
}

hx_status hxi_mail_question(const hxi_mail *mail, hxi_bundle *bundle, uint64_t run)
{
    if (bundle->answer != MPI_REQUEST_NULL || bundle->asking != MPI_REQUEST_NULL) {
        return HX_OK; /* whoever gave up before need not ask again */
    }
    bundle->question = (hxi_question){run, mail->exchange, mail->rank};
    int code = MPI_Irecv(bundle->keep[HX_KEEP_ANSWER], (int)bundle->bytes, MPI_BYTE, bundle->peer,
                         tag_of(mail, ANSWER), mail->comm, &bundle->answer);
    code = code == MPI_SUCCESS
               ? MPI_Isend(&bundle->question, (int)sizeof bundle->question, MPI_BYTE, bundle->peer,
                           QUESTION * mail->exchanges, mail->comm, &bundle->asking)
               : code;
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, not_asked);
}

hx_status hxi_mail_answered(hxi_bundle *bundle, bool *done)
{
    MPI_Request both[] = {bundle->answer, bundle->asking};
    MPI_Status state[2];
    int flag = 0;
    const int code = MPI_Testall(2, both, &flag, state);
    *done = flag != 0;
    bundle->answer = both[0];
    bundle->asking = both[1];
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, not_asked);
}

hx_status hxi_mail_answer(const hxi_mail *mail, hxi_bundle *bundle, hxi_keep keep)
{
    const hx_status status = hxi_mail_answer_gone(bundle);
    const int code = status == HX_OK
                         ? MPI_Isend(bundle->keep[keep], (int)bundle->bytes, MPI_BYTE, bundle->peer,
                                     tag_of(mail, ANSWER), mail->comm, &bundle->answer)
                         : MPI_SUCCESS;
    return code == MPI_SUCCESS ? status : hxi_fail_mpi(code, not_asked);
}

hx_status hxi_mail_answer_gone(hxi_bundle *bundle)
{
    const int code =
        bundle->answer == MPI_REQUEST_NULL ? MPI_SUCCESS : MPI_Wait(&bundle->answer, MPI_STATUS_IGNORE);
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, not_asked);
}

bool hxi_mail_end_questions(hxi_bundle *bundle, bool in)
{
    int gone = 1;
    if (!hxi_topology_alive()) {
        return true;
    }
    const bool ended = !in || call_off(&bundle->answer);
    int code = MPI_Test(&bundle->answer, &gone, MPI_STATUS_IGNORE);
    const bool answered = code == MPI_SUCCESS && gone != 0;
    code = MPI_Test(&bundle->asking, &gone, MPI_STATUS_IGNORE);
    return ended && answered && code == MPI_SUCCESS && gone != 0;
}
