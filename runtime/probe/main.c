/*
 * hx_probe: sends memory of devices by MPI, and notes in the file of verdicts whether all of it came through.
 * The verdict is "no" from before the first message on, so it is that also where the program crashes.
 */
#include "probe.h"

#include "base/status.h"
#include "comm/mpi_awareness.h"
#include "device/probe_result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_NO = 1, STATUS_USAGE = 2 };

static const char usage[] =
    "usage: mpirun ... hx_probe [--file FILE] [--insist]\n"
    "\n"
    "Finds out whether this MPI can be given memory of devices, and notes it for libhx.\n"
    "\n"
    "  --file FILE  note it there; else in $HX_VERDICT_FILE, or in hx/verdicts in $XDG_CACHE_HOME\n"
    "               or $HOME/.cache\n"
    "  --insist     try it also where MPI says that it cannot\n"
    "  --help       this\n"
    "\n"
    "Ends with 0 if it can, with 1 if it cannot or was not tried, with 2 for other arguments.\n";

typedef struct setting {
    const char *file;
    bool insists;
} setting;

/* -1: go on; else the status to end with. */
static int read_arguments(int argc, char **argv, setting *s)
{
    *s = (setting){.file = getenv("HX_VERDICT_FILE")};
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--insist") == 0) {
            s->insists = true;
        } else if (strcmp(argv[i], "--file") == 0 && i + 1 < argc) {
            s->file = argv[++i];
        } else if (strcmp(argv[i], "--help") == 0) {
            fputs(usage, stdout);
            return 0;
        } else {
            fprintf(stderr, "hx_probe: '%s' is no argument of hx_probe\n%s", argv[i], usage);
            return STATUS_USAGE;
        }
    }
    return -1;
}

/* ---- all ranks ----------------------------------------------------------------------------------------- */

static bool all(bool mine)
{
    int every = mine;
    MPI_Allreduce(MPI_IN_PLACE, &every, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return every != 0;
}

/* One device a rank of the machine, in turn, as far as there are. */
static bool find_device(int rank)
{
    const hx_device *calls = &hx_cuda_device;
    MPI_Comm node = MPI_COMM_NULL;
    int number = 0;
    int devices = 0;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &number);
    MPI_Comm_free(&node);
    int error = calls->count(&devices);
    if (error == 0 && devices > 0) {
        error = calls->use(number % devices);
    }
    if (error != 0 || devices == 0) {
        fprintf(stderr, "hx_probe: rank %d has no device: %s\n", rank,
                error != 0 ? calls->text(error) : "its library counts 0");
    }
    return error == 0 && devices > 0;
}

/* Rank 0 notes it for the machines of all. */
static bool note(const char *path, hx_verdict verdict, int rank, int ranks)
{
    char mine[HX_AWARE_NAME] = "";
    char mpi[HX_AWARE_NAME];
    hx_aware_host(mine);
    char *names = rank == 0 ? calloc((size_t)ranks, HX_AWARE_NAME) : NULL;
    const char **host = rank == 0 ? calloc((size_t)ranks, sizeof *host) : NULL;
    const bool ready = all(rank != 0 || (names && host));
    bool noted = true;
    if (ready) {
        MPI_Gather(mine, HX_AWARE_NAME, MPI_CHAR, names, HX_AWARE_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
    }
    if (ready && rank == 0) {
        int hosts = 0;
        for (int i = 0; i < ranks; ++i) {
            const char *name = names + (size_t)i * HX_AWARE_NAME;
            int known = 0;
            while (known < hosts && strcmp(host[known], name) != 0) {
                ++known;
            }
            host[hosts] = name;
            hosts += known == hosts;
        }
        noted = hx_verdict_write(path, verdict, hosts, host, hx_aware_mpi(mpi)) == HX_OK;
        if (!noted) {
            fprintf(stderr, "hx_probe: %s\n", hx_last_error());
        }
    }
    free(host);
    free(names);
    return all(ready && noted);
}

static bool try_all(int rank)
{
    probe p;
    const bool open = all(probe_open(&p, &hx_cuda_device, MPI_COMM_WORLD));
    const bool well = open && probe_try(&p);
    if (rank == 0 && well) {
        printf("hx_probe: %ld messages from rank to rank and to itself, all as they were sent\n", p.messages);
    }
    if (well) {
        probe_close(&p); /* else a message may still be on its way to this memory */
    }
    return well;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static int run(const setting *s, int rank, int ranks)
{
    char place[HX_VERDICT_PATH];
    char mpi[HX_AWARE_NAME];
    const char *path = hx_verdict_path(s->file, place);
    if (!all(path != NULL)) {
        if (rank == 0) {
            fprintf(stderr, "hx_probe: neither XDG_CACHE_HOME nor HOME is set; name a file with --file\n");
        }
        return STATUS_NO;
    }
    if (!all(find_device(rank)) || !note(path, HX_VERDICT_NO, rank, ranks)) {
        return STATUS_NO;
    }
    const bool refuses = !all(hx_aware_ask() != HX_AWARE_NO);
    if (rank == 0) {
        printf("hx_probe: %s says that it %s\n", hx_aware_mpi(mpi),
               refuses                             ? "cannot be given memory of devices"
               : hx_aware_ask() == HX_AWARE_SILENT ? "knows nothing about memory of devices"
                                                   : "can be given memory of devices");
        fflush(stdout);
    }
    const bool well = (!refuses || s->insists) && try_all(rank) &&
                      note(path, refuses ? HX_VERDICT_INSISTED : HX_VERDICT_YES, rank, ranks);
    if (rank == 0) {
        printf("hx_probe: %s, noted in %s\n", well ? refuses ? "insisted" : "yes" : "no", path);
    }
    return well ? 0 : STATUS_NO;
}

int main(int argc, char **argv)
{
    setting s;
    const int ends = read_arguments(argc, argv, &s);
    if (ends >= 0) {
        return ends;
    }
    int rank = 0;
    int ranks = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int status = run(&s, rank, ranks);
    MPI_Finalize();
    return status;
}
