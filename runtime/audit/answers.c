/*
 * What ranks tell each other when something is wrong: values of owners, and what they have met.
 */
#include "audit/bundle.h"

#include <stdio.h>

hx_status hxi_audit_send_values(hxi_audits *audits, int exchange)
{
    hxi_audit *a = &audits->audit[exchange];
    for (int m = 0; m < a->mail.outs; ++m) {
        if (!a->mail.out[m].own) {
            hxi_bundle_keep(audits, a, &a->mail.out[m], HX_KEEP_NOW, a->digest);
        }
    }
    for (int m = 0; m < a->mail.ins; ++m) {
        a->mail.in[m].known = true;
    }
    return hxi_mail_start_values(&a->mail, hxi_keep_of(a->run));
}

hx_status hxi_audits_vote(hxi_audits *audits, int64_t first, int64_t second)
{
    audits->vote.mine[0] = first;
    audits->vote.mine[1] = second;
    return hxi_vote_start(&audits->vote, audits->comm);
}

hx_status hxi_audits_tell(hxi_audits *audits, hx_status met, int rank)
{
    const hxi_topology *t = audits->whose.topology;
    audits->vote.told.status = (int)hxi_topology_sign(t->rank, t->ranks, met);
    snprintf(audits->vote.told.sentence, sizeof audits->vote.told.sentence, "%s", hx_last_error());
    return hxi_vote_tell(&audits->vote, audits->comm, rank);
}

hx_status hxi_audits_voted(hxi_audits *audits, bool *done)
{
    return hxi_vote_test(&audits->vote, done);
}

const int64_t *hxi_audits_most(const hxi_audits *audits)
{
    return audits->vote.most;
}

hx_status hxi_audits_told(const hxi_audits *audits)
{
    return hxi_fail((hx_status)audits->vote.told.status, "%s", audits->vote.told.sentence);
}

/* There may be no memory for what differs: then an audit says less. */
hx_status hxi_audit_ask(hxi_audits *audits, int exchange)
{
    hxi_audit *a = &audits->audit[exchange];
    hx_status status = HX_OK;
    for (int m = 0; m < a->mail.ins && status == HX_OK; ++m) {
        hxi_bundle *b = &a->mail.in[m];
        if (!b->differs || b->known) {
            continue;
        }
        if (!b->keep[HX_KEEP_ANSWER]) {
            b->keep[HX_KEEP_ANSWER] = hxi_memory_get(b->bytes, 1, "values of owners in an audit");
        }
        status = b->keep[HX_KEEP_ANSWER] ? hxi_mail_question(&a->mail, b, a->run) : HX_OK;
    }
    return status;
}

hx_status hxi_audit_answered(hxi_audits *audits, int exchange, bool *done)
{
    hxi_audit *a = &audits->audit[exchange];
    hx_status status = HX_OK;
    *done = true;
    for (int m = 0; m < a->mail.ins && status == HX_OK; ++m) {
        hxi_bundle *b = &a->mail.in[m];
        bool come = true;
        if (b->differs && !b->known && b->keep[HX_KEEP_ANSWER]) {
            status = hxi_mail_answered(b, &come);
            b->known = status == HX_OK && come && hxi_run_of(b, HX_KEEP_ANSWER) == a->run;
        }
        *done = *done && come;
    }
    return status;
}

hx_status hxi_audits_serve(hxi_audits *audits)
{
    hxi_question question;
    bool heard = false;
    hx_status status = hxi_desk_hear(&audits->desk, &question, &heard);
    const hxi_audit *a = heard ? &audits->audit[question.exchange] : NULL;
    for (int m = 0; a && m < a->mail.outs && status == HX_OK; ++m) {
        if (a->mail.out[m].peer == question.from) {
            status = hxi_mail_answer(&a->mail, &a->mail.out[m], hxi_keep_of(question.run));
        }
    }
    return status;
}
