/*
 * Memory that exchanges know to be shared by the ranks of a node.  One call of hx_alloc makes a set: one
 * array for each field of each block of this rank, all of them in its part of memory of the set's own.  A
 * window that hx_register was given is a set, too: arrays lie in it as the application likes.  Sets are
 * numbered, so ranks can speak about them.
 */
#ifndef HX_SETS_H
#define HX_SETS_H

#include "base/lease.h"
#include "base/memory.h"
#include "device/device.h"
#include "transport/board.h"

typedef struct hxi_set {
    hxi_kept kept;         /* after it was abandoned */
    struct hxi_set *next;  /* of the handle, on all ranks in the same order */
    int number;            /* 1 and up, the same on all ranks of a node */
    unsigned char *shared; /* what the ranks of the node share, as this rank sees it; NULL: nothing */
    size_t bytes;          /* of that */
    hx_window *window;     /* whose memory it is; NULL: of hx_alloc, and the rest is about that */
    const char *name;      /* of the window */
    hxi_lease use;         /* of the window */
    hxi_node_memory memory;
    const hx_spec *spec;    /* of its arrays */
    const hx_device *calls; /* NULL: no field of the spec lies on a device */
    unsigned char *device;  /* memory of it, for those that do */
    size_t device_bytes;
    /* Others of the node write messages straight into it, and this rank into theirs. */
    hxi_device_shared there;
    hxi_node_memory shown; /* what they show each other of that */
    int slots;             /* arrays: slot block * fields + field, blocks in the order of the shapes */
    size_t *offset;        /* where they start in this rank's part, or in the memory of the device; rising */
    unsigned char *state;  /* what has become of them */
    bool ends;             /* while arrays are freed: no rank keeps any */
} hxi_set;

typedef struct hxi_sets {
    hxi_set *first;
    int made;           /* so far, freed or not */
    int changes;        /* how often there were more, or fewer */
    bool lent;          /* other handles will use the arrays, too, each in its way */
    const bool *needed; /* by field: which of them alloc is to give; the others get none.  NULL: all */
    size_t real; /* bytes of memory that arrays which are lent take at most, of the host: they repeat it */
} hxi_sets;

/* Where an array of so many bytes is; its set is 0 if others of the node cannot reach all of it. */
hxi_where hxi_sets_find(const hxi_sets *sets, const void *array, size_t bytes);

/* Where this rank sees an array of any rank of its node; NULL: nowhere. */
void *hxi_sets_reach(const hxi_sets *sets, const hxi_where *where);

/* The same for an array in memory of this rank's device, and for one of a rank of the node on that one's. */
hxi_where hxi_sets_find_there(const hxi_sets *sets, const void *array, size_t bytes);
void *hxi_sets_reach_there(const hxi_sets *sets, int node_rank, const hxi_where *where);

/* From now on exchanges know it. */
void hxi_sets_add(hxi_sets *sets, hxi_set *set);

/* Frees a set that no list has; memory of a device that another rank has not closed stays. */
void hxi_sets_drop(hxi_set *set);

/* Local.  abandon: messages may still come, so this rank's part stays until the process ends. */
void hxi_sets_free(hxi_sets *sets, int abandon);

#endif
