/* Every bound that the generator puts on a spec, in one place.  confine.c has the words for a user
 * who runs into one. */
#ifndef HALOGEN_CONFINE_H
#define HALOGEN_CONFINE_H

#include "base/text.h"

enum {
    MEBIBYTE = 1 << 20,

    /* Time.  The first to be reached ends the child.  It is the processor's time, since on a busy machine a
     * good spec may take any time on the wall; only a child that somebody stopped, and that cannot end
     * itself, is given up by the wall.  At the end the child has a moment to say at which line it was. */
    INSTRUCTIONS_IN_MILLIONS = 50,
    CPU_SECONDS = 5,
    LAST_WORDS_SECONDS = 1,
    STOPPED_SECONDS = 8,

    /* Space. */
    LUA_MEBIBYTES = 256,
    ADDRESS_SPACE_MEBIBYTES = 1024,
    DESCRIPTORS = 64,

    /* What may come in and go out. */
    SOURCES_MAX = 256,
    SOURCE_BYTES_MAX = 64 * MEBIBYTE, /* all together */
    DIAGS_MAX = 100,
    NOTES_MAX = 8,
    MESSAGE_MAX = 4096, /* any one text of a diagnostic */
    TRACE_MAX = 16384,  /* the traceback of an internal error */
    OUTPUTS_MAX = 16,
    OUTPUT_BYTES_MAX = 64 * MEBIBYTE, /* all together */
    PRINT_BYTES_MAX = 16 * MEBIBYTE,
    NAME_MAX_BYTES = 200,
};

enum limit {
    LIMIT_TIME,
    LIMIT_INSTRUCTIONS,
    LIMIT_MEMORY,
    LIMIT_SOURCES,
    LIMIT_OUTPUTS,
    LIMIT_PRINT,
    LIMITS
};

/* The diagnostic for a limit that was reached: code, what to do, and the sentence, appended to `message`.
 * proving: by the proof of an exchange, not by the spec as it ran. */
const char *limit_code(enum limit limit);
const char *limit_help(enum limit limit, bool proving);
void limit_message(enum limit limit, bool proving, struct text *message);

/*
 * A limit of time as it is in this process: HALOGEN_PATIENCE (1 to 100) times as long, for Valgrind,
 * emulators and busy machines.  The variable belongs to whoever runs the build; a spec sees no environment.
 */
int patient(int seconds);

/* Whether this is a build with a sanitizer of memory or threads, which needs more of the system. */
bool confine_is_instrumented(void);

/* Puts this process under the operating system's limits on space, for good. */
void confine(void);

/* The same for time.  When it is up the function is called, as a handler of signals; it calls
 * confine_for_last_words(), after which the system ends the process within LAST_WORDS_SECONDS. */
void confine_time(void (*time_is_up)(int signal));
void confine_for_last_words(void);

#endif
