/*
 * Tables of lists in the memory of a device.
 */
#ifndef HX_DEVICE_TABLES_H
#define HX_DEVICE_TABLES_H

#include "device/device.h"
#include "device/tables/cuda_list.h"

/* A list, and where its tables are once they are placed. */
typedef struct hxi_device_entry {
    const hxi_cuda_list *list;
    hxi_cuda_tables *tables;
} hxi_device_entry;

/*
 * Copies the tables of those lists that need it there, one behind the other, and waits for that.  *memory:
 * what they all lie in, from hxi_device_get; NULL: no list needs it.
 */
hx_status hxi_device_place_tables(const hxi_device_context *device, const hxi_device_entry entry[],
                                  int entries, void **memory);

#endif
