/*
 * Epochs of one way to reach a window, as this rank sees them: which calls may come next, and which accesses
 * may not be complete.  Calls no MPI.
 */
#ifndef HX_WINDOW_EPOCH_H
#define HX_WINDOW_EPOCH_H

#include <hx/hx.h>

#include <stdbool.h>

/* What lets this rank access targets. */
typedef enum hx_epoch_kind {
    HX_EPOCH_NONE,
    HX_EPOCH_FENCE, /* since the last fence; without accesses as good as none */
    HX_EPOCH_START,
    HX_EPOCH_LOCK,
    HX_EPOCH_LOCK_ALL,
} hx_epoch_kind;

typedef enum hx_step {
    HX_STEP_FENCE,
    HX_STEP_POST,
    HX_STEP_WAIT,
    HX_STEP_START,
    HX_STEP_COMPLETE,
    HX_STEP_LOCK,
    HX_STEP_UNLOCK,
    HX_STEP_LOCK_ALL,
    HX_STEP_UNLOCK_ALL,
    HX_STEP_FLUSH,
    HX_STEP_FLUSH_LOCAL,
    HX_STEP_SYNC,
    HX_STEP_FREE,
} hx_step;

typedef enum hx_access_kind { HX_ACCESS_PUT, HX_ACCESS_GET, HX_ACCESS_ACCUMULATE } hx_access_kind;

/* Bytes in memory or in what a target exposes. */
typedef struct hx_range {
    uint64_t lo;
    uint64_t hi; /* lo: none */
} hx_range;

typedef struct hx_access {
    hx_access_kind kind;
    int target;
    MPI_Op op;     /* of an accumulation */
    bool request;  /* completed by the user, unseen */
    hx_range part; /* of the target */
    hx_range own;  /* the same as memory of this rank, if it is the target */
    hx_range from; /* memory of this rank */
    hx_range into;
} hx_access;

typedef struct hx_epoch {
    hx_epoch_kind kind;
    bool exposed; /* between post and wait */
    int ranks;
    unsigned char *open; /* by rank: a target of start or lock */
    int locks;
    int64_t accesses; /* since the epoch began */
    /* With the option check only: those that may not be complete. */
    hx_access *pending;
    int count;
    int room;
} hx_epoch;

hx_status hx_epoch_make(int ranks, hx_epoch *epoch);
void hx_epoch_free(hx_epoch *epoch);

/* May this step come now?  target: of lock, unlock and flush, else -1.  The sentence leaves it to the caller
 * to name call and window: it goes on after "rank 3 ". */
hx_status hx_epoch_may(const hx_epoch *epoch, hx_step step, int target);

/* It came.  opens: of a fence, whether accesses may follow. */
void hx_epoch_note(hx_epoch *epoch, hx_step step, int target, bool opens);

/* May this access come now? */
hx_status hx_epoch_may_access(const hx_epoch *epoch, const hx_access *access);

/* Before it comes, with the option check: room to remember it. */
hx_status hx_epoch_reserve(hx_epoch *epoch);
void hx_epoch_remember(hx_epoch *epoch, const hx_access *access);

#endif
