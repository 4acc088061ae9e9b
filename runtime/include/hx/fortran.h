/*
 * What the glue of Fortran modules has in common.
 *
 * halogen --emit fortran writes NAME_module.f90 and NAME_fortran.c.  The Fortran compiler gives NAME_fortran.c
 * descriptors of arrays (C descriptors of Fortran 2018), and this header says what becomes of them.  The
 * functions are in hx_fortran.c, which lies beside hx_module.f90: your build compiles both with your Fortran
 * compiler and its C compiler, since ISO_Fortran_binding.h is the Fortran compiler's.
 *
 * Applications call the modules, and nothing of this file.
 */
#ifndef HX_FORTRAN_H
#define HX_FORTRAN_H

#include <hx/abi.h>

#include <ISO_Fortran_binding.h>

/* What a handle of Fortran points to: that of C, and what is known of its arrays. */
struct hx_f_halo;

/* type(NAME_halo) */
typedef struct hx_f_handle {
    struct hx_f_halo *halo; /* NULL: not created, or destroyed */
} hx_f_handle;

/* Of each spec. */
typedef struct hx_f_spec {
    const char *name;
    const struct hx_spec *tables;
    const char *model; /* NAME_ASKS_FOR_MODEL */
    int version;       /* CFI_VERSION of NAME_fortran.c */
} hx_f_spec;

/* Of each exchange. */
typedef struct hx_f_exchange {
    const char *name; /* "channel_velocity" */
    int number;
    int fields;
    const int *field; /* in the order of the arguments */
} hx_f_exchange;

/* An array as an argument: its descriptor, or of a field in the memory of a device its address. */
typedef struct hx_f_array {
    const CFI_cdesc_t *host;
    void *device;
} hx_f_array;

/* Which call of an exchange: its name ends as hx_fortran.c says. */
typedef enum hx_f_part { HX_F_WHOLE, HX_F_START, HX_F_FINISH } hx_f_part;

/* The end of every procedure: sets ierr, or stops the program with the sentence where ierr is not present. */
void hx_f_answer(hx_status status, int *ierr);

/* Collective.  comm: a scalar of one of MPI's interfaces. */
hx_status hx_f_create(const hx_f_spec *spec, const CFI_cdesc_t *comm, const void *shape, hx_f_handle *handle);
hx_status hx_f_destroy(const hx_f_spec *spec, hx_f_handle *handle);

/* An exchange of a handle with one block. */
hx_status hx_f_exchange_one(const hx_f_handle *handle, const hx_f_exchange *exchange, hx_f_part part,
                            const hx_f_array *arrays);

/* Collective, for all blocks of a handle; call: for sentences. */
hx_status hx_f_alloc(struct hx_f_halo *halo, const char *call, int blocks);
hx_status hx_f_free(struct hx_f_halo *halo, const char *call, int blocks);

/* A pointer of Fortran to an array of NAME_alloc; of no array: null.  field, block: from 1. */
void hx_f_point(struct hx_f_halo *halo, int field, int block, CFI_cdesc_t *pointer);

/* The other way round, for free: what a pointer points to. */
void hx_f_release(struct hx_f_halo *halo, int field, int block, const CFI_cdesc_t *pointer);

void hx_f_decompose(const CFI_cdesc_t *comm, const hx_partition *request, hx_part *mine, int *ierr);

#endif
