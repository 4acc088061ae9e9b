#include "create/tune_key.h"

#include "base/hash.h"
#include "base/text.h"
#include "create/tune_file.h"
#include "exchange/handle.h"

/* Partition, owners, and blocks and strides of this rank. */
static uint64_t fingerprint(const hx_handle *h)
{
    uint64_t print = hxi_hash(hxi_layout_hash(&h->layout), (int64_t)h->layout.owners.hash);
    for (int b = 0; b < h->mine.blocks; ++b) {
        const hxi_block *block = &h->mine.block[b];
        print = hxi_hash(hxi_hash(print, block->tile), block->number);
        for (int f = 0; f < h->spec->fields; ++f) {
            print = hxi_hash(print, block->apart[f]);
            for (int a = 0; a < h->spec->axes; ++a) {
                print = hxi_hash(print, block->stride[f * HX_MAX_AXES + a]);
            }
        }
    }
    return print;
}

void hxi_tune_key(const hx_handle *h, int exchange, char *key, size_t size)
{
    const hxi_tile *tile = &h->layout.tile[0];
    char cells[HX_PRODUCT];
    char parts[HX_PRODUCT];
    char name[HX_TUNE_KEY];
    hxi_topology_name(&h->topology, name, sizeof name);
    hxi_text text = {key, size, 0};
    hxi_text_add(&text, "%s_%s %016llx, ", h->spec->name, h->spec->exchange[exchange].name,
                 (unsigned long long)h->spec->hash);
    if (h->spec->list) {
        hxi_text_add(&text, "lists of points");
    } else {
        hxi_text_add(&text, "%s cells in %s parts", hxi_product(h->spec->axes, tile->cells, cells),
                     hxi_product(h->spec->axes, tile->parts, parts));
    }
    hxi_text_add(&text, " (%016llx), ", (unsigned long long)fingerprint(h));
    hxi_text_add(&text, "%s, transport %s, schedule %s, check %d, share_buffers %d", name,
                 h->why.any_transport ? "auto" : h->options.transport, h->options.schedule, h->options.check,
                 h->options.share_buffers);
}
