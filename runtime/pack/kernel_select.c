/*
 * Choosing the kernels that move the segments of an exchange.
 */
#include "base/memory.h"
#include "base/status.h"
#include "pack/loop_order.h"
#include "pack/ops.h"

#include <stdlib.h>
#include <string.h>

enum { KEY = 16, SIDES = KEY - 1 };

/*
 * A segment, or of a field whose components lie apart one component of a segment, on its way to an operation;
 * or two that one pair kernel moves.
 */
typedef struct draft {
    int group; /* number of the message, or SHARED */
    /*
     * Array, then place from the slowest axis in memory to the fastest: operations in this order walk through
     * memory in one direction.  Two segments that a pair can serve differ in the last entry only, the side of
     * the halo.
     */
    int key[KEY];
    int number;    /* of the segment */
    int component; /* of those that lie apart */
    int part[2];   /* its number among those that travel: in the segment, and in that of the high side */
    const hxi_segment *segment;
    const hxi_segment *high; /* of a pair: the segment of the high side */
    bool turned;
} draft;

enum { SHARED = -1 };

static const char purpose[] = "the operations of an exchange";

typedef struct chooser {
    const hxi_work *work;
    hxi_ops *ops;
    draft *draft;
    draft **order; /* those of one kind, in the order in which they are to run */
    int drafts;
    const hxi_kept_ops *kept; /* copies of another plan are taken over; NULL: none are */
} chooser;

static const hx_kernels *kernels_of(const chooser *c, const hxi_segment *segment)
{
    return c->work->exchange->field[segment->item].kernels;
}

static const int *order_of(const chooser *c, const hxi_segment *segment)
{
    return c->work->spec->field[segment->link.field].order;
}

/* Some of the components that lie side by side: plain kernels move all of them. */
static bool is_picked(const chooser *c, const hxi_segment *segment)
{
    return segment->picks && c->work->spec->field[segment->link.field].components_after == 0;
}

/* Appends one number to a key. */
static void add_key(draft *d, int *length, int value)
{
    d->key[(*length)++] = value;
}

static void set_key(const chooser *c, draft *d)
{
    const hxi_segment *s = d->segment;
    const int *order = order_of(c, s);
    const int place = c->work->spec->field[s->link.field].components_after;
    int source_first[HX_MAX_AXES]; /* by axes of the destination */
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        source_first[s->link.axis[a]] = s->link.source_first[a];
    }
    int length = 0;
    add_key(d, &length, hxi_work_end_slot(c->work, s, s->to < 0 ? HX_FROM : HX_TO));
    for (int i = c->work->spec->axes - 1; i >= 0; --i) {
        if (place == i + 1) {
            add_key(d, &length, d->component);
        }
        if (i == 0) {
            break; /* the fastest axis: its side comes last */
        }
        const int axis = order[i];
        add_key(d, &length, s->to < 0 ? source_first[axis] : s->link.lo[axis]);
        add_key(d, &length, s->link.hi[axis] - s->link.lo[axis]);
        add_key(d, &length, s->to >= 0 && s->from >= 0 ? source_first[axis] : 0);
    }
    add_key(d, &length, s->to >= 0 && s->from >= 0 ? hxi_work_end_slot(c->work, s, HX_FROM) : 0);
    add_key(d, &length, s->item);
    const int side = s->link.direction[order[0]];
    d->key[SIDES] = side < 0 ? 0 : side > 0 ? 1 : 2;
}

/* Are points along the fastest axis apart in memory?  Kernels for rows cannot have that. */
static bool has_gaps(const chooser *c, const hxi_segment *segment, const hx_region *region)
{
    const int fast = order_of(c, segment)[0];
    return region->n[fast] > 1 && region->stride[fast] != 1;
}

/* The points of a draft at an end that is here. */
static hx_region points_at(const chooser *c, const draft *d, hxi_end end)
{
    return hxi_work_end(c->work, d->segment, end, d->component);
}

/* Is there an end that has gaps? */
static bool is_apart(const chooser *c, const draft *d)
{
    const hx_region to = d->segment->to >= 0 ? points_at(c, d, HX_TO) : (hx_region){0};
    const hx_region from = d->segment->from >= 0 ? points_at(c, d, HX_FROM) : (hx_region){0};
    return has_gaps(c, d->segment, &to) || has_gaps(c, d->segment, &from);
}

static void make_draft(const chooser *c, draft *d, int number, int part)
{
    const hxi_segment *s = &c->work->segments->segment[number];
    const int component = hxi_segment_component(c->work->spec, s, part);
    *d = (draft){.number = number, .component = component, .part = {part}, .segment = s};
    d->turned = (s->from >= 0 && hxi_link_turns(&s->link)) || (c->work->any_strides && is_apart(c, d));
    d->group = s->kind == HX_WITHIN ? 0 : c->work->message_of[number];
    set_key(c, d);
}

/* Without regard to messages, so that the two sides of a pair come together. */
static int compare_places(const void *left, const void *right)
{
    const draft *a = *(draft *const *)left;
    const draft *b = *(draft *const *)right;
    for (int i = 0; i < KEY; ++i) {
        if (a->key[i] != b->key[i]) {
            return a->key[i] < b->key[i] ? -1 : 1;
        }
    }
    return (a->number > b->number) - (a->number < b->number);
}

static int compare_drafts(const void *left, const void *right)
{
    const draft *a = *(draft *const *)left;
    const draft *b = *(draft *const *)right;
    return a->group != b->group ? (a->group > b->group) - (a->group < b->group) : compare_places(left, right);
}

/* A pair kernel walks both sides with one set of strides: two neighbors may lie turned to each other. */
static bool lie_alike(const chooser *c, const draft *low, const draft *high)
{
    bool alike = true;
    for (hxi_end end = HX_TO; end <= HX_FROM; ++end) {
        if ((end == HX_TO ? low->segment->to : low->segment->from) >= 0) {
            const hx_region a = points_at(c, low, end);
            const hx_region b = points_at(c, high, end);
            alike = alike && memcmp(a.stride, b.stride, sizeof a.stride) == 0;
        }
    }
    return alike;
}

/* Planes behind the owned points are faster in runs of their own. */
static bool are_runs(const chooser *c, const draft *low, const draft *high)
{
    const int field = low->segment->link.field;
    if (!c->work->spec->field[field].behind || low->segment->from >= 0) {
        return false;
    }
    const hx_region a = points_at(c, low, HX_TO);
    const hx_region b = points_at(c, high, HX_TO);
    return hxi_block_is_run(c->work->spec, field, &a) && hxi_block_is_run(c->work->spec, field, &b);
}

static bool make_pair(const chooser *c, const draft *low, const draft *high)
{
    const hx_pair *pair = kernels_of(c, low->segment)->pair;
    const int fast = order_of(c, low->segment)[0];
    /* What may go from array to array is not packed together with what may not. */
    const bool apart = (low->segment->delivery != HX_BUFFERED || high->segment->delivery != HX_BUFFERED) &&
                       low->group != high->group;
    return pair && !apart && !low->segment->alone && !high->segment->alone && !is_picked(c, low->segment) &&
           !low->turned && !high->turned && low->key[SIDES] == 0 && high->key[SIDES] == 1 &&
           memcmp(low->key, high->key, SIDES * sizeof low->key[0]) == 0 &&
           low->segment->link.hi[fast] - low->segment->link.lo[fast] == pair->lo &&
           high->segment->link.hi[fast] - high->segment->link.lo[fast] == pair->hi &&
           !are_runs(c, low, high) && lie_alike(c, low, high);
}

/* Does the other plan have operations for it? */
static bool is_kept(const chooser *c, const hxi_segment *s)
{
    return s->kept && s->kind == HX_WITHIN && c->kept->alike[s->to] && c->kept->alike[s->from];
}

/*
 * All segments of one kind, joined to pairs where kernels for that exist, in the order in which they are to
 * run.
 */
static void draft_kind(chooser *c, hxi_segment_kind kind)
{
    int drafted = 0;
    for (int i = 0; i < c->work->segments->count; ++i) {
        const hxi_segment *s = &c->work->segments->segment[i];
        const bool moved = s->in_place || c->ops->sweeps.swept[i] || (c->kept && is_kept(c, s));
        const int parts = s->kind == kind && !moved ? hxi_segment_parts(c->work->spec, s) : 0;
        for (int part = 0; part < parts; ++part) {
            c->order[drafted] = &c->draft[drafted];
            make_draft(c, &c->draft[drafted++], i, part);
        }
    }
    qsort(c->order, (size_t)drafted, sizeof *c->order, compare_places);
    c->drafts = 0;
    for (int i = 0; i < drafted; ++i) {
        draft *d = c->order[c->drafts++] = c->order[i];
        if (i + 1 < drafted && make_pair(c, d, c->order[i + 1])) {
            const draft *high = c->order[++i];
            d->high = high->segment;
            d->part[1] = high->part[0];
            d->group = d->group == high->group ? d->group : SHARED;
        }
    }
    if (kind != HX_WITHIN) { /* what stays within the rank is one group */
        qsort(c->order, (size_t)c->drafts, sizeof *c->order, compare_drafts);
    }
}

/* Joins the fastest axis with those that follow it in memory, as far as rows lie one behind the other. */
static void join_rows(const int order[], int axes, hx_region *region, hx_region *other)
{
    const int fast = order[0];
    for (int i = 1; i < axes; ++i) {
        const int next = order[i];
        const ptrdiff_t n = region->n[next];
        if (n == 1) {
            continue;
        }
        if (region->stride[next] != region->n[fast] || (other && other->stride[next] != region->n[fast])) {
            return;
        }
        region->n[fast] *= n;
        region->n[next] = 1;
        if (other) {
            other->n[fast] = region->n[fast];
            other->n[next] = 1;
        }
    }
}

/*
 * Whether a region gets a kernel for its depth (that one is returned), or the general kernel (NULL; the rows
 * are joined as far as possible).
 */
static const hx_strip *choose_strip(const chooser *c, const hxi_segment *segment, hx_region *region,
                                    hx_region *other, hxi_op_counts *counts)
{
    const int *order = order_of(c, segment);
    const hx_kernels *kernels = kernels_of(c, segment);
    const ptrdiff_t depth = region->n[order[0]];
    join_rows(order, c->work->spec->axes, region, other);
    for (int i = 0; i < kernels->strips && region->n[order[0]] == depth; ++i) {
        if (kernels->strip[i].points == depth) {
            counts->strips++;
            return &kernels->strip[i];
        }
    }
    counts->general++;
    return NULL;
}

/* Keeps a region for as long as the operations live. */
static hx_region *keep_region(hxi_ops *ops, const hx_region *region)
{
    ops->region[ops->regions] = *region;
    return &ops->region[ops->regions++];
}

/* Likewise those of an end of a draft: of a pair the low side, then the high one. */
static hx_region *keep_points(const chooser *c, const draft *d, hxi_end end)
{
    const hx_region low = points_at(c, d, end);
    hx_region *kept = keep_region(c->ops, &low);
    if (d->high) {
        const hx_region high = hxi_work_end(c->work, d->high, end, d->component);
        keep_region(c->ops, &high);
    }
    return kept;
}

static size_t points_of(const hx_region *region)
{
    size_t points = 1;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        points *= (size_t)region->n[a];
    }
    return points;
}

/* The axes of turned regions are numbered as they are walked. */
static const int as_walked[HX_MAX_AXES] = {0, 1, 2, 3};

/* How threads divide it.  region: of any of its ends; whole: axes that are not cut. */
static hxi_cutting cut_of(const chooser *c, const draft *d, const hx_region *region, int whole)
{
    const size_t points = points_of(region);
    return (hxi_cutting){.order = d->turned ? as_walked : order_of(c, d->segment),
                         .axes = c->work->spec->axes,
                         .whole = whole,
                         .point =
                             points > 0 ? hxi_segment_part_bytes(c->work->spec, d->segment) / points : 0};
}

/* Which messages an operation uses, and where in them its points are. */
static void set_messages(const chooser *c, const draft *d, int message[2], size_t offset[2])
{
    message[0] = c->work->message_of[d->number];
    offset[0] = hxi_segment_part_offset(c->work->spec, d->segment, d->part[0]);
    message[1] = message[0];
    if (d->high) {
        message[1] = c->work->message_of[d->high - c->work->segments->segment];
        offset[1] = hxi_segment_part_offset(c->work->spec, d->high, d->part[1]);
    }
}

/* narrow: what numbers need that travel shorter than they are; NULL: they do not. */
static hx_copy_turned_fn *choose_turned(const chooser *c, const draft *d, hx_copy_turned_fn *narrow,
                                        hx_region *to, hx_region *from)
{
    hx_copy_turned_fn *any = hxi_loop_order_choose(kernels_of(c, d->segment), c->work->spec->axes, to, from);
    return narrow ? narrow : any;
}

static void add_pack(chooser *c, const draft *d)
{
    hxi_ops *ops = c->ops;
    const hx_kernels *kernels = kernels_of(c, d->segment);
    hxi_pack_op *op = &ops->pack[ops->packs++];
    ops->packs_shared += d->group == SHARED;
    const bool returns = HX_RETURNS(c->work->exchange->operation); /* what it sends are ghost points */
    op->slot = hxi_work_end_slot(c->work, d->segment, returns ? HX_TO : HX_FROM);
    op->sign = d->segment->link.sign;
    hx_region *from = keep_points(c, d, returns ? HX_TO : HX_FROM);
    op->from = from;
    set_messages(c, d, op->message, op->offset);
    op->cut = cut_of(c, d, from, d->high || d->turned);
    if (c->work->spec->list) {
        op->kind = HX_OP_LISTED;
        op->run.listed = kernels->listing->pack;
        op->runs = returns ? d->segment->to_runs : d->segment->from_runs;
        ops->packing.listed++;
    } else if (d->high) {
        op->kind = HX_OP_PAIR;
        op->run.pair = kernels->pair->pack;
        ops->packing.pairs++;
    } else if (is_picked(c, d->segment)) {
        op->kind = HX_OP_PICKED;
        op->run.picked = kernels->picking->pack;
        op->picks = d->segment->picks;
        ops->packing.picked++;
    } else if (d->turned) {
        const int axes = c->work->spec->axes;
        hx_region to = hxi_loop_order_message(order_of(c, d->segment), axes, from);
        op->kind = HX_OP_TURNED;
        op->run.turned = choose_turned(c, d, kernels->pack_turned, &to, from);
        op->to = keep_region(ops, &to);
        ops->packing.turned++;
    } else {
        const hx_strip *strip = choose_strip(c, d->segment, from, NULL, &ops->packing);
        op->kind = HX_OP_PLAIN;
        op->run.plain = strip ? strip->pack : kernels->pack;
        op->cut.whole = strip != NULL;
    }
}

static void add_unpack(chooser *c, const draft *d)
{
    hxi_ops *ops = c->ops;
    const hx_kernels *kernels = kernels_of(c, d->segment);
    hxi_unpack_op *op = &ops->unpack[ops->unpacks++];
    ops->unpacks_shared += d->group == SHARED;
    op->slot = hxi_work_end_slot(c->work, d->segment, HX_TO);
    hx_region *to = keep_points(c, d, HX_TO);
    op->to = to;
    set_messages(c, d, op->message, op->offset);
    op->cut = cut_of(c, d, to, d->high || d->turned);
    if (c->work->spec->list) {
        op->kind = HX_OP_LISTED;
        op->run.listed = kernels->listing->unpack;
        op->runs = d->segment->to_runs;
        ops->unpacking.listed++;
    } else if (d->high) {
        op->kind = HX_OP_PAIR;
        op->run.pair = kernels->pair->unpack;
        ops->unpacking.pairs++;
    } else if (is_picked(c, d->segment)) {
        op->kind = HX_OP_PICKED;
        op->run.picked = kernels->picking->unpack;
        op->picks = d->segment->picks;
        ops->unpacking.picked++;
    } else if (d->turned) {
        const int axes = c->work->spec->axes;
        hx_region from = hxi_loop_order_message(order_of(c, d->segment), axes, to);
        op->kind = HX_OP_TURNED;
        op->sign = 1;
        op->run.turned = choose_turned(c, d, kernels->unpack_turned, to, &from);
        op->from = keep_region(ops, &from);
        ops->unpacking.turned++;
    } else {
        const hx_strip *strip = choose_strip(c, d->segment, to, NULL, &ops->unpacking);
        op->kind = HX_OP_PLAIN;
        op->run.plain = strip ? strip->unpack : kernels->unpack;
        op->cut.whole = strip != NULL;
    }
}

/* Points of a list that stay within the rank, or become a run in an array of another one. */
static void set_listed(const chooser *c, const draft *d, hxi_copy_op *op)
{
    const hxi_segment *s = d->segment;
    const hx_listing *listing = kernels_of(c, s)->listing;
    op->kind = HX_OP_LISTED;
    op->from_runs = s->from_runs;
    if (s->delivery == HX_PUSHED) {
        const hx_region *to = op->to;
        const size_t size = (size_t)c->work->spec->field[s->link.field].size;
        op->at = (size_t)(to->at + s->first * to->stride[0]) * size;
        op->run.gathered = listing->pack;
    } else {
        op->to_runs = s->to_runs;
        op->run.listed = listing->copy;
    }
    c->ops->copying.listed++;
}

static void add_copy(chooser *c, const draft *d)
{
    hxi_ops *ops = c->ops;
    const hx_kernels *kernels = kernels_of(c, d->segment);
    hxi_copy_op *op = &ops->copy[ops->copies++];
    op->to_slot = hxi_work_end_slot(c->work, d->segment, HX_TO);
    op->from_slot = hxi_work_end_slot(c->work, d->segment, HX_FROM);
    op->sign = d->segment->link.sign;
    hx_region *to = keep_points(c, d, HX_TO);
    hx_region *from = keep_points(c, d, HX_FROM);
    op->to = to;
    op->from = from;
    op->cut = cut_of(c, d, to, d->high || d->turned);
    if (c->work->spec->list) {
        set_listed(c, d, op);
    } else if (d->high) {
        op->kind = HX_OP_PAIR;
        op->run.pair = kernels->pair->copy;
        ops->copying.pairs++;
    } else if (is_picked(c, d->segment)) {
        op->kind = HX_OP_PICKED;
        op->run.picked = kernels->picking->copy;
        op->picks = d->segment->picks;
        ops->copying.picked++;
    } else if (d->turned) {
        op->kind = HX_OP_TURNED;
        op->run.turned = hxi_loop_order_choose(kernels, c->work->spec->axes, to, from);
        ops->copying.turned++;
    } else {
        const hx_strip *strip = choose_strip(c, d->segment, to, from, &ops->copying);
        op->kind = HX_OP_PLAIN;
        op->run.plain = strip ? strip->copy : kernels->copy;
        op->cut.whole = strip != NULL;
    }
}

/*
 * Some kernels are emitted only where the generator sees a need: sources that lie turned, picked components.
 */
static hx_status check_kernels(const chooser *c)
{
    for (int i = 0; i < c->drafts; ++i) {
        const draft *d = c->order[i];
        const hx_kernels *kernels = kernels_of(c, d->segment);
        const bool picked = is_picked(c, d->segment);
        if ((d->turned && (picked || !kernels->copy_turned)) || (picked && !kernels->picking)) {
            return hxi_fail(HX_ERR_INTERNAL,
                            "%s:%d: exchange \"%s\" has a link that %s, and no kernel for it.",
                            c->work->spec->file, c->work->exchange->line, c->work->exchange->name,
                            d->turned ? "turns" : "some components follow");
        }
    }
    return HX_OK;
}

static hx_status choose_packs(chooser *c)
{
    draft_kind(c, HX_SENT);
    const hx_status status = check_kernels(c);
    for (int i = 0; i < c->drafts && status == HX_OK; ++i) {
        add_pack(c, c->order[i]);
    }
    return status;
}

static void choose_unpacks(chooser *c)
{
    draft_kind(c, HX_RECEIVED);
    for (int i = 0; i < c->drafts; ++i) {
        add_unpack(c, c->order[i]);
    }
}

static void count_kept(hxi_op_counts *counts, const hxi_copy_op *op)
{
    counts->pairs += op->kind == HX_OP_PAIR;
    counts->picked += op->kind == HX_OP_PICKED;
    counts->turned += op->kind == HX_OP_TURNED;
    counts->strips += op->kind == HX_OP_PLAIN && op->cut.whole != 0;
    counts->general += op->kind == HX_OP_PLAIN && op->cut.whole == 0;
}

/* Of the other plan, for the same arrays, which may have other numbers. */
static void keep_copy(chooser *c, const hxi_copy_op *op, int to_slot, int from_slot)
{
    hxi_copy_op *kept = &c->ops->copy[c->ops->copies++];
    *kept = *op;
    kept->to_slot = to_slot;
    kept->from_slot = from_slot;
    kept->to = keep_region(c->ops, &op->to[0]);
    if (op->kind == HX_OP_PAIR) {
        keep_region(c->ops, &op->to[1]);
    }
    kept->from = keep_region(c->ops, &op->from[0]);
    if (op->kind == HX_OP_PAIR) {
        keep_region(c->ops, &op->from[1]);
    }
    count_kept(&c->ops->copying, kept);
}

/* A slot of the other plan here; -1: its block is not here, or lies otherwise. */
static int slot_here(const chooser *c, int slot)
{
    const int block = c->kept->block[slot / c->work->fields];
    return block < 0 ? -1 : block * c->work->fields + slot % c->work->fields;
}

/* Those of the other plan and, where their arrays come among theirs, those that are drafted. */
static int add_kept(chooser *c)
{
    int drafted = 0;
    for (int i = 0; i < c->kept->ops->copies; ++i) {
        const hxi_copy_op *op = &c->kept->ops->copy[i];
        const int to = slot_here(c, op->to_slot);
        const int from = slot_here(c, op->from_slot);
        if (to < 0 || from < 0) {
            continue;
        }
        while (drafted < c->drafts && c->order[drafted]->key[0] < to) {
            add_copy(c, c->order[drafted++]);
        }
        keep_copy(c, op, to, from);
    }
    return drafted;
}

static hx_status choose_copies(chooser *c)
{
    draft_kind(c, HX_WITHIN);
    const hx_status status = check_kernels(c);
    for (int i = status == HX_OK && c->kept ? add_kept(c) : 0; i < c->drafts && status == HX_OK; ++i) {
        add_copy(c, c->order[i]);
    }
    return status;
}

static hx_status choose(chooser *c)
{
    if (c->work->scope != HX_PHASE) {
        return choose_copies(c);
    }
    const hx_status status = choose_packs(c);
    if (status != HX_OK || c->work->exchange->operation != HX_COPY) {
        return status;
    }
    choose_unpacks(c);
    return choose_copies(c);
}

/* Room for the drafts of any one kind. */
static hx_status make_drafts(chooser *c, const size_t count[])
{
    size_t kept = 0;
    for (int i = 0; i < c->work->segments->count && c->kept; ++i) {
        const hxi_segment *s = &c->work->segments->segment[i];
        kept += is_kept(c, s) ? (size_t)hxi_segment_parts(c->work->spec, s) : 0;
    }
    size_t most = count[HX_WITHIN] - kept;
    most = count[HX_SENT] > most ? count[HX_SENT] : most;
    most = count[HX_RECEIVED] > most ? count[HX_RECEIVED] : most;
    c->draft = hxi_memory_get(most, sizeof *c->draft, purpose);
    c->order = hxi_memory_get(most, sizeof(draft *), purpose);
    return c->draft && c->order ? HX_OK : HX_ERR_MEMORY;
}

hx_status hxi_ops_make(const hxi_work *work, hxi_ops *ops)
{
    *ops = (hxi_ops){0};
    const hxi_segments *segments = work->segments;
    chooser c = {.work = work, .ops = ops};
    size_t count[] = {[HX_SENT] = 0, [HX_RECEIVED] = 0, [HX_WITHIN] = 0};
    for (int i = 0; i < segments->count; ++i) {
        count[segments->segment[i].kind] += (size_t)hxi_segment_parts(work->spec, &segments->segment[i]);
    }
    const size_t all = count[HX_SENT] + count[HX_RECEIVED] + count[HX_WITHIN];
    ops->pack = hxi_memory_get(count[HX_SENT], sizeof *ops->pack, purpose);
    ops->unpack = hxi_memory_get(count[HX_RECEIVED], sizeof *ops->unpack, purpose);
    ops->copy = hxi_memory_get(count[HX_WITHIN], sizeof *ops->copy, purpose);
    ops->region = hxi_memory_get(2 * all, sizeof *ops->region, purpose);
    const bool enough = ops->pack && ops->unpack && ops->copy && ops->region;
    hx_status status = enough ? hxi_sweeps_make(work, &ops->sweeps) : HX_ERR_MEMORY;
    c.kept = status == HX_OK && ops->sweeps.count == 0 ? work->kept : NULL;
    status = status == HX_OK ? make_drafts(&c, count) : status;
    status = status == HX_OK ? choose(&c) : status;
    hxi_memory_free(c.draft);
    hxi_memory_free(c.order);
    return status;
}

void hxi_ops_free(hxi_ops *ops)
{
    hxi_memory_free(ops->pack);
    hxi_memory_free(ops->unpack);
    hxi_memory_free(ops->copy);
    hxi_memory_free(ops->region);
    hxi_sweeps_free(&ops->sweeps);
    *ops = (hxi_ops){0};
}
