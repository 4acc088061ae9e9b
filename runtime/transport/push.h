/*
 * Pushes: the receiver of a message tells its node, when it starts, that its arrays may be written and where they
 * are; the sender, when it starts, copies points from its own arrays into them.  direct.h and device_direct.h say
 * which messages go like this, partners.h who the receivers are.
 */
#ifndef HX_PUSH_H
#define HX_PUSH_H

#include "transport/transport.h"

/* What this rank tells its node of the arrays of one exchange. */
typedef struct hxi_posting {
    hxi_posted_arrays *posted; /* where others look for it; NULL: nobody does */
    const hxi_slot *slot;
    int slots;
    int fields;       /* of the spec */
    bool on_device;   /* the arrays lie in memory of a device */
    bool always;      /* others wait to hear of a start, even of one whose arrays they cannot reach */
    void **published; /* arrays last announced, by slot */
    int changes;      /* of the sets, when they were announced */
} hxi_posting;

/* Notes where the arrays of a start are; true: others reach all of them. */
bool hxi_posting_note(hxi_posting *posting, const hxi_sets *sets, void *const *base);

/* Then tells that start number `start` has come, from 1: what was noted holds. */
void hxi_posting_raise(hxi_posting *posting, uint64_t start);

/* Both, where anybody waits for that. */
void hxi_posting_tell(hxi_posting *posting, const hxi_sets *sets, void *const *base, uint64_t start);

/* Has a partner started so often?  Then it has told where its arrays are, and its ghost points may be written. */
bool hxi_push_may_begin(const hxi_partners *partners, int number, uint64_t start);

/* Finds the arrays that a partner has told of where this rank sees them; false: not all are to be seen. */
bool hxi_push_reach(hxi_partners *partners, int number);

/*
 * Copies the points of message `number` into the arrays of a receiver that has started so often, or does so in a
 * moment.  They are packed where these arrays are not all in memory that is shared.
 */
hxi_answer hxi_push(const hxi_binding *binding, int number, uint64_t start, void *const *base);

#endif
