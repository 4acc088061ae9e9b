/*
 * What an audit of an exchange keeps, from its making to the end.
 */
#ifndef HX_AUDIT_STATE_H
#define HX_AUDIT_STATE_H

#include "audit/audit.h"
#include "audit/mail.h"
#include "base/memory.h"
#include "comm/vote.h"

enum { HX_FIELDS_IN_HEADER = 64 };

/* What points become that several have a share in: see total.c. */
typedef struct hxi_totals hxi_totals;

/* Of one exchange. */
typedef struct hxi_audit {
    const hx_exchange *exchange;
    hxi_patches filled; /* by this rank's owners, or others; by rising peer */
    hxi_patches fed;    /* that this rank feeds */
    hxi_rows *filled_rows;
    hxi_rows *fed_rows;
    hxi_mail mail;
    hxi_occasion occasion;
    bool has_room[HX_OCCASIONS];
    void **given;   /* arrays, by block and field of the spec */
    void **values;  /* likewise, where their values are to be read */
    uint64_t *mark; /* by field of the exchange: where its arrays come from; 0: not known, or several */
    bool swapped;   /* that differs from where arrays of others come from, and was told */
    void **before;  /* likewise, those of the last run; NULL: not known */
    uint64_t run;   /* the last that was started while it was looked at */
    uint64_t noted; /* the last of which there are digests of what this rank feeds itself */
    bool recorded;  /* that was the last one, and it was finished */
    bool blurred;   /* another exchange of one of its fields was under way meanwhile */
    hxi_scratch scratch;
    hxi_totals *totals;    /* NULL: it copies ghost points */
    unsigned char *layers; /* room for what a cycle's layers hold; NULL: no cycle has this exchange */
    uint64_t *digest;      /* room for those of a bundle */
} hxi_audit;

struct hxi_audits {
    hxi_kept kept; /* after it was abandoned */
    hxi_audited whose;
    unsigned asked;
    MPI_Comm comm;
    hxi_desk desk;
    hxi_vote vote;
    int *owner;       /* rank of each block */
    hxi_audit *audit; /* by exchange; those without mail are not looked at */
};

/* Does it look at every run? */
static inline bool hxi_audits_look_at_runs(const hxi_audits *audits)
{
    return (audits->asked & HX_AUDIT_RUNS) != 0;
}

/*
 * Patches of a bundle that have one field and one component, from i on: returns where they end.  Both ends of
 * lists have the same points there, but other runs.
 */
int hxi_audit_group(const hxi_patches *patches, const hxi_bundle *bundle, int i);

/* The array of some rows. */
unsigned char *hxi_audit_array(const hxi_audits *audits, const hxi_audit *a, const hxi_rows *rows);

/* The bundle of what this rank feeds itself has the same patches on both sides. */
const hxi_bundle *hxi_audit_own_out(const hxi_audit *a);

/* What is known of a finding before anything is found. */
hxi_finding hxi_audit_finding(const hxi_audits *audits, const hxi_audit *a, uint64_t runs);

#endif
