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
        *ierr = status;
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

hx_status hx_f_refuse_blocks(const struct hx_f_halo *halo, const char *call, int blocks)
{
    return hx_f_refuse(HX_ERR_ARGUMENT, "%s: f has %d element%s, the handle has %d block%s on rank %d", call,
                       blocks, blocks == 1 ? "" : "s", halo->blocks, halo->blocks == 1 ? "" : "s",
                       halo->rank);
}

hx_status hx_f_find_comm(const char *call, const char *glue, const CFI_cdesc_t *given, MPI_Comm *comm)
{
    if (given->version != CFI_VERSION) {
        return hx_f_other_compiler(glue, given->version);
    }
    const bool kind =
        given->type == CFI_type_int || given->type == CFI_type_int32_t || given->type == CFI_type_struct;
    if (given->rank != 0 || given->elem_len != sizeof(MPI_Fint) || !kind) {
        const bool wide = given->rank == 0 && given->elem_len == 2 * sizeof(MPI_Fint);
        return hx_f_refuse(
            HX_ERR_ARGUMENT,
            "%s: comm must be an integer of MPI's kind or a type(MPI_Comm); this has %zu bytes%s%s", call,
            given->elem_len, given->rank > 0 ? " and is an array" : "",
            wide ? "; is -fdefault-integer-8 set?" : "");
    }
    *comm = MPI_Comm_f2c(*(const MPI_Fint *)given->base_addr);
    return HX_OK;
}

void hx_f_gather(const CFI_cdesc_t *from, void *to)
{
    for (CFI_index_t i = 0; i < from->dim[0].extent; ++i) {
        memcpy((char *)to + (size_t)i * from->elem_len, (const char *)from->base_addr + i * from->dim[0].sm,
               from->elem_len);
    }
}

void *hx_f_dense(const CFI_cdesc_t *from)
{
    void *to = calloc((size_t)from->dim[0].extent + 1, from->elem_len);
    if (to) {
        hx_f_gather(from, to);
    }
    return to;
}
