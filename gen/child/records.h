/* What the confined child tells the parent: records through a pipe, each a fixed header, up to four numbers
 * and up to four texts.  Both ends are one program, so integers travel as they are in memory. */
#ifndef HALOGEN_RECORDS_H
#define HALOGEN_RECORDS_H

#include "base/text.h"

#include <sys/types.h>

typedef enum hg_record_kind {
    RECORD_SOURCE,   /* path, text: a file that was read besides the spec */
    RECORD_DIAG,     /* numbers: severity, line, column, length; texts: code, file, message, help */
    RECORD_NOTE,     /* the same: a note that belongs to the last diagnostic */
    RECORD_FIX,      /* numbers: line, column, length; texts: file, text: the fix of the last diagnostic */
    RECORD_OUTPUT,   /* name, text */
    RECORD_PRINT,    /* text for standard output */
    RECORD_LIMIT,    /* numbers: which limit, line or 0, in a proof; texts: file.  The child's last record */
    RECORD_INTERNAL, /* what went wrong in our own Lua, with a traceback.  The child's last record */
    RECORD_END,      /* numbers: failed, diagnostics left out.  The child's last record */
    RECORD_KINDS
} hg_record_kind;

enum { RECORD_NUMBERS = 4, RECORD_TEXTS = 4 };

typedef struct hg_record {
    hg_record_kind kind;
    uint32_t numbers[RECORD_NUMBERS];
    hg_text texts[RECORD_TEXTS]; /* absent ones are empty; `bytes` is never NULL in a received record */
} hg_record;

/* Sends a record whose texts need not be owned by it; ends the process if nobody listens. */
void record_send(int pipe, const hg_record *record);

typedef enum hg_record_result {
    RECORD_RECEIVED,
    RECORD_NONE,    /* the other end was closed, perhaps in the middle of a record */
    RECORD_STOPPED, /* the sender has been stopped for so long that it is given up */
    RECORD_CORRUPT, /* not a record, or one with a text beyond its limit */
} hg_record_result;

/* Waits for a record, to be freed after RECORD_RECEIVED.  sender: the child process at the other end, or 0
 * for one that is never given up. */
hg_record_result record_receive(int pipe, pid_t sender, hg_record *record);
void record_free(hg_record *record);

#endif
