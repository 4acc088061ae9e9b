/*
 * What the glue of Fortran has in common beside hx/fortran.h: for the files of this folder alone.
 */
#ifndef HX_FORTRAN_GLUE_H
#define HX_FORTRAN_GLUE_H

#include <hx/fortran.h>

#include <stdbool.h>
#include <stddef.h>

enum { HX_F_DIMENSIONS = HX_MAX_AXES + 1, HX_F_TEXT = 256, HX_F_SENTENCE = 1024 };

/* ---- of the modules: ends the program with hx_last_error; calls fill of the object that a holder has; lets go
 * of a holder; makes another one for its object ---- */

void hx_f_stop(void);
void hx_f_fill(void *holder, const hx_f_wall *wall);
void hx_f_drop_holder(void *holder);
void *hx_f_copy_holder(void *holder);
void hx_f_fill_on(void *holder, const hx_f_wall *wall, hx_stream stream);
void hx_f_drop_holder_on(void *holder);
void *hx_f_copy_holder_on(void *holder);

/* ---- for the modules ---- */

hx_status hx_f_alloc(struct hx_f_halo *halo, const char *call, int blocks);
hx_status hx_f_free(struct hx_f_halo *halo, const char *call, int blocks);
hx_status hx_f_test(const struct hx_f_halo *halo, const char *call, int exchange, int *done);
/* As hx_module has it: a step of a cycle, from 0; a block and a field, from 1. */
typedef struct hx_f_step {
    int cycle, step, block, field;
} hx_f_step;
/* Likewise: points lo to hi, the last, from 1. */
typedef struct hx_f_box {
    int lo[HX_MAX_AXES], hi[HX_MAX_AXES];
} hx_f_box;
hx_status hx_f_cycle_restart(struct hx_f_halo *halo, const char *call, int cycle);
hx_status hx_f_cycle_points(const struct hx_f_halo *halo, const char *call, const hx_f_step *step,
                            hx_f_box *points);
/* As hx_module has it: an exchange, a block and a field, from 1; rim: 0, the interior; 1, the rim. */
typedef struct hx_f_work {
    int exchange, rim, block, field;
} hx_f_work;
/* boxes: HX_MAX_BOXES. */
hx_status hx_f_work_boxes(const struct hx_f_halo *halo, const char *call, const hx_f_work *work,
                          hx_f_box *boxes, int *count);
hx_status hx_f_traffic(const struct hx_f_halo *halo, const char *call, int exchange, hx_traffic *traffic);
hx_status hx_f_set_boundary(struct hx_f_halo *halo, const char *call, void *holder);
hx_status hx_f_set_boundary_on(struct hx_f_halo *halo, const char *call, void *holder);
void *hx_f_wall_address(const hx_f_wall *wall);
hx_status hx_f_messages(const struct hx_f_halo *halo, const char *call, int exchange,
                        hx_message_buffer *buffer, int *count);
const char *hx_f_describe(const struct hx_f_halo *halo);
const char *hx_f_describe_json(const struct hx_f_halo *halo, const char *call);
/* As hx_module has it: points by ids, and which of them a rank owns. */
typedef struct hx_f_ids {
    int points, owners; /* how many of either were given */
    const int64_t *id;
    const unsigned char *owns;
} hx_f_ids;
/* Likewise. */
typedef struct hx_f_redistribution {
    int blocks[2]; /* structs that were given for source and target */
    int halos;
    int by_ids; /* 1: of lists of points */
    hx_stream stream;
    hx_f_ids ids[2]; /* then: of source and target */
} hx_f_redistribution;
hx_status hx_f_redistribute(struct hx_f_halo *from, struct hx_f_halo *to, const hx_f_redistribution *how,
                            const char *call);
hx_status hx_f_memory_type(struct hx_f_halo *halo, const char *call, int blocks, int field, int pass,
                           MPI_Fint *type);
hx_status hx_f_file_type(const struct hx_f_halo *halo, const char *call, int field, int pass, MPI_Fint *type);
hx_status hx_f_stats(const struct hx_f_halo *halo, const char *call, const char *file);
void *hx_f_address(struct hx_f_halo *halo, int field, int block);
void hx_f_release_address(struct hx_f_halo *halo, int field, int block, void *array);
void hx_f_decompose(const CFI_cdesc_t *given, const hx_partition *request, hx_part *mine, int *ierr);
void hx_f_decompose_as(int rank, int ranks, const hx_partition *request, hx_part *mine, int *ierr);
void hx_f_part_of(const hx_partition *partition, int tile, int block, hx_part *part, int *ierr);
void hx_f_partition_from_cart(const CFI_cdesc_t *cart, const CFI_cdesc_t *n, hx_part *mine, int *ierr);
hx_status hx_f_set_option(hx_f_options *options, const char *name, const char *word);
hx_status hx_f_list_begin(int peers, hx_f_index_list *list);
hx_status hx_f_list_add(hx_f_index_list *list, int rank, int sends, const int *send, int receives,
                        const int *receive);
void hx_f_index_list_of_ids(const CFI_cdesc_t *given, const CFI_cdesc_t *id, const CFI_cdesc_t *owns,
                            hx_f_index_list *list, int *ierr);
void hx_f_index_list_free(hx_f_index_list *list);

/* ---- handles ---- */

/* What a dimension of an array has to be. */
typedef struct hx_f_dimension {
    CFI_index_t extent; /* at least */
    CFI_index_t step;   /* bytes from an element to the next */
    CFI_index_t lower;  /* the index of the first element */
    int axis;           /* of the grid; -1: components */
} hx_f_dimension;

/* What the array of a field of a block has to be. */
typedef struct hx_f_dimensions {
    int rank;
    size_t bytes; /* of an element */
    hx_f_dimension dim[HX_F_DIMENSIONS];
} hx_f_dimensions;

struct hx_f_halo {
    const hx_f_spec *spec;
    hx_handle *handle;
    int rank, ranks; /* in the communicator of create */
    int blocks, fields, exchanges, cycles;
    long all;                    /* blocks of the grid; 0: it is a list, or the handle is a wide one */
    hx_part *part;               /* of each block: n alone, since cuts may be freed behind create */
    hx_f_dimensions *dimensions; /* of each field of each block */
    void **arrays;               /* likewise: what start is given */
    /* Of each exchange and cycle that was started: the arrays of its fields, block after block. */
    void ***given;
    void *holder;    /* of the object that fills walls; NULL: there is none */
    void *holder_on; /* the same for fields in the memory of a device */
    void *walled;    /* the array of the wall that it fills */
    bool *started;   /* and not finished */
    hx_status unfit; /* of the first array that hx_f_release has taken, and that does not fit its field */
};

/* ---- hx_fortran_base.c ---- */

hx_status hx_f_refuse(hx_status status, const char *format, ...);
hx_status hx_f_no_memory(const char *call);
hx_status hx_f_not_created(const char *call);
/* Puts the rank before the last sentence, where there are several: for what one rank finds. */
hx_status hx_f_say_rank(const struct hx_f_halo *halo, hx_status status);
hx_status hx_f_refuse_blocks(const struct hx_f_halo *halo, const char *call, int blocks);

/* Another compiler's descriptors have the version at the same place, and other things elsewhere.  glue: the
 * spec's name, or "hx". */
hx_status hx_f_other_compiler(const char *glue, int version);

/* Puts `now` where the last sentence has `was`. */
hx_status hx_f_say_instead(hx_status status, const char *was, const char *now);

/* MPI has handles as integers, or as a struct with one: this finds the integer.  name: of the argument; type: of
 * its struct. */
hx_status hx_f_find_number(const char *call, const char *name, const char *type, const CFI_cdesc_t *given,
                           MPI_Fint *number);
hx_status hx_f_find_comm(const char *call, const char *glue, const CFI_cdesc_t *given, MPI_Comm *comm);

/* Of an array without gaps; refused where it has some. */
hx_status hx_f_bytes_of(const char *call, const char *name, const CFI_cdesc_t *array, size_t *bytes);

size_t hx_f_elements(const CFI_cdesc_t *array);

/* An array of any steps, without gaps; hx_f_dense: in memory of its own, or NULL. */
void hx_f_gather(const CFI_cdesc_t *from, void *to);
void *hx_f_dense(const CFI_cdesc_t *from);

/* Points a pointer of Fortran at memory without gaps.  lower: of each of its dimensions; NULL: 1. */
hx_status hx_f_aim(const char *call, void *memory, const CFI_index_t extent[], CFI_cdesc_t *pointer,
                   const CFI_cdesc_t *lower);

/* ---- hx_fortran_options.c ---- */

/* The words are those of `given`, which may be NULL. */
hx_options hx_f_options_in_c(const hx_f_options *given);

/* ---- hx_fortran_arrays.c ---- */

/* Where in a program something went wrong. */
typedef struct hx_f_asked {
    const struct hx_f_halo *halo;
    const char *call;
    int field, block;
    bool pointer; /* of a struct f(:), so that it has bounds of its own */
} hx_f_asked;

/* "u", or "f(2)%u" */
void hx_f_name_array(const hx_f_asked *q, char name[HX_F_TEXT]);

/* "(channel.lua:3)": where the spec has a field. */
void hx_f_name_line(const hx_f_spec *spec, int number, char line[HX_F_TEXT]);

/* Of a field of one block: dimensions from the fastest to the slowest.  Steps come later. */
hx_f_dimensions hx_f_dimensions_of(const hx_field_facts *field, const hx_part *part, int axes);

/* May this array serve a field?  hx_f_fits answers fast, hx_f_check_array with a sentence. */
bool hx_f_fits(const hx_f_dimensions *p, const CFI_cdesc_t *array);
hx_status hx_f_check_array(const hx_f_asked *q, const CFI_cdesc_t *array);

/* What libhx is told of it, by axes. */
hx_strided_array hx_f_by_axes(const hx_f_dimensions *p, const CFI_cdesc_t *array);

/* Sets a pointer of Fortran, with the bounds of the halo. */
void hx_f_set_pointer(const hx_f_dimensions *p, void *array, CFI_cdesc_t *pointer);

#endif
