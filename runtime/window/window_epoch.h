/*
 * Epochs of one way to reach a window, as this rank sees them: which calls may come next, and which accesses
 * may not be complete.  Calls no MPI.
 */
#ifndef HX_WINDOW_EPOCH_H
#define HX_WINDOW_EPOCH_H

#include <hx/hx.h>

#include <stdbool.h>

/* What lets this rank access targets. */
typedef enum hxi_epoch_kind {
    HX_EPOCH_NONE,
    HX_EPOCH_FENCE, /* since the last fence; without accesses as good as none */
    HX_EPOCH_START,
    HX_EPOCH_LOCK,
    HX_EPOCH_LOCK_ALL,
} hxi_epoch_kind;

typedef enum hxi_step {
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
} hxi_step;

typedef enum hxi_access_kind { HX_ACCESS_PUT, HX_ACCESS_GET, HX_ACCESS_ACCUMULATE } hxi_access_kind;

/* Bytes in memory or in what a target exposes. */
typedef struct hxi_range {
    uint64_t lo;
    uint64_t hi; /* lo: none */
} hxi_range;

typedef struct hxi_access {
    hxi_access_kind kind;
    int target;
    MPI_Op op;      /* of an accumulation */
    bool request;   /* completed by the user, unseen */
    hxi_range part; /* of the target */
    hxi_range own;  /* the same as memory of this rank, if it is the target */
    hxi_range from; /* memory of this rank */
    hxi_range into;
} hxi_access;

typedef struct hxi_epoch {
    hxi_epoch_kind kind;
    bool exposed; /* between post and wait */
    int ranks;
    unsigned char *open; /* by rank: a target of start or lock */
    int locks;
    int64_t accesses; /* since the epoch began */
    /* With the option check only: those that may not be complete. */
    hxi_access *pending;
    int count;
    int room;
} hxi_epoch;

hx_status hxi_epoch_make(int ranks, hxi_epoch *epoch);
void hxi_epoch_free(hxi_epoch *epoch);

/* May this step come now?  target: of lock, unlock and flush, else -1.  The sentence leaves it to the caller
 * to name call and window: it goes on after "rank 3 ". */
hx_status hxi_epoch_may(const hxi_epoch *epoch, hxi_step step, int target);

/* It came.  opens: of a fence, whether accesses may follow. */
void hxi_epoch_note(hxi_epoch *epoch, hxi_step step, int target, bool opens);

/* May this access come now? */
hx_status hxi_epoch_may_access(const hxi_epoch *epoch, const hxi_access *access);

/* Before it comes, with the option check: room to remember it. */
hx_status hxi_epoch_reserve(hxi_epoch *epoch);
void hxi_epoch_remember(hxi_epoch *epoch, const hxi_access *access);

#endif
