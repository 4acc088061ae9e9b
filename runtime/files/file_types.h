/*
 * Making datatypes of MPI of boxes that lie in one order in a file, and in another place each in memory.
 */
#ifndef HX_FILE_TYPES_H
#define HX_FILE_TYPES_H

#include <hx/files.h>

#include <stdbool.h>

/* A box of elements.  first and n: along axes of the file, from the slowest; at and stride: bytes, in memory or
 * in the file. */
typedef struct hxi_typed_box {
    ptrdiff_t first[HX_FILE_AXES];
    ptrdiff_t n[HX_FILE_AXES];
    MPI_Aint at;
    MPI_Aint stride[HX_FILE_AXES];
} hxi_typed_box;

typedef struct hxi_type_maker {
    const char *field; /* name, for sentences */
    int axes;
    MPI_Datatype element;
    bool made; /* element: not MPI's own */
} hxi_type_maker;

/* type: as in C.  Close it where opening succeeded. */
hx_status hxi_type_maker_open(const char *field, const char *type, size_t bytes, hxi_type_maker *maker);
void hxi_type_maker_close(hxi_type_maker *maker);

/* A type of what one box has along an axis and those behind it, from address 0 on. */
hx_status hxi_type_of_box(const hxi_type_maker *maker, const hxi_typed_box *box, int axis,
                          MPI_Datatype *type);

/* A type of boxes, whose points come in the order of the file. */
hx_status hxi_type_of_boxes(const hxi_type_maker *maker, const hxi_typed_box *box, int count,
                            MPI_Datatype *type);

/* So many of a type, a step apart; takes it. */
hx_status hxi_type_repeat(const hxi_type_maker *maker, ptrdiff_t n, MPI_Aint step, MPI_Datatype *type);

/* MPI's word on a call; frees the type where that failed. */
hx_status hxi_type_made(const hxi_type_maker *maker, int code, MPI_Datatype *type);

#endif
