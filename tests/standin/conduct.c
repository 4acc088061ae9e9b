/*
 * The stand-in itself: whoever breaks a rule of MPI is told so.  Each misdeed is done in a process of its
 * own, which must abort with the words beside it; the last ones do nothing wrong.
 */
#include "standin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 64, TAG = 3 };

static void wait_for(MPI_Request *request)
{
    MPI_Status status;
    for (int done = 0; !done;) {
        MPI_Test(request, &done, &status);
    }
}

/* ---- misdeeds of rank 0 among two ---------------------------------------------------------------- */

static void send_from(int rank, unsigned char *buffer, int bytes)
{
    if (rank == 1) {
        MPI_Status status;
        unsigned char got[BYTES];
        MPI_Recv(got, BYTES, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &status);
    } else {
        MPI_Request request;
        MPI_Issend(buffer, bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &request);
        buffer[0] ^= (unsigned char)(bytes > BYTES / 2);
        wait_for(&request);
    }
}

static void nothing_wrong(int rank)
{
    unsigned char buffer[BYTES] = {1};
    send_from(rank, buffer, BYTES / 2);
}

static void writes_while_sent(int rank)
{
    unsigned char buffer[BYTES] = {1};
    send_from(rank, buffer, BYTES);
}

static void writes_while_received(int rank)
{
    unsigned char buffer[BYTES] = {1};
    MPI_Request request;
    if (rank == 0) {
        MPI_Irecv(buffer, BYTES, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &request);
        buffer[5] = 7;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Isend(buffer, BYTES, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &request);
    }
    wait_for(&request);
}

static void too_long(int rank)
{
    unsigned char buffer[2 * BYTES] = {1};
    send_from(rank, buffer, 2 * BYTES);
}

static void starts_twice(int rank)
{
    unsigned char byte = 0;
    MPI_Request request;
    MPI_Send_init(&byte, 1, MPI_BYTE, 1 - rank, TAG, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Start(&request);
}

static void shares_memory(int rank)
{
    unsigned char buffer[BYTES];
    MPI_Request request[2];
    MPI_Irecv(buffer, BYTES, MPI_BYTE, 1 - rank, TAG, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(buffer + BYTES - 1, 1, MPI_BYTE, 1 - rank, TAG + 1, MPI_COMM_WORLD, &request[1]);
}

static void frees_under_way(int rank)
{
    unsigned char byte = 0;
    MPI_Request request;
    MPI_Irecv(&byte, 1, MPI_BYTE, 1 - rank, TAG, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
}

static void frees_memory(int rank)
{
    unsigned char *memory = standin_aligned_alloc(64, BYTES);
    MPI_Request request;
    MPI_Irecv(memory + BYTES - 1, 1, MPI_BYTE, 1 - rank, TAG, MPI_COMM_WORLD, &request);
    standin_free(memory);
}

static void leaves_request(int rank)
{
    unsigned char byte = 0;
    MPI_Request request;
    MPI_Recv_init(&byte, 1, MPI_BYTE, 1 - rank, TAG, MPI_COMM_WORLD, &request);
}

static void leaves_message(int rank)
{
    static unsigned char byte;
    MPI_Request request;
    if (rank == 0) {
        MPI_Isend(&byte, 1, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &request);
        for (int i = 0, done = 0; i < 10000 && !done;
             ++i) { /* some sends never complete before they are received */
            MPI_Status status;
            MPI_Test(&request, &done, &status);
        }
    }
}

static void leaves_communicator(int rank)
{
    MPI_Comm comm;
    (void)rank;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
}

static void uses_freed(int rank)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const MPI_Comm copy = comm;
    MPI_Comm_free(&comm);
    MPI_Comm_rank(copy, &rank);
}

static void other_order(int rank)
{
    MPI_Request request;
    if (rank == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
    }
}

static void other_count(int rank)
{
    char bytes[2] = "";
    MPI_Bcast(bytes, 1 + rank, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void tag_too_large(int rank)
{
    unsigned char byte = 0;
    MPI_Request request;
    MPI_Irecv(&byte, 1, MPI_BYTE, 1 - rank, 32768, MPI_COMM_WORLD, &request);
}

static void waits_for_ever(int rank)
{
    unsigned char byte = 0;
    MPI_Status status;
    MPI_Recv(&byte, 1, MPI_BYTE, 1 - rank, TAG, MPI_COMM_WORLD, &status);
}

static void type_not_committed(int rank)
{
    unsigned char bytes[4] = {0};
    MPI_Datatype type;
    MPI_Request request;
    MPI_Type_contiguous(4, MPI_BYTE, &type);
    MPI_Irecv(bytes, 1, type, 1 - rank, TAG, MPI_COMM_WORLD, &request);
}

static void calls_after_end(int rank)
{
    MPI_Finalize();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
}

static const struct misdeed {
    const char *name;
    void (*doing)(int rank);
    const char *words; /* NULL: it is none */
} misdeeds[] = {
    {"a buffer written while sent", writes_while_sent, "was written while they were under way"},
    {"a buffer written while received", writes_while_received, "was written before the message came"},
    {"a message too long", too_long, "which receives 64 at most"},
    {"a request started twice", starts_twice, "is under way already"},
    {"two receives in one place", shares_memory, "share memory"},
    {"a request freed under way", frees_under_way, "is under way"},
    {"memory freed under way", frees_memory, "64 bytes were freed while a message"},
    {"a request left", leaves_request, "1 requests are left"},
    {"a message left", leaves_message, "left"},
    {"a communicator left", leaves_communicator, "1 communicators are left"},
    {"a communicator used after it was freed", uses_freed, "was freed before"},
    {"collectives in another order", other_order, "on others"},
    {"another count", other_count, "others called with"},
    {"a tag out of range", tag_too_large, "a tag of 32768"},
    {"ranks that all wait", waits_for_ever, "nothing has moved"},
    {"a datatype not committed", type_not_committed, "not committed"},
    {"a call after the end", calls_after_end, "after MPI_Finalize"},
    {"nothing", nothing_wrong, NULL},
};

static void live(void *context, int rank)
{
    const struct misdeed *m = context;
    int provided = 0;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    m->doing(rank);
    MPI_Finalize();
}

/* What a process says that does it, and whether it ends by abort. */
static bool aborts(const struct misdeed *m, uint64_t seed, char *said, size_t room)
{
    int ends[2];
    if (pipe(ends) != 0) {
        abort();
    }
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        standin_run(&(standin_setting){2, seed, false, m->name}, live, (void *)(uintptr_t)m);
        _exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got = 1; got > 0 && length + 1 < room; length += (size_t)got) {
        got = read(ends[0], said + length, room - 1 - length);
        got = got > 0 ? got : 0;
    }
    said[length] = '\0';
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

int main(void)
{
    int failures = 0;
    for (size_t i = 0; i < sizeof misdeeds / sizeof *misdeeds; ++i) {
        const struct misdeed *m = &misdeeds[i];
        for (uint64_t seed = 1; seed <= 3; ++seed) {
            char said[2000];
            const bool found = aborts(m, seed, said, sizeof said);
            if (found != (m->words != NULL) || (found && !strstr(said, m->words))) {
                fprintf(stderr, "%s, seed %d: said \"%s\"\n", m->name, (int)seed, said);
                ++failures;
            }
        }
    }
    printf("conduct: %d failures\n", failures);
    return failures != 0;
}
