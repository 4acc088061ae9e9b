#include "transport/push.h"

#include "base/hardware.h"
#include "pack/divide.h"

#include <string.h>

/* ---- the receiver -------------------------------------------------------------------------------------- */

bool hxi_posting_note(hxi_posting *p, const hxi_sets *sets, void *const *base)
{
    const bool all = p->changes != sets->changes;
    bool changed = false;
    bool known = true;
    for (int i = 0; i < p->slots; ++i) {
        const hxi_slot *slot = &p->slot[i];
        hxi_where *where = &p->posted->where[slot->block * p->fields + slot->field];
        if (all || p->published[i] != base[i]) {
            *where = p->on_device ? hxi_sets_find_there(sets, base[i], slot->bytes)
                                  : hxi_sets_find(sets, base[i], slot->bytes);
            p->published[i] = base[i];
            changed = true;
        }
        known = known && where->set != 0;
    }
    p->posted->version += changed;
    p->posted->known = known;
    p->changes = sets->changes;
    return known;
}

void hxi_posting_raise(hxi_posting *p, uint64_t start)
{
    hxi_order_stores();
    atomic_store_explicit(&p->posted->start, start, memory_order_release);
}

void hxi_posting_tell(hxi_posting *p, const hxi_sets *sets, void *const *base, uint64_t start)
{
    if (hxi_posting_note(p, sets, base) || p->always) {
        hxi_posting_raise(p, start);
    }
}

/* ---- the sender ---------------------------------------------------------------------------------------- */

bool hxi_push_may_begin(const hxi_partners *p, int number, uint64_t start)
{
    return atomic_load_explicit(&p->partner[number].posted->start, memory_order_acquire) >= start;
}

static void *find_array(const hxi_partners *p, const hxi_partner *partner, const hxi_where *where)
{
    return p->on_device ? hxi_sets_reach_there(p->sets, partner->node_rank, where)
                        : hxi_sets_reach(p->sets, where);
}

/* Finds a partner's arrays where this rank sees them. */
static bool find_arrays(hxi_partners *p, int number)
{
    const hxi_partner *partner = &p->partner[number];
    for (int slot = p->own; slot < p->slots; ++slot) {
        if (p->published[slot].partner == number) {
            p->base[slot] = find_array(p, partner, &partner->posted->where[p->published[slot].at]);
            if (!p->base[slot]) {
                return false;
            }
        }
    }
    return true;
}

bool hxi_push_reach(hxi_partners *p, int number)
{
    hxi_partner *partner = &p->partner[number];
    if (partner->version != partner->posted->version) {
        partner->version = partner->posted->version;
        partner->reached = find_arrays(p, number);
    }
    return partner->reached;
}

/* Copies the points from this rank's arrays; false: the receiver's are not all in memory that is shared. */
static bool copy(const hxi_binding *binding, int number, void *const *base)
{
    hxi_direct *direct = &binding->push[number];
    hxi_partners *p = &direct->partners;
    if (!hxi_push_reach(p, 0)) {
        return false;
    }
    memcpy(p->base, base, (size_t)p->own * sizeof *base);
    hxi_divide_copy(binding->team, binding->send[number].bytes, direct->ops.copy, direct->ops.copies,
                    p->base);
    p->partner->runs++;
    return true;
}

/*
 * In one phase start sends everything.  Most often the receiver is about to start, too, and a second copy is
 * saved: it is waited for, about as long as that takes.  A look takes a nanosecond or two.  Where it was in
 * vain the next few messages do not wait: the receiver comes late, or has arrays that cannot be reached.
 */
static bool comes_soon(const hxi_binding *binding, int number, uint64_t start)
{
    enum { BYTES_PER_LOOK = 16, MOST_LOOKS = 4096, RESTS = 15 };
    hxi_direct *direct = &binding->push[number];
    const size_t worth = binding->send[number].bytes / BYTES_PER_LOOK;
    int looks = worth < MOST_LOOKS ? (int)worth : MOST_LOOKS;
    if (direct->rests > 0 || binding->topology->crowded) {
        direct->rests -= direct->rests > 0;
        return false;
    }
    while (looks > 0 && !hxi_push_may_begin(&direct->partners, 0, start)) {
        --looks;
    }
    direct->rests = looks == 0 ? RESTS : 0;
    return looks > 0;
}

hxi_answer hxi_push(const hxi_binding *binding, int number, uint64_t start, void *const *base)
{
    hxi_direct *direct = &binding->push[number];
    if (direct->partners.count == 0) {
        return HX_PACK_IT;
    }
    if (!hxi_push_may_begin(&direct->partners, 0, start)) {
        if (!binding->at_once) {
            return HX_LATER;
        }
        if (!comes_soon(binding, number, start)) {
            return HX_PACK_IT;
        }
    }
    return copy(binding, number, base) ? HX_MOVED_IT : HX_PACK_IT;
}
