/*
 * Maps of blocks to ranks, as files of text:
 *
 *     halogen-map 1
 *     cells 4320 3600 75
 *     parts 96 80 1
 *     first-fastest 0
 *     ranks 1000
 *     wet 8437301
 *     most 8511
 *     owners 7680
 *     -1 -1 -1 0 0 1 ...
 */
#include <hx/mask.h>

#include "base/atomic_file.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "grid/partition.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { IN_A_LINE = 20, MOST_BLOCKS = 2000000 /* which fit into a file of lines */ };

/* ---- writing ------------------------------------------------------------------------------------------- */

static void write_numbers(FILE *file, const char *key, const int numbers[], int count)
{
    fputs(key, file);
    for (int i = 0; i < count; ++i) {
        fprintf(file, " %d", numbers[i]);
    }
    fputc('\n', file);
}

static void write_map(FILE *file, void *context)
{
    const hx_map *map = context;
    fputs("halogen-map 1\n", file);
    write_numbers(file, "cells", map->partition.cells, map->partition.axes);
    write_numbers(file, "parts", map->partition.ranks, map->partition.axes);
    fprintf(file, "first-fastest %d\nranks %d\nwet %lld\nmost %lld\nowners %d\n",
            map->partition.first_fastest != 0, map->ranks, (long long)map->wet, (long long)map->most,
            map->blocks);
    for (int b = 0; b < map->blocks; ++b) {
        fprintf(file, "%d%c", map->owner[b],
                b % IN_A_LINE == IN_A_LINE - 1 || b == map->blocks - 1 ? '\n' : ' ');
    }
}

hx_status hx_map_write(const hx_map *map, const char *path)
{
    if (!map || !path) {
        return hxi_fail(HX_ERR_ARGUMENT, "Asked to write a map, %s is a null pointer.",
                        map ? "the path" : "the map");
    }
    if (map->blocks > MOST_BLOCKS) {
        return hxi_fail(HX_ERR_LIMIT, "The map has %d blocks; a file holds up to %d.", map->blocks,
                        (int)MOST_BLOCKS);
    }
    return hxi_atomic_file_replace(path, write_map, (void *)map);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

typedef struct reader {
    const char *path;
    hxi_atomic_file file;
    const char *at; /* in the text, which ends with a zero */
} reader;

static hx_status refuse(const reader *r, const char *wanted)
{
    int line = 1;
    for (const char *c = r->file.text; c < r->at; ++c) {
        line += *c == '\n';
    }
    char found[32];
    size_t length = strcspn(r->at, " \n");
    length = length < sizeof found ? length : sizeof found - 1;
    for (size_t i = 0; i < length; ++i) {
        found[i] = '!' <= r->at[i] && r->at[i] <= '~' ? r->at[i] : '?';
    }
    found[length] = '\0';
    return hxi_fail(HX_ERR_ARGUMENT, "%s:%d: expected %s, found \"%s\".  hx_map_write writes such files.",
                    r->path, line, wanted, found);
}

static void skip_blanks(reader *r)
{
    r->at += strspn(r->at, " \n");
}

static hx_status read_word(reader *r, const char *word)
{
    skip_blanks(r);
    const size_t length = strcspn(r->at, " \n");
    if (length != strlen(word) || strncmp(r->at, word, length) != 0) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "\"%s\"", word);
        return refuse(r, wanted);
    }
    r->at += length;
    return HX_OK;
}

static hx_status read_number(reader *r, int64_t least, int64_t most, int64_t *number)
{
    skip_blanks(r);
    const size_t length = strcspn(r->at, " \n");
    char *end = NULL;
    *number = strtoll(r->at, &end, 10);
    if (length == 0 || length > 18 || end != r->at + length || *number < least || *number > most) {
        char wanted[96];
        snprintf(wanted, sizeof wanted, "a number from %lld to %lld", (long long)least, (long long)most);
        return refuse(r, wanted);
    }
    r->at = end;
    return HX_OK;
}

/* A word, and a number behind it. */
static hx_status read_entry(reader *r, const char *word, int64_t least, int64_t most, int64_t *number)
{
    const hx_status status = read_word(r, word);
    return status == HX_OK ? read_number(r, least, most, number) : status;
}

/* As many as there are axes, or as the line has. */
static hx_status read_axes(reader *r, const char *word, int numbers[], int *axes)
{
    hx_status status = read_word(r, word);
    int count = 0;
    while (status == HX_OK && (*axes > 0 ? count < *axes : count == 0 || *r->at != '\n')) {
        int64_t number = 0;
        if (count == HX_MAX_AXES) {
            return refuse(r, "no more than 4 axes");
        }
        status = read_number(r, 1, HX_MAX_CELLS, &number);
        numbers[count++] = (int)number;
    }
    *axes = count;
    return status;
}

static hx_status read_owners(reader *r, hx_map *map)
{
    hx_status status = HX_OK;
    map->owner = hxi_memory_get((size_t)map->blocks, sizeof *map->owner, "the map of an ocean");
    if (!map->owner) {
        return HX_ERR_MEMORY;
    }
    for (int b = 0; b < map->blocks && status == HX_OK; ++b) {
        int64_t owner = 0;
        status = read_number(r, HX_NO_OWNER, map->ranks - 1, &owner);
        map->owner[b] = (int)owner;
        map->land += owner == HX_NO_OWNER;
    }
    skip_blanks(r);
    if (status == HX_OK && *r->at != '\0') {
        return refuse(r, "the end of the file");
    }
    return status == HX_OK && map->land == map->blocks
               ? hxi_fail(HX_ERR_PARTITION, "%s gives none of its %d blocks an owner.", r->path, map->blocks)
               : status;
}

static hx_status read_map(reader *r, hx_map *map)
{
    int64_t version = 0, first_fastest = 0, ranks = 0, blocks = 0;
    hx_partition *p = &map->partition;
    hx_status status = read_entry(r, "halogen-map", 1, 1, &version);
    status = status == HX_OK ? read_axes(r, "cells", p->cells, &p->axes) : status;
    status = status == HX_OK ? read_axes(r, "parts", p->ranks, &p->axes) : status;
    status = status == HX_OK ? read_entry(r, "first-fastest", 0, 1, &first_fastest) : status;
    status = status == HX_OK ? read_entry(r, "ranks", 1, INT_MAX, &ranks) : status;
    status = status == HX_OK ? read_entry(r, "wet", 0, INT64_MAX, &map->wet) : status;
    status = status == HX_OK ? read_entry(r, "most", 0, INT64_MAX, &map->most) : status;
    status = status == HX_OK ? hxi_partition_check(p, true) : status;
    if (status != HX_OK) {
        return status;
    }
    p->first_fastest = (int)first_fastest;
    map->ranks = (int)ranks;
    map->blocks = hxi_partition_parts(p);
    status = read_entry(r, "owners", map->blocks, map->blocks, &blocks);
    return status == HX_OK ? read_owners(r, map) : status;
}

hx_status hx_map_read(const char *path, hx_map **map)
{
    if (map) {
        *map = NULL;
    }
    if (!path || !map) {
        return hxi_fail(HX_ERR_ARGUMENT, "Asked to read a map, %s is a null pointer.",
                        path ? "the place for it" : "the path");
    }
    reader r = {.path = path};
    hx_status status = hxi_atomic_file_load(path, &r.file);
    if (status == HX_OK && !r.file.text) {
        return hxi_fail(HX_ERR_ARGUMENT, "The file %s is not there; hx_map_write makes one.", path);
    }
    hx_map *made = status == HX_OK ? hxi_memory_get(1, sizeof *made, "the map of an ocean") : NULL;
    status = status == HX_OK && !made ? HX_ERR_MEMORY : status;
    if (status == HX_OK) {
        r.at = r.file.text;
        status = read_map(&r, made);
    }
    hxi_atomic_file_free(&r.file);
    if (status == HX_OK) {
        *map = made;
    } else {
        hx_map_free(made);
    }
    return status;
}
