#include "create/tune_key.h"

#include "base/hash.h"
#include "base/text.h"
#include "create/tune_file.h"
#include "exchange/handle.h"

/* Partition, owners, and blocks and strides of this rank. */
static uint64_t fingerprint(const hx_handle *h)
{
    uint64_t print = hx_hash(hx_layout_hash(&h->layout), (int64_t)hx_layout_owners_hash(&h->layout));
    for (int b = 0; b < h->mine.blocks; ++b) {
        const hx_block *block = &h->mine.block[b];
        print = hx_hash(hx_hash(print, block->tile), block->number);
        for (int f = 0; f < h->spec->fields; ++f) {
            print = hx_hash(print, block->apart[f]);
            for (int a = 0; a < h->spec->axes; ++a) {
                print = hx_hash(print, block->stride[f * HX_MAX_AXES + a]);
            }
        }
    }
    return print;
}

void hx_tune_key(const hx_handle *h, int exchange, char *key, size_t size)
{
    const hx_tile *tile = &h->layout.tile[0];
    char cells[HX_PRODUCT];
    char parts[HX_PRODUCT];
    char name[HX_TUNE_KEY];
    hx_topology_name(&h->topology, name, sizeof name);
    hx_text text = {key, size, 0};
    hx_text_add(&text, "%s_%s %016llx, ", h->spec->name, h->spec->exchange[exchange].name,
                (unsigned long long)h->spec->hash);
    if (h->spec->list) {
        hx_text_add(&text, "lists of points");
    } else {
        hx_text_add(&text, "%s cells in %s parts", hx_product(h->spec->axes, tile->cells, cells),
                    hx_product(h->spec->axes, tile->parts, parts));
    }
    hx_text_add(&text, " (%016llx), ", (unsigned long long)fingerprint(h));
    hx_text_add(&text, "%s, transport %s, schedule %s, check %d, share_buffers %d", name,
                h->why.any_transport ? "auto" : h->options.transport, h->options.schedule, h->options.check,
                h->options.share_buffers);
}
