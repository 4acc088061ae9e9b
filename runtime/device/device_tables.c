#include "device/device_tables.h"

static const char purpose[] = "the tables of an exchange";

enum { LINE = 64 }; /* where a table begins */

typedef struct placing {
    const hxi_device_context *home;
    unsigned char *memory; /* NULL: only counted */
    size_t bytes;          /* so far */
    int error;             /* of the copies */
} placing;

static const void *place(placing *p, const void *table, size_t entries, size_t size)
{
    const size_t bytes = entries * size;
    unsigned char *at = p->memory ? p->memory + p->bytes : NULL;
    p->bytes += (bytes + LINE - 1) / LINE * LINE;
    if (at && bytes > 0 && p->error == 0) {
        p->error = p->home->calls->copy(at, table, bytes, p->home->stream);
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

hx_status hxi_device_place_tables(const hxi_device_context *home, const hxi_device_entry entry[], int entries,
                                  void **memory)
{
    placing count = {.home = home};
    place_all(&count, entry, entries);
    if (count.bytes == 0) {
        return HX_OK;
    }
    const hx_status status = hxi_device_get(home, count.bytes, purpose, memory);
    if (status != HX_OK) {
        return status;
    }
    placing p = {.home = home, .memory = *memory};
    place_all(&p, entry, entries);
    if (p.error != 0) {
        return hxi_device_fail(home->calls, p.error, "Copying %zu bytes of tables to device %d", p.bytes,
                               home->number);
    }
    return hxi_device_settle(home, purpose);
}
