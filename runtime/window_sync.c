/*
 * Epochs of windows: each call of MPI, between the question whether it may come and the note that it did.
 */
#include "memory.h"
#include "status.h"
#include "window.h"

static hx_status may(const hx_window *w, const hx_way *way, const char *caller, hx_step step, int target)
{
    return w->request.check ? hx_window_tell(w, way, caller, hx_epoch_may(&way->epoch, step, target)) : HX_OK;
}

/* The end of a call. */
static hx_status ended(hx_window *w, hx_way *way, const char *caller, int code, hx_step step, int target)
{
    if (code != MPI_SUCCESS) {
        return hx_fail_mpi(code, "%s of window \"%s\" on rank %d of its %s", caller, w->name, way->rank,
                           way->name);
    }
    hx_epoch_note(&way->epoch, step, target, true);
    return HX_OK;
}

/* The beginning of one without a target. */
static hx_status begin(hx_window *w, hx_window_way name, const char *caller, hx_step step, hx_way **way)
{
    const hx_status status = hx_window_find(w, name, caller, way);
    return status == HX_OK ? may(w, *way, caller, step, -1) : status;
}

/* And of one with a target. */
static hx_status begin_at(hx_window *w, hx_window_way name, const char *caller, hx_step step, int target,
                          hx_way **way)
{
    hx_status status = hx_window_find(w, name, caller, way);
    status = status == HX_OK ? hx_window_target(w, *way, caller, target) : status;
    return status == HX_OK ? may(w, *way, caller, step, target) : status;
}

hx_status hx_window_fence(hx_window *w, hx_window_way name, int assertion)
{
    static const char caller[] = "hx_window_fence";
    hx_way *way = NULL;
    const hx_status status = begin(w, name, caller, HX_STEP_FENCE, &way);
    if (status != HX_OK) {
        return status;
    }
    if (w->request.check && (assertion & MPI_MODE_NOPRECEDE) && way->epoch.accesses > 0) {
        return hx_window_tell(w, way, caller,
                              hx_fail(HX_ERR_STATE,
                                      "has accesses (%lld) since the last one, but gives MPI_MODE_NOPRECEDE.",
                                      (long long)way->epoch.accesses));
    }
    const int code = MPI_Win_fence(assertion, way->win);
    if (code != MPI_SUCCESS) {
        return ended(w, way, caller, code, HX_STEP_FENCE, -1);
    }
    hx_epoch_note(&way->epoch, HX_STEP_FENCE, -1, !(assertion & MPI_MODE_NOSUCCEED));
    return HX_OK;
}

/* ---- post, start, complete, wait ----------------------------------------------------------------------- */

/* A group of ranks of a way.  Each once. */
static hx_status make_group(const hx_window *w, const hx_way *way, const char *caller, int count,
                            const int rank[], MPI_Group *group)
{
    for (int i = 0; i < count; ++i) {
        hx_status status = hx_window_target(w, way, caller, rank[i]);
        for (int j = 0; j < i && status == HX_OK; ++j) {
            if (rank[j] == rank[i]) {
                status =
                    hx_fail(HX_ERR_ARGUMENT, "Rank %d is given to %s of window \"%s\" twice; give each once.",
                            rank[i], caller, w->name);
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
                               : hx_fail_mpi(code, "Making the group of %d ranks for %s", count, caller);
}

static hx_status open_group(hx_window *w, hx_window_way name, hx_step step, int count, const int rank[],
                            int assertion)
{
    const bool posts = step == HX_STEP_POST;
    const char *caller = posts ? "hx_window_post" : "hx_window_start";
    hx_way *way = NULL;
    MPI_Group group = MPI_GROUP_NULL;
    hx_status status = begin(w, name, caller, step, &way);
    if (status == HX_OK && (count < 0 || (count > 0 && !rank))) {
        status = hx_fail(HX_ERR_ARGUMENT,
                         "%s of window \"%s\" was given %d ranks at %p; give a list of 0 or more.", caller,
                         w->name, count, (const void *)rank);
    }
    status = status == HX_OK ? make_group(w, way, caller, count, rank, &group) : status;
    if (status != HX_OK) {
        return status;
    }
    const int code =
        posts ? MPI_Win_post(group, assertion, way->win) : MPI_Win_start(group, assertion, way->win);
    MPI_Group_free(&group);
    status = ended(w, way, caller, code, step, -1);
    for (int i = 0; i < count && status == HX_OK && !posts; ++i) {
        way->epoch.open[rank[i]] = 1;
    }
    return status;
}

hx_status hx_window_post(hx_window *w, hx_window_way name, int origins, const int origin[], int assertion)
{
    return open_group(w, name, HX_STEP_POST, origins, origin, assertion);
}

hx_status hx_window_start(hx_window *w, hx_window_way name, int targets, const int target[], int assertion)
{
    return open_group(w, name, HX_STEP_START, targets, target, assertion);
}

hx_status hx_window_complete(hx_window *w, hx_window_way name)
{
    static const char caller[] = "hx_window_complete";
    hx_way *way = NULL;
    const hx_status status = begin(w, name, caller, HX_STEP_COMPLETE, &way);
    return status == HX_OK ? ended(w, way, caller, MPI_Win_complete(way->win), HX_STEP_COMPLETE, -1) : status;
}

hx_status hx_window_wait(hx_window *w, hx_window_way name)
{
    static const char caller[] = "hx_window_wait";
    hx_way *way = NULL;
    const hx_status status = begin(w, name, caller, HX_STEP_WAIT, &way);
    return status == HX_OK ? ended(w, way, caller, MPI_Win_wait(way->win), HX_STEP_WAIT, -1) : status;
}

hx_status hx_window_test(hx_window *w, hx_window_way name, int *done)
{
    static const char caller[] = "hx_window_test";
    hx_way *way = NULL;
    *done = 0;
    const hx_status status = begin(w, name, caller, HX_STEP_WAIT, &way);
    if (status != HX_OK) {
        return status;
    }
    const int code = MPI_Win_test(way->win, done);
    return code == MPI_SUCCESS && !*done ? HX_OK : ended(w, way, caller, code, HX_STEP_WAIT, -1);
}

/* ---- lock, unlock, flush ------------------------------------------------------------------------------- */

hx_status hx_window_lock(hx_window *w, hx_window_way name, int target, int exclusive, int assertion)
{
    static const char caller[] = "hx_window_lock";
    hx_way *way = NULL;
    const hx_status status = begin_at(w, name, caller, HX_STEP_LOCK, target, &way);
    if (status != HX_OK) {
        return status;
    }
    const int code =
        MPI_Win_lock(exclusive ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, target, assertion, way->win);
    return ended(w, way, caller, code, HX_STEP_LOCK, target);
}

hx_status hx_window_unlock(hx_window *w, hx_window_way name, int target)
{
    static const char caller[] = "hx_window_unlock";
    hx_way *way = NULL;
    const hx_status status = begin_at(w, name, caller, HX_STEP_UNLOCK, target, &way);
    return status == HX_OK ? ended(w, way, caller, MPI_Win_unlock(target, way->win), HX_STEP_UNLOCK, target)
                           : status;
}

hx_status hx_window_lock_all(hx_window *w, hx_window_way name, int assertion)
{
    static const char caller[] = "hx_window_lock_all";
    hx_way *way = NULL;
    const hx_status status = begin(w, name, caller, HX_STEP_LOCK_ALL, &way);
    return status == HX_OK
               ? ended(w, way, caller, MPI_Win_lock_all(assertion, way->win), HX_STEP_LOCK_ALL, -1)
               : status;
}

hx_status hx_window_unlock_all(hx_window *w, hx_window_way name)
{
    static const char caller[] = "hx_window_unlock_all";
    hx_way *way = NULL;
    const hx_status status = begin(w, name, caller, HX_STEP_UNLOCK_ALL, &way);
    return status == HX_OK ? ended(w, way, caller, MPI_Win_unlock_all(way->win), HX_STEP_UNLOCK_ALL, -1)
                           : status;
}

hx_status hx_window_flush(hx_window *w, hx_window_way name, int target)
{
    static const char caller[] = "hx_window_flush";
    const bool all = target == HX_WINDOW_ALL;
    hx_way *way = NULL;
    const hx_status status = all ? begin(w, name, caller, HX_STEP_FLUSH, &way)
                                 : begin_at(w, name, caller, HX_STEP_FLUSH, target, &way);
    if (status != HX_OK) {
        return status;
    }
    const int code = all ? MPI_Win_flush_all(way->win) : MPI_Win_flush(target, way->win);
    return ended(w, way, caller, code, HX_STEP_FLUSH, target);
}

hx_status hx_window_flush_local(hx_window *w, hx_window_way name, int target)
{
    static const char caller[] = "hx_window_flush_local";
    const bool all = target == HX_WINDOW_ALL;
    hx_way *way = NULL;
    const hx_status status = all ? begin(w, name, caller, HX_STEP_FLUSH_LOCAL, &way)
                                 : begin_at(w, name, caller, HX_STEP_FLUSH_LOCAL, target, &way);
    if (status != HX_OK) {
        return status;
    }
    const int code = all ? MPI_Win_flush_local_all(way->win) : MPI_Win_flush_local(target, way->win);
    return ended(w, way, caller, code, HX_STEP_FLUSH_LOCAL, target);
}

hx_status hx_window_sync(hx_window *w, hx_window_way name)
{
    static const char caller[] = "hx_window_sync";
    hx_way *way = NULL;
    const hx_status status = begin(w, name, caller, HX_STEP_SYNC, &way);
    return status == HX_OK ? ended(w, way, caller, MPI_Win_sync(way->win), HX_STEP_SYNC, -1) : status;
}
