/*
 * Tables of lists in the memory of a device.
 */
#ifndef HX_DEVICE_TABLES_H
#define HX_DEVICE_TABLES_H

#include "device/device.h"
#include "device/tables/cuda_list.h"

/* A list, and where its tables are once they are placed. */
typedef struct hx_device_entry {
    const hx_cuda_list *list;
    hx_cuda_tables *tables;
} hx_device_entry;

/*
 * Copies the tables of those lists that need it there, one behind the other, and waits for that.  *memory:
 * what they all lie in, from hx_device_get; NULL: no list needs it.
 */
hx_status hx_device_place_tables(const hx_device_home *home, const hx_device_entry entry[], int entries,
                                 void **memory);

#endif
