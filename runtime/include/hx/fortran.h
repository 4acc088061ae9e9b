/*
 * What the glue of Fortran modules has in common.
 *
 * halogen --emit fortran writes NAME_module.f90 and NAME_fortran.c.  The Fortran compiler gives NAME_fortran.c
 * descriptors of arrays (C descriptors of Fortran 2018), and this header says what becomes of them.  The
 * functions are in the files hx_fortran_....c beside hx_module.f90: your build compiles all with your Fortran
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

/* Of each exchange, and of each cycle, which is called as its exchange is. */
typedef struct hx_f_exchange {
    const char *name; /* "channel_velocity" */
    int number;       /* among the exchanges, or among the cycles */
    int on_device;    /* 1: it carries fields there, and goes by streams */
    int fields;
    const int *field; /* in the order of the arguments */
    int cycle;        /* 1: it is a cycle */
} hx_f_exchange;

/* An array as an argument: its descriptor; of a field in the memory of a device, or of a pointer that Fortran
 * has no kind for, its address. */
typedef struct hx_f_array {
    const CFI_cdesc_t *host;
    void *address;
} hx_f_array;

/* What is done of an exchange; hx_module.f90 has the same numbers. */
typedef enum hx_f_part {
    HX_F_WHOLE,
    HX_F_START,
    HX_F_FINISH,
    HX_F_PACK,
    HX_F_SEND,
    HX_F_RECEIVE,
    HX_F_UNPACK,
    HX_F_CORNERS,
    HX_F_AUDIT
} hx_f_part;

typedef struct hx_f_how {
    hx_f_part part;
    int fill;         /* of corners: number, from 0 ... */
    const char *axis; /* ... and axis */
    hx_stream stream;
} hx_f_how;

/* The end of every procedure: sets ierr, or stops the program with the sentence where ierr is not present. */
void hx_f_answer(hx_status status, int *ierr);

enum { HX_F_WORD = 32, HX_F_PATH = 1024 };

/* type(hx_pool) */
typedef struct hx_f_pool {
    struct hx_pool *pool; /* NULL: not created, or destroyed */
} hx_f_pool;

/* type(hx_options): hx_options with words that end within it; an empty word stands for that of HX_OPTIONS_INIT. */
typedef struct hx_f_options {
    double deadline;
    int check, timing, log_level, deadline_exit, share_buffers, tune, keep_errhandler, cycles, threads;
    char transport[HX_F_WORD], schedule[HX_F_WORD], device_messages[HX_F_WORD];
    char tune_file[HX_F_PATH];
    hx_f_pool pool;
} hx_f_options;

/* Which blocks create is to make: of one tile, one a rank, where `partition` is NULL. */
typedef struct hx_f_blocks {
    int tiles;
    const hx_partition *partition; /* NULL: there was no memory for it, and create fails on all ranks */
    int owners;
    const int *owner; /* NULL: one block a rank */
    int count;        /* of this rank */
} hx_f_blocks;

/* What create makes, beside the shapes; each may be NULL. */
typedef struct hx_f_wanted {
    const hx_f_blocks *blocks; /* NULL: one a rank */
    const hx_index_list *list; /* of grids without axes */
    const hx_f_options *options;
} hx_f_wanted;

/* The arguments of NAME_create_blocks; owners, options: NULL where they are not present. */
typedef struct hx_f_several {
    const CFI_cdesc_t *partition, *shape, *owners;
    const hx_f_options *options;
} hx_f_several;

/* Collective.  comm: a scalar of one of MPI's interfaces; shapes: of the blocks. */
hx_status hx_f_create(const hx_f_spec *spec, const CFI_cdesc_t *comm, const void *shapes,
                      const hx_f_wanted *wanted, hx_f_handle *handle);
hx_status hx_f_create_blocks(const hx_f_spec *spec, const CFI_cdesc_t *comm, const hx_f_several *given,
                             hx_f_handle *handle);
hx_status hx_f_destroy(hx_f_handle *handle);

/* Collective: NAME_create_like, with blocks of other owners, and NAME_create_wide, for more ranks. */
hx_status hx_f_create_like(const hx_f_spec *spec, const hx_f_handle *like, const hx_f_several *given,
                           hx_f_handle *handle);
hx_status hx_f_create_wide(const hx_f_spec *spec, const hx_f_handle *narrow, const CFI_cdesc_t *comm,
                           const hx_f_options *options, hx_f_handle *handle);

/* Collective: NAME_rebalance.  call: for sentences. */
hx_status hx_f_rebalance(const hx_f_handle *handle, const char *call, const CFI_cdesc_t *work,
                         const CFI_cdesc_t *owners, int *moved);

/* type(hx_index_list) */
typedef struct hx_f_index_list {
    struct hx_f_list *list; /* NULL: of no points */
} hx_f_index_list;

const hx_index_list *hx_f_list_in_c(const hx_f_index_list *list);

/* type(hx_window) */
typedef struct hx_f_window {
    hx_window *window; /* NULL: not created, or freed */
} hx_f_window;

/* Collective: NAME_register and NAME_unregister.  call: for sentences. */
hx_status hx_f_register(const hx_f_handle *handle, const char *call, const hx_f_window *window);
hx_status hx_f_unregister(const hx_f_handle *handle, const char *call, const hx_f_window *window);

/* The shape of a block from its arrays, one for each field; NULL: there is none. */
hx_status hx_f_shape_of(const hx_f_spec *spec, const hx_part *part, const CFI_cdesc_t *const arrays[],
                        void *shape);

/* An exchange of a handle with one block, or a part of one. */
hx_status hx_f_exchange_one(const hx_f_handle *handle, const hx_f_exchange *exchange, const hx_f_how *how,
                            const hx_f_array *arrays);

/* The same for any number of blocks: check, then take for each block, from 1, and go. */
hx_status hx_f_check(const struct hx_f_halo *halo, const hx_f_exchange *exchange, const hx_f_how *how,
                     int blocks);
hx_status hx_f_take(struct hx_f_halo *halo, const hx_f_exchange *exchange, const hx_f_how *how, int block,
                    const hx_f_array *arrays);
hx_status hx_f_go(struct hx_f_halo *halo, const hx_f_exchange *exchange, const hx_f_how *how);

/* A pointer of Fortran to an array of NAME_alloc; of no array: null.  field, block: from 1. */
void hx_f_point(struct hx_f_halo *halo, int field, int block, CFI_cdesc_t *pointer);

/* The other way round, for calls that take all arrays of a block: what a pointer points to. */
void hx_f_release(struct hx_f_halo *halo, int field, int block, const CFI_cdesc_t *pointer);

/* A gather or a scatter. */
typedef struct hx_f_whole {
    const char *call;
    int scatters;
    int field; /* from 0; -1: the array has the type of another one */
    int root;
} hx_f_whole;

/* Collective; arrays of the blocks are those that were released.  whole: looked at on the root alone. */
hx_status hx_f_move_whole(struct hx_f_halo *halo, const hx_f_whole *how, int blocks,
                          const CFI_cdesc_t *whole);

/* A gather or a scatter of some points, numbers from 1; along each axis as many as the array has there. */
typedef struct hx_f_selection {
    int scatters, blocks;
    int field; /* 0: the array has the type of another one */
    int tile;
    int first[HX_MAX_AXES];
    int step[HX_MAX_AXES];
} hx_f_selection;

/* Collective, likewise.  array: without elements: this rank selects nothing. */
hx_status hx_f_move_selected(struct hx_f_halo *halo, const char *call, const hx_f_selection *how,
                             const CFI_cdesc_t *array);

/* A wall as Fortran sees it: hx_wall with numbers that count from 1. */
typedef struct hx_f_wall {
    int exchange, field, block, axis;
    int side; /* 1: low, 2: high */
    int lo[HX_MAX_AXES];
    int hi[HX_MAX_AXES]; /* the last */
    struct hx_f_halo *halo;
} hx_f_wall;

/* A pointer to the array that a wall is about; call: for sentences. */
hx_status hx_f_wall_array(const hx_f_wall *wall, const char *call, int field, CFI_cdesc_t *pointer);

#endif
