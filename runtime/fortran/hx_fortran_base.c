/*
 * What all glue needs: the end of every procedure, sentences, communicators, and dense copies.
 */
#include "hx_fortran_glue.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hx_f_answer(hx_status status, int *ierr)
{
    if (ierr) {
        *ierr = (int)status;
    } else if (status != HX_OK) {
        hx_f_stop();
    }
}

hx_status hx_f_refuse(hx_status status, const char *format, ...)
{
    char sentence[HX_F_SENTENCE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return hx_refuse(status, sentence);
}

hx_status hx_f_no_memory(const char *call)
{
    return hx_f_refuse(HX_ERR_MEMORY, "%s: no memory is left", call);
}

hx_status hx_f_other_compiler(const char *glue, int version)
{
    return hx_f_refuse(
        HX_ERR_ARGUMENT,
        "%s_fortran%s.c was compiled with an ISO_Fortran_binding.h of version %d, the program with %d; add the "
        "-I of your Fortran compiler",
        glue, strcmp(glue, "hx") == 0 ? "_*" : "", CFI_VERSION, version);
}

hx_status hx_f_not_created(const char *call)
{
    return hx_f_refuse(HX_ERR_STATE, "%s: halo was not created, or was destroyed", call);
}

hx_status hx_f_say_rank(const struct hx_f_halo *halo, hx_status status)
{
    return halo->ranks == 1
               ? status
               : hx_f_refuse(status, "Rank %d of %d: %s", halo->rank, halo->ranks, hx_last_error());
}

hx_status hx_f_refuse_blocks(const struct hx_f_halo *halo, const char *call, int blocks)
{
    return hx_f_refuse(HX_ERR_ARGUMENT, "%s: f has %d element%s, the handle has %d block%s on rank %d", call,
                       blocks, blocks == 1 ? "" : "s", halo->blocks, halo->blocks == 1 ? "" : "s",
                       halo->rank);
}

hx_status hx_f_say_instead(hx_status status, const char *was, const char *now)
{
    const char *said = hx_last_error(), *at = strstr(said, was);
    return at ? hx_f_refuse(status, "%.*s%s%s", (int)(at - said), said, now, at + strlen(was)) : status;
}

/* ---- handles of MPI ---- */

hx_status hx_f_find_number(const char *call, const char *name, const char *type, const CFI_cdesc_t *given,
                           MPI_Fint *number)
{
    const bool kind =
        given->type == CFI_type_int || given->type == CFI_type_int32_t || given->type == CFI_type_struct;
    if (given->rank != 0 || given->elem_len != sizeof(MPI_Fint) || !kind) {
        const bool wide = given->rank == 0 && given->elem_len == 2 * sizeof(MPI_Fint);
        return hx_f_refuse(HX_ERR_ARGUMENT,
                           "%s: %s must be an integer of MPI's kind or a type(%s); this has %zu bytes%s%s",
                           call, name, type, given->elem_len, given->rank > 0 ? " and is an array" : "",
                           wide ? "; is -fdefault-integer-8 set?" : "");
    }
    *number = *(const MPI_Fint *)given->base_addr;
    return HX_OK;
}

hx_status hx_f_find_comm(const char *call, const char *glue, const CFI_cdesc_t *given, MPI_Comm *comm)
{
    if (given->version != CFI_VERSION) {
        return hx_f_other_compiler(glue, given->version);
    }
    MPI_Fint number = 0;
    const hx_status status = hx_f_find_number(call, "comm", "MPI_Comm", given, &number);
    int begun = 0, ended = 0;
    MPI_Initialized(&begun);
    MPI_Finalized(&ended);
    /* Without MPI the number cannot be looked at, and libhx has a sentence for that. */
    *comm = status == HX_OK && begun && !ended ? MPI_Comm_f2c(number) : MPI_COMM_NULL;
    return status;
}

/* ---- arrays as memory ---- */

hx_status hx_f_bytes_of(const char *call, const char *name, const CFI_cdesc_t *array, size_t *bytes)
{
    const bool open_ended = array->rank > 0 && array->dim[array->rank - 1].extent < 0;
    if (array->base_addr && !open_ended && (array->rank == 0 || CFI_is_contiguous(array))) {
        *bytes = hx_f_elements(array) * array->elem_len;
        return HX_OK;
    }
    const char *why = open_ended         ? "is of assumed size; give its extent, as in a(:n)"
                      : array->base_addr ? "has gaps; give an array without"
                                         : "is not allocated or associated";
    return hx_f_refuse(HX_ERR_ARGUMENT, "%s: %s %s", call, name, why);
}

size_t hx_f_elements(const CFI_cdesc_t *array)
{
    size_t elements = 1;
    for (int d = 0; d < array->rank; ++d) {
        elements *= (size_t)array->dim[d].extent;
    }
    return elements;
}

void hx_f_gather(const CFI_cdesc_t *from, void *to)
{
    CFI_index_t at[CFI_MAX_RANK] = {0};
    const size_t elements = hx_f_elements(from);
    for (size_t i = 0; i < elements; ++i) {
        const char *element = from->base_addr;
        for (int d = 0; d < from->rank; ++d) {
            element += at[d] * from->dim[d].sm;
        }
        memcpy((char *)to + i * from->elem_len, element, from->elem_len);
        for (int d = 0; d < from->rank && ++at[d] == from->dim[d].extent; ++d) {
            at[d] = 0;
        }
    }
}

void *hx_f_dense(const CFI_cdesc_t *from)
{
    void *to = calloc(hx_f_elements(from) + 1, from->elem_len);
    if (to) {
        hx_f_gather(from, to);
    }
    return to;
}

hx_status hx_f_aim(const char *call, void *memory, const CFI_index_t extent[], CFI_cdesc_t *pointer,
                   const CFI_cdesc_t *lower)
{
    const CFI_rank_t rank = pointer->rank;
    if (lower && lower->dim[0].extent != rank) {
        return hx_f_refuse(HX_ERR_ARGUMENT, "%s: lower has %td element%s, the pointer has rank %d", call,
                           lower->dim[0].extent, lower->dim[0].extent == 1 ? "" : "s", (int)rank);
    }
    CFI_CDESC_T(CFI_MAX_RANK) target;
    CFI_index_t first[CFI_MAX_RANK];
    for (int d = 0; d < rank; ++d) {
        first[d] = lower ? *(const int *)((const char *)lower->base_addr + d * lower->dim[0].sm) : 1;
    }
    CFI_cdesc_t *all = (CFI_cdesc_t *)&target;
    CFI_establish(all, memory, CFI_attribute_pointer, pointer->type, pointer->elem_len, rank, extent);
    CFI_setpointer(pointer, all, first);
    return HX_OK;
}
