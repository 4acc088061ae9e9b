/*
 * A spec on ranks that really run: prints the links and the traffic of all exchanges, a line each, for real.py.
 *
 * usage: real TILES then, for each tile, the cells and the parts along each axis, as numbers
 *
 * Block b of all goes to rank b * ranks / blocks, as halogen explain has it.  Messages are those of p2p with the option
 * check: whole ones, none of them without a buffer.
 */
#include <hx/abi.h>

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef TABLES
#error "TABLES is NAME_spec of an emitted source"
#endif
extern const hx_spec TABLES;

typedef struct grid {
    hx_partition *partition;
    int *first_block; /* of each tile, and all of them behind the last */
    int ranks;
} grid;

static void expect(hx_status status)
{
    if (status != HX_OK) {
        fprintf(stderr, "%s\n", hx_last_error());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        exit(1); /* the compiler does not know that MPI_Abort ends */
    }
    return memory;
}

static int owner(void *context, int tile, int block)
{
    const grid *g = context;
    return (int)((long long)(g->first_block[tile] + block) * g->ranks / g->first_block[TABLES.tiles]);
}

static void read_grid(char **arguments, grid *g)
{
    g->partition = room((size_t)TABLES.tiles, sizeof *g->partition);
    g->first_block = room((size_t)TABLES.tiles + 1, sizeof *g->first_block);
    for (int t = 0; t < TABLES.tiles; ++t) {
        int cells[HX_MAX_AXES] = {0};
        int blocks = 1;
        for (int a = 0; a < TABLES.axes; ++a) {
            cells[a] = atoi(*arguments++);
        }
        expect(hx_spec_partition(&TABLES, cells, &g->partition[t]));
        for (int a = 0; a < TABLES.axes; ++a) {
            g->partition[t].ranks[a] = atoi(*arguments++);
            blocks *= g->partition[t].ranks[a];
        }
        g->first_block[t + 1] = g->first_block[t] + blocks;
    }
}

/* The shapes of this rank's blocks; how many there are. */
static int make_shapes(grid *g, int rank, char *shapes)
{
    int count = 0;
    for (int t = 0; t < TABLES.tiles; ++t) {
        for (int b = 0; b < g->first_block[t + 1] - g->first_block[t]; ++b) {
            hx_part part;
            if (owner(g, t, b) == rank) {
                expect(hx_part_of(&g->partition[t], t, b, &part));
                expect(hx_spec_shape(&TABLES, &part, shapes + (size_t)count++ * TABLES.shape_size));
            }
        }
    }
    return count;
}

static void print_list(FILE *out, const int list[])
{
    for (int a = 0; a < TABLES.axes; ++a) {
        fprintf(out, " %d", list[a]);
    }
}

static void print_exchange(FILE *out, const hx_handle *handle, int rank, int exchange)
{
    hx_traffic t;
    int count = 0;
    expect(hx_traffic_of(handle, exchange, &t));
    fprintf(out, "traffic %d %d peers %d messages %d phases %d sent %llu copied %llu\n", exchange, rank,
            t.peers, t.messages, t.phases, (unsigned long long)t.bytes_sent,
            (unsigned long long)t.bytes_copied);
    expect(hx_links(handle, exchange, NULL, &count));
    hx_link *link = room((size_t)count, sizeof *link);
    expect(hx_links(handle, exchange, link, &count));
    for (int i = 0; i < count; ++i) {
        const hx_link *l = &link[i];
        const char *kind = l->peer == rank ? "within" : l->incoming ? "received" : "sent";
        fprintf(out, "link %d %d %s %d %d %d %d %d %d %d %d %zu %d %d", exchange, rank, kind, l->peer,
                l->field, l->tile, l->block, l->source_tile, l->source_block, l->source_field, l->sign,
                l->offset, l->phase, l->components);
        print_list(out, l->direction);
        print_list(out, l->lo);
        print_list(out, l->hi);
        print_list(out, l->source_first);
        print_list(out, l->axis);
        print_list(out, l->turn);
        fprintf(out, "\n");
    }
    free(link);
}

/* The launcher mixes what ranks print, so one of them does. */
static void print_in_turn(int rank, int ranks, const char *text)
{
    int length = (int)strlen(text);
    if (rank > 0) {
        MPI_Send(text, length, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        return;
    }
    fputs(text, stdout);
    for (int other = 1; other < ranks; ++other) {
        MPI_Status status;
        MPI_Probe(other, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_CHAR, &length);
        char *theirs = room((size_t)length, 1);
        MPI_Recv(theirs, length, MPI_CHAR, other, 0, MPI_COMM_WORLD, &status);
        fputs(theirs, stdout);
        free(theirs);
    }
    fflush(stdout);
}

int main(int count, char **arguments)
{
    int rank = 0;
    grid g = {0};
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &g.ranks);
    if (count != 2 + 2 * TABLES.tiles * TABLES.axes || atoi(arguments[1]) != TABLES.tiles) {
        fprintf(stderr, "usage: real TILES CELLS... PARTS...\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    read_grid(arguments + 2, &g);
    char *shapes = room((size_t)g.first_block[TABLES.tiles], TABLES.shape_size);
    const hx_blocks blocks = {.comm = MPI_COMM_WORLD,
                              .tiles = TABLES.tiles,
                              .partition = g.partition,
                              .owner = owner,
                              .context = &g,
                              .count = make_shapes(&g, rank, shapes)};
    hx_options options = HX_OPTIONS_INIT;
    options.transport = "p2p";
    options.check = 1;
    hx_handle *handle = NULL;
    expect(hx_create(&TABLES, &blocks, shapes, &options, &handle));
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (int e = 0; e < TABLES.exchanges; ++e) {
        print_exchange(out, handle, rank, e);
    }
    fclose(out);
    print_in_turn(rank, g.ranks, text);
    expect(hx_destroy(handle));
    free(text);
    free(shapes);
    free(g.partition);
    free(g.first_block);
    MPI_Finalize();
    return 0;
}
