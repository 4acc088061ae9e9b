/*
 * Prints what hx_links() reports, point by point, for some partitions of a spec; links.lua compares it with
 * the tile links that the generator dumps.  Here it is checked that both ends of every message agree about
 * it.
 *
 * Output, for each partition: lines `tile T axis A cuts ...`, then one line per ghost point as in
 * tests/lua/cut.lua, then a line `end`.
 */
#include "cases.h"
#include "check.h"
#include "connected.h"
#include "layout.h"
#include "specs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;
static int ranks;

static void print_list(FILE *out, const char *name, const int list[], int count)
{
    fprintf(out, " %s", name);
    for (int i = 0; i < count; ++i) {
        fprintf(out, " %d", list[i]);
    }
}

static void print_cuts(FILE *out, const layout *l)
{
    for (int t = 0; t < l->spec->tiles; ++t) {
        const hx_partition *p = &l->partition[t];
        for (int a = 0; a < p->axes; ++a) {
            fprintf(out, "tile %d axis %d cuts", t, a);
            for (int i = 0; i <= p->ranks[a]; ++i) {
                fprintf(out, " %d", layout_cut(p, a, i));
            }
            fprintf(out, "\n");
        }
    }
}

static void print_link(FILE *out, const hx_link *link, int axes)
{
    box to;
    int point[HX_MAX_AXES];
    memcpy(to.lo, link->lo, sizeof to.lo);
    memcpy(to.hi, link->hi, sizeof to.hi);
    memcpy(point, to.lo, sizeof point);
    do {
        int source[HX_MAX_AXES] = {0};
        for (int s = 0; s < axes; ++s) {
            source[s] = link->source_first[s] + link->turn[s] * (point[link->axis[s]] - to.lo[link->axis[s]]);
        }
        fprintf(out, "exchange %d field %d tile %d block %d", link->exchange, link->field, link->tile,
                link->block);
        print_list(out, "direction", link->direction, axes);
        print_list(out, "point", point, axes);
        fprintf(out, " <- tile %d block %d field %d", link->source_tile, link->source_block,
                link->source_field);
        print_list(out, "point", source, axes);
        fprintf(out, " sign %d\n", link->sign);
    } while (box_next(&to, axes, point));
}

/* All links of an exchange on this rank; the caller frees them. */
static hx_link *links_of(const hx_handle *handle, int exchange, int *count)
{
    *count = 0;
    CHECK_STATUS(hx_links(handle, exchange, NULL, count), HX_OK);
    hx_link *link = calloc((size_t)*count + 1, sizeof *link);
    if (link == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    CHECK_STATUS(hx_links(handle, exchange, link, count), HX_OK);
    return link;
}

/* One line per link of the message between two ranks, as one of them sees it. */
static char *message_text(const hx_link *link, int count, int peer, int incoming)
{
    char *text = NULL;
    size_t size = 0;
    size_t end = 0;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; i < count; ++i) {
        hx_link plain = link[i];
        if (plain.peer != peer || plain.incoming != incoming) {
            continue;
        }
        CHECK(plain.offset % 16 == 0 && (plain.offset > end || end == 0),
              "segment %d of a message begins at byte %zu", i, plain.offset);
        end = plain.offset + 1;
        fprintf(out, "field %d from %d, tiles %d %d, blocks %d %d, sign %d, byte %zu:", plain.field,
                plain.source_field, plain.tile, plain.source_tile, plain.block, plain.source_block,
                plain.sign, plain.offset);
        print_list(out, "lo", plain.lo, HX_MAX_AXES);
        print_list(out, "hi", plain.hi, HX_MAX_AXES);
        print_list(out, "first", plain.source_first, HX_MAX_AXES);
        print_list(out, "axis", plain.axis, HX_MAX_AXES);
        print_list(out, "turn", plain.turn, HX_MAX_AXES);
        print_list(out, "direction", plain.direction, HX_MAX_AXES);
        fprintf(out, "\n");
    }
    fclose(out);
    return text;
}

/* Sends a text to one rank and gets one from another; the caller frees it. */
static char *pass_on(const char *text, int to, int from)
{
    MPI_Request request;
    MPI_Status status;
    int length = 0;
    MPI_Isend(text, (int)strlen(text), MPI_CHAR, to, 1, MPI_COMM_WORLD, &request);
    MPI_Probe(from, 1, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_CHAR, &length);
    char *received = calloc((size_t)length + 1, 1);
    if (received == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Recv(received, length, MPI_CHAR, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return received;
}

/* That what every rank sends to this one is what this one expects, link by link in the same order. */
static void check_messages(const hx_link *link, int count)
{
    for (int distance = 1; distance < ranks; ++distance) {
        const int to = (rank + distance) % ranks;
        const int from = (rank - distance + ranks) % ranks;
        char *sent = message_text(link, count, to, 0);
        char *expected = message_text(link, count, from, 1);
        char *received = pass_on(sent, to, from);
        CHECK(strcmp(received, expected) == 0, "rank %d sends\n%s\nrank %d expects\n%s", from, received, rank,
              expected);
        free(received);
        free(expected);
        free(sent);
    }
}

/* Rank 0 prints what all ranks have to say. */
static void print_gathered(const char *mine, size_t size)
{
    const char done = '\0';
    for (int r = 0; r < ranks; ++r) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (r == 0 && rank == 0) {
            fwrite(mine, 1, size, stdout);
        } else if (rank == r) {
            free(pass_on(mine, 0, 0));
        } else if (rank == 0) {
            char *text = pass_on(&done, r, r);
            fputs(text, stdout);
            free(text);
        }
    }
    if (rank == 0) {
        printf("end\n");
    }
}

static void report(layout *l)
{
    hx_handle *handle = NULL;
    hx_options options = HX_OPTIONS_INIT;
    options.schedule = "one-phase"; /* the generator's links reach corners directly */
    if (!CHECK_STATUS(hx_create(l->spec, &l->blocks, l->shapes, &options, &handle), HX_OK)) {
        return;
    }
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (rank == 0) {
        print_cuts(out, l);
    }
    for (int x = 0; x < l->spec->exchanges; ++x) {
        int count = 0;
        hx_link *link = links_of(handle, x, &count);
        for (int i = 0; i < count; ++i) {
            if (link[i].incoming) {
                print_link(out, &link[i], l->spec->axes);
            }
        }
        check_messages(link, count);
        free(link);
    }
    fclose(out);
    print_gathered(text, size);
    free(text);
    CHECK_STATUS(hx_destroy(handle), HX_OK);
}

static int owner_in_turn(void *context, int tile, int block)
{
    return (tile + block) % *(const int *)context;
}

static void report_cartesian(const hx_spec *spec, int parts, size_t tries)
{
    cases c;
    hx_partition partition;
    cases_make(&c, spec, parts);
    for (size_t i = 0; cases_get(&c, i, tries, &partition); ++i) {
        layout l;
        check_about("%s, %d parts, case %zu", spec->name, parts, i);
        layout_make(&l, &(layout_request){spec, MPI_COMM_WORLD, &partition, owner_in_turn, &ranks, NULL, 0});
        report(&l);
        layout_free(&l);
    }
}

/* One partition in four where PROPERTY_TRIES asks for less than all: each prints some megabytes. */
static int partitions_apart(void)
{
    const char *times = getenv("PROPERTY_TRIES");
    return times != NULL && strtod(times, NULL) < 1.0 ? 4 : 1;
}

static void report_connected(const hx_spec *spec, const connected *grid)
{
    const int apart = partitions_apart();
    hx_partition partition[LAYOUT_TILES];
    for (int number = 0, fits = 0; (fits = grid->partitions(spec, number, partition)) >= 0; number += apart) {
        if (fits) {
            layout l;
            check_about("%s, partition %d", spec->name, number);
            layout_make(&l, &(layout_request){spec, MPI_COMM_WORLD, partition, owner_in_turn, &ranks,
                                              grid->faces, 0});
            report(&l);
            layout_free(&l);
        }
    }
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const connected *grid = connected_find(specs[0]);
    if (grid != NULL) {
        report_connected(specs[0], grid);
    } else {
        report_cartesian(specs[0], ranks, 10);
        report_cartesian(specs[0], 6, 6);
        report_cartesian(specs[0], 1, 6);
    }
    return check_verdict("links");
}
