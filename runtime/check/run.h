/*
 * What a check program works on: the spec, the grid that it tries, and the blocks of this rank.
 */
#ifndef HX_CHECK_RUN_H
#define HX_CHECK_RUN_H

#include "check/values.h"

#include <hx/cuda.h>

/* A block of this rank, and where its fields are filled and compared. */
typedef struct check_block {
    void *shape;
    const hx_part *part; /* the begin of the shape */
    void **array;        /* by field: of the host, also for fields on a device */
    void **before; /* by field: what the array holds before exchanges, but those that send back or agree */
    void **beyond; /* by field on a device: what is written beyond walls; NULL: nothing is */
} check_block;

/* The points of this rank, of a list: owned ones and those of its halo, in no order. */
typedef struct check_mesh {
    int all; /* points of all ranks */
    int points;
    int64_t *id;
    unsigned char *owned;
} check_mesh;

typedef struct check_device {
    const hx_device *calls; /* NULL: no field lies there */
    hx_stream stream;
    hx_device_event *event;
} check_device;

typedef struct check_run {
    const hx_check_program *program;
    const hx_spec *spec;
    check_type *type;  /* by field */
    hx_handle *handle; /* there is one at a time */
    int rank;
    int ranks;
    hx_partition *grid; /* by tile */
    hx_part *land;      /* blocks without an owner */
    int lands;
    check_block *block;
    int blocks;
    check_mesh mesh;
    check_device device;
    int failures;
} check_run;

/* Ends the program unless the status is HX_OK. */
void hxi_check_must(hx_status status);

/* Zeroed memory, also of no bytes; ends the program where there is none. */
void *hxi_check_allocate(size_t count, size_t size);

/* Bytes of a field's array. */
size_t hxi_check_bytes(const check_run *r, const check_block *b, int field);

/* Counts a wrong value, and tells the first one of an attempt; point: NULL for what lies between points. */
void hxi_check_report(check_run *r, const hx_exchange *exchange, int field, const int point[], int component);

#endif
