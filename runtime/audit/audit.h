/*
 * Audits of the exchanges of a handle: each point that an exchange fills is compared with its owner's.
 *
 * The owners send digests of what they have when an exchange starts in messages of the audit's own, and those
 * that are fed compare them when it is finished.  So an audit knows what the owner had, whatever that has done
 * since.  It waits for ranks that feed this one, as the exchange does.  Owners keep their values for the two
 * last runs, and answer whoever finds a difference.
 */
#ifndef HX_AUDIT_H
#define HX_AUDIT_H

#include "audit/report.h"
#include "comm/topology.h"

/* What is asked for, by bits. */
enum { HX_AUDIT_RUNS = 1, HX_AUDIT_POISON = 2 };

typedef struct hxi_audits hxi_audits;

/* Whose exchanges they are.  It stays where it is until close. */
typedef struct hxi_audited {
    const hx_spec *spec;
    const hxi_layout *layout;
    const hxi_block_list *mine;
    const hxi_topology *topology;
    /* Where an array of a block comes from, a number that is the same on all ranks; 0: not known. */
    uint64_t (*mark)(const void *context, int block, const void *array);
    const void *context;
} hxi_audited;

/* Can this exchange be audited by a call?  Where ghost points went back to their owners nothing is left to look at. */
bool hxi_audit_can(const hx_exchange *exchange);

/* Each of its runs?  Not where fields lie on a device: its finish does not wait for what a stream does. */
bool hxi_audit_can_follow(const hx_spec *spec, const hx_exchange *exchange);

/* Collective. */
hx_status hxi_audits_open(const hxi_audited *whose, unsigned asked, hxi_audits **made);

/* abandon: messages may still travel, so what they lie in stays. */
void hxi_audits_close(hxi_audits *audits, bool abandon);

/*
 * Collective.  If all ranks get HX_OK this exchange can be looked at on this occasion, and start needs no
 * memory; else it can be tried again.
 */
hx_status hxi_audits_add(hxi_audits *audits, int exchange, hxi_occasion occasion);

/* Does it look at every run of this exchange? */
bool hxi_audits_watch(const hxi_audits *audits, int exchange);

/* Local.  Poisons ghost points of new arrays, if that is asked for; fields: as for start. */
void hxi_audits_poison(const hxi_audits *audits, const void *fields);

/* Local, before start, if that is asked for: poisons what is to be filled. */
void hxi_audit_poison(hxi_audits *audits, int exchange, const void *fields);

/* Another exchange of one of its fields is under way, too: sums of this run cannot be told. */
void hxi_audit_blur(hxi_audits *audits, int exchange, bool blurred);

/* Arrays of a call. */
typedef struct hxi_given {
    const void *fields; /* as for start */
    const void *values; /* the same, but copies of what lies in the memory of a device */
    /* To the last run, by block and field of the spec, for an audit that has not seen it; or NULL. */
    void *const *last_given;
} hxi_given;

/* Local, before an exchange moves anything: sends digests of what owners have. */
hx_status hxi_audit_start(hxi_audits *audits, int exchange, const hxi_given *given, hxi_occasion occasion);

/* Local, before finish waits.  runs: that are finished. */
void hxi_audit_before_finish(hxi_audits *audits, int exchange, uint64_t runs);

/* Local, again and again: have all digests come that are to be compared? */
hx_status hxi_audit_test(hxi_audits *audits, int exchange, bool *done);

/*
 * Local, when they have: do arrays of this run come from elsewhere than those of a rank that feeds this one?  Then
 * hx_last_error tells, once until they do not.
 */
bool hxi_audit_swapped(hxi_audits *audits, int exchange);

/* Local, when they have: compares them.  True: to say what is wrong the values of other ranks are needed. */
bool hxi_audit_look(hxi_audits *audits, int exchange);

/* Those of now and of the last run go to all.  Where one rank needs them, when the application asks. */
hx_status hxi_audit_send_values(hxi_audits *audits, int exchange);

/*
 * Collective: of each of two numbers the greatest of all ranks, and what the lowest rank with a failure met, if any
 * did.  Both go on until they have been tested often enough; their room stays after a deadline.
 */
hx_status hxi_audits_vote(hxi_audits *audits, int64_t first, int64_t second);
hx_status hxi_audits_tell(hxi_audits *audits, hx_status met, int rank);
hx_status hxi_audits_voted(hxi_audits *audits, bool *done);
const int64_t *hxi_audits_most(const hxi_audits *audits);
hx_status hxi_audits_told(const hxi_audits *audits);

/* Those of this run, behind finish: asks for them, and, again and again, whether they have come. */
hx_status hxi_audit_ask(hxi_audits *audits, int exchange);
hx_status hxi_audit_answered(hxi_audits *audits, int exchange, bool *done);

/* Answers another rank, if one asks.  Now and then, while this one waits. */
hx_status hxi_audits_serve(hxi_audits *audits);

/*
 * Local, at last.  HX_ERR_MISMATCH, in words, where a point is wrong.  runs: of the exchange that are
 * finished.
 */
hx_status hxi_audit_finish(hxi_audits *audits, int exchange, uint64_t runs);

#endif
