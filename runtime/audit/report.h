/*
 * What an audit says: sentences that name a point, its owner, both values and what is likely behind it.
 */
#ifndef HX_AUDIT_REPORT_H
#define HX_AUDIT_REPORT_H

#include "audit/rows.h"
#include "base/status.h"

/* When an audit looks. */
typedef enum hxi_occasion {
    HX_AUDIT_FINISH, /* behind each finish: owners' values are those of the start */
    HX_AUDIT_CALL    /* the application asked: owners' values are those of now */
} hxi_occasion;

enum { HX_OCCASIONS = 2 };

/* What is known about a point that is wrong beside its values. */
typedef struct hxi_clue {
    bool recorded;             /* the audit looked at the last run; since then ... */
    bool unnoted;              /* it did, without a digest of the point's slab */
    bool ghost_kept;           /* ... the point, or its slab, is as it was then */
    bool owner_kept;           /* ... likewise what feeds it */
    const unsigned char *last; /* what they held then; NULL: not known */
    bool other_array;          /* the array is not the one that the last run was given ... */
    bool other_array_there;    /* ... on the owner's rank */
} hxi_clue;

typedef struct hxi_finding {
    const hx_spec *spec;
    const hx_exchange *exchange;
    const hxi_layout *layout;
    const hxi_block_list *mine;
    int rank;
    hxi_occasion occasion;
    uint64_t runs; /* that are finished */
    const hxi_patch *patch;
    const hxi_rows *rows;
    hxi_difference first;
    hxi_clue clue;
    int boxes;                     /* of ghost points of this field and block ... */
    int written;                   /* ... those that are not as the last run left them, if that is known */
    char holders[HX_SENTENCE / 2]; /* what others have of a shared point, or gave to one, in words */
} hxi_finding;

/* Adds to holders who has what, in another copy of the point, which the patch leads to. */
void hxi_report_holder(hxi_finding *finding, const hxi_patch *patch, const unsigned char *value);

/* Likewise who gave a value to the point.  at: the place in the patch. */
void hxi_report_share(hxi_finding *finding, const hxi_patch *patch, const int at[], const char *value);

/* A number that several have a share in, in words. */
typedef struct hxi_sum {
    const char *is;
    const char *was; /* at start */
    const char *must;
} hxi_sum;

/* Arrays of a field that come from two places, as hxi_audited.mark has them: of a set, and made for a field. */
typedef struct hxi_swap {
    const hx_spec *spec;
    const hx_exchange *exchange;
    int rank;
    int peer;
    int field;
    uint64_t here;
    uint64_t there;
} hxi_swap;

static inline uint64_t hxi_mark(int set, int field)
{
    return (uint64_t)set << 32 | (uint64_t)(field + 1);
}

void hxi_report_swap(const hxi_swap *swap);

/* Sets hx_last_error, and returns HX_ERR_MISMATCH: a point that was filled is wrong, ... */
hx_status hxi_report_filled(const hxi_finding *finding);

/* ... some point of the patch is, and its owner has not said which, ... */
hx_status hxi_report_unanswered(const hxi_finding *finding);

/* ... blocks disagree about a shared point, ... */
hx_status hxi_report_shared(const hxi_finding *finding);

/* ... an owned one was written between start and finish, ... */
hx_status hxi_report_owned(const hxi_finding *finding);

/* ... a sum, a mean or the like is another, or a ghost point that was sent back is not as it must be then. */
hx_status hxi_report_total(const hxi_finding *finding, const hxi_sum *sum);
hx_status hxi_report_returned(const hxi_finding *finding, const char *reason);

#endif
