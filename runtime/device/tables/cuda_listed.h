/*
 * What launches of device kernels do where points are those of lists: tables of their own in place of moves
 * and sums (cuda_listed.c, cuda_listed_sums.c).  Entries share what is said of a list, whatever the field.
 */
#ifndef HX_CUDA_LISTED_H
#define HX_CUDA_LISTED_H

#include <hx/cuda.h>

/* One of the tables that hx_cuda_listed_arguments points to, while it grows, and then. */
typedef struct hxi_cuda_table {
    void *entry;
    size_t count;
    size_t room;
    size_t size; /* of an entry; 0: there is none so far */
} hxi_cuda_table;

typedef enum hxi_listed_table {
    HX_LISTED_ENTRY,
    HX_LISTED_GROUP,
    HX_LISTED_SHIFT,
    HX_LISTED_FIRST_ADDEND,
    HX_LISTED_ADDEND,
    HX_LISTED_SOURCE,
    HX_LISTED_TABLES
} hxi_listed_table;

typedef struct hxi_cuda_index_list_of {
    hxi_cuda_table table[HX_LISTED_TABLES];
    hxi_cuda_table known; /* lists that have groups: while tables are made */
} hxi_cuda_index_list_of;

void hxi_cuda_listed_free(hxi_cuda_index_list_of *list);

#endif
