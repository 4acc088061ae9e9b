#include "direct.h"

#include "status.h"
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

/* Runs along the fastest axis of the destination. */
static size_t count_runs(const hx_spec *spec, const hx_segment *segment)
{
    const int fastest = spec->field[segment->link.field].order[0];
    size_t runs = (size_t)hx_segment_parts(spec, segment);
    for (int a = 0; a < spec->axes; ++a) {
        runs *= a == fastest ? 1 : (size_t)(segment->link.hi[a] - segment->link.lo[a]);
    }
    return runs;
}

static bool same_message(const hx_segment *a, const hx_segment *b)
{
    return a->kind == b->kind && a->way == b->way && a->link.peer == b->link.peer && !a->alone && !b->alone;
}

/*
 * How a transport moves long runs.  By dimension it is always the sender: what a peer has got of the phase
 * before lies ready in its cache, and no walk covers several phases.
 */
static hx_passage passage_of(const hx_transport *transport, bool one_phase)
{
    if ((transport->flags & HX_TRANSPORT_NODE) == 0) {
        return HX_BUFFERED;
    }
    return one_phase && (transport->flags & HX_TRANSPORT_PULLS) != 0 ? HX_PULLED : HX_PUSHED;
}

void hx_direct_mark(const hx_spec *spec, const hx_transport *const transport[], bool one_phase,
                    hx_segments *segments)
{
    int end = 0;
    for (int first = 0; first < segments->count; first = end) {
        hx_segment *s = &segments->segment[first];
        size_t bytes = 0;
        size_t runs = 0;
        for (end = first; end < segments->count && same_message(s, &segments->segment[end]); ++end) {
            bytes += segments->segment[end].bytes;
            runs += count_runs(spec, &segments->segment[end]);
        }
        end += end == first; /* one that travels alone */
        const bool is_long = !spec->list && s->kind != HX_WITHIN && bytes >= runs * HX_DIRECT_SHORTEST &&
                             bytes >= HX_DIRECT_SMALLEST;
        const hx_passage passage = is_long ? passage_of(transport[s->way], one_phase) : HX_BUFFERED;
        for (int i = first; i < end; ++i) {
            segments->segment[i].passage = passage;
        }
    }
}

/* ---- making -------------------------------------------------------------------------------------------- */

hx_status hx_direct_make(const hx_work *work, const hx_board *board, const hx_sets *sets, hx_direct *direct)
{
    hx_joined joined;
    *direct = (hx_direct){0};
    hx_status status = hx_partners_join(work, board, sets, false, &direct->partners, &joined);
    status = status == HX_OK ? hx_ops_make(&joined.work, &direct->ops) : status;
    hx_joined_free(&joined);
    return status;
}

void hx_direct_free(hx_direct *direct)
{
    hx_ops_free(&direct->ops);
    hx_partners_free(&direct->partners);
}

/* ---- running ------------------------------------------------------------------------------------------- */

bool hx_direct_ready(const hx_direct *direct, uint64_t start)
{
    return hx_partners_have_started(&direct->partners, 0, start);
}

bool hx_direct_push(hx_direct *direct, void *const *base)
{
    hx_partners *p = &direct->partners;
    if (!hx_partners_reach(p, 0)) {
        return false;
    }
    memcpy(p->base, base, (size_t)p->own * sizeof *base);
    hx_ops_copy(direct->ops.copy, direct->ops.copies, p->base);
    p->partner->runs++;
    return true;
}

hx_status hx_direct_pull(hx_direct *direct, void *const *base, const bool offered[])
{
    hx_partners *p = &direct->partners;
    for (int i = 0; i < p->count; ++i) {
        if (!offered[i]) {
            hx_partners_leave_out(p, i);
            continue;
        }
        p->partner[i].runs++;
        if (!hx_partners_reach(p, i)) {
            return hx_fail(HX_ERR_INTERNAL, "Rank %d offers arrays that its node does not share.",
                           p->partner[i].peer);
        }
    }
    memcpy(p->base, base, (size_t)p->own * sizeof *base);
    hx_sweeps_run(&direct->ops.sweeps, p->base);
    for (int i = 0; i < direct->ops.copies; ++i) {
        const hx_copy_op *op = &direct->ops.copy[i];
        if (p->base[op->from_slot]) {
            hx_ops_copy(op, 1, p->base);
        }
    }
    return HX_OK;
}
