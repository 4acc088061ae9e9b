/* The options: what the command line, help, the manual page and completion know of them. */
#ifndef HALOGEN_OPTION_TABLE_H
#define HALOGEN_OPTION_TABLE_H

#include "cli/commands.h"

/* The commands to which an option belongs, as bits. */
enum {
    OF_GENERATE = 1 << COMMAND_GENERATE,
    OF_CHECK = 1 << COMMAND_CHECK,
    OF_EXPLAIN = 1 << COMMAND_EXPLAIN,
    OF_PARAMS = 1 << COMMAND_PARAMS,
    OF_INIT = 1 << COMMAND_INIT,
    OF_DIAGNOSTIC = 1 << COMMAND_DIAGNOSTIC,
    OF_TRACE = 1 << COMMAND_TRACE,
    OF_HELP = 1 << COMMAND_HELP,
    OF_HALOGEN = 1 << COMMANDS, /* without a command */
    OF_SPECS = OF_GENERATE | OF_CHECK | OF_EXPLAIN | OF_PARAMS,
    OF_ALL = OF_SPECS | OF_INIT | OF_DIAGNOSTIC | OF_TRACE | OF_HELP | OF_HALOGEN
};

typedef struct hg_option {
    const char *name;  /* two rows may have one, for different commands and the same member */
    char letter;       /* or 0 */
    const char *value; /* what it takes, NULL for a flag; with "|" between them: just these words */
    size_t member;     /* of hg_options: a bool for a flag, else a string */
    unsigned commands;
    const char *help; /* half a sentence */
    const char *more; /* sentences for the manual page, with `words` in backquotes; or NULL */
} hg_option;

/* Up to one without a name. */
extern const hg_option option_table[];

#endif
