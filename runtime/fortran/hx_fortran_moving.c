/*
 * Fields to the blocks of another handle, to arrays of whole tiles and back; datatypes of files.
 */
#include "hx_fortran_glue.h"

#include <hx/files.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Are there structs f for all blocks, and do their arrays fit?  hx_f_release has looked at these. */
static hx_status look(struct hx_f_halo *halo, const char *call, int blocks)
{
    if (!halo) {
        return hx_f_not_created(call);
    }
    const hx_status unfit = halo->unfit;
    halo->unfit = HX_OK;
    if (blocks != halo->blocks) {
        return hx_f_refuse_blocks(halo, call, blocks);
    }
    return unfit == HX_OK ? HX_OK : hx_f_say_rank(halo, unfit);
}

/* Ids of one end for libhx, which fail on all ranks where they are no good. */
static hx_status take_ids(const hx_f_ids *given, const char *call, const char *whose, hx_ids *ids)
{
    *ids = (hx_ids){.points = given->points, .id = given->id, .owns = given->owns};
    return given->points == given->owners
               ? HX_OK
               : hx_f_refuse(
                     HX_ERR_ARGUMENT,
                     "%s: id of the %s has %d elements, owns has %d; give one of each for every point", call,
                     whose, given->points, given->owners);
}

hx_status hx_f_redistribute(struct hx_f_halo *from, struct hx_f_halo *to, const hx_f_redistribution *how,
                            const char *call)
{
    hx_status status = look(from, call, how->blocks[0]);
    if (status == HX_OK) {
        status = look(to, call, how->blocks[1]);
    } else if (to) {
        to->unfit = HX_OK; /* of this call: the next one looks at its own arrays */
    }
    if (status == HX_OK && from == to) {
        status = hx_f_refuse(HX_ERR_ARGUMENT, "%s: source and target are one handle", call);
    }
    hx_ids ids[2] = {{0}, {0}};
    if (status == HX_OK && how->by_ids) {
        status = take_ids(&how->ids[0], call, "source", &ids[0]);
        status = status == HX_OK ? take_ids(&how->ids[1], call, "target", &ids[1]) : status;
    }
    if (status == HX_OK) {
        const hx_redistribution with = {.halos = how->halos,
                                        .stream = how->stream,
                                        .source_ids = how->by_ids ? &ids[0] : NULL,
                                        .target_ids = how->by_ids ? &ids[1] : NULL};
        return hx_redistribute_with(from->handle, from->arrays, to->handle, to->arrays, &with);
    }
    /* The other ranks wait for this one, so the call goes to libhx without a source, and fails on all. */
    char sentence[HX_F_SENTENCE];
    snprintf(sentence, sizeof sentence, "%s", hx_last_error());
    if (to) {
        hx_redistribute(NULL, NULL, to->handle, NULL);
    }
    return hx_f_refuse(status, "%s", sentence);
}

/* ---- whole tiles ---------------------------------------------------------------------------------------- */

/* The array of the root as libhx has it; its last dimension is the tile where the grid has several. */
static hx_status describe_tiles(const struct hx_f_halo *halo, int number, const CFI_cdesc_t *whole,
                                hx_strided_array *tile)
{
    hx_spec_facts facts;
    hx_field_facts field;
    hx_spec_query(halo->spec->tables, &facts);
    const hx_status status = hx_field_query(halo->spec->tables, number, &field);
    if (status != HX_OK) {
        return status;
    }
    field.behind = 0; /* a whole array has no ghost points */
    const hx_part none = {.n = {0}};
    const hx_f_dimensions place = hx_f_dimensions_of(&field, &none, facts.axes);
    const bool several = facts.tiles > 1;
    if (whole->rank != place.rank + several || whole->elem_len != place.bytes ||
        (several && whole->dim[place.rank].extent < facts.tiles)) {
        return hx_f_refuse(
            HX_ERR_ARGUMENT,
            "%s: the array for field %s has rank %d and elements of %zu bytes; it needs rank %d, "
            "%zu bytes, and one entry of the last dimension for each of %d tiles",
            halo->spec->name, field.name, whole->rank, whole->elem_len, place.rank + several, place.bytes,
            facts.tiles);
    }
    for (int t = 0; t < facts.tiles; ++t) {
        tile[t] = hx_f_by_axes(&place, whole);
        tile[t].base = (char *)whole->base_addr + (several ? t * whole->dim[place.rank].sm : 0);
    }
    return HX_OK;
}

static hx_status move(struct hx_f_halo *halo, const hx_f_whole *how, const CFI_cdesc_t *whole)
{
    hx_spec_facts facts;
    hx_status status = hx_spec_query(halo->spec->tables, &facts);
    hx_strided_array *tile = NULL;
    if (status == HX_OK && how->root == halo->rank) {
        tile = calloc((size_t)facts.tiles, sizeof *tile);
        status = tile ? describe_tiles(halo, how->field, whole, tile) : hx_f_no_memory(how->call);
    }
    char sentence[HX_F_SENTENCE];
    snprintf(sentence, sizeof sentence, "%s", hx_last_error());
    const hx_strided_array *given = status == HX_OK ? tile : NULL;
    const hx_status moved =
        (how->scatters ? hx_scatter : hx_gather)(halo->handle, halo->arrays, how->field, how->root, given);
    free(tile);
    return status == HX_OK ? moved : hx_f_refuse(status, "%s", sentence);
}

hx_status hx_f_move_whole(struct hx_f_halo *halo, const hx_f_whole *how, int blocks, const CFI_cdesc_t *whole)
{
    hx_status status = look(halo, how->call, blocks);
    if (status == HX_OK && how->field < 0) {
        status = hx_f_refuse(HX_ERR_ARGUMENT, "%s: the field is of another type or rank than the array",
                             how->call);
    }
    if (!halo || status == HX_OK) {
        return halo ? move(halo, how, whole) : status;
    }
    char sentence[HX_F_SENTENCE];
    snprintf(sentence, sizeof sentence, "%s", hx_last_error());
    (how->scatters ? hx_scatter : hx_gather)(halo->handle, NULL, how->field, how->root, NULL);
    return hx_f_refuse(status, "%s", sentence);
}

/* ---- selections ----------------------------------------------------------------------------------------- */

static hx_status describe_selection(const struct hx_f_halo *halo, const hx_f_selection *how,
                                    const CFI_cdesc_t *array, hx_selection *selection)
{
    hx_spec_facts facts;
    hx_field_facts field;
    hx_spec_query(halo->spec->tables, &facts);
    const hx_status status = hx_field_query(halo->spec->tables, how->field - 1, &field);
    if (status != HX_OK) {
        return status;
    }
    field.behind = 0;
    const hx_part none = {.n = {0}};
    const hx_f_dimensions place = hx_f_dimensions_of(&field, &none, facts.axes);
    if (array->rank != place.rank || array->elem_len != place.bytes) {
        return hx_f_refuse(
            HX_ERR_ARGUMENT,
            "%s: the array for points of field %s has rank %d and elements of %zu bytes; it needs rank "
            "%d and %zu bytes",
            halo->spec->name, field.name, array->rank, array->elem_len, place.rank, place.bytes);
    }
    *selection =
        (hx_selection){.field = how->field - 1, .tile = how->tile - 1, .array = hx_f_by_axes(&place, array)};
    for (int a = 0; a < facts.axes; ++a) {
        selection->n[a] = (int)selection->array.extent[a];
        selection->first[a] = how->first[a] - 1;
        selection->step[a] = how->step[a];
    }
    return HX_OK;
}

hx_status hx_f_move_selected(struct hx_f_halo *halo, const char *call, const hx_f_selection *how,
                             const CFI_cdesc_t *array)
{
    hx_selection selection;
    hx_status status = look(halo, call, how->blocks);
    if (!halo) {
        return status;
    }
    bool any = true;
    for (int d = 0; d < array->rank; ++d) {
        any = any && array->dim[d].extent > 0;
    }
    if (status == HX_OK && any && how->field < 1) {
        status =
            hx_f_refuse(HX_ERR_ARGUMENT, "%s: the field is of another type or rank than the array", call);
    }
    status = status == HX_OK && any ? describe_selection(halo, how, array, &selection) : status;
    hx_status (*const selected)(hx_handle *, const void *, const hx_selection *, int) =
        how->scatters ? hx_scatter_selected : hx_gather_selected;
    if (status == HX_OK) {
        return selected(halo->handle, halo->arrays, &selection, any);
    }
    /* The other ranks wait for this one: without a selection the call fails on all. */
    char sentence[HX_F_SENTENCE];
    snprintf(sentence, sizeof sentence, "%s", hx_last_error());
    selected(halo->handle, NULL, NULL, 1);
    return hx_f_refuse(status, "%s", sentence);
}

/* ---- blocks that move ---------------------------------------------------------------------------------- */

static hx_status check_rebalance(const struct hx_f_halo *halo, const char *call, const CFI_cdesc_t *work,
                                 const CFI_cdesc_t *owners)
{
    const bool of_blocks = work->dim[0].extent == halo->blocks && owners->dim[0].extent == halo->all;
    return halo->all > 0 && of_blocks
               ? HX_OK
               : hx_f_refuse(
                     HX_ERR_ARGUMENT,
                     "%s: work has %td elements for the %d blocks of this rank, owners %td for %ld of %s",
                     call, work->dim[0].extent, halo->blocks, owners->dim[0].extent, halo->all,
                     halo->all > 0 ? "the grid"
                                   : "a list or a wide handle; call the handle that it was made of");
}

/* Without gaps for libhx, and back. */
static hx_status rebalance(const struct hx_f_halo *halo, const char *call, const CFI_cdesc_t *work,
                           const CFI_cdesc_t *owners, int *moved)
{
    double *seconds = hx_f_dense(work);
    int *owner = hx_f_dense(owners);
    const bool room = seconds && owner;
    const hx_status status = hx_rebalance(halo->handle, seconds, room ? owner : NULL, moved);
    for (CFI_index_t b = 0; b < owners->dim[0].extent && status == HX_OK; ++b) {
        *(int *)(void *)((char *)owners->base_addr + b * owners->dim[0].sm) = owner[b];
    }
    free(seconds);
    free(owner);
    return room ? status : hx_f_no_memory(call);
}

hx_status hx_f_rebalance(const hx_f_handle *handle, const char *call, const CFI_cdesc_t *work,
                         const CFI_cdesc_t *owners, int *moved)
{
    const struct hx_f_halo *halo = handle->halo;
    if (!halo) {
        return hx_f_not_created(call);
    }
    if (work->version != CFI_VERSION) {
        return hx_f_other_compiler(halo->spec->name, work->version);
    }
    if (check_rebalance(halo, call, work, owners) == HX_OK) {
        return rebalance(halo, call, work, owners, moved);
    }
    hx_rebalance(halo->handle, NULL, NULL, NULL); /* the other ranks wait for this one: it fails on all */
    return check_rebalance(halo, call, work, owners);
}

/* ---- files ---------------------------------------------------------------------------------------------- */

hx_status hx_f_memory_type(struct hx_f_halo *halo, const char *call, int blocks, int field, int pass,
                           MPI_Fint *type)
{
    MPI_Datatype made = MPI_DATATYPE_NULL;
    hx_status status = look(halo, call, blocks);
    status =
        status == HX_OK ? hx_memory_type(halo->handle, field - 1, pass - 1, halo->arrays, &made) : status;
    *type = MPI_Type_c2f(made);
    return status;
}

hx_status hx_f_file_type(const struct hx_f_halo *halo, const char *call, int field, int pass, MPI_Fint *type)
{
    MPI_Datatype made = MPI_DATATYPE_NULL;
    const hx_status status =
        halo ? hx_file_type(halo->handle, field - 1, pass - 1, &made) : hx_f_not_created(call);
    *type = MPI_Type_c2f(made);
    return status;
}
