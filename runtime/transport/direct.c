#include "transport/direct.h"

#include "base/status.h"
#include "transport/transport.h"

#include <string.h>

/* Bytes.  Messages whose runs are shorter on average are packed.  Tests set a smaller one. */
#ifndef HX_DIRECT_SHORTEST
#define HX_DIRECT_SHORTEST 64
#endif

/*
 * Bytes.  Shorter messages are packed, too: before it writes into arrays a rank asks whether its peer has
 * come so far, and where its arrays are now, which takes longer than a second copy.
 */
#ifndef HX_DIRECT_SMALLEST
#define HX_DIRECT_SMALLEST 1024
#endif

/* ---- which --------------------------------------------------------------------------------------------- */

/*
 * Runs along the fastest axis of the destination.  A plane behind the owned points has rows without gaps, so
 * it is one run, whatever axis it lies across.
 */
static size_t count_runs(const hx_spec *spec, const hxi_segment *segment)
{
    const hx_field *field = &spec->field[segment->link.field];
    size_t runs = (size_t)hxi_segment_parts(spec, segment);
    for (int a = 0; a < spec->axes && !field->behind; ++a) {
        runs *= a == field->order[0] ? 1 : (size_t)(segment->link.hi[a] - segment->link.lo[a]);
    }
    return runs;
}

static bool same_message(const hxi_segment *a, const hxi_segment *b)
{
    return a->kind == b->kind && a->transport == b->transport && a->link.peer == b->link.peer && !a->alone &&
           !b->alone;
}

/*
 * May points of a list go straight into an array?  They may where they are one run there, which the receiver
 * knows; its board tells the sender (hxi_entry).
 */
static bool is_gathered(const hx_spec *spec, const hxi_block_list *mine, const hxi_segment *segment)
{
    const hx_link *l = &segment->link;
    if (spec->exchange[l->exchange].field[segment->item].wire != HX_WIRE_NOT) {
        return false; /* what packs them rounds them, and leaves them short */
    }
    if (segment->kind == HX_SENT) {
        return true;
    }
    int n[HX_MAX_AXES];
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        n[a] = l->hi[a] - l->lo[a];
    }
    const hx_region to =
        hxi_block_region(spec, &mine->block[segment->to], l->field, 0, &(hxi_subbox){l->lo, n, NULL, NULL});
    return segment->to_runs->runs == 1 && hxi_block_is_run(spec, l->field, &to);
}

/* What a message is, as far as that decides how it goes. */
typedef struct traits {
    size_t bytes;
    size_t runs;   /* of boxes */
    bool gathered; /* of lists: all its segments are */
} traits;

static hxi_delivery choose_delivery(const hx_spec *spec, const traits *t, const hxi_transport *transport)
{
    const bool in_node = (transport->flags & HX_TRANSPORT_NODE) != 0;
    if (!in_node || t->bytes < HX_DIRECT_SMALLEST) {
        return HX_BUFFERED;
    }
    const bool long_runs = spec->list ? t->gathered : t->bytes >= t->runs * HX_DIRECT_SHORTEST;
    return long_runs ? HX_PUSHED : HX_BUFFERED;
}

void hxi_direct_mark(const hx_spec *spec, const hxi_block_list *mine, const hxi_transport *const transport[],
                     hxi_segments *segments)
{
    int end = 0;
    for (int first = 0; first < segments->count; first = end) {
        hxi_segment *s = &segments->segment[first];
        traits t = {.gathered = true};
        if (s->kind == HX_WITHIN) {
            break; /* these come last */
        }
        for (end = first; end < segments->count && same_message(s, &segments->segment[end]); ++end) {
            t.bytes += segments->segment[end].bytes;
            t.runs += count_runs(spec, &segments->segment[end]);
            t.gathered = t.gathered && spec->list && is_gathered(spec, mine, &segments->segment[end]);
        }
        end += end == first; /* one that travels alone */
        const hxi_delivery delivery = choose_delivery(spec, &t, transport[s->transport]);
        for (int i = first; i < end; ++i) {
            segments->segment[i].delivery = delivery;
        }
    }
}

/* ---- making -------------------------------------------------------------------------------------------- */

hx_status hxi_direct_make(const hxi_work *work, const hxi_board *board, const hxi_sets *sets,
                          hxi_direct *direct)
{
    hxi_joined joined;
    *direct = (hxi_direct){0};
    hx_status status = hxi_partners_join(work, board, sets, false, &direct->partners, &joined);
    status = status == HX_OK ? hxi_ops_make(&joined.work, &direct->ops) : status;
    hxi_joined_free(&joined);
    return status;
}

void hxi_direct_free(hxi_direct *direct)
{
    hxi_ops_free(&direct->ops);
    hxi_partners_free(&direct->partners);
}
