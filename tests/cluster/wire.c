/*
 * Does a number of exchanges, and tells for each node how many bytes that should bring to other nodes, and
 * how many to other ranks of the node: reckoned from the links, which know nothing of messages.
 *
 *   wire EXCHANGES
 *
 * Rank 0 prints, for each rank, its node and both numbers; then the number of phases and what it is told of
 * them, and by what it reaches each of its peers.
 */
#include "ring.h"

#include <hx/abi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 96, NAME = MPI_MAX_PROCESSOR_NAME };

typedef struct sent {
    char node[NAME];
    unsigned long long across;
    unsigned long long within;
} sent;

static unsigned long long bytes_of(const hx_link *link)
{
    unsigned long long bytes = sizeof(double);
    for (int a = 0; a < 3; ++a) {
        bytes *= (unsigned long long)(link->hi[a] - link->lo[a]);
    }
    return bytes;
}

/* What one exchange sends from this rank; the node's name is filled in for all. */
static void count(const ring *r, sent all[])
{
    int links = 0;
    const hx_handle *handle = (const hx_handle *)r->halo;
    ring_need(hx_links(handle, DUO_FIRST, NULL, &links));
    hx_link *link = calloc((size_t)links, sizeof *link);
    if (!link) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        return;
    }
    ring_need(hx_links(handle, DUO_FIRST, link, &links));
    sent *mine = &all[r->rank];
    for (int i = 0; i < links; ++i) {
        if (!link[i].incoming && strcmp(all[link[i].peer].node, mine->node) != 0) {
            mine->across += bytes_of(&link[i]);
        } else if (!link[i].incoming) {
            mine->within += bytes_of(&link[i]);
        }
    }
    free(link);
}

/* The line of hx_describe that says why an exchange goes in so many phases. */
static void tell_schedule(const ring *r)
{
    hx_traffic traffic;
    ring_need(duo_traffic(r->halo, DUO_FIRST, &traffic));
    const char *line = strstr(duo_describe(r->halo), "exchange first");
    line = line ? strchr(line, '\n') : NULL;
    printf("phases %d,%.*s\n", traffic.phases, line ? (int)strcspn(line + 1, "\n") : 0, line ? line + 1 : "");
}

/* The lines of hx_describe that say by what a rank is reached, of all phases of the first exchange. */
static void tell_peers(const ring *r)
{
    const char *line = strstr(duo_describe(r->halo), "exchange first");
    const char *end = line ? strstr(line, "exchange second") : NULL;
    for (; line && line < end; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        int peer = 0;
        char transport[20] = "";
        if (sscanf(line, " rank %d, by %19[a-z0-9-]:", &peer, transport) == 2) {
            printf("rank %d by %s\n", peer, transport);
        }
    }
}

int main(int argc, char **argv)
{
    ring r = ring_make(&argc, &argv, CELLS);
    const int exchanges = argc == 2 ? atoi(argv[1]) : 0;
    sent *all = calloc((size_t)r.ranks, sizeof *all);
    if (!all) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        return 1;
    }
    int length = 0;
    MPI_Get_processor_name(all[r.rank].node, &length);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, (int)sizeof *all, MPI_BYTE, MPI_COMM_WORLD);
    count(&r, all);
    for (int i = 0; i < exchanges; ++i) {
        ring_need(duo_first(r.halo, &r.fields));
    }
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, (int)sizeof *all, MPI_BYTE, MPI_COMM_WORLD);
    for (int i = 0; i < r.ranks && r.rank == 0; ++i) {
        const unsigned long long times = (unsigned long long)exchanges;
        printf("%s %llu %llu\n", all[i].node, times * all[i].across, times * all[i].within);
    }
    if (r.rank == 0) {
        tell_schedule(&r);
        tell_peers(&r);
    }
    ring_need(duo_destroy(r.halo));
    free(all);
    free(r.fields.u);
    free(r.fields.v);
    MPI_Finalize();
    return 0;
}
