/*
 * Mistakes in lists of points: of one rank, or of two that do not agree.  Each is refused on all ranks, in
 * words that name the ranks and the numbers.  Rank 0 and 1 share points; others have none.
 */
#include "../exchange/check.h"
#include "cells.h"
#include "strata.h"

#include <stdbool.h>
#include <string.h>

enum { POINTS = 6 };

static int rank;

/* Ranks 0 and 1 have six points each: 0 ... 3 are their own, 4 and 5 come from 2 and 3 of the other one. */
typedef struct given {
    int points;
    int send[POINTS];
    int receive[POINTS];
    hx_peer peer[3];
    hx_index_list list;
} given;

static void make(given *g)
{
    const bool pair = rank < 2;
    *g = (given){.points = pair ? POINTS : 0, .send = {2, 3}, .receive = {4, 5}};
    g->peer[0] = (hx_peer){1 - rank, 2, g->send, 2, g->receive};
    g->list = (hx_index_list){pair ? 1 : 0, g->peer};
}

static hx_status create(const given *g, const hx_index_list *list, int levels)
{
    const hx_part part = cells_part(g->points, levels);
    const cells_shape shape = cells_shape_dense(&part);
    cells *halo = NULL;
    const hx_status status = cells_create(MPI_COMM_WORLD, &shape, list, NULL, &halo);
    CHECK(status == HX_OK || halo == NULL, "a handle in spite of %s", hx_status_name(status));
    CHECK_STATUS(cells_destroy(halo), HX_OK);
    return status;
}

static void no_list(given *g)
{
    (void)g;
    CHECK_REFUSED(MPI_COMM_WORLD, create(g, rank == 1 ? NULL : &g->list, 3), HX_ERR_ARGUMENT,
                  "index list given to cells_create is a null pointer");
}

static void refuse(const given *g, hx_status status, const char *words)
{
    CHECK_REFUSED(MPI_COMM_WORLD, create(g, &g->list, 3), status, words);
}

/* Rank 1 makes a mistake, the others say the same about it. */
static void mistakes_of_one(void)
{
    given g;
    make(&g);
    no_list(&g);
    make(&g);
    g.peer[0].rank = rank == 1 ? 99 : g.peer[0].rank;
    refuse(&g, HX_ERR_ARGUMENT, "Rank 1 gave cells_create a list of points for rank 99");
    make(&g);
    g.peer[0].sends = rank == 1 ? -3 : 2;
    refuse(&g, HX_ERR_ARGUMENT, "-3 points to send");
    make(&g);
    g.peer[0].receive = rank == 1 ? NULL : g.receive;
    refuse(&g, HX_ERR_ARGUMENT, "2 to receive");
    make(&g);
    g.list.peers = rank == 1 ? -1 : g.list.peers;
    refuse(&g, HX_ERR_ARGUMENT, "an index list of -1 peers");
    make(&g);
    g.send[1] = rank == 1 ? 6 : 3;
    refuse(&g, HX_ERR_ARGUMENT, "Rank 1 is to send rank 0 point 6 (entry 1 of the list); it has 6 points");
    make(&g);
    g.receive[0] = rank == 1 ? -1 : 4;
    refuse(&g, HX_ERR_ARGUMENT, "Rank 1 is to receive from rank 0 point -1 (entry 0 of the list)");
    make(&g);
    g.receive[1] = rank == 1 ? 4 : 5;
    refuse(&g, HX_ERR_ARGUMENT, "Rank 1 is to receive point 4 from rank 0 and from rank 0");
    make(&g);
    g.send[1] = rank == 1 ? 5 : 3;
    refuse(&g, HX_ERR_ARGUMENT, "Rank 1 is to send rank 0 point 5, which it receives from rank 0");
    make(&g);
    g.peer[1] = (hx_peer){0, 1, g.send, 0, NULL};
    g.list.peers += rank == 1;
    refuse(&g, HX_ERR_ARGUMENT, "Rank 1 gave cells_create two lists for rank 0");
    make(&g);
    g.peer[1] = (hx_peer){1, 1, g.send, 0, NULL};
    g.list.peers += rank == 1;
    refuse(&g, HX_ERR_ARGUMENT, "Rank 1 is to send 1 point to itself, and to receive 0");
}

/* What each rank says is sound, but not what both say. */
static void disagreements(void)
{
    given g;
    make(&g);
    g.peer[0].sends = rank == 0 ? 1 : 2;
    refuse(&g, HX_ERR_MISMATCH, "rank 0 will send 1 points to rank 1, which expects 2; does each rank list");
    make(&g);
    g.peer[0].sends = rank == 0 ? 0 : 2;
    refuse(&g, HX_ERR_MISMATCH, "rank 1 expects 2 points from rank 0, which sends it none");
    make(&g);
    g.peer[0].receives = rank == 0 ? 0 : 2;
    refuse(&g, HX_ERR_MISMATCH, "rank 1 will send 2 points to rank 0, which expects none");
    make(&g);
    CHECK_REFUSED(MPI_COMM_WORLD, create(&g, &g.list, rank == 1 ? 4 : 3), HX_ERR_MISMATCH,
                  "lists of points with 4 along level.  Rank 0: lists of points with 3 along level");
}

static void shapes(void)
{
    given g;
    make(&g);
    CHECK_REFUSED(MPI_COMM_WORLD, create(&g, &g.list, rank == 1 ? 0 : 3), HX_ERR_PARTITION,
                  "Rank 1 gave a shape of 0 points along axis level; there are 1 or more");
    make(&g);
    g.points = rank == 1 ? -1 : g.points;
    refuse(&g, HX_ERR_PARTITION,
           "Rank 1 gave a shape of -1 points along axis cell; there are 0 or more.  Give that many");
    make(&g);
    hx_part other_tile = cells_part(g.points, 3);
    other_tile.tile = rank == 1 ? 2 : 0;
    const cells_shape wrong = cells_shape_dense(&other_tile);
    cells *halo = NULL;
    CHECK_REFUSED(MPI_COMM_WORLD, cells_create(MPI_COMM_WORLD, &wrong, &g.list, NULL, &halo),
                  HX_ERR_PARTITION, "Rank 1 gave a shape of tile 2; a list of points has none but tile 0");
    CHECK_REFUSED(MPI_COMM_WORLD, cells_create(MPI_COMM_WORLD, NULL, &g.list, NULL, &halo), HX_ERR_ARGUMENT,
                  "shape given to cells_create is a null pointer");
    make(&g);
    hx_part part = strata_part(g.points);
    part.n[1] = rank == 1 ? 6 : 5;
    const strata_shape shape = strata_shape_dense(&part);
    strata *other = NULL;
    CHECK_REFUSED(MPI_COMM_WORLD, strata_create(MPI_COMM_WORLD, &shape, &g.list, NULL, &other),
                  HX_ERR_PARTITION, "strata.lua fixes 5 points along axis z; rank 1 gave a shape of 6");
    CHECK_REFUSED(MPI_COMM_WORLD,
                  strata_create(MPI_COMM_WORLD, &shape, &g.list, NULL, rank == 1 ? NULL : &other),
                  HX_ERR_ARGUMENT, "The place for the handle given to strata_create is a null pointer");
    CHECK(!strstr(strchr(hx_last_error(), ':'), "Rank"), "the rank is told twice: %s", hx_last_error());
}

/* Lists are copied; a rank without points needs no arrays; what is used is told. */
static void what_is_allowed(void)
{
    given g;
    make(&g);
    const hx_part part = cells_part(g.points, 3);
    const cells_shape shape = cells_shape_dense(&part);
    CHECK(cells_points(&shape, CELLS_T) == (size_t)g.points * 3, "%zu elements",
          cells_points(&shape, CELLS_T));
    cells *halo = NULL;
    CHECK_STATUS(cells_create(MPI_COMM_WORLD, &shape, &g.list, NULL, &halo), HX_OK);
    memset(g.send, 0x7f, sizeof g.send);
    memset(g.receive, 0x7f, sizeof g.receive);
    g.list.peer = NULL;
    double salt[POINTS][3] = {{0.0}};
    for (int i = 0; i < 4; ++i) {
        salt[i][0] = rank + 1.0;
    }
    cells_fields f = {.s = rank < 2 ? &salt[0][0] : NULL};
    CHECK_STATUS(cells_salt(halo, &f), HX_OK);
    const double wanted = rank < 2 ? 2.0 - rank : 0.0;
    CHECK(salt[4][0] == wanted && salt[5][0] == wanted, "%g and %g, not %g", salt[4][0], salt[5][0], wanted);
    const char *text = cells_describe(halo);
    CHECK(rank > 1 || strstr(text, "2 to it in 1 run, 2 from it in 1 run") != NULL, "%s", text);
    CHECK(strstr(text, "points of a list lie along no axis") != NULL, "%s", text);
    CHECK_STATUS(cells_destroy(halo), HX_OK);
}

/* ---- ids ----------------------------------------------------------------------------------------------- */

/* Each rank owns ids 2 r and 2 r + 1 and has the two of the next rank in its halo. */
typedef struct given_ids {
    int64_t id[5];
    unsigned char owns[5];
    hx_ids ids;
} given_ids;

static void make_ids(given_ids *g)
{
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int64_t first = 2 * rank;
    const int64_t next = 2 * ((rank + 1) % ranks);
    *g = (given_ids){{first, first + 1, next, next + 1, -1}, {1, 1, 0, 0, 0}, {0}};
    g->ids = (hx_ids){.points = 5, .id = g->id, .owned = 2};
}

static void refuse_ids(const hx_ids *ids, const char *words)
{
    hx_index_list *list = NULL;
    CHECK_REFUSED(MPI_COMM_WORLD, hx_index_list_of_ids(MPI_COMM_WORLD, ids, &list), HX_ERR_ARGUMENT, words);
    CHECK(list == NULL, "a list all the same");
}

static void mistakes_in_ids(void)
{
    given_ids g;
    make_ids(&g);
    refuse_ids(rank == 1 ? NULL : &g.ids, "ids that rank 1 gave to hx_index_list_of_ids are a null pointer");
    g.ids.points = rank == 1 ? -2 : 5;
    refuse_ids(&g.ids, "Rank 1 gave hx_index_list_of_ids -2 points; give 0 or more.");
    make_ids(&g);
    g.ids.id = rank == 1 ? NULL : g.id;
    refuse_ids(&g.ids, "The numbers in the ids that rank 1 gave to hx_index_list_of_ids are a null pointer");
    make_ids(&g);
    g.ids.owned = rank == 1 ? 6 : 2;
    refuse_ids(
        &g.ids,
        "Rank 1 gave hx_index_list_of_ids 5 points, and says that it owns the first 6 of them; give 0 to 5.");
    make_ids(&g);
    g.id[4] = rank == 1 ? INT64_MAX : -1;
    refuse_ids(&g.ids, "Rank 1 has id 9223372036854775807 in its halo, as point 4, and no rank owns it");
    make_ids(&g);
    g.id[3] = rank == 1 ? -7 : g.id[3];
    refuse_ids(&g.ids, "Point 3 of rank 1 has the id -7");
    make_ids(&g);
    g.id[2] = rank == 1 ? 77 : g.id[2];
    refuse_ids(&g.ids, "Rank 1 has id 77 in its halo, as point 2, and no rank owns it");
    make_ids(&g);
    g.id[1] = rank == 1 ? 0 : g.id[1];
    refuse_ids(&g.ids, "Rank 0 owns id 0, as point 0, and so does rank 1, as point 1");
    make_ids(&g);
    g.id[4] = rank == 1 ? 3 : -1;
    g.owns[4] = rank == 1;
    g.ids.owns = g.owns;
    refuse_ids(&g.ids, "Rank 1 owns id 3, as point 1, and so does rank 1, as point 4");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_index_list_of_ids(MPI_COMM_WORLD, &g.ids, NULL), HX_ERR_ARGUMENT,
                  "place for the list given to hx_index_list_of_ids is a null pointer");
    hx_index_list *list = NULL;
    CHECK_STATUS(hx_index_list_of_ids(MPI_COMM_NULL, &g.ids, &list), HX_ERR_ARGUMENT);
    hx_index_list_free(NULL);
}

/* All ids are one rank's to keep account of. */
static void highest_ids(void)
{
    const int64_t id[] = {INT64_MAX, INT64_MAX - 1, INT64_MAX};
    const hx_ids ids = {.points = 3, .id = id, .owned = 2};
    hx_index_list *list = NULL;
    CHECK_STATUS(hx_index_list_of_ids(MPI_COMM_SELF, &ids, &list), HX_OK);
    CHECK(list && list->peers == 1 && list->peer->sends == 1 && list->peer->send[0] == 0 &&
              list->peer->receive[0] == 2,
          "another list than from point 0 to point 2");
    hx_index_list_free(list);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mistakes_of_one();
    disagreements();
    shapes();
    what_is_allowed();
    mistakes_in_ids();
    highest_ids();
    return check_verdict("mistakes in lists of points");
}
