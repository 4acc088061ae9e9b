#include "exchange/alike.h"
#include "base/status.h"
#include "base/text.h"

static void describe_grid(const hx_handle *h, const hx_blocks *blocks, hxi_text *text)
{
    char cells[HX_PRODUCT];
    char parts[HX_PRODUCT];
    if (h->spec->list) {
        hxi_text_add(text, "lists of points");
        for (int a = 1; a < h->spec->axes; ++a) {
            hxi_text_add(text, " with %d along %s", h->mine.block[0].cells[a], h->spec->axis[a]);
        }
        return;
    }
    const hx_partition *first = &blocks->partition[0];
    hxi_text_add(text, "partition of %s cells into %s parts (fingerprint %016llx)",
                 hxi_product(h->spec->axes, first->cells, cells),
                 hxi_product(h->spec->axes, first->ranks, parts),
                 (unsigned long long)hxi_layout_hash(&h->layout));
}

static hxi_identity describe_identity(const hx_handle *h, const hx_blocks *blocks)
{
    hxi_identity id = {0};
    hxi_text text = {id.trait[0], HX_TRAIT, 0};
    hxi_text_add(&text, "spec %s, model %016llx", h->spec->name, (unsigned long long)h->spec->hash);
    text = (hxi_text){id.trait[1], HX_TRAIT, 0};
    describe_grid(h, blocks, &text);
    text = (hxi_text){id.trait[2], HX_TRAIT, 0};
    hxi_text_add(&text, "option transport \"%s\"", h->why.any_transport ? "auto" : h->options.transport);
    text = (hxi_text){id.trait[3], HX_TRAIT, 0};
    hxi_text_add(&text, "option check %d", h->options.check);
    text = (hxi_text){id.trait[4], HX_TRAIT, 0};
    hxi_text_add(&text, "option schedule \"%s\"", h->options.schedule);
    text = (hxi_text){id.trait[5], HX_TRAIT, 0};
    hxi_text_add(&text, "option share_buffers %d%s", h->options.share_buffers,
                 !h->options.share_buffers ? ""
                 : h->options.pool         ? ", among the handles of a pool"
                                           : ", within a handle");
    text = (hxi_text){id.trait[6], HX_TRAIT, 0};
    hxi_text_add(&text, "options tune %d and cycles %d", h->options.tune, h->options.cycles);
    text = (hxi_text){id.trait[7], HX_TRAIT, 0};
    if (blocks->owners) {
        hxi_text_add(&text, "table hx_blocks.owners (fingerprint %016llx)",
                     (unsigned long long)h->layout.owners.hash);
    } else {
        hxi_text_add(&text, "no table hx_blocks.owners");
        if (h->layout.land > 0) {
            hxi_text_add(&text, ", %d block%s without an owner", h->layout.land, hxi_s(h->layout.land));
        }
    }
    text = (hxi_text){id.trait[8], HX_TRAIT, 0};
    hxi_text_add(&text, "option device_messages \"%s\"", h->options.device_messages);
    return id;
}

hx_status hxi_alike_compare(hx_handle *h, const hx_blocks *blocks, hx_status status, int64_t *given)
{
    const hxi_identity id = status == HX_OK ? describe_identity(h, blocks) : (hxi_identity){0};
    hxi_likeness likeness = {.hash = hxi_identity_hash(&id), .told = h->asked, .count = h->mine.blocks};
    status = hxi_topology_agree_alike(blocks->comm, status, &likeness);
    h->asked = likeness.told;
    *given = likeness.count;
    return status != HX_OK || likeness.alike
               ? status
               : hxi_topology_agree(blocks->comm, hxi_topology_compare(blocks->comm, &id));
}

hx_status hxi_alike_compare_like(hx_handle *h, const hx_blocks *blocks)
{
    const hxi_identity id = describe_identity(h, blocks);
    const int owned = hxi_layout_owned(&h->layout, h->topology.rank);
    h->asked = h->like->asked;
    hxi_first first = {0};
    hxi_first_note(&first, hxi_topology_compare(blocks->comm, &id));
    if (first.status == HX_OK && h->mine.blocks != owned) {
        return hxi_fail(
            HX_ERR_PARTITION,
            "This rank gave the shapes of %d block%s; it owns %d.  Each rank gives the shapes of all "
            "blocks it owns.",
            h->mine.blocks, hxi_s(h->mine.blocks), owned);
    }
    return hxi_first_tell(&first);
}
