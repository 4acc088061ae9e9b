/* Who waits for whom, by the files of HX_DEADLINE_REPORT. */
#ifndef HALOGEN_WAITS_H
#define HALOGEN_WAITS_H

#include "base/text.h"
#include "observe/waits_format.h"

typedef enum hg_waits_process {
    PROCESS_UNKNOWN,
    PROCESS_RUNS,
    PROCESS_STOPPED,
    PROCESS_GONE
} hg_waits_process;

/* A process, or a rank that others wait for and that left no file. */
typedef struct hg_waits_rank {
    char *bytes;                        /* its file */
    const hxi_waits_head *head;         /* in it; NULL: there is none */
    const hxi_waits_handle *handle;     /* in which it waits, ... */
    const hxi_waits_exchange *exchange; /* ... for messages of this one; NULL: it does not */
    uint64_t id;                        /* without a file: of the handle whose rank it is */
    int rank;
    hg_waits_process process; /* as this machine knows it */
    bool silent;              /* it did not answer SIGUSR1 when others did */
    size_t *to;               /* numbers of those for which it waits, rising */
    size_t to_count;
    size_t waiting; /* others that wait for it, or for one that waits for it, ... */
} hg_waits_rank;

typedef struct hg_waits {
    hg_waits_rank *rank; /* processes by number, then those without a file */
    size_t count;
    bool is_over;   /* all processes are gone, as this machine knows */
    size_t answers; /* processes that answered SIGUSR1 when it was last sent */
    size_t first;   /* for which the others wait: look at it first; count: nobody waits */
} hg_waits;

/* On failure, or where there are no files, says in `problem` what is wrong. */
bool waits_read(const char *directory, hg_waits *waits, hg_text *problem);
void waits_free(hg_waits *waits);

/* It is stopped or gone, or does not answer: nothing that others do makes it go on. */
bool waits_is_out(const hg_waits_rank *rank);

/* How many ranks wait where this one does, with itself, and how many of them gave up. */
size_t waits_company(const hg_waits *waits, const hg_waits_rank *rank, size_t *gave_up);

/* Most of those gave up, and this one did not. */
bool waits_outlasts(const hg_waits *waits, const hg_waits_rank *rank);

/* Appends who comes first and why, then each rank. */
void waits_tell(const hg_waits *waits, hg_text *text);

#endif
