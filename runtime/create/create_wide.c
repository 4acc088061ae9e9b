/*
 * hx_create_wide: a handle of the blocks of another one, for more ranks.  Those tell the others how the grid is divided, and
 * who has which block; then it is a create as any other.
 */
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "comm/arrival.h"
#include "exchange/exchange.h"
#include "exchange/handle.h"
#include "exchange/options.h"
#include "exchange/owner.h"

#include <string.h>

static const char purpose[] = "a handle for more ranks";

/* What ranks tell each other first. */
enum { NUMBERS, FEWEST, BLOCKS, SPEC, OTHER_SPEC, FAILED, TOLD };

/* Numbers that no rank without the handle has: it tells the least. */
static const int64_t nothing = INT64_MIN + 1;

typedef struct wide {
    const hx_spec *spec;
    const hx_handle *narrow; /* NULL: another rank's */
    hxi_topology all;        /* the communicator and this rank's place in it, and nothing else */
    int64_t *told;           /* cells, parts and cuts of all tiles, then owners of all blocks, ... */
    int64_t *heard;          /* ... and what any rank says of each */
    int64_t count;
    int64_t blocks;
    hx_partition *partition;
    int *cuts;
    int *owners;
    unsigned char *shapes;
} wide;

/* ---- what there is to tell ------------------------------------------------------------------------------ */

/* Numbers of all tiles: for each axis cells, parts, and cuts. */
static int64_t count_numbers(const hx_handle *h)
{
    int64_t count = 0;
    for (int t = 0; t < h->spec->tiles; ++t) {
        for (int a = 0; a < h->spec->axes; ++a) {
            count += 3 + (int64_t)h->layout.tile[t].parts[a];
        }
    }
    return count;
}

static void tell_layout(const wide *w)
{
    int64_t *next = w->told;
    const hx_handle *h = w->narrow;
    for (int t = 0; t < w->spec->tiles; ++t) {
        for (int a = 0; a < w->spec->axes; ++a) {
            const hxi_tile *tile = &h->layout.tile[t];
            *next++ = tile->cells[a];
            *next++ = tile->parts[a];
            for (int i = 0; i <= tile->parts[a]; ++i) {
                *next++ = hxi_tile_cut(tile, a, i);
            }
        }
    }
    for (int b = 0; b < h->mine.blocks; ++b) {
        const hxi_block *block = &h->mine.block[b];
        w->told[w->count + h->layout.tile[block->tile].first_block + block->number] = w->all.rank;
    }
}

/* ---- may it be done? ------------------------------------------------------------------------------------ */

static hx_status check_spec(const hx_spec *spec, const hx_handle *narrow, const char *caller)
{
    if (!spec || spec->abi != HX_ABI || spec->list) {
        return hxi_fail(HX_ERR_ARGUMENT, "%s: %s; give the spec of a grid of boxes.", caller,
                        !spec                 ? "the spec is a null pointer"
                        : spec->abi != HX_ABI ? "the emitted code is of another ABI than this libhx"
                                              : "the spec is a list of points");
    }
    if (!narrow) {
        return HX_OK;
    }
    const hx_status status = hxi_owner_look(narrow, "make a handle for more ranks");
    if (status == HX_OK && narrow->spec->hash != spec->hash) {
        return hxi_fail(HX_ERR_MISMATCH,
                        "%s: the handle is of spec %s, model %016llx, and not of %s, %016llx.", caller,
                        narrow->spec->name, (unsigned long long)narrow->spec->hash, spec->name,
                        (unsigned long long)spec->hash);
    }
    return status == HX_OK ? hxi_exchange_ready(narrow, caller) : status;
}

/* Is it one spec, have all that have a handle the same numbers, and is there one at all? */
static hx_status check_told(const wide *w, const int64_t most[TOLD], const char *caller)
{
    if (most[SPEC] != -most[OTHER_SPEC]) {
        return hxi_fail(
            HX_ERR_MISMATCH,
            "%s: on this rank spec %s is of model %016llx, and on others of another one; generate and "
            "compile all of them again.",
            caller, w->spec->name, (unsigned long long)w->spec->hash);
    }
    if (most[NUMBERS] == nothing) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "%s: no rank gave a handle; those that have it give it, and only others a null pointer.", caller);
    }
    if (most[NUMBERS] != -most[FEWEST]) {
        return hxi_fail(HX_ERR_MISMATCH,
                        "%s: ranks gave handles that divide the grid differently; make one handle at a time.",
                        caller);
    }
    return w->narrow && w->narrow->layout.blocks != most[BLOCKS]
               ? hxi_fail(HX_ERR_MISMATCH, "%s: ranks gave handles with %d and with %lld blocks.", caller,
                          w->narrow->layout.blocks, (long long)most[BLOCKS])
               : HX_OK;
}

/* Does any rank say otherwise, or have two the same block? */
static hx_status check_alike(const wide *w, int64_t given, const char *caller)
{
    int64_t owned = 0;
    for (int64_t b = 0; b < w->blocks; ++b) {
        owned += w->heard[w->count + b] >= 0;
    }
    for (int64_t i = 0; i < w->count && w->narrow; ++i) {
        if (w->told[i] != w->heard[i]) {
            return hxi_fail(HX_ERR_MISMATCH,
                            "%s: ranks gave handles that divide the grid differently; make one handle at a "
                            "time.",
                            caller);
        }
    }
    if (given != owned) {
        return hxi_fail(HX_ERR_MISMATCH,
                        "%s: ranks gave handles with %lld blocks, of which %lld are different ones; make one "
                        "handle at a time.",
                        caller, (long long)given, (long long)owned);
    }
    const int64_t missing = w->narrow ? w->narrow->layout.blocks - w->narrow->layout.land - owned : 0;
    return missing == 0 ? HX_OK
                        : hxi_fail(HX_ERR_ARGUMENT,
                                   "%s: %lld block%s of the handle belong to ranks that are not in the "
                                   "communicator; give one that has all ranks of the handle.",
                                   caller, (long long)missing, hxi_s(missing));
}

/* ---- making it ------------------------------------------------------------------------------------------ */

/* Collective: sizes, whether anyone has failed, and room for all numbers. */
static hx_status meet(wide *w, hx_status status, const char *caller)
{
    const bool has = w->narrow && status == HX_OK;
    const int64_t count = has ? count_numbers(w->narrow) : nothing;
    const int64_t hash = w->spec && status == HX_OK ? (int64_t)(w->spec->hash >> 1) : 0;
    const int64_t mine[TOLD] = {[NUMBERS] = count,
                                [FEWEST] = has ? -count : nothing,
                                [BLOCKS] = has ? w->narrow->layout.blocks : nothing,
                                [SPEC] = hash,
                                [OTHER_SPEC] = -hash,
                                [FAILED] = status != HX_OK};
    int64_t most[TOLD] = {0};
    hxi_first first = {0};
    hxi_first_note(&first, status);
    hxi_first_note(&first, hxi_topology_most(&w->all, mine, most, TOLD));
    if (first.status == HX_OK && !most[FAILED]) {
        hxi_first_note(&first, check_told(w, most, caller));
    }
    if (first.status == HX_OK && !most[FAILED]) {
        w->count = most[NUMBERS];
        w->blocks = most[BLOCKS];
        const size_t numbers = (size_t)(w->count + w->blocks);
        w->told = hxi_memory_get(numbers, sizeof *w->told, purpose);
        w->heard = hxi_memory_get(numbers, sizeof *w->heard, purpose);
        w->partition = hxi_memory_get((size_t)w->spec->tiles, sizeof *w->partition, purpose);
        w->cuts = hxi_memory_get((size_t)w->count, sizeof *w->cuts, purpose);
        w->owners = hxi_memory_get((size_t)w->blocks, sizeof *w->owners, purpose);
        const bool all = w->told && w->heard && w->partition && w->cuts && w->owners;
        hxi_first_note(&first, all ? HX_OK : HX_ERR_MEMORY);
    }
    return hxi_topology_agree(w->all.comm, hxi_first_tell(&first));
}

/* Collective: how the grid is divided, and who has which block. */
static hx_status hear(const wide *w, const char *caller)
{
    int64_t given = 0;
    hxi_first first = {0};
    for (int64_t i = 0; i < w->count + w->blocks; ++i) {
        w->told[i] = i < w->count ? nothing : -1;
    }
    if (w->narrow) {
        tell_layout(w);
    }
    hxi_first_note(&first, hxi_topology_most(&w->all, w->told, w->heard, (int)(w->count + w->blocks)));
    hxi_first_note(&first, hxi_topology_sum(w->all.comm, w->narrow ? w->narrow->mine.blocks : 0,
                                            "Counting the blocks", &given));
    if (first.status == HX_OK) {
        hxi_first_note(&first, check_alike(w, given, caller));
    }
    return hxi_topology_agree(w->all.comm, hxi_first_tell(&first));
}

static void set_partitions(const wide *w)
{
    const int64_t *next = w->heard;
    int *cuts = w->cuts;
    for (int t = 0; t < w->spec->tiles; ++t) {
        hx_partition *p = &w->partition[t];
        *p = (hx_partition){.axes = w->spec->axes, .first_fastest = w->spec->first_fastest};
        for (int a = 0; a < w->spec->axes; ++a) {
            p->cells[a] = (int)*next++;
            p->ranks[a] = (int)*next++;
            p->periodic[a] = w->spec->periodic[a];
            p->cuts[a] = cuts;
            for (int i = 0; i <= p->ranks[a]; ++i) {
                *cuts++ = (int)*next++;
            }
        }
    }
    for (int64_t b = 0; b < w->blocks; ++b) {
        w->owners[b] = (int)w->heard[w->count + b];
    }
}

/* The shapes of this rank's blocks, as the application has given them. */
static hx_status make_shapes(wide *w)
{
    const hx_spec *spec = w->spec;
    const int blocks = w->narrow ? w->narrow->mine.blocks : 0;
    w->shapes = hxi_memory_get((size_t)blocks, spec->shape_size, purpose);
    if (!w->shapes) {
        return HX_ERR_MEMORY;
    }
    for (int b = 0; b < blocks; ++b) {
        const hxi_block *block = &w->narrow->mine.block[b];
        unsigned char *shape = w->shapes + (size_t)b * spec->shape_size;
        hx_part part;
        const hx_status status = hx_part_of(&w->partition[block->tile], block->tile, block->number, &part);
        if (status != HX_OK) {
            return status;
        }
        memcpy(shape, &part, sizeof part);
        ptrdiff_t *stride = (ptrdiff_t *)(void *)(shape + spec->shape_stride);
        for (int i = 0; i < spec->fields * spec->axes; ++i) {
            const int field =
                i / spec->axes; /* its strides there are in elements, and a block has them in points */
            stride[i] =
                block->stride[field * HX_MAX_AXES + i % spec->axes] * hxi_block_elements(&spec->field[field]);
        }
        if (spec->shape_apart > 0) {
            memcpy(shape + spec->shape_apart, block->apart, (size_t)spec->fields * sizeof(ptrdiff_t));
        }
    }
    return HX_OK;
}

static hx_status make(wide *w, const hx_options *options, const char *caller, hx_handle **out)
{
    hx_status status = hear(w, caller);
    if (status != HX_OK) {
        return status;
    }
    set_partitions(w);
    status = hxi_topology_agree(w->all.comm, make_shapes(w));
    const hx_blocks blocks = {.comm = w->all.comm,
                              .tiles = w->spec->tiles,
                              .partition = w->partition,
                              .owners = w->owners,
                              .count = w->narrow ? w->narrow->mine.blocks : 0};
    return status == HX_OK ? hx_create(w->spec, &blocks, w->shapes, options, out) : status;
}

/* Until all ranks have come; others that fail after that are told by all. */
static hx_status arrive(MPI_Comm comm, const hx_spec *spec, const hx_options *options, const char *caller)
{
    hx_options wanted;
    hxi_reasons why;
    const bool known = hxi_options_resolve(options, &wanted, &why) == HX_OK;
    return hxi_arrival_wait(comm, caller, spec != NULL, known ? wanted.deadline : 0.0);
}

hx_status hx_create_wide(const hx_spec *spec, hx_handle *narrow, MPI_Comm comm, const hx_options *options,
                         hx_handle **out)
{
    char buffer[HX_CALL];
    const char *caller =
        spec && spec->abi == HX_ABI ? hxi_call(spec, NULL, "create_wide", buffer) : "hx_create_wide";
    wide w = {.spec = spec, .narrow = narrow, .all = hxi_topology_none()};
    if (out) {
        *out = NULL;
    }
    hx_status status = hxi_owner_check_process("create a handle");
    status = status == HX_OK ? hxi_topology_place(comm, caller, &w.all.rank, &w.all.ranks) : status;
    if (status != HX_OK && status != HX_ERR_MPI) {
        return status;
    }
    w.all.comm = comm;
    hxi_first first = {0};
    hxi_first_note(&first, status);
    if (!out) {
        hxi_first_note(&first,
                       hxi_fail(HX_ERR_ARGUMENT, "%s: the place for the handle is " HXI_NO_PLACE, caller));
    }
    const MPI_Errhandler handler = hxi_topology_quiet(comm, options ? options->keep_errhandler : 0);
    const hx_status come = arrive(comm, spec, options, caller);
    hxi_first_note(&first, come);
    hxi_first_note(&first, check_spec(spec, narrow, caller));
    status = hxi_first_tell(&first);
    if (!hxi_arrival_failed(come)) {
        status = meet(&w, status, caller);
        status = status == HX_OK ? make(&w, options, caller, out) : status;
    }
    hxi_topology_restore(comm, handler);
    hxi_memory_free(w.told);
    hxi_memory_free(w.heard);
    hxi_memory_free(w.partition);
    hxi_memory_free(w.cuts);
    hxi_memory_free(w.owners);
    hxi_memory_free(w.shapes);
    return status;
}
