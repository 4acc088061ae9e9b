/* The limits of the process that runs a spec, and the words for a user who runs into one. */
#ifndef HALOGEN_CONFINE_H
#define HALOGEN_CONFINE_H

#include "base/limits.h"
#include "base/text.h"

typedef enum hg_limit {
    LIMIT_TIME,
    LIMIT_INSTRUCTIONS,
    LIMIT_MEMORY,
    LIMIT_SOURCES,
    LIMIT_OUTPUTS,
    LIMIT_PRINT,
    LIMITS
} hg_limit;

/* The diagnostic for a limit that was reached: code, what to do, and the sentence, appended to `message`.
 * proving: by the proof of an exchange, not by the spec as it ran. */
const char *limit_code(hg_limit limit);
const char *limit_help(hg_limit limit, bool proving);
void limit_message(hg_limit limit, bool proving, hg_text *message);

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
