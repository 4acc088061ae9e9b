/*
 * A list of points, in several runs, of a rank whose owner does not say what it had.
 */
#include "check.h"
#include "mesh.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS = 8 };

/* As by a thread that writes while start packs: behind the digest, before the message. */
static double *spoiled;

/* libhx calls this one. */
int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    if (spoiled) {
        *spoiled += 1.0;
        spoiled = NULL;
    }
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}

/* Rank 0 feeds points 1, 2, 5 and 6 of rank 1: two runs of two points. */
static hx_status create(int rank, mesh_shape *shape, mesh **halo)
{
    static const int points[] = {1, 2, 5, 6};
    const hx_peer peer = rank == 0 ? (hx_peer){.rank = 1, .sends = 4, .send = points}
                                   : (hx_peer){.rank = 0, .receives = 4, .receive = points};
    const hx_index_list list = {1, &peer};
    const hx_part part = mesh_part(POINTS);
    hx_options options = HX_OPTIONS_INIT;
    options.transport = "p2p";
    options.deadline = 0.5;
    *shape = mesh_shape_dense(&part);
    return mesh_create(MPI_COMM_WORLD, shape, &list, &options, halo);
}

static void owner_is_silent(void)
{
    int rank;
    mesh_shape shape;
    mesh *halo;
    mesh_fields f;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK_STATUS(create(rank, &shape, &halo), HX_OK);
    CHECK_STATUS(mesh_alloc(halo, &f), HX_OK);
    for (int i = 0; i < POINTS; ++i) {
        f.t[i] = 10.0 * i + rank;
    }
    spoiled = rank == 0 ? &f.t[6] : NULL;
    const hx_status status = mesh_heat(halo, &f);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(status == HX_ERR_MISMATCH, "%s", hx_status_name(status));
    const char *words =
        rank == 0
            ? "field t (line 3), owned point 6, was written between start and finish: it was 60 and is 61"
            : "field t (line 3) is wrong at one of 4 ghost points.  Rank 0, which feeds them, has not";
    CHECK(strstr(hx_last_error(), words) != NULL, "%s", hx_last_error());
    CHECK_STATUS(mesh_destroy(halo), HX_OK);
}

int main(int argc, char **argv)
{
    setenv("HX_AUDIT", "1", 1);
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    owner_is_silent();
    return check_verdict("audit of a list");
}
