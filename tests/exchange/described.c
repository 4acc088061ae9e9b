/*
 * What each rank's handle says of itself as JSON, and the same from hx_links, hx_traffic_of and the layout that
 * was asked for, as lines; described.py compares them.
 *
 * Three handles: one is destroyed, on each rank at another time; one only after MPI_Finalize; one is of all ranks
 * but the first.  Then the program goes to another folder.
 *
 * usage: described FOLDER [MODE]
 *
 *   late     rank 1 comes to MPI_Finalize when others have given it up
 *   odd      the name of the spec's file is not UTF-8
 *   key      once MPI cannot ask to be called in MPI_Finalize
 *   copy     once MPI cannot duplicate the communicator of a handle, on rank 1
 */
#include "cases.h"
#include "check.h"
#include "connected.h"
#include "numbers.h"
#include "specs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CALLS = 3 };

static const char *folder;
static const char *mode = "";
static int rank;
static int ranks;
static hx_spec described;

/* ---- an MPI that fails ---------------------------------------------------------------------------------- */

/* Late is who comes when rank 0 has written the file. */
int MPI_Finalize(void)
{
    if (strcmp(mode, "late") == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        while (rank == 1 && access(getenv("HX_DESCRIBE"), F_OK) != 0) {
            nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        }
    }
    return PMPI_Finalize();
}

int MPI_Comm_set_attr(MPI_Comm comm, int key, void *value)
{
    static bool failed;
    const bool fails = strcmp(mode, "key") == 0 && !failed;
    failed = failed || fails;
    return fails ? MPI_ERR_OTHER : PMPI_Comm_set_attr(comm, key, value);
}

static MPI_Comm half_made; /* which rank 1 does not know */

/* The first copy is that of the handle, the second one that of its file. */
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy)
{
    static int calls;
    const int code = PMPI_Comm_dup(comm, copy);
    if (strcmp(mode, "copy") != 0 || ++calls != 2) {
        return code;
    }
    half_made = *copy;
    return rank == 1 ? MPI_ERR_OTHER : code;
}

int MPI_Comm_free(MPI_Comm *comm)
{
    CHECK(*comm != half_made, "a communicator is freed that one rank does not have");
    return PMPI_Comm_free(comm);
}

/* ---- layouts -------------------------------------------------------------------------------------------- */

static int owner_in_turn(void *context, int tile, int block)
{
    return (tile + block) % *(const int *)context;
}

static void make_layout(layout *l, MPI_Comm comm)
{
    hx_partition partition[LAYOUT_TILES];
    cases c;
    int size = 0;
    const connected *grid = connected_find(specs[0]);
    MPI_Comm_size(comm, &size);
    if (grid) {
        int number = 0;
        while (grid->partitions(specs[0], number, partition) == 0) {
            ++number;
        }
    } else {
        cases_make(&c, specs[0], 2 * ranks);
        cases_get(&c, 40, 100, partition);
    }
    static int owners;
    owners = size;
    const layout_request request = {.spec = &described,
                                    .comm = comm,
                                    .partition = partition,
                                    .owner = owner_in_turn,
                                    .context = &owners,
                                    .faces = grid ? grid->faces : NULL};
    layout_make(l, &request);
}

static FILE *open_file(const char *name, const char *ending)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s-%d.%s", folder, name, rank, ending);
    FILE *file = fopen(path, "w");
    if (!file) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return file;
}

static void print_numbers(FILE *out, const char *key, const int value[], int count)
{
    fprintf(out, " %s ", key);
    for (int i = 0; i < count; ++i) {
        fprintf(out, i == 0 ? "%d" : ",%d", value[i]);
    }
}

static void print_link(FILE *out, const hx_link *k, int axes)
{
    fprintf(out, "link exchange %d phase %d peer %d incoming %d field %d tile %d block %d", k->exchange,
            k->phase, k->peer, k->incoming, k->field, k->tile, k->block);
    fprintf(out, " source_tile %d source_block %d source_field %d sign %d offset %zu components %d",
            k->source_tile, k->source_block, k->source_field, k->sign, k->offset, k->components);
    print_numbers(out, "direction", k->direction, axes);
    print_numbers(out, "lo", k->lo, axes);
    print_numbers(out, "hi", k->hi, axes);
    print_numbers(out, "source_first", k->source_first, axes);
    print_numbers(out, "axis", k->axis, axes);
    print_numbers(out, "turn", k->turn, axes);
    fprintf(out, "\n");
}

static void print_exchange(FILE *out, hx_handle *handle, int exchange, int axes)
{
    hx_traffic t;
    int count = 0;
    CHECK_STATUS(hx_traffic_of(handle, exchange, &t), HX_OK);
    fprintf(out,
            "traffic exchange %d name %s peers %d phases %d messages %d sent %llu copied %llu calls %llu\n",
            exchange, specs[0]->exchange[exchange].name, t.peers, t.phases, t.messages,
            (unsigned long long)t.bytes_sent, (unsigned long long)t.bytes_copied,
            (unsigned long long)t.exchanges);
    CHECK_STATUS(hx_links(handle, exchange, NULL, &count), HX_OK);
    hx_link *link = calloc((size_t)count + 1, sizeof *link);
    CHECK(link && hx_links(handle, exchange, link, &count) == HX_OK, "no links");
    for (int i = 0; i < count; ++i) {
        print_link(out, &link[i], axes);
    }
    free(link);
}

static void print_facts(const char *name, hx_handle *handle, const layout *l)
{
    FILE *out = open_file(name, "facts");
    fprintf(out, "handle spec %s hash %016llx ranks %d exchanges %d\n", l->spec->name,
            (unsigned long long)l->spec->hash, ranks, l->spec->exchanges);
    for (int b = 0; b < l->blocks.count; ++b) {
        fprintf(out, "block tile %d", l->part[b].tile);
        print_numbers(out, "first", l->part[b].first, l->spec->axes);
        print_numbers(out, "cells", l->part[b].n, l->spec->axes);
        fprintf(out, "\n");
    }
    for (int e = 0; e < l->spec->exchanges; ++e) {
        print_exchange(out, handle, e, l->spec->axes);
    }
    fclose(out);
    out = open_file(name, "json");
    const char *text = hx_describe_json(handle);
    CHECK(text, "no description: %s", hx_last_error());
    fputs(text ? text : "", out);
    fclose(out);
}

/* Handle and layout stay for as long as the caller likes. */
static hx_handle *run(const char *name, MPI_Comm comm, layout *l)
{
    hx_handle *handle = NULL;
    hx_options options = HX_OPTIONS_INIT;
    numbers n;
    make_layout(l, comm);
    if (!CHECK_STATUS(hx_create(l->spec, &l->blocks, l->shapes, &options, &handle), HX_OK)) {
        return NULL;
    }
    numbers_make(&n, l);
    for (int e = 0; e < l->spec->exchanges; ++e) {
        for (int i = 0; i < CALLS + e; ++i) {
            CHECK_STATUS(hx_start(handle, e, n.pointers), HX_OK);
            CHECK_STATUS(hx_finish(handle, e), HX_OK);
        }
    }
    numbers_free(&n);
    print_facts(name, handle, l);
    return handle;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    folder = argc > 1 ? argv[1] : ".";
    mode = argc > 2 ? argv[2] : "";
    half_made = MPI_COMM_NULL;
    described = *specs[0];
    static layout l[3]; /* create keeps pointers into them */
    MPI_Comm others;
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &others);
    hx_handle *first = run("first", MPI_COMM_WORLD, &l[0]);
    if (rank % 2 == 0) {
        CHECK_STATUS(hx_destroy(first), HX_OK);
    }
    hx_handle *second = run("second", MPI_COMM_WORLD, &l[1]);
    CHECK(second, "no handle");
    hx_handle *third = rank > 0 ? run("third", others, &l[2]) : NULL;
    if (rank > 0) {
        CHECK_STATUS(hx_destroy(third), HX_OK);
    }
    if (rank % 2 == 1) {
        CHECK_STATUS(hx_destroy(first), HX_OK);
    }
    CHECK(hx_describe_json(NULL) == NULL, "a description of no handle");
    MPI_Comm_free(&others);
    CHECK(chdir("/") == 0, "no way to the root of all folders");
    if (strcmp(mode, "odd") == 0) { /* of the second handle, which create has compared with its sum */
        described.file = "d\xc3\xa9j\xc3\xa0 \xe9\xff\xc3/\xed\xa0\x80\xc0\xaf\xf0\x9f\x98\x80.lua";
    }
    const int verdict = check_verdict("described");
    return hx_destroy(second) == HX_OK ? verdict : 1; /* when MPI_Finalize has told of it */
}
