/*
 * Ranks are a binary tree.  A rank that has come, and whose children have, tells its parent; when the first
 * rank knows of all, it tells its children, and they theirs.  Whoever knows that the meeting fails tells its
 * parent and its children and is through, so nobody has to be there when others come to know: messages lie in
 * wait.
 *
 * A rank that told its parent that it is here cannot leave on its own: the first rank may have told all to go
 * on. It says that it wants to, and waits for a while for what it is told.
 */
#include "comm/meeting.h"

#include "base/clock.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

static hxi_meeting *first;

static int parent_of(const hxi_meeting *m)
{
    return m->topology->rank == 0 ? -1 : (m->topology->rank - 1) / HX_MEETING_CHILDREN;
}

/* -1: it has no such child. */
static int child_of(const hxi_meeting *m, int number)
{
    const int64_t child = INT64_C(1) * HX_MEETING_CHILDREN * m->topology->rank + 1 + number;
    return child < m->topology->ranks ? (int)child : -1;
}

void hxi_meeting_open(hxi_meeting *m, const hxi_topology *topology, const hxi_meeting_of *of)
{
    *m = (hxi_meeting){.topology = topology, .of = of};
    for (int i = 0; i < HX_MAILS; ++i) {
        m->sent[i] = MPI_REQUEST_NULL;
    }
    if (topology->serial) {
        m->next = first;
        first = m;
    }
}

/* ---- messages ------------------------------------------------------------------------------------------ */

static void note(hxi_meeting *m, int code, const char *call)
{
    if (code != MPI_SUCCESS && m->failed == HX_OK) {
        m->failed = hxi_fail_mpi(code, "Meeting the other ranks (%s)", call);
    }
}

static int tag_of(const hxi_meeting *m)
{
    return hxi_topology_tag(m->topology, HX_TAG_MEETING);
}

/* They are short, and on their way at once. */
static void finish_mail(hxi_meeting *m, int number)
{
    for (int gone = 0; !gone;) {
        const int code = MPI_Test(&m->sent[number], &gone, MPI_STATUS_IGNORE);
        note(m, code, "MPI_Test");
        gone = gone || code != MPI_SUCCESS; /* it will say no more */
    }
}

static void send(hxi_meeting *m, int number, int to, const hxi_word *word)
{
    if (to < 0) {
        return;
    }
    finish_mail(m, number);
    m->mail[number] = *word;
    m->mail[number].number = m->number;
    note(m,
         MPI_Isend(&m->mail[number], (int)sizeof m->mail[number], MPI_BYTE, to, tag_of(m), m->topology->comm,
                   &m->sent[number]),
         "MPI_Isend");
}

static void tell_children(hxi_meeting *m, const hxi_word *word)
{
    for (int c = 0; c < HX_MEETING_CHILDREN; ++c) {
        send(m, HX_MAIL_DOWN + c, child_of(m, c), word);
    }
}

/* This rank knows that the meeting fails, and nobody was told that it does not. */
static void tell_all(hxi_meeting *m, const hxi_word *word)
{
    m->spoiled = true;
    send(m, HX_MAIL_UP, parent_of(m), word);
    tell_children(m, word);
}

/* One message of a rank, if there is one. */
static bool hear(hxi_meeting *m, int from, hxi_word *word)
{
    int waits = 0;
    MPI_Status found;
    if (from >= 0) {
        note(m, MPI_Iprobe(from, tag_of(m), m->topology->comm, &waits, &found), "MPI_Iprobe");
    }
    if (waits) {
        note(m, MPI_Recv(word, (int)sizeof *word, MPI_BYTE, from, tag_of(m), m->topology->comm, &found),
             "MPI_Recv");
    }
    return waits != 0;
}

/* ---- one meeting --------------------------------------------------------------------------------------- */

static hxi_word differ(int one, const char *call, int other, const char *other_call)
{
    hxi_word word = {.kind = HX_WORD_DIFFER, .rank = {one, other}};
    snprintf(word.call[0], sizeof word.call[0], "%s", call);
    snprintf(word.call[1], sizeof word.call[1], "%s", other_call);
    return word;
}

/* What a child says.  Returns what is known of the whole meeting then, or NONE. */
static hxi_word weigh(hxi_meeting *m, int child, const hxi_word *said)
{
    hxi_word known = {.kind = HX_WORD_NONE};
    m->heard[child] = m->heard[child] || said->kind == HX_WORD_HERE;
    if (said->kind == HX_WORD_GONE && m->told) {
        send(m, HX_MAIL_GONE, parent_of(m), said); /* it may come too late: the parent's word counts */
    } else if (said->kind != HX_WORD_HERE) {
        known = *said;
    } else if (m->own.kind == HX_WORD_HERE && strcmp(said->call[0], m->own.call[0]) != 0) {
        known = differ(m->own.rank[0], m->own.call[0], said->rank[0], said->call[0]);
    }
    return known;
}

/* The next word of a child, which may have come early; false: there is none.  Those of meetings that are over
 * say nothing. */
static bool hear_child(hxi_meeting *m, int child, hxi_word *said)
{
    hxi_word *early = &m->early[child];
    const bool was_early = early->kind != HX_WORD_NONE && early->number == m->number;
    const bool heard = was_early || hear(m, child_of(m, child), said);
    if (was_early) {
        *said = *early;
        early->kind = HX_WORD_NONE;
    } else if (heard && said->number > m->number) {
        *early = *said;
    }
    return heard;
}

/* What the children say, all of it: who has come may have left again.  A meeting that fails is made known. */
static hxi_word listen_below(hxi_meeting *m)
{
    hxi_word known = {.kind = HX_WORD_NONE};
    hxi_word said = {.kind = HX_WORD_NONE};
    for (int c = 0; c < HX_MEETING_CHILDREN; ++c) {
        while (known.kind == HX_WORD_NONE && hear_child(m, c, &said)) {
            if (said.number == m->number) {
                known = weigh(m, c, &said);
            }
        }
    }
    if (known.kind != HX_WORD_NONE) {
        tell_all(m, &known);
    }
    return known;
}

/* What the parent says, who knows of all. */
static hxi_word listen_above(hxi_meeting *m)
{
    hxi_word said = {.kind = HX_WORD_NONE};
    while (hear(m, parent_of(m), &said) && said.number < m->number) {
        said.kind = HX_WORD_NONE;
    }
    if (said.kind != HX_WORD_NONE) {
        m->spoiled = m->spoiled || said.kind != HX_WORD_HERE;
        tell_children(m, &said);
    }
    return said;
}

static bool is_complete(const hxi_meeting *m)
{
    bool complete = true;
    for (int c = 0; c < HX_MEETING_CHILDREN; ++c) {
        complete = complete && (m->heard[c] || child_of(m, c) < 0);
    }
    return complete;
}

/* Returns what is known of the whole meeting, or NONE. */
static hxi_word step(hxi_meeting *m)
{
    hxi_word known = listen_above(m);
    if (known.kind == HX_WORD_NONE) {
        known = listen_below(m);
    }
    if (known.kind == HX_WORD_NONE && !m->told && is_complete(m)) {
        m->told = true;
        send(m, HX_MAIL_UP, parent_of(m), &m->own);
        if (parent_of(m) < 0) {
            known = m->own;
            tell_children(m, &known);
        }
    }
    return known;
}

/* ---- several meetings ---------------------------------------------------------------------------------- */

static bool are_alike(const hxi_topology *a, const hxi_topology *b)
{
    int result = MPI_UNEQUAL;
    return a->ranks == b->ranks && a->rank == b->rank &&
           MPI_Comm_compare(a->comm, b->comm, &result) == MPI_SUCCESS && result == MPI_CONGRUENT;
}

/*
 * A child that this rank waits for has come to another meeting, and waits there for this rank: each process
 * calls MPI from one thread at a time, so neither could ever come.  Both meetings are refused.
 */
static hxi_word compare(hxi_meeting *m, hxi_meeting *other, int child)
{
    static const char elsewhere[] = "%.50s for another %s";
    char here[HX_MEETING_CALL];
    char there[HX_MEETING_CALL];
    snprintf(here, sizeof here, elsewhere, m->own.call[0], m->of->name);
    snprintf(there, sizeof there, elsewhere, other->early[child].call[0], other->of->name);
    const int rank = m->topology->rank;
    other->refused = differ(other->early[child].rank[0], other->early[child].call[0], rank, here);
    tell_all(other, &other->refused);
    const hxi_word known = differ(rank, m->own.call[0], other->early[child].rank[0], there);
    tell_all(m, &known);
    return known;
}

/* Keeps what a child says to a meeting that this rank has not joined yet, above all why it failed. */
static bool waits_for_us(hxi_meeting *m, int child)
{
    hxi_word *said = &m->early[child];
    hxi_word next;
    while ((said->kind <= HX_WORD_HERE || said->number < m->number) && said->number <= m->number &&
           hear(m, child_of(m, child), &next)) {
        *said = next.number < m->number ? *said : next;
    }
    return said->kind == HX_WORD_HERE && said->number == m->number && m->refused.kind == HX_WORD_NONE;
}

static hxi_word look_around(hxi_meeting *m)
{
    hxi_word known = {.kind = HX_WORD_NONE};
    for (hxi_meeting *other = m->topology->serial ? first : NULL; other && known.kind == HX_WORD_NONE;
         other = other->next) {
        for (int c = 0; c < HX_MEETING_CHILDREN && known.kind == HX_WORD_NONE; ++c) {
            if (other != m && !m->heard[c] && child_of(m, c) >= 0 && !m->told &&
                are_alike(m->topology, other->topology) && waits_for_us(other, c)) {
                known = compare(m, other, c);
            }
        }
    }
    return known;
}

/* ---- waiting ------------------------------------------------------------------------------------------- */

/* The deadline has passed. */
static hxi_word leave(hxi_meeting *m, double grace, void (*meanwhile)(void *context), void *context)
{
    hxi_word known = {.kind = HX_WORD_NONE};
    const hxi_word gone = {.kind = HX_WORD_GONE, .rank = {m->topology->rank, 0}};
    m->spoiled = true;
    if (!m->told) {
        tell_all(m, &gone);
        return gone;
    }
    send(m, HX_MAIL_GONE, parent_of(m), &gone);
    for (const double before = hxi_clock(); known.kind == HX_WORD_NONE && hxi_clock() - before < grace;) {
        meanwhile(context);
        known = step(m);
    }
    if (known.kind == HX_WORD_NONE) {
        tell_children(m, &gone);
        known = gone;
    }
    return known;
}

static hxi_word wait(hxi_meeting *m, double deadline, void (*meanwhile)(void *context), void *context)
{
    const double until = deadline > 0.0 ? hxi_clock() + deadline : 0.0;
    hxi_word known = m->refused;
    for (int turn = 1; known.kind == HX_WORD_NONE; ++turn) {
        meanwhile(context);
        known = step(m);
        if (known.kind == HX_WORD_NONE && turn % 64 == 0) {
            known = look_around(m);
            hxi_clock_yield(); /* whom this rank waits for may need its processor */
        }
        if (known.kind == HX_WORD_NONE && until > 0.0 && hxi_clock() > until) {
            known = leave(m, hxi_clock_grace(deadline), meanwhile, context);
        }
    }
    return known;
}

/* Ends this meeting.  Where a rank has left, this rank joins no other; where two calls differ, it may try again. */
static void pass(hxi_meeting *m, const hxi_word *known)
{
    for (int i = 0; i < HX_MAILS && known->kind == HX_WORD_HERE; ++i) {
        finish_mail(m, i);
    }
    m->number++;
    m->own.kind = m->refused.kind = HX_WORD_NONE;
    m->told = false;
    memset(m->heard, 0, sizeof m->heard);
    if (known->kind == HX_WORD_GONE) {
        tell_all(m, known);
    }
}

static hx_status judge(const hxi_meeting *m, const char *call, double deadline, const hxi_word *known)
{
    if (known->kind == HX_WORD_HERE) {
        return m->failed;
    }
    if (known->kind == HX_WORD_DIFFER) {
        return hxi_fail(
            HX_ERR_MISMATCH,
            "Rank %d called %s, and rank %d %s.  All ranks make the same calls, in the same order.",
            (int)known->rank[0], known->call[0], (int)known->rank[1], known->call[1]);
    }
    if (known->rank[0] != m->topology->rank) {
        return hxi_fail(HX_ERR_DEADLINE,
                        "%s: rank %d waited for other ranks to call it until its deadline, and left.  %s",
                        call, (int)known->rank[0], m->of->lost);
    }
    return hxi_fail(HX_ERR_DEADLINE,
                    "%s: after %g seconds rank %d still waits for other ranks to call it.  %s", call,
                    deadline, m->topology->rank, m->of->lost);
}

hx_status hxi_meeting_wait(hxi_meeting *m, const char *call, double deadline,
                           void (*meanwhile)(void *context), void *context)
{
    m->failed = HX_OK;
    m->own = (hxi_word){.number = m->number, .kind = HX_WORD_HERE, .rank = {m->topology->rank, 0}};
    snprintf(m->own.call[0], sizeof m->own.call[0], "%s", call);
    const hxi_word known = wait(m, deadline, meanwhile, context);
    pass(m, &known);
    return judge(m, call, deadline, &known);
}

bool hxi_meeting_close(hxi_meeting *m)
{
    for (hxi_meeting **link = &first; *link; link = &(*link)->next) {
        if (*link == m) {
            *link = m->next;
            break;
        }
    }
    int quiet = 1;
    for (int i = 0; i < HX_MAILS && quiet && m->spoiled && hxi_topology_alive(); ++i) {
        note(m, MPI_Test(&m->sent[i], &quiet, MPI_STATUS_IGNORE), "MPI_Test");
    }
    return quiet != 0;
}
