/*
 * Handles of Fortran: create, destroy, and what a handle tells.
 */
#include "hx_fortran_glue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A shape is a part, the strides of each field along all axes, and where some field has any, apart[]. */
static hx_status place_fields(struct hx_f_halo *halo, const hx_spec_facts *facts, const char *shapes)
{
    for (int i = 0; i < halo->blocks * facts->fields; ++i) {
        const int f = i % facts->fields;
        const char *shape = shapes + (size_t)(i / facts->fields) * facts->shape_size;
        const ptrdiff_t *strides = (const ptrdiff_t *)(const void *)(shape + sizeof(hx_part));
        const ptrdiff_t *stride = strides + (ptrdiff_t)f * facts->axes;
        const ptrdiff_t *apart = strides + (ptrdiff_t)facts->fields * facts->axes;
        hx_field_facts field;
        const hx_status status = hx_field_query(halo->spec->tables, f, &field);
        if (status != HX_OK) {
            return status;
        }
        hx_f_dimensions *p = &halo->dimensions[i];
        *p = hx_f_dimensions_of(&field, (const hx_part *)(const void *)shape, facts->axes);
        if (field.behind) {
            p->dim[0].extent = (CFI_index_t)hx_points(halo->spec->tables, shape, f);
            continue;
        }
        for (int d = 0; d < p->rank; ++d) {
            const int a = p->dim[d].axis;
            p->dim[d].step = (a >= 0                       ? stride[a]
                              : field.components_after > 0 ? apart[f]
                                                           : 1) *
                             (ptrdiff_t)field.bytes;
        }
    }
    return HX_OK;
}

static void free_halo(struct hx_f_halo *halo)
{
    for (int e = 0; halo->given && e < halo->exchanges + halo->cycles; ++e) {
        free(halo->given[e]);
    }
    free(halo->part);
    free(halo->dimensions);
    free(halo->arrays);
    free(halo->given);
    free(halo->started);
    free(halo);
}

static struct hx_f_halo *make_halo(const hx_f_spec *spec, const hx_spec_facts *facts, int blocks)
{
    struct hx_f_halo *halo = calloc(1, sizeof *halo);
    if (!halo) {
        return NULL;
    }
    const size_t some = blocks > 0 ? (size_t)blocks : 1, fields = (size_t)facts->fields * some;
    *halo = (struct hx_f_halo){.spec = spec,
                               .blocks = blocks,
                               .fields = facts->fields,
                               .exchanges = facts->exchanges,
                               .cycles = spec->tables->cycles};
    const size_t called = (size_t)(halo->exchanges + halo->cycles);
    halo->part = calloc(some, sizeof *halo->part);
    halo->dimensions = calloc(fields, sizeof *halo->dimensions);
    halo->arrays = calloc(fields, sizeof *halo->arrays);
    halo->given = calloc(called, sizeof *halo->given);
    halo->started = calloc(called, sizeof *halo->started);
    if (!halo->part || !halo->dimensions || !halo->arrays || !halo->given || !halo->started) {
        free_halo(halo);
        return NULL;
    }
    return halo;
}

/* What create has to make: of one tile, or of what it was given. */
static hx_blocks blocks_of(const hx_f_blocks *given, const void *shapes, MPI_Comm comm)
{
    if (!given) {
        return (hx_blocks){
            .comm = comm, .tiles = 1, .partition = &((const hx_part *)shapes)->partition, .count = 1};
    }
    return (hx_blocks){.comm = comm,
                       .tiles = given->tiles,
                       .partition = given->partition,
                       .count = given->count,
                       .owners = given->owner};
}

/* Blocks of so many tiles. */
static long count_blocks(const hx_partition *partition, int tiles)
{
    long blocks = 0;
    for (int t = 0; t < tiles; ++t) {
        long all = 1;
        for (int a = 0; a < partition[t].axes; ++a) {
            all *= partition[t].ranks[a];
        }
        blocks += all;
    }
    return blocks;
}

/* libhx reads an owner for each block of each tile. */
static hx_status check_owners(const char *call, const hx_f_blocks *given)
{
    const long blocks = given && given->owner ? count_blocks(given->partition, given->tiles) : 0;
    if (!given || !given->owner || given->owners == blocks) {
        return HX_OK;
    }
    return hx_f_refuse(HX_ERR_ARGUMENT, "%s: owners has %d elements, the partitions have %ld blocks", call,
                       given->owners, blocks);
}

static void keep_parts(struct hx_f_halo *halo, size_t shape_size, const char *shapes)
{
    for (int b = 0; b < halo->blocks; ++b) {
        const hx_part *part = (const hx_part *)(const void *)(shapes + (size_t)b * shape_size);
        memcpy(halo->part[b].n, part->n, sizeof part->n);
    }
}

/* All that this rank knows to be wrong before it talks to others. */
static hx_status check_create(const char *call, const hx_f_blocks *blocks, const hx_f_handle *handle)
{
    return handle->halo ? hx_f_refuse(HX_ERR_STATE, "%s: halo is in use; destroy it first", call)
                        : check_owners(call, blocks);
}

/* What create has made gets its arrays' places, and belongs to the program; or all is freed, where it failed. */
static hx_status hand_out(struct hx_f_halo *halo, const hx_spec_facts *facts, const void *shapes,
                          hx_status status, hx_f_handle *handle)
{
    const bool made = status == HX_OK;
    status = made ? place_fields(halo, facts, shapes) : status;
    if (status != HX_OK) {
        if (made) {
            hx_destroy(halo->handle); /* for the same reason on all ranks */
        }
        free_halo(halo);
        return status;
    }
    keep_parts(halo, facts->shape_size, shapes);
    handle->halo = halo;
    return HX_OK;
}

hx_status hx_f_create(const hx_f_spec *spec, const CFI_cdesc_t *given, const void *shapes,
                      const hx_f_wanted *wanted, hx_f_handle *handle)
{
    const hx_f_blocks *some = wanted->blocks;
    char call[HX_F_TEXT];
    snprintf(call, sizeof call, "%s_create%s", spec->name, some ? "_blocks" : "");
    MPI_Comm comm = MPI_COMM_NULL;
    hx_spec_facts facts;
    hx_status status = hx_f_find_comm(call, spec->name, given, &comm);
    if (status != HX_OK || (status = hx_spec_query(spec->tables, &facts)) != HX_OK) {
        return status;
    }
    const bool room = !some || some->partition;
    const bool right = room && check_create(call, some, handle) == HX_OK;
    struct hx_f_halo *halo = right ? make_halo(spec, &facts, some ? some->count : 1) : NULL;
    const hx_blocks blocks = right ? blocks_of(some, shapes, comm) : (hx_blocks){.comm = comm};
    /* Without a place for the handle this fails on all ranks. */
    hx_handle **out = halo ? &halo->handle : NULL;
    const hx_listed listed = {.comm = comm, .list = wanted->list};
    const hx_options options = hx_f_options_in_c(wanted->options);
    status = wanted->list ? hx_create_listed_for(spec->model, spec->tables, &listed, shapes, &options, out)
                          : hx_create_for(spec->model, spec->tables, &blocks, shapes, &options, out);
    if (!halo) {
        return right || !room ? hx_f_no_memory(call) : check_create(call, some, handle);
    }
    halo->all = wanted->list ? 0 : count_blocks(blocks.partition, blocks.tiles);
    if (status == HX_OK) { /* else MPI may not be there */
        MPI_Comm_rank(comm, &halo->rank);
        MPI_Comm_size(comm, &halo->ranks);
    }
    return hand_out(halo, &facts, shapes, status, handle);
}

/* The arguments of NAME_create_blocks without gaps. */
typedef struct dense_blocks {
    hx_f_blocks blocks;
    void *partitions, *shapes, *owner;
} dense_blocks;

static dense_blocks make_dense(const hx_f_several *given)
{
    const CFI_cdesc_t *partition = given->partition, *shape = given->shape, *owners = given->owners;
    dense_blocks d = {.partitions = hx_f_dense(partition),
                      .shapes = hx_f_dense(shape),
                      .owner = owners ? hx_f_dense(owners) : NULL};
    const bool room = d.partitions && d.shapes && (d.owner || !owners);
    d.blocks = (hx_f_blocks){.tiles = (int)partition->dim[0].extent,
                             .partition = room ? d.partitions : NULL,
                             .owners = owners ? (int)owners->dim[0].extent : 0,
                             .owner = d.owner,
                             .count = (int)shape->dim[0].extent};
    return d;
}

static void free_dense(dense_blocks *d)
{
    free(d->partitions);
    free(d->shapes);
    free(d->owner);
}

hx_status hx_f_create_blocks(const hx_f_spec *spec, const CFI_cdesc_t *comm, const hx_f_several *given,
                             hx_f_handle *handle)
{
    if (given->partition->version != CFI_VERSION) {
        return hx_f_other_compiler(spec->name, given->partition->version);
    }
    dense_blocks d = make_dense(given);
    const hx_f_wanted wanted = {.blocks = &d.blocks, .options = given->options};
    const hx_status status = hx_f_create(spec, comm, d.shapes, &wanted, handle);
    free_dense(&d);
    return status;
}

/* ---- from another handle -------------------------------------------------------------------------------- */

/* Its functions for walls call the objects that the other one calls. */
static hx_status take_over_walls(struct hx_f_halo *halo, const struct hx_f_halo *like, const char *call)
{
    hx_status status = HX_OK;
    if (like->holder) {
        status = hx_f_set_boundary(halo, call, hx_f_copy_holder(like->holder));
    }
    if (status == HX_OK && like->holder_on) {
        status = hx_f_set_boundary_on(halo, call, hx_f_copy_holder_on(like->holder_on));
    }
    return status;
}

static hx_status create_like(const struct hx_f_halo *like, const char *call, const dense_blocks *d,
                             hx_f_handle *handle)
{
    hx_spec_facts facts;
    hx_spec_query(like->spec->tables, &facts);
    const bool room = d->blocks.partition;
    const bool right = room && check_create(call, &d->blocks, handle) == HX_OK;
    struct hx_f_halo *halo = right ? make_halo(like->spec, &facts, d->blocks.count) : NULL;
    const hx_blocks blocks = right ? blocks_of(&d->blocks, d->shapes, MPI_COMM_NULL) : (hx_blocks){0};
    /* Without a place for the handle this fails on all ranks. */
    hx_status status = hx_create_like(like->handle, &blocks, d->shapes, halo ? &halo->handle : NULL);
    if (!halo) {
        return right || !room ? hx_f_no_memory(call) : check_create(call, &d->blocks, handle);
    }
    halo->all = count_blocks(blocks.partition, blocks.tiles);
    halo->rank = like->rank;
    halo->ranks = like->ranks;
    status = hand_out(halo, &facts, d->shapes, status, handle);
    return status == HX_OK ? take_over_walls(halo, like, call) : status;
}

hx_status hx_f_create_like(const hx_f_spec *spec, const hx_f_handle *like, const hx_f_several *given,
                           hx_f_handle *handle)
{
    char call[HX_F_TEXT];
    snprintf(call, sizeof call, "%s_create_like", spec->name);
    if (!like->halo) {
        return hx_f_not_created(call);
    }
    if (given->partition->version != CFI_VERSION) {
        return hx_f_other_compiler(spec->name, given->partition->version);
    }
    dense_blocks d = make_dense(given);
    const hx_status status = create_like(like->halo, call, &d, handle);
    free_dense(&d);
    return status;
}

hx_status hx_f_create_wide(const hx_f_spec *spec, const hx_f_handle *narrow, const CFI_cdesc_t *given,
                           const hx_f_options *asked, hx_f_handle *handle)
{
    char call[HX_F_TEXT];
    snprintf(call, sizeof call, "%s_create_wide", spec->name);
    MPI_Comm comm = MPI_COMM_NULL;
    hx_spec_facts facts;
    hx_status status = hx_f_find_comm(call, spec->name, given, &comm);
    if (status != HX_OK || (status = hx_spec_query(spec->tables, &facts)) != HX_OK) {
        return status;
    }
    const struct hx_f_halo *old = narrow->halo;
    const bool right = check_create(call, NULL, handle) == HX_OK;
    struct hx_f_halo *halo = right ? make_halo(spec, &facts, old ? old->blocks : 0) : NULL;
    const hx_options options = hx_f_options_in_c(asked);
    status =
        hx_create_wide(spec->tables, old ? old->handle : NULL, comm, &options, halo ? &halo->handle : NULL);
    if (!halo) {
        return right ? hx_f_no_memory(call) : check_create(call, NULL, handle);
    }
    if (status != HX_OK) {
        free_halo(halo);
        return status;
    }
    if (old) {
        memcpy(halo->part, old->part, (size_t)old->blocks * sizeof *halo->part);
        memcpy(halo->dimensions, old->dimensions,
               (size_t)old->blocks * (size_t)old->fields * sizeof *halo->dimensions);
    }
    MPI_Comm_rank(comm, &halo->rank);
    MPI_Comm_size(comm, &halo->ranks);
    handle->halo = halo;
    return HX_OK;
}

hx_status hx_f_destroy(hx_f_handle *handle)
{
    struct hx_f_halo *halo = handle->halo;
    const hx_status status = halo ? hx_destroy(halo->handle) : HX_OK;
    if (halo && status == HX_OK) {
        hx_f_drop_holder(halo->holder);
        hx_f_drop_holder_on(halo->holder_on);
        free_halo(halo);
        handle->halo = NULL;
    }
    return status;
}

hx_status hx_f_traffic(const struct hx_f_halo *halo, const char *call, int exchange, hx_traffic *traffic)
{
    *traffic = (hx_traffic){0};
    return halo ? hx_traffic_of(halo->handle, exchange - 1, traffic) : hx_f_not_created(call);
}

/* count: how many fit, and then how many there are; 0 asks. */
hx_status hx_f_messages(const struct hx_f_halo *halo, const char *call, int exchange,
                        hx_message_buffer *buffer, int *count)
{
    hx_message_buffer *room = *count > 0 ? buffer : NULL;
    return halo ? hx_message_buffers(halo->handle, exchange - 1, room, count) : hx_f_not_created(call);
}

const char *hx_f_describe(const struct hx_f_halo *halo)
{
    const char *words = halo ? hx_describe(halo->handle) : NULL;
    return words ? words : "";
}

/* "": it failed, and hx_last_error tells why. */
const char *hx_f_describe_json(const struct hx_f_halo *halo, const char *call)
{
    if (!halo) {
        hx_f_not_created(call);
        return "";
    }
    const char *text = hx_describe_json(halo->handle);
    return text ? text : "";
}

/* file: ""; to standard error. */
hx_status hx_f_stats(const struct hx_f_halo *halo, const char *call, const char *file)
{
    return halo ? hx_stats(halo->handle, file) : hx_f_not_created(call);
}
