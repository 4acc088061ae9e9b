#include "device/device_tables.h"

#include <string.h>

static const char purpose[] = "the tables of an exchange";

enum { LINE = 64 }; /* where a table begins */

typedef struct placing {
    unsigned char *memory; /* of the device; NULL: only counted */
    unsigned char *image;  /* what is to be there */
    size_t bytes;          /* so far */
} placing;

static const void *place(placing *p, const void *table, size_t entries, size_t size)
{
    const size_t bytes = entries * size;
    unsigned char *at = p->memory ? p->memory + p->bytes : NULL;
    p->bytes += (bytes + LINE - 1) / LINE * LINE;
    if (at && bytes > 0) {
        memcpy(p->image + (at - p->memory), table, bytes);
    }
    return at;
}

static void place_all(placing *p, const hxi_device_entry entry[], int entries)
{
    for (int i = 0; i < entries; ++i) {
        const hxi_cuda_list *list = entry[i].list;
        if (list->blocks > 0) {
            entry[i].tables->turn = place(p, list->turn, list->blocks, sizeof *list->turn);
            entry[i].tables->move = place(p, list->move, (size_t)list->moves, sizeof *list->move);
            entry[i].tables->sum = place(p, list->sum, (size_t)list->sums, sizeof *list->sum);
            entry[i].tables->term = place(p, list->term, (size_t)list->terms, sizeof *list->term);
            for (int t = 0; t < HX_LISTED_TABLES; ++t) {
                const hxi_cuda_table *table = &list->listed.table[t];
                entry[i].tables->listed[t] = place(p, table->entry, table->count, table->size);
            }
        }
    }
}

/* In one copy; the library of the device has read the image when that returns, since it is not pinned. */
static hx_status copy_image(const hxi_device_context *device, const placing *p)
{
    const int error = device->calls->copy(p->memory, p->image, p->bytes, device->stream);
    return error == 0 ? hxi_device_settle(device, purpose)
                      : hxi_device_fail(device->calls, error, "Copying %zu bytes of tables to device %d",
                                        p->bytes, device->number);
}

hx_status hxi_device_place_tables(const hxi_device_context *device, const hxi_device_entry entry[],
                                  int entries, void **memory)
{
    placing count = {0};
    place_all(&count, entry, entries);
    if (count.bytes == 0) {
        return HX_OK;
    }
    placing p = {.image = hxi_memory_get(count.bytes, 1, purpose)};
    hx_status status = p.image ? hxi_device_get(device, count.bytes, purpose, memory) : HX_ERR_MEMORY;
    if (status == HX_OK) {
        p.memory = *memory;
        place_all(&p, entry, entries);
        status = copy_image(device, &p);
    }
    hxi_memory_free(p.image);
    return status;
}
