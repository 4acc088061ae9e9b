/* What halogen can be told to do: the first word behind its name. */
#ifndef HALOGEN_COMMANDS_H
#define HALOGEN_COMMANDS_H

#include "base/text.h"

/* In the order in which help lists them. */
typedef enum hg_command {
    COMMAND_GENERATE, /* without a command, too */
    COMMAND_CHECK,
    COMMAND_EXPLAIN,
    COMMAND_PARAMS,
    COMMAND_INIT,
    COMMAND_DIAGNOSTIC,
    COMMAND_TRACE,
    COMMAND_HELP,
    COMMANDS
} hg_command;

enum { EXAMPLES_MAX = 6 };

/* Texts have `words` between backquotes, which manual pages show in bold. */
typedef struct hg_command_row {
    const char *name;
    /* What stands behind the name: "SPEC"; "SPEC..." for one or more; in brackets if it may be left out;
     * "merge|why DIR" for one of two words and a directory. */
    const char *operand;
    const char *needed;  /* the options without which it does not run, as usage lines have them; or NULL */
    const char *summary; /* one line */
    const char *text;    /* some sentences more */
    struct example {
        const char *line, *what; /* "halogen check a.lua", "what it does" */
    } examples[EXAMPLES_MAX];    /* ends in one without a line, if there are less */
} hg_command_row;

extern const hg_command_row commands[COMMANDS];

/* The command of that name, or COMMANDS. */
hg_command command_find(const char *name);

/* Appends "there is no command 'chek'; did you mean 'check'?". */
void command_unknown(const char *name, hg_text *problem);
/* Whether the name looks like that of a command that was misspelt. */
bool command_is_near(const char *name);

#endif
