/*
 * Epochs of windows: each call of MPI, between the question whether it may come and the note that it did.
 */
#include "base/memory.h"
#include "base/status.h"
#include "window/window.h"

/* A call: its step, and what MPI is told. */
typedef struct call {
    hxi_step step;
    int target; /* HX_WINDOW_ALL: all, or it is about none */
    int assertion;
    int lock;
} call;

static const char *const callers[] = {
    [HX_STEP_FENCE] = "hx_window_fence",
    [HX_STEP_POST] = "hx_window_post",
    [HX_STEP_WAIT] = "hx_window_wait",
    [HX_STEP_START] = "hx_window_start",
    [HX_STEP_COMPLETE] = "hx_window_complete",
    [HX_STEP_LOCK] = "hx_window_lock",
    [HX_STEP_UNLOCK] = "hx_window_unlock",
    [HX_STEP_LOCK_ALL] = "hx_window_lock_all",
    [HX_STEP_UNLOCK_ALL] = "hx_window_unlock_all",
    [HX_STEP_FLUSH] = "hx_window_flush",
    [HX_STEP_FLUSH_LOCAL] = "hx_window_flush_local",
    [HX_STEP_SYNC] = "hx_window_sync",
};

/* May it come now? */
static hx_status begin(hx_window *w, hx_window_way name, const char *caller, const call *c, hxi_way **way)
{
    const bool has_target =
        c->step == HX_STEP_LOCK || c->step == HX_STEP_UNLOCK || c->target != HX_WINDOW_ALL;
    hx_status status = hxi_window_find(w, name, caller, way);
    status = status == HX_OK && has_target ? hxi_window_target(w, *way, caller, c->target) : status;
    if (status != HX_OK || !w->request.check) {
        return status;
    }
    return hxi_window_tell(w, *way, caller, hxi_epoch_may(&(*way)->epoch, c->step, c->target));
}

/* It came, or not.  opens: of a fence, whether accesses may follow. */
static hx_status end(hx_window *w, hxi_way *way, const char *caller, int code, const call *c, bool opens)
{
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "%s of window \"%s\" on rank %d of its %s", caller, w->name, way->rank,
                            way->name);
    }
    hxi_epoch_note(&way->epoch, c->step, c->target, opens);
    return HX_OK;
}

/* Those that need no more than a window and numbers. */
static int call_mpi(const call *c, MPI_Win win)
{
    const bool all = c->target == HX_WINDOW_ALL;
    switch (c->step) {
    case HX_STEP_COMPLETE:
        return MPI_Win_complete(win);
    case HX_STEP_WAIT:
        return MPI_Win_wait(win);
    case HX_STEP_LOCK:
        return MPI_Win_lock(c->lock, c->target, c->assertion, win);
    case HX_STEP_UNLOCK:
        return MPI_Win_unlock(c->target, win);
    case HX_STEP_LOCK_ALL:
        return MPI_Win_lock_all(c->assertion, win);
    case HX_STEP_UNLOCK_ALL:
        return MPI_Win_unlock_all(win);
    case HX_STEP_FLUSH:
        return all ? MPI_Win_flush_all(win) : MPI_Win_flush(c->target, win);
    case HX_STEP_FLUSH_LOCAL:
        return all ? MPI_Win_flush_local_all(win) : MPI_Win_flush_local(c->target, win);
    default: /* HX_STEP_SYNC; all others have functions of their own */
        return MPI_Win_sync(win);
    }
}

static hx_status perform(hx_window *w, hx_window_way name, const call *c)
{
    const char *caller = callers[c->step];
    hxi_way *way = NULL;
    const hx_status status = begin(w, name, caller, c, &way);
    return status == HX_OK ? end(w, way, caller, call_mpi(c, way->win), c, true) : status;
}

hx_status hx_window_fence(hx_window *w, hx_window_way way, int assertion)
{
    const call c = {HX_STEP_FENCE, HX_WINDOW_ALL, assertion, 0};
    const char *caller = callers[c.step];
    hxi_way *found = NULL;
    const hx_status status = begin(w, way, caller, &c, &found);
    if (status != HX_OK) {
        return status;
    }
    if (w->request.check && (assertion & MPI_MODE_NOPRECEDE) && found->epoch.accesses > 0) {
        return hxi_window_tell(
            w, found, caller,
            hxi_fail(HX_ERR_STATE, "has accesses (%lld) since the last one, but gives MPI_MODE_NOPRECEDE.",
                     (long long)found->epoch.accesses));
    }
    return end(w, found, caller, MPI_Win_fence(assertion, found->win), &c, !(assertion & MPI_MODE_NOSUCCEED));
}

/* ---- post, start, complete, wait ----------------------------------------------------------------------- */

/* A group of ranks of a way.  Each once. */
static hx_status make_group(const hx_window *w, const hxi_way *way, const char *caller, int count,
                            const int rank[], MPI_Group *group)
{
    for (int i = 0; i < count; ++i) {
        hx_status status = hxi_window_target(w, way, caller, rank[i]);
        for (int j = 0; j < i && status == HX_OK; ++j) {
            if (rank[j] == rank[i]) {
                status = hxi_fail(HX_ERR_ARGUMENT,
                                  "Rank %d is given to %s of window \"%s\" twice; give each once.", rank[i],
                                  caller, w->name);
            }
        }
        if (status != HX_OK) {
            return status;
        }
    }
    MPI_Group all = MPI_GROUP_NULL;
    int code = MPI_Comm_group(way->comm, &all);
    if (code == MPI_SUCCESS) {
        code = MPI_Group_incl(all, count, rank, group);
        MPI_Group_free(&all);
    }
    return code == MPI_SUCCESS ? HX_OK
                               : hxi_fail_mpi(code, "Making the group of %d ranks for %s", count, caller);
}

static hx_status open_group(hx_window *w, hx_window_way name, hxi_step step, int count, const int rank[],
                            int assertion)
{
    const call c = {step, HX_WINDOW_ALL, assertion, 0};
    const char *caller = callers[step];
    hxi_way *way = NULL;
    MPI_Group group = MPI_GROUP_NULL;
    hx_status status = begin(w, name, caller, &c, &way);
    if (status == HX_OK && (count < 0 || (count > 0 && !rank))) {
        status = hxi_fail(HX_ERR_ARGUMENT,
                          "%s of window \"%s\" was given %d ranks at %p; give a list of 0 or more.", caller,
                          w->name, count, (const void *)rank);
    }
    status = status == HX_OK ? make_group(w, way, caller, count, rank, &group) : status;
    if (status != HX_OK) {
        return status;
    }
    const bool posts = step == HX_STEP_POST;
    const int code =
        posts ? MPI_Win_post(group, assertion, way->win) : MPI_Win_start(group, assertion, way->win);
    MPI_Group_free(&group);
    status = end(w, way, caller, code, &c, true);
    for (int i = 0; i < count && status == HX_OK && !posts; ++i) {
        way->epoch.open[rank[i]] = 1;
    }
    return status;
}

hx_status hx_window_post(hx_window *w, hx_window_way way, int origins, const int origin[], int assertion)
{
    return open_group(w, way, HX_STEP_POST, origins, origin, assertion);
}

hx_status hx_window_start(hx_window *w, hx_window_way way, int targets, const int target[], int assertion)
{
    return open_group(w, way, HX_STEP_START, targets, target, assertion);
}

hx_status hx_window_complete(hx_window *w, hx_window_way way)
{
    return perform(w, way, &(call){HX_STEP_COMPLETE, HX_WINDOW_ALL, 0, 0});
}

hx_status hx_window_wait(hx_window *w, hx_window_way way)
{
    return perform(w, way, &(call){HX_STEP_WAIT, HX_WINDOW_ALL, 0, 0});
}

hx_status hx_window_test(hx_window *w, hx_window_way way, int *done)
{
    static const char caller[] = "hx_window_test";
    const call c = {HX_STEP_WAIT, HX_WINDOW_ALL, 0, 0};
    hxi_way *found = NULL;
    *done = 0;
    const hx_status status = begin(w, way, caller, &c, &found);
    if (status != HX_OK) {
        return status;
    }
    const int code = MPI_Win_test(found->win, done);
    return code == MPI_SUCCESS && !*done ? HX_OK : end(w, found, caller, code, &c, true);
}

/* ---- lock, unlock, flush ------------------------------------------------------------------------------- */

hx_status hx_window_lock(hx_window *w, hx_window_way way, int target, int exclusive, int assertion)
{
    const int lock = exclusive ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED;
    return perform(w, way, &(call){HX_STEP_LOCK, target, assertion, lock});
}

hx_status hx_window_unlock(hx_window *w, hx_window_way way, int target)
{
    return perform(w, way, &(call){HX_STEP_UNLOCK, target, 0, 0});
}

hx_status hx_window_lock_all(hx_window *w, hx_window_way way, int assertion)
{
    return perform(w, way, &(call){HX_STEP_LOCK_ALL, HX_WINDOW_ALL, assertion, 0});
}

hx_status hx_window_unlock_all(hx_window *w, hx_window_way way)
{
    return perform(w, way, &(call){HX_STEP_UNLOCK_ALL, HX_WINDOW_ALL, 0, 0});
}

hx_status hx_window_flush(hx_window *w, hx_window_way way, int target)
{
    return perform(w, way, &(call){HX_STEP_FLUSH, target, 0, 0});
}

hx_status hx_window_flush_local(hx_window *w, hx_window_way way, int target)
{
    return perform(w, way, &(call){HX_STEP_FLUSH_LOCAL, target, 0, 0});
}

hx_status hx_window_sync(hx_window *w, hx_window_way way)
{
    return perform(w, way, &(call){HX_STEP_SYNC, HX_WINDOW_ALL, 0, 0});
}
