#include "window/window_epoch.h"

#include "base/memory.h"
#include "base/status.h"

#include <string.h>

hx_status hxi_epoch_make(int ranks, hxi_epoch *epoch)
{
    *epoch = (hxi_epoch){.ranks = ranks};
    epoch->open = hxi_memory_get((size_t)ranks, 1, "the epochs of a window");
    return epoch->open ? HX_OK : HX_ERR_MEMORY;
}

void hxi_epoch_free(hxi_epoch *epoch)
{
    hxi_memory_free(epoch->open);
    hxi_memory_free(epoch->pending);
    *epoch = (hxi_epoch){0};
}

/* ---- the order of calls -------------------------------------------------------------------------------- */

/* Sets of hxi_epoch_kind. */
enum {
    NONE = 1 << HX_EPOCH_NONE,
    FENCE = 1 << HX_EPOCH_FENCE,
    START = 1 << HX_EPOCH_START,
    LOCK = 1 << HX_EPOCH_LOCK,
    LOCK_ALL = 1 << HX_EPOCH_LOCK_ALL,
    PASSIVE = LOCK | LOCK_ALL,
    ANY = NONE | FENCE | START | PASSIVE,
};

typedef enum exposure { EITHER, EXPOSED, HIDDEN } exposure;

/* When a step may come. */
static const struct rule {
    int kinds;
    exposure exposure;
    const char *opens; /* what comes before it */
} rules[] = {
    [HX_STEP_FENCE] = {NONE | FENCE, HIDDEN, NULL},
    [HX_STEP_POST] = {NONE | FENCE | START, HIDDEN, NULL},
    [HX_STEP_WAIT] = {ANY, EXPOSED, NULL},
    [HX_STEP_START] = {NONE | FENCE, EITHER, NULL},
    [HX_STEP_COMPLETE] = {START, EITHER, "hx_window_start"},
    [HX_STEP_LOCK] = {NONE | FENCE | LOCK, HIDDEN, NULL},
    [HX_STEP_UNLOCK] = {LOCK, EITHER, "hx_window_lock"},
    [HX_STEP_LOCK_ALL] = {NONE | FENCE, HIDDEN, NULL},
    [HX_STEP_UNLOCK_ALL] = {LOCK_ALL, EITHER, "hx_window_lock_all"},
    [HX_STEP_FLUSH] = {PASSIVE, EITHER, "hx_window_lock or hx_window_lock_all"},
    [HX_STEP_FLUSH_LOCAL] = {PASSIVE, EITHER, "hx_window_lock or hx_window_lock_all"},
    [HX_STEP_SYNC] = {PASSIVE, EITHER, "hx_window_lock or hx_window_lock_all"},
    [HX_STEP_FREE] = {NONE | FENCE, HIDDEN, NULL},
};

static const struct state {
    const char *is;
    const char *end;
} states[] = {
    [HX_EPOCH_NONE] = {"is in no epoch", ""},
    [HX_EPOCH_FENCE] = {"is in an epoch of hx_window_fence", "hx_window_fence"},
    [HX_EPOCH_START] = {"is in an epoch of hx_window_start", "hx_window_complete"},
    [HX_EPOCH_LOCK] = {"is in an epoch of hx_window_lock", "hx_window_unlock"},
    [HX_EPOCH_LOCK_ALL] = {"is in an epoch of hx_window_lock_all", "hx_window_unlock_all"},
};

hx_status hxi_epoch_may(const hxi_epoch *epoch, hxi_step step, int target)
{
    const struct rule *rule = &rules[step];
    const struct state *state = &states[epoch->kind];
    const bool reached = target < 0 || epoch->open[target] || epoch->kind != HX_EPOCH_LOCK;
    if (!(rule->kinds & 1 << epoch->kind)) {
        return rule->opens ? hxi_fail(HX_ERR_STATE, "%s; call %s before.", state->is, rule->opens)
                           : hxi_fail(HX_ERR_STATE, "%s; end that with %s before.", state->is, state->end);
    }
    if (epoch->kind == HX_EPOCH_FENCE && epoch->accesses > 0 && step != HX_STEP_FENCE &&
        step != HX_STEP_WAIT) {
        return hxi_fail(HX_ERR_STATE,
                        "has accesses (%lld) since the last hx_window_fence; call it again before.",
                        (long long)epoch->accesses);
    }
    if (rule->exposure == EXPOSED && !epoch->exposed) {
        return hxi_fail(HX_ERR_STATE, "is not exposed; call hx_window_post before.");
    }
    if (rule->exposure == HIDDEN && epoch->exposed) {
        return hxi_fail(HX_ERR_STATE, "is exposed by hx_window_post; end that with hx_window_wait before.");
    }
    if (step == HX_STEP_LOCK && epoch->open[target]) {
        return hxi_fail(HX_ERR_STATE, "has locked target %d already; call hx_window_unlock before.", target);
    }
    return step == HX_STEP_LOCK || reached
               ? HX_OK
               : hxi_fail(HX_ERR_STATE, "has not locked target %d; call hx_window_lock before.", target);
}

/* What is complete is forgotten: all, or what went to one target. */
static void forget(hxi_epoch *epoch, int target)
{
    int kept = 0;
    for (int i = 0; i < epoch->count; ++i) {
        if (target >= 0 && epoch->pending[i].target != target) {
            epoch->pending[kept++] = epoch->pending[i];
        }
    }
    epoch->count = kept;
}

static void forget_buffers(hxi_epoch *epoch, int target)
{
    for (int i = 0; i < epoch->count; ++i) {
        if (target < 0 || epoch->pending[i].target == target) {
            epoch->pending[i].from = epoch->pending[i].into = (hxi_range){0, 0};
        }
    }
}

static void begin(hxi_epoch *epoch, hxi_epoch_kind kind)
{
    epoch->kind = kind;
    epoch->accesses = 0;
}

static void end(hxi_epoch *epoch)
{
    forget(epoch, -1);
    memset(epoch->open, 0, (size_t)epoch->ranks);
    begin(epoch, HX_EPOCH_NONE);
}

void hxi_epoch_note(hxi_epoch *epoch, hxi_step step, int target, bool opens)
{
    switch (step) {
    case HX_STEP_FENCE:
        end(epoch);
        begin(epoch, opens ? HX_EPOCH_FENCE : HX_EPOCH_NONE);
        break;
    case HX_STEP_POST:
    case HX_STEP_WAIT:
        epoch->exposed = step == HX_STEP_POST;
        break;
    case HX_STEP_START:
        begin(epoch, HX_EPOCH_START);
        break;
    case HX_STEP_LOCK:
        if (epoch->kind != HX_EPOCH_LOCK) {
            begin(epoch, HX_EPOCH_LOCK);
        }
        epoch->open[target] = 1;
        epoch->locks++;
        break;
    case HX_STEP_UNLOCK:
        forget(epoch, target);
        epoch->open[target] = 0;
        if (--epoch->locks == 0) {
            end(epoch);
        }
        break;
    case HX_STEP_LOCK_ALL:
        begin(epoch, HX_EPOCH_LOCK_ALL);
        break;
    case HX_STEP_COMPLETE:
    case HX_STEP_UNLOCK_ALL:
        end(epoch);
        break;
    case HX_STEP_FLUSH:
        forget(epoch, target);
        break;
    case HX_STEP_FLUSH_LOCAL:
        forget_buffers(epoch, target);
        break;
    case HX_STEP_SYNC:
    case HX_STEP_FREE:
        break;
    }
}

/* ---- accesses ------------------------------------------------------------------------------------------ */

static bool meet(const hxi_range *a, const hxi_range *b)
{
    return a->lo < b->hi && b->lo < a->hi;
}

/* Are two accesses to the same bytes of a target, or of this rank, no more defined? */
static bool clash(const hxi_access *a, const hxi_access *b)
{
    if (a->kind == HX_ACCESS_ACCUMULATE && b->kind == HX_ACCESS_ACCUMULATE) {
        return a->op != b->op && a->op != MPI_NO_OP && b->op != MPI_NO_OP;
    }
    return a->kind != HX_ACCESS_GET || b->kind != HX_ACCESS_GET;
}

/* Does the buffer of one meet what the other does to memory of this rank? */
static bool buffers_clash(const hxi_access *a, const hxi_access *b)
{
    const bool own_written = b->kind != HX_ACCESS_GET;
    return meet(&a->into, &b->into) || meet(&a->into, &b->from) || meet(&a->into, &b->own) ||
           (own_written && meet(&a->from, &b->own));
}

static const char *const kinds[] = {
    [HX_ACCESS_PUT] = "puts", [HX_ACCESS_GET] = "gets", [HX_ACCESS_ACCUMULATE] = "accumulates"};

static hx_status conflict(const hxi_access *old, const hxi_access *new)
{
    if (old->target == new->target && meet(&old->part, &new->part) && clash(old, new)) {
        return hxi_fail(
            HX_ERR_STATE,
            "%s bytes %llu to %llu of target %d, but before, in the same epoch, it %s bytes %llu to %llu "
            "there; end or flush the epoch between.",
            kinds[new->kind], (unsigned long long)new->part.lo, (unsigned long long)new->part.hi - 1,
            new->target, kinds[old->kind], (unsigned long long)old->part.lo,
            (unsigned long long)old->part.hi - 1);
    }
    if (buffers_clash(old, new) || buffers_clash(new, old)) {
        return hxi_fail(
            HX_ERR_STATE,
            "%s with memory of its own that an access to target %d before, in the same epoch, still uses; "
            "end or flush the epoch between.",
            kinds[new->kind], old->target);
    }
    return HX_OK;
}

hx_status hxi_epoch_may_access(const hxi_epoch *epoch, const hxi_access *access)
{
    const bool listed = epoch->kind == HX_EPOCH_START || epoch->kind == HX_EPOCH_LOCK;
    if (epoch->kind == HX_EPOCH_NONE) {
        return hxi_fail(HX_ERR_STATE,
                        "is in no epoch; call hx_window_fence, _start, _lock or _lock_all before.");
    }
    if (listed && !epoch->open[access->target]) {
        return hxi_fail(HX_ERR_STATE, "%s that does not reach target %d; %s.", states[epoch->kind].is,
                        access->target,
                        epoch->kind == HX_EPOCH_START ? "give that to hx_window_start, too"
                                                      : "call hx_window_lock for that before");
    }
    if (access->request && !(PASSIVE & 1 << epoch->kind)) {
        return hxi_fail(HX_ERR_STATE, "%s; requests are for epochs of hx_window_lock and hx_window_lock_all.",
                        states[epoch->kind].is);
    }
    hx_status status = HX_OK;
    for (int i = 0; i < epoch->count && status == HX_OK; ++i) {
        status = conflict(&epoch->pending[i], access);
    }
    return status;
}

hx_status hxi_epoch_reserve(hxi_epoch *epoch)
{
    if (epoch->count < epoch->room) {
        return HX_OK;
    }
    const int room = epoch->room ? 2 * epoch->room : 16;
    hxi_access *grown = hxi_memory_grow(epoch->pending, (size_t)epoch->count, (size_t)room, sizeof *grown,
                                        "the accesses of an epoch");
    if (!grown) {
        return HX_ERR_MEMORY;
    }
    epoch->pending = grown;
    epoch->room = room;
    return HX_OK;
}

/* When the user has completed a request, its buffers are free, and a get is over altogether: unseen by us. */
void hxi_epoch_remember(hxi_epoch *epoch, const hxi_access *access)
{
    if (access->request && access->kind == HX_ACCESS_GET) {
        return;
    }
    hxi_access *kept = &epoch->pending[epoch->count++];
    *kept = *access;
    if (access->request) {
        kept->from = kept->into = (hxi_range){0, 0};
    }
}
